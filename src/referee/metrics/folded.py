"""`FoldedTable`: a table whose sums over documents are made of sums over parts.

Metrics need no code for it. They ask a table for sums over its cells and entities, and a `PartSums` makes those of the
documents of sums over parts: over what a repair changes, over pairs of entities that stand for many like them, or over the
parts of a clustering that does not fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.algorithms.sums import sum_runs
from referee.metrics.table import Alignment, Sizes, Table


class PartSums:
    """How sums over documents are made of sums over parts."""

    parts: int

    totals: tuple[Ints, Ints, Ints] | None = None
    """The mentions of the key, of the response, and common ones, where the table does not have all of them."""

    @property
    def T(self) -> PartSums:
        """The same for the table with key and response exchanged."""
        return self

    @property
    def extended(self) -> PartSums:
        """The same for the table over one set of mentions."""
        return self

    def documents(self, part: Ints) -> Ints:
        """The document of each key entity, from its part."""
        return part

    def sizes(self, size: Ints, part: Ints) -> Sizes:
        """All sizes of key entities, from those of the table and the part of each."""
        return Sizes(size, np.ones(len(size), dtype=np.int64), part)

    def aligned(self, table: Table, similarity: Callable[[Table], Numbers]) -> Alignment | None:  # noqa: ARG002
        """The best alignment, if it is known without a search."""
        return None

    def __call__(self, sums: Numbers) -> Numbers:
        """Sums of the documents, from those of the parts."""
        raise NotImplementedError


class RepeatedParts(PartSums):
    """How sums over one document are made of sums over parts that it has many times.

    A pair of entities that overlap with no others counts like every pair of the same sizes. So one pair stands for all of
    them, and entity resolution with 10⁸ records has a few hundred such parts.

    Parameters
    ----------
    times : int64, shape (parts,)
        How often the document has each part.
    """

    def __init__(self, times: Ints) -> None:
        self.times, self.parts = times, len(times)

    def documents(self, part: Ints) -> Ints:
        """The one document, for each key entity."""
        return np.zeros_like(part)

    def sizes(self, size: Ints, part: Ints) -> Sizes:
        """The sizes, each as often as the document has its part."""
        return Sizes(size, self.times[part], self.documents(part))

    def __call__(self, sums: Numbers) -> Numbers:
        """The sum of the document, from those of the parts; Python integers, as products may be large."""
        folded: Numbers = (sums.astype(object) * self.times).sum(axis=-1, keepdims=True)
        return folded


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldedTable(Table):
    """A table whose entities and cells are those of parts; `key_document` and `response_document` number the parts.

    Parameters
    ----------
    fold : PartSums
        How sums over documents are made of sums over parts.
    """

    fold: PartSums

    def _transposed(self) -> FoldedTable:
        return replace(super()._transposed(), fold=self.fold.T)

    @property
    def _has_one_set(self) -> bool:
        return super()._has_one_set and self.fold.extended is self.fold

    def _extended(self) -> Table:
        return replace(self.with_cells(*self._extended_columns()), fold=self.fold.extended)

    def _add(self, values: Numbers, offsets: Ints) -> Numbers:
        return sum_runs(values, offsets, self.fold)

    def _align(self, similarity: Callable[[Table], Numbers]) -> Alignment:
        known = self.fold.aligned(self, similarity)
        if known is not None:
            return known
        return self._best(similarity(self), always=self.fold.totals is not None)

    @property
    def parts(self) -> int:
        """The number of parts."""
        return self.fold.parts

    @property
    def key_sizes(self) -> Sizes:
        """All sizes of key entities."""
        return self.fold.sizes(self.key_size, self.key_document)

    @cached_property
    def key_whole_document(self) -> Ints:
        """The document of each key entity, shape (K,)."""
        return self.fold.documents(self.key_document)

    @cached_property
    def common(self) -> Ints:
        """Mentions that key and response share, int64, shape (documents,)."""
        return self.sum_cells(self.shared) if self.fold.totals is None else self.fold.totals[2]

    @cached_property
    def key_mentions(self) -> Ints:
        """Mentions of the key, shape (documents,)."""
        return self.sum_keys(self.key_size) if self.fold.totals is None else self.fold.totals[0]

    @cached_property
    def key_entities(self) -> Ints:
        """Entities of the key, shape (documents,)."""
        return self.fold(np.diff(self.key_offsets).astype(np.int64)).astype(np.int64)
