"""The loop's door to a language model: any OpenAI-compatible server, through `agent.llm`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from agent.autotos.loop import Complete, ModelReply
from agent.config import Settings
from agent.errors import ConfigError, LlmError, ModelError, ReplyError
from agent.llm.api import Message
from agent.llm.client import open_client


@contextmanager
def connect(settings: Settings) -> Iterator[Complete]:
    """Open the model that the settings name, and close its connections afterwards.

    An unusable answer (empty, a refusal) counts as an answer without code, so the loop goes on. Raises ConfigError for
    settings that cannot work, and from the calls ModelError if the server fails or a limit is reached.
    """
    if settings.offline:
        raise ConfigError("offline is set: no model can be asked")
    client = open_client(settings)

    def complete(messages: Sequence[Message]) -> ModelReply:
        try:
            reply = client.complete(messages, purpose="autotos")
        except ReplyError as error:
            return ModelReply(f"(no answer: {error})")
        except LlmError as error:
            raise ModelError(str(error)) from error
        return ModelReply(reply.text, 0 if reply.usage is None else reply.usage.total)

    with client:
        yield complete
