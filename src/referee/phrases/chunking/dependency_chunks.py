"""Chunks of trees of Universal Dependencies: the non-recursive pieces of phrases, up to their heads.

Every word is in exactly one chunk. Its category is one of

``NP``
    a nominal head with what stands before it: determiners, adjectives, numbers, compounds, pronouns as possessors, and the
    parts of a name behind it. A possessive *'s* opens the chunk of what is possessed: [the man] ['s old book]
``VP``
    a verb, or a copula, with its auxiliaries, *to*, and the adverbs among them
``ADJP``, ``ADVP``
    an adjective that is no part of an NP; an adverb; with their adverbs of degree
``PP``, ``SBAR``
    a preposition (*case*), a conjunction that opens a clause (*mark*), each of one word or of several side by side
``PRT``, ``INTJ``
    the particle of a verb; an interjection
``Null``
    punctuation, coordinating conjunctions, and all else: chunks of one word

Only UPOS, HEAD and DEPREL are looked at. The rules are ours; they follow the chunks of CoNLL-2000 [2]_, but each verb has
a chunk of its own, so that there is a word in every chunk on which the others depend.

References
----------
.. [1] Abney (1991), Parsing by Chunks.
.. [2] Tjong Kim Sang and Buchholz (2000), Introduction to the CoNLL-2000 Shared Task: Chunking.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.phrases.chunking.tree_chunks import Chunk
from referee.phrases.chunking.treebank import OUTSIDE

BEFORE = frozenset(("det", "amod", "nummod", "compound", "clf"))
"""Relations of words that belong to the phrase of their head if they stand before it."""

ANYWHERE = frozenset(("flat", "fixed", "goeswith"))
"""Relations of words that belong to the phrase of their head."""

NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM", "SYM", "X", "DET"))
ARGUMENTS = frozenset(("nsubj", "obj", "iobj", "obl", "nmod", "appos", "vocative", "dislocated", "expl"))
CATEGORY_OF_PART = {"VERB": "VP", "AUX": "VP", "ADJ": "ADJP", "ADV": "ADVP", "INTJ": "INTJ", **dict.fromkeys(NOMINAL, "NP")}
CATEGORY_OF_RELATION = {"case": "PP", "mark": "SBAR", "prt": "PRT", "cc": OUTSIDE, "punct": OUTSIDE}


def dependency_chunks(upos: Sequence[str], head: Sequence[int], deprel: Sequence[str]) -> list[Chunk]:
    """The chunks of a tree, from left to right: a partition of its words.

    Parameters
    ----------
    upos : sequence of str, shape (words,)
    head : sequence of int, shape (words,)
        The number of the head, from 1; 0 for a root. Heads do not run in a circle.
    deprel : sequence of str, shape (words,)

    Examples
    --------
    >>> dependency_chunks(["DET", "NOUN", "VERB"], [2, 3, 0], ["det", "nsubj", "root"])
    [Chunk(category='NP', start=0, end=2), Chunk(category='VP', start=2, end=3)]
    """
    tree = _DependencyTree(upos, head, deprel)
    spans = sorted(((tree.span(w), w) for w in tree.heads()), key=lambda row: row[0][0] - row[0][1])
    chunk_of = [-1] * len(upos)
    for (start, end), w in spans:  # longer ones first; shorter ones are what they leave
        if chunk_of[w] < 0:
            for i in range(start, end):
                chunk_of[i] = w if chunk_of[i] < 0 else chunk_of[i]
    chunks: list[Chunk] = []
    for w in range(len(upos)):
        owner_chunk = chunk_of[w]
        category = tree.category(owner_chunk) if owner_chunk >= 0 else tree.category(w)
        if w and category != OUTSIDE and _joined(tree, chunk_of, chunks[-1], category, w):
            chunks[-1] = chunks[-1]._replace(end=w + 1)
        else:
            chunks.append(Chunk(category, w, w + 1))
    return chunks


def _joined(tree: _DependencyTree, chunk_of: list[int], before: Chunk, category: str, w: int) -> bool:
    """Whether a word belongs to the chunk before it: both have one head, or are prepositions of one word."""
    if chunk_of[w] >= 0 and chunk_of[w] == chunk_of[w - 1]:
        return True
    both = before.category == category and category in ("PP", "SBAR")
    return both and tree.parent[w] >= 0 and tree.parent[w] == tree.parent[w - 1]


class _DependencyTree:
    """A tree with the word to whose phrase each of its words belongs.

    Attributes
    ----------
    parent : list of int
        The head of each word, from 0; -1 for a root.
    owner : list of int
        The head of the phrase to which each word belongs.
    """

    def __init__(self, upos: Sequence[str], head: Sequence[int], deprel: Sequence[str]) -> None:
        self.upos, self.deprel = upos, deprel
        self.relation = [text.partition(":")[0] for text in deprel]
        self.parent = [h - 1 for h in head]
        self.copula = {self.parent[w]: w for w in range(len(upos)) if self.relation[w] == "cop"}
        self.children: list[list[int]] = [[] for _ in upos]
        for w, p in enumerate(self.parent):
            if p >= 0:
                self.children[p].append(w)
        step = [self._owner(w) for w in range(len(upos))]
        self.owner = [self._followed(step, w) for w in range(len(upos))]

    def _owner(self, w: int) -> int:
        """The word to whose phrase w belongs, if it is not the head of one: often its parent."""
        p, relation, upos = self.parent[w], self.relation[w], self.upos
        if p < 0 or self.deprel[w] == "compound:prt":
            return w
        if relation in ANYWHERE or (relation in BEFORE and w < p) or (relation == "nummod" and w == p + 1):
            return p
        if self.deprel[w] == "nmod:poss" and upos[w] in ("PRON", "DET") and w < p:
            return p
        if relation == "case" and w > p and self.deprel[p] == "nmod:poss" and self.parent[p] > w:
            return self.parent[p]
        if (relation == "case" and w == p + 1) or (self.deprel[w] == "nmod:desc" and w < p):
            return p
        if relation == "conj" and self.relation[p] in BEFORE and w < self.parent[p]:
            return self.parent[p]
        if relation == "cc" and self.relation[p] == "conj" and self._owner(p) != p:
            return self._owner(p)
        if relation == "advmod" and w < p and upos[p] in ("ADJ", "ADV", "NUM", "DET") and p not in self.copula:
            return p
        if relation == "advmod" and w == p - 1 and upos[w] != "PART" and upos[p] in ("ADJ", "ADV"):
            return p
        if relation in ("aux", "advmod") or (relation == "mark" and upos[w] == "PART"):
            return self._verb(w, p)
        return w

    def _verb(self, w: int, p: int) -> int:
        """The verb to whose phrase w belongs, which depends on p; itself if there is none."""
        verb = self.copula.get(p, p)
        if verb < w < p and self.upos[p] in ("VERB", "AUX"):  # the plan is | to go
            verb = p
        if self.upos[verb] not in ("VERB", "AUX"):
            return w
        if self.relation[w] != "advmod":
            return verb
        among = [v for v in self.children[p] if self.relation[v] in ("aux", "cop") or self.deprel[v] == "mark"]
        begins = min([v for v in among if self.relation[v] != "mark" or self.upos[v] == "PART"], default=verb)
        between = begins < w < verb or (self.upos[w] == "PART" and w == verb + 1)
        return verb if between and not self.children[w] else w

    def _followed(self, step: list[int], w: int) -> int:
        for _ in step:
            if step[w] == w:
                break
            w = step[w]
        return w

    def heads(self) -> list[int]:
        """The heads of phrases."""
        return sorted(set(self.owner))

    def below(self, h: int) -> set[int]:
        """The words below a word, and itself."""
        words, stack = {h}, [h]
        while stack:
            for w in self.children[stack.pop()]:
                words.add(w)
                stack.append(w)
        return words

    def span(self, h: int) -> tuple[int, int]:
        """The chunk of a head: from the farthest word that belongs to its phrase without anything foreign between."""
        below = self.below(h)
        owners = self.owner
        start, w = h, h - 1
        if self.upos[h] in ("VERB", "AUX") and owners[h] == h and self.category(h) == "VP":
            while w >= 0 and owners[w] == h:
                start, w = w, w - 1
        else:
            while w >= 0 and w in below and not self._opens(w + 1, h):
                start = w if owners[w] == h else start
                w -= 1
        end, w = h + 1, h + 1
        while w < len(owners) and (
            owners[w] == h or (self.relation[w] == "punct" and w + 1 < len(owners) and owners[w + 1] == h)
        ):
            end = w + 1 if owners[w] == h else end
            w += 1
        return start, end

    def _opens(self, w: int, h: int) -> bool:
        """Whether a word is a possessive 's, which opens the chunk of h."""
        return self.relation[w] == "case" and self.owner[w] == h and self.parent[w] != h

    def category(self, w: int) -> str:
        """The category of the phrase whose head is w."""
        relation, upos = self.relation[w], self.upos[w]
        name = CATEGORY_OF_RELATION.get("prt" if self.deprel[w] == "compound:prt" else relation)
        if name == "SBAR" and upos == "PART":
            return "VP"
        if name:
            return name
        if upos == "ADJ" and (relation in ARGUMENTS or any(self.relation[c] == "det" for c in self.children[w])):
            return "NP"
        if upos == "PART" and relation == "advmod":
            return "ADVP"
        if upos == "ADP":
            return "ADVP" if relation == "advmod" else "PP"
        return CATEGORY_OF_PART.get(upos, OUTSIDE)
