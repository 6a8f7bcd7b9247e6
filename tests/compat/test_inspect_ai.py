"""The scorer for Inspect, in runs of Inspect with a model that gives stored answers."""

import gc
import json
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

import referee
from referee.basics.exceptions import OptionError, UnknownNameError
from tests.support.harnesses import ANSWERS, KEY, SAID, TEXTS, answer_to, expected, lines, write_key

inspect_ai = pytest.importorskip("inspect_ai", reason="the extra referee[inspect] is not installed")
model = pytest.importorskip("inspect_ai.model")
dataset = pytest.importorskip("inspect_ai.dataset")
solver = pytest.importorskip("inspect_ai.solver")
door = pytest.importorskip("referee.compat.inspect_ai")

pytestmark = pytest.mark.filterwarnings("ignore")  # of Inspect and what it imports


@pytest.fixture(autouse=True)
def _collected():
    """What Inspect leaves open warns while warnings are ignored."""
    yield
    gc.collect()


def output(content):
    """What a model gives; without its usage, Inspect counts tokens."""
    given = model.ModelOutput.from_content("mockllm/model", content)
    given.usage = model.ModelUsage()
    return given


def run(folder, scorer, samples=None, answer=answer_to, **how):
    """The log of a run."""
    task = inspect_ai.Task(
        dataset=door.samples(write_key(folder)) if samples is None else samples, solver=solver.generate(), scorer=scorer
    )
    mock = model.get_model("mockllm/model", custom_outputs=lambda asked, *_: output(answer(asked[-1].text)), memoize=False)
    (log,) = inspect_ai.eval(task, model=mock, display="none", log_dir=str(folder / "logs"), **how)
    return log


def metrics(log):
    assert log.status == "success", log.error
    (score,) = log.results.scores
    return {name: metric.value for name, metric in score.metrics.items()}


def test_the_metrics_are_the_scores_of_the_corpus(tmp_path):
    found = metrics(run(tmp_path, door.coreference(write_key(tmp_path))))
    scores = expected(tmp_path, metrics=list(door.DEFAULT))
    assert {name: found[name] for name in scores} == scores
    assert found.keys() - scores.keys() == {"unread", "without_entities", "repaired"}
    assert (found["unread"], found["without_entities"]) == (1, 2)


def test_the_metrics_are_those_of_the_folder_of_answers(tmp_path):
    folder, names = tmp_path / "answers", ("anna", "cat", "rain")
    folder.mkdir()
    for name in names:
        (folder / f"{name}.txt").write_text(ANSWERS[name], encoding="utf-8")
    key = tmp_path / "three.jsonlines"
    key.write_text(lines({name: KEY[name] for name in names}), encoding="utf-8")
    with pytest.warns(referee.RefereeWarning, match="repaired"):
        together = referee.score(key, folder, metrics=list(door.DEFAULT))
    found = metrics(run(tmp_path, door.coreference(str(key)), door.samples(str(key))))
    assert {name: found[name] for name in together.flat()} == together.flat()


def test_a_score_has_the_figures_of_its_document_and_says_what_was_wrong(tmp_path):
    log = run(tmp_path, door.coreference(write_key(tmp_path), metrics="lea,conll"))
    scores = {sample.id: sample.scores["coreference"] for sample in log.samples}
    assert set(scores) == set(TEXTS)
    assert scores["anna"].value == {"lea_recall": 1, "lea_precision": 1, "lea_f1": 1, "conll": 1}
    assert scores["anna"].answer == ANSWERS["anna"]
    assert scores["ship"].value["lea_f1"] == scores["ship"].value["conll"] == 0
    assert "cannot be read: answer" in scores["ship"].explanation
    assert "repaired" in scores["cat"].explanation
    for name in TEXTS:
        one = referee.score(_corpus(tmp_path, name, KEY), _corpus(tmp_path, name, SAID), metrics="lea")["lea"]
        assert scores[name].value["lea_f1"] == one.f1, name
        assert scores[name].metadata["referee"]["numbers"]["unread"] == (name == "ship")
        assert scores[name].metadata["referee"]["numbers"]["without_entities"] == (name in ("rain", "ship"))


def _corpus(folder, name, entities):
    path = folder / "one.jsonlines"
    path.write_text(lines({name: entities[name]}), encoding="utf-8")
    return referee.read(path)


def test_the_key_may_be_the_target_of_each_sample(tmp_path):
    given = [
        dataset.Sample(id=number, input=" ".join(TEXTS[name][1]), target=lines({name: KEY[name]}))
        for number, name in enumerate(TEXTS, start=1)
    ]
    found = metrics(run(tmp_path, door.coreference(metrics="lea"), given))
    assert found["lea_f1"] == expected(tmp_path, metrics="lea")["lea_f1"]


def test_options_are_those_of_score(tmp_path):
    how = {"metrics": ["muc", "b_cubed"], "profile": "conll-8.01", "average": "macro", "beta": 2}
    found = metrics(run(tmp_path, door.coreference(write_key(tmp_path), **how)))
    scores = expected(tmp_path, **how)
    assert {"muc_f2", "b_cubed_f2"} < scores.keys()
    assert {name: found[name] for name in scores} == scores


def test_answers_that_come_in_each_epoch_are_counted_as_in_one(tmp_path):
    once, twice = (metrics(run(tmp_path, door.coreference(write_key(tmp_path)), epochs=epochs)) for epochs in (1, 2))
    assert once == twice


def test_answers_of_all_epochs_count(tmp_path):
    rest = iter(["[The cat](#1) saw [a bird](#2). [It](#1) hid from [it](#2).", ANSWERS["cat"]])
    key = tmp_path / "cat.jsonlines"
    key.write_text(lines({"cat": KEY["cat"]}), encoding="utf-8")
    log = run(tmp_path, door.coreference(str(key), metrics="muc"), door.samples(str(key)), lambda _: next(rest), epochs=2)
    # Two links of the key in each answer: the first has found both, the second none.
    assert metrics(log)["muc_recall"] == 2 / 4


def test_a_stored_log_gives_the_same_metrics_again(tmp_path):
    log = run(tmp_path, door.coreference(write_key(tmp_path)))
    stored = pytest.importorskip("inspect_ai.log").read_eval_log(log.location)
    again = door.corpus()([door.SampleScore(score=sample.scores["coreference"]) for sample in stored.samples])
    assert again == metrics(log)
    json.dumps(stored.samples[0].scores["coreference"].metadata)


@pytest.mark.slow
def test_a_log_without_scores_is_scored_by_the_command(tmp_path):
    if not entry_points(group="inspect_ai", name="referee"):
        pytest.skip("Referee was installed before it had a scorer for Inspect")
    log = run(tmp_path, None)
    command = ["inspect", "score", log.location, "--scorer", "referee/coreference", "-S", f"key={write_key(tmp_path)}"]
    program = "from inspect_ai._cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *command[1:], "--overwrite"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = pytest.importorskip("inspect_ai.log").read_eval_log(log.location)
    assert metrics(found)["conll"] == expected(tmp_path, metrics="conll")["conll"]


def test_mistakes_are_named(tmp_path):
    key = write_key(tmp_path)
    with pytest.raises(UnknownNameError, match="no metric named 'leaf'; did you mean lea"):
        door.coreference(key, metrics="leaf")
    with pytest.raises(UnknownNameError, match="no option named 'singleton'; did you mean singletons"):
        door.coreference(key, singleton="drop")
    with pytest.raises(OptionError, match="expected no cross_document"):
        door.coreference(key, cross_document="corpus")
    with pytest.raises(UnknownNameError, match="no form of answers named 'tag'; did you mean tagged"):
        door.samples(key, "tag")
    other = [dataset.Sample(id="anne", input=" ".join(TEXTS["anna"][1]))]
    assert "no document named 'anne'; did you mean anna?" in run(tmp_path, door.coreference(key), other).error.message
    assert "the sample anne has no target" in run(tmp_path, door.coreference(), other).error.message
