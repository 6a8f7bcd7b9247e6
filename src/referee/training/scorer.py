"""`Scorer`: scores that are updated document by document, with the digits of one call of `referee.score`."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import OptionError, counted, one_line, warn
from referee.basics.names import AttributeHints, check_call
from referee.basics.options.options import plain_options
from referee.basics.options.types import ScoreOptions
from referee.inputs.load import read_both
from referee.matching.pair import Pair, pair_of
from referee.metrics.metric import Metric
from referee.metrics.registry import MetricsArg, panel_named, select_metrics
from referee.scoring.evaluation import counts_by, signatures
from referee.scoring.other_scorers.profiles import profile_named
from referee.stats.counts import Counts, Score, concatenate
from referee.training.batches import PADDING, Batch, clusters_of, without_padding
from referee.training.sums import DIGITS, digits_of, number_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.scoring.intervals import Intervals
    from referee.scoring.stored import Fact, StoredScores
    from referee.stats.settings import ResamplingOptions

DEFAULT = ("mentions", "muc", "b_cubed", "ceaf_e", "lea", "conll")
"""The metrics of a scorer unless others are named."""

TOGETHER = 1 << 15
"""Mentions, of key and response together, that are counted at a time."""


HINTS = {
    "flat": "scorer.compute().flat('dev/') is one dictionary of numbers",
    **dict.fromkeys(("add_batch", "update_batch"), "scorer.update(response, key) takes one document after another"),
    **dict.fromkeys(
        ("state_dict", "load_state_dict"), "scorer.state() is a vector, which scorer.load_state takes; pickle works, too"
    ),
    **dict.fromkeys(("report", "to_rows", "to_dict", "by_document"), "scorer.compute() has it"),
}
"""What people look for at a scorer."""


class Scorer(AttributeHints):
    """Scores that are updated document by document.

    The digits are those of one call of `referee.score` with all documents, whatever their order, and however they are divided
    among scorers that are merged.

    Parameters
    ----------
    metrics
        As for `referee.score`.
    profile : str
        One of `PROFILES`.
    rows : bool
        Whether to keep the counts of each document, for `counts`, the macro average, intervals and the scores of documents.
        Without them, memory does not grow with the documents.
    **options
        Fields of `Options`.

    Raises
    ------
    UnknownNameError, OptionError
        If a name or value is not known; if entities are cross-document; if the average is macro, and `rows` is False.

    Notes
    -----
    What is added is a document, or a corpus of its own. So documents with the same name are different ones, and entities are
    within documents.

    Several threads may share a scorer. ``a + b`` is a scorer with the documents of both.

    Examples
    --------
    >>> scorer = Scorer(metrics="muc")
    >>> scorer.update([[(0, 1), (4, 5)]], [[(0, 1), (4, 5), (7, 9)]])
    >>> scorer.update([[(3, 4), (6, 7)]], [[(3, 4), (6, 7)]])
    >>> scorer.compute().flat()
    {'muc_recall': 0.6666666666666666, 'muc_precision': 1.0, 'muc_f1': 0.8}

    By names, in any order:

    >>> scorer.update(key=[[(0, 1), (4, 5)]], response=[[(0, 1), (4, 5)]])
    >>> scorer.compute()
    <Scores of response: muc 85.71, 1 metric>
    """

    @check_call(ScoreOptions)
    def __init__(
        self, metrics: MetricsArg = DEFAULT, *, profile: str = "default", rows: bool = False, **options: Unpack[ScoreOptions]
    ) -> None:
        settings = profile_named(profile)
        self.options = replace(settings.options, **options)
        if self.options.cross_document:
            raise OptionError("a Scorer adds documents; expected no cross_document: score the whole corpus with referee.score")
        if self.options.average == "macro" and not rows:
            raise OptionError("the macro average needs the counts of each document; expected rows=True")
        nothing = pair_of(*Batch().corpora(), self.options)
        self.metrics = select_metrics(metrics, nothing.key.own_features, settings.metrics)
        self._panel = panel_named(metrics, nothing.key.own_features)
        self._nothing = nothing
        self._empty = counts_by(self.metrics, nothing, quiet=True)
        self._keeps_rows = rows
        described = json.dumps([list(self.metrics), plain_options(self.options)], sort_keys=True)
        self._mark = 1 << 32 | crc32(described.encode())  # a sum of n states of this kind ends with n times the mark
        self._lock = RLock()
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        with self._lock:
            self._batch = Batch()
            self._rows: list[tuple[tuple[str, ...], Mapping[str, Counts]]] = []
            self._digits = np.zeros((sum(len(counts.columns) for counts in self._empty.values()), DIGITS), dtype=np.int64)
            self._counted = 0
            self._scores: StoredScores | None = None

    def __repr__(self) -> str:
        return f"<Scorer of {counted(len(self.metrics), 'metric')}: {counted(self.documents, 'document')}>"

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= {**state, "_lock": RLock()}

    def _repr_html_(self) -> str:
        """What a notebook shows: the scores of all documents so far."""
        return self.compute()._repr_html_()

    @classmethod
    def _hint(cls, name: str) -> str:
        return HINTS.get(name) or super()._hint(name)

    @property
    def documents(self) -> int:
        """How many documents were added."""
        with self._lock:
            return self._counted + len(self._batch.names)

    @check_call()
    def update(
        self,
        predicted: object = None,
        gold: object = None,
        mention_to_predicted: object = None,  # noqa: ARG002  # the signature of the field
        mention_to_gold: object = None,  # noqa: ARG002
        *,
        key: object = None,
        response: object = None,
        name: str | None = None,
    ) -> None:
        """Add a document: ``update(predicted, gold)``, the response first, or ``update(key=..., response=...)`` by names.

        By position it is the response first, as the evaluators of the field take it; `add` takes the key first.

        Parameters
        ----------
        predicted, gold
            The clusters of response and key: collections of spans, which are pairs of integers in tuples, lists, arrays or
            tensors. This is fast. Spans such as (-1, -1) pad, and are left out, and so is the end of labels for which the key
            has -100. Anything else that `referee.score` takes is accepted, too.
        mention_to_predicted, mention_to_gold
            Ignored: the clusters say the same.
        key, response
            Other names of `gold` and `predicted`.
        name : str or None
            The name of the document; None for its number. With names, documents may come in another order when another
            checkpoint is scored (`counts`).

        Raises
        ------
        TypeError
            Unless there is one key and one response.
        """
        if key is not None or response is not None or predicted is None or gold is None:
            predicted, gold = _side("response", response, predicted=predicted), _side("key", key, gold=gold)
        key_clusters, response_clusters = clusters_of(gold), clusters_of(predicted)
        if key_clusters is None or response_clusters is None:
            self.add(gold, predicted, name)
            return
        with self._lock:
            self._scores = None
            self._batch.add(name or str(self._counted + len(self._batch.names) + 1), key_clusters, response_clusters)
            if self._batch.mentions >= TOGETHER:
                self._count_batch()

    def add(self, key: object, response: object, name: str | None = None) -> dict[str, Score]:
        """Add a document, or a corpus, and return its scores.

        Parameters
        ----------
        key, response
            Whatever `referee.score` takes.
        name : str or None
            The name of the document; None for its number, or for the names that a corpus gives.

        Raises
        ------
        FormatError, MismatchError, OptionError
            If the two cannot be read or compared. Nothing is added then.
        """
        clusters = clusters_of(key), clusters_of(response)
        if clusters[0] is None or clusters[1] is None:
            sides = read_both(*without_padding(key, response))
            for side in sides:
                if padding := PADDING.intersection((*side.entity_ids, *(side.items or ()))):
                    raise OptionError(
                        f"{side.source}: found {min(padding)}, which pads; expected entities, as the labels "
                        "predicted[gold != -100] and gold[gold != -100]: for tags, call referee.phrases.from_ids"
                    )
            pair = pair_of(*sides, self.options)
        else:
            pair = pair_of(*Batch(["#1"], [clusters[0]], [clusters[1]]).corpora(), self.options)
        names = pair.key.doc_ids
        with self._lock:
            self._count_batch()
            if len(names) == 1 and (name or names[0] == "#1"):
                names = (name or str(self._counted + 1),)
            counts = self._count(pair, names)
        return {metric: self._score(blocks.total()) for metric, blocks in counts.items()}

    def compute(self) -> StoredScores:
        """Return the scores of all documents so far, as a mapping from metrics.

        It prints as a table; ``flat()`` makes one dictionary of numbers, ``report("latex")`` and others a text.
        """
        with self._lock:
            if self._scores is None:
                from referee.scoring.stored import StoredScores  # which the start of a loop need not wait for

                self._count_batch()
                documents, counts = self._kept() if self._keeps_rows else ((), self._totals())
                signed = signatures(self.metrics, self._nothing, self._panel, self._counted)
                sides: dict[str, dict[str, Fact]] = {
                    side: {"name": f"<{side}>", "documents": self._counted} for side in ("key", "response")
                }
                scores = (self.metrics, counts, self.options, *signed, sides)
                self._scores = StoredScores("response", documents, *scores, without_rows=self._counted - len(documents))
            return self._scores

    def counts(self, name: str = "response") -> StoredScores:
        """Return the scores of all documents so far with what was counted in each: what `compare` and `write_counts` take.

        Parameters
        ----------
        name : str
            What reports call them, such as "step 2000".

        Raises
        ------
        OptionError
            If `rows` are not kept.

        Examples
        --------
        Two checkpoints compared, with tests, though nothing was predicted again:

        >>> from referee import compare
        >>> before, after = Scorer("muc", rows=True), Scorer("muc", rows=True)
        >>> for n in range(8):
        ...     before.update(key=[[(0, 1), (4, 5), (7, 9)]], response=[[(0, 1), (4, 5)]])
        ...     after.update(key=[[(0, 1), (4, 5), (7, 9)]], response=[[(0, 1), (4, 5), (7, 9)]])
        >>> compare(before.counts("step 1"), after.counts("step 2"))["step 2", "muc"].difference.p
        0.0078125
        """
        scores = self.compute()
        scores.check_rows()
        return replace(scores, name=one_line(name))

    def intervals(self, **resampling: Unpack[ResamplingOptions]) -> Intervals:
        """Compute the interval of each score from resampled documents; see `Evaluation.intervals`.

        Raises
        ------
        OptionError
            If `rows` are not kept.
        """
        if not self._keeps_rows:
            raise OptionError("intervals need the counts of each document; expected rows=True")
        from referee.scoring.intervals import intervals  # most training loops do not need it, and it is slow to import
        from referee.stats.settings import Resampling

        return intervals(self.compute(), self._nothing.key.source, Resampling(**resampling))

    def __getitem__(self, metric: str) -> Score:
        """The score of all documents so far by one metric."""
        return self.compute()[metric]

    @property
    def signature(self) -> str:
        """One line on how the numbers were computed."""
        return self.compute().signature

    @check_call()
    def merge(self, *others: Scorer) -> Scorer:
        """Add the documents of other scorers with the same metrics and options; returns this one, and ``a + b`` a new one.

        Raises
        ------
        OptionError
            If metrics, options or `rows` differ.
        """
        for other in others:
            if not isinstance(other, Scorer):
                raise OptionError(f"found {type(other).__name__}; expected scorers, as in a.merge(b, c) or sum(scorers)")
            if not self._merges(other):
                raise OptionError("found scorers with different metrics, options or rows; expected the same")
        for other in others:
            self._take(other)
        return self

    def __add__(self, other: Scorer) -> Scorer:
        """A scorer with the documents of both."""
        if not isinstance(other, Scorer):
            return NotImplemented
        both = copy.copy(self)
        both.reset()
        return both.merge(self, other)

    def __radd__(self, other: object) -> Scorer:
        """As in ``sum(scorers)``, which begins with 0."""
        if other != 0:
            return NotImplemented
        both = copy.copy(self)
        both.reset()
        return both.merge(self)

    def state(self) -> Ints:
        """Return what was counted, as a vector.

        Returns
        -------
        int64
            The state of merged scorers is the sum of their states, exactly. It has a mark of metrics and options.
        """
        with self._lock:
            self._count_batch()
            return np.append(self._digits.ravel(), [self._counted, self._mark])

    def load_state(self, state: Ints) -> None:
        """Replace what was counted by a state, or by a sum of states, of scorers with the same metrics and options.

        Raises
        ------
        OptionError
            If the state is that of other metrics or options, or `rows` are kept, which a state has not.
        """
        if self._keeps_rows:
            raise OptionError("a state has no rows of documents; expected rows=False: use merge")
        if np.asarray(state).dtype.kind == "f" and (np.asarray(state) % 1).any():
            raise OptionError("found a state with fractions, as of a mean; expected the sum of states")
        if np.shape(state) != (self._digits.size + 2,) or int(state[-1]) % self._mark or int(state[-1]) < 0:
            raise OptionError(
                "found a state of other metrics or options, or of another version; expected the same metrics and options"
            )
        with self._lock:
            self.reset()
            self._digits = np.array(state[:-2], dtype=np.int64).reshape(-1, DIGITS)
            self._counted = int(state[-2])

    def _take(self, other: Scorer) -> None:
        """Add the documents of another scorer."""
        with other._lock:
            other._count_batch()
            digits, number, rows = other._digits.copy(), other._counted, [*other._rows]
        with self._lock:
            self._count_batch()
            self._digits = self._digits + digits
            self._counted += number
            self._rows = self._rows + rows
            self._scores = None

    def _merges(self, other: Scorer) -> bool:
        """Whether the other scorer counts the same in the same way."""
        if (self._mark, self._keeps_rows) != (other._mark, other._keeps_rows):
            return False
        return all(map(_is_same, self.metrics.values(), other.metrics.values()))

    def _count_batch(self) -> None:
        if self._batch.names:
            batch, self._batch = self._batch, Batch()
            key, response = batch.corpora()
            pair = pair_of(key, response, self.options)
            ends = [bool((side.start >= side.end).any()) for side in (key, response) if len(side.start)]
            if len({*ends}) == 2 and not len(pair.matching.key_mention):
                problem = "have no mention in common, and spans of one alone end where they start"
                warn(f"<key> and <response> {problem}: expected inclusive ends in both, or exclusive ones")
            self._count(pair, tuple(batch.names))

    def _count(self, pair: Pair, names: tuple[str, ...]) -> dict[str, Counts]:
        counts = counts_by(self.metrics, pair, quiet=True)
        columns = [counts[metric].columns[name] for metric, empty in self._empty.items() for name in empty.columns]
        if columns:
            self._digits = self._digits + digits_of(np.array(columns, dtype=np.float64)).sum(axis=1)
        self._counted += len(names)
        if self._keeps_rows:
            self._rows.append((names, counts))
        self._scores = None
        return counts

    def _totals(self) -> dict[str, Counts]:
        sums = iter(self._digits)
        return {
            metric: replace(empty, columns={n: np.array([number_of(next(sums))], c.dtype) for n, c in empty.columns.items()})
            for metric, empty in self._empty.items()
        }

    def _kept(self) -> tuple[tuple[str, ...], dict[str, Counts]]:
        documents = tuple(name for names, _ in self._rows for name in names)
        if len(set(documents)) < len(documents):
            documents = tuple(f"{number} {name}" for number, name in enumerate(documents, start=1))
        rows = [self._empty, *(counts for _, counts in self._rows)]
        return documents, {metric: concatenate([counts[metric] for counts in rows]) for metric in self._empty}

    def _score(self, total: Counts) -> Score:
        return total.score(self.options.zero_division, self.options.beta)[0]


def _side(side: str, value: object, **other: object) -> object:
    """One side of a document, which has two names. TypeError unless one of them is given."""
    (name, same), values = next(iter(other.items())), [value, *other.values()]
    if (value is None) == (same is None):
        number = "none" if value is None else "two"
        raise TypeError(
            f"Scorer.update() found {number} for the {side} ({name}); expected update(predicted, gold), the response first, "
            "or update(key=..., response=...)"
        )
    return next(each for each in values if each is not None)


def _is_same(a: Metric, b: Metric) -> bool:
    """Whether two metrics count alike; of objects that do not say when they are equal, those with the same pickle."""
    if a == b:
        return True
    try:
        return pickle.dumps(a) == pickle.dumps(b)
    except (pickle.PicklingError, AttributeError, TypeError):  # a function within a function
        return False
