"""What is answered to calls that cannot be: in one line, the options that there are, or the function that was meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import referee
from referee.basics.exceptions import OptionError

# Vilain et al. (1995): key A-B B-C C-D, response A-B C-D: recall 2/3, precision 2/2.
KEY = [{"A", "B", "C", "D"}]
RESPONSE = [{"A", "B"}, {"C", "D"}]
PATH = "examples/key.conll"
FEW = referee.Resampling(resamples=40)

score, compare = referee.score, referee.compare


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: score(PATH, PATH, metric="muc"), r"^score\(\) has no option 'metric'; did you mean 'metrics'\? \(options: m"),
        (lambda: score(PATH, PATH, seed=1), r"'seed'; an evaluation has it: evaluation\.intervals\(seed=\.\.\.\) \(options"),
        (lambda: score(PATH, PATH, by="document"), r"'by'; a result has it: result\.report\(by=\.\.\.\) \(options"),
        (lambda: score(PATH, PATH, xyzzy=1), r"^score\(\) has no option 'xyzzy'; \(options: metrics, profile,"),
        (lambda: score(gold=PATH, pred=PATH), r"'gold'; did you mean 'key'\?"),
        (lambda: score(PATH, predictions=PATH), r"'predictions'; did you mean 'response'\?"),
        (
            lambda: score(PATH),
            r"^score\(\) found 1 value; expected score\(key, response\); referee\.compare\(key, a, b\) ",
        ),
        (lambda: score(response=PATH), r"^score\(\) found 0 values, response; expected score\(key, response\)"),
        (lambda: score(PATH, PATH, "muc"), r"found 3 values; expected score\(key, response\), and options by name, as in metr"),
        (compare, r"^compare\(\) found 0 values; expected compare\(key, \*responses\)"),
        (lambda: compare(PATH, PATH, resample=9), r"did you mean resampling=referee\.Resampling\(resamples=\.\.\.\)\?"),
        (lambda: compare(PATH, PATH, names=["a"]), r"'names'; a mapping \{name: response\} names responses \(options"),
        (lambda: referee.agree(PATH, PATH, distances=""), r"^agree\(\) has no option 'distances'; did you mean 'distance'\?"),
        (lambda: referee.errors(PATH), r"^errors\(\) found 1 value; expected errors\(key, response\)"),
        (lambda: referee.inspect(PATH, PATH, title="x"), r"^inspect\(\) has no option 'title'"),
        (referee.read, r"^read\(\) found 0 values; expected read\(path\)"),
        (lambda: referee.read(PATH, fromat="conll"), r"^read\(\) has no option 'fromat'; did you mean 'format'\? \(options: f"),
        (lambda: referee.metrics.muc(PATH), r"^Metric\(\) found 1 value; expected Metric\(key, response\)"),
        (lambda: referee.Scorer(metric="muc"), r"^Scorer\(\) has no option 'metric'; did you mean 'metrics'\?"),
    ],
)
def test_a_call_that_cannot_be_is_told_in_one_line_what_can_be(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(TypeError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_what_is_given_twice_python_tells() -> None:
    with pytest.raises(TypeError, match="multiple values for argument 'key'"):
        score(KEY, RESPONSE, key=KEY)  # type: ignore[misc]


def test_each_public_function_says_its_options() -> None:
    functions = [getattr(referee, name) for name in referee.__all__ if name.islower() and callable(getattr(referee, name))]
    assert len(functions) >= 14
    for function in functions:
        with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) has no option 'unheard_of_option'; \("):
            function("a", "b", unheard_of_option=1)


def test_an_evaluation_is_no_annotation() -> None:
    e = score(KEY, RESPONSE)
    for call in (lambda: score(e, e), lambda: compare(KEY, e, e), lambda: compare(KEY, e), lambda: referee.inspect(KEY, e)):
        with pytest.raises(OptionError, match="found scores; expected an annotation: a path, a Corpus or a value"):
            call()


def test_several_responses_are_given_one_after_another_or_in_one_mapping_or_list() -> None:
    calls = (KEY, RESPONSE), ([KEY, RESPONSE],), ((KEY, RESPONSE),), ({"x": KEY, "y": RESPONSE},)
    for found in (compare(KEY, *values, metrics="muc", resampling=FEW) for values in calls):
        # Of the response the recall is 2/3 and the precision 1.
        assert [found[system, "muc"].score.f1 for system in found.systems] == [1, 0.8]
    together = [referee.agree(*values, metrics="b_cubed").together["b_cubed"] for values in calls]
    assert together == pytest.approx([2 / 3] * 4)  # B³ recall is 1/2, precision 1
    assert list(compare(PATH, PATH, metrics="muc", resampling=FEW).evaluations[""]) == [PATH]


@pytest.mark.parametrize("one", [RESPONSE, [["A", "B"], ["C", "D"]], [[(0, 1)], [(2, 3)]]])
def test_a_list_that_may_be_one_response_or_several_is_refused(one: Any) -> None:
    with pytest.raises(OptionError, match=r"expected responses one after another, compare\(key, a, b\), or \{name: response\}"):
        compare(KEY, one)
