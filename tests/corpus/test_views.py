"""Documents, entities and mentions as people see them."""

import pickle

import pytest

from referee.basics.exceptions import OptionError, UnknownNameError
from referee.corpus.builder import CorpusBuilder
from referee.inputs.plain import corpus_of_plain as corpus_of


def tale():
    builder = CorpusBuilder("tale.conllu")
    builder.document(
        "tale", ["The", "keeper", "saw", "a", "ship", ";", "_", "waved", "and", "turned", "the", "light", "on"], [0, 6]
    )
    builder.empty_node(6, 1, 1)
    builder.mention(0, 2, "K1", "person", head=1, mention_type="nominal")
    builder.mention(3, 5, "S1", "thing", head=4, mention_type="nominal")
    builder.mention(6, 7, "K1", "person", head=6)
    builder.mention(0, 0, "T1", spans=[(9, 10), (12, 13)])
    builder.document("empty", [], [])
    return builder.corpus()


CORPUS = tale()
DOCUMENT = CORPUS.documents["tale"]
KEEPER, SHIP, ZERO, TURN = DOCUMENT.mentions


def test_a_mention_says_what_is_known_of_it():
    assert (KEEPER.text, KEEPER.tokens, KEEPER.start, KEEPER.end, KEEPER.spans) == (
        "The keeper", ["The", "keeper"], 0, 2, ((0, 2),),
    )  # fmt: skip
    assert (KEEPER.head, KEEPER.mention_type, KEEPER.entity_type, KEEPER.is_zero, KEEPER.index) == (
        1, "nominal", "person", False, 0,
    )  # fmt: skip
    assert (KEEPER.entity.id, KEEPER.document.name) == ("K1", "tale")


def test_a_zero_is_of_the_type_zero():
    assert (ZERO.is_zero, ZERO.mention_type, ZERO.text) == (True, "zero", "_")


def test_a_discontinuous_mention_shows_the_words_of_its_spans():
    assert (TURN.start, TURN.end, TURN.spans) == (9, 13, ((9, 10), (12, 13)))
    assert (TURN.text, TURN.tokens) == ("turned … on", ["turned", "on"])


def test_what_is_unknown_is_none_or_empty():
    assert (TURN.head, TURN.mention_type, TURN.entity_type) == (None, "", "")
    lone = corpus_of([{(0, 2)}]).documents["#1"].mentions[0]
    assert (lone.text, lone.tokens, lone.head, lone.entity.type) == ("", [], None, "")


def test_an_entity_has_its_mentions_in_the_order_of_the_text():
    keeper = KEEPER.entity
    assert (keeper.id, keeper.type, keeper.size, len(keeper)) == ("K1", "person", 2, 2)
    assert [mention.type for mention in keeper] == [mention.mention_type for mention in keeper]
    assert keeper.mentions == list(keeper) == [KEEPER, ZERO]
    assert keeper.document == DOCUMENT
    assert [entity.mentions for entity in DOCUMENT.entities] == [[KEEPER, ZERO], [SHIP], [TURN]]


def test_a_document_has_its_words_and_sentences():
    assert (DOCUMENT.name, len(DOCUMENT.tokens), list(DOCUMENT.sentences)) == ("tale", 13, [0, 6])
    assert DOCUMENT.tokens[:2] == ["The", "keeper"]
    empty = CORPUS.documents["empty"]
    assert (list(empty.tokens), empty.mentions, empty.entities) == ([], [], [])


def test_a_corpus_is_a_collection_of_its_documents():
    assert [document.name for document in CORPUS] == ["tale", "empty"]
    assert (len(CORPUS), CORPUS["tale"], next(iter(CORPUS))) == (2, DOCUMENT, DOCUMENT)
    assert CORPUS._ipython_key_completions_() == ["tale", "empty"]
    for inside, outside in (("tale", "Tale"), (DOCUMENT, tale()["tale"])):
        assert inside in CORPUS
        assert outside not in CORPUS
    with pytest.raises(KeyError, match=r"^no document named 'tael'; did you mean tale\?$"):
        CORPUS["tael"]
    assert (repr(CORPUS), tale() == CORPUS) == ("Corpus(tale.conllu: 2 documents, 4 mentions, 3 entities)", True)


def test_a_part_of_a_corpus_names_no_mention():
    for values in ([[CORPUS]], [list(CORPUS)], [DOCUMENT.entities], [DOCUMENT.mentions]):
        with pytest.raises(OptionError, match=r"of a Corpus; expected the Corpus, or spans: \(mention.start, mention.end\)$"):
            corpus_of(values)


def test_views_show_their_words():
    assert repr(KEEPER) == "Mention('The keeper' 0:2 of K1)"
    assert repr(TURN) == "Mention('turned … on' 9:10,12:13 of T1)"
    assert repr(KEEPER.entity) == "Entity('K1': 'The keeper', '_')"
    assert repr(DOCUMENT) == "Document('tale': 13 tokens, 4 mentions, 3 entities)"
    assert repr(CORPUS.documents) == "Documents(2 documents: tale, empty)"
    spans = corpus_of([{(0, 2), (3, 4)}]).documents["#1"]
    assert repr(spans.mentions[0]) == "Mention(0:2 of 0)"
    assert repr(spans.entities[0]) == "Entity('0': 2 mentions)"
    items = corpus_of([set("abcde")]).documents["#1"]
    assert repr(items.mentions[0]) == "Mention('a' of 0)"
    assert repr(items.entities[0]) == "Entity('0': 'a', 'b', 'c', … 5 mentions)"


def test_views_are_equal_if_they_are_of_one_row_of_one_corpus():
    again = CORPUS.documents["tale"].entities[0].mentions[0]
    assert again == KEEPER
    assert again is not KEEPER
    assert len({KEEPER, again, SHIP, KEEPER.entity, DOCUMENT}) == 4
    assert KEEPER != SHIP
    assert KEEPER.entity != KEEPER
    assert tale().documents["tale"].mentions[0] != KEEPER


def test_views_of_one_corpus_are_ordered_as_in_the_text():
    assert sorted([TURN, KEEPER, ZERO, SHIP]) == [KEEPER, SHIP, ZERO, TURN]
    assert KEEPER.entity < SHIP.entity <= SHIP.entity
    assert CORPUS.documents["empty"] > DOCUMENT
    with pytest.raises(TypeError):
        _ = tale().documents["tale"].mentions[0] > KEEPER
    with pytest.raises(TypeError):
        _ = SHIP.entity > KEEPER


def test_a_mention_is_no_sequence():
    with pytest.raises(TypeError):
        len(KEEPER)
    with pytest.raises(TypeError):
        KEEPER[0]


def test_documents_are_a_mapping_in_order():
    documents = CORPUS.documents
    assert (list(documents), len(documents), "tale" in documents, "tail" in documents) == (["tale", "empty"], 2, True, False)
    assert documents.get("tail") is None


def test_an_unknown_document_is_a_key_error_with_a_hint():
    with pytest.raises(KeyError) as error:
        CORPUS.documents["tail"]
    assert isinstance(error.value, UnknownNameError)
    assert str(error.value) == "no document named 'tail'; did you mean tale?"
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)  # as from another process
