"""The address of a view has all that was chosen: order, filters, search. Whoever gets the link sees the same."""

import pytest

from referee import inspect


def test_order_filters_and_search_are_in_the_address(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    p.page.select_option("[data-filter=order]", "text")
    p.page.select_option("[data-filter=kind]", label="split (1)")
    p.page.select_option("[data-filter=size]", "3")
    p.page.fill("[type=search]", "keeper")
    p.page.wait_for_selector(".hit")
    assert p.hash == "#doc=lighthouse&order=text&errors=split&size=3&q=keeper"
    shown, heads = p.texts(".entities .name"), p.texts(".heads h2")
    p.page.click("#tab-errors")
    p.page.select_option("[data-filter=metric]", "muc")
    assert p.hash == "#doc=lighthouse&view=errors&order=text&errors=split&size=3&cost=muc&q=keeper"

    other = open_page(one, "#doc=lighthouse&order=text&errors=split&size=3&q=keeper")
    other.page.wait_for_selector(".hit")
    assert (other.texts(".entities .name"), other.texts(".heads h2")) == (shown, heads)
    assert other.page.input_value("[data-filter=kind]") == p.page.input_value("[data-filter=kind]")
    assert other.page.input_value("[type=search]") == "keeper"
    assert other.page.inner_text(".found") == p.page.inner_text(".found") == "1"


def test_the_way_back_leads_to_the_filters_of_then(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    p.page.select_option("[data-filter=size]", "5")
    p.page.click("#tab-errors")
    p.page.wait_for_selector(".errors .error")
    p.page.select_option("[data-filter=size]", "1")
    p.page.go_back()
    p.until("document.querySelector('[data-filter=size]').value == '5'")
    assert p.hash == "#doc=lighthouse&size=5"
    assert p.texts(".entities.K .name") == ["K1"]


def test_the_order_of_the_documents_is_in_the_address(open_page, one):
    p = open_page(one)
    p.page.click(".documents thead >> text=Errors")
    assert p.hash == "#sort=-%23errors"
    p.page.select_option(".another select", "v_measure")
    assert p.hash == "#sort=v_measure"
    order = p.texts(".documents tbody th")
    other = open_page(one, "#sort=v_measure")
    assert other.texts(".documents tbody th") == order
    assert other.page.input_value(".another select") == "v_measure"


@pytest.mark.parametrize(
    "place", ["#order=__proto__&size=-1&errors=x&type=x&cost=x&sort=constructor", "#doc=lighthouse&size=99999&errors=nothing"]
)
def test_filters_that_make_no_sense_are_none(open_page, one, place):
    assert open_page(one, place).page.locator("main").is_visible()


def test_a_document_is_found_without_the_number_of_its_only_part(open_page, one):
    p = open_page(one, "#doc=lighthouse_0")
    p.page.wait_for_selector(".text .piece")
    assert p.page.title().startswith("lighthouse")


def test_documents_are_searched_and_opened(open_page):
    names = [f"{kind}_{n}" for kind in ("news", "whow", "fiction") for n in range(60)]
    p = open_page(inspect({name: [["a", "b"]] for name in names}, {name: [["a"], ["b"]] for name in names}))
    p.page.keyboard.press("/")
    p.page.keyboard.type("whow_1")
    p.until("document.querySelector('.found').textContent == '11 of 180 documents'")
    assert p.page.get_attribute(".found", "role") == "status"  # it is announced
    assert p.page.locator(".documents tbody th").first.is_visible()
    box = p.page.locator(".documents tbody th").first.bounding_box()
    assert box["y"] + box["height"] < 860  # in sight
    assert p.hash == "#q=whow_1"
    p.page.keyboard.press("Enter")
    p.page.wait_for_selector(".text .piece")
    assert p.hash == "#doc=whow_1"
    p.page.keyboard.press("ArrowDown")
    p.until("location.hash == '#doc=whow_1&entity=K1'")


def test_headings_stay_in_sight(open_page):
    names = [str(n) for n in range(100)]
    p = open_page(inspect({name: [["a", "b"]] for name in names}, {name: [["a"], ["b"]] for name in names}))
    p.page.evaluate("document.querySelector('.overview [data-document=\"60\"]').scrollIntoView({block: 'center'})")
    top = p.page.locator(".overview").bounding_box()["y"]
    assert abs(p.page.locator(".documents thead").bounding_box()["y"] - top) < 2
