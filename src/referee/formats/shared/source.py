"""Where annotation is read from: a path, `-` for standard input, or bytes; gzip is undone, a byte order mark skipped."""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, TypeAlias

from referee.exceptions import FormatError, MissingFileError

HEAD = 1 << 16
"""Bytes that are looked at to tell what a file is."""

UNREADABLE = (EOFError, OSError, zlib.error)
"""What reading may raise: the file is cut off, the disk fails, the gzip is damaged."""

COMPRESSED = {b"BZh91AY&SY": "bzip2", b"PK\x03\x04": "zip", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}

PARQUET = (".parquet", ".parq")
"""How the names of the Parquet files of a folder end."""

BINARY = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow", b"\x78\x9c": "docbin"}
"""How the files of formats that are no text begin."""

Fault: TypeAlias = Callable[[int | None, str], None]
"""What a reader calls, with a line number and a problem. It raises, or records and returns; then the reader goes on
without the wrong piece."""


class Source:
    """A file that can be opened again and again (tokens are read only when needed, long after the mentions).

    Parameters
    ----------
    path : path
        A file, or `-` for standard input. With `data`, only a name.
    data : bytes, optional
        The content, if it is not in a file.
    role : str
        "key" or "response": what the file is read as, where one file holds both.

    Attributes
    ----------
    name : str
        What messages call it.
    head : bytes
        The beginning, 64 KB.
    binary : str or None
        The format, if it is one that is no text.

    Raises
    ------
    FormatError
        If it cannot be opened or is plainly no text: a directory, UTF-16, NUL bytes.
    """

    def __init__(self, path: str | os.PathLike[str], data: bytes | None = None, *, role: str = "key") -> None:
        self.path = os.fspath(path)
        self.role = role
        self.name = "<stdin>" if self.path == "-" and data is None else self.path
        self.data = _standard_input() if self.path == "-" and data is None else data
        if self.data is None:
            with self._open() as file:
                if not file.seekable():  # a pipe, as in referee score <(sort key.csv) ...
                    self.data = self._read(file, -1)
        with self.open() as stream:
            self.head = self._read(stream, HEAD)
        self.binary = next((kind for magic, kind in BINARY.items() if self.head.startswith(magic)), None)
        if not self.binary:
            self._check_text()

    def _check_text(self) -> None:
        if self.head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            self.fault(1, "found UTF-16; expected UTF-8: convert it, for example with iconv -f UTF-16 -t UTF-8")
        compression = next((name for magic, name in COMPRESSED.items() if self.head.startswith(magic)), None)
        if compression:
            raise FormatError(self.name, None, f"is compressed ({compression}); expected text or gzip: decompress it first")
        if b"\r" in self.head[:-1] and b"\n" not in self.head:
            raise FormatError(self.name, 1, "found lines that end in carriage returns alone; expected newlines: convert them")
        if b"\0" in self.head:
            line = self.head[: self.head.index(b"\0")].count(b"\n") + 1
            raise FormatError(self.name, line, "found a NUL byte; expected a text file in UTF-8")

    def fault(self, line: int | None, problem: str) -> None:
        """The `Fault` of readers that stop at the first one: raises a FormatError."""
        raise FormatError(self.name, line, problem)

    def open(self) -> BinaryIO:
        """The bytes from the start, after any byte order mark."""
        stream = self._open()
        start = self._read(stream, 3)
        if start[:2] == b"\x1f\x8b":
            import gzip

            stream.close()
            stream = gzip.open(self.path if self.data is None else io.BytesIO(self.data))  # type: ignore[assignment]  # like one
            start = self._read(stream, 3)
        if start != b"\xef\xbb\xbf":
            stream.seek(0)
        return stream

    def raw(self) -> bytes:
        """All bytes after any byte order mark."""
        with self.open() as stream:
            return self._read(stream, -1)

    def lines(self, fault: Fault) -> Iterator[tuple[int, str]]:
        """Line numbers from 1, and the lines without their ends. Bytes that are not UTF-8 are an error, then replaced."""
        with self.open() as stream:
            number = 0
            try:
                for number, raw in enumerate(stream, start=1):
                    try:
                        line = raw.decode()
                    except UnicodeDecodeError as error:
                        fault(number, f"found the byte 0x{raw[error.start]:02x}; expected UTF-8: convert the file to UTF-8")
                        line = raw.decode(errors="replace")
                    if "\0" in line:
                        fault(number, "found a NUL byte; expected a text file in UTF-8")
                    yield number, line.rstrip("\r\n")
            except UNREADABLE as error:
                raise FormatError(self.name, number + 1, f"cannot be read on: {_reason(error)}") from None

    def text(self, fault: Fault) -> str:
        """The whole file, its lines joined by newlines."""
        return "\n".join(line for _, line in self.lines(fault))

    def beside(self, ending: str) -> Source:
        """The file of the same name with another ending, such as the text that belongs to an annotation.

        Raises
        ------
        FormatError
            If there is none.
        """
        stem, _ = os.path.splitext(self.path.removesuffix(".gz"))
        found = next((path for path in (stem + ending, stem + ending + ".gz") if os.path.exists(path)), None)
        if self.data is not None or found is None:
            raise FormatError(self.name, None, f"needs the file {os.path.basename(stem) + ending} beside it; found none")
        return Source(found, role=self.role)

    def _open(self) -> BinaryIO:
        if self.data is not None:
            return io.BytesIO(self.data)
        try:
            return open(self.path, "rb")
        except FileNotFoundError as error:
            raise MissingFileError(self.name, None, f"cannot be opened: {_reason(error)}") from None
        except OSError as error:
            raise FormatError(self.name, None, f"cannot be opened: {_reason(error)}") from None

    def _read(self, stream: BinaryIO, size: int) -> bytes:
        try:
            return stream.read(size)
        except UNREADABLE as error:
            stream.close()
            raise FormatError(self.name, None, f"cannot be read: {_reason(error)}") from None


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise FormatError("<stdin>", None, "is closed; expected annotation")
    return sys.stdin.buffer.read()


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
