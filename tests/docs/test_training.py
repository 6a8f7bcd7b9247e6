"""The how-tos of docs/training.md run, and none has more than twenty lines."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import referee
from tests.support.how_tos import page

PAGE = page("training.md")
DOORS = ("Scorer", "CorefEvaluator", "MentionEvaluator", "ClusterChecker", *PAGE.programs)

GOLD = [[(0, 1), (4, 5), (9, 11)], [(7, 8)]], [[(2, 3), (6, 7)]]
PREDICTED = [[(0, 1), (4, 5)], [(9, 11), (7, 8)]], [[(2, 3), (6, 7)]]


def run(name):
    namespace = {"gold": GOLD, "predicted": PREDICTED}
    exec(PAGE.programs[name], namespace)
    return namespace


def expected():
    scorer = referee.Scorer(zero_division=0)
    for predicted, gold in zip(PREDICTED, GOLD, strict=True):
        scorer.update(predicted, gold)
    return scorer.compute().flat("dev/")


@pytest.mark.parametrize("name", DOORS)
def test_no_how_to_has_more_than_twenty_lines(name):
    assert 0 < PAGE.lines(name) <= 20


def test_torchmetrics():
    pytest.importorskip("torchmetrics", reason="needs the extra referee[torch]")
    run("torchmetrics")


@pytest.mark.filterwarnings("ignore")  # of Lightning, about workers and accelerators
def test_lightning(tmp_path):
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


def test_trackers_get_a_flat_dictionary(monkeypatch):
    stub, logged = ModuleType("wandb"), []
    stub.log = logged.append
    monkeypatch.setitem(sys.modules, "wandb", stub)  # the service is not asked
    run("Weights & Biases")
    assert logged == [expected()]
    assert all(type(value) is float for value in logged[0].values())


def test_trainer(tmp_path):
    transformers = pytest.importorskip("transformers", reason="needs transformers")
    torch = pytest.importorskip("torch", reason="needs torch")

    class Model(torch.nn.Module):
        def forward(self, entities, labels):
            return {"loss": torch.zeros(()), "logits": entities}

    key, response = [[1, 1, 1, 2], [5, 5, -100, -100]], [[1, 1, 2, 2], [7, 7, 7, 7]]
    rows = [{"entities": torch.tensor(r), "labels": torch.tensor(k)} for k, r in zip(key, response, strict=True)]
    options = transformers.TrainingArguments(output_dir=str(tmp_path), use_cpu=True, report_to=[], disable_tqdm=True)
    trainer = transformers.Trainer(Model(), options, eval_dataset=rows, compute_metrics=run("Trainer")["compute_metrics"])
    logged = trainer.evaluate()
    expected = referee.score([[{0, 1, 2}, {3}], [{0, 1}]], [[{0, 1}, {2, 3}], [{0, 1}]])
    assert logged["eval_b_cubed_recall"] == expected["b_cubed"].recall
    assert logged["eval_conll"] == expected["conll"].value


def test_padded_rows_of_entities_and_of_tags():
    metrics = run("Trainer")["compute_metrics"]
    rows = SimpleNamespace(
        predictions=np.array([[1, 1, 2, 2], [7, 7, 7, 7]]), label_ids=np.array([[1, 1, 1, 2], [5, 5, -100, -100]])
    )
    assert (
        metrics(rows)
        == referee.score(
            [[{0, 1, 2}, {3}], [{0, 1}]], [[{0, 1}, {2, 3}], [{0, 1}]], metrics=["b_cubed", "conll"], zero_division=0
        ).flat()
    )
    tags = np.array([[-100, 1, 2, 0, -100], [-100, 0, 1, -100, -100]])
    with pytest.raises(referee.OptionError, match=r"referee\.phrases\.from_ids"):
        metrics(SimpleNamespace(predictions=tags, label_ids=tags))
    predicted = np.eye(3)[[[0, 1, 2, 0, 0], [0, 0, 0, 1, 1]]]
    tagged = SimpleNamespace(predictions=predicted, label_ids=tags)
    assert run("Trainer for tags")["compute_metrics"](tagged)["exact_match_f1"] == 2 / 3


def test_allennlp():
    torch = pytest.importorskip("torch", reason="needs torch")
    metric = run("AllenNLP")["ConllCorefScores"]()
    # The spans of a document; of each span the numbers of two candidates; which candidate was chosen, -1 for none.
    spans = torch.tensor([[[0, 1], [4, 5], [7, 8], [9, 11]]])
    candidates = torch.tensor([[[0, 0], [0, 0], [1, 0], [2, 1]]])
    chosen = torch.tensor([[-1, 0, -1, 1]])
    gold = [[(0, 1), (4, 5)], [(7, 8), (9, 11)]]
    metric(spans, candidates, chosen, [{"clusters": gold}])
    expected = referee.score(gold, [[(0, 1), (4, 5), (9, 11)]], singletons="drop")
    assert metric.get_metric()[2] == pytest.approx(expected["conll"].value)
