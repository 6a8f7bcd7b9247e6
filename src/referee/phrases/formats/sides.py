"""Key and responses read so that they can be compared: words outside of phrases treated alike, one candidate space for all."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeVar

from referee.basics.exceptions import OptionError, check_name, warn
from referee.formats.shared.shapes import shown
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, PhraseCandidates, in_common_words
from referee.phrases.chunking.schemes import chunks_of
from referee.phrases.chunking.treebank import OUTSIDE
from referee.phrases.formats.characters import texts_of
from referee.phrases.formats.reading import detect, file_or_folder, read, read_key
from referee.phrases.formats.registry import PhraseOptions

PhraseKey: TypeAlias = "Chunks | str | os.PathLike[str] | Sequence[Sequence[str]]"
"""A key: chunks, a file or folder, or the tags of each sentence."""

PhraseResponse: TypeAlias = "PhraseCandidates | PhraseKey"
"""A response: the same, or candidates with probabilities."""

Phrases = TypeVar("Phrases", Chunks, "Chunks | PhraseCandidates")


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

    def read(self, reader: Callable[..., Phrases], outside: str) -> Phrases:
        """Read the phrases, with this category for the words outside of them."""
        return reader(self.place, format=self.format, options=replace(self.options, outside=outside))

    def lacks(self, phrases: Chunks | PhraseCandidates, category: str) -> bool:
        """Whether it has tags, and was read without this category for the words outside of phrases."""
        return self.format == "columns" and category not in phrases.categories


class PhraseSides(NamedTuple):
    """Key and responses, and what the signature says of how they were read."""

    key: Chunks
    responses: Sequence[Chunks | PhraseCandidates]
    settings: dict[str, object]


def read_values(key: PhraseKey, responses: Sequence[PhraseResponse], *, decode: str = "conlleval") -> PhraseSides:
    """Read a key and its responses: as the command reads files, if all are files.

    Parameters
    ----------
    key, responses
        Files, lists of tags, or phrases.
    decode
        How tags become chunks: one of `referee.phrases.chunking.iob.RULES`.

    Raises
    ------
    OptionError
        If a value is none of these.

    Examples
    --------
    >>> read_values([["B-PER", "O"]], [[["O", "B-PER"]]]).responses[0].triples()
    [[('PER', 1, 2)]]
    """
    options = PhraseOptions(decode=decode)
    paths = [os.fspath(response) for response in responses if isinstance(response, str | os.PathLike)]
    if isinstance(key, str | os.PathLike) and len(paths) == len(responses):
        of_key = PhraseInput.open(key, None, replace(options, holds_key=os.fspath(key) in paths))
        return read_sides(of_key, [PhraseInput.open(path, None, options) for path in paths])
    formats: set[str] = set()

    def one(value: PhraseResponse, role: str) -> Chunks | PhraseCandidates:
        if isinstance(value, Chunks | PhraseCandidates):
            return value
        if not isinstance(value, str | os.PathLike):
            formats.add("columns")
            return chunks_of(_tags(value, role), decode, source=f"<{role}>")
        file = PhraseInput.open(value, None, options)
        formats.add(file.format)
        return file.read(read_key if role == "key" else read, "")

    chunks = one(key, "key")
    if not isinstance(chunks, Chunks):
        raise OptionError(f"{chunks.source}: found candidates with probabilities; expected chunks in a key")
    return PhraseSides(chunks, [one(response, "response") for response in responses], _settings(formats, options))


def _tags(value: object, role: str) -> Sequence[Sequence[str]]:
    """The tags of each sentence. OptionError for something else."""
    if not isinstance(value, list | tuple):
        raise OptionError(
            f"<{role}>: found a value of the type {type(value).__name__}; expected a file, a list of sentences, each a list of "
            "tags, or what referee.phrases.read returns"
        )
    if (odd := next((row for row in value if not isinstance(row, list | tuple)), None)) is not None:
        raise OptionError(
            f"<{role}>: found {shown(odd)} among sentences; expected each as a list of tags, as in [['B-PER', 'O'], ['O']]"
        )
    return value


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
    true_chunks = key.read(read_key, outside)
    responses = [
        file._replace(options=replace(file.options, texts=texts_of(true_chunks))) if file.format == "characters" else file
        for file in responses
    ]
    predicted = [response.read(read, outside) for response in responses]
    name = outside or OUTSIDE
    if name not in without and any(name in side.categories for side in (true_chunks, *predicted)):
        # Then tags need chunks for these words, too.
        if key.lacks(true_chunks, name):
            true_chunks = key.read(read_key, name)
        predicted = [file.read(read, name) if file.lacks(p, name) else p for file, p in zip(responses, predicted, strict=True)]
        outside = name if any(file.format == "columns" for file in (key, *responses)) else outside
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
    names = dict.fromkeys([*true_chunks.categories, *categories, *(x for p in predicted for x in p.categories)])
    for name in without:
        check_name("category", name, list(names))
    space = [name for name in names if name not in without]
    if names and not space:
        raise OptionError(f"--without leaves out all categories: {', '.join(names)}; expected some to be left")
    predicted = [p.with_categories([x for x in p.categories if x not in without]) for p in predicted]
    settings = _settings({file.format for file in (key, *responses)}, key.options)
    return PhraseSides(true_chunks.with_categories(space), predicted, settings | ({"outside": outside} if outside else {}))


def _settings(formats: Collection[str], options: PhraseOptions) -> dict[str, object]:
    """What the signature says of how files of these formats were read."""
    settings = {"columns": ("decode", options.decode), "trees": ("trees", options.trees)}
    return dict(setting for name, setting in settings.items() if name in formats)
