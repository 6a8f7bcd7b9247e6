"""The rows of CoNLL-U files: which lines are words and empty nodes, in which documents and sentences.

Lines are told apart, and columns found, in a few NumPy calls for the whole file. What stands in a column is cut out when it
is asked for: forms to be compared or decoded, MISC where it has a certain attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, arange, argsort, starts_of_runs
from referee.algorithms.digest import blake2b
from referee.basics.exceptions import counted, shortened
from referee.corpus import Text, Words
from referee.corpus.layers import BEFORE, EmptyNodes
from referee.formats.shared.byte_words import FIRST_BYTES, Bytes, ByteWords, cut, words_at
from referee.formats.shared.source import OnError

NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*?))?\s*")
NODE = re.compile(rb"([0-9]{1,9})\.([0-9]{1,9})")
RANGE = re.compile(rb"[0-9]{1,9}-[0-9]{1,9}")
TAB, NEWLINE, RETURN, HASH, BAR = b"\t\n\r#|"
BLOCK = 1 << 18
"""Bytes that are looked at together."""


class Tokens(NamedTuple):
    """Of each token of a file: its line, its document, its sentence (counted through the file), whether it is an empty node."""

    line: Ints
    document: Ints
    sentence: Ints
    is_node: Bools


class Attribute(NamedTuple):
    """An attribute of the column MISC wherever it stands: the tokens that have it, and its values."""

    token: Ints
    values: list[bytes]


class ConlluRows:
    """The rows of a file that are words and empty nodes: its tokens.

    Parameters
    ----------
    raw : bytes
        The file in UTF-8; its last line has an end.
    on_error : OnError
        Takes errors.

    Attributes
    ----------
    names, begins : list
        The names of the documents, and the lines where they begin.
    first : int64 array, shape (documents + 1,)
        The first token of each document, and the number of all tokens.
    tokens : Tokens
        Line, document and sentence of each token, and whether it is an empty node.
    minor : int64 array, shape (tokens,)
        1 for 5.1, larger by `BEFORE` for 0.1; 0 for a word.
    """

    def __init__(self, raw: bytes, on_error: OnError) -> None:
        self.raw = raw
        self.data = np.frombuffer(raw, dtype=np.uint8)
        self.ends = _ends(self.data)  # a row has nine of columns before that of its line
        line_ends = np.flatnonzero(self.data[self.ends] == NEWLINE)
        self.line_end = self.ends[line_ends]
        self.line_start = np.concatenate([[0], self.line_end + 1])[:-1]
        is_row, is_blank = self._kinds(np.diff(line_ends, prepend=-1), on_error)
        line = np.flatnonzero(is_row)
        self.first_end = line_ends[line] - 9
        self.names, document = self._documents(line, on_error)
        blanks: Ints = np.cumsum(is_blank)
        new = starts_of_runs(blanks[line], document)
        kept, self.minor, is_node = self._numbers(line, np.cumsum(new) - 1, on_error)
        self.first_end = self.first_end[kept]
        self.tokens = Tokens(line[kept] + 1, document[kept], (np.cumsum(new) - 1)[kept], is_node)
        self.first = np.searchsorted(self.tokens.document, np.arange(len(self.names) + 1))

    def _kinds(self, columns: Ints, on_error: OnError) -> tuple[Bools, Bools]:
        """Which lines are rows of ten columns, and which are blank."""
        begins = self.data[self.line_start]
        is_blank = (begins == NEWLINE) | ((begins == RETURN) & (self.line_end == self.line_start + 1))
        is_row = ~is_blank & (begins != HASH)
        for n in np.flatnonzero(is_row & (columns != 10)).tolist():
            is_row[n] = False
            if not self.raw[self.line_start[n] : self.line_end[n]].strip():
                is_blank[n] = True
                continue
            found = counted(int(columns[n]), "column")
            remedy = "" if columns[n] > 1 else ": put tabs for blanks"
            on_error(n + 1, f"found {found}; expected 10 with tabs between them{remedy}")
        return is_row, is_blank

    def _documents(self, line: Ints, on_error: OnError) -> tuple[list[str], Ints]:
        """The names of the documents, and the document of each row."""
        begins = [(n, match[1] or "") for n, text in self.comments(b"newdoc") if (match := NEWDOC.fullmatch(text))]
        document = np.searchsorted([n for n, _ in begins], line) - 1
        if (document < 0).any():
            begins.insert(0, (0, ""))
            document += 1
        self.begins = [n + 1 for n, _ in begins]
        names: dict[str, None] = {}
        for number, (n, name) in enumerate(begins, start=1):
            unique = name or f"#{number}"
            if unique in names:
                on_error(n + 1, f"document {unique!r} appears twice; expected each name once: rename or remove one")
            while unique in names:
                unique += "#"
            names[unique] = None
        return list(names), document

    def _numbers(self, line: Ints, sentence: Ints, on_error: OnError) -> tuple[Ints, Ints, Bools]:
        """Which rows are tokens; of each of these, the minor number, and whether it is an empty node."""
        start = self.line_start[line]
        size = self.ends[self.first_end] - start
        plain = (size > 0) & (size < 10)
        number = np.zeros(len(line), dtype=np.int64)
        for place in range(int(size[plain].max(initial=0))):
            digit = self.data[start + place] - np.uint8(48)  # nine tabs behind it: no place is past the end
            inside = place < size
            plain &= ~inside | (digit < 10)
            number = np.where(inside, 10 * number + digit, number)
        minor = np.zeros(len(line), dtype=np.int64)
        is_node = np.zeros(len(line), dtype=bool)
        for n in np.flatnonzero(~plain).tolist():
            text = self.raw[start[n] : start[n] + size[n]]
            if match := NODE.fullmatch(text):
                is_node[n] = True
                number[n], minor[n] = int(match[1]), int(match[2])
            elif not RANGE.fullmatch(text):
                shown = shortened(text.decode(errors="replace"))
                on_error(
                    int(line[n]) + 1, f"found the ID {shown!r}; expected one such as 5, 5.1 (an empty node) or 5-6 (a range)"
                )
        kept = np.flatnonzero(plain | is_node)
        line, sentence, number, minor, is_node = line[kept], sentence[kept], number[kept], minor[kept], is_node[kept]
        words = np.cumsum(~is_node)
        new = starts_of_runs(sentence)
        expected = words - np.maximum.accumulate(np.where(new, words - ~is_node, 0))
        wrong = np.flatnonzero(number != expected)
        for n in wrong[starts_of_runs(sentence[wrong])].tolist():
            found, wanted = (f"{number[n]}.{minor[n]}", f"{expected[n]}.1") if is_node[n] else (number[n], expected[n])
            remedy = "words count from 1 in each sentence, and a blank line ends it"
            on_error(int(line[n]) + 1, f"found the ID {found}; expected {wanted}: {remedy}")
        behind = is_node & ~starts_of_runs(sentence, number, is_node)  # another empty node
        least = np.where(behind, np.roll(minor, 1), 0) + 1
        for n in np.flatnonzero(is_node & ((minor < least) | (minor >= BEFORE))).tolist():
            on_error(int(line[n]) + 1, f"found the ID {number[n]}.{minor[n]}; expected {number[n]}.{least[n]} or a little more")
        return kept, np.where(is_node & (number == 0), minor + BEFORE, minor), is_node

    def comments(self, word: bytes) -> Iterator[tuple[int, str]]:
        """Lines that begin with # and have this word in them, with their numbers from 0."""
        last = -1
        for n in np.searchsorted(self.line_end, [m.start() for m in re.finditer(re.escape(word), self.raw)]).tolist():
            text = self.raw[self.line_start[n] : self.line_end[n]]
            if n != last and text.startswith(b"#"):
                yield n, text.decode(errors="replace").rstrip("\r")
            last = n

    def column(self, number: int) -> tuple[Ints, Ints]:
        """Where a column begins and ends in each row of a token; the first is 0, which is not asked for."""
        return self.ends[self.first_end + number - 1] + 1, self.ends[self.first_end + number]

    @cached_property
    def _attributes(self) -> tuple[Ints, Ints, Ints]:
        """Of each attribute of MISC: its token, where it begins, and where it ends."""
        begin, end = self.column(9)
        border = np.flatnonzero((self.data == BAR) | (self.data == RETURN))
        token = np.searchsorted(begin, border, side="right") - 1
        inside = (token >= 0) & (border < end[token])
        token, border = token[inside], border[inside]
        bar = self.data[border] == BAR
        begin, token = np.append(begin, border[bar] + 1), np.append(arange(len(end)), token[bar])
        order = argsort(begin)
        begin, token = begin[order], token[order]
        after = np.append(border, len(self.data))[np.searchsorted(border, begin)]
        return token, begin, np.minimum(after, end[token])

    def attribute(self, name: bytes) -> Attribute:
        """The attribute `name` of MISC, wherever a token has it."""
        given = name + b"="
        if not len(self.tokens.line):
            return Attribute(self.tokens.line, [])
        token, begin, end = self._attributes
        kept = np.flatnonzero(self.data[begin] == given[0])
        for n, letter in enumerate(given[1:], start=1):
            kept = kept[self.data[begin[kept] + n] == letter]  # a line ends in a byte that no name has
        return Attribute(token[kept], self._between(begin[kept] + len(given), end[kept]))

    def cells(self, column: int, tokens: Ints) -> list[bytes]:
        """The cells of a column in the rows of these tokens."""
        begin, end = self.column(column)
        return self._between(begin[tokens], end[tokens])

    def short_cells(self, column: int, tokens: Ints) -> ByteWords:
        """The cells of a column in the rows of these tokens as numbers, the first byte lowest; 0 if longer than eight bytes."""
        begin, end = (place[tokens] for place in self.column(column))
        size = end - begin
        words = words_at(self.data, np.minimum(begin, len(self.data) - 8))  # only an empty last cell has fewer bytes behind it
        short: ByteWords = np.where(size <= 8, words & FIRST_BYTES[np.minimum(size, 8)], np.uint64(0))
        return short

    def _between(self, begin: Ints, end: Ints) -> list[bytes]:
        return [self.raw[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True)]

    def text(self) -> Text:
        """The forms, decoded when asked for, and digests of those that are words."""
        begin, end = self.column(1)
        forms = cut(self.data, begin - 1, end)
        words = ~self.tokens.is_node
        of_words = forms if words.all() else cut(self.data, begin[words] - 1, end[words])
        size = np.concatenate([[0], np.cumsum((end - begin + 1)[words])])
        edges = size[np.concatenate([[0], np.cumsum(words)])[self.first]].tolist()
        digests = [blake2b(of_words[a:b], digest_size=16).digest() for a, b in pairwise(edges)]
        first, sentence = self.first.tolist(), self.tokens.sentence
        starts = [np.flatnonzero(starts_of_runs(sentence[a:b])).tolist() for a, b in pairwise(first)]

        def load() -> list[Words]:
            tokens = forms.decode(errors="replace").split("\t")[1:]
            return [Words(tokens[a:b], sentences) for (a, b), sentences in zip(pairwise(first), starts, strict=True)]

        return Text(load, digests, kind="corefud")

    def empty(self) -> EmptyNodes | None:
        """Give the empty nodes; None if there are none."""
        nodes = np.flatnonzero(self.tokens.is_node)
        if not len(nodes):
            return None
        document = self.tokens.document[nodes]
        begins = self.first[document]
        sentence = self.tokens.sentence[nodes] - self.tokens.sentence[begins]
        deps = [cell.decode(errors="replace") for cell in self.cells(8, nodes)]
        document, node, minor, sentence = (c.astype(np.int32) for c in (document, nodes - begins, self.minor[nodes], sentence))
        return EmptyNodes(document, node, minor, sentence, ["" if text == "_" else text for text in deps])


def _ends(data: Bytes) -> Ints:
    """Where columns and lines end; found in blocks, and kept in 32 bits if they fit, as a file has millions of them."""
    dtype = np.int32 if len(data) < 1 << 31 else np.int64
    ends = [np.empty(0, dtype=dtype)]
    for at in range(0, len(data), BLOCK):
        block = data[at : at + BLOCK]
        ends.append((np.flatnonzero((block == TAB) | (block == NEWLINE)) + at).astype(dtype))
    return np.concatenate(ends)
