"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import BinaryIO, TextIO

from referee.exceptions import OptionError


@contextmanager
def written_whole(path: str) -> Iterator[str]:
    """Where to write what appears under the name `path` only when it is complete. OptionError if it cannot be written.

    What a symbolic link points to is replaced, not the link; pipes and devices are written to as they are.
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
    """A text file that is `written_whole`, compressed if its name ends in .gz; `-` is standard output. Equal texts are equal
    files: gzip is told no name and no time."""
    if path == "-":
        yield sys.stdout
        return
    with written_whole(path) as partial, open(partial, "wb") as file:
        binary: BinaryIO = file
        if path.endswith(".gz"):
            import gzip

            binary = gzip.GzipFile("", "wb", 6, file, mtime=0)  # type: ignore[assignment]  # like one
        with binary, TextIOWrapper(binary, encoding="utf-8", newline="\n") as stream:
            yield stream
