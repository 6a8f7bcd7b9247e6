import json

import pytest
from hypothesis import given

from referee import inputs
from tests.support.reading import entities_of, faults_of, links_of, read_again, read_text, source_of, written
from tests.support.strategies import corpora, item_corpora


@given(corpora(text=False))
def test_spans_written_read_the_same(corpus):
    assert read_again(corpus, "clusters") == corpus


@given(item_corpora())
def test_items_written_read_the_same(corpus):
    again = read_again(corpus, "clusters")
    assert again == corpus
    assert list(again.entity_ids) == list(corpus.entity_ids)


# The first two are the examples of scorch's documentation, the third is S2AND's clusters.json.
@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ('{"type":"clusters","clusters":{"0":["0.0-0","0.1-1"]}}', {"0": ["0.0-0", "0.1-1"]}),
        ('{"type":"graph","mentions":["a","b","c"],"links":[["a","b"]]}', {"0": ["a", "b"], "2": ["c"]}),
        ('[["a", "b"], ["c"]]', {"0": ["a", "b"], "1": ["c"]}),
        ("[[1, 2], [3.5]]", {"0": ["1", "2"], "1": ["3.5"]}),
        ("[[[0, 1], [2, 4]], [[2, 3]]]", {"0": [(0, 1), (2, 4)], "1": [(2, 3)]}),
        ('{"clusters": [[[0, 1]]]}', {"0": [(0, 1)]}),
        ('{"links": [["a", "b"], ["b", "c"]]}', {"0": ["a", "b", "c"]}),
        ('{"links": [[[0, 1], [4, 6]]]}', {"0": [(0, 1), (4, 6)]}),
        ("[]", {}),
        ("[[]]", {}),
        ('{"clusters": {}}', {}),
        ('[["a"]]', {"0": ["a"]}),
    ],
)
def test_each_form_is_told_and_read(text, entities):
    assert inputs.detect(source_of(text)) == "clusters"
    assert entities_of(read_text(text)) == {"#1": entities}


def test_many_documents_each_in_its_own_form():
    text = '{"documents": {"d1": [["a"]], "d2": {"links": [["a", "b"]]}, "d3": []}}'
    assert entities_of(read_text(text)) == {"d1": {"0": ["a"]}, "d2": {"0": ["a", "b"]}, "d3": {}}


def test_links_are_kept_as_listed():
    corpus = read_text('{"mentions": ["b", "a", "c"], "links": [["c", "a"], ["a", "b"], ["c", "a"]]}')
    assert links_of(corpus) == [("c", "a"), ("a", "b"), ("c", "a")]


def test_a_mention_listed_twice_is_two_mentions():
    assert read_text('[["a", "a"], ["a"]]').entity.tolist() == [0, 0, 1]
    assert entities_of(read_text('{"mentions": ["a", "a"], "links": []}')) == {"#1": {"0": ["a", "a"]}}


@pytest.mark.parametrize("text", ["", " \n", '{"documents": {}}'])
def test_no_documents_make_an_empty_corpus(text):
    assert read_text(text, "clusters").doc_ids == ()


def test_a_single_document_without_a_name_is_written_plainly():
    assert json.loads(written(read_text('[["a", "b"]]'), "clusters")) == {"type": "clusters", "clusters": {"0": ["a", "b"]}}


def test_validation_lists_all_faults():
    assert len(faults_of('[["a", [0, 1]], 7, [true, null]]', "clusters")) == 4


def test_the_longest_mention_that_can_be_is_read_in_order():
    corpus = read_text("[[[0, 2147483647], [2, 4]], [[0, 3], [0, 1]]]")
    assert list(zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)) == [(0, 1), (0, 2147483647), (0, 3), (2, 4)]
