import numpy as np
import pytest
from hypothesis import given

from referee import inputs
from referee.basics.exceptions import FormatError
from referee.corpus.builder import CorpusBuilder
from tests.support.reading import entities_of, read_again, read_text, source_of, tokens_of, written
from tests.support.samples import file_text
from tests.support.strategies import corpora

# The beginning of the fable that comes with SACR's conversion scripts, as SACR saves it.
AESOP = file_text("aesop.sacr")


def holdable(corpus):
    """The corpus with only those mentions that SACR can hold; None if there is other trouble with it."""
    kept = []
    whole = []
    for document, start, end in zip(corpus.document, corpus.start, corpus.end, strict=True):
        crosses = any(d == document and (s < start < e < end or start < s < end < e) for d, s, e in kept)
        whole.append(not crosses and not any(start < b < end for b in corpus.text.words[document].sentences))
        if whole[-1]:
            kept.append((document, start, end))
    try:
        written(selected := corpus.select(np.array(whole, dtype=bool)), "sacr")
    except FormatError as error:
        assert "which sacr cannot hold" in error.problem  # a brace in a token, or # before a sentence
        return None
    return selected


@given(corpora())
def test_what_is_written_reads_the_same(corpus):
    if (kept := holdable(corpus)) is not None:
        assert read_again(kept, "sacr") == kept
        assert inputs.detect(source_of(written(kept, "sacr"))) == "sacr"


@pytest.mark.filterwarnings("ignore:.*left out 6 properties of mentions:referee.RefereeWarning")
def test_braces_are_mentions_and_their_names_entities():
    corpus = read_text(AESOP)
    assert inputs.detect(source_of(AESOP)) == "sacr"
    document = corpus.documents["aesop"]
    assert list(document.tokens) == [
        *["A", "Peasant", "found", "an", "Eagle", "captured", "in", "a", "trap", ",", "and", "much", "admiring", "the", "bird"],
        *[".", "His", "deliverer", "fell", "."],
    ]
    assert list(document.sentences) == [0, 16]
    assert entities_of(corpus) == {
        "aesop": {"Peasant": [(0, 2), (16, 18)], "Eagle": [(3, 9), (13, 15), (16, 17)], "M3": [(7, 9)]}
    }


def test_texts_without_properties_are_told_from_links_and_from_web_pages():
    assert inputs.detect(source_of("{one {one His} head} hurts.")) == "sacr"
    assert inputs.detect(source_of("{C0 A Peasant} found {C1 an Eagle captured in {C2 a trap}} , and him")) == "sacr"
    assert inputs.detect(source_of("{A B C} {D E} F-G  # the word of the comment")) == "links"
    with pytest.raises(FormatError, match="looks like none"):
        inputs.detect(source_of("<html><script>if (a) {return x} else y</script>"))


PIECES = {
    "a word is cut where a mention begins or ends": (
        "le dessus{A lequel}le", "le dessus lequel le", {"#1": {"A": [(2, 3)]}},
    ),
    "tokens between blanks stay as they are if the file says so": (
        "#tokens: blanks\n\n{A Mr.} can't ({A he})\n", "Mr. can't ( he )", {"#1": {"A": [(0, 1), (3, 4)]}},
    ),
    "each textid begins a document": (
        "before\n#textid: b\n\n{A x} y\n#text_id:c\n#title: none\n\n{A z}", "before x y z",
        {"#1": {}, "b": {"A": [(0, 1)]}, "c": {"A": [(0, 1)]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "tokens", "entities"), PIECES.values(), ids=PIECES)
def test_what_is_read(text, tokens, entities):
    corpus = read_text(text, "sacr")
    assert " ".join(tokens_of(corpus)) == tokens
    assert entities_of(corpus) == entities


@pytest.mark.parametrize("text", ["", "\n\n", "#title: only\n", "****\n"])
def test_no_text_is_no_document(text):
    assert read_text(text, "sacr").doc_ids == ()


def test_names_are_written_in_letters_that_sacr_allows():
    builder = CorpusBuilder()
    builder.document("d", ["a", "b", "c", "d"], [0, 2])
    for n, label in enumerate(["é", "é", "Ann Lee", "à"]):
        builder.mention(n, n + 1, label)
    assert written(builder.corpus(), "sacr") == ("#tokens: blanks\n\n#textid: d\n\n{_ a} {_ b}\n\n{Ann_Lee c} {__2 d}\n\n")


@pytest.mark.parametrize(
    ("tokens", "mentions", "problem"),
    [
        (["a", "{"], [], "1 word .*'{'"),
        (["a b"], [], "1 word .*'a b'"),
        ([r"a\nb"], [], "1 word"),
        (["#1", "hit"], [], "1 word .*'#1'"),
        (["***"], [], "1 word"),
        (["a", "b", "c"], [(0, 2), (1, 3)], "1 crossing mention .*1-3 of entity x"),
    ],
)
def test_what_sacr_would_misread_is_not_written(tokens, mentions, problem):
    builder = CorpusBuilder("c")
    builder.document("d", tokens)
    for start, end in mentions:
        builder.mention(start, end, "x")
    with pytest.raises(FormatError, match=f"^c: has {problem}.*, which sacr cannot hold"):
        written(builder.corpus(), "sacr")
