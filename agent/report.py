"""Solution -> text, JSON or HTML: the same fields everywhere."""

from __future__ import annotations

import html
import math
from typing import Any

from agent.grid import BLOCK, EMPTY, Grid, grid_html
from agent.solution import Solution

SCHEMA_VERSION = 1
"""Version of the JSON form; it rises when a field changes its meaning or goes away."""


def to_json(solution: Solution) -> dict[str, Any]:
    """Return a solution as JSON values: the form that `--json` prints and that is kept.

    Probabilities are 0 to 1, `gap` and `margin` in nats (null where there is no runner-up), `seconds` wall time.
    """
    puzzle, stats = solution.puzzle, solution.stats
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "crossword",
        "id": puzzle.id,
        "title": puzzle.title,
        "grid": list(solution.grid.rows),
        "verified": solution.verified,
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
        },
    }


def to_text(solution: Solution) -> str:
    """Return a solution as a person reads it: the grid with numbers, the answers with probability and source."""
    lines = [solution.puzzle.title or solution.puzzle.id or "Crossword", "", picture(solution.grid, solution), ""]
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


def remarks(solution: Solution) -> list[str]:
    """Say in sentences what was proved, what is in doubt, and what it cost."""
    said = []
    if solution.verified:
        said.append("Verified: every answer is a candidate of its clue, and all crossings agree.")
    else:
        said.append("NOT solved: " + "; ".join(solution.faults[:4]) + (" ..." if len(solution.faults) > 4 else ""))
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


def picture(grid: Grid, solution: Solution | None = None) -> str:
    """Draw a grid with its numbers, letters that are unsure in lower case.

    >>> print(picture(Grid.parse("AB\\nC#")))
    +---+---+
    |1  |   |
    | A | B |
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
            letter = " " if cell == EMPTY else cell[0]
            if solution is not None and solution.confidence[index] < UNSURE_CELL:
                letter = letter.lower()
            top += f"{grid.slot_numbers.get(index, ''):<3}|"
            bottom += f" {letter} |"
        lines += [top, bottom, bar]
    return "\n".join(lines)


UNSURE_CELL = 0.5
"""Letters less probable than this are drawn in lower case: more likely wrong than right."""


def to_html(solution: Solution) -> str:
    """Return a self-contained HTML page with the grid shaded by confidence, the answers and the remarks."""
    rows = "".join(
        f"<tr><td>{answer.slot}</td><td>{html.escape(answer.clue)}</td><td><b>{answer.answer}</b></td>"
        f"<td><meter value='{answer.probability:.3f}'></meter> {100 * answer.probability:.0f} %</td>"
        f"<td>{html.escape(answer.source)}</td><td>{html.escape(answer.why)}</td></tr>"
        for answer in solution.answers
    )
    title = html.escape(solution.puzzle.title or solution.puzzle.id or "Crossword")
    said = "".join(f"<p>{html.escape(line)}</p>" for line in remarks(solution))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        "<style>body{font-family:sans-serif;margin:2em;max-width:60em}td{padding:.2em .6em;text-align:left}</style>"
        f"</head><body><h1>{title}</h1>{grid_html(solution.grid, solution.confidence)}{said}"
        f"<table><tr><th></th><th>Clue</th><th>Answer</th><th>Probability</th><th>Source</th><th>Why</th></tr>"
        f"{rows}</table></body></html>\n"
    )


def _finite(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None
