"""Lines of a text as stretches of running text: paragraphs, verses, headings, items of lists, turns of speakers.

Blank lines divide a text into blocks. Within a block,

- the line breaks are mere white space if the text is **hard-wrapped** and at least half of the lines of the block, the last
  one apart, are full. A line is full if the first word of the next one had not fitted on it. A text is hard-wrapped if at
  least half of such lines are full in all of it, lines are no longer than 120 characters (and no shorter than 40), and at
  least a quarter of the lines after full ones begin with a small letter, as the lines of a list do not;
- so they are if the block **runs on**, as verses do: none of its lines is longer than 90 characters, and at least a quarter
  of its lines end in a comma, a semicolon or a dash, or are followed by a small letter where most lines do not begin with
  one. In a hard-wrapped text, or where most blocks run on, a single such line is enough, or a quarter that end in any mark;
- else each line is a paragraph of its own: a paragraph, a heading, an item of a list, a line of a chat.

An item of a list (`- …`, `1. …`), a label of a speaker and, in a hard-wrapped text, a line that is indented more than the
one before it after a line that is not full, begin a paragraph in any case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from referee.parsing.splitting.speakers import SpeakerLabel, labels

NARROW, WIDE = 40, 120
"""The lengths of the lines of a hard-wrapped text."""

VERSE = 90
"""The longest line of a verse."""

ITEM = re.compile(r"\s*(?:[-*•–—·]\s|\(?\d{1,3}[.)]\s|[#]{1,6}\s|\|)")
BLANK = " \t\r\n\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029\ufeff\u200b\u200c\u200d\u2060\xad"
BREAKS = "\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
CONTINUED = (",", ";", "—", "–", "--", "-")


class Stretch(NamedTuple):
    """A stretch of running text, in which line breaks are white space: its characters, and who says it. It is a paragraph."""

    start: int
    end: int
    speaker: str


class TextLine(NamedTuple):
    """A line that is not blank: its characters without its end, the first word that is no label, its number of characters."""

    start: int
    end: int
    words: str
    width: int
    indent: int


def stretches(text: str) -> list[Stretch]:
    """The stretches of a text in their order. Each has a character that is no white space."""
    blocks, speakers = _blocks(text)
    width = _width(blocks)
    small = _begins_small(blocks)
    easy = width > 0 or _is_verse(blocks, small)
    speaker = ""
    stretches: list[Stretch] = []
    for block in blocks:
        goes_on = _goes_on(block, width, small=small, easy=easy)
        start: int | None = None
        for n, line in enumerate(block):
            label = speakers.get(line.start)
            if label is not None:
                speaker = label.name
            begin = line.start if label is None else line.start + label.end
            if label is not None or n == 0 or not goes_on[n - 1] or start is None:
                if line.words:
                    stretches.append(Stretch(begin, line.end, speaker))
                    start = begin
                else:  # a label alone: what is said stands in the next lines
                    start = None
            else:
                stretches[-1] = stretches[-1]._replace(end=line.end)
    return [stretch._replace(speaker="") if _is_direction(text, stretch) else stretch for stretch in stretches]


def _is_direction(text: str, stretch: Stretch) -> bool:
    """Whether a stretch is in brackets as a whole."""
    if not stretch.speaker:
        return False
    speech = text[stretch.start : stretch.end].strip(BLANK)
    closed = {"(": ")", "[": "]"}.get(speech[0])
    return closed is not None and speech.find(closed) == len(speech) - 1


def _blocks(text: str) -> tuple[list[list[TextLine]], dict[int, SpeakerLabel]]:
    """Lines that no blank line divides, and the labels by the places where their lines begin."""
    raw = text.splitlines(keepends=True)
    by_line = labels([line.rstrip(BREAKS) for line in raw])
    by_place: dict[int, SpeakerLabel] = {}
    blocks: list[list[TextLine]] = []
    at, open_block = 0, False
    for number, line in enumerate(raw):
        body = line.strip(BLANK)
        if not body:
            open_block = open_block and line.endswith(("\r", "\n")) is False  # a form feed alone divides no block
        else:
            if not open_block:
                blocks.append([])
                open_block = True
            end = at + len(line.rstrip(BLANK))
            indent = len(line) - len(line.lstrip(BLANK))
            label = by_line.get(number)
            if label is not None:
                by_place[at] = label
                body = line[label.end :].strip(BLANK)
            blocks[-1].append(TextLine(at, end, body, end - at, indent))
        at += len(line)
    return blocks, by_place


def _full(line: TextLine, following: TextLine, width: int) -> bool:
    """Whether the first word of the next line had not fitted on a line."""
    return line.width + 1 + len(following.words.split(None, 1)[0] if following.words else "") > width


def _width(blocks: Sequence[Sequence[TextLine]]) -> int:
    """How long the lines of a hard-wrapped text are; 0 if it is not hard-wrapped."""
    pairs = [(line, following) for block in blocks for line, following in pairwise(block)]
    if not pairs:
        return 0
    lengths = sorted(line.width for line, _ in pairs)
    width = lengths[len(lengths) * 9 // 10]
    if not NARROW <= width <= WIDE:
        return 0
    # Lines that someone wrapped by hand are a little shorter than they might be.
    width -= width // 10
    full = [following for line, following in pairs if _full(line, following, width)]
    small = sum(line.words[:1].islower() for line in full)
    large = sum(line.words[:1].isupper() and not line.words.isupper() for line in full)
    return width if 2 * len(full) >= len(pairs) and large <= 3 * small else 0


def _begins_small(blocks: Sequence[Sequence[TextLine]]) -> bool:
    """Whether most lines of a text begin with a small letter, so that it says nothing."""
    lines = [line for block in blocks for line in block]
    return 2 * sum(line.words[:1].islower() for line in lines) > len(lines)


def _runs(line: TextLine, following: TextLine, small: bool) -> bool:
    return line.words.endswith(CONTINUED) or (not small and following.words[:1].islower())


def _is_verse(blocks: Sequence[Sequence[TextLine]], small: bool) -> bool:
    """Whether most blocks of several lines run on."""
    several = [block for block in blocks if len(block) > 1]
    return 2 * sum(_runs_on(block, small=small, easy=False) for block in several) > len(several)


def _runs_on(block: Sequence[TextLine], *, small: bool, easy: bool) -> bool:
    if max(line.width for line in block) > VERSE:
        return False
    times = sum(_runs(line, following, small) for line, following in pairwise(block))
    marks = sum(not line.words[-1:].isalnum() for line in block[:-1]) if easy else 0
    return 4 * max(times, marks) >= len(block) - 1 or (easy and times > 0)


def _goes_on(block: Sequence[TextLine], width: int, *, small: bool, easy: bool) -> list[bool]:
    """For each line of a block but the last: whether the text goes on in the next line."""
    if len(block) == 1:
        return []
    pairs = list(pairwise(block))
    full = [width > 0 and _full(line, following, width) for line, following in pairs]
    runs = [_runs(line, following, small) for line, following in pairs]
    if width and 2 * sum(full) >= len(full):
        goes = [
            is_full or n == 0 or following.indent <= line.indent + 1
            for n, (is_full, (line, following)) in enumerate(zip(full, pairs, strict=True))
        ]
    elif _runs_on(block, small=small, easy=easy):
        goes = [True] * len(pairs)
    else:
        goes = [is_full and runs_on for is_full, runs_on in zip(full, runs, strict=True)]
    return [
        goes_on and not (ITEM.match(following.words + " ") and not (is_full and line.words[-1:].isalnum()))
        for goes_on, is_full, (line, following) in zip(goes, full, pairs, strict=True)
    ]
