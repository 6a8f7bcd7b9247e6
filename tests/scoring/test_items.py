"""`items` chooses which items are scored: those of either side, those of the key, or those of both."""

from itertools import combinations

import pytest
from hypothesis import assume, given, strategies as st

from referee import score
from referee.basics.exceptions import OptionError
from referee.cli.main import main

METRICS = ["links", "b_cubed", "ceaf_m", "muc"]


def taking_part(key, response, items):
    """Both sides without the items that take no part."""
    of_key = {item: label for item, label in key.items() if items != "both" or item in response}
    of_response = {item: label for item, label in response.items() if items == "union" or item in key}
    return of_key, of_response


def links(labels):
    return {(a, b) for a, b in combinations(sorted(labels), 2) if labels[a] == labels[b]}


def b_cubed(one, other):
    """The mean, over the items of one side, of the share of their entity that is in their entity of the other side."""
    shares = []
    for item, label in one.items():
        entity = {i for i in one if one[i] == label}
        shares.append(len(entity & {i for i in other if other[i] == other.get(item)}) / len(entity))
    return sum(shares) / len(shares)


pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")

labels = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), min_size=1)


@given(key=labels, response=labels, items=st.sampled_from(["union", "key", "both"]))
def test_scores_are_those_of_the_items_that_take_part(key, response, items):
    of_key, of_response = taking_part(key, response, items)
    assume(of_key and of_response)
    evaluation = score(key, response, items=items, metrics=METRICS, zero_division=0.0)
    right = len(links(of_key) & links(of_response))
    assert evaluation["links"].recall == pytest.approx(right / (len(links(of_key)) or 1))
    assert evaluation["links"].precision == pytest.approx(right / (len(links(of_response)) or 1))
    assert evaluation["b_cubed"].recall == pytest.approx(b_cubed(of_key, of_response))
    assert evaluation["b_cubed"].precision == pytest.approx(b_cubed(of_response, of_key))
    plain = score(of_key, of_response, metrics=METRICS, zero_division=0.0)
    assert [evaluation[metric] for metric in METRICS] == [plain[metric] for metric in METRICS]


def test_both_is_the_inner_join_of_er_evaluation():
    pandas = pytest.importorskip("pandas", reason="needs the extra referee[pandas]")
    from referee.compat.er_evaluation import pairwise_precision, pairwise_recall

    key, response = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2}, {"a": 1, "b": 2, "c": 2, "d": 2, "x": 2}
    s = score(key, response, items="both")["links"]
    vectors = pandas.Series(response), pandas.Series(key)
    assert (s.precision, s.recall) == (pairwise_precision(*vectors), pairwise_recall(*vectors))


def test_documents_have_their_own_items():
    key, response = {"x": {"a": 1, "b": 1}, "y": {"a": 1}}, {"x": {"a": 1}, "y": {"a": 1, "b": 1}}
    assert score(key, response, items="key", metrics=["mentions"])["mentions"].recall == pytest.approx(2 / 3)
    assert score(key, response, items="both", metrics=["mentions"])["mentions"].recall == 1


def test_spans_are_refused_and_the_signature_has_the_choice():
    with pytest.raises(OptionError, match="items='key' is for items; found spans in <key>"):
        score([[(0, 1)]], [[(0, 1)]], items="key")
    with pytest.raises(OptionError, match="items is union or singletons or key or both; found 'inner'"):
        score({"a": 1}, {"a": 1}, items="inner")
    assert "items:" not in score({"a": 1}, {"a": 1}).signature
    evaluation = score({"a": 1}, {"a": 1}, items="both")
    assert "| items:both |" in evaluation.signature
    assert "|i:both|" in evaluation.short_signature


def test_the_command_has_the_option(tmp_path, capsys):
    (tmp_path / "key.csv").write_text("item,entity\na,1\nb,1\n")
    (tmp_path / "response.csv").write_text("item,entity\na,1\nb,1\nc,1\n")
    assert main(["score", str(tmp_path / "key.csv"), str(tmp_path / "response.csv"), "--items", "key", "-m", "b_cubed"]) == 0
    out = capsys.readouterr().out
    assert "100.00" in out
    assert "items:key" in out
