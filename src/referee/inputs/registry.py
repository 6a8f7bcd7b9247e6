"""The formats we read and write: `FORMATS`, `load_format`.

A format is one module or package, and its name in `referee.basics.options.choices.FORMATS`. Its docstring defines the format,
names its sources and says where programs disagree about it; `FORMAT`, at its end, is the `Format` with its functions.

A folder is read file by file: all files with the ending that most files of one format have.
"""

from __future__ import annotations

from collections.abc import Collection

from referee.basics.exceptions import OptionError, listed
from referee.basics.options import choices
from referee.basics.registry import Registry
from referee.formats.shared.format import Format

ROOMS = {
    **dict.fromkeys(("arrow", "csv", "pairs", "parquet", "rows", "tsv", "xlsx"), "tabular.formats"),
    **dict.fromkeys(("quotes", "tagged"), "answers"),
}
"""Where the formats are that are not of texts: tables, and answers of language models."""

FORMATS: Registry[Format] = Registry(
    "format", {name: f"referee.{ROOMS.get(name, 'formats')}.{name}:FORMAT" for name in choices.FORMATS}
)
"""Name -> where its `Format` is, which is imported when it is used."""


def load_format(name: str) -> Format:
    """Return the record of a format.

    Raises
    ------
    UnknownNameError
        If there is no format of that name.
    """
    return FORMATS.load(name)


def check_relations(formats: Collection[str]) -> None:
    """Raise OptionError if relations were named, and none of these formats has relations with names."""
    if any(name in choices.FORMATS and load_format(name).has_relations for name in formats):
        return
    able = listed([name for name in FORMATS if load_format(name).has_relations])
    named = listed(sorted({*filter(None, formats)})) if any(formats) else "values"
    raise OptionError(f"--relations is for formats with named relations ({able}); found {named}: expected no such option")
