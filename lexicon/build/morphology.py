"""Derived words: the listed words that are forms of defined words, and their kinds.

One table of suffixes and prefixes; each rule has the ending of the form, the shapes and parts of speech of its base,
and the meaning of the form. A rule applies only if the base is defined and the form is listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

FORMS = (
    "own",
    "plural",
    "third person",
    "past",
    "present participle",
    "agent",
    "comparative",
    "superlative",
    "again",
    "opposite",
    "having the quality",
    "in the manner",
    "state",
    "without",
    "able",
    "diminutive",
    "out or over",
)
"""The ways in which a word derives from a defined base; the position is the number in the index."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A suffix rule: words with `ending` whose base, one of `bases(rest)`, is a lemma with one of the parts `pos`."""

    form: str
    ending: str
    pos: str
    bases: tuple[str, ...]


def _suffix(form: str, ending: str, pos: str, *bases: str) -> Rule:
    return Rule(form, ending, pos, bases)


RULES = (
    _suffix("plural", "S", "n", "{}"),
    _suffix("plural", "ES", "n", "{}"),
    _suffix("plural", "IES", "n", "{}Y"),
    _suffix("plural", "VES", "n", "{}F", "{}FE"),
    _suffix("plural", "MEN", "n", "{}MAN"),
    _suffix("third person", "S", "v", "{}"),
    _suffix("third person", "ES", "v", "{}"),
    _suffix("third person", "IES", "v", "{}Y"),
    _suffix("past", "ED", "v", "{}", "{}E", "{-}"),
    _suffix("past", "IED", "v", "{}Y"),
    _suffix("present participle", "ING", "v", "{}", "{}E", "{-}"),
    _suffix("present participle", "YING", "v", "{}IE"),
    _suffix("agent", "ER", "vn", "{}", "{}E", "{-}"),
    _suffix("agent", "OR", "v", "{}", "{}E"),
    _suffix("agent", "IER", "v", "{}Y"),
    _suffix("agent", "IST", "n", "{}", "{}E", "{}Y"),
    _suffix("comparative", "ER", "ar", "{}", "{}E", "{-}"),
    _suffix("comparative", "IER", "ar", "{}Y"),
    _suffix("superlative", "EST", "ar", "{}", "{}E", "{-}"),
    _suffix("superlative", "IEST", "ar", "{}Y"),
    _suffix("having the quality", "Y", "nv", "{}", "{}E", "{-}"),
    _suffix("having the quality", "ISH", "na", "{}", "{}E", "{-}"),
    _suffix("having the quality", "OUS", "n", "{}", "{}Y", "{}E"),
    _suffix("having the quality", "AL", "n", "{}", "{}E", "{}Y"),
    _suffix("having the quality", "IC", "n", "{}", "{}E", "{}Y"),
    _suffix("having the quality", "ED", "n", "{}", "{}E", "{-}"),
    _suffix("having the quality", "EN", "na", "{}", "{}E", "{-}"),
    _suffix("having the quality", "FUL", "n", "{}"),
    _suffix("in the manner", "LY", "a", "{}", "{}LE", "{}L"),
    _suffix("in the manner", "ILY", "a", "{}Y"),
    _suffix("state", "NESS", "a", "{}"),
    _suffix("state", "INESS", "a", "{}Y"),
    _suffix("state", "ITY", "a", "{}", "{}E"),
    _suffix("without", "LESS", "nv", "{}"),
    _suffix("able", "ABLE", "v", "{}", "{}E", "{-}"),
    _suffix("diminutive", "LET", "n", "{}"),
    _suffix("diminutive", "IE", "n", "{}", "{-}"),
    _suffix("diminutive", "ETTE", "n", "{}"),
)

PREFIXES = (
    ("again", "RE", "v"),
    ("opposite", "UN", "va"),
    ("opposite", "IN", "a"),
    ("opposite", "NON", "na"),
    ("opposite", "DIS", "va"),
    ("opposite", "DE", "v"),
    ("out or over", "OUT", "v"),
    ("out or over", "OVER", "va"),
    ("out or over", "EN", "nv"),
    ("out or over", "BE", "nv"),
)
"""(form, prefix, part of speech of the base)."""

SHORTEST_BASE = 2
"""A base has at least this many letters; single letters are lemmas too, but are not inflected."""

_BY_LAST_LETTER = {
    letter: sorted((rule for rule in RULES if rule.ending[-1] == letter), key=lambda rule: -len(rule.ending))
    for letter in {rule.ending[-1] for rule in RULES}
}
_BY_FIRST_LETTER = {
    letter: [rule for rule in PREFIXES if rule[1][0] == letter] for letter in {prefix[0] for _, prefix, _ in PREFIXES}
}
"""Rules by the letter that a word must have: an index asks about each of its words, most of which no rule fits."""


def bases(word: str, lemma_pos: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield (form, base, parts of speech wanted) for every way a word comes from a lemma.

    `lemma_pos` maps folded lemmas to their parts of speech, for example `{"LOW": "navr"}`.

    >>> list(bases("LOWER", {"LOW": "na"}))
    [('agent', 'LOW', 'vn'), ('comparative', 'LOW', 'ar')]
    >>> list(bases("REAIM", {"AIM": "nv"}))
    [('again', 'AIM', 'v')]
    """
    seen = set()
    for rule in _BY_LAST_LETTER.get(word[-1:], ()):
        if not word.endswith(rule.ending):
            continue
        rest = word[: -len(rule.ending)]
        for base in _candidates(rule.bases, rest):
            if len(base) >= SHORTEST_BASE and set(lemma_pos.get(base, "")) & set(rule.pos):
                key = (rule.form, base)
                if key not in seen:
                    seen.add(key)
                    yield rule.form, base, rule.pos
    for form, prefix, pos in _BY_FIRST_LETTER.get(word[:1], ()):
        base = word.removeprefix(prefix)
        if base != word and len(base) > SHORTEST_BASE and set(lemma_pos.get(base, "")) & set(pos):
            yield form, base, pos


def _candidates(shapes: tuple[str, ...], rest: str) -> Iterator[str]:
    for shape in shapes:
        if shape != "{-}":
            yield shape.format(rest)
        elif len(rest) > 2 and rest[-1] == rest[-2]:
            yield rest[:-1]
