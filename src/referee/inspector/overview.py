"""The corpus as the page shows it: scores, documents, errors by kind, sizes of entities, and what a second response changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import MENTION_TYPES
from referee.error_analysis.differences import KINDS
from referee.inspector.runs import Record, Run, plain, scaled, three
from referee.messages import one_line
from referee.metrics.registry import DISTANCES, METRICS
from referee.scoring.evaluation import Evaluation
from referee.version import VERSION

RANKS = 40
"""Ranks of the size distributions that are shown one by one."""


def overview(runs: Sequence[Run], names: Sequence[str]) -> Record:
    """What is known of the corpus; `names` are the documents of the page."""
    first = runs[0].evaluation
    return {
        "version": VERSION,
        "key": one_line(first.key.source),
        "documents": list(names),
        "classes": MENTION_TYPES,
        "kinds": KINDS,
        "cut": first.options.decimals == "cut",
        "metrics": [_metric(first, name) for name in first.counts],
        "costed": runs[0].costed,
        "runs": [_run(run, names) for run in runs],
        "changes": _changes(runs, names) if len(runs) > 1 else None,
    }


def _metric(e: Evaluation, name: str) -> Record:
    score = e[name]
    return {
        "id": name,
        "sides": score.recall is not None,
        "unit": e.counts[name].unit,
        "distance": name in DISTANCES,
        "says": (METRICS[name].__doc__ or "").strip().partition("\n")[0] if name in METRICS and name not in e.own else "",
    }


def _run(run: Run, names: Sequence[str]) -> Record:
    e, d = run.evaluation, run.differences
    by_kind = run.costs(d.kind.astype(np.int64), len(KINDS)).corpus
    here = [run.place.get(name, -1) for name in names]

    def row(column: Any) -> list[Any]:
        """A number for each document of the page, None for those that only the other response has."""
        values = column.tolist()
        return [None if n < 0 else plain(values[n]) for n in here]

    def per_document(documents: Ints) -> list[Any]:
        return row(np.bincount(documents, minlength=len(e.documents)))

    return {
        "name": one_line(e.name),
        "signature": e.signature,
        "scores": {name: three(e[name]) for name in e.counts},
        "by_document": {name: row(np.asarray(scores.value)) for name, scores in e.by_document.items()},
        "mentions": {"key": per_document(e.key.document), "response": per_document(e.response.document)},
        "entities": {"key": per_document(e.key.entity_document), "response": per_document(e.response.entity_document)},
        "errors": per_document(d.document),
        "kinds": {"errors": [d.counts[kind] for kind in KINDS], "costs": scaled(by_kind)},
        "sizes": _sizes(e),
    }


def _sizes(e: Evaluation) -> Record:
    """Mentions by the rank of their entity in its document, added over documents, and how many of them key and response share
    rank by rank, which is what `overlap` counts; the last number of each is that of all ranks past the first RANKS."""
    t = e.table.extended
    edges = range(t.documents + 1)
    bounds = [np.searchsorted(side, edges).tolist() for side in (t.key_document, t.response_document)]
    sums = np.zeros((3, RANKS + 1), dtype=np.int64)
    for document in range(t.documents):
        sides = [
            np.sort(size[b[document] : b[document + 1]])[::-1]
            for size, b in zip((t.key_size, t.response_size), bounds, strict=True)
        ]
        padded = np.zeros((2, max(map(len, sides)) + 1), dtype=np.int64)
        for row, sizes in zip(padded, sides, strict=True):
            row[: len(sizes)] = sizes
        both = np.vstack([padded, padded.min(axis=0)])
        first = both[:, :RANKS]
        sums[:, : first.shape[1]] += first
        sums[:, RANKS] += both[:, RANKS:].sum(axis=1)
    return {"key": sums[0].tolist(), "response": sums[1].tolist(), "shared": sums[2].tolist()}


def _changes(runs: Sequence[Run], names: Sequence[str]) -> Record:
    """How many mentions and entities of the key the second response fixes and breaks, document by document."""
    found: Record = {"fixed": [], "broken": [], "fixed_entities": [], "broken_entities": []}
    for name in names:
        (mentions, entities), (mentions_now, entities_now) = (run.kept(name) for run in runs)
        for what, was, is_now in (("", mentions, mentions_now), ("_entities", entities, entities_now)):
            in_both = len(was) == len(is_now)  # a document that only one response has is not in the key
            found["fixed" + what].append(int((is_now & ~was).sum()) if in_both else 0)
            found["broken" + what].append(int((was & ~is_now).sum()) if in_both else 0)
    return found
