"""The probabilities of mentions: those of the detector, and with those of base phrases."""

import numpy as np
import pytest

from referee.basics.exceptions import MismatchError
from referee.phrases.annotation import PhraseCandidates
from referee.phrases.formats.mentions import mention_chunks
from referee.resolver.candidates import mention_candidates
from referee.resolver.files import load
from tests.support.trees import ANN, conllu, given

GIVEN, _ = given(conllu(ANN))
DETECTOR = load("tables").detector
SENTENCES = mention_chunks(GIVEN.corpus).sentences


def phrases(rows):
    names = sorted({row[3] for row in rows} | {"NP"})
    sentence, start, end, category, p = zip(*rows, strict=True)
    numbers = [names.index(name) for name in category]
    columns = {"sentence": sentence, "start": start, "end": end, "category": numbers}
    return PhraseCandidates.build(SENTENCES, names, **columns, probability=p)


def listed(found):
    keys = zip(found.sentence.tolist(), found.start.tolist(), found.end.tolist(), strict=True)
    return dict(zip(keys, found.probability.tolist(), strict=True))


def of(rows=None):
    assert DETECTOR is not None
    return listed(mention_candidates(GIVEN.syntax, GIVEN.corpus, DETECTOR, None if rows is None else phrases(rows)))


BASE = [(0, 0, 1, "NP", 1.0), (0, 2, 3, "NP", 1.0), (1, 0, 1, "NP", 1.0), (1, 2, 3, "NP", 1.0), (1, 4, 6, "NP", 1.0)]
BASE += [(2, 0, 2, "NP", 1.0), (2, 3, 4, "NP", 1.0)]
"""Ann, Bob; She, him, the garden; The garden, hers."""


def test_certain_phrases_change_nothing():
    alone, with_phrases = of(), of(BASE)
    assert alone
    assert with_phrases == pytest.approx(alone, abs=1e-6)


def test_a_mention_is_as_probable_as_its_head_times_its_base_phrase():
    key = (1, 4, 6)  # the garden
    found = of([*(row for row in BASE if row[:3] != key), (*key, "NP", 0.75), (1, 5, 6, "NP", 0.25)])
    assert found[key] == pytest.approx(0.75 * of()[key])
    assert found[1, 5, 6] == pytest.approx(0.25 * of()[key])


def test_a_head_outside_of_base_phrases_keeps_its_probability():
    assert of([(s, a, b, "VP", p) for s, a, b, _, p in BASE]) == of()


def test_phrases_of_other_sentences_are_refused():
    assert DETECTOR is not None
    other = phrases(BASE).select(np.arange(len(SENTENCES) - 1))
    with pytest.raises(
        MismatchError, match=r"has 2 sentences of .* words, the text has 3 sentences of .* words; expected phrases"
    ):
        mention_candidates(GIVEN.syntax, GIVEN.corpus, DETECTOR, other)
