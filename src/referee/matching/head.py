"""Head matching: mentions with the same head may be matched, however far they reach."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import locations
from referee.corpus import Corpus
from referee.matching.spans import Candidates, shared_positions, sizes, within_ranges


def head(key: Corpus, response: Corpus) -> Candidates:
    """Pair mentions with the same head; the weight is the share of the key mention that the response mention covers.

    References
    ----------
    CorefUD scorer 1.2, ``--match head``.
    """
    with_head = [np.flatnonzero(side.heads >= 0) for side in (key, response)]
    key_head, response_head = (
        locations(side.document[m], side.heads[m]) for side, m in zip((key, response), with_head, strict=True)
    )
    k, r = within_ranges(response_head, key_head, key_head + 1)
    k, r = with_head[0][k], with_head[1][r]
    shared = shared_positions(key, response, k, r)
    overlaps = shared > 0
    return Candidates(k[overlaps], r[overlaps], shared[overlaps], sizes(key)[k[overlaps]])
