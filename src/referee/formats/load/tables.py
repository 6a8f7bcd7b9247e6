"""Tables and columns with an index, whatever library holds them.

A table is what gives an Arrow stream of named columns (`__arrow_c_stream__`): data frames of pandas and Polars, tables of
Arrow, relations of DuckDB, and data sets of Hugging Face. It means what the same columns mean in a Parquet file.

A column with an index is a Series of pandas. Its index has the items, and its values are the labels of their entities. An index
that is 0, 1, 2, ... in any order is that of an array of labels; an index of two levels has documents and items.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, NoReturn, TypeGuard

import numpy as np

from referee.corpus import Corpus
from referee.exceptions import FormatError, MissingExtraError, OptionError, one_line, shortened
from referee.formats.load.arrow import corpus_of_table as corpus_of_arrow
from referee.formats.load.python import corpus_of, corpus_of_labels
from referee.formats.load.shapes import shown
from referee.formats.shared.untyped import Untyped


def is_table(value: object) -> TypeGuard[Untyped]:
    """Whether it gives an Arrow stream of named columns."""
    return hasattr(value, "__arrow_c_stream__") and (hasattr(value, "columns") or hasattr(value, "schema"))


def is_data_set(value: object) -> TypeGuard[Untyped]:
    """Whether it is a data set of Hugging Face, in memory, of one split."""
    return all(hasattr(value, name) for name in ("with_format", "column_names", "__getitem__", "__len__"))


def is_series(value: object) -> TypeGuard[Untyped]:
    """Whether it is a column with an index."""
    return (
        hasattr(value, "__array__") and hasattr(value, "index") and getattr(value, "ndim", 0) == 1 and not callable(value.index)
    )


def is_index(value: object) -> TypeGuard[Untyped]:
    """Whether it is an index of several levels: pairs of records."""
    return hasattr(value, "__array__") and getattr(value, "nlevels", 1) > 1


def corpus_of_table(value: Untyped, source: str, role: str) -> Corpus:
    """The corpus of a table.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    FormatError
        If it has no columns that say which item belongs to which entity.
    OptionError
        If it is a data set of several splits, or Arrow cannot hold it.
    """
    try:
        pyarrow = import_module("pyarrow")
    except ImportError:
        raise MissingExtraError("a table from Python", "parquet") from None
    if isinstance(value, Mapping):
        raise OptionError(f"{source}: found the splits {', '.join(map(str, value))}; expected one of them: give value[split]")
    if is_data_set(value):
        value = value.with_format("arrow")[:]
    try:
        table = pyarrow.RecordBatchReader.from_stream(value).read_all()
    except (pyarrow.ArrowException, ValueError) as error:  # columns of mixed types, two of one name
        problem = shortened(one_line(str(error)), 100)
        raise OptionError(f"{source}: found a table that Arrow cannot hold ({problem}); expected columns of one type") from None
    return corpus_of_arrow(table, source, role, partial(_fault, source))


def _fault(source: str, line: int | None, problem: str) -> NoReturn:
    raise FormatError(source, line, problem)


def corpus_of_series(series: Untyped, source: str) -> Corpus:
    """The corpus of a column: its index has the items.

    Raises
    ------
    OptionError
        If an item appears twice, or has no label.
    """
    index = series.index
    if not index.is_unique:
        twice = index[index.duplicated()][0]
        raise OptionError(f"{source}: found the item {shown(twice)} twice in the index; expected each once: remove a row")
    if missing := series.isna().to_numpy().nonzero()[0].tolist():
        item = index[missing[0]]
        raise OptionError(f"{source}: {shown(item)} has no entity; expected a label for each item: singletons have their own")
    if index.nlevels == 2:
        documents: dict[Any, dict[Any, Any]] = {}
        for (document, item), label in zip(index.tolist(), series.tolist(), strict=True):
            documents.setdefault(document, {})[item] = label
        return corpus_of(documents, source=source)
    if index.nlevels > 2:
        raise OptionError(f"{source}: found an index of {index.nlevels} levels; expected items, or documents and items")
    places = np.asarray(index)
    if places.dtype.kind in "iu" and (np.sort(places) == np.arange(len(places))).all():
        return corpus_of_labels(np.asarray(series)[np.argsort(places)], source)
    return corpus_of(dict(zip(index.tolist(), series.tolist(), strict=True)), source=source)


def links_of_index(index: Untyped, source: str) -> list[tuple[Any, ...]]:
    """The pairs of linked records, as tools for record linkage return them."""
    if index.nlevels != 2:
        raise OptionError(f"{source}: found an index of {index.nlevels} levels; expected pairs of linked records")
    pairs: list[tuple[Any, ...]] = index.tolist()
    return pairs
