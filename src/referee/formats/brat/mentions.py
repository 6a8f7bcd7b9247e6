"""The mentions of a brat annotation: the lines that begin with T. The format is that of `brat`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from referee.basics.exceptions import shortened
from referee.formats.brat.lines import SPAN, BratLines, parts_of
from referee.formats.shared.file_warnings import warn_file

MARK = "\ufeff"


class BratMention(NamedTuple):
    """The mention of a line that begins with T.

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


def mention_of(lines: BratLines, line: int, text: str) -> BratMention | None:
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
    words = "".join("".join(piece.split()) for piece in pieces)
    given = fields[1] if len(fields) > 1 else words
    ink = "".join(given.split())
    over_lines = any(re.search(r"[\r\n]", piece.strip()) for piece in pieces)
    of_first_line = over_lines and ink == "".join(re.split(r"[\r\n]", pieces[0].strip(), maxsplit=1)[0].split())
    is_mark = words == MARK and parts[0][0] == 0
    agrees = not is_mark and (ink == words or of_first_line)
    return BratMention(line, id_, found[1], parts, given, words, agrees and ("\n" in given or ink != words), agrees)


def with_words_of_text(source: str, lines: BratLines, mentions: Sequence[BratMention]) -> Sequence[BratMention]:
    """Warn of a few mentions that have other words than the text at their offsets; report many, and leave them out.

    Of a short file one mention may be so, if others have their words and it has a part of its own: then the text was not
    changed. A byte order mark is no word.
    """
    wrong = [mention for mention in mentions if not mention.agrees]
    if not wrong:
        return mentions
    given, there = ("".join(text.split()) for text in (wrong[0].given, wrong[0].there))
    is_part = bool(given and there) and (given in there or there in given)
    is_few = len(wrong) * 100 < len(mentions) or (len(wrong) == 1 and len(mentions) > 2 and is_part)
    if is_few and all(mention.there != MARK for mention in wrong):
        names = Counter(f"{shortened(m.given)!r} for {shortened(m.there)!r}" for m in wrong)
        text = "took the offsets of {} with other words than the text has there ({names})"
        warn_file(source, text, "mention", names, lines.number(wrong[0].line))
        return mentions
    for mention in wrong:
        problem = f"{shortened(mention.id)} is {shortened(mention.given)!r}, but the text has {shortened(mention.there)!r}"
        lines.refuse(mention.line, f"{problem} there; expected the text that was annotated, its line ends unchanged")
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
