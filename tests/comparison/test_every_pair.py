"""Each pair of systems has the difference and the p of a comparison with the better one as baseline."""

import numpy as np
import pytest

from referee import Resampling, compare
from referee.comparison.every_pair import every_pair
from tests.support.partitions import random_documents
from tests.support.warned import silenced

NAMES = "abcd"


def of_genre(name):
    return name[0]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    key = {f"{'xyz'[n % 3]}{n}": entities for n, (entities, _) in enumerate(random_documents(rng, 40, 12))}
    systems = {}
    for place, system in enumerate(NAMES):
        systems[system] = {
            name: [{m for m in entity if rng.random() > 0.05 * place} or entity for entity in entities]
            for name, entities in key.items()
        }
    systems["like d"] = {name: key[name] if n < 9 else entities for n, (name, entities) in enumerate(systems["d"].items())}
    return key, systems


@pytest.mark.parametrize("how", [
    {}, {"average": "macro"}, {"by": of_genre}, {"by": "document"}, {"by": of_genre, "average": "macro"}, {"metrics": "vi"},
    {"metrics": "conll", "zero_division": 0.0, "by": of_genre},
])  # fmt: skip
@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_pairs_are_those_of_comparisons(how, test, data):
    key, systems = data
    how = {"metrics": "muc", "by": None, **how}
    metric, by, r = how["metrics"], how["by"], Resampling(resamples=300, test=test)
    with silenced():
        compared = {name: compare(key, systems, baseline=name, resampling=r, **how) for name in systems}
        first = next(iter(compared.values()))
        ranked = sorted(systems, key=lambda name: -first[name, metric].score.value)
        scores = {name: first.evaluations[""][name] for name in ranked}
        pairs = every_pair(scores, metric, by, first.resampling)
    assert len(pairs) == 10
    for (system, baseline), found in pairs.items():
        expected = compared[baseline][system, metric].difference
        assert found.value == expected.value
        assert found.p == pytest.approx(expected.p, abs=1e-12)
        assert getattr(found, test) == pytest.approx(getattr(expected, test), abs=1e-12)
        assert (found.exact, found.better, found.significant) == (
            expected.exact and test == "randomization", expected.better, expected.significant,
        )  # fmt: skip
