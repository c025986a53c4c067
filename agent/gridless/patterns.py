"""From clue text without a grid to the block patterns it allows.

The numbers of the clues say much about the grid: cell by cell, a white cell that begins a run takes the next
number, and whether that number is an across clue, a down clue or both says which neighbours are white. The search
below walks the cells row by row with that rule, so it only ever builds patterns whose standard numbering is
exactly the given one; states that lead nowhere are remembered. A 5x5 mini leaves some thousand patterns, a 7x7 up to
a billion: those are cut by allowing at first no irregularity, then one, two ... (an unchecked cell, a run of two
letters), which published minis hardly ever have.

A state is remembered by all that its future depends on: the cell, the next number, how the run to its
left and the runs above each column stand, and the irregularities left to spend. The cells before it do not matter. A
state is remembered only if it led to no pattern at all, so none is lost, and none is found twice.

>>> from agent.grid import NumberedClue
>>> square = ClueText(
...     tuple(NumberedClue(n, "") for n in (1, 6, 7, 8, 9)),
...     tuple(NumberedClue(n, "") for n in (1, 2, 3, 4, 5)),
... )
>>> print(infer_patterns(square, 5, 5)[0][0])
. . . . .
. . . . .
. . . . .
. . . . .
. . . . .
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from agent.core.outcome import never
from agent.errors import UsageError
from agent.grid import BLOCK, EMPTY, MAX_SIDE, ClueText, Grid

IRREGULAR_LOG_ODDS = -2.69
"""Weight of an irregularity: a white cell in only one slot, or a slot of two letters if the list gives no length.

Fitted, like the others, by penalised maximum likelihood on our own minis and the tuning half of those in newspaper
style: tests/bench/fit_gridless.py.
"""

BLOCK_LOG_ODDS = -0.23
"""Weight of each block: of two patterns with the same numbers the emptier is likelier."""

DISCONNECTED_LOG_ODDS = -0.49
"""Weight of white cells that are not connected."""

TURNED_LOG_ODDS = 5.03
"""Weight of a pattern that a half turn maps to itself, as most published ones are."""

MIRRORED_LOG_ODDS = 2.86
"""Weight of one that only an upright or level mirror maps to itself."""

DIAGONAL_LOG_ODDS = 2.53
"""Weight of one that only a diagonal mirror maps to itself."""

LOG_ODDS = (
    IRREGULAR_LOG_ODDS,
    BLOCK_LOG_ODDS,
    DISCONNECTED_LOG_ODDS,
    TURNED_LOG_ODDS,
    MIRRORED_LOG_ODDS,
    DIAGONAL_LOG_ODDS,
)
"""The weights in the order of :func:`features`."""

MAX_PATTERNS = 20_000
"""Enumeration stops here: 5x5 minis have at most a third of it, and more could not be tried."""

ENOUGH_PATTERNS = 200
"""No further irregularity is allowed once this many patterns are listed: the next ones are far less likely."""

MAX_CELLS = 400
"""Larger grids are not inferred: the walk goes one call deeper with each cell, and no list of numbers fixes them."""

MAX_NODES = 300_000
"""Cells looked at before giving up on a further irregularity: about a second; 5x5 minis need a tenth of it."""

LOOK_EVERY = 1000
"""Cells between two looks at the time: a few milliseconds."""

LIKELY_SIZES = ((5, 5), (4, 4), (6, 6), (7, 7), (6, 5), (5, 6), (8, 8), (9, 9), (3, 3), (7, 6), (6, 7), (4, 5), (5, 4))
"""Sizes (width, height) to try if none is given, the commonest first among published minis and midis."""

MOST_SIZES = 4
"""Sizes whose patterns compete if none is given."""

PATTERNS_PER_SIZE = 40
"""Patterns of each size: the true one of our minis is among the first eight of its size."""

SIZE_STEP = 1.0
"""Nats by which each further likely size is less probable than the one before: common sizes are preferred."""

_BLOCKED, _END, _FREE, _TWO, _MUST = range(5)
"""The state of the run up to a cell: none; must end; may end; has two letters; must go on (4 + n: for n more cells)."""


def infer_patterns(
    clues: ClueText, width: int, height: int, over: Callable[[], bool] = never
) -> tuple[tuple[Grid, float], ...]:
    """Find the block patterns of a size whose standard numbering yields exactly the given clue numbers.

    They come best first, each with its share of the weight (the shares add up to 1). Answer lengths given by the clues
    must hold. Takes about 0.1 s for 5x5 and at most a few seconds for larger sizes. If there are too many, or `over`
    ends the search, only those with the fewest unchecked cells and two-letter slots are listed, perhaps none. Raises
    UsageError if a side is not 1 to 30.

    >>> from agent.grid import NumberedClue
    >>> [grid.rows for grid, share in infer_patterns(ClueText((NumberedClue(1, "", length=3),), ()), 3, 1)]
    [('...',)]
    """
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise UsageError(f"a grid has 1 to {MAX_SIDE} cells a side, not {width}x{height}")
    everything = _walk(clues, width, height, 2 * width * height, over)
    if everything is not None:
        return _rank(everything, width)
    listed: list[_Found] = []
    for allowed in range(width * height):
        more = _walk(clues, width, height, allowed, over)
        if more is None:
            break
        listed = more
        if len(listed) >= ENOUGH_PATTERNS:
            break
    return _rank(listed, width)


def likely_patterns(clues: ClueText, over: Callable[[], bool] = never) -> list[tuple[Grid, float]]:
    """List the block patterns that compete for clues, best first, with shares that add up to 1.

    Of the size that the clues name, else of the likely sizes: all of the first one, of the others, each a little less
    likely than the one before, those without irregularities. A pattern with an empty row or column at an edge is one of
    a smaller size: it is left out if there is another, else cut to that size, unless the clues name one. If `over` says
    that time is up, only those found by then.

    >>> from agent.grid import NumberedClue
    >>> square = (NumberedClue(1, ""), NumberedClue(3, "")), (NumberedClue(1, ""), NumberedClue(2, ""))
    >>> [grid.rows for grid, share in likely_patterns(ClueText(*square, size=(2, 2)))]
    [('..', '..')]
    >>> ("..", "..") in [grid.rows for grid, share in likely_patterns(ClueText(*square))]
    True
    """
    sizes = [clues.size] if clues.size else likely_sizes(clues, over)
    listed = [
        (grid, share * math.exp(-SIZE_STEP * step))
        for step, (width, height) in enumerate(sizes)
        for grid, share in (_regular if step else infer_patterns)(clues, width, height, over)[:PATTERNS_PER_SIZE]
    ]
    listed = [found for found in listed if reaches_edges(found[0].blocks, found[0].width)] or listed
    shares: dict[Grid, float] = defaultdict(float)
    for grid, share in listed:
        shares[grid if clues.size else without_border(grid)] += share
    total = sum(shares.values())
    return sorted(((grid, share / total) for grid, share in shares.items()), key=lambda pair: -pair[1])


def without_border(grid: Grid) -> Grid:
    """Return a grid without the rows and columns at its edges that have blocks only; one of blocks alone stays.

    >>> without_border(Grid.parse("..# #.# ###")).rows
    ('..', '#.')
    """
    cells = [divmod(cell, grid.width) for cell, blocked in enumerate(grid.blocks) if not blocked]
    if not cells:
        return grid
    rows, columns = ([place[axis] for place in cells] for axis in (0, 1))
    kept = [row[min(columns) : max(columns) + 1] for row in grid.rows[min(rows) : max(rows) + 1]]
    return Grid.parse("\n".join(kept))


def _regular(clues: ClueText, width: int, height: int, over: Callable[[], bool]) -> Sequence[tuple[Grid, float]]:
    return _rank(_walk(clues, width, height, 0, over) or [], width)


def likely_sizes(clues: ClueText, over: Callable[[], bool] = never) -> list[tuple[int, int]]:
    """List the sizes (width, height) that clues may belong to, the likeliest first.

    Those on which the numbers make a regular, connected grid that reaches every edge (one that does not is a grid of a
    smaller size), or may make one; if there is none, the first on which they make any. If `over` says that time is up,
    one size is enough, if possible one that is decided.

    >>> from agent.grid import NumberedClue
    >>> likely_sizes(ClueText((NumberedClue(2, ""),), (NumberedClue(3, ""),)))
    []
    """
    likely: dict[tuple[int, int], bool] = {}  # whether it is undecided
    for width, height in LIKELY_SIZES:
        found = _walk(clues, width, height, 0, over)
        if found is None or any(_is_connected(blocks, width) and reaches_edges(blocks, width) for blocks, _ in found):
            likely[width, height] = found is None
        if len(likely) == MOST_SIZES:
            break
    sizes = sorted(likely, key=likely.__getitem__)[:1] if over() else list(likely)
    any_at_all = ((w, h) for w, h in LIKELY_SIZES if _walk(clues, w, h, w * h * 2, over) != [])
    return sizes or list(islice(any_at_all, 1))


def features(blocks: tuple[bool, ...], width: int, irregularities: int) -> tuple[int, int, int, int, int, int]:
    """Count a pattern's features, in the order of :data:`LOG_ODDS`; the first symmetry that it has counts.

    >>> features((True, False, False, False), 2, 4)
    (4, 1, 0, 0, 0, 1)
    """
    turned, *mirrors = (
        tuple(map(blocks.__getitem__, image)) == blocks for image in _images(width, len(blocks) // width)
    )
    mirrored = not turned and any(mirrors[:2])
    diagonal = not turned and not mirrored and any(mirrors[2:])
    return irregularities, sum(blocks), int(not _is_connected(blocks, width)), int(turned), int(mirrored), int(diagonal)


_Found = tuple[tuple[bool, ...], int]
"""A block pattern and its number of irregularities."""


def _rank(patterns: Sequence[_Found], width: int) -> tuple[tuple[Grid, float], ...]:
    """Order patterns of one width by weight, with their shares of it."""
    scored = []
    for blocks, irregularities in patterns:
        counts = features(blocks, width, irregularities)
        weight = math.exp(sum(odds * count for odds, count in zip(LOG_ODDS, counts, strict=True)))
        scored.append((-weight, blocks))
    scored.sort()
    total = -sum(weight for weight, _ in scored)
    height = len(scored[0][1]) // width if scored else 0
    signs = (EMPTY, BLOCK)
    return tuple((Grid(width, height, tuple(signs[b] for b in blocks)), -weight / total) for weight, blocks in scored)


@lru_cache(maxsize=64)
def _images(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Return the half turn, the mirror images and, on squares, the diagonal ones, as orders of the cells."""
    rows = [list(range(start, start + width)) for start in range(0, width * height, width)]
    turned = [row[::-1] for row in reversed(rows)]
    images = [turned, rows[::-1], [row[::-1] for row in rows]]
    if width == height:
        images += [[list(row) for row in zip(*image, strict=True)] for image in (rows, turned)]
    return tuple(tuple(cell for row in image for cell in row) for image in images)


def _is_connected(blocks: tuple[bool, ...], width: int) -> bool:
    """Return whether the white cells are connected: floods them as the bits of one number."""
    white = sum(1 << cell for cell, blocked in enumerate(blocks) if not blocked)
    first_column = sum(1 << cell for cell in range(0, len(blocks), width))
    flooded, grown = 0, white & -white
    while grown != flooded:
        flooded = grown
        right = (flooded << 1) & ~first_column
        left = (flooded & ~first_column) >> 1
        grown = (flooded | right | left | flooded << width | flooded >> width) & white
    return flooded == white


def reaches_edges(blocks: Sequence[bool], width: int) -> bool:
    """Return whether the first and the last row and column have a white cell each.

    >>> reaches_edges((False, True, False, True), 2)
    False
    """
    edges = (blocks[:width], blocks[-width:], blocks[::width], blocks[width - 1 :: width])
    return not any(map(all, edges))


def _walk(clues: ClueText, width: int, height: int, allowed: int, over: Callable[[], bool]) -> list[_Found] | None:
    """List the patterns with at most `allowed` irregularities; None if that takes more than MAX_NODES cells or time."""
    if width * height > MAX_CELLS:
        return None
    across = {clue.number: _open_run(clue.length) for clue in clues.across}
    down = {clue.number: _open_run(clue.length) for clue in clues.down}
    last = max([*across, *down], default=0)
    is_short = any(clue.length is not None and clue.length < 2 for clue in (*clues.across, *clues.down))
    if is_short or last > width * height or across.keys() | down.keys() != set(range(1, last + 1)):
        return []
    barren: set[tuple[int, int, int, tuple[int, ...], int]] = set()
    found: list[_Found] = []
    cells = [False] * (width * height)
    left_over = MAX_NODES

    def visit(cell: int, number: int, left: int, above: tuple[int, ...], spare: int) -> bool:
        """Fill the cells from `cell` on; return whether that led to a pattern. Raises _TooManyError."""
        nonlocal left_over
        left_over -= 1
        if left_over < 0 or len(found) > MAX_PATTERNS or (left_over % LOOK_EVERY == 0 and over()):
            raise _TooManyError
        if cell == width * height:
            ends = (left, *above)
            if number <= last or ends.count(_TWO) > spare or spare < 0 or not all(map(_may_end, ends)):
                return False
            found.append((tuple(cells), allowed - spare + ends.count(_TWO)))
            return True
        column = cell % width
        if column == 0 and cell:  # the run of the row above ends at the edge
            spare -= left == _TWO
            if not _may_end(left):
                return False
            left = _BLOCKED
        if spare < 0 or last - number >= width * height - cell:
            return False
        state = (cell, number, left, above, spare)
        if state in barren:
            return False
        fruitful = False
        for white, taken, right, below, cost in _choices(number, left, above[column], across, down):
            cells[cell] = not white
            rest = (*above[:column], below, *above[column + 1 :])
            fruitful |= visit(cell + 1, number + taken, right, rest, spare - cost)
        if not fruitful:
            barren.add(state)
        return fruitful

    try:
        visit(0, 1, _BLOCKED, (_BLOCKED,) * width, allowed)
    except _TooManyError:
        return None
    return found


class _TooManyError(Exception):
    """The walk has reached its limit of cells, or its time is up."""


def _choices(
    number: int, left: int, up: int, across: Mapping[int, int], down: Mapping[int, int]
) -> Iterator[tuple[bool, int, int, int, int]]:
    """Yield the choices for a cell: whether white, numbers taken, the runs to its right and below, irregularities."""
    begins_row, begins_column = left == _BLOCKED, up == _BLOCKED
    if (begins_row or left != _END) and (begins_column or up != _END):
        if number in across or number in down:
            right = across.get(number, _END) if begins_row else _go_on(left)
            below = down.get(number, _END) if begins_column else _go_on(up)
            fits = (begins_row or number not in across) and (begins_column or number not in down)
            if fits and (begins_row or begins_column):
                cost = (begins_row and right == _END) + (begins_column and below == _END)
                yield True, 1, right, below, cost
        right = _END if begins_row else _go_on(left)
        below = _END if begins_column else _go_on(up)
        if not (begins_row and begins_column):  # a cell in no slot at all is in no published grid
            yield True, 0, right, below, begins_row + begins_column
    if _may_end(left) and _may_end(up):
        yield False, 0, _BLOCKED, _BLOCKED, (left == _TWO) + (up == _TWO)


def _open_run(length: int | None) -> int:
    """Return the state after the first cell of a slot."""
    return _MUST if length is None else _MUST + length - 1


def _go_on(run: int) -> int:
    """Return the state of a run that grows by a white cell."""
    if run > _MUST:
        return run - 1 if run > _MUST + 1 else _END
    return {_FREE: _FREE, _TWO: _FREE, _MUST: _TWO}[run]


def _may_end(run: int) -> bool:
    return run < _MUST
