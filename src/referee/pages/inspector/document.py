"""One document as the page has it: its tokens, and on them the mentions, entities and errors of all sides.

`assets/payload.d.ts` describes the records.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from referee.corpus import Corpus
from referee.pages.inspector.packing import Piece, Record, Shared, between, listed, members, written
from referee.pages.inspector.pane import Pane, SideOfDocument, pane_of
from referee.pages.inspector.reasons import Reasons, reasons_of
from referee.pages.inspector.record_table import Records
from referee.pages.inspector.response import ScoredResponse, rows_of


def document(responses: Sequence[ScoredResponse], name: str, records: Records | None, shared: Shared) -> list[Piece]:
    """Describe a document that at least one of the responses has.

    Parameters
    ----------
    responses : sequence of ScoredResponse
        One or more, to the same key.
    name : str
        Of the document.
    records : Records or None
        What is known of records.
    shared : Shared
        What other pages have in common with this one.

    Returns
    -------
    list of Piece
        The JSON of `DocumentData` of `payload.d.ts`.
    """
    numbers = [response.document_numbers.get(name, -1) for response in responses]
    first, number = next((response, n) for response, n in zip(responses, numbers, strict=True) if n >= 0)
    key = SideOfDocument(first.key_columns, number)
    sides = [None if n < 0 else SideOfDocument(r.response_columns, n) for r, n in zip(responses, numbers, strict=True)]
    pane = pane_of([key, *sides])
    of_key, *of_responses = pane.sides
    return [
        between("{"),
        shared.once(name, (pane.text, of_key), lambda: Piece(text_and_key(key, pane, records, None))),
        between(',"responses":['),
        *listed(
            written(None) if side is None else shared.once((name, r), placed, partial(_response, r, side, placed))
            for r, side, placed in zip(responses, sides, of_responses, strict=True)
        ),
        between("]}"),
    ]


def text_and_key(key: SideOfDocument, pane: Pane, records: Records | None, reasons: Reasons | None) -> bytes:
    """Describe the text of a document, or its records, and the key: what `DocumentData` has before the responses."""
    known = b"" if records is None else b"," + members({"records": [records.rows.get(mention) for mention in pane.mentions]})
    return b'%b%b,"key":%b' % (pane.text, known, _annotation(key, pane.sides[0], reasons))


def _annotation(side: SideOfDocument, places: bytes, reasons: Reasons | None) -> bytes:
    """Describe mentions and entities of one side of a document: where each mention is on the pane, in which entity, and why."""
    more = _relations(side.corpus, side.number)
    if reasons is not None:
        name = side.corpus.doc_ids[side.number]
        more["reasons"] = reasons_of(reasons, side.corpus, rows_of(side.corpus.document, side.number), name)
    return b"{%b,%b%b}" % (places, side.columns.others[side.number], b"," + members(more) if more else b"")


def _relations(corpus: Corpus, number: int) -> Record:
    """Bridging between mentions of a document, split antecedents and non-referring expressions, if there are any."""
    record: Record = {}
    if corpus.bridging is None and corpus.split_antecedents is None and corpus.referring is None:
        return record
    m, e = rows_of(corpus.document, number), rows_of(corpus.entity_document, number)
    if corpus.bridging is not None:
        anaphor, antecedent, relation = corpus.bridging
        here = np.flatnonzero((m.start <= np.minimum(anaphor, antecedent)) & (np.maximum(anaphor, antecedent) < m.stop))
        if len(here):
            relations = [relation[n] for n in here.tolist()]
            record["bridging"] = [(anaphor[here] - m.start).tolist(), (antecedent[here] - m.start).tolist(), relations]
    if corpus.split_antecedents is not None:
        entity, element = corpus.split_antecedents
        here = np.flatnonzero((e.start <= np.minimum(entity, element)) & (np.maximum(entity, element) < e.stop))
        if len(here):
            record["split_antecedents"] = [(entity[here] - e.start).tolist(), (element[here] - e.start).tolist()]
    if corpus.referring is not None and not corpus.referring[e].all():
        record["non_referring"] = np.flatnonzero(~corpus.referring[e]).tolist()
    return record


def _response(response: ScoredResponse, side: SideOfDocument, places: bytes) -> Piece:
    """What happened to the mentions and entities of a document: the columns of `Differences`, and what errors cost."""
    annotation = _annotation(side, places, response.reasons)
    return Piece(b'{"annotation":%b,%b' % (annotation, response.in_documents[side.number][1:]))
