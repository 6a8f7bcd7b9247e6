"""TEI whose mentions are marked in the text: what names point at, what is text, and what is left out."""

import xml.etree.ElementTree as ET
from random import Random

import pytest

from referee import inputs
from referee.basics.exceptions import FormatError
from tests.support.reading import read_text, source_of
from tests.support.warned import recorded


def tei(body, more=""):
    return f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>{more}</teiHeader><text><body>{body}</body></text></TEI>'


def said(text):
    """What is read, and what is said of it."""
    with recorded() as caught:
        corpus = read_text(text, "tei")
    return corpus, [str(warning.message) for warning in caught]


def words(corpus):
    (document,) = corpus.documents.values()
    return {entity.id: [mention.text for mention in entity.mentions] for entity in document.entities}


@pytest.mark.parametrize("tag", ["rs", "name", "persName", "placeName", "orgName", "geogName", "objectName", "eventName"])
@pytest.mark.parametrize("pointer", ["ref", "key", "corresp", "sameAs", "prev"])
def test_names_and_referring_strings_are_of_what_they_point_at(tag, pointer):
    text = tei(
        f'<p>Then <{tag} {pointer}="#x">Ann Lee</{tag}> met <{tag} {pointer}="#y">Bob</{tag}>, <rs ref="#x">her</rs> son.</p>'
    )
    assert inputs.detect(source_of(text)) == "tei"
    assert said(text) == (read_text(text), [])
    assert words(read_text(text)) == {"x": ["Ann Lee", "her"], "y": ["Bob"]}


def test_the_type_is_that_of_the_first_mention_that_has_one():
    corpus, _ = said(tei('<p><rs ref="#x">She</rs> <persName ref="#x">Ann</persName> <rs type="dog" ref="#d">Rex</rs></p>'))
    assert dict(zip(corpus.entity_ids, corpus.entity_types or (), strict=True)) == {"x": "person", "d": "dog"}


def test_mentions_are_in_one_another_and_those_of_the_same_words_and_entity_are_one():
    inner = '<persName ref="#x"><forename>Ann</forename></persName>'
    text = tei(f'<p><rs ref="#x">{inner}</rs> <rs ref="#p">of <name ref="#r">Rye</name></rs></p>')
    corpus, warnings = said(text)
    assert words(corpus) == {"x": ["Ann"], "p": ["of Rye"], "r": ["Rye"]}
    assert warnings == ["x: took 1 name within another of the same words and entity for one mention with it"]


def test_what_points_at_a_mention_is_of_its_entity_and_such_a_mention_needs_no_pointer():
    dogs = '<rs xml:id="a">A dog</rs> <rs xml:id="b" corresp="#a">it</rs> <rs prev="#b">its</rs>'
    text = tei(f'<p>{dogs} <rs ref="#c">cat</rs></p>')
    assert words(said(text)[0]) == {"a": ["A dog", "it", "its"], "c": ["cat"]}


def test_several_pointers_are_an_entity_with_split_antecedents_and_a_warning():
    both = '<rs ref="#b #a">they</rs> <rs ref="#a #b">them</rs> <rs ref="#a #z">we</rs>'
    text = tei(f'<p><rs ref="#a">Ann</rs> <rs ref="#b">Bob</rs> {both}</p>')
    corpus, warnings = said(text)
    assert words(corpus) == {"a": ["Ann"], "b": ["Bob"], "a b": ["they", "them"], "a z": ["we"]}
    split = corpus.split_antecedents
    labels = [corpus.entity_ids[n] for n in (*split.entity.tolist(), *split.element.tolist())]
    assert sorted(zip(labels[:3], labels[3:], strict=True)) == [("a b", "a"), ("a b", "b"), ("a z", "a")]
    assert warnings == ["x: took 3 names with several pointers for mentions of entities of their own"]


def test_what_is_left_out_is_counted():
    body = (
        '<p><persName ref="#x">Ann</persName> <persName>Bob</persName> <placeName>Rye</placeName> <rs ref="#x"/> '
        '<title ref="#t">Faust</title> <choice><sic><rs ref="#x">hre</rs></sic><corr><rs ref="#x">her</rs></corr></choice></p>'
    )
    corpus, warnings = said(tei(body, more='<persName ref="#editor">Eve</persName>'))
    assert words(corpus) == {"x": ["Ann", "hre"]}
    assert warnings == [
        "x: left out 2 names without ref or key (persName, placeName)",
        "x: left out 1 name without words (rs)",
        "x: left out 1 name in further readings of choice and app (choice)",
        "x: left out 1 element with ref or key that are no names (title)",
    ]


def test_speakers_are_no_mentions():
    corpus, warnings = said(tei('<sp who="#romeo"><speaker>ROM.</speaker><l>O <rs ref="#juliet">she</rs> doth</l></sp>'))
    assert (words(corpus), warnings) == ({"juliet": ["she"]}, [])
    assert list(corpus.documents["#1"].tokens) == ["ROM", ".", "O", "she", "doth"]
    assert list(corpus.documents["#1"].sentences) == [0, 2]


def test_white_space_and_breaks_of_lines():
    name = '<persName ref="#x">\n  Mary\n <lb/>Ann\n<lb break="no"/>a </persName>'
    corpus, _ = said(tei(f"<head>One</head><p>a {name}b<pb/>c</p>\n<p>d</p>"))
    assert words(corpus) == {"x": ["Mary Anna"]}
    assert list(corpus.documents["#1"].tokens) == ["One", "a", "Mary", "Anna", "b", "c", "d"]
    assert list(corpus.documents["#1"].sentences) == [0, 1, 6]


def test_words_are_tokens_if_the_text_has_them():
    body = (
        '<s><persName ref="#x"><w>Ann</w> <w>Lee</w></persName> <w>ran</w><pc>.</pc></s>'
        '<s><w><rs ref="#x">She</rs></w> <w>fell</w> <rs ref="#y"> </rs></s>'
    )
    corpus, warnings = said(tei(body))
    assert words(corpus) == {"x": ["Ann Lee", "She"]}
    assert list(corpus.documents["#1"].sentences) == [0, 4]
    assert warnings == ["x: left out 1 name without words (rs)"]


def test_a_corpus_has_a_document_for_each_text():
    one = tei('<p><rs ref="#x">Ann</rs></p>').replace("<TEI", '<TEI xml:id="first"')
    other = tei('<p><rs ref="#x">It</rs></p>')
    corpus, _ = said(f"<teiCorpus>{one}{other}</teiCorpus>")
    assert corpus.doc_ids == ("first", "#2")
    assert len(corpus.entity_ids) == 2


def test_a_text_may_be_the_root():
    corpus, warnings = said('<text><p><rs ref="#x">Ann</rs> <rs ref="#x">she</rs></p></text>')
    assert (words(corpus), warnings) == ({"x": ["Ann", "she"]}, [])


def test_a_folder_has_a_document_for_each_file(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.xml").write_text(tei('<p><rs ref="#x">Ann</rs></p>'), encoding="utf-8")
    assert inputs.read(tmp_path).doc_ids == ("a", "b")
    assert inputs.validate(tmp_path) == []


def test_tei_without_pointers_is_no_annotation():
    with pytest.raises(FormatError, match="looks like none of"):
        read_text(tei("<p><persName>Ann</persName></p>", more='<persName ref="#x">Eve</persName>'))
    with pytest.raises(FormatError, match="has no mention; expected a standOff with spans, or names with a ref in the text"):
        read_text("<TEI><teiHeader/></TEI>", "tei")


def test_a_file_of_a_folder_may_have_no_pointers(tmp_path):
    (tmp_path / "a.xml").write_text(tei('<p><rs ref="#x">Ann</rs></p>'), encoding="utf-8")
    (tmp_path / "b.xml").write_text(tei("<p><persName>Ann</persName> came.</p>"), encoding="utf-8")
    with recorded() as caught:
        corpus = inputs.read(tmp_path)
    assert [len(document.tokens) for document in corpus.documents.values()] == [1, 3]
    assert len(corpus.document) == 1
    assert [str(warning.message).partition(": ")[2] for warning in caught] == [
        "found 1 text without mentions: no name in it has a ref or key",
        "left out 1 name without ref or key (persName)",
    ]


def _random_body(random, depth=0):
    pieces = []
    for _ in range(random.randint(1, 4)):
        kind = random.randrange(4 if depth < 3 else 2)
        if kind < 2:
            pieces.append(random.choice([" ", "\n ", ", "]).join(random.choice(["ab", "cd", "e"]) for _ in range(3)) + " ")
        else:
            pieces.append(f'<rs ref="#{random.choice("xyz")}">{_random_body(random, depth + 1)}</rs> ')
    return "".join(pieces)


def test_mentions_have_the_words_that_another_parser_finds():
    random = Random(5)
    for _ in range(200):
        text = tei(f'<p>{_random_body(random)} <rs ref="#x">z</rs></p>')
        marked = [e for e in ET.fromstring(text).iter() if e.tag.endswith("}rs")]
        corpus, _ = said(text)
        (document,) = corpus.documents.values()
        found = {(e.id, _letters(document.tokens[m.start : m.end])) for e in document.entities for m in e.mentions}
        assert found == {(e.get("ref", "")[1:], _letters(e.itertext())) for e in marked}


def _letters(pieces):
    return "".join("".join(pieces).split())
