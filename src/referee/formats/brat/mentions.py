"""The mentions of a brat annotation: the lines that begin with T. The format is that of `brat`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from referee.basics.exceptions import shortened
from referee.formats.brat.lines import SPAN, BratLine, parts_of
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError

MARK = "\ufeff"
BREAK = re.compile(r"[\r\n]")


class BratMention(NamedTuple):
    """The mention of a line that begins with T.

    Parameters
    ----------
    line : BratLine
        The line.
    id, label : str
        What it is called, and its type.
    parts : sequence of pairs
        Its characters.
    words, text : str
        Its words, and those of the text.
    deviates : bool
        Whether it goes over the end of a line, and has its words otherwise than brat writes them.
    agrees : bool
        Whether they are those of the text.
    """

    line: BratLine
    id: str
    label: str
    parts: Sequence[tuple[int, int]]
    words: str
    text: str
    deviates: bool
    agrees: bool


def mention_of(line: BratLine, text: str, on_error: OnError) -> BratMention | None:
    """The mention of a line; None after an error."""
    id_, span, *rest = line.text.split("\t")
    fields = SPAN.fullmatch(span.strip())
    if fields is None:
        expected = "expected label, start and end, such as `Person 0 4` or `Person 5 9;14 18`"
        line.refuse(on_error, f"found {shortened(span)!r}; {expected}")
        return None
    label, offsets = fields.groups()
    parts = parts_of(offsets)
    if not all(start <= end <= len(text) for start, end in parts):
        expected = f"expected offsets with start <= end <= {len(text)}, the length of the text"
        line.refuse(on_error, f"found {shortened(offsets)}; {expected}")
        return None
    pieces = [text[start:end] for start, end in parts]
    there = _ink("".join(pieces))
    words = rest[0] if rest else there
    ink = _ink(words)
    is_first_line = any(BREAK.search(piece.strip()) for piece in pieces) and ink == _ink(BREAK.split(pieces[0].strip())[0])
    agrees = not (there == MARK and parts[0][0] == 0) and (ink == there or is_first_line)
    return BratMention(line, id_, label, parts, words, there, agrees and ("\n" in words or ink != there), agrees)


def _ink(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())


def counts_mark(text: str, lines: Iterable[BratLine]) -> bool:
    """Whether the offsets count a byte order mark before the text, as brat does: no fewer mentions have their words then."""
    fitting = [0, 0]
    for line in lines:
        span, _, words = line.text.partition("\t")[2].partition("\t")
        if line.text.startswith("T") and (fields := SPAN.fullmatch(span)):
            for before in (0, 1):
                pieces = (text[max(start - before, 0) : max(end - before, 0)] for start, end in parts_of(fields[2]))
                fitting[before] += _ink("".join(pieces)) == _ink(words.removeprefix(MARK))
    return fitting[1] >= fitting[0]


def with_words_of_text(source: str, mentions: Sequence[BratMention], on_error: OnError) -> Sequence[BratMention]:
    """Warn of a few mentions that have other words than the text at their offsets; report many, and leave them out.

    Of a short file one mention may be so, if others have their words and it has a part of its own: then the text was not
    changed. A byte order mark is no word.
    """
    wrong = [mention for mention in mentions if not mention.agrees]
    if not wrong:
        return mentions
    words, there = _ink(wrong[0].words), wrong[0].text
    is_part = bool(words and there) and (words in there or there in words)
    is_few = len(wrong) * 100 < len(mentions) or (len(wrong) == 1 and len(mentions) > 2 and is_part)
    if is_few and all(mention.text != MARK for mention in wrong):
        names = Counter(f"{shortened(m.words)!r} for {shortened(m.text)!r}" for m in wrong)
        warning = "took the offsets of {} with other words than the text has there ({names})"
        warn_file(source, warning, "mention", names, None if wrong[0].line.file else wrong[0].line.number)
        return mentions
    for m in wrong:
        problem = f"{shortened(m.id)} is {shortened(m.words)!r}, but the text has {shortened(m.text)!r} there"
        m.line.refuse(on_error, f"{problem}; expected the text that was annotated, its line ends unchanged")
    return [mention for mention in mentions if mention.agrees]


def warn_of_types(source: str, mentions: Sequence[BratMention]) -> None:
    """Warn, as nothing corefers, if most mentions have a second type with a number: LitBank has names of entities as types."""
    types: dict[tuple[object, ...], set[str]] = {}
    for mention in mentions:
        types.setdefault(tuple(mention.parts), set()).add(mention.label)
    several = sum(len(labels) > 1 and any(label[-1:].isdigit() for label in labels) for labels in types.values())
    if 2 * several > len(types):
        text = "found {} with several types, and no coreference: if types name entities, they are not read as such"
        warn_file(source, f"{text}; expected relations", "mention", several)
