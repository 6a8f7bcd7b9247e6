"""Reading and writing jsonlines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, TextIO

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import check_name, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.clusterings import Clusterings
from referee.formats.shared.documents import LONGEST, JoinedSentences, distinct, entities, words_of
from referee.formats.shared.json_values import (
    Report,
    are_words,
    first_keys,
    integers,
    read_documents,
    shown,
    warn_of_long_mentions,
)
from referee.formats.shared.source import OnError, Source

KEYS = frozenset((
    *("doc_key", "doc_id", "document_id", "sentences", "tokens", "cased_words", "text"),
    *("predicted_clusters", "span_clusters", "characters"),
))  # fmt: skip
"""What the first object has one of; those of other formats do, too, and are tried first."""


NOBODY = ("-", "_", "*", "[SPL]")
"""What stands for no speaker, and for markers between pieces."""


def sniff(head: str) -> bool:
    """An object, or a list of objects, with one of our keys."""
    return not first_keys(head).isdisjoint(KEYS)


class ClusterEnds:
    """How documents are read, and what is noticed meanwhile.

    Parameters
    ----------
    role : str
        "key" or "response".
    ends : str
        "exclusive" or "inclusive", if it was said.
    """

    def __init__(self, role: str, ends: str) -> None:
        self.clusterings = Clusterings(role, "clusters", "span_clusters", "characters")
        self.ends = ends
        self.sure = bool(ends)
        self.plain_names: list[str] = []
        self.metadata: dict[str, dict[str, str]] = {}

    def inclusive(self, document: Mapping[str, Any], key: str) -> bool:
        """Whether the ends of the spans under a key are."""
        words = [name for name in ("sentences", "tokens", "cased_words") if document.get(name) is not None]
        exclusive = key == "span_clusters" or (self.ends or (words == ["cased_words"] and "exclusive")) == "exclusive"
        self.sure = self.sure or exclusive
        return not exclusive


def read(source: Source, on_error: OnError, ends: str = "") -> Corpus:
    """Read documents with clusters of tokens; of two clusterings the one for the role."""
    if ends:
        check_name("ends", ends, ("exclusive", "inclusive"))
    how = ClusterEnds(source.role, ends)
    corpus = read_documents(source, on_error, "a document with `sentences` and `clusters`", partial(_add, how))
    how.clusterings.check(source.name)
    corpus = replace(corpus, origin=how.clusterings.origin(), metadata=how.metadata or None)
    if not how.sure:
        warn_of_long_mentions(corpus, "give --format jsonlines:exclusive if its ends are exclusive, jsonlines:inclusive if not")
    if len(corpus.doc_ids) == len(set(how.plain_names)) == len(how.plain_names):  # no parts of one document
        return corpus.on_documents(tuple(how.plain_names), np.arange(len(corpus.doc_ids)))
    return corpus


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one line a document, with its words.

    Raises
    ------
    FormatError
        If there are no words or no spans.
    """
    start, last = corpus.start.tolist(), (corpus.end - 1).tolist()
    for (name, mentions), words in zip(entities(corpus), words_of(corpus, format="jsonlines"), strict=True):
        document = {
            "doc_key": name,
            "sentences": [list(words.tokens[a:b]) for a, b in pairwise([*words.sentences, len(words.tokens)])],
            "clusters": [[[start[m], last[m]] for m in entity] for entity in mentions.values()],
        }
        if corpus.entity_types is not None:
            document["entity_types"] = [corpus.entity_types[e] for e in mentions]
        out.write(json.dumps(document, ensure_ascii=False) + "\n")


def _add(how: ClusterEnds, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> None:
    tokens, sentences = words_in(document, report)
    pieces = pieces_in(document, tokens, report)
    if type(document.get("part_id")) is int and document.get("document_id") == name:
        how.plain_names.append(name)
        name = f"{name}_{document['part_id']}"
    speakers = _speakers(document, sentences) if document.get("speakers") else None
    builder.document(name, tokens if pieces is None else None, sentences, speakers=speakers)
    if fields := {key: value for key, value in document.items() if isinstance(value, str) and key not in KEYS}:
        how.metadata[name or builder.doc_ids[-1]] = fields
    if tokens is None and "text" in document:
        of_phrases = "entities" in document or "spans" in document
        remedy = ": referee phrases score KEY RESPONSE scores such spans" * of_phrases
        report(f"found `text` and no tokens, so its spans count characters; expected `sentences` or `tokens`{remedy}")
        return
    limit = len(pieces) if pieces is not None else len(tokens) if tokens is not None else LONGEST
    key = how.clusterings.key_of(document, report)
    if key is None:
        report(f"found no clusters; expected one of {', '.join(sorted(how.clusterings.keys))}")
        return
    if pieces is None and (columns := _plain(document, key, how, limit)):
        builder.add_spans(*columns)
        return
    for label, entity_type, value, inclusive in _clusters(document, key, how, report):
        span = _span(value, limit, inclusive)
        if span is None:
            size = "" if limit == LONGEST else f" < {limit}" if inclusive else f" <= {limit}"
            expected = f"expected two token offsets [start, end], 0 <= start {'<=' if inclusive else '<'} end{size}"
            ends = "exclusive" if inclusive else "inclusive"
            is_other = key != "span_clusters" and _span(value, limit, not inclusive) is not None
            remedy = f", or {ends} ends: give --format jsonlines:{ends}" * is_other
            report(f"cluster {shortened(label)}: found the span {shown(value)}; {expected}{remedy}")
        elif pieces is None:
            builder.mention(*span, label, entity_type)
        else:
            builder.mention(pieces[span[0]], pieces[span[1] - 1] + 1, label, entity_type)


def _speakers(document: Mapping[str, Any], sentences: Sequence[int]) -> list[str] | None:
    """Who says each sentence: the speaker of its first word; None where the field has another form, or no names."""
    listed = document["speakers"]
    if not isinstance(listed, list) or not sentences:
        return None
    of_words = list(chain.from_iterable(listed)) if all(isinstance(some, list) for some in listed) else listed
    names = [of_words[start] if start < len(of_words) else None for start in sentences]
    said_by = [name.replace("_", " ") if isinstance(name, str) and name not in NOBODY else "" for name in names]
    return said_by if any(said_by) else None


def words_in(document: Mapping[str, Any], report: Report) -> tuple[list[str] | None, list[int]]:
    """The tokens, None where there are none, and the offsets at which sentences start."""
    if (sentences := document.get("sentences")) is not None:
        if isinstance(sentences, list) and {list}.issuperset(map(type, sentences)):
            text = JoinedSentences.join(sentences)
            if are_words(text.tokens):
                return text.tokens, text.starts
        report("`sentences` is not what it should be; expected a list of lists of words")
        return None, []
    key = next((key for key in ("tokens", "cased_words") if document.get(key) is not None), None)
    if key is None:
        return None, []
    tokens, numbers = document[key], document.get("sent_id")
    if not are_words(tokens):
        report(f"`{key}` is not what it should be; expected a list of words")
        return None, []
    if numbers is None:
        return tokens, [0] if tokens else []
    if not (isinstance(numbers, list) and len(numbers) == len(tokens)):
        report(f"`sent_id` is not what it should be; expected a number for each of the {len(tokens)} words")
        return tokens, [0]
    return tokens, [i for i, number in enumerate(numbers) if i == 0 or number != numbers[i - 1]]


def pieces_in(document: Mapping[str, Any], tokens: list[str] | None, report: Report) -> list[int] | None:
    """The word of each word piece; None where tokens are words."""
    words = document.get("subtoken_map")
    if words is None:
        return None
    if not (isinstance(words, list) and all(type(w) is int and 0 <= w < LONGEST for w in words) and words == sorted(words)):
        report("`subtoken_map` is not what it should be; expected word numbers that never decrease")
        return None
    if tokens is not None and len(tokens) != len(words):
        report(f"`subtoken_map` has {len(words)} entries for {len(tokens)} word pieces; expected one for each")
    return words


def _plain(
    document: Mapping[str, Any], key: str, how: ClusterEnds, limit: int
) -> tuple[Ints, Ints, list[str], list[int]] | None:
    """Starts and ends of all mentions, labels and sizes of clusters without types; None if they need a closer look."""
    clusters = document[key] if document.get("entity_types") is None else None
    if not (isinstance(clusters, list) and {list}.issuperset(map(type, clusters))):
        return None
    spans = list(chain.from_iterable(clusters))
    if not ({list}.issuperset(map(type, spans)) and {2}.issuperset(map(len, spans))):
        return None
    numbers = list(chain.from_iterable(spans))
    if not {int}.issuperset(map(type, numbers)):
        return None
    try:
        start, end = np.fromiter(numbers, dtype=np.int64, count=len(numbers)).reshape(-1, 2).T
    except OverflowError:
        return None
    end = end + how.inclusive(document, key)
    if (start < 0).any() or (start >= end).any() or (end > limit).any():
        return None
    sizes = [*map(len, clusters)]
    return start, end, [str(number) for number, size in enumerate(sizes) if size], [*filter(None, sizes)]


def _clusters(document: Mapping[str, Any], key: str, how: ClusterEnds, report: Report) -> Iterator[tuple[str, str, Any, bool]]:
    """Label, type and span of each mention, and whether the end is inclusive."""
    clusters, labels = document[key], None
    if key == "characters" and isinstance(clusters, list) and all(isinstance(c, dict) for c in clusters):
        labels = distinct(str(c.get("name", "")) for c in clusters)
        clusters = [c.get("cluster") for c in clusters]
    if not isinstance(clusters, list):
        report(f"`{key}` is {shown(clusters)}; expected a list of clusters")
        return
    inclusive = how.inclusive(document, key)
    types = document.get("entity_types")
    if types is not None and not (are_words(types) and len(types) == len(clusters)):
        report(f"`entity_types` is {shown(types)}; expected a list of {len(clusters)} types, one a cluster")
        types = None
    for number, cluster in enumerate(clusters):
        label, entity_type = labels[number] if labels else str(number), types[number] if types else ""
        if isinstance(cluster, list):
            yield from ((label, entity_type, span, inclusive) for span in cluster)
        else:
            report(f"cluster {shortened(label)}: found {shown(cluster)}; expected a list of spans")


def _span(value: object, limit: int, inclusive: bool) -> tuple[int, int] | None:
    """The half-open span; None if there is none in the value, or none within the limit."""
    start, last = integers(value, 2) or (-1, -1)
    return (start, last + inclusive) if 0 <= start < last + inclusive <= limit else None
