"""A column is declared once: what a corpus does with its own columns, it does with one that was never heard of."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.algorithms.arrays import Ints
from referee.corpus.builder import CorpusBuilder
from referee.corpus.columns import Columns
from referee.corpus.corpus import FEATURES, Corpus
from referee.corpus.cross_document import join_documents
from referee.corpus.editing import concatenate
from referee.corpus.lossy import without
from referee.corpus.schema import Layer, Numbers, Strings, optional, schema_of
from tests.support.annotated import rich_corpora


class Apposition(NamedTuple):
    """Pairs of mentions, as a new layer of annotation would have them."""

    first: Ints
    second: Ints

    def moved(self, places):
        first, second = places.mention(self.first), places.mention(self.second)
        kept = (first >= 0) & (second >= 0)
        return Apposition(first[kept], second[kept])


@dataclass(frozen=True, eq=False, repr=False)
class Extended(Corpus):
    """A corpus with one more column of each kind: one line each."""

    confidence: Ints | None = optional(Numbers("mention", fill=0, dtype=np.int16, feature="confidence"))
    last_token: Ints | None = optional(Numbers("mention", refers="token", fill=-1, feature="last tokens"))
    gloss: Sequence[str] | None = optional(Strings("mention", fill="", feature="glosses"))
    salience: Ints | None = optional(Numbers("entity", fill=0, feature="salience", merge=np.maximum))
    page: Sequence[str] | None = optional(Strings("entity", fill="", feature="pages"))
    apposition: Apposition | None = optional(Layer("apposition"))


NEW = {"confidence", "last_token", "gloss", "salience", "page", "apposition"}
NEW_FEATURES = {"confidence", "last tokens", "glosses", "salience", "pages", "apposition"}


def worth(words):
    """A number from 1 that depends on the words alone."""
    return sum(map(ord, str(words))) % 1000 + 1


def extended(corpus):
    """The corpus with new columns whose values can be told from the other columns."""
    columns = {field.name: getattr(corpus, field.name) for field in fields(Corpus)}
    columns["deixis"] = None
    numbers = range(len(corpus.document))
    several = [(a, b) for a in numbers for b in numbers if a < b and corpus.document[a] == corpus.document[b]]
    return Extended(
        **columns,
        confidence=np.array([worth(m) for m in described(corpus)], dtype=np.int64),
        last_token=corpus.end - 1,
        gloss=tuple(map(str, described(corpus))),
        salience=np.array([worth(name) for name in corpus.entity_ids], dtype=np.int64),
        page=[f"page of {name}" for name in corpus.entity_ids],
        apposition=Apposition(*np.array(several[:5], dtype=np.int64).reshape(-1, 2).T),
    )


def described(corpus):
    return [(m.document.name, m.start, m.end, m.entity.id) for d in corpus.documents.values() for m in d.mentions]


def in_step(corpus):
    """The new columns say what they said of the mentions and entities that they belong to."""
    assert isinstance(corpus, Extended)
    assert list(corpus.gloss) == list(map(str, described(corpus)))
    assert corpus.confidence.tolist() == [worth(m) for m in described(corpus)]
    assert corpus.last_token.tolist() == (corpus.end - 1).tolist()
    assert corpus.salience.tolist() == [worth(name) for name in corpus.entity_ids]
    assert list(corpus.page) == [f"page of {name}" for name in corpus.entity_ids]


def appositions(corpus):
    assert isinstance(corpus, Extended)
    rows = described(corpus)
    return {(rows[a], rows[b]) for a, b in zip(*corpus.apposition, strict=True)}


def glossed(corpus):
    """The appositions, by what is said of their mentions."""
    return sorted((corpus.gloss[a], corpus.gloss[b]) for a, b in zip(*corpus.apposition, strict=True))


plain = rich_corpora().map(extended)


@given(plain, st.lists(st.booleans(), min_size=40, max_size=40))
def test_new_columns_are_selected(corpus, kept):
    mask = np.array(kept)[np.arange(len(corpus.document)) % 40]
    chosen = corpus.select(mask)
    in_step(chosen)
    rows = {row for row, keep in zip(described(corpus), mask, strict=True) if keep}
    assert appositions(chosen) >= {pair for pair in appositions(corpus) if set(pair) <= rows and len(set(pair)) == 2} - (
        {pair for pair in appositions(corpus) if any(described(corpus).count(row) > 1 for row in pair)}
    )


@given(plain)
def test_new_columns_follow_their_documents(corpus):
    number = len(corpus.doc_ids)
    longer = corpus.on_documents(("new", *corpus.doc_ids[::-1]), np.arange(number, 0, -1))
    in_step(longer)
    assert appositions(longer) == appositions(corpus)
    for d in range(number):
        in_step(corpus.select_documents(np.array([d])))
        in_step(corpus.block(d, d + 1))
    again = longer.select_documents(np.arange(number, 0, -1))
    assert again == corpus


@given(plain)
def test_new_columns_are_concatenated(corpus):
    if not corpus.doc_ids:
        return
    parts = [corpus.select_documents(np.array([d])) for d in range(len(corpus.doc_ids))]
    whole = concatenate(parts)
    in_step(whole)
    assert whole == corpus
    renamed = replace(corpus, doc_ids=tuple(f"other {name}" for name in corpus.doc_ids))
    without_any = dict.fromkeys(NEW)
    both = concatenate([corpus, replace(renamed, **without_any)])
    assert isinstance(both, Extended)
    assert both.confidence[len(corpus.document) :].tolist() == [0] * len(corpus.document)
    assert list(both.page)[len(corpus.entity_ids) :] == [""] * len(corpus.entity_ids)
    assert both.select_documents(np.arange(len(corpus.doc_ids))) == corpus


@given(plain)
def test_new_columns_are_joined_cross_document(corpus):
    joined, _ = join_documents(corpus, corpus, "corpus")
    assert isinstance(joined, Extended)
    assert sorted(joined.gloss) == sorted(map(str, described(corpus)))
    assert glossed(joined) == glossed(corpus)
    assert joined.last_token.tolist() == (joined.end - 1).tolist()
    assert joined.salience.tolist() == [worth(name) for name in joined.entity_ids]  # the greatest of equal ones


def test_entities_that_are_joined_have_the_merged_value():
    builder = CorpusBuilder()
    for name in "ab":
        builder.document(name)
        builder.mention(0, 1, "x")
    corpus = replace(extended(builder.corpus()), salience=np.array([3, 7]))
    joined, _ = join_documents(corpus, corpus, "corpus")
    assert isinstance(joined, Extended)
    assert joined.salience.tolist() == [7]


@pytest.mark.parametrize("name", sorted(NEW))
def test_new_columns_are_compared(name):
    builder = CorpusBuilder()
    builder.document("d")
    for start in (0, 1):
        builder.mention(start, start + 1, str(start))
    corpus = extended(builder.corpus())
    gone = {name: None}
    nothing = {
        "confidence": np.array([0, 0]),
        "last_token": np.array([-1, -1]),
        "gloss": ("", ""),
        "salience": np.array([0, 0]),
        "page": ["", ""],
        "apposition": Apposition(*np.empty((2, 0), dtype=np.int64)),
    }
    assert corpus == replace(corpus)
    assert corpus != replace(corpus, **gone)
    assert replace(corpus, **{name: nothing[name]}) == replace(corpus, **gone)


@given(plain)
def test_new_columns_are_features_that_can_be_left_out(corpus):
    if corpus.apposition is None or not len(corpus.apposition.first):
        return
    assert corpus.features >= NEW_FEATURES
    less = without(corpus, {"pages", "last tokens", "apposition"})
    assert less.features == corpus.features - {"pages", "last tokens", "apposition"}


@given(plain)
def test_new_token_offsets_follow_when_empty_nodes_go(corpus):
    words = without(corpus, {"empty nodes"})
    assert isinstance(words, Extended)
    last_is_node = np.zeros(len(corpus.document), dtype=bool)
    if corpus.empty_nodes is not None:
        nodes = set(zip(corpus.empty_nodes.document.tolist(), corpus.empty_nodes.node.tolist(), strict=True))
        pairs = zip(corpus.document.tolist(), (corpus.end - 1).tolist(), strict=True)
        last_is_node[:] = [pair in nodes for pair in pairs]
    assert (words.last_token < 0).sum() <= last_is_node.sum()
    known = words.last_token >= 0
    assert (words.last_token[known] == words.end[known] - 1).all()


def test_every_column_is_declared_or_about_documents_or_the_whole_corpus():
    assert {field.name for field in fields(Corpus)} - set(schema_of(Corpus)) == {
        "doc_ids", "text", "source", "format", "kind", "origin", "by_position", "skipped", "fragment_lists", "deixis",
        "metadata",
        "pair_frame", "in_files",
    }  # fmt: skip
    assert set(schema_of(Columns)) == set(schema_of(Corpus))


def test_features_are_those_of_the_columns_and_four_more():
    declared = {part.feature for part in schema_of(Corpus).values() if part.feature}
    assert set(FEATURES) == declared | {"spans", "words", "discourse deixis"}
