"""Builds that fail: limits of scores, systems that are worse, and tags that are not legal."""

import json

import pytest

from tests.support.command import referee

# PER: one of two in the key, one of one in the response. LOC: one of one, one of two. Micro: two of three and of three.
BOTH = "Anna B-PER B-PER\nLind I-PER I-PER\nkept O O\n\nTom B-PER B-LOC\nleft O O\nRome B-LOC B-LOC\n"
BAD = "a B-PER\nb I-LOC\nc O\n\nd I-PER\ne B-LOC\n"


@pytest.fixture
def here(tmp_path):
    (tmp_path / "both.txt").write_text(BOTH)
    (tmp_path / "bad.iob").write_text(BAD)
    (tmp_path / "key.iob").write_text("a B-PER\nb O\n\n" * 20)
    (tmp_path / "worse.iob").write_text("a B-PER\nb O\n\n" * 8 + "a O\nb O\n\n" * 12)
    return tmp_path


@pytest.mark.parametrize(
    ("limits", "failed"),
    [
        (["f1=66.67"], []),
        (["f1=66.68"], ["exact_match is 66.67, below 66.68"]),
        (["PER=66", "LOC.recall=100"], []),
        (["PER.recall=50.01,LOC.precision=50.01"], ["PER.recall is 50.00, below 50.01", "LOC.precision is 50.00, below 50.01"]),
        (["macro=70", "micro.f1=70"], ["macro is 66.67, below 70", "micro is 66.67, below 70"]),
        (["accuracy=84"], ["accuracy is 83.33, below 84"]),
        (["span_match=100", "type_match=90"], ["category_match is 66.67, below 90"]),
    ],
    ids=str,
)
def test_limits(here, limits, failed):
    done = referee("phrases", "score", "both.txt", "-q", *(f"--fail-under={limit}" for limit in limits), cwd=here)
    assert (done.status, done.out) == (1 if failed else 0, "66.67\n")
    assert done.errors == [f"referee: both: {text}" for text in failed]


@pytest.mark.parametrize(
    ("limit", "problem"),
    [
        ("MISC=60", "no metric or type named 'MISC'"),
        ("f1", "--fail-under takes NAME=NUMBER, as f1=80; found 'f1'"),
        ("PER=0.6", "limits are in percent: expected PER=60"),
        ("brier=10", "expected metrics that are larger when better; found brier"),
        ("accuracy.recall=3", "accuracy has no recall: it is one number"),
    ],
)
def test_what_is_no_limit(here, limit, problem):
    done = referee("phrases", "score", "both.txt", "--fail-under", limit, cwd=here)
    assert (done.status, done.out) == (2, "")
    assert problem in done.err


def test_a_system_may_not_be_worse(here):
    compare = ("phrases", "compare", "key.iob", "key.iob", "worse.iob", "--names", "before,after", "--fail-if-worse")
    done = referee(*compare, "-q", cwd=here)
    assert done.status == 1
    assert "after: exact_match is worse than that of before: −42.86, p = 0.0005" in done.err  # recall 8 of 20
    assert len(done.out.splitlines()) == 4
    assert referee(*compare, "f1", "--tolerance", "43", cwd=here).status == 0
    assert referee(*compare, "brier", cwd=here).status == 2
    same = ("phrases", "compare", "key.iob", "worse.iob", "key.iob", "--names", "before,after", "--fail-if-worse")
    assert referee(*same, cwd=here).status == 0


@pytest.mark.parametrize("systems", [1, 2])
def test_comparisons_are_plotted(here, systems):
    pytest.importorskip("matplotlib")
    done = referee("phrases", "compare", "key.iob", *["key.iob", "worse.iob"][:systems], "--plot", "x.svg", cwd=here)
    assert (done.status, done.err) == (0, "")
    assert (here / "x.svg").stat().st_size > 1000


def test_tags_that_are_not_legal_are_listed(here):
    done = referee("phrases", "validate", "bad.iob", "both.txt", cwd=here)
    assert done.status == 1
    assert done.out.splitlines() == [
        "bad.iob:2: found I-LOC after B-PER, before O: not legal in IOB2",
        "bad.iob:5: found I-PER after the beginning, before B-LOC: not legal in IOB2",
        "both.txt: no errors (2 sentences, 3 phrases, IOB2)",
        "1 of 2 files has errors",
    ]
    assert "::error file=bad.iob,line=2::" in referee("phrases", "validate", "bad.iob", "-r", "github", cwd=here).out
    assert referee("phrases", "validate", ".", "--limit", "1", cwd=here).out.splitlines()[-2:] == [
        "… and 1 error more: --limit 2 shows all",
        "1 of 4 files has errors",
    ]


def test_tags_in_lists_and_mixed_ones(here):
    (here / "lists.jsonl").write_text(json.dumps({"tokens": ["a", "b"], "ner_tags": ["O", "I-X"]}) + "\n")
    done = referee("phrases", "validate", "lists.jsonl", "--decode", "bio", cwd=here)
    assert done.out == "lists.jsonl: sentence 1, word 2: found I-X after O, before the end: not legal in IOB2\n"
    (here / "mixed.iob").write_text("a B-X\nb E-X\nc L-X\n")
    done = referee("phrases", "validate", "mixed.iob", cwd=here)
    assert done.out.startswith("mixed.iob: found the prefixes B, E, L; expected those of one scheme")
    assert "referee phrases score KEY RESPONSE, or errors, compare, validate" in referee("validate", "bad.iob", cwd=here).out


@pytest.mark.parametrize("name", ["exact_match", "f1", "strict", "bits_per_sentence"])
def test_metrics_of_phrases_are_explained(name):
    done = referee("metrics", name)
    assert done.status == 0
    assert "referee phrases score" in done.out
