"""Entities as resampling units: key entities, each together with the others that some response merges with it.

A unit is a connected component: key entities and response entities that have items in common, of all systems that are compared.
So no item, link or response entity belongs to two units, and the units add up to the counts of all documents. Items that only
responses have belong to the units of the response entities that they are in.

Single entities would be more units, but these would not be independent: two that a response merges err together, and intervals
of them are too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from referee.algorithms.arrays import Floats, Ints, argsort, inverse, tally, unique
from referee.algorithms.components import joined
from referee.basics.exceptions import MismatchError, OptionError
from referee.corpus import Corpus
from referee.matching.exact import identities
from referee.matching.pair import Pair
from referee.metrics.pairs import FINISH, ListedPairs, counts_of_decisions, decisions_of
from referee.metrics.registry import PAIRS
from referee.metrics.scores import Scores
from referee.metrics.table import Table, table_of
from referee.scoring.table_pair import TablePair, compared_of, pair_of_scores
from referee.stats.counts import Columns, Counts, divide

SUMS = (
    "mentions", "muc", "b_cubed", "b_cubed_entity", "purity", "ceaf_m", "ceaf_e", "ceaf_phi2", "exact", "lea", "links", "conll",
    "fowlkes_mallows", "vi", "merge_distance", "core_mr", "exclusive_core_mr",
)  # fmt: skip
"""The metrics that are sums over components. BLANC, for example, counts links between entities that do not overlap."""

RESAMPLED = (*SUMS, *PAIRS)
"""The metrics whose counts are known for each unit."""

MOST_COMPARED = 100_000
"""Rows of key and response, together, whose entities are compared without being asked for: it takes up to some ten seconds."""

Place = tuple[str, "str | int", int]
"""Where a mention is: its document, and its item or span."""


def unit_of(unit: str | None, systems: Mapping[str, Scores], most: float = math.inf) -> str:
    """Return the unit that is resampled unasked: entities of at most so many records in one document; or documents."""
    are_records = bool(systems) and all(_is_one_clustering(scores, most) for scores in systems.values())
    return unit or ("entity" if are_records else "document")


def _is_one_clustering(scores: Scores, most: float) -> bool:
    """Whether scores are of so many records in one document, by metrics that are sums."""
    if len(scores.documents) != 1 or scores.options.average == "macro" or not set(RESAMPLED) >= scores.counts.keys():
        return False
    compared = compared_of(scores)
    if isinstance(compared, TablePair):
        return compared.has_mentions and (compared.tables.rows or math.inf) <= most
    if compared is None:
        return False
    sides = compared.scored
    return "texts" not in {side.kind for side in sides} and sum(len(side.entity) for side in sides) <= most


def remedy(unit: str, systems: Mapping[str, Scores], *, grouped: bool = False) -> str:
    """Return what gives an interval where there are too few units; `grouped` where the documents are in groups (--by)."""
    if unit == "sentence":
        return ""
    compared = [compared_of(s) for s in systems.values()]
    if None in compared:
        return "; expected more documents, or the files that were scored"
    sides = [side for pair in compared if isinstance(pair, Pair) for side in pair.scored]
    is_records = all(side.kind != "texts" for side in sides)
    if unit == "entity":
        fewer = "fewer systems at a time, or " if len(systems) > 2 else ""
        if not is_records:
            return f"; expected {fewer}more documents"
        several = "several tables, told apart by a column document"  # a larger one merges, too
        return f"; expected {fewer}{several}, or a key that is a random sample, and referee estimate for each response"
    alone = "without --by, " if grouped else ""
    if is_records:
        return f"; expected more documents, or {alone}--unit entity -m links,b_cubed,exact"
    sentences = ", or --unit sentence -m mentions" if any(side.text is not None for side in sides) else ""
    return f"; expected more documents, or {alone}--unit entity -m muc,b_cubed,ceaf_e,conll{sentences}"


def about_largest(share: float) -> str:
    """The note on a group with more than half of what is resampled: a resample is decided by how often it is drawn."""
    if not 0.5 < share < 1:  # of one group alone there are no intervals
        return ""
    return f"the intervals cannot be relied on: one group of merged entities has {share * 100:.0f} % of what is scored"


def counts_of_entities(systems: Mapping[str, Scores]) -> tuple[list[str], dict[str, dict[str, Counts]], float]:
    """Return the document of each unit, the counts of all systems, a row a unit, and the share of items in the largest unit.

    The units are in the order of their documents, and of the key entities in these.

    Raises
    ------
    OptionError, MismatchError
        If entities cannot be resampled.
    """
    pairs = {name: _checked(scores) for name, scores in systems.items()}
    key = next(iter(pairs.values())).key
    of_keys = _names(key)
    if any(not np.array_equal(p.key.entity_size, key.entity_size) or _names(p.key) != of_keys for p in pairs.values()):
        raise MismatchError("the systems were compared with different entities of the key; expected --unit document")
    only = {name: _only_in_response(pair) for name, pair in pairs.items()}
    places = {
        place: row for row, place in enumerate(sorted({place for alone in only.values() for place in alone}), len(of_keys))
    }
    # The nodes are key entities, places that only some response has, and the response entities of one system after another.
    document = [*of_keys, *(place[0] for place in places)]
    first, nodes, links = {}, len(document), []
    for name, pair in pairs.items():
        table, first[name] = table_of(pair), nodes
        links.append((table.key, table.response + nodes))
        spurious = np.array([*map(places.__getitem__, only[name])], dtype=np.int64)
        links.append((spurious, pair.response.entity[_spurious(pair)] + nodes))
        nodes += len(table.response_size)
    label = joined(np.arange(nodes), *(np.concatenate(ends).astype(np.int64) for ends in zip(*links, strict=True)))
    roots = np.flatnonzero(label == np.arange(nodes))  # no response entity is alone
    smallest = sorted(roots.tolist(), key=document.__getitem__)
    unit = np.empty(nodes, dtype=np.int64)
    unit[smallest] = np.arange(len(smallest))
    unit = unit[label]
    counts = {
        name: _counts(
            systems[name],
            _regrouped(table_of(pair), unit[: len(of_keys)], unit[first[name] :], len(smallest)),
            partial(_of_pairs, pair, unit[: len(of_keys)], unit[first[name] :], len(smallest)),
        )
        for name, pair in pairs.items()
    }
    sizes = tally(unit[: len(document)], np.concatenate([key.entity_size, np.ones(len(places), dtype=np.int64)]))
    return [document[node] for node in smallest], counts, float(divide(sizes.max(initial=0), sizes.sum()))


def _checked(scores: Scores) -> Pair:
    """What was scored, if its entities can be resampled."""
    if compared_of(scores) is None:
        raise OptionError("counts of documents have no entities; expected --unit document, or the files that were scored")
    if other := next((m for m in scores.counts if m not in RESAMPLED), None):
        expected = f"expected --metrics with some of {', '.join(SUMS)}"
        raise OptionError(f"entities cannot be resampled for {other}, which is no sum over them; {expected}")
    if scores.options.average == "macro":
        raise OptionError("entities can be resampled for scores averaged micro; expected --unit document")
    pair = pair_of_scores(scores)
    assert pair is not None
    return pair


def _names(key: Corpus) -> list[str]:
    """The name of the document of each entity."""
    return [key.doc_ids[document] for document in key.entity_document.tolist()]


def _spurious(pair: Pair) -> Ints:
    """The mentions that only the response has."""
    alone = np.ones(len(pair.response.entity), dtype=bool)
    alone[pair.matching.response_mention] = False
    return np.flatnonzero(alone)


def _only_in_response(pair: Pair) -> list[Place]:
    """Where these mentions are."""
    response, items, rows = pair.response, pair.response.items, []
    for mention in _spurious(pair).tolist():
        document = response.doc_ids[int(response.document[mention])]
        span = int(response.start[mention]), int(response.end[mention])
        rows.append((document, *(span if items is None else (items[mention], 0))))
    return rows


def _regrouped(table: Table, key_unit: Ints, response_unit: Ints, units: int) -> Table:
    """The table with units in place of documents."""
    response_unit = response_unit[: len(table.response_size)]
    of_key, of_response = np.argsort(key_unit, kind="stable"), np.argsort(response_unit, kind="stable")
    key, response = inverse(of_key)[table.key], inverse(of_response)[table.response]
    cells = argsort(key, response)

    def weights(importance: Floats | None, order: Ints) -> Floats | None:
        return None if importance is None else importance[order]

    return replace(
        table,
        key=key[cells],
        response=response[cells],
        shared=table.shared[cells],
        key_size=table.key_size[of_key],
        response_size=table.response_size[of_response],
        key_document=key_unit[of_key],
        response_document=response_unit[of_response],
        documents=units,
        key_importance=weights(table.key_importance, of_key),
        response_importance=weights(table.response_importance, of_response),
        links=None,
        alignments={},
    )


def _of_pairs(pair: Pair, key_unit: Ints, response_unit: Ints, units: int) -> Columns:
    """The counts of pairs as decided in each unit.

    A match is within a unit. Pairs that are none are mostly between two: those that the key lists are each in the unit of their
    first record; of all others a unit has as many as it has records.
    """
    of_key, of_response = identities(*pair.scored)
    key, response, records = decisions_of(pair.scored, (of_key, of_response))
    _, number = unique(np.concatenate([of_key, of_response]))
    unit = np.empty(len(records.document), dtype=np.int64)
    unit[number[len(of_key) :]] = response_unit[pair.response.entity]
    unit[number[: len(of_key)]] = key_unit[pair.key.entity]
    all_others = counts_of_decisions(key, response, records)["tn"].sum()
    counts = dict(counts_of_decisions(key, response, records._replace(document=unit, documents=units)))
    if not isinstance(key, ListedPairs) or key.matches_only:
        counts["tn"] = all_others * tally(unit, minlength=units) / len(unit)
    return counts


def _counts(scores: Scores, table: Table, of_pairs: Callable[[], Columns]) -> dict[str, Counts]:
    """The counts of each unit; MismatchError if they do not add up, as where a profile counts in its own way."""
    decided = of_pairs() if any(metric in PAIRS for metric in scores.counts) else {}
    counts = {
        metric: Counts(decided, FINISH[metric]) if metric in PAIRS else scores.record(metric).count(table)
        for metric in scores.counts
    }
    for metric, metric_counts in counts.items():
        total = scores.counts[metric].total().columns
        if any(
            not np.allclose(column.sum(), total[name][0], rtol=1e-9, equal_nan=True)
            for name, column in metric_counts.columns.items()
            if name in total
        ):
            raise MismatchError(f"{metric} is counted in another way by this profile; expected --unit document")
    return counts
