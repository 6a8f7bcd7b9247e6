"""`referee.compat.er_evaluation` returns what er-evaluation 2.3.0 returns.

``python -m tests.compat.test_er_evaluation`` stores what it does, where it is installed.
"""

from __future__ import annotations

import gzip
import importlib
import json
import random
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from referee.metrics import b_cubed, b_cubed_entity

STORED = Path(__file__).parent / "stored" / "er_evaluation.json.gz"
WITH_BETA = ("b_cubed_f", "cluster_f", "cluster_v_measure", "pairwise_f")
Membership = dict[str, "int | None"]


def memberships(seed: int) -> tuple[Membership, Membership]:
    """A prediction and a reference: of the same records or not, some without an entity, sometimes none in common."""
    chance = random.Random(seed)
    records, entities = chance.randint(1, 40), chance.randint(1, 15)
    reference: Membership = {f"r{n}": chance.randrange(entities) for n in range(records)}
    prediction: Membership = {
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


def returned(module: ModuleType, prediction: Membership, reference: Membership) -> dict[str, float]:
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    sides = [pandas.Series(list(side.values()), index=list(side), dtype="float64") for side in (prediction, reference)]
    scores = {name: float(getattr(module, name)(*sides)) for name in module.__all__ if name != "metrics_table"}
    return scores | {f"{name} 2": float(getattr(module, name)(*sides, beta=2.0)) for name in WITH_BETA}


def ours() -> ModuleType:
    return importlib.import_module("referee.compat.er_evaluation")


def test_returns_what_er_evaluation_returned() -> None:
    cases = json.loads(gzip.decompress(STORED.read_bytes()))
    for number, case in enumerate(cases):
        assert returned(ours(), *case["memberships"]) == pytest.approx(case["returned"], rel=1e-12, abs=1e-14, nan_ok=True), (
            number
        )
    assert len(cases) == 200


def test_the_table_has_all_combinations() -> None:
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


def test_labels_of_any_type_are_compared_as_they_are() -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    numbers = pandas.Series([1, 1, 2], index=["a", "b", "c"])
    for dtype in ("float64", "category", "string", "object"):
        assert ours().pairwise_f(numbers.astype(dtype), numbers[::-1]) == 1.0


@pytest.mark.parametrize(
    ("labels", "index", "problem"),
    [
        ([1, 2], ["a", "a"], "prediction: found a record twice in the index, or none; expected each once: remove a row"),
        ([1, 2], ["a", None], "prediction: found a record twice in the index, or none"),
        ([1, 2], None, r"prediction: found \[1, 2\]; expected a membership vector: pandas.Series\(labels, index=records\)"),
    ],
)
def test_mistakes_are_named(labels: list[int], index: Any, problem: str) -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    prediction = labels if index is None else pandas.Series(labels, index=index)
    with pytest.raises(ValueError, match=f"^{problem}"):
        ours().pairwise_precision(prediction, pandas.Series(labels, index=["a", "b"]))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ours()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"^metrics_table needs an extra: pip install 'referee\[pandas\]'$"):
        module.metrics_table({}, {})


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    theirs = importlib.import_module("er_evaluation.metrics")
    pairs = [memberships(seed) for seed in range(200)]
    stored = [{"memberships": pair, "returned": returned(theirs, *pair)} for pair in pairs]
    STORED.write_bytes(gzip.compress(json.dumps(stored).encode(), mtime=0))
