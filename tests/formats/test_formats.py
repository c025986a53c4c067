"""Each format's own rules: cells, numbers, clues, and errors."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.api import open_puzzle, read_puzzle
from agent.errors import FormatError, UsageError
from agent.formats import SEVERAL, count_puzzles, instance, open_puzzles, read_puzzles, write_puzzle
from agent.formats.puz import unlocked
from agent.grid import Clue, Grid, Puzzle

ROOT = Path(__file__).parents[2]
MINI = open_puzzle(ROOT / "data" / "minis" / "mini-09.xd")


def complaint(data: bytes | str | dict) -> str:
    """Read unreadable content and return the message."""
    data = json.dumps(data) if isinstance(data, dict) else data
    with pytest.raises(FormatError) as error:
        read_puzzle(data if isinstance(data, bytes) else data.encode(), name="today")
    return str(error.value)


def ipuz(**changes):
    document = {
        "kind": ["http://ipuz.org/crossword#1"],
        "dimensions": {"width": 3, "height": 2},
        "puzzle": [[1, 2, "#"], [{"cell": 3, "style": {"shapebg": "circle"}}, 0, None]],
        "solution": [["N", {"value": "HEART"}, "#"], ["O", "é", None]],
        "clues": {"Across": [["1", "<b>One</b> &amp; all"], {"number": 3, "clue": "Three"}], "Down:Down": [[1, "“D”"]]},
    }
    return {key: value for key, value in {**document, **changes}.items() if value is not ...}


def test_ipuz_knows_styles_rebus_missing_cells_and_html():
    puzzle = read_puzzle(json.dumps(ipuz()).encode(), name="x")
    assert puzzle.grid.rows == ("..#", "..#")
    assert puzzle.solution.cells == ("N", "HEART", "#", "O", "E", "#")
    assert [str(clue) for clue in puzzle.clues] == ["1A One & all", "3A Three", "1D “D”"]


def test_ipuz_keeps_circles_and_shading_and_names_the_rest():
    cells = [
        [{"cell": 1, "style": "round"}, {"cell": 2, "style": {"highlight": True}}, "#"],
        [{"cell": 3, "style": {"color": "dcdcdc", "divided": "-"}}, {"cell": 0, "style": {"color": "ffffff"}}, None],
    ]
    document = ipuz(
        puzzle=cells, styles={"round": {"shapebg": "circle"}}, difficulty="Hard", intro="<b>Mind</b>", notes="me"
    )
    puzzle = read_puzzle(json.dumps(document))
    assert (puzzle.circles, puzzle.shaded, puzzle.notes) == ({0}, {1, 3}, "Mind me")
    assert puzzle.left_out == ("difficulty", "divided")


def test_ipuz_may_be_wrapped_in_a_call():
    assert read_puzzle(f"ipuz({json.dumps(ipuz())});".encode(), name="x").clue("3A") == "Three"


def test_ipuz_values_are_given_letters():
    puzzle = read_puzzle(json.dumps(ipuz(puzzle=[[{"cell": 1, "value": "N"}, 2, "#"], [3, 0, "#"]])).encode(), name="x")
    assert puzzle.grid.rows == ("N.#", "..#")


def test_cells_of_ipuz_clues_are_those_of_their_slots():
    for first in (0, 1):
        cells = [[first, first], [1 + first, first]]
        clues = {"Across": [{"number": 1, "clue": "x", "cells": cells}, [3, "y"]]}
        found = read_puzzle(json.dumps(ipuz(clues=clues)))
        assert ([clue.slot for clue in found.clues], found.left_out) == (["1A", "3A"], ())
        clues["Across"][0]["cells"] = [[first, first], [first, 1 + first]]
        assert "clues: the cells of clue 1A are not those of its slot" in complaint(ipuz(clues=clues))


def test_ipuz_without_numbers_or_solution_is_read():
    puzzle = read_puzzle(json.dumps(ipuz(puzzle=[[0, 0, "#"], [0, 0, "#"]], solution=...)).encode(), name="x")
    assert puzzle.solution is None
    assert puzzle.clue("1A") == "One & all"


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"puzzle": [[1, 3, "#"], [2, 0, None]]}, "there is a clue for 3A, but the grid has across 1, 2, down 1, 3"),
        ({"puzzle": [[1, 1, "#"], [3, 0, None]]}, "puzzle: two slots are called 1D"),
        ({"puzzle": [[1, 2], [3]]}, "puzzle: expected 2 cells in row 2 as in the first, found 1"),
        ({"puzzle": 5}, "puzzle: expected a list, found 5"),
        ({"dimensions": {"width": 5, "height": 2}}, "dimensions.width: expected 3 as in puzzle, found 5"),
        ({"kind": ["http://ipuz.org/sudoku#1"]}, "kind: expected a kind of crossword"),
        (
            {"clues": {"Across": [["9", "x"]]}},
            "there is a clue for 9A, but the grid has across 1, 3",
        ),
        ({"clues": {"Across": [["one", "x"]]}}, "clues.Across[0][0]: expected a whole number, found 'one'"),
        ({"clues": {"Zones": []}}, "clues: expected clues Across and Down, found 'Zones'"),
        ({"solution": [["A"]]}, "solution: expected the size of puzzle"),
    ],
)
def test_ipuz_errors_name_the_field(changes, wanted):
    assert wanted in complaint(ipuz(**changes))


def nyt():
    cells = [
        {"answer": "N", "label": "1", "clues": [0, 1]},
        {"answer": "O", "clues": [0]},
        {"answer": "O", "clues": [1]},
        {},
    ]
    clues = [
        {"cells": [0, 1], "direction": "Across", "label": "1", "text": [{"formatted": "<i>Not</i> yes"}]},
        {"cells": [0, 2], "direction": "Down", "label": "1", "text": [{"plain": "Not"}, {"plain": "yes"}]},
    ]
    board = {"cells": cells, "clues": clues, "dimensions": {"width": 2, "height": 2}}
    return {"body": [board], "publicationDate": "2026-11-09", "constructors": ["A", "B"], "title": "T"}


def test_newspaper_json_is_read():
    puzzle = read_puzzle(json.dumps(nyt()).encode(), name="x")
    assert (puzzle.solution.rows, puzzle.author, puzzle.date) == (("NO", "O#"), "A, B", "2026-11-09")
    assert [clue.text for clue in puzzle.clues] == ["Not yes", "Not yes"]


def test_newspaper_json_without_answers_is_read():
    document = nyt()
    for cell in document["body"][0]["cells"]:
        cell.pop("answer", None)
    puzzle = read_puzzle(json.dumps(document).encode(), name="x")
    assert (puzzle.grid.rows, puzzle.solution) == (("..", ".#"), None)


def test_newspaper_json_keeps_marks_notes_and_editor():
    document = nyt() | {"editor": "E", "notes": [{"text": "<i>Mind</i> the gap"}], "theme": "sea"}
    document["body"][0]["cells"][0]["type"] = 2
    document["body"][0]["cells"][1]["type"] = 3
    puzzle = read_puzzle(json.dumps(document))
    assert (puzzle.circles, puzzle.shaded) == ({0}, {1})
    assert (puzzle.editor, puzzle.notes, puzzle.left_out) == ("E", "Mind the gap", ("theme",))


def test_newspaper_json_with_several_answers_names_what_it_drops():
    document = nyt()
    first, second, *_ = document["body"][0]["cells"]
    first["moreAnswers"] = {"valid": ["N", "NN"]}
    second |= {"answer": "", "moreAnswers": {"valid": ["O"]}}
    puzzle = read_puzzle(json.dumps(document))
    assert puzzle.solution.rows == ("NO", "O#")
    assert puzzle.left_out == ("all but one answer of cells that have several",)
    first["moreAnswers"]["valid"].pop()
    assert read_puzzle(json.dumps(document)).left_out == ()


def test_newspaper_json_is_checked_against_the_numbering():
    document = nyt()
    document["body"][0]["cells"][0]["label"] = "2"
    assert "body[0].clues[0]: this clue is numbered 1, its slot is 2A" in complaint(document)
    document = nyt()
    document["body"][0]["clues"][1]["cells"] = [1, 3]
    assert "body[0].clues[1]: cells (1, 3) are not a slot of the grid" in complaint(document)
    document["body"][0]["dimensions"]["width"] = 3
    assert "body[0].cells: expected 6 cells for 3x2, found 4" in complaint(document)


CARDS = "Title: T\nRebus: {rebus}\n\n\n1A2\nBCD\n\n\nA1. x{answer}\nA4. y\n"


@pytest.mark.parametrize("rebus", ["1=HEART 2=SPADE", "1=HEART,2=SPADE", "1=HEART, 2=SPADE", "1=HEART; 2=SPADE,"])
@pytest.mark.parametrize("answer", ["", " ~ HEARTASPADE"])
def test_an_xd_rebus_may_be_separated_in_any_way(rebus, answer):
    puzzle = read_puzzle(CARDS.format(rebus=rebus, answer=answer or " ~"))
    assert puzzle.solution.cells == ("HEART", "A", "SPADE", "B", "C", "D")


def test_a_cell_of_two_readings_keeps_the_first_and_says_so():
    puzzle = read_puzzle("Rebus: 1=C/P\n\n\n1AT\nINK\n\n\nA1. x ~ CAT\n\nD1. y ~ PI\n")
    assert (puzzle.solution.rows, puzzle.left_out) == (("CAT", "INK"), ("the second reading of C/P",))


def test_the_dots_of_an_xd_grid_with_blocks_are_empty_cells():
    assert read_puzzle(b"Title: T\n\n\n#ABC.\n\n\nA1. Clue ~ ABCD\n", name="x").grid.rows == ("#ABC.",)
    assert read_puzzle(b"Title: T\n\n\nABC.\n\n\nA1. Clue ~ ABC\n", name="x").grid.rows == ("...#",)


def test_a_revealed_rebus_of_a_puz_file_keeps_its_letters():
    solution = Grid(2, 1, ("HEART", "S"))
    puzzle = Puzzle(solution.emptied().fill({0: "HEART"}), (Clue("1A", "Some organs"),), solution=solution)
    assert read_puzzle(write_puzzle(puzzle, "puz"), name="x").grid.cells == ("HEART", ".")


def test_xd_markup_and_comments_are_not_part_of_a_clue():
    text = "Title: T\n<!-- a\nremark -->\n\n\nNO\nOH\n\n\nA1. {/Not {*yes*}/}, {@here | https://example.org @} ~ NO\n"
    assert read_puzzle(text).clue("1A") == "Not yes, here"
    assert "line 10: the answer of A1 is 'ON'" in complaint(text.replace("~ NO", "~ ON"))


def test_xd_names_what_it_leaves_out():
    text = (
        "Title: T\nEditor: E\nDescription: none\nSpecial: circle\n\n\nnO\nOH\n\n\nA1. Not yes ~ NO\nA1 ^Refs: A3\n\n\n"
        "A note\nof two lines\n"
    )
    puzzle = read_puzzle(text)
    assert (puzzle.editor, puzzle.notes, puzzle.circles) == ("E", "A note of two lines", {0})
    assert puzzle.left_out == ("description", "Refs of clues")
    assert read_puzzle(
        "## Metadata\n\nTitle: T\n\n## Grid\n\nNO\n\n## Clues\n\nA1. x ~ NO\n\n## Design\n\nO.\n"
    ).left_out == ("the section Design",)


def test_xd_errors_name_the_line():
    assert "line 5: there is a clue A5, but the grid has across" in complaint("NO\nOH\n\n\nA5. Not yes ~ NO")
    assert "line 5: the answer of A1 is 'OH', but the grid has NO" in complaint("NO\nOH\n\n\nA1. Not yes ~ OH")
    assert "grid from line 1: expected 2 cells in row 2 as in the first, found 3" in complaint(
        "NO\nOHO\n\n\nA1. x ~ NO"
    )
    assert "line 6: expected a clue such as A1. text ~ ANSWER" in complaint("NO\nOH\n\n\nA1. x ~ NO\nnonsense")


SMALL = "Title: Small\n\n\nNO\nOH\n\n\nA1. Not yes ~ NO\n"


@pytest.mark.parametrize("between", ["", "\n", "\n\n\n", "\n\n\nNotes of the first.\n\n\n"])
def test_several_xd_puzzles_are_read_or_refused_but_never_lost(between):
    text = SMALL + between + SMALL.replace("Small", "Other")
    assert [puzzle.title for puzzle in read_puzzles(text, "x.xd")] == ["Small", "Other"]
    line = text.split("\n").index("Title: Other") + 1
    assert complaint(text) == f"today: line {line}: expected one puzzle, found 2: {SEVERAL}"


@pytest.mark.parametrize(
    "second",
    [
        "NO\nOH\n\n\nA1. Not yes\n",
        "## Metadata\n\nTitle: Other\n\n## Grid\n\nNO\nOH\n\n## Clues\n\nA1. Not yes ~ NO\n",
        "Title: Cut off before its clues\n\n\nNO\nOH\n",
    ],
    ids=["no headers", "sections", "no clues"],
)
def test_a_second_xd_puzzle_of_any_style_is_found(second):
    assert complaint(f"{SMALL}\n\n{second}") == f"today: line 11: expected one puzzle, found 2: {SEVERAL}"


def test_a_fault_in_a_second_xd_puzzle_has_its_line():
    text = f"{SMALL}\n\n{SMALL.replace('~ NO', '~ ON')}"
    assert "line 18: the answer of A1 is 'ON', but the grid has NO" in complaint(text)


@pytest.mark.parametrize("notes", ["Solution:\nNO\nOH", "So:\nA9. is no clue", "One\nTwo", "Note: thanks\n\n\nSee A1."])
def test_notes_below_the_clues_are_not_a_second_puzzle(notes):
    assert read_puzzle(f"{SMALL}\n\n{notes}\n", name="x").title == "Small"


@pytest.mark.parametrize(
    "text",
    [
        "Title: T\nRebus: 1=HEART\n\n\nN1\n#H\n\n\nA1. a ~ NHEART\n\nD2. b ~ HEARTH\n\n\nSome notes\nA9. are no clue",
        (
            "## Metadata\n\nTitle: T\nRebus: 1=HEART\n\n## Grid\n\nN1\n#H\n\n"
            "## Clues\n\nA1. {/a/} ~ NHEART\nA1 ^Refs: D2\nD2. b\n"
        ),
        "Title: T\nSpecial: circle\nRebus: 1=HEART\n\n\nn1\n_h\n\n\nA1. a ~ NHEART\nD2. b ~ HEARTH\n",
        "Title: T\nRebus: 1=HEART\n\n\nN1\n.H\n\n\nA1. a ~ NHEART\nD2. b ~ HEARTH\n",
    ],
    ids=["blank lines", "sections", "special cells", "dots as blocks"],
)
def test_xd_of_every_style_is_read(text):
    puzzle = read_puzzle(text.encode(), name="x")
    assert (puzzle.title, puzzle.solution.cells) == ("T", ("N", "HEART", "#", "H"))
    assert [str(clue) for clue in puzzle.clues] == ["1A a", "2D b"]


@pytest.fixture(scope="module")
def scrambled():
    """Our mini with its solution locked by the key 1234."""
    import puz

    file = puz.load(write_puzzle(MINI, "puz"))
    file.lock_solution(1234)
    return file.tobytes()


def test_a_scrambled_puz_is_read_without_its_solution(scrambled):
    puzzle = read_puzzle(scrambled)
    assert (puzzle.clues, puzzle.grid, puzzle.solution) == (MINI.clues, MINI.grid, None)
    assert puzzle.left_out == ("the solution, which is scrambled: `gridwright convert --key` unlocks it",)


def test_the_key_unlocks_a_scrambled_puz(scrambled):
    assert read_puzzle(unlocked(scrambled, "1234")).solution == MINI.solution
    for key, complaint in (("4321", "4321 does not unlock"), ("12", "expected four digits"), ("1204", "expected four")):
        with pytest.raises(UsageError, match=complaint):
            unlocked(scrambled, key)
    with pytest.raises(UsageError, match="is not scrambled"):
        unlocked(write_puzzle(MINI, "puz"), "1234")


def test_a_puz_says_what_a_person_has_entered_or_timed():
    import puz

    file = puz.load(write_puzzle(MINI, "puz"))
    file.fill = file.fill.replace("-", "A", 1)
    file.extensions[puz.Extensions.Timer.value] = b"12,1"
    back = read_puzzle(file.tobytes())
    assert back.left_out == ("the timer",)
    assert [cell for cell in back.progress.cells if cell not in "#."] == ["A"]


@pytest.mark.parametrize("format_", ["puz", "ipuz", "jpz", "json"])
def test_what_a_person_has_entered_is_written_and_read(format_):
    begun = replace(MINI, progress=MINI.grid.fill({MINI.grid.slots[0].cells[0]: "Q"}))
    back = read_puzzle(write_puzzle(begun, format_))
    assert (back.progress, back.solution) == (begun.progress, MINI.solution)


def test_a_damaged_puz_says_so():
    data = bytearray(write_puzzle(MINI, "puz"))
    data[0x40] ^= 1
    assert "expected a .puz file, found a damaged one: global checksum does not match" in complaint(bytes(data))
    data[0x18:0x1C] = b"9.\x8aL"  # where the version stands
    assert complaint(bytes(data)).endswith("found a damaged one: its header or its length is wrong")


@pytest.mark.parametrize(("clue", "version"), [("Olé, señor", b"1.3"), ("Łódź’s “city”", b"2.0"), ("plain", b"1.3")])
def test_puz_uses_the_oldest_text_that_holds_the_clues(clue, version):
    data = write_puzzle(Puzzle(Grid.parse(".."), (Clue("1A", clue),)), "puz")
    assert version in data[:0x20]
    assert read_puzzle(data, name="x").clue("1A") == clue


def test_puz_without_a_solution_has_none():
    puzzle = Puzzle(Grid.parse("..\n.."), (Clue("1A", "Not yes"),))
    assert read_puzzle(write_puzzle(puzzle, "puz"), name="x").solution is None


@pytest.mark.parametrize("sign", ["¨", "\u00b4", "\x7f"])
def test_a_sign_that_is_not_a_letter_is_refused(sign):
    assert "expected the letters of a cell" in complaint({"grid": [[sign, "."]], "clues": {}})


def test_our_json_is_checked():
    good = {"grid": ["..", ".."], "clues": {"across": [[1, "x"]]}}
    assert "there is a clue for 2A" in complaint({**good, "clues": {"across": [[2, "x"]]}})
    assert "the solution has its blocks in other cells" in complaint({**good, "solution": ["A#", "AB"]})
    assert "clues.across[0]: expected a number and a clue" in complaint({**good, "clues": {"across": [[1]]}})
    assert "grid: expected rows of cells, found none" in complaint({**good, "grid": []})
    assert "expected the letters of a cell" in complaint({**good, "grid": [["..", "."]]})


def test_clues_with_answers_make_the_grid_the_solution():
    puzzle = read_puzzle(b'{"grid": ["NO"], "clues": {"across": [[1, "x", "NO"]], "down": []}}', name="x")
    assert (puzzle.grid.rows, puzzle.solution.rows) == (("..",), ("NO",))
    assert "the answer of 1A is OH, the grid has NO" in complaint(
        {"grid": ["NO"], "clues": {"across": [[1, "x", "OH"]], "down": []}}
    )


@pytest.mark.parametrize(("name", "count"), [("goobix_test20", 20), ("goobix_000_099", 100), ("goobix_100_155", 56)])
def test_evaluation_lists_are_read(name, count, evaluation_data):
    puzzles = list(open_puzzles(evaluation_data(f"{name}.json")))
    assert len(puzzles) == count
    assert all(puzzle.solution and len(puzzle.clues) == 10 and "A" not in puzzle.grid.cells for puzzle in puzzles)


def test_candidate_instances_are_read(evaluation_data):
    instances = list(open_puzzles(evaluation_data("autotos_20.json")))
    assert len(instances) == 20
    for found in instances:
        assert len(found.answers) == 10
        assert all(found.solution.answer(name) in words for name, words in found.answers.items())


LISTS = {
    "id": "x",
    "grid": ["#..", "..."],
    "answers": {"1A": ["no", "at"], "2D": ["OH"], "1D": ["NO"], "3A": ["TOO"]},
    "solution": ["#NO", "TOO"],
}


def test_lists_for_the_slots_of_any_grid_are_read_and_written(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps({**LISTS, "answers": {"1A": ["no"], "3A": ["too"], "1D": ["no"], "2D": ["oo"]}}))
    (found,) = open_puzzles(path)
    assert (found.id, found.solution.rows) == ("x", ("#NO", "TOO"))
    assert found.answers == {"1A": ("NO",), "3A": ("TOO",), "1D": ("NO",), "2D": ("OO",)}
    path.write_text(instance.write(found))
    assert list(open_puzzles(path)) == [found]


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        (
            {"answers": {"1A": ["NO"]}},
            "answers: expected a list for every slot .* no other: not so for 1D",
        ),
        ({"answers": []}, "answers: expected an object"),
        ({"grid": "#.."}, "grid: expected a list"),
        ({"solution": ["NOT", "TOO"]}, "solution: expected the blocks of the grid"),
    ],
)
def test_lists_that_do_not_fit_their_grid_are_refused(tmp_path, changes, wanted):
    (tmp_path / "x.json").write_text(json.dumps({**LISTS, **changes}))
    with pytest.raises(FormatError, match=wanted):
        list(open_puzzles(tmp_path / "x.json"))


def test_json_lines_are_told_how_many_puzzles_they_are():
    line = json.dumps(ipuz())
    assert complaint(f"{line}\n\n{line}\n") == f"today: line 3: expected one puzzle, found 2: {SEVERAL}"
    assert complaint(f"{line}\n{{}}\n").startswith("today: line 2: expected a puzzle: an object with grid")


def test_a_clue_set_is_no_puzzle_and_the_option_for_it_is_named():
    entry = json.dumps({"clue": "Not yes", "length": 2, "candidates": [["NO", 0.9]]})
    said = "expected a puzzle, found a clue set: name it with --clue-set"
    assert [complaint(content) for content in (entry, f"{entry}\n{entry}\n")] == [
        f"today: {said}",
        f"today: line 1: {said}",
    ]


def test_json_lines_are_read_one_at_a_time(tmp_path):
    path = tmp_path / "many.jsonl"
    line = json.dumps(ipuz())
    with path.open("w") as file:
        for _ in range(40):
            file.write(f"{line}\n\n")
        file.write("no puzzle\n")
    puzzles = open_puzzles(path)
    assert all(next(puzzles).clue("3A") == "Three" for _ in range(40))
    with pytest.raises(FormatError, match=r"many.jsonl: line 81, line 1, column 1: expected JSON"):
        next(puzzles)
    assert count_puzzles(path) == 41


def test_json_lines_may_be_longer_than_any_one_puzzle_may_be(tmp_path):
    path = tmp_path / "many.jsonl"
    line = json.dumps(ipuz(padding="x" * 1_000_000))
    path.write_text(f"{line}\n" * 20)
    assert path.stat().st_size > 16_000_000
    assert count_puzzles(path) == 20
    assert next(open_puzzles(path)).clue("3A") == "Three"


def test_puzzles_are_counted_as_they_are_read(tmp_path):
    for content, count in ((json.dumps(ipuz()), 1), (json.dumps([ipuz()] * 3), 3), (json.dumps(ipuz(), indent=1), 1)):
        (tmp_path / "x.json").write_text(content)
        assert count_puzzles(tmp_path / "x.json") == len(list(open_puzzles(tmp_path / "x.json"))) == count


def test_a_solution_of_another_shape_is_refused():
    document = {"grid": ["...", "..."], "solution": ["AB", "CD", "EF"], "clues": {}}
    assert complaint(document).endswith("the solution has its blocks in other cells than the grid")


def test_letters_so_far_with_other_blocks_are_refused():
    assert complaint({"grid": ["..", ".."], "progress": ["A#", ".."], "clues": {}}).endswith(
        "the grid of letters written so far has its blocks in other cells than the grid"
    )
    document = json.loads(write_puzzle(MINI, "ipuz"))
    document["saved"] = [["A" for _ in row] for row in document["puzzle"]]
    assert "the grid of letters written so far has its blocks" in complaint(document)


@pytest.mark.parametrize("clues", [{"clues": {"across": [[1, "Not yes"]]}}, {"across": {"1": "Not yes"}, "down": {}}])
def test_json_with_clues_and_no_grid_is_told_what_it_lacks(clues):
    with pytest.raises(FormatError, match="expected a field grid besides the clues"):
        read_puzzle(json.dumps(clues))
