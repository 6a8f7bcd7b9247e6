"""Error breakdown, and how it is shown: tables, reports, the command."""

import csv
import io
import json
import math

import pytest

from referee.phrases.breakdown import error_breakdown
from referee.phrases.chunking.iob import decode
from referee.phrases.scoring import score
from referee.reports.forms import FORMS
from tests.support.command import referee
from tests.support.phrases import constant, listed

KEY = "He PRP B-NP\nsaw VBD B-VP\nthe DT B-NP\ndog NN I-NP\n. . O\n\nIt PRP B-NP\nbarked VBD B-VP\n"
RESPONSE = KEY.replace("dog NN I-NP", "dog NN B-NP")
MODEL = """\
{"format": "phrase-candidates", "version": 1, "categories": ["NP", "VP"], "default": {"type": "const", "p": 0.015625}}
{"n": 5, "c": [["NP", 0, 1, 0.5], ["VP", 1, 2, 0.5], ["NP", 2, 4, 0.25]]}
{"n": 2, "c": [["NP", 0, 1, 0.5], ["VP", 1, 2, 0.5]]}
"""


@pytest.fixture
def here(tmp_path):
    for name, text in (("key.iob", KEY), ("response.iob", RESPONSE), ("model.jsonl", MODEL)):
        (tmp_path / name).write_text(text)
    return tmp_path


def of(key, p):
    return score(key, constant(key, p))


def test_shares_add_up_to_one_and_excesses_to_nothing():
    scores = of(decode([["B-NP", "I-NP", "B-VP"], ["B-NP"], ["O", "B-VP"]]), 0.125)
    for group in ("category", "length", "coverage", "sentence"):
        found = scores.breakdown(group)
        assert found.share.sum() == pytest.approx(1)
        assert found.excess.sum() == pytest.approx(0, abs=1e-12)


def test_excess_is_the_share_of_bits_less_that_of_candidates():
    # One word, two categories, p = 1/4: NP true for 2 bits, VP false for lg 4/3.
    key = decode([["B-NP"]]).with_categories(["NP", "VP"])
    found = of(key, 0.25).breakdown("category")
    assert found.names == ["NP", "VP"]
    false = math.log2(4 / 3)
    assert found.share.tolist() == pytest.approx([2 / (2 + false), false / (2 + false)])
    assert found.excess.tolist() == pytest.approx([2 / (2 + false) - 0.5, false / (2 + false) - 0.5])
    assert found.sums.bits_per_chunk[0] == 2


def test_long_candidates_are_one_group():
    found = error_breakdown(of(decode([["B-NP"] * 12]), 0.5).sums, "length", max_length=3)
    assert found.names == ["1", "2", "3+"]
    assert found.sums["candidates"].tolist() == [12, 11, 55]


def test_coverage_keeps_chunks_candidates_and_bits_apart():
    key = decode([["B-NP", "B-NP"]])
    candidates = listed(key, ["NP"], [(0, 0, 1, 0, 0.5), (0, 0, 2, 0, 0.5)], 0.25, covered=[True, False])
    found = score(key, candidates).breakdown("coverage")
    assert found.names == ["uncovered", "covered"]
    assert found.sums["candidates"].tolist() == [2, 1]
    assert found.sums["true_chunks"].tolist() == [1, 1]
    assert found.sums.cross_entropy.tolist() == [3, 1]


def test_no_share_of_infinity():
    found = score(decode([["B-NP"]]), decode([["O"]])).breakdown("category")
    assert math.isnan(found.share[0])
    assert found.sums.zero_probability_events.tolist() == [1]


def run(here, *arguments):
    done = referee("phrases", "score", *arguments, cwd=here)
    assert (done.status, [line for line in done.err.splitlines() if "too narrow" not in line]) == (0, [])
    return done.out


def test_the_command_shows_several_systems_side_by_side(here):
    text = run(here, "key.iob", "model.jsonl", "response.iob", "--by", "category,length")
    above, header, model, response = (line.split() for line in text.splitlines()[:4])
    assert above == ["F1", "F1"]  # of matched phrases and of expected ones
    assert header[:3] == ["system", "exact_match", "span_match"]
    assert "inf" not in [word for line in text.splitlines() for word in line.split()]
    assert [model[0], response[:2]] == ["model", ["response", "72.73"]]  # 4 chunks are right, of 5 and of 6
    bits_of_all = run(here, "key.iob", "model.jsonl", "response.iob", "-m", "bits_per_sentence")
    model, response = (line.split() for line in bits_of_all.splitlines()[1:3])
    # The five chunks cost 1 + 1 + 2 + 1 + 1 bits; of 2 (15 + 3) candidates the other 31 are false with 1/64.
    bits = (6 - 31 * math.log2(63 / 64)) / 2
    assert model[:2] == ["model", f"{bits:.4f}"]
    assert response[:2] == ["response", "inf"]
    events = "infinitely many bits for 3 zero-probability events (1 true, 2 false); 0.0000 bits per sentence for all others"
    assert f"response: {events}" in text
    assert "listed:5 | unlisted:0.015625 | min_probability:none | threshold:0.5 | key:column 3 (IOB2) | decode:conll" in text
    assert "error breakdown by length: model\n" in text
    assert "by length: response\n" in text


def test_the_table_of_one_system_has_a_row_for_each_metric(here):
    lines = {
        line.split()[0]: line.split()[1:] for line in run(here, "key.iob", "response.iob", "-m", "all").splitlines() if line
    }
    assert lines["metric"] == ["recall", "precision", "F1", "value"]
    assert lines["exact_match"] == ["80.00", "66.67", "72.73"]
    assert lines["span_match"][1] == "66.67"
    assert lines["zero_probability_events"] == ["3", "events"]
    assert "conditional_entropy" in lines


def test_metrics_can_be_chosen_and_one_number_printed(here):
    text = run(here, "key.iob", "response.iob", "model.jsonl", "--metrics", "exact_match,brier")
    assert text.splitlines()[0].split() == ["F1"]
    assert text.splitlines()[1].split() == ["system", "exact_match", "brier", "(squares)"]
    assert text.splitlines()[3].split()[1] == "88.89"  # of 5 phrases 4 have a half or more, and no other does
    assert run(here, "key.iob", "response.iob", "response.iob", "-q", "-m", "exact_match", "--names", "a,b") == "72.73\n72.73\n"
    assert run(here, "key.iob", "response.iob", "-q") == "72.73\n"


def test_json_and_csv_hold_every_number(here):
    options = ("--by", "category", "--intervals", "--resamples", "50")
    (system,) = json.loads(run(here, "key.iob", "model.jsonl", "--report", "json", *options))["systems"]
    assert system["sums"]["true_chunks"] == 5
    assert system["sums"]["cross_entropy_true"] == 6
    assert system["metrics"]["expected"]["recall"] == pytest.approx(2.25 / 5)
    assert set(system["metrics"]["expected"]["intervals"]) == {"recall", "precision", "value"}
    assert "intervals" in system["metrics"]["bits_per_sentence"]
    assert sum(row["share"] for row in system["breakdown"]["category"]) == pytest.approx(1)
    rows = list(csv.DictReader(io.StringIO(run(here, "key.iob", "model.jsonl", "-r", "csv", *options))))
    found = {(row["by"], row["group"], row["metric"]): row for row in rows}
    expected = found["", "", "expected"]
    assert float(expected["recall"]) == system["metrics"]["expected"]["recall"]
    assert [float(expected[end]) for end in ("recall_low", "recall_high")] == system["metrics"]["expected"]["intervals"][
        "recall"
    ]
    first = system["breakdown"]["category"][0]
    assert float(found["category", first["group"], "share"]["value"]) == first["share"]
    assert float(found["category", first["group"], "expected"]["f1"]) == first["expected"]["f1"]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_shows_the_number_and_the_system_or_its_metric(form, here):
    text = run(here, "key.iob", "response.iob", "--by", "category", "--reliability", "--report", form)
    assert ("0.727" if form in ("csv", "tsv", "json") else "72.73") in text
    assert "exact" in text


def test_csv_has_the_reliability_that_is_asked_for(here):
    rows = list(csv.DictReader(io.StringIO(run(here, "key.iob", "model.jsonl", "--report", "csv", "--reliability"))))
    found = {(row["group"], row["metric"]): float(row["value"]) for row in rows if row["by"] == "reliability"}
    # Of 2 (15 + 3) candidates one has 1/4 and four have 1/2, all true; the rest has the default.
    bins = {"[0.01, 0.1)": (31, 1 / 64, 0), "[0.2, 0.3)": (1, 0.25, 1), "[0.5, 0.6)": (4, 0.5, 1)}
    columns = ("candidates", "mean_probability", "share_true")
    assert found == {(name, c): v for name, row in bins.items() for c, v in zip(columns, row, strict=True)}
    assert "reliability" not in run(here, "key.iob", "model.jsonl", "--report", "csv")


def test_csv_of_the_models_says_what_their_table_says(here):
    arguments = ("phrases", "reproduce", "key.iob", "key.iob", "key.iob", "--report")
    rows = list(csv.DictReader(io.StringIO(referee(*arguments, "csv", cwd=here).out)))
    text, value = (referee(*arguments, report, cwd=here).out for report in ("text", "json"))
    # Two sentences of five words and of two; six chunks with the full stop; three categories.
    for row in rows:
        assert [row[f"{corpus}_sentences"] for corpus in ("train", "second", "test")] == ["2"] * 3
        assert (row["test_chunks"], row["test_candidates"]) == ("6", str(3 * (15 + 3)))
        assert row["signature"] == text.splitlines()[-1]
        assert row["signature"].endswith("| categories:3")
        assert row["rates"] == ("parse" if row["model"][0] in "SZ" else "expected")
    covered = {row["model"]: [row[f"uncovered_{of}"] for of in ("true_chunks", "candidates", "bits")] for row in rows}
    uncovered = list(json.loads(value)["uncovered"].values())
    assert [float(share) for share in covered.pop("G")] == uncovered
    assert uncovered[0] == 0  # the rules come from these very chunks
    assert set(map(tuple, covered.values())) == {("", "", "")}


def test_markdown_has_a_table(here):
    text = run(here, "key.iob", "model.jsonl", "--report", "markdown", "--reliability")
    assert text.startswith("| type | recall | precision | F1 | support |\n")
    assert "| metric | recall | precision | F1 | value |  |\n" in text
    assert "**reliability**" in text


def test_one_file_of_columns_holds_key_and_response(here):
    key, response = KEY.splitlines(), RESPONSE.splitlines()
    both = [f"{a} {b.split()[-1]}" if a else "" for a, b in zip(key, response, strict=True)]
    (here / "out.txt").write_text("\n".join(both) + "\n")
    text = run(here, "out.txt", "out.txt")
    # 4 chunks are right, of 5 and of 6.
    assert "exact_match 80.00 66.67 72.73" in " ".join(text.split())
    assert text.endswith("| key:column 3 (IOB2) | response:column 4 (IOB2) | decode:conlleval\n")


def test_all_responses_are_scored_on_one_candidate_space(here):
    (here / "other.iob").write_text(RESPONSE.replace("B-VP", "B-X"))
    report = json.loads(run(here, "key.iob", "response.iob", "other.iob", "--report", "json"))
    assert [system["categories"] for system in report["systems"]] == [["NP", "VP", "X"], ["NP", "X", "VP"]]


def test_settings_stand_in_the_signature(here):
    settings = "--min-probability 1e-7 --without VP --decode IOB2 --categories PP,QP --intervals --resamples 40 --seed 3"
    text = run(here, "key.iob", "response.iob", *settings.split())
    assert "categories:3 | " in text
    assert "min_probability:1e-07 | key:column 3 (IOB2) | response:column 3 (IOB2) | decode:IOB2 | without:VP | " in text
    assert "intervals:percentile | level:0.95 | resamples:40 | seed:3 | unit:sentence" in text
    assert "inf" not in text.partition("\n\n")[0]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("key.iob", "response.iob", "--by", "word"), "no group named 'word'"),
        (("key.iob", "response.iob", "--min-probability", "0.7"), "expected a number above 0 and below 0.5"),
        (("key.iob", "response.iob", "--plot", "x.gif"), "cannot draw x.gif"),
        (("key.iob", "-", "-"), "- is standard input"),
        (("model.jsonl", "key.iob"), "found the probability 0.5; expected 0 or 1 in a key"),
        (("key.iob", "nothing.iob"), "nothing.iob: cannot be opened"),
    ],
)
def test_mistakes_are_told_in_one_line(here, arguments, problem):
    done = referee("phrases", "score", *arguments, cwd=here)
    assert (done.status, done.out, len(done.errors)) == (2, "", 1)
    assert problem in done.err


def test_sentences_that_differ_are_told_in_one_line(here):
    (here / "short.iob").write_text("He PRP B-NP\n\nIt PRP B-NP\nbarked VBD B-VP\n")
    done = referee("phrases", "score", "key.iob", "short.iob", cwd=here)
    assert done == (2, "", "referee: error: short.iob: sentence '1' has 1 word, 5 in key.iob; expected as many\n")
