"""Fitting models G and C: rules from one corpus, and the probability of each rule from a second."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import within
from referee.exceptions import OptionError
from referee.phrases.annotation import Chunks, DefaultProbabilities
from referee.phrases.models.baselines import by_length, smoothed, true_by_length
from referee.phrases.models.grammar import Grammar, induce, tag_lattice
from referee.phrases.models.lattice import Lattice, Tagger, first_positions
from referee.phrases.models.rules import RuleModel
from referee.phrases.models.trie import Paths, extensions, walk


def grammar_rules(train: Chunks, second: Chunks, tagger: Tagger | None = None) -> RuleModel:
    """Fit model G: rules of the first corpus, proportions of the second."""
    return _fit("G", train, second, tagger)


def rules_in_context(train: Chunks, second: Chunks, tagger: Tagger | None = None) -> RuleModel:
    """Fit model C: G with the next tag."""
    return _fit("C", train, second, tagger)


def _fit(name: str, train: Chunks, second: Chunks, tagger: Tagger | None) -> RuleModel:
    categories = tuple(sorted({*train.categories, *second.categories}))
    train, second = train.with_categories(categories), second.with_categories(categories)
    tags = tagger.tags if tagger else _all_tags(train, second)
    grammar = induce(train, tag_lattice(train.sentences, tags, tagger))
    lattice = tag_lattice(second.sentences, tags, tagger)
    seen, true = _rule_counts(grammar, lattice, second)
    length = grammar.trie.lengths()[grammar.node]
    prior = by_length(train).table
    table = prior.complete_table(len(categories))
    prior_of_rule = table[grammar.category, np.minimum(length, table.shape[1]) - 1]
    p = smoothed(true, seen[grammar.node], prior_of_rule, weight=1)
    contexts, context_p = _contexts(grammar, lattice, second, p) if name == "C" else (np.empty(0, dtype=np.int64), np.empty(0))
    uncovered = _uncovered(grammar, second, seen, true, length, prior.beyond)
    return RuleModel(name, categories, tags, grammar, p, contexts, context_p, uncovered, tagger)


def _rule_counts(grammar: Grammar, lattice: Lattice, second: Chunks) -> tuple[Floats, Floats]:
    """How many candidates have the tags of each node; and for each rule, how many of them are true."""
    seen, true = np.zeros(len(grammar.trie.edges) + 1), np.zeros(len(grammar.node))
    for length, paths in walk(lattice, grammar.trie):
        seen += np.bincount(paths.node, paths.probability, len(seen))
        path, rule = _true_paths(grammar, paths, second, length)
        true += np.bincount(rule, paths.probability[path], len(true))
    return seen, true


def _true_paths(grammar: Grammar, paths: Paths, key: Chunks, length: int) -> tuple[Ints, Ints]:
    """The paths of the true chunks of a length, with their rules."""
    chunks = np.flatnonzero(key.length == length)
    position = first_positions(key.sentences)[key.sentence[chunks]] + key.start[chunks]
    first = np.searchsorted(paths.origin, position)
    number = np.searchsorted(paths.origin, position, side="right") - first
    path = np.repeat(first, number) + within(number)
    rule = grammar.rule(paths.node[path], np.repeat(key.category[chunks], number))
    return path[rule >= 0], rule[rule >= 0]


def _contexts(grammar: Grammar, lattice: Lattice, second: Chunks, p: Floats) -> tuple[Ints, Floats]:
    """The contexts of rules that were seen, and the probability in each."""
    width = len(lattice.tags) + 2
    seen: list[tuple[Ints, Floats]] = []  # keys node * width + next tag
    true: list[tuple[Ints, Floats]] = []  # keys rule * width + next tag
    for length, paths in walk(lattice, grammar.trie):
        onward = extensions(lattice, paths)
        next_tag, mass = lattice.tag[onward.state], paths.probability[onward.path] * onward.probability
        seen.append((paths.node[onward.path] * width + next_tag, mass))
        path, rule = _true_paths(grammar, paths, second, length)
        edges = np.bincount(onward.path, minlength=len(paths.probability))
        edge = np.repeat((np.cumsum(edges) - edges)[path], edges[path]) + within(edges[path])
        true.append((np.repeat(rule, edges[path]) * width + next_tag[edge], mass[edge]))
    node_context, seen_count = _sums(seen)
    true_context, true_count = _sums(true)
    row, rule = grammar.matching(node_context // width)
    context = rule * width + node_context[row] % width
    order = np.argsort(context)
    context, seen_count, rule = context[order], seen_count[row[order]], rule[order]
    true_in_context = np.zeros(len(context))
    true_in_context[np.searchsorted(context, true_context)] = true_count  # the true ones were also seen
    return context, smoothed(true_in_context, seen_count, p[rule], weight=2)


def _uncovered(grammar: Grammar, second: Chunks, seen: Floats, true: Floats, length: Ints, p1: float) -> DefaultProbabilities:
    """U: the proportion of true chunks among the candidates that no rule matches."""
    candidates = np.tile(second.sentences.span_counts_by_length().astype(np.float64), (len(second.categories), 1))
    true_chunks = true_by_length(second).astype(np.float64)
    occurs = length <= candidates.shape[1]
    cell = (grammar.category[occurs], length[occurs] - 1)
    np.subtract.at(candidates, cell, seen[grammar.node[occurs]])
    np.subtract.at(true_chunks, cell, true[occurs])
    # The probabilities of a stochastic tagger may add up to a rounding error more than there are candidates.
    table = smoothed(np.maximum(true_chunks, 0.0), np.maximum(candidates, 0.0), p1, weight=1)
    return DefaultProbabilities.by_length(table, p1)


def _sums(parts: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """Each key once, in order, with the sum of its values."""
    keys = np.concatenate([np.empty(0, dtype=np.int64), *(key for key, _ in parts)])
    unique, number = np.unique(keys, return_inverse=True)
    values = np.concatenate([np.empty(0), *(value for _, value in parts)])
    sums: Floats = np.bincount(number, values, len(unique)).astype(np.float64)
    return unique, sums


def _all_tags(*corpora: Chunks) -> tuple[str, ...]:
    """Every tag of the corpora. OptionError if one has none."""
    for corpus in corpora:
        if corpus.sentences.tags is None:
            raise OptionError(f"{corpus.source} has no tags; expected a tag for each word: give them, or use a tagger")
    return tuple(sorted({tag for corpus in corpora for row in corpus.sentences.tags or () for tag in row}))
