"""Columns of CoNLL: blanks in words, words and brackets in other columns than usual, brackets joined by an underscore."""

import random

import pytest
from hypothesis import given, strategies as st

from referee import inputs, read, score
from referee.basics.exceptions import FormatError, MismatchError, OptionError, RefereeWarning
from referee.basics.options.reading import ReadOptions, parse_columns
from referee.formats.shared.source import Source
from tests.support.command import referee
from tests.support.mutations import limited
from tests.support.paths import SHARED
from tests.support.reading import entities_of, faults_of, read_text, source_of
from tests.support.warned import silenced

FIELD = SHARED / "field/formats"
in_field = pytest.mark.skipif(not FIELD.is_dir(), reason="needs ../shared/field")


def tokens(corpus):
    return [token for document in corpus.documents.values() for token in document.tokens]


def asked(text, columns):
    return inputs.read(Source("x", text.encode(), options=ReadOptions(parse_columns(columns))), format="conll")


def rows(*lines, name="d"):
    return f"#begin document ({name});\n" + "".join(line + "\n" for line in lines) + "\n#end document\n"


# Blanks in words.


def test_a_blank_belongs_to_the_word_where_all_rows_have_tabs():
    text = rows("d\t0\t0\tNew York\t(1)", "d\t0\t1\t2 1/2\t-", "d\t0\t2\tB\t(1)")
    assert tokens(read_text(text)) == ["New York", "2 1/2", "B"]
    assert entities_of(read_text(text)) == {"d": {"1": [(0, 1), (2, 3)]}}
    padded = text.replace("\t", " \t ")
    assert tokens(read_text(padded)) == ["New York", "2 1/2", "B"]
    assert tokens(read_text(rows("New York\t(1)", "B\t-"), "conll")) == ["New York", "B"]
    assert tokens(read_text(rows("d\t0\t0\tNew York\t(1)"))) == ["New York"]  # in the only row


def test_what_is_between_the_columns_is_told_for_each_document():
    tabs, blanks = rows("d\t0\t0\tNew York\t(1)", "d\t0\t1\tB\t-"), rows("e 0 0 a (1)", "e 0 1 b -", name="e")
    assert tokens(read_text(blanks + tabs + blanks.replace("(e)", "(f)"))) == ["a", "b", "New York", "B", "a", "b"]


def test_a_tab_before_the_last_column_alone_makes_no_word_of_the_others():
    assert tokens(read_text(rows("d 0 0 New\t(1)", "d 0 1 York\t-"))) == ["New", "York"]
    assert tokens(read_text(rows("d 0 0\tNew\t(1)", "d 0 1\tYork\t-"))) == ["New", "York"]


def test_rows_of_which_nothing_tells_the_columns_are_an_error():
    text = rows("d 0 0 a (1)", "d\t0\t1\tNew York\t-", "d\t0\t1\tYork\t-")
    problem = "x:3: found tabs and blanks between its columns; expected tabs alone, or blanks alone, in all rows of a document"
    with pytest.raises(FormatError, match=problem):
        tokens(read_text(text))
    assert faults_of(text, "conll") == [problem]


@given(st.lists(st.lists(st.sampled_from(["a", "New York", "2 1/2", "x y z", "é ß", "#"]), min_size=1), min_size=1, max_size=4))
def test_words_with_blanks_are_those_of_the_rows(documents):
    text = "".join(
        rows("d\t0\t0\tplain\t-", *(f"d\t0\t{n}\t{word}\t-" for n, word in enumerate(words, start=1)), name=f"d{d}")
        for d, words in enumerate(documents)
    )
    assert tokens(read_text(text, "conll")) == [word for words in documents for word in ["plain", *words]]


def test_words_with_blanks_are_found_in_all_blocks_of_a_large_file():
    chooser = random.Random(5)
    words = [chooser.choice(["New York", "word", "of"]) for _ in range(120_000)]
    many = rows(*(f"d\t0\t{n}\t{word}\t-" for n, word in enumerate(words)))
    assert len(many) > 2 << 20
    with limited(20):
        assert tokens(read_text(many, "conll")) == words


# Words in another column.

WORD_FIRST = rows("Mira\t0\t0\t_\t(0", "Olden\t0\t1\t_\t0)", "sings\t0\t2\t_\t_", "She\t1\t0\t_\t(0)", "sleeps\t1\t1\t_\t_")
WORDS = ["Mira", "Olden", "sings", "She", "sleeps"]


@pytest.mark.parametrize(
    ("columns", "taken"),
    [
        ("{word} 0 {n} _ {cell}", 1),  # Hebrew
        ("d 0 {word} {tag} {cell}", 3),
        ("d 0 {word} {lemma} {tag} {cell}", 3),
        ("d {word} {tag} {cell}", 2),
        ("{word} {tag} {cell}", 1),
        ("1 {n} {word} {tag} {cell}", 3),
    ],
)
def test_words_in_another_column_are_found_and_said(columns, taken):
    tags, cells = ["PROPN", "PROPN", "VERB", "PRON", "VERB"], ["(0", "0)", "-", "(0)", "-"]
    lemmas = [word.lower() for word in WORDS]
    text = rows(
        *(
            columns.format(word=word, n=n, tag=tag, lemma=lemma, cell=cell)
            for n, (word, tag, lemma, cell) in enumerate(zip(WORDS, tags, lemmas, cells, strict=True))
        )
    )
    with pytest.warns(
        RefereeWarning, match=rf"^x: took 5 words from column {taken}, as column .*; --columns word=N names another"
    ):
        assert tokens(read_text(text)) == WORDS
    assert tokens(asked(text, f"word={taken}")) == WORDS  # without a warning


def test_texts_with_other_words_are_not_taken_for_one():
    other = WORD_FIRST.replace("Mira", "Tarn")
    with pytest.warns(RefereeWarning), pytest.raises(MismatchError, match="token 0: found 'Tarn'"):
        score(read_text(WORD_FIRST), read_text(other))


@pytest.mark.parametrize(("word", "number", "what"), [("_", 5, "-, _ or numbers"), ("-", 5, "-, _ or"), ("NOUN", 20, "tags")])
def test_words_that_are_none_are_warned_of(word, number, what):
    text = rows(*(f"d\t0\t{n}\t{word}\t-" for n in range(number)))
    with pytest.warns(RefereeWarning, match=f"^x: took {number} words from column 4, which are all {what}"):
        assert tokens(read_text(text)) == [word] * number
    assert not faults_of(rows(*(f"d\t0\t{n}\tIN\t-" for n in range(19))), "conll")


def test_words_that_were_taken_out_are_not_taken_from_the_speakers():
    text = rows(*(f"d 0 {n} [WORD] NN (NP*) - - - {'Mira' if n < 300 else 'Tarn'}#{n % 3} * -" for n in range(400)))
    with pytest.warns(RefereeWarning, match="^x: took 400 words from column 4, which are all the same"):
        assert tokens(read_text(text)) == ["[WORD]"] * 400


def test_a_text_in_capitals_or_of_few_words_keeps_its_column():
    capitals = rows(*(f"d 0 {n} {'ABCDEFGHIJ'[n % 10]}OWL NN * thank 01 1 Xu_li * (ARG1*) -" for n in range(40)))
    assert set(tokens(read_text(capitals))) == {f"{letter}OWL" for letter in "ABCDEFGHIJ"}
    few = rows(*(f"d 0 {n} {['the', 'owl'][n % 2]} {['NN', 'DT', 'VB'][n % 3]} - {'ab'[n % 2]} -" for n in range(400)))
    assert set(tokens(read_text(few))) == {"the", "owl"}


# Columns that the user names, and brackets in another column.

OWL = rows(
    "owl 0 0 Anna NNP (0 - x 11", "owl 0 1 Bird NNP 0) - x 11", "owl 0 2 sings VBZ - - x 11", "owl 0 0 She PRP (0) - x 12"
)
FOUND = {"d": {"0": [(0, 2), (3, 4)]}}


@pytest.mark.parametrize("columns", ["entity=6", "entity=-4", "6", "-4", "word=4,entity=6", "entity=-4,word=-6"])
@pytest.mark.parametrize("blank", [" ", "\t", "   "])
def test_columns_are_numbers_from_the_first_or_from_the_last(columns, blank):
    corpus = asked(OWL.replace(" ", blank).replace(f"#begin{blank}document{blank}", "#begin document "), columns)
    assert entities_of(corpus) == FOUND
    assert tokens(corpus) == ["Anna", "Bird", "sings", "She"]


def test_a_named_column_may_hold_blanks_and_comments_stay_comments():
    text = rows("# a remark", "0\tNew York\t(1)\tx", "1\t#\t-\tx", "#\t2\t(1)\tx")
    corpus = asked(text, "word=2,entity=3")
    assert tokens(corpus) == ["New York", "#", "2"]
    assert entities_of(corpus) == {"d": {"1": [(0, 1), (2, 3)]}}


def test_errors_are_on_the_lines_of_the_file():
    with pytest.raises(FormatError, match="x:3: found 9 columns; expected a column 10"):
        asked(OWL.replace("0 0 Anna", "0 0 Anna y"), "entity=10")
    with pytest.raises(FormatError, match="x:2: entity 0 is opened but never closed"):
        asked(OWL.replace("0)", "-", 1).replace("(0)", "-"), "entity=6")
    with pytest.raises(FormatError, match=r"x:2: found 'NNP' in the last column; expected - or brackets"):
        asked(OWL, "entity=5")
    with pytest.raises(FormatError, match="x:3: found tabs and blanks between its columns"):
        asked(rows("a b (1)", "New York\t_\t-"), "word=1")


@pytest.mark.parametrize("columns", ["entity=0", "entity=x", "word=", "entity=1.5", "word=4,entity=six"])
def test_columns_of_conll_are_numbers(columns):
    with pytest.raises(OptionError, match="takes numbers of columns for CoNLL, from 1, or -2 for the last but one; found"):
        asked(OWL, columns)


def test_roles_are_those_of_the_format(tmp_path):
    with pytest.raises(OptionError, match="--columns has the roles word and entity for conll; found item for x"):
        asked(OWL, "item=1,entity=6")
    with pytest.raises(FormatError, match="found the role word in --columns, which is for CoNLL files"):
        inputs.read(Source("x", b"item,entity\na,1\n", options=ReadOptions(parse_columns("word=1,item=item,entity=entity"))))
    with pytest.raises(OptionError, match="--columns is for tables of records; found x, which is jsonlines"):
        inputs.read(Source("x", b'{"sentences": [["a"]], "clusters": []}\n', options=ReadOptions(parse_columns("6"))))
    path = tmp_path / "x.conll"
    path.write_text("Anna (0 x\nBird 0) y\nsings - z\n", encoding="utf-8")
    assert entities_of(read(path, columns=-2)) == {"#1": {"0": [(0, 2)]}}
    assert entities_of(read(path, columns={"entity": 2, "word": 1})) == {"#1": {"0": [(0, 2)]}}


@pytest.mark.parametrize(
    ("text", "column", "last"),
    [
        (OWL, "6", ""),
        (OWL.replace("0 0 Anna", "0 0 z Anna"), "-4", ""),
        (rows("d 0 0 A (1) -", "d 0 1 B - -", "d 0 2 B (1) -"), "5", ", or entity=-1 if it is the last"),
        (rows("d 0 0 A (1) x", "d 0 1 B - y", "d 0 2 B (1) z"), "5", ""),
    ],
)
def test_brackets_in_another_column_are_one_error_with_its_number(text, column, last):
    found = (
        f"x: found brackets in column {column}, and none in the last; expected them in the last: give --columns entity={column}"
    )
    assert faults_of(text, "conll") == [found + last]
    assert entities_of(asked(text, f"entity={column}"))
    if text.endswith("-\n\n#end document\n"):
        assert not len(asked(text, "entity=-1").document)


def test_parses_roles_and_names_are_no_brackets_of_entities():
    row = "d 0 {} a NN (NP(NP*) thank 01 1 Xu_li (PERSON) (ARG1*) -"
    assert not len(read_text(rows(*map(row.format, range(3)), row.format(3).replace("(PERSON)", "*"))).document)


def test_a_folder_is_read_with_named_columns(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.conll").write_text(OWL.replace("(d)", f"({name})"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"a.conll: found brackets in column 6, and none in the last"):
        read(tmp_path)
    assert entities_of(read(tmp_path, columns={"word": 4, "entity": 6})) == {"a": FOUND["d"], "b": FOUND["d"]}


def test_a_folder_tells_once_where_its_words_are(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.conll").write_text(WORD_FIRST.replace("(d)", f"({name})"), encoding="utf-8")
    with pytest.warns(RefereeWarning, match=r"took 10 words from column 1, .* \(in 2 files") as caught:
        assert tokens(read(tmp_path)) == WORDS * 2
    assert len(caught) == 1


def test_the_command_takes_columns_for_either_side(tmp_path):
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(OWL, encoding="utf-8")
    response.write_text(rows("Anna (0", "Bird 0)", "sings -", "She (0)"), encoding="utf-8")
    sides = ["--key-columns", "word=4,entity=6", "--response-columns", "word=1"]
    assert "100.00" in referee("score", str(key), str(response), "-m", "muc", *sides).out
    assert "no errors" in referee("validate", str(key), "--columns", "6").out
    assert '"Anna", "Bird"' in referee("convert", str(key), "-", "--to", "jsonlines", "--columns=-4").out


# Brackets that an underscore joins, as sacr2conll writes them.

SACR = rows("0 an (1", "1 Owl -", "2 in -", "3 a (2", "4 trap 2)_1)", "0 its (0_(1)", "1 friend 0)")


def test_an_underscore_between_brackets_is_a_bar():
    with pytest.warns(RefereeWarning, match="^x: read 2 underscores between two brackets as a bar"):
        assert entities_of(read_text(SACR)) == {"d": {"1": [(0, 5), (5, 6)], "2": [(3, 5)], "0": [(5, 7)]}}


def test_an_underscore_in_an_id_stays_in_it():
    text = rows("a (_1", "b _1)", "c (2_)", "d (a_b)")
    assert set(entities_of(read_text(text, "conll"))["d"]) == {"_1", "2_", "a_b"}
    broken = rows("a (1_", "b (2)")
    assert faults_of(broken, "conll") == [
        "x:2: entity 1_ is opened but never closed; expected 1_) before the end of its document"
    ]


@in_field
def test_files_from_the_field():
    with silenced():
        first, pos = (read(FIELD / f"conll-word-first/{name}.conll") for name in ("a", "pos-as-word"))
        assert (tokens(first), tokens(pos)) == (WORDS, ["Mira", "sings", "She", "sleeps"])
        owl = read(FIELD / "sacr2conll-underscores/owl.conll")
        assert entities_of(owl) == {"owl_0": {"1": [(0, 5), (6, 7)], "2": [(3, 5)], "0": [(6, 8)]}}
    assert score(FIELD / "conll-tabs-blank-in-token/key.jsonl", FIELD / "conll-tabs-blank-in-token/tabs.conll")["muc"].f1 == 1
    last = FIELD / "misleading-messages/notlast.conll"
    assert len(inputs.validate(last)) == len(inputs.validate(FIELD / "conll-column-not-last/owl.conll")) == 1
    assert score(last, last, columns=5)["muc"].f1 == 1
    assert inputs.detect(source_of(SACR)) == "conll"
