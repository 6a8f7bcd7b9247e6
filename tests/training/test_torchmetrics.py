"""The metric for torchmetrics: the digits of one call, also of several processes with uneven documents."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import referee

torch = pytest.importorskip("torch", reason="needs the extra referee[torch]")
pytest.importorskip("torchmetrics", reason="needs the extra referee[torch]")

DOCUMENTS = [
    (
        [[(n, n + 1), (20, 21), (30 + n, 33 + n)], [(5 + n, 9 + n)], [(3, 3 + n)]],
        [[(n, n + 1), (20, 21)], [(5 + n, 9 + n), (3, 3 + n)]],
    )
    for n in range(1, 8)
]
"""Key and response."""

PROCESS = """
import json, sys
import torch
import torch.distributed as dist
from referee.training.torchmetrics import Coreference

rank, store, documents = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
metric = Coreference(prefix="dev/")
batches = [documents[:1]] if rank else [documents[1:4], documents[4:], []]  # 1 document here, 6 there
for batch in batches:
    preds, target = [predicted for _, predicted in batch], [gold for gold, _ in batch]
    metric.update(preds, target)
scores = metric.compute()
again = metric.compute()
assert scores == again
print(json.dumps({name: float(value).hex() for name, value in scores.items()}))
dist.destroy_process_group()
"""


def expected(prefix: str = "") -> dict[str, float]:
    scorer = referee.Scorer()
    for gold, predicted in DOCUMENTS:
        scorer.update(predicted, gold)
    return scorer.compute().flat(prefix)


def test_two_processes_with_uneven_documents_give_the_digits_of_one(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", PROCESS]
    processes = [
        subprocess.Popen([*command, str(rank), str(tmp_path / "store"), json.dumps(DOCUMENTS)], stdout=subprocess.PIPE)
        for rank in (0, 1)
    ]
    try:
        printed = [process.communicate(timeout=120)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert [process.returncode for process in processes] == [0, 0]
    digits = {name: value.hex() for name, value in expected("dev/").items()}
    assert [json.loads(output.decode().splitlines()[-1]) for output in printed] == [digits, digits]


def test_batches_forward_reset_and_clone() -> None:
    from referee.training.torchmetrics import Coreference

    metric = Coreference()
    of_batch = metric([DOCUMENTS[0][1]], [DOCUMENTS[0][0]])
    scorer = referee.Scorer()
    scorer.update(DOCUMENTS[0][1], DOCUMENTS[0][0])
    assert {name: value.item() for name, value in of_batch.items()} == scorer.compute().flat()
    metric.update([predicted for _, predicted in DOCUMENTS[1:]], [gold for gold, _ in DOCUMENTS[1:]])
    scores = metric.compute()
    assert all(value.dtype == torch.float64 for value in scores.values())
    assert {name: value.item() for name, value in scores.items()} == expected()
    assert metric.clone().compute() == scores
    metric.reset()
    with pytest.warns(UserWarning, match="before the ``update`` method"):
        assert torch.isnan(metric.compute()["conll"])


def test_clusters_may_be_tensors() -> None:
    from referee.training.torchmetrics import Coreference

    metric = Coreference("muc")
    gold = [torch.tensor([[0, 1], [4, 5], [7, 9]])]
    metric.update([[torch.tensor([[0, 1], [4, 5]])], [[(0, 1), (4, 5)]]], [gold, [[(0, 1), (4, 5)]]])
    assert metric.compute()["muc_recall"].item() == 2 / 3


def test_batches_of_different_lengths_are_refused() -> None:
    from referee.training.torchmetrics import Coreference

    with pytest.raises(referee.OptionError, match="2 documents in preds and 1 in target"):
        Coreference().update([[], []], [[]])
