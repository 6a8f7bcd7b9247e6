"""What every result can do."""

import json

import pytest

from referee.basics.exceptions import UnknownNameError
from referee.reports.forms import FORMS, render
from referee.reports.listing import Column, Listing
from referee.reports.result import Result


class Example(Result):
    """A result with an option."""

    def listing(self, *, many=False):
        return Listing([Column("system"), Column("muc", "score")], [["a", 0.5], ["b", 0.25]][: 1 + many], notes=["how"])


@pytest.mark.parametrize("form", FORMS)
def test_a_report_is_the_listing_in_a_form(form):
    assert Example().report(form) == render(Example().listing(), form)
    assert Example().report(form, many=True) == render(Example().listing(many=True), form)


def test_rows_are_those_of_csv_and_the_dictionary_that_of_json():
    assert Example().to_rows(many=True) == [{"system": "a", "muc": 0.5}, {"system": "b", "muc": 0.25}]
    assert Example().to_dict() == json.loads(Example().report("json"))


def test_it_prints_itself_as_text_and_shows_itself_as_a_table():
    assert str(Example()) == "system    muc\na       50.00\n\nhow"
    assert Example()._repr_html_().startswith("<table")


def test_an_unknown_form_is_refused():
    with pytest.raises(UnknownNameError, match="no report named 'pdf'; known: badge, codalab, csv"):
        Example().report("pdf")


def test_programs_and_people_may_get_different_tables():
    class Other(Example):
        def records(self, **_):
            return Listing([Column("x", "count")], [[1]])

    assert Other().report("csv") == "x\n1\n"
    assert Other().to_rows() == [{"x": 1}]
    assert Other().report("text").startswith("system")
