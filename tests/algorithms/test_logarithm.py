"""Binary logarithms against those of the platform, and exact powers of two."""

import math

import numpy as np
from hypothesis import given, strategies as st

from referee.algorithms.logarithm import binary_logarithm


@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=20))
def test_it_is_that_of_the_platform(numbers):
    for ours, number in zip(binary_logarithm(np.array(numbers)).tolist(), numbers, strict=True):
        assert math.isclose(ours, math.log2(number), rel_tol=2.0**-50, abs_tol=2.0**-52)


def test_it_is_exact_for_powers_of_two_and_near_where_the_series_changes():
    powers = np.arange(-1000, 1000)
    assert binary_logarithm(np.ldexp(1.0, powers)).tolist() == powers.tolist()
    for number in (
        0.5**0.5,
        np.nextafter(0.5**0.5, 0),
        2**0.5,
        np.nextafter(2**0.5, 3),
        1.41,
        0.71,
        0.7,
        1 + 2.0**-52,
        1 - 2.0**-53,
    ):
        assert math.isclose(binary_logarithm(np.array([number]))[0], math.log2(number), rel_tol=2.0**-49)
