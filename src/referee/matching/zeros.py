"""Zero mentions matched by their dependencies.

An annotator may put an empty node in any gap of its sentence, so its position says little. Its enhanced dependencies identify
it: it is the subject of that verb, wherever it stands.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TypeAlias

import numpy as np

from referee.corpus import Corpus
from referee.matching.spans import Candidates

Parent: TypeAlias = tuple[int, int, str]
"""Document, sentence and word that a zero depends on."""


def dependent_zeros(key: Corpus, response: Corpus) -> Candidates:
    """Pair zeros of one sentence that depend on the same words.

    The weight of a pair is 10 F(dependencies) + F(parents), where F is the F-measure of two sets, 2 |A ∩ B| / (|A| + |B|), and
    a dependency is a parent with a relation. A zero without dependencies has no partner here.

    Parameters
    ----------
    key, response : Corpus
        Over the same documents, on positions of their own.

    Returns
    -------
    Candidates

    References
    ----------
    Novák, M. et al. (2024). Findings of the third shared task on multilingual coreference resolution. *CRAC*.
    CorefUD scorer 1.2, matching of zeros "dependent".
    """
    of_response = _by_parent(response)
    pairs = {}
    for parent, key_zeros in _by_parent(key).items():
        for k, key_deps in key_zeros:
            for r, response_deps in of_response.get(parent, ()):
                pairs[k, r] = k, r, *_weight(key_deps, response_deps)
    return Candidates(*np.array(list(pairs.values()), dtype=np.int64).reshape(-1, 4).T)


def _by_parent(corpus: Corpus) -> dict[Parent, list[tuple[int, str]]]:
    """The zeros by parent: number of the mention, and dependencies of its head.

    Only zeros with a common parent weigh more than 0, and a long document has too many pairs of zeros.
    """
    zeros = defaultdict(list)
    mentions = np.flatnonzero(corpus.zero)
    if corpus.empty_nodes is not None and len(mentions):
        tokens = zip(corpus.empty_nodes.document.tolist(), corpus.empty_nodes.node.tolist(), strict=True)
        node_at = {token: node for node, token in enumerate(tokens)}
        heads = corpus.heads[mentions].tolist()
        for mention, document, head in zip(mentions.tolist(), corpus.document[mentions].tolist(), heads, strict=True):
            node = node_at[document, head]
            for parent in _parsed(corpus.empty_nodes.deps[node])[1]:
                zeros[document, int(corpus.empty_nodes.sentence[node]), parent].append((mention, corpus.empty_nodes.deps[node]))
    return zeros


@cache
def _parsed(deps: str) -> tuple[frozenset[str], frozenset[str]]:
    """The dependencies, and the parents among them."""
    dependencies = frozenset(deps.split("|")) - {"", "_"}
    return dependencies, frozenset(dependency.partition(":")[0] for dependency in dependencies)


def _weight(a: str, b: str) -> tuple[int, int]:
    """The weight of a pair as a fraction."""
    (dependencies, parents), (other_dependencies, other_parents) = _parsed(a), _parsed(b)
    p, q = len(dependencies) + len(other_dependencies), len(parents) + len(other_parents)
    return 20 * len(dependencies & other_dependencies) * q + 2 * len(parents & other_parents) * p, p * q
