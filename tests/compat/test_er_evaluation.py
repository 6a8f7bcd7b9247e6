"""`referee.compat.er_evaluation` returns what er-evaluation 2.3.0 returns.

``python -m tests.compat.test_er_evaluation`` stores what it does, where it is installed.
"""

import gzip
import importlib
import json
import random
from pathlib import Path

import pytest

from referee.basics.exceptions import OptionError
from referee.compat.er_evaluation import pairwise_precision, pairwise_recall
from referee.metrics import b_cubed, b_cubed_entity

STORED = Path(__file__).parent / "stored" / "er_evaluation.json.gz"
WITH_BETA = ("b_cubed_f", "cluster_f", "cluster_v_measure", "pairwise_f")


def memberships(seed):
    """A prediction and a reference: of the same records or not, some without an entity, sometimes none in common."""
    chance = random.Random(seed)
    records, entities = chance.randint(1, 40), chance.randint(1, 15)
    reference = {f"r{n}": chance.randrange(entities) for n in range(records)}
    prediction = {
        record: entity if chance.random() < 0.6 else chance.randrange(entities) for record, entity in reference.items()
    }
    if seed % 3:
        for side in (prediction, reference):
            for record in chance.sample(sorted(side), records // 4):
                side[record] = None
        prediction = {f"r{int(record[1:]) + seed % 7}": entity for record, entity in prediction.items()}
    if seed % 10 == 4:
        prediction = {f"x{record}": entity for record, entity in prediction.items()}
    shuffled = sorted(prediction)
    chance.shuffle(shuffled)
    return {record: prediction[record] for record in shuffled}, reference


def returned(module, prediction, reference):
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    sides = [pandas.Series(list(side.values()), index=list(side), dtype="float64") for side in (prediction, reference)]
    scores = {name: float(getattr(module, name)(*sides)) for name in module.__all__ if name != "metrics_table"}
    return scores | {f"{name} 2": float(getattr(module, name)(*sides, beta=2.0)) for name in WITH_BETA}


def ours():
    return importlib.import_module("referee.compat.er_evaluation")


def test_returns_what_er_evaluation_returned():
    cases = json.loads(gzip.decompress(STORED.read_bytes()))
    for number, case in enumerate(cases[::3]):
        assert returned(ours(), *case["memberships"]) == pytest.approx(case["returned"], rel=1e-12, abs=1e-14, nan_ok=True), (
            number
        )
    assert len(cases) == 200


def test_the_table_has_all_combinations():
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    prediction = pandas.Series([1, 1, 2, 3, 2, 4, 4, 4], index=range(8))
    reference = pandas.Series(["c1", "c1", "c1", "c2", "c2", "c3", "c3", "c4"], index=range(8))
    table = ours().metrics_table({"p": prediction, "q": reference}, {"r": reference})
    assert list(table.columns) == ["prediction", "reference", "metric", "value"]
    assert len(table) == 2 * 9
    # The docstrings of er-evaluation have these numbers.
    rows = table[table["prediction"] == "p"].set_index("metric")["value"]
    assert (rows["Pairwise Precision"], rows["Pairwise Recall"]) == (0.4, 0.4)
    assert rows["B-Cubed Precision"] == pytest.approx(0.6458333333333334)
    assert rows["B-Cubed Recall"] == pytest.approx(0.7638888888888888)
    assert b_cubed_entity(reference, prediction).recall == pytest.approx(0.7638888888888888)
    assert round(b_cubed(reference, prediction).precision or 0, 4) == 0.7083  # as docs/frameworks.md says


def test_labels_of_any_type_are_told_apart_and_words_for_nothing_are_refused():
    pandas = pytest.importorskip("pandas", reason="needs the extra referee[pandas]")
    key, response = pandas.Series({"a": 1, "b": 1, "c": 2}), pandas.Series({"c": "x", "b": "y", "a": "y"})
    assert pairwise_precision(response, key) == pairwise_recall(response, key) == 1
    with pytest.raises(OptionError, match="labels that stand for none"):
        pairwise_precision(pandas.Series({"a": "NA", "b": "y"}), key)
