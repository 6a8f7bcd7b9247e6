"""What reports read of metrics and of their scores, beside the counts."""

import math
from dataclasses import replace

import numpy as np
import pytest

from referee import score
from referee.basics.exceptions import OptionError, RefereeError, UnknownNameError
from referee.basics.options.options import Options
from referee.metrics.blanc import blanc_by_key
from referee.metrics.distribution import direction
from referee.metrics.merge_distance import generalised_merge_distance, product
from referee.metrics.metric import metric as recorded
from referee.metrics.registry import METRICS, PLAIN_NAMES, metric_named, plain_name
from referee.metrics.scores import Scores
from referee.stats.counts import ScoreColumns, f_measure, finish_rates, mean, rates, undefined
from tests.support.partitions import table_of


def test_a_summary_is_the_first_line_of_the_documentation():
    assert METRICS["muc"].summary == (METRICS["muc"].count.__doc__ or "").split("\n")[0]
    assert all(record.summary and "\n" not in record.summary for record in METRICS.values())


def test_the_source_of_a_metric_is_the_references_of_its_documentation():
    assert METRICS["overlap"].source == 'Popescu-Belis and Robba (1998), "Distribution Overlapping".'
    assert replace(METRICS["overlap"], count=lambda table: undefined(table.documents)).source == ""


def test_a_metric_that_needs_annotation_is_one_of_the_default_panel():
    made = [
        recorded("M", **more)(lambda table: undefined(table.documents)) for more in ({}, {"needs": "gap"}, {"panel": "named"})
    ]
    assert [record.panel for record in made] == ["all", "default", "named"]


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("B^3", "b_cubed"), ("b³", "b_cubed"), ("B-cubed", "b_cubed"), ("BCubed", "b_cubed"), (" b 3 ", "b_cubed"),
        ("CEAFe", "ceaf_e"), ("ceafphi4", "ceaf_e"), ("CEAF-φ4", "ceaf_e"), ("CEAF ϕ₄", "ceaf_e"), ("ceaf_phi3", "ceaf_m"),
        ("phi", None), ("b_4", None), ("", None), ("Zero anaphora", "zero_anaphora"), ("Fowlkes–Mallows", "fowlkes_mallows"),
    ],
)  # fmt: skip
def test_a_metric_is_known_by_every_spelling_of_its_names(name, metric):
    if metric is None:
        with pytest.raises(UnknownNameError, match="no metric named"):
            metric_named(name)
    else:
        assert metric_named(name) is METRICS[metric]
        assert list(score([{1, 2, 3}], [{1, 2}], metrics=name)) == [metric]


def test_no_spelling_is_that_of_two_metrics():
    names = [(plain_name(name), r.id) for r in METRICS.values() for name in {r.id, r.title, *r.aliases}]
    assert len({name for name, _ in names}) == len(set(names)) == len(PLAIN_NAMES)


def test_scores_are_one_dictionary_of_numbers():
    """The key has a link more: MUC has recall 1/2 and precision 1; of the three mentions the sizes have two in common."""
    scores = score([{1, 2, 3}], [{1, 2}, {3}], metrics=["muc", "overlap"])
    assert scores.flat("x/") == {"x/muc_recall": 1 / 2, "x/muc_precision": 1, "x/muc_f1": 2 / 3, "x/overlap": 2 / 3}


def test_a_metric_of_the_caller_is_in_the_record():
    own = replace(METRICS["muc"], id="own")
    scores = Scores("response", (), {"own": own}, {"own": undefined(0)}, Options(), "", "")
    assert ("own" in scores, "lea" in scores) == (True, False)
    assert (scores.record("own"), scores.record("lea")) == (own, METRICS["lea"])
    with pytest.raises(UnknownNameError, match="no metric named 'lea'"):
        scores.counts_of("lea")


@pytest.mark.parametrize(
    ("d", "side"), [(0.0, ""), (math.nan, ""), (0.25, "precision"), (1.0, "precision"), (-0.25, "recall"), (-1.0, "recall")]
)
def test_a_d_error_above_zero_is_one_of_precision(d, side):
    """Too much grouping is an error of precision, too little one of recall (Popescu-Belis and Robba 1998)."""
    assert direction(d) == side


def test_an_alignment_within_bounds_has_a_column_only_where_something_may_be_missing():
    one, none = np.ones(2), np.zeros(2)
    assert "slack" not in rates((one, one), (one, one), none).columns
    assert "slack" not in rates((one, one), (one, one)).columns
    assert rates((one, one), (one, one), np.array([0.0, 0.5])).columns["slack"].tolist() == [0, 0.5]


def test_f_weighs_recall_by_the_square_of_beta():
    """(1 + b²) P R / (b² P + R), and 0 if either is 0, also where the other one is undefined."""
    recall, precision = np.array([1 / 2, 0, 0, 0, 1, math.nan]), np.array([1 / 4, 1, 0, math.nan, 0, 0])
    assert f_measure(recall, precision).tolist() == [1 / 3, 0, 0, 0, 0, 0]
    assert f_measure(recall, precision, beta=2.0).tolist() == [5 * (1 / 8) / (4 * (1 / 4) + 1 / 2), 0, 0, 0, 0, 0]
    assert math.isnan(f_measure(np.array([math.nan]), np.array([math.nan]))[0])


def test_another_f_is_no_f1():
    found = score([{1, 2, 3}], [{1, 2}], metrics=["muc"], beta=2.0)["muc"]
    assert found.value == pytest.approx(5 * (1 / 2) / (4 + 1 / 2))
    with pytest.raises(OptionError, match="found F2; expected beta 1 for F1"):
        assert found.f1


def test_the_mean_over_documents_counts_those_that_are_defined():
    """The second document has no link on either side: its MUC is 0/0."""
    data = {"a": [{1, 2}], "b": [{1}]}
    average, documents = score(data, data, metrics=["muc"]).macro("muc")
    assert (average.value, documents) == (1, 1)
    assert score(data, data, metrics=["muc"], average="macro")["muc"] == average


def test_rates_are_fractions_of_their_own_side_and_the_upper_score_has_the_slack():
    columns = {
        "recall_numerator": np.array([1.0]),
        "recall_denominator": np.array([4]),
        "precision_numerator": np.array([2.0]),
        "precision_denominator": np.array([5]),
        "slack": np.array([0.5]),
    }
    scores = finish_rates(columns, math.nan, 1.0)
    assert (scores[0].recall, scores[0].precision) == (1 / 4, 2 / 5)
    assert (scores[0].upper.recall, scores[0].upper.precision) == (1.5 / 4, 2.5 / 5)


def test_blanc_of_the_reference_scorer_has_the_kinds_of_link_that_the_key_has():
    """The key has one coreference link, which is missed, and two others: R 1, P 2/3, F 4/5."""
    missed = blanc_by_key(table_of([([{1, 2}, {3}], [{1}, {2}, {3}])])).score()[0]
    assert (missed.value, missed.recall, missed.precision) == pytest.approx((2 / 5, 1 / 2, 1 / 3))
    assert blanc_by_key(table_of([([{1}, {2}], [{1}, {2}])])).score()[0].value == 1
    assert blanc_by_key(table_of([([{1}], [{1}])])).score()[0].value == 0


def test_terms_that_would_lose_their_digits_are_refused():
    table = table_of([([{1}], [{1}])])
    for magnitude in (2.0**-60, 1.0, 2.0**61):
        assert table.sum_cells(np.array([magnitude])).tolist() == [magnitude]
    for magnitude in (2.0**-61, 2.0**62, -(2.0**62), math.inf):
        with pytest.raises(OptionError, match="expected from 1e-18 to 4e18: count in other units"):
            table.sum_keys(np.array([magnitude]))
    assert table.sum_cells(np.array([0.0])).tolist() == [0]


def test_the_mean_leaves_out_what_is_undefined():
    assert mean([math.nan, 1.0, 2.0, 0.0]) == 1
    assert math.isnan(mean([math.nan]))
    rows = ScoreColumns(np.array([1.0, math.nan, 0.5]), np.array([1.0, 0.0, math.nan]), None, 1.0)
    assert (rows.mean().value, rows.mean().recall, rows.mean().precision) == (0.75, 0.5, None)
    assert [score.recall for score in rows][:2] == [1, 0]
    assert (rows[2].value, rows[0].precision) == (0.5, None)


def test_options_of_a_metric_that_is_called_are_checked():
    for options in ({"mtach": "exact"}, {"match": "haed"}, {"average": "macro"}):
        with pytest.raises((RefereeError, TypeError)):
            METRICS["muc"]([{1}], [{1}], **options)


def test_merge_distance_by_products_counts_the_wrong_pairs():
    """The key's pairs 1-3, 1-4, 2-3, 2-4, 3-4, 6-7 and 7-8 are missing; 4-5, 6-9 and 8-9 are too many."""
    document = ([{1, 2, 3, 4}, {5}, {6, 7, 8}, {9}], [{1, 2}, {3}, {4, 5}, {6, 8, 9}, {7}])
    counts = generalised_merge_distance(product, product)(table_of([document])).columns
    assert (counts["merges"].tolist(), counts["splits"].tolist()) == ([5 + 2], [1 + 2])


def test_blanc_has_the_kinds_of_link_that_either_side_has():
    """Of one coreference link and two others, the response has others only: R (0 + 1) / 2, P (0 + 2/3) / 2, F (0 + 4/5) / 2."""
    assert METRICS["blanc"].count(table_of([([{1}], [])])).score()[0].value == 0
    document = ([{1, 2}, {3}], [{1}, {2}, {3}])
    for found, sides in ((document, (1 / 2, 1 / 3)), (document[::-1], (1 / 3, 1 / 2))):
        of_blanc = METRICS["blanc"].count(table_of([found])).score()[0]
        assert (of_blanc.value, of_blanc.recall, of_blanc.precision) == pytest.approx((2 / 5, *sides))


def test_no_rounding_makes_information_larger_than_an_entropy():
    """The key cuts the entities of the response, and so has all of their information; it is a digit too much without care."""
    document = ([{3}, {2}, {4, 5}, {0, 1, 6}], [{3, 4, 5}, {0, 1, 2, 6}])
    assert METRICS["completeness"].count(table_of([document[::-1]])).score()[0].value <= 1
    assert METRICS["homogeneity"].count(table_of([document])).score()[0].value <= 1
    assert METRICS["v_measure"].count(table_of([document])).score()[0].precision == 1
