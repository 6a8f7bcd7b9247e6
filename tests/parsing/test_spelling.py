"""What a network sees of words, and how sentences are divided into batches."""

import numpy as np
from hypothesis import given, strategies as st

from referee.parsing.spelling import SHAPES, columns, plain, seen_often, shape
from referee.parsing.tagging import BATCH_SENTENCES, BATCH_WORDS, batches


@given(st.text(min_size=1))
def test_each_word_has_a_shape(form):
    assert 0 < shape(form) < SHAPES


def test_shapes_tell_words_apart():
    forms = ("word", "I", "NATO", "Word", "iPod", "...", "1990", "mid-term", "Mid-term", "b2b", "B2b")
    assert len({shape(form) for form in forms}) == len(forms)


def test_digits_and_quotes_are_alike():
    assert plain("1990") == plain("2024")
    assert plain("John’s") == plain("John's")


def test_pieces_are_numbered_and_unseen_ones_are_0():
    lists = seen_often(["the", "the", "The", "cats"], {"word": 2, "prefix": 1, "suffix": 1, "ending": 1})
    assert lists == {"word": ["the"], "prefix": ["the", "cat"], "suffix": ["the", "ats"], "ending": ["he", "ts"]}
    assert columns(["cats", "THE", "xyz"], lists)[:, :4].tolist() == [[0, 2, 2, 2], [1, 1, 1, 1], [0, 0, 0, 0]]


@given(st.lists(st.integers(1, 3000), max_size=40))
def test_batches_have_each_sentence_once_and_are_small(sizes):
    first = np.cumsum([0, *sizes])
    found = list(batches(first))
    assert sorted(n for batch in found for n in batch.number.tolist()) == list(range(len(sizes)))
    for batch in found:
        assert np.diff(batch.first).tolist() == [sizes[n] for n in batch.number]
        assert (np.diff(batch.first)[1:] <= np.diff(batch.first)[:-1]).all()
        assert len(batch.word) <= BATCH_WORDS
        assert len(batch.number) <= BATCH_SENTENCES
        assert all((np.diff(batch.word[a:b]) == 1).all() for a, b in zip(batch.first[:-1], batch.first[1:], strict=True))
