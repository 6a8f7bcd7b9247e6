"""Random corpora that know the text that their tokens are from."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from referee.corpus import CorpusBuilder, RawText

GAPS = ["", " ", "  ", "\n", "\r\n", "\r", "\t", "\u00a0", " \n\n ", "\u2028", "\x0b", "\x1c"]
CHUNKS = [
    "Ann", "left", ".", "😀", "e\u0301", "a_b", "\\n", "\\\\", "a\\", "{x}", "*", "don't", "->", "|[1]", "\x01", "𝒜b", "#",
    "_", "\ufeff",
]  # fmt: skip
"""The pieces of a text: letters, an emoji and others of two UTF-16 units, combining and control characters, and signs that mean
something in some format."""
PARTED = ["dog-\nma", "ha-\r\nha"]
"""Words that a hyphen divides at the end of a line."""

Span = tuple[int, int]


class RawCase(NamedTuple):
    """A text, its tokens with their places, where sentences start, and the first and last token of mentions by entity."""

    text: str
    tokens: list[str]
    places: list[Span]
    sentences: list[int]
    mentions: list[tuple[int, int, int]]

    def corpus(self, name=""):
        builder = CorpusBuilder("story")
        start, end = np.array(self.places, dtype=np.int64).reshape(-1, 2).T
        builder.document(name, self.tokens, self.sentences, raw=RawText(self.text, start, end))
        for first, last, entity in self.mentions:
            builder.mention(first, last + 1, f"e{entity}")
        return builder.corpus()

    @property
    def spans(self):
        """The characters of each mention, and its entity."""
        return [(self.places[first][0], self.places[last][1], entity) for first, last, entity in self.mentions]


@st.composite
def raw_cases(draw, *, control=True, parted=True, shared=True):
    """Texts with mentions.

    Parameters
    ----------
    control : bool
        Whether the text may have control characters that XML cannot hold.
    parted, shared : bool
        Whether a token may have white space at its place, and several tokens one place.
    """
    chunks = [chunk for chunk in CHUNKS if control or chunk != "\x01"] + PARTED * parted
    gaps = [gap for gap in GAPS if control or gap not in ("\x0b", "\x1c")]
    text = draw(st.sampled_from(gaps))
    tokens = []
    places = []
    sentences = []
    for n in range(draw(st.integers(0, 8))):
        if n == 0 or draw(st.integers(0, 3)) == 0:
            sentences.append(len(tokens))
        chunk = draw(st.sampled_from(chunks))
        for copy in range(draw(st.sampled_from([1, 1, 2])) if shared else 1):
            tokens.append(f"{copy}{''.join(chunk.split())}" if copy else "".join(chunk.split()))
            places.append((len(text), len(text) + len(chunk)))
        text += chunk + draw(st.sampled_from(gaps))
    if text.startswith("\ufeff"):  # no brat text begins with it
        text = text.replace("\ufeff", "x", 1)
    mentions = []
    for _ in range(draw(st.integers(0, 4)) if tokens else 0):
        first, last = sorted(draw(st.lists(st.integers(0, len(tokens) - 1), min_size=2, max_size=2)))
        mentions.append((first, last, draw(st.integers(0, 2))))
    return RawCase(text, tokens, places, sentences, mentions)


def inked(text, start, end):
    """The places in a span that are more than white space."""
    return tuple(n for n in range(start, end) if not text[n].isspace())


def entities_in(text, spans):
    """The entities that these mentions make, whatever they are called: what each has of the text, how often."""
    of = {}
    for start, end, entity in spans:
        of.setdefault(entity, Counter())[inked(text, start, end)] += 1
    return Counter(tuple(sorted(mentions.items())) for mentions in of.values())


def entities_of_raw(corpus, document=0):
    """The same, of a document that knows its text."""
    raw = raw_of(corpus, document)
    of = {}
    for mention in np.flatnonzero(corpus.document == document).tolist():
        parts = (inked(raw.text, int(raw.start[a]), int(raw.end[b - 1])) for a, b in corpus.spans(mention))
        of.setdefault(int(corpus.entity[mention]), Counter())[tuple(place for part in parts for place in part)] += 1
    return Counter(tuple(sorted(mentions.items())) for mentions in of.values())


def raw_of(corpus, document=0):
    """The text of a document that knows it."""
    raw = corpus.text.words[document].raw
    assert raw is not None
    return raw


def same_in_text(a, b):
    """Whether both know the same texts, and have the same entities of them, however the tokens are cut."""
    numbers = range(len(a.doc_ids))
    known = all(side.text is not None and all(words.raw is not None for words in side.text.words) for side in (a, b))
    return (
        known
        and a.doc_ids == b.doc_ids
        and [raw_of(a, n).text for n in numbers] == [raw_of(b, n).text for n in numbers]
        and [entities_of_raw(a, n) for n in numbers] == [entities_of_raw(b, n) for n in numbers]
    )
