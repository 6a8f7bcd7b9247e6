"""Matchings with the most edges, against scipy's."""

from __future__ import annotations

import numpy as np
import pytest

from referee.algorithms.cardinality_matching import cardinality_matching

sparse = pytest.importorskip("scipy.sparse", reason="the oracle is scipy's matching")


@pytest.mark.parametrize(("rows", "columns", "density"), [(6, 6, 0.3), (9, 4, 0.5), (200, 180, 0.012), (300, 300, 0.006)])
def test_no_matching_has_more_edges(rows: int, columns: int, density: float) -> None:
    from scipy.sparse.csgraph import maximum_bipartite_matching

    rng = np.random.default_rng(7)
    for _ in range(200 if rows < 10 else 10):
        row, column = np.nonzero(rng.random((rows, columns)) < density)
        if not len(row):
            continue
        mixed = rng.permutation(len(row))
        row, column = row[mixed], column[mixed]
        chosen = cardinality_matching(row, column)
        assert len(set(row[chosen].tolist())) == len(set(column[chosen].tolist())) == len(chosen)
        graph = sparse.csr_array((np.ones(len(row)), (row, column)), shape=(rows, columns))
        assert len(chosen) == int((maximum_bipartite_matching(graph) >= 0).sum())


def test_a_long_alternating_path_is_flipped() -> None:
    """Rows n have columns n and n + 1, but the last row only the column that all others push along."""
    n = 500
    row = np.repeat(np.arange(n), 2)
    column = row + np.tile([0, 1], n)
    row, column = np.append(row, n), np.append(column, 0)
    assert len(cardinality_matching(row, column)) == n + 1
