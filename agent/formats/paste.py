"""From a paste to plain lines of clue text: whatever mails, chats, web pages, tables and columns put around them.

Each line keeps the number of the line that it comes from, for messages. Nothing here knows what a clue is, except that
it begins with a number.
"""

from __future__ import annotations

import csv
import quopri
import re
import unicodedata
from collections.abc import Sequence

from agent.formats.common import INVISIBLE, plain

Lines = list[tuple[int, str]]
"""(number of the line in the paste, text)."""

LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")

KEYCAP = re.compile("(?<=[0-9])\ufe0f?\u20e3")
"""The frame of a key round a digit."""

ENCLOSED = re.compile("^[\u2460-\u2473\u2776-\u2793\u24f5-\u24fe]\ufe0f?\\s*")
"""A number in a circle at the beginning of a line."""

RAISED = re.compile("^([\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3})\\s*(?=\\S)")
"""A number in small raised digits at the beginning of a line."""

WIDE_HEADING = re.compile(r"\W*(a ?c ?r ?o ?s ?s|d ?o ?w ?n)\W*", re.IGNORECASE)
"""A heading with blanks between its letters, or in other letters than those of ASCII."""

ESCAPED = re.compile(r"^(\W?\d{1,3})\\([.)])")
"""Markdown's protection of a number at the beginning of a line."""

ARROWS = {"➡": "Across", "→": "Across", "⬇": "Down", "↓": "Down"}
"""Signs that stand for a heading."""

DRAWN = re.compile(r"\s*(?:(?:```|~~~)\w*|={3,}|--|-{5,})\s*")
"""The fence round a piece of code, a line drawn under a heading or between parts, or above a mail's signature."""

SPANS = re.compile(r"</span>(?=\s*<span\b)", re.IGNORECASE)
"""Between two parts of a line of HTML, such as a number and its text."""

LIST_ITEM = re.compile(r"<li\b[^<>]{0,200}?\bvalue\s*=\s*[\"']?(\d{1,3})\b[^<>]{0,100}>", re.IGNORECASE)
"""A list item of HTML that states its number."""

BLOCK_TAG = re.compile(r"</?(?:br|p|li|div|h[1-6]|[uod]l|d[td]|t[rdh]|table|section)\b[^<>]{0,300}>", re.IGNORECASE)
"""A tag of HTML that begins or ends a line."""

MAIL_HEAD = re.compile(r"(?:from|sent|to|cc|bcc|reply-to)\s*:.*", re.IGNORECASE)
SUBJECT = re.compile(r"subject\s*:\s*(?:(?:re|fwd?)\s*:\s*)*(?=\S)", re.IGNORECASE)
"""Lines above a mail: they go, but for its subject."""

PRINTABLE = re.compile(r"[^=]*(?:=(?:[0-9A-F]{2}|\n)[^=]*)+")
SURELY_PRINTABLE = re.compile(r"=[C-F][0-9A-F]=[89AB][0-9A-F]|[^\n]{60}=\n")
"""Text that is quoted-printable, as a mail's source is: no other `=` in it, and a letter beyond ASCII or a long line
that goes on. `10+10=20` is not."""

PAGE_NUMBER = re.compile(r"\s*[-–—]\s?\d{1,3}\s?[-–—]\s*")

QUOTED = re.compile(r"^(?:[>|]\s*)+(?=[^\s>|]|$)")
"""The marks of quoted mail at the beginning of a line."""

CHAT = re.compile(
    r"^(?:\[\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AP]M)?\]\s+[^:]{1,40}:\s"
    r"|\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}(?:\s?[AP]M)?\s+-\s+[^:]{1,40}:\s)",
    re.IGNORECASE,
)
"""The time and the name before a message, as chats are exported."""

BULLET = re.compile(r"^(?:(?:[-–—*•‣◦▪●○·✓✔☑☐□✅➤→]\ufe0f?|\[[ xX]?\])\s+)+(?=\W{0,3}(?:\d|\w{2}))")
"""The sign before an item of a list."""

BOLD = re.compile(r"^(\*\*|__|\*|_)(\W?\d{1,3}\W?(?:across|down|[ad])?\W?)\1(?=[\s.:)]|$)", re.IGNORECASE)
"""Markdown's emphasis on the number of a clue."""

BOLD_LINE = re.compile(r"^(\*\*|__)([^*_].*)\1$")

BOTH_HEADINGS = re.compile(r"^\W*(across)\b[^\w|]*?(\t|\s{2,}|\s*\|\s*)\W*(down)\b\W*$", re.IGNORECASE)
"""The headings of two columns."""

RULE = re.compile(r"^[\s|:+=-]*$")
"""The line under the head of a table, or a line drawn between parts."""

CSV_ROW = re.compile(
    r"^\"?(?:\d{1,3}|across|down|[ad])\"?\s*[,;\t]\s*\"?(?:\d{1,3}|across|down|[ad])\"?\s*[,;\t]", re.IGNORECASE
)

ANSWER_COLUMN = re.compile(r"(?<=[a-z)?!.’”\"])\t+ *(?=[A-Z][A-Z .'’-]+ *$)")
"""Before the answer in a spreadsheet's last column."""

DIVIDED = re.compile(r"\W*[A-Za-z]+[a-z]-")
COMPOUND = re.compile(r"\W*(?:all|ex|half|high|long|low|old|one|self|short|two|well)-", re.IGNORECASE)
"""The beginning of a word that is divided at the end of a line, and one that keeps its hyphen."""

HEAD = "|"
"""Begins a row of a table that holds no clue: above a line of dashes it is the table's head."""

NUMBER = re.compile(r"\d{1,3}[.:)\s]")
NEXT_COLUMN = re.compile(r"(?<=\S) {2,}(?=\d{1,3}[.:)]? +[A-Z\"'“‘_(\[])")
"""How a clue begins, at the beginning of a line and in a further column."""

NEAR = 4
"""Characters by which the second column may begin beside its heading."""


def read_lines(text: str) -> Lines:
    r"""Return the lines of a paste without what surrounds them; two columns come one after the other.

    >>> read_lines("Across    Down\n1. Cat    1. Oak\n          2. Elm")
    [(1, 'Across'), (2, '1. Cat'), (1, 'Down'), (2, '1. Oak'), (3, '2. Elm')]
    >>> read_lines("> **1.** Cat\n>\n<li value='4'>Dog</li>")
    [(1, '1. Cat'), (2, ''), (3, '4. Dog')]
    """
    lines: Lines = []
    for number, whole in enumerate(LINE_END.split(KEYCAP.sub("", _decoded(text).translate(INVISIBLE))), 1):
        if PAGE_NUMBER.fullmatch(whole):
            continue
        line = CHAT.sub("", QUOTED.sub("", whole) if not _is_table(whole) else whole)
        line = "" if DRAWN.fullmatch(line) else SPANS.sub("</span> ", line)
        broken = BLOCK_TAG.sub(lambda tag: "\n" + tag[0], line)
        pieces = [LIST_ITEM.sub(r"\1. ", piece) for piece in broken.split("\n")]
        lines += [(number, piece) for piece in [one for one in pieces if plain(one)] or [""]]
    return [(number, _bare(line)) for number, line in _by_column(_one_column(_rows(_without_head(lines))))]


def _decoded(text: str) -> str:
    """Decode quoted-printable text; any other stays as it is.

    >>> _decoded("1. Ca=\\nf=C3=A9"), _decoded("1. 10+10=20")
    ('1. Café', '1. 10+10=20')
    """
    if not (PRINTABLE.fullmatch(text) and SURELY_PRINTABLE.search(text)):
        return text
    return quopri.decodestring(text.encode()).decode("utf-8", errors="replace")


def _by_column(lines: Lines) -> Lines:
    """Split lines that hold clues of several columns; each column comes below the one before.

    >>> _by_column([(1, "1 Cat    5 Dog"), (2, "2 In  2026")])
    [(1, '1 Cat'), (2, '2 In  2026'), (1, '5 Dog')]
    """
    found: Lines = []
    rows: list[list[tuple[int, str]]] = []
    for number, line in [*lines, (0, "")]:
        if NUMBER.match(line.lstrip()):
            rows.append([(number, part) for part in NEXT_COLUMN.split(line)])
        else:
            width = max(map(len, rows), default=0)
            found += [row[at] for at in range(width) for row in rows if at < len(row)]
            found.append((number, line))
            rows = []
    return found[:-1]


def _without_head(lines: Lines) -> Lines:
    """Remove the lines above a mail, if it begins with them; its subject stays, for a title."""
    heads = (MAIL_HEAD.fullmatch(line.strip()) or SUBJECT.match(line.strip()) or not line.strip() for _, line in lines)
    end = next((at for at, is_head in enumerate(heads) if not is_head), len(lines))
    if not any(MAIL_HEAD.fullmatch(line.strip()) for _, line in lines[:end]):
        return lines
    titles = [(at, SUBJECT.sub("", line.strip())) for at, line in lines[:end] if SUBJECT.match(line.strip())]
    return titles + lines[end:]


def joined(lines: Sequence[str]) -> str:
    """Join the lines of a clue, and words that were divided between them.

    >>> joined(["Small in-", "sect"]), joined(["Not well-", "known"]), joined(["Pre-", "and post-war"])
    ('Small insect', 'Not well-known', 'Pre- and post-war')
    """
    found = ""
    for line in lines:
        last = found.rpartition(" ")[2]
        if DIVIDED.fullmatch(last) and line[:2].islower() and line.split()[0] not in {"and", "or", "to"}:
            found = found if COMPOUND.fullmatch(last) else found[:-1]
        else:
            found += " "
        found += line
    return found.strip()


def bare(line: str) -> str:
    """Remove HTML and Markdown from a line, as :func:`read_lines` does.

    >>> bare("* __4__ <i>Dog</i>")
    '4 Dog'
    """
    return _bare(line)


def _bare(line: str) -> str:
    text = plain(line)
    text = BULLET.sub("", BOLD_LINE.sub(r"\2", text))
    text = ENCLOSED.sub(lambda sign: f"{unicodedata.numeric(sign[0][0]):.0f}. ", ESCAPED.sub(r"\1\2", text))
    text = RAISED.sub(lambda sign: unicodedata.normalize("NFKC", sign[1]) + ". ", text)
    heading = WIDE_HEADING.fullmatch(unicodedata.normalize("NFKC", text))
    if heading and not (text.isascii() and " " not in heading[1]):
        return "".join(heading[1].split())
    return ARROWS.get(text.rstrip("\ufe0f :"), BOLD.sub(r"\2", text))


def _is_table(line: str) -> bool:
    """Return whether a line is a row of a table drawn with bars."""
    return line.strip().startswith("|") and line.count("|") > 1


def _rows(lines: Lines) -> Lines:
    """Turn rows of tables into lines: `| 1 | text |` and `Across,1,text`; the head of a table goes.

    Rows below the headings of two columns keep the bar between them.
    """
    found: Lines = []
    in_columns = False
    for number, line in lines:
        inner = line.strip().strip("|")
        in_columns |= BOTH_HEADINGS.match(inner) is not None
        if _is_table(line) and RULE.match(line):
            if found and found[-1][1].startswith(HEAD):
                found.pop()
        elif _is_table(line) and not in_columns:
            cells = [cell.strip() for cell in inner.split("|")]
            found.append((number, _row(cells) or HEAD + " ".join(cells)))
        elif CSV_ROW.match(line):
            sign = max(",;\t", key=line.count)
            cells = line.split(sign) if sign == "\t" else next(csv.reader([line], delimiter=sign))
            found.append((number, _row([cell.strip() for cell in cells]) or line))
        else:
            found.append((number, ANSWER_COLUMN.sub(" ~ ", inner if _is_table(line) else line)))
    return found


def _row(cells: Sequence[str]) -> str:
    """Return the clue in a row of a table; "" if it is not one.

    That is number and text, perhaps a direction before them, and a length behind.
    """
    first = [cell.strip("*_ ").rstrip(".") for cell in cells[:2]]
    ways = [cell[0].upper() for cell in first if re.fullmatch("across|down|[ad]", cell, re.IGNORECASE)]
    numbers = [cell for cell in first if re.fullmatch(r"\d{1,3}[AaDd]?", cell)]
    told = cells[len(ways) + len(numbers) :]
    length = f" ({told[1]})" if len(told) == 2 and re.fullmatch(r"\d{1,2}", told[1]) else ""
    if not numbers or len(told) != 1 + bool(length):
        return ""
    return f"{numbers[0]}{ways[0] if ways else ''}. {told[0]}{length}"


def _one_column(lines: Lines) -> Lines:
    """Put the second of two columns below the first, from the line with both headings on."""
    start = next((at for at, (_, line) in enumerate(lines) if BOTH_HEADINGS.match(line.rstrip())), None)
    if start is None:
        return lines
    heads = lines[start][1]
    found = BOTH_HEADINGS.match(heads.rstrip())
    assert found is not None  # noqa: S101  # this line was chosen by it
    sign = "\t" if "\t" in found[2] else "|" if "|" in found[2] else ""
    place = found.start(3)
    left: Lines = []
    right: Lines = []
    for number, line in lines[start:]:
        if RULE.match(line) and line.strip():
            continue
        first, second = line.partition(sign)[::2] if sign else _cut(line, place)
        if first.strip() or not second.strip():
            left.append((number, first))
        if second.strip():
            right.append((number, second.strip().strip("|")))
    return [*lines[:start], *left, *right]


def _cut(line: str, place: int) -> tuple[str, str]:
    """Cut a line at the gap after which the second column begins, nearest to its place."""
    gaps = [gap.end() for gap in re.finditer(r"(?:^|(?<=\S))\s{2,}(?=\S)", line)]
    at = min(gaps, key=lambda end: abs(end - place), default=0)
    if not gaps or abs(at - place) > NEAR:  # columns that are not aligned: there is one gap, before a number
        before_numbers = [end for end in gaps if line[:end].strip() and NUMBER.match(line, end)]
        if len(before_numbers) != 1:
            return line, ""
        (at,) = before_numbers
    return line[:at], line[at:]
