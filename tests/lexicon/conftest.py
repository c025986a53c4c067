"""A lexicon of a dozen words, built quickly from its sources."""

import json

import numpy as np
import pytest

from lexicon.build import vectors
from lexicon.build.shipped import Sources, build
from lexicon.pack import Pack

NOUNS = """\
00000001 05 n 01 animal 0 003 ~ 00000002 n 0000 ~ 00000003 n 0000 ~ 00000004 n 0000 | a living creature that moves
00000002 05 n 02 roe 0 roe_deer 0 001 @ 00000001 n 0000 | a small creature that moves in woods; "a roe in woods"
00000003 05 n 01 newt 0 001 @ 00000001 n 0000 | a small creature that moves in water
00000004 05 n 01 gnu 0 001 @ 00000001 n 0000 | a large creature that moves on plains
"""
SENSES = "animal%1:05:00:: 00000001 1 9\nroe%1:05:00:: 00000002 1 2\nroe_deer%1:05:00:: 00000002 1 0\n"
WEBSTER = {
    "newt": "1. Venison of woods. [Obs.] Her newts were many. Shak. 2. A lizard of the water; as, a blue newt.",
    "rhinoceroses": "Too long a word.",
}
VERBS = "00000009 38 v 01 trot 0 000 01 + 02 00 | run like a small creature\n"


def of(folder):
    """Name the sources in a folder."""
    return Sources(folder, folder, folder, folder / "own")


@pytest.fixture
def sources(tmp_path):
    folder = tmp_path / "sources"
    folder.mkdir()
    for name, content in {"noun": NOUNS, "verb": VERBS, "adj": "", "adv": ""}.items():
        (folder / f"data.{name}").write_text("  1 licence\n" + content, encoding="latin-1")
    (folder / "index.sense").write_text(SENSES, encoding="latin-1")
    (folder / "english-words.10").write_text("animal\nroe\nroes\ntrot\ntrotter\n", encoding="latin-1")
    (folder / "english-words.95").write_text("newts\nroes\nroe's\n", encoding="latin-1")
    (folder / "dictionary.json").write_text(json.dumps(WEBSTER), encoding="utf-8")
    (folder / "own").mkdir()
    lines = "Roe\tw4\tVenison on the hoof; ___ v. Wade\nTROT\t\tto jog\non top\tp5\t\ntrot out\tp3\tto display\n"
    (folder / "own" / "all.tsv").write_text(lines, encoding="utf-8")
    vectors.save(
        vectors.TermVectors(["creatur", "venison"], np.array([[1, 0], [1, 1]], np.int8), np.ones(2, np.float32)),
        folder / "vectors.npz",
    )
    return folder


@pytest.fixture
def built(sources):
    """Build the index of those sources at a path, and open it."""

    def built(target):
        build(of(sources), target, sources / "vectors.npz")
        return Pack(target)

    return built
