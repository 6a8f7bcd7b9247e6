"""The tests of a difference: against enumeration, and the worked example of the correction."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from referee.metrics.links import mentions
from referee.stats.resampling import AddableCounts
from referee.stats.significance import bootstrap, holm, randomization
from referee.stats.swaps import all_swaps, differing, swapped
from tests.support.partitions import random_documents, table_of

FLOATS = st.floats(-1, 1)


def enumerated(a, b):
    """The share of all ways to exchange documents whose difference in F is at least the observed one, in exact fractions."""

    def f(rows):
        found, key, _, response = (sum(column) for column in zip(*rows, strict=True))
        return Fraction(2 * found, key + response) if key + response else Fraction(0)

    observed = abs(f(a) - f(b))
    larger = 0
    for tossed in product([False, True], repeat=len(a)):
        one = [y if t else x for x, y, t in zip(a, b, tossed, strict=True)]
        other = [x if t else y for x, y, t in zip(a, b, tossed, strict=True)]
        larger += abs(f(one) - f(other)) >= observed
    return Fraction(larger, 2 ** len(a))


@pytest.mark.parametrize("seed", range(8))
def test_the_exact_test_is_the_enumeration(seed):
    rng = np.random.default_rng(seed)
    keys = [key for key, _ in random_documents(rng, 8, 12)]
    systems = {}
    for name in ("a", "b"):
        responses = [response for _, response in random_documents(rng, 8, 12)]
        systems[name] = {"mentions": mentions.count(table_of(list(zip(keys, responses, strict=True))))}
    rows = {
        name: list(
            zip(
                *(
                    c["mentions"].columns[side].tolist()
                    for side in ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
                ),
                strict=True,
            )
        )
        for name, c in systems.items()
    }
    s = AddableCounts.from_systems(systems, zero_division=0.0)
    ways = all_swaps(differing(s, "a", "b", "mentions"))
    ((_, (first, second)),) = swapped(s, "a", "b", ways, ["mentions"])
    observed = float(s.score("b", "mentions", s.total).value[0] - s.score("a", "mentions", s.total).value[0])
    found = randomization(second - first, observed, every=True)
    assert found == float(enumerated(rows["a"], rows["b"]))


@given(st.lists(FLOATS, max_size=40), FLOATS)
def test_no_p_is_0(null, observed):
    for p in (randomization(np.array(null), observed), bootstrap(np.array(null), observed)):
        assert 1 / (len(null) + 1) <= p <= 1


@given(st.lists(FLOATS, min_size=1, max_size=40), FLOATS)
@example([0.0], 1e-12)
def test_the_p_is_counted(null, observed):
    larger = sum(abs(x) >= abs(observed) - 1e-12 for x in null)
    assert randomization(np.array(null), observed) == (larger + 1) / (len(null) + 1)
    farther = sum(abs(x - observed) >= abs(observed) - 1e-12 for x in null)
    assert bootstrap(np.array(null), observed) == (farther + 1) / (len(null) + 1)


def test_undefined_differences_are_left_out():
    assert randomization(np.array([0.1, np.nan, 0.3]), 0.2) == 2 / 3
    assert math.isnan(randomization(np.array([0.1]), math.nan))
    assert math.isnan(randomization(np.array([np.nan]), 0.1, every=True))


def test_no_difference_is_not_significant():
    assert randomization(np.zeros(10), 0.0) == bootstrap(np.zeros(10), 0.0) == 1


def test_the_correction_is_holms():
    # Holm (1979): the smallest of n by n, the next by n - 1, ..., and never less than one before.
    assert holm(np.array([[0.01], [0.02], [0.03], [0.04]]))[:, 0] == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm(np.array([[0.9], [0.6]])).tolist() == [[1.0], [1.0]]
    assert holm(np.empty((0, 3))).shape == (0, 3)


@given(st.lists(st.lists(st.floats(0.001, 1) | st.just(math.nan), min_size=3, max_size=3), max_size=8))
def test_the_correction_rejects_what_stepping_down_rejects(families):
    table = np.array(families).reshape(-1, 3)
    rejected = np.zeros(table.shape, dtype=bool)
    for family in range(3):
        tested = [n for n in range(len(table)) if not math.isnan(table[n, family])]
        for rank, n in enumerate(sorted(tested, key=lambda n: table[n, family])):
            if table[n, family] * (len(tested) - rank) > 0.05:
                break
            rejected[n, family] = True
    corrected = holm(table)
    assert np.array_equal(corrected <= 0.05, rejected)
    assert np.array_equal(np.isnan(corrected), np.isnan(table))
