"""The errors of the lexicon, under a base of their own: it imports nothing from the agent."""

from __future__ import annotations


class LexiconError(Exception):
    """A source or an index cannot be used; the message names the file and says what was expected."""


class PackError(LexiconError):
    """The file is not an index of this version."""
