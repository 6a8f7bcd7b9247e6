"""The engine Spark in one local session, and on a cluster whose worker is killed."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from referee import score
from referee.basics import progress
from referee.basics.exceptions import EngineError, RefereeError
from referee.stats.counts import single
from referee.tables.engine import SideTotals
from tests.support.tables import arrow_table, bits, rows_of, shuffled, written

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

LOCAL = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.bindAddress": "127.0.0.1",
    # To compile each of the many small plans takes longer than to run it; the cluster and Spark Connect compile theirs.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@pytest.fixture(scope="module")
def session():
    """One session for all tests of this module: a start takes seconds."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = pyspark.sql.SparkSession.builder.master("local[2, 2]").config(map=LOCAL)
    started = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    yield started
    started.stop()


def labels(seed, documents):
    """Key and response with items, and documents, on one side only."""
    rng = random.Random(seed)

    def side():
        few = [d for d in range(documents) if d == 0 or rng.random() < 0.8]
        return {d: {item: rng.randrange(9) for item in range(-3, 40) if rng.random() < 0.8} for d in few}

    return side(), side()


@pytest.mark.parametrize("documents", [1, 5], ids=["one clustering", "documents"])
@pytest.mark.parametrize("seed", range(4))
def test_spark_gives_the_bits_of_the_rows_in_memory(session, documents, seed, tmp_path):
    text = seed % 2 == 1
    pair = labels(seed, documents)
    tables = [arrow_table(rows_of(side), documents > 1, text=text) for side in pair]
    mixed = [arrow_table(shuffled(rows_of(side), seed), documents > 1, text=text) for side in pair]
    options = [{}, {}, {"singletons": "drop"}, {"items": "key"}][seed]
    want = score(*tables, metrics="all", engine="memory", **options)
    frames = [session.createDataFrame(table).repartition(3) for table in mixed]
    paths = [written(table, tmp_path / str(n), 3, 4) for n, table in enumerate(mixed)]
    of_frames = score(*frames, metrics="all", **options)
    assert of_frames.signature == want.signature
    for found in (of_frames, score(*paths, metrics="all", engine="spark", **options)):
        assert (bits(found.counts), found.documents) == (bits(want.counts), want.documents)


def test_the_key_is_prepared_once_for_several_responses(session, monkeypatch):
    from referee.scoring.score import score_each
    from referee.tables.spark import SparkEngine

    made = []
    rows = SparkEngine._rows
    monkeypatch.setattr(SparkEngine, "_rows", lambda self, side: made.append(side.source) or rows(self, side))
    key, *responses = (arrow_table(rows_of(labels(seed, 1)[0]), False) for seed in range(3))
    frames = [(None, session.createDataFrame(response)) for response in responses]
    for response, found in zip(responses, score_each(session.createDataFrame(key), frames, engine="spark"), strict=True):
        assert bits(found.counts) == bits(score(key, response, engine="memory").counts)
    assert len(made) == 3


def test_the_session_of_the_user_stays_as_it_was(session):
    session.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "true")
    frames = [session.createDataFrame(arrow_table(rows_of(side), True)) for side in labels(1, 3)]
    score(*frames)
    assert session.conf.get("spark.sql.adaptive.coalescePartitions.enabled") == "true"
    assert session.range(3).count() == 3
    assert not session.sparkContext._jsc.getPersistentRDDs()


def with_gap(table):
    column = table.column("cluster_id").to_pylist()
    return table.set_column(table.schema.names.index("cluster_id"), "cluster_id", [[None, *column[1:]]])


def with_conflict(table):
    pa = pytest.importorskip("pyarrow")
    first = table.slice(0, 1)
    place = table.schema.names.index("cluster_id")
    return pa.concat_tables([table, first.set_column(place, "cluster_id", [[99]]).cast(table.schema)])


def strange(table):
    place = table.schema.names.index("record_id")
    return table.set_column(place, "record_id", [[n + 1000 for n in table.column("record_id").to_pylist()]])


@pytest.mark.parametrize("documents", [1, 3], ids=["one clustering", "documents"])
@pytest.mark.parametrize("spoil", [with_gap, with_conflict, strange])
def test_wrong_rows_are_refused_as_in_memory(session, documents, spoil):
    key, response = (arrow_table(rows_of(side), documents > 1) for side in labels(2, documents))
    with pytest.raises(RefereeError, match=r"\w") as want:  # the same one is expected below
        score(key, spoil(response), engine="memory", repeated_mentions="error")
    with pytest.raises(RefereeError, match=r"\w") as found:
        score(session.createDataFrame(key), session.createDataFrame(spoil(response)), repeated_mentions="error")
    if spoil is strange:  # the items of examples are any
        assert "no record in common" in str(found.value)
    elif spoil is with_conflict:  # frames of Spark have no mentions
        assert "repeated record" in str(want.value)
        assert "has items in two entities" in str(found.value)
    else:
        assert str(found.value) == str(want.value)


def test_an_interrupt_ends_the_jobs_and_is_raised_plainly(session, caplog, tmp_path):
    def slow(table):
        (tmp_path / "counting").touch()
        time.sleep(900)

    frames = [session.createDataFrame(arrow_table(rows_of(side), True)) for side in labels(1, 3)]
    tracker, handler = session.sparkContext.statusTracker(), signal.getsignal(signal.SIGINT)

    def interrupt():
        deadline = time.monotonic() + 120
        while not (tmp_path / "counting").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    thread = Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt) as found:
        score(*frames, metrics={"slow": slow})
    thread.join()
    assert (found.value.__cause__, caplog.text, signal.getsignal(signal.SIGINT)) == (None, "", handler)
    assert not tracker.getActiveStageIds()
    assert len(score(*frames).documents) == 3


def test_a_task_that_fails_says_why_in_one_line(session):
    def fails(table):
        raise ArithmeticError("the metric cannot count this")

    frames = [session.createDataFrame(arrow_table(rows_of(side), True)) for side in labels(1, 3)]
    with pytest.raises(EngineError, match=r"^Spark cannot count the documents: .*the metric cannot count this") as found:
        score(*frames, metrics={"fails": fails})
    assert "\n" not in str(found.value)


def test_a_worker_with_too_little_memory_says_what_does_not_fit(session):
    def large(*_):
        raise MemoryError

    frames = [session.createDataFrame(arrow_table(rows_of(side), True)) for side in labels(1, 3)]
    remedy = (
        r"do not fit into the memory of a worker: raise spark\.executor\.memoryOverhead, or give each executor fewer cores$"
    )
    with pytest.raises(EngineError, match=rf"^Spark cannot count the documents: the \d+ rows of a bucket {remedy}") as found:
        score(*frames, metrics={"large": large})
    assert "\n" not in str(found.value)


def test_a_worker_that_was_killed_is_one_line_with_the_remedy():
    from referee.tables.spark_jobs import reason

    crashed = "org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)"
    remedy = "if its memory was too small, raise spark.executor.memoryOverhead, or give each executor fewer cores"
    said = f"Job aborted due to stage failure\n{crashed}\n\tat org.apache.spark.api.python.BasePythonRunner"
    assert reason(RuntimeError(said)) == f"SparkException: Python worker exited unexpectedly (crashed); {remedy}"


def test_progress_says_which_tasks_are_retried(session, tmp_path):
    def fails_once(table):
        try:
            (tmp_path / "tried").touch(exist_ok=False)
        except FileExistsError:
            deadline = time.monotonic() + 60
            while not (tmp_path / "seen").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            return single(table.key_entities, table.key_entities)
        raise ArithmeticError

    steps = []

    def told(what, _):
        steps.append(what)
        if "retried" in what:
            (tmp_path / "seen").touch()

    frames = [session.createDataFrame(arrow_table(rows_of(side), True)) for side in labels(1, 1)]
    with progress.use_progress(told):
        score(*frames, metrics={"fails_once": fails_once})
    assert "count the documents, 1 task retried" in steps


def test_a_metric_of_the_caller_is_counted_by_the_workers(session):
    def cells(table):
        return single(table.sum_cells(np.ones_like(table.shared)), table.key_entities)

    pair = [arrow_table(rows_of(side), True) for side in labels(1, 3)]
    found = score(*map(session.createDataFrame, pair), metrics={"cells": cells})
    assert bits(found.counts) == bits(score(*pair, metrics={"cells": cells}, engine="memory").counts)


def test_rows_that_a_join_loses_are_noticed(session, monkeypatch):
    from referee.tables.spark import SparkEngine

    whole = SparkEngine.one
    monkeypatch.setattr(SparkEngine, "one", lambda self, frame: {n: v - (n == "k_rows") for n, v in whole(self, frame).items()})
    frames = [session.createDataFrame(arrow_table(rows_of(side), False)) for side in labels(1, 1)]
    with pytest.raises(EngineError, match=r"rows of .*; nothing is reported"):
        score(*frames)


def test_documents_that_are_lost_on_the_way_are_noticed(session, monkeypatch):
    from referee.tables.spark import SparkEngine

    whole = SparkEngine._tally
    monkeypatch.setattr(SparkEngine, "_tally", lambda self, rows: (t := whole(self, rows))._replace(rows=t.rows + 1))
    frames = [session.createDataFrame(arrow_table(rows_of(side), True)) for side in labels(1, 3)]
    with pytest.raises(EngineError, match=r"rows of .*; nothing is reported"):
        score(*frames)


@pytest.mark.parametrize(("java", "found"), [(None, "none"), ('openjdk version "11.0.2" 2019-01-15', "11")])
def test_java_that_is_missing_or_too_old_is_named(java, found, tmp_path, monkeypatch):
    from referee.tables.spark_session import check_java

    if java is not None:
        (tmp_path / "java").write_text(f"#!/bin/sh\necho '{java}' >&2\n")
        (tmp_path / "java").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match=rf"^Spark needs Java: found {found}; expected Java 17 or newer: apt-get install"):
        check_java()


def test_options_of_spark_need_the_engine():
    table = arrow_table([], False)
    with pytest.raises(ValueError, match="add --engine spark"):
        score(table, table, master="local[2]")
    with pytest.raises(ValueError, match="--spark-conf takes NAME=VALUE"):
        score(table, table, engine="spark", spark_conf="memory")


def test_a_session_with_another_master_is_not_taken_for_the_one_that_is_named(session):
    table = arrow_table([], False)
    with pytest.raises(
        ValueError, match=r"^found --master local\[7\]; a session of Spark with the master local\[2, 2\] is active"
    ):
        score(table, table, engine="spark", master="local[7]")


COMMAND = "from referee.cli.main import command; command()"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("name", "when"),
    [("SIGINT", "referee-*"), ("SIGTERM", "shuffle_*")],
    ids=["while Java starts", "while rows are brought together"],
)
def test_a_signal_ends_the_command_at_once_and_leaves_nothing_behind(name, when, tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rng, rows = np.random.default_rng(1), 1_000_000
    item, paths, spill = np.arange(rows), [tmp_path / "key.parquet", tmp_path / "response.parquet"], tmp_path / "spill"
    for path in paths:
        order = rng.permutation(rows)
        parquet.write_table(pa.table({"item": order, "entity": (item // 3 + (rng.random(rows) < 0.3))[order]}), path)
    spill.mkdir()
    options = ["--engine", "spark", "--master", "local[1]", "--spill", spill, "--counts", tmp_path / "counts.parquet"]
    with (tmp_path / "error").open("w+") as error:
        run = subprocess.Popen([sys.executable, "-c", COMMAND, "score", *paths, *options], stderr=error)
        while not list(tmp_path.rglob(when)):
            assert run.poll() is None, "the run was over before the signal"
            time.sleep(0.01)
        children = subprocess.run(["ps", "--ppid", str(run.pid), "-o", "pid="], capture_output=True, check=False).stdout.split()
        run.send_signal(signal.Signals[name])
        run.wait(60)
        said = error.seek(0) or error.read()
    assert run.returncode == 128 + signal.Signals[name]
    assert "Traceback" not in said and "Exception" not in said, said
    assert sorted(os.listdir(tmp_path)) == ["error", "key.parquet", "response.parquet", "spill"]
    assert os.listdir(spill) == []
    assert not [pid for pid in children if Path(f"/proc/{int(pid)}").exists()]


ROWS = int(os.environ.get("REFEREE_SPARK_ROWS", "1000000"))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture
def cluster(session, tmp_path):
    """A master and two workers on loopback, each in a process group of its own."""
    session.stop()  # a process has one session at a time
    port, home = free_port(), Path(pyspark.__file__).parent
    started = []

    def start(*command):
        environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        log = (tmp_path / f"{len(started)}.log").open("wb")
        started.append(
            subprocess.Popen(
                [str(home / "bin" / "spark-class"), *command], env=environment, stdout=log, stderr=log, start_new_session=True
            )
        )

    start("org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port()))
    url = f"spark://127.0.0.1:{port}"
    for number in range(2):
        worker = ("org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "2g")
        start(*worker, "--webui-port", str(free_port()), "--work-dir", str(tmp_path / f"work{number}"), url)
    deadline = time.monotonic() + 120
    while "Registering worker" not in (tmp_path / "0.log").read_text() and time.monotonic() < deadline:
        time.sleep(0.5)
    yield url, started
    for process in started:
        end(process)


def end(process):
    """Kill a process with the executors and Python workers that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


SCORE = """
import json, re, sys
import referee
from tests.support.tables import bits
key, response, url, out = sys.argv[1:]
conf = {"spark.executor.memory": "1g", "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.sql.shuffle.partitions": "8"}
options = {"engine": "spark", "master": url, "spark_conf": conf} if url else {"engine": "memory"}
found = referee.score(key, response, metrics="all", **options)
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) >> 10  # not that of the parent, as ru_maxrss
open(out, "w").write(json.dumps([list(found.documents), sorted(map(str, bits(found.counts).items())), peak]))
"""


@pytest.mark.parametrize(("rows", "partitions"), [(0, "2"), (999_998, "2"), (1_000_000, "3"), (10**8, "50"), (10**12, "50")])
def test_shuffles_have_partitions_for_the_rows(session, rows, partitions, monkeypatch):
    """One a core at least, at most as many as the session says, and afterwards those of the session."""
    from referee.tables import spark

    session.conf.set(spark.PARTITIONS, "50")
    try:
        seen = []

        def tally(_self, _rows):
            return SideTotals(rows // 2, 0)

        def cells(engine):
            seen.append(engine.session.conf.get(spark.PARTITIONS) or "")
            raise EngineError("enough")

        monkeypatch.setattr(spark.SparkEngine, "_tally", tally)
        monkeypatch.setattr(spark.SparkEngine, "cells", cells)
        table = session.createDataFrame([(1, 1)], "item long, entity long")
        with pytest.raises(EngineError, match="enough"):
            score(table, table, engine="spark")
        assert seen == [partitions]
        assert session.conf.get(spark.PARTITIONS) == "50"
    finally:
        session.conf.set(spark.PARTITIONS, LOCAL[spark.PARTITIONS])


@pytest.mark.slow
def test_a_killed_worker_changes_no_bit(cluster, tmp_path):
    import json

    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rng = np.random.default_rng(1)
    item = np.arange(ROWS)
    document, entity = item // 100, rng.integers(0, 20, ROWS)
    moved = np.where(rng.random(ROWS) < 0.1, rng.integers(0, 20, ROWS), entity)
    for name, of, order in (("key", entity, item), ("response", moved, rng.permutation(ROWS))):
        table = pa.table({"document": document[order], "item": item[order] % 100, "entity": of[order]})
        parquet.write_table(table, tmp_path / f"{name}.parquet", row_group_size=ROWS // 8)
    url, processes = cluster

    def run(url, out):
        paths = [str(tmp_path / f"{name}.parquet") for name in ("key", "response")]
        return subprocess.Popen([sys.executable, "-c", SCORE, *paths, url, str(tmp_path / out)], cwd=Path(__file__).parents[2])

    assert run("", "memory.json").wait() == 0
    scoring = run(url, "spark.json")
    executors = tmp_path / "work0"
    deadline = time.monotonic() + 300
    while not list(executors.rglob("stderr")) and time.monotonic() < deadline:
        time.sleep(0.2)
    while scoring.poll() is None and "Finished task" not in "".join(p.read_text() for p in executors.rglob("stderr")):
        time.sleep(0.2)
    assert scoring.poll() is None, "the run was over before the worker could be killed"
    end(processes[1])
    assert scoring.wait(600) == 0
    memory, spark = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("memory", "spark"))
    assert spark[:2] == memory[:2]
    assert spark[2] < 512, "megabytes of the driver"
