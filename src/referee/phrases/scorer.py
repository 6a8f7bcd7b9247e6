"""Scores of phrases that are updated batch by batch, for training loops and streams: `PhraseScorer`."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from referee.basics.exceptions import MismatchError, OptionError, check_name, counted
from referee.basics.options.choices import PHRASE_ALIASES, decoder_named
from referee.basics.options.options import check_threshold
from referee.phrases.annotation import Chunks, PhraseCandidates
from referee.phrases.annotation.joining import joined
from referee.phrases.chunking.iob import rule_named
from referee.phrases.formats.sides import PhraseKey, PhraseResponse, read_values
from referee.phrases.ids import Labels, from_ids
from referee.phrases.metrics import METRICS
from referee.phrases.scores import PhraseScores
from referee.phrases.scoring import score
from referee.stats.counts import Score


class PhraseScorer:
    """Scores of phrases that are updated batch by batch.

    The numbers are those of one call of `referee.phrases.score` with all sentences, however they are divided. Phrases are held
    as numbers, with the words and tags that the batches have.

    Parameters
    ----------
    metrics, min_probability, threshold, decode
        As of `referee.phrases.score`. `decode` names a scheme: `strict` would be another one for each batch.
    id2label : mapping or sequence, optional
        Batches are ids, or logits, of these labels: see `referee.phrases.from_ids`. Places where the key has -100 are left out.

    Raises
    ------
    UnknownNameError, OptionError
        If a name or value is not known.

    Examples
    --------
    >>> scorer = PhraseScorer()
    >>> scorer.update([["B-PER", "O"]], [["B-PER", "O"]])
    >>> scorer.update(key=[["O", "B-LOC"]], response=[["O", "B-PER"]])
    >>> scorer.compute()["f1"].f1, scorer.compute().types["PER"].precision
    (0.5, 0.5)
    """

    def __init__(
        self,
        metrics: Sequence[str] | None = None,
        *,
        min_probability: float = 0.0,
        threshold: float = 0.5,
        decode: str = "conlleval",
        id2label: Labels | None = None,
    ) -> None:
        for metric in metrics or ():
            check_name("metric", PHRASE_ALIASES.get(metric, metric), METRICS)
        check_threshold(threshold)
        if decoder_named(decode) == "strict":
            raise OptionError("decode='strict' is the scheme of each batch; expected the name of one, such as IOB2")
        self.metrics, self.id2label = metrics, id2label
        self.min_probability, self.threshold, self.decode = min_probability, threshold, rule_named(decode)
        self.reset()

    def reset(self) -> None:
        """Forget all sentences."""
        self._batches: list[tuple[Chunks, Chunks | PhraseCandidates]] = []
        self._scores: PhraseScores | None = None

    def __repr__(self) -> str:
        return f"<PhraseScorer: {counted(self.sentences, 'sentence')}>"

    @property
    def sentences(self) -> int:
        """How many sentences were added."""
        return sum(len(key.sentences) for key, _ in self._batches)

    def update(
        self,
        predicted: PhraseResponse | None = None,
        gold: PhraseKey | None = None,
        *,
        key: PhraseKey | None = None,
        response: PhraseResponse | None = None,
    ) -> None:
        """Add a batch: ``update(predicted, gold)``, the response first, or ``update(key=..., response=...)`` by names.

        Parameters
        ----------
        predicted, gold
            The response and the key: whatever `referee.phrases.score` takes.
        key, response
            Other names of `gold` and `predicted`.

        Raises
        ------
        TypeError
            Unless there is one key and one response.
        FormatError, MismatchError, OptionError
            If the two cannot be read or compared. Nothing is added then.
        """
        keys, responses = [v for v in (gold, key) if v is not None], [v for v in (predicted, response) if v is not None]
        if len(keys) != 1 or len(responses) != 1:
            raise TypeError("expected update(predicted, gold), the response first, or update(key=..., response=...)")
        if self.id2label is not None:
            tags, predicted_tags = from_ids(keys[0], responses[0], self.id2label)
            keys, responses = [tags], [predicted_tags]
        read = read_values(keys[0], responses, decode=self.decode)
        if read.key.sentences.texts is None and len(read.key.sentences) != len(read.responses[0].sentences):
            sizes = counted(len(read.responses[0].sentences), "sentence"), len(read.key.sentences)
            raise MismatchError(f"the response has {sizes[0]}, the key {sizes[1]}; expected as many")
        self._batches.append((read.key, read.responses[0]))
        self._scores = None

    def compute(self) -> PhraseScores:
        """Return the scores of all sentences so far, as `referee.phrases.score` does.

        Raises
        ------
        OptionError
            If nothing was added, or some batches have probabilities and some have none.
        """
        if not self._batches:
            raise OptionError("found no sentences; expected update(predicted, gold) before compute()")
        if self._scores is None:
            keys, responses = ({str(n): side for n, side in enumerate(sides, 1)} for sides in zip(*self._batches, strict=True))
            key, response = joined(keys, "<key>"), joined(responses, "<response>")
            assert isinstance(key, Chunks)
            self._scores = score(
                key, response, metrics=self.metrics, min_probability=self.min_probability, threshold=self.threshold
            )
        return self._scores

    def __getitem__(self, metric: str) -> Score:
        """The score of all sentences so far by one metric."""
        return self.compute()[metric]

    def merge(self, other: PhraseScorer) -> PhraseScorer:
        """Add the sentences of another scorer with the same options; returns this one, and ``a + b`` a new one.

        Raises
        ------
        OptionError
            If the options differ.
        """
        if self._form != other._form:
            raise OptionError("found scorers with different metrics or options; expected the same")
        self._batches = self._batches + other._batches
        self._scores = None
        return self

    def __add__(self, other: PhraseScorer) -> PhraseScorer:
        """A scorer with the sentences of both."""
        return copy.copy(self).merge(other) if isinstance(other, PhraseScorer) else NotImplemented

    @property
    def _form(self) -> tuple[object, ...]:
        return self.metrics, self.min_probability, self.threshold, self.decode
