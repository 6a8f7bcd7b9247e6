"""Corrections by hand: what each change makes of a key, several files put together, and what is refused."""

import json

import pytest

from referee import correct, read
from referee.basics.exceptions import FormatError, MismatchError, OptionError, RefereeWarning
from referee.cli.main import main
from referee.corpus.addresses import digests
from tests.support.corrected import as_file

ROWS = [("Ann", "(1)"), ("met", "_"), ("the", "(2"), ("cook", "2)"), (".", "_"), ("She", "(1)"), ("saw", "_"), ("him", "(3)")]
KEY = "#begin document (d); part 000\n" + "".join(f"{n}\t{w}\t{c}\n" for n, (w, c) in enumerate(ROWS)) + "\n#end document\n"


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "key.conll"
    path.write_text(KEY)
    return path


def saved(key, name, changes, **more):
    corpus = read(key)
    value = as_file(corpus, {corpus.doc_ids[0]: changes}) | more
    path = key.parent / f"{name}.corrections.json"
    path.write_text(json.dumps(value))
    return path


def mention(start, end):
    return {"spans": [[start, end]], "text": " ".join(word for word, _ in ROWS[start:end])}


def move(start, end, entity, to):
    return {"op": "move", "mention": mention(start, end), "from": entity, "to": to}


def span(start, end, entity, spans):
    return {"op": "span", "mention": mention(start, end), "in": entity, "spans": spans}


def add(start, end, to):
    return {"op": "add", "mention": mention(start, end), "to": to}


def remove(start, end, entity):
    return {"op": "remove", "mention": mention(start, end), "from": entity}


def entities(corpus):
    return sorted(sorted((m.start, m.end) for m in entity) for entity in corpus.documents[corpus.doc_ids[0]].entities)


MERGE = {"op": "merge", "entity": "3", "into": "2"}


@pytest.mark.parametrize(
    ("changes", "becomes"),
    [
        ([], [[(0, 1), (5, 6)], [(2, 4)], [(7, 8)]]),
        ([move(7, 8, "3", "2")], [[(0, 1), (5, 6)], [(2, 4), (7, 8)]]),
        ([MERGE], [[(0, 1), (5, 6)], [(2, 4), (7, 8)]]),
        ([MERGE, move(7, 8, "2", "1")], [[(0, 1), (5, 6), (7, 8)], [(2, 4)]]),
        ([move(5, 6, "1", "new1"), move(7, 8, "3", "new1")], [[(0, 1)], [(2, 4)], [(5, 6), (7, 8)]]),
        ([span(2, 4, "2", [[3, 4]])], [[(0, 1), (5, 6)], [(3, 4)], [(7, 8)]]),
        ([remove(7, 8, "3")], [[(0, 1), (5, 6)], [(2, 4)]]),
        ([add(6, 7, "new1"), add(6, 7, "1")], [[(0, 1), (5, 6), (6, 7)], [(2, 4)], [(6, 7)], [(7, 8)]]),
        ([add(7, 8, "2"), MERGE], [[(0, 1), (5, 6)], [(2, 4), (7, 8)]]),  # an entity has a span once
    ],
)
def test_changes_are_made_one_after_the_other(key, changes, becomes):
    assert entities(correct(key, saved(key, "kim", changes)).corpus) == becomes


def test_of_a_file_only_what_changes_is_written(key, tmp_path):
    corrected = correct(key, saved(key, "kim", [move(7, 8, "3", "2")]))
    corrected.write(tmp_path / "new.conll")
    assert (tmp_path / "new.conll").read_text() == KEY.replace("him\t(3)", "him\t(2)")


@pytest.mark.parametrize(
    ("kim", "ann", "becomes"),
    [
        ([move(7, 8, "3", "2")], [remove(0, 1, "1")], [[(2, 4), (7, 8)], [(5, 6)]]),
        ([move(7, 8, "3", "2")], [move(7, 8, "3", "2")], [[(0, 1), (5, 6)], [(2, 4), (7, 8)]]),
        ([move(7, 8, "3", "2")], [span(7, 8, "3", [[6, 8]])], [[(0, 1), (5, 6)], [(2, 4), (6, 8)]]),
        ([move(5, 6, "1", "new1")], [move(5, 6, "1", "new1")], [[(0, 1)], [(2, 4)], [(5, 6)], [(7, 8)]]),
        (
            [move(5, 6, "1", "new1")],
            [move(7, 8, "3", "2"), add(1, 2, "new1")],
            [[(0, 1)], [(1, 2)], [(2, 4), (7, 8)], [(5, 6)]],
        ),
        ([MERGE], [move(5, 6, "1", "3")], [[(0, 1)], [(2, 4), (5, 6), (7, 8)]]),
        ([MERGE], [{"op": "merge", "entity": "2", "into": "3"}], [[(0, 1), (5, 6)], [(2, 4), (7, 8)]]),
        ([add(6, 7, "1")], [add(6, 7, "1")], [[(0, 1), (5, 6), (6, 7)], [(2, 4)], [(7, 8)]]),
    ],
)
def test_changes_of_two_people_are_put_together(key, kim, ann, becomes):
    files = saved(key, "kim", kim), saved(key, "ann", ann)
    for order in (files, files[::-1]):
        corrected = correct(key, *order)
        assert (entities(corrected.corpus), corrected.contradictions) == (becomes, [])


@pytest.mark.parametrize(
    ("kim", "ann", "versions"),
    [
        ([move(7, 8, "3", "2")], [move(7, 8, "3", "1")], {"2", "1"}),
        ([move(7, 8, "3", "2")], [remove(7, 8, "3")], {"2", "removed"}),
        ([span(2, 4, "2", [[3, 4]])], [span(2, 4, "2", [[1, 4]])], {"3-4", "1-4"}),
        ([span(2, 4, "2", [[3, 4]])], [remove(2, 4, "2")], {"3-4", "removed"}),
        ([MERGE], [{"op": "merge", "entity": "3", "into": "1"}], {"2", "1"}),
        ([MERGE], [move(7, 8, "3", "new1")], {"2", "new1"}),
        ([move(5, 6, "1", "new1")], [move(5, 6, "1", "new1"), move(7, 8, "3", "new1")], {"new1", "new2"}),
        ([add(6, 7, "1")], [add(6, 7, "2")], {"1", "2"}),
        ([add(6, 7, "1")], [span(7, 8, "3", [[6, 7]])], {"1", "3"}),
    ],
)
def test_contradictions_are_listed_and_nothing_is_written(key, kim, ann, versions, capsys):
    files = [saved(key, "kim", kim), saved(key, "ann", ann)]
    corrected = correct(key, *files)
    first = corrected.contradictions[0]
    assert {version for _, version in first.versions} == versions
    assert [file for file, _ in first.versions] == list(map(str, files))
    assert main(["correct", str(key), *map(str, files), "-o", str(key.parent / "new.conll")]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert all(version in message for version in versions)
    assert not (key.parent / "new.conll").exists()
    assert main(["correct", str(key), *map(str, files), "--report", "json"]) == 1
    assert len(json.loads(capsys.readouterr().out)["contradictions"]) == len(corrected.contradictions)


def test_a_key_that_has_changed_is_refused_or_rebased(key):
    kim = saved(key, "kim", [move(7, 8, "3", "2"), remove(0, 1, "1")])
    digest = json.loads(kim.read_text())["key"]["digest"]
    key.write_text(KEY.replace("him\t(3)", "him\t(2)"))  # the first change was made
    with pytest.raises(MismatchError, match=r"as it was before mentions or entities changed .* or --rebase"):
        correct(key, kim)
    corrected = correct(key, kim, rebase=True)
    assert entities(corrected.corpus) == [[(2, 4), (7, 8)], [(5, 6)]]
    assert [change.op for _, _, change in corrected.passed] == ["move"]
    merged = saved(key, "ann", [MERGE, remove(6, 7, "9")])
    merged.write_text(merged.read_text().replace(digests(read(key)), digest))
    key.write_text(KEY.replace("him\t(3)", "him\t(2)"))
    corrected = correct(key, merged, rebase=True)  # both were made
    assert [change.op for _, _, change in corrected.passed] == ["merge", "remove"]
    key.write_text(KEY.replace("him\t(3)", "him\t(1)"))
    with pytest.warns(RefereeWarning, match=r"left out 1 change .* change 1: found no \"him\" \(7-8\) in 3; it is in 1"):
        corrected = correct(key, kim, rebase=True)
    assert [change.op for _, _, change in corrected.unfit] == ["move"]
    assert (0, 1) not in {span for entity in entities(corrected.corpus) for span in entity}  # the second change
    key.write_text(KEY.replace("him", "her"))
    with pytest.raises(MismatchError, match="other words"):
        correct(key, kim, rebase=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"op": "mvoe"}, 'found op "mvoe"; expected an op, one of move, add'),
        ([1], "expected an op"),
        ({"op": "merge", "entity": "3"}, "found no into"),
        (MERGE | {"why": "so"}, "found why; expected op, entity and into alone"),
        (MERGE | {"into": 2}, "into: found 2; expected a text"),
        (MERGE | {"into": "3"}, "expected another entity"),
        (MERGE | {"into": "9"}, "found the entity '9'; expected one of the key, or new1"),
        (move(7, 8, "2", "1"), r"found no \"him\" \(7-8\) in 2; it is in 3"),
        (move(6, 7, "2", "1"), "the key has no such mention"),
        (move(7, 8, "3", "2") | {"mention": {"spans": [[7, 8]], "text": "her"}}, "where the key has 'him'"),
        (move(7, 8, "3", "2") | {"mention": {"spans": [[7, 9]], "text": "him"}}, "which the document does not have"),
        (move(7, 8, "3", "2") | {"mention": {"spans": [[8, 7]], "text": "him"}}, "half-open, apart and in order"),
        (move(7, 8, "3", "2") | {"mention": {"spans": [], "text": ""}}, "half-open, apart and in order"),
        (move(7, 8, "3", "2") | {"mention": {"spans": [[0, True]], "text": "Ann"}}, "half-open, apart and in order"),
        (span(7, 8, "3", ["1:2.1"]), "the spans 1:2.1, which the document does not have"),
        (add(7, 8, "3"), "has .* already"),
    ],
)
def test_what_no_page_writes_is_refused_with_its_place(key, change, message):
    with pytest.raises(FormatError, match=rf"kim.corrections.json: document 'd_0', change 2.*{message}"):
        correct(key, saved(key, "kim", [remove(0, 1, "1"), change]))


def test_a_file_that_is_none_is_refused(key, tmp_path):
    kim = saved(key, "kim", [])
    value = json.loads(kim.read_text())
    for wrong, message in [
        ("{", "is no JSON"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        (json.dumps([1]), "found no corrections; expected a file that a page saved"),
        (json.dumps(value | {"corrections": 2}), "found corrections 2; expected 1"),
        (json.dumps(value | {"key": {"name": "key", "digest": "12"}}), 'found the digest "12"'),
        (json.dumps(value | {"documents": []}), "expected an object"),
        (json.dumps(value | {"documents": {"d": {"changes": [], "done": 1}}}), "found done 1; expected true or false"),
    ]:
        kim.write_text(wrong)
        with pytest.raises(FormatError, match=message):
            correct(key, kim)
    kim.write_text(json.dumps(value | {"documents": {"other": {"changes": []}}}))
    with pytest.raises(MismatchError, match=r"corrects 'other', which .*key.conll does not have"):
        correct(key, kim)
    with pytest.raises(OptionError, match="found no file of corrections"):
        correct(key)
    with pytest.raises(OptionError, match="expected the key first"):
        correct(kim, key)
    (tmp_path / "words.json").write_text('{"clusters": [[[0, 1], [2, 3]]]}')
    with pytest.raises(OptionError, match="has no words"):
        correct(tmp_path / "words.json", kim)


UD = """# newdoc id = d
# global.Entity = eid-etype-head-other
1\tThe\t_\tDET\t_\t_\t3\tdet\t_\tEntity=(e1-person-3-
2\told\t_\tADJ\t_\t_\t3\tamod\t_\t_
3\tcook\t_\tNOUN\t_\t_\t4\tnsubj\t_\tEntity=e1)
4\tleft\t_\tVERB\t_\t_\t0\troot\t_\t_
4.1\t_\t_\tPRON\t_\t_\t_\t_\t4:obj\tEntity=(e2--1-)

1\tHis\t_\tPRON\t_\t_\t2\tnmod\t_\tBridge=e1<e3:part|Entity=(e3--1-)
2\that\t_\tNOUN\t_\t_\t3\tnsubj\t_\tEntity=(e4-thing-1-)
3\tfell\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


def ud(tmp_path, changes):
    key = tmp_path / "key.conllu"
    key.write_text(UD)
    corpus = read(key)
    path = tmp_path / "kim.corrections.json"
    path.write_text(json.dumps(as_file(corpus, {"d": changes})))
    correct(key, path).write(tmp_path / "new.conllu")
    return (tmp_path / "new.conllu").read_text()


def test_heads_come_from_the_trees_and_empty_nodes_have_their_ids(tmp_path):
    changes = [
        {"op": "span", "mention": {"spans": [[0, 3]], "text": "The old cook"}, "in": "e1", "spans": [[1, 3]]},
        {"op": "move", "mention": {"spans": ["1:4.1"], "text": "∅"}, "from": "e2", "to": "e4"},
        {"op": "add", "mention": {"spans": [[4, 6]], "text": "His hat"}, "to": "new1"},
    ]
    new = ud(tmp_path, changes)
    assert "3\tdet\t_\t_\n2\told\t_\tADJ\t_\t_\t3\tamod\t_\tEntity=(e1-person-2-" in new  # cook is the second of its words
    assert "4:obj\tEntity=(e4-thing-1-)" in new
    assert "Entity=(e5--2-(e3--1-)" in new  # hat, of which His depends


def test_bridging_goes_to_what_is_left_of_the_entity_or_is_dropped_with_a_warning(tmp_path):
    gone = {"op": "remove", "mention": {"spans": [[0, 3]], "text": "The old cook"}, "from": "e1"}
    zero = {"op": "move", "mention": {"spans": ["1:4.1"], "text": "∅"}, "from": "e2", "to": "e1"}
    assert "Bridge=e1<e3:part" in ud(tmp_path, [zero, gone])
    with pytest.warns(RefereeWarning, match=r"left out bridging \(1\), as the mentions are gone"):
        assert "Bridge" not in ud(tmp_path, [gone])


def test_the_command_lists_the_changes_or_writes_the_key(key, capsys):
    kim = saved(key, "kim", [move(7, 8, "3", "2"), {"op": "comment", "mention": mention(7, 8), "in": "2", "text": "see 3.2"}])
    assert main(["correct", str(key), str(kim), "--list"]) == 0
    text = capsys.readouterr().out
    assert 'move "him" (7-8) from 3 to 2' in text
    assert "2 changes of 1 document" in text
    assert main(["correct", str(key), str(kim)]) == 2
    assert "found no -o NEW" in capsys.readouterr().err
    assert main(["correct", str(key), str(kim), "-o", "-"]) == 0
    assert capsys.readouterr().out == KEY.replace("him\t(3)", "him\t(2)")
    assert main(["correct", str(key), str(kim), "-o", str(key.parent / "new.jsonlines")]) == 0
    assert entities(read(key.parent / "new.jsonlines")) == [[(0, 1), (5, 6)], [(2, 4), (7, 8)]]


def reshaped(tmp_path, name, text, start, end, spans, entity):
    """A file in which a mention of one word has other edges; `spans` are of words."""
    path = tmp_path / name
    path.write_text(text)
    corpus = read(path)
    at = {"spans": [[start, end]], "text": " ".join(corpus.words(0)[start:end])}
    change = {"op": "span", "mention": at, "in": entity, "spans": spans}
    corrections = tmp_path / "x.corrections.json"
    corrections.write_text(json.dumps(as_file(corpus, {corpus.doc_ids[0]: [change]})))
    target = tmp_path / f"new{path.suffix}"
    correct(path, corrections).write(target)
    return target.read_text()


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_a_mention_with_other_edges_keeps_what_else_is_said_of_it(tmp_path):
    (tmp_path / "d.txt").write_text("Ann and Bob left .\n")
    brat = "T1\tPerson 8 11\tBob\nA1\tSure T1\n#1\tAnnotatorNotes T1\tperhaps Ann\n"
    assert reshaped(tmp_path, "d.ann", brat, 2, 3, [[0, 3]], "T1") == brat.replace("8 11\tBob", "0 11\tAnn and Bob")
    old = UD.replace("(e4-thing-1-)", "(e4-thing-1-infstat:new)").replace("-head-other", "-head-infstat")
    new = reshaped(tmp_path, "d.conllu", old, 5, 6, [[5, 7]], "e4")
    assert "(e4-thing-2-infstat:new" in new  # fell, the head of hat
    regions = [
        {"id": "a", "type": "labels", "meta": {"sure": 1}, "value": {"start": 8, "end": 11, "text": "Bob", "labels": ["P"]}}
    ]
    task = [{"data": {"text": "Ann and Bob left ."}, "annotations": [{"result": regions}]}]
    [result] = json.loads(reshaped(tmp_path, "d.json", json.dumps(task), 2, 3, [[1, 3]], "a"))[0]["annotations"][0]["result"]
    assert result == {**regions[0], "value": {"start": 4, "end": 11, "text": "and Bob", "labels": ["P"]}}
