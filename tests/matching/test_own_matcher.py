"""A matcher of the caller: what a function may give, and how it is named."""

import pickle

import numpy as np
import pytest

import referee
from referee.matching.overlap import overlap
from referee.matching.spans import Candidates

KEY = {"d": [[(0, 3), (5, 6)], [(7, 9)]], "e": [[(0, 2), (4, 5)]]}
RESPONSE = {"d": [[(1, 3), (5, 6)], [(7, 8)]], "e": [[(0, 1), (4, 5)]]}


def all_of_document(key, response):
    """Every mention of a document with every other one, longer ones first."""
    k, r = np.nonzero(key.document[:, None] == response.document[None, :])
    return k, r, (key.end - key.start)[k], np.full(len(k), 9)


def test_a_function_that_does_what_a_matcher_of_the_package_does_has_its_digits():
    def half(key, response):
        return overlap(key, response, min_overlap=0.5)

    files = [{"d": [[(0, 4), (5, 6)], [(7, 9), (9, 10)]]}, {"d": [[(0, 3), (5, 6)], [(7, 8), (9, 10)]]}]
    expected, found = referee.score(*files, match="overlap"), referee.score(*files, match=half)
    assert found.flat() == expected.flat()
    assert found.flat() != referee.score(*files).flat()
    assert "| match:half* |" in found.signature
    assert "|m:half*" in found.short_signature
    scorer = referee.Scorer(list(found), match=half)
    scorer.add(*files)
    assert scorer.compute().flat() == expected.flat()


def test_whatever_takes_options_takes_it():
    evaluation = referee.score(KEY, RESPONSE, match=all_of_document)
    assert evaluation["mentions"].f1 == 1
    assert pickle.loads(pickle.dumps(evaluation)) == evaluation
    assert evaluation.to_dict()["systems"][0]["options"]["match"] == "all_of_document*"
    assert referee.compare(KEY, {"one": RESPONSE}, match=all_of_document)["one", "mentions"].score.f1 == 1
    assert referee.errors(KEY, RESPONSE, match=all_of_document).report("json")
    assert evaluation.report("latex") and evaluation.report("junit")
    assert referee.inspect(KEY, RESPONSE, match=all_of_document).html()
    merged = referee.Scorer(match=all_of_document).merge(referee.Scorer(match=all_of_document))
    with pytest.raises(referee.OptionError, match="different metrics, options"):
        merged.merge(referee.Scorer())
    with pytest.raises(referee.OptionError, match="a matcher of your own cannot be stored"):
        referee.write_counts(evaluation, "x.parquet")


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (None, "'matcher' gave NoneType; expected four arrays"),
        ([([0], [0])], "gave list; expected four arrays"),
        (([0], [0, 1], [1], [1]), "gave tuple; expected four arrays, as long"),
        (([0], [0], [0.5], [1]), "gave other numbers than whole ones"),
        (([0], [9], [1], [1]), "gave a number that no mention has"),
        (([-1], [0], [1], [1]), "gave a number that no mention has"),
        (([0], [2], [1], [1]), "gave a pair of mentions of two documents"),
        (([0], [0], [0], [1]), "gave a weight that is not above 0"),
        (([0, 0], [0, 0], [1, 1], [1, 2]), "gave a pair twice"),
    ],
)
def test_what_is_no_candidates_is_refused(pairs, message):
    def matcher(key, response):
        return pairs

    with pytest.raises(referee.OptionError, match=message):
        referee.score(KEY, RESPONSE, match=matcher)


@pytest.mark.parametrize("pairs", [((), (), (), ()), [[0], [0], [1], [2]], Candidates(*(np.array([n]) for n in (0, 0, 1, 1)))])
def test_a_function_may_give_lists_and_nothing(pairs):
    referee.score(KEY, RESPONSE, match=lambda key, response: pairs)


def test_records_have_no_matcher():
    with pytest.raises(referee.OptionError, match="is for mentions in texts"):
        referee.score({"a": 1, "b": 1}, {"a": 1, "b": 2}, match=all_of_document)
