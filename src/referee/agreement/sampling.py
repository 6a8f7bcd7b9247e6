"""Documents to be annotated next: those on which systems, or annotators, disagree most, or some at random. `sample`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.agreement.agreeing import agree
from referee.algorithms.arrays import tally
from referee.basics.exceptions import OptionError, brief_names, counted
from referee.basics.names import check_call
from referee.basics.options.reading import ReadOptions
from referee.basics.options.types import ScoreOptions
from referee.comparison.comparing import call_values, named
from referee.corpus import Corpus
from referee.corpus.undecided import UNDECIDED
from referee.inputs.load import read_corpus
from referee.matching.documents import BY_DOCUMENT
from referee.reports.listing import Column, Listing
from referee.reports.result import Result
from referee.scoring.score import score

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
        Mean distance of two systems, over these mentions, in [0, 1]; nan of a single one.
    why : str
        One of `WHY`: how it came into the sample.
    """

    document: str
    mentions: int
    undecided: int
    disagreement: float
    why: str


@dataclass(frozen=True, eq=False)
class Sample(Result):
    """Documents to be annotated next.

    Attributes
    ----------
    systems : tuple of str
        Whose responses were compared; or the one that has the documents.
    documents : tuple of Sampled
        Those with the most disagreement, then those chosen at random.
    of : int
        How many documents all systems have.
    corpus : Corpus
        The documents, with what most systems agree on, and the undecided mentions as entities of the type "undecided"; with the
        annotation as it is if there is one. `referee.corpus.lossy.blank` makes it one without annotation.
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
        columns = [Column("document"), Column("why"), Column("mentions", "count")]
        rows: list[list[object]] = [[d.document, d.why, d.mentions] for d in self.documents]
        if len(self.systems) > 1:
            columns += [Column(UNDECIDED, "count"), Column("disagreement", "score")]
            rows = [[*row, d.undecided, d.disagreement] for row, d in zip(rows, self.documents, strict=True)]
        facts = {"systems": list(self.systems), "documents": self.of, "signature": self.signature}
        return Listing(columns, rows, [*self._notes(), self.signature], facts)

    def _notes(self) -> list[str]:
        """What scores on these documents say of others."""
        share = f"{len(self.documents)} of {counted(self.of, 'document')}"
        disputed, drawn = ([d for d in self.documents if d.why == why] for why in WHY)
        if disputed:
            share += "; documents with much disagreement are harder than others: scores on them are not those of all documents"
        if not drawn:
            return [share, "--random N adds documents whose scores are not biased"]
        key, rest = ("the random ones alone", "all not chosen by disagreement") if disputed else ("these", "all documents")
        return [share, f"with a key of {key}, {BY_DOCUMENT} estimates scores of {rest}"]


@check_call(ScoreOptions)
def sample(
    responses: Mapping[str, Any] | Sequence[Any],
    number: int | None = None,
    *,
    random: int = 0,
    seed: int = 0,
    distance: str = "masi",
    format: str | None = None,
    **options: Unpack[ScoreOptions],
) -> Sample:
    """Choose the documents on which two responses or more disagree most, or documents at random.

    Parameters
    ----------
    responses : mapping, sequence or path
        Name of a system -> its response, as `agree` accepts annotations. A single one has documents to choose from at random.
    number : int or None
        How many documents to choose by disagreement; None for 10, or as many as there are, and 0 of a single response.
    random : int
        How many to add that are chosen at random from the others: scores on these estimate scores on the others.
    seed : int
        Of the random documents.
    distance : str
        One of `distances.DISTANCES`.
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
        If a number is negative or too large, or disagreement is asked of a single response; and as `agree` does.
    """
    named_responses = named(call_values([responses]))
    for response in named_responses.values():
        if isinstance(response, Corpus) and response.kind != "texts" and len(response.doc_ids) < 2:
            problem = f"{response.source} is one table of records, and documents are chosen"
            how = "choose records at random, find all records of the true entity of each, and give these entities"
            raise OptionError(f"{problem}; expected for records: {how} to referee estimate --weights inverse-size")
    if len(named_responses) == 1:
        return _drawn(named_responses, number or 0, random=random, seed=seed, format=format, **options)
    wanted = f"--number {DOCUMENTS if number is None else number} and --random {random}"
    if random < 0 or (number is not None and (number < 0 or number + random < 1)):
        raise OptionError(f"found {wanted}; expected 0 or more of each, and 1 in all")
    agreement = agree(named_responses, metrics=["mentions"], distance=distance, format=format, **options)
    names = agreement.documents
    if number is None:
        number = max(min(DOCUMENTS, len(names) - random), 0)
    if number + random > len(names):
        raise OptionError(f"found {wanted}; expected at most {counted(len(names), 'document')}, as many as all systems have")
    placements, merged = agreement.placements, agreement.merged()
    mentions = tally(placements.values().document, minlength=len(names))
    mean = placements.disagreement_by_document(distance)
    undecided = Counter(each.placed.document for each in merged.undecided)
    disputed = [(-round(float(mean[d]), 12), -undecided[name], -int(mentions[d]), name) for d, name in enumerate(names)]
    order = sorted(range(len(names)), key=disputed.__getitem__)
    picks = [(d, WHY[0]) for d in order[:number]]
    picks += [(d, WHY[1]) for d in _at_random(sorted(order[number:]), random, seed)]
    return Sample(
        systems=agreement.annotators,
        documents=tuple(Sampled(names[d], int(mentions[d]), undecided[names[d]], float(mean[d]), why) for d, why in picks),
        of=len(names),
        corpus=merged.adjudication.select_documents(np.array([d for d, _ in picks], dtype=np.int64)),
        signature=agreement.signature + f" | seed:{seed}" * bool(random),
    )


def _drawn(
    response: Mapping[str, Any], number: int, *, random: int, seed: int, format: str | None, **options: Unpack[ScoreOptions]
) -> Sample:
    """Choose documents of a single response at random."""
    [(name, value)] = response.items()
    if number or random < 1:
        problem = f"found 1 annotation with --number {number} and --random {random}"
        raise OptionError(
            f"{problem}; expected --random alone, of 1 or more, as disagreement is between two annotations or more"
        )
    corpus = read_corpus(value, ReadOptions(format=format), "annotation")
    evaluation = score(corpus, corpus, metrics=["mentions"], **options)
    names = evaluation.documents
    if random > len(names):
        raise OptionError(f"found --random {random}; expected at most {counted(len(names), 'document')}, as many as there are")
    picks = _at_random(list(range(len(names))), random, seed)
    mentions = tally(evaluation.key.document, minlength=len(names))
    return Sample(
        systems=(name,),
        documents=tuple(Sampled(names[d], int(mentions[d]), 0, math.nan, WHY[1]) for d in picks),
        of=len(names),
        corpus=evaluation.key.select_documents(np.array(picks, dtype=np.int64)),
        signature=f"{evaluation.signature} | seed:{seed}",
    )


def _at_random(documents: list[int], number: int, seed: int) -> list[int]:
    """So many of some documents, in their order."""
    drawn: list[int] = np.random.default_rng(seed).choice(np.array(documents, dtype=np.int64), number, replace=False).tolist()
    return sorted(drawn)
