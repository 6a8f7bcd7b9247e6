"""Columns of a table besides those that make its records."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from referee.basics.exceptions import FormatError, OptionError
from referee.basics.extras import arrow
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.source import Source
from referee.inputs.paths import parquet_paths
from referee.inputs.rows import columns_of_table
from referee.inputs.sources import may_be_columns, source_of
from referee.tabular.text import text_table


def columns_beside(value: object, options: ReadOptions, name: str) -> Mapping[str, Sequence[object]]:
    """Return the columns of a table, by their names, with a value for each row.

    Raises
    ------
    OptionError
        If it is none of text, no Parquet, no data frame and no columns or rows of Python.
    """
    paths = parquet_paths(value)
    if isinstance(value, (str, os.PathLike)) and paths is None:
        try:
            table = text_table(source := Source(value, options=options), source.raise_error)
        except FormatError:  # other formats have no columns beside
            table = None
        if table is None:
            raise OptionError(
                f"{name}: found no table of text; expected CSV, TSV, Parquet or a data frame for weights and strata"
            )
        rows = [row for _, row in table.rows()]
        return {column.strip(): [row[n] for row in rows] for n, column in enumerate(table.names)}
    row_source = source_of(paths or value, name, options.engine) if paths is not None or may_be_columns(value) else None
    if row_source is not None:
        names = [field.name for field in row_source.fields]
        whole = arrow.Table.from_batches(row_source.batches(names), row_source.schema.empty_table().select(names).schema)
        return {column: whole.column(column).to_pylist() for column in names}
    columns = columns_of_table(value, options)
    if columns is None:
        raise OptionError(f"{name}: found no columns; expected a table for weights and strata")
    return columns
