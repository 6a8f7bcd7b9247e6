"""Random corpora to test with: annotated text, and named items.

Mentions nest, cross and repeat, in one entity and across entities; documents may be empty, and so may corpora.
"""

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from referee.algorithms.components import components
from referee.corpus.builder import CorpusBuilder

LETTERS = st.characters(exclude_categories=["C", "Z"])
SPECIAL_TOKENS = ["(1)", "&amp;", "<s>", '"', "\\", "#", "-", "{", "null"]
TOKENS = st.text(LETTERS, min_size=1, max_size=5) | st.sampled_from(SPECIAL_TOKENS)
NAMES = st.text(LETTERS, min_size=1, max_size=6).filter(lambda name: not name.startswith("#"))
PADDED = st.tuples(st.sampled_from(["", " ", "\n"]), NAMES, st.sampled_from(["", "\t", " b", "\r\nb"])).map("".join)
"""Names with blanks and ends of lines in them or around them."""


@dataclass(frozen=True)
class Drawn:
    """A document: its tokens, where sentences start, and mentions as (start, end, label of the entity)."""

    tokens: list[str]
    sentences: list[int]
    mentions: list[tuple[int, int, str]]


@st.composite
def documents(draw, *, max_tokens=12, max_mentions=8):
    tokens = draw(st.lists(TOKENS, max_size=max_tokens))
    if not tokens:
        return Drawn([], [], [])
    place = st.integers(0, len(tokens) - 1)
    sentences = sorted({0, *draw(st.lists(place, max_size=4))})
    span = st.tuples(place, place).map(lambda ends: (min(ends), max(ends) + 1))
    labels = st.integers(0, 3).map(str)
    return Drawn(
        tokens, sentences, [(*s, label) for s, label in draw(st.lists(st.tuples(span, labels), max_size=max_mentions))]
    )


@st.composite
def corpora(draw, *, max_documents=3, text=True, typed=False):
    """Spans in documents, with words or without. Typed ones have a type for each entity, which may be empty."""
    builder = CorpusBuilder("random")
    for name in draw(_names(max_documents)):
        document = draw(documents())
        builder.document(name, *((document.tokens, document.sentences) if text else ()))
        for start, end, label in document.mentions:
            builder.mention(start, end, label, draw(st.sampled_from(["", "person", "place"])) if typed else "")
    return builder.corpus()


one_document = (
    corpora(max_documents=1, text=False).filter(lambda c: len(c.doc_ids) == 1).map(lambda c: replace(c, doc_ids=("d",)))
)
"""Spans in a document of one name, so that two of them can be compared."""


@st.composite
def item_corpora(draw, *, max_documents=3, names=NAMES, documents=NAMES, repeated=True, linked=False, empty=True):
    """Named mentions. Linked ones have entities that are made by listed links; others may list a name twice.

    documents : names of documents
    empty     : whether a document may have no mentions
    """
    builder = CorpusBuilder("random")
    for name in draw(_names(max_documents, documents)):
        builder.document(name)
        items = draw(st.lists(names, min_size=not empty, max_size=8, unique=linked or not repeated))
        if linked and len(items) > 1:
            place = st.integers(0, len(items) - 1)
            links = draw(st.lists(st.tuples(place, place).filter(lambda link: link[0] != link[1]), max_size=6))
        else:
            links = []
        labels = components(len(items), links) if linked else [draw(st.integers(0, 3)) for _ in items]
        mentions = [builder.item(item, str(label)) for item, label in zip(items, labels, strict=True)]
        for a, b in links:
            builder.link(mentions[a], mentions[b])
    return builder.corpus()


def _names(max_documents, names=NAMES):
    """Names of documents: different ones, or a single document without a name."""
    return st.just([""]) | st.lists(names, max_size=max_documents, unique=True)
