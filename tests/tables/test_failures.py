"""What goes wrong with large tables ends in one line, without a score, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from referee import score
from referee.basics.exceptions import EngineError, FormatError
from referee.inputs import sources
from referee.tables import blocks, counting
from referee.tables.memory import MemoryEngine
from tests.support.tables import ENGINES, without_an_entity

arrow = pytest.importorskip("pyarrow")
each_engine = pytest.mark.parametrize("engine", ENGINES)
COMMAND = [sys.executable, "-c", "from referee.cli.main import command; command()", "score"]


def labels(rows, seed):
    rng = np.random.default_rng(seed)
    item = rng.permutation(rows)
    return arrow.table({"item": item * 10**6, "entity": item // 3 + (rng.random(rows) < 0.1)})


def write(table, path, **options):
    import_module("pyarrow.parquet").write_table(table, path, write_page_checksum=True, **options)
    return str(path)


@pytest.fixture
def files(tmp_path):
    return write(labels(3000, 1), tmp_path / "key.parquet"), write(labels(3000, 2), tmp_path / "response.parquet")


@each_engine
def test_a_file_that_is_cut_off(engine, files):
    whole = Path(files[1]).read_bytes()
    Path(files[1]).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match=r"response.parquet: is no Parquet file that can be read: .*magic bytes"):
        score(*files, engine=engine)


@each_engine
def test_a_bit_that_flipped(engine, tmp_path):
    paths = [
        write(labels(3000, n), tmp_path / f"{n}.parquet", compression="none", use_dictionary=False, column_encoding="PLAIN")
        for n in (1, 2)
    ]
    data = bytearray(Path(paths[0]).read_bytes())
    data[len(data) // 4] ^= 1
    Path(paths[0]).write_bytes(data)
    with pytest.raises(FormatError, match=r"1.parquet: is no Parquet file that can be read: .*(crc|CRC|checksum)"):
        score(*paths, engine=engine)


@each_engine
def test_a_file_that_changes_while_it_is_read(engine, files, monkeypatch):
    read = sources.ParquetFiles.batches

    def slowly(self, columns):
        yield from read(self, columns)
        os.utime(self.files[0].path, ns=(1, 1))

    monkeypatch.setattr(sources.ParquetFiles, "batches", slowly)
    with pytest.raises(EngineError, match=r"key.parquet was changed while it was read; nothing is reported: score again"):
        score(*files, engine=engine)


def test_an_engine_that_loses_rows(files, monkeypatch):
    def lossy(self):
        return without_an_entity(whole(self))

    whole = MemoryEngine.cells
    monkeypatch.setattr(MemoryEngine, "cells", lossy)
    with pytest.raises(EngineError, match=r"the engine made \d+ mentions of 3000 rows of .*key.parquet; nothing is reported"):
        score(*files)


@each_engine
def test_an_engine_that_loses_rows_of_documents(engine, tmp_path, monkeypatch):
    table = labels(3000, 1).append_column("document", arrow.array(np.arange(3000) // 10))
    path = write(table, tmp_path / "key.parquet")
    count = counting.BlockKernel.__call__
    monkeypatch.setattr(counting.BlockKernel, "__call__", lambda self, key, response: count(self, key.slice(1), response))
    with pytest.raises(EngineError, match=r"counted 2999 of 3000 rows of .*key.parquet; nothing is reported"):
        score(path, path, engine=engine)


@each_engine
def test_a_document_that_does_not_fit(engine, tmp_path, monkeypatch):
    table = labels(3000, 1).append_column("document", arrow.array([1] * 3000))
    path = write(table, tmp_path / "key.parquet")
    monkeypatch.setattr(blocks, "BLOCK", 100)
    monkeypatch.setattr(blocks, "BYTES", 20_000)
    with pytest.raises(
        EngineError, match=r"^the document 1 has 6000 rows or more, which do not fit into memory; nothing .*--memory$"
    ):
        score(path, path, engine=engine, memory="100MB")
    assert score(path, path, engine=engine, memory="200MB")["b_cubed"].value == 1


class TestDuckDB:
    """What only an engine with a disk can do."""

    duckdb = pytest.importorskip("duckdb")

    def test_little_memory_gives_the_same_bits(self, tmp_path):
        paths = [write(labels(200_000, n), tmp_path / f"{n}.parquet") for n in (1, 2)]
        few = score(*paths, metrics="all", engine="duckdb", memory="60MB", threads=1, spill=str(tmp_path))
        many = score(*paths, metrics="all", engine="memory")
        assert {m: s.value.hex() for m, s in few.items()} == {m: s.value.hex() for m, s in many.items()}
        assert sorted(os.listdir(tmp_path)) == ["1.parquet", "2.parquet"]

    def test_too_little_memory_is_said_with_the_step(self, tmp_path):
        paths = [write(labels(200_000, n), tmp_path / f"{n}.parquet") for n in (1, 2)]
        with pytest.raises(
            EngineError, match=r"DuckDB has too little memory for the step \w+.*: raise --memory, or give --thr"
        ):
            score(*paths, engine="duckdb", memory="8MB", spill=str(tmp_path))
        assert sorted(os.listdir(tmp_path)) == ["1.parquet", "2.parquet"]

    @pytest.mark.parametrize("real", [False, True], ids=["pretended", "tmpfs"])
    def test_a_full_disk(self, real, tmp_path, monkeypatch):
        paths = [write(labels(200_000, n), tmp_path / f"{n}.parquet") for n in (1, 2)]
        spill = tmp_path / "spill"
        spill.mkdir()
        if real and (os.name != "posix" or subprocess.call(["mount", "-t", "tmpfs", "-o", "size=5m", "tmpfs", spill])):
            pytest.skip("no file system can be mounted here")
        if not real:
            monkeypatch.setattr("referee.tables.duckdb.shutil.disk_usage", lambda _: SimpleNamespace(total=100, free=1))
        try:
            problem = r"the spill folder .*spill is full after \d+\.\d GB; expected up to 0.0 GB: use --spill"
            with pytest.raises(EngineError, match=problem):
                score(*paths, engine="duckdb", memory="60MB", threads=1, spill=str(spill))
            assert os.listdir(spill) == []
        finally:
            if real:
                subprocess.run(["umount", spill], check=True)

    def test_a_disk_that_is_too_small_is_seen_before(self, tmp_path, monkeypatch):
        paths = [write(labels(200_000, n), tmp_path / f"{n}.parquet") for n in (1, 2)]
        usage = SimpleNamespace(total=100_000_000, free=17_000_000)
        monkeypatch.setattr("referee.tables.duckdb.shutil.disk_usage", lambda _: usage)
        problem = r"the spill folder .* has 0.0 GB free; expected up to 0.0 GB \(45 bytes a row\): use --spill"
        with pytest.raises(EngineError, match=problem):
            score(*paths, engine="duckdb", memory="20MB", spill=str(tmp_path))
        assert sorted(os.listdir(tmp_path)) == ["1.parquet", "2.parquet"]

    def test_a_join_that_spills_keeps_all_rows(self, tmp_path):
        """The reproduction of DuckDB's issue 25702, where such a join lost rows."""
        with self.duckdb.connect(str(tmp_path / "x.duckdb"), config={"memory_limit": "25MB", "threads": "2"}) as connection:
            connection.execute("CREATE TABLE a AS SELECT range AS i, range % 7 AS v FROM range(2000000)").fetchall()
            connection.execute("CREATE TABLE b AS SELECT range * 2 AS i, range % 5 AS w FROM range(1000000)").fetchall()
            found = connection.execute("SELECT count(*), sum(v), sum(w) FROM a JOIN b USING (i)").fetchall()
        even = np.arange(1_000_000)
        assert found == [(1_000_000, int((even * 2 % 7).sum()), int((even % 5).sum()))]

    @pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name != "posix", reason="signals of POSIX")
    @pytest.mark.parametrize("times", [1, 3])
    def test_an_interrupted_run_leaves_nothing_behind(self, times, tmp_path):
        paths = [write(labels(1_000_000, n), tmp_path / f"{n}.parquet") for n in (1, 2)]
        spill = tmp_path / "spill"
        spill.mkdir()
        run = subprocess.Popen(
            [*COMMAND, *paths, "--engine", "duckdb", "--spill", str(spill), "--memory", "100MB"],
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + 60
        while not os.listdir(spill) and time.monotonic() < until:
            time.sleep(0.01)
        for _ in range(times):
            run.send_signal(signal.SIGINT)
            time.sleep(0.05)
        _, error = run.communicate(timeout=60)
        assert (run.returncode, error, os.listdir(spill)) == (130, "", [])


IN_PARTS = """
import os, signal, sys
from referee.cli.main import command
from referee.tables import cells
name, parts, cells.BYTES = sys.argv.pop(), cells.whole_components, 10**6

def interrupted(rest, limit):
    os.kill(os.getpid(), signal.Signals[name])
    return parts(rest, limit)

cells.whole_components = interrupted
command()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@each_engine
def test_an_interrupt_while_a_clustering_is_counted_in_parts(engine, name, files, tmp_path):
    spill = tmp_path / "spill"
    spill.mkdir()
    options = ["--engine", engine, "--memory", "100MB", "--spill", str(spill), "--counts", str(spill / "counts.parquet")]
    run = subprocess.run(
        [sys.executable, "-c", IN_PARTS, "score", *files, *options, name],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (128 + signal.Signals[name], "", "")
    assert os.listdir(spill) == []
