"""What the page is given, against the definitions."""

import base64
import gzip
import hashlib
import html
import json
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from referee import inspect, read, score
from referee.basics.exceptions import FormatError, OptionError
from referee.corpus.builder import CorpusBuilder
from referee.error_analysis.costs import Costs
from referee.pages.inspector.inspection import Inspection
from referee.pages.inspector.packing import Piece, gzipped
from referee.pages.inspector.response import ScoredResponse
from tests.support.examples import examples
from tests.support.partitions import corpora
from tests.support.paths import EXAMPLES


def named(documents, side):
    return {f"d{n}": [[f"m{m}" for m in sorted(e)] for e in document[side]] for n, document in enumerate(documents)}


def records(inspection):
    """The data of a page as the browser unpacks them."""
    found = re.findall(r'<script type="text/plain" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>', inspection.html())
    unpacked = {name: json.loads(gzip.decompress(base64.b64decode(data))) for name, data in found}
    overview = unpacked.pop("overview")
    return overview, [document for name, documents in unpacked.items() if "documents-" in name for document in documents]


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@given(documents=corpora().filter(bool))
def test_entities_and_what_they_share_are_those_of_the_sets(documents):
    overview, found = records(inspect(named(documents, 0), named(documents, 1)))
    assert overview["documents"] == [f"d{n}" for n in range(len(documents))]
    for document, record in zip(documents, found, strict=True):
        sides = []
        for side in (record["key"], record["responses"][0]["annotation"]):
            entities = [set() for _ in side["size"]]
            for start, entity in zip(side["start"], side["entity"], strict=True):
                entities[entity].add(int(record["tokens"][start][1:]))
            assert [len(e) for e in entities] == side["size"]
            sides.append(entities)
        for entities, expected in zip(sides, document, strict=True):
            assert sorted(map(sorted, entities)) == sorted(map(sorted, expected))
        cells = {(k, r): n for k, r, n in zip(*record["responses"][0]["shared"], strict=True)}
        assert cells == {(k, r): len(a & b) for k, a in enumerate(sides[0]) for r, b in enumerate(sides[1]) if a & b}
        tokens = record["tokens"]
        assert tokens == sorted(set(tokens), key=lambda name: int(name[1:]))  # m2 before m10


def test_documents_stand_together_under_the_number_of_the_first(monkeypatch):
    monkeypatch.setattr("referee.pages.inspector.page.TOGETHER", 3000)
    sides = {f"d{n}": [[f"m{n}", "x" * (n % 5) * 100]] for n in range(20)}
    for inspection in (inspect(sides, sides), inspect(sides)):
        found = re.findall(r'id="documents-([0-9]+)">([^<]*)<', inspection.html())
        lists = {int(first): json.loads(gzip.decompress(base64.b64decode(data))) for first, data in found}
        assert 1 < len(lists) < 20
        number = 0
        for first, documents in lists.items():
            assert first == number
            assert all(f"m{n}" in document["tokens"] for n, document in enumerate(documents, first))
            number += len(documents)
        assert number == 20


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@given(documents=corpora())
def test_shares_of_entities_add_up_to_the_score(documents):
    # B³ recall is the mean over mentions of what the page shows for each entity: Σ shared² / size².
    e = score(named(documents, 0), named(documents, 1), metrics=["b_cubed", "overlap"])
    overview, found = records(Inspection((e,)))
    shares = Fraction(0)
    for record in found:
        size = record["key"]["size"]
        shares += sum(
            (Fraction(n * n, size[k]) for k, _, n in zip(*record["responses"][0]["shared"], strict=True)), Fraction(0)
        )
    mentions = sum(len(record["key"]["start"]) for record in found)
    if mentions:
        assert e["b_cubed"].recall == pytest.approx(float(shares / mentions), abs=1e-12)
    sizes = overview["responses"][0]["sizes"]
    if sum(sizes["key"]):
        assert e["overlap"].value == pytest.approx(sum(sizes["shared"]) / sum(sizes["key"]), abs=1e-12)
    assert sum(sizes["key"]) == sum(sizes["response"])  # both are extended to one set of mentions


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@examples(0.5)
@given(documents=corpora(same_mentions=True), others=corpora(same_mentions=True))
def test_what_the_second_response_fixes_and_breaks(documents, others):
    # Entities are whole when the response has the very same set.
    key, first = named(documents, 0), named(documents, 1)
    second = {name: (named(others, 1) | first)[name] for name in first}
    overview, _ = records(inspect(key, first, second))
    for n, name in enumerate(key):
        whole = [{frozenset(e) for e in key[name]} & {frozenset(e) for e in response[name]} for response in (first, second)]
        assert overview["changes"][0]["fixed_entities"][n] == len(whole[1] - whole[0])
        assert overview["changes"][0]["broken_entities"][n] == len(whole[0] - whole[1])


def test_mentions_with_a_span_error_have_cells_of_their_own():
    # Of K1, (0, 3) was found as it is, (5, 8) and (10, 13) with a token less, in one entity, (20, 22) not at all.
    key = [[(0, 3), (5, 8), (10, 13), (20, 22)], [(30, 31)]]
    response = [[(0, 3)], [(5, 7), (11, 13)], [(30, 31)]]
    _, (record,) = records(inspect(key, response))
    (response,) = record["responses"]
    assert response["shared"] == [[0, 1], [0, 2], [1, 1]]
    assert response["shared_span_errors"] == [[0], [1], [2]]


def test_the_errors_of_an_entity_include_what_is_spurious_in_it():
    # B³ of the response: recall 1, precision (2/4 + 2/4 + 0 + 0 + 1 + 1)/6 = 1/2, F1 2/3. Without x and y it is 1.
    key, response = [["a", "b"], ["c", "d"]], [["a", "b", "x", "y"], ["c", "d"]]
    _, (record,) = records(inspect(key, response, metrics=["b_cubed"]))
    assert record["responses"][0]["key_costs"]["b_cubed"] == [33_333_333]
    assert record["responses"][0]["response_costs"]["b_cubed"] == [33_333_333]


def test_what_one_error_costs_is_not_said_again_of_its_entity(monkeypatch):
    # Precision (2/3 + 2/3 + 0 + 1 + 1)/5 = 2/3, F1 4/5.
    key, response = [["a", "b"], ["c", "d"]], [["a", "b", "x"], ["c", "d"]]
    _, (record,) = records(inspect(key, response, metrics=["b_cubed"]))
    (of_response,) = record["responses"]
    assert of_response["errors"]["costs"]["b_cubed"] == [20_000_000]
    assert of_response["key_costs"]["b_cubed"] == of_response["response_costs"]["b_cubed"] == []
    # If errors have no costs, entities do.
    monkeypatch.setattr(ScoredResponse, "error_costs", Costs({}, {}))
    _, (record,) = records(inspect(key, response, metrics=["b_cubed"]))
    (of_response,) = record["responses"]
    assert of_response["key_costs"]["b_cubed"] == of_response["response_costs"]["b_cubed"] == [20_000_000]


def test_scores_are_those_of_the_evaluation():
    inspection = inspect(EXAMPLES / "key.conll", EXAMPLES / "response.conll")
    (e,) = inspection.evaluations
    overview, found = records(inspection)
    for metric in e:
        expected = e[metric]
        shown = overview["responses"][0]["scores"][metric]
        for value, wanted in zip(shown, (expected.recall, expected.precision, expected.value), strict=True):
            assert (value is None and (wanted is None or np.isnan(wanted))) or value == pytest.approx(wanted, abs=1e-6)
    of_response = overview["responses"][0]
    assert of_response["by_document"]["conll"] == pytest.approx(e.by_document["conll"].value.tolist(), abs=1e-6)
    for name, record in zip(overview["documents"], found, strict=True):
        scores = (e.document(name)[metric] for metric in of_response["sides"])
        expected = [side for score in scores for side in (score.recall, score.precision)]
        assert record["responses"][0]["sides"] == [None if np.isnan(side) else side for side in expected]


def test_words_stand_where_the_other_tokenisation_has_them():
    key = EXAMPLES / "key.conll"
    with pytest.warns(UserWarning, match="aligned by characters"):
        inspection = inspect(key, halved(key), tokens="align")
    _, found = records(inspection)
    for record in found:
        key_side, side = record["key"], record["responses"][0]["annotation"]
        spans = [sorted(zip(s["start"], s["end"], strict=True)) for s in (side, key_side)]
        assert spans[0] == spans[1]
        assert side["texts"]


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@pytest.mark.parametrize("options", [{"profile": "conll-8.01"}, {"tokens": "ignore"}, {"tokens": "warn"}])
def test_what_is_scored_without_its_words_is_shown_however_they_are_encoded(tmp_path, options):
    response = tmp_path / "latin-1.conll"
    response.write_bytes((EXAMPLES / "response.conll").read_bytes().replace(b"\tbrother\t", b"\tbr\xf6ther\t"))
    _, found = records(inspect(EXAMPLES / "key.conll", response, **options))
    assert "Her br\ufffdther Tom" in found[0]["responses"][0]["annotation"]["texts"]
    _, found = records(inspect(response, EXAMPLES / "key.conll", **options))
    assert "br\ufffdther" in found[0]["tokens"]
    with pytest.raises(FormatError, match="found the byte 0xf6; expected UTF-8"):
        inspect(EXAMPLES / "key.conll", response)


def halved(path):
    """The same annotation over words cut in two."""
    corpus, builder = read(path), CorpusBuilder("split")
    for d, name in enumerate(corpus.doc_ids):
        words, sentences, *_ = corpus.text.words[d]
        halves = [[word[:1], word[1:]] if len(word) > 1 else [word] for word in words]
        offset = np.cumsum([0, *map(len, halves)])
        builder.document(name, [half for pair in halves for half in pair], offset[list(sentences)].tolist())
        for m in np.flatnonzero(corpus.document == d).tolist():
            builder.mention(int(offset[corpus.start[m]]), int(offset[corpus.end[m]]), corpus.entity_ids[corpus.entity[m]])
    return builder.corpus()


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
def test_the_pane_has_the_empty_nodes_of_both_sides():
    def side(nodes, mention):
        builder, words = CorpusBuilder(), ["a", "b", "c"]
        for node in nodes:
            words.insert(node, f"node {node}")
        builder.document("d", words, [0])
        for node in nodes:
            builder.empty_node(node, 1, 0)
        builder.mention(*mention, "e")
        builder.mention(nodes[-1], nodes[-1] + 1, "e")
        return builder.corpus()

    # Key: a 1 b c, response: a b 2 c. Each has "b c" and its own node as mentions.
    _, (record,) = records(inspect(side([1], (2, 4)), side([2], (1, 4)), zeros="linear"))
    assert record["tokens"] == ["a", "node 1", "b", "node 2", "c"]
    key, response = record["key"], record["responses"][0]["annotation"]
    assert set(zip(key["start"], key["end"], key["texts"], strict=True)) == {(2, 5, "b c"), (1, 2, "node 1")}
    assert set(zip(response["start"], response["end"], response["texts"], strict=True)) == {
        (2, 5, "b node 2 c"),
        (3, 4, "node 2"),
    }


def test_the_policy_names_the_script_and_the_style_of_the_page():
    page = inspect([["a", "b"]], [["a"]]).html()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    script = re.search(r'<script type="module">(.*?)</script>', page, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    for kind, text in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert not re.search(r"\son[a-z]+=|\sstyle=|javascript:", page.replace(script, ""))


def test_the_same_input_makes_the_same_page():
    pages = [inspect(EXAMPLES / "key.conll", EXAMPLES / "response.conll").html() for _ in range(2)]
    assert pages[0] == pages[1]


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
def test_zeros_are_shown_as_such():
    # "_ said _": an underscore of the text, and a zero; the other tokenisation has its own texts.
    def side(words):
        builder = CorpusBuilder()
        builder.document("d", words, [0])
        builder.empty_node(len(words) - 1, 1, 0)
        builder.mention(len(words) - 1, len(words), "e")
        builder.mention(0, 1, "e")
        return builder.corpus()

    _, (record,) = records(inspect(side(["_", "said", "_"]), side(["_", "sa", "id", "_"]), tokens="align"))
    assert record["tokens"] == ["_", "said", "∅"]
    assert record["responses"][0]["annotation"]["texts"] == ["_", "∅"]


def test_three_responses_are_each_compared_with_the_first():
    key, worse = [{"a", "b"}, {"c", "d"}], [{"a", "c"}, {"b", "d"}]
    overview, _ = records(inspect(key, worse, key, worse, names=["A", "B", "C"]))
    assert [response["name"] for response in overview["responses"]] == ["A", "B", "C"]
    assert [changes["fixed_entities"] for changes in overview["changes"]] == [[2], [0]]


def test_names_are_as_many_as_responses():
    with pytest.raises(OptionError, match="found 1 name for 2 responses"):
        inspect([{"a"}], [{"a"}], [{"a"}], names=["A"])


def test_equal_texts_are_compressed_alike_by_every_python():
    """The header is ours, as that of `gzip.compress` changed between versions."""
    packed = gzipped([Piece(b"[1,"), Piece(b"2]")])
    assert packed[:10] == bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    assert gzip.decompress(packed) == b"[1,2]"
