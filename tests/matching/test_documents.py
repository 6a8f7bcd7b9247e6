"""Which documents are the same, and what becomes of those that one side lacks."""

import pytest
from hypothesis import given, strategies as st

from referee import score
from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning
from referee.corpus.builder import CorpusBuilder
from referee.inputs.plain import corpus_of_plain as corpus_of
from referee.matching.documents import align_documents
from tests.support.warned import silenced

KEY = [{"A", "B", "C", "D"}]
RESPONSE = [{"A", "B"}, {"C", "D"}]


def named(names, source):
    """A document of each name, with one item of that name."""
    return corpus_of({name: [[f"{name} of {source}"]] for name in names}, source=source)


def aligned(key, response, *, extra=True):
    with silenced():
        return align_documents(key, response, extra=extra)


def contents(corpus):
    items = corpus.items or []
    return {name: [items[m] for m in range(len(items)) if corpus.document[m] == d] for d, name in enumerate(corpus.doc_ids)}


names = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f"]), min_size=1, unique=True)


@pytest.mark.parametrize("extra", [True, False])
@given(key=names, response=names)
def test_both_sides_get_all_documents_and_keep_their_annotation(extra, key, response):
    if not set(key) & set(response):
        return
    found = aligned(named(key, "key"), named(response, "response"), extra=extra)
    only_response = [name for name in response if name not in key] if extra else []
    assert found.key.doc_ids == found.response.doc_ids == (*key, *only_response)
    assert found.only_key == tuple(name for name in key if name not in response)
    assert found.only_response == tuple(only_response)
    for side, mine, source in ((found.key, key, "key"), (found.response, response, "response")):
        assert contents(side) == {name: [f"{name} of {source}"] if name in mine else [] for name in found.key.doc_ids}


def test_a_document_with_and_without_part_0_is_the_same():
    muc = score({"x_0": KEY, "y": KEY}, {"y_0": KEY, "x": RESPONSE}, metrics=["muc"])["muc"]
    assert (muc.recall, muc.precision) == (5 / 6, 1)


def test_part_0_is_not_guessed_where_the_key_has_both():
    found = aligned(named(["x", "x_0", "y"], "key"), named(["y_0", "x"], "response"))
    assert found.response.doc_ids == ("x", "x_0", "y")
    assert contents(found.response) == {"x": ["x of response"], "x_0": [], "y": ["y_0 of response"]}


def test_a_document_without_a_name_is_the_only_one_of_the_other_side():
    assert score({"x": KEY}, RESPONSE, metrics="muc").documents == ("x",)
    assert score(KEY, {"x": RESPONSE}, metrics="muc").documents == ("#1",)


def test_documents_without_names_are_to_be_named_after_those_of_the_other_side():
    with pytest.raises(MismatchError, match=r"found #1; expected v, w: .* in Python as \{'v': document, \.\.\.\}$"):
        aligned(named(["v", "w"], "key"), named(["#1"], "response"))


@pytest.mark.filterwarnings("ignore:1 of 1 documents of key")
def test_sides_without_a_document_in_common_are_refused():
    with pytest.raises(MismatchError, match=r"^response has no document of key: found y; expected v, w, x, …$"):
        align_documents(named(["v", "w", "x", "z"], "key"), named(["y"], "response"))
    assert align_documents(named(["x"], "key"), CorpusBuilder("response").corpus(), extra=False).key.doc_ids == ("x",)


def test_documents_of_one_side_are_told():
    with pytest.warns(RefereeWarning) as caught:
        align_documents(named(["x", "y"], "key"), named(["x", "z"], "response"))
    each, ignored = "referee score --by document shows each", "--extra-documents ignore leaves them out"
    assert [str(w.message) for w in caught] == [
        f"1 of 2 documents of key are not in response: y; their mentions count as missed; {each}",
        f"1 of 2 documents of response are not in key: z; their mentions count as spurious: {ignored}",
    ]
    with pytest.warns(RefereeWarning, match=r"^left out 1 document of response that key lacks: z$"):
        align_documents(named(["x"], "key"), named(["x", "z"], "response"), extra=False)


def test_at_most_three_names_are_shown():
    for names, shown in ((["a", "v", "w", "x"], "v, w, x;"), (["a", "v", "w", "x", "y"], "v, w, x, …;")):
        with pytest.warns(RefereeWarning, match=f"{len(names) - 1} of {len(names)} documents of key .*: {shown} .* missed;"):
            align_documents(named(names, "key"), named(["a"], "response"))
        with pytest.warns(RefereeWarning, match=f"documents of response .*: {shown} .* spurious: "):
            align_documents(named(["a"], "key"), named(names, "response"))


def test_left_out_documents_are_named():
    with pytest.warns(RefereeWarning, match="^left out 1 document of response that key lacks: b$"):
        found = align_documents(named(["a"], "key"), named(["b", "a"], "response"), extra=False)
    assert contents(found.response) == {"a": ["a of response"]}


def test_labels_and_documents_without_names_are_as_many_on_both_sides():
    with pytest.raises(OptionError, match=r"found 2 labels in .* and 3 in .*; expected one for each item"):
        score([1, 1], [1, 1, 1])
    with pytest.raises(OptionError, match=r"found 1 document without names in .* and 2 in .*; expected as many in both"):
        score([[{"a"}]], [[{"a"}], [{"b"}]])
    spans = score([1, 1], [{(0, 1), (1, 2), (2, 3)}], metrics="muc")["muc"]  # mentions need not be as many as labels
    assert (spans.recall, spans.precision) == (1, 1 / 2)


def test_of_long_names_messages_have_the_beginning():
    for length, shown in ((60, "v" * 60), (61, "v" * 60 + "…")):
        with pytest.raises(MismatchError, match=f"found w; expected {shown}$"):
            align_documents(named(["v" * length], "key"), named(["w"], "response"))
    for length, shown in ((98, "v" * 98), (99, "v" * 98 + "…")):
        with pytest.raises(MismatchError, match=rf"in Python as {{'{shown}': document, \.\.\.}}$"):
            align_documents(named(["v" * length, "w"], "key"), named(["#1"], "response"))
