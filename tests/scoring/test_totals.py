"""Rows of counts added group by group."""

import numpy as np

from referee.stats.counts import rates


def test_totals_of_groups_are_those_of_their_rows():
    whole, part = np.array([1, 2, 1 << 60, 5]), np.array([1e16, 1.0, -1e16, 0.5])
    counts = rates((whole, part), (part, whole))
    for groups in ([[3, 0], [2]], [[0, 1, 2]], [[1], [0], [2, 3, 0]], [[0, 1, 2, 3]], []):
        expected = [counts.rows(rows).total() for rows in groups]
        found = counts.totals(groups)
        for name, column in found.columns.items():
            assert column.tolist() == [total.columns[name][0] for total in expected]
            assert column.dtype == counts.columns[name].dtype
