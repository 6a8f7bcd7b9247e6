"""Needs spaCy, which is an extra; what spaCy itself writes is read."""

import random
import sys
import zlib
from contextlib import suppress

import pytest

from referee import inputs, score
from referee.basics.exceptions import FormatError, MissingExtraError, OptionError
from referee.formats.docbin import corpus as read_docs
from referee.formats.shared.source import Source
from tests.support.reading import entities_of


@pytest.fixture
def spacy():
    return pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")


def docs(spacy):
    """As the components coref and span_resolver of spacy-experimental leave documents, and one without coreference."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    both = nlp("My sister saw her dog. It barked.")
    both.spans["coref_clusters_1"] = [both[0:2], both[3:4]]
    both.spans["coref_clusters_2"] = [both[3:5], both[6:7]]
    both.spans["coref_head_clusters_1"] = [both[1:2], both[3:4]]
    both.spans["coref_head_clusters_2"] = [both[4:5], both[6:7]]
    heads = spacy.blank("en")("Ann waved her hand")
    heads.spans["coref_head_clusters_1"] = [heads[0:1], heads[2:3]]
    return [both, heads, nlp("Nothing.")]


def docbin(spacy, *documents):
    return spacy.tokens.DocBin(docs=documents, store_user_data=True).to_bytes()


def test_span_groups_are_entities_and_head_groups_their_heads(spacy, tmp_path):
    path = tmp_path / "dev.spacy"
    path.write_bytes(docbin(spacy, *docs(spacy)))
    corpus = inputs.read(path)
    assert entities_of(corpus) == {
        "#1": {"1": [(0, 2), (3, 4)], "2": [(3, 5), (6, 7)]},
        "#2": {"1": [(0, 1), (2, 3)]},
        "#3": {},
    }
    assert corpus.head.tolist() == [1, 3, 4, 6, 0, 2]
    first, second, third = corpus.documents.values()
    assert list(first.tokens) == ["My", "sister", "saw", "her", "dog", ".", "It", "barked", "."]
    assert [list(d.sentences) for d in (first, second, third)] == [[0, 6], [0], [0]]


def test_offsets_of_characters_in_the_extension_are_read(spacy):
    # fastcoref's component sets doc._.coref_clusters; DocBin keeps it in user_data
    doc = spacy.blank("en")("Ann waved her hand.")
    doc.user_data["._.", "coref_clusters", None, None] = [[(0, 3), (10, 13), None], [(10, 18)]]
    corpus = inputs.read(Source("x", docbin(spacy, doc)))
    assert entities_of(corpus) == {"#1": {"0": [(0, 1), (2, 3)], "1": [(2, 4)]}}


@pytest.mark.parametrize(
    ("clusters", "problem"),
    [
        ([[(0, 99)]], r"document 1: cluster 0: found the span \(0, 99\); .*0 <= start < end <= 9"),
        ([[7]], "cluster 0: found the span 7; expected two character offsets"),
        ([[(True, 3)]], r"found the span \(True, 3\)"),
        ([7], "is not what it should be; expected lists of pairs"),
        ({"a": 1}, "is not what it should be; expected lists of pairs"),
    ],
)
def test_offsets_that_are_none_are_a_fault(spacy, clusters, problem):
    doc = spacy.blank("en")("Ann waved")
    doc.user_data["._.", "coref_clusters", None, None] = clusters
    with pytest.raises(FormatError, match=f"^x: .*{problem}"):
        inputs.read(Source("x", docbin(spacy, doc)))


def test_other_span_groups_alone_are_a_fault(spacy):
    doc = spacy.blank("en")("Ann waved")
    doc.spans["sc"] = [doc[0:1]]
    with pytest.raises(FormatError, match=r"x: document 1: found the span groups sc; expected coref_clusters_1"):
        inputs.read(Source("x", docbin(spacy, doc)))


def test_span_groups_with_another_prefix_are_read_when_it_is_named(spacy):
    doc = spacy.blank("en")("Ann waved her hand.")
    doc.spans["chains.a_1"] = [doc[0:1], doc[2:3]]
    doc.spans["chains.b_1"] = [doc[3:4]]
    assert entities_of(read_docs([doc], prefix="chains.a")) == {"#1": {"1": [(0, 1), (2, 3)]}}
    with pytest.raises(FormatError, match=r"^<spacy>: document 1: found the span groups .*; expected sc_1, sc_2, \.\.\.: "):
        read_docs([doc], prefix="sc")
    with pytest.raises(OptionError, match=r"expected coref_clusters_1, .*: --format docbin:PREFIX reads others"):
        score(doc, doc)


def test_a_variant_of_the_format_names_the_prefix(spacy, tmp_path):
    doc = spacy.blank("en")("Ann waved her hand.")
    doc.spans["chains_1"] = [doc[0:1], doc[2:3]]
    path = tmp_path / "x.spacy"
    path.write_bytes(docbin(spacy, doc))
    assert entities_of(inputs.read(path, format="docbin:chains")) == {"#1": {"1": [(0, 1), (2, 3)]}}
    assert inputs.validate(path, format="docbin:chains") == []
    assert score(path, path, metrics="muc", key_format="docbin:chains", response_format="docbin:chains")["muc"].f1 == 1
    with pytest.raises(OptionError, match=r"^found the format 'csv:chains'; expected csv, which has no variants$"):
        inputs.read(path, format="csv:chains")


def test_damaged_files_are_faults_and_nothing_else(spacy):
    data = docbin(spacy, *docs(spacy))
    for damaged in (data[:-20], data[:2] + b"no", zlib.compress(b"\x80"), zlib.compress(b"{}")):
        with pytest.raises(FormatError, match=r"^x: is no DocBin that spaCy can read: "):
            inputs.read(Source("x", damaged))


def test_damage_inside_is_a_fault_or_another_document(spacy):
    random.seed(1)
    data = zlib.decompress(docbin(spacy, *docs(spacy)))
    for _ in range(200):
        damaged = bytearray(data)
        damaged[random.randrange(len(damaged))] = random.randrange(256)
        with suppress(FormatError):
            inputs.read(Source("x", zlib.compress(bytes(damaged))))


def test_without_spacy_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy.tokens", None)
    source = Source("x", zlib.compress(b"\x80"))
    assert inputs.detect(source) == "docbin"
    with pytest.raises(MissingExtraError, match=r"pip install 'referee\[spacy\]'"):
        inputs.read(source)
