"""Whether key and response annotate the same words, and what the message says if not."""

from dataclasses import replace

import pytest

from referee.basics.exceptions import MismatchError
from referee.corpus.builder import CorpusBuilder
from referee.corpus.text import Text, Words
from referee.matching.documents import align_documents
from referee.matching.tokens import compare_tokens


def texts(source, *documents):
    builder = CorpusBuilder(source)
    for n, words in enumerate(documents):
        builder.document(f"d{n}", None if words is None else words.split())
    return builder.corpus()


def compared(key, response):
    return compare_tokens(align_documents(key, response))


def test_the_same_words_are_the_same():
    assert compared(texts("key", "a b", "c"), texts("response", "a b", "c"))


def test_a_side_without_words_is_not_compared():
    assert not compared(texts("key", "a b"), texts("response", None))


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        ("a b c", "a x c", r"^document 'd1', token 1: found 'x' in response; expected 'b' as in key; score the same tokens"),
        ("a b", "a x y", r"token 1: found 'x' .* \(2 and 3 tokens\); .* --tokens align"),
        ("a b c", "a b", r"^document 'd1': found 2 tokens in response; expected 3 as in key; "),
        ("caf\u00e9", "cafe\u0301", r"as in key \(the same but for Unicode normalisation\); "),
    ],
)
def test_the_first_difference_is_shown(key, response, message):
    with pytest.raises(MismatchError, match=message):
        compared(texts("key", "same", key), texts("response", "same", response))


@pytest.mark.filterwarnings("ignore:.*their mentions count")
def test_documents_of_one_side_are_not_compared():
    assert compared(texts("key", "a", "b"), texts("response", "a"))


def digested(source, digest, word):
    """A corpus of a document with a digest, and a word unless reading it is an error."""

    def load():
        assert word is not None, "words are read though the digests are equal"
        return [Words((word,), (0,))]

    return replace(texts(source, "a"), text=Text(load, [digest], "kind"))


def test_words_are_only_read_where_digests_differ():
    assert compared(digested("key", b"1", None), digested("response", b"1", None))
    assert compared(digested("key", b"1", "a"), digested("response", b"2", "a"))
    with pytest.raises(MismatchError, match="found 'b' in response; expected 'a' as in key"):
        compared(digested("key", b"1", "a"), digested("response", b"2", "b"))


@pytest.mark.filterwarnings("ignore:.*their mentions count")
def test_all_documents_are_compared_after_one_that_is_not():
    for key, response in (
        (texts("key", "a", "b"), texts("response", "a", "c")),
        (texts("key", "a b", "b"), texts("response", "a b", "c")),
    ):
        with pytest.raises(MismatchError, match=r"^document 'd1', token 0: found 'c' in response"):
            compared(key, response)
    lone = replace(texts("response", "a", "c"), doc_ids=("other", "d1"))
    with pytest.raises(MismatchError, match=r"^document 'd1', token 0: found 'c' in response"):
        compared(texts("key", "a", "b"), lone)


def test_an_empty_node_is_no_word_whatever_its_form():
    builder = CorpusBuilder("x")
    builder.document("d0", ["a", "b"])
    builder.empty_node(1, 1, 0)
    with_node, without = builder.corpus(), texts("x", "a b")
    for key, response in ((with_node, without), (without, with_node)):
        with pytest.raises(MismatchError, match=r"^document 'd0': found . tokens? in x; expected"):
            compared(key, response)
    assert compared(with_node, texts("x", "a"))
