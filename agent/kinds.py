"""Fill-in, Gogen and nonogram behind one door: know the kind by content, solve, verify, explain, report.

>>> puzzle = read_puzzle("#h#\\n___\\n#_#\\n\\nhat\\nbag")
>>> result = solve_kind(puzzle)
>>> print(result)
# h #
b a g
# t #
<BLANKLINE>
Verified. Proved unique, by propagation alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Literal

from agent import verify_grids
from agent.core.outcome import Budget, Event, OnEvent, Outcome, Termination, ignore
from agent.core.propagate import Backend, Rules, Settled, Step, explain, settle
from agent.puzzles import fillin, gogen, nonogram
from agent.reading import UnreadableError, decode

SCHEMA_VERSION = 1
Kind = Literal["fillin", "gogen", "nonogram"]
KindPuzzle = fillin.FillIn | gogen.Gogen | nonogram.Nonogram
OWN_EFFORT = {"fillin": 1_000_000.0, "gogen": 100_000.0}
"""With CP-SAT at hand, our own search hands over after so many revised slots or letters: one to three seconds. On the
generated fill-ins near the phase transition it is the faster of the two more often than not, so it gets its time."""
UNKNOWN_SIGNS = "_.?*-"


@dataclass(frozen=True, slots=True)
class GridSolution:
    """One solution: rows of text, the picture for a terminal and for a page, and the faults that the checker found."""

    rows: tuple[str, ...]
    text: str = field(repr=False)
    html: str = field(repr=False)
    faults: tuple[str, ...] = ()

    @property
    def verified(self) -> bool:
        """True when the independent checker found no fault."""
        return not self.faults

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


@dataclass(frozen=True, slots=True)
class GridStats:
    """What it cost. `propagations` counts revised slots, revised letters or probed cells; `finished_by` says who ended
    it: "propagation" (no search at all), "search" or "cp-sat"."""  # noqa: D205, D209 - one sentence too long for a line

    expansions: int = 0
    generated: int = 0
    propagations: int = 0
    seconds: float = 0.0
    finished_by: str = "propagation"


@dataclass(frozen=True, slots=True)
class GridResult:
    """What came of a puzzle.

    `unique` is True where the one solution is proved to be the only one, False where a second was found (it stands
    in `solutions`), None where neither is known. `reason` says why there is none, or why there are several.
    `steps` is the explanation where it was asked for. `partial` is as far as it got where nothing was found.
    """

    kind: Kind
    puzzle: KindPuzzle = field(repr=False)
    termination: Termination
    solutions: tuple[GridSolution, ...] = ()
    unique: bool | None = None
    reason: str = ""
    steps: tuple[Step, ...] = field(default=(), repr=False)
    partial: GridSolution | None = field(default=None, repr=False)
    stats: GridStats = field(default_factory=GridStats)

    @property
    def solved(self) -> bool:
        """True when there is a solution and the checker accepts all that were found."""
        return bool(self.solutions) and all(solution.verified for solution in self.solutions)

    @property
    def proof(self) -> str:
        """What is proved: "unique", "several", "none" or "open"."""
        if self.unique is not None:
            return "unique" if self.unique else "several"
        return "none" if self.termination == "exhausted" and not self.solutions else "open"

    @property
    def exit_code(self) -> int:
        """0 solved and verified, 1 not solved, 5 budget, 130 interrupted."""
        if self.solved:
            return 0
        return {"budget": 5, "cancelled": 130}.get(self.termination, 1)

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain values; what a crossword's result has under the same name means the same."""
        best = self.solutions[0] if self.solutions else self.partial
        found: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "kind": self.kind,
            "id": self.puzzle.id,
            "grid": list(best.rows) if best else None,
            "verified": self.solved,
            "termination": self.termination,
            "proof": self.proof,
            "unique": self.unique,
            "reason": self.reason,
            "faults": [fault for solution in self.solutions for fault in solution.faults],
            "solutions": [list(solution.rows) for solution in self.solutions],
            "explanation": [{"rule": step.rule, "text": step.text} for step in self.steps],
            "stats": {name: getattr(self.stats, name) for name in self.stats.__slots__},
        }
        if isinstance(self.puzzle, gogen.Gogen) and best:
            found["paths"] = {
                word: [list(cell) for cell in path] for word, path in gogen.paths(self.puzzle, best.rows).items()
            }
        return found

    @property
    def summary(self) -> str:
        """One line on what is known."""
        how = "by propagation alone" if self.stats.finished_by == "propagation" else f"by {self.stats.finished_by}"
        if not self.solutions:
            why = f" {self.reason}" if self.reason else ""
            if self.termination == "exhausted":
                return f"There is no solution.{why}"
            ended = "The budget ran out" if self.termination == "budget" else "Interrupted"
            return f"{ended} before a solution was found; none is ruled out.{why}"
        if not self.solved:
            return "Not verified: " + "; ".join(fault for solution in self.solutions for fault in solution.faults)
        if self.unique:
            return f"Verified. Proved unique, {how}."
        if self.unique is False:
            number = f"{len(self.solutions)} solutions found" if len(self.solutions) > 2 else "Here are two"
            every = ": these are all" if self.termination == "exhausted" else ""
            return f"Verified. Not unique. {number}{every}.{' ' + self.reason if self.reason else ''}"
        return "Verified. Whether there is another solution was not settled."

    def __str__(self) -> str:
        parts = [*(step.text for step in self.steps), ""] if self.steps else []
        for number, solution in enumerate(self.solutions, 1):
            if len(self.solutions) > 1:
                parts.append(f"Solution {number}:")
            parts += [solution.text, ""]
        if not self.solutions and self.partial:
            parts += [self.partial.text, ""]
        return "\n".join([*parts, self.summary])

    def _repr_html_(self) -> str:
        shown = self.solutions or ((self.partial,) if self.partial else ())
        steps = "".join(f"<li>{escape(step.text)}</li>" for step in self.steps)
        listed = f"<ol>{steps}</ol>" if steps else ""
        return "".join(solution.html for solution in shown) + f"<p>{escape(self.summary)}</p>{listed}"


# --- reading ---------------------------------------------------------------------------------------------------


def detect(data: str | bytes) -> Kind | None:
    """Tell the kind of a puzzle by its content, None where it is none of these.

    >>> detect('{"rows": [[1]], "cols": [[1]]}'), detect("M.G\\n...\\nA.B\\n\\nCAB"), detect("[['#',_,_]] [[a,b]]")
    ('nonogram', 'gogen', 'fillin')
    >>> detect("Across\\n1. Not out\\n\\nDown\\n1. Article") is None
    True
    """
    try:
        text = decode(data).strip()
    except UnreadableError:
        return None
    if text.startswith("{"):
        return detect_json(text)
    if text.startswith("<"):
        return "nonogram" if re.search(r"<puzzle[\s>]", text) and re.search(r"<clues\s+type", text) else None
    if re.search(r"\[\[.*\[\[", re.sub(r"\s", "", text)):
        return "fillin"
    lines = [line.strip() for line in text.split("\n")]
    if all(any(re.match(rf"{word}\b", line, re.IGNORECASE) for line in lines) for word in ("width", "height", "rows")):
        return "nonogram"
    headings = [bool(nonogram.files.HEADING.match(line)) for line in lines]
    bare = [nonogram.files.HEADING.sub("", line, count=1) for line in lines]
    if all(re.fullmatch(r"[\d\s,;/.\[\]()-]*", line) for line in bare) and any(re.search(r"\d", line) for line in bare):
        return "nonogram" if sum(headings) >= 2 or not any(headings) else None
    return detect_rows(lines)


def detect_json(text: str) -> Kind | None:
    """Tell the kind of a JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or "clues" in found:
        return None
    if isinstance(found.get("rows"), list) and isinstance(found.get("cols", found.get("columns")), list):
        return "nonogram"
    if not isinstance(found.get("words"), list):
        return None
    if "board" in found:
        return "gogen"
    grid, words = found.get("grid"), [word for word in found["words"] if isinstance(word, str)]
    if isinstance(grid, list) and all(isinstance(row, str) for row in grid):
        return grid_or_board(grid, words)
    return "fillin" if grid else None


def detect_rows(lines: Sequence[str]) -> Kind | None:
    """Tell the kind of plain text: rows of cells, a blank line, words."""
    end = lines.index("") if "" in lines else len(lines)
    rows = ["".join(line.split()).replace(",", "") for line in lines[:end]]
    words = " ".join(lines[end:]).replace(",", " ").split()
    cells = "".join(rows)
    if any(
        len(parts) > 1 and max(map(len, parts)) > 1
        for parts in (line.replace(",", " ").split() for line in lines[:end])
    ):
        return None  # prose: blanks stand between words, not between cells
    fine = words and cells and len({len(row) for row in rows}) == 1 and all(word.isalnum() for word in words)
    if not fine or not all(sign.isalnum() or sign in UNKNOWN_SIGNS + "#" for sign in cells):
        return None
    if not any(sign in UNKNOWN_SIGNS + "#" for sign in cells):
        return None
    return grid_or_board(rows, words)


def grid_or_board(rows: Sequence[str], words: Sequence[str]) -> Kind:
    """Tell a fill-in from a Gogen: a block, or as many words of each length as runs, make a fill-in.

    >>> grid_or_board(["_.", ".."], ["ab", "cd", "ac", "bd"]), grid_or_board(["A.", ".."], ["ABCD"])
    ('fillin', 'gogen')
    """
    if not rows or any("#" in row for row in rows):
        return "fillin"
    runs = [len(rows[0])] * len(rows) + [len(rows)] * len(rows[0])
    return "fillin" if Counter(map(len, words)) == Counter(run for run in runs if run > 1) else "gogen"


def read_puzzle(data: str | bytes, *, kind: Kind | None = None, letters: str = "", source: str = "") -> KindPuzzle:
    """Read a puzzle of one of the kinds, known by content unless `kind` says it.

    With `letters` the data is a list of words for a 5x5 Gogen, and these are its nine starting letters, row by row.
    Raises UnreadableError.

    >>> read_puzzle("ace bd", letters="ABCDEFGHI").words
    ('ACE', 'BD')
    """
    text = decode(data, source=source)
    if letters:
        return gogen.parse(text, givens=letters, source=source)
    kind = kind or detect(text)
    if kind is None:
        raise UnreadableError("a fill-in, a Gogen or a nonogram", source=source)
    if kind == "fillin":
        return fillin.parse(text, source=source)
    return gogen.parse(text, source=source) if kind == "gogen" else nonogram.parse(text, source=source)


# --- solving ---------------------------------------------------------------------------------------------------


def kind_of(puzzle: KindPuzzle) -> Kind:
    """Name the kind of a puzzle that was read.

    >>> kind_of(nonogram.parse("1\\n\\n1"))
    'nonogram'
    """
    if isinstance(puzzle, fillin.FillIn):
        return "fillin"
    return "gogen" if isinstance(puzzle, gogen.Gogen) else "nonogram"


def check(puzzle: KindPuzzle, rows: Sequence[str]) -> tuple[str, ...]:
    """Return the faults that the independent checker finds in a filled grid.

    >>> check(nonogram.parse("1\\n\\n1"), ["."])
    ('row 1 has 0, its clue is 1', 'column 1 has 0, its clue is 1')
    """
    if isinstance(puzzle, fillin.FillIn):
        return verify_grids.check_fillin(puzzle.grid, puzzle.words, rows, spare=puzzle.spare)
    if isinstance(puzzle, gogen.Gogen):
        return verify_grids.check_gogen(puzzle.board, puzzle.words, rows, letters=puzzle.letters)
    return verify_grids.check_nonogram(puzzle.rows, puzzle.columns, rows)


def solve_kind(
    puzzle: KindPuzzle,
    *,
    count: int = 1,
    prove_unique: bool = True,
    explain: bool = False,
    budget: Budget | None = None,
    on_event: OnEvent = ignore,
    backend: bool | None = None,
) -> GridResult:
    """Solve a puzzle: deduce, search, hand over to CP-SAT, and verify what came out.

    `count` solutions are looked for, with `prove_unique` at least two. `backend` says whether CP-SAT may be called in:
    None means where the extra is installed; True raises ModuleNotFoundError where it is not. With `explain` every step
    is also an event "step". A cancelled or spent budget gives the best partial.

    >>> solve_kind(nonogram.parse("1\\n1\\n\\n1\\n1"), count=5).proof
    'several'
    """
    wanted = max(count, 2 if prove_unique else 1)
    return work_of(puzzle).solve(wanted, budget or Budget(), on_event, explain=explain, backend=backend)


def work_of(puzzle: KindPuzzle) -> Work:
    """Bring a puzzle to its start, with the functions of its kind.

    >>> work_of(nonogram.parse("1\\n\\n1")).settle(2, Budget()).finished_by
    'propagation'
    """
    if isinstance(puzzle, fillin.FillIn):
        words = fillin.start(puzzle)
        return Work(puzzle, words, fillin.rules(words), fillin, fillin.WARM_UP, OWN_EFFORT["fillin"])
    if isinstance(puzzle, gogen.Gogen):
        letters = gogen.start(puzzle)
        return Work(puzzle, letters, gogen.rules(letters), gogen, (), OWN_EFFORT["gogen"])
    cells = nonogram.start(puzzle)
    return Work(puzzle, cells, nonogram.rules(cells), nonogram, (), nonogram.own_effort(puzzle))


@dataclass(frozen=True, slots=True)
class Work:
    """A puzzle on its way: its start, its functions, and how long our own search may take where CP-SAT waits.

    The three kinds have states of three types; what handles them alike knows them as Any.
    """

    puzzle: KindPuzzle
    start: Any
    rules: Rules[Any]
    module: Any
    warm_up: Sequence[int]
    own_effort: float

    def shown(self, state: Any, *, complete: bool = True) -> GridSolution:
        """Turn a state into rows, text and page, with the checker's word on it where it is complete."""
        rows = self.module.rows(state)
        faults = check(self.puzzle, rows) if complete else ()
        return GridSolution(rows, self.module.render(self.puzzle, state), self.module.html(self.puzzle, state), faults)

    def settle(
        self, wanted: int, budget: Budget, backend: Backend[Any] | None = None, on_event: OnEvent = ignore
    ) -> Settled[Any]:
        """Deduce, search, hand over; nothing is drawn or checked yet."""
        return settle(
            self.start,
            self.rules,
            count=wanted,
            budget=budget,
            warm_up=self.warm_up,
            backend=backend,
            own_effort=self.own_effort,
            on_event=on_event,
        )

    def solve(
        self, wanted: int, budget: Budget, on_event: OnEvent, *, explain: bool, backend: bool | None
    ) -> GridResult:
        """Do what :func:`solve_kind` says."""
        kind = kind_of(self.puzzle)
        settled = self.settle(wanted, budget, find_backend(kind, wanted=backend), on_event)
        outcome = settled.outcome
        solutions = tuple(self.shown(goal) for goal in outcome.goals)
        unique = None
        if len(solutions) > 1 or (solutions and outcome.termination == "exhausted"):
            unique = len(solutions) == 1
        result = GridResult(
            kind=kind,
            puzzle=self.puzzle,
            termination=outcome.termination,
            solutions=solutions,
            unique=unique,
            partial=self.partial(outcome, settled.root),
            stats=GridStats(
                outcome.expansions,
                outcome.generated,
                self.rules.effort.units,
                outcome.seconds,
                settled.finished_by,
            ),
        )
        return self.explained(result, outcome, on_event, explain=explain)

    def partial(self, outcome: Outcome[Any], root: Any) -> GridSolution | None:
        """Show how far it got: the deepest state where the search was stopped, else what deduction alone says."""
        if outcome.goals:
            return None
        state = root if outcome.termination == "exhausted" else outcome.best_partial or root
        return None if state is None else self.shown(state, complete=False)

    def explained(self, result: GridResult, outcome: Outcome[Any], on_event: OnEvent, *, explain: bool) -> GridResult:
        """Add the reason where there is no solution or several, and the steps where they were asked for."""
        none = not outcome.goals and outcome.termination == "exhausted"
        if not explain and not none:
            return replace(result, reason=self.several(result))
        steps = self.steps(outcome, only=result.unique is True)
        reason = self.several(result)
        if none:
            last = steps[-1] if steps and steps[-1].rule == "contradiction" else None
            tried = f"All possibilities were tried, {outcome.expansions} choices: none works out."
            reason = last.text if last else tried
            if not last:
                steps = (*steps, Step("contradiction", tried))
        if explain:
            for step in steps:
                on_event(Event("step", {"rule": step.rule, "text": step.text}))
        return replace(result, reason=reason, steps=steps if explain else ())

    def steps(self, outcome: Outcome[Any], *, only: bool) -> tuple[Step, ...]:
        """Put the way to the first solution, or to the contradiction, into words."""
        return explain(self.start, self.rules, outcome.goal, only=only)

    def several(self, result: GridResult) -> str:
        """Say why there are several solutions, where it is plain."""
        if result.unique is False and isinstance(self.puzzle, gogen.Gogen):
            used = "".join((*self.puzzle.board, *self.puzzle.words))
            unused = [letter for letter in self.puzzle.letters if letter not in used]
            if len(unused) > 1:
                return f"{', '.join(unused)} are in no word and not given: they can change places."
        return ""


def find_backend(kind: Kind, *, wanted: bool | None = None) -> Backend[Any] | None:
    """Return CP-SAT for a kind, None where it is not wanted or, unless it is demanded, not installed.

    >>> find_backend("gogen", wanted=False) is None
    True
    """
    from agent import cpsat

    if wanted is False or (wanted is None and not cpsat.available()):
        return None
    if not cpsat.available():
        raise ModuleNotFoundError("CP-SAT is not installed: pip install 'gridwright[ortools]'")
    return cpsat.BACKENDS[kind]
