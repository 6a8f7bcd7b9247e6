"""`get_entities`, the schemes and `F1Metrics` do what those of seqeval do."""

import importlib
import random
import sys
import types

import numpy as np
import pytest

from referee.basics.exceptions import OptionError
from referee.compat import seqeval
from referee.compat.seqeval_callbacks import F1Metrics
from referee.compat.seqeval_scheme import BILOU, IOB1, IOB2, IOBES, IOE1, IOE2, Entities, Entity, auto_detect
from tests.support.warned import silenced

SCHEMES = {IOB1: "OBI", IOB2: "OBI", IOE1: "OIE", IOE2: "OIE", IOBES: "OBIES", BILOU: "OBILU"}


def real(name):
    """A module of seqeval."""
    pytest.importorskip("seqeval", reason="needs seqeval")
    return importlib.import_module(name)


def tags(seed, prefixes, suffix=False):
    """Random tags, well-formed or not."""
    chance = random.Random(seed)

    def tag():
        prefix, category = chance.choice(prefixes), chance.choice(("PER", "LOC", "A-B"))
        return "O" if prefix == "O" else f"{category}-{prefix}" if suffix else f"{prefix}-{category}"

    return [[tag() for _ in range(chance.randint(1, 12))] for _ in range(chance.randint(1, 5))]


@pytest.mark.parametrize("suffix", [False, True])
def test_get_entities_gives_those_of_seqeval(suffix):
    theirs = real("seqeval.metrics.sequence_labeling").get_entities
    for seed in range(150):
        nested = tags(seed, "OBIES"[: 3 + 2 * (seed % 2)], suffix)
        for given in (nested, nested[0]):
            assert seqeval.get_entities(given, suffix) == theirs(given, suffix), seed


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of NumPy, for the macro average of no category
@pytest.mark.parametrize("beta", [1.0, 0.5])
@pytest.mark.parametrize("average", [None, "micro", "macro", "weighted"])
@pytest.mark.filterwarnings("ignore:y_.* not legal in:referee.RefereeWarning")
def test_all_scores_at_once_are_those_of_seqeval(average, beta):
    theirs = real("seqeval.metrics.sequence_labeling").precision_recall_fscore_support
    strict = real("seqeval.metrics.v1").precision_recall_fscore_support
    scheme = real("seqeval.scheme").IOB2
    for seed in range(60):
        key = tags(seed, "OBI")
        chance = random.Random(seed)
        response = [[tag if chance.random() < 0.7 else "O" for tag in row] for row in key]
        options = {"average": average, "beta": beta, "zero_division": 0}
        for function, more in ((theirs, {}), (strict, {"scheme": scheme})):
            found = seqeval.precision_recall_fscore_support(key, response, **options, **more)
            for ours, expected in zip(found, function(key, response, **options, **more), strict=True):
                assert ours == pytest.approx(expected, nan_ok=True), seed


@pytest.mark.parametrize("scheme", SCHEMES)
def test_entities_of_a_scheme_are_those_of_seqeval(scheme):
    theirs = real("seqeval.scheme")
    for seed in range(120):
        given = tags(seed, SCHEMES[scheme], suffix=seed % 2 == 1)
        ours = Entities(given, scheme, suffix=seed % 2 == 1)
        expected = theirs.Entities(given, getattr(theirs, scheme.__name__), suffix=seed % 2 == 1)
        assert repr(ours.entities) == repr(expected.entities), seed
        assert ours.unique_tags == expected.unique_tags
        assert {e.to_tuple() for e in ours.filter("PER")} == {e.to_tuple() for e in expected.filter("PER")}


def test_the_scheme_that_is_detected_is_that_of_seqeval():
    theirs = real("seqeval.scheme").auto_detect
    found = set()
    for seed in range(300):
        given = tags(seed, random.Random(seed).choice([*SCHEMES.values(), "OB", "BE", "OBL"]))
        try:
            expected = theirs(given).__name__
        except ValueError:
            continue
        assert auto_detect(given).__name__ == expected, given
        found.add(expected)
    assert found == {"IOB2", "IOE2", "IOBES", "BILOU"}


def test_entities_by_the_definitions_of_the_schemes():
    assert seqeval.get_entities(["B-PER", "I-PER", "O", "B-LOC"]) == [("PER", 0, 1), ("LOC", 3, 3)]
    assert seqeval.get_entities([]) == []
    assert seqeval.get_entities(np.array(["B-PER", "I-PER"])) == [("PER", 0, 1)]
    # Strictly, I after O is in no chunk; the lenient rule begins one.
    assert Entities([["O", "I-PER"], ["B-PER"]], "IOB2").entities == [[], [Entity(1, 0, 1, "PER")]]
    assert seqeval.get_entities(["O", "I-PER"]) == [("PER", 1, 1)]
    assert Entities([["B_PER", "I_PER"]], IOB2, delimiter="_").unique_tags == {"PER"}


@pytest.mark.filterwarnings("ignore:y_.* not legal in:referee.RefereeWarning")
def test_scores_take_the_schemes():
    key, response = [["O", "B-PER", "I-PER"]], [["O", "I-PER", "I-PER"]]
    assert seqeval.f1_score(key, response) == 1.0
    assert seqeval.f1_score(key, response, mode="strict", scheme=seqeval.IOB2, zero_division=0) == 0.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seqeval.get_entities([3, 0]), "found the tag 3; expected names of tags"),
        (lambda: Entities([["S-PER"]], IOB2), "found the tag 'S-PER'; expected O, or B, I with a category"),
        (lambda: Entities([["PER"]], IOB2), "found the tag 'P-ER'; expected O, or B, I"),
        (lambda: auto_detect([["O"]]), "found the prefixes O; expected those of IOB2, IOE2, IOBES or BILOU"),
        (lambda: auto_detect([["PER"]]), "found the prefixes P; expected those of"),
        (lambda: Entities([["O"]], "IOB9"), "no scheme named 'IOB9'"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# F1Metrics

NAMES = {0: "<pad>", 1: "O", 2: "B-PER", 3: "I-PER"}
KEY = np.array([[2, 3, 1, 0], [2, 1, 0, 0]])
PREDICTED = np.array([[2, 3, 1, 2], [1, 1, 2, 2]])  # what stands in padding does not count


class Model:
    """What Keras calls a model, as far as a callback sees it."""

    def predict_on_batch(self, x):
        return np.eye(4)[x]


def logged(callback):
    logs = {}
    callback.set_model(Model())
    callback.on_epoch_end(0, logs)
    return logs


@pytest.mark.parametrize("y", [KEY, np.eye(4)[KEY]], ids=["ids", "one-hot"])
def test_f1_is_logged_and_printed(y, capsys):
    with silenced():
        logs = logged(F1Metrics(NAMES, validation_data=[(PREDICTED, y)]))
    assert logs == {"f1": pytest.approx(2 / 3)}  # one chunk of two is found, and no other
    printed = capsys.readouterr().out
    assert printed.startswith(" - f1: 66.67\n")
    assert "PER     1.0000    0.5000    0.6667         2" in printed
    older = F1Metrics(NAMES, digits=None)
    older.validation_data = [PREDICTED, y, None]  # as older versions of Keras set it: x, y and weights
    assert logged(older) == logs
    assert capsys.readouterr().out == " - f1: 66.67\n"


def test_it_is_a_callback_of_keras_where_that_is_imported(monkeypatch):
    class Callback:
        def __init__(self):
            self.model = None

        def set_model(self, model):
            self.model = model

        def on_train_begin(self, logs=None): ...

    data = [(KEY, KEY)]
    assert not isinstance(F1Metrics(NAMES), Callback)
    keras = types.SimpleNamespace(callbacks=types.SimpleNamespace(Callback=Callback))
    monkeypatch.setitem(sys.modules, "keras", keras)
    callback = F1Metrics(NAMES, validation_data=data, digits=None)
    assert isinstance(callback, Callback)
    assert isinstance(callback, F1Metrics)
    callback.on_train_begin()
    assert logged(callback) == {"f1": 1.0}


def test_what_f1_metrics_cannot_score_is_named():
    with pytest.raises(OptionError, match=r"found no validation data; expected F1Metrics\(..., validation_data="):
        logged(F1Metrics(NAMES))
    with pytest.raises(OptionError, match="found the id 3; expected one of id2label: 0, 1, 2"):
        logged(F1Metrics({0: "<pad>", 1: "O", 2: "B-PER"}, validation_data=[(PREDICTED, KEY)]))
