"""The intervals of one response are those of a comparison, and show themselves as `score --intervals` does."""

import math

import pytest

from referee import OptionError, Resampling, UnknownNameError, compare, score
from referee.reports.forms import FORMS
from tests.support.command import referee
from tests.support.paths import EXAMPLES

FILES = [str(EXAMPLES / name) for name in ("key.conll", "response.conll")]
KEY = {f"d{n}": [["a", "b", "c"], ["d", "e"]][: 1 + n % 2] for n in range(12)}
RESPONSE = {f"d{n}": [["a", "b"], ["c", "d", "e"]] if n % 3 else [["a", "b", "c"]] for n in range(12)}


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_they_are_those_of_a_comparison(average, method):
    metrics = ["muc", "b_cubed", "conll"]
    found = score(KEY, RESPONSE, name="x", metrics=metrics, average=average).intervals(method=method, resamples=500, seed=3)
    asked = Resampling(method=method, resamples=500, seed=3)
    cells = compare(KEY, {"x": RESPONSE, "y": KEY}, metrics=metrics, average=average, resampling=asked).parts[-1].cells["x"]
    assert {metric: dict(sides) for metric, sides in found.sides.items()} == {m: cell.intervals for m, cell in cells.items()}
    assert list(found) == metrics
    assert found["bcub"] == found.sides["b_cubed"]["value"]
    assert found.notes == ()


def test_the_score_of_documents_that_are_alike_has_no_width():
    found = score({str(n): [["a", "b", "c"]] for n in range(12)}, {str(n): [["a", "b"]] for n in range(12)}).intervals()
    assert (found["muc"].low, found["muc"].high) == (2 / 3, 2 / 3)


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"json"}))  # which has the warnings of the whole run
def test_a_report_is_what_the_command_prints(form):
    printed = referee("score", *FILES, "--intervals", "--seed", "1", "-r", form)
    assert printed.status == 0
    found = score(*FILES).intervals(seed=1)
    assert found.report(form) == printed.out
    assert "there are 2 documents" in printed.err
    assert found.notes[0] in printed.err


def test_rows_have_both_ends():
    evaluation = score(KEY, RESPONSE, metrics=["muc"])
    (row,) = evaluation.intervals(seed=1).to_rows()
    interval = evaluation.intervals(seed=1)["muc"]
    assert (row["value_low"], row["value_high"]) == (interval.low, interval.high)
    assert row["value_low"] <= row["value"] <= row["value_high"]


def test_one_document_has_none():
    found = score([{"a", "b"}], [{"a", "b"}]).intervals()
    assert math.isnan(found["muc"].low)
    assert "at least two are needed" in found.notes[0]
    assert "[" not in found.report().split("referee")[0]


def test_wrong_options_are_refused():
    evaluation = score(KEY, RESPONSE)
    with pytest.raises(UnknownNameError):
        evaluation.intervals(method="normal")
    with pytest.raises(OptionError):
        evaluation.intervals(level=2)
    with pytest.raises(OptionError, match="sentences cannot be resampled for muc"):
        evaluation.intervals(unit="sentence")
    with pytest.raises(KeyError):
        evaluation.intervals()["nothing"]


def test_it_is_short_in_a_log():
    assert len(repr(score(KEY, RESPONSE, name="x").intervals())) < 120
