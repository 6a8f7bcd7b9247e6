"""Sorting and summing rows, against Python's own sorting and exact fractions."""

import numpy as np
from hypothesis import given, strategies as st

from referee.algorithms.arrays import argsort, first_of_each, inverse, locations, pack, ranges, ranked, starts_of_runs, unique

rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1 << 40), st.integers(0, 2)), min_size=1, max_size=20)
wider = st.lists(st.tuples(st.integers(0, 3), st.integers(0, (1 << 63) - 1), st.integers(0, 2)), min_size=1, max_size=20)


@given(rows | wider, st.sampled_from([1, 1 << 20]))
def test_rows_are_sorted_stably_by_the_first_column_first_even_if_they_do_not_fit_in_63_bits(values, factor):
    wide = [(a * factor, b, c * factor) for a, b, c in values]
    columns = [np.array(column) for column in zip(*wide, strict=True)]
    expected = sorted(range(len(wide)), key=wide.__getitem__)
    assert argsort(*columns).tolist() == expected
    assert inverse(argsort(*columns)).tolist() == [expected.index(n) for n in range(len(wide))]


def test_equal_values_of_a_column_of_63_bits_keep_their_order_or_go_by_the_next_column():
    wide, narrow = np.arange(1000) % 3 << 61, 999 - np.arange(1000) // 2
    rows = range(1000)
    assert argsort(wide).tolist() == sorted(rows, key=wide.tolist().__getitem__)
    assert argsort(wide, narrow).tolist() == sorted(
        rows, key=list(zip(wide.tolist(), narrow.tolist(), strict=True)).__getitem__
    )


@given(rows)
def test_packed_rows_compare_like_the_rows(values):
    packed = pack(*(np.array(column) for column in zip(*values, strict=True)))
    assert [a < b for a in packed.tolist() for b in packed.tolist()] == [a < b for a in values for b in values]


def test_rows_that_need_more_than_63_bits_are_not_packed():
    assert pack(np.array([1 << 62]), np.array([0])) is not None
    assert pack(np.array([1 << 62]), np.array([1])) is None


@given(st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, (1 << 31) - 1)), min_size=1, max_size=9))
def test_locations_compare_like_document_and_position(values):
    document, position = (np.array(column, dtype=np.int32) for column in zip(*values, strict=True))
    packed = locations(document, position).tolist()
    assert [a < b for a in packed for b in packed] == [a < b for a in values for b in values]
    assert (locations(document, 0) == locations(document, np.zeros_like(position))).all()


@given(st.lists(st.integers(0, 2), max_size=9))
def test_a_run_starts_where_a_value_differs_from_the_one_before(values):
    expected = [n == 0 or values[n] != values[n - 1] for n in range(len(values))]
    assert starts_of_runs(np.array(values, dtype=np.int64)).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6))
def test_ranges_are_written_out_and_a_range_that_ends_before_it_begins_is_empty(limits):
    first, after = np.array(limits, dtype=np.int64).reshape(-1, 2).T
    row, number = ranges(first, after)
    expected = [(n, value) for n, (a, b) in enumerate(limits) for value in range(a, b)]
    assert list(zip(row.tolist(), number.tolist(), strict=True)) == expected


@given(st.lists(st.integers(0, 4), max_size=9))
def test_a_value_is_first_where_none_before_it_is_equal(values):
    expected = [value not in values[:n] for n, value in enumerate(values)]
    assert first_of_each(np.array(values, dtype=np.int64)).tolist() == expected


def test_rows_that_are_nearly_a_permutation_are_sorted():
    assert argsort(np.array([0, 1, 4, 4, 2])).tolist() == [0, 1, 4, 2, 3]


def test_ranks_are_among_the_values_that_occur():
    assert ranked(np.array([-3, 5, -3, 0])).tolist() == [0, 2, 0, 1]
    assert ranked(np.array([], dtype=np.int64)).tolist() == []


@given(
    st.sampled_from(["int8", "uint8", "int64", "uint64"]).flatmap(
        lambda name: st.tuples(
            st.just(name),
            st.integers(int(np.iinfo(name).min), int(np.iinfo(name).max) - 40),
            st.lists(st.integers(0, 40), max_size=12),
        )
    )
)
def test_distinct_values_are_those_of_a_sort_in_every_range(drawn):
    name, low, steps = drawn
    values = np.array([low + step for step in steps], dtype=name)
    found, number = unique(values)
    assert found.tolist() == sorted({*values.tolist()})
    assert found[number].tolist() == values.tolist()
    assert (found.dtype, number.dtype) == (values.dtype, np.int64)
