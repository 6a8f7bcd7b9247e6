"""What metrics of the caller may return, and what is said of pairs that have nothing in common, or bounds."""

import numpy as np
import pytest

from referee import CorpusBuilder, score
from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning
from referee.stats.counts import rates


@pytest.mark.parametrize("wrong", [np.zeros(1), np.zeros(3)])
def test_counts_without_a_row_for_each_document_are_refused(wrong):
    def partly(table):
        return rates((np.zeros(table.documents), wrong), (np.zeros(table.documents), np.zeros(table.documents)))

    def nothing(_):
        return None

    for metric in (partly, nothing):
        with pytest.raises(OptionError, match=r"expected one for each document, 2|expected Counts, or \(numerator"):
            score({"a": [{1}], "b": [{2}]}, {"a": [{1}], "b": [{2}]}, metrics=metric)


def test_bounds_and_spans_that_are_not_half_open_are_said(monkeypatch):
    monkeypatch.setattr("referee.algorithms.assignment.BUDGET", 0)
    rng = np.random.default_rng(8)
    key, response = ([set(np.flatnonzero(of == n).tolist()) for n in range(12)] for of in rng.integers(12, size=(2, 600)))
    with pytest.warns(RefereeWarning, match=r"ran out of its budget: ceaf_e are lower bounds, certified with their upper"):
        score(key, response, metrics=["ceaf_e", "muc"])
    with pytest.warns(RefereeWarning, match="no mention in common: check that both count spans from the same offset"):
        score([{(1, 2)}], [{(3, 4)}])
    with pytest.warns(RefereeWarning, match="no mention in common: check their names$"):
        score([{1, 2}], [{3, 4}])
    with pytest.warns(RefereeWarning, match="response> has no mentions"):
        score([{1, 2}], [])
    with pytest.warns(
        RefereeWarning, match=r"key> has no mentions that are scored: its mentions \(2\) are left out by the opt"
    ):
        score([{1}, {2}], [{1, 2}], singletons="drop")
    inclusive, half_open = CorpusBuilder("key"), CorpusBuilder("response")
    for builder, end in ((inclusive, 3), (half_open, 4)):
        builder.document("d")
        builder.mention(3, end, "a")
        builder.mention(5, end + 4, "a")
    for pair in ((inclusive, half_open), (half_open, inclusive)):
        with pytest.raises(MismatchError, match=r"some spans end where they start; expected half-open spans \[start, end\)"):
            score(*(side.corpus() for side in pair))
