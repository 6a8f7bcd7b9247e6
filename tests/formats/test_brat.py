import re
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st

from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.corpus import CorpusBuilder
from referee.formats.shared.source import Source
from tests.support.paths import SHARED
from tests.support.raw_texts import inked, raw_of
from tests.support.reading import entities_of, links_of, sentences_of, tokens_of

TEXT = "Old and young men met Mary's dog.\nIt barked at her.\n"
STANDOFF = """T1\tGroup 0 3;14 17\tOld men
T2\tGroup 8 17\tyoung men
T3\tPerson 22 26\tMary
T4\tAnimal 22 32\tMary's dog
T5\tAnimal 34 36\tIt
T6\tPerson 47 50\ther
R1\tCoreference Arg1:T6 Arg2:T3
*\tEquiv T4 T5
"""
UNUSED = """A1\tNegation T5
A2\tTense T5
#1\tAnnotatorNotes T1\tunclear
N1\tReference T3 Wikipedia:1\tMary
E1\tBark:T5 Who:T3
"""


def files(folder, standoff, text=TEXT):
    (folder / "dog.ann").write_bytes(standoff.encode())
    (folder / "dog.txt").write_bytes(text.encode())
    return str(folder / "dog.ann")


def test_chains_are_connected_components_and_the_rest_singletons(tmp_path):
    path = files(tmp_path, STANDOFF)
    assert inputs.detect(Source(path)) == "brat"
    corpus = inputs.read(path)
    assert tokens_of(corpus) == [
        "Old",
        "and",
        "young",
        "men",
        "met",
        "Mary",
        "'",
        "s",
        "dog",
        ".",
        "It",
        "barked",
        "at",
        "her",
        ".",
    ]
    assert sentences_of(corpus) == [0, 10]
    assert entities_of(corpus)["#1"] == {"T1": [(0, 4)], "T2": [(2, 4)], "T4": [(5, 9), (10, 11)], "T3": [(5, 6), (13, 14)]}
    types = dict(zip(corpus.entity_ids, corpus.entity_types, strict=True))
    assert types == {"T1": "Group", "T2": "Group", "T3": "Person", "T4": "Animal"}
    assert corpus.spans(0) == ((0, 1), (3, 4))
    assert "discontinuous mentions" in corpus.features
    assert links_of(corpus) == [("her", "Mary"), ("It", "Mary ' s dog")]


@pytest.mark.parametrize("name", ["Coref", "coreference", "IDENT", "Identity", "COREF-strict"])
@pytest.mark.parametrize("arguments", ["Arg1:T6 Arg2:T3", "Anaphor:T6 Antecedent:T3\t"])
def test_relations_whose_name_begins_with_coref_or_ident_are_coreference(tmp_path, name, arguments):
    named = inputs.read(files(tmp_path, STANDOFF.replace("Coreference", name).replace("Arg1:T6 Arg2:T3", arguments)))
    assert named == inputs.read(files(tmp_path, STANDOFF))


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (
            "R2\tcop Arg1:T3 Arg2:T4\nR3\tcop Arg1:T3 Arg2:T5\n",
            r"ignored 2 relations other than coreference \(cop\)",
        ),
        (UNUSED, r"left out 5 annotations beside coreference \(attribute, note, normalisation, event\)"),
    ],
)
def test_what_is_no_coreference_is_left_out_with_a_count(tmp_path, rows, problem):
    whole = inputs.read(files(tmp_path, STANDOFF))
    with pytest.warns(RefereeWarning, match=problem):
        assert inputs.read(files(tmp_path, STANDOFF + rows)) == whole


EVENTS = "T1\tMeet 18 21\tmet\nT2\tBark 37 43\tbarked\nE1\tMeet:T1 Who:T2\nE2\tBark:T2\nR1\tCoref Arg1:E2 Arg2:E1\n"
PIECES = {
    "an event stands for its trigger": (EVENTS, TEXT, {"T1": [(4, 5), (11, 12)]}),
    "offsets count code points and both characters of a line end": (
        "T1\tPerson 2 5\tAnn\nT2\tPerson 7 10\tShe\n*\tEquiv T1 T2\n", "😀 Ann\r\nShe\r\n", {"T1": [(1, 2), (2, 3)]},
    ),
    "any blank in the words of a mention over two lines": (
        "T1\tThing 28 36\tdog. It\nT2\tThing 22 26\n", TEXT, {"T2": [(5, 6)], "T1": [(8, 11)]},
    ),
    "no annotation": ("", TEXT, {}),
    "an empty line": ("\n", TEXT, {}),
    "a byte order mark in a mention is no token": (
        "T1\tPerson 0 1;1 4\t\ufeff Ann\nT2\tPerson 9 12\tBob\n", "\ufeffAnn met Bob.\n", {"T1": [(0, 1)], "T2": [(2, 3)]},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("standoff", "text", "expected"), PIECES.values(), ids=PIECES)
def test_what_is_read(tmp_path, standoff, text, expected):
    assert entities_of(inputs.read(files(tmp_path, standoff, text))) == {"#1": expected}


@pytest.mark.filterwarnings("ignore:.*over the end of a line:referee.RefereeWarning")
@given(
    lines=st.lists(st.text("ab .:\t", max_size=6), min_size=1, max_size=5),
    ending=st.sampled_from(["\n", "\r\n"]),
    between=st.sampled_from(["", " ", "\n", "\n\n"]),
    data=st.data(),
)
def test_mentions_over_lines_have_their_words_with_any_or_no_blank_or_as_they_are(lines, ending, between, data):
    text = ending.join(lines)
    places = st.integers(0, len(text))
    drawn = [(min(edges), max(edges)) for edges in data.draw(st.lists(st.tuples(places, places), max_size=4))]
    drawn = [(a, b) for a, b in drawn if text[a:b].strip()]
    written = [re.sub(r"[\r\n]+", between, text[a:b].replace("\t", " ")) for a, b in drawn]
    standoff = "".join(f"T{n}\tX {a} {b}\t{words}\n" for n, ((a, b), words) in enumerate(zip(drawn, written, strict=True)))
    with TemporaryDirectory() as folder:
        corpus = inputs.read(files(Path(folder), standoff, text), format="brat")
    found = Counter(inked(text, a, b) for a, b, _ in _spans(corpus))
    assert found == Counter(inked(text, a, b) for a, b in drawn)


def _spans(corpus):
    """The characters of each mention, and its entity."""
    raw = raw_of(corpus)
    rows = zip(corpus.start.tolist(), corpus.end.tolist(), corpus.entity.tolist(), strict=True)
    return [(int(raw.start[a]), int(raw.end[b - 1]), entity) for a, b, entity in rows]


@pytest.mark.parametrize("words", ["Main owl :\nAnna Bird", "Main owl :"])
def test_words_that_go_on_in_the_next_line_are_read_with_a_count(tmp_path, words):
    standoff = f"T1\tMarkable 0 20\t{words}\nT2\tMarkable 21 24\tShe\nR1\tCoref Arg1:T2 Arg2:T1\t\n"
    with pytest.warns(RefereeWarning, match="dog.ann: read 1 mention over the end of a line, whose words"):
        corpus = inputs.read(files(tmp_path, standoff, "Main owl :\nAnna Bird\nShe sang .\n"))
    assert entities_of(corpus) == {"#1": {"T1": [(0, 5), (5, 6)]}}


@pytest.mark.filterwarnings("ignore:.*over the end of a line:referee.RefereeWarning")
@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("brat-multiline-mention", {"T1": [(0, 5), (5, 6)]}),
        ("brat-bionlp-coref", {"T1": [(0, 3), (4, 5)], "T3": [(4, 6), (8, 9)]}),
    ],
)
def test_published_corpora_are_read(folder, expected):
    path = SHARED / "field/formats" / folder / "a.ann"
    if not path.exists():
        pytest.skip("the inputs are not here")
    assert entities_of(inputs.read(path)) == {"#1": expected}


def test_an_empty_annotation_without_a_text_is_no_format(tmp_path):
    (tmp_path / "x.ann").write_bytes(b"")
    with pytest.raises(FormatError, match="is empty; expected annotation"):
        inputs.read(tmp_path / "x.ann")


@pytest.mark.parametrize("empty", ["a", "z"])
def test_a_folder_may_have_a_document_without_mentions(tmp_path, empty):
    files(tmp_path, STANDOFF)
    (tmp_path / f"{empty}.ann").write_bytes(b"")
    (tmp_path / f"{empty}.txt").write_text("It is [still|1] here .\n", encoding="utf-8")
    assert sorted(inputs.read(tmp_path).doc_ids) == sorted([empty, "dog"])


@pytest.mark.parametrize("counted", [True, False])
def test_a_byte_order_mark_counts_where_the_words_say_so(tmp_path, counted):
    text = "\ufeffAnn met Bob.\r\n\r\n"
    standoff = f"T1\tPerson {0 + counted} {3 + counted}\tAnn\nT2\tPerson {8 + counted} {11 + counted}\tBob\n"
    corpus = inputs.read(files(tmp_path, standoff, text))
    assert entities_of(corpus) == {"#1": {"T1": [(0, 1)], "T2": [(2, 3)]}}
    assert list(corpus.documents["#1"].tokens) == ["Ann", "met", "Bob", "."]
    inputs.write(corpus, tmp_path / "new.ann")
    assert (tmp_path / "new.ann").read_text(encoding="utf-8") == standoff
    assert (tmp_path / "new.txt").read_bytes() == text[not counted :].encode()
    inputs.write(corpus, tmp_path / "dog.ann")  # the text is there already
    assert (tmp_path / "dog.txt").read_bytes() == text.encode()


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("Old", "found 'Old'; expected an id that begins with T"),
        ("T9", "found 'T9'; expected an id that begins with T"),
        ("T9\tPerson 22", "found 'Person 22'; expected label, start and end"),
        ("T9\tPerson 22 26;", "found 'Person 22 26;'; expected label, start and end"),
        ("T9\tPerson -2 26\tMary", "found 'Person -2 26'; expected label, start and end"),
        (f"T9\tPerson 2 {'9' * 30}\tMary", "found 'Person 2 9999.*; expected label, start and end"),
        ("T9\tPerson 22 99\tMary", "found 22 99; expected offsets with start <= end <= 52"),
        ("T9\tPerson 23 27\tMary", "T9 is 'Mary', but the text has \"ary'\" there"),
        ("T9\tPerson 3 4\tand", "T9 is 'and', but the text has '' there"),
        ("T1\tPerson 22 26\tMary", "T1 is there already, on line 1"),
        ("R2\tCoref Arg1:T9 Arg2:T1", "Coref relates T9, which is no mention"),
        ("R2\tCoref Arg1:T1 Arg2:T1", "Coref relates T1 T1; expected"),
        ("R2\tCoref Arg1:T1", "Coref relates T1; expected the ids of two"),
        ("*\tEquiv", "Equiv relates nothing; expected the ids of two"),
        ("R2\t", "found 'R2"),
    ],
)
def test_a_fault_names_line_and_problem(tmp_path, bad, problem):
    path = files(tmp_path, f"{STANDOFF}{bad}\n")
    with pytest.raises(FormatError, match=rf"dog\.ann:9: {problem}"):
        inputs.read(path, format="brat")
    assert len(inputs.validate(path, format="brat")) == 1


@pytest.mark.parametrize("text", ["Ann met Bob", "Ann met Bob\n"])
def test_an_end_past_the_text_is_a_fault_though_the_words_are_the_rest_of_it(tmp_path, text):
    path = files(tmp_path, f"T1\tPerson 0 3\tAnn\nT2\tPerson 8 {len(text) + 1}\tBob\n", text)
    expected = rf"dog\.ann:2: found 8 {len(text) + 1}; expected offsets with start <= end <= {len(text)}, the length of the"
    with pytest.raises(FormatError, match=expected):
        inputs.read(path)


def test_a_text_that_is_not_utf_8_is_a_fault(tmp_path):
    path = files(tmp_path, STANDOFF)
    (tmp_path / "dog.txt").write_bytes(TEXT.encode() + b"\xe9")
    with pytest.raises(FormatError, match=r"dog\.txt:3: found the byte 0xe9; expected UTF-8"):
        inputs.read(path)


@pytest.mark.parametrize("token", ["a b", "a\0", "\0", "a\u2028"])
def test_a_token_that_a_text_cannot_hold_is_refused(tmp_path, token):
    builder = CorpusBuilder("x")
    builder.document("d", [token, "b"])
    builder.mention(1, 2, "e")
    with pytest.raises(FormatError, match=r"has 1 word \(the first: .* in document 'd'\), which brat cannot hold"):
        inputs.write(builder.corpus(), tmp_path / "x.ann", format="brat")


QUOTED = "Ann saw C___ . She left .\n"


def quoting(folder, mentions, wrong):
    """A text of words w0 w1 ..., each a mention, of which some are said to be otherwise."""
    words = [f"w{n:04}" for n in range(mentions)]
    rows = [f"T{n}\tX {6 * n} {6 * n + 5}\t{wrong.get(n, word)}\n" for n, word in enumerate(words)]
    return files(folder, "".join(rows), " ".join(words))


def test_a_few_mentions_with_other_words_than_the_text_are_where_the_offsets_say(tmp_path):
    standoff = "T1\tPER 0 3\tAnn\nT2\tGPE 8 12\t___\nT3\tPER 15 18\tShe\nR1\tCoref Arg1:T3 Arg2:T1\n"
    with pytest.warns(RefereeWarning, match=r"dog.ann:2: took the offsets of 1 mention .*\('___' for 'C___'\)$"):
        corpus = inputs.read(files(tmp_path, standoff, QUOTED))
    assert entities_of(corpus) == {"#1": {"T1": [(0, 1), (4, 5)], "T2": [(2, 3)]}}
    with pytest.warns(
        RefereeWarning, match="dog.ann:8: took the offsets of 2 mentions with other words than the text has there"
    ):
        assert len(inputs.read(quoting(tmp_path, 201, {7: "x", 9: "y"})).start) == 201


@pytest.mark.parametrize(("mentions", "wrong"), [(200, {7: "x", 9: "y"}), (99, {7: "x"}), (2, {1: "w000"}), (99, {7: ""})])
def test_more_mentions_with_other_words_than_the_text_are_refused(tmp_path, mentions, wrong):
    with pytest.raises(FormatError, match=r"but the text has 'w000\d' there; expected the text that was annotated"):
        inputs.read(quoting(tmp_path, mentions, wrong))


PROTEINS = "T1\tProtein 0 4\tIL-2\nT2\tProtein 30 34\tIL-2\n"


def bionlp(folder, name, ending, text):
    (folder / f"{name}.txt").write_text("IL-2 binds the receptor . The IL-2 receptor is a complex .\n")
    (folder / f"{name}.a1").write_text(PROTEINS)
    (folder / f"{name}{ending}").write_text(text)
    return folder / f"{name}{ending}"


def test_of_a2_and_rel_files_in_a_folder_the_latter_are_left_out_and_said(tmp_path):
    (tmp_path / "a.txt").write_text("Ann saw her dog\n")
    (tmp_path / "a.a1").write_text("T1\tProtein 0 3\tAnn\n")
    (tmp_path / "a.a2").write_text("T2\tX 8 11\ther\nR1\tCoref Arg1:T2 Arg2:T1\n")
    (tmp_path / "a.rel").write_text("T3\tX 12 15\tdog\n")
    with pytest.warns(RefereeWarning, match=r"left out 1 file of another ending or format, brat \(a.rel\)"):
        assert len(inputs.read(tmp_path).entity_ids) == 1


@pytest.mark.parametrize("ending", [".a2", ".rel"])
def test_the_mentions_of_an_a1_file_belong_to_the_a2_or_rel_file_beside_it(tmp_path, ending):
    bionlp(tmp_path, "a", ending, "T3\tEntity 11 23\tthe receptor\nR1\tCoref Arg1:T3 Arg2:T1\n")
    bionlp(tmp_path, "b", ending, "*\tEquiv T1 T2\n")
    bionlp(tmp_path, "c", ending, "")
    for corpus in (inputs.read(tmp_path), inputs.read(tmp_path, format="brat")):
        assert {name: {e: len(of) for e, of in found.items()} for name, found in entities_of(corpus).items()} == {
            "a": {"T1": 2, "T2": 1}, "b": {"T1": 2}, "c": {"T1": 1, "T2": 1},
        }  # fmt: skip


def test_faults_of_an_a1_file_name_it(tmp_path):
    path = bionlp(tmp_path, "a", ".rel", "T2\tEntity 11 23\tthe receptor\n")
    with pytest.raises(FormatError, match=r"a.rel:1: T2 is there already, on line a.a1:2; expected each id once"):
        inputs.read(path)
    (tmp_path / "a.a1").write_text("T1\tProtein 0 400\tIL-2\n")
    with pytest.raises(FormatError, match=r"a.rel: a.a1:1: found 0 400; expected offsets"):
        inputs.read(path)


def test_an_a1_file_alone_warns_of_the_relations_beside_it(tmp_path):
    bionlp(tmp_path, "a", ".rel", "*\tEquiv T1 T2\n")
    with pytest.warns(RefereeWarning, match="a.a1: read 1 file without the .a2 or .rel beside it"):
        assert len(inputs.read(tmp_path / "a.a1").entity_ids) == 2
