"""What is read as key and response: one file alone, folders, encodings, types; and the names of schemes."""

import json
from pathlib import Path

import pytest

from referee.basics.exceptions import MismatchError, OptionError, UnknownNameError
from referee.phrases import compare, decode, errors, score
from tests.support.command import referee

KEY = "Anna B-PER\nLind I-PER\nkept O\n\nTom B-PER\nleft O\nRome B-LOC\n"
RESPONSE = "Anna B-PER\nLind I-PER\nkept O\n\nTom B-LOC\nleft O\nRome B-LOC\n"
BOTH = "Anna B-PER B-PER\nLind I-PER I-PER\nkept O O\n\nTom B-PER B-LOC\nleft O O\nRome B-LOC B-LOC\n"
F1 = "66.67\n"  # two of three phrases are right on both sides


@pytest.fixture
def here(tmp_path):
    for name, text in {"key.iob": KEY, "response.iob": RESPONSE, "both.txt": BOTH}.items():
        (tmp_path / name).write_text(text)
    for folder, text in {"gold": KEY, "predicted": RESPONSE}.items():
        for name in ("a", "sub/b"):
            file = tmp_path / folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.with_suffix(".iob" if folder == "gold" else ".conll").write_text(text)
    return tmp_path


def quiet(here, *arguments, stdin=b""):
    return referee("phrases", "score", *arguments, "-q", cwd=here, stdin=stdin)


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["both.txt"], F1),
        (["key.iob", "response.iob"], F1),
        (["gold", "predicted"], F1),
        (["both.txt", "--types", "LOC"], F1),  # one of one in the key, and of two in the response
        (["both.txt", "--types", "PER"], F1),  # one of two, and of one
        (["both.txt", "--types", "PER", "-m", "type_match"], F1),
        (["both.txt", "--decode", "bio"], F1),
        (["both.txt", "--decode", "iob2"], F1),
        (["both.txt", "--decode", "strict", "-m", "f1"], F1),
    ],
    ids=str,
)
def test_the_number(here, arguments, printed):
    assert quiet(here, *arguments).out == printed


def test_a_pipe_alone_has_both_sides(here):
    assert quiet(here, "-", stdin=BOTH.encode()).out == F1
    assert score(str(here / "both.txt"))["f1"].f1 == 2 / 3
    assert errors(str(here / "both.txt")).counts["type"] == 1
    rows = [
        {"tokens": ["Tom"], "gold": ["B-PER"], "predicted": ["B-LOC"]},
        {"tokens": ["Ann"], "gold": ["B-PER"], "predicted": ["B-PER"]},
    ]
    (here / "both.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert score(str(here / "both.jsonl"))["f1"].f1 == 1 / 2


@pytest.mark.parametrize("file", ["key.iob", "gold"])
def test_a_file_of_one_side_is_no_comparison(here, file):
    done = quiet(here, file)
    assert (done.status, done.out) == (2, "")
    assert "has one side; expected a response, too" in done.err
    with pytest.raises(MismatchError, match="has one side"):
        score(str(here / file))


def test_sentences_of_a_folder_are_called_after_their_files(here):
    wrong = errors(str(here / "gold"), str(here / "predicted"))
    assert [row["sentence"] for row in wrong.records().to_rows()] == ["a:2", "sub/b:2"]
    (here / "predicted" / "a.conll").unlink()
    assert "sentence 'a:1' of gold is missing" in quiet(here, "gold", "predicted").err


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {"c.jsonl": '{"tokens": ["x"], "spans": []}\n'},
            "has files of the formats columns and spans; expected one: --format columns",
        ),
        ({"a.txt": KEY}, "is another file called a; expected files with names of their own"),
    ],
    ids=str,
)
def test_a_folder_of_several_kinds_is_refused(here, files, problem):
    for name, text in files.items():
        (here / "gold" / name).write_text(text)
    assert problem in quiet(here, "gold", "predicted").err


def test_what_is_no_phrase_in_a_folder_is_counted(here):
    (here / "gold" / "notes.txt").write_text("see the page\n")
    (here / "gold" / "README.md").write_text("tags\n")
    done = quiet(here, "gold", "predicted")
    assert done.out == F1
    assert "gold: left out 1 file as no phrases (notes.txt)" in done.err


def test_folders_of_scored_spans(here):
    for folder, p in (("k", None), ("r", 0.4)):
        (here / folder).mkdir()
        span = {"type": "PER", "start": 0, "end": 1} | ({} if p is None else {"confidence": p})
        (here / folder / "a.jsonl").write_text(json.dumps({"tokens": ["Ann", "sang"], "spans": [span]}) + "\n")
    assert quiet(here, "k", "r").out == "0.00\n"
    assert quiet(here, "k", "r", "--threshold", "0.4").out == "100.00\n"


def test_files_in_other_encodings(here):
    for name in ("k", "r"):
        (here / name).write_bytes("Köln B-LOC\n".encode("cp1252"))
        (here / f"f{name}").mkdir()
        (here / f"f{name}" / "a.iob").write_bytes("Köln B-LOC\n".encode("cp1252"))
    for files in (("k", "r"), ("fk", "fr")):
        assert quiet(here, *files).status == 2
        assert quiet(here, *files, "--encoding", "cp1252").out == "100.00\n"
    assert "--encoding takes the name of an encoding" in quiet(here, "k", "r", "--encoding", "cp99").err


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("BIO", "IOB2"),
        ("bio2", "IOB2"),
        ("iob1", "IOB1"),
        ("BIOES", "IOBES"),
        ("iobes", "IOBES"),
        ("BILUO", "BILOU"),
        ("lenient", "conlleval"),
    ],
)
def test_schemes_have_the_names_of_other_programs(name, rule):
    tags = [["O", "I-X", "I-X", "O"], ["B-X", "I-X", "O"]]
    try:
        expected = decode(tags, rule, count_unused=False).triples()
    except OptionError as error:
        with pytest.raises(OptionError, match=str(error)[:40].replace("<", "<")):
            decode(tags, name)
    else:
        assert decode(tags, name, count_unused=False).triples() == expected


@pytest.mark.parametrize(
    ("tags", "rule"),
    [
        (["B-X", "I-X", "O", "I-X"], "IOB2"),
        (["I-X", "E-X", "O", "I-X"], "IOE2"),
        (["B-X", "E-X", "S-X", "I-X"], "IOBES"),
        (["B-X", "L-X", "U-X", "I-X"], "BILOU"),
        (["B-X", "E-X", "W-X", "M-X"], "BMEWO"),
        (["B-X", "E-X", "S-X", "M-X"], "BMES"),
    ],
)
def test_strict_is_the_scheme_of_the_tags(tags, rule):
    assert decode([tags], "strict", count_unused=False).triples() == decode([tags], rule, count_unused=False).triples()


def test_strict_is_the_scheme_of_the_key_for_both_sides():
    """As seqeval, which takes the scheme of y_true: in IOBES the B of the response begins nothing that ends."""
    key, response = [["B-X", "E-X", "O", "S-X"]], [["B-X", "E-X", "B-X", "O"]]
    with pytest.warns(UserWarning, match="left out 1 tag not legal in IOBES"):
        assert score(key, response, decode="strict")["exact_match"].f1 == 2 / 3
    with pytest.raises(OptionError, match="found the tag 'E-X'; expected O, or B, I"):
        score([["B-X", "I-X"]], [["B-X", "E-X"]], decode="strict")
    with pytest.raises(OptionError, match="found the prefixes B, E, L; expected those of one scheme"):
        score([["B-X", "E-X", "L-X"]], key, decode="strict")


@pytest.mark.parametrize("verb", [score, errors, compare])
def test_iob_alone_is_no_name(verb):
    with pytest.raises(UnknownNameError, match="IOB1 has B- only between two chunks of one type, IOB2 always"):
        verb([["B-X"]], [["B-X"]], decode="IOB")


def test_docs_of_spacy_are_key_and_response():
    spacy = pytest.importorskip("spacy")
    blank = spacy.blank("en")
    docs = [blank("Anna left Rome."), blank("Anna left Rome.")]
    docs[0].ents = [docs[0].char_span(0, 4, "PER"), docs[0].char_span(10, 14, "LOC")]
    docs[1].ents = [docs[1].char_span(0, 4, "PER")]
    assert score(docs[:1], docs[1:])["f1"].recall == 0.5
    spans = [
        [
            {"start": 0, "end": 4, "text": "Anna", "label": "PER", "score": 0.9},
            {"start": 5, "end": 9, "text": "left", "label": "LOC", "score": 0.6},
        ]
    ]
    assert score(docs[:1], spans)["f1"].precision == 0.5  # as GLiNER returns them
    assert compare(docs[:1], {"a": spans, "b": docs[:1]})["b", "exact_match"].score.value == 1


def test_paths_may_be_paths(here):
    assert score(Path(here, "both.txt"))["f1"].f1 == 2 / 3


def test_a_docbin_without_coreference_has_the_names_of_its_documents(tmp_path):
    spacy = pytest.importorskip("spacy")
    doc = spacy.blank("en")("Ann Lee saw Rome")
    doc.ents = [spacy.tokens.Span(doc, 0, 2, "PER"), spacy.tokens.Span(doc, 3, 4, "PER")]
    (tmp_path / "names.spacy").write_bytes(spacy.tokens.DocBin(docs=[doc]).to_bytes())
    key = [["B-PER", "I-PER", "O", "B-LOC"]]
    found = score([{"tokens": [str(word) for word in doc], "ner_tags": key[0]}], str(tmp_path / "names.spacy"))
    assert (found["exact_match"].recall, found["exact_match"].precision) == (0.5, 0.5)
