"""Where the strings of an answer are in a text; all are looked up at once."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, ranges, repeat, starts_of_runs, tally
from referee.answers.grounding import KeyText
from referee.answers.units import folded, units_of

OTHER_CASE = "strings found in another case or with other quotes"
INSIDE = "strings found inside of words"


class FoundString:
    """Where a string is in a text, and how often it was asked for.

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
        self.used: Counter[int | None] = Counter()
        # Links over places that are taken: from place n to the first free one, and to the last free one before it, plus 1.
        self._next: list[int] = []
        self._before: list[int] = []

    def take(self, place: int) -> list[int]:
        """Return a place, which is free no longer."""
        n = bisect_left(self.all, place)
        if self.all[n : n + 1] == [place]:
            self._start()
            self._next[n], self._before[n + 1] = n + 1, n
        return [place]

    def take_nearest(self, place: int) -> list[int]:
        """Return the free place that is nearest, if there is any."""
        self._start()
        n = bisect_left(self.all, place)
        free = [m for m in (_end(self._before, n) - 1, _end(self._next, n)) if 0 <= m < len(self.all)]
        nearest = min((self.all[m] for m in free), key=lambda free: abs(free - place), default=None)
        return [] if nearest is None else self.take(nearest)

    def _start(self) -> None:
        if not self._next:  # most strings are only looked up
            self._next, self._before = (list(range(len(self.all) + 1)) for _ in range(2))


def _end(link: list[int], n: int) -> int:
    """Where the links from a place on end; those on the way are made shorter."""
    while link[n] != n:
        link[n] = n = link[link[n]]
    return n


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


class _Runs(NamedTuple):
    """Runs of numbers: run `n` is `values[first[n] : first[n] + length[n]]`."""

    values: Ints
    first: Ints
    length: Ints

    def stand(self, text: Ints, run: Ints, start: Ints) -> Bools:
        """Whether each of these runs stands in a text from a place on."""
        rows = np.flatnonzero(start + self.length[run] <= len(text))
        stands = np.zeros(len(run), dtype=bool)
        for n in range(int(self.length[run].max(initial=0)) + 1):
            whole = self.length[run[rows]] == n
            stands[rows[whole]] = True
            rows = rows[~whole]
            rows = rows[text[start[rows] + n] == self.values[self.first[run[rows]] + n]]
        return stands


def _numbered(text: Sequence[str], runs: Sequence[Sequence[str]]) -> tuple[Ints, _Runs, list[str]]:
    """A text and runs of strings as numbers of strings, and the strings."""
    number: dict[str, int] = {}
    for string in chain(text, *runs):
        number.setdefault(string, len(number))
    length = np.fromiter(map(len, runs), dtype=np.int64, count=len(runs))
    values, of_text = (np.fromiter(map(number.__getitem__, tiers), dtype=np.int64) for tiers in (chain(*runs), text))
    return of_text, _Runs(values, np.cumsum(length) - length, length), list(number)


def _places(text: KeyText, units: Sequence[Sequence[str]], tokens: Sequence[Sequence[str]] | None) -> list[list[list[int]]]:
    """The places of each string, in four tiers; see `FoundString`."""
    written, runs, distinct = _numbered(text.units, units)
    fold: dict[str, int] = {}
    folds = np.array([fold.setdefault(folded(unit), len(fold)) for unit in distinct], dtype=np.int64)
    like, alike = folds[written], runs._replace(values=folds[runs.values])
    run, start = _candidates(like, alike, len(fold))
    stand = alike.stand(like, run, start)
    run, start = run[stand], start[stand]
    begins = np.append(starts_of_runs(text.token), True)  # where tokens begin, and the end
    tier = np.where(runs.stand(written, run, start), 1, 2)
    if tokens is not None:
        of_text, words, _ = _numbered(text.words.tokens, tokens)
        end = text.token[start + runs.length[run] - 1] + 1
        same = (end - text.token[start] == words.length[run]) & words.stand(of_text, run, text.token[start])
        tier[same] = 0
    tier[~(begins[start] & begins[start + runs.length[run]])] = 3
    order = argsort(run, tier)
    edges = np.searchsorted((4 * run + tier)[order], np.arange(4 * len(units) + 1)).tolist()
    starts = start[order].tolist()
    return [[starts[edges[n + k] : edges[n + k + 1]] for k in range(4)] for n in range(0, 4 * len(units), 4)]


def _candidates(text: Ints, runs: _Runs, numbers: int) -> tuple[Ints, Ints]:
    """Runs and where they may stand: where the rarest of their numbers does."""
    count = tally(text, minlength=numbers)
    owner = repeat(np.arange(len(runs.length)), runs.length)
    order = argsort(owner, count[runs.values])
    rarest = order[starts_of_runs(owner[order])]
    number = runs.values[rarest]
    first = (np.cumsum(count) - count)[number]
    row, place = ranges(first, first + count[number])
    start = np.argsort(text, kind="stable")[place] - (rarest - runs.first[owner[rarest]])[row]
    return owner[rarest][row][start >= 0], start[start >= 0]
