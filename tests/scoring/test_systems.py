"""Scores show and export themselves: what the command prints is what `print` prints, and programs get plain rows."""

import json
import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

from referee import UnknownNameError, score
from referee.reports.forms import FORMS
from referee.scoring.systems import Systems
from tests.support.command import referee
from tests.support.paths import EXAMPLES

# Key {a b c} {d e}; response {a b} {c d e}: MUC 2/3; B³ recall (2·2/3 + 1/3 + 2·1)/5 = 11/15, and so is precision.
KEY = {"x": [["a", "b", "c"], ["d", "e"]], "y": [["f", "g"]]}
RESPONSE = {"x": [["a", "b"], ["c", "d", "e"]], "y": [["f", "g"]]}


@pytest.fixture(scope="module")
def evaluation():
    return score(KEY, RESPONSE, name="mine")


def test_an_evaluation_is_short_in_a_log_and_a_table_when_printed(evaluation):
    assert repr(evaluation) == f"<Evaluation of mine: conll {100 * evaluation['conll'].value:.2f}, 8 metrics>"
    assert str(evaluation) == evaluation.report().removesuffix("\n")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("how", [{}, {"by": "document"}, {"table": "conll"}])
def test_a_report_is_what_the_command_prints(form, how):
    options = [word for name, value in how.items() for word in (f"--{name}", value)]
    files = [str(EXAMPLES / name) for name in ("key.conll", "response.conll")]
    printed = referee("score", *files, "-r", form, *options)
    assert printed.status == 0, printed.err
    assert score(*files).report(form, **how) == printed.out


def test_rows_are_plain_and_by_document_if_asked(evaluation):
    rows = evaluation.to_rows()
    assert [row["metric"] for row in rows] == list(evaluation)
    assert {(row["system"], row["document"], row["average"]) for row in rows} == {("mine", "all", "micro")}
    muc = {(row["document"], row["average"]): row["f1"] for row in evaluation.to_rows(by="document") if row["metric"] == "muc"}
    assert muc == {
        ("x", "document"): pytest.approx(Fraction(2, 3)),
        ("y", "document"): 1,
        ("all", "micro"): pytest.approx(Fraction(3, 4)),
        ("all", "macro"): pytest.approx(Fraction(5, 6)),
    }
    json.dumps(rows)


def test_the_table_of_papers_has_three_sides_of_three_metrics_and_their_average(evaluation):
    (row,) = evaluation.to_rows(table="conll")
    assert list(row) == [
        "system",
        *(f"{m}_{side}" for m in ("muc", "b_cubed", "ceaf_e") for side in ("precision", "recall", "f1")),
        "conll",
        "signature",
    ]
    assert row["muc_f1"] == pytest.approx(Fraction(3, 4))
    assert row["b_cubed_recall"] == pytest.approx((Fraction(11, 3) + 2) / 7)
    assert row["conll"] == evaluation["conll"].value


def test_the_table_of_papers_counts_what_the_usual_metrics_lack():
    records = score(KEY, RESPONSE)
    fewer = replace(records, counts={"lea": records.counts["lea"]})  # of a panel, so nobody named them
    assert fewer.to_rows(table="conll")[0]["muc_f1"] == pytest.approx(Fraction(3, 4))


def test_several_systems_are_several_rows(evaluation):
    systems = Systems("key", [evaluation, score(KEY, KEY, name="perfect")])
    assert repr(systems) == "<Scores of mine, perfect: 8 metrics>"
    assert [row["system"] for row in systems.to_rows(table="conll")] == ["mine", "perfect"]
    lines = systems.report(by="document").splitlines()
    assert [line.split()[:2] for line in lines[2:10]] == [
        [name, place] for name in ("mine", "perfect") for place in ("x", "y", "micro", "macro")
    ]


def test_the_short_signature_leaves_out_what_is_usual(evaluation):
    assert evaluation.short_signature.endswith("|default|t:not-compared|d:2")
    strict = score(KEY, RESPONSE, singletons="drop", match="exact")
    assert strict.short_signature.endswith("|default|t:not-compared|s:dropped|d:2")
    assert evaluation.short_signature in evaluation.report("latex").replace("$|$", "|")
    assert evaluation.to_dict()["systems"][0]["short_signature"] == evaluation.short_signature


@pytest.mark.parametrize("how", [{"by": "genre"}, {"table": "lea"}])
@pytest.mark.parametrize("form", FORMS)
def test_an_unknown_table_is_refused(evaluation, form, how):
    with pytest.raises(UnknownNameError):
        evaluation.report(form, **how)


def test_what_was_pickled_shows_the_same(evaluation):
    assert pickle.loads(pickle.dumps(evaluation)).report() == evaluation.report()


def test_what_is_named_and_undefined_says_what_the_key_lacks():
    e = score([{1, 2}], [{1, 2}], metrics=["muc", "pronoun_anaphora"])
    assert "pronoun_anaphora is undefined; it needs a key with mention types" in e.report()
    assert "undefined" not in score([{1, 2}], [{1, 2}], metrics=["muc"]).report()
