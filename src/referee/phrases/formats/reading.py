"""Phrases from files: `read`, `read_key`, `detect`."""

from __future__ import annotations

import os
import re

import numpy as np

from referee.basics.exceptions import FormatError
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.beginning import beginning
from referee.formats.shared.source import Source
from referee.formats.shared.tags import first_rows
from referee.phrases.annotation import Chunks, PhraseCandidates
from referee.phrases.formats.detecting import as_mentions, detect_file
from referee.phrases.formats.folders import IN_FOLDERS, format_of_folder, read_files
from referee.phrases.formats.registry import FORMATS, PhraseOptions
from referee.phrases.formats.shared.tag_table import are_all_tags
from referee.phrases.formats.trees import files as tree_files


def file_or_folder(
    path: str | os.PathLike[str] | Source, role: str = "key", options: PhraseOptions | None = None
) -> str | Source:
    """A folder as its name, anything else as a `Source`."""
    if isinstance(path, Source):
        return path
    encoding = ReadOptions(encoding=(options or PhraseOptions()).encoding)
    return os.fspath(path) if os.path.isdir(path) else Source(path, role=role, options=encoding)


def detect(place: str | Source, options: PhraseOptions | None = None) -> str:
    """Tell the format of a file or a folder from its content.

    Raises
    ------
    FormatError
        If the content looks like no format.
    """
    if isinstance(place, Source):
        problem = (
            f"looks like none of the formats {', '.join(FORMATS)} (any of `referee formats`): name one with --format if it is"
        )
        name = detect_file(place)
        if name is None and options is not None and options.column is not None:
            name = "columns"
        rows = first_rows(beginning(place)) if name is None else []
        if name is None and all(re.fullmatch(r"-?\d*\.?\d+", row[-1]) for row in rows):
            problem = "has numbers in the last column; expected tags, such as B-PER: the names of labels, not their ids"
            tagged = [str(n) for n, cells in enumerate(zip(*rows, strict=False), 1) if are_all_tags(cells)]
            columns = f"--key-column and --response-column name others: tags are in {', '.join(tagged)}"
            problem += f"; {columns}" * bool(tagged)
    else:
        problem = "has no file that looks like tags, spans or mentions, or ends in .mrg (trees); expected a folder of these"
        name = "trees" if tree_files(place) else format_of_folder(place, options or PhraseOptions()) or as_mentions(place)
    if name is None:
        raise FormatError(place.name if isinstance(place, Source) else place, None, problem)
    return name


def read(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    options: PhraseOptions | None = None,
    role: str = "key",
) -> Chunks | PhraseCandidates:
    """Read the phrases of a file or a folder.

    Parameters
    ----------
    path
        A path (gzip or not), `-` for standard input, a folder, or a `Source`.
    format
        One of `FORMATS`; None to tell it from the content.
    options
        How the file is read, where there is a choice.
    role
        "key" or "response": what is read of files that hold both.

    Raises
    ------
    FormatError
        If the file is not what its format says; the message names the file, the line, what was found and what was expected.
    """
    options = options or PhraseOptions()
    place = file_or_folder(path, role, options)
    name = format or detect(place, options)
    record = FORMATS.load(name)
    if isinstance(place, Source):
        phrases: Chunks | PhraseCandidates = record.read(place, options)
    elif record.read_folder:
        phrases = record.read_folder(place, options)
    elif name in IN_FOLDERS:
        phrases = read_files(place, record, options, role)
    else:
        raise FormatError(place, None, f"is a folder; expected a file of {name}")
    return phrases


def read_key(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    options: PhraseOptions | None = None,
    role: str = "key",
) -> Chunks:
    """Read the true chunks of a file or a folder.

    Parameters
    ----------
    path, format, options, role
        As in `read`.

    Raises
    ------
    FormatError
        If there are probabilities other than 0 and 1, or the file is not what its format says.
    """
    phrases = read(path, format=format, options=options, role=role)
    if isinstance(phrases, Chunks):
        return phrases
    uncertain = ~np.isin(phrases.probability, (0, 1))
    if uncertain.any():
        row = int(np.argmax(uncertain))
        name = phrases.sentences.ids[phrases.sentence[row]]
        raise FormatError(
            phrases.source,
            None,
            f"sentence {name!r}: found the probability {phrases.probability[row]:g}; expected 0 or 1 in a key",
        )
    if not phrases.is_one_best:
        raise FormatError(
            phrases.source, None, "found a default above 0; expected 0 in a key, in which unlisted candidates are false"
        )
    return phrases.chunks()
