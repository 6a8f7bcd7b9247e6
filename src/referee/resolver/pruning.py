"""The short way through the decoder, for tables with the quantifier `any`: pairs that cannot win are left out.

Most mentions in a window are *plain*: they have no word in common with the mention that is decided, and are in another
sentence. The most that a plain pair can score follows from the codes of its two mentions. Where this is less than the score of
a new MR, the pair is not compared. The pairs that are left, some tens a mention, are decided one mention after another.

The decisions are the same as those of `referee.resolver.memory.decode`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from referee.algorithms.arrays import Ints, Numbers, argsort, ranges
from referee.resolver.constraints import Constraints, Ledger
from referee.resolver.relations import BIN, TREES, WORDS, Relations
from referee.resolver.tables import RANK, Fused, TableJudge

CHUNK = 4096
"""Mentions whose codes are told apart at a time."""

CELLS = 1 << 17
"""Pairs that are looked at at a time, about: so many that they fit the cache."""

WIDE = 500
"""Tables with more different mentions are bounded for all earlier mentions at once."""

APART = (1, 2, 4, 10)
"""Plain pairs are told apart by their distance: up to so many sentences, or more."""

_BINS_APART = ((0, 2), (2, 3), (3, 5), (5, 7), (7, 11))
_PLAIN: tuple[tuple[Mapping[str, Sequence[int]], ...], ...] = tuple(
    tuple(
        {
            "string": (0,),
            "synonym": (0,),
            "tree": (TREES - 1,),
            "words": (words,),
            "distance": range(a, b),
            "near": range(min(a, 2), min(b, 3)),
        }
        for a, b in _BINS_APART
    )
    for words in (0, WORDS - 1)
)
"""The values of fields that plain pairs of these distances may have, of two nominals and with a pronoun; of others any."""

_BINS: list[int] = BIN.tolist()
_RANKS: list[int] = RANK.tolist()


class _Kept(NamedTuple):
    """The pairs of some mentions that may win; where a mention has one, those with alike strings, too.

    Parameters
    ----------
    rows : int64, shape (rows,)
        Mentions.
    first : int64, shape (rows + 1,)
        The first pair of each, and the number of all.
    earlier, string, compatibility : integers, shape (pairs,)
    """

    rows: Ints
    first: Ints
    earlier: Ints
    string: Ints
    compatibility: Numbers


def can_prune(judge: TableJudge) -> bool:
    """Whether the short way gives the decisions of a model."""
    return judge.quantifier == "any" and "size" not in judge.wanted


def decode_pruned(relations: Relations, judge: TableJudge, constraints: Constraints) -> Ints:
    """Attach mentions; the result is that of `decode`."""
    mentions = len(relations.mentions.document)
    if not mentions:
        return np.empty(0, dtype=np.int64)
    pruner = _Pruner(relations, judge)
    decoder = _Decoder(relations, judge, constraints, pruner.low, pruner.most)
    for first in range(0, mentions, CHUNK):
        for kept in pruner.blocks(first, min(first + CHUNK, mentions)):
            decoder.attach(kept)
    return np.array(decoder.label, dtype=np.int64)


def _highest(fused: Fused, fields: Mapping[str, Sequence[int]]) -> Numbers:
    """The greatest weight for each code of the later and of the earlier mention, where fields have one of some values."""
    grid = fused.grid
    for axis, name in enumerate(fused.fields[::-1], start=2):
        if name in fields:
            grid = grid.take(list(fields[name]), axis=axis)
    highest: Numbers = grid.reshape(*grid.shape[:2], -1).max(axis=2)
    return highest


def _numbered(codes: Sequence[Ints], rows: slice) -> tuple[list[Ints], Ints]:
    """The different rows of some columns, and the number of each row."""
    joint = np.zeros(rows.stop - rows.start, dtype=np.int64)
    for code in codes:
        joint = np.unique(joint * (int(code.max(initial=0)) + 1) + code[rows], return_inverse=True)[1].reshape(-1)
    _, place, number = np.unique(joint, return_index=True, return_inverse=True)
    return [code[rows][place] for code in codes], number.reshape(-1)


class _Pruner:
    """Finds the pairs that may win.

    Attributes
    ----------
    low : int64, shape (mentions,)
        The first mention in the window of each.
    most : integers, shape (mentions,)
        The most that the tables of MRs, and tables with many words, can add to a compatibility.
    """

    def __init__(self, relations: Relations, judge: TableJudge) -> None:
        self.relations, self.judge = relations, judge
        m = relations.mentions
        self.low, self.far_first, self.far_after, self.by_lemma = relations.bounds(np.arange(len(m.document)))
        wide = [fused for fused in judge.pair if max(fused.shape) > WIDE]
        narrow = [fused for fused in judge.pair if max(fused.shape) <= WIDE]
        self.most = np.zeros(len(m.document), dtype=np.int64)
        for fused in (*judge.entity, *wide):
            self.most += _highest(fused, {}).max(axis=1)[fused.later_code]
        self.needed = judge.new - self.most
        self.highest = [[[_highest(fused, fields) for fields in plain] for plain in _PLAIN] for fused in narrow]
        wordless = relations.wordless.astype(np.int64)
        self.later = [wordless, *(fused.later_code for fused in narrow)]
        self.earlier = [wordless, *(fused.earlier_code for fused in narrow)]
        # What plain pairs do not share.
        self.sentence = m.sentence.astype(np.int32)
        self.equal = [self.sentence, *(column.astype(np.int32) for column in (m.lemma, m.full, m.beginning, m.stem))]
        self.crossed = [column[relations.name_set].astype(np.int32) for column in (relations.initials, relations.letters)]
        words = relations.content_bits | relations.head_bit | relations.synonym_bits
        self.bits = np.where(relations.wordless, np.uint64(0), words)

    def _ceilings(self, low: int, first: int, after: int) -> tuple[Numbers, Ints, Ints]:
        """The most that plain pairs can have, flattened; where that of each later mention begins, and of each earlier one."""
        (wordless_i, *of_later), later = _numbered(self.later, slice(first, after))
        (wordless_j, *of_earlier), earlier = _numbered(self.earlier, slice(low, after))
        distances = len(_BINS_APART)
        ceiling = np.zeros((len(wordless_i), len(wordless_j), distances), dtype=np.int32)
        for (nominal, pronominal), i, j in zip(self.highest, of_later, of_earlier, strict=True):
            for distance in range(distances):
                of_nominals, others = (values[distance][i[:, None], j] for values in (nominal, pronominal))
                ceiling[:, :, distance] += np.where(wordless_i[:, None] | wordless_j, others, of_nominals)
        return ceiling.reshape(-1), later * (len(wordless_j) * distances), earlier * distances

    def blocks(self, first: int, after: int) -> Iterator[_Kept]:
        """The pairs of the mentions from `first` to `after`, block after block."""
        width = int((np.arange(first, after) - self.low[first:after]).max())
        base = max(first - width, 0)
        ceiling, of_later, of_earlier = self._ceilings(base, first, after)

        def windows(column: Numbers) -> Numbers:
            """The values of the mentions before each."""
            padded = np.pad(column[: after - 1 - base], (base + width - first, 0))
            return sliding_window_view(padded, width) if width else np.empty((after - first, 0), column.dtype)

        shared = [*self.equal, *self.crossed[::-1]]
        before = [windows(column[base:]) for column in (*self.equal, *self.crossed)]
        bits, codes, sentence = windows(self.bits[base:]), windows(of_earlier), windows(self.sentence[base:])
        size = max(CELLS // max(width, 1), 1)
        for begin in range(first, after, size):
            rows = np.arange(begin, min(begin + size, after))
            near_rows = slice(begin - first, begin - first + size)
            apart = self.sentence[rows][:, None] - sentence[near_rows]
            place = codes[near_rows] + of_later[near_rows][:, None]
            for sentences in APART:
                place += apart > sentences
            near = ceiling[place] >= self.needed[rows][:, None]
            near |= (self.bits[rows][:, None] & bits[near_rows]) != 0
            for values, window in zip(shared, before, strict=True):
                near |= values[rows][:, None] == window[near_rows]
            near &= np.arange(width) >= (width - rows + self.low[rows])[:, None]
            row, column = near.nonzero()
            yield self._kept(rows, row, rows[row] - width + column)

    def _kept(self, rows: Ints, row: Ints, earlier: Ints) -> _Kept:
        """Compare the pairs, and keep what can win."""
        far_row, place = ranges(self.far_first[rows], self.far_after[rows])
        if len(far_row):
            row, earlier = np.concatenate([far_row, row]), np.concatenate([self.by_lemma[place], earlier])
            order = argsort(row, earlier)
            row, earlier = row[order], earlier[order]
        first = np.searchsorted(row, np.arange(len(rows) + 1))
        pairs = self.relations.between(rows, first, row, rows[row], earlier)
        compatibility = self.judge.compatibilities(pairs)
        wins = compatibility >= self.needed[rows][row]
        alive = np.zeros(len(rows), dtype=bool)
        alive[row[wins]] = True
        kept = np.flatnonzero(wins | (alive[row] & (pairs.string > 0)))
        return _Kept(rows, np.searchsorted(kept, first), earlier[kept], pairs.string[kept], compatibility[kept])


class _OfMRs(NamedTuple):
    """Tables of MRs as lists: where each mention is, how far apart the values of fields are, and the weights."""

    later: list[int]
    earlier: list[int]
    distance: int
    near: int
    rank: int
    best: int
    weights: list[int]

    @classmethod
    def from_fused(cls, fused: Fused) -> _OfMRs:
        strides = dict(zip(fused.fields, np.cumprod([1, *fused.sizes]).tolist(), strict=False))
        distance, near, rank, best = (strides.get(name, 0) for name in ("distance", "near", "rank", "best"))
        return cls(fused.later.tolist(), fused.earlier.tolist(), distance, near, rank, best, fused.weights.tolist())


class _MRs(NamedTuple):
    """Of the MRs that a mention is compared with: the greatest compatibility, the strongest relation, the last mention."""

    greatest: dict[int, int]
    alike: dict[int, int]
    latest: dict[int, int]


class _Decoder:
    """Decides mentions one after another.

    Attributes
    ----------
    label : list of int
        The first mention of the MR of each mention.
    last : list of int
        Of the MR that begins with a mention, the last one.
    is_last : bytearray
        1 for the mentions that are the last ones of their MRs.
    ledger : Ledger
        Of the constraints.
    """

    def __init__(self, relations: Relations, judge: TableJudge, constraints: Constraints, low: Ints, most: Ints) -> None:
        self.sentence: list[int] = relations.mentions.sentence.tolist()
        self.low: list[int] = low.tolist()
        self.new: list[int] = judge.new.tolist()
        self.most: list[int] = most.tolist()
        self.memory = judge.model.memory or len(self.new)
        self.tables = [_OfMRs.from_fused(fused) for fused in judge.entity]
        self.label = list(range(len(self.new)))
        self.last = self.label.copy()
        self.is_last = bytearray(len(self.new))
        self.ledger = Ledger(constraints, self.label)

    def attach(self, kept: _Kept) -> None:
        """Decide the mentions of a block."""
        labels, last, is_last, ledger = self.label, self.last, self.is_last, self.ledger
        earlier, string, compatibility = (c.tolist() for c in (kept.earlier, kept.string, kept.compatibility))
        first = kept.first.tolist()
        for n, mention in enumerate(kept.rows.tolist()):
            antecedent = ledger.antecedent(mention)
            if antecedent >= 0:
                label = labels[antecedent]
            else:
                mrs = _MRs({}, {}, {})
                pairs = slice(first[n], first[n + 1])
                for at, relation, value in zip(earlier[pairs], string[pairs], compatibility[pairs], strict=True):
                    label = labels[at]
                    mrs.latest[label] = at
                    if value > mrs.greatest.get(label, value - 1):
                        mrs.greatest[label] = value
                    if relation > mrs.alike.get(label, 0):
                        mrs.alike[label] = relation
                label = self._choice(mention, mrs) if mrs.latest else mention
            labels[mention] = label
            is_last[last[label]] = 0
            last[label] = mention
            is_last[mention] = 1
            ledger.attach(mention, label)

    def _choice(self, mention: int, mrs: _MRs) -> int:
        """The MR with the greatest score, the more recent one among equals; the mention itself for a new one."""
        last, is_last, sentence, low = self.last, self.is_last, self.sentence, self.low[mention]
        best, winner, recent, most = self.new[mention], mention, -1, self.most[mention]
        masks, possible = self.ledger.masks, self.ledger.possible[mention]
        for label, score in reversed(mrs.greatest.items()):
            if score + most < best or not masks[label] & possible:
                continue
            at, string = mrs.latest[label], mrs.alike.get(label, 0)
            if last[label] >= low:
                at = last[label]
                rank = is_last.count(1, at + 1, mention)
            else:
                others = sum(last[other] < low and latest > at for other, latest in mrs.latest.items())
                rank = is_last.count(1, low, mention) + others
            apart = sentence[mention] - sentence[at]
            distance = _BINS[min(max(apart, 0), 101)]
            at_rank = _RANKS[min(rank, 1000)]
            whole = score
            for table in self.tables:
                place = (
                    table.later[mention]
                    + table.earlier[at]
                    + table.distance * distance
                    + table.rank * at_rank
                    + table.best * string
                )
                whole += table.weights[place + table.near * min(distance, 2)]
            if rank < self.memory and (whole > best or (whole == best and at > recent)) and not self.ledger.bar(mention, label):
                best, winner, recent = whole, label, at
        return winner
