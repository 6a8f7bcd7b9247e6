"""GAP's measures against the numbers that GAP's own scorer gives."""

import math
import warnings

import numpy as np
import pytest

from referee import score
from referee.basics.exceptions import RefereeWarning
from referee.metrics.gap import gap, gap_bias, gap_feminine, gap_masculine
from tests.support.reading import read_text

MEASURES = {"gap": gap, "masculine": gap_masculine, "feminine": gap_feminine, "bias": gap_bias}

KEY = """ID\tPronoun\tA-coref\tB-coref
e1\ther\tTRUE\tFALSE
e2\tshe\tFALSE\tTRUE
e3\tShe\tFALSE\tFALSE
e4\this\tTRUE\tFALSE
e5\tHe\tFALSE\tTRUE
e6\thim\tTRUE\tFALSE
e7\thers\tTRUE\tFALSE
e8\the\tFALSE\tFALSE
"""
# Without e6 and e7, and with an example that the key lacks.
RESPONSE = """e1\tTRUE\tFALSE
e2\ttrue\ttrue
e3\tTRUE\tFALSE
e4\tTrue\tFalse
e5\tFALSE\tFALSE
e8\tFALSE\tTRUE
e9\tTRUE\tTRUE
"""


def evaluated(key, response, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefereeWarning)  # of documents of one side
        return score(key, response, metrics=MEASURES, **options)


def counts(evaluation, measure):
    """Links found, missed and spurious."""
    total = {name: int(column[0]) for name, column in evaluation.counts[measure].total().columns.items()}
    found = total["recall_numerator"]
    return found, total["recall_denominator"] - found, total["precision_denominator"] - found


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_counts_are_those_of_the_official_scorer(singletons):
    """`gap_scorer.py` (google-research-datasets/gap-coreference) of the two tables prints tp 3, fp 3, fn 5; masculine 1, 1, 3;
    feminine 2, 2, 2; recall 37.5, precision 50.0, f1 42.9; bias 1.50. Of e6 and e7, one link each, two are missed."""
    e = evaluated(read_text(KEY), read_text(RESPONSE), singletons=singletons)
    assert counts(e, "gap") == (3, 5, 3)
    assert counts(e, "masculine") == (1, 3, 1)
    assert counts(e, "feminine") == (2, 2, 2)
    assert (e["gap"].recall, e["gap"].precision) == (3 / 8, 3 / 6)
    assert e["gap"].f1 == pytest.approx(3 / 7)
    assert (e["masculine"].f1, e["feminine"].f1) == (pytest.approx(1 / 3), 1 / 2)
    assert e["bias"].value == pytest.approx(3 / 2)
    assert e["bias"].recall is None


def test_a_key_against_itself_is_perfect_and_without_bias():
    key = read_text(KEY)
    e = evaluated(key, key)
    assert all(e[measure].value == 1 for measure in MEASURES)


@pytest.mark.parametrize("decisions", ["FALSE\tFALSE", "FALSE\tTRUE"])
def test_bias_is_undefined_where_one_gender_has_nothing_right(decisions):
    """The official scorer prints `Bias (F/M): -`."""
    feminine, masculine = "ID\tPronoun\tA-coref\tB-coref\nf\ther\tTRUE\tFALSE\n", "m\this\tTRUE\tFALSE\n"
    for response in (f"f\t{decisions}\nm\tTRUE\tFALSE\n", f"f\tTRUE\tFALSE\nm\t{decisions}\n"):
        assert math.isnan(evaluated(read_text(feminine + masculine), read_text(response))["bias"].value)


def test_a_pronoun_of_no_gender_counts_in_neither():
    key, response = read_text("ID\tPronoun\tA-coref\tB-coref\nt\ttheir\tTRUE\tFALSE\n"), read_text("t\tTRUE\tFALSE\n")
    e = evaluated(key, response)
    assert counts(e, "gap") == (1, 0, 0)
    assert counts(e, "masculine") == counts(e, "feminine") == (0, 0, 0)


def test_entities_decide_whatever_format_they_come_from():
    """e1: the pronoun with A, as the key has it; e2: both names, and no pronoun, which is no answer; the rest is missing."""
    response = read_text("document,item,entity\ne1,pronoun,1\ne1,A,1\ne1,B,2\ne2,A,1\ne2,B,1\n")
    assert counts(evaluated(read_text(KEY), response), "gap") == (1, 14, 0)


def test_other_data_have_no_such_links():
    spans, names = read_text("[[[0, 1], [2, 3]]]"), read_text("{A B pronoun-ish} {C}")
    for corpus in (spans, names):
        e = evaluated(corpus, corpus)
        assert counts(e, "gap") == (0, 0, 0)
        assert all(math.isnan(e[measure].value) for measure in MEASURES)
    four = read_text("document,item,entity\nd,pronoun,1\nd,A,1\nd,B,2\nd,C,2\n")
    assert counts(evaluated(four, four), "gap") == (0, 0, 0)
    three = read_text("document,item,entity\nd1,a,1\nd2,a,1\nd3,a,1\n")
    for measure in MEASURES.values():
        columns = measure.of_pair(evaluated(three, three).pair).columns
        assert all(column.dtype == np.int64 and column.tolist() == [0, 0, 0] for column in columns.values())


@pytest.mark.parametrize("links", ["TRUE\tFALSE", "FALSE\tTRUE"])
def test_a_single_example_is_found(links):
    key = read_text(f"ID\tPronoun\tA-coref\tB-coref\ne1\ther\t{links}\n")
    assert counts(evaluated(key, read_text(f"e1\t{links}\n", "gap")), "gap") == (1, 0, 0)


@pytest.mark.parametrize("items", [("A", "B"), ("pronoun", "A"), ("pronoun", "B"), ("pronoun",)])
def test_a_name_without_its_pronoun_or_a_pronoun_without_the_name_is_no_answer(items):
    """What lacks an answer counts as missed, even where the key has no link, as with an example that lacks both."""
    key = read_text("ID\tPronoun\tA-coref\tB-coref\ne1\ther\tFALSE\tFALSE\n")
    response = read_text("document,item,entity\n" + "".join(f"e1,{item},{n}\n" for n, item in enumerate(items)))
    answered = ("pronoun" in items) * (len(items) - 1)
    assert counts(evaluated(key, response), "gap") == (0, 2 - answered, 0)
