"""`referee agree`, as people run it."""

import csv
import io
import json

import pytest

from tests.support.command import referee

SENTENCE = [f"w{n}" for n in range(11)]
EXAMPLE = {
    "ann": [{0, 3}, {1, 4, 5, 10}, {2, 7}, {6, 8, 9}],
    "bob": [{0, 3}, {1, 4, 5, 10}, {2}, {7}, {6, 9}, {8}],
    "eve": [{0, 3}, {1, 4, 5, 10}, {2, 7, 8, 9}, {6}],
}
FILES = tuple(f"{name}.jsonlines" for name in EXAMPLE)
NAMED = (*FILES, "--names", "ann,bob,eve")


@pytest.fixture
def here(tmp_path):
    for name, entities in EXAMPLE.items():
        lines = [
            {"doc_key": "example", "sentences": [SENTENCE], "clusters": [[[m, m] for m in sorted(e)] for e in entities]},
            {"doc_key": "other", "sentences": [SENTENCE], "clusters": [[[1, 1], [2, 2]]]},
        ]
        (tmp_path / f"{name}.jsonlines").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def good(here, *arguments):
    done = referee("agree", *arguments, cwd=here)
    assert (done.status, done.err) == (0, "")
    return done.out


def test_a_row_a_pair_and_one_for_all(here):
    lines = [line.split() for line in good(here, *NAMED, "-m", "mentions,ari").splitlines()]
    assert lines[0][:5] == ["mentions", "F1", "100.00,", "entities", "alpha"]
    assert lines[1] == ["annotator", "other", "alpha", "mentions", "F1", "ari"]
    assert [line[:2] for line in lines[2:5]] == [["ann", "bob"], ["ann", "eve"], ["bob", "eve"]]
    assert lines[5][0] == "all"


def test_quiet_prints_alpha_alone(here):
    alpha = json.loads(good(here, *NAMED, "-r", "json"))["rows"][-1]["alpha masi"]
    assert good(here, *NAMED, "-q") == f"{alpha:.3f}\n"


def test_quiet_writes_alpha_to_a_file(here):
    done = referee("agree", *NAMED, "-q", "-o", "alpha.txt", cwd=here)
    assert (done.status, done.out) == (0, "")
    assert (here / "alpha.txt").read_text() == good(here, *NAMED, "-q")


def test_a_table_for_programs_has_the_interval_of_alpha(here):
    *pairs, together = csv.DictReader(io.StringIO(good(here, *NAMED, "-r", "csv", "--resamples", "200")))
    ends = json.loads(good(here, *NAMED, "-r", "json", "--resamples", "200"))["intervals"]["alpha masi"]
    assert [float(together[f"alpha masi_{end}"]) for end in ("low", "high")] == ends
    assert {row["alpha masi_low"] for row in pairs} == {""}


def test_the_alpha_that_is_no_default_is_signed_and_not_recommended(here):
    usual, jaccard = good(here, *NAMED), good(here, *NAMED, "--distance", "jaccard")
    common = good(here, *NAMED, "--mentions", "common")
    assert ["report both" in text.splitlines()[0] for text in (usual, jaccard, common)] == [True, False, False]
    assert " | distance:masi | mentions:unmarked | " in usual
    assert " | distance:jaccard | mentions:unmarked | " in jaccard
    assert " | distance:masi | mentions:common | " in common
    assert " | distance:jaccard | " in good(here, *NAMED, "--distance", "jaccard", "-r", "json")


def test_documents_with_the_least_agreement_come_first(here):
    rows = list(csv.DictReader(io.StringIO(good(here, *NAMED, "-m", "lea", "--by", "document", "-r", "csv"))))
    assert [row["document"] for row in rows] == ["example", "other"]
    assert round(float(rows[0]["alpha set"]), 2) == 0.74  # Passonneau (2004)
    sampled = list(csv.DictReader(io.StringIO(referee("sample", *NAMED, "-r", "csv", cwd=here).out)))
    assert {row["document"]: row["disagreement"] for row in rows} == {r["document"]: r["disagreement"] for r in sampled}
    lines = good(here, *NAMED, "--by", "document", "--top", "1").splitlines()
    assert [line.split()[0] for line in lines if line] == ["mentions", "document", "example", "the", "the", "referee"]


def test_a_matrix_is_of_the_first_measure(here):
    lines = [line.split() for line in good(here, *NAMED, "--by", "matrix", "-m", "lea").splitlines()[1:]]
    assert lines[0] == ["lea", "F1", "ann", "bob", "eve"]
    assert [lines[1][1], lines[2][2], lines[3][3]] == ["-", "-", "-"]
    assert lines[1][2] == lines[2][1]


def test_entities_that_others_see_differently(here):
    report = json.loads(good(here, *NAMED, "--by", "entity", "-r", "json", "--top", "0", "--distance", "nominal"))
    rows = report["rows"]
    assert all(row["document"] == "example" for row in rows)
    assert {row["entity"] for row in rows} == {"w2", "w6", "w7", "w8"}  # named by their first mention
    weights = [row["mentions"] * row["disagreement"] for row in rows]
    assert weights == sorted(weights, reverse=True)


def test_a_page_shows_all_annotators(here):
    done = referee("agree", *NAMED, "--page", here / "page.html", cwd=here)
    assert done.status == 0 and done.out == referee("agree", *NAMED, cwd=here).out
    page = (here / "page.html").read_text()
    assert "<title>ann · bob · eve" in page
    assert 'id="first-1-overview"' in page and 'id="first-2-overview"' not in page
