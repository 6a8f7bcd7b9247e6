"""What errors cost, against scores of repaired responses computed from scratch."""

from functools import partial
from math import inf, isclose, isnan, nan

import numpy as np
import pytest
from hypothesis import given, strategies as st

import referee
from referee import CorpusBuilder, score
from referee.basics.exceptions import OptionError
from referee.basics.options.options import RECORDS
from referee.error_analysis.costs import ATTRIBUTED, SingleErrorCounts, costs
from referee.error_analysis.differences import KINDS, differences
from referee.error_analysis.repairs import Cases, mentions_to_count
from referee.error_analysis.touched import ChangedRegion, touched_tables
from referee.matching.repeated_mentions import COUNTED_REPEATEDLY
from referee.metrics.registry import METRICS
from tests.error_analysis.test_differences import evaluated
from tests.support.metrics import ENTITY_METRICS
from tests.support.partitions import corpora
from tests.support.strategies import one_document

pytestmark = pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")


def repaired(d, errors):
    """The response with some errors repaired, mention by mention, as the documentation says."""
    key, response, errors = d.pair.key, d.pair.response, set(errors)
    kind = [KINDS[k] for k in d.kind]
    home = {k: ("old", r) for k, r in enumerate(d.best_response.tolist())}
    for error in errors:
        if kind[error] == "merged":
            home[int(d.key_entity[error])] = ("new", int(d.key_entity[error]))
    builder = CorpusBuilder("repaired")
    mentions = [[] for _ in key.doc_ids]
    for m, error in enumerate(d.response_error.tolist()):
        k = int(d.response_counterpart[m])
        repair = kind[error] if error in errors else None
        if repair in ("spurious", "spurious_entity"):
            continue
        entity = home[int(key.entity[k])] if repair in ("split", "misplaced", "merged") else ("old", int(response.entity[m]))
        at_key = k >= 0 and int(d.key_span_error[k]) in errors
        mentions[response.document[m]].append((key, k, entity) if at_key else (response, m, entity))
    for k, error in enumerate(d.key_error.tolist()):
        if error in errors and kind[error] in ("missed", "missed_entity"):
            own = int(key.entity[k])
            mentions[key.document[k]].append((key, k, home[own] if kind[error] == "missed" else ("new", own)))
    for document, name in enumerate(key.doc_ids):
        builder.document(name)
        for side, m, entity in mentions[document]:
            if side.items is None:
                head = None if side.heads[m] < 0 else int(side.heads[m])
                builder.mention(int(side.start[m]), int(side.end[m]), str(entity), entity_type(d, entity), head=head)
            else:
                builder.item(side.items[m], str(entity))
    return builder.corpus()


def entity_type(d, entity):
    """That of an entity of the repaired response: an old one of the response, or a new one like that of the key."""
    age, number = entity  # as `repaired` names entities
    types = (d.pair.response if age == "old" else d.pair.key).entity_types
    return "" if types is None else types[number]


def same(a, b):
    return (isnan(a) and isnan(b)) or isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def check(e, groups, metrics=None, **options):
    d = differences(e.pair)
    group = np.array([groups[n % len(groups)] for n in range(len(d))], dtype=np.int64)
    found = costs(d, e, metrics, group)
    for g in range(int(group.max(initial=-1)) + 1):
        errors = np.flatnonzero(group == g)
        after = score(e.key, repaired(d, errors.tolist()), metrics=metrics or ATTRIBUTED, tokens="ignore", **options)
        documents = set(d.document[errors].tolist())
        for metric, values in found.corpus.items():
            if len(errors):
                assert same(values[g], after[metric].value - e[metric].value), metric
            if len(documents) == 1:
                (n,) = documents
                expected = after.by_document[metric].value[n] - e.by_document[metric].value[n]
                assert same(found.document[metric][g], expected), metric


EACH = list(range(100))


@given(documents=corpora(3), groups=st.just(EACH) | st.lists(st.integers(-1, 3), min_size=1, max_size=6))
def test_costs_are_those_of_scores_from_scratch(documents, groups):
    if any(side for d in documents for side in d):
        check(evaluated(documents), groups)


@given(
    documents=corpora(3),
    options=st.fixed_dictionaries(
        {"average": st.sampled_from(["micro", "macro"]), "zero_division": st.sampled_from([nan, 0.0]), "beta": st.just(2.0)}
    ),
)
def test_costs_follow_the_options(documents, options):
    if any(side for d in documents for side in d):
        check(evaluated(documents, **options), EACH, **options)


@given(key=one_document, response=one_document, groups=st.just(EACH) | st.just([0, 1, 2]))
def test_boundaries_have_their_costs(key, response, groups):
    e = score(key, response, metrics=ATTRIBUTED)
    check(score(e.key, e.response, metrics=ATTRIBUTED), groups)


def equal(a, b):
    """That two costs have the same metrics and the same bits."""
    for of, other in ((a.corpus, b.corpus), (a.document, b.document)):
        assert list(of) == list(other)
        for metric, values in of.items():
            assert np.array_equal(values, other[metric], equal_nan=True), metric


@given(documents=corpora(3), groups=st.just(EACH) | st.lists(st.integers(-1, 9), min_size=1, max_size=12))
def test_counts_of_single_errors_serve_groups_of_one_error(documents, groups):
    if any(side for d in documents for side in d):
        e = evaluated(documents)
        d = differences(e.pair)
        group = np.array([groups[n % len(groups)] for n in range(len(d))], dtype=np.int64)
        equal(costs(d, e, groups=group), costs(d, e, groups=group, single_counts=SingleErrorCounts.of(d, e)))
        other = SingleErrorCounts.of(d, e, ["muc"])  # of other metrics: of no use, and no harm
        equal(costs(d, e, groups=group), costs(d, e, groups=group, single_counts=other))


CALLS = st.tuples(
    st.sampled_from(["kind", "size", "entity", "error", "costs"]),
    st.lists(st.sampled_from(["muc", "core_mr", "overlap", "ceaf_e", "conll", "ari", "links"]), min_size=1, max_size=3),
)


@given(documents=corpora(3), calls=st.lists(CALLS, min_size=2, max_size=6))
def test_costs_do_not_depend_on_what_was_asked_before(documents, calls):
    if any(side for d in documents for side in d):
        e = evaluated(documents)
        asked = e.errors()
        for call in calls:
            assert str(answer(asked, *call)) == str(answer(e.errors(), *call))


def answer(errors, by, metrics):
    """What a call gives, with all digits."""
    return errors.costs(metrics[0]).tolist() if by == "costs" else errors.to_rows(by=by, metrics=metrics)


def test_costs_of_a_metric_asked_for_after_those_of_each_error():
    e = score([{"a", "b", "c"}, {"d", "e"}, {"f"}], [{"a", "b"}, {"c", "d"}, {"e", "f", "g"}])
    errors = e.errors()
    errors.costs("core_mr")
    for metric in ("core_mr", "overlap"):
        found, expected = (of.by("kind", metric).costs[metric] for of in (errors, e.errors()))
        assert np.array_equal(found, expected, equal_nan=True)


@given(documents=corpora())
def test_when_all_is_repaired_the_response_is_the_key(documents):
    if not any(side for d in documents for side in d):
        return
    e = evaluated(documents)
    d = differences(e.pair)
    for metric, (cost,) in costs(d, e, groups=np.zeros(len(d), dtype=np.int64), number=1).corpus.items():
        perfect = score(e.key, e.key)[metric].value
        assert not len(d) or same(cost, perfect - e[metric].value)


def test_a_measure_of_your_own_has_costs():
    e = evaluated([([{1, 2, 3}, {4}], [{1, 2}, {3, 4}, {5}])])
    d = differences(e.pair)
    own = costs(d, e, {"mine": METRICS["b_cubed"].count, "other": partial(METRICS["muc"].count)})
    ours = costs(d, e, ["b_cubed", "muc"])
    assert own.corpus["mine"].tolist() == ours.corpus["b_cubed"].tolist()
    assert np.allclose(own.corpus["other"], ours.corpus["muc"])


@pytest.mark.parametrize(
    ("metrics", "shown"),
    [
        ({"mine": METRICS["lea"].count}, "mine"),
        ({"renamed": "muc"}, "renamed"),
        ({"mine": METRICS["lea"].count, "muc": "muc"}, "muc"),
        (["syntactic_links"], "conll"),
        (["bridging_anaphora"], "conll"),
    ],
)
def test_errors_are_shown_by_whatever_was_computed(metrics, shown):
    key, response = [{1, 2, 3}, {4, 5}], [{1, 2}, {3, 4, 5}]
    errors = referee.score(key, response, metrics=metrics).errors()
    assert [*errors.to_rows()[0]][-1] == f"cost_{shown}"
    assert errors.report() and errors.report(by="error") and errors.by("size").to_rows() and repr(errors)
    for name in metrics if isinstance(metrics, dict) else ():
        expected = referee.errors(key, response).costs("lea" if name == "mine" else "muc")
        assert np.allclose(errors.costs(name), expected)
        assert f"cost_{name}" in errors.to_rows("kind", metrics=name)[0]


def test_measures_without_costs_are_refused():
    e = evaluated([([{1, 2}], [{1}, {2}])])
    with pytest.raises(OptionError, match="errors have no cost in syntactic_links; expected one of mentions"):
        costs(differences(e.pair), e, ["syntactic_links"])


def test_every_measure_of_partitions_has_costs_but_that_of_listed_links():
    assert set(ATTRIBUTED) == set(ENTITY_METRICS) - {"syntactic_links"}


NUMBERS = {
    "min_overlap": (0.3, 2),
    "zero_division": (0.0, 1.0, nan),
    "beta": (0.5, 2.0),
    "lea_importance": ({"p": 3, "q": 1}, {"p": 0, "q": 1}),
    "sample": (1, 2),
}
"""Values of the options that are no choice of words."""

APPLIED = {
    "profile",
    "zeros",
    "repeated_mentions",
    "singletons",
    "cross_document",
    "tokens",
    "extra_documents",
    "items",
    "quotes",
    "sample",
}
"""Options that change the sides before they are counted, and are not applied to a repaired response again."""


def typed(*documents):
    """Documents of entities, each with its type and the spans of its mentions, whose first tokens are their heads."""
    builder = CorpusBuilder("typed")
    for number, of_document in enumerate(documents):
        builder.document(f"d{number}")
        for entity, (kind, mentions) in enumerate(of_document):
            for start, end in mentions:
                builder.mention(start, end, str(entity), kind, head=start, minimum_span=(start, start + 1))
    return builder.corpus()


SIDES = {
    "text": (
        typed(
            [("p", [(0, 3), (4, 5), (9, 11)]), ("q", [(3, 4), (5, 6)]), ("p", [(20, 21)]), ("q", [(13, 16), (17, 18)])],
            [("p", [(0, 1), (2, 4), (5, 9)]), ("q", [(10, 11), (12, 13)])],
        ),
        typed(
            [("p", [(0, 2), (4, 5), (3, 4)]), ("q", [(5, 6), (9, 11)]), ("p", [(22, 23), (24, 25)]), ("q", [(13, 15)])],
            [("p", [(0, 1), (3, 4)]), ("q", [(5, 8), (10, 11)]), ("p", [(12, 13)])],
            [("q", [(0, 1), (1, 2)])],
        ),
    ),
    "repeated": (
        typed([("p", [(0, 1), (2, 3), (4, 5)]), ("q", [(6, 7), (8, 9)])]),
        typed([("p", [(0, 1), (2, 3), (6, 7), (2, 3)]), ("q", [(2, 3), (8, 9), (4, 5), (4, 5)])]),
    ),
    "items": ([{"a", "b", "c"}, {"d", "e"}, {"f"}], [{"a", "b"}, {"c", "d", "g"}, {"f", "h"}]),
}


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, record in RECORDS.items() for value in record.choices or NUMBERS.get(name, [None])],
)
def test_the_cost_of_an_error_is_what_its_repair_gains_whatever_the_option(name, value):
    assert value is not None, f"give values of {name} in NUMBERS of test_costs.py"
    needs = dict([RECORDS[name].needs or ("tokens", "ignore")])
    is_resolved = name == "repeated_mentions" and value not in {"error", *COUNTED_REPEATEDLY}
    key, response = SIDES["items" if name == "items" else "repeated" if is_resolved else "text"]
    e = score(key, response, metrics=ATTRIBUTED, **{**needs, name: value})
    again = {option: getattr(e.pair.options, option) for option in RECORDS if option not in APPLIED}
    for groups in (EACH, [0], [0, 1]):
        check(e, groups, ATTRIBUTED, **again)


def test_metrics_whose_costs_would_take_long_are_left_out():
    everything = [{n, n + 10, n + 20} for n in range(10)], [{n, (n + 1) % 10 + 10, n + 20} for n in range(10)]  # a ring
    e = evaluated([everything])
    d = differences(e.pair)
    cases = Cases.of(d, np.arange(len(d)))
    touched, components = ChangedRegion.of(d, cases).mentions, mentions_to_count(d, cases)
    assert touched < components == 2 * len(d) * 30
    assert set(costs(d, e, ATTRIBUTED).corpus) == set(ATTRIBUTED)
    assert set(costs(d, e, ATTRIBUTED, limit=touched - 1).corpus) == set()
    few = set(costs(d, e, ATTRIBUTED, limit=touched).corpus)
    assert few >= {"muc", "b_cubed", "lea"}
    assert not few & {"exclusive_core_mr", "vi"}


@given(
    key=st.lists(st.integers(0, 5), min_size=24, max_size=40),
    moved=st.lists(st.tuples(st.integers(0, 39), st.integers(0, 6)), max_size=14),
    left=st.sets(st.integers(0, 39), max_size=4),
    groups=st.just(EACH) | st.lists(st.integers(-1, 5), min_size=1, max_size=6),
)
def test_costs_in_one_large_component_are_those_of_scores_from_scratch(key, moved, left, groups):
    found = dict(enumerate(key)) | {m if m % 7 else m + 40: e for m, e in moved}
    response = {m: e for m, e in found.items() if m not in left}
    check(evaluated([(entities(dict(enumerate(key))), entities(response))], metrics=ATTRIBUTED), groups)


def test_prices_settle_most_alignments_and_searches_the_others():
    random = np.random.default_rng(5)
    settled = asked = 0
    for _ in range(4):
        e = evaluated([scattered(random, 40, 8, kept=0.4)], metrics=ATTRIBUTED)
        d = differences(e.pair)
        cases = Cases.of(d, np.arange(len(d)))
        assert not any(wrong_in_ceaf_e(d, cases, inf))
        settled += wrong_in_ceaf_e(d, cases, -1).count(False)  # no search
        check(e, EACH)
        asked += len(d)
    assert asked / 2 < settled < asked


def wrong_in_ceaf_e(d, cases, limit):
    """Of each case, whether its alignment is not found."""
    wrong = []
    for table in touched_tables(d, cases, ChangedRegion.of(d, cases), limit):
        assert not table.wrong.any()  # nothing was asked for yet
        METRICS["ceaf_e"].count(table)
        wrong += table.wrong.tolist()
    return wrong


def scattered(random, mentions, number, *, kept):
    """Random entities, of which the response keeps a share of the mentions; the others are anywhere."""
    sides = random.integers(0, number, (2, mentions))
    sides[1] = np.where(random.random(mentions) < kept, sides[0], sides[1])
    key, response = (entities(dict(enumerate(side.tolist()))) for side in sides)
    return key, response


def test_alignments_of_a_response_unlike_the_key_are_found_with_work_in_proportion():
    """Searches stay near what a correction changes: four times as many mentions, not sixteen times as many visits."""
    visits = []
    for size in (300, 1200):
        e = evaluated([scattered(np.random.default_rng(3), size, size // 4, kept=0.0)], metrics=["ceaf_m", "ceaf_e"])
        d = differences(e.pair)
        cases = Cases.of(d, np.arange(len(d)))
        visits.append(next(n for n in (2 ** (k / 2) for k in range(26, 80)) if not any(wrong_in_ceaf_e(d, cases, n))))
    assert visits[1] <= 12 * visits[0]


def test_metrics_whose_alignments_would_take_long_are_left_out():
    e = evaluated([scattered(np.random.default_rng(4), 300, 75, kept=0.0)], metrics=["muc", "ceaf_e"])
    d = differences(e.pair)
    enough = ChangedRegion.of(d, Cases.of(d, np.arange(len(d)))).mentions
    assert set(costs(d, e, limit=enough).corpus) == {"muc"}
    assert set(costs(d, e).corpus) == {"muc", "ceaf_e"}


def entities(of):
    """Mentions by entity, from the entity of each."""
    return [{m for m, e in of.items() if e == entity} for entity in sorted(set(of.values()))]
