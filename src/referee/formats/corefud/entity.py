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
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from referee.basics.exceptions import shortened
from referee.corpus import Spans
from referee.corpus.editing import join
from referee.formats.corefud.problems import HYPHEN, ITSELF, MALFORMED, MINSPAN, TWICE, TYPES, UNKNOWN, Problems
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.possessive import compiled

# Possessive, for one way to read a value is enough: with others to try, a wrong one of thirty brackets takes a minute.
VALUE = compiled(r"(?:\([^()]++(?![^()])(?:\)|(?!\)))|[^()]++\))++")
BRACKET = re.compile(r"\(?[^()]+\)?")
PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]", re.DOTALL)
LINK = re.compile(r"([^<]+)<([^<:]+)(?::([^<]*))?")


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

        def place(*alike: str) -> int:
            return next((n for n, name in enumerate(names) if name in alike), -1)

        return cls(place("eid", "GRP"), place("etype", "entity"), place("head"), place("minspan"), len(names))


@dataclass(slots=True, eq=False)
class ParsedMention:
    """A mention, or a part of a discontinuous one.

    Parameters
    ----------
    line, document : int
        The line of its opening bracket, and the number of its document.
    id : str
        The id of its entity.
    start : int
        Its first token.
    type, head_field, minimum_field : str or None
        Fields of its bracket; None for one that is left out.
    which, number : int
        It is this one of so many parts.
    end : int
        The token after it; 0 while it is open.
    spans : Spans
        Half-open; empty if it is not discontinuous.
    head : int
        A token; -1 if it is not known.
    minimum : pair of int
        The minimum span, half-open; -1 if there is none.
    """

    line: int
    document: int
    id: str
    start: int
    type: str | None
    head_field: str | None
    minimum_field: str | None = None
    which: int = 1
    number: int = 1
    end: int = 0
    spans: Spans = ()
    head: int = -1
    minimum: tuple[int, int] = (-1, -1)

    @property
    def tokens(self) -> Sequence[int]:
        """All tokens of it."""
        return [token for span in self.spans for token in range(*span)] if self.spans else range(self.start, self.end)


class MentionReader:
    """Reads the mentions of a file.

    Parameters
    ----------
    rows : ConlluRows
        The file.
    headers : sequence of pairs
        The lines `# global.Entity`: their numbers, and what they say. There is at least one.
    problems : Problems
        Takes errors and warnings.
    """

    def __init__(self, rows: ConlluRows, headers: Sequence[tuple[int, Header]], problems: Problems) -> None:
        self.line, self.document, self.sentence, self.is_node = (column.tolist() for column in rows.tokens)
        self.headers = headers
        self.problems = problems
        self.on_error = problems.on_error

    def read(self, values: Mapping[int, str]) -> list[ParsedMention]:
        """The mentions in the order of their first brackets, from the values of `Entity` by tokens."""
        mentions = self._joined(self._paired(values))
        if any(header.head >= 0 for _, header in self.headers):
            for mention in mentions:
                mention.head = self._head(mention)
        for mention in mentions:
            if mention.minimum_field:
                self._find_minimum(mention, mention.minimum_field)
        return mentions

    def _paired(self, values: Mapping[int, str]) -> list[ParsedMention]:
        """Mentions and parts of them from brackets: in a sentence, the last one opened of an entity is closed first."""
        mentions: list[ParsedMention] = []
        at_once: list[ParsedMention] = []
        unopened: list[tuple[int, int, str]] = []  # the number of mentions before it, line and entity
        opened: dict[str, list[ParsedMention]] = {}
        sentence, headers, header = -1, deque(self.headers), self.headers[0][1]
        for token, value in values.items():
            line = self.line[token]
            while headers and headers[0][0] < line:
                header = headers.popleft()[1]
            if self.sentence[token] != sentence:
                sentence, opened = self.sentence[token], {}
            if not VALUE.fullmatch(value):
                expected = "brackets that open, close or do both, such as (e1-person-1-, e1) or (e1-person-1-)"
                self.on_error(line, f"found Entity={shortened(value)}; expected {expected}")
                continue
            for text in BRACKET.findall(value):
                if text[0] != "(":
                    entity = _without_part(text[:-1])[0]
                    if not opened.get(entity):
                        unopened.append((len(mentions), line, entity))
                    elif (mention := opened[entity].pop()).start < token:
                        mention.end = token + 1
                    else:
                        at_once.append(mention)
                elif part := self._opened(token, text[1:].removesuffix(")"), header):
                    mentions.append(part)
                    if text[-1] == ")":
                        part.end = token + 1
                    else:
                        opened.setdefault(part.id, []).append(part)
        problem = "closed but was never opened; expected ({} before it in the sentence"
        alone = [(*half, problem) for half in unopened]
        problem = "opened but never closed; expected {}) before the end of the sentence"
        alone += [(n, m.line, m.id, problem) for n, m in enumerate(mentions) if not m.end and m not in at_once]
        for _, line, entity, problem in sorted(alone, key=itemgetter(0)):
            self.on_error(line, f"entity {shortened(entity)} is {problem.format(shortened(entity))}")
        for mention in at_once:
            shown = shortened(mention.id)
            expected = f"expected one, ({shown}), or {shown}) on the last word of the mention"
            self.on_error(mention.line, f"entity {shown} is opened and closed on one word by two brackets; {expected}")
        return [mention for mention in mentions if mention.end]

    def _opened(self, token: int, content: str, header: Header) -> ParsedMention | None:
        """What an opening bracket says; None after an error."""
        line = self.line[token]
        fields = content.split("-")
        size = len(fields)
        if size > header.fields:
            expected = f"expected no more fields than # global.Entity names: {HYPHEN}"
            self.problems.late.append((line, f"found ({shortened(content)}; {expected}"))
        entity, which, number = _without_part(fields[header.id]) if header.id < size else ("", 1, 1)
        if not entity:
            self.on_error(line, "found an opening bracket without the id of an entity; expected one")
            return None
        return ParsedMention(
            line,
            self.document[token],
            entity,
            token,
            fields[header.type] if 0 <= header.type < size else None,
            fields[header.head] if 0 <= header.head < size else None,
            fields[header.minimum] if 0 <= header.minimum < size else None,
            which,
            number,
        )

    def _joined(self, parts: Sequence[ParsedMention]) -> list[ParsedMention]:
        """The mentions; the parts of a discontinuous one come in order, before another one of its entity begins."""
        mentions: list[ParsedMention] = []
        waiting: dict[tuple[int, str], list[ParsedMention]] = {}
        for part in parts:
            which, number = part.which, part.number
            if which == number == 1:
                mentions.append(part)
                continue
            before = waiting.setdefault((self.sentence[part.start], part.id), [])
            wrong = f"entity {shortened(part.id)}: found part {which} of {number} of a mention"
            if which != len(before) + 1 or which > number or (before and number != before[0].number):
                expected = f"part {len(before) + 1} of {before[0].number}" if before else f"part 1 of {number} before it"
                self.on_error(part.line, f"{wrong}; expected {expected}, in the same sentence")
            elif before and part.start < before[-1].end:
                self.on_error(part.line, f"{wrong}, which begins before part {which - 1} ends; expected it after that")
            else:
                before.append(part)
                if which == 1:
                    mentions.append(part)
                elif which == number:
                    _join(before)
                    before.clear()
        for part in (before[-1] for before in waiting.values() if before):
            wrong = f"entity {shortened(part.id)}: found part {part.which} of {part.number} of a mention"
            expected = f"part {part.which + 1} of {part.number} after it, in the same sentence"
            self.on_error(part.line, f"{wrong}; expected {expected}")
        return [mention for mention in mentions if mention.spans or mention.number == 1]

    def _head(self, mention: ParsedMention) -> int:
        """The head as the number of a token of the mention; the only one of one token, whatever number it is."""
        field, tokens = mention.head_field, mention.tokens
        if len(tokens) == 1 and (field is None or _is_digits(field)):
            return mention.start
        if field is None:
            return -1
        number = _number(field)
        if 0 < number <= len(tokens):
            return tokens[number - 1]
        expected = f"a word of the mention, from 1 to {len(tokens)}: {HYPHEN}"
        self.on_error(mention.line, f"found the head {shortened(field)!r}; expected {expected}")
        return -1

    def _find_minimum(self, mention: ParsedMention, field: str) -> None:
        """Set the minimum span, if its words follow one another. Empty nodes are not counted."""
        low, high = _run(field)
        words = [token for token in mention.tokens if not self.is_node[token]]
        if not low or high > len(words):
            self.problems.add(MINSPAN, mention.line, f"minspan {shortened(field)!r}")
        elif low > 0:
            first, last = words[low - 1], words[high - 1]
            if last - first - sum(self.is_node[first:last]) == high - low:
                mention.minimum = first, last + 1


def _join(parts: Sequence[ParsedMention]) -> None:
    """Make the first part a discontinuous mention of all; of each field, the last part that has it counts."""
    mention = parts[0]
    mention.spans = join((part.start, part.end) for part in parts)
    mention.end = parts[-1].end
    for part in parts[1:]:
        mention.type = mention.type if part.type is None else part.type
        mention.head_field = mention.head_field if part.head_field is None else part.head_field
        mention.minimum_field = mention.minimum_field if part.minimum_field is None else part.minimum_field


@cache
def _run(field: str) -> tuple[int, int]:
    """First and last of numbers that follow one another; -1 if they do not, 0 if something is no number."""
    numbers = [_number(number) for number in field.split(",")]
    if 0 in numbers:
        return 0, 0
    return (numbers[0], numbers[-1]) if numbers == list(range(numbers[0], numbers[0] + len(numbers))) else (-1, -1)


def _without_part(text: str) -> tuple[str, int, int]:
    """The id without an ending such as [2/3], and what this says: 1 and 1 if there is none."""
    match = PART.fullmatch(text) if text.endswith("]") else None
    return (match[1], int(match[2]), int(match[3])) if match else (text, 1, 1)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


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
                problems.add(TYPES, mention.line, oddity)
    return types


class Link(NamedTuple):
    """A value of `Bridge` or `SplitAnte`: its token and line, numbers of its left and its right entity, and the relation."""

    token: int
    line: int
    left: int
    right: int
    relation: str


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
                problems.add(TWICE, line, f"{oddity} {times} times in one row")
            match = LINK.fullmatch(text)
            if not match:
                problems.add(MALFORMED, line, oddity)
                continue
            left, right = (number.get((document, match[side])) for side in (1, 2))
            if left is None or right is None:
                problems.add(UNKNOWN, line, oddity)
            elif left == right:
                problems.add(ITSELF, line, oddity)
            else:
                yield Link(token, line, left, right, match[3] or "")
