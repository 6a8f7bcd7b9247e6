"""Edit: what is done to the key on the page is what `referee correct` puts into its file."""

import json

import pytest

from referee import correct, inspect, read
from referee.cli.main import main
from tests.support.browsers import once_is_enough
from tests.support.edited_pages import edited_in_browser, entities_of, saved
from tests.support.paths import EXAMPLES


def test_random_edits_become_the_key_that_the_page_showed(open_page, tmp_path, browser):
    once_is_enough(browser, again=False)
    key, path, shown = edited_in_browser(open_page, tmp_path, "jsonlines", documents=50, steps=4, seed=1, ending=".jsonlines")
    result = correct(key, path)
    assert entities_of(result.corpus) == shown
    result.write(tmp_path / "new.jsonlines")
    assert entities_of(read(tmp_path / "new.jsonlines")) == shown
    assert len(result.listing().rows) > 50


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A key and a response of one document, and their page."""
    folder = tmp_path_factory.mktemp("edit")
    for name in ("key", "response"):
        (folder / f"{name}.conll").write_bytes((EXAMPLES / f"{name}.conll").read_bytes())
    return folder / "key.conll", inspect(folder / "key.conll", folder / "response.conll")


def said(page):
    return page.page.inner_text(".edit-bar .said")


def progress(page):
    return page.page.inner_text(".edit-bar .progress")


def mentions(page, entity):
    """The mentions of an entity of the key, as its row shows them."""
    return page.texts(f".entities.K .entity[data-name={entity}] .mentions bdi")


def save(page, folder):
    name, path = saved(page, folder)
    assert name == "key.corrections.json"
    return path


def press(page, *keys):
    for key in keys:
        page.page.keyboard.press(key)
        page.page.wait_for_timeout(30)


def test_by_keys_alone_errors_are_settled_undone_and_saved(open_page, files, tmp_path):
    key, inspection = files
    page = open_page(inspection, "#doc=lighthouse")
    press(page, "e")
    assert progress(page).startswith("0 of 9 errors settled, 0 % of their cost")
    before = mentions(page, "K1")
    press(page, "n", "v")
    assert progress(page).startswith("1 of 9 errors settled, ")
    assert said(page).startswith("Version of the response taken: “the keeper” from K1 to")
    assert mentions(page, "K10") == ["the keeper", "Her"]
    press(page, "u")
    assert mentions(page, "K1") == before
    assert said(page).startswith("Undone: ")
    press(page, "U", "n", "y")
    assert progress(page).startswith("2 of 9 errors settled, ")
    press(page, "n", "0")
    page.page.locator(".edit-bar .question input").fill("K5")
    press(page, "Enter", "c")
    page.page.locator(".edit-bar .question input").fill("see 3.2")
    press(page, "Enter", "z")
    assert said(page) == "The document is done."
    path = save(page, tmp_path)
    document = json.loads(path.read_text())["documents"]["lighthouse"]
    assert document["done"] is True
    assert [change["op"] for change in document["changes"]] == ["move", "move", "move", "comment"]
    corrected = correct(key, path).corpus["lighthouse"]
    texts = [[mention.text for mention in entity] for entity in corrected.entities]
    assert ["the keeper", "Her"] in texts
    assert len(texts) == len(inspection.evaluations[0].key["lighthouse"].entities) + 1


def test_nothing_is_lost_without_saving_and_a_file_is_opened_again(open_page, files, tmp_path, browser):
    once_is_enough(browser, again=False)
    _, inspection = files
    page = open_page(inspection, "#doc=lighthouse")
    press(page, "e", "n", "v", "n", "v")
    shown = [mentions(page, f"K{n}") for n in range(1, 12)]
    path = save(page, tmp_path)
    page.page.evaluate("window.reloads = 1")
    page.page.reload()
    page.ready()
    page.page.evaluate("window.reloads = 1")
    assert [mentions(page, f"K{n}") for n in range(1, 12)] == shown
    assert page.page.inner_text(".chip.edit") == "Edit 3"
    page.page.evaluate("localStorage.clear()")
    page.page.reload()
    page.ready()
    page.page.evaluate("window.reloads = 2")
    assert page.page.inner_text(".chip.edit") == "Edit"
    press(page, "e")
    page.page.click("[data-view=corrections]")
    page.page.locator("input[type=file]").set_input_files(path)
    page.page.wait_for_selector(".chip.edit:has-text('3')")
    assert said(page) == "3 of 3 changes were made."
    page.page.click("[data-view=entities]")
    assert [mentions(page, f"K{n}") for n in range(1, 12)] == shown
    changed = json.loads(path.read_text())
    changed["key"]["digest"] = "0" * 16 + "-" + "0" * 16
    path.write_text(json.dumps(changed))
    page.page.click("[data-view=corrections]")
    page.page.locator("input[type=file]").set_input_files(path)
    page.page.wait_for_selector(".said:has-text('another key')")


@pytest.mark.parametrize(("key", "is_dashed"), [("y", True), ("v", False)])
def test_an_error_that_is_settled_for_the_key_is_drawn_as_different_still(open_page, files, key, is_dashed):
    """The key is right: nothing is to be done, but the response has the mention elsewhere; taken from it, it is the same."""
    _, inspection = files
    page = open_page(inspection, "#doc=lighthouse")
    line = """() => [...document.querySelectorAll(".piece")].find((piece) => piece.textContent.includes("keeper")
        && piece.style.backgroundImage).style.backgroundImage.startsWith("repeating")"""
    press(page, "e", "n")
    assert page.page.evaluate(line)
    press(page, key)
    assert progress(page).startswith("1 of 9 errors settled")
    assert page.page.evaluate(line) == is_dashed


def test_changes_of_somebody_else_are_added_only_if_that_is_wanted(open_page, files, tmp_path, browser):
    once_is_enough(browser, again=False)
    _, inspection = files
    page = open_page(inspection, "#doc=lighthouse")
    press(page, "e", "n", "v")
    path = save(page, tmp_path)
    file = json.loads(path.read_text())
    path.write_text(json.dumps({**file, "by": "Ben"}))
    press(page, "u")
    page.page.evaluate("localStorage.clear()")
    press(page, "n", "n", "v")
    page.page.click("[data-view=corrections]")
    page.page.locator("input[type=file]").set_input_files(path)
    page.page.wait_for_selector(".said:has-text('corrections by Ben')")
    assert said(page) == "These are corrections by Ben. Yours have no name. Open the file again to add them to yours."
    assert page.page.inner_text(".chip.edit") == "Edit 1"
    page.page.locator("input[type=file]").set_input_files(path)
    page.page.wait_for_selector(".said:has-text('changes by Ben were made')")
    assert int(page.page.inner_text(".chip.edit").split()[1]) > 1
    assert page.page.input_value(".chips input") == ""


@pytest.mark.parametrize(
    "change", [1, {"op": "move"}, {"op": "fly"}, {"op": "remove", "mention": {"spans": [[5]]}, "from": "1"}]
)
def test_what_is_no_change_is_not_made_and_the_page_opens(open_page, files, tmp_path, browser, change):
    once_is_enough(browser, again=False)
    _, inspection = files
    page = open_page(inspection, "#doc=lighthouse")
    digest = inspection.corrects["corrects"]["digest"]
    file = {"corrections": 1, "key": {"name": "k", "digest": digest}, "documents": {"lighthouse": {"changes": [change]}}}
    (tmp_path / "x.json").write_text(json.dumps(file))
    press(page, "e")
    page.page.click("[data-view=corrections]")
    page.page.locator("input[type=file]").set_input_files(tmp_path / "x.json")
    page.page.wait_for_selector(".said:has-text('0 of 1 changes were made')")
    stored = {"documents": {"lighthouse": {"steps": [[change]], "at": 1, "done": False}}}
    page.page.evaluate("item => localStorage.setItem(...item)", [f"referee {digest}", json.dumps(stored)])
    page.page.reload()
    page.ready()
    page.page.evaluate("window.reloads = 1")
    assert page.page.inner_text(".chip.edit") == "Edit"


def test_by_the_mouse_words_are_added_and_mentions_moved_by_a_click_or_a_drag(open_page, files, browser):
    once_is_enough(browser, again=False)
    _, inspection = files
    page = open_page(inspection, "#doc=lighthouse")
    page.page.click(".chip.edit")
    page.page.locator(".piece:has-text('rowed')").first.dblclick(position={"x": 20, "y": 10})
    page.page.click("[data-act=add]")
    assert said(page) == "“rowed” added to a new entity."
    name = page.page.locator(".entity.selected").get_attribute("data-name")
    assert mentions(page, name) == ["rowed"]
    page.page.click("[data-act='move to …']")
    page.page.click(".entities.K .entity[data-name=K6]")
    assert "rowed" in mentions(page, "K6")
    page.page.drag_and_drop(".piece[draggable=true]", ".entities.K .entity[data-name=K9]")
    assert "rowed" in mentions(page, "K9")
    assert "rowed" not in mentions(page, "K6")
    page.page.click("[data-filter=onlyChanged]")
    assert [row.get_attribute("data-name") for row in page.page.query_selector_all(".entities.K .entity")] == ["K9"]
    assert page.page.locator(".piece.edited").inner_text() == "rowed"


def test_a_page_that_is_of_no_file_cannot_be_edited(open_page, browser):
    once_is_enough(browser, again=False)
    page = open_page(inspect([["a", "b"]], [["a"], ["b"]]))
    press(page, "e")
    assert page.page.locator(".chip.edit").count() == 0
    assert page.page.locator(".edit-bar:not([hidden])").count() == 0


def test_of_several_annotators_the_version_of_each_is_one_key(open_page, tmp_path, browser):
    once_is_enough(browser, again=False)
    words = ["Ann", "saw", "Bob", "and", "she", "left", "him", "."]
    clusters = {  # of Ann 0, Bob 2, she 4, him 6
        "kim": [[[0, 0], [4, 4]], [[2, 2]]],
        "rob": [[[0, 0], [4, 4]], [[2, 2], [6, 6]]],
        "sue": [[[0, 0]], [[2, 2], [4, 4], [6, 6]]],
    }
    for name, value in clusters.items():
        document = {"doc_key": "d", "sentences": [words], "clusters": value}
        (tmp_path / f"{name}.jsonlines").write_text(json.dumps(document) + "\n")
    files = [str(tmp_path / f"{name}.jsonlines") for name in clusters]
    assert main(["agree", *files, "--page", str(tmp_path / "page.html"), "-o", str(tmp_path / "agree.txt")]) == 0
    page = open_page(Written(tmp_path / "page.html"), "#doc=d&view=annotators")
    press(page, "e")
    page.page.locator(".placements .error:has-text('him')").click()
    press(page, "B")  # which Kim has not marked
    assert said(page) == "Version of rob taken: “him” added to A1."
    page.page.locator(".placements .error:has-text('she')").click()
    press(page, "C")
    assert said(page) == "Version of sue taken: “she” from A0 to A1."
    press(page, "B")
    assert said(page) == "Version of rob taken: “she” from A1 to A0."
    path = saved(page, tmp_path)[1]
    assert entities_of(correct(files[0], path).corpus, key=str) == [[["Ann", "she"], ["Bob", "him"]]]


class Written:
    """A page that is written already."""

    def __init__(self, path):
        self.path = path

    def save(self, path):
        path.write_bytes(self.path.read_bytes())


def test_a_key_that_is_not_shown_whole_cannot_be_edited_and_the_page_says_why(open_page, files, browser):
    once_is_enough(browser, again=False)
    key, _ = files
    page = open_page(inspect(key, key, singletons="drop"))
    press(page, "e")
    assert page.page.locator(".edit-bar:not([hidden])").count() == 0
    assert page.page.is_disabled(".chip.edit")
    assert "without some of its mentions" in page.page.get_attribute(".chip.edit", "title")
