"""`referee.compat.seqeval` returns what seqeval 1.2.2 returns; ``python -m tests.compat.test_seqeval`` stores what it does."""

import gzip
import importlib.util
import json
import math
import random
import sys
import warnings
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning, UnknownNameError
from referee.compat import seqeval
from tests.support.programs import FOLDER

STORED = Path(__file__).parent / "stored" / "seqeval.json.gz"
PREFIXES = {"": "OBIES", "IOB1": "OBI", "IOB2": "OBI", "IOE1": "OIE", "IOE2": "OIE", "IOBES": "OBIES", "BILOU": "OBILU"}
SCORES = ("precision_score", "recall_score", "f1_score")


def call(seed):
    """Tags of key and response with at least one chunk, and options."""
    chance = random.Random(seed)
    scheme = list(PREFIXES)[seed % 7]
    suffix = seed % 11 == 5
    categories = ["NP", "VP", "A-B", "ALONGCATEGORY"][: 1 + seed % 4]

    def tag(prefix):
        category = chance.choice(categories)
        return prefix if prefix == "O" else f"{category}-{prefix}" if suffix else f"{prefix}-{category}"

    def sentence():
        return [tag(chance.choice(PREFIXES[scheme])) for _ in range(chance.randint(1, 9))]

    chunk = {"IOE1": "IO", "IOE2": "E", "IOBES": "S", "BILOU": "U", "IOB1": "IO"}.get(scheme, "B")
    key = [[tag(prefix) for prefix in chunk], *(sentence() for _ in range(chance.randint(1, 5)))]
    response = [[old if chance.random() < 0.6 else tag(chance.choice(PREFIXES[scheme])) for old in tags] for tags in key]
    mode = {"mode": "strict", "scheme": scheme} if scheme else {}
    return key, response, {"suffix": suffix, "zero_division": seed % 2, **mode}


def returned(module, key, response, options):
    """What the functions return; arrays as lists."""
    if module is not seqeval and "scheme" in options:
        options = {**options, "scheme": getattr(importlib.import_module("seqeval.scheme"), options["scheme"])}
    scores = {
        f"{name} {average}": getattr(module, name)(key, response, average=average, **options)
        for name in SCORES
        for average in (None, "micro", "macro", "weighted")
    }
    return {
        "text": module.classification_report(key, response, **options),
        "digits": module.classification_report(key, response, digits=4, **options),
        "dict": {
            name: {column: float(value) for column, value in row.items()}
            for name, row in module.classification_report(key, response, output_dict=True, **options).items()
        },
        "accuracy": module.accuracy_score(key, response),
        "performance": module.performance_measure(key, response),
        **{name: [*map(float, score)] if "None" in name else float(score) for name, score in scores.items()},
    }


def real():
    """seqeval; of scikit-learn it needs a warning only, so a stub does where that is not installed."""
    if not (FOLDER / "seqeval" / "seqeval").is_dir():
        pytest.skip(f"needs {FOLDER}/seqeval: name its folder as REFEREE_PROGRAMS")
    with pytest.MonkeyPatch.context() as patch:
        if importlib.util.find_spec("sklearn") is None:
            exceptions = ModuleType("sklearn.exceptions")
            exceptions.UndefinedMetricWarning = UserWarning
            patch.setitem(sys.modules, "sklearn", ModuleType("sklearn"))
            patch.setitem(sys.modules, "sklearn.exceptions", exceptions)
        patch.syspath_prepend(FOLDER / "seqeval")
        return importlib.import_module("seqeval.metrics")


@pytest.mark.filterwarnings("ignore:y_.* not legal in:referee.RefereeWarning")
def test_returns_what_seqeval_returned():
    for case in json.loads(gzip.decompress(STORED.read_bytes())):
        assert returned(seqeval, *case["call"]) == case["returned"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:y_.* not legal in:referee.RefereeWarning")
def test_returns_what_seqeval_returns_for_random_tags():
    theirs = real()
    for seed in range(1000, 1200):
        assert returned(seqeval, *call(seed)) == returned(theirs, *call(seed)), seed


def test_tags_that_a_strict_scheme_leaves_out_are_counted():
    """The tags of seqeval's issue 95: no chunk ends there, and none is found."""
    key, response = [["B-PER", "L-PER", "O", "B-MISC"]], [["I-PER", "L-PER", "O", "B-MISC"]]
    with pytest.warns(RefereeWarning, match=r"not legal in BILOU") as caught:
        seqeval.classification_report(key, response, mode="strict", scheme="BILOU", zero_division=0)
    assert [str(each.message).partition(";")[0] for each in caught] == [
        "y_true: left out 1 tag not legal in BILOU in their places (B-MISC), the first at word 4 of sentence 1",
        "y_pred: left out 3 tags not legal in BILOU in their places (I-PER, L-PER, B-MISC), the first at word 1 of sentence 1",
    ]


def test_tags_may_be_tuples_or_one_sentence():
    tags = ["B-PER", "I-PER", "O"]
    assert seqeval.f1_score([tuple(tags)], (tags,)) == seqeval.f1_score(tags, tags) == 1.0
    assert seqeval.accuracy_score(tags, ["B-PER", "O", "O"]) == pytest.approx(2 / 3)


def test_a_text_without_chunks_has_averages():
    report = seqeval.classification_report([["O", "O"]], [["O", "O"]], zero_division=0)
    assert isinstance(report, str)
    assert "   micro avg       0.00      0.00      0.00         0\n   macro avg        nan" in report


def test_0_divided_by_0_is_0_with_a_warning():
    key, response = [["B-PER", "O"]], [["O", "O"]]
    with pytest.warns(RefereeWarning, match=r"^Precision is ill-defined and being set to 0.0 due to no predicted samples. Use"):
        assert seqeval.precision_score(key, response) == 0
    with pytest.warns(RefereeWarning, match=r"^Precision and F-score are ill-defined and being set to 0.0 due to no predicted"):
        seqeval.classification_report(key, response)
    assert seqeval.precision_score(key, response, zero_division=1) == 1


def test_schemes_are_detected_or_named():
    tags = [["B-PER", "E-PER", "S-LOC"]]
    report = seqeval.classification_report(tags, tags, mode="strict")
    assert report == seqeval.classification_report(tags, tags, mode="strict", scheme="IOBES")
    with pytest.raises(OptionError, match="found the prefixes B, E, U"):
        seqeval.classification_report([["B-PER", "U-LOC", "E-LOC"]], [["O"] * 3], mode="strict")
    with pytest.raises(UnknownNameError, match="no scheme named 'IOB3'"):
        seqeval.f1_score(tags, tags, mode="strict", scheme="IOB3")


IDS = [
    ([[3, 4, 0, 0, 1, 2], [0, 0, 1]], [[0, 0, 0, 1, 0, 0], [1, 2, 2]]),
    ([["3", "4"]], [["0", " 4 "]]),
    ([3, 0, 1], [0, 1, 1]),
    (np.array([[3, 0, 1]]), np.array([[0, 1, 1]])),
    ([["B-PER", "O"]], [["B-PER", "-100"]]),
    ([["LABEL_1", "LABEL_0"]], [["LABEL_1", "LABEL_1"]]),
    (["B-PER I-PER O"], ["B-PER O O"]),
    ([["B-PER", "O"]], [["B-PER", math.nan]]),
    ([["B-PER", "O"]], [["B-PER", None]]),
]


@pytest.mark.parametrize(("key", "response"), IDS)
def test_ids_in_place_of_tags_are_mistakes(key, response):
    # seqeval raises AttributeError for numbers, and finds no chunk in digits.
    for function in (seqeval.f1_score, seqeval.classification_report, seqeval.performance_measure):
        with pytest.raises(OptionError, match=r"^found the tag \S+.*; expected names of tags, as B-PER: map ids to names$"):
            function(key, response)


def test_the_accuracy_of_ids_is_that_of_seqeval():
    assert seqeval.accuracy_score([[3, 0, 1]], [[0, 1, 1]]) == 1 / 3


def test_tags_with_digits_are_tags():
    assert seqeval.f1_score([["B-1", "I-1", "B-20"]], [["B-1", "I-1", "O"]]) == pytest.approx(2 / 3)
    assert seqeval.f1_score([["1-B", "1-I", "20-B"]], [["1-B", "1-I", "O"]], suffix=True) == pytest.approx(2 / 3)


def test_mistakes_are_named():
    with pytest.raises(MismatchError, match=r"found sentences of \[1\] tags in y_pred; expected \[2\], as in y_true"):
        seqeval.f1_score([["O", "O"]], [["O"]])
    with pytest.raises(UnknownNameError, match="no average named 'mean'"):
        seqeval.f1_score([["O"]], [["O"]], average="mean")
    with pytest.warns(RefereeWarning, match="PER seems not to be NE tag"):
        seqeval.f1_score([["PER"]], [["PER"]])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    calls = [call(seed) for seed in range(70)]
    cases = [{"call": c, "returned": returned(real(), *c)} for c in calls]
    STORED.write_bytes(gzip.compress(json.dumps(cases).encode(), mtime=0))
