"""Linear intervals: against the formula for ratios, all resamples of small data, and the bootstrap of large data."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import referee
from referee.basics.exceptions import OptionError
from referee.scoring.intervals import MANY_UNITS
from referee.stats import settings
from referee.stats.counts import rates, single
from referee.stats.linear import gradient
from referee.stats.resampling import AddableCounts
from referee.stats.settings import Resampling
from tests.support.metrics import ENTITY_METRICS
from tests.support.partitions import random_documents, table_of

LINEAR = Resampling(method="linear")
MANY_DOCUMENTS = MANY_UNITS.format("documents")


def errors(counts):
    found = AddableCounts.from_systems({"": {"m": counts}}).estimates(LINEAR)[""]["m"].errors
    assert found is not None
    return [float(error) for error in found]


@pytest.mark.parametrize("units", [2, 7])
def test_the_error_of_a_ratio_is_the_textbook_formula(units):
    x, y = np.array([3, 1, 4, 1, 5, 9, 2])[:units], np.array([6, 5, 5, 8, 9, 9, 3])[:units]
    ratio, n = x.sum() / y.sum(), len(x)
    expected = math.sqrt(n / (n - 1) * ((x - ratio * y) ** 2).sum()) / y.sum()
    assert errors(single(x, y))[0] == pytest.approx(expected, rel=1e-8)


def test_derivatives_of_a_ratio_are_those_of_calculus_and_0_by_a_sum_of_0():
    """By x and y, x/y has the derivatives 1/y and -x/y²."""
    for x, y, by_x in ((1.0, 4.0, 1 / 4), (3.0, 1.0, 1), (0.0, 2.0, 0)):
        found = gradient(lambda sums: sums[:1] / sums[1:], np.array([x, y]))
        assert found[0] == pytest.approx([by_x, -x / y**2], rel=1e-8)


def test_the_error_of_f_is_that_of_the_ratio_that_it_is():
    """F1 of shared mentions over key and response mentions is 2x/(y + z)."""
    x, y, z = np.array([3, 1, 4, 1, 5]), np.array([6, 5, 5, 8, 9]), np.array([4, 1, 6, 2, 5])
    found = errors(rates((x, y), (x, z)))
    assert found == pytest.approx([errors(single(2 * x, y + z))[0], errors(single(x, y))[0], errors(single(x, z))[0]], rel=1e-8)


def test_the_error_of_a_mean_is_that_of_all_resamples():
    """With a constant denominator, the score is linear: the variance over all resamples is exact but for n/(n - 1)."""
    x, n = [3, 1, 4, 1, 5], 5
    means = [sum(drawn) / (2 * n) for drawn in product(x, repeat=n)]
    assert errors(single(np.array(x), np.full(n, 2)))[0] == pytest.approx(np.std(means) * math.sqrt(n / (n - 1)), rel=1e-9)


def test_with_more_units_the_error_comes_near_that_of_all_resamples():
    """Of a ratio that is not linear: the difference shrinks as the units vary less."""
    gaps = []
    for scale in (1, 10, 100):
        x, y = np.array([3, 1, 4, 2]) + 9 * scale, np.array([5, 6, 4, 7]) + 17 * scale
        drawn = np.array(list(product(range(4), repeat=4)))
        spread = np.std(x[drawn].sum(axis=1) / y[drawn].sum(axis=1)) * math.sqrt(4 / 3)
        gaps.append(abs(errors(single(x, y))[0] / spread - 1))
    assert gaps[0] > 10 * gaps[1] > 100 * gaps[2]


@pytest.mark.parametrize("metric", ENTITY_METRICS)
def test_of_many_documents_both_kinds_are_alike(metric):
    documents = random_documents(np.random.default_rng(7), 400, max_mentions=12)
    counts = {metric: ENTITY_METRICS[metric].count(table_of(documents))}
    made = {
        m: AddableCounts.from_systems({"": counts}).estimates(Resampling(method=m, resamples=2000))[""]
        for m in ("linear", "bca")
    }
    for side, (low, high, _) in made["linear"][metric].intervals(LINEAR).items():
        other = made["bca"][metric].intervals(Resampling(method="bca", resamples=2000))[side]
        assert high - low == pytest.approx(other.high - other.low, rel=0.15, nan_ok=True)
        assert (low + high) / 2 == pytest.approx((other.low + other.high) / 2, abs=(high - low) / 6, nan_ok=True)


def test_above_many_units_it_is_the_default_and_says_so(monkeypatch):
    monkeypatch.setattr(settings, "MANY", 2)
    key = {"d1": [["a", "b"]], "d2": [["c", "d", "e"]], "d3": [["f", "g"]]}
    scores = referee.score(key, {"d1": [["a", "b"]], "d2": [["c", "d"]], "d3": []}, metrics="muc", tokens="ignore")
    found = scores.intervals()
    assert found.resampling.method == "linear" and MANY_DOCUMENTS in found.notes
    assert "intervals:linear | level:0.95 | unit:document" in found.report()
    asked = scores.intervals(method="percentile")
    assert asked.resampling.method == "percentile" and MANY_DOCUMENTS not in asked.notes
    macro = replace(scores, options=replace(scores.options, average="macro"))
    assert macro.intervals()["muc"].low < macro["muc"].value < macro.intervals()["muc"].high


def test_a_single_document_has_no_interval():
    found = referee.score([{1, 2}], [{1, 2}], metrics="muc").intervals(method="linear")
    assert math.isnan(found["muc"].low) and "no interval can be given" in found.notes[0]


def test_a_comparison_resamples():
    with pytest.raises(OptionError, match="expected another method of intervals than linear"):
        referee.compare([{1, 2}], {"a": [{1, 2}]}, resampling=LINEAR)
