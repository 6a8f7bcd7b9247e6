"""Non-referring expressions, bridging, discourse deixis and split antecedents."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction as F
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import score
from referee.basics.exceptions import OptionError, RefereeWarning
from referee.basics.options.options import Options
from referee.corpus.builder import CorpusBuilder
from referee.inputs.reading import read
from referee.matching.pair import Pair, Sides
from referee.metrics import bridging as bridging_metrics, deixis as deixis_metrics, split_antecedents as split_metrics
from referee.metrics.non_referring import non_referring
from referee.metrics.registry import METRICS
from tests.support.mutations import limited
from tests.support.partitions import random_documents
from tests.support.paths import SHARED

KIT = SHARED / "corefud"

WITH_SPLIT = {
    name: getattr(split_metrics, f"{name}_split").count for name in (*("muc", "b_cubed", "ceaf_m", "ceaf_e"), "blanc", "lea")
}
SPLIT_ONLY = {
    name: getattr(split_metrics, f"split_antecedents_{name}").count for name in ("muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")
}
DEIXIS = {name: getattr(deixis_metrics, f"deixis_{name}").count for name in ("muc", "b_cubed", "ceaf_e", "lea", "conll")}
BRIDGING = {name: getattr(bridging_metrics, f"bridging_{name}").count for name in ("anaphora", "mentions", "entities")}
EVERY = {
    "non_referring": non_referring.count,
    "conll_split": split_metrics.conll_split.count,
    "split_antecedents_conll": split_metrics.split_antecedents_conll.count,
    **{f"{name}_split": metric for name, metric in WITH_SPLIT.items()},
    **{f"split_antecedents_{name}": metric for name, metric in SPLIT_ONLY.items()},
    **{f"deixis_{name}": metric for name, metric in DEIXIS.items()},
    **{f"bridging_{name}": metric for name, metric in BRIDGING.items()},
}


@dataclass(frozen=True)
class Side:
    """One side of a document: a mention is a number, its token.

    entities : label -> mentions
    split    : label -> labels of the entities that it is made of
    idle     : labels of what is no referent
    bridging : pairs of an anaphor and an antecedent
    deixis   : the layer of discourse deixis
    """

    entities: Mapping[str, Iterable[int]]
    split: Mapping[str, Iterable[str]] = field(default_factory=dict)
    idle: frozenset[str] = frozenset()
    bridging: Sequence[tuple[int, int]] = ()
    deixis: Side | None = None


def corpus(*documents):
    return _builder(documents).corpus()


def _builder(documents):
    builder = CorpusBuilder("test")
    for document in documents:
        builder.document("")
        mentions = {
            m: builder.mention(m, m + 1, label, referring=label not in document.idle)
            for label, entity in document.entities.items()
            for m in entity
        }
        for anaphor, antecedent in document.bridging:
            builder.bridge(mentions[anaphor], mentions[antecedent])
        for label, elements in document.split.items():
            for element in elements:
                builder.split_antecedent(builder.entity(label), builder.entity(element))
    if any(document.deixis for document in documents):
        builder.deixis = _builder([document.deixis or Side({}) for document in documents])
    return builder


def pair_of(key, response, **options):
    """The pair as `score` makes it, but without a warning."""
    annotated = Sides(key, response)
    scored = annotated.each(lambda side: side if side.referring is None else side.select(side.referring[side.entity]))
    return Pair(scored, annotated, scored, (), "same", Options(**options))


def counted(metric, key, response):
    counts = metric(pair_of(corpus(key), corpus(response)))
    return counts.total().score()[0]


def sides(metric, key, response):
    found = counted(metric, key, response)
    return found.recall, found.precision


def exactly(*values):
    return pytest.approx(tuple(math.nan if v is None else float(v) for v in values), abs=1e-12, rel=0, nan_ok=True)


# All of them


@pytest.mark.parametrize("name", EVERY)
def test_without_annotation_it_counts_nothing_or_what_the_ordinary_metric_counts(name):
    bare = pair_of(corpus(Side({"a": {1, 2}, "b": {3}}), Side({})), corpus(Side({"a": {1}, "b": {2, 3}}), Side({})))
    ordinary = name.removesuffix("_split")
    counts = EVERY[name](bare)
    if name.endswith("_split"):
        assert repr(counts.total().score()[0]) == repr(METRICS[ordinary].of_pair(bare).total().score()[0])
    else:
        assert math.isnan(counts.total().score()[0].value)
        assert all(len(column) == 2 and not column.any() for column in counts.columns.values())


@pytest.mark.parametrize("name", EVERY)
def test_there_is_a_row_for_each_document_and_one_adds_to_the_next(name):
    key = [KEY, Side({}), TOY_KEY, EXPLETIVES[0], SEGMENTS[0]]
    response = [RESPONSES["TC-PA-6"], Side({}), TOY_RESPONSE, EXPLETIVES[1], SEGMENTS[1]]
    together = EVERY[name](pair_of(corpus(*key), corpus(*response)))
    for row, pair in enumerate(zip(key, response, strict=True)):
        alone = EVERY[name](pair_of(*map(corpus, pair)))
        for column, values in alone.columns.items():
            assert together.columns[column][row] == pytest.approx(values[0], abs=1e-12)


# Non-referring expressions

EXPLETIVES = (
    Side({"a": {0, 3}, "x": {5}, "y": {7}, "z": {9}}, idle=frozenset("xyz")),
    Side({"a": {0, 3}, "x": {5}, "b": {7}, "w": {13}}, idle=frozenset("xw")),
)
"""Of three in the key one is found, one is made a referent, one is missed; the response has one more."""


def expressions(**spans):
    """Expressions without a referent: label -> tokens."""
    return Side({label: set(tokens) for label, tokens in spans.items()}, idle=frozenset(spans))


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        (*EXPLETIVES, (F(1, 3), F(1, 2))),
        (*EXPLETIVES[::-1], (F(1, 2), F(1, 3))),
        (EXPLETIVES[0], Side({"a": {0}}), (0, None)),  # a side that has none is undefined
        (Side({"a": {0}}), EXPLETIVES[0], (None, 0)),
        (
            expressions(it=[5, 7]),
            expressions(it=[7]),
            (F(1, 2), 1),
        ),  # of one label; the Universal Anaphora scorer keeps the first
        (expressions(x=[5], y=[5]), expressions(x=[5]), (1, 1)),  # listed twice, it counts once
    ],
    ids=["right or wrong by spans", "exchanged", "key alone", "response alone", "one label", "twice"],
)
def test_non_referring_expressions(key, response, expected):
    assert sides(non_referring.count, key, response) == exactly(*expected)


def test_parts_must_be_the_same():
    def discontinuous(*parts):
        b = CorpusBuilder()
        b.document("")
        b.mention(0, 6, "x", spans=parts, referring=False)
        return b.corpus()

    one = discontinuous((0, 2), (4, 6))
    for other, found in ((one, 1), (discontinuous((0, 2), (5, 6)), 0), (discontinuous((0, 6)), 0)):
        assert non_referring.count(pair_of(one, other)).total().score()[0].value == found


def test_an_empty_node_of_one_side_does_not_shift_the_spans():
    def raining(*nodes):
        b = CorpusBuilder()
        b.document("", ["Then"] + ["_"] * len(nodes) + ["it", "rains"])
        for node in nodes:
            b.empty_node(node, node, 0)
        b.mention(1 + len(nodes), 2 + len(nodes), "x", referring=False)
        return b.corpus()

    assert non_referring.count(pair_of(raining(1), raining())).total().score()[0].value == 1


# Bridging

HOUSE = {"house": {0, 3}, "car": {5}}
TOY_KEY = Side(HOUSE | {f"a{m}": {m} for m in (7, 9, 11, 13, 15)}, bridging=[(7, 0), (9, 0), (11, 5), (13, 3), (15, 5)])
TOY_RESPONSE = Side(
    {"house": {0, 3}, "car": {5}} | {f"a{m}": {m} for m in (7, 9, 11, 13, 15)},
    bridging=[(5, 0), (7, 0), (9, 3), (11, 0), (15, 5)],
)
"""Right, another mention of the right entity, the wrong entity, missed, right; and one that is none in the key."""


def test_bridging_is_found_in_three_degrees():
    expected = {"anaphora": 4, "mentions": 2, "entities": 3}
    for name, found in expected.items():
        assert sides(BRIDGING[name], TOY_KEY, TOY_RESPONSE) == exactly(F(found, 5), F(found, 5))


DOOR = HOUSE | {"door": {7}}
HOME = (
    Side({"house": {0}, "home": {3}, "door": {7}}, bridging=[(7, 0)]),
    Side({"house": {0, 3}, "door": {7}}, bridging=[(7, 3)]),
)
SEVERAL = (
    Side(DOOR | {"roof": {9}}, bridging=[(7, 0), (7, 5), (9, 0)]),
    Side(DOOR | {"roof": {9}}, bridging=[(7, 5), (9, 0), (9, 5)]),
)
TWO_OF_ONE = Side(DOOR, bridging=[(7, 0)]), Side(DOOR, bridging=[(7, 0), (7, 3)])


def refers_to_nothing(antecedent):
    return Side({"it": {0, 3}, "door": {7}}, bridging=[(7, antecedent)], idle=frozenset({"it"}))


@pytest.mark.parametrize(
    ("degree", "key", "response", "expected"),
    [
        ("anaphora", Side(DOOR, bridging=[(7, 0)]), Side(DOOR), (0, None)),  # of one side alone: missed or spurious
        ("anaphora", Side(DOOR), Side(DOOR, bridging=[(7, 0)]), (None, 0)),
        ("entities", *HOME, (0, 0)),  # entities of the response do not help
        ("entities", *HOME[::-1], (1, 1)),
        (  # an antecedent that the key does not have
            "entities", Side({"house": {0, 3}, "door": {7}}, bridging=[(7, 0)]),
            Side({"house": {0, 4}, "door": {7}}, bridging=[(7, 4)]), (0, 0),
        ),
        ("entities", refers_to_nothing(0), refers_to_nothing(0), (1, 1)),  # it is right as itself only
        ("entities", refers_to_nothing(0), refers_to_nothing(3), (0, 0)),
        ("anaphora", *SEVERAL, (1, 1)),  # each antecedent counts its share of the anaphor
        ("mentions", *SEVERAL, ((F(1, 2) + 1) / 2, (1 + F(1, 2)) / 2)),
        ("entities", *TWO_OF_ONE, (1, 1)),  # two mentions of one entity are one antecedent
        ("mentions", *TWO_OF_ONE, (1, F(1, 2))),
    ],
)  # fmt: skip
def test_bridging(degree, key, response, expected):
    assert sides(BRIDGING[degree], key, response) == exactly(*expected)


@pytest.mark.parametrize("antecedent", range(5))
def test_an_antecedent_that_the_key_does_not_have_is_no_entity_of_the_key(antecedent):
    key = Side({"house": {5}, "door": {7}, "roof": {8}, "wall": {9}}, bridging=[(7, 5), (8, 7), (9, 8)])
    response = Side(
        {"lawn": {antecedent}, "door": {7}, "roof": {8}, "wall": {9}}, bridging=[(m, antecedent) for m in (7, 8, 9)]
    )
    assert sides(BRIDGING["entities"], key, response) == exactly(0, 0)


pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(6, 11)), max_size=8)


@given(st.lists(st.integers(0, 2), min_size=6, max_size=6), pairs, pairs)
def test_bridging_is_what_its_definition_says(labels, key, response):
    entities = {str(label): {m + 6 for m, x in enumerate(labels) if x == label} for label in labels}
    mentions = entities | {f"a{m}": {m} for m in range(6)}

    def shares(one, other, same):
        anaphors = {a for a, _ in one}
        found = F(0)
        for anaphor in anaphors:
            mine, theirs = ({same(x) for a, x in p if a == anaphor} for p in (one, other))
            found += F(len(mine & theirs), len(mine))
        return float(found / len(anaphors)) if anaphors else math.nan

    for name, same in (("anaphora", bool), ("mentions", int), ("entities", lambda x: labels[x - 6])):
        found = sides(BRIDGING[name], Side(mentions, bridging=key), Side(mentions, bridging=response))
        assert found == pytest.approx((shares(key, response, same), shares(response, key, same)), nan_ok=True)


# Discourse deixis

SEGMENTS = (
    Side({"a": {0, 1, 2}}, deixis=Side({"d": {0, 7}, "e": {9, 15, 17}, "f": {20}})),
    Side({"a": {0}}, deixis=Side({"d": {0, 7}, "e": {15}, "f": {20}, "g": {10, 17}})),
)


SPOILT = Side({}, deixis=Side({"d": {0, 7}, "e": {9, 15, 17}, "f": {20}, "z": {7}, "it": {21}}, idle=frozenset({"it"})))
PLURALS = (
    Side({}, deixis=Side({"s": {0}, "t": {4}, "that": {9}}, split={"that": "st"})),
    Side({}, deixis=Side({"s": {0}, "u": {6}, "that": {9}}, split={"that": "su"})),
)


@pytest.mark.parametrize(
    ("metric", "key", "response", "expected"),
    [
        # Links kept: 1 of 3, 1 of 2. B³ recall: 1 + 1 + 1/3 + 1/3 + 1 of 6; precision 1 + 1 + 1 + 1 + 1/2 of 6.
        ("muc", *SEGMENTS, (F(1, 3), F(1, 2))),
        ("b_cubed", *SEGMENTS, (F(11, 3) / 6, F(9, 2) / 6)),
        ("ceaf_e", *SEGMENTS, ((2 + F(1, 2)) / 3, (2 + F(1, 2)) / 4)),
        ("lea", *SEGMENTS, (F(3, 6), F(3, 6))),
        ("b_cubed", SEGMENTS[0], Side({"a": {0}}), (0, None)),
        ("b_cubed", Side({"a": {0}}), SEGMENTS[0], (None, 0)),
        ("b_cubed", SEGMENTS[0], SPOILT, (1, 1)),  # a mention counts once, and no expression without referent
        # Of two split antecedents one segment is right; they share no entity but that of "that", the one link of either side.
        ("muc", *PLURALS, (F(1, 2), F(1, 2))),
    ],
)
def test_discourse_deixis_is_scored_as_coreference_is_and_apart_from_it(metric, key, response, expected):
    assert sides(DEIXIS[metric], key, response) == exactly(*expected)


def test_conll_of_discourse_deixis():
    mean = (F(2, 5) + 2 * F(11, 18) * F(3, 4) / (F(11, 18) + F(3, 4)) + F(5, 7)) / 3
    assert counted(DEIXIS["conll"], *SEGMENTS).value == pytest.approx(float(mean))


# Split antecedents: the examples of the Universal Anaphora scorer's test cases, in letters as they write them


def plural(*entities):
    """Entities such as "ab", a split antecedent in brackets: "(ac)fg" is of the entities that have a and c."""
    mentions = {e.rpartition(")")[2]: {ord(m) for m in e.rpartition(")")[2]} for e in entities}
    split = {}
    for e in entities:
        inside, bracket, own = e.rpartition(")")
        if bracket:
            split[own] = [label for label in mentions if set(label) & set(inside)]
    return Side(mentions, split)


KEY = plural("ab", "cd", "e", "(ac)fg")
RESPONSES = {
    "TC-PA-1": plural("ab", "cd", "e", "(ac)fg"),
    "TC-PA-2": plural("ab", "cd", "e", "(ad)fg"),
    "TC-PA-3": plural("ab", "cd", "e", "(bd)fg"),
    "TC-PA-4": plural("ab", "cd", "e", "fg"),
    "TC-PA-5": plural("ab", "cd", "e", "(ace)fg"),
    "TC-PA-6": plural("ab", "cd", "e", "(ae)fg"),
    "TC-PA-7": plural("ab", "c", "e", "(ac)fg"),
    "TC-PA-8": plural("ab", "cd", "e", "(ac)f", "(bc)g"),
    "TC-PA-9": plural("ab", "cde", "(ac)fg"),
    "TC-PA-10": plural("ab", "cd", "e", "(ac)f", "(bce)g"),
    "TC-PA-11": plural("ab", "cd", "e", "(ab)fg"),
}
KEY_B = plural("ab", "cd", "e", "(ac)fg", "(ae)h")
RESPONSES_B = {
    "TC-PB-1": plural("ab", "cd", "e", "(ac)fg", "(ae)h"),
    "TC-PB-2": plural("ab", "cd", "e", "(ad)fg", "(be)h"),
    "TC-PB-3": plural("ab", "cd", "e", "(ac)fg", "(ace)h"),
    "TC-PB-4": plural("ab", "cd", "e", "(ac)fgh"),
}
README = {
    # Metric -> recall and precision, as PluralTestCases.README has them; rounded ones as the fractions that they are.
    **dict.fromkeys(
        ("TC-PA-1", "TC-PA-2", "TC-PA-3", "TC-PA-8", "TC-PB-1", "TC-PB-2"),
        dict.fromkeys(("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"), (F(1), F(1))),
    ),
    "TC-PA-4": {
        "b_cubed": (F(19, 24), F(1)),
        "muc": (F(3, 4), F(1)),
        "ceaf_m": (F(7, 8), F(1)),
        "ceaf_e": (F(38, 40), F(38, 40)),
        "lea": (F(6, 8), F(1)),
    },
    "TC-PA-5": {
        "b_cubed": (F(1), (5 + (2 + F(4, 5)) ** 2 / 3) / 8),
        "muc": (F(1), F(11, 12)),
        "ceaf_m": ((7 + F(8, 9)) / 8, (7 + F(8, 9)) / 8),
        "ceaf_e": ((3 + 2 * (2 + F(4, 5)) / 6) / 4, (3 + 2 * (2 + F(4, 5)) / 6) / 4),
        "lea": (F(1), F(76, 80)),
    },
    "TC-PA-6": {
        "b_cubed": ((5 + (2 + F(1, 2)) ** 2 / 3) / 8, (5 + (2 + F(2, 3)) ** 2 / 3) / 8),
        "muc": (F(7, 8), F(7, 8)),
        "ceaf_m": ((7 + F(4, 7)) / 8, (7 + F(4, 7)) / 8),
        "ceaf_e": ((3 + 2 * F(5, 2) / 6) / 4, (3 + 2 * F(5, 2) / 6) / 4),
        "lea": (F(7, 8), F(11, 12)),
    },
    "TC-PA-7": {"muc": (F(5, 8), F(5, 6)), "ceaf_m": ((6 + F(6, 7)) / 8, (6 + F(6, 7)) / 7), "lea": (F(5, 8), F(16, 21))},
    "TC-PA-9": {"muc": (F(1), F(11, 15)), "lea": (F(7, 8), F(52, 80))},
    "TC-PA-10": {
        "muc": (F(3, 4), F(3, 4)),
        "ceaf_m": (F(7, 8), F(7, 9)),
        "ceaf_e": (F(38, 40), F(38, 50)),
        "lea": (F(6, 8), F(7, 9)),
    },
    "TC-PA-11": {"muc": (F(7, 8), F(1)), "lea": (F(7, 8), F(1))},
    "TC-PB-3": {"muc": (F(1), F(14, 15)), "ceaf_e": (F(49, 50), F(49, 50)), "lea": (F(1), F(92, 100))},
    "TC-PB-4": {
        "b_cubed": (F(85, 100), F(75, 90)),
        "muc": (F(4, 5), F(4, 5)),
        "ceaf_m": (F(8, 10), F(8, 9)),
        "lea": (F(8, 10), F(7, 9)),
    },
}
ALONE = {
    "TC-PA-5": {"muc": (F(1), F(2, 3)), "b_cubed": (F(1), F(4, 5)), "ceaf_m": (F(1), F(4, 5)), "ceaf_e": (F(1), F(2, 3))},
    "TC-PA-6": {"muc": (F(1, 2), F(1, 2)), "b_cubed": (F(2, 4), F(2, 3)), "ceaf_e": (F(1, 2), F(1, 2))},
    "TC-PA-7": {"muc": (F(1, 2), F(1, 2)), "ceaf_e": (F(5, 6), F(5, 6)), "lea": (F(2, 4), F(2, 3))},
    "TC-PA-9": {"muc": (F(1), F(2, 3)), "ceaf_e": (F(9, 10), F(9, 10)), "lea": (F(1), F(3, 5))},
    "TC-PA-10": {"muc": (F(1), F(2, 5)), "b_cubed": (F(1), F(4, 9))},  # (ac) is aligned, (bce) is not
    "TC-PA-11": {"muc": (F(1, 2), F(1)), "lea": (F(2, 4), F(1))},
    "TC-PB-4": {"muc": (F(2, 4), F(1)), "b_cubed": (F(4, 7), F(1))},
}


@pytest.mark.parametrize("case", README)
def test_split_antecedents_in_the_test_cases_of_the_universal_anaphora_scorer(case):
    key, response = (KEY, RESPONSES[case]) if case in RESPONSES else (KEY_B, RESPONSES_B[case])
    for name, expected in README[case].items():
        assert sides(WITH_SPLIT[name], key, response) == exactly(*expected), name
        assert sides(WITH_SPLIT[name], response, key) == exactly(*expected[::-1]), name
    for name, expected in ALONE.get(case, {}).items():
        assert sides(SPLIT_ONLY[name], key, response) == exactly(*expected), name


def test_links_with_a_split_antecedent_count_its_f_in_blanc():
    """Credit of {ab} {cd} against {ab} {e}: of the coreference links 1 of 2 and 1 of 1, of the others 0 of 4 and 0 of 2: F 1/3.

    So of 5 links in each entity partition 3 are whole and two, to f and to g, a third. 23 others: 18 among whole mentions, five
    with the split antecedent.
    """
    links, others = (3 + F(2, 3)) / 5, (18 + 5 * F(1, 3)) / 23
    assert sides(WITH_SPLIT["blanc"], KEY, RESPONSES["TC-PA-6"]) == exactly((links + others) / 2, (links + others) / 2)


def test_conll_is_the_mean_of_the_three_with_split_antecedents():
    case = KEY, RESPONSES["TC-PA-6"]
    for mean, parts in (
        (split_metrics.conll_split.count, WITH_SPLIT),
        (split_metrics.split_antecedents_conll.count, SPLIT_ONLY),
    ):
        three = [counted(parts[name], *case).f1 for name in ("muc", "b_cubed", "ceaf_e")]
        assert counted(mean, *case).value == pytest.approx(sum(three) / 3)


@pytest.mark.parametrize(("p", "q"), [({10, 11}, {12}), ({11, 12}, {10})])
def test_of_equally_good_alignments_one_that_fits_the_other_mentions_is_taken(p, q):
    """{ab} and {ac} are equally like {a}: F of 2/3 and 1. The entity of {ab} shares two mentions with that of {a}, not one."""
    singular = {"a": {0, 1}, "b": {2}, "c": {3}}
    key, response = Side(singular | {"p": p, "q": q}, {"p": "ab", "q": "ac"}), Side(singular | {"x": p | q}, {"x": "a"})
    assert sides(WITH_SPLIT["ceaf_m"], key, response) == exactly((4 + 2 + F(4, 5)) / 9, (4 + 2 + F(4, 5)) / 8)


def test_a_plural_among_the_elements_gives_way_to_its_own_elements():
    nested = Side({"a": {0}, "b": {1}, "c": {2}, "ab": {3}, "abc": {4}}, {"ab": "ab", "abc": ["ab", "c"]})
    plain = Side({"a": {0}, "b": {1}, "c": {2}, "ab": {3}, "abc": {4}}, {"ab": "ab", "abc": "abc"})
    for metric in (*WITH_SPLIT.values(), *SPLIT_ONLY.values()):
        assert sides(metric, nested, plain) == exactly(1, 1)


@pytest.mark.parametrize("circle", [{"a": "a"}, {"a": "b", "b": "c", "c": "a"}])
def test_an_entity_among_its_own_elements_is_refused_by_name(circle):
    side = Side({"a": {0}, "b": {1}, "c": {2}}, circle)
    with pytest.raises(OptionError, match=r"test: found split antecedents in a circle in document '#1': .*a of "):
        counted(WITH_SPLIT["muc"], side, Side({"a": {0}}))


def test_weights_by_type_are_those_of_the_elements_and_of_their_entity():
    def typed(*elements):
        b = CorpusBuilder()
        b.document("")
        for number, (label, type_) in enumerate((("a", "p"), ("b", "p"), ("c", "q"), ("they", "q"), ("they", "q"))):
            b.mention(number, number + 1, label, type_)
        for element in elements:
            b.split_antecedent(b.entity("they"), b.entity(element))
        return b.corpus()

    weighted = pair_of(typed("a", "b"), typed("a", "c"), lea_importance={"p": 1, "q": 3})
    # Of weights 1 + 1 against 1 + 3 one is right. a, b and c weigh 1 + 1 + 3; they 3, with 1 link of 3, and 2 of the credit.
    found = WITH_SPLIT["lea"](weighted).total().score()[0]
    assert (found.recall, found.precision) == exactly((5 + 3 * (1 + 2 * F(1, 2)) / 3) / 8, (5 + 3 * (1 + 2 * F(1, 4)) / 3) / 8)
    alone = SPLIT_ONLY["lea"](weighted).total().score()[0]
    assert (alone.recall, alone.precision) == exactly(F(1, 2), F(1, 4))


def test_weights_by_type_need_types_and_a_weight_for_each():
    b = CorpusBuilder("typed")
    b.document("")
    b.mention(0, 1, "a", "p")
    typed, plain = b.corpus(), corpus(Side({"a": {0}}))
    for side, weights, problem in (
        (typed, {"q": 2.0}, "no importance for entity type 'p' of typed; given: q"),
        (plain, {"p": 2.0}, f"{plain.source} has no entity types"),
    ):
        with pytest.raises(OptionError, match=problem):
            METRICS["lea"].of_pair(pair_of(side, side, lea_importance=weights))


@pytest.mark.parametrize("name", WITH_SPLIT)
def test_without_split_antecedents_it_is_the_ordinary_measure_to_the_digit(name):
    documents = [
        tuple(Side({str(n): entity for n, entity in enumerate(side)}) for side in document)
        for document in random_documents(np.random.default_rng(3), 200)
    ]
    plain = pair_of(corpus(*(key for key, _ in documents)), corpus(*(response for _, response in documents)))
    for column, values in METRICS[name].of_pair(plain).columns.items():
        assert WITH_SPLIT[name](plain).columns[column].tolist() == values.tolist()


# Split antecedents: the definition, on sets and with all alignments tried

# An entity is a frozenset of mentions; beside it stands its split antecedent, a tuple of plain entities, or None.


def plurals(side):
    """The entities, those with the same split antecedent made one."""
    mentions = {label: frozenset(entity) for label, entity in side.entities.items()}

    def plain(label):
        return {p for e in side.split[label] for p in plain(e)} if side.split.get(label) else {label}

    found = {}
    for label, entity in mentions.items():
        split = tuple(sorted((mentions[p] for p in plain(label)), key=min)) if side.split.get(label) else label
        found[split] = found.get(split, frozenset()) | entity
    return [(entity, None if isinstance(split, str) else split) for split, entity in found.items()]


def ratio(numerator, denominator):
    return F(numerator) / denominator if denominator else F(0)


def harmonic(recall, precision):
    return ratio(2 * recall * precision, recall + precision)


def best_sum(weights):
    """The greatest sum of an assignment, by trying all."""
    if not weights or not weights[0]:
        return F(0)
    if len(weights) > len(weights[0]):
        weights = [list(column) for column in zip(*weights, strict=True)]
    return max(
        sum((row[j] for row, j in zip(weights, p, strict=True)), F(0))
        for p in permutations(range(len(weights[0])), len(weights))
    )


def kinds(links):
    """BLANC of links found, in the key and in the response, of each kind: those that neither side has are left out."""
    rates = [(ratio(n, k), ratio(n, r)) for n, k, r in links if k or r]
    means = [sum(values, F(0)) / len(rates) for values in zip(*((r, p, harmonic(r, p)) for r, p in rates), strict=True)]
    return means[0], means[1], means[2]


def of_elements(name, key, response):
    """Numerators and denominators: recall, precision."""

    def one(a, b):
        hit = [[x & y for y in b if x & y] for x in a]
        lone = [len(x) == 1 and x in b for x in a]
        size = [len(x) for x in a]
        if name == "muc":
            found = [sum(len(h) - 1 for h in parts) + alone for parts, alone in zip(hit, lone, strict=True)]
            return F(sum(found)), F(sum(max(n - 1, 1) for n in size))
        if name == "b_cubed":
            return sum((F(len(h) ** 2, n) for parts, n in zip(hit, size, strict=True) for h in parts), F(0)), F(sum(size))
        if name == "lea":
            found = [
                F(n) * (alone if n == 1 else F(sum(math.comb(len(h), 2) for h in parts), math.comb(n, 2)))
                for parts, n, alone in zip(hit, size, lone, strict=True)
            ]
            return sum(found, F(0)), F(sum(size))
        if name == "ceaf_m":
            return best_sum([[F(len(x & y)) for y in b] for x in a]), F(sum(size))
        return best_sum([[F(2 * len(x & y), len(x) + len(y)) for y in b] for x in a]), F(len(a))

    return (*one(key, response), *one(response, key))


def credit(name, key, response):
    """Recall, precision and F of two split antecedents."""
    if name == "blanc":
        links = links_of([(e, 1) for e in key], [(e, 1) for e in response], {})
        if any(n for kind in links for n in kind):
            return kinds(links)
        same = F(set().union(*key) == set().union(*response))
        return same, same, same
    n, d, m, e = of_elements(name, key, response)
    return ratio(n, d), ratio(m, e), harmonic(ratio(n, d), ratio(m, e))


def links_of(key, response, weight):
    """Coreference links and others: the weights of those found, those of the key, those of the response."""
    place_k = {m: n for n, (entity, _) in enumerate(key) for m in entity}
    place_r = {m: n for n, (entity, _) in enumerate(response) for m in entity}
    found = [F(0), F(0)]
    for a, b in combinations(sorted(place_k.keys() & place_r.keys(), key=str), 2):
        kind = place_k[a] != place_k[b]
        if kind == (place_r[a] != place_r[b]):
            found[kind] += weight.get(a, F(1)) * weight.get(b, F(1))
    total = [sum(place[a] == place[b] for a, b in combinations(place, 2)) for place in (place_k, place_r)]
    every = [math.comb(len(place), 2) for place in (place_k, place_r)]
    return [(found[0], total[0], total[1]), (found[1], every[0] - total[0], every[1] - total[1])]


def alignments(key, response):
    """All one-to-one alignments, partial ones included."""
    if not key:
        yield {}
        return
    for rest in alignments(key[1:], response):
        yield rest
        for r in response:
            if r not in rest.values():
                yield {key[0]: r, **rest}


def definition(name, key, response):
    """What the document scores with split antecedents, and these alone, for each of the best alignments.

    Recall and precision; empty for split antecedents alone in BLANC.
    """
    ks, rs = plurals(key), plurals(response)
    of_key, of_response = ([n for n, (_, split) in enumerate(side) if split] for side in (ks, rs))
    credited = {(k, r): credit(name, ks[k][1] or (), rs[r][1] or ()) for k in of_key for r in of_response}
    useful = [a for a in alignments(of_key, of_response) if all(credited[pair][2] for pair in a.items())]

    def worth(a):
        return sum((credited[pair][2] for pair in a.items()), F(0)), sum(len(ks[k][0] & rs[r][0]) for k, r in a.items())

    best = max(map(worth, useful))
    return [(whole(name, ks, rs, a, credited), alone(name, ks, rs, a)) for a in useful if worth(a) == best]


def alone(name, key, response, aligned):
    if name == "blanc":
        return []
    counts = [of_elements(name, key[k][1] or (), response[r][1] or ()) for k, r in aligned.items()]
    every_key = sum((of_elements(name, split, ())[1] for _, split in key if split), F(0))
    every_response = sum((of_elements(name, (), split)[3] for _, split in response if split), F(0))
    return [ratio(sum(c[0] for c in counts), every_key), ratio(sum(c[2] for c in counts), every_response)]


def whole(name, key, response, aligned, credited):
    size_k, size_r = ([len(entity) + (split is not None) for entity, split in side] for side in (key, response))

    def common(k, r):
        return len(key[k][0] & response[r][0])

    def extra(k, r, which):
        return credited[k, r][which] if aligned.get(k) == r else F(0)

    if name == "blanc":
        names = {pair: f"split {n}" for n, pair in enumerate(aligned.items())}
        k_of, r_of = ({pair[side]: split for pair, split in names.items()} for side in (0, 1))
        sets = [
            [(set(entity) | ({of.get(n, f"{prefix} {n}")} if split else set()), 0) for n, (entity, split) in enumerate(side)]
            for side, of, prefix in ((key, k_of, "key"), (response, r_of, "response"))
        ]
        weight = {split: credited[pair][2] for pair, split in names.items()}
        return list(kinds(links_of(sets[0], sets[1], weight)))[:2]
    if name in {"ceaf_m", "ceaf_e"}:
        shared = [[common(k, r) + extra(k, r, 2) for r in range(len(response))] for k in range(len(key))]
        if name == "ceaf_m":
            return [ratio(best_sum(shared), sum(size_k)), ratio(best_sum(shared), sum(size_r))]
        dice = [[2 * n / (size_k[k] + size_r[r]) for r, n in enumerate(row)] for k, row in enumerate(shared)]
        return [ratio(best_sum(dice), len(key)), ratio(best_sum(dice), len(response))]

    def one(swapped):
        mine, theirs, sizes, other = (response, key, size_r, size_k) if swapped else (key, response, size_k, size_r)
        numerator = denominator = F(0)
        for a, (entity, split) in enumerate(mine):
            cells = []
            for b in range(len(theirs)):
                k, r = (b, a) if swapped else (a, b)
                cells.append((common(k, r), extra(k, r, int(swapped)), other[b]))
            n = sizes[a]
            if name == "muc":
                parts = sum(c > 0 for c, _, _ in cells) + len(entity) - sum(c for c, _, _ in cells)
                linked = sum((d for c, d, _ in cells if c), F(0))
                numerator += n - parts - ((1 - linked) if split else 0)
                denominator += n - 1
            elif name == "b_cubed":
                numerator += sum(((c + d) ** 2 / n for c, d, _ in cells), F(0))
                denominator += n
            else:
                links = sum((math.comb(c, 2) + c * d for c, d, _ in cells), F(0))
                lone = any(c and size == 1 for c, _, size in cells)
                numerator += n * (links / math.comb(n, 2) if n > 1 else lone)
                denominator += n
        return ratio(numerator, denominator)

    return [one(False), one(True)]


def random_side(rng, mentions):
    entities = {}
    for mention in range(mentions):
        if rng.random() < 0.9:
            entities.setdefault("abcdef"[rng.integers(6)], set()).add(mention)
    return entities


def random_split(rng, labels):
    """Up to three entities are made of others that come before them in the alphabet."""
    ordered = sorted(labels)
    chosen = rng.permutation(ordered[1:])[: rng.integers(4)].tolist() if len(ordered) > 1 else []
    made_of = {label: [e for e in ordered if e < label and rng.random() < 0.6] for label in chosen}
    return {label: elements for label, elements in made_of.items() if elements}


@cache
def random_pairs():
    rng = np.random.default_rng(2023)
    found = []
    for _ in range(250):
        key = random_side(rng, 12)
        response = random_side(rng, 12)
        if rng.random() < 0.7:  # related
            response = {label: {m for m in entity if rng.random() < 0.85} for label, entity in key.items()}
            response = {label: entity for label, entity in response.items() if entity}
        split = random_split(rng, key)
        same = {label: [e for e in elements if e in response] for label, elements in split.items() if label in response}
        other = random_split(rng, response) if rng.random() < 0.5 else {label: e for label, e in same.items() if e}
        found.append((Side(key, split), Side(response, other)))
    return found


@cache
def definitions(name):
    """What the definition gives for each of the random pairs."""
    return [definition(name, *pair) for pair in random_pairs()]


@pytest.mark.parametrize("name", WITH_SPLIT)
def test_split_antecedents_score_as_the_definition_says(name):
    """Where several alignments are best, one of them."""
    pairs = random_pairs()
    t = pair_of(corpus(*(key for key, _ in pairs)), corpus(*(response for _, response in pairs)))
    scores = WITH_SPLIT[name](t).score(0.0)
    only = SPLIT_ONLY[name](t).score(0.0) if name in SPLIT_ONLY else None
    tested = 0
    for row, (key, response) in enumerate(pairs):
        if not key.split and not response.split:
            continue
        tested += 1
        found = [scores[row].recall, scores[row].precision]
        found += [only[row].recall, only[row].precision] if only else []
        expected = [[float(x) for x in (*both, *by_themselves)] for both, by_themselves in definitions(name)[row]]
        assert any(found == pytest.approx(e, abs=1e-9) for e in expected), (key, response, found, expected)
    assert tested > 150


@pytest.mark.parametrize("name", WITH_SPLIT)
def test_exchanging_the_sides_exchanges_recall_and_precision_where_one_alignment_is_best(name):
    pairs = [pair for pair, found in zip(random_pairs(), definitions(name), strict=True) if len(found) == 1]
    assert len(pairs) > 150
    key, response = corpus(*(key for key, _ in pairs)), corpus(*(response for _, response in pairs))
    for metric in (WITH_SPLIT[name], SPLIT_ONLY.get(name, WITH_SPLIT[name])):
        forth, back = metric(pair_of(key, response)).score(0.0), metric(pair_of(response, key)).score(0.0)
        assert forth.recall == pytest.approx(back.precision, abs=1e-12)
        assert forth.precision == pytest.approx(back.recall, abs=1e-12)
        assert forth.value == pytest.approx(back.value, abs=1e-12)


@pytest.mark.parametrize("name", WITH_SPLIT)
def test_a_key_with_split_antecedents_against_itself_is_perfect(name):
    keys = [key for key, _ in random_pairs() if key.split]
    one = corpus(*keys)
    assert (WITH_SPLIT[name](pair_of(one, one)).score().value > 1 - 1e-12).all()
    if name in SPLIT_ONLY:
        assert (SPLIT_ONLY[name](pair_of(one, one)).score().value > 1 - 1e-12).all()


@pytest.mark.parametrize("name", WITH_SPLIT)
def test_labels_and_the_order_in_which_entities_are_listed_change_nothing(name):
    def renamed(side):
        """Labels reversed in the alphabet, entities listed backwards."""
        new = {label: chr(ord("z") - ord(label)) for label in side.entities}
        entities = {new[label]: sorted(m, reverse=True) for label, m in reversed(side.entities.items())}
        return Side(entities, {new[label]: [new[e] for e in elements] for label, elements in reversed(side.split.items())})

    pairs = random_pairs()
    one = pair_of(corpus(*(key for key, _ in pairs)), corpus(*(response for _, response in pairs)))
    other = pair_of(corpus(*(renamed(key) for key, _ in pairs)), corpus(*(renamed(response) for _, response in pairs)))
    for metric in (WITH_SPLIT[name], SPLIT_ONLY.get(name, WITH_SPLIT[name])):
        assert repr(metric(one).score().value.tolist()) == repr(metric(other).score().value.tolist())


def test_a_split_antecedent_in_a_large_document_costs_little():
    mentions = 5000
    entities = {str(n): range(n, mentions, 500) for n in range(500)}
    one = corpus(Side(entities, {"0": ["1", "2"]}))
    for metric in (*WITH_SPLIT.values(), *SPLIT_ONLY.values()):
        t = pair_of(one, one)
        with limited(0.1):
            metric(t)


# The numbers of the Universal Anaphora scorer 2.0 on the same files. The kit is no part of the repository.

THEIRS = {"muc": "muc", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e", "lea": "lea", "conll": "conll"}
NOT_THEIRS = {
    ("nonref-shared-id.key", "non_referring"): "the program counts the first of several with one label",
    ("bridging-two-anchors.key", "markable"): "the program keeps the last of several antecedents",
    ("bridging-two-anchors.key", "entity"): "the program keeps the last of several antecedents",
}


def cases():
    found = []
    for folder, file in (
        ("ua-own", "expected.ua2.json"),
        ("ua-own/split-random", "expected.ua2.json"),
        ("corefud-tests", "expected.json"),
        ("gum-by-ua", "expected.ua2.json"),
    ):
        path = KIT / folder / file
        for c in json.loads(path.read_text())["cases"] if path.is_file() else []:
            exact = c["options"].get("match", "exact") == "exact" and "error" not in c
            if exact and (folder != "corefud-tests" or "/plural/" in c["key"]):
                found.append(pytest.param(KIT / folder, c, id=f"{c['response']} {c['options']}"))
    return found


@cache
def read_case(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefereeWarning)
        return read(path if path.is_file() else path.with_name(path.name + ".gz"), format="ua")


@pytest.mark.parametrize(("folder", "case"), cases())
def test_the_universal_anaphora_scorer_gives_the_same(folder, case):
    options = case["options"]
    singletons = options.get("singletons", True)
    metrics = {
        "non_referring": "non_referring",
        "anaphor": "bridging_anaphora",
        "markable": "bridging_mentions",
        "entity": "bridging_entities",
    }
    if options.get("dd"):
        metrics |= {theirs: f"deixis_{ours}" for theirs, ours in THEIRS.items() if ours in DEIXIS}
    elif options.get("split_antecedents", options.get("split", singletons)):
        metrics |= {theirs: f"{ours}_split" for theirs, ours in THEIRS.items()}
        metrics |= {f"only {theirs}": f"split_antecedents_{ours}" for theirs, ours in THEIRS.items()}
    expected = {
        **case["scores"],
        **{f"only {name}": numbers for name, numbers in case.get("only_split_antecedents", {}).items()},
        **case.get("bridging", {}),
        "non_referring": case.get("non_referring", {}),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefereeWarning)
        e = score(
            read_case(folder / case["key"]), read_case(folder / case["response"]), metrics=metrics, zero_division=0.0,
            zeros="linear" if options.get("zeros") else "drop", singletons="keep" if singletons else "drop-annotated",
        )  # fmt: skip
    for name in metrics:
        for side, value in (("r", e[name].recall), ("p", e[name].precision), ("f1", e[name].value)):
            if side in expected.get(name, {}) and (case["key"], name) not in NOT_THEIRS:
                assert value == pytest.approx(expected[name][side], abs=1e-9, rel=0), (name, side)
