"""Chunks from tags, and tags from chunks (IOB and its relatives): `decode`, `encode`, `RULES`.

A tag is `O`, or a prefix and a category, as in `B-NP`; a prefix alone has the category `_`. The tags that a tagger
predicts need not be well-formed. What they mean then is a convention, and `RULES` names the conventions. They matter: on the
CoNLL-2000 test set, the tags that follow from a word's part of speech alone score F1 77.07 by the lenient rule and 66.45 by
the strict one.

``conlleval``
    lenient, for every scheme, as in the shared tasks' script and in seqeval by default: a chunk begins at `B` and `S`,
    after `E` and `S`, after `O`, and where the category changes; it ends where another begins, at `O`, and after `E` and
    `S`
``IOB1``, ``IOB2``, ``IOE1``, ``IOE2``, ``IOBES``, ``BILOU``, ``BMEWO``, ``BMES``
    strict, as in seqeval with `mode="strict"`: what violates the scheme is no chunk, and a warning counts these tags; a prefix
    that the scheme does not have is an error
``strict``
    that of these whose prefixes the tags of the key have, as in seqeval with `mode="strict"` and no scheme
``IO``
    tags without prefixes, as in `PERSON`, or with `I-` alone: words of one category that stand together are one chunk

`L` and `U` of BILOU are other names of `E` and `S`, `M` and `W` of BMEWO and BMES of `I` and `S`, also in the lenient rule
(seqeval does not know them there). In seqeval's strict IOB1 and IOE1, `B` and `E` occur only where chunks of one category meet;
a `B` after `O` starts no chunk.

References
----------
.. [1] Ramshaw and Marcus (1995), Text Chunking Using Transformation-Based Learning.
.. [2] Tjong Kim Sang and Veenstra (1999), Representing Text Chunks: the first four schemes.
.. [3] conlleval.pl of CoNLL-2000; seqeval 1.2.2, with which random tags were compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Bools, Ints, ranges, repeat, starts_of_runs
from referee.basics.exceptions import OptionError, UnknownNameError, check_name, shortened
from referee.basics.options.choices import DECODERS, decoder_named
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.shapes import shown
from referee.phrases.annotation import Chunks, Sentences, SpanColumns

PREFIXES = "OBIES"

WIDTH = 8
"""More than there are prefixes: a category and a prefix are packed into category * WIDTH + prefix."""

ALIASES = {"L": "E", "U": "S", "M": "I", "W": "S"}
"""Prefixes of BILOU and BMEWO that mean the same as another prefix."""

STARTS, BREAKS, ENDS = 1, 2, 4
"""Flags of two adjacent tags: a chunk may start at the second; no chunk continues; a chunk may end before the second."""


PREFIXED = re.compile(rf"[{PREFIXES[1:]}{''.join(ALIASES)}](-[^\0]*)?")
"""A tag that has a prefix, or is nothing else."""


class TagRule(NamedTuple):
    """The prefixes of a scheme, and what two adjacent tags mean in it.

    Parameters
    ----------
    prefixes
        Those that it has.
    flags
        `STARTS`, `BREAKS` and `ENDS` of (prefix, next prefix, whether the categories are equal), flattened.
    """

    prefixes: str
    flags: NDArray[np.uint8]


def _pairs(patterns: str) -> Bools:
    """Parse pairs of prefixes: `.` is any prefix; then `=` for equal categories, `/` for different ones, `*` for both.

    >>> _pairs("OI* .B=")[PREFIXES.index("I"), PREFIXES.index("B")].tolist()
    [False, True]
    """
    table = np.zeros((WIDTH, WIDTH, 2), dtype=bool)
    for first, second, categories in map(tuple, patterns.split()):
        row, column = (slice(None) if p == "." else PREFIXES.index(p) for p in (first, second))
        table[row, column, slice(None) if categories == "*" else int(categories == "=")] = True
    return table


def _rule(prefixes: str, starts: Bools, continues: Bools, ends: Bools) -> TagRule:
    return TagRule(prefixes, (starts * STARTS | ~continues * BREAKS | ends * ENDS).astype(np.uint8).ravel())


def _strict(prefixes: str, starts: str, continues: str, ends: str) -> TagRule:
    return _rule(prefixes, _pairs(starts), _pairs(continues), _pairs(ends))


def _lenient() -> TagRule:
    starts = _pairs(".B* .S* OI* OE* EI* EE* SI* SE* .I/ .E/")
    continues = ~starts
    continues[:, PREFIXES.index("O")] = False
    return _rule("OBIES" + "".join(ALIASES), starts, continues, np.ones_like(starts))


RULES = {
    "conlleval": _lenient(),
    "IOB1": _strict("OBI", starts="OI* II/ BI* IB= BB=", continues="BI= II=", ends="II/ IO* IB* BO* BI/ BB="),
    "IOB2": _strict("OBI", starts=".B*", continues="BI= II=", ends="IO* II/ IB* BO* BI/ BB*"),
    "IOE1": _strict("OIE", starts="OI* II/ EI* EE=", continues="II= IE=", ends="II/ IO* IE/ EI= EE="),
    "IOE2": _strict("OIE", starts="OI* OE* EI* EE* II/ IE/", continues="IE= II=", ends="E.*"),
    "IOBES": _strict("OBIES", starts=".B* .S*", continues="BI= BE= II= IE=", ends="S.* E.*"),
    "BILOU": _strict("OBILU", starts=".B* .S*", continues="BI= BE= II= IE=", ends="S.* E.*"),
    "BMEWO": _strict("OBMEW", starts=".B* .S*", continues="BI= BE= II= IE=", ends="S.* E.*"),
    "BMES": _strict("OBMES", starts=".B* .S*", continues="BI= BE= II= IE=", ends="S.* E.*"),
    "IO": _strict("OI", starts="OI* II/", continues="II=", ends="IO* II/"),
}
"""How tags are decoded, by name."""

SCHEMES = {"BI": "IOB2", "EI": "IOE2", "BEIS": "IOBES", "BILU": "BILOU", "BEMW": "BMEWO", "BEMS": "BMES"}
"""Prefixes -> the scheme that has them, the strictest."""


def rule_named(name: object, tags: Iterable[Sequence[str]] = (), source: str = "<tags>") -> str:
    """The rule of a name; `strict` is that of the scheme whose prefixes the tags have.

    Raises
    ------
    UnknownNameError
        If there is no such rule.
    OptionError
        If the tags have the prefixes of no scheme.

    Examples
    --------
    >>> rule_named("bio"), rule_named("strict", [["S-NP", "O"]]), rule_named("strict", [["O"]])
    ('IOB2', 'IOBES', 'IOB2')
    """
    scheme = decoder_named(name) if isinstance(name, str) else name
    if scheme == "IOB":
        raise UnknownNameError(
            "decoding rule", name, RULES, remedy="IOB1 has B- only between two chunks of one type, IOB2 always"
        )
    check_name("decoding rule", scheme, DECODERS)
    if scheme != "strict":
        return str(scheme)
    prefixes = {tag[:1] for tag in chain.from_iterable(tags) if isinstance(tag, str) and tag != "O"}
    rule = next((scheme for of_scheme, scheme in SCHEMES.items() if prefixes <= {*of_scheme}), None)
    if rule is None:
        problem = f"{source}: found the prefixes {', '.join(sorted(prefixes))}; expected those of one scheme"
        raise OptionError(f"{problem}, {', '.join(SCHEMES.values())}: --decode conlleval reads all")
    return rule


TagError = Callable[[int, str], None]
"""Reports a tag that cannot be decoded: its position in the text, counted from 0, and the problem."""


def check_tags(tags: object, source: str) -> None:
    """Raise an OptionError for what is no list of sentences, each a list of tags."""
    if not isinstance(tags, list | tuple):
        raise OptionError(
            f"{source}: found a value of the type {type(tags).__name__}; expected a file, a list of sentences, each a list of "
            "tags, or what referee.phrases.read returns"
        )
    odd = [row for row in tags if not isinstance(row, list | tuple)]
    place = "sentences" if odd else "tags"
    odd = odd or [
        tag for row in tags if not {str}.issuperset(map(type, row)) for tag in row if isinstance(tag, Mapping | list | tuple)
    ]
    if not odd:
        return
    expected = "each as a list of tags, as in [['B-PER', 'O'], ['O']]"
    if isinstance(odd[0], Mapping):
        expected += "; referee.compat.nervaluate takes spans of words, referee.phrases.from_characters spans of characters"
    raise OptionError(f"{source}: found {shown(odd[0])} among {place}; expected {expected}")


class _Codes(dict[str, int]):
    """Prefix and category of each tag as one number: category * WIDTH + prefix. O is 0; what is not a tag, -1."""

    def __init__(self, rule: str) -> None:
        super().__init__()
        self.prefixes = RULES[rule].prefixes
        self.are_plain = rule == "IO"
        self.categories: dict[str, int] = {}

    @property
    def expected(self) -> str:
        """What a tag may be, for messages."""
        if self.are_plain:
            return "O, or a category, as in PER or I-PER"
        return f"O, or {', '.join(self.prefixes[1:])} with a category, as in B-NP"

    def __missing__(self, tag: str) -> int:
        if self.are_plain and isinstance(tag, str) and tag not in ("", "O") and not PREFIXED.fullmatch(tag):
            tag_of_category = f"I-{tag}"
            self[tag] = self[tag_of_category]
            return self[tag]
        prefix, hyphen, category = (tag[:1], tag[1:2], tag[2:]) if isinstance(tag, str) else ("", "", "")
        if not prefix or prefix not in self.prefixes or (tag != "O" if prefix == "O" else hyphen not in ("", "-")):
            code = -1
        elif prefix == "O":
            code = 0
        else:
            number = self.categories.setdefault(category or "_", len(self.categories))
            code = number * WIDTH + PREFIXES.index(ALIASES.get(prefix, prefix))
        self[tag] = code
        return code


def decode(
    tags: Sequence[Sequence[str]],
    rule: str = "conlleval",
    *,
    outside: str = "",
    sentences: Sentences | None = None,
    on_error: TagError | None = None,
    source: str = "<tags>",
    lines: Sequence[int] | None = None,
    count_unused: bool = True,
) -> Chunks:
    """Decode chunk tags. The categories are in alphabetical order.

    Parameters
    ----------
    tags
        The tags of each sentence.
    rule
        One of `RULES`.
    outside
        The category of words with the tag `O`, each as a chunk of its own; if empty, they are in no chunk.
    sentences
        The sentences of the tags; by default, numbered sentences without words.
    on_error
        Called with each tag that cannot be decoded; by default, the first raises an OptionError.
    source
        The name of the source, for messages.
    lines
        The line of each word, for messages; None if the tags are no file.
    count_unused
        Whether a warning counts the tags that are in no chunk.

    Raises
    ------
    UnknownNameError
        If there is no such rule.
    OptionError
        If a tag cannot be decoded, or the numbers of tags and words differ.

    Warns
    -----
    RefereeWarning
        If the rule makes no chunk of some tags.

    Examples
    --------
    >>> decode([["B-NP", "I-NP", "I-VP", "O"]]).triples()
    [[('NP', 0, 2), ('VP', 2, 3)]]
    >>> decode([["PER", "PER", "O", "LOC"]], "IO").triples()
    [[('PER', 0, 2), ('LOC', 3, 4)]]
    """
    if sentences is None:
        check_tags(tags, source)
    rule = rule_named(rule, tags, source)
    lengths = np.fromiter(map(len, tags), dtype=np.int64, count=len(tags))
    if sentences is not None and not np.array_equal(sentences.length, lengths):
        raise OptionError(
            f"{source}: found tags of {len(tags)} sentences that do not fit the words; expected a tag for each word"
        )
    code_of = _Codes(rule)
    codes = _codes(tags, int(lengths.sum()), code_of, on_error, source)
    first, after, category = _chunks(codes, lengths, RULES[rule])
    if count_unused and int((after - first).sum()) < np.count_nonzero(codes):
        _remark_unused(tags, lengths, codes, (first, after), rule=rule, source=source, lines=lines)
    names = list(code_of.categories)
    if outside:
        names += [] if outside in names else [outside]
        first, after, category = _with_outside(first, after, category, codes, lengths, names.index(outside))
    ordered = sorted(names)
    number = np.array([ordered.index(name) for name in names], dtype=np.int32)
    bounds = lengths + 1
    sentence = repeat(np.arange(len(tags), dtype=np.int32), bounds)[first]
    offset = (np.cumsum(bounds) - bounds)[sentence]
    columns = SpanColumns(sentence, (first - offset).astype(np.int32), (after - offset).astype(np.int32), number[category])
    return Chunks(sentences or Sentences.numbered(lengths), tuple(ordered), columns, source=source, word_tags=tags)


def _codes(tags: Sequence[Sequence[str]], words: int, code_of: _Codes, on_error: TagError | None, source: str) -> Ints:
    """The codes of all tags; 0 for those that cannot be decoded, which are reported."""
    codes = np.fromiter(map(code_of.__getitem__, chain.from_iterable(tags)), dtype=np.int32, count=words)
    wrong = np.flatnonzero(codes < 0).tolist()
    if wrong:
        flat = list(chain.from_iterable(tags))
        for position in wrong:
            problem = f"found the tag {shortened(str(flat[position]))!r}; expected {code_of.expected}"
            problem += ": the names of labels, not their ids" * isinstance(flat[position], Integral)
            if on_error is None:
                raise OptionError(f"{source}: {problem}")
            on_error(position, problem)
        codes[wrong] = 0
    return codes


def _chunks(codes: Ints, lengths: Ints, rule: TagRule) -> tuple[Ints, Ints, Ints]:
    """Start, end and category of each chunk, in order. Positions count the words and one O after every sentence."""
    is_word = np.ones(len(codes) + len(lengths), dtype=bool)
    is_word[np.cumsum(lengths + 1) - 1] = False
    word = np.zeros(len(is_word), dtype=np.int32)
    word[is_word] = codes
    prefix, category = word & (WIDTH - 1), word // WIDTH
    pair = prefix * 2
    pair[1:] += prefix[:-1] * (2 * WIDTH)
    pair[1:] += category[1:] == category[:-1]
    flags = rule.flags.take(pair)
    starts, breaks, ends = ((flags & flag).astype(bool) for flag in (STARTS, BREAKS, ENDS))
    # Between two breaks there is at most one chunk: from the first word that starts one to the second break.
    stops = np.flatnonzero(breaks)
    first = np.flatnonzero(starts)
    run = np.cumsum(breaks, dtype=np.int32)[first]
    once = starts_of_runs(run)
    first, after = first[once], stops[run[once]]
    complete = ends[after]
    first, after = first[complete], after[complete]
    return first, after, category[first]


def illegal_tags(tags: Sequence[Sequence[str]], rule: str) -> list[tuple[int, int]]:
    """The tags that a scheme does not have, or not in their places: the numbers of their sentences and words, from 0.

    Examples
    --------
    >>> illegal_tags([["B-PER", "I-LOC", "O"], ["E-PER"]], "IOB2"), illegal_tags([["B-PER", "O"]], "IOBES")
    ([(0, 1), (1, 0)], [(0, 0)])
    """
    code_of, lengths = _Codes(rule), np.fromiter(map(len, tags), dtype=np.int64, count=len(tags))
    codes = np.fromiter(map(code_of.__getitem__, chain.from_iterable(tags)), dtype=np.int32, count=int(lengths.sum()))
    is_other = codes < 0
    codes[is_other] = 0
    first, after, _ = _chunks(codes, lengths, RULES[rule])
    words = np.flatnonzero(is_other | _unused(codes, lengths, (first, after)))
    sentence = np.searchsorted(np.cumsum(lengths), words, side="right")
    return [*zip(sentence.tolist(), (words - (np.cumsum(lengths) - lengths)[sentence]).tolist(), strict=True)]


def _unused(codes: Ints, lengths: Ints, chunks: tuple[Ints, Ints]) -> Bools:
    """Which tags are in no chunk."""
    position = ranges(*chunks)[1]
    inside = np.zeros(len(codes), dtype=bool)
    inside[position - repeat(np.arange(len(lengths)), lengths + 1)[position]] = True  # positions count an O after each sentence
    return np.asarray((codes != 0) & ~inside)


def _remark_unused(
    tags: Sequence[Sequence[str]],
    lengths: Ints,
    codes: Ints,
    chunks: tuple[Ints, Ints],
    *,
    rule: str,
    source: str,
    lines: Sequence[int] | None,
) -> None:
    """Warn of the tags that are in no chunk."""
    unused = np.flatnonzero(_unused(codes, lengths, chunks)).tolist()
    flat = list(chain.from_iterable(tags))
    text = f"left out {{}} not legal in {rule} in their places ({{names}})"
    if lines is None:
        sentence = int(np.searchsorted(np.cumsum(lengths), unused[0], side="right"))
        text += f", the first at word {unused[0] - int(lengths[:sentence].sum()) + 1} of sentence {sentence + 1}"
    text += "; decode conlleval is lenient, and reads them"
    warn_file(source, text, "tag", Counter(flat[n] for n in unused), None if lines is None else lines[unused[0]])


def _with_outside(first: Ints, after: Ints, category: Ints, codes: Ints, lengths: Ints, number: int) -> tuple[Ints, Ints, Ints]:
    """The chunks with a chunk of one word for each O; `number` is the number of its category."""
    outside = np.flatnonzero(codes == 0)
    outside += repeat(np.arange(len(lengths)), lengths)[outside]  # positions count an O after every sentence
    order = np.argsort(np.concatenate([first, outside]), kind="stable")
    first = np.concatenate([first, outside])[order]
    after = np.concatenate([after, outside + 1])[order]
    return first, after, np.concatenate([category, np.full(len(outside), number)])[order]


def encode(chunks: Chunks, scheme: str = "IOB2", *, outside: str = "") -> list[list[str]]:
    """Write chunks as tags.

    Parameters
    ----------
    chunks
        Chunks that do not overlap.
    scheme
        One of `RULES`; conlleval is written as IOB2. The rule IOE1, as in seqeval, does not restore a chunk of one word before
        another of its category; conlleval restores all chunks.
    outside
        The category that is written as `O`; its chunks must have one word.

    Returns
    -------
    list
        The tags of each sentence.

    Raises
    ------
    UnknownNameError
        If there is no such scheme.
    OptionError
        If chunks overlap, or a chunk of the category `outside` has more than one word; in IO, if two chunks of one category
        stand together.

    Examples
    --------
    >>> encode(decode([["I-NP", "I-NP", "B-NP"]]), "IOBES")
    [['B-NP', 'E-NP', 'S-NP']]
    """
    scheme = rule_named(scheme)
    scheme = "IOB2" if scheme == "conlleval" else scheme
    tags = [["O"] * n for n in chunks.sentences.length.tolist()]
    none = (-1, 0, 0, -1)
    rows = [none, *chunks.columns.rows(), none]
    for before, row, after in zip(rows, rows[1:], rows[2:], strict=False):
        sentence, start, end, category = row
        if before[0] == sentence and before[2] > start:
            raise _error(chunks, sentence, f"found chunks that overlap at word {start}; expected none in tags")
        name = chunks.categories[category]
        if name != outside:
            meets_before = before[0] == sentence and before[2] == start and before[3] == category
            meets_after = after[0] == sentence and after[1] == end and after[3] == category
            if meets_before and scheme == "IO":
                raise _error(chunks, sentence, f"found {name} after {name} at word {start}; expected none in tags of IO")
            tags[sentence][start:end] = [f"{p}-{name}" for p in _prefixes(scheme, end - start, meets_before, meets_after)]
        elif end - start > 1:
            raise _error(chunks, sentence, f"found {name} of {end - start} words; expected one for O")
    return tags


BORDERS = {
    scheme: tuple(prefixes) for scheme, prefixes in (("IOBES", "BIES"), ("BILOU", "BILU"), ("BMEWO", "BMEW"), ("BMES", "BMES"))
}
"""The prefixes of schemes that mark both ends: of the first word, those within, the last, and the only one."""


def _error(chunks: Chunks, sentence: int, problem: str) -> OptionError:
    return OptionError(f"{chunks.source}: sentence {chunks.sentences.ids[sentence]!r}: {problem}")


def _prefixes(scheme: str, length: int, meets_before: bool, meets_after: bool) -> str:
    """The prefixes of a chunk's words, given whether chunks of its category stand directly before and after it."""
    if scheme in BORDERS:
        first, within, last, only = BORDERS[scheme]
        return only if length == 1 else first + within * (length - 2) + last
    inside = "I" * (length - 1)
    if scheme in ("IOB1", "IOB2", "IO"):
        return ("B" if scheme == "IOB2" or meets_before else "I") + inside
    return inside + ("E" if scheme == "IOE2" or meets_after else "I")
