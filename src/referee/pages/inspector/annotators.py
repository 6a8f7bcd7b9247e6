"""Several annotators, none of whom is the key: what the page shows of them together.

`assets/payload.d.ts` describes the records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import one_line
from referee.pages.inspector.packing import Record
from referee.pages.inspector.response import defined
from referee.scoring.evaluation import Evaluation
from referee.stats.intervals import Interval

ALPHA = "alpha "
"""How the names of alphas begin."""


class OfAnnotator(NamedTuple):
    """An entity that the others do not have as it is: whose and where it is, its first mention, size and mean disagreement."""

    document: str
    annotator: str
    name: str
    mentions: int
    disagreement: float


class Agreed(NamedTuple):
    """The agreement of all. Measures are metrics and alphas by name.

    Parameters
    ----------
    alpha : str
        The name of the alpha that leads.
    together : mapping
        Measure -> of all.
    pairs : sequence of mappings
        The same of each pair: the first annotator with each later one, the second one with each later one, and so on.
    by_document : mapping
        The same of each document that all have.
    pairs_by_document : sequence of mappings
        Of each pair: document -> the alpha that leads.
    interval : Interval or None
        Of the alpha that leads; None of one document.
    level : float
        Of the interval.
    units : mapping
        Measure -> its unit, "" for fractions of 1.
    titles : mapping
        Measure -> what people read.
    signature : str
        How all of this was made.
    warnings : sequence of str
        What was warned of, and whether there are too few documents for intervals.
    disputed : sequence of `OfAnnotator`
        The most disputed entities of all documents.
    """

    alpha: str
    together: Mapping[str, float]
    pairs: Sequence[Mapping[str, float]]
    by_document: Mapping[str, Mapping[str, float]]
    pairs_by_document: Sequence[Mapping[str, float]]
    interval: Interval | None
    level: float
    units: Mapping[str, str]
    titles: Mapping[str, str]
    signature: str
    warnings: Sequence[str]
    disputed: Sequence[OfAnnotator]


class Annotators(NamedTuple):
    """Who annotated, and how far they agree.

    Parameters
    ----------
    names : sequence of str
        Who made the key and each response.
    pairs : sequence of sequence of Evaluation
        The second annotator beside each later one, the third one beside each later one, and so on.
    agreement : Agreed
        That of all.
    corrects : sequence of dict or None
        What overviews say of the second annotator and each later one as one that can be corrected; see `correctable`.
    """

    names: Sequence[str]
    pairs: Sequence[Sequence[Evaluation]]
    agreement: Agreed
    corrects: Sequence[Record | None]


def together_overview(agreed: Agreed, documents: Sequence[str], first: int, others: int) -> Record:
    """Describe the agreement of one annotator with each later one, and of all.

    Parameters
    ----------
    agreed : Agreed
        Of all.
    documents : sequence of str
        Those of the page.
    first : int
        The annotator.
    others : int
        How many come later.

    Returns
    -------
    dict
        `TogetherOverview` of `payload.d.ts`.
    """
    annotators = first + 1 + others
    begin = sum(annotators - 1 - earlier for earlier in range(first))  # the pairs of those before
    pairs = range(begin, begin + others)
    nothing: Mapping[str, float] = {}
    return {
        "alpha": {"id": agreed.alpha, "title": agreed.titles[agreed.alpha], "unit": agreed.units[agreed.alpha]},
        "pairs": [
            {
                "corpus": defined(agreed.pairs[pair][agreed.alpha]),
                "documents": [defined(agreed.pairs_by_document[pair].get(d)) for d in documents],
            }
            for pair in pairs
        ],
        "everyone": {
            name: {
                "corpus": defined(value),
                "documents": [defined(agreed.by_document.get(d, nothing).get(name)) for d in documents],
            }
            for name, value in agreed.together.items()
            if name == agreed.alpha or not name.startswith(ALPHA)
        },
    }


def agreement_overview(agreed: Agreed, documents: Sequence[str], names: Sequence[str]) -> Record:
    """Describe the agreement of all annotators.

    Parameters
    ----------
    agreed : Agreed
        Of them.
    documents : sequence of str
        Those of the page.
    names : sequence of str
        The annotators.

    Returns
    -------
    dict
        `AgreementOverview` of `payload.d.ts`. The alpha that leads comes first, then metrics, then other alphas.
    """
    metrics = [name for name in agreed.together if not name.startswith(ALPHA)]
    alphas = [name for name in agreed.together if name.startswith(ALPHA) and name != agreed.alpha]
    measures = [agreed.alpha, *metrics, *alphas]
    ends = agreed.interval
    nothing: Mapping[str, float] = {}
    place = {document: number for number, document in enumerate(documents)}
    return {
        "measures": [{"id": name, "title": agreed.titles[name], "unit": agreed.units[name]} for name in measures],
        "together": [defined(agreed.together[name]) for name in measures],
        "interval": None if ends is None else [defined(ends.low), defined(ends.high)],
        "level": agreed.level,
        "pairs": [[defined(values[name]) for values in agreed.pairs] for name in measures],
        "documents": [[defined(agreed.by_document.get(d, nothing).get(name)) for d in documents] for name in measures],
        "common": len(agreed.by_document),
        "signature": agreed.signature,
        "warnings": list(map(one_line, agreed.warnings)),
        "disputed": [
            {**d._asdict(), "name": one_line(d.name), "document": place[d.document], "annotator": names.index(d.annotator)}
            for d in agreed.disputed
        ],
    }
