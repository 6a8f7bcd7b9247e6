"""The lists of strings in a text: which part of it is the answer, and what stands there.

Lists as JSON or Python writes them go before tables, and these before lists in lines. So what a model says about its answer is
no part of it. Of several answers the last complete one counts, see `referee.answers.choosing`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from referee.answers.grids import tables_in
from referee.answers.lists import Quotes, are_mentions, depth_of, documents_in, entities_in_lines, is_hollow, is_shallow
from referee.answers.literals import Bare, Region, parsed, regions
from referee.answers.outline import outlined
from referee.answers.thoughts import final_part

UNCLOSED = "brackets without an end closed"
FENCES = "code fences removed"
CUT_OFF = "answers that are cut off left out"
PROSE = "passages beside the answer left out"

FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*\n(?P<text>.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
FENCE_SIGN = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*$\n?", re.MULTILINE)
BROKEN = re.compile(r"\s*,[^\n]{0,40}")
"""What stands behind a bracket too many, before the next one."""

LETTER = re.compile(r"[^\W_]")
BESIDE = 200
"""Characters of a line that are looked at beside brackets."""

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
    """

    documents: list[Quotes]
    repairs: Counter[str]


class _Bracketed(NamedTuple):
    """A value in brackets, and where it stands."""

    value: object
    unclosed: int
    start: int
    end: int


def says_nothing(text: str) -> bool:
    """Whether a model says that there are no entities, or that it does not answer.

    >>> says_nothing("I'm sorry, but I can't help with that."), says_nothing("Sorry, said Tom. " * 100)
    (True, False)
    """
    return len(text.split(None, SHORT)) <= SHORT and NOTHING_SAID.match(text) is not None


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@lru_cache(maxsize=4)  # an answer is read once without a key, and once with it
def lists_in(text: str, *, certain: bool = False) -> Lists | None:
    """The lists of strings in a text; None if there are none.

    Parameters
    ----------
    text : str
        What a model said.
    certain : bool
        Whether only lists count whose strings have quotes; others may be marks in a text, or prose.
    """
    whole = _loaded(text)
    if whole is None and text[:1] == '"':
        whole = next(filter(None, (_loaded(f"{sign}{text}") for sign in BEGINNINGS)), None)
    if whole is None:
        return _in_parts(text, certain=certain)
    documents = documents_in(whole) if isinstance(whole, (list, dict)) and is_shallow(whole) else []
    return Lists(documents, Counter()) if documents else None


def _in_parts(text: str, *, certain: bool) -> Lists | None:
    """The lists behind "Final answer:", in fences of Markdown, or anywhere."""
    fences = [match["text"] for match in FENCE.finditer(text)]
    final = final_part(text)
    if len(fences) > 1 and all(depth_of(parsed(fence).values) == 2 and len(parsed(fence).values) == 1 for fence in fences):
        fences = ["\n".join(fences)]  # an entity in each
    for parts in ([final] if final is not None else [], fences, [FENCE_SIGN.sub("", text)]):
        candidates = [lists for part in parts if (lists := _lists(FENCE_SIGN.sub("", part), certain=certain))]
        if candidates:
            complete = [lists for lists in candidates if not lists.repairs[UNCLOSED]] or candidates
            cut, candidates = len(candidates) - len(complete), complete
            signs = Counter({FENCES: len(FENCE_SIGN.findall(text)), CUT_OFF: cut})
            repairs = sum((lists.repairs for lists in candidates), signs)
            if parts is fences:
                repairs[PROSE] += (
                    len(fences) - len(candidates) + sum(1 for piece in FENCE.split(text)[::2] if LETTER.search(piece))
                )
            elif parts == [final]:
                repairs[PROSE] += 1
            return Lists([document for lists in candidates for document in lists.documents], repairs)
    return None


def _lists(text: str, *, certain: bool) -> Lists | None:
    """The lists of a part of a text, of the most certain kind."""
    lists = [(answer, documents_in(answer.value)) for answer in _in_brackets(text, certain=certain)]
    lists = [(answer, documents) for answer, documents in lists if documents]
    if lists:
        answers = [answer for answer, _ in lists]
        complete = [(answer, documents) for answer, documents in lists if not answer.unclosed] or lists
        repairs = Counter({UNCLOSED: complete[-1][0].unclosed, CUT_OFF: len(lists) - len(complete)})
        edges = [0, *(edge for answer in answers for edge in (answer.start, answer.end)), len(text)]
        repairs[PROSE] += sum(bool(LETTER.search(text, *edges[n : n + 2])) for n in range(0, len(edges), 2))
        return Lists([document for _, documents in complete for document in documents], repairs)
    if certain or says_nothing(text):
        return None
    tables = [documents for table in tables_in(text) if (documents := documents_in(table))]
    if tables:
        return Lists([document for documents in tables for document in documents], Counter())
    entities = entities_in_lines(outlined(text))
    return Lists([Quotes("", entities)], Counter()) if entities else None


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
    for group in groups:
        answers = [_value(text, region) for region in _mended(text, group)]
        start, end = group[0].start, group[-1].end
        if all(is_hollow(answer.value) for answer in answers) and not _is_alone(text, start, end):
            continue
        if not any(_has_bare(answer.value) for answer in answers) or (not certain and _is_alone(text, start, end)):
            yield from _answers(answers, alone=not (LETTER.search(text, 0, start) or LETTER.search(text, end)))


def _mended(text: str, group: list[Region]) -> list[Region]:
    """The regions of a group; as one, if commas between them say that a bracket too many ended the first."""
    whole = Region(group[0].start, group[-1].end, closed=group[-1].closed)
    commas = any(BROKEN.match(text, one.end, two.start) for one, two in pairwise(group))
    alike = all(depth_of(_value(text, region).value) == 1 for region in group) if commas else True
    return group if alike else [whole]


def _value(text: str, region: Region) -> _Bracketed:
    part = text[region.start : region.end]
    try:
        value, unclosed = json.loads(part), 0
        value = value if is_shallow(value) else None
    except (ValueError, RecursionError):
        values, unclosed = parsed(part)
        value = values[0] if len(values) == 1 else values
    return _Bracketed(value, unclosed, region.start, region.end)


def _answers(lists: Sequence[_Bracketed], *, alone: bool) -> Iterator[_Bracketed]:
    """What values that stand beside each other are: parts of one answer, or an answer each."""
    values = [answer.value for answer in lists]
    keys = [next(iter(value), "") for value in values if isinstance(value, dict) and len(value) == 1]
    if len(lists) > 1 and (
        all(depth_of(value) == 1 for value in values) or len(set(keys)) == len(values) or are_mentions(values)
    ):
        yield _Bracketed(values, sum(answer.unclosed for answer in lists), lists[0].start, lists[-1].end)
        return
    for answer in lists:
        depth = depth_of(answer.value)
        whole = depth > 1 or (depth == 1 and (alone or isinstance(answer.value, dict)))
        if whole and answer.value is not None:
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
