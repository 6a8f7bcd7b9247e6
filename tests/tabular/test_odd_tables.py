"""Tables that are read, or are refused with the option that reads them, which is tried; and ids as numbers."""

import re
import warnings

import pytest

import referee
from referee.basics.exceptions import OptionError
from tests.support.command import referee as run

KEY = "record_id,cluster_id\nx1,g1\nx2,g1\nx3,g2\n"
ROWS = [("x1", "g1"), ("x2", "g1"), ("x3", "g2")]


def table(*header, between=",", rows=ROWS):
    return "".join(f"{between.join(row)}\n" for row in [header, *rows])


@pytest.mark.parametrize(
    "text, remedy",
    [
        (table("ref", "golden_id"), "--response-columns item=ref"),
        (table("cust_no", "dup_group"), "--response-columns item=cust_no,entity=dup_group"),
        (table("a", "b"), "--response-columns item=1,entity=2"),
    ],
)
def test_a_refused_table_is_read_with_the_option_that_is_named(text, remedy, tmp_path):
    (tmp_path / "key.csv").write_text(KEY)
    (tmp_path / "x.csv").write_text(text)
    refused = run("score", tmp_path / "key.csv", tmp_path / "x.csv")
    assert (refused.status, remedy in refused.err) == (2, True)
    if "1" in remedy:  # the header is data, and no record of the key
        (tmp_path / "x.csv").write_text(text.partition("\n")[2])
    assert run("score", tmp_path / "key.csv", tmp_path / "x.csv", "-q", *remedy.split()).out == "100.00\n"


@pytest.mark.parametrize("separator", ["#", "%", ">", "~", "^", ":"])
def test_another_separator_is_named_and_a_first_line_says_it(separator, tmp_path):
    (tmp_path / "key.csv").write_text(KEY)
    text = table("record_id", "cluster_id", between=separator)
    (tmp_path / "x.csv").write_text(text)
    for verb in (["score", tmp_path / "key.csv"], ["formats"], ["validate"]):
        done = run(*verb, tmp_path / "x.csv")
        assert re.search(f"x.csv:1: seems to have fields between '{re.escape(separator)}'; .* sep=", done.err + done.out)
    (tmp_path / "x.csv").write_text(f"sep={separator}\n{text}")
    assert run("score", tmp_path / "key.csv", tmp_path / "x.csv", "-q").out == "100.00\n"


@pytest.mark.filterwarnings("ignore:.*(lists matches only|in no pair)")
@pytest.mark.parametrize(
    "text",
    [
        "id,duplicate_of\nx1,\nx2,x1\nx3,\n",
        "id,duplicate_of\nx1,NA\nx2,x1\nx3,NULL\n",
        "id,duplicate_of\nx1,x1\nx2,x1\nx3,x3\n",
        "id,duplicate_of\nx2,x1\n",  # duplicates alone: other records are in no pair
        "Record ID;Is Duplicate Of\nx3;\nx2;x1\n",
    ],
)
def test_a_record_is_a_duplicate_of_another_or_of_none(text, tmp_path):
    (tmp_path / "key.csv").write_text(KEY)
    (tmp_path / "x.csv").write_text(text)
    evaluation = referee.score(tmp_path / "key.csv", tmp_path / "x.csv")
    assert [evaluation[metric].f1 for metric in ("pairs", "links", "b_cubed", "exact")] == [1] * 4


@pytest.mark.parametrize(
    "ids, others, remedy",
    [
        (["007", "008", "9"], ["7", "8", "9"], "they differ in zeros before numbers (--ids number compares numbers)"),
        (["7.0", "8.0", "x9"], ["7", "8", "x9"], "one has 1.0 where the other has 1 (--ids number compares numbers)"),
    ],
)
def test_ids_of_other_digits_are_one_number_if_that_is_said(ids, others, remedy, tmp_path):
    for name, records in (("key", ids), ("response", others)):
        (tmp_path / f"{name}.csv").write_text(table("id", "cluster", rows=zip(records, "112", strict=True)))
    paths = tmp_path / "key.csv", tmp_path / "response.csv"
    with pytest.warns(referee.RefereeWarning, match=re.escape(remedy)):
        referee.score(*paths)
    assert run("score", *paths, "-q", *re.findall("--ids number", remedy)[0].split()).out == "100.00\n"
    rows = [{"id": record, "cluster": label} for record, label in zip(ids, "112", strict=True)]
    labels = dict(zip(others, "112", strict=True))
    for key, response in ((paths[0], labels), (rows, paths[1]), (labels, rows)):
        evaluation = referee.score(key, response, ids="number")
        assert evaluation["links"].f1 == evaluation["mentions"].f1 == 1
        assert "| ids:number" in evaluation.signature
    pairs = [{"id1": ids[0], "id2": ids[1]}]
    with pytest.warns(referee.RefereeWarning):
        assert referee.score(pairs, labels, ids="number")["links"].f1 == 1


def test_ids_as_numbers_in_columns():
    arrow = pytest.importorskip("pyarrow")
    texts = arrow.table({"id": ["007", "8.0", "x9", "-0"], "cluster": [1, 1, 2, 3]})
    numbers = arrow.table({"id": ["7", "8", "x9", "0"], "cluster": [1, 1, 2, 3]})
    evaluation = referee.score(texts, numbers, ids="number")
    assert (evaluation["mentions"].f1, "ids:number" in evaluation.signature) == (1, True)
    pairs = arrow.table({"id1": ["007", "-0"], "id2": ["08", "1"], "label": [1, 0]})
    assert referee.score({"7": 1, "8": 1, "0": 2, "1": 3}, pairs, ids="number")["links"].f1 == 1


def test_ids_that_are_one_number_are_not_one_record_in_silence():
    with pytest.raises(OptionError, match="two ids of one number"):
        referee.score({"007": 1, "7": 1}, {"7": 1}, ids="number")
    with pytest.raises(OptionError, match=r"--ids number is for tables, and for \{record: entity\}"):
        referee.score([{"007"}], [{"7"}], ids="number")
    rows = [{"id": record, "cluster": 1} for record in ("007", "7")]
    with pytest.warns(referee.RefereeWarning, match="1 repeated record, the first: '7' in entity 1, twice"):
        referee.score(rows, rows, ids="number")


@pytest.mark.parametrize(
    "name, text, words",
    [
        ("golden.csv", "__cluster_id__,__row_id__,name\ng1,x1,Ann\n", "has name, __row_id__ for the item; expected one"),
        ("pairs.json", '[["x1", "x2"]]', "1 record of 3 of key.csv is not in pairs.json (the first: x3), counted as missed"),
        ("index.csv", ",record_id,cluster_id\n0,x1,1\n1,x2,1\n2,x3,2\n", ""),
        ("last.csv", "record_id,cluster_id,\nx1,1,\nx2,1,\nx3,2,\n", ""),
        ("row.csv", "record_id,cluster_id,Unnamed: 0\nx1,1,0\nx2,1,1\nx3,2,2\n", ""),
    ],
)
def test_what_is_said_of_tables_of_hurried_people(name, text, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.csv").write_text(KEY)
    (tmp_path / name).write_text(text)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            referee.score("key.csv", name)
            said = [str(warning.message) for warning in caught]
        except referee.RefereeError as error:
            said = [str(error)]
    assert said == [] if not words else any(words in line for line in said)
