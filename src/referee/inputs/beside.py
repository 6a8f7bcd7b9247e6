"""Columns of a table besides those that make its records."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from referee.basics.exceptions import OptionError
from referee.basics.extras import arrow
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.source import Source
from referee.inputs.paths import parquet_paths
from referee.inputs.rows import columns_of_table
from referee.inputs.sources import may_be_columns, source_of
from referee.tabular.formats.rows import rows_of
from referee.tabular.formats.xlsx import text_of_sheet
from referee.tabular.text import text_table


def columns_beside(value: object, options: ReadOptions, name: str, format: str) -> Mapping[str, Sequence[object]]:
    """Return the columns of a table, by their names, with a value for each row.

    Parameters
    ----------
    value : object
        The table: a file, a data frame, or columns or rows of Python.
    options : ReadOptions
        How it is read.
    name, format : str
        What messages call it, and the format that it has as a file.

    Raises
    ------
    OptionError
        If it has no columns.
    """
    paths = parquet_paths(value)
    if isinstance(value, (str, os.PathLike, Source)) and paths is None:
        source = value if isinstance(value, Source) else Source(value, options=options)
        if format == "rows":
            return rows_of(source, source.raise_error)[0]
        if format == "xlsx":
            source = source.with_content(text_of_sheet(source, (options.format or "").partition(":")[2]).encode())
        table = text_table(source, source.raise_error)
        rows = [] if table is None else [row for _, row in table.rows()]
        return {} if table is None else {column.strip(): [row[n] for row in rows] for n, column in enumerate(table.names)}
    row_source = source_of(paths or value, name, options.engine) if paths is not None or may_be_columns(value) else None
    if row_source is not None:
        names = [field.name for field in row_source.fields]
        whole = arrow.Table.from_batches(row_source.batches(names), row_source.schema.empty_table().select(names).schema)
        return {column: whole.column(column).to_pylist() for column in names}
    columns = columns_of_table(value, options)
    if columns is None:
        raise OptionError(f"{name}: found no columns; expected a table for weights and strata")
    return columns
