"""Folders: many files read as one corpus."""

import gzip
import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from referee import CorpusBuilder, inputs, score
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.inputs.registry import FORMATS, load_format
from referee.inputs.validating import errors_of
from tests.support.reading import entities_of, links_of
from tests.support.samples import samples
from tests.support.warned import silenced

ANN = '{"tokens": ["Ann", "saw", "her"], "clusters": [[[0, 0], [2, 2]]]}\n'
BO = '{"tokens": ["Bo", "left"], "clusters": [[[0, 0]]]}\n'
NAMED = '{"doc_key": "named", "tokens": ["It"], "clusters": [[[0, 0]]]}\n'


def files(folder, contents=None, **more):
    """The folder with these files, whose names, if they are keywords, have __ for / and _ for a point."""
    named = {name.replace("__", "/").replace("_", "."): content for name, content in more.items()}
    for name, content in {**(contents or {}), **named}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_a_document_without_a_name_is_called_like_its_file(tmp_path):
    corpus = inputs.read(files(tmp_path, b_jsonl=BO, a_jsonl=ANN, c_jsonl=NAMED))
    assert corpus.doc_ids == ("a", "b", "named")
    assert corpus.format == "jsonlines"
    assert corpus.source == str(tmp_path)
    assert entities_of(corpus) == {"a": {"0": [(0, 1), (2, 3)]}, "b": {"0": [(0, 1)]}, "named": {"0": [(0, 1)]}}
    assert corpus.words(0) == ["Ann", "saw", "her"]


DAMAGED = gzip.compress(BO.encode())[:-12]
NAMES = {
    "folders inside are part of the name": ({"a.jsonl": ANN, "x/a.jsonl": BO, "x/y/a.jsonl": ANN}, None, "a x/a x/y/a"),
    "several documents without names in a file are numbered": (
        {"a.jsonl": ANN + BO, "b.jsonl": BO + NAMED, "c.jsonl": BO}, None, "a#1 a#2 b#1 named c",
    ),
    "a named format is not looked for": ({"a.txt": "A-B", "b.txt": "{C D}"}, "links", "a b"),
    "packed files are named without the gz": ({"a.jsonl.gz": gzip.compress(ANN.encode()), "b.jsonl": BO}, None, "a b"),
}  # fmt: skip


@pytest.mark.parametrize(("contents", "format", "names"), NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("path_of", [Path, str, "{}/".format])
def test_documents_are_called_by_their_files(tmp_path, contents, format, names, path_of):
    assert inputs.read(path_of(files(tmp_path, contents)), format=format).doc_ids == tuple(names.split())


FAULTS = {
    "a faulty file among good ones": ({"a.jsonl": ANN, "x/b.jsonl": '{"doc_key": '}, r"x/b\.jsonl:1: is not JSON"),
    "files that look like nothing": ({"a.txt": "Some words.\n", "b.txt": "", "c.bin": "\0\1\2"}, "^[^ ]*: has no file"),
    "a damaged packed file": ({"a.jsonl": ANN, "b.jsonl.gz": DAMAGED}, r"b\.jsonl\.gz.*cannot be read"),
    "a file and the same packed": (
        {"a.jsonl": ANN, "a.jsonl.gz": gzip.compress(ANN.encode())}, "document 'a' is in",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("contents", "problem"), FAULTS.values(), ids=FAULTS)
def test_a_fault_of_a_folder_names_the_file(tmp_path, contents, problem):
    with pytest.raises(FormatError, match=problem):
        inputs.read(files(tmp_path, contents))


@pytest.mark.parametrize("other", ["b", "named"])
def test_documents_of_files_that_share_a_name_are_called_like_their_files(tmp_path, other):
    folder = files(tmp_path, {"a.jsonl": NAMED, f"{other}.jsonl": NAMED if other == "b" else ANN, "c.jsonl": BO})
    with pytest.warns(RefereeWarning, match=r"has 2 names in several files \(named\): these documents are called like their f"):
        assert set(inputs.read(folder).doc_ids) == {"a", other, "c"}


def test_other_endings_and_hidden_files_are_left_alone(tmp_path):
    folder = files(tmp_path, a_jsonl=ANN, README_md="# Read me\n", a_log="{broken", _hidden_jsonl="{broken")
    assert (folder / ".hidden.jsonl").exists()
    with pytest.warns(RefereeWarning, match=r"left out 1 file as no annotation \(README\.md\)$"):
        assert inputs.read(folder).doc_ids == ("a",)


@pytest.mark.parametrize("format", [None, "conll"])
def test_a_folder_without_files_is_a_fault(tmp_path, format):
    (tmp_path / "inside").mkdir()
    with pytest.raises(FormatError, match="has no file that looks like any of the formats"):
        inputs.read(tmp_path, format=format)


@pytest.mark.filterwarnings("ignore:.*left out 4 annotations beside:referee.RefereeWarning")
@pytest.mark.parametrize("name", ["brat", "litbank", "booknlp", "mmax2"])
def test_files_that_belong_to_others_are_read_with_these(tmp_path, name):
    (sample,) = samples(name)[:1]
    for folder in ("x", "y"):
        for file, data in sample.items():
            (tmp_path / folder / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / file).write_bytes(data)
    corpus = inputs.read(tmp_path)
    assert corpus.format == name
    assert corpus.doc_ids == ("x/d", "y/d")


def test_key_and_response_folders_of_different_formats_are_compared_by_name(tmp_path):
    key = files(tmp_path / "key", x__a_jsonl=ANN, b_jsonl=BO)
    response = files(tmp_path / "response", x__a_json="[[[0, 1], [2, 3]]]", b_json="[[[0, 1]]]")
    assert inputs.read(response).format == "clusters"
    evaluation = score(str(key), str(response))
    assert evaluation["mentions"].f1 == 1
    assert evaluation["conll"].value == 1


def test_a_folder_against_a_file_with_all_documents_is_the_same_as_folder_against_folder(tmp_path):
    key = files(tmp_path / "key", a_jsonl=ANN, b_jsonl=BO)
    whole = tmp_path / "response.jsonl"
    whole.write_text("".join(text.replace("{", f'{{"doc_key": "{name}", ', 1) for name, text in (("a", ANN), ("b", BO))))
    assert score(str(key), str(whole))["conll"].value == score(str(key), str(key))["conll"].value == 1


def test_a_document_that_the_response_folder_lacks_is_told(tmp_path):
    key = files(tmp_path / "key", a_jsonl=ANN, b_jsonl=BO)
    response = tmp_path / "response"
    shutil.copytree(key, response)
    (response / "b.jsonl").unlink()
    with pytest.warns(RefereeWarning, match="1 of 2 documents of .* are not in .*: b; their mentions count as missed"):
        assert score(str(key), str(response))["mentions"].recall == pytest.approx(2 / 3)


def test_predictions_are_read_from_a_response_folder(tmp_path):
    both = '{"tokens": ["a", "b"], "clusters": [[[0, 0]]], "predicted_clusters": [[[1, 1]]]}\n'
    folder = files(tmp_path, a_jsonl=both)
    assert entities_of(inputs.read(folder, role="key")) == {"a": {"0": [(0, 1)]}}
    assert entities_of(inputs.read(folder, role="response")) == {"a": {"0": [(1, 2)]}}


def test_files_with_words_and_without_make_a_corpus_without(tmp_path):
    corpus = inputs.read(files(tmp_path, a_jsonl=ANN, b_jsonl='{"clusters": [[[3, 4]]]}\n'))
    assert corpus.text is None
    assert entities_of(corpus) == {"a": {"0": [(0, 1), (2, 3)]}, "b": {"0": [(3, 5)]}}


def test_what_only_some_files_have_is_kept(tmp_path):
    typed = ANN.replace("}\n", ', "entity_types": ["person"]}\n')
    corpus = inputs.read(files(tmp_path, a_jsonl=BO, b_jsonl=typed))
    assert list(corpus.entity_types or ()) == ["", "person"]


def test_the_deixis_of_documents_without_names_is_called_like_them(tmp_path):
    for name in ("a", "b"):
        builder = CorpusBuilder("x")
        builder.deixis = CorpusBuilder("x")
        for layer in (builder, builder.deixis):
            layer.document("", ["It", "rains"], [0])
            layer.mention(0, 1, "1")
        inputs.write(builder.corpus(), tmp_path / f"{name}.conllua")
        text = (tmp_path / f"{name}.conllua").read_text()
        (tmp_path / f"{name}.conllua").write_text(text.replace("# newdoc id = #1\n", ""))
    corpus = inputs.read(tmp_path)
    assert corpus.doc_ids == corpus.deixis.doc_ids == ("a", "b")


def test_every_file_of_a_folder_is_validated(tmp_path):
    assert inputs.validate(files(tmp_path / "good", a_jsonl=ANN, b_jsonl=BO)) == []
    faults = inputs.validate(files(tmp_path / "bad", a_jsonl="{", b_jsonl=BO, x__c_jsonl="3\n"), format="jsonlines")
    assert [(Path(fault.source).name, fault.line) for fault in faults] == [("a.jsonl", 1), ("c.jsonl", 1)]
    with pytest.warns(RefereeWarning, match="called like their files"):
        assert inputs.validate(files(tmp_path / "same", a_jsonl=NAMED, b_jsonl=NAMED)) == []
    (fault,) = inputs.validate(files(tmp_path / "none"))
    assert "cannot be opened" in fault.problem
    (tmp_path / "empty").mkdir()
    (fault,) = inputs.validate(tmp_path / "empty")
    assert "has no file" in fault.problem


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and links of POSIX")
def test_what_is_no_file_is_left_out_and_said(tmp_path):
    here = files(tmp_path / "here", a_jsonl=ANN)
    os.mkfifo(here / "pipe.jsonl")
    os.mkfifo(here / ".hidden.jsonl")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(here / "s.jsonl"))
    files(tmp_path / "there", b_jsonl=BO)
    (here / "link").symlink_to(tmp_path / "there")
    (here / "c.jsonl").symlink_to(tmp_path / "there/b.jsonl")
    with pytest.warns(RefereeWarning) as said:
        corpus = inputs.read(here)
    assert corpus.doc_ids == ("a", "c")
    assert [str(warning.message).removeprefix(f"{here}{os.sep}") for warning in said] == [
        "link: left out 1 link: links to folders are not followed",
        f"{here}: left out 2 entries: pipes and devices are not read (in 2 files, the first {here / 'pipe.jsonl'})",
    ]
    nowhere = here / "nowhere.jsonl"
    for target, problem in ("none", "no such file"), ("nowhere.jsonl", "too many levels of symbolic links"):
        nowhere.symlink_to(target)
        with pytest.raises(FormatError, match=rf"nowhere\.jsonl: cannot be opened: {problem}"), pytest.warns(RefereeWarning):
            inputs.read(here)
        nowhere.unlink()


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path, monkeypatch):
    files(tmp_path, a_jsonl=ANN, x__b_jsonl=BO)
    scanned = os.scandir

    def scandir(path):
        if path.endswith("x"):
            raise PermissionError(13, "Permission denied", path)
        return scanned(path)

    monkeypatch.setattr(os, "scandir", scandir)  # nothing is forbidden to the superuser
    with pytest.raises(FormatError, match=r"x: cannot be read: permission denied; expected folders that can be"):
        inputs.read(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="needs names of any bytes")
@pytest.mark.parametrize("to", ["conll", "jsonlines", "corefud", "sacr"])
def test_names_that_are_not_utf_8_are_written_and_read_again(to, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    with open(os.path.join(os.fsencode(folder), b"\xffa.jsonl"), "w") as file:
        file.write(ANN)
    corpus = inputs.read(folder)
    assert corpus.doc_ids == (r"\xffa",)
    inputs.write(corpus, tmp_path / "out", format=to)
    assert inputs.read(tmp_path / "out", format=to).doc_ids == (r"\xffa",)


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_the_first_errors_are_kept_and_all_are_counted(tmp_path, limit):
    text = "d\t0\t0\tx\t1)\n" * 50 + "d\t0\t0\tx\tx(\n" * 9 + "d\t0\t0\tx\t(2\n" * 30
    (tmp_path / "a.conll").write_text(text)
    every = inputs.validate(tmp_path / "a.conll", format="conll")
    some = errors_of(tmp_path / "a.conll", "conll", limit)
    assert list(map(str, some.first)) == list(map(str, every[:limit]))
    assert some.number == len(every) == 89
    (tmp_path / "b.conll").write_text(text)
    assert errors_of(str(tmp_path), "conll", limit).number == 2 * 89


@pytest.mark.parametrize(
    ("name", "ending"), [(name, load_format(name).document_ending) for name in FORMATS if load_format(name).document_ending]
)
def test_files_of_a_document_each_are_read_together_as_each_alone(tmp_path, name, ending):
    for document, mentions in {"a": [(0, 1), (2, 3)], "b": [], "c": [(1, 3), (0, 1), (2, 3)]}.items():
        builder = CorpusBuilder()
        builder.document("", ["Ann", "saw", "her"], [0])
        for n, (start, end) in enumerate(mentions):
            builder.mention(start, end, f"e{n % 2}", ["P", "undecided"][n % 2])
        inputs.write(builder.corpus(), tmp_path / f"{document}{ending}", format=name)
    with pytest.warns(RefereeWarning) as caught:
        together = inputs.read(tmp_path, format=name)
    said = {str(warning.message) for warning in caught}
    alone = []
    for path in together.doc_ids:
        with silenced():
            alone.append(inputs.read(tmp_path / f"{path}{ending}", format=name))
    assert together.doc_ids == ("a", "b", "c")
    assert [*entities_of(together).values()] == [entities_of(corpus)["#1"] for corpus in alone]
    assert len(links_of(together)) == sum(map(len, map(links_of, alone)))
    assert [list(together.words(n)) for n in range(3)] == [list(corpus.words(0)) for corpus in alone]
    first = tmp_path / f"a{ending}"
    assert any("has 2 mentions of the type undecided" in text and f"(in 2 files, the first {first})" in text for text in said)
