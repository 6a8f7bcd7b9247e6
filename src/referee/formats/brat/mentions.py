"""The mentions of a brat annotation: the lines that begin with T. The format is that of `brat`.

Most are of one part, and have just the words that the text has there: these are columns. One by one are looked at the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import arange, argsort, inverse, repeat
from referee.basics.exceptions import shortened
from referee.formats.brat.lines import SPAN, BratLines, parts_of
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.text_mentions import TextMentions

PLAIN = re.compile(r"(T[^\t]*)\t(\S+) ([0-9]{1,9}) ([0-9]{1,9})\t([^\t]+)")
MARK = "\ufeff"


class PlainMentions(NamedTuple):
    """Mentions of one part with the words of the text, as columns: the lines, what they are called, types, and characters."""

    lines: Sequence[int]
    ids: Sequence[str]
    labels: Sequence[str]
    start: Sequence[int]
    end: Sequence[int]


class OtherMention(NamedTuple):
    """A mention that may have several parts or other words.

    Parameters
    ----------
    line : int
        The line.
    id, label : str
        What it is called, and its type.
    parts : sequence of pairs
        Its characters.
    given, there : str
        Its words, and those of the text.
    deviates : bool
        Whether it goes over the end of a line, and has its words otherwise than brat writes them.
    agrees : bool
        Whether they are those of the text.
    """

    line: int
    id: str
    label: str
    parts: Sequence[tuple[int, int]]
    given: str
    there: str
    deviates: bool
    agrees: bool


def plain_mentions(lines: BratLines, those: Sequence[int], text: str) -> PlainMentions:
    """The plain mentions among lines that begin with T; none with an id that two of them have."""
    found = [(n, PLAIN.fullmatch(lines.texts[n])) for n in those]
    kept = [
        (n, id_, label, start, end)
        for n, match in found
        if match
        for id_, label, first, after, words in [match.groups()]
        if (end := int(after)) - (start := int(first)) == len(words) and words == text[start:end] and words.isprintable()
    ]
    if len(kept) < len(found) or len({row[1] for row in kept}) < len(kept):
        ids = Counter(lines.texts[n].partition("\t")[0] for n in those)
        kept = [row for row in kept if ids[row[1]] == 1]
    return PlainMentions(*zip(*kept, strict=True)) if kept else PlainMentions((), (), (), (), ())


def mention_of(lines: BratLines, line: int, text: str) -> OtherMention | None:
    """The mention of a line; None after an error."""
    id_, *fields = lines.texts[line].split("\t")
    found = SPAN.fullmatch(fields[0].strip())
    if found is None:
        expected = "expected label, start and end, such as `Person 0 4` or `Person 5 9;14 18`"
        lines.refuse(line, f"found {shortened(fields[0])!r}; {expected}")
        return None
    offsets = parts_of(found[2])
    parts = [(start, end) for start, end in offsets if 0 <= start <= end <= len(text)]
    if len(parts) < len(offsets):
        expected = f"expected offsets with start <= end <= {len(text)}, the length of the text"
        lines.refuse(line, f"found {shortened(found[2])}; {expected}")
        return None
    pieces = [text[start:end] for start, end in parts]
    if len(fields) > 1 and fields[1] == " ".join(pieces) and fields[1].isprintable():
        return OtherMention(line, id_, found[1], parts, fields[1], fields[1], deviates=False, agrees=True)
    words = "".join("".join(piece.split()) for piece in pieces)
    given = fields[1] if len(fields) > 1 else words
    ink = "".join(given.split())
    over_lines = any(re.search(r"[\r\n]", piece.strip()) for piece in pieces)
    of_first_line = over_lines and ink == "".join(re.split(r"[\r\n]", pieces[0].strip(), maxsplit=1)[0].split())
    is_mark = words == MARK and parts[0][0] == 0
    agrees = not is_mark and (ink == words or of_first_line)
    return OtherMention(line, id_, found[1], parts, given, words, agrees and ("\n" in given or ink != words), agrees)


def checked(source: str, lines: BratLines, others: Sequence[OtherMention], mentions: int) -> Sequence[OtherMention]:
    """Warn of a few of so many mentions that have other words than the text at their offsets; report many, and take them out.

    Of a short file one mention may be so, if others have their words and it has a part of its own: then the text was not
    changed. A byte order mark is no word.
    """
    wrong = [mention for mention in others if not mention.agrees]
    if not wrong:
        return others
    given, there = ("".join(text.split()) for text in (wrong[0].given, wrong[0].there))
    is_part = bool(given and there) and (given in there or there in given)
    is_few = len(wrong) * 100 < mentions or (len(wrong) == 1 and mentions > 2 and is_part)
    if is_few and all(mention.there != MARK for mention in wrong):
        names = Counter(f"{shortened(m.given)!r} for {shortened(m.there)!r}" for m in wrong)
        text = "took the offsets of {} with other words than the text has there ({names})"
        warn_file(source, text, "mention", names, lines.number(wrong[0].line))
        return others
    for mention in wrong:
        problem = f"{shortened(mention.id)} is {shortened(mention.given)!r}, but the text has {shortened(mention.there)!r}"
        lines.refuse(mention.line, f"{problem} there; expected the text that was annotated, its line ends unchanged")
    return [mention for mention in others if mention.agrees]


def in_order(text: str, plain: PlainMentions, others: Sequence[OtherMention]) -> TextMentions:
    """All mentions in the order of their lines."""
    parts = [part for mention in others for part in mention.parts]
    start, end = np.array([[*plain.start, *(a for a, _ in parts)], [*plain.end, *(b for _, b in parts)]], dtype=np.int64)
    ids, labels = [*plain.ids, *(mention.id for mention in others)], [*plain.labels, *(m.label for m in others)]
    of = arange(len(ids))
    if others:
        sizes = [1] * len(plain.ids) + [len(mention.parts) for mention in others]
        order = argsort(np.array([*plain.lines, *(mention.line for mention in others)], dtype=np.int64))
        ids, labels = ([column[n] for n in order.tolist()] for column in (ids, labels))
        of = inverse(order)[repeat(of, sizes)]
        spans = argsort(of)
        of, start, end = of[spans], start[spans], end[spans]
    return TextMentions(ids, labels, of, start, end).without_blanks(text)


def warn_of_types(source: str, plain: PlainMentions, others: Sequence[OtherMention]) -> None:
    """Warn, as nothing corefers, if most mentions have a second type with a number: LitBank has names of entities as types."""
    types: dict[tuple[object, ...], set[str]] = {}
    for start, end, label in zip(plain.start, plain.end, plain.labels, strict=True):
        types.setdefault(((start, end),), set()).add(label)
    for mention in others:
        types.setdefault(tuple(mention.parts), set()).add(mention.label)
    several = sum(len(labels) > 1 and any(label[-1:].isdigit() for label in labels) for labels in types.values())
    if 2 * several > len(types):
        text = "found {} with several types, and no coreference: if types name entities, they are not read as such"
        warn_file(source, f"{text}; expected relations", "mention", several)
