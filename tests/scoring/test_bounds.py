"""An alignment that runs out of its budget is told in every report, with its certified upper bound."""

import csv
import io
import json

import numpy as np
import pytest

from referee import RefereeWarning, score
from referee.algorithms import assignment
from referee.reports.forms import FORMS
from referee.scoring.systems import Systems


@pytest.fixture(scope="module")
def evaluations():
    """A response that has nothing to do with its key, scored with no budget at all, and with enough."""
    rng = np.random.default_rng(7)
    key, response = ({name: rng.integers(0, 300, 900) for name in ("a", "b")} for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "BUDGET", 0)
        with pytest.warns(RefereeWarning, match="ceaf_e are lower bounds"):
            bounded = score(key, response, metrics=["muc", "ceaf_e"])
    return bounded, score(key, response, metrics=["muc", "ceaf_e"])


def test_the_bounds_hold(evaluations):
    bounded, exact = evaluations
    for found, best in ((bounded["ceaf_e"], exact["ceaf_e"]), (bounded.macro("ceaf_e")[0], exact.macro("ceaf_e")[0])):
        assert best.upper is None
        assert found.f1 <= best.f1 <= found.upper.f1
        assert found.f1 < found.upper.f1
    assert bounded["muc"] == exact["muc"]


@pytest.mark.parametrize("report", sorted(set(FORMS) - {"json", "csv", "tsv"}))
@pytest.mark.parametrize("responses", [1, 2])
@pytest.mark.parametrize("by", [None, "document"])
def test_people_are_told(evaluations, report, responses, by):
    bounded, exact = evaluations
    upper = f"{100 * bounded['ceaf_e'].upper.f1:.2f}"
    assert upper in Systems("", [bounded, exact][:responses]).report(report, by=by)
    assert "upper bound" not in exact.report(report, by=by)


def test_programs_are_told(evaluations):
    bounded, _ = evaluations
    upper = bounded["ceaf_e"].upper.f1
    rows = {row["metric"]: row for row in csv.DictReader(io.StringIO(bounded.report("csv")))}
    assert float(rows["ceaf_e"]["upper"]) == upper
    assert rows["muc"]["upper"] == ""
    assert rows["muc"]["signature"] == bounded.signature
    metrics = json.loads(bounded.report("json", by="document"))["systems"][0]["metrics"]
    assert metrics["ceaf_e"]["upper"]["f1"] == upper
    assert metrics["ceaf_e"]["macro"]["upper"]["f1"] == bounded.macro("ceaf_e")[0].upper.f1
