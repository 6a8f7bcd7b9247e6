"""`referee correlate`, as people run it."""

import csv
import io
import json

import numpy as np
import pytest
from scipy import stats

from referee import score
from tests.support.command import referee
from tests.support.partitions import random_documents

RESPONSES = tuple(f"{name}.jsonlines" for name in "abcdef")
FILES = ("key.jsonlines", *RESPONSES, "--names", "a,b,c,d,e,f")


@pytest.fixture
def here(tmp_path):
    rng = np.random.default_rng(1)
    documents = [random_documents(rng, 5, 15) for _ in range(7)]
    for name, some in zip(("key", *"abcdef"), documents, strict=True):
        lines = [
            {
                "doc_key": f"d{n}",
                "sentences": [["w"] * 20],
                "clusters": [[[m, m] for m in sorted(entity)] for entity in entities],
            }
            for n, (entities, _) in enumerate(some)
        ]
        (tmp_path / f"{name}.jsonlines").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def good(here, *arguments):
    done = referee("correlate", *arguments, cwd=here)
    assert (done.status, done.err) == (0, "")
    return done.out


def test_all_pairs_of_measures(here):
    report = json.loads(good(here, *FILES, "-m", "muc,lea,vi", "--coefficient", "spearman", "-r", "json"))
    e = [score(here / "key.jsonlines", here / response, metrics=["muc", "vi"]) for response in RESPONSES]
    (pair,) = [p for p in report["pairs"] if p["metrics"] == ["muc", "vi"]]
    theirs = stats.spearmanr([x["muc"].value for x in e], [x["vi"].value for x in e])
    assert (pair["value"], pair["p"], pair["over"]) == (pytest.approx(theirs[0]), pytest.approx(theirs[1]), 6)
    text = good(here, *FILES, "-m", "muc,lea,vi").splitlines()
    assert text[0].split() == ["metric", "muc", "lea", "vi"]
    assert text[1].split()[1] == "1.000"
    assert "pearson over 6 systems, F1" in text


def test_one_measure_against_the_others(here):
    text = good(here, *FILES, "--against", "blanc", "-r", "csv", "--by", "document")
    rows = {row["metric"]: row for row in csv.DictReader(io.StringIO(text))}
    assert "blanc" not in rows
    assert set(rows["lea"]) == {"metric", "recall", "p (recall)", "precision", "p (precision)", "F1", "p (F1)"}
    assert (rows["conll"]["recall"], rows["conll"]["F1"] != "") == ("", True)
    e = [score(here / "key.jsonlines", here / response, metrics=["blanc", "lea"]) for response in RESPONSES]
    blanc, lea = (np.concatenate([x.by_document[m].recall for x in e]) for m in ("blanc", "lea"))
    both = ~np.isnan(blanc) & ~np.isnan(lea)
    assert float(rows["lea"]["recall"]) == pytest.approx(stats.pearsonr(blanc[both], lea[both])[0])


def test_ranks_and_what_is_reversed(here):
    report = json.loads(good(here, *FILES, "--ranks", "-m", "mentions,merge_distance", "-r", "json"))
    e = {n: score(here / "key.jsonlines", here / f"{n}.jsonlines", metrics=["mentions", "merge_distance"]) for n in "abcdef"}
    ranks = {row["system"]: row for row in report["rows"]}
    assert min(e, key=lambda n: e[n]["merge_distance"].value) == min(ranks, key=lambda n: ranks[n]["merge_distance"])
    for better, worse in report["reversals"][0]["reversed"]:
        assert e[better]["mentions"].value > e[worse]["mentions"].value
        assert e[better]["merge_distance"].value > e[worse]["merge_distance"].value
    assert report["reversals"][0]["reversed"]


@pytest.mark.parametrize("more", [(), ("--against", "lea")])
def test_correlations_are_drawn(here, more):
    pytest.importorskip("matplotlib")
    good(here, *FILES, *more, "--plot", "picture.svg")
    assert b"<?xml" in (here / "picture.svg").read_bytes()[:100]
