"""The probabilities of mentions, to be scored by `referee phrases score`."""

from __future__ import annotations

import numpy as np

from referee.corpus import Corpus
from referee.phrases.annotation import DefaultProbabilities, PhraseCandidates
from referee.phrases.formats.mentions import UNTYPED, mention_chunks
from referee.resolver.detect import Detector, detect
from referee.resolver.logistic import UNIT
from referee.resolver.syntax import Syntax

LEAST = -7 * UNIT
"""The least sum of weights of a candidate that is listed: a probability of a thousandth."""


def mention_candidates(syntax: Syntax, corpus: Corpus, detector: Detector) -> PhraseCandidates:
    """List the mentions that a text may have, with their probabilities.

    Parameters
    ----------
    syntax : Syntax
    corpus : Corpus
        Its words.
    detector : Detector

    Returns
    -------
    PhraseCandidates
        Of one category. Those that are not listed have a probability of 1e-6.
    """
    found = detect(detector, syntax, LEAST)
    sentence = syntax.sentence[found.start]
    first = np.searchsorted(syntax.sentence, sentence)
    return PhraseCandidates.build(
        mention_chunks(corpus).sentences,
        [UNTYPED],
        sentence=sentence,
        start=found.start - first,
        end=found.end - first,
        category=np.zeros(len(sentence), dtype=np.int64),
        probability=found.probability,
        default=DefaultProbabilities.constant(1e-6),
    )
