"""Files that are written whole, or not at all; what their endings promise; and sizes, as people write them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from stat import S_IMODE
from typing import BinaryIO, TextIO

from referee.basics import progress
from referee.basics.exceptions import OptionError, shortened

temporary: set[str] = set()
"""Files and folders that must not outlive the process."""

processes: set[int] = set()
"""Processes of this one that write there, such as Java."""


NO_TEXT = {
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".svg", ".eps"), "a picture"),
    ".pdf": "a PDF",
    **dict.fromkeys((".xlsx", ".xls", ".ods"), "a spreadsheet"),
    **dict.fromkeys((".docx", ".doc", ".odt", ".rtf", ".pptx"), "an office program"),
    **dict.fromkeys((".parquet", ".arrow", ".feather"), "a table of Arrow"),
    **dict.fromkeys((".zip", ".bz2", ".xz", ".zst", ".7z", ".tar", ".tgz"), "an archive"),
}
"""Endings of files that are no text, or a text that only a program draws."""

TEXTS = {
    **dict.fromkeys((".html", ".htm"), "a page"),
    **dict.fromkeys((".conll", ".conllu", ".conllup", ".ann", ".jsonlines"), "annotation"),
    ".txt": "plain text",
    ".md": "Markdown",
    ".tex": "LaTeX",
    ".csv": "a table",
    ".tsv": "a table",
    ".json": "JSON",
    ".jsonl": "JSON lines",
    ".xml": "XML",
    ".yaml": "YAML",
}
"""Endings of files of text that hold one kind of it; all others may hold any."""

_notes: list[list[str]] = []
"""The lists that note files that are written."""


def remove_temporary() -> None:
    """Remove the files and folders that must not outlive the process, which ends now, and end the processes that use them."""
    for process in processes:
        with suppress(OSError):  # it has ended
            os.kill(process, 9)
            os.waitpid(process, 0)
    for path in temporary.copy():
        with suppress(OSError):
            if os.path.isdir(path):
                from shutil import rmtree  # a slow import, and folders are rare

                os.rename(path, gone := path + ".gone")  # where no thread writes to it
                rmtree(gone)
            else:
                os.remove(path)


@contextmanager
def noted() -> Iterator[list[str]]:
    """Give a list that notes the files and folders that are written whole meanwhile, as their writers name them."""
    written: list[str] = []
    _notes.append(written)
    try:
        yield written
    finally:
        _notes.remove(written)


def _note(path: str) -> None:
    for written in _notes:
        written.append(path)


def ending_of(path: str) -> str:
    """The ending of a name, but for that of gzip.

    >>> ending_of("runs.1/A.CONLL.gz"), ending_of("report")
    ('.conll', '')
    """
    return os.path.splitext(path.removesuffix(".gz"))[1].lower()


def check_ending(path: str, content: str, expected: str, allowed: Collection[str] | None = None) -> None:
    """OptionError if a file would hold something else than its ending says.

    Parameters
    ----------
    path
        The file.
    held
        What it would hold.
    expected
        The remedy.
    own
        The endings of `TEXTS` that may hold it; None for all.
    """
    ending = ending_of(path)
    kind = NO_TEXT.get(ending) or (None if allowed is None or ending in allowed else TEXTS.get(ending))
    if kind:
        raise OptionError(
            f"{shortened(path, 100)} would hold {content}, and {ending} is the ending of {kind}; expected {expected}"
        )


@contextmanager
def written_whole(path: str) -> Iterator[str]:
    """Give the path to write to, for a file that appears as `path` only when it is complete.

    The target of a symbolic link is replaced, not the link. A file that is replaced keeps its mode. Pipes and devices are
    written to directly.

    Raises
    ------
    OptionError
        If the file cannot be written.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with reported(path):
            yield path
        return
    target = os.path.realpath(path)
    if os.path.islink(target):
        raise OptionError(f"cannot write {path}: it is a link to itself")
    partial = _partial(os.path.dirname(target))
    temporary.add(partial)
    try:
        with reported(path):
            mode = S_IMODE(os.stat(target).st_mode) if os.path.exists(target) else None
            if mode is not None:  # until it is complete, nobody else reads it
                os.close(os.open(partial, os.O_CREAT | os.O_EXCL, 0o600))
            yield partial
            if mode is not None:
                os.chmod(partial, mode)
            os.replace(partial, target)
        _note(path)
    finally:
        with suppress(FileNotFoundError, NotADirectoryError):
            os.remove(partial)
        temporary.discard(partial)


@contextmanager
def folder_written_whole(path: str) -> Iterator[str]:
    """Give the folder to write to, for a folder, new or empty, whose content appears only when it is complete.

    Raises
    ------
    OptionError
        If it cannot be written.
    """
    from shutil import rmtree  # a slow import, and folders are rare

    target = os.path.realpath(path)
    is_there = os.path.isdir(target)
    partial = _partial(target if is_there else os.path.dirname(target))
    temporary.add(partial)
    try:
        with reported(path):
            os.makedirs(partial)
            yield partial
            for name in os.listdir(partial) if is_there else ():
                os.rename(os.path.join(partial, name), os.path.join(target, name))
            if not is_there:
                os.rename(partial, target)
        _note(path)
    except OptionError as error:  # of a file in it
        raise OptionError(str(error).replace(partial, path.rstrip(os.sep))) from None
    finally:
        rmtree(partial, ignore_errors=True)
        temporary.discard(partial)


def _partial(folder: str) -> str:
    """A name in a folder for a file that is not complete yet."""
    return os.path.join(folder, f".referee-{os.urandom(8).hex()}.partial")


@contextmanager
def reported(path: str) -> Iterator[None]:
    """Raise an OptionError that names the file, instead of the OSError of one that cannot be written."""
    try:
        yield
    except OSError as error:
        raise OptionError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


@contextmanager
def output(path: str) -> Iterator[TextIO]:
    """Open a text file that is `written_whole`, compressed if its name ends in .gz; `-` is standard output.

    Equal texts give equal files: gzip stores no name and no time. Of file names that are not UTF-8, the bytes are escaped.
    OptionError for an ending of `NO_TEXT`.
    """
    if path == "-":
        progress.end()
        yield sys.stdout
        return
    check_ending(path, "text", "another ending, such as .txt")
    with written_whole(path) as partial, open(partial, "wb") as file:
        binary: BinaryIO = file
        if path.endswith(".gz"):
            import gzip

            binary = gzip.GzipFile("", "wb", 6, file, mtime=0)  # type: ignore[assignment]  # like one
        with binary, TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            yield stream


UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


def size_in_bytes(text: str, option: str) -> int:
    """The number of bytes of a size.

    Raises
    ------
    OptionError
        If it is none, or 0.

    Examples
    --------
    >>> size_in_bytes("1.5 KB", "--memory"), size_in_bytes("2gib", "--memory")
    (1536, 2147483648)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)I?B?", text.strip().upper())
    size = int(float(match[1]) * (1 << UNITS[match[2]])) if match else 0
    if not size:
        raise OptionError(f"{option} takes a size such as 8GB; found {shortened(repr(text))}")
    return size
