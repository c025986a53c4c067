"""The grammatical shape of a clue: hints at the answer's form, without regard to meaning.

One table of rules, each a name and a pattern. The rules only describe the clue; what that means for forms and kinds of
words is fitted.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from lexicon.text import ascii_text

_RULES: tuple[tuple[str, str], ...] = (
    ("any", r""),
    ("infinitive", r"(^|; ?)to [a-z]"),
    ("article", r"(^|; ?)(an?|the) "),
    ("one who", r"\b(one|person|someone|something|device|that) (who|that|which)\b"),
    ("not capitalised article", r"^(?!to |an? |the |one )"),
    ("several definitions", r";"),
    ("plural head", r"^(?!to |an? |the |one )([a-z'-]+ ){0,3}[a-z'-]*[a-rt-z]s\b"),
    ("third person head", r"^[a-z]+[a-rt-z]s (the|a|an|to|up|off|in|on|out|with)\b"),
    ("past head", r"^[a-z]+ed\b"),
    ("participle head", r"^[a-z]+ing\b"),
    ("comparative", r"\b(more|less)\b|^[a-z]+ier\b|\bthan\b"),
    ("superlative", r"\b(most|least)\b|^[a-z]+est\b"),
    ("again", r"\bagain\b|\banew\b|^re"),
    ("negative", r"\b(not|no|without|lacking|un[a-z]+|opposite)\b"),
    ("quality", r"\b(like|full of|having|resembling|pertaining|covered|containing|consisting|of or|relating|made)\b"),
    ("state", r"\b(state|quality|act|condition|process|being)\b"),
    ("kind", r"\b(kind|type|sort|variety|form|species|genus|family|member|breed)\b"),
    ("blank", r"_"),
    ("quotation", r"^\W*\""),
    ("quotes inside", r".\""),
    ("question", r"\?$"),
    ("parenthesis", r"\("),
    ("abbreviation", r"\babbr|\bfor short|\bbriefly|\binits?\b|\borg\b|acronym"),
    ("example", r"\b(e\.g|for (one|example|instance)|say|perhaps|maybe|such as|among)\b"),
    ("informal", r"\b(slang|informal|informally|colloquial)"),
    ("old or regional", r"\b(poetic|obsolete|archaic|old|scottish|scots|scot|ancient|dialect)"),
    ("foreign language", r"\bin (french|spanish|italian|german|latin|paris|spain|france|mexico)\b|\w, in [a-z]+"),
    ("language", r"\b(french|spanish|italian|german|latin|hebrew|hawaiian|japanese|greek|sp|fr|ger|lat)\b"),
    ("affix", r"\b(prefix|suffix|ending|ender|starter|opener|lead-in|follower|precede|preceder)\b"),
    ("brand", r"\b(brand|maker|rival|competitor|company|chain|store|app|site|automaker|soda|cookie|cereal|airline)\b"),
    ("sport", r"\b(team|league|player|players|qb|nba|nfl|mlb|nhl|golfer|golf|tennis|soccer|baseball|athlete|coach)\b"),
    ("letters", r"\b(org|agcy|group|dept|assn|letters|initials|inits|grp|degree|stat|unit|network|channel)\b"),
    ("screen", r"\b(tv|film|movie|show|sitcom|series|song|album|band|rapper|star|role|character|disney|snl)\b"),
    ("all quoted", r"^\W*\"[^\"]*\"\W*$"),
    ("exclamation", r"!"),
    ("reference", r"\d-(across|down)"),
    ("place", r"\b(city|town|river|lake|island|port|country|state|capital|province|mountain|region|sea|village)\b"),
    ("people", r"\b(language|people|tribe|name|king|queen|god|goddess|author|actor|singer|president|poet|prophet)\b"),
    ("creature", r"\b(fish|bird|plant|tree|animal|insect|shrub|antelope|monkey|dog|horse|flower|grass|fruit|herb)\b"),
    ("names someone", r"(?-i:[a-z,] [A-Z][a-z])"),
    ("begins small", r"(?-i:^[a-z])"),
    ("digits", r"\d"),
)  # fmt: skip
"""(name, pattern); patterns are tried on the clue without accents, case ignored."""

_LENGTHS = (1, 2, 3, 5, 8)
"""Bounds of the classes of clues by number of words; longer clues are in a last class."""

_COMPILED = tuple(re.compile(pattern, re.IGNORECASE | re.ASCII) for _, pattern in _RULES)

SHAPES = tuple(name for name, _ in _RULES) + tuple(f"up to {n} words" for n in _LENGTHS) + ("longer",)
"""Names of the shape's numbers, in order."""


def shape(clue: str) -> NDArray[np.float32]:
    """Return the shape of a clue: 1 for each rule of `SHAPES` that it meets, else 0.

    >>> [name for name, value in zip(SHAPES, shape("To lower; to reduce"), strict=True) if value]
    ['any', 'infinitive', 'several definitions', 'up to 5 words']
    """
    text = ascii_text(clue.replace("\u201c", '"').replace("\u201d", '"'))
    words = len(text.split())
    kind = next((place for place, most in enumerate(_LENGTHS) if words <= most), len(_LENGTHS))
    found = [bool(pattern.search(text)) for pattern in _COMPILED] + [
        place == kind for place in range(len(_LENGTHS) + 1)
    ]
    return np.array(found, np.float32)
