"""Judge one function: run it in the sandbox on many states and compare it with the trusted one, in both directions.

The flow, on one page: load, call every case, examine each answer, ask a fresh worker the same in another order, make
the smallest counter-example of each kind of fault smaller still, confirm it in a fresh worker. A function whose only
fault is that successors are missing is walked from the start of small instances: if every goal is still reached, it is
*goal-preserving*: it prunes, but loses no goal.

Same source and same seed give the same verdict and the same details, however fast or busy the machine: effort is
counted in steps (worker.py), never in seconds.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

from agent.autotos.cases import Case, cases, goal_case
from agent.autotos.compare import Finding, Reply, breach_of, examine, twin
from agent.autotos.domain import Domain, Instance, Role, show
from agent.autotos.exhaust import WALKED, Astray, walk
from agent.autotos.faults import CounterExample, Fault, Verdict, name_verdict, rank, weight
from agent.autotos.feedback import paragraph
from agent.autotos.forms import describe
from agent.autotos.sandbox import Limits
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.session import AHEAD, Call, LoadError, Session
from agent.autotos.shrink import shrink
from agent.autotos.submissions import Submission
from agent.text import counted

LONGEST = 20
"""Successors kept in a counter-example; minimal ones have few."""
MAX_FAILURES = 2
"""Calls that may crash or fill the memory before the rest is given up: their cost does not show in steps."""
AGAIN = "asked again in a fresh process"
LASTING = ("nondeterministic", "reused", "timeout", "memory")
"""Kinds of fault that a single call does not show, or shows too slowly to look for a smaller example."""
STRIDE = 7
"""States are taken in steps of seven from their order by size, so that both small and full ones come early."""
REPLAY_EVERY = 3
"""Every third state is judged again in a fresh worker, last first, and each state that showed a fault."""
CALLS = 1_000
"""Calls in one worker, if that many are affordable: states are asked again, in case a function wears out."""
PACED = 8
"""States, from the smallest to the largest, whose steps tell the pace of a function: the mean steps of a call."""
JUDGE_STEPS = 100_000_000
"""Steps (see worker.py) affordable for judging a function; one that needs more is too slow. They take 2 to 10 s."""
FAULTY_STEPS = 4_000_000
"""Steps after a function has shown a fault: more states would mostly show the same."""
SHRINK_STEPS = 5_000_000
"""Steps for making one counter-example smaller."""


@dataclass(slots=True)
class _Seen:
    """All calls in which one kind of fault was seen, smallest first."""

    kind: str
    case: Case
    finding: Finding
    reply: Reply
    count: int = 0


def judge(
    source: str,
    role: Role,
    domain: Domain,
    *,
    backend: Backend,
    seed: int = 0,
    limits: Limits | None = None,
    extra: Sequence[Instance] = (),
) -> Verdict:
    """Return the verdict on the function in `source` that plays `role`; `extra` are further instances to judge on.

    The rule of roles.py chooses the function; a source without one for the role is not accepted ("no-function").
    Nothing is executed in this process. Raises SandboxRefusedError if the sandbox cannot be made safe.
    """
    started = time.monotonic()
    judged = cases(domain, role, seed, extra)
    try:
        with Session(source, role, domain, backend, limits or Limits()) as session:
            verdict = _Judging(domain, role, session, seed, judged).verdict()
    except LoadError as error:
        name = domain.functions[role]
        fault = Fault(error.kind, 1, str(error), None, paragraph(domain, role, name, error.kind, str(error), None))
        verdict = Verdict(role, name, error.kind, (fault,), seed=seed)
    return replace(verdict, backend=backend, seconds=time.monotonic() - started)


def judge_all(
    submissions: Iterable[Submission],
    domain: Domain,
    *,
    backend: Backend,
    seed: int = 0,
    extra: Sequence[Instance] = (),
) -> Iterator[tuple[Submission, Verdict]]:
    """Judge submissions one after the other; a source that was judged before is not run again."""
    known: dict[tuple[Role, str], Verdict] = {}
    for submission in submissions:
        key = (submission.role, submission.source)
        if key not in known:
            known[key] = judge(submission.source, submission.role, domain, backend=backend, seed=seed, extra=extra)
        yield submission, known[key]


class _Judging:
    """One judgement under way."""

    def __init__(self, domain: Domain, role: Role, session: Session, seed: int, judged: tuple[Case, ...]) -> None:
        self.domain, self.role, self.session, self.seed, self.judged = domain, role, session, seed, judged
        self.seen: dict[str, _Seen] = {}
        self.replies: dict[int, Reply] = {}
        self.pace = 1
        self.kept: list[int] = []

    def verdict(self) -> Verdict:
        if self.keeps_pace():
            self.ask_all(self.judged)
            self.ask_again()
            self.ask_rounded()
        if self.session.failures == 0 and not self.session.is_clean():
            self.note(self.judged[-1], Finding("protocol", "answers were sent that were not asked for"), Reply({}))
        self.replay(self.judged)
        proof = self.walk() if {kind for kind in self.seen if weight(kind) != "remark"} == {"missing"} else ""
        faults = self.faults()
        decisive = tuple(fault for fault in faults if fault.weight != "remark")
        return Verdict(
            self.role,
            self.session.function,
            name_verdict(decisive, preserves_goals=bool(proof)),
            decisive,
            tuple(fault for fault in faults if fault.weight == "remark"),
            cases=len(self.replies),
            seed=self.seed,
            proof=proof,
        )

    def walk(self) -> str:
        """Walk what a function that only leaves out successors can reach; return what shows that no goal is lost."""
        try:
            walked = walk(self.domain, self.session, self.seed, min(WALKED, JUDGE_STEPS // self.pace))
        except Astray as astray:
            self.note(astray.case, astray.finding, astray.reply)
            return ""
        if walked.loss:
            first = self.seen["missing"]
            first.finding = replace(first.finding, note=f"{first.finding.note}, and {walked.loss}")
        return walked.proof

    @property
    def is_faulty(self) -> bool:
        """Whether faults other than remarks were found so far."""
        return any(weight(kind) != "remark" for kind in self.seen)

    def note(self, case: Case, finding: Finding, reply: Reply) -> None:
        """Count a finding, and keep the one of its kind that was seen in the smallest case."""
        seen = self.seen.setdefault(finding.kind, _Seen(finding.kind, case, finding, reply))
        seen.count += 1
        if case.size < seen.case.size:
            seen.case, seen.finding, seen.reply = case, finding, reply

    def keeps_pace(self) -> bool:
        """Measure the pace, and return whether judging is affordable; if not, that is the only fault."""
        calls = len(self.judged) + len(self.judged) // REPLAY_EVERY
        left = affordable = PACED * JUDGE_STEPS // calls
        for place in range(0, len(self.judged), -(-len(self.judged) // PACED)):
            case = self.judged[place]
            reply = self.session.call(case, steps=left)
            if reply.failure == "timeout":
                took = f"calls take more than {JUDGE_STEPS // calls:,} steps on average"
                self.replies[place] = reply
                self.note(case, Finding("timeout", took), reply)
                return False
            if reply.failure == "protocol":  # a count that cannot be: later calls are not counted, so it is noted here
                self.note(case, Finding("protocol", reply.detail), reply)
            if is_heavy(reply):
                break
            left -= reply.answer.get("steps", 0)
        self.session.failures = 0
        self.pace = max(1, (affordable - left) // PACED)
        return True

    @property
    def affordable(self) -> int:
        """The number of further calls that are affordable after a fault."""
        return max(1, FAULTY_STEPS // self.pace)

    def ask_all(self, judged: tuple[Case, ...]) -> None:
        """Call the function on every state; after a fault only on as many more as are affordable."""
        waiting = deque(place for first in range(STRIDE) for place in range(first, len(judged), STRIDE))
        left, heavy = len(waiting), 0
        while left > 0:
            # no more at a time than are affordable if the first shows a fault: each call that is sent also counts
            places = [waiting.popleft() for _ in range(min(left, AHEAD, self.affordable))]
            calls = [Call(judged[place], keep=place if self.role == "successor" else None) for place in places]
            with closing(self.session.calls(calls)) as replies:
                for place, reply in zip(places, replies, strict=True):
                    self.replies[place] = reply
                    if "kept" in reply.answer:
                        self.kept.append(place)
                    for finding in examine(self.domain, self.role, judged[place], reply):
                        self.note(judged[place], finding, reply)
                    left = min(left - 1, self.affordable) if self.is_faulty else left - 1
                    heavy += is_heavy(reply)
                    if heavy >= MAX_FAILURES or reply.failure == "timeout":
                        return

    def ask_again(self) -> None:
        """Look at what was returned before, then ask the same again in the same worker: nothing may have changed."""
        if self.session.failures or any(map(is_heavy, self.replies.values())):
            return
        place = self.session.first_changed([(place, self.replies[place]) for place in self.kept])
        if place is not None:
            finding = Finding("reused", "a later call changed what was returned before")
            self.note(self.judged[place], finding, self.replies[place])
        spare = 0 if self.is_faulty else min(CALLS, JUDGE_STEPS // self.pace) - len(self.replies)
        places = list(islice(cycle(reversed(self.replies)), max(0, spare)))
        with closing(self.session.calls(Call(self.judged[place]) for place in places)) as replies:
            for place, after in zip(places, replies, strict=True):
                before = self.replies[place]
                if before.answer.get("wire") != after.answer.get("wire") and before.signature != after.signature:
                    note = _difference(before, after, "asked again later")
                    self.note(self.judged[place], Finding("nondeterministic", note), after)
                    break

    def ask_rounded(self) -> None:
        """Ask a goal test that has shown no fault for goals as arithmetic in floats gives them."""
        rounded = self.domain.rounded if self.role == "goal" and not self.is_faulty else ()
        for state in rounded:
            case = goal_case(self.domain, self.judged[0].instance, state)
            for finding in examine(self.domain, self.role, case, self.session.call(case)):
                if finding.kind == "false-negative":
                    self.note(
                        case, Finding("rounding", f"False was returned for {show(state)}"), Reply({"value": False})
                    )

    def replay(self, judged: tuple[Case, ...]) -> None:
        """Repeat calls in a fresh worker, in another order and with other hashes; pass returned tuples back in."""
        first = {id(seen.case) for seen in self.seen.values()}
        places = [place for place in sorted(self.replies) if place % REPLAY_EVERY == 0 or id(judged[place]) in first]
        places = [place for place in places if self.replies[place].failure != "timeout"]  # was repeated already
        if self.is_faulty:
            places = places[-self.affordable :]
        if not places:
            return
        asked: list[tuple[int, Call]] = []
        for place in reversed(places):
            asked.append((place, Call(judged[place])))
            found = twin(self.domain, judged[place], self.replies[place]) if self.role == "successor" else None
            if found is not None:
                asked.append((place, Call(*found)))
        with (
            Session(
                self.session.source,
                self.role,
                self.domain,
                self.session.backend,
                self.session.limits,
                hash_seed=1,
            ) as fresh,
            closing(fresh.calls(call for _, call in asked)) as replies,
        ):
            for (place, call), after in zip(asked, replies, strict=True):
                if call.state is None:
                    self.compare(judged[place], self.replies[place], after)
                else:
                    self.feed_back(judged[place], call, self.replies[place], after)
                if fresh.failures >= MAX_FAILURES:
                    break

    def compare(self, case: Case, before: Reply, after: Reply) -> None:
        """Note a difference between two replies to the same call."""
        if before.signature != after.signature:
            self.note(case, Finding("nondeterministic", _difference(before, after, AGAIN)), after)
        elif before.answer.get("value") != after.answer.get("value"):
            self.note(case, Finding("order", "the same successors came in another order"), after)

    def feed_back(self, case: Case, call: Call, before: Reply, after: Reply) -> None:
        """Check that a function which returns states in another form, such as tuples for lists, also accepts them."""
        faults = examine(self.domain, self.role, call.case, after)
        if any(weight(finding.kind) != "remark" for finding in faults):
            note = f"{describe(call.state)} is returned as a state, but not understood when it comes back"
            self.note(case, Finding("wrong-type", note, (call.state,)), before)

    def faults(self) -> tuple[Fault, ...]:
        """Return a fault of each kind seen, heaviest first, the decisive ones with the smallest example found."""
        made = []
        for seen in sorted(self.seen.values(), key=lambda seen: rank(seen.kind, list(self.domain.kinds))):
            if self.session.failures == 0 and weight(seen.kind) != "remark" and seen.kind not in LASTING:
                self.make_smaller(seen)
            example = self.example(seen)
            text = paragraph(self.domain, self.role, self.session.function, seen.kind, seen.finding.note, example)
            made.append(Fault(seen.kind, seen.count, seen.finding.note, example, text))
        return tuple(made)

    def make_smaller(self, seen: _Seen) -> None:
        tries = SHRINK_STEPS // self.pace

        def still_fails(case: Case) -> bool:
            nonlocal tries
            tries -= 1
            if tries < 0 or self.session.failures:
                return False
            reply = self.session.call(case)
            return any(same_fault(finding, seen) for finding in examine(self.domain, self.role, case, reply))

        case = shrink(self.domain, self.role, seen.case, still_fails)
        if case is seen.case or self.session.failures:
            return
        reply = self.session.call(case)
        # Only a function that answers the same question in two ways gets to the end of this loop.
        for finding in examine(self.domain, self.role, case, reply):  # pragma: no branch
            if same_fault(finding, seen):  # pragma: no branch
                suffix = seen.finding.note.partition(", and ")[2] if seen.kind == "missing" else ""
                note = f"{finding.note}, and {suffix}" if suffix else finding.note
                seen.case, seen.finding, seen.reply = case, replace(finding, note=note), reply
                return

    def example(self, seen: _Seen) -> CounterExample:
        case, answer = seen.case, seen.reply.answer
        came = answer.get("value", seen.reply.failure or answer.get("error"))
        expected = case.expected
        if self.role == "successor":
            expected = list(expected.values())[:LONGEST]
            came = came[:LONGEST] if isinstance(came, list) else came
        arguments = {name: case.instance.arguments[name] for name in self.domain.parameters[self.role]}
        offending = seen.finding.offending[:LONGEST]
        drawn = self.drawings(case, offending)
        return CounterExample({"state": case.state, **arguments}, came, expected, offending, drawn)

    def drawings(self, case: Case, offending: tuple[Any, ...]) -> dict[str, str]:
        """Return the domain's drawings of the state and of the first of the offending successors, by title."""
        if self.domain.draw is None:
            return {}
        arguments = case.instance.arguments
        drawn = {"the state": self.domain.draw(case.state, arguments)}
        if offending and not breach_of(self.domain, case, offending[0])[1]:
            drawn["the successor"] = self.domain.draw(offending[0], arguments)
        return drawn


def is_heavy(reply: Reply) -> bool:
    """Return whether a call took the worker with it, or all memory."""
    return bool(reply.failure) or reply.answer.get("error") == "MemoryError"


def same_fault(finding: Finding, seen: _Seen) -> bool:
    """Return whether a finding is the fault that was seen: the same kind, and for exceptions the same class."""
    if finding.kind != seen.kind:
        return False
    return finding.kind != "exception" or finding.note.split(":")[0] == seen.finding.note.split(":")[0]


def _difference(before: Reply, after: Reply, when: str) -> str:
    def say(reply: Reply) -> str:
        if reply.failure or "error" in reply.answer:
            return str(reply.signature)
        value = reply.answer["value"]
        return counted(len(value), "successor") if isinstance(value, list) else str(value)

    first, second = say(before), say(after)
    if first == second:
        return f"{when}, it returned other states ({first} both times)"
    return f"{when}, it returned {second} instead of {first}"
