"""Corpora made mention by mention."""

import numpy as np
import pytest

from referee.basics.exceptions import FormatError, OptionError
from referee.corpus.builder import CorpusBuilder


def test_mentions_are_numbered_as_they_come_and_sorted_in_the_corpus():
    builder = CorpusBuilder("notes")
    builder.document("d", ["Ann", "saw", "her", "dog"], [0])
    assert [builder.mention(2, 4, "dog"), builder.mention(0, 1, "ann"), builder.mention(2, 3, "ann")] == [0, 1, 2]
    corpus = builder.corpus()
    assert list(zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)) == [(0, 1), (2, 3), (2, 4)]
    assert list(corpus.entity_ids) == ["ann", "dog"]
    assert corpus.file_order.tolist() == [1, 0]


def test_ids_of_entities_are_of_one_document():
    builder = CorpusBuilder()
    for name in "ab":
        builder.document(name)
        builder.mention(0, 1, "1")
    assert list(builder.corpus().entity_ids) == ["1", "1"]


def test_a_document_without_a_name_gets_its_number():
    builder = CorpusBuilder()
    builder.document("a")
    builder.document("")
    assert builder.corpus().doc_ids == ("a", "#2")


@pytest.mark.parametrize("words", [["a", "b", "c"], ("a", "b", "c"), np.array(["a", "b", "c"])])
def test_words_may_be_an_array(words):
    builder = CorpusBuilder()
    builder.document("d", words, np.array([0, 2]) if isinstance(words, np.ndarray) else [0, 2])
    (document,) = builder.corpus().text.words
    assert (document.tokens, document.sentences) == (list(words), [0, 2]) or document.tokens == words
    assert {type(word) for word in document.tokens} == {str}


def test_one_text_is_no_list_of_words():
    with pytest.raises(FormatError, match=r"has a text as tokens; expected a list: text.split\(\)"):
        CorpusBuilder().document("d", "a b c")


def test_a_name_is_of_one_document():
    builder = CorpusBuilder("x")
    builder.document("a")
    with pytest.raises(FormatError, match=r"^x:7: document 'a' appears twice; expected each name once"):
        builder.document("a", line=7)


def test_what_nobody_says_is_no_column():
    builder = CorpusBuilder()
    builder.document("d", ["a"])
    builder.mention(0, 1, "1")
    corpus = builder.corpus()
    optional = (corpus.head, corpus.minimum_span, corpus.mention_types, corpus.fragments, corpus.referring, corpus.links)
    assert optional == (None,) * 6
    assert corpus.features == {"spans", "words"}


def test_what_is_said_of_one_mention_is_unknown_of_the_others():
    builder = CorpusBuilder()
    builder.document("d", list("abcdef"))
    builder.mention(0, 3, "1", head=1, minimum_span=(1, 3), mention_type="name", referring=False)
    builder.mention(3, 6, "2")
    builder.mention(0, 0, "3", spans=[(4, 5), (1, 2)])
    corpus = builder.corpus()
    assert corpus.head.tolist() == [1, -1, -1]
    assert corpus.minimum_span.tolist() == [[1, 3], [-1, -1], [-1, -1]]
    assert corpus.mention_types.tolist() == [3, 0, 0]
    assert corpus.referring.tolist() == [False, True, True]
    assert [corpus.spans(m) for m in range(3)] == [((0, 3),), ((1, 2), (4, 5)), ((3, 6),)]


def test_a_builder_refuses_what_no_corpus_can_hold():
    builder = CorpusBuilder()
    with pytest.raises(OptionError, match="expected a document before its mentions"):
        builder.mention(0, 1, "e")
    builder.document("d")
    for start, end in ((-1, 1), (5, 2)):
        with pytest.raises(OptionError, match="expected 0 <= start <= end"):
            builder.mention(start, end, "e")
    builder.mention(0, 1, "e")
    builder.item("a", "e")
    with pytest.raises(OptionError, match="all spans or all items"):
        builder.corpus()
    offset = CorpusBuilder()
    offset.document("d")
    offset.mention(1 << 32, (1 << 32) + 1, "e")
    with pytest.raises(OptionError, match="expected less than 2³¹ tokens"):
        offset.corpus()


REFUSED = [
    *({"spans": spans} for spans in ([(0.5, 2)], [(0, 2**70)], [(-1, 1), (2, 3)], [(0, 1), (2, 3.5)])),
    {"mention_type": "noun"},
]


@pytest.mark.parametrize("refused", REFUSED)
def test_a_mention_that_is_refused_leaves_nothing_behind(refused):
    builders = CorpusBuilder("a"), CorpusBuilder("b")
    for builder in builders:
        builder.document("d", ["Ann", "saw", "her", "dog"], [0])
    with pytest.raises((OptionError, TypeError, OverflowError)):
        builders[0].mention(0, 0, "refused", **refused)
    for builder in builders:
        assert builder.mention(1, 3, "ann") == 0
    assert builders[0].corpus() == builders[1].corpus()
    assert list(builders[0].corpus().entity_ids) == ["ann"]


def test_many_mentions_are_added_as_one_by_one():
    at_once, singly = CorpusBuilder("x"), CorpusBuilder("x")
    at_once.document("d")
    singly.document("d")
    at_once.add_spans(np.array([0, 2, 1]), np.array([1, 4, 1]), ["a", "b", "a"], [1, 1, 1])
    at_once.add_spans(np.array([3, 5]), np.array([4, 6]), ["b"], [2], minimum_spans={1: (5, 6)}, non_referring={"b"})
    for start, end, entity in ((0, 1, "a"), (2, 4, "b"), (1, 1, "a"), (3, 4, "b")):
        singly.mention(start, end, entity)
    singly.mention(5, 6, "b", minimum_span=(5, 6), referring=False)
    assert at_once.corpus() == singly.corpus()


@pytest.mark.parametrize(
    ("start", "end", "ids", "problem"),
    [
        ([2], [1], ["a"], "found the span 2 to 1"),
        ([0, -1], [1, 1], ["a", "b"], "found the span -1 to 1"),
        ([0, 1], [1, 2], ["a"], "found 2 starts, 2 ends, and entities of 1"),
    ],
)
def test_many_mentions_that_are_no_mentions_are_refused(start, end, ids, problem):
    builder = CorpusBuilder("x")
    with pytest.raises(OptionError, match="expected a document before its mentions"):
        builder.add_spans(np.array(start), np.array(end), ids, [1] * len(ids))
    builder.document("d")
    with pytest.raises(OptionError, match=problem):
        builder.add_spans(np.array(start), np.array(end), ids, [1] * len(ids))
