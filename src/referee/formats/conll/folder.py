"""The CoNLL files of a folder, read as if they were one: each has few lines, and NumPy takes as long for few as for many."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import BinaryIO, cast

import numpy as np

from referee.basics import progress
from referee.corpus import Corpus, Text, Words
from referee.corpus.origin import InFile
from referee.formats.conll.lines import header
from referee.formats.conll.reading import corpus_of, document_names, words
from referee.formats.conll.scan import BLOCK, NEW_FILE, Scan, UnusualError
from referee.formats.shared.documents import names_in_folder
from referee.formats.shared.file_warnings import gather_warnings
from referee.formats.shared.source import COMPRESSED, HEAD, MARK, Source, State, state_of

UNUSUAL = (b"\x1f\x8b", b"\xff\xfe", b"\xfe\xff", *COMPRESSED)
"""How files begin that are no plain text in UTF-8."""


def read_folder(paths: Mapping[str, str], folder: str) -> Corpus | None:
    """Return the documents of all files; None if they must be read one by one, for something is wrong or unusual.

    Parameters
    ----------
    paths : mapping
        Path -> what a document in it without a name is called.
    folder : str
        What messages call all of them.
    """
    states: dict[str, State] = {}
    files = _Stream(_pieces(progress.tracked(list(paths), f"reading {folder}"), states))
    try:
        scanned = Scan(_header).read(cast("BinaryIO", files))  # of which it needs no more than `readinto`
    except (UnusualError, OSError):
        return None
    edges = np.searchsorted(scanned.file, np.arange(len(paths) + 1))
    names: list[str] = []
    in_files: dict[str, InFile] = {}
    for stem, (first, after) in zip(paths.values(), pairwise(edges.tolist()), strict=True):
        in_file = document_names(scanned.names[first:after])
        names += (named := names_in_folder(stem, in_file))
        in_files |= zip(named, (InFile(stem, name) for name in in_file), strict=True)
    if len(in_files) < len(names) or not len(scanned.document):
        return None
    corpus = corpus_of(scanned, names, Text(lambda: _words(states, folder), scanned.digests, "conll", scanned.sizes), folder)
    first = np.searchsorted(corpus.entity_document, edges)
    of_files = [corpus.entity_ids[n] for n, after in pairwise(first.tolist()) if n < after]
    if len({"-" in label for label in of_files}) > 1:  # whether there are types is told file by file
        return None
    return replace(corpus, in_files=in_files)


def _header(line: str) -> str | bool | None:
    return NEW_FILE if line == NEW_FILE else header(line)


def _words(states: Mapping[str, State], folder: str) -> Sequence[Words]:
    with gather_warnings(folder):
        return [of_document for path, state in states.items() for of_document in words(Source(path, state=state))]


class _Stream:
    """Pieces of bytes as a stream."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.rest = memoryview(b"")

    def readinto(self, room: memoryview) -> int:
        """Fill the room as far as there are bytes; return how many."""
        filled = 0
        while filled < len(room):
            self.rest = self.rest or memoryview(next(self.pieces, b""))
            if not self.rest:
                break
            size = min(len(room) - filled, len(self.rest))
            room[filled : filled + size] = self.rest[:size]
            filled, self.rest = filled + size, self.rest[size:]
        return filled


def _pieces(paths: Iterable[str], states: dict[str, State]) -> Iterator[bytes]:
    """The bytes of files one after another, with a line `NEW_FILE` between two of them; notes in which state each file is."""
    border = b""
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            states[path] = state_of(os.fstat(file.fileno()))
            start = file.read(BLOCK) or b""
            if start.startswith(UNUSUAL) or NEW_FILE.encode() in start or b"\n" not in start[:HEAD]:
                raise UnusualError
            yield border + start.removeprefix(MARK)
            while piece := file.read(BLOCK):
                yield piece
            if state_of(os.fstat(file.fileno())) != states[path]:
                raise UnusualError
        border = f"\n{NEW_FILE}\n".encode()
