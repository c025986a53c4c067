"""Compare one answer of a function with that of the trusted function: contract first, then in both directions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from agent.autotos import forms
from agent.autotos.cases import Case, successor_case
from agent.autotos.domain import Domain, Key, Role, State, show
from agent.autotos.sandbox.wire import same, to_text
from agent.text import counted

COLLECTIONS = ("str", "dict", "bytes")
"""Types of a result that can be iterated, but not over states."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault seen in one call: its kind, a clause that describes it, and the successors in question."""

    kind: str
    note: str
    offending: tuple[State, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of one call: the worker's answer, or its failure, and whether the arguments came back changed."""

    answer: dict[str, Any]
    failure: str = ""
    detail: str = ""
    mutated: bool = False

    @property
    def signature(self) -> Any:
        """The part of an answer that must be the same in every run; the order of successors is not part of it."""
        if self.failure or "error" in self.answer:
            return self.failure or self.answer["error"]
        value = self.answer["value"]
        return sorted(map(to_text, value)) if isinstance(value, list) else value


def breach_of(domain: Domain, case: Case, child: Any) -> tuple[State, str]:
    """Return a returned successor in the plain form, and the clause of the contract that it breaks, "" if none."""
    try:
        plain = forms.conform(child, domain.form)
    except forms.Misfit as misfit:
        return child, str(misfit)
    return plain, domain.breach(plain, case.state, *domain.arguments("successor", case.instance))


def examine(domain: Domain, role: Role, case: Case, reply: Reply) -> list[Finding]:
    """Return all faults of one answer."""
    if reply.failure:
        return [Finding(reply.failure, reply.detail)]
    answer = reply.answer
    if "error" in answer:
        kind = {"MemoryError": "memory", "TooMany": "too-many", "Unfit": "wrong-type"}.get(answer["error"], "exception")
        if kind == "exception":
            what = f": {answer['message']}" if answer["message"] else ""
            where = f" in line {answer['line']}" if answer.get("line") else ""
            return [Finding(kind, f"{answer['error']}{what}{where}")]
        if kind == "memory":
            return [Finding(kind, "the memory ran out")]
        return [Finding(kind, f"the result {answer['message']}" if kind == "wrong-type" else answer["message"])]
    if not {"value", "type"} <= answer.keys():
        return [Finding("protocol", "an answer without the agreed fields")]
    found = [Finding("mutated-input", "the call changed the arguments it was given")] if reply.mutated else []
    check = _examine_successors if role == "successor" else _examine_goal
    return found + check(domain, case, answer)


def _examine_goal(domain: Domain, case: Case, answer: dict[str, Any]) -> list[Finding]:
    value = answer["value"]
    if type(value) is not bool:
        return [Finding("wrong-type", f"the result is {forms.describe(value)}, not True or False")]
    if value == case.expected:
        return []
    if value:
        why = domain.why(case.state, *domain.arguments("goal", case.instance))
        because = f": {why}" if why else ""
        return [Finding("false-positive", f"True was returned for a state that is not a goal{because}")]
    return [Finding("false-negative", "False was returned for a goal")]


def _examine_successors(domain: Domain, case: Case, answer: dict[str, Any]) -> list[Finding]:
    value = answer["value"]
    if not isinstance(value, list):
        return [Finding("protocol", "an answer without the agreed fields")]
    whole, breach = breach_of(domain, case, value)
    if value and not breach:
        return [Finding("wrong-type", "a single state was returned, not a list of states", (whole,))]
    found: list[Finding] = []
    if answer["type"] in COLLECTIONS:
        found.append(Finding("wrong-type", f"the result is a {answer['type']}, not an iterable of states"))
    children: list[tuple[Key, State]] = []
    for place, child in enumerate(value):
        plain, breach = breach_of(domain, case, child)
        if not breach:
            children.append((domain.key(plain), plain))
        elif not any(finding.kind == "wrong-type" for finding in found):
            found.append(Finding("wrong-type", f"item {place} of the result {breach}"))
    given = dict(children)
    expected: dict[Key, State] = case.expected
    own = domain.key(case.state)
    arguments = domain.arguments("successor", case.instance)
    wrong: dict[str, tuple[str, list[State]]] = {}
    for key in sorted(given.keys() - expected.keys() - {own}, key=show):
        kind, note = domain.fault(case.state, given[key], *arguments)
        wrong.setdefault(kind, (note, []))[1].append(given[key])
    found += [Finding(kind, note, tuple(these)) for kind, (note, these) in wrong.items()]
    lost = [child for key, child in expected.items() if key not in given]
    if lost:
        found.append(
            Finding(
                "missing",
                f"{len(lost)} of {counted(len(expected), 'successor')} {'is' if len(lost) == 1 else 'are'} missing",
                tuple(lost),
            )
        )
    if own in given and own not in expected:
        found.append(Finding("parent", "the state itself is among the successors", (case.state,)))
    repeated = [given[key] for key, times in Counter(key for key, _ in children).items() if times > 1 and key != own]
    if repeated:
        detail = f"{counted(len(children), 'successor')}, {len(given)} different"
        found.append(Finding("duplicate", detail, tuple(repeated[:3])))
    if answer.get("shared"):
        found.append(Finding("shared-parts", "a successor holds the same objects as another state"))
    return found


def twin(domain: Domain, case: Case, reply: Reply) -> tuple[Case, Any] | None:
    """Return a right successor that came in another form than the plain one, as a case, and that form; else None.

    A function may return tuples for lists, if its contract says a sequence, and frozensets for sets: it must then
    understand them when they come back.
    """
    value = reply.answer.get("value")
    for child in value if isinstance(value, list) else ():
        plain, breach = breach_of(domain, case, child)
        if not breach and not same(plain, child) and domain.key(plain) in case.expected:
            return successor_case(domain, case.instance, plain), child
    return None
