"""Two tokenisations of one text, aligned by their characters.

White space is left out, and compatibility forms are made one (NFKC, the brackets and quotes of the Penn treebank), so that
`-LRB-` is `(`. Texts that still differ are aligned by the longest runs of tokens, then of characters, that they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from referee.algorithms.arrays import Ints

PENN = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
    "\\/": "/", "\\*": "*",
}  # fmt: skip
LONGEST = 4000
"""Characters of a stretch without a token in common that are compared one by one; in longer ones nothing is aligned."""


class Tokens(NamedTuple):
    """Where each token of a side lies on the common characters: int64, shapes (tokens,), half-open; empty where unaligned.

    unaligned : how many tokens have a character that the other side lacks
    """

    start: Ints
    end: Ints
    unaligned: int


def common_characters(key: Sequence[str], response: Sequence[str]) -> tuple[Tokens, Tokens]:
    """Both sides' tokens on the characters that they have in common, numbered from 0.

    >>> key, response = common_characters(["New", "York-based", "("], ["New", "York", "-", "based", "-LRB-"])
    >>> key.start.tolist(), response.start.tolist(), response.end.tolist(), key.unaligned
    ([0, 3, 13], [0, 3, 7, 8, 13], [3, 7, 8, 13, 14], 0)
    """
    sides = [[plain(token) for token in tokens] for tokens in (key, response)]
    blocks = _blocks(*sides)
    return _placed(sides[0], [(a, n) for a, _, n in blocks]), _placed(sides[1], [(b, n) for _, b, n in blocks])


def plain(token: str) -> str:
    """A token as it is compared: without blanks, in one form."""
    return "".join(normalize("NFKC", PENN.get(token, token)).split())


def _blocks(key: Sequence[str], response: Sequence[str]) -> list[tuple[int, int, int]]:
    """Runs of equal characters: where they begin in either text, and how long they are."""
    ends = [list(accumulate(map(len, side), initial=0)) for side in (key, response)]
    texts = "".join(key), "".join(response)
    if texts[0] == texts[1]:
        return [(0, 0, len(texts[0]))]
    found = []
    for kind, a, a_end, b, b_end in SequenceMatcher(None, key, response).get_opcodes():
        a, a_end, b, b_end = ends[0][a], ends[0][a_end], ends[1][b], ends[1][b_end]  # noqa: PLW2901  # characters now
        if kind == "equal" or texts[0][a:a_end] == texts[1][b:b_end]:
            found.append((a, b, a_end - a))
        elif kind == "replace" and max(a_end - a, b_end - b) <= LONGEST:
            inner = SequenceMatcher(None, texts[0][a:a_end], texts[1][b:b_end], autojunk=False)
            found += [(a + x, b + y, n) for x, y, n in inner.get_matching_blocks() if n]
    return found


def _placed(tokens: Sequence[str], blocks: Sequence[tuple[int, int]]) -> Tokens:
    """The tokens on the characters of the blocks, which are given by their begin and length."""
    ends = np.cumsum([0, *map(len, tokens)])
    common = np.zeros(int(ends[-1]) + 1, dtype=np.int64)
    for begin, length in blocks:
        common[begin + 1 : begin + length + 1] = 1
    before = np.cumsum(common)[ends]  # common characters before each token, and after the last one
    return Tokens(before[:-1], before[1:], int(np.count_nonzero(np.diff(before) < np.diff(ends))))
