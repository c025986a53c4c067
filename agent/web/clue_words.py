"""What kind of clue it is, in words: the first and smallest step of a hint."""

from __future__ import annotations

from agent.candidates.clues import LANGUAGES, read_clue

SIGNALS = {
    "wordplay": "it plays with words, as its question mark tells",
    "quoted": "something one might say instead",
    "sound": "a sound or an exclamation",
    "blank": "a gap to be filled in",
    "abbreviation": "the answer is short for something",
    "example": "an example of the answer, or the answer of it",
    "phrase": "the answer has more than one word",
    "slang": "the answer is slang",
    "old": "the answer is an old or poetic word",
    "partner": "the answer goes with the word it names",
    "follower": "the answer follows the word it names",
    "preceder": "the answer goes before the word it names",
    "opposite": "the opposite of a word",
    "reference": "it refers to another clue",
    "past": "the answer is in the past tense",
    "gerund": "the answer is likely to end in -ING",
    "comparative": "a comparison: the answer is likely to end in -ER",
    "superlative": "the answer is likely to end in -EST",
    "plural": "the answer is in the plural",
    "like": "a description: the answer is an adjective",
}
"""Signal of :func:`agent.candidates.clues.read_clue` -> what it tells a person; the first are the strongest."""

MOST = 2
"""A sentence names at most this many signals."""


def clue_in_words(text: str) -> str:
    """Return what kind of clue it is, as the solver reads it.

    >>> clue_in_words("Runner in a taxi?")
    'it plays with words, as its question mark tells.'
    >>> clue_in_words("Subway, in Paris")
    'the answer is a French word.'
    >>> clue_in_words("Furniture to sleep on")
    'a plain definition.'
    """
    reading = read_clue(text)
    said = [f"the answer is a {LANGUAGES[reading.language][0]} word"] if reading.language else []
    said += [words for signal, words in SIGNALS.items() if signal in reading.signals]
    return f"{'; '.join(said[:MOST]) or 'a plain definition'}."
