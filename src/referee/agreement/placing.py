"""Who put which mention where: `Placements`, the mentions of several annotators side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from referee.agreement.alpha import MENTIONS, Values, values_of
from referee.algorithms.arrays import Floats, Ints, argsort, tally
from referee.basics.exceptions import shortened
from referee.corpus import Corpus, Mention
from referee.stats.counts import divide
from referee.stats.significance import ROUNDING

ABSENT = "–"
"""What stands for an annotator who has not marked a mention."""


NAME = 12
"""The most characters of the name of an annotator among those of others."""


def sized(entity: str, mentions: int) -> str:
    """An entity with its size: entities of one title may still be different.

    >>> sized("3: the keeper", 4)
    '3: the keeper ×4'
    """
    return f"{entity} ×{mentions}"


class Placed(NamedTuple):
    """A mention of one annotator or more.

    Parameters
    ----------
    document : str
        Where it is.
    start, end : int
        Token offsets, half-open; for items, their places in sorted order.
    place : str
        The offsets as people read them; empty for items.
    text : str
        Its words.
    entities : tuple of (str or None)
        Of each annotator, the entity that it is in; None if the annotator has not marked it.
    sizes : tuple of int
        How many mentions each of these entities has; 0 if the annotator has not marked it.
    disagreement : float
        Mean distance of two annotators, in [0, 1].
    """

    document: str
    start: int
    end: int
    place: str
    text: str
    entities: tuple[str | None, ...]
    sizes: tuple[int, ...]
    disagreement: float

    @property
    def disputed(self) -> bool:
        """Whether not all annotators have it in equal entities: those of two differ, or one has not marked it."""
        return self.disagreement > ROUNDING


@dataclass(frozen=True, eq=False, repr=False)
class Placements:
    """The mentions of several annotators, those matched as one.

    Parameters
    ----------
    corpora : mapping
        Name of an annotator -> the annotation, all over the same documents.
    units : sequence of integers, shape (mentions,)
        Of each annotator: the number of each mention, the same for mentions that were matched.
    """

    corpora: Mapping[str, Corpus]
    units: Sequence[Ints]

    @cached_property
    def mention(self) -> Ints:
        """Of each annotator, the mention that each unit is; -1 for none. Shape (annotators, units)."""
        size = 1 + max((int(unit.max(initial=-1)) for unit in self.units), default=-1)
        members = np.full((len(self.units), size), -1)
        for row, unit in zip(members, self.units, strict=True):
            row[unit] = np.arange(len(unit))
        return members

    @cached_property
    def entity(self) -> Ints:
        """Of each annotator, the entity of each unit; -1 for none. Shape (annotators, units)."""
        entities = [c.entity[m] if len(c.entity) else m for c, m in zip(self.corpora.values(), self.mention, strict=True)]
        return np.where(self.mention < 0, -1, np.array(entities).reshape(self.mention.shape))

    @cached_property
    def types(self) -> list[list[str]]:
        """Of each annotator, the type of the entity of each unit; empty for none."""
        return [
            [corpus.entity_types[entity] if entity >= 0 and corpus.entity_types else "" for entity in entities]
            for corpus, entities in zip(self.corpora.values(), self.entity.tolist(), strict=True)
        ]

    @cached_property
    def first(self) -> Ints:
        """The first annotator who has each unit. Shape (units,)."""
        return np.argmax(self.mention >= 0, axis=0) if len(self.corpora) else np.zeros(0, dtype=np.int64)

    @cached_property
    def in_order(self) -> list[int]:
        """The units by document, start and end."""
        places = [(int(m.corpus.document[m.index]), m.start, m.end) for m in map(self.view, range(self.mention.shape[1]))]
        return sorted(range(len(places)), key=places.__getitem__)

    def view(self, unit: int) -> Mention:
        """A unit as the first annotator has it who has it."""
        annotator = int(self.first[unit])
        return Mention(list(self.corpora.values())[annotator], int(self.mention[annotator, unit]))

    def values(self, mentions: str = MENTIONS[0]) -> Values:
        """The values of all mentions, for alpha."""
        sides = list(self.corpora.values())
        return values_of([s.document for s in sides], [s.entity for s in sides], self.units, len(sides[0].doc_ids), mentions)

    def disagreement(self, distance: str) -> Floats:
        """The mean distance of two annotators of each unit. Shape (units,)."""
        values, annotators = self.values(), range(len(self.corpora))
        pairs = [(a, b) for a in annotators for b in annotators if a < b]
        values_between: Floats = np.mean([values.compare(values.overlaps(a, b), distance)[0] for a, b in pairs], axis=0)
        return values_between

    def disagreement_by_document(self, distance: str) -> Floats:
        """The mean distance of two annotators over all mentions of each document; 0 if it has none. Shape (documents,)."""
        documents = len(next(iter(self.corpora.values())).doc_ids)
        document = self.values().document
        return divide(tally(document, self.disagreement(distance), documents), tally(document, minlength=documents), 0.0)

    def placed(self, distance: str) -> list[Placed]:
        """The mentions, in the order of documents and text."""
        disagreement = self.disagreement(distance)
        return [self._placed(unit, float(disagreement[unit])) for unit in self.in_order]

    def _placed(self, unit: int, disagreement: float) -> Placed:
        mention = self.view(unit)
        entities = self.entity[:, unit].tolist()
        names = tuple(None if e < 0 else self._titles[a][e] for a, e in enumerate(entities))
        sizes = tuple(0 if e < 0 else int(c.entity_size[e]) for c, e in zip(self.corpora.values(), entities, strict=True))
        place = "" if mention.corpus.items is not None else f"{mention.start}-{mention.end}"
        return Placed(mention.document.name, mention.start, mention.end, place, mention.text, names, sizes, disagreement)

    @cached_property
    def _titles(self) -> list[list[str]]:
        """Of each annotator, the entities by their ids and first mentions."""
        titles = []
        for corpus in self.corpora.values():
            first = np.unique(corpus.entity, return_index=True)[1].tolist()
            texts = (shortened(Mention(corpus, mention).text) for mention in first)
            titles.append([f"{id_}: {text}" if text else id_ for id_, text in zip(corpus.entity_ids, texts, strict=True)])
        return titles

    @cached_property
    def _units_by_entity(self) -> list[tuple[Ints, list[int]]]:
        """Of each annotator, the units entity by entity, those of none first; and where each entity begins."""
        orders = [argsort(entity + 1) for entity in self.entity]
        return [
            (order, np.searchsorted(entity[order], np.arange(entity.max(initial=-1) + 2)).tolist())
            for order, entity in zip(orders, self.entity, strict=True)
        ]

    def elsewhere(self, annotator: int, entity: int) -> tuple[str, str]:
        """Where the others put the mentions of an entity: ``bob: 3 in e2: Ann ×4, 1 nowhere``, and ``bob 3/4, 1 –``.

        The largest parts come first.
        """
        units_of, first = self._units_by_entity[annotator]
        units = units_of[first[entity] : first[entity + 1]]
        texts, briefs = [], []
        for other, (name, corpus) in enumerate(self.corpora.items()):
            if other != annotator:
                numbers = Counter(self.entity[other, units].tolist())
                nowhere = numbers.pop(-1, 0)
                parts = sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))
                sizes = corpus.entity_size
                places = [f"{n} in {sized(self._titles[other][e], int(sizes[e]))}" for e, n in parts]
                texts.append(f"{name}: {', '.join(places + [f'{nowhere} nowhere'] * bool(nowhere))}")
                shares = [f"{n}/{sizes[e]}" for e, n in parts] + [f"{nowhere} {ABSENT}"] * bool(nowhere)
                briefs.append(f"{shortened(name, NAME)} {', '.join(shares)}")
        return "; ".join(texts), "; ".join(briefs)
