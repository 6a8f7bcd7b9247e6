"""Aligning characters: two tokenisations of one text on the characters that they have in common.

White space is left out. Characters that Unicode takes for variants of each other are made equal (NFKC), and so are brackets
and quotes and their forms in the Penn treebank: `-LRB-` is `(`. Texts that still differ are aligned by the longest runs of
tokens, then of characters, that they have in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias
from unicodedata import normalize

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.text import PENN

LONGEST = 4000
"""Characters of a segment without a common token that are compared one by one; in a longer segment nothing is aligned."""

Run: TypeAlias = tuple[int, int, int]
"""Equal characters: where they begin in the key and in the response, and how many they are."""


class TokenCharacters(NamedTuple):
    """The tokens of one side of a document as spans of the common characters.

    Parameters
    ----------
    start, end : int64, shape (tokens,)
        Half-open; empty for a token without a common character.
    unaligned : int
        How many tokens have a character that the other side lacks.
    """

    start: Ints
    end: Ints
    unaligned: int


def align_characters(key: Sequence[str], response: Sequence[str]) -> tuple[TokenCharacters, TokenCharacters]:
    """Put the tokens of both sides on the characters that they have in common, numbered from 0.

    Parameters
    ----------
    key, response : sequence of str
        The tokens of a document.

    Returns
    -------
    key_characters, response_characters : TokenCharacters

    Examples
    --------
    >>> key, response = align_characters(["New", "York-based", "("], ["New", "York", "-", "based", "-LRB-"])
    >>> key.start.tolist(), response.start.tolist(), response.end.tolist(), key.unaligned
    ([0, 3, 13], [0, 3, 7, 8, 13], [3, 7, 8, 13, 14], 0)
    """
    key_tokens, response_tokens = ([plain(token) for token in tokens] for tokens in (key, response))
    runs = list(_equal_runs(key_tokens, response_tokens))
    return (
        _on_common(key_tokens, [(begin, length) for begin, _, length in runs]),
        _on_common(response_tokens, [(begin, length) for _, begin, length in runs]),
    )


def plain(token: str) -> str:
    """A token as it is compared: without white space, in one form."""
    return "".join(normalize("NFKC", PENN.get(token, token)).split())


def _equal_runs(key: Sequence[str], response: Sequence[str]) -> Iterator[Run]:
    """Runs of equal characters of two texts, in order."""
    key_text, response_text = "".join(key), "".join(response)
    if key_text == response_text:
        yield 0, 0, len(key_text)
        return
    from difflib import SequenceMatcher  # takes 1 ms to import, and few texts differ

    key_offset, response_offset = (list(accumulate(map(len, side), initial=0)) for side in (key, response))
    for kind, a, a_end, b, b_end in SequenceMatcher(None, key, response).get_opcodes():
        k, k_end, r, r_end = key_offset[a], key_offset[a_end], response_offset[b], response_offset[b_end]
        if kind == "equal" or key_text[k:k_end] == response_text[r:r_end]:
            yield k, r, k_end - k
        elif kind == "replace" and max(k_end - k, r_end - r) <= LONGEST:
            characters = SequenceMatcher(None, key_text[k:k_end], response_text[r:r_end], autojunk=False)
            yield from ((k + x, r + y, length) for x, y, length in characters.get_matching_blocks() if length)


def _on_common(tokens: Sequence[str], runs: Sequence[tuple[int, int]]) -> TokenCharacters:
    """The tokens on the characters of the runs, which are given by their begin in this text and their length."""
    offsets = np.cumsum([0, *map(len, tokens)])
    common = np.zeros(int(offsets[-1]) + 1, dtype=np.int64)
    for begin, length in runs:
        common[begin + 1 : begin + length + 1] = 1
    edges = np.cumsum(common)[offsets]  # common characters before each token, and before the end
    unaligned = np.diff(edges) < np.diff(offsets)
    return TokenCharacters(edges[:-1], edges[1:], int(np.count_nonzero(unaligned)))
