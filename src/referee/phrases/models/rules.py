"""Models G and C: a grammar of tag sequences, and the tag that follows.

G induces a grammar from one corpus: a rule x -> g for every chunk of category x with the tags g. A second corpus says how
good each rule is: P(T|x,g) = (t + q) / (c + 1), where c candidates have the tags g, t of them are true chunks of category x,
and q is what model XK says of that category and length. Without the second corpus a rule seen once would be certain.

A candidate that matches no rule goes by category and length, like XK; but the proportions are those of the candidates of the
second corpus that match no rule either, U[x,k] = (t' + p1) / (c' + 1). (XK's own table, in which rules do most of the work,
would make long impossible chunks likely.)

C also looks at the next tag, or the end of the sentence: P(T|x,g,next) = (t + 2 P(T|x,g)) / (c + 2), counted where it follows.

Where a tagger gives probabilities (`referee.phrases.models.lattice`), a sequence counts as often as it is probable, and
P(T|candidate) is the sum over its tag sequences g of P(g) times what the rule, or U, says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import order_by, starts_of_runs, within
from referee.exceptions import OptionError
from referee.phrases.candidates import Candidates, Chunks, Default, Sentences
from referee.phrases.models.by_length import by_length
from referee.phrases.models.counting import smoothed, true_by_length
from referee.phrases.models.lattice import Lattice, Tagger, starts
from referee.phrases.models.trie import Paths, Trie, onward, paths_of, walk


@dataclass(frozen=True, eq=False)
class Grammar:
    """Rules, in order of their tags' nodes, then category.

    node, category : int64, shape (rules,)
    """

    trie: Trie
    node: Ints
    category: Ints

    @cached_property
    def first(self) -> Ints:
        """Where the rules of each node begin. (nodes + 1)"""
        return np.searchsorted(self.node, np.arange(len(self.trie.edges) + 2))

    def matching(self, node: Ints) -> tuple[Ints, Ints]:
        """The rules of each node: number of the row, and the rule."""
        rules = self.first[node + 1] - self.first[node]
        row = np.repeat(np.arange(len(node)), rules)
        return row, self.first[node[row]] + within(rules)

    def rule(self, node: Ints, category: Ints) -> Ints:
        """The rule; -1 if there is none."""
        row, rule = self.matching(node)
        found = np.full(len(node), -1)
        same = self.category[rule] == category[row]
        found[row[same]] = rule[same]
        return found


@dataclass(frozen=True, eq=False)
class Rules:
    """Model G, or C if it has contexts.

    p         : float64, shape (rules,), P(T | category, tags)
    contexts  : int64, shape (contexts,), in order: rule * width + next tag, where these were seen
    context_p : P(T | category, tags, next tag)
    uncovered : of candidates without a rule
    tagger    : what gives the tags; None: they are those of the sentences
    """

    name: str
    categories: tuple[str, ...]
    tags: tuple[str, ...]
    grammar: Grammar
    p: Floats
    contexts: Ints
    context_p: Floats
    uncovered: Default
    tagger: Tagger | None = None

    def predict(self, sentences: Sentences) -> Candidates:
        """Lists the candidates that a rule matches; covered are those where a rule matches at least half of the tag sequences,
        by probability."""
        lattice = _lattice(sentences, self.tags, self.tagger)
        table = self.uncovered.for_categories(len(self.categories))
        columns: list[tuple[Ints, Ints, Ints, Floats, Floats]] = []
        for length, paths in walk(lattice, self.grammar.trie):
            row, rule = self.grammar.matching(paths.node)
            if not len(row):
                continue
            p = paths.p[row] * self._of_rules(lattice, paths, row, rule)
            place, category = paths.origin[row], self.grammar.category[rule]
            order = order_by(place, category)
            first = np.flatnonzero(starts_of_runs(place[order], category[order]))
            mass = np.add.reduceat(paths.p[row][order], first)
            p = np.add.reduceat(p[order], first)
            place, category = place[order][first], category[order][first]
            without = table[category, min(length, table.shape[1]) - 1]
            p = np.clip(p + np.maximum(1 - mass, 0.0) * without, 0.0, 1.0)
            columns.append((place, np.full(len(place), length), category, p, mass))
        if not columns:
            return Candidates.unlisted(sentences, self.categories, self.uncovered, source=self.name)
        place, length_, category, p, mass = (np.concatenate(column) for column in zip(*columns, strict=True))
        offset = starts(sentences)
        sentence = np.searchsorted(offset, place, side="right") - 1
        start = place - offset[sentence]
        return Candidates.build(
            sentences, self.categories, sentence, start, start + length_, category, p, self.uncovered,
            covered=mass >= 0.5, source=self.name,
        )  # fmt: skip

    def _of_rules(self, lattice: Lattice, paths: Paths, row: Ints, rule: Ints) -> Floats:
        """P(T | tags of the path, and what follows it) for each path with each of its rules."""
        p = self.p[rule]
        if not len(self.contexts):
            return p
        edge_row, state, q = onward(lattice, paths)
        edges = np.bincount(edge_row, minlength=len(paths.p))
        first = np.cumsum(edges) - edges
        at = np.repeat(np.arange(len(row)), edges[row])  # every rule with every edge onward of its path
        edge = first[row[at]] + within(edges[row])
        context = rule[at] * (len(self.tags) + 2) + lattice.tag[state[edge]]
        found = np.minimum(np.searchsorted(self.contexts, context), len(self.contexts) - 1)
        known = self.contexts[found] == context
        change = np.where(known, self.context_p[found] - p[at], 0.0)
        result: Floats = p + np.bincount(at, weights=q[edge] * change, minlength=len(row))
        return result

    def values(self) -> dict[str, Any]:
        width = len(self.tags) + 2
        names = [*self.tags, "</s>"]
        sequences = self.grammar.trie.sequences()
        follow: list[dict[str, float]] = [{} for _ in self.p]
        for context, p in zip(self.contexts.tolist(), self.context_p.tolist(), strict=True):
            rule, tag = divmod(context, width)
            follow[rule][names[tag]] = p
        rows = zip(self.grammar.category.tolist(), self.grammar.node.tolist(), self.p.tolist(), follow, strict=True)
        rules = [[self.categories[x], [self.tags[t] for t in sequences[node]], p, next_] for x, node, p, next_ in rows]
        return {
            "tags": list(self.tags),
            "tagger": self.tagger,
            "uncovered": {"table": self.uncovered.table.tolist(), "beyond": self.uncovered.beyond},
            "rules": rules,
        }


def grammar_rules(train: Chunks, second: Chunks, tagger: Tagger | None = None) -> Rules:
    """Model G: rules of the one corpus, proportions of the other."""
    return _fit("G", train, second, tagger)


def rules_in_context(train: Chunks, second: Chunks, tagger: Tagger | None = None) -> Rules:
    """Model C: G with the next tag."""
    return _fit("C", train, second, tagger)


def _fit(name: str, train: Chunks, second: Chunks, tagger: Tagger | None) -> Rules:
    categories = tuple(sorted({*train.categories, *second.categories}))
    train, second = train.renamed(categories), second.renamed(categories)
    tags = tagger.tags if tagger else _tags(train, second)
    grammar = induce(train, _lattice(train.sentences, tags, tagger))
    lattice = _lattice(second.sentences, tags, tagger)
    seen, true = _proportions(grammar, lattice, second)
    depth = grammar.trie.depth()[grammar.node]
    prior = by_length(train).table
    table = prior.for_categories(len(categories))
    p = smoothed(true, seen[grammar.node], table[grammar.category, np.minimum(depth, table.shape[1]) - 1], 1)
    contexts, context_p = np.empty(0, dtype=np.int64), np.empty(0)
    if name == "C":
        contexts, context_p = _in_context(grammar, lattice, second, p)
    uncovered = _uncovered(grammar, second, seen, true, depth, prior.beyond)
    return Rules(name, categories, tags, grammar, p, contexts, context_p, uncovered, tagger)


def induce(train: Chunks, lattice: Lattice) -> Grammar:
    """A rule for the tags of every chunk."""
    trie, paths = paths_of(lattice, starts(train.sentences)[train.sentence] + train.start, train.length)
    return grammar_of(trie, paths.node, train.category[paths.origin], len(train.categories))


def grammar_of(trie: Trie, node: Ints, category: Ints, categories: int) -> Grammar:
    """The rules of these nodes and categories, each once."""
    rules = np.unique(node * categories + category)
    return Grammar(trie, rules // categories, rules % categories)


def _proportions(grammar: Grammar, lattice: Lattice, second: Chunks) -> tuple[Floats, Floats]:
    """How many candidates have the tags of each node, and how many of them are true, for each rule."""
    seen, true = np.zeros(len(grammar.trie.edges) + 1), np.zeros(len(grammar.node))
    for length, paths in walk(lattice, grammar.trie):
        seen += np.bincount(paths.node, paths.p, len(seen))
        path, rule = _true(grammar, paths, second, length)
        true += np.bincount(rule, paths.p[path], len(true))
    return seen, true


def _true(grammar: Grammar, paths: Paths, key: Chunks, length: int) -> tuple[Ints, Ints]:
    """The paths of true chunks of a length with their rules."""
    chunks = np.flatnonzero(key.length == length)
    place = starts(key.sentences)[key.sentence[chunks]] + key.start[chunks]
    first = np.searchsorted(paths.origin, place)
    number = np.searchsorted(paths.origin, place, side="right") - first
    path = np.repeat(first, number) + within(number)
    rule = grammar.rule(paths.node[path], np.repeat(key.category[chunks], number))
    return path[rule >= 0], rule[rule >= 0]


def _in_context(grammar: Grammar, lattice: Lattice, second: Chunks, p: Floats) -> tuple[Ints, Floats]:
    """The contexts of rules that were seen, and the probability in each."""
    width = len(lattice.tags) + 2
    seen: list[tuple[Ints, Floats]] = []  # keys node * width + next tag
    true: list[tuple[Ints, Floats]] = []  # keys rule * width + next tag
    for length, paths in walk(lattice, grammar.trie):
        row, state, q = onward(lattice, paths)
        seen.append((paths.node[row] * width + lattice.tag[state], paths.p[row] * q))
        path, rule = _true(grammar, paths, second, length)
        edges = np.bincount(row, minlength=len(paths.p))
        edge = np.repeat((np.cumsum(edges) - edges)[path], edges[path]) + within(edges[path])
        true.append((np.repeat(rule, edges[path]) * width + lattice.tag[state[edge]], (paths.p[row] * q)[edge]))
    node_context, c = _sums(seen)
    true_context, t = _sums(true)
    row, rule = grammar.matching(node_context // width)
    context = rule * width + node_context[row] % width
    order = np.argsort(context)
    context, c, rule = context[order], c[row[order]], rule[order]
    counted = np.zeros(len(context))
    counted[np.searchsorted(context, true_context)] = t  # what is true was also seen
    return context, smoothed(counted, c, p[rule], 2)


def _uncovered(grammar: Grammar, second: Chunks, seen: Floats, true: Floats, depth: Ints, p1: float) -> Default:
    """U: the proportion of true chunks among the candidates that no rule matches."""
    all_ = np.tile(second.sentences.spans_of_length().astype(np.float64), (len(second.categories), 1))
    rest = true_by_length(second).astype(np.float64)
    short = depth <= all_.shape[1]
    cell = (grammar.category[short], depth[short] - 1)
    np.subtract.at(all_, cell, seen[grammar.node[short]])
    np.subtract.at(rest, cell, true[short])
    # What a stochastic tagger's probabilities add up to may be a rounding error above the whole.
    return Default.by_length(smoothed(np.maximum(rest, 0.0), np.maximum(all_, 0.0), p1, 1), p1)


def _sums(parts: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """Each key once, in order, with the sum of its values."""
    keys = np.concatenate([np.empty(0, dtype=np.int64), *(key for key, _ in parts)])
    unique, number = np.unique(keys, return_inverse=True)
    values = np.concatenate([np.empty(0), *(value for _, value in parts)])
    sums: Floats = np.bincount(number, values, len(unique)).astype(np.float64)
    return unique, sums


def _lattice(sentences: Sentences, tags: tuple[str, ...], tagger: Tagger | None) -> Lattice:
    return tagger.lattice(sentences) if tagger else Lattice.certain(sentences, tags)


def _tags(*corpora: Chunks) -> tuple[str, ...]:
    """Every tag of the corpora. OptionError if one has none."""
    for corpus in corpora:
        if corpus.sentences.tags is None:
            raise OptionError(f"{corpus.source} has no tags; expected a tag for each word: give them, or use a tagger")
    return tuple(sorted({tag for corpus in corpora for row in corpus.sentences.tags or () for tag in row}))
