"""Alignments of two sequences: all alignments tried where they are short, known edits where they are long."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.algorithms import alignment
from referee.algorithms.alignment import LENGTHS, SMALL, SPENT, align

items = st.lists(st.integers(0, 5), max_size=5)
runs = st.lists(st.integers(0, 3), max_size=40)


def alike(x, y):
    """Two pairs are worth more than one of equal items; even and odd ones have nothing in common."""
    return 0.0 if (x + y) % 2 else 1 / (1 + abs(x - y) / 8)


def pairs_of(place):
    return [(x, y) for x, y in enumerate(place.tolist()) if y >= 0]


def monotone(a, b):
    for size in range(min(a, b) + 1):
        for x in combinations(range(a), size):
            for y in combinations(range(b), size):
                yield list(zip(x, y, strict=True))


def worth(a, b, pairs):
    return sum((Fraction(1) if a[x] == b[y] else Fraction(alike(a[x], b[y])) for x, y in pairs), Fraction())


@given(items, items)
def test_of_short_sequences_no_alignment_is_worth_more(a, b):
    found = pairs_of(align(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64), alike))
    assert found in list(monotone(len(a), len(b)))
    assert float(worth(a, b, found)) == pytest.approx(float(max(worth(a, b, p) for p in monotone(len(a), len(b)))))
    assert all(a[x] == b[y] or alike(a[x], b[y]) > 0 for x, y in found)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("different", [1 << 40, 300])
def test_of_long_sequences_what_was_not_edited_is_aligned(seed, different):
    """Items are deleted, inserted and replaced far from each other; with few different ones, these occur many times."""
    rng = np.random.default_rng(seed)
    a = rng.integers(different, size=3000).tolist()
    b = []
    expected = []
    for n, item in enumerate(a):
        edit = rng.choice(4) if n % 40 == 20 else 3
        if edit == 1:
            b.append(-1 - n)
        if edit > 0:
            expected.append((n, len(b)))
            b.append(-1 - n if edit == 2 else item)
    found = pairs_of(align(np.array(a), np.array(b), lambda _x, _y: 0.25))
    assert all(x[0] < y[0] and x[1] < y[1] for x, y in pairwise(found))
    if different > 300:
        assert found == expected
    else:
        assert len(set(found) & set(expected)) > 0.98 * len(expected)


def test_a_block_that_moved_is_aligned_on_one_side_of_what_it_passed():
    a = np.arange(900)
    b = np.concatenate([a[:300], a[500:], a[300:500]])
    found = pairs_of(align(a, b, lambda _x, _y: 0))
    assert found == [(n, n) for n in range(300)] + [(n, n - 200) for n in range(500, 900)]


@pytest.mark.parametrize(("first", "second"), [(0, 0), (3, 0), (0, 2), (3, 2)])
def test_equal_beginnings_and_ends_are_aligned_whatever_is_between(first, second):
    """A run of one item, longer on one side, is nowhere unique."""
    common, other = np.arange(500), np.arange(1000, 1400)
    a, b = (np.concatenate([common, np.full(n, 7), other]) for n in (first, second))
    place = align(a, b, lambda _x, _y: 0)
    assert place[:500].tolist() == list(range(500))
    assert place[len(a) - 400 :].tolist() == list(range(len(b) - 400, len(b)))
    assert len(pairs_of(place)) == 900 + min(first, second)


def test_without_a_common_run_pairs_are_compared_up_to_a_number():
    """n² pairs against SPENT for each of 2n items, and SMALL more."""
    n = max(n for n in range(1, 1000) if n * n <= SPENT * 2 * n + SMALL)
    for length, aligned in ((n, n), (n + 1, 0)):
        a, b = np.zeros(length, dtype=np.int64), np.ones(length, dtype=np.int64)
        assert len(pairs_of(align(a, b, lambda _x, _y: 0.5))) == aligned


@given(st.lists(st.integers(0, 20), min_size=1, max_size=9, unique=True))
def test_a_longest_increasing_series_is_found(values):
    places = alignment._increasing(values)
    assert places == sorted(places)
    series = [values[p] for p in places]
    assert series == sorted(set(series))
    rising = (c for size in range(len(values) + 1) for c in combinations(values, size) if list(c) == sorted(c))
    assert len(series) == max(map(len, rising))


@given(runs, runs, st.sampled_from(LENGTHS))
def test_anchors_are_runs_that_both_have_once_and_do_not_clash(a, b, length):
    first, second = (x.tolist() for x in alignment._anchors(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64), length))
    of_a, of_b = ([tuple(side[n : n + length]) for n in range(len(side) - length + 1)] for side in (a, b))
    once = {run for run, n in Counter(of_a).items() if n == 1} & {run for run, n in Counter(of_b).items() if n == 1}
    assert len(first) == len(second)
    assert all(of_a[x] == of_b[y] and of_a[x] in once for x, y in zip(first, second, strict=True))
    assert bool(first) == bool(once)
    for (x, y), (x2, y2) in pairwise(zip(first, second, strict=True)):
        assert x < x2 and y < y2
        assert x2 - x == y2 - y or min(x2 - x, y2 - y) >= length


@given(runs, runs)
def test_the_number_of_equal_first_items_is_counted(a, b):
    expected = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    assert alignment._equal_length(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64)) == expected


@pytest.mark.parametrize("item", [3, 250, 499, 1000, 1200, 1399])
def test_between_equal_ends_nothing_is_aligned_with_what_is_in_them(item):
    common, other = np.arange(500), np.arange(1000, 1400)
    a, b = (np.concatenate([common, [middle], other]) for middle in (item, 7777))
    for place in (align(a, b, lambda _x, _y: 0.25), align(b, a, lambda _x, _y: 0.25)):
        assert place.tolist() == list(range(901))


def test_a_run_may_be_the_whole_of_a_sequence():
    first, second = alignment._anchors(np.array([1, 2]), np.array([9, 1, 2]), 2)
    assert (first.tolist(), second.tolist()) == ([0], [1])


def test_runs_that_follow_one_another_need_not_have_the_same_distance():
    first, second = alignment._anchors(np.array([1, 2, 3, 4]), np.array([1, 2, 9, 3, 4]), 2)
    assert (first.tolist(), second.tolist()) == ([0, 2], [0, 3])
    first, second = alignment._anchors(np.array([1, 2, 3]), np.array([1, 2, 9, 2, 3]), 2)  # these overlap on one side alone
    assert (first.tolist(), second.tolist()) == ([0], [0])


def test_a_box_loses_its_equal_ends_and_is_cut_at_its_anchors():
    a, b = np.array([1, 2, 3, 9, 5, 6, 7]), np.array([1, 2, 3, 8, 8, 5, 6, 7])
    place = np.full(7, -1)
    assert alignment._trimmed(a, b, (0, 7, 0, 8, 2), place) == (3, 4, 3, 5, 2)
    assert place.tolist() == [0, 1, 2, -1, 5, 6, 7]
    a, b = (np.concatenate([np.arange(8), middle, np.arange(10, 18)]) for middle in ([90, 91], [80, 81, 82]))
    place = np.full(18, -1)
    assert alignment._split(a, b, (0, 18, 0, 19, 0), place) == [(8, 10, 8, 11, 1)]
    assert place.tolist() == [*range(8), -1, -1, *range(11, 19)]
    assert alignment._split(a, a, (0, 18, 0, 18, 0), np.full(18, -1)) == []
    assert alignment._split(a, b, (8, 10, 8, 11, 1), place) == [(8, 10, 8, 11, 2)]


def test_long_runs_are_anchors_before_short_ones():
    """The run of eight is in front of seven runs of four in one sequence, and behind them in the other."""
    short = np.concatenate([[10 * n, 10 * n + 1, 10 * n + 2, 10 * n + 3, 0] for n in range(1, 8)])
    a, b = np.concatenate([np.arange(100, 108), short]), np.concatenate([np.where(short, short, -1), np.arange(100, 108)])
    assert align(a, b, lambda _x, _y: 0).tolist() == [*range(35, 43), *[-1] * 35]


def test_what_is_small_is_aligned_at_its_best_and_not_by_long_runs():
    """The run of eight passes nine other equal items; with an item more at the end, the run is kept."""
    passed = np.where(np.arange(12) % 4 == 3, -1, np.arange(20, 32))
    a, b = np.arange(12, 32), np.concatenate([passed, np.arange(12, 20)])
    assert len(a) * len(b) == SMALL
    for more, expected in ((0, [-1, 9]), (1, [12, -1])):
        place = align(np.append(a, [-2] * more), b, lambda _x, _y: 0)
        assert [place[0], place[17]] == expected


def test_many_small_boxes_far_from_the_beginning_cost_what_they_are():
    """Every tenth of 2,000 items is another one: 200 pairs are compared."""
    a = np.arange(2000)
    b = np.where(a % 10 == 5, -a, a)
    assert align(a, b, lambda _x, _y: 0.5).tolist() == a.tolist()


def test_runs_that_have_one_hash_by_chance_are_no_anchor():
    a, b = np.arange(100, 125), np.arange(200, 225)
    a[10:12], b[5:7] = (301, 400), (300, 400 + 0x9E3779B97F4A7C15 - 2**64)  # one more in front is that factor more behind
    assert len(set(alignment._hashes(a, 2).tolist()) & set(alignment._hashes(b, 2).tolist())) == 1
    assert set(align(a, b, lambda _x, _y: 0).tolist()) == {-1}


def test_what_the_budget_does_not_reach_is_not_aligned():
    """Three stretches of 150 items have none in common; there are about 2 * 150 * 150 pairs to spend."""
    a, b = (np.concatenate([[*range(8 * n, 8 * n + 8), *[other - n] * 150] for n in range(3)]) for other in (-10, -20))
    assert 2 * 150 * 150 < SPENT * (len(a) + len(b)) + SMALL < 3 * 150 * 150
    place = align(a, b, lambda _x, _y: 0.5)
    whole = [place[158 * n + 8 : 158 * n + 158].tolist() == [*range(158 * n + 8, 158 * n + 158)] for n in range(3)]
    assert sorted(whole) == [False, True, True]
