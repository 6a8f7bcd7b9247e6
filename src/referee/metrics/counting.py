"""A pair counted by several metrics, block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics import progress
from referee.basics.exceptions import MismatchError, OptionError, warn
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.common_records import LOOKED_AT, RecordsOfSide, nothing_in_common, warn_of_lone_records, warn_of_one_sided
from referee.metrics.metric import Metric
from referee.metrics.table import one_after_another, table_of
from referee.stats.counts import Counts, concatenate


def counted(pair: Pair, metrics: Mapping[str, Metric], *, quiet: bool = False) -> dict[str, Counts]:
    """Return the counts of each metric, one row a document.

    Parameters
    ----------
    pair : Pair
        What is counted.
    metrics : mapping
        Name -> metric.
    quiet : bool
        Whether to give no warning of a pair without common mentions, because an earlier call gave it.

    Raises
    ------
    OptionError
        If a function of the caller does not return `Counts` with a row for each document.
    MismatchError
        If no mentions match and some spans are not half-open.

    Warns
    -----
    RefereeWarning
        If key and response have no mention in common, or an alignment ran out of its budget.
    """
    blocks: dict[str, list[Counts]] = {name: [] for name in metrics}
    matched = done = 0
    for block in pair.blocks():
        progress.step("counting", done, len(pair.key.doc_ids))
        done += len(block.key.doc_ids)
        matched += len(block.matching.key_mention)
        for name, metric in metrics.items():
            blocks[name].append(_checked(name, metric.of_pair(block), len(block.key.doc_ids)))
    if not quiet:
        _warn_of_nothing(pair, matched)
    counts = {name: concatenate(of_blocks) for name, of_blocks in blocks.items()}
    _warn_of_bounds(counts)
    return counts


def counted_at_once(pairs: Sequence[Pair], metrics: Mapping[str, Metric]) -> dict[str, Counts]:
    """Return the counts of several small pairs by metrics of entities: the documents of the first, then those of the second."""
    for pair in pairs:
        _warn_of_nothing(pair, len(pair.matching.key_mention))
    table = one_after_another([table_of(pair) for pair in pairs])
    counts = {name: _checked(name, table.memo_call(metric.count), table.documents) for name, metric in metrics.items()}
    _warn_of_bounds(counts)
    return counts


def _warn_of_bounds(counts: Mapping[str, Counts]) -> None:
    """Warn if an alignment ran out of its budget."""
    loose = [name for name, c in counts.items() if any(column.endswith("slack") for column in c.columns)]
    if loose:
        warn(f"the alignment ran out of its budget: {', '.join(loose)} are lower bounds, certified with their upper bounds")


def _checked(name: str, counts: Counts, documents: int) -> Counts:
    if not isinstance(counts, Counts):
        raise OptionError(f"metric {name!r} gave {type(counts).__name__}; expected Counts with a row for each document")
    if wrong := [len(column) for column in counts.columns.values() if len(column) != documents]:
        raise OptionError(f"metric {name!r} gave {wrong[0]} rows; expected one for each document, {documents}")
    return counts


def _none(scored: Corpus, annotated: Corpus) -> str:
    """What is said of a corpus without mentions, or none of whose mentions is scored."""
    number, noun = len(annotated.document), annotated.unit
    left_out = f"that are scored: its {noun}s ({number:,}) are left out by the options, or as of other layers"
    return f"{scored.source} has no {noun}s{f' {left_out}' if number else ''}"


def _warn_of_nothing(pair: Pair, matched: int) -> None:
    """Warn if no mention matches: this is seldom intended."""
    key, response = pair.scored
    if not len(key.document):
        neither = "" if len(response.document) else f", and neither has {response.source}"
        warn(f"{_none(key, pair.unfiltered.key)}{neither}")
    elif not len(response.document):
        warn(_none(response, pair.unfiltered.response))
    elif not matched:
        if key.items is None and ((key.start >= key.end).any() or (response.start >= response.end).any()):
            raise MismatchError(
                f"{key.source} and {response.source} have no mention in common, and some spans end where they start; "
                "expected half-open spans [start, end): add 1 to inclusive ends"
            )
        if key.kind != "texts" or response.kind != "texts":
            records = min(len(key.document), len(response.document))
            nothing_in_common(key.source, response.source, key.items or (), response.items or (), records)
        else:
            remedy = "check that both count spans from the same offset" if key.items is None else "check their names"
            warn(f"{key.source} and {response.source} have no mention in common: {remedy}")
    if key.kind == "labels" and not pair.options.cross_document and len(set(key.entity_ids)) < len(key.entity_ids):
        warn_of_lone_records(key.source, len(key.doc_ids), len(key.document))
    if (
        matched
        and {key.kind, response.kind} != {"texts"}
        and pair.options.items == "union"
        and pair.options.singletons == "keep"
    ):
        sides = zip((key, response), (pair.matching.key_mention, pair.matching.response_mention), strict=True)
        of_key, of_response = (RecordsOfSide(c.source, len(c.document), _alone(c, mentions)) for c, mentions in sides)
        warn_of_one_sided(of_key, of_response, matched)


def _alone(side: Corpus, matched: Ints) -> list[str]:
    """Some of the records that the other side does not have."""
    if side.items is None or len(matched) == len(side.document):
        return []
    alone = np.ones(len(side.document), dtype=bool)
    alone[matched] = False
    return [side.items[number] for number in np.flatnonzero(alone)[:LOOKED_AT].tolist()]
