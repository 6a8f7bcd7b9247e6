"""Tokens as words or characters."""

import numpy as np

from referee.corpus.builder import CorpusBuilder
from referee.matching.characters import align_characters
from referee.matching.units import TokenUnits


def two_documents():
    """ab ∅1 cd, and x ∅1 ∅2 yz."""
    builder = CorpusBuilder("x")
    builder.document("d0", ["ab", "_", "cd"])
    builder.empty_node(1, 1, 0)
    builder.document("d1", ["x", "_", "_", "yz"])
    builder.empty_node(1, 1, 0)
    builder.empty_node(2, 2, 0)
    return builder.corpus()


def edges(units, document, tokens):
    d, token = np.full(tokens, document), np.arange(tokens)
    return list(zip(units.starts(d, token).tolist(), units.ends(d, token).tolist(), strict=True))


def test_units_are_words_and_an_empty_node_stands_before_one():
    units = TokenUnits(two_documents(), [None, None])
    assert edges(units, 0, 3) == [(0, 1), (1, 2), (1, 2)]
    assert [start for start, _ in edges(units, 1, 4)] == [0, 1, 1, 1]
    assert units.nodes.tolist() == [[0, 1, 1, 0], [1, 1, 1, 0], [1, 1, 2, 0]]


def test_units_are_characters_in_the_documents_that_are_aligned():
    units = TokenUnits(two_documents(), [None, align_characters(["x", "yz"], ["xy", "z"])[0]])
    assert edges(units, 0, 3) == [(0, 1), (1, 2), (1, 2)]
    assert [edges(units, 1, 4)[token] for token in (0, 3)] == [(0, 1), (1, 3)]
    assert units.nodes.tolist() == [[0, 1, 1, 0], [1, 1, 1, 0], [1, 1, 2, 0]]


def test_empty_nodes_are_recognised():
    units = TokenUnits(two_documents(), [None, None])
    is_node, number = units.is_empty_node(np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3]))
    assert is_node.tolist() == [False, True, True, False]
    assert number[is_node].tolist() == [0, 2]
