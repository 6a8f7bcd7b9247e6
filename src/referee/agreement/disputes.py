"""The entities that annotators disagree on: `disputed`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.agreement.placing import Placements
from referee.algorithms.arrays import tally
from referee.corpus import Mention
from referee.stats.counts import divide
from referee.stats.significance import ROUNDING


@dataclass(frozen=True, slots=True)
class Disputed:
    """An entity that the other annotators do not have as it is.

    Attributes
    ----------
    document, annotator : str
        Where it is, and who annotated it.
    name : str
        Its first mention.
    mentions : int
        How many it has.
    disagreement : float
        Mean distance, over its mentions and the other annotators, in [0, 1].
    others : str
        Where the other annotators put its mentions, such as ``bob: 3 in e2: Ann ×4, 1 nowhere``.
    brief : str
        The same in numbers, such as ``bob 3/4, 1 –``.
    """

    document: str
    annotator: str
    name: str
    mentions: int
    disagreement: float
    others: str = ""
    brief: str = ""

    @property
    def weight(self) -> float:
        """Mentions × disagreement: how much of all that annotators disagree on is about this entity."""
        return self.mentions * self.disagreement


LINE = 120
"""The most characters in a line of the table of entities, for people; annotators after those that find room are cut."""

DOCUMENT, NAME, LEAST = 24, 20, 12
"""The most characters of the name of a document and of an entity there; the fewest of where the others put its mentions."""


def how_to_read(unit: str) -> str:
    """The order of these rows, and where the others put what, for people."""
    order = f"the largest disputes first: {unit}s × disagreement"
    return f"{order}; 3/4: 3 of the {unit}s are in an entity with 4; 1 –: 1 is in none; --report csv names the entities"


def rows_for_people(disputed: Sequence[Disputed]) -> list[list[object]]:
    """Rows of document, annotator, entity, others, mentions and disagreement, in lines that a screen has room for."""
    labels = [(cut(d.document, DOCUMENT), cut(d.annotator, NAME), cut(d.name, NAME)) for d in disputed]
    heads = "document", "annotator", "entity"
    width = sum(max(map(len, column)) for column in zip(heads, *labels, strict=True)) + len("mentions  disagreement") + 8
    room = max(LINE - width, LEAST)
    return [
        [*label, d.brief if len(d.brief) <= room else d.brief[: room - 1] + "…", d.mentions, d.disagreement]
        for label, d in zip(labels, disputed, strict=True)
    ]


def cut(name: str, length: int) -> str:
    """A name of at most so many characters, without its middle: names of documents and files often differ at the end.

    >>> cut("GENTLE_medical_transplant_0", 20)
    'GENTLE_medi…splant_0'
    """
    if len(name) <= length:
        return name
    end = 2 * length // 5
    return f"{name[: length - end - 1]}…{name[-end:]}"


def disputed(placements: Placements, mentions: str, distance: str) -> tuple[Disputed, ...]:
    """Entities with any disagreement: by mentions × disagreement, then size, document, annotator and place."""
    disputed, corpora, values = [], placements.corpora, placements.values(mentions)
    for a, (name, corpus) in enumerate(corpora.items()):
        label, entities = values.label[a], len(corpus.entity_ids)
        distances = np.mean([values.compare(values.overlaps(a, b), distance)[0] for b in range(len(corpora)) if b != a], axis=0)
        marked = label >= 0
        disagreement = divide(tally(label[marked], distances[marked], entities), tally(label[marked], minlength=entities), 0.0)
        first = dict(zip(*(column.tolist() for column in np.unique(corpus.entity, return_index=True)), strict=True))
        for entity in np.flatnonzero(disagreement > ROUNDING).tolist():
            mention = Mention(corpus, first[entity])
            title = mention.text or f"{mention.start}-{mention.end}"
            document = corpus.doc_ids[corpus.entity_document[entity]]
            size, mean = int(corpus.entity_size[entity]), float(disagreement[entity])
            disputed.append(Disputed(document, name, title, size, mean, *placements.elsewhere(a, entity)))
    return tuple(sorted(disputed, key=lambda d: (-round(d.weight, 12), -d.mentions, d.document, d.annotator)))
