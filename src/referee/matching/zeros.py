"""Zeros that stand in different places are the same if they depend on the same words: `dependent_zeros`.

An empty node may be put in any gap of its sentence, so its place says little. Its enhanced dependencies say what it is: the
subject of that verb.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import Corpus
from referee.matching.one_to_one import one_to_one
from referee.matching.spans import Candidates


def dependent_zeros(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Zeros of the same sentence matched one to one, with the greatest total of ten times the F-measure of their (parent,
    relation) pairs, plus the F-measure of their parents.

    A zero without dependencies is not matched here.

    Source: CorefUD scorer 1.2 (Novák et al. 2024), matching of zeros "dependent".
    """
    with_parent = _by_parent(response)
    rows = {}
    for place, ours in _by_parent(key).items():
        for k, key_deps in ours:
            for r, response_deps in with_parent.get(place, ()):
                rows[k, r] = k, r, *_weight(key_deps, response_deps)
    return one_to_one(Candidates(*np.array(list(rows.values()), dtype=np.int64).reshape(-1, 4).T), key, response)


def _by_parent(corpus: Corpus) -> dict[tuple[int, int, str], list[tuple[int, str]]]:
    """The zeros by document, sentence and parent: the numbers of the mentions, with the dependencies of their heads. Zeros
    without a parent in common have no weight."""
    found = defaultdict(list)
    mentions = np.flatnonzero(corpus.zero)
    if corpus.empty_nodes is not None and len(mentions):
        nodes = {
            place: n
            for n, place in enumerate(zip(corpus.empty_nodes.document.tolist(), corpus.empty_nodes.node.tolist(), strict=True))
        }
        heads = corpus.heads[mentions].tolist()
        for m, document, head in zip(mentions.tolist(), corpus.document[mentions].tolist(), heads, strict=True):
            node = nodes[document, head]
            for parent in _parsed(corpus.empty_nodes.deps[node])[1]:
                found[document, int(corpus.empty_nodes.sentence[node]), parent].append((m, corpus.empty_nodes.deps[node]))
    return found


@cache
def _parsed(deps: str) -> tuple[frozenset[str], frozenset[str]]:
    """The dependencies, and the parents among them."""
    pairs = frozenset(deps.split("|")) - {"", "_"}
    return pairs, frozenset(pair.partition(":")[0] for pair in pairs)


def _weight(a: str, b: str) -> tuple[int, int]:
    """How alike two zeros are, as a fraction: 10 F(pairs) + F(parents), where F = 2 |A ∩ B| / (|A| + |B|)."""
    (pairs, parents), (other_pairs, other_parents) = _parsed(a), _parsed(b)
    p, q = len(pairs) + len(other_pairs), len(parents) + len(other_parents)
    return 20 * len(pairs & other_pairs) * q + 2 * len(parents & other_parents) * p, p * q
