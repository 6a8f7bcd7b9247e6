"""The fast half of the CoNLL reader: mentions from blocks of bytes, without looking at a single token.

A line's last byte tells what it is: most end in a lone ``-`` and carry no mention. Only the last columns of the others are
cut out, joined, and taken apart at the brackets, for a whole block in a few NumPy calls. When the file is read, opening and
closing brackets of each entity are paired by one sort: at one depth they alternate.

Tokens are not compared but digested: each line without its last column becomes 64 bits, and those of a document one
digest. Two files that agree in those agree in their tokens (but for one line in 2⁶⁴); if they do not, tokens are read line
by line and compared.

What is wrong is left out and listed. A NUL byte, or a row of a range such as `2-3`, raises `UnreadableError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO, NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, arange, argsort, inverse, repeat, starts_of_runs, tally
from referee.algorithms.digest import blake2b
from referee.formats.conll.unusual import may_have_ranges
from referee.formats.shared.brackets import pair
from referee.formats.shared.byte_words import FIRST_BYTES, Bytes, ByteWords, words_at

BLOCK = 1 << 20
"""Bytes that are read together."""
FIRST_BLOCK = 1 << 15
"""The same at the beginning of a file: memory for a whole block would cost more than reading a small file."""
BATCH = 1 << 17
"""Brackets that are paired together, at least; fewer of them take less memory."""
MARGIN = 64
"""Newlines in front of a block, so that looking back eight bytes never leaves it."""
SPARE = 8
"""Bytes of no meaning after a block, so that looking forward eight bytes does not leave it either."""

NEWLINE, OPEN, CLOSE, HASH = b"\n()#"
CELL, CLOSED, OPENED = range(3)
"""What is wrong: a cell, a bracket that closes what was never opened, one that opens what is never closed."""
NEW_FILE = "#\x7f\x7f"
"""A line between two files that are read as one, and what `header` says of it."""

_BLANK = np.arange(256) <= 32
_SPLITS = np.isin(np.arange(256), list(b"\t\n "))  # other control characters are errors before a last column
_MARK = np.isin(np.arange(256), list(b"-_*"))  # a lone one says that a token has no mention
_SOLID = ~_BLANK & ~np.isin(np.arange(256), list(b"()|"))


class UnreadableError(Exception):
    """Something in the file is unusual: a NUL byte, a row of a range."""


class Wrong(NamedTuple):
    """What is wrong, document by document: brackets that are never closed come last.

    Parameters
    ----------
    document, token : int64 array, shape (errors,)
        The document, and the tokens of the file before the one that has the error.
    kind, text : int64 array, shape (errors,)
        `CELL`, `CLOSED` or `OPENED`, and the number of the cell or the id.
    texts : list of str
        Cells and ids.
    """

    document: Ints
    token: Ints
    kind: Ints
    text: Ints
    texts: list[str]


class Found(NamedTuple):
    """The mentions of a file.

    Parameters
    ----------
    names : list
        The name of each document.
    digests : list or None
        The digest of the lines of each document; None if the file is not UTF-8, for then its words cannot be read.
    file : int64 array, shape (documents,)
        The file that each document is in, if several are read as one.
    outside : int
        The number of tokens outside of any document.
    unsure : list of int
        The lines of comments that may be tokens #.
    document, start, end, entity : int32 array, shape (mentions,)
        As in a `Corpus`.
    labels : sequence of str
        The id of each entity in the file.
    first_token, tokens : int64 array, shape (documents,)
        The tokens of the file before those of each document, and the number of these.
    header, next_header : int64 array, shape (documents,)
        The lines between which each document is.
    others : int64 array
        The tokens of the file before each line that is no token.
    wrong : Wrong or None
        What is wrong, if anything is.
    """

    names: list[str]
    digests: list[bytes] | None
    file: Ints
    outside: int
    unsure: list[int]
    document: Ints
    start: Ints
    end: Ints
    entity: Ints
    labels: Sequence[str]
    first_token: Ints
    tokens: Ints
    header: Ints
    next_header: Ints
    others: Ints
    wrong: Wrong | None

    def lines(self, token: Ints) -> Ints:
        """The lines of tokens, given the tokens of the file before them."""
        lines: Ints = token + np.searchsorted(self.others, token, side="right") + 1
        return lines


class Scan:
    """Reads one file.

    Parameters
    ----------
    header : callable
        Tells what a line that begins with # says (see `conll.header`).
    mended : bool
        Whether there are no rows of ranges any more.
    """

    def __init__(self, header: Callable[[str], str | bool | None], *, mended: bool = False) -> None:
        self.header = header
        self.mended = mended
        self.tokens = self.lines = 0
        self.is_utf8 = True
        # A stretch of lines lies between two headers: in the document of this name, or outside of any (None).
        self.names: list[str | None] = [None]
        self.first_token = [0]
        self.header_lines = [1]
        self.unsure: list[int] = []
        self.digests = [blake2b(digest_size=16)]
        # The tokens before each line that is none.
        self.others: list[Ints] = []
        # What is wrong: token, kind, and number of the text.
        self.wrong: list[tuple[Ints, Ints, Ints]] = []
        self.texts: dict[str, int] = {}
        # Brackets not paired yet, in the order of the file: token, id, does it open, does it close.
        self.brackets: list[tuple[Ints, ByteWords, Bools, Bools]] = []
        self.paired = 0  # up to which token
        self.long_ids: dict[bytes, int] = {}
        # Mentions: stretch, first token, token after the last, entity; and the id of each entity.
        self.mentions: list[tuple[Ints, Ints, Ints, Ints]] = []
        self.entity_ids: list[ByteWords] = []

    def read(self, stream: BinaryIO) -> Found:
        """Read the whole stream."""
        for block in blocks(stream):
            self._block(block)
            if self.first_token[-1] > self.paired and sum(len(ids) for _, ids, _, _ in self.brackets) > BATCH:
                self._pair(self.first_token[-1])
        self._pair(self.tokens)
        return self._found()

    def _block(self, data: Bytes) -> None:
        self.is_utf8 = self.is_utf8 and is_utf8(data[:-SPARE])
        newline = np.flatnonzero(data[:-SPARE] == NEWLINE)[MARGIN - 1 :]
        start, end = newline[:-1] + 1, newline[1:].copy()
        if not self.mended and may_have_ranges(data, start):
            raise UnreadableError
        trailing = np.flatnonzero(_BLANK[data[end - 1]] & (end > start))
        for _ in range(16):
            if not len(trailing):
                break
            end[trailing] -= 1
            trailing = trailing[_BLANK[data[end[trailing] - 1]] & (end[trailing] > start[trailing])]
        for line in trailing.tolist():  # more than 16 blanks
            end[line] = start[line] + len(data[start[line] : end[line]].tobytes().rstrip(bytes(range(33))))
        is_token = end > start
        headers = self._headers(data, start, end, is_token)
        lone_mark = _MARK[data[end - 1]] & _SPLITS[data[end - 2]]
        with_brackets = np.flatnonzero(is_token & ~lone_mark)
        column = end - 1
        column[with_brackets] = _last_column(data, start[with_brackets], end[with_brackets])
        before: Ints = np.cumsum(is_token) - is_token
        self.others.append(self.tokens + before[~is_token])
        if len(with_brackets):
            self._brackets(data, self.tokens + before[with_brackets], column[with_brackets], end[with_brackets])

        lines = _line_digests(data, start[is_token], column[is_token])
        done = 0
        for header_line, name in headers:
            if ends_nothing(name, self.names):
                continue
            self.digests[-1].update(lines[done : before[header_line]].tobytes())
            done = int(before[header_line])
            self.names.append(name)
            self.first_token.append(self.tokens + done)
            self.header_lines.append(self.lines + header_line + 1)
            self.digests.append(blake2b(digest_size=16))
        self.digests[-1].update(lines[done:].tobytes())
        self.tokens += len(lines)
        self.lines += len(is_token)

    def _headers(self, data: Bytes, start: Ints, end: Ints, is_token: Bools) -> list[tuple[int, str | None]]:
        """Lines at which a document begins (with its name) or ends (None); they and comments are no tokens."""
        headers: list[tuple[int, str | None]] = []
        for line in np.flatnonzero(is_token & (data[start] == HASH)).tolist():
            text = data[start[line] : end[line]].tobytes()
            says = self.header(text.decode(errors="replace"))
            is_token[line] = says is True
            if not isinstance(says, bool):
                headers.append((line, says))
                continue
            beside = (data[start[n] : end[n]].tobytes() for n in (line - 1, line + 1) if 0 <= n < len(end))
            if not says and _may_be_a_token(text, beside):
                self.unsure.append(self.lines + line + 1)
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
        splits = _SPLITS[cells[offset]]
        all_good = brackets == count and (opens | closes).all() and splits.all()
        if not all_good or np.count_nonzero(starts_of_runs(line)) < len(token):
            parens = np.searchsorted(offset, np.flatnonzero((cells == OPEN) | (cells == CLOSE))) - 1
            every, bare, opening, closing, both = (
                tally(of, minlength=len(token)) for of in (line, line[~(opens | closes)], line[opens], line[closes], parens)
            )
            good = (every > 0) & (bare == 0) & (opening + closing == both) & splits
            wrong = np.flatnonzero(~good)
            controls = {n: chr(cells[offset[n]]) for n in np.flatnonzero(~splits).tolist()}
            cells[offset] = NEWLINE
            texts = cells[: len(place)].tobytes().decode(errors="replace").split("\n")[1:]
            self._is_wrong(token[wrong], CELL, [controls.get(n, "") + texts[n] for n in wrong.tolist()], arange(len(wrong)))
            self._brackets(data, token[good], column[good], end[good])
            return
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
        code = ranked_words(ids, 63 - ready.bit_length() - len(self.first_token).bit_length())  # to sort them packed
        opening, closing, alone = pair(stretch, code, opens, closes)
        if len(alone):
            self._alone(alone, stretch, token, code, ids, opens, closes)
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

    def _alone(self, alone: Ints, stretch: Ints, token: Ints, code: Ints, ids: ByteWords, opens: Bools, closes: Bools) -> None:
        """List brackets without their other half.

        Those that are never closed go by the first one of their id, then by the bracket with which the id appeared.
        """
        closed, opened = alone[~opens[alone]], alone[opens[alone]]
        halves = np.flatnonzero(opens & ~closes)
        halves = halves[argsort(stretch[halves], code[halves])]
        new = starts_of_runs(stretch[halves], code[halves])
        group, first = np.empty(len(token), dtype=np.int64), np.empty(len(token), dtype=np.int64)
        group[halves] = np.cumsum(new) - 1
        group = group[opened]
        first[group[::-1]] = opened[::-1]
        opened = opened[argsort(token[first[group]], halves[new][group])]
        for kind, brackets in ((CLOSED, closed), (OPENED, opened)):
            names, text = np.unique(ids[brackets], return_inverse=True)
            self._is_wrong(token[brackets], kind, Labels(names, list(self.long_ids)), text)

    def _is_wrong(self, token: Ints, kind: int, texts: Sequence[str], text: Ints) -> None:
        """List errors; the text of each is one of a few."""
        number = np.array([self.texts.setdefault(text, len(self.texts)) for text in texts], dtype=np.int64)
        self.wrong.append((token, np.full(len(token), kind), number[text]))

    def _found(self) -> Found:
        """Documents from stretches."""
        file, names = documents_of_files(self.names)
        stretches = np.array([n for n, name in enumerate(names) if name is not None], dtype=np.int64)
        document_of = np.full(len(names), -1, dtype=np.int32)
        document_of[stretches] = np.arange(len(stretches))
        first_token = np.array([*self.first_token, self.tokens])
        tokens = np.diff(first_token)
        none = np.empty(0, dtype=np.int32)
        columns = (np.concatenate(column) for column in zip((none, none, none, none), *self.mentions, strict=True))
        stretch, start, end, entity = columns
        document = document_of[stretch]
        inside = document >= 0
        if not inside.all():
            document, start, end, entity = document[inside], start[inside], end[inside], entity[inside]
        header = np.array([*self.header_lines, self.lines + 1])
        return Found(
            names=[str(names[n]) for n in stretches],
            digests=[self.digests[n].digest() for n in stretches] if self.is_utf8 else None,
            file=file[stretches],
            outside=int(tokens.sum() - tokens[stretches].sum()),
            unsure=self.unsure,
            document=document,
            start=start,
            end=end,
            entity=entity,
            labels=Labels(np.concatenate([np.empty(0, dtype=np.uint64), *self.entity_ids]), list(self.long_ids)),
            first_token=first_token[stretches],
            tokens=tokens[stretches],
            header=header[stretches],
            next_header=header[stretches + 1],
            others=np.concatenate([np.empty(0, dtype=np.int64), *self.others]),
            wrong=self._wrong(document_of) if self.wrong else None,
        )

    def _wrong(self, document_of: Ints) -> Wrong | None:
        """What is wrong in documents, given that of each stretch."""
        token, kind, text = (np.concatenate(column) for column in zip(*self.wrong, strict=True))
        stretch = np.searchsorted(self.first_token, token, side="right") - 1
        order = argsort(stretch, kind // OPENED, np.where(kind == OPENED, 0, token))
        order = order[document_of[stretch[order]] >= 0]
        wrong = Wrong(document_of[stretch[order]], token[order], kind[order], text[order], list(self.texts))
        return wrong if len(order) else None


def _may_be_a_token(comment: bytes, beside: Iterable[bytes]) -> bool:
    """Whether its last column has brackets, and a line beside it has as many columns, with blanks between them."""
    *others, last = comment.split()
    if not last.strip(b"|").startswith(b"(") and not last.strip(b"|").endswith(b")"):
        return False
    return any(len(line.split()) == len(others) + 1 for line in beside if line[:1] != b"#" and b"\t" not in line)


def ends_nothing(name: str | None, names: Sequence[str | None]) -> bool:
    """Whether a header after others is the end of no document."""
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


class Labels(Sequence[str]):
    """Entity ids as text, decoded when asked for: up to eight bytes are the bytes of the number itself."""

    def __init__(self, ids: ByteWords, long_ids: list[bytes]) -> None:
        self.ids = ids
        self.long_ids = long_ids

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # slices are not needed
        number = int(self.ids[index])
        text = number.to_bytes(8, "little")
        if number >> 63 and b"\0" in text:
            return self.long_ids[number - (1 << 63)].decode(errors="replace")
        return text.rstrip(b"\0").decode(errors="replace")

    def __iter__(self) -> Iterator[str]:
        joined = b"\n".join(self.ids.astype("<u8").view("S8").tolist())  # decoded at once: no id has a newline
        texts = joined.decode(errors="replace").split("\n")[: len(self)]
        for index in np.flatnonzero(self.ids >> np.uint64(63)).tolist():  # perhaps long ones
            texts[index] = self[index]
        return iter(texts)


def blocks(stream: BinaryIO) -> Iterator[Bytes]:
    """The file in blocks of whole lines, each between MARGIN newlines and SPARE bytes. One buffer is used again and again."""
    buffer = bytearray(b"\n" * MARGIN) + bytearray(min(BLOCK, FIRST_BLOCK))
    kept = 0
    while True:
        room = memoryview(buffer)[MARGIN + kept : -SPARE - 1]  # one byte more, for a newline at the end of the file
        got: int = stream.readinto(room)  # type: ignore[attr-defined]  # a buffered reader fills it if it can
        after = MARGIN + kept + got
        if not got and kept:
            buffer[after] = NEWLINE
            after += 1
        stop = buffer.rfind(b"\n", MARGIN, after) + 1
        if buffer.find(b"\0", MARGIN, max(stop, MARGIN)) >= 0:
            raise UnreadableError
        if stop:
            yield np.frombuffer(buffer, dtype=np.uint8, count=stop + SPARE)
            kept = after - stop
            rest = buffer[stop:after]
            if len(buffer) < MARGIN + BLOCK and after == len(buffer) - SPARE - 1:
                buffer = buffer[:MARGIN] + bytearray(BLOCK)
            buffer[MARGIN : MARGIN + kept] = rest
        else:
            kept = after - MARGIN
            if after == len(buffer) - SPARE - 1:
                buffer = buffer + bytearray(len(buffer))
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
    open_lines = np.arange(len(end))
    position = end.copy()
    for _ in range(16):
        word = words_at(data, position - 8)
        solid = ((word & 0x7F7F7F7F7F7F7F7F) + 0x5F5F5F5F5F5F5F5F) | word
        blank = ~solid & np.uint64(0x8080808080808080)  # the high bit of each byte up to 32
        found = blank != 0
        highest = (np.frexp(blank[found].astype(np.float64))[1] - 1) >> 3
        column[open_lines[found]] = position[found] - 7 + highest
        if found.all():
            return column
        open_lines, position = open_lines[~found], position[~found] - 8
    for line in open_lines.tolist():  # a column of more than 128 bytes
        text = data[start[line] : end[line]].tobytes()
        column[line] = start[line] + max(text.rfind(b"\t"), text.rfind(b" ")) + 1
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


def ranked_words(words: ByteWords, bits: int) -> Ints:
    """Return numbers that compare as the words do, of at most so many bits if two bytes at one place have few values."""
    if not len(words) or int(words.max()).bit_length() <= bits:
        return words.astype(np.int64)
    number, width = np.zeros(len(words), dtype=np.int64), 0
    for two_bytes in words.astype("<u8", copy=False).view("<u2").reshape(-1, 4).T[::-1]:
        there = np.zeros(1 << 16, dtype=np.int64)
        there[two_bytes] = 1
        rank = np.cumsum(there) - 1
        more = int(rank[-1]).bit_length()
        number <<= more
        number |= rank[two_bytes]
        width += more
    return number if width <= bits else np.unique(words, return_inverse=True)[1]
