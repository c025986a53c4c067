"""Forms of phrases: "ran out of", "runs out of" and "running out of" for "run out of".

Word lists have the forms of single words; of phrases a glossary lists one or the other. A phrase is taken for a verb's
if WordNet has it as a verb, or if it begins with a verb and a particle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from lexicon.text import fold

PARTICLES = frozenset({
    "about", "across", "after", "against", "ahead", "along", "apart", "around", "aside", "at", "away", "back", "by",
    "down", "for", "forth", "forward", "from", "in", "into", "off", "on", "onto", "out", "over", "past", "through",
    "to", "together", "toward", "under", "up", "upon", "with", "without",
})  # fmt: skip
"""Second words by which a phrase that begins with a verb is taken for that verb's."""

PRESENT = {"am": "be", "are": "be", "is": "be", "has": "have", "does": "do", "goes": "go"}
"""Irregular forms of the present -> the verb."""

VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Form:
    """A phrase that is a form of another: the way it derives (see :data:`FORMS`), and the base, folded."""

    way: str
    base: str


class Verbs:
    """Verbs with their forms.

    `lemmas` are all verbs as they are written, `irregular` maps a form to its verb, and `words` are all folded words
    that exist, which tell "stopped" from "stoped".

    >>> verbs = Verbs({"stop", "run", "see", "saw"}, {"ran": "run", "saw": "see", "running": "run"}, {"STOPPED"})
    >>> list(verbs.forms("stop"))
    [('third person', 'stops'), ('past', 'stopped'), ('present participle', 'stopping')]
    >>> sorted(verbs.forms("run"))
    [('past', 'ran'), ('present participle', 'running'), ('third person', 'runs')]
    >>> list(verbs.forms("saw"))
    []
    """

    def __init__(self, lemmas: Collection[str], irregular: Mapping[str, str], words: Collection[str]) -> None:
        self._lemmas, self._words = lemmas, words
        self._irregular: dict[str, list[str]] = {}
        for form, base in irregular.items():
            self._irregular.setdefault(base, []).append(form)
        self._not_bases = set(irregular)

    def forms(self, verb: str) -> Iterator[tuple[str, str]]:
        """Yield (way, form) of a verb; nothing for what is no verb's base, or may be another verb's form."""
        if verb not in self._lemmas or verb in self._not_bases:
            return
        known = self._irregular.get(verb, [])
        present = [form for form, base in PRESENT.items() if base == verb]
        yield from (("third person", form) for form in present or [_third_person(verb)])
        stem = verb.removesuffix("e")
        doubled = verb + verb[-1]
        if fold(doubled + "ed") in self._words and verb[-1] not in VOWELS:
            stem = doubled
        past = [form for form in known if not form.endswith("ing") and form not in PRESENT]
        regular = verb[:-1] + "ied" if verb[-1] == "y" and verb[-2:-1] not in VOWELS else stem + "ed"
        yield from (("past", form) for form in past or [regular])
        participle = [form for form in known if form.endswith("ing")]
        whole = verb if verb.endswith(("ee", "oe", "ye")) else stem
        yield from (("present participle", form) for form in participle or [whole + "ing"])


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in VOWELS else verb + "s"


def inflected(
    phrases: Iterable[str],
    of_verbs: Iterable[str],
    verbs: Verbs,
    listed: Collection[str],
    left_out: Collection[str] = (),
) -> dict[str, Form]:
    """Return the forms that are not `listed` yet, folded -> Form; the first base that has a form keeps it.

    `phrases` are of any kind, `of_verbs` are known to be verbs' phrases, and both as they are written. Phrases with a
    word that is `left_out` have no forms.

    >>> verbs = Verbs({"run"}, {"ran": "run"}, set())
    >>> inflected(["run out", "run of luck", "rat race"], [], verbs, {"RUNSOUT", "RANOFLUCK"})["RANOUT"]
    Form(way='past', base='RUNOUT')
    """
    found: dict[str, Form] = {}
    taken = [phrase for phrase in phrases if not PARTICLES.isdisjoint(phrase.split(" ")[1:2])]
    for phrase in [*taken, *of_verbs]:
        if not {fold(phrase), *map(fold, phrase.split(" "))}.isdisjoint(left_out):
            continue
        verb, _, rest = phrase.partition(" ")
        for way, form in verbs.forms(verb) if rest else ():
            word = fold(f"{form} {rest}")
            if word not in listed:
                found.setdefault(word, Form(way, fold(phrase)))
    return found
