"""What must hold for every measure on any partitions, and what must hold between measures."""

import math
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.metrics.merge_distance import generalised_merge_distance, product
from referee.metrics.table import Table
from tests.support.metrics import ENTITY_METRICS as METRICS
from tests.support.partitions import corpora, random_documents, random_links, table_of

SYMMETRIC = {
    "mentions", "muc", "b_cubed", "b_cubed_entity", "ceaf_m", "ceaf_e", "ceaf_phi2", "blanc", "lea", "links",
    "syntactic_links", "core_mr", "exact", "purity", "v_measure",
}  # fmt: skip
"""Exchanging key and response exchanges recall and precision, and leaves F."""
UNCHANGED = {"conll", "rand", "overlap", "vi", "ari", "fowlkes_mallows", "merge_distance"}
"""One number, the same from either side."""
ASYMMETRIC = {"exclusive_core_mr", "homogeneity", "completeness", "d_error"}
"""Exclusive cores are seen from the key; homogeneity and completeness are each other exchanged; d-error changes its sign."""

DISTANCES = {"vi", "merge_distance", "d_error"}
"""0 for a key against itself; the others are 1."""
NOT_RATES = {"vi", "merge_distance", "d_error", "ari"}
"""Everything else is in [0, 1]."""

WHOLE = {
    "mentions", "muc", "ceaf_m", "ceaf_phi2", "exact", "blanc", "links", "syntactic_links", "rand", "core_mr",
    "exclusive_core_mr", "overlap", "d_error", "purity", "fowlkes_mallows", "merge_distance",
}  # fmt: skip
"""Count whole things and nothing else."""

each_metric = pytest.mark.parametrize("name", METRICS)


def total(name, table):
    return METRICS[name].count(table).total().score()[0]


def numbers(score):
    return score.recall, score.precision, score.value


def close(a, b, tolerance=1e-12):
    if a is None or b is None:
        return a is b
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance


def alike(a, b):
    return all(map(close, numbers(a), numbers(b)))


def perfect(name):
    """What a key has against itself."""
    return 0 if name in DISTANCES else 1


def exchanged(documents):
    return [(response, key) for key, response in documents]


@cache
def side_by_side():
    """Documents enough for sums to round differently in different orders."""
    return random_documents(np.random.default_rng(300), 300, 12)


@cache
def large(*, mentions=None):
    """Their table; with a seed, its mentions come in a random order."""
    return table_of(side_by_side(), seed=mentions)


@cache
def shuffled(seed):
    """The documents in a random order, and the table of these."""
    order = np.random.default_rng(seed).permutation(300).tolist()
    return order, table_of([side_by_side()[i] for i in order])


def test_every_metric_is_listed_as_symmetric_unchanged_or_asymmetric():
    listed = sorted([*SYMMETRIC, *UNCHANGED, *ASYMMETRIC])
    assert sorted(METRICS) == listed, "add to one of SYMMETRIC, UNCHANGED and ASYMMETRIC of test_properties.py"
    symmetric = {name for name, record in METRICS.items() if record.symmetric}
    assert symmetric == SYMMETRIC | UNCHANGED, "say symmetric=True in @metric, or add to ASYMMETRIC of test_properties.py"


# Key against itself, bounds, the F measure


@given(corpora(same_mentions=True))
def test_a_key_against_itself_is_perfect_or_undefined(documents):
    table = table_of([(key, key) for key, _ in documents])
    for name in METRICS:
        for value in numbers(total(name, table)):
            assert value is None or value == perfect(name) or math.isnan(value), name


@given(corpora())
def test_a_rate_is_between_0_and_1(documents):
    table = table_of(documents)
    for name in (n for n in METRICS if n not in NOT_RATES):
        for value in numbers(total(name, table)):
            assert value is None or math.isnan(value) or 0 <= value <= 1, name


@given(corpora())
def test_measures_that_are_not_rates_have_their_own_bounds(documents):
    table = table_of(documents)
    assert not total("vi", table).value < 0
    assert total("merge_distance", table).value >= 0
    assert -1 < total("d_error", table).value < 1
    assert not total("ari", table).value > 1


@each_metric
def test_a_metric_has_recall_and_precision_or_one_number(name):
    score = total(name, table_of([([{1, 2}], [{1}, {2}])]))
    assert (score.recall is None) == (score.precision is None)
    assert (score.f1 is None) == (score.recall is None and name != "conll")
    if name in UNCHANGED:
        assert score.recall is None
    if name in SYMMETRIC:
        assert score.recall is not None


@each_metric
def test_f_is_the_harmonic_mean_0_for_nothing_found_and_undefined_for_half_defined(name):
    score = METRICS[name].count(large()).score()
    if score.recall is None or name == "blanc":  # the mean of two F, not the F of two means
        return
    for r, p, f in zip(score.recall, score.precision, score.value, strict=True):
        if r == 0 or p == 0:
            assert f == 0
        elif math.isnan(r) or math.isnan(p):
            assert math.isnan(f)
        else:
            assert f == pytest.approx(2 * r * p / (r + p), abs=1e-15)


# Exchanging key and response


@given(corpora())
def test_exchanging_key_and_response_exchanges_recall_and_precision(documents):
    table, other = table_of(documents), table_of(exchanged(documents))
    for name in (n for n in METRICS if n not in ASYMMETRIC):
        forth = total(name, table)
        for back in (total(name, other), total(name, table.T)):
            assert close(back.value, forth.value), name
            assert close(back.recall, forth.precision), name
            assert close(back.precision, forth.recall), name


@given(corpora())
def test_homogeneity_exchanged_is_completeness_and_d_error_exchanged_changes_its_sign(documents):
    table = table_of(documents)
    for other in (table_of(exchanged(documents)), table.T):
        assert alike(total("homogeneity", other), total("completeness", table))
        assert alike(total("completeness", other), total("homogeneity", table))
        assert total("d_error", other).value == -total("d_error", table).value


@each_metric
def test_a_table_transposed_twice_scores_the_same_to_the_last_digit(name):
    table = table_of(side_by_side())
    assert repr(total(name, table.T.T)) == repr(total(name, table))


def test_listed_links_exchanged_exchange_recall_and_precision():
    documents, listed = with_links(5)
    forth = total("syntactic_links", table_of(documents, listed=listed))
    back = total("syntactic_links", table_of(exchanged(documents), listed=[(r, k) for k, r in listed]))
    assert numbers(back) == (forth.precision, forth.recall, forth.value)
    assert numbers(total("syntactic_links", table_of(documents, listed=listed).T)) == numbers(back)
    assert 0 < forth.recall < 1


# The order of the input


@each_metric
def test_the_order_of_documents_changes_no_digit(name):
    expected = repr(total(name, large()))
    for seed in range(20):
        assert repr(total(name, shuffled(seed)[1])) == expected


@each_metric
def test_the_order_of_documents_changes_no_digit_of_a_document(name):
    expected = METRICS[name].count(large()).score()
    for seed in range(3):
        order, other = shuffled(seed)
        score = METRICS[name].count(other).score()
        for place, i in enumerate(order):
            assert repr(score[place]) == repr(expected[i])


@each_metric
def test_the_order_of_mentions_changes_no_digit(name):
    expected = repr(total(name, large()))
    for seed in range(5):
        assert repr(total(name, large(mentions=seed))) == expected


@each_metric
def test_what_mentions_are_called_does_not_matter(name):
    """Not for exclusive core-MR, where ties go to the entity that starts first in the text."""
    rng = np.random.default_rng(11)

    def renamed(document):
        new = rng.permutation(100).tolist()
        key, response = ([{new[m] for m in entity} for entity in entities] for entities in document)
        return key, response

    if name != "exclusive_core_mr":
        assert alike(total(name, table_of(list(map(renamed, side_by_side())))), total(name, large()))


# Adding documents


@given(corpora(), corpora())
def test_adding_documents_is_joining_counts(some, more):
    tables = table_of(some), table_of(more), table_of(some + more)
    for name, metric in METRICS.items():
        first, second, together = map(metric.count, tables)
        apart = first + second
        assert apart.columns.keys() == together.columns.keys(), name
        for column, values in together.columns.items():
            assert apart.columns[column].dtype == values.dtype, (name, column)
            assert np.allclose(apart.columns[column], values, rtol=1e-12, atol=1e-12), (name, column)
        assert alike(apart.total().score()[0], together.total().score()[0]), name


@each_metric
def test_a_document_counts_the_same_alone_and_among_others(name):
    documents = side_by_side()[:60]
    together = METRICS[name].count(table_of(documents)).score()
    for i, document in enumerate(documents):
        assert alike(METRICS[name].count(table_of([document])).score()[0], together[i])


@each_metric
def test_a_corpus_twice_over_scores_the_same(name):
    once, twice = total(name, large()), total(name, table_of(side_by_side() * 2))
    if name == "merge_distance":  # a number of operations
        assert twice.value == 2 * once.value
    else:
        assert alike(twice, once)


@each_metric
def test_counts_have_a_row_a_document_and_a_total_has_one(name):
    counts = METRICS[name].count(large())
    assert all(column.shape == (300,) for column in counts.columns.values())
    assert all(column.shape == (1,) for column in counts.total().columns.values())


# Whole numbers


@each_metric
def test_whole_things_are_counted_in_64_bits(name):
    corpora_of_all_sizes = [[], [([], [])], side_by_side()]
    for documents in corpora_of_all_sizes:
        columns = METRICS[name].count(table_of(documents)).columns
        assert all(column.dtype in (np.int64, np.float64) for column in columns.values())
        if name in WHOLE:
            assert all(column.dtype == np.int64 for column in columns.values())


CROSSED = [[60_000, 10_000], [5_000, 50_000]]
"""Mentions that two key entities share with two response entities: pairs of 70,000 exceed 2³¹, products of pairs 2⁶³."""


def crossed(documents=1):
    """Documents of those cells, one missed mention in the first key entity, one spurious one in the second response entity."""
    shared = np.array(CROSSED * documents)
    rows, columns = np.indices(shared.shape)
    columns += rows // 2 * 2
    key_size, response_size = shared.sum(axis=1), np.array(CROSSED).sum(axis=0).tolist() * documents
    key_size[::2] += 1
    response = np.array(response_size)
    response[1::2] += 1
    number = np.arange(documents).repeat(2)
    flat = shared.ravel()
    return Table.of(rows.ravel().repeat(flat), columns.ravel().repeat(flat), key_size, response, number, number, documents)


def crossed_values():
    """(recall, precision) or (value,) of the table above, in Python's integers, which have no size."""
    cells = [n for row in CROSSED for n in row]
    k, r, n = [70_001, 55_000], [65_000, 60_001], 125_000
    both, in_key, in_response = (sum(comb(size, 2) for size in sizes) for sizes in (cells, k, r))
    every = comb(n + 2, 2)  # extended with the missed and the spurious mention
    common = comb(n, 2) - sum(comb(s, 2) for s in (70_000, 55_000)) - sum(comb(s, 2) for s in (65_000, 60_000)) + both
    apart_key, apart_response = comb(n + 1, 2) - in_key, comb(n + 1, 2) - in_response
    chance = Fraction(in_key * in_response, every)
    two = Fraction(1, 2)

    def rows(sizes):
        """(size, cell, cell) of the entities of one side."""
        cells = CROSSED if sizes is k else list(zip(*CROSSED, strict=True))
        return [(size, *row) for size, row in zip(sizes, cells, strict=True)]

    def cubed(sizes, power):
        return sum((Fraction(a * a + b * b, size**power) for size, a, b in rows(sizes)), Fraction(0))

    def lea(sizes):
        scores = [size * Fraction(comb(a, 2) + comb(b, 2), comb(size, 2)) for size, a, b in rows(sizes)]
        return sum(scores, Fraction(0)) / sum(sizes)

    return {
        "mentions": (Fraction(n, n + 1), Fraction(n, n + 1)),
        "muc": (Fraction(n - 4, n - 1), Fraction(n - 4, n - 1)),
        "links": (Fraction(both, in_key), Fraction(both, in_response)),
        "lea": (lea(k), lea(r)),
        "b_cubed": (cubed(k, 1) / (n + 1), cubed(r, 1) / (n + 1)),
        "b_cubed_entity": (cubed(k, 2) / 2, cubed(r, 2) / 2),
        "blanc": (
            two * (Fraction(both, in_key) + Fraction(common, apart_key)),
            two * (Fraction(both, in_response) + Fraction(common, apart_response)),
        ),
        "rand": (Fraction(every - in_key - in_response + 2 * both, every),),
        "ari": ((both - chance) / (Fraction(in_key + in_response, 2) - chance),),
        "fowlkes_mallows": (both / math.sqrt(in_key * in_response),),
        "purity": (Fraction(110_000, n + 1), Fraction(110_000, n + 1)),
        "ceaf_m": (Fraction(110_000, n + 1), Fraction(110_000, n + 1)),
        "core_mr": (Fraction(110_001 - 3, n + 2 - 3), Fraction(110_001 - 3, n + 2 - 3)),
        "exclusive_core_mr": (Fraction(110_000, n + 2), 1 - Fraction(15_001, n + 2)),
        "merge_distance": (6,),  # two entities on each side have a part too many, and one a part more
    }


@pytest.mark.parametrize(("name", "expected"), crossed_values().items())
def test_counts_survive_the_sizes_at_which_32_bits_break(name, expected):
    score = total(name, crossed())
    ours = (score.value,) if len(expected) == 1 else (score.recall, score.precision)
    assert ours == pytest.approx(tuple(map(float, expected)), rel=1e-12)


@pytest.mark.parametrize(("name", "expected"), crossed_values().items())
def test_sums_of_large_documents_survive_too(name, expected):
    score = total(name, crossed(20))
    ours = (score.value,) if len(expected) == 1 else (score.recall, score.precision)
    times = 20 if name == "merge_distance" else 1
    assert ours == pytest.approx(tuple(times * float(value) for value in expected), rel=1e-12)


@each_metric
def test_one_entity_of_more_than_a_hundred_thousand_mentions_against_itself_is_perfect_or_undefined(name):
    zeros, one = np.zeros(100_003, dtype=np.int64), np.zeros(1, dtype=np.int64)
    size = np.array([100_003])
    for value in numbers(total(name, Table.of(zeros, zeros, size, size, one, one, 1))):
        assert value is None or value == perfect(name) or math.isnan(value)


@pytest.mark.parametrize("mentions", [3, 13_778, 46_342, 65_537, 92_684, 100_003])
def test_one_entity_gives_no_chance_to_adjust_for(mentions):
    """Links in common, expected and possible are the same number: 0 / 0, even where its square is not a float."""
    zeros, one, size = np.zeros(mentions, dtype=np.int64), np.zeros(1, dtype=np.int64), np.array([mentions])
    assert math.isnan(total("ari", Table.of(zeros, zeros, size, size, one, one, 1)).value)


# Between measures


def related(documents):
    table = table_of(documents)
    return lambda name: total(name, table)


def nowhere_greater(a, b):
    return math.isnan(a) or math.isnan(b) or a <= b + 1e-12


@given(corpora())
def test_core_mr_is_never_more_indulgent_than_muc(documents):
    """Popescu-Belis and Robba (1998): CRS <= MRS, CPS <= MPS."""
    score = related(documents)
    assert nowhere_greater(score("core_mr").recall, score("muc").recall)
    assert nowhere_greater(score("core_mr").precision, score("muc").precision)
    assert math.isnan(score("core_mr").recall) == math.isnan(score("muc").recall)


@given(corpora())
def test_exclusive_core_precision_is_never_below_its_recall(documents):
    """What no exclusive core owns is lost for recall and costs no precision."""
    found = related(documents)("exclusive_core_mr")
    assert nowhere_greater(found.recall, found.precision)


@given(corpora(same_mentions=True))
def test_greedy_exclusive_cores_are_within_half_of_the_best_alignment(documents):
    score = related(documents)
    greedy, best = score("exclusive_core_mr").recall, score("ceaf_m").recall
    assert nowhere_greater(greedy, best)
    assert nowhere_greater(best, 2 * greedy)


@given(corpora())
def test_the_numerators_of_muc_recall_and_precision_are_equal(documents):
    """Popescu-Belis and Robba (1998), on the MUC-6 reports; both are the common mentions less the cells."""
    columns = METRICS["muc"].count(table_of(documents)).columns
    assert columns["recall_numerator"].tolist() == columns["precision_numerator"].tolist()


def as_partition(entities):
    return set(map(frozenset, entities))


@given(corpora(max_documents=3))
def test_distances_are_0_exactly_where_the_extended_partitions_are_equal(documents):
    def beyond_lone_mentions(entities):
        return {entity for entity in as_partition(entities) if len(entity) > 1}  # the extension adds singletons only

    mentions = any(key or response for key, response in documents)
    equal = all(beyond_lone_mentions(key) == beyond_lone_mentions(response) for key, response in documents)
    score = related(documents)
    assert (score("vi").value == 0) == (equal and mentions)
    assert (score("merge_distance").value == 0) == equal


@given(corpora(max_documents=3, same_mentions=True))
def test_measures_that_see_singletons_are_1_for_equal_partitions_only(documents):
    """B-cubed, CEAF, exact entities and LEA are 1 for equal partitions only; MUC and links do not see singletons."""
    equal = all(as_partition(key) == as_partition(response) for key, response in documents)
    score = related(documents)
    for name in ("b_cubed", "b_cubed_entity", "ceaf_m", "ceaf_e", "exact", "lea"):
        value = score(name).value
        assert math.isnan(value) or (value == 1) == equal, name


@given(corpora())
def test_merge_distance_with_costs_by_pairs_counts_wrong_pairs(documents):
    """Menestrina et al. (2010): with cost x * y for parts of x and y mentions, a split or merge costs the pairs it changes."""

    def pairs(entities):
        return {pair for entity in entities for pair in combinations(sorted(entity), 2)}

    distance = generalised_merge_distance(product, product)(table_of(documents)).total().score()[0].value
    assert distance == sum(len(pairs(key) ^ pairs(response)) for key, response in documents)


@given(corpora())
def test_similarities_that_see_more_find_more(documents):
    """phi1 <= phi4 <= phi2 for any two entities, over the same denominators."""
    score = related(documents)
    for side in ("recall", "precision"):
        phi1, phi4, phi2 = (getattr(score(name), side) for name in ("exact", "ceaf_e", "ceaf_phi2"))
        assert nowhere_greater(phi1, phi4)
        assert nowhere_greater(phi4, phi2)


@given(corpora())
def test_no_alignment_beats_letting_each_entity_choose(documents):
    score = related(documents)
    for side in ("recall", "precision"):
        assert nowhere_greater(getattr(score("ceaf_m"), side), getattr(score("purity"), side))
        assert nowhere_greater(getattr(score("purity"), side), getattr(score("mentions"), side))
        assert nowhere_greater(getattr(score("b_cubed"), side), getattr(score("purity"), side))


@given(corpora())
def test_the_sides_of_the_v_measure_are_homogeneity_and_completeness(documents):
    score = related(documents)
    assert close(score("v_measure").recall, score("homogeneity").value)
    assert close(score("v_measure").precision, score("completeness").value)


@pytest.mark.parametrize("name", ["homogeneity", "completeness", "v_measure"])
def test_rounding_leaves_no_information_below_0_or_above_1(name):
    """Rows against columns of a grid are independent; rows against bands of rows are nested."""
    for rows in range(2, 13):
        for columns in range(2, 13):
            cells = np.arange(rows * columns)
            by_row = [set(part.tolist()) for part in cells.reshape(rows, columns)]
            by_column = [set(part.tolist()) for part in cells.reshape(rows, columns).T]
            by_band = [set().union(*by_row[i : i + 3]) for i in range(0, rows, 3)]
            for value in numbers(total(name, table_of([(by_row, by_column)]))):
                assert value is None or 0 <= value <= 1e-14
            for nested in ((by_row, by_band), (by_band, by_row)):
                for value in numbers(total(name, table_of([nested]))):
                    assert value is None or math.isnan(value) or 0 <= value <= 1


@given(corpora())
def test_fowlkes_mallows_is_the_geometric_mean_of_the_links(documents):
    """Missed and spurious mentions are singletons in the extension, so it has the links of the original."""
    score = related(documents)
    found = score("links")
    failed = found.f1 == 0  # one side may be 0 / 0 then
    assert close(score("fowlkes_mallows").value, 0.0 if failed else math.sqrt(found.recall * found.precision))


@given(corpora())
def test_conll_is_the_mean_of_three_f(documents):
    score = related(documents)
    assert close(score("conll").value, math.fsum(score(name).f1 for name in ("muc", "b_cubed", "ceaf_e")) / 3)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=9))
def test_vi_obeys_the_triangle_inequality(labels):
    a, b, c = ([{m for m, row in enumerate(labels) if row[i] == x} for x in {row[i] for row in labels}] for i in range(3))
    a_b, b_c, a_c = (total("vi", table_of([pair])).value for pair in ((a, b), (b, c), (a, c)))
    assert a_c <= a_b + b_c + 1e-12


def with_links(seed):
    rng = np.random.default_rng(seed)
    documents = random_documents(rng, 50)
    return documents, random_links(rng, documents)


def test_links_listed_in_another_order_or_direction_score_the_same():
    documents, listed = with_links(6)
    other = [([(b, a) for a, b in reversed(key)], [(b, a) for a, b in reversed(response)]) for key, response in listed]
    forth, back = (total("syntactic_links", table_of(documents, listed=some)) for some in (listed, other))
    assert repr(forth) == repr(back)


def test_counts_added_to_nothing_are_themselves():
    for metric in METRICS.values():
        counts = metric.count(table_of([([{1, 2}, {3}], [{1}, {2, 3}])]))
        assert repr((metric.count(table_of([])) + counts).total().score()[0]) == repr(counts.total().score()[0])
