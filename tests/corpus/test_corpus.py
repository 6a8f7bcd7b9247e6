"""A corpus as a whole: its order, its features, and what is equal."""

from dataclasses import replace

import numpy as np
from hypothesis import given, strategies as st

from referee.corpus.builder import CorpusBuilder
from referee.corpus.corpus import FEATURES, Corpus
from referee.inputs.plain import corpus_of_plain as corpus_of
from tests.support.annotated import rich_corpora
from tests.support.strategies import corpora


def test_rows_in_any_order_are_brought_into_reading_order():
    corpus = Corpus(
        ("a", "b"), document=np.array([1, 0, 0, 1]), start=np.array([0, 3, 0, 0]), end=np.array([2, 4, 1, 1]),
        entity=np.array([0, 2, 2, 1]), entity_ids=["big", "small", "first"], head=np.array([1, 3, 0, 0]),
    ).in_reading_order()  # fmt: skip
    assert corpus.document.tolist() == [0, 0, 1, 1]
    assert list(zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)) == [(0, 1), (3, 4), (0, 1), (0, 2)]
    assert corpus.head.tolist() == [0, 3, 0, 1]
    assert list(corpus.entity_ids) == ["first", "small", "big"]
    assert corpus.entity.tolist() == [0, 0, 1, 2]
    assert corpus.entity_document.tolist() == [0, 1, 1]
    assert corpus.file_order.tolist() == [2, 1, 0]


def test_entities_without_mentions_are_left_out():
    corpus = Corpus(
        ("d",), document=np.array([0]), start=np.array([0]), end=np.array([1]), entity=np.array([1]), entity_ids=["none", "one"]
    ).in_reading_order()
    assert list(corpus.entity_ids) == ["one"]


def test_items_stand_where_their_ids_stand_in_sorted_order():
    corpus = corpus_of([{"c", "a"}, ["b", "c"]])
    assert corpus.items == ("a", "b", "c", "c")
    assert corpus.start.tolist() == [0, 1, 2, 2]


def test_a_corpus_may_be_selected_from_again_and_again():
    corpus = corpus_of([{"a", "b"}, {"c"}])
    for _ in range(1500):
        corpus = corpus.select(np.ones(3, dtype=bool))
    assert list(corpus.entity_ids) == ["0", "1"]


@given(corpora(), st.randoms(use_true_random=False))
def test_documents_may_be_selected_in_another_order(corpus, random):
    numbers = list(range(len(corpus.doc_ids)))
    random.shuffle(numbers)
    chosen = corpus.select_documents(np.array(numbers[:2], dtype=np.int64))
    assert chosen.doc_ids == tuple(corpus.doc_ids[d] for d in numbers[:2])
    for name, document in chosen.documents.items():
        before = corpus.documents[name]
        assert [(m.text, m.start, m.entity.id) for m in document.mentions] == [
            (m.text, m.start, m.entity.id) for m in before.mentions
        ]


@given(rich_corpora())
def test_blocks_are_the_documents_one_by_one(corpus):
    for number in range(len(corpus.doc_ids)):
        block = replace(corpus.block(number, number + 1), text=corpus.text and corpus.text.select(np.array([number])))
        alone = corpus.select_documents(np.array([number]))
        deixis = block.deixis and replace(block.deixis, text=alone.deixis.text if alone.deixis else None)
        assert replace(block, deixis=deixis) == alone


@given(rich_corpora())
def test_a_corpus_has_the_features_that_it_makes_use_of(corpus):
    assert corpus.own_features <= corpus.features <= set(FEATURES)


def test_a_column_that_says_nothing_is_equal_to_none():
    builder = CorpusBuilder()
    builder.document("d", ["a", "b"])
    builder.mention(0, 2, "1")
    corpus = builder.corpus()
    nothing = replace(corpus, head=np.array([-1]), mention_types=np.array([0]), referring=np.array([True]))
    assert corpus == nothing
    assert nothing.features == corpus.features
    assert corpus != replace(corpus, head=np.array([0]))
    assert corpus != replace(corpus, text=None)
    assert corpus != "a corpus"


def test_a_corpus_is_shown_by_its_size():
    assert repr(corpus_of([{"a", "b"}], source="x")) == "Corpus(x: 1 document, 2 mentions, 1 entity)"
