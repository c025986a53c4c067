"""Searches over many instances, with accepted pairs and with the trusted functions, as rows of one table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.autotos.cases import held_out
from agent.autotos.domain import ROLES, Domain, Instance, Role, freeze, pack
from agent.autotos.fewest import fewest_first
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.search import SearchLimits, SearchRun, Strategy, run_pair, run_trusted, totals, trusted
from agent.autotos.submissions import Submission
from agent.errors import UnreadableError

MADE_INSTANCES = 5
"""Instances that are made if no file is given; a depth-first search of one takes from 1 to 60 seconds."""


@dataclass(frozen=True, slots=True)
class Row:
    """One search: whose functions, in which order, and the outcome."""

    who: str
    strategy: Strategy
    run: SearchRun

    def to_json(self) -> dict[str, Any]:
        """Return the fields for a line of JSON."""
        return {"who": self.who, "strategy": self.strategy, **asdict(self.run)}

    def line(self) -> str:
        """Return it as one line of text."""
        run = self.run
        return (
            f"{self.who}, {self.strategy}, instance {run.instance}: {run.ended}, {run.expansions:,} expansions, "
            f"{run.generated:,} generated, {run.duplicates:,} duplicates, {run.seconds:.2f} s"
        )


def load_instances(domain: Domain, path: str) -> list[Instance]:
    """Read a JSON list of instances, or make some if no path is given. Raises UnreadableError."""
    if not path:
        return held_out(domain, MADE_INSTANCES)
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableError(f"{path}: {error}; expected a JSON list of instances") from None
    items = data if isinstance(data, list) else [data]
    instances = []
    for place, item in enumerate(items):
        try:
            instances.append(domain.evaluation(item))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise UnreadableError(f"{path}, item {place}: no {domain.name} instance ({error!r})") from None
    return instances


def pair_from(submissions: Sequence[Submission]) -> dict[Role, str]:
    """Return the last source of each role. Raises UnreadableError if one is missing."""
    pair = {one.role: one.source for one in submissions}
    missing = [role for role in ROLES if role not in pair]
    if missing:
        raise UnreadableError(f"no {' and no '.join(missing)} function was given: a search needs both")
    return pair


def evaluate(
    domain: Domain,
    instances: Sequence[Instance],
    who: str,
    pair: Mapping[Role, str],
    backend: Backend,
    strategies: Sequence[Strategy],
    limits: SearchLimits,
) -> list[Row]:
    """Search all instances with a pair in every order, and add a row with the totals."""
    rows = []
    for strategy in strategies:
        runs = run_pair(domain, instances, pair, backend, strategy, limits)
        rows += [Row(who, strategy, run) for run in [*runs, totals(runs)]]
    return rows


def own_rows(instances: Sequence[Instance]) -> list[Row]:
    """Fill crossword instances with the project's own search for comparison, and add a row with the totals.

    The trusted goal test decides whether one is solved.
    """
    from agent.autotos.domains import CROSSWORD
    from agent.grid import Grid
    from agent.solve import solve_lists

    runs = []
    for instance in instances:
        across, down = instance.arguments
        grid = Grid.blank(len(down), len(across))
        lists = {slot.name: words for slot, words in zip(grid.slots, [*across, *down], strict=True)}
        found = solve_lists(grid, lists, instance.name)
        goal = freeze(row.lower() for row in found.grid.rows)
        solved = found.consistent and CROSSWORD.is_goal(goal, instance.arguments)
        ended = "solved" if solved else "exhausted"
        stats = found.stats
        runs.append(
            SearchRun(
                instance.name,
                ended,
                solved,
                stats.expansions,
                stats.generated,
                stats.duplicates,
                stats.seconds,
                pack(goal) if solved else "",
            )
        )
    return [Row("gridwright", "best-first", run) for run in [*runs, totals(runs)]]


def reference_rows(
    domain: Domain, instances: Sequence[Instance], strategies: Sequence[Strategy], limits: SearchLimits
) -> list[Row]:
    """Search the same with the trusted functions, once with all successors and once with those of one slot only."""
    rows = []
    for who, functions in (("reference", trusted), ("reference, fewest first", fewest_first)):
        for strategy in strategies:
            runs = run_trusted(domain, instances, strategy, limits, functions)
            rows += [Row(who, strategy, run) for run in [*runs, totals(runs)]]
    return rows
