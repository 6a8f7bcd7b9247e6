"""`PhraseScorer`: whatever the batches, the numbers are those of one call of `score`."""

import copy
import pickle
import random

import pytest

from referee.basics.exceptions import MismatchError, OptionError, UnknownNameError
from referee.phrases import PhraseScorer, from_characters, score

TAGS = ["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG"]


def rows(chance, sentences):
    return [chance.choices(TAGS, k=chance.randint(1, 9)) for _ in range(sentences)]


@pytest.mark.parametrize("seed", range(5))
def test_batches_score_as_one_call(seed):
    chance = random.Random(seed)
    key = rows(chance, 40)
    response = [[chance.choice(TAGS) if chance.random() < 0.3 else tag for tag in row] for row in key]
    whole = score(key, response)
    parts = [PhraseScorer(), PhraseScorer()]
    for start in range(0, 40, 7):
        batch = slice(start, start + 7)
        parts[start % 2].update(response[batch], key[batch])
    for scores in (
        (parts[0] + parts[1]).compute(),
        copy.deepcopy(pickle.loads(pickle.dumps(parts[0]))).merge(parts[1]).compute(),
    ):
        assert scores.flat() == whole.flat()
        assert scores.types.rows == whole.types.rows
        assert scores.types.averages == whole.types.averages
    assert [part.sentences for part in parts] == [21, 19]
    parts[0].reset()
    assert parts[0].sentences == 0


def test_scored_spans_stream():
    texts = ["Anna left Rome.", "Nobody left.", "Tom saw Paris."]
    key = [
        [{"start": 0, "end": 4, "text": "Anna", "label": "PER"}],
        [],
        [{"start": 8, "end": 13, "text": "Paris", "label": "LOC"}],
    ]
    response = [[{**key[0][0], "score": 0.4}], [], [{**key[2][0], "score": 0.9}]]
    scorer = PhraseScorer(threshold=0.5)
    for text, gold, predicted in zip(texts, key, response, strict=True):
        chunks = from_characters([gold], [text])
        scorer.update(from_characters([predicted], [text]), chunks)
    scores = scorer.compute()
    assert (scores["f1"].recall, scores["f1"].precision) == (0.5, 1)
    assert (scores.thresholds.best.threshold, scores.thresholds.best.f1) == (0.4, 1)
    whole = score(from_characters(key, texts), from_characters(response, texts))
    assert scores.flat() == whole.flat()


def test_by_position_the_response_comes_first():
    scorer = PhraseScorer()
    scorer.update([["B-X", "B-X"]], [["B-X", "O"]])
    assert (scorer["f1"].recall, scorer["f1"].precision) == (1, 0.5)
    for sides in ({}, {"predicted": [["O"]]}, {"predicted": [["O"]], "response": [["O"]], "key": [["O"]]}):
        with pytest.raises(TypeError, match=r"the response first, or update\(key=..., response=...\)"):
            scorer.update(**sides)


def test_what_cannot_be_added_or_merged():
    scorer = PhraseScorer()
    with pytest.raises(OptionError, match="found no sentences"):
        scorer.compute()
    with pytest.raises(MismatchError, match="the response has 1 sentence, the key 2"):
        scorer.update([["O"]], [["O"], ["O"]])
    assert scorer.sentences == 0
    with pytest.raises(OptionError, match="different metrics or options"):
        scorer.merge(PhraseScorer(threshold=0.4))
    with pytest.raises(OptionError, match="the scheme of each batch"):
        PhraseScorer(decode="strict")
    with pytest.raises(UnknownNameError, match="no metric named 'muc'"):
        PhraseScorer(["muc"])
    assert PhraseScorer(["f1"], decode="bio").decode == "IOB2"
