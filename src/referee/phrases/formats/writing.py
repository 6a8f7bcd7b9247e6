"""Phrases as files: `write`."""

from __future__ import annotations

import os

from referee.basics.exceptions import OptionError
from referee.phrases.annotation import Chunks, PhraseCandidates
from referee.phrases.formats.registry import FORMATS


def write(phrases: Chunks | PhraseCandidates, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write phrases to a file. The file appears only when it is complete.

    Parameters
    ----------
    phrases
        Chunks, or candidates with probabilities.
    path
        A path (gzip if it ends in .gz), or `-` for standard output.
    format
        One of `FORMATS`; None to take it from the ending.

    Raises
    ------
    OptionError
        If the format is only read, or cannot hold the phrases.
    UnknownNameError
        If there is no such format.
    """
    target = os.fspath(path)
    name = format or format_of(target) or "candidates"
    write_file = FORMATS.load(name).write
    if write_file is None:
        writable = ", ".join(other for other in FORMATS if FORMATS.load(other).write)
        raise OptionError(f"{name} is only read; expected a format that is also written: {writable}")
    write_file(phrases, target)


def format_of(path: str) -> str | None:
    """The format that the ending of a path names, if it names one."""
    ending = os.path.splitext(path.removesuffix(".gz"))[1]
    return next((name for name in FORMATS if ending in FORMATS.load(name).endings), None)
