"""What a `Comparison` shows and exports."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from referee import compare, score
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.comparison.comparing import comparison
from referee.comparison.result import RECORD
from referee.reports.forms import FORMS
from referee.scoring.groupings import by_document
from referee.stats.settings import Resampling

KEY = {"a": [{1, 2, 3}, {4, 5}], "b": [{1, 2}, {3, 4}]}
RESPONSES = {"x": {"a": [{1, 2}, {3}, {4, 5}], "b": [{1, 2}, {3, 4}]}, "y": {"a": [{1, 2, 3}, {4, 5}], "b": [{1}, {2, 3, 4}]}}
FEW = Resampling(resamples=100)


@pytest.fixture(scope="module")
def found():
    return compare(KEY, RESPONSES, resampling=FEW)


def test_it_says_in_one_line_what_it_is(found):
    best = max("xy", key=lambda system: found[system, "conll"].score.value)
    value = f"{100 * found[best, 'conll'].score.value:.2f}"
    assert repr(found) == f"<Comparison of 2 systems: conll {value} of {best} is best, 2 documents>"


def test_a_cell_is_asked_by_a_system_and_a_metric(found):
    assert found["x", "B3"] is found["x", "b_cubed"]
    with pytest.raises(OptionError, match=r"^found 'x'; expected a system and a metric, as in comparison\['y', 'conll'\]$"):
        found["x"]
    with pytest.raises(UnknownNameError, match="no system named 'z'; known: x, y"):
        found["z", "muc"]
    with pytest.raises(UnknownNameError, match="no metric named 'ari'; known: b_cubed"):
        found["x", "ari"]


def test_it_prints_the_table_of_the_command(found):
    assert str(found) + "\n" == found.report()
    lines = found.report().splitlines()
    assert lines[0].split() == ["F1"]
    assert lines[1].split() == ["system", *found.metrics]
    assert [line.split()[0] for line in lines[2:4]] == ["x", "y"]
    assert found._repr_html_().startswith("<table")


def test_rows_are_those_of_csv(found):
    rows = found.to_rows()
    assert len(rows) == 2 * len(found.metrics)
    assert all(tuple(row) == RECORD for row in rows)
    for row, text in zip(rows, csv.DictReader(io.StringIO(found.report("csv"))), strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()} == text
    assert rows[0]["difference"] is None


def test_the_dictionary_is_that_of_json(found):
    assert found.to_dict() == json.loads(found.report("json"))


def test_the_table_of_papers_has_precision_recall_and_f(found):
    (x, y) = found.to_rows(table="conll")
    assert x == {
        "system": "x",
        **{
            f"{metric}_{name}": getattr(found["x", metric].score, side)
            for metric in ("muc", "b_cubed", "ceaf_e")
            for name, side in (("precision", "precision"), ("recall", "recall"), ("f1", "value"))
        },
        "conll": found["x", "conll"].score.value,
        "signature": found.signature("micro", "x").replace("default", "muc+b_cubed+ceaf_e+conll"),
    }
    assert y["system"] == "y"
    lines = found.report(table="conll").splitlines()
    assert lines[0].split() == ["MUC", "B³", "CEAFe", "CoNLL"]
    assert lines[1].split() == ["system", *["P", "R", "F1"] * 3, "avg.", "F1"]
    assert all(found.report(form, table="conll") for form in FORMS)


def test_the_table_of_papers_may_have_intervals_of_every_side(found):
    x = found.report(table="conll", style="interval").splitlines()[2]
    assert len(re.findall(r"\d\.\d\d \[\d+\.\d\d, \d+\.\d\d\]", x)) == 10
    (row, _) = found.to_rows(table="conll", style="interval")
    assert row["muc_recall_low"] == found["x", "muc"].intervals["recall"].low


def test_the_table_of_papers_has_a_row_a_group_and_system():
    found = compare(KEY, RESPONSES, resampling=FEW, by=by_document)
    rows = found.to_rows(table="conll")
    assert [(row["group"], row["system"]) for row in rows] == [(g, s) for g in ("a", "b", "micro", "macro") for s in "xy"]


def test_the_table_of_papers_needs_its_metrics():
    stored = {name: replace(score(KEY, r), counts={"muc": score(KEY, r).counts["muc"]}) for name, r in RESPONSES.items()}
    found = comparison({"": stored}, resampling=FEW)
    with pytest.raises(
        OptionError, match="the table conll needs muc, b_cubed, ceaf_e and conll; found no b_cubed, ceaf_e and conll"
    ):
        found.report(table="conll")
    with pytest.raises(UnknownNameError, match="no table named 'acl'; known: conll, prf"):
        found.report(table="acl")
    with pytest.raises(UnknownNameError, match="no style named 'wide'"):
        found.report(style="wide")
