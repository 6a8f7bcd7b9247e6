"""The corpus as the page has it: scores, documents, errors by kind, sizes of entities, and what further responses change.

`assets/payload.d.ts` describes the records.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.algorithms.arrays import Ints, Numbers, argsort, ranges, tally
from referee.basics.exceptions import one_line
from referee.basics.system_names import name_of
from referee.basics.version import VERSION
from referee.corpus import MENTION_TYPES
from referee.error_analysis.costs import Costs
from referee.error_analysis.differences import KINDS
from referee.error_analysis.facets import told_by
from referee.metrics.registry import METRICS
from referee.metrics.titles import title_of_f
from referee.pages.inspector.json_columns import in_one_list, offsets
from referee.pages.inspector.packing import Record
from referee.pages.inspector.response import ScoredResponse, defined, score_values, whole_costs
from referee.scoring.evaluation import Evaluation

RANKS = 40
"""Ranks of the distributions of sizes that are counted one by one."""

SIZES = (1, 2, 3, 5, 10)
"""The least sizes of the classes of entities whose errors are counted."""


def overview(responses: Sequence[ScoredResponse], names: Sequence[str]) -> Record:
    """Describe the corpus.

    Parameters
    ----------
    responses : sequence of ScoredResponse
        One or more, to the same key.
    names : sequence of str
        The documents of the page.

    Returns
    -------
    dict
        `Overview` of `payload.d.ts`.
    """
    first = responses[0].evaluation
    return {
        "version": VERSION,
        "key": one_line(name_of(first.key.source)),
        "documents": names,
        "mention_types": MENTION_TYPES,
        "items": first.key.items is not None,
        "kinds": KINDS,
        "sizes": SIZES,
        "truncate": first.options.decimals == "truncate",
        "metrics": [_metric(first, name) for name in first.counts],
        "metrics_with_costs": responses[0].metrics_with_costs,
        "responses": b"[%b]" % b",".join(response.kept(_response, names) for response in responses),
        "changes": [_changes((responses[0], other), names) for other in responses[1:]],
    }


def _metric(e: Evaluation, name: str) -> Record:
    """A metric; functions of the user have no description."""
    score = e[name]
    return {
        "id": name,
        "title": e.record(name).title,
        "sides": score.recall is not None,
        "f": "" if score.recall is None or score.beta is None else title_of_f(score.beta).text,
        "unit": e.counts[name].unit,
        "distance": e.record(name).target is not None,
        "description": e.record(name).summary if name in METRICS else "",
    }


def _response(response: ScoredResponse, names: Sequence[str]) -> Record:
    """A response: its scores and counts, a number for each document of the page; None where it lacks the document."""
    e, d = response.evaluation, response.differences
    numbers = np.array([response.document_numbers.get(name, -1) for name in names], dtype=np.int64)

    def per_document(column: Numbers) -> bytes:
        return in_one_list(np.append(column.astype(np.float64), np.nan)[numbers])

    def counted(of_rows: Ints) -> bytes:
        return per_document(tally(of_rows, minlength=len(e.documents)))

    return {
        "name": one_line(e.name),
        "signature": e.signature,
        "warnings": list(map(one_line, e.warnings)),
        "scores": {name: score_values(e[name]) for name in e.counts},
        "sides": response.metrics_with_sides,
        "by_document": {name: per_document(np.asarray(scores.value)) for name, scores in e.by_document.items()},
        "mentions": {"key": counted(e.key.document), "response": counted(e.response.document)},
        "entities": {"key": counted(e.key.entity_document), "response": counted(e.response.entity_document)},
        "errors": counted(d.document),
        "kinds": _errors([d.counts[kind] for kind in KINDS], response.kind_costs),
        "error_sizes": _error_groups(
            response, np.searchsorted(SIZES, response.error_entity_sizes, side="right") - 1, len(SIZES)
        ),
        "together": _together(response),
        "types_told_by": told_by(d),
        "sizes": _sizes(e),
    }


def _together(response: ScoredResponse) -> Record:
    """What errors cost together: groups, and of each the costs as they are printed, in millionths of the score."""
    groups, costs = response.together
    columns = {metric: np.rint(np.array(column, dtype=np.float64) * 1e6) + 0.0 for metric, column in costs.items()}
    return {"groups": groups, "costs": {metric: in_one_list(column) for metric, column in columns.items()}}


def _error_groups(response: ScoredResponse, groups: Ints, number: int) -> Record:
    """The errors of each group: how many, and what they cost."""
    return _errors(tally(groups, minlength=number).tolist(), response.costs(groups, number))


def _errors(counts: list[int], costs: Costs) -> Record:
    by_metric = {metric: [defined(cost) for cost in column.tolist()] for metric, column in costs.corpus.items()}
    return {"errors": counts, "costs": by_metric}


def corpus_errors(response: ScoredResponse, names: Sequence[str]) -> Record:
    """List the errors of all documents of the page: what the concordance sorts and filters them by.

    Parameters
    ----------
    response : ScoredResponse
        One of the page.
    names : sequence of str
        The documents of the page.

    Returns
    -------
    dict
        `CorpusErrors` of `payload.d.ts`. The errors of a document are in the order that its own record has them in.
    """
    d = response.differences
    first = offsets(d.document, len(response.evaluation.documents))
    numbers = np.array([response.document_numbers[name] for name in names if name in response.document_numbers], dtype=np.int64)
    _, order = ranges(first[numbers], first[numbers + 1])
    return {
        "kind": in_one_list(d.kind[order].astype(np.int64)),
        "mention_type": in_one_list(response.error_mention_types[order]),
        "entity_types": response.error_entity_types[0],
        "entity_type": in_one_list(response.error_entity_types[1][order]),
        "size": in_one_list(response.error_entity_sizes[order]),
        "costs": {metric: in_one_list(column[order]) for metric, column in whole_costs(response.error_costs.corpus).items()},
    }


def _sizes(e: Evaluation) -> Record:
    """Mentions by the rank of their entity in its document, added over documents.

    What both sides share rank by rank is what `overlap` counts.
    """
    t = e.table.extended
    key, key_rank, _ = ranked(t.key_size, t.key_document, t.documents)
    response, response_rank, first = ranked(t.response_size, t.response_document, t.documents)
    place = first[t.key_document] + key_rank  # of the response entity of the same rank
    both = place < first[t.key_document + 1]
    return {
        "key": by_rank(key, key_rank),
        "response": by_rank(response, response_rank),
        "shared": by_rank(np.minimum(key[both], response[place[both]]), key_rank[both]),
    }


def ranked(size: Ints, document: Ints, documents: int) -> tuple[Ints, Ints, Ints]:
    """The sizes of entities, in each document the largest first; their ranks; and where each document begins."""
    first = offsets(document, documents)
    return size[argsort(document, size.max(initial=0) - size)], np.arange(len(size)) - first[document], first


def by_rank(size: Ints, rank: Ints) -> list[int]:
    """Mentions of the entities of each rank; the last number is that of all ranks past the first RANKS."""
    mentions: list[int] = tally(np.minimum(rank, RANKS), size, RANKS + 1).astype(np.int64).tolist()
    return mentions


def _changes(responses: Sequence[ScoredResponse], names: Sequence[str]) -> Record:
    """How many mentions and entities of the key the latter of two responses fixes and breaks, document by document."""
    changes: dict[str, list[int]] = {"fixed": [], "broken": [], "fixed_entities": [], "broken_entities": []}
    for name in names:
        before, after = (response.correct(name) for response in responses)
        for unit, was, is_now in zip(("", "_entities"), before, after, strict=True):
            in_both = len(was) == len(is_now)  # a document that only one response has is not in the key
            changes["fixed" + unit].append(int((is_now & ~was).sum()) if in_both else 0)
            changes["broken" + unit].append(int((was & ~is_now).sum()) if in_both else 0)
    return dict(changes)
