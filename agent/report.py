"""Solution -> text, JSON or HTML: the same fields everywhere."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any

from agent.draw.doubt import CLEAR, GUESS, percent, rounded
from agent.grid import BLOCK, EMPTY, Grid
from agent.solution import Solution, agrees, answers_html, headline

__all__ = [
    "SCHEMA_VERSION",
    "SHADES",
    "headline",
    "key",
    "picture",
    "remarks",
    "shade",
    "to_html",
    "to_json",
    "to_text",
]

SCHEMA_VERSION = 2
"""Version of the JSON form; it rises when a field changes its meaning or goes away."""


def to_json(solution: Solution) -> dict[str, Any]:
    """Return a solution as JSON values: the form that `--json` prints and that is kept.

    Probabilities are 0 to 1 and rounded down, `gap` and `margin` in nats (null if there is no runner-up), `seconds` are
    wall time, `waited` of it for providers. `grid` is the one that is shown; `slots` and `confidence` (one row of
    numbers for each of its rows) stay whole where letters of it were left out.
    """
    puzzle, stats = solution.puzzle, solution.stats
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "crossword",
        "id": puzzle.id,
        "title": puzzle.title,
        "probability": rounded(solution.probability),
        "solved": solution.solved,
        "sure": solution.sure,
        "consistent": solution.consistent,
        "faults": list(solution.faults),
        "grid": list(solution.grid.rows),
        "slots": [
            {
                "slot": answer.slot,
                "clue": answer.clue,
                "answer": answer.answer,
                "probability": rounded(answer.probability),
                "source": answer.source,
                "why": answer.why,
                "alternatives": [
                    {"answer": c.answer, "probability": rounded(c.probability), "source": c.source}
                    for c in answer.alternatives
                ],
            }
            for answer in solution.answers
        ],
        "confidence": [
            [rounded(p) for p in solution.confidence[row * solution.grid.width :][: solution.grid.width]]
            for row in range(solution.grid.height)
        ],
        "termination": solution.termination,
        "ended": solution.ended,
        "proof": solution.proof,
        "gap": _finite(solution.gap),
        "margin": _finite(solution.margin),
        "runner_up": list(solution.runner_up.rows) if solution.runner_up else None,
        "pattern_probability": None if solution.pattern_probability is None else rounded(solution.pattern_probability),
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
    """Return a solution as a person reads it: how sure it is, the grid with numbers, the answers, the remarks.

    `colour` is for terminals: what is solved is said in green, and the grid is shaded by doubt.
    """
    said = headline(solution)
    drawn = picture(solution.grid, solution.confidence, colour=colour)
    legend = key(solution.grid, solution.confidence, colour=colour)
    lines = [
        solution.puzzle.title or solution.puzzle.id or "Crossword",
        f"{GREEN}{said}{RESET}" if colour and solution.solved else said,
        "",
        drawn,
        *([legend] if legend else []),
        "",
    ]
    width = max((len(answer.answer) for answer in solution.answers), default=0)
    source_width = max((len(answer.source) for answer in solution.answers), default=0)
    for direction, mark in (("Across", "A"), ("Down", "D")):
        lines.append(direction)
        lines += [
            f"  {answer.slot:>4}  {solution.spelled(answer.slot):<{width}}  {percent(answer.probability):>5}  "
            f"{answer.source:<{source_width}}  {answer.clue}"
            for answer in solution.answers
            if answer.slot.endswith(mark)
        ]
    lines += ["", *remarks(solution)]
    return "\n".join(lines)


def remarks(solution: Solution) -> list[str]:
    """Return in sentences what the search covered, what is in doubt, and what it cost."""
    said = []
    if solution.faults:
        more = f"; and {len(solution.faults) - MOST_FAULTS} more" if len(solution.faults) > MOST_FAULTS else ""
        said.append(f"The check found: {'; '.join(solution.faults[:MOST_FAULTS])}{more}.")
    is_likeliest = solution.margin >= 0  # else the filling shown has more letters that are likely, not more as a whole
    if solution.proof == "optimal" and is_likeliest:
        said.append("The search is complete: no filling is more probable under the candidates.")
    elif solution.proof == "optimal":
        said.append("The search is complete: one filling is more probable as a whole, the one shown letter by letter.")
    elif solution.proof == "gap":
        said.append(f"The search is not complete: a filling that it missed may be {_times(solution.gap)} as probable.")
    if solution.is_ambiguous and solution.runner_up:
        other = solution.runner_up
        changed = [s.name for s in other.slots if other.answer(s) != solution.answer(s.name).answer]
        words = ", ".join(f"{name} {other.answer(name)}" for name in changed)
        said.append(f"Another filling is {'nearly as good' if is_likeliest else 'more probable as a whole'}: {words}.")
    if solution.pattern_probability is not None:
        said.append(f"The block pattern was inferred from the numbers ({percent(solution.pattern_probability)} sure).")
    if solution.other_pattern:
        said.append("Another block pattern fits as well: " + " / ".join(solution.other_pattern.rows))
    stats = solution.stats
    said.append(f"{stats.expansions} expansions, {stats.rounds} further rounds, {stats.seconds:.2f} s.")
    return said


MOST_FAULTS = 4
"""Faults that a remark names; the JSON form has all."""


def _times(gap: float) -> str:
    """Return how many times a gap in nats is.

    >>> _times(0.7), _times(20.0)
    ('2.0 times', 'more than 100 times')
    """
    return f"{math.exp(gap):.1f} times" if gap < math.log(100) else "more than 100 times"


def picture(grid: Grid, confidence: Sequence[float] = (), *, colour: bool = False) -> str:
    """Draw a grid with its numbers; by `confidence` (one for each cell) letters that are guesses are in lower case.

    `colour` shades doubtful cells with the escape sequences of terminals.

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
            bottom += f"{begin}{letter.lower() if sure < GUESS else letter:^3}{end}|"
        lines += [top, bottom, bar]
    return "\n".join(lines)


SHADES = ((CLEAR, "\x1b[38;5;16;48;5;230m"), (0.7, "\x1b[38;5;16;48;5;222m"), (GUESS, "\x1b[38;5;245m"))
"""Below which probability a cell has which shade: black on yellow, then on amber, and grey for guesses."""

GREEN = "\x1b[32m"
RESET = "\x1b[0m"


def shade(sure: float) -> tuple[str, str]:
    """Return what begins and ends a cell's shade in a terminal; nothing for a letter that is sure.

    >>> shade(0.95), shade(0.6) == (SHADES[1][1], RESET)
    (('', ''), True)
    """
    begin = next((begin for limit, begin in reversed(SHADES) if sure < limit), "")
    return begin, RESET if begin else ""


def key(grid: Grid, confidence: Sequence[float], *, colour: bool = False) -> str:
    """Explain what a picture has of shades, lower case and empty cells; empty text if it has none.

    >>> key(Grid.parse("AB"), [0.9, 0.4])
    'letters: lower case under 50 %, a guess'
    """
    letters = [sure for cell, sure in zip(grid.cells, confidence, strict=True) if cell not in {BLOCK, EMPTY}]
    marks = []
    if colour:
        floors = (*(limit for limit, _ in SHADES[1:]), 0.0)
        for (limit, begin), floor in zip(SHADES[:-1], floors, strict=False):
            if any(floor <= sure < limit for sure in letters):
                marks.append(f"{begin} under {100 * limit:.0f} % {RESET}")
    if any(sure < GUESS for sure in letters):
        begin, end = shade(0.0) if colour else ("", "")
        marks.append(f"{begin}lower case under {100 * GUESS:.0f} %, a guess{end}")
    if EMPTY in grid.cells:
        marks.append(f"empty if none reaches {100 * GUESS:.0f} %")
    return f"letters: {', '.join(marks)}" if marks else ""


def to_html(solution: Solution) -> str:
    """Return a self-contained HTML page: how sure it is, the grid shaded by doubt, the remarks and the answers.

    Beside the grid stands the official one if the file carries it, with the cells marked in which they differ.
    """
    from agent.draw.page import page, side_by_side

    caption = "Solution" if solution.solved else "As far as it is known"
    official = solution.puzzle.solution
    if official is not None and official.blocks == solution.grid.blocks:
        pairs = list(enumerate(zip(solution.grid.cells, official.cells, strict=True)))
        differ = [at for at, (ours, theirs) in pairs if ours != EMPTY and not agrees(ours, theirs)]
        empty = sum(ours == EMPTY for _, (ours, _) in pairs)
        counted = f"{len(differ)} cell{' differs' if len(differ) == 1 else 's differ'}"
        counted += f", {empty} left empty" if empty else ""
        grids = {
            caption: str(solution.grid.svg(solution.confidence, marked=differ)),
            f"Official solution: {counted}": str(official.svg(marked=differ)),
        }
    else:
        grids = {caption: str(solution.svg())}
    look = "good" if solution.solved else "open"
    said = [f'<p class="{look}"><b>{html.escape(headline(solution))}</b></p>', side_by_side(grids)]
    if any(sure < CLEAR for sure in solution.confidence):
        said.append(f'<p class="small">{HTML_KEY}</p>')
    said += [f"<p>{html.escape(line)}</p>" for line in remarks(solution)]
    said.append(f'<div class="scroll">{answers_html(solution)}</div>')
    return page(solution.puzzle.title or solution.puzzle.id or "Crossword", "".join(said))


HTML_KEY = f"The darker a cell, the less sure its letter; lower case is a guess, under {100 * GUESS:.0f} %."


def _finite(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None
