"""The partial matching of the CRAFT shared task, as Universal Anaphora scorers offer it."""

from __future__ import annotations

import numpy as np

from referee.algorithms.sorting import ranges
from referee.corpus.corpus import Corpus
from referee.matching.spans import Candidates, packed


def craft(key: Corpus, response: Corpus) -> Candidates:
    """Each response mention with the first key mention whose first part contains one of its parts, if no response mention
    before it has that already.

    Not a matching of greatest weight: the order of the text decides. Mentions go by start, then end.

    Source: Baumgartner et al. (2019), "CRAFT Shared Tasks 2019"; Universal Anaphora scorer 2.0.
    """
    first_end = key.end.copy()
    for m in () if key.fragments is None else np.flatnonzero(key.fragments).tolist():
        first_end[m] = key.spans(m)[0][1]
    parts = np.array([(m, *part) for m in range(len(response.document)) for part in response.spans(m)], dtype=np.int64)
    mention, start, end = parts.reshape(-1, 3).T
    order = np.argsort(begins := packed(response.document[mention], start), kind="stable")
    begins = begins[order]
    k, place = ranges(
        np.searchsorted(begins, packed(key.document, key.start)), np.searchsorted(begins, packed(key.document, first_end))
    )
    part = order[place]
    inside = end[part] <= first_end[k]
    k, r = k[inside], mention[part[inside]]
    taken: set[int] = set()
    decided: set[int] = set()
    pairs = []
    by_place = np.lexsort((key.end[k], key.start[k], response.end[r], response.start[r], key.document[k]))
    for a, b in zip(k[by_place].tolist(), r[by_place].tolist(), strict=True):
        if b not in decided:
            decided.add(b)
            if a not in taken:
                taken.add(a)
                pairs.append((a, b))
    k, r = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Candidates(k, r, np.ones_like(k), np.ones_like(k))
