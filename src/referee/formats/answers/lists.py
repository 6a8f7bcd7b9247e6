"""Lists of strings, as language models write them: JSON, Python, or something like it, in any state of repair."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from referee.formats.answers.texts import NAMES

TOKEN = re.compile(
    r'"(?P<double>(?:[^"\\\n]|\\.)*)"|\'(?P<single>(?:[^\'\\\n]|\\.|(?<=\w)\'(?=\w))*)\'|“(?P<curly>[^”\n]*)”'
    r"|(?P<sign>[\[\]{}(),:])|(?P<bare>[^\s\[\]{}(),:\"“][^\[\]{}(),:\n\"“]*)|(?P<open>[\"“][^\n]*)"
)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
CLOSING = {"[": "]", "{": "}", "(": ")"}
COLON, COMMA = object(), object()
DEEPEST = 50

MENTIONS = ("mentions", "strings", "spans")
ENTITIES = (
    "clusters",
    "entities",
    "chains",
    "coreference",
    "coreferences",
    "coref",
    "clusters_text_mentions",
    "answer",
    "output",
)
WORDS = ("text", "mention", "string", "span", "quote", "word")
PLACES = ("sentence", "sent", "sentence_id", "sent_id", "s")


class Quote(NamedTuple):
    """A string, and the number beside it, as that of its sentence; None if there is none."""

    text: str
    number: int | None = None


class Quotes(NamedTuple):
    """The entities of a document.

    Parameters
    ----------
    name : str
        The document; empty if the answer does not say.
    entities : list of (str, list of Quote)
        The name of each entity, and its mentions.
    """

    name: str
    entities: list[tuple[str, list[Quote]]]


class Parsed(NamedTuple):
    """Values, and how many brackets have no end."""

    values: list[object]
    unclosed: int


def parsed(text: str) -> Parsed:
    """The values of a text: strings, numbers, lists and mappings. What is none of these is skipped, and nothing is an error.

    >>> parsed('Sure! {"Tom": ["Tom", "he"], "dog": ["his dog')
    Parsed(values=[{'Tom': ['Tom', 'he'], 'dog': ['his dog']}], unclosed=2)
    """
    top: list[object] = []
    stack: list[tuple[str, list[object]]] = [("", top)]
    for token in TOKEN.finditer(text):
        kind, found = token.lastgroup, token[token.lastgroup or 0]
        inside = stack[-1][1]
        if kind == "sign" and found in CLOSING and len(stack) < DEEPEST:
            stack.append((found, []))
        elif kind == "sign" and found in CLOSING.values():
            if any(CLOSING.get(opening) == found for opening, _ in stack):
                while _close(stack) != found:
                    pass
        elif kind == "sign":
            inside.append(COLON if found == ":" else COMMA)  # or a bracket that is too deep
        elif kind == "bare":
            inside.append(_bare(found.strip()))
        elif found.strip():
            inside.append(_unescaped(found if kind != "open" else found[1:]))
    unclosed = len(stack) - 1
    while len(stack) > 1:
        _close(stack)
    return Parsed([value for value in _items(_without_remarks(top)) if not isinstance(value, _Bare)], unclosed)


def _without_remarks(top: Sequence[object]) -> list[object]:
    """The values and names of a text without the words that stand behind a list, as in "I hope that this helps!"."""
    kept: list[object] = []
    for value, after in pairwise([*(value for value in top if value is not COMMA), None]):
        if not (isinstance(value, _Bare) and after is not COLON and kept and isinstance(kept[-1], (list, dict))):
            kept.append(value)
    return kept


class _Bare(str):
    """A word without quotes."""

    __slots__ = ()


def _bare(text: str) -> object:
    if re.fullmatch(r"-?\d{1,9}", text):
        return int(text)
    return _Bare(text.strip("-*# \t").removesuffix("'"))


def _unescaped(text: str) -> str:
    plain = ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else {"n": "\n", "t": "\t"}.get(m[2], m[2]), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _close(stack: list[tuple[str, list[object]]]) -> str:
    """End the innermost bracket; what would have ended it."""
    opening, inside = stack.pop()
    stack[-1][1].append(_mapping(inside) if opening == "{" else _items(inside))
    return CLOSING[opening]


def _items(inside: list[object]) -> list[object]:
    """The values of a list; pairs of a name, a colon and a value are mappings, as between braces."""
    if COLON in inside:
        mapping = _mapping(inside)
        return [mapping] if mapping else []
    return [value for value in inside if value is not COMMA]


def _mapping(inside: list[object]) -> dict[str, object]:
    """The pairs of a name and what follows the colon: one value, or several as a list."""
    found: dict[str, list[object]] = {}
    name = ""
    for n, value in enumerate(inside):
        if value is COMMA or value is COLON:
            continue
        after = inside[n + 1] if n + 1 < len(inside) else None
        if after is COLON and not isinstance(value, (list, dict)):
            name = str(value)
            found.setdefault(name, [])
        else:
            found.setdefault(name, []).append(value)
    return {name: of[0] if len(of) == 1 else of for name, of in found.items()}


@lru_cache(maxsize=4)  # an answer is read once without a key, and once with it
def quotes_of(text: str) -> tuple[list[Quotes], int]:
    """The entities of each document of an answer, and how many brackets have no end.

    A list of strings is an entity, a list or a mapping of these is a document, and one of documents is an answer.
    """
    values, unclosed = parsed(text)
    value = values[0] if len(values) == 1 else values
    return [quotes for quotes in _documents(value, "") if quotes.entities or quotes.name], unclosed


def _documents(value: object, name: str) -> Iterator[Quotes]:
    inner = _entities_in(value)
    if isinstance(value, dict) and inner is not None:
        own = next((str(value[key]) for key in NAMES if isinstance(value.get(key), (str, int))), "")
        yield from _documents(inner, own or name)
    elif isinstance(value, dict) and _depth(value) > 2:
        for document, of in value.items():
            yield from _documents(of, document)
    elif isinstance(value, list) and _depth(value) > 2:
        for of in value:
            yield from _documents(of, name)
    else:
        yield Quotes(name, [(label, quotes) for label, of in _entities(value) if (quotes := list(_quotes(of)))])


def _entities(value: object) -> Iterator[tuple[str, object]]:
    """The entities of a document, with their names."""
    if isinstance(value, dict) and _mentions_in(value) is None:
        yield from value.items()
    elif isinstance(value, list) and _depth(value) > 1:
        for of in value:
            name = next((str(of[key]) for key in NAMES if key in of), "") if isinstance(of, dict) else ""
            if isinstance(of, dict) and _mentions_in(of) is None and not _is_quote(of):
                yield from of.items()
            else:
                yield name, of
    else:
        yield "", value


def _entities_in(value: object) -> object:
    """The entities of an object that is a document; None if it is none."""
    return _first(value, ENTITIES)


def _mentions_in(value: object) -> object:
    """The mentions of an object that is an entity; None if it is none."""
    return _first(value, MENTIONS)


def _first(value: object, keys: Iterable[str]) -> object:
    """The first value of an object under these keys that has others inside; None if there is none."""
    found = (value.get(key) for key in keys) if isinstance(value, dict) else ()
    return next((inner for inner in found if isinstance(inner, (list, dict))), None)


def _depth(value: object) -> int:
    """0 for a string, 1 for an entity, 2 for a document, and more for several."""
    if _is_quote(value) or not isinstance(value, (list, dict)):
        return 0
    if _entities_in(value) is not None:
        return 2
    if _mentions_in(value) is not None:
        return 1
    return 1 + max(map(_depth, value.values() if isinstance(value, dict) else value), default=0)


def _is_quote(value: object) -> bool:
    """Whether it is a string, or one with a number."""
    if isinstance(value, list):
        return len(value) == 2 and {type(part) for part in value} in ({str, int}, {_Bare, int})
    return isinstance(value, str) or (isinstance(value, dict) and any(key in value for key in WORDS))


def _quotes(value: object) -> Iterator[Quote]:
    """The strings of an entity."""
    if isinstance(value, str):
        if value.strip():
            yield Quote(str(value))
    elif isinstance(value, dict):
        text = next((value[key] for key in WORDS if isinstance(value.get(key), str)), None)
        place = next((value[key] for key in PLACES if isinstance(value.get(key), int)), None)
        if text is not None:
            yield Quote(str(text), place)
        else:
            yield from _quotes(_mentions_in(value) or list(value.values()))
    elif isinstance(value, list) and _is_quote(value):
        number = next(item for item in value if isinstance(item, int))
        yield Quote(str(next(item for item in value if isinstance(item, str))), number)
    elif isinstance(value, list):
        for inner in value:
            yield from _quotes(inner)
