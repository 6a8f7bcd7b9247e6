"""Treebanks to fit a parser to: the words of CoNLL-U files with tags, lemmas and trees."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, starts_of_runs
from referee.algorithms.digest import blake2b
from referee.basics.exceptions import FormatError, shortened
from referee.formats.corefud.reading import rows_of, sniff
from referee.formats.shared.source import Source

FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL = range(1, 8)


class Treebank(NamedTuple):
    """The words of a file. Rows of tokens of several words, and empty nodes, are left out.

    Parameters
    ----------
    source : dict
        file, sentences, words, digest.
    raw : bytes
        The file.
    first : int64, shape (sentences + 1,)
        The first word of each sentence, and the number of all words.
    form, lemma, upos, xpos, feats : list of str
    head : int64, shape (words,)
        In the sentence, from 1; 0 for the root.
    deprel : list of str
    """

    source: dict[str, object]
    raw: bytes
    first: Ints
    form: list[str]
    lemma: list[str]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    head: Ints
    deprel: list[str]


def read_treebank(path: str | os.PathLike[str]) -> Treebank:
    """Read a file.

    Raises
    ------
    FormatError
        If it is no CoNLL-U; if words have no part of speech, or no place in a tree.
    """
    source = Source(path)
    if not source.head.strip():
        raise FormatError(source.name, None, "is empty; expected a treebank in CoNLL-U")
    if source.binary or not sniff(source.head.decode(errors="replace")):
        raise FormatError(source.name, None, "is no CoNLL-U; expected ten columns, HEAD and DEPREL among them")
    rows = rows_of(source, source.raise_error)
    words = np.flatnonzero(~rows.tokens.is_node)
    if not len(words):
        raise FormatError(source.name, None, "has no words; expected a treebank in CoNLL-U")
    line = rows.tokens.line[words]

    first = np.append(np.flatnonzero(starts_of_runs(rows.tokens.sentence[words])), len(words))
    upos, deprel = rows.cells(UPOS, words), rows.cells(DEPREL, words)
    for name, cells in (("UPOS", upos), ("DEPREL", deprel)):
        if "_" in cells:
            problem = f"found no {name}; expected one of each word: a parser is fitted to words with tags and trees"
            source.raise_error(int(line[cells.index("_")]), problem)
    head = _heads(rows.cells(HEAD, words), first, line, source)
    digest = blake2b(rows.raw, digest_size=16).digest().hex()
    record = {"file": os.path.basename(source.name), "sentences": len(first) - 1, "words": len(words), "digest": digest}
    form, lemma, xpos, feats = (rows.cells(column, words) for column in (FORM, LEMMA, XPOS, FEATS))
    return Treebank(record, rows.raw, first, form, lemma, upos, xpos, feats, head, deprel)


def _heads(cells: Sequence[str], first: Ints, line: Ints, source: Source) -> Ints:
    """Check that each sentence is a tree."""
    head = np.zeros(len(cells), dtype=np.int64)
    for a, b in pairwise(first.tolist()):
        for n in range(a, b):
            text = cells[n]
            if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= b - a):
                source.raise_error(int(line[n]), f"found the HEAD {shortened(text)!r}; expected 0, or a word of the sentence")
            head[n] = int(text)
        _check_tree(head[a:b].tolist(), int(line[a]), source)
    return head


def _check_tree(head: Sequence[int], line: int, source: Source) -> None:
    """Report a sentence that has not one root, or in which HEADs run in a circle."""
    if head.count(0) != 1:
        source.raise_error(line, f"found {head.count(0)} roots in the sentence; expected one")
    known = {0}
    for word in range(1, len(head) + 1):
        path = []
        while word not in known:
            path.append(word)
            known.add(word)
            word = head[word - 1]  # noqa: PLW2901
        if path and word in path:
            source.raise_error(line, "found HEADs that run in a circle; expected a tree")


def projective(head: Sequence[int]) -> bool:
    """Whether no arcs of a tree cross; the root counts as an arc from behind the last word.

    >>> projective([2, 0, 2]), projective([3, 4, 0, 3])
    (True, False)
    """
    behind = len(head) + 1
    arcs = sorted(sorted((word, above or behind)) for word, above in enumerate(head, start=1))
    # Nested arcs close in the reverse order of opening: of those that begin at one place, the longest opens first.
    open_until: list[int] = []
    for begin, end in sorted(((a, b) for a, b in arcs), key=lambda arc: (arc[0], -arc[1])):
        while open_until and open_until[-1] <= begin:
            open_until.pop()
        if open_until and open_until[-1] < end:
            return False
        open_until.append(end)
    return True


def of_all(treebanks: Sequence[Treebank]) -> tuple[Ints, Ints]:
    """The first words of the sentences of all treebanks, one after another; and the heads of all words."""
    offset = np.cumsum([0, *(len(t.form) for t in treebanks)])
    first = np.concatenate([t.first[:-1] + o for t, o in zip(treebanks, offset, strict=False)] + [offset[-1:]])
    return first, np.concatenate([t.head for t in treebanks])


def are_projective(first: Ints, head: Ints) -> Bools:
    """Which sentences are `projective`."""
    cells = head.tolist()
    return np.array([projective(cells[a:b]) for a, b in pairwise(first.tolist())], dtype=bool)
