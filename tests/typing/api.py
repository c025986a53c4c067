"""What the public interface looks like to a type checker. Checked by mypy, never run."""

from __future__ import annotations

from agent.core import Budget, Outcome, best_first
from agent.formats import open_puzzle
from agent.grid import Grid, Puzzle
from agent.solution import Solution
from agent.solve import solve
from agent.tools import Tools

puzzle = open_puzzle("today.ipuz")
assert isinstance(puzzle, Puzzle)
solution: Solution = solve(puzzle, Tools(), budget=Budget(seconds=5.0))
rows: tuple[str, ...] = solution.grid.rows
grid: Grid = solution.grid.write("1A", "CAT")
found: Outcome[int] = best_first(0, lambda n: [n + 1], lambda n: n > 3, float)
keys: list[str] = list(solution.to_json())
