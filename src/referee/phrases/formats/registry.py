"""The formats of phrases: `FORMATS`.

A format is one module and its name in `referee.basics.options.choices.PHRASE_FORMATS`. Its docstring defines the format; its
`FORMAT` has its functions, which are as for other formats, but

``sniff(head: str) -> bool``
    is never true of `mentions`, which is tried last, by the formats of `referee.formats`, and of `dependencies`, which must be
    named
``read(source: Source, options: PhraseOptions) -> Chunks | PhraseCandidates``
    gives phrases, and raises the first FormatError
``read_folder(folder: str, options: PhraseOptions) -> Chunks``
    gives the phrases of a folder. Formats that only have files have none
``write(phrases: Chunks | PhraseCandidates, path: str) -> None``
    writes to a path
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.basics.options.choices import PHRASE_FORMATS
from referee.basics.registry import Registry
from referee.formats.shared.format import Format

FORMATS: Registry[Format] = Registry(
    "format of phrases", {name: f"referee.phrases.formats.{name}:FORMAT" for name in PHRASE_FORMATS}
)
"""Name -> where its `Format` is, which is imported when it is used."""


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
    encoding
        The encoding of files that are not UTF-8.
    texts
        The texts of spans of characters that are given without them; None if there are none.
    """

    decode: str = "conlleval"
    column: int | None = None
    holds_key: bool = False
    outside: str = ""
    trees: str = "abney"
    encoding: str | None = None
    texts: tuple[str, ...] | None = None
