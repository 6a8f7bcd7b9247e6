import json
from operator import attrgetter

import pytest
from hypothesis import given

from referee import inputs, score
from referee.basics.exceptions import FormatError, RefereeWarning, UnknownNameError
from referee.corpus.builder import CorpusBuilder
from tests.support.paths import SHARED
from tests.support.reading import entities_of, faults_of, read_again, read_text, sentences_of, source_of, written
from tests.support.strategies import corpora, item_corpora
from tests.support.warned import recorded

FIELD = SHARED / "field/formats"

# Joshi's and Lee's files, shortened: `obama`, with ends that are inclusive.
OBAMA = {
    "doc_key": "nw/wsj/01/wsj_0174_0",
    "sentences": [["Barack", "Obama", "travels", "."], ["He", "and", "his", "dog"]],
    "speakers": [["-"] * 4, ["-"] * 4],
    "clusters": [[[0, 1], [4, 4], [6, 6]], [[6, 7]]],
}


def lines(*documents):
    return "".join(json.dumps(document) + "\n" for document in documents)


@given(corpora())
def test_what_is_written_reads_the_same(corpus):
    assert read_again(corpus, "jsonlines") == corpus


@given(corpora(typed=True))
def test_types_survive(corpus):
    again = read_again(corpus, "jsonlines")
    assert (again.entity_types and list(again.entity_types)) == (corpus.entity_types and list(corpus.entity_types))


def test_ends_are_inclusive_in_the_file_and_exclusive_in_the_corpus():
    corpus = read_text(lines(OBAMA))
    assert entities_of(corpus) == {OBAMA["doc_key"]: {"0": [(0, 2), (4, 5), (6, 7)], "1": [(6, 8)]}}
    document = corpus.documents["nw/wsj/01/wsj_0174_0"]
    assert list(document.sentences) == [0, 4]
    assert [m.text for m in document.entities[1].mentions] == ["his dog"]


def test_it_is_told_from_plain_clusters():
    assert inputs.detect(source_of(lines(OBAMA))) == "jsonlines"
    assert inputs.detect(source_of(json.dumps([OBAMA], indent=1))) == "jsonlines"
    assert inputs.detect(source_of('{"type":"clusters","clusters":{"0":["0.0-0","0.1-1"]}}')) == "clusters"


@pytest.mark.parametrize(
    "text", [json.dumps(OBAMA), json.dumps(OBAMA, indent=2), json.dumps([OBAMA]), json.dumps([OBAMA], indent=2)]
)
def test_one_document_over_many_lines_and_a_list_of_documents_are_read(text):
    assert read_text(text + "\n") == read_text(lines(OBAMA))


BOTH = lines({"tokens": ["a", "b"], "clusters": [[[0, 0]]], "predicted_clusters": [[[1, 1]]]})
WITH_SENT_ID = {
    "document_id": "bc/cctv_0",
    "cased_words": ["Ann", "saw", "her", "dog", "It", "barked"],
    "sent_id": [0, 0, 0, 0, 1, 1],
    "span_clusters": [[[0, 1], [2, 3]], [[2, 4], [4, 5]]],
}
# As minimize.py makes it: [CLS] Oba ##ma waves [SEP]
PIECES = {
    "sentences": [["[CLS]", "Oba", "##ma", "waves", "[SEP]"]],
    "subtoken_map": [0, 0, 0, 1, 1],
    "clusters": [[[1, 2], [3, 3]]],
}
BOOK = {
    "doc_key": "emma",
    "sentences": [["Emma", "knew", "Emma"]],
    "characters": [{"name": "Emma", "cluster": [[0, 0]]}, {"name": "Emma", "cluster": [[2, 2]]}],
}
UNNAMED = lines({"tokens": ["a"], "clusters": []}, {"tokens": [], "clusters": []})
VIEWS = {
    **{
        f"{key} is the name": (lines({key: "d", "tokens": ["a"], "clusters": []}), "key", attrgetter("doc_ids"), ("d",))
        for key in ("doc_key", "doc_id", "document_id", "id")
    },
    "documents without a name get their numbers": (UNNAMED, "key", attrgetter("doc_ids"), ("#1", "#2")),
    "a key is read from clusters": (BOTH, "key", entities_of, {"#1": {"0": [(0, 1)]}}),
    "a response is read from predicted_clusters": (BOTH, "response", entities_of, {"#1": {"0": [(1, 2)]}}),
    "wl-coref has exclusive ends": (
        lines(WITH_SENT_ID), "key", entities_of, {"bc/cctv_0": {"0": [(0, 1), (2, 3)], "1": [(2, 4), (4, 5)]}},
    ),
    "wl-coref has the sentence of each word": (lines(WITH_SENT_ID), "key", sentences_of, [0, 4]),
    "word pieces are mapped to words": (lines(PIECES), "key", entities_of, {"#1": {"0": [(0, 1), (1, 2)]}}),
    "words of pieces are not known": (lines(PIECES), "key", attrgetter("text"), None),
    "BookCoref names its characters": (
        lines(BOOK), "key", entities_of, {"emma": {"Emma": [(0, 1)], "Emma#1": [(2, 3)]}},
    ),
    "without words spans are read unchecked": (
        lines({"doc_key": "d", "clusters": [[[5, 9]]]}), "key", lambda c: (entities_of(c), c.text),
        ({"d": {"0": [(5, 10)]}}, None),
    ),
    "a mention listed twice is two": (
        lines({"tokens": ["a"], "clusters": [[[0, 0], [0, 0]], [[0, 0]]]}), "key", lambda c: c.entity.tolist(), [0, 0, 1],
    ),
    "empty sentences leave no trace": (
        lines({"sentences": [[], ["a"], [], ["b"], []], "clusters": []}), "key", sentences_of, [0, 1],
    ),
    **{
        f"{key} alone of a {role}": (lines({"tokens": ["a"], key: [[[0, 0]]]}), role, entities_of, {"#1": {"0": [(0, 1)]}})
        for key in ("clusters", "predicted_clusters") for role in ("key", "response")
    },
}  # fmt: skip


@pytest.mark.parametrize(("text", "role", "view", "expected"), VIEWS.values(), ids=VIEWS)
def test_what_is_read(text, role, view, expected):
    assert view(read_text(text, role=role)) == expected


@pytest.mark.parametrize("text", ["", "\n\n", "[]"])
def test_no_documents_make_an_empty_corpus(text):
    assert read_text(text, "jsonlines").doc_ids == ()
    assert faults_of(text, "jsonlines") == []


GOOD = json.dumps(OBAMA)


def test_validation_lists_all_faults():
    bad = {"doc_key": "d", "tokens": ["a"], "clusters": [[[0, 7]], [[0, 8]]]}
    assert [fault[:4] for fault in faults_of(f"{{]\n{lines(bad)}{lines(bad)}", "jsonlines")] == ["x:1:", "x:2:", "x:2:", "x:3:"]


def test_a_fault_in_one_document_over_many_lines_names_its_line():
    with pytest.raises(FormatError, match=r"^x:3: is not JSON: "):
        read_text('{\n "tokens": ["a"],\n "clusters": [}\n', "jsonlines")


def test_a_corpus_without_words_is_not_written():
    builder = CorpusBuilder("c")
    builder.document("d")
    with pytest.raises(FormatError, match=r"^c: has no words, which jsonlines needs"):
        written(builder.corpus(), "jsonlines")


@given(item_corpora(empty=False))
def test_named_items_are_not_written(corpus):
    if corpus.doc_ids:
        with pytest.raises(FormatError, match="are items, not spans"):
            written(corpus, "jsonlines")


# wl-coref's files, as its convert_to_jsonlines.py lays them out, and a document of LingMess with as many keys.
WL = {
    "document_id": "bc/x",
    "cased_words": ["Ann", "Lee", "sang", "She", "sat"],
    "sent_id": [0, 0, 0, 1, 1],
    "part_id": 0,
    "speaker": ["-"] * 5,
    "head": [1, 2, None, 4, None],
    "clusters": [[[0, 2], [3, 4]]],
}
LINGMESS = {"doc_key": "x", "cased_words": ["Ann", "She"], "sentences": [["Ann", "She"]], "clusters": [[[0, 0], [1, 1]]]}


def test_ends_are_exclusive_in_the_clusters_of_wl_coref_and_inclusive_where_there_are_sentences():
    assert entities_of(read_text(lines(WL))) == {"bc/x": {"0": [(0, 2), (3, 4)]}}
    heads = {key: value for key, value in WL.items() if key != "clusters"} | {"span_clusters": WL["clusters"]}
    assert read_text(lines(heads)) == read_text(lines(WL))
    assert entities_of(read_text(lines(LINGMESS))) == {"x": {"0": [(0, 1), (1, 2)]}}
    with pytest.raises(FormatError, match="0 <= start < end <= 5, or inclusive ends: give --format jsonlines:inclusive"):
        read_text(lines(WL | {"clusters": [[[0, 1], [3, 3]]]}))
    assert entities_of(read_text(lines(WL | {"clusters": [[[0, 1], [3, 3]]]}), "jsonlines:inclusive")) == {
        "bc/x": {"0": [(0, 2), (3, 4)]}
    }


def test_parts_of_one_document_of_wl_coref_have_their_numbers():
    assert read_text(lines(WL, WL | {"part_id": 1})).doc_ids == ("bc/x_0", "bc/x_1")
    assert read_text(lines(WL, WL | {"document_id": "y", "part_id": 1})).doc_ids == ("bc/x", "y")
    assert len(faults_of(lines(WL, WL), "jsonlines")) == 1


def test_the_variant_says_whether_ends_are_exclusive():
    text = lines({"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 1], [1, 2]]], "entity_types": ["x"]})
    assert entities_of(read_text(text, "jsonlines:exclusive")) == {"d": {"0": [(0, 1), (1, 2)]}}
    assert len(faults_of(text, "jsonlines:inclusive")) == 1
    assert entities_of(read_text(lines(OBAMA), "jsonlines:inclusive")) == entities_of(read_text(lines(OBAMA)))
    with pytest.raises(UnknownNameError, match="did you mean exclusive"):
        read_text(text, "jsonlines:exclusiv")


@pytest.mark.parametrize("number", [49, 50])
@pytest.mark.parametrize("one", [False, True])
def test_many_mentions_and_none_of_one_word_are_warned_of(number, one):
    spans = [[2 * n, 2 * n + 1] for n in range(number - one)] + [[0, 0]] * one
    text = lines({"sentences": [["w"] * 100], "clusters": [spans]})
    with recorded() as caught:
        read_text(text)
        read_text(text, "jsonlines:inclusive")
    found = "x: found 50 mentions and none of one word, which is not usual where ends are inclusive: give --format"
    assert [str(warning.message).startswith(found) for warning in caught] == [True] * (number == 50 and not one)


def test_other_annotation_beside_the_clusters_is_counted():
    text = lines(OBAMA | {"singletons": [[0, 0], [1, 1]], "bridging": [[[0, 0], [1, 1]]], "speakers": []})
    with pytest.warns(RefereeWarning, match=r"^x: left out 3 entries beside the clusters \(singletons, bridging\)"):
        assert read_text(text) == read_text(lines(OBAMA))


@pytest.mark.skipif(not FIELD.is_dir(), reason="needs ../shared/field")
def test_files_from_the_field():
    gold, heads = (FIELD / f"wl-coref-clusters/{name}.jsonlines" for name in ("gold", "heads"))
    assert score(gold, heads)["muc"].f1 == 1
    with recorded() as caught:
        assert not inputs.validate(FIELD / "exclusive-ends/inclusive.jsonlines")
        assert not caught
        assert not inputs.validate(FIELD / "exclusive-ends/exclusive.jsonlines")
        assert len(caught) == 1
    inclusive, exclusive = (FIELD / f"exclusive-ends/{name}.jsonlines" for name in ("inclusive", "exclusive"))
    assert score(inclusive, exclusive, response_format="jsonlines:exclusive")["conll"].value == 1


# A document with two clusterings beside one with one.

PREDICTED_IN_SOME = {
    "jsonlines": ({"sentences": [["Ann", "saw", "her"]]}, "clusters", [[[0, 0], [2, 2]]]),
    "maverick": ({"tokens": ["Ann", "saw", "her"]}, "clusters_token_offsets", [[[0, 0], [2, 2]]]),
    "allennlp": ({"document": ["Ann", "saw", "her"]}, "clusters", [[[0, 0], [2, 2]]]),
    "fastcoref": ({"text": "Ann saw her"}, "clusters", [[[0, 3], [8, 11]]]),
    "preco": ({"sentences": [["Ann", "saw", "her"]]}, "mention_clusters", [[[0, 0, 1], [0, 2, 3]]]),
}


@pytest.mark.parametrize("format", PREDICTED_IN_SOME)
def test_a_response_without_predictions_never_gets_the_entities_of_the_key(format):
    words, key, clusters = PREDICTED_IN_SOME[format]
    whole = {**words, key: clusters, "predicted_clusters": []}
    for lacks in ({**words, key: clusters}, {**words, key: clusters, "predicted_clusters": None}):
        for documents, line in (((whole, lacks), 2), ((lacks, whole), 1), ((whole, whole, lacks), 3)):
            text = lines(*({"id": str(n)} | document for n, document in enumerate(documents)))
            assert inputs.detect(source_of(text)) == format
            with pytest.raises(FormatError, match=rf"^x:{line}: .*: found no `predicted_clusters`, which other documents"):
                read_text(text, role="response")
            assert all(len(entities) == 1 for entities in entities_of(read_text(text)).values())
    assert not len(read_text(lines(whole, whole), role="response").document)
    assert len(read_text(lines(lacks, lacks), role="response").document) == 4


def test_a_key_without_clusters_never_gets_those_of_the_system():
    text = lines({"tokens": ["a"], "clusters": []}, {"tokens": ["b"], "predicted_clusters": [[[0, 0]]]})
    with pytest.raises(FormatError, match=r"^x:2: found no `clusters`, which other .*; expected them"):
        read_text(text)


def test_rows_without_predictions_are_refused_as_lines_are():
    rows = [
        {"doc_key": "a", "tokens": ["Ann"], "clusters": [[[0, 0]]], "predicted_clusters": []},
        {"doc_key": "b", "tokens": ["Bob"], "clusters": [[[0, 0]]]},
    ]
    with pytest.raises(FormatError, match=":2: document 'b': found no `predicted_clusters`"):
        score(rows, rows)
