"""`score`: from a key and a response to an `Evaluation`."""

from __future__ import annotations

import dataclasses
import math
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from markable import duplicates as repeated_mentions
from markable.corpus import Corpus, Entity
from markable.counts import Counts, Score, divide
from markable.errors import MarkableWarning, MismatchError, OptionError, UnknownNameError
from markable.formats import read
from markable.formats.source import Source
from markable.matching import Matching, match
from markable.matching.documents import Pairing, pair_documents, warn_of_lone_documents
from markable.matching.exact import places
from markable.matching.tokens import compare_tokens
from markable.metrics import METRICS
from markable.metrics.ceaf import phi1, phi2, phi3, phi4
from markable.profiles import Options, profile_named
from markable.python_values import corpus_of
from markable.rows import Ints, order_by
from markable.table import LinkCounts, Table
from markable.version import VERSION

Metric = Callable[[Table], Counts]
ALIGNMENTS: dict[str, Callable[[Table], Any]] = {"ceaf_m": phi3, "ceaf_e": phi4, "ceaf_phi1": phi1, "ceaf_phi2": phi2}


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of one response.

    counts : metric -> `Counts`, one row a document
    table, matching : what was counted, for whoever wants to know why
    same_words : whether key and response were seen to have the same tokens

    >>> evaluation = score([{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}])
    >>> evaluation["muc"].recall, evaluation["muc"].precision, evaluation["muc"].f1
    (0.5, 0.5, 0.5)
    """

    key: str
    response: str
    documents: tuple[str, ...]
    counts: Mapping[str, Counts]
    options: Options
    table: Table
    matching: Matching
    same_words: bool

    def __getitem__(self, metric: str) -> Score:
        """The score of the corpus, micro or macro as in the options: floats, fractions of 1, nan where undefined."""
        return self.macro(metric)[0] if self.options.average == "macro" else self.micro(metric)

    def __iter__(self) -> Any:
        return iter(self.counts)

    def micro(self, metric: str) -> Score:
        """Counts of all documents added, then divided."""
        return self._totals(metric)

    def macro(self, metric: str) -> tuple[Score, int]:
        """The mean of the documents' scores where they are defined, and the number of documents whose F, or value, is."""
        rows = self._counts(metric).score(self.options.undefined, self.options.beta)

        def mean(values: Any) -> float | None:
            if values is None:
                return None
            defined = np.asarray(values)[~np.isnan(values)]
            return float(divide(math.fsum(defined.tolist()), len(defined)))

        value = mean(rows.value)
        assert value is not None
        return Score(value, mean(rows.recall), mean(rows.precision)), int(np.count_nonzero(~np.isnan(rows.value)))

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
        key, response = self.matching.key, self.matching.response
        number = _table_order(response, self.matching.documents.response)[0]
        cells = self.table.alignment(ALIGNMENTS[metric]).cells
        pairs = zip(self.table.key[cells].tolist(), number[self.table.response[cells]].tolist(), strict=True)
        return [(Entity(key, k), Entity(response, r)) for k, r in pairs]

    @property
    def signature(self) -> str:
        """One line that says how the numbers were made, to be cited with them."""
        o = self.options
        named = "all" if list(self.counts) == list(METRICS) else "+".join(self.counts)
        fields = {
            "profile": None if o.profile == "default" else o.profile,
            "match": o.match,
            "tokens": "same" if self.same_words else "not-compared",
            "duplicates": o.duplicates,
            "singletons": {"keep": "kept", "drop": "dropped"}[o.singletons],
            "undefined": f"{o.undefined:g}",
            "average": o.average,
            "beta": None if o.beta == 1 else f"{o.beta:g}",
            "extra-documents": None if o.extra_documents == "score" else o.extra_documents,
            "lea": o.lea_importance and ",".join(f"{t}={w:g}" for t, w in sorted(o.lea_importance.items())),
            "documents": str(len(self.documents)),
        }
        return " | ".join([f"markable {VERSION}", named, *(f"{k}:{v}" for k, v in fields.items() if v)])

    def _counts(self, metric: str) -> Counts:
        if metric not in self.counts:
            raise UnknownNameError("metric", metric, self.counts)
        return self.counts[metric]

    def _totals(self, metric: str) -> Score:
        cache: dict[str, Score] = self.__dict__.setdefault("_cache", {})
        if metric not in cache:
            cache[metric] = self._counts(metric).total().score(self.options.undefined, self.options.beta)[0]
        return cache[metric]


def score(
    key: Any,
    response: Any,
    *,
    metrics: Iterable[str] | Mapping[str, Metric] | None = None,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    name: str | None = None,
    **options: Any,
) -> Evaluation:
    """Score a response against a key.

    key, response : paths (`-` is standard input), `Corpus` objects, or plain Python values (see `markable.python_values`)
    metrics       : names from `METRICS`, or a mapping from names to functions of your own; None for all
    profile       : one of `PROFILES`
    key_format, response_format : one of `FORMATS`; None to tell it from the content
    name          : what reports call the response
    options       : any field of `Options`; it goes before the profile's

    FormatError, MismatchError, UnknownNameError, OptionError; a `MarkableWarning` where the input leaves something to say.

    >>> score([0, 0, 1, 1], [0, 0, 1, 2])["links"].recall
    0.5
    """
    settings = profile_named(profile)
    unknown = set(options) - {f.name for f in dataclasses.fields(Options)}
    if unknown:
        raise UnknownNameError("option", min(unknown), [f.name for f in dataclasses.fields(Options)])
    o = dataclasses.replace(settings.options, **options)
    chosen = _chosen(metrics, settings.metrics)

    k, r = read_corpus(key, key_format, "key"), read_corpus(response, response_format, "response")
    pairing = pair_documents(k, r)
    if o.extra_documents == "ignore" and pairing.only_response:
        _warn(f"left out {len(pairing.only_response)} documents of {r.source} that are not in {k.source}")
        r = r.select_documents(np.flatnonzero(pairing.response < len(k.names)))
        pairing = pair_documents(k, r)
    warn_of_lone_documents(k, r, pairing)
    same_words = _same_words(k, r, pairing, o)
    k, r = _prepared(k, r, pairing, o)
    matching = match(k, r, matcher=o.match, pairing=pairing)
    _warn_of_nothing(matching)
    table = table_of(matching, o.lea_importance)
    counts = {name: metric(table) for name, metric in chosen.items()}
    _warn_of_bounds(counts)
    return Evaluation(k.source, name or r.source, pairing.names, counts, o, table, matching, same_words)


def read_corpus(value: Any, format: str | None = None, role: str = "key") -> Corpus:
    """A corpus from whatever `score` accepts."""
    if isinstance(value, Corpus):
        return value
    if isinstance(value, (str, os.PathLike, Source)):
        return read(value, format=format, role=role)
    return corpus_of(value, source=f"<{role}>")


def table_of(matching: Matching, lea_importance: Mapping[str, float] | None = None) -> Table:
    """The table of a matching. OptionError if entities are weighted by type and a side has no types."""
    key, response, pairing = matching.key, matching.response, matching.documents
    key_order, key_number, key_document = _table_order(key, pairing.key)
    response_order, response_number, response_document = _table_order(response, pairing.response)
    return Table.of(
        key_number[key.entity[matching.key_mention]],
        response_number[response.entity[matching.response_mention]],
        key.entity_size[key_order],
        response.entity_size[response_order],
        key_document,
        response_document,
        len(pairing.names),
        key_importance=_importance(key, key_order, lea_importance),
        response_importance=_importance(response, response_order, lea_importance),
        links=_link_counts(matching),
    )


def _table_order(corpus: Corpus, place: Ints) -> tuple[Ints, Ints, Ints]:
    """Entities in the order of the paired documents: their numbers, the place of each number, the document of each place."""
    document = place[corpus.entity_document]
    order = order_by(document)
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return order, number, document[order]


def _importance(corpus: Corpus, order: Ints, weights: Mapping[str, float] | None) -> Any:
    if weights is None:
        return None
    if corpus.types is None and len(order):
        raise OptionError(f"{corpus.source} has no entity types, which importance by type needs")
    types = [corpus.types[e] for e in order] if corpus.types else []
    missing = sorted(set(types) - set(weights))
    if missing:
        raise OptionError(f"no importance for entity type {missing[0]!r} of {corpus.source}; given: {', '.join(weights)}")
    return np.array([weights[t] for t in types], dtype=np.float64)


def _link_counts(matching: Matching) -> LinkCounts | None:
    if matching.key.links is None or matching.response.links is None:
        return None
    documents = len(matching.documents.names)

    def side(corpus: Corpus, place: Ints, other: Corpus, own_mention: Ints, other_mention: Ints) -> tuple[Ints, Ints]:
        links = corpus.links
        assert links is not None
        entity = np.full(len(corpus.entity), -1, dtype=np.int64)  # of each mention's counterpart
        entity[own_mention] = other.entity[other_mention]
        found = (entity[links.first] >= 0) & (entity[links.first] == entity[links.second])
        document = place[links.document]
        return np.bincount(document, minlength=documents), np.bincount(document[found], minlength=documents)

    m = matching
    return LinkCounts(
        *side(m.key, m.documents.key, m.response, m.key_mention, m.response_mention),
        *side(m.response, m.documents.response, m.key, m.response_mention, m.key_mention),
    )


def _prepared(key: Corpus, response: Corpus, pairing: Pairing, o: Options) -> tuple[Corpus, Corpus]:
    """Both sides with repeated mentions resolved, then singletons dropped if that is wanted."""
    if o.duplicates == "conll":
        key, response = _as_the_reference_scorer(key, response, pairing)
    else:
        key, response = (repeated_mentions.resolve(side, o.duplicates) for side in (key, response))
    if o.singletons == "drop":
        key, response = (side.select(side.entity_size[side.entity] > 1) for side in (key, response))
    return key, response


def _as_the_reference_scorer(key: Corpus, response: Corpus, pairing: Pairing) -> tuple[Corpus, Corpus]:
    """The Perl scorer keeps the first copy of a response mention that the key has, and every copy of all others."""
    copies = repeated_mentions.repeated(response)
    if copies.any():
        key_place, response_place = places(key, response, pairing)
        dropped = copies & np.isin(response_place, key_place)
        response = response.select(~dropped)
        _warn(
            f"{response.source}: {copies.sum()} repeated mentions; kept the first copy of the {dropped.sum()} that the key has"
        )
    copies = repeated_mentions.repeated(key)
    if copies.any():
        _warn(
            f"{key.source}: {copies.sum()} repeated mentions in the key; all copies count, the last is the one found; "
            "the reference scorer counts such keys in yet other ways, so its digits are not promised"
        )
    return key, response


def _same_words(key: Corpus, response: Corpus, pairing: Pairing, o: Options) -> bool:
    if o.tokens == "ignore":
        return False
    try:
        return compare_tokens(key, response, pairing)
    except MismatchError as difference:
        if o.tokens == "compare":
            raise
        _warn(str(difference))
        return False


def _chosen(metrics: Iterable[str] | Mapping[str, Metric] | None, own: Mapping[str, Metric]) -> dict[str, Metric]:
    if isinstance(metrics, Mapping):
        return dict(metrics)
    names = list(METRICS if metrics is None else [metrics] if isinstance(metrics, str) else metrics)
    for name in names:
        if name not in METRICS:
            raise UnknownNameError("metric", name, METRICS)
    return {name: own.get(name, METRICS[name]) for name in names}


def _warn_of_nothing(m: Matching) -> None:
    """No mention in common is seldom meant."""
    sizes = len(m.key.document), len(m.response.document)
    if not sizes[0]:
        _warn(f"{m.key.source} has no mentions" + (f", and neither has {m.response.source}" if not sizes[1] else ""))
    elif not sizes[1]:
        _warn(f"{m.response.source} has no mentions")
    elif not len(m.key_mention):
        if m.key.items is None and ((m.key.start >= m.key.end).any() or (m.response.start >= m.response.end).any()):
            raise MismatchError(
                f"{m.key.source} and {m.response.source} have no mention in common, and some spans end where they start; "
                "expected half-open spans [start, end): add 1 to inclusive ends"
            )
        _warn(f"{m.key.source} and {m.response.source} have no mention in common; are spans counted alike in both?")


def _warn_of_bounds(counts: Mapping[str, Counts]) -> None:
    loose = [name for name, c in counts.items() if any(column.endswith("slack") for column in c.columns)]
    if loose:
        _warn(f"the alignment ran out of its budget: {', '.join(loose)} are lower bounds, certified with their upper bounds")


def _warn(message: str) -> None:
    warnings.warn(MarkableWarning(message), stacklevel=3)
