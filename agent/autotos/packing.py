"""States of any domain as one text each, for the pipe to a worker and for the memory of a search.

A grid of letters is one character a cell, row by row; anything else is the text that wire.py writes. A state is known
again by its key: for grids that is the packed text itself, else 16 bytes of a hash of the domain's key.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from agent.autotos.domain import Domain, Instance, State, freeze, show
from agent.autotos.forms import conform
from agent.autotos.sandbox.wire import from_text, to_text

Packed = Any
"""A packed state: a text, or the state itself if it stays in this process."""
EMPTY = " "
"""An empty cell in the packed form of a grid."""


@dataclass(frozen=True, slots=True)
class Packing:
    """How the states of an instance are packed.

    `pack` and `unpack` turn a state into its packed form and back, `key` names a packed state, equal for equal states,
    and `name` its packed form. `split` returns the packed states in a worker's answer, None if it is malformed; `text`
    writes a state for people. `width` is that of a grid's rows, 0 for other states. `unpack` and `key` raise Unfit or
    Misfit for what is not a state.
    """

    pack: Callable[[State], Packed]
    unpack: Callable[[Packed], State]
    key: Callable[[Packed], Hashable]
    name: Callable[[Packed], Hashable]
    split: Callable[[Any], Sequence[Packed] | None]
    text: Callable[[State], str] = show
    width: int = 0
    is_remote: bool = True


def unpacked(domain: Domain) -> Packing:
    """Return the packing of states that stay in this process: none."""
    return Packing(lambda state: state, lambda state: state, domain.key, id, lambda _: None, is_remote=False)


def packing_of(domain: Domain, instance: Instance) -> Packing:
    """Return the packing of an instance's states for a worker.

    >>> from agent.autotos.domains.crossword import CROSSWORD
    >>> packing_of(CROSSWORD, Instance("", [["a", None], [None, "b"]])).pack([["a", None], ["c", "b"]])
    'a cb'
    """
    if domain.key is freeze and is_lettered(instance.start):
        return _cells(len(instance.start[0]), len(instance.start) * len(instance.start[0]))
    return _texts(domain)


def is_lettered(state: State) -> bool:
    """Return whether a state is a grid whose cells are None or one character, but no space.

    >>> is_lettered([["a", None]]), is_lettered([[" "]]), is_lettered({"a": 1}), is_lettered([])
    (True, False, False, False)
    """
    return (
        isinstance(state, list)
        and bool(state)
        and all(isinstance(row, list) and row and len(row) == len(state[0]) for row in state)
        and all(
            cell is None or (isinstance(cell, str) and len(cell) == 1 and cell != EMPTY)
            for row in state
            for cell in row
        )
    )


def _cells(width: int, size: int) -> Packing:
    def unpack(text: str) -> State:
        cells = [None if cell == EMPTY else cell for cell in text]
        return [cells[at : at + width] for at in range(0, size, width)]

    def split(text: Any) -> Sequence[str] | None:
        if type(text) is not str or len(text) % size:
            return None
        return [text[at : at + size] for at in range(0, len(text), size)]

    def pack(state: State) -> str:
        return "".join(cell or EMPTY for row in state for cell in row)

    return Packing(pack, unpack, str, str, split, pack, width)


def _texts(domain: Domain) -> Packing:
    def unpack(text: str) -> State:
        return conform(from_text(text), domain.form)

    def key(text: str) -> bytes:
        return blake2b(show(domain.key(unpack(text))).encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def split(texts: Any) -> Sequence[str] | None:
        return texts if type(texts) is list and all(type(text) is str for text in texts) else None

    return Packing(to_text, unpack, key, str, split)
