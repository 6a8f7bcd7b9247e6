"""The formats we read and write: `FORMATS`, `read`, `write`, `detect`.

A format is one module or package, and its name in `referee.basics.options.choices.FORMATS`. Its docstring defines the format,
names its sources and says where programs disagree about it; its functions are

``HOLDS``
    which of `referee.corpus.corpus.FEATURES` it can hold; what else a corpus has is not written, and lost only when asked to
``HOLDS_EMPTY``
    False if it cannot hold documents without mentions; may be left out
``WRITES_PLACES``
    True if it is written with a text, and places of mentions in it; may be left out
``RELATIONS``
    True if it has relations with names, of which `--relations` chooses; may be left out
``sniff(head: str) -> bool``
    does the beginning of a file (64 KB, or more: see `referee.formats.shared.beginning`) look like it?
``read(source: Source, on_error: OnError) -> Corpus``
    the annotation. `on_error(line, problem)` raises a FormatError, or (for `validate`) records it and returns. A module with
    ``VARIANT`` takes a third argument: what follows the colon in `docbin:chains`.
``write(corpus: Corpus, out: TextIO) -> None``
    the annotation as text; FormatError where the format cannot hold it. Formats that are only read have none.
``drop_unsupported(losses: Losses) -> None``
    leaves out and changes, with counts, what `write` refuses though it is of the features in ``HOLDS``; for `--lossy`, may be
    left out

A folder is read file by file: all files with the ending that most files of one format have.
"""

from __future__ import annotations

from collections.abc import Collection
from types import ModuleType

from referee.basics.exceptions import OptionError, listed
from referee.basics.options import choices
from referee.basics.registry import Registry

ROOMS = {
    **dict.fromkeys(("arrow", "csv", "pairs", "parquet", "rows", "tsv"), "tabular.formats"),
    **dict.fromkeys(("quotes", "tagged"), "answers"),
}
"""Where the formats are that are not of texts: tables, and answers of language models."""

FORMATS: Registry[ModuleType] = Registry(
    "format", {name: f"referee.{ROOMS.get(name, 'formats')}.{name}" for name in choices.FORMATS}
)
"""Name -> module, which is imported when it is used."""


def module(name: str) -> ModuleType:
    """Import the module of a format.

    Raises
    ------
    UnknownNameError
        If there is no format of that name.
    """
    return FORMATS.load(name)


def check_relations(formats: Collection[str]) -> None:
    """Raise OptionError if relations were named, and none of these formats has relations with names."""
    if not any(name in choices.FORMATS and hasattr(module(name), "RELATIONS") for name in formats):
        known = listed([name for name in choices.FORMATS if hasattr(module(name), "RELATIONS")])
        found = listed(sorted({*filter(None, formats)})) if any(formats) else "values"
        raise OptionError(f"--relations is for formats with named relations ({known}); found {found}: expected no such option")
