"""The table of papers."""

import pytest

import referee
from referee.basics.exceptions import UnknownNameError
from referee.reports.forms import render
from referee.reports.listing import Cell
from referee.scoring.paper_table import Line, SideScores, metrics_of, paper_table
from referee.scoring.systems import Systems
from referee.stats.counts import Score

SCORES = {
    "muc": Score(0.85, 0.8, 0.9, 1),
    "b_cubed": Score(0.65, 0.6, 0.7, 1),
    "ceaf_e": Score(0.45, 0.4, 0.5, 1),
    "conll": Score(0.65, beta=1),
}
SIDES = {
    "muc": SideScores(0.9, 0.8, 0.85),
    "b_cubed": SideScores(0.7, 0.6, Cell(0.65, best=True)),
    "ceaf_e": SideScores(0.5, 0.4, 0.45),
    "conll": SideScores(None, None, 0.65),
}
LINES = [Line(["one"], SIDES), Line(["two"], {**SIDES, "lea": SideScores(1, 1, 1)})]


def test_precision_recall_and_f_of_three_metrics_and_their_average():
    assert render(paper_table(LINES, SCORES, {})).splitlines() == [
        "                MUC                   B³                 CEAFe          CoNLL",
        "system      P      R     F1      P      R     F1      P      R     F1  avg. F1",
        "one     90.00  80.00  85.00  70.00  60.00  65.00  50.00  40.00  45.00    65.00",
        "two     90.00  80.00  85.00  70.00  60.00  65.00  50.00  40.00  45.00    65.00",
        "",
        "P: precision, R: recall",
    ]


def test_it_fits_a_terminal():
    assert max(map(len, render(paper_table(LINES, SCORES, {})).splitlines())) <= 80


def test_programs_call_the_columns_by_metric_and_side():
    assert paper_table(LINES[:1], SCORES, {}).to_rows() == [
        {
            "system": "one",
            **{f"muc_{side}": x for side, x in (("precision", 0.9), ("recall", 0.8), ("f1", 0.85))},
            **{f"b_cubed_{side}": x for side, x in (("precision", 0.7), ("recall", 0.6), ("f1", 0.65))},
            **{f"ceaf_e_{side}": x for side, x in (("precision", 0.5), ("recall", 0.4), ("f1", 0.45))},
            "conll": 0.65,
        }
    ]


def test_another_f_is_called_by_its_beta_and_a_value_by_its_unit():
    scores = {"conll": Score(0.65, beta=0.5), "vi": Score(2.0)}
    table = paper_table([Line(["x"], {m: SideScores(None, None, s.value) for m, s in scores.items()})], scores, {"vi": "bits"})
    assert render(table).splitlines() == [
        "          CoNLL         VI",
        "system  avg. F0.5  value (bits)",
        "x           65.00             2",
    ]


KEY = {"x": [{1, 2, 3}, {4, 5}], "y": [{1, 2}]}
WORSE = {"x": [{1, 2}, {4, 5}], "y": [{1, 2}]}


@pytest.mark.parametrize(
    ("table", "metrics", "shown"),
    [
        ("conll", None, "muc b_cubed ceaf_e conll"),
        ("conll", ["lea", "blanc"], "lea blanc"),
        ("conll", "lea,conll", "lea conll"),
        ("prf", None, "mentions muc b_cubed ceaf_m ceaf_e blanc lea conll"),
        ("prf", ["rand", "vi"], "rand vi"),
    ],
)
def test_it_has_the_metrics_that_were_named(table, metrics, shown):
    evaluation = referee.score(KEY, WORSE, metrics=metrics)
    compared = referee.compare(KEY, {"worse": WORSE, "key": KEY}, metrics=metrics)
    for result in (evaluation, compared):
        row = result.to_rows(table=table)[0]
        names = [name.removesuffix("_precision") for name in row if not name.endswith(("_recall", "_f1"))]
        assert names == ["system", *shown.split(), "signature"]
        listed = "default" if table == "prf" and metrics is None else "+".join(shown.split())
        assert row["signature"].split(" | ")[1] == listed
        assert f" | {listed} | " in result.report(table=table)


def test_all_metrics_that_were_asked_for_are_shown():
    every = referee.score(KEY, WORSE, metrics="all")
    assert metrics_of("conll", every) == list(every)
    with pytest.raises(UnknownNameError, match="no table named 'muc'; known: conll, prf"):
        metrics_of("muc", every)


def test_the_best_of_several_systems_is_bold_in_each_document():
    both = Systems(
        "key", [referee.score(KEY, WORSE, name="worse", metrics="muc"), referee.score(KEY, KEY, name="k", metrics="muc")]
    )
    one = Systems("key", both.scores[:1])
    cells = {(system, part.partition(" ")[0]): cell for system, part, cell in both.listing(by="document").rows}
    # worse has MUC 2/3 and 1 in x, where it finds 2 of 3 links, and the link of y
    assert {place: cell.best for place, cell in cells.items()} == {
        ("worse", "x"): False, ("worse", "y"): True, ("worse", "micro"): False, ("worse", "macro"): False,
        ("k", "x"): True, ("k", "y"): True, ("k", "micro"): True, ("k", "macro"): True,
    }  # fmt: skip
    assert "**100.00**" in both.report("markdown")
    assert "**" not in one.report("markdown", by="document")
    assert both.report("latex", table="conll").count("\\textbf") == 1


def test_of_a_metric_with_a_target_the_nearest_is_bold():
    both = Systems("key", [referee.score(KEY, r, name=n, metrics="merge_distance") for n, r in (("worse", WORSE), ("k", KEY))])
    assert [row[-1].best for row in both.listing().rows] == [False, True]


def test_no_gap_is_above_the_average():
    latex = referee.compare(KEY, KEY, WORSE, metrics="muc,conll").report("latex")
    assert " & \\multicolumn{2}{c}{F$_{1}$} \\\\\n\\cmidrule(lr){2-3}\nSystem & MUC & CoNLL" in latex


def test_a_metric_that_is_undefined_in_all_rows_has_a_column_only_if_it_was_named():
    alone = {"x": [{1}, {2}]}  # no links, so neither MUC nor the average is defined
    usual, named = (referee.score(alone, alone, metrics=metrics) for metrics in (None, "muc,lea"))
    compared = referee.compare(alone, {"a": alone, "b": alone})
    note = "undefined, so not shown: muc, conll"
    for report in (usual.report(by="document"), compared.report(), usual.report(table="prf"), compared.report(table="prf")):
        assert note in report
        assert " muc " not in report.splitlines()[1]
    assert " muc " in named.report(by="document").splitlines()[1]
    assert "not shown" not in named.report(by="document")
    assert {row["metric"] for row in usual.to_rows(by="document")} == set(usual)  # programs get all
    assert "muc_f1" in usual.to_rows(table="prf")[0]
