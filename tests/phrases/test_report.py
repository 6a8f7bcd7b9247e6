"""`referee phrases score`: what is compared with what, over which categories."""

import json
import math
import re

import numpy as np
import pytest

from referee.basics.exceptions import MismatchError, RefereeWarning, UnknownNameError
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.chunking.iob import decode
from referee.phrases.metrics import METRICS, OF_PREDICTIONS
from referee.phrases.models.by_name import fit
from referee.phrases.scoring import score
from tests.support.command import referee
from tests.support.phrases import constant

COLUMNS = "He PRP B-NP\nran VBD B-VP\n. . O\n\nIt PRP B-NP\nrose VBD B-VP\n"
TREES = "(S (NP (PRP He)) (VP (VBD ran)) (. .))\n(S (NP (PRP It)) (VP (VBD rose)))\n"


def lines(*sentences, header=None):
    usual = {"format": "phrase-candidates", "version": 1, "default": {"type": "const", "p": 0}}
    return "".join(json.dumps(line) + "\n" for line in ({**usual, **(header or {})}, *sentences))


CHUNKS = lines(
    {"n": 3, "c": [["NP", 0, 1, 1], ["VP", 1, 2, 1], ["Null", 2, 3, 1]]},
    {"n": 2, "c": [["NP", 0, 1, 1], ["VP", 1, 2, 1]]},
    header={"categories": ["NP", "VP", "Null"]},
)


@pytest.fixture
def here(tmp_path):
    for name, text in {"tags.iob": COLUMNS, "trees.mrg": TREES, "chunks.jsonl": CHUNKS}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / f"same-{name}").write_text(text)
    return tmp_path


def numbers(here, *arguments):
    done = referee("phrases", "score", *arguments, "--report", "json", "-m", "all", cwd=here)
    assert (done.status, done.err) == (0, "")
    metrics = json.loads(done.out)["systems"][0]["metrics"]
    return {f"{m} {side}": v for m, sides in metrics.items() for side, v in sides.items()}


@pytest.mark.parametrize("response", ["tags.iob", "trees.mrg", "chunks.jsonl"])
@pytest.mark.parametrize("key", ["tags.iob", "trees.mrg", "chunks.jsonl"])
@pytest.mark.parametrize("options", [[], ["--untyped"], ["--without", "Null"], ["--without", "Null", "--untyped"]], ids=str)
def test_the_same_phrases_are_the_same_in_every_form(options, key, response, here):
    """Tags say O for words outside of phrases, trees and models have chunks for them."""
    if key == response == "tags.iob" and "--without" in options:  # there is no Null to leave out
        done = referee("phrases", "score", key, f"same-{response}", *options, cwd=here)
        assert done.errors == ["referee: error: no category named 'Null'; known: NP, VP"]
        return
    both = numbers(here, key, f"same-{response}", *options)
    assert (both["expected recall"], both["expected precision"], both["bits_per_sentence value"]) == (1, 1, 0)


def test_a_one_best_prediction_is_scored_alike_in_every_form(here):
    (here / "half.iob").write_text(COLUMNS.replace("B-VP", "O"))
    (here / "half.jsonl").write_text(lines(*({"n": n, "c": [["NP", 0, 1, 1]]} for n in (3, 2)), header={"categories": ["NP"]}))
    for options in (["--min-probability", "0.001"], []):
        tags, candidates = (numbers(here, "tags.iob", f"half.{ending}", *options) for ending in ("iob", "jsonl"))
        assert tags == candidates
    assert (tags["exact_match recall"], tags["exact_match precision"]) == (0.5, 1)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("score tags.iob tags.iob --key-column -1 --without np", "no category named 'np'; known: NP, VP"),
        (
            "score tags.iob chunks.jsonl --without NP,VP,Null",
            "--without leaves out all categories: NP, VP, Null; expected some to be left",
        ),
        (
            "fit -m XK tags.iob --second tags.iob",
            "model XK is fitted to one corpus and does not use tags; expected no --second",
        ),
        ("fit -m XK tags.iob --tagger hmm", "model XK is fitted to one corpus and does not use tags; expected no --tagger"),
    ],
)
def test_what_cannot_be_is_refused(arguments, problem, here):
    done = referee("phrases", *arguments.split(), cwd=here)
    assert (done.status, done.errors) == (2, [f"referee: error: {problem}"])


@pytest.mark.parametrize(
    ("name", "fitted", "arguments", "problem"),
    [
        ("XK", "", "score tags.iob m.json", "m.json: is a model; expected phrases: referee phrases predict makes them"),
        (
            "G", "--second tags.iob", "predict m.json chunks.jsonl",
            "chunks.jsonl: has no tags, which model G needs; expected one for each word",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_done_with_a_model_is_refused(name, fitted, arguments, problem, here):
    assert referee("phrases", "fit", "-m", name, "tags.iob", *fitted.split(), "-o", "m.json", cwd=here).status == 0
    done = referee("phrases", *arguments.split(), cwd=here)
    assert (done.status, done.errors) == (2, [f"referee: error: {problem}"])


@pytest.mark.parametrize("lengths", [(2, 2), (1, 2)])
@pytest.mark.parametrize("numbered", [True, False])
def test_sentences_go_by_their_names_in_any_order(numbered, lengths):
    names = ("1", "2") if numbered else ("a", "b")
    key = Chunks.build(Sentences(names, np.array(lengths)), ["NP"], sentence=[0], start=[0], end=[1], category=[0])
    response = Chunks.build(
        Sentences(names[::-1], np.array(lengths[::-1])), ["NP"], sentence=[1], start=[0], end=[1], category=[0]
    )
    scores = score(key, response).total
    assert (float(scores.recall), float(scores.precision)) == (1, 1)


def test_where_one_side_has_numbers_only_sentences_go_by_their_order():
    key = decode([["B-NP"], ["O"]])
    response = Chunks.build(Sentences(("a", "b"), np.array([1, 1])), ["NP"], sentence=[0], start=[0], end=[1], category=[0])
    assert float(score(key, response).total.recall) == 1


def test_a_sentence_too_many_is_named():
    key = Chunks.build(Sentences(("a", "b"), np.array([1, 1])), ["NP"], sentence=[], start=[], end=[], category=[])
    response = Chunks.build(
        Sentences(("b", "c", "a"), np.array([1, 1, 1])), ["NP"], sentence=[], start=[], end=[], category=[], source="r"
    )
    with pytest.raises(MismatchError, match=r"^r: sentence 'c' is not in <memory>"):
        score(key, response)


def test_other_words_are_told(here):
    (here / "other.iob").write_text(COLUMNS.replace("rose", "fell"))
    done = referee("phrases", "score", "tags.iob", "other.iob", cwd=here)
    assert done.status == 0
    assert done.errors == [
        "referee: warning: other.iob: the words of 1 sentence differ from tags.iob: sentence '2' has 'fell'; expected 'rose'"
    ]


def test_a_table_that_lacks_a_category_of_the_universe_says_so():
    key = decode([["B-NP", "O"]]).with_categories(["NP", "VP"])
    table = PhraseCandidates.unlisted(key.sentences, ["NP"], DefaultProbabilities.by_length([[0.5, 0.5]], 0.25), source="r")
    with pytest.warns(RefereeWarning, match="^r: has no candidates of VP: all their candidates get the probability 0.25"):
        scores = score(key, table).total
    # VP: three false candidates at 1/4. NP: one true and two false at 1/2.
    assert float(scores.cross_entropy) == pytest.approx(3 + 3 * np.log2(4 / 3))


def test_a_response_is_read_once_if_it_has_words_outside_of_phrases(here):
    done = referee("phrases", "score", "tags.iob", "-", cwd=here, stdin=CHUNKS.encode())
    assert (done.status, done.err) == (0, "")
    assert "outside:Null" in done.out


@pytest.mark.parametrize("name", ["S(S(G))", "Z(S(G))", "S(Z)", "S()"])
def test_a_model_that_could_not_be_loaded_is_not_fitted(name):
    key = decode([["B-NP"]])
    with pytest.raises(UnknownNameError, match="no model named"):
        fit(name, key, key)


def test_a_format_that_is_named_is_not_told_from_the_content(here):
    for arguments in (
        ["fit", "-m", "XK", "tags.iob"],
        ["reproduce", "tags.iob", "tags.iob"],
        ["score", "tags.iob", "tags.iob"],
    ):
        done = referee("phrases", *arguments, "--format", "trees", cwd=here)
        assert done.status == 2
        assert done.errors[0].startswith("referee: error: tags.iob:1: found 'He' outside of a tree")


@pytest.mark.parametrize(
    "damaged",
    [
        {"model": "XK", "categories": [], "table": [], "beyond": 0.5},
        {"model": ["XK"], "categories": ["NP"], "table": [[0.5]], "beyond": 0.5},
        {"model": "S(G)", "categories": ["NP"], "phrases": {"model": ["G"]}},
        {"model": "S(G)", "categories": ["NP"], "phrases": {"model": {}}},
    ],
)
def test_a_damaged_model_is_one_line(damaged, here):
    (here / "m.json").write_text(json.dumps({"format": "phrase-model", "version": 1, **damaged}))
    done = referee("phrases", "predict", "m.json", "tags.iob", cwd=here)
    assert done.status == 2
    assert len(done.errors) == 1
    assert re.match("referee: error: m.json: (found |is no right model |no model named )", done.errors[0])


def test_scores_are_a_mapping_that_shows_and_exports_itself():
    key = decode([["B-NP", "B-VP"]])
    scores = score(key, decode([["B-NP", "B-NP"]]))
    assert repr(scores) == "<PhraseScores of <tags>: exact_match 50.00, 5 metrics>"
    assert scores["expected"].recall == scores["exact_match"].f1 == 0.5
    assert "exact_match" in scores
    assert [*scores] == [*OF_PREDICTIONS]
    assert [*score(key, decode([["B-NP", "B-NP"]]), metrics=list(METRICS))] == [*METRICS]
    assert str(scores).startswith("type ")
    rows = scores.to_rows(by=["category"])
    assert {row["by"] for row in rows} == {None, "category", "type", "average"}
    assert next(row["f1"] for row in rows if row["metric"] == "exact_match") == 0.5
    assert "50.00" in scores.report("latex")
    assert "<table" in scores._repr_html_()


def test_metrics_of_1_best_predictions_are_undefined_for_probabilities():
    key = decode([["B-NP"]])
    scores = score(key, constant(key, 0.5))
    assert "exact_match" not in scores
    assert math.isnan(scores["exact_match"].value)
    assert math.isnan(scores["conditional_entropy"].value)
    with pytest.raises(UnknownNameError, match="no metric named 'muc'"):
        score(key, key, metrics=["muc"])


def test_groups_may_be_a_text_and_have_other_names():
    scores = score([["B-PER", "O"]], [["B-PER", "B-LOC"]])
    rows = scores.to_rows(by="type, length")
    assert rows == scores.to_rows(by=["category", "length"])
    assert {"category", "length"} <= {row["by"] for row in rows}


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("f1", "scores['exact_match'].f1"),
        ("macro", "scores.types.averages['macro'] has it"),
        ("errors", "referee.phrases.errors(key, response) has them"),
        ("plot", "referee phrases score KEY RESPONSE --plot FILE draws it"),
    ],
)
def test_an_attribute_that_scores_lack_is_answered_with_what_has_it(name, remedy):
    scores = score([["B-PER", "O"]], [["B-PER", "B-LOC"]])
    with pytest.raises(AttributeError, match=re.escape(remedy)):
        getattr(scores, name)
