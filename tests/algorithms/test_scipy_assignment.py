"""The assignment that SciPy chooses."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from referee.algorithms.scipy_assignment import scipy_assignment

weights = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0, 0, 0, 0.5, 1 / 3, 2 / 3, 1, 11]))
)


@given(weights)
def test_the_choice_is_that_of_scipy(weight):
    optimize = pytest.importorskip("scipy.optimize")
    for ours, theirs in zip(scipy_assignment(weight), optimize.linear_sum_assignment(-weight), strict=True):
        assert ours.tolist() == theirs.tolist()


@given(weights)
def test_no_choice_is_better(weight):
    row, column = scipy_assignment(weight)
    few = weight if weight.shape[0] <= weight.shape[1] else weight.T
    best = max(sum(few[n, c] for n, c in enumerate(chosen)) for chosen in permutations(range(few.shape[1]), few.shape[0]))
    assert weight[row, column].sum() == pytest.approx(best)


def test_where_all_are_as_good_it_is_the_identity():
    assert [side.tolist() for side in scipy_assignment(np.zeros((3, 5)))] == [[0, 1, 2], [0, 1, 2]]
    assert [side.tolist() for side in scipy_assignment(np.ones((4, 2)))] == [[0, 1], [0, 1]]


@pytest.mark.parametrize("values", [2, 5, 1000])
def test_larger_matrices_with_and_without_ties_are_assigned_as_by_scipy(values):
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(values)
    for _ in range(40):
        weight = rng.integers(values, size=rng.integers(1, 16, size=2)).astype(np.float64)
        for ours, theirs in zip(scipy_assignment(weight), optimize.linear_sum_assignment(-weight), strict=True):
            assert ours.tolist() == theirs.tolist()
