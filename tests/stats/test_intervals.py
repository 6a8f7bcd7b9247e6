"""Intervals, from their definitions."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from referee.stats.intervals import Interval, bca, percentile

VALUES = np.random.default_rng(0).normal(0.6, 0.1, 999)


def test_the_percentile_interval_is_two_of_the_sorted_resamples():
    # Of 1000 values, 2.5 % are the lowest 25, and 97.5 % the lowest 975.
    values = np.append(VALUES, 0.6)
    low, high, undefined = percentile(values, 0.95)
    assert (low, high, undefined) == (sorted(values)[24], sorted(values)[974], 0)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=30), st.floats(0.01, 0.99))
def test_at_most_each_tail_is_outside(values, level):
    low, high, _ = percentile(np.array(values), level)
    tail = (1 - level) / 2 * len(values)
    assert sum(v < low for v in values) <= tail + 1e-6
    assert sum(v > high for v in values) <= tail + 1e-6


def test_undefined_resamples_are_left_out_and_counted():
    found = percentile(np.concatenate([VALUES, np.full(17, np.nan)]), 0.9)
    assert found == percentile(VALUES, 0.9)._replace(undefined=17)
    nothing = percentile(np.full(4, np.nan), 0.9)
    assert math.isnan(nothing.low)
    assert nothing.undefined == 4


def definition(values, estimate, left_out, level):
    """Efron (1987), (2.3) and (6.6), with the normal distribution of another library."""
    bias = stats.norm.ppf(np.mean(values < estimate) + np.mean(values == estimate) / 2)
    u = left_out.mean() - left_out
    a = (u**3).sum() / (6 * (u**2).sum() ** 1.5)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + stats.norm.ppf(tail)
        share = stats.norm.cdf(bias + z / (1 - a * z))
        ends.append(sorted(values)[min(max(math.ceil(share * len(values)), 1), len(values)) - 1])
    return ends[0], ends[1]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("estimate", [0.55, 0.6, 0.68, float(np.quantile(VALUES, 0.758))])
@pytest.mark.parametrize("sign", [1, -1])
def test_bca_is_its_definition(level, estimate, sign):
    left_out = sign * np.random.default_rng(1).gamma(0.4, 1, 40)
    assert bca(VALUES, estimate, left_out, level)[:2] == definition(VALUES, estimate, left_out, level)


@pytest.mark.parametrize("estimate", [0.55, 0.6, 0.68])
def test_half_of_the_resamples_that_equal_the_estimate_are_below_it(estimate):
    values, left_out = VALUES.round(2), np.random.default_rng(1).gamma(0.4, 1, 40)
    assert bca(values, estimate, left_out, 0.9)[:2] == definition(values, estimate, left_out, 0.9)


def test_the_margin_is_half_of_the_width():
    assert Interval(0.25, 0.75).margin == 0.25


def test_an_infinite_estimate_or_none_left_out_gives_an_interval():
    assert bca(VALUES, math.inf, VALUES[:5], 0.9) == percentile(VALUES, 0.9)
    assert bca(np.append(VALUES, math.inf), 0.6, np.full(3, np.nan), 0.9).undefined == 0
    assert bca(np.append(VALUES, math.nan), 0.6, np.zeros(1), 0.9).undefined == 1


def test_bca_is_near_that_of_another_program():
    rng = np.random.default_rng(3)
    sample = rng.exponential(size=60)
    drawn = sample[rng.integers(60, size=(20_000, 60))].mean(axis=1)
    left_out = (sample.sum() - sample) / 59
    theirs = stats.bootstrap((sample,), np.mean, n_resamples=20_000, method="BCa", rng=rng).confidence_interval
    ours = bca(drawn, float(sample.mean()), left_out, 0.95)
    assert ours.low == pytest.approx(theirs.low, abs=0.015)
    assert ours.high == pytest.approx(theirs.high, abs=0.015)


def test_without_bias_or_skew_bca_is_the_percentile_interval():
    values = np.concatenate([VALUES, 1.2 - VALUES])
    assert bca(values, 0.6, np.array([-1.0, 1.0]), 0.95)[:2] == pytest.approx(percentile(values, 0.95)[:2])
    assert bca(values, 0.6, np.zeros(5), 0.95)[:2] == pytest.approx(percentile(values, 0.95)[:2])


def test_resamples_on_one_side_give_the_percentile_interval():
    for estimate in (-9.0, 9.0):
        assert bca(VALUES, estimate, VALUES[:5], 0.95) == percentile(VALUES, 0.95)


def test_bca_ends_are_the_shares_of_efron():
    """z = z0 + (z0 + z_tail) / (1 - a (z0 + z_tail)), where a is the skewness of the left-out scores, by 6."""
    values, left_out = np.arange(1, 100_001) / 100_000, np.array([0.0] * 9 + [-1.0])
    normal, influence = NormalDist(), left_out.mean() - left_out
    bias, acceleration = normal.inv_cdf(0.6), (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    found = bca(values, 0.6 + 0.5e-5, left_out, 0.9)
    for end, tail in ((found.low, 0.05), (found.high, 0.95)):
        z = bias + normal.inv_cdf(tail)
        assert end == pytest.approx(normal.cdf(bias + z / (1 - acceleration * z)), abs=2e-5)
