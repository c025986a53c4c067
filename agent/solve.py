"""READ FIRST: from a puzzle to a verified solution, on one page.

    open_puzzle -> clues -> propose (providers, through the cache) -> rank -> search (best-first) -> verify -> Solution

If slots stay unsure, the word model is called in, then providers are asked again with the letters that are now
thought to be known, until nothing changes, `rounds` is reached or the budget runs out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import exp, log

from agent.candidates.clues import resolve_references
from agent.candidates.provider import UNKNOWN, Provider, ProviderError, Question
from agent.candidates.ranking import Ranking, rank
from agent.core import Budget, Event, OnEvent
from agent.core.outcome import ignore
from agent.core.search import UNLIMITED
from agent.grid import BLOCK, EMPTY, Candidate, Grid, Puzzle, Slot
from agent.puzzles.crossword import Belief, Domain, Fill, believe, fill
from agent.puzzles.patterns import ClueText, infer_patterns, infer_size
from agent.reference import State, is_goal_state, runs
from agent.solution import AMBIGUOUS_MARGIN, Answer, Proof, Solution, Stats, is_complete
from agent.tools import Fallback, Tools
from agent.verify import verify_crossword

KNOWN_LETTER = 0.9
"""Posterior above which a letter is told to providers when a slot is asked again."""

ALTERNATIVES = 5
"""Next best words that a Solution keeps for each slot."""

MOST_PATTERNS = 400
"""Block patterns that are compared by the cost of their cheapest words; the true one of our minis is among the first
hundred (tests/formats/test_pattern_fit.py), so this leaves room."""

TRIED_PATTERNS = 24
"""Patterns that are filled; they come in the order of a lower bound, so that the later ones can hardly win."""

PATTERN_SLACK = 0.0
"""Nats that a pattern's lower bound may lie above the best total and still be tried: above it nothing can win."""

PATTERN_SECONDS = 2.0
"""Seconds for one pattern's trial filling; the chosen pattern is then solved with all the time there is."""

Proposals = Mapping[str, Sequence[Candidate]]


def solve(puzzle: Puzzle, tools: Tools, *, budget: Budget = UNLIMITED, on_event: OnEvent = ignore) -> Solution:
    """Solve a crossword. Its official solution, where it has one, is not looked at.

    >>> from agent.candidates.clueset import ClueSet
    >>> from agent.formats import open_puzzle
    >>> tools = Tools([ClueSet.open("data/minis/minis_llm.clues.jsonl")])
    >>> solution = solve(open_puzzle("data/minis/tiny-01.xd"), tools)
    >>> print(solution, solution.verified, solution.proof)
    S T O P
    H A V E
    I D E A
    P A R K True optimal
    """
    started = time.perf_counter()
    questions = ask(puzzle)
    model = None if tools.providers else tools.fallback
    proposals: Proposals = {}
    warnings: list[str] = []
    asked: Sequence[Question] = questions
    rounds = 0
    while True:
        fresh = propose(tools.providers, asked, warnings, on_event)
        proposals = merge(proposals, fresh)
        ranking = rank(questions, proposals, model)
        left = replace(budget, seconds=budget.seconds - (time.perf_counter() - started))
        found = fill(puzzle.grid, ranking.domains, budget=left, on_event=on_event)
        belief = believe(puzzle.grid, ranking.domains)
        grid = found.fillings[0].grid if found.fillings else found.partial
        unsure = unsure_slots(grid, ranking, belief, tools.threshold)
        on_event(Event("round", {"round": rounds, "rows": grid.rows, "unsure": unsure}))
        if not unsure or budget.stop_reason(0, started):
            break
        if model is None and tools.fallback is not None:
            model, asked = tools.fallback, ()
            continue
        again = reask(questions, unsure, grid, belief)
        if rounds >= tools.rounds or not tools.providers or again == asked:
            break
        rounds, asked = rounds + 1, again
    solution = conclude(puzzle, found, ranking, belief, model)
    stats = replace(solution.stats, rounds=rounds, seconds=time.perf_counter() - started)
    return replace(solution, warnings=tuple(warnings), stats=stats)


def solve_clues(clues: ClueText, tools: Tools, *, budget: Budget = UNLIMITED, on_event: OnEvent = ignore) -> Solution:
    """Solve clues that came without a grid: infer the block pattern from their numbers, and fill it.

    Every pattern that fits the numbers competes, by its own likelihood and by what its cheapest words cost; they are
    tried best first, until no other can win any more. Raises ValueError where no pattern of the size fits.
    """
    started = time.perf_counter()
    size = clues.size or infer_size(clues)
    found = infer_patterns(clues, *size).patterns[:MOST_PATTERNS] if size else ()
    if not found:
        where = f"a {size[0]}x{size[1]} grid" if size else "a grid of a usual size"
        raise ValueError(
            f"no block pattern of {where} is numbered like these clues: is one missing, or the size wrong?"
        )
    warnings: list[str] = []
    domains = _domains_by_length([clues.on(grid) for grid, _ in found], tools, warnings, on_event)
    rivals = []
    for grid, share in found:
        chosen = {slot.name: domains[slot.name, len(slot)] for slot in grid.slots}
        rivals.append((sum(domain.least() for domain in chosen.values()) - log(share), grid, share, chosen))
    rivals.sort(key=lambda rival: rival[0])
    tried: list[tuple[float, Grid]] = []
    for bound, grid, share, chosen in rivals[:TRIED_PATTERNS]:
        if tried and (bound > min(tried)[0] + PATTERN_SLACK or budget.stop_reason(0, started)):
            break
        fillings = fill(grid, chosen, budget=Budget(seconds=PATTERN_SECONDS), count=1).fillings
        if fillings:
            tried.append((fillings[0].cost - log(share), grid))
            on_event(Event("pattern", {"rows": grid.rows, "cost": fillings[0].cost}))
    tried.sort(key=lambda pair: pair[0])
    grid = tried[0][1] if tried else found[0][0]
    weights = [exp(tried[0][0] - cost) for cost, _ in tried]
    solution = solve(clues.on(grid), tools, budget=budget, on_event=on_event)
    rival = tried[1][1] if len(tried) > 1 and tried[1][0] - tried[0][0] < AMBIGUOUS_MARGIN else None
    return replace(
        solution,
        pattern_probability=weights[0] / sum(weights) if weights else found[0][1],
        other_pattern=rival,
        warnings=tuple(dict.fromkeys([*warnings, *solution.warnings])),
        stats=replace(solution.stats, seconds=time.perf_counter() - started),
    )


def _domains_by_length(
    puzzles: Sequence[Puzzle], tools: Tools, warnings: list[str], on_event: OnEvent
) -> dict[tuple[str, int], Domain]:
    """Rank each clue for every length that its slot has in some of the patterns; each is asked once."""
    questions: dict[tuple[str, int], Question] = {}
    for puzzle in puzzles:
        for question in ask(puzzle):
            key = (question.slot, question.length)
            questions.setdefault(key, replace(question, slot=f"{question.slot}/{question.length}", crossings=()))
    asked = list(questions.values())
    ranking = rank(asked, propose(tools.providers, asked, warnings, on_event), tools.fallback)
    return {key: ranking.domains[question.slot] for key, question in questions.items()}


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
    found = fill(grid, domains, budget=budget, count=1)
    ranking = Ranking(domains, {})
    solution = conclude(Puzzle(grid, (), name), found, ranking, believe(grid, domains), None)
    return replace(solution, stats=replace(solution.stats, seconds=time.perf_counter() - started))


def ask(puzzle: Puzzle) -> list[Question]:
    """Turn a puzzle's clues into questions: references resolved, given letters in the pattern."""
    lengths = {slot.name: len(slot) for slot in puzzle.grid.slots}
    texts = resolve_references(puzzle.clues, lengths)
    crossing_clues = crossings(puzzle)
    return [
        Question(
            slot.name,
            texts.get(slot.name, ""),
            len(slot),
            puzzle.grid.answer(slot).replace(EMPTY, UNKNOWN),
            crossing_clues[slot.name],
        )
        for slot in puzzle.grid.slots
    ]


def crossings(puzzle: Puzzle) -> dict[str, tuple[str, ...]]:
    """Give for each slot the clues of the slots that cross it."""
    return {
        slot.name: tuple(
            puzzle.clue(other)
            for other in puzzle.grid.slots
            if other.direction != slot.direction and set(other.cells) & set(slot.cells)
        )
        for slot in puzzle.grid.slots
    }


def propose(
    providers: Sequence[Provider], questions: Sequence[Question], warnings: list[str], on_event: OnEvent
) -> Proposals:
    """Ask all providers at once. One that fails is skipped with one line in `warnings`."""
    answerable = [question for question in questions if question.clue]
    if not providers or not answerable:
        return {}
    with ThreadPoolExecutor(len(providers), thread_name_prefix="provider") as pool:
        waiting = [(provider, pool.submit(provider.propose, answerable)) for provider in providers]
        proposals: Proposals = {}
        for provider, future in waiting:
            try:
                found = future.result()
            except ProviderError as error:
                warnings.append(f"{provider.name}: {error}")
                on_event(Event("warning", {"text": f"{provider.name}: {error}"}))
                continue
            proposals = merge(proposals, found)
            on_event(Event("proposed", {"provider": provider.name, "candidates": found}))
    return proposals


def merge(first: Proposals, second: Proposals) -> Proposals:
    """Join what was proposed earlier and now."""
    return {slot: [*first.get(slot, ()), *second.get(slot, ())] for slot in {**first, **second}}


def posterior(ranking: Ranking, belief: Belief, slot: str, answer: str) -> float:
    """Give the probability of an answer, or of "none of these" where the answer is in no list."""
    index = ranking.domains[slot].find(answer)
    return float(belief.words[slot][index]) if index is not None else belief.unlisted[slot]


def unsure_slots(grid: Grid, ranking: Ranking, belief: Belief, threshold: float) -> list[str]:
    """List the slots whose answer is less probable than the threshold, missing, or in no list."""
    return [
        slot.name
        for slot in grid.slots
        if grid.answer(slot) not in ranking.domains[slot.name]
        or posterior(ranking, belief, slot.name, grid.answer(slot)) < threshold
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


def conclude(puzzle: Puzzle, found: Fill, ranking: Ranking, belief: Belief, model: Fallback | None) -> Solution:
    """Check what was found with code that had no part in finding it, and say how sure each answer and cell is."""
    grid = found.fillings[0].grid if found.fillings else found.partial
    allowed = {
        slot.name: {grid.answer(slot)} if grid.answer(slot) in ranking.domains[slot.name] else set()
        for slot in grid.slots
    }
    faults = verify_crossword(puzzle.grid.rows, grid.rows, allowed).faults
    if not faults and not passes_reference(grid, allowed):
        faults = ("the reference goal function does not accept the grid",)
    proof: Proof = "none" if not found.fillings else "optimal" if found.proved else "gap"
    runner_up = found.fillings[1] if len(found.fillings) > 1 else None
    return Solution(
        puzzle=puzzle,
        grid=grid,
        answers=tuple(explain(slot, puzzle, grid, ranking, belief, model) for slot in grid.slots),
        confidence=tuple(
            belief.letter(index, cell) if index in belief.letters and cell != EMPTY else float(cell == BLOCK)
            for index, cell in enumerate(grid.cells)
        ),
        verified=not faults,
        faults=faults,
        termination=found.outcome.termination,
        proof=proof,
        gap=found.gap,
        margin=runner_up.cost - found.fillings[0].cost if runner_up else float("inf"),
        runner_up=runner_up.grid if runner_up else None,
        stats=Stats(
            expansions=found.outcome.expansions,
            generated=found.outcome.generated,
            duplicates=found.outcome.duplicates,
        ),
    )


def passes_reference(grid: Grid, answers: Mapping[str, Iterable[str]]) -> bool:
    """Put a complete grid before the trusted goal function of :mod:`agent.reference`."""
    state: State = [list(row.lower()) for row in grid.rows]
    by_cells = {
        tuple(divmod(cell, grid.width) for cell in slot.cells): sorted(answers[slot.name]) for slot in grid.slots
    }
    across, down = runs(state)
    lists = ([by_cells[tuple(run)] for run in direction] for direction in (across, down))
    return is_complete(grid) and is_goal_state(state, *lists)


def explain(slot: Slot, puzzle: Puzzle, grid: Grid, ranking: Ranking, belief: Belief, model: Fallback | None) -> Answer:
    """Say what stands in a slot, how sure it is, where it comes from and what else it could be."""
    answer, clue = grid.answer(slot), puzzle.clue(slot)
    named = ranking.sources(slot.name, answer)
    sources = list(dict.fromkeys(candidate.source for candidate in named))
    why = next((candidate.why for candidate in named if candidate.why), "")
    if model is not None and EMPTY not in answer:
        reason = model.why(clue, answer)
        why = why or reason
        if reason:
            sources.append("lexicon")
    domain = ranking.domains[slot.name]
    order = belief.words[slot.name].argsort()[::-1][: ALTERNATIVES + 1]
    alternatives = []
    for index in order.tolist():
        word = domain.word(index)
        if word != answer:
            source = next((c.source for c in ranking.sources(slot.name, word)), "lexicon")
            alternatives.append(Candidate(word, float(belief.words[slot.name][index]), source))
    return Answer(
        slot.name,
        clue,
        answer,
        posterior(ranking, belief, slot.name, answer),
        " + ".join(sources) or "crossings",
        why,
        tuple(alternatives[:ALTERNATIVES]),
    )
