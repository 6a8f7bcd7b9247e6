"""Phrases as files: `write`."""

from __future__ import annotations

import os

from referee.exceptions import OptionError
from referee.phrases.candidates import Candidates, Chunks
from referee.phrases.formats.registry import module

ENDINGS = {".jsonl": "candidates", ".parquet": "parquet", ".iob": "columns", ".conll": "columns", ".txt": "columns"}
"""The format that is written to a file with this ending."""


def write(phrases: Chunks | Candidates, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write phrases to a path (gzip if it ends in .gz), or `-` for standard output. The file appears when it is complete.

    format : one of `FORMATS` that is written; None to take it from the ending
    """
    target = os.fspath(path)
    name = format or ENDINGS.get(os.path.splitext(target.removesuffix(".gz"))[1], "candidates")
    writer = module(name)
    if not hasattr(writer, "write"):
        raise OptionError(f"{name} is only read; expected candidates, spans, parquet or columns")
    writer.write(phrases, target)
