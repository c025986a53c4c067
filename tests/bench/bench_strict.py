"""Fill our own minis with a lexicon that has none of their clues word for word.

    python tests/bench/bench_strict.py [--wordnet FOLDER] [--scowl FOLDER] [--webster FOLDER]

A language model wrote both the glossary and the minis, so some clues stand in the glossary as they are (`verbatim` in
bench_lexicon.py counts them). Here every meaning that is a clue of its answer in a reported mini is taken out, the
index is built without them, and the minis are filled with it and the shipped weights.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_lexicon import bare, games
from common import ROOT, keep

from lexicon.build import glossary
from lexicon.build.material import mini_pairs
from lexicon.build.shipped import build
from lexicon.cli import parser_of_sources, sources_of
from lexicon.lexicon import Lexicon
from lexicon.model import Model
from lexicon.pack import Pack
from lexicon.sources import shipped_model

FOLDERS = (ROOT / "data" / "minis" / "report", ROOT / "data" / "minis")


def main() -> None:
    """Run the benchmark."""
    options = parser_of_sources("bench_strict.py", __doc__).parse_args()
    clues: dict[str, set[tuple[str, ...]]] = {}
    for pair in (pair for folder in FOLDERS for pair in mini_pairs(folder)):
        clues.setdefault(pair.answer, set()).add(bare(pair.clue))
    dropped = 0
    with TemporaryDirectory() as place:
        own, index = Path(place, "glossary"), Path(place, "strict.lex")
        own.mkdir()
        with (own / "all.tsv").open("w", encoding="utf-8") as file:
            for headword in glossary.headwords():
                known = clues.get(headword.word, set())
                kept = [meaning for meaning in headword.meanings if bare(meaning) not in known]
                dropped += len(headword.meanings) - len(kept)
                judged = "" if headword.grade is None else f"{headword.kind}{headword.grade}"
                file.write(f"{headword.written}\t{judged}\t{'; '.join(kept)}\n")
        build(replace(sources_of(options), glossary=own), index)
        book = Lexicon(Pack(index), Model(shipped_model()))
        filled = [games(sorted(folder.glob("*.xd")), book) for folder in FOLDERS]
    keep("strict", {"meanings taken out": dropped, "games": filled})


if __name__ == "__main__":
    main()
