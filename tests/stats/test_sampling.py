"""Ratios of sampled entities: all samples of tiny populations are enumerated."""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from scipy import stats

from referee.stats.sampling import Ratio, f_ratio, ratio

Y, X = np.array([1.0, 0.0, 5.0, 2.0]), np.array([1.0, 2.0, 7.0, 3.0])
TRUTH = float(Y.sum() / X.sum())


def moments(size, chance):
    """The bias with and without correction, the variance of the estimate, and the mean of its squared standard error."""
    plain = corrected = square = error = 0.0
    for sample in product(range(len(Y)), repeat=size):
        drawn = list(sample)
        p = float(np.prod(chance[drawn]))
        weight = 1 / chance[drawn]
        found = ratio(Y[drawn], X[drawn], weight)
        plain += p * float((Y[drawn] * weight).sum() / (X[drawn] * weight).sum())
        corrected += p * found.value
        square += p * found.value**2
        error += p * found.error**2
    return abs(plain - TRUTH), abs(corrected - TRUTH), square - corrected**2, error


def test_over_all_samples_the_correction_leaves_a_bias_of_second_order():
    for n in (2, 4, 6):
        plain, corrected, *_ = moments(n, np.full(4, 0.25))
        assert plain * n > 0.06 and corrected * n**2 < 0.16


def test_over_all_samples_the_error_is_that_of_the_estimate():
    gaps = []
    for n in (2, 4, 6):
        *_, variance, error = moments(n, np.full(4, 0.25))
        gaps.append(abs(error / variance - 1))
    assert max(gaps) < 0.25


def test_if_weights_balance_the_sizes_the_estimate_is_exact_and_has_no_bias():
    """Sampled by size, weighted denominators are all the same, so the ratio is a mean."""
    plain, corrected, variance, error = moments(4, X / X.sum())
    assert plain < 1e-12 and corrected < 1e-12 and error == pytest.approx(variance)


def test_with_constant_denominators_the_estimate_is_the_mean_with_its_standard_error():
    y = np.array([1.0, 0.0, 1.0, 1.0, 0.0])
    found = ratio(y, np.ones(5), np.ones(5))
    assert found.value == pytest.approx(0.6) and found.error == pytest.approx(y.std(ddof=1) / math.sqrt(5))


def test_no_entities_or_nothing_to_divide_by_gives_no_estimate():
    assert math.isnan(ratio(np.empty(0), np.empty(0), np.empty(0)).value)
    assert math.isnan(ratio(np.zeros(3), np.zeros(3), np.ones(3)).value)
    assert math.isnan(ratio(np.ones(1), np.ones(1), np.ones(1)).error)


def test_the_error_of_f_follows_from_its_derivatives():
    r, p = ratio(Y, X, np.ones(4)), ratio(Y, X + 1, np.ones(4))
    found, step = f_ratio(r, p, 2.0), 1e-6

    def f(recall, precision):
        return 5 * recall * precision / (4 * precision + recall)

    slopes = [
        (f(r.value + step, p.value) - f(r.value, p.value)) / step,
        (f(r.value, p.value + step) - f(r.value, p.value)) / step,
    ]
    np.testing.assert_allclose(found.influence, slopes[0] * r.influence + slopes[1] * p.influence, rtol=1e-4)
    assert found.value == pytest.approx(f(r.value, p.value))


def test_an_estimate_is_its_formula_in_fractions():
    """Cochran (1977), 6.8: r less its bias -Σ(y - rx)x / (n(n - 1)x̄²); its variance is n/(n - 1) Σ((y - rx) / nx̄)²."""
    numerator, denominator, weight = [1, 0, 2, 3], [1, 2, 3, 7], [1, 2, 4, 1]
    y, x = ([F(a * w) for a, w in zip(column, weight, strict=True)] for column in (numerator, denominator))
    n, r, mean = 4, sum(y) / sum(x), sum(x) / 4
    rest = [a - r * b for a, b in zip(y, x, strict=True)]
    bias = -sum(e * b for e, b in zip(rest, x, strict=True)) / (n * (n - 1) * mean**2)
    found = ratio(np.array(numerator), np.array(denominator), np.array(weight, dtype=np.float64))
    assert found.value == pytest.approx(float(r - bias), rel=1e-14)
    assert found.influence == pytest.approx([float(e / (n * mean)) for e in rest], rel=1e-12)
    assert found.error**2 == pytest.approx(float(F(n, n - 1) * sum((e / (n * mean)) ** 2 for e in rest)), rel=1e-12)
    half = stats.norm.ppf(0.975) * found.error
    assert found.interval(0.95)[:2] == pytest.approx((found.value - half, found.value + half))
    two = ratio(np.array([1, 0]), np.array([1, 2]), np.ones(2))  # y - x/3 is 2/3 and -2/3, and x̄ is 3/2
    assert two.value == pytest.approx(1 / 3 - (4 / 3 - 2 / 3) / (2 * 9 / 4))
    assert two.error == pytest.approx(math.sqrt(2 * 2 * (2 / 3 / 3) ** 2))


def test_one_entity_has_its_ratio_and_no_error():
    one = ratio(np.array([1]), np.array([4]), np.ones(1))
    assert one.value == 0.25
    assert math.isnan(one.error)


def test_f_of_nothing_found_is_zero_and_of_nothing_defined_is_undefined():
    nothing, undefined = Ratio(0.0, np.array([0.5, -0.5])), Ratio(math.nan, np.array([math.nan]))
    assert f_ratio(nothing, nothing, 1.0).value == 0
    assert f_ratio(nothing, nothing, 1.0).influence.tolist() == [0, 0]
    assert math.isnan(f_ratio(undefined, undefined, 1.0).value)
