"""What reports read of metrics and of their scores, beside the counts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee import score
from referee.counts import Counts, f_measure, finish_rates, rates
from referee.exceptions import OptionError
from referee.metrics.distribution import direction
from referee.metrics.registry import METRICS
from referee.metrics.table import Table


def test_a_summary_is_the_first_line_of_the_documentation() -> None:
    assert METRICS["muc"].summary == (METRICS["muc"].count.__doc__ or "").split("\n")[0]
    assert all(record.summary and "\n" not in record.summary for record in METRICS.values())


@pytest.mark.parametrize(
    ("d", "side"), [(0.0, ""), (math.nan, ""), (0.25, "precision"), (1.0, "precision"), (-0.25, "recall"), (-1.0, "recall")]
)
def test_a_d_error_above_zero_is_one_of_precision(d: float, side: str) -> None:
    """Too much grouping is an error of precision, too little one of recall (Popescu-Belis and Robba 1998)."""
    assert direction(d) == side


def test_an_alignment_within_bounds_has_a_column_only_where_something_may_be_missing() -> None:
    one, none = np.ones(2), np.zeros(2)
    assert "slack" not in rates((one, one), (one, one), none).columns
    assert "slack" not in rates((one, one), (one, one)).columns
    assert rates((one, one), (one, one), np.array([0.0, 0.5])).columns["slack"].tolist() == [0, 0.5]


def test_f_weighs_recall_by_the_square_of_beta() -> None:
    """(1 + b²) P R / (b² P + R), and 0 if either is 0, also where the other one is undefined."""
    recall, precision = np.array([1 / 2, 0, 0, 0, 1, math.nan]), np.array([1 / 4, 1, 0, math.nan, 0, 0])
    assert f_measure(recall, precision).tolist() == [1 / 3, 0, 0, 0, 0, 0]
    assert f_measure(recall, precision, beta=2.0).tolist() == [5 * (1 / 8) / (4 * (1 / 4) + 1 / 2), 0, 0, 0, 0, 0]
    assert math.isnan(f_measure(np.array([math.nan]), np.array([math.nan]))[0])


@pytest.mark.parametrize("wrong", [np.zeros(1), np.zeros(3)])
def test_counts_without_a_row_for_each_document_are_refused(wrong: np.ndarray) -> None:
    def partly(table: Table) -> Counts:
        return rates((np.zeros(table.documents), wrong), (np.zeros(table.documents), np.zeros(table.documents)))

    def nothing(_: Table) -> Counts:
        return None  # type: ignore[return-value]

    for metric in (partly, nothing):
        with pytest.raises(OptionError, match="expected Counts with a row for each document"):
            score({"a": [{1}], "b": [{2}]}, {"a": [{1}], "b": [{2}]}, metrics=metric)


def test_the_mean_over_documents_counts_those_that_are_defined() -> None:
    """The second document has no link on either side: its MUC is 0/0."""
    data = {"a": [{1, 2}], "b": [{1}]}
    mean, documents = score(data, data, metrics=["muc"]).macro("muc")
    assert (mean.value, documents) == (1, 1)


def test_rates_are_fractions_of_their_own_side_and_the_upper_score_has_the_slack() -> None:
    columns = {
        "recall_numerator": np.array([1.0]),
        "recall_denominator": np.array([4]),
        "precision_numerator": np.array([2.0]),
        "precision_denominator": np.array([5]),
        "slack": np.array([0.5]),
    }
    scores = finish_rates(columns, math.nan, 1.0)
    assert (scores[0].recall, scores[0].precision) == (1 / 4, 2 / 5)
    assert scores[0].upper is not None
    assert (scores[0].upper.recall, scores[0].upper.precision) == (1.5 / 4, 2.5 / 5)
