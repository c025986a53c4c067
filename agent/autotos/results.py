"""The outcome of the loop: attempts, runs, and the figures over many runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.autotos.domain import ROLES, Role
from agent.autotos.faults import Verdict
from agent.text import counted


@dataclass(frozen=True, slots=True)
class Attempt:
    """A function that a model wrote: the number of the call that brought it, its source, and the verdict on it."""

    role: Role
    call: int
    source: str
    verdict: Verdict


@dataclass(slots=True)
class RunResult:
    """One run of the loop: every attempt in its order, and how it ended.

    `taken` are the attempts that count, for each role the last one or an improved one; `tokens` are 0 if unknown.
    """

    run: int
    attempts: list[Attempt] = field(default_factory=list)
    taken: dict[Role, Attempt] = field(default_factory=dict)
    calls: int = 0
    tokens: int = 0
    restarts: int = 0
    improved: bool = False
    ended: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether both functions were accepted by the judge."""
        return all(role in self.taken and self.taken[role].verdict.is_accepted for role in ROLES)

    def verdicts(self, role: Role) -> list[str]:
        """Return the verdicts on all attempts at a role."""
        return [attempt.verdict.verdict for attempt in self.attempts if attempt.role == role]

    def pair(self) -> dict[Role, str]:
        """Return the sources in the form that the search takes."""
        return {role: attempt.source for role, attempt in self.taken.items()}

    def to_json(self) -> dict[str, Any]:
        """Return the fields for a line of JSON."""
        return {
            "run": self.run,
            "accepted": self.is_accepted,
            "ended": self.ended,
            "calls": self.calls,
            "tokens": self.tokens,
            "restarts": self.restarts,
            "improved": self.improved,
            **{
                role: {
                    "verdict": attempt.verdict.verdict,
                    "attempts": self.verdicts(role),
                    "faults": [fault.kind for fault in attempt.verdict.faults],
                }
                for role, attempt in self.taken.items()
            },
        }

    def line(self) -> str:
        """Return the run as one line of text.

        >>> RunResult(1, ended="accepted", calls=2).line()
        'run 1: accepted; 2 calls, 0 tokens, 0 restarts'
        """
        parts = [f"{role}: {', '.join(self.verdicts(role))}" for role in self.taken]
        return "; ".join(
            [
                f"run {self.run}: {self.ended}",
                *parts,
                ", ".join(
                    [counted(self.calls, "call"), counted(self.tokens, "token"), counted(self.restarts, "restart")]
                ),
            ]
        )


def interval(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share (Wilson 1927).

    >>> [round(end, 2) for end in interval(7, 10)]
    [0.4, 0.89]
    """
    if trials == 0:
        return 0.0, 1.0
    z = 1.959964
    share = successes / trials
    middle = share + z * z / (2 * trials)
    width = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (middle - width) / scale), min(1.0, (middle + width) / scale)


def summary(ends: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures over runs (:meth:`RunResult.to_json`): pass@1 with its interval, calls and tokens.

    >>> summary([{"accepted": True, "calls": 3, "tokens": 50}])["pass@1 interval 95 %"]
    [0.207, 1.0]
    """
    passed = sum(end["accepted"] for end in ends)
    count = len(ends) or 1
    low, high = interval(passed, len(ends))
    return {
        "runs": len(ends),
        "accepted": passed,
        "pass@1": round(passed / count, 3),
        "pass@1 interval 95 %": [round(low, 3), round(high, 3)],
        "calls per run": round(sum(end["calls"] for end in ends) / count, 2),
        "tokens": sum(end["tokens"] for end in ends),
    }
