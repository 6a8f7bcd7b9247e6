"""What a model said, out of the logs of interfaces and harnesses: chat completions, batches, lists of messages, samples.

A log is JSON in which a text of the model stands that is itself an answer, or an object that is one. Questions, thoughts and
keys are passed by. Of several messages the last one of the model counts, of several samples the first. Nothing of a log is
executed, fetched or followed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.answers import keys
from referee.answers.keys import folded_key
from referee.answers.lists import UNCLOSED, lists_in, loaded
from referee.answers.notations import notation_of
from referee.answers.values import are_mentions, is_answer, read_value
from referee.basics.exceptions import OptionError

SAMPLES = "other samples of the same question left out"

REQUEST = {"custom_id", "method", "url", "body"}
"""The keys of a line of a batch that is sent."""
UNSENT = "a line of the batch that was sent, which has no answer"

DEEPEST = 16


class LogRecord(NamedTuple):
    """What a model said of a document.

    Parameters
    ----------
    name : str
        What the record calls the document; empty if it does not say.
    answer : object
        A text, or a value of JSON; None if the request failed.
    epoch : int or None
        Which of several runs it is of, if the log says that.
    error : str
        Why there is no answer, if the log says that.
    """

    name: str
    answer: object
    epoch: int | None = None
    error: str = ""


def records_of(values: Sequence[object], repairs: Counter[str]) -> list[LogRecord] | None:
    """The records of a log; None if the values are no log.

    >>> records_of([{"choices": [{"message": {"role": "assistant", "content": "[Tom](#1)"}}]}], Counter())
    [LogRecord(name='', answer='[Tom](#1)', epoch=None, error='')]
    """
    if are_mentions(values):
        return None
    if _are_messages(values):
        return _joined([LogRecord("", _of_list(values, repairs, DEEPEST))])
    records: list[LogRecord] = []
    for value in values:
        inner = _records(value, repairs)
        if inner is None:
            return None
        records += inner
    return _joined(records)


def chats_of(value: object, repairs: Counter[str]) -> list[LogRecord] | None:
    """The records of a mapping from documents to the messages of a conversation; None if it is none.

    >>> chats_of({"d1": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "[Tom](#1)"}]}, Counter())
    [LogRecord(name='d1', answer='[Tom](#1)', epoch=None, error='')]
    """
    if not isinstance(value, dict) or not value:
        return None
    if not all(isinstance(messages, list) and _are_messages(messages) for messages in value.values()):
        return None
    return [LogRecord(str(name), _of_list(messages, repairs, DEEPEST)) for name, messages in value.items()]


def _records(value: object, repairs: Counter[str]) -> list[LogRecord] | None:
    """The records of one value: of a list or a table of records, or itself."""
    if isinstance(value, list):
        nested = bool(value) and all(isinstance(item, (dict, list)) for item in value)
        return records_of(value, repairs) if nested else None
    if not isinstance(value, dict) or _is_answer(value):
        return None
    columns, data = value.get("columns"), value.get("data")
    if isinstance(columns, list) and isinstance(data, list) and all(isinstance(row, list) for row in data):
        return records_of([dict(zip(map(str, columns), row, strict=False)) for row in data], repairs)
    for part in (part for key, part in value.items() if folded_key(key) in keys.OF_RECORDS):
        lists = list(part.values()) if isinstance(part, dict) else [part]  # by task
        items = [item for inner in lists if isinstance(inner, list) for item in inner]
        if items and all(isinstance(inner, list) for inner in lists) and all(isinstance(item, dict) for item in items):
            if all(map(_is_answer, items)):
                return None
            if all(map(_is_record, items)) and (records := records_of(items, repairs)) is not None:
                return records
    epoch = value.get("epoch")
    if value.keys() >= REQUEST:
        return [LogRecord(_name(value), None, error=UNSENT)]
    if not _is_record(value):
        return None
    answer = _answer_in(value, repairs)
    error = _error_in(value) if answer is None else ""
    return [LogRecord(_name(value), answer, epoch if isinstance(epoch, int) else None, error)]


def _error_in(value: object, left: int = DEEPEST) -> str:
    """What a log says of a request that failed; empty if it says nothing."""
    if not isinstance(value, dict) or not left:
        return ""
    error = value.get("error")
    if isinstance(error, dict):
        error = error.get("message") or _error_in(error, left - 1) or error.get("code") or error.get("type")
    if isinstance(error, str) and error.strip():
        return error.strip()
    return next(filter(None, (_error_in(part, left - 1) for part in value.values())), "")


def _are_messages(values: Sequence[object]) -> bool:
    """Whether values are the messages of a conversation."""
    return bool(values) and all(isinstance(value, dict) and _role(value) for value in values)


def _joined(records: list[LogRecord]) -> list[LogRecord]:
    """Pieces of one answer as one: texts without names that only together are complete."""
    texts = ["" if record.answer is None else record.answer for record in records]
    if len({record.name for record in records}) == 1 < len(records) and all(isinstance(text, str) for text in texts):
        whole = "".join(map(str, texts))
        if not all(_is_complete(str(text)) for text in texts) and _is_complete(whole):
            return [LogRecord(records[0].name, whole)]
    return records


def _is_complete(text: str) -> bool:
    lists = lists_in(text, certain=True)
    return (lists is not None and not lists.repairs[UNCLOSED]) or notation_of(text) is not None


def _is_answer(value: Mapping[str, object]) -> bool:
    """Whether an object has entities itself."""
    return any(
        folded_key(key) in keys.ENTITIES and isinstance(part, (list, dict)) and read_value(part).documents
        for key, part in value.items()
    )


def _is_record(value: Mapping[str, object]) -> bool:
    """Whether an object carries what a model said: an answer, or a text where logs have them; or says that it failed."""
    if _is_answer(value):
        return False
    answer = _answer_in(value, Counter())
    if answer is not None:
        folded = {folded_key(key) for key in value}
        typical = folded & set(keys.CARRIERS) and folded & {
            *keys.IDS,
            *keys.PROMPTS,
            "role",
            "model",
            "object",
            "created",
            "done",
        }
        return answer is not value and (reads(answer) or bool(typical) or not read_value(value).documents)
    return any(folded_key(key) in ("error", "choices", "candidates", "response", "result", "message") for key in value)


def reads(answer: object) -> bool:
    """Whether it is an answer with entities, as it stands."""
    if isinstance(answer, str):
        signs = any(sign in answer for sign in "[{<|")
        return signs and (lists_in(answer, certain=True) is not None or notation_of(answer) is not None)
    return is_answer(answer)


def _answer_in(value: object, repairs: Counter[str], left: int = DEEPEST) -> object:
    """What was said: a text, or the value that is the answer; None if nothing was."""
    if isinstance(value, str):
        return value
    if not left:
        return None
    if isinstance(value, list):
        return _of_list(value, repairs, left - 1)
    return _of_object(value, repairs, left - 1) if isinstance(value, dict) else None


def _of_object(value: Mapping[str, object], repairs: Counter[str], left: int) -> object:
    """What reads as an answer, under keys of logs first; else the first text under such a key."""
    if _is_answer(value):
        return value
    order = {key: number for number, key in enumerate(keys.CARRIERS)}
    own = {folded_key(key): part for key, part in value.items() if part not in (None, [], {})}
    called = "type" in own or "name" in own  # the input of a tool, else it is the question
    named = [key for key in own if key not in keys.PASSED and (key != "input" or called)]
    other: object = None
    for key in sorted(named, key=lambda key: order.get(key, len(order))):
        inner, counts = own[key], Counter[str]()
        if key in keys.FIRST and isinstance(inner, list):
            counts[SAMPLES] += len(inner) - 1
            inner = inner[0]
        if key not in order and not isinstance(inner, (str, dict)):
            continue
        answer = _answer_in(inner, counts, left)
        if answer is None and isinstance(inner, dict) and key in order and _is_tool_input(inner):
            answer = inner
        if answer is not None and reads(answer):
            repairs.update(counts)
            return answer
        if other is None and key in order and isinstance(answer, str):
            other = answer
    return other


def _is_tool_input(value: Mapping[str, object]) -> bool:
    """Whether it is a mapping from entities to mentions, and no part of a log."""
    plain = all(
        isinstance(part, list | dict) and folded_key(key) not in {*keys.PASSED, *keys.CARRIERS} for key, part in value.items()
    )
    return plain and is_answer(value)


def _of_list(value: Sequence[object], repairs: Counter[str], left: int) -> object:
    """The last message of a model; the parts of a message without its thoughts; or a list that is the answer."""
    if _are_messages(value):
        last = [_answer_in(item, repairs, left) for item in value if isinstance(item, dict) and _role(item) in keys.ASSISTANTS][
            ::-1
        ]
        return next((answer for answer in last if answer is not None and reads(answer)), last[0] if last else None)
    if is_answer(list(value)) and not all(isinstance(item, dict) for item in value):
        return list(value)
    answer = [item for part in value if not _is_thought(part) and (item := _answer_in(part, repairs, left)) is not None]
    texts = [part for part in answer if isinstance(part, str)]
    whole = "".join(texts)
    if len(texts) > 1 and isinstance(loaded(whole), list | dict):
        return whole
    if any(map(reads, answer)) or len(texts) < 2:
        return next((part for part in answer[::-1] if reads(part)), answer[-1] if answer else None)
    return whole if reads(whole) else "\n".join(texts)


def _is_thought(part: object) -> bool:
    return isinstance(part, dict) and (folded_key(part.get("type", "")) in keys.THOUGHTS or part.get("thought") is True)


def _role(value: Mapping[str, object]) -> str:
    """Who says a message; empty if it is none."""
    answer = any(key in value for key in ("content", "value", "parts", "text"))
    if value.get("type") in ("human", "ai", "system", "tool") and "data" in value:
        return str(value["type"])
    role = next((value[key] for key in ("role", "from", "author", "sender") if key in value), "")
    if isinstance(role, dict):
        role = role.get("role", "")
    return role.casefold() if isinstance(role, str) and answer else ""


def _name(value: Mapping[str, object]) -> str:
    """The document that a record says it is of: by its own name, else by that of the document or the metadata in it."""
    folded = {folded_key(key): item for key, item in value.items()}
    parts = [folded.get(key) for key in ("doc", "document", "metadata", "instance", "vars", "input")]
    inner = [part for part in parts if isinstance(part, dict)]
    answered = not {"choices", "object", "candidates", "model"}.isdisjoint(folded)  # its id is that of the answer
    metadata = [] if answered else [(folded, keys.IDS)]
    order = [*((item, keys.DOCUMENTS) for item in (*inner, folded)), *((item, keys.IDS) for item in inner)]
    # `doc_id` is the number of a row in harnesses, and the document has a name
    for kinds, sources in (((str,), order), ((str, int), [*order, *metadata])):
        for item, names in sources:
            fields = {folded_key(key): part for key, part in item.items()}
            name = next((fields[key] for key in names if isinstance(fields.get(key), kinds)), None)
            if name is not None:
                return str(name)
    return ""


def as_text(answer: object) -> str:
    """What was said as a text: a value as JSON; a text that is a string of JSON as what is in it.

    Raises
    ------
    OptionError
        If it is a value that JSON does not have.
    """
    if answer is None:
        return ""
    if not isinstance(answer, str):
        try:
            return json.dumps(answer, ensure_ascii=False)
        except (TypeError, ValueError) as error:  # a type that JSON does not have; a value that is a part of itself
            raise OptionError(f"found no value of JSON; expected one: {error}") from None
    try:
        inner = json.loads(answer) if re.fullmatch(r'\s*".*"\s*', answer, re.DOTALL) else None
    except ValueError:
        return answer
    return as_text(inner) if isinstance(inner, str) else answer
