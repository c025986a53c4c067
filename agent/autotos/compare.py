"""Compare one answer of a function with that of the trusted function: contract first, then in both directions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from agent.autotos.cases import Case
from agent.autotos.domain import Domain, Role, State, freeze, thaw
from agent.autotos.sandbox.wire import to_text


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


def describe(value: Any) -> str:
    """Return the type of a value in a Python programmer's words.

    >>> describe(None), describe([1]), describe("ab")
    ('None', 'a list', "the string 'ab'")
    """
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the string {value[:20]!r}"
    if isinstance(value, (bool, int, float)):
        return f"{type(value).__name__} {value!r}"
    return f"a {type(value).__name__}"


def contract_breach(grid: Any, state: State) -> str | None:
    """Return the clause of the contract that a grid breaks, None if it keeps them: rows, cells in a row, each cell.

    >>> contract_breach([["a", "bc"]], (("a", None),))
    "the cell in row 0, column 1 is the string 'bc', not None or a one-character string"
    """
    height, width = len(state), len(state[0])
    if type(grid) is list and len(grid) == height and all(type(row) is list and len(row) == width for row in grid):
        cells = [cell for row in grid for cell in row if cell is not None]
        if all(type(cell) is str and len(cell) == 1 for cell in cells):
            return None  # the usual case, fast
    if not isinstance(grid, list):
        return f"is {describe(grid)}, not a grid (a list of {height} rows)"
    if len(grid) != height:
        return f"has {len(grid)} rows, not {height}"
    for r, row in enumerate(grid):
        if not isinstance(row, list):
            return f"has {describe(row)} as row {r}, not a list of {width} cells"
        if len(row) != width:
            return f"has {len(row)} cells in row {r}, not {width}"
        for c, cell in enumerate(row):
            if cell is not None and (not isinstance(cell, str) or len(cell) != 1):
                return f"the cell in row {r}, column {c} is {describe(cell)}, not None or a one-character string"
    return None


def is_tuples(grid: Any) -> bool:
    """Return whether a grid has tuples for lists, which is as good if the function takes them back.

    >>> is_tuples([("a",)]), is_tuples([["a"]])
    (True, False)
    """
    rows = isinstance(grid, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in grid)
    return rows and (isinstance(grid, tuple) or any(isinstance(row, tuple) for row in grid))


def examine(domain: Domain, role: Role, case: Case, reply: Reply) -> list[Finding]:
    """Return all faults of one answer."""
    if reply.failure:
        return [Finding(reply.failure, reply.detail)]
    answer = reply.answer
    if "error" in answer:
        kind = {"MemoryError": "memory", "TooMany": "too-many", "Unfit": "wrong-type"}.get(answer["error"], "exception")
        if kind == "exception":
            where = f" in line {answer['line']}" if answer.get("line") else ""
            return [Finding(kind, f"{answer['error']}: {answer['message']}{where}".replace(": in line", " in line"))]
        return [Finding(kind, f"the result {answer['message']}" if kind == "wrong-type" else answer["message"])]
    if not {"value", "type"} <= answer.keys():
        return [Finding("protocol", "an answer without the agreed fields")]
    found = [Finding("mutated-input", "the call changed the arguments it was given")] if reply.mutated else []
    check = _examine_successors if role == "successor" else _examine_goal
    return found + check(domain, case, answer)


def _examine_goal(_domain: Domain, case: Case, answer: dict[str, Any]) -> list[Finding]:
    value = answer["value"]
    if type(value) is not bool:
        return [Finding("wrong-type", f"the result is {describe(value)}, not True or False")]
    if value == case.expected:
        return []
    if value:
        return [Finding("false-positive", "True was returned for a state that is no goal")]
    return [Finding("false-negative", "False was returned for a goal")]


def _examine_successors(domain: Domain, case: Case, answer: dict[str, Any]) -> list[Finding]:
    value = answer["value"]
    if not isinstance(value, list):
        return [Finding("protocol", "an answer without the agreed fields")]
    value = [thaw(grid) if is_tuples(grid) else grid for grid in value]
    found: list[Finding] = []
    if value and contract_breach(value, case.state) is None:
        return [Finding("wrong-type", "a single grid was returned, not a list of grids", (freeze(value),))]
    if answer["type"] in ("str", "dict", "bytes"):
        found.append(Finding("wrong-type", f"the result is a {answer['type']}, not an iterable of grids"))
    children: list[State] = []
    for place, grid in enumerate(value):
        breach = contract_breach(grid, case.state)
        if breach is None:
            children.append(freeze(grid))
        elif not any(finding.kind == "wrong-type" for finding in found):
            subject = "" if breach.startswith("the cell") else " it"
            found.append(Finding("wrong-type", f"of item {place} of the result,{subject} {breach}"))
    given = set(children)
    expected: set[State] = case.expected
    wrong: dict[str, tuple[str, list[State]]] = {}
    for child in sorted(given - expected - {case.state}, key=repr):
        kind, note = domain.fault(case.state, child, case.instance.arguments)
        wrong.setdefault(kind, (note, []))[1].append(child)
    found += [Finding(kind, note, tuple(these)) for kind, (note, these) in wrong.items()]
    lost = sorted(expected - given, key=repr)
    if lost:
        found.append(Finding("missing", f"{len(lost)} of {len(expected)} successors are missing", tuple(lost)))
    if case.state in given:
        found.append(Finding("parent", "the state itself is among the successors", (case.state,)))
    repeated = [child for child, times in Counter(children).items() if times > 1 and child != case.state]
    if repeated:
        found.append(Finding("duplicate", f"{len(children)} successors, {len(given)} different", tuple(repeated[:3])))
    if answer.get("shared"):
        found.append(Finding("shared-rows", "rows of a successor are the same objects as rows of another grid"))
    return found


def grids(states: Any, limit: int) -> list[Any]:
    """Return at most `limit` states as lists for JSON.

    >>> grids([(("a",),)], 5)
    [[['a']]]
    """
    return [thaw(state) for state in list(states)[:limit]]
