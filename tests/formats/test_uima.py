import json
import re

import pytest

from referee import inputs
from referee.basics.exceptions import FormatError
from tests.support.reading import entities_of, faults_of, read_text, source_of
from tests.support.samples import file_text

# As INCEpTION exports it; the emoji has two UTF-16 units. A Token has a feature `id`, which is not its xmi:id.
XMI = file_text("uima.xmi")


def cas(*structures, sofa="He shot himself.\nHis dog"):
    first = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": sofa}
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": [first, *structures], "%VIEWS": {}}, indent=1)


def chain(number, first):
    return {"%ID": number, "%TYPE": "webanno.custom.SimpleChain", "@first": first}


def link(number, begin, end, **more):
    place = {"%ID": number, "%TYPE": "webanno.custom.SimpleLink", "@sofa": 1, "begin": begin, "end": end}
    return place | {f"@{name}": value for name, value in more.items()}


def test_chains_of_links_are_entities_and_tokens_are_cut_where_mentions_end():
    assert inputs.detect(source_of(XMI)) == "uima"
    corpus = read_text(XMI)
    document = corpus.documents["#1"]
    assert list(document.tokens) == ["😀", "He", "shot", "himself", ".", "His", "dog"]
    assert list(document.sentences) == [0, 5]
    assert entities_of(corpus) == {"#1": {"20": [(1, 2), (3, 4)], "link 23": [(5, 7)]}}


def test_json_is_the_same_in_other_words():
    text = cas(chain(4, 2), link(2, 0, 2, next=3), link(3, 8, 15))
    assert inputs.detect(source_of(text)) == "uima"
    corpus = read_text(text)
    assert entities_of(corpus) == {"#1": {"4": [(0, 1), (2, 3)]}}
    assert list(corpus.documents["#1"].tokens) == ["He", "shot", "himself", ".", "His", "dog"]
    assert list(corpus.documents["#1"].sentences) == [0, 4]


def test_anchors_may_be_marked():
    marked = {"%ID": 2, "%TYPE": "a.Link", "@sofa": 1, "^begin": 0, "^end": 2}
    assert entities_of(read_text(cas(chain(4, 2), marked))) == {"#1": {"4": [(0, 1)]}}


def test_the_document_is_called_by_its_metadata():
    metadata = {"%ID": 9, "%TYPE": "a.DocumentMetaData", "@sofa": 1, "begin": 0, "end": 16, "documentId": "news.txt"}
    assert read_text(cas(metadata)).doc_ids == ("news.txt",)


def test_each_sofa_with_links_is_a_document():
    other = {"%ID": 9, "%TYPE": "uima.cas.Sofa", "sofaID": "second", "sofaString": "It"}
    unused = other | {"%ID": 10, "sofaID": "third"}
    text = cas(other, unused, chain(4, 2), link(2, 0, 2), chain(5, 3), link(3, 0, 2) | {"@sofa": 9})
    assert entities_of(read_text(text)) == {"_InitialView": {"4": [(0, 1)]}, "second": {"5": [(0, 1)]}}


def test_no_chains_are_a_document_without_mentions():
    assert entities_of(read_text(cas())) == {"#1": {}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (cas(chain(4, 7)), "chain 4 has the link 7, which is none of the file"),
        (cas(chain(4, 2), link(2, 0, 2, next=2)), "chain 4 has the link 2, which is in chain 4 already"),
        (cas(chain(4, 2), chain(5, 2), link(2, 0, 2)), "chain 5 has the link 2, which is in chain 4 already"),
        (cas(chain(4, 2), link(2, 0, 99)), "link 2 goes from 0 to 99; expected offsets with begin <= end <= 24"),
        (cas(chain(4, 2), link(2, -1, 2)), "link 2 goes from -1 to 2; expected offsets"),
        (cas(chain(4, 2), link(2, 0, 10**30)), "link 2 goes from 0 to 1000"),
        (cas(chain(4, 2), link(2, True, 2)), "chain 4 has the link 2, which is none of the file"),
        (cas(chain(4, 2), link(2, 0, 2) | {"@sofa": 8}), "link 2 is in the sofa '8'; expected one with a sofaString"),
        ('{"%TYPES": {}, "%FEATURE_STRUCTURES": []}', "has no Sofa with a sofaString"),
        ('{"%TYPES": {}, "%FEATURE_STRUCTURES": {}}', "has no list of %FEATURE_STRUCTURES"),
        ('{"%TYPES": {}, ', "is not JSON"),
        ('{"%TYPES": ' + "[" * 100_000, "is not JSON that can be read"),
        (cas({"%ID": 7}), 'found {"%ID": 7}; expected a feature structure'),
    ],
)
def test_a_fault_names_the_problem(text, problem):
    with pytest.raises(FormatError, match=f"^x(:[0-9]+)?: {re.escape(problem)}"):
        read_text(text, "uima")
    assert faults_of(text, "uima")


def test_two_sofas_of_one_name_are_a_fault():
    other = {"%ID": 9, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "It"}
    text = cas(other, chain(4, 2), link(2, 0, 2), chain(5, 3), link(3, 0, 2) | {"@sofa": 9})
    with pytest.raises(FormatError, match="document '_InitialView' appears twice"):
        read_text(text)


def span(number, begin, end, type_="webanno.custom.Span"):
    return {"%ID": number, "%TYPE": type_, "@sofa": 1, "begin": begin, "end": end}


def relation(number, dependent, governor, type_="webanno.custom.Coref", **more):
    return {"%ID": number, "%TYPE": type_, "@sofa": 1, "@Dependent": dependent, "@Governor": governor, **more}


SPANS = span(2, 0, 2), span(3, 8, 15), span(4, 17, 20), span(5, 17, 24)


def test_relations_of_layers_of_one_s_own_make_entities_of_all_spans_of_theirs():
    corpus = read_text(cas(*SPANS, relation(8, 3, 2), relation(9, 4, 3, value="coreference")))
    assert entities_of(corpus) == {"#1": {"2": [(0, 1), (2, 3), (4, 5)], "5": [(4, 6)]}}


def test_of_tokens_only_those_are_mentions_that_are_related():
    tokens = [span(n, a, b, "a.type.Token") for n, (a, b) in enumerate([(0, 2), (3, 7), (8, 15)], start=2)]
    assert entities_of(read_text(cas(*tokens, relation(8, 4, 2)))) == {"#1": {"2": [(0, 1), (2, 3)]}}


@pytest.mark.parametrize(("more", "entities"), [({"k": "coref"}, 1), ({"k": "Identity", "n": "1"}, 1), ({"k": "part"}, 0)])
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_a_feature_of_a_relation_may_name_it(more, entities):
    assert len(read_text(cas(*SPANS[:2], relation(8, 3, 2, "webanno.custom.Link2", **more))).entity_ids) == entities


def test_chains_and_relations_may_be_in_one_file():
    text = cas(chain(6, 7), link(7, 0, 2), *SPANS[1:3], relation(8, 4, 3))
    assert entities_of(read_text(text)) == {"#1": {"6": [(0, 1)], "3": [(2, 3), (4, 5)]}}


def test_the_id_of_xml_is_not_that_of_a_feature():
    span = '<custom:Span xmi:id="{}" id="x" sofa="1" begin="{}" end="{}"/>'
    spans = span.format(30, 3, 5) + span.format(31, 20, 23)
    text = XMI.replace("<cas:Sofa", f'{spans}<custom:Coref xmi:id="32" id="x" Dependent="31" Governor="30"/><cas:Sofa')
    corpus = read_text(text.replace("xmlns:cas", 'xmlns:custom="http:///webanno/custom.ecore" xmlns:cas', 1))
    assert entities_of(corpus)["#1"]["30"] == [(1, 2), (5, 6)]


@pytest.mark.parametrize(
    ("structures", "problem"),
    [
        ((relation(8, 3, 77),), "relation 8 is with '77'; expected the id of an annotation with begin and end"),
        ((relation(8, 3, 2), span(9, 6, 5)), "mention 9 goes from 6 to 5; expected offsets with begin <= end <= 24"),
    ],
)
def test_a_fault_of_a_relation_names_it(structures, problem):
    with pytest.raises(FormatError, match=f"^x: {re.escape(problem)}"):
        read_text(cas(*SPANS, *structures))
