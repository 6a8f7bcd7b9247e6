"""The formats of phrases: `FORMATS`.

A format is one module and one line in `FORMATS`. Its docstring defines the format; its functions are

``sniff(head: str) -> bool``
    does the beginning of a file look like it? `mentions` has none: it is tried last, by the formats of `referee.formats`
``read(source: Source, fault: Fault, options: ReadOptions) -> Chunks | PhraseCandidates``
    the phrases. `fault(line, problem)` raises a FormatError
``read_folder(folder: str, options: ReadOptions) -> Chunks``
    the phrases of a folder. Formats that only have files have none
``write(phrases: Chunks | PhraseCandidates, path: str) -> None``
    the phrases as a file. Formats that are only read have none
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from referee.basics.exceptions import check_name

# In the order in which they are tried when a file's format must be told from its content; imported when needed.
FORMATS = {
    "candidates": "referee.phrases.formats.candidates",
    "posteriors": "referee.phrases.formats.posteriors",
    "spans": "referee.phrases.formats.spans",
    "parquet": "referee.phrases.formats.parquet",
    "trees": "referee.phrases.formats.trees",
    "columns": "referee.phrases.formats.columns",
    "mentions": "referee.phrases.formats.mentions",
}


def module(name: str) -> ModuleType:
    """The module of a format. UnknownNameError if there is none of that name."""
    check_name("format of phrases", name, FORMATS)
    return import_module(FORMATS[name])


@dataclass(frozen=True)
class ReadOptions:
    """How files of phrases are read, where there is a choice.

    Parameters
    ----------
    decode
        How tags become chunks: one of `referee.phrases.chunking.iob.RULES`.
    column
        The column of the tags, counted from 1, or from the end if negative.
    outside
        The category of words outside of chunks, each as a chunk of its own; empty for none.
    trees
        How trees become chunks: one of `referee.phrases.chunking.tree_chunks.MODES`.
    """

    decode: str = "conlleval"
    column: int = -1
    outside: str = ""
    trees: str = "abney"
