"""Every measure against its definition on sets, document by document and over all documents.

REFEREE_RANDOM_PAIRS asks for more random pairs than the 3,000 that are always tried.
"""

import math
import os
from functools import cache

import numpy as np
import pytest

from tests.support.metrics import ENTITY_METRICS as METRICS
from tests.support.oracles import ORACLES
from tests.support.partitions import random_documents, random_links, table_of

PAIRS = max(3_000, int(os.environ.get("REFEREE_RANDOM_PAIRS", "0")))
LARGER = PAIRS // 60
SMALL = 12
"""The most mentions of a small document."""
TOLERANCE = 1e-12


@cache
def corpus(number, mentions):
    rng = np.random.default_rng(number)
    documents = random_documents(rng, number, mentions)
    listed = random_links(rng, documents)
    return documents, listed, table_of(documents, listed=listed)


def expected(name, documents, listed):
    """(recall, precision, value) as the oracle says; recall and precision None for a measure of one number."""
    found = ORACLES[name](documents, listed) if name == "syntactic_links" else ORACLES[name](documents)
    return found if isinstance(found, tuple) else (None, None, found)


def equal(ours, theirs):
    if ours is None or theirs is None:
        return ours is None and theirs is None
    return (math.isnan(ours) and math.isnan(theirs)) or abs(ours - float(theirs)) <= TOLERANCE * max(1.0, abs(float(theirs)))


def test_every_metric_has_an_oracle_and_every_oracle_a_metric():
    assert set(ORACLES) == set(METRICS), "add the definition on sets to ORACLES of tests/support/oracles.py"


@pytest.mark.parametrize(("number", "mentions"), [(PAIRS, SMALL), (LARGER, 60)], ids=["small", "larger"])
@pytest.mark.parametrize("name", METRICS)
def test_each_document_scores_as_the_definition_says(name, number, mentions):
    if mentions > SMALL:
        pytest.importorskip("scipy", reason="the oracle of large alignments is scipy's")
    documents, listed, table = corpus(number, mentions)
    score = METRICS[name].count(table).score()
    for i, document in enumerate(documents):
        ours = (score[i].recall, score[i].precision, score[i].value)
        theirs = expected(name, [document], [listed[i]])
        assert all(map(equal, ours, theirs)), (document, listed[i], ours, theirs)


@pytest.mark.parametrize("name", METRICS)
def test_documents_are_added_before_they_are_divided(name):
    documents, listed, table = corpus(PAIRS, SMALL)
    counts = METRICS[name].count(table)
    for size, groups in ((2, 20), (3, 20), (500, 3)):
        for start in range(0, groups * size, size):
            score = counts.rows(slice(start, start + size)).total().score()[0]
            theirs = expected(name, documents[start : start + size], listed[start : start + size])
            assert all(map(equal, (score.recall, score.precision, score.value), theirs)), (start, size, score, theirs)


def chain(length):
    """Entities of two mentions each, the response shifted by one: every cell is 1, and ties are settled one after another."""
    key = [{i, i + 1} for i in range(0, length, 2)]
    response = [{i, i + 1} for i in range(1, length - 1, 2)]
    return key, [{0}, *response, {length - 1}]


@pytest.mark.parametrize("name", ["exclusive_core_mr", "ceaf_m", "ceaf_e", "ceaf_phi2"])
def test_long_chains_of_ties_score_as_the_definition_says(name):
    pytest.importorskip("scipy", reason="the oracle of large alignments is scipy's")
    document = chain(240)
    for pair in (document, document[::-1]):
        score = METRICS[name].count(table_of([pair])).score()[0]
        assert all(map(equal, (score.recall, score.precision, score.value), expected(name, [pair], [([], [])])))


def hard_documents():
    """Documents whose alignments do not reduce: every entity meets nearly every other, in numbers that hardly differ."""
    rng = np.random.default_rng(1)

    def entities(number):
        labels = rng.integers(number, size=600)
        return [set(np.flatnonzero(labels == label).tolist()) for label in range(number)]

    return [(entities(k), entities(r)) for k, r in ((8, 17), (15, 9))]


@pytest.mark.parametrize("name", ["ceaf_m", "ceaf_e", "conll"])
def test_an_alignment_out_of_budget_gives_bounds_that_hold(name, monkeypatch):
    pytest.importorskip("scipy", reason="the oracle of large alignments is scipy's")
    monkeypatch.setattr("referee.algorithms.assignment.BUDGET", 0)
    documents = hard_documents()
    table, short = table_of(documents), list[bool]()
    for some, side in ((documents, table), ([(r, k) for k, r in documents], table.T), (documents, table_of(documents).T.T)):
        counts = METRICS[name].count(side)
        for i, pair in enumerate([*([d] for d in some), some]):
            score = counts.score()[i] if i < len(some) else counts.total().score()[0]
            recall, precision, value = expected(name, pair, [([], [])] * len(pair))
            assert score.upper is not None, "short of the optimum, and silent about it"
            assert score.value - TOLERANCE <= float(value) <= score.upper.value + TOLERANCE
            if recall is not None:
                assert score.recall - TOLERANCE <= float(recall) <= score.upper.recall + TOLERANCE
                assert score.precision - TOLERANCE <= float(precision) <= score.upper.precision + TOLERANCE
            short.append(score.value < float(value) - TOLERANCE)
    assert any(short), "or this test would test nothing"


@pytest.mark.parametrize("name", ["ceaf_m", "ceaf_e", "conll"])
def test_a_transposed_table_shares_the_bounds_of_its_alignment(name, monkeypatch):
    monkeypatch.setattr("referee.algorithms.assignment.BUDGET", 0)
    table = table_of(hard_documents())
    back, forth = (
        METRICS[name].count(table.T).score(),
        METRICS[name].count(table).score(),
    )  # the transposed one is aligned first
    for i in range(2):
        assert back.upper is not None
        assert forth[i].value == back[i].value
        assert expected(name, hard_documents()[i : i + 1], [([], [])])[2] <= forth.upper[i].value + TOLERANCE


@pytest.mark.parametrize("name", ["ceaf_m", "ceaf_e", "conll"])
def test_adding_counts_keeps_the_bounds_of_either(name, monkeypatch):
    easy = METRICS[name].count(table_of([([{1, 2}, {3}], [{1}, {2, 3}])]))
    monkeypatch.setattr("referee.algorithms.assignment.BUDGET", 0)
    hard = METRICS[name].count(table_of(hard_documents()))
    for both in (easy + hard, hard + easy):
        assert both.total().score()[0].upper is not None
