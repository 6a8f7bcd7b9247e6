"""Marks as mentions. What is left open, or closed twice, is repaired and counted."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.answers.marked import Mark, Marked, Style

UNNAMED = re.compile(r"(?:MASK|[?_-]*)")
"""What stands where a model should have named an entity."""

UNCLOSED = "unclosed mentions ended with their sentences"
NO_END = "opening marks without an end left out"
NO_BEGIN = "closing marks without a beginning left out"
NO_ENTITY = "marks without an entity left out"
SINGLETON = "mentions without an entity taken for singletons"
EMPTY = "mentions without words left out"
UNKNOWN = "links to no earlier mention taken for new entities"
COMPLETED = "closing marks completed"


class MarkedMention(NamedTuple):
    """A mention of an answer.

    Parameters
    ----------
    start, end : int
        The units that it covers, half-open.
    entity : str
        Its entity.
    marks : (int, int)
        The numbers of its marks.
    """

    start: int
    end: int
    entity: str
    marks: tuple[int, int]


class _MarkPair(NamedTuple):
    """Two marks, by their numbers."""

    opening: int
    closing: int


def mentions_of(
    marked_text: Marked,
    style: Style,
    repairs: Counter[str],
    *,
    literal: Collection[int] = (),
    sentence_ends: Sequence[int] = (),
) -> list[MarkedMention]:
    """The mentions of a text.

    Parameters
    ----------
    marked_text : Marked
        The text and its marks.
    style : Style
        How its marks are written.
    repairs : Counter
        Counts what is repaired.
    literal : collection of int
        The marks, by their numbers, that are brackets of the text.
    sentence_ends : sequence of int
        The units after the ends of sentences, ascending.
    """
    repairs[COMPLETED] += marked_text.completed
    numbered = [(number, mark) for number, mark in enumerate(marked_text.marks) if number not in literal]
    if style.notation == "columns":
        return _by_name(numbered, repairs, [*sentence_ends, len(marked_text.units)])
    if style.notation == "elements" and all(mark.entity is not None for mark in marked_text.marks):
        return _by_name(numbered, repairs)
    pairs, opened, closed = nested(numbered)
    repairs[NO_END] += len(opened)
    repairs[NO_BEGIN] += len(closed)
    return (_linked if style.notation == "tanl" else _named)(pairs, marked_text, repairs)


def nested(numbered: Iterable[tuple[int, Mark]]) -> tuple[list[_MarkPair], list[int], list[int]]:
    """Marks in pairs, in the order of their ends; the opening and the closing marks that are left over."""
    pairs, opened, closed = [], [], []
    for number, mark in numbered:
        if mark.opens:
            opened.append(number)
        elif opened:
            pairs.append(_MarkPair(opened.pop(), number))
        else:
            closed.append(number)
    return pairs, opened, closed


def literal_brackets(marked_text: Marked, brackets: Mapping[tuple[int, bool], int]) -> set[int]:
    """The marks that are brackets of the text: as many as the key has in the same place, in pairs where it has pairs.

    Where most marks are joined to a word, those that are not are brackets before all others.

    Parameters
    ----------
    marked_text : Marked
        The text and its marks.
    brackets : mapping
        Place and whether it opens -> how many brackets the key has there.
    """
    marks, left, literal = marked_text.marks, Counter(brackets), set[int]()
    if not left:
        return literal
    paired, *leftover = nested(enumerate(marks))
    pairs = [pair for pair in paired if _entity(pair, marked_text) is None]
    pairs += [_MarkPair(n, n) for item in leftover for n in item if marks[n].entity is None]
    joined = sum(mark.opens and not mark.alone for mark in marks) > sum(mark.alone for mark in marks)
    for pair in sorted(pairs, key=lambda pair: not (joined and marks[pair.opening].alone)):
        places = Counter((marks[n].place, marks[n].opens) for n in set(pair))
        if places <= left:
            literal |= set(pair)
            left -= places
    return literal


def _entity(pair: _MarkPair, marked_text: Marked) -> str | None:
    """What one of the two marks names."""
    opening, closing = (marked_text.marks[number].entity for number in pair)
    return opening if closing is None else closing


def _named(pairs: Sequence[_MarkPair], marked_text: Marked, repairs: Counter[str]) -> list[MarkedMention]:
    """Mentions whose opening or closing marks name their entities."""
    mentions = []
    for pair in pairs:
        entity = _entity(pair, marked_text)
        if entity is None:
            repairs[NO_ENTITY] += 1
            continue
        if UNNAMED.fullmatch(entity):
            repairs[SINGLETON] += 1
            entity = f"?{pair.closing}"
        mentions.append(_mention(pair, marked_text, entity))
    return mentions


def _linked(pairs: Sequence[_MarkPair], marked_text: Marked, repairs: Counter[str]) -> list[MarkedMention]:
    """Mentions that name an earlier one by its words. If all name something, these are names of entities."""
    names = [marked_text.marks[pair.closing].entity for pair in pairs]
    if None not in names:
        return _named(pairs, marked_text, repairs)
    entities: dict[str, str] = {}
    mentions = []
    for pair, name in zip(pairs, names, strict=True):
        start, end = (marked_text.marks[number].place for number in pair)
        words = _as_words("".join(marked_text.units[start:end]))
        label = _as_words(name or "")
        repairs[UNKNOWN] += bool(label) and label not in entities
        entity = entities.setdefault(label, str(pair.closing)) if label else str(pair.closing)
        entities[words] = entity
        mentions.append(_mention(pair, marked_text, entity))
    return mentions


def _as_words(text: str) -> str:
    """A text without blanks and brackets."""
    return re.sub(r"[\s\[\]]+", "", text).casefold()


def _mention(pair: _MarkPair, marked_text: Marked, entity: str) -> MarkedMention:
    return MarkedMention(marked_text.marks[pair.opening].place, marked_text.marks[pair.closing].place, entity, pair)


def _by_name(numbered: Iterable[tuple[int, Mark]], repairs: Counter[str], ends: Sequence[int] = ()) -> list[MarkedMention]:
    """Mentions whose two marks name their entity; those that are left open have the next of the ends, if there are any."""
    opened: dict[str, list[tuple[int, Mark]]] = {}
    mentions = []
    for number, mark in numbered:
        entity = mark.entity or ""
        if mark.opens:
            opened.setdefault(entity, []).append((number, mark))
        elif opened.get(entity):
            opening, first = opened[entity].pop()
            mentions.append(MarkedMention(first.place, mark.place, entity, (opening, number)))
        else:
            repairs[NO_BEGIN] += 1
    left = sorted(left for item in opened.values() for left in item)
    repairs[UNCLOSED if ends else NO_END] += len(left)
    for number, mark in left if ends else ():
        end = ends[bisect_left(ends, mark.place + 1, 0, len(ends) - 1)]
        mentions.append(MarkedMention(mark.place, end, mark.entity or "", (number, number)))
    return mentions
