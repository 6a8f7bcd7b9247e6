"""S and Z against their definitions: every parse of every short sentence is enumerated."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import MismatchError
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.models.parses import WEIGHTS, best_parses, check_partition, marginals, parse_bits
from referee.phrases.scoring import score
from tests.support.phrases import columns, listed, own_entropy, partition_cost

NAMES = ("A", "B")

# A parse is (start, end, category) of each chunk.


@st.composite
def candidates(draw):
    """Of a few sentences of up to five words, some listed, the others by default."""
    p = st.floats(0.01, 0.99)
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    every = [
        (s, i, j, x) for s, n in enumerate(lengths) for i in range(n) for j in range(i + 1, n + 1) for x in range(len(NAMES))
    ]
    rows = draw(st.lists(st.sampled_from(every), unique=True))
    values = draw(st.lists(p, min_size=len(rows), max_size=len(rows)))
    table = [draw(st.lists(p, min_size=3, max_size=3)) for _ in NAMES]
    default = draw(st.sampled_from([DefaultProbabilities.by_length(table, 0.125), DefaultProbabilities.constant(0.25)]))
    return PhraseCandidates.build(Sentences.numbered(lengths), NAMES, **columns(rows), probability=values, default=default)


def probabilities(c, sentence):
    table = c.default.complete_table(len(NAMES))
    n = int(c.sentences.length[sentence])
    p = {
        (i, j, x): float(table[x, min(j - i, table.shape[1]) - 1])
        for i in range(n) for j in range(i + 1, n + 1) for x in range(len(NAMES))
    }  # fmt: skip
    for row in np.flatnonzero(c.sentence == sentence):
        p[int(c.start[row]), int(c.end[row]), int(c.category[row])] = float(c.probability[row])
    return p


def parses(n, start=0):
    if start == n:
        yield ()
    for end in range(start + 1, n + 1):
        for x in range(len(NAMES)):
            for rest in parses(n, end):
                yield ((start, end, x), *rest)


def distribution(kind, c, sentence):
    """The probability of every parse, by the definition."""
    p = probabilities(c, sentence)
    n = int(c.sentences.length[sentence])
    if kind == "S":
        total = {i: sum(v for (start, _, _), v in p.items() if start == i) for i in range(n)}
        return {parse: math.prod(p[chunk] / total[chunk[0]] for chunk in parse) for parse in parses(n)}
    independent = {
        parse: math.prod(v if chunk in parse else 1 - v for chunk, v in p.items()) for parse in parses(n)
    }  # fmt: skip
    return {parse: v / sum(independent.values()) for parse, v in independent.items()}


def chunks_of(c, found):
    return Chunks.build(c.sentences, NAMES, **columns([(s, *chunk) for s, parse in enumerate(found) for chunk in parse]))


def drawn_key(data, c):
    return [data.draw(st.sampled_from(list(parses(n)))) for n in c.sentences.length.tolist()]


@pytest.mark.parametrize("kind", WEIGHTS)
@given(c=candidates(), data=st.data())
def test_bits_are_those_of_the_true_parse_among_all_parses(kind, c, data):
    key = drawn_key(data, c)
    each = [distribution(kind, c, s) for s in range(len(key))]
    assert [math.fsum(d.values()) for d in each] == pytest.approx([1] * len(each))  # a proper distribution
    expected = [-math.log2(d[parse]) for d, parse in zip(each, key, strict=True)]
    assert parse_bits(kind, c, chunks_of(c, key)).tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kind", WEIGHTS)
@given(c=candidates())
def test_the_best_parse_is_the_most_probable_of_all(kind, c):
    best = best_parses(kind, c)
    check_partition(best)
    for s in range(len(c.sentences)):
        each = distribution(kind, c, s)
        rows = np.flatnonzero(best.sentence == s)
        found = tuple((int(best.start[r]), int(best.end[r]), int(best.category[r])) for r in rows)
        assert each[found] == pytest.approx(max(each.values()))


@pytest.mark.parametrize("kind", WEIGHTS)
@given(c=candidates())
def test_a_marginal_is_the_sum_over_the_parses_with_the_candidate(kind, c):
    found = marginals(kind, c)
    assert len(found) == found.space_size
    for s in range(len(c.sentences)):
        each = distribution(kind, c, s)
        for row in np.flatnonzero(found.sentence == s):
            chunk = (int(found.start[row]), int(found.end[row]), int(found.category[row]))
            assert found.probability[row] == pytest.approx(sum(v for parse, v in each.items() if chunk in parse), abs=1e-12)


@pytest.mark.parametrize("kind", WEIGHTS)
@given(c=candidates())
def test_own_entropy_is_that_of_the_distribution(kind, c):
    expected = [
        -sum(v * math.log2(v) for v in distribution(kind, c, s).values() if v > 0) for s in range(len(c.sentences))
    ]  # fmt: skip
    assert own_entropy(kind, c).tolist() == pytest.approx(expected, abs=1e-9)


@given(c=candidates(), data=st.data())
def test_bits_of_the_phrase_model_are_those_of_z_and_the_cost_of_a_partition(c, data):
    key = chunks_of(c, drawn_key(data, c))
    phrase = score(key, c).by_sentence.cross_entropy
    z = parse_bits("Z", c, key)
    assert (z + partition_cost(c)).tolist() == pytest.approx(phrase.tolist(), rel=1e-10, abs=1e-10)
    assert (z <= phrase + 1e-9).all()


@pytest.mark.parametrize("kind", WEIGHTS)
def test_sentences_of_hundreds_of_words_neither_vanish_nor_overflow(kind):
    words = Sentences.numbered([600])
    for p in (1e-9, 0.999999):
        c = listed(words, ["A"], [], p)
        key = Chunks.build(words, ["A"], sentence=[0] * 600, start=range(600), end=range(1, 601), category=[0] * 600)
        assert np.isfinite(parse_bits(kind, c, key)).all()
        assert marginals(kind, c).probability.sum() > 0


def test_in_a_tie_the_smaller_start_then_the_first_category_is_taken():
    c = listed(Sentences.numbered([2]), NAMES, [], 0.5)
    assert best_parses("Z", c).triples() == [[("A", 0, 2)]]


def test_certain_candidates_are_the_parse():
    words = Sentences.numbered([3])
    key = Chunks.build(words, NAMES, sentence=[0, 0], start=[0, 2], end=[2, 3], category=[0, 1])
    for kind in WEIGHTS:
        assert parse_bits(kind, PhraseCandidates.from_chunks(key), key).tolist() == pytest.approx([0], abs=1e-9)
        assert best_parses(kind, PhraseCandidates.from_chunks(key)).triples() == key.triples()


@pytest.mark.parametrize("kind", WEIGHTS)
def test_a_sentence_without_any_possible_parse_costs_infinitely_many_bits(kind):
    words = Sentences.numbered([2, 1, 0])
    c = listed(words, ["A"], [(0, 0, 1, 0, 0.5), (1, 0, 1, 0, 0.5)], 0.0)
    key = Chunks.build(words, ["A"], sentence=[0, 1], start=[0, 0], end=[2, 1], category=[0, 0])
    assert parse_bits(kind, c, key).tolist() == [math.inf, 0, 0]
    assert best_parses(kind, c).triples() == [[], [("A", 0, 1)], []]
    found = marginals(kind, c)
    assert found.probability[found.sentence == 0].tolist() == [0, 0, 0]
    assert own_entropy(kind, c).tolist() == [0, 0, 0]


def test_marginals_below_the_least_get_the_mean_of_their_category_and_length():
    c = listed(Sentences.numbered([4]), NAMES, [], 0.25)
    every, some = marginals("Z", c), marginals("Z", c, min_probability=0.1)
    assert (some.probability >= 0.1).all()
    assert 0 < len(some) < len(every)
    rest = every.where(~np.isin(every.probability, some.probability))
    for x in range(len(NAMES)):
        for k in range(1, 5):
            p = rest.probability[(rest.category == x) & (rest.length == k)]
            if len(p):
                assert some.default.table[x, k - 1] == pytest.approx(p.mean())


def test_a_key_that_is_no_partition_is_refused():
    words = Sentences.numbered([2])
    c = listed(words, NAMES, [], 0.5)
    for rows in ([(0, 0, 1, 0)], [(0, 0, 2, 0), (0, 1, 2, 0)], [(0, 1, 2, 0)]):
        with pytest.raises(MismatchError, match="the chunks of sentence '1' overlap or leave words out; expected a partition"):
            parse_bits("S", c, Chunks.build(words, NAMES, **columns(rows)))
    with pytest.raises(MismatchError, match="expected a partition"):
        parse_bits("Z", c, Chunks.build(words, NAMES, sentence=[], start=[], end=[], category=[]))
