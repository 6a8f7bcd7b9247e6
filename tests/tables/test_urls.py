"""Tables in an object store, and those of Delta and Iceberg, whose files have deleted rows, too."""

from importlib import import_module

import pytest

import referee
from referee.basics.exceptions import FormatError, MissingFileError, OptionError
from tests.support.command import referee as run

arrow = pytest.importorskip("pyarrow")

KEY = {"item": [1, 2, 3, 4], "entity": [7, 7, 8, 9]}
RESPONSE = {"item": [4, 3, 2, 1], "entity": [1, 2, 2, 2]}
WANT = referee.score([{1, 2}, {3}, {4}], [{1, 2, 3}, {4}], metrics="b_cubed")["b_cubed"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ACCESS_KEY_ID": "a",
            "AWS_SECRET_ACCESS_KEY": "b",
            "AWS_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        }.items():
            patch.setenv(name, value)
        s3, _ = import_module("pyarrow.fs").FileSystem.from_uri("s3://bucket?allow_bucket_creation=true")
        s3.create_dir("bucket")
        for name, columns in (("key", KEY), ("response", RESPONSE)):
            for part in range(2):
                with s3.open_output_stream(f"bucket/{name}/part-{part}.parquet") as out:
                    import_module("pyarrow.parquet").write_table(arrow.table(columns).slice(2 * part, 2), out)
        yield f"{host}:{port}"
    server.stop()


class TestObjectStore:
    """S3, served on the loopback."""

    def test_folders_files_and_lists(self, store, monkeypatch):
        ways = ("s3://bucket/key", "s3://bucket/response/"), ("s3://bucket/key/", arrow.table(RESPONSE))
        parts = [[f"s3://bucket/{side}/part-{n}.parquet" for n in (1, 0)] for side in ("key", "response")]
        for key, response in (*ways, parts):
            assert referee.score(key, response, metrics="b_cubed")["b_cubed"] == WANT
        if import_module("importlib.util").find_spec("duckdb"):
            assert referee.score(*ways[0], metrics="b_cubed", engine="duckdb")["b_cubed"] == WANT
        monkeypatch.delenv("AWS_ENDPOINT_URL")
        named = [f"s3://bucket/{side}?endpoint_override={store}&scheme=http" for side in ("key", "response")]
        assert referee.score(*named, metrics="b_cubed")["b_cubed"] == WANT

    @pytest.mark.usefixtures("store")
    def test_from_the_command(self):
        done = run("score", "s3://bucket/key", "s3://bucket/response", "-q", "-m", "b_cubed")
        assert (done.out, done.status) == (f"{100 * WANT.value:.2f}\n", 0)

    @pytest.mark.usefixtures("store")
    def test_what_is_not_there(self):
        with pytest.raises(MissingFileError, match=r"^s3://bucket/no: cannot be opened: there is nothing$"):
            referee.score("s3://bucket/no", "s3://bucket/response")
        with pytest.raises(OptionError, match=r"^s3://bucket/key\?x=1: Unexpected query parameter .*; expected a URL"):
            referee.score("s3://bucket/key?x=1", "s3://bucket/response")


def test_a_store_that_cannot_be_reached_is_one_line(monkeypatch):
    def refuse(self, path):
        raise RuntimeError("no token\nfor details see the manual")

    system = pytest.importorskip("pyarrow.fs")
    found = type("S", (), {"get_file_info": refuse})()
    monkeypatch.setattr("referee.inputs.sources._file_system", lambda *_: (found, "a"))
    with pytest.raises(FormatError, match=r"^gs://bucket/a: cannot be opened: no token$"):
        referee.score("gs://bucket/a", "gs://bucket/b")
    monkeypatch.undo()
    with pytest.raises(OptionError, match=r"^abfs://b: AzureOptions doesn't contain a valid account name; expected a URL"):
        referee.score("abfs://b", "abfs://c")
    assert system


def test_delta(tmp_path):
    deltalake = pytest.importorskip("deltalake")
    for name, columns in (("key", KEY), ("response", RESPONSE)):
        wrong = {"item": [*columns["item"], 5], "entity": [*columns["entity"], 7]}
        deltalake.write_deltalake(str(tmp_path / name), arrow.table(wrong))
        deltalake.DeltaTable(str(tmp_path / name)).delete("item = 5")
    sides = [deltalake.DeltaTable(str(tmp_path / name)) for name in ("key", "response")]
    assert referee.score(*[side.scan() for side in sides], metrics="b_cubed")["b_cubed"] == WANT
    assert referee.score(*sides, metrics="b_cubed")["b_cubed"] == WANT
    for key in (tmp_path / "key", f"file://{tmp_path / 'key'}"):
        with pytest.raises(FormatError, match=r"is a Delta table, whose files have deleted rows, too: give deltalake"):
            referee.score(key, tmp_path / "response")


def test_iceberg(tmp_path):
    catalogs = pytest.importorskip("pyiceberg.catalog.memory")
    catalog = catalogs.InMemoryCatalog("c", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("n")
    sides = []
    for name, columns in (("key", KEY), ("response", RESPONSE)):
        wrong = {"item": [*columns["item"], 5], "entity": [*columns["entity"], 7]}
        table = catalog.create_table(f"n.{name}", schema=arrow.table(wrong).schema)
        table.append(arrow.table(wrong))
        table.delete("item = 5")
        sides.append(table)
    assert referee.score(*[t.scan().to_arrow_batch_reader() for t in sides], metrics="b_cubed")["b_cubed"] == WANT
    with pytest.raises(FormatError, match=r"is an Iceberg table, whose files have deleted rows, too: give pyiceberg"):
        referee.score(sides[0].location(), arrow.table(RESPONSE))
