"""The entities that annotators disagree on: `disputed`."""

from __future__ import annotations

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
    """

    document: str
    annotator: str
    name: str
    mentions: int
    disagreement: float
    others: str = ""


def disputed(placements: Placements, mentions: str, distance: str) -> tuple[Disputed, ...]:
    """Entities with any disagreement: by disagreement, then size, document, annotator and place."""
    found, corpora, values = [], placements.corpora, placements.values(mentions)
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
            size, others = int(corpus.entity_size[entity]), placements.elsewhere(a, entity)
            found.append(Disputed(document, name, title, size, float(disagreement[entity]), others))
    return tuple(sorted(found, key=lambda d: (-round(d.disagreement, 12), -d.mentions, d.document, d.annotator)))
