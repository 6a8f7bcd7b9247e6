"""What programs get of a listing."""

import math

import numpy as np
import pytest

from referee.basics.version import VERSION
from referee.reports.listing import Cell, Column, Listing, Title, plain
from referee.stats.intervals import Interval

LISTING = Listing(
    [Column("system"), Column(Title("b_cubed", "B³"), "score"), Column("R", "score", group="MUC", field="muc_recall"),
     Column("", "remark")],
    [["one", Cell(0.5, Interval(0.25, 0.75), "*", best=True), np.float64(1), "bits"], ["two", math.nan, None, None]],
    facts={"key": "k"},
)  # fmt: skip


def test_rows_are_flat_plain_and_have_the_ends_of_intervals():
    assert LISTING.to_rows() == [
        {"system": "one", "b_cubed": 0.5, "b_cubed_low": 0.25, "b_cubed_high": 0.75, "muc_recall": 1.0},
        {"system": "two", "b_cubed": None, "b_cubed_low": None, "b_cubed_high": None, "muc_recall": None},
    ]
    assert type(LISTING.to_rows()[0]["muc_recall"]) is float


def test_a_dictionary_has_the_version_the_facts_and_the_rows():
    assert LISTING.to_dict() == {"referee": VERSION, "key": "k", "rows": LISTING.to_rows()}


def test_a_table_without_rows_has_its_header():
    assert Listing([Column("a"), Column("b", "count")], []).by_column() == (["a", "b"], [[], []])


def test_a_column_is_called_by_its_group_and_title_unless_it_has_a_name_of_its_own():
    assert Column("R", group=Title("MUC")).key == "MUC R"
    assert Column("R", group="MUC", field="r").key == "r"


@pytest.mark.parametrize(
    ("value", "expected"), [(np.int64(3), 3), (np.bool_(True), True), (np.nan, None), (None, None), (Title("a", "b"), "a")]
)
def test_values_are_python_values(value, expected):
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)
