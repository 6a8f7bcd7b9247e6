"""The head of a mention: of its words those whose parent is outside, and of these the highest in the tree.

Of several at the same height one that is no punctuation goes before, then the first. This is the convention of Udapi's
``corefud.MoveHead``, and of the CRAC shared tasks.
"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints, ranges
from referee.resolver.syntax import Syntax


def heads(syntax: Syntax, start: Ints, end: Ints, fragments: dict[int, Ints]) -> Ints:
    """Find the heads of mentions.

    Parameters
    ----------
    syntax : Syntax
    start, end : integers, shape (mentions,)
        Tokens, counted through the file, half-open; at least one token.
    fragments : dict
        The tokens of the discontinuous mentions.

    Returns
    -------
    int64, shape (mentions,)
        Tokens.
    """
    mention, token = ranges(start, end)
    parent = syntax.parent[token]
    outside = (parent < start[mention]) | (parent >= end[mention])
    rank = (syntax.depth[token] << 1) | syntax.upos.among("PUNCT")[token]
    rank = np.where(outside, rank, np.int64(1) << 30) << 32 | (token - start[mention])
    if not len(start):
        return np.empty(0, dtype=np.int64)
    first = np.cumsum(end - start) - (end - start)
    head = start + (np.minimum.reduceat(rank, first) & 0xFFFFFFFF)
    for m, tokens in fragments.items():
        inner = set(tokens.tolist())
        out = [t for t in tokens.tolist() if int(syntax.parent[t]) not in inner]
        punctuation = syntax.upos.texts.index("PUNCT") if "PUNCT" in syntax.upos.texts else -1
        head[m] = min(out, key=lambda t: (syntax.depth[t], syntax.upos.code[t] == punctuation, t))
    return head
