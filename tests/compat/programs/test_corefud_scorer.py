"""`referee as corefud-scorer` prints what corefud-scorer 1.2 prints."""

import re
from importlib.util import find_spec

import pytest

from referee.basics.exceptions import OptionError
from referee.compat.programs.corefud_scorer import METRICS, run
from tests.support.corefud_kit import cases, needed
from tests.support.programs import Case, corefud, ours, real, stored

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
LEAVES_FILES_OPEN = ("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.mark.parametrize("number", range(40))
def test_prints_what_the_program_printed(number, tmp_path, monkeypatch):
    case = stored("corefud-scorer")[number]
    assert ours("corefud-scorer", case, tmp_path, monkeypatch) == case.printed


@pytest.mark.slow
@pytest.mark.filterwarnings(*LEAVES_FILES_OPEN)
@pytest.mark.skipif(not find_spec("udapi"), reason="the program needs udapi")
def test_prints_what_the_program_prints_for_random_pairs(tmp_path, monkeypatch):
    for seed in range(1000, 1200):
        found = ours("corefud-scorer", corefud(seed), tmp_path, monkeypatch)
        assert found == real("corefud-scorer", corefud(seed), tmp_path), seed


def printed(options, tmp_path, monkeypatch):
    case = corefud(2)
    return ours("corefud-scorer", Case([*case.files, *options], case.files), tmp_path, monkeypatch)


def test_its_callers_find_the_conll_score(tmp_path, monkeypatch):
    text = printed([], tmp_path, monkeypatch)
    assert [line for line in text.splitlines() if line.startswith("CoNLL score: ")] == text.splitlines()[-1:]  # CorPipe
    assert re.search(r"CoNLL score: (\d+\.?\d*)", text)  # coref-multiling


def test_a_metric_is_printed_as_often_as_it_is_named(tmp_path, monkeypatch):
    text = printed(["-m", "muc", "muc"], tmp_path, monkeypatch)
    assert text.count("\nmuc\n") == 2
    assert "CoNLL" not in text


def test_wrong_arguments_are_named():
    with pytest.raises(OptionError, match="corefud-scorer: argument -a/--match: invalid choice: 'craft'"):
        run(["key", "response", "-a", "craft"])


LONG = [pytest.param(*c.values, id=c.id, marks=pytest.mark.slow) for c in cases("gum-by-zeros", "corefud") if "sys2" in c.id]


@needed
@pytest.mark.parametrize(("key", "response", "case"), [*cases("adversarial", "corefud"), *LONG[-2:]])
def test_prints_the_numbers_of_the_kit(key, response, case):
    """Also those that the profile puts right; `scores` are those of the program."""
    options = case["options"]
    if "error" in case or options["zeros"] == "drop":
        pytest.skip("the program has no such option, or stops")
    words = ["-a", options["match"], "-z", options["zeros"], *(["-s"] if options["singletons"] else [])]
    lines = run([str(key), str(response), *words]).text.splitlines()
    for metric in METRICS:
        numbers = (100 * case["scores"][metric][side] for side in ("r", "p", "f1"))
        assert lines[lines.index(metric) + 1] == "Recall: {:.2f}  Precision: {:.2f}  F1: {:.2f}".format(*numbers), metric
