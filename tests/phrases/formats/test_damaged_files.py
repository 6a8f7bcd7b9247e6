"""Files of phrases that are nearly right: what is wrong is told with its place, and nothing is read as something else."""

import gzip
import json
import time
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import inputs as core
from referee.basics.exceptions import FormatError, OptionError
from referee.cli.main import main
from referee.formats.shared.source import Source
from referee.phrases import formats
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.formats import columns, parquet
from referee.phrases.formats.reading import read
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.writing import write
from referee.phrases.models.corpora import read_sentences
from referee.phrases.models.tagger import HMM
from tests.support.paths import EXAMPLES
from tests.support.samples import TEXTS, samples

HEADER = '{"format": "phrase-candidates", "version": 1, "categories": ["NP", "VP"]}\n'
TAGS = '{"format": "tag-posteriors", "version": 1, "tags": ["O", "B-NP", "I-NP"]}\n'


def source_of(text):
    return Source("file", text.encode())


COLUMNS = "dogs N B-NP\nbark V B-VP\n\nyes U O\n"
CANDIDATES = [
    (
        '{"id": "s", "n": 3, "c": [["NP", 1, 1, 0.5]]}',
        'candidate 0: found "NP" from 1 to 1; expected 0 <= start < end <= 3',
    ),
    ('{"id": "s", "n": 3, "c": [["NP", 0, 4, 0.5]]}', 'candidate 0: found "NP" from 0 to 4'),
    ('{"id": "s", "n": 3, "c": [["NP", -1, 1, 0.5]]}', 'candidate 0: found "NP" from -1 to 1'),
    ('{"id": "s", "n": 3, "c": [["NP", 0, 1' + "0" * 30 + ", 0.5]]}", "expected 0 <= start < end <= 3"),
    ('{"id": "s", "n": 3, "c": [["NP", true, 1, 0.5]]}', r"candidate 0: found \[.*\]; expected \[category, start, end"),
    ('{"id": "s", "n": 3, "c": [["NP", 0, 1]]}', r"candidate 0: found \[.*\]; expected \[category, start, end"),
    (
        '{"id": "s", "n": 3, "c": [["NP", 0, 1, NaN]]}',
        "candidate 0: found the probability nan; expected a number from 0 to 1",
    ),
    ('{"id": "s", "n": 3, "c": [["NP", 0, 1, 1.5]]}', r"candidate 0: found the probability 1\.5"),
    ('{"id": "s", "n": 3, "c": [["PP", 0, 1, 0.5]]}', 'found the category "PP"; expected one that the header declares'),
    ('{"id": "s", "n": 3, "c": [["NP", 0, 1, 0.5], ["NP", 0, 1, 0.5]]}', 'candidate 1: found "NP" from 0 to 1 twice'),
    ('{"id": "s", "c": []}', "found n = null; expected the number of words"),
    ('{"id": "s", "n": -1, "c": []}', "found n = -1"),
    ('{"id": "s", "n": 1e9, "c": []}', "found n = 1000000000.0"),
    ('{"id": "a", "n": 1, "c": []}', "sentence 'a': found it on line 2, too; expected each sentence once"),
    ('{"id": ["s"], "n": 1, "c": []}', r'found the id \["s"\]'),
    ('{"id": "s", "n": 1}', "found `c` null; expected a list of candidates"),
    ('{"id": "s", "n": 2, "c": [], "words": ["a"]}', r'found `words` \["a"\]; expected a list of 2 strings'),
    ('{"id": "s", "n": 2, "c": [["NP", 0, 1, 0.5]], "uncovered": [1]}', "found 1 in `uncovered`"),
    ("[1]", r"found \[1\]; expected"),
    ("{", "is not JSON"),
]
HEADERS = [
    ({"version": 2}, "expected a header with"),
    ({"categories": "NP"}, 'found `categories` "NP"; expected a list of names, each once'),
    ({"categories": ["NP", "NP"]}, "expected a list of names, each once"),
    ({"default": {"type": "const", "p": 2}}, "found the default .*; expected"),
    ({"default": {"type": "const"}}, "found the default"),
    ({"default": {"type": "category_length", "p": {"X": [0.1]}}}, "found the default"),
    ({"default": {"type": "category_length", "p": {"NP": [float("nan")]}}}, "found the default"),
    ({"default": 0.5}, "found the default 0.5"),
]
TWO_TAGS = '{"format": "tag-posteriors", "version": 1, "tags": ["O", "B-X"]}\n'
POSTERIORS = [
    ({"p": [[0.5, 0.6]]}, "found `p` .*; expected for each word 2 probabilities that add up to 1"),
    ({"p": [[1.0]]}, "found `p`"),
    ({"p": [[0.5, "x"]]}, "found `p`"),
    ({"p": [[2.0, -1.0]]}, "found `p`"),
    (
        {"p": [[0.5, 0.5], [0.5, 0.5]], "next": [[[1.0, 0.0]]]},
        "found `next` .*; expected 1 table of 2 x 2 probabilities, in rows that add up to 1",
    ),
]
SPAN = '{"n": 1, "spans": [%s]}\n'
NO_SPAN = "expected .*optionally with a probability"
REFUSED = [
    *((f'{HEADER}{{"id": "a", "n": 1, "c": []}}\n{line}\n', f"^file:3: .*{problem}") for line, problem in CANDIDATES),
    *((json.dumps({**json.loads(HEADER), "categories": ["NP"], **part}), f"^file:1: .*{problem}") for part, problem in HEADERS),
    *((f"{TWO_TAGS}{json.dumps(value)}\n", f"^file:2: {problem}") for value, problem in POSTERIORS),
    *(
        (f"{TAGS}{json.dumps({'p': [row]})}\n", "^file:2: found `p`")
        for row in (["0.1", "0.9", "0"], [False, True, False], [None, 1, 0], [0, True, 0.0])
    ),
    *(
        (SPAN % f'{{"label": "NP", "start": 0, "end": 1, "{key}": null}}', f'^file:1: .*found .*"{key}": null}}; {NO_SPAN}')
        for key in ("p", "probability", "score")
    ),
    (SPAN % '{"start": 0, "end": 1}', r'found {"start": 0, "end": 1}; expected {"label": \.\.\., "start"'),
    (SPAN % '["NP", 0]', r'found \["NP", 0\]; expected'),
    *(
        (
            f'{HEADER}{{"n": 2, "c": [["NP", 0, 1, 0.5]], "uncovered": {value}}}\n',
            r"^file:2: sentence '1': found `uncovered` .*; expected a list of positions",
        )
        for value in ('"all"', "null", "0", "{}")
    ),
    ("a B-NP\nb x I-NP\n", "^file:2: found 3 columns; expected 2"),
    ("a B-NP\n\nb Q-NP\n", "^file:3: found the tag 'Q-NP'; expected O, or B, I"),
    ("a DT B-NP\nb B-NP\n", "^file:2: found 2 columns; expected 3"),
    ("\n", "^file: is empty"),
]


@pytest.mark.parametrize(("text", "problem"), REFUSED)
def test_what_is_wrong_is_told_with_its_line(text, problem):
    with pytest.raises(FormatError, match=problem):
        read(source_of(text))


@pytest.mark.parametrize(
    ("text", "options", "problem"),
    [
        ("a B-NP\nb E-NP\n", {"decode": "IOB2"}, "^file:2: found the tag 'E-NP'; expected O, or B, I with a category"),
        *((COLUMNS, {"column": n}, f"^file:1: has 3 columns; expected one numbered {n}") for n in (4, -4, 0)),
    ],
)
def test_what_does_not_fit_the_options_is_told(text, options, problem):
    with pytest.raises(FormatError, match=problem):
        read(source_of(text), options=PhraseOptions(**options))


@pytest.mark.parametrize("text", [HEADER + '{"n": 1, "c": []}\n', TAGS + '{"p": [[1, 0, 0]]}\n', '{"n": 1, "spans": []}\n'])
def test_empty_lines_may_come_first(text):
    assert formats.detect(source_of("\n \n" + text)) == formats.detect(source_of(text)) != "mentions"
    assert read(source_of("\n \n" + text)).sentences.length.tolist() == [1]


@pytest.mark.parametrize(
    ("start", "key"), [('{"tokens": ["a"], "tags": ["N"]', "tags"), ('{"tokens": ["a"]', "words"), ('{"words": ["a"]', "words")]
)
def test_words_and_tags_are_of_all_sentences_or_none(start, key):
    with_, without = start + ', "n": 1, "spans": []}\n', '{"n": 1, "spans": []}\n'
    if key == "tags":
        without = '{"tokens": ["b"], "spans": []}\n'
    for text, line in ((with_ + without + without, 2), (without + with_, 1)):
        with pytest.raises(
            FormatError, match=rf"^file:{line}: sentence '{line}': found no `{key}`, but other sentences have it"
        ):
            read(source_of(text))
    assert getattr(read(source_of(with_)).sentences, key) is not None


def test_a_file_without_tags_is_named():
    with pytest.raises(OptionError, match=r"^key.jsonl: found sentences without"):
        HMM.train(Sentences.numbered([1], [["a"]]), source="key.jsonl")


def test_what_follows_an_impossible_tag_may_be_anything():
    tables = [[[0, 0, 0], [0.5, 0, 0.5], [0, 0, 0]]]
    text = TAGS + json.dumps({"p": [[0, 1, 0], [0.5, 0, 0.5]], "next": tables}) + "\n"
    found = read(source_of(text))
    assert isinstance(found, PhraseCandidates)
    assert list(zip(found.start.tolist(), found.end.tolist(), found.probability.tolist(), strict=True)) == [
        (0, 1, 0.5),
        (0, 2, 0.5),
    ]
    for row, wrong in ((1, [0.5, 0, 0.4]), (0, [0, 2, 0]), (1, ["0.5", 0, 0.5]), (1, [False, False, True])):
        damaged = json.dumps({"p": [[0, 1, 0], [0.5, 0, 0.5]], "next": [[*tables[0][:row], wrong, *tables[0][row + 1 :]]]})
        with pytest.raises(FormatError, match=r"^file:2: found `next` .*; expected 1 table of 3 x 3 .*rows that add up to 1"):
            read(source_of(TAGS + damaged + "\n"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (COLUMNS.replace("B-VP", "Q-VP"), "^file:2: found the tag 'Q-VP'; expected O, or B, I"),
        ("#1 A 1\n" + COLUMNS, "^file:1: found the tag '1'; expected O"),
        ("#1 A\n" + COLUMNS, "^file:2: found 3 columns; expected 2"),
        ("<p>\n" + COLUMNS, "^file:2: found 3 columns; expected 1"),
        ("New York\tB-NP\nis\tO\nnice\tX\n", "^file:3: found the tag 'X'"),
    ],
)
def test_most_lines_tell_columns(text, problem):
    assert formats.detect(source_of(text)) == "columns"
    with pytest.raises(FormatError, match=problem):
        read(source_of(text))


@pytest.mark.parametrize("name", core.FORMATS)
def test_annotations_of_mentions_are_not_taken_for_phrases(name, tmp_path):
    if name in ("parquet", "docbin"):
        pytest.importorskip("pyarrow" if name == "parquet" else "spacy")
    for number, files in enumerate(samples(name) if name in TEXTS else ()):
        folder = tmp_path / str(number)
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        source = Source(folder / next(iter(files)))
        try:
            core.detect(source)
        except FormatError:
            continue  # some show what must be refused
        assert formats.detect(source) == "mentions"


@pytest.mark.parametrize("path", [p for p in EXAMPLES.iterdir() if p.suffix in (".conll", ".jsonlines")], ids=lambda p: p.name)
def test_the_examples_are_mentions(path):
    assert formats.detect(Source(path)) == "mentions"


def test_tagged_words_of_arrau_are_mentions():
    assert formats.detect(source_of("The\tB-markable_1=set_1\nowner\tI-markable_1=set_1\nrains\n")) == "mentions"


@pytest.mark.parametrize("text", ["hello this is a text\nwithout anything\n", "<html><body>x</body></html>\n"])
def test_the_formats_of_phrases_are_named_where_none_fits(text, tmp_path):
    with pytest.raises(
        FormatError,
        match=r"^file: looks like none of the formats candidates, posteriors, nbest, characters, spans, parquet, trees",
    ):
        read(source_of(text))
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(FormatError, match=r"has no file that looks like tags, spans or mentions, or ends in .mrg"):
        read(tmp_path)


def test_document_marks_are_no_sentences_of_plain_columns():
    found = read_sentences_of("-DOCSTART- -X-\n\nthe DT\ndog NN\n\n-DOCSTART- -X-\n\nbarks VBZ\n")
    assert (found.words, found.tags) == ([["the", "dog"], ["barks"]], [["DT", "NN"], ["VBZ"]])
    assert read_sentences_of("-DOCSTART-\n\nthe\ndog\n").words == [["the", "dog"]]


def read_sentences_of(text):
    return read_sentences(source_of(text))


def chunks_of(words, tags=None, category="NP"):
    sentences = Sentences(("s",), np.array([len(words)], dtype=np.int32), [words], None if tags is None else [tags])
    return Chunks.build(sentences, [category], sentence=[0], start=[0], end=[1], category=[0], source="model")


@pytest.mark.parametrize(
    ("chunks", "found"),
    [
        (chunks_of(["a", ""]), "the word ''"),
        (chunks_of(["a", " "]), "the word ' '"),
        (chunks_of(["a\tb"]), r"the word 'a\\tb'"),
        (chunks_of(["a\nb"]), r"the word 'a\\nb'"),
        (chunks_of(["-DOCSTART-"]), "the word '-DOCSTART-'"),
        (chunks_of(["a"], [""]), "the part of speech ''"),
        (chunks_of(["a"], category="NP one"), "the tag 'B-NP one'"),
    ],
)
def test_what_columns_cannot_hold_is_not_written(chunks, found, tmp_path, capsys):
    for path in (str(tmp_path / "x.iob"), "-"):
        with pytest.raises(
            OptionError, match=rf"^model: sentence 's': found {found}; expected in columns .*: write JSON lines"
        ):
            columns.write(chunks, path)
    assert not list(tmp_path.iterdir())
    assert capsys.readouterr().out == ""


def test_a_category_without_a_name_is_no_tag(tmp_path):
    for null in ("", "Null"):
        with pytest.raises(OptionError, match=r"^model: found a category without a name; expected names in tags"):
            columns.write(chunks_of(["a"], category=""), str(tmp_path / "x.iob"), outside=null)


TEXT = st.text(max_size=4) | st.sampled_from(["New York", "#", "a\u00a0b", "O", "-DOCSTART-", "\u2028", "\ufeff", "\0"])


@given(words=st.lists(TEXT, min_size=1, max_size=4), tags=st.booleans(), category=TEXT, data=st.data())
def test_columns_are_read_as_they_were_or_refused(words, tags, category, data, tmp_path_factory):
    parts = data.draw(st.lists(TEXT, min_size=len(words), max_size=len(words))) if tags else None
    chunks = chunks_of(words, parts, category)
    path = tmp_path_factory.mktemp("columns") / "x.iob"
    try:
        write(chunks, path)
    except OptionError:
        return
    again = read(path, format="columns")
    assert (again.sentences.words, again.sentences.tags) == ([words], None if parts is None else [parts])
    assert isinstance(again, Chunks)
    assert again.triples() == chunks.triples()


def test_words_with_blanks_are_written_with_tabs(tmp_path):
    path = tmp_path / "x.iob"
    write(chunks_of(["New York", "is"], ["N N", "V"]), path)
    assert path.read_text() == "New York\tN N\tB-NP\nis\tV\tO\n\n"
    write(chunks_of(["York", "is"], ["N", "V"]), path)
    assert path.read_text() == "York N B-NP\nis V O\n\n"


def test_equal_runs_give_equal_gzip(tmp_path, monkeypatch):
    paths = [tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"]
    for number, path in enumerate(paths):
        monkeypatch.setattr(time, "time", lambda number=number: 1e9 + 1000 * number)
        write(chunks_of(["é"]), path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert first[3:8] == bytes(5)  # RFC 1952: no flags, so no name, and no time
    assert "é" in gzip.decompress(first).decode()
    key = EXAMPLES / "key.conll"
    for path in paths:
        assert main(["convert", str(key), str(path), "--to", "jsonlines"]) == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.fixture
def arrow():
    return pytest.importorskip("pyarrow")


def test_parquet_keeps_words_and_tags(arrow, tmp_path):
    for words, tags in (([["a", "é\ud800"], []], [["N", ""], []]), ([["a", "b"], []], None), (None, None)):
        sentences = Sentences(("x", "y"), np.array([2, 0], dtype=np.int32), words, tags)
        write(PhraseCandidates.unlisted(sentences, ["NP"], DefaultProbabilities.constant(0.5)), tmp_path / "c.parquet")
        again = read(tmp_path / "c.parquet").sentences
        assert (again.ids, again.words, again.tags) == (("x", "y"), words, tags)


def test_parquet_is_not_compressed_again(arrow, tmp_path):
    with pytest.raises(OptionError, match=r"cannot write Parquet to .*c\.parquet\.gz; .*: Parquet is compressed by itself"):
        write(chunks_of(["a"]), tmp_path / "c.parquet.gz")
    assert not list(tmp_path.iterdir())


GOOD = {"sent": [0, 0], "cat": ["NP", "VP"], "start": [0, 1], "end": [1, 2], "p": [0.5, 0.25], "covered": [True, False]}


@pytest.mark.parametrize(
    ("column", "cells", "problem"),
    [
        ("start", lambda a: a.array([0.7, 0.9]), "start of type double with 0 empty cells"),
        ("end", lambda a: a.array(["1", "2"]), "end of type string with 0 empty cells"),
        ("sent", lambda a: a.array([False, False]), "sent of type bool with 0 empty cells"),
        ("start", lambda a: a.array([0, 1], a.timestamp("s")), "start of type timestamp.* with 0 empty cells"),
        ("start", lambda a: a.array([0, None], a.int32()), "start of type .* with 1 empty cell"),
        ("p", lambda a: a.array(["0.5", "0.25"]), "p of type string with 0 empty cells"),
        ("p", lambda a: a.array([True, False]), "p of type bool with 0 empty cells"),
        ("p", lambda a: a.array([[0.5], [0.5]]), "p of type list.* with 0 empty cells"),
        ("p", lambda a: a.array([None, None], a.float64()), "p of type .* with 2 empty cell"),
        ("covered", lambda a: a.array([None, True]), "covered of type .* with 1 empty cell"),
        ("covered", lambda a: a.array([0.3, 1.0]), "covered of type double with 0 empty cells"),
        ("cat", lambda a: a.array(["NP", "QQ"]), "'QQ' is not in list"),
        ("cat", lambda a: a.array(["NP", None]), "cat of type .* with 1 empty cell"),
        ("cat", lambda a: a.array(["NP", None]).dictionary_encode(), "cat of type .* with 1 empty cell"),
        ("cat", lambda a: a.array([0, 1]), "cat of type int64 with 0 empty cells"),
        ("p", None, "found no column p; expected candidates as referee writes them"),
    ],
)
def test_cells_of_parquet_are_checked(arrow, column, cells, problem, tmp_path):
    arrays = {name: arrow.array(values) for name, values in GOOD.items()}
    assert read(parquet_of(arrow, tmp_path, arrays)).sentences.ids == ("s",)
    del arrays[column]
    if cells:
        arrays[column] = cells(arrow)
    with pytest.raises(
        FormatError, match=rf"c\.parquet: {problem if cells is None else 'has no right candidates .' + problem}"
    ):
        read(parquet_of(arrow, tmp_path, arrays))


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ({"ids": ["s", "s"], "n": [2, 2]}, "sentence 's': found it twice; expected each sentence once"),
        ({"ids": [None], "n": [2]}, "found the id null; expected a string or a number"),
        ({"ids": ["s"], "n": [True]}, "found n = true; expected the number of words"),
        ({"ids": ["s"]}, r"has no right candidates \('n'\); expected what referee.phrases.write writes"),
        ({}, r"has no right candidates \('ids'\)"),
    ],
)
def test_sentences_of_parquet_are_checked(arrow, header, problem, tmp_path):
    arrays = {name: arrow.array(values) for name, values in GOOD.items()}
    with pytest.raises(FormatError, match=rf"c\.parquet: .*{problem}"):
        read(parquet_of(arrow, tmp_path, arrays, header))


@pytest.mark.parametrize("packed", [b"", b"x", b"QlpoOTE=", b"\xff"])
def test_words_of_parquet_that_are_damaged_are_told(arrow, packed, tmp_path):
    arrays = {name: arrow.array(values) for name, values in GOOD.items()}
    with pytest.raises(FormatError, match=r"has no right candidates"):
        read(parquet_of(arrow, tmp_path, arrays, words=packed))


def parquet_of(arrow, folder, arrays, header=None, words=None):
    start = {"format": "phrase-candidates", "version": 1, "categories": ["NP", "VP"]}
    value = {**start, **({"ids": ["s"], "n": [2]} if header is None else header)}
    table = arrow.table(arrays).replace_schema_metadata({parquet.HEADER_KEY: json.dumps(value).encode()})
    if words is not None:
        field = table.schema.field("sent").with_metadata({parquet.WORDS_KEY: words})
        table = table.set_column(0, field, table.column("sent"))
    import_module("pyarrow.parquet").write_table(table, folder / "c.parquet")
    return folder / "c.parquet"
