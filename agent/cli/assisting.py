"""The commands that help a person who solves: hint, check, verify. They work for puzzles of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from agent.cli import exits
from agent.cli.asking import Asked, asks
from agent.cli.common import clean, emit, emit_json, examples, stop
from agent.cli.exits import DONE, INTERRUPTED, NOT_SOLVED
from agent.cli.options import Against, AsJson, GridText, PuzzleArgument, Size
from agent.cli.puzzles import crossword, parse_grid, parse_rows, parse_size
from agent.cli.solving import solve_any
from agent.errors import UsageError
from agent.warn import warn_on_stderr

if TYPE_CHECKING:
    from agent.api import AnyPuzzle, CluedPuzzle, GridPuzzle, GridResult, Solution
    from agent.assist import CellHint, Hint, Judgement, Key
    from agent.verify.crossword import Verification


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(
        short_help="Reveal one letter, or one answer.",
        epilog=examples(
            "gridwright hint today.puz",
            "gridwright hint today.puz 4D --grid 'CAT/A../T..'",
            "gridwright hint today.puz 4D --whole --guess",
        ),
    )(hint)
    app.command(
        short_help="Compare a partial grid with the solution.",
        epilog=examples("gridwright check today.puz --grid 'CAT/A../T..'"),
    )(check)
    app.command(
        short_help="Prove that a filled grid holds, or show why not.",
        epilog=examples("gridwright verify today.puz --grid filled.txt --clue-set recorded.jsonl"),
    )(verify)


@dataclass(slots=True)
class Request:
    """A puzzle that help is asked for: the file it came from, the options, and the providers to ask.

    `interrupted` is set if Ctrl-C ended the work, so that help comes from the best grid known by then.
    """

    puzzle: AnyPuzzle
    source: str
    grid: str
    against: str
    asked: Asked
    interrupted: bool = field(default=False, init=False)

    def exit_code(self, code: int) -> int:
        """Return the exit code: this one unless the work was interrupted."""
        return INTERRUPTED if self.interrupted else code

    def key(self) -> Key:
        """Return a crossword's solution to take help from: the official one if there is one, else the agent's."""
        from agent.api import ClueText
        from agent.assist import agent_key, key_without_solving

        puzzle = self.puzzle if isinstance(self.puzzle, ClueText) else crossword(self.puzzle, self.source)
        found = key_without_solving(puzzle, self.against)
        return found or agent_key(cast("Solution", self._solve(puzzle)))

    def result(self) -> GridResult:
        """Solve a puzzle without clues. Ends the command if no solution is found."""
        from agent.assist import key_without_solving

        key_without_solving(self.puzzle, self.against)  # an official solution is refused: there is none
        found = cast("GridResult", self._solve(self.puzzle))
        if not found.solutions:
            stop(exits.of_result(found), found.summary)
        return found

    def _solve(self, puzzle: AnyPuzzle) -> Solution | GridResult:
        """Solve the puzzle, and say on stderr if that was interrupted, with how sure its result is."""
        from agent.api import Solution
        from agent.draw.doubt import percent_in_words

        found = solve_any(puzzle, self.source, self.asked)
        self.interrupted = found.termination == "cancelled"
        if self.interrupted:
            sure = found.summary
            if isinstance(found, Solution):
                sure = f"the best grid known by then is {percent_in_words(found.probability)} sure as a whole"
            warn_on_stderr(f"gridwright: interrupted: {sure}")
        return found


@clean
@asks()
def hint(
    asked: Asked,
    puzzle: PuzzleArgument,
    slot: Annotated[
        str, typer.Argument(metavar="SLOT", help="A slot such as 4D; without one, the surest letter of any.")
    ] = "",
    whole: Annotated[bool, typer.Option("--whole", help="Print the whole answer of the slot.")] = False,
    guess: Annotated[bool, typer.Option("--guess", help="Print it even if it is less than 50 % sure.")] = False,
    against: Against = "",
    grid: GridText = "",
    size: Size = None,
    as_json: AsJson = False,
) -> None:
    """Reveal one letter, or one answer: from the official solution if the file carries one, else the agent's.

    Of a puzzle without clues it reveals the first cell that is still open.
    """
    from agent.api import CluedPuzzle, open_puzzle

    if whole and not slot:
        raise UsageError("--whole needs a slot, such as 4D")
    opened = open_puzzle(puzzle, size=parse_size(size))
    request = Request(opened, puzzle, grid, against, asked)
    if isinstance(opened, CluedPuzzle):
        found: Hint | CellHint | None = _hint_letters(request, slot.upper(), whole=whole, guess=guess)
    else:
        found = _hint_cell(request, opened, slot)
    if found is None:
        stop(request.exit_code(NOT_SOLVED), "nothing is left to reveal")
    emit_json(found.to_json()) if as_json else emit(found)
    raise typer.Exit(request.exit_code(DONE))


def _hint_letters(request: Request, slot: str, *, whole: bool, guess: bool) -> Hint | None:
    from agent.assist import hint_letter, hint_slot

    key = request.key()
    partial = parse_grid(request.grid, key.puzzle) if request.grid else key.puzzle.grid
    if slot and slot not in key.words:
        raise UsageError(f"there is no slot {slot}: there are {', '.join(key.words)}")
    found = hint_slot(key, slot) if whole else hint_letter(key, partial, slot)
    if found is not None and found.is_guess and not guess:
        stop(request.exit_code(NOT_SOLVED), f"{found.slot}: {found.refusal}; --guess gives it anyway")
    return found


def _hint_cell(request: Request, puzzle: GridPuzzle, slot: str) -> CellHint | None:
    from agent.assist import hint_cell
    from agent.kinds import kind_of

    if slot:
        raise UsageError(f"{slot}: expected no slot, a hint for {kind_of(puzzle).phrase} is a single cell")
    partial = parse_rows(request.grid, puzzle) if request.grid else puzzle.givens
    return hint_cell(request.result(), partial)


@dataclass(frozen=True, slots=True)
class Compared:
    """A filled cell next to the solution's. `fields` adds the agent's letter to the JSON if it may be given away."""

    cell: int
    letter: str
    judgement: Judgement
    remark: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All filled cells next to a solution: whether that is official or the agent's, and what it is called."""

    cells: tuple[Compared, ...]
    width: int
    source: str
    called: str

    @property
    def differing(self) -> list[Compared]:
        """The cells that differ."""
        return [one for one in self.cells if one.judgement in {"wrong", "other"}]

    def to_json(self) -> dict[str, Any]:
        """Return plain values; rows and columns count from 1."""
        rows = []
        for one in self.cells:
            row, column = divmod(one.cell, self.width)
            rows.append({"row": row + 1, "column": column + 1, "letter": one.letter, "judgement": one.judgement})
            rows[-1] |= one.fields
        return {"source": self.source, "cells": rows}

    def __str__(self) -> str:
        from agent.draw.letters import place

        lines = [f"{place(one.cell, self.width)}: {one.letter}: {one.remark}" for one in self.differing]
        differ = f"{len(lines)} differ{'s' * (len(lines) == 1)}"
        return "\n".join([*lines, f"{len(self.cells)} cells compared with {self.called}: {differ}"])


@clean
@asks()
def check(
    asked: Asked,
    puzzle: PuzzleArgument,
    grid: GridText,
    against: Against = "",
    size: Size = None,
    as_json: AsJson = False,
) -> None:
    """Compare a partial grid with the official solution if the file carries one, else with what the agent finds.

    By an official solution letters are right or wrong, and the exit code is 1 if any is wrong; so are the cells of a
    puzzle without clues whose solution is proved to be the only one. Otherwise the agent only says what it would
    write instead.
    """
    from agent.api import CluedPuzzle, open_puzzle

    opened = open_puzzle(puzzle, size=parse_size(size))
    request = Request(opened, puzzle, grid, against, asked)
    found = _compare_letters(request) if isinstance(opened, CluedPuzzle) else _compare_cells(request, opened)
    emit_json(found.to_json()) if as_json else emit(found)
    wrong = any(one.judgement == "wrong" for one in found.cells)
    raise typer.Exit(request.exit_code(NOT_SOLVED if wrong else DONE))


def _compare_letters(request: Request) -> Comparison:
    from agent.assist import judge_cells
    from agent.draw.doubt import rounded

    key = request.key()
    partial, official = parse_grid(request.grid, key.puzzle), key.source == "official"
    cells = [
        Compared(
            cell,
            partial.cells[cell],
            said.judgement,
            str(said),
            {} if official else {"agent": said.letter, "probability": rounded(said.probability)},
        )
        for cell, said in judge_cells(key, partial).items()
    ]
    called = "the official solution" if official else "what the agent would write"
    return Comparison(tuple(cells), partial.width, key.source, called)


def _compare_cells(request: Request, puzzle: GridPuzzle) -> Comparison:
    from agent.assist import judge_rows
    from agent.kinds import kind_of

    partial, said = parse_rows(request.grid, puzzle), kind_of(puzzle).look.said
    result = request.result()
    judged = judge_rows(result, partial)
    letters, known = "".join(partial), "".join(judged.known)
    called = "the only solution" if result.verified else "the rules" if judged.is_solution else "the solution found"
    cells = []
    for cell, judgement in judged.cells.items():
        remark, fields = f"{judgement}, by the only solution", {}
        if not result.verified:
            remark = f"the solution found has {said.get(known[cell], known[cell])} here"
            fields = {"agent": known[cell]}
        cells.append(Compared(cell, letters[cell], judgement, remark, fields))
    return Comparison(tuple(cells), puzzle.width, "agent", called)


@clean
@asks()
def verify(asked: Asked, puzzle: PuzzleArgument, grid: GridText, as_json: AsJson = False) -> None:
    """Prove that a filled grid holds, or show what does not: crossings, candidates of every clue, no answer twice.

    A puzzle without clues is checked against its rules, by a checker that shares no code with the search.
    """
    from agent.api import CluedPuzzle, open_puzzle
    from agent.kinds import check as faults_of
    from agent.verify.crossword import Verification

    opened = open_puzzle(puzzle)
    if isinstance(opened, CluedPuzzle):
        found = _verify_crossword(opened, puzzle, grid, asked)
    else:
        found = Verification(faults_of(opened, parse_rows(grid, opened)))
    if as_json:
        emit_json({"verified": found.holds, "faults": list(found.faults)})
    else:
        emit(found)
    raise typer.Exit(DONE if found.holds else NOT_SOLVED)


def _verify_crossword(opened: CluedPuzzle, source: str, grid: str, asked: Asked) -> Verification:
    from agent.assist import rank_all, verify_filled
    from agent.questions import ask

    puzzle = crossword(opened, source)
    filled = parse_grid(grid, puzzle)
    with asked.voice, asked.open_tools() as tools:
        ranking = rank_all(ask(puzzle), tools, asked.settings.patience, asked.voice.warn)
    return verify_filled(puzzle, filled, ranking.domains)
