import json

import pytest

from referee import inputs
from tests.support.reading import entities_of, read_text, source_of

# The example of maverick's README, with the tokens up to the last mention; json.dumps makes lists of its tuples.
ROME = {
    "tokens": [
        "Barack",
        "Obama",
        "is",
        "traveling",
        "to",
        "Rome",
        ".",
        "The",
        "city",
        "is",
        "sunny",
        "and",
        "the",
        "president",
        "plans",
        "to",
        "visit",
        "its",
    ],
    "clusters_token_offsets": [[(5, 5), (7, 8), (17, 17)], [(0, 1), (12, 13)]],
    "clusters_char_offsets": None,
    "clusters_token_text": [["Rome", "The city", "its"], ["Barack Obama", "the president"]],
    "clusters_char_text": None,
}


@pytest.mark.parametrize(
    "text", [json.dumps(ROME) + "\n", json.dumps(ROME, indent=2), json.dumps([ROME]), json.dumps([ROME], indent=1)]
)
def test_ends_are_inclusive_however_the_json_is_laid_out(text):
    assert inputs.detect(source_of(text)) == "maverick"
    corpus = read_text(text)
    assert entities_of(corpus) == {"#1": {"0": [(5, 6), (7, 9), (17, 18)], "1": [(0, 2), (12, 14)]}}
    assert [[m.text for m in entity.mentions] for entity in corpus.documents["#1"].entities] == [
        ["Barack Obama", "the president"],
        ["Rome", "The city", "its"],
    ]


def test_one_a_line_is_one_a_document_and_a_name_is_read_if_there_is_one():
    text = f"{json.dumps(ROME)}\n\n{json.dumps({'doc_key': 'rome', **ROME})}\n"
    assert read_text(text).doc_ids == ("#1", "rome")
