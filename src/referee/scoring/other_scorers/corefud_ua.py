"""What the CorefUD scorer 1.2 and the Universal Anaphora scorer 2.0 count in a document that repeats a mention.

They keep every copy in the size of its entity, and look up the entity of a mention in an index, which knows the last one. So
recall looks into one table, precision into another, and CEAF into a third: those documents, and only those, are counted here.

A `ProgramPair` is counted as they count it, also where the profiles put them right.

References
----------
`evaluator.py` and `reader.py` of either program, read and written anew; each side's numerator over lists of mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.assignment import assign
from referee.corpus import Corpus
from referee.matching.matchers import Matching
from referee.matching.pair import Pair
from referee.matching.positions import on_common_positions
from referee.matching.spans import sizes
from referee.metrics.mention_overlap import overlap_counts
from referee.metrics.table import link
from referee.scoring.other_scorers.conll import sides
from referee.scoring.other_scorers.program_pair import ProgramPair, kept_masks, places
from referee.stats.counts import Counts

Entities: TypeAlias = list[list[int]]

NONE = -1
"""The counterpart of a mention without one."""


def apply_emulation(pair: Pair, counts: Mapping[str, Counts]) -> dict[str, Counts]:
    """Replace the counts of documents that repeat a mention by those of the programs."""
    documents = [side.document[~once] for side, once in zip(pair.with_repeats, kept_masks(pair), strict=True)]
    if isinstance(pair, ProgramPair):
        documents.append(pair.mistaken())
    rows = {d: _rows(pair.block(d, d + 1)) for d in np.unique(np.concatenate(documents)).tolist()}
    return {metric: _replaced(metric.removesuffix("_split"), of_metric, rows) for metric, of_metric in counts.items()}


def _replaced(metric: str, counts: Counts, rows: Mapping[int, Mapping[str, Mapping[str, float]]]) -> Counts:
    """Columns of an average bear the names of its parts, ``muc.recall_numerator`` or ``muc_split.recall_numerator``."""
    columns: dict[str, Any] = dict(counts.columns)
    for name, column in counts.columns.items():
        part, _, plain = name.rpartition(".")
        counted_metric = part.removesuffix("_split") or metric
        for document, metrics in rows.items():
            if plain in metrics.get(counted_metric, {}):
                value = metrics[counted_metric][plain]
                columns[name] = np.array(columns[name], dtype=np.result_type(column, type(value)))
                columns[name][document] = value
    return Counts(columns, counts.finish, counts.unit)


def _rows(pair: Pair) -> dict[str, dict[str, float]]:
    """The columns of each metric, for key and response of one document."""
    key, response = pair.with_repeats
    matching = pair.matching
    placed = on_common_positions(key, response, pair.characters)
    at = pair.memo_call(places)
    once = [place[kept].tolist() for place, kept in zip(at, kept_masks(pair), strict=True)]
    pairs = [(once[0][k], once[1][r]) for k, r in np.stack([matching.key_mention, matching.response_mention], axis=1).tolist()]
    ours, theirs = (_entities(side, place) for side, place in zip((key, response), at, strict=True))
    response_mention, key_mention = dict(pairs), {r: k for k, r in pairs}
    if isinstance(pair, ProgramPair):
        # The programs have one index for both sides; where a position is in it twice, that of the response counts. What is not
        # in it is looked for at its own position.
        unequal = {k: r for k, r in pairs if k != r} | {r: k for k, r in pairs if k != r}
        response_mention = key_mention = dict(zip(chain(*once), chain(*once), strict=True)) | unequal
    key_of, response_of = ({m: n for n, entity in enumerate(side) for m in entity} for side in (ours, theirs))
    # The entity of each mention's counterpart.
    in_response, in_key = (
        {m: entity_of[counterpart[m]] for entity in side for m in entity if counterpart.get(m) in entity_of}
        for side, counterpart, entity_of in ((ours, response_mention, response_of), (theirs, key_mention, key_of))
    )
    recalled, precise = _side(ours, in_response, theirs), _side(theirs, in_key, ours)
    shared = [[sum(response_mention.get(m) in entity for m in k) for entity in map(set, theirs)] for k in ours]
    in_common = _aligned(shared)
    alike = _aligned(
        [[2 * s / (len(k) + len(r)) for s, r in zip(row, theirs, strict=True)] for row, k in zip(shared, ours, strict=True)]
    )
    size, other_size = sum(map(len, ours)), sum(map(len, theirs))
    rows = {
        **{
            metric: sides(recalled[metric], key_size, precise[metric], of_response)
            for metric, key_size, of_response in (
                ("muc", size - len(ours), other_size - len(theirs)),
                ("b_cubed", size, other_size),
                ("lea", size, other_size),
            )
        },
        "ceaf_m": sides(in_common, size, in_common, other_size),
        "ceaf_e": sides(alike, len(ours), alike, len(theirs)),
        "blanc": _blanc(ours, theirs, in_response),
        "mention_overlap": _overlap(matching, placed),
    }  # fmt: skip
    if isinstance(pair, ProgramPair):
        key_zeros, response_zeros = (set(place[side.zero].tolist()) for side, place in zip(pair.with_repeats, at, strict=True))
        in_order = [_in_order(*side) for side in zip((ours, theirs), placed, at, strict=True)]
        rows["zero_anaphora"] = _zero_anaphora(in_order[0], in_order[1], key_zeros, response_zeros, response_mention)
    return rows


def _entities(corpus: Corpus, place: Ints) -> Entities:
    """The mentions of each entity of a document, as their places, in the order in which the file lists the entities."""
    members: dict[int, list[int]] = {}
    for entity, at in zip(corpus.entity.tolist(), place.tolist(), strict=True):
        members.setdefault(entity, []).append(at)
    return [members[e] for e in sorted(members, key=lambda e: int(corpus.file_order[e]))]


def _side(entities: Entities, other: Mapping[int, int], others: Entities) -> dict[str, float]:
    """Numerators of one side: `other` gives the entity of each mention's counterpart."""
    muc = b_cubed = lea = 0.0
    for entity in entities:
        size = len(entity)
        within = Counter(other[m] for m in entity if m in other)
        muc += sum(within.values()) - len(within)
        b_cubed += sum(n * n for n in within.values()) / size
        if size > 1:
            lea += size * sum(n * (n - 1) for n in within.values()) / (size * (size - 1))
        else:
            lea += sum(len(others[e]) == 1 for e in within)
    return {"muc": muc, "b_cubed": b_cubed, "lea": lea}


def _in_order(entities: Entities, placed: Corpus, place: Ints) -> Entities:
    """The entities with their mentions by start, end and size."""
    columns = (column.tolist() for column in (placed.start, placed.end, sizes(placed)))
    order = dict(zip(place.tolist(), zip(*columns, strict=True), strict=True))
    return [sorted(entity, key=order.__getitem__) for entity in entities]


def _zero_anaphora(
    key: Entities, response: Entities, key_zeros: set[int], response_zeros: set[int], response_mention: Mapping[int, int]
) -> dict[str, float]:
    """Anaphoric zeros; a mention of the key is first looked for at its own position."""
    entity_of = {m: n for n, entity in enumerate(response) for m in entity}
    firsts = {entity[0] for entity in response}
    right = anaphors = answered = 0
    covered: set[int] = set()
    for entity in key:
        before: set[int] = set()
        for n, m in enumerate(entity):
            counterpart = m if m in entity_of else response_mention.get(m, NONE)
            if n and m in key_zeros:
                anaphors += 1
                is_link = counterpart in entity_of and counterpart not in firsts
                answered += is_link
                right += is_link and entity_of[counterpart] in before
                covered.add(counterpart)
            if counterpart in entity_of:
                before.add(entity_of[counterpart])
    spurious = len(response_zeros & entity_of.keys() - firsts - covered)
    return sides(right, anaphors, right, answered + spurious)


def _overlap(once: Matching, placed: tuple[Corpus, Corpus]) -> dict[str, float]:
    columns = overlap_counts(once._replace(on_common_positions=placed)).total().columns
    return {name: column[0].item() for name, column in columns.items()}


def _aligned(similarity: Sequence[Sequence[float]]) -> float:
    """The total of the best alignment."""
    weight = np.array(similarity, dtype=np.float64, ndmin=2)
    row, column = np.nonzero(weight)
    aligned = assign(row, column, weight[row, column], *weight.shape).edges
    return float(weight[row, column][aligned].sum())


def _blanc(key: Entities, response: Entities, in_response: Mapping[int, int]) -> dict[str, float]:
    """Links are those of the key's mentions that are links of the response."""
    cells = Counter((k, in_response[m]) for k, entity in enumerate(key) for m in entity if m in in_response)
    together = sum(n * (n - 1) // 2 for n in cells.values())
    of_key, of_response = (
        Counter({n: sum(c for cell, c in cells.items() if cell[side] == n) for n in {cell[side] for cell in cells}})
        for side in (0, 1)
    )
    common = sum(cells.values())
    apart = (
        common * (common - 1) // 2 - sum(n * (n - 1) // 2 for side in (of_key, of_response) for n in side.values()) + together
    )
    columns: dict[str, float] = {"coreference_found": together, "other_found": apart}
    for name, side in (("key", key), ("response", response)):
        sizes = np.array([len(entity) for entity in side], dtype=np.int64)
        columns[f"coreference_{name}"] = int(link(sizes).sum())
        columns[f"other_{name}"] = int(link(sizes.sum()) - link(sizes).sum())
    return columns
