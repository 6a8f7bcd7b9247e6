"""Tables 4 and 5 of Popescu-Belis and Robba (1998), and below them a resolver on other texts: `ResolvedTexts`.

The experiment is the paper's: its metrics score a resolver of its kind, on mentions that people annotated. Its texts and its
system are not available, so ours are others, and no number can be expected to be equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from referee.algorithms.arrays import tally
from referee.basics.exceptions import brief, brief_names
from referee.basics.version import VERSION
from referee.corpus import Corpus
from referee.reports.listing import Cell, Column, Listing
from referee.reports.result import Result
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score
from referee.stats.counts import Score

METRICS = ("muc", "core_mr", "exclusive_core_mr")

PRINTED = {
    "VA": (638, 371, 0.64, 0.57, 0.41, 0.37, 0.56, 0.69, 0.283, 0.800),
    "LPG.equ": (None, None, 0.75, 0.76, 0.61, 0.41, 0.41, 0.53, 0.328, 0.632),
    "LPG.long": (3812, 494, 0.83, 0.88, 0.58, 0.40, 0.34, 0.50, 0.367, 0.514),
}
"""What the paper prints: a short story by Stendhal, a part of the first chapter of a novel by Balzac, and that chapter."""

COLUMNS = [
    Column("text"),
    Column("system"),
    *(Column(name, "count") for name in ("REs", "MRs")),
    *(Column(name, "number", form=".2f") for name in ("MRS", "MPS", "CRS", "CPS", "XRS", "XPS")),
    Column("d-error", "number", form=".1%"),
    Column("", "remark", field="d-error of"),
    Column("overlap", "number", form=".1%"),
]

NOTES = (
    "The first three rows are quoted from the paper. The experiment is the same; the texts and the system are others.",
    "REs are mentions, MRs entities. M is MUC, C core MR, X exclusive core MR; RS is recall, PS precision.",
    "The d-error is of precision if entities are too large, of recall if they are too small.",
)


@dataclass(frozen=True, eq=False, repr=False)
class ResolvedTexts(Result):
    """Texts with coreference, and what a resolver made of the same mentions.

    Parameters
    ----------
    key, response : Corpus
    model : str
        What resolved them, in words.
    """

    key: Corpus
    response: Corpus
    model: str

    def __repr__(self) -> str:
        return f"<ResolvedTexts: {brief_names(self.evaluation.documents)}; {brief(self.model)}>"

    @cached_property
    def evaluation(self) -> Evaluation:
        """The scores."""
        return score(self.key, self.response, metrics=[*METRICS, "overlap", "d_error"])

    def listing(self) -> Listing:
        """The rows of the paper; then ours, and one of all our texts together if there are several."""
        rows = [_row(text, "the paper's", numbers, "precision") for text, numbers in PRINTED.items()]
        names = self.evaluation.documents
        rows += [self._row(name, number) for number, name in enumerate(names)]
        if len(names) > 1:
            rows.append(self._row(f"these {len(names)} together", None))
        return Listing(COLUMNS, rows, notes=[*NOTES, f"referee {VERSION} | paper:002 | {self.model}"], sections=[len(PRINTED)])

    def _row(self, name: str, document: int | None) -> list[object]:
        """The row of a document, or of all."""
        key = self.evaluation.pair.scored[0]
        sizes = [tally(column, minlength=len(key.doc_ids)) for column in (key.document, key.entity_document)]
        scores = [self._score(metric, document) for metric in METRICS]
        d = self._score("d_error", document).value
        numbers = (
            *(int(size.sum() if document is None else size[document]) for size in sizes),
            *(side for one in scores for side in (one.recall, one.precision)),
            abs(d),
            self._score("overlap", document).value,
        )
        return _row(name, self.model, numbers, "precision" if d > 0 else "recall" if d < 0 else None)

    def _score(self, metric: str, document: int | None) -> Score:
        counts = self.evaluation.counts_of(metric)
        return counts.total().score()[0] if document is None else counts.score()[document]


def _row(text: str, system: str, numbers: tuple[float | None, ...], side: str | None) -> list[object]:
    return [text, system, *(Cell(number) for number in numbers[:-1]), side, Cell(numbers[-1])]
