"""What a file's format is told from: its beginning, or what a long first object or header of it comes to.

A first document of JSON may be far longer than the 64 KB that are looked at else, and its last key may be the one that tells.
It is read whole then, and its strings, lists and objects are cut short, so that all its keys are seen.
"""

from __future__ import annotations

import json
import re
from itertools import islice

from referee.formats.shared.json_values import Json
from referee.formats.shared.source import HEAD, Source

TIMES = 4
"""So many times as much is read where the first object has no end in what was, so that all of it takes linear time."""
ELEMENTS, CHARACTERS, KEYS = 8, 4000, 1000
"""What is kept of a list, a string and an object, at most."""
SHORT = 16
"""Characters at the end of a text that is cut off which may be the rest of a number, a word or an escape."""
FIRST_OBJECT = re.compile(r"[\s\[]*(?=\{)")


def beginning(source: Source) -> str:
    """The first 64 KB of a text, as text; of JSON whose first object does not end there, this object cut short.

    Examples
    --------
    >>> text = '{"text": "%s", "spans": [1, 2, 3]}' % ("word " * 20_000)
    >>> beginning(Source("x", data=text.encode()))[-40:]
    'rd word word word ", "spans": [1, 2, 3]}'
    """
    head = source.head.decode(errors="replace")
    start = FIRST_OBJECT.match(head) if len(source.head) == HEAD else None
    value = first_object(source, head, start.end()) if start else None
    return head[: start.end()] + json.dumps(_outline(value), ensure_ascii=False) if start and value else head


def first_object(source: Source, text: str, start: int) -> dict[str, Json] | None:
    """The object that starts at this character, if it ends behind a text that is the first part of the source."""
    decoder, size = json.JSONDecoder(), len(source.head)
    while True:
        try:
            value, _ = decoder.raw_decode(text, start)
        except RecursionError:
            return None
        except ValueError as error:
            in_string = isinstance(error, json.JSONDecodeError) and error.msg.startswith("Unterminated string")
            if not in_string and getattr(error, "pos", 0) < len(text) - SHORT:  # wrong, and not only cut off
                return None
        else:
            return value if size > HEAD else None
        size *= TIMES
        before, text = len(text), source.longer(size)
        if len(text) <= before:
            return None


def _outline(value: Json) -> Json:
    """A value with the first of its keys, elements and characters."""
    if isinstance(value, dict):
        return {key: _outline(part) for key, part in islice(value.items(), KEYS)}
    if isinstance(value, list):
        return [_outline(part) for part in value[:ELEMENTS]]
    return value[:CHARACTERS] if isinstance(value, str) else value
