"""Hint, check and reveal for a page, from the official solution where the file carries one, else from the agent's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.assist import (
    Judgement,
    Key,
    Source,
    agent_key,
    hint_cell,
    hint_letter,
    hint_slot,
    judge_cells,
    judge_rows,
    key_without_solving,
)
from agent.draw.doubt import rounded
from agent.grid import BLOCK, EMPTY, Grid
from agent.kinds import GridResult
from agent.kinds import check as check_kind
from agent.puzzles.nonogram.picture import UNKNOWN
from agent.solution import Solution
from agent.web.boards import cells_of, read_cells, rows_of, start_cells
from agent.web.shelf import Entry

Answer = Solution | GridResult | Key
"""What a person can be helped with."""


class NothingLeftError(ValueError):
    """There is nothing to give away: all is filled, or no solution is known."""


def known(entry: Entry, body: Mapping[str, Any]) -> Answer | None:
    """Return what a person is helped with, None if the agent has to solve the puzzle first.

    That is the official solution if the file carries one, unless the page asks for the agent's (`"against"`).
    Raises ValueError if it asks for an official one that there is not.
    """
    return key_without_solving(entry.puzzle, body.get("against", "")) or entry.answer


def hint(answer: Answer, body: Mapping[str, Any]) -> dict[str, Any]:
    """Give one letter away, or one whole answer; a guess only if the page asks for it (`"guess"`).

    Raises ValueError for a slot or cells that are not the puzzle's.
    """
    if isinstance(answer, GridResult):
        return _hint_kind(answer, body)
    key = _key(answer)
    partial, slot = _grid(key, body), _slot(key, body)
    found = hint_slot(key, slot) if body.get("whole") is True and slot else hint_letter(key, partial, slot)
    if found is None:
        raise NothingLeftError("nothing is left to give away")
    said = {"slot": found.slot, "position": found.position, "probability": rounded(found.probability)}
    if found.is_guess and body.get("guess") is not True:
        sentence = f"{found.slot}: {found.refusal}."
        return {**said, "text": "", "cells": {}, "withheld": True, "sentence": sentence, "source": key.source}
    given = {cell: key.grid.cells[cell] for cell in found.cells if key.grid.cells[cell] != EMPTY}
    return {**said, "text": found.text, "cells": given, "withheld": False, "sentence": str(found), "source": key.source}


def _hint_kind(result: GridResult, body: Mapping[str, Any]) -> dict[str, Any]:
    puzzle = result.puzzle
    found = hint_cell(result, rows_of(puzzle, read_cells(body.get("cells"), puzzle)))
    if found is None:
        raise NothingLeftError(result.reason or "nothing is left to give away")
    row, column, content = found
    where = "" if result.verified else " in one solution; there may be others"
    sentence = f"Row {row + 1}, column {column + 1} is {'filled' if content == BLOCK else content}{where}."
    given = {"slot": "", "position": 0, "text": content, "cells": {row * puzzle.width + column: content}}
    sure = 1.0 if result.verified else None
    return {**given, "probability": sure, "withheld": False, "sentence": sentence, "source": "agent"}


def check(answer: Answer, body: Mapping[str, Any]) -> dict[str, Any]:
    """Say of each filled cell whether it is right or wrong, or what the agent would write in it.

    `complete` is whether all cells are filled, `holds` whether they meet every rule of a puzzle that has no clues,
    `verified` whether an official solution agrees in every cell, or one that is proved to be the only one.
    """
    judgements: Mapping[int, Judgement]
    others: dict[int, dict[str, Any]] = {}
    holds = False
    if isinstance(answer, GridResult):
        puzzle = answer.puzzle
        cells = read_cells(body.get("cells"), puzzle)
        rows = rows_of(puzzle, cells)
        judgements = {row * puzzle.width + column: said for (row, column), said in judge_rows(answer, rows).items()}
        complete = (UNKNOWN if answer.kind == "nonogram" else EMPTY) not in cells
        holds = complete and not check_kind(puzzle, rows)
        verified = holds and answer.verified
    else:
        key = _key(answer)
        partial = _grid(key, body)
        judged = judge_cells(key, partial)
        judgements = {cell: said.judgement for cell, said in judged.items()}
        others = {
            cell: {"letter": said.letter, "probability": rounded(said.probability), "sentence": str(said)}
            for cell, said in judged.items()
            if said.judgement == "other"
        }
        complete = partial.is_filled
        verified = complete and bool(judgements) and all(said == "right" for said in judgements.values())
    return {
        **{name: [cell for cell, said in judgements.items() if said == name] for name in ("right", "wrong", "same")},
        "other": others or {cell: {} for cell, said in judgements.items() if said == "other"},
        "complete": complete,
        "holds": holds,
        "verified": verified,
        "source": source(answer),
    }


def reveal(answer: Answer, body: Mapping[str, Any]) -> dict[str, Any]:
    """Give the cells of one slot, or of all."""
    if isinstance(answer, GridResult):
        best = answer.solutions[0] if answer.solutions else None
        if best is None:
            raise NothingLeftError(answer.summary)
        before, cells = start_cells(answer.puzzle), cells_of(answer.puzzle, best.rows)
        given = {index: cell for index, cell in enumerate(cells) if before[index] != cell}
    else:
        key = _key(answer)
        slot = _slot(key, body)
        wanted: Sequence[int] = key.grid.slot(slot).cells if slot else range(len(key.grid.cells))
        given = {index: key.grid.cells[index] for index in wanted if key.grid.cells[index] not in {BLOCK, EMPTY}}
    return {"cells": given, "source": source(answer)}


def source(answer: Answer) -> Source:
    """Say whose solution a person was helped with."""
    return answer.source if isinstance(answer, Key) else "agent"


def _key(answer: Solution | Key) -> Key:
    return answer if isinstance(answer, Key) else agent_key(answer)


def _grid(key: Key, body: Mapping[str, Any]) -> Grid:
    return Grid(key.grid.width, key.grid.height, read_cells(body.get("cells"), key.puzzle))


def _slot(key: Key, body: Mapping[str, Any]) -> str:
    slot, names = body.get("slot") or "", list(key.words)
    if slot and slot not in names:
        raise ValueError(f"slot: there are {', '.join(names)}")
    return str(slot)
