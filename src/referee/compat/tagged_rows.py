"""Words with the tags of key and response, and their chunks by the rules of the scripts that are called conlleval.

The scripts disagree on which tag begins a chunk. So tags are rewritten as IOB2, by the rule of the script, and decoded as that.

Examples
--------
>>> rows = [TagRow("B-NP", "B-NP"), TagRow("I-NP", "B-NP"), None, TagRow("I-VP", "B-VP")]
>>> score_rows(rows, split_tag, begins_in_perl).total
ChunkCounts(matched=1, key=2, response=3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

from referee.phrases.chunking.iob import decode
from referee.phrases.one_best import ChunkCounts
from referee.phrases.types import counts_by_type

Tag: TypeAlias = tuple[str, str]
"""Prefix and category."""

Begins: TypeAlias = Callable[[Tag, Tag], bool]
"""(tag before, tag) -> whether a chunk begins."""

OUTSIDE = ("O", "")
IN_PERL = {"BB", "IB", "OB", "OI", "EE", "EI", "OE"}
"""Pairs of prefixes between which the Perl script begins a chunk of the same category; it does not know S."""
IN_PORT = {"EE", "EI", "SE", "SI", "OE", "OI"}
"""The same for its port to Python, beside B and S, which always begin one."""


class TagRow(NamedTuple):
    """The tags of a word in key and response."""

    key: str
    response: str


class ScoredRows(NamedTuple):
    """What is printed of words.

    Parameters
    ----------
    rows
        The words; None for the end of a sentence.
    total
        The chunks of all categories.
    by_category
        Category -> its chunks.
    """

    rows: Sequence[TagRow | None]
    total: ChunkCounts
    by_category: dict[str, ChunkCounts]

    @property
    def words(self) -> list[TagRow]:
        """The rows that are words."""
        return [row for row in self.rows if row is not None]

    @property
    def ends(self) -> int:
        """How many ends of sentences there are."""
        return len(self.rows) - len(self.words)


def score_rows(rows: Sequence[TagRow | None], split: Callable[[str], Tag], begins: Begins) -> ScoredRows:
    """Count the chunks of rows, by what splits a tag and what begins a chunk."""
    split = lru_cache(maxsize=None)(split)  # texts have many tags, of few kinds
    sentences = [[row for row in group if row] for _, group in groupby(rows, key=bool)]
    key, response = (
        decode(
            [_as_iob2([split(row[side]) for row in sentence], begins) for sentence in sentences],
            "IOB2",
            source="<stdin>",
            count_unused=False,
        )
        for side in (0, 1)
    )
    counts = {x.removeprefix("="): n._replace(matched=int(n.matched)) for x, n in counts_by_type(key, response).items()}
    return ScoredRows(rows, ChunkCounts(sum(n.matched for n in counts.values()), len(key), len(response)), counts)


def _as_iob2(tags: Sequence[Tag], begins: Begins) -> list[str]:
    """Tags whose chunks begin at B alone; `=` before the category, which may be empty."""
    before = [OUTSIDE, *tags]
    return [
        "O" if tag[0] in ("O", ".") else f"{'B' if begins(last, tag) else 'I'}-={tag[1]}"
        for last, tag in zip(before, tags, strict=False)
    ]


def split_tag(tag: str) -> Tag:
    """Prefix and category, which is empty where there is none."""
    prefix, hyphen, category = tag.partition("-")
    return (prefix, category) if hyphen else (tag, "")


def begins_in_perl(before: Tag, tag: Tag) -> bool:
    """The rule of the Perl script."""
    return before[0] + tag[0] in IN_PERL or _changes(before, tag)


def begins_in_port(before: Tag, tag: Tag) -> bool:
    """The rule of its port to Python."""
    return tag[0] in ("B", "S") or before[0] + tag[0] in IN_PORT or _changes(before, tag)


def _changes(before: Tag, tag: Tag) -> bool:
    return tag[0] not in ("O", ".") and before[1] != tag[1]


def percentages(counts: ChunkCounts) -> tuple[float, float, float]:
    """Precision, recall and F1 as the Perl script computes them, in its order; 0/0 is 0."""
    precision = 100 * counts.matched / counts.response if counts.response else 0.0
    recall = 100 * counts.matched / counts.key if counts.key else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def line_of(percent: tuple[float, float, float]) -> str:
    """The end of a line of the report."""
    precision, recall, f1 = percent
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {f1:6.2f}"
