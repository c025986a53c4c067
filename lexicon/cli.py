"""The command `python -m lexicon`: answer one clue, or build the index."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


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
    from pathlib import Path

    from lexicon.build import wordnet
    from lexicon.build.shipped import build
    from lexicon.sources import shipped

    parser = _of_sources("build", "Build the shipped index.")
    parser.add_argument("--output", type=Path, default=shipped())
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    size = build(wordnet.find_wordnet(options.wordnet), Path(options.scowl), options.output)
    print(f"{options.output}: {size / 1e6:.1f} MB")
    return 0


def _of_sources(command: str, does: str) -> argparse.ArgumentParser:
    from lexicon.build import wordlists

    parser = argparse.ArgumentParser(prog=f"python -m lexicon {command}", description=does)
    parser.add_argument(
        "--wordnet",
        help="folder with WordNet's database files, else those that nltk has (pip install gridwright[building])",
    )
    parser.add_argument("--scowl", default=wordlists.SCOWL, help="folder with SCOWL's lists")
    return parser


def _learn(arguments: Sequence[str]) -> int:
    import logging
    from pathlib import Path

    from lexicon.build import vectors, wordnet
    from lexicon.build.contrast import learned
    from lexicon.build.shipped import facts

    parser = _of_sources("learn", "Learn the vectors of terms (needs torch: pip install gridwright[fitting]).")
    parser.add_argument("--output", type=Path, default=vectors.VECTORS)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    arrays, _ = facts(wordnet.find_wordnet(options.wordnet), Path(options.scowl))
    vectors.save(learned(arrays), options.output)
    return 0


def _fit(arguments: Sequence[str]) -> int:
    import logging
    from pathlib import Path

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
