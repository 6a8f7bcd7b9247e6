"""Split antecedents ("Ann met Bob. They …"): coreference metrics with credit for plurals that are partly right.

An entity that is made of others has one more mention, its split antecedent: the set of these others, its elements. If an
element is made of others in turn, they take its place, so a split antecedent is a set of plain entities. Entities of one side
with the same split antecedent are one entity.

Each metric aligns the split antecedents of key and response one to one. It scores each pair as if its elements were a
document of their own, and takes the alignment with the greatest sum of F. Among equal sums it prefers entities that have more
other mentions in common. An aligned split antecedent is a mention found with a credit below 1: recall counts it as the recall
of its pair, precision as the precision, alignments of entities as the F.

So each metric here is the ordinary one, for which split antecedents are missed and spurious mentions, plus the credit of those
that are aligned. Without split antecedents it is equal to the ordinary metric, digit for digit. Singletons should be kept: an
entity that is dropped is no longer an element.

`split_antecedents_*` score the pairs alone, added up over the aligned pairs.

References
----------
Paun, Yu, Moosavi and Poesio (2023), "Scoring coreference chains with split-antecedent anaphors".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Ints, Numbers, argsort, inverse, repeat, starts_of_runs, tally
from referee.algorithms.assignment import assign
from referee.basics.exceptions import OptionError, shortened
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.average import mean_of_f
from referee.metrics.b_cubed import b_cubed
from referee.metrics.blanc import blanc, of_links
from referee.metrics.ceaf import ceaf_e, ceaf_m
from referee.metrics.lea import lea
from referee.metrics.metric import metric
from referee.metrics.muc import muc
from referee.metrics.table import Table, both_ways, link, table_of
from referee.stats.counts import Columns, Counts, rates, undefined

Count: TypeAlias = Callable[[Table], Counts]
Elements: TypeAlias = tuple[int, ...]
"""The plain entities that a split antecedent is made of, ascending."""
Cell: TypeAlias = tuple[int, int, int]
"""Key entity, response entity, mentions in common."""
Row: TypeAlias = tuple[Elements, Elements, list[Cell]]
"""A document of elements: key entities, response entities, their cells."""

TIES = 1e-9
"""Weight of other mentions in common: so small that they only decide between equally good alignments."""

_split_metric = partial(metric, scope="annotation", needs="split antecedents")


# The ordinary metrics, and what they gain


@_split_metric("MUC with split antecedents", counts="links")
def muc_split(pair: Pair) -> Counts:
    """`muc` with credit for split antecedents.

    Notes
    -----
    An aligned split antecedent saves a link by its credit, if the two entities share another mention.
    Among the elements of a split antecedent a singleton has a link to itself.

    References
    ----------
    Paun et al. (2023).
    """
    return _gaining(pair, muc.count, lambda t, credit: np.where(t.shared > 0, credit, 0), _muc_of_elements)


@_split_metric("B³ with split antecedents", counts="mentions")
def b_cubed_split(pair: Pair) -> Counts:
    """`b_cubed` with credit for split antecedents.

    Notes
    -----
    Entities that share n mentions and a split antecedent with the credit c count (n + c)²/|K|.

    References
    ----------
    Paun et al. (2023).
    """
    return _gaining(pair, b_cubed.count, lambda t, credit: (2 * t.shared + credit) * credit / t.key_size[t.key])


@_split_metric("CEAFm with split antecedents", counts="mentions")
def ceaf_m_split(pair: Pair) -> Counts:
    """`ceaf_m` with credit for split antecedents.

    Notes
    -----
    Aligned entities share the credit, too.

    References
    ----------
    Paun et al. (2023).
    """
    return _credited(pair, ceaf_m.count)


@_split_metric("CEAFe with split antecedents", counts="entities")
def ceaf_e_split(pair: Pair) -> Counts:
    """`ceaf_e` with credit for split antecedents.

    Notes
    -----
    Entities that share n mentions and a split antecedent with the credit c count 2 (n + c)/(|K| + |R|).

    References
    ----------
    Paun et al. (2023).
    """
    return _credited(pair, ceaf_e.count)


@_split_metric("BLANC with split antecedents", counts="links")
def blanc_split(pair: Pair) -> Counts:
    """`blanc` with credit for split antecedents.

    Notes
    -----
    A link counts the product of the credits of its two ends, 1 for ordinary mentions. The credit is the F of BLANC, for links
    of both kinds and both sides. This is our own definition, which depends on neither order nor side. That of the Universal
    Anaphora scorer depends on the order of Python sets.

    References
    ----------
    No publication; credits as in Paun et al. (2023).
    """
    split = pair.memo_call(with_split_antecedents)
    if split is None:
        return blanc.of_pair(pair)
    t, credit = split.table, _credit(split, blanc.count).f
    counts = blanc.count(t)
    key_credit, response_credit = (tally(s.key, credit, len(s.key_size)) for s in (t, t.T))
    # Links of a split antecedent with the mentions found, and with other split antecedents; then those within an entity.
    total = t.sum_cells(credit)
    links = t.common * total + (total**2 - t.sum_cells(credit**2)) / 2
    together = t.sum_cells(t.shared * credit)
    within = t.sum_keys(t.key_found * key_credit) + t.T.sum_keys(t.T.key_found * response_credit)
    gained = {"coreference_found": together, "other_found": links - within + together}
    return _more(counts, gained)


def blanc_split_of_links(pair: Pair) -> Counts:
    """`blanc_split` with the boundary case of the Universal Anaphora scorer: a text without links scores 0."""
    return of_links(blanc_split.count(pair))


@_split_metric("LEA with split antecedents", counts="mentions")
def lea_split(pair: Pair) -> Counts:
    """`lea` with credit for split antecedents.

    Notes
    -----
    A link with a split antecedent counts its credit.

    References
    ----------
    Paun et al. (2023).
    """

    def gain(t: Table, credit: Floats) -> Floats:
        importance = t.key_size if t.key_importance is None else t.key_importance
        return importance[t.key] * t.shared * credit / np.maximum(link(t.key_size[t.key]), 1)

    return _gaining(pair, lea.count, gain)


@_split_metric("CoNLL with split antecedents", counts="those of the three")
def conll_split(pair: Pair) -> Counts:
    """`conll` with credit for split antecedents, one number.

    Notes
    -----
    The mean F of `muc_split`, `b_cubed_split` and `ceaf_e_split`. It is undefined if one of the three is.

    References
    ----------
    Paun et al. (2023); Khosla et al. (2021) rank by it.
    """
    return mean_of_f({"muc": muc_split.count(pair), "b_cubed": b_cubed_split.count(pair), "ceaf_e": ceaf_e_split.count(pair)})


# Split antecedents alone


@_split_metric("Split antecedents, MUC", counts="links")
def split_antecedents_muc(pair: Pair) -> Counts:
    """Split antecedents alone, by MUC.

    Notes
    -----
    The links within their elements. A singleton has one, to itself.

    References
    ----------
    Paun et al. (2023).
    """
    return alone(pair, _muc_of_elements)


@_split_metric("Split antecedents, B³", counts="mentions")
def split_antecedents_b_cubed(pair: Pair) -> Counts:
    """Split antecedents alone, by B³.

    References
    ----------
    Paun et al. (2023).
    """
    return alone(pair, b_cubed.count)


@_split_metric("Split antecedents, CEAFm", counts="mentions")
def split_antecedents_ceaf_m(pair: Pair) -> Counts:
    """Split antecedents alone, by CEAFm.

    References
    ----------
    Paun et al. (2023).
    """
    return alone(pair, ceaf_m.count)


@_split_metric("Split antecedents, CEAFe", counts="entities")
def split_antecedents_ceaf_e(pair: Pair) -> Counts:
    """Split antecedents alone, by CEAFe.

    References
    ----------
    Paun et al. (2023).
    """
    return alone(pair, ceaf_e.count)


@_split_metric("Split antecedents, LEA", counts="mentions")
def split_antecedents_lea(pair: Pair) -> Counts:
    """Split antecedents alone, by LEA.

    References
    ----------
    Paun et al. (2023).
    """
    return alone(pair, lea.count)


@_split_metric("Split antecedents, CoNLL", counts="those of the three")
def split_antecedents_conll(pair: Pair) -> Counts:
    """Split antecedents alone, by CoNLL.

    Notes
    -----
    One number: the mean F of `split_antecedents_muc`, `split_antecedents_b_cubed` and `split_antecedents_ceaf_e`.

    References
    ----------
    Paun et al. (2023).
    """
    parts = {"muc": split_antecedents_muc, "b_cubed": split_antecedents_b_cubed, "ceaf_e": split_antecedents_ceaf_e}
    return mean_of_f({name: part.count(pair) for name, part in parts.items()})


# From a table to the table with split antecedents


class SplitPair(NamedTuple):
    """Key and response with their split antecedents as mentions.

    Parameters
    ----------
    table : Table
        Entities with the same split antecedent are one. Sizes count the split antecedents, `shared` does not. The entities of
        each pair have a cell, even if they share no other mention.
    cell : int64, shape (pairs,)
        The cell of each pair of split antecedents that have a mention in common.
    elements : Table
        A document for the elements of each pair, then one for those of each single split antecedent.
    document : int64, shape (documents of `elements`,)
        The document from which each of them is.
    """

    table: Table
    cell: Ints
    elements: Table
    document: Ints


class Credit(NamedTuple):
    """The credit of the split antecedents of each cell, 0 if they are not aligned; shape (cells,)."""

    recall: Floats
    precision: Floats
    f: Floats


def with_split_antecedents(pair: Pair) -> SplitPair | None:
    """Return key and response with split antecedents; None if neither side has any.

    Raises
    ------
    OptionError
        If an entity is among its own elements.
    """
    table = table_of(pair)
    of_key, of_response = _elements(pair.key), _elements(pair.response)
    if not of_key and not of_response:
        return None
    key, response = _merged(of_key, len(table.key_size)), _merged(of_response, len(table.response_size))
    shared = _shared_by(key.elements, response.elements, table)
    pairs = np.array(sorted(shared), dtype=np.int64).reshape(-1, 2)
    merged, cell = _merged_table(table, key, response, pairs)
    rows: list[Row] = [
        *((key.elements[k], response.elements[r], shared[k, r]) for k, r in pairs.tolist()),
        *((elements, (), []) for elements in key.elements.values()),
        *(((), elements, []) for elements in response.elements.values()),
    ]
    document = (
        merged.key_document[pairs[:, 0]],
        merged.key_document[list(key.elements)],
        merged.response_document[list(response.elements)],
    )
    return SplitPair(merged, cell, _table_of_elements(rows, table), np.concatenate(document))


def _merged_table(table: Table, key: _MergedEntities, response: _MergedEntities, pairs: Ints) -> tuple[Table, Ints]:
    """The table of merged entities with a cell for each pair of split antecedents, and the number of this cell."""
    k = np.concatenate([key.number[table.key], pairs[:, 0]])
    r = np.concatenate([response.number[table.response], pairs[:, 1]])
    shared = np.concatenate([table.shared, np.zeros(len(pairs), dtype=np.int64)])
    order = argsort(k, r)
    k, r = k[order], r[order]
    new = starts_of_runs(k, r)
    cell = np.cumsum(new) - 1
    merged = Table(
        k[new],
        r[new],
        tally(cell, shared[order]).astype(np.int64),
        key.sizes(table.key_size),
        response.sizes(table.response_size),
        table.key_document[key.kept],
        table.response_document[response.kept],
        table.documents,
        None if table.key_importance is None else table.key_importance[key.kept],
        None if table.response_importance is None else table.response_importance[response.kept],
    )
    return merged, cell[inverse(order)[len(table.key) :]]


class _MergedEntities(NamedTuple):
    """The entities of a side: those with the same split antecedent are one.

    Parameters
    ----------
    number : int64
        The new number of each entity.
    kept : int64
        The first old entity of each new one.
    elements : mapping
        New entity -> its split antecedent, in old numbers, ascending.
    """

    number: Ints
    kept: Ints
    elements: Mapping[int, Elements]

    def sizes(self, old: Ints) -> Ints:
        sizes = tally(self.number, old, len(self.kept)).astype(np.int64)
        sizes[list(self.elements)] += 1
        return sizes


def _merged(elements: Mapping[int, Elements], entities: int) -> _MergedEntities:
    first: dict[Elements, int] = {}
    for entity in sorted(elements):
        first.setdefault(elements[entity], entity)
    number = np.arange(entities)
    for entity, split in elements.items():
        number[entity] = first[split]
    kept, number = np.unique(number, return_inverse=True)
    return _MergedEntities(number, kept, {int(number[entity]): split for split, entity in first.items()})


def _elements(corpus: Corpus) -> dict[int, Elements]:
    """Entity -> the plain entities that it is made of."""
    if corpus.split_antecedents is None:
        return {}
    listed: dict[int, list[int]] = {}
    for entity, element in zip(
        corpus.split_antecedents.entity.tolist(), corpus.split_antecedents.element.tolist(), strict=True
    ):
        listed.setdefault(entity, []).append(element)
    plain: dict[int, Elements] = {}
    try:
        for entity in TopologicalSorter(listed).static_order():  # elements first
            if entity in listed:
                plain[entity] = tuple(sorted({p for e in listed[entity] for p in plain.get(e, (e,))}))
    except CycleError as error:
        names = " of ".join(shortened(corpus.entity_ids[entity]) for entity in error.args[1])
        where = corpus.doc_ids[corpus.entity_document[error.args[1][0]]]
        raise OptionError(
            f"{corpus.source}: found split antecedents in a circle in document {where!r}: {names}; "
            "expected no entity among its own elements"
        ) from None
    return plain


def _shared_by(
    key: Mapping[int, Elements], response: Mapping[int, Elements], table: Table
) -> dict[tuple[int, int], list[Cell]]:
    """The cells of each pair of split antecedents that have any."""
    of_key, of_response = _containing(key), _containing(response)
    cells = np.flatnonzero(np.isin(table.key, list(of_key)) & np.isin(table.response, list(of_response)))
    shared: dict[tuple[int, int], list[Cell]] = {}
    for cell in zip(*(column[cells].tolist() for column in (table.key, table.response, table.shared)), strict=True):
        for k in of_key[cell[0]]:
            for r in of_response[cell[1]]:
                shared.setdefault((k, r), []).append(cell)
    return shared


def _containing(split: Mapping[int, Elements]) -> dict[int, list[int]]:
    """Element -> the entities that are made of it."""
    containing: dict[int, list[int]] = {}
    for entity, elements in split.items():
        for element in elements:
            containing.setdefault(element, []).append(entity)
    return containing


def _table_of_elements(rows: Sequence[Row], table: Table) -> Table:
    """A table with a document for each row."""
    key, response = _numbered([row[0] for row in rows]), _numbered([row[1] for row in rows])
    cells = np.array(
        [(key.place[d][k], response.place[d][r], n) for d, row in enumerate(rows) for k, r, n in row[2]], dtype=np.int64
    ).reshape(-1, 3)
    return Table(
        cells[:, 0],
        cells[:, 1],
        cells[:, 2],
        table.key_size[key.entity],
        table.response_size[response.entity],
        key.document,
        response.document,
        len(rows),
        None if table.key_importance is None else table.key_importance[key.entity],
        None if table.response_importance is None else table.response_importance[response.entity],
    )


class _Numbered(NamedTuple):
    """The entities of many small documents, one after another, and where each document has which."""

    entity: Ints
    document: Ints
    place: list[dict[int, int]]


def _numbered(documents: Sequence[Elements]) -> _Numbered:
    number = np.array([len(elements) for elements in documents], dtype=np.int64)
    begin = (np.cumsum(number) - number).tolist()
    place = [{e: b + i for i, e in enumerate(elements)} for b, elements in zip(begin, documents, strict=True)]
    entity = np.array([e for elements in documents for e in elements], dtype=np.int64)
    return _Numbered(entity, repeat(np.arange(len(documents)), number), place)


# Credit


def _aligned(split: SplitPair, count: Count) -> tuple[Counts, Ints]:
    """The counts of the elements, and the pairs that are aligned."""
    counts = count(split.elements)
    t = split.table
    f = counts.score(0.0).value[: len(split.cell)]
    besides = t.shared[split.cell]
    weight = f + TIES * (f > 0) * besides / (1 + besides.max(initial=0))
    return counts, assign(t.key[split.cell], t.response[split.cell], weight, len(t.key_size), len(t.response_size)).edges


def _credit(split: SplitPair, count: Count) -> Credit:
    counts, pairs = _aligned(split, count)
    score = counts.rows(pairs).score(0.0)

    def of_cells(values: Floats | None) -> Floats:
        credit = np.zeros(len(split.table.shared))
        credit[split.cell[pairs]] = values
        return credit

    return Credit(of_cells(score.recall), of_cells(score.precision), of_cells(score.value))


def _gaining(pair: Pair, count: Count, gain: Callable[[Table, Floats], Numbers], of_elements: Count | None = None) -> Counts:
    """The metric with split antecedents as missed mentions, and what its recall gains in each cell by their credit."""
    split = pair.memo_call(with_split_antecedents)
    if split is None:
        return count(table_of(pair))
    t, credit = split.table, _credit(split, of_elements or count)
    return _more(
        count(t),
        {
            "recall_numerator": t.sum_cells(gain(t, credit.recall)),
            "precision_numerator": t.T.sum_cells(gain(t.T, credit.precision)),
        },
    )


def _more(counts: Counts, gained: Columns) -> Counts:
    return replace(counts, columns={**counts.columns, **{name: counts.columns[name] + more for name, more in gained.items()}})


def _credited(pair: Pair, count: Count) -> Counts:
    """The metric when aligned split antecedents are fractions of a shared mention."""
    split = pair.memo_call(with_split_antecedents)
    if split is None:
        return count(table_of(pair))
    return count(replace(split.table, shared=split.table.shared + _credit(split, count).f, alignments={}))


def alone(pair: Pair, count: Count) -> Counts:
    """Count the elements of aligned pairs, of all split antecedents of either side."""
    split = pair.memo_call(with_split_antecedents)
    documents = len(pair.key.doc_ids)
    if split is None:
        return undefined(documents)
    counts, pairs = _aligned(split, count)
    single = np.arange(len(split.cell), len(split.document))

    def total(name: str, rows: Ints) -> Numbers:
        return tally(split.document[rows], counts.columns[name][rows], documents)

    return rates(
        (total("recall_numerator", pairs), total("recall_denominator", single)),
        (total("precision_numerator", pairs), total("precision_denominator", single)),
    )


def _muc_of_elements(table: Table) -> Counts:
    """MUC where a singleton has a link to itself, found if its mention is a singleton on the other side, too."""

    def recall(t: Table) -> tuple[Numbers, Numbers]:
        lone = (t.key_size[t.key] == 1) & (t.response_size[t.response] == 1)
        return t.sum_cells(t.shared - 1 + lone), t.sum_keys(np.maximum(t.key_size - 1, 1))

    return both_ways(recall, table)
