"""The partial matching of the CRAFT shared task, as the Universal Anaphora scorer offers it."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints, locations
from referee.corpus import Corpus
from referee.matching.spans import Candidates, within_ranges


def craft(key: Corpus, response: Corpus) -> Candidates:
    """Pair each response mention with the first key mention whose first span contains one of its spans.

    A response mention whose key mention an earlier one has taken gets none. So the order of the text decides, not the
    greatest weight. Mentions go by start, then by end.

    References
    ----------
    Baumgartner, W. et al. (2019). CRAFT shared tasks 2019 overview. *BioNLP-OST*.
    Universal Anaphora scorer 2.0.
    """
    k, r = _containing(key, response)
    by_text = np.lexsort((key.end[k], key.start[k], response.end[r], response.start[r], key.document[k]))
    matched: set[int] = set()
    decided: set[int] = set()
    pairs = []
    for a, b in zip(k[by_text].tolist(), r[by_text].tolist(), strict=True):
        if b not in decided:
            decided.add(b)
            if a not in matched:
                matched.add(a)
                pairs.append((a, b))
    k, r = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Candidates(k, r, np.ones_like(k), np.ones_like(k))


def _containing(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Pairs where the first span of the key mention contains a span of the response mention, perhaps more than once."""
    first_end = key.end.copy()
    for m in () if key.fragments is None else np.flatnonzero(key.fragments).tolist():
        first_end[m] = key.spans(m)[0][1]
    spans = np.array([(m, *span) for m in range(len(response.document)) for span in response.spans(m)], dtype=np.int64)
    mention, start, end = spans.reshape(-1, 3).T
    k, span = within_ranges(
        locations(response.document[mention], start), locations(key.document, key.start), locations(key.document, first_end)
    )
    inside = end[span] <= first_end[k]
    return k[inside], mention[span[inside]]
