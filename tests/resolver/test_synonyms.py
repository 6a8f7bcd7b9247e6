"""Synonyms are compared as equal heads are."""

import re

import pytest

from referee import RefereeWarning
from referee.basics.exceptions import FormatError, OptionError
from referee.formats.shared.source import Source
from referee.resolver.files import load
from referee.resolver.learning import fit
from referee.resolver.resolving import resolution
from referee.resolver.rules import Rules
from referee.resolver.synonyms import synonyms_of
from tests.support.command import referee as command
from tests.support.trees import conllu

CARS = conllu("""
The    the    DET  Definite=Def|PronType=Art 2 det   (a
cars   car    NOUN Number=Plur               3 nsubj a)
stop   stop   VERB _                         0 root  _

The    the    DET  Definite=Def|PronType=Art 2 det   (b
Autos  auto   NOUN Number=Plur               3 nsubj b)
burn   burn   VERB _                         0 root  _

The    the    DET  Definite=Def|PronType=Art 2 det   (c
coach  coach  NOUN Number=Sing               3 nsubj c)
burns  burn   VERB _                         0 root  _
""")


def found(synonyms, model="rules", **how):
    corpus = resolution(Source("x", data=CARS.encode()), model, synonyms=synonyms, **how).corpus
    return sorted(sorted(m.text for m in e.mentions) for e in corpus.documents["d"].entities)


APART = [["The Autos"], ["The cars"], ["The coach"]]
TOGETHER = [["The Autos", "The cars"], ["The coach"]]


@pytest.mark.parametrize("model", ["rules", "rules-mean", "tables"])
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_heads_that_share_a_set_are_one(model):
    assert found(None, model) == APART
    assert found([["CAR", "auto"]], model) == TOGETHER
    assert found([["car", "van"], ["auto", "van"]], model) == APART  # a set is not joined with another
    assert found([["car", "coach", "van"], ["car", "auto"]], "rules", quantifier="any")[0] == ["The Autos", "The cars"]
    explained = resolution(Source("x", data=CARS.encode()), model, synonyms=[["car", "auto"]], explain=True)
    assert [why["decision"] for why in explained.explanation.rows()] == ["new", "attached", "new"]


def test_the_number_of_the_rules_says_how_compatible_synonyms_are():
    model = load("rules")
    assert isinstance(model.decoder, Rules)
    numbers = {**model.decoder.numbers, "synonym": 0.0}
    assert found([["car", "auto"]], model._replace(decoder=Rules(numbers))) == APART


@pytest.mark.filterwarnings("ignore:.*expected 100 or more")
def test_a_table_of_synonyms_is_fitted_if_there_are_some(tmp_path):
    path = tmp_path / "train.conllu"
    together = CARS.replace("(b", "(a").replace("b)", "a)")
    path.write_text("".join(together.replace("= d", f"= d{n}") for n in range(40)))
    model = fit(path, synonyms=[["car", "auto"]], epochs=20)
    assert model.decoder.weights["synonym"].any()
    assert model.options["synonyms"] == synonyms_of([["car", "auto"]]).digest
    assert found([["car", "auto"]], model) == TOGETHER
    assert "synonym" not in fit(path, tables=["string", "typeseen", "synonym"]).decoder.weights


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no synonyms; expected a line such as car, automobile"),
        (b"# a comment\n\n", "has no synonyms"),
        (b"car, auto\ncar\tauto\n", ":2: found one word in 'car\\tauto'; expected"),
        (b"car,, auto\n", ":1: found a word that is empty"),
        (b"car, \xff\n", ":1: found the byte 0xff"),
        (b"PAR1car, auto\n", "is parquet, no text; expected a line such as"),
        (b"car\0auto", "found a NUL byte"),
    ],
)
def test_files_that_are_no_dictionary_are_refused(content, message, tmp_path):
    (tmp_path / "words").write_bytes(content)
    with pytest.raises(FormatError, match=re.escape(message)) as error:
        synonyms_of(tmp_path / "words")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", [[], [["car"]], ["car", 1], [["car", 1]], 7])
def test_values_that_are_no_sets_are_refused(value):
    with pytest.raises(OptionError, match="expected sets of two words or more, or a file"):
        synonyms_of(value)


def test_expressions_are_counted(tmp_path):
    (tmp_path / "words").write_text("car, motor car, sports car\nking, monarch\n")
    with pytest.warns(RefereeWarning, match="2 expressions of several words; not used"):
        synonyms_of(tmp_path / "words")


def test_strategies_have_no_synonyms():
    with pytest.raises(OptionError, match="a strategy compares no synonyms"):
        found([["car", "auto"]], strategy="heads")


def test_the_command_takes_a_file_and_the_signature_says_so(tmp_path):
    (tmp_path / "in.conllu").write_text(CARS)
    (tmp_path / "words").write_text("# vehicles\n\nCar, auto\r\n")
    done = command("resolve", "in.conllu", "--model", "rules", "--synonyms", "words", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert f"synonyms:{synonyms_of([['auto', 'Car']]).digest[:8]}" in done.out
    refused = command("resolve", "fit", "in.conllu", "--with", "synonym", cwd=tmp_path)
    assert (refused.status, refused.err.count("\n")) == (2, 1)
