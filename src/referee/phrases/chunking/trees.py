"""Trees in the brackets of the Penn Treebank.

::

    ( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD slept)) (. .)))

A word stands in brackets with its tag. A phrase has a category, and may have function tags and indices (`NP-SBJ-1`, `NP=2`). A
bracket without a label is the tree itself. Traces (`-NONE-`) are left out, with the phrases that have no other words; so are
trees without words.

References
----------
.. [1] Marcus, Santorini and Marcinkiewicz (1993), Building a Large Annotated Corpus of English: The Penn Treebank.
.. [2] Bies et al. (1995), Bracketing Guidelines for Treebank II Style.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from referee.basics.exceptions import counted, shortened
from referee.formats.shared.source import Source

MAX_DEPTH = 200
"""Nested brackets; real trees have 50 at most."""


class Tree(NamedTuple):
    """A phrase with its parts, or a word with its tag.

    Parameters
    ----------
    label
        The label as in the file; the tag of a word.
    word
        Empty for a phrase.
    parts
        Empty for a word.
    start, end
        Half-open word offsets.
    """

    label: str
    word: str
    parts: tuple[Tree, ...]
    start: int
    end: int

    @property
    def category(self) -> str:
        """The label of a phrase without function tags and indices; the tag of a word."""
        return self.label if self.word else re.split(r"[-=|]", self.label, maxsplit=1)[0]

    def leaves(self) -> Iterator[Tree]:
        """The words, from left to right."""
        if self.word:
            yield self
        for part in self.parts:
            yield from part.leaves()


def sniff(head: str) -> bool:
    """Whether the text starts with two brackets, or a bracket and a label, and soon has a tag with a word."""
    return bool(re.match(r"\s*\(\s*(\(|[A-Z]+[^\s()]*\s*\()", head) and re.search(r"\([^\s()]+\s+[^\s()]+\s*\)", head))


class _Bracket(NamedTuple):
    """A bracket that is not yet closed: its line, the words before it, its label and word, and its parts."""

    line: int
    start: int
    symbols: list[str]
    parts: list[Tree]


def read(source: Source) -> Iterator[Tree]:
    """Read the trees of a file, one by one."""
    brackets: list[_Bracket] = []
    words = 0
    for line, text in source.lines(source.raise_error):
        for symbol in re.findall(r"[()]|[^\s()]+", text):
            if symbol == "(":
                brackets.append(_Bracket(line, words, [], []))
                if len(brackets) > MAX_DEPTH:
                    source.raise_error(line, f"found brackets {len(brackets)} deep; expected {MAX_DEPTH} at most")
            elif not brackets:
                source.raise_error(line, f"found {shortened(symbol)!r} outside of a tree; expected an opening bracket")
            elif symbol != ")":
                brackets[-1].symbols.append(symbol)
            else:
                bracket = brackets.pop()
                if len(bracket.symbols) > 2 or (len(bracket.symbols) == 2 and words > bracket.start):
                    problem = f"found the word {shortened(bracket.symbols[1])!r} without a tag"
                    source.raise_error(line, f"{problem}; expected each word in brackets with its tag")
                tree = _tree(bracket, words)
                words = tree.end if tree else words
                if brackets and tree:
                    brackets[-1].parts.append(tree)
                elif not brackets:
                    words = 0
                    if tree:
                        yield tree
    if brackets:
        number = counted(len(brackets), "bracket")
        source.raise_error(brackets[0].line, f"found a tree with {number} left open at the end; expected all to be closed")


def _tree(bracket: _Bracket, words: int) -> Tree | None:
    """The tree of a bracket; None if it has no words."""
    label, *word = bracket.symbols or [""]
    if word:
        return None if label == "-NONE-" else Tree(label, word[0], (), words, words + 1)
    return Tree(label, "", tuple(bracket.parts), bracket.start, words) if bracket.parts else None
