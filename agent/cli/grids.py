"""Fill-in, Gogen and nonogram: solved by the same `solve`, made by `make`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.cli import exits
from agent.cli.frame import Voice, clean, emit, emit_json, examples, interruptible, parse_size, write_text
from agent.cli.options import AsJson, Size
from agent.errors import UsageError

if TYPE_CHECKING:
    from agent.kinds import GridResult

Count = Annotated[int, typer.Option(min=1, metavar="K", help="Fill-in, Gogen, nonogram: solutions to look for.")]
ProveUnique = Annotated[
    bool, typer.Option("--prove-unique/--any", help="Fill-in, Gogen, nonogram: prove that there is no other solution.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Fill-in, Gogen, nonogram: print the steps of the deduction.")]
Letters = Annotated[
    str, typer.Option(metavar="LETTERS", help="Gogen: the file is a list of words, these are its nine letters.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="The same seed makes the same puzzle.")]
WordFile = Annotated[Path | None, typer.Option("--words", metavar="FILE", help="Words to use, one a line.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    make = typer.Typer(help="Make puzzles with exactly one solution.", no_args_is_help=True, rich_markup_mode=None)
    for command in (fillin, gogen, nonogram, mini):
        make.command(epilog=examples(f"gridwright make {command.__name__} --seed 7"))(command)
    app.add_typer(make, name="make")


def solve_grid(
    data: bytes,
    source: str,
    voice: Voice,
    *,
    letters: str,
    count: int,
    prove_unique: bool,
    explain: bool,
    seconds: float | None,
    as_json: bool,
    as_text: bool,
    html: Path | None,
    svg: Path | None,
    save: Path | None,
) -> int:
    """Solve a fill-in, Gogen or nonogram and print it; returns the exit code."""
    from agent.core import Budget, limit
    from agent.draw.svg import standalone
    from agent.kinds import read_puzzle, solve_kind

    puzzle = read_puzzle(data, letters=letters, source=source)
    with voice, interruptible(lambda: None) as asked:
        result = solve_kind(
            puzzle,
            count=count,
            prove_unique=prove_unique,
            explain=explain,
            budget=Budget(seconds=limit(seconds), cancelled=asked.is_set),
            on_event=voice.on_event,
        )
    if as_json:
        emit_json(result.to_json())
    elif as_text:
        emit(str(result))
    if html:
        write_text(html, result.to_html())
    if svg:
        write_text(svg, standalone(result.svg()))
    if save:
        _save(result, save)
    return exits.of_result(result)


def _save(result: GridResult, path: Path) -> None:
    """Write what was found: JSON or text of any kind, a nonogram as PNG. Raises UsageError for another ending."""
    from agent.puzzles.nonogram import picture

    best = result.solutions[0] if result.solutions else result.partial
    ending = path.suffix.lower()
    if ending == ".json":
        path.write_text(json.dumps(result.to_json(), ensure_ascii=False) + "\n", "utf-8")
    elif ending == ".txt":
        path.write_text(f"{result}\n", "utf-8")
    elif result.kind == "nonogram" and best is not None and ending == ".png":
        path.write_bytes(picture.png(best.rows))
    else:
        raise UsageError(f"{path}: expected an ending of .json or .txt, or for the picture of a nonogram .png")


def _words(path: Path | None, lengths: range) -> list[str]:
    """Read a list of words; without one, the commoner half of the lexicon's."""
    if path is not None:
        try:
            return path.read_text("utf-8").split()
        except UnicodeDecodeError:
            raise UsageError(f"{path}: expected words as UTF-8 text") from None
    from lexicon import load

    words = []
    for length in lengths:
        listed = load(permissive=True).words(length)
        common = listed.log_prior.argsort()[::-1][: len(listed) // 2]
        words += [listed.word(index) for index in common.tolist()]
    return words


def _emit_text(rows: Sequence[str], words: Sequence[str]) -> None:
    emit("\n".join([*rows, "", *words]))


@clean
def fillin(size: Size = None, seed: Seed = 0, words: WordFile = None, as_json: AsJson = False) -> None:
    """Make a fill-in: a blocked grid and the words that fill it in one way only."""
    from agent import make
    from agent.puzzles.fillin import write

    width, height = parse_size(size) or (9, 9)
    puzzle = make.fillin(width, height, seed=seed, words=_words(words, range(2, 12)) if words else ())
    emit(write(puzzle)) if as_json else _emit_text(puzzle.grid, puzzle.words)


@clean
def gogen(seed: Seed = 0, words: WordFile = None, as_json: AsJson = False) -> None:
    """Make a Gogen: nine given letters, and words that fix where the others go."""
    from agent import make
    from agent.puzzles.gogen import write

    puzzle = make.gogen(_words(words, range(3, 8)), seed=seed)
    emit(write(puzzle)) if as_json else _emit_text(puzzle.board, puzzle.words)


@clean
def nonogram(size: Size = None, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Make a nonogram: row and column clues with one picture."""
    from agent import make
    from agent.puzzles.nonogram import write

    width, height = parse_size(size) or (15, 15)
    emit(write(make.nonogram(width, height, seed=seed), "json" if as_json else "txt"))


@clean
def mini(
    seed: Seed = 0,
    words: WordFile = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Make so many, with this seed and the next ones.")] = 1,
    lists: Annotated[
        int,
        typer.Option(metavar="K", min=0, help="Make puzzles as JSON lines: K words for every slot to choose from."),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Make a crossword mini: a pattern filled with words, without clues.

    With --lists it is a puzzle: `gridwright evaluate` solves it by choosing one word for every slot from its list.
    """
    from agent import make
    from agent.formats.instance import write

    chosen = _words(words, range(3, 6))
    by_length: dict[int, list[str]] = {}
    for word in sorted({word.upper() for word in chosen}):
        by_length.setdefault(len(word), []).append(word)
    for number, grid in enumerate(islice(make.minis(chosen, seed=seed), count)):
        if lists:
            emit(write(make.with_lists(grid, by_length, length=lists, seed=seed + number)))
        elif as_json:
            emit_json({"grid": list(grid.rows)})
        else:
            emit(f"{grid}\n" if number < count - 1 else grid)
