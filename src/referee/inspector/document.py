"""One document as the page shows it: its tokens, and on them the mentions, entities and errors of all sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext

import numpy as np

from referee.corpus.corpus import Corpus
from referee.formats.conll import replacing
from referee.inspector.pane import Annotated, Pane, pane_of
from referee.inspector.runs import Record, Run, local, rows_of, scaled, three


def document(runs: Sequence[Run], name: str) -> Record:
    """The document of this name, which one of the runs may lack."""
    here = [(run, run.place.get(name, -1)) for run in runs]
    first, number = next((run, number) for run, number in here if number >= 0)
    responses = (None if n < 0 else Annotated(run.evaluation.response, n) for run, n in here)
    # What was scored without regard to its words is shown even if they are badly encoded.
    lenient = all(run.evaluation.options.tokens in ("warn", "ignore") for run in runs)
    with replacing() if lenient else nullcontext():
        pane = pane_of([Annotated(first.evaluation.key, number), *responses])
    return {
        "tokens": pane.tokens,
        "sentences": pane.sentences,
        "list": pane.listed,
        "key": _side(first.evaluation.key, number, pane, 0),
        "runs": [None if n < 0 else _response(run, n, pane, place) for place, (run, n) in enumerate(here, start=1)],
    }


def _side(corpus: Corpus, number: int, pane: Pane, place: int) -> Record:
    """Mentions and entities of one side of a document: where each mention is on the pane, and in which entity."""
    m, e = rows_of(corpus.document, number), rows_of(corpus.entity_document, number)
    start, end, parts, texts = pane.sides[place]
    classes = corpus.mention_types_with_zeros[m]
    side: Record = {
        "start": start,
        "end": end,
        "entity": (corpus.entity[m] - e.start).tolist(),
        "size": corpus.entity_size[e].tolist(),
    }
    if corpus.format:  # otherwise there is no file that calls entities anything
        side["labels"] = [corpus.entity_ids[n] for n in range(e.start, e.stop)]
    if parts:
        side["parts"] = parts
    if texts is not None:
        side["texts"] = texts
    if classes.any():
        side["classes"] = classes.tolist()
    if corpus.entity_types is not None:
        side["types"] = [corpus.entity_types[n] for n in range(e.start, e.stop)]
    return side


def _response(run: Run, number: int, pane: Pane, place: int) -> Record:
    """What became of the mentions and entities of the document: the columns of `Differences`, and what errors cost."""
    e, d = run.evaluation, run.differences
    km, ke = rows_of(e.key.document, number), rows_of(e.key.entity_document, number)
    rm, re = rows_of(e.response.document, number), rows_of(e.response.entity_document, number)
    errors = rows_of(d.document, number)
    cells = slice(*np.searchsorted(e.table.key, [ke.start, ke.stop]).tolist())
    return {
        "response": _side(e.response, number, pane, place),
        "counterpart": local(d.key_counterpart[km], rm),
        "key_error": local(d.key_error[km], errors),
        "key_boundary": local(d.key_boundary[km], errors),
        "home": local(d.home[ke], re),
        "owner": local(d.owner[re], ke),
        "cells": [
            local(e.table.key[cells], ke), local(e.table.response[cells], re), e.table.shared[cells].tolist(),
        ],
        "bounded": _bounded(run, km, ke, re),
        "errors": {
            "kind": d.kind[errors].tolist(),
            "key": local(d.key_entity[errors], ke),
            "response": local(d.response_entity[errors], re),
            "key_mention": local(d.key_mention[errors], km),
            "response_mention": local(d.response_mention[errors], rm),
            "mentions": d.mentions[errors].tolist(),
            "costs": scaled(run.error_costs.document, errors),
        },
        "key_costs": scaled(run.key_costs.document, ke),
        "response_costs": scaled(run.response_costs.document, re),
        "scores": {metric: three(rows[number]) for metric, rows in e.by_document.items()},
    }  # fmt: skip


def _bounded(run: Run, km: slice, ke: slice, re: slice) -> list[list[int]]:
    """Cells of mentions whose boundary differs: key entity, response entity, how many. No measure counts them."""
    e, d = run.evaluation, run.differences
    here = np.flatnonzero(d.key_boundary[km] >= 0) + km.start
    key, response = local(e.key.entity[here], ke), local(e.response.entity[d.key_counterpart[here]], re)
    cells = sorted(Counter(zip(key, response, strict=True)).items())
    return [[k for (k, _), _ in cells], [r for (_, r), _ in cells], [n for _, n in cells]]
