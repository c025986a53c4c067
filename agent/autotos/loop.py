"""The loop: ask a model for a successor function and a goal function, judge each, report the faults, repeat.

For each role: prompt, reply, verdict; if it is not accepted, one paragraph of feedback (feedback.py) and a new attempt.
A loop that makes no progress is noticed: after a repeated answer or a repeated fault the model is shown another
counter-example; then the chat is dropped, and a new one begins with all faults found so far. Budgets limit attempts,
calls and restarts.

The flow of one run: `Run.write` for each role -> `judge` -> feedback, or accepted; then `improve`; all of it through
the journal, so that a run can be replayed without a model and resumed after a kill.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any

from agent.autotos.cases import held_out
from agent.autotos.domain import ROLES, Domain, Instance, Role
from agent.autotos.domains import load
from agent.autotos.faults import Fault, Verdict
from agent.autotos.journal import Journal, digest, verdict_from
from agent.autotos.judge import judge
from agent.autotos.results import Attempt, RunResult
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.search import SearchLimits, run_pair, run_trusted, totals
from agent.autotos.submissions import extract
from agent.errors import JournalError, ModelError
from agent.llm.api import Message

PROMPTS = Path(__file__).parent / "prompts"
IMPROVE_LIMITS = SearchLimits(expansions=5_000)
"""Limits of the searches that count a correct function's expansions; without a solution it counts as 5,000."""
IMPROVE_INSTANCES = 3
CARRIED = 5
"""Faults that a new chat begins with, the latest ones."""
ENOUGH = 2.0
"""A function that expands no more than this many times the best-known figure is not asked to be faster."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's reply, and the tokens that it took (0 if unknown)."""

    text: str
    tokens: int = 0


Check = Callable[[Mapping[str, Any], Verdict], None]
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


@lru_cache(maxsize=32)
def prompt(name: str) -> Template:
    """Return a prompt as a template."""
    return Template((PROMPTS / f"{name}.md").read_text(encoding="utf-8").strip())


def task(domain: Domain, role: Role) -> str:
    """Return the opening question for a role: the contract, and what holds for every domain."""
    return prompt(role).substitute(task=domain.task(role))


def normal(source: str) -> str:
    """Return a source without comments and redundant white space, for comparing two.

    >>> normal("x  = 1  # one") == normal("x = 1")
    True
    """
    return re.sub(r"\s+", " ", re.sub(r"#.*", "", source)).strip()


class SpentError(Exception):
    """The calls of a run are used up."""


class Run:
    """One run of the loop over a journal.

    All that a question depends on is in the journal: replies, verdicts, counter-examples and counts. What is recorded
    there is not asked, judged or searched again, unless `check` is given: it takes each recorded verdict and a new one.
    """

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
        check: Check | None = None,
    ) -> None:
        self.domain, self.complete, self.journal = domain, complete, journal
        self.backend, self.seed, self.budget, self.check = backend, seed, budget, check
        self.result = RunResult(number)
        self._judged: dict[tuple[Role, str | None], Verdict] = {}

    def go(self) -> RunResult:
        """Write both functions, then try to make the successor function faster."""
        try:
            for role in ROLES:
                self.write(role)
                if not self.result.taken[role].verdict.is_accepted:
                    self.result.ended = f"the {role} function was given up"
                    break
            else:
                self.improve()
                self.result.ended = "accepted"
        except SpentError as error:
            self.result.ended = str(error)
        except ModelError as error:  # no end is recorded: a resumed loop goes on from here
            self.result.ended = str(error)
            return self.result
        self.journal.add("end", self.result.run, **{k: v for k, v in self.result.to_json().items() if k != "run"})
        return self.result

    def ask(self, messages: Sequence[Message]) -> str:
        """Return the model's answer, or its recorded one. Raises SpentError, ModelError."""
        if self.result.calls >= self.budget.calls:
            raise SpentError(f"{self.budget.calls} calls were made, which is the limit")
        number = self.result.calls + 1
        recorded = self.journal.find("call", self.result.run, number)
        if recorded is None:
            started = time.monotonic()
            reply = self.complete(messages)
            recorded = self.journal.add(
                "call",
                self.result.run,
                number,
                prompt=digest(messages),
                question=messages[-1]["content"],
                reply=reply.text,
                tokens=reply.tokens,
                seconds=round(time.monotonic() - started, 3),
            )
        elif recorded.get("prompt") != digest(messages):
            raise JournalError(
                f"call {number} of run {self.result.run} was another question; "
                "the journal was changed, or belongs to another version"
            )
        self.result.calls = number  # not before: a question without an answer is no call, and is asked again
        self.result.tokens += int(recorded["tokens"])
        return str(recorded["reply"])

    def attempt(self, role: Role, messages: Sequence[Message]) -> tuple[str, Attempt]:
        """Return the model's reply, and the function in it with the verdict, recorded or new."""
        reply = self.ask(messages)
        source = extract(reply)
        number = self.result.calls
        recorded = self.journal.find("verdict", self.result.run, number)
        if recorded is None or self.check is not None:
            if (role, source) not in self._judged:  # a verdict can be repeated: the same source would get the same
                self._judged[role, source] = judge(source, role, self.domain, backend=self.backend, seed=self.seed)
            verdict = self._judged[role, source]
            if recorded is None:
                self.journal.add("verdict", self.result.run, number, source=source, **verdict.to_json())
            elif self.check is not None:
                self.check(recorded, verdict)
        if recorded is not None:
            verdict = verdict_from(recorded)
        self.result.attempts.append(Attempt(role, number, source, verdict))
        return reply, self.result.attempts[-1]

    def write(self, role: Role) -> None:
        """Have the model write the function of a role until it is accepted or the budget is spent."""
        opening: list[Message] = [
            {"role": "system", "content": prompt("system").template},
            {"role": "user", "content": task(self.domain, role)},
        ]
        messages = list(opening)
        learnt: dict[tuple[str, str], Fault] = {}
        sources: set[str] = set()
        stalls = restarts = 0
        for _ in range(self.budget.attempts):
            reply, attempt = self.attempt(role, messages)
            self.result.taken[role] = attempt
            if attempt.verdict.is_accepted:
                return
            fault = choose(attempt.verdict, learnt)
            is_same, is_known = normal(attempt.source) in sources, (fault.kind, fault.note) in learnt
            sources.add(normal(attempt.source))
            learnt[fault.kind, fault.note] = fault
            stalls = stalls + 1 if is_same or is_known else 0
            if stalls >= 2 and restarts < self.budget.restarts:
                restarts += 1
                self.result.restarts += 1
                messages, stalls, sources = [*opening[:1], reopened(opening[1], list(learnt.values()))], 0, set()
                continue
            feedback = self.another_example(role, attempt, stalls) if stalls else ""
            frame = prompt("stuck" if is_same else "persists" if is_known else "revise")
            messages += [
                {"role": "assistant", "content": reply},
                {"role": "user", "content": frame.substitute(feedback=feedback or fault.feedback)},
            ]

    def another_example(self, role: Role, attempt: Attempt, stalls: int) -> str:
        """Judge on other states, and return the feedback with another counter-example, or "" if there is none.

        The states are those of the number of stalls in a row, mostly one: made once, they serve all stalls of all runs.
        """

        def make() -> dict[str, Any]:
            verdict = judge(attempt.source, role, self.domain, backend=self.backend, seed=self.seed + stalls)
            return {"feedback": verdict.feedback}

        return str(self.journal.once("example", self.result.run, attempt.call, make)["feedback"])

    def expansions(self, instances: Sequence[Instance], pair: Mapping[Role, str]) -> tuple[bool, int]:
        """Return whether a pair solves all instances, and the expansions, recorded or new."""

        def make() -> dict[str, Any]:
            run = totals([run_pair(self.domain, one, pair, self.backend, "dfs", IMPROVE_LIMITS) for one in instances])
            return {"solved": run.solved, "expansions": run.expansions}

        found = self.journal.once("search", self.result.run, self.result.calls, make)
        return bool(found["solved"]), int(found["expansions"])

    def improve(self) -> None:
        """Ask for fewer expansions, and take the answer only if it is accepted and does need fewer."""
        if self.budget.improve == 0 or self.domain.enough is None:
            return
        instances = held_out(self.domain, IMPROVE_INSTANCES)
        solved, best = self.expansions(instances, self.result.pair())
        reference = reference_expansions(self.domain, instances)
        for _ in range(self.budget.improve):
            if solved and best <= ENOUGH * reference:
                return
            messages = [
                {"role": "system", "content": prompt("system").template},
                {"role": "user", "content": task(self.domain, "successor")},
                {"role": "assistant", "content": f"```python\n{self.result.taken['successor'].source}```"},
                {"role": "user", "content": prompt("faster").substitute(expansions=best, reference=reference)},
            ]
            try:
                _, attempt = self.attempt("successor", messages)
            except (SpentError, ModelError):
                return
            if not attempt.verdict.is_accepted:
                continue
            also_solved, fewer = self.expansions(instances, {**self.result.pair(), "successor": attempt.source})
            if (also_solved, -fewer) > (solved, -best):
                solved, best = also_solved, fewer
                self.result.taken["successor"] = attempt
                self.result.improved = True


def choose(verdict: Verdict, learnt: Mapping[tuple[str, str], Fault]) -> Fault:
    """Return the heaviest fault that was not reported yet, else the heaviest."""
    fresh = [fault for fault in verdict.faults if (fault.kind, fault.note) not in learnt]
    return (fresh or list(verdict.faults))[0]


def reopened(opening: Message, learnt: Sequence[Fault]) -> Message:
    """Return the opening question of a new chat, with the faults of the earlier attempts: it differs from the first."""
    faults = "\n".join(f"- {fault.feedback}" for fault in learnt[-CARRIED:])
    return {"role": "user", "content": f"{opening['content']}\n\n{prompt('reopen').substitute(faults=faults)}"}


def reference_expansions(domain: Domain, instances: Sequence[Instance]) -> int:
    """Return the expansions of depth-first searches with the trusted successors that are enough."""
    return totals([run_trusted(domain, one, "dfs", IMPROVE_LIMITS, domain.enough) for one in instances]).expansions


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
        try:
            results.append(run.go())
        except JournalError as error:
            raise JournalError(f"{journal.path}: {error}") from None
        on_result(results[-1])
    return results


def replay(path: Path, *, backend: Backend) -> tuple[list[RunResult], list[str]]:
    """Run a recorded loop again without a model: ask every recorded question and judge every function once more.

    Returns the results and a line for every verdict that differs; the run goes on from the recorded one. Raises
    JournalError if the journal is incomplete or this version asks other questions.
    """
    recorded = Journal(path, must_exist=True)
    settings = recorded.settings
    changed: list[str] = []

    def check(event: Mapping[str, Any], verdict: Verdict) -> None:
        now = json.loads(json.dumps(verdict.to_json()))
        names = [name for name in now if name not in ("seconds", "backend") and event.get(name) != now[name]]
        changed.extend(f"run {event['run']}, call {event['number']}: {name} differs" for name in names)

    def refuse(_: Sequence[Message]) -> ModelReply:
        raise JournalError("the record ends before the run does; resume it with --log")

    results = []
    for number in sorted(event["run"] for event in recorded.events if event["event"] == "end"):
        run = Run(
            number,
            load(settings["domain"]),
            refuse,
            recorded.copy(),
            backend=backend,
            seed=settings["seed"],
            budget=LoopBudget(**settings["budget"]),
            check=check,
        )
        try:
            results.append(run.go())
        except JournalError as error:
            raise JournalError("; ".join([f"{path}: {error}", *changed])) from None
    return results, changed
