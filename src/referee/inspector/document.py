"""One document as the page has it: its tokens, and on them the mentions, entities and errors of all sides.

`assets/payload.d.ts` describes the records.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial

import numpy as np

from referee.corpus import Corpus
from referee.formats.conll import replacing
from referee.inspector.packing import Piece, Record, Shared, between, json_of, listed, members, written
from referee.inspector.pane import Pane, PlacedMentions, SideOfDocument, pane_of
from referee.inspector.reasons import reasons_of
from referee.inspector.records import Records
from referee.inspector.response import ScoredResponse, rows_of


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
    key = SideOfDocument(first.evaluation.key, number, first.key_columns)
    sides = [
        None if n < 0 else SideOfDocument(r.evaluation.response, n, r.response_columns)
        for r, n in zip(responses, numbers, strict=True)
    ]
    # What was scored without regard to its words is shown even if they are badly encoded.
    lenient = all(response.evaluation.options.tokens in ("warn", "ignore") for response in responses)
    with replacing() if lenient else nullcontext():
        pane = pane_of([key, *sides])
    of_key, *of_responses = pane.sides
    text = text_record(pane, records)
    return [
        between("{"),
        shared.once(name, (text, of_key), lambda: members({**text, "key": annotation_record(key, of_key)})),
        between(',"responses":['),
        *listed(
            written(None) if side is None else shared.once((name, r), placed, partial(_response, r, side, placed))
            for r, side, placed in zip(responses, sides, of_responses, strict=True)
        ),
        between("]}"),
    ]


def text_record(pane: Pane, records: Records | None) -> Record:
    """Describe the text of a document, or its records."""
    record: Record = {"tokens": pane.tokens, "sentences": pane.sentences, "wordless": pane.wordless}
    if pane.empty_nodes:
        record["empty_nodes"] = pane.empty_nodes
    if records is not None:
        record["records"] = [records.rows.get(token) for token in pane.tokens]
    return record


def annotation_record(side: SideOfDocument, placed: PlacedMentions) -> Record:
    """Describe mentions and entities of one side of a document: where each mention is on the pane, and in which entity."""
    corpus, number, columns = side
    record: Record = {
        "start": placed.start,
        "end": placed.end,
        "entity": columns.entity[number],
        "size": columns.size[number],
    }
    if columns.entity_ids is not None:
        record["entity_ids"] = columns.entity_ids[number]
    if placed.spans:
        record["spans"] = placed.spans
    if placed.texts is not None:
        record["texts"] = placed.texts
    if placed.heads is not None:
        record["heads"] = placed.heads
    if columns.mention_types[number].strip(b"[0,]"):
        record["mention_types"] = columns.mention_types[number]
    if columns.entity_types is not None:
        record["entity_types"] = columns.entity_types[number]
    return record | _relations(corpus, number)


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


def _response(response: ScoredResponse, side: SideOfDocument, placed: PlacedMentions) -> Piece:
    """What happened to the mentions and entities of a document: the columns of `Differences`, and what errors cost."""
    annotation = annotation_record(side, placed)
    if response.reasons is not None:
        name = response.evaluation.documents[side.number]
        mentions = rows_of(side.corpus.document, side.number)
        annotation["reasons"] = reasons_of(response.reasons, side.corpus, mentions, name)
    return Piece(b'{"annotation":%b,%b' % (json_of(annotation), response.in_documents[side.number][1:]))
