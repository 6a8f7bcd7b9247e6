"""Sets of positions in bulk, against Python's sets."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import MismatchError
from referee.corpus.builder import CorpusBuilder
from referee.matching.spans import mention_rows, refuse_many_overlaps, shared_positions, sizes, within_ranges
from tests.support.sides import sides, spans


def tokens(corpus, mention):
    return {t for start, end in corpus.spans(mention) for t in range(start, end)}


@given(sides(nodes=False))
def test_sizes_and_shared_positions_are_those_of_the_sets(pair):
    key, response = pair
    for side in pair:
        assert sizes(side).tolist() == [len(tokens(side, m)) for m in range(len(side.document))]
    k, r = np.nonzero(key.document[:, None] == response.document[None, :])
    expected = [len(tokens(key, a) & tokens(response, b)) for a, b in zip(k.tolist(), r.tolist(), strict=True)]
    assert shared_positions(key, response, k, r).tolist() == expected


@given(sides(), st.randoms())
def test_some_mentions_keep_their_positions(pair, random):
    corpus = pair[0]
    mentions = [m for m in range(len(corpus.document)) if m % 2]
    random.shuffle(mentions)
    rows = mention_rows(corpus, np.array(mentions, dtype=np.int64))
    assert [rows.spans(n) for n in range(len(mentions))] == [corpus.spans(m) for m in mentions]
    assert rows.heads.tolist() == corpus.heads[mentions].tolist()


def test_all_mentions_are_the_corpus_itself():
    builder = CorpusBuilder("x")
    builder.document("d", ["a"])
    builder.mention(0, 1, "1")
    corpus = builder.corpus()
    assert mention_rows(corpus, np.arange(1)) is corpus


numbers = st.lists(st.integers(0, 9), max_size=8)


@given(numbers, st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=5))
def test_ranges_get_all_values_within_them(values, limits):
    first, after = np.array(limits, dtype=np.int64).reshape(-1, 2).T
    pairs = list(zip(*(side.tolist() for side in within_ranges(np.array(values, dtype=np.int64), first, after)), strict=True))
    assert sorted(pairs) == [(n, v) for n, (a, b) in enumerate(limits) for v, value in enumerate(values) if a <= value < b]
    assert pairs == sorted(pairs, key=lambda pair: (pair[0], values[pair[1]], pair[1]))


def test_too_many_overlapping_pairs_are_refused_before_they_are_listed(monkeypatch):
    key = spans(*((m, 20 - m, m) for m in range(8)), words=20)
    monkeypatch.setattr("referee.matching.spans.MOST", 64)
    refuse_many_overlaps(key, key)
    monkeypatch.setattr("referee.matching.spans.MOST", 63)
    with pytest.raises(MismatchError, match="64 pairs of mentions that are not equal overlap; expected at most 63"):
        refuse_many_overlaps(key, key)
