"""What metrics of the caller may return."""

from __future__ import annotations

import numpy as np
import pytest

from referee import score
from referee.counts import Counts, rates
from referee.exceptions import OptionError
from referee.metrics.table import Table


@pytest.mark.parametrize("wrong", [np.zeros(1), np.zeros(3)])
def test_counts_without_a_row_for_each_document_are_refused(wrong: np.ndarray) -> None:
    def partly(table: Table) -> Counts:
        return rates((np.zeros(table.documents), wrong), (np.zeros(table.documents), np.zeros(table.documents)))

    def nothing(_: Table) -> Counts:
        return None  # type: ignore[return-value]

    for metric in (partly, nothing):
        with pytest.raises(OptionError, match="expected Counts with a row for each document"):
            score({"a": [{1}], "b": [{2}]}, {"a": [{1}], "b": [{2}]}, metrics=metric)
