"""Models in files: what is written is read again, and what is no model is refused."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given as draws, strategies as st

import referee
from referee.basics.exceptions import FormatError, OptionError, RefereeWarning, UnknownNameError
from referee.formats.shared.source import Source
from referee.resolver.detect import Detector
from referee.resolver.files import NAMES, SHIPPED, _digest, check_numbers, load, of_rules, of_tables, text_of
from referee.resolver.learning import fit
from referee.resolver.resolving import resolution
from referee.resolver.rules import FIRST_GUESS, GRID, WORDS, Rules
from referee.resolver.showing import show
from referee.resolver.tables import OWN, SIZE_OF_FIELD, TABLES, Tables, add_table, shape_of
from tests.support.command import referee as command
from tests.support.examples import examples
from tests.support.trees import ANN, APPOSITION, COPULA, KIT, conllu

pytestmark = pytest.mark.filterwarnings("ignore:.*between mentions; expected 100 or more")
TRAIN = "".join(
    conllu(text.replace("(c)", "(a)").replace("(d)", "(b)").replace("(g)", "(a)").replace("(f", "(e").replace("f)", "e)"), name)
    for name, text in (("one", ANN), ("two", ANN))
)


@pytest.mark.parametrize("name", NAMES)
def test_shipped_models_load_and_are_small(name, tmp_path):
    model = load(name)
    (tmp_path / "model").write_text(text_of(model))
    assert load(tmp_path / "model").digest == model.digest
    ending = "json" if name == "tables" else "toml"
    assert (Path(SHIPPED) / f"{name}.{ending}").stat().st_size < 2_000_000


def test_the_shipped_tables_know_no_words_but_pronouns_and_determiners():
    model = load()
    assert set(model.decoder.vocabularies) == {"role", "pronoun", "determiner"}
    assert [origin["file"] for origin in model.fitted_on] == ["gum-by.train.conllu.gz"]


@examples(0.4)
@draws(st.sets(st.sampled_from(sorted(TABLES)), min_size=1), st.integers(0, 100), st.booleans())
def test_tables_round_trip(names, seed, one_gender):
    random = np.random.default_rng(seed)
    words = {"role": ["nsubj"], "pronoun": ["she", "ä"], "determiner": ['"'], "lemma": ["dog", "\u2028"]}
    weights = {n: random.integers(-500, 500, shape_of(TABLES[n], words)).astype(np.int32) for n in sorted(names)}
    detector = Detector({"parent": {"": -12, "NOUN x": 5}}, {"order": {"det yes 1": 50}}, {}, 1.0)
    tables = Tables(weights, words, "mean", 10, 3, one_gender)
    model = of_tables(tables, detector, "x", [{"file": "t", "documents": 1, "digest": "0"}], {})
    again = load_text(text_of(model))
    assert text_of(again) == text_of(model)
    assert all((again.decoder.weights[n] == weights[n]).all() for n in names)
    assert again.detector == detector
    assert again.decoder.one_gender == one_gender


def load_text(text):
    from referee.resolver import files

    return files._read(text, Source("x", data=text.encode()))


@draws(st.fixed_dictionaries({name: st.sampled_from(grid) for name, grid in GRID.items()}), st.booleans())
def test_rules_round_trip(numbers, one_gender):
    model = of_rules(Rules(check_numbers(numbers), "all", one_gender=one_gender))
    again = load_text(text_of(model))
    assert again.decoder == model.decoder
    assert again.digest == model.digest


def test_every_number_has_words_and_a_first_guess():
    assert list(GRID) == list(WORDS) == list(FIRST_GUESS)


def test_missing_numbers_are_a_warning():
    with pytest.warns(RefereeWarning, match="takes the first guess for 34 numbers"):  # but for `synonym`
        assert load_text("head = 0.5").decoder.numbers["head"] == 0.5


def test_older_files_let_he_and_she_together():
    tables = load()
    older = text_of(
        of_tables(replace(tables.decoder, one_gender=False), tables.detector, "x", tables.fitted_on, tables.options)
    )
    assert "one_gender" not in older
    assert not load_text(older).decoder.one_gender
    rules = re.sub("one_gender.*\n", "", text_of(load("rules")))
    assert not load_text(rules).decoder.one_gender


@pytest.mark.parametrize(("other", "one_gender"), [("a", True), ("b", False)])
def test_a_model_goes_by_the_text_it_is_fitted_to(other, one_gender, tmp_path):
    text = conllu(ANN).replace("(c)", "(a)").replace("(d)", "(b)").replace("(g)", f"({other})")
    (tmp_path / "train.conllu").write_text(text)
    assert fit(tmp_path / "train.conllu").decoder.one_gender == one_gender
    assert fit(tmp_path / "train.conllu", one_gender=not one_gender).decoder.one_gender != one_gender


@pytest.fixture(scope="module")
def shipped():
    """The file of the shipped tables as a value."""
    return json.loads(text_of(load()))


DETECTOR = {"heads": {}, "inside": {}, "joint": {}, "quotes": 0}
TABLE = {"shape": [13, 7, 7], "values": {}}


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ('{"format": "other"}', "has no model"),
        ("{", "x"),
        ('{"format": "resolver", "version": 2}', "found version 2; expected 1"),
        ({"tables": {"string": {**TABLE, "values": {"1": 1}}}}, "the file was changed or cut off"),
        ({"digest": "0"}, "found the digest '0'"),
    ],
)
def test_tables_that_cannot_be_are_refused(file, message, shipped):
    """A text, or the shipped tables with some values changed."""
    with pytest.raises(FormatError) as error:
        load_text(file if isinstance(file, str) else json.dumps(shipped | file))
    assert message.replace("'", "").replace('"', "") in str(error.value).replace("'", "").replace('"', "")


@pytest.mark.parametrize(
    "part",
    [
        {"tables": {"string": {**TABLE, "values": {"637": 1}}}},
        {"vocabularies": {}},
        {"detector": {"heads": {}, "inside": {}}},
        {"detector": {**DETECTOR, "inside": {"order": 2}}},
    ],
)
def test_tables_of_another_version_are_refused(part, shipped):
    """Values that this version does not write, with the digest that belongs to them."""
    content = {name: value for name, value in (shipped | part).items() if name != "digest"}
    with pytest.raises(FormatError, match=r"is no right model \(.*\); fit it anew$"):
        load_text(json.dumps({**content, "digest": _digest(content)}))


def test_numbers_given_as_values_are_checked():
    assert check_numbers({"head": 0.5})["head"] == 0.5
    with pytest.raises(UnknownNameError, match="no number named 'heads'"):
        check_numbers({"heads": 1})
    with pytest.raises(OptionError, match="found head = x"):
        check_numbers({"head": "x"})


@pytest.fixture
def train(tmp_path):
    path = tmp_path / "train.conllu"
    path.write_text(TRAIN)
    return path


def test_a_model_fits_what_it_has_learnt(train):
    model = referee.resolver.fit(train, epochs=20)
    assert referee.score(train, referee.resolve(train, model))["conll"].f1 == 1
    found = referee.resolve(train, model, mentions="tree")
    assert referee.score(train, found)["mentions"].f1 > 0.8


@pytest.mark.parametrize("quantifier", ["any", "mean", "all", "last", "first"])
def test_fitting_twice_gives_the_same_bytes(train, tmp_path, quantifier):
    texts = [
        text_of(referee.resolver.fit(train, quantifier=quantifier, tables=list(TABLES), output=tmp_path / str(n)))
        for n in (1, 2)
    ]
    assert texts[0] == texts[1] == (tmp_path / "1").read_text() == (tmp_path / "2").read_text()
    assert load(tmp_path / "1").digest == json.loads(texts[0])["digest"]


@pytest.mark.parametrize(
    ("text", "message"),
    [(re.sub(r"Entity=\S+", "_", TRAIN), "has no entities"), (conllu(ANN), "has only entities with one mention")],
)
def test_text_to_learn_from_has_entities_with_several_mentions(text, message, tmp_path):
    (tmp_path / "train.conllu").write_text(text)
    with pytest.raises(FormatError, match=message):
        referee.resolver.fit(tmp_path / "train.conllu")


def test_a_model_names_files_that_are_not_utf_8(train, tmp_path):
    train = train.rename(tmp_path / "\udcff.conllu")
    model = referee.resolver.fit(train, output=tmp_path / "m.json")
    assert [origin["file"] for origin in model.fitted_on] == ["\\udcff.conllu"]
    assert load(tmp_path / "m.json").digest == model.digest


def test_the_command_fits_and_shows(train, tmp_path):
    second = tmp_path / "second.conllu"
    second.write_text(conllu(APPOSITION.replace("(b", "(a").replace("b)", "a)"), "three") + conllu(COPULA, "four"))
    done = command("resolve", "fit", train, second, "--with", "pronhead", "--without", "tree", "-o", tmp_path / "m.json")
    problem = r"referee: warning: .*: found [0-9]+ links between mentions; expected 100 or more to learn from\n"
    assert done.status == 0
    assert re.fullmatch(problem, done.err)
    model = load(tmp_path / "m.json")
    assert "pronhead" in model.decoder.weights
    assert "tree" not in model.decoder.weights
    assert [origin["documents"] for origin in model.fitted_on] == [2, 2]
    shown = command("resolve", "show", tmp_path / "m.json", "--table", "pronhead", "--top", 3)
    assert "pronhead (for a pair; a pronoun after which noun)" in shown.out
    assert "0.6" in command("resolve", "show", "rules").out
    assert "pronhead" in command("resolve", "fit", "--list").out
    assert command("resolve", "fit").err.startswith("referee: error: expected a file to learn from")
    assert "no table named 'x'" in command("resolve", "fit", train, "--with", "x").err


@pytest.mark.skipif(not KIT.is_dir(), reason="the resolver kit is absent")
@pytest.mark.parametrize(("model", "floors"), [("tables", (79.3, 65.5, 73.0, 59.7)), ("rules", (77.3, 62.0, 72.4, 58.4))])
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_shipped_models_reach_their_floors_on_gum(model, floors):
    test = KIT / "gum.test.conllu.gz"
    key = referee.resolve(test, strategy="key", mentions="key")
    found = []
    for mentions, match in (("key", "exact"), ("tree", "head")):
        response = referee.resolve(test, model, mentions=mentions)
        scores = (referee.score(key, response, metrics="conll", match=match, singletons=s)["conll"] for s in ("keep", "drop"))
        found += [100 * score.f1 for score in scores]
    assert [round(score, 2) for score, floor in zip(found, floors, strict=True) if score < floor] == []


@pytest.mark.slow
@pytest.mark.skipif(not KIT.is_dir(), reason="the resolver kit is absent")
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_tables_fitted_to_norwegian_reach_their_floors():
    model = referee.resolver.fit(KIT / "narc-nb.train.conllu.gz")
    test = KIT / "narc-nb.test.conllu.gz"
    key = referee.resolve(test, strategy="key", mentions="key")
    for mentions, match, floors in (("key", "exact", (83.6, 63.5)), ("tree", "head", (81.8, 62.7))):
        response = referee.resolve(test, model, mentions=mentions)
        for singletons, floor in zip(("keep", "drop"), floors, strict=True):
            assert 100 * referee.score(key, response, metrics="conll", match=match, singletons=singletons)["conll"].f1 > floor


@pytest.fixture
def own_table():
    """The table "twins" of mentions with equal forms; gone after the test."""

    def codes(mentions, later, earlier):
        return (mentions.full[later] == mentions.full[earlier]).astype(int)

    add_table("twins", codes, 2, "equal forms")
    yield codes
    for registry in (TABLES, SIZE_OF_FIELD, OWN):
        registry.pop("twins", None)


def test_a_rule_of_the_user_is_one_more_table(own_table, tmp_path):
    path = tmp_path / "own.json"
    (tmp_path / "train.conllu").write_text(TRAIN)
    model = fit(tmp_path / "train.conllu", tables=["typerole", "twins"], output=path)
    assert model.decoder.weights["twins"].shape == (2, 7)
    assert model.decoder.weights["twins"][1].any()
    assert "twins 1" in show(model, table="twins")
    assert load(path).digest == model.digest
    found = resolution(tmp_path / "train.conllu", load(path), explain=True)
    assert any("twins" in str(row["contributions"]) for row in found.explanation.rows())
    for registry in (TABLES, SIZE_OF_FIELD, OWN):
        registry.pop("twins")
    with pytest.raises(FormatError, match="no table named 'twins'"):
        load(path)


def test_rules_of_the_user_that_cannot_be_are_refused(own_table, tmp_path):
    for name, size in (("string", 2), ("group", 2), ("role", 2), ("a b", 2), ("twins", 0)):
        with pytest.raises(OptionError):
            add_table(name, own_table, size)
    (tmp_path / "train.conllu").write_text(TRAIN)
    for codes in (lambda *_: np.array([1]), lambda _, i, j: i - j + 10**9, lambda _, i, j: i / 2, lambda _, i, j: i * 0 - 1):
        add_table("twins", codes, 2)
        with pytest.raises(OptionError, match="the table twins: found codes of another form; expected one from 0 to 1"):
            fit(tmp_path / "train.conllu", tables=["twins"])
