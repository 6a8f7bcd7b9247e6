"""Counts files: the same scores to the bit, and nothing believed that was not written."""

import json
import os
import sys
import tempfile

import pytest
from hypothesis import given, strategies as st

import referee
from referee.basics.exceptions import FormatError, MismatchError, MissingFileError, OptionError, RefereeWarning
from referee.scoring.counts_file import _canonical, crc32, read_counts
from referee.scoring.other_scorers.profiles import PROFILES
from tests.support.annotated import rich_corpora
from tests.support.command import referee as run
from tests.support.examples import examples
from tests.support.paths import EXAMPLES
from tests.support.strategies import corpora

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"


def bits(scores):
    """Every count and every score, as text that has all bits."""
    columns = {m: {n: (c.dtype.str, c.tobytes().hex()) for n, c in of.columns.items()} for m, of in scores.counts.items()}
    values = {m: [float(f).hex() for f in scores.columns(m).value.tolist()] + [float(scores[m].value).hex()] for m in scores}
    return {"documents": scores.documents, "columns": columns, "values": values, "flat": repr(scores.flat())}


def again(scores):
    with tempfile.TemporaryDirectory() as folder:
        referee.write_counts(scores, f"{folder}/x.parquet")
        return read_counts(f"{folder}/x.parquet")


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize("profile", PROFILES)
@examples(0.24)
@given(key=corpora(), response=corpora(), macro=st.booleans())
def test_scores_of_a_file_are_those_of_the_corpus_to_the_bit(profile, key, response, macro):
    options = {"average": "macro"} if macro else {}
    try:
        scores = referee.score(key, response, metrics="all", profile=profile, tokens="ignore", **options)
    except MismatchError:
        return
    stored = again(scores)
    assert bits(stored) == bits(scores)
    assert stored.report(by="document") == scores.report(by="document")
    assert stored.to_dict() == {**scores.to_dict(), "warnings": []} and stored.to_rows() == scores.to_rows()
    assert bits(again(stored)) == bits(scores)


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@examples(0.2)
@given(key=rich_corpora(), response=rich_corpora())
def test_metrics_of_all_annotation_are_stored(key, response):
    try:
        scores = referee.score(key, response, metrics="all", tokens="ignore")
    except MismatchError:
        return
    assert bits(again(scores)) == bits(scores)


def test_equal_columns_are_stored_once(tmp_path):
    scores = referee.score(KEY, RESPONSE, metrics="all")
    referee.write_counts(scores, tmp_path / "x.parquet")
    names = pq.read_schema(tmp_path / "x.parquet").names
    different = {(c.dtype.str, c.tobytes()) for of in scores.counts.values() for c in of.columns.values()}
    assert len(names) == 1 + len(different) < sum(len(of.columns) for of in scores.counts.values())


def test_a_comparison_of_files_is_that_of_the_responses(tmp_path):
    responses = {"a": RESPONSE, "b": KEY}
    paths = {}
    for name, response in responses.items():
        paths[name] = tmp_path / f"{name}.parquet"
        referee.write_counts(referee.score(KEY, response, name=name), paths[name])
    stored = {name: read_counts(path) for name, path in paths.items()}
    r = referee.Resampling(resamples=100)
    expected = referee.compare(KEY, responses, resampling=r, by=lambda name: name[:1])
    found = referee.compare(None, stored, resampling=r, by=lambda name: name[:1])
    assert found.to_dict() == expected.to_dict() and str(found) == str(expected)
    assert referee.compare(str(KEY), list(stored.values()), resampling=r).systems == ("a", "b")
    with pytest.raises(MismatchError, match="against a key of"):
        referee.compare(str(RESPONSE), stored)
    with pytest.raises(OptionError, match="which have options of their own"):
        referee.compare(None, stored, singletons="drop")
    with pytest.raises(OptionError, match="scores alone"):
        referee.compare(KEY, {**stored, "c": RESPONSE})


def test_intervals_of_a_file_are_those_of_the_corpus():
    scores = referee.score(KEY, RESPONSE)
    stored = again(scores)
    assert stored.intervals(resamples=100).to_dict() == scores.intervals(resamples=100).to_dict()
    with pytest.raises(OptionError, match="have no sentences"):
        stored.only(["mentions"]).intervals(unit="sentence")
    with pytest.raises(OptionError, match="has no counts of ari; expected mentions"):
        stored.counts_of("ari")
    assert stored.counts_of("bcub") is stored.counts["b_cubed"]
    assert "Scores of" in repr(stored)


def test_other_options_or_another_key_are_refused(tmp_path):
    one, two = again(referee.score(KEY, RESPONSE)), again(referee.score(KEY, RESPONSE, singletons="drop"))
    with pytest.raises(OptionError, match="with singletons 'drop'; expected 'keep'"):
        referee.compare(None, {"one": one, "two": two})
    sizes = RESPONSE.stat().st_size, KEY.stat().st_size
    with pytest.raises(MismatchError, match="against a key of {} bytes; expected {}".format(*sizes)):
        referee.compare(None, {"one": one, "two": again(referee.score(RESPONSE, RESPONSE))})


def test_counts_of_tables_against_another_key_of_the_same_size_are_refused(tmp_path):
    keys, counts = [tmp_path / f"key{n}.parquet" for n in range(2)], [tmp_path / f"counts{n}.parquet" for n in range(2)]
    for path, target, entity in zip(keys, counts, ([0, 0, 0, 1], [0, 0, 1, 1]), strict=True):
        table = pa.table({"item": range(4), "entity": entity, "document": ["d"] * 4})
        pq.write_table(table, path, compression="none", use_dictionary=False, write_statistics=False)
        referee.write_counts(referee.score(path, path, metrics="links"), target)
    assert keys[0].stat().st_size == keys[1].stat().st_size
    one, two = map(read_counts, counts)
    with pytest.raises(MismatchError, match=r"^two was scored against a key with other entities in d than one"):
        referee.compare(None, {"one": one, "two": two})
    with pytest.warns(RefereeWarning, match=r"key1.parquet was changed or copied since one was scored: is it the same key\?"):
        referee.compare(keys[1], {"one": one, "again": one})


def test_a_file_that_scores_were_not_made_from_is_not_taken_for_their_key_in_silence(tmp_path):
    scorer = referee.Scorer("muc", rows=True)
    scorer.update([[(0, 1), (2, 3)]], [[(0, 1), (2, 3)]])
    (tmp_path / "last.json").write_text("{}")
    with pytest.warns(RefereeWarning, match=r"last.json is not used: response was scored against no such file"):
        referee.compare(tmp_path / "last.json", scorer)


def mine(table):
    """A metric of the caller."""
    return referee.METRICS["muc"].count(table)


def test_a_function_of_the_caller_is_left_out_with_the_remedy(tmp_path):
    scores = referee.score(KEY, RESPONSE, metrics=["muc", mine])
    with pytest.warns(RefereeWarning, match="left out mine; counts of functions of your own cannot be stored"):
        referee.write_counts(scores, tmp_path / "x.parquet")
    assert list(read_counts(tmp_path / "x.parquet")) == ["muc"]
    with pytest.raises(OptionError, match="found mine alone"):
        referee.write_counts(referee.score(KEY, RESPONSE, metrics=mine), tmp_path / "y.parquet")
    assert not (tmp_path / "y.parquet").exists()


def small(path):
    referee.write_counts(
        referee.score({"d": [{1, 2, 3}], "e": [{4, 5}]}, {"d": [{1, 2}], "e": []}, metrics="muc", name="r"), path
    )
    return path.read_bytes()


@pytest.mark.slow
def test_a_file_with_a_flipped_bit_is_refused_or_the_same(tmp_path):
    path = tmp_path / "x.parquet"
    whole = small(path)
    expected, refused = bits(read_counts(path)), 0
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :])
        try:
            found = read_counts(path)
        except FormatError as error:
            assert "\n" not in str(error) and len(str(error)) < 400
            refused += 1
        else:
            assert bits(found) == expected
    assert refused > len(whole) / 9


def test_a_file_that_is_cut_off_is_refused(tmp_path):
    path = tmp_path / "x.parquet"
    whole = small(path)
    for length in range(0, len(whole), 37):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match="is no counts file that can be read"):
            read_counts(path)


def rewritten(path, change, table=None, *, digest=True):
    """Write a counts file by hand, with other metadata or another table."""
    file = pq.read_table(path) if table is None else table
    content = json.loads(pq.read_metadata(path).metadata[b"referee.counts"])
    change(content)
    if digest:
        content["digest"] = crc32(_canonical({k: v for k, v in content.items() if k != "digest"}))
    pq.write_table(file.replace_schema_metadata({"referee.counts": json.dumps(content)}), path)


def test_files_made_by_hand_are_refused_in_one_line(tmp_path):
    path = tmp_path / "x.parquet"
    refusals = [
        ("version 2 of the format; expected 1", lambda c: c.update(version=2), None, True),
        ("metadata that were changed", lambda c: c.update(name="other"), None, False),
        ("metadata that cannot be read: 'nonsense'", lambda c: c["metrics"].update(nonsense={"n": "c0"}), None, True),
        ("has no column precision_denominator", lambda c: c["metrics"]["muc"].pop("precision_denominator"), None, True),
        ("metadata that cannot be read: 'options'", lambda c: c.pop("options"), None, True),
        ("match", lambda c: c["options"].update(match="wrong"), None, True),
        ("has the columns document; expected document, c", lambda c: None, pa.table({"document": ["d", "e"]}), True),
    ]
    for message, change, table, digest in refusals:
        small(path)
        rewritten(path, change, table, digest=digest)
        with pytest.raises(referee.RefereeError, match=message):
            read_counts(path)
    small(path)
    table = pq.read_table(path)
    other = table.set_column(1, "c0", pa.array([7, 7], pa.int64()))
    rewritten(path, lambda c: None, other)
    with pytest.raises(FormatError, match="is damaged: column c0 has other values"):
        read_counts(path)
    pq.write_table(pa.table({"item": ["a"], "entity": ["b"]}), path)
    with pytest.raises(FormatError, match="is no counts file; expected one that referee score --counts has written"):
        read_counts(path)
    with pytest.raises(MissingFileError):
        read_counts(tmp_path / "none.parquet")


def test_the_command_writes_and_reads_counts(tmp_path):
    a, b = tmp_path / "a.parquet", tmp_path / "b.parquet"
    scored = run("score", KEY, RESPONSE, "--counts", a)
    assert run("score", a).out == scored.out
    assert (
        run("score", a, "--by", "document", "-r", "csv").out == run("score", KEY, RESPONSE, "--by", "document", "-r", "csv").out
    )
    assert run("score", a, "-q", "-m", "lea").out == run("score", KEY, RESPONSE, "-q", "-m", "lea").out
    assert run("score", a, "-q", "-m", "lea", "--fail-under", "lea=99").status == 1
    intervals = ["--intervals", "--resamples", "100"]
    assert run("score", a, *intervals).out == run("score", KEY, RESPONSE, *intervals).out
    run("score", KEY, KEY, "--counts", b)
    assert run("score", a, b, "--names", "x,y").out == run("score", KEY, RESPONSE, KEY, "--names", "x,y").out
    asked = ["--names", "x,y", "--resamples", "100", "-m", "muc,lea"]
    expected = run("compare", KEY, RESPONSE, KEY, *asked).out
    assert run("compare", a, b, *asked).out == run("compare", KEY, a, b, *asked).out == expected


@pytest.mark.skipif(sys.platform != "linux", reason="needs names that are not UTF-8")
def test_counts_files_and_their_folders_may_have_names_that_are_not_utf_8(tmp_path):
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    counts = folder / os.fsdecode(b"\xfe.parquet")
    scored = run("score", KEY, RESPONSE, "--counts", counts)
    assert run("score", counts).out == scored.out
    assert os.listdir(folder) == [counts.name]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "{a}", "{key}"], "has counts, and"),
        (["compare", "{key}", "{a}", "{key}"], "has counts, and"),
        (["score", "{a}", "--match", "head"], "--match is for files that are scored"),
        (["score", "{a}", "--counts", "{a}"], "--counts is for files that are scored"),
        (["score", "{a}", "-m", "ari"], "has no counts of ari"),
        (["score", "{key}"], "found no response; expected KEY RESPONSE, or counts files"),
        (["score", "{key}", "{key}", "{key}", "--counts", "{a}"], "counts of one response; found 2"),
        (["score", "{key}", "{key}", "--counts", "x.csv"], "expected a name that ends in .parquet"),
        (["errors", "{a}", "{key}"], "has counts; expected annotation: referee.read_counts and referee score read counts"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path, arguments, message):
    a = tmp_path / "a.parquet"
    small(a)
    done = run(*(argument.format(a=a, key=KEY) for argument in arguments), cwd=tmp_path)
    assert done.status == 2 and message in done.err and len(done.errors) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]
