"""Which mentions are equal, against sets of positions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from referee.basics.exceptions import MismatchError
from referee.corpus.builder import CorpusBuilder
from referee.corpus.strings import Names
from referee.inputs.plain import corpus_of_plain as corpus_of
from referee.matching.exact import equal_mentions, identities
from tests.support.sides import head_of, positions_of, sides, spans


@pytest.mark.parametrize("heads", [False, True])
@pytest.mark.parametrize("wide", [False, True])
@given(pair=sides(nodes=False))
def test_numbers_are_equal_where_positions_are(heads, wide, pair):
    of_mentions = [[(positions_of(side, m), heads and head_of(side, m)) for m in range(len(side.document))] for side in pair]
    if wide:  # documents and positions that do not fit in one number
        pair = tuple(
            replace(
                side, document=side.document.astype(np.int64) << 31, start=side.start.astype(np.int64) << 25,
                end=side.end.astype(np.int64) << 25,
            )
            for side in pair
        )  # fmt: skip
    found = [*np.concatenate(identities(*pair, heads=heads)).tolist()]
    expected = of_mentions[0] + of_mentions[1]
    assert [a == b for a in found for b in found] == [a == b for a in expected for b in expected]


def test_of_repeated_mentions_the_last_are_matched_first():
    key, response = spans((0, 2, 0), (0, 2, 0), (0, 2, 0), (3, 4, 3)), spans((0, 2, 0), (0, 2, 0))
    assert sorted(zip(*(side.tolist() for side in equal_mentions(key, response)), strict=True)) == [(1, 0), (2, 1)]


def test_items_are_equal_if_they_are_the_same_item_of_one_document():
    key, response = (
        corpus_of({"x": [["a", "b"]], "y": [["a"]]}, source="key"),
        corpus_of({"x": [["b"]], "y": [["b", "a"]]}, source="response"),
    )
    k, r = equal_mentions(key, response)
    assert [(key.doc_ids[key.document[m]], (key.items or [])[m]) for m in k] == [("x", "b"), ("y", "a")]
    assert [(response.items or [])[m] for m in r] == ["b", "a"]


def test_the_same_names_one_after_another_are_other_items_in_other_documents():
    names = Names(np.array([[ord(letter) << 56] for letter in "abc"], dtype=np.uint64))
    key, response = corpus_of({"x": [["a", "b"]], "y": [["c"]]}), corpus_of({"x": [["a"]], "y": [["b", "c"]]})
    for pair in ((key, response), (replace(key, items=names), replace(response, items=names))):
        assert [mentions.tolist() for mentions in equal_mentions(*pair)] == [[0, 2], [0, 2]]


def test_spans_and_items_are_not_compared():
    with pytest.raises(MismatchError, match="mentions of key are spans of tokens, mentions of response are items such as 'a'"):
        identities(corpus_of([{(0, 1)}], source="key"), corpus_of([{"a"}], source="response"))
    nothing = corpus_of([], source="response")
    assert [len(side) for side in identities(corpus_of([{(0, 1)}], source="key"), nothing)] == [1, 0]


def test_a_side_without_mentions_fits_items():
    items, builder = corpus_of([{"a"}]), CorpusBuilder("x")
    builder.document("#1")
    for pair in ((items, builder.corpus()), (builder.corpus(), items)):
        assert sorted(map(len, identities(*pair))) == [0, 1]
