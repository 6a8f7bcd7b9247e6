"""Chunks of trees: the non-recursive pieces of phrases, up to their heads (Abney 1991).

Every word is in exactly one chunk. Going down from the top:

* A nominal phrase (NP, WHNP, with QP, NX, NAC and X in it dissolved) gives a chunk that ends with its head, its last word with
  a nominal tag, and reaches back to where other phrases intervene; adjectives and adverbs before the head belong to it. An
  owner's `'s` opens the next chunk. A nominal phrase without a head of its own is a phrase of phrases.
* A VP gives a chunk of its verbs, `to`, negations and adverbs, down nested VPs to the last verb. Commas, quotes and brackets
  between words of one VP stay in it.
* A PP gives its preposition; in the mode `abney` together with the first chunk of its nominal object, if that follows directly.
* ADJP, ADVP, PRT, CONJP, INTJ and LST give their words up to the last, with the small phrases of degree before that.
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

import re
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import takewhile

from referee.exceptions import UnknownNameError
from referee.phrases.candidates import Chunks, Sentences
from referee.phrases.chunks.trees import Tree

MODES = ("abney", "flat")

Chunk = tuple[str, int, int]
"""Category, start and end."""

PUNCTUATION = {",", ".", ":", "``", "''", "-LRB-", "-RRB-"}
SEPARATORS = PUNCTUATION | {"CC"}
VERBS = {"MD", "TO", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"}
ADVERBS = {"RB", "RBR", "RBS"}
NOUNS = {"NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "EX", "CD", "DT", "PDT", "$", "#", "FW", "SYM"}
ADJECTIVES = {"JJ", "JJR", "JJS"}
QUESTIONS = {"WDT", "WP", "WP$"}
NOMINAL = NOUNS | ADJECTIVES | ADVERBS | QUESTIONS | {"POS", "VBG", "VBN"}
PREPOSITIONS = {"IN", "TO", "VBG", "VBN", "RP", "FW", "RB", "JJ", "NN", "DT"}  # including, compared, instead of, such as
DISSOLVED = {"QP", "NX", "NAC", "X"}
NOMINAL_PHRASES = {"NP", "WHNP"} | DISSOLVED
MODIFIERS = {"ADJP", "ADVP", "UCP", "WHADJP"}
DEGREES = {"ADJP", "ADVP", "QP"}
LARGE = {"NP", "PP", "PRN", "S", "SBAR", "VP"}
SWALLOWED = {"NP", "WHNP", "ADJP", "ADVP"}
OBJECTS = SWALLOWED | {"NX", "QP"}
NO_HEADS = {"ADJP": SEPARATORS | {"UH"}, "LST": PUNCTUATION - {":", "-RRB-"}}
"""What is no head of these phrases; of others, punctuation is not."""

BY_TAG = {
    **dict.fromkeys(NOUNS, "NP"),
    **dict.fromkeys(ADJECTIVES, "ADJP"),
    **dict.fromkeys(ADVERBS, "ADVP"),
    **dict.fromkeys(QUESTIONS, "WHNP"),
    **dict.fromkeys(VERBS - {"TO"}, "VP"),
    "RP": "PRT", "UH": "INTJ", "LS": "LST", "WRB": "WHADVP",
}  # fmt: skip
"""What a word is that no phrase takes in; all others are Null."""

BY_PARENT = {
    **{phrase: {"POS": "NP", "VB": "NP", "TO": "VP"} for phrase in NOMINAL_PHRASES},
    **{phrase: {"IN": "PP", "TO": "PP"} for phrase in ("ADJP", "ADVP")},
    "SBAR": {"IN": "SBAR", "TO": "SBAR"},
}
"""What it is in these phrases, whatever it is elsewhere."""

RENAMED = {"abney": {"SBAR": "Null"}, "flat": {"WHNP": "NP", "WHADVP": "ADVP", "WHPP": "PP"}}


def chunk(tree: Tree, mode: str = "abney") -> list[Chunk]:
    """The chunks of a tree, from left to right: a partition of its words."""
    if mode not in MODES:
        raise UnknownNameError("way to chunk trees", mode, MODES)
    names = RENAMED[mode]
    return _opened([(names.get(x, x), i, j) for x, i, j in _chunks(tree, "", mode == "flat")], tree)


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


def _chunks(tree: Tree, parent: str, flat: bool) -> list[Chunk]:
    if tree.word:
        return [_left_over(tree, parent)]
    rule = RULES.get(tree.category)
    return rule(tree, flat) if rule else _each(tree.parts, tree.category, flat)


def _opened(found: list[Chunk], tree: Tree) -> list[Chunk]:
    """The chunks, in which a lone 's is part of the WHNP after it: a friend of Mr. Lane | 's who."""
    clitics = {(leaf.start, leaf.end) for leaf in tree.leaves() if leaf.label == "POS"}
    for k in range(len(found) - 1, 0, -1):
        (_, *before), (category, _, end) = found[k - 1 : k + 1]
        if category == "WHNP" and tuple(before) in clitics:
            found[k - 1 : k + 1] = [(category, before[0], end)]
    return found


def _each(parts: Sequence[Tree], parent: str, flat: bool) -> list[Chunk]:
    return [found for part in parts for found in _chunks(part, parent, flat)]


def _left_over(word: Tree, parent: str) -> Chunk:
    return BY_PARENT.get(parent, {}).get(word.label) or BY_TAG.get(word.label, "Null"), word.start, word.end


def _nominal(tree: Tree, flat: bool) -> list[Chunk]:
    parts = _dissolved(tree)
    head = _last(parts, NOMINAL)
    if head < 0:
        return _each(parts, tree.category, flat)
    before: list[Tree] = []
    for part in parts[:head]:
        before += part.leaves() if part.category in MODIFIERS and _is_small(part) else [part]
    run = [*before, parts[head]]
    begin = _run(run, len(run) - 1, {part.end - 1 for part in (tree, *tree.parts) if _is_owner(part)})
    category = "WHNP" if tree.category == "WHNP" else "NP"
    found = [(category, run[begin].start, parts[head].end)]
    rest = _each(parts[head + 1 :], tree.category, flat)
    if run[begin].label == "POS":
        if rest and rest[0][0] == "NP":  # the company 's | two owners
            found = [(category, run[begin].start, rest.pop(0)[2])]
        if begin and run[begin - 1].label in NOMINAL:  # the owner
            owner, begin = run[begin - 1], _run(run, begin - 1)
            found.insert(0, (category, run[begin].start, owner.end))
    return [*_each(run[:begin], tree.category, flat), *found, *rest]


def _dissolved(tree: Tree) -> list[Tree]:
    """The parts of a nominal phrase, without the brackets of smaller ones; an owner's 's is a part of its own, unless it is the
    end of all."""
    found: list[Tree] = []
    for part in tree.parts:
        if part.category in DISSOLVED:
            found += _dissolved(part)
        elif _is_owner(part) and part is not tree.parts[-1]:
            *owner, possessive = part.parts
            if owner:
                found.append(part._replace(parts=tuple(owner), end=owner[-1].end))
            found.append(possessive)
        else:
            found.append(part)
    return found


def _is_owner(tree: Tree) -> bool:
    return tree.category == "NP" and bool(tree.parts) and tree.parts[-1].label == "POS"


def _run(parts: Sequence[Tree], last: int, opening: Container[int] = ()) -> int:
    """Where the words that end with `last` begin, not before one that opens, without punctuation and conjunctions in front."""
    begin = last
    while begin and parts[begin - 1].word and parts[begin].start not in opening:
        begin -= 1
    while begin < last and parts[begin + (parts[begin].label == "POS")].label in SEPARATORS:
        begin += 1
    return begin


def _verbal(tree: Tree, flat: bool) -> list[Chunk]:
    cluster: list[Tree] = []
    after: list[Chunk] = []
    while True:
        parts = tree.parts
        taken = next((k for k in range(len(parts)) if not _is_verbal(parts, k, cluster)), len(parts))
        cluster += parts[:taken]
        inner = None
        if cluster and taken < len(parts) and (_last(cluster, VERBS) >= 0 or sum(part.category == "VP" for part in parts) == 1):
            inner = _continues(parts[taken], flat)
        after = _each(parts[taken + (inner is not None) :], "VP", flat) + after
        if inner is None:
            break
        if inner is not parts[taken]:
            after = _each(parts[taken].parts[1:], "S", flat) + after
        tree = inner
    begin = next((k for k, part in enumerate(cluster) if part.label not in SEPARATORS), len(cluster))
    last = _last(cluster, VERBS)
    found = [("VP", cluster[begin].start, cluster[last].end)] if last >= 0 else []
    return [*_each(cluster[:begin], "VP", flat), *found, *_each(cluster[max(begin, last + 1) :], "VP", flat), *after]


def _is_verbal(parts: Sequence[Tree], k: int, before: Sequence[Tree]) -> bool:
    """Whether a part of a VP belongs to its verbs: it is one, or an adverb, or a word from which words alone lead on to one."""
    part = parts[k]
    if not part.word:
        return part.category == "ADVP" and _is_small(part)
    if part.label in VERBS or part.label in ADVERBS or part.label == "CC":
        return True
    words = takewhile(lambda part: part.word, parts[k + 1 :])
    return bool(k or before) and any(part.label in VERBS for part in words)


def _continues(part: Tree, flat: bool) -> Tree | None:
    """The VP into which a verb cluster goes on: this one, or the first of a clause without subject and function."""
    if flat and re.fullmatch(r"S([-=]\d+)*", part.label) and part.parts and part.parts[0].category == "VP":
        part = part.parts[0]
    return part if part.category == "VP" and _begins_with_verb(part) else None


def _begins_with_verb(tree: Tree) -> bool:
    """Whether the first part that is no adverb is a verb."""
    skipped = ADVERBS | {"``"}
    first = next((part for part in tree.parts if part.label not in skipped and part.category != "ADVP"), None)
    if first is None:
        return False
    return first.label in VERBS if first.word else first.category == "VP" and _begins_with_verb(first)


def _prepositional(tree: Tree, flat: bool) -> list[Chunk]:
    parts = tree.parts
    first = next((k for tags in (PREPOSITIONS, {"RBR"}) for k, part in enumerate(parts) if part.label in tags), -1)
    if first < 0:
        return _each(parts, tree.category, flat)
    more = {"IN", "TO", "RB"} if parts[first].label == "JJ" else {"IN", "TO"}
    after = next((k for k in range(first + 1, len(parts)) if parts[k].label not in more), len(parts))
    start, end = parts[first].start, parts[after - 1].end
    rest = _each(parts[after:], tree.category, flat)
    if not flat and after < len(parts) and _is_object(parts[after]) and rest[0][0] in SWALLOWED:
        end = rest.pop(0)[2]
    return [*_each(parts[:first], tree.category, flat), (tree.category, start, end), *rest]


def _is_object(tree: Tree) -> bool:
    """Whether a phrase can be the object of a preposition before it: no parenthesis cuts off its first word."""
    cut_off = tree.category == "NP" and ["" if part.word else part.category for part in tree.parts[:2]] == ["", "PRN"]
    return tree.category in OBJECTS and not cut_off


def _simple(tree: Tree, flat: bool) -> list[Chunk]:
    category = "ADJP" if tree.category == "WHADJP" else tree.category
    parts = tree.parts
    no_heads = NO_HEADS.get(category, PUNCTUATION)
    head = max((k for k, part in enumerate(parts) if part.word and part.label not in no_heads), default=-1)
    if head < 0:
        return _each(parts, tree.category, flat)
    run: list[Tree] = []
    for part in parts[: head + 1]:
        run += part.leaves() if part.category in DEGREES and _is_small(part) else [part]
    begin = _run(run, len(run) - 1)
    if category == "PRT" and parts[head].label == "RBR":
        category = "ADVP"
    found = (category, run[begin].start, parts[head].end)
    return [*_each(run[:begin], tree.category, flat), found, *_each(parts[head + 1 :], tree.category, flat)]


def _last(parts: Sequence[Tree], tags: set[str]) -> int:
    """The last word with one of the tags; -1 if there is none."""
    return max((k for k, part in enumerate(parts) if part.word and part.label in tags), default=-1)


def _is_small(tree: Tree) -> bool:
    """Whether a phrase has no large ones in it."""
    return bool(tree.parts) and all(part.word or (part.category not in LARGE and _is_small(part)) for part in tree.parts)


RULES: dict[str, Callable[[Tree, bool], list[Chunk]]] = {
    **dict.fromkeys(NOMINAL_PHRASES, _nominal),
    "VP": _verbal,
    **dict.fromkeys(("PP", "WHPP"), _prepositional),
    **dict.fromkeys(("ADJP", "ADVP", "WHADJP", "WHADVP", "PRT", "INTJ", "CONJP", "LST"), _simple),
}
