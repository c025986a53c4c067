"""The loop: ask a model for a successor function and a goal function, judge each, report the faults, repeat.

For each role: prompt, reply, verdict; if it is not accepted, one paragraph of feedback (feedback.py) and a new attempt.
A loop that makes no progress is noticed: after a repeated answer or a repeated fault the model is shown another
counter-example, then the chat is dropped and started again. Budgets limit attempts, calls and restarts.

The flow of one run: `Run.write` for each role -> `judge` -> feedback, or accepted; then `improve`; all of it through
the journal, so that a run can be replayed without a model and resumed after a kill.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any

from agent.autotos.cases import held_out
from agent.autotos.domain import ROLES, Domain, Instance, Role
from agent.autotos.faults import Fault, Verdict
from agent.autotos.fewest import fewest_first
from agent.autotos.journal import Journal, Message, digest
from agent.autotos.judge import judge
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.search import SearchLimits, run_pair, run_trusted, totals
from agent.autotos.submissions import extract
from agent.errors import JournalError, ModelError

PROMPTS = Path(__file__).parent / "prompts"
IMPROVE_LIMITS = SearchLimits(seconds=5.0, expansions=5_000)
"""Limits of the searches that count a correct function's expansions; without a solution it counts as 5,000."""
IMPROVE_INSTANCES = 3
ENOUGH = 2.0
"""A function that expands no more than this many times the best-known figure is not asked to be faster."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's reply, and the tokens that it took (0 if unknown)."""

    text: str
    tokens: int = 0


Complete = Callable[[Sequence[Message]], ModelReply]
"""A language model: messages in, text out. Raises ModelError."""


@dataclass(frozen=True, slots=True)
class LoopBudget:
    """Limits of a run: attempts per function, calls in all, restarts per function, attempts at a faster function.

    >>> LoopBudget().attempts
    10
    """

    attempts: int = 10
    calls: int = 24
    restarts: int = 2
    improve: int = 1


DEFAULT_BUDGET = LoopBudget()


@dataclass(frozen=True, slots=True)
class Written:
    """A function that was written in a run: its source, the verdict on it, and the number of attempts."""

    role: Role
    source: str
    verdict: Verdict
    attempts: int


@dataclass(slots=True)
class RunResult:
    """How one run of the loop ended."""

    run: int
    written: dict[Role, Written] = field(default_factory=dict)
    calls: int = 0
    tokens: int = 0
    restarts: int = 0
    improved: bool = False
    ended: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether both functions were accepted by the judge."""
        return all(role in self.written and self.written[role].verdict.is_accepted for role in ROLES)

    def pair(self) -> dict[Role, str]:
        """Return the sources in the form that the search takes."""
        return {role: one.source for role, one in self.written.items()}

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
                    "verdict": one.verdict.verdict,
                    "attempts": one.attempts,
                    "faults": [f.kind for f in one.verdict.faults],
                }
                for role, one in self.written.items()
            },
        }


@lru_cache(maxsize=32)
def prompt(name: str) -> Template:
    """Return a prompt as a template."""
    return Template((PROMPTS / f"{name}.md").read_text(encoding="utf-8").strip())


def normal(source: str) -> str:
    """Return a source without comments and redundant white space, for comparing two.

    >>> normal("x  = 1  # one") == normal("x = 1")
    True
    """
    return re.sub(r"\s+", " ", re.sub(r"#.*", "", source)).strip()


class Run:
    """One run of the loop over a journal."""

    def __init__(
        self,
        number: int,
        domain: Domain,
        complete: Complete,
        journal: Journal,
        *,
        backend: Backend,
        seed: int = 0,
        budget: LoopBudget = DEFAULT_BUDGET,
    ) -> None:
        self.domain, self.complete, self.journal = domain, complete, journal
        self.backend, self.seed, self.budget = backend, seed, budget
        self.result = RunResult(number)

    def go(self) -> RunResult:
        """Write both functions, then try to make the successor function faster."""
        try:
            for role in ROLES:
                self.write(role)
                if not self.result.written[role].verdict.is_accepted:
                    self.result.ended = f"the {role} function was given up"
                    break
            else:
                self.improve()
                self.result.ended = "accepted"
        except ModelError as error:
            self.result.ended = str(error)
        self.journal.add("end", self.result.run, **{k: v for k, v in self.result.to_json().items() if k != "run"})
        return self.result

    def ask(self, messages: Sequence[Message]) -> str:
        """Return the model's answer, or its recorded one. Raises ModelError."""
        if self.result.calls >= self.budget.calls:
            raise ModelError(f"{self.budget.calls} calls were made, which is the limit")
        self.result.calls += 1
        number = self.result.calls
        recorded = self.journal.find("call", self.result.run, number)
        if recorded is None:
            reply = self.complete(messages)
        else:
            if recorded.get("prompt") != digest(messages):
                raise JournalError(
                    f"{self.journal.path}: call {number} of run {self.result.run} was another question; "
                    "the journal belongs to other settings or another version"
                )
            reply = ModelReply(str(recorded["reply"]), int(recorded["tokens"]))
        self.journal.add(
            "call",
            self.result.run,
            number,
            prompt=digest(messages),
            question=messages[-1]["content"],
            reply=reply.text,
            tokens=reply.tokens,
        )
        self.result.tokens += reply.tokens
        return reply.text

    def verdict(self, role: Role, source: str, seed: int) -> Verdict:
        """Judge a source and record the verdict."""
        verdict = judge(source, role, self.domain, backend=self.backend, seed=seed)
        self.journal.add("verdict", self.result.run, self.result.calls, source=source, **verdict.to_json())
        return verdict

    def write(self, role: Role) -> None:
        """Have the model write the function of a role until it is accepted or the budget is spent."""
        opening: list[Message] = [
            {"role": "system", "content": prompt("system").template},
            {"role": "user", "content": prompt(f"{self.domain.name}-{role}").template},
        ]
        messages = list(opening)
        sources: set[str] = set()
        reported: set[tuple[str, str]] = set()
        stalls = restarts = 0
        for attempt in range(1, self.budget.attempts + 1):
            reply = self.ask(messages)
            source = extract(reply)
            verdict = self.verdict(role, source, self.seed)
            self.result.written[role] = Written(role, source, verdict, attempt)
            if verdict.is_accepted:
                return
            repeated = normal(source) in sources
            sources.add(normal(source))
            fault = self.choose(verdict, reported)
            stalls = stalls + 1 if repeated or (fault.kind, fault.note) in reported else 0
            reported.add((fault.kind, fault.note))
            if stalls >= 2 and restarts < self.budget.restarts:
                restarts += 1
                self.result.restarts += 1
                messages, stalls, reported, sources = list(opening), 0, set(), set()
                continue
            if stalls:
                fault = self.vary(role, source, attempt) or fault
            frame = prompt("stuck" if stalls else "revise")
            messages += [
                {"role": "assistant", "content": reply},
                {"role": "user", "content": frame.substitute(feedback=fault.feedback)},
            ]

    def choose(self, verdict: Verdict, reported: set[tuple[str, str]]) -> Fault:
        """Return the heaviest fault that was not reported yet."""
        fresh = [fault for fault in verdict.faults if (fault.kind, fault.note) not in reported]
        return (fresh or list(verdict.faults))[0]

    def vary(self, role: Role, source: str, attempt: int) -> Fault | None:
        """Judge on other states, for another counter-example of the same fault."""
        faults = judge(source, role, self.domain, backend=self.backend, seed=self.seed + attempt).faults
        return faults[0] if faults else None

    def improve(self) -> None:
        """Ask for fewer expansions, and take the answer only if it is accepted and does need fewer."""
        if self.budget.improve == 0:
            return
        instances = held_out(self.domain, IMPROVE_INSTANCES)
        best = totals(run_pair(self.domain, instances, self.result.pair(), self.backend, "dfs", IMPROVE_LIMITS))
        reference = reference_expansions(self.domain, instances)
        for _ in range(self.budget.improve):
            if best.solved and best.expansions <= ENOUGH * reference:
                return
            written = self.result.written["successor"]
            request = prompt("faster").substitute(expansions=best.expansions, reference=reference)
            messages = [
                {"role": "system", "content": prompt("system").template},
                {"role": "user", "content": prompt(f"{self.domain.name}-successor").template},
                {"role": "assistant", "content": f"```python\n{written.source}```"},
                {"role": "user", "content": request},
            ]
            try:
                source = extract(self.ask(messages))
            except ModelError:
                return
            verdict = self.verdict("successor", source, self.seed)
            if not verdict.is_accepted:
                continue
            pair = {**self.result.pair(), "successor": source}
            again = totals(run_pair(self.domain, instances, pair, self.backend, "dfs", IMPROVE_LIMITS))
            if (again.solved, -again.expansions) > (best.solved, -best.expansions):
                best = again
                self.result.written["successor"] = Written("successor", source, verdict, written.attempts)
                self.result.improved = True


def reference_expansions(domain: Domain, instances: Sequence[Instance]) -> int:
    """Return the expansions of a depth-first search that fills one slot at a time, the one with the fewest answers.

    The trusted successors are grouped by the cells they fill; the smallest group is kept.
    """
    return totals(run_trusted(domain, instances, "dfs", IMPROVE_LIMITS, fewest_first)).expansions


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


def summary(results: Sequence[RunResult]) -> dict[str, Any]:
    """Return the sums over runs: pass@1 with its interval, calls and tokens."""
    passed = sum(result.is_accepted for result in results)
    count = len(results) or 1
    low, high = interval(passed, len(results))
    return {
        "runs": len(results),
        "accepted": passed,
        "pass@1": round(passed / count, 3),
        "pass@1 interval 95 %": [round(low, 3), round(high, 3)],
        "calls per run": round(sum(result.calls for result in results) / count, 2),
        "tokens": sum(result.tokens for result in results),
    }


def run_loop(
    runs: int,
    domain: Domain,
    complete: Complete,
    journal: Journal,
    *,
    model: str,
    backend: Backend,
    seed: int = 0,
    budget: LoopBudget = DEFAULT_BUDGET,
    on_result: Callable[[RunResult], None] = lambda _: None,
) -> list[RunResult]:
    """Run the loop several times. Recorded calls of the journal are not made again.

    Raises JournalError if the journal was made with other settings.
    """
    settings = {"model": model, "domain": domain.name, "seed": seed, "budget": asdict(budget)}
    started = journal.find("start", 0)
    if started is not None and started.get("settings") != settings:
        raise JournalError(f"{journal.path}: made with {started.get('settings')}, not with {settings}")
    journal.add("start", 0, settings=settings, runs=runs)
    results = []
    for number in range(1, runs + 1):
        run = Run(number, domain, complete, journal, backend=backend, seed=seed, budget=budget)
        results.append(run.go())
        on_result(results[-1])
    return results


def replay(path: Path, *, backend: Backend) -> tuple[list[RunResult], list[str]]:
    """Run a recorded loop again without a model; return its results and a line for every verdict that differs.

    Raises JournalError if the journal is incomplete or this version asks other questions.
    """
    from agent.autotos.domains import DOMAINS

    recorded = Journal(path)
    start = recorded.find("start", 0)
    if start is None:
        raise JournalError(f"{path}: expected a journal of `gridwright autotos`; it has no start")
    settings = start["settings"]
    fresh = Journal()
    fresh.recall(event for event in recorded.events if event["event"] == "call")
    ended = {event["run"] for event in recorded.events if event["event"] == "end"}

    def refuse(_: Sequence[Message]) -> ModelReply:
        raise JournalError(f"{path}: the record ends before the run does; resume it with --log")

    results = []
    for number in sorted(ended):
        run = Run(
            number,
            DOMAINS[settings["domain"]],
            refuse,
            fresh,
            backend=backend,
            seed=settings["seed"],
            budget=LoopBudget(**settings["budget"]),
        )
        results.append(run.go())
    changed = []
    for event in fresh.events:
        if event["event"] == "verdict":
            before = recorded.find("verdict", event["run"], event["number"])
            changed += [
                f"run {event['run']}, call {event['number']}: {name} differs"
                for name in ("verdict", "faults", "counter_example")
                if before is None or before.get(name) != event[name]
            ]
    return results, changed
