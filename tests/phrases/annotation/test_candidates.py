"""Columns of candidates: what is refused, and what selecting and renaming keep."""

import math

import numpy as np
import pytest

from referee.basics.exceptions import OptionError
from referee.phrases.annotation.candidates import DefaultProbabilities
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from tests.support.phrases import listed

SENTENCES = Sentences(("a", "b", "c"), np.array([3, 1, 2], dtype=np.int32))


def build(rows, **more):
    return listed(SENTENCES, ["NP", "VP"], rows, **more, source="r")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ((0, 1, 1, 0, 0.5), "r: sentence 'a': found NP from 1 to 1; expected 0 <= start < end <= 3"),
        ((1, 0, 2, 1, 0.5), "r: sentence 'b': found VP from 0 to 2; expected 0 <= start < end <= 1"),
        ((2, -1, 1, 0, 0.5), "r: sentence 'c': found NP from -1 to 1"),
        ((3, 0, 1, 0, 0.5), "r: candidate 1 has sentence 3 and category 0; expected numbers below 3 and 2"),
        ((0, 0, 1, 0, 0.5), "r: sentence 'a': found NP from 0 to 1 twice"),
        ((0, 0, 2, 0, 1.5), "r: found the probability 1.5; expected a number from 0 to 1"),
        ((0, 0, 2, 0, -0.1), "found the probability -0.1"),
        ((0, 0, 2, 0, math.nan), "found the probability nan"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(row, problem):
    with pytest.raises(OptionError, match=problem):
        build([(0, 0, 1, 0, 0.5), row])


@pytest.mark.parametrize("p", [-1, 2, math.nan])
def test_a_default_is_a_probability(p):
    for wrong in (
        lambda: DefaultProbabilities.constant(p),
        lambda: DefaultProbabilities.by_length([[p]]),
        lambda: DefaultProbabilities.by_length([[0.5]], p),
    ):
        with pytest.raises(OptionError, match="expected a number from 0 to 1"):
            wrong()


def test_a_category_is_named_once():
    with pytest.raises(OptionError, match="found a category twice among A, A"):
        Chunks.build(SENTENCES, ["A", "A"], sentence=[], start=[], end=[], category=[])


def test_rows_are_sorted_whatever_their_order():
    rows = [(2, 0, 2, 1, 0.1), (0, 1, 2, 0, 0.2), (0, 0, 3, 0, 0.3), (0, 0, 3, 1, 0.4), (0, 0, 1, 1, 0.5)]
    assert build(rows).probability.tolist() == build(rows[::-1]).probability.tolist() == [0.5, 0.3, 0.4, 0.2, 0.1]


def test_sentences_can_be_selected_in_any_order():
    rows = [(0, 0, 1, 0, 0.1), (0, 1, 3, 1, 0.2), (1, 0, 1, 0, 0.3), (2, 0, 2, 1, 0.4)]
    chosen = build(rows, covered=[True, False, True, False]).select([2, 0])
    assert chosen.sentences.ids == ("c", "a")
    assert chosen.sentence.tolist() == [0, 1, 1]
    assert chosen.probability.tolist() == [0.4, 0.1, 0.2]
    assert chosen.covered.tolist() == [False, True, False]


def test_categories_can_be_in_another_order_and_the_default_follows():
    candidates = build(
        [(0, 0, 1, 0, 0.1), (0, 0, 1, 1, 0.2)], default=DefaultProbabilities.by_length([[0.3, 0.4], [0.5, 0.6]], 0.7)
    )
    other = candidates.with_categories(["VP", "X", "NP"])
    assert other.category.tolist() == [0, 2]
    assert other.probability.tolist() == [0.2, 0.1]
    assert other.default.table.tolist() == [[0.5, 0.6], [0.7, 0.7], [0.3, 0.4]]
    assert len(candidates.with_categories(["VP"])) == 1


def test_the_universe_is_every_span_of_every_category():
    assert build([]).space_size == 2 * (6 + 1 + 3)
    assert SENTENCES.span_counts_by_length().tolist() == [6, 3, 1]
    assert Sentences.numbered([]).span_counts_by_length().tolist() == []
