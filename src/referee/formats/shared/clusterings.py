"""Documents of JSON that have the clusters of a key and those of a system: which of the two are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.json_values import Report, integers, read_documents, shown, spans, warn_of_long_mentions, words
from referee.formats.shared.source import OnError, Source

PREDICTED = "predicted_clusters"
"""Under this name a document has the clusters of a system, beside those of the key."""

LAYERS = ("singletons", "bridging", "bridges", "bridging_clusters", "bridging_pairs", "split_antecedents")
"""Lists that hold other annotation than clusters."""

AddClusters: TypeAlias = Callable[[str, dict[str, Any], str, CorpusBuilder, Report], None]


class Clusterings:
    """Under which key the clusters of each document of a file are that are read.

    Of a response these are `predicted_clusters` if there are any. Where one document of a file has them and another has not,
    the latter's clusters are those of the key: a system that failed there would get them as its own. So that is an error, and
    the same with a key.

    Parameters
    ----------
    role : str
        "key" or "response": what the file is read as.
    keys : str
        Where the clusters of a document may be otherwise; the first that there is counts.

    Examples
    --------
    >>> clusterings = Clusterings("response", "clusters")
    >>> both, one = {"clusters": [], "predicted_clusters": []}, {"clusters": []}
    >>> clusterings.key_of(both, print), clusterings.key_of(one, print)
    ('predicted_clusters', 'clusters')
    >>> clusterings.check("a.jsonlines")
    found no `predicted_clusters`, which other documents of the file have; expected them, [] where the system found none
    """

    def __init__(self, role: str, *keys: str) -> None:
        self.is_response = role == "response"
        first, *others = keys
        self.keys = (*((PREDICTED, first) if self.is_response else (first, PREDICTED)), *others)
        self._of_key: list[Report] = []
        self._predicted: list[Report] = []
        self._left_out: Counter[str] = Counter()

    def key_of(self, document: Mapping[str, Any], report: Report) -> str | None:
        """The key under which a document has the clusters that are read; None if it has none."""
        key = next((key for key in self.keys if document.get(key) is not None), None)
        self._left_out.update({layer: len(document[layer]) for layer in LAYERS if isinstance(document.get(layer), list | dict)})
        if key is not None:
            (self._predicted if key == PREDICTED else self._of_key).append(report)
        return key

    def check(self, source: str) -> None:
        """Report the documents of a file that have only the clusters of the other side; warn of other layers of annotation."""
        warn_file(source, "left out {} beside the clusters ({names})", "entry", self._left_out)
        if self._of_key and self._predicted:
            if self.is_response:
                problem = f"found no `{PREDICTED}`, which other documents of the file have"
                wrong, remedy = self._of_key, "expected them, [] where the system found none"
            else:
                problem = f"found `{PREDICTED}` alone, and other documents of the file have clusters of the key"
                wrong, remedy = self._predicted, f"expected `{self.keys[0]}`"
            for report in wrong:
                report(f"{problem}; {remedy}")


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
    return corpus


def read_inclusive(source: Source, on_error: OnError, tokens_key: str, clusters_key: str, expected: str) -> Corpus:
    """The corpus of a file of documents with words and clusters of spans `[start, end]`, token offsets with inclusive ends."""
    corpus = read_clusters(source, on_error, clusters_key, expected, partial(_add_inclusive, tokens_key))
    warn_of_long_mentions(corpus, "subtract 1 from its ends if they are exclusive")
    return corpus


def _add_inclusive(
    tokens_key: str, clusters_key: str, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report
) -> None:
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
