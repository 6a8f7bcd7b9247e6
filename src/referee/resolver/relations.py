"""Pairs of mentions, and how the two are related: by their strings, in the tree, by their speakers, and in distance.

String relations, of which the strongest counts (later ones are stronger):

====  ==================================================
0     none
1     names that share a word
2     one is the acronym of the other
3, 4  the later name contains, is contained in the earlier one
5     same head
6     same head, and the later mention has all modifiers of the earlier one
7     same head, and the later mention brings no new modifier
8     same head, same modifiers; pronouns with one lemma
9, 10 names with the same head; the later one contains, is contained in the earlier one
11    same core
12    same full string; pronouns with one form
====  ==================================================

Word relations of two nominals, of which the strongest counts, too:

====  ==================================================
0     none
1     they share a word that is no head
2, 3  the head of the later one is in the earlier one; the reverse
4     heads that begin alike: invade, invasion
5     one head ends with the other, or both with a third
6     same head
7     one of them is a pronoun
====  ==================================================

Tree relations: 0 none, 1 same parent, 2 the earlier mention is the parent of the later, 3 the reverse, 4 the later is inside
the earlier, 5 around it, 6 inside as a possessor, 7 apposition, 8 copula, 9 same head, 10 the later is below the parent of the
earlier, 11 the reverse, 12 in different sentences.

Speakers: 0 unknown, 1 the same, 2 different, 3 one addresses the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Bools, Ints, argsort, ranges, starts_of_runs
from referee.resolver.attributes import TYPE, Mentions, Sets
from referee.resolver.synonyms import Synonyms

WINDOW = 300
"""How many earlier mentions a mention is compared with."""

FAR = 5
"""How many mentions before the window, with the same head, a mention is compared with, too."""

PAIRS = 1 << 17
"""Pairs that are in memory at a time, about: so many that they fit the cache."""

STRINGS, WORDS, TREES, SPEAKERS = 13, 8, 13, 4
SAME_HEAD, HEAD_MODIFIERS, CORE = 5, (7, 8, 10), 11

DISTANCES = 11
BIN = np.digitize(np.arange(102), [1, 2, 3, 4, 5, 7, 11, 21, 51, 101]).astype(np.int64)


def sentence_bin(sentences: Ints) -> Ints:
    """Distance in sentences in 11 bins: 0, 1, 2, 3, 4, to 6, to 10, to 20, to 50, to 100, more."""
    return BIN[np.minimum(sentences, 101)]


class Pairs(NamedTuple):
    """Pairs of mentions in the order in which they are decided; of one mention, the earlier ones in reading order.

    Parameters
    ----------
    rows : int64, shape (rows,)
        The mentions that are decided, in order.
    first : int64, shape (rows + 1,)
        The first pair of each, and the number of all.
    row : int64, shape (pairs,)
        Index in `rows` of the later mention.
    later, earlier : int64, shape (pairs,)
        The two mentions.
    string, words, tree, speakers, distance : int64, shape (pairs,)
        How they are related; distance is a bin of sentences.
    synonym : int64, shape (pairs,)
        1 if the heads are synonyms, and different: they count as the same head in `string` and `words`.
    """

    rows: Ints
    first: Ints
    row: Ints
    later: Ints
    earlier: Ints
    string: Ints
    words: Ints
    tree: Ints
    speakers: Ints
    distance: Ints
    synonym: Ints


class Relations:
    """Compares mentions with those before them.

    Parameters
    ----------
    mentions : Mentions
    window : int
        How many earlier mentions are compared.
    synonyms : Synonyms or None
        Words that are compared as if they were equal where they are heads of nominals.
    """

    def __init__(self, mentions: Mentions, window: int = WINDOW, synonyms: Synonyms | None = None) -> None:
        self.mentions = mentions
        self.window = window
        n = len(mentions.document)
        self.first = np.searchsorted(mentions.document, mentions.document) if n else np.empty(0, dtype=np.int64)
        self.wordless = mentions.type <= TYPE["indef"]  # pronouns of any kind
        self.is_name = mentions.type == TYPE["name"]
        self.modifier_set, self.modifiers = _distinct(mentions.modifiers)
        self.name_set, self.names = _distinct(mentions.name_words)
        self.content_set, self.contents = _distinct(mentions.content)
        self.content_bits, self.name_bits = _bits(self.contents)[self.content_set], _bits(self.names)[self.name_set]
        self.head_bit = np.uint64(1) << (mentions.lemma & 63).astype(np.uint64)
        self.initials, self.letters = _acronyms(self.names, mentions.words)
        self.synonyms = synonyms and [synonyms.sets.get(word, frozenset()) for word in mentions.words]
        self.synonym_bits = np.zeros(n, dtype=np.uint64)
        if self.synonyms:
            self.synonym_bits = np.where(self.wordless, np.uint64(0), _bits(self.synonyms)[mentions.lemma])

    def blocks(self, order: Ints, most: int = 0) -> Iterator[Pairs]:
        """All pairs of mentions in this order, in blocks of whole mentions with at most so many pairs (0 for `PAIRS`)."""
        low, far_first, far_after, by_lemma = self.bounds(order)
        size = np.cumsum(order - low + far_after - far_first)
        begin = 0
        while begin < len(order):
            done = size[begin - 1] if begin else 0
            end = max(begin + 1, int(np.searchsorted(size, done + (most or PAIRS), side="right")))
            yield self._pairs(order[begin:end], low[begin:end], far_first[begin:end], far_after[begin:end], by_lemma)
            begin = end

    def bounds(self, order: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """For each mention the first of its window, and the range in `by_lemma` of what is before, with the same head."""
        m = self.mentions
        low = np.maximum(self.first[order], order - self.window)
        zeros = np.zeros(len(order), dtype=np.int64)
        if (low == self.first[order]).all():
            return low, zeros, zeros, zeros
        size = np.int64(len(m.lemma))
        group = (m.document * (np.int64(len(m.words)) + 1) + m.lemma) * size
        group = np.where(self.wordless, -1 - group - size, group)  # pronouns are looked for in the window alone
        by_lemma = np.argsort(group + np.arange(len(group)), kind="stable")
        sorted_keys = (group + np.arange(len(group)))[by_lemma]
        after = np.searchsorted(sorted_keys, group[order] + low)
        first = np.maximum(np.searchsorted(sorted_keys, group[order]), after - FAR)
        none = self.wordless[order]
        return low, np.where(none, 0, first), np.where(none, 0, after), by_lemma

    def _pairs(self, rows: Ints, low: Ints, far_first: Ints, far_after: Ints, by_lemma: Ints) -> Pairs:
        row, earlier = ranges(low, rows)
        if (far_after > far_first).any():
            far_row, place = ranges(far_first, far_after)
            row, earlier = np.concatenate([far_row, row]), np.concatenate([by_lemma[place], earlier])
            order = argsort(row, earlier)
            row, earlier = row[order], earlier[order]
        first = np.searchsorted(row, np.arange(len(rows) + 1))
        return self.between(rows, first, row, rows[row], earlier)

    def between(self, rows: Ints, first: Ints, row: Ints, later: Ints, earlier: Ints) -> Pairs:
        """Relate pairs that are given."""
        m = self.mentions
        apart = m.sentence[later] - m.sentence[earlier]
        synonym = self._synonym(later, earlier)
        same_head = m.lemma[later] == m.lemma[earlier]
        if self.synonyms:
            same_head |= synonym > 0
        return Pairs(
            rows, first, row, later, earlier,
            self._string(later, earlier, same_head), self._words(later, earlier, same_head),
            self._tree(later, earlier, apart), self._speakers(later, earlier), sentence_bin(np.maximum(apart, 0)), synonym,
        )  # fmt: skip

    def _synonym(self, i: Ints, j: Ints) -> Ints:
        synonym = np.zeros(len(i), dtype=np.int64)
        if self.synonyms:
            lemma = self.mentions.lemma
            rows = np.flatnonzero(((self.synonym_bits[i] & self.synonym_bits[j]) != 0) & (lemma[i] != lemma[j]))
            synonym[rows] = _by_pair(lemma[i[rows]], lemma[j[rows]], self.synonyms, lambda new, old: 1 - new.isdisjoint(old))
        return synonym

    def _string(self, i: Ints, j: Ints, same_head: Bools) -> Ints:
        m = self.mentions
        string = np.zeros(len(i), dtype=np.int64)
        names = np.flatnonzero(self.is_name[i] & self.is_name[j])
        string[names] = self._name_relation(i[names], j[names])
        same = np.flatnonzero(same_head)
        a, b = i[same], j[same]
        pronouns = self.wordless[a] & self.wordless[b]
        nominal = ~(self.wordless[a] | self.wordless[b])
        relation = np.where(nominal, self._modifier_relation(a, b), np.where(pronouns, 8, 0))
        naming = nominal & (string[same] >= 3)
        relation = np.where(naming, string[same] + 6, relation)
        equal = m.full[a] == m.full[b]
        relation = np.where(nominal & (m.core[a] == m.core[b]), CORE, relation)
        relation = np.where(equal, STRINGS - 1, relation)
        string[same] = np.where((m.type[a] == TYPE["zero"]) | (m.type[b] == TYPE["zero"]), 0, relation)
        rest = np.flatnonzero(
            (m.full[i] == m.full[j]) & (string == 0) & (m.type[i] != TYPE["zero"]) & (m.type[j] != TYPE["zero"])
        )
        string[rest] = STRINGS - 1
        return string

    def _modifier_relation(self, i: Ints, j: Ints) -> Ints:
        """5 to 8: how the modifiers of two mentions with the same head are related."""
        later, earlier = self.modifier_set[i], self.modifier_set[j]
        size = self.mentions.modifier_count
        code = np.where(later == earlier, 8, np.where(size[i] == 0, 7, np.where(size[j] == 0, 6, 0)))
        rows = np.flatnonzero(code == 0)

        def relation(new: frozenset[int], old: frozenset[int]) -> int:
            return 7 if new <= old else 6 if new >= old else 5

        code[rows] = _by_pair(later[rows], earlier[rows], self.modifiers, relation)
        return code

    def _name_relation(self, i: Ints, j: Ints) -> Ints:
        """0 to 4: how two names are related."""
        a, b = self.name_set[i], self.name_set[j]
        code = np.where((self.initials[a] == self.letters[b]) | (self.letters[a] == self.initials[b]), 2, 0)
        rows = np.flatnonzero(self.name_bits[i] & self.name_bits[j])

        def relation(new: frozenset[int], old: frozenset[int]) -> int:
            return 0 if new.isdisjoint(old) else 4 if new <= old else 3 if new >= old else 1

        shared = _by_pair(a[rows], b[rows], self.names, relation)
        code[rows] = np.where(shared > 0, shared, code[rows])
        return code

    def _words(self, i: Ints, j: Ints, same_head: Bools) -> Ints:
        m = self.mentions
        words = np.full(len(i), WORDS - 1, dtype=np.int64)
        nominal = np.flatnonzero(~(self.wordless[i] | self.wordless[j]))
        a, b = i[nominal], j[nominal]
        bits_a, bits_b = self.content_bits[a], self.content_bits[b]
        relation = np.zeros(len(a), dtype=np.int64)
        share = np.flatnonzero(bits_a & bits_b)
        relation[share] = self._shared(self.content_set[a[share]], self.content_set[b[share]])
        for value, inner, outer, bits in ((2, a, b, bits_b), (3, b, a, bits_a)):
            rows = np.flatnonzero(self.head_bit[inner] & bits)
            relation[rows[self._inside(inner[rows], outer[rows])]] = value
        relation[m.beginning[a] == m.beginning[b]] = 4
        relation[m.stem[a] == m.stem[b]] = 5
        relation[same_head[nominal]] = 6
        words[nominal] = relation
        return words

    def _shared(self, later: Ints, earlier: Ints) -> Ints:
        return _by_pair(later, earlier, self.contents, lambda new, old: 1 - new.isdisjoint(old))

    def _inside(self, inner: Ints, outer: Ints) -> Bools:
        """Whether the heads of the one are among the words of the others."""
        key = self.mentions.lemma[inner] * np.int64(len(self.contents)) + self.content_set[outer]
        pairs, place = np.unique(key, return_inverse=True)
        words, sets = np.divmod(pairs, len(self.contents)) if len(pairs) else (pairs, pairs)
        members = [word in self.contents[s] for word, s in zip(words.tolist(), sets.tolist(), strict=True)]
        member: Bools = np.array(members, dtype=bool)[place.reshape(-1)]
        return member

    def _tree(self, i: Ints, j: Ints, apart: Ints) -> Ints:
        m = self.mentions
        tree = np.full(len(i), TREES - 1, dtype=np.int64)
        same = np.flatnonzero(apart == 0)
        a, b = i[same], j[same]
        head_a, head_b, parent_a, parent_b = m.head[a], m.head[b], m.parent[a], m.parent[b]
        below = (m.reach[b] <= head_a) & (head_a < m.reach_end[b])
        above = (m.reach[a] <= head_b) & (head_b < m.reach_end[a])
        relation = np.where(below, 10, np.where(above, 11, 0))
        relation[(parent_a == parent_b) & (parent_a >= 0)] = 1
        relation[parent_a == head_b] = 2
        relation[parent_b == head_a] = 3
        inside = (m.end[a] <= m.end[b]) & (m.start[a] >= m.start[b])
        relation[inside] = 4
        relation[(m.end[a] >= m.end[b]) & (m.start[a] <= m.start[b])] = 5
        relation[inside & m.possessive[a]] = 6
        apposed = np.array([role == "appos" for role in m.roles] or [False])
        for one, other in ((a, head_b), (b, head_a)):
            equated = m.partner[one] == other
            relation[equated] = np.where(apposed[m.role[one[equated]]], 7, 8)
        relation[head_a == head_b] = 9
        tree[same] = relation
        return tree

    def _speakers(self, i: Ints, j: Ints) -> Ints:
        m = self.mentions
        if not m.speaker.any():
            return np.zeros(len(i), dtype=np.int64)
        a, b = m.speaker[i], m.speaker[j]
        speakers = np.where(a == b, 1, 2)
        speakers[(a != b) & ((m.addressee[i] == b) | (m.addressee[j] == a))] = 3
        speakers[(a == 0) | (b == 0)] = 0
        return speakers

    @cached_property
    def seen(self) -> Ints:
        """What comes before each mention: 0 neither its head nor its core, 1 its head, 2 its core. Shape (mentions,)."""
        m = self.mentions
        head = _repeated(m.document, np.where(self.wordless, -1, m.lemma)) | self._synonym_seen()
        core = _repeated(m.document, m.core)
        return np.where(core, 2, head.astype(np.int64))

    def _synonym_seen(self) -> Bools:
        """Which mentions come after a nominal whose head is a synonym."""
        seen = np.zeros(len(self.synonym_bits), dtype=bool)
        before: dict[int, set[int]] = {}
        for n in np.flatnonzero(self.synonym_bits).tolist():
            sets = (self.synonyms or [])[self.mentions.lemma[n]]
            known = before.setdefault(int(self.mentions.document[n]), set())
            seen[n] = not known.isdisjoint(sets)
            known |= sets
        return seen


def _repeated(document: Ints, code: Ints) -> Bools:
    """Which rows have a code that an earlier row of the document has."""
    order = argsort(document, code + 1)
    repeated = np.empty(len(code), dtype=bool)
    repeated[order] = ~starts_of_runs(document[order], code[order])
    return repeated


def _distinct(sets: Sets) -> tuple[Ints, list[frozenset[int]]]:
    """A number for the set of each mention, and the set of each number."""
    number: dict[tuple[int, ...], int] = {}
    words = sets.word.tolist()
    codes = [number.setdefault(tuple(words[a:b]), len(number)) for a, b in pairwise(sets.first.tolist())]
    return np.array(codes, dtype=np.int64), [frozenset(rows) for rows in number]


def _bits(sets: list[frozenset[int]]) -> NDArray[np.uint64]:
    """The bits of the words of each set, all in one number. Words may share bits."""
    return np.array([sum({1 << (word & 63) for word in words}) for words in sets], dtype=np.uint64)


def _acronyms(names: list[frozenset[int]], words: list[str]) -> tuple[Ints, Ints]:
    """Numbers of the sorted first letters of names of several words, and of the sorted letters of names of one."""
    number: dict[str, int] = {}
    initials, letters = np.full((2, len(names)), -1, dtype=np.int64)
    letters -= 1  # so that what is none equals nothing
    for n, name in enumerate(names):
        if len(name) > 1:
            initials[n] = number.setdefault("".join(sorted(words[w][:1] for w in name)), len(number))
    for n, name in enumerate(names):
        if len(name) == 1:
            letters[n] = number.get("".join(sorted(words[next(iter(name))])), -2)
    return initials, letters


def _by_pair(a: Ints, b: Ints, sets: list[frozenset[int]], relation: Callable[[frozenset[int], frozenset[int]], int]) -> Ints:
    """The relation of each pair of sets, found once for each different pair."""
    if not len(a):
        return np.zeros(0, dtype=np.int64)
    key = a * np.int64(len(sets)) + b
    pairs, inverse = np.unique(key, return_inverse=True)
    first, second = np.divmod(pairs, len(sets))
    values = [relation(sets[x], sets[y]) for x, y in zip(first.tolist(), second.tolist(), strict=True)]
    return np.array(values, dtype=np.int64)[inverse]
