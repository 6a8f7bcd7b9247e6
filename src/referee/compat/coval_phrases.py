"""What coval's `NP_only` leaves out: mentions that are verb phrases by the parses of the key.

The parse of a mention is what the cells of its words say, in the key, for mentions of both sides. It is a verb phrase if its
only root is `VP`: brackets that open before the mention or close after it are not seen; words behind all brackets are roots.

References
----------
`extract_annotated_parse` and `set_annotated_parse_trees` in `coval/conll/reader.py` of ns-moosavi/coval, read and written anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

import numpy as np

from referee.algorithms.arrays import tally
from referee.basics.exceptions import OptionError
from referee.compat.coval_files import AsRead, documents_of
from referee.corpus import Corpus
from referee.formats.shared.shapes import Foreign, shown
from referee.formats.shared.source import Source

WORD, PARSE = 3, 5
"""Columns of CoNLL-2012."""

Cells = tuple[str, str]
"""Word and parse of a token."""


def noun_phrases(sides: Sequence[AsRead], key_file: Foreign) -> list[AsRead]:
    """Leave out mentions that are verb phrases, and entities of which no other two mentions are left.

    Raises
    ------
    OptionError
        If the key is no file with parses.
    """
    if not (isinstance(key_file, (str, os.PathLike)) and os.path.isfile(key_file)):
        raise OptionError(f"found {shown(key_file)} with NP_only; expected a file of CoNLL-2012, with parses in column 6")
    source = Source(key_file)
    found = [list(_cells(source.name, lines)) for lines in documents_of(line for _, line in source.lines(source.raise_error))]
    names = sides[0].corpus.doc_ids
    if len(found) != len(names):
        raise OptionError(f"{source.name}: found {len(found)} documents with NP_only; expected {len(names)}, as in CoNLL-2012")
    cells = dict(zip(names, found, strict=True))
    return [AsRead(_without(side.corpus, cells), side.printed) for side in sides]


def _cells(name: str, lines: Iterator[str]) -> Iterator[Cells]:
    for line in lines:
        columns = line.split()
        if columns and (len(columns) <= PARSE or not re.fullmatch(r"[^*]*\*[^*]*", columns[PARSE])):
            raise OptionError(
                f"{name}: found the line {shown(line.strip())} with NP_only; expected a parse in column 6, as (NP*)"
            )
        if columns:
            yield columns[WORD], columns[PARSE]


def _without(corpus: Corpus, cells: dict[str, list[Cells]]) -> Corpus:
    """The corpus without verb phrases, and without the entities of which they leave one mention or none."""
    rows = zip(corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist(), strict=True)
    verbal = np.array(
        [root_of(cells.get(corpus.doc_ids[document], [])[start:end]) == "VP" for document, start, end in rows], dtype=bool
    )
    left = tally(corpus.entity[~verbal], minlength=len(corpus.entity_ids))
    pruned = np.zeros(len(corpus.entity_ids), dtype=bool)
    pruned[corpus.entity[verbal]] = True
    return corpus.select(~verbal & ~(pruned & (left <= 1))[corpus.entity])


def root_of(cells: Sequence[Cells]) -> str:
    """Return the label of the root of a mention's parse; `NP` if there are several roots.

    Examples
    --------
    >>> root_of([("to", "(VP*"), ("go", "(VP*))")]), root_of([("a", "(NP*"), ("dog", "*)")]), root_of([("go", "*")])
    ('VP', 'NP', 'go')
    >>> root_of([("go", "(VP*)"), ("on", "*")])
    'NP'
    """
    roots: list[str] = []
    open_nodes: list[str] = []
    words: list[str] = []

    def take_words() -> None:
        if words and not open_nodes:
            open_nodes.append(" ".join(words))
        words.clear()

    for word, parse in cells:
        opened, _, closed = parse.partition("*")
        for label in opened.split("(")[1:]:
            if any(word.isalpha() or word.isdigit() for word in words):
                take_words()
            words.clear()
            open_nodes.append("".join(filter(str.isalpha, label)))
        words.append(word)
        for _ in closed:
            take_words()
            if open_nodes:
                root = open_nodes.pop()
                if not open_nodes:
                    roots.append(root)
    if words and not open_nodes:
        roots.append(" ".join(words))
    if open_nodes:
        roots.append(open_nodes[0])
    return roots[0] if len(roots) == 1 else "NP" if roots else ""
