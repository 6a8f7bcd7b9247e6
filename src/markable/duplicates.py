"""A mention that a file lists twice: `DUPLICATES` names what can be done about it.

A mention is a span (or a name) of a document. Listed in two entities, or twice in one, it would be counted twice; the
reference scorer refuses to score after ten of them. Here it never stops a score, unless asked to, and is never silent.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from markable.corpus import Corpus, Mention
from markable.errors import MarkableWarning, MismatchError, UnknownNameError
from markable.rows import starts_of_runs


def repeated(corpus: Corpus) -> NDArray[np.bool_]:
    """Which mentions stand in the same place as the mention before them."""
    return ~starts_of_runs(corpus.document, corpus.start, corpus.end)


def keep_first(corpus: Corpus) -> Corpus:
    """Each mention belongs to the first entity that lists it, in the order of the text."""
    return corpus.select(~repeated(corpus))


def merge(corpus: Corpus) -> Corpus:
    """Entities that share a mention become one."""
    parent = list(range(len(corpus.entity_document)))

    def root(e: int) -> int:
        while parent[e] != e:
            parent[e] = e = parent[parent[e]]
        return e

    for m in np.flatnonzero(repeated(corpus)).tolist():
        one, other = sorted((root(int(corpus.entity[m - 1])), root(int(corpus.entity[m]))))
        parent[other] = one
    roots = np.array([root(e) for e in range(len(parent))], dtype=np.int64)
    merged = Corpus(**{**corpus.__dict__, "entity": roots[corpus.entity]})
    return merged.select(~repeated(corpus))


def refuse(corpus: Corpus) -> Corpus:
    """MismatchError that names the first of them."""
    raise MismatchError(f"{_first(corpus)}; expected each mention once: remove it, or use --duplicates first or merge")


DUPLICATES: dict[str, Callable[[Corpus], Corpus]] = {
    "first": keep_first,
    "merge": merge,
    "error": refuse,
}


def resolve(corpus: Corpus, policy: str) -> Corpus:
    """The corpus with each mention once, by one of `DUPLICATES`; a warning says how many there were and shows the first."""
    if policy not in DUPLICATES:
        raise UnknownNameError("policy for duplicates", policy, DUPLICATES)
    count = int(repeated(corpus).sum())
    if not count:
        return corpus
    resolved = DUPLICATES[policy](corpus)
    done = {"first": "kept the first of each", "merge": "merged their entities"}[policy]
    warnings.warn(MarkableWarning(f"{_first(corpus)}; {done}"), stacklevel=2)
    return resolved


def _first(corpus: Corpus) -> str:
    mentions = np.flatnonzero(repeated(corpus))
    one, other = Mention(corpus, int(mentions[0]) - 1), Mention(corpus, int(mentions[0]))
    where = corpus.names[corpus.document[one.number]]
    what = f"{other.text!r}" if corpus.items is not None else f"tokens {other.start} to {other.end}"
    entities = (
        f"entities {one.entity.label} and {other.entity.label}"
        if one.entity.number != other.entity.number
        else f"entity {one.entity.label}, twice"
    )
    times = "1 repeated mention" if len(mentions) == 1 else f"{len(mentions)} repeated mentions"
    return f"{corpus.source}: {times}, the first in document {where!r}: {what} in {entities}"
