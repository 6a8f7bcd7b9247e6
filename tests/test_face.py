"""The public face of the package: what it exports, and what a type checker sees of it."""

import subprocess
import sys
from importlib import import_module
from typing import get_args, get_type_hints

import pytest

import referee
from referee.basics.options.options import RECORDS, Options
from referee.basics.options.types import ScoreOptions
from referee.corpus.cross_document import GROUPINGS
from referee.stats.choices import INTERVALS, UNITS
from referee.stats.settings import Resampling, ResamplingOptions

CLIENT = """
import referee

evaluation = referee.score("key.conll", "response.conll", singletons="drop", metrics=["muc", "lea"])
recall: float | None = evaluation["muc"].recall
found: int = referee.errors([{"a"}], [{"a"}]).counts["missed"]
document: str = referee.read("key.conll").doc_ids[0]
resampling = referee.Resampling(seed=1, resamples=1000, level=0.9, unit="document", method="bca")
comparison = referee.compare("key.conll", ["a.conll"], by=str.lower, resampling=resampling, metrics="conll", average="macro")
better: bool = comparison["a.conll", "conll"].difference is not None
alpha: float = referee.agree({"ann": "a.conll", "bob": "b.conll"}, singletons="drop").together["alpha masi"]
reveal_type(referee.score)
"""

MISTAKES = {
    'referee.scoer("a", "b")': 'has no attribute "scoer"',
    'referee.score("a", "b", singleton="drop")': 'Unexpected keyword argument "singleton"',
    'referee.score("a", "b", singletons="dropp")': "incompatible type",
    'referee.score("a", "b")["muc"].recal': 'has no attribute "recal"',
    'referee.compare("a", ["b"], singleton="drop")': 'Unexpected keyword argument "singleton"',
    'referee.compare("a", ["b"], average="mean")': "incompatible type",
    'referee.agree(["a", "b"], zero="drop")': 'Unexpected keyword argument "zero"',
    'referee.agree(["a", "b"], zeros="dropp")': "incompatible type",
}


def checked(tmp_path, code):
    pytest.importorskip("mypy", reason="needs the extra referee[dev]")
    (tmp_path / "client.py").write_text(code)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path), "client.py"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout


def test_a_client_is_type_checked_and_mistakes_are_found(tmp_path):
    code = CLIENT + "\n".join(MISTAKES) + "\n"
    said = checked(tmp_path, code)
    assert 'Revealed type is "def (key: object' in said, said
    first = len(CLIENT.splitlines())
    for line, expected in enumerate(MISTAKES.values(), start=first + 1):
        assert any(row.startswith(f"client.py:{line}: error") and expected in row for row in said.splitlines()), (
            expected,
            said,
        )
    assert said.count("error:") == len(MISTAKES), said


def test_every_public_name_is_seen_and_comes_from_its_home():
    assert dir(referee) == sorted(referee.__all__)
    for name, home in referee._HOME.items():
        module = import_module(home)
        assert getattr(referee, name) is (
            module if name in ("metrics", "parsing", "phrases", "resolver") else getattr(module, name)
        )
    with pytest.raises(AttributeError, match="no attribute 'scoer'"):
        _ = referee.scoer


def test_the_options_of_type_checkers_are_the_options():
    hints = get_type_hints(ScoreOptions)
    assert set(hints) == set(Options.__dataclass_fields__) - {"profile"}
    for name in RECORDS.keys() - {"profile", "cross_document"}:
        if RECORDS[name].choices:
            choices = get_args(hints[name])[0] if RECORDS[name].takes_function else hints[name]
            assert get_args(choices) == RECORDS[name].choices, name
    resampling = get_type_hints(ResamplingOptions)
    assert set(resampling) == set(Resampling.__dataclass_fields__) - {"test"}
    (methods, _), (units, _) = get_args(resampling["method"]), get_args(resampling["unit"])
    assert (get_args(methods), get_args(units)) == (INTERVALS, UNITS)
    (topics, _) = get_args(hints["cross_document"])
    assert set(get_args(topics)) == set(GROUPINGS) - {"document"}


def test_a_missing_file_is_a_file_not_found(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.conll: cannot be opened: no such file"):
        referee.read(tmp_path / "none.conll")
    with pytest.raises(referee.FormatError, match="cannot be opened"):
        referee.score(tmp_path / "none.conll", [{"a"}])


def test_a_metric_can_be_called_on_data_and_asked_for_later():
    key, response = [{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}]
    evaluation = referee.score(key, response)
    assert referee.metrics.muc(key, response) == evaluation["muc"]
    assert referee.metrics.ari(key, response) == evaluation["ari"]
    assert evaluation["md"] == evaluation["mentions"]
    assert "ari" not in evaluation
