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
from referee.formats.shared.source import OnError, Source

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


def read(source: Source, on_error: OnError) -> Iterator[Tree]:
    """Read the trees of a file, one by one. A tree with an error is left out."""
    parser = _TreeParser(on_error)
    for line, text in source.lines(on_error):
        for symbol in re.findall(r"[()]|[^\s()]+", text):
            tree = parser.next(symbol, line)
            if tree is not None:
                yield tree
    parser.finish()


class _Bracket:
    """A bracket that is not yet closed."""

    def __init__(self, line: int, start: int) -> None:
        self.line = line
        self.start = start
        self.symbols: list[str] = []
        self.parts: list[Tree] = []


class _TreeParser:
    """Builds trees from symbols: brackets, labels and words."""

    def __init__(self, on_error: OnError) -> None:
        self.on_error = on_error
        self._begin()

    def _begin(self) -> None:
        """Begin a tree."""
        self.stack: list[_Bracket] = []
        self.words = 0
        self.depth = 0
        self.is_broken = False  # after an error, the rest of the tree is skipped

    def next(self, symbol: str, line: int) -> Tree | None:
        """Take the next symbol; the tree that it completes, if any."""
        if symbol == "(":
            self._open(line)
        elif self.depth == 0:
            self.on_error(line, f"found {shortened(symbol)!r} outside of a tree; expected an opening bracket")
        elif symbol == ")":
            return self._close(line)
        elif not self.is_broken:
            self.stack[-1].symbols.append(symbol)
        return None

    def finish(self) -> None:
        """Report a tree that is not complete."""
        if self.depth:
            line = self.stack[0].line if self.stack else 1
            brackets = counted(self.depth, "bracket")
            self.on_error(line, f"found a tree with {brackets} left open at the end; expected all to be closed")

    def _open(self, line: int) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH and not self.is_broken:
            self.on_error(line, f"found brackets {self.depth} deep; expected {MAX_DEPTH} at most")
            self.is_broken = True
        if not self.is_broken:
            self.stack.append(_Bracket(line, self.words))

    def _close(self, line: int) -> Tree | None:
        self.depth -= 1
        tree = None if self.is_broken else self._closed(self.stack.pop(), line)
        if tree is not None:
            self.words = tree.end
            if self.stack:
                self.stack[-1].parts.append(tree)
        if self.depth:
            return None
        self._begin()
        return tree

    def _closed(self, bracket: _Bracket, line: int) -> Tree | None:
        """The tree of a bracket; None if it has no words or an error."""
        symbols, parts = bracket.symbols, tuple(bracket.parts)
        if len(symbols) == 2 and self.words == bracket.start:
            label, word = symbols
            return None if label == "-NONE-" else Tree(label, word, (), self.words, self.words + 1)
        if len(symbols) > 1:
            problem = f"found the word {shortened(symbols[1])!r} without a tag; expected each word in brackets with its tag"
            self.on_error(line, problem)
            self.is_broken = True
            return None
        return Tree(symbols[0] if symbols else "", "", parts, bracket.start, self.words) if parts else None
