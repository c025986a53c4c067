"""The public interface as a caller's type checker sees it. Checked by mypy, never run.

The first lines are those of the README (tests/test_api.py compares them).
"""

from agent.api import open_puzzle, open_tools, read_puzzle, solve

pasted = "Across\n1. Furniture to sleep on\n4. Pole to row a boat with\n5. Humorously sarcastic\n"
pasted += "Down\n1. Weapon that shoots arrows\n2. Organ of hearing\n3. Free from moisture"
print(solve(read_puzzle(pasted, size=(3, 3))))
recorded = open_tools(clue_set="data/minis/minis_llm.clues.jsonl", offline=True)  # or model="llama3.1", ...
solution = solve(open_puzzle("data/demo/plain-words.puz"), recorded)
solution.solved, solution.summary, solution.to_json()["grid"]
nonogram = solve(read_puzzle("rows: 2 / 5 / 4 / 4\ncolumns: 0 / 3 / 3 / 4 / 4 / 1"))
nonogram.summary, nonogram.to_html()[:15]

# ruff: noqa: E402

from pathlib import Path

from agent.api import CandidateInstance, ClueText, Event, Grid, GridResult, Puzzle, Result, Solution, write_puzzle
from agent.core import Outcome, best_first

puzzle = open_puzzle(Path("today.ipuz"))
result: Result = solve(puzzle, seconds=5, patience=60, cancelled=lambda: False)
kind: str = result.kind
read: tuple[str, str] = puzzle.kind, puzzle.id
assert isinstance(puzzle, Puzzle)
filled: Solution = solve(puzzle)
answer: str = filled.answer("1A").answer
rows: tuple[str, ...] = filled.grid.rows
grid: Grid = filled.grid.write("1A", "CAT")
written: bytes = write_puzzle(puzzle, "ipuz", filled=grid)


def heard(event: Event) -> None:
    """Receive an event."""


with open_tools(providers=["datamuse", "lexicon"], record="today.clues.jsonl", warn=print) as tools:
    several: list[Result] = [solve(open_puzzle(name), tools, on_event=heard) for name in ("a.puz", "b.puz")]


def told(puzzle: Puzzle | ClueText | CandidateInstance) -> Solution:
    """Solve a puzzle with clues or candidates."""
    return solve(puzzle)


unique: list[GridResult] = [other for other in several if isinstance(other, GridResult) and other.unique]
found: Outcome[int] = best_first(0, lambda n: [n + 1], lambda n: n > 3, float)
