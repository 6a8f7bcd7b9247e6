"""Label Studio's JSON: annotators, names of entities, offsets, and what is refused."""

import json

import pytest

from referee import agree, inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from tests.support.paths import EXAMPLES
from tests.support.reading import entities_of, faults_of, links_of, read_again, read_text, written

TEXT = "Ann saw her dog."


def region(id_, start, end, label="Person", text=TEXT):
    """A region as the export has it, after the documentation of the JSON format."""
    value = {"start": start, "end": end, "text": text[start:end], "labels": [label]}
    place = {"id": id_, "from_name": "label", "to_name": "text", "type": "labels", "origin": "manual"}
    return {"value": value, **place}


def relation(first, second, *labels):
    return {"from_id": first, "to_id": second, "type": "relation", "direction": "right", "labels": list(labels)}


def task(*result, by=1, id_=7, text=TEXT, **more):
    return {"id": id_, "annotations": [{"completed_by": by, "result": list(result), **more}], "data": {"text": text}}


def export(*tasks):
    return json.dumps(list(tasks), indent=1)


ANN, HER, DOG = region("a", 0, 3), region("b", 8, 11), region("c", 8, 15, "Mention")


def test_relations_make_entities_and_labels_are_types():
    corpus = read_text(export(task(ANN, HER, DOG, relation("b", "a", "coreference"))))
    assert corpus.format == "labelstudio"
    assert entities_of(corpus) == {"7": {"a": [(0, 1), (2, 3)], "c": [(2, 4)]}}
    assert list(corpus.entity_types or ()) == ["Person", ""]
    assert links_of(corpus) == [("her", "Ann")]


def test_a_relation_without_a_label_is_coreference_and_others_are_ignored_with_a_warning():
    assert len(read_text(export(task(ANN, HER, relation("b", "a")))).entity_ids) == 1
    with pytest.warns(RefereeWarning, match=r"ignored 1 relation other than coreference \(owner\)"):
        corpus = read_text(export(task(ANN, HER, DOG, relation("b", "a"), relation("c", "a", "owner"))))
    assert len(corpus.entity_ids) == 2


def test_the_name_of_a_region_s_entity_joins_regions():
    def named(id_, name):
        return {"id": id_, "type": "textarea", "from_name": "cluster", "to_name": "text", "value": {"text": [name]}}

    corpus = read_text(export(task(ANN, HER, DOG, named("a", "Ann"), named("b", "Ann"))))
    assert entities_of(corpus) == {"7": {"Ann": [(0, 1), (2, 3)], "c": [(2, 4)]}}


def test_labels_may_be_entities_and_without_coreference_a_warning_says_so():
    text = export(task(region("a", 0, 3, "Ann"), region("b", 8, 11, "Ann"), region("c", 8, 15, "dog")))
    with pytest.warns(RefereeWarning, match="no coreference between 3 regions.*--format labelstudio:labels"):
        assert len(read_text(text).entity_ids) == 3
    assert entities_of(read_text(text, "labelstudio:labels")) == {"7": {"Ann": [(0, 1), (2, 3)], "dog": [(2, 4)]}}


def two_annotators():
    both = task(ANN, HER, relation("b", "a"))
    other = task(ANN, HER, DOG, relation("b", "a"), by={"id": 4, "email": "bob@example.org"})
    return export(both | {"annotations": both["annotations"] + other["annotations"]})


def test_of_several_annotators_one_is_named_and_agree_compares_them(tmp_path):
    (tmp_path / "x").write_text(two_annotators(), encoding="utf-8")
    with pytest.raises(FormatError, match=r"x:2: task 7: found 2 annotations, by 1 and bob@example.org; expected one"):
        inputs.read(tmp_path / "x")
    ann, bob = (inputs.read(tmp_path / "x", format=f"labelstudio:{who}") for who in ("1", "bob@example.org"))
    assert (len(ann.document), len(bob.document)) == (2, 3)
    assert agree({"ann": ann, "bob": bob}).pairs["ann", "bob"]["mentions"] == pytest.approx(0.8)
    with pytest.raises(FormatError, match=r"has no annotation by 'eve'; expected one of 1, bob@example\.org and 4"):
        inputs.read(tmp_path / "x", format="labelstudio:eve")


def test_the_ground_truth_counts_before_others_and_what_was_cancelled_does_not():
    several = task(ANN, ground_truth=True)
    several["annotations"] += task(ANN, HER)["annotations"] + task(HER, was_cancelled=True)["annotations"]
    assert len(read_text(export(several)).document) == 1


def test_predictions_are_read_where_no_task_has_annotations_and_when_asked_for():
    prediction = {"model_version": "m", "result": [ANN, HER]}
    alone = export({"id": 1, "annotations": [], "predictions": [prediction], "data": {"text": TEXT}})
    both = task(ANN) | {"predictions": [prediction]}
    assert len(read_text(export(both)).document) == 1
    for text, name in ((alone, None), (export(both), "labelstudio:predictions")):
        with pytest.warns(RefereeWarning, match="found no coreference between 2 regions"):
            assert len(read_text(text, name).document) == 2


def test_tasks_without_annotation_are_left_out_with_a_warning():
    empty = {"id": 8, "annotations": [], "data": {"text": TEXT}}
    with pytest.warns(RefereeWarning, match="left out 1 task without annotation"):
        assert read_text(export(task(ANN), empty)).doc_ids == ("7",)


def test_old_versions_count_utf_16_units():
    text = "💩This is an annotation."  # of the issue 1347
    old = region("a", 13, 23) | {"value": {"start": 13, "end": 23, "text": "annotation", "labels": ["A"]}}
    new = region("a", 12, 22) | {"value": {"start": 12, "end": 22, "text": "annotation", "labels": ["A"]}}
    assert read_text(export(task(old, text=text))) == read_text(export(task(new, text=text)))


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (task(region("a", 0, 99)), "task 7: region a: found 0 to 99; expected two offsets, start <= end <= 16"),
        (task(region("a", 4, 3)), "region a: found 4 to 3; expected two offsets"),
        (
            task(ANN | {"value": {"start": 0, "end": 3, "text": "Bob", "labels": ["x"]}}),
            'region a: is "Bob", but the text has "Ann"',
        ),
        (
            task(ANN | {"value": {"start": 0, "end": 3, "labels": []}}),
            "region a: `labels` is \\[\\]; expected a list of labels",
        ),
        (task(ANN | {"type": "hypertextlabels"}), 'found "hypertextlabels"; expected `labels` of a Text'),
        (task(ANN, relation("a", "z")), "a relation '' is with 'z'; expected a mention's id"),
        (task(ANN, relation("a", "a", "coref")), "a relation 'coref' is of 'a' with itself"),
        (task(ANN) | {"data": "Ann"}, '`data` is "Ann"; expected an object with the text'),
        (task(ANN) | {"data": {"a": "Ann", "b": "her"}}, "expected the text under `text`"),
        (task(ANN) | {"data": {"text": TEXT, "tokens": ["Ann", "saw"]}}, "`tokens` is not what it should be"),
        (task(ANN) | {"data": {"text": TEXT, "tokens": TEXT.split(), "sentences": [9]}}, "`sentences` is \\[9\\]; expected"),
        ({"id": 1, "annotations": [{"result": None}], "data": {"text": ""}}, "`result` is null; expected a list of regions"),
        ({"id": 1, "annotations": {"result": []}, "data": {"text": ""}}, "`annotations` is .*; expected a list of objects"),
        ({"id": 1, "annotator": 1, "annotation_id": 5, "lead_time": 2.0, "text": TEXT}, "found the export JSON-MIN"),
    ],
)
def test_faults_name_the_line_the_task_and_the_field(bad, problem):
    with pytest.raises(FormatError, match=problem) as caught:
        read_text(export(task(ANN, id_=1), bad), "labelstudio")
    assert caught.value.line is not None
    assert caught.value.line > 2
    assert faults_of(export(bad), "labelstudio")


def test_what_is_written_has_the_words_and_is_what_the_tool_shows():
    corpus = inputs.read(EXAMPLES / "key.conll")
    assert corpus.text
    tasks = json.loads(written(corpus, "labelstudio"))
    assert read_again(corpus, "labelstudio") == corpus
    for each in tasks:
        for result in each["predictions"][0]["result"]:
            if result["type"] == "labels":
                value = result["value"]
                assert each["data"]["text"][value["start"] : value["end"]] == value["text"]
