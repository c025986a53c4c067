"""Solve mini crosswords from their clues, and judge search code that language models write.

Start reading at :mod:`agent.solve`: the pipeline on one page.
"""

__version__ = "0.1.0"
PROJECT = "gridwright"
"""Tells this package from others of its name."""
