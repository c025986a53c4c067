"""Vectors learned by contrast, saved, and placed in an index."""

import numpy as np
import pytest

from lexicon.build import vectors
from lexicon.build.shipped import Sources, facts

pytest.importorskip("torch", reason="torch is not installed: pip install gridwright[fitting]")

from lexicon.build import contrast

SYNONYMS = [("gnu", "large"), ("roe deer", "wood creature"), ("qxz", "gnu")]


@pytest.fixture
def learned(sources, monkeypatch):
    own = "Roe\tw4\tsmall creature; creature in woods; moves in woods\nGnu\tw4\tlarge plains; plains large moves\n"
    (sources / "own" / "all.tsv").write_text(own, encoding="utf-8")
    monkeypatch.setattr(contrast, "BATCH", 4)
    monkeypatch.setattr(contrast, "EPOCHS", 30)
    monkeypatch.setattr(contrast, "RAREST", 2)
    arrays, _ = facts(Sources(sources, sources, sources, sources / "own"))
    return arrays, contrast.learned(arrays, SYNONYMS)


def test_terms_of_one_word_come_closer_than_those_of_others(learned):
    _, found = learned
    unit = found.directions / np.linalg.norm(found.directions.astype(float), axis=1, keepdims=True)
    place = {term: row for row, term in enumerate(found.terms)}

    def cosine(one, other):
        return float(unit[place[one]] @ unit[place[other]])

    assert cosine("larg", "plain") > cosine("larg", "wood")


def test_the_same_facts_give_the_same_vectors_on_disk_too(learned, tmp_path):
    arrays, found = learned
    again = contrast.learned(arrays, SYNONYMS)
    assert np.array_equal(found.directions, again.directions)
    vectors.save(found, tmp_path / "vectors.npz")
    read = vectors.load(tmp_path / "vectors.npz")
    assert read.terms == list(found.terms)
    assert np.array_equal(read.directions, found.directions)
    assert len(vectors.placed(read, arrays)["vector/term"]) == len(found.terms)
