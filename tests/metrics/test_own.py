"""A metric of the caller gives counts, or numerators and denominators."""

import numpy as np
import pytest

import referee
from referee.metrics.registry import METRICS

KEY = {"d": [{1, 2, 3}, {4, 5}], "e": [{1, 2}]}
RESPONSE = {"d": [{1, 2}, {4, 5}], "e": [{1}, {2, 3}]}


def total(table):
    return table.shared.sum(), table.key_size.sum()


def of_documents(table):
    return table.common, table.key_mentions


def both_sides(table):
    return (table.common, table.key_mentions), [table.common, table.T.key_mentions]


def numbers_of_both_sides(table):
    return (int(table.shared.sum()), int(table.key_size.sum())), (int(table.shared.sum()), int(table.response_size.sum()))


@pytest.mark.parametrize("function", [total, of_documents])
def test_a_quotient_is_added_over_documents_and_divided_last(function):
    found = referee.score(KEY, RESPONSE, metrics={"mine": function, "muc": "muc"})
    assert found["mine"].value == (4 + 2) / (5 + 2)
    assert found.by_document["mine"].value.tolist() == [4 / 5, 2 / 2]
    assert found.record("mine").doc == ""


@pytest.mark.parametrize("function", [both_sides, numbers_of_both_sides])
def test_two_quotients_are_recall_and_precision(function):
    key, response = {"d": [{1, 2, 3}]}, {"d": [{1, 2}]}
    found = referee.score(key, response, metrics=function)[function.__name__]
    assert (found.recall, found.precision) == (2 / 3, 2 / 2)


def test_it_is_counted_in_blocks_costs_scorers_and_comparisons_alike(monkeypatch):
    whole = referee.score(KEY, RESPONSE, metrics={"mine": total})["mine"].value
    monkeypatch.setattr("referee.matching.pair.BLOCK", 1)
    assert referee.score(KEY, RESPONSE, metrics={"mine": total})["mine"].value == whole
    scorer = referee.Scorer({"mine": total}, rows=True)
    scorer.add(KEY, RESPONSE)
    assert scorer["mine"].value == whole
    assert referee.compare(scorer.counts("a"), scorer.counts("b"))["b", "mine"].score.value == whole
    errors = referee.score(KEY, RESPONSE, metrics={"mine": total}).errors()
    assert errors.costs("mine").shape == (len(errors),)
    nothing = referee.Scorer({"mine": total, "two": both_sides})
    assert np.isnan(nothing["mine"].value)


@pytest.mark.parametrize(
    "value",
    [
        (0.5, 0.75),  # recall and precision
        (1, 2.0),
        0.5,
        (1, 2, 3),
        ((1, 2), (1, 2), (1, 2)),
        ((1, 2), 3),
        ("a", 1),
        None,
        {"recall": 1},
        ([1, 2], 3),
        METRICS,
    ],
)
def test_what_could_be_something_else_is_refused(value):
    def mine(table):
        return value

    with pytest.raises(referee.OptionError, match=r"metric 'mine' gave .*expected Counts, or \(numerator, denominator"):
        referee.score(KEY, RESPONSE, metrics=mine)


def test_a_row_for_each_document_is_needed():
    with pytest.raises(referee.OptionError, match="gave 3 rows; expected one for each document, 2"):
        referee.score(KEY, RESPONSE, metrics={"mine": lambda table: (table.key_size, table.key_size)})
