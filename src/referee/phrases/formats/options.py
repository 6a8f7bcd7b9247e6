"""How files of phrases are read, where there is a choice: `ReadOptions`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadOptions:
    """How files of phrases are read, where there is a choice.

    Parameters
    ----------
    decode
        How tags become chunks: one of `referee.phrases.chunking.tag_rules.RULES`.
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
