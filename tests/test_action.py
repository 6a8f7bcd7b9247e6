"""The action for continuous integration, its script run as a runner would, and the hook of pre-commit."""

import os
import re
import subprocess
import textwrap

import pytest

from tests.support.command import INSTALLED
from tests.support.paths import EXAMPLES, ROOT

ACTION = (ROOT / "action.yml").read_text()
SCRIPT = textwrap.dedent(re.split(r"\n +run: \|\n", ACTION)[1])


def run(tmp_path, **env):
    empty = dict.fromkeys(("BASELINE", "METRICS", "LIMITS", "TOLERANCE"), "")
    files = {name: str(tmp_path / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    path = f"{INSTALLED.parent}{os.pathsep}{os.environ['PATH']}"
    given = {**os.environ, "PROFILE": "default", "KEY": str(EXAMPLES / "key.conll"), **empty, **files, **env, "PATH": path}
    return subprocess.run(["bash", "-euo", "pipefail", "-c", SCRIPT], env=given, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not INSTALLED.exists(), reason="the command is not installed")
def test_the_script_of_the_action(tmp_path):
    response, second = str(EXAMPLES / "response.conll"), str(EXAMPLES / "second.jsonlines")
    done = run(tmp_path, RESPONSE=response, BASELINE=second, LIMITS="conll=60 lea=10")
    assert done.returncode == 2
    assert "no difference can be significant with 2 documents" in done.stderr
    assert run(tmp_path, RESPONSE=response, BASELINE=second, TOLERANCE="5").returncode == 1
    (tmp_path / "GITHUB_OUTPUT").unlink()
    assert run(tmp_path, RESPONSE=response, BASELINE=second, TOLERANCE="30", LIMITS="conll=60 lea=10").returncode == 0
    assert (tmp_path / "GITHUB_OUTPUT").read_text() == "score=67.52\n"
    assert "| conll |" in (tmp_path / "GITHUB_STEP_SUMMARY").read_text()
    assert run(tmp_path, RESPONSE=response, LIMITS="conll=99").returncode == 1
    assert run(tmp_path, RESPONSE=response, LIMITS="conll=60 muc.precision=99").returncode == 1
    harmful = run(tmp_path, RESPONSE=f'$(touch {tmp_path}/x)"; touch {tmp_path}/y; "')
    assert harmful.returncode == 2
    assert not list(tmp_path.glob("[xy]"))


def test_inputs_are_no_part_of_the_script():
    assert "${{" not in SCRIPT


def test_the_hook_checks_files_of_annotation():
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text()
    files = re.search(r"files: (.*)", hook)
    assert all(re.search(files[1], name) for name in ("a.conll", "b/c.conllu", "d.jsonlines.gz"))
    assert not re.search(files[1], "a.py")
