"""Documents to be annotated next: those on which systems, or annotators, disagree most. `sample`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.agreement.agreeing import agree
from referee.agreement.merging import UNDECIDED, Merged
from referee.algorithms.arrays import tally
from referee.basics.calls import checked
from referee.basics.exceptions import OptionError, counted
from referee.basics.interactive import brief_names
from referee.corpus import Corpus
from referee.options.types import ScoreOptions
from referee.reports.listing import Column, Listing
from referee.reports.result import Result

if TYPE_CHECKING:
    from typing_extensions import Unpack

WHY = ("disagreement", "random")


DOCUMENTS = 10
"""As many documents are chosen by default."""


@dataclass(frozen=True)
class Sampled:
    """A document of a sample.

    Attributes
    ----------
    document : str
        Its name.
    mentions : int
        How many mentions any system has in it.
    undecided : int
        How many of them most systems do not agree on.
    disagreement : float
        Mean distance of two systems, over these mentions, in [0, 1].
    why : str
        One of `WHY`: how it came into the sample.
    """

    document: str
    mentions: int
    undecided: int
    disagreement: float
    why: str


@dataclass(frozen=True)
class Sample(Result):
    """Documents to be annotated next.

    Attributes
    ----------
    systems : tuple of str
        Whose responses were compared.
    documents : tuple of Sampled
        Those with the most disagreement, then those chosen at random.
    of : int
        How many documents all systems have.
    corpus : Corpus
        The documents, with what most systems agree on, and the undecided mentions as entities of the type "undecided".
    signature : str
        How disagreement was computed.
    """

    systems: tuple[str, ...]
    documents: tuple[Sampled, ...]
    of: int
    corpus: Corpus
    signature: str

    def __repr__(self) -> str:
        return f"<Sample of {len(self.documents)} of {counted(self.of, 'document')} by {brief_names(self.systems)}>"

    def listing(self) -> Listing:
        """Return a table of the documents."""
        columns = [Column("document"), Column("why"), Column("mentions", "count"), Column(UNDECIDED, "count")]
        rows = [[d.document, d.why, d.mentions, d.undecided, d.disagreement] for d in self.documents]
        chosen = f"{len(self.documents)} of {counted(self.of, 'document')}"
        caution = "documents with much disagreement are harder than others: scores on them are not those of all documents"
        way = "of a key that is a random sample, referee estimate estimates the scores of all"
        notes = [f"{chosen}; {caution}", way, self.signature]
        facts = {"systems": list(self.systems), "documents": self.of, "signature": self.signature}
        return Listing([*columns, Column("disagreement", "score")], rows, notes, facts)


@checked(ScoreOptions)
def sample(
    responses: Mapping[str, Any] | Sequence[Any],
    documents: int | None = None,
    *,
    random: int = 0,
    seed: int = 0,
    distance: str = "masi",
    format: str | None = None,
    **options: Unpack[ScoreOptions],
) -> Sample:
    """Choose the documents on which two responses or more disagree most.

    Parameters
    ----------
    responses : mapping or sequence
        Name of a system -> its response, as `agree` accepts annotations.
    documents : int or None
        How many documents to choose by disagreement; None for 10, or as many as there are.
    random : int
        How many to add that are chosen at random from the others: scores on these estimate scores on the others.
    seed : int
        Of the random documents.
    distance : str
        One of `alpha.DISTANCES`.
    format : str or None
        Of all files; None to detect it.
    **options
        As for `agree`.

    Returns
    -------
    Sample

    Raises
    ------
    OptionError, MismatchError, UnknownNameError
        If a number is negative or too large; and as `agree` does.
    """
    wanted = f"--documents {DOCUMENTS if documents is None else documents} and --random {random}"
    if random < 0 or (documents is not None and (documents < 0 or documents + random < 1)):
        raise OptionError(f"found {wanted}; expected 0 or more of each, and 1 in all")
    agreement = agree(responses, metrics=["mentions"], distance=distance, format=format, **options)
    names = agreement.documents
    if documents is None:
        documents = max(min(DOCUMENTS, len(names) - random), 0)
    if documents + random > len(names):
        raise OptionError(f"found {wanted}; expected at most {counted(len(names), 'document')}, as many as all systems have")
    placements, merged = agreement.placements, agreement.merged()
    mentions = tally(placements.values().document, minlength=len(names))
    mean = placements.disagreement_by_document(distance)
    undecided = _undecided(merged)
    disputed = [(-round(float(mean[d]), 12), -undecided.get(name, 0), -int(mentions[d]), name) for d, name in enumerate(names)]
    order = sorted(range(len(names)), key=disputed.__getitem__)
    rest = np.array(sorted(order[documents:]), dtype=np.int64)
    drawn = np.random.default_rng(seed).choice(rest, random, replace=False).tolist() if random else []
    chosen = [(d, WHY[0]) for d in order[:documents]] + [(d, WHY[1]) for d in sorted(drawn)]
    return Sample(
        systems=agreement.annotators,
        documents=tuple(
            Sampled(names[d], int(mentions[d]), undecided.get(names[d], 0), float(mean[d]), why) for d, why in chosen
        ),
        of=len(names),
        corpus=merged.adjudication.select_documents(np.array([d for d, _ in chosen], dtype=np.int64)),
        signature=agreement.signature + f" | seed:{seed}" * bool(random),
    )


def _undecided(merged: Merged) -> dict[str, int]:
    """How many mentions are undecided in each document."""
    names, number = np.unique([each.placed.document for each in merged.undecided], return_counts=True)
    return dict(zip(names.tolist(), number.tolist(), strict=True))
