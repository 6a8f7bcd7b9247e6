"""Test sets are downloaded on request only, are what they should be or not kept, and then work offline."""

import io
import socket
import tarfile
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from referee.basics.exceptions import DownloadError, UnknownNameError
from referee.inputs import testsets
from referee.inputs.testsets import Entry
from referee.inputs.testsets.registry import ENTRIES
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY = (EXAMPLES / "key.conll").read_bytes()
FOLDER = {
    "a.conll": KEY.split(b"#begin document (orchard)")[0],
    "b.conll": b"#begin document" + KEY.split(b"#begin document")[2],
}
LINES = "".join(f"{sha256(content).hexdigest()}  {name}\n" for name, content in FOLDER.items())


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    """The address of a server on this machine, whose files are two test sets."""
    served = tmp_path / "served"
    served.mkdir()
    (served / "key.conll").write_bytes(KEY)
    with tarfile.open(served / "all.tar.gz", "w:gz") as archive:
        for name, content in (
            *((f"x-1/coref/conll/{name}", content) for name, content in FOLDER.items()),
            ("x-1/coref/conll/deeper/c.conll", b""),
            ("x-1/coref/conll/../../../../evil", b"evil"),
            ("/coref/conll/..", b"evil"),
            ("x-1/README", b"no key"),
        ):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("x-1/coref/conll/link.conll")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    running = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=served))
    Thread(target=running.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{running.server_port}"
    one = Entry("One file", f"{address}/key.conll", sha256(KEY).hexdigest(), len(KEY), "CC0", "Nobody")
    many = Entry("A folder", f"{address}/all.tar.gz", sha256(LINES.encode()).hexdigest(), 9000, "CC0", "Nobody", "coref/conll")
    monkeypatch.setitem(ENTRIES, "one", one)
    monkeypatch.setitem(ENTRIES, "many", many)
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "cache"))
    yield address
    running.shutdown()
    running.server_close()


def refuse(*_, **__):
    raise AssertionError("a connection is opened")


def test_a_test_set_is_downloaded_once_and_then_works_offline(server, monkeypatch):
    assert server in referee("testsets", "one").out
    before = referee("score", "testset:one", EXAMPLES / "response.conll", "-q")
    assert (before.status, len(before.errors)) == (2, 1)
    assert "testset:one is not on this machine; expected it to be downloaded: referee testsets one --download" in before.err
    path = referee("testsets", "one", "--download").out.strip()
    assert Path(path).read_bytes() == KEY
    assert Path(referee("testsets", "many", "--download").out.strip()).name == "conll"
    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    expected = referee("score", EXAMPLES / "key.conll", EXAMPLES / "response.conll", "-q")
    for name in ("one", "many"):
        done = referee("score", f"testset:{name}", EXAMPLES / "response.conll", "-q")
        assert (done.status, done.err, done.out) == (0, "", expected.out)
    assert sorted(file.name for file in Path(testsets.path("many")).iterdir()) == ["a.conll", "b.conll"]
    assert "; here" in referee("testsets").out
    assert testsets.path("one") == path


def test_a_file_that_was_changed_is_refused(server):
    assert server
    Path(testsets.download("one")).write_bytes(KEY + b"\n")
    with pytest.raises(DownloadError, match=r"is not what was downloaded; expected it to be downloaded: .* again"):
        testsets.path("one")
    testsets.download("one")
    assert testsets.path("one")


def test_what_is_not_as_it_should_be_is_not_kept(server, tmp_path):
    served = tmp_path / "served"
    (served / "other").write_bytes(b"other")
    (served / "large").write_bytes(b"x" * (5 * len(KEY)))
    (served / "no.tar.gz").write_bytes(b"no archive")
    for name, file, expected in (
        (
            "one",
            "other",
            "found content with SHA-256 d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa; expected",
        ),
        ("one", "large", "more than"),
        ("one", "none", "cannot be downloaded: File not found"),
        ("many", "no.tar.gz", "no archive that can be unpacked"),
    ):
        done = referee("testsets", name, "--download", "--mirror", f"{server}/{file}")
        assert (done.status, len(done.errors), done.out) == (2, 1, "")
        assert expected in done.err
    assert not list((tmp_path / "cache" / "testsets").iterdir())


def test_addresses_and_names():
    with pytest.raises(DownloadError, match="expected an address that begins with https"):
        testsets.download("gap-test", url="file:///etc/passwd")
    with pytest.raises(UnknownNameError):
        testsets.path("gap")
    closed = referee("testsets", "gap-test", "--download", "--mirror", "http://127.0.0.1:1/x")
    assert (closed.status, len(closed.errors)) == (2, 1)
    assert referee("testsets", "--download").status == 2
    assert referee("testsets", "gap-test", "--mirror", "http://127.0.0.1:1/x").status == 2
    assert all(entry.url.startswith("https://") and len(entry.digest) == 64 and entry.licence for entry in ENTRIES.values())
