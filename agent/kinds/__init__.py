"""Puzzles without clues behind one interface: recognise the kind, read, solve, check, report, make.

>>> puzzle = read_kind("#h#\\n___\\n#_#\\n\\nhat\\nbag")
>>> result = solve_kind(puzzle)
>>> print(result)
# h #
b a g
# t #
<BLANKLINE>
Solved, and it is the only solution. No guessing was needed.
"""

from agent.kind import GridPuzzle, Kind
from agent.kinds.entering import read_entries
from agent.kinds.registry import NAMES, detect, every_kind, kind_named, kind_of, make_puzzle, read_kind
from agent.kinds.result import GridResult, GridSolution, GridStats
from agent.kinds.solving import check, find_backend, solve_kind, work_of

__all__ = [
    "NAMES",
    "GridPuzzle",
    "GridResult",
    "GridSolution",
    "GridStats",
    "Kind",
    "check",
    "detect",
    "every_kind",
    "find_backend",
    "kind_named",
    "kind_of",
    "make_puzzle",
    "read_entries",
    "read_kind",
    "solve_kind",
    "work_of",
]
