"""Servers are asked at their pace, and again when that may help."""

import threading

import pytest

from agent.network import Gate, GivenUpError, PassingError, Retry


class Time:
    """Time that passes by sleeping, for one thread or several."""

    def __init__(self) -> None:
        self.slept = []
        self.lock = threading.Lock()

    def sleep(self, seconds: float) -> None:
        with self.lock:
            self.slept.append(seconds)

    def __call__(self) -> float:
        return sum(self.slept)


def failing(*faults):
    """Return an attempt that raises the faults one after the other, then returns "done"."""
    left = list(faults)

    def attempt():
        if left:
            raise left.pop(0)
        return "done"

    return attempt


def test_threads_keep_one_pace_and_one_pause_together():
    slept = []
    gate = Gate(Retry(), per_second=10, clock=lambda: 0.0, sleep=slept.append)
    threads = [threading.Thread(target=gate.wait) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(slept) == pytest.approx([0.1, 0.2, 0.3, 0.4])
    gate.hold(7)
    gate.wait()
    assert slept[-1] == pytest.approx(7)


def test_waits_double_and_the_wish_of_the_server_goes_first():
    time = Time()
    faults = [PassingError("a"), PassingError("b", wait=7), PassingError("c")]
    gate = Gate(Retry(attempts=4), clock=time, sleep=time.sleep)
    said = []
    assert gate.call(failing(*faults), on_retry=lambda *line: said.append(line)) == "done"
    assert time.slept == [1, 7, 4]
    assert said == [("a", 1), ("b", 7), ("c", 4)]


@pytest.mark.parametrize(
    ("faults", "attempts", "message"),
    [
        ([PassingError("busy")] * 3, 3, r"^busy \(tried 3 times\)$"),
        ([PassingError("busy")], 1, "^busy$"),
        ([PassingError("busy", wait=61)], 3, "^busy; it asks to wait 61 s, which is too long$"),
        ([GivenUpError("gone")], 3, "^gone$"),
    ],
)
def test_giving_up_says_why(faults, attempts, message):
    time = Time()
    gate = Gate(Retry(attempts=attempts), clock=time, sleep=time.sleep)
    with pytest.raises(GivenUpError, match=message):
        gate.call(failing(*faults))
    assert len(time.slept) == len(faults) - 1


def test_after_stop_there_is_no_further_attempt():
    gate = Gate(Retry(), sleep=pytest.fail)
    with pytest.raises(GivenUpError, match=r"^busy$"):
        gate.call(failing(PassingError("busy")), stop=lambda: True)
