"""A comparison has the scores of `score` to the last bit, and no difference depends on which other systems there are."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import read, score
from referee.comparison import Resampling, compare
from referee.scoring.groups import grouped
from tests.support.examples import examples
from tests.support.partitions import random_documents
from tests.support.paths import SHARED

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
GUM = SHARED / "conformance" / "gum"


def group(name):
    return name[:2]


def bits(score):
    return [repr(getattr(score, side)) for side in ("value", "recall", "precision")]


def check(c, evaluations, by):
    """That each part of a comparison has the scores of `score`."""
    for part in c.parts:
        for system, of in part.cells.items():
            e = evaluations[system]
            by_group = grouped(e, by, list(e)) if by else e
            for metric, cell in of.items():
                if part.name == "micro":
                    expected = e.micro(metric)
                elif part.name == "macro":
                    expected = by_group.macro(metric)[0]
                else:
                    expected = by_group.document(part.name)[metric]
                assert bits(cell.score) == bits(expected), (part.name, system, metric)


def responses(seed, documents, systems):
    """A key whose documents have names of groups, and responses; some sides have no mentions in a document."""
    rng = np.random.default_rng(seed)
    names = [f"{'abc'[n % 3]}-{n}" for n in range(documents)]
    sides = [random_documents(rng, documents, 12) for _ in range(systems + 1)]
    key, *others = [{name: of[0] if rng.random() < 0.8 else [] for name, of in zip(names, side, strict=True)} for side in sides]
    key[names[0]] = key[names[0]] or [{0, 1}]
    return key, {f"s{n}": other for n, other in enumerate(others)}


@examples(0.5)
@given(
    seed=st.integers(0, 10_000), documents=st.integers(3, 9), systems=st.integers(1, 3), groups=st.booleans(),
    average=st.sampled_from(["micro", "macro"]),
)  # fmt: skip
def test_the_scores_are_those_of_score(seed, documents, systems, groups, average):
    key, of = responses(seed, documents, systems)
    # Means of several systems are over the documents where all have a score: here, all documents.
    how = {"metrics": "all", "average": average, "zero_division": 0.0 if systems > 1 else math.nan}
    by = group if groups else None
    c = compare(key, of, by=by, resampling=Resampling(resamples=40), **how)
    check(c, {name: score(key, response, **how) for name, response in of.items()}, by)


@examples(0.5)
@given(
    seed=st.integers(0, 10_000), documents=st.integers(2, 9), groups=st.booleans(), average=st.sampled_from(["micro", "macro"]),
    method=st.sampled_from(["percentile", "bca"]),
)  # fmt: skip
def test_no_score_interval_or_difference_depends_on_a_further_system(seed, documents, groups, average, method):
    key, of = responses(seed, documents, 3)
    how = {"metrics": "all", "average": average, "zero_division": 0.0}
    how |= {"resampling": Resampling(resamples=40, method=method), "by": group if groups else None}
    two, three = compare(key, {name: of[name] for name in ("s0", "s1")}, **how), compare(key, of, **how)
    for part, other in zip(two.parts, three.parts, strict=True):
        for system, metrics in part.cells.items():
            for metric, cell in metrics.items():
                found, among = cell.difference, other.cells[system][metric].difference
                assert repr(cell._replace(difference=None, best=True)) == repr(
                    other.cells[system][metric]._replace(difference=None, best=True)
                )
                if found is not None and among is not None:  # p is corrected for the number of systems
                    alike = {"p": 0.0, "significant": False}
                    assert repr(found._replace(**alike)) == repr(among._replace(**alike))


@pytest.fixture(scope="module")
def gum():
    """The key, and three responses."""
    return [read(GUM / f"gum.{name}.conll.gz") for name in ("key", "mild", "medium", "severe")]


@pytest.mark.skipif(not GUM.is_dir(), reason="needs the conformance kit, ../shared/conformance")
@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("groups", [False, True])
def test_gum(average, groups, gum):
    key, *of = gum
    evaluations = {str(n): score(key, response, average=average) for n, response in enumerate(of)}

    def genre(name):
        return name.split("_")[1] if name.count("_") > 1 else name[:6]

    by, found = genre if groups else None, []
    for systems in (2, 3):
        responses_ = {name: of[int(name)] for name in list(evaluations)[:systems]}
        c = compare(key, responses_, average=average, by=by, resampling=Resampling(resamples=40))
        check(c, evaluations, by)
        differences = {m: c["1", m].difference for m in c.metrics}
        found.append({m: d and d._replace(p=0, significant=False) for m, d in differences.items()})
    assert repr(found[0]) == repr(found[1])
