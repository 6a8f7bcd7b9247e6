"""Annotations of one text on common tokens: `on_common_tokens`.

Formats with offsets of characters have no tokens, so their readers make some, and cut them where a mention begins or ends. Two
annotators of one text who have different mentions so have different tokens. Here the tokens of all are cut wherever those of
one are. The text stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import Corpus
from referee.corpus.editing import on_tokens
from referee.corpus.text import RawText, Text, Words

Pieces = list[list[int]]
"""Of each token, where its pieces begin, and where the last of them ends."""


def on_common_tokens(corpora: Sequence[Corpus]) -> list[Corpus]:
    r"""The corpora, their tokens cut wherever those of one are, in documents of which all know the same text.

    Other documents stay as they are, and so do those in which a token is not what the text has at its place, or which have
    different characters in their tokens.

    Parameters
    ----------
    corpora : sequence of Corpus
        Over the same documents, in one order.

    Examples
    --------
    >>> def annotated(*tokens: tuple[int, int]) -> Corpus:
    ...     text, (start, end) = "Parisian  streets", np.array(tokens).T
    ...     words = Words([text[a:b] for a, b in tokens], [0], RawText(text, start, end))
    ...     mention = {"document": np.array([0]), "start": np.array([0]), "end": np.array([1]), "entity": np.array([0])}
    ...     return Corpus(("d",), **mention, entity_ids=["e"], text=Text.of([words])).in_reading_order()
    >>> for corpus in on_common_tokens([annotated((0, 5), (5, 8), (10, 17)), annotated((0, 8), (10, 17))]):
    ...     print(corpus.words(0), corpus.start[0], corpus.end[0])
    ['Paris', 'ian', 'streets'] 0 1
    ['Paris', 'ian', 'streets'] 0 2
    """
    texts = [corpus.text for corpus in corpora]
    if any(text is None or text.fingerprints is not None for text in texts):  # readers of words alone have fingerprints
        return list(corpora)
    if any(corpus.empty_nodes is not None or corpus.deixis is not None for corpus in corpora):
        return list(corpora)
    sides = [text.words for text in texts if text is not None]
    pieces: list[dict[int, Pieces]] = [{} for _ in corpora]
    for number, words in enumerate(zip(*sides, strict=True)):
        for by_document, cut in zip(pieces, _pieces(words) or (), strict=False):
            by_document[number] = cut
    return [_cut(corpus, cuts) if cuts else corpus for corpus, cuts in zip(corpora, pieces, strict=True)]


def _pieces(sides: Sequence[Words]) -> list[Pieces] | None:
    """The pieces of the tokens of each side of a document; None if they stay as they are."""
    raws = [words.raw for words in sides if words.raw is not None]
    if len(raws) < len(sides) or len({raw.text for raw in raws}) > 1 or len({tuple(words.tokens) for words in sides}) == 1:
        return None
    text = raws[0].text
    places = [list(zip(raw.start.tolist(), raw.end.tolist(), strict=True)) for raw in raws]
    if any([text[a:b] for a, b in cut_tokens] != list(words.tokens) for words, cut_tokens in zip(sides, places, strict=True)):
        return None
    edges = np.unique([edge for cut_tokens in places for place in cut_tokens for edge in place])
    cut = [
        [edges[np.searchsorted(edges, start) : np.searchsorted(edges, end) + 1].tolist() for start, end in cut_tokens]
        for cut_tokens in places
    ]
    different = {tuple(piece for token in cut_tokens for piece in pairwise(token)) for cut_tokens in cut}
    return cut if len(different) == 1 else None


def _cut(corpus: Corpus, pieces: dict[int, Pieces]) -> Corpus:
    """A corpus with its tokens cut into pieces in some of its documents."""
    assert corpus.text is not None
    first = {
        number: [0, *accumulate(len(edges) - 1 for edges in pieces_of_token)] for number, pieces_of_token in pieces.items()
    }
    row = np.full(len(corpus.doc_ids), -1)  # of the table of a document's tokens; -1 for documents that stay as they are
    row[list(first)] = list(accumulate(map(len, first.values()), initial=0))[:-1]
    table = np.array([piece for pieces_of_token in first.values() for piece in pieces_of_token], dtype=np.int64)

    def moved(document: Ints, token: Ints) -> Ints:
        """The first piece of each token; of the one behind the last, the end."""
        places, is_cut = np.array(token, dtype=np.int64), row[document] >= 0
        places[is_cut] = table[row[document[is_cut]] + places[is_cut]]
        return places

    texts = list(corpus.text.words)
    for number, pieces_of_token in pieces.items():
        _, sentences, raw = texts[number]
        assert raw is not None
        start, end = (
            np.array([piece for edges in pieces_of_token for piece in pairwise(edges)], dtype=np.int64).reshape(-1, 2).T
        )
        words = [raw.text[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True)]
        texts[number] = Words(words, [first[number][token] for token in sentences], RawText(raw.text, start, end))
    cut = on_tokens(corpus, moved, lambda document, token: moved(document, token + 1))
    return replace(cut, text=Text.of(texts)).in_reading_order()
