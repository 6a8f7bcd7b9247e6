"""Who says what: labels of speakers at the beginning of lines.

A label is `ANN:` or `Mr. Smith (smiling):`, a name of at most four words that begin with capitals, perhaps with a remark in
brackets, and a colon. It is one only if the name stands so at the beginning of at least two lines of the document, and if at
least one in 20 of its lines has such a label or a tenth of what blank lines part: `Note:` once is no speaker, nor are two
labels in a whole novel, nor the words of letter heads (`Subject:`). Where there are such labels, a name in capitals may stand
once. In a play, a name in capitals and a full stop is a label, too (`HAMLET.`, `MRS. LONG [aside].`), if two names stand so at
the beginning of at least two lines each.

A line `# speaker = Ann` or `# speaker Ann` says it, too; then there may be no name. The speaker stays the same until the next
label; what is in brackets as a whole, as a stage direction, is said by nobody.

Labels are not words of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

LABEL = re.compile(
    r"""[ \t\ufeff]{0,16}
    (?P<name>[^\W\d_a-z][\w.'’&-]{0,29}(?:[ ](?:[^\W\d_a-z][\w.'’&-]{0,29}|\d{1,3})){0,3})
    (?:[ ]?[(\[][^()\[\]\n]{1,80}[)\]])?
    [ ]{0,2}:(?=\s|$)""",
    re.VERBOSE,
)
IN_PLAY = re.compile(
    r"""[ \t\ufeff]{0,16}
    (?P<name>(?:(?:MR|MRS|DR|ST)\.[ ])?[^\W\d_a-z][^\W\d_a-z'’&-]{1,29}(?:[ ][^\W\d_a-z'’&-]{1,29}){0,3})
    (?:[ ]?[(\[][^()\[\]\n]{1,80}[)\]])?
    \.(?=\s|$)""",
    re.VERBOSE,
)
NO_CHARACTERS = re.compile(r"(?:ACT|BOOK|CHAPTER|LETTER|NO|PART|SCENE|STAVE|THE END|VOLUME|YES)\b|[IVXLC]+$")
"""Lines in capitals that end in a full stop and name nobody."""

COMMENT = re.compile(r"[ \t\ufeff]{0,16}#[ ]?speaker(?:[ \t]*=[ \t]*|[ \t]+|$)(?P<name>.{0,200}?)[ \t]*$")

NO_NAMES = frozenset(
    {"attn", "bcc", "cc", "chapter", "date", "email", "encl", "fax", "figure", "footnote", "footnotes", "from", "fw", "fwd"}
    | {"http", "https", "isbn", "note", "notes", "ps", "re", "sent", "subject", "table", "tel", "to"}
)
"""Words of letter heads and the like, which stand before a colon as names do."""


class SpeakerLabel(NamedTuple):
    """A label at the beginning of a line: who speaks, and where in the line the words begin."""

    name: str
    end: int


def labels(lines: Sequence[str]) -> dict[int, SpeakerLabel]:
    """Labels of speakers by the numbers of their lines. Lines come without their ends.

    >>> labels(["ANN: Hello.", "Note: they wave.", "BOB (waving): Hi.", "ANN: Well!", "BOB:"])[2]
    SpeakerLabel(name='BOB', end=13)
    """
    speakers: dict[int, SpeakerLabel] = {}
    comments: set[int] = set()
    characters = _characters(lines)
    for number, line in enumerate(lines):
        if number in characters:
            speakers[number] = characters[number]
            continue
        if ":" not in line and "#" not in line:
            continue
        comment = COMMENT.match(line)
        if comment:
            speakers[number] = SpeakerLabel(comment["name"], len(line))
            comments.add(number)
            continue
        match = LABEL.match(line)
        if (
            match
            and match["name"].rstrip(".").lower() not in NO_NAMES
            and not any(w[0].islower() for w in match["name"].split())
        ):
            speakers[number] = SpeakerLabel(match["name"], match.end())
    times = Counter(label.name for label in speakers.values())
    repeated = sum(times[label.name] > 1 for label in speakers.values())
    filled = [bool(line.strip()) for line in lines]
    begun = sum(not before for before, after in zip([False, *filled], filled, strict=False) if after)
    is_transcript = 20 * repeated >= sum(filled) or 10 * repeated >= begun
    return {
        number: label
        for number, label in speakers.items()
        if number in comments or (is_transcript and repeated and (times[label.name] > 1 or label.name.isupper()))
    }


def _characters(lines: Sequence[str]) -> dict[int, SpeakerLabel]:
    """Names in capitals with a full stop, of which at least two stand at least twice."""
    matches = {n: match for n, line in enumerate(lines) if line.lstrip()[:2].isupper() and (match := IN_PLAY.match(line))}
    names = {
        n: SpeakerLabel(match["name"], match.end())
        for n, match in matches.items()
        if match["name"].isupper()
        and match["name"].rstrip(".").lower() not in NO_NAMES
        and not NO_CHARACTERS.match(match["name"])
    }
    times = Counter(label.name for label in names.values())
    return names if sum(number > 1 for number in times.values()) > 1 else {}
