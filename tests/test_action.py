"""The action for continuous integration, its script run as a runner would, and the hook of pre-commit."""

import json
import os
import re
import subprocess
import textwrap
from contextlib import suppress

import pytest

from referee.basics.exceptions import MissingExtraError
from referee.inputs.registry import FORMATS, load_format
from tests.support.command import INSTALLED, process, told
from tests.support.paths import EXAMPLES, ROOT
from tests.support.samples import samples

ACTION = (ROOT / "action.yml").read_text()
SCRIPT = textwrap.dedent(re.split(r"\n +run: \|\n", ACTION)[1])


def run(tmp_path, **env):
    empty = dict.fromkeys(("BASELINE", "METRICS", "LIMITS", "TASK", "TOLERANCE"), "")
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
    assert run(tmp_path, RESPONSE=response, LIMITS="conll=60 muc.precision=99").returncode == 1
    harmful = run(tmp_path, RESPONSE=f'$(touch {tmp_path}/x)"; touch {tmp_path}/y; "')
    assert harmful.returncode == 2
    harmful = run(tmp_path, RESPONSE=response, KEY=f'$(touch {tmp_path}/x)"; touch {tmp_path}/y; "')
    assert harmful.returncode == 2
    assert not list(tmp_path.glob("[xy]"))


def test_inputs_are_no_part_of_the_script():
    assert "${{" not in SCRIPT


NAMES = {
    ".conll": "conll",
    ".conllu": "corefud",
    ".tsv": "webanno gap tsv",
    ".CONLLUA": "ua",
    ".xml": "arrau ecb tei",
    ".mmax": "mmax2",
    ".ca2": "corefannotator",
    ".xmi": "uima",
    ".naf": "naf",
    ".aa": "glozz",
    ".ann": "litbank brat",
    ".sgml": "muc",
    ".spacy": "docbin",
    ".entities": "booknlp",
    ".json": "labelstudio elit stanza corenlp allennlp rows s2and clusters",
    ".jsonl": "doccano prodigy preco maverick fastcoref",
    ".txt": "winobias tagged links",
    ".jsonlines": "jsonlines",
    ".md": "quotes",
    ".csv": "pairs csv",
    ".sacr": "sacr",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".xlsx": "xlsx",
}
"""How people call files of each format: ending -> formats."""

ENDINGS = {name: ending for ending, names in NAMES.items() for name in names.split()}

HOOK = (ROOT / ".pre-commit-hooks.yaml").read_text()
PATTERN = re.search(r"files: (.*)", HOOK)[1]
ENTRY = re.search(r"entry: referee (.*)", HOOK)[1].split()
PROSE = {"winobias", "tagged", "quotes", "links"}
"""Formats of texts with the endings of any text, which the hook leaves alone."""


def hook(*paths):
    """Run the hook as pre-commit does: on files whose names fit."""
    fitting = [path for path in paths if re.search(PATTERN, str(path))]
    return told(*ENTRY, *fitting) if fitting else None


def test_the_pattern_of_the_hook_has_the_endings_of_all_formats():
    assert {*ENDINGS} == {*FORMATS}
    assert {name for name, ending in ENDINGS.items() if not re.search(PATTERN, f"a{ending}")} == PROSE
    assert all(re.search(PATTERN, name) for name in ("d.jsonlines.gz", "x.v4_gold_conll", "b/c.conllu"))
    assert not any(re.search(PATTERN, name) for name in ("a.py", "a.txt", "conll", "aconll", "README.md"))
    writing = {ending for name in FORMATS for ending in load_format(name).endings} - {".txt"}
    assert all(re.search(PATTERN, f"a{ending}") for ending in writing)


@pytest.mark.parametrize("format", sorted({*FORMATS} - PROSE))
def test_the_hook_passes_good_files_and_stops_bad_ones(tmp_path, format):
    stopped = 0
    with suppress(MissingExtraError):
        for number, sample in enumerate(samples(format)):
            first, content = next(iter(sample.items()))
            name = first if "." in first else f"{first}{ENDINGS[format]}"
            for share in (10, 9, 6, 3):
                folder = tmp_path / f"{number}-{share}"
                for other, inner in {**sample, name: content[: len(content) * share // 10]}.items():
                    (folder / other).parent.mkdir(parents=True, exist_ok=True)
                    (folder / other).write_bytes(inner)
                done = hook(folder / name)
                assert share < 10 or done.status == 0 or "repeated mention" in done.out
                stopped += done.status == 1
        assert stopped


def test_the_hook_leaves_out_what_is_no_annotation(tmp_path):
    (tmp_path / "package.json").write_text('{"name": "x", "scripts": {"a": "b"}}')
    (tmp_path / "pom.xml").write_text("<project><a>1</a></project>")
    (tmp_path / "documents.tsv").write_text("document\tgenre\na\tnews\nb\ttalk\n")
    (tmp_path / "a.conll").write_text("#begin document (a)\na\t(1\n")
    done = hook(tmp_path / "package.json", tmp_path / "pom.xml", tmp_path / "documents.tsv")
    assert (done.status, done.out) == (0, "")
    assert "left out 3 files as no annotation" in done.err
    assert hook(tmp_path / "a.conll", tmp_path / "pom.xml").status == 1
    done = told("validate", EXAMPLES / "response.conll", "--key", EXAMPLES / "key.conll", "--skip-other-files")
    assert (done.status, "none of which is left out" in done.err) == (2, True)


def test_two_files_of_a_hook_are_not_compared(tmp_path):
    for name, word in (("a", "Ann"), ("b", "Bo")):
        (tmp_path / f"{name}.conll").write_text(f"#begin document (d)\n{word}\t(1)\n\n#end document\n")
    assert told("validate", tmp_path / "a.conll", tmp_path / "b.conll").status == 1
    assert hook(tmp_path / "a.conll", tmp_path / "b.conll").status == 0


SOME = ("brat", "webanno", "labelstudio")


@pytest.mark.skipif(not INSTALLED.exists(), reason="the command is not installed")
@pytest.mark.parametrize(
    "format",
    [name if name in SOME else pytest.param(name, marks=pytest.mark.slow) for name in sorted({*FORMATS} - {"links", "quotes"})],
)
def test_the_action_takes_good_files_and_stops_at_bad_ones(tmp_path, format):
    """Each sample as a response to itself; and a damaged one, which is not scored."""
    try:
        sample = samples(format)[0]
    except MissingExtraError:
        pytest.skip("needs an extra")
    first, content = next(iter(sample.items()))
    for part, inner in (("good", content), ("bad", content[: len(content) // 2] + b"\0")):
        for other, bytes_of in {**sample, first: inner}.items():
            (tmp_path / part / other).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / part / other).write_bytes(bytes_of)
    good, bad = (str(tmp_path / part / first) for part in ("good", "bad"))
    done = run(tmp_path, KEY=good, RESPONSE=good)
    assert done.returncode == 0, done.stderr
    (tmp_path / "GITHUB_STEP_SUMMARY").unlink()
    done = run(tmp_path, KEY=good, RESPONSE=bad)
    assert done.returncode == 1
    assert f"::error file={bad}" in done.stdout
    assert not (tmp_path / "GITHUB_STEP_SUMMARY").exists()


def test_the_action_takes_the_file_of_a_task(tmp_path):
    second = str(EXAMPLES / "second.jsonlines")
    assert run(tmp_path, KEY="", TASK=str(EXAMPLES / "task.toml"), PROFILE="", RESPONSE=second).returncode == 0
    summary = (tmp_path / "GITHUB_STEP_SUMMARY").read_text()
    assert "singletons:dropped" in summary
    assert (tmp_path / "GITHUB_OUTPUT").read_text() == "score=88.39\n"


def test_the_action_installs_its_own_source():
    assert 'run: python -m pip install --quiet "${VERSION:-$GITHUB_ACTION_PATH}"' in ACTION
    assert 'version: {description: "what pip installs; without it, the source of this action", default: ""}' in ACTION


@pytest.mark.skipif(not INSTALLED.exists(), reason="the command is not installed")
def test_the_entry_point_of_the_image_takes_arguments():
    file = (ROOT / "packaging" / "Containerfile").read_text()
    entry, usual = (json.loads(re.search(f"^{name} (.*)$", file, re.MULTILINE)[1]) for name in ("ENTRYPOINT", "CMD"))
    assert told(*usual).status == 0
    assert [INSTALLED.name] == entry
    done = process("score", EXAMPLES / "key.conll", EXAMPLES / "response.conll", "-q", command=[INSTALLED.with_name(*entry)])
    assert (done.status, done.out) == (0, "67.52\n")
