"""Folders of CoNLL files read as one file, against reading one file after another."""

import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import FormatError
from referee.corpus import Corpus
from referee.formats import conll
from referee.formats.conll import folder as conll_folder, scan as conll_scan
from referee.inputs.reading import read_folder
from tests.formats.conll.test_conll import ROWS, document, nested
from tests.support.reading import entities_of
from tests.support.warned import silenced

FILES = st.one_of(nested(), st.lists(ROWS, max_size=6).map("\n".join))


def folder_of(texts, folder):
    for number, text in enumerate(texts):
        (folder / f"f{number}.conll").write_text(text, "utf-8")
    return str(folder)


def read(folder):
    with silenced():
        try:
            corpus = read_folder(folder, "conll")
            _ = corpus.text.words
        except FormatError as error:
            return str(error)
    return corpus


@given(texts=st.lists(FILES, min_size=1, max_size=4), block=st.sampled_from([64, 100, 1 << 20]))
def test_files_read_as_one_are_files_read_one_after_another(texts, block, tmp_path_factory):
    folder = folder_of(texts, tmp_path_factory.mktemp("folder"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll_scan, "BLOCK", block)
        together = read(folder)
        patch.setattr(conll, "read_together", lambda *_: None)
        apart = read(folder)
    assert together == apart
    if isinstance(together, Corpus) and isinstance(apart, Corpus):
        assert entities_of(together) == entities_of(apart)
        assert together.entity_types == apart.entity_types or list(together.entity_types or ()) == list(
            apart.entity_types or ()
        )
        assert together.text.fingerprints == apart.text.fingerprints


@pytest.mark.parametrize("last", ["", conll_scan.NEW_FILE, "\ufeffx\t-\n", "x\t-\r", "a\0b\t-\n"])
def test_unusual_files_are_read_one_after_another(last, tmp_path, monkeypatch):
    folder = folder_of([document("(1", "1)", name="a"), document("(2)", name="b"), last], tmp_path)
    together = read(folder)
    monkeypatch.setattr(conll, "read_together", lambda *_: None)
    assert together == read(folder)


def test_good_files_are_read_as_one(tmp_path, monkeypatch):
    folder = folder_of([document("(1", "1)", name="a"), "x\ta\t(2)\nx\tb\t-\n"], tmp_path)
    monkeypatch.delattr(conll, "read")
    corpus = read_folder(folder, "conll")
    assert corpus.doc_ids == ("a_0", "f1")
    assert corpus.words(1) == ["a", "b"]


def test_usual_files_are_read_as_one(tmp_path):
    folder_of(["#begin document (a)\nx (1\ny 1)\n#end document\n", "z (2)\n", "w\t(3)\r\nv\t-"], tmp_path)
    paths = {str(tmp_path / f"f{number}.conll"): f"f{number}" for number in range(3)}
    corpus = conll_folder.read_folder(paths, str(tmp_path))
    assert corpus is not None, "they are read one by one"
    assert corpus.doc_ids == ("a", "f1", "f2")
    assert (corpus.start.tolist(), corpus.end.tolist()) == ([0, 0, 0], [2, 1, 1])
    assert [list(words.tokens) for words in corpus.text.words] == [["x", "y"], ["z"], ["w", "v"]]


@pytest.mark.parametrize(
    ("texts", "together"),
    [
        (("z\t(person-2)\n", "w\t(place-3)\n"), True),
        (("z\t(2)\n", "w\t(3)\n"), True),
        (("z\t(person-2)\n", "w\t(3)\n"), False),
        (("z\t(2)\n", "w\t-\n", "w\t(place-3)\n"), False),
        (("z\t(2)\n", "w\t-\n", "w\t(3)\n"), True),
        ((document("(1)", name="a"), document("(1)", name="a")), False),
        ((document("(1)", name="a"), document("(1)", name="b")), True),
        ((document("(1)", name="a"), "z\t(2)\n#begin document (b)\nw\t-\n#end document\n"), False),
    ],
)
def test_files_with_and_without_types_equal_names_or_words_outside_are_read_one_by_one(texts, together, tmp_path):
    folder_of(list(texts), tmp_path)
    paths = {str(tmp_path / f"f{number}.conll"): f"f{number}" for number in range(len(texts))}
    assert (conll_folder.read_folder(paths, str(tmp_path)) is not None) == together
