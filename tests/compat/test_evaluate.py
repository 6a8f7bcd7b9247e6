"""The module for Hugging Face evaluate: what it takes, and what coval and seqeval return there.

``python -m tests.compat.test_evaluate`` stores what these two modules of huggingface/evaluate return, with coval and seqeval;
all three are found in the folder REFEREE_PROGRAMS.
"""

import gzip
import json
import runpy
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import referee
from referee.basics.exceptions import MismatchError, OptionError, UnknownNameError
from referee.compat.evaluate import compute
from tests.compat.test_seqeval import call
from tests.support.conll_pairs import write_pair
from tests.support.frameworks import evaluate_offline
from tests.support.paths import EXAMPLES, ROOT
from tests.support.programs import FOLDER

STORED = Path(__file__).parent / "stored" / "evaluate.json.gz"
MODULE = ROOT / "integrations" / "evaluate" / "referee"
KEY = [[[(0, 1), (4, 5), (9, 11)], [(7, 8)]], [], [[(2, 3), (6, 7)]]]
RESPONSE = [[[(0, 1), (4, 5)], [(9, 11), (7, 8)]], [[(1, 2)]], [[(2, 3), (6, 7)]]]
PATHS = [str(EXAMPLES / name) for name in ("key.conll", "response.conll")]


def sentences(path):
    """The lines of words of one document, as evaluate's coval takes them."""
    blocks = Path(path).read_text(encoding="utf-8").split("\n\n")
    found = [[line for line in block.splitlines() if not line.startswith("#")] for block in blocks]
    return [block for block in found if block]


def lines(seed):
    with tempfile.TemporaryDirectory() as folder:
        return [sentences(path) for path in write_pair(seed, Path(folder), 1, repeated=False)]


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")  # of pairs with nothing in common
def test_returns_what_the_module_of_coval_returned():
    for case in json.loads(gzip.decompress(STORED.read_bytes()))["coval"]:
        for keep, expected in zip((True, False), case["returned"], strict=True):
            found = compute(case["response"], case["key"], names="coval", keep_singletons=keep)
            assert list(found) == list(expected)
            assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.filterwarnings("ignore:y_.* not legal in:referee.RefereeWarning")
def test_returns_what_the_module_of_seqeval_returned():
    for case in json.loads(gzip.decompress(STORED.read_bytes()))["seqeval"]:
        found = compute(case["response"], case["key"], names="seqeval", **case["options"])
        assert found == case["returned"]


def test_documents_are_scored_as_score_scores_them():
    evaluation = referee.score(KEY, RESPONSE, profile="conll-8.01", metrics=["muc", "conll"])
    expected = {**evaluation.flat(), "signature": evaluation.signature}
    assert compute(RESPONSE, KEY, profile="conll-8.01", metrics=["muc", "conll"]) == expected


def test_files_are_read_in_pairs():
    key, response = PATHS
    assert compute([response], [key]) == {
        **(evaluation := referee.score(key, response)).flat(),
        "signature": evaluation.signature,
    }
    twice = compute([response, key], [key, key], metrics="muc", zero_division=0)
    counts = [referee.score(key, other)["muc"] for other in (response, key)]
    assert counts[0].recall is not None
    assert counts[0].recall < twice["muc_recall"] < 1
    assert "documents:4" in twice["signature"]


def test_lines_with_headers_are_documents():
    key, response = ([Path(path).read_text(encoding="utf-8").splitlines()] for path in PATHS)
    assert compute(response, key, metrics="conll")["conll"] == referee.score(*PATHS)["conll"].value


def test_labels_and_names():
    assert compute([0, 0, 1], [5, 5, 6], metrics="links")["links_f1"] == 1
    assert compute([[["a", "b"], ["c"]]], [[["a", "b"], ["c"]]], metrics="b_cubed")["b_cubed_f1"] == 1
    assert compute([[], [["a"]]], [[], [["a"]]], metrics="b_cubed")["b_cubed_f1"] == 1


def test_mistakes_are_named():
    with pytest.raises(MismatchError, match="found 1 predictions and 0 references; expected as many"):
        compute([[]], [])
    with pytest.raises(OptionError, match=r"references: found 'B-PER'; expected a line of CoNLL, .* names='seqeval'"):
        compute([["B-PER", "O"]], [["B-PER", "O"]])
    for ids in ([[3, 0], [1]], [["3", "0"], ["1"]]):
        with pytest.raises(OptionError, match=r"^found the tag '?3'?; expected names of tags"):
            compute(ids, ids, names="seqeval")
    with pytest.raises(UnknownNameError, match="no form of scores named 'bleu'; known: coval, referee, seqeval"):
        compute([[]], [[]], names="bleu")
    with pytest.raises(TypeError, match="no option 'singleton'; did you mean 'singletons'"):
        compute(KEY, KEY, singleton="drop")
    with pytest.raises(OptionError, match="min_span of coval is not possible here"):
        compute(KEY, KEY, names="coval", min_span=True)


@pytest.fixture
def metric(tmp_path, monkeypatch):
    evaluate = evaluate_offline(tmp_path, monkeypatch)
    return evaluate.load(str(MODULE))


def test_the_module_is_loaded_by_its_path_and_takes_what_people_have(metric):
    arrays = [[np.array(cluster) for cluster in document] for document in RESPONSE]
    expected = compute(RESPONSE, KEY, metrics="muc,conll")
    for predictions, references in ((RESPONSE, KEY), (arrays, KEY), (RESPONSE, json.loads(json.dumps(KEY)))):
        assert metric.compute(predictions=predictions, references=references, metrics="muc,conll") == expected
    assert metric.compute(predictions=PATHS[1:], references=PATHS[:1]) == compute(PATHS[1:], PATHS[:1])
    assert metric.compute(predictions=[0, 0, 1], references=np.array([0, 1, 1]), metrics="ari")["ari"] == pytest.approx(-0.5)
    assert metric.compute(predictions=[[], [["a"]]], references=[[], [["a"]]], metrics="exact")["exact_f1"] == 1
    with pytest.raises(OptionError, match=r"^found the tag 3; expected names of tags"):
        metric.compute(predictions=[[3, 0]], references=[[3, 0]], names="seqeval")
    tags = [["B-PER", "I-PER", "O"]]
    assert metric.compute(predictions=tags, references=tags, names="seqeval")["PER"]["number"] == 1
    case = json.loads(gzip.decompress(STORED.read_bytes()))["coval"][0]
    found = metric.compute(predictions=case["response"], references=case["key"], names="coval")
    assert found == pytest.approx(case["returned"][0])


def test_the_module_adds_documents_and_batches(metric):
    metric.add(prediction=RESPONSE[0], reference=KEY[0])
    metric.add_batch(predictions=RESPONSE[1:], references=KEY[1:])
    assert metric.compute(singletons="drop") == compute(RESPONSE, KEY, singletons="drop")
    with pytest.raises(ValueError, match="Mismatch in the number of predictions"):
        metric.compute(predictions=RESPONSE, references=KEY[1:])


def test_the_page_of_the_space_scores_json(tmp_path, monkeypatch):
    evaluate_offline(tmp_path, monkeypatch)
    pages = []

    class Gradio(ModuleType):
        Textbox = JSON = staticmethod(lambda **options: options)

        class Interface:
            def __init__(self, function, inputs, outputs, examples, **options):
                pages.append(function(*examples[0]))

            def launch(self):
                pages.append("launched")

    monkeypatch.setitem(sys.modules, "gradio", Gradio("gradio"))
    runpy.run_path(str(MODULE / "app.py"))
    assert pages[0]["muc_recall"] == 0.5
    assert pages[1] == "launched"


def test_the_readme_of_the_space_names_the_page_and_is_a_metric():
    header = (MODULE / "README.md").read_text(encoding="utf-8").split("---")[1]
    assert "sdk: gradio\n" in header
    assert "app_file: app.py\n" in header
    assert "- evaluate\n- metric\n" in header


if __name__ == "__main__":
    sys.path[:0] = [str(FOLDER / "coval"), str(FOLDER / "seqeval")]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        library = evaluate_offline(Path(folder), patch)
        coval = library.load(str(FOLDER / "evaluate" / "metrics" / "coval"))
        seqeval = library.load(str(FOLDER / "evaluate" / "metrics" / "seqeval"))
        stored = {"coval": [], "seqeval": []}
        for seed in range(40):
            sides = dict(zip(("references", "predictions"), lines(seed), strict=True))
            returned = [coval.compute(**sides, keep_singletons=keep) for keep in (True, False)]
            stored["coval"].append({"key": sides["references"], "response": sides["predictions"], "returned": returned})
        for seed in range(40):
            key, response, options = call(seed)
            found = seqeval.compute(references=key, predictions=response, **options)
            stored["seqeval"].append({"key": key, "response": response, "options": options, "returned": found})
    text = json.dumps(stored, default=float)
    STORED.write_bytes(gzip.compress(text.encode(), mtime=0))
