"""The tagger against the definition of a posterior: every tag sequence of every short sentence is enumerated."""

import math
from itertools import pairwise, product
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import OptionError
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.models.lattice import Lattice
from referee.phrases.models.tagger import HMM
from tests.support.paths import SHARED
from tests.support.phrases import independent_lattice

KIT = SHARED / "phrase"

WORDS = ["the", "cat", "cats", "run", "runs", "Tom", "3", "x-ray"]
TRAINING = Sentences.numbered(
    [3, 2, 4, 2],
    [["the", "cat", "runs"], ["Tom", "runs"], ["the", "run", "runs", "."], ["cats", "run"]],
    [["D", "N", "V"], ["N", "V"], ["D", "N", "V", "."], ["N", "V"]],
)

sentences = st.lists(st.lists(st.sampled_from([*WORDS, "unknown", "."]), min_size=0, max_size=4), min_size=1, max_size=3)


def posterior(tagger, words):
    """P(tags | words) of every tag sequence: the product of moves and of P(tag | word) / P(tag), normalised."""
    end = len(tagger.tags)
    counts = tagger.transitions.sum(axis=0)[:end]
    frequency = counts / counts.sum()
    emission = [tagger._tags_of(word) / frequency for word in words]
    joint = {
        tags: math.prod(tagger.transition_probabilities[a, b] for a, b in pairwise((end, *tags, end)))
        * math.prod(emission[i][t] for i, t in enumerate(tags))
        for tags in product(range(end), repeat=len(words))
    }
    total = math.fsum(joint.values())
    return {tags: v / total for tags, v in joint.items()}


def paths(lattice, place, length):
    """The tag sequences of a lattice from a place, by following its edges."""
    found = {}

    def follow(state, tags, p):
        tags = (*tags, int(lattice.tag[state]))
        if len(tags) == length:
            found[tags] = p
            return
        for edge in range(int(lattice.edge_start[state]), int(lattice.edge_start[state + 1])):
            follow(int(lattice.target[edge]), tags, p * float(lattice.transition[edge]))

    for state in np.flatnonzero(lattice.position == place):
        follow(int(state), (), float(lattice.probability[state]))
    return found


@given(words=sentences)
def test_the_lattice_has_the_posterior_of_every_tag_sequence_of_every_span(words):
    tagger = HMM.train(TRAINING)
    lattice = tagger.lattice(Sentences.numbered([len(row) for row in words], words))
    place = 0
    for row in words:
        exact = posterior(tagger, row)
        for start, end in ((i, j) for i in range(len(row)) for j in range(i + 1, len(row) + 1)):
            spans = {}
            for tags, p in exact.items():
                spans[tags[start:end]] = spans.get(tags[start:end], 0.0) + p
            found = paths(lattice, place + start, end - start)
            for tags, p in spans.items():
                # A sequence that is left out has a state or an edge below one in a thousand.
                assert found.get(tags, 0.0) == pytest.approx(p, abs=1e-12) or (tags not in found and p < 1e-3)
        place += len(row) + 1


@given(words=sentences)
def test_the_best_tag_is_the_most_probable_of_each_word(words):
    tagger = HMM.train(TRAINING)
    for row, best in zip(words, tagger.best(Sentences.numbered([len(r) for r in words], words)), strict=True):
        exact = posterior(tagger, row)
        for i, tag in enumerate(best):
            marginal = [math.fsum(p for tags, p in exact.items() if tags[i] == t) for t in range(len(tagger.tags))]
            assert marginal[tagger.tags.index(tag)] == pytest.approx(max(marginal))


def test_probabilities_of_a_long_sentence_do_not_vanish():
    lattice = HMM.train(TRAINING).lattice(Sentences.numbered([2000], [["cat"] * 2000]))
    totals = np.bincount(lattice.position, lattice.probability)
    assert len(totals) == 2001
    assert totals == pytest.approx(np.ones(2001), abs=4e-3)


def test_certain_tags_are_the_lattice_of_one_state_a_word():
    lattice = Lattice.certain(Sentences.numbered([2, 1], tags=[["D", "N"], ["?"]]), ["D", "N"])
    assert lattice.tag.tolist() == [0, 1, 2, 3, 2]  # 2 is the end, 3 a tag that is not known
    assert paths(lattice, 0, 3) == {(0, 1, 2): 1.0}


def test_independent_tags_multiply():
    tags = [[{"D": 0.75, "N": 0.25}, {"N": 0.5, "D": 0.5}], []]
    lattice = independent_lattice(Sentences.numbered([2, 0]), ["D", "N"], tags)
    assert paths(lattice, 0, 3) == {(0, 0, 2): 0.375, (0, 1, 2): 0.375, (1, 0, 2): 0.125, (1, 1, 2): 0.125}
    assert paths(lattice, 3, 1) == {(2,): 1.0}


def test_a_tagger_needs_words_and_tags():
    with pytest.raises(OptionError, match="found sentences without words or tags"):
        HMM.train(Sentences.numbered([1], [["a"]]))
    with pytest.raises(OptionError, match="found sentences without words; expected words"):
        HMM.train(TRAINING).lattice(Sentences.numbered([1]))
    with pytest.raises(OptionError, match="found sentences without tags"):
        Lattice.certain(Sentences.numbered([1], [["a"]]), ["N"])


@pytest.mark.skipif(not KIT.is_dir(), reason="needs the phrase kit, ../shared/phrase")
def test_most_tags_of_conll_2000_are_found():
    """The prototype of the kit finds 96.5 %; smoothing is another."""

    def sentences_of(name, number=None):
        with ZipFile(KIT / "conll2000.zip") as archive:
            text = archive.read(f"conll2000/{name}.txt").decode()
        rows = [[line.split() for line in block.split("\n")] for block in text.strip().split("\n\n")][:number]
        words, tags = ([[columns[c] for columns in block] for block in rows] for c in (0, 1))
        return Sentences.numbered([len(block) for block in rows], words, tags)

    test = sentences_of("test")
    best = HMM.train(sentences_of("train", 4468)).best(test)
    right = [a == b for found, true in zip(best, test.tags or (), strict=True) for a, b in zip(found, true, strict=True)]
    assert np.mean(right) == pytest.approx(0.965, abs=0.003)
