"""Models G and C: a grammar of tag sequences, and the tag that follows.

G induces a grammar from one corpus: a rule x -> g for every chunk of category x with the tags g. A second corpus tells
how reliable each rule is: P(T | x, g) = (t + q) / (c + 1), where c candidates have the tags g, t of them are true chunks
of category x, and q is the probability of that category and length in model XK. Without the second corpus, a rule seen
once would be certain.

A candidate that matches no rule gets a probability by category and length, as in XK. But the proportions are those of the
candidates of the second corpus that match no rule either, U[x, k] = (t' + p1) / (c' + 1). (In XK's own table, most of the true
chunks match rules, so long impossible chunks would become likely.)

C also looks at the next tag, or the end of the sentence: P(T | x, g, next) = (t + 2 P(T | x, g)) / (c + 2), with the counts of
this context.

Where a tagger gives probabilities (`referee.phrases.models.lattice`), a sequence counts as often as it is probable. P(T |
candidate) is the sum, over its tag sequences g, of P(g) times the probability by the rule, or U.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, argsort, ranges, starts_of_runs, tally
from referee.basics.exceptions import OptionError, brief_names, shortened
from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences
from referee.phrases.models.baselines import by_length, smoothed, true_by_length
from referee.phrases.models.lattice import Lattice, Tagger, first_positions
from referee.phrases.models.trie import Paths, Trie, extensions, span_paths, walk

END = "</s>"
"""The tag of the end of a sentence, where a model is saved."""


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
        return ranges(self.first_rule[node], self.first_rule[node + 1])

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


@dataclass(frozen=True, eq=False)
class RuleModel:
    """Model G, or C if it has contexts.

    Parameters
    ----------
    name
        "G" or "C".
    categories, tags
        Names.
    grammar
        The rules.
    probability
        float64, shape (rules,): P(T | category, tags).
    contexts
        int64, shape (contexts,), sorted: rule * width + next tag, where these were seen.
    context_p
        float64, shape (contexts,): P(T | category, tags, next tag).
    uncovered
        The probabilities of candidates without a rule.
    tagger
        Gives the tags; None if they are those of the sentences.
    """

    name: str
    categories: tuple[str, ...]
    tags: tuple[str, ...]
    grammar: Grammar
    probability: Floats
    contexts: Ints
    context_p: Floats
    uncovered: DefaultProbabilities
    tagger: Tagger | None = None

    def __repr__(self) -> str:
        return f"<RuleModel {self.name}: {brief_names(self.categories)}>"

    def predict(self, sentences: Sentences) -> PhraseCandidates:
        """The probabilities of the candidates of these sentences.

        Candidates that a rule matches are listed. Those count as covered whose tag sequences match a rule with a probability of
        at least one half.
        """
        lattice = tag_lattice(sentences, self.tags, self.tagger)
        table = self.uncovered.complete_table(len(self.categories))
        every_length = (self._matched(lattice, paths, length, table) for length, paths in walk(lattice, self.grammar.trie))
        matches = [matched for matched in every_length if matched is not None]
        if not matches:
            return PhraseCandidates.unlisted(sentences, self.categories, self.uncovered, source=self.name)
        position, length, category, p, mass = map(np.concatenate, zip(*matches, strict=True))
        offset = first_positions(sentences)
        sentence = np.searchsorted(offset, position, side="right") - 1
        start = position - offset[sentence]
        spans = {"sentence": sentence, "start": start, "end": start + length, "category": category}
        return PhraseCandidates.build(
            sentences, self.categories, **spans, probability=p, default=self.uncovered, covered=mass >= 0.5, source=self.name
        )

    def _matched(self, lattice: Lattice, paths: Paths, length: int, table: Floats) -> _Matched | None:
        """The candidates of this length that a rule matches, if there are any."""
        path, rule = self.grammar.matching(paths.node)
        if not len(path):
            return None
        p = paths.probability[path] * self._rule_probabilities(lattice, paths, path, rule)
        position, category = paths.origin[path], self.grammar.category[rule]
        order = argsort(position, category)
        position, category = position[order], category[order]
        first = np.flatnonzero(starts_of_runs(position, category))
        mass, p = (np.add.reduceat(column[order], first) for column in (paths.probability[path], p))
        position, category = position[first], category[first]
        without_rule = table[category, min(length, table.shape[1]) - 1]
        p = np.clip(p + np.maximum(1 - mass, 0.0) * without_rule, 0.0, 1.0)
        return _Matched(position, np.full(len(position), length), category, p, mass)

    def _rule_probabilities(self, lattice: Lattice, paths: Paths, path: Ints, rule: Ints) -> Floats:
        """P(T | tags of the path, and the next tag) for each path with each of its rules."""
        p = self.probability[rule]
        if not len(self.contexts):
            return p
        onward = extensions(lattice, paths)
        edges = tally(onward.path, minlength=len(paths.probability))
        after = np.cumsum(edges)[path]
        at, edge = ranges(after - edges[path], after)  # every rule with every extension of its path
        context = rule[at] * (len(self.tags) + 2) + lattice.tag[onward.state[edge]]
        row = np.minimum(np.searchsorted(self.contexts, context), len(self.contexts) - 1)
        change = np.where(self.contexts[row] == context, self.context_p[row] - p[at], 0.0)
        return np.asarray(p + tally(at, weights=onward.probability[edge] * change, minlength=len(path)))

    def values(self) -> dict[str, object]:
        """The parameters as they are saved in JSON."""
        width = len(self.tags) + 2
        names = [*self.tags, END]
        contexts: list[dict[str, float]] = [{} for _ in self.probability]
        for context, p in zip(self.contexts.tolist(), self.context_p.tolist(), strict=True):
            rule, tag = divmod(context, width)
            contexts[rule][names[tag]] = p
        sequences = self.grammar.trie.sequences()
        columns = (self.grammar.category.tolist(), self.grammar.node.tolist(), self.probability.tolist())
        rules = [
            [self.categories[category], [self.tags[t] for t in sequences[node]], p, next_tags]
            for category, node, p, next_tags in zip(*columns, contexts, strict=True)
        ]
        return {"tags": list(self.tags), "tagger": self.tagger, "uncovered": self.uncovered.values(), "rules": rules}


class _Matched(NamedTuple):
    """Candidates that a rule matches; `mass` is the probability of their tag sequences that match one."""

    position: Ints
    length: Ints
    category: Ints
    probability: Floats
    mass: Floats


STRANGE = 0.5
"""The share of words with unknown tags from which a model is refused."""


def check_tags(model: RuleModel, sentences: Sentences, *, source: str = "<sentences>") -> None:
    """Raise an OptionError if a model does not know most of the tags: its probabilities would mean nothing.

    Parameters
    ----------
    model
        A model whose tags are those of the sentences, or come from a tagger, and then are known.
    sentences
        Sentences with tags.
    source
        Where they come from, for messages.
    """
    if model.tagger is not None or sentences.tags is None:
        return
    tags_of_model = set(model.tags)
    tags = [tag for row in sentences.tags for tag in row]
    unknown = [tag for tag in tags if tag not in tags_of_model]
    if len(unknown) > STRANGE * len(tags):
        share = f"{len(unknown) / len(tags):.0%} of the tags, such as {shortened(unknown[0])}"
        raise OptionError(f"{source}: model {model.name} does not know {share}; expected tags such as {model.tags[0]}")


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
        seen += tally(paths.node, paths.probability, len(seen))
        path, rule = _true_paths(grammar, paths, second, length)
        true += tally(rule, paths.probability[path], len(true))
    return seen, true


def _true_paths(grammar: Grammar, paths: Paths, key: Chunks, length: int) -> tuple[Ints, Ints]:
    """The paths of the true chunks of a length, with their rules."""
    chunks = np.flatnonzero(key.length == length)
    position = first_positions(key.sentences)[key.sentence[chunks]] + key.start[chunks]
    row, path = ranges(np.searchsorted(paths.origin, position), np.searchsorted(paths.origin, position, side="right"))
    rule = grammar.rule(paths.node[path], key.category[chunks][row])
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
        edges = tally(onward.path, minlength=len(paths.probability))
        after = np.cumsum(edges)[path]
        row, edge = ranges(after - edges[path], after)
        true.append((rule[row] * width + next_tag[edge], mass[edge]))
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
    sums: Floats = tally(number, values, len(unique)).astype(np.float64)
    return unique, sums


def _all_tags(*corpora: Chunks) -> tuple[str, ...]:
    """Every tag of the corpora. OptionError if one has none."""
    for corpus in corpora:
        if corpus.sentences.tags is None:
            raise OptionError(f"{corpus.source} has no tags; expected a tag for each word: give them, or use a tagger")
    return tuple(sorted({tag for corpus in corpora for row in corpus.sentences.tags or () for tag in row}))
