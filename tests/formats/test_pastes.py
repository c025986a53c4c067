"""The ways in which people paste a puzzle's clues: each is read right, or a line says what to change."""

from __future__ import annotations

import csv
import html
import io
import quopri
import re
from pathlib import Path

import pytest

from agent.api import open_puzzle, read_puzzle
from agent.errors import FormatError
from agent.formats import write_puzzle
from agent.grid import ClueText

MINIS = Path(__file__).parents[2] / "data" / "minis"
PUZZLES = {size: open_puzzle(MINIS / f"{name}.xd") for size, name in (("5x5", "mini-01"), ("7x7", "week-01"))}


def clues(puzzle, way):
    return [(slot.number, puzzle.clue(slot), len(slot)) for slot in puzzle.grid.slots if slot.direction == way]


def sections(form, heads=("Across", "Down"), between=""):
    """Return a function that writes one line for each clue below a heading."""

    def write(puzzle):
        parts = []
        for head, way in zip(heads, ("across", "down"), strict=True):
            lines = [form.format(n=n, text=text, length=length) for n, text, length in clues(puzzle, way)]
            parts.append("\n".join(([head] if head else []) + lines))
        return f"\n{between}".join(parts) + "\n"

    return write


def tagged(form):
    """Return a function that writes each clue with its direction."""

    def write(puzzle):
        return "".join(
            form.format(n=n, text=text, letter=way[0].upper(), way=way, Way=way.title()) + "\n"
            for way in ("across", "down")
            for n, text, _ in clues(puzzle, way)
        )

    return write


def columns(left, right, gap=4):
    width = max(map(len, left)) + gap
    rows = max(len(left), len(right))
    padded = (column + [""] * (rows - len(column)) for column in (left, right))
    return "\n".join(f"{a:<{width}}{b}".rstrip() for a, b in zip(*padded, strict=True))


def lists(puzzle):
    return [[way.title(), *(f"{n}. {text}" for n, text, _ in clues(puzzle, way))] for way in ("across", "down")]


def quoted(puzzle):
    return "Hi, can you help?\n\n" + "\n".join(
        f"> {line}".rstrip() for line in NEWSPAPER(puzzle).replace("Down", "\nDown").split("\n")
    )


def quoted_twice(puzzle):
    return "\n".join(f">> {line}" if line else ">>" for line in NEWSPAPER(puzzle).replace("Down", "\nDown").split("\n"))


def chat(puzzle):
    return "\n".join(f"[22/11/2026, 13:36:05] Anna: {line}" for line in NEWSPAPER(puzzle).strip().split("\n"))


def chat_dashes(puzzle):
    return "\n".join(f"22.11.26, 13:36 - Anna B.: {line}" for line in NEWSPAPER(puzzle).strip().split("\n"))


def wrapped(puzzle):
    lines = NEWSPAPER(puzzle).strip().split("\n")
    return "\n".join(
        line.replace(" ", "\n", 3).replace("\n", " ", 2) if len(line.split()) > 4 else line for line in lines
    )


def html_list(puzzle):
    return "".join(
        f"<h2>{way.title()}</h2><ol>"
        + "".join(f'<li value="{n}">{text}</li>' for n, text, _ in clues(puzzle, way))
        + "</ol>"
        for way in ("across", "down")
    )


def html_lines(puzzle):
    return "".join(
        f"<p><b>{way.title()}</b></p>" + "".join(f"<div>{n}. {text}</div>" for n, text, _ in clues(puzzle, way))
        for way in ("across", "down")
    )


def html_numbers(puzzle):
    return "".join(
        f"<h3>{way.title()}</h3>\n<ul>\n"
        + "".join(f"<li><span>{n}</span> <i>{text}</i></li>\n" for n, text, _ in clues(puzzle, way))
        for way in ("across", "down")
    )


def table(puzzle):
    rows = [f"| {n} | {way.title()} | {text} |" for way in ("across", "down") for n, text, _ in clues(puzzle, way)]
    return "\n".join(["| # | Direction | Clue |", "|---|---|---|", *rows])


def two_tables(puzzle):
    parts = []
    for way in ("across", "down"):
        parts += [f"**{way.title()}**", "| No. | Clue |", "|:--|:--|"]
        parts += [f"| {n} | {text} |" for n, text, _ in clues(puzzle, way)]
    return "\n".join(parts)


def table_columns(puzzle):
    left, right = lists(puzzle)
    rows = max(len(left), len(right))
    padded = (column + [""] * (rows - len(column)) for column in (left, right))
    lines = [f"| {a} | {b} |" for a, b in zip(*padded, strict=True)]
    return "\n".join([lines[0], "| --- | --- |", *lines[1:]])


def separated(sign):
    def write(puzzle):
        out = io.StringIO()
        for way in ("across", "down"):
            csv.writer(out, delimiter=sign).writerows((n, way.title(), text) for n, text, _ in clues(puzzle, way))
        return out.getvalue()

    return write


def both_headings_first(puzzle):
    return "Across\nDown\n" + sections("{n}. {text}", ("", ""))(puzzle)


def lengths_below(puzzle):
    return sections("{n}. {text}\n({length})")(puzzle)


def twice(puzzle):
    return NEWSPAPER(puzzle) + "\n" + NEWSPAPER(puzzle)


def with_footer(puzzle):
    return NEWSPAPER(puzzle) + "\n7 ways to sleep better\nRead on\n"


def tabs(puzzle):
    left, right = lists(puzzle)
    rows = max(len(left), len(right))
    padded = (column + [""] * (rows - len(column)) for column in (left, right))
    return "\n".join(f"{a}\t{b}" for a, b in zip(*padded, strict=True))


NEWSPAPER = sections("{n}. {text}")


def marked(before, after=""):
    """Return a function that sets each line of a newspaper's list between invisible signs."""
    return lambda puzzle: "\n".join(line and before + line + after for line in NEWSPAPER(puzzle).split("\n"))


def exchanged(*pairs):
    """Return a function that exchanges parts of a newspaper's list."""

    def write(puzzle):
        text = NEWSPAPER(puzzle)
        for old, new in pairs:
            text = text.replace(old, new)
        return text

    return write


def numbered(form):
    """Return a function that writes the number of each clue by a function."""

    def write(puzzle):
        ways = ("across", "down")
        return "\n".join("\n".join([way, *(form(n) + text for n, text, _ in clues(puzzle, way))]) for way in ways)

    return write


def in_one_line(head, sign):
    """Return a function that writes the clues of a direction in one line."""
    return lambda puzzle: "\n".join(
        head.format(way.title()) + sign.join(f"{n}. {text}" for n, text, _ in clues(puzzle, way))
        for way in ("across", "down")
    )


def elements(section, item):
    """Return a function that writes a page of HTML without line ends."""
    return lambda puzzle: "".join(
        section.format(way.title(), "".join(item.format(n, html.escape(text)) for n, text, _ in clues(puzzle, way)))
        for way in ("across", "down")
    )


def spreadsheet(puzzle):
    rows = [
        f"{way.title()}\t{n}\t{text}\t{length}" for way in ("across", "down") for n, text, length in clues(puzzle, way)
    ]
    return "\n".join(["Direction\tNumber\tClue\tLength", *rows])


def divided(puzzle):
    """Divide the long words, each over two lines."""
    return re.sub(r"\b([A-Za-z][a-z]{4})([a-z]{3,})", "\\1-\n\\2", NEWSPAPER(puzzle))


def unaligned(puzzle):
    across, down = lists(puzzle)
    across, down = across + [""] * (len(down) - len(across)), down + [""] * (len(across) - len(down))
    return "\n".join(f"{a}    {b}".strip() for a, b in zip(across, down, strict=True))


def in_columns(puzzle):
    """Print each list in two columns, row by row."""
    parts = []
    for head, *rest in lists(puzzle):
        bare = [line.replace(".", "", 1) for line in rest]
        half = -(-len(bare) // 2)
        parts += [head, columns(bare[:half], bare[half:])]
    return "\n".join(parts)


READ = {
    "newspaper": NEWSPAPER,
    "capitals": sections("{n}. {text}", ("ACROSS", "DOWN"), "\n"),
    "colons": sections("{n}: {text}"),
    "brackets": sections("{n}) {text}"),
    "in brackets": sections("({n}) {text}"),
    "number alone": sections("{n}\n{text}"),
    "number alone, gaps": sections("\n{n}\n\n{text}\n"),
    "bare numbers": sections("{n} {text}"),
    "tabs after numbers": sections("{n}\t{text}"),
    "dot apart": sections("{n} . {text}"),
    "lengths at the end": sections("{n}. {text} ({length})"),
    "length first": sections("{n} ({length}) {text}"),
    "lengths below": lengths_below,
    "bullets of minus": sections("- {n}. {text}"),
    "bullets of dashes": sections("– {n}. {text}"),
    "bullets of stars": sections("* {n}. {text}", ("## Across", "## Down")),
    "ticks": sections("✓ {n}. {text}"),
    "boxes of tasks": sections("- [ ] {n}. {text}"),
    "bold numbers": sections("**{n}.** {text}", ("**Across**", "**Down**")),
    "bold numbers in a list": sections("- **{n}** {text}", ("### Across", "### Down")),
    "tagged in words": tagged("{n} {Way}: {text}"),
    "tagged with a dash": tagged("{n}-{Way}. {text}"),
    "tagged short": tagged("{n}{letter}. {text}"),
    "tagged, letter first": tagged("{letter}{n}: {text}"),
    "quoted mail": quoted,
    "mail quoted twice": quoted_twice,
    "chat": chat,
    "chat with dashes": chat_dashes,
    "wrapped lines": wrapped,
    "list of HTML": html_list,
    "lines of HTML": html_lines,
    "numbers of HTML": html_numbers,
    "table": table,
    "two tables": two_tables,
    "table of columns": table_columns,
    "columns": lambda puzzle: columns(*lists(puzzle)),
    "columns of tabs": tabs,
    "commas": separated(","),
    "semicolons": separated(";"),
    "both headings first": both_headings_first,
    "numbers that begin again": sections("{n}. {text}", ("", "")),
    "list twice": twice,
    "footer with a number": with_footer,
    "Windows": exchanged(("\n", "\r\n")),
    "old Macs": exchanged(("\n", "\r")),
    "UTF-16": lambda puzzle: NEWSPAPER(puzzle).encode("utf-16"),
    "UTF-8 with a mark": lambda puzzle: NEWSPAPER(puzzle).encode("utf-8-sig"),
    "blanks that do not break": exchanged((". ", ".\u00a0")),
    "widths of nothing": exchanged(("\n", "\u200b\n\u200b")),
    "soft hyphens": exchanged(("er", "e\u00adr")),
    "marks of direction": marked("\u200e", "\u200f"),
    "pieces of direction": marked("\u202a", "\u202c"),
    "arrows beside headings": sections("{n}. {text}", ("➡️ Across", "⬇️ Down")),
    "arrows as headings": sections("{n}. {text}", ("➡️", "⬇️:")),
    "keys as numbers": numbered(lambda n: "".join(f"{digit}\ufe0f\u20e3" for digit in str(n)) + " "),
    "circles as numbers": numbered(lambda n: chr(0x245F + n) + " "),
    "lines under headings": sections("{n}. {text}", ("Across\n======", "Down\n-----")),
    "dashes round headings": sections("{n}. {text}", ("-- ACROSS --", "-- DOWN --")),
    "clues across": sections("{n}. {text}", ("ACROSS CLUES:", "DOWN CLUES:")),
    "German": sections("{n}. {text}", ("Waagerecht", "Senkrecht")),
    "French": sections("{n}. {text}", ("Horizontalement", "Verticalement")),
    "one line each": in_one_line("{}: ", " "),
    "one line each, bars": in_one_line("{}: ", " | "),
    "one line each, semicolons": in_one_line("{}: ", "; "),
    "definitions of HTML": elements("<h3>{}</h3><dl>{}</dl>", "<dt>{}</dt><dd>{}</dd>"),
    "parts of HTML": elements(
        "<h2>{}</h2><div>{}</div>", "<div><span class='n'>{}</span><span class='t'>{}</span></div>"
    ),
    "rows of HTML": elements("<table><tr><th colspan=2>{}</th></tr>{}</table>", "<tr><td>{}</td><td>{}</td></tr>"),
    "end of a page": exchanged(("\nDown", "\nPage 1 of 2\n\nDown")),
    "new page": exchanged(("\nDown", "\n\fDown")),
    "advertisement": exchanged(("\nDown", "\nAdvertisement\n\nDown")),
    "signature": lambda puzzle: f"Hello,\n\n{NEWSPAPER(puzzle)}\nBest,\nAnna\n-- \nSent from my phone\n",
    "code": lambda puzzle: f"```\n{NEWSPAPER(puzzle)}```\n",
    "indented": marked("    "),
    "protected numbers": sections("{n}\\. {text}", ("**Across**\n", "**Down**\n")),
    "emphasis": sections("**{n}.** *{text}*"),
    "spreadsheet": spreadsheet,
    "lengths in words": sections("{n}. {text} ({length} letters)"),
    "lengths behind a dash": sections("{n}. {text} - {length} letters"),
    "a sign for each letter": sections("{n}. {text} _ _ _ _ _"),
    "equals signs": sections("{n} = {text}"),
    "long dashes": sections("{n} — {text}"),
    "way first": tagged("{Way} {n}: {text}"),
    "hash": tagged("#{n} {Way} - {text}"),
    "down first": lambda puzzle: "\n\n".join("\n".join(part) for part in reversed(lists(puzzle))),
    "entities": lambda puzzle: html.escape(NEWSPAPER(puzzle)),
    "words divided at the end of a line": divided,
    "ligatures": exchanged(("fl", "\ufb02"), ("fi", "\ufb01"), ("ff", "\ufb00")),
    "line of copyright": exchanged(("\nDown", "\n© 2026 The Daily Example\nDown")),
    "number of a page": exchanged(("\nDown", "\n- 2 -\nDown")),
    "raised numbers": numbered(lambda n: "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(n))),
    "bold letters": sections("{n}. {text}", ("𝗔𝗰𝗿𝗼𝘀𝘀", "𝗗𝗼𝘄𝗻")),
    "letters apart": sections("{n}. {text}", ("A C R O S S", "D O W N")),
    "head of a mail": lambda puzzle: f"Subject: Re: Mini\nFrom: Ann <a@example.org>\nTo: B\n\n{NEWSPAPER(puzzle)}",
    "source of a mail": lambda puzzle: quopri.encodestring(f"Café\n{NEWSPAPER(puzzle)}".encode()),
    "signature without a gap": lambda puzzle: f"{NEWSPAPER(puzzle)}--\nAnna Example\n",
    "sent from": lambda puzzle: f"{NEWSPAPER(puzzle)}Sent from my phone\n",
    "columns that are not aligned": unaligned,
    "columns within lists": in_columns,
    "commas between items": sections("{n}. {text},"),
    "breaks of Markdown": sections("{n}. {text}\\"),
    "buttons": sections("{n}. {text} 🔊"),
}


@pytest.mark.parametrize("size", PUZZLES)
@pytest.mark.parametrize("way", READ)
def test_a_paste_is_read_as_it_is_meant(way, size):
    puzzle = PUZZLES[size]
    found = read_puzzle(READ[way](puzzle))
    assert isinstance(found, ClueText)
    assert {clue.slot: clue.text for clue in found.on(puzzle.grid).clues} == {
        slot.name: puzzle.clue(slot) for slot in puzzle.grid.slots
    }


GRIDS = {
    "numbers": lambda grid: [
        " ".join(str(grid.slot_numbers.get(row * 5 + at, sign)) for at, sign in enumerate(line))
        for row, line in enumerate(grid.rows)
    ],
    "commas": lambda grid: [",".join(line) for line in grid.rows],
    "squares": lambda grid: [line.replace("#", "⬛").replace(".", "⬜") for line in grid.rows],
    "lines": lambda grid: [line.replace("#", "█").replace(".", "_") for line in grid.rows],
}


@pytest.mark.parametrize("way", GRIDS)
def test_a_grid_above_the_clues_may_be_drawn_in_other_signs(way):
    puzzle = PUZZLES["5x5"]
    found = read_puzzle("\n".join([*GRIDS[way](puzzle.grid), "", NEWSPAPER(puzzle)]))
    assert (found.grid, found.clues) == (puzzle.grid, puzzle.clues)


@pytest.mark.parametrize("sign", [" ~ ", " - ", " => ", " → ", " = "])
def test_answers_behind_the_clues_are_not_part_of_them(sign):
    puzzle = PUZZLES["5x5"]
    lines = []
    for way in ("across", "down"):
        lines += [
            way,
            *(f"{n}. {text}{sign}{puzzle.solution.answer(f'{n}{way[0]}')}" for n, text, _ in clues(puzzle, way)),
        ]
    found = read_puzzle("\n".join(lines))
    assert found.on(puzzle.grid).clues == puzzle.clues
    assert found.left_out == ("the answers behind the clues",)


@pytest.mark.parametrize("form", ["xd", "ipuz", "json"])
def test_a_file_may_stand_in_a_fence(form):
    puzzle = PUZZLES["5x5"]
    assert read_puzzle(f"```{form}\n{write_puzzle(puzzle, form).decode()}```\n") == puzzle


REFUSED = {
    "frames round cells": (
        lambda puzzle: puzzle.grid.text() + "\n\n" + NEWSPAPER(puzzle),
        "line 1: expected rows with # for",
    ),
    "Exolve": (lambda puzzle: "exolve-begin\n" + NEWSPAPER(puzzle), "a puzzle of Exolve: paste its clues as text"),
    "footer below bare numbers": (
        lambda puzzle: READ["bare numbers"](puzzle) + "\n99 ways to sleep better\n",
        "expected the end of the list, found '99 ways to sleep better': delete it or, if it is a clue, the gap",
    ),
    "two different lists": (
        lambda puzzle: NEWSPAPER(puzzle) + "\nAcross\n1. Something else\n",
        "expected a new number, found a second clue for 1A",
    ),
    "run on": (
        lambda puzzle: " ".join(
            [f"{way.title()} " + " ".join(f"{n} {t}" for n, t, _ in clues(puzzle, way)) for way in ("across", "down")]
        ),
        "line 1: expected each clue on a line of its own",
    ),
    "rich text": (
        lambda puzzle: "{\\rtf1\\ansi " + NEWSPAPER(puzzle) + "}",
        "a document in rich text: save it as plain",
    ),
    "no numbers": (
        lambda puzzle: "\n".join(["Across", *(text for _, text, _ in clues(puzzle, "across"))]),
        "expected a numbered clue, found",
    ),
}


@pytest.mark.parametrize("size", PUZZLES)
@pytest.mark.parametrize("way", REFUSED)
def test_a_paste_that_may_mean_two_things_is_refused(way, size):
    write, complaint = REFUSED[way]
    with pytest.raises(FormatError) as error:
        read_puzzle(write(PUZZLES[size]))
    assert complaint in str(error.value)


def test_the_documentation_counts_the_ways():
    counts = f"{len(READ)} ways of pasting are read and {len(REFUSED)} are refused"
    assert counts in (MINIS.parents[1] / "docs" / "formats.md").read_text("utf-8")
