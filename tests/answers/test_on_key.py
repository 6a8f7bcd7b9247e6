"""Answers on the words of a key: what these do not have is named, with its place, and is not written."""

import json
import warnings

import pytest

from referee import Answer, FormatError, MismatchError, RefereeWarning, convert, read, score
from referee.inputs import validate
from tests.support.command import referee

KEY = "[Anna Ruiz](#1) bought [the lighthouse](#2) in May.\n[She](#1) painted [it](#2).\n"
ANSWER = 'Here it is:\n1. Anna: ["Anna Ruiz", "She", "the keeper"]\n2. Light: ["the lighthouse", "it", "her light"]\n'
TWO = {
    "d1": {"sentences": [["Anna", "called", "her", "brother"]], "clusters": [[[0, 0], [2, 2]]]},
    "d2": {"sentences": [["Tom", "saw", "his", "dog"]], "clusters": [[[0, 0], [2, 2]]]},
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "key.txt").write_text(KEY)
    (tmp_path / "answer.md").write_text(ANSWER)
    return tmp_path


def message(*args, **options):
    with pytest.warns(RefereeWarning) as caught:
        score(*args, **options)
    return next(said for said in map(str, (warning.message for warning in caught)) if "repaired" in said)


def test_the_words_that_are_written_are_those_of_the_key(files):
    out = files / "out.conll"
    with pytest.warns(
        RefereeWarning, match=r"2 strings that the text does not have, or not so often, left out \(the first: 'the"
    ):
        convert(files / "answer.md", out, text=files / "key.txt")
    written, key = read(out), read(files / "key.txt")
    assert written.text is not None and key.text is not None
    assert list(written.text.words[0].tokens) == list(key.text.words[0].tokens)
    found = [(m.start, m.end) for m in written.documents["#1"].mentions]
    assert found == [(0, 2), (3, 5), (8, 9), (10, 11)]
    assert score(files / "key.txt", out)["mentions"].value == 1


def test_documents_that_the_key_does_not_have_are_not_written(tmp_path):
    (tmp_path / "key.jsonl").write_text("".join(json.dumps({"doc_key": name, **of}) + "\n" for name, of in TWO.items()))
    (tmp_path / "answer.json").write_text(json.dumps({"d1": [["Anna", "her"]], "d3": [["Sue", "she"]]}))
    with pytest.warns(RefereeWarning, match="1 document that the key does not have left out"):
        convert(tmp_path / "answer.json", tmp_path / "out.conll", text=tmp_path / "key.jsonl", format="quotes")
    assert read(tmp_path / "out.conll").doc_ids == ("d1",)


def test_a_warning_names_the_verb_that_lists_what_it_counts(files):
    key, answer = str(files / "key.txt"), str(files / "answer.md")
    said = message(key, answer)
    assert "counted as spurious (the first: 'the keeper')" in said
    assert said.endswith(f"`referee validate {answer} --text {key}` lists what the text does not have")


def test_a_warning_names_the_document():
    answer = Answer({"d1": [["Anna", "her"]], "d2": [["Tom", "his", "the cat"]]})
    assert message(TWO, answer).endswith("('the cat' in d2)")
    marks = Answer({"d1": "[Anna](#1) called [her](#1) brother", "d2": "[Tom](#1) saw [his](#1) old dog, and [Santa](#2)"})
    said = message(TWO, marks)
    assert "1 mention in added text counted as spurious ('Santa' in d2)" in said
    assert "4 added words (in d2)" in said
    assert message(TWO, Answer({"d1": "[Anna](#1) called [her](#1)", "d2": "[Tom](#1) saw [his](#1)"})).endswith(
        "2 missing words (in d1 and 1 more)"
    )


def test_a_warning_names_the_file_of_a_folder(tmp_path):
    (tmp_path / "d1.txt").write_text('[["Anna", "her"]]')
    (tmp_path / "d2.txt").write_text('[["Tom", "his", "the cat"]]')
    assert message(TWO, str(tmp_path)).endswith(f"('the cat' in {tmp_path / 'd2.txt'})")
    (tmp_path / "d2.txt").write_text("What a nice text.")
    assert f"1 answer in which neither lists nor marks were found (in {tmp_path / 'd2.txt'}: What a nice text.)" in message(
        TWO, str(tmp_path)
    )


def test_a_warning_shows_the_line_that_called(files):
    """Also where a thread reads the response, and one of the standard library is between."""
    (files / "twice.conll").write_text("#begin document (d); part 000\nd 0 0 Tom (1)|(1)\n\n#end document\n")
    for call in (
        lambda: score(files / "key.txt", files / "answer.md"),
        lambda: score({"d": TWO["d1"]}, Answer('[["Anna", "her", "Sue"]]')),
        lambda: score(files / "twice.conll", files / "twice.conll"),
        lambda: convert(files / "answer.md", files / "out.conll", text=files / "key.txt"),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RefereeWarning)
            call()
        assert {warning.filename for warning in caught} == {__file__}


def test_the_signature_says_both_formats(files):
    with pytest.warns(RefereeWarning):
        assert "formats:tagged/quotes" in score(files / "key.txt", files / "answer.md").signature
    same = referee("score", files / "key.txt", files / "key.txt")
    assert "formats:tagged |" in same.out


def test_validate_lists_what_the_text_does_not_have(files):
    done = referee("validate", "answer.md", "--text", "key.txt", cwd=files)
    assert done.status == 1
    assert [line.partition(" is not")[0] for line in done.out.splitlines()] == [
        "answer.md: document '#1': 'the keeper' of entity 'Anna'",
        "answer.md: document '#1': 'her light' of entity 'Light'",
    ]
    (files / "perfect.txt").write_text(KEY)
    done = referee("validate", "perfect.txt", "--text", "key.txt", cwd=files)
    assert (done.status, done.out) == (0, "perfect.txt: no errors (texts: tagged; 1 document, 4 mentions, 2 entities)\n")
    (files / "added.txt").write_text(KEY.replace("in May", "in May, as did [Tom](#3) and others"))
    assert "'Tom' of entity '3'" in referee("validate", "added.txt", "--text", "key.txt", cwd=files).out
    assert [str(error) for error in validate(files / "perfect.txt", text=files / "key.txt")] == []


def test_validate_names_the_files_of_a_folder(tmp_path):
    for folder, second in (("key", "[Tom](#1) saw [his](#1) dog."), ("answers", '[["Tom", "his", "the cat"]]')):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "d1.txt").write_text("[Anna](#1) called [her](#1) brother.")
        (tmp_path / folder / "d2.txt").write_text(second)
    done = referee("validate", tmp_path / "answers", "--text", tmp_path / "key")
    assert done.out.startswith(f"{tmp_path / 'answers' / 'd2.txt'}: document 'd2': 'the cat' of entity '1' is not in")


def test_validate_reads_answers_without_their_text(files):
    (files / "lists.json").write_text('```json\n{"Anna": ["Anna Ruiz", "She"]}\n```')
    done = referee("validate", files / "lists.json")
    assert (done.status, done.out.partition(" (")[2]) == (
        0, "texts: quotes; 1 document, 2 mentions, 1 entity; --text KEY looks the strings up)\n",
    )  # fmt: skip
    done = referee("validate", files / "answer.md")
    assert done.status == 1
    assert done.out.endswith("if it is the answer of a language model: --text KEY looks its strings up\n")
    (files / "table.txt").write_text("a\tb\nc\td\n")
    assert "--text" not in referee("validate", files / "table.txt").out


def test_annotation_is_no_answer(files):
    done = referee("validate", "key.conll", "--text", "key.txt", cwd=_with_conll(files))
    assert done.status == 2
    assert "expected tagged or quotes, which alone need a text" in done.err


def _with_conll(files):
    convert(files / "key.txt", files / "key.conll")
    return files


def test_the_text_may_be_plain(files):
    """Then the output has its words, its sentences, and its text."""
    text = "Anna Ruiz bought the lighthouse in May.  She painted it."
    (files / "story.txt").write_text(text)
    with pytest.warns(RefereeWarning, match="2 strings that .* left out"):
        convert(files / "answer.md", files / "out.ann", text=files / "story.txt")
    assert (files / "out.txt").read_text() == text
    with pytest.warns(RefereeWarning):
        convert(files / "answer.md", files / "out.conll", text=files / "story.txt")
    assert (files / "out.conll").read_text().count("\n\n") == 2  # behind each of two sentences
    (files / "empty.txt").write_text(" \n")
    (files / "other.json").write_text('{"what": "is this"}')
    for name in ("empty.txt", "other.json"):
        assert referee("convert", files / "answer.md", files / "no.conll", "--text", files / name).status == 2


def test_an_ending_of_many_formats_names_none(files):
    done = referee("convert", "answer.md", "out.txt", "--from", "quotes", cwd=files)
    assert done.status == 2
    assert done.err.startswith("referee: error: out.txt: .txt is the ending of many formats; expected --text KEY")
    assert not (files / "out.txt").exists()
    (files / "answer.md").write_text('[["Anna", "She"], ["it"]]')
    assert referee("convert", "answer.md", "out.txt", "--from", "quotes", "--to", "links", cwd=files).status == 0
    assert (files / "out.txt").read_text().splitlines()[:2] == ["{Anna She} {it}"]


SAID = '{"entities": [{"name": "Tom", "mentions": ["Tom", {"text": "his", "sentence": 1}]}]}'
SPANS = '{"clusters": [[[0, 0], [2, 2]], [[3, 3]]], "doc_key": "d"}'
SIGNS = "#begin document (d)\n" + "".join(f"d 0 {n} - {cell}\n" for n, cell in enumerate(("(1)", "-", "(1)", "(2)"))) + "\n"


@pytest.mark.parametrize(("key", "more"), [(SPANS, ()), (SIGNS, ("--tokens", "ignore"))])
def test_a_key_without_words_is_named_and_what_to_do(key, more, tmp_path):
    for name, content in {"key.jsonlines": key, "answer.json": SAID, "text": "Tom saw his dog"}.items():
        (tmp_path / name).write_text(content)
    done = referee("score", "key.jsonlines", "answer.json", cwd=tmp_path)
    remedy = "referee convert answer.json OUT --text TEXT, and score OUT" + " with --tokens ignore" * bool(more)
    found = "referee: error: key.jsonlines has no words, which answer.json needs as the answer of a language model"
    expected = f"expected a key with text; or, if TEXT has the tokens of the key, {remedy}; otherwise answer.json is in none"
    assert (done.status, len(done.errors)) == (2, 1)
    assert done.errors[0].startswith(f"{found}; {expected}")
    assert referee("convert", "answer.json", "out.conll", "--text", "text", cwd=tmp_path).status == 0
    done = referee("score", "key.jsonlines", "out.conll", "-q", "-m", "muc,mentions", *more, cwd=tmp_path)
    assert (done.status, done.out) == (0, "100.00\n")


@pytest.mark.parametrize(
    "key", ['[["r1", "r2"]]', "id1,id2\nr1,r2\n", "item,entity\nr1,1\nr2,1\n"], ids=["clusters", "pairs", "labels"]
)
def test_a_key_of_records_is_named_if_the_response_is_an_answer(key, tmp_path):
    (tmp_path / "key").write_text(key)
    (tmp_path / "answer.json").write_text(SAID)
    with pytest.raises(
        MismatchError, match=r"key has no words, which \S*answer.json needs as the answer of a language model; exp"
    ):
        score(tmp_path / "key", tmp_path / "answer.json")
    with pytest.raises(MismatchError, match=r"both with items; strings of an answer need a key with words$"):
        score([{(0, 1), (2, 3)}], [{"Tom", "his"}])


def test_a_table_is_not_looked_at_as_an_answer(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"key": ["r1"], "grp": ["7"]}), tmp_path / "odd.parquet")
    with pytest.raises(FormatError, match="has the columns key, grp; expected one for the item and one for the entity"):
        score(TWO["d1"], tmp_path / "odd.parquet")
