"""Hint, check and reveal for a page, from the official solution if the file carries one, else from the agent's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.assist import (
    Key,
    Source,
    agent_key,
    hint_cell,
    hint_letter,
    hint_slot,
    how_sure,
    judge_cells,
    judge_rows,
    key_without_solving,
)
from agent.draw.doubt import CLEAR, rounded
from agent.draw.letters import place
from agent.errors import GridwrightError, UsageError
from agent.grid import BLOCK, EMPTY, ClueText, Grid, Puzzle
from agent.kinds import GridPuzzle, GridResult, kind_of
from agent.kinds import check as check_kind
from agent.solution import Solution, agrees
from agent.web.boards import cells_of, read_cells, rows_of, start_cells
from agent.web.clue_words import clue_in_words
from agent.web.puzzle_store import Entry

Help = GridResult | Key
"""A solution to take help from."""


class NothingLeftError(GridwrightError):
    """There is nothing to reveal: all cells are filled, or no solution is known."""


def known(entry: Entry, body: Mapping[str, Any]) -> Key | Solution | GridResult | None:
    """Return the solution to take help from, None if the agent has to solve the puzzle first.

    That is the official solution if the file carries one, unless the page asks for the agent's (`"against"`).
    Raises UsageError if it asks for an official one and there is none.
    """
    return key_without_solving(entry.puzzle, body.get("against", "")) or entry.answer


def help_of(answer: Key | Solution | GridResult) -> Help:
    """Return an answer as a solution to take help from."""
    return agent_key(answer) if isinstance(answer, Solution) else answer


def hint(key: Help, body: Mapping[str, Any]) -> dict[str, Any]:
    """Take one step of a hint (`"step"`): how sure the letters of a slot are, one letter, or its word.

    A guess is given only if the page asks for it (`"guess"`). Raises UsageError for a slot or cells that are not the
    puzzle's.
    """
    if isinstance(key, GridResult):
        return _hint_kind(key, body)
    partial, slot, step = _grid(key, body), _slot(key, body), body.get("step", "letter")
    if step not in STEPS:
        raise UsageError(f"step: expected one of {', '.join(STEPS)}")
    if step == "sure" and slot:
        return {"slot": slot, "sentence": f"{slot}: {_sure_letters(key, slot)}.", "source": key.source}
    found = hint_slot(key, slot) if step == "word" and slot else hint_letter(key, partial, slot)
    if found is None:
        raise NothingLeftError("nothing is left to reveal")
    said = {"slot": found.slot, "position": found.position, "probability": rounded(found.probability)}
    if found.is_guess and body.get("guess") is not True:
        sentence = f"{found.slot}: {found.refusal}."
        return {**said, "text": "", "cells": {}, "withheld": True, "sentence": sentence, "source": key.source}
    given = {cell: key.grid.cells[cell] for cell in found.cells if key.grid.cells[cell] != EMPTY}
    return {**said, "text": found.text, "cells": given, "withheld": False, "sentence": str(found), "source": key.source}


STEPS = ("kind", "sure", "letter", "word")
"""The steps of a hint, each telling more than the one before."""


def _sure_letters(key: Key, slot: str) -> str:
    if key.source == "official":
        return "the official solution has it, so every letter of a hint is right"
    cells = key.grid.slot(slot).cells
    sure = sum(key.confidence[cell] >= CLEAR for cell in cells)
    return f"the agent is sure of {sure} of its {len(cells)} letters; the word as a whole: {how_sure(key.words[slot])}"


def kind_of_clue(entry: Entry, body: Mapping[str, Any]) -> dict[str, Any]:
    """Describe what kind of clue a slot has: the first step of a hint. Raises UsageError for a slot without a clue."""
    puzzle = entry.answer.puzzle if isinstance(entry.answer, Solution) else entry.puzzle
    clues = {clue.slot: clue for clue in puzzle.clues} if isinstance(puzzle, Puzzle) else {}
    slot = str(body.get("slot") or "")
    if slot not in clues:
        raise UsageError("slot: expected one that has a clue")
    return {"slot": slot, "sentence": f"{slot}: {clue_in_words(clues[slot].text)}", "source": "clue"}


def is_right(puzzle: Puzzle | GridPuzzle, cells: Sequence[str]) -> bool | None:
    """Return whether cells are a puzzle's solution; None if nothing but a solve could tell.

    A crossword's are compared with the official solution, those of other kinds with the rules; a switch that is not
    known yet counts as left blank.
    """
    if isinstance(puzzle, Puzzle):
        return None if puzzle.solution is None else all(map(agrees, cells, puzzle.solution.cells))
    kind = kind_of(puzzle)
    blank = EMPTY if kind.look.cells == "switches" else kind.typed_empty
    return not check_kind(puzzle, rows_of(puzzle, [blank if cell == kind.typed_empty else cell for cell in cells]))


def done(entry: Entry, body: Mapping[str, Any]) -> bool | None:
    """Return whether the page's cells are right, as `is_right` does. Raises UsageError if they are not the puzzle's."""
    puzzle = entry.puzzle
    return None if isinstance(puzzle, ClueText) else is_right(puzzle, read_cells(body.get("cells"), puzzle))


def _hint_kind(result: GridResult, body: Mapping[str, Any]) -> dict[str, Any]:
    puzzle = result.puzzle
    found = hint_cell(result, rows_of(puzzle, read_cells(body.get("cells"), puzzle)))
    if found is None:
        raise NothingLeftError(result.reason or "nothing is left to reveal")
    given = {
        "slot": "",
        "position": 0,
        "text": found.text,
        "cells": {found.cell: found.text},
    }
    sure = 1.0 if found.is_certain else None
    return {**given, "probability": sure, "withheld": False, "sentence": str(found), "source": "agent"}


def check(answer: Help, body: Mapping[str, Any]) -> dict[str, Any]:
    """Compare each filled cell: right or wrong, or the letter that the agent would write in it.

    `complete` is whether all cells are filled, `holds` whether they meet every rule of a puzzle that has no clues,
    `verified` whether an official solution agrees in every cell, or one that is proved to be the only one, `agreed`
    whether the agent's does, of each letter of which it is sure.
    """
    source: Source = "agent"
    agreed = False
    if isinstance(answer, GridResult):
        puzzle, width = answer.puzzle, answer.puzzle.width
        cells = read_cells(body.get("cells"), puzzle)
        complete = kind_of(puzzle).typed_empty not in cells
        rows = judge_rows(answer, rows_of(puzzle, cells))
        judged, holds = rows.cells, rows.is_solution
        others = {cell: "the solution that was found differs here" for cell, said in judged.items() if said == "other"}
    else:
        partial, source = _grid(answer, body), answer.source
        complete, holds, width = partial.is_filled, False, partial.width
        compared = judge_cells(answer, partial)
        judged = {cell: said.judgement for cell, said in compared.items()}
        others = {cell: str(said) for cell, said in compared.items() if said.judgement == "other"}
        sure = all(said.judgement == "same" and answer.confidence[cell] >= CLEAR for cell, said in compared.items())
        agreed = complete and sure and len(compared) == sum(cell != BLOCK for cell in partial.cells)
    found = {name: [cell for cell, said in judged.items() if said == name] for name in ("right", "wrong", "same")}
    verified = complete and bool(judged) and len(found["right"]) == len(judged)
    return {
        **found,
        "other": others,
        "complete": complete,
        "holds": holds,
        "verified": verified,
        "agreed": agreed,
        "sentence": _checked(found, others, width, source, verified=verified, agreed=agreed, holds=holds),
        "source": source,
    }


def _checked(
    found: Mapping[str, Sequence[int]],
    others: Mapping[int, str],
    width: int,
    who: Source,
    *,
    verified: bool,
    agreed: bool,
    holds: bool,
) -> str:
    """Describe a check in words."""
    by = "by the official solution" if who == "official" else "by the only solution"
    if verified:
        return f"Right, every cell of it, {by}."
    if holds:
        return "Every rule is met: this is a solution."
    if agreed:
        return "Every cell is as the agent has it, and it is sure of each."
    counted = {"right (✓)": len(found["right"]), "wrong (struck through)": len(found["wrong"])}
    judged = [f"{number} {what}" for what, number in counted.items() if number]
    said = [f"{', '.join(judged)}, {by}."] if judged else []
    if found["same"] or others:
        total = len(found["same"]) + len(others)
        differ = f", and another in {len(others)} (?)" if others else ""
        said.append(f"The agent has the same in {len(found['same'])} of {total} cells{differ}.")
    for cell, text in list(others.items())[:MOST_TOLD]:
        said.append(f"{place(cell, width).capitalize()}: {text}.")
    return " ".join(said) or "Nothing to check yet: fill in a cell first."


MOST_TOLD = 2
"""A sentence names the agent's letter in at most this many cells; each cell's label has it, too."""


def reveal(answer: Help, body: Mapping[str, Any]) -> dict[str, Any]:
    """Reveal one cell, the cells of one slot, or all. Raises UsageError for a slot or cell that is not the puzzle's."""
    source: Source = "agent"
    if isinstance(answer, GridResult):
        best, width = (answer.solutions[0] if answer.solutions else None), answer.puzzle.width
        if best is None:
            raise NothingLeftError(answer.summary)
        before, cells = start_cells(answer.puzzle), cells_of(answer.puzzle, best.rows)
        given = {index: cell for index, cell in enumerate(cells) if before[index] != cell}
        what, by = "Everything", f". {answer.summary}"
    else:
        slot, grid, source = _slot(answer, body), answer.grid, answer.source
        wanted: Sequence[int] = grid.slot(slot).cells if slot else range(len(grid.cells))
        given = {index: grid.cells[index] for index in wanted if grid.cells[index] not in {BLOCK, EMPTY}}
        what, by, width = slot or "Everything", f" {_by(answer, slot)}.", grid.width
    cell = body.get("cell")
    if cell is not None:
        given = {index: content for index, content in given.items() if index == cell}
        what = place(cell, width).capitalize() if given else ""
        if not isinstance(answer, GridResult) and given:
            by = f" {_by(answer, '', answer.confidence[cell])}."
    if not given:
        raise NothingLeftError("no letter of it is known")
    return {"cells": given, "sentence": f"{what} is filled in{by}", "source": source}


def _by(key: Key, slot: str, letter: float | None = None) -> str:
    """Return the source of a slot, of one `letter`, or of all; if it is the agent, how sure it is."""
    if key.source == "official":
        return key.summary
    sure = key.words[slot] if slot else letter
    return f"as the agent has it: {key.summary if sure is None else how_sure(sure)}"


def _grid(key: Key, body: Mapping[str, Any]) -> Grid:
    return replace(key.grid, cells=read_cells(body.get("cells"), key.puzzle))


def _slot(key: Key, body: Mapping[str, Any]) -> str:
    slot, names = body.get("slot") or "", list(key.words)
    if slot and slot not in names:
        raise UsageError(f"slot: there are {', '.join(names)}")
    return str(slot)
