"""Deduction from the words that a fill-in's slots may still take: crossings agree, each word has one slot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.core.propagate import Effort, OnStep, Step
from agent.draw.letters import place
from agent.puzzles.fillin.files import EMPTY, FillIn
from agent.slots import Slot

FEW = 4
"""A slot with at most this many words left is revised word by word, otherwise letter by letter, for speed alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The constants of a puzzle's search, shared by all its states, and the weights that it learns.

    `lengths` are those of the slots. `words[length]` are the different words of a length; bit i of a slot's bitmap
    stands for the i-th. `crossings[slot]` lists (letter by letter the masks here and there, position in this slot,
    other slot, the masks there). `groups` are the slots of each length. `copies[length]` gives the bit of each word
    listed more than once and how often.
    `weights` decide the slot to branch on; no solution depends on them.
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


def start(puzzle: FillIn) -> State:
    """Return the state before any deduction: every slot may take each word of its length that fits the givens.

    >>> from agent.puzzles.fillin.files import parse
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
class Steps:
    """Puts deductions into words; made only if steps are asked for."""

    table: Table
    words: list[int]
    on_step: OnStep

    def pattern(self, slot: int) -> str:
        """Return the letters that all words left for a slot share, `_` elsewhere."""
        length = len(self.table.slots[slot])
        return "".join(
            next((letter for letter, mask in at.items() if not self.words[slot] & ~mask), EMPTY)
            for at in self.table.masks[length]
        )

    def word(self, slot: int, bit: int) -> str:
        """Spell the word of a bit."""
        return self.table.words[len(self.table.slots[slot])][bit.bit_length() - 1]

    def written(self, slot: int) -> tuple[tuple[int, str], ...]:
        """Return the cells of a slot with the letters of the one word that is left for it."""
        return tuple(zip(self.table.slots[slot].cells, self.word(slot, self.words[slot]), strict=True))

    def fits_one(self, slot: int) -> None:
        """Record that one word is left for a slot."""
        text = f"{where(self.table, slot)} can only be {self.word(slot, self.words[slot])}."
        self.on_step(Step("only word", text, self.written(slot)))

    def one_place(self, slot: int) -> None:
        """Record that one slot is left for a word."""
        text = f"{self.word(slot, self.words[slot])} fits only {where(self.table, slot)}."
        self.on_step(Step("only place", text, self.written(slot)))

    def stuck(self, text: str) -> None:
        """Record why there is no solution."""
        self.on_step(Step("contradiction", text))


def where(table: Table, slot: int) -> str:
    """Return a slot's name and first cell in words."""
    return f"{table.slots[slot].name} ({place(table.slots[slot].cells[0], table.puzzle.width)})"


def propagate(state: State, on_step: OnStep | None = None) -> State | None:
    """Deduce until nothing more follows; None if a slot has no word left, or a word no slot.

    >>> from agent.puzzles.fillin.files import parse
    >>> puzzle = parse("#h#\\n__t\\n#_#\\n\\nhat\\nbog")
    >>> propagate(start(puzzle), print) is None
    2A (row 2, column 1) can only be hat.
    1D (row 1, column 2) can only be hat.
    hat is needed twice, in 1D (row 1, column 2) too.
    True
    """
    words = list(state.words)
    steps = Steps(state.table, words, on_step) if on_step else None
    fresh = len(state.changed) == len(words)
    if fresh and not possible(state, steps):
        return None
    if deduce(state.table, words, state.changed, steps):
        return State(tuple(words), state.table)
    return None


def possible(state: State, steps: Steps | None) -> bool:
    """Check for plain contradictions: as many words as slots of each length, and a word for each slot."""
    table = state.table
    listed = Counter(len(word) for word in table.puzzle.words)
    for length in sorted(table.words):
        slots = len(table.groups.get(length, ()))
        if listed[length] < slots or (listed[length] > slots and not table.puzzle.spare):
            if steps:
                steps.stuck(f"{listed[length]} words of length {length} are listed for {slots} slots of that length.")
            return False
    for slot, bitmap in enumerate(state.words):
        if not bitmap:
            if steps:
                flat = "".join(table.puzzle.grid)
                pattern = "".join(flat[cell] for cell in table.slots[slot].cells)
                steps.stuck(f"No word fits {where(table, slot)}: {pattern}.")
            return False
        if steps and not bitmap & (bitmap - 1):
            steps.fits_one(slot)
    return True


def deduce(table: Table, words: list[int], changed: tuple[int, ...], steps: Steps | None) -> bool:
    """Narrow `words` in place to the fixed point; return False at a contradiction."""
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
                    if steps:
                        tell_dead_end(steps, slot, other)
                    return False
                words[other] = left
                unsettled.add(lengths[other])
                if steps and not left & (left - 1):
                    steps.fits_one(other)
                if other not in waiting:
                    waiting.add(other)
                    queue.append(other)
                    table.effort.units += 1
        if not unsettled:
            return True
        length = unsettled.pop()
        touched = each_once(table, words, length, steps)
        if touched is None:
            return False
        if touched:
            unsettled.add(length)
            for slot in touched:
                if slot not in waiting:
                    waiting.add(slot)
                    queue.append(slot)


def tell_dead_end(steps: Steps, slot: int, other: int) -> None:
    """Record that no word is left for a slot, with the letters its crossings demand."""
    table = steps.table
    pattern = list(steps.pattern(other))
    crossing = set(table.slots[slot].cells)
    for position, cell in enumerate(table.slots[other].cells):
        if cell in crossing:
            pattern[position] = steps.pattern(slot)[table.slots[slot].cells.index(cell)]
    steps.stuck(f"No word fits {where(table, other)}: {''.join(pattern)}.")


def each_once(table: Table, words: list[int], length: int, steps: Steps | None) -> list[int] | None:
    """Apply "each word exactly once" to slots of one length: return those that changed, None at a contradiction.

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
                if steps:
                    steps.stuck(f"{steps.word(slot, mine)} is needed twice, in {where(table, slot)} too.")
                return None
            fixed |= mine
    hidden = 0
    if not table.puzzle.spare:
        everything = (1 << len(table.words[length])) - 1
        if once != everything:
            if steps:
                missing = everything & ~once
                word = table.words[length][(missing & -missing).bit_length() - 1]
                steps.stuck(f"{word} fits nowhere.")
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
            if steps:
                low = only & -only
                first, second = steps.word(slot, low), steps.word(slot, only ^ low)
                steps.stuck(f"{first} and {second} both fit only {where(table, slot)}.")
            return None
        left = only or mine & ~taken
        if left == mine:
            continue
        if not left:
            weights[slot] += 1
            if steps:
                steps.stuck(f"Every word that fits {where(table, slot)} is used elsewhere.")
            return None
        words[slot] = left
        touched.append(slot)
        if steps and not left & (left - 1):
            if only:
                steps.one_place(slot)
            else:
                steps.fits_one(slot)
    for bit, often in table.copies.get(length, ()):
        changed = each_copy(words, group, bit, often)
        if changed is None:
            if steps:
                word = table.words[length][bit.bit_length() - 1]
                steps.stuck(f"{word} is listed {often} times and fits another number of slots.")
            return None
        touched += changed
    return touched


def each_copy(words: list[int], group: tuple[int, ...], bit: int, often: int) -> list[int] | None:
    """Apply the rule to a word listed `often` times; return the slots that changed, None at a contradiction."""
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
