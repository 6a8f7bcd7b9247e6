"""A sentence whose shallow tree is being made from chunks."""

from __future__ import annotations

from collections.abc import Sequence

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

    def is_possessive(self, word: int) -> bool:
        """Whether a word is *'s* behind a possessor."""
        return self.xpos[word] == "POS"

    def is_passive(self, start: int, verb: int) -> bool:
        """Whether a group of verbs that ends with a main verb is passive."""
        if self.xpos[verb] != "VBN" or self.upos[verb] != "VERB":
            return False
        before = [w for w in range(start, verb) if self.upos[w] == "AUX"]
        return bool(before) and self.lemma[before[-1]] in ("be", "get")
