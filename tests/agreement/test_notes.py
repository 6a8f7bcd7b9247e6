"""Votes and candidates of undecided mentions as notes of the tools, and what was settled there."""

import json
import warnings

import pytest

from referee import RefereeWarning, agree, convert, read, write
from referee.agreement.merging import Candidate
from referee.corpus.addresses import digests
from referee.formats.labelstudio.reading import with_note
from tests.support.command import referee

TOKENS = ["Ann", "saw", "her", "dog", ".", "It", "saw", "Ann"]
ANNOTATIONS = {  # two of four have "her", in the entity of Ann and of the dog; two have "It", in that of the dog and alone
    "Kim": [[[0, 0], [2, 2], [7, 7]], [[3, 3], [5, 5]]],
    "Rob": [[[0, 0], [7, 7]], [[2, 2], [3, 3]], [[5, 5]]],
    "Sue": [[[0, 0], [7, 7]], [[3, 3]]],
    "Eve": [[[0, 0], [7, 7]], [[3, 3]]],
}
HALF = "marked by 2 of 4; candidates: "
OF_HER = HALF + "“Ann” ×2 (Kim), “dog” ×1 (Rob), no mention (Sue and Eve)"
OF_IT = HALF + "“dog” ×1 (Kim), an entity of its own (Rob), no mention (Sue and Eve)"
IN_WEBANNO = "undecided: " + OF_IT.replace(";", "\\;")

TOOLS = {"brat": "todo.ann", "webanno": "todo.tsv", "labelstudio": "todo.json", "corefud": "todo.conllu"}
NOTES = {  # of "It", as a fresh file has it, and what is in its place without the note
    "brat": (f"#3\tAnnotatorNotes T4\tundecided: {OF_IT}\n", ""),
    "webanno": (IN_WEBANNO, "*"),
    "labelstudio": (f', "meta": {{"text": ["undecided: {OF_IT}"]}}', ""),
    "corefud": (f"|Undecided=undecided4: {OF_IT}", ""),
}
SETTLED = {  # what somebody changes, who puts "It" into the entity of the dog, or says that it is an entity alone
    ("brat", "joined"): ("#1\t", "R9\tCoreference Arg1:T4 Arg2:T3\n#1\t"),
    ("brat", "typed"): ("T4\tundecided", "T4\tanimal"),
    ("webanno", "joined"): (f"{IN_WEBANNO}[4]\t*->4-1", f"{IN_WEBANNO}[3]\t*->3-2"),
    ("webanno", "typed"): (IN_WEBANNO, "animal"),
    ("labelstudio", "joined"): (
        '{"type": "relation"',
        '{"type": "relation", "from_id": "m3", "to_id": "m2", "labels": []}, {"type": "relation"',
    ),
    ("labelstudio", "typed"): ('"It", "labels": ["undecided"]', '"It", "labels": ["animal"]'),
    ("corefud", "joined"): ("(undecided4-undecided)", "(2)"),
    ("corefud", "typed"): ("(undecided4-undecided)", "(undecided4-animal)"),
}


@pytest.fixture
def annotated(tmp_path):
    for name, clusters in ANNOTATIONS.items():
        record = {"doc_key": "d", "sentences": [TOKENS[:5], TOKENS[5:]], "clusters": clusters}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record))
    return tmp_path


@pytest.fixture
def merged(annotated):
    return agree({name: annotated / f"{name}.jsonl" for name in ANNOTATIONS}).merged()


def told(path):
    """A file read, and all warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corpus = read(path)
    return corpus, [str(warning.message).partition(": ")[2] for warning in caught]


def entities(corpus):
    return sorted((entity.type, [mention.text for mention in entity.mentions]) for entity in next(iter(corpus)).entities)


def test_an_undecided_mention_has_votes_and_candidates(merged):
    her, it = merged.undecided
    assert her.votes == {"Kim": "0: Ann", "Rob": "1: her", "Sue": None, "Eve": None}
    assert it.votes == {"Kim": "1: dog", "Rob": "2: It", "Sue": None, "Eve": None}
    assert her.candidates == (Candidate("1", "Ann", 2, ("Kim",)), Candidate("2", "dog", 1, ("Rob",)))
    assert it.candidates == (Candidate("2", "dog", 1, ("Kim",)), Candidate("", "", 0, ("Rob",)))
    assert {"1", "2"} <= {*merged.adjudication.entity_ids}


@pytest.mark.parametrize(
    ("annotations", "candidates"),
    [
        ([[{"a", "b"}], [{"a"}, {"b"}]], [Candidate("undecided2", "b", 1, ("1",)), Candidate("", "", 0, ("2",))]),
        # {b, c} and {d} are decided; the first of four has as many of both beside a
        (
            [[{"a", "b", "d"}, {"c"}], [{"a", "d"}, {"b", "c"}], [{"b", "c"}, {"d"}], [{"b", "c"}, {"d"}]],
            [Candidate("2", "d", 1, ("1", "2")), Candidate("1", "b", 2, ("1",))],
        ),
    ],
)
def test_candidates_are_where_most_of_an_entity_is(annotations, candidates):
    merged = agree(annotations).merged()
    assert list(merged.undecided[0].candidates) == candidates
    assert {c.entity for c in candidates} <= {*merged.adjudication.entity_ids, ""}


@pytest.mark.parametrize("tool", TOOLS)
def test_notes_are_written_and_do_not_disturb_reading(tool, annotated, merged):
    files = [f"{name}.jsonl" for name in ANNOTATIONS]
    done = referee("agree", *files, "--adjudicate", TOOLS[tool], "--to", tool, cwd=annotated)
    assert done.status == 0
    text = (annotated / TOOLS[tool]).read_text()
    for note in (OF_HER, OF_IT):
        assert text.count(note.replace(";", "\\;") if tool == "webanno" else note) == 1
    corpus, (undecided, *others) = told(annotated / TOOLS[tool])
    assert undecided.startswith("has 2 mentions of the type undecided") and not others
    assert entities(corpus) == [("", ["Ann", "Ann"]), ("", ["dog"]), ("undecided", ["It"]), ("undecided", ["her"])]


@pytest.mark.parametrize(("tool", "how"), SETTLED)
def test_a_settled_mention_is_read_and_its_note_goes_when_the_file_is_written_again(tool, how, annotated, merged):
    path, again = annotated / TOOLS[tool], annotated / f"again-{TOOLS[tool]}"
    write(merged.adjudication, path, format=tool)
    old, new = SETTLED[tool, how]
    text = path.read_text()
    assert text.count(old) >= 1
    path.write_text(text := text.replace(old, new, 1))
    corpus, (undecided, *others) = told(path)
    assert undecided.startswith("has 1 mention of the type undecided") and not others
    settled = [("", ["dog", "It"])] if how == "joined" else [("", ["dog"]), ("animal", ["It"])]
    assert entities(corpus) == [("", ["Ann", "Ann"]), *settled, ("undecided", ["her"])]

    write(corpus, again, like=path)
    assert (again.read_text()) == text.replace(*NOTES[tool])
    assert told(again)[0] == corpus


@pytest.mark.parametrize("tool", TOOLS)
def test_notes_come_into_the_file_of_the_first_annotator(tool, annotated):
    names = []
    for name in ANNOTATIONS:
        names.append(TOOLS[tool].replace("todo", name))
        convert(annotated / f"{name}.jsonl", annotated / names[-1], to=tool)
    assert referee("agree", *names, "--adjudicate", TOOLS[tool], "--to", tool, cwd=annotated).status == 0
    text = (annotated / TOOLS[tool]).read_text()
    assert text.count("marked by 2 of 4") == 2
    corpus, (undecided, *others) = told(annotated / TOOLS[tool])
    assert undecided.startswith("has 2 mentions of the type undecided") and not others
    assert entities(corpus) == [("", ["Ann", "Ann"]), ("", ["dog"]), ("undecided", ["It"]), ("undecided", ["her"])]


def test_other_formats_leave_notes_out(annotated, merged):
    write(merged.adjudication, annotated / "todo.jsonlines")
    assert "candidates" not in (annotated / "todo.jsonlines").read_text()


def test_notes_stand_in_layers_of_spans_of_webanno_too(tmp_path):
    header = "#FORMAT=WebAnno TSV 3.2\n#T_SP=x.Referent|entity|infstat\n#T_RL=x.Coref|type|BT_x.Referent\n\n#Text=Ann saw her\n"
    rows = ["1-1\t0-3\tAnn\tperson[1]\tnew[1]\tcoref\t1-3[2_1]\t", "1-2\t4-7\tsaw\t_\t_\t_\t_\t"]
    kim = header + "\n".join([*rows, "1-3\t8-11\ther\tperson[2]\tgiv[2]\t_\t_\t", ""])
    (tmp_path / "kim.tsv").write_text(kim)
    (tmp_path / "rob.tsv").write_text(kim.replace("coref\t1-3[2_1]", "_\t_").replace("person[2]\tgiv[2]", "_\t_"))
    options = ["--format", "webanno", "--to", "webanno"]
    assert referee("agree", "kim.tsv", "rob.tsv", "--adjudicate", "t.tsv", *options, cwd=tmp_path).status == 0
    note = "undecided: marked by 1 of 2\\; candidates: “Ann” ×1 (kim), no mention (rob)[2]"
    todo = kim.replace("coref\t1-3[2_1]", "_\t_").replace("person[2]", note)
    assert (tmp_path / "t.tsv").read_text() == todo
    (tmp_path / "t.tsv").write_text(settled := todo.replace("new[1]\t_\t_", "new[1]\tcoref\t1-3[2_1]"))
    corpus, others = told(tmp_path / "t.tsv")
    assert entities(corpus) == [("person", ["Ann", "her"])] and not others
    write(corpus, tmp_path / "again.tsv", like=tmp_path / "t.tsv")
    assert (tmp_path / "again.tsv").read_text() == settled.replace(note, "person[2]")


@pytest.mark.parametrize(
    ("meta", "note", "after"),
    [
        (None, "undecided: a", {"text": ["undecided: a"]}),
        ({"text": ["mine", "undecided: a"], "lead": 1}, "undecided: b", {"lead": 1, "text": ["mine", "undecided: b"]}),
        ({"text": ["mine", "undecided: a"]}, "", {"text": ["mine"]}),
        ({"text": "mine"}, "", {"text": "mine"}),
        ({"text": "mine"}, "undecided: b", {"text": ["mine", "undecided: b"]}),
        ({}, "", {}),
        ("other", "", "other"),
        ({"text": ["undecided: a"]}, "", None),
    ],
)
def test_other_texts_of_a_region_stay(meta, note, after):
    region = {"id": "a", **({} if meta is None else {"meta": meta})}
    assert with_note(region, note) == {"id": "a", **({} if after is None else {"meta": after})}


def test_a_correction_settles_a_mention(annotated, merged):
    write(merged.adjudication, annotated / "todo.conllu")
    with pytest.warns(RefereeWarning):
        key = read(annotated / "todo.conllu")
    move = {"op": "move", "mention": {"spans": [[5, 6]], "text": "It"}, "from": "undecided4", "to": "2"}
    file = {"corrections": 1, "key": {"name": "todo.conllu", "digest": digests(key)}, "documents": {"d": {"changes": [move]}}}
    (annotated / "c.json").write_text(json.dumps(file))
    assert referee("correct", "todo.conllu", "c.json", "-o", "new.conllu", cwd=annotated).status == 0
    text = (annotated / "new.conllu").read_text()
    assert OF_HER in text and OF_IT not in text
    assert entities(told(annotated / "new.conllu")[0]) == [("", ["Ann", "Ann"]), ("", ["dog", "It"]), ("undecided", ["her"])]
