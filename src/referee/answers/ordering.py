"""Which occurrence each string of a list means, if the order of a list is that of the text.

A list says little alone: many entities list "he". Each string has an earliest and a latest occurrence, between those of the
strings beside it in its list. Of the strings that may stand at an occurrence, the one with the earliest last chance gets it, as
in scheduling by deadlines. Then two strings that are alike change places as long as that brings the mentions of entities nearer
to each other. What comes out does not depend on the order of the lists.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from heapq import heappop, heappush
from math import sqrt
from typing import NamedTuple, TypeAlias

PASSES = 4
"""How often bounds are made narrower by what is certain."""

ROUNDS, REACH = 4, 6
"""How often all strings are looked at, and how many occurrences away one may go, to be nearer to its entity."""

NOWHERE = -1


class OrderedPlaces(NamedTuple):
    """Where the strings of lists stand.

    Parameters
    ----------
    places : list of list of int
        The place of each string of each list; -1 if none is left.
    doubtful : int
        How many strings could also stand in another place, with each list in the order of the text.
    """

    places: list[list[int]]
    doubtful: int


def in_order(lists: Sequence[Sequence[int]], occurrences: Sequence[Sequence[int]]) -> OrderedPlaces:
    """Find the occurrences that lists mean.

    Parameters
    ----------
    lists : sequence of sequence of int
        The strings of each entity, as numbers.
    occurrences : sequence of sequence of int
        The places of each string, ascending.

    Examples
    --------
    Tom (0) ... Bob (2) ... he (1, 3), and Bob is "he":

    >>> in_order([[0], [1, 2]], [[0], [2], [1, 3]])
    OrderedPlaces(places=[[0], [2, 3]], doubtful=0)
    """
    order = sorted(range(len(lists)), key=lambda n: tuple(lists[n]))
    strings = [_EntityStrings(list(lists[n]), occurrences) for n in order]
    users: list[list[tuple[int, int]]] = [[] for _ in occurrences]
    for e, entity in enumerate(strings):
        for k, string in enumerate(entity.strings):
            users[string].append((e, k))
    for n in range(PASSES):
        if not sum([entity.narrowed(occurrences) for entity in strings]) and n:
            break
        _exclude_certain(strings, users, occurrences)
    doubtful = 0
    for string, mentions in enumerate(users):
        if len({e for e, _ in mentions}) > 1 or len(mentions) < len(occurrences[string]):
            doubtful += sum(strings[e].last[k] > strings[e].first[k] for e, k in mentions)
        _by_deadline(strings, mentions, occurrences[string])
    _nearer(strings, users, occurrences)
    places: list[list[int]] = [[]] * len(lists)
    for n, entity in zip(order, strings, strict=True):
        places[n] = entity.place
    return OrderedPlaces(places, doubtful)


class _EntityStrings:
    """The strings of an entity.

    Attributes
    ----------
    strings : list of int
        In the order of the list.
    first, last : list of int
        The first and the last place at which each may stand.
    place : list of int
        Where each stands.
    sorted : bool
        Whether the list can be in the order of the text; else each string may stand anywhere.
    """

    def __init__(self, strings: list[int], occurrences: Sequence[Sequence[int]]) -> None:
        self.strings = strings
        self.first = [occurrences[s][0] if occurrences[s] else NOWHERE for s in strings]
        self.last = [occurrences[s][-1] if occurrences[s] else NOWHERE for s in strings]
        self.place = [NOWHERE] * len(strings)
        self.sorted = True

    def narrowed(self, occurrences: Sequence[Sequence[int]]) -> bool:
        """Whether strings have fewer places by those before and behind them; a string without any is passed by."""
        if not self.sorted:
            return False
        first, last = list(self.first), list(self.last)
        reached = NOWHERE
        for k, s in enumerate(self.strings):
            if (mentions := occurrences[s]) and first[k] < reached:
                at = bisect_left(mentions, reached)
                first[k] = mentions[at] if at < len(mentions) else mentions[-1] + 1
            reached = max(reached, first[k])
        reached = max(last, default=NOWHERE)
        for k in range(len(self.strings) - 1, -1, -1):
            if (mentions := occurrences[self.strings[k]]) and last[k] > reached:
                at = bisect_right(mentions, reached)
                last[k] = mentions[at - 1] if at else mentions[0] - 1
            reached = min(reached, last[k]) if mentions else reached
        if any(a > b for a, b in zip(first, last, strict=True)):  # names first, then pronouns, or in the order of letters
            self.sorted = False
            self.first = [occurrences[s][0] if occurrences[s] else NOWHERE for s in self.strings]
            self.last = [occurrences[s][-1] if occurrences[s] else NOWHERE for s in self.strings]
            return True
        changed = first != self.first or last != self.last
        self.first, self.last = first, last
        return changed

    def beside(self, k: int) -> tuple[int, int]:
        """The places of the strings before and behind one; -1 if there is none."""
        before = self.place[k - 1] if k else NOWHERE
        return before, self.place[k + 1] if k + 1 < len(self.place) else NOWHERE


Users: TypeAlias = Sequence[tuple[int, int]]
"""The listings of a string: the number of the entity, and the place in its list."""


def _exclude_certain(strings: Sequence[_EntityStrings], users: Sequence[Users], occurrences: Sequence[Sequence[int]]) -> None:
    """Take a place that only one string can have from all others."""
    for string, mentions in enumerate(users):
        decided = {strings[e].first[k] for e, k in mentions if strings[e].first[k] == strings[e].last[k]}
        if not decided or len(mentions) == 1:
            continue
        places = [place for place in occurrences[string] if place not in decided]
        for e, k in mentions:
            entity = strings[e]
            if entity.first[k] < entity.last[k]:
                a, b = bisect_left(places, entity.first[k]), bisect_right(places, entity.last[k]) - 1
                if a <= b:
                    entity.first[k], entity.last[k] = places[a], places[b]


def _by_deadline(strings: Sequence[_EntityStrings], users: Users, places: Sequence[int]) -> None:
    """Give each occurrence of a string to the listing whose last chance is the earliest; what is left over to those without."""
    waiting = sorted((strings[e].first[k], e, k) for e, k in users)
    ready: list[tuple[int, int, int]] = []
    free, n = [], 0
    for place in places:
        while n < len(waiting) and waiting[n][0] <= place:
            _, e, k = waiting[n]
            heappush(ready, (strings[e].last[k], e, k))
            n += 1
        if ready:
            _, e, k = heappop(ready)
            strings[e].place[k] = place
        else:
            free.append(place)
    late = [(e, k) for _, e, k in sorted([*ready, *waiting[n:]])]
    for (e, k), place in zip(late, free, strict=False):
        strings[e].place[k] = place


def _nearer(strings: Sequence[_EntityStrings], users: Sequence[Users], occurrences: Sequence[Sequence[int]]) -> None:
    """Exchange the places of strings that are alike, or take a free one, where that is nearer to the entity."""
    several = [(string, mentions) for string, mentions in enumerate(users) if len(occurrences[string]) > 1]
    for _ in range(ROUNDS):
        if not sum([_exchanged(strings, mentions, occurrences[string]) for string, mentions in several]):
            break


def _exchanged(strings: Sequence[_EntityStrings], users: Users, places: Sequence[int]) -> int:
    """Exchange the places of a string; how many were exchanged."""
    at = {strings[e].place[k]: (strings[e], k) for e, k in users if strings[e].sorted}
    fixed = {strings[e].place[k] for e, k in users if not strings[e].sorted}
    changed = 0
    for n, place in enumerate(places):
        for other in places[n + 1 : n + 1 + REACH]:
            one, two = at.get(place), at.get(other)
            if place in fixed or other in fixed or (one is None and two is None) or (one and two and one[0] is two[0]):
                continue
            gain = (_gain(*one, place, other) if one else 0.0) + (_gain(*two, other, place) if two else 0.0)
            if gain > 1e-9:
                changed += 1
                at.pop(place, None)
                at.pop(other, None)
                for listing, new in ((one, other), (two, place)):
                    if listing:
                        listing[0].place[listing[1]] = new
                        at[new] = listing
    return changed


def _gain(entity: _EntityStrings, k: int, old: int, new: int) -> float:
    """How much nearer a string is to those beside it in its list; minus infinity if it would not be between them."""
    before, behind = entity.beside(k)
    if (before >= 0 and new < before <= old) or (behind >= 0 and new > behind >= old):
        return -float("inf")
    gain = sqrt(abs(old - before)) - sqrt(abs(new - before)) if before >= 0 else 0.0
    return gain + (sqrt(abs(behind - old)) - sqrt(abs(behind - new)) if behind >= 0 else 0.0)
