"""The lists of strings in a text: which part of it is the answer, what stands there, and what was not read.

Lists as JSON or Python writes them go before tables, and these before lists in lines. So what a model says about its answer is
no part of it. Of several answers the last complete one counts, see `referee.answers.documents`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from referee.answers.literals import Bare, Region, parsed, regions
from referee.answers.outline import outlined
from referee.answers.tables import tables_in
from referee.answers.thoughts import final_part
from referee.answers.values import Quote, Quotes, ValuesRead, is_hollow, is_shallow, read_value

UNCLOSED = "brackets without an end closed"
FENCES = "code fences removed"
CUT_OFF = "answers that are cut off left out"
PROSE = "passages beside the answer left out"
CONTINUED = "other texts behind an answer, of which the last answer counts"

FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*\n(?P<text>.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
FENCE_SIGN = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*$\n?", re.MULTILINE)
BROKEN = re.compile(r"\s*,[^\n]{0,40}")
"""What stands behind a bracket too many, before the next one."""

OTHER_TEXT = re.compile(
    r"^\W{0,9}(?:text|input|question|passage|document|story|user|human)\b[^\n:]{0,30}:", re.MULTILINE | re.IGNORECASE
)
"""What a model begins with that goes on with another text, for which it answers."""

LETTER = re.compile(r"[^\W_]")
BESIDE = 200
"""Characters of a line that are looked at beside brackets."""

TITLE = re.compile(
    r"\A\s*(?:final )?(?:answers?|outputs?|results?|responses?|entities|clusters|coreference[ \w]{0,20})[ \t]*:[ \t]*(?=\S)",
    re.IGNORECASE,
)
"""What stands before an answer in its first line."""

BEGINNINGS = ("[[", "[", "{")
"""How an answer begins that was begun for the model, and so lacks it."""

NOTHING_SAID = re.compile(
    r"\W*(?:[\w ]{1,40}:\W*)?(?:none|nothing|n/?a|null|empty|"
    r"no(?:ne| \w+){0,6}? (?:answer|coref|mention|entit|cluster|chain|repeated|pronoun)\w*)\b"
    r"|.{0,200}?\b(?:i(?:'|’)?m (?:sorry|unable)|i am (?:sorry|unable)|sorry|i can(?:'|’)?t|i cannot|i can not|unable to|"
    r"(?:there (?:are|is)|i (?:find|found|see)|(?:does|do) not (?:contain|have)|contains|has) (?:no|not any|any)\b.{0,60}?"
    r"(?:coref|mention|entit|cluster|chain|refer)\w*)",
    re.IGNORECASE | re.DOTALL,
)
"""How a model says that there are no entities, or that it does not answer."""

SHORT = 150
"""Words of a text, at most, that says that there are no entities."""


class Lists(NamedTuple):
    """Lists of strings that were found in a text.

    Parameters
    ----------
    documents : list of Quotes
        In the order of the text; several answers about one text are several documents.
    repairs : Counter
        What was repaired, or left out.
    unread : list of str
        The lines, or the strings, of the answer that were not read.
    read : int
        How many lines, or strings, were.
    """

    documents: list[Quotes]
    repairs: Counter[str]
    unread: Sequence[str] = ()
    read: int = 0


class _Bracketed(NamedTuple):
    """A value in brackets, what it says, and where it stands."""

    value: object
    reading: ValuesRead
    unclosed: int
    start: int
    end: int
    line: int = 0


def says_nothing(text: str) -> bool:
    """Whether a model says that there are no entities, or that it does not answer.

    >>> says_nothing("I'm sorry, but I can't help with that."), says_nothing("Sorry, said Tom. " * 100)
    (True, False)
    """
    return len(text.split(None, SHORT)) <= SHORT and NOTHING_SAID.match(text) is not None


def loaded(text: str) -> object:
    """The value of a text that is JSON; None of another."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@lru_cache(maxsize=64)  # an answer is read once without a key, and once with it
def lists_in(text: str, *, certain: bool = False) -> Lists | None:
    """The lists of strings in a text; None if there are none.

    Parameters
    ----------
    text : str
        What a model said.
    certain : bool
        Whether only lists count whose strings have quotes; others may be marks in a text, or prose.
    """
    whole = loaded(text)
    if whole is None and text[:1] == '"':
        whole = next(filter(None, (loaded(f"{sign}{text}") for sign in BEGINNINGS)), None)
    if whole is None:
        return _in_parts(TITLE.sub("", text), certain=certain)
    reading = read_value(whole) if isinstance(whole, (list, dict)) and is_shallow(whole) else None
    return _of_values([reading], Counter()) if reading and reading.documents else None


def _of_values(readings: Sequence[ValuesRead], repairs: Counter[str]) -> Lists:
    documents = [document for reading in readings for document in reading.documents]
    read = sum(len(quotes) for document in documents for _, quotes in document.entities)
    return Lists(documents, repairs, [string for reading in readings for string in reading.unread], read)


def _in_parts(text: str, *, certain: bool) -> Lists | None:
    """The lists behind "Final answer:", in fences of Markdown, or anywhere."""
    fences = [match["text"] for match in FENCE.finditer(text)]
    final = final_part(text)
    if len(fences) > 1 and all(_is_entity(fence) for fence in fences):
        fences = ["\n".join(fences)]  # an entity in each
    for parts in ([final] if final is not None else [], fences, [FENCE_SIGN.sub("", text)]):
        candidates = [lists for part in parts if (lists := _lists(FENCE_SIGN.sub("", part), certain=certain))]
        if not candidates:
            continue
        complete = [lists for lists in candidates if not lists.repairs[UNCLOSED]] or candidates
        repairs = Counter({FENCES: len(FENCE_SIGN.findall(text)), CUT_OFF: len(candidates) - len(complete)})
        for lists in complete:
            repairs += lists.repairs
        if parts is fences:
            outside = sum(1 for piece in FENCE.split(text)[::2] if LETTER.search(piece))
            repairs[PROSE] += len(fences) - len(complete) + outside
        elif parts == [final]:
            repairs[PROSE] += 1
        documents = [document for lists in complete for document in lists.documents]
        unread = [line for lists in complete for line in lists.unread]
        return Lists(documents, repairs, unread, sum(lists.read for lists in complete))
    return None


def _is_entity(text: str) -> bool:
    """Whether a text is one value with one entity."""
    values = parsed(text).values
    return len(values) == 1 and [len(document.entities) for document in read_value(values[0]).documents] == [1]


def _lists(text: str, *, certain: bool) -> Lists | None:
    """The lists of a part of a text, of the most certain kind."""
    answers = list(_in_brackets(text, certain=certain))
    if answers:
        complete = [answer for answer in answers if not answer.unclosed] or answers
        repairs = Counter({UNCLOSED: complete[-1].unclosed, CUT_OFF: len(answers) - len(complete)})
        edges = [0, *(edge for answer in answers for edge in (answer.start, answer.end)), len(text)]
        around = [bool(LETTER.search(text, *edges[n : n + 2])) for n in range(0, len(edges), 2)]
        others = sum(OTHER_TEXT.search(text, *edges[n : n + 2]) is not None for n in range(2, len(edges) - 2, 2))
        repairs.update({PROSE: sum(around) - others, CONTINUED: others})
        return _of_values([answer.reading for answer in complete], repairs)
    if certain or says_nothing(text):
        return None
    tables = tables_in(text)
    readings = [read_value(table.records) for table in tables]
    if any(reading.documents for reading in readings):
        lists = _of_values(readings, Counter())
        return lists._replace(unread=[*lists.unread, *(line for table in tables for line in table.unread)])
    outline = outlined(text)
    entities = list(_of_lines(outline.entities))
    lines = text.split("\n") if outline.unread else []
    unread = [lines[number - 1].strip() for number in outline.unread]
    return Lists([Quotes("", entities)], Counter(), unread, outline.read) if entities else None


def _of_lines(lines: Sequence[tuple[str, list[object]]]) -> Iterator[tuple[str, list[Quote]]]:
    """The entities of lines: each is an entity, or has a value with several."""
    for label, items in lines:
        several = [read_value(item) for item in items if isinstance(item, (list, dict))]
        if any(reading.depth > 1 for reading in several):
            yield from (entity for reading in several for document in reading.documents for entity in document.entities)
        elif quotes := [quote for item in items for quote in _quotes(item)]:
            yield label, quotes[:]  # without room for more


def _quotes(item: object) -> list[Quote]:
    """The strings of an item of a line."""
    if isinstance(item, (Quote, str)):
        return [item if isinstance(item, Quote) else Quote(item)]
    reading = read_value([["", item]] if isinstance(item, list) else [[item]])
    return [quote for document in reading.documents for _, quotes in document.entities for quote in quotes]


def _in_brackets(text: str, *, certain: bool) -> Iterator[_Bracketed]:
    """The values in brackets that are answers; entities that stand beside each other are one answer."""
    groups: list[list[Region]] = []
    for region in regions(text):
        if groups and (
            BROKEN.match(text, groups[-1][-1].end, region.start) or not LETTER.search(text, groups[-1][-1].end, region.start)
        ):
            groups[-1].append(region)
        else:
            groups.append([region])
    mended = [[_value(text, region) for region in _mended(text, group)] for group in groups]
    values = [answer for answers in mended for answer in answers]
    if any(_has_bare(answer.value) for answer in values) and all(answer.reading.depth < 2 for answer in values):
        return  # they are lists in lines, whose commas may be of the text
    for group, answers in zip(groups, mended, strict=True):
        start, end = group[0].start, group[-1].end
        if all(is_hollow(answer.value) for answer in answers) and not _is_alone(text, start, end):
            continue
        if not any(_has_bare(answer.value) for answer in answers) or (not certain and _is_alone(text, start, end)):
            yield from _answers(answers, alone=not (LETTER.search(text, 0, start) or LETTER.search(text, end)))


def _mended(text: str, group: list[Region]) -> list[Region]:
    """The regions of a group; as one, if commas between them say that a bracket too many ended the first."""
    commas = any(BROKEN.match(text, one.end, two.start) for one, two in pairwise(group))
    if commas and not all(_value(text, region).reading.depth < 2 for region in group):
        return [Region(group[0].start, group[-1].end, closed=group[-1].closed)]
    return group


def _value(text: str, region: Region) -> _Bracketed:
    part = text[region.start : region.end]
    value, unclosed = loaded(part), 0
    if value is None:
        values, unclosed = parsed(part)
        value = values[0] if len(values) == 1 else values
    elif not is_shallow(value):
        value = None
    return _Bracketed(value, read_value(value), unclosed, region.start, region.end, text.count("\n", 0, region.start))


def _answers(lists: Sequence[_Bracketed], *, alone: bool) -> Iterator[_Bracketed]:
    """What values that stand beside each other are: parts of one answer, or an answer each."""
    values: list[object] = [answer.value for answer in lists]
    keys = [next(iter(value), "") for value in values if isinstance(value, dict) and len(value) == 1]
    parts = all(answer.reading.depth < 2 for answer in lists) or len(set(keys)) == len(values)
    if len(lists) > 1 and parts:
        values = _by_line(lists)
        together = read_value(values)
        if together.documents:
            yield _Bracketed(values, together, sum(answer.unclosed for answer in lists), lists[0].start, lists[-1].end)
        return
    for answer in lists:
        whole = answer.reading.depth > 1 or alone or isinstance(answer.value, dict)
        if whole and answer.reading.documents:
            yield answer


def _by_line(lists: Sequence[_Bracketed]) -> list[object]:
    """Values that stand beside each other; strings with numbers as lists, if there are several in a line."""
    lines: dict[int, list[object]] = {}
    for answer in lists:
        lines.setdefault(answer.line, []).append(answer.value)
    several = 1 < len(lines) < len(lists) and all(isinstance(a.value, list) and a.reading.depth == 0 for a in lists)
    return list(lines.values()) if several else [answer.value for answer in lists]


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether nothing but signs, or a name and a colon, stands beside brackets in their lines."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - BESIDE) : start].rstrip()
    after = text[end : end + BESIDE].partition("\n")[0]
    return (not LETTER.search(before) or before.endswith(":")) and not LETTER.search(after)


def _has_bare(value: object) -> bool:
    """Whether a value has words without quotes."""
    if isinstance(value, (list, dict)):
        return any(map(_has_bare, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Bare)
