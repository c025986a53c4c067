"""The loop's door to a language model: any OpenAI-compatible server, through `agent.llm`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from agent.autotos.journal import Message
from agent.autotos.loop import Complete, ModelError, Said
from agent.config import Settings
from agent.llm.client import TIMEOUT_SECONDS, Client
from agent.llm.errors import LlmError, ReplyError
from agent.llm.ledger import Ledger, Limits

LEDGER = "ledger.db"
"""The same file in the data folder that all other questions to models are entered in."""


@contextmanager
def connect(settings: Settings) -> Iterator[Complete]:
    """Open the model that the settings name, and close its connections afterwards.

    An answer that is unusable (empty, a refusal) counts as an answer without code: the loop goes on. Raises
    ModelError for settings that cannot work, and from the calls when the server fails or a limit is reached.
    """
    ledger = Ledger(
        settings.data_dir / LEDGER, limits=Limits(settings.max_calls, settings.max_tokens), prices=settings.prices
    )
    timeout = TIMEOUT_SECONDS if settings.origin("timeout") == "default" else settings.timeout
    try:
        client = Client(settings.model, settings.base_url, settings.api_key, timeout=timeout, ledger=ledger)
    except LlmError as error:
        raise ModelError(str(error)) from error

    def complete(messages: Sequence[Message]) -> Said:
        try:
            reply = client.complete(messages, purpose="autotos")
        except ReplyError as error:
            return Said(f"(no answer: {error})")
        except LlmError as error:
            raise ModelError(str(error)) from error
        return Said(reply.text, 0 if reply.usage is None else reply.usage.prompt + reply.usage.completion)

    with client:
        yield complete
