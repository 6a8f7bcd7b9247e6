"""Trees in the brackets of the Penn Treebank, a file or a folder of files that end in .mrg. They become chunks.

::

    ( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD slept)) (. .)))

How they do is a choice, `abney` or `flat`: see `markable.phrases.chunking`. What is in no phrase, such as punctuation, is in
the category `Null`, one word each. Brackets, tags and traces are read as `markable.phrases.trees` says.
"""

from __future__ import annotations

from markable.formats.source import Fault, Source
from markable.phrases import trees
from markable.phrases.candidates import Chunks
from markable.phrases.chunking import chunks, read_chunks
from markable.phrases.formats import Reading


def sniff(head: str) -> bool:
    """Brackets in brackets, and a tag with a word."""
    return trees.sniff(head)


def read(source: Source, fault: Fault, reading: Reading) -> Chunks:
    return chunks(trees.read(source, fault), reading.trees, source=source.name)


def read_folder(folder: str, reading: Reading) -> Chunks:
    return read_chunks(folder, reading.trees)
