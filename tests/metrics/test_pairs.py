"""Pairs as decided: what both sides say of each pair, counted without what follows from it."""

import math
from itertools import combinations, product

import pytest
from hypothesis import given, strategies as st

import referee
from referee import score
from referee.basics.exceptions import OptionError, RefereeWarning, UnknownNameError

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* alone there:referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* more than once. each counts once:referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* twice, as a link and as none:referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* lists matches only:referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* counted as (missed|spurious):referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* not in <key>, left out:referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* no record in common:referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.* has no mentions:referee.RefereeWarning"),
]


def listed(*rows, column="label"):
    """Pairs as "ab1": two records and the decision, 1 or 0; "ab" without one."""
    return [{"left": row[0], "right": row[1], **({column: row[2]} if row[2:] else {})} for row in rows]


def labels(*entities):
    return [{"id": record, "cluster": entity[0]} for entity in entities for record in entity]


def decided(key, response, **options):
    """TP, FP, FN, TN (None if it is not known), and the matches without a label."""
    columns = score(key, response, tables=options.pop("tables", "one"), **options).counts_of("pairs").columns
    totals = {name: column.sum() for name, column in columns.items()}
    assert [*totals] == ["tp", "fp", "fn", "tn", "unlabelled"]
    return tuple(None if math.isnan(number) else int(number) for number in totals.values())


# Worked by hand.
CASES = {
    "nothing is closed": (listed("ab", "bc"), listed("ab", "ac"), (1, 1, 1, None, 0)),
    "pairs have no direction": (listed("ab", "bc"), listed("ba", "cb"), (2, 0, 0, None, 0)),
    "four labels, two pairs without": (listed("ab1", "ac0", "de1", "fg0"), listed("ab", "ac", "hi", "bd"), (1, 1, 1, 1, 2)),
    "what the response lacks is no match": (listed("ab1", "ac0"), listed("xy1"), (0, 0, 1, 1, 1)),
    "one of five labels wrong": (
        listed("ab1", "bc1", "de1", "ad0", "ce0"), listed("ab1", "bc1", "de1", "ad1", "ce0"), (3, 1, 0, 1, 0)
    ),
    "a key of matches, clusters": (listed("ab1"), labels("ab", "c", "d"), (1, 0, 0, 5, 0)),
    "a key of matches, one merged": (listed("ab1"), labels("abc", "d"), (1, 2, 0, 3, 0)),
    "labels and clusters: what the clusters imply": (listed("ab1", "ac0", "cd1"), labels("abc", "de"), (1, 1, 1, 0, 2)),
    "a key of entities": (labels("abc", "d"), listed("ab", "bd"), (1, 1, 2, 2, 0)),
    "records that only the key names": (labels("ab", "c", "d"), listed("ab"), (1, 0, 0, 5, 0)),
    "a record with itself": (labels("ab", "c"), listed("ab", "cc"), (1, 0, 0, 2, 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_decisions_are_counted_as_by_hand(name):
    key, response, expected = CASES[name]
    assert decided(key, response) == expected


def test_of_two_tables_only_pairs_with_a_record_of_each_count():
    """Left 1 and 2 and right 1 are one entity, right 2 is alone: 2 matches of 2 times 2 pairs."""
    key = {"left/1": "x", "left/2": "x", "right/1": "x", "right/2": "y"}
    response = [{"ltable_id": 1, "rtable_id": 1}, {"ltable_id": 1, "rtable_id": 2}]
    assert decided(key, response, tables=None) == (1, 1, 1, 1, 0)


def test_rows_that_say_a_pair_again_are_counted_once_and_said():
    key = listed("ab1", "cd0")
    with pytest.warns(RefereeWarning, match="lists 1 pair more than once: each counts once"):
        assert decided(key, listed("ab1", "ba1", "cd0")) == (1, 0, 0, 1, 0)
    with pytest.warns(RefereeWarning, match="has 1 pair twice, as a link and as none: each counts as a link"):
        assert decided(key, listed("ab1", "ba0", "cd0")) == (1, 0, 0, 1, 0)


def test_a_key_of_matches_only_is_said():
    with pytest.warns(RefereeWarning, match="lists matches only: all other pairs count as no match"):
        score(listed("ab1"), listed("ab1", "cd1"), tables="one")


@pytest.mark.parametrize(
    ("key", "response", "first"),
    [
        (listed("ab", "bc"), listed("ab"), "pairs"),
        (listed("ab1", "ac0"), labels("ab", "c"), "pairs"),
        (listed("ab1", "bc1"), labels("ab", "c"), "links"),
        (labels("ab", "c"), listed("ab"), "links"),
    ],
)
def test_pairs_lead_where_both_list_them_or_the_key_has_both_kinds(key, response, first):
    evaluation = score(key, response, tables="one")
    assert next(iter(evaluation)) == first
    assert {"pairs", "pairs_accuracy", "pairs_mcc", "links", "b_cubed", "exact"} <= evaluation.keys()
    assert "pairs as decided\n" in str(evaluation)
    assert "entities: the links closed\n" in str(evaluation)
    assert f" | {'pairs+records' if first == 'pairs' else 'records+pairs'} | " in evaluation.signature


def test_a_metric_of_pairs_is_refused_where_nobody_lists_pairs():
    with pytest.raises(OptionError, match="pairs is about pairs as decided, and neither side lists pairs; expected links"):
        score(labels("ab", "c"), labels("ab"), metrics="pairs")
    assert "pairs" not in score(labels("ab", "c"), labels("ab", "c"))


def test_pairwise_is_asked():
    with pytest.raises(UnknownNameError, match=r"pairs as decided \(pairs\), or links of entities \(links\)\?"):
        score(labels("ab"), labels("ab"), metrics="pairwise")


RECORDS = "abcdef"
PAIRS = ["".join(pair) for pair in combinations(RECORDS, 2)]


@st.composite
def sides(draw):
    """A side, and what it says of each pair of six records: True, False, or None where it says nothing."""
    kind = draw(st.sampled_from(["labels", "matches", "both"]))
    if kind == "labels":
        entity = dict(zip(RECORDS, draw(st.lists(st.integers(0, 3), min_size=6, max_size=6)), strict=True))
        rows = [{"id": record, "cluster": f"e{number}"} for record, number in entity.items()]
        return kind, rows, {pair: entity[pair[0]] == entity[pair[1]] for pair in PAIRS}
    rows = draw(st.lists(st.tuples(st.sampled_from(PAIRS), st.booleans(), st.booleans()), min_size=2, max_size=12))
    rows = [(pair, True, turned) if kind == "matches" else (pair, yes, turned) for pair, yes, turned in rows]
    says = {pair: any(yes for other, yes, _ in rows if other == pair) for pair, _, _ in rows}
    table = listed(*(f"{pair[::-1] if turned else pair}{int(yes)}" for pair, yes, turned in rows))
    return kind, table, {pair: says.get(pair) for pair in PAIRS}


def slow(key, response, universe):
    """From the definition: a pair at a time."""
    of_key, of_response = key[2], response[2]
    is_sample = key[0] != "labels" and False in of_key.values()
    scored = [pair for pair in universe if not is_sample or of_key[pair] is not None]
    cells = {(k, r): sum((bool(of_key[p]), bool(of_response[p])) == (k, r) for p in scored) for k in (0, 1) for r in (0, 1)}
    is_known = is_sample or "labels" in (key[0], response[0])
    unlabelled = sum(of_response[p] is True and of_key[p] is None for p in universe) if is_sample else 0
    return cells[1, 1], cells[0, 1], cells[1, 0], cells[0, 0] if is_known else None, unlabelled


@given(key=sides(), response=sides())
def test_counts_are_those_of_a_look_at_each_pair(key, response):
    if key[0] == response[0] == "labels":
        return
    universe = PAIRS
    assert decided(key[1], response[1]) == slow(key, response, universe)


LEFT, RIGHT = "12", "123"


@st.composite
def sides_of_two_tables(draw):
    """The same for records 1 and 2 of one table, and 1, 2 and 3 of another: pairs with one of each."""
    kind = draw(st.sampled_from(["labels", "matches", "both"]))
    universe = [a + b for a, b in product(LEFT, RIGHT)]
    if kind == "labels":
        records = [*(f"left/{a}" for a in LEFT), *(f"right/{b}" for b in RIGHT)]
        entity = dict(zip(records, draw(st.lists(st.integers(0, 2), min_size=5, max_size=5)), strict=True))
        rows = [{"id": record, "cluster": f"e{number}"} for record, number in entity.items()]
        return kind, rows, {pair: entity[f"left/{pair[0]}"] == entity[f"right/{pair[1]}"] for pair in universe}
    says = draw(st.dictionaries(st.sampled_from(universe), st.just(True) if kind == "matches" else st.booleans(), min_size=1))
    rows = [{"ltable_id": pair[0], "rtable_id": pair[1], "label": int(yes)} for pair, yes in says.items()]
    return kind, rows, {pair: says.get(pair) for pair in universe}


@given(key=sides_of_two_tables(), response=sides_of_two_tables())
def test_counts_of_two_tables_are_those_of_a_look_at_each_pair(key, response):
    if key[0] == response[0] == "labels":
        return
    assert decided(key[1], response[1], tables=None) == slow(key, response, [*key[2]])


@given(key=sides(), response=sides())
def test_the_wrong_pairs_are_those_of_a_look_at_each_pair(key, response):
    if key[0] == response[0] == "labels":
        return
    rows = score(key[1], response[1], tables="one").errors().to_rows("pair")
    is_sample = key[0] != "labels" and False in key[2].values()
    scored = [pair for pair in PAIRS if not is_sample or key[2][pair] is not None]
    wrong = {pair: bool(response[2][pair]) for pair in scored if bool(key[2][pair]) != bool(response[2][pair])}
    assert {"".join(sorted(row["left"] + row["right"])): row["kind"] == "false" for row in rows} == wrong
    assert len(rows) == len(wrong)


@given(key=sides(), response=sides(), data=st.data())
def test_data_frames_give_the_same_as_rows(key, response, data):
    if "labels" not in (key[0], response[0]) or key[0] == response[0]:
        return
    pandas = pytest.importorskip("pandas")
    frames = [pandas.DataFrame(side[1]) for side in (key, response)]
    items = data.draw(st.sampled_from(["union", "key", "singletons"]))
    a, b = score(*(side[1] for side in (key, response)), tables="one", items=items), score(*frames, tables="one", items=items)
    assert {m: str(a[m]) for m in a} == {m: str(b[m]) for m in b}


def test_values_follow_from_the_counts():
    """TP 3, FP 1, FN 0, TN 1: P 3/4, F1 6/7, accuracy 4/5, MCC 3 / sqrt(24)."""
    e = referee.score(*CASES["one of five labels wrong"][:2], tables="one")
    assert (e["pairs"].recall, e["pairs"].precision, e["pairs"].f1) == (1, 3 / 4, 6 / 7)
    assert e["pairs_accuracy"].value == 4 / 5
    assert e["pairs_mcc"].value == pytest.approx(3 / math.sqrt(24), abs=1e-15)


def test_singletons_are_what_a_side_lacks():
    key, response = labels("ab", "c", "d"), labels("ab")
    assert score(key, response)["b_cubed"].recall == 2 / 4
    with pytest.warns(RefereeWarning, match="2 records of 4 of <key> are not in <response>"):
        assert score(key, response, items="singletons")["b_cubed"].recall == 1
