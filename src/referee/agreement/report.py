"""Agreement as tables: pair by pair, as a matrix, document by document, or the entities with the least of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from referee.agreement.agreeing import ALL, Agreement
from referee.exceptions import check_name
from referee.reports.listing import Column, Listing, plain
from referee.reports.numbers import number


def by_pair(a: Agreement, top: int | None) -> Listing:
    """A row a pair, then all together: means of the measures, and alpha of all at once."""
    rows = [[*pair, *found.values()] for pair, found in a.pairs.items()]
    return Listing([_label("annotator"), _label("other"), *_scores(a)], [*rows, [ALL, "", *a.together.values()]])


def matrix(a: Agreement, top: int | None) -> Listing:
    """The first measure, annotator by annotator."""
    measure = next(iter(a.together))
    both = {**a.pairs, **{(y, x): found for (x, y), found in a.pairs.items()}}
    rows = [[x, *(both[x, y][measure] if x != y else math.nan for y in a.annotators)] for x in a.annotators]
    return Listing([_label(measure), *(Column(name, "score", a.units[measure]) for name in a.annotators)], rows)


def by_document(a: Agreement, top: int | None) -> Listing:
    """A row a document, the least alpha first; undefined ones last."""

    def order(document: str) -> tuple[bool, float]:
        alpha = a.by_document[document][f"alpha {a.distance}"]
        return math.isnan(alpha), 0.0 if math.isnan(alpha) else alpha

    rows = [[name, *a.by_document[name].values()] for name in sorted(a.documents, key=order)[:top]]
    return Listing([_label("document"), *_scores(a)], rows)


def by_entity(a: Agreement, top: int | None) -> Listing:
    """A row an entity, the most disagreement first."""
    columns = [
        _label("document"),
        _label("annotator"),
        _label("entity"),
        Column("mentions", "count"),
        Column("disagreement", "score"),
    ]
    return Listing(columns, [[d.document, d.annotator, d.name, d.mentions, d.disagreement] for d in a.disputed[:top]])


BY: Mapping[str, Callable[[Agreement, int | None], Listing]] = {
    "pair": by_pair,
    "matrix": matrix,
    "document": by_document,
    "entity": by_entity,
}


def listing(a: Agreement, by: str = "pair", top: int | None = None) -> Listing:
    """One of `BY`, with its notes; at most `top` documents or entities. UnknownNameError."""
    check_name("table", by, BY)
    found = BY[by](a, top)
    facts = {"annotators": list(a.annotators), "documents": len(a.documents)}
    if by != "pair":
        return Listing(found.columns, found.rows, [a.signature], {**facts, "signature": a.signature})
    signature = f"{a.signature} | {a.resampling.signature}"
    ends = {name: [plain(i.low), plain(i.high)] for name, i in a.intervals.items()}
    return Listing(found.columns, found.rows, [*_intervals(a), signature], {**facts, "intervals": ends, "signature": signature})


def _intervals(a: Agreement) -> list[str]:
    """The intervals of alpha, and how many resamples are left out."""
    if not a.intervals:
        return ["no interval can be given: there is 1 document, and at least two are needed"]
    ends = "; ".join(f"{name} [{number(i.low)}, {number(i.high)}]" for name, i in a.intervals.items())
    undefined = ", ".join(f"{name} {i.undefined}" for name, i in a.intervals.items() if i.undefined)
    left_out = f"resamples with a score of 0/0, left out, of {a.resampling.resamples}: {undefined}"
    return [f"intervals over documents, all annotators: {ends}", *([left_out] if undefined else [])]


def _label(name: str) -> Column:
    return Column(name, "label")


def _scores(a: Agreement) -> list[Column]:
    return [Column(name, "score", a.units[name]) for name in a.together]
