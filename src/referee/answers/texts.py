"""The texts of an answer, and the documents that they are of: in logs, in JSON, below headings, one a line, or all there is."""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from referee.answers.finding import lists_in, says_nothing
from referee.answers.lists import folded_key
from referee.answers.logs import CARRIERS, FAILED, IDS, PASSED, as_text, reads, records_of
from referee.answers.notations import notation_of
from referee.answers.thoughts import without_thoughts
from referee.basics.exceptions import MismatchError, counted, shortened

JOINED = "parts of documents joined"
OTHER_NAME = "documents of another name taken for that of the key"
PREFACE = "words outside of the documents left out"

HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|\*\*|={2,}[ \t]*)(.+?)[ \t]*(?:\*\*|#+|={2,})?:?[ \t]*$", re.MULTILINE)
SECTION = re.compile(r"^###[ \t]+(\S.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
"""A heading that begins a document where no key says which documents there are."""

HEADER = 200
"""Characters of the first line of a table, at most."""

LOGGED = PASSED.union(CARRIERS, IDS)
"""Keys of logs."""

Part = TypeVar("Part")


class AnswerBlock(NamedTuple):
    """A text, and the document that it says it is of; empty if it does not say.

    Parameters
    ----------
    name : str
        The document.
    text : str
        What the model said of it, without its thoughts.
    logged : bool
        Whether it is certain that a model said it: the text is of a log, or of a mapping of documents.
    file : str
        The file of a folder that it is in.
    """

    name: str
    text: str
    logged: bool = False
    file: str = ""


def blocks_of(text: str, repairs: Counter[str], name: str = "") -> list[AnswerBlock]:
    """The texts of an answer: those of the records of a log, or all there is.

    Parameters
    ----------
    text : str
        The content of a file.
    repairs : Counter
        Counts what is left out.
    name : str
        What a text without a name is called.
    """
    blocks = [AnswerBlock("", text)]
    if re.match(r'\s*(?:[\[{"]|(?:data|event|id): ?)', text):
        values = _values(text)
        blocks = values_blocks(values, repairs) if values else blocks
    if blocks[0].text is text and (rows := _rows(text)) is not None:
        blocks = [
            AnswerBlock(record.name, as_text(record.answer), logged=True) for record in records_of(rows, repairs) or ()
        ] or blocks
    return [block._replace(name=block.name or name, text=without_thoughts(block.text, repairs)) for block in blocks]


def values_blocks(values: Sequence[object], repairs: Counter[str]) -> list[AnswerBlock]:
    """The texts of values of JSON."""
    several = values[0] if len(values) == 1 else None
    if isinstance(several, dict) and several and {folded_key(key) for key in several}.isdisjoint(LOGGED):
        texts = [item for item in several.values() if isinstance(item, str)]
        if len(texts) == len(several) and (any(map(_is_certain, texts)) or all(map(_is_answer, texts))):
            return [AnswerBlock(str(name), as_text(item), logged=True) for name, item in several.items()]
    if isinstance(several, list) and several and all(isinstance(item, str) and reads(item) for item in several):
        return [AnswerBlock("", as_text(value), logged=True) for value in several]
    records = records_of(values, repairs)
    if records is not None:
        repairs[FAILED] += sum(record.answer is None for record in records)
        return [AnswerBlock(record.name, _opened(as_text(record.answer)), logged=True) for record in records]
    if all(isinstance(value, str) for value in values):
        return [AnswerBlock("", as_text(value)) for value in values]
    return [AnswerBlock("", "\n".join(map(as_text, values)))]


def _is_certain(text: str) -> bool:
    """Whether a string is an answer, and no mention."""
    return reads(text) or (" " in text and says_nothing(text))


def _is_answer(text: str) -> bool:
    """Whether a string may be an answer in any notation. In one line without quotes it may be a mention."""
    several = "\n" in text.strip() or '"' in text
    return _is_certain(text) or (several and (lists_in(text) is not None or notation_of(text) is not None))


def _opened(text: str) -> str:
    """The text in a log that is itself in a log, as the arguments of a call."""
    if text[:1] != "{" or text[-1:] != "}":
        return text
    try:
        inner = records_of([json.loads(text)], Counter())
    except (ValueError, RecursionError):
        return text
    return as_text(inner[0].answer) if inner is not None and len(inner) == 1 and isinstance(inner[0].answer, str) else text


def _values(text: str) -> list[object]:
    """The values of JSON, of one or one a line; none if it is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    if any(line.startswith("data:") for line in lines):  # a stream of events
        lines = [line[5:] for line in lines if line.startswith("data:") and "[DONE]" not in line]
    for values in ([text], lines):
        try:
            decoded = [json.loads(value) for value in values]
        except (ValueError, RecursionError):
            continue
        inner = decoded[0] if len(decoded) == 1 else None
        if isinstance(inner, list) and inner and all(isinstance(item, (dict, str)) for item in inner):
            return inner if records_of(inner, Counter()) is not None else decoded
        return decoded
    return []


def _rows(text: str) -> list[object] | None:
    """The rows of a table with a column for the ids of documents and one for answers; None if it is none."""
    head = text[:HEADER].partition("\n")[0]
    sign = next((sign for sign in "\t," if sign in head), None)
    names = [folded_key(name) for name in head.split(sign)]
    if sign is None or not set(names) & set(IDS) or not set(names) & set(CARRIERS):
        return None
    try:
        return list(csv.DictReader(text.splitlines(keepends=True), delimiter=sign))
    except csv.Error:
        return None


def sections(blocks: Sequence[AnswerBlock]) -> list[AnswerBlock]:
    """The documents where no key says which there are: those below headings of three signs, or the blocks."""
    parts = []
    for block in blocks:
        headings = [] if block.name else list(SECTION.finditer(block.text))
        ends = [*(heading.start() for heading in headings[1:]), len(block.text)]
        parts += (
            [AnswerBlock(h[1], block.text[h.end() : end]) for h, end in zip(headings, ends, strict=True)]
            if headings
            else [block]
        )
    return parts


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
    for block in named_by_file(blocks, names, source):
        parts += [(known_name(block.name, known), block.text)] if block.name else below_headings(block.text, known)
    named = any(name for name, _ in parts)
    if named and len(names) == 1 and names[0] not in dict(parts) and len({name for name, _ in parts}) == 1:
        repairs[OTHER_NAME] += 1
        parts = [(names[0], text) for _, text in parts]
    elif named:
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
    check_names(documents, names, source)
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
    problem = "lacks the name of a document" if len(parts) == 1 else f"has {len(parts)} texts without names of documents"
    if source.startswith("<"):
        remedy = f"a mapping: referee.Answer({{{shortened(names[0])!r}: answer, ...}})"
    else:
        file = f"{shortened(names[0])}{os.path.splitext(source)[1] or '.txt'}"
        remedy = f"files named as documents ({file}), a heading before each (### NAME), or JSON objects with doc_id"
    raise MismatchError(f"{source}: it {problem}; {documents_said(names)}; expected {remedy}")


def documents_said(names: Sequence[str]) -> str:
    """The documents of a key, of which messages name three.

    >>> documents_said(["a", "b"]), documents_said(list("abcde"))
    ('the key has 2 documents: a, b', 'the key has 5 documents: a, b, c, ...')
    """
    first = ", ".join(map(shortened, names[:3]))
    return f"the key has {counted(len(names), 'document')}: {first}{', ...' * (len(names) > 3)}"


def check_names(answered: Iterable[str], names: Sequence[str], source: str) -> None:
    """Raise MismatchError if answers have names, and none of them is that of a document of the key."""
    others = list(answered)
    if not others or not set(others).isdisjoint(names):
        return
    several = len(others) > 1
    verb = "are no documents" if several else "is no document"
    remedy = "name files by documents, one folder a system" if os.path.isdir(source) else "expected answers named by documents"
    listed_names = ", ".join(map(shortened, others[:3])) + ", ..." * (len(others) > 3)
    raise MismatchError(f"{source}: {listed_names} {verb} of the key; {documents_said(names)}; {remedy}")


def named_by_file(blocks: Sequence[AnswerBlock], names: Sequence[str], source: str) -> Sequence[AnswerBlock]:
    """The texts of a file that is called like a document of a key: of this document, unless a text says of which it is."""
    known = names_of(names)
    name = known_name(os.path.splitext(os.path.basename(source.removesuffix(".gz")))[0], known)
    if len(names) < 2 or name not in known.values():
        return blocks
    if any(block.name or any(document for document, _ in below_headings(block.text, known)) for block in blocks):
        return blocks
    return [block._replace(name=name) for block in blocks]


def files_of_documents(blocks: Sequence[AnswerBlock], names: Sequence[str]) -> Mapping[str, str]:
    """The document of a key, as far as files of a folder are called like some -> its file."""
    known = names_of(names)
    return {known_name(block.name, known): block.file for block in blocks if block.file}


def known_name(name: str, known: Mapping[str, str]) -> str:
    """The document of a key that has this name but for signs and case; else the name."""
    return known.get(name) or known.get(_plain(name), name)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
