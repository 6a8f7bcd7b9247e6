"""Random corpora with everything that annotation may have, or as much of it as a format can hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

from referee.corpus.builder import CorpusBuilder
from referee.corpus.columns import MENTION_TYPES
from referee.corpus.corpus import FEATURES, Corpus
from referee.corpus.editing import join
from referee.corpus.layers import BEFORE, Bridging
from tests.support.strategies import NAMES, TOKENS

Span = tuple[int, int]

TYPES = ("", "person", "place")
RELATIONS = ("", "part", "subset")
DEPS = ("", "1:nsubj", "2:nsubj|4:conj:and", "0:root")
EVERYTHING = frozenset(FEATURES) - {"items", "links"}


@dataclass(frozen=True)
class Limits:
    """What the mentions are restricted to where a format demands it.

    in_sentences : no mention goes over the end of a sentence
    crossing     : mentions of one entity may cross, and those of several parts may begin before others are complete
    by_entity    : bridging is from a mention to an entity, and from no other mention of its entity with the same start;
                   see `referee.corpus.layers.Bridging` for the mention that stands for the antecedent
    empty        : there are documents without tokens
    word_minima  : minima begin and end with words, not with empty nodes
    classes      : the classes of mentions
    """

    in_sentences: bool = False
    crossing: bool = True
    by_entity: bool = False
    empty: bool = True
    word_minima: bool = False
    classes: Sequence[str] = MENTION_TYPES


@dataclass
class _Document:
    tokens: list[str] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    nodes: list[tuple[int, int, int, str]] = field(default_factory=list)  # as `CorpusBuilder.empty` takes them


@dataclass
class _Mention:
    number: int
    label: str
    parts: tuple[Span, ...]


@st.composite
def rich_corpora(
    draw: st.DrawFn, features: Collection[str] = EVERYTHING, *, limits: Limits = Limits(), max_documents: int = 3
) -> Corpus:
    """Corpora that make use of these `FEATURES` (all but names and links can be asked for), and of no others.

    What is random is whether they do: a corpus with `heads` may happen to have none.
    """
    unknown = set(features) - EVERYTHING
    assert not unknown, f"{unknown} cannot be asked for"
    builder = CorpusBuilder("random")
    if "discourse deixis" in features:
        builder.deixis = CorpusBuilder("random")
    for name in draw(st.just([""]) | st.lists(NAMES, max_size=max_documents, unique=True)):
        document = draw(_documents("empty nodes" in features, limits.empty))
        words = (document.tokens, document.sentences) if "words" in features else ()
        for layer in (builder, builder.deixis):
            if layer is not None:
                layer.document(name, *words)
        for node in document.nodes:
            builder.empty_node(*node)
        for layer in (builder, builder.deixis):
            if layer is not None:
                draw(_annotated(layer, document, features, limits))
    corpus = builder.corpus()
    if limits.by_entity and corpus.bridging:
        corpus = replace(corpus, bridging=_to_entities(corpus, corpus.bridging))
    return corpus


@st.composite
def _documents(draw: st.DrawFn, with_nodes: bool, may_be_empty: bool) -> _Document:
    """Sentences of at least one word, and empty nodes among the words."""
    document = _Document()
    for sentence in range(draw(st.integers(0 if may_be_empty else 1, 3))):
        document.sentences.append(len(document.tokens))
        words: list[str | None] = [*draw(st.lists(TOKENS, min_size=1, max_size=5))]
        for _ in range(draw(st.integers(0, 3)) if with_nodes else 0):
            words.insert(draw(st.integers(0, len(words))), None)
        minor = BEFORE
        for word in words:
            minor = 0 if word is not None else minor + 1
            if word is None:
                document.nodes.append((len(document.tokens), minor, sentence, draw(st.sampled_from(DEPS))))
            document.tokens.append(draw(TOKENS | st.just("_")) if word is None else word)
    return document


@st.composite
def _annotated(draw: st.DrawFn, builder: CorpusBuilder, document: _Document, features: Collection[str], limits: Limits) -> None:
    """Adds mentions and what connects them to the current document of the builder."""
    mentions: list[_Mention] = []
    labels = st.integers(0, 3).map(str)
    types = {label: draw(st.sampled_from(TYPES)) if "entity types" in features else "" for label in "0123"}
    idle = draw(st.sets(labels, max_size=2)) if "non-referring" in features else set()
    for label in draw(st.lists(labels, max_size=8)) if document.tokens else []:
        parts = draw(_parts(document, "discontinuous mentions" in features, limits.in_sentences))
        if not limits.crossing and any(_entangled(parts, m.parts) for m in mentions if m.label == label):
            continue
        tokens = [token for start, end in parts for token in range(start, end)]
        optional: dict[str, Any] = {}
        if "heads" in features and (len(tokens) == 1 or draw(st.booleans())):
            optional["head"] = draw(st.sampled_from(tokens))
        if "minimum spans" in features and draw(st.booleans()):
            low, high = draw(st.sampled_from(parts))
            first = draw(st.integers(low, high - 1))
            after = draw(st.integers(first + 1, high))
            if not limits.word_minima or not {first, after - 1} & {node for node, *_ in document.nodes}:
                optional["minimum_span"] = first, after
        if "mention types" in features:
            optional["mention_type"] = draw(st.sampled_from(limits.classes))
        number = builder.mention(0, 0, label, types[label], spans=parts, referring=label not in idle, **optional)
        mentions.append(_Mention(number, label, parts))
    if "bridging" in features and mentions:
        draw(_bridges(builder, mentions, limits.by_entity))
    if "split antecedents" in features:
        used = sorted({m.label for m in mentions})
        pairs = [(a, b) for a in used for b in used if a > b]  # no entity is made of itself, in however many steps
        for whole, element in draw(st.lists(st.sampled_from(pairs), max_size=3)) if pairs else []:
            builder.split_antecedent(builder.entity(whole), builder.entity(element))


@st.composite
def _parts(draw: st.DrawFn, document: _Document, several: bool, in_sentences: bool) -> tuple[Span, ...]:
    first, after = 0, len(document.tokens)
    if in_sentences:
        first, after = draw(st.sampled_from(list(pairwise([*document.sentences, after]))))
    place = st.integers(first, after - 1)
    span = st.tuples(place, place).map(lambda ends: (min(ends), max(ends) + 1))
    return join(draw(st.lists(span, min_size=1, max_size=3 if several else 1)))


def _entangled(a: Sequence[Span], b: Sequence[Span]) -> bool:
    """Whether two mentions are neither beside each other, nor, if one of them has but one part, one in a part or gap of the
    other."""
    beside = a[-1][1] <= b[0][0] or b[-1][1] <= a[0][0]
    return not beside and ((len(a) > 1 and len(b) > 1) or not (_holds(a, b) or _holds(b, a)))


def _holds(outer: Sequence[Span], inner: Sequence[Span]) -> bool:
    edges = [edge for part in outer for edge in part]
    return any(first <= inner[0][0] and inner[-1][1] <= after for first, after in pairwise(edges))


@st.composite
def _bridges(draw: st.DrawFn, builder: CorpusBuilder, mentions: Sequence[_Mention], by_entity: bool) -> None:
    pairs = [(a, b) for a in mentions for b in mentions if a.label != b.label]
    if by_entity:
        first = {mention.label: mention for mention in reversed(mentions)}
        pairs = [(a, b) for a, b in pairs if b is first[b.label] and _begins_alone(a, mentions)]
    for anaphor, antecedent in draw(st.lists(st.sampled_from(pairs), max_size=3)) if pairs else []:
        builder.bridge(anaphor.number, antecedent.number, draw(st.sampled_from(RELATIONS)))


def _begins_alone(mention: _Mention, mentions: Sequence[_Mention]) -> bool:
    """Whether no part of another mention of the entity begins where this one does."""
    others = (m for m in mentions if m is not mention and m.label == mention.label)
    return all(start != mention.parts[0][0] for other in others for start, _ in other.parts)


def _to_entities(corpus: Corpus, bridging: Bridging) -> Bridging:
    """With the mention for antecedent that stands for its entity: the last before the anaphor, or else the first."""

    def antecedent(anaphor: int, mention: int) -> int:
        entity = np.flatnonzero(corpus.entity == corpus.entity[mention]).tolist()
        return ([m for m in entity if m < anaphor] or entity[:1])[-1]

    anaphors, antecedents = bridging.anaphor.tolist(), bridging.antecedent.tolist()
    rows = sorted(
        (a, antecedent(a, b), relation) for a, b, relation in zip(anaphors, antecedents, bridging.relation, strict=True)
    )
    return Bridging(np.array([a for a, _, _ in rows]), np.array([b for _, b, _ in rows]), [relation for *_, relation in rows])
