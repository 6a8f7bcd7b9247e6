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

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import argsort, starts_of_runs
from referee.basics.exceptions import OptionError, brief_names, shortened
from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences
from referee.phrases.models.baselines import by_length, smoothed, true_by_length
from referee.phrases.models.lattice import MIN_PROBABILITY, Lattice, Tagger, first_positions

END = "</s>"
"""The tag of the end of a sentence, where a model is saved."""

ANY = -1
"""In counts: any next tag."""

Counts: TypeAlias = defaultdict[Any, defaultdict[int, float]]
"""Tags of rules, with or without a category -> next tag -> how many candidates."""


class Rule(NamedTuple):
    """P(T | category, tags); and in model C the same for each next tag that was seen."""

    category: str
    tags: Sequence[str]
    probability: float
    next_tags: dict[str, float]


@dataclass(slots=True)
class TagSequence:
    """The tags that a rule has or begins with, as a node of a tree.

    Parameters
    ----------
    tags
        Their numbers.
    longer
        Next tag -> the sequence that is one tag longer.
    rules
        The number of a category -> the probability of the rule, and that for each next tag.
    """

    tags: tuple[int, ...] = ()
    longer: dict[int, TagSequence] = field(default_factory=dict)
    rules: dict[int, tuple[float, dict[int, float]]] = field(default_factory=dict)

    def extended(self, tag: int) -> TagSequence:
        """The sequence that is one tag longer; it is added if it is not there."""
        return self.longer.get(tag) or self.longer.setdefault(tag, TagSequence((*self.tags, tag)))


TagPath: TypeAlias = tuple[TagSequence, float, int]
"""Tags that follow each other in a lattice, P(tags | words), and the number of the last state."""


def paths(
    lattice: Lattice, position: int, root: TagSequence, step: Callable[[TagSequence, int], TagSequence | None]
) -> Iterator[list[TagPath]]:
    """The paths of 1, 2, ... tags from a position; `step` gives the sequence that is one tag longer, if it is followed."""
    following = lattice.following
    level = [(root, tag, p, state) for state, tag, p in lattice.states[position]]
    while longer := [
        (sequence, p, state) for before, tag, p, state in level if p >= MIN_PROBABILITY and (sequence := step(before, tag))
    ]:
        yield longer
        level = [(sequence, tag, p * q, after) for sequence, p, state in longer for after, tag, q in following[state]]


def matches(lattice: Lattice, tree: TagSequence) -> Iterator[tuple[int, int, TagPath]]:
    """Position and number of words of each path whose tags are those of a rule, and the path."""
    for position in range(len(lattice.states)):
        for length, level in enumerate(paths(lattice, position, tree, lambda before, tag: before.longer.get(tag)), start=1):
            for path in level:
                if path[0].rules:
                    yield position, length, path


def tag_lattice(sentences: Sentences, tags: tuple[str, ...], tagger: Tagger | None) -> Lattice:
    """The tags of the tagger; without one, those of the sentences."""
    return tagger.lattice(sentences) if tagger else Lattice.certain(sentences, tags)


@dataclass(frozen=True, eq=False)
class RuleModel:
    """Model G, or C if rules have next tags.

    Parameters
    ----------
    name
        "G" or "C".
    categories, tags
        Names.
    rules
        Each pair of a category and tags once.
    uncovered
        The probabilities of candidates without a rule.
    tagger
        Gives the tags; None if they are those of the sentences.
    """

    name: str
    categories: tuple[str, ...]
    tags: tuple[str, ...]
    rules: Sequence[Rule]
    uncovered: DefaultProbabilities
    tagger: Tagger | None = None

    def __repr__(self) -> str:
        return f"<RuleModel {self.name}: {brief_names(self.categories)}>"

    @cached_property
    def tree(self) -> TagSequence:
        """The tag sequences of the rules."""
        root = TagSequence()
        tags = {tag: t for t, tag in enumerate((*self.tags, END))}
        categories = {name: x for x, name in enumerate(self.categories)}
        for category, sequence, p, next_tags in self.rules:
            node = root
            for tag in sequence:
                node = node.extended(tags[tag])
            node.rules[categories[category]] = p, {tags[tag]: q for tag, q in next_tags.items()}
        return root

    def predict(self, sentences: Sentences) -> PhraseCandidates:
        """The probabilities of the candidates of these sentences.

        Candidates that a rule matches are listed. Those count as covered whose tag sequences match a rule with a probability of
        at least one half.
        """
        lattice = tag_lattice(sentences, self.tags, self.tagger)
        rows: list[tuple[float, ...]] = []
        for position, length, (sequence, probability, state) in matches(lattice, self.tree):
            for category, (p, contexts) in sequence.rules.items():
                change = 0.0
                for _, tag, q in lattice.following[state] if contexts else ():
                    change += q * (contexts.get(tag, p) - p)
                rows.append((position, length, category, probability, probability * (p + change)))
        if not rows:
            return PhraseCandidates.unlisted(sentences, self.categories, self.uncovered, source=self.name)
        columns = np.array(rows).T
        position, length, category = columns[:3].astype(np.int64)
        order = argsort(position, length, category)
        first = np.flatnonzero(starts_of_runs(position[order], length[order], category[order]))
        position, length, category = (column[order][first] for column in (position, length, category))
        mass, matched = (np.add.reduceat(column[order], first) for column in columns[3:])
        table = self.uncovered.complete_table(len(self.categories))
        without_rule = table[category, np.minimum(length, table.shape[1]) - 1]
        true = np.clip(matched + np.maximum(1 - mass, 0.0) * without_rule, 0.0, 1.0)
        offset = first_positions(sentences)
        sentence = np.searchsorted(offset, position, side="right") - 1
        start = position - offset[sentence]
        spans = {"sentence": sentence, "start": start, "end": start + length, "category": category}
        return PhraseCandidates.build(
            sentences, self.categories, **spans, probability=true, default=self.uncovered, covered=mass >= 0.5, source=self.name
        )

    def values(self) -> dict[str, object]:
        """The parameters as they are saved in JSON."""
        return {"tags": self.tags, "tagger": self.tagger, "uncovered": self.uncovered.values(), "rules": self.rules}


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
    tree, rules = _induced(train, tag_lattice(train.sentences, tags, tagger), len(tags))
    total, true = _counts(second, tag_lattice(second.sentences, tags, tagger), tree, with_next=name == "C")
    prior = by_length(train).table
    table = prior.complete_table(len(categories))
    candidates = np.tile(second.sentences.span_counts_by_length().astype(np.float64), (len(categories), 1))
    true_chunks = true_by_length(second).astype(np.float64)
    rows = []
    for sequence, category in rules:
        length, totals, trues = len(sequence), total[sequence], true[sequence, category]
        if length <= candidates.shape[1]:
            candidates[category, length - 1] -= totals[ANY]
            true_chunks[category, length - 1] -= trues[ANY]
        p = _smoothed(trues[ANY], totals[ANY], float(table[category, min(length, table.shape[1]) - 1]), weight=1)
        contexts = sorted(totals.keys() - {ANY})
        next_tags = {(*tags, END)[t]: _smoothed(trues[t], totals[t], p, weight=2) for t in contexts}
        rows.append(Rule(categories[category], [tags[t] for t in sequence], p, next_tags))
    # The probabilities of a stochastic tagger may add up to a rounding error more than there are candidates.
    uncovered = smoothed(np.maximum(true_chunks, 0.0), np.maximum(candidates, 0.0), prior.beyond, weight=1)
    return RuleModel(name, categories, tags, rows, DefaultProbabilities.by_length(uncovered, prior.beyond), tagger)


def _induced(train: Chunks, lattice: Lattice, tags: int) -> tuple[TagSequence, list[tuple[tuple[int, ...], int]]]:
    """A rule for the tags of every chunk: the tree of their tags, and each rule, the shorter first, as tags and category."""
    root = TagSequence()
    rules = set()
    for position, length, category in _rows(train):
        levels = paths(lattice, position, root, lambda before, tag: before.extended(tag) if tag < tags else None)
        for sequence, _, _ in next(islice(levels, length - 1, None), []):
            sequence.rules[category] = 0.0, {}
            rules.add((sequence.tags, category))
    return root, sorted(rules, key=lambda rule: (len(rule[0]), *rule))


def _counts(second: Chunks, lattice: Lattice, tree: TagSequence, *, with_next: bool) -> tuple[Counts, Counts]:
    """How many candidates have the tags of rules, and how many of them are true: with any next tag, and with each."""
    total: Counts = defaultdict(lambda: defaultdict(float))
    true: Counts = defaultdict(lambda: defaultdict(float))
    truth = set(_rows(second))
    for position, length, (sequence, p, state) in matches(lattice, tree):
        counts = [total[sequence.tags]]
        counts += [true[sequence.tags, x] for x in sequence.rules if (position, length, x) in truth]
        for count in counts:
            count[ANY] += p
            for _, tag, transition in lattice.following[state] if with_next else ():
                count[tag] += p * transition
    return total, true


def _rows(chunks: Chunks) -> Iterator[tuple[int, int, int]]:
    """Position, number of words and category of each chunk."""
    position = first_positions(chunks.sentences)[chunks.sentence] + chunks.start
    return zip(position.tolist(), chunks.length.tolist(), chunks.category.tolist(), strict=True)


def _smoothed(true: float, total: float, prior: float, weight: int) -> float:
    """As `smoothed`, of one proportion."""
    return min(max((true + weight * prior) / (total + weight), 0.0), 1.0)


def _all_tags(*corpora: Chunks) -> tuple[str, ...]:
    """Every tag of the corpora. OptionError if one has none."""
    for corpus in corpora:
        if corpus.sentences.tags is None:
            raise OptionError(f"{corpus.source} has no tags; expected a tag for each word: give them, or use a tagger")
    return tuple(sorted({tag for corpus in corpora for row in corpus.sentences.tags or () for tag in row}))
