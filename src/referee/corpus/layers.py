"""What only some annotation has: listed links, empty nodes, bridging, split antecedents. Columns that refer to others.

Each knows how to follow its corpus when mentions, entities or documents are dropped or renumbered: `moved` gets the new number
of each old one, -1 where it is gone, and drops the rows that lost what they refer to.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from referee.algorithms.arrays import Ints


class Places(NamedTuple):
    """Where each mention, entity and document of a corpus went: its new number, or -1."""

    mention: Ints
    entity: Ints
    document: Ints


class Links(NamedTuple):
    """The links that a file lists one by one, before any closure: pairs of mentions of one document.

    document : int64, shape (links,), in which document
    first, second : int64, shape (links,), numbers of the two mentions in the corpus
    """

    document: Ints
    first: Ints
    second: Ints

    def moved(self, places: Places) -> Links:
        first, second = places.mention[self.first], places.mention[self.second]
        kept = (first >= 0) & (second >= 0)
        return Links(places.document[self.document[kept]], first[kept], second[kept])


class Bridging(NamedTuple):
    """Anaphors that refer to something associated with their antecedent ("the house … the door").

    anaphor, antecedent : int64, shape (pairs,), numbers of mentions; where a file names an entity as antecedent, its mention
                          before the anaphor, or else its first one
    relation : what kind of association, shape (pairs,), may be empty
    """

    anaphor: Ints
    antecedent: Ints
    relation: Sequence[str]

    def moved(self, places: Places) -> Bridging:
        anaphor, antecedent = places.mention[self.anaphor], places.mention[self.antecedent]
        kept = (anaphor >= 0) & (antecedent >= 0)
        order = sorted(
            range(int(kept.sum())), key=list(zip(anaphor[kept].tolist(), antecedent[kept].tolist(), strict=True)).__getitem__
        )
        relation = list(compress(self.relation, kept.tolist()))
        return Bridging(anaphor[kept][order], antecedent[kept][order], [relation[n] for n in order])


class SplitAntecedents(NamedTuple):
    """Entities with split antecedents ("Ann met Bob. They …"): pairs of an entity and one of those that it is made of.

    entity, element : int64, shape (pairs,), numbers of entities
    """

    entity: Ints
    element: Ints

    def moved(self, places: Places) -> SplitAntecedents:
        entity, element = places.entity[self.entity], places.entity[self.element]
        kept = (entity >= 0) & (element >= 0)
        order = sorted(
            range(int(kept.sum())), key=list(zip(entity[kept].tolist(), element[kept].tolist(), strict=True)).__getitem__
        )
        return SplitAntecedents(entity[kept][order], element[kept][order])


class EmptyNodes(NamedTuple):
    """Nodes of the text that stand for no word: zero pronouns, copies in ellipsis. They count as tokens of their document.

    document, node : int32, shape (nodes,), document and token offset, ascending
    minor    : int32, shape (nodes,), tells the nodes between two words apart: 1 for 5.1; larger by `BEFORE` for 0.1, 0.2, ...
               which stand before the first word of their sentence
    sentence : int32, shape (nodes,), number of the sentence in the document
    deps     : enhanced dependencies as in CoNLL-U, such as ``2:nsubj|4:conj``; empty if unknown
    """

    document: Ints
    node: Ints
    minor: Ints
    sentence: Ints
    deps: Sequence[str]

    def moved(self, places: Places) -> EmptyNodes:
        document = places.document[self.document]
        kept = document >= 0
        order = document[kept].argsort(kind="stable")
        deps = list(compress(self.deps, kept.tolist()))
        return EmptyNodes(
            document[kept][order], self.node[kept][order], self.minor[kept][order], self.sentence[kept][order],
            [deps[n] for n in order.tolist()],
        )  # fmt: skip


BEFORE = 1 << 20
"""Added to the `minor` of empty nodes that stand before the first word of a sentence, not behind the last of the one before."""
