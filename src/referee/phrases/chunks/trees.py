"""Trees in the brackets of the Penn Treebank.

::

    ( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD slept)) (. .)))

A word stands in brackets with its tag. Phrases have a category and perhaps function tags and indices (`NP-SBJ-1`, `NP=2`). A
bracket without a label is the tree itself. Traces (`-NONE-`) are left out, with the phrases that have no other words; so is a
tree without words.

Source: Marcus, Santorini and Marcinkiewicz (1993); Bies et al. (1995).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from referee.formats.shared.source import Fault, Source
from referee.messages import counted, shortened

DEEPEST = 200
"""Brackets in brackets; a tree of real language has 50 at most."""


class Tree(NamedTuple):
    """A phrase with its parts, or a word with its tag.

    label : as in the file
    word  : empty for a phrase
    start, end : offsets of words in the sentence, half-open
    """

    label: str
    word: str
    parts: tuple[Tree, ...]
    start: int
    end: int

    @property
    def category(self) -> str:
        """The label without function tags and indices, of a phrase; the tag of a word."""
        return self.label if self.word else re.split(r"[-=|]", self.label, maxsplit=1)[0]

    def leaves(self) -> Iterator[Tree]:
        """The words, from left to right."""
        if self.word:
            yield self
        for part in self.parts:
            yield from part.leaves()


def sniff(head: str) -> bool:
    """A bracket, then another or a label, and soon a tag with a word."""
    return bool(re.match(r"\s*\(\s*(\(|[A-Z]+[^\s()]*\s*\()", head) and re.search(r"\([^\s()]+\s+[^\s()]+\s*\)", head))


class _Open:
    """A bracket that is not yet closed."""

    def __init__(self, line: int, start: int) -> None:
        self.line = line
        self.start = start
        self.symbols: list[str] = []
        self.parts: list[Tree] = []


def read(source: Source, fault: Fault) -> Iterator[Tree]:
    """The trees of a file, one by one. After a fault the tree it is in is left out."""
    stack: list[_Open] = []
    words, depth, broken = 0, 0, False
    for line, text in source.lines(fault):
        for symbol in re.findall(r"[()]|[^\s()]+", text):
            if symbol == "(":
                depth += 1
                if depth > DEEPEST and not broken:
                    fault(line, f"found brackets {depth} deep; expected {DEEPEST} at most")
                    broken = True
                if not broken:
                    stack.append(_Open(line, words))
            elif depth == 0:
                fault(line, f"found {shortened(symbol)!r} outside of a tree; expected an opening bracket")
            elif symbol != ")":
                if not broken:
                    stack[-1].symbols.append(symbol)
            else:
                depth -= 1
                if not broken:
                    tree = _closed(stack.pop(), words, line, fault)
                    broken = tree is _WRONG
                    if tree is not None and not broken:
                        words = tree.end
                        if stack:
                            stack[-1].parts.append(tree)
                        else:
                            yield tree
                if depth == 0:
                    stack, words, broken = [], 0, False
    if depth:
        line = stack[0].line if stack else 1
        fault(line, f"found a tree with {counted(depth, 'bracket')} left open at the end; expected as many closed")


_WRONG = Tree("", "", (), 0, 0)


def _closed(bracket: _Open, words: int, line: int, fault: Fault) -> Tree | None:
    """The tree of a bracket; None if it has no words."""
    symbols, parts = bracket.symbols, tuple(bracket.parts)
    if len(symbols) == 2 and words == bracket.start:
        return None if symbols[0] == "-NONE-" else Tree(symbols[0], symbols[1], (), words, words + 1)
    if len(symbols) > 1:
        fault(line, f"found the word {shortened(symbols[1])!r} without a tag; expected each word in brackets with its tag")
        return _WRONG
    return Tree(symbols[0] if symbols else "", "", parts, bracket.start, words) if parts else None
