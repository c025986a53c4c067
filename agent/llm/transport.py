"""OpenAI's API through the openai package, for every server that is compatible with it.

This is the only module that imports openai, at the first request, as that takes most of a second. Its own
automatisms are turned off: it would retry unseen, follow redirects, and send other servers the values that its
environment variables hold for OpenAI.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from agent.llm.server import Server

if TYPE_CHECKING:
    import openai


class Transport(Server):
    """The API of an OpenAI-compatible server (:class:`agent.llm.api.Api`)."""

    def post_chat(self, arguments: Mapping[str, Any]) -> str:
        """Ask for a chat completion and return the body of the response.

        Raises PassingError for what may pass, StatusError for an error status, LlmError for everything else.
        """
        return self._ask(lambda api: api.chat.completions.with_streaming_response.create(**arguments))

    def get_models(self) -> str:
        """Ask for the list of models and return the body of the response; raises as `post_chat` does."""
        return self._ask(lambda api: api.models.with_streaming_response.list())

    def _ask(self, send: Callable[[openai.OpenAI], AbstractContextManager[openai.APIResponse[Any]]]) -> str:
        """Send one request with the openai package and return the body of the response."""
        self.check()
        import openai

        # With no key at all the package would look for one itself; what is sent is up to the server's own headers.
        api = openai.OpenAI(
            api_key=self._key or "none",
            base_url=self.base_url,
            timeout=self._timeout,
            max_retries=0,  # retries are ours: reported, and entered in the ledger
            http_client=self.http(),
        )
        try:
            return self.exchange(lambda: send(api))
        except openai.APIConnectionError as error:
            # Whatever is raised before the response's headers are read, by our own hooks too, arrives as the cause.
            self.broken(error.__cause__ or error)
        except openai.OpenAIError as error:
            self.fail(str(error))
