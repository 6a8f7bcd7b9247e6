"""Which metrics a key calls for, if nobody names them, and what signatures call them."""

import pytest

import referee
from referee.metrics.registry import METRICS, SHARED_TASK, panel, panel_named
from tests.support.paths import ROOT

SAMPLES = ROOT / "tests" / "samples"


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize(
    ("sample", "named", "more"),
    [
        ("conll/1", "default", ""),
        ("corefud/1", "corefud", ""),
        ("gap/1", "default+gap", "gap"),
        ("arrau/1", "default+non-referring", "non_referring"),
    ],
)
def test_a_signature_says_which_annotation_has_metrics_of_its_own(sample, named, more):
    path = str(SAMPLES / sample)
    evaluation = referee.score(path, path)
    assert evaluation.signature.split(" | ")[1] == named
    assert (more in evaluation) is bool(more)
    assert f" | {named} | " in evaluation.report()


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_a_key_of_corefud_has_the_metrics_of_the_shared_task_and_says_that_there_are_others():
    path = str(SAMPLES / "corefud/1")
    usual, every = referee.score(path, path), referee.score(path, path, metrics="all")
    assert set(usual) <= set(SHARED_TASK) < set(METRICS)
    assert {metric: usual[metric] for metric in usual} == pytest.approx({metric: every[metric] for metric in usual})
    others = [
        metric for metric, record in METRICS.items() if record.panel == "default" and metric in every and metric not in usual
    ]
    line = f"{len(others)} more metrics are for this key, of entities (2)"
    for result in (usual, referee.compare(path, path), usual.systems):
        assert line in result.report()
    assert f"% {line}" in usual.report("latex")  # a comment, not a line of the paper
    assert "more metric" not in every.report()


def test_zeros_are_scored_where_there_are_some():
    assert tuple(panel({"heads", "empty nodes"}, panels=["corefud"])) == SHARED_TASK
    assert "zero_anaphora" not in panel({"heads"}, panels=["corefud"])


def test_named_metrics_are_no_panel():
    assert [panel_named(metrics, {"gap"}) for metrics in ("muc", ["muc"], "all", ["all"])] == ["", "", "all", "all"]
