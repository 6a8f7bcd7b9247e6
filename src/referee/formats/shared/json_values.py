"""JSON as readers find it: values one a line or one a file, documents with names, clusters of spans, keys of a beginning."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, TypeAlias, TypeGuard

from referee.basics.exceptions import FormatError, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.possessive import compiled
from referee.formats.shared.source import OnError, Source

Json: TypeAlias = Any
"""What JSON holds: None, a truth value, a number, a text, a list or a dict of these. Readers find out which it is."""

PIECE = compiled(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)(?:"(\s*:)?|\\?\Z)|[\[{]|[\]}]', re.DOTALL)
"""A string, a key (with its colon), or a bracket; the last string of a text that is cut off may have no end."""


@lru_cache(maxsize=1)  # every format asks about the same beginning
def first_keys(head: str) -> frozenset[str]:
    """The keys of the first object of a text, which may be in lists; those that are seen, if it does not end in it.

    Examples
    --------
    >>> sorted(first_keys('[{"a": {"b": "}"}, "c": ['))
    ['a', 'c']
    """
    start = re.match(r"[\s\[]*\{", head)
    keys = set()
    depth = 0
    for piece in PIECE.finditer(head, start.end() - 1) if start else ():
        if piece[2] and depth == 1:
            keys.add(piece[1])
        depth += (piece[0] in "[{") - (piece[0] in "]}")
        if depth == 0:
            break
    return frozenset(keys)


def values(source: Source, on_error: OnError) -> Iterator[tuple[int | None, Any]]:
    """The values of a file with their lines: one a line, or a single one over many lines (then the line is None)."""
    if not _one_a_line(source.head.decode(errors="replace").strip()):
        yield None, parse(source.text(on_error), on_error)
        return
    for number, line in source.lines(on_error):
        if line.strip():
            yield number, parse(line, on_error, line=number)


def _one_a_line(head: str) -> bool:
    """Whether the first line is a value, or should be one."""
    first, _, rest = head.partition("\n")
    if not rest or (first.startswith("{") and (first.rstrip().endswith("}") or rest.startswith("{"))):
        return True
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def element_lines(text: str) -> list[int]:
    r"""The line at which each element of a list of objects begins, in a text that is such a list as JSON.

    Examples
    --------
    >>> element_lines('[{"a": [1]},\n{}, {}]')
    [1, 2, 2]
    """
    lines, depth, line, place = [], 0, 1, 0
    for piece in PIECE.finditer(text):
        if piece[0] in ("{", "["):
            depth += 1
            if depth == 2:
                line, place = line + text.count("\n", place, piece.start()), piece.start()
                lines.append(line)
        depth -= piece[0] in ("}", "]")
    return lines


def read_documents(
    source: Source, on_error: OnError, expected: str, add: Callable[[dict[str, Any], str, CorpusBuilder, Report], None]
) -> Corpus:
    """The corpus of a file whose values are objects, one a document, or lists of them.

    Parameters
    ----------
    source, on_error
        As in the `read` of a format.
    expected : str
        What a document should be, for the message about one that is no object.
    add : callable
        Adds a document of this name to the builder, and reports its errors.
    """
    builder = CorpusBuilder(source.name)
    for line, value in values(source, on_error):
        for document in value if isinstance(value, list) else [] if value is None else [value]:
            if not isinstance(document, dict):
                on_error(line, f"found {shown(document)}; expected {expected}")
                continue
            name = name_of(document)
            place = f"document {shortened(name)!r}: " if name else ""
            try:
                add(document, name, builder, partial(placed, on_error, line, place))
            except FormatError as error:  # a name that was used before
                on_error(line, error.problem)
    return builder.corpus()


def name_of(document: Mapping[str, Any]) -> str:
    """What a document is called by one of `NAMES`; empty if by none."""
    return next((str(document[key]) for key in NAMES if isinstance(document.get(key), str | int)), "")


def placed(on_error: OnError, line: int | None, place: str, problem: str) -> None:
    """Report a problem of a place in a line, such as "document 'd': "."""
    on_error(line, place + problem)


def spans(document: dict[str, Any], key: str, report: Report) -> Iterator[tuple[str, Any]]:
    """The label and the value, not looked at, of each span of the clusters under a key: their places are their labels."""
    clusters = document.get(key)
    if not isinstance(clusters, list):
        report(f"`{key}` is {shown(clusters)}; expected a list of clusters" if clusters is not None else f"found no `{key}`")
        return
    for number, cluster in enumerate(clusters):
        if isinstance(cluster, list):
            yield from ((str(number), value) for value in cluster)
        else:
            report(f"cluster {number}: found {shown(cluster)}; expected a list of spans")


def words(document: dict[str, Any], key: str, report: Report) -> list[str]:
    """The list of words under a key; none after an error."""
    value = document.get(key)
    if are_words(value):
        return value
    report(f"`{key}` is {shown(value)}; expected a list of words" if value is not None else f"found no `{key}`")
    return []


def are_words(value: object) -> TypeGuard[list[str]]:
    """Whether a value is a list of strings."""
    return isinstance(value, list) and {str}.issuperset(map(type, value))


def integers(value: object, number: int) -> list[int] | None:
    """The value, if it is a list of so many integers; True and False do not count as integers."""
    return value if isinstance(value, list) and [*map(type, value)] == [int] * number else None


MANY = 50
"""Mentions of a file, of which one at least should be of one word."""


def warn_of_long_mentions(corpus: Corpus, remedy: str) -> None:
    """Warn where spans with inclusive ends are many and none is of one word, as if the ends were exclusive."""
    if len(corpus.start) >= MANY and int((corpus.end - corpus.start).min()) > 1:
        text = "found {} and none of one word, which is not usual where ends are inclusive: "
        warn_file(corpus.source, text + remedy, "mention", len(corpus.start))


NAMES = ("doc_key", "doc_id", "document_id", "id")


Report = Callable[[str], None]


def parse(text: str, on_error: OnError, *, line: int = 1) -> object:
    """The JSON value of a text that begins on this line; None after an error. null is an error, too."""
    try:
        value = json.loads(text, object_pairs_hook=_once)
        if "\\" in text and ("\\ud" in text or "\\uD" in text):  # perhaps half of a surrogate pair, which no file holds
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        has_lines = error.msg == "Extra data" and error.lineno > 1
        lines = "; in JSON lines no key is known, --columns names those of records" * has_lines
        problem = f"{error.msg[:1].lower()}{error.msg[1:]}".removesuffix(" at")
        on_error(line + error.lineno - 1, f"is not JSON: {problem} at column {error.colno}{lines}")
    except UnicodeEncodeError:
        on_error(line, r"found half of a surrogate pair (\ud800 to \udfff); expected characters")
    except (ValueError, RecursionError) as error:  # a key twice, a number of thousands of digits, brackets without end
        on_error(line, f"is not JSON that can be read: {error}")
    else:
        if value is None:
            on_error(line, "found null; expected an object or a list")
        return value
    return None


def shown(value: object) -> str:
    """A value as a message shows it: as JSON, not too long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):  # json itself would keep the last and say nothing
        key = next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        raise ValueError(f"the key {shortened(key)!r} appears twice in one object")
    return value
