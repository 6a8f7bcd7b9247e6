"""What is known of records: the table of ``referee inspect --records``, rows of an id and attributes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError, MismatchError, OptionError, counted, shortened, warn
from referee.basics.sides import folded
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.tabular.roles import ITEMS
from referee.tabular.text import rows_of, separator_of


class Records(NamedTuple):
    """The attributes of records.

    Parameters
    ----------
    source : str
        The file.
    columns : sequence of str
        The names of the attributes.
    rows : mapping
        Id of a record to its attributes, as long as `columns`.
    """

    source: str
    columns: Sequence[str]
    rows: Mapping[str, Sequence[str]]


def read_records(path: str | os.PathLike[str]) -> Records:
    """Read a table with a header, whose ids are in a column of that name, or in the first.

    Raises
    ------
    FormatError
        If there is no attribute or no record, a row has more or fewer fields than the header, or an id is empty or repeated.
    """
    source = Source(path)
    rows = rows_of(source, source.raise_error, separator_of(source.head.decode(errors="replace")) or ",")
    _, header = next(rows, (1, []))
    if len(header) < 2:
        columns = counted(len(header), "column")
        raise FormatError(source.name, 1, f"found a header of {columns}; expected the id of a record and its attributes")
    names = list(map(folded, header))
    place = next((names.index(name) for name in ITEMS if name in names), 0)  # or the first
    records: dict[str, Sequence[str]] = {}
    for line, row in rows:
        if len(row) != len(header):
            raise FormatError(
                source.name, line, f"found {counted(len(row), 'field')}; expected {len(header)}, as in the header"
            )
        record = row.pop(place).strip()
        if not record or record in records:
            columns = f"the record {shortened(record)!r} again" if record else "no record id"
            raise FormatError(source.name, line, f"found {columns}; expected one row for each record")
        records[record] = row
    if not records:
        raise FormatError(source.name, None, "has no records; expected a row for each below the header")
    return Records(source.name, header[:place] + header[place + 1 :], records)


def records_of(path: str | os.PathLike[str] | None, corpora: Sequence[Corpus]) -> Records | None:
    """Read the attributes of the records that are annotated; None if there is no table.

    Raises
    ------
    FormatError
        As `read_records`.
    OptionError
        If mentions are spans.
    MismatchError
        If the table has none of the records.

    Warns
    -----
    RefereeWarning
        If it lacks some.
    """
    if path is None:
        return None
    if not isinstance(path, (str, os.PathLike)):
        problem = f"found a value of the type {type(path).__name__}"
        raise OptionError(
            f"records is the path of a table; {problem}: expected its file, as of frame.to_csv(path, index=False)"
        )
    records = read_records(path)
    if any(corpus.items is None for corpus in corpora):
        raise OptionError(f"{records.source} has attributes of records; found mentions that are spans; expected record ids")
    items = {item for corpus in corpora for item in corpus.items or ()}
    missing = items - records.rows.keys()
    if missing:
        example = shortened(min(missing))
        if len(missing) == len(items):
            place = f"{records.source}: has no record of {corpora[0].source}, such as {example!r}"
            raise MismatchError(f"{place}; expected the same ids")
        warn(f"{records.source}: lacks {counted(len(missing), 'record')} of {len(items)}, such as {example!r}")
    return records
