"""Head matching: mentions with one head may be the same, however far they reach."""

from __future__ import annotations

import numpy as np

from referee.corpus.corpus import Corpus
from referee.matching.spans import Candidates, joined, packed, shared_positions, sizes


def head(key: Corpus, response: Corpus) -> Candidates:
    """Pairs with the same head; their weight is the share of the key mention that the response mention has.

    Source: CorefUD scorer 1.2, `--match head`.
    """
    known = [np.flatnonzero(side.heads >= 0) for side in (key, response)]
    places = [packed(side.document[m], side.heads[m]) for side, m in zip((key, response), known, strict=True)]
    k, r = joined(*places)
    k, r = known[0][k], known[1][r]
    shared = shared_positions(key, response, k, r)
    some = shared > 0
    return Candidates(k[some], r[some], shared[some], sizes(key)[k[some]])
