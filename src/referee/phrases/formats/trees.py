"""Trees in the brackets of the Penn Treebank: a file, or the files of a folder that end in .mrg. They become chunks.

::

    ( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD slept)) (. .)))

The rules are a choice, `abney` or `flat`: see `referee.phrases.chunking.tree_chunks`. Words outside of phrases, such as
punctuation, are chunks of one word of the category `Null`. Brackets, tags and traces are read as
`referee.phrases.chunking.trees` says.
"""

from __future__ import annotations

import os
from glob import escape, glob
from itertools import chain

from referee.basics.exceptions import FormatError
from referee.formats.shared.format import Format
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks
from referee.phrases.chunking import trees
from referee.phrases.chunking.tree_chunks import chunks_of_trees
from referee.phrases.formats.registry import PhraseOptions


def read(source: Source, options: PhraseOptions) -> Chunks:
    """Read the chunks of the trees of a file."""
    return chunks_of_trees(trees.read(source), options.trees, source=source.name)


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
    sources = list(map(Source, paths))
    if empty := next((source.name for source in sources if not source.head.strip()), None):
        raise FormatError(empty, None, "is empty; expected trees")
    all_trees = chain.from_iterable(map(trees.read, sources))
    return chunks_of_trees(all_trees, options.trees, source=folder)


FORMAT = Format("trees", __doc__, (), trees.sniff, read, read_folder=read_folder)
