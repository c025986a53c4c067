"""Sudoku: every row, column and box holds each digit once. A state is one bitmap of possible digits per cell."""
