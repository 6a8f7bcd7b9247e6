"""Chunks of trees: the non-recursive pieces of phrases, up to their heads (Abney 1991).

Every word is in exactly one chunk. Going down from the top:

* A nominal phrase (NP, WHNP, with QP, NX, NAC and X in it dissolved) gives a chunk that ends with its head, its last word with
  a nominal tag, and reaches back to where other phrases intervene; adjectives and adverbs before the head belong to it. `'s`
  opens the next chunk. A nominal phrase without a head of its own is a phrase of phrases.
* A VP gives a chunk of its verbs, `to`, negations and adverbs, down nested VPs to the last verb.
* A PP gives its preposition; in the mode `abney` together with the first chunk of its nominal object, if that follows directly.
* ADJP, ADVP, PRT, CONJP, INTJ and LST give their words up to the last that is not in another phrase.
* What comes before or after goes its own way: to the phrases it consists of. Single words that are left over go by their tags.
  Punctuation, conjunctions and complementizers are Null, one word each.

Modes:

``abney``
    as above. PP contains NP; categories of questions and relatives (WHNP, WHADVP, WHPP) are kept
``flat``
    in the spirit of CoNLL-2000: PP is the preposition only, a complementizer is SBAR, WH- is left off, and verbs that take a
    clause without a subject go on into it: `expected to take` is one VP

The rules are ours, from the descriptions; the script that made CoNLL-2000 decides some things in another way.

Sources: Abney (1991), Parsing by chunks; Abney (1993); Tjong Kim Sang and Buchholz (2000).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from glob import escape, glob

from markable.errors import FormatError, UnknownNameError
from markable.formats.source import Source
from markable.phrases.candidates import Chunks, Sentences
from markable.phrases.trees import Tree, read

MODES = ("abney", "flat")

Chunk = tuple[str, int, int]
"""Category, start and end."""

PUNCTUATION = {",", ".", ":", "``", "''", "-LRB-", "-RRB-"}
SEPARATORS = PUNCTUATION | {"CC"}
VERBS = {"MD", "TO", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"}
ADVERBS = {"RB", "RBR", "RBS"}
NOMINAL = ADVERBS | {
    "NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "EX", "WP", "WP$", "CD", "DT", "PDT", "WDT", "JJ", "JJR", "JJS", "VBG", "VBN",
    "$", "#", "POS", "FW", "SYM", "VB", "VBD", "VBP", "VBZ",
}  # fmt: skip
PREPOSITIONS = {"IN", "TO", "VBG", "VBN", "RP", "FW", "RB", "JJ", "NN", "DT"}  # including, compared, instead of, such as
DISSOLVED = {"QP", "NX", "NAC", "X"}
MODIFIERS = {"ADJP", "ADVP", "UCP", "WHADJP"}
LARGE = {"NP", "PP", "S", "VP", "SBAR"}
OBJECTS = {"NP", "WHNP", "ADJP", "ADVP", "NX", "QP"}
SWALLOWED = {"NP", "WHNP", "ADJP", "ADVP"}
PHRASES_WITH_PREPOSITIONS = {"PP", "WHPP", "ADVP", "ADJP", "NP"}

BY_TAG = {
    **dict.fromkeys(ADVERBS, "ADVP"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "ADJP"),
    **dict.fromkeys(VERBS, "VP"),
    **dict.fromkeys(("WDT", "WP", "WP$"), "WHNP"),
    **dict.fromkeys(("NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "EX", "CD", "DT", "PDT", "$", "#", "POS", "FW", "SYM"), "NP"),
    "IN": "PP", "TO": "PP", "RP": "PRT", "UH": "INTJ", "LS": "LST", "WRB": "WHADVP",
}  # fmt: skip
"""What a word is that no phrase takes in; all others are Null."""

FOLDED = {"WHNP": "NP", "WHADVP": "ADVP", "WHPP": "PP"}


def chunk(tree: Tree, mode: str = "abney") -> list[Chunk]:
    """The chunks of a tree, from left to right: a partition of its words."""
    if mode not in MODES:
        raise UnknownNameError("way to chunk trees", mode, MODES)
    flat = mode == "flat"
    found = _chunks(tree, "", flat)
    return [(FOLDED.get(x, x), i, j) for x, i, j in found] if flat else found


def chunks(trees: Iterable[Tree], mode: str = "abney", *, source: str = "<trees>") -> Chunks:
    """The chunks of trees, with words and tags. Categories are in alphabetical order."""
    words, tags, rows = [], [], []
    for s, tree in enumerate(trees):
        leaves = list(tree.leaves())
        words.append([leaf.word for leaf in leaves])
        tags.append([leaf.label for leaf in leaves])
        rows += [(s, *found) for found in chunk(tree, mode)]
    names = sorted({x for _, x, _, _ in rows})
    number = {x: k for k, x in enumerate(names)}
    sentences = Sentences.numbered([len(row) for row in words], words, tags)
    columns = [[row[c] for row in rows] for c in (0, 2, 3)]
    return Chunks.build(sentences, names, columns[0], columns[1], columns[2], [number[x] for _, x, _, _ in rows], source=source)


def read_chunks(path: str | os.PathLike[str] | Source, mode: str = "abney") -> Chunks:
    """The chunks of a file of trees, or of all files of a folder whose names end in .mrg, in the order of their names."""
    if isinstance(path, Source):
        sources, name = [path], path.name
    else:
        name = os.fspath(path)
        paths = sorted(glob(os.path.join(escape(name), "*.mrg"))) if os.path.isdir(name) else [name]
        if not paths:
            raise FormatError(name, None, "has no files that end in .mrg; expected trees")
        sources = [Source(path) for path in paths]
    return chunks((tree for source in sources for tree in read(source, _fault(source))), mode, source=name)


def _fault(source: Source) -> Callable[[int | None, str], None]:
    def fault(line: int | None, problem: str) -> None:
        raise FormatError(source.name, line, problem)

    return fault


def _chunks(tree: Tree, parent: str, flat: bool) -> list[Chunk]:
    if tree.word:
        return [_left_over(tree, parent, flat)]
    rule = RULES.get(tree.category)
    return rule(tree, flat) if rule else _each(tree.parts, tree.category, flat)


def _each(parts: Sequence[Tree], parent: str, flat: bool) -> list[Chunk]:
    return [found for part in parts for found in _chunks(part, parent, flat)]


def _left_over(word: Tree, parent: str, flat: bool) -> Chunk:
    category = BY_TAG.get(word.label, "Null")
    if category == "PP" and parent not in PHRASES_WITH_PREPOSITIONS:
        category = "SBAR" if flat and parent == "SBAR" else "Null"
    return category, word.start, word.end


def _nominal(tree: Tree, flat: bool) -> list[Chunk]:
    parts = _dissolved(tree)
    head = _last(parts, NOMINAL)
    if head < 0:
        return _each(parts, tree.category, flat)
    before: list[Tree] = []
    for part in parts[:head]:
        before += part.leaves() if part.category in MODIFIERS and _is_small(part) else [part]
    run = [*before, parts[head]]
    begin = _run(run, len(run) - 1, until_possessive=True)
    category = "WHNP" if tree.category == "WHNP" else "NP"
    found = [(category, run[begin].start, parts[head].end)]
    if run[begin].label == "POS" and begin and run[begin - 1].label in NOMINAL:  # the owner
        owner, begin = run[begin - 1], _run(run, begin - 1)
        found.insert(0, (category, run[begin].start, owner.end))
    rest = parts[head + 1 :]
    return [*_each(run[:begin], tree.category, flat), *found, *_each(rest, tree.category, flat)]


def _dissolved(tree: Tree) -> list[Tree]:
    """The parts of a nominal phrase, without the brackets of smaller ones; an 's at the end of a part is a part of its own,
    unless it is the end of all."""
    found: list[Tree] = []
    for part in tree.parts:
        if part.category in DISSOLVED:
            found += _dissolved(part)
        elif part.category == "NP" and part.parts and part.parts[-1].label == "POS" and part is not tree.parts[-1]:
            *owner, possessive = part.parts
            if owner:
                found.append(part._replace(parts=tuple(owner), end=owner[-1].end))
            found.append(possessive)
        else:
            found.append(part)
    return found


def _run(parts: Sequence[Tree], last: int, *, until_possessive: bool = False) -> int:
    """Where the words that end with `last` begin, without punctuation and conjunctions in front."""
    begin = last
    while begin and parts[begin - 1].word and not (until_possessive and parts[begin].label == "POS"):
        begin -= 1
    while begin < last and parts[begin].label in SEPARATORS:
        begin += 1
    return begin


def _verbal(tree: Tree, flat: bool) -> list[Chunk]:
    cluster: list[Tree] = []
    after: list[Sequence[Tree]] = []
    while True:
        parts = tree.parts
        taken = next((k for k, part in enumerate(parts) if not _is_verbal(part)), len(parts))
        cluster += parts[:taken]
        inner = _continues(parts[taken], flat) if taken < len(parts) and cluster else None
        after.insert(0, parts[taken + (inner is not None) :])
        if inner is None:
            break
        tree = inner
    last = _last(cluster, VERBS)
    found = [("VP", cluster[0].start, cluster[last].end)] if last >= 0 else []
    return found + [c for parts in (cluster[last + 1 :], *after) for c in _each(parts, "VP", flat)]


def _is_verbal(part: Tree) -> bool:
    if part.word:
        return part.label in VERBS or part.label in ADVERBS or part.label == "CC"
    return part.category == "ADVP" and _is_small(part)


def _continues(part: Tree, flat: bool) -> Tree | None:
    """The VP into which a verb cluster goes on: this one, or that of a clause without subject and function."""
    if flat and re.fullmatch(r"S([-=]\d+)*", part.label) and len(part.parts) == 1:
        part = part.parts[0]
    return part if part.category == "VP" and _begins_with_verb(part) else None


def _begins_with_verb(tree: Tree) -> bool:
    """Whether the first part that is no adverb is a verb."""
    first = next((part for part in tree.parts if part.label not in ADVERBS and part.category != "ADVP"), None)
    if first is None:
        return False
    return first.label in VERBS if first.word else first.category == "VP" and _begins_with_verb(first)


def _prepositional(tree: Tree, flat: bool) -> list[Chunk]:
    parts = tree.parts
    first = next((k for k, part in enumerate(parts) if part.word and part.label in PREPOSITIONS), -1)
    if first < 0:
        return _each(parts, tree.category, flat)
    after = next((k for k in range(first, len(parts)) if not (parts[k].word and parts[k].label in PREPOSITIONS)), len(parts))
    start, end = parts[first].start, parts[after - 1].end
    rest = _each(parts[after:], tree.category, flat)
    if not flat and after < len(parts) and parts[after].category in OBJECTS and rest[0][0] in SWALLOWED:
        end = rest.pop(0)[2]
    return [*_each(parts[:first], tree.category, flat), (tree.category, start, end), *rest]


def _simple(tree: Tree, flat: bool) -> list[Chunk]:
    category = "ADJP" if tree.category == "WHADJP" else tree.category
    parts: list[Tree] = []
    for part in tree.parts:
        parts += part.leaves() if part.category in {"ADVP", "QP"} and _is_small(part) else [part]
    last = max((k for k, part in enumerate(parts) if part.word and part.label not in SEPARATORS), default=-1)
    if last < 0 and category == "LST" and parts[-1].word:  # a dash
        last = len(parts) - 1
    if last < 0:
        return _each(parts, tree.category, flat)
    begin = _run(parts, last)
    found = (category, parts[begin].start, parts[last].end)
    return [*_each(parts[:begin], tree.category, flat), found, *_each(parts[last + 1 :], tree.category, flat)]


def _last(parts: Sequence[Tree], tags: set[str]) -> int:
    """The last word with one of the tags; -1 if there is none."""
    return max((k for k, part in enumerate(parts) if part.word and part.label in tags), default=-1)


def _is_small(tree: Tree) -> bool:
    """Whether a phrase has no large ones in it."""
    return bool(tree.parts) and all(part.word or (part.category not in LARGE and _is_small(part)) for part in tree.parts)


RULES: dict[str, Callable[[Tree, bool], list[Chunk]]] = {
    **dict.fromkeys(("NP", "WHNP", "QP", "NX", "NAC", "X"), _nominal),
    "VP": _verbal,
    **dict.fromkeys(("PP", "WHPP"), _prepositional),
    **dict.fromkeys(("ADJP", "ADVP", "WHADJP", "WHADVP", "PRT", "INTJ", "CONJP", "LST"), _simple),
}
