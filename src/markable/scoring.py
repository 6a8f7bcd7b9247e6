"""`score`: from a key and a response to an `Evaluation`."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from markable.corpus import Corpus, Links
from markable.counts import Counts, Score, concatenate, divide
from markable.duplicates import resolve
from markable.errors import FormatError, MismatchError, OptionError, UnknownNameError, one_line, warn
from markable.formats import read
from markable.formats.source import Source
from markable.matching import Matching, match
from markable.matching.documents import Aligned, align
from markable.matching.tokens import compare_tokens
from markable.metrics import METRICS
from markable.metrics.ceaf import phi1, phi2, phi3, phi4
from markable.profiles import Options, profile_named
from markable.python_values import corpus_of
from markable.rows import Ints
from markable.table import LinkCounts, Table
from markable.version import VERSION
from markable.views import Entity

Metric = Callable[[Table], Counts]
BLOCK = 1 << 17
"""Mentions, of key and response together, that are counted at a time; a larger document is counted whole."""
ALIGNMENTS: dict[str, Callable[[Table], Any]] = {"ceaf_m": phi3, "ceaf_e": phi4, "ceaf_phi1": phi1, "ceaf_phi2": phi2}


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of one response.

    key, response : what was compared: over the same documents, repeated mentions resolved
    name       : what reports call the response
    counts     : metric -> `Counts`, one row a document
    own        : measures that the caller brought along
    words      : what is known of their tokens: "same", "different" or "not-compared"

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

    @property
    def documents(self) -> tuple[str, ...]:
        return self.key.names

    @cached_property
    def matching(self) -> Matching:
        """Which mentions were matched, all documents together."""
        return match(self.key, self.response, matcher=self.options.match)

    @cached_property
    def table(self) -> Table:
        """What was counted, all documents together."""
        return table_of(self.matching, self.options.lea_importance)

    def __getitem__(self, metric: str) -> Score:
        """The score of the corpus, micro or macro as in the options: floats, fractions of 1, nan where undefined."""
        return self.macro(metric)[0] if self.options.average == "macro" else self.micro(metric)

    def __iter__(self) -> Any:
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

    @property
    def signature(self) -> str:
        """One line that says how the numbers were made, to be cited with them; * marks a measure that is not one of ours."""
        o = self.options
        named = (
            "all"
            if list(self.counts) == list(METRICS) and not self.own
            else "+".join(name + "*" * (name in self.own) for name in self.counts)
        )
        parts = {
            "profile": None if o.profile == "default" else o.profile,
            "match": o.match,
            "tokens": self.words,
            "duplicates": o.duplicates,
            "singletons": {"keep": "kept", "drop": "dropped"}[o.singletons],
            "undefined": f"{o.undefined:g}",
            "average": o.average,
            "beta": None if o.beta == 1 else f"{o.beta:g}",
            "extra-documents": None if o.extra_documents == "score" else o.extra_documents,
            "decimals": None if o.decimals == "round" else o.decimals,
            "lea": o.lea_importance and ",".join(f"{t}={w:g}" for t, w in sorted(o.lea_importance.items())),
            "documents": str(len(self.documents)),
        }
        return " | ".join([f"markable {VERSION}", named, *(f"{k}:{v}" for k, v in parts.items() if v)])


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
    unknown = set(options) - {f.name for f in fields(Options)}
    if unknown:
        raise UnknownNameError("option", min(unknown), [f.name for f in fields(Options)])
    o = replace(settings.options, **options)
    chosen = _chosen(metrics, settings.metrics)

    k, r = read_both(key, response, key_format, response_format)
    aligned = align(k, r, extra=o.extra_documents == "score")
    words = _compared_words(aligned, o)
    k, r = _prepared(aligned.key, aligned.response, o)
    counted: dict[str, list[Counts]] = {name: [] for name in chosen}
    matched = 0
    for first, after in _blocks(k, r):
        matching = match(k.block(first, after), r.block(first, after), matcher=o.match)
        matched += len(matching.key_mention)
        table = table_of(matching, o.lea_importance)
        for metric, count in chosen.items():
            counted[metric].append(_checked(metric, count(table), after - first))
    counts = {metric: concatenate(blocks) for metric, blocks in counted.items()}
    _warn_of_nothing(k, r, matched)
    _warn_of_bounds(counts)
    own = frozenset(name for name, metric in chosen.items() if metric not in (METRICS.get(name), settings.metrics.get(name)))
    return Evaluation(k, r, one_line(name or r.source), counts, o, words, own)


def read_both(
    key: Any, response: Any, key_format: str | None = None, response_format: str | None = None
) -> tuple[Corpus, Corpus]:
    """The corpora of a key and a response, two files at the same time: most of the reading is NumPy's, which lets others run.

    OptionError if both are standard input; otherwise the errors of reading, those of the key first.
    """
    if isinstance(key, str) and isinstance(response, str) and key == response == "-":
        raise OptionError("key and response cannot both be standard input; expected a file for one of them")
    found: list[Corpus | Exception] = []

    def read_response() -> None:
        try:
            found.append(read_corpus(response, response_format, "response"))
        except Exception as error:  # noqa: BLE001  # raised again below, in the thread that asked
            found.append(error)

    thread = threading.Thread(target=read_response)
    thread.start()
    try:
        k = read_corpus(key, key_format, "key")
    finally:
        thread.join()
    if isinstance(found[0], Exception):
        raise found[0]
    return k, found[0]


def read_corpus(value: Any, format: str | None = None, role: str = "key") -> Corpus:
    """A corpus from whatever `score` accepts."""
    if isinstance(value, Corpus):
        return value
    if isinstance(value, (str, os.PathLike, Source)):
        return read(value, format=format, role=role)
    return corpus_of(value, source=f"<{role}>")


def table_of(matching: Matching, lea_importance: Mapping[str, float] | None = None) -> Table:
    """The table of a matching. OptionError if entities are weighted by type and a side has no types."""
    key, response = matching.key, matching.response
    return Table.of(
        key.entity[matching.key_mention],
        response.entity[matching.response_mention],
        key.entity_size,
        response.entity_size,
        key.entity_document,
        response.entity_document,
        len(key.names),
        key_importance=_importance(key, lea_importance),
        response_importance=_importance(response, lea_importance),
        links=_link_counts(matching),
    )


def _blocks(key: Corpus, response: Corpus) -> Iterator[tuple[int, int]]:
    """Documents are counted in blocks of some BLOCK mentions, so that what is in memory does not grow with the corpus."""
    documents = len(key.names)
    edges = np.arange(documents + 1)
    mentions = np.searchsorted(key.document, edges) + np.searchsorted(response.document, edges)
    first = 0
    while first < documents or first == 0:
        after = int(np.searchsorted(mentions, mentions[first] + BLOCK, side="right")) - 1
        after = min(max(after, first + 1), documents)
        yield first, after
        first = max(after, 1)


def _importance(corpus: Corpus, weights: Mapping[str, float] | None) -> Any:
    if weights is None:
        return None
    if corpus.types is None and len(corpus.entity_document):
        raise OptionError(f"{corpus.source} has no entity types, which importance by type needs")
    types = list(corpus.types or ())
    missing = sorted(set(types) - set(weights))
    if missing:
        raise OptionError(f"no importance for entity type {missing[0]!r} of {corpus.source}; given: {', '.join(weights)}")
    return np.array([weights[t] for t in types], dtype=np.float64)


def _link_counts(matching: Matching) -> LinkCounts | None:
    key, response, key_mention, response_mention = matching
    if key.links is None or response.links is None:
        return None
    documents = len(key.names)

    def side(corpus: Corpus, links: Links, other: Corpus, mention: Ints, other_mention: Ints) -> tuple[Ints, Ints]:
        entity = np.full(len(corpus.entity), -1, dtype=np.int64)  # of each mention's counterpart
        entity[mention] = other.entity[other_mention]
        found = (entity[links.first] >= 0) & (entity[links.first] == entity[links.second])
        return np.bincount(links.document, minlength=documents), np.bincount(links.document[found], minlength=documents)

    return LinkCounts(
        *side(key, key.links, response, key_mention, response_mention),
        *side(response, response.links, key, response_mention, key_mention),
    )


def _prepared(key: Corpus, response: Corpus, o: Options) -> tuple[Corpus, Corpus]:
    """Both sides with repeated mentions resolved, then singletons dropped if that is wanted."""
    key, response = resolve(key, response, o.duplicates)
    if o.singletons == "drop":
        key, response = (side.select(side.entity_size[side.entity] > 1) for side in (key, response))
    return key, response


def _checked(metric: str, counts: Counts, documents: int) -> Counts:
    """OptionError if a measure that someone brought along does not count documents."""
    if not isinstance(counts, Counts) or any(len(column) != documents for column in counts.columns.values()):
        raise OptionError(f"metric {metric!r} gave {type(counts).__name__}; expected Counts with a row for each document")
    return counts


def _compared_words(aligned: Aligned, o: Options) -> str:
    if o.tokens == "ignore":
        return "not-compared"
    try:
        return "same" if compare_tokens(aligned) else "not-compared"
    except (FormatError, MismatchError) as difference:  # a file may be fine but for the encoding of its words
        if o.tokens == "compare":
            raise
        warn(str(difference))
        return "different"


def _chosen(metrics: Iterable[str] | Mapping[str, Metric] | None, own: Mapping[str, Metric]) -> dict[str, Metric]:
    if isinstance(metrics, Mapping):
        return dict(metrics)
    names = list(METRICS if metrics is None else [metrics] if isinstance(metrics, str) else metrics)
    for name in names:
        if name not in METRICS:
            raise UnknownNameError("metric", name, METRICS)
    return {name: own.get(name, METRICS[name]) for name in names}


def _warn_of_nothing(key: Corpus, response: Corpus, matched: int) -> None:
    """No mention in common is seldom meant."""
    if not len(key.document):
        warn(f"{key.source} has no mentions" + ("" if len(response.document) else f", and neither has {response.source}"))
    elif not len(response.document):
        warn(f"{response.source} has no mentions")
    elif not matched:
        if key.items is None and ((key.start >= key.end).any() or (response.start >= response.end).any()):
            raise MismatchError(
                f"{key.source} and {response.source} have no mention in common, and some spans end where they start; "
                "expected half-open spans [start, end): add 1 to inclusive ends"
            )
        warn(f"{key.source} and {response.source} have no mention in common; are spans counted alike in both?")


def _warn_of_bounds(counts: Mapping[str, Counts]) -> None:
    loose = [name for name, c in counts.items() if any(column.endswith("slack") for column in c.columns)]
    if loose:
        warn(f"the alignment ran out of its budget: {', '.join(loose)} are lower bounds, certified with their upper bounds")
