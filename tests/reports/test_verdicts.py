"""Reports for builds and boards: hostile names and texts are shown, and do nothing."""

import json
import re
import shutil
import xml.etree.ElementTree as ET

import pytest

from referee import OptionError, RefereeError, RefereeWarning, compare, score
from referee.comparison.regression import worse
from referee.metrics import muc
from referee.reports.forms import FORMS, VERDICTS
from referee.reports.github import render as github
from referee.reports.junit import render as junit
from referee.reports.verdict import Check, Headline, Verdict
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY, RESPONSE, SECOND = (str(EXAMPLES / name) for name in ("key.conll", "response.conll", "second.jsonlines"))
HOSTILE = """a"/><script>x</script>]]>&amp;%0A\n::set-env name=A::1\r\x00\x1b[31m\ud800,b:c`|"""


def test_junit_has_a_case_for_each_limit():
    done = referee("score", KEY, RESPONSE, SECOND, "-r", "junit", "--fail-under", "lea=60", "--fail-under", "conll=60")
    root = ET.fromstring(done.out)
    assert (done.status, root.attrib) == (1, {"name": "referee", "tests": "4", "failures": "1", "errors": "0"})
    assert [suite.get("name") for suite in root] == ["response", "second"]
    cases = [(case.get("name"), [child.tag for child in case]) for case in root.iter("testcase")]
    assert cases == [("lea", ["failure"]), ("conll", ["system-out"]), ("lea", ["system-out"]), ("conll", ["system-out"])]
    (failure,) = root.iter("failure")
    assert failure.get("message") == "57.46, below 60"


def test_scores_in_each_form():
    scored = score(KEY, RESPONSE, metrics="muc,conll")
    assert json.loads(scored.report("badge")) == {"schemaVersion": 1, "label": "CoNLL", "message": "67.52", "color": "blue"}
    assert json.loads(scored.report("badge", limits={"conll": 67.52}))["color"] == "green"
    assert json.loads(scored.report("badge", limits={"conll": 67.53}))["color"] == "red"
    assert scored.report("codalab") == "muc: 77.27\nmuc_recall: 73.91\nmuc_precision: 80.95\nconll: 67.52\n"
    assert scored.report("github", limits={"lea": 60}).splitlines() == [
        "::error title=response%3A lea::57.46, below 60",
        "::notice title=response%3A CoNLL::67.52",
    ]


def test_limits_of_sides_in_each_form():
    # Key: 2 links; response: 3, of which 1 is right.
    scored = score([["a", "b"], ["c", "d"]], [["a", "b", "c"], ["d", "e"]], metrics="muc", name="x")
    checks = scored.verdict(limits={"MUC.precision": 33.34, "muc.recall": 50, "muc.f1": 40}).checks
    assert [(check.name, check.text, check.failed) for check in checks] == [
        ("muc.precision", "33.33, below 33.34", True),
        ("muc.recall", "50.00, at least 50", False),
        ("muc", "40.00, at least 40", False),
    ]
    limits = [("muc.precision", "33.34%")]
    (case,) = ET.fromstring(scored.report("junit", limits=limits)).iter("testcase")
    assert (case.get("name"), case[0].tag, case[0].get("message")) == ("muc.precision", "failure", "33.33, below 33.34")
    assert scored.report("github", limits=limits).startswith("::error title=x%3A muc.precision::33.33, below 33.34\n")
    assert json.loads(scored.report("badge", limits=limits))["color"] == "red"
    assert json.loads(scored.report("badge", limits={"muc.recall": 50}))["color"] == "green"
    assert scored.report("codalab", limits=limits) == "muc: 40.00\nmuc_recall: 50.00\nmuc_precision: 33.33\n"


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"muc.f2": 5}, "no side named 'f2'"),
        ({"conll.recall": 5}, "conll has no recall: it is one number; expected conll alone"),
        ({"muc.recall": float("nan")}, "limits: found muc.recall=nan; expected a percentage, such as 97"),
        ({"muc": 0.97}, "limits: found muc=0.97; limits are in percent: expected muc=97, or 0.97% if so little is meant"),
        ([("muc", 5), ("muc.value", 5)], "limits: found two limits of muc; expected one"),
        ({"vi": 5}, "limits: expected metrics that are larger when better; found vi"),
    ],
)
def test_limits_that_are_mistakes_are_named(limits, message):
    with pytest.raises(RefereeError, match=f"^{re.escape(message)}"):
        score(KEY, RESPONSE).verdict(limits=limits)


def test_a_metric_of_ones_own_has_limits_too():
    scored = score([["a", "b"]], [["a", "b"]], metrics={"my.own": muc})
    assert [check.name for check in scored.verdict(limits={"my.own": 100}).checks] == ["my.own"]


def test_comparisons_in_each_form():
    compared = compare(KEY, {"before": SECOND, "after": RESPONSE}, metrics="conll")
    failing = worse(compared, tolerance=1)
    assert compared.report("codalab") == "conll: 67.52\nconll_difference: -21.84\nconll_p: 0.500000\n"
    assert json.loads(compared.report("badge", worse=failing)) == {
        "schemaVersion": 1, "label": "CoNLL", "message": "67.52 (−21.84)", "color": "red",
    }  # fmt: skip
    assert 'color": "blue' in compared.report("badge")
    assert compared.report("github", worse=failing).startswith(
        "::error title=after%3A conll::67.52, worse than the baseline: −21"
    )
    (case,) = ET.fromstring(compared.report("junit")).iter("testcase")
    assert (case.get("classname"), case[0].text) == ("after", "67.52, −21.84 from the baseline, p = 0.5000 (exact)")


def test_what_is_undefined_is_no_number():
    nothing = score([{"a"}, {"b"}], [{"a"}, {"b"}], metrics="muc,b_cubed")
    assert json.loads(nothing.report("badge"))["message"] == "undefined"
    assert nothing.verdict(limits={"muc": 2}).checks[0].text == "undefined, so not 2"
    with pytest.warns(RefereeWarning, match="undefined, so not in the report: muc, muc_recall, muc_precision"):
        assert nothing.report("codalab").startswith("b_cubed: 100.00")


def test_mistakes():
    for form in ("badge", "codalab"):
        done = referee("score", KEY, RESPONSE, SECOND, "-r", form)
        assert (done.status, len(done.errors)) == (2, 1)
        assert "shows one response; found 2 responses" in done.err
    assert "--by is for tables" in referee("score", KEY, RESPONSE, "-r", "junit", "--by", "document").err
    assert "--style is for tables" in referee("compare", KEY, RESPONSE, "-r", "badge", "--style", "plain").err
    with pytest.raises(OptionError, match="for scores and comparisons"):
        score(KEY, RESPONSE).errors().report("junit")
    assert not FORMS.keys() & VERDICTS.keys()


@pytest.mark.parametrize("form", VERDICTS)
def test_hostile_names_are_shown_and_do_nothing(tmp_path, form):
    hostile = "a\"'><script>alert(1)</script>\n::error::b,c%0A]]>.conll"
    shutil.copy(RESPONSE, tmp_path / "response")
    path = tmp_path / "response"
    done = referee("score", KEY, path, "-r", form, "--names", hostile.replace(",", ";"), "--fail-under", "conll=90")
    assert done.status == 1
    assert "<script>" not in done.out or form == "github"
    if form == "junit":
        assert ET.fromstring(done.out)[0].get("name") == hostile.replace(",", ";").replace("\n", "\\n")
    if form == "github":
        assert len(done.out.splitlines()) == 2
        assert all(
            line.startswith(("::error title=", "::notice title=")) and line.count("::") == 2 for line in done.out.splitlines()
        )


def test_texts_of_all_kinds_are_escaped():
    verdict = Verdict(
        [Check(HOSTILE, HOSTILE, HOSTILE, failed=True, line=3)], {HOSTILE: Headline(HOSTILE, HOSTILE)}, {}, [HOSTILE]
    )
    root = ET.fromstring(junit(verdict).encode())
    shown = HOSTILE.translate(dict.fromkeys((0, 0x1B, 0xD800), "\ufffd"))
    assert root[0].get("name") == root[0][1].get("classname") == shown
    assert [element.tag for element in root.iter()] == [
        "testsuites",
        "testsuite",
        "properties",
        "property",
        "testcase",
        "failure",
    ]
    error, notice = github(verdict).splitlines()
    place, message = error.removeprefix("::error file=").split(",line=3::")
    assert not {",", ":", "\x00"} & set(place)
    assert message.count("%25") == 1
    assert notice.startswith("::notice title=")


def test_validate_reports_each_error_beside_its_line(tmp_path):
    bad = tmp_path / "bad,1.conll"
    bad.write_text("#begin document (x);\na 0 (1\n#end document\n")
    done = referee("validate", KEY, bad, "-r", "github")
    assert done.status == 1
    assert done.out.startswith(f"::error file={str(bad).replace(',', '%2C')},line=2::entity 1 is opened but never closed")
    root = ET.fromstring(referee("validate", KEY, bad, "-r", "junit").out)
    assert [(suite.get("name"), suite.get("failures")) for suite in root] == [(KEY, "0"), (str(bad), "1")]
