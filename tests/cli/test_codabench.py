"""The bundle of a competition is run as Codabench runs it: folders `input/ref`, `input/res` and `output` below `/app`."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile

import pytest

from referee import score
from tests.support.command import told
from tests.support.paths import ROOT

WORDS = ["Qwyjibo", "saw", "a", "Xyzzy", "."]
LINE = {"doc_key": "d1", "sentences": [WORDS], "clusters": [[[0, 0], [2, 3]], [[1, 1], [4, 4]]]}
OTHER = {**LINE, "clusters": [[[0, 0], [2, 3], [1, 1]]]}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """A bundle, unpacked as Codabench does."""
    task, app = tmp_path_factory.mktemp("task"), tmp_path_factory.mktemp("app")
    (task / "gold").mkdir()
    for name in "xy":
        (task / "gold" / f"{name}.jsonlines").write_text(json.dumps({**LINE, "doc_key": name}) + "\n")
    (task / "task.toml").write_text('name = "Täsk: 1"\nkey = "gold"\nmetrics = ["muc", "conll"]\nby = "file"\n')
    done = told("board", "--task", "task.toml", "--codabench", "bundle.zip", "--image", "me/referee:1", cwd=task)
    assert (done.status, done.errors) == (0, ["referee: wrote bundle.zip: scored in the image me/referee:1"])
    with zipfile.ZipFile(task / "bundle.zip") as bundle:
        bundle.extractall(app / "bundle")
    for archive, place in (("reference_data", "input/ref"), ("scoring_program", "program")):
        with zipfile.ZipFile(app / "bundle" / f"{archive}.zip") as inner:
            inner.extractall(app / place)
    return app


def run(app, files):
    """Run the command of the scoring program on a submission, as in the container."""
    for folder in ("input/res", "output"):
        shutil.rmtree(app / folder, ignore_errors=True)
        (app / folder).mkdir()
    for name, lines in files.items():
        (app / "input/res" / name).parent.mkdir(exist_ok=True, parents=True)
        (app / "input/res" / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = (app / "program/metadata.yaml").read_text().removeprefix("command: ").strip()
    assert command.startswith("python3 ")
    words = [sys.executable, *(word.replace("/app/", f"{app}/") for word in shlex.split(command)[1:])]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(words, cwd=app / "program", env=env, capture_output=True, text=True, check=False)


def test_the_competition_has_what_codabench_asks_for(app):
    yaml = pytest.importorskip("yaml")
    bundle = app / "bundle"
    competition = yaml.safe_load((bundle / "competition.yaml").read_text(encoding="utf-8"))
    assert competition["version"] == 2
    assert (competition["title"], competition["docker_image"]) == ("Täsk: 1", "me/referee:1")
    (task,), (phase,), (board,) = (competition[name] for name in ("tasks", "phases", "leaderboards"))
    named = [competition["image"], competition["terms"], *(page["file"] for page in competition["pages"])]
    for name in (*named, task["reference_data"], task["scoring_program"]):
        assert (bundle / name).stat().st_size
    assert phase["tasks"] == [task["index"]]
    assert phase["start"] is not None
    assert [(column["key"], column["sorting"]) for column in board["columns"]] == [("conll", "desc"), ("muc", "desc")]
    assert [column["title"] for column in board["columns"]] == ["CoNLL, mean by file", "MUC, mean by file"]
    assert (bundle / "logo.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("folder", ["", "mine/"])
def test_a_submission_has_the_scores_of_the_command(app, folder):
    files = {f"{folder}x.jsonlines": [{**LINE, "doc_key": "x"}], f"{folder}y.jsonlines": [{**OTHER, "doc_key": "y"}]}
    done = run(app, files)
    assert (done.returncode, done.stderr) == (0, "")
    rows = score(app / "input/ref/gold", app / "input/res" / folder, metrics="muc,conll").to_rows(by="file")
    want = {row["metric"]: round(100 * row["value"], 2) for row in rows if row["average"] == "macro"}
    assert json.loads((app / "output/scores.json").read_text()) == want
    assert 0 < want["conll"] < 100
    page = (app / "output/detailed_results.html").read_text()
    assert "macro (mean of 2 files)" in page and "Qwyjibo" not in page


def test_a_file_that_lacks_counts_as_0(app):
    done = run(app, {"x.jsonlines": [{**LINE, "doc_key": "x"}]})
    assert done.returncode == 0
    assert "1 of 2 documents of" in done.stderr
    assert json.loads((app / "output/scores.json").read_text())["conll"] == 50


@pytest.mark.parametrize(("files", "reason"), [
    ({}, "the submission is empty"),
    ({"x.jsonlines": []}, "is empty"),
    ({"x.jsonlines": [{**LINE, "doc_key": "x", "sentences": [["Qwyjibo", "saw", "a", "Plugh", "."]]}]}, "token 3: found …"),
    ({"x.jsonlines": [{**LINE, "doc_key": "x"}], "z.jsonlines": [{**LINE, "doc_key": "z"}]}, "in no file of"),
])  # fmt: skip
def test_a_submission_that_cannot_be_scored_fails_with_the_reason_and_no_words(app, files, reason):
    done = run(app, files)
    assert done.returncode == 1
    assert reason in done.stderr
    assert not any(word in done.stderr for word in ("Xyzzy", "Plugh", "Traceback"))
    assert not any((app / "output").iterdir())


def test_mistakes(tmp_path):
    (tmp_path / "key.jsonlines").write_text(json.dumps(LINE))
    (tmp_path / "none.toml").write_text("")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/far.toml").write_text('key = "../key.jsonlines"')
    for call, expected in (
        (["--codabench", "b.zip"], "is of a task, without responses"),
        (["key.jsonlines"], "found no -o SITE"),
        (["--task", "none.toml", "--codabench", "b.zip"], "none.toml names no key"),
        (["--task", "inner/far.toml", "--codabench", "b.zip"], "is not beside inner/far.toml"),
    ):
        done = told("board", *call, cwd=tmp_path)
        assert (done.status, len(done.errors)) == (2, 1)
        assert expected in done.err
        assert not (tmp_path / "b.zip").exists()
