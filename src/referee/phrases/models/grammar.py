"""A grammar of tag sequences: rules of a category and the tags of its chunks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import within
from referee.phrases.annotation import Chunks, Sentences
from referee.phrases.models.lattice import Lattice, Tagger, first_positions
from referee.phrases.models.trie import Trie, span_paths


@dataclass(frozen=True, eq=False)
class Grammar:
    """Rules, sorted by the node of their tags, then by category.

    Parameters
    ----------
    trie
        The tag sequences.
    node, category
        int64, shape (rules,).
    """

    trie: Trie
    node: Ints
    category: Ints

    @classmethod
    def build(cls, trie: Trie, node: Ints, category: Ints, categories: int) -> Grammar:
        """The rules with these nodes and categories, each once."""
        rules = np.unique(node * categories + category)
        return cls(trie, rules // categories, rules % categories)

    @cached_property
    def first_rule(self) -> Ints:
        """Where the rules of each node begin; shape (nodes + 1,)."""
        return np.searchsorted(self.node, np.arange(len(self.trie.edges) + 2))

    def matching(self, node: Ints) -> tuple[Ints, Ints]:
        """The rules of each node, as pairs: the position in `node`, and the rule."""
        rules = self.first_rule[node + 1] - self.first_rule[node]
        row = np.repeat(np.arange(len(node)), rules)
        return row, self.first_rule[node[row]] + within(rules)

    def rule(self, node: Ints, category: Ints) -> Ints:
        """The rule of each node and category; -1 if there is none."""
        row, rule = self.matching(node)
        rules = np.full(len(node), -1)
        same = self.category[rule] == category[row]
        rules[row[same]] = rule[same]
        return rules


def induce(train: Chunks, lattice: Lattice) -> Grammar:
    """A rule for the tags of every chunk."""
    trie, paths = span_paths(lattice, first_positions(train.sentences)[train.sentence] + train.start, train.length)
    return Grammar.build(trie, paths.node, train.category[paths.origin], len(train.categories))


def tag_lattice(sentences: Sentences, tags: tuple[str, ...], tagger: Tagger | None) -> Lattice:
    """The tags of the tagger; without one, those of the sentences."""
    return tagger.lattice(sentences) if tagger else Lattice.certain(sentences, tags)
