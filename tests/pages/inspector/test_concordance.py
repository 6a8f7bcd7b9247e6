"""The errors of all documents: one line each, with the words around it, by cost."""

import json
import re

import pytest

from referee import inspect
from referee.corpus.builder import CorpusBuilder
from referee.pages.inspector.overview import corpus_errors
from referee.pages.inspector.packing import json_of
from referee.pages.inspector.response import ScoredResponse


@pytest.fixture(scope="module")
def three():
    """Three documents: in "a" a missed mention, in "b" nothing wrong, in "c" a split and a spurious mention."""
    words = ["Ann", "saw", "the", "old", "dog", "and", "it", "barked", "at", "her"]
    key = {"a": {"Ann": [(0, 1), (9, 10)], "dog": [(2, 5), (6, 7)]}}
    key |= {"b": key["a"], "c": key["a"]}
    response = {"a": {"Ann": [(0, 1)], "dog": [(2, 5), (6, 7)]}, "b": key["b"]}
    response["c"] = {"Ann": [(0, 1), (9, 10)], "dog": [(2, 5)], "it": [(6, 7), (7, 8)]}
    sides = []
    for documents in (key, response):
        builder = CorpusBuilder()
        for name, entities in documents.items():
            builder.document(name, words, [0])
            for label, spans in entities.items():
                for start, end in spans:
                    kind = "pronoun" if end == start + 1 and start in (6, 9) else "nominal"
                    builder.mention(start, end, label, mention_type=kind)
        sides.append(builder.corpus())
    return inspect(*sides)


def test_the_overview_leads_to_errors_by_kind_type_and_size_and_by_keys_to_documents(open_page, three):
    p = open_page(three)
    p.page.click(".kinds [data-kind=missed] button")
    p.page.wait_for_selector(".concordance .kwic b")
    assert p.hash == "#view=errors&errors=missed"
    assert [" ".join(line.split()) for line in p.texts(".concordance .kwic")] == ["Ann saw the old dog and it barked at her"]
    assert p.texts(".concordance .kwic b") == ["her"]
    assert p.texts(".concordance .error .from") == ["a"]
    p.page.click(".concordance .error")
    p.page.wait_for_selector(".members [aria-current=true]")
    assert p.hash == "#doc=a&entity=K1&mention=2"
    assert p.page.inner_text(".members [aria-current=true]") == "her"
    p.page.go_back()
    p.page.wait_for_selector(".concordance .kwic b")
    p.page.click("text=‹ overview")
    p.page.click("text=nominal")
    p.page.wait_for_selector(".concordance .kwic b")
    assert p.hash == "#view=errors&type=nominal"
    before, after, gain = map(
        float,
        re.search(
            r"If all of these were corrected: (\S+) → (\S+) \(\+(\S+)\)", p.page.inner_text(".concordance .list-head")
        ).groups(),
    )
    together = three.evaluations[0].errors().by("kind", ["conll"], mention_type="nominal").everything["conll"]
    assert (round(after - before, 2), gain) == (round(100 * together, 2),) * 2
    assert {line.split()[0] for line in p.texts(".concordance .kwic b")} == {"barked"}
    p.page.click("text=‹ overview")
    sizes = p.page.locator(".kinds", has_text="Errors by size")
    assert [row.split("\t")[:2] for row in sizes.locator("tbody tr").all_inner_texts()] == [["2 mentions", "3"]]
    sizes.locator("button").click()
    p.page.wait_for_selector(".concordance .kwic b")
    assert p.hash == "#view=errors&size=2-2"
    assert p.page.locator(".concordance .error").count() == 3
    assert p.page.input_value("[data-filter=size]") == "2-2"
    p.page.click("text=‹ overview")
    p.page.focus(".dots circle[tabindex='0']")
    name = "document.activeElement.getAttribute('aria-label')"
    names = [p.page.evaluate(name)]
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Home", "End"):
        p.page.keyboard.press(key)
        names.append(p.page.evaluate(name))
    assert [spoken.split(":")[0] for spoken in names] == ["c", "a", "b", "b", "c", "b"]
    assert p.page.locator(".dots circle[tabindex='0']").count() == 1
    p.page.keyboard.press("Enter")
    p.page.wait_for_selector(".text .piece")
    assert p.hash == "#doc=b"


def test_errors_of_all_documents_are_sorted_by_their_cost_and_filtered_by_kind_type_and_size(open_page, three):
    p = open_page(three, "#view=errors")
    p.page.wait_for_selector(".concordance .what >> nth=2")
    assert set(p.texts(".concordance .what")) == {
        "her of K1 Ann is missed",
        "it of K2 the old dog: in R3 barked; K2’s best match is R2 the old dog",  # "barked" is the nominal of R3
        "barked in R3 is spurious",
    }
    costs = [float(cost) for cost in p.texts(".concordance .cost")]
    assert costs == sorted(costs, reverse=True)
    errors = ScoredResponse(three.evaluations[0])
    expected = sorted((100 * cost for cost in errors.error_costs.corpus["conll"]), reverse=True)
    assert costs == [pytest.approx(cost, abs=0.005) for cost in expected]
    assert p.page.inner_text(".concordance .list-head p").startswith("3 errors, highest cost first")
    p.page.select_option("[data-filter=mentionType]", label="pronoun")
    assert set(p.texts(".concordance .kind")) == {"missed mention", "split"}
    assert p.page.inner_text(".concordance .list-head p").startswith("2 of 3 errors")
    assert p.hash == "#view=errors&type=pronoun"
    p.page.fill("[type=search]", "c")
    p.until("document.querySelectorAll('.concordance .error').length === 1")
    p.page.select_option("[data-filter=size]", "10")
    assert p.texts(".concordance .error") == []


def test_the_list_is_reached_and_read_with_keys(open_page, three):
    p = open_page(three, "#view=errors")
    p.page.wait_for_selector(".concordance .kwic b >> nth=2")
    p.page.focus(".concordance [role=listbox]")
    p.page.keyboard.press("ArrowDown")
    p.page.wait_for_selector(".concordance [aria-selected=true]")
    assert p.hash == "#view=errors"
    p.page.keyboard.press("Enter")
    p.page.wait_for_selector(".members [aria-current=true]")


def test_keys_of_views_lead_from_the_overview_to_them(open_page, three):
    p = open_page(three)
    p.page.keyboard.press("2")
    p.page.wait_for_selector(".concordance .kwic b")
    p.page.keyboard.press("o")
    p.page.wait_for_selector(".lede")
    p.page.keyboard.press("4")
    p.page.wait_for_selector(".scores-pane")
    assert p.hash == "#doc=a&view=scores"


def test_a_page_with_one_document_opens_its_errors(open_page):
    p = open_page(inspect([["a", "b"], ["c"]], [["a"], ["b"], ["c"]]), "#overview")
    p.page.click(".kinds [data-kind=split] button")
    p.page.wait_for_selector(".errors .error")
    assert p.hash.endswith("&view=errors&errors=split")


def test_errors_are_listed_in_the_order_of_the_documents(three):
    response = ScoredResponse(three.evaluations[0])
    orders = ["a", "b", "c"], ["c", "b", "a"]
    forth, back = (json.loads(json_of(corpus_errors(response, names))) for names in orders)
    assert sorted(forth["kind"]) == sorted(back["kind"])
    assert back["kind"] == [*forth["kind"][1:], forth["kind"][0]]
    assert forth["size"] == [2] * 3


def test_words_far_from_the_mention_are_cut(open_page):
    words = "w" * 18
    key, response = (
        [{"doc_key": name, "sentences": [[words] * 6 + ["it", "b"]], "clusters": found} for name in "ab"]
        for found in ([[[6, 6], [7, 7]]], [[[6, 6]], [[7, 7]]])
    )
    p = open_page(inspect(key, response), "#view=errors", viewport={"width": 800, "height": 700})
    p.page.wait_for_selector(".kwic b")
    cut, end = p.page.evaluate("""() => {
        const before = document.querySelector(".kwic .before");
        const [box, words] = [before, before.firstChild].map((e) => e.getBoundingClientRect());
        return [box.left - words.left, box.right - words.right];
    }""")
    assert cut > 20
    assert end == pytest.approx(0, abs=1)
