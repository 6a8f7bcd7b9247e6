"""Documents of JSON that have the clusters of a key and those of a system: which of the two are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from referee.basics.exceptions import listed
from referee.basics.sides import side_of
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.origin import Origin
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.json_values import Report, integers, read_documents, shown, spans, warn_of_long_mentions, words
from referee.formats.shared.source import OnError, Source

LAYERS = ("singletons", "bridging", "bridges", "bridging_clusters", "bridging_pairs", "split_antecedents")
"""Lists that hold other annotation than clusters."""

CLUSTERS = re.compile("cluster|coref|chain", re.IGNORECASE)
"""What the name of clusters has."""

AddClusters: TypeAlias = Callable[[str, dict[str, Any], str, CorpusBuilder, Report], None]


class Clusterings:
    """Under which key the clusters of each document of a file are that are read.

    Each side has its own, if there are any: a response `predicted_clusters`, and a key `gold_clusters`. Where one document of a
    file has them and another has not, the latter's clusters are those of the other side: a system that failed there would get
    those of the key as its own. So that is an error.

    Parameters
    ----------
    role : str
        "key" or "response": what the file is read as.
    keys : str
        Where the clusters of a document may be otherwise; the first that there is counts.

    Examples
    --------
    >>> clusterings = Clusterings("response", "clusters")
    >>> both, one = {"clusters": [], "pred_clusters": []}, {"clusters": []}
    >>> clusterings.key_of(both, print), clusterings.key_of(one, print)
    ('pred_clusters', 'clusters')
    >>> clusterings.check("a.jsonlines")
    found no `pred_clusters`, which other documents of the file have; expected them, [] where there are none
    """

    def __init__(self, role: str, *keys: str) -> None:
        self.role = role
        self.keys = keys
        self._sides = (role, "")
        self._read: dict[str, list[Report]] = {}
        self._unread: dict[str, None] = {}
        self._left_out: Counter[str] = Counter()

    def key_of(self, document: Mapping[str, Any], report: Report) -> str | None:
        """The key under which a document has the clusters that are read; None if it has none."""
        by_side: dict[str, list[str]] = {"key": [], "response": [], "": []}
        for name, value in document.items():
            if name in LAYERS:
                self._left_out[name] += len(value) if isinstance(value, list | dict) else 0
            elif name not in self.keys and _are_clusters(name, value):
                by_side[side_of(name)].append(name)
        own, other = by_side.get(self.role, []), by_side["key" if self.role == "response" else "response"]
        if len(own) > 1:
            report(f"found {listed(own)}; expected one of them")
        neutral = [key for key in self.keys if document.get(key) is not None]
        key = next(iter([*own, *neutral, *other]), None)
        if key is not None:
            self._read.setdefault(key, []).append(report)
            self._unread.update(dict.fromkeys(name for names in (*by_side.values(), neutral) for name in names if name != key))
        return key

    def check(self, source: str) -> None:
        """Report the documents of a file that have only the clusters of the other side; warn of other layers of annotation."""
        warn_file(source, "left out {} beside the clusters ({names})", "entry", +self._left_out)
        best = min(self._read, key=self._rank, default="")
        for key, reports in self._read.items():
            if self._rank(key) > self._rank(best):
                for report in reports:
                    report(f"found no `{best}`, which other documents of the file have; expected them, [] where there are none")

    def _rank(self, key: str) -> int:
        """How well a name fits: 0 is that of the side that is read, 1 that of no side, 2 that of the other side."""
        return self._sides.index(side_of(key)) if side_of(key) in self._sides else 2

    def origin(self) -> Origin:
        """Which clusters were read, and which were not."""
        return Origin(next(iter(self._read), ""), tuple(key for key in self._unread if key not in self._read))


def _are_clusters(name: str, value: object) -> bool:
    """Whether a value may be clusters: a list of lists whose first members are mentions, and no words.

    Under a name that says nothing of clusters, the first of these is a span.
    """
    if not isinstance(value, list) or not all(isinstance(cluster, list) for cluster in value):
        return False
    mentions = [mention for cluster in value for mention in cluster[:1]]
    is_named = side_of(name) or CLUSTERS.search(name)
    return all(isinstance(m, list | dict) for m in mentions) and bool(is_named or (mentions and integers(mentions[0], 2)))


def read_clusters(source: Source, on_error: OnError, key: str, expected: str, add: AddClusters) -> Corpus:
    """The corpus of a file of documents with clusters under a key, or those of a system.

    Parameters
    ----------
    source, on_error, expected
        As in `read_documents`.
    key : str
        Where the clusters of a document are.
    add : callable
        Adds a document to the builder, with its clusters under the key that it gets first.
    """
    clusterings = Clusterings(source.role, key)

    def add_document(document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> None:
        add(clusterings.key_of(document, report) or key, document, name, builder, report)

    corpus = read_documents(source, on_error, expected, add_document)
    clusterings.check(source.name)
    return replace(corpus, origin=clusterings.origin())


def read_inclusive(source: Source, on_error: OnError, tokens_key: str, clusters_key: str, expected: str) -> Corpus:
    """The corpus of a file of documents with words and clusters of spans `[start, end]`, token offsets with inclusive ends."""
    corpus = read_clusters(source, on_error, clusters_key, expected, partial(add_inclusive, tokens_key))
    warn_of_long_mentions(corpus, "subtract 1 from its ends if they are exclusive")
    return corpus


def add_inclusive(
    tokens_key: str, clusters_key: str, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report
) -> None:
    """Add a document with words and clusters of spans `[start, end]` to a builder."""
    tokens = words(document, tokens_key, report)
    limit = len(tokens)
    builder.document(name, tokens)
    for label, value in spans(document, clusters_key, report):
        span = integers(value, 2)
        if span and 0 <= span[0] <= span[1] < limit:
            builder.mention(span[0], span[1] + 1, label)
        else:
            expected = f"two token offsets [start, end], 0 <= start <= end < {limit}"
            report(f"cluster {label}: found the span {shown(value)}; expected {expected}")
