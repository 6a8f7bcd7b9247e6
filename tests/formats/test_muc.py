from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.corpus.builder import CorpusBuilder
from referee.inputs.validating import errors_of
from tests.support.examples import examples
from tests.support.reading import entities_of, faults_of, links_of, read_again, read_text, source_of, tokens_of, written
from tests.support.samples import file_text, texts
from tests.support.strategies import corpora

# The examples of the MUC-7 task definition, in one document.
MUC = texts("muc")[0]

ONTONOTES = file_text("ontonotes.sgml")


def nested(corpus):
    """The corpus with only those mentions that SGML can hold: within a sentence, and crossing none that was kept."""
    kept = []
    whole = []
    for document, start, end in zip(corpus.document, corpus.start, corpus.end, strict=True):
        crosses = any(d == document and (s < start < e < end or start < s < end < e) for d, s, e in kept)
        whole.append(not crosses and not any(start < b < end for b in corpus.text.words[document].sentences))
        if whole[-1]:
            kept.append((document, start, end))
    return corpus.select(np.array(whole, dtype=bool))


@given(corpora())
def test_what_is_written_reads_the_same(corpus):
    corpus = nested(corpus)
    assert read_again(corpus, "muc") == corpus


def test_muc_links_mentions_by_id_and_ref():
    corpus = read_text(MUC)
    assert inputs.detect(source_of(MUC)) == "muc"
    assert list(corpus.documents["nyt-1"].tokens) == [
        *["Shares", "&", "stocks"],
        *["The", "big", "company", "fell."],
        *["So", "did", "it", "with", "its", "boss"],
    ]
    assert entities_of(corpus) == {"nyt-1": {"2": [(3, 6), (9, 10), (11, 12)]}}
    assert links_of(corpus) == [("it", "The big company"), ("its", "it")]
    assert list(corpus.documents["nyt-1"].sentences) == [0, 3, 7]


@pytest.mark.filterwarnings("ignore:.*mentions? of types that are no coreference .APPOS")
def test_ontonotes_has_chains_and_parts_and_its_appositions_are_left_out():
    corpus = read_text(ONTONOTES)
    assert inputs.detect(source_of(ONTONOTES)) == "muc"
    assert entities_of(corpus) == {
        "bc/cctv_0005_0": {"12": [(0, 1), (2, 4)], "4": [(2, 3)]},
        "bc/cctv_0005_1": {"12": [(0, 1)]},
    }
    assert corpus.links is None
    assert list(corpus.documents["bc/cctv_0005_0"].tokens) == ["He", "said", "his", "son"]


VALUES = {
    "ID": ("1", "2", "3", "a b", "&amp;", ""),
    "TYPE": (None, "IDENT", "ident", "PRED", ""),
    "REF": (None, None, "1", "2", ""),
    "MIN": (None, "w", "w|x ", " x", " ", "", "&amp;"),
}


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@examples(2)
@given(st.lists(st.tuples(*map(st.sampled_from, VALUES.values())), max_size=5), st.sampled_from(("\n", " ")))
def test_attributes_mean_the_same_in_any_order_and_in_other_quotes(mentions, end):
    given_ = [[(name, value) for name, value in zip(VALUES, m, strict=True) if value is not None] for m in mentions]
    usual = [" ".join(f'{name}="{value}"' for name, value in m) for m in given_]
    other = [" ".join(f"{name.lower()} = '{value}'" for name, value in reversed(m)) for m in given_]
    found, expected = (
        errors_of(source_of("<DOC>" + "".join(f"<COREF {tag}>w &amp; x</COREF>{end}" for tag in tags) + "</DOC>"), "muc")
        for tags in (usual, other)
    )
    assert (found.number, list(map(str, found.first))) == (expected.number, list(map(str, expected.first)))
    assert found.corpus == expected.corpus


TWO = '<COREF ID="1">Ann</COREF> saw <COREF ID="2" REF="1">her</COREF>'
COMMENTED = '<?xml version="1.0"?>\n<!DOCTYPE x>\n<DOC><!-- <COREF> --><ENAMEX TYPE="A>B">Ann</ENAMEX></DOC>'
ODD = "<DOC>AT&amp;T &lt;COREF&gt; a&#32;b &#x41; &nothing; R&D &#xD800;</DOC>"
VIEWS = {
    "text without a document is one": (TWO, entities_of, {"#1": {"1": [(0, 1), (2, 3)]}}),
    "a REF may look ahead": (
        '<COREF ID="1" REF="2">a</COREF> <COREF ID="2">b</COREF>', entities_of, {"#1": {"1": [(0, 1), (1, 2)]}},
    ),
    "a tag inside a word splits it": ('<DOC>(<COREF ID="1">he</COREF>)</DOC>', tokens_of, ["(", "he", ")"]),
    "references to characters are decoded when words are told apart": (
        ODD, tokens_of, ["AT&T", "<COREF>", "a b", "A", "&nothing;", "R&D", "&#xD800;"],
    ),
    "comments and other tags are ignored": (COMMENTED, tokens_of, ["Ann"]),
    "a mention listed twice is two": (
        '<COREF ID="1"><COREF ID="1">a</COREF></COREF>', entities_of, {"#1": {"1": [(0, 1), (0, 1)]}},
    ),
    "documents without words": ("<DOC></DOC><doc><DOCNO>d</DOCNO></doc>", entities_of, {"#1": {}, "d": {}}),
    "a document of a mention": ('<DOC><COREF ID="1">a</COREF></DOC>', entities_of, {"#1": {"1": [(0, 1)]}}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "view", "expected"), VIEWS.values(), ids=VIEWS)
def test_what_is_read(text, view, expected):
    assert inputs.detect(source_of(text)) == "muc"
    assert view(read_text(text)) == expected


def test_nothing_has_no_documents():
    assert read_text("", "muc").doc_ids == ()


def test_any_token_can_be_written():
    builder = CorpusBuilder()
    builder.document('a "b" <c>', ["</s>", "&amp;", "a b", "a\u0085\u2028b", "\t\r\n"])
    assert read_again(builder.corpus(), "muc") == builder.corpus()


def test_mentions_are_written_nested_and_each_refers_to_the_one_before():
    builder = CorpusBuilder()
    builder.document("d", ["Ann", "saw", "her", "dog"], [0])
    for start, end, label in [(0, 1, "ann"), (2, 3, "ann"), (2, 4, "dog")]:
        builder.mention(start, end, label)
    assert written(builder.corpus(), "muc") == (
        '<DOC><DOCNO>d</DOCNO><TEXT>\n<s><COREF ID="1" TYPE="IDENT">Ann</COREF> saw '
        '<COREF ID="2" TYPE="IDENT"><COREF ID="3" TYPE="IDENT" REF="1">her</COREF> dog</COREF></s>\n</TEXT></DOC>\n'
    )


def test_validation_lists_all_faults():
    text = '</COREF>\n<COREF ID="1" REF="7">a</COREF>\n<COREF ID="1" REF="2">a</COREF>\n<COREF ID="2">a\n'
    assert [fault[:4] for fault in faults_of(text, "muc")] == ["x:1:", "x:2:", "x:3:", "x:4:"]


def of_mentions(tokens, *spans, sentences=(0,), **more):
    builder = CorpusBuilder("c")
    builder.document("d", tokens.split(" "), list(sentences))
    for span in spans:
        builder.mention(*span, "0", **more)
    return builder.corpus()


@pytest.mark.parametrize(
    ("corpus", "problem"),
    [
        (of_mentions("a b c", (0, 2), (1, 3)), "1 crossing mention .*1-3 of entity 0"),
        (of_mentions("a b c", (0, 3), sentences=(0, 2)), "1 mention over the end of a sentence .*0-3 of entity 0"),
        (of_mentions(""), "1 word"),
        (
            of_mentions("man and man", (0, 3), minimum_span=(2, 3)),
            "1 minimum span .*0-3 of entity 0",
        ),
    ],
)
def test_what_sgml_cannot_hold_is_not_written(corpus, problem):
    with pytest.raises(FormatError, match=f"^c: has {problem}.* in document 'd'.*, which muc cannot hold"):
        written(corpus, "muc")


def test_items_are_not_written():
    with pytest.raises(FormatError, match="are items, not spans"):
        written(read_text("{A}"), "muc")


def minima_of(corpus):
    """The words of each mention, and those of its minimum span."""
    minima = [None] * len(corpus.document) if corpus.minimum_span is None else corpus.minimum_span.tolist()
    pairs = []
    for d, start, end, least in zip(corpus.document, corpus.start, corpus.end, minima, strict=True):
        tokens = corpus.text.words[d].tokens
        pairs.append((" ".join(tokens[start:end]), None if least is None or least[0] < 0 else " ".join(tokens[slice(*least)])))
    return pairs


def test_min_is_the_least_span_within_the_mention():
    assert minima_of(read_text(MUC)) == [("The big company", "company"), ("it", None), ("its", None)]


@pytest.mark.parametrize(
    ("mention", "minimum", "words"),
    [
        ("the Honorable Frederick F. Fernwhistle Jr.", "Frederick F. Fernwhistle Jr.", "Frederick F. Fernwhistle Jr."),
        ("Newark, New Jersey", "Newark", "Newark,"),  # tokens are not split at punctuation
        ("the man and his man", "man", "man"),
        ("subman and man", "man", "man"),  # a whole token before a part of one
        ("Ann and Bob", "Ann|Bob", "Ann"),
        ("Ann and Bob", "Mary | Bob", "Bob"),
        ("AT&amp;T Corp.", "AT&amp;T", "AT&T"),
        ("a &#124; b", "&#124; b", "| b"),
    ],
)
def test_min_is_found_as_words_or_inside_of_words(mention, minimum, words):
    corpus = read_text(f'man Bob <COREF ID="1" MIN="{minimum}">{mention}</COREF> man', "muc")
    assert minima_of(corpus)[0][1] == words
    assert corpus.minimum_span[0, 0] == 2 + mention.split().index(mention.split()[corpus.minimum_span[0, 0] - 2])


def test_a_min_that_is_not_in_the_mention_is_left_out_with_a_count():
    text = 'dog <COREF ID="1" MIN="dog">a cat</COREF> <COREF ID="2" MIN="|">a</COREF> <COREF ID="3" MIN="cat">a cat</COREF>'
    with pytest.warns(RefereeWarning, match=r"^x: left out 2 MINs whose words are not in the text of the mention"):
        assert minima_of(read_text(text)) == [("a cat", None), ("a", None), ("a cat", "cat")]


@given(corpora(), st.data())
def test_least_spans_survive(corpus, data):
    corpus = nested(corpus)
    minimum = []
    for start, end in zip(corpus.start.tolist(), corpus.end.tolist(), strict=True):
        first = data.draw(st.integers(start, end - 1))
        minimum.append((first, data.draw(st.integers(first + 1, end))) if data.draw(st.booleans()) else (-1, -1))
    corpus = replace(corpus, minimum_span=np.array(minimum, dtype=np.int32).reshape(-1, 2))
    corpus = corpus.select(np.ones(len(minimum), dtype=bool))  # copies of a mention go by their minimum spans
    try:
        again = read_again(corpus, "muc")
    except FormatError as error:
        assert "the first of these words in the mention" in error.problem
    else:
        assert again == corpus


@pytest.mark.filterwarnings("ignore:.*mentions? of types that are no coreference .APPOS")
def test_ontonotes_as_released_has_a_sentence_a_line_and_parts_of_words_count_as_words():
    text = """<DOC DOCNO="bn/cnn/00/cnn_0001@0001@cnn@bn@en@on">
<TEXT PARTNO="000">
<COREF ID="000-8" TYPE="IDENT" SPEAKER="Dunn">Kevin Dunn</COREF> , <COREF ID="9" TYPE="APPOS" SUBTYPE="ATTRIB">ITN</COREF>
<COREF ID="000-8" TYPE="IDENT">He</COREF>
left <COREF ID="000-7" TYPE="IDENT" S_OFF="6">Japan-China</COREF> .
</TEXT>
</DOC>
"""
    corpus = read_text(text)
    assert entities_of(corpus) == {"bn/cnn/00/cnn_0001_0": {"000-8": [(0, 2), (4, 5)], "000-7": [(6, 7)]}}
    assert list(corpus.documents["bn/cnn/00/cnn_0001_0"].sentences) == [0, 4, 5]
