"""Tags and chunks: every scheme, the lenient and the strict rules, and what seqeval makes of the same tags."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import OptionError, UnknownNameError
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.chunking.iob import RULES, decode, encode
from referee.phrases.one_best import match_chunks
from referee.phrases.scoring import score
from tests.support.phrases import chunks_of, columns
from tests.support.warned import silenced

SCHEMES = [rule for rule in RULES if rule not in ("conlleval", "IO")]
PREFIXES = {rule: [p for p in RULES[rule].prefixes if p != "O"] for rule in RULES}


def spans(tags, rule="conlleval", **more):
    return decode([tags.split()], rule, count_unused=False, **more).triples()[0]


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [  # The sentence of Tjong Kim Sang and Veenstra (1999), table 1: [In] [early trading] in [Hong Kong] [Monday] , [gold] ...
        ("IOB1", "O I-N I-N O I-N I-N B-N O I-N"),
        ("IOB2", "O B-N I-N O B-N I-N B-N O B-N"),
        ("IOE1", "O I-N I-N O I-N E-N I-N O I-N"),
        ("IOE2", "O I-N E-N O I-N E-N E-N O E-N"),
        ("IOBES", "O B-N E-N O B-N E-N S-N O S-N"),
        ("BILOU", "O B-N L-N O B-N L-N U-N O U-N"),
        ("BMEWO", "O B-N E-N O B-N E-N W-N O W-N"),
    ],
)
def test_every_scheme_says_the_same(scheme, tags):
    chunks = [("N", 1, 3), ("N", 4, 6), ("N", 6, 7), ("N", 8, 9)]
    assert spans(tags) == chunks
    assert encode(chunks_of([chunks], [9]), scheme) == [tags.split()]
    if scheme not in ("IOB1", "IOE1"):  # whose B and E after O start nothing in seqeval's strict mode
        assert spans(tags, scheme) == chunks


@pytest.mark.parametrize(
    ("tags", "lenient", "strict"),
    [
        ("I-X I-X O", [("X", 0, 2)], []),
        ("B-X I-Y", [("X", 0, 1), ("Y", 1, 2)], [("X", 0, 1)]),
        ("O I-X B-X I-X", [("X", 1, 2), ("X", 2, 4)], [("X", 2, 4)]),
        ("B I I", [("_", 0, 3)], [("_", 0, 3)]),
        ("B-X-Y I-X-Y", [("X-Y", 0, 2)], [("X-Y", 0, 2)]),
        ("", [], []),
    ],
)
def test_tags_that_are_not_well_formed_mean_what_the_rule_says(tags, lenient, strict):
    assert spans(tags) == lenient
    assert spans(tags, "IOB2") == strict


@pytest.mark.parametrize(
    ("tag", "rule"),
    [("X-NP", "conlleval"), ("NP", "conlleval"), ("E-NP", "IOB2"), ("O-NP", "IOB2"), ("", "IOB1"), ("3", "IOB2"), (3, "IOB2")],
)
def test_what_is_no_tag_is_refused(tag, rule):
    with pytest.raises(OptionError, match=f"<tags>: found the tag '{tag}'; expected O, or B, I"):
        decode([["B-NP", tag]], rule)


def test_an_unknown_rule_is_told_with_those_there_are():
    with pytest.raises(UnknownNameError, match="did you mean IOB2"):
        decode([], "IOB3")


def test_o_can_be_a_chunk_of_its_own():
    assert spans("B-NP O O", outside="Null") == [("NP", 0, 1), ("Null", 1, 2), ("Null", 2, 3)]
    assert encode(decode([["B-NP", "O", "O"]], outside="Null"), outside="Null") == [["B-NP", "O", "O"]]


def test_chunks_that_overlap_have_no_tags():
    with pytest.raises(OptionError, match="sentence '1': found chunks that overlap at word 1"):
        encode(chunks_of([[("A", 0, 2), ("A", 1, 2)]], [2]))
    with pytest.raises(OptionError, match="found N of 2 words; expected one for O"):
        encode(chunks_of([[("N", 0, 2)]], [2]), outside="N")


@st.composite
def flat(draw):
    """Chunks that do not overlap, of three categories."""
    rows, lengths = [], draw(st.lists(st.integers(0, 8), max_size=4))
    for s, n in enumerate(lengths):
        cuts = sorted(draw(st.sets(st.integers(0, n))))
        rows += [(s, i, j, draw(st.integers(0, 2))) for i, j in pairwise(cuts) if draw(st.booleans())]
    return Chunks.build(Sentences.numbered(lengths), ["A", "B", "C"], **columns(rows))


@pytest.mark.parametrize("scheme", SCHEMES)
@given(chunks=flat())
def test_what_is_written_as_tags_is_read_again(scheme, chunks):
    tags = encode(chunks, scheme)
    assert decode(tags).triples() == chunks.triples()
    if scheme not in ("IOB1", "IOE1"):
        assert decode(tags, scheme).triples() == chunks.triples()


def macro_means(sums):
    """Means of recall, precision and F1 over the categories of which either side has chunks; 0 / 0 counts as 0."""
    used = (sums["true_chunks"] > 0) | (sums["expected_chunks"] > 0)
    return [float(np.nan_to_num(rates[used]).mean()) for rates in (sums.recall, sums.precision, sums.f1)]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in ("BILOU", "BMEWO", "BMES", "IO")])
def test_random_sentences_score_as_in_seqeval(rule):
    metrics = pytest.importorskip("seqeval.metrics")
    schemes = pytest.importorskip("seqeval.scheme")
    settings = {"zero_division": 0}
    if rule != "conlleval":
        settings |= {"mode": "strict", "scheme": getattr(schemes, rule)}
    prefixes = ["B", "I", "E", "S"] if rule == "conlleval" else PREFIXES[rule]
    tags = ["O", *(f"{p}-{x}" for p in prefixes for x in "XYZ")]
    chance = random.Random(rule)
    for _ in range(20):
        lengths = [chance.randint(1, 12) for _ in range(100)]
        key, response = ([chance.choices(tags, k=n) for n in lengths] for _ in range(2))
        sides = [decode(side, rule, count_unused=False) for side in (key, response)]
        counts, by_category = match_chunks(*sides), score(*sides).sums.by("category")[1]
        with silenced(Warning):
            expected = [metrics.recall_score, metrics.precision_score, metrics.f1_score]
            micro = [float(rate(key, response, **settings)) for rate in expected]
            macro = [float(rate(key, response, average="macro", **settings)) for rate in expected]
        found = [float(np.nan_to_num(rate)) for rate in (counts.recall, counts.precision, counts.f1)]
        assert found == pytest.approx(micro, abs=1e-12)
        assert macro_means(by_category) == pytest.approx(macro, abs=1e-12)


def test_tags_of_other_sentences_than_the_given_ones_are_refused():
    with pytest.raises(OptionError, match="tags of 1 sentences that do not fit the words"):
        decode([["O", "O"]], sentences=Sentences.numbered([3]))


def test_a_word_outside_is_a_chunk_between_the_others():
    assert decode([["O", "B-NP", "O"], ["B-NP"]], outside="Null").triples() == [
        [("Null", 0, 1), ("NP", 1, 2), ("Null", 2, 3)], [("NP", 0, 1)],
    ]  # fmt: skip
