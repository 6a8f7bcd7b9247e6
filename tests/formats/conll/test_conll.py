import gzip
import io
import random
import re
from contextlib import suppress
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import inputs, score
from referee.basics.exceptions import FormatError, OptionError, RefereeWarning
from referee.corpus import reading_order
from referee.corpus.builder import CorpusBuilder
from referee.formats import conll
from referee.formats.conll import scan as conll_scan
from referee.formats.conll.lines import header
from referee.formats.conll.rows import read_rows
from referee.formats.shared.source import Source
from tests.support.command import referee
from tests.support.paths import SHARED
from tests.support.reading import (
    entities_of,
    faults_of,
    read_again,
    read_text,
    sentences_of,
    source_of,
    tokens_of,
    types_of,
    written,
)
from tests.support.samples import file_text
from tests.support.strategies import corpora
from tests.support.warned import silenced

# Shared task data, as its site shows it: predicate columns before the last one, runs of blanks.
CCTV = file_text("cctv.conll")


def document(*cells, name="d", words="abcdefghijklmnopqrstuvwxyz"):
    """A document of one sentence with these last columns."""
    rows = "".join(f"{name}\t0\t{n}\t{words[n]}\t-\t{cell}\n" for n, cell in enumerate(cells))
    return f"#begin document ({name}); part 000\n{rows}\n#end document\n"


def spans(text):
    """The entities of the only document."""
    (entities,) = entities_of(read_text(text, "conll")).values()
    return entities


def tokens(text):
    (only,) = read_text(text, "conll").documents.values()
    return list(only.tokens)


def by_line(text):
    """What the slow reader makes of it."""
    with silenced():
        return read_rows(source_of(text), _refuse)


def fast(text):
    """What the fast reader finds, which raises where it gives up."""
    return conll_scan.Scan(header).read(io.BytesIO(text.encode()))


def _refuse(line, problem):
    raise FormatError("x", line, problem)


# What the format is.


def test_a_document_of_the_shared_task_is_read():
    corpus = read_text(CCTV)
    assert entities_of(corpus) == {"bc/cctv/00/cctv_0005_0": {"116": [(1, 2), (4, 5)], "12": [(2, 6)], "3": [(2, 3)]}}
    only = corpus.documents["bc/cctv/00/cctv_0005_0"]
    assert list(only.tokens) == ["Thank", "you", ".", "Thank", "you", "anyway"]
    assert list(only.sentences) == [0, 3]
    assert fast(CCTV).labels[0]  # and by the fast reader


SPANS = {
    "a trailing tab is no column, as in LitBank": (["(1)\t", "-\t", "(1)\t "], {"1": [(0, 1), (2, 3)]}),
    "brackets glued together, as in GUM": (
        ["(1(2", "2)1)", "(3)(4)(5", "5)"], {"1": [(0, 2)], "2": [(0, 2)], "3": [(2, 3)], "4": [(2, 3)], "5": [(2, 4)]},
    ),
    "the same with bars": (
        ["(1|(2", "2)|1)", "(3)|(4)|(5", "5)"], {"1": [(0, 2)], "2": [(0, 2)], "3": [(2, 3)], "4": [(2, 3)], "5": [(2, 4)]},
    ),
    "a mention of one token and an end without a bar": (["(1", "(2)1)"], {"1": [(0, 2)], "2": [(1, 2)]}),
    "nested in one entity, the last opened is closed first": (["(1", "(1", "1)", "1)"], {"1": [(0, 4), (1, 3)]}),
    "the same from one token": (["(1|(1", "1)", "1)"], {"1": [(0, 3), (0, 2)]}),
    "an end where the next of the entity begins": (["(1", "1)|(1", "1)"], {"1": [(0, 2), (1, 3)]}),
    "mentions of different entities may cross": (["(1", "(2", "1)", "2)"], {"1": [(0, 3)], "2": [(1, 4)]}),
    "ids that differ in the ninth byte": (
        ["(123456789)", "(123456780)", "(12345678)"], {"123456789": [(0, 1)], "123456780": [(1, 2)], "12345678": [(2, 3)]},
    ),
    "ids with and without leading zeros": (["(1)", "(01)"], {"1": [(0, 1)], "01": [(1, 2)]}),
    **{f"{empty} is no mention": ([empty, "(1)", empty], {"1": [(1, 2)]}) for empty in "-_*"},
}  # fmt: skip


@pytest.mark.parametrize(("cells", "expected"), SPANS.values(), ids=SPANS)
def test_cells_have_mentions(cells, expected):
    assert spans(document(*cells)) == expected


def test_tabs_blanks_and_runs_of_blanks_separate_alike():
    text = document("(1", "-", "1)|(2)")
    assert read_text(text.replace("\t", " ")) == read_text(text.replace("\t", "   ")) == read_text(text)


@pytest.mark.parametrize(
    "label",
    ["0", "007", "99999999999", "person-1", "Tom-1", "a:b", "12345678", "123456789", "1" * 40, "é" * 4,
     "日本語", "\N{NO-BREAK SPACE}", "ÿ" * 4, "-", "_", "*", "#", "é" * 5],
)  # fmt: skip
def test_an_id_is_any_text_of_any_length(label):
    # Eight bytes fit a machine word, more do not: "é" * 4 and "12345678" are exactly eight.
    text = document(f"({label}", f"{label})", f"({label})", "(1)|(2)")
    assert spans(text)[label] == [(0, 2), (2, 3)]
    assert by_line(text) == read_text(text)


@pytest.mark.parametrize(
    "ids",
    [
        ["1", "12345", "123456", "12345678", "123456789", "a_long_name", "another_long_name", "2"],
        ["1", "a_long_name", "another_long_name", "2"],
    ],
)
def test_short_and_long_ids_are_paired_each_with_itself(ids):
    text = document(*(f"({i}" for i in ids), *(f"{i})" for i in ids), *(f"({i})" for i in ids))
    n = len(ids)
    assert spans(text) == {i: [(k, n + k + 1), (2 * n + k, 2 * n + k + 1)] for k, i in enumerate(ids)}


NBSP = "#begin document (d)\n0\t10\N{NO-BREAK SPACE}000\t(1)\n1\t\N{IDEOGRAPHIC SPACE}\t-\n2\ta\x85b\t(1)\n"
BRACKETS = "#begin document (d); part 000\nd 0 0 (5) NN * -\nd 0 1 x NN * (1)\n#end document\n"
HASHES = "#begin document (d)\n#\t(1)\n#tag\t-\n# a comment\n#end document\n"
SEMEVAL = """\
#begin document 10028_20020229
1\tEl\tel\tel\td\td\t_\t_\t3\t3\t_\t_\t_\t_\t(1
2\tseñor\tseñor\tseñor\tn\tn\t_\t_\t0\t0\t_\t_\t_\t_\t1)
3\tva\tir\tir\tv\tv\t_\t_\t0\t0\t_\t_\t_\t_\t_

#end document 10028_20020229
"""  # https://stel.ub.edu/semeval2010-coref: ID Token Lemma PLemma POS ... Coref
CROSSING = document("(1", "1)", "-").replace("\nd\t0\t1", "\n\nd\t0\t1")
SEVERAL = document("(1", "1)") + document("-", "(1)", name="e")
BARE = "a\t(1\nb\t1)\n\nc\t(1)\n"
BLANK = document("-", "-", "-").replace("\nd\t0\t1", "\n\n \t \n\nd\t0\t1").replace("\nd\t0\t2", "\n\r\nd\t0\t2")
VIEWS = {
    "an id in another document is another entity": (
        document("(1)", "(1)") + document("(1)", name="e"), entities_of,
        {"d_0": {"1": [(0, 1), (1, 2)]}, "e_0": {"1": [(0, 1)]}},
    ),
    "a type stands before the last hyphen of an id": (
        document("(person-1)", "(work-of-art-2)", "(person-1)"), types_of, ["person", "work-of-art"],
    ),
    "ids without hyphens have no types": (document("(1)", "(2)"), attrgetter("entity_types"), None),
    "SemEval-2010 has underscores": (SEMEVAL, entities_of, {"10028_20020229": {"1": [(0, 2)]}}),
    "SemEval-2010 has the word second": (SEMEVAL, tokens_of, ["El", "señor", "va"]),
    # Splitting at tabs only, the Perl scorer finds an entity 5 in files with blanks.
    "a word that looks like brackets": (BRACKETS, entities_of, {"d_0": {"1": [(1, 2)]}}),
    "it is a word": (BRACKETS, tokens_of, ["(5)", "x"]),
    "words and lines may begin with a hash": (HASHES, entities_of, {"d": {"1": [(0, 1)]}}),
    "words of hashes": (HASHES, tokens_of, ["#", "#tag"]),
    "two words behind a hash are a comment": (
        "#begin document (a)\nx (1)\n# see (2)\n#\t(3)\n#end document\n", entities_of, {"a": {"1": [(0, 1)], "3": [(1, 2)]}},
    ),
    "a no-break space belongs to its token": (
        NBSP, tokens_of, ["10\N{NO-BREAK SPACE}000", "\N{IDEOGRAPHIC SPACE}", "a\x85b"],
    ),
    # OntoGUM: "# begin document " and nothing else; coval scores such a file against itself as 0.
    "documents without a name": (
        "# begin document \na\t(1)\n# end document\n# begin document \nb\t(1)\n", attrgetter("doc_ids"), ("#1", "#2"),
    ),
    "a document ends where the next begins or the file ends": (
        SEVERAL.replace("#end document\n", ""), entities_of, {"d_0": {"1": [(0, 2)]}, "e_0": {"1": [(1, 2)]}},
    ),
    "a file without any header is one document": (BARE, entities_of, {"#1": {"1": [(0, 2), (2, 3)]}}),
    "it may have an end": (BARE + "#end document\n", entities_of, {"#1": {"1": [(0, 2), (2, 3)]}}),
    "its sentences": (BARE, sentences_of, [0, 2]),
    "a document may be empty": (
        "#begin document (a)\n#end document\n#begin document (b)\nx\t(1)\n#begin document (c)\n", entities_of,
        {"a": {}, "b": {"1": [(0, 1)]}, "c": {}},
    ),
    "blank lines and lines of blanks are one end of a sentence": (BLANK, sentences_of, [0, 1, 2]),
    "a mention may cross the end of a sentence": (CROSSING, entities_of, {"d_0": {"1": [(0, 2)]}}),
    "where that is": (CROSSING, sentences_of, [0, 1]),
    **{
        f"the word of {line}": (line + "\n", tokens_of, ["WORD"])
        for line in ("WORD -", "d WORD -", "d 0 3 WORD -", "12 0 3 WORD -", "3 WORD lemma N -", "3 WORD 5 N -")
    },
}  # fmt: skip


@pytest.mark.parametrize(("text", "view", "expected"), VIEWS.values(), ids=VIEWS)
def test_what_is_read(text, view, expected):
    assert view(read_text(text, "conll")) == expected


@pytest.mark.parametrize("text", [SEVERAL, BARE, NBSP])
def test_ends_of_documents_may_be_missing_and_both_readers_agree(text):
    assert (
        read_text(text) == read_text(text.replace("#end document\n", "")) == by_line(text) == read_again(by_line(text), "conll")
    )


def test_equal_documents_have_equal_types_read_either_way():
    text = document("(person-1)", "(place-2)", "(person-1)")
    assert list(by_line(text).entity_types or ()) == list(read_text(text).entity_types or ()) == ["person", "place"]


# Which columns there are.


@pytest.mark.parametrize("before", ["", "0\t", "d\t0\t", "d\t0\t0\t"])
@pytest.mark.parametrize("after", ["", "NN\t", "NN\t*\t-\t-\t-\t-\t*\t", "NN\t*\t-\t-\t-\t-\t*\t(V*)\t*\t*\t"])
def test_the_last_column_is_counted_from_the_right(before, after):
    rows = [f"{before}{word}\t{after}{cell}" for word, cell in [("a", "(1"), ("b", "-"), ("c", "1)")]]
    text = "#begin document (d); part 000\n" + "\n".join(rows) + "\n#end document\n"
    assert spans(text) == {"1": [(0, 3)]}


@pytest.mark.parametrize("row", ["{w}\t{c}", "{n}\t{w}\t{c}", "{n} {w} {c}", "d\t0\t{n}\t{w}\t{c}", "d\t0\t{n}\t{w}\tNN\t{c}"])
def test_files_of_two_three_five_and_more_columns_have_their_words_found(row):
    cells = ["(1", "1)", "-"]
    text = "".join(row.format(w=w, n=n, c=c) + "\n" for n, (w, c) in enumerate(zip("xyz", cells, strict=True)))
    assert tokens(f"#begin document (d)\n{text}") == ["x", "y", "z"]
    assert tokens(text) == ["x", "y", "z"]


# Headers and ends.


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("#begin document (d); part 000", "d_0"),
        ("#begin document (d); part 0", "d_0"),
        ("#begin document (d); part 012", "d_12"),
        ("#begin document (d);part 1", "d_1"),
        ("#begin document (d)", "d"),
        ("#begin document (d);", "d"),
        ("#begin document d", "d"),
        ("# begin document d", "d"),
        ("#begin document (a b; c); part 2", "a b; c_2"),
        ("#begin document (a (b)); part 0", "a (b)_0"),
        ("#begin document ((x)); part 0", "(x)_0"),
        ("# begin document ", "#1"),
        ("#begin document", "#1"),
        ("#begin document ()", "#1"),
        ("#begin document (); part 000", "#1"),
        ("#begin document (d); part x", "(d); part x"),
        ("#begin document (d); part ²", "(d); part ²"),
        ("#begin document (d); part " + "0" * 5000 + "7", "d_7"),
        ("#begin document (日本); part 000", "日本_0"),
    ],
)
def test_a_header_names_the_document(line, name):
    text = f"{line}\na\t(1)\n#end document\n"
    assert read_text(text).doc_ids == by_line(text).doc_ids == (name,)


@pytest.mark.parametrize(("extra", "count"), [("hello\n", "1 token "), ("a\t(7\nb\t-\n", "2 tokens ")])
def test_tokens_outside_of_any_document_are_left_out_with_one_warning(extra, count):
    text = document("(1)")
    for whole in (extra + text, text + extra):
        with pytest.warns(RefereeWarning, match=f"^x: left out {count}outside of any document; expected #begin") as caught:
            corpus = read_text(whole)
        assert len(caught) == 1
        assert entities_of(corpus) == {"d_0": {"1": [(0, 1)]}}


@pytest.mark.parametrize("cell", ["(1)", "(1", "1)", "(1)|(2)"])
def test_a_token_that_looks_like_a_comment_is_told(cell):
    text = f"#begin document (d)\nd 0 cat NN (2)\n# 0 Ann NN {cell}\n#end document\n"
    with pytest.warns(RefereeWarning, match="^x:3: left out 1 comment .* brackets .*; expected tabs") as caught:
        assert entities_of(read_text(text)) == {"d": {"2": [(0, 1)]}}
    assert len(caught) == 1


@pytest.mark.parametrize("comment", ["# 0 Ann NN -", "# Ann (1)", "# text = he left early (1)", "# seen by Ann today"])
@pytest.mark.parametrize("blank", [" ", "\t"])
def test_a_comment_without_brackets_or_with_other_columns_is_left_out(comment, blank):
    text = "#begin document (d)\nd 0 cat NN (2)\n".replace(" 0 cat NN ", f"{blank}0{blank}cat{blank}NN{blank}")
    assert entities_of(read_text(f"{text}{comment}\n#end document\n")) == {"d": {"2": [(0, 1)]}}


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_nothing_is_one_empty_document_when_the_format_is_named(text):
    corpus = read_text(text, "conll")
    assert (corpus.doc_ids, len(corpus.entity)) == (("#1",), 0)


# Bytes.


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b.replace(b"\n", b"\r\n"),
        lambda b: b"\xef\xbb\xbf" + b,
        lambda b: b"\xef\xbb\xbf" + b.replace(b"\n", b"\r\n"),
        gzip.compress,
        lambda b: gzip.compress(b"\xef\xbb\xbf" + b),
        lambda b: b"".join(gzip.compress(line + b"\n") for line in b.split(b"\n")),
        lambda b: b.rstrip(b"\n"),
        lambda b: b + b"\n\n",
        lambda b: b"\n\n" + b,
    ],
    ids=[
        "crlf",
        "bom",
        "bom+crlf",
        "gzip",
        "gzip+bom",
        "gzip members",
        "no newline at the end",
        "more newlines",
        "newlines first",
    ],
)
def test_line_ends_byte_order_marks_and_gzip_make_no_difference(change):
    assert inputs.read(Source("x", data=change(CCTV.encode()))) == read_text(CCTV)


def test_words_are_known_to_be_the_same_without_reading_them(monkeypatch):
    other = CCTV.replace("(116)", "-").replace("\n", "\r\n")
    a, b = read_text(CCTV).text, read_text(other).text
    assert a.fingerprints == b.fingerprints
    changed = read_text(CCTV.replace("anyway", "anyhow")).text
    assert a.fingerprints != changed.fingerprints


@pytest.mark.parametrize("folder", [False, True])
def test_words_that_are_not_utf8_are_an_error_for_validate_and_for_score(folder, tmp_path):
    for side in ("key", "response"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.conll").write_bytes("Zoë\t(1)\n".encode())
        (tmp_path / side / "b.conll").write_bytes(b"Zo\xeb\t(1)\n")  # the same bytes on both sides
    key, response = (tmp_path / side / ("" if folder else "b.conll") for side in ("key", "response"))
    problem = "b.conll:1: found the byte 0xeb; expected UTF-8"
    assert problem in str(inputs.validate(key)[0])
    with pytest.raises(FormatError, match=problem):
        score(key, response)
    assert score(key, response, tokens="ignore")["b_cubed"].value == 1


@pytest.mark.parametrize("length", [1, 7, 8, 9, 127, 128, 129, 255, 256, 257, 100_000])
def test_tokens_of_any_length_are_read_and_told_apart(length):
    word = "é" * (length // 2) + "x" * (length % 2)
    texts = [document("(1", "-", "1)").replace("\tb\t", f"\t{w}\t") for w in (word, word[:-1] + "y")]
    a, b = (read_text(text, "conll") for text in texts)
    assert list(a.documents["d_0"].tokens) == ["a", word, "c"]
    assert spans(texts[0]) == {"1": [(0, 3)]}
    assert a.text.fingerprints != b.text.fingerprints


@pytest.mark.parametrize("count", [1, 20, 50, 3000])
def test_a_cell_may_hold_any_number_of_brackets(count):
    text = document("|".join(f"({n})" for n in range(count)), "-")
    assert len(spans(text)) == count


# Two readers, and blocks.

LABELS = st.sampled_from(["0", "1", "22", "person-3", "12345678", "123456789", "éééé", "ü"])
BITS = st.one_of(
    LABELS.map("({})".format),
    LABELS.map("({}".format),
    LABELS.map("{})".format),
    st.sampled_from(["|", "", "x", "((", ")", "\x10"]),
)
CELLS = st.one_of(st.sampled_from("-_*"), st.sampled_from("-_*"), st.lists(BITS, min_size=1, max_size=3).map("".join))
WORDS = st.sampled_from(["a", "(1)", "#", "-", "ß" * 9, "x" * 300, "ab\N{NO-BREAK SPACE}c", "longer"])
LINES = st.one_of(
    st.tuples(WORDS, CELLS).map("\t".join),
    st.tuples(WORDS, CELLS, st.sampled_from([" ", "\t", "\r"])).map(lambda t: f"d 0 0 {t[0]}  NN {t[1]}{t[2]}"),
    st.sampled_from(["", " ", "\r", "# comment", "#end document", "#begin document (a); part 000", "#begin document (b)"]),
)


@st.composite
def nested(draw):
    """A file without faults: documents of random mentions, written by hand."""
    lines = []
    for number in range(draw(st.integers(0, 4))):
        lines.append(f"#begin document (n{number}); part {draw(st.sampled_from(['0', '000', '3']))}")
        opened = []
        for _ in range(draw(st.integers(0, 12))):
            cell = ""
            while opened and draw(st.booleans()):
                cell += opened.pop(draw(st.integers(0, len(opened) - 1))) + ")" + draw(st.sampled_from(["", "|"]))
            for _ in range(draw(st.integers(0, 2))):
                cell += f"({draw(LABELS)})"
            while draw(st.integers(0, 3)) == 3:
                opened.append(draw(LABELS))
                cell += draw(st.sampled_from(["", "|"])) + "(" + opened[-1]
            lines.append(f"{draw(WORDS)}\t{cell or draw(st.sampled_from('-_*'))}" + draw(st.sampled_from(["", "\t", " \r"])))
            lines.extend([""] * draw(st.integers(0, 1)))
        if opened:
            lines.append("end\t" + "".join(label + ")" for label in reversed(opened)))
        lines.extend(["#end document"] * draw(st.integers(0, 1)))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


def with_errors(read, data):
    """What a reader makes of a file, and the errors in the order in which it reports them."""
    errors = []
    with silenced():
        return read(Source("x", data=data), lambda *error: errors.append(error)), errors


@given(nested())
def test_the_fast_reader_reads_good_files_as_the_reader_by_line_does(text):
    quick, slow = read_text(text, "conll"), by_line(text)
    assert quick == slow
    assert entities_of(quick) == entities_of(slow)  # labels as well


def test_entities_of_the_same_repeated_mentions_have_one_order():
    texts = [document("(1)(0)(0)", "(0)(1)(1)"), document("(0)(1)(0)", "(1)(0)(1)"), document("(0)(1)(1)", "(1)(0)(0)")]
    assert read_text(texts[0]) == read_text(texts[1]) == read_text(texts[2]) == by_line(texts[0])


DAMAGES = st.sampled_from(
    [(b"", b""), (b"a", b"\xff"), (b"(", b"\xff"), (b"\t", b"\0"), (b"1", b"\xc3("), (b"(", b"\0\xff"), (b"\t", b"\x1f")]
)

ROWS = st.one_of(LINES, st.sampled_from(["#", "# 1 2 -", "#begin document (a)"]))


@given(st.lists(LINES, max_size=14).map("\n".join), DAMAGES, st.sampled_from([64, 100, 1 << 20]))
def test_the_fast_reader_has_the_mentions_and_the_errors_of_the_reader_by_line(text, damage, block):
    data = text.encode()
    data = data[: len(data) // 2] + data[len(data) // 2 :].replace(*damage, 2 * bool(damage[0]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll_scan, "BLOCK", block)
        patch.setattr(Source, "_check_text", lambda _: None)  # which finds a NUL byte near the beginning
        corpus, errors = with_errors(conll.read, data)
        slow, expected = with_errors(read_rows, data)
    if errors or not all("found the byte" in problem for _, problem in expected):  # these are no error where words are not read
        assert errors == expected
    if not expected:
        assert corpus == slow
        assert entities_of(corpus) == entities_of(slow)


@given(nested(), st.integers(64, 200), st.integers(0, 5), st.integers(1, 6))
def test_block_borders_make_no_difference(text, block, batch, part):
    whole = read_text(text, "conll")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll_scan, "BLOCK", block)  # bytes read together
        patch.setattr(conll_scan, "BATCH", batch)  # brackets paired together
        patch.setattr(reading_order, "TOGETHER", part)  # mentions sorted together
        parts = read_text(text, "conll")
    assert parts == whole
    assert entities_of(parts) == entities_of(whole)
    assert parts.text.fingerprints == whole.text.fingerprints


@pytest.mark.parametrize("size", [64, 65, 77, 100, 127, 128, 129, 200, 1000])
def test_a_file_of_many_blocks_is_read_like_one_of_one_block(monkeypatch, size):
    draw = random.Random(size)
    cells = [draw.choice(["-", "-", f"({draw.randrange(9)})", "(person-12345)"]) for _ in range(26)]
    text = "".join(document(*cells, name=f"d{n}") for n in range(20)) + document("(1" + "|(2)" * 70, "-", "1)", name="last")
    whole = read_text(text)
    monkeypatch.setattr(conll_scan, "BLOCK", size)
    monkeypatch.setattr(conll_scan, "BATCH", size // 10)
    assert read_text(text) == whole
    assert entities_of(read_text(text)) == entities_of(whole)


def test_blanks_alone_are_left_out_after_the_last_column():
    for blanks in (0, 1, 15, 16, 17, 18, 40):
        assert spans(document("(a!" + " " * blanks, "a!)" + "\t" * blanks)) == {"a!": [(0, 2)]}


@pytest.mark.parametrize("blanks", [1, 15, 16, 17, 100, 10_000])
def test_blanks_after_the_last_column_are_none_of_it(blanks):
    assert spans(document("(1" + " " * blanks, "-\t" + "\t" * blanks, "1)")) == {"1": [(0, 3)]}
    assert list(read_text(document("-", "-") + " " * blanks + "\n", "conll").documents["d_0"].sentences) == [0]


def test_a_mention_may_span_many_blocks(monkeypatch):
    monkeypatch.setattr(conll_scan, "BLOCK", 64)
    assert spans(document("(1", *["-"] * 20, "(123456789)", "1)")) == {"1": [(0, 23)], "123456789": [(21, 22)]}


# Writing.


@given(corpora())
def test_what_is_written_reads_the_same(corpus):
    crossing = any(
        a < c < b - 1 and b < d
        for one in corpus.documents.values()
        for entity in one.entities
        for a, b in [(m.start, m.end) for m in entity.mentions]
        for c, d in [(m.start, m.end) for m in entity.mentions]
    )
    if crossing:
        with pytest.raises(FormatError, match=r"^random: document .* cross, which conll cannot hold; .* --lossy"):
            written(corpus, "conll")
    elif corpus.doc_ids:
        again = read_again(corpus, "conll")
        assert again == corpus
        assert by_line(written(corpus, "conll")) == corpus


@pytest.mark.parametrize("text", [CCTV, document("(1", "1)|(1", "1)"), document("(1|(1", "1)|(1)", "1)|(1", "1)")])
def test_what_is_read_can_be_written_and_read_again(text):
    assert read_again(read_text(text), "conll") == read_text(text)


@pytest.mark.parametrize(("labels", "expected"), [("7 3 7", "7 3 7"), ("anna x anna", "0 1 0"), ("01 1 01", "0 1 0")])
def test_written_ids_are_numbers_that_other_programs_read(labels, expected):
    text = written(read_text(document(*(f"({label})" for label in labels.split()))), "conll")
    assert re.findall(r"\((\d+)\)$", text, re.MULTILINE) == expected.split()


@pytest.mark.parametrize(
    ("name", "mentions", "header", "expected"),
    [
        ("x_12", ((0, 2, "2"), (1, 2, "3"), (1, 3, "4")), "(x); part 012", ["(2", "2)|(3)|(4", "4)"]),
        ("d", ((0, 2, "1"), (0, 3, "0"), (1, 3, "2")), "(d)", ["(0|(1", "1)|(2", "2)|0)"]),
    ],
)
def test_starts_are_written_outermost_first_and_ends_innermost_first(name, mentions, header, expected):
    lines = written(of_tokens("a", "b", "c", name=name, mentions=mentions), "conll").split("\n")
    assert lines[0] == f"#begin document {header}"
    assert [line.split("\t")[-1] for line in lines[1:]] == [*expected, "", "#end document", ""]


def of_tokens(*token, name="d", mentions=()):
    builder = CorpusBuilder("c")
    builder.document(name, *([list(token)] if token else []))
    for mention in mentions:
        builder.mention(*mention)
    return builder.corpus()


@pytest.mark.parametrize(
    "name", ["_0", "x_0", "x_00", "x_1٣", "a; part 1", "(a)", "#begindocument", "#", "x_" + "9" * 5000, "a  b"]
)
def test_odd_names_of_documents_survive(name):
    corpus = of_tokens("a", name=name, mentions=((0, 1, "1"),))
    assert read_again(corpus, "conll") == corpus


@pytest.mark.parametrize(
    ("corpus", "problem"),
    [
        *(
            (
                of_tokens("a", name=name),
                "has 1 name of a document .*; expected another format, such as jsonlines, or --lossy .*",
            )
            for name in (" a", "a\nb", "a\n#begin document (b)", "a\0", "\x1b[31m")
        ),
        *(
            (of_tokens(token), r"has 1 word \(the first: '.*' in document 'd'\), which conll cannot hold")
            for token in ("", " ", "a b", "a\tb", "\n", "a\0")
        ),
        (of_tokens("w", name=" d"), r"has 1 name of a document \(the first: ' d'\), which conll cannot hold"),
        (of_tokens("w", name="d\n1"), r"has 1 name of a document \(the first: .*\), which conll cannot hold"),
        (of_tokens("w", name="d _1"), r"has 1 name of a document \(the first: 'd _1'\), which conll cannot hold"),
        (of_tokens(), "has no words, which conll needs: write clusters"),
    ],
)
def test_what_no_file_can_hold_is_not_written(corpus, problem):
    with pytest.raises(FormatError, match=f"^c: {problem}"):
        written(corpus, "conll")


# Faults.


# Faults.


@pytest.mark.parametrize(
    ("cells", "line", "problem"),
    [
        (("(5", "-"), 2, r"entity 5 is opened but never closed; expected 5\) before the end of its document"),
        (("-", "5)"), 3, r"entity 5 is closed but was never opened; expected \(5 before it"),
        (("(5", "5)|5)"), 3, "entity 5 is closed but was never opened"),
        (("(5", "6)"), 3, "entity 6 is closed but was never opened"),
        (("-", "dog"), 3, r"found 'dog' in the last column; expected - or brackets such as \(12\|\(3\)"),
        (("-", "(1)x"), 3, r"found '\(1\)x' in the last column"),
        (("-", "1"), 3, "found '1' in the last column"),
        (("-", "()"), 3, r"found '\(\)' in the last column"),
        (("-", "((1)"), 3, r"found '\(\(1\)' in the last column"),
        (("-", "--"), 3, "found '--' in the last column"),
        (("-", "|"), 3, r"found '\|' in the last column"),
        (("-", "||"), 3, r"found '\|\|' in the last column"),
        (("(1)", "(1\x10|(2)"), 3, r"found '\\x10\|\(2\)' in the last column"),
        (("(1)", "(1)\x1f-"), 3, r"found '\\x1f-' in the last column"),
        (("(1)", "(1)\x0b(2)"), 3, r"found '\\x0b\(2\)' in the last column"),
    ],
)
def test_a_fault_names_line_and_problem(cells, line, problem):
    text = document(*cells)
    with pytest.raises(FormatError, match=f"^x:{line}: {problem}"):
        read_text(text, "conll")
    assert len(faults_of(text, "conll")) >= 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (document("(1") + document("1)", name="e"), "2: entity 1 is opened but never closed"),
        (
            document("(1)") + document("(1)").replace("part 000", "part 0"),
            "5: document 'd_0' appears twice; expected each name once",
        ),
        *((document(cell), "2: ") for cell in ("(" + "9" * 100_000, "9" * 100_000 + ")", "9" * 100_000)),
        (document("|".join(f"({n})" for n in range(1000)) + "x"), "2: found"),
        ("#begin document (a)\n" + "word\t-\n" * 20_000 + "wo\0rd\t(1)\n", "20002: found a NUL byte"),
        (f"#begin document (d);\nw 1{'x' * 100}\nw )\n", f"2: found '1{'x' * 79}' in"),
    ],
    ids=["another document", "twice", "opened", "closed", "a number", "many brackets", "NUL", "eighty letters"],
)
def test_a_fault_has_a_short_message(text, problem):
    with pytest.raises(FormatError, match=f"^x:{problem}") as caught:
        read_text(text, "conll")
    assert len(str(caught.value)) < 300


def test_bytes_that_are_not_utf_8_are_a_fault_wherever_tokens_are_needed():
    source = Source("x", data=document("(1", "1)").encode().replace(b"\tb\t", b"\tb\xf6\t"))
    corpus = inputs.read(source)
    assert corpus.start.tolist() == [0]  # mentions need no tokens
    with pytest.raises(FormatError, match=r"^x:3: found the byte 0xf6; expected UTF-8"):
        written(corpus, "jsonlines")
    assert [str(error) for error in inputs.validate(source)] == [
        "x:3: found the byte 0xf6; expected UTF-8: convert the file to UTF-8"
    ]
    with conll.replacing():
        assert list(inputs.read(source).documents["d_0"].tokens) == ["a", "b\ufffd"]
    with pytest.raises(FormatError, match=r"^x:3: found the byte 0xf6; expected UTF-8"):
        written(inputs.read(source), "jsonlines")


def test_validation_lists_all_faults_in_the_order_of_their_lines():
    text = document("(1", "2)", "x", "(3)") + document("(4)") + document("5)", name="e")
    assert [error.partition(";")[0] for error in faults_of(text, "conll")] == [
        "x:2: entity 1 is opened but never closed",
        "x:3: entity 2 is closed but was never opened",
        "x:4: found 'x' in the last column",
        "x:8: document 'd_0' appears twice",
        "x:13: entity 5 is closed but was never opened",
    ]
    assert faults_of(CCTV, "conll") == []


def test_errors_are_found_by_document_and_those_of_bytes_before_those_of_cells():
    text = document("(1", name="d") + document("x", "(1)", name="e")
    _, errors = with_errors(conll.read, text.encode().replace(b"\tb\t", b"\t\xf6\t"))
    assert [line for line, _ in errors] == [2, 7, 6]


def test_brackets_of_one_word_that_are_never_closed_go_by_the_first_that_was_to_be_closed():
    faults = faults_of(document("(2)", "(1", "1)", "(2|(1"), "conll")
    assert [error.split(" is ")[0] for error in faults] == ["x:5: entity 1", "x:5: entity 2"]


def test_a_damaged_gzip_is_told_by_its_name(tmp_path):
    path = tmp_path / "x.gz"
    whole = gzip.compress("".join(document("(1)", "-", name=str(n)) for n in range(9000)).encode())
    for data in (whole[:-100], whole[:9000] + b"\xff" * 50 + whole[9050:], whole[:-6] + b"\0\0\0\0\0\0"):
        path.write_bytes(data)
        with pytest.raises(FormatError, match=r"x\.gz(:\d+)?: "):
            inputs.read(path, format="conll")


# Which files are taken for CoNLL.


@pytest.mark.parametrize(
    "text", [CCTV, CCTV.replace("#begin", "# begin"), "a\t(1)\nb\t-\n", "1 a _\n2 b (1)\n", "# newdoc\n1\ta\t(1)\n2\tb\t_\n"]
)
def test_it_is_recognised(text):
    assert inputs.detect(source_of(text)) == "conll"


@pytest.mark.parametrize(
    ("cells", "recognised"),
    [
        (["-"] * 8 + ["(1)", "x"], True),  # nine of ten
        (["-"] * 7 + ["(1)", "x"], False),  # eight of nine
        (["-"] * 9, False),
        (["_", "*", "(1)"], True),
    ],
)
def test_nine_of_ten_last_columns_are_cells_and_one_has_a_bracket(cells, recognised):
    assert conll.sniff("".join(f"w {cell}\n" for cell in cells)) == recognised
    assert conll.sniff("".join(f"w {cell}\n" for cell in cells) + "w (1") == recognised  # cut amid a line
    assert conll.sniff("".join(f"d w {cell}\n" for cell in cells)) == recognised
    assert not conll.sniff("".join(f"{cell}\n" for cell in cells))  # no words


@pytest.mark.parametrize("text", ["a,b\nc,d\n", '{"a": 1}', "{A B} C-D\n", "item\tentity\nr1\t7\n", "<DOC>\n"])
def test_other_formats_are_not_taken_for_it(text):
    assert inputs.detect(source_of(text)) != "conll"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"BZh91AY&SY", "x: is compressed .bzip2."),
        (b"PK\x03\x04\x14\x00", "x: is compressed .zip."),
        (b"\xfd7zXZ\x00", "x: is compressed .xz."),
        (b"#begin document (d)\ra (1)\r#end document\r", "x:1: found lines that end in carriage returns alone"),
    ],
)
def test_other_compressions_and_old_line_ends_are_named(data, message):
    with pytest.raises(FormatError, match=message):
        Source("x", data=data)


def test_mentions_outside_of_any_document_are_in_none():
    text = "x (9)\n#begin document (a)\ny (1)\n#end document\nz (8)\n#begin document (b)\nw -\nv (2)\n#end document\n"
    with pytest.warns(RefereeWarning, match="left out 2 tokens"):
        corpus = read_text(text, "conll")
    assert (corpus.document.tolist(), corpus.start.tolist()) == ([0, 1], [0, 1])
    assert list(corpus.entity_ids) == ["1", "2"]


@pytest.mark.parametrize(
    ("line", "token"),
    [("#1)", False), ("# -", True), ("# (1", True), ("# a -", False), ("#\ta\t-", True), ("#", False), ("# a", False)],
)
def test_a_hash_is_a_token_before_a_cell(line, token):
    assert header(line) is token


def test_a_header_is_of_three_words_at_most():
    assert [header(f"{words} (a)") for words in ("# begin document", "# begin doc ument")] == ["a", False]


def test_words_behind_the_last_header_are_in_the_fingerprint():
    texts = [read_text(f"{header}a (1)\n{word} -\n", "conll").text for header in ("", "#begin document (d)\n") for word in "bc"]
    prints = [text.fingerprints for text in texts if text]
    assert prints[0] != prints[1]
    assert prints[2] != prints[3]


def test_both_readers_of_words_know_semeval_2010():
    text = "1\tAnn\tann\tN\t(1)\n2\t30\tx\tN\t-\n"
    assert read_text(text, "conll").words(0) == by_line(text).words(0) == ["Ann", "30"]


def test_names_are_kept_where_they_are_asked_for(tmp_path):
    labels = ("Anna", "the (old) light-house", "the (old) light house", "", "7|8")
    builder = CorpusBuilder("x")
    builder.document("d", ["a", "b", "c", "d", "e", "f"])
    for n, label in enumerate(labels):
        builder.mention(n, n + 1, label)
    builder.mention(4, 6, "Anna")
    corpus = builder.corpus()
    inputs.write(corpus, tmp_path / "a.conll", format="conll:names")
    again = inputs.read(tmp_path / "a.conll")
    assert list(again.entity_ids) == ["Anna", "the_old_light_house", "the_old_light_house#2", "3", "7_8"]
    assert again.entity_types is None
    assert again.entity.tolist() == corpus.entity.tolist()
    with pytest.raises(OptionError, match="found the format corefud:names; expected corefud, which is written in one way"):
        inputs.write(corpus, tmp_path / "a.conllu", format="corefud:names")
    done = referee("convert", tmp_path / "a.conll", tmp_path / "b.conll", "--to", "conll:names")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "b.conll").read_text() == (tmp_path / "a.conll").read_text()


def test_a_document_without_a_name_has_the_lines_of_its_tokens_below_its_number():
    text = "#begin document\nw -\nw -\n#end document\n#begin document x\n\nw -\n#end document\n"
    assert conll.token_lines(source_of(text)) == {"#1": [2, 3], "x": [7]}


@pytest.mark.parametrize("kit", ["reference-tests", "bad-inputs"])
def test_the_numbers_of_tokens_are_known_before_words_are_read(kit):
    files = sorted((SHARED / "conformance" / kit).glob("*.key")) or pytest.skip("needs the kits in ../shared")
    known = 0
    for file in files:
        with suppress(FormatError), silenced():
            corpus = inputs.read(file)
            known += corpus.text.sizes is not None
            for text in (corpus.text, corpus.text.select(np.arange(len(corpus.doc_ids))[::-1])):
                counts = text.token_counts.tolist()
                assert "words" not in vars(text) or text.sizes is None
                assert counts == [len(words.tokens) for words in text.words]
            spread = corpus.text.on_documents(len(corpus.doc_ids) + 1, np.arange(len(corpus.doc_ids)) + 1)
            assert spread.token_counts.tolist() == [0, *corpus.text.token_counts.tolist()]
    assert known
