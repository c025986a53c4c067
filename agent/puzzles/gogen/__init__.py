"""Gogen: put letters into a square board, each once, so that every word is a path of king's moves.

A state keeps one bitmap of possible cells per letter. Two letters that follow each other in a word are neighbours:
each lives within one king's move of the other's possible cells. Every letter has a cell of its own: a placed letter
leaves the others' bitmaps, a cell that one letter alone can fill gets it, and two letters that share the same two
cells keep the others out. Newspaper puzzles need nothing more; the search is for boards with fewer givens.

A letter that follows itself in a word (the LL of HELLO) stays where it is.

>>> from agent.puzzles.gogen.deduce import propagate, start
>>> from agent.puzzles.gogen.files import parse
>>> from agent.puzzles.gogen.picture import render
>>> from agent.puzzles.gogen.search import rows
>>> puzzle = parse("AB.\\nD.F\\nGHI\\n\\nBCE EFI CFE DEH AE")
>>> print(render(puzzle, rows(propagate(start(puzzle)))))
A B C
D E F
G H I
<BLANKLINE>
BCE  from row 1, column 2: B→C↙E
EFI  from row 2, column 2: E→F↓I
CFE  from row 1, column 3: C↓F←E
DEH  from row 2, column 1: D→E↓H
AE   from row 1, column 1: A↘E
"""
