"""The formats of phrases: `FORMATS`.

A format is one module and one line in `FORMATS`. Its docstring defines the format; its functions are

``sniff(head: str) -> bool``
    does the beginning of a file look like it? `mentions` has none: it is tried last, by the formats of `referee.formats`.
    `dependencies` must be named
``read(source: Source, on_error: OnError, options: PhraseOptions) -> Chunks | PhraseCandidates``
    the phrases. `on_error(line, problem)` raises a FormatError
``read_folder(folder: str, options: PhraseOptions) -> Chunks``
    the phrases of a folder. Formats that only have files have none
``write(phrases: Chunks | PhraseCandidates, path: str) -> None``
    the phrases as a file. Formats that are only read have none
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from referee.basics.registry import Registry

NAMES = ("candidates", "posteriors", "nbest", "characters", "spans", "parquet", "trees", "columns", "dependencies", "mentions")
"""In the order in which they are tried when a file's format must be told from its content."""

FORMATS: Registry[ModuleType] = Registry("format of phrases", {name: f"referee.phrases.formats.{name}" for name in NAMES})
"""Name -> module, which is imported when it is used."""


def module(name: str) -> ModuleType:
    """The module of a format. UnknownNameError if there is none of that name."""
    return FORMATS.load(name)


@dataclass(frozen=True)
class PhraseOptions:
    """How files of phrases are read, where there is a choice.

    Parameters
    ----------
    decode
        How tags become chunks: one of `referee.phrases.chunking.iob.RULES`.
    column
        The column of the tags, counted from 1, or from the end if negative; None for the last, or for the outer tags of
        nested ones (GermEval, LitBank).
    holds_key
        Whether the file is key and response in one, as conlleval reads it: then the key is the last column but one, unless the
        last two columns say different things, as chunks and names in CoNLL-2003.
    outside
        The category of words outside of chunks, each as a chunk of its own; empty for none.
    trees
        How trees become chunks: one of `referee.phrases.chunking.tree_chunks.MODES`.
    texts
        The texts of spans of characters that are given without them; None if there are none.
    """

    decode: str = "conlleval"
    column: int | None = None
    holds_key: bool = False
    outside: str = ""
    trees: str = "abney"
    texts: tuple[str, ...] | None = None
