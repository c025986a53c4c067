"""Reading clues: from clue text to queries and hints about the answer.

Everything is in tables (:data:`RULES`, :data:`CONTEXTS`, :data:`LANGUAGES`), and each row carries its own example,
which the tests run; they are half of this module's length. The rest is the handful of things that need more than a
row: blanks, topics in parentheses, several definitions in one clue, and references to other clues.

The order in which a clue is read matters: each step takes its own words out of what later steps see. First the
enumeration and typographic quotes go, then references ("See 4-Down" ends the reading there, as the clue has no
definition of its own), the language, topics in parentheses, the rules with `cut`, and the blank or the named context.
What is left is the definition, and only that is split into parts. No pattern sees more than LONGEST_CLUE characters, so
that no text takes long.

>>> reading = read_clue("___ Ali (boxing)")
>>> reading.right, reading.topic, reading.parts, sorted(reading.signals)
(('Ali',), 'boxing', ('boxing',), ['blank', 'name'])
>>> read_clue("Subway, in Paris").language
'fr'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from agent.candidates.provider import Question, Reference, Role
from agent.grid import Clue
from agent.text import answer_letters

CONTEXT_WORDS = 3
"""Maximum number of words kept on each side of a blank: Datamuse looks at one or two, more would be noise."""
LONGEST_CLUE = 500
"""Maximum number of characters read of a clue: printed ones have at most 200, a hostile file may have any number."""
LONGEST_PART = 12
"""Definitions of more words are kept whole: their pieces mean little on their own."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A clue, understood.

    `parts` are definitions to look up, the whole clue's first, then each of several. `left` and `right` are the
    words next to the answer, in reading order: those around a blank, or those that the answer follows or precedes.
    `language` is an ISO 639 code if the answer is foreign, `opposite` a word that the answer is the opposite of.
    """

    text: str
    parts: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    topic: str = ""
    signals: frozenset[str] = frozenset()
    language: str = ""
    opposite: str = ""
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A signal, the words that give it, an example and the most similar clue without the signal.

    `cut`: the words are not part of the definition and are taken out of it.
    """

    signal: str
    pattern: str
    example: str
    against: str
    cut: bool = False


_STOP = r"(?:of|in|on|at|by|for|from|to|with|and|or|that|who|which|whose|where|when|as|than|after|before|into|over)\b"

RULES: tuple[Rule, ...] = (
    Rule("wordplay", r"\?$", "Runner in a taxi?", '"Anybody home?"'),
    Rule("quoted", r'^"[^"]*"$', '"Behold!"', '"Dame" or "Sir"'),
    Rule("sound", r"^\[.*\]$", "[Achoo!]", "Sound of a sneeze"),
    Rule(
        "abbreviation",
        r"\babbr(?:ev)?\b|\bfor short\b|\bin brief\b|\bbriefly\b",
        "Weight units: Abbr.",
        "Abbreviate",
        cut=True,
    ),
    Rule(
        "abbreviation",
        r"\b(?:org|inits?|dept|assn|assoc|gov|univ|govt)\.(?=\W|$)|\bacronym\b|\binitials\b",
        "Spy org.",
        "Church organ",
    ),
    Rule(
        "example",
        r"\be\.\s?g\b\.?|\bfor (?:one|two|example|instance)\b(?=\s*(?:[,.:;]|$))|\bamong others\b"
        r"|, (?:say|often)(?=[,.:]|$)|\b(?:perhaps|maybe)$",
        "Knee or elbow, e.g.",
        "Say again",
        cut=True,
    ),
    Rule("phrase", r"\b(?:\d|two|three) w(?:or)?ds?\b", "At sea: 2 wds.", "Word on a sign", cut=True),
    Rule(
        "slang",
        r"\bin (?:\w+ )?slang\b|\bslangily\b|\binformally\b|\bcasually\b|\bin a text\b|\bin texts\b|\bto a teen\b",
        "Hot gossip, in slang",
        "Slang expert",
        cut=True,
    ),
    Rule("old", r"\bonce\b$|\bof old\b|\barchaic(?:ally)?\b|\bto a poet\b|\bpoetically\b", "Before, to a poet", "Poet"),
    Rule(
        "plural",
        rf"^(?!(?:like|was|is|has|does|it)\b)(?:(?!{_STOP})[\w'-]+ ){{0,3}}?(?!{_STOP})[\w'-]*"
        rf"(?:[^\W_siu'][s]|men|people|mice|feet|teeth)"
        rf"(?= {_STOP}|[,;:(]|$)",
        "Kings, knights and pawns",
        "Fondness for pawns",
    ),
    Rule(
        "past",
        r"^(?!.?(?:[rw]?eed|need|speed|breed|indeed|sacred|hundred|naked)\b)(?:\w{2,}ed|was|were|had|did|went|took|got"
        r"|made|ran|gave|came|saw|knew|left|lost|kept|held|felt|told|found|brought|bought|caught|wrote"
        r"|drove|ate)\b",
        "Did a novelist's job",
        "Speed (music)",
    ),
    Rule(
        "gerund",
        r"^(?!(?:thing|king|ring|string|spring|sing|swing|wing|bring|during|ceiling|evening|morning|[a-z]+thing)\b)\w{2,}ing\b",
        "Sharing, as a secret",
        "String of replies online",
    ),
    Rule("comparative", r"^(?:more|less)\b|^\w+er than\b", "More sly", "Moreover"),
    Rule("superlative", r"^(?:most|least)\b", "Most sly", "Mostly"),
    Rule("like", r"^like\b", "Like draft beer", "Fondness"),
    Rule("name", r"(?<=[\w,] )(?!I\b|I'|TV\b)[A-Z][\w'.]+", "Pompeo of Grey's Anatomy", "Shark week"),
)
"""What words signal about the answer. Matching ignores case (but not for `name`, which is about capitals)."""

_CASED = frozenset({"name"})


@dataclass(frozen=True, slots=True)
class Context:
    """A way of saying which words stand next to the answer: `{}` in `left` or `right` is the word that is caught.

    `expected` is what the example's reading has on that side.
    """

    signal: str
    pattern: str
    example: str
    expected: tuple[str, ...]
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    cut: bool = False


_BARE = r"(?P<word>[\w-]+(?:'(?!s\b)\w+)?)"
_WORD = rf"[\"']?{_BARE}[\"']?"

CONTEXTS: tuple[Context, ...] = (
    Context("joined", r",\"? with \"(?P<word>the|a|an|my)\"$", 'TV crew, with "the"', ("the",), left=("{}",), cut=True),
    Context("joined", rf",\"? with \"{_BARE}\"$", 'Barely beat, with "out"', ("out",), right=("{}",), cut=True),
    Context("partner", rf"^{_WORD}'s partner\b", "Lemonade's partner", ("Lemonade", "and"), left=("{}", "and")),
    Context("partner", rf"^partner (?:of|for|to) {_WORD}", 'Partner of "void"', ("void", "and"), left=("{}", "and")),
    Context("follower", rf"^{_WORD} follower\b", "Ping follower", ("Ping",), left=("{}",)),
    Context("follower", rf"^(?:it )?(?:follows|comes after) {_WORD}", "It follows ping", ("ping",), left=("{}",)),
    Context("follower", rf"^suffix (?:with|for|after) {_WORD}", "Suffix with real", ("real",), left=("{}",)),
    Context("preceder", rf"^{_WORD} (?:preceder|lead-in|starter|opener)\b", "Pong preceder", ("Pong",), right=("{}",)),
    Context("preceder", rf"^(?:it )?(?:precedes|comes before) {_WORD}", "It precedes pong", ("pong",), right=("{}",)),
    Context("preceder", rf"^prefix (?:with|for|before) {_WORD}", "Prefix with cycle", ("cycle",), right=("{}",)),
    Context("opposite", rf"^(?:opposite|antithesis|antonym) of {_WORD}", "Opposite of post-", ()),
    Context("opposite", rf"^not {_WORD}$", "Not new", ()),
)
"""How a clue names the answer's neighbours without a blank; the first that fits counts."""

LANGUAGES: Mapping[str, tuple[str, ...]] = {
    "fr": (
        "French",
        "en français",
        "Paris",
        "Bordeaux",
        "Cannes",
        "Nice",
        "Lyon",
        "Marseille",
        "Quebec",
        "Québec",
        "Dijon",
    ),
    "es": ("Spanish", "en español", "Madrid", "Spain", "México", "Mexico", "Barcelona", "Sevilla", "Seville", "Havana"),
    "de": ("German", "auf Deutsch", "Berlin", "Munich", "Bonn", "Cologne", "Vienna", "Frankfurt", "Hamburg"),
    "it": ("Italian", "in italiano", "Rome", "Milan", "Naples", "Venice", "Florence", "Turin"),
    "pt": ("Portuguese", "em português", "Lisbon", "Rio", "Brazil", "São Paulo", "Portugal"),
    "la": ("Latin", "Caesar's time", "ancient Rome"),
    "ja": ("Japanese", "Tokyo", "Kyoto", "Osaka"),
    "ru": ("Russian", "Moscow"),
    "el": ("Greek", "Athens"),
    "ga": ("Irish", "Gaelic"),
    "haw": ("Hawaiian", "Honolulu"),
    "yi": ("Yiddish",),
    "he": ("Hebrew", "Tel Aviv"),
    "sco": ("Scots", "Glasgow", "Scotland"),
}
"""ISO 639 code -> the names a clue gives the language, adjective first, then phrases and places that stand for it."""


def _language_pattern(adjective: str, *places: str) -> str:
    small_words = "article|pronoun|preposition|conjunction|word|for|one|two|three|yes|no|friend|infinitive|negative"
    phrases = "|".join(re.escape(place) for place in places if " " in place and not place.startswith("ancient"))
    single = "|".join(re.escape(place) for place in (adjective, *places))
    pattern = rf"[,\s]*\bin (?:{single})$|^(?:{adjective}) (?={small_words})"
    return rf"{pattern}|[,\s]*\b(?:{phrases})$" if phrases else pattern


@lru_cache(maxsize=256)
def _compiled(pattern: str, cased: bool = False) -> re.Pattern[str]:
    """Compile a row of a table when it is first needed: a start without questions needs none."""
    return re.compile(pattern, 0 if cased else re.IGNORECASE)


_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "\xad": ""})
_LINE = re.compile(r"_+")
_DASH = re.compile(r"-{3,}|[—–―]{2,}|(?:^|(?<=[\"( ]))(?:[—–―]|--)(?=[ ,.!?'\"]|$)")
_DASH_INSIDE = re.compile(r"(?<=\w) (?:[—–―]|--) (?=\w)")
_TOPIC = re.compile(r"\(([^()]*)\)")
_ENUMERATION = re.compile(r"\s*\(\d+(?:[,\-. /]+\d+)*\)\s*$")
_DIGIT = re.compile(r"\d")
_NUMBERS = r"(?:\d{1,3}-?(?:, and | and |, | & |/|,))*\d{1,3}(?:-(?:across|down|a\b|d\b)| (?-i:Across|Down)\b)"
_REFERENCES = re.compile(rf"\b{_NUMBERS}", re.IGNORECASE)
_SEE = re.compile(rf"^see (?:also )?(?:{_NUMBERS}(?:, and | and |, )?)+[.!]?$", re.IGNORECASE)
_WITH = re.compile(rf"(?:^|[,;] )with (?:{_NUMBERS}(?:, and | and |, )?)+(?:[,:;] ?|$|(?<=, ))", re.IGNORECASE)


def clue_text(text: str) -> str:
    """Return a clue's text in the one form in which clues are compared: Unicode NFC, white space folded.

    >>> clue_text(" Cre\u0300me  de la ___ ")
    'Crème de la ___'
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def read_clue(text: str, references: Sequence[Reference] = ()) -> Reading:
    """Understand one clue; `references` are its question's; without any, those in the text are found. Never fails.

    >>> read_clue("Lost ... or sailing the Atlantic").parts
    ('Lost ... or sailing the Atlantic', 'Lost', 'sailing the Atlantic')
    >>> read_clue('Easier ___ than done').left, read_clue('Easier ___ than done').right
    (('Easier',), ('than', 'done'))
    """
    text = clue_text(text)
    work = _plain(text)
    references = tuple(reference for reference in references or _references(work) if reference.role != "further")
    signals = {"reference"} if references else set()
    if any(reference.role == "see" for reference in references):
        read = [read_clue(reference.text) for reference in references if reference.text]
        parts = tuple(dict.fromkeys(part for reading in read for part in reading.parts))
        topic = next((reading.topic for reading in read if reading.topic), "")
        return Reading(text, parts, topic=topic, signals=frozenset(signals), references=references)
    work = _WITH.sub("", work).strip()

    language, work = _language(work)
    if language:
        signals.add("foreign")
    topic = ", ".join(found.strip() for found in _TOPIC.findall(work) if found.strip())
    work = " ".join(_TOPIC.sub(" ", work).split())
    for rule in RULES:
        pattern = _compiled(rule.pattern, rule.signal in _CASED)
        if pattern.search(work):
            signals.add(rule.signal)
            if rule.cut:
                work = " ".join(re.sub(r"\s*,\s*,", ",", pattern.sub("", work)).split()).strip(" ,:;.")
    left, right, work = _blank(work)
    opposite = ""
    if left is not None and right is not None:
        signals.add("blank")
    else:
        signal, left, right, opposite, work = _context(work)
        signals |= {signal} if signal else set()
    parts = _parts(work)
    if "blank" in signals:
        parts = tuple(dict.fromkeys((topic, *parts))) if topic else parts
    return Reading(text, parts, left, right, topic, frozenset(signals), language, opposite, references)


def definition(question: Question) -> str:
    """Return a clue's definition of its answer: the clue as printed, or the clue that it only points to.

    >>> see = Reference("1A", "see", 4, "With 2-Down, a week's length")
    >>> definition(Question("2D", "See 1-Across", 3, references=(see,)))
    "a week's length"
    """
    reading = read_clue(question.clue, question.references)
    return reading.parts[0] if reading.references and reading.parts else question.clue


def given_away(clue: str) -> frozenset[str]:
    """Return the words of a clue, folded as answers are: no setter prints the answer itself. None around a blank.

    It was printed in none of 1,739 slots of tuning puzzles; `Bye-___` may well ask for the other BYE.

    >>> sorted(given_away("To greet; to weep")), sorted(given_away("Bye-___"))
    (['GREET', 'TO', 'WEEP'], [])
    """
    work = clue[:LONGEST_CLUE]
    return frozenset(map(answer_letters, _words(work))) if _blank(work)[0] is None else frozenset()


def resolve_references(clues: Sequence[Clue], lengths: Mapping[str, int]) -> dict[str, tuple[Reference, ...]]:
    """Return for each slot the references of its clue: the slots it mentions, in their order, then further ones.

    `lengths` is slot name -> cells. Chains of "See ..." are followed to their end, also if they go in a circle; their
    slots come last. A reference to a slot that is not there, or to itself, has length 0.

    >>> clues = [Clue("1A", "With 4-Across, how fast a race car can go"), Clue("4A", "See 1-Across")]
    >>> for slot, references in resolve_references(clues, {"1A": 3, "4A": 5}).items():
    ...     print(slot, references[0].role, references[0])
    1A with 4-Across (5)
    4A see 1-Across (3): With 4-Across, how fast a race car can go
    """
    texts = {clue.slot: clue_text(clue.text) for clue in clues}
    seen = {slot: _seen(text) for slot, text in texts.items()}
    resolved = {}
    for slot, text in texts.items():
        found = {reference.slot: reference for reference in _references(_plain(text))}
        further: Role = "see" if any(reference.role == "see" for reference in found.values()) else "further"
        todo = list(found)
        # Every slot is taken up once, so that circles end.
        while todo:
            other = todo.pop(0)
            known = found.get(other, Reference(other, further))
            if other != slot and not known.length and other in texts and other in lengths:
                told = "" if slot in seen[other] else texts[other]
                found[other] = replace(known, length=lengths[other], text=told)
                todo += seen[other]
        resolved[slot] = tuple(found.values())
    return resolved


def _plain(text: str) -> str:
    """Return a clue as it is read: plain quotes, no enumeration at its end, not too long."""
    return " ".join(_ENUMERATION.sub("", text[:LONGEST_CLUE].translate(_QUOTES)).split())


def _seen(text: str) -> list[str]:
    """List the slots that a clue says to see, if that is all that it says."""
    return [
        reference.slot for reference in _references(text[:LONGEST_CLUE].translate(_QUOTES)) if reference.role == "see"
    ]


def _references(work: str) -> tuple[Reference, ...]:
    if not _DIGIT.search(work):
        return ()
    joined = _WITH.search(work)
    see = _SEE.match(work)
    found: dict[str, Reference] = {}
    for match in _REFERENCES.finditer(work):
        with_it = joined and joined.start() <= match.start() < joined.end()
        role: Role = "see" if see else "with" if with_it else "mention"
        direction = "A" if re.search(r"[- ]a\w*$", match[0], re.IGNORECASE) else "D"
        for number in re.findall(r"\d+", match[0]):
            slot = f"{int(number)}{direction}"
            found.setdefault(slot, Reference(slot, role))
    return tuple(found.values())


def _language(work: str) -> tuple[str, str]:
    said = work.casefold()
    for code, names in LANGUAGES.items():
        if not any(name.casefold() in said for name in names):
            continue
        pattern = _compiled(_language_pattern(*names))
        if pattern.search(work):
            return code, re.sub(r"^for\s+", "", pattern.sub("", work).strip(" ,"), flags=re.IGNORECASE)
    return "", work


def _blank(work: str) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None, str]:
    """Find the first blank; return the words left and right of it, and the part of the clue that is a definition."""
    kind = _LINE if _LINE.search(work) else _DASH
    match = kind.search(work)
    if not match or (kind is _DASH and _DASH_INSIDE.search(work)):
        return None, None, work
    left = _words(re.split(r"[.;:!?\"()]", work[: match.start()])[-1])[-CONTEXT_WORDS:]
    after = re.sub(r"^'s\b", "", work[match.end() :])
    right = _words(re.split(r"[.,;:!?\"()]", kind.split(after)[0])[0])[:CONTEXT_WORDS]
    # The blank's own sentence or quotation is its context; the others may define the answer.
    others = [piece for piece in re.split(r"[;:\"]", work) if not kind.search(piece)]
    return left, right, "; ".join(piece.strip() for piece in others if _words(piece))


def _context(work: str) -> tuple[str, tuple[str, ...], tuple[str, ...], str, str]:
    """Find the neighbours that the clue names; return signal, left, right, opposite, and the rest of the clue."""
    for context in CONTEXTS:
        if match := _compiled(context.pattern).search(work):
            left, right = (tuple(w.replace("{}", match["word"]) for w in s) for s in (context.left, context.right))
            opposite = match["word"] if context.signal == "opposite" else ""
            return context.signal, left, right, opposite, work[: match.start()] if context.cut else work
    return "", (), (), "", work


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+(?:['.-][^\W_]+)*", text))


def _parts(work: str) -> tuple[str, ...]:
    """Split a clue that has several definitions; the whole comes first."""
    if work.startswith("[") and work.endswith("]"):
        work = work[1:-1]
    whole = work.strip(" ,:;.?!'").replace('"', "")
    if not _words(whole):
        return ()
    parts = [whole]
    if ";" in whole:
        parts = [piece for piece in whole.split(";") if piece.strip()]
    for part in list(parts):
        if len(_words(part)) <= LONGEST_PART:
            pieces = re.split(r"\s*(?:,|\.\.\.)?\s*\bor\b(?! not\b)\s*|\s*\.\.\.\s*", part)
            parts += pieces if len(pieces) > 1 else []
        head, comma, tail = part.partition(", ")
        if comma and not re.search(r",|\b(?:and|or)\b", tail):
            parts.append(head)
    cleaned = (part.strip(" ,:;.?!") for part in parts)
    return tuple(dict.fromkeys(part for part in cleaned if _words(part)))
