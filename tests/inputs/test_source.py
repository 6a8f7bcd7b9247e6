"""Files that are read: their size, and that they stay what they are."""

import gzip
import os
import subprocess
import sys

import pytest

from referee import FormatError, MissingFileError, read, score, validate
from referee.formats.conll import folder as conll_folder
from referee.formats.conll.scan import UnusualError
from referee.formats.shared import source
from referee.formats.shared.source import Source, max_size
from tests.support.command import referee

TEXT = "#begin document (a)\nAnn\t(1)\nsaw\t-\nher\t(1)\n#end document\n"


def test_a_file_that_changes_before_its_words_are_read(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text(TEXT)
    corpus = read(path)
    path.write_text(TEXT.replace("saw", "him"))
    with pytest.raises(FormatError, match=r"a\.conll: was changed while it was read; expected it unchanged: try again"):
        corpus.words(0)
    assert read(path).words(0) == ["Ann", "him", "her"]


def test_a_file_that_changes_while_its_mentions_are_read(tmp_path, monkeypatch):
    path = tmp_path / "a.conll"
    path.write_text(TEXT)
    opened = Source.open

    def changed(self):
        stream = opened(self)
        os.utime(path, ns=(1, 1))
        return stream

    monkeypatch.setattr(Source, "open", changed)
    with pytest.raises(FormatError, match="was changed while it was read"):
        read(path)
    path.write_text(TEXT.replace("(1)", "(1"))  # a fault that may be the change's
    with pytest.raises(FormatError, match="was changed while it was read"):
        read(path)


def test_a_file_that_changes_while_its_words_are_read(tmp_path, monkeypatch):
    path = tmp_path / "a.conll"
    path.write_text(TEXT)
    corpus = read(path)
    text_of = Source.text

    def changed(self, on_error):
        text = text_of(self, on_error)
        path.write_text(TEXT.replace("saw", "him"))
        return text

    monkeypatch.setattr(Source, "text", changed)
    with pytest.raises(FormatError, match=r"a\.conll: was changed while it was read"):
        corpus.words(0)


def test_a_file_of_a_folder_that_changes_before_its_words_are_read(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.conll").write_text(TEXT.replace("(a)", f"({name})"))
    corpus = read(tmp_path)
    (tmp_path / "b.conll").write_text(TEXT.replace("(a)", "(b)").replace("saw", "him"))
    with pytest.raises(FormatError, match=r"b\.conll: was changed while it was read"):
        corpus.words(0)


def test_a_file_of_a_folder_that_changes_while_it_is_read_is_read_by_itself(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text(TEXT)
    pieces = conll_folder._pieces([str(path)], {})
    assert next(pieces) == TEXT.encode()
    path.write_text(TEXT + TEXT)
    with pytest.raises(UnusualError):
        list(pieces)


def test_a_file_that_is_removed_before_its_words_are_read(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text(TEXT)
    corpus = read(path)
    path.unlink()
    with pytest.raises(MissingFileError, match=r"a\.conll: cannot be opened: no such file or directory"):
        corpus.words(0)


def test_a_file_that_is_removed_while_its_mentions_are_read(tmp_path, monkeypatch):
    path = tmp_path / "a.conll"
    path.write_text(TEXT)
    opened = Source.open

    def removed(self):
        stream = opened(self)
        path.unlink()
        return stream

    source = Source(path)
    monkeypatch.setattr(Source, "open", removed)
    with pytest.raises(MissingFileError, match=r"a\.conll: cannot be opened: no such file or directory"):
        read(source)


def test_gzip_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "SMALL", 1 << 18)
    bomb = gzip.compress(TEXT.encode() + b"\n" * (1 << 20))
    (tmp_path / "a.conll.gz").write_bytes(bomb)
    for given in (tmp_path / "a.conll.gz", Source("a.conll.gz", bomb)):
        with pytest.raises(FormatError, match=r"more than 262144 bytes, unpacked; expected fewer: give --max-size"):
            read(given)
        assert len(validate(given)) == 1
    large = TEXT.replace("saw", os.urandom(1 << 19).hex())  # but no bomb
    (tmp_path / "b.conll.gz").write_bytes(gzip.compress(large.encode()))
    assert validate(tmp_path / "b.conll.gz") == []


def test_max_size(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "SMALL", 1 << 18)
    (tmp_path / "a.conll").write_text(TEXT)
    (tmp_path / "a.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "large.gz").write_bytes(gzip.compress(TEXT.encode() + b"\n" * (1 << 20)))
    quiet = ("-q", "-m", "muc")
    for key in ("a.conll", "a.gz", "-"):
        call = ("score", key, "a.conll", *quiet)
        assert referee(*call, "--max-size", "100", cwd=tmp_path, stdin=TEXT.encode()).out == "100.00\n"
        with max_size(50), pytest.raises(FormatError, match="has more than 50 bytes"):
            score(tmp_path / key if key != "-" else Source("-", TEXT.encode()), [[(0, 1)]])
    done = referee("score", "a.conll", "-", *quiet, "--max-size", "50", cwd=tmp_path, stdin=TEXT.encode())
    assert (done.status, len(done.errors)) == (2, 1)
    assert referee("score", "large.gz", "a.conll", *quiet, "--max-size", "2MB", cwd=tmp_path).out == "100.00\n"
    done = referee("validate", "a.conll", "--max-size", "x", cwd=tmp_path)
    assert "--max-size takes a size such as 8GB; found 'x'" in done.err


def test_the_largest_size_holds_for_both_files_and_no_longer_than_asked(tmp_path):
    key, response = tmp_path / "a.conll", tmp_path / "b.conll"
    key.write_text(TEXT)
    response.write_text(TEXT + "# more\n" * 100)
    with max_size(len(TEXT)):
        limited = Source(key)
        with pytest.raises(FormatError, match=r"b\.conll: has more than"):  # which another thread reads
            score(key, response)
    assert (limited.limit, Source(key).limit) == (len(TEXT), None)
    assert score(key, response)["muc"].f1 == 1


@pytest.mark.skipif(sys.platform != "linux", reason="needs a device that is full")
@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("score", "--help"), ("metrics",)])
def test_what_cannot_be_printed_is_an_error(arguments):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "referee", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, "referee: error: cannot write standard output: no space left on device\n")


@pytest.mark.skipif(sys.platform != "linux", reason="needs a device that is full")
@pytest.mark.parametrize(("name", "status"), [("a.conll", 0), ("absent.conll", 2)])
@pytest.mark.parametrize("redirect", ["2> /dev/full", "2>&-"])
def test_messages_that_cannot_be_printed_change_no_status(name, status, redirect, tmp_path):
    (tmp_path / "a.conll").write_text(TEXT + TEXT.replace("(a)", "(b)"))
    command = ["sh", "-c", f'"$@" {redirect}', "sh", sys.executable, "-m", "referee", "score", "a.conll", name, "-q", "-o", "o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", b"")
    assert (tmp_path / "o").exists() == (status == 0)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of the size of files")
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_part_of_the_output_is_an_error(buffered, tmp_path):
    (tmp_path / "a.conll").write_text("#begin document (a)\n" + "word\t(1)\n" * 10_000 + "#end document\n")
    command = ["sh", "-c", 'ulimit -f 8; exec "$@" > o', "sh", sys.executable, "-m", "referee"]
    command += ["convert", "a.conll", "-", "--to", "jsonlines"]
    env = {**os.environ, "PYTHONUNBUFFERED": buffered}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, b"referee: error: cannot write standard output: file too large\n")


@pytest.mark.skipif(sys.platform != "linux", reason="needs names of any bytes")
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "tsv", "json", "html"])
def test_names_that_are_not_utf_8_are_in_every_report(form, tmp_path):
    key, response = tmp_path / "key.conll", tmp_path / "\udcff.conll"
    for path in (key, response):
        path.write_text(TEXT)
    for verb, files in (
        *(("score", (key, response)), ("compare", (key, key, response)), ("agree", (key, response))),
        *(("errors", (key, response)), ("score", (key, response, "--by", "document"))),
    ):
        done = referee(verb, *files, "-r", form, "-o", tmp_path / "out", cwd=tmp_path)
        assert (done.status, "Traceback" in done.err) == (0, False), done
        (tmp_path / "out").read_text(encoding="utf-8")
