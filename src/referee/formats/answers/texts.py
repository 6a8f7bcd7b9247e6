"""The documents of an answer: in JSON, below headings, one a line, or all there is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from referee.basics.exceptions import MismatchError, counted, shortened
from referee.formats.shared.source import Fault, Source

FENCES = "code fences removed"
JOINED = "parts of documents joined"
PREFACE = "words outside of the documents left out"

TEXTS = ("text", "answer", "output", "response", "prediction", "completion", "content", "tagged")
"""The keys of objects whose value may be the annotated text."""

OTHERS = frozenset(("tokens", "sentences", "clusters", "predicted_clusters", "span_clusters", "cased_words"))
"""The keys of objects that are documents of other formats."""

NAMES = ("doc_key", "doc_id", "document_id", "id", "document", "doc", "name")

FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*$\n?", re.MULTILINE)
HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|\*\*|={2,}[ \t]*)(.+?)[ \t]*(?:\*\*|#+|={2,})?:?[ \t]*$", re.MULTILINE)
SECTION = re.compile(r"^###[ \t]+(\S.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
"""A heading that begins a document where no key says which documents there are."""


Part = TypeVar("Part")


class AnswerBlock(NamedTuple):
    """A text, and the document that it says it is of; empty if it does not say."""

    name: str
    text: str


def blocks_of(source: Source, fault: Fault) -> list[AnswerBlock]:
    """Read the texts of an answer: those of the objects of JSON, or the whole file."""
    text = source.text(fault)
    if re.match(r'\s*(\[\s*)?[{"]', text):
        found = [block for value in _values(text) for block in _texts(value)]
        if found:
            return found
    return [AnswerBlock("", text)]


def _values(text: str) -> Iterable[object]:
    """The values of JSON, of one or one a line; none if it is none."""
    for values in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            found = [json.loads(value) for value in values]
        except (ValueError, RecursionError):
            continue
        return [inner for value in found for inner in (value if isinstance(value, list) else [value])]
    return []


def _texts(value: object) -> Iterable[AnswerBlock]:
    """The text of an object; those of an object that has one for each document."""
    if isinstance(value, str):
        yield AnswerBlock("", value)
    elif isinstance(value, dict):
        text = next((value[key] for key in TEXTS if isinstance(value.get(key), str)), None)
        if text is not None:
            yield AnswerBlock(next((str(value[key]) for key in NAMES if isinstance(value.get(key), str | int)), ""), text)
        else:
            yield from (AnswerBlock(name, inner) for name, inner in value.items() if isinstance(inner, str))


def without_fences(blocks: Sequence[AnswerBlock], repairs: Counter[str]) -> list[AnswerBlock]:
    """Leave out the lines with which Markdown begins and ends code."""
    cleaned = [FENCE.subn("", block.text) for block in blocks]
    repairs[FENCES] += sum(number for _, number in cleaned)
    return [AnswerBlock(block.name, text) for block, (text, _) in zip(blocks, cleaned, strict=True)]


def sections(blocks: Sequence[AnswerBlock]) -> list[AnswerBlock]:
    """The documents where no key says which there are: those below headings of three signs, or the blocks."""
    found = []
    for block in blocks:
        headings = [] if block.name else list(SECTION.finditer(block.text))
        ends = [*(heading.start() for heading in headings[1:]), len(block.text)]
        found += (
            [AnswerBlock(h[1], block.text[h.end() : end]) for h, end in zip(headings, ends, strict=True)]
            if headings
            else [block]
        )
    return found


def documents_of(blocks: Sequence[AnswerBlock], names: Sequence[str], source: str, repairs: Counter[str]) -> Mapping[str, str]:
    """The texts of an answer by the names of a key's documents.

    Parameters
    ----------
    blocks : sequence of Block
        What was read.
    names : sequence of str
        The documents of the key.
    source : str
        What messages call the answer.
    repairs : Counter
        Counts what is repaired.

    Raises
    ------
    MismatchError
        If texts without names cannot be told apart.
    """
    known = names_of(names)
    parts: list[tuple[str, str]] = []
    for block in blocks:
        parts += [(known_name(block.name, known), block.text)] if block.name else below_headings(block.text, known)
    named = any(name for name, _ in parts)
    if named:
        repairs[PREFACE] += sum(len(text.split()) for name, text in parts if not name)
        parts = [(name, text) for name, text in parts if name]
    elif len(names) == 1:
        parts = [(names[0], text) for _, text in parts]
    else:
        lines = [line for _, text in parts for line in text.splitlines() if line.strip()]
        parts = in_order(lines if len(lines) == len(names) else [text for _, text in parts], names, source)
    documents: dict[str, str] = {}
    for name, text in parts:
        repairs[JOINED] += name in documents
        documents[name] = f"{documents[name]}\n{text}" if name in documents else text
    return documents


def names_of(names: Sequence[str]) -> Mapping[str, str]:
    """What a document of the key may be called -> its name."""
    known: dict[str, str] = {}
    for written in (str, _plain, lambda name: _plain(name.removesuffix("_0"))):  # a name itself goes before one that is like it
        for name in names:
            known.setdefault(written(name), name)
    return known


def below_headings(text: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
    """The text before the first heading that is the name of a document, and the text below each such heading."""
    parts, name, done, names = [], "", 0, set(known.values())
    for heading in HEADING.finditer(text):
        document = known_name(heading[1], known)
        if document not in names:
            document = known_name(re.sub(r"(?i)^\W*(?:doc(?:ument)?|text)\b\W*", "", heading[1]), known)
        if document in names:
            parts.append((name, text[done : heading.start()]))
            name, done = document, heading.end()
    return [(name, text) for name, text in [*parts, (name, text[done:])] if name or text.strip()]


def in_order(parts: Sequence[Part], names: Sequence[str], source: str) -> list[tuple[str, Part]]:
    """As many parts as there are documents: the first is of the first."""
    if len(parts) == len(names):
        return list(zip(names, parts, strict=True))
    raise MismatchError(
        f"{source} has {counted(len(parts), 'text')} without a name for {counted(len(names), 'document')}, first "
        f"{shortened(names[0])!r}; expected a heading before each (### NAME), JSON objects with doc_id, a line each, or "
        "a folder with a file each"
    )


def known_name(name: str, known: Mapping[str, str]) -> str:
    """The document of a key that has this name but for signs and case; else the name."""
    return known.get(name) or known.get(_plain(name), name)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
