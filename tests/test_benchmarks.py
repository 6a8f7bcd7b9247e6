"""The benchmarks time every format that can be read, and every response, and their makers write what they say."""

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from referee import read
from referee.inputs.registry import FORMATS
from referee.phrases.formats.registry import FORMATS as PHRASE_FORMATS
from tests.support.paths import EXAMPLES, ROOT

SCRIPTS = [script.stem for script in (ROOT / "benchmarks").glob("*.py")]
TABLES = {"rows", "table", "xlsx", "s2and", "pairs"}
ANSWERS = {"tagged", "quotes"}
NEEDS = {"docbin": "spacy", "xlsx": "openpyxl", **dict.fromkeys(("parquet", "arrow", "table"), "pyarrow")}
"""What some formats are written with."""


@pytest.fixture(scope="module", autouse=True)
def scripts():
    """The scripts are on the path, as when one of them runs, and their names are free again behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        yield
    for name in SCRIPTS:
        sys.modules.pop(name, None)


def benchmark(name):
    return import_module(name)


def test_every_format_is_timed():
    names = [*FORMATS, *(f"phrases-{name}" for name in PHRASE_FORMATS)]
    assert {f"format-{name}" for name in names} <= set(benchmark("cases").GROUPS["formats"])


def test_every_format_stands_beside_plain_files_and_bytes():
    cases = benchmark("cases")
    for name in cases.GROUPS["formats"]:
        case = cases.CASES[name]
        assert "score" in cases.CASES[case.plain].command.split()[:2]
        assert set(case.bound.split()) <= set(cases.CASES)


@pytest.mark.parametrize("verb", ["score", "errors", "inspect", "compare", "agree", "convert", "thresholds"])
def test_growth_is_timed_with_every_response(verb):
    cases = benchmark("cases")
    commands = {response: cases.CASES[f"{verb}-{response}"].command for response in ("unlike", "random", "empty", "giant")}
    assert all(f".{response}." in command for response, command in commands.items())
    assert {f"{verb}-{response}" for response in commands} | {verb} <= set(cases.GROUPS["shapes"])


def test_every_file_of_a_case_has_a_maker():
    cases, files = benchmark("cases"), benchmark("files")
    words = {word for case in cases.CASES.values() for word in case.command.split() if ".key." in word or ".medium." in word}
    assert [word for word in words if not files.IS_FILE.match(word)] == []


def entities(corpus):
    """The strings of each entity, without blanks: tools have tokens of their own."""
    found = {}
    for document, start, end, entity in zip(corpus.document, corpus.start, corpus.end, corpus.entity, strict=True):
        found.setdefault(int(entity), []).append("".join(corpus.text.words[document].tokens[start:end]))
    return sorted(map(sorted, found.values()))


@pytest.mark.filterwarnings("ignore:.*a probability of at least 0.5:referee.RefereeWarning")
def test_files_of_each_format_have_the_entities_of_the_texts(tmp_path):
    formats = benchmark("formats")
    key = EXAMPLES / "key.conll"
    documents, expected = formats.documents(key), read(key)
    for name in set(formats.FORMATS) - ANSWERS:
        if not find_spec(NEEDS.get(name, "numpy")):
            continue
        formats.write(tmp_path / name, documents, name)
        found = read(tmp_path / name, format="parquet" if name == "table" else name)
        if name in TABLES:
            assert (len(found.entity), len(set(found.entity))) == (len(expected.entity), len(set(expected.entity))), name
        else:
            assert entities(found) == entities(expected), name


@pytest.mark.parametrize(("response", "there", "in_largest"), [("unlike", 1, 0.01), ("empty", 0, 0), ("giant", 1, 1)])
def test_responses_are_what_they_are_called(response, there, in_largest):
    import numpy as np

    entity = np.repeat(np.arange(200), 5)
    found, kept = benchmark("corpora").RESPONSES[response](entity, 200, np.random.default_rng(1))
    assert kept.mean() == there
    sizes = np.unique(found[kept], return_counts=True)[1]
    assert sizes.max(initial=0) >= in_largest * len(entity)
    if response == "unlike":
        assert (found == entity).mean() < 0.05
