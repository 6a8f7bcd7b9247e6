"""Mentions one inside another: mention overlap with what nests decide, against the assignment of all pairs."""

import time

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import CorpusBuilder, score
from referee.metrics import nests
from referee.metrics.nests import NestedPairs

SPANS = st.tuples(st.integers(0, 12), st.integers(1, 8)).map(lambda s: (s[0], s[0] + s[1]))
NESTS = st.integers(0, 4).flatmap(
    lambda first: st.lists(st.tuples(st.integers(0, 4), st.integers(1, 5)), max_size=5).map(
        lambda spans: [(first + 4 - min(a, 4), first + 4 + b) for a, b in spans]
    )
)
SIDES = st.lists(st.one_of(NESTS, st.lists(SPANS, max_size=6)), min_size=2, max_size=2)


def corpus(documents):
    builder = CorpusBuilder()
    for number, spans in enumerate(documents):
        builder.document(f"d{number}")
        for n, (start, end) in enumerate(sorted(set(spans))):
            pieces = [(start, start + 1), (end + 1, end + 2)] if start == 3 and end == 5 else []
            builder.mention(start, end, str(n % 2), spans=pieces)
    return builder.corpus()


def nothing(key, response):
    """No nests."""
    none = np.empty(0, dtype=np.int64)
    return NestedPairs(none, none, (np.arange(len(key.document)), np.arange(len(response.document))))


@pytest.mark.filterwarnings("ignore")
@given(key=SIDES, response=SIDES)
def test_nests_and_the_rest_are_the_assignment_of_all(key, response):
    sides = corpus(key), corpus(response)
    quick = score(*sides, metrics="mention_overlap").counts["mention_overlap"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nests, "nested_pairs", nothing)
        slow = score(*sides, metrics="mention_overlap").counts["mention_overlap"]
    assert {name: column.tolist() for name, column in quick.columns.items()} == {
        name: column.tolist() for name, column in slow.columns.items()
    }


def test_two_thousand_mentions_one_inside_another_are_certain_and_quick():
    n = 2000
    sides = [corpus([[(i, 2 * n - i - (i % 2 and side)) for i in range(n - 1)]]) for side in (0, 1)]
    begun = time.process_time()
    overlap = score(*sides, metrics="mention_overlap")["mention_overlap"]
    assert time.process_time() - begun < 1
    assert overlap.upper is None
    assert overlap.precision == 1


@pytest.mark.filterwarnings("ignore:.*no mention in common")
def test_mentions_that_overlap_without_a_common_position_are_no_nest():
    key, response = [(0, 10), (0, 3)], [(2, 9), (7, 9)]  # at best 7 common positions: (0, 10) with (2, 9)
    overlap = score(corpus([key]), corpus([response]), metrics="mention_overlap")["mention_overlap"]
    assert (overlap.recall, overlap.precision) == (7 / 13, 7 / 9)


def test_mentions_that_cross_inside_a_larger_one_are_no_nest():
    """Of (0, 10), (2, 5) and (3, 8) the second and third cross: 10 and 5 common positions are the best, not 10 and 2."""
    key, response = [(0, 10), (2, 5), (3, 8)], [(0, 10), (3, 8)]
    overlap = score(corpus([key]), corpus([response]), metrics="mention_overlap")["mention_overlap"]
    assert (overlap.recall, overlap.precision) == (15 / 18, 1)


@pytest.mark.filterwarnings("ignore:the alignment ran out of its budget")
def test_without_a_budget_the_best_overlap_of_each_document_is_within_bounds(monkeypatch):
    rng = np.random.default_rng(3)
    key, response = ([(int(a), int(a + b)) for a, b in rng.integers(1, 60, (n, 2))] for n in (50, 80))
    sides = corpus([[(0, 2)], key]), corpus([[(0, 2)], response])
    best = score(*sides, metrics="mention_overlap").counts["mention_overlap"].columns["recall_numerator"]
    monkeypatch.setattr("referee.algorithms.assignment.BUDGET", 0)
    found = score(*sides, metrics="mention_overlap").counts["mention_overlap"].columns
    assert found["slack"][0] == 0 < found["slack"][1]
    assert (found["recall_numerator"] <= best).all() and (best <= found["recall_numerator"] + found["slack"]).all()
