"""Non-referring expressions, as in "it rains"."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints, tally
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.metric import metric
from referee.stats.counts import Counts, rates, undefined


@metric("Non-referring expressions", counts="mentions", scope="annotation", needs="non-referring", symmetric=True)
def non_referring(pair: Pair) -> Counts:
    """Non-referring expressions found.

    Notes
    -----
    Their spans must be equal, with all fragments, whatever the matcher. 0/0 if neither side marks any.

    References
    ----------
    Universal Anaphora scorer, Yu et al. (2022).
    """
    sides, documents = pair.unfiltered, len(pair.key.doc_ids)
    if sides.key.referring is None and sides.response.referring is None:
        return undefined(documents)
    key, response = (_places(side, p) for side, p in zip(sides, pair.places, strict=True))

    def by_document(counts: dict[int, int]) -> Ints:
        return tally(np.array(list(counts.values()), dtype=np.int64), minlength=documents)

    common = by_document({p: document for p, document in key.items() if p in response})
    return rates((common, by_document(key)), (common, by_document(response)))


def _places(corpus: Corpus, place: Ints) -> dict[int, int]:
    """The places of non-referring expressions, each once, with their documents."""
    if corpus.referring is None:
        return {}
    non_referring = ~corpus.referring[corpus.entity]
    return dict(zip(place[non_referring].tolist(), corpus.document[non_referring].tolist(), strict=True))
