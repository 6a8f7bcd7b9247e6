"""The table of a 1-best prediction: the figures of conlleval and seqeval, type by type."""

import json
import math
import random

import numpy as np
import pytest

import referee as package
from referee.basics.exceptions import OptionError
from referee.phrases import decode, score
from referee.phrases.types import TypeTable, counts_by_type
from tests.support.command import referee
from tests.support.phrases import listed

KEY = [["O", "O", "B-MISC", "I-MISC", "B-MISC", "O"], ["B-PER", "I-PER", "O"]]
RESPONSE = [["O", "O", "B-MISC", "I-MISC", "B-MISC", "I-MISC"], ["B-PER", "I-PER", "B-LOC"]]


def test_each_type_has_its_counts():
    """MISC: of two in both, one is the same; LOC is only found, so its recall is 0 / 0."""
    rows = TypeTable(counts_by_type(decode(KEY), decode(RESPONSE))).rows
    assert {name: row[3] for name, row in rows.items()} == {"LOC": 0, "MISC": 2, "PER": 1}
    assert rows["MISC"][:3] == (0.5, 0.5, 0.5)
    assert rows["PER"][:3] == (1, 1, 1)
    assert np.isnan(rows["LOC"][0])
    assert rows["LOC"][1:3] == (0, 0)


@pytest.mark.parametrize("door", ["referee.compat.seqeval", "seqeval.metrics"])
def test_the_table_has_the_figures_of_seqeval(door):
    theirs = pytest.importorskip(door)
    for seed in range(50):
        chance = random.Random(seed)
        tags = ["O", *(f"{p}-{x}" for p in "BI" for x in ("A", "B", "C")[: 1 + seed % 3])]
        key = [[chance.choice(tags) for _ in range(chance.randint(1, 8))] for _ in range(4)] + [["B-A"]]
        response = [[t if chance.random() < 0.6 else chance.choice(tags) for t in row] for row in key]
        report = theirs.classification_report(key, response, output_dict=True, zero_division=0)
        table = TypeTable(counts_by_type(decode(key), decode(response)))
        averages = {f"{name} avg": row for name, row in table.averages.items()}
        for name, (recall, precision, f1, support) in {**table.rows, **averages}.items():
            expected = [report[name][side] for side in ("recall", "precision", "f1-score", "support")]
            assert np.nan_to_num([recall, precision, f1, support]).tolist() == pytest.approx(expected), (seed, name)


def test_it_is_shown_of_a_one_best_response_and_f1_is_its_number(tmp_path):
    for name, tags in (("key.iob", KEY), ("found.iob", RESPONSE)):
        (tmp_path / name).write_text("\n".join("".join(f"w {tag}\n" for tag in row) for row in tags))
    done = referee("phrases", "score", "key.iob", "found.iob", cwd=tmp_path)
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["type", "recall", "precision", "F1", "support"]
    assert lines[1:4] == [
        ["LOC", "-", "0.00", "0.00", "0"],
        ["MISC", "50.00", "50.00", "50.00", "2"],
        ["PER", "100.00", "100.00", "100.00", "1"],
    ]
    assert lines[4] == ["micro", "average", "66.67", "50.00", "57.14", "3"]
    assert lines[5] == ["macro", "average", "50.00", "50.00", "50.00", "3"]
    assert "what is 0 / 0 has no number; it counts as 0 in the macro and weighted averages, as in seqeval" in done.out
    assert "\n\n\n" not in done.out
    for bits in ("inf", "bits", "listed:"):  # nothing has a probability
        assert bits not in done.out
    assert referee("phrases", "score", "key.iob", "found.iob", "-q", cwd=tmp_path).out == "57.14\n"
    system = json.loads(referee("phrases", "score", "key.iob", "found.iob", "-r", "json", cwd=tmp_path).out)["systems"][0]
    assert system["type"]["LOC"] == {"recall": None, "precision": 0, "f1": 0, "support": 0}
    assert system["average"]["macro"]["f1"] == 0.5
    both = referee("phrases", "score", "key.iob", "found.iob", "key.iob", cwd=tmp_path).out
    assert "by type: found\n" in both
    assert both.split()[:4] == ["F1", "system", "exact_match", "span_match"]
    only = referee("phrases", "score", "key.iob", "found.iob", "-m", "expected,bits_per_sentence", cwd=tmp_path).out
    assert only.startswith("metric ")


def test_the_interval_of_f1_is_that_of_expected_f1(tmp_path):
    (tmp_path / "key.iob").write_text("a B-X\nb O\n\n" * 12)
    (tmp_path / "found.iob").write_text("a B-X\nb O\n\n" * 6 + "a O\nb B-X\n\n" * 6)
    arguments = ("key.iob", "found.iob", "-m", "all", "--intervals", "--resamples", "50", "-r", "json")
    metrics = json.loads(referee("phrases", "score", *arguments, cwd=tmp_path).out)["systems"][0]["metrics"]
    assert metrics["exact_match"]["intervals"] == metrics["expected"]["intervals"]


def test_probabilities_are_matched_from_a_threshold_on():
    key = decode([["B-X", "O", "B-X"]])
    found = listed(key, ["X"], [(0, 0, 1, 0, 0.9), (0, 1, 2, 0, 0.5), (0, 2, 3, 0, 0.3)], 0.0)
    for threshold, (recall, precision) in {0.2: (1, 2 / 3), 0.5: (0.5, 0.5), 0.6: (0.5, 1), 1.0: (0, np.nan)}.items():
        scores = score(key, found, threshold=threshold)
        assert [scores["exact_match"].recall, scores["exact_match"].precision] == pytest.approx(
            [recall, precision], nan_ok=True
        )
        assert f"threshold:{threshold:g}" in scores.signature
        assert scores.types["X"][:2] == pytest.approx((recall, precision), nan_ok=True)
    assert "threshold" not in score(key, key, threshold=0.1).signature
    for wrong in (2, math.nan, None, "0.5", 10**400):
        with pytest.raises(OptionError, match=r"^threshold is a number from 0 to 1; found "):
            score(key, found, threshold=wrong)


@pytest.fixture
def here(tmp_path):
    for name, tags in (("key.iob", KEY), ("found.iob", RESPONSE)):
        (tmp_path / name).write_text("\n".join("".join(f"w {tag}\n" for tag in row) for row in tags))
    return tmp_path


@pytest.mark.parametrize(
    ("by", "rows"),
    [
        # Of the key: two MISC (one of two words, one of one), one PER of two. Found: MISC 2-4 and 4-6, PER 0-2, LOC 2-3.
        (
            "category",
            [["MISC", "50.00", "50.00", "50.00", "2"], ["LOC", "-", "0.00", "0.00", "0"], ["PER", *["100.00"] * 3, "1"]],
        ),
        ("length", [["1", "0.00", "0.00", "0.00", "1"], ["2", "100.00", "66.67", "80.00", "2"]]),
        ("sentence", [["1", "50.00", "50.00", "50.00", "2"], ["2", "100.00", "50.00", "66.67", "1"]]),
    ],
)
def test_groups_of_a_hard_answer_have_recall_precision_and_f1(by, rows, here):
    out = referee("phrases", "score", "key.iob", "found.iob", "--by", by, cwd=here).out
    lines = [line.split() for line in out.partition(f"by {by}\n")[2].splitlines()]
    assert lines[0] == [by, "recall", "precision", "F1", "support"]
    assert lines[1:] == rows
    for bits in ("inf", "bits", "excess", "events"):
        assert bits not in out
    exported = json.loads(referee("phrases", "score", "key.iob", "found.iob", "--by", by, "-r", "json", cwd=here).out)
    groups = exported["systems"][0]["breakdown"][by]
    assert [(group["group"], group["support"]) for group in groups] == [(row[0], int(row[-1])) for row in rows]
    assert set(groups[0]) == {"group", "exact_match", "support"}


def test_a_hard_answer_has_no_coverage(here):
    done = referee("phrases", "score", "key.iob", "found.iob", "--by", "coverage", cwd=here)
    assert (done.status, done.out) == (2, "")
    problem = "found has no probabilities, and coverage tells candidates with them apart"
    assert done.errors == [f"referee: error: {problem}; expected --by category, length, sentence"]


def test_the_page_has_the_names_of_systems_and_of_columns_as_text(here):
    page = referee("phrases", "score", here / "key.iob", here / "found.iob", "-r", "html").out
    assert "<title>found against key · Referee</title>" in page
    assert ">F1<" in page
    assert "$" not in page.partition("<body")[2]
    assert str(here) not in page.partition("<body")[2]


def test_several_systems_are_under_f1_and_have_the_names_of_their_files(here):
    lines = referee("phrases", "score", "key.iob", "found.iob", "./key.iob", cwd=here).out.splitlines()
    assert lines[0].split() == ["F1"]
    assert [line.split()[0] for line in lines[2:4]] == ["found", "key"]
    named = referee("phrases", "score", "key.iob", "found.iob", "./key.iob", "--names", "a,b", cwd=here).out
    assert [line.split()[0] for line in named.splitlines()[2:4]] == ["a", "b"]


def test_python_and_the_command_have_one_signature(here):
    scores = score(here / "key.iob", here / "found.iob")
    assert scores.signature in referee("phrases", "score", "key.iob", "found.iob", cwd=here).out
    assert scores.signature.endswith("decode:conlleval")
    assert scores.name == "found"


def test_lists_of_tags_are_read_as_a_column_of_a_file_is(here):
    of_files, of_tags = score(here / "key.iob", here / "found.iob"), score(KEY, RESPONSE)
    assert dict(of_files) == dict(of_tags)
    assert "key:IOB2 | response:IOB2 | decode:conlleval" in of_tags.signature
    assert score([["PER", "PER", "O"]], [("PER", "PER", "O")])["exact_match"].f1 == 1
    assert score(KEY, KEY, decode="IOB2").signature.endswith("decode:IOB2")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["B-PER", "O"], "^<response>: found 'B-PER' among sentences; expected each as a list of tags"),
        (3, "^<response>: found a value of the type int; expected a file, a list of sentences, each a list of tags, or"),
        ([["B-PER", "spam"]], "^<response>: found the tag 'spam'; expected O, or B, I"),
        ([[1, 2]], "^<response>: found the tag '1'; expected O, or B, I"),
    ],
)
def test_what_is_no_list_of_tags_is_refused(given, problem):
    with pytest.raises(OptionError, match=problem):
        score([["B-PER", "O"]], given)


@pytest.mark.parametrize("function", [package.score, package.errors, package.inspect, package.agree])
@pytest.mark.parametrize("tags", [KEY, KEY[0], tuple(map(tuple, KEY))])
def test_tags_are_no_entities(function, tags):
    with pytest.raises(OptionError, match=r": found tags of words, O and B-MISC; expected entities: referee\.phrases\.score\("):
        function(tags, tags)


@pytest.mark.parametrize("entities", [[["O", "B"], ["I", "E"]], [["B-1", "B-2"], ["B-3"]], [["O", "x"], ["B-1"]]])
def test_names_of_mentions_that_look_like_tags_are_names(entities):
    assert package.score(entities, entities)["b_cubed"].f1 == 1
