"""Common positions, against the words and empty nodes that tokens are."""

import numpy as np
import pytest
from hypothesis import given

from referee import score
from referee.corpus.builder import CorpusBuilder
from referee.inputs.plain import corpus_of_plain as corpus_of
from referee.matching.positions import NOWHERE, character_alignments, on_common_positions
from tests.support.sides import head_of, minimum_of, position_of, positions_of, reading_order, sides


def common_positions(pair):
    """All words and empty nodes of either side, numbered in each document."""
    tokens = {
        position_of(side, d, t)
        for side in pair
        for d in range(len(side.doc_ids))
        for t in range(len(side.text.words[d].tokens) if side.text else 0)
    }
    ordered = sorted(tokens, key=reading_order)
    return {p: n - sum(other[0] < p[0] for other in ordered) for n, p in enumerate(ordered)}


def numbers(corpus, mention):
    return {t for start, end in corpus.spans(mention) for t in range(start, end)}


@given(sides())
def test_a_mention_is_the_set_of_its_words_and_empty_nodes(pair):
    number = common_positions(pair)
    for side, found in zip(pair, on_common_positions(*pair), strict=True):
        for m in range(len(side.document)):
            expected = {number[p] for p in positions_of(side, m)}
            assert numbers(found, m) == expected
            assert (found.start[m], found.end[m]) == (min(expected), max(expected) + 1)
            assert found.heads[m] == number[head_of(side, m)]
            minimum = {number[p] for p in minimum_of(side, m)}
            assert (found.minimum_span is None or found.minimum_span[m, 0] < 0) == (not minimum)
            if minimum:
                assert found.minimum_span[m].tolist() == [min(minimum), max(minimum) + 1]


@given(sides(nodes=False))
def test_sides_without_empty_nodes_stay_as_they_are(pair):
    found = on_common_positions(*pair)
    assert found[0] is pair[0]
    assert found[1] is pair[1]


def test_items_have_no_positions():
    pair = corpus_of([{"a"}]), corpus_of([{"b"}])
    assert on_common_positions(*pair) == pair


def text(words, *mentions, nodes=(), **more):
    builder = CorpusBuilder("x")
    builder.document("d", words.split())
    for n, node in enumerate(nodes):
        builder.empty_node(node, 1 + n, 0)
    for start, end in mentions:
        builder.mention(start, end, "1", **more)
    return builder.corpus()


def on_characters(key, response):
    return on_common_positions(key, response, character_alignments(key, response)[0])


def test_another_tokenisation_is_compared_by_characters():
    key = text("the New York-based firm", (1, 3), head=2, minimum_span=(2, 3))
    response = text("the New York - based firm", (1, 5), head=2, minimum_span=(2, 5))
    for side in on_characters(key, response):
        assert (side.start.tolist(), side.end.tolist(), side.heads.tolist()) == ([3], [16], [6])
        assert side.minimum_span.tolist() == [[6, 16]]


def test_the_share_of_tokens_that_are_not_aligned_is_of_both_sides():
    alignments, unaligned = character_alignments(text("Ann saw uh Bob"), text("Ann saw Bob"))
    assert unaligned == 1 / 7
    assert character_alignments(text("Ann saw Bob"), text("Ann saw uh Bob"))[1] == 1 / 7
    assert character_alignments(text("Ann uh"), text("Ann er"))[1] == 2 / 4
    assert alignments[0] is not None
    assert character_alignments(text("Ann saw"), text("Ann saw")) == ([None], 0)


def test_mentions_without_a_common_character_have_positions_of_their_own():
    key, response = on_characters(text("Ann uh Bob", (1, 2), (0, 1)), text("Ann er Bob", (1, 2), (0, 1)))
    lost = [side.start[side.start >= NOWHERE].tolist() for side in (key, response)]
    assert [len(starts) for starts in lost] == [1, 1]
    assert numbers(key, 1).isdisjoint(numbers(response, 1))
    assert [len(numbers(side, 1)) for side in (key, response)] == [1, 1]


def test_a_mention_around_an_empty_node_of_the_other_side_has_a_gap():
    key, response = on_common_positions(text("a b c", (0, 3)), text("a _ b c", (0, 4), nodes=(1,)))
    assert key.spans(0) == ((0, 1), (2, 4))
    assert response.spans(0) == ((0, 4),)


@pytest.mark.filterwarnings("ignore:.*aligned by characters")
def test_empty_nodes_on_both_sides_of_a_word_without_common_characters_stay_two():
    key, response = text("a _ x _ b", (1, 2), (3, 4), nodes=(1, 3)), text("a _ y _ b", (3, 4), nodes=(1, 3))
    assert score(key, response, tokens="align", metrics=["mentions"])["mentions"].recall == 1 / 2
    starts = [np.sort(side.start).tolist() for side in on_characters(key, response)]
    assert starts == [[1, 2], [2]]


def test_pieces_without_common_characters_around_a_common_word_are_one_position_of_their_own():
    mentions = {"spans": [(1, 2), (3, 4)]}
    sides = on_characters(text("Ann uh Bob er", (1, 4), (1, 4), **mentions), text("Ann mm Bob oo", (1, 4), (1, 4), **mentions))
    spans = [side.spans(m) for side in sides for m in range(2)]
    assert all(len(of_mention) == 1 and of_mention[0][0] >= NOWHERE for of_mention in spans)
    assert all(end - start == 1 for ((start, end),) in spans)
    assert len(set(spans)) == 4


def test_each_of_several_documents_has_its_own_characters():
    def side(*documents, **mentions):
        builder = CorpusBuilder("x")
        for n, words in enumerate(documents):
            builder.document(f"d{n}", words.split())
            builder.mention(*mentions[f"d{n}"], "1")
        return builder.corpus()

    key = side("the New York-based firm", "same words", "ab c-d e", d0=(1, 3), d1=(1, 2), d2=(1, 2))
    response = side("the New York - based firm", "same words", "a b c - d e", d0=(1, 5), d1=(1, 2), d2=(2, 5))
    for on_common in on_characters(key, response):
        assert on_common.start.tolist() == [3, 1, 2]
        assert on_common.end.tolist() == [16, 2, 5]


def test_an_empty_node_may_be_the_first_token():
    key, response = on_common_positions(text("_ a b", (1, 2), (0, 3), nodes=(0,)), text("a b", (0, 1), (0, 2)))
    assert (key.spans(1), response.spans(0)) == (((1, 2),), ((1, 2),))
    assert (key.spans(0), response.spans(1)) == (((0, 3),), ((1, 3),))


def test_unknown_heads_stay_unknown():
    key, _ = on_common_positions(text("a _ b", (0, 3), nodes=(1,)), text("a b", (0, 2)))
    assert key.heads.tolist() == [-1]


def test_a_first_word_without_common_characters_has_a_position_of_its_own():
    key, response = on_characters(text("uh Ann", (0, 1)), text("er Ann", (0, 1)))
    assert min(*key.start, *response.start) >= NOWHERE


def test_a_document_without_words_on_one_side_is_not_aligned():
    assert character_alignments(text("Ann saw"), text("")) == ([None], 0)


def test_the_first_word_may_be_a_minimum_span():
    key, _ = on_common_positions(text("a _ b", (0, 3), nodes=(1,), minimum_span=(0, 1)), text("a b", (0, 2)))
    assert key.minimum_span.tolist() == [[0, 1]]
