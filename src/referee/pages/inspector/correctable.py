"""Which key a page can correct: what `referee correct` asks of it."""

from __future__ import annotations

import os

from referee.basics.exceptions import FormatError, one_line
from referee.corpus import Corpus
from referee.corpus.addresses import addresses_of, digests
from referee.corpus.naming import has_ids
from referee.pages.inspector.packing import Record

NOT_ALL = "The page shows the key without some of its mentions (singletons, or repeated ones), so it cannot be corrected here"


def correctable(key: Corpus, scored: Corpus | None = None) -> Record:
    """What an overview says of the key that can be corrected.

    Parameters
    ----------
    key : Corpus
        As it was read.
    scored : Corpus or None
        What the page shows of it, if that may be less.

    Returns
    -------
    dict
        `corrects` of `Overview` in `payload.d.ts`, or else `no_edit`. Empty if it is no file of texts with words and entities
        that have ids.
    """
    if key.kind != "texts" or key.items is not None or key.text is None or not has_ids(key) or key.source.startswith("<"):
        return {}
    try:
        digest = digests(key)
        is_all = scored is None or scored is key or digests(scored) == digest
    except FormatError:  # words that cannot be read, and need not be
        return {}
    if not is_all:
        return {"no_edit": NOT_ALL}
    return {"corrects": {"name": one_line(os.path.basename(os.path.normpath(key.source))), "digest": digest}}


def token_names(corpus: Corpus, document: int) -> list[int | str] | None:
    """What corrections call the tokens of a document; None where that is their number."""
    nodes = corpus.empty_nodes
    if nodes is None or corpus.text is None or document not in nodes.document:
        return None
    return [*addresses_of(corpus, document).names]
