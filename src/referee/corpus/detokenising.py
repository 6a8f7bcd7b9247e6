"""Tokens as a text that people read: `as_written`. It is a guess, for texts of which only the tokens are known."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from referee.corpus.text import PENN, RawText

CLOSING = re.compile(r"[.,;:!?%)\]}»”’…。、，！？；：」』）]+|'(?:s|m|d|re|ve|ll)|n't|’(?:s|m|d|re|ve|ll)|n’t", re.IGNORECASE)
"""What is written close to the word before it."""
OPENING = re.compile(r"[(\[{«“‘¿¡$£€「『（]+")
"""What is written close to the word behind it."""
BETWEEN = re.compile(r"[-‐/]")
"""What joins two words, if it is a token of its own in treebanks."""
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff]")
"""Signs of scripts that put no blanks between words."""


def as_written(tokens: Iterable[str]) -> RawText:
    r"""The tokens with blanks where people write them, and the place of each.

    Examples
    --------
    >>> as_written("She did n't say `` go '' -LRB- or did she -RRB- .".split()).text
    'She didn\'t say "go" (or did she).'
    >>> as_written(["A", "well", "-", "known", "man", "'s", '"', "house", '"', ",", "5", "%", "off"]).text
    'A well-known man\'s "house", 5% off'
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    size, is_close, is_quoted = 0, True, False
    for word in tokens:
        text = PENN.get(word, word)
        opens = text == '"' and (word == "``" or (word == '"' and not is_quoted))
        closes = text == '"' and not opens
        is_quoted = opens or (is_quoted and not closes)
        joins = BETWEEN.fullmatch(text) is not None
        before = pieces[-1][-1:] if pieces else ""
        unspaced = bool(before and UNSPACED.match(before) and UNSPACED.match(text))
        if not (is_close or closes or unspaced or joins or CLOSING.fullmatch(text)):
            pieces.append(" ")
            size += 1
        pieces.append(text)
        starts.append(size)
        size += len(text)
        ends.append(size)
        is_close = opens or joins or OPENING.fullmatch(text) is not None
    start = np.array(starts, dtype=np.int64)
    return RawText("".join(pieces), start, np.array(ends, dtype=np.int64))
