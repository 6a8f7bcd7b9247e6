"""Doccano, Prodigy and ELIT: what their exports hold, and what is refused. Samples follow their published schemas."""

import json

import pytest

from referee.basics.exceptions import FormatError, RefereeWarning
from tests.support.reading import entities_of, links_of, read_text

# The example that doccano itself shows of its export, with relations that mean coreference.
DOCCANO = {
    "id": 3,
    "text": "Google was founded on September 4, 1998, by Larry Page and Sergey B. It is large.",
    "entities": [
        {"id": 0, "start_offset": 0, "end_offset": 6, "label": "ORG"},
        {"id": 1, "start_offset": 44, "end_offset": 54, "label": "PERSON"},
        {"id": 2, "start_offset": 69, "end_offset": 71, "label": "ORG"},
    ],
    "relations": [{"id": 0, "from_id": 2, "to_id": 0, "type": "coref"}],
    "Comments": [],
}


def of_doccano(**changes):
    return json.dumps(DOCCANO | changes) + "\n"


def test_doccano_s_relations_make_entities():
    corpus = read_text(of_doccano())
    assert corpus.format == "doccano"
    assert entities_of(corpus) == {"3": {"0": [(0, 1), (16, 17)], "1": [(10, 12)]}}
    assert list(corpus.entity_types or ()) == ["ORG", "PERSON"]
    assert links_of(corpus) == [("It", "Google")]


def test_doccano_s_other_relations_are_ignored_with_a_warning():
    with pytest.warns(RefereeWarning, match=r"ignored 1 relation other than coreference \(foundedBy\)"):
        corpus = read_text(of_doccano(relations=[{"id": 0, "from_id": 0, "to_id": 1, "type": "foundedBy"}]))
    assert len(corpus.entity_ids) == 3


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"text": 5}, "x:1: document '3': `text` is 5; expected a string"),
        ({"entities": [{"id": 1, "start_offset": 2, "end_offset": 1, "label": "a"}]}, "entity 1: found 2 to 1; expected 0 <="),
        ({"entities": [{"id": 1, "start_offset": 0, "end_offset": 999, "label": "a"}]}, "end_offset <= 81"),
        ({"entities": [{"id": 1, "start_offset": 0, "end_offset": 6, "label": None}]}, "entity 1: `label` is null"),
        ({"entities": [DOCCANO["entities"][0]] * 2}, "entity 0: found this id again"),
        ({"entities": None}, "`entities` is null; expected a list of objects"),
        ({"relations": [{"from_id": 0, "to_id": 9, "type": "coref"}]}, "a relation 'coref' is with '9'"),
        ({"relations": [{"from_id": 0, "to_id": 0, "type": "coref"}]}, "is of '0' with itself"),
    ],
)
def test_doccano_s_faults_name_line_and_field(changes, problem):
    with pytest.raises(FormatError, match=problem):
        read_text(of_doccano(**changes), "doccano")


def test_doccano_s_projects_without_relations_are_refused():
    with pytest.raises(
        FormatError, match="found no `entities` and `relations`; expected the export of a project with relations"
    ):
        read_text('{"id": 1, "text": "Ann", "label": [[0, 3, "Person"]], "Comments": []}\n')


def prodigy(**changes):
    """A task of the interface `relations`, after Prodigy's documentation."""
    words = ["My", "mother’s", "name", "is", "Sasha", "and", "she", "has", "a", "dog"]
    starts = [sum(len(w) + 1 for w in words[:n]) for n in range(len(words))]
    tokens = [
        {"text": w, "start": s, "end": s + len(w), "id": n, "ws": True, "disabled": False}
        for n, (w, s) in enumerate(zip(words, starts, strict=True))
    ]

    def span(first, last, label):
        ends = {"start": starts[first], "end": starts[last] + len(words[last])}
        return ends | {"token_start": first, "token_end": last, "label": label}

    relations = [
        {"head": 4, "child": 6, "head_span": span(4, 4, "PERSON"), "child_span": span(6, 6, None), "label": "COREF"},
        {"head": 4, "child": 1, "head_span": span(4, 4, "PERSON"), "child_span": span(0, 1, "NP"), "label": "COREF"},
    ]
    task = {"text": " ".join(words), "tokens": tokens, "spans": [span(4, 4, "PERSON")], "relations": relations}
    named = {"_input_hash": 1842734674, "_task_hash": -1, "_view_id": "relations", "_session_id": "s-ann", "answer": "accept"}
    return task | named | changes


def lines(*tasks):
    return "".join(json.dumps(task) + "\n" for task in tasks)


def test_prodigy_s_relations_make_entities_of_spans_that_only_they_name():
    corpus = read_text(lines(prodigy()))
    assert corpus.format == "prodigy"
    assert entities_of(corpus) == {"1842734674": {"20-25": [(0, 2), (4, 5), (6, 7)]}}
    assert next(iter(corpus.documents.values())).tokens[1] == "mother’s"


def test_prodigy_s_rejected_texts_are_left_out_with_a_warning():
    with pytest.warns(RefereeWarning, match="left out 1 text that were not accepted"):
        assert read_text(lines(prodigy(), prodigy(answer="reject", _input_hash=2))).doc_ids == ("1842734674",)


def test_of_prodigy_s_annotators_one_is_named():
    both = lines(prodigy(), prodigy(_session_id="s-bob", relations=[]))
    with pytest.raises(FormatError, match='x:2: found document "1842734674" by s-bob and by s-ann; expected one annotation'):
        read_text(both)
    assert len(read_text(both, "prodigy:s-ann").document) == 3
    assert len(read_text(both, "prodigy:s-bob").document) == 1
    with pytest.raises(FormatError, match="has no annotation by 's-eve'; expected one of s-ann and s-bob"):
        read_text(both, "prodigy:s-eve")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"text": None}, "x:1: `text` is null"),
        ({"spans": [{"start": 0, "end": 999}]}, "`span` is .* expected 0 <= start <= end <= 43"),
        ({"spans": 5}, "`spans` is 5; expected a list of objects"),
        ({"relations": [{"head": 0, "child": 1, "label": "COREF"}]}, "`child_span` is null; expected"),
        ({"tokens": [{"text": "My", "start": 0, "end": 2, "id": 0}]}, "`tokens` is not what it should be"),
        (
            {"text": "aa", "spans": [], "relations": [], "tokens": [{"start": 1, "end": 2}, {"start": 0, "end": 1}]},
            "the words .* in their order",
        ),
    ],
)
def test_prodigy_s_faults_name_line_and_field(changes, problem):
    with pytest.raises(FormatError, match=problem):
        read_text(lines(prodigy(**changes)), "prodigy")


# The example of ELIT's docs/data_format.md.
ELIT = {
    "text": "Emory NLP is a research lab in Atlanta, GA. It is founded by Jinho D. Choi in 2014. Dr. Choi is a professor.",
    "tokens": [
        ["Emory", "NLP", "is", "a", "research", "lab", "in", "Atlanta", ",", "GA", "."],
        ["It", "is", "founded", "by", "Jinho", "D.", "Choi", "in", "2014", "."],
        ["Dr.", "Choi", "is", "a", "professor", "."],
    ],
    "dcr": [[[0, 0, 2, "Emory NLP"], [1, 0, 1, "It"]], [[1, 4, 7, "Jinho D. Choi"], [2, 0, 2, "Dr. Choi"]]],
}


def test_elit_s_clusters_count_tokens_of_sentences_from_0_with_exclusive_ends():
    corpus = read_text(json.dumps(ELIT))
    assert corpus.format == "elit"
    assert entities_of(corpus) == {"#1": {"0": [(0, 2), (11, 12)], "1": [(15, 18), (21, 23)]}}
    brief = [[mention[:3] for mention in cluster] for cluster in ELIT["dcr"]]  # as with verbose = false
    assert read_text(json.dumps(ELIT | {"dcr": brief})) == corpus


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"dcr": [[[0, 0, 99]]]}, r"cluster 0: found the mention \[0, 0, 99\]; expected \[sentence, start, end\]"),
        ({"dcr": [[[0, 0, 2, "Emory"]]]}, 'found the mention "Emory", but the tokens there are "Emory NLP"'),
        ({"dcr": 5}, "`dcr` is 5; expected a list of clusters"),
        ({"tokens": ["Emory"]}, "`tokens` is .*; expected a list of lists of words"),
    ],
)
def test_elit_s_faults_name_the_field(changes, problem):
    with pytest.raises(FormatError, match=problem):
        read_text(json.dumps(ELIT | changes), "elit")


def test_elit_s_online_coreference_is_refused():
    with pytest.raises(FormatError, match="found `ocr`, whose offsets count the tokens of earlier turns"):
        read_text('{"tokens": [["It", "is"]], "ocr": {"clusters": [[[0, 1], [7, 8]]]}}')
