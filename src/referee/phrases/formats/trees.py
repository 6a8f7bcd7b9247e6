"""Trees in the brackets of the Penn Treebank, a file, or the files of a folder that end in .mrg. They become chunks.

::

    ( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD slept)) (. .)))

How they do is a choice, `abney` or `flat`: see `referee.phrases.chunks.chunking`. What is in no phrase, such as punctuation, is
in the category `Null`, one word each. Brackets, tags and traces are read as `referee.phrases.chunks.trees` says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob

from referee.exceptions import FormatError
from referee.formats.shared.source import Fault, Source
from referee.phrases.candidates import Chunks
from referee.phrases.chunks import trees
from referee.phrases.chunks.chunking import chunks
from referee.phrases.formats.reading import Reading


def sniff(head: str) -> bool:
    """Brackets in brackets, and a tag with a word."""
    return trees.sniff(head)


def read(source: Source, fault: Fault, reading: Reading) -> Chunks:
    return chunks(trees.read(source, fault), reading.trees, source=source.name)


def files(folder: str) -> list[str]:
    """The files of a folder, and of those in it, that end in .mrg, in the order of their names."""
    return sorted(glob(os.path.join(escape(folder), "**", "*.mrg"), recursive=True))


def read_folder(folder: str, reading: Reading) -> Chunks:
    def read_all() -> Iterator[trees.Tree]:
        for path in paths:
            source = Source(path)
            yield from trees.read(source, source.fault)

    paths = files(folder)
    if not paths:
        raise FormatError(folder, None, "has no files that end in .mrg; expected trees")
    return chunks(read_all(), reading.trees, source=folder)
