"""Folders of files of phrases, such as tags: each file is a document, and its sentences are called after it, `news1:3`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from referee.basics.exceptions import FormatError, listed
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.source import Source
from referee.inputs.detecting import ABOUT
from referee.phrases.annotation import Chunks, PhraseCandidates
from referee.phrases.annotation.joining import joined
from referee.phrases.formats.detecting import detect_file
from referee.phrases.formats.registry import PhraseOptions

IN_FOLDERS = ("columns", "spans", "characters")
"""The formats of which a folder may have many files."""


def format_of_folder(folder: str, options: PhraseOptions) -> str | None:
    """The format of the files of phrases in a folder and those in it; None if it has none, or has mentions.

    Raises
    ------
    FormatError
        If they have several.
    """
    formats = sorted({name for source in sources(folder, options, "key") if (name := _format_of(source))})
    if not {*IN_FOLDERS}.issuperset(formats):
        return None
    if len(formats) > 1:
        problem = f"has files of the formats {listed(formats)}; expected one: --format {formats[0]} reads these alone"
        raise FormatError(folder, None, problem)
    return formats[0] if formats else None


def read_files(folder: str, record: Format, options: PhraseOptions, role: str) -> Chunks | PhraseCandidates:
    """Read all files of a folder that look like phrases; a warning counts the others.

    Raises
    ------
    FormatError
        If a file is not what the format says, or there is none.
    """
    unlike: Counter[str] = Counter()
    pieces: dict[str, Chunks | PhraseCandidates] = {}
    for source in sources(folder, options, role):
        name = os.path.relpath(source.path, folder)
        if _format_of(source) != record.name:
            unlike[name] += 1
            continue
        stem = os.path.splitext(name.removesuffix(".gz"))[0]
        if stem in pieces:
            raise FormatError(source.name, None, f"is another file called {stem}; expected files with names of their own")
        pieces[stem] = record.read(source, options)
    if not pieces:
        raise FormatError(folder, None, f"has no file that looks like {record.name}; expected some")
    warn_file(folder, "left out {} as no phrases ({names})", "file", unlike)
    return joined(pieces, folder)


def sources(folder: str, options: PhraseOptions, role: str = "key") -> Iterator[Source]:
    """The files of a folder and of those in it, in order, without hidden ones and descriptions."""
    for inner, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not (name.startswith(".") or ABOUT.fullmatch(name)):
                yield Source(os.path.join(inner, name), role=role, options=ReadOptions(encoding=options.encoding))


def _format_of(source: Source) -> str | None:
    """The format of phrases that a file looks like; None for an empty one, too."""
    return detect_file(source) if source.head.strip() else None
