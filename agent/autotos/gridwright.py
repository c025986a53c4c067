"""Gridwright's own crossword search in the tables of other searches."""

from __future__ import annotations

from agent.autotos.domain import Instance
from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.search import SearchRun, Strategy
from agent.grid import Grid
from agent.solve import solve_lists


def by_gridwright(instance: Instance, _strategy: Strategy = "best-first") -> SearchRun:
    """Fill a crossword instance; the trusted goal test decides whether it is solved.

    >>> from agent.autotos.evaluation import load_instances
    >>> by_gridwright(load_instances(CROSSWORD, "")[0]).solved
    True
    """
    across, down = CROSSWORD.arguments("goal", instance)
    grid = Grid.blank(len(down), len(across))
    lists = {slot.name: words for slot, words in zip(grid.slots, [*across, *down], strict=True)}
    found = solve_lists(grid, lists, instance.name)
    goal = [list(row.lower()) for row in found.grid.rows]
    solved = found.consistent and CROSSWORD.holds(goal, instance)
    stats = found.stats
    return SearchRun(
        instance.name,
        "solved" if solved else "exhausted",
        solved,
        stats.expansions,
        stats.generated,
        stats.duplicates,
        stats.seconds,
        "".join(map("".join, goal)) if solved else "",
    )
