"""The scores of one response: `Evaluation`, and its signature."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.corpus.corpus import Corpus, Entity
from referee.counts import Counts, Score, divide
from referee.exceptions import UnknownNameError
from referee.matching.matchers import Matching, match
from referee.metrics.ceaf import phi1, phi2, phi3, phi4
from referee.metrics.table import Layers, Table, table_of
from referee.scoring.options import Options
from referee.version import VERSION

ALIGNMENTS: dict[str, Callable[[Table], Any]] = {"ceaf_m": phi3, "ceaf_e": phi4, "ceaf_phi1": phi1, "ceaf_phi2": phi2}


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of one response.

    key, response : what was compared: over the same documents, repeated mentions resolved
    name       : what reports call the response
    counts     : metric -> `Counts`, one row a document
    own        : measures that the caller brought along
    words      : what is known of their tokens: "same", "different", "not-compared", or how far they were aligned
    everything : whether no measures were named, so all were computed that the key calls for
    layers     : key and response over the same documents, before anything was left out

    >>> from referee import score
    >>> evaluation = score([{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}])
    >>> evaluation["muc"].recall, evaluation["muc"].precision, evaluation["muc"].f1
    (0.5, 0.5, 0.5)
    """

    key: Corpus
    response: Corpus
    name: str
    counts: Mapping[str, Counts]
    options: Options
    words: str
    own: frozenset[str] = frozenset()
    everything: bool = False
    layers: Layers | None = None

    @property
    def documents(self) -> tuple[str, ...]:
        return self.key.doc_ids

    @cached_property
    def matching(self) -> Matching:
        """Which mentions were matched, all documents together."""
        o = self.options
        return match(
            self.key,
            self.response,
            matcher=o.match,
            zeros=o.zeros,
            min_overlap=o.overlap,
            characters=self.layers.characters if self.layers else (),
        )

    @cached_property
    def table(self) -> Table:
        """What was counted, all documents together."""
        return table_of(self.matching, self.options.lea_importance, self.layers)

    def __getitem__(self, metric: str) -> Score:
        """The score of the corpus, micro or macro as in the options: floats, fractions of 1, nan where undefined."""
        return self.macro(metric)[0] if self.options.average == "macro" else self.micro(metric)

    def __iter__(self) -> Iterator[str]:
        return iter(self.counts)

    def micro(self, metric: str) -> Score:
        """Counts of all documents added, then divided."""
        if metric not in self.counts:
            raise UnknownNameError("metric", metric, self.counts)
        return self._micro[metric]

    @cached_property
    def _micro(self) -> dict[str, Score]:
        o = self.options
        return {name: counts.total().score(o.undefined, o.beta)[0] for name, counts in self.counts.items()}

    def macro(self, metric: str) -> tuple[Score, int]:
        """The mean of the documents' scores where they are defined, and the number of documents whose F, or value, is."""
        if metric not in self.counts:
            raise UnknownNameError("metric", metric, self.counts)
        rows = self.by_document[metric]

        def mean(values: Any) -> Any:
            """nan where no document has a value, None where the measure has none."""
            if values is None:
                return None
            defined = np.asarray(values)[~np.isnan(values)]
            return float(divide(math.fsum(defined.tolist()), len(defined)))

        def means(score: Score) -> Score:
            return Score(mean(score.value), mean(score.recall), mean(score.precision))

        upper = None if rows.upper is None else means(rows.upper)
        return replace(means(rows), upper=upper), int(np.count_nonzero(~np.isnan(rows.value)))

    def document(self, name: str) -> dict[str, Score]:
        """The scores of one document."""
        if name not in self.documents:
            raise UnknownNameError("document", name, self.documents)
        return {metric: rows[self.documents.index(name)] for metric, rows in self.by_document.items()}

    @cached_property
    def by_document(self) -> dict[str, Score]:
        """Metric -> the scores of all documents, arrays of shape (documents,)."""
        return {name: c.score(self.options.undefined, self.options.beta) for name, c in self.counts.items()}

    def alignment(self, metric: str = "ceaf_e") -> list[tuple[Entity, Entity]]:
        """The pairs of key and response entities that a CEAF measure aligns; only pairs with a mention in common."""
        if metric not in ALIGNMENTS:
            raise UnknownNameError("alignment", metric, ALIGNMENTS)
        cells = self.table.alignment(ALIGNMENTS[metric]).cells
        pairs = zip(self.table.key[cells].tolist(), self.table.response[cells].tolist(), strict=True)
        return [(Entity(self.key, k), Entity(self.response, r)) for k, r in pairs]

    def _repr_html_(self) -> str:
        """The scores, as a notebook shows them."""
        from referee.reports import Results
        from referee.reports.grid import grid
        from referee.reports.html import fragment

        return fragment(grid(Results([self])))

    @property
    def signature(self) -> str:
        """One line that says how the numbers were made, to be cited with them; * marks a measure that is not one of ours."""
        o = self.options
        named = "all" if self.everything else "+".join(name + "*" * (name in self.own) for name in self.counts)
        formats = list(dict.fromkeys(side.format for side in (self.key, self.response) if side.format))
        parts = {
            "formats": "/".join(formats) or None,
            "profile": None if o.profile == "default" else o.profile,
            "match": o.match,
            "overlap": _exact(o.overlap) if o.match == "overlap" else None,
            "zeros": o.zeros if o.zeros == "drop" or (self.key.empty_nodes and self.response.empty_nodes) else None,
            "tokens": self.words,
            "duplicates": o.duplicates,
            "singletons": {"keep": "kept", "drop": "dropped", "drop-listed": "dropped-as-listed"}[o.singletons],
            "across": None if o.across == "document" else o.across,
            "undefined": _exact(o.undefined),
            "average": o.average,
            "beta": None if o.beta == 1 else _exact(o.beta),
            "extra-documents": None if o.extra_documents == "score" else o.extra_documents,
            "decimals": None if o.decimals == "round" else o.decimals,
            "lea": o.lea_importance and ",".join(f"{t}={_exact(w)}" for t, w in sorted(o.lea_importance.items())),
            "documents": str(len(self.documents)),
        }
        return " | ".join([f"referee {VERSION}", named, *(f"{k}:{v}" for k, v in parts.items() if v)])


def _exact(number: float) -> str:
    """The number as short as it can be said without rounding it.

    >>> _exact(2.0), _exact(0.1234567)
    ('2', '0.1234567')
    """
    return repr(number).removesuffix(".0")
