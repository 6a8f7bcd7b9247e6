"""Chunks of trees: the non-recursive pieces of phrases, up to their heads [1]_.

Every word is in exactly one chunk. The rules go down from the root:

* A nominal phrase (NP, WHNP; the brackets of QP, NX, NAC and X in it are removed) gives a chunk that ends with its head, the
  last word with a nominal tag. The chunk reaches back to the phrase before the head; adjectives and adverbs before the head
  belong to it. A possessive `'s` opens the next chunk. A nominal phrase without a head of its own consists of phrases.
* A VP gives a chunk of its verbs, `to`, negations and adverbs, through nested VPs down to the last verb. Commas, quotes and
  brackets between words of one VP stay in it.
* A PP gives its preposition; in the mode `abney`, together with the first chunk of its nominal object, if that follows
  directly.
* ADJP, ADVP, PRT, CONJP, INTJ and LST give their words up to the last, with the small phrases of degree before it.
* Whatever stands before or after a chunk goes to the phrases that it consists of. Remaining single words go by their tags.
  Punctuation, conjunctions and complementizers are chunks of one word of the category `Null`.

Modes:

``abney``
    as above. PP contains NP; the categories of questions and relatives (WHNP, WHADVP, WHPP) are kept
``flat``
    similar to CoNLL-2000: a PP is the preposition only, a complementizer is SBAR, WH- is removed, and verbs continue into a
    clause without a subject: `expected to take` is one VP

The rules are ours, made from the descriptions. The script that made CoNLL-2000 differs in some decisions.

References
----------
.. [1] Abney (1991), Parsing by Chunks.
.. [2] Abney (1993), Measures and Models for Phrase Recognition.
.. [3] Tjong Kim Sang and Buchholz (2000), Introduction to the CoNLL-2000 Shared Task: Chunking.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from referee.basics.exceptions import check_name
from referee.basics.options import choices
from referee.phrases.annotation import Chunks, Sentences, SpanColumns
from referee.phrases.chunking import treebank
from referee.phrases.chunking.trees import Tree

MODES = choices.TREE_CHUNKS

RENAMED = {"abney": {"SBAR": treebank.OUTSIDE}, "flat": {"WHNP": "NP", "WHADVP": "ADVP", "WHPP": "PP"}}
"""Categories that a mode writes in another way."""


class Chunk(NamedTuple):
    """A chunk of one sentence, with half-open word offsets."""

    category: str
    start: int
    end: int


def tree_chunks(tree: Tree, mode: str = "abney") -> list[Chunk]:
    """The chunks of a tree, from left to right: a partition of its words.

    Parameters
    ----------
    tree
        The tree of a sentence.
    mode
        One of `MODES`.

    Raises
    ------
    UnknownNameError
        If there is no such mode.
    """
    check_name("tree mode", mode, MODES)
    renamed = RENAMED[mode]
    chunks = [
        chunk._replace(category=renamed.get(chunk.category, chunk.category)) for chunk in _chunks(tree, "", mode == "flat")
    ]
    return _with_possessives(chunks, tree)


def chunks_of_trees(trees: Iterable[Tree], mode: str = "abney", *, source: str = "<trees>") -> Chunks:
    """The chunks of trees, with words and tags. Categories are in alphabetical order.

    Parameters
    ----------
    trees
        The trees of the sentences.
    mode
        One of `MODES`.
    source
        The name of the source, for messages.
    """
    words, tags, rows = [], [], []
    for number, tree in enumerate(trees):
        leaves = list(tree.leaves())
        words.append([leaf.word for leaf in leaves])
        tags.append([leaf.label for leaf in leaves])
        rows += [(number, chunk) for chunk in tree_chunks(tree, mode)]
    sentences = Sentences.numbered([len(row) for row in words], words, tags)
    return chunks_of_rows(sentences, rows, source)


def chunks_of_rows(sentences: Sentences, rows: Sequence[tuple[int, Chunk]], source: str) -> Chunks:
    """Chunks with the numbers of their sentences, as columns. Categories are in alphabetical order."""
    categories = sorted({chunk.category for _, chunk in rows})
    number_of = {name: x for x, name in enumerate(categories)}
    columns = SpanColumns.of_rows([(s, chunk.start, chunk.end, number_of[chunk.category]) for s, chunk in rows])
    return Chunks.build(sentences, categories, **columns._asdict(), source=source)


def _chunks(tree: Tree, parent: str, flat: bool) -> list[Chunk]:
    if tree.word:
        return [_single_word(tree, parent)]
    rule = RULES.get(tree.category)
    return rule(tree, flat) if rule else _each(tree.parts, tree.category, flat)


def _each(parts: Sequence[Tree], parent: str, flat: bool) -> list[Chunk]:
    return [chunk for part in parts for chunk in _chunks(part, parent, flat)]


def _single_word(word: Tree, parent: str) -> Chunk:
    in_parent = treebank.CATEGORY_IN_PARENT.get(parent, {})
    category = in_parent.get(word.label) or treebank.CATEGORY_OF_TAG.get(word.label, treebank.OUTSIDE)
    return Chunk(category, word.start, word.end)


def _with_possessives(chunks: list[Chunk], tree: Tree) -> list[Chunk]:
    """Join a lone 's with the WHNP after it: a friend of Mr. Lane | 's who."""
    clitics = {(leaf.start, leaf.end) for leaf in tree.leaves() if leaf.label == "POS"}
    for k in range(len(chunks) - 1, 0, -1):
        before, chunk = chunks[k - 1 : k + 1]
        if chunk.category == "WHNP" and (before.start, before.end) in clitics:
            chunks[k - 1 : k + 1] = [chunk._replace(start=before.start)]
    return chunks


def _nominal(tree: Tree, flat: bool) -> list[Chunk]:
    parts = _dissolved(tree)
    head = _last(parts, treebank.NOMINAL)
    if head < 0:
        return _each(parts, tree.category, flat)
    before: list[Tree] = []
    for part in parts[:head]:
        before += part.leaves() if part.category in treebank.MODIFIERS and _is_small(part) else [part]
    run = [*before, parts[head]]
    begin = _run_start(run, len(run) - 1, {part.end - 1 for part in (tree, *tree.parts) if _is_possessor(part)})
    category = "WHNP" if tree.category == "WHNP" else "NP"
    chunks = [Chunk(category, run[begin].start, parts[head].end)]
    rest = _each(parts[head + 1 :], tree.category, flat)
    if run[begin].label == "POS":
        if rest and rest[0].category == "NP":  # the company 's | two owners
            chunks = [Chunk(category, run[begin].start, rest.pop(0).end)]
        if begin and run[begin - 1].label in treebank.NOMINAL:
            possessor, begin = run[begin - 1], _run_start(run, begin - 1)
            chunks.insert(0, Chunk(category, run[begin].start, possessor.end))
    return [*_each(run[:begin], tree.category, flat), *chunks, *rest]


def _dissolved(tree: Tree) -> list[Tree]:
    """The parts of a nominal phrase, without the brackets of smaller ones.

    A possessive 's is a part of its own, unless it ends the phrase.
    """
    parts: list[Tree] = []
    for part in tree.parts:
        if part.category in treebank.DISSOLVED:
            parts += _dissolved(part)
        elif _is_possessor(part) and part is not tree.parts[-1]:
            *possessor, possessive = part.parts
            if possessor:
                parts.append(part._replace(parts=tuple(possessor), end=possessor[-1].end))
            parts.append(possessive)
        else:
            parts.append(part)
    return parts


def _is_possessor(tree: Tree) -> bool:
    return tree.category == "NP" and bool(tree.parts) and tree.parts[-1].label == "POS"


def _run_start(parts: Sequence[Tree], last: int, openings: Container[int] = ()) -> int:
    """Where the words that end with `last` begin, without punctuation and conjunctions at the front.

    They do not reach back over a word that opens a chunk.
    """
    begin = last
    while begin and parts[begin - 1].word and parts[begin].start not in openings:
        begin -= 1
    while begin < last and parts[begin + (parts[begin].label == "POS")].label in treebank.SEPARATORS:
        begin += 1
    return begin


def _verbal(tree: Tree, flat: bool) -> list[Chunk]:
    cluster, after = _verb_cluster(tree, flat)
    begin = next((k for k, part in enumerate(cluster) if part.label not in treebank.SEPARATORS), len(cluster))
    last = _last(cluster, treebank.VERBS)
    chunks = [Chunk("VP", cluster[begin].start, cluster[last].end)] if last >= 0 else []
    return [*_each(cluster[:begin], "VP", flat), *chunks, *_each(cluster[max(begin, last + 1) :], "VP", flat), *after]


def _verb_cluster(tree: Tree, flat: bool) -> tuple[list[Tree], list[Chunk]]:
    """The verbs and adverbs of a VP and of the VPs into which it continues, and the chunks after them."""
    cluster: list[Tree] = []
    after: list[Chunk] = []
    while True:
        parts = tree.parts
        end = next((k for k in range(len(parts)) if not _is_verbal(parts, k, cluster)), len(parts))
        cluster += parts[:end]
        inner = None
        is_only = sum(part.category == "VP" for part in parts) == 1
        if cluster and end < len(parts) and (_last(cluster, treebank.VERBS) >= 0 or is_only):
            inner = _continuation(parts[end], flat)
        after = _each(parts[end + (inner is not None) :], "VP", flat) + after
        if inner is None:
            return cluster, after
        if inner is not parts[end]:
            after = _each(parts[end].parts[1:], "S", flat) + after
        tree = inner


def _is_verbal(parts: Sequence[Tree], k: int, before: Sequence[Tree]) -> bool:
    """Whether part k of a VP belongs to its verbs.

    It does if it is a verb, an adverb or a conjunction, or if only words stand between it and a later verb.
    """
    part = parts[k]
    if not part.word:
        return part.category == "ADVP" and _is_small(part)
    if part.label in treebank.VERBS or part.label in treebank.ADVERBS or part.label == "CC":
        return True
    words = takewhile(lambda part: part.word, parts[k + 1 :])
    return bool(k or before) and any(part.label in treebank.VERBS for part in words)


def _continuation(part: Tree, flat: bool) -> Tree | None:
    """The VP into which a verb cluster continues: this one, or the first of a clause without subject and function."""
    if flat and re.fullmatch(r"S([-=]\d+)*", part.label) and part.parts and part.parts[0].category == "VP":
        part = part.parts[0]
    return part if part.category == "VP" and _begins_with_verb(part) else None


def _begins_with_verb(tree: Tree) -> bool:
    """Whether the first part that is not an adverb is a verb."""
    skipped = treebank.ADVERBS | {"``"}
    first = next((part for part in tree.parts if part.label not in skipped and part.category != "ADVP"), None)
    if first is None:
        return False
    return first.label in treebank.VERBS if first.word else first.category == "VP" and _begins_with_verb(first)


def _prepositional(tree: Tree, flat: bool) -> list[Chunk]:
    parts = tree.parts
    first = next((k for tags in (treebank.PREPOSITIONS, {"RBR"}) for k, part in enumerate(parts) if part.label in tags), -1)
    if first < 0:
        return _each(parts, tree.category, flat)
    more = {"IN", "TO", "RB"} if parts[first].label == "JJ" else {"IN", "TO"}
    after = next((k for k in range(first + 1, len(parts)) if parts[k].label not in more), len(parts))
    chunk = Chunk(tree.category, parts[first].start, parts[after - 1].end)
    rest = _each(parts[after:], tree.category, flat)
    if not flat and after < len(parts) and _is_object(parts[after]) and rest[0].category in treebank.OBJECT_CHUNKS:
        chunk = chunk._replace(end=rest.pop(0).end)
    return [*_each(parts[:first], tree.category, flat), chunk, *rest]


def _is_object(tree: Tree) -> bool:
    """Whether a phrase can be the object of a preposition before it: no parenthesis follows its first word."""
    is_interrupted = tree.category == "NP" and ["" if part.word else part.category for part in tree.parts[:2]] == ["", "PRN"]
    return tree.category in treebank.OBJECT_PHRASES and not is_interrupted


def _simple(tree: Tree, flat: bool) -> list[Chunk]:
    category = "ADJP" if tree.category == "WHADJP" else tree.category
    parts = tree.parts
    not_heads = treebank.NOT_HEADS.get(category, treebank.PUNCTUATION)
    head = max((k for k, part in enumerate(parts) if part.word and part.label not in not_heads), default=-1)
    if head < 0:
        return _each(parts, tree.category, flat)
    run: list[Tree] = []
    for part in parts[: head + 1]:
        run += part.leaves() if part.category in treebank.DEGREE_PHRASES and _is_small(part) else [part]
    begin = _run_start(run, len(run) - 1)
    if category == "PRT" and parts[head].label == "RBR":
        category = "ADVP"
    chunk = Chunk(category, run[begin].start, parts[head].end)
    return [*_each(run[:begin], tree.category, flat), chunk, *_each(parts[head + 1 :], tree.category, flat)]


def _last(parts: Sequence[Tree], tags: set[str]) -> int:
    """The position of the last word with one of the tags; -1 if there is none."""
    return max((k for k, part in enumerate(parts) if part.word and part.label in tags), default=-1)


def _is_small(tree: Tree) -> bool:
    """Whether there are no large phrases in a phrase."""
    return bool(tree.parts) and all(
        part.word or (part.category not in treebank.LARGE_PHRASES and _is_small(part)) for part in tree.parts
    )


RULES: dict[str, Callable[[Tree, bool], list[Chunk]]] = {
    **dict.fromkeys(treebank.NOMINAL_PHRASES, _nominal),
    "VP": _verbal,
    **dict.fromkeys(("PP", "WHPP"), _prepositional),
    **dict.fromkeys(("ADJP", "ADVP", "WHADJP", "WHADVP", "PRT", "INTJ", "CONJP", "LST"), _simple),
}
"""The rule of each category; the chunks of other phrases are those of their parts."""
