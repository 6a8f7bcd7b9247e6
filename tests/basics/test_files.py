"""Files that are written whole or not at all."""

import os
import stat
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from referee import CorpusBuilder, read, write
from referee.basics.exceptions import FormatError, OptionError
from referee.basics.files import output, remove_temporary, temporary, written_whole


@pytest.mark.skipif(sys.platform == "win32", reason="needs modes of POSIX")
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path):
    for mode in (0o600, 0o640, 0o755):
        path = tmp_path / f"{mode}"
        path.touch()
        path.chmod(mode)
        with output(str(path)) as out:
            (partial,) = temporary
            assert stat.S_IMODE(os.stat(partial).st_mode) == 0o600  # nobody reads it early
            out.write("new")
        assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", mode)
    with output(str(tmp_path / "new")):
        pass
    (tmp_path / "like").touch()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "like").stat().st_mode


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_a_link_to_itself_is_not_replaced(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "to").symlink_to("new")
    with pytest.raises(OptionError, match=r"cannot write .*/a: it is a link to itself"), output(str(tmp_path / "a")):
        pass
    with output(str(tmp_path / "to")) as out:
        out.write("text")
    assert (tmp_path / "a").is_symlink()
    assert (tmp_path / "to").is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "new", "to"]


def test_names_may_be_as_long_as_the_system_allows(tmp_path):
    path = tmp_path / ("a" * 250)
    with output(str(path)) as out:
        out.write("text")
    assert path.read_text() == "text"


def test_threads_may_write_one_file(tmp_path):
    builder = CorpusBuilder("c")
    builder.document("d", ["a"] * 1000)
    for place in range(1000):
        builder.mention(place, place + 1, "e")
    corpus, errors = builder.corpus(), []

    def work():
        try:
            for _ in range(5):
                write(corpus, tmp_path / "t.jsonlines")
        except Exception as error:  # noqa: BLE001  # whatever it is
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert os.listdir(tmp_path) == ["t.jsonlines"]


def test_nothing_is_left_of_what_fails(tmp_path):
    (tmp_path / "old").write_text("old")
    with pytest.raises(ZeroDivisionError), output(str(tmp_path / "old")) as out:
        out.write("new")
        1 / 0  # noqa: B018
    with pytest.raises(OptionError, match=r"cannot write .*/x: no such file or directory"), output(str(tmp_path / "none/x")):
        pass
    assert (os.listdir(tmp_path), (tmp_path / "old").read_text(), temporary) == (["old"], "old", set())


def test_what_is_temporary_goes_with_the_process(tmp_path):
    (tmp_path / "folder/inside").mkdir(parents=True)
    gone = str(tmp_path / "folder")
    with written_whole(str(tmp_path / "x")) as partial:
        Path(partial).touch()
        temporary.add(gone)
        try:
            remove_temporary()
        finally:
            temporary.discard(gone)
        assert os.listdir(tmp_path) == []
        Path(partial).touch()
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_folder_is_written_whole_or_not_at_all(is_there, tmp_path):
    folder = tmp_path / "inner/folder"
    if is_there:
        folder.mkdir(parents=True)
    builder = CorpusBuilder("c")
    for name, token in (("a/first", "Ann"), ("second", "no one")):
        builder.document(name, [token], [0])
        builder.mention(0, 1, "1")
    corpus = builder.corpus()
    with pytest.raises(FormatError, match="which brat cannot hold"):  # the second document
        write(corpus, f"{folder}/", format="brat")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert [path.name for path in tmp_path.rglob(".*")] == []
    assert (folder.exists(), temporary) == (is_there, set())
    write(corpus.select_documents(np.array([0])), f"{folder}/", format="brat")
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["first.ann", "first.txt"]
    assert read(folder).doc_ids == ("a/first",)
    (tmp_path / "file").touch()
    with pytest.raises(OptionError, match=r"cannot write .*/file/x/: not a directory"):
        write(corpus.select_documents(np.array([0])), f"{tmp_path}/file/x/", format="brat")
