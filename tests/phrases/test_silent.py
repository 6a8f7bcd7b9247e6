"""Tags that are not what they seem: read as they are meant, or refused with a remedy that works."""

import json
import shlex
import warnings

import numpy as np
import pytest

from referee.basics.exceptions import OptionError, RefereeError
from referee.phrases import errors, score
from tests.support.command import referee, told
from tests.support.paths import SHARED

SILENT = SHARED / "field" / "silent"
DOORS = SHARED / "field" / "doors"
COLUMNS = "--key-column 2 --response-column 3"
FIELD = [
    ("04-one-tag-file-100", "a.txt a.txt", "a.txt is key and response, read from column 3, and column 2 is not read"),
    ("04-one-tag-file-100", f"a.txt a.txt {COLUMNS}", 0),
    ("04-one-tag-file-100", "b.txt b.txt", "and column 3 is not read: --key-column 3 --response-column 4 compares two"),
    ("04-one-tag-file-100", "b.txt b.txt --key-column 3 --response-column 4", 0),
    ("04-one-tag-file-100", "c.txt c.txt", "c.txt:1: has tags in the first column, too; expected words there"),
    ("04-one-tag-file-100", "c.txt c.txt --key-column 1 --response-column 2", 66.67),
    ("04-one-tag-file-100", "d.txt d.txt", "column 3 and column 4 are not read"),
    ("04-one-tag-file-100", f"d.txt d.txt {COLUMNS}", 66.67),
    ("08-tags-read-as-plain-types", "key.iob response.iob", 50),
    (
        "08-tags-read-as-plain-types",
        "key2.iob response2.iob",
        "response2.iob:1: found 'B_PER', which look like tags of the scheme",
    ),
    ("08-tags-read-as-plain-types", "key2.iob key2.iob", 100),
    ("21-marks-without-types", "key.iob response.txt -m exact_match", 0),
    ("21-marks-without-types", "key.iob response.txt -m span_match", 100),
    ("22-tags-in-lines", "key.iob response.iob", "key.iob:1: has tags in the first column, too"),
    ("phrases-hint-characters", "key.jsonl response.jsonl", 50),
]


@pytest.mark.parametrize(("folder", "command", "expected"), FIELD)
@pytest.mark.parametrize("verb", ["score", "errors", "compare"])
def test_files_of_hurried_people(folder, command, expected, verb):
    here = (SILENT if (SILENT / folder).is_dir() else DOORS) / folder
    if not here.is_dir():
        pytest.skip(f"needs {here}")
    arguments = shlex.split(command)
    if verb == "errors" and "-m" in arguments:
        arguments = arguments[: arguments.index("-m")]
    done = referee("phrases", verb, *arguments, *["-q"] * (verb == "score"), cwd=here)
    if isinstance(expected, str):
        assert expected in done.err
        assert done.status == 2
    else:
        assert done.status == 0, done.err
        if verb == "score":
            assert float(done.out) == expected
    assert ("has the categories mention" in done.err) == (folder == "21-marks-without-types")


@pytest.mark.parametrize(
    "shape", ["{c}-{p}", "{p}_{c}", "{p}/{c}", "{p}.{c}", "{p}:{c}", "{p}{c}", "{c}_{p}", "{w}-{c}", "{c}-{w}"]
)
@pytest.mark.parametrize("lower", [False, True])
def test_prefixes_stand_in_other_places(shape, lower, tmp_path):
    sentences = [["B-PER", "I-PER", "O"], ["O", "B-LOC", "I-LOC"]], [["B-PER", "O", "O"], ["O", "B-LOC", "I-LOC"]]
    if lower and shape != "{p}{c}":
        shape = shape.replace("{p}", "{l}")

    def other(tag):
        return (
            tag if tag == "O" else shape.format(p=tag[0], l=tag[0].lower(), w={"B": "Begin", "I": "inside"}[tag[0]], c=tag[2:])
        )

    key, response = ([[other(tag) for tag in row] for row in side] for side in sentences)
    response[0][1] = other("I-ORG")
    assert score(key, response)["exact_match"].f1 == pytest.approx(2 / 5)
    assert score(key, response)["exact_match"].f1 == errors_f1(key, response)
    for name, side in (("key", key), ("response", response)):
        (tmp_path / name).write_text("\n".join("".join(f"w {tag}\n" for tag in row) for row in side))
    assert referee("phrases", "score", "key", "response", "-q", cwd=tmp_path).out == "40.00\n"


def errors_f1(key, response):
    """F1 of the errors: each missed, spurious or wrong phrase, and the right ones."""
    found = errors(key, response).counts
    right = 2 - found["missed"] - found["type"] - found["span"] - found["both"]
    return pytest.approx(2 * right / (2 + right + found["spurious"] + found["type"] + found["span"] + found["both"]))


@pytest.mark.parametrize(
    "tags",
    [["LOC", "MISC", "O"], ["PER", "BUILDING", "O"], ["B_cell", "T_cell", "O"], ["size_S", "size_M", "O"], ["I/O", "CPU", "O"]],
)
def test_types_are_types(tags):
    assert set(score([tags], [tags]).types.counts) == {*tags} - {"O"}


@pytest.mark.parametrize("tags", [["B_PER", "O"], ["B_PER", "I_PER", "LOC", "O"], ["PER-B", "O"]])
def test_what_looks_like_a_scheme_is_asked_for(tags):
    with pytest.raises(OptionError, match=r"look like tags of the scheme .*: --decode IO takes them for types"):
        score([tags], [tags])
    assert set(score([tags], [tags], decode="IO").types.counts) == {*tags} - {"O"}


TAGS = [["B-PER", "I-PER", "O"], ["O", "B-LOC"], []]


def lines(*objects):
    return "".join(json.dumps(each) + "\n" for each in objects)


@pytest.mark.parametrize(
    "text",
    [
        "B-PER I-PER O\nO B-LOC\n",
        "B-PER\nI-PER\nO\n\nO\nB-LOC\n",
        lines(*({"ner_tags": row} for row in TAGS)),
        lines(*({"tokens": ["w"] * len(row), "labels": row} for row in TAGS)),
        lines(*({"id": 1, "tags": row, "words": ["w"] * len(row), "pos": ["N"] * len(row)} for row in TAGS)),
        json.dumps([{"tokens": ["w"] * len(row), "ner_tags": row} for row in TAGS]),
        json.dumps(TAGS),
        "Word Tag\nw B-PER\nw I-PER\nw O\n\nw O\nw B-LOC\n",
        json.dumps({"predictions": TAGS}),
        json.dumps({"tokens": [["w"] * len(row) for row in TAGS], "ner_tags": TAGS}),
        lines({"tokens": ["a", "b"], "tags": ["PER-B", "PER-I"]}, {"tokens": ["a", "b"], "tags": ["LOC-B", "LOC-I"]}),
    ],
)
def test_tags_in_lines_and_lists_are_read(text, tmp_path):
    (tmp_path / "key").write_text(text)
    (tmp_path / "response").write_text(text.replace("LOC", "PER"))
    assert referee("phrases", "score", "key", "response", "-q", cwd=tmp_path).out == "50.00\n"


GOLD_AND_PREDICTED = {"tokens": ["Ann", "Rome"], "pred_tags": ["B-PER", "O"], "gold_tags": ["B-PER", "B-LOC"]}


def test_lists_of_both_sides_are_those_of_the_sides(tmp_path):
    (tmp_path / "both").write_text(lines(GOLD_AND_PREDICTED))
    (tmp_path / "key").write_text(lines({"tokens": ["Ann", "Rome"], "tags": ["B-PER", "B-LOC"]}))
    (tmp_path / "header").write_text("token pred gold\nAnn B-PER B-PER\nRome O B-LOC\n")
    for key in ("header", "both", "key"):
        response = "header" if key == "header" else "both"
        done = referee("phrases", "score", key, response, "-m", "exact_match", cwd=tmp_path)
        assert done.out.splitlines()[1].split()[1:] == ["50.00", "100.00", "66.67"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Ann 1\nsang 0\n", "has numbers in the last column; expected tags, such as B-PER: the names of labels, not their ids"),
        ("1 2 0\n0 5\n", "has numbers in the last column"),
        (lines({"ner_tags": [1, 2, 0]}), "expected lists of strings, one of them tags such as B-PER"),
        (lines({"tokens": ["a"], "ner_tags": [1]}), "expected lists of strings, one of them tags such as B-PER"),
        (lines({"tokens": ["a"], "ner_tags": ["O"]}, {"tokens": ["a", "b"], "ner_tags": ["O"]}), "key:2: found"),
        ("B-PER I-PER O\nO O B-LOC\n", "has tags in the first column, too"),
        ("PER-B PER-I O\nPER-B O O\n", "has tags in the first column, too"),
        ("PER PER O\nPER O O\n", "has tags in the first column, too"),
        (
            lines({"tokens": ["a"], "spans": [["X", 0, 1]], "predicted_spans": [["X", 0, 1]]}),
            "has predicted_spans, which is not",
        ),
        (lines({"text": "a b", "entities": [[0, 1, "X"]], "predictions": [[2, 3, "X"]]}), "has predictions, which is not read"),
        ("doc,start,end,entity\na,0,1,x\n", "is a table of records; expected words with sentences"),
        ('{"tokens": ["a"], "spans": []} {}\n', "is not JSON: extra data at column 32"),
        ('{"tokens": ["a\tb"], "spans": []}\n', "is not JSON: invalid control character at column 15"),
    ],
)
def test_what_could_be_misread_is_refused(text, problem, tmp_path):
    (tmp_path / "key").write_text(text)
    done = referee("phrases", "score", "key", "key", cwd=tmp_path)
    assert problem in done.err
    assert "--columns" not in done.err
    assert done.status == 2
    assert len(done.errors) == 1


SPAN = {"label": "PER", "start": 0, "end": 1}


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([[SPAN]], "referee.compat.nervaluate takes spans of words, referee.phrases.from_characters spans of characters"),
        ([SPAN], "referee.compat.nervaluate takes"),
        ([{"spans": [SPAN]}], "referee.compat.nervaluate takes"),
        ([[("PER", 0, 1)]], r"found \('PER', 0, 1\) among tags"),
        ([None], "found None among sentences"),
        ([["B-PER"], None], "found None among sentences"),
        ([["B-PER", None]], "found the tag 'None'; expected O"),
        ([[1, 0]], "found the tag '1'; expected .*: the names of labels, not their ids"),
    ],
)
@pytest.mark.parametrize("verb", [score, errors])
def test_values_are_refused_in_one_line(verb, value, problem):
    for sides in ((value, value), ([["B-PER", "O"]], value)):
        with pytest.raises(RefereeError, match=problem) as caught:
            verb(*sides)
        assert "\n" not in str(caught.value)


def test_a_header_in_any_language_is_left_out_with_a_warning(tmp_path):
    (tmp_path / "key").write_text("Wort Entität\nw B-PER\nw I-PER\nw O\n\nw O\nw B-LOC\n")
    (tmp_path / "response").write_text("w B-PER\nw I-PER\nw O\n\nw O\nw B-PER\n")
    done = told("phrases", "score", "key", "response", "-q", cwd=tmp_path)
    assert (done.out, "key:1: left out Wort and Entität, taken for a header" in done.err) == ("50.00\n", True)


def test_numbers_behind_the_tags_are_no_tags_and_another_column_is_named(tmp_path):
    (tmp_path / "both").write_text("Ann B-PER B-PER 0.9\nsang O O 1.0\n\nBob B-PER O 0.5\n")
    done = referee("phrases", "score", "both", "both", cwd=tmp_path)
    assert "--key-column and --response-column name others: tags are in 2, 3" in done.err
    named = ["--key-column", "2", "--response-column", "3"]
    assert referee("phrases", "score", "both", *named, "-q", cwd=tmp_path).out == "66.67\n"


@pytest.mark.parametrize(
    "form",
    [
        lambda rows: [np.array(row) for row in rows],
        lambda rows: (iter(row) for row in rows),
        lambda rows: np.array([*rows, None], dtype=object)[:-1],
        lambda rows: [{"tokens": ["w"] * len(row), "ner_tags": row} for row in rows],
    ],
)
def test_sentences_come_as_arrays_iterators_and_objects(form):
    key, response = [["B-PER", "I-PER"], ["O", "B-LOC", "O"]], [["B-PER", "I-PER"], ["O", "B-PER", "O"]]
    assert score(form(key), form(response))["exact_match"].f1 == 0.5


def test_documents_of_sentences_are_sentences():
    nested = [[["B-PER", "O"], ["O"]], [["B-LOC"]]]
    assert score(nested, [["B-PER", "O"], ["O"], ["B-LOC"]])["exact_match"].f1 == 1
    assert score(nested, nested)["exact_match"].f1 == 1


def test_a_file_against_itself_is_remarked_everywhere(tmp_path):
    (tmp_path / "key").write_text("Ann B-PER\nsang O\n")
    for options in (["score", "-q"], ["score", "--report", "json"], ["score", "--report", "csv"], ["errors"], ["compare"]):
        done = told("phrases", options[0], "key", "key", *options[1:], cwd=tmp_path)
        assert "key is key and response: expected another file" in done.err
        assert done.status == 0
    with pytest.warns(match="is key and response"):
        score(tmp_path / "key", tmp_path / "key")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score([["B-PER"]], [["B-PER"]])


def test_a_key_beside_predictions_says_so(tmp_path):
    (tmp_path / "key").write_text("Ann B-PER O\nRome B-LOC B-LOC\n")
    (tmp_path / "response").write_text("Ann B-PER\nRome B-LOC\n")
    done = referee("phrases", "score", "key", "response", "-q", cwd=tmp_path)
    assert "took the tags of column 3, and column 2 has tags of the same categories: --key-column 2 reads these" in done.err
    done = referee("phrases", "score", "key", "response", "-q", "--key-column", "2", cwd=tmp_path)
    assert (done.out, done.err) == ("100.00\n", "")


BRACKETS = "#begin document (a);\na 0 0 Ann NNP (0) * *\na 0 1 sang VBD - * *\na 0 2 . . - * *\n\n#end document\n"


def test_an_option_of_another_command_is_named_with_it(tmp_path):
    (tmp_path / "in").write_text(BRACKETS)
    done = referee("phrases", "score", "in", "in", cwd=tmp_path)
    assert "give referee convert IN OUT --to jsonlines --columns entity=6" in done.err
    assert referee("convert", "in", "out", "--to", "jsonlines", "--columns", "entity=6", cwd=tmp_path).status == 0
    assert referee("phrases", "score", "out", "out", "-q", cwd=tmp_path).out == "100.00\n"


def test_an_empty_file_of_a_folder_is_an_error(tmp_path):
    (tmp_path / "a.mrg").write_text("(S (NP (N a)))")
    (tmp_path / "b.mrg").write_text("")
    done = referee("phrases", "score", ".", ".", "-q", cwd=tmp_path)
    assert "b.mrg: is empty; expected trees" in done.err
