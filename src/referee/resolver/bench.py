"""Some documents with a key, ready to be resolved again and again by other numbers."""

from __future__ import annotations

import math
import warnings
from typing import Literal, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import RefereeWarning, check_name
from referee.corpus.corpus import Corpus
from referee.metrics.registry import METRICS, metrics_named
from referee.resolver.constraints import task_of
from referee.resolver.kinds import with_kinds
from referee.resolver.learning import Training
from referee.resolver.lexicon import lexicon_for
from referee.resolver.memory import decode, in_step
from referee.resolver.relations import Relations
from referee.resolver.resolving import corpus_of
from referee.resolver.rules import Kinds, Rules
from referee.resolver.tables import Tables
from referee.resolver.text import MentionSelection
from referee.scoring.score import score

Singletons: TypeAlias = Literal["keep", "drop"]
SIDES = ("recall", "precision", "value")


class Objective:
    """What is to become as large as possible.

    Parameters
    ----------
    name : str
        A metric, or a metric and a side, such as "muc.recall".
    singletons : str
        "keep" or "drop", as `score` has it.
    """

    def __init__(self, name: str, singletons: Singletons = "keep") -> None:
        metric, _, side = name.partition(".")
        (self.metric,) = metrics_named(metric)
        check_name("side", side or "value", SIDES)
        check_name("value of singletons", singletons, ("keep", "drop"))
        assert self.metric in METRICS
        self.side = side or "value"
        self.singletons: Singletons = singletons

    def score(self, key: Corpus, response: Corpus) -> float:
        """The score; 0 where it is undefined."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RefereeWarning)  # of the same key, thousands of times
            scores = score(key, response, metrics=[self.metric], singletons=self.singletons)[self.metric]
        value = getattr(scores, self.side)
        return 0.0 if math.isnan(value) else float(value)


class Bench:
    """Documents with a key.

    Parameters
    ----------
    training : Training
    documents : integers
        Which of its documents, ascending.
    """

    def __init__(self, training: Training, documents: Ints) -> None:
        mentions = training.selection.mentions
        rows = np.flatnonzero(np.isin(mentions.document, documents))
        place = np.full(len(mentions.document), -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        fragments = {int(place[n]): tokens for n, tokens in training.selection.fragments.items() if place[n] >= 0}
        self.syntax = training.syntax
        self.documents = documents
        words = lexicon_for(training.syntax, None)
        chosen = with_kinds(training.syntax, mentions.rows(rows), words)
        self.selection = MentionSelection(chosen, fragments, None)
        self.tasks = {one: task_of(training.syntax, chosen, words, one_gender=one) for one in (False, True)}
        self.relations = Relations(self.tasks[True].mentions)
        order, _ = in_step(self.relations.mentions.document)
        self.pairs = list(self.relations.blocks(order))
        self.codes = {id(pairs): Kinds(self.relations, pairs).code for pairs in self.pairs}
        self.key = self.corpus(place[training.entity[rows]])

    def corpus(self, label: Ints) -> Corpus:
        """These documents with the entities of a label for each mention."""
        return corpus_of(self.syntax, self.selection, label).select_documents(self.documents)

    def resolve(self, model: Rules | Tables) -> Corpus:
        """The documents, resolved."""
        relations = self.relations
        judge = model.judge(relations, self.codes) if isinstance(model, Rules) else model.judge(relations)
        task = self.tasks[model.one_gender]
        return self.corpus(task.whole(decode(relations.mentions.document, lambda _: self.pairs, judge, task.constraints)))

    def score(self, rules: Rules, objective: Objective) -> float:
        """The score of rules."""
        return objective.score(self.key, self.resolve(rules))
