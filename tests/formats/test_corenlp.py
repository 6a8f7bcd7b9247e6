import json

import pytest

from referee import inputs, score
from referee.basics.exceptions import FormatError, RefereeError, RefereeWarning
from referee.corpus.columns import MENTION_TYPES
from referee.formats import corenlp
from tests.support.reading import entities_of, read_text, source_of
from tests.support.samples import file_text
from tests.support.warned import silenced


def mention(sentence, start, end, head, type_):
    """With the keys that JSONOutputter writes."""
    return {
        "id": 1, "text": "…", "type": type_, "number": "SINGULAR", "gender": "UNKNOWN", "animacy": "ANIMATE",
        "startIndex": start, "endIndex": end, "headIndex": head, "sentNum": sentence, "position": [sentence, 1],
        "isRepresentativeMention": False,
    }  # fmt: skip


def sentence(number, *words):
    tokens = [{"index": n, "word": word, "originalText": word, "before": "", "after": " "} for n, word in enumerate(words, 1)]
    return {"index": number, "parse": "(ROOT)", "tokens": tokens}


ANN = {
    "docId": "ann.txt",
    "sentences": [sentence(0, "My", "sister", "Ann", "(", "8", ")", "waved"), sentence(1, "She", "and", "her", "dog", "ran")],
    "corefs": {
        "2": [mention(1, 1, 4, 2, "PROPER"), mention(2, 1, 2, 1, "PRONOMINAL"), mention(2, 3, 4, 3, "PRONOMINAL")],
        "7": [mention(2, 1, 5, 1, "LIST")],
        "8": [mention(2, 3, 5, 4, "NOMINAL")],
    },
}

XML = file_text("corenlp.xml")


@pytest.mark.parametrize("text", [json.dumps(ANN), json.dumps(ANN, indent=2), json.dumps(ANN) + "\n"])
def test_json_counts_from_one_in_each_sentence(text):
    assert inputs.detect(source_of(text)) == "corenlp"
    corpus = read_text(text)
    assert entities_of(corpus) == {"ann.txt": {"2": [(0, 3), (7, 8), (9, 10)], "7": [(7, 11)], "8": [(9, 11)]}}
    assert list(corpus.documents["ann.txt"].sentences) == [0, 7]
    assert corpus.head is not None
    assert corpus.mention_types is not None
    rows = zip(*(column.tolist() for column in (corpus.start, corpus.end, corpus.head, corpus.mention_types)), strict=True)
    assert {(start, end): (head, MENTION_TYPES[class_]) for start, end, head, class_ in rows} == {
        (0, 3): (1, "name"),
        (7, 8): (7, "pronoun"),
        (7, 11): (7, "other"),
        (9, 10): (9, "pronoun"),
        (9, 11): (10, "nominal"),
    }


def test_xml_says_the_same_but_the_types():
    assert inputs.detect(source_of(XML)) == "corenlp"
    corpus = read_text(XML)
    assert entities_of(corpus) == {"ann.txt": {"0": [(0, 3), (7, 8), (9, 10)]}}
    assert corpus.head.tolist() == [1, 7, 9]
    assert corpus.mention_types is None
    assert list(corpus.documents["ann.txt"].tokens) == list(read_text(json.dumps(ANN)).documents["ann.txt"].tokens)


def test_a_long_file_is_recognised_before_its_chains_are_seen():
    long = {**ANN, "sentences": ANN["sentences"] * 400}
    long = {key: long[key] for key in ("docId", "sentences", "corefs")}
    assert inputs.detect(source_of(json.dumps(long, indent=2))) == "corenlp"


def test_brackets_are_read_as_they_are_in_the_text():
    token = {"index": 1, "word": "-LRB-", "originalText": "("}
    words = {"sentences": [{"index": 0, "tokens": [token, {"index": 2, "word": "-LRB-", "originalText": ""}]}], "corefs": {}}
    assert list(read_text(json.dumps(words)).documents["#1"].tokens) == ["(", "-LRB-"]


def damaged(**changes):
    return json.dumps({**ANN, "docId": "d", **changes})


def test_xml_without_the_coreference_section_is_a_fault():
    text = XML[: XML.index("    <coreference>")] + "  </document></root>"
    with pytest.raises(FormatError, match=r"found no <coreference>; .* run CoreNLP with the annotator coref"):
        read_text(text)


@pytest.mark.parametrize("alone", [ANN["corefs"], {"corefs": ANN["corefs"]}, {"docId": "ann.txt", "corefs": ANN["corefs"]}])
def test_chains_alone_are_items_called_by_their_places_with_a_warning(alone):
    text = json.dumps(alone)
    with pytest.warns(RefereeWarning, match="x: found 1 document without `sentences`: mentions are places, not spans"):
        corpus = read_text(text, "corenlp")
    (entities,) = entities_of(corpus).values()
    assert entities == {"2": ["1:1-4", "2:1-2", "2:3-4"], "7": ["2:1-5"], "8": ["2:3-5"]}
    assert corpus.doc_ids == ("ann.txt" if "docId" in alone else "#1",)


def test_chains_alone_are_recognised_and_scored_against_others_but_not_against_texts():
    text = json.dumps(ANN["corefs"])
    assert inputs.detect(source_of(text)) == "corenlp"
    with silenced():
        assert score(source_of(text), source_of(text), metrics=["muc"])["muc"].value == 1
        with pytest.raises(FormatError, match="has no sentences, so its mentions have no place in a text; expected CoreNLP's"):
            score(source_of(json.dumps(ANN | {"docId": "#1"})), source_of(text))
        with pytest.raises(RefereeError, match="expected the same kind"):
            score(source_of(text), source_of(json.dumps(ANN | {"docId": "#1"})))


@pytest.mark.parametrize("place", [(0, 1, 2), (1, 0, 2), (1, 2, 2), (1, 3, 2)])
def test_chains_alone_have_places_that_can_be(place):
    text = json.dumps({"1": [mention(*place, 1, "PROPER")]})
    with pytest.raises(FormatError, match="expected 1 <= sentence, 1 <= start < end"):
        read_text(text, "corenlp")


@pytest.mark.parametrize("text", ['{"a": [{"text": "x"}]}', '{"a": [["sentNum", 1]]}', '[{"a": 1}]', '{"sentNum": [{}]}'])
def test_other_objects_are_no_chains(text):
    assert not corenlp.sniff(text)
