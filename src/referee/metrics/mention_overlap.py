"""Mention overlap: words of mentions found, in whatever entity."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints, tally
from referee.algorithms.assignment import assign
from referee.corpus import Corpus
from referee.matching.matchers import Matching
from referee.matching.overlap import overlapping
from referee.matching.pair import Pair
from referee.matching.spans import mention_rows, sizes
from referee.metrics.metric import metric
from referee.stats.counts import Counts, rates, undefined


@metric("Mention overlap", counts="positions", aliases=("mor",), scope="annotation", needs="heads", symmetric=True)
def mention_overlap(pair: Pair) -> Counts:
    """Words that mentions have in common in the best matching (MOR).

    Notes
    -----
    Counts are positions: words and empty nodes, or characters if texts are aligned by characters. The metric makes its own
    one-to-one matching, with as many common positions as possible. So it does not depend on the options of matching.

    References
    ----------
    Žabokrtský et al. (2022), "Findings of the Shared Task on Multilingual Coreference Resolution", section 4.2.
    """
    return overlap_counts(pair.matching)


def overlap_counts(matching: Matching) -> Counts:
    """Count the positions in common of mentions that may be repeated."""
    key, response = matching.on_common_positions
    documents = len(key.doc_ids)
    if key.items is not None:
        return undefined(documents)
    from referee.metrics.nests import nested_pairs  # few scores have a use for it

    settled = nested_pairs(key, response)
    rest = [mention_rows(side, mentions) for side, mentions in zip((key, response), settled.undecided, strict=True)]
    k, r, shared = overlapping(*rest)
    edges, slack = assign(k, r, shared.astype(np.float64), *(len(side.document) for side in rest))
    common = _by_document(rest[0], shared[edges], k[edges], documents)
    common += _by_document(key, settled.shared, settled.key, documents)
    return rates(
        (common, _by_document(key, sizes(key), slice(None), documents)),
        (common, _by_document(response, sizes(response), slice(None), documents)),
        None if slack is None else tally(rest[0].document, slack, documents),
    )


def _by_document(corpus: Corpus, values: Ints, mentions: Ints | slice, documents: int) -> Ints:
    return tally(corpus.document[mentions], values, documents).astype(np.int64)
