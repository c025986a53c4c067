"""Hint, check and reveal for a page, from the official solution where the file carries one, else from the agent's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.assist import hint_cell, hint_letter, hint_slot, judge_cells, judge_rows, official_solution
from agent.grid import BLOCK, EMPTY, Grid, Puzzle
from agent.kinds import GridResult
from agent.kinds import check as check_kind
from agent.puzzles.nonogram.picture import UNKNOWN
from agent.solution import Solution
from agent.web.boards import cells_of, read_cells, rows_of, start_cells
from agent.web.shelf import Entry
from agent.web.wire import DIGITS

Answer = Solution | GridResult


class NothingLeftError(ValueError):
    """There is nothing to give away: all is filled, or no solution is known."""


def known(entry: Entry, body: Mapping[str, Any]) -> Answer | None:
    """Return what a person is helped with, None where the agent has to solve the puzzle first.

    That is the official solution where the file carries one, unless the page asks for the agent's (`"against"`).
    Raises ValueError where it asks for an official one that there is not.
    """
    against = body.get("against", "")
    if against not in {"", "official", "agent"}:
        raise ValueError("against: expected official or agent")
    puzzle = entry.puzzle
    if isinstance(puzzle, Puzzle) and against != "agent" and (puzzle.solution is not None or against):
        return official_solution(puzzle)
    if against == "official":
        raise ValueError("this puzzle carries no official solution")
    return entry.answer


def hint(answer: Answer, body: Mapping[str, Any]) -> dict[str, Any]:
    """Give one letter away, or one whole answer. Raises ValueError for a slot or cells that are not the puzzle's."""
    if isinstance(answer, GridResult):
        return _hint_kind(answer, body)
    partial, slot = _grid(answer, body), _slot(answer, body)
    if body.get("whole") is True and slot:
        found = hint_slot(answer, slot)
        cells = answer.grid.slot(found.slot).cells
        given = {cell: answer.grid.cells[cell] for cell in cells if answer.grid.cells[cell] != EMPTY}
    else:
        letter = hint_letter(answer, partial, slot)
        if letter is None:
            raise NothingLeftError("nothing is left to give away")
        found = letter
        given = {answer.grid.slot(found.slot).cells[found.position]: found.text}
    return {
        "slot": found.slot,
        "position": found.position,
        "text": found.text,
        "cells": given,
        "probability": round(found.probability, DIGITS),
        "sentence": str(found),
        "source": source(answer),
    }


def _hint_kind(result: GridResult, body: Mapping[str, Any]) -> dict[str, Any]:
    puzzle = result.puzzle
    found = hint_cell(result, rows_of(puzzle, read_cells(body.get("cells"), puzzle)))
    if found is None:
        raise NothingLeftError(result.reason or "nothing is left to give away")
    row, column, content = found
    sure = 1.0 if result.unique else 0.5
    sentence = f"Row {row + 1}, column {column + 1} is {'filled' if content == BLOCK else content}."
    cells = {row * puzzle.width + column: content}
    given = {"slot": "", "position": 0, "text": content, "cells": cells, "probability": sure}
    return {**given, "sentence": sentence, "source": "agent"}


def check(answer: Answer, body: Mapping[str, Any]) -> dict[str, Any]:
    """Say which of the filled cells are wrong, unsure and fine, and whether the whole is complete and verified."""
    if isinstance(answer, GridResult):
        puzzle = answer.puzzle
        cells = read_cells(body.get("cells"), puzzle)
        judged = {
            row * puzzle.width + column: said
            for (row, column), said in judge_rows(answer, rows_of(puzzle, cells)).items()
        }
        complete = (UNKNOWN if answer.kind == "nonogram" else EMPTY) not in cells
        verified = complete and not check_kind(puzzle, rows_of(puzzle, cells))
    else:
        partial = _grid(answer, body)
        judged = dict(judge_cells(answer, partial))
        complete = partial.is_filled
        verified = complete and answer.consistent and all(said == "fine" for said in judged.values())
    by_judgement = {
        name: [cell for cell, said in judged.items() if said == name] for name in ("wrong", "unsure", "fine")
    }
    return {**by_judgement, "complete": complete, "verified": verified, "source": source(answer)}


def reveal(answer: Answer, body: Mapping[str, Any]) -> dict[str, Any]:
    """Give the cells of one slot, or of all."""
    if isinstance(answer, GridResult):
        best = answer.solutions[0] if answer.solutions else None
        if best is None:
            raise NothingLeftError(answer.summary)
        before, cells = start_cells(answer.puzzle), cells_of(answer.puzzle, best.rows)
        given = {index: cell for index, cell in enumerate(cells) if before[index] != cell}
    else:
        slot = _slot(answer, body)
        wanted: Sequence[int] = answer.grid.slot(slot).cells if slot else range(len(answer.grid.cells))
        given = {index: answer.grid.cells[index] for index in wanted if answer.grid.cells[index] not in {BLOCK, EMPTY}}
    return {"cells": given, "source": source(answer)}


def source(answer: Answer) -> str:
    """Say whose solution a person was helped with."""
    official = isinstance(answer, Solution) and all(said.source == "official" for said in answer.answers)
    return "official" if official else "agent"


def _grid(answer: Solution, body: Mapping[str, Any]) -> Grid:
    grid = answer.grid
    return Grid(grid.width, grid.height, read_cells(body.get("cells"), answer.puzzle))


def _slot(answer: Solution, body: Mapping[str, Any]) -> str:
    slot = body.get("slot") or ""
    names = [said.slot for said in answer.answers]
    if slot and slot not in names:
        raise ValueError(f"slot: there are {', '.join(names)}")
    return str(slot)
