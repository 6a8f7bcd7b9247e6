"""Trees with the labels of ClearNLP, as spaCy's models of English write them, as trees of Universal Dependencies.

ClearNLP makes prepositions and the verb *be* the heads of what they introduce: ``on -pobj-> table``, ``is -attr-> doctor``. UD
has the noun above both. So a conversion turns edges round, moves conjunctions and conjuncts, and renames the rest by a table.
Each step keeps a tree a tree: a word is exchanged with its child, or moved to a word that is not below it.

Source: the guidelines of ClearNLP (Choi and Palmer 2012), the glossary of spaCy, and the guidelines of UD for English.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints

CLEAR = frozenset((
    "acomp", "agent", "attr", "auxpass", "csubjpass", "dative", "dobj", "intj", "meta", "neg", "npadvmod", "nsubjpass", "oprd",
    "pcomp", "pobj", "poss", "preconj", "predet", "prep", "prt", "quantmod", "relcl",
))  # fmt: skip
"""The relations of ClearNLP that are none of UD."""

NAME = "name"
"""The relation of a word to the last word of a person's name: no label of ClearNLP, but what entities of spaCy tell."""

CLAUSE = "clause"
"""The relation of a clause behind a preposition, until it is known whether it modifies a noun or a verb."""

RENAMED = {
    "auxpass": "aux:pass", "csubjpass": "csubj:pass", "dobj": "obj", "intj": "discourse", "meta": "dep",
    "neg": "advmod", "nsubjpass": "nsubj:pass", "oprd": "xcomp", "poss": "nmod:poss", "preconj": "cc:preconj",
    "predet": "det:predet", "prt": "compound:prt", "quantmod": "advmod", "relcl": "acl:relcl", "attr": "xcomp",
    "acomp": "xcomp", "dative": "iobj", "agent": "obl:agent",
}  # fmt: skip
"""The relations of UD for those that ask for nothing but another name."""

NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM", "SYM", "DET", "X"))
"""Parts of speech whose modifiers are `nmod` and `acl`; those of others are `obl` and `advcl`."""

KINDS = {
    "who": "Rel", "whom": "Rel", "whose": "Rel", "which": "Rel", "what": "Rel", "whatever": "Rel", "whoever": "Rel",
    "there": "Dem", "such": "Dem", "some": "Ind", "any": "Ind", "each": "Ind", "every": "Ind", "another": "Ind", "no": "Neg",
    "all": "Tot", "both": "Tot",
}  # fmt: skip
"""The feature PronType of pronouns and determiners to which spaCy's models give none."""

WH_ADVERBS = frozenset(("when", "where", "how", "why"))
"""Adverbs that spaCy's models tag as SCONJ."""

MONTHS = frozenset((
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
))  # fmt: skip
"""Before the number of a day, they depend on it."""

BE = frozenset((
    "be", "am", "is", "are", "was", "were", "been", "being", "'s", "’s", "'m", "’m", "'re", "’re", "s", "m", "re", "ai",
))  # fmt: skip
"""The forms of the copula."""


class LabelledTrees(NamedTuple):
    """The trees of a text, over all its words.

    Parameters
    ----------
    head : int64, shape (words,)
        The word above each; -1 for a root.
    relation, upos, feats, form : list of str
    """

    head: Ints
    relation: list[str]
    upos: list[str]
    feats: list[str]
    form: list[str]


def to_universal(trees: LabelledTrees) -> LabelledTrees:
    """Convert trees of ClearNLP; the words, and how many roots there are, stay the same.

    Notes
    -----
    Attachments stay what they are, right or wrong, but for words that change places and for what was below them.

    Examples
    --------
    >>> words = "she is on the roof".split()
    >>> tags = "PRON AUX ADP DET NOUN".split()
    >>> given = LabelledTrees(np.array([1, -1, 1, 4, 2]), "nsubj root prep det pobj".split(), tags, ["_"] * 5, words)
    >>> made = to_universal(given)
    >>> made.head.tolist(), made.relation
    ([4, 4, 4, 4, -1], ['nsubj', 'cop', 'case', 'det', 'root'])
    """
    tree = TreeInChange(trees)
    for change in (_tag, _preposition, _modifier, _copula, _expletive, _date, _name, _conjunctions):
        tree.each(change)
    tree.flatten_conjuncts()
    relation = [RENAMED.get(text, text) for text in tree.relation]
    return LabelledTrees(np.array(tree.head, dtype=np.int64), relation, tree.upos, tree.feats, trees.form)


class TreeInChange:
    """Trees that are being changed, with the words below each word in their order.

    Parameters
    ----------
    trees : LabelledTrees
    """

    def __init__(self, trees: LabelledTrees) -> None:
        self.head: list[int] = trees.head.tolist()
        self.relation, self.upos, self.feats = list(trees.relation), list(trees.upos), list(trees.feats)
        self.form = [text.lower() for text in trees.form]
        self.below: list[list[int]] = [[] for _ in self.head]
        for n, head in enumerate(self.head):
            if head >= 0:
                self.below[head].append(n)

    def order(self) -> list[int]:
        """All words, each behind the one above it."""
        tokens = [n for n, head in enumerate(self.head) if head < 0]
        for n in tokens:
            tokens += self.below[n]
        return tokens

    def each(self, change: Callable[[TreeInChange, int], None]) -> None:
        """Make a change at every word, from the leaves upwards."""
        for n in reversed(self.order()):
            change(self, n)

    def children(self, n: int, *relations: str) -> list[int]:
        """The words below a word that have one of these relations."""
        return [child for child in self.below[n] if self.relation[child] in relations]

    def move(self, n: int, to: int) -> None:
        """Put a word, with all below it, under another one; -1 makes it a root."""
        if self.head[n] >= 0:
            self.below[self.head[n]].remove(n)
        self.head[n] = to
        if to >= 0:
            insort(self.below[to], n)

    def exchange(self, n: int, relation: str) -> None:
        """Exchange a word with the one above it, which gets `relation`; all else below that one is now below the word."""
        above = self.head[n]
        self.move(n, self.head[above])
        self.relation[n], self.relation[above] = self.relation[above], relation
        for child in [above, *self.below[above]]:
            self.move(child, n)

    def flatten_conjuncts(self) -> None:
        """Put all conjuncts under the first one, where ClearNLP has each under the one before it."""
        for n in self.order():
            head = self.head[n]
            if self.relation[n] == "conj" and self.relation[head] == "conj" and self.head[head] >= 0:
                self.move(n, self.head[head])


def _tag(tree: TreeInChange, n: int) -> None:
    """Correct tags and features that spaCy's models of English have otherwise than UD."""
    form = tree.form[n]
    if tree.upos[n] == "X" and not any(map(str.isalnum, form)):
        tree.upos[n] = "PUNCT"
    elif form == "n’t" and tree.head[n] >= 0:
        tree.upos[n], tree.feats[n], tree.relation[n] = "PART", "Polarity=Neg", "advmod"
    elif form in WH_ADVERBS and tree.upos[n] == "SCONJ":
        tree.upos[n] = "ADV"
    elif form == "that" and tree.upos[n] == "SCONJ" and tree.relation[n] != "mark":
        tree.upos[n] = "DET" if tree.relation[n] == "det" else "PRON"
    if form in KINDS and tree.upos[n] in ("PRON", "DET") and "PronType=" not in tree.feats[n]:
        kind = f"PronType={KINDS[form]}"
        tree.feats[n] = kind if tree.feats[n] == "_" else f"{tree.feats[n]}|{kind}"


def _preposition(tree: TreeInChange, n: int) -> None:
    """Put what a preposition governs above it: a noun, a clause, or the object of a second preposition (out of town)."""
    objects = tree.children(n, "pobj") or tree.children(n, "pcomp")
    if not objects and tree.relation[n] == "prep" and tree.upos[n] in ("ADP", "SCONJ"):
        coordinated = [child for child in tree.children(n, "conj") if tree.children(child, "case")]  # before and after noon
        objects = tree.children(n, "prep") or coordinated
    if objects:
        is_clause = tree.relation[objects[0]] == "pcomp" and tree.upos[objects[0]] in ("VERB", "AUX")
        if is_clause and tree.relation[n] == "prep":
            tree.relation[n] = CLAUSE
        tree.exchange(objects[0], "mark" if is_clause else "case")


def _modifier(tree: TreeInChange, n: int) -> None:
    """Rename what has another relation below a noun than below a verb, or another one with a preposition."""
    relation, above = tree.relation[n], tree.head[n]
    nominal = above >= 0 and tree.upos[above] in NOMINAL
    if relation in ("prep", "pobj", "agent", "dative"):
        if tree.upos[n] in ("ADP", "SCONJ", "ADV") and not tree.children(n, "case"):
            tree.relation[n] = "advmod"
        elif relation in ("prep", "pobj"):
            tree.relation[n] = "nmod" if nominal else "obl"
        elif relation == "dative" and tree.children(n, "case"):
            tree.relation[n] = "obl"
    elif relation == CLAUSE:
        tree.relation[n] = "acl" if nominal else "advcl"
    elif relation == "npadvmod":
        tree.relation[n] = "nmod:unmarked" if nominal else "obl:unmarked"
    elif relation == "aux" and tree.form[n] in ("to", "na"):
        tree.relation[n] = "mark"


def _copula(tree: TreeInChange, n: int) -> None:
    """Put a predicate above *be*; but what *there is* stays below it, as its subject."""
    if tree.form[n] not in BE or tree.upos[n] not in ("AUX", "VERB"):
        return
    predicates = tree.children(n, "attr", "acomp")
    if predicates and any(tree.form[child] == "there" for child in tree.children(n, "expl")):
        tree.relation[predicates[0]] = "nsubj"
        return
    if not predicates and not tree.children(n, "ccomp", "xcomp"):
        predicates = [child for child in tree.children(n, "obl") if child > n]
    if predicates:
        tree.exchange(predicates[0], "cop")


def _expletive(tree: TreeInChange, n: int) -> None:
    """*It is good to know* has a clause for subject."""
    clauses = [child for child in tree.children(n, "ccomp", "xcomp") if child > n]
    if tree.upos[n] == "ADJ" and clauses and tree.children(n, "cop"):
        for child in tree.children(n, "nsubj"):
            if tree.form[child] == "it":
                tree.relation[child], tree.relation[clauses[0]] = "expl", "csubj"


def _date(tree: TreeInChange, n: int) -> None:
    """Put the day above the month, in *May 3, 1859*; days and years are no quantities of months."""
    if tree.form[n] not in MONTHS:
        return
    numbers = [child for child in tree.children(n, "nummod") if child > n]
    for child in numbers:
        tree.relation[child] = "nmod:unmarked"
    if numbers and numbers[0] == n + 1 and len(tree.form[n + 1]) <= 2:
        tree.exchange(n + 1, "nmod:unmarked")


def _name(tree: TreeInChange, n: int) -> None:
    """Put the first word of a person's name above all others."""
    names = tree.children(n, NAME)
    for child in names[1:]:
        tree.relation[child] = "flat"
    if names:
        tree.exchange(names[0], "flat")


def _conjunctions(tree: TreeInChange, n: int) -> None:
    """Put a conjunction, and a comma, under the conjunct behind it."""
    conjuncts = tree.children(n, "conj")
    if conjuncts:
        for child in tree.children(n, "cc", "punct"):
            behind = [conjunct for conjunct in conjuncts if conjunct > child]
            if behind and child > n:
                tree.move(child, behind[0])
