"""Chunks as tags of words (IOB and its relatives), decoded by a rule that has a name.

A tag is `O`, or a prefix and a category, as in `B-NP`; a bare prefix has the category `_`. Tags that a tagger predicts need
not be well-formed, and what they then mean is a convention. On the CoNLL-2000 test set, the tags that a word's part of speech
predicts score F 77.07 by one and 66.45 by another. `RULES` names them:

``conlleval``
    lenient, for every scheme, as the shared tasks' script and seqeval's default have it: a chunk begins at `B` and `S`, after
    `E` and `S`, after `O`, and where the category changes; it ends where another begins, at `O`, and after `E` and `S`
``IOB1``, ``IOB2``, ``IOE1``, ``IOE2``, ``IOBES``, ``BILOU``
    strict, as seqeval's `mode="strict"` has it: what is not formed as the scheme says is no chunk, and a prefix that the
    scheme does not have is an error

`L` and `U` of BILOU are other names of `E` and `S`, in the lenient rule, too (where seqeval does not know them).

Sources: Ramshaw and Marcus (1995); Tjong Kim Sang and Veenstra (1999) for the four schemes; conlleval.pl; seqeval 1.2.2,
compared with on random tags. seqeval's IOB1 and IOE1 want `B` and `E` only where chunks of one category meet; a `B` after
`O` starts nothing there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import starts_of_runs
from referee.exceptions import OptionError, UnknownNameError
from referee.messages import shortened
from referee.phrases.candidates import Chunks, Flags, Sentences

PREFIXES = "OBIES"
WIDTH = 8
"""A code is a category * 8 + the number of a prefix."""

SAME_AS = {"L": "E", "U": "S"}


class _Rule(NamedTuple):
    """What the prefixes of a word before and of a word say: arrays of (before, word, whether their categories are the same)."""

    prefixes: str
    starts: Flags
    goes_on: Flags
    ends: Flags

    def flags(self) -> NDArray[np.uint8]:
        """1 where a chunk may start, 2 where none goes on, 4 where one may end: all three with one look."""
        return (self.starts | ~self.goes_on * 2 | self.ends * 4).astype(np.uint8).ravel()


def _pairs(patterns: str) -> Flags:
    """Pairs of prefixes, each with = for one category, / for two, * for both; . is any prefix.

    >>> _pairs("OI* .B=")[PREFIXES.index("I"), PREFIXES.index("B")].tolist()
    [False, True]
    """
    table = np.zeros((WIDTH, WIDTH, 2), dtype=bool)
    for before, word, categories in map(tuple, patterns.split()):
        rows, columns = (slice(None) if p == "." else PREFIXES.index(p) for p in (before, word))
        table[rows, columns, slice(None) if categories == "*" else int(categories == "=")] = True
    return table


def _strict(prefixes: str, starts: str, goes_on: str, ends: str) -> _Rule:
    return _Rule(prefixes, _pairs(starts), _pairs(goes_on), _pairs(ends))


def _lenient() -> _Rule:
    starts = _pairs(".B* .S* OI* OE* EI* EE* SI* SE* .I/ .E/")
    goes_on = ~starts
    goes_on[:, 0] = False  # O
    return _Rule("OBIESLU", starts, goes_on, np.ones_like(starts))


RULES = {
    "conlleval": _lenient(),
    "IOB1": _strict("OBI", "OI* II/ BI* IB= BB=", "BI= II=", "II/ IO* IB* BO* BI/ BB="),
    "IOB2": _strict("OBI", ".B*", "BI= II=", "IO* II/ IB* BO* BI/ BB*"),
    "IOE1": _strict("OIE", "OI* II/ EI* EE=", "II= IE=", "II/ IO* IE/ EI= EE="),
    "IOE2": _strict("OIE", "OI* OE* EI* EE* II/ IE/", "IE= II=", "E.*"),
    "IOBES": _strict("OBIES", ".B* .S*", "BI= BE= II= IE=", "S.* E.*"),
    "BILOU": _strict("OBILU", ".B* .S*", "BI= BE= II= IE=", "S.* E.*"),
}
"""How tags are decoded, by name."""

Fault = Callable[[int, str], None]
"""What is told of a tag that cannot be: its number in the text, and the problem."""


class _Codes(dict[str, int]):
    """Prefix and category of each tag as one number, made when first seen: category * 8 + prefix, O is 0, or -1 for no tag."""

    def __init__(self, allowed: str) -> None:
        super().__init__()
        self.allowed = allowed
        self.categories: dict[str, int] = {}

    def __missing__(self, tag: str) -> int:
        prefix, hyphen, category = tag[:1], tag[1:2], tag[2:]
        well_formed = prefix in self.allowed and prefix and (tag == "O" if prefix == "O" else not hyphen or hyphen == "-")
        if not well_formed:
            code = -1
        elif prefix == "O":
            code = 0
        else:
            x = self.categories.setdefault(category or "_", len(self.categories))
            code = x * WIDTH + PREFIXES.index(SAME_AS.get(prefix, prefix))
        self[tag] = code
        return code


def decode(
    tags: Sequence[Sequence[str]],
    rule: str = "conlleval",
    *,
    null: str = "",
    sentences: Sentences | None = None,
    fault: Fault | None = None,
    source: str = "<tags>",
) -> Chunks:
    """The chunks of tags, sentence by sentence. Categories are in alphabetical order.

    rule  : one of `RULES`
    null  : the category that an `O` has, as a chunk of one word; if empty, `O` is no chunk
    fault : gets each tag that cannot be; OptionError by default

    >>> decode([["B-NP", "I-NP", "I-VP", "O"]]).triples()
    [[('NP', 0, 2), ('VP', 2, 3)]]
    >>> decode([["B-NP", "I-NP", "I-VP", "O"]], "IOB2").triples()
    [[('NP', 0, 2)]]
    """
    if rule not in RULES:
        raise UnknownNameError("decoding rule", rule, RULES)
    r = RULES[rule]
    code = _Codes(r.prefixes)
    lengths = np.fromiter(map(len, tags), dtype=np.int64, count=len(tags))
    if sentences is not None and not np.array_equal(sentences.length, lengths):
        raise OptionError(
            f"{source}: found tags of {len(tags)} sentences that are not the given ones; expected a tag for each word"
        )
    total = int(lengths.sum())
    codes = np.fromiter(map(code.__getitem__, chain.from_iterable(tags)), dtype=np.int32, count=total)
    bad = np.flatnonzero(codes < 0).tolist()
    flat = list(chain.from_iterable(tags)) if bad else []
    for t in bad:
        problem = (
            f"found the tag {shortened(flat[t])!r}; expected O, or {', '.join(r.prefixes[1:])} with a category, as in B-NP"
        )
        if fault is None:
            raise OptionError(f"{source}: {problem}")
        fault(t, problem)
    codes[codes < 0] = 0
    first, after, category = _chunks(codes, lengths, r)
    names = list(code.categories)
    if null:
        if null not in names:
            names.append(null)
        outside = np.flatnonzero(codes == 0)
        outside += np.repeat(np.arange(len(tags)), lengths)[outside]
        order = np.argsort(np.concatenate([first, outside]), kind="stable")
        first, after = (np.concatenate(c)[order] for c in ((first, outside), (after, outside + 1)))
        category = np.concatenate([category, np.full(len(outside), names.index(null))])[order]
    ordered = sorted(names)
    number = np.array([ordered.index(name) for name in names], dtype=np.int32)
    bounds = lengths + 1
    sentence = np.repeat(np.arange(len(tags), dtype=np.int32), bounds)[first]
    offset = (np.cumsum(bounds) - bounds)[sentence]
    columns = (sentence, (first - offset).astype(np.int32), (after - offset).astype(np.int32), number[category])
    return Chunks(sentences or Sentences.numbered(lengths), tuple(ordered), *columns, source)


def _chunks(codes: Ints, lengths: Ints, rule: _Rule) -> tuple[Ints, Ints, Ints]:
    """Where each chunk starts and ends, in words with an O after every sentence, and its category; from first to last."""
    words = np.ones(len(codes) + len(lengths), dtype=bool)
    words[np.cumsum(lengths + 1) - 1] = False
    word = np.zeros(len(words), dtype=np.int32)
    word[words] = codes
    prefix, category = word & (WIDTH - 1), word // WIDTH
    pair = prefix * 2
    pair[1:] += prefix[:-1] * (2 * WIDTH)
    pair[1:] += category[1:] == category[:-1]
    flags = rule.flags().take(pair)
    starts, stops, ends = ((flags & flag).astype(bool) for flag in (1, 2, 4))
    # Between two words that do not go on there is one chunk at most: from the first word that starts one to the second of them.
    breaks = np.flatnonzero(stops)
    first = np.flatnonzero(starts)
    run = np.cumsum(stops, dtype=np.int32)[first]
    once = starts_of_runs(run)
    first, after = first[once], breaks[run[once]]
    whole = ends[after]
    first, after = first[whole], after[whole]
    return first, after, category[first]


def encode(chunks: Chunks, scheme: str = "IOB2", *, null: str = "") -> list[list[str]]:
    """Chunks as tags, sentence by sentence. OptionError if chunks overlap.

    scheme : one of `RULES`, of which conlleval is written as IOB2. The rule IOE1, as seqeval has it, does not read back a chunk
        of one word before another of its category; conlleval reads back all
    null   : the category that is written as `O`; its chunks have one word

    >>> encode(decode([["I-NP", "I-NP", "B-NP"]]), "IOBES")
    [['B-NP', 'E-NP', 'S-NP']]
    """
    if scheme not in RULES:
        raise UnknownNameError("scheme", scheme, RULES)
    scheme = "IOB2" if scheme == "conlleval" else scheme
    tags = [["O"] * n for n in chunks.sentences.length.tolist()]
    rows = list(zip(*(c.tolist() for c in (chunks.sentence, chunks.start, chunks.end, chunks.category)), strict=True))
    before = (-1, 0, 0, -1)
    for row, after in zip(rows, [*rows, (-1, 0, 0, -1)][1:], strict=True):
        s, i, j, x = row
        if before[0] == s and before[2] > i:
            raise OptionError(
                f"{chunks.source}: sentence {chunks.sentences.ids[s]!r}: found chunks that overlap at word {i}; "
                "expected none in tags"
            )
        name = chunks.categories[x]
        if name != null:
            meets_before = before[0] == s and before[2] == i and before[3] == x
            meets_after = after[0] == s and after[1] == j and after[3] == x
            tags[s][i:j] = [f"{p}-{name}" for p in _prefixes(scheme, j - i, meets_before, meets_after)]
        elif j - i > 1:
            raise OptionError(
                f"{chunks.source}: sentence {chunks.sentences.ids[s]!r}: found {name} of {j - i} words; expected one for O"
            )
        before = row
    return tags


def _prefixes(scheme: str, length: int, meets_before: bool, meets_after: bool) -> str:
    """The prefixes of a chunk's words, given whether chunks of its category stand directly before and after it."""
    if scheme in ("IOBES", "BILOU"):
        first, last, only = "BES" if scheme == "IOBES" else "BLU"
        return only if length == 1 else first + "I" * (length - 2) + last
    inside = "I" * (length - 1)
    if scheme in ("IOB1", "IOB2"):
        return ("B" if scheme == "IOB2" or meets_before else "I") + inside
    return inside + ("E" if scheme == "IOE2" or meets_after else "I")


def of_spans(spans: Iterable[Iterable[tuple[str, int, int]]], lengths: Sequence[int], *, source: str = "<spans>") -> Chunks:
    """The chunks of (category, start, end) triples, sentence by sentence: half-open offsets of words.

    >>> len(of_spans([[("NP", 0, 2), ("NP", 0, 1)]], [3]))
    2
    """
    rows = [(s, x, i, j) for s, listed in enumerate(spans) for x, i, j in listed]
    names = sorted({x for _, x, _, _ in rows})
    number = {name: x for x, name in enumerate(names)}
    columns = [[r[0] for r in rows], [r[2] for r in rows], [r[3] for r in rows], [number[r[1]] for r in rows]]
    return Chunks.build(Sentences.numbered(lengths), names, *columns, source=source)
