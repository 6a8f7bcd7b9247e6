"""The rows of CoNLL-U files: which lines are words and empty nodes, in which documents and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, arange, repeat, starts_of_runs
from referee.algorithms.digest import blake2b
from referee.basics.exceptions import counted, shortened
from referee.corpus import Text, Words
from referee.corpus.layers import BEFORE, EmptyNodes
from referee.formats.shared.source import OnError

NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*?))?\s*")
FIELD = re.compile(r"#\s*(?:meta::)?([^\s=][^=]*?)\s*=\s*(.*?)\s*")
OF_SENTENCE = re.compile(r"#\s*(?:sent_id|text|newpar|newdoc)\b")
SPEAKER = re.compile(r"#\s*speaker\s*=\s*(.*?)\s*$")
ID = re.compile(r"([0-9]{1,9})(?:([.-])([0-9]{1,9}))?")
BLANKS = " \t\r\v\f"


class Tokens(NamedTuple):
    """Of each token of a file: its line, its document, its sentence (counted through the file), whether it is an empty node."""

    line: Ints
    document: Ints
    sentence: Ints
    is_node: Bools


class ConlluRows:
    """The rows of a file that are words and empty nodes: its tokens.

    Parameters
    ----------
    raw : bytes
        The file in UTF-8.
    on_error : OnError
        Takes errors.

    Attributes
    ----------
    lines : list of str
        All lines.
    names, begins : list
        The names of the documents, and the lines where they begin.
    first : int64 array, shape (documents + 1,)
        The first token of each document, and the number of all tokens.
    tokens : Tokens
        Line, document and sentence of each token, and whether it is an empty node.
    nodes : dict
        The empty nodes and the number of each: 1 for 5.1, larger by `BEFORE` for 0.1.
    form, misc : list of str
        Two cells of each token.
    """

    def __init__(self, raw: bytes, on_error: OnError) -> None:
        self.raw = raw
        self.lines = raw.decode(errors="replace").split("\n")
        self.nodes: dict[int, int] = {}
        self.form: list[str] = []
        self.misc: list[str] = []
        begins: dict[str, int] = {}  # the documents
        line: list[int] = []
        documents: list[int] = []  # the first token of each
        sentences: list[int] = []
        word = major = minor = 0  # the last two of the row before
        ended, reported = True, False
        for number, text in enumerate(self.lines, start=1):
            if text[:1] == "#":
                if "newdoc" in text and (match := NEWDOC.fullmatch(text)):
                    _begin(begins, match[1] or "", number, on_error)
                    ended = True
                continue
            cells = text.split("\t")
            if len(cells) != 10:
                if not text.strip(BLANKS):
                    ended = True
                    continue
                remedy = "" if len(cells) > 1 else ": put tabs for blanks"
                on_error(number, f"found {counted(len(cells), 'column')}; expected 10 with tabs between them{remedy}")
                continue
            if not begins:
                _begin(begins, "", 1, on_error)
            if ended:
                sentences.append(len(line))
                documents += [len(line)] * (len(begins) - len(documents))
                word = minor = 0
                ended = reported = False
            if cells[0] == str(word + 1):
                word, minor = word + 1, 0
            else:
                match = ID.fullmatch(cells[0])
                if not match:
                    expected = "one such as 5, 5.1 (an empty node) or 5-6 (a range)"
                    on_error(number, f"found the ID {shortened(cells[0])!r}; expected {expected}")
                    continue
                if match[2] == "-":
                    continue
                node = match[2] == "."
                word += not node
                least = minor + 1 if int(match[1]) == major else 1
                major, minor = int(match[1]), int(match[3] or 0)
                wrong, expected = (f"{major}.{minor}", f"{word}.1") if node else (str(major), str(word))
                if major != word and not reported:
                    remedy = "words count from 1 in each sentence, and a blank line ends it"
                    on_error(number, f"found the ID {wrong}; expected {expected}: {remedy}")
                    reported = True
                if node and not least <= minor < BEFORE:
                    on_error(number, f"found the ID {wrong}; expected {major}.{least} or a little more")
                if node:
                    self.nodes[len(line)] = minor if major else minor + BEFORE
            line.append(number)
            self.form.append(cells[1])
            self.misc.append(cells[9].partition("\r")[0] if "\r" in cells[9] else cells[9])
        size = len(line)
        documents += [size] * (len(begins) + 1 - len(documents))
        self.names, self.begins, self.first = list(begins), list(begins.values()), np.array(documents, dtype=np.int64)
        document, sentence = (repeat(arange(len(a)), np.diff([*a, size])) for a in (self.first[:-1], sentences))
        is_node = np.zeros(size, dtype=bool)
        is_node[list(self.nodes)] = True
        self.tokens = Tokens(np.array(line, dtype=np.int64), document, sentence, is_node)

    def comments(self, word: str) -> Iterator[tuple[int, str]]:
        """Lines that begin with # and have this word in them, with their numbers from 1."""
        return (
            (number, text.rstrip("\r")) for number, text in enumerate(self.lines, start=1) if text[:1] == "#" and word in text
        )

    def metadata(self) -> dict[str, dict[str, str]] | None:
        """What comments say of each document: those with = between its beginning and that of its first sentence."""
        rows: dict[str, dict[str, str]] = {}
        for name, begin in zip(self.names, self.begins, strict=True):
            for number in range(begin, len(self.lines)):
                text = self.lines[number]
                match = FIELD.fullmatch(text)
                if text[:1] != "#" or OF_SENTENCE.match(text):
                    break
                if match and not match[1].startswith("global."):
                    rows.setdefault(name, {})[match[1]] = match[2]
        return rows or None

    def attributes(self, *names: str) -> dict[str, list[tuple[int, str]]]:
        """The tokens that have these attributes in MISC, with the values."""
        values: dict[str, list[tuple[int, str]]] = {name: [] for name in names}
        for token, misc in enumerate(self.misc):
            if misc != "_":
                for attribute in misc.split("|"):
                    name, is_attribute, value = attribute.partition("=")
                    if is_attribute and name in values:
                        values[name].append((token, value))
        return values

    def cells(self, column: int, tokens: Ints | Sequence[int]) -> list[str]:
        """The cells of a column in the rows of these tokens."""
        lines = self.tokens.line[np.asarray(tokens, dtype=np.int64)].tolist()
        return [self.lines[line - 1].split("\t")[column] for line in lines]

    def text(self) -> Text:
        """The forms, and digests of those that are words."""
        words, digests = [], []
        speakers = self._speakers()
        for a, b in pairwise(self.first.tolist()):
            starts = np.flatnonzero(starts_of_runs(self.tokens.sentence[a:b])).tolist()
            said_by = [speakers.get(sentence, "") for sentence in self.tokens.sentence[a:b][starts].tolist()]
            words.append(Words(self.form[a:b], starts, speakers=said_by if any(said_by) else None))
            forms = [self.form[token] for token in (np.flatnonzero(~self.tokens.is_node[a:b]) + a).tolist()]
            digests.append(blake2b("".join(f"\t{form}" for form in forms).encode(), digest_size=16).digest())
        return Text(lambda: words, digests, kind="corefud")

    def _speakers(self) -> dict[int, str]:
        """Who says a sentence, by its number, where a comment tells it."""
        if b"speaker" not in self.raw:
            return {}
        lines = [(number, match[1]) for number, text in self.comments("speaker") if (match := SPEAKER.match(text))]
        tokens = np.searchsorted(self.tokens.line, [number for number, _ in lines])
        return {
            int(self.tokens.sentence[token]): name
            for token, (_, name) in zip(tokens.tolist(), lines, strict=True)
            if token < len(self.tokens.sentence)
        }

    def empty_nodes(self) -> EmptyNodes | None:
        """The empty nodes; None if there are none."""
        if not self.nodes:
            return None
        nodes = np.array(list(self.nodes))
        document, sentence = self.tokens.document[nodes], self.tokens.sentence[nodes]
        begins = self.first[document]
        minor, sentence = np.array(list(self.nodes.values())), sentence - self.tokens.sentence[begins]
        dependencies = ["" if text == "_" else text for text in self.cells(8, nodes)]
        columns = (column.astype(np.int32) for column in (document, nodes - begins, minor, sentence))
        return EmptyNodes(*columns, dependencies)  # type: ignore[arg-type, call-arg]  # four columns


def _begin(begins: dict[str, int], name: str, line: int, on_error: OnError) -> None:
    """Add a document and the line where it begins; without a name it gets its number."""
    name = name or f"#{len(begins) + 1}"
    if name in begins:
        on_error(line, f"document {name!r} appears twice; expected each name once: rename or remove one")
    while name in begins:
        name += "#"
    begins[name] = line
