"""The page in the browser: a small server on loopback, and the files of the page it serves.

:mod:`agent.web.app` has the routes, :mod:`agent.web.guard` what is refused before a route sees it,
:mod:`agent.web.running` how a search in a thread becomes a stream of events. Needs the extra `web`.
"""
