"""Tables in text: aligned, and as wide as the screen."""

import io
import math
import os

import pytest

from referee.reports.forms import render
from referee.reports.listing import Cell, Column, Listing
from referee.reports.text import Screen, length, screen
from referee.stats.intervals import Interval

SCORES = Listing(
    [Column("system"), Column("muc", "score"), Column("d_error", "score"), Column("", "remark")],
    [
        ["one", Cell(1.0, Interval(0.9, 1.0)), Cell(-0.5319, Interval(-0.7, -0.3), "*"), "recall"],
        ["another", Cell(0.7727, Interval(0.7, 0.8)), math.nan, None],
    ],
    notes=["signature"],
    legend=["± half"],
    margins=True,
)


ONE = Listing([Column("s"), Column("n", "count")], [["a", 1]], caption="first")
ENDS = Listing([Column("s"), Column("m", "score")], [["a", Cell(0.5, Interval(0.1, 1.0))], ["b", 0.25]])
GROUPED = [Column("s"), *(Column(t, "count", group="discourse deixis") for t in "PR"), Column("F", "count")]


@pytest.mark.parametrize(
    ("listings", "lines"),
    [
        pytest.param(
            SCORES,
            [
                "system            muc         d_error",
                "one      100.00 ±5.00  −53.19 ±20.00*  recall",
                "another   77.27 ±5.00       -",
                "",
                "± half",
                "signature",
            ],
            id="values, margins and marks are aligned",
        ),
        pytest.param(ENDS, ["s                      m", "a  50.00 [10.00, 100.00]", "b  25.00"], id="intervals by their ends"),
        pytest.param(
            Listing(GROUPED, [["a", 1, 2, 3]]),
            ["   discourse deixis", "s        P        R  F", "a        1        2  3"],
            id="a group may be wider than its columns",
        ),
        pytest.param(
            Listing([Column("text"), Column("n", "count")], [["灯塔", 1], ["rock", 2]]),
            ["text  n", "灯塔  1", "rock  2"],
            id="wide characters take two places",
        ),
        pytest.param(
            Listing([Column("s"), Column("n", "count")], [["a\nb", 1]]), ["s     n", r"a\nb  1"], id="no name breaks a line"
        ),
        pytest.param([ONE, ONE], ["first", "s  n", "a  1", "", "first", "s  n", "a  1"], id="several tables have captions"),
    ],
)
def test_tables_as_text(listings, lines):
    assert render(listings).splitlines() == lines
    assert length("e\u0301") == 1


WIDE = Listing(
    [Column("system"), *(Column(f"metric{n}", "score") for n in range(8))],
    [["one", *(n / 10 for n in range(8))], ["two", *(n / 20 for n in range(8))]],
    notes=["referee 0 | " + " | ".join(f"option{n}:value" for n in range(12))],
)


@pytest.mark.parametrize("width", [30, 40, 60, 80])
def test_a_table_that_is_too_wide_is_several_with_the_labels_repeated(width):
    text = render(WIDE, screen=Screen(width))
    assert max(map(len, text.splitlines())) <= width
    blocks, whole = text.split("\n\n")[:-1], render(WIDE).splitlines()
    assert [block.split()[0] for block in blocks] == ["system"] * len(blocks)
    assert [word for block in blocks for word in block.splitlines()[0].split()[1:]] == [f"metric{n}" for n in range(8)]
    for row in (1, 2):
        assert [w for block in blocks for w in block.splitlines()[row].split()[1:]] == whole[row].split()[1:]


def test_without_an_end_nothing_is_split():
    assert len(render(WIDE).splitlines()) == 5
    assert render(WIDE, screen=Screen(400)) == render(WIDE)


def test_columns_of_a_group_stay_together():
    columns = [Column("s"), *(Column(side, "score", group=metric) for metric in ("one", "two") for side in ("P", "R", "F"))]
    lines = render(Listing(columns, [["a", *[0.5] * 6]]), screen=Screen(30)).splitlines()
    assert [line.split() for line in lines[:2]] == [["one"], ["s", "P", "R", "F"]]
    assert [line.split() for line in lines[4:6]] == [["two"], ["s", "P", "R", "F"]]


def test_long_labels_are_wrapped_where_the_table_is_too_wide_and_nothing_is_lost():
    words = " ".join(f"word{n}" for n in range(20))
    listing = Listing([Column("document"), Column("text"), Column("cost", "cost")], [["d", words, 0.5], ["e", "short", 0.1]])
    text = render(listing, screen=Screen(60))
    assert max(map(len, text.splitlines())) <= 60
    assert [w for w in text.split() if w.startswith("word")] == words.split()
    assert words in render(listing)


def test_headers_are_bold_on_a_terminal_that_shows_it():
    lines = render(SCORES, screen=Screen(80, bold=True)).splitlines()
    assert lines[0].startswith("\033[1msystem")
    assert not any("\033" in line for line in lines[1:])


def test_a_file_has_no_end_and_no_bold():
    assert screen(io.StringIO()) == Screen()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_terminal_has_its_width_and_bold_unless_told_otherwise(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "77")
    main, other = os.openpty()
    with os.fdopen(other, "w") as terminal:
        assert screen(terminal) == Screen(77, bold=True)
        monkeypatch.setenv("NO_COLOR", "1")
        assert screen(terminal) == Screen(77)
        monkeypatch.delenv("COLUMNS")
        assert screen(terminal).width == 80
    os.close(main)
