"""Sums over runs: exact multiples, the same bits for every order and partition."""

from fractions import Fraction

import numpy as np
from hypothesis import given, strategies as st

from referee.algorithms.sums import sum_runs

terms = st.lists(st.floats(-1e9, 1e9), max_size=20)


def runs(values, edges):
    return np.array(sorted({0, len(values), *(min(edge, len(values)) for edge in edges)}))


@given(terms, st.lists(st.integers(0, 20), max_size=3), st.randoms())
def test_a_sum_has_the_same_bits_in_any_order_and_is_exact_up_to_the_rounding_of_its_terms(values, edges, random):
    offsets = runs(values, edges)
    sums = sum_runs(np.array(values), offsets)
    mixed = []
    for first, after, found in zip(offsets, offsets[1:], sums.tolist(), strict=False):
        run = values[first:after]
        exact = sum(map(Fraction, run), Fraction())
        rounded = len(run) * Fraction(1, 2**61)
        assert abs(Fraction(found) - exact) <= rounded + abs(exact) * Fraction(2, 2**53)
        random.shuffle(run)
        mixed += run
    assert sum_runs(np.array(mixed), offsets).tobytes() == sums.tobytes()


@given(terms, st.lists(st.integers(1, 4), min_size=20, max_size=20))
def test_runs_folded_into_one_sum_are_the_sum_of_the_rows_written_out(values, times):
    each = np.arange(len(values) + 1)
    weights = np.array(times[: len(values)], dtype=np.int64)
    folded = sum_runs(np.array(values), each, lambda sums: (sums.astype(object) * weights).sum(axis=-1, keepdims=True))
    written = np.repeat(np.array(values), weights)
    assert folded.tobytes() == sum_runs(written, np.array([0, len(written)])).tobytes()


@given(st.integers(-(2**53), 2**53), st.integers(0, 60))
def test_a_multiple_of_the_smallest_term_is_kept_to_the_last_bit(multiple, exponent):
    value = multiple * 2.0 ** (exponent - 60)
    assert sum_runs(np.array([value]), np.array([0, 1])).tolist() == [value]


def test_whole_numbers_stay_whole_numbers():
    sums = sum_runs(np.array([2**53, 1, 1]), np.array([0, 3, 3]))
    assert sums.dtype == np.int64
    assert sums.tolist() == [2**53 + 2, 0]
