"""Annotations of texts that differ, put on the words of the first annotator: `on_first_words`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus import Corpus
from referee.corpus.editing import on_tokens
from referee.matching.characters import TokenCharacters, align_characters


def on_first_words(corpora: Mapping[str, Corpus]) -> dict[str, Corpus]:
    """Put all annotations on the words of the first that has words, by the characters that two texts have in common.

    Returns
    -------
    dict
        Name of an annotator -> the annotation; its mentions keep their numbers. One without a word there has an empty span.
    """
    first = next((corpus for corpus in corpora.values() if corpus.text), None)
    return {name: _on_words(corpus, first) if first and corpus.text else corpus for name, corpus in corpora.items()}


def _on_words(corpus: Corpus, first: Corpus) -> Corpus:
    assert corpus.text is not None
    assert first.text is not None
    aligned: dict[int, tuple[TokenCharacters, TokenCharacters]] = {}
    for number, (ours, words) in enumerate(zip(corpus.text.words, first.text.words, strict=True)):
        if list(ours.tokens) != list(words.tokens):
            aligned[number] = align_characters(ours.tokens, words.tokens)
    if not aligned:
        return corpus

    def moved(document: Ints, token: Ints, side: str) -> Ints:
        places = np.array(token, dtype=np.int64)
        for number, (ours, words) in aligned.items():
            here = document == number
            edge = getattr(ours, side)[places[here]]
            places[here] = np.searchsorted(words.end, edge, "right") if side == "start" else np.searchsorted(words.start, edge)
        return places

    of_words = on_tokens(corpus, lambda d, token: moved(d, token, "start"), lambda d, token: moved(d, token, "end"))
    return replace(of_words, text=first.text)
