"""The faults of functions and the verdicts of the judge: Fault, CounterExample, Verdict, and their drawing.

A *contract* fault makes a function unusable, an *unsound* one lets a search reach what it must not, an *incomplete*
one loses what it must reach. A remark does not affect the verdict: it tells of waste, or of what the contract leaves
open.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from agent.autotos.domain import Role, show
from agent.draw.grid import grid_svg, is_grid
from agent.draw.page import side_by_side

Weight = Literal["contract", "unsound", "incomplete", "remark"]

KINDS: dict[str, tuple[Weight, str]] = {
    "no-function": ("contract", "no function of the right kind is defined"),
    "syntax": ("contract", "the source is not valid Python"),
    "timeout": ("contract", "a call took too long"),
    "memory": ("contract", "a call used too much memory"),
    "died": ("contract", "the process that ran the function ended"),
    "output": ("contract", "far too much was printed"),
    "protocol": ("contract", "the function meddled with the channel to the judge, or its answer was far too big"),
    "too-many": ("contract", "the result does not end, or is far too long"),
    "wrong-type": ("contract", "the result has not the agreed form"),
    "exception": ("contract", "an exception was raised"),
    "mutated-input": ("contract", "the arguments were changed"),
    "reused": ("contract", "a later call changed what was returned before"),
    "nondeterministic": ("contract", "the same call gave another result"),
    "wrong-successor": ("unsound", "a state was returned that is not one step away"),
    "false-positive": ("unsound", "a state that is not a goal was accepted"),
    "missing": ("incomplete", "successors are missing"),
    "false-negative": ("incomplete", "a goal was not accepted"),
    "parent": ("remark", "the state itself was returned as its own successor"),
    "duplicate": ("remark", "the same successor was returned more than once"),
    "shared-parts": ("remark", "successors share objects with the input or with each other"),
    "order": ("remark", "the order of the successors changes from run to run"),
    "rounding": ("remark", "a goal was not accepted as arithmetic in floats gives it"),
}
"""Kind of fault -> its weight and meaning; the first kind found decides the verdict. Any other kind is a domain's own
name for a wrong successor, and as heavy."""

ORDER = {kind: place for place, kind in enumerate(KINDS)}
ACCEPTED = ("exact", "goal-preserving")
STATES_SHOWN = 4
"""States drawn of a counter-example's list."""


def weight(kind: str) -> Weight:
    """Return the weight of a kind of fault.

    >>> weight("missing"), weight("overwrite")
    ('incomplete', 'unsound')
    """
    return KINDS.get(kind, KINDS["wrong-successor"])[0]


def rank(kind: str, own: Sequence[str] = ()) -> tuple[int, int]:
    """Return the place of a kind among all, heaviest first; `own` are the domain's kinds in their order.

    >>> rank("timeout") < rank("junk", ["overwrite", "junk"]) < rank("missing")
    True
    """
    return ORDER.get(kind, ORDER["wrong-successor"]), list(own).index(kind) if kind in own else -1


def readable(value: Any) -> Any:
    """Return plain data as JSON has it: lists for tuples, sorted lists for sets.

    >>> readable([{"b", "a"}, (1, None)])
    [['a', 'b'], [1, None]]
    """
    if isinstance(value, (list, tuple)):
        return [readable(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return [readable(item) for item in sorted(value, key=show)]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else show(key): readable(item) for key, item in value.items()}
    return show(value) if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True, slots=True)
class CounterExample:
    """One call that shows a fault: the arguments by name, the result, and the expected result.

    `offending` are the successors that should not be there or are missing; long lists are cut. `drawn` are the drawings
    that the domain makes, by title.
    """

    arguments: Mapping[str, Any]
    came: Any
    expected: Any
    offending: tuple[Any, ...] = ()
    drawn: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the fields for a line of JSON."""
        fields = {**self.arguments, "came": self.came, "expected": self.expected, "offending": self.offending}
        return {name: readable(value) for name, value in fields.items()}


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault that was found: the number of calls that show it, a clause that describes it, an example.

    >>> Fault("junk", 3, "row 0 now spells 'abcde'").weight
    'unsound'
    """

    kind: str
    count: int
    note: str
    example: CounterExample | None = None
    feedback: str = ""

    @property
    def weight(self) -> Weight:
        """The weight of the fault."""
        return weight(self.kind)

    def to_json(self) -> dict[str, Any]:
        """Return the fields for a line of JSON."""
        return {
            "kind": self.kind,
            "weight": self.weight,
            "count": self.count,
            "note": self.note,
            "counter_example": None if self.example is None else self.example.to_json(),
            "feedback": self.feedback,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judge's verdict on a function.

    `verdict` is "exact", "goal-preserving" (prunes, but every goal of the walked instances stays reachable),
    "unsound", "incomplete", or the kind of the contract fault that makes the function unusable. `faults` come
    heaviest first, `remarks` do not affect the verdict. `cases` counts the states judged. `proof` tells of a function
    that prunes on what it was shown that no goal is lost.
    """

    role: Role
    function: str
    verdict: str
    faults: tuple[Fault, ...] = ()
    remarks: tuple[Fault, ...] = ()
    cases: int = 0
    seed: int = 0
    backend: str = ""
    seconds: float = 0.0
    proof: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether a search with this function finds the same as the reference."""
        return self.verdict in ACCEPTED

    @property
    def feedback(self) -> str:
        """One paragraph on the heaviest fault, for the author; empty if there is none."""
        return self.faults[0].feedback if self.faults and not self.is_accepted else ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields for a line of JSON; `faults` are the kinds, `details` the whole."""
        details = [fault.to_json() for fault in (*self.faults, *self.remarks)]
        return {
            "role": self.role,
            "function": self.function,
            "verdict": self.verdict,
            "accepted": self.is_accepted,
            "proof": self.proof,
            "faults": [fault.kind for fault in self.faults],
            "remarks": [fault.kind for fault in self.remarks],
            "counter_example": details[0]["counter_example"] if self.faults else None,
            "feedback": self.feedback,
            "details": details,
            "cases": self.cases,
            "seed": self.seed,
            "backend": self.backend,
            "seconds": round(self.seconds, 3),
        }

    def _repr_html_(self) -> str:
        return verdict_html(self.role, self)


def name_verdict(faults: tuple[Fault, ...], *, preserves_goals: bool) -> str:
    """Return the verdict for a set of faults; `preserves_goals` only counts if successors are missing.

    >>> name_verdict((Fault("missing", 1, ""), Fault("junk", 1, "")), preserves_goals=False)
    'unsound'
    """
    weights = {fault.weight for fault in faults}
    if "contract" in weights:
        return min((fault.kind for fault in faults), key=rank)
    if "unsound" in weights:
        return "unsound"
    if "incomplete" in weights:
        return "goal-preserving" if preserves_goals else "incomplete"
    return "exact"


def draw(grid: Any, before: Any = None) -> str:
    """Return the drawing of a grid, with cells that differ from `before` marked; other values are written out.

    >>> "row 1: b" in draw([["b"]]).lower(), draw(True)
    (True, '<code>True</code>')
    """
    if not is_grid(grid):
        return f"<code>{html.escape(show(grid)[:300])}</code>"
    changed: set[int] = set()
    if is_grid(before) and (len(before), len(before[0])) == (len(grid), len(grid[0])):
        old, new = (list(chain.from_iterable(rows)) for rows in (before, grid))
        changed = {at for at, cell in enumerate(new) if cell != old[at]}
    return grid_svg(grid, marked=changed)


def fault_html(fault: Fault) -> str:
    """Return a fault as HTML, with its counter-example drawn: the state, the result, the expected result."""
    parts = [f"<p><b>{fault.kind}</b> in {fault.count} of the judged calls: {html.escape(fault.note)}</p>"]
    example = fault.example
    if example is not None:
        state = example.arguments["state"]
        figures = {"state": draw(state)}
        if not example.offending:
            figures["came"] = draw(example.came)
        for title, values in (("offending", example.offending), ("right", example.expected)):
            shown: Sequence[Any] = values if isinstance(values, (list, tuple)) else [values]
            for place, value in enumerate(shown[:STATES_SHOWN], 1):
                figures[f"{title} {place}" if len(shown) > 1 else title] = draw(value, state)
        figures |= {title: f"<pre>{html.escape(picture)}</pre>" for title, picture in example.drawn.items()}
        parts.append(side_by_side(figures))
        others = {name: value for name, value in example.arguments.items() if name != "state"}
        if others:
            parts.append(f"<p><code>{html.escape(show(others))}</code></p>")
    if fault.feedback:
        parts.append(f"<details><summary>Feedback</summary><p>{html.escape(fault.feedback)}</p></details>")
    return "".join(parts)


def verdict_html(label: str, verdict: Verdict) -> str:
    """Return a verdict as a section of HTML."""
    head = (
        f"<h3>{html.escape(label)} <code>{html.escape(verdict.function)}</code>: "
        f"{'✓' if verdict.is_accepted else '✗'} {verdict.verdict}</h3>"
        f"<p>{verdict.cases} states, seed {verdict.seed}, back-end {html.escape(verdict.backend)}, "
        f"{verdict.seconds:.1f} s</p>"
    )
    proof = f"<p>Pruning: {html.escape(verdict.proof)}.</p>" if verdict.proof else ""
    remarks = "".join(f"<li>{fault.kind}: {html.escape(KINDS[fault.kind][1])}</li>" for fault in verdict.remarks)
    return (
        head
        + proof
        + "".join(map(fault_html, verdict.faults))
        + (f"<p>Remarks</p><ul>{remarks}</ul>" if remarks else "")
    )
