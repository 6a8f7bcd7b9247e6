"""Where the strings of an answer are in a text; all are looked up at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from referee.answers.grounding import KeyText
from referee.answers.units import folded, units_of

OTHER_CASE = "strings found in another case or with other quotes"
INSIDE = "strings found inside of words"


class FoundString:
    """Where a string is in a text.

    Parameters
    ----------
    places : sequence of list of int
        Where it is written with the same tokens, in an answer of tokens; elsewhere as it is written; in another case, or with
        other quotes; where it begins or ends inside of a word.
    length : int
        Its number of units.
    """

    def __init__(self, places: Sequence[list[int]], length: int) -> None:
        self.tiers = list(zip(places, (None, None, OTHER_CASE, INSIDE), strict=True))
        self.all = sorted(chain(*places[:3]))
        self.length = length
        self.used: set[int] = set()

    def take_nearest(self, place: int) -> list[int]:
        """Return the free place that is nearest, if there is any."""
        free = [other for other in self.all if other not in self.used]
        nearest = min(free, key=lambda other: abs(other - place), default=None)
        self.used |= set() if nearest is None else {nearest}
        return [] if nearest is None else [nearest]


def occurrences(text: KeyText | None, strings: Iterable[str]) -> dict[str, FoundString]:
    """Look strings up; those of the same tokens, or units, are one.

    Parameters
    ----------
    text : KeyText or None
        None for a text that has nothing.
    strings : iterable of str
        All strings of the answer. If all their words are tokens of the text, it is an answer of tokens.
    """
    tokens = {string: tuple(string.split()) for string in strings}
    units = {string: tuple(units_of(string)) for string in tokens}
    words = text.words.tokens if text else []
    of_tokens = set(chain.from_iterable(tokens.values())) <= set(words)
    parts = tokens if of_tokens else units
    distinct = dict(zip(parts.values(), parts, strict=True))  # one string for each
    runs = [units[string] for string in distinct.values()]
    places = [[[], [], [], []] for _ in runs] if text is None else _places(text, runs, list(distinct) if of_tokens else None)
    by_string = {part: FoundString(tiers, len(run)) for part, tiers, run in zip(distinct, places, runs, strict=True)}
    return {string: by_string[part] for string, part in parts.items()}


def _places(text: KeyText, units: Sequence[Sequence[str]], tokens: Sequence[Sequence[str]] | None) -> list[list[list[int]]]:
    """The places of each string, in four tiers, see `FoundString`: it can only stand where the rarest of its units does."""
    fold = {unit: folded(unit) for unit in set(chain(text.units, *units))}
    text_folded = [fold[unit] for unit in text.units]
    where: defaultdict[str, list[int]] = defaultdict(list)
    for place, unit in enumerate(text_folded):
        where[unit].append(place)
    words, token = list(text.words.tokens), [*text.token.tolist(), -1]
    places = []
    for number, run in enumerate(units):
        tiers: list[list[int]] = [[], [], [], []]
        run_folded = [fold[unit] for unit in run]
        rarest = min(run_folded, key=lambda unit: len(where.get(unit, ())), default="")
        for place in where.get(rarest, ()):
            start = place - run_folded.index(rarest)
            end = start + len(run)
            if start < 0 or text_folded[start:end] != run_folded:
                continue
            first, last = token[start], token[end - 1]
            if token[start - 1] == first or token[end] == last:
                tier = 3
            elif tokens is not None and words[first : last + 1] == list(tokens[number]):
                tier = 0
            else:
                tier = 1 if text.units[start:end] == list(run) else 2
            tiers[tier].append(start)
        places.append(tiers)
    return places
