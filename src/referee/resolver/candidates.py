"""The probabilities of mentions, to be scored by `referee phrases score`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, ranges, starts_of_runs, tally
from referee.basics.exceptions import MismatchError, counted
from referee.corpus import Corpus
from referee.phrases.annotation import DefaultProbabilities, PhraseCandidates, Sentences
from referee.phrases.formats.mentions import UNTYPED, mention_chunks
from referee.resolver.detect import DetectedSpans, Detector, detect
from referee.resolver.logistic import UNIT
from referee.resolver.syntax import Syntax

LEAST = -7 * UNIT
"""The least sum of weights of a candidate that is listed: a probability of a thousandth."""

UNLISTED = 1e-6
"""The probability of candidates that are not listed."""

UNLIKELY = 1e-4
"""The least probability of a candidate that is listed, if its base phrase is uncertain, too."""

BASE = "NP"
"""The category of the base phrases of mentions."""


class _Listed(NamedTuple):
    """Candidates: tokens counted through the file, and probabilities."""

    start: Ints
    end: Ints
    probability: Floats


def mention_candidates(
    syntax: Syntax, corpus: Corpus, detector: Detector, phrases: PhraseCandidates | None = None
) -> PhraseCandidates:
    """List the mentions that a text may have, with their probabilities.

    The probability of a mention is that of its head to be one (the detector), times that of the base phrase around the head,
    where probabilities of `phrases` are given.

    Parameters
    ----------
    syntax : Syntax
    corpus : Corpus
        Its words.
    detector : Detector
    phrases : PhraseCandidates or None
        The probabilities of chunks of the same sentences. If another base phrase around a head is possible, so is a mention
        with the edges of that one.

    Returns
    -------
    PhraseCandidates
        Of one category. Those that are not listed have a probability of 1e-6.

    Raises
    ------
    MismatchError
        If the sentences of the phrases have other numbers of words.
    """
    spans = detect(detector, syntax, LEAST)
    sentences = mention_chunks(corpus).sentences
    listed = _Listed(spans.start, spans.end, spans.probability)
    if phrases is not None:
        _check_sentences(sentences, phrases)
        listed = _by_phrases(spans, phrases)
    sentence = syntax.sentence[listed.start]
    first = np.searchsorted(syntax.sentence, sentence)
    return PhraseCandidates.build(
        sentences,
        [UNTYPED],
        sentence=sentence,
        start=listed.start - first,
        end=listed.end - first,
        category=np.zeros(len(sentence), dtype=np.int64),
        probability=listed.probability,
        default=DefaultProbabilities.constant(UNLISTED),
    )


def _check_sentences(sentences: Sentences, phrases: PhraseCandidates) -> None:
    if not np.array_equal(sentences.length, phrases.sentences.length):
        theirs, ours = (f"{counted(len(s), 'sentence')} of {int(s.length.sum())} words" for s in (phrases.sentences, sentences))
        raise MismatchError(f"{phrases.source} has {theirs}, the text has {ours}; expected phrases of the same sentences")


def _by_phrases(spans: DetectedSpans, phrases: PhraseCandidates) -> _Listed:
    """The mentions that were found, shared out among the base phrases that their heads may have.

    A head that is probably in no base phrase, such as a verb, keeps its probability.
    """
    base = (
        np.flatnonzero(phrases.category == phrases.categories.index(BASE)) if BASE in phrases.categories else np.empty(0, int)
    )
    offset = phrases.sentences.word_offsets[phrases.sentence[base]]
    first, after, p = offset + phrases.start[base], offset + phrases.end[base], phrases.probability[base]
    order = np.argsort(spans.head, kind="stable")
    heads = spans.head[order]
    phrase, place = ranges(np.searchsorted(heads, first), np.searchsorted(heads, after))
    mention = order[place]
    inside = tally(mention, p[phrase], len(heads)) >= 0.5
    kept = inside[mention]
    phrase, mention = phrase[kept], mention[kept]
    best = np.full(len(heads), -1, dtype=np.int64)
    rising = np.argsort(p[phrase], kind="stable")
    best[mention[rising]] = phrase[rising]  # the last one stays
    of_tree = best[mention]
    start = np.where(spans.start[mention] == first[of_tree], first[phrase], spans.start[mention])
    end = np.where(spans.end[mention] == after[of_tree], after[phrase], spans.end[mention])
    alone = np.flatnonzero(~inside)
    start = np.concatenate([start, spans.start[alone]])
    end = np.concatenate([end, spans.end[alone]])
    probability = np.concatenate([spans.probability[mention] * p[phrase], spans.probability[alone]])
    order = np.lexsort((end, start))
    start, end, probability = start[order], end[order], probability[order]
    runs = np.flatnonzero(starts_of_runs(start, end))
    sums = np.add.reduceat(probability, runs) if len(runs) else probability
    likely = sums >= UNLIKELY
    return _Listed(start[runs][likely], end[runs][likely], np.minimum(sums[likely], 1 - UNLISTED))
