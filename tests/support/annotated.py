"""Random corpora with everything that annotation may have, or as much of it as a format can hold.

Hypothesis draws a seed and the numbers of documents and mentions, and makes the latter small where a test fails. If it drew
everything, that would take longer than the tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import TypeVar
from unicodedata import category

import numpy as np
from hypothesis import strategies as st

from referee.corpus.builder import CorpusBuilder
from referee.corpus.columns import MENTION_TYPES
from referee.corpus.corpus import FEATURES
from referee.corpus.editing import join
from referee.corpus.layers import BEFORE, Bridging
from tests.support.strategies import SPECIAL_TOKENS

Span = tuple[int, int]
Pair = TypeVar("Pair")

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
    one_line     : the names of documents have neither ends of lines nor blanks around them
    """

    in_sentences: bool = False
    crossing: bool = True
    by_entity: bool = False
    empty: bool = True
    word_minima: bool = False
    classes: Sequence[str] = MENTION_TYPES
    one_line: bool = False


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
def rich_corpora(draw, features=EVERYTHING, *, limits=Limits(), max_documents=3):
    """Corpora that make use of these `FEATURES` (all but names and links can be asked for), and of no others.

    What is random is whether they do: a corpus with `heads` may happen to have none.
    """
    unknown = set(features) - EVERYTHING
    assert not unknown, f"{unknown} cannot be asked for"
    number, most, random = draw(st.integers(0, max_documents)), draw(st.integers(0, 8)), Random(draw(st.integers(0, 2**32 - 1)))
    builder = CorpusBuilder("random")
    if "discourse deixis" in features:
        builder.deixis = CorpusBuilder("random")
    for name in [""] if random.random() < 0.1 else dict.fromkeys(_name(random, limits.one_line) for _ in range(number)):
        document = _document(random, "empty nodes" in features, limits.empty)
        words = (document.tokens, document.sentences) if "words" in features else ()
        for layer in (builder, builder.deixis):
            if layer is not None:
                layer.document(name, *words)
        for node in document.nodes:
            builder.empty_node(*node)
        for layer in (builder, builder.deixis):
            if layer is not None:
                _annotate(layer, document, random, most, features, limits)
    corpus = builder.corpus()
    if limits.by_entity and corpus.bridging:
        corpus = replace(corpus, bridging=_to_entities(corpus, corpus.bridging))
    return corpus


def _letters(random, most):
    """Some of the characters that neither separate nor control, half of them ASCII."""
    letters = ""
    number = random.randint(1, most)
    while len(letters) < number:
        letter = chr(random.randrange(random.choice((0x7F, 0x7F, 0x250, 0x110000))))
        letters += letter if category(letter)[0] not in "CZ" else ""
    return letters


def _name(random, one_line):
    """Of a document: mostly letters; one in ten has what a line of a file may lose: blanks, ends of lines, a padding."""
    name = _letters(random, 6).lstrip("#") or "d"
    if random.random() < 0.1:
        blank = random.choice((" ", "  ", "\t", "\n", "\r\n", "\u2028", "\xa0", "# "))
        name = random.choice((name + blank + name, blank + name, name + blank, blank + name + blank))
    return " ".join(name.split()) if one_line else name


def _token(random):
    return random.choice(SPECIAL_TOKENS) if random.random() < 0.1 else _letters(random, 5)


def _document(random, with_nodes, may_be_empty):
    """Sentences of at least one word, and empty nodes among the words."""
    document = _Document()
    for sentence in range(random.randint(0 if may_be_empty else 1, 3)):
        document.sentences.append(len(document.tokens))
        words = [_token(random) for _ in range(random.randint(1, 5))]
        for _ in range(random.randint(0, 3) if with_nodes else 0):
            words.insert(random.randint(0, len(words)), None)
        minor = BEFORE
        for word in words:
            minor = 0 if word is not None else minor + 1
            if word is None:
                document.nodes.append((len(document.tokens), minor, sentence, random.choice(DEPS)))
                word = "_" if random.random() < 0.3 else _token(random)  # noqa: PLW2901
            document.tokens.append(word)
    return document


def _annotate(builder, document, random, most, features, limits):
    """Add mentions and what connects them to the current document of the builder."""
    mentions: list[_Mention] = []
    types = {label: random.choice(TYPES) if "entity types" in features else "" for label in "0123"}
    idle = random.sample("0123", random.randint(0, 2)) if "non-referring" in features else []
    for label in random.choices("0123", k=random.randint(most // 2, most)) if document.tokens else []:
        parts = _parts(random, document, "discontinuous mentions" in features, limits.in_sentences)
        if not limits.crossing and any(_entangled(parts, m.parts) for m in mentions if m.label == label):
            continue
        tokens = [token for start, end in parts for token in range(start, end)]
        optional = {}
        if "heads" in features and (len(tokens) == 1 or random.random() < 0.5):
            optional["head"] = random.choice(tokens)
        if "minimum spans" in features and random.random() < 0.5:
            low, high = random.choice(parts)
            first = random.randint(low, high - 1)
            after = random.randint(first + 1, high)
            if not limits.word_minima or not {first, after - 1} & {node for node, *_ in document.nodes}:
                optional["minimum_span"] = first, after
        if "mention types" in features:
            optional["mention_type"] = random.choice(limits.classes)
        number = builder.mention(0, 0, label, types[label], spans=parts, referring=label not in idle, **optional)
        mentions.append(_Mention(number, label, parts))
    if "bridging" in features and mentions:
        _bridge(random, builder, mentions, limits.by_entity)
    if "split antecedents" in features:
        used = sorted({m.label for m in mentions})
        pairs = [(a, b) for a in used for b in used if a > b]  # no entity is made of itself, in however many steps
        for whole, element in _up_to_three(random, pairs):
            builder.split_antecedent(builder.entity(whole), builder.entity(element))


def _up_to_three(random, pairs):
    return random.choices(pairs, k=random.randint(0, 3)) if pairs else []


def _parts(random, document, several, in_sentences):
    first, after = 0, len(document.tokens)
    if in_sentences:
        first, after = random.choice(list(pairwise([*document.sentences, after])))
    places = [sorted(random.choices(range(first, after), k=2)) for _ in range(random.randint(1, 3 if several else 1))]
    return join([(start, last + 1) for start, last in places])


def _entangled(a, b):
    """Whether two mentions are neither beside each other, nor, if one of them has but one part, one in a part or gap of the
    other."""
    beside = a[-1][1] <= b[0][0] or b[-1][1] <= a[0][0]
    return not beside and ((len(a) > 1 and len(b) > 1) or not (_holds(a, b) or _holds(b, a)))


def _holds(outer, inner):
    edges = [edge for part in outer for edge in part]
    return any(first <= inner[0][0] and inner[-1][1] <= after for first, after in pairwise(edges))


def _bridge(random, builder, mentions, by_entity):
    pairs = [(a, b) for a in mentions for b in mentions if a.label != b.label]
    if by_entity:
        first = {mention.label: mention for mention in reversed(mentions)}
        pairs = [(a, b) for a, b in pairs if b is first[b.label] and _begins_alone(a, mentions)]
    for anaphor, antecedent in _up_to_three(random, pairs):
        builder.bridge(anaphor.number, antecedent.number, random.choice(RELATIONS))


def _begins_alone(mention, mentions):
    """Whether no part of another mention of the entity begins where this one does."""
    others = (m for m in mentions if m is not mention and m.label == mention.label)
    return all(start != mention.parts[0][0] for other in others for start, _ in other.parts)


def _to_entities(corpus, bridging):
    """With the mention for antecedent that stands for its entity: the last before the anaphor, or else the first."""

    def antecedent(anaphor, mention):
        entity = np.flatnonzero(corpus.entity == corpus.entity[mention]).tolist()
        return ([m for m in entity if m < anaphor] or entity[:1])[-1]

    anaphors, antecedents = bridging.anaphor.tolist(), bridging.antecedent.tolist()
    rows = sorted(
        (a, antecedent(a, b), relation) for a, b, relation in zip(anaphors, antecedents, bridging.relation, strict=True)
    )
    return Bridging(np.array([a for a, _, _ in rows]), np.array([b for _, b, _ in rows]), [relation for *_, relation in rows])
