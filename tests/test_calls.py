"""What is answered to calls that cannot be: in one line, the options that there are, or the function that was meant."""

import re

import pytest

import referee
from referee.basics.exceptions import OptionError
from referee.basics.names import HINTS
from referee.metrics import registry

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
        (lambda: score(PATH, PATH, seed=1), r"'seed'; evaluation\.intervals\(seed=\.\.\.\) takes it \(options"),
        (lambda: score(PATH, PATH, by="document"), r"'by'; a result has it, as in result\.report\(by='document'\) \(options"),
        (lambda: score(PATH, PATH, xyzzy=1), r"^score\(\) has no option 'xyzzy' \(options: metrics, profile,"),
        (lambda: score(gold=PATH, pred=PATH), r"'gold'; did you mean 'key'\?"),
        (lambda: score(PATH, predictions=PATH), r"'predictions'; did you mean 'response'\?"),
        (lambda: score(PATH), r"^score\(\) found 1 value; expected score\(key, response\); referee\.compare\(key, a, b\) "),
        (lambda: score(response=PATH), r"^score\(\) found 0 values, response; expected score\(key, response\)"),
        (lambda: score(PATH, PATH, "muc"), r"found 3 values; expected score\(key, response\), and options by name, as in metr"),
        (compare, r"^compare\(\) found 0 values; expected compare\(key, \*responses\)"),
        (lambda: compare(PATH, PATH, resamples=9), r"did you mean resampling=referee\.Resampling\(resamples=\.\.\.\)\?"),
        (lambda: compare(PATH, PATH, names=["a"]), r"'names'; a mapping \{name: response\} names responses \(options"),
        (lambda: referee.agree(PATH, PATH, distances=""), r"^agree\(\) has no option 'distances'; did you mean 'distance'\?"),
        (lambda: referee.errors(PATH), r"^errors\(\) found 1 value; expected errors\(key, response\)"),
        (lambda: referee.inspect(PATH, PATH, title="x"), r"^inspect\(\) has no option 'title'"),
        (lambda: referee.inspect(PATH, PATH, output="x"), r"'output'; .*, page\.save\(path\) writes a page \("),
        (lambda: score(PATH, PATH, report="x"), r"'report'; result\.report\('json'\) is the text of a file \("),
        (lambda: score(PATH, PATH, confidence=0.9), r"'confidence'; evaluation\.intervals\(\) has intervals, "),
        (lambda: score(PATH, PATH, significance=True), r"; comparison\[system, metric\]\.difference\.p is that of a system \("),
        (lambda: score(PATH, PATH, test="bootstrap"), r"'test'; comparison\[system, metric\]\.difference\.p is"),
        (lambda: score(PATH, PATH, alpha=True), r"'alpha'; referee\.agree\(a, b\)\.alpha is the agreement of annotators \("),
        (lambda: compare(PATH, PATH, intervals=True), r"; evaluation\.intervals\(\) has intervals, comparisons have some \("),
        (lambda: referee.convert(PATH, output="x"), r"'output'; did you mean 'target'\? \("),
        (referee.read, r"^read\(\) found 0 values; expected read\(path\)"),
        (lambda: referee.read(PATH, fromat="conll"), r"^read\(\) has no option 'fromat'; did you mean 'format'\? \(options: f"),
        (lambda: referee.metrics.muc(PATH), r"^Metric\(\) found 1 value; expected Metric\(key, response\)"),
        (lambda: referee.Scorer(metric="muc"), r"^Scorer\(\) has no option 'metric'; did you mean 'metrics'\?"),
    ],
)
def test_a_call_that_cannot_be_is_told_in_one_line_what_can_be(call, words):
    with pytest.raises(TypeError, match=words) as caught:
        call()
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


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: referee.muc, r"^module 'referee' has no attribute 'muc'; referee\.score\(key, response\)\['muc'\] has its"),
        (lambda: referee.B3, r"'B3'; referee\.score\(key, response\)\['b_cubed'\] has"),
        (lambda: referee.load, r"^module 'referee' has no attribute 'load'; referee\.read\(path\) reads every format$"),
        (lambda: referee.evaluate, r"referee\.score\(key, response\) scores$"),
        (lambda: referee.scoer, r"; did you mean score\?$"),
        (lambda: referee.xyzzy, r"^module 'referee' has no attribute 'xyzzy'$"),
        (lambda: referee.metrics.b3, r"^module 'referee\.metrics' has no attribute 'b3'; it is referee\.metrics\.b_cubed$"),
        (lambda: score(KEY, RESPONSE).muc, r"^Evaluation has no attribute 'muc'; evaluation\['muc'\] has the scores of this"),
        (lambda: score(KEY, RESPONSE).f1, r"'f1'; each metric has it: evaluation\['muc'\]\.f1, "),
        (lambda: score(KEY, RESPONSE).to_df(), r"'to_df'; pandas\.DataFrame\(result\.to_rows\(\)\) is a frame$"),
        (lambda: score(KEY, RESPONSE).to_dataframe(), r"; pandas\.DataFrame\(result\.to_rows\(\)\) is a frame$"),
        (lambda: score(KEY, RESPONSE).interval(), r"; evaluation\.intervals\(\) has intervals, comparisons have some$"),
        (lambda: score(KEY, RESPONSE)["muc"].interval, r"; evaluation\.intervals\(\) has intervals, comparisons have some$"),
        (lambda: score(KEY, RESPONSE).by("document"), r"; a result has it, as in result\.report\(by='document'\)$"),
        (lambda: score(KEY, RESPONSE).plot(), r"; referee\.errors\(key, response\)\.plot\(path\) draws what errors cost$"),
        (
            lambda: score(PATH, PATH).intervals(resamples=40)["muc"].f1,
            r"^Interval has no attribute 'f1'; it has \.low, \.high and",
        ),
        (lambda: referee.errors(KEY, RESPONSE).conts, r"; did you mean counts\?$"),
        (lambda: score(KEY, RESPONSE).documnets, r"did you mean documents\?$"),
        (
            lambda: score(KEY, RESPONSE)["muc"].f,
            r"^Score has no attribute 'f'; each metric has it: evaluation\['muc'\]\.f1, \.recall, \.precision$",
        ),
        (lambda: score(KEY, RESPONSE)["muc"].recal, r"did you mean recall\?$"),
        (lambda: referee.read(PATH).clusters, r"; the documents have them, as in corpus\[name\]\.entities$"),
        (lambda: referee.agree(KEY, RESPONSE).alphas, r"; did you mean alpha\?$"),
        (lambda: referee.agree(KEY, RESPONSE).kappa, r"; referee\.agree\(a, b\)\.alpha is the agreement of annotators$"),
        (lambda: compare(KEY, KEY, RESPONSE, resampling=FEW).p, r"; comparison\[system, metric\]\.difference\.p is that"),
        (lambda: referee.inspect(KEY, RESPONSE, metrics="muc").show, r"page\.save\(path\) writes a page$"),
    ],
)
def test_a_name_that_there_is_not_is_told_with_what_was_meant(ask, words):
    with pytest.raises(AttributeError, match=words):
        ask()


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
    for call in (lambda: score(e, e), lambda: compare(KEY, e, e), lambda: compare(PATH, e), lambda: referee.inspect(KEY, e)):
        with pytest.raises(OptionError, match="found scores; expected an annotation: a path, a Corpus or a value"):
            call()


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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: referee.Resampling(level="a"), "^level is a number; found 'a'$"),
        (lambda: referee.Resampling(seed=1.5), r"^seed is a whole number; found 1\.5$"),
        (lambda: compare(KEY, KEY, RESPONSE, resampling=9), r"^resampling is a referee\.Resampling, as in .*; found 9$"),
        (lambda: referee.agree(KEY, RESPONSE, resampling={"seed": 1}), r"^resampling is a referee\.Resampling, .*\{'seed'"),
        (lambda: compare(PATH, PATH, by="document"), "^by is a function from the name of a document .*; found 'document'$"),
        (lambda: score(KEY, RESPONSE, metrics=[]), "^found no metric; expected at least one, or None"),
        (lambda: score(KEY, RESPONSE, columns=1.5), r"^--columns takes ROLE=COLUMN,\.\.\., or a mapping; found 1\.5$"),
        (lambda: score(KEY, RESPONSE, threads="x"), "^--threads is from 1 to 1024; found x$"),
        (lambda: referee.thresholds(KEY, KEY, thresholds=0.5), r"^thresholds are a list of numbers from 0 to 1; found 0\.5$"),
        (lambda: referee.read(KEY), r"^found a value of the type list; expected the path .*: referee\.score\(key, resp"),
        (lambda: referee.validate(3), "^found a value of the type int; expected the path of a file or a folder"),
        (lambda: referee.write(PATH, referee.read(PATH)), "^found a value of the type str; expected a Corpus, as referee.read"),
    ],
)
def test_a_value_that_cannot_be_is_told(call, words):
    with pytest.raises(OptionError, match=words):
        call()


def test_errors_take_what_score_takes():
    pairs = [("a", "b", 0.9), ("b", "c", 0.3)]
    rows = [dict(zip(("id1", "id2", "probability"), pair, strict=True)) for pair in pairs]
    key = {"a": 1, "b": 1, "c": 2}
    merged = [sum(referee.errors(key, rows, tables="one", threshold=t, metrics="muc").counts.values()) for t in (0.2, 0.5)]
    assert merged == [1, 0]  # at 0.2 b-c is a link, which the key does not have
