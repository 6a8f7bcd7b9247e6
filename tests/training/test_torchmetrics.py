"""The metric for torchmetrics: the digits of one call, also of several processes with uneven documents."""

import json
import subprocess
import sys

import numpy as np
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


def expected(prefix=""):
    scorer = referee.Scorer()
    for gold, predicted in DOCUMENTS:
        scorer.update(predicted, gold)
    return scorer.compute().flat(prefix)


def test_two_processes_with_uneven_documents_give_the_digits_of_one(tmp_path):
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


def test_batches_forward_reset_and_clone():
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


def test_clusters_may_be_tensors():
    from referee.training.torchmetrics import Coreference

    metric = Coreference("muc")
    gold = [torch.tensor([[0, 1], [4, 5], [7, 9]])]
    metric.update([[torch.tensor([[0, 1], [4, 5]])], [[(0, 1), (4, 5)]]], [gold, [[(0, 1), (4, 5)]]])
    assert metric.compute()["muc_recall"].item() == 2 / 3


def test_batches_of_different_lengths_are_refused():
    from referee.training.torchmetrics import Coreference

    with pytest.raises(referee.OptionError, match="2 documents in preds and 1 in target"):
        Coreference().update([[], []], [[]])


LABELS = ([0, 0, 1, 2, 2], [0, 1, 1, 2, 2])
"""Response and key."""


@pytest.mark.filterwarnings("ignore:Sparse invariant checks")  # of AdjustedRandScore
def test_a_tensor_of_labels_is_one_document():
    from torchmetrics.clustering import AdjustedRandScore

    from referee.training.torchmetrics import Coreference

    preds, target = map(torch.tensor, LABELS)
    theirs = AdjustedRandScore()
    theirs.update(preds, target)
    for sides in ((preds, target), (preds.numpy(), target.numpy()), ([preds], [target]), (preds[None], target[None])):
        metric = Coreference(["ari"])
        metric.update(*sides)
        assert metric.compute()["ari"].item() == pytest.approx(theirs.compute().item())


def test_a_batch_of_label_vectors_has_a_document_each():
    from referee.training.torchmetrics import Coreference

    metric = Coreference(["links"])
    # First document: 1 of 1 link; second: none of 1, with a spurious one.
    metric.update(torch.tensor([[0, 0, 1], [0, 0, 1]]), torch.tensor([[5, 5, 6], [0, 1, 1]]))
    assert metric.compute()["links_recall"].item() == 0.5


@pytest.mark.parametrize(
    "value",
    [
        None, 3, "ab", {"a": [[(0, 1)]]}, (x for x in ()), torch.tensor(0), [torch.tensor(0)], [0, 0, 1], np.array(3),
        torch.tensor([0, 1]).to_sparse(), torch.tensor([[0, 1]]).to_sparse(), torch.zeros(2, dtype=torch.bfloat16),
        torch.zeros(2, dtype=torch.long, device="meta"),
        [[torch.tensor([0, 1]), torch.tensor(3)]],
    ],
    ids=lambda value: str(type(value)),
)  # fmt: skip
def test_what_is_no_batch_is_refused_in_one_line(value):
    from referee.training.torchmetrics import Coreference

    metric = Coreference(["ari"])
    with pytest.raises(referee.RefereeError) as raised:
        metric.update(value, value)
    assert len(str(raised.value).splitlines()) == 1
    assert not metric.counted[:-1].any()  # the last is the mark of metrics and options


CLUSTERS = [[[0, 1], [4, 5]], [[7, 9], [11, 12]]]
"""Of one document."""


@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        (CLUSTERS, [CLUSTERS]), ([torch.tensor(cluster) for cluster in CLUSTERS], torch.tensor([CLUSTERS])),
        ([[(float(a), float(b)) for a, b in cluster] for cluster in CLUSTERS], [CLUSTERS]),
        ([{tuple(span) for span in cluster} for cluster in CLUSTERS], [CLUSTERS]),
        ([["a", "b"], ["c", "d"]], [[["a", "b"], ["c", "d"]]]), ([{"a", "b"}, {"c", "d"}], [[["a", "b"], ["c", "d"]]]),
        ([[[0, 1], [2, 3]]], [[{0, 1}, {2, 3}]]), ([[0, 1, 2]], [np.array([0, 1, 2])]),
    ],
)  # fmt: skip
def test_what_may_be_one_document_is_refused_with_the_form_that_works(value, remedy):
    from referee.training.torchmetrics import Coreference

    metric = Coreference("b_cubed")
    with pytest.raises(referee.OptionError, match=r"one document; .* update\(\[preds\], \[target\]\)"):
        metric.update(value, value)
    metric.update(remedy, remedy)
    assert metric.compute()["b_cubed_f1"] == 1


def test_a_set_is_no_batch():
    from referee.training.torchmetrics import Coreference

    with pytest.raises(referee.OptionError, match="expected a list"):
        Coreference().update({frozenset({(0, 1)})}, [[[(0, 1)]]])


@pytest.mark.parametrize("other", [{"metrics": "lea"}, {"metrics": "conll"}, {"metrics": "muc", "singletons": "drop"}])
def test_states_of_other_metrics_or_options_are_refused(other):
    from referee.training.torchmetrics import Coreference

    metric, same, other = Coreference("muc"), Coreference("muc"), Coreference(**other)
    for each in (metric, same, other):
        each.persistent(True)
        each.update([predicted for _, predicted in DOCUMENTS], [gold for gold, _ in DOCUMENTS])
    expected = metric.compute()
    for refused in (metric.merge_state, lambda other: metric.load_state_dict(other.state_dict())):
        with pytest.raises(referee.OptionError, match="state of other metrics or options"):
            refused(other)
    metric.merge_state(same)
    metric._computed = None
    assert metric.compute() == expected
    metric.load_state_dict(same.state_dict())
    assert metric.scorer.documents == len(DOCUMENTS)


def test_a_tensor_beside_documents_is_one_of_them():
    from referee.training.torchmetrics import Coreference

    with pytest.raises(referee.OptionError, match="1 documents in preds and 3 in target"):
        Coreference().update(torch.tensor([0, 0, 1]), [[], [], []])


def test_single_numbers_are_no_document_of_a_scorer():
    for value in (torch.tensor(0), np.array(3)):
        with pytest.raises(referee.OptionError, match="expected labels with shape"):
            referee.Scorer("ari").update(value, value)
