"""The cache: its values, its refusals, and how a run goes on without it."""

import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.cache import Cache

KEY = {"clue": "Not out", "length": 2}


class Bomb:
    """Makes a folder when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


@pytest.fixture
def lines():
    return []


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def cache(folder, lines):
    with Cache(folder, warn=lines.append) as cache:
        yield cache


def plant(folder: Path, sql: str, values: tuple) -> None:
    connection = sqlite3.connect(folder / "cache.db")
    connection.execute(sql, values)
    connection.commit()
    connection.close()


def python(code: str, *args: object) -> subprocess.Popen:
    command = [sys.executable, "-c", code, *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # our own code


def test_stored_values_come_back_also_after_closing(folder, cache):
    cache.put("llm", KEY, {"answer": ["IN", 0.5, None, "é\ud800"]})
    cache.close()
    with Cache(folder) as again:
        assert again.get("llm", KEY) == {"answer": ["IN", 0.5, None, "é\ud800"]}


def test_keys_are_equal_when_their_json_is(cache):
    cache.put("llm", {"a": 1, "b": 2}, "x")
    assert cache.get("llm", {"b": 2, "a": 1}) == "x"
    assert cache.get("llm", {"b": 2}) is None
    assert cache.get("datamuse", {"a": 1, "b": 2}) is None


JSON = st.recursive(
    st.text() | st.integers() | st.booleans(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=settings.default.max_examples // 2,
)
@given(
    key=st.dictionaries(st.text(), st.text() | st.integers()),
    value=JSON,
)
def test_any_json_goes_in_and_comes_out(cache, key, value):
    cache.put("any", key, value)
    assert cache.get("any", key) == value
    assert (key, value) in list(cache.items("any"))


@pytest.mark.parametrize("value", [object(), b"bytes", float("nan"), {1, 2}])
def test_a_value_that_is_not_json_is_an_error_of_the_caller(cache, value):
    with pytest.raises((TypeError, ValueError)):
        cache.put("llm", KEY, value)
    assert cache.get("llm", KEY) is None


def test_large_values_stay_in_the_one_file(folder, cache):
    cache.put("llm", KEY, "x" * 5_000_000)
    assert len(cache.get("llm", KEY)) == 5_000_000
    assert not [path for path in folder.iterdir() if path.is_dir()]


def test_items_and_info_and_clear_know_the_namespaces(cache):
    for number in range(3):
        cache.put("llm", {"n": number}, number)
    cache.put("datamuse", KEY, "x")
    assert list(cache.items("llm")) == [({"n": 0}, 0), ({"n": 1}, 1), ({"n": 2}, 2)]
    assert cache.info().entries == {"datamuse": 1, "llm": 3}
    assert "datamuse 1, llm 3" in str(cache.info())
    assert cache.clear() == 4
    assert cache.info().entries == {}


def test_nothing_is_evicted(cache):
    for number in range(30):
        cache.put("llm", {"n": number}, "x" * 100_000)
    assert cache.info().entries == {"llm": 30}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_folder_is_for_its_owner_alone(folder, cache):
    cache.put("llm", KEY, "x")
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_was_there_keeps_its_mode(folder, cache):
    folder.mkdir(mode=0o750)
    before = folder.stat().st_mode
    cache.put("llm", KEY, "x")
    assert folder.stat().st_mode == before


def test_nothing_is_made_before_it_is_needed(folder, cache):
    assert not folder.exists()
    assert cache.get("llm", KEY) is None
    assert folder.exists()


PICKLED_VALUE = "UPDATE Cache SET mode = 4, value = ?, filename = NULL"
PICKLED_KEY = "INSERT INTO Cache (key, raw, store_time, mode, value) VALUES (?, 0, 0, 0, 'text')"


@pytest.mark.parametrize("statement", [PICKLED_VALUE, PICKLED_KEY], ids=["value", "key"])
def test_a_planted_pickle_is_never_executed(folder, cache, tmp_path, statement):
    cache.put("llm", KEY, "x")
    cache.close()
    mark = tmp_path / "executed"
    plant(folder, statement, (pickle.dumps(Bomb(mark)),))
    expected = None if statement == PICKLED_VALUE else "x"
    assert cache.get("llm", KEY) == expected
    list(cache.items("llm"))
    cache.info()
    cache.clear()
    assert not mark.exists()


def test_the_bomb_is_a_real_one(tmp_path):
    pickle.loads(pickle.dumps(Bomb(tmp_path / "executed")))  # noqa: S301  # shows that the test above can fail
    assert (tmp_path / "executed").exists()


def test_a_pickle_next_to_the_database_is_never_executed(folder, cache, lines, tmp_path):
    cache.put("llm", KEY, "x")
    cache.close()
    mark = tmp_path / "executed"
    (folder / "planted.val").write_bytes(pickle.dumps(Bomb(mark)))
    plant(folder, "UPDATE Cache SET mode = 4, value = NULL, filename = ?", ("planted.val",))
    assert cache.get("llm", KEY) is None
    assert not mark.exists()
    assert lines == [f"cache {folder} holds rows that gridwright did not write: they are ignored"]


def test_a_planted_row_cannot_have_a_file_read_or_deleted(folder, cache, tmp_path):
    cache.put("llm", KEY, "x")
    cache.close()
    (tmp_path / "precious").write_text("secret")
    plant(folder, "UPDATE Cache SET mode = 3, value = NULL, filename = ?", ("../precious",))
    assert cache.get("llm", KEY) is None
    cache.put("llm", KEY, "y")
    assert cache.get("llm", KEY) == "y"
    plant(folder, "UPDATE Cache SET filename = ?", ("../precious",))
    cache.clear()
    assert (tmp_path / "precious").read_text() == "secret"


def test_a_row_under_anothers_key_is_not_an_answer(folder, cache):
    cache.put("llm", KEY, "x")
    cache.close()
    plant(folder, "UPDATE Cache SET value = ?", ('{"key": {"clue": NaN}, "value": "y"}',))
    assert cache.get("llm", KEY) is None


@pytest.mark.parametrize("text", ["[" * 100_000, "prose", "[]", '{"key": {}}', 3, None, b"bytes"])
def test_a_row_with_foreign_content_is_ignored_with_one_line(folder, cache, lines, text):
    cache.put("llm", KEY, "x")
    cache.put("llm", {"other": 1}, "y")
    cache.close()
    plant(folder, "UPDATE Cache SET value = ?", (text,))
    assert cache.get("llm", KEY) is None
    assert list(cache.items("llm")) == []
    assert len(lines) == 1


def degrades(cache: Cache, lines: list[str]) -> None:
    """Check that every call works, nothing is stored, and one line is written."""
    assert cache.get("llm", KEY) is None
    cache.put("llm", KEY, "x")
    assert cache.get("llm", KEY) is None
    assert list(cache.items("llm")) == []
    assert cache.info().usable is False
    assert "not usable" in str(cache.info())
    assert cache.clear() == 0
    assert len(lines) == 1
    assert "cannot be used" in lines[0]
    assert "\n" not in lines[0]


def test_a_garbage_database_means_no_cache(folder, cache, lines):
    folder.mkdir()
    (folder / "cache.db").write_bytes(b"garbage" * 1000)
    degrades(cache, lines)


def test_a_database_that_is_damaged_inside_means_no_cache(folder, cache, lines):
    for number in range(50):
        cache.put("llm", {"n": number}, "x" * 1000)
    cache.put("llm", KEY, "x")
    cache.close()
    file = folder / "cache.db"
    file.write_bytes(file.read_bytes()[:4096] + b"\xff" * (file.stat().st_size - 4096))
    degrades(cache, lines)


def test_a_database_with_another_shape_means_no_cache(folder, cache, lines):
    folder.mkdir()
    plant(folder, "CREATE TABLE Cache (a)", ())
    degrades(cache, lines)


def test_a_database_with_another_shape_is_left_closed(folder, lines, monkeypatch):
    folder.mkdir()
    plant(folder, "CREATE TABLE Cache (a)", ())
    opened, connect = [], sqlite3.connect

    def remember(*arguments, **options):
        opened.append(connect(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", remember)
    with Cache(folder, warn=lines.append) as cache:
        degrades(cache, lines)
    assert opened
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


def test_a_file_in_the_folders_place_means_no_cache(folder, cache, lines):
    folder.write_text("")
    degrades(cache, lines)


def test_a_folder_that_cannot_be_made_means_no_cache(tmp_path, lines):
    (tmp_path / "file").write_text("")
    with Cache(tmp_path / "file" / "cache", warn=lines.append) as cache:
        degrades(cache, lines)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only_means_no_cache(folder, cache, lines):
    folder.mkdir(mode=0o500)
    degrades(cache, lines)


def test_a_database_that_stays_locked_means_no_cache(folder, lines):
    folder.mkdir()
    holder = sqlite3.connect(folder / "cache.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with Cache(folder, warn=lines.append, lock_seconds=0.1) as cache:
        degrades(cache, lines)
    holder.execute("ROLLBACK")
    holder.close()


def test_threads_share_it(cache):
    def put(number: int) -> None:
        cache.put("llm", {"n": number}, number)
        assert cache.get("llm", {"n": number}) == number

    threads = [threading.Thread(target=put, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.info().entries == {"llm": 8}


WRITER = """
import sys
from agent.cache import Cache
folder, name, count = sys.argv[1:]
cache = Cache(folder)
for number in range(int(count)):
    cache.put("llm", {"by": name, "n": number}, number)
    print(number, flush=True)
cache.close()
"""


def test_two_processes_share_it(folder, cache, lines):
    writers = [python(WRITER, folder, name, 25) for name in "ab"]
    assert [writer.communicate()[1] or writer.returncode for writer in writers] == [0, 0]
    assert sum(1 for _ in cache.items("llm")) == 50
    assert lines == []


def test_a_kill_loses_nothing_that_was_answered(folder, cache, lines):
    with python(WRITER, folder, "a", 1_000_000) as writer:
        said = [int(writer.stdout.readline()) for _ in range(20)]
        os.kill(writer.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        said += map(int, writer.stdout.read().split())
    assert all(cache.get("llm", {"by": "a", "n": number}) == number for number in said)
    cache.put("llm", KEY, "goes on")
    assert cache.get("llm", KEY) == "goes on"
    assert lines == []
