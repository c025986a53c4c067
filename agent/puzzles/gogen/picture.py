"""A Gogen as text: the board, and the path of each word in letters and arrows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from agent.draw.letters import place
from agent.puzzles.gogen.files import Gogen, paths

ARROWS: Mapping[tuple[int, int], str] = {
    (-1, -1): "↖", (-1, 0): "↑", (-1, 1): "↗", (0, -1): "←", (0, 0): "·",
    (0, 1): "→", (1, -1): "↙", (1, 0): "↓", (1, 1): "↘",
}  # fmt: skip


def render(puzzle: Gogen, board: Sequence[str]) -> str:
    """Draw the board as text, and under it the path of each word as letters and arrows."""
    lines = [" ".join(row) for row in board]
    traced = paths(puzzle, board)
    room = max((len(word) for word in traced), default=0)
    if traced:
        lines.append("")
    for word, path in traced.items():
        arrows = "".join(
            ARROWS.get((b[0] - a[0], b[1] - a[1]), "?") + letter
            for (a, b), letter in zip(pairwise(path), word[1:], strict=True)
        )
        row, column = path[0]
        start = place(row * puzzle.width + column, puzzle.width)
        lines.append(f"{word:{room}}  from {start}: {word[0]}{arrows}")
    return "\n".join(lines)
