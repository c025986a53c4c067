"""Solution -> text, JSON or HTML: the same fields everywhere."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any

from agent.draw.grid import UNSURE
from agent.grid import BLOCK, EMPTY, Grid
from agent.solution import Solution, answers_html

SCHEMA_VERSION = 2
"""Version of the JSON form; it rises when a field changes its meaning or goes away."""


def to_json(solution: Solution) -> dict[str, Any]:
    """Return a solution as JSON values: the form that `--json` prints and that is kept.

    Probabilities are 0 to 1, `gap` and `margin` in nats (null where there is no runner-up), `seconds` wall time, of
    which `waited` for providers.
    """
    puzzle, stats = solution.puzzle, solution.stats
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "crossword",
        "id": puzzle.id,
        "title": puzzle.title,
        "grid": list(solution.grid.rows),
        "probability": round(solution.probability, 4),
        "solved": solution.solved,
        "consistent": solution.consistent,
        "faults": list(solution.faults),
        "slots": [
            {
                "slot": answer.slot,
                "clue": answer.clue,
                "answer": answer.answer,
                "probability": round(answer.probability, 4),
                "source": answer.source,
                "why": answer.why,
                "alternatives": [
                    {"answer": c.answer, "probability": round(c.probability, 4), "source": c.source}
                    for c in answer.alternatives
                ],
            }
            for answer in solution.answers
        ],
        "confidence": [
            [round(p, 4) for p in solution.confidence[row * solution.grid.width :][: solution.grid.width]]
            for row in range(solution.grid.height)
        ],
        "termination": solution.termination,
        "ended": solution.ended,
        "proof": solution.proof,
        "gap": _finite(solution.gap),
        "margin": _finite(solution.margin),
        "runner_up": list(solution.runner_up.rows) if solution.runner_up else None,
        "pattern_probability": solution.pattern_probability,
        "other_pattern": list(solution.other_pattern.rows) if solution.other_pattern else None,
        "warnings": list(solution.warnings),
        "stats": {
            "expansions": stats.expansions,
            "generated": stats.generated,
            "duplicates": stats.duplicates,
            "rounds": stats.rounds,
            "provider_calls": {name: usage.calls for name, usage in stats.usage.items()},
            "cache_hits": stats.cache_hits,
            "tokens": stats.tokens,
            "cost": stats.cost,
            "seconds": round(stats.seconds, 4),
            "waited": round(stats.waited, 4),
        },
    }


def to_text(solution: Solution, *, colour: bool = False) -> str:
    """Return a solution as a person reads it: the grid with numbers, the answers with probability and source.

    `colour` shades the grid by doubt, for terminals.
    """
    drawn = picture(solution.grid, solution.confidence, colour=colour)
    lines = [solution.puzzle.title or solution.puzzle.id or "Crossword", "", drawn, ""]
    width = max((len(answer.answer) for answer in solution.answers), default=0)
    source_width = max((len(answer.source) for answer in solution.answers), default=0)
    for direction, mark in (("Across", "A"), ("Down", "D")):
        lines.append(direction)
        for answer in solution.answers:
            if answer.slot.endswith(mark):
                probability = f"{100 * answer.probability:3.0f} %"
                lines.append(
                    f"  {answer.slot:>4}  {answer.answer:<{width}}  {probability}  {answer.source:<{source_width}}  "
                    f"{answer.clue}"
                )
    lines += ["", *remarks(solution)]
    return "\n".join(lines)


SURE_LETTER = 0.9
"""Probability from which a word or a letter is called sure in the headline."""


def headline(solution: Solution) -> str:
    """Return in one line what is known of the grid; only its probability decides whether it is called solved."""
    if solution.solved:
        return f"Solved: {100 * solution.probability:.0f} % sure of the whole grid"
    doubtful = [answer.slot for answer in solution.answers if answer.probability < SURE_LETTER]
    total = len(solution.answers)
    if 2 * len(doubtful) <= total:
        return f"{total - len(doubtful)} of {total} words sure; doubtful: {', '.join(doubtful)}"
    cells = [index for index, cell in enumerate(solution.grid.cells) if cell != BLOCK]
    letters = sum(solution.confidence[index] >= SURE_LETTER for index in cells)
    return f"Mostly guesses: {letters} of {len(cells)} letters are sure"


def remarks(solution: Solution) -> list[str]:
    """Say in sentences what was proved, what is in doubt, and what it cost."""
    said = []
    said.append(headline(solution))
    if solution.faults:
        said.append("It does not hold together: " + "; ".join(solution.faults[:4]) + (" ..." if len(solution.faults) > 4 else ""))
    if solution.proof == "optimal":
        said.append("Proved: no filling is more probable under the candidates.")
    elif solution.proof == "gap":
        said.append(f"Not proved best: another filling might be up to {solution.gap:.1f} nats better.")
    if solution.is_ambiguous and solution.runner_up:
        other = solution.runner_up
        changed = [s.name for s in other.slots if other.answer(s) != solution.grid.answer(s)]
        words = ", ".join(f"{name} {other.answer(name)}" for name in changed)
        said.append(f"Another filling is nearly as good: {words}.")
    if solution.pattern_probability is not None:
        said.append(
            f"The block pattern was inferred from the numbers ({100 * solution.pattern_probability:.0f} % sure)."
        )
    if solution.other_pattern:
        said.append("Another block pattern fits as well: " + " / ".join(solution.other_pattern.rows))
    stats = solution.stats
    said.append(f"{stats.expansions} expansions, {stats.rounds} further rounds, {stats.seconds:.2f} s.")
    return said


def picture(grid: Grid, confidence: Sequence[float] = (), *, colour: bool = False) -> str:
    """Draw a grid with its numbers; by `confidence` (one for each cell) letters that are unsure are in lower case.

    `colour` shades doubtful cells with the escape sequences of terminals, and adds a key where there are any.

    >>> print(picture(Grid.parse("AB\\nC#"), [0.9, 0.4, 1.0, 1.0]))
    +---+---+
    |1  |   |
    | A | b |
    +---+---+
    |   |███|
    | C |███|
    +---+---+
    """
    bar = "+---" * grid.width + "+"
    lines = [bar]
    for row in range(grid.height):
        top, bottom = "|", "|"
        for column in range(grid.width):
            index = row * grid.width + column
            cell = grid.cells[index]
            if cell == BLOCK:
                top, bottom = top + "███|", bottom + "███|"
                continue
            sure = confidence[index] if confidence and cell != EMPTY else 1.0
            letter = " " if cell == EMPTY else cell[:3]
            begin, end = shade(sure) if colour else ("", "")
            top += f"{begin}{grid.slot_numbers.get(index, ''):<3}{end}|"
            bottom += f"{begin}{letter.lower() if sure < UNSURE else letter:^3}{end}|"
        lines += [top, bottom, bar]
    if colour and "\x1b" in "".join(lines):
        marks = [f"{begin} < {100 * limit:.0f} % {RESET}" for limit, begin in SHADES]
        lines.append(f"sure of a letter: {' '.join(marks)} and lower case")
    return "\n".join(lines)


SHADES = ((0.9, "\x1b[38;5;16;48;5;230m"), (0.7, "\x1b[38;5;16;48;5;222m"), (0.5, "\x1b[38;5;16;48;5;208m"))
"""Below which probability a cell has which shade, palest first: black on yellow to orange reads on any terminal."""

RESET = "\x1b[0m"


def shade(sure: float) -> tuple[str, str]:
    """Return what begins and ends a cell's shade in a terminal; nothing for a letter that is sure.

    >>> shade(0.95), shade(0.6) == (SHADES[1][1], RESET)
    (('', ''), True)
    """
    begin = next((begin for limit, begin in reversed(SHADES) if sure < limit), "")
    return begin, RESET if begin else ""


def to_html(solution: Solution) -> str:
    """Return a self-contained HTML page: the grid shaded by doubt, beside the official one where the file carries it.

    Under them the remarks and the answers. Cells in which the two grids differ are marked in both.
    """
    from agent.draw.page import page, side_by_side

    grids = {"Solution": str(solution.svg())}
    official = solution.puzzle.solution
    if official is not None and official.blocks == solution.grid.blocks:
        differ = [at for at, cell in enumerate(official.cells) if cell != solution.grid.cells[at]]
        grids = {
            "Solution": str(solution.grid.svg(solution.confidence, marked=differ)),
            f"Official solution: {len(differ)} cells differ": str(official.svg(marked=differ)),
        }
    said = "".join(f"<p>{html.escape(line)}</p>" for line in remarks(solution))
    answers = f'<div class="scroll">{answers_html(solution.answers)}</div>'
    title = solution.puzzle.title or solution.puzzle.id or "Crossword"
    return page(title, side_by_side(grids) + said + answers)


def _finite(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None
