"""A scorer that is updated document by document gives the digits of one call."""

import copy
import math
import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, strategies as st

import referee
from referee.basics.exceptions import OptionError
from referee.metrics.registry import METRICS
from referee.training.batches import clusters_of
from referee.training.sums import digits_of, number_of

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")

NAMED = [name for name, metric in METRICS.items() if metric.panel != "named"]


@st.composite
def clusters(draw):
    spans = draw(st.lists(st.integers(0, 12).map(lambda n: (n // 2, n // 2 + 1 + n % 2)), max_size=10))
    entities = {}
    for span in spans:  # some are repeated, in one entity or two
        entities.setdefault(draw(st.integers(0, 4)), []).append(span)
    return list(entities.values())


documents = st.lists(st.tuples(clusters(), clusters()), min_size=1, max_size=8)


def numbers(scores):
    """Every digit of every score, as text: nan is not equal to itself."""
    return {name: repr(scores[name]) for name in scores}


def one_call(docs, **options):
    key = {str(n): key for n, (key, _) in enumerate(docs, start=1)}
    response = {str(n): response for n, (_, response) in enumerate(docs, start=1)}
    return referee.score(key, response, **options)


def updated(scorer, docs):
    for key, response in docs:
        scorer.update(response, key)
    return scorer


@given(docs=documents, options=st.sampled_from([{}, {"singletons": "drop"}, {"repeated_mentions": "merge"}, {"beta": 2.0}]))
def test_document_by_document_is_one_call(docs, options):
    scorer = updated(referee.Scorer(metrics=NAMED, **options), docs)
    assert numbers(scorer.compute()) == numbers(one_call(docs, metrics=NAMED, **options))
    assert scorer.documents == len(docs)


@given(data=st.data(), docs=documents)
def test_order_splits_and_merges_change_no_digit(data, docs):
    expected = numbers(one_call(docs, metrics="all"))
    shuffled = data.draw(st.permutations(docs))
    parts = data.draw(st.integers(1, 4))
    scorers = [referee.Scorer(metrics="all") for _ in range(parts)]
    for n, (key, response) in enumerate(shuffled):
        scorer = scorers[data.draw(st.integers(0, parts - 1))]
        if data.draw(st.booleans()):
            scorer.add(key, response)
        else:
            scorer.update(response, key)
        if n % 3 == 2:
            assert scorer.compute().documents == ()  # counts what waited
    summed = referee.Scorer(metrics="all")
    summed.load_state(sum((scorer.state() for scorer in scorers[1:]), scorers[0].state()))
    assert numbers(summed.compute()) == expected
    merged = scorers[0]
    for other in scorers[1:]:
        merged.merge(other)
    assert numbers(merged.compute()) == expected
    assert merged.signature == summed.signature


@given(docs=documents)
def test_rows_give_documents_and_the_macro_average(docs):
    scorer = referee.Scorer(metrics=["b_cubed", "conll"], rows=True, average="macro")
    other = referee.Scorer(metrics=["b_cubed", "conll"], rows=True, average="macro")
    scores = updated(scorer, docs[:2]).merge(updated(other, docs[2:])).compute()
    expected = one_call(docs, metrics=["b_cubed", "conll"], average="macro")
    assert numbers(scores) == numbers(expected)
    for metric in scores:
        assert np.array_equal(scores.columns(metric).value, expected.columns(metric).value, equal_nan=True)


def test_rows_give_intervals():
    docs = [([[(0, 1), (n, n + 1)]], [[(0, 1), (n, n + 1 + n % 2)]]) for n in range(2, 9)]
    scorer = updated(referee.Scorer("b_cubed", rows=True), docs)
    expected = one_call(docs, metrics="b_cubed").intervals(seed=1)
    assert scorer.intervals(seed=1)["b_cubed"] == expected["b_cubed"]
    merged = scorer.merge(updated(referee.Scorer("b_cubed", rows=True), docs[:1]))
    assert merged.compute().documents == ("1 1", "2 2", "3 3", "4 4", "5 5", "6 6", "7 7", "8 1")
    assert merged.intervals(seed=1)["b_cubed"].low < merged["b_cubed"].value
    with pytest.raises(referee.OptionError, match="rows=True"):
        referee.Scorer().intervals()


@pytest.mark.parametrize("profile", referee.PROFILES)
def test_a_scorer_takes_a_profile(profile):
    docs = [([[(0, 1), (2, 3)], [(0, 1), (5, 6)], [(8, 9)]], [[(0, 1), (2, 3), (2, 3)], [(8, 9), (5, 6)]])]
    metrics = ["muc", "b_cubed", "ceaf_e", "blanc", "conll"]
    scorer = updated(referee.Scorer(metrics, profile=profile), docs)
    assert numbers(scorer.compute()) == numbers(one_call(docs, metrics=metrics, profile=profile))


def test_many_documents_are_counted_in_batches(monkeypatch):
    docs = [([[(n, n + 2), (9, 10)], [(5, 6)]], [[(n, n + 2), (5, 6), (9, 10)]]) for n in range(1, 30)]
    monkeypatch.setattr("referee.training.scorer.TOGETHER", 40)
    scorer = updated(referee.Scorer(), docs)
    assert len(scorer._batch.names) < 10
    assert numbers(scorer.compute()) == numbers(one_call(docs, metrics=list(scorer.metrics)))


def test_a_state_goes_through_a_pickle_and_a_reset():
    scorer = updated(referee.Scorer(), [([[(0, 1), (3, 4)]], [[(0, 1), (5, 6)]])])
    expected = numbers(scorer.compute())
    again = pickle.loads(pickle.dumps(scorer))
    assert numbers(again.compute()) == numbers(copy.deepcopy(scorer).compute()) == expected
    fresh = referee.Scorer()
    fresh.load_state(scorer.state())
    assert numbers(fresh.compute()) == expected
    scorer.reset()
    assert scorer.documents == 0
    assert math.isnan(scorer["conll"].value)


def test_add_gives_the_scores_of_the_document_and_takes_anything():
    scorer = referee.Scorer("muc", rows=True)
    assert scorer.add([[(0, 1), (4, 5)]], [[(0, 1), (4, 5)]], name="a")["muc"].value == 1.0
    assert scorer.add([{"x", "y"}, {"z"}], [{"x"}, {"y", "z"}])["muc"].value == 0.0
    scorer.add({"d1": [{"x", "y"}], "d2": [{"z", "w"}]}, {"d1": [{"x", "y"}], "d2": [{"z", "w"}]})
    scores = scorer.compute()
    assert scores.documents == ("a", "2", "d1", "d2")
    assert scores["muc"].recall == 0.75
    assert scores.document("a")["muc"].f1 == 1.0


SPANS = [[[0, 1], [4, 6]], [[7, 9]]]


@pytest.mark.parametrize(
    "value",
    [
        SPANS,
        tuple(tuple((a, b) for a, b in cluster) for cluster in SPANS),
        {frozenset([(0, 1), (4, 6)]), frozenset([(7, 9)])},
        [np.array(cluster) for cluster in SPANS],
        [[np.array(span, dtype=np.int32) for span in cluster] for cluster in SPANS],
        [[(np.int64(a), np.int64(b)) for a, b in cluster] for cluster in SPANS],
        [np.array(cluster, dtype=np.float16) for cluster in SPANS],
        [[(float(a), np.float64(b)) for a, b in cluster] for cluster in SPANS],
        np.array([[*SPANS[0], [-1, -1]], [*SPANS[1], [-1, -1], [-1, -1]], [[-100, -100]] * 3]),
    ],
)
def test_clusters_of_lists_tuples_sets_and_arrays_are_read_at_once(value):
    found = clusters_of(value)
    assert sorted(map(tuple, found.spans.tolist())) == [(0, 1), (4, 6), (7, 9)]
    assert sorted(found.sizes[found.sizes > 0]) == [1, 2]


@pytest.mark.parametrize(
    "value",
    [
        [{"a", "b"}], ["ab", "cd"], [0, 0, 1], {"d": [[(0, 1)]]}, [[(0, 1)], 3], [[(0, 1, 2)]], [[(0, 1), "ab"]], [[(0.5, 1)]],
        [[[(0, 1)]]], [[(3, 1)]], [[(-1, 1)]], [[(0, 1 << 31)]], [[(0, 1 << 70)]], [[(False, True)]], "ab", None, 7,
        [[{0, 1}]], [[{0: 1, 2: 3}]], [np.array([[0.5, 1.0]])], [np.array([[np.nan, np.inf]])],
    ],
)  # fmt: skip
def test_all_other_values_take_the_general_road(value):
    assert clusters_of(value) is None


def test_what_cannot_be_added_is_refused():
    with pytest.raises(referee.OptionError, match="rows=True"):
        referee.Scorer(average="macro")
    with pytest.raises(referee.OptionError, match="no cross_document"):
        referee.Scorer(cross_document="corpus")
    with pytest.raises(TypeError, match="did you mean 'singletons'"):
        referee.Scorer(singleton="drop")
    scorer = referee.Scorer()
    with pytest.raises(referee.OptionError):
        scorer.update(3, 4)
    assert scorer.documents == 0
    with pytest.raises(referee.OptionError, match="different metrics, options or rows"):
        scorer.merge(referee.Scorer(singletons="drop"))
    with pytest.raises(referee.OptionError, match="use merge"):
        referee.Scorer(rows=True).load_state(scorer.state())


@pytest.mark.parametrize(
    ("metrics", "options"),
    [("b_cubed", {}), (["lea", "muc"], {}), (["muc", "lea"], {"singletons": "drop"}), (["muc", "lea"], {"zero_division": 0})],
)
def test_a_state_is_of_its_metrics_and_options(metrics, options):
    scorer, other = referee.Scorer(["muc", "lea"]), referee.Scorer(metrics, **options)
    states = [other.state(), updated(other, [([[(0, 1), (4, 5)]], [[(0, 1), (4, 5)]])]).state()]
    if len(states[0]) == len(scorer.state()):
        states += [scorer.state() + state for state in states]
    for state in (*states, scorer.state()[:-1]):
        with pytest.raises(referee.OptionError, match="state of other metrics or options") as raised:
            scorer.load_state(state)
        assert "\n" not in str(raised.value)
    with pytest.raises(referee.OptionError, match="different metrics, options or rows"):
        scorer.merge(other)
    assert scorer.documents == 0


class Half:
    """A metric of one's own that does not say when it is equal to another one."""

    def __init__(self, share):
        self.share = share

    def __call__(self, table):
        return METRICS["muc"].count(table)


def counted_as_muc(table):
    return METRICS["muc"].count(table)


@pytest.mark.parametrize("metric", [counted_as_muc, partial(counted_as_muc), Half(1 / 2), METRICS["muc"]])
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda scorer: pickle.loads(pickle.dumps(scorer))])
def test_a_scorer_with_a_metric_of_ones_own_merges_with_what_came_back(metric, again):
    scorer = referee.Scorer({"own": metric}, rows=True)
    scorer.update([[(0, 1), (2, 3)]], [[(0, 1), (2, 3), (4, 5)]])
    assert scorer.merge(again(scorer))["own"].recall == 2 / 4
    assert referee.Scorer({"own": metric}, rows=True).merge(again(scorer)).documents == 2


@pytest.mark.parametrize("other", [Half(1 / 3), METRICS["muc"].count, counted_as_muc])
def test_other_metrics_of_one_name_are_not_merged(other):
    with pytest.raises(OptionError, match="different metrics"):
        referee.Scorer({"own": Half(1 / 2)}).merge(referee.Scorer({"own": other}))


def test_a_mean_of_states_is_no_state():
    first, second = (updated(referee.Scorer("muc"), [([[(0, 1), (n, n + 1)]], [[(0, 1), (4, 5)]])]) for n in (4, 6))
    with pytest.raises(referee.OptionError, match="with fractions, as of a mean; expected the sum of states"):
        first.load_state((first.state() + second.state()) / 2)


def test_weights_of_types_in_another_order_are_the_same_options():
    scorer = referee.Scorer("lea", lea_importance={"PER": 1.0, "LOC": 2.0})
    other = referee.Scorer("lea", lea_importance={"LOC": 2, "PER": 1})
    other.load_state(scorer.state())
    other.merge(scorer)


@pytest.mark.parametrize("read", [lambda scores: scores.by_document, lambda scores: scores.document("1"),
                                  lambda scores: scores.columns("muc"), lambda scores: scores.macro("muc")])  # fmt: skip
def test_scores_of_documents_need_rows(read):
    scores = updated(referee.Scorer("muc"), [([[(0, 1)]], [[(0, 1)]])]).compute()
    with pytest.raises(referee.OptionError, match="rows=True"):
        read(scores)


ROW = [5, 5, 6, -100, -100]
"""Labels of the key, padded."""


@pytest.mark.parametrize(
    ("response", "key"),
    [
        ([0, 1, 1, 7, 7], ROW),
        (np.array([0, 1, 1, -100, -100]), np.array(ROW)),
        (np.array([0, 1, 1, 1, 1.0]), np.array(ROW, float)),
    ],
)
def test_the_end_of_labels_that_the_key_pads_is_left_out(response, key):
    scorer = referee.Scorer("b_cubed")
    scorer.update(response, key)
    assert numbers(scorer.compute()) == numbers(referee.score([{0, 1}, {2}], [{0}, {1, 2}], metrics="b_cubed"))


@pytest.mark.parametrize(
    ("response", "key"),
    [
        ([3, 0, 0, 3], [-100, 0, 1, -100]), (np.array([0, 0, -100, 1]), np.array([0, 0, 1, 1])),
        ({"a": 0, "b": 0}, {"a": 0, "b": -100}),
        ([[0, 1], [2, -100]], [[0, 1, 2]]),
    ],
)  # fmt: skip
def test_other_padding_is_no_annotation(response, key):
    with pytest.raises(referee.RefereeError, match=r"which pads; .* referee.phrases.from_ids"):
        referee.Scorer("b_cubed").update(response, key)


def test_flat_scores_have_a_name_each():
    scorer = updated(referee.Scorer(["muc", "conll", "vi"], zero_division=0.0), [([[(0, 1), (4, 5)]], [[(0, 1), (4, 5)]])])
    assert scorer.compute().flat("dev/") == {
        "dev/muc_recall": 1.0, "dev/muc_precision": 1.0, "dev/muc_f1": 1.0, "dev/conll": 1.0, "dev/vi": 0.0,
    }  # fmt: skip
    assert {*referee.score([{"a", "b"}], [{"a", "b"}], metrics="muc", beta=2).flat()} == {
        "muc_recall",
        "muc_precision",
        "muc_f2",
    }


@given(st.lists(st.floats(-(2.0**60), 2.0**60).filter(lambda x: x == 0 or abs(x) > 2.0**-130), max_size=30))
def test_a_sum_of_digits_is_the_exact_sum_rounded_once(values):
    total = number_of(digits_of(np.array(values, dtype=np.float64)).sum(axis=0))
    assert float(total) == math.fsum(values) == float(sum(map(Fraction, values)))


def test_inclusive_ends_of_one_side_alone_are_warned_of():
    scorer = referee.Scorer("muc")
    scorer.update([[(0, 0), (4, 5)]], [[(0, 1), (4, 6)]])
    with pytest.warns(referee.RefereeWarning, match="expected inclusive ends in both, or exclusive ones"):
        scorer.compute()
