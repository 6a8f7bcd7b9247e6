"""Tables for programs: CSV, TSV, JSON."""

import csv
import io
import json
import math

import pytest

from referee import score
from referee.reports.forms import FORMS, render
from referee.reports.listing import Column, Listing

ODD = Listing([Column("name"), Column("x", "score")], [['a,b "c"\td', 1 / 3], ["undefined", math.nan], ["infinite", math.inf]])


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_every_value_can_be_read_again(form, delimiter):
    rows = list(csv.DictReader(io.StringIO(render(ODD, form)), delimiter=delimiter))
    assert [row["name"] for row in rows] == ['a,b "c"\td', "undefined", "infinite"]
    assert [row["x"] for row in rows] == [repr(1 / 3), "", "inf"]


def test_json_has_null_for_undefined_and_a_text_for_infinite():
    assert [row["x"] for row in json.loads(render(ODD, "json"))["rows"]] == [1 / 3, None, "inf"]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_takes_several_listings_and_none_without_rows(form):
    empty = Listing([Column("name"), Column("x", "cost")], [], caption="none")
    assert "name" in render([ODD, empty], form)
    assert render(empty, form)


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_no_name_is_a_formula(form):
    key = [{"a", "b"}, {"c"}]
    for name in ("=1+1", "+1", "-1+1", "@SUM(A1)", " =1", "\uff1d1"):
        assert f"\n'{name}" in score(key, key, name=name).report(form)
    assert "'" not in score(key, key, name="a=b").report(form)
