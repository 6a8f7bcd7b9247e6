"""S2AND's clusters.json: disambiguated author names, as entities of signatures.

::

    {"PM_1": {"cluster_id": "PM_1", "signature_ids": ["0", "1"], "model_version": -1}}

The keys are the entities' labels. A signature (an author's name on a paper) is a mention, called by its id. `cluster_id`
repeats the key and is not looked at, nor is `model_version`; written they are the key and -1. A file is one document without
a name: the blocks, in which S2AND disambiguates, are in another file, signatures.json, which is not read.

References
----------
Subramanian et al. (2021); `tests/qian/clusters.json` and `s2and/data.py` of allenai/S2AND. Programs agree about it.

Notes
-----
Spans are written as signatures `start-end`. Words, types and listed links are not written; nor is a corpus of several
documents, or with a name.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TextIO

import numpy as np

from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.documents import is_unnamed, item_names, labelled
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.losses import Losses
from referee.formats.shared.source import OnError, Source


def sniff(head: str) -> bool:
    """An object whose first value is an object with signatures."""
    return bool(re.match(r'\s*\{\s*"([^"\\]|\\.)*"\s*:\s*\{[^{}]*"signature_ids"\s*:', head))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read clusters of signatures."""
    builder = CorpusBuilder(source.name)
    text = source.text(on_error)
    if not text.strip() or (value := parse(text, on_error)) is None:
        return builder.corpus()
    builder.document("")
    if not isinstance(value, dict):
        on_error(None, f"found {shown(value)}; expected an object with the clusters by their ids")
        value = {}
    for label, cluster in value.items():
        signatures = cluster.get("signature_ids") if isinstance(cluster, dict) else None
        if not isinstance(signatures, list):
            on_error(
                None, f"cluster {shortened(label)}: found {shown(cluster)}; expected an object with a list, `signature_ids`"
            )
            continue
        for signature in signatures:
            if type(signature) in (str, int):  # True is no name
                builder.item(str(signature), label)
            else:
                on_error(None, f"cluster {shortened(label)}: found {shown(signature)}; expected the id of a signature")
    return builder.corpus()


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one JSON object, of a document without a name."""
    names = item_names(corpus)
    for _, clusters in labelled(corpus):
        value = {
            label: {"cluster_id": label, "signature_ids": [names[m] for m in mentions], "model_version": -1}
            for label, mentions in clusters.items()
        }
        out.write(json.dumps(value, ensure_ascii=False) + "\n")


def drop_unsupported(losses: Losses) -> None:
    """Put the mentions of all documents into one without a name; those of several are called `document/mention`."""
    corpus = losses.corpus
    if not corpus.doc_ids or is_unnamed(corpus):
        return
    names = list(item_names(corpus))
    if len(corpus.doc_ids) > 1:
        names = [f"{corpus.doc_ids[d]}/{name}" for d, name in zip(corpus.document.tolist(), names, strict=True)]
        losses.changed["name", " of mentions"] += len(names)
    losses.example = repr(corpus.doc_ids[0])
    losses.left_out["name", " of documents"] += len(corpus.doc_ids)
    document = np.zeros_like(corpus.document)
    losses.corpus = replace(corpus, doc_ids=("#1",), document=document, items=names, text=None).in_reading_order()


FORMAT = Format("s2and", __doc__, ("items",), sniff, read, write, drop_unsupported)
