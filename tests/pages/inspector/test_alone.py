"""One annotation without a response: its entities, types, heads, empty nodes, bridging and split antecedents."""

import pytest

from referee import inspect
from referee.basics.exceptions import OptionError
from referee.corpus.builder import CorpusBuilder
from tests.pages.inspector.test_export import exported
from tests.support.command import referee
from tests.support.paths import EXAMPLES

WORDS = ["Ann", "met", "Tom", ".", "They", "saw", "the", "house", "and", "_", "the", "door", "."]


@pytest.fixture(scope="module")
def story():
    builder = CorpusBuilder("story")
    for name in ("one", "two"):
        builder.document(name, WORDS, [0, 4])
        builder.empty_node(9, 1, 1)
        builder.mention(0, 1, f"{name}-ann", "person", head=0, mention_type="name")
        builder.mention(2, 3, f"{name}-tom", "person", head=2, mention_type="name")
        builder.mention(4, 5, f"{name}-they", mention_type="pronoun")
        house = builder.mention(6, 8, f"{name}-house", "place", head=7, mention_type="nominal")
        builder.mention(9, 10, f"{name}-they")
        builder.bridge(builder.mention(10, 12, f"{name}-door", "object", head=11, mention_type="nominal"), house, "part")
    corpus = builder.corpus()
    number = {corpus.entity_ids[n]: n for n in range(len(corpus.entity_ids))}
    pairs = [(number[f"{name}-they"], number[f"{name}-{who}"]) for name in ("one", "two") for who in ("ann", "tom")]
    for pair in pairs:
        builder.split_antecedent(*pair)
    return inspect(builder.corpus())


def test_the_overview_says_what_there_is(open_page, story):
    p = open_page(story)
    (said,) = p.texts(".lede p:last-child")
    assert said.startswith("12 mentions of 10 entities in 2 documents with 26 tokens. 8 of the entities are singletons. ")
    rows = {row.split("\t")[0]: row.split("\t")[1] for row in p.texts(".kinds tbody tr")}
    assert rows == {"person": "4", "place": "2", "object": "2", "unknown": "2"} | {
        "name": "4", "nominal": "4", "pronoun": "2", "zero": "2",
    }  # fmt: skip
    assert p.texts(".documents tbody tr")[0].split("\t") == ["one", "13", "6", "5", "4"]
    p.page.click("[data-document='1']")
    p.page.wait_for_selector(".text .piece")
    assert p.texts("[role=tab]:visible") == ["Entities"]
    assert not p.page.is_visible(".entities.R")


def test_an_entity_is_read_with_its_types_and_heads(open_page, story):
    p = open_page(story, "#doc=one&entity=E3")
    p.page.wait_for_selector(".members")
    assert p.page.inner_text(".card .about") == "entity with 2 mentions, entity id one-they"
    assert p.texts(".members .words") == ["They", "∅"]
    assert p.texts(".members .there") == ["pronoun", "zero"]
    p.page.click("[data-name=E4]")
    p.page.wait_for_selector("[data-name=E4].selected")
    assert p.page.inner_text(".card .about") == "entity with 1 mention, entity type place, entity id one-house"
    assert p.texts(".members .there") == ["nominal · head “house”"]
    p.page.select_option("[data-filter=entityType]", "person")
    p.page.wait_for_selector("[data-name=E5]", state="detached")
    assert set(p.texts(".entity .name")) == {"E1", "E2", "E4"}  # the selected one stays
    assert p.hash == "#doc=one&entity=E4&class=person"


def test_heads_empty_nodes_and_relations_are_shown_on_demand(open_page, story):
    p = open_page(story, "#doc=one")
    p.page.wait_for_selector(".text .empty-node")
    assert p.texts(".text .head") == p.texts(".text .relation") == []
    p.page.click("[data-layer=heads]")
    p.page.wait_for_selector(".text .head")
    assert p.texts(".text .head") == ["Ann", "Tom", "house", "door"]
    p.page.click("[data-layer=relations]")
    p.page.wait_for_selector(".text .relation")
    assert p.texts(".text .relation") == ["= E1 + E2", "→ E4"]
    p.page.click("[data-layer=noEmptyNodes]")
    p.page.wait_for_selector(".text .empty-node", state="hidden")
    assert p.hash == "#doc=one&show=heads+relations&hide=empty"
    p.page.click(".relation >> text=→ E4")
    p.page.wait_for_selector("[data-name=E4].selected")
    assert "the door" in p.page.inner_text(".card .relations")
    assert p.page.get_attribute(".relation >> nth=1", "aria-label") == "the door: bridging (part): the house, → E4"
    p.page.hover("[aria-label^='the door']")
    p.page.wait_for_selector(".tooltip:not([hidden])")
    assert "bridging (part): E4 “the house”" in p.page.inner_text(".tooltip")


def test_a_document_is_a_page_of_its_own(open_page, story, tmp_path):
    p = open_page(story, "#doc=two&entity=E3")
    p.page.wait_for_selector(".members")
    _, content = exported(p, "page")
    (tmp_path / "own.html").write_bytes(content)
    p.page.goto((tmp_path / "own.html").as_uri() + "#overview=")
    p.page.evaluate("window.reloads = 1")
    p.page.wait_for_selector(".lede")
    assert p.texts(".lede p:last-child")[0].startswith("6 mentions of 5 entities in 1 document with 13 tokens.")


@pytest.mark.parametrize("arguments", [("--metrics", "muc"), ("--match", "head"), ("--response-format", "conll")])
def test_what_is_about_a_response_needs_one(arguments):
    done = referee("inspect", EXAMPLES / "key.conll", *arguments, "-o", "-")
    assert (done.status, done.out, len(done.errors)) == (2, "", 1)
    assert f"found {arguments[0]} without a response" in done.errors[0]
    with pytest.raises(OptionError, match="found singletons without a response"):
        inspect([["a"]], singletons="drop")


def test_a_key_without_mentions_or_documents_is_a_page(open_page):
    builder = CorpusBuilder()
    builder.document("empty", ["a"], [0])
    builder.document("none", [])
    p = open_page(inspect(builder.corpus()), "#doc=empty")
    assert "a" in p.page.text_content(".text")
    open_page(inspect(builder.corpus()), "#doc=none")
    open_page(inspect([]))
