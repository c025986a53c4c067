"""The command `python -m lexicon`: answer one clue, or build the index."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["build"]:
        return _build(given[1:])
    parser = argparse.ArgumentParser(prog="python -m lexicon", description="Answer a crossword clue.")
    parser.add_argument("clue")
    parser.add_argument("--length", type=int)
    parser.add_argument("--pattern", help="known letters, ? where unknown: A?R?")
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

    from lexicon.build import index, wordlists, wordnet
    from lexicon.sources import shipped

    parser = argparse.ArgumentParser(prog="python -m lexicon build", description="Build the shipped index.")
    parser.add_argument("--wordnet", help="folder with WordNet's database files")
    parser.add_argument("--scowl", default=wordlists.SCOWL, help="folder with SCOWL's lists")
    parser.add_argument("--output", type=Path, default=shipped())
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    size = index.build(wordnet.find_wordnet(options.wordnet), Path(options.scowl), options.output)
    print(f"{options.output}: {size / 1e6:.1f} MB")
    return 0
