"""The same digits everywhere: Python, NumPy, hash seeds, locales, threads, and the order of everything in a file."""

import json
import os
import shutil
import subprocess
import sys
from random import Random

import pytest

from tests.support.paths import ROOT

SCRIPT = """
import sys, warnings
warnings.simplefilter("ignore")
from referee import Resampling, compare, errors, score
key, response = sys.argv[1:3]
for options in ({}, {"match": "overlap"}, {"repeated_mentions": "merge"}):
    evaluation = score(key, response, metrics="all", **options)
    for name in evaluation:
        columns = evaluation.counts_of(name).columns
        print(name, {column: columns[column].tolist() for column in sorted(columns)}, evaluation[name])
        print(name, evaluation.macro(name))
print(compare(key, {"a": response, "b": key}, resampling=Resampling(resamples=300, seed=7)).to_dict())
print(errors(key, response).to_dict())
"""


def document(random):
    """Entities of a document: nested mentions, repeated ones, singletons."""
    spans = [(start, start + random.choice((1, 1, 2, 3, 8))) for start in range(40)]
    entities = [[] for _ in range(random.randint(3, 25))]
    for span in spans:
        for _ in range(random.choice((0, 1, 1, 1, 1, 1, 1, 1, 1, 2))):
            random.choice(entities).append(span)
    return [sorted(set(entity)) for entity in entities if entity]


def files(folder, order=None):
    """A key and a response; entities and mentions in another order if `order` is given."""
    names = []
    for side in ("key", "response"):
        rows = []
        for number in range(6):
            random = Random(f"{side}{number // 2}")
            clusters = [[[start, end - 1] for start, end in entity] for entity in document(random)]
            if order is not None:
                for cluster in clusters:
                    order.shuffle(cluster)
                order.shuffle(clusters)
            rows.append({"doc_key": f"d{number:02}", "tokens": [f"w{n}" for n in range(50)], "clusters": clusters})
        names.append(f"{side}.jsonlines")
        (folder / names[-1]).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return names


def digits(python, folder, order=None, **env):
    """What the script prints."""
    names = files(folder, order)
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LC_", "LANG", "OMP", "OPENBLAS", "MKL"))}
    environ |= {"PYTHONPATH": str(ROOT / "src"), **env}
    done = subprocess.run(  # noqa: PLW1510  # checked below
        [python, "-c", SCRIPT, *names], cwd=folder, env=environ, capture_output=True, text=True, timeout=300
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def pythons():
    """Other Pythons that have NumPy: those of REFEREE_PYTHONS, and those on the path."""
    names = [f"python3.{minor}" for minor in range(10, 16)]
    known = [*os.environ.get("REFEREE_PYTHONS", "").split(os.pathsep), *map(shutil.which, names)]
    check = "import sys, numpy; print(sys.version_info[:2], numpy.__version__)"
    found = {}
    for python in filter(None, (sys.executable, *known)):
        done = subprocess.run([python, "-c", check], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            found.setdefault(done.stdout, python)
    return [python for python in found.values() if python != sys.executable]


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return digits(sys.executable, tmp_path_factory.mktemp("expected"))


ENVIRONMENTS = [
    {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
    {"PYTHONHASHSEED": "4711", "OPENBLAS_NUM_THREADS": "8", "OMP_NUM_THREADS": "8", "LC_ALL": "tr_TR.UTF-8"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONOPTIMIZE": "1", "PYTHONDEVMODE": "1"},
]


@pytest.mark.parametrize("env", ENVIRONMENTS, ids=["one", "many", "plain"])
def test_seeds_locales_and_threads(env, expected, tmp_path):
    assert digits(sys.executable, tmp_path, **env) == expected


def test_order(expected, tmp_path):
    assert digits(sys.executable, tmp_path, Random(5)) == expected


def test_other_pythons(expected, tmp_path):
    others = pythons()  # asked here, as each is started to answer
    if not others:
        pytest.skip("no other Python has NumPy")
    for python in others:
        assert digits(python, tmp_path) == expected, python
