"""Correlations, against another library; and the tables made of them."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import special, stats

from referee import score
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.comparison.correlations import correlate
from referee.stats.correlation import _beta, kendall, levels, pearson, spearman
from referee.stats.significance import ROUNDING
from tests.support.warned import silenced

PAIRS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=40)


@given(PAIRS)
def test_coefficients_are_those_of_scipy(pairs):
    x, y = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert all(math.isnan(f(x, y).value) for f in (pearson, spearman, kendall))
        return
    with silenced(Warning):
        theirs = (stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y, method="asymptotic"))
    for ours, them in zip((f(x, y) for f in (pearson, spearman, kendall)), theirs, strict=True):
        assert ours.value == pytest.approx(them[0], abs=1e-12)
        assert ours.p == pytest.approx(them[1], abs=1e-7, rel=1e-7)


@pytest.mark.parametrize("number", [3, 10, 500])
def test_p_of_a_strong_correlation(number):
    rng = np.random.default_rng(number)
    x = rng.normal(size=number)
    y = x + 0.2 * rng.normal(size=number)
    assert pearson(x, y).p == pytest.approx(stats.pearsonr(x, y)[1], rel=1e-6)


@pytest.mark.parametrize("number", range(2, 12))
def test_a_column_is_correlated_with_itself_and_never_by_more_than_one(number):
    x = np.arange(number) / 7
    for f in (pearson, spearman, kendall):
        assert f(x, x).value == pytest.approx(1, abs=1e-15)
        assert -1 <= f(x, -x).value <= f(x, x).value <= 1
        assert math.isnan(f(x, x).p) == (number == 2)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1.0, 0.5), (2.5, 0.5), (49.0, 0.5), (0.5, 3.0), (3.0, 4.0)])
def test_the_incomplete_beta_function_is_that_of_scipy(a, b):
    for x in (0.0, 1e-9, 0.01, 0.3, 0.5, 0.7, 0.99, 1.0):
        assert _beta(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-12)


def test_rounding_makes_no_correlation_larger_than_one():
    x = np.array([0.5, 0.7, 0.9, 0.0, 0.1])
    y = 3 * x + 0.1  # the quotient is the number after 1
    assert (pearson(x, y).value, pearson(x, -y).value, pearson(x, y).p) == (1, -1, 0)


def test_of_two_things_there_is_no_p():
    found = pearson(np.array([0.1, 0.2]), np.array([3.0, 1.0]))
    assert found.value == -1
    assert math.isnan(found.p)
    assert math.isnan(pearson(np.array([1.0]), np.array([1.0])).value)


def test_numbers_that_differ_by_rounding_are_equal():
    constant, y = np.array([0.1 + 0.2, 0.3, 0.3, 0.3]), np.array([1.0, 2, 3, 4])
    for f in (pearson, spearman, kendall):
        assert math.isnan(f(constant, y).value)
    assert levels(np.array([0.0, ROUNDING, 2.5 * ROUNDING])).tolist() == [0, 0, 1]
    nearly = np.array([0.1, 0.3, 0.1 + 0.2, 0.5])
    for ours, theirs in ((spearman, stats.spearmanr), (kendall, stats.kendalltau)):
        assert ours(nearly, y).value == pytest.approx(theirs([0.1, 0.3, 0.3, 0.5], y)[0])


KEY = {"d1": [{1, 2, 3}, {4, 5}], "d2": [{1, 2}, {3}]}
RESPONSES = {
    "apart": {"d1": [{1, 2}, {3}, {4, 5}], "d2": [{1}, {2}, {3}]},
    "together": {"d1": [{1, 2, 3, 4, 5}], "d2": [{1, 2, 3}]},
    "right": KEY,
}


def test_measures_are_correlated_over_systems_or_their_documents():
    systems = {name: score(KEY, response, metrics=["muc", "b_cubed", "d_error"]) for name, response in RESPONSES.items()}
    s = correlate(systems)
    assert s.cases == [("apart",), ("together",), ("right",)]
    values = [[e[m].value for e in systems.values()] for m in ("muc", "b_cubed")]
    assert s.correlation("muc", "b_cubed")[0].value == pytest.approx(stats.pearsonr(*values)[0])
    by_document = correlate(systems, by_document=True)
    assert len(by_document.cases) == 6
    found, over = by_document.correlation("muc", "b_cubed", "kendall", "recall")
    recalls = [np.concatenate([e.by_document[m].recall for e in systems.values()]) for m in ("muc", "b_cubed")]
    assert found.value == pytest.approx(stats.kendalltau(*recalls)[0])
    assert over == 6
    with pytest.raises(UnknownNameError, match="no metric named 'd_error'"):
        s.correlation("muc", "d_error", side="recall")


def test_correlations_show_and_export_themselves():
    systems = {name: score(KEY, response, metrics=["muc", "b_cubed"]) for name, response in RESPONSES.items()}
    found = correlate(systems)
    assert repr(found) == "<Correlations of 2 metrics over 3 systems>"
    r = found.correlation("muc", "b_cubed")[0].value
    assert found.to_rows()[0] == {"metric": "muc", "muc": 1.0, "b_cubed": pytest.approx(r)}
    assert str(found).splitlines()[0].split() == ["metric", "muc", "b_cubed"]
    assert [row["system"] for row in found.to_rows(ranks=True)] == list(RESPONSES)


def test_ranks_and_reversals():
    systems = {name: score(KEY, response, metrics=["muc", "b_cubed", "d_error"]) for name, response in RESPONSES.items()}
    s = correlate(systems)
    # MUC: recall 2/4, precision 1: F 2/3; recall 1, precision 4/6: F 4/5. B³ prefers the first.
    assert s.ranks("muc").tolist() == [3, 2, 1]
    assert s.ranks("b_cubed").tolist() == [2, 3, 1]
    assert s.ranks("d_error").tolist()[2] == 1  # 0 is best, whatever the sign of the others
    assert s.reversals("muc", "b_cubed") == [(1, 0)]
    assert s.reversals("muc", "muc") == []


def test_one_system_or_one_measure_is_too_few():
    one = score(KEY, KEY, metrics=["muc", "lea"])
    with pytest.raises(OptionError, match=r"found 1 system and 2 metrics; expected at least two of each"):
        correlate({"a": one})
    with pytest.raises(OptionError, match=r"and 1 metric"):
        correlate({"a": score(KEY, KEY, metrics=["muc"]), "b": score(KEY, KEY, metrics=["muc"])})
