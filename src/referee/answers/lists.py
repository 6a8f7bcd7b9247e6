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
from referee.answers.thoughts import FENCE, FENCE_SIGN, FENCES, PROSE, final_part
from referee.answers.values import Quotes, ValueRows, ValuesRead, is_hollow, read_value

UNCLOSED = "brackets without an end closed"
CUT_OFF = "answers that are cut off left out"
CONTINUED = "other texts behind an answer, of which the last answer counts"

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
    """The lists of strings in a text, behind "Final answer:", in fences of Markdown, or anywhere; None if there are none.

    Parameters
    ----------
    text : str
        What a model said.
    certain : bool
        Whether only lists count whose strings have quotes; others may be marks in a text, or prose.
    """
    begun = [f"{sign}{text}" for sign in BEGINNINGS] if text[:1] == '"' else []
    whole = next(filter(None, map(loaded, (text, *begun))), None)
    if whole is not None or loaded(text) is not None:
        reading = read_value(whole) if isinstance(whole, list | dict) else read_value(loaded(text))
        return _of_readings([reading], Counter()) if reading.documents else None
    text = TITLE.sub("", text)
    fences = [match["text"] for match in FENCE.finditer(text)]
    final = final_part(text)
    if len(fences) > 1 and all(_is_entity(fence) for fence in fences):
        fences = ["\n".join(fences)]  # an entity in each
    for parts in ([] if final is None else [final], fences, [text]):
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
        repairs[PROSE] += parts == [final]
        documents = [document for lists in complete for document in lists.documents]
        unread = [line for lists in complete for line in lists.unread]
        return Lists(documents, repairs, unread, sum(lists.read for lists in complete))
    return None


def _of_readings(readings: Sequence[ValuesRead], repairs: Counter[str]) -> Lists:
    documents = [document for reading in readings for document in reading.documents]
    read = sum(len(quotes) for document in documents for _, quotes in document.entities)
    return Lists(documents, repairs, [string for reading in readings for string in reading.unread], read)


def _is_entity(text: str) -> bool:
    """Whether a text is one value with one entity."""
    values = parsed(text).values
    reading = read_value(values[0] if len(values) == 1 else None)
    return reading.depth == 1 or [len(document.entities) for document in reading.documents] == [1]


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
        return _of_readings([answer.reading for answer in complete], repairs)
    if certain or says_nothing(text):
        return None
    return _of_rows(tables_in(text)) or _of_rows([outlined(text)])


def _of_rows(several: Sequence[ValueRows]) -> Lists | None:
    """The lists of tables, or of lines; None if they have no mentions."""
    lists = _of_readings([read_value(rows.values) for rows in several], Counter())
    unread = [*lists.unread, *(line for rows in several for line in rows.unread)]
    return lists._replace(unread=unread, read=sum(rows.read for rows in several)) if lists.read else None


def _in_brackets(text: str, *, certain: bool) -> Iterator[_Bracketed]:
    """The values in brackets that are answers; entities that stand beside each other are one answer."""
    groups: list[list[Region]] = []
    for region in regions(text):
        end = groups[-1][-1].end if groups else 0
        if groups and (BROKEN.match(text, end, region.start) or not LETTER.search(text, end, region.start)):
            groups[-1].append(region)
        else:
            groups.append([region])
    several = [_values(text, group) for group in groups]
    values = [answer for answers in several for answer in answers]
    depth = max((answer.reading.depth for answer in values), default=0)
    lines = {text.count("\n", 0, answer.start) for answer in values}
    strings = not depth and all(isinstance(answer.value, list) for answer in values) and 1 < len(lines) < len(values)
    if strings or (depth < 2 and any(_has_bare(answer.value) for answer in values)):
        return  # they are lists in lines, whose commas may be of the text
    for group, answers in zip(groups, several, strict=True):
        start, end = group[0].start, group[-1].end
        is_alone = _is_alone(text, start, end)
        if all(is_hollow(answer.value) for answer in answers) and not is_alone:
            continue
        if not any(_has_bare(answer.value) for answer in answers) or (not certain and is_alone):
            yield from _answers(answers, alone=not (LETTER.search(text, 0, start) or LETTER.search(text, end)))


def _values(text: str, group: Sequence[Region]) -> list[_Bracketed]:
    """The values of brackets that stand beside each other; as one, if commas say that a bracket too many ended the first."""
    values = []
    for region in group:
        part = text[region.start : region.end]
        value, unclosed = loaded(part), 0
        if value is None:
            several, unclosed = parsed(part)
            value = several[0] if len(several) == 1 else several
        values.append(_Bracketed(value, read_value(value), unclosed, region.start, region.end))
    broken = any(BROKEN.match(text, one.end, two.start) for one, two in pairwise(group))
    if broken and any(answer.reading.depth > 1 for answer in values):
        return _values(text, [Region(group[0].start, group[-1].end, closed=group[-1].closed)])
    return values


def _answers(lists: Sequence[_Bracketed], *, alone: bool) -> Iterator[_Bracketed]:
    """What values that stand beside each other are: parts of one answer, or an answer each."""
    values: list[object] = [answer.value for answer in lists]
    keys = [next(iter(value), "") for value in values if isinstance(value, dict) and len(value) == 1]
    parts = all(answer.reading.depth < 2 for answer in lists) or len(set(keys)) == len(values)
    if len(lists) > 1 and parts:
        together = read_value(values)
        if together.documents:
            yield _Bracketed(values, together, sum(answer.unclosed for answer in lists), lists[0].start, lists[-1].end)
        return
    for answer in lists:
        whole = answer.reading.depth > 1 or alone or isinstance(answer.value, dict)
        if whole and answer.reading.documents:
            yield answer


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
