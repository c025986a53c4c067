"""Why a word answers a clue: the evidence in words."""

from __future__ import annotations

import numpy as np

from lexicon.closed import called_up
from lexicon.evidence import SPELLING_STEPS, Evidence
from lexicon.gloss import Glosses
from lexicon.senses import Senses
from lexicon.signals import head, parts, signal_names
from lexicon.text import stem, tokens
from lexicon.vocabulary import Vocabulary

ENOUGH = 0.3
"""A signal below this is not worth mentioning."""

MOST_REASONS = 2

RELATED = {
    "name": "same meaning as", "name inside clue": "same meaning as", "hypernym": "more general than",
    "hyponym": "kind of", "similar": "similar to", "antonym": "opposite of", "derived": "derived from",
    "part": "part of", "whole": "contains", "domain": "field of", "member of domain": "belongs to",
    "verb": "follows from", "synonym": "same meaning as",
}  # fmt: skip
"""How a relation reads when the clue names its other end."""

NOTHING = "only how common the word is"


def explain(
    vocabulary: Vocabulary, senses: Senses, evidence: Evidence, clue: str, place: int, glosses: Glosses | None = None
) -> str:
    """Return the reasons for the word at a place of the vocabulary: at most two, the strongest first.

    With `glosses`, the definition that fits the clue follows in quotation marks, if it is WordNet's.

    Examples: `kind of antelope`, `its definition shares fetch`, `closed class: month`, `fills the blank`, `spelled like
    a word of the clue`, or `only how common the word is`.
    """
    reasons: list[tuple[float, str]] = []
    word = vocabulary.word(place)
    if name := called_up(clue).get(word):
        reasons.append((2.0, name if name.startswith("goes with") else f"closed class: {name}"))
    features = evidence.features_of(place)
    if features["blank"]:
        reasons.append((1.0 + features["blank, long context"], "fills the blank"))
    here = np.flatnonzero(vocabulary.pair_word[evidence.pairs] == place)
    names = signal_names(senses.relations)
    quoted = ""
    if here.size:
        table = evidence.signals[here]
        best = int(table.sum(axis=1).argmax())
        pair = evidence.pairs[here[best]]
        signals = dict(zip(names, table[best].tolist(), strict=True))
        form = vocabulary.forms[vocabulary.pair_form[pair]]
        prefix = "" if form == "own" else f"{form} form, "
        sense = int(vocabulary.documents.sense_of(pair))
        if glosses is not None and senses.offset[sense]:
            quoted = glosses.text(int(senses.pos[sense]), int(senses.offset[sense]))
        reasons += [(how, prefix + told) for how, told in _of_sense(signals, senses, sense, clue)]
    if features[f"spelled {SPELLING_STEPS[1]}"]:
        reasons.append((0.4, "spelled like a word of the clue"))
    chosen = [text for strength, text in sorted(reasons, key=lambda reason: -reason[0]) if strength >= ENOUGH]
    if not chosen:
        return NOTHING
    said = "; ".join(chosen[:MOST_REASONS])
    return f"{said}: \u201c{quoted}\u201d" if quoted else said


def _of_sense(signals: dict[str, float], senses: Senses, sense: int, clue: str) -> list[tuple[float, str]]:
    reasons = []
    related = {name: signals[name] for name in RELATED if name in signals}
    strongest = max(related, key=lambda name: related[name])
    top = head(parts(clue)[-1]) or clue.lower()
    if signals["under the head"] > max(related[strongest] - 0.2, 0):
        reasons.append((0.9 * signals["under the head"], f"kind of {head(clue) or top}"))
    elif related[strongest]:
        reasons.append((related[strongest], f"{RELATED[strongest]} {head(clue) or top}"))
    held = senses.gloss_terms[senses.gloss_starts[sense] : senses.gloss_starts[sense + 1]].tolist()
    shared = [word for word in dict.fromkeys(tokens(clue)) if senses.number(stem(senses.base(word) or word)) in held]
    if shared and signals["gloss cosine"]:
        reasons.append((signals["gloss cosine"], f"its definition shares {', '.join(shared)}"))
    if not reasons and signals["vector"]:
        reasons.append((signals["vector"] / 2, "its definition is of the same field"))
    return reasons
