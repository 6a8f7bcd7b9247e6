"""The table that metrics see."""

import numpy as np
import pytest

from referee.algorithms.arrays import pack
from referee.metrics.parts import AccumulatedParts, SumAccumulator
from referee.metrics.table import Table
from tests.support.partitions import folded, table_of


@pytest.mark.parametrize("scale", [1, 1 << 40])
def test_cells_are_those_of_the_mentions_however_large_the_numbers_of_entities(scale):
    key, response, none = np.array([0, 2, 1, 2]) * scale, np.array([3, 0, 0, 0]) * scale, np.empty(0, dtype=np.int64)
    assert (pack(key, response) is None) == (scale > 1)
    table = Table.of(key, response, none, none, none, none, 1)
    cells = zip(table.key.tolist(), table.response.tolist(), table.shared.tolist(), strict=True)
    assert list(cells) == [(0, 3 * scale, 1), (scale, 0, 1), (2 * scale, 0, 2)]


def test_the_mentions_of_a_part_are_those_of_the_document():
    one = np.ones(1, dtype=np.int64)
    part = folded(table_of([([{1}], [{1}])]), AccumulatedParts(SumAccumulator(), (5 * one, 7 * one, 3 * one), one))
    assert (part.key_mentions.tolist(), part.T.key_mentions.tolist(), part.common.tolist()) == ([5], [7], [3])
