"""Every picture is XML that any page may hold, has a description in words, and never relies on colour alone."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.draw.chart import dot_chart, interval_chart, line_chart
from agent.draw.grid import DOUBT, MOST_SHADE, grid_svg
from agent.draw.svg import COLOURS, DARK_PAPER, INK_ON_DARK, INK_ON_PAPER, PAPER, below, size_of, standalone
from agent.puzzles.fillin.draw import fillin_svg
from agent.puzzles.gogen.draw import gogen_svg
from agent.puzzles.nonogram.draw import nonogram_svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["<script>alert(1)</script>", '" onload="x', "]]>", "&amp;", "\x00\x1b\ud800", ""]


def pictures(text: str) -> list[str]:
    """Draw everything that can be drawn, with the same text wherever a stranger's text can stand."""
    return [
        grid_svg([[text, "#"], [None, "B"]], numbers={0: 1}, confidence=[0.003, 1, 1, 0.9], marked=[3], title=text),
        nonogram_svg(["#?", ".."], [[text], []], [["1"], []], title=text),
        gogen_svg([["A", text], ["C", "D"]], {text: [(0, 0), (1, 1), (1, 1)]}, bold=[0], title=text),
        fillin_svg(["ab", "_#"], ["ab", text or "ax"], givens=["a_", "_#"], title=text),
        line_chart({text: [(0, 1), (1, 2)], "b": []}, x=text, y=text, title=text, log_y=True),
        interval_chart({text: (1, 2, 3)}, x=text, title=text, reference=0),
        dot_chart({text: {text: 3, "b": 0}}, x=text, title=text, log_x=True, hollow=[(text, "b")]),
    ]


def tree(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own text, and to parse it is the test


@pytest.mark.parametrize("text", ["plain", *HOSTILE])
def test_every_picture_is_plain_xml_without_style_or_script(text):
    plain = [[node.tag for node in tree(svg).iter()] for svg in pictures("plain")]
    for svg, tags in zip(pictures(text), plain, strict=True):
        nodes = list(tree(svg).iter())
        if text:  # a cell with nothing in it has no letter
            assert [node.tag for node in nodes] == tags
        for node in nodes:
            assert not {"style", "href", "onload", "class"} & set(node.attrib)
        assert "url(" not in svg


@pytest.mark.parametrize("text", ["plain", *HOSTILE])
def test_every_picture_has_a_name_and_a_description(text):
    for svg in pictures(text):
        root = tree(svg)
        assert [root[0].tag, root[1].tag, root.get("role")] == [f"{SVG}title", f"{SVG}desc", "img"]
        assert root[0].text
        assert root[1].text


@given(st.text(max_size=30))
def test_no_text_at_all_breaks_a_picture(text):
    for svg in pictures(text):
        tree(svg)


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("paper", [PAPER, DARK_PAPER])
def test_lines_stand_out_on_light_and_on_dark_paper(paper):
    for colour in COLOURS:
        assert contrast(colour, paper) >= 3, colour


def test_ink_is_readable_on_its_paper():
    assert contrast(INK_ON_PAPER, PAPER) > 7
    assert contrast(INK_ON_DARK, DARK_PAPER) > 7


@pytest.mark.parametrize(("paper", "ink"), [(PAPER, INK_ON_PAPER), (DARK_PAPER, INK_ON_DARK)])
def test_letters_are_readable_on_the_darkest_shade_of_doubt(paper, ink):
    def mixed(at: int) -> int:
        return round(MOST_SHADE * int(DOUBT[at : at + 2], 16) + (1 - MOST_SHADE) * int(paper[at : at + 2], 16))

    assert contrast(ink, f"#{mixed(1):02x}{mixed(3):02x}{mixed(5):02x}") >= 4.5


def test_doubt_shows_without_colour_too():
    sure, unsure = grid_svg(["AB"], confidence=[1, 1]), grid_svg(["AB"], confidence=[1, 0.25])
    assert ("B, &gt;99 % sure" in sure, "b, 25 % sure" in unsure) == (True, True)
    bars = [node for node in tree(unsure).iter(f"{SVG}path") if node.get("stroke-width") == "3"]
    assert [bar.get("d") for bar in bars] == ["M37 35h27"]
    assert not [node for node in tree(sure).iter(f"{SVG}path") if node.get("stroke-width") == "3"]


def test_a_long_rebus_stays_within_its_cell():
    sizes = [float(node.get("font-size")) for node in tree(grid_svg([["A", "HEART", "ABCDEFGHIJ"]])).iter(f"{SVG}text")]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3


def test_a_grid_is_read_out_and_a_large_one_only_measured():
    assert "Row 1: A, block. Row 2: empty, B." in grid_svg(["A#", ".B"])
    assert "20 rows of 20 cells." in grid_svg(["." * 20] * 20)


def test_rows_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="rows of equal length"):
        grid_svg(["##", "#"])
    with pytest.raises(ValueError, match="expected 1 rows of 2 cells"):
        nonogram_svg(["##", "#"], [["2"]], [["1"], ["1"]])


def test_a_wrong_number_of_confidences_is_refused():
    with pytest.raises(ValueError, match="one confidence for each of 2 cells, found 1"):
        grid_svg(["AB"], confidence=[1])


def test_each_word_of_a_gogen_has_its_path_described():
    svg = gogen_svg(["AB", "CD"], {"ABD": [(0, 0), (0, 1), (1, 1)], "CC": [(1, 0), (1, 0)]})
    assert len(list(tree(svg).iter(f"{SVG}polyline"))) == 2
    assert "ABD: A in row 1, column 1, B in row 1, column 2, D in row 2, column 2." in svg


def test_words_are_ticked_as_often_as_the_grid_has_them():
    svg = fillin_svg(["ab", "b#"], ["ab", "ab", "ab", "cd"])
    assert svg.count("✓ ab") == 2
    assert "2 of 4 words stand in the grid." in svg


def test_nothing_is_drawn_outside_a_picture():
    """Rectangles and circles are easy to measure; the rest lies between them."""
    for svg in pictures("plain"):
        width, height = size_of(svg)
        for node in tree(svg).iter():
            if node.tag == f"{SVG}rect":
                assert 0 <= float(node.get("x", 0)) <= width - float(node.get("width"))
                assert 0 <= float(node.get("y", 0)) <= height - float(node.get("height"))
            elif node.tag == f"{SVG}circle":
                assert 0 <= float(node.get("cx")) <= width
                assert 0 <= float(node.get("cy")) <= height


def test_stacked_pictures_are_as_wide_as_the_widest():
    parts = [grid_svg(["ABC"]), grid_svg(["A", "B"])]
    width, height = size_of(below(parts, title="both"))
    assert width == max(size_of(part)[0] for part in parts)
    assert height > sum(size_of(part)[1] for part in parts)


@pytest.mark.parametrize("text", ["plain", *HOSTILE])
def test_a_file_of_its_own_has_paper_and_keeps_its_words(text):
    for svg in pictures(text):
        whole, words = tree(standalone(svg)), tree(svg)
        assert [whole[0].text, whole[1].text] == [words[0].text, words[1].text]
        assert [node.tag for node in whole][2:4] == [f"{SVG}style", f"{SVG}rect"]
