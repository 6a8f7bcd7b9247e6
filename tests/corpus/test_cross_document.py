"""Documents joined into groups: nothing of the annotation is lost, and entities of one label are one."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given

from referee import score
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.corpus.builder import CorpusBuilder
from referee.corpus.cross_document import GROUPINGS, join_documents
from referee.corpus.layers import BEFORE
from referee.matching.matchers import match
from tests.support.annotated import rich_corpora
from tests.support.reading import entities_of, links_of, read_text
from tests.support.strategies import corpora, item_corpora

# Topic 1: two reports of one attack, in both of which "they" are the police. Topic 2: another attack, called "a" as well.
WORDS = {
    "1_a": ["Police", "report", "an", "attack", ".", "They", "left"],
    "2_a": ["Attack", "on", "Mars"],
    "1_b": ["The", "attack", "shook", "police"],
}


def builder_of(words):
    builder = CorpusBuilder("news")
    for name, tokens in words.items():
        builder.document(name, tokens, [0, 5] if len(tokens) > 5 else [0])
        if name == "1_a":
            builder.link(builder.mention(5, 6, "p", head=5), builder.mention(0, 1, "p"))
            builder.mention(0, 0, "a", "event", spans=[(1, 2), (3, 4)])
        elif name == "2_a":
            builder.mention(0, 1, "a", "event")
        else:
            attack = builder.mention(0, 2, "a", "event", head=1, minimum_span=(1, 2))
            police = builder.mention(3, 4, "p", mention_type="nominal")
            builder.link(police, police)
            builder.bridge(police, attack, "agent")
            builder.mention(2, 3, "")
            builder.split_antecedent(builder.entity("a"), builder.entity("p"))
            builder.split_antecedent(builder.entity("p"), builder.entity("p"))
    return builder


NEWS = builder_of(WORDS).corpus()


def joined(corpus, groups):
    return join_documents(corpus, corpus, groups)[0]


def test_documents_of_a_topic_stand_behind_one_another_and_labels_make_entities():
    topics = joined(NEWS, "topic")
    assert entities_of(topics) == {
        "1": {"p": [(0, 1), (5, 6), (10, 11)], "a": [(1, 4), (7, 9)], "": [(9, 10)]},
        "2": {"a": [(0, 1)]},
    }
    assert list(topics.documents["1"].tokens) == WORDS["1_a"] + WORDS["1_b"]
    assert list(topics.documents["1"].sentences) == [0, 5, 7]


def test_the_whole_corpus_may_be_one_document():
    assert entities_of(joined(NEWS, "corpus")) == {
        "corpus": {"p": [(0, 1), (5, 6), (13, 14)], "a": [(1, 4), (7, 8), (10, 12)], "": [(12, 13)]}
    }


def test_everything_moves_along():
    topics = joined(NEWS, "topic")
    rows = {
        (int(s), int(e)): m for m, (s, e) in enumerate(zip(topics.start, topics.end, strict=True)) if not topics.document[m]
    }
    assert {place: int(topics.head[m]) for place, m in rows.items() if topics.head[m] >= 0} == {(5, 6): 5, (7, 9): 8}
    assert {place: topics.minimum_span[m].tolist() for place, m in rows.items() if topics.minimum_span[m, 0] >= 0} == {
        (7, 9): [8, 9]
    }
    assert topics.spans(rows[1, 4]) == ((1, 2), (3, 4))
    assert topics.spans(rows[7, 9]) == ((7, 9),)
    assert links_of(topics) == [("They", "Police"), ("police", "police")]
    assert (topics.bridging.anaphor.tolist(), topics.bridging.antecedent.tolist()) == ([rows[10, 11]], [rows[7, 9]])
    entity = {place: int(topics.entity[m]) for place, m in rows.items()}
    assert (topics.split_antecedents.entity.tolist(), topics.split_antecedents.element.tolist()) == (
        [entity[7, 9]],
        [entity[10, 11]],
    )
    assert [(topics.entity_types or ())[e] for e in (entity[7, 9], entity[10, 11])] == ["event", ""]


def test_empty_nodes_move_along():
    builder = CorpusBuilder()
    for name in ("a", "b"):
        builder.document(name, ["_", "x", "_", "y"], [0, 3])
        builder.empty_node(0, BEFORE + 1, 0)
        builder.empty_node(2, 1, 0, "1:dep")
        builder.mention(2, 3, "z")
    one = joined(builder.corpus(), "corpus")
    assert one.empty_nodes.node.tolist() == [0, 2, 4, 6]
    assert one.empty_nodes.sentence.tolist() == [0, 0, 2, 2]
    assert one.empty_nodes.minor.tolist() == [BEFORE + 1, 1, BEFORE + 1, 1]
    assert list(one.empty_nodes.deps) == ["", "1:dep", "", "1:dep"]
    assert one.zero.all()


def test_an_entity_refers_if_it_does_in_one_document():
    builder = CorpusBuilder()
    for name, referring in (("a", False), ("b", True)):
        builder.document(name)
        builder.mention(0, 1, "1", referring=referring)
        builder.mention(2, 3, "2", referring=False)
    one = joined(builder.corpus(), "corpus")
    assert dict(zip(one.entity_ids, one.referring.tolist(), strict=True)) == {"1": True, "2": False}


def test_key_and_response_agree_in_places_even_if_one_has_fewer_words_or_none():
    words = {name: tokens[:4] for name, tokens in WORDS.items()}
    response = CorpusBuilder("short")
    bare = CorpusBuilder("bare")
    for name, tokens in words.items():
        response.document(name, tokens)
        bare.document(name)
        for builder in (response, bare):
            builder.mention(0, 1, f"{name}-0")
            if len(tokens) > 3:
                builder.mention(3, 4, f"{name}-3")
    for side in (response.corpus(), bare.corpus()):
        key, other = join_documents(NEWS, side, "topic")
        assert list(zip(other.document.tolist(), other.start.tolist(), strict=True)) == [
            (0, 0),
            (0, 3),
            (0, 7),
            (0, 10),
            (1, 0),
        ]
        assert len(match(key, other).key_mention) == 3  # "Police", "police", "Attack"
    key, other = join_documents(NEWS, response.corpus(), "topic")
    assert other.documents["1"].mentions[2].text == "The"
    assert [len(document.tokens) for document in other.documents.values()] == [len(d.tokens) for d in key.documents.values()]


def test_named_mentions_of_different_documents_stay_apart():
    table = read_text("document,item,entity\n1_a,he,x\n1_a,Bo,x\n1_b,he,x\n1_b,it,y\n")
    assert entities_of(joined(table, "topic")) == {"1": {"x": ["1_a/Bo", "1_a/he", "1_b/he"], "y": ["1_b/it"]}}


def test_a_response_that_tells_the_documents_entities_apart_misses_links_across():
    key = read_text("document,item,entity\n1_a,a,x\n1_a,b,x\n1_b,c,x\n1_b,d,x\n")
    response = read_text("document,item,entity\n1_a,a,1\n1_a,b,1\n1_b,c,2\n1_b,d,2\n")
    assert score(key, response)["muc"].recall == 1
    assert score(*join_documents(key, response, "topic"))["muc"].recall == 2 / 3


def test_an_unknown_grouping_is_named():
    with pytest.raises(UnknownNameError, match="no grouping named 'topics'; did you mean topic"):
        join_documents(NEWS, NEWS, "topics")


def test_a_group_of_too_many_tokens_is_refused():
    builder = CorpusBuilder("large")
    for name in "ab":
        builder.document(name)
        builder.mention((1 << 31) - 2, (1 << 31) - 1, "1")
    with pytest.raises(OptionError, match=r"^large: found the token offset 4294967294; expected less than 2³¹ tokens"):
        joined(builder.corpus(), "corpus")


def test_no_documents_are_no_groups():
    empty = CorpusBuilder().corpus()
    for groups in GROUPINGS:
        assert joined(empty, groups).doc_ids == ()


@given(corpus=rich_corpora())
def test_nothing_is_lost(corpus):
    """Each mention keeps its words, head and class; there are as many anaphors."""
    one = joined(corpus, "corpus")
    assert len(one.doc_ids) == min(1, len(corpus.doc_ids))
    for before, after in ((corpus, one), (corpus.deixis, one.deixis)):
        if before is None or after is None:
            assert before is after
            continue
        assert described(after) == described(before)
        assert set(after.entity_ids) == set(before.entity_ids)
        assert len(after.entity_ids) == len(set(before.entity_ids))
        assert anaphors(after) == anaphors(before)
    assert [one.text.words[0].tokens if one.text else [] for _ in one.doc_ids] == [
        list(chain.from_iterable(words.tokens for words in corpus.text.words)) if corpus.text else [] for _ in one.doc_ids
    ]


def anaphors(corpus):
    return 0 if corpus.bridging is None else len(corpus.bridging.anaphor)


def described(corpus):
    """Label, words, head, least words, class and zero of each mention, sorted."""
    classes, zero = corpus.mention_types_with_zeros, corpus.zero
    rows = []
    for m, d in enumerate(corpus.document.tolist()):
        tokens = corpus.text.words[d].tokens if corpus.text else ()
        head = -1 if corpus.head is None else int(corpus.head[m])
        low, high = (-1, -1) if corpus.minimum_span is None else corpus.minimum_span[m].tolist()
        rows.append(
            (
                corpus.entity_ids[corpus.entity[m]],
                [list(tokens[a:b]) for a, b in corpus.spans(m)],
                [] if head < 0 else [tokens[head], head - int(corpus.start[m])],
                [] if low < 0 else list(tokens[low:high]),
                int(classes[m]),
                bool(zero[m]),
            )
        )
    return sorted(rows)


@given(corpus=rich_corpora(max_documents=1))
def test_a_single_document_stays_as_it_is_but_for_its_name(corpus):
    one = joined(corpus, "corpus")
    deixis = one.deixis and replace(one.deixis, doc_ids=corpus.doc_ids)
    assert replace(one, doc_ids=corpus.doc_ids, deixis=deixis) == corpus


@given(key=corpora(text=False), every_other=item_corpora())
def test_as_many_mentions_match_as_before(key, every_other):
    for corpus in (key, every_other):
        response = corpus.select(np.arange(len(corpus.document)) % 2 == 0)
        matched = len(match(corpus, response).key_mention)
        for groups in ("topic", "corpus"):
            assert len(match(*join_documents(corpus, response, groups)).key_mention) == matched


def test_empty_nodes_of_one_side_do_not_shift_the_documents_after_them():
    def side(node):
        builder = CorpusBuilder("x")
        builder.document("1_1", ["a", *["_"] * node, "b"])
        if node:
            builder.empty_node(1, 1, 0)
        builder.mention(1 + node, 2 + node, "b")
        builder.document("1_2", ["c", "d"])
        builder.mention(0, 1, "c")
        builder.mention(1, 2, "b")
        return builder.corpus()

    for key, response in ((True, False), (False, True)):
        e = score(side(key), side(response), cross_document="topic", metrics=["mentions", "muc"])
        assert (e["mentions"].f1, e["muc"].f1) == (1, 1)
