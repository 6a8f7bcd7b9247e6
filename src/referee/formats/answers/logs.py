"""What a model said, out of the logs of interfaces and harnesses: chat completions, batches, lists of messages, samples.

Each record of a log gives the text of the answer, or a value of JSON where it is one, and the document that it says it is of.
Nothing of a log is executed, fetched or followed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.formats.answers.lists import DOCUMENTS, ENTITIES, depth_of, documents_in, folded_key

SAMPLES = "other samples of the same question left out"
FAILED = "requests that failed taken for answers without entities"

SEVERAL = frozenset("samples requeststates results responses records rows instances data logs outputs predictions generations".split())
"""Keys of lists of records."""

FIRST = frozenset("choices candidates completions generations outputs resps filteredresps sequences".split())
"""Keys of lists with an answer each to one question: the first one counts."""

CARRIERS = (
    *("filteredresps", "result", "response", "body", "choices", "candidates", "message", "output", "outputs", "completions"),
    *("generations", "content", "parts", "messages", "conversations", "conversation", "toolcalls", "function", "arguments"),
    *("input", "completion", "generatedtext", "outputtext", "generation", "answer", "prediction", "predictedoutput"),
    *("modeloutput", "modelanswer", "modelresponse", "llmoutput", "llmresponse", "assistant", "text", "tagged", "value", "resps"),
    *("refusal", "kwargs", "data"),
)
"""Where an answer may stand in a record, what goes before first."""

ASSISTANTS = ("assistant", "model", "gpt", "bot", "ai", "chatbot", "chatgpt")
THOUGHTS = ("thinking", "reasoning", "redactedthinking", "thought", "reasoningcontent")
IDS = (*DOCUMENTS, "recordid", "key", "id", "name", "instanceid", "file", "filename", "uid", "idx", "index")
DEEPEST = 16


class Record(NamedTuple):
    """What a model said of a document.

    Parameters
    ----------
    name : str
        What the record calls the document; empty if it does not say.
    said : object
        A text, or a value of JSON; None if the request failed.
    """

    name: str
    said: object


def records_of(values: Sequence[object], repairs: Counter[str]) -> list[Record] | None:
    """The records of a log; None if the values are no log.

    >>> records_of([{"choices": [{"message": {"role": "assistant", "content": "[Tom](#1)"}}]}], Counter())
    [Record(name='', said='[Tom](#1)')]
    """
    if values and all(isinstance(value, dict) and _role(value) for value in values):  # one conversation
        said = _said(list(values), repairs)
        return None if said is None else [Record("", said)]
    found: list[Record] = []
    for value in values:
        if isinstance(value, list) and value and all(isinstance(of, dict) and _role(of) for of in value):
            found.append(Record("", _said(value, repairs)))
            continue
        if not isinstance(value, dict):
            return None
        inner = next((of for key, of in value.items() if folded_key(key) in SEVERAL and _are_records(of)), None)
        if isinstance(inner, dict):
            inner = [record for records in inner.values() for record in records]
        of_inner = records_of(inner, repairs) if isinstance(inner, list) else None
        if of_inner is not None:
            found += of_inner
        elif _is_record(value):
            found.append(Record(_name(value), _said(value, repairs)))
        else:
            return None
    repairs[FAILED] += sum(record.said is None for record in found)
    return found


def _are_records(value: object) -> bool:
    """Whether it is a list of records, or a mapping from tasks to these."""
    if isinstance(value, dict):
        return bool(value) and all(isinstance(of, list) and _are_records(of) for of in value.values())
    return isinstance(value, list) and bool(value) and all(isinstance(of, dict) and _is_record(of) for of in value)


def _is_record(value: Mapping[str, object]) -> bool:
    """Whether an object carries what a model said, and is no answer itself."""
    folded = {folded_key(key): of for key, of in value.items()}
    if any(key in ENTITIES and isinstance(of, (list, dict)) for key, of in folded.items()):
        return False
    carriers = [folded[key] for key in CARRIERS if key in folded]
    if any(isinstance(of, dict) and not documents_in(of) for of in carriers) or "error" in folded:
        return True
    named = any(key in folded for key in IDS) or len(folded) == 1
    texts = [of for of in carriers if isinstance(of, str)]
    lists = [of for of in carriers if isinstance(of, (list, dict)) and of]
    return any(map(_is_of_records, lists)) or (named and bool(texts or any(depth_of(of) > 1 for of in lists))) or len(texts) > 1 or (
        bool(texts) and bool({"prompt", "question", "input", "instruction"} & folded.keys())
    )


def _is_of_records(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(of, dict) and not depth_of(of) == 1 for of in value)


def _said(value: object, repairs: Counter[str], left: int = DEEPEST) -> object:
    """What was said: a text, or the value that is the answer; None if nothing was."""
    if isinstance(value, str) or not left:
        return value if isinstance(value, str) else None
    if isinstance(value, list):
        return _of_list(value, repairs, left - 1)
    if not isinstance(value, dict):
        return None
    folded = {folded_key(key): of for key, of in value.items()}
    if not any(key in ENTITIES for key in folded):
        for key in CARRIERS:
            inner = folded.get(key)
            if inner is None or (inner in ("", [], {}) and key != "content"):
                continue
            if key == "input" and "type" not in folded and "name" not in folded:  # the question
                continue
            if key in FIRST and isinstance(inner, list):
                repairs[SAMPLES] += len(inner) - 1
                inner = inner[0]
            said = _said(inner, repairs, left - 1)
            if said is not None and (said != "" or key == "content"):
                return said
        if any(key in folded for key in CARRIERS) or "error" in folded or "type" in folded and "role" in folded:
            return None
    return value


def _of_list(value: Sequence[object], repairs: Counter[str], left: int) -> object:
    """The last message of a model; the parts of a message without its thoughts; or a list that is the answer."""
    if value and all(isinstance(of, dict) and _role(of) for of in value):
        last = [of for of in value if isinstance(of, dict) and _role(of) in ASSISTANTS]
        return _said(last[-1], repairs, left) if last else None
    if value and all(isinstance(of, dict) and {folded_key(key) for key in of} & {"type", "text", "thought", "function"} for of in value):
        parts = [of for of in value if isinstance(of, dict) and not _is_thought(of)]
        said = [part for of in parts if (part := _said(of, repairs, left)) is not None]
        texts = [part for part in said if isinstance(part, str)]
        return "\n".join(texts) if texts and len(texts) == len(said) else said[-1] if said else None
    if len(value) == 1 and isinstance(value[0], (str, list)) and depth_of(list(value)) < 2:
        return _said(value[0], repairs, left)
    return list(value)


def _is_thought(part: Mapping[str, object]) -> bool:
    return folded_key(part.get("type", "")) in THOUGHTS or part.get("thought") is True


def _role(value: Mapping[str, object]) -> str:
    """Who says a message; empty if it is none."""
    found = value.get("role", value.get("from", ""))
    return found.casefold() if isinstance(found, str) and ("content" in value or "value" in value or "parts" in value) else ""


def _name(value: Mapping[str, object]) -> str:
    """The document that a record says it is of: by its own name, else by that of the document or the metadata in it."""
    folded = {folded_key(key): of for key, of in value.items()}
    inner = [of for key in ("doc", "document", "metadata", "instance", "vars", "input") if isinstance(of := folded.get(key), dict)]
    for names in (DOCUMENTS, IDS):
        for of in (*inner, folded):
            found = {folded_key(key): part for key, part in of.items()}
            name = next((found[key] for key in names if isinstance(found.get(key), (str, int))), None)
            if name is not None and not (of is folded and ("choices" in folded or "object" in folded) and names is IDS):
                return str(name)
    return ""


def as_text(said: object) -> str:
    """What was said as a text: a value as JSON; a text that is a string of JSON as what is in it."""
    if said is None:
        return ""
    if not isinstance(said, str):
        return json.dumps(said, ensure_ascii=False)
    for _ in range(3):
        if not re.fullmatch(r'\s*".*"\s*', said, re.DOTALL):
            break
        try:
            inner = json.loads(said)
        except ValueError:
            break
        if not isinstance(inner, str):
            break
        said = inner
    return said
