"""Sokoban, as published: a player pushes stones in a walled maze until every stone is on a goal."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, TypedDict

from agent.autotos.domain import Domain, Instance, Kind

Place = tuple[int, int]
State = TypedDict("State", {"at-player": Place, "at-stone": list[Place]})
WALL, GOAL = 1, 2


def successor_states(state: State, grid: list[list[int]]) -> Iterator[State]:
    """Return the steps of a search in Sokoban: a player moves and pushes stones in a maze.

    - `state` is a dictionary such as {'at-player': (4, 4), 'at-stone': [(2, 2), (3, 3)]}, of (row, column) tuples.
    - `grid` is a list of rows of numbers: 1 is a wall, 2 a goal for a stone, 0 and 2 can be occupied. A cell is clear
      if it can be occupied and neither the player nor a stone is there. Walls enclose all that the player can reach.

    The moves, each up, down, left or right:
    - move: the player goes to the next cell, which must be clear.
    - push: if a stone is on the next cell and the cell behind it, in the same direction, is clear, both go one on.

    Each successor is a new dictionary of the same form, with the stones in any order.
    """
    (row, column), stones = state["at-player"], state["at-stone"]
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        ahead, behind = (row + down, column + right), (row + 2 * down, column + 2 * right)
        if grid[ahead[0]][ahead[1]] == WALL:
            continue
        if ahead not in stones:
            yield {"at-player": ahead, "at-stone": list(stones)}
        elif grid[behind[0]][behind[1]] != WALL and behind not in stones:
            yield {"at-player": ahead, "at-stone": [behind if stone == ahead else stone for stone in stones]}


def is_goal_state(state: State, grid: list[list[int]]) -> bool:
    """Recognise a goal of Sokoban.

    - `state` is a dictionary such as {'at-player': (4, 4), 'at-stone': [(2, 2), (3, 3)]}, of (row, column) tuples.
    - `grid` is a list of rows of numbers: 1 is a wall, 2 a goal, 0 any other cell. There are as many goals as stones.

    Return True exactly when every stone is on a goal; where the player is does not matter.
    """
    return not why(state, grid)


def why(state: State, grid: list[list[int]]) -> str:
    """Return a stone that is not on a goal, "" if there is none."""
    return next((f"the stone at {s} is not on a goal" for s in state["at-stone"] if grid[s[0]][s[1]] != GOAL), "")


MAZES = (  # of our own: # wall, $ stone, . goal, @ player, + player on a goal, * stone on a goal
    "####/#@$.#/####",
    "######/#@   #/# $$ #/#  ..#/######",
    "  ####/###  ##/#  $@ #/# *  .#/#  ####/####",
    "#####/# #.#/# $*#/#  @#/#####",
    "######/#  @ #/## $ #/#.*  #/######",
    "##########/#@ $    . #/##########",
)


def maze(name: str, rows: list[str]) -> Instance:
    """Return the instance of a drawn maze."""
    width = max(map(len, rows))
    signs = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row.ljust(width))}
    places = {sign: [at for at, one in signs.items() if one == sign] for sign in "@+$*"}
    codes = {"#": WALL} | dict.fromkeys(".+*", GOAL)
    grid = [[codes.get(signs[r, c], 0) for c in range(width)] for r in range(len(rows))]
    start = {"at-player": (places["@"] + places["+"])[0], "at-stone": places["$"] + places["*"]}
    return Instance(name, start, {"grid": grid})


def instances(random: Random) -> Iterator[Instance]:
    """Yield the mazes as drawn, upright, mirrored, and rooms with random walls."""
    for rows in (text.split("/") for text in MAZES):
        wide = [row.ljust(max(map(len, rows))) for row in rows]
        yield maze("drawn", rows)
        yield maze("upright", ["".join(column) for column in zip(*wide[::-1], strict=True)])
    for _ in range(14):
        height, width = random.randint(3, 5), random.randint(3, 6)
        cells = [*"@$$..", *random.choices(" #", (4, 1), k=height * width - 5)]
        random.shuffle(cells)
        rows = [f"#{''.join(cells[at : at + width])}#" for at in range(0, len(cells), width)]
        yield maze("random", ["#" * (width + 2), *rows, "#" * (width + 2)])


def fault(state: State, child: State, grid: list[list[int]]) -> tuple[str, str]:
    """Return the fault of a wrong successor."""
    player, stones = child["at-player"], sorted(child["at-stone"])
    if len(set(stones)) < len(stones):
        return "stone-on-stone", f"two stones are at one place: {stones}"
    if player in stones:
        return "player-on-stone", f"the player is at {player}, where a stone is: {stones}"
    for row, column in (player, *stones):
        if not (0 <= row < len(grid) and 0 <= column < len(grid[0])) or grid[row][column] == WALL:
            return "in-a-wall", f"{(row, column)} is a wall, but the player or a stone is there"
    return "illegal-move", f"neither a move nor a push leads from {state} to this"


def probes(instance: Instance, goal: State, _random: Random) -> Iterator[Mapping[str, Any]]:
    """Yield goals with one stone moved to each free cell."""
    stones = goal["at-stone"]
    free = {(r, c) for r, row in enumerate(instance.arguments["grid"]) for c, cell in enumerate(row) if cell != WALL}
    for place in sorted(free - {*stones, goal["at-player"]}):
        yield from ({**goal, "at-stone": [place if one == stone else one for one in stones]} for stone in stones)


def draw(state: State, arguments: Mapping[str, Any]) -> str:
    """Draw a state as Sokoban levels are written."""
    signs = dict.fromkeys(state["at-stone"], "$*") | {state["at-player"]: "@+"}
    rows = [[(" ", "#", ".")[cell] for cell in row] for row in arguments["grid"]]
    for (r, c), sign in signs.items():
        rows[r][c] = sign[rows[r][c] == "."]
    return "\n".join(map("".join, rows))


def read(name: str, text: str) -> Iterator[Instance]:
    """Read a problem in PDDL: locations `pos-ROW-COLUMN`, `clear`, `at` and `IS-GOAL`; other locations are walls."""
    words = re.findall(r"\(([\w-]+) ([\w-]*?) ?pos-(\d+)-(\d+)\)", text.partition("(:goal")[0])
    found = [(word, thing, (int(row) - 1, int(column) - 1)) for word, thing, row, column in words]
    height, width = (max(place[axis] for _, _, place in found) + 1 for axis in (0, 1))
    codes = {place: 0 for word, _, place in found if word in ("clear", "at")}
    codes |= {place: GOAL for word, _, place in found if word == "IS-GOAL"}
    grid = [[codes.get((r, c), WALL) for c in range(width)] for r in range(height)]
    players, stones = ({place for _, thing, place in found if what in thing} for what in ("player", "stone"))
    yield Instance(name, {"at-player": players.pop(), "at-stone": sorted(stones)}, {"grid": grid})


SOKOBAN = Domain(
    name="sokoban",
    successors=successor_states,
    is_goal=is_goal_state,
    instances=instances,
    key=lambda state: (state["at-player"], tuple(sorted(state["at-stone"]))),
    kinds={
        "stone-on-stone": Kind("two stones are on one cell", "Push only if no stone is on the cell behind the stone."),
        "player-on-stone": Kind("the player is on a stone", "A step onto a stone's cell is only possible as a push."),
        "in-a-wall": Kind("something is in a wall", "Check the next cell, and the one behind a pushed stone."),
        "illegal-move": Kind("no move leads there", "Move the player one cell, and at most the stone on it one on."),
    },
    fault=fault,
    why=why,
    probes=probes,
    shortest=True,
    draw=draw,
    read=read,
)
