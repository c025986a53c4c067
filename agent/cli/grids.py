"""Puzzles without clues: solved by the same `solve`, made by `make`."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand, TyperGroup

from agent.cli.common import clean, emit, emit_json, examples
from agent.cli.options import AsJson
from agent.cli.puzzles import parse_size
from agent.errors import UsageError

if TYPE_CHECKING:
    from typer._click.core import Command, Context

MOST_CELLS = 999
"""Cells a side of a puzzle to be made, which are more than any maker takes: each has a limit of its own."""

Count = Annotated[int, typer.Option(min=1, metavar="K", help="Puzzles without clues: solutions to look for.")]
ProveUnique = Annotated[
    bool, typer.Option("--prove-unique/--any", help="Puzzles without clues: prove that there is no other solution.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Puzzles without clues: print the steps of the deduction.")]
Letters = Annotated[
    str,
    typer.Option(metavar="LETTERS", help="Read the file as the words of a board that shows these nine letters."),
]
MadeSize = Annotated[
    str | None, typer.Option("--size", metavar="WxH", help="Width and height, such as 12x12; otherwise as is usual.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="The same seed makes the same puzzle.")]
WordFile = Annotated[Path | None, typer.Option("--words", metavar="FILE", help="Words to use, one a line.")]


class Makers(TyperGroup):
    """The commands of `make`: one for each kind of puzzle, loaded when it is named, and those that were added."""

    def list_commands(self, ctx: Context) -> list[str]:
        """List the names, those of the kinds first."""
        from agent.kinds import NAMES

        return [*NAMES, *super().list_commands(ctx)]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return the command of a name, None if there is none."""
        from agent.kinds import NAMES

        return maker_of(cmd_name) if cmd_name in NAMES else super().get_command(ctx, cmd_name)


def maker_of(name: str) -> TyperCommand:
    """Return the command that makes puzzles of a kind; it has --words only if they are made of words."""
    from agent.kinds import kind_named, make_puzzle

    kind = kind_named(name)
    maker = kind.maker

    def of_words(size: MadeSize = None, seed: Seed = 0, words: WordFile = None, as_json: AsJson = False) -> None:
        chosen = _words(words, maker.lengths) if words or maker.from_lexicon else []
        puzzle = make_puzzle(name, size=parse_size(size, most=MOST_CELLS), words=chosen, seed=seed)
        emit(json.dumps(puzzle.to_json(), ensure_ascii=False) if as_json else kind.write(puzzle).rstrip("\n"))

    def without_words(size: MadeSize = None, seed: Seed = 0, as_json: AsJson = False) -> None:
        of_words(size, seed, None, as_json)

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    about = f"Make {kind.phrase}: {maker.about}."
    made = of_words if maker.lengths else without_words
    app.command(name, help=about, epilog=examples(f"gridwright make {name} --seed 7"))(clean(made))
    command = typer.main.get_command(app)
    assert isinstance(command, TyperCommand)  # noqa: S101 - of a program with one command
    return command


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    make = typer.Typer(
        cls=Makers, help="Make puzzles with exactly one solution.", no_args_is_help=True, rich_markup_mode=None
    )
    make.command(epilog=examples("gridwright make mini --seed 7"))(mini)
    app.add_typer(make, name="make")


MOST_WORDS = 5000
"""Maximum number of words of a length that a mini is made from: the glossary finds as many fit for a newspaper."""


def _words(path: Path | None, lengths: range) -> list[str]:
    """Read a list of words; without one, the commonest of the lexicon's."""
    if path is not None:
        try:
            return path.read_text("utf-8").split()
        except UnicodeDecodeError:
            raise UsageError(f"{path}: expected words as UTF-8 text") from None
    from lexicon import load

    words = []
    for length in lengths:
        listed = load(permissive=True).words(length)
        common = listed.log_prior.argsort()[::-1][: min(len(listed) // 2, MOST_WORDS)]
        words += [listed.word(index) for index in common.tolist()]
    return words


@clean
def mini(
    seed: Seed = 0,
    words: WordFile = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Number of minis, with this seed and the next.")] = 1,
    lists: Annotated[
        int,
        typer.Option(metavar="K", min=0, help="Make puzzles as JSON lines: K words for every slot to choose from."),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Make a crossword mini: a pattern filled with words, without clues.

    With --lists it is a puzzle: `gridwright evaluate` solves it by choosing one word for every slot from its list.
    """
    from agent import minis
    from agent.formats.instance import write

    chosen = _words(words, range(3, 6))
    by_length: dict[int, list[str]] = {}
    for word in sorted({word.upper() for word in chosen}):
        by_length.setdefault(len(word), []).append(word)
    for number, grid in enumerate(islice(minis.minis(chosen, seed=seed), count)):
        if lists:
            emit(write(minis.with_lists(grid, by_length, length=lists, seed=seed + number)))
        elif as_json:
            emit_json({"grid": list(grid.rows)})
        else:
            emit(f"{grid}\n" if number < count - 1 else grid)
