"""The how-tos of docs/training.md run, and none has more than twenty lines."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

import referee
from tests.support.how_tos import page

PAGE = page("training.md")
DOORS = ("Scorer", "CorefEvaluator", "MentionEvaluator", "ClusterChecker", *PAGE.programs)

GOLD = [[(0, 1), (4, 5), (9, 11)], [(7, 8)]], [[(2, 3), (6, 7)]]
PREDICTED = [[(0, 1), (4, 5)], [(9, 11), (7, 8)]], [[(2, 3), (6, 7)]]


def run(name: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"gold": GOLD, "predicted": PREDICTED}
    exec(PAGE.programs[name], namespace)
    return namespace


def expected() -> dict[str, float]:
    scorer = referee.Scorer(zero_division=0)
    for predicted, gold in zip(PREDICTED, GOLD, strict=True):
        scorer.update(predicted, gold)
    return scorer.compute().flat("dev/")


@pytest.mark.parametrize("name", DOORS)
def test_no_how_to_has_more_than_twenty_lines(name: str) -> None:
    assert 0 < PAGE.lines(name) <= 20


def test_torchmetrics() -> None:
    pytest.importorskip("torchmetrics", reason="needs the extra referee[torch]")
    run("torchmetrics")


@pytest.mark.filterwarnings("ignore")  # of Lightning, about workers and accelerators
def test_lightning(tmp_path: Any) -> None:
    pytest.importorskip("torchmetrics", reason="needs the extra referee[torch]")
    lightning = pytest.importorskip("lightning", reason="needs lightning")
    from torch.utils.data import DataLoader

    trainer = lightning.Trainer(
        accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
        default_root_dir=tmp_path,
    )  # fmt: skip
    documents = DataLoader(list(zip(GOLD, PREDICTED, strict=True)), batch_size=None)
    (logged,) = trainer.validate(run("Lightning")["Model"](), documents, verbose=False)
    assert logged == pytest.approx(expected(), abs=1e-7)  # Lightning logs 32 bits


@pytest.mark.parametrize(
    ("name", "module", "function"), [("Weights & Biases", "wandb", "log"), ("MLflow", "mlflow", "log_metrics")]
)
def test_trackers_get_a_flat_dictionary(name: str, module: str, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stub, logged = ModuleType(module), []
    setattr(stub, function, logged.append)
    monkeypatch.setitem(sys.modules, module, stub)  # the services are not asked
    run(name)
    assert logged == [expected()]
    assert all(type(value) is float for value in logged[0].values())
