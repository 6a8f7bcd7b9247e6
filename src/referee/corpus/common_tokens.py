"""Annotations of one text on common tokens: `on_common_tokens`.

Formats with offsets of characters have no tokens, so their readers make some, and cut them where a mention begins or ends. Two
annotators of one text who have different mentions so have different tokens, and two tools may cut words differently. Here the
tokens of all are cut wherever those of one are. Texts are one if they have the same characters, white space aside.
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


def on_common_tokens(corpora: Sequence[Corpus], *, of_words: bool = False) -> list[Corpus]:
    r"""The corpora, their tokens cut wherever those of one are, in documents that have the same characters for all.

    Other documents stay as they are. White space is no difference.

    Parameters
    ----------
    corpora : sequence of Corpus
        Over the same documents, in one order.
    of_words : bool
        Whether also documents are cut of which all have words alone, and no side has offsets of characters.

    Examples
    --------
    >>> def annotated(text: str, *tokens: tuple[int, int]) -> Corpus:
    ...     start, end = np.array(tokens).T
    ...     words = Words([text[a:b] for a, b in tokens], [0], RawText(text, start, end))
    ...     mention = {"document": np.array([0]), "start": np.array([0]), "end": np.array([1]), "entity": np.array([0])}
    ...     return Corpus(("d",), **mention, entity_ids=["e"], text=Text.of([words])).in_reading_order()
    >>> one = annotated("Parisian  streets", (0, 5), (5, 8), (10, 17))
    >>> for corpus in on_common_tokens([one, annotated("Parisian streets\n", (0, 8), (9, 16))]):
    ...     print(corpus.words(0), corpus.start[0], corpus.end[0])
    ['Paris', 'ian', 'streets'] 0 1
    ['Paris', 'ian', 'streets'] 0 2
    """
    texts = [corpus.text for corpus in corpora if corpus.text is not None]
    if len(texts) < len(corpora) or (all(text.kind for text in texts) and not of_words):  # readers of words alone have a kind
        return list(corpora)
    if any(corpus.empty_nodes is not None or corpus.deixis is not None for corpus in corpora):
        return list(corpora)
    digests = [text.fingerprints for text in texts]
    of_one_reader = all(digests) and len({text.kind for text in texts}) == 1
    pieces: list[dict[int, Pieces]] = [{} for _ in corpora]
    for number in range(len(corpora[0].doc_ids)):
        if of_one_reader and len({of[number] for of in digests if of}) == 1:
            continue
        words = [text.words[number] for text in texts]
        if of_words or any(side.raw is not None for side in words):
            for by_document, cut in zip(pieces, _pieces(words), strict=False):
                by_document[number] = cut
    return [_cut(corpus, cuts) if cuts else corpus for corpus, cuts in zip(corpora, pieces, strict=True)]


def _pieces(sides: Sequence[Words]) -> list[Pieces]:
    """The pieces of the tokens of each side of a document, in characters without white space; none if they stay as they are."""
    if len({tuple(words.tokens) for words in sides}) == 1:
        return []
    of_sides = [["".join(token.split()) for token in words.tokens] for words in sides]
    if len({"".join(tokens) for tokens in of_sides}) > 1 or not all(map(all, of_sides)):
        return []
    ends = [[0, *accumulate(map(len, tokens))] for tokens in of_sides]
    edges = np.unique(np.concatenate(ends))
    rows = (np.searchsorted(edges, end).tolist() for end in ends)
    return [[edges[a : b + 1].tolist() for a, b in pairwise(row)] for row in rows]


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
        tokens, sentences, raw, tags, speakers = texts[number]
        text = "".join("".join(tokens).split())
        places = [piece for edges in pieces_of_token for piece in pairwise(edges)]
        starts = [first[number][token] for token in sentences]
        raw = raw and _raw_of_pieces(raw, tokens, places)
        tags = tags and [tag for tag, edges in zip(tags, pieces_of_token, strict=True) for _ in edges[1:]]
        texts[number] = Words([text[a:b] for a, b in places], starts, raw, tags, speakers)
    cut = on_tokens(corpus, moved, lambda document, token: moved(document, token + 1))
    return replace(cut, text=Text.of(texts)).in_reading_order()


def _raw_of_pieces(raw: RawText, tokens: Sequence[str], places: Sequence[tuple[int, int]]) -> RawText | None:
    """Where pieces of the tokens are in their text; None if the text has something else than a token at its place."""
    spans = list(zip(raw.start.tolist(), raw.end.tolist(), strict=True))
    if [raw.text[a:b] for a, b in spans] != list(tokens):
        return None
    visible = np.array([n for a, b in spans for n in range(a, b) if not raw.text[n].isspace()], dtype=np.int64)
    start, end = np.array(places, dtype=np.int64).T
    return RawText(raw.text, visible[start], visible[end - 1] + 1)
