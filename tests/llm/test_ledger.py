"""The ledger of calls: shared by processes, complete, and the place where limits are kept."""

import sqlite3
import stat
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context

import pytest

from agent.errors import LimitReachedError, LlmError
from agent.llm.ledger import Ledger, Limits, Totals
from agent.llm.reply import Usage


def begin(ledger, expected=10):
    return ledger.begin(model="m", host="h", purpose="test", expected=expected)


def call(ledger):
    """Make one call; return whether it was allowed. Runs in other processes too."""
    try:
        ledger.finish(begin(ledger), "answered", Usage(10, 5))
    except LimitReachedError:
        return False
    return True


def test_several_processes_keep_the_limit_exactly(tmp_path):
    ledger = Ledger(tmp_path / "ledger.db", limits=Limits(max_calls=7))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        allowed = list(pool.map(call, [ledger] * 12))
    assert sum(allowed) == ledger.totals().calls == 7


def test_processes_may_open_a_new_ledger_at_once(tmp_path):
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        for number in range(30):
            ledger = Ledger(tmp_path / f"{number}.db", limits=Limits(max_calls=4))
            assert all(pool.map(call, [ledger] * 4))


def test_calls_of_several_threads_are_all_entered(tmp_path):
    ledger = Ledger(tmp_path / "ledger.db")
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(call, [ledger] * 40))
    assert (ledger.totals().calls, ledger.totals().prompt_tokens) == (40, 400)


def test_tokens_are_limited_by_what_a_call_takes_at_least(tmp_path):
    ledger = Ledger(tmp_path / "ledger.db", limits=Limits(max_tokens=100))
    ledger.finish(begin(ledger), "answered", Usage(60, 20))
    begin(ledger, expected=20)
    with pytest.raises(LimitReachedError, match="100 tokens"):
        begin(ledger, expected=1)  # the one under way is counted


def test_rejected_calls_are_free_and_lost_ones_are_not(tmp_path):
    ledger = Ledger(tmp_path / "ledger.db", limits=Limits(max_calls=1))
    ledger.finish(begin(ledger), "rejected")
    ledger.finish(begin(ledger), "lost")
    with pytest.raises(LimitReachedError, match="1 calls"):
        begin(ledger)


def test_a_run_has_its_own_limits_and_all_runs_are_kept(tmp_path):
    path = tmp_path / "ledger.db"
    for _ in range(2):
        assert call(Ledger(path, limits=Limits(max_calls=1)))
    assert Ledger(path).totals().calls == 0
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("select count(*), count(distinct run) from calls").fetchone() == (2, 2)


def test_a_cost_needs_every_price_and_count(tmp_path):
    ledger = Ledger(tmp_path / "ledger.db", prices={"m": (1.0, 4.0)})
    assert ledger.totals().cost == 0
    ledger.finish(begin(ledger), "answered", Usage(1_000_000, 500_000))
    assert ledger.totals().cost == pytest.approx(3.0)
    ledger.finish(begin(ledger), "answered", Usage(10, 5, estimated=True))
    assert ledger.totals().cost is None


def test_the_file_is_the_users_alone(tmp_path):
    ledger = Ledger(tmp_path / "deep" / "ledger.db")
    call(ledger)
    assert stat.S_IMODE(ledger.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(ledger.path.parent.stat().st_mode) == 0o700


def test_a_broken_file_is_reported_once_and_stops_no_run(tmp_path):
    path = tmp_path / "ledger.db"
    path.write_text("this is no database " * 100)
    said = []
    ledger = Ledger(path, warn=said.append)
    assert call(ledger)
    assert call(ledger)
    assert len(said) == 1
    assert "unrecorded" in said[0]
    with pytest.raises(LlmError, match="cannot be read"):
        ledger.totals()


def test_a_broken_file_stops_clients_with_limits(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LlmError, match="limits cannot be kept"):
        begin(Ledger(tmp_path / "file" / "ledger.db", limits=Limits(max_calls=5)))


def test_every_call_is_a_row_with_model_host_and_purpose(tmp_path):
    ledger = Ledger(tmp_path / "ledger.db")
    call(ledger)
    with closing(sqlite3.connect(ledger.path)) as database:
        rows = database.execute(
            "select model, host, purpose, outcome, prompt_tokens, completion_tokens, cost from calls"
        )
        assert rows.fetchall() == [("m", "h", "test", "answered", 10, 5, None)]


def test_some_calls_of_a_run_can_be_summed_up_by_their_numbers(tmp_path):
    ledger = Ledger(tmp_path / "ledger.db", prices={"m": (1.0, 4.0)})
    numbers = [begin(ledger) for _ in range(3)]
    for number, tokens in zip(numbers, (1_000_000, 2_000_000, 4_000_000), strict=True):
        ledger.finish(number, "answered", Usage(tokens, 0))
    assert (ledger.totals(numbers[1:]).calls, ledger.totals(numbers[1:]).cost) == (2, pytest.approx(6.0))
    assert ledger.totals([]) == Totals(0, 0, 0, 0.0)
    assert ledger.totals([numbers[0], None]) == Totals(2, 1_000_000, 0, None)  # one went unrecorded
    assert ledger.totals([None]) == Totals(1, 0, 0, None)
