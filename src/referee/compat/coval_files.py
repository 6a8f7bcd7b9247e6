"""CoNLL files as coval reads them: which brackets of a cell it sees, in which order, and what it prints about them.

References
----------
`coval/conll/reader.py` of ns-moosavi/coval, read and written anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.corpus import Corpus
from referee.corpus.builder import CorpusBuilder
from referee.formats.shared.source import Source

SINGLE = "Warning: A single mention is assigned to more than one cluster: {}"
NOT_OPEN = "Problem in the coreference annotation:\n {}\n"
OTHER_SENTENCE = "A mention span should be in a single sentence:\n{}\n"


class AsRead(NamedTuple):
    """A corpus, and what coval prints while it reads each document."""

    corpus: Corpus
    printed: Sequence[str]


def unchanged(corpus: Corpus) -> AsRead:
    """The corpus as it is, about which coval prints nothing."""
    return AsRead(corpus, [""] * len(corpus.doc_ids))


def as_coval_reads(corpus: Corpus, file: Source) -> AsRead:
    """Read the mentions of a corpus again from its file, as coval does; without `#begin document`, it stays as it is."""
    builder, printed = CorpusBuilder(corpus.source), []
    documents = [[*lines] for lines in documents_of(line for _, line in file.lines(file.raise_error))]
    if len(documents) != len(corpus.doc_ids):
        return unchanged(corpus)
    for document, (name, lines) in enumerate(zip(corpus.doc_ids, documents, strict=True)):
        builder.document(name, corpus.words(document))
        reading = _Reading()
        for line in lines:
            reading.line(line)
        for entity, mentions in reading.entities.items():
            for start, end in mentions:
                builder.mention(start, end, entity)
        printed.append("".join(f"{message}\n" for message in reading.messages))
    return AsRead(builder.corpus(), printed)


def documents_of(lines: Iterator[str]) -> Iterator[Iterator[str]]:
    """The lines of each document."""

    def rest() -> Iterator[str]:
        for line in lines:
            if line.startswith("#end document"):
                return
            yield line

    for line in lines:
        if line.startswith("#begin document"):
            yield rest()


class _Reading:
    """The entities of a document in the order in which coval first meets them closed, and its messages."""

    def __init__(self) -> None:
        self.entities: dict[str, list[tuple[int, int]]] = {}
        self.messages: list[str] = []
        self._open: dict[str, list[tuple[int, int]]] = {}
        self._token = self._sentence = 0

    def line(self, line: str) -> None:
        """Read a line."""
        cells = line.split()
        if not cells:
            self._sentence += 1
            return
        singles, opened, closed = _brackets(cells[-1])
        token = self._token
        self._token += 1
        if len(singles) > 1:
            self.messages.append(SINGLE.format(f"[{', '.join(singles)}]"))
        for entity in singles:
            self.entities.setdefault(entity, []).append((token, token + 1))
        for entity in opened:
            self._open.setdefault(entity, []).append((self._sentence, token))
        for entity in closed:
            mentions = self.entities.setdefault(entity, [])
            places = self._open.get(entity)
            if not places:
                self.messages.append(NOT_OPEN.format(line))
                continue
            if places[0][0] != self._sentence:
                self.messages.append(OTHER_SENTENCE.format(line))
            mentions.append((places.pop()[1], token + 1))


def _brackets(cell: str) -> tuple[list[str], list[str], list[str]]:
    """The ids of mentions of one word, of mentions that open, and of those that close."""
    found: tuple[list[str], list[str], list[str]] = [], [], []
    last, is_open = "", False
    for part in re.findall(r"[^()|]+|[()|]", cell):
        if part not in "()|":
            last = str(int(part)) if part.isdecimal() else part
            continue
        if part != "(" and last:
            found[1 if part == "|" else 0 if is_open else 2].append(last)
        last, is_open = "", part == "("
    if is_open and last:
        found[1].append(last)
    return found
