"""Trees in the brackets of the Penn Treebank: a file, or the files of a folder that end in .mrg. They become chunks.

::

    ( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD slept)) (. .)))

The rules are a choice, `abney` or `flat`: see `referee.phrases.chunking.tree_chunks`. Words outside of phrases, such as
punctuation, are chunks of one word of the category `Null`. Brackets, tags and traces are read as
`referee.phrases.chunking.trees` says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob

from referee.basics.exceptions import FormatError
from referee.formats.shared.format import Format
from referee.formats.shared.source import OnError, Source
from referee.phrases.annotation import Chunks
from referee.phrases.chunking import trees
from referee.phrases.chunking.tree_chunks import chunks_of_trees
from referee.phrases.formats.registry import PhraseOptions


def sniff(head: str) -> bool:
    """Whether the text starts with brackets, and soon has a tag with a word."""
    return trees.sniff(head)


def read(source: Source, on_error: OnError, options: PhraseOptions) -> Chunks:
    """Read the chunks of the trees of a file."""
    return chunks_of_trees(trees.read(source, on_error), options.trees, source=source.name)


def files(folder: str) -> list[str]:
    """The files of a folder and its subfolders that end in .mrg, in the order of their names."""
    return sorted(glob(os.path.join(escape(folder), "**", "*.mrg"), recursive=True))


def read_folder(folder: str, options: PhraseOptions) -> Chunks:
    """Read the chunks of the trees of all files of a folder.

    Raises
    ------
    FormatError
        If the folder has no files that end in .mrg.
    """
    paths = files(folder)
    if not paths:
        raise FormatError(folder, None, "has no files that end in .mrg; expected trees")
    return chunks_of_trees(_all_trees(paths), options.trees, source=folder)


def _all_trees(paths: list[str]) -> Iterator[trees.Tree]:
    for path in paths:
        source = Source(path)
        yield from trees.read(source, source.raise_error)


FORMAT = Format("trees", __doc__, (), sniff, read, read_folder=read_folder)
