"""`--skip-bad-files`: files of a folder that cannot be read are left out, with their documents on the other side.

What is scored must be what is scored of two folders without these documents, whose scores are counted by hand.
"""

import gzip
from pathlib import Path

import pytest

import referee
from referee.basics.exceptions import FormatError, MismatchError, OptionError, RefereeWarning
from referee.cli.main import main
from referee.inputs.validating import errors_of
from tests.support.paths import SHARED
from tests.support.warned import recorded

ALL = "w\t(1)\nw\t(1)\nw\t(1)"
"""Three mentions of one entity: two links."""
TWO = "w\t(1)\nw\t(1)\nw\t-"
"""One link of these."""
BAD = "w\t(1\nw\t-\nw\t-"


def doc(name, body=ALL):
    return f"#begin document ({name}); part 000\n{body}\n\n#end document\n"


def folder(path, **files):
    """A folder of CoNLL files; a name with __ is in a folder of the folder."""
    for name, text in files.items():
        file = path / (name.replace("__", "/") + ".conll")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return str(path)


def skipped(key, response, **options):
    """The evaluation, and what was warned of."""
    with recorded() as caught:
        evaluation = referee.score(key, response, metrics=["muc"], skip_bad_files=True, **options)
    return evaluation, sorted(str(warning.message) for warning in caught)


def sides(evaluation):
    return evaluation["muc"].recall, evaluation["muc"].precision


def test_a_bad_file_of_the_key_is_left_out_on_both_sides(tmp_path):
    key = folder(tmp_path / "k", a=doc("a"), b=doc("b", BAD), c=doc("c"))
    response = folder(tmp_path / "r", a=doc("a", TWO), b=doc("b", TWO), c=doc("c"))
    evaluation, said = skipped(key, response)
    # a: 1 of 2 links; c: 2 of 2. With b as spurious, precision would be 3 of 4.
    assert sides(evaluation) == (3 / 4, 1)
    assert evaluation.signature.endswith("| documents:2 | skipped-files:1 | skipped-documents:1")
    assert evaluation.short_signature.endswith("|d:2|f:1|k:1")
    error = f"{key}/b.conll:2: entity 1 is opened but never closed; expected 1) before the end of its document"
    assert said == [
        f"{key}: left out 1 of 3 files that cannot be read, the first {error}",
        f"left out 1 document of {response} in files of {key} that cannot be read: b_0",
    ]


CASES = {
    "a bad file of the response does not profit nor harm": (
        {"a": doc("a"), "b": doc("b"), "c": doc("c")},
        {"a": doc("a", TWO), "b": doc("b", BAD), "c": doc("c")},
        ("a_0", "c_0"), (3 / 4, 1), "skipped-files:1 | skipped-documents:1",
    ),
    "bad files of other names are left out on both sides": (
        {"a": doc("a", BAD), "b": doc("b"), "c": doc("c")},
        {"a": doc("a"), "b": doc("b", BAD), "c": doc("c", TWO)},
        ("c_0",), (1 / 2, 1), "skipped-files:2 | skipped-documents:2",
    ),
    "a file that is bad on both sides leaves out nothing else": (
        {"a": doc("a", BAD), "b": doc("b")}, {"a": "junk\n", "b": doc("b", TWO)}, ("b_0",), (1 / 2, 1), "skipped-files:2\n",
    ),
    "all documents of a bad file are left out whatever they are called": (
        {"x": doc("nw/1") + doc("nw/2") + "junk\n" + doc("nw/3", BAD), "y": doc("bc/1")},
        {"x": doc("nw/1", TWO) + doc("nw/2") + doc("nw/3"), "y": doc("bc/1", TWO)},
        ("bc/1_0",), (1 / 2, 1), "skipped-files:1 | skipped-documents:3",
    ),
    "a document that the other side has in another file is scored": (
        {"x": doc("one", BAD), "y": doc("two")}, {"x": doc("one") + doc("two", TWO), "y": doc("three")},
        ("two_0", "three_0"), (1 / 2, 1 / 3), "three_0; their mentions count as spurious",
    ),
    "a single file goes by the names of documents": (
        doc("a") + doc("b"), {"a": doc("a", TWO), "b": "junk\n"}, ("a_0",), (1 / 2, 1), "",
    ),
    "a single file goes by the names of documents in folders": (
        doc("a") + doc("x/b"), {"a": doc("a", TWO), "x/b": "junk\n"}, ("a_0",), (1 / 2, 1), "",
    ),
    "names that can still be read tell the documents of a single file": (
        doc("nw/1") + doc("nw/2") + doc("nw/3"), {"p": doc("nw/1", TWO), "q": doc("nw/2", BAD) + doc("nw/3")},
        ("nw/1_0",), (1 / 2, 1), "",
    ),
    "a part is not taken for another document": (
        {"a": "w\t(1)\nw\t(1)\n", "b": "w\t(1\n"},
        doc("a", "w\t(1)\nw\t(1)") + doc("b", "w\t(1)") + doc("b_7", "w\t(1)\nw\t(1)"),
        None, (1, 1 / 2), "b_7_0; their mentions count as spurious",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("key", "response", "documents", "scores", "message"), CASES.values(), ids=CASES)
def test_what_cannot_be_read_is_left_out(tmp_path, key, response, documents, scores, message):
    paths = []
    for name, content in (("k", key), ("r", response)):
        paths.append(folder(tmp_path / name, **({"all": content} if isinstance(content, str) else content)))
        if isinstance(content, str):
            paths[-1] += "/all.conll"
    evaluation, said = skipped(*paths)
    assert documents in (None, evaluation.documents)
    assert sides(evaluation) == scores
    assert any(message in f"{text}\n" for text in (*said, evaluation.signature))


def test_nothing_is_scored_where_nothing_tells_the_documents(tmp_path):
    key = tmp_path / "key.conll"
    key.write_text(doc("nw/1") + doc("nw/2"))
    response = folder(tmp_path / "r", p=doc("nw/1"), q="junk\n")
    expected = r"cannot tell which documents of .*key\.conll are in .*r, file q, which cannot be read: found nw/2_0"
    with pytest.raises(MismatchError, match=expected), pytest.warns(RefereeWarning):
        referee.score(str(key), response, skip_bad_files=True)


def test_documents_without_names_and_gzip(tmp_path):
    good, bad = '{"tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}\n', '{"tokens": ["a", "b"]\n'
    none = good.replace("[[[0, 0], [1, 1]]]", "[[[0, 0]], [[1, 1]]]")
    for side, texts in {"k": (good, good + good, good), "r": (none, good + bad, good)}.items():
        (tmp_path / side).mkdir()
        for name, text in zip("abc", texts, strict=True):
            (tmp_path / side / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    key, response = str(tmp_path / "k"), str(tmp_path / "r")
    evaluation, said = skipped(key, response)
    assert evaluation.documents == ("a", "c")
    assert sides(evaluation) == (1 / 2, 1)
    assert f"left out 2 documents of {key} in files of {response} that cannot be read: b#1, b#2" in said
    (tmp_path / "k/b.jsonl.gz").write_bytes(gzip.compress((good + good).encode())[:20])  # cut off
    assert skipped(key, response)[0].documents == ("a", "c")


def test_a_file_with_words_in_another_encoding_is_left_out(tmp_path):
    key = folder(tmp_path / "k", a=doc("a"), b=doc("b"))
    (tmp_path / "k/b.conll").write_bytes(doc("b").replace("w\t", "é\t").encode("latin-1"))
    response = folder(tmp_path / "r", a=doc("a", TWO), b=doc("b"))
    assert skipped(key, response)[0].documents == ("a_0",)


def test_without_the_option_the_error_names_it(tmp_path):
    key = folder(tmp_path / "k", a=doc("a"), b=doc("b", BAD))
    with pytest.raises(FormatError, match=r"b\.conll:2: .*: mend the file, or leave out such files with --skip-bad-files"):
        referee.score(key, key)
    (tmp_path / "k/a.conll").unlink()
    with pytest.raises(FormatError) as alone:
        referee.score(key, key)
    assert "--skip-bad-files" not in str(alone.value)


def test_a_document_in_two_files_is_called_like_them(tmp_path):
    key = folder(tmp_path / "k", a=doc("a"), b=doc("a"))
    for skip in False, True:
        with pytest.warns(
            RefereeWarning, match="has 2 names in several files .a_0.: these documents are called like their files"
        ):
            assert referee.read(key, skip_bad_files=skip).doc_ids == ("a", "b")


def test_a_folder_of_bad_files_is_refused(tmp_path):
    key = folder(tmp_path / "k", a=doc("a", BAD), b=doc("b", BAD))
    with pytest.raises(FormatError, match=r"k: has no file that can be read, of 2; the first: .*a\.conll:2: entity 1"):
        referee.read(key, skip_bad_files=True)


def test_no_document_left_is_refused(tmp_path):
    key = folder(tmp_path / "k", a=doc("a", BAD), b=doc("b"))
    response = folder(tmp_path / "r", a=doc("a"), b=doc("b", BAD))
    with pytest.raises(MismatchError, match="has no document left"), pytest.warns(RefereeWarning):
        referee.score(key, response, skip_bad_files=True)


def test_single_files_are_refused(tmp_path):
    key = folder(tmp_path / "k", a=doc("a")) + "/a.conll"
    for call in (
        lambda: referee.score(key, key, skip_bad_files=True),
        lambda: referee.read(key, skip_bad_files=True),
        lambda: referee.compare(key, [key], skip_bad_files=True),
        lambda: referee.agree({"a": key, "b": key}, skip_bad_files=True),
        lambda: referee.inspect(key, skip_bad_files=True),
    ):
        with pytest.raises(OptionError, match=r"^--skip-bad-files \(skip_bad_files=True\) is for folders; found .*a\.conll"):
            call()


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_compare_scores_all_systems_on_the_same_documents(tmp_path):
    key = folder(tmp_path / "k", a=doc("a"), b=doc("b"), c=doc("c"), d=doc("d", BAD))
    one = folder(tmp_path / "one", a=doc("a", BAD), b=doc("b", TWO), c=doc("c"), d=doc("d"))
    two = folder(tmp_path / "two", a=doc("a", TWO), b=doc("b", BAD), c=doc("c", TWO), d=doc("d"))
    compared = referee.compare(key, {"one": one, "two": two}, metrics=["muc"], skip_bad_files=True)
    (of,) = compared.evaluations.values()
    assert [of[name].documents for name in ("one", "two")] == [("c_0",)] * 2
    assert [of[name]["muc"].recall for name in ("one", "two")] == [1, 1 / 2]
    assert all("skipped-files:2 | skipped-documents:3" in of[name].signature for name in ("one", "two"))
    page = referee.inspect(key, one, two, metrics=["muc"], skip_bad_files=True)
    assert [evaluation.documents for evaluation in page.evaluations] == [("c_0",)] * 2


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_corpora_that_were_read_before_are_scored_alike(tmp_path):
    key = folder(tmp_path / "k", a=doc("a"), b=doc("b"), c=doc("c", BAD))
    response = folder(tmp_path / "r", a=doc("a", TWO), b=doc("b", BAD), c=doc("c"))
    k, r = (referee.read(side, skip_bad_files=True) for side in (key, response))
    evaluation = referee.score(k, r, metrics=["muc"])
    assert (evaluation.documents, sides(evaluation)) == (("a_0",), (1 / 2, 1))
    assert evaluation.signature == skipped(key, response)[0].signature
    again = referee.score(evaluation.key, evaluation.response, metrics=["muc"])
    assert again.signature == evaluation.signature


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_annotators_agree_on_what_all_of_them_can_be_read_of(tmp_path):
    one = folder(tmp_path / "one", a=doc("a"), b=doc("b", BAD))
    two = folder(tmp_path / "two", a=doc("a", TWO), b=doc("b"))
    agreement = referee.agree({"one": one, "two": two}, metrics=["muc"], skip_bad_files=True)
    assert agreement.documents == ("a_0",)
    assert "skipped-files:1" in agreement.signature


def test_the_command_has_the_option(tmp_path, capsys):
    key = folder(tmp_path / "k", a=doc("a"), b=doc("b", BAD), c=doc("c"))
    response = folder(tmp_path / "r", a=doc("a", TWO), b=doc("b"), c=doc("c"))
    option = "--skip-bad-files"
    assert main(["score", key, response, option, "-m", "muc", "-q"]) == 0
    assert capsys.readouterr().out == "85.71\n"  # recall 3/4, precision 1
    for verb in (
        ["errors", key, response],
        ["compare", key, response],
        ["inspect", key, response, "-o", str(tmp_path / "page.html")],
        ["inspect", key, "-o", str(tmp_path / "page.html")],
        ["agree", key, response],
        ["sample", key, response, "-n", "1"],
        ["convert", key, str(tmp_path / "out.jsonlines")],
    ):
        assert main(verb) == 2, verb
        assert option in capsys.readouterr().err
        assert main([*verb, option]) == 0, verb
        assert "left out 1 of 3 files that cannot be read" in capsys.readouterr().err
    assert referee.read(str(tmp_path / "out.jsonlines")).doc_ids == ("a_0", "c_0")
    assert main(["score", key + "/a.conll", key + "/a.conll", option]) == 2
    assert main(["validate", key]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith(option)


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_what_is_left_out_is_what_validate_finds(tmp_path):
    if not (SHARED / "field").is_dir():
        pytest.skip("needs ../shared/field")
    corpus = str(SHARED / "field/formats/one-bad-file-in-folder/corpus")
    assert {Path(error.source).name for error in errors_of(corpus).first} == {"b.ann"}
    assert referee.read(corpus, skip_bad_files=True).doc_ids == ("a", "c")
    evaluation, _ = skipped(corpus, corpus)
    assert sides(evaluation) == (1, 1)
    assert "documents:2 | skipped-files:2" in evaluation.signature


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_answers_and_tei_are_read_together_without_the_bad_ones(tmp_path):
    key, said = tmp_path / "k", tmp_path / "said"
    for name in "ab":
        folder(key, **{name: "Ann\t(1)\nsaw\t-\nher\t(1)\n"})
        said.mkdir(exist_ok=True)
        (said / f"{name}.txt").write_text('{"Ann": ["Ann", "her"]}\n')
    (said / "b.txt").write_bytes(b'{"Ann": ["Ann", "h\xe9r"]}\n')
    evaluation, _ = skipped(str(key), str(said))
    assert (evaluation.documents, sides(evaluation)) == (("a",), (1, 1))
    (key / "a.conll").write_text("Ann\t(1\n")
    (said / "b.txt").write_text('{"Ann": ["Ann", "her"]}\n')
    with pytest.raises(OptionError, match="no document can be left out"):
        referee.score(str(key), str(said), skip_bad_files=True)
    tei = tmp_path / "tei"
    tei.mkdir()
    words = "".join(f'<w id="w{n}">x</w>' for n in (1, 2))
    spans = "".join(f'<span id="u{n}" from="#w{n}" to="#w{n}"/>' for n in (1, 2))
    chain = '<annotationGrp type="Schema"><link id="c" target="#u1 #u2"/></annotationGrp>'
    text = f"<TEI><text><s>{words}</s></text><standOff>{spans}{chain}</standOff></TEI>"
    (tei / "a.xml").write_text(text)
    (tei / "b.xml").write_text(text[:-10])
    found = referee.read(str(tei), format="tei", skip_bad_files=True)
    assert (found.doc_ids, len(found.document)) == (("a",), 2)
