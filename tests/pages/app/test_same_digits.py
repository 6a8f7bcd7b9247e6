"""Every byte of a report is the same in WebAssembly: the conformance sets, the verbs of the page, and numbers past 32 bits."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from referee.pages.app.site import package_zip
from tests.golden.test_conformance import CORPORA, TC, files
from tests.support.command import told
from tests.support.corefud_kit import KIT as COREFUD
from tests.support.paths import EXAMPLES, SHARED

LITBANK = [str(SHARED / "conformance" / "litbank" / f"litbank.{name}.conll.gz") for name in ("key", "mild", "severe")]
RAW = ("-m", "all", "--tokens", "warn", "-r", "json")
ITEMS = 150_000
"""In one entity: the pairs of an entity, and the square of its size, take 34 bits."""


def conformance():
    pairs = [*(files("reference-tests", pair) for pair in TC), *(files(*pair) for pair in CORPORA[::2])]
    for folder in ("adversarial", "ua-own", "gum-by-zeros"):
        keys = sorted((COREFUD / folder).glob("*.key*"))
        pairs += [
            (key, key.with_name(key.name.replace(".key.", f".{of}."))) for key in keys for of in ("sys", "sys1", "response")
        ]
    return [["score", str(key), str(response), *RAW] for key, response in pairs if response.exists()]


def verbs():
    key, mild, severe = LITBANK
    return [
        ["score", key, mild, severe, "--by", "document", "-r", "csv"],
        ["score", key, severe, "--match", "overlap", *RAW],
        ["score", key, severe, "--cross-document", "corpus", *RAW],
        ["compare", key, mild, severe, "-r", "json"],
        ["correlate", key, mild, severe, "-r", "json"],
        ["correlate", key, mild, severe, "--by", "document", "--coefficient", "spearman", "-r", "json"],
        ["errors", key, severe, "--by", "error", "-r", "json"],
        ["agree", key, mild, severe, "-r", "json"],
        ["inspect", key, severe, "-o", "-"],
        ["inspect", key, "-o", "-"],
        ["convert", key, "-", "--to", "jsonlines"],
        ["validate", key],
        ["score", key, "absent.conll"],
    ]


def giants(folder):
    entities = {"one": lambda n: 0, "half": lambda n: min(n, ITEMS // 2), "many": lambda n: n % 1000}
    paths = [str(folder / f"{name}.csv") for name in entities]
    for path, entity in zip(paths, entities.values(), strict=True):
        Path(path).write_text("item,entity\n" + "".join(f"r{n},{entity(n)}\n" for n in range(ITEMS)))
    one, half, many = paths
    return [["score", one, half, *RAW], ["score", many, half, *RAW], ["errors", one, half, "-r", "json"], ["agree", one, many]]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is absent")
def test_reports_are_the_same_in_webassembly(pyodide, tmp_path):
    jobs = [["score", str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll"), *RAW], *giants(tmp_path)]
    if SHARED.is_dir():
        jobs += conformance() + verbs()
    archive, tasks, results = (tmp_path / name for name in ("referee.zip", "jobs.json", "results.json"))
    archive.write_bytes(package_zip())
    tasks.write_text(json.dumps(jobs))
    folders = [folder for folder in (SHARED, EXAMPLES, tmp_path) if folder.is_dir()]
    script = Path(__file__).with_name("command.mjs")
    subprocess.run(["node", script, pyodide, archive, tasks, results, *folders], check=True, stderr=subprocess.DEVNULL)
    for argv, found in zip(jobs, json.loads(results.read_text()), strict=True):
        assert found == list(told(*argv)), " ".join(argv)
