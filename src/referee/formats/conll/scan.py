"""The fast half of the CoNLL reader: mentions from blocks of bytes, without looking at a single token.

A line's last byte tells what it is: most end in a lone ``-`` and carry no mention. Only the last columns of the others are
cut out, joined, and taken apart at the brackets, for a whole block in a few NumPy calls. When the file is read, opening and
closing brackets of each entity are paired by one sort: at one depth they alternate.

Tokens are not compared but digested: each line without its last column becomes 64 bits, and those of a document one
digest. Two files that agree in those agree in their tokens (but for one line in 2⁶⁴); if they do not, tokens are read line
by line and compared.

What is wrong or odd raises `UnusualError`: then `referee.formats.conll.rows` reads the file line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO, NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, inverse, repeat, starts_of_runs
from referee.algorithms.digest import blake2b
from referee.formats.conll.lines import RANGE, may_be_token
from referee.formats.shared.brackets import pair
from referee.formats.shared.byte_words import FIRST_BYTES, Bytes, ByteWords, words_at

BLOCK = 1 << 20
"""Bytes that are read together."""
BATCH = 1 << 17
"""Brackets that are paired together, at least; fewer of them take less memory."""
MARGIN = 64
"""Newlines in front of a block, so that looking back eight bytes never leaves it."""
SPARE = 8
"""Bytes of no meaning after a block, so that looking forward eight bytes does not leave it either."""

NEWLINE, OPEN, CLOSE, HASH = b"\n()#"
ZERO, DASH = (np.uint8(byte) for byte in b"0-")
NEW_FILE = "#\x7f\x7f"
"""A line between two files that are read as one, and what `header` says of it."""

_BLANK = np.arange(256) <= 32
_SPLITS = np.isin(np.arange(256), list(b"\t\n "))  # other control characters are errors before a last column
_MARK = np.isin(np.arange(256), list(b"-_*"))  # a lone one says that a token has no mention
_SOLID = ~_BLANK & ~np.isin(np.arange(256), list(b"()|"))


class UnusualError(Exception):
    """Something in the file is wrong or unusual: it must be read line by line."""


class ScannedMentions(NamedTuple):
    """The mentions of a file.

    Parameters
    ----------
    names : list
        The name of each document.
    digests : list or None
        The digest of the lines of each document; None if the file is not UTF-8, for then its words cannot be read.
    file : int64 array, shape (documents,)
        The file that each document is in, if several are read as one.
    document, start, end, entity : int32 array, shape (mentions,)
        As in a `Corpus`.
    labels : list of str
        The id of each entity in the file.
    sizes : int64 array, shape (documents,)
        The number of tokens of each document.
    """

    names: list[str]
    digests: list[bytes] | None
    file: Ints
    document: Ints
    start: Ints
    end: Ints
    entity: Ints
    labels: list[str]
    sizes: Ints


class Scan:
    """Reads one file.

    Parameters
    ----------
    header : callable
        Tells what a line that begins with # is (see `conll.lines.header`).
    """

    def __init__(self, header: Callable[[str], str | bool | None]) -> None:
        self.header = header
        self.tokens = 0
        self.is_utf8 = True
        # A stretch of lines lies between two headers: in the document of this name, or outside of any (None).
        self.names: list[str | None] = [None]
        self.first_token = [0]
        self.digests = [blake2b(digest_size=16)]
        # Brackets not paired yet, in the order of the file: token, id, does it open, does it close.
        self.brackets: list[tuple[Ints, ByteWords, Bools, Bools]] = []
        self.paired = 0  # up to which token
        self.long_ids: dict[bytes, int] = {}
        # Mentions: stretch, first token, token after the last, entity; and the id of each entity.
        self.mentions: list[tuple[Ints, Ints, Ints, Ints]] = []
        self.entity_ids: list[ByteWords] = []

    def read(self, stream: BinaryIO) -> ScannedMentions:
        """Read a file, or several with `NEW_FILE` between them."""
        for block in blocks(stream):
            self._block(block)
            if self.first_token[-1] > self.paired and sum(len(ids) for _, ids, _, _ in self.brackets) > BATCH:
                self._pair(self.first_token[-1])
        self._pair(self.tokens)
        return self._scanned()

    def _block(self, data: Bytes) -> None:
        self.is_utf8 = self.is_utf8 and is_utf8(data[:-SPARE])
        newline = np.flatnonzero(data[:-SPARE] == NEWLINE)[MARGIN - 1 :]
        start, end = newline[:-1] + 1, newline[1:].copy()
        if _may_have_ranges(data, start):
            raise UnusualError
        trailing = np.flatnonzero(_BLANK[data[end - 1]] & (end > start))
        while len(trailing):
            end[trailing] -= 1
            trailing = trailing[_BLANK[data[end[trailing] - 1]] & (end[trailing] > start[trailing])]
        is_token = end > start
        headers = self._headers(data, start, end, is_token)
        lone_mark = _MARK[data[end - 1]] & _SPLITS[data[end - 2]]
        with_brackets = np.flatnonzero(is_token & ~lone_mark)
        column = end - 1
        column[with_brackets] = _last_column(data, start[with_brackets], end[with_brackets])
        before: Ints = np.cumsum(is_token) - is_token
        if len(with_brackets):
            self._brackets(data, self.tokens + before[with_brackets], column[with_brackets], end[with_brackets])

        lines = _line_digests(data, start[is_token], column[is_token])
        done = 0
        for header_line, name in headers:
            if is_stray_header(name, self.names):
                continue
            self.digests[-1].update(lines[done : before[header_line]].tobytes())
            done = int(before[header_line])
            self.names.append(name)
            self.first_token.append(self.tokens + done)
            self.digests.append(blake2b(digest_size=16))
        self.digests[-1].update(lines[done:].tobytes())
        self.tokens += len(lines)

    def _headers(self, data: Bytes, start: Ints, end: Ints, is_token: Bools) -> list[tuple[int, str | None]]:
        """Lines at which a document begins (with its name) or ends (None); they and comments are no tokens."""
        headers: list[tuple[int, str | None]] = []
        for line in np.flatnonzero(is_token & (data[start] == HASH)).tolist():
            text = data[start[line] : end[line]].tobytes()
            meaning = self.header(text.decode(errors="replace"))
            is_token[line] = meaning is True
            if not isinstance(meaning, bool):
                headers.append((line, meaning))
            elif not meaning and (b"(" in text or b")" in text):
                beside = (data[start[n] : end[n]].tobytes() for n in (line - 1, line + 1) if 0 <= n < len(end))
                if may_be_token(text.decode(errors="replace"), (other.decode(errors="replace") for other in beside)):
                    raise UnusualError
        return headers

    def _brackets(self, data: Bytes, token: Ints, column: Ints, end: Ints) -> None:
        """Take the last columns of some lines apart at their brackets."""
        # The columns one after another, each with the blank before it, and eight more bytes to read words over the end.
        length = end - column + 1
        offset = np.cumsum(length) - length
        place = repeat(column - 1 - offset, length)
        place += np.arange(len(place))
        cells = np.concatenate([data[place], np.full(8, 32, dtype=np.uint8)])
        solid = _SOLID[cells].astype(np.int8)
        edge = np.diff(solid)
        first, after = np.flatnonzero(edge == 1) + 1, np.flatnonzero(edge == -1) + 1
        opens, closes = cells[first - 1] == OPEN, cells[after] == CLOSE
        brackets = np.count_nonzero(cells == OPEN) + np.count_nonzero(cells == CLOSE)
        line = np.searchsorted(offset, first) - 1
        count = np.count_nonzero(opens) + np.count_nonzero(closes)
        is_right = brackets == count and (opens | closes).all() and _SPLITS[cells[offset]].all()
        if not is_right or np.count_nonzero(starts_of_runs(line)) < len(token):
            raise UnusualError
        size = after - first
        ids = words_at(cells, first) & FIRST_BYTES[np.minimum(size, 8)]
        for i in np.flatnonzero(size > 8).tolist():
            # Longer ids get numbers with the highest bit set and so, at most, seven zero bytes: no eight bytes of text.
            text = cells[first[i] : after[i]].tobytes()
            ids[i] = (1 << 63) + self.long_ids.setdefault(text, len(self.long_ids))
        self.brackets.append((token[line], ids, opens, closes))

    def _pair(self, stop: int) -> None:
        """Make mentions of the brackets of the stretches that end before token `stop`."""
        self.paired = stop
        if not self.brackets:
            return
        token, ids, opens, closes = (np.concatenate(columns) for columns in zip(*self.brackets, strict=True))
        ready = int(np.searchsorted(token, stop))
        self.brackets = [(token[ready:], ids[ready:], opens[ready:], closes[ready:])]
        token, ids, opens, closes = token[:ready], ids[:ready], opens[:ready], closes[:ready]
        stretch = np.searchsorted(self.first_token, token, side="right") - 1
        code = ids.astype(np.int64) if ids.max(initial=0) < 1 << 40 else np.unique(ids, return_inverse=True)[1]
        opening, closing, alone = pair(stretch, code, opens, closes)
        if len(alone):
            raise UnusualError
        order = argsort(stretch[opening], code[opening])
        opening, closing = opening[order], closing[order]
        stretch, code = stretch[opening], code[opening]
        new = starts_of_runs(stretch, code)
        # Entities are numbered as the file names them: by their first bracket, one-token mentions of a token first.
        first = (2 * token[opening] + (opening != closing)) * len(ids) + opening
        named = argsort(np.minimum.reduceat(first, np.flatnonzero(new))) if len(first) else first
        entity = inverse(named)[np.cumsum(new) - 1] + sum(map(len, self.entity_ids))
        self.entity_ids.append(ids[opening][new][named])
        base = np.array(self.first_token, dtype=np.int64)[stretch]
        columns = stretch, token[opening] - base, token[closing] + 1 - base, entity
        self.mentions.append(tuple(c.astype(np.int32) for c in columns))  # type: ignore[arg-type]  # four again

    def _scanned(self) -> ScannedMentions:
        """Documents from stretches."""
        file, names = documents_of_files(self.names)
        stretches = np.array([n for n, name in enumerate(names) if name is not None], dtype=np.int64)
        document_of = np.full(len(names), -1, dtype=np.int32)
        document_of[stretches] = np.arange(len(stretches))
        tokens = np.diff([*self.first_token, self.tokens])
        none = np.empty(0, dtype=np.int32)
        columns = (np.concatenate(column) for column in zip((none, none, none, none), *self.mentions, strict=True))
        stretch, start, end, entity = columns
        if tokens.sum() > tokens[stretches].sum():  # some are outside of any document
            raise UnusualError
        return ScannedMentions(
            names=[str(names[n]) for n in stretches],
            digests=[self.digests[n].digest() for n in stretches] if self.is_utf8 else None,
            file=file[stretches],
            document=document_of[stretch],
            start=start,
            end=end,
            entity=entity,
            labels=_texts(np.concatenate([np.empty(0, dtype=np.uint64), *self.entity_ids]), list(self.long_ids)),
            sizes=tokens[stretches],
        )


def _may_have_ranges(data: Bytes, start: Ints) -> bool:
    """Whether a line that starts at one of these places begins as the row of a range."""
    if not (data[start] - ZERO <= 9).any():  # as in most files
        return False
    dashes = np.flatnonzero((data[:-1] == DASH) & (data[1:] - ZERO <= 9))
    line = start[np.maximum(np.searchsorted(start, dashes) - 1, 0)]
    first = line[(line < dashes) & (dashes < line + 10)]
    return any(RANGE.match(data[place : place + 20].tobytes().decode("latin-1")) for place in first.tolist())


def is_stray_header(name: str | None, names: Sequence[str | None]) -> bool:
    """Whether a header after others is an end without an open document."""
    return name is None and names[-1] in (None, NEW_FILE)


def documents_of_files(names: Sequence[str | None]) -> tuple[Ints, list[str | None]]:
    """Return the file of each stretch, and the name of its document, None if it is in none.

    A stretch begins with a header, or with a file. Where a file has no headers at all, it is a document without a name.
    """
    file = np.cumsum([name == NEW_FILE for name in names])
    edges = np.searchsorted(file, np.arange(file[-1] + 2)).tolist()
    documents = list(names)
    for first, after in pairwise(edges):
        documents[first] = "" if after == first + 1 else None
    return file, documents


def _texts(ids: ByteWords, long_ids: Sequence[bytes]) -> list[str]:
    """Entity ids as text: up to eight bytes are the bytes of the number itself."""
    joined = b"\n".join(ids.astype("<u8").view("S8").tolist())  # decoded at once: no id has a newline
    texts = joined.decode(errors="replace").split("\n")[: len(ids)]
    for n in np.flatnonzero(ids >> np.uint64(63)).tolist():
        number = int(ids[n])
        if b"\0" in number.to_bytes(8, "little"):
            texts[n] = long_ids[number - (1 << 63)].decode(errors="replace")
    return texts


def blocks(stream: BinaryIO) -> Iterator[Bytes]:
    """The file in blocks of whole lines, each between MARGIN newlines and SPARE bytes. One buffer is used again and again."""
    buffer = bytearray(MARGIN + BLOCK)
    buffer[:MARGIN] = b"\n" * MARGIN
    stop = after = MARGIN  # what was read is behind `stop`, and not yielded yet
    while True:
        rest = buffer[stop:after]
        if MARGIN + len(rest) + SPARE + 1 >= len(buffer):
            buffer = buffer + bytes(len(buffer))  # a new one, as the last block is still in use
        buffer[MARGIN : MARGIN + len(rest)] = rest
        after = MARGIN + len(rest)
        got: int = stream.readinto(memoryview(buffer)[after : -SPARE - 1])  # type: ignore[attr-defined]  # it fills it if it can
        after += got
        if not got and rest:
            buffer[after] = NEWLINE  # at the end of the file
            after += 1
        stop = buffer.rfind(b"\n", MARGIN, after) + 1 or MARGIN
        if buffer.find(b"\0", MARGIN, stop) >= 0:
            raise UnusualError
        if stop > MARGIN:
            yield np.frombuffer(buffer, dtype=np.uint8, count=stop + SPARE)
        if not got:
            return


def is_utf8(data: Bytes) -> bool:
    """Whether bytes are UTF-8: those that are not ASCII, each run with the byte after it."""
    high = data > 127
    if high.any():
        high[1:] |= high[:-1]
        try:
            data[high].tobytes().decode()
        except UnicodeDecodeError:
            return False
    return True


def _last_column(data: Bytes, start: Ints, end: Ints) -> Ints:
    """Where the last column of each line begins: after the last byte up to a blank, found eight bytes at a time."""
    column = start.copy()
    lines = np.arange(len(end))
    position = end.copy()
    while len(lines):
        word = words_at(data, position - 8)
        solid = ((word & 0x7F7F7F7F7F7F7F7F) + 0x5F5F5F5F5F5F5F5F) | word
        blank = ~solid & np.uint64(0x8080808080808080)  # the high bit of each byte up to 32
        has_blank = blank != 0
        highest = (np.frexp(blank[has_blank].astype(np.float64))[1] - 1) >> 3
        column[lines[has_blank]] = position[has_blank] - 7 + highest
        lines, position = lines[~has_blank], position[~has_blank] - 8
    return column


def _line_digests(data: Bytes, start: Ints, stop: Ints) -> ByteWords:
    """64 bits for the bytes of each line from `start` to `stop`, well mixed, eight bytes at a time."""
    left = stop - start
    digest = left.astype(np.uint64)
    lines = np.arange(len(start))
    position = start.copy()
    for _ in range(32):
        word = words_at(data, position) & FIRST_BYTES[np.clip(left, 0, 8)]
        mixed = (digest[lines] ^ word) * np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio, as in SplitMix64
        digest[lines] = mixed ^ (mixed >> np.uint64(29))
        more = left > 8
        if not more.any():
            return digest
        if not more.all():
            lines, position, left = lines[more], position[more], left[more]
        position += 8
        left -= 8
    for line, rest in zip(lines.tolist(), position.tolist(), strict=True):  # a line of more than 256 bytes
        whole = blake2b(data[rest : stop[line]].tobytes(), digest_size=8).digest()
        digest[line] ^= np.frombuffer(whole, dtype="<u8")[0]
    return digest


def digest_of(lines: Sequence[str]) -> bytes:
    """The digest of the lines of a document without their last columns, as `Scan` makes it."""
    encoded = [line.encode() for line in lines]
    stop = np.cumsum([len(line) for line in encoded], dtype=np.int64)
    data = np.frombuffer(b"".join(encoded) + bytes(SPARE), dtype=np.uint8)
    start = np.concatenate([[0], stop])[:-1].astype(np.int64)
    return blake2b(_line_digests(data, start, stop).tobytes(), digest_size=16).digest()
