import json

import pytest

from referee import inputs
from referee.basics.exceptions import FormatError
from tests.support.reading import entities_of, read_text, source_of

# With the keys in the order in which `allennlp predict` writes them.
OBAMA = {
    "top_spans": [[0, 0], [3, 4], [5, 5]],
    "antecedent_indices": [[0, 0], [0, 1], [1, 0]],
    "predicted_antecedents": [-1, 0, -1],
    "document": ["Obama", "travels", ".", "The", "man", "waves"],
    "clusters": [[[0, 0], [3, 4]]],
}


@pytest.mark.parametrize("text", [json.dumps(OBAMA) + "\n", json.dumps(OBAMA, indent=2), json.dumps([OBAMA])])
def test_ends_are_inclusive_and_candidates_are_no_mentions(text):
    assert inputs.detect(source_of(text)) == "allennlp"
    corpus = read_text(text)
    assert entities_of(corpus) == {"#1": {"0": [(0, 1), (3, 5)]}}
    assert [m.text for m in corpus.documents["#1"].mentions] == ["Obama", "The man"]


def test_it_is_told_by_the_candidates_where_the_document_comes_late():
    many = {**OBAMA, "antecedent_indices": [list(range(100)) for _ in range(300)]}
    assert inputs.detect(source_of(json.dumps(many))) == "allennlp"


def test_what_was_put_in_is_not_taken_for_what_comes_out():
    # the input of `allennlp predict`
    with pytest.raises(FormatError):
        read_text('{"document": "Obama travels."}')


def test_each_line_is_a_document():
    assert read_text(f"{json.dumps(OBAMA)}\n{json.dumps(OBAMA)}\n").doc_ids == ("#1", "#2")
