"""The task of lm-evaluation-harness, in runs of the harness with a model that gives stored answers."""

import json
import os
import subprocess
import sys

import pytest

from referee.basics.exceptions import OptionError
from tests.support.harnesses import TEXTS, answer_to, expected, write_key
from tests.support.paths import ROOT

lm_eval = pytest.importorskip("lm_eval", reason="the extra referee[lm-eval] is not installed")

TASK = "referee_coreference"
INCLUDED = str(ROOT / "integrations" / "lm_eval")
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}

pytestmark = pytest.mark.filterwarnings("ignore")  # of the harness and what it imports


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    for name, value in OFFLINE.items():
        monkeypatch.setenv(name, value)


def run(metadata):
    """What the harness reports of the stored answers."""
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Stored(LM):
        def generate_until(self, requests, disable_tqdm=False):
            assert all(request.args[1]["until"] == [] for request in requests)  # an answer may have empty lines
            return [answer_to(request.args[0]) for request in requests]

        def loglikelihood(self, requests, disable_tqdm=False):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    manager = TaskManager(include_path=INCLUDED, include_defaults=False, metadata=metadata)
    return lm_eval.simple_evaluate(model=Stored(), tasks=[TASK], task_manager=manager)


@pytest.mark.parametrize("form", ["tagged", "quotes"])
def test_the_results_are_the_scores_of_the_corpus(tmp_path, form):
    report = run({"key": write_key(tmp_path), "form": form})
    results = {name.removesuffix(",none"): value for name, value in report["results"][TASK].items()}
    scores = expected(tmp_path, metrics="mentions,muc,b_cubed,ceaf_e,lea,conll")
    figures = report["higher_is_better"][TASK]
    assert all(results[name] == scores[name] for name in figures.keys() & scores.keys())
    assert figures.keys() - scores.keys() == {"unread", "without_entities", "repaired"}
    assert len(figures) == 13
    assert (results["unread"], results["without_entities"]) == (1, 2)
    assert {name for name, better in figures.items() if not better} == {"repaired", "unread", "without_entities"}
    samples = {sample["doc"]["doc_id"]: sample for sample in report["samples"][TASK]}
    assert set(samples) == set(TEXTS)
    assert samples["anna"]["lea_f1"]["value"] == 1
    assert samples["ship"]["unread"]["notes"][0].startswith("answer")
    assert {name for name, sample in samples.items() if sample["repaired"]["notes"]} == {"cat", "rain"}
    assert samples["cat"]["repaired"]["number"] == 1  # the thoughts
    json.dumps(report["samples"])


@pytest.mark.slow
def test_the_command_runs_the_task(tmp_path):
    command = [sys.executable, "-m", "lm_eval", "--model", "dummy", "--tasks", TASK, "--include_path", INCLUDED]
    given = ["--metadata", json.dumps({"key": write_key(tmp_path)}), "--output_path", str(tmp_path / "out")]
    environment = {**os.environ, **OFFLINE, "HF_HOME": str(tmp_path / "hf")}
    done = subprocess.run([*command, *given], check=False, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (stored,) = (tmp_path / "out").rglob("results_*.json")
    results = json.loads(stored.read_text(encoding="utf-8"))["results"][TASK]
    assert results["unread,none"] == len(TEXTS)  # this model always answers "lol"
    assert results["lea_recall,none"] == 0


def test_a_key_must_be_named():
    with pytest.raises(OptionError, match=r"^found no key; expected its path: --metadata '\{\"key\": \"key.conll\"\}'$"):
        run({})
