"""Documents as Python dicts: what JSON formats have in a file, and rows of coref-data.

A dict means what it means in a file: it is read as one, by the reader of the format that its keys belong to. So the ends of
spans are inclusive in `jsonlines` and `maverick`, and exclusive in `preco`, `fastcoref` and `clusters`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeGuard

import numpy as np

from referee.basics.exceptions import OptionError
from referee.basics.registry import Registry
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared import coref_data
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import NAMES
from referee.formats.shared.shapes import Foreign, is_array, is_collection, members, shown
from referee.formats.shared.source import Source

Document = Mapping[str, Any]

CLUSTERS = (
    *("clusters", "predicted_clusters", "span_clusters", "clusters_token_offsets", "mention_clusters", "coref_chains"),
    "corefs",
)
"""Under these keys, documents have their entities."""
KEYS = (*CLUSTERS, "characters", "sentences", "tokens", "cased_words", "documents", "links")
"""A mapping with a collection under one of these keys is a document."""
NAMED = ("corenlp", "preco", "maverick", "allennlp", "fastcoref", "jsonlines", "clusters")
FORMATS: Registry[Format] = Registry("format", {name: f"referee.formats.{name}:FORMAT" for name in NAMED})
"""The formats of such documents, as they are tried."""
ALONE = {"type", "clusters", "mentions", "links", "documents"}
"""What a document of the format `clusters` has."""


def is_document(value: object) -> TypeGuard[Document]:
    """Whether it is a mapping with the words or the clusters of a document."""
    return isinstance(value, Mapping) and any(is_collection(part := value.get(key)) or is_array(part) for key in KEYS)


def corpus_of_json(documents: Sequence[object], source: str, role: str, names: Iterable[object] = ()) -> Corpus:
    """The corpus of documents, the first of which is one.

    Parameters
    ----------
    documents : sequence
        All of one format.
    source : str
        What messages call them; their lines are the numbers of the documents.
    role : str
        "key" or "response": which of two clusterings is read.
    names : iterable
        What the documents are called, instead of what they say.

    Raises
    ------
    OptionError
        If one is no document, or it is that of no format.
    FormatError
        If one is not what its format says.
    """
    for number, document in enumerate(documents, start=1):
        if not is_document(document):
            raise OptionError(
                f"{source}: found {shown(document)} as document {number}; expected a dict as the first: {_keys(documents[0])}"
            )
    called = tuple(map(str, names))
    if called:
        documents = [{key: part for key, part in d.items() if key not in NAMES} for d in documents if is_document(d)]
    corpus = _read(documents, source, role)  # type: ignore[arg-type]  # checked above
    return corpus.on_documents(called, np.arange(len(called))) if called else corpus


def _read(documents: Sequence[Document], source: str, role: str) -> Corpus:
    if "coref_chains" in documents[0]:
        builder = CorpusBuilder(source)
        rows = json.loads(json_of(documents))
        for row in rows:
            coref_data.add(row, builder, partial(_raise, source))
        return builder.corpus()
    name = _format(documents[0])
    if name == "clusters":
        for document in documents:
            if others := set(document) - ALONE:
                problem = f"found `clusters` beside {', '.join(sorted(map(shown, others)))} and no words"
                remedy = "expected `sentences` or `tokens` with them (jsonlines), or the clusters alone: give d['clusters']"
                raise OptionError(f"{source}: {problem}; {remedy}")
        one = len(documents) == 1
        text = json_of(documents[0] if one else {"documents": {f"#{n}": d for n, d in enumerate(documents, start=1)}})
    else:
        text = "\n".join(map(json_of, documents))
    file = Source(source, text.encode(), role=role)
    corpus: Corpus = FORMATS.load(name).read(file, file.raise_error)
    return corpus


def _format(document: Document) -> str:
    """The format that a document belongs to by its keys, as if it stood in a file."""
    skeleton = {key: _outline(part) for key, part in document.items()}
    head = json.dumps(skeleton)
    return next((name for name in FORMATS if FORMATS.load(name).sniff(head)), "clusters")


def _outline(part: object) -> object:
    if isinstance(part, str):
        return part[:20]
    return {} if isinstance(part, Mapping) else [] if is_collection(part) or is_array(part) else None


def json_of(value: object) -> str:
    """A value as JSON: lists for collections, arrays and tensors, numbers for those of NumPy, text for all else."""
    return json.dumps(value, default=_plain)


def _plain(value: Foreign) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if is_array(value) or is_collection(value):
        return members(value)
    return value.item() if isinstance(value, np.generic) else str(value)


def _raise(source: str, line: int | None, problem: str) -> None:
    raise OptionError(f"{source}: {problem}")


def _keys(document: object) -> str:
    return ", ".join(map(str, document)) if isinstance(document, Mapping) else ""
