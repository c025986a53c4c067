"""The page in the browser: a small server on loopback, and the files of the page it serves.

:mod:`agent.web.app` has the routes, :mod:`agent.web.guard` refuses requests before a route sees them,
:mod:`agent.web.running` turns a search in a thread into a stream of events. Needs the extra `web`.
"""
