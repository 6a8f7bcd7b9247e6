"""Rules for decoding chunk tags (IOB and its relatives): where chunks start and end, given two adjacent tags.

A tag is `O`, or a prefix and a category, as in `B-NP`; a prefix alone has the category `_`. The tags that a tagger
predicts need not be well-formed. What they mean then is a convention, and `RULES` names the conventions:

``conlleval``
    lenient, for every scheme, as in the shared tasks' script and in seqeval by default: a chunk begins at `B` and `S`,
    after `E` and `S`, after `O`, and where the category changes; it ends where another begins, at `O`, and after `E` and
    `S`
``IOB1``, ``IOB2``, ``IOE1``, ``IOE2``, ``IOBES``, ``BILOU``
    strict, as in seqeval with `mode="strict"`: what violates the scheme is no chunk, and a prefix that the scheme does not have
    is an error

`L` and `U` of BILOU are other names of `E` and `S`, also in the lenient rule (seqeval does not know them there). In seqeval's
strict IOB1 and IOE1, `B` and `E` occur only where chunks of one category meet; a `B` after `O` starts no chunk.

References
----------
.. [1] Ramshaw and Marcus (1995), Text Chunking Using Transformation-Based Learning.
.. [2] Tjong Kim Sang and Veenstra (1999), Representing Text Chunks: the first four schemes.
.. [3] conlleval.pl of CoNLL-2000; seqeval 1.2.2, with which random tags were compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Bools

PREFIXES = "OBIES"

WIDTH = 8
"""More than there are prefixes: a category and a prefix are packed into category * WIDTH + prefix."""

ALIASES = {"L": "E", "U": "S"}
"""Prefixes of BILOU that mean the same as another prefix."""

STARTS, BREAKS, ENDS = 1, 2, 4
"""Flags of two adjacent tags: a chunk may start at the second; no chunk continues; a chunk may end before the second."""


class TagRule(NamedTuple):
    """What two adjacent tags mean, as arrays of shape (prefix, next prefix, whether the categories are equal)."""

    prefixes: str
    starts: Bools
    continues: Bools
    ends: Bools

    def flags(self) -> NDArray[np.uint8]:
        """The flags `STARTS`, `BREAKS` and `ENDS` of each pair, flattened: one lookup for all three."""
        return (self.starts * STARTS | ~self.continues * BREAKS | self.ends * ENDS).astype(np.uint8).ravel()


def _pairs(patterns: str) -> Bools:
    """Parse pairs of prefixes: `.` is any prefix; then `=` for equal categories, `/` for different ones, `*` for both.

    >>> _pairs("OI* .B=")[PREFIXES.index("I"), PREFIXES.index("B")].tolist()
    [False, True]
    """
    table = np.zeros((WIDTH, WIDTH, 2), dtype=bool)
    for first, second, categories in map(tuple, patterns.split()):
        row, column = (slice(None) if p == "." else PREFIXES.index(p) for p in (first, second))
        table[row, column, slice(None) if categories == "*" else int(categories == "=")] = True
    return table


def _strict(prefixes: str, starts: str, continues: str, ends: str) -> TagRule:
    return TagRule(prefixes, _pairs(starts), _pairs(continues), _pairs(ends))


def _lenient() -> TagRule:
    starts = _pairs(".B* .S* OI* OE* EI* EE* SI* SE* .I/ .E/")
    continues = ~starts
    continues[:, PREFIXES.index("O")] = False
    return TagRule("OBIESLU", starts, continues, ends=np.ones_like(starts))


RULES = {
    "conlleval": _lenient(),
    "IOB1": _strict("OBI", starts="OI* II/ BI* IB= BB=", continues="BI= II=", ends="II/ IO* IB* BO* BI/ BB="),
    "IOB2": _strict("OBI", starts=".B*", continues="BI= II=", ends="IO* II/ IB* BO* BI/ BB*"),
    "IOE1": _strict("OIE", starts="OI* II/ EI* EE=", continues="II= IE=", ends="II/ IO* IE/ EI= EE="),
    "IOE2": _strict("OIE", starts="OI* OE* EI* EE* II/ IE/", continues="IE= II=", ends="E.*"),
    "IOBES": _strict("OBIES", starts=".B* .S*", continues="BI= BE= II= IE=", ends="S.* E.*"),
    "BILOU": _strict("OBILU", starts=".B* .S*", continues="BI= BE= II= IE=", ends="S.* E.*"),
}
"""How tags are decoded, by name."""
