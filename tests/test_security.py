"""What SECURITY.md promises: files execute nothing, connect to nothing, write nothing, and take limited memory.

Other promises have their tests elsewhere: pages in pages/inspector/test_hostile.py, outputs that are whole or absent in
basics/test_files.py and cli/test_signals.py, mistakes in one line in test_damaged_inputs.py and formats/test_every_format.py,
the folder for sorting in tables/test_failures.py.
"""

import gzip
import json
import os
import subprocess
import sys
import tracemalloc
import zipfile
from contextlib import suppress
from importlib.util import find_spec

import numpy as np
import pytest

from referee import agree, errors
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.formats.shared.safe_xml import parse
from referee.formats.shared.source import Source, max_size
from referee.inputs.reading import read
from referee.inputs.registry import FORMATS
from referee.pages.inspector.inspection import inspect
from tests.support.mutations import limited
from tests.support.paths import EXAMPLES, ROOT
from tests.support.samples import MADE, samples


def test_no_file_executes_connects_or_writes():
    command = [sys.executable, "-m", "tests.support.watched", "5"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)
    assert (done.stderr, done.returncode) == ("", 0)
    files, seen = done.stdout.split(" ", 1)
    assert int(files) > 125
    assert seen == "[]\n"


WATCHED = """
import os, sys, warnings
warnings.simplefilter("ignore")
from referee.cli.main import main
written, seen = set(), []
def hook(event, args):
    if event == "open" and ((args[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)):
        written.add(os.path.dirname(os.path.realpath(os.fsdecode(args[0]))) if not isinstance(args[0], int) else "")
    if event.startswith(("socket.", "urllib.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "pickle.")):
        seen.append(event)
sys.addaudithook(hook)
status = [main(line.split()) for line in sys.stdin]
print(status, sorted(written - {"", "/dev"}) in ([], [os.getcwd()]), sorted(set(seen)), file=sys.stderr)
"""

COMMANDS = {
    "score KEY RESPONSE --counts counts.parquet": ["counts.parquet"],
    "score KEY RESPONSE --intervals": [],
    "errors KEY RESPONSE": [],
    "compare KEY RESPONSE SECOND": [],
    "agree KEY RESPONSE SECOND": [],
    "validate KEY": [],
    "convert KEY key.jsonlines": ["key.jsonlines"],
    "convert KEY key.conllu.gz": ["key.conllu.gz"],
    "inspect KEY RESPONSE -o page.html": ["page.html"],
    "correlate KEY RESPONSE SECOND": [],
}
"""Commands, and what they write."""


@pytest.mark.extras
def test_commands_write_what_is_named_connect_to_nothing_and_start_nothing(tmp_path):
    names = {"KEY": "key.conll", "RESPONSE": "response.conll", "SECOND": "second.jsonlines"}
    lines = [" ".join(str(EXAMPLES / names[w]) if w in names else w for w in line.split()) for line in COMMANDS]
    if not find_spec("pyarrow"):
        lines = [line for line in lines if "--counts" not in line]
    environ = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", WATCHED]
    done = subprocess.run(  # noqa: PLW1510  # checked below
        command, input="\n".join(lines), capture_output=True, text=True, cwd=tmp_path, env=environ, timeout=300
    )
    expected = {file for line, files in COMMANDS.items() for file in files if find_spec("pyarrow") or "--counts" not in line}
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, f"{[0] * len(lines)} True []"), done.stderr
    assert {path.name for path in tmp_path.iterdir()} == expected


def test_entities_of_xml_are_not_expanded(tmp_path):
    (tmp_path / "file.txt").write_text("CONTENT")
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "HA"}">' for n in range(10))
    for name in FORMATS:
        if name in MADE:
            continue
        for sample in samples(name):
            text = next(iter(sample.values())).decode().removeprefix('<?xml version="1.0"?>')
            root, end, rest = text.partition(">")
            for entity, use in ((f'<!ENTITY e SYSTEM "file://{tmp_path}/file.txt">', "&e;"), (laughs, "&l9;")):
                data = f"<!DOCTYPE x [{entity}]>{root}{end}{use}{rest}".encode()
                with suppress(FormatError, RefereeWarning):
                    corpus = read(Source("x", data), format=name)
                    words = [] if corpus.text is None else corpus.text.words
                    assert not [token for of in words for token in of.tokens if "CONTENT" in token or "HAHA" in token]


def test_defaults_of_xml_are_not_added_to_each_element():
    defaults = "".join(f'd{n} CDATA "v" ' for n in range(1000))
    data = f"<!DOCTYPE x [\n<!ATTLIST a {defaults}>]><x>{'<a/>' * 1000}</x>".encode()
    with pytest.raises(FormatError, match="x:2: declares attributes of XML"):
        parse(Source("x", data))


@limited(5)
def test_long_addresses_of_namespaces_are_not_written_before_each_tag():
    address, elements = "u" * 500_000, '<p:a p:b="c"/>' * 20_000
    root = parse(Source("x", f"<p:x xmlns:p='{address}' p:y='z'>{elements}</p:x>".encode()))
    assert (root.tag, root.attributes, {(child.tag, *child.attributes) for child in root}) == ("x", {"y": "z"}, {("a", "b")})


def test_gzip_that_unpacks_to_too_much_is_refused(tmp_path):
    (tmp_path / "bomb.conll.gz").write_bytes(gzip.compress(b"a\t-" + b"\n" * (1 << 26), 9))  # 64 MB in 64 KB
    with pytest.raises(FormatError, match=r"has more than 67108864 bytes, unpacked; expected fewer: give --max-size"):
        read(tmp_path / "bomb.conll.gz", format="conll")
    (tmp_path / "a.conll").write_text("a\t(1)\n" * 200)
    for data in (None, b"a\t(1)\n" * 200):
        with max_size(1000), pytest.raises(FormatError, match="has more than 1000 bytes"):
            read(Source(tmp_path / "a.conll", data), format="conll")


def test_a_bomb_behind_an_honest_beginning_is_refused_where_it_begins(tmp_path):
    key = "#begin document (a)\n" + "Ann\t(1)\n" * 1000 + "#end document\n"
    end = b"# " + np.random.default_rng(0).bytes(1 << 21).hex().encode()  # without it, the file has not 200 times its size
    (tmp_path / "bomb.conll.gz").write_bytes(gzip.compress(key.encode() + b"\n" * (1 << 28) + end))
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"has more than \d+ bytes, unpacked"):
            Source(tmp_path / "bomb.conll.gz").raw()
        assert tracemalloc.get_traced_memory()[1] < 1 << 28
    finally:
        tracemalloc.stop()


UNITS = ["a\n", "[[0,0]],", "<a/>", "(1)|", "(1\n", '"a",', "{a b}", "\n"]


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@pytest.mark.parametrize("name", [name for name in FORMATS if name not in MADE])
def test_memory_is_at_most_300_times_the_size(name):
    size = 10_000
    cases = [("", unit) for unit in UNITS]
    for sample in samples(name)[:2]:
        text = next(iter(sample.values())).decode(errors="replace")
        cases += [(text, text.splitlines()[-1] + "\n"), (text[: text.find("[") + 1], "[0,0],")]
    with suppress(FormatError):
        read(Source("x", b"a"), format=name)  # its modules are no memory of a file
    for start, unit in cases:
        data = (start + unit * (size // len(unit) + 1)).encode()
        tracemalloc.start()
        try:
            with suppress(FormatError):
                corpus = read(Source("x", data), format=name)
                assert corpus.text is None or corpus.text.words is not None
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 300 * len(data) + 200_000, (start[:30], unit[:30], peak / len(data))


def test_links_out_of_a_folder_are_not_followed(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in/a.txt").write_text("{A B} {C D}\n")
    (tmp_path / "out/b.txt").write_text("{E F}\n")
    (tmp_path / "in/link").symlink_to(tmp_path / "out")
    with pytest.warns(RefereeWarning, match="left out 1 link: links to folders are not followed"):
        assert len(read(tmp_path / "in", format="links").doc_ids) == 1


def unlike(mentions):
    """Entities of key and response, and words: every mention is in another entity, of four mentions or so."""
    rng = np.random.default_rng(0)
    entity = rng.integers(0, mentions // 4, (2, mentions))
    return [[[[m, m] for m in np.flatnonzero(of == e).tolist()] for e in np.unique(of).tolist()] for of in entity], mentions


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
def test_errors_and_pages_take_memory_in_proportion(tmp_path):
    """Quadratic memory would be 9 times as much for 3 times the mentions."""
    peaks = {"kind": [], "entity": [], "page": []}
    for mentions in (20, 80, 240):  # the first one loads the modules
        sides, words = unlike(mentions)
        files = [tmp_path / "key.jsonlines", tmp_path / "response.jsonlines"]
        for file, entities in zip(files, sides, strict=True):
            file.write_text(json.dumps({"doc_key": "d", "sentences": [["w"] * words], "clusters": entities}))
        size = sum(file.stat().st_size for file in files)
        for name, of_name in peaks.items():
            tracemalloc.start()
            try:
                if name == "page":
                    inspect(*files).save(tmp_path / "page.html")
                else:
                    errors(*files).report(by=name)
                of_name.append(tracemalloc.get_traced_memory()[1] / size)
            finally:
                tracemalloc.stop()
    for _, less, more in peaks.values():
        assert more < min(300, 1.6 * less), peaks


@pytest.mark.parametrize("kind", ["xlsx", "zip"])
def test_zip_files_that_unpack_to_far_more_are_refused(kind, tmp_path):
    bomb = tmp_path / f"bomb.{kind}"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr({"xlsx": "xl/workbook.xml", "zip": "annotation/d.txt/kim.tsv"}[kind], bytes(1 << 27))
    if kind == "xlsx":
        pytest.importorskip("openpyxl", reason="the extra referee[xlsx] is not installed")
    with pytest.raises(FormatError, match=r"bomb\.\w+: has more than \d+ bytes, unpacked; expected fewer: give --max-size"):
        read(bomb, format="xlsx") if kind == "xlsx" else agree(bomb)
