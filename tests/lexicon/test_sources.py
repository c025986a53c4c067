"""Sources that a user adds are kept in the user's folder, answer clues, and can be removed."""

import itertools

import pytest

import lexicon
from lexicon import sources as user


@pytest.fixture
def small(sources, built, tmp_path, monkeypatch):
    """Ship a lexicon of 1,000 words instead of the real one, which takes seconds to extend."""
    words = itertools.islice(map("".join, itertools.product("BDGLMNPRST", "AEIOU", "BDGLMNPRST", "AEIOU")), 1000)
    (sources / "english-words.50").write_text("\n".join(words), encoding="latin-1")
    built(tmp_path / "shipped.lex")
    monkeypatch.setattr(user, "shipped", lambda: tmp_path / "shipped.lex")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Set up a new user for each test, on a machine without GCIDE."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(user.GCIDE_FOLDER, str(tmp_path / "dictd"))
    monkeypatch.delenv(user.ONLY)


@pytest.fixture
def dictd(tmp_path):
    folder = tmp_path / "dictd"
    folder.mkdir()
    (folder / "gcide.dict").write_text("Qxzav \\Qxzav\\, n.\n   A zither of the north.\n", encoding="utf-8")
    (folder / "gcide.index").write_text("Qxzav\tA\tz\n", encoding="utf-8")
    return folder


@pytest.mark.usefixtures("small")
def test_a_users_pairs_and_words_are_added_listed_and_removed(tmp_path):
    mine = tmp_path / "mine.txt"
    mine.write_text("Zither of the north\tQXZAV\nZQQJX;60\n", encoding="utf-8")
    assert lexicon.load().match("QXZAV") == []
    added = user.add(str(mine))
    assert (added.name, added.holds) == ("mine.txt", "1 definitions, 2 listed words")
    assert user.user_folder().is_relative_to(tmp_path)
    assert lexicon.load().match("ZQQJX") == ["ZQQJX"]
    assert lexicon.load().answers("Zither of the north", 5, count=1)[0].word == "QXZAV"
    assert lexicon.load(permissive=True).match("QXZAV") == []
    user.remove("mine.txt")
    assert [source.name for source in user.info()] == ["WordNet 3.0, SCOWL 2020.12.07, Webster 1913, own glossary"]
    assert lexicon.load().match("QXZAV") == []


@pytest.mark.usefixtures("small")
def test_a_list_of_words_alone_can_be_added(tmp_path):
    mine = tmp_path / "mine.txt"
    mine.write_text("ZQQJX\nQXZAV;90\n", encoding="utf-8")
    edition = lexicon.load().edition
    assert user.add(str(mine)).holds == "0 definitions, 2 listed words"
    assert lexicon.load().match("ZQQ??") == ["ZQQJX"]
    assert lexicon.load().edition != edition


@pytest.mark.usefixtures("small", "dictd")
def test_gcide_is_added_if_installed_and_stays_removed(caplog):
    assert lexicon.load().match("QXZAV") == ["QXZAV"]
    assert "reading gcide" in caplog.text
    assert [source.name for source in user.info()][1:] == ["gcide"]
    assert lexicon.load(permissive=True).match("QXZAV") == []
    user.remove("gcide")
    assert lexicon.load().match("QXZAV") == []
    user.add("gcide")
    assert lexicon.load().match("QXZAV") == ["QXZAV"]


@pytest.mark.usefixtures("dictd")
def test_the_environment_keeps_a_run_to_what_is_shipped(monkeypatch):
    monkeypatch.setenv(user.ONLY, "permissive")
    assert lexicon.load().match("QXZAV") == []
    assert not user.user_folder().exists()


@pytest.mark.usefixtures("small")
def test_an_index_of_another_version_is_built_again(tmp_path, caplog):
    mine = tmp_path / "mine.txt"
    mine.write_text("Zither of the north\tQXZAV\n", encoding="utf-8")
    user.add(str(mine))
    local = user.user_folder() / "local.lex"
    local.write_bytes(local.read_bytes().replace(b'"base": ', b'"base":9', 1))
    assert lexicon.load().match("QXZAV") == ["QXZAV"]
    assert "reading mine.txt" in caplog.text
    local.write_bytes(b"damaged")
    assert [(source.name, source.holds) for source in user.info()][1:] == [
        ("mine.txt", "read again at the next use of the lexicon")
    ]
    assert lexicon.load().match("QXZAV") == ["QXZAV"]


@pytest.mark.usefixtures("small")
def test_an_unreadable_file_changes_nothing(tmp_path):
    with pytest.raises(FileNotFoundError):
        user.add(str(tmp_path / "missing.txt"))
    bad = tmp_path / "bad.txt"
    bad.write_text("WORD;many\n", encoding="utf-8")
    with pytest.raises(lexicon.LexiconError, match=r"bad\.txt:1"):
        user.add(str(bad))
    with pytest.raises(lexicon.LexiconError):
        user.remove("bad.txt")
    assert len(user.info()) == 1
    assert not list(user.user_folder().glob("*"))
