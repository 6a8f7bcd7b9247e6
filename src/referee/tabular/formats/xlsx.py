"""Excel: the sheet of a workbook with records, as if it were a text of `csv` or `pairs`.

Needs the extra `referee[xlsx]`. Formulas have the values with which the workbook was saved. Numbers are whole where they are:
7.0 is 7. Texts stay texts, as 007; dates are called like 2024-03-01. What the columns mean, which names are known, where the
header is, and what is missing is as in `csv`. Messages count the rows of the sheet::

    record_id   cluster_id
    r1          17
    r2          17
    007         four

Rows are read of the one sheet that has any. Of several, the format names it: `--format "xlsx:Sheet 2"`.

References
----------
ISO/IEC 29500 (Office Open XML); openpyxl, its read-only mode.

Notes
-----
Not written: `csv` holds the same. Excel makes dates of ids such as 3-1 or MAR1 where it reads them from a text.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Sequence
from datetime import date, time
from typing import Any

from referee.basics.exceptions import FormatError, listed, one_line, shortened
from referee.basics.extras import need, openpyxl
from referee.corpus import Corpus
from referee.formats.shared.format import Format, never
from referee.formats.shared.source import OnError, Source, check_unpacked
from referee.tabular.reading import Records, corpus_of, records_of
from referee.tabular.text import text_table
from referee.tabular.values import cell_of


def read(source: Source, on_error: OnError, sheet: str = "") -> Corpus:
    """Read records as `csv` and `pairs` do."""
    return corpus_of(records(source, on_error, sheet))


def records(source: Source, on_error: OnError, sheet: str = "", *, probable: bool = False) -> Records:
    """Read the same; pairs are not decided."""
    text = source.with_content(text_of_sheet(source, sheet).encode())
    return records_of(text_table(text, on_error, separator=",", probable=probable), source, on_error, "xlsx")


def text_of_sheet(source: Source, sheet: str) -> str:
    """The rows of a sheet as a text of CSV."""
    need("Excel", "openpyxl")
    try:
        with zipfile.ZipFile(io.BytesIO(source.raw())) as archive:
            check_unpacked(source.name, archive)
        book = openpyxl.load_workbook(io.BytesIO(source.raw()), read_only=True, data_only=True)
        rows = {s.title: list(s.iter_rows(values_only=True)) for s in book.worksheets if sheet in ("", s.title)}
    except FormatError:
        raise
    except Exception as error:  # noqa: BLE001  # of a damaged file the library raises what it meets
        problem = shortened(one_line(str(error)), 100)
        raise FormatError(source.name, None, f"is no workbook that can be read: {problem}") from None
    filled = {title: of_sheet for title, of_sheet in rows.items() if any(map(_has_cells, of_sheet))}
    if sheet and not rows:
        sheets = listed([shortened(s.title, 40) for s in book.worksheets])
        raise FormatError(source.name, None, f"has no sheet {shortened(sheet)!r}; found {sheets}")
    if len(filled) > 1:
        titles = [shortened(title, 40) for title in filled]
        remedy = f'name one with the format, as --format "xlsx:{titles[0]}" (--key-format, --response-format, --from)'
        raise FormatError(source.name, None, f"has rows in the sheets {listed(titles)}: {remedy}")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in next(iter(filled.values()), []):
        writer.writerow([_cell(value) for value in row] or [""])
    return out.getvalue()


def _has_cells(row: Sequence[Any]) -> bool:
    return any(value is not None for value in row)


def _cell(value: object) -> str:
    """The text of a cell, on one line, so that the lines of the text are the rows of the sheet."""
    return " ".join(cell_of(value.isoformat() if isinstance(value, date | time) else value).split("\n"))


FORMAT = Format("xlsx", __doc__, ("items", "links"), never, read, records=records, variant="a sheet")
