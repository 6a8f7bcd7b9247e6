"""The table of coreference papers."""

import pytest

from referee.basics.exceptions import OptionError, UnknownNameError
from referee.reports.forms import render
from referee.reports.listing import Cell
from referee.scoring.paper_table import Line, SideScores, paper_table

SCORES = {
    "muc": SideScores(0.9, 0.8, 0.85),
    "b_cubed": SideScores(0.7, 0.6, Cell(0.65, best=True)),
    "ceaf_e": SideScores(0.5, 0.4, 0.45),
}
LINES = [Line(["one"], SCORES, 0.65), Line(["two"], {**SCORES, "lea": SideScores(1, 1, 1)}, 0.65)]


def test_precision_recall_and_f_of_three_metrics_and_their_average():
    assert render(paper_table(LINES)).splitlines() == [
        "                MUC                   B³                 CEAFe          CoNLL",
        "system      P      R     F1      P      R     F1      P      R     F1  avg. F1",
        "one     90.00  80.00  85.00  70.00  60.00  65.00  50.00  40.00  45.00    65.00",
        "two     90.00  80.00  85.00  70.00  60.00  65.00  50.00  40.00  45.00    65.00",
        "",
        "P: precision, R: recall",
    ]


def test_it_fits_a_terminal():
    assert max(map(len, render(paper_table(LINES)).splitlines())) <= 80


def test_programs_call_the_columns_by_metric_and_side():
    assert paper_table(LINES[:1]).to_rows() == [
        {
            "system": "one",
            **{f"muc_{side}": x for side, x in (("precision", 0.9), ("recall", 0.8), ("f1", 0.85))},
            **{f"b_cubed_{side}": x for side, x in (("precision", 0.7), ("recall", 0.6), ("f1", 0.65))},
            **{f"ceaf_e_{side}": x for side, x in (("precision", 0.5), ("recall", 0.4), ("f1", 0.45))},
            "conll": 0.65,
        }
    ]


def test_another_f_is_called_by_its_beta():
    assert "avg. F0.5" in render(paper_table(LINES, beta=0.5))


def test_a_metric_that_is_missing_is_named():
    with pytest.raises(OptionError, match="the table conll needs muc, b_cubed and ceaf_e; found no b_cubed and ceaf_e"):
        paper_table([Line(["x"], {"muc": SCORES["muc"]})])
    with pytest.raises(UnknownNameError, match="no table named 'muc'; known: conll"):
        paper_table(LINES, "muc")
