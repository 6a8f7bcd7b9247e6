"""The formats of phrases: `FORMATS`, and finding out which one a file has.

A format is a module with ``sniff(head)`` and ``read(source, fault, reading)``, some with ``write``, some with
``read_folder(folder, reading)``, and one line here. Their order is that of detection. `mentions` has no ``sniff``: it is what
looks like none of the others, but like one of `referee.formats`.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from referee.exceptions import UnknownNameError

FORMATS = {
    "candidates": "referee.phrases.formats.candidates",
    "posteriors": "referee.phrases.formats.posteriors",
    "spans": "referee.phrases.formats.spans",
    "parquet": "referee.phrases.formats.parquet",
    "trees": "referee.phrases.formats.trees",
    "columns": "referee.phrases.formats.columns",
    "mentions": "referee.phrases.formats.mentions",
}


def module(name: str) -> ModuleType:
    """The module of a format. UnknownNameError if there is none."""
    if name not in FORMATS:
        raise UnknownNameError("format of phrases", name, FORMATS)
    return import_module(FORMATS[name])
