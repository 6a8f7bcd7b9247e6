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

from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import order_by, starts_of_runs, within
from referee.phrases.annotation import DefaultProbabilities, PhraseCandidates, Sentences
from referee.phrases.models.grammar import Grammar, tag_lattice
from referee.phrases.models.lattice import Lattice, Tagger, first_positions
from referee.phrases.models.trie import Paths, extensions, walk


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

    def predict(self, sentences: Sentences) -> PhraseCandidates:
        """The probabilities of the candidates of these sentences.

        Candidates that a rule matches are listed. Those count as covered whose tag sequences match a rule with a probability of
        at least one half.
        """
        lattice = tag_lattice(sentences, self.tags, self.tagger)
        table = self.uncovered.complete_table(len(self.categories))
        every_length = (self._matched(lattice, paths, length, table) for length, paths in walk(lattice, self.grammar.trie))
        found = [matched for matched in every_length if matched is not None]
        if not found:
            return PhraseCandidates.unlisted(sentences, self.categories, self.uncovered, source=self.name)
        position, length, category, p, mass = (
            np.concatenate([getattr(matched, column) for matched in found])
            for column in ("position", "length", "category", "probability", "mass")
        )
        offset = first_positions(sentences)
        sentence = np.searchsorted(offset, position, side="right") - 1
        start = position - offset[sentence]
        return PhraseCandidates.build(
            sentences,
            self.categories,
            sentence=sentence,
            start=start,
            end=start + length,
            category=category,
            probability=p,
            default=self.uncovered,
            covered=mass >= 0.5,
            source=self.name,
        )

    def _matched(self, lattice: Lattice, paths: Paths, length: int, table: Floats) -> _Matched | None:
        """The candidates of this length that a rule matches, if there are any."""
        path, rule = self.grammar.matching(paths.node)
        if not len(path):
            return None
        p = paths.probability[path] * self._rule_probabilities(lattice, paths, path, rule)
        position, category = paths.origin[path], self.grammar.category[rule]
        order = order_by(position, category)
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
        edges = np.bincount(onward.path, minlength=len(paths.probability))
        first = np.cumsum(edges) - edges
        at = np.repeat(np.arange(len(path)), edges[path])  # every rule with every extension of its path
        edge = first[path[at]] + within(edges[path])
        context = rule[at] * (len(self.tags) + 2) + lattice.tag[onward.state[edge]]
        row = np.minimum(np.searchsorted(self.contexts, context), len(self.contexts) - 1)
        change = np.where(self.contexts[row] == context, self.context_p[row] - p[at], 0.0)
        changed: Floats = p + np.bincount(at, weights=onward.probability[edge] * change, minlength=len(path))
        return changed

    def values(self) -> dict[str, object]:
        """The parameters as they are saved in JSON."""
        width = len(self.tags) + 2
        names = [*self.tags, "</s>"]
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
        return {
            "tags": list(self.tags),
            "tagger": self.tagger,
            "uncovered": self.uncovered.values(),
            "rules": rules,
        }


@dataclass(frozen=True, eq=False)
class _Matched:
    """Candidates that a rule matches; `mass` is the probability of their tag sequences that match one."""

    position: Ints
    length: Ints
    category: Ints
    probability: Floats
    mass: Floats
