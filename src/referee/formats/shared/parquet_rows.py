"""The rows of a Parquet file, all of them: of some damaged files Arrow returns fewer, and says nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.basics.exceptions import FormatError
from referee.basics.extras import arrow, parquet


def batches(
    file: parquet.ParquetFile, name: str, size: int, columns: Sequence[str], **options: bool
) -> Iterator[arrow.RecordBatch]:
    """Some columns of an open file, in batches of so many rows.

    Raises
    ------
    FormatError
        If there are not as many rows as the end of the file says.
    """
    footer, rows = file.metadata, 0
    groups = [footer.row_group(number).num_rows for number in range(footer.num_row_groups)]
    if min(groups, default=0) < 0:  # Arrow would end the process
        raise FormatError(name, None, f"is damaged: found {min(groups)} rows in a row group; write it again")
    for batch in file.iter_batches(size, columns=list(columns), **options):
        rows += batch.num_rows
        yield batch
    if rows != footer.num_rows:
        problem = f"is damaged: found {rows} rows; expected {footer.num_rows}, as its end says; write it again"
        raise FormatError(name, None, problem)
