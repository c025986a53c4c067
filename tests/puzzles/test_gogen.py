import json
from contextlib import suppress
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.core.propagate import settle
from agent.errors import FormatError
from agent.kinds import read_kind, solve_kind
from agent.puzzles.gogen import search
from agent.puzzles.gogen.check import check_gogen
from agent.puzzles.gogen.deduce import start
from agent.puzzles.gogen.files import ALPHABET, Gogen, build, parse, parse_words, write_text
from agent.puzzles.gogen.make import make
from agent.puzzles.gogen.search import rules

DEFECTIVE = {"bmehta-13": "needs a move that the board does not have", "bmehta-44": "has no solution as printed"}


def brute_force(puzzle: Gogen) -> set[tuple[str, ...]]:
    """Try every arrangement of the letters."""
    width = puzzle.width
    found = set()
    for letters in permutations(puzzle.letters):
        text = "".join(letters)
        rows = tuple(text[k : k + width] for k in range(0, len(text), width))
        if not check_gogen(puzzle.board, puzzle.words, rows):
            found.add(rows)
    return found


def test_sound_newspaper_puzzles_need_no_search(evaluation_data):
    for file in sorted(evaluation_data("gogen/bmehta-00.json").parent.glob("*.json")):
        result = solve_kind(read_kind(file.read_bytes(), source=file.name), backend=False)
        assert result.stats.expansions == 0, file.name
        if file.stem in DEFECTIVE:
            assert result.proof == "none", file.name
            assert result.reason, file.name
        else:
            assert result.solved, file.name
            assert result.unique, file.name


def test_our_own_puzzles_have_one_solution(own: Path):
    for file in (own / "gogen").glob("*.json"):
        assert solve_kind(read_kind(file.read_bytes())).unique


def test_words_and_nine_starting_letters_make_a_puzzle():
    source = make(seed=4)
    letters = "".join("".join(row) for row in source.board).replace(".", "")
    puzzle = parse_words("\n".join(source.words).lower(), letters)
    assert puzzle.board == source.board
    assert solve_kind(puzzle).unique


@pytest.mark.parametrize(("width", "height"), [(4, 4), (6, 6), (3, 5)])
def test_other_boards_are_solved_from_their_own_letters(width: int, height: int):
    letters = ALPHABET[: width * height]
    rows = [letters[k : k + width] for k in range(0, len(letters), width)]
    snake = "".join(row if r % 2 == 0 else row[::-1] for r, row in enumerate(rows))
    crosswise = "".join("".join(column)[:: 1 if c % 2 == 0 else -1] for c, column in enumerate(zip(*rows, strict=True)))
    board = [rows[0][:2] + "." * (width - 2)] + ["." * width] * (height - 1)
    result = solve_kind(build(tuple(board), (snake, crosswise)))
    assert result.solved
    assert result.unique
    assert result.solutions[0].rows == tuple(rows)


def test_a_letter_may_come_twice_in_a_word():
    puzzle = parse("AB.\nD.F\nGHI\n\nBCE EFI CFE DEH AEA FEED")
    assert solve_kind(puzzle).solutions[0].rows == ("ABC", "DEF", "GHI")


def test_contradictory_letters_have_no_solution_but_no_error():
    twice = solve_kind(parse("A.\n.A\n\nAB"))
    assert twice.proof == "none"
    assert "A is given more than once" in twice.reason
    crowded = solve_kind(parse("A.\n..\n\nABCDE"))
    assert "5 different letters do not fit into 4 cells" in crowded.reason


def test_letters_in_no_word_can_change_places():
    result = solve_kind(parse("AB\n..\n\nAB"), count=2)
    assert result.unique is False
    assert "C, D are in no word" in result.reason


def test_successor_counts_by_depth_stay_as_they_are():
    puzzle = parse("A...\n....\n....\n...P\n\nABCDEF GHIJK LMNO")
    level, counts = [start(puzzle)], []
    for _ in range(3):
        level = [child for state in level for child in rules(state).successors(state)]
        counts.append(len(level))
    assert counts == GOLDEN


GOLDEN = [3, 15, 74]


@settings(max_examples=settings.default.max_examples // 2)
@given(st.data())
def test_small_boards_have_the_solutions_of_brute_force(data: st.DataObject):
    letters = data.draw(st.permutations("ABCDEF"))
    rows = ("".join(letters[:3]), "".join(letters[3:]))
    words = data.draw(st.lists(st.text("ABCDEF", min_size=2, max_size=4), min_size=1, max_size=4))
    shown = data.draw(st.sets(st.sampled_from(list(product(range(2), range(3)))), max_size=2))
    board = tuple("".join(rows[r][c] if (r, c) in shown else "." for c in range(3)) for r in range(2))
    puzzle = build(board, tuple(words), letters="ABCDEF")
    begin = start(puzzle)
    goals = settle(begin, rules(begin), count=1000).outcome.goals
    assert {search.rows(goal) for goal in goals} == brute_force(puzzle)
    assert len(goals) == len(set(goals))


@given(st.lists(st.text("ABCDEFGHI", min_size=1, max_size=6), min_size=1), st.text("ABC.", min_size=9, max_size=9))
def test_written_puzzles_are_read_back(words: list[str], cells: str):
    puzzle = build((cells[:3], cells[3:6], cells[6:]), tuple(words), name="é")
    assert parse(json.dumps(puzzle.to_json())) == puzzle
    assert parse(write_text(puzzle)).board == puzzle.board


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str):
    for shape in (text, '{"board": ' + text, f'{{"board": ["A."], "words": ["{text}"]}}'):
        with suppress(FormatError):
            parse(shape)
