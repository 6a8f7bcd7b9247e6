"""Arithmetic that does not depend on the order of sums."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.parsing.learning import LARGEST_SEEN, Optimizer, Random, of_seen, of_weights, power_above, probabilities, summed_by
from referee.parsing.network import EXACT, LARGEST

SEEDS = st.integers(0, 2**32)


def slopes(seed, rows, columns):
    """Gradients of very different sizes."""
    source = np.random.default_rng(seed)
    sizes = 10.0 ** source.integers(-9, 3, (rows, columns))
    return (source.normal(size=(rows, columns)) * sizes).astype(np.float32)


@given(SEEDS, st.integers(1, 40), st.integers(1, 30), st.integers(1, 30))
def test_products_are_those_of_any_order(seed, rows, before, after):
    source = np.random.default_rng(seed)
    seen = source.integers(-LARGEST_SEEN, LARGEST_SEEN + 1, (rows, before)).astype(np.float32)
    weights = source.integers(-LARGEST, LARGEST + 1, (before, after)).astype(np.float32)
    slope = slopes(seed, rows, after)
    order, columns = source.permutation(rows), source.permutation(after)
    there, again = of_weights(seen, slope), of_weights(seen[order], slope[order])
    assert all(np.array_equal(a, b) for a, b in zip(there, again, strict=True))
    assert np.array_equal(of_seen(slope, weights), of_seen(slope[:, columns], weights[:, columns]))
    # An oracle in float64: each product is rounded to a unit that is small beside the largest ones.
    right = seen.astype(np.float64).T @ slope
    allowed = np.abs(slope).sum(axis=0, dtype=np.float64) * LARGEST_SEEN * 2 * rows * LARGEST_SEEN / EXACT
    assert (np.abs(there[0] - right) <= allowed + 1e-30).all()


@given(SEEDS, st.integers(0, 40))
def test_sums_of_rows_are_those_of_any_order(seed, count):
    source = np.random.default_rng(seed)
    row, values, order = source.integers(0, 5, count), slopes(seed, count, 3), source.permutation(count)
    found = summed_by(row, values, 5)
    assert np.array_equal(found, summed_by(row[order], values[order], 5))
    right = np.zeros((5, 3))
    np.add.at(right, row, values)
    assert np.allclose(found, right, rtol=1e-6, atol=count * np.abs(values).max(initial=0) / 2**19)


def test_powers_of_two_are_above_their_numbers():
    numbers = np.array([0, 1, 0.75, 3, 4, 2.0**-30], dtype=np.float32)
    assert power_above(numbers).tolist() == [1, 2, 1, 4, 8, 2.0**-29]


@given(SEEDS, st.integers(1, 5), st.integers(1, 9))
def test_probabilities_are_those_of_the_softmax(seed, rows, columns):
    scores = np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32) * 20
    right = np.exp(scores - scores.max(axis=1, keepdims=True))
    assert np.allclose(probabilities(scores), right / right.sum(axis=1, keepdims=True), atol=1e-6)


def test_random_numbers_are_those_of_the_seed():
    """Equal seeds give equal numbers, and another seed others."""
    one, two, other = Random(1), Random(1), Random(2)
    assert np.array_equal(one.shares(3, 4), two.shares(3, 4))
    assert np.array_equal(one.kept(9, 7), two.kept(9, 7))
    assert not np.array_equal(one.order(50), other.order(50))
    kept = one.kept(500, 500)
    assert set(np.unique(kept).tolist()) == {0, 1.25}
    assert (kept == 0).mean() == pytest.approx(51 / 256, abs=0.01)


def test_steps_go_down_and_stay_in_bounds():
    """The weights of (w - 5)² go to 5; those whose gradient never ends, to the largest weight."""
    optimizer = Optimizer({"near": np.zeros((1, 2))})
    for _ in range(3000):
        value = optimizer.value["near"]
        optimizer.step({"near": np.stack([value[:, 0] - 5, np.full(1, -1.0)], axis=1).astype(np.float32)}, 0.005)
    assert optimizer.weights()["near"].tolist() == [[5, LARGEST]]
    assert optimizer.averages()["near"].tolist() == [[5, LARGEST]]


def test_gradients_that_are_hardly_any_do_no_harm():
    for size in (0.0, 1e-45, 1e-38, 1e-30):
        slope = np.full((3, 2), size, dtype=np.float32)
        found = [*of_weights(np.ones((3, 4), dtype=np.float32), slope), of_seen(slope, np.ones((4, 2), dtype=np.float32))]
        found.append(summed_by(np.array([0, 0, 1]), slope, 2))
        assert all(np.isfinite(array).all() for array in found)
