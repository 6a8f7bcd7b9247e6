"""The table: how key entities and response entities overlap, in all documents at once.

Every metric of partitions is a function of it. Precision is the recall of the transposed table, `table.T`
("switching the figure and the ground", Vilain et al. 1995), so a metric is written for one side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeVar

import numpy as np

from referee.algorithms.arrays import (
    Bools,
    Floats,
    Ints,
    Numbers,
    argsort,
    inverse,
    lengths,
    pack,
    repeat,
    starts_of_runs,
    tally,
)
from referee.algorithms.assignment import assign
from referee.algorithms.sums import LARGEST, SMALLEST, sum_runs
from referee.basics.exceptions import OptionError, counted
from referee.basics.memo import Memo
from referee.corpus import Corpus
from referee.corpus.layers import Links
from referee.matching.matchers import Matching
from referee.matching.pair import Pair
from referee.stats.counts import Counts, rates

Own = TypeVar("Own", bound="Table")


class Alignment(NamedTuple):
    """A one-to-one alignment of entities.

    Parameters
    ----------
    weight : numbers, shape (cells,)
        What each cell adds to the total similarity: the similarity of aligned entities, 0 elsewhere.
    slack : float64, shape (documents,), or None
        How much similarity each document may have missed; None if the alignment is certainly the best.
    wrong : bool, shape (documents,), or None
        The documents whose best alignment was not found: their weights say nothing.
    """

    weight: Numbers
    slack: Floats | None
    wrong: Bools | None = None


class LinkCounts(NamedTuple):
    """Links as annotated in the files, and those within an entity of the other side; int64, shape (documents,)."""

    key: Ints
    key_found: Ints
    response: Ints
    response_found: Ints

    @property
    def T(self) -> LinkCounts:
        """The counts with key and response exchanged."""
        return LinkCounts(self.response, self.response_found, self.key, self.key_found)


class Sizes(NamedTuple):
    """Sizes of entities, how many entities have each, and the document of these; int64, shape (sizes,)."""

    size: Ints
    times: Ints
    document: Ints


@dataclass(frozen=True, eq=False)
class Table(Memo):
    """A sparse contingency table of entities, for any number of documents.

    Entities of a document are numbered in the order of the text, which settles ties.

    Parameters
    ----------
    key, response : int64, shape (cells,)
        The entity numbers of each non-empty cell; documents one after another.
    shared : int64, shape (cells,)
        Mentions in both entities, at least 1; with credit for split antecedents, a fraction.
    key_size, response_size : int64, shapes (K,) and (R,)
        Mentions of each entity, with missed and spurious ones.
    key_document, response_document : integers, shapes (K,) and (R,)
        The document of each entity, not decreasing.
    documents : int
        The number of documents.
    key_importance, response_importance : float64, shapes (K,) and (R,), or None
        Weights for LEA; None for the sizes.
    links : LinkCounts or None
        The links as annotated, if both files list any.
    alignments : dict
        Similarity -> the alignment by it, as far as they were asked for; shared with the transposed table. A table with other
        cells needs its own.
    """

    key: Ints
    response: Ints
    shared: Numbers
    key_size: Ints
    response_size: Ints
    key_document: Ints
    response_document: Ints
    documents: int
    key_importance: Floats | None = None
    response_importance: Floats | None = None
    links: LinkCounts | None = None
    alignments: dict[Callable[[Table], Numbers], Alignment] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        sizes = (self.documents, "document"), (len(self.key_size), "key entity"), (len(self.response_size), "response entity")
        return f"<Table of {', '.join(counted(*size) for size in sizes)}: {counted(len(self.shared), 'cell')}>"

    @classmethod
    def of(
        cls,
        key_entity: Ints,
        response_entity: Ints,
        key_size: Ints,
        response_size: Ints,
        key_document: Ints,
        response_document: Ints,
        documents: int,
    ) -> Table:
        """Make the table from the key entity and the response entity of each matched mention."""
        packed = pack(key_entity, response_entity)
        if packed is None:
            order = argsort(key_entity, response_entity)
            key, response = key_entity[order], response_entity[order]
        else:
            packed.sort()
            width = int(response_entity.max(initial=0)).bit_length()
            key, response = packed >> width, packed & ((1 << width) - 1)
        first = np.flatnonzero(starts_of_runs(key, response))
        shared = lengths(first, len(key))
        key, response = key[first], response[first]
        return cls(key, response, shared, key_size, response_size, key_document, response_document, documents)

    @cached_property
    def T(self) -> Table:
        """The table with key and response exchanged."""
        return self._transposed()  # whose T is not self: a cycle of large arrays would wait for the garbage collector

    def _transposed(self: Own) -> Own:  # noqa: PYI019  # Self is of Python 3.11
        return replace(
            self, key=self.response, response=self.key, key_size=self.response_size, response_size=self.key_size,
            key_document=self.response_document, response_document=self.key_document,
            key_importance=self.response_importance, response_importance=self.key_importance,
            links=None if self.links is None else self.links.T,
        )  # fmt: skip

    def with_entities(self, keys: Bools, responses: Bools) -> Table:
        """The table with some of the entities, and the cells between them."""
        cells = keys[self.key] & responses[self.response]
        key_place, response_place = np.cumsum(keys) - 1, np.cumsum(responses) - 1
        return self.with_cells(
            key_place[self.key[cells]], response_place[self.response[cells]], self.shared[cells],
            self.key_size[keys], self.response_size[responses], self.key_document[keys], self.response_document[responses],
        )  # fmt: skip

    def part(self, first: int, after: int) -> Table:
        """The table of some documents, or of some parts: those from `first` on, before `after`."""
        (k, k_end), (r, r_end) = ((int(o[first]), int(o[after])) for o in (self.key_offsets, self.T.key_offsets))
        cells = slice(self.cell_offsets[first], self.cell_offsets[after])
        return Table(
            self.key[cells] - k if k else self.key[cells],  # no copy of the many cells of a first part
            self.response[cells] - r if r else self.response[cells],
            self.shared[cells],
            self.key_size[k:k_end], self.response_size[r:r_end],
            self.key_document[k:k_end] - first, self.response_document[r:r_end] - first, after - first,
        )  # fmt: skip

    def with_cells(  # noqa: PYI019  # Self is of Python 3.11
        self: Own,
        key: Ints,
        response: Ints,
        shared: Numbers,
        key_size: Ints,
        response_size: Ints,
        key_document: Ints,
        response_document: Ints,
    ) -> Own:
        """A table of the same documents with other entities and cells."""
        return replace(
            self, key=key, response=response, shared=shared, key_size=key_size, response_size=response_size,
            key_document=key_document, response_document=response_document,
            key_importance=None, response_importance=None, links=None, alignments={},
        )  # fmt: skip

    def with_copies(self, cells: Table, keys: Ints, responses: Ints) -> Table:
        """A table of copies of entities, with cells, sizes and documents of their own, and all else as here.

        Parameters
        ----------
        cells : Table
            The cells, sizes and documents.
        keys, responses : int64, shapes (K,) and (R,)
            The entity of which each one is a copy. Response entities past the last one are copies of key entities.
        """
        key_importance, response_importance = self.key_importance, self.response_importance
        if key_importance is not None and response_importance is not None:
            response_importance = np.concatenate([response_importance, key_importance])[responses]
            key_importance = key_importance[keys]
        return replace(
            self, key=cells.key, response=cells.response, shared=cells.shared, key_size=cells.key_size,
            response_size=cells.response_size, key_document=cells.key_document, response_document=cells.response_document,
            documents=cells.documents, key_importance=key_importance, response_importance=response_importance,
            links=None, alignments={},
        )  # fmt: skip

    def sum_cells(self, values: Numbers) -> Numbers:
        """Sums over the cells of each document, shape (documents,)."""
        return self._sums(values, self.cell_offsets)

    def sum_keys(self, values: Numbers) -> Numbers:
        """Sums over the key entities of each document, shape (documents,)."""
        return self._sums(values, self.key_offsets)

    def _sums(self, values: Numbers, offsets: Ints) -> Numbers:
        magnitude = float(np.abs(values).sum()) if values.dtype.kind == "f" else 0
        if magnitude and not SMALLEST <= magnitude < LARGEST:
            raise OptionError(f"a metric adds terms of {magnitude:g} in all; expected from 1e-18 to 4e18: count in other units")
        return self._add(values, offsets)

    def _add(self, values: Numbers, offsets: Ints) -> Numbers:
        return sum_runs(values, offsets)

    @property
    def parts(self) -> int:
        """The number of documents, or of the parts that entities are numbered by."""
        return self.documents

    @property
    def key_sizes(self) -> Sizes:
        """All sizes of key entities."""
        return Sizes(self.key_size, np.ones(len(self.key_size), dtype=np.int64), self.key_document)

    @cached_property
    def key_whole_document(self) -> Ints:
        """The document of each key entity, shape (K,), also where `key_document` is a part of it."""
        return self.key_document

    @cached_property
    def cell_offsets(self) -> Ints:
        """Where the cells of each document, or part, begin."""
        return self._edges(self.key_document[self.key])

    @cached_property
    def key_offsets(self) -> Ints:
        """Where the key entities of each document, or part, begin."""
        return self._edges(self.key_document)

    def _edges(self, document: Ints) -> Ints:
        return np.concatenate([[0], np.cumsum(tally(document, minlength=self.parts))])

    @cached_property
    def common(self) -> Ints:
        """Mentions that key and response share, int64, shape (documents,)."""
        return self.sum_cells(self.shared)

    @cached_property
    def key_mentions(self) -> Ints:
        """Mentions of the key, shape (documents,)."""
        return self.sum_keys(self.key_size)

    @cached_property
    def key_entities(self) -> Ints:
        """Entities of the key, shape (documents,)."""
        return np.diff(self.key_offsets).astype(np.int64)

    @cached_property
    def key_found(self) -> Ints:
        """Mentions of each key entity that the response has in any entity, shape (K,)."""
        return tally(self.key, self.shared, len(self.key_size)).astype(np.int64)

    @cached_property
    def key_largest(self) -> Ints:
        """The largest cell of each key entity, 0 without cells, shape (K,)."""
        largest = np.zeros(len(self.key_size), dtype=np.int64)
        np.maximum.at(largest, self.key, self.shared)
        return largest

    @property
    def extended(self) -> Table:
        """Both sides over one set of mentions: each missed mention a singleton of the response, each spurious one of the key.

        References
        ----------
        Popescu-Belis and Robba (1998), "The Problem of RE Identification".
        """
        return self if self._extension is None else self._extension

    @cached_property
    def _extension(self) -> Table | None:
        """The extended table; None if it is this one: a table that held itself would wait for the garbage collector."""
        return None if self._has_one_set else self._extended()

    @property
    def _has_one_set(self) -> bool:
        return bool((self.key_found == self.key_size).all() and (self.T.key_found == self.T.key_size).all())

    def _extended(self) -> Table:
        return self.with_cells(*self._extended_columns())

    def _extended_columns(self) -> tuple[Ints, Ints, Numbers, Ints, Ints, Ints, Ints]:
        missed = self.key_size - self.key_found
        spurious = self.T.key_size - self.T.key_found
        lone_key = repeat(np.arange(len(missed)), missed)  # the key entity of each missed mention
        lone_response = repeat(np.arange(len(spurious)), spurious)
        key_document, key_place = _append(self.key_document, self.response_document[lone_response])
        response_document, response_place = _append(self.response_document, self.key_document[lone_key])
        old_keys, old_responses = len(self.key_size), len(self.response_size)
        key = key_place[np.concatenate([self.key, lone_key, np.arange(old_keys, old_keys + len(lone_response))])]
        response = response_place[
            np.concatenate([self.response, np.arange(old_responses, old_responses + len(lone_key)), lone_response])
        ]
        shared = np.concatenate([self.shared, np.ones(len(lone_key) + len(lone_response), dtype=np.int64)])
        order = argsort(key, response)
        sizes = _moved(self.key_size, key_place), _moved(self.response_size, response_place)
        return key[order], response[order], shared[order], *sizes, key_document, response_document

    def alignment(self, similarity: Callable[[Table], Numbers]) -> Alignment:
        """Align key and response entities one to one, document by document, with the greatest total similarity.

        Parameters
        ----------
        similarity : callable
            Gives the weight of each cell, shape (cells,). It must be symmetric, as a transposed table shares the result.
        """
        if similarity not in self.alignments:
            self.alignments[similarity] = self._align(similarity)
        return self.alignments[similarity]

    def _align(self, similarity: Callable[[Table], Numbers]) -> Alignment:
        return self._best(similarity(self))

    def _best(self, weight: Numbers, *, always: bool = False) -> Alignment:
        """The alignment with the greatest total weight; `always` with a slack, which is 0 where it is certainly the best."""
        assignment = assign(self.key, self.response, weight.astype(np.float64), len(self.key_size), len(self.response_size))
        aligned = np.zeros_like(weight)
        aligned[assignment.edges] = weight[assignment.edges]
        if assignment.slack is None and not always:
            return Alignment(aligned, None)
        slack = np.zeros(len(self.key_size)) if assignment.slack is None else assignment.slack
        return Alignment(aligned, self.sum_keys(slack))

    @property
    def wrong(self) -> Bools:
        """The documents of which an alignment that was asked for was not found, shape (documents,)."""
        wrong = [alignment.wrong for alignment in self.alignments.values() if alignment.wrong is not None]
        return np.asarray(np.logical_or.reduce([np.zeros(self.documents, dtype=bool), *wrong]))


def link(n: Ints) -> Ints:
    """Pairs among n mentions, n(n - 1)/2; int64, so exact up to 4·10⁹ mentions in one entity."""
    return n * (n - 1) // 2


def _append(document: Ints, more: Ints) -> tuple[Ints, Ints]:
    """The documents of entities with more of them appended, in document order, and where each entity went."""
    both = np.concatenate([document, more])
    order = argsort(both)
    return both[order], inverse(order)


def _moved(size: Ints, place: Ints) -> Ints:
    """Entity sizes in their new places; the appended ones are singletons."""
    sizes = np.ones(len(place), dtype=np.int64)
    sizes[place[: len(size)]] = size
    return sizes


def table_of(pair: Pair) -> Table:
    """Return the table of a pair, made once.

    Raises
    ------
    OptionError
        If LEA weighs entities by type and a side has no types.
    """
    return pair.memo_call(_table_of)


def _table_of(pair: Pair) -> Table:
    weights = pair.options.lea_importance
    return replace(
        table_of_matching(pair.matching),
        key_importance=_importance(pair.key, weights),
        response_importance=_importance(pair.response, weights),
        links=_link_counts(pair.matching),
    )


def table_of_matching(matching: Matching) -> Table:
    """Return the table of matched mentions alone, without weights and links."""
    key, response = matching.key, matching.response
    return Table.of(
        key.entity[matching.key_mention],
        response.entity[matching.response_mention],
        key.entity_size,
        response.entity_size,
        key.entity_document,
        response.entity_document,
        len(key.doc_ids),
    )


def one_after_another(tables: Sequence[Table]) -> Table:
    """Return a table of the documents of the first table, then those of the second, and so on; without weights and links."""

    def joined(columns: Iterable[Ints], sizes: Iterable[int]) -> Ints:
        """Numbers below a size each, with numbers of their own for each table."""
        return np.concatenate([column + first for column, first in zip(columns, accumulate(sizes, initial=0), strict=False)])

    keys, responses = [len(t.key_size) for t in tables], [len(t.response_size) for t in tables]
    documents = [t.documents for t in tables]
    return Table(
        joined((t.key for t in tables), keys),
        joined((t.response for t in tables), responses),
        np.concatenate([t.shared for t in tables]),
        np.concatenate([t.key_size for t in tables]),
        np.concatenate([t.response_size for t in tables]),
        joined((t.key_document for t in tables), documents),
        joined((t.response_document for t in tables), documents),
        sum(documents),
    )


def _importance(corpus: Corpus, weights: Mapping[str, float] | None) -> Floats | None:
    if weights is None:
        return None
    if corpus.entity_types is None and len(corpus.entity_document):
        raise OptionError(f"{corpus.source} has no entity types, which importance by type needs")
    types = list(corpus.entity_types or ())
    missing = sorted(set(types) - set(weights))
    if missing:
        raise OptionError(f"no importance for entity type {missing[0]!r} of {corpus.source}; given: {', '.join(weights)}")
    return np.array([weights[t] for t in types], dtype=np.float64)


def _link_counts(matching: Matching) -> LinkCounts | None:
    """Count the listed links; None unless both sides list links."""
    key, response = matching.key, matching.response
    if key.links is None or response.links is None:
        return None
    return LinkCounts(
        *_found_links(key, key.links, response, matching.key_mention, matching.response_mention),
        *_found_links(response, response.links, key, matching.response_mention, matching.key_mention),
    )


def _found_links(corpus: Corpus, links: Links, other: Corpus, mention: Ints, other_mention: Ints) -> tuple[Ints, Ints]:
    """Count the links of each document, and those whose two mentions are in one entity of the other side."""
    entity = np.full(len(corpus.entity), -1, dtype=np.int64)  # of each mention's counterpart
    entity[mention] = other.entity[other_mention]
    is_found = (entity[links.first] >= 0) & (entity[links.first] == entity[links.second])
    documents = len(corpus.doc_ids)
    return tally(links.document, minlength=documents), tally(links.document[is_found], minlength=documents)


def both_ways(recall: Callable[[Table], tuple[Numbers, Numbers]], table: Table) -> Counts:
    """Count the recall of the table and, as precision, the recall of its transpose.

    Parameters
    ----------
    recall : callable
        Gives numerator and denominator, arrays of shape (documents,).
    table : Table
        What is counted.

    References
    ----------
    Vilain et al. (1995): "switching our notion of where the base sets come from".
    """
    return rates(recall(table), recall(table.T))
