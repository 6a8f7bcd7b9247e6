"""Agreement of annotators: alpha from its definition on sets, and what goes with it."""

import json
import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import agree
from referee.agreement import DISTANCES, SYMMETRIC
from referee.agreement.alpha import MENTIONS
from referee.agreement.result import BY
from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning
from referee.metrics.registry import METRICS
from referee.stats.settings import Resampling
from tests.support.partitions import entities_of, random_documents, table_of
from tests.support.warned import silenced

FEW = Resampling(resamples=50)

ON_SETS = {
    "nominal": lambda a, b: float(a != b),
    "jaccard": lambda a, b: 1 - len(a & b) / len(a | b) if a | b else 0,
    "set": lambda a, b: 0 if a == b else 1 / 3 if a <= b or b <= a else 2 / 3 if a & b else 1,
    "masi": lambda a, b: 0 if a == b else 1 - len(a & b) / len(a | b) * (2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0),
}
"""The distances, from their definitions."""


def apart(a, b, distance):
    """Of two values, which are sets, or None for a mention that was not marked."""
    return float(a is not b) if a is None or b is None else ON_SETS[distance](a, b)


def values_of(sides, mentions):
    """A row a mention: the value of each annotator, from the definitions of the rules."""
    marked = [set().union(*entities) for entities in sides]
    units = set.intersection(*marked) if mentions == "common" else set.union(*marked)

    def value(unit, entities, has):
        if mentions == "unmarked" and unit not in has:
            return None
        return frozenset(other for e in entities if unit in e for other in e - {unit} if other in units)

    return [[value(unit, *of_one) for of_one in zip(sides, marked, strict=True)] for unit in units]


def alpha(documents, distance, mentions="unmarked"):
    """Of documents, each with the entities of each annotator: one mention and one value after another."""
    observed = expected = 0.0
    for sides in documents:
        values = values_of(sides, mentions)
        flat = [value for row in values for value in row]
        observed += sum(apart(a, b, distance) for row in values for a, b in permutations(row, 2)) / (len(sides) - 1)
        if len(flat) > 1:
            expected += sum(apart(a, b, distance) for a, b in product(flat, flat)) / (len(flat) - 1)
    return 1 - observed / expected if expected > 1e-12 else math.nan


@pytest.mark.parametrize("mentions", MENTIONS)
@given(st.lists(st.lists(st.tuples(*[st.none() | st.integers(0, 3)] * 3), max_size=8), min_size=1, max_size=3))
def test_alpha_is_its_definition(mentions, rows):
    documents = [[entities_of(row[a] for row in document) for a in range(3)] for document in rows]
    if not any(any(annotation) for document in documents for annotation in document):
        return
    annotators = [{f"d{n}": document[a] for n, document in enumerate(documents)} for a in range(3)]
    with silenced():
        found = agree(annotators, mentions=mentions, resampling=FEW, metrics=["mentions"])
    parts = [(found.together, documents)]
    parts += [(found.by_document[f"d{n}"], [document]) for n, document in enumerate(documents)]
    for (a, b), of in found.pairs.items():
        parts.append((of, [[document[int(a) - 1], document[int(b) - 1]] for document in documents]))
    for (of, here), distance in product(parts, DISTANCES):
        expected = alpha(here, distance, mentions)
        assert of[f"alpha {distance}"] == pytest.approx(expected, abs=1e-9, nan_ok=True), (distance, here)


@pytest.mark.parametrize("mentions", MENTIONS)
@pytest.mark.parametrize("distance", DISTANCES)
def test_alpha_is_that_of_the_package_krippendorff(distance, mentions):
    package = pytest.importorskip("krippendorff", reason="the package krippendorff is not installed")
    rng = np.random.default_rng(5)
    for _ in range(10):
        sides = [entities_of([None if e < 0 else e for e in row]) for row in rng.integers(-1, 4, (3, 9)).tolist()]
        rows = values_of(sides, mentions)
        domain = [*dict.fromkeys(value for row in rows for value in row)]
        apart_of = np.array([[apart(a, b, distance) for b in domain] for a in domain])
        expected = package.alpha(
            reliability_data=[[domain.index(row[a]) for row in rows] for a in range(3)],
            value_domain=list(range(len(domain))),
            level_of_measurement=lambda v1, v2, i1, i2, n_v, dtype, apart_of=apart_of: apart_of[i1, i2],
        )
        together = agree(sides, mentions=mentions, metrics=["alpha"]).together
        assert together[f"alpha {distance}"] == pytest.approx(expected, abs=1e-12)


EXAMPLE = [
    [{0, 3}, {1, 4, 5, 10}, {2, 7}, {6, 8, 9}],
    [{0, 3}, {1, 4, 5, 10}, {2}, {7}, {6, 9}, {8}],
    [{0, 3}, {1, 4, 5, 10}, {2, 7, 8, 9}, {6}],
]
"""Three annotators of eleven mentions: the example of Passonneau (2004), with an alpha of .74."""


def test_the_example_of_the_paper():
    assert round(agree(EXAMPLE, metrics=["mentions"]).together["alpha set"], 2) == 0.74


def test_masi_is_that_of_nltk():
    # nltk.metrics.masi_distance({1, 2}, {1, 2, 3, 4}) is 0.665, with 0.67 for 2/3.
    found = DISTANCES["masi"](np.array([2]), np.array([2]), np.array([4]))
    assert float(found[0]) == pytest.approx(0.665, abs=0.002)


@pytest.mark.parametrize("metric", SYMMETRIC)
def test_symmetric_measures_stay_when_annotators_change_places(metric):
    documents = random_documents(np.random.default_rng(7), 60)
    table = table_of(documents)
    exchanged = METRICS[metric].count(table_of([(response, key) for key, response in documents]))
    np.testing.assert_allclose(METRICS[metric].count(table).score().value, exchanged.score().value, atol=1e-12)


def test_complete_agreement_is_1():
    annotation = {"d1": [{1, 2}, {3}], "d2": [{1, 2, 3}, {4, 5}]}
    found = agree({"ann": annotation, "bob": annotation, "eve": annotation}, resampling=FEW)
    assert all(value == 1 for value in found.together.values())
    assert found.disputed == ()


def test_the_order_of_annotators_changes_nothing_but_the_order():
    documents = random_documents(np.random.default_rng(2), 10)
    sides = {name: {f"d{n}": d[side] for n, d in enumerate(documents)} for side, name in enumerate(("ann", "bob"))}
    found, other = agree(sides), agree(dict(reversed(sides.items())))
    for name, value in found.together.items():
        assert other.together[name] == pytest.approx(value, abs=1e-12, nan_ok=True)
    assert {(d.document, d.annotator, d.mentions) for d in found.disputed} == {
        (d.document, d.annotator, d.mentions) for d in other.disputed
    }


def test_who_sees_an_entity_differently_is_told():
    found = agree({"ann": [{1, 2, 3}, {4, 5}], "bob": [{1, 2}, {3}, {4, 5}]}, distance="nominal", metrics=["muc"])
    told = [(d.annotator, d.name, d.mentions, d.disagreement) for d in found.disputed]
    # Of Bob's 1, 2, 3 Ann puts each in other company; 4 and 5 are agreed on.
    assert told == [("ann", "1", 3, 1), ("bob", "1", 2, 1), ("bob", "3", 1, 1)]


def test_a_mention_that_one_lacks_is_a_value_or_stands_alone_or_is_left_out():
    sides = {"ann": [{1, 2}, {3}], "bob": [{1, 2}]}
    assert agree(sides, metrics=["mentions"], mentions="all").together["alpha nominal"] == 1  # alone for both
    # one of three rows differs (2 ordered pairs); of 30 ordered pairs of the six values 4 are equal, over 6 - 1
    assert agree(sides, metrics=["mentions"]).together["alpha nominal"] == pytest.approx(1 - 2 / (26 / 5))
    sides = {"ann": [{1, 2, 3}, {4}], "bob": [{1, 2}, {4}]}
    assert agree(sides, metrics=["mentions"], mentions="all").together["alpha nominal"] < 1
    assert agree(sides, metrics=["mentions"], mentions="common").together["alpha nominal"] == 1


def test_documents_that_not_all_have_are_left_out():
    sides = {"ann": {"d1": [{1, 2}], "d2": [{1}]}, "bob": {"d2": [{1}], "d3": [{1}]}, "eve": {"d3": [{1}], "d2": [{1}]}}
    with pytest.warns(RefereeWarning, match="left out 1 document of .* that not all annotators have"):
        assert agree(sides, metrics=["mentions"]).documents == ("d2",)
    with pytest.raises(MismatchError, match="no document"):
        agree({"ann": {"d1": [{1}], "x": [{1}]}, "bob": {"d2": [{1}], "y": [{1}]}})


def test_intervals_are_of_alpha_over_documents():
    documents = random_documents(np.random.default_rng(3), 30)
    sides = [{f"d{n}": d[side] for n, d in enumerate(documents)} for side in (0, 1)]
    for method in ("percentile", "bca"):
        found = agree(sides, resampling=Resampling(resamples=300, method=method))
        for name, interval in found.intervals.items():
            assert interval.low < found.together[name] < interval.high
    assert agree([[{1}], [{1}]]).intervals == {}


def test_one_annotator_is_too_few():
    with pytest.raises(OptionError, match="found 1 annotation; expected at least two"):
        agree([[{1}]])
    with pytest.raises(OptionError, match="found an annotator called 'all'"):
        agree({"all": [{1}], "bob": [{1}]})


@pytest.mark.parametrize("by", [by for by in BY if by != "type"])
def test_tables(by):
    found = agree(EXAMPLE, metrics=["lea", "vi"])
    made = found.listing(by=by, top=2)
    assert all(len(row) == len(made.columns) for row in made.rows)
    intervals = f" | {found.resampling.signature}"
    agreement = by in ("pair", "matrix", "document")
    assert made.notes[-1] == found.signature + (intervals if agreement else "")  # signed is what is shown
    assert ("intervals" in made.facts) == agreement == bool(made.caption)


SENTENCE = "she saw him as he came back home so that she ran away from it"


def jsonlines(path, documents, pieces):
    """One-word mentions of a sentence of which each word is this many tokens."""
    tokens = [t for word in SENTENCE.split() for t in ([word] if pieces == 1 else [word[:1], word[1:]])]
    lines = [
        {
            "doc_key": f"d{n}",
            "sentences": [tokens],
            "clusters": [[[pieces * m, pieces * m + pieces - 1] for m in sorted(entity)] for entity in entities],
        }
        for n, entities in enumerate(documents)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


@pytest.mark.parametrize("seed", range(8))
def test_a_mention_is_what_it_was_matched_with(tmp_path, seed):
    documents = random_documents(np.random.default_rng(seed), 4, 15)
    keys, responses = ([d[side] for d in documents] for side in (0, 1))
    ann, bob = (jsonlines(tmp_path / name, of, 1) for name, of in (("ann", keys), ("bob", responses)))
    split, ann_split = (jsonlines(tmp_path / name, of, 2) for name, of in (("split", responses), ("again", keys)))
    with silenced():
        alike = agree({"ann": ann, "bob": bob, "eve": ann}, resampling=FEW)
        other = agree({"ann": ann, "bob": split, "eve": ann_split}, tokens="align", resampling=FEW)
        itself = agree([ann, ann_split], tokens="align", resampling=FEW)
    for ours, theirs in (
        (other.together, alike.together),
        *((other.by_document[d], alike.by_document[d]) for d in alike.documents),
        *((other.pairs[pair], alike.pairs[pair]) for pair in alike.pairs),
    ):
        assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True)
    disputed = [
        sorted((d.document, d.annotator, d.mentions, round(d.disagreement, 9)) for d in a.disputed) for a in (alike, other)
    ]
    assert disputed[0] == disputed[1]
    assert all(value == 1 or math.isnan(value) for value in itself.together.values())


def conllu(path, zeros):
    """Ten words, each its own subject's verb, of which some have an empty node before them: place -> (dependency, entity)."""
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other"]
    for word in range(1, 11):
        entity = f"Entity=(e{word % 3}-x-1-)" if word % 2 else "_"
        lines.append(f"{word}\tw{word}\t_\t_\t_\t_\t{0 if word == 1 else 1}\tdep\t_\t{entity}")
        if word in zeros:
            head, name = zeros[word]
            lines.append(f"{word}.1\t_\t_\t_\t_\t_\t_\t_\t{head}:nsubj\tEntity=({name}-x-1-)")
    path.write_text("\n".join(lines) + "\n\n")
    return str(path)


@pytest.mark.parametrize("zeros", ["dependent", "drop"])
def test_empty_nodes_at_other_places_change_no_alpha(tmp_path, zeros):
    ann = conllu(tmp_path / "ann", {2: ("3", "e1"), 6: ("5", "e2")})
    bob = conllu(tmp_path / "bob", {4: ("3", "e1"), 8: ("5", "e2")})
    found = agree({"ann": ann, "bob": bob, "eve": ann}, zeros=zeros, resampling=FEW)
    assert set(found.together.values()) == {1}
    assert found.disputed == ()


def test_undefined_resamples_of_alpha_are_counted():
    ann = {"d0": [{1, 2}, {3}], **{f"d{n}": [{1}] for n in range(1, 4)}}
    bob = {**ann, "d0": [{1}, {2, 3}]}
    found = agree({"ann": ann, "bob": bob}, metrics=["mentions"], resampling=Resampling(resamples=1000))
    undefined = found.intervals["alpha set"].undefined  # those without d0: (3/4)⁴ of them
    assert undefined / 1000 == pytest.approx((3 / 4) ** 4, abs=0.08)
    (note,) = (note for note in found.listing().notes if "0/0" in note)
    assert note.endswith(f"left out, of 1000: alpha masi {undefined}")
    assert any(f"alpha masi {undefined}, alpha set {undefined}" in note for note in found.records().notes)
