import json

import pytest
from hypothesis import given

from referee import inputs
from referee.basics.exceptions import FormatError
from tests.support.reading import entities_of, faults_of, read_again, read_text, source_of, written
from tests.support.strategies import corpora, item_corpora

# tests/dummy/clusters.json of allenai/S2AND.
CLUSTERS = """{
    "1": {"cluster_id": "1", "signature_ids": ["0", "1"], "model_version": -1},
    "2": {"cluster_id": "2", "signature_ids": ["2"], "model_version": -1},
    "3": {"cluster_id": "3", "signature_ids": ["3", "4"], "model_version": -1}
}"""
ENTITIES = {"#1": {"1": ["0", "1"], "2": ["2"], "3": ["3", "4"]}}


def test_clusters_are_entities_of_signatures():
    assert inputs.detect(source_of(CLUSTERS)) == "s2and"
    assert entities_of(read_text(CLUSTERS)) == ENTITIES


def test_the_same_records_are_the_same_corpus_in_any_format():
    corpus = read_text(CLUSTERS)
    csv = "item,entity\n0,1\n1,1\n2,2\n3,3\n4,3\n"
    pairs = "id1,id2\n0,1\n2,2\n4,3\n"
    clusters = '{"1": ["0", "1"], "2": ["2"], "3": ["3", "4"]}'
    one = {"tables": "one"}
    given = f'{{"type":"clusters","clusters":{clusters}}}'
    for text, name, asked in ((csv, "csv", {}), (pairs, "pairs", one), (given, "clusters", {})):
        assert inputs.detect(source_of(text)) == name
        assert read_text(text, **asked) == corpus


@given(corpus=item_corpora(max_documents=0))
def test_what_is_written_reads_the_same(corpus):
    again = read_again(corpus, "s2and")
    assert again == corpus
    assert list(again.entity_ids) == list(corpus.entity_ids)


def test_it_is_written_as_others_write_it():
    assert json.loads(written(read_text(CLUSTERS), "s2and")) == json.loads(CLUSTERS)


def test_spans_become_signatures():
    spans = read_text("[[[0, 1], [2, 4]]]")
    assert written(spans, "s2and") == '{"0": {"cluster_id": "0", "signature_ids": ["0-1", "2-4"], "model_version": -1}}\n'


@given(corpus=corpora())
def test_documents_with_names_are_not_written(corpus):
    if corpus.doc_ids in ((), ("#1",)):
        assert len(read_again(corpus, "s2and").document) == len(corpus.document)
    else:
        with pytest.raises(FormatError, match=r"^random: has .*names? of documents.*, which s2and cannot hold"):
            written(corpus, "s2and")


def test_degenerate_files():
    assert read_text("", "s2and").doc_ids == ()
    assert entities_of(read_text("{}", "s2and")) == {"#1": {}}
    assert entities_of(read_text('{"a": {"signature_ids": []}}')) == {"#1": {}}
    assert entities_of(read_text('{"a": {"signature_ids": [1, "1"]}}')) == {"#1": {"a": ["1", "1"]}}


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("[]", r"found \[\]; expected an object with the clusters by their ids"),
        ('{"a": ["1"]}', r"cluster a: found \[\"1\"\]; expected an object with a list, `signature_ids`"),
        ('{"a": {"signature_ids": "1"}}', "cluster a: found .*; expected an object with a list"),
        ('{"a": {"signature_ids": [true]}}', "cluster a: found true; expected the id of a signature"),
        ('{"a": {"signature_ids": [[1, 2]]}}', r"cluster a: found \[1, 2\]; expected the id"),
    ],
)
def test_a_fault_names_the_cluster_and_the_problem(bad, problem):
    with pytest.raises(FormatError, match=f"^x: {problem}"):
        read_text(bad, "s2and")
    assert len(faults_of(bad, "s2and")) == 1


def test_what_is_not_json_is_a_fault():
    for text in ('{"a": {"signature_ids": [1', "[" * 100_000, '{"a": 1, "a": 2}', "null"):
        assert len(faults_of(text, "s2and")) == 1
