"""The text that the tokens of a corpus are from."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from referee.basics.exceptions import OptionError
from referee.corpus import CorpusBuilder, RawText, Text, Words
from referee.corpus.editing import concatenate
from referee.corpus.lossy import without
from referee.formats.shared.written_text import written_text
from tests.support.raw_texts import raw_cases, raw_of


def same(found, case):
    return (found.text, list(zip(found.start.tolist(), found.end.tolist(), strict=True))) == (case.text, case.places)


def with_names(*cases):
    return concatenate([case.corpus(name) for name, case in zip("abc", cases, strict=False)])


@given(a=raw_cases(), b=raw_cases())
def test_it_goes_where_its_document_goes(a, b):
    both = with_names(a, b)
    assert same(raw_of(both, 0), a)
    assert same(raw_of(both, 1), b)
    swapped = both.select_documents(np.array([1, 0]))
    assert same(raw_of(swapped, 0), b)
    assert same(raw_of(both.select_documents(np.array([1]))), b)
    assert same(raw_of(both.select(np.zeros(len(both.document), dtype=bool)), 1), b)
    among_others = both.on_documents(("x", "b", "a"), np.array([2, 1]))
    assert same(raw_of(among_others, 2), a)
    assert same(raw_of(pickle.loads(pickle.dumps(both)).in_reading_order(), 1), b)


@given(case=raw_cases())
def test_corpora_with_and_without_it_are_equal(case):
    corpus = case.corpus("a")
    plain = replace(corpus, text=corpus.text.with_raw([None]))
    assert plain == corpus
    assert plain.features == corpus.features
    other = RawText("x" * len(case.tokens), np.arange(len(case.tokens)), np.arange(len(case.tokens)) + 1)
    found = replace(plain, text=plain.text.with_raw([other]))
    assert found == corpus
    assert raw_of(found) is other


def test_it_is_given_to_words_that_are_read_late_and_keeps_their_digests():
    read = []

    def load():
        read.append("now")
        return [Words(["Ann"], [0])]

    text = Text(load, [b"digest"], "conll")
    found = text.with_raw([RawText("Ann", np.array([0]), np.array([3]))])
    assert (found.fingerprints, found.kind, read) == ([b"digest"], "conll", [])
    assert found.words[0].tokens == ["Ann"]


def test_without_empty_nodes_it_has_the_places_of_the_words():
    builder = CorpusBuilder()
    raw = RawText("Ann left", np.array([0, 4, 4]), np.array([3, 4, 8]))
    builder.document("d", ["Ann", "_", "left"], [0], raw=raw)
    builder.empty_node(1, 1, 0)
    builder.mention(0, 3, "e")
    found = raw_of(without(builder.corpus(), ["empty nodes"]))
    assert (found.text, found.start.tolist(), found.end.tolist()) == ("Ann left", [0, 4], [3, 8])


@pytest.mark.parametrize(
    ("start", "end", "problem"),
    [
        ([0, 2], [1], "found (2,) starts and (1,) ends of tokens; expected a start and an end for each"),
        ([0, 2], [1, 4], "found token 1 at 2 to 4; expected tokens in order, within the 3 characters of the text"),
        ([-1], [1], "found token 0 at -1 to 1; expected"),
        ([1], [0], "found token 0 at 1 to 0; expected"),
        ([0, 1], [2, 3], "found token 1 at 1 to 3; expected"),
        ([0, 0], [2, 3], "found token 1 at 0 to 3; expected"),
        ([1, 0], [2, 1], "found token 1 at 0 to 1; expected"),
    ],
)
def test_places_that_are_none_are_refused(start, end, problem):
    with pytest.raises(OptionError) as caught:
        RawText("abc", np.array(start), np.array(end))
    assert str(caught.value).startswith(problem)


def test_as_many_places_as_tokens_are_needed():
    with pytest.raises(OptionError, match="found 1 place of tokens in the text; expected 2"):
        written_text(Words(["a", "b"], [0], RawText("ab", np.array([0]), np.array([1]))))
