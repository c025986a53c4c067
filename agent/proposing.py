"""Ask all providers, those that speak to servers at the same time, and wait for these until patience runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from agent.calls import Calls
from agent.candidates.provider import Cached, Conversing, Metered, Provider, Question
from agent.core import Budget, Event, OnEvent
from agent.core.outcome import ignore
from agent.errors import ProviderError
from agent.grid import Candidate

Proposals = Mapping[str, Sequence[Candidate]]
"""`Question.key` -> candidates."""

LOOK_SECONDS = 0.05
"""Seconds between two checks for an interruption: too short to be felt."""

LEAST_WAIT = 0.25
"""Seconds to wait even if patience has run out or Ctrl-C was pressed: what is in the cache comes by then."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """The answers of providers.

    `failures` has one line per provider that failed, if only in part, `unheld` one per provider that was offline and
    whose cache lacks answers. `willing` are those that may be asked again, and `ended` is the limit that ended the
    waiting (empty if all answered).
    """

    by_slot: Proposals
    failures: tuple[str, ...] = ()
    unheld: tuple[str, ...] = ()
    willing: tuple[Provider, ...] = ()
    ended: str = ""


def propose(
    providers: Sequence[Provider],
    questions: Sequence[Question],
    *,
    budget: Budget | None = None,
    calls: Calls | None = None,
    on_event: OnEvent = ignore,
) -> Proposed:
    """Ask all providers. What fails or does not come in time is left out.

    Providers on this machine always have the time they need, which is little: on a busy machine, too, their answers
    are not lost. Those that speak to a server answer meanwhile, each in a thread. A call that is no longer waited for
    continues by itself, so that an answer that was paid for reaches the cache.

    >>> from agent.candidates.clueset import ClueSet
    >>> clues = ClueSet.open("data/minis/minis_llm.clues.jsonl")
    >>> said = propose([clues], [Question("1A", "Like a shirt marked XXL", 3)])
    >>> [candidate.answer for candidate in said.by_slot["1A"][:1]], said.failures
    (['BIG'], ())
    """
    budget = budget or Budget()
    answerable = [question for question in questions if question.clue]
    if not providers or not answerable:
        return Proposed({}, willing=tuple(providers))
    found: dict[int, Proposals] = {}
    failures: dict[int, str] = {}
    with budget.clock.waiting():
        for place, answer in _arrivals(providers, answerable, budget, calls or Calls()):
            name = providers[place].name
            try:
                found[place] = answer()
            except ProviderError as error:
                failures[place] = f"{name}: {error}"
                on_event(Event("warning", {"text": failures[place]}))
                if error.found is not None:
                    found[place] = error.found
            _tell(providers[place], on_event)
            if place in found:
                on_event(Event("proposed", {"provider": name, "candidates": _by_slot(found[place], answerable)}))
    late = [provider.name for place, provider in enumerate(providers) if place not in {*found, *failures}]
    reason = "interrupted" if budget.cancelled() else f"patience ({budget.patience:g} s) ran out"
    return Proposed(
        by_slot=reduce(merge, (found[place] for place in sorted(found)), {}),  # in a fixed order, whichever was faster
        failures=tuple(failures[place] for place in sorted(failures)),
        unheld=tuple(filter(None, (_unheld(providers[place], found[place], answerable) for place in sorted(found)))),
        willing=tuple(providers[place] for place in sorted(found)),
        ended=f"{reason} before {' and '.join(late)} answered" if late else "",
    )


def _arrivals(
    providers: Sequence[Provider], questions: Sequence[Question], budget: Budget, calls: Calls
) -> Iterator[tuple[int, Callable[[], Proposals]]]:
    """As answers arrive, yield the index of the provider and a function that returns its answer or raises its error."""
    asks = [partial(provider.propose, questions) for provider in providers]
    pending = {calls.start(asks[place]): place for place, one in enumerate(providers) if _speaks_to_a_server(one)}
    for place, ask in enumerate(asks):
        if place not in pending.values():
            yield place, ask
    if not pending:
        return
    from concurrent.futures import FIRST_COMPLETED, wait

    began = budget.clock.waited()
    while pending:
        done, _ = wait(pending, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            yield pending.pop(future), future.result
        is_enough = budget.cancelled() or budget.patience_left <= 0
        if is_enough and not done and budget.clock.waited() - began >= LEAST_WAIT:
            return


def _speaks_to_a_server(provider: Provider) -> bool:
    return isinstance(provider, Metered) and not (isinstance(provider, Cached) and provider.offline)


def tell_late(providers: Sequence[Provider], on_event: OnEvent) -> None:
    """At the end of a solve, announce what was asked and not answered in time, with replies that came meanwhile."""
    for provider in providers:
        _tell(provider, on_event, late=True)


def _tell(provider: Provider, on_event: OnEvent, *, late: bool = False) -> None:
    """Announce what a provider asked in words since this was called last."""
    if isinstance(provider, Conversing) and (told := provider.exchanges(late=late)):
        on_event(Event("asked", {"provider": provider.name, "exchanges": told}))


def _unheld(provider: Provider, found: Proposals, questions: Sequence[Question]) -> str:
    """Return in one line how many clues the cache of a provider that is offline has no answer for, empty if none."""
    asked = {question.slot for question in questions}
    missing = len(asked - {question.slot for question in questions if question.key in found})
    if not missing or not isinstance(provider, Cached) or not provider.offline:
        return ""
    return f"{provider.name} was asked offline, and its cache holds no answer for {missing} of {len(asked)} clues"


def _by_slot(found: Proposals, questions: Sequence[Question]) -> Proposals:
    """Join the candidates for several lengths of a slot: slot -> candidates."""
    joined: dict[str, list[Candidate]] = {}
    for question in questions:
        if question.key in found:
            joined.setdefault(question.slot, []).extend(found[question.key])
    return joined


def merge(first: Proposals, second: Proposals) -> Proposals:
    """Join earlier and new candidates, each once; slots without any are left out."""
    joined = {slot: list(dict.fromkeys([*first.get(slot, ()), *second.get(slot, ())])) for slot in {**first, **second}}
    return {slot: candidates for slot, candidates in joined.items() if candidates}
