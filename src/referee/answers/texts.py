"""The texts of an answer, and the documents that they are of: in logs, in JSON, below headings, one a line, or all there is."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from referee.answers.keys import CARRIERS, IDS, PASSED, folded_key
from referee.answers.lists import lists_in, loaded, says_nothing
from referee.answers.logs import LogRecord, as_text, chats_of, reads, records_of
from referee.answers.marked import Style
from referee.answers.notations import notation_of
from referee.answers.thoughts import without_thoughts

HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|\*\*|={2,}[ \t]*)(.+?)[ \t]*(?:\*\*|#+|={2,})?:?[ \t]*$", re.MULTILINE)
HEADER = 200
"""Characters of the first line of a table, at most."""

LOGGED = {*PASSED, *CARRIERS, *IDS}
"""Keys of logs."""


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
    is_record : bool
        Whether it is all that was said to a request, of a log.
    epoch : int or None
        Which of several runs of the request it is of.
    style : Style or None
        How its mentions are marked; None for lists.
    raw : str
        What the model said, with its thoughts.
    failed : str
        Why there is no answer; empty if there is one.
    repairs : mapping
        What was repaired when it was read -> how often.
    """

    name: str
    text: str
    logged: bool = False
    file: str = ""
    is_record: bool = False
    epoch: int | None = None
    style: Style | None = None
    raw: str = ""
    failed: str = ""
    repairs: Mapping[str, int] = MappingProxyType({})

    def thought_out(self) -> AnswerBlock:
        """The same without thoughts."""
        made: Counter[str] = Counter()
        text = without_thoughts(self.text, made)
        return self._replace(text=text, raw=self.text, repairs=+made)


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
        records = values_blocks(rows, repairs)
        blocks = records if records[0].is_record else blocks
    return [block._replace(name=block.name or name).thought_out() for block in blocks]


def values_blocks(values: Sequence[object], repairs: Counter[str]) -> list[AnswerBlock]:
    """The texts of values of JSON."""
    several = values[0] if len(values) == 1 else None
    if isinstance(several, dict) and several and {folded_key(key) for key in several}.isdisjoint(LOGGED):
        texts = [item for item in several.values() if isinstance(item, str)]
        if len(texts) == len(several) and (any(map(_is_certain, texts)) or all(map(_is_answer, texts))):
            return [AnswerBlock(str(name), as_text(item), logged=True) for name, item in several.items()]
    if isinstance(several, list) and _are_answers(several):
        return [AnswerBlock("", as_text(value), logged=True) for value in several]
    records = chats_of(several, repairs) or records_of(values, repairs)
    if records is not None:
        return [_of_record(record) for record in records]
    if all(isinstance(value, str) for value in values):
        return [AnswerBlock("", as_text(value)) for value in values]
    return [AnswerBlock("", "\n".join(map(as_text, values)))]


def _are_answers(items: Sequence[object]) -> bool:
    """Whether all are texts with marks or lists, or without any as refusals are; and at least one has some."""
    texts = [item for item in items if isinstance(item, str)]
    readable = [reads(text) for text in texts]
    rest = (text for text, is_read in zip(texts, readable, strict=True) if not is_read)
    return len(texts) == len(items) and any(readable) and all(says_nothing(text) or not text.strip() for text in rest)


def _of_record(record: LogRecord) -> AnswerBlock:
    failed = "" if record.answer is not None else record.error or "no answer"
    text = _opened(as_text(record.answer))
    return AnswerBlock(record.name, text, logged=True, is_record=True, epoch=record.epoch, failed=failed)


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
    inner = records_of([loaded(text)], Counter())
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
        document = heading[1] if len(names) == 1 else known_name(heading[1], known)  # entities have names, too
        if document not in names:
            named = re.sub(r"(?i)^\W*(?:doc(?:ument)?|text)\b\W*", "", heading[1])
            document = known_name(named, known) if named != heading[1] or len(names) > 1 else ""
        if document in names:
            parts.append((name, text[done : heading.start()]))
            name, done = document, heading.end()
    return [(name, text) for name, text in [*parts, (name, text[done:])] if name or text.strip()]


def known_name(name: str, known: Mapping[str, str]) -> str:
    """The document of a key that has this name but for signs and case; else the name."""
    return known.get(name) or known.get(_plain(name), name)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
