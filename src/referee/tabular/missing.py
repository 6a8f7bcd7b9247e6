"""Words that stand for a value that is not there: what R, pandas, Spark, SQL and spreadsheets write for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import warn
from referee.basics.extras import arrow, pc
from referee.corpus import Corpus
from referee.corpus.strings import Names

MISSING = frozenset(
    {
        *("NA", "na", "N/A", "n/a", "n.a.", "N.A.", "#N/A", "#NA", "#NULL!", "<NA>", "NaN", "nan", "NAN", "Nan", "NaT"),
        *("None", "none", "NONE", "NULL", "null", "Null", "nil", "NIL", "Nil", r"\N"),
    }
)
"""None has more than six bytes, so longer names need no look."""

NOISE = ("-1", "-1.0", "?", "-")
"""Labels of items that are in no entity, as programs that cluster, and people, write them."""

ZERO = ("0", "0.0")

MANY, TIMES = 100, 10
"""An entity called 0 is probably none if it has so many items, and so many times as many as any other."""

LONGEST = 6


def is_missing(cell: str, nulls: str = "error") -> bool:
    """Whether a cell stands for no value; with `nulls` "keep" the words are names."""
    return not cell or (nulls != "keep" and len(cell) <= LONGEST and cell in MISSING)


def noise_of(column: arrow.Array, words: Sequence[str] = NOISE) -> int:
    """How many values of a column of Arrow are a label of noise, the first of which is a number."""
    labels = [int(words[0])] if arrow.types.is_integer(column.type) else list(words)
    return pc.sum(pc.is_in(column, value_set=arrow.array(labels, column.type))).as_py() or 0


def warn_of_noise(name: str, items: int, label: str = NOISE[0]) -> None:
    """Warn if several items have a label of noise."""
    if items > 1:
        remedy = "if they are noise, give each a label of its own, or leave them out"
        warn(f"{name} has {items} items with the label {label}, taken for one entity: {remedy}")


def may_have_none(sizes: Ints, times: Ints) -> bool:
    """Whether one entity is so much larger than all others, of which there are so many of each size, that it may be none."""
    largest = int(sizes.max(initial=0))
    others = sizes[sizes < largest]
    return largest >= MANY and int(times[sizes == largest].sum()) == 1 and 0 < TIMES * int(others.max(initial=0)) <= largest


def warn_of_zero(name: str, items: int) -> None:
    """Warn of an entity called 0 that may be none."""
    remedy = "if these are in no entity, give each a label of its own, or leave them out"
    warn(f"{name} has {items} items with the label 0, taken for one entity, {TIMES} times as large as any other: {remedy}")


def warn_of_noise_in(corpus: Corpus) -> None:
    """Warn if several items of a corpus of labels have a label of noise, or a label 0 that looks like one."""
    if len(corpus.doc_ids) == 1 and may_have_none(corpus.entity_size, np.ones_like(corpus.entity_size)):
        largest = int(corpus.entity_size.argmax())
        if corpus.entity_ids[largest] in ZERO:
            warn_of_zero(corpus.source, int(corpus.entity_size[largest]))
    for noise in NOISE:
        if noise in corpus.entity_ids:
            numbers = [number for number, label in enumerate(corpus.entity_ids) if label == noise]
            warn_of_noise(corpus.source, int(np.isin(corpus.entity, numbers).sum()), noise)


def any_missing(names: Names) -> bool:
    """Whether one of many names stands for no value."""
    first = names.words[:, 0]
    short = first[(first & np.uint64((1 << 8 * (8 - LONGEST)) - 1)) == 0]
    return bool(len(short)) and bool(np.isin(short, _WORDS).any())


def absent(column: arrow.Array, nulls: str) -> Bools:
    """Which values of a column of Arrow are missing: NULL, an empty text, or with other `nulls` than "keep" a word for it."""
    none = np.zeros(len(column), dtype=bool)
    if column.null_count:
        none = _array(column.is_null())
    if str(column.type) == "string_view":
        column = column.cast(arrow.large_string())
    if not (arrow.types.is_string(column.type) or arrow.types.is_large_string(column.type)):
        return none
    short = _array(pc.fill_null(pc.less_equal(pc.binary_length(column), LONGEST), False))  # no other value
    if short.any():
        words = ["", *sorted(MISSING)] if nulls != "keep" else [""]
        none[short] |= _array(pc.is_in(column.filter(arrow.array(short)), value_set=arrow.array(words, column.type)))
    return none


def _array(column: arrow.Array) -> Bools:
    """Truth values without NULLs as an array; `to_numpy` would import pandas."""
    if not len(column):
        return np.zeros(0, dtype=bool)
    whole = column.cast(arrow.uint8())
    array: Bools = np.frombuffer(whole.buffers()[1], np.uint8, len(whole), whole.offset).astype(bool)
    return array


_WORDS = np.array([int.from_bytes(word.encode().ljust(8, b"\0"), "big") for word in sorted(MISSING)], dtype=np.uint64)
