"""What is answered to calls that cannot be: in one line, the options that there are, or the function that was meant."""

import builtins
import io  # noqa: F401 -- of the calls, as are these
import re
from dataclasses import replace  # noqa: F401
from math import nan  # noqa: F401

import numpy as np  # noqa: F401
import pytest

import referee
from referee import METRICS  # noqa: F401
from referee.basics import exceptions
from referee.basics.exceptions import OptionError
from referee.basics.names import HINTS
from referee.metrics import registry
from referee.parsing.plain import decoded_text  # noqa: F401
from tests.resolver.test_models import load_text  # noqa: F401
from tests.support.cases import cases
from tests.support.reading import source_of

# Vilain et al. (1995): key A-B B-C C-D, response A-B C-D: recall 2/3, precision 2/2.
KEY = [{"A", "B", "C", "D"}]
RESPONSE = [{"A", "B"}, {"C", "D"}]
PATH = "examples/key.conll"
FEW = referee.Resampling(resamples=40)

SPANS = source_of("#begin document (d)\na\t(1)\nb\t(1)\na\t(2)\na\t(2)\n")

score, compare = referee.score, referee.compare


def against_itself(value):
    return score(value, value)


@pytest.mark.parametrize("case", cases("calls"), ids=str)
def test_a_call_that_cannot_be_is_told_in_one_line_what_can_be(case):
    error = getattr(exceptions, case.section, None) or getattr(builtins, case.section)
    with pytest.raises(error, match=case.expected[0]) as caught:
        eval(*case.lines)
    assert "\n" not in str(caught.value)


def test_what_is_given_twice_python_tells():
    with pytest.raises(TypeError, match="multiple values for argument 'key'"):
        score(KEY, RESPONSE, key=KEY)


def test_each_public_function_says_its_options():
    functions = [getattr(referee, name) for name in referee.__all__ if name.islower() and callable(getattr(referee, name))]
    assert len(functions) >= 14
    for function in functions:
        with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) has no option 'unheard_of_option' \("):
            function("a", "b", unheard_of_option=1)


def test_hints_name_what_there_is_and_no_hint_hides_a_name():
    for hint in HINTS.values():
        assert set(re.findall(r"\breferee\.(\w+)\(", hint)) <= set(referee.__all__), hint
    assert not registry.HINTS.keys() & registry.NAMES.keys()


@pytest.mark.parametrize("by", ["entity", "error", "merge", "split"])
def test_a_list_of_errors_is_no_breakdown(by):
    errors = referee.errors(KEY, RESPONSE)
    with pytest.raises(referee.UnknownNameError, match=rf"it is a list: errors\.report\(by='{by}'\), to_rows\(by='{by}'\)$"):
        errors.by(by)
    assert errors.report(by=by) and isinstance(errors.to_rows(by=by), list)


def test_errors_are_a_sequence_of_their_rows():
    errors = referee.errors([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}])
    assert len(errors) == len(list(errors)) == errors.counts["misplaced"] == 1
    assert (errors[0]["kind"], errors[-1]["text"]) == ("misplaced", "c")


def test_an_estimate_is_shown_without_its_entities():
    links = referee.estimate({"a": 1, "b": 1}, {"a": 1, "b": 1, "c": 2})["links"]
    assert repr(links["recall"]) == "Ratio(value=1.0, error=nan)"  # one entity


def test_an_evaluation_is_no_annotation():
    e = score(KEY, RESPONSE)
    for call in (lambda: score(e, e), lambda: referee.inspect(KEY, e)):
        with pytest.raises(OptionError, match="found scores; expected an annotation: a path, a Corpus or a value"):
            call()
    for call in (lambda: compare(KEY, e, e), lambda: compare(PATH, e), lambda: compare(PATH, {"a": e, "b": e})):
        with pytest.raises(OptionError, match=r"found scores and a key; expected scores alone, .*: compare\(a, b\)"):
            call()
    with pytest.raises(OptionError, match="found scores, and others"):
        compare(e, RESPONSE)


def test_several_responses_are_given_one_after_another_or_in_one_mapping_or_list():
    calls = (KEY, RESPONSE), ([KEY, RESPONSE],), ((KEY, RESPONSE),), ({"x": KEY, "y": RESPONSE},)
    for found in (compare(KEY, *values, metrics="muc", resampling=FEW) for values in calls):
        # Of the response the recall is 2/3 and the precision 1.
        assert [found[system, "muc"].score.f1 for system in found.systems] == [1, 0.8]
    together = [referee.agree(*values, metrics="b_cubed").together["b_cubed"] for values in calls]
    assert together == pytest.approx([2 / 3] * 4)  # B³ recall is 1/2, precision 1
    assert list(compare(PATH, PATH, metrics="muc", resampling=FEW).evaluations[""]) == ["key"]


@pytest.mark.parametrize("one", [RESPONSE, [["A", "B"], ["C", "D"]], [[(0, 1)], [(2, 3)]]])
def test_a_list_that_may_be_one_response_or_several_is_refused(one):
    with pytest.raises(OptionError, match=r"expected responses one after another, compare\(key, a, b\), or \{name: response\}"):
        compare(KEY, one)


def test_errors_take_what_score_takes():
    pairs = [("a", "b", 0.9), ("b", "c", 0.3)]
    rows = [dict(zip(("id1", "id2", "probability"), pair, strict=True)) for pair in pairs]
    key = {"a": 1, "b": 1, "c": 2}
    merged = [sum(referee.errors(key, rows, tables="one", threshold=t, metrics="muc").counts.values()) for t in (0.2, 0.5)]
    assert merged == [1, 0]  # at 0.2 b-c is a link, which the key does not have
