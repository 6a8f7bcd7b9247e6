"""Submissions: `referee validate --key` accepts what `referee score` accepts, and says what is wrong with the others."""

import json
import xml.etree.ElementTree as ET
from contextlib import suppress

import pytest

import referee
from referee.basics.exceptions import MissingExtraError, RefereeError
from tests.support.command import told
from tests.support.samples import MADE, TEXTS, samples
from tests.support.warned import silenced

KEY = """\
#begin document (a)
Ann\t(1)
saw\t-
her\t(1)
dog\t(2)

#end document
#begin document (b)
It\t(3)
ran\t-
.\t-

#end document
"""
GOOD = KEY.replace("(2)", "-")
FIRST = GOOD.partition("#begin document (b)")[0]


@pytest.fixture
def task(tmp_path):
    """A folder with a key and submissions."""
    files = {
        "key": KEY,
        "good": GOOD,
        "broken": GOOD.replace("(3)", "(3").replace("Ann\t(1)", "Ann\t1)"),
        "empty": "",
        "lacks": FIRST,
        "more": GOOD + GOOD.replace("(a)", "(c)").replace("(b)", "(d)"),
        "repeated": GOOD.replace("(3)", "(3)|(4)"),
        "words": GOOD.replace("Ann", "Anna").replace("It", "That"),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.conll").write_text(text)
    spans = [{"doc_key": "a", "clusters": [[[0, 0], [2, 9]]]}, {"doc_key": "b", "clusters": [[[0, 0], [5, 6]]]}]
    (tmp_path / "behind.jsonlines").write_text("".join(json.dumps(line) + "\n" for line in spans))
    (tmp_path / "other.jsonlines").write_text('{"doc_key": "z", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}\n')
    return tmp_path


CASES = [
    ("good.conll", [], True),
    ("broken.conll", ["broken.conll:2: entity 1 is closed but was never opened", "broken.conll:9: entity 3 is opened"], False),
    ("empty.conll", ["empty.conll: is empty; expected annotation"], False),
    ("lacks.conll", ["lacks.conll: warning: 1 of 2 documents of key.conll are not in lacks.conll: b"], True),
    ("more.conll", ["more.conll: warning: 2 of 4 documents of more.conll are not in key.conll: c, d"], True),
    (
        "repeated.conll",
        ["repeated.conll:9: warning: document 'b': repeated mention: token 0 in entities 3 and 4"],
        True,
    ),
    (
        "words.conll",
        [
            "words.conll: document 'a', token 0: found 'Anna' in words.conll; expected 'Ann' as in key.conll",
            "words.conll: document 'b', token 0: found 'That' in words.conll; expected 'It' as in key.conll",
        ],
        False,
    ),
    (
        "behind.jsonlines",
        ["behind.jsonlines: warning: 2 mentions behind the words of key.conll, the first in document 'a': tokens 2 to 9 of 4"],
        True,
    ),
    ("other.jsonlines", ["other.jsonlines: has no document of key.conll: found z; expected a, b"], False),
]


@pytest.mark.parametrize(("name", "problems", "accepted"), CASES, ids=[name for name, *_ in CASES])
def test_each_problem_is_a_line_and_the_status_is_that_of_score(task, name, problems, accepted):
    done = told("validate", name, "--key", "key.conll", cwd=task)
    *lines, last = done.out.splitlines()
    assert (done.status, done.err) == (0 if accepted else 1, "")
    assert [line.startswith(problem) for line, problem in zip(lines, problems, strict=True)] == [True] * len(problems)
    assert last.startswith(f"{name}: accepted" if accepted else f"{name}: rejected: {len(problems)} error")
    scored = told("score", "key.conll", name, cwd=task)
    assert (scored.status == 0) == accepted
    message = scored.err.removeprefix("referee: error: ").removeprefix(f"{name} ").strip()
    assert accepted or message in done.out


def test_several_submissions_are_counted(task):
    names = [name for name, *_ in CASES]
    done = told("validate", *names, "--key", "key.conll", cwd=task)
    assert done.out.splitlines()[-1] == f"{sum(not accepted for *_, accepted in CASES)} of {len(CASES)} submissions rejected"
    limited = told("validate", *names, "--key", "key.conll", "--limit", "1", cwd=task).out
    assert f"… and {sum(len(problems) for _, problems, _ in CASES) - 1} errors more" in limited


def test_two_files_with_documents_in_common_are_a_key_and_a_submission(task):
    done = told("validate", "key.conll", "words.conll", cwd=task)
    assert (done.status, done.out.splitlines()[-2:]) == (1, ["words.conll: rejected: 2 errors", "1 of 2 files has errors"])
    done = told("validate", "key.conll", "other.jsonlines", cwd=task)
    assert (done.status, "accepted" in done.out, "rejected" in done.out) == (0, False, False)


def test_reports_for_programs(task):
    call = ("validate", "lacks.conll", "words.conll", "--key", "key.conll", "--report")
    lacks, words = json.loads(told(*call, "json", cwd=task).out)["files"]
    assert (lacks["accepted"], lacks["errors"], [p["level"] for p in lacks["problems"]]) == (True, 0, ["warning"])
    assert (words["accepted"], words["errors"], words["problems"][0]["line"]) == (False, 2, None)
    broken = told("validate", "broken.conll", "--report", "json", cwd=task)
    assert [p["line"] for p in json.loads(broken.out)["files"][0]["problems"]] == [2, 9]
    github = told(*call, "github", cwd=task).out.splitlines()
    assert [line.partition(":: ")[0].split("::")[1] for line in github] == [
        "warning file=lacks.conll",
        "error file=words.conll",
        "error file=words.conll",
    ]
    junit = ET.fromstring(told(*call, "junit", cwd=task).out)  # it is ours
    assert (junit.get("failures"), len(junit.findall(".//failure"))) == ("2", 2)


def test_a_report_is_written_in_the_form_of_its_ending(task):
    call = ("validate", "lacks.conll", "words.conll", "--key", "key.conll")
    for name, form in (("x.json", "json"), ("x.xml", "junit"), ("x.txt", "text")):
        done = told(*call, "-o", name, cwd=task)
        assert (done.status, done.out, done.err) == (1, "", f"referee: wrote {name}\n")
        assert (task / name).read_text() == told(*call, "-r", form, cwd=task).out
    assert told("validate", "none.conll", "-o", "y.json", cwd=task).status == 2
    assert not (task / "y.json").exists()
    assert told(*call, "-o", "x.md", cwd=task).status == 2


def test_standard_input_is_a_submission(task):
    for name in ("good", "broken", "empty", "words"):
        content = (task / f"{name}.conll").read_bytes()
        done = told("validate", "-", "--key", "key.conll", stdin=content, cwd=task)
        of_file = told("validate", f"{name}.conll", "--key", "key.conll", cwd=task)
        assert (done.status, len(done.out.splitlines())) == (of_file.status, len(of_file.out.splitlines())), done.out


def test_a_folder_of_submissions_is_said_to_be_one(task):
    for name in ("one", "two"):
        (task / "all" / name).mkdir(parents=True)
        (task / "all" / name / "x.conll").write_text(GOOD.replace("(3)", "(3"))
    done = told("validate", "all", "--key", "key.conll", cwd=task)
    assert (done.status, done.out.splitlines()[-1].endswith("; of submissions in folders of it, name each: all/*")) == (1, True)


def test_options_are_those_of_score(task):
    def status(*options):
        return told("validate", *options, "--key", "key.conll", cwd=task).status

    assert status("words.conll", "--tokens", "align") == 0
    assert status("words.conll", "--profile", "conll-8.01") == 0
    assert status("repeated.conll", "--repeated-mentions", "error") == 1
    assert status("good.conll", "--response-format", "jsonlines") == 1
    assert status("good.conll", "--metrics", "none") == 2
    assert status("none.conll") == 2
    done = told("validate", "good.conll", "--match", "head", cwd=task)
    assert (done.status, "expected --key KEY" in done.err) == (2, True)
    done = told("validate", "good.conll", "--key", "broken.conll", cwd=task)
    assert (done.status, done.err.startswith("referee: error: broken.conll:2:")) == (2, True)


def test_from_python(task, monkeypatch):
    monkeypatch.chdir(task)
    assert referee.validate("good.conll", key="key.conll") == []
    assert len(referee.validate("words.conll", key="key.conll")) == 2
    with pytest.warns(referee.RefereeWarning, match="aligned by characters"):
        assert referee.validate("words.conll", key="key.conll", tokens="align") == []
    with pytest.warns(referee.RefereeWarning, match="are not in lacks.conll"):
        assert referee.validate("lacks.conll", key=referee.read("key.conll")) == []
    with pytest.raises(referee.OptionError, match="expected --key KEY"):
        referee.validate("good.conll", match="head")


@pytest.mark.parametrize("format", [*TEXTS, *MADE])
def test_what_score_accepts_is_accepted_and_what_it_refuses_is_refused(tmp_path, format):
    """Samples of every format, whole, cut off in the middle, and empty, as submissions to the sample."""
    with suppress(MissingExtraError):
        for number, sample in enumerate(samples(format)):
            name, content = next(iter(sample.items()))
            for part, kept in (("key", content), ("same", content), ("cut", content[: len(content) * 3 // 5]), ("empty", b"")):
                for other, inner in {**sample, name: kept}.items():
                    path = tmp_path / str(number) / part / other
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(inner)
            for part in ("same", "cut", "empty"):
                check(*(tmp_path / str(number) / folder / name for folder in ("key", part)), format)


def check(key, response, format):
    """Score and validate agree on a submission."""
    refused = ""
    with silenced():
        try:
            referee.score(key, response, key_format=format)
        except RefereeError as error:
            refused = str(error)
        errors = [str(error) for error in referee.validate(response, key=key, key_format=format)]
    assert bool(errors) == bool(refused)
    assert not refused or refused in errors
