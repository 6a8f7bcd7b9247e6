"""`Agreement`: what `agree` returns, and its tables: of pairs, as a matrix, of documents, of disputed entities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from referee.agreement.disputes import Disputed, disputed, how_to_read, rows_for_people
from referee.agreement.merging import Merged, cells, cells_for_people, merge
from referee.agreement.placing import Placements
from referee.basics.exceptions import OptionError, brief_names, check_name, counted
from referee.basics.options import choices
from referee.corpus.naming import unit_of
from referee.metrics.titles import title_of
from referee.reports.listing import Cell, Column, Listing, Title, plain
from referee.reports.numbers import formatted, minus
from referee.reports.result import Result
from referee.stats.counts import mean
from referee.stats.intervals import Interval
from referee.stats.settings import Resampling

ALL = "all"
"""The name of all annotators together in a table."""

BY = choices.AGREEMENT_BY
"""What a row stands for."""

DISPUTES = ("entity", "mention")
"""Rows of what annotators disagree on; other rows have agreement."""

ALPHA = ".3f"
"""How alpha is formatted: it is no percentage."""

REPORTED = ("masi", "unmarked")
"""The distance, and the rule for mentions, of the alpha to report: the defaults of `agree`."""

RULES = {
    "unmarked": "not marked is a value",
    "all": "not marked is a singleton",
    "common": "of {}s that all have",
}
"""What people read of each of `alpha.MENTIONS`."""

LEAST_FIRST = "the least alpha first; disagreement, by which referee sample chooses documents, is not corrected for chance"

MORE = "--metrics all shows the other metrics, and alpha by each distance"

DISTANCE_TITLES = {"masi": "MASI", "jaccard": "Jaccard"}
"""Distances that are written in another way where people read them."""


def measure_title(name: str) -> str:
    """What people read of a metric, or of an alpha with its distance.

    >>> measure_title("alpha masi"), measure_title("alpha set"), measure_title("b_cubed")
    ('alpha (MASI)', 'alpha (set)', 'B³')
    """
    if name.startswith("alpha "):
        distance = name.removeprefix("alpha ")
        return f"alpha ({DISTANCE_TITLES.get(distance, distance)})"
    title = title_of(name)
    return title.paper or title.text


@dataclass(frozen=True, eq=False)
class Agreement(Result):
    """The agreement between annotators.

    The coefficient to report is `alpha`, with its `interval`. All else is in `together`, `pairs` and `by_document`.

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
    pairs_by_document : mapping
        (annotator, annotator) -> document -> alpha of the two, by `distance`.
    mentions : str
        One of `alpha.MENTIONS`: what alpha does with mentions that only some annotators have.
    distance : str
        One of `distances.DISTANCES`: that of `alpha` and of `disputed`.
    shown : tuple of str
        The names whose numbers people see, of those in `together`; programs get all.
    units : mapping
        Name -> its unit, "" for fractions of 1.
    of_f : frozenset of str
        The metrics whose numbers are F1.
    resampling : Resampling
        How the intervals were made.
    signature : str
        How all other numbers were made.
    placements : Placements
        The mentions of all annotators side by side.
    warnings : tuple of str
        What was warned of.
    """

    annotators: tuple[str, ...]
    documents: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Mapping[str, float]]
    together: Mapping[str, float]
    intervals: Mapping[str, Interval]
    by_document: Mapping[str, Mapping[str, float]]
    pairs_by_document: Mapping[tuple[str, str], Mapping[str, float]]
    mentions: str
    distance: str
    shown: tuple[str, ...]
    units: Mapping[str, str]
    of_f: frozenset[str]
    resampling: Resampling
    signature: str
    placements: Placements = field(repr=False, compare=False)
    warnings: tuple[str, ...] = ()

    @cached_property
    def disputed(self) -> tuple[Disputed, ...]:
        """The entities with any disagreement, the largest disputes first: mentions × disagreement."""
        return disputed(self.placements, self.mentions, self.distance)

    @property
    def alpha(self) -> float:
        """Krippendorff's alpha of all annotators together, by `distance`: the coefficient to report; nan if undefined."""
        return self.together[self._leading]

    @property
    def interval(self) -> Interval | None:
        """The interval of `alpha` over resampled documents; None of one document."""
        return self.intervals.get(self._leading)

    @property
    def signature_of_intervals(self) -> str:
        """The signature of a report with an interval: it says how the interval was made, too."""
        return f"{self.signature} | {self.resampling.signature}"

    @property
    def _leading(self) -> str:
        return f"alpha {self.distance}"

    @property
    def _alpha_said(self) -> str:
        """Alpha with its distance and interval, such as ``alpha (MASI) 0.516 [0.370, 0.735]``."""
        alpha = minus(formatted(self.alpha, ALPHA)) if not math.isnan(self.alpha) else "is undefined"
        ends = self.interval and not math.isnan(self.interval.low) and self.interval
        interval = f" [{minus(formatted(ends.low, ALPHA))}, {minus(formatted(ends.high, ALPHA))}]" if ends else ""
        return f"{measure_title(self._leading)} {alpha}{interval}"

    @property
    def lead(self) -> str:
        """The first line of a report: agreement on mentions, and on entities; both are to be reported."""
        mentions = f"{self._unit}s F1 {formatted(100 * self.together['mentions'], '.2f')}"
        if math.isnan(self.alpha):
            return f"{mentions}; {self._alpha_said}: no entity has two {self._unit}s"
        usual = "; report both" * ((self.distance, self.mentions) == REPORTED)
        return (
            f"{mentions}, entities {self._alpha_said}, corrected for chance: {RULES[self.mentions].format(self._unit)}{usual}"
        )

    @property
    def _unit(self) -> str:
        return unit_of(*self.placements.corpora.values())

    def __repr__(self) -> str:
        return f"<Agreement of {brief_names(self.annotators)}: {self._alpha_said}, {counted(len(self.documents), 'document')}>"

    def listing(self, *, by: str = "pair", top: int | None = None) -> Listing:
        """Return a table of the agreement.

        Parameters
        ----------
        by
            What a row stands for: a "pair" of annotators, and all together; an annotator, in a "matrix" of what is `shown`
            first; a "document", the least alpha first; an "entity", the most mentions × disagreement first; a "mention", the
            most disagreement first; an entity "type", on whose mentions two agree if both give them this type; an "undecided"
            mention, as `merged` finds them.
        top
            The largest number of documents or entities; None for all.

        Raises
        ------
        UnknownNameError
            For an unknown `by`.
        """
        shown = self.shown if self._leading in self.shown else (self._leading, *self.shown)
        listing = self._listing(by, top, shown)
        if by != "pair":
            return listing
        more = (
            [MORE]
            if any(name not in shown and not name.startswith("alpha ") for name in {*self.together} - {"mentions"})
            else []
        )
        rows = listing.rows[:1] if len(self.pairs) == 1 else listing.rows  # all of two are the pair
        return listing._replace(rows=rows, notes=[*more, *listing.notes])

    def records(self, *, by: str = "pair", top: int | None = None) -> Listing:
        """Return the same table with all metrics and alphas, for programs."""
        return self._listing(by, top, tuple(self.together), for_programs=True)

    def _listing(self, by: str, top: int | None, names: Sequence[str], *, for_programs: bool = False) -> Listing:
        check_name("table", by, BY)
        if by == "undecided":
            merged = self.merged()
            return merged.records(top=top) if for_programs else merged.listing(top=top)
        facts = {"annotators": list(self.annotators), "documents": len(self.documents), "warnings": list(self.warnings)}
        title = f"Agreement of {', '.join(self.annotators)}"
        if by == "type":
            return self._by_type(title, facts)
        if by in DISPUTES:
            columns, rows = (self._by_entity if by == "entity" else self._by_mention)(top, for_programs=for_programs)
            notes = [how_to_read(self._unit)] if by == "entity" and rows else []
            return Listing(columns, rows, [*notes, self.signature], {**facts, "signature": self.signature}, title=title)
        signature = self.signature_of_intervals
        ends = {name: [plain(i.low), plain(i.high)] for name, i in self.intervals.items()}
        facts = {**facts, "distance": self.distance, "intervals": ends, "signature": signature}
        order = [LEAST_FIRST] if by == "document" else []
        notes = [*order, *self._about_intervals(names), signature]
        if by == "pair":
            columns, rows = self._by_pair(names, with_interval=for_programs)
        else:
            columns, rows = (self._matrix if by == "matrix" else self._by_document)(names)
        shown = rows[:top] if by == "document" else rows
        return Listing(columns, shown, notes, facts, caption=self.lead, title=title)

    def _by_pair(self, names: Sequence[str], *, with_interval: bool) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        """Pairs, and all together: for programs with the interval of the alpha that leads, which people see above."""
        rows = [[*pair, *map(scores.__getitem__, names)] for pair, scores in self.pairs.items()]
        of_all: dict[str, object] = dict(self.together)
        if with_interval and self.interval:
            of_all[self._leading] = Cell(self.alpha, self.interval)
        together = [ALL, "", *map(of_all.__getitem__, names)]
        return [Column("annotator"), Column("other"), *self._columns(names)], [*rows, together]

    def _matrix(self, _: Sequence[str]) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        """The first of the numbers that people see, annotator by annotator."""
        name = self.shown[0]
        both = {**self.pairs, **{(y, x): scores for (x, y), scores in self.pairs.items()}}
        rows = [[x, *(both[x, y][name] if x != y else math.nan for y in self.annotators)] for x in self.annotators]
        (column,) = self._columns([name])
        return [Column(column.title), *(column._replace(title=Title(x), field="") for x in self.annotators)], rows

    def _by_document(self, names: Sequence[str]) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        """The least alpha first. Undefined documents come last."""

        def order(document: str) -> tuple[bool, float]:
            alpha = self.by_document[document][self._leading]
            return math.isnan(alpha), 0.0 if math.isnan(alpha) else alpha

        mean = dict(zip(self.documents, self.placements.disagreement_by_document(self.distance).tolist(), strict=True))
        rows = [
            [document, *map(self.by_document[document].__getitem__, names), mean[document]]
            for document in sorted(self.documents, key=order)
        ]
        return [Column("document"), *self._columns(names), Column("disagreement", "score")], rows

    def _by_entity(self, top: int | None, *, for_programs: bool) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        columns = [Column("document"), Column("annotator"), Column("entity"), Column("others")]
        if for_programs:
            rows = [[d.document, d.annotator, d.name, d.others, d.mentions, d.disagreement] for d in self.disputed[:top]]
        else:
            rows = rows_for_people(self.disputed[:top])
        size = Column(f"{self._unit}s", "count", field="mentions")
        return [*columns, size, Column("disagreement", "score")], rows

    def _by_mention(self, top: int | None, *, for_programs: bool) -> tuple[Sequence[Column], Sequence[Sequence[object]]]:
        """The disputed mentions, the most disagreement first; those with the same in the order of the text."""
        people = [Column(Title(name)) for name in self.annotators]
        columns = [Column("document"), Column("place"), Column(self._unit, field="mention"), *people]
        placed = sorted(self.placements.placed(self.distance), key=lambda p: -round(p.disagreement, 12))
        cells_of = cells if for_programs else cells_for_people
        rows = [[*cells_of(p), p.disagreement] for p in [p for p in placed if p.disputed][:top]]
        return [*columns, Column("disagreement", "score")], rows

    def _by_type(self, title: str, facts: Mapping[str, object]) -> Listing:
        """Mentions by the type of their entity, the most frequent type first: F1 of each pair, and the mean."""
        types = self.placements.types
        if not any(map(any, types)):
            raise OptionError("the annotations have no entity types; expected --by pair, document, entity or mention")
        numbers = Counter(name for of_unit in zip(*types, strict=True) for name in {*of_unit} if name)

        def f1(a: Sequence[str], b: Sequence[str], name: str) -> float:
            both = sum(one == other == name for one, other in zip(a, b, strict=True))
            return 2 * both / (a.count(name) + b.count(name)) if name in a or name in b else math.nan

        rows = []
        for name, number in sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0])):
            of_pairs = [f1(a, b, name) for a, b in combinations(types, 2)]
            rows.append([name, number, *of_pairs * (len(of_pairs) > 1), mean(of_pairs)])
        pairs = [Column(Title(f"{a} {b}"), "score") for a, b in self.pairs] * (len(self.pairs) > 1)
        columns = [Column("type"), Column(f"{self._unit}s", "count", field="mentions"), *pairs, Column("F1", "score")]
        note = f"two agree on a {self._unit} of a type if both mark it and give it this type; counts: marked so by anybody"
        facts = {**facts, "signature": self.signature}
        return Listing(columns, rows, [note, self.signature], facts, caption=self.lead, title=title)

    def merged(self) -> Merged:
        """Return a key merged by majority, with what is undecided; see `referee.agreement.merging.merge`."""
        return merge(self.placements, self.distance, self.signature)

    def _columns(self, names: Sequence[str]) -> list[Column]:
        """The columns of metrics and of alphas; the distance is said where there are several."""
        alone = sum(name.startswith("alpha ") for name in names) == 1
        return [self._alpha(name, alone) if name.startswith("alpha ") else self._metric(name) for name in names]

    @staticmethod
    def _alpha(name: str, alone: bool) -> Column:
        return Column("alpha" if alone else name, "number", form=ALPHA, field=name)

    def _metric(self, name: str) -> Column:
        """The column of a metric, which says where a number is F."""
        title = title_of(name)
        if name in self.of_f:
            title = Title(f"{title} F1", f"{title.paper or title} F1", title.latex and f"{title.latex} F$_{{1}}$")
        return Column(title, "score", self.units[name], field=name)

    @property
    def caution(self) -> str:
        """What is to be said of the intervals if there are too few documents; empty if there are enough."""
        return self.resampling.caution(len(self.documents))

    def _about_intervals(self, names: Sequence[str]) -> list[str]:
        """The intervals of the other alphas, how many resamples are left out, and whether there are too few documents."""
        shown = {name: i for name, i in self.intervals.items() if name in names or name == self._leading}
        others = "; ".join(
            f"{name} [{formatted(i.low, ALPHA)}, {formatted(i.high, ALPHA)}]"
            for name, i in shown.items()
            if name != self._leading
        )
        undefined = ", ".join(f"{name} {i.undefined}" for name, i in shown.items() if i.undefined)
        left_out = f"resamples with a score of 0/0, left out, of {self.resampling.resamples}: {undefined}"
        notes = [f"intervals of all annotators: {others}" if others else "", left_out if undefined else "", self.caution]
        return [note for note in notes if note]
