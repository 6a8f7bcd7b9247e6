"""One annotation without another beside it, as the page has it.

`assets/payload.d.ts` describes the records.
"""

from __future__ import annotations

from collections import Counter

from referee.algorithms.arrays import tally
from referee.basics.exceptions import one_line
from referee.basics.system_names import name_of
from referee.basics.version import VERSION
from referee.corpus import MENTION_TYPES, Corpus
from referee.formats.conll import replacing
from referee.pages.inspector.document import text_and_key
from referee.pages.inspector.overview import by_rank, ranked
from referee.pages.inspector.packing import Piece, Record
from referee.pages.inspector.pane import SideOfDocument, pane_of
from referee.pages.inspector.reasons import Reasons
from referee.pages.inspector.record_table import Records


def overview_alone(corpus: Corpus) -> Record:
    """Describe an annotation.

    Returns
    -------
    dict
        `Overview` of `payload.d.ts`, without responses.
    """
    documents = len(corpus.doc_ids)
    types = tally(corpus.mention_types_with_zeros, minlength=len(MENTION_TYPES)).tolist()
    tokens = None if corpus.text is None or corpus.items is not None else [len(w.tokens) for w in corpus.text.words]
    return {
        "version": VERSION,
        "key": one_line(name_of(corpus.source)),
        "documents": corpus.doc_ids,
        "mention_types": MENTION_TYPES,
        "items": corpus.items is not None,
        "kinds": [],
        "sizes": [],
        "truncate": False,
        "metrics": [],
        "metrics_with_costs": [],
        "responses": [],
        "changes": [],
        "alone": {
            "tokens": tokens,
            "mentions": tally(corpus.document, minlength=documents).tolist(),
            "entities": tally(corpus.entity_document, minlength=documents).tolist(),
            "singletons": tally(corpus.entity_document[corpus.entity_size == 1], minlength=documents).tolist(),
            "mention_types": types,
            "entity_types": dict(Counter(corpus.entity_types or ()).most_common()),
            "ranks": by_rank(*ranked(corpus.entity_size, corpus.entity_document, documents)[:2]),
        },
    }


def document_alone(side: SideOfDocument, records: Records | None, reasons: Reasons | None) -> Piece:
    """Describe a document of an annotation.

    Returns
    -------
    Piece
        The JSON of `DocumentData` of `payload.d.ts`, without responses.
    """
    with replacing():
        pane = pane_of([side])
    return Piece(b'{%b,"responses":[]}' % text_and_key(side, pane, records, reasons))
