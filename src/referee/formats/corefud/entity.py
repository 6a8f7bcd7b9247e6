"""The grammar of `Entity`, `Bridge` and `SplitAnte` in CorefUD files (see `referee.formats.corefud`).

::

    Entity  := bracket ...                   with nothing between them
    bracket := "(" fields | "(" fields ")" | id ")"
    fields  := value "-" value ...           in the order that `# global.Entity` gives; the last ones may be left out
    id      := eid | eid "[" i "/" n "]"     the second is the i-th of n parts of a mention

Here tokens are counted through the file, not through their documents, and ids are bytes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from referee.algorithms.arrays import Bools, Ints, arange, argsort, inverse
from referee.basics.exceptions import shortened
from referee.corpus import Spans
from referee.corpus.editing import join
from referee.formats.corefud.rows import Attribute, Tokens
from referee.formats.shared.brackets import pair
from referee.formats.shared.byte_words import FIRST_BYTES, words_at
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.possessive import compiled
from referee.formats.shared.source import OnError

# Possessive, for one way to read a value is enough: with others to try, a wrong one of thirty brackets takes a minute.
VALUE = compiled(rb"(?:\([^()]++(?![^()])(?:\)|(?!\)))|[^()]++\))++")
OPEN, CLOSE, NEWLINE, HYPHEN_BYTE = b"()\n-"
BORDER = np.isin(np.arange(256), list(b"()\n"))
PART = re.compile(rb"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")
LINK = re.compile(rb"([^<]+)<([^<:]+)(?::([^<]*))?")

HYPHEN = "a hyphen in an id or another field shifts those after it: write _ or %2D for it"
MINSPAN = "expected numbers of its words, from 1, such as 2,3; not read"
TYPES = "expected one type for each entity; the first counts"
MALFORMED = "expected links between entities such as e1<e2, joined by commas; left out"
ITSELF = "expected another entity than itself; left out"
NOT_YET = "expected it where a mention of that entity begins, or later; left out"
UNKNOWN = "expected entities of the document that have mentions; left out"
TWICE = "expected each link once; read once"


class Header(NamedTuple):
    """Which field of a bracket is which, counted from 0, -1 for those that there are not; and how many there are."""

    id: int
    type: int
    head: int
    minimum: int
    fields: int

    @classmethod
    def of(cls, text: str) -> Header:
        """What a line `# global.Entity = text` says."""
        names = text.strip().split("-")

        def place(*alike: str) -> int:
            return next((n for n, name in enumerate(names) if name in alike), -1)

        return cls(place("eid", "GRP"), place("etype", "entity"), place("head"), place("minspan"), len(names))


class EntityMentions(NamedTuple):
    """Mentions in the order of their first brackets.

    Parameters
    ----------
    start, end : int64 array, shape (mentions,)
        Tokens, counted through the file, half-open.
    entity : int64 array, shape (mentions,)
        Entities in the order of their first brackets.
    ids : sequence of bytes
        The id of each entity.
    parts : mapping
        The spans of the mentions of several parts, which may touch.
    head : int64 array or None
        A token, -1 where unknown; None if the file has no heads.
    minimum : int64 array, shape (mentions, 2), or None
        Minimum spans in tokens, half-open, -1 where there is none; None if the file has none.
    types : sequence of str
        The type of each entity.
    """

    start: Ints
    end: Ints
    entity: Ints
    ids: Sequence[bytes]
    parts: Mapping[int, Spans]
    head: Ints | None
    minimum: Ints | None
    types: Sequence[str]


class Troubles:
    """Oddities that are no errors: one warning for each kind, with the first place and a count. `on_error` is for errors.

    Those in `at_end` are told last: most come with another one that says more.
    """

    def __init__(self, source: str, on_error: OnError) -> None:
        self.source = source
        self.on_error = on_error
        self.seen: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self.at_end: list[tuple[int, str]] = []

    def add(self, kind: str, line: int, found: str) -> None:
        """Count something odd of this kind, found on this line."""
        self.seen[kind].append((line, found))

    def finish(self) -> None:
        """Tell the last errors and give the warnings."""
        for error in self.at_end:
            self.on_error(*error)
        for kind, places in self.seen.items():
            line, found = min(places)
            warn_file(self.source, f"found {{names}}; {kind} ({{}} of this kind)", "place", {found: len(places)}, line)


class FieldColumn(NamedTuple):
    """Texts as numbers, equal for equal texts; there are few different ones. None is a field that is left out."""

    code: Ints
    texts: list[bytes | None]

    @classmethod
    def cut(cls, text: bytes, begin: Ints, end: Ints) -> FieldColumn:
        """Number stretches of a text, which has eight bytes more; one that ends before it begins is left out.

        Those of at most eight bytes are told apart as numbers, all at once.
        """
        size = end - begin
        is_short = (size >= 0) & (size <= (8 if b"\0" not in text else -1))
        short, others = np.flatnonzero(is_short), np.flatnonzero(~is_short)
        words = words_at(np.frombuffer(text, dtype=np.uint8), begin[short]) & FIRST_BYTES[size[short]]
        distinct, first, of_short = np.unique(words, return_index=True, return_inverse=True)

        def texts(rows: Ints) -> Iterator[bytes | None]:
            return (text[a:b] if a <= b else None for a, b in zip(begin[rows].tolist(), end[rows].tolist(), strict=True))

        number: dict[bytes | None, int] = {}
        code = np.empty(len(begin), dtype=np.int64)
        code[short] = of_short
        code[others] = [number.setdefault(other, len(distinct) + len(number)) for other in texts(others)]
        return cls(code, [*texts(short[first]), *number])

    def pick(self, rows: Ints) -> FieldColumn:
        """Take some rows."""
        return FieldColumn(self.code[rows], self.texts)

    def text(self, row: int) -> bytes:
        """Give the text of a row; empty if the field is left out."""
        return self.texts[self.code[row]] or b""


class _Pieces(NamedTuple):
    """Mentions of one part, and parts of mentions of several, in the order of their opening brackets.

    Each is the `which`-th part of `number`.
    """

    line: Ints
    sentence: Ints
    start: Ints
    end: Ints
    id: FieldColumn
    which: Ints
    number: Ints
    type: FieldColumn
    head: FieldColumn
    minimum: FieldColumn


class _MentionPlaces(NamedTuple):
    """Where mentions are: spans that include what is between their parts; the parts of those of several; lines."""

    start: Ints
    end: Ints
    parts: Mapping[int, Spans]
    line: Ints


def mentions(entity: Attribute, headers: Sequence[Header], header: Ints, tokens: Tokens, troubles: Troubles) -> EntityMentions:
    """Read the mentions from the values of the attribute `Entity`.

    Parameters
    ----------
    entity : Attribute
        Values with their tokens.
    headers : sequence of Header
        The headers of the file.
    header : int64 array
        The number of the header that applies to each value.
    tokens : Tokens
        All tokens of the file.
    troubles : Troubles
        Takes errors and warnings.
    """
    pieces = _pieces(entity, headers, header, tokens, troubles)
    first, last, several = _groups(pieces, troubles.on_error)
    start, end = pieces.start[first], pieces.end[last]
    parts = {m: join((int(pieces.start[p]), int(pieces.end[p])) for p in group) for m, group in several.items()}
    places = _MentionPlaces(start, end, parts, pieces.line[first])
    ids = pieces.id.pick(first)
    key = tokens.document[start] * np.int64(len(ids.texts) + 1) + ids.code
    _, begins, numbers = np.unique(key, return_index=True, return_inverse=True)
    numbers = inverse(begins.argsort())[numbers]  # in the order of the file

    def column(of_pieces: FieldColumn) -> FieldColumn:
        """What the last part of each mention says that says anything."""
        found = of_pieces.pick(last)
        for m, group in several.items():
            saying = [p for p in group if of_pieces.texts[of_pieces.code[p]] is not None]
            found.code[m] = of_pieces.code[(saying or group)[-1]]
        return found

    labels = [ids.texts[code] or b"" for code in ids.code[np.sort(begins)].tolist()]
    with_heads = any(h.head >= 0 for h in headers)
    heads = _heads(column(pieces.head), places, troubles.on_error) if with_heads else None
    minima = _minima(column(pieces.minimum), places, tokens, troubles) if any(h.minimum >= 0 for h in headers) else None
    headless = np.array([text is None for text in pieces.head.texts], dtype=bool)[pieces.head.code][last] & with_heads
    types = _types(column(pieces.type), numbers, len(begins), headless, places, troubles)
    return EntityMentions(start, end, numbers, labels, parts, heads, minima, types)


def _pieces(entity: Attribute, headers: Sequence[Header], header: Ints, tokens: Tokens, troubles: Troubles) -> _Pieces:
    on_error = troubles.on_error
    value, opens, closes, text, begin, end = _brackets(entity, tokens, on_error)
    token = entity.token[value]
    line, sentence = tokens.line[token], tokens.sentence[token]
    opening = np.flatnonzero(opens)
    header = header[value[opening]]
    limit = np.array([h.fields for h in headers], dtype=np.int64)[header]
    size, places = _fields(text, begin[opening], end[opening], headers, header)
    for n in opening[size > limit].tolist():
        found = f"found ({_shown(text[begin[n] : end[n]])}"
        troubles.at_end.append((int(line[n]), f"{found}; expected no more fields than # global.Entity names: {HYPHEN}"))

    begin[opening], end[opening] = places[0]
    ids, which, number = _parts(FieldColumn.cut(text, begin, end))
    good = np.array([bool(text) for text in ids.texts], dtype=bool)[ids.code]
    for n in np.flatnonzero(~good).tolist():
        on_error(int(line[n]), "found an opening bracket without the id of an entity; expected one")
    first, after = _paired(ids, opens, closes, good, line, sentence, on_error)
    at_once = (token[first] == token[after]) & (first != after)
    for n in first[at_once].tolist():
        shown = _shown(ids.text(n))
        expected = f"expected one, ({shown}), or {shown}) on the last word of the mention"
        on_error(int(line[n]), f"entity {shown} is opened and closed on one word by two brackets; {expected}")
    order = first[~at_once].argsort()
    first, after = first[~at_once][order], after[~at_once][order]
    row = (np.cumsum(opens) - 1)[first]
    types, heads, minima = (FieldColumn.cut(text, *(side[row] for side in place)) for place in places[1:])
    spans = line[first], sentence[first], token[first], token[after] + 1
    return _Pieces(*spans, ids.pick(first), which[first], number[first], types, heads, minima)


def _fields(
    text: bytes, begin: Ints, end: Ints, headers: Sequence[Header], header: Ints
) -> tuple[Ints, list[tuple[Ints, Ints]]]:
    """How many fields each bracket has; and where its id, type, head and minimum span begin and end, as its header says.

    A field that is left out ends before it begins.
    """
    hyphens = np.append(np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == HYPHEN_BYTE), len(text))
    first, after = np.searchsorted(hyphens, begin), np.searchsorted(hyphens, end)
    last = after - first
    places = []
    for field in range(len(Header._fields) - 1):
        place = np.array([h[field] for h in headers], dtype=np.int64)[header]
        inside = np.clip(place, 0, last)
        start = np.where(inside > 0, hyphens[first + np.maximum(inside, 1) - 1] + 1, begin)
        stop = np.where(inside < last, hyphens[first + inside], end)
        places.append((start, np.where(place == inside, stop, start - 1)))
    return last + 1, places


def _parts(ids: FieldColumn) -> tuple[FieldColumn, Ints, Ints]:
    """The ids without an ending such as [2/3], and what these endings say: 1 and 1 where there is none."""
    is_part = ((n, PART.fullmatch(text)) for n, text in enumerate(ids.texts) if text and text.endswith(b"]"))
    parts = [(n, match) for n, match in is_part if match]
    number = {text: n for n, text in enumerate(ids.texts)} if parts else {}
    rows = np.ones((3, len(ids.texts)), dtype=np.int64)
    rows[0] = arange(len(ids.texts))
    for n, match in parts:
        rows[:, n] = number.setdefault(match[1], len(number)), int(match[2]), int(match[3])
    code, which, of = rows[:, ids.code]
    return FieldColumn(code, list(number) or ids.texts), which, of


def _brackets(entity: Attribute, tokens: Tokens, on_error: OnError) -> tuple[Ints, Bools, Bools, bytes, Ints, Ints]:
    """Of each bracket: the number of its value, whether it opens, whether it closes; a text, and where what is in it stands."""
    kept = np.arange(len(entity.values))
    values = entity.values
    while values:
        text = b"\n%b\n" % b"\n".join(values)
        data = np.frombuffer(text, dtype=np.uint8)
        is_border = BORDER[data]
        edge = np.diff(is_border.view(np.int8))
        begin, end = np.flatnonzero(edge == -1) + 1, np.flatnonzero(edge == 1) + 1
        is_open, is_close = data[begin - 1] == OPEN, data[end] == CLOSE
        is_last = data[end + is_close] == NEWLINE
        borders = sum(map(np.count_nonzero, (is_open, is_close, is_last)))  # all but the first newline, if nothing is wrong
        if borders == np.count_nonzero(is_border) - 1 and (is_open | is_close).all():
            return kept[np.cumsum(is_last) - is_last], is_open, is_close, text + b"\n" * 8, begin, end
        good = [VALUE.fullmatch(value) is not None for value in values]
        for n in np.flatnonzero(~np.array(good)).tolist():
            expected = "brackets that open, close or do both, such as (e1-person-1-, e1) or (e1-person-1-)"
            on_error(int(tokens.line[entity.token[kept[n]]]), f"found Entity={_shown(values[n])}; expected {expected}")
        kept = kept[good]
        values = [entity.values[n] for n in kept.tolist()]
    none, nowhere = np.empty(0, dtype=bool), np.empty(0, dtype=np.int64)
    return kept, none, none, b"\n" * 8, nowhere, nowhere


def _paired(
    ids: FieldColumn, opens: Bools, closes: Bools, good: Bools, line: Ints, sentence: Ints, on_error: OnError
) -> tuple[Ints, Ints]:
    """Opening brackets and the closing ones that belong to them, which may be the same.

    In a sentence, the bracket of an entity that was opened last is closed first.
    """
    kept = np.flatnonzero(good)
    first, after, alone = (kept[numbers] for numbers in pair(sentence[kept], ids.code[kept], opens[kept], closes[kept]))
    for n in alone.tolist():
        shown = _shown(ids.text(n))
        never = f"opened but never closed; expected {shown}) before the end of the sentence"
        before = f"closed but was never opened; expected ({shown} before it in the sentence"
        on_error(int(line[n]), f"entity {shown} is {never if opens[n] else before}")
    return first, after


def _groups(pieces: _Pieces, on_error: OnError) -> tuple[Ints, Ints, dict[int, list[int]]]:
    """The first and the last piece of each mention, and all pieces of the mentions that may have several.

    These must be complete before the sentence ends, and before another one of their entity begins.
    """
    alone = (pieces.which == 1) & (pieces.number == 1)
    groups: list[list[int]] = []
    waiting: dict[tuple[int, int], list[int]] = {}
    for n in np.flatnonzero(~alone).tolist():
        which, number = int(pieces.which[n]), int(pieces.number[n])
        key = int(pieces.sentence[n]), int(pieces.id.code[n])
        group = waiting.get(key, [])
        begun = f"entity {_shown(pieces.id.text(n))}: found part {which} of {number} of a mention"
        if which != len(group) + 1 or which > number or (group and number != pieces.number[group[0]]):
            expected = f"part {len(group) + 1} of {pieces.number[group[0]]}" if group else f"part 1 of {number} before it"
            on_error(int(pieces.line[n]), f"{begun}; expected {expected}, in the same sentence")
        elif group and pieces.start[n] < pieces.end[group[-1]]:
            on_error(int(pieces.line[n]), f"{begun}, which begins before part {which - 1} ends; expected it after that")
        elif group:
            group.append(n)
            if which == number:
                groups.append(waiting.pop(key))
        else:
            waiting[key] = [n]
    for *_, n in waiting.values():
        which, number = int(pieces.which[n]), int(pieces.number[n])
        begun = f"entity {_shown(pieces.id.text(n))}: found part {which} of {number} of a mention"
        on_error(int(pieces.line[n]), f"{begun}; expected part {which + 1} of {number} after it, in the same sentence")
    first = np.concatenate([np.flatnonzero(alone), np.array([group[0] for group in groups], dtype=np.int64)])
    last = np.concatenate([np.flatnonzero(alone), np.array([group[-1] for group in groups], dtype=np.int64)])
    order = first.argsort()
    place = inverse(order)[len(first) - len(groups) :].tolist()
    return first[order], last[order], dict(zip(place, groups, strict=True))


def _place_in(parts: Spans, number: int, before: Ints) -> int:
    """How many tokens of a kind come before the `number`-th of its kind in a mention; -1 if it has fewer.

    Of each token of the file, `before` has the number of tokens of the kind that come before it.
    """
    for first, after in parts:
        size = int(before[after] - before[first])
        if 0 < number <= size:
            return int(before[first]) + number - 1
        number -= size
    return -1


def _heads(heads: FieldColumn, places: _MentionPlaces, on_error: OnError) -> Ints:
    """The head as the `number`-th token of the mention; the only one of one token, whatever number it is."""
    number = np.array([-1 if text is None else _number(text) for text in heads.texts], dtype=np.int64)[heads.code]
    size = places.end - places.start
    for m, parts in places.parts.items():
        size[m] = sum(after - first for first, after in parts)
    is_number = np.array([text is None or text.isdigit() for text in heads.texts], dtype=bool)[heads.code]
    number[(size == 1) & is_number] = 1
    wrong = (number == 0) | (number > size)
    for m in np.flatnonzero(wrong).tolist():
        expected = f"a word of the mention, from 1 to {size[m]}: {HYPHEN}"
        on_error(int(places.line[m]), f"found the head {_shown(heads.text(m))!r}; expected {expected}")
    head = np.where(wrong | (number < 0), -1, places.start + number - 1)
    every = np.arange(int(places.end.max(initial=0)) + 1)
    for m, parts in places.parts.items():
        head[m] = _place_in(parts, int(number[m]), every)
    return head


def _number(text: bytes) -> int:
    """A number; 0 if it is none."""
    return int(text) if text.isdigit() and len(text) < 10 else 0


def _minima(minima: FieldColumn, places: _MentionPlaces, tokens: Tokens, troubles: Troubles) -> Ints:
    """The minimum span, where its words follow one another. Empty nodes are not counted."""
    words = np.append(np.flatnonzero(~tokens.is_node), len(tokens.is_node))
    before: Ints = np.concatenate([[0], np.cumsum(~tokens.is_node)])
    first, last = np.array([_range(text or b"") for text in minima.texts], dtype=np.int64).reshape(-1, 2)[minima.code].T
    base = before[places.start] - 1
    low, high = (words[np.clip(base + number, 0, len(words) - 1)] for number in (first, last))
    good = (first > 0) & (high < places.end)
    for m, parts in places.parts.items():
        ends = [_place_in(parts, int(number), before) for number in (first[m], last[m])]
        low[m], high[m] = words[ends]
        good[m] = min(ends) >= 0
        if good[m] and ends[1] - ends[0] != last[m] - first[m]:  # there is a gap between them
            good[m], first[m] = False, -1
    for m in np.flatnonzero((first >= 0) & ~good).tolist():
        troubles.add(MINSPAN, int(places.line[m]), f"minspan {_shown(minima.text(m))!r}")
    return np.where(good[:, None], np.stack([low, high + 1], axis=1), -1)


def _range(value: bytes) -> tuple[int, int]:
    """First and last of numbers that follow one another; negative if they do not, or there are none; 0 if it is no numbers."""
    numbers = [_number(number) for number in value.split(b",")] if value else []
    if 0 in numbers:
        return 0, 0
    consecutive = numbers and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return (numbers[0], numbers[-1]) if consecutive else (-1, -1)


def _types(
    types: FieldColumn, entity: Ints, entities: int, headless: Bools, places: _MentionPlaces, troubles: Troubles
) -> list[str]:
    """The first type of each entity; percent signs as in ``%2D`` stand for what would not fit into a field.

    Where the head is left out, as in `(person-1)` and `(person-2)`, a number or another type is a part of an id: an error.
    """
    numeric: Bools = np.array([(text or b"").isdigit() for text in types.texts], dtype=bool)[types.code]
    for m in np.flatnonzero(numeric & headless).tolist():
        found = f"found the type {_shown(types.text(m))!r} and no head"
        troubles.on_error(int(places.line[m]), f"{found}; expected a type that is no number: {HYPHEN}")
    given = np.flatnonzero(np.array([bool(text) for text in types.texts], dtype=bool)[types.code])
    typed, first = np.unique(entity[given], return_index=True)
    code = np.full(entities, -1, dtype=np.int64)
    code[typed] = types.code[given[first]]
    for m in given[types.code[given] != code[entity[given]]].tolist():
        found = f"the type {_shown(types.text(m))} after {_shown(types.texts[code[entity[m]]] or b'')}"
        if not headless[m]:
            troubles.add(TYPES, int(places.line[m]), found)
        elif not numeric[m]:
            troubles.on_error(int(places.line[m]), f"found {found} and no head; expected one type for each entity: {HYPHEN}")
    names = [*(unquote((text or b"").decode(errors="replace")) for text in types.texts), ""]
    return [names[c] for c in code.tolist()]


class EntityLinks:
    """Resolves `Bridge` and `SplitAnte`, which name entities."""

    def __init__(self, mentions: EntityMentions, tokens: Tokens, troubles: Troubles) -> None:
        self.mentions = mentions
        self.tokens = tokens
        self.troubles = troubles

    @cached_property
    def number(self) -> dict[tuple[int, bytes], int]:
        """The entity of a document and an id."""
        entities, first = np.unique(self.mentions.entity, return_index=True)
        documents = self.tokens.document[self.mentions.start[first]].tolist()
        return {(d, self.mentions.ids[e]): e for d, e in zip(documents, entities.tolist(), strict=True)}

    @cached_property
    def _of_entities(self) -> tuple[Ints, Ints]:
        """The mentions by their entities, and where those of each entity begin among them."""
        order = argsort(self.mentions.entity)
        return order, np.searchsorted(self.mentions.entity[order], arange(len(self.mentions.ids) + 1))

    def of_entity(self, entity: int) -> list[int]:
        """The mentions of an entity."""
        order, begins = self._of_entities
        mentions: list[int] = order[begins[entity] : begins[entity + 1]].tolist()
        return mentions

    def bridging(self, attribute: Attribute) -> dict[tuple[int, int], str]:
        """Pairs of an anaphor and its antecedent, with the relation.

        The anaphor is the mention of its entity that began last, the antecedent any mention of its entity.
        """
        pairs: dict[tuple[int, int], str] = {}
        for token, line, antecedent, anaphor, relation in self.links("Bridge", attribute):
            of_anaphor = self.of_entity(anaphor)
            begun = bisect_right(of_anaphor, token, key=self.mentions.start.__getitem__)
            if begun:
                mention = of_anaphor[begun - 1]
                pairs[mention, self.of_entity(antecedent)[0]] = relation
            else:
                self.troubles.add(NOT_YET, line, f"Bridge to {_shown(self.mentions.ids[anaphor])}")
        return pairs

    def split(self, attribute: Attribute) -> Iterator[tuple[int, int]]:
        """Pairs of an entity and one of which it is made."""
        return ((whole, element) for _, _, element, whole, _ in self.links("SplitAnte", attribute))

    def links(self, name: str, attribute: Attribute) -> Iterator[tuple[int, int, int, int, str]]:
        """Token and line of each link, its left and its right entity, and the relation."""
        for token, value in zip(attribute.token.tolist(), attribute.values, strict=True):
            line, document = int(self.tokens.line[token]), int(self.tokens.document[token])
            texts = value.split(b",")
            for text in dict.fromkeys(texts):
                if (times := texts.count(text)) > 1:
                    self.troubles.add(TWICE, line, f"{name}={_shown(text)} {times} times in one row")
                match = LINK.fullmatch(text)
                if not match or not match[2]:
                    self.troubles.add(MALFORMED, line, f"{name}={_shown(text)}")
                    continue
                left, right = (self.number.get((document, match[side])) for side in (1, 2))
                if left is None or right is None:
                    self.troubles.add(UNKNOWN, line, f"{name}={_shown(text)}")
                elif left == right:
                    self.troubles.add(ITSELF, line, f"{name}={_shown(text)}")
                else:
                    yield token, line, left, right, (match[3] or b"").decode(errors="replace")


def _shown(text: bytes) -> str:
    return shortened(text.decode(errors="replace"))
