"""Documents that repeat a mention, under the profile `conll-8.01`.

The expected numbers were printed by scorer.pl v8.01 (one metric a run) for the same annotation as CoNLL files.
"""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import METRICS, RefereeWarning, score
from referee.algorithms import assignment
from referee.scoring.other_scorers import conll

AB = [["a", "b"]]


def printed(value):
    """As the program prints it: a percentage, cut after two decimals."""
    return int(value * 10000) / 100


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # A spurious mention twice in one entity: two mentions for B3, one place for BLANC and mention detection.
        (AB, [["a", "b", "x", "x"]], {"muc": 50.0, "b_cubed": 40.0, "blanc": 40.0, "mentions": 80.0}),
        # A found mention twice: the copy in the entity named second is gone.
        (
            [["a", "b"], ["c", "d"]],
            [["a", "b"], ["a", "c", "d"]],
            {"muc": 100.0, "b_cubed": 100.0, "ceaf_e": 100.0, "blanc": 100.0},
        ),
    ],
)
def test_a_mention_repeated_in_the_response_counts_as_in_the_program(key, response, expected):
    with pytest.warns(RefereeWarning, match="1 repeated mention"):
        e = score(key, response, profile="conll-8.01")
    assert {metric: printed(e[metric].f1) for metric in expected} == expected


def test_only_the_documents_that_repeat_a_mention_are_counted_so():
    whole = {"clean": [["a", "b"], ["c"]], "copies": AB}
    response = {"clean": [["a"], ["b", "c"]], "copies": [["a", "b", "x", "x"]]}
    with pytest.warns(RefereeWarning, match="1 repeated mention"):
        both = score(whole, response, profile="conll-8.01")
    clean = score({"clean": whole["clean"]}, {"clean": response["clean"]}, profile="conll-8.01")
    assert both.document("clean") == clean.document("clean")
    assert both.document("copies")["blanc"].f1 == pytest.approx(0.4)


@pytest.mark.filterwarnings("ignore:.*repeated mention")
def test_an_alignment_of_what_is_not_counted_bounds_nothing(monkeypatch):
    rng = np.random.default_rng(7)
    key, response = (
        {"d": [[*np.flatnonzero(of == e).tolist(), 0] for e in range(300)]} for of in rng.integers(0, 300, (2, 900))
    )
    wanted = score(key, response, profile="conll-8.01", metrics=["ceaf_e"])["ceaf_e"]
    monkeypatch.setattr(assignment, "BUDGET", 0)
    found = score(key, response, profile="conll-8.01", metrics=["lea", "ceaf_e"])["ceaf_e"]
    assert found == wanted
    assert found.upper is None


def test_a_measure_of_ones_own_is_left_alone_whatever_its_name():
    with pytest.warns(RefereeWarning, match="1 repeated mention"):
        e = score(AB, [["a", "b", "x", "x"]], profile="conll-8.01", metrics={"b_cubed": METRICS["mentions"]})
    assert e["b_cubed"].precision == 2 / 4  # every copy is a mention of its own


@pytest.mark.filterwarnings("ignore:.*repeated mention")
def test_names_and_positions_of_the_two_sides_are_told_apart():
    e = score(
        [["b", "c"], ["d", "e"]], [["a", "b"], ["a", "d", "e"]], repeated_mentions="conll", metrics=["mentions", "b_cubed"]
    )
    assert e["mentions"].recall == 0.75
    assert e["b_cubed"].recall <= 1


Entities = list[list[int]]
Row = dict[str, float]
ENTITIES = st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=6), min_size=1, max_size=5)


@given(documents=st.lists(st.tuples(ENTITIES, ENTITIES), min_size=1, max_size=3), block=st.integers(1, 5))
def test_what_is_counted_in_columns_is_what_the_program_counts_by_mentions(documents, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll, "BLOCK", block)
        rows = conll._rows(*conll._numbered_alike(*map(side, zip(*documents, strict=True))), len(documents))
    for n, document in enumerate(documents):
        counted = {metric: {name: column[n] for name, column in columns.items()} for metric, columns in rows.items()}
        assert counted == by_mentions(*document)


def side(documents):
    """Documents as columns. No place is in two of them."""
    entities = [(n, [10 * n + m for m in entity]) for n, document in enumerate(documents) for entity in document]
    size = np.array([len(places) for _, places in entities])
    places = np.concatenate([places for _, places in entities])
    return conll._ListedSide(np.repeat(np.arange(len(size)), size), places, size, np.array([n for n, _ in entities]))


def aligned(similarity):
    cells = np.array(list(similarity), dtype=np.int64).reshape(-1, 2).T
    weight = np.array(list(similarity.values()), dtype=np.float64)
    return float(conll._aligned(np.zeros(len(weight), dtype=np.int64), (cells[0], cells[1]), weight, 1)[0])


def by_mentions(key, response):
    """The same step by step as the program does."""
    key_entity = {m: n for n, entity in enumerate(key) for m in entity}  # of copies, the last
    in_response = {m for entity in response for m in entity}
    found = len(in_response.intersection(key_entity))
    key_size, response_size = sum(map(len, key)), sum(map(len, response))
    shared = {
        (n, j): together for n, k in enumerate(key) for j, r in enumerate(response) if (together := sum(m in r for m in k))
    }
    mentions = conll.sides(found, len(key_entity), found, len(in_response))

    kept = 0
    for entity in response:
        owners = [key_entity.get(m, -1) for m in entity]
        kept += sum(o >= 0 and o in owners[i + 1 :] for i, o in enumerate(owners))
    muc = conll.sides(kept, key_size - len(key), kept, response_size - len(response))

    recall = precision = 0.0
    for entity in response:
        for owner in (key[key_entity[m]] for m in entity if m in key_entity):
            together = sum(m in owner for m in entity)
            recall += together / len(owner)
            precision += together / len(entity)
    b_cubed = conll.sides(recall, key_size, precision, response_size)

    def dice(k, r):
        return 2 * shared[k, r] / (len(key[k]) + len(response[r]))

    in_common = aligned(dict(shared))
    alike = aligned({cell: dice(*cell) for cell in shared})
    return {
        "mentions": mentions,
        "muc": muc,
        "b_cubed": b_cubed,
        "ceaf_m": conll.sides(in_common, key_size, in_common, response_size),
        "ceaf_e": conll.sides(alike, len(key), alike, len(response)),
        "blanc": links_of_both(key, response),
    }


def links_of_both(key, response):
    """Links as sets of pairs."""

    def links(entities):
        together = {tuple(sorted(pair)) for entity in entities for pair in combinations(entity, 2)}
        apart = {tuple(sorted(pair)) for one, other in combinations(entities, 2) for pair in product(one, other)}
        return together, apart

    key_together, key_apart = links(key)
    response_together, response_apart = links(response)
    return {
        "coreference_found": len(key_together & response_together),
        "coreference_key": len(key_together),
        "coreference_response": len(response_together),
        "other_found": len(key_apart & response_apart),
        "other_key": len(key_apart),
        "other_response": len(response_apart),
    }
