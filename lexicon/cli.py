"""The command `python -m lexicon`: answer one clue, or build the index."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexicon.build.shipped import Sources


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    commands = {"build": _build, "learn": _learn, "fit": _fit}
    if given[:1] and given[0] in commands:
        return commands[given[0]](given[1:])
    parser = argparse.ArgumentParser(prog="python -m lexicon", description="Answer a crossword clue.")
    parser.add_argument("clue")
    parser.add_argument("--length", type=int)
    parser.add_argument("--pattern", help="known letters, ? for unknown ones: A?R?")
    parser.add_argument("--count", type=int, default=10)
    options = parser.parse_args(given)
    if options.length is None and options.pattern is None:
        parser.error("give --length or --pattern")
    import lexicon

    for answer in lexicon.load().answers(options.clue, options.length, options.pattern, options.count):
        print(f"{answer.probability:7.2%}  {answer.word}  {answer.why}")
    return 0


def _build(arguments: Sequence[str]) -> int:
    import logging

    from lexicon.build.shipped import build
    from lexicon.sources import shipped

    parser = parser_of_sources("python -m lexicon build", "Build the shipped index.")
    parser.add_argument("--output", type=Path, default=shipped())
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    size = build(sources_of(options), options.output)
    print(f"{options.output}: {size / 1e6:.1f} MB")
    return 0


def parser_of_sources(command: str, does: str | None) -> argparse.ArgumentParser:
    """Return a parser with options that name the folders of the sources."""
    from lexicon.build import webster, wordlists

    parser = argparse.ArgumentParser(prog=command, description=does)
    parser.add_argument(
        "--wordnet",
        help="folder with WordNet's database files, else those that nltk has (pip install gridwright[building])",
    )
    parser.add_argument("--scowl", type=Path, default=wordlists.SCOWL, help="folder with SCOWL's lists")
    parser.add_argument("--webster", type=Path, default=webster.FOLDER, help="folder with Webster's dictionary.json")
    return parser


def sources_of(options: argparse.Namespace) -> Sources:
    """Return the sources that a command's options name."""
    from lexicon.build.shipped import Sources
    from lexicon.build.wordnet import find_wordnet

    return Sources(find_wordnet(options.wordnet), options.scowl, options.webster)


def _learn(arguments: Sequence[str]) -> int:
    import logging

    from lexicon.build import moby, vectors
    from lexicon.build.contrast import learned
    from lexicon.build.shipped import facts

    does = "Learn the vectors of terms (needs torch: pip install gridwright[fitting])."
    parser = parser_of_sources("python -m lexicon learn", does)
    parser.add_argument("--moby", type=Path, default=moby.FOLDER, help="folder with the Moby Thesaurus's words.txt")
    parser.add_argument("--output", type=Path, default=vectors.VECTORS)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    arrays, _ = facts(sources_of(options))
    vectors.save(learned(arrays, moby.synonyms(options.moby)), options.output)
    return 0


def _fit(arguments: Sequence[str]) -> int:
    import logging

    from lexicon.build import fit, material
    from lexicon.lexicon import Lexicon
    from lexicon.pack import Pack
    from lexicon.sources import shipped, shipped_model

    parser = argparse.ArgumentParser(prog="python -m lexicon fit", description="Fit the model's weights.")
    parser.add_argument("--minis", type=Path, default=Path("data/minis/tune"), help="folder with .xd files")
    parser.add_argument("--evaluation", type=Path, help="folder with goobix_*.json")
    parser.add_argument("--output", type=Path, default=shipped_model())
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    fit.fit_model(Lexicon(Pack(shipped())), material.material(options.minis, options.evaluation), options.output)
    return 0
