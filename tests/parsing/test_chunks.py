"""Shallow trees: each rule by an example, a tree whatever the chunks are, and figures on treebanks."""

import gzip
import io
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import FormatError, OptionError
from referee.formats.shared.source import Source
from referee.parsing.chunks import LONGEST, SHIPPED, Tags, chunk_trees, load_chunks, phrase_candidates
from referee.parsing.shallow.linked import tree_of_chunks
from referee.parsing.shallow.names import head_of_name
from referee.parsing.shallow.sentence import Sentence
from referee.parsing.words import PlacedWords
from referee.phrases.formats.reading import read, read_key
from referee.phrases.models.by_name import fit
from referee.phrases.models.files import save
from referee.phrases.one_best import match_chunks
from tests.support.cases import cases
from tests.support.paths import SHARED

EWT, GUM = SHARED / "parse" / "ewt.train.conllu.gz", SHARED / "resolve" / "gum-by.train.conllu.gz"
DEV = SHARED / "resolve" / "gum.dev.conllu.gz"

COARSE = {
    "DT": "DET", "PDT": "DET", "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "PRP": "PRON", "PRP$": "PRON", "WP": "PRON",
    "WDT": "PRON", "EX": "PRON", "JJ": "ADJ", "RB": "ADV", "WRB": "ADV", "IN": "ADP", "CC": "CCONJ", "CD": "NUM", "POS": "PART",
    "TO": "PART", "MD": "AUX", "UH": "INTJ", "RP": "ADP", ",": "PUNCT", ".": "PUNCT", "-LRB-": "PUNCT", "-RRB-": "PUNCT",
}  # fmt: skip
BE = {"is": "be", "was": "be", "were": "be", "are": "be", "be": "be", "been": "be"}


def words_of(sentences):
    form = [word for sentence in sentences for word in sentence]
    first = np.cumsum([0, *map(len, sentences)])
    zeros = np.zeros(len(form), dtype=np.int64)
    documents = np.zeros(len(sentences), dtype=np.int64)
    return PlacedWords(["d"], [""], form, zeros, zeros, first, documents, documents == 1, [""] * len(sentences))


def tagged(text):
    """A sentence, written as word/XPOS; the UPOS of verbs follows as word/XPOS/UPOS where it is AUX or SCONJ."""
    rows = [word.split("/") for word in text.split()]
    form, xpos = [row[0] for row in rows], [row[1] for row in rows]
    upos = [row[2] if len(row) > 2 else COARSE.get(row[1], "VERB") for row in rows]
    lemma = [BE.get(word.lower(), word.lower()) for word in form]
    return words_of([form]), Tags(upos, xpos, ["_"] * len(form), lemma)


def tree(text):
    """The tree of a sentence, as dependent < head (relation), without punctuation."""
    words, tags = tagged(text)
    found = chunk_trees(words, tags, load_chunks())
    rows = zip(words.form, found.head.tolist(), found.deprel, tags.upos, strict=True)
    names = ["ROOT", *words.form]
    return ", ".join(f"{word} < {names[head]} ({relation})" for word, head, relation, upos in rows if upos != "PUNCT")


@pytest.mark.parametrize("case", cases("trees_of_chunks"), ids=str)
def test_rules_give_the_trees_of_a_treebank(case):
    assert [tree(case.text)] == case.expected


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("ann lee", 0),
        ("dr. lee", 1),
        ("dr. ann lee", 1),
        ("mr. j. k. lee", 1),
        ("bristol university", 1),
        ("new york", 1),
        ("lee", 0),
    ],
)
def test_the_head_of_a_name(name, head):
    assert head_of_name(name.split()) == head


def check_tree(heads, relations):
    assert heads.count(0) == 1
    assert relations[heads.index(0)] == "root"
    assert relations.count("root") == 1
    for w in range(len(heads)):
        steps, above = 0, w + 1
        while above:
            above, steps = heads[above - 1], steps + 1
            assert steps <= len(heads)


XPOS = (*COARSE, "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "JJR", "HYPH", ":", "``", "XX", "_")
FORMS = ("of", "the", "it", "that", "be", "and", "(", ")", ",", "—", '"', "1999", "may", "new", "course", "in", "x")


@st.composite
def chunked(draw):
    n = draw(st.integers(1, 14))
    column = lambda values: draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))  # noqa: E731
    upos = column(("NOUN", "PROPN", "PRON", "VERB", "AUX", "ADJ", "ADV", "DET", "ADP", "PART", "CCONJ", "SCONJ", "PUNCT", "X"))
    s = Sentence(column(FORMS), upos, column(XPOS), column(("be", "have", "year", "x")))
    edges = sorted({0, n, *draw(st.lists(st.integers(0, n), max_size=n))})
    categories = ("NP", "NP", "VP", "VP", "PP", "SBAR", "ADJP", "ADVP", "PRT", "INTJ", "Null")
    return s, [(draw(st.sampled_from(categories)), a, b) for a, b in pairwise(edges)]


@given(chunked())
def test_whatever_the_chunks_are_the_result_is_a_tree(given_chunks):
    heads, relations = tree_of_chunks(*given_chunks)
    assert len(heads) == len(relations) == len(given_chunks[0].form)
    check_tree(heads, relations)


def test_nothing_gives_nothing():
    words = words_of([])
    found = chunk_trees(words, Tags([], [], [], []), load_chunks())
    assert (len(found.head), found.deprel) == (0, [])
    assert len(phrase_candidates(words, Tags([], [], [], []), load_chunks())) == 0


def test_a_very_long_sentence_is_one_tree():
    words, tags = tagged(" ".join(["the/DT dog/NN saw/VBD"] * LONGEST))
    found = chunk_trees(words, tags, load_chunks())
    check_tree(found.head.tolist(), list(found.deprel))
    candidates = phrase_candidates(words, tags, load_chunks())
    assert candidates.sentences.length.tolist() == [3 * LONGEST]
    assert candidates.end.max() == 3 * LONGEST


def test_each_word_is_in_one_chunk_so_that_probabilities_add_up_to_1():
    words, tags = tagged("The/DT old/JJ man/NN the/DT boats/NNS of/IN Bristol/NNP ./.")
    found = phrase_candidates(words, tags, load_chunks(), 0.0)
    for w in range(len(words.form)):
        covers = (found.start <= w) & (w < found.end)
        assert found.probability[covers].sum() == pytest.approx(1)


def test_a_model_of_other_tags_is_refused():
    words, tags = tagged("The/DT dog/NN slept/VBD ./.")
    other = tags._replace(upos=["Nom"] * 4)
    message = r"^<words>: model C does not know 100% of the tags, such as Nom.DT; expected tags such as ADJ"
    for call in (chunk_trees, phrase_candidates):
        with pytest.raises(OptionError, match=message):
            call(words, other, load_chunks())


def test_a_file_without_a_model_is_refused(tmp_path):
    (tmp_path / "no.json").write_text("{}")
    with pytest.raises(FormatError, match=r"no.json: found no model; expected an object with"):
        load_chunks(tmp_path / "no.json")


@pytest.mark.skipif(not EWT.exists(), reason="no treebanks")
def test_the_shipped_model_is_what_the_command_of_its_page_makes():
    train, second = (read_key(str(path), format="dependencies") for path in (EWT, GUM))
    out = io.StringIO()
    save(fit("S(C)", train, second), out)
    assert out.getvalue() == Path(SHIPPED).read_text(encoding="utf-8")


def treebank(path):
    sentences = [[]]
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if cells[0].isdigit():
                sentences[-1].append(cells)
            elif not line.strip() and sentences[-1]:
                sentences.append([])
    rows = [row for sentence in sentences for row in sentence]
    words = words_of([[row[1] for row in sentence] for sentence in sentences if sentence])
    upos, xpos, feats, lemma = ([row[n] for row in rows] for n in (3, 4, 5, 2))
    return words, Tags(upos, xpos, feats, lemma), [int(row[6]) for row in rows], [row[7] for row in rows]


@pytest.mark.skipif(not DEV.exists(), reason="no treebank")
def test_chunks_and_trees_of_the_development_documents_reach_the_floors_of_the_documentation():
    words, tags, heads, relations = treebank(DEV)
    found = chunk_trees(words, tags, load_chunks())
    pairs = zip(heads, found.head.tolist(), relations, found.deprel, tags.upos, strict=True)
    right = [h == g and r.split(":")[0] == d.split(":")[0] for h, g, r, d, upos in pairs if upos != "PUNCT"]
    assert np.mean(right) > 0.75
    key = read(Source(str(DEV)), format="dependencies")
    chunks = load_chunks().parse(key.sentences)
    kept = [name for name in key.categories if name != "Null"]
    counts = match_chunks(key.with_categories(kept), chunks.with_categories(kept))
    assert 2 * counts.matched / (counts.key + counts.response) > 0.94
