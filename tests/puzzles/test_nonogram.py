import json
import re
import struct
import zlib
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.core.bitmaps import bits
from agent.core.outcome import Budget
from agent.core.propagate import settle
from agent.errors import FormatError
from agent.kinds import find_backend, read_kind, solve_kind
from agent.puzzles.nonogram import picture, search
from agent.puzzles.nonogram.colours import WHITE, Colour
from agent.puzzles.nonogram.deduce import Work, propagate, start
from agent.puzzles.nonogram.files import parse
from agent.puzzles.nonogram.kind import KIND
from agent.puzzles.nonogram.line import IMPOSSIBLE, Line, runs
from agent.puzzles.nonogram.make import make, of_picture
from agent.puzzles.nonogram.puzzle import Nonogram
from agent.puzzles.nonogram.search import rules, successors

pictures = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=6)
)


def brute_force(puzzle: Nonogram) -> set[tuple[str, ...]]:
    """Try every picture whose rows have the blocks of their clues."""
    rows = defaultdict(list)
    for row in product(range(len(puzzle.signs)), repeat=puzzle.width):
        blocks = tuple((len(list(run)), colour) for colour, run in groupby(row) if colour)
        rows[blocks].append("".join(puzzle.signs[colour] for colour in row))
    return {grid for grid in product(*(rows[clue] for clue in puzzle.rows)) if not KIND.check(puzzle, grid)}


@pytest.mark.parametrize(("colours", "longest"), [(2, 7), (3, 5), (4, 4)])
def test_lines_are_solved_as_listing_all_fillings_says(colours: int, longest: int):
    for size in range(1, longest + 1):
        fillings = list(product(range(colours), repeat=size))
        every = (1 << size * colours) - 1
        for clue in {runs(filling) for filling in fillings}:
            line = Line(clue, size, colours)
            for out in {0, 1, 1 << size - 1, 1 << size, 1 << size + size // 2, 1 | 1 << size + size - 1}:
                left = [
                    sum(1 << colour * size + cell for cell, colour in enumerate(filling))
                    for filling in fillings
                    if runs(filling) == clue
                ]
                left = [cells for cells in left if not cells & out]
                assert line.count(out) == len(left)
                wanted = every
                for cells in left:
                    wanted &= ~cells
                assert line.solve(out) == ((wanted, tuple(bits(wanted & ~out))) if left else IMPOSSIBLE)


def test_a_line_of_two_hundred_cells_is_no_problem():
    line = Line(((1, 1),) * 60, 200, 2)
    assert line.solve(0) == (0, ())
    assert line.count(0) > 10**40


def test_line_and_probe_solvable_puzzles_need_no_search(evaluation_data):
    for name in ("00001-dancer", "00006-cat", "00021-skid", "00027-bucks", "00065-mum", "00529-swing"):
        file = evaluation_data(f"nonograms/webpbn-{name}.json")
        result = solve_kind(read_kind(file.read_bytes()), backend=False)
        assert result.unique, name
        assert result.stats.expansions == 0, name


def test_random_pictures_have_their_two_solutions(own: Path):
    for file in sorted((own / "nonograms").glob("rand25*.json")):
        result = solve_kind(read_kind(file.read_bytes()), backend=False)
        assert result.solved
        assert result.unique is False
        assert len({solution.rows for solution in result.solutions}) == 2


@settings(max_examples=settings.default.max_examples // 2)
@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=3))
def test_small_puzzles_have_the_solutions_of_brute_force(cells: list[list[bool]]):
    puzzle = of_picture(cells)
    begin = start(puzzle)
    goals = settle(begin, rules(begin), count=1000).outcome.goals
    assert len(goals) == len({search.rows(goal) for goal in goals})
    assert {search.rows(goal) for goal in goals} == brute_force(puzzle)


@given(pictures)
def test_what_is_written_is_read_back(cells: list[list[bool]]):
    puzzle = of_picture(cells, name="a b")
    for text in (KIND.write(puzzle), json.dumps(puzzle.to_json())):
        again = parse(text)
        assert (again.rows, again.columns) == (puzzle.rows, puzzle.columns)


@pytest.mark.parametrize(
    ("text", "rows", "columns"),
    [
        ("0\n2\n\n1\n1", ((), (2,)), ((1,), (1,))),
        ("2 2\n0\n2\n1\n1\n", ((), (2,)), ((1,), (1,))),
        ("2 2\n0\n2\n\n1\n1\n", ((), (2,)), ((1,), (1,))),
        ("2 2\n\n0\n2\n\n1\n1\n", ((), (2,)), ((1,), (1,))),
        ("Rows:\n-\n2\nColumns:\n1\n1", ((), (2,)), ((1,), (1,))),
        ("columns: 1; 1\nrows: 0; 2", ((), (2,)), ((1,), (1,))),
        ("rows: 0, 2\ncolumns: 1, 1", ((), (2,)), ((1,), (1,))),
        ("rows: 1 1, [1, 1]\ncolumns: 2, 0, 2", ((1, 1), (1, 1)), ((2,), (), (2,))),
        ("rows: 1,1 / 1,1\ncolumns: 2 / 0 / 2", ((1, 1), (1, 1)), ((2,), (), (2,))),
        ("rows: 1, 1\ncolumns:\n1\n0\n1", ((1, 1),), ((1,), (), (1,))),
        ("width 2\nheight 2\nrows\n\n2\ncolumns\n1\n1\n", ((), (2,)), ((1,), (1,))),
        ('title "x"\nwidth 2\nheight 2\n\nrows\n0\n2\n\ncolumns\n1\n1\ngoal 0011\n', ((), (2,)), ((1,), (1,))),
        ("1,1\n\n1\n0\n1", ((1, 1),), ((1,), (), (1,))),
    ],
)
def test_clues_are_read_in_the_forms_people_keep_them(text: str, rows: object, columns: object):
    puzzle = parse(text)
    lengths = [tuple(tuple(length for length, _ in clue) for clue in side) for side in (puzzle.rows, puzzle.columns)]
    assert lengths == [rows, columns]


def test_webpbn_xml_is_read_with_its_document_type():
    text = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE pbn SYSTEM "https://webpbn.com/pbn-0.3.dtd">
<puzzleset><puzzle type="grid" defaultcolor="black"><source>x</source><id>#7 (v.1)</id><title>Bar &amp; gap</title>
<color name="white" char=".">FFFFFF</color><color name="black" char="X">000000</color>
<clues type="columns"><line><count>1</count></line><line/></clues>
<clues type="rows"><line><count>1</count></line></clues></puzzle></puzzleset>"""
    puzzle = parse(text)
    assert (puzzle.id, puzzle.title, puzzle.columns) == ("#7 (v.1)", "Bar & gap", (((1, 1),), ()))


def test_xml_with_entities_is_refused_before_it_is_read(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("7")
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><puzzle><id>&b;</id></puzzle>'
    outside = f'<!DOCTYPE p [<!ENTITY x SYSTEM "{secret.as_uri()}">]><puzzle><id>&x;</id></puzzle>'
    for text in (bomb, outside):
        with pytest.raises(FormatError, match="without entity declarations"):
            parse(text)


FLAG = """<puzzleset><puzzle type="grid" defaultcolor="black"><title>Flag</title>
<color name="white" char=".">FFFFFF</color><color name="red" char="R">ff0000</color>
<color name="rose" char="S">FF8080</color><color name="black" char="X">000000</color>
<clues type="columns"><line><count color="red">1</count><count color="rose">2</count></line>
<line><count color="red">1</count><count color="rose">1</count></line><line><count color="red">2</count></line></clues>
<clues type="rows"><line><count color="red">3</count></line>
<line><count color="rose">2</count><count color="red">1</count></line>
<line><count color="rose">1</count></line></clues></puzzle></puzzleset>"""


def test_colours_touch_and_blocks_of_one_colour_do_not():
    puzzle = parse(FLAG)
    assert [(colour.name, colour.sign) for colour in puzzle.colours] == [("white", "."), ("red", "r"), ("rose", "o")]
    result = solve_kind(puzzle, explain=True)
    assert result.verified
    assert result.solutions[0].rows == ("rrr", "oor", "o..")
    assert str(result.solutions[0]) == "r r r\no o r\no . .\n\nr red, o rose"
    assert result.steps[0].text == "Row 1 (3r): 1-3 red."


def test_coloured_puzzles_come_back_from_every_form_we_write():
    puzzle = parse(FLAG)
    for text in (KIND.write(puzzle), json.dumps(puzzle.to_json())):
        again = read_kind(text)
        assert (again.rows, again.columns, again.colours) == (puzzle.rows, puzzle.columns, puzzle.colours)


def test_one_colour_besides_the_background_is_written_without_signs():
    puzzle = parse(FLAG.replace("rose", "red"))
    assert puzzle.signs == ".#"
    assert str(puzzle).startswith("rows: 3 / 2 1 / 1")
    assert parse(KIND.write(puzzle)).colours == puzzle.colours


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (FLAG.replace('color="rose"', 'color="white"'), "other colours than the background, white"),
        (FLAG.replace("FF8080", "pink"), '<color name="rose"> with six digits'),
        (FLAG.replace('color="rose"', 'color="blue"'), '<color name="blue"> with six digits'),
        ("colours: r red FF0000, b blue 0000FF\nrows: 1x\ncolumns: 1r", "blocks of a clue such as 2r, found '1x'"),
        ("colours: r red FF0000, b blue 0000FF\nrows: 1\ncolumns: 1r", "blocks of a clue such as 2r, found '1'"),
        ("colours: r red FF0000, r blue 0000FF\nrows: 1r\ncolumns: 1r", "each with a letter of its own"),
        ("colours: r red, b blue\nrows: 1r\ncolumns: 1r", "six digits such as FF0000"),
        ('{"colours": ["red"], "rows": [["1r"]], "columns": [["1r"]]}', 'objects with "sign", "name" and "rgb"'),
        ('{"rows": [[true]], "columns": [[1]]}', '"rows" to be a list of lists of whole numbers'),
    ],
)
def test_unreadable_colours_are_one_line(text: str, reason: str):
    with pytest.raises(FormatError, match=re.escape(reason)):
        read_kind(text)


def test_clues_whose_sums_differ_are_not_searched(own: Path):
    document = json.loads((own / "nonograms" / "rand30-s1.json").read_text())
    clue = document["rows"][0]
    clue[0] += 1 if clue[0] == 1 else -1
    begin = start(parse(json.dumps(document)))
    assert settle(begin, rules(begin)).outcome.termination == "exhausted"
    assert begin.table.effort.units == 0


def test_colours_whose_sums_differ_are_named():
    result = solve_kind(parse("colours: r red FF0000, b blue 0000FF\nrows: 1r\n1b\ncolumns: 1r 1r"))
    assert result.reason == "Column 1 (1r 1r) needs 3 cells and has 2."
    result = solve_kind(parse("colours: r red FF0000, b blue 0000FF\nrows: 1r\n1b\ncolumns: 2r"))
    assert result.reason == "The row clues have 1 red cells, the column clues 2."


coloured = st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=3)
THREE = (WHITE, Colour("red", "FF0000", "r"), Colour("blue", "0000FF", "b"))


@settings(max_examples=settings.default.max_examples // 2)
@given(coloured, st.booleans())
def test_coloured_puzzles_have_the_solutions_of_brute_force(cells: list[list[int]], by_cp_sat: bool):
    puzzle = replace(of_picture(cells), colours=THREE)
    if by_cp_sat:
        backend = find_backend(KIND, wanted=True)
        assert backend is not None
        goals = backend(start(puzzle), 1000, Budget(), 1e9).goals
    else:
        goals = settle(start(puzzle), rules(start(puzzle)), count=1000).outcome.goals
    assert len(goals) == len({search.rows(goal) for goal in goals})
    assert {search.rows(goal) for goal in goals} == brute_force(puzzle)


def test_cells_at_the_edge_of_what_is_known_are_probed():
    work = Work(start(parse("rows: 0 / 1 / 1 / 1 / 1\ncolumns: 1 / 1 / 1 / 1 / 0")))
    border = [(row, column) for row in range(5) for column in range(5) if {0, 4} & {row, column}]
    assert sorted(work.open_cells()) == border
    work.sweep(range(10))
    inside = [(row, column) for row in range(1, 5) for column in range(4)]
    assert sorted(work.open_cells()) == [cell for cell in inside if {1, 4} & {cell[0]} or {0, 3} & {cell[1]}]
    assert work.open_cells()[0] == (1, 0)


def test_cells_with_most_known_sides_come_first(own: Path):
    for file in sorted((own / "nonograms").glob("*.json")):
        work = Work(start(parse(file.read_text())))
        work.sweep(range(len(work.lines)))
        every = product(range(work.height), range(work.width))
        left = {cell for cell in every if len(work.possible(*cell)) > 1}
        sides = {(r, c): 4 - len({(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & left) for r, c in left}
        assert work.open_cells() == sorted(filter(sides.get, left), key=lambda cell: (-sides[cell], cell))


def test_lines_are_swept_first_in_first_out(own: Path):
    """Last in, first out, these lines are solved in 1,332 states."""
    solved = 0
    for file in sorted((own / "nonograms").glob("*.json")):
        begin = start(parse(file.read_text()))
        Work(begin).sweep(begin.changed)
        solved += sum(len(line.solved) for line in set(begin.table.lines))
    assert solved < 1250


def test_a_probe_is_repeated_once_what_it_looked_at_has_changed(own: Path):
    """The fixed point is that of probing all of them in every round."""
    for file in sorted((own / "nonograms").glob("rand2*.json")):
        root = propagate(start(parse(file.read_text())))
        assert root is not None
        again = propagate(replace(root, probed=((), {}), branch=None))
        assert again == root


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3\n\n1\n1", "Row 1 (3) needs 3 cells and has 2."),
        ("2\n0\n\n1\n0", "The row clues have 2 filled cells, the column clues 1."),
        ("2\n2\n1 1\n\n3\n1\n2", "cannot be filled"),
        ("1\n2\n1\n\n1\n2\n1", ""),
    ],
)
def test_contradictory_clues_differ_from_unreadable_ones(text: str, reason: str):
    result = solve_kind(parse(text))
    if reason:
        assert result.proof == "none"
        assert reason in result.reason
    else:
        assert result.solved


@pytest.mark.parametrize("text", ["0\n\n0", "0\n0\n\n0\n0\n0", "1\n\n1", "5\n\n1\n1\n1\n1\n1", "1\n1\n0\n\n2"])
def test_empty_and_thin_puzzles_are_solved(text: str):
    result = solve_kind(parse(text), explain=True)
    assert result.unique
    assert result.stats.finished_by == "propagation"


def test_deductions_are_explained():
    result = solve_kind(make(12, 12, seed=5), explain=True)
    assert {step.rule for step in result.steps} <= {"line", "probe", "both ways", "choice"}
    assert "filled" in result.steps[0].text


def test_successor_counts_by_depth_stay_as_they_are(own: Path):
    puzzle = parse((own / "nonograms" / "rand25-s3.json").read_text())
    level, counts = [start(puzzle)], []
    for _ in range(3):
        level = [child for state in level for child in successors(state)]
        counts.append(len(level))
    assert counts == GOLDEN


GOLDEN = [2, 4, 8]


def test_pictures_show_what_is_known_in_every_form():
    rows, puzzle = ("#.?", "##."), parse("1\n2\n\n2\n1\n0")
    assert picture.half_blocks(rows) == "██  ░░\n████"
    data = picture.png(puzzle, rows, cell=2)
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (6, 4)
    begin = data.index(b"IDAT")
    pixels = zlib.decompress(data[begin + 4 : begin + 4 + struct.unpack(">I", data[begin - 4 : begin])[0]])
    assert pixels[:7] == bytes([0, 1, 1, 0, 0, 2, 2])
    palette = data.index(b"PLTE") + 4
    assert data[palette : palette + 9].hex() == "ffffff000000c8c8c8"


@settings(max_examples=settings.default.max_examples // 3)
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 12))
def test_made_puzzles_have_one_solution(seed: int, width: int, height: int):
    assert solve_kind(make(width, height, seed=seed)).unique


@given(st.text("0123456789 ,;/\nrowscolumnswidthheight<>[]{}\"'", max_size=60))
def test_no_text_breaks_the_reader(text: str):
    shapes = (text, "rows\n" + text, "width 2\nheight 1\nrows\n" + text, "<puzzle>" + text, '{"rows": ' + text)
    for shape in shapes:
        with suppress(FormatError):
            parse(shape)
