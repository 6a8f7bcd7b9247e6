"""Tags with probabilities: certain ones change nothing, and others mix what the certain ones give."""

from __future__ import annotations

import numpy as np
import pytest

from referee.basics.exceptions import OptionError
from referee.parsing.chunks import load_chunks
from referee.parsing.chunks_uncertain import with_uncertain_tags
from referee.phrases.annotation import PhraseCandidates, Sentences
from referee.phrases.models.baselines import guess
from referee.phrases.models.parses import SentenceModel
from referee.phrases.models.rules import RuleModel

MODEL = load_chunks()
GIVEN = ["DET.DT", "NOUN.NN", "VERB.VBD", "PUNCT..", "VERB.never-seen"]
TAGS = [["DET.DT", "NOUN.NN", "VERB.VBD", "PUNCT.."], ["NOUN.NN"]]
SENTENCES = Sentences.numbered([4, 1], tags=TAGS)
CERTAIN = np.array([[float(tag == name) for name in GIVEN] for row in TAGS for tag in row])


def rows(found: PhraseCandidates) -> dict[tuple[int, ...], float]:
    columns = zip(*(column.tolist() for column in found.columns), found.probability.tolist(), strict=True)
    return {row[:4]: row[4] for row in columns}


def test_certain_tags_are_the_tags() -> None:
    uncertain = with_uncertain_tags(MODEL, GIVEN, CERTAIN)
    assert uncertain.parse(SENTENCES).triples() == MODEL.parse(SENTENCES).triples()
    assert rows(uncertain.predict(SENTENCES)) == pytest.approx(rows(MODEL.predict(SENTENCES)))


def test_the_probabilities_of_candidates_are_mixed_as_those_of_tags() -> None:
    assert isinstance(MODEL.phrases, RuleModel)
    one = Sentences.numbered([1], tags=[["NOUN.NN"]])
    noun, verb = (rows(MODEL.phrases.predict(Sentences.numbered([1], tags=[[t]]))) for t in ("NOUN.NN", "VERB.VBD"))
    mixed = with_uncertain_tags(MODEL, GIVEN, np.array([[0, 0.75, 0.25, 0, 0]])).phrases.predict(one)
    table = MODEL.phrases.uncovered.complete_table(len(MODEL.categories))
    found = rows(mixed)
    assert set(found) == {*noun, *verb}
    for key, p in found.items():
        default = table[key[3], 0]
        assert p == pytest.approx(0.75 * noun.get(key, default) + 0.25 * verb.get(key, default))


def test_a_tag_that_the_model_does_not_know_makes_a_candidate_as_probable_as_one_without_a_rule() -> None:
    uncertain = with_uncertain_tags(MODEL, GIVEN, np.array([[0, 0, 0, 0, 1.0]]))
    assert len(uncertain.phrases.predict(Sentences.numbered([1]))) == 0


def test_tags_of_other_words_are_refused() -> None:
    with pytest.raises(OptionError, match="found the tags of 5 words; expected those of 1"):
        with_uncertain_tags(MODEL, GIVEN, CERTAIN).parse(Sentences.numbered([1]))


def test_a_model_without_tags_is_refused() -> None:
    chunks = MODEL.parse(SENTENCES)
    with pytest.raises(OptionError, match=r"model S\(0\) knows no tags; expected one that does, such as S\(C\)"):
        with_uncertain_tags(SentenceModel("S", guess(chunks)), GIVEN, CERTAIN)
