"""Key and responses read so that they can be compared: words outside of phrases treated alike, one candidate space for all."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.basics.exceptions import OptionError, check_name, warn
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, PhraseCandidates, in_common_words
from referee.phrases.chunking.treebank import OUTSIDE
from referee.phrases.formats.characters import texts_of
from referee.phrases.formats.reading import detect, file_or_folder, read, read_key
from referee.phrases.formats.registry import PhraseOptions


class PhraseInput(NamedTuple):
    """A file or folder with its format, and how it is read."""

    place: str | Source
    format: str
    options: PhraseOptions

    @classmethod
    def open(cls, path: str | os.PathLike[str], format: str | None, options: PhraseOptions) -> PhraseInput:
        """Open a file, and tell its format from the content if it is None."""
        place = file_or_folder(path)
        return cls(place, format or detect(place), options)


class PhraseSides(NamedTuple):
    """A key and its responses over one candidate space.

    Parameters
    ----------
    key, responses
        The phrases.
    outside
        The category of words outside of phrases that was added to tags; empty if none was.
    """

    key: Chunks
    responses: list[Chunks | PhraseCandidates]
    outside: str


def read_sides(
    key: PhraseInput,
    responses: Sequence[PhraseInput],
    *,
    outside: str = "",
    categories: Sequence[str] = (),
    without: Sequence[str] = (),
) -> PhraseSides:
    """Read a key and its responses over one candidate space; otherwise the scores of responses would not compare.

    Parameters
    ----------
    key, responses
        The files.
    outside
        The category of words outside of phrases, each as a chunk of its own; empty for `Null` where any file has it.
    categories
        Categories to add to the candidate space.
    without
        Categories to leave out of it.

    Raises
    ------
    UnknownNameError
        If a category to leave out is in no file.
    OptionError
        If no category is left that there was.

    Warns
    -----
    RefereeWarning
        If only some of the files have a category for words outside of phrases; if a file has no phrases.
    """
    true_chunks = _read_key(key, outside)
    predicted = [_read(_about(response, true_chunks), outside) for response in responses]
    name = outside or OUTSIDE
    if name not in without and any(name in side.categories for side in (true_chunks, *predicted)):
        # Then tags need chunks for these words, too.
        if _lacks(key, true_chunks, name):
            true_chunks = _read_key(key, name)
        predicted = [_read(i, name) if _lacks(i, p, name) else p for i, p in zip(responses, predicted, strict=True)]
        outside = name if any(i.format == "columns" for i in (key, *responses)) else outside
        for side in (true_chunks, *predicted):
            if name not in side.categories:
                warn(
                    f"{side.source} has no {name}, but other files have it; expected it in all: leave it out with "
                    f"--without {name}"
                )
    if any(side.sentences.texts is not None for side in (true_chunks, *predicted)):
        true_chunks, predicted = in_common_words(true_chunks, predicted)
    for side in (true_chunks, *predicted):
        if isinstance(side, Chunks) and not len(side):
            warn(f"{side.source}: has no phrases; what is divided by their number is undefined")
    known = dict.fromkeys([*true_chunks.categories, *categories, *(x for p in predicted for x in p.categories)])
    space = _left(list(known), without)
    kept = [p.with_categories([x for x in p.categories if x not in without]) for p in predicted]
    return PhraseSides(true_chunks.with_categories(space), kept, outside)


def reading_settings(formats: Collection[str], options: PhraseOptions) -> dict[str, object]:
    """What the signature says of how files of these formats were read."""
    said = {"columns": ("decode", options.decode), "trees": ("trees", options.trees)}
    return dict(setting for name, setting in said.items() if name in formats)


def _read(file: PhraseInput, outside: str) -> Chunks | PhraseCandidates:
    return read(file.place, format=file.format, options=replace(file.options, outside=outside))


def _about(file: PhraseInput, key: Chunks) -> PhraseInput:
    """The file, which may have spans of the text of the key."""
    texts = texts_of(key) if file.format == "characters" else None
    return file._replace(options=replace(file.options, texts=texts))


def _read_key(file: PhraseInput, outside: str) -> Chunks:
    return read_key(file.place, format=file.format, options=replace(file.options, outside=outside))


def _lacks(file: PhraseInput, phrases: Chunks | PhraseCandidates, category: str) -> bool:
    """Whether a file of tags was read without this category for the words outside of phrases."""
    return file.format == "columns" and category not in phrases.categories


def _left(categories: list[str], without: Sequence[str]) -> list[str]:
    """The categories that are not left out."""
    for name in without:
        check_name("category", name, categories)
    left = [name for name in categories if name not in without]
    if categories and not left:
        raise OptionError(f"--without leaves out all categories: {', '.join(categories)}; expected some to be left")
    return left
