"""The Python door: what `score` takes, what it gives, and what never changes a digit."""

import dataclasses
import json
import math
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import referee
from referee import METRICS, CorpusBuilder, RefereeWarning, score
from referee.basics.exceptions import (
    FormatError,
    MismatchError,
    MissingExtraError,
    MissingFileError,
    OptionError,
    RefereeError,
    UnknownNameError,
)
from referee.matching import pair
from referee.metrics.muc import muc
from tests.support.reading import source_of
from tests.support.strategies import corpora
from tests.support.warned import silenced

# Vilain et al. (1995): key A-B B-C C-D, response A-B C-D: recall 2/3, precision 2/2.
KEY = [{"A", "B", "C", "D"}]
RESPONSE = [{"A", "B"}, {"C", "D"}]


def muc_of(key, response, **options):
    found = score(key, response, metrics=["muc"], **options)["muc"]
    return found.recall, found.precision


def digits(evaluation):
    """Everything that a report may print, for exact comparison."""
    return {m: dataclasses.astuple(evaluation[m]) for m in evaluation} | {
        f"{m} macro": dataclasses.astuple(evaluation.macro(m)[0]) for m in evaluation
    }


def same(a, b):
    """Equal to the last bit; nan equals nan."""
    return repr(a) == repr(b)


def quietly(function):
    with silenced():
        return function()


# What is taken.


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (KEY, RESPONSE),
        ([["A", "B", "C", "D"]], (frozenset("AB"), frozenset("CD"))),
        ({frozenset("ABCD")}, [["A", "B"], ["C", "D"]]),
        (dict.fromkeys("ABCD", 1), {"A": "x", "B": "x", "C": "y", "D": "y"}),
        ([7, 7, 7, 7], ["a", "a", "b", "b"]),
        (np.zeros(4, dtype=int), np.array(["a", "a", "b", "b"])),
        (["k"] * 4, np.array([0, 0, 1, 1])),
        ({"doc": KEY}, {"doc": RESPONSE}),
        ({"doc": (frozenset("ABCD"),)}, {"doc": {frozenset("AB"), frozenset("CD")}}),
        ({"doc": dict.fromkeys("ABCD", 1)}, {"doc": RESPONSE}),
        ({"doc": np.zeros(4)}, {"doc": np.array([0, 0, 1, 1])}),
        ([{(0, 1), (1, 2), (2, 3), (3, 4)}], [[(0, 1), (1, 2)], [(2, 3), (3, 4)]]),
        ([{(0, 1), (1, 2), (2, 3), (3, 4)}], [0, 0, 1, 1]),
        ([{1, 2, 3, 4}], [{1, 2}, {3, 4}]),
        ([{("a", 1), ("a", 2), ("b", 1), "c"}], [{("a", 1), ("a", 2)}, {("b", 1), "c"}]),
    ],
)
def test_a_partition_may_be_said_in_many_ways(key, response):
    assert muc_of(key, response) == (2 / 3, 1)
    assert muc_of(response, key) == (1, 2 / 3)


def test_files_corpora_sources_and_values_may_be_mixed(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps([["A", "B", "C", "D"]]))
    for key in (path, str(path), source_of(path.read_text()), referee.read(path), KEY):
        assert muc_of(key, RESPONSE) == (2 / 3, 1)
    spans = source_of("#begin document (d)\na\t(1)\nb\t(1)\nc\t(1)\nd\t(1)\n")
    assert muc_of(spans, [0, 0, 1, 1]) == (2 / 3, 1)
    assert muc_of(spans, [{(0, 1), (1, 2)}, {(2, 3), (3, 4)}]) == (2 / 3, 1)


def test_documents_are_counted_apart():
    e = score({"x": [{"A", "B"}], "y": [{"A", "B"}]}, {"x": [{"A", "B"}], "y": [{"A"}, {"B"}]}, metrics=["muc"])
    assert e.documents == ("x", "y")
    assert (e["muc"].recall, e["muc"].precision) == (0.5, 1)
    assert (e.document("x")["muc"].f1, e.document("y")["muc"].f1) == (1, 0)


def test_arguments_are_left_as_they_are():
    key, response = [{"A", "B"}], {"A": 1, "B": 2}
    labels = np.array([1, 0, 1])
    score(key, response)
    score(labels, labels)
    assert (key, response, labels.tolist()) == ([{"A", "B"}], {"A": 1, "B": 2}, [1, 0, 1])


def test_large_offsets_are_not_taken_modulo_anything():
    for n in (1 << 31, 1 << 32, 1 << 70):
        assert score([{(n, n + 1), (5, 6)}], [{(0, 1), (n, n + 1)}], metrics=["mentions"])["mentions"].recall == 0.5


def test_every_error_is_a_markable_error_and_names_its_place(tmp_path):
    with pytest.raises(RefereeError, match="cannot be opened"):
        score(tmp_path / "none", KEY)
    with pytest.raises(FormatError, match=r"^x:2: ") as caught:
        score(source_of("#begin document (d)\na\t(1\n"), KEY)
    assert (caught.value.source, caught.value.line) == ("x", 2)
    with pytest.raises(MismatchError, match=r"mentions of <key> are spans of tokens, mentions of <response> are items"):
        score([{(0, 1)}], [{"A"}])
    with pytest.raises(MismatchError, match=r"<response> has no document of <key>: found y; expected x"):
        score({"x": KEY}, {"y": KEY})
    with pytest.raises(MismatchError) as mismatch:
        score({"x": KEY}, {"a\nb": KEY})
    assert str(mismatch.value).endswith(r"found a\nb; expected x")
    with pytest.raises(MismatchError) as mismatch:
        score({"#1": KEY, "#2": KEY}, {"x" * 500: KEY, "y": KEY})
    assert len(str(mismatch.value)) < 400


def test_inclusive_ends_are_suspected():
    with pytest.raises(MismatchError, match=r"expected half-open spans \[start, end\): add 1 to inclusive ends"):
        score([{(0, 1), (4, 5)}], [{(0, 0), (4, 4)}])


def test_options_are_checked_before_anything_is_read(tmp_path):
    for options in ({"match": "haed"}, {"repeated_mentions": "last"}, {"cross_document": "topics"}):
        with pytest.raises(UnknownNameError):
            score(tmp_path / "none", KEY, **options)


def test_options_take_numbers_of_any_kind():
    spans = [{(0, 3), (4, 6)}], [{(0, 2), (4, 6)}]
    plain = score(*spans, match="overlap", min_overlap=0.5, beta=2, zero_division=0)
    for half, two, zero in ((np.float32(0.5), np.int64(2), np.int8(0)), (Fraction(1, 2), Fraction(2), np.float64(0))):
        e = score(*spans, match="overlap", min_overlap=half, beta=two, zero_division=zero)
        assert digits(e) == digits(plain)
        assert e.signature == plain.signature
        json.dumps(dataclasses.asdict(e.options))


# What is given.


def test_an_evaluation_is_asked_by_the_name_of_a_measure():
    e = score(KEY, RESPONSE)
    assert list(e) == ["mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll"]
    assert (e["muc"].recall, e["muc"].precision, e["muc"].f1, e["muc"].value) == (2 / 3, 1, 0.8, 0.8)
    assert (e["conll"].recall, e["conll"].precision, e["conll"].f1) == (None, None, e["conll"].value)
    assert (e["ari"].recall, e["ari"].f1) == (None, None)  # no F-measure
    for ask in (e.__getitem__, e.micro, e.macro):
        with pytest.raises(UnknownNameError, match="no metric named 'lee'; did you mean lea"):
            ask("lee")
    with pytest.raises(UnknownNameError, match="no document named 'x'"):
        e.document("x")


def test_the_macro_average_leaves_out_what_is_undefined_and_says_so():
    e = score({"x": [{"A", "B"}], "y": [{"A"}], "z": [{"A", "B"}]}, {"x": [{"A", "B"}], "y": [{"A"}], "z": [{"A"}, {"B"}]})
    assert math.isnan(e.document("y")["muc"].value)
    found, documents = e.macro("muc")
    assert (found.value, documents) == (0.5, 2)
    assert score({"x": KEY}, {"x": RESPONSE}, average="macro")["muc"].f1 == 0.8


def test_the_alignment_pairs_entities():
    e = score({"x": [{"a", "b"}, {"c"}], "y": [{"d"}]}, {"y": [{"d"}], "x": [{"c", "e"}, {"a", "b"}]})
    pairs = {tuple(sorted(m.text for m in k.mentions)): sorted(m.text for m in r.mentions) for k, r in e.alignment()}
    assert pairs == {("a", "b"): ["a", "b"], ("c",): ["c", "e"], ("d",): ["d"]}
    with pytest.raises(UnknownNameError, match="no alignment named 'muc'"):
        e.alignment("muc")


def test_the_signature_says_how_the_numbers_were_made():
    assert score(KEY, RESPONSE).signature == (
        f"referee {referee.__version__} | default | match:exact | tokens:not-compared | repeated-mentions:first | "
        "singletons:kept | zero-division:nan | average:micro | documents:1"
    )
    assert "| muc+lea |" in score(KEY, RESPONSE, metrics=["muc", "lea"]).signature


def test_the_signature_rounds_no_number():
    numbers = {"min_overlap": 1 / 3, "beta": 1.0000001, "zero_division": 0.1234567}
    signature = score([{(0, 1)}], [{(0, 1)}], match="overlap", **numbers).signature
    assert all(f"| {name.replace('_', '-')}:{number!r} |" in signature for name, number in numbers.items())
    typed = source_of("#begin document (d)\na\t(a-1)\nb\t(b-2)\n")
    weights = {"a": 2, "b": 0.1234567}
    assert "| lea:a=2,b=0.1234567 |" in quietly(lambda: score(typed, typed, lea_importance=weights)).signature
    assert "| min-overlap:3 |" in score([{(0, 3)}], [{(0, 3)}], match="overlap", min_overlap=3).signature


def test_the_name_of_a_response_may_be_given():
    assert score(KEY, RESPONSE, name="baseline").name == "baseline"


def test_a_measure_of_ones_own_is_a_function_of_the_table():
    def mine(table):
        return muc.count(table)

    e = score(KEY, RESPONSE, metrics={"mine": mine})
    assert list(e) == ["mine"]
    assert e["mine"].f1 == 0.8
    assert "| mine* |" in e.signature  # not one of ours
    assert "| muc* |" in score(KEY, RESPONSE, metrics={"muc": METRICS["b_cubed"]}).signature
    assert "| muc |" in score(KEY, RESPONSE, metrics={"muc": METRICS["muc"]}).signature


@pytest.mark.parametrize(
    ("metrics", "names"),
    [
        ("lea", ["lea"]),
        ("muc, ceafe", ["muc", "ceaf_e"]),
        (METRICS["lea"], ["lea"]),
        (["b3", METRICS["lea"], METRICS["muc"].count], ["b_cubed", "lea", "muc"]),
        ({"mine": METRICS["muc"].count, "muc": "muc", "other": METRICS["lea"]}, ["mine", "muc", "other"]),
    ],
)
def test_metrics_are_names_records_and_functions_alone_and_together(metrics, names):
    scores = score(KEY, RESPONSE, metrics=metrics)
    assert list(scores) == names
    assert all(0 < scores[name].value < 1 for name in names)


def test_every_public_name_is_there():
    for name in referee.__all__:
        assert getattr(referee, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'unheard'"):
        _ = referee.unheard


# Policies.


def test_singletons_are_dropped_from_each_side_by_its_own_count():
    e = score([{"a", "b"}, {"c"}], [{"a", "b", "c"}, {"d"}], singletons="drop")
    assert (e["mentions"].recall, e["mentions"].precision) == (1, 2 / 3)
    assert "singletons:dropped" in e.signature


def test_what_is_undefined_is_what_one_says():
    lone = [{"a"}]
    assert math.isnan(score(lone, lone)["muc"].value)
    assert score(lone, lone, zero_division=0)["muc"].f1 == 0
    assert score(lone, lone, zero_division=1)["muc"].f1 == 1


def test_beta_weighs_recall():
    # F2 = 5 P R / (4 P + R), of 2/3 and 1.
    assert score(KEY, RESPONSE, beta=2)["muc"].value == pytest.approx(5 * (2 / 3) / (4 + 2 / 3))


def test_importance_by_type_weighs_entities_in_lea():
    text = "#begin document (d)\na\t(person-1)\nb\t(person-1)\nc\t(place-2)\nd\t(place-2)\n"
    response = text.replace("d\t(place-2)", "d\t-")
    e = score(source_of(text), source_of(response), metrics="lea", lea_importance={"person": 3, "place": 1})
    # Found: all of the person's links, none of the place's; in the response the place is a singleton that the key lacks.
    assert (e["lea"].recall, e["lea"].precision) == (3 / 4, 3 / 4)
    with pytest.raises(OptionError, match="no importance for entity type 'place'"):
        score(source_of(text), source_of(text), metrics="lea", lea_importance={"person": 3})


@pytest.mark.parametrize(
    ("key", "response", "words"),
    [
        ([], KEY, "^<key> has no mentions$"),
        (KEY, [], "^<response> has no mentions$"),
        ([], [], "^<key> has no mentions, and neither has <response>$"),
        ([{"a"}], [{"b"}], "^<key> and <response> have no mention in common: check their names$"),
        ([{(0, 1)}], [{(2, 3)}], "have no mention in common: check that both count spans from the same offset$"),
        (
            {"a": 1},
            {"b": 1},
            "^<key> and <response> have no record in common: found 'b'; expected 'a': check that both name the same records",
        ),
        (
            {"x": KEY, "y": KEY},
            {"x": KEY},
            "^1 of 2 documents of <key> are not in <response>: y; their mentions count as missed",
        ),
        ({"x": KEY}, {"x": KEY, "y": KEY}, "^1 of 2 documents of <response> are not in <key>: y; .* as spurious"),
    ],
)
def test_what_is_odd_is_said_once(key, response, words):
    with pytest.warns(RefereeWarning, match=words) as caught:
        score(key, response)
    assert len(caught) == 1


# What never changes a digit.


def jsonlines(corpus, draw=None):
    """The corpus as jsonlines: as it is, or with documents, clusters and mentions shuffled."""
    rows = []
    for name, document in corpus.documents.items():
        clusters = [[[m.start, m.end - 1] for m in entity.mentions] for entity in document.entities]
        if draw:
            for cluster in clusters:
                draw.shuffle(cluster)
            draw.shuffle(clusters)
        rows.append({"doc_key": name, "tokens": list(document.tokens), "clusters": clusters})
    if draw:
        draw.shuffle(rows)
    return "".join(json.dumps(row) + "\n" for row in rows)


@st.composite
def pairs(draw):
    """A key, and a response with the same documents and words and other mentions."""
    key = draw(corpora())
    builder = CorpusBuilder("response")
    for name, document in key.documents.items():
        builder.document(name, document.tokens, document.sentences)
        for mention in document.mentions:
            if draw(st.integers(0, 4)):
                builder.mention(mention.start, mention.end, str(draw(st.integers(0, 3))))
        for _ in range(draw(st.integers(0, 2)) if document.tokens else 0):
            start = draw(st.integers(0, len(document.tokens) - 1))
            builder.mention(start, draw(st.integers(start + 1, len(document.tokens))), str(draw(st.integers(0, 3))))
    return key, builder.corpus()


@given(pairs(), st.integers(0, 1 << 30), st.sampled_from(["first", "merge"]))
def test_the_order_of_documents_clusters_and_mentions_in_a_file_changes_no_digit(sides, seed, policy):
    if len(sides[0].doc_ids) < 1:
        return
    draw = random.Random(seed)
    plain = [source_of(jsonlines(side)) for side in sides]
    shuffled = [source_of(jsonlines(side, draw)) for side in sides]
    a, b = (
        quietly(lambda pair=pair: score(*pair, key_format="jsonlines", response_format="jsonlines", repeated_mentions=policy))
        for pair in (plain, shuffled)
    )
    assert same(digits(a), digits(b))
    for name in a.documents:
        one, other = a.document(name), b.document(name)
        assert same(one, other)


@given(pairs(), st.permutations(["7", "person-x", "0", "zz", "1", "éééé"]))
def test_what_entities_are_called_changes_no_digit(sides, names):
    def renamed(corpus):
        builder = CorpusBuilder("renamed")
        for name, document in corpus.documents.items():
            builder.document(name, document.tokens, document.sentences)
            for entity in reversed(document.entities):
                for mention in entity.mentions:
                    builder.mention(mention.start, mention.end, names[int(entity.id)])
        return builder.corpus()

    a, b = (quietly(lambda pair=pair: score(*pair)) for pair in (sides, [renamed(side) for side in sides]))
    assert same(digits(a), digits(b))


@given(pairs())
def test_a_file_and_the_corpus_in_memory_give_the_same_digits(sides):
    if sides[0].doc_ids:
        a = quietly(lambda: score(*sides))
        b = quietly(
            lambda: score(*(source_of(jsonlines(s)) for s in sides), key_format="jsonlines", response_format="jsonlines")
        )
        assert same(digits(a), digits(b))


@given(pairs())
def test_key_and_response_exchanged_exchange_recall_and_precision_of_whole_files(sides):
    key, response = sides
    a, b = quietly(lambda: score(key, response)), quietly(lambda: score(response, key))
    for metric in ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "blanc"):
        assert same((a[metric].recall, a[metric].precision), (b[metric].precision, b[metric].recall))


@given(pairs(), st.integers(1, 5))
def test_blocks_of_documents_change_no_digit(sides, block):
    whole, large = quietly(lambda: score(*sides, metrics="all")), pair.BLOCK
    try:
        pair.BLOCK = block
        parts = quietly(lambda: score(*sides, metrics="all"))
    finally:
        pair.BLOCK = large
    assert same(digits(whole), digits(parts))


def test_hundreds_of_shuffled_documents_give_the_same_digits():
    draw = random.Random(7)

    def side(seed):
        r = random.Random(seed)
        documents = {}
        for n in range(300):
            entities = {}
            for m in range(20):
                if r.random() < 0.9:
                    entities.setdefault(r.randrange(7), []).append(f"m{m}")
            documents[f"d{n}"] = list(entities.values())
        return documents

    key, response = side(1), side(2)
    expected = digits(score(key, response))
    for _ in range(3):
        shuffled = []
        for documents in (key, response):
            rows = list(documents.items())
            draw.shuffle(rows)
            shuffled.append(
                {name: draw.sample([draw.sample(e, len(e)) for e in entities], len(entities)) for name, entities in rows}
            )
        assert same(digits(score(*shuffled)), expected)


@pytest.mark.parametrize(
    "error",
    [
        FormatError("key.conll", 3, "x" * 400),
        MissingFileError("key.conll", None, "no such file"),
        MissingExtraError("Parquet", "parquet"),
    ],
)
def test_an_error_of_another_process_is_the_same(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
