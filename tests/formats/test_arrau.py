import json

import pytest

from referee import inputs, score
from referee.basics.exceptions import RefereeWarning
from tests.support.paths import SHARED
from tests.support.reading import entities_of, read_text, source_of

KIT = SHARED / "corefud" / "arrau-own"
in_kit = pytest.mark.skipif(not KIT.is_dir(), reason="needs the CorefUD kit, ../shared/corefud")

TEXT = """TOKEN MARKABLES MIN POS REFERENCE
The\tB-markable_1=set_1\tword_2\tdt\treferring
owner\tI-markable_1=set_1\tword_2\tnn\treferring
of\tI-markable_1=set_1\tword_2\tin\treferring
it\tI-markable_1=set_1@B-markable_2=set_7\tword_2@word_4..word_4\tprp\treferring@non_referring
rains

TOKEN\tB-markable_3=set_1\tword_6\tprp\treferring
on
"""


def test_markables_sets_least_spans_and_references_are_read():
    corpus = read_text(TEXT)
    assert entities_of(corpus) == {"#1": {"set_1": [(0, 4), (5, 6)], "set_7": [(3, 4)]}}
    assert corpus.minimum_span.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert corpus.referring.tolist() == [True, False]
    document = corpus.documents["#1"]
    assert document.tokens == ["The", "owner", "of", "it", "rains", "TOKEN", "on"]
    assert list(document.sentences) == [0, 5]


def test_it_is_told_from_other_formats():
    assert inputs.detect(source_of(TEXT)) == "arrau"


def test_columns_may_be_missing():
    corpus = read_text(
        "a B-markable_1=set_1\nb B-markable_2=set_2 non_referring\nc B-markable_3=set_3 word_3 non_referring\nd _\n"
    )
    assert corpus.minimum_span.tolist() == [[-1, -1], [-1, -1], [2, 3]]
    assert corpus.referring.tolist() == [True, False, False]


def test_the_first_markable_of_a_set_says_whether_it_is_a_referent():
    corpus = read_text("a B-markable_1=set_1 referring\nb B-markable_2=set_1 non_referring\n")
    assert "non-referring" not in corpus.features


def test_gaps_are_filled_with_a_warning():
    with pytest.warns(RefereeWarning, match="^x: filled the gaps of 1 markable$"):
        corpus = read_text("a B-markable_1=set_1\nb\nc I-markable_1=set_1\n")
    assert entities_of(corpus) == {"#1": {"set_1": [(0, 3)]}}


def test_a_least_span_outside_of_its_markable_is_left_out_with_a_warning():
    with pytest.warns(RefereeWarning, match="^x: left out 2 minimum spans not within the markable$"):
        corpus = read_text("a B-markable_1=set_1 word_9 x referring\nb B-markable_2=set_1 word_2..word_1 x referring\n")
    assert "minimum spans" not in corpus.features


@in_kit
def test_coval_gives_the_same_numbers():
    case = json.loads((KIT / "expected.json").read_text())["cases"][0]
    assert case["options"] == {"singletons": True, "min": False}
    e = score(KIT / case["key"], KIT / case["response"])
    for name, ours in {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceaf_e", "lea": "lea"}.items():
        expected = case["scores"][name]
        assert (e[ours].recall, e[ours].precision) == pytest.approx((expected["r"], expected["p"]))
