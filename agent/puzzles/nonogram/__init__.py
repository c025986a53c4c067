"""Nonogram: colour cells so that every row and column has the runs its clue lists.

Generalised arc consistency: a state keeps, for every line, the colours that are ruled out for its cells. They
stand for all fillings of the line that agree; none is listed (see :mod:`agent.puzzles.nonogram.line`). Lines are swept
until nothing changes; then single cells are probed: a colour that leads to a contradiction is ruled out, and what
follows from every colour of a cell holds. What is still open is searched depth-first, on a cell of the four lines
with the fewest fillings: the one whose probe settled most, first in the colour that did.

>>> from agent.puzzles.nonogram.deduce import propagate, start
>>> from agent.puzzles.nonogram.files import parse
>>> from agent.puzzles.nonogram.search import rows
>>> puzzle = parse("1 1\\n3\\n1\\n\\n2\\n2\\n2")
>>> print("\\n".join(rows(propagate(start(puzzle)))))
#.#
###
.#.
"""
