"""BLANC and the Rand index: links between mentions of one entity, and links between mentions of different ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Numbers
from referee.metrics.metric import metric
from referee.metrics.table import Table, link
from referee.stats.counts import Columns, Counts, ScoreColumns, divide, f_measure, single


@metric("BLANC", counts="links", scope="entity", panel="default", symmetric=True)
def blanc(table: Table) -> Counts:
    """Mean of F over coreference links and F over non-coreference links.

    Notes
    -----
    Counts are links, and `unmatched` mentions for the case without links. They are added over documents before anything is
    divided. A kind of link that neither side has is left out of the mean. Without links of either kind the score is 1 if the
    mentions are the same, 0 if not, and undefined if there are none.

    References
    ----------
    Luo et al. (2014), equations (16)-(19) and section 4.1; Recasens and Hovy (2011) for equal mention sets.
    """
    return Counts(_link_columns(table), _finish)


def blanc_by_key(table: Table) -> Counts:
    """BLANC with the boundary cases of the CoNLL reference scorer v8.01: what the key lacks is left out.

    A text without links scores 0, even a perfect one.

    References
    ----------
    `ScoreBLANC` of the program.
    """
    return Counts(_link_columns(table), _finish_by_key)


def blanc_of_links(table: Table) -> Counts:
    """BLANC with the boundary case of the CorefUD and UA scorers: a text without links scores 0, even a perfect one."""
    return of_links(blanc.count(table))


def of_links(counts: Counts) -> Counts:
    """Return counts of BLANC that make a text without links score 0."""
    return replace(counts, finish=_finish_of_links)


@metric("Rand", counts="pairs of mentions", aliases=("rand_index",), scope="entity", symmetric=True)
def rand(table: Table) -> Counts:
    """Pairs of mentions on which key and response agree, one number.

    Notes
    -----
    Counts are links, over the extension of both sides to one set of mentions. Most of them are non-coreference links: that
    is why BLANC averages. Equation (1) of Luo et al. (2014) prints |T|(|T| - 1)/2 as denominator; it is |T|, the
    number of links.

    References
    ----------
    Rand (1971); Luo et al. (2014), section 3.
    """
    t = table
    pairs = link(t.key_mentions + t.T.key_mentions - t.common)
    apart = t.sum_keys(link(t.key_size)) + t.T.sum_keys(link(t.T.key_size)) - 2 * t.sum_cells(link(t.shared))
    return single(pairs - apart, pairs)


def _link_columns(table: Table) -> Columns:
    shared = table.sum_cells(link(table.shared))

    def side(t: Table) -> tuple[Numbers, Numbers, Numbers]:
        """Coreference links, other links, and coreference links among the common mentions only."""
        together = t.sum_keys(link(t.key_size))
        return together, link(t.key_mentions) - together, t.sum_keys(link(t.key_found))

    key, key_apart, key_common = side(table)
    response, response_apart, response_common = side(table.T)
    return {
        "coreference_found": shared,
        "coreference_key": key,
        "coreference_response": response,
        "other_found": link(table.common) - key_common - response_common + shared,
        "other_key": key_apart,
        "other_response": response_apart,
        "mentions": table.key_mentions + table.T.key_mentions,
        "unmatched": table.key_mentions + table.T.key_mentions - 2 * table.common,
    }


def _finish(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    has_coreference = c["coreference_key"] + c["coreference_response"] > 0
    has_other = c["other_key"] + c["other_response"] > 0
    neither = np.where(c["mentions"] > 0, (c["unmatched"] == 0).astype(np.float64), zero_division)
    return _mean_of_kinds(c, has_coreference, has_other, neither, beta)


def _finish_by_key(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    return _mean_of_kinds(c, c["coreference_key"] > 0, c["other_key"] > 0, np.zeros(len(c["mentions"])), beta)


def _finish_of_links(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    return _finish({**c, "unmatched": c["mentions"]}, zero_division, beta)


def _mean_of_kinds(c: Columns, has_coreference: Bools, has_other: Bools, neither: Floats, beta: float) -> ScoreColumns:
    """The mean over the kinds of link that count; a side without links of such a kind found none of them."""

    def rate(right: str, all_links: str) -> Floats:
        return divide(c[right], c[all_links], 0.0)

    def mean(coreference: Floats, other: Floats) -> Floats:
        both = has_coreference.astype(np.float64) + has_other
        return np.where(both > 0, divide(has_coreference * coreference + has_other * other, both), neither)

    recall = rate("coreference_found", "coreference_key"), rate("other_found", "other_key")
    precision = rate("coreference_found", "coreference_response"), rate("other_found", "other_response")
    f = (f_measure(r, p, beta=beta) for r, p in zip(recall, precision, strict=True))
    return ScoreColumns(mean(*f), mean(*recall), mean(*precision), beta)
