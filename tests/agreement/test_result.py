"""What an `Agreement` shows and exports."""

from __future__ import annotations

import csv
import io
import json

import pytest

from referee import agree
from referee.agreement import Agreement
from referee.agreement.result import BY
from referee.basics.exceptions import UnknownNameError
from referee.reports.forms import FORMS

ANN = {"a": [{1, 2, 3}, {4, 5}], "b": [{1, 2}, {3, 4}]}
BOB = {"a": [{1, 2}, {3}, {4, 5}], "b": [{1, 2}, {3, 4}]}


@pytest.fixture(scope="module")
def found() -> Agreement:
    return agree({"ann": ANN, "bob": BOB}, metrics=["muc", "vi"])


def test_it_says_in_one_line_what_it_is(found: Agreement) -> None:
    assert repr(found) == f"<Agreement of ann, bob: alpha masi {found.together['alpha masi']:.3f}, 2 documents>"


def test_it_prints_the_table_of_the_command(found: Agreement) -> None:
    assert str(found) + "\n" == found.report()
    heads, row, *_ = found.report().splitlines()
    assert heads.split()[:5] == ["annotator", "other", "muc", "vi", "(bits)"]
    assert row.split()[:3] == ["ann", "bob", f"{100 * found.together['muc']:.2f}"]


def test_alpha_is_no_percentage(found: Agreement) -> None:
    alpha, interval = found.together["alpha nominal"], found.intervals["alpha nominal"]
    assert found.report().splitlines()[2].split()[-1] == f"{alpha:.3f}"
    assert f"alpha nominal [{interval.low:.3f}, {interval.high:.3f}]" in found.report()
    assert found.to_rows()[-1]["alpha nominal"] == alpha


@pytest.mark.parametrize("by", BY)
def test_every_table_has_every_form_and_the_rows_of_csv(found: Agreement, by: str) -> None:
    assert all(found.report(form, by=by) for form in FORMS)
    rows = found.to_rows(by=by, top=1)
    for row, text in zip(rows, csv.DictReader(io.StringIO(found.report("csv", by=by, top=1))), strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()} == text
    assert found.to_dict(by=by) == json.loads(found.report("json", by=by))


def test_at_most_so_many_documents_or_entities(found: Agreement) -> None:
    assert len(found.to_rows(by="document", top=1)) == len(found.to_rows(by="entity", top=1)) == 1
    assert len(found.to_rows(by="matrix", top=1)) == 2


def test_an_unknown_table_is_refused(found: Agreement) -> None:
    with pytest.raises(UnknownNameError, match="no table named 'x'; known: document, entity, matrix, mention, pair, undecided"):
        found.report(by="x")
