"""A sentence whose shallow tree is being made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

FINITE = frozenset(("MD", "VBD", "VBP", "VBZ"))


class Sentence:
    """The words of a sentence, with their heads as far as they are known.

    Attributes
    ----------
    form : sequence of str
        In lower case.
    upos, xpos, lemma : sequence of str
    head : list of int
        The head of each word, from 0; -1 where none is known.
    deprel : list of str
    """

    def __init__(self, form: Sequence[str], upos: Sequence[str], xpos: Sequence[str], lemma: Sequence[str]) -> None:
        self.form, self.upos, self.xpos, self.lemma = form, upos, xpos, lemma
        self.head = [-1] * len(form)
        self.deprel = ["dep"] * len(form)

    def attach(self, word: int, head: int, relation: str) -> None:
        """Put a word below another one."""
        if word != head:
            self.head[word] = head
            self.deprel[word] = relation

    def attach_all(self, words: Iterable[int], head: int, relation: str) -> None:
        """Put words below another one."""
        for word in words:
            self.attach(word, head, relation)

    def is_passive(self, start: int, verb: int) -> bool:
        """Whether a group of verbs that ends with a main verb is passive."""
        if self.xpos[verb] != "VBN" or self.upos[verb] != "VERB":
            return False
        before = [w for w in range(start, verb) if self.upos[w] == "AUX"]
        return bool(before) and self.lemma[before[-1]] in ("be", "get")

    def is_question(self, word: int) -> bool:
        """Whether a word is *who*, *which*, *what* or *that*, which open clauses."""
        return self.xpos[word] in ("WDT", "WP")

    def is_year(self, word: int) -> bool:
        """Whether a word is a number that may be a year."""
        return self.upos[word] == "NUM" and len(self.form[word]) == 4 and self.form[word].isdigit()

    def is_above(self, word: int, below: int) -> bool:
        """Whether a word is another one, or above it."""
        for _ in self.head:
            if below == word or below < 0:
                break
            below = self.head[below]
        return below == word

    def tree(self) -> tuple[list[int], list[str]]:
        """The heads, from 1, and the relations, completed to a tree.

        It has one root, the first word without a head that is no punctuation. Other words without one, and a word of each
        circle, are put below the root.
        """
        free = [w for w, head in enumerate(self.head) if head < 0]
        root = next((w for w in free if self.upos[w] != "PUNCT"), free[0] if free else 0)
        self.head[root], self.deprel[root] = -1, "root"
        for w in free:
            self.attach(w, root, "punct" if self.upos[w] == "PUNCT" else "dep")
        below_root = [w == root for w in range(len(self.head))]
        for first in range(len(self.head)):
            path: list[int] = []
            w = first
            while not below_root[w] and len(path) <= len(self.head):
                path.append(w)
                w = self.head[w]
            if not below_root[w]:
                self.attach(first, root, self.deprel[first])
                path = [first]
            for w in path:
                below_root[w] = True
        return [head + 1 for head in self.head], self.deprel
