"""The wording of questions to a language model: the lines of its prompt, short, as every character is paid for.

>>> puzzle = [
...     Question("1A", "Not out", 2, crossings=(Crossing(0, "1D", 0, ""), Crossing(1, "2D", 0, "")), start=(0, 0)),
...     Question("1D", "Hospital room: Abbr.", 2, crossings=(Crossing(0, "1A", 0, ""),), start=(0, 0)),
...     Question("2D", "Opposite of yes", 2, crossings=(Crossing(0, "1A", 1, ""),), start=(0, 1)),
... ]
>>> print(heading(puzzle), first_look(puzzle), sep="\\n\\n")
1 2
3 .
<BLANKLINE>
1A (2 1D1 2D1): Not out
1D (2): Hospital room: Abbr.
2D (2): Opposite of yes
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agent.candidates.provider import UNKNOWN, Crossing, Question
from agent.grid import BLOCK, EMPTY, MAX_SIDE, Grid

LONGEST_TITLE = 80
"""Characters of a title that are told: it may name a theme, an essay does not."""

_SLOT = re.compile(r"\d+([AD])")
_NOTHING_NEW = "."


def heading(questions: Sequence[Question]) -> str:
    """Return what stands above the clues of a puzzle: its title and its grid, as far as they are known."""
    title = " ".join(questions[0].title.split())[:LONGEST_TITLE] if questions else ""
    return "\n".join(filter(None, (title and f"Title: {title}", draw_grid(questions))))


def draw_grid(questions: Sequence[Question]) -> str:
    """Draw the grid whose slots are asked about, with their numbers; empty if they do not make one whole grid.

    Cells outside all slots are taken for blocks. The numbers show whether that is right: if a slot is missing whose
    cells no other one has, the standard numbering would move the others or their crossings.
    """
    runs: dict[str, list[tuple[int, int]]] = {}
    for question in questions:
        name = _SLOT.fullmatch(question.key)
        if question.start is None or name is None:
            return ""
        (row, column), down = question.start, name[1] == "D"
        runs[question.slot] = [(row + i * down, column + i * (not down)) for i in range(question.length)]
    cells = {cell for run in runs.values() for cell in run}
    if not cells:
        return ""
    height, width = (max(cell[axis] for cell in cells) + 1 for axis in (0, 1))
    if max(height, width) > MAX_SIDE:
        return ""
    grid = Grid(width, height, tuple(EMPTY if divmod(i, width) in cells else BLOCK for i in range(width * height)))
    numbered = {slot.name: [divmod(cell, width) for cell in slot.cells] for slot in grid.slots}
    agree = all(numbered.get(name) == run for name, run in runs.items()) and all(
        runs[question.slot][c.position : c.position + 1] == numbered.get(c.slot, [])[c.at : c.at + 1]
        for question in questions
        for c in question.crossings
    )
    if not agree:
        return ""
    signs = [str(grid.slot_numbers.get(i, sign)) for i, sign in enumerate(grid.cells)]
    return "\n".join(" ".join(signs[first : first + width]) for first in range(0, len(signs), width))


def first_look(questions: Sequence[Question]) -> str:
    """Return a line for each clue, with the letters known and the slots that cross it; each crossing appears once."""
    names = {question.key for question in questions}
    told: set[tuple[str, int]] = set()
    lines = []
    for question in questions:
        crossed = [_NOTHING_NEW] * question.length
        for crossing in question.crossings:
            if (question.key, crossing.position) not in told:
                crossed[crossing.position] = _shared(crossing)
                told.add((crossing.slot, crossing.at))
        inside = [question.pattern] if question.has_letters else []
        inside += crossed if set(crossed) != {_NOTHING_NEW} else []
        lines.append(_head(question, inside, names))
    return "\n".join(lines)


def second_look(questions: Sequence[Question]) -> str:
    """Return each slot as a choice among its :func:`options`, with its crossings at the letters in doubt.

    A single word is a yes-or-no question. The clue of a crossing slot that is asked as well is not repeated.

    >>> from agent.grid import Candidate
    >>> words = Candidate("TART", 0.6, ""), Candidate("TARE", 0.2, "")
    >>> crossings = Crossing(0, "1D", 0, "Not out", "AT", 0.9), Crossing(3, "4D", 2, "Scarlet", "RED", 0.55)
    >>> print(second_look([Question("7A", "Sour", 4, "TAR?", crossings, choices=words)]))
    7A (4 TAR?): Sour
     TARE / TART, or none of these?
     letter 4 is 4D3: RED 55%, Scarlet
    """
    names = {question.key for question in questions}
    lines = []
    for question in questions:
        words = options(question)
        in_doubt = UNKNOWN in question.pattern
        lines.append(_head(question, [question.pattern] if question.has_letters and in_doubt else [], names))
        match words:
            case ():
                lines.append(" no word yet: which one?")
            case (word,):
                lines.append(f" {word}: yes or no?")
            case _:
                lines.append(f" {' / '.join(words)}, or none of these?")
        lines += [_doubt(c, names) for c in question.crossings if question.pattern[c.position] == UNKNOWN]
    return "\n".join(lines)


def options(question: Question) -> tuple[str, ...]:
    """Return the words that a question offers, in alphabetical order: the solver's own order would lead.

    Words that contradict the letters that seem right are left out; if all letters do, the one word that they spell is
    offered.

    >>> from agent.grid import Candidate
    >>> choices = tuple(Candidate(word, 0.3, "") for word in ("ON", "IN", "AT"))
    >>> options(Question("1A", "Not out", 2, "?N", choices=choices))
    ('IN', 'ON')
    """
    if question.choices and UNKNOWN not in question.pattern:
        return (question.pattern,)
    return tuple(sorted({choice.answer for choice in question.choices if question.admits(choice.answer)}))


def _head(question: Question, inside: Sequence[str], names: Collection[str]) -> str:
    """Return a slot's own line; notes on the clues it refers to are left out if those are asked themselves."""
    is_whole = all(reference.slot in names for reference in question.references if reference.role != "further")
    clue = " ".join((question.clue if is_whole else question.noted).split())
    return f"{question.key} ({' '.join([str(question.length), *inside])}): {clue}"


def _doubt(crossing: Crossing, names: Collection[str]) -> str:
    word = f"{crossing.answer} {crossing.probability:.0%}" if crossing.answer and crossing.probability else ""
    clue = "" if crossing.slot in names else " ".join(crossing.clue.split())
    known = ", ".join(filter(None, (word, clue)))
    return f" letter {crossing.position + 1} is {_shared(crossing)}{known and f': {known}'}"


def _shared(crossing: Crossing) -> str:
    """Return the shared letter as the other slot's: `4D3` is the third letter of 4-Down."""
    return f"{crossing.slot}{crossing.at + 1}"
