"""A corpus with the mentions and entities that corrections make, and what else it says of those that stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus import Corpus
from referee.corpus.columns import Spans
from referee.corpus.editing import fragment_columns
from referee.corpus.layers import Bridging, SplitAntecedents
from referee.corpus.schema import Layer, Numbers, Strings, parts_of
from referee.corrections.merging import Outcome


class Built(NamedTuple):
    """A corpus with corrections.

    Parameters
    ----------
    corpus : Corpus
    dropped : Counter
        What it no longer says, as what it was about is gone: how many of each.
    """

    corpus: Corpus
    dropped: Counter[str]


def built(corpus: Corpus, outcomes: Mapping[int, Outcome]) -> Built:
    """Make a corpus of what its documents become, by their numbers; other documents stay.

    A mention that is new or has new edges has no head and no type, and a minimum span only if this is in it. An entity that is
    new has the type of the one from which its first mention came. Bridging and split antecedents follow the entities.
    """
    number = {(d, name): e for e, (d, name) in enumerate(zip(corpus.entity_document.tolist(), corpus.entity_ids, strict=True))}
    entities = list(range(len(number)))
    rows: list[tuple[int, int, Spans, int]] = []  # mention of the key, document, spans, entity
    origin = dict(enumerate(entities))  # entity -> the one from which it has its type
    for document in range(len(corpus.doc_ids)):
        here = corpus.mentions_in(document, document + 1)
        if document not in outcomes:
            rows += [(m, document, corpus.spans(m), int(corpus.entity[m])) for m in range(here.start, here.stop)]
            continue
        for m, spans, name in sorted(outcomes[document].mentions, key=lambda each: (each[0] < 0, each[1])):
            if (document, name) not in number:
                number[document, name] = len(number)
                origin[number[document, name]] = int(corpus.entity[m]) if m >= 0 else -1
            rows.append((m, document, spans, number[document, name]))
    old = np.array([max(row[0], -1) for row in rows], dtype=np.int64)
    entity = np.array([row[3] for row in rows], dtype=np.int64)
    columns: dict[str, Any] = {
        name: _column(part, values, old, np.array([origin[e] for e in range(len(number))], dtype=np.int64))
        for name, part, values in parts_of(corpus)
        if not isinstance(part, Layer)
    }
    names = {e: name for (_, name), e in number.items()}
    columns["entity_ids"] = [names[e] for e in range(len(number))]
    columns["entity_document"] = np.array([d for d, _ in number], dtype=np.int64)
    columns["file_order"] = np.arange(len(number))
    columns["document"] = np.array([row[1] for row in rows], dtype=np.int64)
    columns["entity"] = entity
    fragments, lists = fragment_columns({n: row[2] for n, row in enumerate(rows) if len(row[2]) > 1}, len(rows))
    columns |= {"fragments": fragments, "fragment_lists": lists, "links": None}
    columns["start"] = np.array([row[2][0][0] if row[2] else 0 for row in rows], dtype=np.int64)
    columns["end"] = np.array([row[2][-1][1] if row[2] else 0 for row in rows], dtype=np.int64)
    for n, (m, _, spans, _) in enumerate(rows):
        if m >= 0 and spans != corpus.spans(m):
            _forget(columns, n, spans)
    place = np.full(len(corpus.document), -1, dtype=np.int64)
    place[old[old >= 0]] = np.flatnonzero(old >= 0)
    merged = {
        number[d, a]: number[d, b]
        for d, outcome in outcomes.items()
        for a, b in outcome.merged.items()
        if (d, a) in number and (d, b) in number
    }
    into = np.array([merged.get(e, e) for e in range(len(number))], dtype=np.int64)
    into[~np.isin(into, entity)] = -1
    dropped: Counter[str] = Counter()
    columns["bridging"] = _bridging(corpus, place, into, entity, columns["start"], dropped)
    columns["split_antecedents"] = _split_antecedents(corpus, into, dropped)
    return Built(replace(corpus, **columns).in_reading_order(), dropped)


def _column(part: Numbers | Strings, values: object, old: Ints, origin: Ints) -> object:
    """A column of the rows, with what says nothing for new ones."""
    rows = old if part.rows == "mention" else origin
    if isinstance(values, np.ndarray):
        fill = np.full((1, *values.shape[1:]), part.fill or 0, dtype=values.dtype)
        return np.concatenate([values, fill])[rows]
    assert isinstance(values, Sequence)
    there = list(values)
    return [there[row] if row >= 0 else "" for row in rows.tolist()]


def _forget(columns: dict[str, Any], row: int, spans: Spans) -> None:
    """Leave out the head, mention type and minimum span that a mention had with other edges."""
    for name, nothing in (("head", -1), ("mention_types", 0)):
        if columns.get(name) is not None:
            columns[name][row] = nothing
    if columns.get("minimum_span") is not None:
        start, end = columns["minimum_span"][row].tolist()
        if not any(a <= start and end <= b for a, b in spans):
            columns["minimum_span"][row] = -1


def _bridging(corpus: Corpus, place: Ints, into: Ints, entity: Ints, start: Ints, dropped: Counter[str]) -> Bridging | None:
    """The bridging of what is left: to the same mention, or to another one of its entity, the last before the anaphor."""
    if corpus.bridging is None:
        return None
    rows: list[tuple[int, int, str]] = []
    for old, antecedent, relation in zip(*map(list, corpus.bridging), strict=True):
        anaphor, there, whole = int(place[old]), int(place[antecedent]), int(into[corpus.entity[antecedent]])
        if there >= 0 and whole < 0:
            whole = int(entity[there])  # all mentions have moved
        joined = anaphor >= 0 and entity[anaphor] == whole and corpus.entity[old] != corpus.entity[antecedent]
        if anaphor < 0 or whole < 0 or joined:
            dropped["bridging"] += 1
            continue
        if there < 0 or entity[there] != whole:
            members = np.flatnonzero(entity == whole)
            members = members[np.argsort(start[members], kind="stable")]
            earlier = members[start[members] < start[anaphor]]
            there = int(earlier[-1] if len(earlier) else members[0])
        rows.append((anaphor, there, relation))
    anaphors, antecedents = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2).T
    return Bridging(anaphors, antecedents, [row[2] for row in rows])


def _split_antecedents(corpus: Corpus, into: Ints, dropped: Counter[str]) -> SplitAntecedents | None:
    """The split antecedents of the entities that are left."""
    if corpus.split_antecedents is None:
        return None
    whole, element = (into[side] for side in corpus.split_antecedents)
    stays = (whole >= 0) & (element >= 0) & (whole != element)
    dropped["split antecedents"] += int(np.count_nonzero(~stays))
    pairs = np.unique(np.stack([whole[stays], element[stays]], axis=1), axis=0)
    return SplitAntecedents(pairs[:, 0], pairs[:, 1])
