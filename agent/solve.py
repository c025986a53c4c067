"""READ FIRST: from a puzzle to a solution that says how sure it is, on one page.

    open_puzzle -> clues -> propose (providers, through the cache) -> rank -> search (best-first) -> verify -> Solution

If slots stay unsure, the word model is called in, then providers are asked again with the letters that are now
thought to be known, until nothing changes, `rounds` is reached or the budget runs out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import partial, reduce

from agent.candidates.clues import resolve_references
from agent.candidates.provider import UNKNOWN, Crossing, Provider, ProviderError, Question
from agent.candidates.ranking import Ranking
from agent.conclude import conclude, posterior
from agent.core import Budget, Event, OnEvent
from agent.core.outcome import ignore
from agent.core.search import UNLIMITED
from agent.grid import BLOCK, EMPTY, Candidate, Grid, Puzzle, Slot
from agent.puzzles.crossword import Belief, Domain, believe
from agent.solution import Solution
from agent.tools import Tools
from agent.weigh import settle, weigh

KNOWN_LETTER = 0.9
"""Posterior above which a letter is told to providers when a slot is asked again."""

Proposals = Mapping[str, Sequence[Candidate]]


def solve(puzzle: Puzzle, tools: Tools, *, budget: Budget = UNLIMITED, on_event: OnEvent = ignore) -> Solution:
    """Solve a crossword. Its official solution, where it has one, is not looked at.

    >>> from agent.candidates.clueset import ClueSet
    >>> from agent.formats import open_puzzle
    >>> tools = Tools([ClueSet.open("data/minis/minis_llm.clues.jsonl")])
    >>> solution = solve(open_puzzle("data/minis/tiny-01.xd"), tools)
    >>> print(solution, solution.consistent, solution.proof)
    S T O P
    H A V E
    I D E A
    P A R K True optimal
    """
    started, before = time.perf_counter(), tools.usage()
    questions = ask(puzzle)
    working = list(tools.providers)
    model = None if tools.providers else tools.fallback
    proposals: Proposals = {}
    warnings: list[str] = []
    asked: Sequence[Question] = questions
    rounds = 0
    while True:
        known = proposals
        proposals = merge(known, propose(working, asked, warnings, on_event))
        if rounds and proposals == known:
            break  # asked again, and nobody had anything to add
        left = replace(budget, seconds=budget.seconds - (time.perf_counter() - started))
        weighed = weigh(puzzle.grid, questions, proposals, model, tools.constants, budget=left, on_event=on_event)
        asking = [provider.name for provider in working] + (["lexicon"] if model else [])
        on_event(Event("ranked", {"round": rounds, "asked": asking, "domains": weighed.ranking.domains}))
        grid = weighed.grid
        unsure = unsure_slots(grid, weighed.ranking, weighed.belief, tools.threshold)
        on_event(Event("round", {"round": rounds, "rows": grid.rows, "unsure": unsure}))
        if not unsure or budget.stop_reason(0, started):
            break
        if model is None and tools.fallback is not None:
            model, asked = tools.fallback, ()
            continue
        again = reask(questions, unsure, grid, weighed.belief)
        if rounds >= tools.rounds or not working or again == asked:
            break
        rounds, asked = rounds + 1, again
    clues = {question.slot: question.clue for question in questions}
    solution = conclude(puzzle, weighed, model, clues)
    seconds = time.perf_counter() - started
    stats = replace(solution.stats, rounds=rounds, usage=tools.usage_since(before), seconds=seconds)
    return replace(solution, sure=tools.sure, warnings=tuple(warnings), stats=stats)


def solve_lists(
    grid: Grid, lists: Mapping[str, Iterable[str]], name: str = "", *, budget: Budget = UNLIMITED
) -> Solution:
    """Fill a grid from a list of words per slot, all equally likely; no clue is asked and no slot may stay open.

    >>> print(solve_lists(Grid.parse("..\\n.."), {"1A": ["at"], "3A": ["no"], "1D": ["an"], "2D": ["to", "toe"]}))
    A T
    N O
    """
    started = time.perf_counter()
    fitting = {
        slot.name: dict.fromkeys(
            word.upper() for word in lists[slot.name] if len(word) == len(slot) and word.isascii() and word.isalpha()
        )
        for slot in grid.slots
    }
    domains = {slot.name: Domain.of(list(fitting[slot.name]), length=len(slot)) for slot in grid.slots}
    weighed = settle(grid, Ranking(domains, {}), believe(grid, domains), budget=budget)
    solution = conclude(Puzzle(grid, (), name), weighed, None)
    return replace(solution, stats=replace(solution.stats, seconds=time.perf_counter() - started))


def ask(puzzle: Puzzle) -> list[Question]:
    """Turn a puzzle's clues into questions: references resolved, given letters in the pattern."""
    grid = puzzle.grid
    lengths = {slot.name: len(slot) for slot in grid.slots}
    texts = resolve_references(puzzle.clues, lengths)
    return [
        Question(
            slot.name,
            texts.get(slot.name, ""),
            len(slot),
            grid.answer(slot).replace(EMPTY, UNKNOWN),
            tuple(
                Crossing(position, other.name, at, puzzle.clue(other))
                for position, cell in enumerate(slot.cells)
                for other, at in grid.through(cell)
                if other != slot
            ),
            divmod(slot.cells[0], grid.width),
        )
        for slot in grid.slots
    ]


def propose(
    providers: list[Provider], questions: Sequence[Question], warnings: list[str], on_event: OnEvent
) -> Proposals:
    """Ask all providers at once. One that fails is skipped with one line in `warnings`, and taken off the list."""
    answerable = [question for question in questions if question.clue]
    if not providers or not answerable:
        return {}
    found: dict[int, Proposals] = {}
    failures: dict[int, str] = {}
    for place, answer in arrivals(providers, answerable):
        name = providers[place].name
        try:
            found[place] = answer()
        except ProviderError as error:
            failures[place] = f"{name}: {error}"
            on_event(Event("warning", {"text": failures[place]}))
        else:
            on_event(Event("proposed", {"provider": name, "candidates": found[place]}))
    warnings += [failures[place] for place in sorted(failures)]
    providers[:] = [providers[place] for place in sorted(found)]
    return reduce(merge, (found[place] for place in sorted(found)), {})  # who was faster changes nothing


def arrivals(
    providers: Sequence[Provider], questions: Sequence[Question]
) -> Iterator[tuple[int, Callable[[], Proposals]]]:
    """Ask all providers at once; as answers come in, yield whose it is and a way to take it."""
    if len(providers) == 1:
        yield 0, partial(providers[0].propose, questions)
        return
    with ThreadPoolExecutor(len(providers), thread_name_prefix="provider") as pool:
        asked = {pool.submit(provider.propose, questions): place for place, provider in enumerate(providers)}
        for future in as_completed(asked):
            yield asked[future], future.result


def merge(first: Proposals, second: Proposals) -> Proposals:
    """Join what was proposed earlier and now, each candidate once."""
    return {slot: list(dict.fromkeys([*first.get(slot, ()), *second.get(slot, ())])) for slot in {**first, **second}}


def unsure_slots(grid: Grid, ranking: Ranking, belief: Belief, threshold: float) -> list[str]:
    """List the slots whose answer is less probable than the threshold, missing, or in no list."""
    return [
        slot.name
        for slot in grid.slots
        if grid.answer(slot) not in ranking.domains[slot.name]
        or posterior(ranking, belief, slot, grid.answer(slot)) < threshold
    ]


def reask(questions: Iterable[Question], unsure: Sequence[str], grid: Grid, belief: Belief) -> list[Question]:
    """Put the unsure slots again, with the letters that are now as good as known."""

    def pattern(slot: Slot) -> str:
        sure = (
            grid.cells[cell] not in {EMPTY, BLOCK} and belief.letter(cell, grid.cells[cell]) >= KNOWN_LETTER
            for cell in slot.cells
        )
        return "".join(grid.cells[cell] if ok else UNKNOWN for cell, ok in zip(slot.cells, sure, strict=True))

    slots = {slot.name: slot for slot in grid.slots}
    return [
        replace(question, pattern=pattern(slots[question.slot])) for question in questions if question.slot in unsure
    ]
