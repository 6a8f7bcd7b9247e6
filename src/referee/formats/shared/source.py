"""Where annotation is read from: a path, `-` for standard input, or bytes; gzip is undone, other encodings become UTF-8."""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from stat import S_ISREG
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TypeAlias, cast

from referee.basics.exceptions import FormatError, MissingFileError, one_line, shortened
from referee.basics.options.reading import ReadOptions

if TYPE_CHECKING:
    from zipfile import ZipFile

EXPANDED, SMALL = 200, 1 << 26
"""What gzip unpacks may be so many times as large as the packed bytes that were read, unless it has at most `SMALL` bytes.
Annotation unpacks to 10 to 20 times its size."""

MARK = b"\xef\xbb\xbf"
"""A byte order mark in UTF-8."""

MARKS = {b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""Byte order marks of other encodings."""

HEAD = 1 << 16
"""Bytes that are looked at to tell what a file is, and that are read at once."""

UNREADABLE = (EOFError, OSError, zlib.error)
"""What reading may raise: the file is cut off, the disk fails, the gzip is damaged."""

ZIP = b"PK\x03\x04"

COMPRESSED = {b"BZh91AY&SY": "bzip2", ZIP: "zip", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}

OFFICE = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis.opendocument")
"""What a packed document of an office program has, and no other zip file."""

WORKBOOK = b"xl/workbook.xml"
"""What a workbook of Excel has."""

OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How the files of old office programs begin."""

PARQUET = (".parquet", ".parq")
"""How the names of the Parquet files of a folder end."""

BINARY = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow", b"\x78\x9c": "docbin"}
"""How the files of formats that are no text begin."""

LONGEST_PATH = 1000
"""Characters; what is longer and no file is a text."""

State: TypeAlias = tuple[int, int, int]
"""What tells whether a file was changed: its number in the file system, the time of its last change, and its size."""

OnError: TypeAlias = Callable[[int | None, str], None]
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
    options : ReadOptions, optional
        What the user said of its encoding, and of its columns if it is a table.
    state : State, optional
        What it must be in, as it was read before.
    as_it_is : bool
        Whether it is a text that belongs to an annotation: its lines may end in carriage returns alone.

    Attributes
    ----------
    name : str
        What messages call it.
    head : bytes
        The beginning, 64 KB.
    binary : str or None
        The format, if it is one that is no text.
    has_mark : bool
        Whether it begins with a byte order mark, which is not compressed.
    limit : int or None
        How many bytes it may have, unpacked: that of `max_size` where the source was made. None: any number, but for gzip that
        unpacks to 200 times the size of what was read of it, and to more than 64 MB.

    Raises
    ------
    FormatError
        If it cannot be opened or is plainly no text: a directory, NUL bytes, bytes that are none of its encoding. If it is too
        large, or was changed.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        data: bytes | None = None,
        *,
        role: str = "key",
        options: ReadOptions | None = None,
        state: State | None = None,
        as_it_is: bool = False,
    ) -> None:
        self.path = os.fspath(path)
        self.role = role
        self.options = ReadOptions() if options is None else options
        self._takes_encoding = options is not None
        self.name = "<stdin>" if self.path == "-" and data is None else self.path
        self.data = data
        self._is_file = data is None and self.path != "-"
        self.limit = _max_size.get()
        self._state = state
        self._as_it_is = as_it_is
        if self.path == "-" and data is None:
            if sys.stdin is None:
                raise FormatError(self.name, None, "is closed; expected annotation")
            self.data = self._read(sys.stdin.buffer, -1)
        stream = self._open()
        if not stream.seekable():  # a pipe, as in referee score <(sort key.csv) ...
            with stream:
                self.data = self._read(stream, -1)
            stream = self._open()
        self.has_mark, stream = self._behind_mark(stream)
        with stream:
            self.head = self._read(stream, HEAD)
        self.binary = next((kind for magic, kind in BINARY.items() if self.head.startswith(magic)), None)
        if self.head.startswith(ZIP) and WORKBOOK in self.raw():
            self.binary = "xlsx"
        if not self.binary:
            encoding = next((encoding for mark, encoding in MARKS.items() if self.head.startswith(mark)), None)
            if encoding or (self.options.encoding and not self._is_utf_8()):
                self.data = self._decoded(encoding or self.options.encoding or "").encode()
                self.head = self.data[:HEAD]
            self._check_text()

    def _is_utf_8(self) -> bool:
        """Whether all of the text is UTF-8, without NUL."""
        try:
            return "\0" not in self.raw().decode()
        except UnicodeDecodeError:
            return False

    def _decoded(self, encoding: str) -> str:
        """All of the text; FormatError if it is not of this encoding."""
        raw = self.raw()
        try:
            return raw.decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            problem = f"found the byte 0x{raw[error.start]:02x}; expected {encoding}: name another encoding with --encoding"
            raise FormatError(self.name, line, problem) from None

    def _check_text(self) -> None:
        compression = next((name for magic, name in COMPRESSED.items() if self.head.startswith(magic)), None)
        if self.head.startswith(OLD_OFFICE) or (compression == "zip" and any(part in self.raw() for part in OFFICE)):
            problem = "is a document of an office program; expected text: save it as CSV, xlsx or plain text"
            raise FormatError(self.name, None, problem)
        if compression:
            raise FormatError(self.name, None, f"is compressed ({compression}); expected text or gzip: decompress it first")
        if not self._as_it_is and b"\r" in self.head[:-1] and b"\n" not in self.head:
            raise FormatError(self.name, 1, "found lines that end in carriage returns alone; expected newlines: convert them")
        if b"\0" in self.head:
            line = self.head[: self.head.index(b"\0")].count(b"\n") + 1
            raise FormatError(self.name, line, "found a NUL byte; expected a text file in UTF-8")

    def raise_error(self, line: int | None, problem: str) -> NoReturn:
        """The `OnError` of readers that stop at the first one: raises a FormatError."""
        raise FormatError(self.name, line, problem)

    def open(self) -> BinaryIO:
        """The bytes from the start, after any byte order mark."""
        return self._behind_mark(self._open())[1]

    def _behind_mark(self, stream: BinaryIO) -> tuple[bool, BinaryIO]:
        """Whether a stream begins with a byte order mark, not compressed; and the stream, unpacked, after any such mark."""
        start = self._read(stream, 3)
        has_mark = start == MARK
        if start[:2] == b"\x1f\x8b":
            stream.seek(0)
            stream = io.BufferedReader(_Unpacked(stream, self._check_size), HEAD)
            start = self._read(stream, 3)
        if start != MARK:
            stream.seek(0)
        return has_mark, stream

    def raw(self) -> bytes:
        """All bytes after any byte order mark."""
        if len(self.head) < HEAD:
            return self.head
        with self.open() as stream:
            return self._read(stream, -1)

    def longer(self, size: int) -> str:
        """So many bytes, or all that can be read of fewer, as text: where `head` is not enough to tell a format."""
        try:
            with self.open() as stream:
                return stream.read(size).decode(errors="replace")
        except UNREADABLE:
            return ""

    def lines(self, on_error: OnError) -> Iterator[tuple[int, str]]:
        """Line numbers from 1, and the lines without their ends. Bytes that are not UTF-8 are an error, then replaced."""
        for first, text in self.blocks(on_error):
            for number, line in enumerate(text.split("\n"), start=first):
                yield number, line.rstrip("\r")

    def blocks(self, on_error: OnError) -> Iterator[tuple[int, str]]:
        """The number of a line, from 1, and a text of whole lines that begins with it, without the end of the last one.

        Bytes that are not UTF-8, or NUL, are an error. Then lines come one by one, and what is no UTF-8 is replaced.
        """
        number = 1
        try:
            for block in self._blocks():
                try:
                    text = block.decode()
                except UnicodeDecodeError:
                    text = "\0"
                if "\0" not in text:
                    yield number, text
                    number += text.count("\n") + 1
                    continue
                for raw in block.split(b"\n"):
                    try:
                        line = raw.decode()
                    except UnicodeDecodeError as error:
                        on_error(
                            number, f"found the byte 0x{raw[error.start]:02x}; expected UTF-8: {self.encoding_remedy(raw)}"
                        )
                        line = raw.decode(errors="replace")
                    if "\0" in line:
                        on_error(number, "found a NUL byte; expected a text file in UTF-8")
                    yield number, line
                    number += 1
        except UNREADABLE as error:
            raise FormatError(self.name, number, f"cannot be read on: {_reason(error)}") from None

    def encoding_remedy(self, line: bytes) -> str:
        """What to do about a line that is not UTF-8; Windows writes cp1252, which is most of latin-1 and more."""
        if not self._takes_encoding:
            return "convert the file to UTF-8"
        try:
            line.decode("cp1252")
        except UnicodeDecodeError:
            return "say --encoding NAME"
        return "say --encoding cp1252 if Windows or Excel wrote it"

    def _blocks(self) -> Iterator[bytes]:
        """The bytes in blocks of whole lines, without the end of the last one."""
        pieces: list[bytes] = []
        with cast(io.BufferedReader, self.open()) as stream:
            while piece := stream.read1(HEAD):  # what was read before an error is not lost
                whole, newline, rest = piece.rpartition(b"\n")
                if newline:
                    yield b"".join([*pieces, whole])
                    pieces = []
                pieces.append(rest)
        if last := b"".join(pieces):
            yield last

    def check_encoding(self, on_error: OnError | None = None) -> None:
        """Decode all lines of a text, as a reader may not have decoded what it had no need of."""
        if not self.binary:
            deque(self.lines(on_error or self.raise_error), maxlen=0)

    def text(self, on_error: OnError) -> str:
        """The whole file, its lines joined by newlines."""
        try:
            text = self.raw().decode()
        except (FormatError, UnicodeDecodeError):  # on a line, which is told below
            text = "\0"
        if "\0" not in text and "\r" not in text:
            return text.removesuffix("\n")
        return "\n".join(line for _, line in self.lines(on_error))

    def beside(self, ending: str) -> Source:
        """The file of the same name with another ending, such as the text that belongs to an annotation.

        Raises
        ------
        FormatError
            If there is none.
        """
        path = self._path_beside(ending)
        if path is None:
            stem = os.path.basename(os.path.splitext(self.path.removesuffix(".gz"))[0])
            raise FormatError(self.name, None, f"needs the file {stem + ending} beside it; found none")
        return Source(path, role=self.role, options=self.options if self._takes_encoding else None, as_it_is=True)

    def has_beside(self, ending: str) -> bool:
        """Whether there is such a file."""
        return self._path_beside(ending) is not None

    def _path_beside(self, ending: str) -> str | None:
        stem, _ = os.path.splitext(self.path.removesuffix(".gz"))
        paths = (stem + ending, stem + ending + ".gz") if self._is_file else ()
        return next((path for path in paths if os.path.exists(path)), None)

    def with_content(self, data: bytes) -> Source:
        """The same file with other bytes, which are UTF-8, and the same files beside it."""
        other = Source(self.path, data, role=self.role, options=replace(self.options, encoding=None))
        other.options = self.options
        other._is_file = self._is_file
        return other

    def _open(self) -> BinaryIO:
        if self.data is not None:
            return io.BytesIO(self.data)
        try:
            file = open(self.path, "rb", buffering=HEAD)
        except OSError as error:
            self._check_path()
            kind = MissingFileError if isinstance(error, FileNotFoundError) else FormatError
            raise kind(self.name, None, f"cannot be opened: {_reason(error)}") from None
        try:
            self._check_size(self._same(os.fstat(file.fileno())))
        except FormatError:
            file.close()
            raise
        return file

    def _check_path(self) -> None:
        """Raise MissingFileError if what is not there is a text, as its lines or its length show, and no path."""
        if "\n" in self.path or len(self.path) > LONGEST_PATH:
            answer = "referee.Answer(text) for the answer of a language model, " if self.role == "response" else ""
            rows = "rows for a table, such as list(csv.DictReader(io.StringIO(text)))"
            problem = f"found the text {shortened(one_line(self.path))!r}"
            raise MissingFileError(f"<{self.role}>", None, f"{problem}; expected a path: give {answer}{rows}")

    def check_unchanged(self) -> None:
        """Raise a FormatError if the file is not the one that was opened first: its words may be read late."""
        if self._state is not None:
            with self._open():
                pass

    def _same(self, status: os.stat_result) -> int:
        """The size of a file that must be what it was."""
        if not S_ISREG(status.st_mode):  # a pipe, which is read once
            return 0
        state = state_of(status)
        if state != (self._state or state):
            raise FormatError(self.name, None, "was changed while it was read; expected it unchanged: try again")
        self._state = state
        return status.st_size

    def _check_size(self, size: int, limit: int | None = None) -> None:
        if self.limit or limit:
            check_size(self.name, size, self.limit or limit)

    def _read(self, stream: BinaryIO, size: int) -> bytes:
        try:
            data = stream.read(size if size >= 0 or self.limit is None else self.limit + 1)
        except UNREADABLE as error:
            stream.close()
            raise FormatError(self.name, None, f"cannot be read: {_reason(error)}") from None
        self._check_size(len(data))
        return data


class _Unpacked(io.RawIOBase):
    """What gzip unpacks of a stream.

    `check` is called with the bytes that were unpacked and the most that may be, by what was read of the stream until then:
    what unpacks to too much is refused where it begins, not where the file ends.
    """

    def __init__(self, packed: BinaryIO, check: Callable[[int, int], None]) -> None:
        import gzip

        self.packed, self.check = packed, check
        self.stream = gzip.GzipFile(fileobj=packed)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        return self.stream.seek(place, whence)

    def tell(self) -> int:
        return self.stream.tell()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = self.stream.readinto(buffer)
        self.check(self.stream.tell(), max(SMALL, EXPANDED * self.packed.tell()))
        return count

    def close(self) -> None:
        self.stream.close()
        self.packed.close()
        super().close()


_max_size = ContextVar[int | None]("max_size", default=None)


@contextmanager
def max_size(limit: int | None) -> Iterator[None]:
    """Refuse files of more bytes, unpacked, within this context."""
    before = _max_size.set(limit)
    try:
        yield
    finally:
        _max_size.reset(before)


def check_size(name: str, size: int, limit: int | None = None) -> None:
    """Raise a FormatError if a file has more bytes than this, or else than `max_size` lets it have."""
    limit = limit or _max_size.get()
    if limit is not None and size > limit:
        remedy = "give --max-size (max_size of referee.formats.shared.source in Python) if it is right"
        raise FormatError(name, None, f"has more than {limit} bytes, unpacked; expected fewer: {remedy}")


def check_unpacked(name: str, archive: ZipFile) -> None:
    """Raise a FormatError if what a zip file unpacks is as large as gzip may not unpack, or as `max_size` does not allow.

    Its parts have at most the sizes that it states, as no more of them is unpacked.
    """
    parts = archive.infolist()
    packed = sum(part.compress_size for part in parts)
    check_size(name, sum(part.file_size for part in parts), _max_size.get() or max(SMALL, EXPANDED * packed))


def state_of(status: os.stat_result) -> State:
    """The state of a file."""
    return status.st_ino, status.st_mtime_ns, status.st_size


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
