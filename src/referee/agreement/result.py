"""`Agreement`: what `agree` returns, and its tables: of pairs, as a matrix, of documents, of disputed entities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from referee.agreement.disputes import Disputed, disputed
from referee.agreement.merging import Merged, cells, merge
from referee.agreement.placing import Placements
from referee.basics.exceptions import check_name, counted
from referee.metrics.titles import title_of
from referee.options import choices
from referee.reports.listing import Column, Listing, Title, plain
from referee.reports.numbers import formatted
from referee.reports.result import Result
from referee.stats.intervals import Interval
from referee.stats.settings import Resampling
from referee.stats.significance import ROUNDING

ALL = "all"
"""The name of all annotators together in a table."""

BY = choices.AGREEMENT_BY
"""What a row stands for."""

ALPHA = ".3f"
"""How alpha is formatted: it is no percentage."""


@dataclass(frozen=True)
class Agreement(Result):
    """The agreement between annotators.

    Attributes
    ----------
    annotators : tuple of str
        Their names, in the order given.
    documents : tuple of str
        The documents that all of them have.
    pairs : mapping
        (annotator, annotator) -> name of a metric, or "alpha DISTANCE" -> agreement of the two.
    together : mapping
        The same of all: the mean over pairs, and alpha of all together.
    intervals : mapping
        "alpha DISTANCE" -> interval over resampled documents; none of one document.
    by_document : mapping
        Document -> the same as `together`.
    mentions : str
        One of `alpha.MENTIONS`: what alpha does with mentions that only some annotators have.
    distance : str
        One of `alpha.DISTANCES`: that of `disputed`.
    units : mapping
        Name -> its unit, "" for fractions of 1.
    resampling : Resampling
        How the intervals were made.
    signature : str
        How all other numbers were made.
    placements : Placements
        The mentions of all annotators side by side.
    """

    annotators: tuple[str, ...]
    documents: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Mapping[str, float]]
    together: Mapping[str, float]
    intervals: Mapping[str, Interval]
    by_document: Mapping[str, Mapping[str, float]]
    mentions: str
    distance: str
    units: Mapping[str, str]
    resampling: Resampling
    signature: str
    placements: Placements = field(repr=False, compare=False)

    @cached_property
    def disputed(self) -> tuple[Disputed, ...]:
        """The entities with any disagreement, the most first."""
        return disputed(self.placements, self.mentions, self.distance)

    def __repr__(self) -> str:
        alpha = f"alpha {self.distance}"
        return (
            f"<Agreement of {', '.join(self.annotators)}: {alpha} {formatted(self.together[alpha], ALPHA)}, "
            f"{counted(len(self.documents), 'document')}>"
        )

    def listing(self, *, by: str = "pair", top: int | None = None) -> Listing:
        """Return a table of the agreement.

        Parameters
        ----------
        by
            What a row stands for: a "pair" of annotators, and all together; an annotator, in a "matrix" of the first metric; a
            "document", the least alpha first; an "entity", or a "mention", the most disagreement first; an "undecided" mention,
            as `merged` finds them.
        top
            The largest number of documents or entities; None for all.

        Raises
        ------
        UnknownNameError
            For an unknown `by`.
        """
        check_name("table", by, BY)
        facts = {"annotators": list(self.annotators), "documents": len(self.documents)}
        title = f"Agreement of {', '.join(self.annotators)}"
        if by == "pair":
            signature = f"{self.signature} | {self.resampling.signature}"
            ends = {name: [plain(i.low), plain(i.high)] for name, i in self.intervals.items()}
            notes = [*self._about_intervals(), signature]
            return Listing(*self._by_pair(), notes, {**facts, "intervals": ends, "signature": signature}, title=title)
        if by == "undecided":
            return self.merged().listing(top=top)
        tables = {"matrix": self._matrix, "document": self._by_document, "entity": self._by_entity, "mention": self._by_mention}
        columns, rows = tables[by]()
        shown = rows if by == "matrix" else rows[:top]
        return Listing(columns, shown, [self.signature], {**facts, "signature": self.signature}, title=title)

    def _by_pair(self) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        rows = [[*pair, *found.values()] for pair, found in self.pairs.items()]
        labels = [Column("annotator"), Column("other")]
        return [*labels, *map(self._column, self.together)], [*rows, [ALL, "", *self.together.values()]]

    def _matrix(self) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        """The first metric, annotator by annotator."""
        metric = next(iter(self.together))
        both = {**self.pairs, **{(y, x): found for (x, y), found in self.pairs.items()}}
        rows = [[x, *(both[x, y][metric] if x != y else math.nan for y in self.annotators)] for x in self.annotators]
        return [Column(title_of(metric)), *(self._column(metric)._replace(title=Title(name)) for name in self.annotators)], rows

    def _by_document(self) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        """Undefined documents come last."""

        def order(document: str) -> tuple[bool, float]:
            alpha = self.by_document[document][f"alpha {self.distance}"]
            return math.isnan(alpha), 0.0 if math.isnan(alpha) else alpha

        rows = [[name, *self.by_document[name].values()] for name in sorted(self.documents, key=order)]
        return [Column("document"), *map(self._column, self.together)], rows

    def _by_entity(self) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        columns = [Column("document"), Column("annotator"), Column("entity"), Column("others")]
        rows = [[d.document, d.annotator, d.name, d.others, d.mentions, d.disagreement] for d in self.disputed]
        return [*columns, Column("mentions", "count"), Column("disagreement", "score")], rows

    def _by_mention(self) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        """Mentions with any disagreement, or that not all have; those with the same disagreement in the order of the text."""
        columns = [Column("document"), Column("place"), Column("mention"), *(Column(Title(name)) for name in self.annotators)]
        placed = sorted(self.placements.placed(self.distance), key=lambda p: -round(p.disagreement, 12))
        rows = [[*cells(p), p.disagreement] for p in placed if p.disagreement > ROUNDING or None in p.entities]
        return [*columns, Column("disagreement", "score")], rows

    def merged(self) -> Merged:
        """Return a key merged by majority, with what is undecided; see `referee.agreement.merging.merge`."""
        return merge(self.placements, self.distance, self.signature)

    def _column(self, name: str) -> Column:
        """The column of a metric, or of an alpha."""
        if name in self.intervals or name.startswith("alpha "):
            return Column(name, "number", form=ALPHA)
        return Column(title_of(name), "score", self.units[name])

    def _about_intervals(self) -> list[str]:
        """The intervals of alpha, how many resamples are left out, and whether there are too few documents."""
        caution = self.resampling.caution(len(self.documents))
        if not self.intervals:
            return [caution]
        ends = "; ".join(
            f"{name} [{formatted(i.low, ALPHA)}, {formatted(i.high, ALPHA)}]" for name, i in self.intervals.items()
        )
        undefined = ", ".join(f"{name} {i.undefined}" for name, i in self.intervals.items() if i.undefined)
        left_out = f"resamples with a score of 0/0, left out, of {self.resampling.resamples}: {undefined}"
        notes = [f"intervals over documents, all annotators: {ends}", left_out if undefined else "", caution]
        return [note for note in notes if note]
