"""One document as the page has it: its tokens, and on them the mentions, entities and errors of all sides.

`assets/payload.d.ts` describes the records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial

import numpy as np

from referee.corpus import Corpus
from referee.corpus.schema import Picked
from referee.formats.conll import replacing
from referee.inspector.packing import Piece, Shared, between, listed, members, written
from referee.inspector.pane import Pane, PlacedMentions, SideOfDocument, pane_of
from referee.inspector.reasons import reasons_of
from referee.inspector.records import Records
from referee.inspector.response import Record, ScoredResponse, rows_of, within


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
    key = first.evaluation.key
    sides = [
        SideOfDocument(key, number),
        *(None if n < 0 else SideOfDocument(r.evaluation.response, n) for r, n in zip(responses, numbers, strict=True)),
    ]
    # What was scored without regard to its words is shown even if they are badly encoded.
    lenient = all(response.evaluation.options.tokens in ("warn", "ignore") for response in responses)
    with replacing() if lenient else nullcontext():
        pane = pane_of(sides)
    of_key, *of_responses = pane.sides
    text = text_record(pane, records)
    return [
        between("{"),
        shared.once(name, (text, of_key), lambda: members({**text, "key": annotation_record(key, number, of_key)})),
        between(',"responses":['),
        *listed(
            written(None) if n < 0 else shared.once((name, r), placed, partial(_response, r, n, placed))
            for r, n, placed in zip(responses, numbers, of_responses, strict=True)
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


def annotation_record(corpus: Corpus, number: int, placed: PlacedMentions) -> Record:
    """Describe mentions and entities of one side of a document: where each mention is on the pane, and in which entity."""
    m, e = rows_of(corpus.document, number), rows_of(corpus.entity_document, number)
    mention_types = corpus.mention_types_with_zeros[m]
    record: Record = {
        "start": placed.start,
        "end": placed.end,
        "entity": (corpus.entity[m] - e.start).tolist(),
        "size": corpus.entity_size[e].tolist(),
    }
    if corpus.format:  # otherwise there is no file that has ids
        record["entity_ids"] = list(Picked(corpus.entity_ids, np.arange(e.start, e.stop)))
    if placed.spans:
        record["spans"] = placed.spans
    if placed.texts is not None:
        record["texts"] = placed.texts
    if placed.heads is not None:
        record["heads"] = placed.heads
    if mention_types.any():
        record["mention_types"] = mention_types.tolist()
    if corpus.entity_types is not None:
        record["entity_types"] = list(Picked(corpus.entity_types, np.arange(e.start, e.stop)))
    return record | _relations(corpus, m, e)


def _relations(corpus: Corpus, m: slice, e: slice) -> Record:
    """Bridging between mentions of a document, split antecedents and non-referring expressions, if there are any."""
    record: Record = {}
    if corpus.bridging is not None:
        anaphor, antecedent, relation = corpus.bridging
        here = np.flatnonzero((m.start <= np.minimum(anaphor, antecedent)) & (np.maximum(anaphor, antecedent) < m.stop))
        if len(here):
            relations = [relation[n] for n in here.tolist()]
            record["bridging"] = [within(anaphor[here], m), within(antecedent[here], m), relations]
    if corpus.split_antecedents is not None:
        entity, element = corpus.split_antecedents
        here = np.flatnonzero((e.start <= np.minimum(entity, element)) & (np.maximum(entity, element) < e.stop))
        if len(here):
            record["split_antecedents"] = [within(entity[here], e), within(element[here], e)]
    if corpus.referring is not None and not corpus.referring[e].all():
        record["non_referring"] = np.flatnonzero(~corpus.referring[e]).tolist()
    return record


def _response(response: ScoredResponse, number: int, placed: PlacedMentions) -> Piece:
    """What happened to the mentions and entities of a document: the columns of `Differences`, and what errors cost."""
    e, d = response.evaluation, response.differences
    name = e.documents[number]
    km, ke = rows_of(e.key.document, number), rows_of(e.key.entity_document, number)
    rm, re = rows_of(e.response.document, number), rows_of(e.response.entity_document, number)
    errors = rows_of(d.document, number)
    error_costs, key_costs, response_costs = (
        {metric: costs[rows] for metric, costs in of.items()}
        for of, rows in zip(response.whole_costs_in_documents, (errors, ke, re), strict=True)
    )
    cells = slice(*e.table.key.searchsorted(np.array([ke.start, ke.stop], dtype=e.table.key.dtype)).tolist())
    record: Record = {
        "annotation": {
            **annotation_record(e.response, number, placed),
            **({"reasons": reasons_of(response.reasons, e.response, rm, name)} if response.reasons is not None else {}),
        },
        "counterpart": within(d.key_counterpart[km], rm),
        "key_error": within(d.key_error[km], errors),
        "key_span_error": within(d.key_span_error[km], errors),
        "best_response": within(d.best_response[ke], re),
        "best_key": within(d.best_key[re], ke),
        "shared": [within(e.table.key[cells], ke), within(e.table.response[cells], re), e.table.shared[cells].tolist()],
        "shared_span_errors": _shared_span_errors(response, km, ke, re),
        "errors": {
            "kind": d.kind[errors].tolist(),
            "key": within(d.key_entity[errors], ke),
            "response": within(d.response_entity[errors], re),
            "key_mention": within(d.key_mention[errors], km),
            "response_mention": within(d.response_mention[errors], rm),
            "mentions": d.mentions[errors].tolist(),
            "costs": error_costs,
        },
        "key_costs": key_costs,
        "response_costs": response_costs,
        "scores": {metric: values[number] for metric, values in response.document_scores.items()},
    }
    return written(record)


def _shared_span_errors(response: ScoredResponse, km: slice, ke: slice, re: slice) -> list[list[int]]:
    """Cells of mentions with a span error: key entity, response entity, how many. No metric counts them as shared."""
    e, d = response.evaluation, response.differences
    mentions = np.flatnonzero(d.key_span_error[km] >= 0) + km.start
    keys, others = within(e.key.entity[mentions], ke), within(e.response.entity[d.key_counterpart[mentions]], re)
    cells = sorted(Counter(zip(keys, others, strict=True)).items())
    return [[k for (k, _), _ in cells], [r for (_, r), _ in cells], [n for _, n in cells]]
