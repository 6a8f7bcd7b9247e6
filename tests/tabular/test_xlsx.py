"""Workbooks of Excel: the sheet with rows means what the same text of CSV means."""

import pytest

import referee
from referee.basics.exceptions import FormatError
from tests.support.command import referee as run

openpyxl = pytest.importorskip("openpyxl")

LABELS = [["record_id", "cluster_id"], ["a", 1], ["b", 1.0], ["007", 2], [7, 2]]
KEY = {"a": 1, "b": 1, "007": 2, "7": 2}


def book(path, **sheets):
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    workbook.save(path)
    return path


@pytest.mark.parametrize(
    "rows",
    [
        LABELS,
        LABELS[1:],
        [["Clusters of May"], [], *LABELS],
        [[None, *row] for row in LABELS],
        [[*row, None] for row in LABELS],
    ],
    ids=["header", "no header", "title", "empty first column", "empty last column"],
)
@pytest.mark.filterwarnings("ignore:.* above the header")
def test_the_sheet_with_rows_is_a_table(rows, tmp_path):
    path = book(tmp_path / "x.xlsx", Empty=[], Clusters=rows)
    evaluation = referee.score(KEY, path)
    assert (evaluation["links"].f1, evaluation["mentions"].f1) == (1, 1)


def test_pairs_have_decisions_and_probabilities(tmp_path):
    pairs = [["left_id", "right_id", "match_probability"], ["a", "b", 0.9], ["c", "d", 0.2]]
    links = referee.score({"a": 1, "b": 1, "c": 2, "d": 3}, book(tmp_path / "p.xlsx", P=pairs), threshold=0.5)["links"]
    assert links.f1 == 1
    decisions = [["id1", "id2", "is_match"], ["a", "b", True], ["c", "d", False]]
    assert referee.score({"a": 1, "b": 1, "c": 2, "d": 3}, book(tmp_path / "d.xlsx", P=decisions))["links"].f1 == 1


def test_several_sheets_with_rows_are_asked_about_and_the_format_names_one(tmp_path):
    path = book(tmp_path / "x.xlsx", Clusters=LABELS, Notes=[["by Ann"]])
    (tmp_path / "key.csv").write_text("id,cluster\na,1\nb,1\n007,2\n7,2\n")
    remedy = 'has rows in the sheets Clusters and Notes: name one with the format, as --format "xlsx:Clusters"'
    with pytest.raises(FormatError, match=remedy):
        referee.read(path)
    done = run("score", tmp_path / "key.csv", path, "-q", "--response-format", "xlsx:Clusters")
    assert (done.status, done.out) == (0, "100.00\n")
    with pytest.raises(FormatError, match="has no sheet 'Other'; found Clusters and Notes"):
        referee.read(path, format="xlsx:Other")


def test_messages_have_the_row_of_the_sheet(tmp_path):
    path = book(tmp_path / "x.xlsx", A=[*LABELS, ["two\nlines", None]])
    with pytest.raises(FormatError, match=r"x\.xlsx:6: has 1 row without a value \(item two lines, entity empty\)"):
        referee.read(path)


def test_what_is_no_workbook_is_refused(tmp_path):
    whole = book(tmp_path / "x.xlsx", A=LABELS).read_bytes()
    for data, problem in {
        whole.replace(b"PK\x05\x06", b"PK\x00\x00"): "is no workbook that can be read: ",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600): "is a document of an office program; expected text: save it as",
        b"PK\x03\x04 [Content_Types].xml word/document.xml": "is a document of an office program",
    }.items():
        (tmp_path / "y").write_bytes(data)
        with pytest.raises(FormatError, match=problem):
            referee.read(tmp_path / "y")
