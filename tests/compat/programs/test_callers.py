"""Programs of others that start a scorer, and read what it prints, work unchanged with `referee as`."""

import ast
import re
import shutil
import subprocess
import sys

import pytest

from referee import read
from referee.cli.main import main
from referee.compat.programs.corefud_scorer import run as corefud_scorer
from referee.compat.programs.scorer_pl import run as scorer_pl
from tests.support.conll_pairs import write_pair
from tests.support.programs import FOLDER, corefud

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning", "ignore::DeprecationWarning", "ignore::SyntaxWarning")


def caller(path):
    """A file of another project; skipped where it is not at hand."""
    if not (FOLDER / path).is_file():
        pytest.skip(f"needs {FOLDER / path}: name its folder as REFEREE_PROGRAMS")
    return FOLDER / path


def shim(program, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    assert main(["as", "--write-shim", program, str(path)]) == 0


def function(path, name, **names):
    """A function of a script, without the rest of the script."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    exec(compile(tree, str(path), "exec"), names)
    return names[name]


def percent(key, response, metric):
    """F as scorer.pl prints it."""
    return float(re.findall(r"F1: ([0-9.]+)%", scorer_pl([metric, key, response, "none"]).text)[-1])


def test_conll_py_of_e2e_coref(tmp_path, monkeypatch, installed):
    path = caller("e2e-coref/conll.py")
    key, response = write_pair(13, tmp_path, 2)
    clusters = {
        f"doc{n}_0": [[(m.start, m.end - 1) for m in entity.mentions] for entity in document.entities]
        for n, document in enumerate(read(response).documents.values())
    }
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", installed["PATH"])
    names = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    shim("scorer.pl", tmp_path / "conll-2012" / "scorer" / "v8.01" / "scorer.pl")
    found = names["evaluate_conll"](key, clusters)
    assert {metric: sides["f"] for metric, sides in found.items()} == {m: percent(key, response, m) for m in found}
    if (FOLDER / "reference-coreference-scorers").is_dir():
        shutil.rmtree(tmp_path / "conll-2012")
        (tmp_path / "conll-2012" / "scorer").mkdir(parents=True)
        (tmp_path / "conll-2012" / "scorer" / "v8.01").symlink_to(FOLDER / "reference-coreference-scorers")
        assert names["evaluate_conll"](key, clusters) == found


def test_calculate_conll_of_wl_coref(tmp_path, installed):
    script = caller("wl-coref/calculate_conll.py")
    key, response = write_pair(13, tmp_path, 2)
    shim("scorer.pl", tmp_path / "reference-coreference-scorers" / "scorer.pl")
    for path, kind in ((key, "gold"), (response, "pred")):
        shutil.copy(path, tmp_path / f"x_dev_e1.{kind}.conll")
    command = [sys.executable, str(script), "x", "dev", "1", "--log-dir", str(tmp_path)]
    printed = subprocess.run(command, cwd=tmp_path, env=installed, capture_output=True, text=True, check=True).stdout
    scores = {metric: percent(key, response, metric) for metric in ("muc", "ceafe", "bcub")}
    assert printed.splitlines()[:3] == [f"{metric} {value}" for metric, value in scores.items()]


def test_calc_coref_metrics_of_booknlp(tmp_path, monkeypatch, installed):
    path = caller("booknlp/booknlp/common/calc_coref_metrics.py")
    key, response = write_pair(13, tmp_path)
    shim("scorer.pl", tmp_path / "scorer.pl")
    monkeypatch.setenv("PATH", installed["PATH"])
    get_coref_score = function(path, "get_coref_score", subprocess=subprocess, re=re)
    for metric in ("bcub", "muc", "ceafe"):
        found = get_coref_score(metric, str(tmp_path / "scorer.pl"), gold=key, preds=response)
        assert found[2] == percent(response, key, metric)  # it takes the response for the key


def test_parse_report_of_xrenner(tmp_path):
    parse_report = function(caller("xrenner/utils/get_decision_weights.py"), "parse_report", re=re)
    key, response = write_pair(13, tmp_path)
    scores = [percent(key, response, metric) for metric in ("muc", "bcub", "ceafe")]
    assert parse_report(scorer_pl(["all", key, response, "(doc0); part 000"]).text) == [sum(scores) / 3.0, *scores]


def test_the_scripts_of_corpipe(tmp_path, installed):
    for name in ("corefud-score.sh", "res.py"):
        shutil.copy(caller(f"crac2024-corpipe/{name}"), tmp_path)
    shim("corefud-scorer", tmp_path / "corefud-scorer" / "corefud-scorer.py")
    python = tmp_path / "venv" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    logs = tmp_path / "logs" / "exp"
    logs.mkdir(parents=True)
    key, response = (logs / name for name in ("key.conllu", "ca.1.conllu"))
    for path, text in zip((key, response), corefud(2).files.values(), strict=True):
        path.write_text(text, encoding="utf-8")

    def run(*command):  # the script for the shell ends with an unmet condition
        return subprocess.run(command, cwd=tmp_path, env=installed, capture_output=True, text=True, check=False).stdout

    run("sh", "corefud-score.sh", str(key), str(response))
    conll = corefud_scorer([str(key), str(response), "-m", "muc", "bcub", "ceafe", "zero"]).text.rsplit(" ", 1)[1].strip()
    assert run(sys.executable, "res.py", "exp").splitlines()[1].split("\t")[:2] == ["last", conll]
