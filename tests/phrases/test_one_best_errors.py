"""The errors of tags: each has one kind, is counted once, and stands where it is."""

import csv
import io
import json
import random

import pytest

import referee
from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning, UnknownNameError
from referee.basics.options.choices import PHRASE_ERRORS
from referee.phrases import Chunks, Sentences, decode, errors
from referee.phrases.annotation import common_spans
from tests.support.command import referee as run
from tests.support.phrases import listed

KEY = """-DOCSTART- O

# a comment
Anna B-PER
Lind I-PER
joined O
the O
United B-ORG
Nations I-ORG

Oslo B-LOC
and O
New B-LOC
York I-LOC
called O
Tom B-PER
"""
RESPONSE = """-DOCSTART- O

# a comment
Anna B-PER
Lind I-PER
joined O
the O
United B-LOC
Nations I-LOC

Oslo O
and O
New O
York B-LOC
called B-ORG
Tom B-LOC
"""


def tags_of(text):
    sentences = text.split("a comment\n")[1].split("\n\n")
    return [[line.split()[1] for line in sentence.splitlines()] for sentence in sentences]


@pytest.fixture
def here(tmp_path):
    (tmp_path / "key.iob").write_text(KEY)
    (tmp_path / "found.iob").write_text(RESPONSE)
    return tmp_path


@pytest.mark.parametrize(
    ("key", "response", "kind"),
    [
        (["B-X", "O"], ["O", "O"], "missed"),
        (["O", "O"], ["O", "B-X"], "spurious"),
        (["B-X", "I-X"], ["B-Y", "I-Y"], "type"),
        (["B-X", "I-X"], ["B-X", "O"], "span"),
        (["B-X", "I-X"], ["O", "B-Y"], "both"),
    ],
)
def test_each_kind_is_what_it_says(key, response, kind):
    found = errors([key], [response])
    assert found.counts == {each: int(each == kind) for each in PHRASE_ERRORS}
    (row,) = found
    assert row["kind"] == kind
    assert (row["key_type"] is None, row["response_type"] is None) == (kind == "spurious", kind == "missed")


def test_what_is_right_is_no_error():
    found = errors([["B-X", "O"]], [["B-X", "O"]])
    assert (len(found), list(found), repr(found)) == (0, [], "<PhraseErrors of <response>: 0 errors>")
    assert len(found.listings()) == 1


def of_one_sentence(*spans):
    columns = {"start": [s for _, s, _ in spans], "end": [e for *_, e in spans], "category": ["XY".index(x) for x, *_ in spans]}
    return Chunks.build(Sentences.numbered([9]), ["X", "Y"], sentence=[0] * len(spans), **columns)


def test_pairs_have_the_same_span_first_then_the_same_type_then_more_words_in_common():
    """Nested phrases: each could be a pair with several others."""
    span = errors(of_one_sentence(("X", 0, 4)), of_one_sentence(("Y", 0, 4), ("X", 0, 3)))
    assert {(row["kind"], row["response_type"]) for row in span} == {("type", "Y"), ("spurious", "X")}
    same_type = errors(of_one_sentence(("X", 0, 4)), of_one_sentence(("Y", 0, 3), ("X", 3, 5)))
    assert {(row["kind"], row["response_type"]) for row in same_type} == {("span", "X"), ("spurious", "Y")}
    words = errors(of_one_sentence(("X", 0, 4)), of_one_sentence(("Y", 0, 1), ("Y", 1, 5)))
    assert [(row["kind"], row["response_start"]) for row in words] == [("spurious", 0), ("both", 1)]


def test_what_is_right_takes_part_in_no_pair():
    found = errors(of_one_sentence(("X", 0, 4)), of_one_sentence(("X", 0, 4), ("X", 0, 2)))
    assert found.counts == {"missed": 0, "spurious": 1, "type": 0, "span": 0, "both": 0}


def _words(found, kind, side):
    """The words of the phrases of one kind."""
    phrases = [(row["sentence"], row[f"{side}_start"], row[f"{side}_end"]) for row in found if row["kind"] == kind]
    return {(sentence, word) for sentence, start, end in phrases for word in range(int(start or 0), int(end or 0))}


def test_every_wrong_phrase_is_in_one_error_and_nothing_is_left_that_shares_a_word():
    for seed in range(60):
        chance = random.Random(seed)
        tags = ["O", "B-X", "I-X", "B-Y", "I-Y"]
        rows = [[chance.choice(tags) for _ in range(chance.randint(1, 9))] for _ in range(3)]
        others = [[t if chance.random() < 0.5 else chance.choice(tags) for t in row] for row in rows]
        key, response = (decode(side).with_categories(["X", "Y"]) for side in (rows, others))
        found = errors(key, response)
        right = int(common_spans(key, response)[0].sum())
        number = found.counts
        pairs = number["type"] + number["span"] + number["both"]
        assert (len(key) - right, len(response) - right) == (number["missed"] + pairs, number["spurious"] + pairs)
        missed, spurious = (_words(found, kind, side) for kind, side in (("missed", "key"), ("spurious", "response")))
        assert not missed & spurious
        swapped = errors(response, key).counts
        assert (swapped["missed"], swapped["spurious"]) == (number["spurious"], number["missed"])


def test_the_command_shows_kinds_by_type_and_each_error_in_its_line(here):
    done = run("phrases", "errors", "key.iob", "found.iob", cwd=here)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert " ".join(lines[0].split()) == "type missed spurious wrong type wrong span both wrong errors"
    table = {line.split()[0]: line.split()[1:] for line in lines[1:5]}
    assert table == {
        "LOC": ["1", "0", "0", "1", "0", "2"],
        "ORG": ["0", "1", "1", "0", "0", "2"],
        "PER": ["0", "0", "1", "0", "0", "1"],
        "all": ["1", "1", "2", "1", "0", "5"],
    }
    errors_of = [" ".join(line.split()) for line in lines[-5:]]
    assert errors_of == [
        "1 8 wrong type [ORG United Nations] → [LOC United Nations] Anna Lind joined the [United Nations]",
        "2 11 missed [LOC Oslo] → – [Oslo] and New York called",
        "2 13 wrong span [LOC New York] → [LOC York] Oslo and [New York] called Tom",
        "2 15 spurious – → [ORG called] Oslo and New York [called] Tom",
        "2 16 wrong type [PER Tom] → [LOC Tom] and New York called [Tom]",
    ]
    for number, word in ((8, "United"), (11, "Oslo"), (13, "New"), (15, "called"), (16, "Tom")):
        assert KEY.splitlines()[number - 1].split()[0] == word


def test_a_list_is_limited_and_says_how_many_more_there_are(here):
    out = run("phrases", "errors", "key.iob", "found.iob", "--limit", "2", cwd=here).out
    assert "[LOC Oslo]" in out and "[LOC York]" not in out
    assert out.splitlines()[-1] == "… 3 more: --limit 0 lists all"
    assert "[LOC Tom]" in run("phrases", "errors", "key.iob", "found.iob", "--limit", "0", cwd=here).out
    kinds = run("phrases", "errors", "key.iob", "found.iob", "--kind", "missed, span", cwd=here).out
    assert "[LOC Oslo]" in kinds and "[LOC York]" in kinds and "[LOC Tom]" not in kinds


def test_programs_get_every_error(here):
    rows = list(csv.DictReader(io.StringIO(run("phrases", "errors", "key.iob", "found.iob", "-r", "csv", cwd=here).out)))
    assert [row["kind"] for row in rows] == ["type", "missed", "span", "spurious", "type"]
    assert rows[2] == {
        "kind": "span", "sentence": "2", "line": "13", "key_type": "LOC", "key_start": "2", "key_end": "4",
        "key_words": "New York", "response_type": "LOC", "response_start": "3", "response_end": "4", "response_words": "York",
        "before": "Oslo and", "after": "called Tom",
    }  # fmt: skip
    content = json.loads(run("phrases", "errors", "key.iob", "found.iob", "-r", "json", cwd=here).out)
    assert content["counts"] == {"missed": 1, "spurious": 1, "type": 2, "span": 1, "both": 0}
    assert [row["kind"] for row in content["errors"]] == [row["kind"] for row in rows]
    assert (content["system"], len(content["errors"])) == ("found", 5)


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_every_form_has_both_tables(form, here):
    out = run("phrases", "errors", "key.iob", "found.iob", "-r", form, cwd=here).out
    assert "wrong span" in out
    assert "United Nations" in out
    assert "decode:conlleval" in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--limit", "-1"), "--limit is 0 or more; found -1"),
        (("--kind", "typo"), "no kind of error named 'typo'"),
        (("--threshold", "2"), "threshold is a number from 0 to 1; found 2"),
        (("--without", "GPE"), "no category named 'GPE'"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments, problem, here):
    done = run("phrases", "errors", "key.iob", "found.iob", *arguments, cwd=here)
    assert (done.status, done.out, len(done.errors)) == (2, "", 1)
    assert problem in done.err


def test_python_takes_files_and_lists_of_tags_as_the_command_does(here):
    of_files = referee.phrases.errors(here / "key.iob", str(here / "found.iob"))
    of_tags = referee.phrases.errors(*(tags_of(text) for text in (KEY, RESPONSE)))
    assert of_files.counts == of_tags.counts
    assert of_files[0]["line"] == 8 and of_tags[0]["line"] is None
    assert "[PER 5-6] → [LOC 5-6]" in str(of_tags)
    assert of_files.signature == run("phrases", "errors", "key.iob", "found.iob", cwd=here).out.split("\n\n")[1].splitlines()[1]
    with pytest.raises(UnknownNameError, match="no kind of error named 'x'"):
        of_tags.to_rows(kind="x")
    with pytest.raises(MismatchError):
        errors([["O"]], [["O"], ["O"]])


def test_a_scheme_that_is_named_counts():
    assert errors([["O", "B-X", "I-X"]], [["O", "I-X", "I-X"]]).counts["missed"] == 0
    with pytest.warns(RefereeWarning, match="not legal in IOB2"):
        assert errors([["O", "B-X", "I-X"]], [["O", "I-X", "I-X"]], decode="IOB2").counts["missed"] == 1


def test_probabilities_are_errors_from_a_threshold_on():
    key = decode([["B-X", "O", "B-X"]])

    def found(default):
        return listed(key, ["X"], [(0, 0, 1, 0, 0.9), (0, 1, 2, 0, 0.5)], default)

    assert [row["kind"] for row in errors(key, found(0))] == ["spurious", "missed"]
    assert [row["kind"] for row in errors(key, found(0), threshold=0.6)] == ["missed"]
    assert "threshold:0.6" in errors(key, found(0), threshold=0.6).signature
    with pytest.raises(OptionError, match="what is listed is no prediction; expected a higher --threshold"):
        errors(key, found(0.7))


def test_other_words_are_told(here):
    (here / "other.iob").write_text(RESPONSE.replace("Oslo", "Bergen"))
    done = run("phrases", "errors", "key.iob", "other.iob", cwd=here)
    assert done.status == 0
    assert "other.iob: the words of 1 sentence differ from key.iob" in done.err
