"""Phrases from files: `read`, `read_key`."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import numpy as np

from referee.exceptions import FormatError, OptionError
from referee.formats.reading import detect as detect_mentions
from referee.formats.reading import detect_in
from referee.formats.shared.source import Source
from referee.phrases.candidates import Candidates, Chunks
from referee.phrases.formats.registry import FORMATS, module


@dataclass(frozen=True)
class Reading:
    """How files are read, where that is a choice.

    decode  : how tags become chunks, one of `referee.phrases.chunks.iob.RULES`
    column  : the column of the tags, from 1, or from the end if negative
    null    : the category of a word that is in no chunk, as a chunk of its own; empty for none
    trees   : how trees become chunks, one of `referee.phrases.chunks.chunking.MODES`
    """

    decode: str = "conlleval"
    column: int = -1
    null: str = ""
    trees: str = "abney"


def opened(path: str | os.PathLike[str] | Source) -> str | Source:
    """A folder as its name, anything else as a `Source`."""
    return path if isinstance(path, Source) else os.fspath(path) if os.path.isdir(path) else Source(path)


def detect(place: str | Source) -> str:
    """The name of the format that the content of a file or a folder looks like. FormatError if it looks like none."""
    if isinstance(place, Source):
        if name := likely(place):
            return name
        raise FormatError(
            place.name, None, f"looks like none of the formats {', '.join(FORMATS)} (any of `referee formats`): name one with "
            "--format if it is"
        )  # fmt: skip
    if module("trees").files(place):
        return "trees"
    try:
        detect_in(place)
    except FormatError:
        raise FormatError(
            place, None, "has no file that ends in .mrg, and none that looks like mentions; expected a folder of trees or "
            "mentions"
        ) from None  # fmt: skip
    return "mentions"


def likely(source: Source) -> str | None:
    """The name of the format that a file looks like, if any. FormatError if it is empty."""
    head = "PAR1" if source.binary == "parquet" else source.head.decode(errors="replace")
    if not head.strip():
        raise FormatError(source.name, None, "is empty; expected phrases")
    if '"phrase-model"' in head[:100]:
        raise FormatError(source.name, None, "is a model; expected phrases: referee phrases predict makes them")
    own = next((name for name in FORMATS if name != "mentions" and module(name).sniff(head)), None)
    if own:
        return own
    try:
        detect_mentions(source)
    except FormatError:
        return None
    return "mentions"


def read(
    path: str | os.PathLike[str] | Source, *, format: str | None = None, reading: Reading | None = None
) -> Chunks | Candidates:
    """The phrases of a file: a path (gzip or not), `-` for standard input, a folder, or a `Source`.

    format : one of `FORMATS`; None to tell it from the content

    FormatError names the file, the line, what was found and what was expected.
    """
    how = reading or Reading()
    place = opened(path)
    name = format or detect(place)
    reader = module(name)
    if isinstance(place, Source):
        phrases: Chunks | Candidates = reader.read(place, place.fault, how)
    elif hasattr(reader, "read_folder"):
        phrases = reader.read_folder(place, how)
    else:
        raise FormatError(place, None, f"is a folder; expected a file of {name}")
    return phrases


def read_key(path: str | os.PathLike[str] | Source, *, format: str | None = None, reading: Reading | None = None) -> Chunks:
    """The true chunks of a file. FormatError for probabilities other than 0 and 1."""
    phrases = read(path, format=format, reading=reading)
    if isinstance(phrases, Chunks):
        return phrases
    default = phrases.default
    uncertain = ~np.isin(phrases.p, (0, 1))
    if uncertain.any():
        row = int(np.argmax(uncertain))
        where = f"sentence {phrases.sentences.ids[phrases.sentence[row]]!r}"
        raise FormatError(phrases.source, None, f"{where}: found the probability {phrases.p[row]:g}; expected 0 or 1 in a key")
    if default is not None and (default.beyond or default.table.any()):
        raise FormatError(
            phrases.source, None, "found a default above 0; expected a key, in which what is not listed is not true"
        )
    return phrases.certain


def untyped(phrases: Chunks | Candidates) -> Chunks | Candidates:
    """The same with one category for all, "phrase". OptionError for candidates that then have two probabilities."""
    zeros = np.zeros_like(phrases.category)
    if isinstance(phrases, Candidates):
        default = phrases.default
        if default is not None and default.table.shape[1]:
            raise OptionError(
                f"{phrases.source}: found a default by category; expected a constant one for phrases without categories"
            )
        return Candidates.build(
            phrases.sentences, ["phrase"], phrases.sentence, phrases.start, phrases.end, zeros, phrases.p, default,
            covered=phrases.covered, source=phrases.source,
        )  # fmt: skip
    spans = np.stack([phrases.sentence, phrases.start, phrases.end], axis=1)
    again = np.append(False, (spans[1:] == spans[:-1]).all(axis=1)) if len(spans) else np.zeros(0, dtype=bool)
    once = replace(phrases, categories=("phrase",), category=zeros)
    return once.where(~again)
