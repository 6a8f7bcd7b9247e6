import json

import pytest

from referee import inputs
from referee.basics.exceptions import FormatError
from tests.support.reading import entities_of, faults_of, read_text, source_of

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


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("[7]", "found 7; expected an object with `document` and `clusters`"),
        ('{"document": "a b", "clusters": []}', '`document` is "a b"; expected a list of words'),
        ('{"document": ["a"]}', "found no `clusters`"),
        ('{"document": ["a"], "clusters": [[[0, 1]]]}', r"found the span \[0, 1\]; .*0 <= start <= end < 1"),
        ('{"document": ["a"], "clusters": [[0, 0]]}', "found the span 0; expected two token offsets"),
    ],
)
def test_a_fault_names_line_and_problem(bad, problem):
    text = f"{json.dumps(OBAMA)}\n{bad}\n"
    with pytest.raises(FormatError, match=f"^x:2: .*{problem}"):
        read_text(text, "allennlp")
    assert faults_of(text, "allennlp")
