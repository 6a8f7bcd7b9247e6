"""Phrases from files: `read`, `read_key`, `detect`."""

from __future__ import annotations

import os
import re

import numpy as np

from referee.basics.exceptions import FormatError
from referee.formats.shared.beginning import beginning
from referee.formats.shared.source import Source
from referee.formats.shared.tags import first_rows
from referee.inputs.reading import detect as detect_mentions
from referee.inputs.registry import FORMATS as MENTION_FORMATS, ROOMS
from referee.phrases.annotation import Chunks, PhraseCandidates
from referee.phrases.formats.mentions import detect_phrases
from referee.phrases.formats.registry import FORMATS, PhraseOptions
from referee.phrases.formats.shared.tag_table import are_all_tags
from referee.phrases.formats.trees import files as tree_files

LENIENT = frozenset(("jsonlines", "clusters", "links", "doccano"))
"""Formats of mentions that files of phrases may look like: they take any object with words, or spans without relations."""


def file_or_folder(path: str | os.PathLike[str] | Source, role: str = "key") -> str | Source:
    """A folder as its name, anything else as a `Source`."""
    if isinstance(path, Source):
        return path
    return os.fspath(path) if os.path.isdir(path) else Source(path, role=role)


def detect(place: str | Source) -> str:
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
        rows = first_rows(beginning(place)) if name is None else []
        if name is None and all(re.fullmatch(r"-?\d*\.?\d+", row[-1]) for row in rows):
            problem = "has numbers in the last column; expected tags, such as B-PER: the names of labels, not their ids"
            tagged = next((n for n, cells in enumerate(zip(*rows, strict=False), 1) if are_all_tags(cells)), None)
            problem += f"; --format columns --key-column {tagged} reads another column of the key" * (tagged is not None)
    else:
        problem = "has no file that ends in .mrg or looks like mentions; expected a folder of trees or mentions"
        name = "trees" if tree_files(place) else _as_mentions(place)
    if name is None:
        raise FormatError(place.name if isinstance(place, Source) else place, None, problem)
    return name


def _as_mentions(place: str | Source) -> str | None:
    """The format `mentions`, if any format of mentions looks like it."""
    try:
        _ = detect_phrases(place) if isinstance(place, Source) else detect_mentions(place)
    except FormatError:
        return None
    return "mentions"


def detect_file(source: Source) -> str | None:
    """Tell the format of a file from its content; None if it looks like none.

    Raises
    ------
    FormatError
        If the file is empty or a model.
    """
    head = "PAR1" if source.binary == "parquet" else beginning(source)
    if not head.strip():
        raise FormatError(source.name, None, "is empty; expected phrases")
    if '"phrase-model"' in head[:100]:
        raise FormatError(source.name, None, "is a model; expected phrases: referee phrases predict makes them")
    strict = [name for name in MENTION_FORMATS if name not in ROOMS and name not in LENIENT]
    # Formats of phrases may take JSON of a format of mentions for spans of texts.
    if head.lstrip()[:1] in ("{", "[") and any(MENTION_FORMATS.load(name).sniff(head) for name in strict):
        return "mentions"
    return next((name for name in FORMATS if FORMATS.load(name).sniff(head)), None) or _as_mentions(source)


def read(
    path: str | os.PathLike[str] | Source, *, format: str | None = None, options: PhraseOptions | None = None
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

    Raises
    ------
    FormatError
        If the file is not what its format says; the message names the file, the line, what was found and what was expected.
    """
    place = file_or_folder(path)
    name = format or detect(place)
    record = FORMATS.load(name)
    if isinstance(place, Source):
        phrases: Chunks | PhraseCandidates = record.read(place, options or PhraseOptions())
    elif record.read_folder:
        phrases = record.read_folder(place, options or PhraseOptions())
    else:
        raise FormatError(place, None, f"is a folder; expected a file of {name}")
    return phrases


def read_key(
    path: str | os.PathLike[str] | Source, *, format: str | None = None, options: PhraseOptions | None = None
) -> Chunks:
    """Read the true chunks of a file or a folder.

    Parameters
    ----------
    path, format, options
        As in `read`.

    Raises
    ------
    FormatError
        If there are probabilities other than 0 and 1, or the file is not what its format says.
    """
    phrases = read(path, format=format, options=options)
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
