"""Probabilities of chunks from lists of analyses, and from the probabilities of tags."""

import itertools
import json

import numpy as np
import pytest

from referee.basics.exceptions import FormatError
from referee.formats.shared.source import Source
from referee.phrases.annotation import PhraseCandidates, Sentences
from referee.phrases.chunking.iob import decode
from referee.phrases.formats.reading import detect, read
from referee.phrases.models.posteriors import chain_candidates, independent_candidates

NBEST = """# 0 0.5
Ann NNP B-PER
Lee NNP I-PER

# 1 0.25
Ann NNP B-PER
Lee NNP B-PER

# 0 0.75
Rome NNP B-LOC

"""


def of(text):
    return listed(read(Source("file", text.encode())))


def listed(found):
    assert isinstance(found, PhraseCandidates)
    rows = zip(found.columns.rows(), found.probability.tolist(), strict=True)
    return {(s, i, j, found.categories[x]): p for (s, i, j, x), p in rows}


def test_probabilities_of_analyses_are_added():
    assert detect(Source("file", NBEST.encode())) == "nbest"
    assert of(NBEST) == {(0, 0, 2, "PER"): 0.5, (0, 0, 1, "PER"): 0.25, (0, 1, 2, "PER"): 0.25, (1, 0, 1, "LOC"): 0.75}
    assert of(NBEST.replace("\n", "\r\n")) == of(NBEST)
    assert read(Source("file", NBEST.encode())).sentences.words == [["Ann", "Lee"], ["Rome"]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (NBEST.replace("0.25", "0.75"), "file:1: found analyses with probabilities that add up to 1.25; expected 1 at most"),
        (NBEST.replace("Lee NNP B", "Leo NNP B"), "file:5: found an analysis of other words than on line 1; expected the same"),
        (NBEST.replace("# 1", "# 2"), "file:5: found analysis 2; expected 1, or 0 of the next sentence"),
        (NBEST.replace("B-LOC", "X-LOC"), "file:10: found the tag 'X-LOC'; expected O, or B"),
        (NBEST.replace("# 1 0.25\n", ""), "file:5: found 'Ann' outside of an analysis"),
        (NBEST.replace("0.25", "0.2.5"), "file:5: found the probability '0.2.5'"),
    ],
)
def test_what_is_wrong_with_analyses_is_told(text, problem):
    with pytest.raises(FormatError) as caught:
        of(text)
    assert str(caught.value).startswith(problem)


MARKED = {"IOBES": "BIES", "BILOU": "BILU", "BMEWO": "BMEW"}


@pytest.mark.parametrize("scheme", MARKED)
def test_a_chain_of_tags_that_mark_both_ends_is_exact(scheme):
    """All sequences of four words in a random chain of well-formed tags; the sum over sequences is the definition."""
    tags = ["O", *(f"{p}-{x}" for x in "XY" for p in MARKED[scheme])]
    chance = np.random.default_rng(5)
    start, steps = chance.random(len(tags)), chance.random((3, len(tags), len(tags)))
    weight = {}
    for path in itertools.product(range(len(tags)), repeat=4):
        names = [tags[t] for t in path]
        chunks = decode([names], scheme, count_unused=False)
        if int(chunks.length.sum()) == sum(name != "O" for name in names):
            weight[path] = start[path[0]] * np.prod([steps[n, path[n], path[n + 1]] for n in range(3)])
    total = sum(weight.values())
    marginal, pairs = np.zeros((4, len(tags))), np.zeros((3, len(tags), len(tags)))
    expected = {}
    for path, w in weight.items():
        for n, t in enumerate(path):
            marginal[n, t] += w / total
        for n in range(3):
            pairs[n, path[n], path[n + 1]] += w / total
        for name, i, j in decode([[tags[t] for t in path]], scheme).triples()[0]:
            expected[0, i, j, name] = expected.get((0, i, j, name), 0) + w / total
    step = pairs / np.maximum(marginal[:3, :, None], 1e-300)
    found = chain_candidates(Sentences.numbered([4]), tags, [marginal], [step])
    assert listed(found) == pytest.approx(expected)


def test_marginals_of_words_alone_are_multiplied():
    tags = ["O", "B-X", "I-X", "E-X", "S-X"]
    marginal = np.array([[0.25, 0.5, 0, 0, 0.25], [0, 0, 0.5, 0.5, 0], [0.5, 0, 0, 0.5, 0]])
    found = listed(independent_candidates(Sentences.numbered([3]), tags, [marginal]))
    assert found == {(0, 0, 1, "X"): 0.25, (0, 0, 2, "X"): 0.25, (0, 0, 3, "X"): 0.125}


CRF = [[{"O": 0.25, "B-X": 0.75}, {"O": 0.5, "I-X": 0.5}], [{"O": 1.0}]]


@pytest.mark.parametrize("lines", [True, False])
def test_what_crfsuite_returns_is_read(lines):
    text = "".join(json.dumps(sentence) + "\n" for sentence in CRF) if lines else json.dumps(CRF, indent=1)
    assert detect(Source("file", text.encode())) == "posteriors"
    assert of(text) == {(0, 0, 1, "X"): 0.375, (0, 0, 2, "X"): 0.375}


def test_the_same_marginals_in_both_layouts():
    tags = ["O", "B-X", "I-X", "L-X", "U-X"]
    rows = [[0.5, 0.25, 0.0, 0.0, 0.25], [0.25, 0.0, 0.25, 0.5, 0.0]]
    header = json.dumps({"format": "tag-posteriors", "version": 1, "tags": tags})
    assert of(f"{header}\n{json.dumps({'p': rows})}\n") == of(json.dumps([[dict(zip(tags, row, strict=True)) for row in rows]]))


@pytest.mark.parametrize("wrong", ['[[{"O": 0.5}]]', '[[{"O": 2}]]', '[[{"O": "1"}]]', '[[{"O": 1}, 3]]'])
def test_what_is_no_distribution_is_refused(wrong):
    with pytest.raises(FormatError, match="expected for each word tags with probabilities that add up to 1"):
        read(Source("file", wrong.encode()), format="posteriors")


def test_a_tag_set_of_no_scheme_is_refused():
    with pytest.raises(FormatError, match="found the tags O, B-X, E-X; expected O, and B- and I- of each category"):
        independent_candidates(Sentences.numbered([1]), ["O", "B-X", "E-X"], [np.array([[1.0, 0, 0]])])
