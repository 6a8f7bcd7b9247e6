"""The grammar of `Entity`, `Bridge` and `SplitAnte` in CorefUD files (see `referee.formats.corefud`).

::

    Entity  := bracket ...                   with nothing between them
    bracket := "(" fields | "(" fields ")" | id ")"
    fields  := value "-" value ...           in the order that `# global.Entity` gives; the last ones may be left out
    id      := eid | eid "[" i "/" n "]"     the second is the i-th of n parts of a discontinuous mention

Here tokens are counted through the file, not through their documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from referee.basics.exceptions import shortened
from referee.corpus import Spans
from referee.corpus.editing import join
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.possessive import compiled
from referee.formats.shared.source import OnError

# Possessive, for one way to read a value is enough: with others to try, a wrong one of thirty brackets takes a minute.
VALUE = compiled(r"(?:\([^()]++(?![^()])(?:\)|(?!\)))|[^()]++\))++")
BRACKET = re.compile(r"\(?[^()]+\)?")
PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]", re.DOTALL)
LINK = re.compile(r"([^<]+)<([^<:]+)(?::([^<]*))?")
HYPHEN = "a hyphen in an id or another field shifts those after it: write _ or %2D for it"
READ = ("eid", "GRP"), ("etype", "entity"), ("head",), ("minspan",)
"""The fields that are read, each with its names."""


Link: TypeAlias = tuple[int, int, int, int, str]
"""A value of `Bridge` or `SplitAnte`: its token and line, numbers of its left and its right entity, and the relation."""


class Problems:
    """What is odd but no error: one warning for each kind, with the first place and a count. `on_error` is for errors.

    Errors in `late` are reported last: most come with another one that says more.
    """

    def __init__(self, source: str, on_error: OnError) -> None:
        self.source = source
        self.on_error = on_error
        self.warnings: dict[str, list[tuple[int, str]]] = {}
        self.late: list[tuple[int, str]] = []

    def add(self, line: int, oddity: str, expected: str) -> None:
        """Count something odd on this line; what is expected instead is its kind."""
        self.warnings.setdefault(expected, []).append((line, oddity))

    def finish(self) -> None:
        """Report the last errors and give the warnings."""
        for error in self.late:
            self.on_error(*error)
        for expected, places in self.warnings.items():
            line, oddity = min(places)
            text = f"found {{names}}; expected {expected} ({{}} of this kind)"
            warn_file(self.source, text, "place", {oddity: len(places)}, line)


class Header(NamedTuple):
    """Which field of a bracket is which, counted from 0, -1 for those that there are not; and how many there are."""

    id: int
    type: int
    head: int
    minimum: int
    fields: int

    @classmethod
    def parse(cls, text: str) -> Header:
        """What a line `# global.Entity = text` says."""
        names = text.strip().split("-")
        places = [next((n for n, name in enumerate(names) if name in alike), -1) for alike in READ]
        return cls._make([*places, len(names)])


@dataclass(slots=True, eq=False)
class ParsedMention:
    """A mention, or a part of a discontinuous one.

    Parameters
    ----------
    line : int
        The line of its opening bracket.
    id : str
        The id of its entity.
    start : int
        Its first token.
    type, head_field, minimum_field : str or None
        Fields of its bracket; None for one that is left out.
    part, parts : int
        It is this one of so many parts.
    end : int
        The token after it; 0 while it is open, -1 if two brackets open and close it on one word.
    spans : Spans
        Half-open; empty if it is not discontinuous.
    head : int
        A token; -1 if it is not known.
    minimum : pair of int
        The minimum span, half-open; -1 if there is none.
    content, closing : str
        What stands in its brackets.
    brackets : list
        Of a discontinuous mention, its parts: first token, token after it, and what stands in its brackets.
    """

    line: int
    id: str
    start: int
    type: str | None
    head_field: str | None
    minimum_field: str | None = None
    part: int = 1
    parts: int = 1
    end: int = 0
    spans: Spans = ()
    head: int = -1
    minimum: tuple[int, int] = (-1, -1)
    content: str = ""
    closing: str = ""
    brackets: Sequence[tuple[int, int, str, str]] = ()


def read_mentions(
    values: Mapping[int, str], headers: Sequence[tuple[int, Header]], rows: ConlluRows, problems: Problems
) -> list[ParsedMention]:
    """The mentions in the order of their first brackets.

    Parameters
    ----------
    values : mapping
        The values of `Entity` by token.
    headers : sequence of pairs
        The lines `# global.Entity`: their numbers, and what they say. There is at least one.
    rows : ConlluRows
        The file.
    problems : Problems
        Takes errors and warnings.
    """
    mentions = _joined(_paired(values, headers, rows, problems), rows, problems.on_error)
    has_heads, nodes = any(header.head >= 0 for _, header in headers), rows.nodes.keys()
    for mention in mentions:
        spans = mention.spans
        tokens = [token for span in spans for token in range(*span)] if spans else range(mention.start, mention.end)
        if has_heads:
            mention.head = _head(mention, tokens, problems.on_error)
        if mention.minimum_field:
            words = tokens if nodes.isdisjoint(tokens) else [token for token in tokens if token not in nodes]
            low, high = _run(mention.minimum_field)
            if not low or high > len(words):
                oddity = f"minspan {shortened(mention.minimum_field)!r}"
                problems.add(mention.line, oddity, "numbers of its words, from 1, such as 2,3; not read")
            elif low > 0:
                first, last = words[low - 1], words[high - 1]
                if last - first - len(nodes & range(first, last)) == high - low:
                    mention.minimum = first, last + 1
    return mentions


def _paired(
    values: Mapping[int, str], headers: Sequence[tuple[int, Header]], rows: ConlluRows, problems: Problems
) -> list[ParsedMention]:
    """Mentions and parts of them from brackets: in a sentence, the last one opened of an entity is closed first."""
    mentions: list[ParsedMention] = []
    unopened: list[tuple[int, int, str]] = []  # the number of mentions before it, line and entity
    opened: dict[str, list[ParsedMention]] = {}
    sentence, later, header = -1, list(headers[::-1]), headers[0][1]
    lines, sentences, on_error = rows.tokens.line.tolist(), rows.tokens.sentence.tolist(), problems.on_error
    for token, value in values.items():
        line = lines[token]
        while later and later[-1][0] < line:
            header = later.pop()[1]
        if sentences[token] != sentence:
            sentence, opened = sentences[token], {}
        if not VALUE.fullmatch(value):
            expected = "brackets that open, close or do both, such as (e1-person-1-, e1) or (e1-person-1-)"
            on_error(line, f"found Entity={shortened(value)}; expected {expected}")
            continue
        for text in BRACKET.findall(value):
            if text[0] != "(":
                entity = _without_part(text[:-1])[0]
                if not opened.get(entity):
                    unopened.append((len(mentions), line, entity))
                else:
                    mention = opened[entity].pop()
                    mention.end, mention.closing = token + 1 if mention.start < token else -1, text[:-1]
            elif opening := _opened(token, line, text[1:].removesuffix(")"), header, problems):
                mentions.append(opening)
                if text[-1] == ")":
                    opening.end = token + 1
                else:
                    opened.setdefault(opening.id, []).append(opening)
    problem = "closed but was never opened; expected ({} before it in the sentence"
    alone = [(*half, problem) for half in unopened]
    problem = "opened but never closed; expected {}) before the end of the sentence"
    alone += [(n, mention.line, mention.id, problem) for n, mention in enumerate(mentions) if not mention.end]
    for _, line, entity, problem in sorted(alone, key=itemgetter(0)):
        on_error(line, f"entity {shortened(entity)} is {problem.format(shortened(entity))}")
    for mention in mentions:
        if mention.end < 0:
            name = shortened(mention.id)
            expected = f"expected one, ({name}), or {name}) on the last word of the mention"
            on_error(mention.line, f"entity {name} is opened and closed on one word by two brackets; {expected}")
    return [mention for mention in mentions if mention.end > 0]


def _opened(token: int, line: int, content: str, header: Header, problems: Problems) -> ParsedMention | None:
    """What an opening bracket says; None after an error."""
    fields: list[str | None] = [*content.split("-")]
    missing = header.fields - len(fields)
    if missing < 0:
        expected = f"expected no more fields than # global.Entity names: {HYPHEN}"
        problems.late.append((line, f"found ({shortened(content)}; {expected}"))
    fields += [None] * (max(missing, 0) + 1)  # the last is that of fields that the header does not name
    entity, part, parts = _without_part(fields[header.id] or "")
    if not entity:
        problems.on_error(line, "found an opening bracket without the id of an entity; expected one")
        return None
    known = fields[header.type], fields[header.head], fields[header.minimum]
    return ParsedMention(line, entity, token, *known, part, parts, content=content)


def _joined(mentions: Iterable[ParsedMention], rows: ConlluRows, on_error: OnError) -> list[ParsedMention]:
    """The mentions; the parts of a discontinuous one come in order, before another one of its entity begins."""
    whole: list[ParsedMention] = []
    waiting: dict[tuple[int, str], list[ParsedMention]] = {}
    for mention in mentions:
        part, parts = mention.part, mention.parts
        if part == parts == 1:
            whole.append(mention)
            continue
        before = waiting.setdefault((int(rows.tokens.sentence[mention.start]), mention.id), [])
        wrong = f"entity {shortened(mention.id)}: found part {part} of {parts} of a mention"
        if part != len(before) + 1 or part > parts or (before and parts != before[0].parts):
            expected = f"part {len(before) + 1} of {before[0].parts}" if before else f"part 1 of {parts} before it"
            on_error(mention.line, f"{wrong}; expected {expected}, in the same sentence")
        elif before and mention.start < before[-1].end:
            on_error(mention.line, f"{wrong}, which begins before part {part - 1} ends; expected it after that")
        else:
            before.append(mention)
            if part == 1:
                whole.append(mention)
            elif part == parts:
                _join(before)
                before.clear()
    for last in (before[-1] for before in waiting.values() if before):
        wrong = f"entity {shortened(last.id)}: found part {last.part} of {last.parts} of a mention"
        on_error(last.line, f"{wrong}; expected part {last.part + 1} of {last.parts} after it, in the same sentence")
    return [mention for mention in whole if mention.spans or mention.parts == 1]


def _join(parts: Sequence[ParsedMention]) -> None:
    """Make the first part a discontinuous mention of all; of each field, the last part that has it counts."""
    mention = parts[0]
    mention.brackets = [(part.start, part.end, part.content, part.closing) for part in parts]
    mention.spans = join((part.start, part.end) for part in parts)
    mention.end = parts[-1].end
    for part in parts[1:]:
        for name in ("type", "head_field", "minimum_field"):
            if getattr(part, name) is not None:
                setattr(mention, name, getattr(part, name))


def _head(mention: ParsedMention, tokens: Sequence[int], on_error: OnError) -> int:
    """The head as the number of a token of the mention; the only one of one token, whatever number it is."""
    field = mention.head_field
    if len(tokens) == 1 and (field is None or _is_digits(field)):
        return mention.start
    if field is None:
        return -1
    if 0 < (number := _number(field)) <= len(tokens):
        return tokens[number - 1]
    expected = f"a word of the mention, from 1 to {len(tokens)}: {HYPHEN}"
    on_error(mention.line, f"found the head {shortened(field)!r}; expected {expected}")
    return -1


@cache
def _run(field: str) -> tuple[int, int]:
    """First and last of numbers that follow one another; -1 if they do not, 0 if something is no number."""
    numbers = [_number(number) for number in field.split(",")]
    if 0 in numbers:
        return 0, 0
    return (numbers[0], numbers[-1]) if numbers == list(range(numbers[0], numbers[0] + len(numbers))) else (-1, -1)


def _without_part(text: str) -> tuple[str, int, int]:
    """The id without an ending such as [2/3], and what this says: 1 and 1 if there is none."""
    if text[-1:] != "]" or not (match := PART.fullmatch(text)):
        return text, 1, 1
    return match[1], int(match[2]), int(match[3])


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


@cache
def _number(text: str) -> int:
    """A number of at most nine digits; 0 if it is none."""
    return int(text) if _is_digits(text) and len(text) < 10 else 0


def entity_types(
    mentions: Sequence[ParsedMention], entities: Sequence[int], problems: Problems, has_heads: bool
) -> dict[int, str]:
    """The first type of each entity.

    Where the head is left out, as in `(person-1)` and `(person-2)`, a number or another type is a part of an id: an error.
    """
    types: dict[int, str] = {}
    for mention, entity in zip(mentions, entities, strict=True):
        if not mention.type:
            continue
        first = types.setdefault(entity, mention.type)
        is_headless = has_heads and mention.head_field is None
        if is_headless and _is_digits(mention.type):
            expected = f"expected a type that is no number: {HYPHEN}"
            problems.on_error(mention.line, f"found the type {shortened(mention.type)!r} and no head; {expected}")
        elif mention.type != first:
            oddity = f"the type {shortened(mention.type)} after {shortened(first)}"
            if is_headless:
                problems.on_error(mention.line, f"found {oddity} and no head; expected one type for each entity: {HYPHEN}")
            else:
                problems.add(mention.line, oddity, "one type for each entity; the first counts")
    return types


def entity_links(
    name: str, values: Iterable[tuple[int, str]], rows: ConlluRows, number: Mapping[tuple[int, str], int], problems: Problems
) -> Iterator[Link]:
    """The links in values of an attribute by tokens; `number` has the entity of a document and an id."""
    for token, value in values:
        line, document = int(rows.tokens.line[token]), int(rows.tokens.document[token])
        texts = value.split(",")
        for text in dict.fromkeys(texts):
            oddity = f"{name}={shortened(text)}"
            if (times := texts.count(text)) > 1:
                problems.add(line, f"{oddity} {times} times in one row", "each link once; read once")
            match = LINK.fullmatch(text)
            if not match:
                problems.add(line, oddity, "links between entities such as e1<e2, joined by commas; left out")
                continue
            left, right = (number.get((document, match[side])) for side in (1, 2))
            if left is None or right is None:
                problems.add(line, oddity, "entities of the document that have mentions; left out")
            elif left == right:
                problems.add(line, oddity, "another entity than itself; left out")
            else:
                yield token, line, left, right, match[3] or ""
