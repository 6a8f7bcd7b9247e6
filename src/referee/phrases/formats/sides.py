"""Key and responses read so that they can be compared: words outside of phrases treated alike, one candidate space for all."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias, TypeGuard, TypeVar

from referee.basics.exceptions import MismatchError, OptionError, check_name, listed, some, warn
from referee.basics.options.choices import decoder_named
from referee.basics.sides import is_annotation, side_of
from referee.formats.json_documents import json_of
from referee.formats.shared.shapes import is_array, members
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, PhraseCandidates, aligned, common_spans, in_common_words
from referee.phrases.chunking.iob import rule_named
from referee.phrases.chunking.schemes import chunks_of
from referee.phrases.chunking.treebank import OUTSIDE
from referee.phrases.formats.characters import from_characters, texts_of
from referee.phrases.formats.mentions import UNTYPED
from referee.phrases.formats.reading import detect, file_or_folder, read, read_key
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.text_spans import have_offsets

WORDS = frozenset(("tokens", "words", "text"))
"""What a sentence of JSON has one of."""

MANY = 2
"""Phrases from which on a response without a category of the key is remarkable."""

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
    role: str = "response"

    @classmethod
    def open(
        cls, path: str | os.PathLike[str] | Source, format: str | None, options: PhraseOptions, role: str = "response"
    ) -> PhraseInput:
        """Open a file, and tell its format from the content if it is None."""
        place = file_or_folder(path, role, options)
        return cls(place, format or detect(place, options), options, role)

    def read(self, reader: Callable[..., Phrases], outside: str) -> Phrases:
        """Read the phrases, with this category for the words outside of them."""
        return reader(self.place, format=self.format, options=replace(self.options, outside=outside), role=self.role)

    def lacks(self, phrases: Chunks | PhraseCandidates, category: str) -> bool:
        """Whether it has tags, and was read without this category for the words outside of phrases."""
        return self.format == "columns" and category not in phrases.categories


class PhraseSides(NamedTuple):
    """Key and responses, and what the signature says of how they were read."""

    key: Chunks
    responses: Sequence[Chunks | PhraseCandidates]
    settings: dict[str, object]


def read_values(key: PhraseKey, responses: Sequence[PhraseResponse | None], *, decode: str = "conlleval") -> PhraseSides:
    """Read a key and its responses: as the command reads files, if all are files.

    Parameters
    ----------
    key, responses
        Files, lists of tags, lists of spans of characters, Doc objects of spaCy, or phrases. None for a response that is in the
        same file or list as the key.
    decode
        How tags become chunks: one of `referee.basics.options.choices.DECODERS`.

    Raises
    ------
    OptionError
        If a value is none of these.

    Examples
    --------
    >>> read_values([["B-PER", "O"]], [[["O", "B-PER"]]]).responses[0].triples()
    [[('PER', 1, 2)]]
    """
    options = PhraseOptions(decode=decoder_named(decode))
    is_alone = any(response is None for response in responses)
    both = [key if response is None else response for response in responses]
    paths = [os.fspath(response) for response in both if isinstance(response, str | os.PathLike)]
    if isinstance(key, str | os.PathLike) and len(paths) == len(both):
        of_key = PhraseInput.open(key, None, replace(options, holds_key=os.fspath(key) in paths), "key")
        sides = read_sides(of_key, [PhraseInput.open(path, None, options) for path in paths])
        if is_alone:
            check_alone(sides.key, sides.responses[0])
        check_sides(sides.key, sides.responses)
        return sides
    formats: set[str] = set()
    chunks = _read_value(key, "key", options, formats)
    if not isinstance(chunks, Chunks):
        raise OptionError(f"{chunks.source}: found candidates with probabilities; expected chunks in a key")
    predicted = [_read_value(response, "response", options, formats, chunks) for response in both]
    if is_alone:
        check_alone(chunks, predicted[0])
    check_sides(chunks, predicted)
    return PhraseSides(chunks, predicted, _settings(formats, options))


def _read_value(
    value: Any,  # noqa: ANN401
    role: str,
    options: PhraseOptions,
    formats: set[str],
    key: Chunks | None = None,
) -> Chunks | PhraseCandidates:
    """Read a value, with the key if it is a response; the format that it has is added to `formats`."""
    if isinstance(value, Chunks | PhraseCandidates):
        return value
    if isinstance(value, str | os.PathLike):
        place: str | os.PathLike[str] | Source = value
    elif _are_sentences_of_json(value):
        place = Source(f"<{role}>", "\n".join(map(json_of, value)).encode(), role=role)
    elif have_offsets(value):
        return from_characters(value, key, source=f"<{role}>")
    else:
        formats.add("columns")
        return chunks_of(_sentences(value), _rule(options.decode, key), source=f"<{role}>")
    file = PhraseInput.open(place, None, replace(options, decode=_rule(options.decode, key)), role)
    formats.add(file.format)
    return file.read(read_key if role == "key" else read, "")


def _rule(decode: str, key: Chunks | None) -> str:
    """The rule for the tags of a response: `strict` is that of the scheme of the key, if it has tags."""
    is_strict = decode == "strict" and key is not None and key.word_tags is not None
    return rule_named(decode, key.word_tags, key.source) if is_strict and key and key.word_tags else decode


def _are_sentences_of_json(value: object) -> TypeGuard[Sequence[Mapping[str, object]]]:
    """Whether these are sentences as in JSON lines: each an object with its words, or its text."""
    return isinstance(value, list | tuple) and all(
        isinstance(row, Mapping) and not WORDS.isdisjoint(row) for row in value or [()]
    )


def _sentences(value: Any) -> Any:  # noqa: ANN401
    """The sentences of documents that are lists of sentences, of arrays and iterators; any other value as it is."""
    if is_array(value) or isinstance(value, Iterator):
        value = members(value)
    if isinstance(value, list | tuple):
        value = [members(row) if is_array(row) or isinstance(row, Iterator) else row for row in value]
    is_of_documents = (
        isinstance(value, list | tuple)
        and any(isinstance(row, list) and row for row in value)
        and all(isinstance(row, list) and all(isinstance(sentence, list) for sentence in row) for row in value)
    )
    return [sentence for document in value for sentence in document] if is_of_documents else value


def check_alone(key: Chunks, response: Chunks | PhraseCandidates) -> None:
    """Raise a MismatchError if a file that is read as both sides has only one."""
    if key.read_as == response.read_as:
        problem = "has one side; expected a response, too, or a file with true tags in the last column but one"
        raise MismatchError(f"{key.source}: {problem}, and predicted tags in the last")


def check_sides(key: Chunks, responses: Sequence[Chunks | PhraseCandidates]) -> None:
    """Warn of one file on both sides, and of categories that key and response do not share.

    Raises
    ------
    MismatchError
        If key and response are the same phrases, and columns or fields beside them, which may be an annotation, were not read.
    """
    for response in responses:
        categories = [sorted(side.used_categories()) for side in (key, response) if isinstance(side, Chunks) and len(side)]
        if len(categories) == 2 and set(categories[0]).isdisjoint(categories[1]):
            expected, names = (some(each) for each in categories)
            if UNTYPED in (expected, names) or min(len(key), len(response)) >= MANY:
                warn(
                    f"{response.source}: has the categories {names}; expected some of those of the key, {expected}: "
                    "span_match compares their spans"
                )
        if mistaken := [name for name in response.unread or () if side_of(name) == "response"]:
            problem = f"has {listed(mistaken)}, which {'is' if len(mistaken) == 1 else 'are'} not read"
            raise MismatchError(f"{response.source}: {problem}: expected a file for each side, without the fields of the other")
        is_one_file = (key.source, key.read_as) == (response.source, response.read_as) and os.path.isfile(key.source)
        is_named = key.unread is None and response.unread is None
        unread = [
            name
            for name in dict.fromkeys((*(response.unread or ()), *(key.unread or ())))
            if (is_annotation(name) and not side_of(name)) or (is_one_file and name.startswith("column "))
        ]
        if is_named or not (is_one_file or unread) or not _are_same(key, response):
            continue
        same = (
            f"{key.source} is key and response" if is_one_file else f"{key.source} and {response.source} have the same phrases"
        )
        if not unread:
            warn(f"{same}: expected another file, unless the scores of a file with itself are meant")
            continue
        remedy = "expected a file for each side, without the fields of the other"
        if unread[0].startswith("column "):
            column = response.read_as.partition(" (")[0]
            number = int(column.split()[-1])
            first, second = sorted((number, int(unread[0].split()[1])))
            remedy = (
                f"--key-column {first} --response-column {second} compares two, --key-column {number} --response-column "
                f"{number} the column with itself"
            )
            same += f", read from {column}"
        raise MismatchError(f"{same}, and {listed(unread)} {'is' if len(unread) == 1 else 'are'} not read: {remedy}")


def _are_same(key: Chunks, response: Chunks | PhraseCandidates) -> bool:
    """Whether they are the same phrases."""
    if not (isinstance(response, Chunks) and len(key) and len(key) == len(response)):
        return False
    try:
        return bool(common_spans(*aligned(key, response))[0].all())
    except MismatchError:
        return False


def read_sides(
    key: PhraseInput,
    responses: Sequence[PhraseInput],
    *,
    outside: str = "",
    categories: Sequence[str] = (),
    types: Sequence[str] = (),
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
    types
        The categories of it that are scored; none for all.
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
    responses = [
        file._replace(options=replace(file.options, decode=_rule(file.options.decode, true_chunks))) for file in responses
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
    for name in (*types, *without):
        check_name("category", name, list(names))
    left_out = {*without, *(name for name in names if types and name not in types)}
    space = [name for name in names if name not in left_out]
    if names and not space:
        raise OptionError(f"--without leaves out all categories: {', '.join(names)}; expected some to be left")
    predicted = [p.with_categories([x for x in p.categories if x not in left_out]) for p in predicted]
    settings = _settings({file.format for file in (key, *responses)}, key.options)
    return PhraseSides(true_chunks.with_categories(space), predicted, settings | ({"outside": outside} if outside else {}))


def _settings(formats: Collection[str], options: PhraseOptions) -> dict[str, object]:
    """What the signature says of how files of these formats were read."""
    settings = {"columns": ("decode", options.decode), "trees": ("trees", options.trees)}
    return dict(setting for name, setting in settings.items() if name in formats)
