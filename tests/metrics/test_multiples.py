"""A table in which one pair of entities stands for many gives the bits of the table that is written out."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import OptionError
from referee.metrics.folded import FoldedTable, RepeatedParts
from referee.metrics.registry import METRICS
from referee.metrics.table import Table

PARTITION = [m for m in METRICS.values() if m.of_entities]

stand_alone = (
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4))
    .filter(lambda p: p[0] + p[1] > 0)
    .map(lambda p: (p[0], p[1], min(*p[:2], 1 + p[2])))
)
mentions = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=15)
"""The key entity and the response entity of each mention of the part that stands for itself; 0: the side lacks it."""


def table(rest, parts, times):
    """The rest as part 0, and a part for each pair; without `times` all of them are one document."""
    keys, responses = (sorted({m[side] for m in rest} - {0}) for side in (0, 1))
    shared = [(keys.index(k), responses.index(r)) for k, r in rest if k and r]
    cells = sorted(set(shared))
    key, response, n = [k for k, _ in cells], [r for _, r in cells], [shared.count(cell) for cell in cells]
    sizes = [[sum(m[side] == e for m in rest) for e in entities] for side, entities in enumerate((keys, responses))]
    part = [[0] * len(s) for s in sizes]
    for number, (a, b, common) in enumerate(parts, 1):
        if common:
            key.append(len(sizes[0]))
            response.append(len(sizes[1]))
            n.append(common)
        for side, size in enumerate((a, b)):
            if size:
                sizes[side].append(size)
                part[side].append(number if times else 0)
    integers = [np.array(column, dtype=np.int64) for column in (key, response, n, *sizes, *part)]
    return FoldedTable(*integers, 1, fold=RepeatedParts(np.array([1, *times]))) if times else Table(*integers, 1)


@given(mentions, st.lists(st.tuples(stand_alone, st.integers(1, 4)), min_size=1, max_size=4))
def test_a_pair_that_stands_for_many_counts_like_all_of_them(rest, types):
    few = table(rest, [pair for pair, _ in types], [n for _, n in types])
    all_of_them = table(rest, [pair for pair, n in types for _ in range(n)], None)
    for metric in PARTITION:
        expected = metric.count(all_of_them).columns
        for name, column in metric.count(few).columns.items():
            assert column.tobytes() == expected[name].tobytes(), (metric.id, name)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), 1e300, 1e-30])
def test_terms_that_cannot_be_added_exactly_are_refused(wrong):
    with pytest.raises(OptionError, match=r"a metric adds terms of .*: count in other units"):
        table([(1, 1)], [], None).sum_cells(np.array([wrong]))
