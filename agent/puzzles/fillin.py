"""Fill-in (criss-cross, kriss kross): put every word of a list into a grid, each once; every run is a word.

A state keeps one bitmap per slot over the words of its length. `masks[length][position][letter]` is the bitmap of
the words with that letter there, so a crossing is revised letter by letter whatever the number of words. Each
word has one slot: a word that one slot alone can take is written there. Real puzzles of 15x15 to 32x20 need nothing
more. For the hard ones the search branches on the slot with the fewest words per weight, where a slot gains weight
whenever a contradiction shows in it (dom/wdeg, Boussemart et al. 2004).

>>> puzzle = parse("#h#\\n___\\n#_#\\n\\nhat\\nbag")
>>> print(render(puzzle, propagate(start(puzzle))))
# h #
b a g
# t #
"""

from __future__ import annotations

import html as markup
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.core.propagate import Effort, OnStep, Rules, Step
from agent.grid import BLOCK, Slot, number_slots
from agent.reading import UnreadableError, capitals, json_object, same_length, small, text_list, text_rows

EMPTY = "_"
EMPTIES = frozenset("_.-? ")
"""Signs for an empty cell that files use; `_` is the one that is written."""
MAX_SIDE = 200
"""Longer sides are refused: no published fill-in has them, a hostile file may."""
WARM_UP = (30, 45, 65, 100, 150, 225)
"""Expansions of the short searches that teach the weights before the complete one. Chosen on 15 generated puzzles near
the phase transition that are part of no benchmark: half the work of none at all, and no series did better."""

FEW = 4
"""A slot with at most so many words left is revised word by word, otherwise letter by letter: a speed matter only."""


@dataclass(frozen=True, slots=True)
class FillIn:
    """A grid (`#` block, `_` empty, else given) and the words; `spare` allows words to be left over.

    >>> print(FillIn(("#a", "__"), ("ab", "cb")))
    # a
    _ _
    <BLANKLINE>
    ab cb
    """

    grid: tuple[str, ...]
    words: tuple[str, ...]
    id: str = ""
    spare: bool = False

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.grid[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.grid)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The runs of two or more cells, numbered as in a crossword."""
        return number_slots(self.width, self.height, tuple(sign == BLOCK for row in self.grid for sign in row))

    def to_json(self) -> dict[str, Any]:
        """Return what :func:`parse` reads back to the same puzzle, once dumped."""
        found: dict[str, Any] = {"id": self.id, "grid": list(self.grid), "words": list(self.words)}
        return {**found, "spare": True} if self.spare else found

    def __str__(self) -> str:
        return "\n".join([*(" ".join(row) for row in self.grid), "", " ".join(self.words)])

    def _repr_html_(self) -> str:
        return grid_html(self.grid) + f"<p>{markup.escape(' '.join(self.words))}</p>"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What stays the same for all states of a puzzle, and what the search learns on the way.

    `lengths` are those of the slots. `words[length]` are the different words of a length; bit i of a slot's bitmap
    stands for the i-th. `crossings[slot]` lists (letter by letter the masks here and there, position in this slot,
    other slot, the masks there). `groups` are the slots of each length. `copies[length]` gives the bit of each word
    listed more than once and how often.
    `weights` steer which slot is branched on; no solution depends on them.
    """

    puzzle: FillIn
    slots: tuple[Slot, ...]
    lengths: tuple[int, ...]
    words: Mapping[int, tuple[str, ...]]
    masks: Mapping[int, tuple[Mapping[str, int], ...]]
    crossings: tuple[tuple[tuple[tuple[tuple[int, int], ...], int, int, Mapping[str, int]], ...], ...]
    groups: Mapping[int, tuple[int, ...]]
    copies: Mapping[int, tuple[tuple[int, int], ...]]
    weights: list[float]
    effort: Effort = field(default_factory=Effort)


@dataclass(frozen=True, slots=True)
class State:
    """For each slot the bitmap of words it may take; `changed` are the slots not yet propagated."""

    words: tuple[int, ...]
    table: Table = field(compare=False, repr=False)
    changed: tuple[int, ...] = field(default=(), compare=False, repr=False)


# --- reading ---------------------------------------------------------------------------------------------------


def parse(text: str, *, source: str = "") -> FillIn:
    """Read a puzzle: JSON with "grid" and "words", plain text (grid, blank line, words), or Prolog lists.

    The Prolog form is a list of rows and a list of words, each a list of characters, in any surroundings:
    `[['#',h,'#'],[_,_,_],['#',_,'#']]` and `[[h,a,t],[b,a,g]]`. Letters keep the case of the words.
    Raises UnreadableError.

    >>> parse("[['#',h,'#'],[_,_,_],['#',_,'#']]  [[h,a,t],[b,a,g]]").words
    ('hat', 'bag')
    """
    stripped = text.lstrip()
    if stripped.startswith("{"):
        found = json_object(text, source=source)
        rows = text_rows(found, "grid", source=source, empty=EMPTY)
        words, name = text_list(found, "words", source=source), str(found.get("id") or found.get("name") or "")
        return build(rows, words, name=name, spare=found.get("spare") is True, source=source)
    if "[[" in re.sub(r"\s", "", text):
        return parse_prolog(text, source=source)
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    end = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
    rows = tuple(without_spaces(line) for line in lines[first:end])
    words = tuple(" ".join(lines[end:]).replace(",", " ").split())
    return build(rows, words, source=source, first_line=first + 1)


def without_spaces(line: str) -> str:
    """Take the spaces between cells out of a row, where there is one between every two.

    >>> without_spaces("# h _"), without_spaces("#h_")
    ('#h_', '#h_')
    """
    line = line.strip()
    return line[::2] if len(line) > 2 and set(line[1::2]) == {" "} else line


PROLOG_CELL = re.compile(r"""\s*(?:'((?:[^'\\]|''|\\.)*)'|"([^"]*)"|(\w+|[#.]))\s*""")


def parse_prolog(text: str, *, source: str = "") -> FillIn:
    """Read the two lists of lists of a Prolog goal, whatever stands around them.

    >>> parse_prolog("p(Ws) :- puzzle([[a,X,_]]), Ws = [[a,b,c]].").grid
    ('a__',)
    """
    lists: list[tuple[str, ...]] = []
    rows: list[str] = []
    depth, position = 0, 0
    while position < len(text):
        sign = text[position]
        if sign == "%":
            line_end = text.find("\n", position)
            position = line_end if line_end >= 0 else len(text)
        elif sign == "[":
            depth += 1
            if depth == 2:
                end = text.find("]", position)
                inside = text[position + 1 : end] if end >= 0 else ""
                cells, at = [], 0
                while at < len(inside):
                    found = PROLOG_CELL.match(inside, at)
                    if found is None or (found.end() < len(inside) and inside[found.end()] != ","):
                        line = text.count("\n", 0, position + 1 + at) + 1
                        raise UnreadableError(
                            "cells such as '#', _ or a, with commas between", source=source, line=line
                        )
                    quoted, double, plain = found.groups()
                    cell = quoted if quoted is not None else double if double is not None else plain
                    # a capital or an underscore begins a variable: an unknown letter
                    cells.append(EMPTY if plain and (plain[0] == "_" or plain[0].isupper()) else cell)
                    at = found.end() + 1
                if not cells or any(len(cell) != 1 for cell in cells):
                    line = text.count("\n", 0, position) + 1
                    raise UnreadableError("a list of single characters", source=source, line=line)
                rows.append("".join(cells))
                position, depth = end, 1
        elif sign == "]":
            depth -= 1
            if depth == 0 and rows:
                lists.append(tuple(rows))
                rows = []
        position += 1
    if len(lists) != 2:
        raise UnreadableError(f"two lists of lists, the grid and the words; found {len(lists)}", source=source)
    return build(lists[0], lists[1], source=source)


def build(
    rows: tuple[str, ...],
    words: tuple[str, ...],
    *,
    name: str = "",
    spare: bool = False,
    source: str = "",
    first_line: int = 0,
) -> FillIn:
    """Make a puzzle from rows and words, after checking both.

    Where all words are lower or all upper case the givens follow; otherwise everything becomes upper case.
    Raises UnreadableError.

    >>> build(("A_",), ("ab",)).grid
    ('a_',)
    """
    same_length(rows, source=source, first_line=first_line)
    if len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        raise UnreadableError(f"a grid of at most {MAX_SIDE} cells a side", source=source)
    for number, row in enumerate(rows):
        for sign in row:
            if sign != BLOCK and sign not in EMPTIES and not sign.isalnum():
                line = first_line + number if first_line else 0
                raise UnreadableError(
                    f"cells {BLOCK}, {EMPTY}, letters or digits, found {sign!r}", source=source, line=line
                )
    for word in words:
        if len(word) < 2 or not word.isalnum():
            raise UnreadableError(f"words of two or more letters or digits, found {word!r}", source=source)
    if not words:
        raise UnreadableError("words after the grid and a blank line", source=source)
    together = "".join(words)
    change = small if together == small(together) != capitals(together) else capitals
    grid = tuple("".join(EMPTY if sign in EMPTIES else change(sign) for sign in row) for row in rows)
    return FillIn(grid, tuple(change(word) for word in words), name, spare)


# --- the search's functions ------------------------------------------------------------------------------------


def start(puzzle: FillIn) -> State:
    """Return the state before any deduction: every slot may take each word of its length that fits the givens.

    >>> [f"{words:b}" for words in start(parse("#h#\\n___\\n#_#\\n\\nhat\\nbag")).words]
    ['11', '1']
    """
    slots = puzzle.slots
    words: dict[int, list[str]] = {len(slot): [] for slot in slots}
    copies: dict[int, list[tuple[int, int]]] = {len(slot): [] for slot in slots}
    for word, often in Counter(puzzle.words).items():
        group = words.setdefault(len(word), [])
        group.append(word)
        if often > 1 and not puzzle.spare:
            copies.setdefault(len(word), []).append((1 << len(group) - 1, often))
    masks: dict[int, tuple[dict[str, int], ...]] = {}
    for length, group in words.items():
        at: tuple[dict[str, int], ...] = tuple({} for _ in range(length))
        for number, word in enumerate(group):
            for position, letter in enumerate(word):
                at[position][letter] = at[position].get(letter, 0) | 1 << number
        masks[length] = at
    through: dict[int, list[tuple[int, int]]] = {}
    for number, slot in enumerate(slots):
        for position, cell in enumerate(slot.cells):
            through.setdefault(cell, []).append((number, position))
    seen: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}

    def shared(here: dict[str, int], there: dict[str, int]) -> tuple[tuple[int, int], ...]:
        key = (id(here), id(there))
        if key not in seen:
            seen[key] = tuple((mask, there[letter]) for letter, mask in here.items() if letter in there)
        return seen[key]

    crossings = tuple(
        tuple(
            (
                shared(masks[len(slot)][position], masks[len(slots[other])][there]),
                position,
                other,
                masks[len(slots[other])][there],
            )
            for position, cell in enumerate(slot.cells)
            for other, there in through[cell]
            if other != number
        )
        for number, slot in enumerate(slots)
    )
    groups: dict[int, list[int]] = {length: [] for length in words}
    flat = "".join(puzzle.grid)
    bitmaps = []
    for number, slot in enumerate(slots):
        groups[len(slot)].append(number)
        bitmap = (1 << len(words[len(slot)])) - 1
        for position, cell in enumerate(slot.cells):
            if flat[cell] != EMPTY:
                bitmap &= masks[len(slot)][position].get(flat[cell], 0)
        bitmaps.append(bitmap)
    table = Table(
        puzzle,
        slots,
        tuple(map(len, slots)),
        {length: tuple(group) for length, group in words.items()},
        masks,
        crossings,
        {length: tuple(group) for length, group in groups.items()},
        {length: tuple(group) for length, group in copies.items()},
        [1.0] * len(slots),
    )
    return State(tuple(bitmaps), table, tuple(range(len(slots))))


@dataclass(frozen=True, slots=True)
class Teller:
    """Puts deductions into words; made only where somebody listens."""

    table: Table
    words: list[int]
    on_step: OnStep

    def pattern(self, slot: int) -> str:
        """Show the letters that all words left for a slot share, `_` elsewhere."""
        length = len(self.table.slots[slot])
        return "".join(
            next((letter for letter, mask in at.items() if not self.words[slot] & ~mask), EMPTY)
            for at in self.table.masks[length]
        )

    def word(self, slot: int, bit: int) -> str:
        """Spell the word of a bit."""
        return self.table.words[len(self.table.slots[slot])][bit.bit_length() - 1]

    def fits_one(self, slot: int) -> None:
        """Say that one word is left for a slot."""
        text = f"{where(self.table, slot)} can only be {self.word(slot, self.words[slot])}."
        self.on_step(Step("only word", text))

    def one_place(self, slot: int) -> None:
        """Say that one slot is left for a word."""
        text = f"{self.word(slot, self.words[slot])} fits only {where(self.table, slot)}."
        self.on_step(Step("only place", text))

    def stuck(self, text: str) -> None:
        """Say why there is no solution."""
        self.on_step(Step("contradiction", text))


def where(table: Table, slot: int) -> str:
    """Name a slot and its first cell for people."""
    row, column = divmod(table.slots[slot].cells[0], table.puzzle.width)
    return f"{table.slots[slot].name} (row {row + 1}, column {column + 1})"


def propagate(state: State, on_step: OnStep | None = None) -> State | None:
    """Deduce until nothing more follows; None where a slot has no word left, or a word no slot.

    >>> puzzle = parse("#h#\\n__t\\n#_#\\n\\nhat\\nbog")
    >>> propagate(start(puzzle), print) is None
    2A (row 2, column 1) can only be hat.
    1D (row 1, column 2) can only be hat.
    hat is needed twice, in 1D (row 1, column 2) too.
    True
    """
    words = list(state.words)
    teller = Teller(state.table, words, on_step) if on_step else None
    fresh = len(state.changed) == len(words)
    if fresh and not possible(state, teller):
        return None
    if deduce(state.table, words, state.changed, teller):
        return State(tuple(words), state.table)
    return None


def possible(state: State, teller: Teller | None) -> bool:
    """Check what can be seen at once: as many words as slots of each length, and a word for each slot."""
    table = state.table
    listed = Counter(len(word) for word in table.puzzle.words)
    for length in sorted(table.words):
        slots = len(table.groups.get(length, ()))
        if listed[length] < slots or (listed[length] > slots and not table.puzzle.spare):
            if teller:
                teller.stuck(f"{listed[length]} words of length {length} are listed for {slots} slots of that length.")
            return False
    for slot, bitmap in enumerate(state.words):
        if not bitmap:
            if teller:
                flat = "".join(table.puzzle.grid)
                pattern = "".join(flat[cell] for cell in table.slots[slot].cells)
                teller.stuck(f"No word fits {where(table, slot)}: {pattern}.")
            return False
        if teller and not bitmap & (bitmap - 1):
            teller.fits_one(slot)
    return True


def deduce(table: Table, words: list[int], changed: tuple[int, ...], teller: Teller | None) -> bool:
    """Narrow `words` in place to the fixed point; False at a contradiction."""
    crossings, weights, lengths = table.crossings, table.weights, table.lengths
    queue, waiting = list(changed), set(changed)
    unsettled = {lengths[slot] for slot in changed}
    while True:
        table.effort.units += len(queue)
        while queue:
            slot = queue.pop(0)  # first in, first out: waves revise a slot half as often as a dive does
            waiting.discard(slot)
            mine = words[slot]
            alone = not mine & (mine - 1)
            few: list[str] = []
            if alone or mine.bit_count() <= FEW:
                spelled, rest = table.words[lengths[slot]], mine
                while rest:
                    bit = rest & -rest
                    rest ^= bit
                    few.append(spelled[bit.bit_length() - 1])
            for pairs, position, other, there in crossings[slot]:
                theirs = words[other]
                if not (alone or theirs & (theirs - 1)):
                    continue  # its one word has narrowed this slot, or is in line to do so
                if few:
                    left = 0
                    for word in few:
                        left |= there.get(word[position], 0)
                    left &= theirs
                else:
                    left = 0
                    for mask_here, mask_there in pairs:
                        if mask_here & mine:
                            left |= mask_there
                    left &= theirs
                if left == theirs:
                    continue
                if not left:
                    weights[other] += 1
                    weights[slot] += 1
                    if teller:
                        tell_dead_end(teller, slot, other)
                    return False
                words[other] = left
                unsettled.add(lengths[other])
                if teller and not left & (left - 1):
                    teller.fits_one(other)
                if other not in waiting:
                    waiting.add(other)
                    queue.append(other)
                    table.effort.units += 1
        if not unsettled:
            return True
        length = unsettled.pop()
        touched = each_once(table, words, length, teller)
        if touched is None:
            return False
        if touched:
            unsettled.add(length)
            for slot in touched:
                if slot not in waiting:
                    waiting.add(slot)
                    queue.append(slot)


def tell_dead_end(teller: Teller, slot: int, other: int) -> None:
    """Say that no word is left for a slot, with the letters its crossings demand."""
    table = teller.table
    pattern = list(teller.pattern(other))
    crossing = set(table.slots[slot].cells)
    for position, cell in enumerate(table.slots[other].cells):
        if cell in crossing:
            pattern[position] = teller.pattern(slot)[table.slots[slot].cells.index(cell)]
    teller.stuck(f"No word fits {where(table, other)}: {''.join(pattern)}.")


def each_once(table: Table, words: list[int], length: int, teller: Teller | None) -> list[int] | None:
    """Apply "each word exactly once" to the slots of one length: the slots that changed, None at a contradiction.

    A placed word leaves the other slots; a word that one slot alone can take is placed there. With `spare` words
    only the first rule holds.
    """
    group, weights = table.groups.get(length, ()), table.weights
    once = more = fixed = 0
    shared = 0  # words listed several times: each_copy looks after them
    for bit, _ in table.copies.get(length, ()):
        shared |= bit
    for slot in group:
        mine = words[slot]
        more |= once & mine
        once |= mine
        if not mine & (mine - 1):
            if fixed & mine & ~shared:
                weights[slot] += 1
                if teller:
                    teller.stuck(f"{teller.word(slot, mine)} is needed twice, in {where(table, slot)} too.")
                return None
            fixed |= mine
    hidden = 0
    if not table.puzzle.spare:
        everything = (1 << len(table.words[length])) - 1
        if once != everything:
            if teller:
                missing = everything & ~once
                word = table.words[length][(missing & -missing).bit_length() - 1]
                teller.stuck(f"{word} fits nowhere.")
            return None
        hidden = once & ~more & ~shared
    taken = fixed & ~shared
    touched: list[int] = []
    for slot in group:
        mine = words[slot]
        if not mine & (mine - 1):
            continue
        only = mine & hidden
        if only & (only - 1):
            weights[slot] += 1
            if teller:
                low = only & -only
                first, second = teller.word(slot, low), teller.word(slot, only ^ low)
                teller.stuck(f"{first} and {second} both fit only {where(table, slot)}.")
            return None
        left = only or mine & ~taken
        if left == mine:
            continue
        if not left:
            weights[slot] += 1
            if teller:
                teller.stuck(f"Every word that fits {where(table, slot)} is used elsewhere.")
            return None
        words[slot] = left
        touched.append(slot)
        if teller and not left & (left - 1):
            if only:
                teller.one_place(slot)
            else:
                teller.fits_one(slot)
    for bit, often in table.copies.get(length, ()):
        changed = each_copy(words, group, bit, often)
        if changed is None:
            if teller:
                word = table.words[length][bit.bit_length() - 1]
                teller.stuck(f"{word} is listed {often} times and fits another number of slots.")
            return None
        touched += changed
    return touched


def each_copy(words: list[int], group: tuple[int, ...], bit: int, often: int) -> list[int] | None:
    """Apply the rule to a word that is listed `often` times: the slots that changed, None at a contradiction."""
    able = [slot for slot in group if words[slot] & bit]
    placed = [slot for slot in able if words[slot] == bit]
    if len(placed) > often or len(able) < often:
        return None
    if len(placed) == len(able) or often not in (len(placed), len(able)):
        return []
    touched = [slot for slot in able if words[slot] != bit]
    for slot in touched:
        words[slot] = bit if len(able) == often else words[slot] & ~bit
    return touched


def choose(state: State) -> int:
    """Pick the slot to branch on, the one with the fewest words for its weight; -1 where every slot has one word."""
    slot, best = -1, float("inf")
    for number, (mine, weight) in enumerate(zip(state.words, state.table.weights, strict=True)):
        if mine & (mine - 1):
            score = mine.bit_count() / weight
            if score < best:
                slot, best = number, score
    return slot


def cases(state: State, slot: int) -> Iterator[State]:
    """Yield the state with each of the words of a slot written into it, nothing deduced yet."""
    words = list(state.words)
    rest = words[slot]
    while rest:
        words[slot] = rest & -rest
        rest ^= words[slot]
        yield State(tuple(words), state.table, (slot,))


def branches(state: State) -> Iterator[tuple[str, State]]:
    """Split a state by the words of one slot: the one with the fewest words for its weight.

    >>> [text for text, _ in branches(start(parse("__\\n__\\n\\nab cd ac bd")))][:2]
    ['1A (row 1, column 1) = ab', '1A (row 1, column 1) = cd']
    """
    table, slot = state.table, choose(state)
    if slot >= 0:
        for case in cases(state, slot):
            word = table.words[table.lengths[slot]][case.words[slot].bit_length() - 1]
            yield f"{where(table, slot)} = {word}", case


def successors(state: State) -> Iterator[State]:
    """Yield the states one word on, each deduced to its fixed point; impossible ones are dropped.

    >>> len(list(successors(start(parse("__\\n__\\n\\nab cd ac bd")))))
    2
    """
    if state.changed:
        known = propagate(state)
        if known is None:
            return
        state = known
    slot = choose(state)
    if slot >= 0:
        for case in cases(state, slot):
            deduced = propagate(case)
            if deduced is not None:
                yield deduced


def is_goal(state: State) -> bool:
    """Whether every slot has its one word, and all of them have been propagated.

    >>> is_goal(start(parse("#h#\\n___\\n#_#\\n\\nhat\\nbag")))
    False
    """
    return not state.changed and not any(mine & (mine - 1) for mine in state.words)


def priority(state: State) -> float:
    """Count the words that are still too many: 0 at a goal.

    >>> priority(start(parse("#h#\\n___\\n#_#\\n\\nhat\\nbag")))
    1
    """
    return sum(mine.bit_count() - 1 for mine in state.words)


def admits(state: State, goal: State) -> bool:
    """Whether a goal lies below a state."""
    return all(mine & theirs for mine, theirs in zip(state.words, goal.words, strict=True))


def rules(state: State) -> Rules[State]:
    """Bundle the functions of this kind for :func:`agent.core.propagate.settle`."""
    return Rules(propagate, branches, successors, is_goal, priority, admits, state.table.effort, depth_first=True)


# --- showing ---------------------------------------------------------------------------------------------------


def rows(state: State) -> tuple[str, ...]:
    """Return the grid as rows, with every letter that is known.

    >>> rows(start(parse("#h#\\n___\\n#_#\\n\\nhat\\nbag")))
    ('#h#', '_a_', '#t#')
    """
    table = state.table
    cells = list("".join(table.puzzle.grid))
    for slot, mine in zip(table.slots, state.words, strict=True):
        for cell, at in zip(slot.cells, table.masks[len(slot)], strict=True):
            known = next((letter for letter, mask in at.items() if mine and not mine & ~mask), None)
            if known is not None:
                cells[cell] = known
    one, width = "".join(cells), table.puzzle.width
    return tuple(one[k : k + width] for k in range(0, len(one), width))


def render(puzzle: FillIn, state: State) -> str:
    """Draw the grid as text, cells apart by spaces."""
    del puzzle  # the state knows it; the signature is that of every kind
    return "\n".join(" ".join(row) for row in rows(state))


def html(puzzle: FillIn, state: State) -> str:
    """Draw the grid as an HTML table, givens bold.

    >>> html(parse("a_\\n\\nab"), start(parse("a_\\n\\nab"))).count("<b>")
    1
    """
    return grid_html(rows(state), puzzle.grid)


def grid_html(grid: tuple[str, ...], givens: tuple[str, ...] = ()) -> str:
    """Draw rows as an HTML table; letters that stand in `givens` are bold.

    >>> grid_html(("#a",)).count("<td")
    2
    """
    box = "width:1.6em;height:1.6em;border:1px solid #444;text-align:center"
    lines = []
    for r, row in enumerate(grid):
        lines.append("<tr>")
        for c, sign in enumerate(row):
            if sign == BLOCK:
                lines.append(f'<td style="{box};background:#222"></td>')
                continue
            text = "" if sign == EMPTY else markup.escape(sign)
            bold = bool(givens) and givens[r][c] != EMPTY
            lines.append(f'<td style="{box}">{f"<b>{text}</b>" if bold else text}</td>')
        lines.append("</tr>")
    return f'<table style="border-collapse:collapse;font-family:sans-serif">{"".join(lines)}</table>'


def write(puzzle: FillIn) -> str:
    """Write the puzzle as JSON that :func:`parse` reads.

    >>> puzzle = parse("a_\\n\\nab")
    >>> parse(write(puzzle)) == puzzle
    True
    """
    return json.dumps(puzzle.to_json(), ensure_ascii=False)
