"""Where the sentences of a running text begin, which nothing marks: at lines, and behind full stops.

It is a rule and no model, so that a key, the prompt that numbers its sentences and an answer with these numbers agree in any
language. In doubt there is no end: sentences that are too long cost nothing but distances.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

STOPS = frozenset(".!?…")
WIDE_STOPS = frozenset("。！？．؟۔।")
"""Those of scripts without capital letters."""
STRAIGHT = '"'
CLOSING = frozenset(")]}”»’」』）")
BEHIND = CLOSING | STOPS | WIDE_STOPS
"""What may stand between a full stop and the next sentence."""
OPENING = frozenset('"([{“«‘「『（¿¡')
TITLES = frozenset(("mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "capt", "col", "gen", "lt", "sgt", "rev", "gov"))
"""Words that a name follows, with a full stop between."""


def sentence_starts(tokens: Sequence[str], lines: Iterable[int], mentions: Iterable[tuple[int, int]] = ()) -> list[int]:
    """The tokens with which sentences begin.

    A sentence begins with each line; and behind a full stop, with the quotes and brackets that close there, if a capital letter
    or what opens follows. No sentence ends within a mention, behind an initial, a number that counts a list, or a title.

    Parameters
    ----------
    tokens : sequence of str
        Words and single signs.
    lines : iterable of int
        The tokens with which lines begin.
    mentions : iterable of pairs
        Spans of tokens, half-open.

    Examples
    --------
    >>> sentence_starts(["Ann", "left", ".", "Dr", ".", "Who", "ran", "!", "She", "fell", "."], [0])
    [0, 3, 8]
    """
    starts = {0, *lines}
    ends = []
    line = after = 0
    opened = False
    for place, token in enumerate(tokens):
        if place in starts:
            line, opened = place, False
        if token == STRAIGHT:
            opened = not opened
        if place < after:  # behind a full stop, and not yet in the next sentence
            continue
        if token in STOPS or token in WIDE_STOPS:
            after = _closed(tokens, place + 1, opened=opened)
            if not _is_within(tokens, place, line) and _may_begin(tokens, place, after):
                ends.append(after)
    starts.update(ends)
    inside = [0] * (len(tokens) + 1)
    for start, end in mentions:
        if start + 1 < end:
            inside[start + 1] += 1
            inside[end] -= 1
    outermost, depth = [], 0
    for place in range(len(tokens)):
        depth += inside[place]
        if place in starts and not depth:
            outermost.append(place)
    return outermost


def _closed(tokens: Sequence[str], place: int, *, opened: bool) -> int:
    """The token behind more stops and what closes there; a straight quote closes if one is `opened` in the line."""
    while place < len(tokens):
        straight = tokens[place] == STRAIGHT
        if not ((straight and opened) or tokens[place] in BEHIND):
            break
        opened = opened and not straight
        place += 1
    return place


def _is_within(tokens: Sequence[str], stop: int, line: int) -> bool:
    """Whether a full stop is within a name, or belongs to a number at the beginning of a line."""
    word = tokens[stop - 1] if stop > line and tokens[stop] == "." else ""
    initial = len(word) == 1 and word.isupper()
    return initial or word.casefold() in TITLES or (word.isdecimal() and stop - 1 == line)


def _may_begin(tokens: Sequence[str], stop: int, after: int) -> bool:
    """Whether a sentence may begin with a token."""
    next_one = tokens[after] if after < len(tokens) else ""
    return bool(next_one) and (tokens[stop] in WIDE_STOPS or next_one[0].isupper() or next_one in OPENING)
