"""A session of Spark Connect, which has no Java in this process: needs pyspark[connect]."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytest.importorskip("grpc", reason="pyspark[connect] is not installed")

SCORE = """
import numpy as np, pyarrow as pa
from pyspark.sql import SparkSession
from referee import score
from tests.support.tables import bits
session = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "2").getOrCreate()
rng = np.random.default_rng(2)
item = rng.permutation(300)
moved = np.where(rng.random(300) < 0.3, rng.integers(0, 100, 300), item // 3)
pair = [pa.table({"item": item, "entity": entity}) for entity in (item // 3, moved)]
for tables in (pair, [table.append_column("document", pa.array(item % 7)) for table in pair]):
    found, want = score(*map(session.createDataFrame, tables), metrics="all"), score(*tables, metrics="all", engine="memory")
    assert bits(found.counts) == bits(want.counts)
print("the same bits")
"""


@pytest.mark.slow
def test_a_session_of_spark_connect_gives_the_same_bits():
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["JAVA_TOOL_OPTIONS"] = "-Djava.net.preferIPv4Stack=true"
    done = subprocess.run(
        [sys.executable, "-c", SCORE],
        cwd=Path(__file__).parents[2],
        env=environment,
        capture_output=True,
        check=False,
        text=True,
        timeout=900,
    )
    assert done.stdout.splitlines()[-1:] == ["the same bits"], done.stderr[-3000:]
