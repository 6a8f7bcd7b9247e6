"""Which key a page can correct: what `referee correct` asks of it."""

from __future__ import annotations

import os

from referee.basics.exceptions import FormatError, one_line
from referee.corpus import Corpus
from referee.corpus.addresses import addresses_of, digests
from referee.corpus.naming import has_ids
from referee.pages.inspector.packing import Record


def correctable(key: Corpus, scored: Corpus | None = None) -> Record | None:
    """What corrections say of the key that they are of.

    Parameters
    ----------
    key : Corpus
        As it was read.
    scored : Corpus or None
        What the page shows of it, if that may be less.

    Returns
    -------
    dict or None
        `CorrectsData` of `payload.d.ts`. None if it is no file of texts with words and entities that have ids, or if the page
        shows other mentions.
    """
    if key.kind != "texts" or key.items is not None or key.text is None or not has_ids(key) or key.source.startswith("<"):
        return None
    try:
        digest = digests(key)
        is_all = scored is None or scored is key or digests(scored) == digest
    except FormatError:  # words that cannot be read, and need not be
        return None
    if not is_all:
        return None
    return {"name": one_line(os.path.basename(os.path.normpath(key.source))), "digest": digest}


def token_names(corpus: Corpus, document: int) -> list[int | str] | None:
    """What corrections call the tokens of a document; None where that is their number."""
    nodes = corpus.empty_nodes
    if nodes is None or corpus.text is None or document not in nodes.document:
        return None
    return [*addresses_of(corpus, document).names]
