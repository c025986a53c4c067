"""READ FIRST: from a puzzle to a checked solution, on one page.

    open_puzzle -> clues -> propose (providers, through the cache) -> rank -> search (best-first) -> check -> Solution

If slots stay unsure, the lexicon is called in, then providers are asked again with the letters that now
seem known, until nothing changes, `rounds` is reached or a limit ends it. Whatever ends it, the best grid
known is returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from agent.candidates.provider import UNKNOWN, Provider, Question, Usage
from agent.candidates.ranking import Ranking
from agent.candidates.words import Lexicon
from agent.conclude import conclude, whole
from agent.core import Budget, Event, OnEvent
from agent.core.outcome import ignore
from agent.grid import Grid, Puzzle
from agent.proposing import Proposals, merge, propose
from agent.puzzles.crossword import Domain, believe
from agent.questions import Cut, Patterns, View, ask, stopped
from agent.solution import Solution
from agent.tools import TimedLexicon, Tools
from agent.weigh import settle, weigh

LAST_SECONDS = 1.0
"""Seconds of work after an interruption: enough to look up a mini's clues and fill it, and hardly felt."""

RANKING_SHARE = 0.5
"""Share of the remaining seconds that ranking may take: the later steps have to end in time as well. Without a
limit, and on minis with any sensible one, it changes nothing."""


def solve(puzzle: Puzzle, tools: Tools, *, budget: Budget | None = None, on_event: OnEvent = ignore) -> Solution:
    """Solve a crossword. Its official solution, if it has one, is not looked at.

    >>> from agent.candidates.clueset import ClueSet
    >>> from agent.api import open_puzzle
    >>> tools = Tools([ClueSet.open("data/minis/minis_llm.clues.jsonl")])
    >>> solution = solve(open_puzzle("data/minis/tiny-01.xd"), tools)
    >>> print(solution.grid, solution.consistent, solution.proof)
    S T O P
    H A V E
    I D E A
    P A R K True optimal
    """
    budget = budget or Budget()
    worked, waited, before = budget.clock.worked(), budget.clock.waited(), tools.usage()
    working = lasting(budget)
    questions = ask(puzzle)
    providers: Sequence[Provider] = tools.providers
    behind: Lexicon | None = None
    proposals: Proposals = {}
    failures: list[str] = []
    limits: list[str] = []
    asked: Sequence[Question] = questions
    told: Patterns = [(question.slot, question.pattern) for question in questions]
    put: set[tuple[str, str]] = set()
    rounds = 0
    while True:
        said = propose(providers, asked, budget=budget, calls=tools.calls, on_event=on_event)
        known, proposals, providers = proposals, merge(proposals, said.by_slot), said.willing
        failures += said.failures if rounds else [*said.failures, *said.unheld]
        limits += [said.ended] if said.ended else []
        if rounds and proposals == known:
            break  # asked again, with nothing new
        if any(not proposals.get(question.slot) for question in questions):
            behind = tools.lexicon  # a slot without a list stays unsure: the lexicon would be called in anyway
        names = [provider.name for provider in providers]
        view = look(puzzle.grid, questions, proposals, behind, tools, working, on_event, asked=names, rounds=rounds)
        if behind is None and tools.lexicon is not None and view.unsure and not budget.is_over():
            behind = tools.lexicon
            view = look(puzzle.grid, questions, proposals, behind, tools, working, on_event, asked=names, rounds=rounds)
        if not providers or rounds >= tools.rounds or budget.is_over():
            break
        asked = view.again(questions, providers, told, put)
        if not asked:
            break
        rounds, told = rounds + 1, view.patterns(asked)
        put |= {(question.slot, choice.answer) for question in asked for choice in question.choices}
    cut = (budget.stop_reason() or view.cut) if view.unsure or view.cut else None
    if limits and budget.cancelled():
        cut = "cancelled"  # while a provider was waited for
    usage = tools.usage_since(before)
    solution = conclude(puzzle, view.weighed, TimedLexicon.of(behind, working), questions)
    worked, waited = budget.clock.worked() - worked, budget.clock.waited() - waited
    return replace(
        solution,
        sure=tools.sure,
        failures=tuple(failures),
        unclued=tuple(question.slot for question in questions if not question.clue and UNKNOWN in question.pattern),
        ended=ending(cut, budget, limits, usage),
        termination=cut or solution.termination,
        stats=replace(solution.stats, rounds=rounds, usage=usage, seconds=worked + waited, waited=waited),
    )


def look(
    grid: Grid,
    questions: Sequence[Question],
    proposals: Proposals,
    lexicon: Lexicon | None,
    tools: Tools,
    budget: Budget,
    on_event: OnEvent,
    *,
    asked: Sequence[str],
    rounds: int,
) -> View:
    """Rank the candidates, weigh the fillings and search; coarsely if time is short."""
    hurried = TimedLexicon.of(lexicon, budget.at_most(share=RANKING_SHARE))
    weighed = weigh(grid, questions, proposals, hurried, tools.constants, budget=budget, on_event=on_event)
    names = [*asked, *(["lexicon"] if lexicon else [])]
    on_event(Event("ranked", {"round": rounds, "asked": names, "domains": weighed.ranking.domains}))
    was_hurried = hurried is not None and hurried.was_short
    view = View.of(weighed, threshold=tools.threshold, was_hurried=was_hurried)
    shown = {"rows": view.grid.rows, "unsure": list(view.unsure), "probability": whole(weighed)}
    on_event(Event("round", {"round": rounds, **shown}))
    return view


def lasting(budget: Budget) -> Budget:
    """Return the budget, extended by a few seconds of work after it is cancelled."""
    since: list[float] = []

    def is_over() -> bool:
        if not since and budget.cancelled():
            since.append(budget.clock.worked())
        return bool(since) and budget.clock.worked() - since[0] >= LAST_SECONDS

    return replace(budget, cancelled=is_over)


def ending(cut: Cut | None, budget: Budget, limits: Sequence[str], usage: Mapping[str, Usage]) -> str:
    """Return in one line the limits that ended a solve, empty if none did.

    >>> ending("budget", Budget(seconds=30), [], {})
    'the search limit of 30 s was reached; the grid is the best known by then'
    """
    said = list(dict.fromkeys(limits))
    if cut == "cancelled" and not said:
        said.append("interrupted")
    elif cut == "budget":
        if budget.seconds < float("inf"):
            said.insert(0, f"the search limit of {budget.seconds:g} s was reached")
        elif budget.expansions < float("inf"):
            said.insert(0, f"the search limit of {budget.expansions:,.0f} expansions was reached")
        else:
            said.insert(0, "the search was given up without a filling that holds together")
    said += [f"the limit on calls or tokens kept {name} from answering" for name, used in usage.items() if used.limited]
    return "; ".join([*said, "the grid is the best known by then"]) if said else ""


def solve_lists(
    grid: Grid, lists: Mapping[str, Iterable[str]], name: str = "", *, budget: Budget | None = None
) -> Solution:
    """Fill a grid from a list of words per slot, all equally likely; no clue is asked and no slot may stay open.

    >>> print(solve_lists(Grid.parse("..\\n.."), {"1A": ["at"], "3A": ["no"], "1D": ["an"], "2D": ["to", "toe"]}).grid)
    A T
    N O
    """
    budget = budget or Budget()
    started = budget.clock.worked()
    fitting = {
        slot.name: dict.fromkeys(
            word.upper() for word in lists[slot.name] if len(word) == len(slot) and word.isascii() and word.isalpha()
        )
        for slot in grid.slots
    }
    domains = {slot.name: Domain.of(list(fitting[slot.name]), length=len(slot)) for slot in grid.slots}
    weighed = settle(grid, Ranking(domains, {}), believe(grid, domains, budget), budget=budget)
    solution = conclude(Puzzle(grid, (), id=name), weighed, None)
    cut = stopped(weighed.found)
    return replace(
        solution,
        ended=ending(cut, budget, (), {}),
        stats=replace(solution.stats, seconds=budget.clock.worked() - started),
    )
