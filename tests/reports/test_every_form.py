"""What holds for every form of a table; those that are registered later are tested without being named here."""

import csv
import io
import json
import math
from importlib import import_module
from inspect import getdoc

import pytest

from referee.basics.exceptions import UnknownNameError
from referee.reports.forms import ALL_FORMS, FORMS, render
from referee.reports.listing import Cell, Column, Listing, Title
from referee.stats.intervals import Interval

every_form = pytest.mark.parametrize("form", FORMS)

FOR_PROGRAMS = {"csv", "tsv", "json"}
"""Forms with all digits, and without what is said to people."""

TABLE = Listing(
    [Column("system"), Column(Title("b_cubed", "B³"), "score"), Column("mentions", "count"), Column("p", "p")],
    [["alpha", Cell(0.53125, Interval(0.25, 0.75), best=True), 17, 0.0125], ["omega", Cell(math.nan, mark="*"), 0, None]],
    notes=["signature"],
    legend=["* worse"],
)

HOSTILE = ["a,b", 'say "x"', "a|b", "<b>&amp;", "50 % of $x_1", "\\end{tabular}", "a\tb", "=1+1", "{ü}", "`code`"]
"""What has a meaning in one form or another."""


def rendered(listing, form):
    """A report, which is whole lines."""
    text = render(listing, form)
    assert text.endswith("\n")
    assert render([listing], form) == text, "a single listing is a list of one"
    assert render(listing, form) == text, "the same each time"
    return text


@every_form
def test_it_says_what_it_is(form):
    module = import_module(FORMS[form])
    assert (getdoc(module) or "").partition("\n")[0].strip()
    assert callable(module.render)
    assert form in ALL_FORMS


@every_form
def test_labels_and_counts_are_shown_as_they_are_and_scores_in_percent_or_with_all_digits(form):
    text = rendered(TABLE, form)
    for shown in ("system", "alpha", "omega", "17", "0.53125" if form in FOR_PROGRAMS else "53.12"):
        assert shown in text
    assert "nan" not in text.lower(), "what is undefined has no digits"
    assert text.index("alpha") < text.index("omega"), "rows keep their order"


@every_form
def test_signature_and_legend_are_shown_to_people(form):
    text = rendered(TABLE, form)
    for said in ("signature", "worse"):
        assert (said in text) == (form not in FOR_PROGRAMS)


@every_form
def test_each_row_and_each_table_is_there(form):
    rows = TABLE._replace(rows=[[f"row{n}row", 0.5, n, 0.5] for n in range(50)])
    text = rendered(rows, form)
    assert all(text.count(f"row{n}row") == 1 for n in range(50))
    both = render([TABLE, rows], form)
    assert all(both.count(name) == 1 for name in ("alpha", "omega", "row0row", "row49row"))


@every_form
def test_a_table_without_rows_is_rendered(form):
    text = rendered(TABLE._replace(rows=[]), form)
    assert form == "json" or "system" in text


SEPARATORS = {"html": ["<"], "latex": ["&", "%", "\\end{tabular}"], "markdown": ["|"]}
"""What would begin another cell, a comment or the end of the table, if it were not escaped."""


@every_form
@pytest.mark.parametrize("label", HOSTILE)
def test_a_label_that_has_a_meaning_in_some_form_adds_no_row_and_no_cell(form, label):
    plain, hostile = (rendered(TABLE._replace(rows=[[of, 0.5, 1, 0.5], ["z", 0.5, 1, 0.5]]), form) for of in ("plain", label))
    assert len(hostile.splitlines()) == len(plain.splitlines())
    for sign in SEPARATORS.get(form, ()):
        assert unescaped(hostile, sign) == unescaped(plain, sign), sign
    if form == "json":
        assert json.loads(hostile)["rows"][0]["system"] == label
    if form in ("csv", "tsv"):
        rows = [*csv.reader(io.StringIO(hostile), delimiter="," if form == "csv" else "\t")]
        assert rows[1][0] in (label, "'" + label), "what a spreadsheet would run has an apostrophe before it"
        assert {len(row) for row in rows} == {4}


def unescaped(text, sign):
    """How often a sign stands in a text without a backslash before it."""
    return text.count(sign) - text.count("\\" + sign)


def test_an_unknown_form_is_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="no report named 'markdwon'; did you mean markdown"):
        render(TABLE, "markdwon")
