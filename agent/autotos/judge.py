"""Judge one function: run it in the sandbox on many states and compare it with the trusted one, in both directions.

The flow, on one page: load, call every case, examine each answer, ask a fresh worker the same in another order, make
the smallest counter-example of each kind of fault smaller still, confirm it in a fresh worker. A function whose only
fault is that successors are missing is walked from the start of small instances: if every goal is still reached, it is
*goal-preserving*: it prunes, but loses no goal.

Same source and same seed give the same verdict and the same counter-example; only seconds differ.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agent.autotos.cases import Case, cases
from agent.autotos.compare import Finding, Reply, examine, grids, is_tuples
from agent.autotos.domain import Domain, Instance, Role, thaw
from agent.autotos.exhaust import loses_a_goal
from agent.autotos.faults import KINDS, ORDER, CounterExample, Fault, Verdict, name_verdict
from agent.autotos.feedback import paragraph
from agent.autotos.sandbox import Limits
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.session import LoadError, Session
from agent.autotos.shrink import shrink
from agent.autotos.submissions import Submission

LONGEST = 20
"""Successors kept in a counter-example; minimal ones have few."""
MAX_FAILURES = 2
"""Workers that may be lost (endless loops, crashes) before the judging of further states is given up."""
FAULTY_SECONDS = 1.5
"""Processor time after which a function that has shown a fault is not called on further states."""
STRIDE = 7
"""States are taken in steps of seven from their order by size, so that both small and full ones come early."""
REPLAY_EVERY = 3
"""Every third state is judged again in a fresh worker, last first, and each state that showed a fault."""
JUDGE_SECONDS = 4.0
"""Processor time for the calls of one function; without a fault by then it is too slow: 300 calls of 13 ms."""
SHRINK_SECONDS = 0.7
"""Processor time for making counter-examples smaller; only functions that take 10 ms a call or more get near it."""


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

    :meth:`Domain.function_for` chooses the function; a source without one for the role is not accepted ("no-function").
    Nothing is executed in this process. Raises SandboxRefusedError if the sandbox cannot be made safe.
    """
    started = time.monotonic()
    limits = limits or Limits()
    judged = cases(domain, role, seed, extra)  # made once a process: before the session counts the effort of judging
    try:
        with Session(source, role, domain, backend, limits) as session:
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

    def verdict(self) -> Verdict:
        self.ask_all(self.judged)
        if self.session.failures == 0 and not self.session.is_clean():
            self.note(self.judged[-1], Finding("protocol", "answers were sent that were not asked for"), Reply({}))
        self.replay(self.judged)
        preserves = False
        if {kind for kind in self.seen if KINDS[kind][0] != "remark"} == {"missing"}:
            loss = loses_a_goal(self.domain, self.session, self.seed)
            preserves = not loss
            if loss:
                first = self.seen["missing"]
                first.finding = replace(first.finding, note=f"{first.finding.note}, and {loss}")
        faults = self.faults()
        decisive = tuple(fault for fault in faults if fault.weight != "remark")
        return Verdict(
            self.role,
            self.session.function,
            name_verdict(decisive, preserves_goals=preserves),
            decisive,
            tuple(fault for fault in faults if fault.weight == "remark"),
            cases=len(self.replies),
            seed=self.seed,
        )

    @property
    def is_faulty(self) -> bool:
        """Whether faults other than remarks were found so far."""
        return any(KINDS[kind][0] != "remark" for kind in self.seen)

    def note(self, case: Case, finding: Finding, reply: Reply) -> None:
        """Count a finding, and keep the one of its kind that was seen in the smallest case."""
        seen = self.seen.setdefault(finding.kind, _Seen(finding.kind, case, finding, reply))
        seen.count += 1
        if case.size < seen.case.size:
            seen.case, seen.finding, seen.reply = case, finding, reply

    def ask_all(self, judged: tuple[Case, ...]) -> None:
        for place in [place for first in range(STRIDE) for place in range(first, len(judged), STRIDE)]:
            case = judged[place]
            reply = self.replies[place] = self.session.call(case)
            for finding in examine(self.domain, self.role, case, reply):
                self.note(case, finding, reply)
            if self.session.failures >= MAX_FAILURES:
                break
            if self.is_faulty and self.session.effort > FAULTY_SECONDS:
                break  # the states that are left would only show the same faults again
            if self.session.effort > JUDGE_SECONDS:
                took = f"{len(self.replies)} calls took more than {JUDGE_SECONDS:.0f} s together"
                self.note(case, Finding("timeout", took), Reply({}, "timeout", took))
                break

    def replay(self, judged: tuple[Case, ...]) -> None:
        """Repeat calls in a fresh worker, in another order and with other hashes; pass returned tuples back in."""
        first = {id(seen.case) for seen in self.seen.values()}
        places = [place for place in sorted(self.replies) if place % REPLAY_EVERY == 0 or id(judged[place]) in first]
        failed = 0
        patience = FAULTY_SECONDS / 2 if self.is_faulty else JUDGE_SECONDS / 2
        with Session(
            self.session.source,
            self.role,
            self.domain,
            self.session.backend,
            self.session.limits,
            hash_seed=1,
        ) as fresh:
            for place in reversed(places):
                before = self.replies[place]
                if before.failure:
                    failed += 1
                    if failed > 1:
                        continue  # one endless loop is confirmed, the others are believed
                after = fresh.call(judged[place])
                if before.signature != after.signature:
                    self.note(judged[place], Finding("nondeterministic", _difference(before, after)), after)
                elif before.answer.get("value") != after.answer.get("value"):
                    self.note(judged[place], Finding("order", "the same successors came in another order"), after)
                value = before.answer.get("value")
                if isinstance(value, list) and any(map(is_tuples, value)):
                    self.feed_back(fresh, judged[place], before)
                if fresh.failures >= MAX_FAILURES or fresh.effort > patience:
                    break

    def feed_back(self, fresh: Session, case: Case, before: Reply) -> None:
        """Check that a function which returns tuples also accepts them."""
        if fresh.call(case, case.state).signature != before.signature:
            note = "grids of tuples are returned, but a state of tuples is not understood when it comes back"
            self.note(case, Finding("wrong-type", note), before)

    def faults(self) -> tuple[Fault, ...]:
        """Return a fault of each kind seen, heaviest first, the decisive ones with the smallest example found."""
        deadline = self.session.effort + SHRINK_SECONDS
        made = []
        for seen in sorted(self.seen.values(), key=lambda seen: ORDER[seen.kind]):
            if self.session.failures == 0 and KINDS[seen.kind][0] != "remark" and seen.kind != "nondeterministic":
                self.make_smaller(seen, deadline)
            example = self.example(seen)
            text = paragraph(self.domain, self.role, self.session.function, seen.kind, seen.finding.note, example)
            made.append(Fault(seen.kind, seen.count, seen.finding.note, example, text))
        return tuple(made)

    def make_smaller(self, seen: _Seen, deadline: float) -> None:
        def still_fails(case: Case) -> bool:
            if self.session.effort > deadline or self.session.failures:
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
            expected = grids(sorted(expected, key=repr), LONGEST)
            came = came[:LONGEST] if isinstance(came, list) else came
        arguments = dict(zip(self.domain.parameters, case.instance.arguments, strict=True))
        return CounterExample(
            {"state": thaw(case.state), **arguments}, came, expected, tuple(grids(seen.finding.offending, LONGEST))
        )


def same_fault(finding: Finding, seen: _Seen) -> bool:
    """Return whether a finding is the fault that was seen: the same kind, and for exceptions the same class."""
    if finding.kind != seen.kind:
        return False
    return finding.kind != "exception" or finding.note.split(":")[0] == seen.finding.note.split(":")[0]


def _difference(before: Reply, after: Reply) -> str:
    def say(reply: Reply) -> str:
        if reply.failure or "error" in reply.answer:
            return str(reply.signature)
        value = reply.answer["value"]
        return f"{len(value)} successors" if isinstance(value, list) else str(value)

    first, second = say(before), say(after)
    if first == second:
        return f"asked again in a fresh process, it returned other grids ({first} both times)"
    return f"asked again in a fresh process, it returned {second} instead of {first}"
