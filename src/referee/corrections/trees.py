"""The heads of mentions that corrections change, from the trees of the key where it is CoNLL-U that has some."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import FormatError
from referee.corpus import Corpus
from referee.formats.shared.documents import names_in_folder
from referee.formats.shared.file_warnings import ignore_warnings
from referee.formats.shared.source import Source
from referee.inputs.folders import list_files
from referee.resolver.heads import heads
from referee.resolver.syntax import Syntax
from referee.resolver.text import read_input


def with_heads(corpus: Corpus, path: str, documents: Iterable[int]) -> Corpus:
    """The corpus with heads of those mentions of some documents that have none, as `resolve` finds them.

    Parameters
    ----------
    corpus : Corpus
    path : str
        The file or folder that it was read from.
    documents : iterable of int
        Their numbers.
    """
    if corpus.format != "corefud" or corpus.head is None:
        return corpus
    wanted = {corpus.doc_ids[d]: d for d in documents}
    head = corpus.head.copy()
    files = list_files(path, corpus.format).paths if os.path.isdir(path) else {path: None}
    for file, stem in files.items():
        try:
            with ignore_warnings():
                syntax = read_input(Source(file), annotated=False).syntax
        except FormatError:
            continue  # without trees
        names = syntax.doc_ids if stem is None else names_in_folder(stem, syntax.doc_ids)
        for n, name in enumerate(names):
            if name in wanted:
                _set_heads(corpus, wanted[name], syntax, int(syntax.first[n]), head)
    return replace(corpus, head=head)


def _set_heads(corpus: Corpus, document: int, syntax: Syntax, first: int, head: Ints) -> None:
    here = corpus.mentions_in(document, document + 1)
    rows = np.array(
        [m for m in range(here.start, here.stop) if head[m] < 0 and corpus.start[m] < corpus.end[m]], dtype=np.int64
    )
    spans = {n: corpus.spans(m) for n, m in enumerate(rows.tolist())}
    fragments = {
        n: np.concatenate([np.arange(a, b) for a, b in of_one]) + first for n, of_one in spans.items() if len(of_one) > 1
    }
    start, end = (side[rows].astype(np.int64) + first for side in (corpus.start, corpus.end))
    head[rows] = heads(syntax, start, end, fragments) - first
