"""Independent checks: of a filled crossword, of rows of cells, and the trusted successor and goal functions.

Nothing here, nor in any `check.py` of a kind of puzzle, shares code with the search.
"""
