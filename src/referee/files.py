"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import BinaryIO, TextIO

from referee import progress
from referee.exceptions import OptionError


@contextmanager
def written_whole(path: str) -> Iterator[str]:
    """Give the path to write to, for a file that appears as `path` only when it is complete.

    The target of a symbolic link is replaced, not the link. Pipes and devices are written to directly.

    Raises
    ------
    OptionError
        If the file cannot be written.
    """
    replaced = os.path.isfile(path) or not os.path.exists(path)
    target = os.path.realpath(path) if replaced else path
    partial = f"{target}.{os.getpid()}.partial" if replaced else target
    try:
        yield partial
        if replaced:
            os.replace(partial, target)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
    finally:
        if replaced and os.path.exists(partial):
            os.remove(partial)


@contextmanager
def output(path: str) -> Iterator[TextIO]:
    """Open a text file that is `written_whole`, compressed if its name ends in .gz; `-` is standard output.

    Equal texts give equal files: gzip stores no name and no time.
    """
    if path == "-":
        progress.end()
        yield sys.stdout
        return
    with written_whole(path) as partial, open(partial, "wb") as file:
        binary: BinaryIO = file
        if path.endswith(".gz"):
            import gzip

            binary = gzip.GzipFile("", "wb", 6, file, mtime=0)  # type: ignore[assignment]  # like one
        with binary, TextIOWrapper(binary, encoding="utf-8", newline="\n") as stream:
            yield stream
