"""What the CorefUD scorer 1.2 and the Universal Anaphora scorer 2.0 count in a document that repeats a mention.

They keep every copy in the size of its entity, and look up the entity of a mention in an index, which knows the last one. So
recall looks into one table, precision into another, and CEAF into a third: those documents, and only those, are counted here.

Source: `evaluator.py` of either program, read and written anew; specified as each side's numerator over lists of mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.algorithms.assignment import assign
from referee.corpus.corpus import Corpus
from referee.counts import Counts
from referee.matching.exact import identities
from referee.matching.matchers import Matching, match
from referee.matching.positions import CharacterAlignments, on_common_positions
from referee.matching.repeated_mentions import repeated, without_repeated_mentions
from referee.metrics.mention_overlap import mention_overlap
from referee.metrics.table import link, table_of
from referee.scoring.other_scorers.conll import Entities, entities


def counted_with_copies(
    key: Corpus, response: Corpus, counts: Mapping[str, Counts], characters: CharacterAlignments = (), **how: Any
) -> dict[str, Counts]:
    """The counts, with the rows of documents that repeat a mention replaced in MUC, B³, CEAF, LEA, BLANC and the CoNLL average.

    how : as for `referee.matching.matchers`
    """
    rows = {
        d: _rows(key.block(d, d + 1), response.block(d, d + 1), {**how, "characters": characters[d : d + 1]})
        for d in sorted({int(side.document[m]) for side in (key, response) for m in np.flatnonzero(repeated(side))})
    }
    return {metric: _replaced(metric.removesuffix("_split"), counted, rows) for metric, counted in counts.items()}


def _replaced(metric: str, counts: Counts, rows: Mapping[int, Mapping[str, Mapping[str, float]]]) -> Counts:
    """Columns of an average bear the names of its parts, ``muc.recall_numerator`` or ``muc_split.recall_numerator``."""
    columns: dict[str, Any] = dict(counts.columns)
    for name, column in counts.columns.items():
        part, _, plain = name.rpartition(".")
        measure = part.removesuffix("_split") or metric
        for document, measures in rows.items():
            if plain in measures.get(measure, {}):
                value = measures[measure][plain]
                columns[name] = np.array(columns[name], dtype=np.result_type(column, type(value)))
                columns[name][document] = value
    return Counts(columns, counts.finish, counts.unit)


def _rows(key: Corpus, response: Corpus, how: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The columns of each measure, for key and response of one document."""
    once = [without_repeated_mentions(side) for side in (key, response)]
    matching = match(*once, **how)
    key_place, response_place = identities(*on_common_positions(key, response, how["characters"]))
    pairs = list(
        zip(
            key_place[~repeated(key)][matching.key_mention].tolist(),
            response_place[~repeated(response)][matching.response_mention].tolist(),
            strict=True,
        )
    )
    ours, theirs = entities(key, 0, key_place), entities(response, 0, response_place)
    key_of, response_of = ({m: n for n, entity in enumerate(side) for m in entity} for side in (ours, theirs))
    # The entity of each mention's counterpart.
    in_response = {k: response_of[r] for k, r in pairs}
    in_key = {r: key_of[k] for k, r in pairs}
    counterpart = dict(pairs)
    found, precise = _side(ours, in_response, theirs), _side(theirs, in_key, ours)
    shared = [[sum(counterpart.get(m) in entity for m in set(k)) for entity in map(set, theirs)] for k in ours]
    in_common = _aligned(shared)
    alike = _aligned(
        [[2 * s / (len(k) + len(r)) for s, r in zip(row, theirs, strict=True)] for row, k in zip(shared, ours, strict=True)]
    )
    sizes, other_sizes = sum(map(len, ours)), sum(map(len, theirs))
    return {
        **{
            metric: _rates(found[metric], precise[metric], of, of_response)
            for metric, of, of_response in (
                ("muc", sizes - len(ours), other_sizes - len(theirs)),
                ("b_cubed", sizes, other_sizes),
                ("lea", sizes, other_sizes),
            )
        },
        "ceaf_m": _rates(in_common, in_common, sizes, other_sizes),
        "ceaf_e": _rates(alike, alike, len(ours), len(theirs)),
        "blanc": _blanc(ours, theirs, in_response),
        "mention_overlap": _overlap(matching, key, response, how["characters"]),
    }  # fmt: skip


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


def _rates(recall: float, precision: float, of_key: int, of_response: int) -> dict[str, float]:
    return {
        "recall_numerator": recall, "recall_denominator": of_key,
        "precision_numerator": precision, "precision_denominator": of_response,
    }  # fmt: skip


def _overlap(once: Matching, key: Corpus, response: Corpus, characters: CharacterAlignments) -> dict[str, float]:
    """Copies are mentions like others."""
    sides = on_common_positions(key, response, characters)
    columns = mention_overlap(table_of(once._replace(on_common_positions=sides))).total().columns
    return {name: column[0].item() for name, column in columns.items()}


def _aligned(similarity: Sequence[Sequence[float]]) -> float:
    """The total of the best alignment."""
    weight = np.array(similarity, dtype=np.float64, ndmin=2)
    row, column = np.nonzero(weight)
    chosen = assign(row, column, weight[row, column], *weight.shape).edges
    return float(weight[row, column][chosen].sum())


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
