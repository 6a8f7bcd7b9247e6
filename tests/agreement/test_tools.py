"""One text in several tools: brat, WebAnno and INCEpTION, Label Studio, CoNLL; and what such folders may lack."""

import json
import zipfile
from pathlib import Path

import pytest

from referee import agree, read
from referee.basics.exceptions import RefereeWarning
from tests.support.command import referee
from tests.support.paths import SHARED

TEXT = "Mr. Ray saw her.\nHe ran."
MENTIONS = [(0, 7), (17, 19)]
WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_CH=x.CoreferenceLink|referenceType|referenceRelation

#Text=Mr. Ray saw her.
1-1	0-3	Mr.	*[1]	*->1-1
1-2	4-7	Ray	*[1]	*->1-1
1-3	8-11	saw	_	_
1-4	12-15	her	_	_
1-5	15-16	.	_	_

#Text=He ran.
2-1	17-19	He	*[1]	*->1-2
2-2	20-23	ran	_	_
2-3	23-24	.	_	_
"""


def brat(folder: Path, name: str = "d", text: str = TEXT) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.txt").write_text(text)
    rows = [f"T{n}\tMention {a} {b}\t{text[a:b]}\n" for n, (a, b) in enumerate(MENTIONS, start=1)]
    (folder / f"{name}.ann").write_text("".join(rows) + "R1\tCoref Arg1:T2 Arg2:T1\n")
    return folder


def label_studio(path: Path, **task: object) -> Path:
    regions = [
        {"id": f"m{n}", "type": "labels", "from_name": "l", "to_name": "text",
         "value": {"start": a, "end": b, "text": TEXT[a:b], "labels": ["Mention"]}}
        for n, (a, b) in enumerate(MENTIONS)
    ]  # fmt: skip
    link = {"type": "relation", "from_id": "m1", "to_id": "m0", "direction": "right", "labels": ["coreference"]}
    annotation = {"id": 1, "completed_by": 1, "result": [*regions, link]}
    path.write_text(json.dumps([{**task, "data": {"text": TEXT}, "annotations": [annotation]}]))
    return path


def conll(path: Path) -> Path:
    rows = [("Mr.", "(1"), ("Ray", "1)"), ("saw", "-"), ("her", "-"), (".", "-"), ("He", "(1)"), ("ran", "-"), (".", "-")]
    body = "".join(f"d\t0\t{n}\t{word}\t{cell}\n" for n, (word, cell) in enumerate(rows))
    path.write_text(f"#begin document (d); part 000\n{body}\n#end document\n")
    return path


def test_one_text_in_four_tools(tmp_path):
    (tmp_path / "webanno").mkdir()
    (tmp_path / "webanno" / "d.tsv").write_text(WEBANNO)
    sides = [
        brat(tmp_path / "brat", text=TEXT.replace("\n", " ") + "\n"),
        tmp_path / "webanno",
        label_studio(tmp_path / "ls.json", id=5, file_upload="a1b2c3d4-d.txt"),
        conll(tmp_path / "d.conll"),
    ]
    together = agree(*map(str, sides))
    assert together.alpha == 1 and together.together["mentions"] == 1
    for written in (["--merged", "key.conll"], ["--adjudicate", "todo.ann"]):
        assert referee("agree", *sides, *written, cwd=tmp_path).status == 0
    assert [m.text for m in read(tmp_path / "key.conll")["d"].mentions] == ["Mr . Ray", "He"]
    assert [m.text for m in read(tmp_path / "todo.ann")["#1"].mentions] == ["Mr . Ray", "He"]


def test_documents_of_other_names_are_paired_by_their_texts(tmp_path):
    key = conll(tmp_path / "d.conll")
    with pytest.warns(
        RefereeWarning, match=r"paired 1 document of .*ls.json and .* by their texts, as the names differ \(d_0 with 5\)"
    ):
        assert agree(str(key), str(label_studio(tmp_path / "ls.json", id=5))).alpha == 1


def test_one_document_of_another_name_is_paired_too_and_one_that_is_lacking_is_named(tmp_path):
    kim, rob = brat(tmp_path / "kim"), brat(tmp_path / "rob")
    brat(kim, "e", TEXT + " Then."), brat(rob, "other", TEXT + " Then."), brat(kim, "f", TEXT + " So.")
    with pytest.warns(RefereeWarning) as caught:
        found = agree(str(kim), str(rob))
    assert (found.documents, found.alpha) == (("d", "e"), 1)
    messages = [str(warning.message) for warning in caught]
    assert any("paired 1 document" in message and "(e with other)" in message for message in messages)
    assert any("left out 1 document of kim" in message and message.endswith("have: f") for message in messages)


@pytest.mark.parametrize("form", ["folder", "annotation", "zip"])
def test_the_folders_of_a_project_tell_documents_and_annotators(form, tmp_path):
    other = WEBANNO.replace("He\t*[1]\t*->1-2", "He\t_\t_")
    files = {"d.txt/kim": WEBANNO, "d.txt/rob": WEBANNO, "e.txt/kim": WEBANNO, "e.txt/rob": other, "e.txt/INITIAL_CAS": other}
    root = tmp_path / "project" / "annotation"
    for name, text in files.items():
        file = root / f"{name}.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    with zipfile.ZipFile(tmp_path / "project.zip", "w") as archive:
        for file in root.rglob("*.tsv"):
            archive.write(file, file.relative_to(root.parent))
    project = agree(str({"folder": root.parent, "annotation": root, "zip": tmp_path / "project.zip"}[form]))
    assert (project.annotators, project.documents) == (("kim", "rob"), ("d", "e"))
    # Kim has four mentions, of which Rob lacks one: P 1, R 3/4
    assert project.together["mentions"] == pytest.approx(6 / 7)


def test_a_bad_file_of_a_project_is_named_and_can_be_left_out(tmp_path):
    for name in ("d.txt/kim", "d.txt/rob", "e.txt/kim", "e.txt/rob"):
        file = tmp_path / "annotation" / f"{name}.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(WEBANNO.replace("1-3\t8-11\tsaw\t_\t_\n", "") if name == "e.txt/rob" else WEBANNO)
    done = referee("agree", tmp_path)
    assert done.status == 2 and "annotation/e.txt/rob.tsv:7: found token 1-4; expected 1-3" in done.err
    done = referee("agree", tmp_path, "--skip-bad-files")
    assert done.status == 0 and "left out 1 of 4 files that cannot be read, the first" in done.err
    assert "left out 1 document of kim" in done.err


def test_an_empty_project_says_how_to_export(tmp_path):
    (tmp_path / "annotation" / "d.txt").mkdir(parents=True)
    done = referee("agree", tmp_path)
    assert done.status == 2 and "export the project with the secondary format WebAnno TSV" in done.err


@pytest.mark.parametrize("content", ["", " \n"])
def test_a_file_of_a_folder_without_content_is_an_error(content, tmp_path):
    conll(tmp_path / "d.conll")
    (tmp_path / "e.conll").write_text(content)
    done = referee("validate", tmp_path)
    assert done.status == 1 and "e.conll: is empty; expected annotation" in done.out
    done = referee("score", tmp_path, tmp_path, "--skip-bad-files", "-q")
    assert done.status == 0 and "left out 1 of 2 files that cannot be read" in done.err


@pytest.mark.skipif(not (SHARED / "field" / "agreement").is_dir(), reason="the folder of inputs that failed is not there")
def test_inputs_that_failed():
    folder = SHARED / "field" / "agreement"
    found = agree(folder / "a.jsonlines", folder / "b.jsonlines")
    assert found.together["mentions"] == pytest.approx(1 / 2) and found.alpha < 0.5
    assert agree(folder / "brat", folder / "webanno").alpha == 1
    done = referee("validate", folder / "broken-webanno")
    assert done.status == 1 and "d.tsv:8: found token 1-4; expected 1-3" in done.out
