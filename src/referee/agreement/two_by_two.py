"""Any two annotators compared: `two_by_two`. What belongs to one annotation alone is not in here.

Several small pairs are counted at once: the documents of the first pair, then those of the second, and so on, are the documents
of one table. A metric has a row of counts for each document, so the rows of a pair are counted as those of the pair alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from referee.agreement.alpha import TOGETHER, alphas_of, identified, values_of
from referee.algorithms.arrays import Floats, Ints
from referee.matching.pair import Pair
from referee.scoring.evaluation import Evaluation, counts_of_pairs
from referee.stats.counts import Counts, mean


class TwoAnnotators(NamedTuple):
    """What two annotators have in common.

    Parameters
    ----------
    matched : tuple of two int64 arrays
        Their mentions that were matched; those of a pair stand in the same row.
    totals : mapping
        Name of a metric, or of an alpha -> agreement on all documents.
    by_document : mapping
        Name of a metric -> agreement on each document, shape (documents,).
    alphas : mapping
        "alpha DISTANCE" -> its counts, a row a document.
    """

    matched: tuple[Ints, Ints]
    totals: Mapping[str, float]
    by_document: Mapping[str, Floats]
    alphas: Mapping[str, Counts]


def two_by_two(first: Evaluation, others: Iterable[Pair], mentions: str) -> Iterator[TwoAnnotators]:
    """Compare the annotators of each pair.

    Parameters
    ----------
    first : Evaluation
        Of the first pair; its metrics are for all.
    others : iterable of Pair
        The other ones, with the same documents and options.
    mentions : str
        One of `alpha.MENTIONS`.
    """
    yield from _compared([first.pair], first.counts, mentions)
    for pairs in _in_groups(others):
        yield from _compared(pairs, counts_of_pairs(first.metrics, pairs), mentions)


def _in_groups(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """One pair after another, those that together have few mentions in one list."""
    group: list[Pair] = []
    size = 0
    for pair in pairs:
        more = len(pair.key.document) + len(pair.response.document)
        if group and size + more > TOGETHER:
            yield group
            group, size = [], 0
        group.append(pair)
        size += more
    if group:
        yield group


def _compared(pairs: Sequence[Pair], counts: Mapping[str, Counts], mentions: str) -> Iterator[TwoAnnotators]:
    """What the annotators of each pair have in common, from the counts of all pairs by metrics."""
    options, documents = pairs[0].options, len(pairs[0].key.doc_ids)
    places = [range(n * documents, (n + 1) * documents) for n in range(len(pairs))]

    def values(counts: Counts) -> Floats:
        return counts.score(options.zero_division, options.beta).value.astype(np.float64)

    alphas = _alphas(pairs, mentions)
    rows = {m: values(c).reshape(-1, documents) for m, c in counts.items()}
    if options.average == "macro":
        totals = {m: [mean(row) for row in of_pairs.tolist()] for m, of_pairs in rows.items()}
    else:
        totals = {m: values(c.totals(places)).tolist() for m, c in counts.items()}
    totals |= {alpha: c.totals(places).score().value.tolist() for alpha, c in alphas.items()}
    for n, pair in enumerate(pairs):
        matched = pair.matching.key_mention, pair.matching.response_mention
        yield TwoAnnotators(
            matched,
            {m: of_pairs[n] for m, of_pairs in totals.items()},
            {m: of_pairs[n] for m, of_pairs in rows.items()},
            {alpha: c.rows(slice(n * documents, (n + 1) * documents)) for alpha, c in alphas.items()},
        )


def _alphas(pairs: Sequence[Pair], mentions: str) -> dict[str, Counts]:
    """The alphas of the two annotators of each pair, as counts of the documents of the first pair, then of the second."""
    documents = len(pairs[0].key.doc_ids)
    sides = [[pair.scored[side] for pair in pairs] for side in (0, 1)]
    matchings = [pair.matching for pair in pairs]
    matched = (
        _apart([m.key_mention for m in matchings], [len(c.document) for c in sides[0]]),
        _apart([m.response_mention for m in matchings], [len(c.document) for c in sides[1]]),
    )
    units = identified([sum(len(c.document) for c in side) for side in sides], {(0, 1): matched})
    return alphas_of(
        values_of(
            [_apart([c.document for c in side], [documents] * len(side)) for side in sides],
            [_apart([c.entity for c in side], [len(c.entity_document) for c in side]) for side in sides],
            units,
            documents * len(pairs),
            mentions,
        )
    )


def _apart(numbers: Sequence[Ints], limits: Sequence[int]) -> Ints:
    """Numbers below a limit each, one array after another, with numbers of their own for each array."""
    return np.concatenate([column + first for column, first in zip(numbers, accumulate(limits, initial=0), strict=False)])
