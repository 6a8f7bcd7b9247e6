"""What SECURITY.md promises of readers: files execute nothing, connect to nothing, write nothing, and take limited memory."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest

from referee.exceptions import FormatError, RefereeWarning
from referee.formats.reading import read
from referee.formats.registry import FORMATS, module
from referee.formats.shared.source import Source
from tests.support.mutations import samples
from tests.support.paths import ROOT


def test_no_file_executes_connects_or_writes() -> None:
    command = [sys.executable, "-m", "tests.support.watched", "5"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)
    assert (done.stderr, done.returncode) == ("", 0)
    files, seen = done.stdout.split(" ", 1)
    assert int(files) > 125
    assert seen == "[]\n"


UNITS = ["a\n", "[[0,0]],", "<a/>", "(1)|", "(1\n", '"a",', "{a b}", "\n"]


@pytest.mark.filterwarnings("ignore::referee.exceptions.RefereeWarning")
@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("docbin", "parquet", "arrow")])
def test_memory_is_at_most_300_times_the_size(name: str) -> None:
    size = 10_000
    cases = [("", unit) for unit in UNITS]
    for sample in samples(name)[:2]:
        text = next(iter(sample.values())).decode(errors="replace")
        cases += [(text, text.splitlines()[-1] + "\n"), (text[: text.find("[") + 1], "[0,0],")]
    module(name)
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


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in/a.txt").write_text("{A B} {C D}\n")
    (tmp_path / "out/b.txt").write_text("{E F}\n")
    (tmp_path / "in/link").symlink_to(tmp_path / "out")
    with pytest.warns(RefereeWarning, match="left out, as it is a link to a folder"):
        assert len(read(tmp_path / "in", format="links").doc_ids) == 1
