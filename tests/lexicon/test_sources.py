"""What a user adds lies in the user's folder, answers clues, and can be taken out again."""

import pytest

import lexicon
from lexicon import sources


def test_a_users_pairs_and_words_are_added_listed_and_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    mine = tmp_path / "mine.txt"
    mine.write_text("Zither of the north\tQXZAV\nZQQJX;60\n", encoding="utf-8")
    assert not lexicon.load().contains("QXZAV")
    added = sources.add(str(mine))
    assert (added.name, added.holds) == ("mine.txt", "1 definitions, 2 listed words")
    assert sources.user_folder().is_relative_to(tmp_path)
    assert lexicon.load().contains("ZQQJX")
    assert lexicon.load().answers("Zither of the north", 5, count=1)[0].word == "QXZAV"
    assert not lexicon.load(permissive=True).contains("QXZAV")
    sources.remove("mine.txt")
    assert [source.name for source in sources.info()] == ["WordNet 3.0 and SCOWL"]
    assert not lexicon.load().contains("QXZAV")


def test_what_cannot_be_read_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    with pytest.raises(FileNotFoundError):
        sources.add(str(tmp_path / "missing.txt"))
    bad = tmp_path / "bad.txt"
    bad.write_text("WORD;many\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.txt:1"):
        sources.add(str(bad))
    with pytest.raises(KeyError):
        sources.remove("bad.txt")
    assert len(sources.info()) == 1
    assert not list(sources.user_folder().glob("*"))
