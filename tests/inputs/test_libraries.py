"""Documents of systems as Python objects.

spaCy's are its own, where it is installed. Stanza and fastcoref need models of gigabytes: theirs are stand-ins here, with the
attributes that the documentation of Stanza's `CorefChain` and of fastcoref's `CorefResult` names.
"""

from dataclasses import dataclass, field
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import pytest

from referee import score
from referee.basics.exceptions import OptionError
from referee.inputs.libraries import corpus_of_objects
from tests.support.reading import entities_of


@dataclass
class CorefResult:
    text: str
    spans: list[list[tuple[int, int] | None]]

    def get_clusters(self, as_strings=True):
        assert not as_strings
        return self.spans


@dataclass
class StanzaWord:
    id: int | tuple[int, int]
    text: str
    coref_chains: list[Any] | None = field(default_factory=list)


def stanza_document(*sentences, chains):
    """A Document whose words are marked with chains, given as mentions (sentence, start_word, end_word)."""
    for index, mentions in chains.items():
        for sentence, start, end in mentions:
            for n in range(start, end):
                words = [word for word in sentences[sentence] if isinstance(word.id, int)]
                mark = SimpleNamespace(chain=SimpleNamespace(index=index), is_start=n == start, is_end=n == end - 1)
                words[n].coref_chains.append(mark)
    made = []
    for sentence in sentences:
        kinds = {kind: list(words) for kind, words in groupby(sentence, key=lambda word: isinstance(word.id, tuple))}
        made.append(SimpleNamespace(words=kinds.get(False, []), empty_words=kinds.get(True, [])))
    return SimpleNamespace(sentences=made, coref=list(chains), num_words=sum(len(s.words) for s in made))


def read(value):
    corpus = corpus_of_objects(value, "<response>")
    assert corpus is not None
    return corpus


def test_a_result_of_fastcoref_is_read_by_its_characters():
    result = CorefResult("Ann saw her dog.", [[(0, 3), (8, 11), None], [(8, 15)]])
    assert entities_of(read(result)) == {"#1": {"0": [(0, 1), (2, 3)], "1": [(2, 4)]}}
    assert read([result, result]).doc_ids == ("#1", "#2")


def test_a_mapping_gives_documents_their_names():
    result = CorefResult("Ann saw her dog.", [[(0, 3), (8, 11)]])
    assert entities_of(read({"d1": result, 2: result})) == {name: {"0": [(0, 1), (2, 3)]} for name in ("d1", "2")}
    assert score({"d1": [{(0, 1), (2, 3)}]}, {"d1": result})["muc"].f1 == 1


def test_of_a_long_list_of_labels_only_the_first_is_looked_at():
    class Label(int):
        looked = 0

        def __getattr__(self, name):
            Label.looked += 1
            raise AttributeError(name)

    assert corpus_of_objects([Label(n) for n in range(1000)]) is None
    assert Label.looked < 10


def test_a_document_of_stanza_is_read_with_its_zeros():
    zero = StanzaWord((0, 1), "_", [SimpleNamespace(chain=SimpleNamespace(index=0), is_start=True, is_end=True)])
    document = stanza_document(
        [StanzaWord(1, "Barack"), StanzaWord(2, "Obama"), StanzaWord(3, "came")],
        [StanzaWord(1, "vio"), StanzaWord(2, "Hawaii"), zero],
        chains={0: [(0, 0, 2)], 1: [(1, 1, 2)]},
    )
    corpus = read(document)
    assert entities_of(corpus) == {"#1": {"0": [(0, 2), (3, 4)], "1": [(5, 6)]}}
    assert list(corpus.documents["#1"].tokens) == ["Barack", "Obama", "came", "_", "vio", "Hawaii"]
    assert corpus.zero.tolist() == [False, True, False]


def test_a_document_of_spacy_is_read_from_its_span_groups():
    spacy = pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    doc = spacy.blank("en")("Ann saw her dog")
    doc.spans["coref_clusters_1"] = [doc[0:1], doc[2:3]]
    assert entities_of(read(doc)) == {"#1": {"1": [(0, 1), (2, 3)]}}
    assert entities_of(read((doc, doc))) == {name: {"1": [(0, 1), (2, 3)]} for name in ("#1", "#2")}


@pytest.mark.parametrize(
    "value",
    [[], [[(0, 1)]], {"a": 1}, "text", None, 7, [[(0, 1)], CorefResult("a", [])], {}, SimpleNamespace(text="a"), CorefResult],
)
def test_anything_else_is_none(value):
    assert corpus_of_objects(value) is None


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (CorefResult("Ann", [[(0, 4)]]), r"<response>: document 1: cluster 0: found the span \[0, 4\]"),
        (
            stanza_document([StanzaWord(1, "a", None)], chains={}),
            "<response>: document 1: has no coreference; .*run Stanza with the processor coref",
        ),
        (
            [CorefResult("a", []), [(0, 1)]],
            "<response>: document 2: is of the type list; expected the document of a system, as is the first",
        ),
    ],
)
def test_what_is_wrong_with_an_object_is_told(value, problem):
    with pytest.raises(OptionError, match=problem):
        read(value)
