r"""Jsonlines as coreference resolvers read and write it: one document per line, as a JSON object.

::

    {"doc_key": "nw/wsj_0174_0", "sentences": [["Obama", "travels", "."], ["He", "waves"]], "clusters": [[[0, 0], [3, 3]]]}

``doc_key``
    the document's name; also `doc_id`, `document_id`, `id`
``sentences``
    lists of words; or flat `tokens`, or `cased_words` with the sentence number of each word in `sent_id`. Without any of
    these the spans are read unchecked, and the corpus has no words.
``clusters``
    an entity is a list of spans `[start, end]`: word offsets in the document with INCLUSIVE ends, so `[3, 3]` is one word.
    `predicted_clusters` is the same. Where a document has both, a response is read from the latter, a key from the former;
    where only some documents of a file have the latter, the others are an error in a response.
    In files with exclusive ends `[3, 4]` is one word: read these as `--format jsonlines:exclusive`. A file of 50 mentions or
    more, none of which is of one word, gets a warning.
``subtoken_map``
    the word of each word piece. Then `sentences` holds pieces ([CLS] and [SEP] among them) and spans count pieces: both ends
    are mapped to words, and as the words themselves are unknown the corpus has none.
``entity_types``
    ours, optional: the type of each cluster, in their order

Entities are called by their place in the list, "0", "1", ...

References
----------
E2e-coref (Lee et al. 2017) and `minimize.py` of SpanBERT's coref (Joshi et al. 2019), followed by fast-coref,
maverick, fastcoref's training files and BookCoref.

Notes
-----
Where programs disagree:

* wl-coref (Dobrovolskii 2021) has `cased_words` without `sentences`, and EXCLUSIVE ends: in the `clusters` of its training
  files, and in `span_clusters`. LingMess and others have both, and inclusive ends. `--format jsonlines:inclusive` reads
  `clusters` as theirs. wl-coref has the parts of a document under one `document_id`: if a file has it twice, documents are
  called `NAME_PART`, by their `part_id`, as in CoNLL-2012.
* `bridging`, `singletons` and the like beside the clusters are left out with a warning.
* BookCoref has `characters: [{"name": ..., "cluster": [[start, end]]}]`; read, with the names, if there are no clusters.
* fastcoref and LLM pipelines write `text` with offsets of CHARACTERS; refused, as they are no tokens.
* minimize.py repeats the map's neighbouring word for [CLS] and [SEP], so these need no special treatment.

People also keep one such document over many lines, or a list of documents: both are read.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, NamedTuple, TextIO

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import FormatError, check_name, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.changes import Changes
from referee.formats.shared.clusterings import Clusterings
from referee.formats.shared.documents import LONGEST, JoinedSentences, distinct, entities, words_of
from referee.formats.shared.format import Format
from referee.formats.shared.json_edits import Stretch, elements, members, objects, relisted, replaced
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


MARK = re.compile(r"\[(CLS|SEP)\]|</?s>")
"""Pieces that are no part of a word."""


def sniff(head: str) -> bool:
    """An object, or a list of objects, with one of our keys."""
    return not first_keys(head).isdisjoint(KEYS)


class _Ends:
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
    how = _Ends(source.role, ends)
    corpus = read_documents(source, on_error, "a document with `sentences` and `clusters`", partial(_add, how))
    how.clusterings.check(source.name)
    corpus = replace(corpus, origin=how.clusterings.origin())
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


def _add(how: _Ends, document: dict[str, Any], name: str, builder: CorpusBuilder, report: Report) -> None:
    tokens, sentences = _words(document, report)
    pieces = _pieces(document, tokens, report)
    if type(document.get("part_id")) is int and document.get("document_id") == name:
        how.plain_names.append(name)
        name = f"{name}_{document['part_id']}"
    builder.document(name, tokens if pieces is None else None, sentences)
    if tokens is None and "text" in document:
        report("found `text` and no tokens, so its spans count characters; expected `sentences` or `tokens`")
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
            remedy = "" if inclusive or "clusters" not in document else ", or inclusive ends: give --format jsonlines:inclusive"
            report(f"cluster {shortened(label)}: found the span {shown(value)}; {expected}{remedy}")
        elif pieces is None:
            builder.mention(*span, label, entity_type)
        else:
            builder.mention(pieces[span[0]], pieces[span[1] - 1] + 1, label, entity_type)


def _words(document: Mapping[str, Any], report: Report) -> tuple[list[str] | None, list[int]]:
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


def _pieces(document: Mapping[str, Any], tokens: list[str] | None, report: Report) -> list[int] | None:
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


def _plain(document: Mapping[str, Any], key: str, how: _Ends, limit: int) -> tuple[Ints, Ints, list[str], list[int]] | None:
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


def _clusters(document: Mapping[str, Any], key: str, how: _Ends, report: Report) -> Iterator[tuple[str, str, Any, bool]]:
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


def rewrite(source: Source, changes: Changes, ends: str = "") -> str:
    """The text of a file with other clusters; those that do not change, and all else, stay as they are written."""
    how, text = _Ends(source.role, ends), source.raw().decode()
    edits = (_edits(how, changes, number, text, stretch) for number, stretch in enumerate(objects(text)))
    return replaced(text, chain.from_iterable(edits))


def _edits(how: _Ends, changes: Changes, number: int, text: str, stretch: Stretch) -> Iterator[tuple[Stretch, str]]:
    """What changes in a document."""
    document, places = json.loads(text[slice(*stretch)]), members(text, stretch[0])
    key = how.clusterings.key_of(document, print) or "clusters"
    clusters, is_named = document[key], key == "characters"
    tokens = _words(document, print)[0]
    spans = _Spans(_pieces(document, tokens, print), tokens, how.inclusive(document, key))
    before, after = changes.before, changes.after
    entities_before, entities_after = (corpus.entities_in(number, number + 1) for corpus in (before, after))
    number_of = {before.entity_ids[e]: e for e in range(entities_before.start, entities_before.stop)}
    labels = distinct(str(c.get("name", "")) for c in clusters) if is_named else list(map(str, range(len(clusters))))
    written: list[tuple[str, str]] = []  # each cluster and its type
    types = document.get("entity_types") or [""] * len(clusters)
    for label, cluster, (start, end), entity_type in zip(labels, clusters, elements(text, places[key][0]), types, strict=True):
        old = cluster["cluster"] if is_named else cluster
        entity = changes.new_entity.get(number_of.get(label, -1))
        if old and entity is None:
            continue
        new = old if entity is None else spans.of_entity(changes, entity, old)
        whole = text[start:end]
        inner = members(whole, 0)["cluster"] if is_named else (0, len(whole))
        cluster_text = whole if new == old else replaced(whole, [(inner, json.dumps(new))])
        written.append((cluster_text, entity_type if entity is None else changes.type_of(entity)))
    for entity in range(entities_after.start, entities_after.stop):
        if changes.entity[entity] < 0:
            new = spans.of_entity(changes, entity, [])
            value = {"name": after.entity_ids[entity], "cluster": new} if is_named else new
            written.append((json.dumps(value, ensure_ascii=False), changes.type_of(entity)))
    texts = [cluster_text for cluster_text, _ in written]
    if texts != [text[slice(*place)] for place in elements(text, places[key][0])]:
        yield places[key], relisted(text, places[key], texts)
    if document.get("entity_types") is not None and [entity_type for _, entity_type in written] != types:
        values = [json.dumps(entity_type, ensure_ascii=False) for _, entity_type in written]
        yield places["entity_types"], relisted(text, places["entity_types"], values)


class _Spans(NamedTuple):
    """How a document writes spans: the words of its pieces, the pieces, and whether ends are inclusive."""

    pieces: list[int] | None
    tokens: list[str] | None
    inclusive: bool

    def words(self, span: Sequence[int]) -> tuple[int, int]:
        """The words of a span, half-open."""
        start, end = span[0], span[1] + self.inclusive
        return (self.pieces[start], self.pieces[end - 1] + 1) if self.pieces else (start, end)

    def of_entity(self, changes: Changes, entity: int, old: Sequence[list[int]]) -> list[list[int]]:
        """The spans of an entity that had some: those that stay are as they were, and where they were."""
        there = defaultdict(list)
        for n, span in enumerate(old):
            there[self.words(span)].append(n)
        kept, new = [], []
        for m in changes.after.mentions_of(entity):
            words = int(changes.after.start[m]), int(changes.after.end[m])
            if changes.stays(m) and there[words]:
                kept.append(there[words].pop(0))
            elif span := self.span(*words):
                new.append(span)
            else:
                problem = f"the mention {words[0]}-{words[1]} has no word pieces in the file"
                raise FormatError(changes.after.source, None, f"{problem}; expected words that have some")
        spans = [*(old[n] for n in sorted(kept)), *new]
        return sorted(spans) if new and list(old) == sorted(old) else spans

    def span(self, start: int, end: int) -> list[int]:
        """How words are written."""
        if self.pieces is not None:
            marks = {n for n, token in enumerate(self.tokens or ()) if MARK.fullmatch(token)}
            pieces = [n for n, word in enumerate(self.pieces) if start <= word < end and n not in marks]
            start, end = (pieces[0], pieces[-1] + 1) if pieces else (0, 0)
        return [] if start == end else [start, end - self.inclusive]


FORMAT = Format(
    "jsonlines",
    __doc__,
    ("spans", "words", "entity types"),
    sniff,
    read,
    write,
    rewrite=rewrite,
    endings=(".jsonl",),
    variant="whether ends are exclusive or inclusive",
)
