"""Fit a parser to treebanks: `fit`.

The tagger and the parser are learnt together, in rounds. In each, the parser as it is goes through all sentences. The states
that it meets are what it learns from, with the moves that lose nothing there [1]_: so it learns to go on after its own
mistakes, too. In the first round it goes where nothing is lost.

The arithmetic is exact (see `learning`): the same files give the same model, byte for byte, on any machine.

References
----------
.. [1] Goldberg and Nivre (2013), Training deterministic parsers with non-deterministic oracles.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, arange, repeat, tally
from referee.basics import progress
from referee.basics.exceptions import FormatError, OptionError
from referee.parsing.gradients import Examples, gradients
from referee.parsing.learning import Optimizer, Random
from referee.parsing.lexicon import Lexicon, learnt, lemma_rule
from referee.parsing.model import ParserModel, check_exact
from referee.parsing.network import EMBEDDINGS, Weights, Widths, shapes, vectors
from referee.parsing.oracle import Oracle
from referee.parsing.spelling import columns, seen_often
from referee.parsing.splitting.fit import fit_splitting
from referee.parsing.tagging import LONGEST, SentenceBatch, batches, coded_forms, sentences_of
from referee.parsing.transitions import LEFT, RIGHT, SHIFT, States
from referee.parsing.treebank import Treebank, are_projective, of_all, read_treebank
from referee.parsing.trees import BestMoves, trees

ROUNDS, LEAST_STEPS = 12, 1500
"""The rounds of learning; more for small treebanks, of which as many steps are learnt."""

OFTEN = {"word": 3, "prefix": 5, "suffix": 5, "ending": 5}
"""How often a string must be seen to have an embedding."""

STEP_WORDS = 320
"""How many words of whole sentences a step of learning has."""

RATE, SLOW_STEPS, LAST_RATE = 0.003, 100, 0.02
"""The largest rate, the steps until it is reached, and the share of it that is left at the end."""

RARE = 0.25
"""A word that is seen n times is taken for an unknown one in RARE / (RARE + n) of the cases."""


class Material(NamedTuple):
    """What is learnt from: the words of all treebanks, as numbers.

    Parameters
    ----------
    first : int64, shape (sentences + 1,)
    columns : int64, shape (words, pieces)
        As `spelling.columns` gives them.
    tag : int64, shape (words,)
    head : int64, shape (words,)
        In the sentence, from 1; 0 for the root.
    label : int64, shape (words,)
        From 1; 0 for the root.
    parsed : int64, shape (sentences to parse,)
        Those whose trees are learnt: the projective ones that are not longer than `LONGEST`.
    unknown : float64, shape (words,)
        How often each word is to be taken for an unknown one.
    """

    first: Ints
    columns: Ints
    tag: Ints
    head: Ints
    label: Ints
    parsed: Ints
    unknown: Floats


class Visited(NamedTuple):
    """States that the parser met, in the order of sentences; those of which nothing is left to be had are left out.

    Parameters
    ----------
    first : int64, shape (sentences + 1,)
        The first state of each sentence.
    places, details : int32, shape (states, ...)
        What each shows; words are numbered in the sentence, from 1.
    lossless : bool, shape (states, 3)
    label : int32, shape (states,)
        The right relation of the word on top.
    """

    first: Ints
    places: Ints
    details: Ints
    lossless: Bools
    label: Ints


def fit(
    files: Sequence[str | os.PathLike[str]],
    *,
    features: Sequence[str | os.PathLike[str]] | None = None,
    language: str,
    licence: str = "",
    name: str = "",
    seed: int = 1,
    rounds: int | None = None,
    size: Widths = Widths(),  # noqa: B008  # a value
) -> ParserModel:
    """Fit a parser.

    Parameters
    ----------
    files : sequence of path
        Treebanks in CoNLL-U, with the texts of their sentences (``# text``). One that is named twice counts twice for tags,
        lemmas and trees.
    features : sequence of path, optional
        The treebanks whose FEATS are learnt. Default: all of `files`.
    language : str
        Its code, such as "en".
    licence : str
        Under which the model may be used, which depends on the licences of the treebanks.
    name : str
        Of the model. Default: the language.
    seed : int
    rounds : int, optional
        How often all sentences are learnt from. Default: `ROUNDS`, or more for small treebanks.
    size : Widths
        Of the network.

    Raises
    ------
    FormatError
        If a file is no treebank: if words have no UPOS, HEAD or DEPREL.
    OptionError
        If there are no files, or what is learnt has no exact sums.
    """
    if not files:
        raise OptionError("there are no treebanks; expected at least one file in CoNLL-U")
    progress.step("reading treebanks")
    treebanks = [read_treebank(path) for path in files]
    of_features = treebanks if features is None else [read_treebank(path) for path in features]
    tags = _by_frequency(tag for t in treebanks for tag in zip(t.upos, t.xpos, strict=True))
    labels = _by_frequency(text for t in treebanks for text, head in zip(t.deprel, t.head.tolist(), strict=True) if head)
    root = _by_frequency(text for t in treebanks for text, head in zip(t.deprel, t.head.tolist(), strict=True) if not head)[0]
    if not labels:
        raise FormatError(os.fspath(files[0]), None, "has no sentence of two words; expected trees")
    seen = seen_often((form for t in treebanks for form in t.form), OFTEN)
    progress.step("learning to split texts")
    model = ParserModel(
        name=name or language,
        language=language,
        licence=licence,
        sources=[t.source for t in treebanks],
        splitting=fit_splitting(list(dict.fromkeys(t.raw for t in treebanks)), language),
        size=size,
        seen=seen,
        tags=tags,
        labels=labels,
        root=root,
        lexicon=lexicon_of(treebanks, of_features),
        weights={},
    )
    weights = _learn(_corpus(treebanks, model), model, seed, rounds)
    try:
        check_exact(weights)
    except ValueError as error:
        raise OptionError(
            f"the treebanks teach weights that are too large ({error}); give another seed, or fewer rounds"
        ) from None
    return model._replace(weights=weights)


def _by_frequency(things: Iterable[Any]) -> list[Any]:
    """The different things, the most frequent first."""
    count = Counter(things)
    return sorted(count, key=lambda thing: (-count[thing], thing))


def lexicon_of(treebanks: Sequence[Treebank], of_features: Sequence[Treebank]) -> Lexicon:
    """The lemmas of some treebanks, and the features of others."""

    def rows(some: Sequence[Treebank]) -> Iterator[tuple[str, str, str, str]]:
        for t in some:
            tags = map(" ".join, zip(t.upos, t.xpos, strict=True))
            yield from zip(tags, t.form, t.feats, t.lemma, strict=True)

    feats = learnt((tag, form.lower(), value) for tag, form, value, _ in rows(of_features))
    return Lexicon(feats, learnt((tag, form.lower(), lemma_rule(form, lemma)) for tag, form, _, lemma in rows(treebanks)))


def _corpus(treebanks: Sequence[Treebank], model: ParserModel) -> Material:
    """The treebanks as numbers."""
    first, head = of_all(treebanks)
    number, forms = coded_forms([form for t in treebanks for form in t.form])
    tags = {tag: n for n, tag in enumerate(model.tags)}
    labels = {text: n for n, text in enumerate(model.labels, start=1)}
    of_words = columns(forms, model.seen)[number]
    count = tally(of_words[:, 0])[of_words[:, 0]]
    usable = are_projective(first, head) & (np.diff(first) <= LONGEST)
    return Material(
        first,
        of_words,
        np.array([tags[tag] for t in treebanks for tag in zip(t.upos, t.xpos, strict=True)], dtype=np.int64),
        head,
        np.array([labels.get(text, 0) for t in treebanks for text in t.deprel], dtype=np.int64) * (head > 0),
        np.flatnonzero(usable),
        RARE / (RARE + count),
    )


def _learn(corpus: Material, model: ParserModel, seed: int, rounds: int | None) -> dict[str, Floats]:
    """The weights that the corpus teaches."""
    random = Random(seed)
    expected = shapes(model.size, {name: len(texts) for name, texts in model.seen.items()}, len(model.tags), len(model.labels))
    optimizer = Optimizer(_beginning(expected, random))
    steps = len(corpus.columns) // STEP_WORDS + 1
    rounds = rounds or max(ROUNDS, -(-LEAST_STEPS // steps))
    total, done = rounds * steps, 0
    for number in range(rounds):
        visited = _explored(corpus, optimizer.averages(), lossless=number == 0)
        for sentences in _steps(corpus, random):
            done += 1
            progress.step("learning tags and trees", done, total)
            rate = RATE * min(1.0, done / SLOW_STEPS) * max(LAST_RATE, 1 - done / total)
            optimizer.step(gradients(optimizer.weights(), _lesson(corpus, visited, sentences, random), random), rate)
    return optimizer.averages()


def _beginning(expected: Mapping[str, tuple[int, ...]], random: Random) -> dict[str, Floats]:
    """Weights to begin with: equally spread, and such that sums are neither large nor small."""
    beginning = {}
    for name, shape in expected.items():
        if name.endswith("bias"):
            beginning[name] = np.zeros(shape)
            continue
        largest = 32.0 if name in EMBEDDINGS else 16.0
        if name not in (*EMBEDDINGS, "detail"):
            gain = 1.4 if name in ("near", "wide", "state") else 0.7
            largest = 128 * gain * (3 / shape[0]) ** 0.5
        beginning[name] = (2 * random.shares(*shape) - 1) * largest
    return beginning


def _steps(corpus: Material, random: Random) -> list[Ints]:
    """All sentences in random order, divided into steps."""
    order = random.order(len(corpus.first) - 1)
    step = np.cumsum(np.diff(corpus.first)[order]) // STEP_WORDS
    return np.split(order, np.flatnonzero(np.diff(step)) + 1)


def _lesson(corpus: Material, visited: Visited, sentences: Ints, random: Random) -> Examples:
    """What some sentences teach."""
    batch = sentences_of(corpus.first, sentences)
    shown = corpus.columns[batch.word]
    shown[random.shares(len(shown)) < corpus.unknown[batch.word], 0] = 0
    states = sentences_of(visited.first, sentences)
    offset = repeat(batch.first[:-1], np.diff(states.first))[:, None]
    places = visited.places[states.word].astype(np.int64)
    return Examples(
        shown,
        batch.first,
        corpus.tag[batch.word],
        np.where(places > 0, places + offset, 0),
        visited.details[states.word].astype(np.int64),
        visited.lossless[states.word],
        visited.label[states.word].astype(np.int64),
    )


def _explored(corpus: Material, weights: Weights, *, lossless: bool) -> Visited:
    """The states that the parser meets in all sentences; where it only goes where nothing is lost, if so wanted."""
    parts: list[tuple[Ints, Ints, Ints, Bools, Ints]] = []
    for batch in batches(corpus.first, corpus.parsed):
        progress.step("parsing the treebank")
        rows = vectors(weights, corpus.columns[batch.word], batch.first)
        with_none = np.concatenate([np.zeros((1, rows.shape[1]), dtype=rows.dtype), rows])
        guide = _Guide(corpus, batch, lossless=lossless)
        trees(weights, with_none, batch.first[:-1] + 1, batch.first[1:] + 1, guide.watch)
        parts += guide.visited
    sentences = len(corpus.first) - 1
    if not parts:
        nothing = np.zeros((0, 0), dtype=np.int64)
        return Visited(np.zeros(sentences + 1, dtype=np.int64), nothing, nothing, nothing > 0, nothing[:, :0].reshape(-1))
    sentence, places, details, right, label = map(np.concatenate, zip(*parts, strict=True))
    order = np.argsort(sentence, kind="stable")
    first = np.searchsorted(sentence[order], arange(sentences + 1))
    return Visited(first, places[order], details[order], right[order], label[order])


class _Guide:
    """Watches the parser, and writes down what it sees.

    Attributes
    ----------
    visited : list of tuples of arrays
        Of each step: sentences, places, details, lossless moves, right relations.
    """

    def __init__(self, corpus: Material, batch: SentenceBatch, *, lossless: bool) -> None:
        self.batch, self.lossless = batch, lossless
        self.begin = batch.first[:-1]
        head, offset = corpus.head[batch.word], repeat(self.begin, np.diff(batch.first))
        self.oracle = Oracle(np.concatenate([[0], np.where(head > 0, head + offset, 0)]))
        self.label = np.concatenate([[0], corpus.label[batch.word]])
        self.visited: list[tuple[Ints, Ints, Ints, Bools, Ints]] = []

    def watch(self, states: States, places: Ints, details: Ints, moves: BestMoves) -> BestMoves:
        right = self.oracle.lossless(states, places)
        n, label = len(places), self.label[places[:, 0]]
        decided = np.flatnonzero(right.any(axis=0))
        within = np.where(places > 0, places - self.begin[:n, None], 0)
        seen = (self.batch.number[:n], within, details, label)
        sentence, shown, codes, wanted = (column[decided].astype(np.int32) for column in seen)
        self.visited.append((sentence, shown, codes, right[:, decided].T, wanted))
        if self.lossless:
            moves = BestMoves(np.where(right[LEFT], LEFT, np.where(right[RIGHT], RIGHT, SHIFT)), label)
        self.oracle.take(places, moves.move)
        return moves
