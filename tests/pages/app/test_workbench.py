"""The page in the browsers: each verb, the digits of the command, and nothing that is sent."""

import random

import pytest

from referee import score
from referee.metrics.registry import METRICS
from tests.support.command import referee
from tests.support.paths import EXAMPLES

FILES = (EXAMPLES / "key.conll", EXAMPLES / "response.conll", EXAMPLES / "second.jsonlines")


@pytest.fixture
def loaded(workbench):
    """The page with the example files; no test may ask for anything."""
    before = len(workbench.site.requests)
    workbench.remove_all()
    workbench.add("key", FILES[0])
    workbench.add("responses", *FILES[1:])
    yield workbench
    assert workbench.site.requests[before:] == []


def test_scores_are_those_of_the_command(loaded):
    loaded.choose("score")
    loaded.page.select_option("[name='--match']", "head")
    assert loaded.page.inner_text(".run code") == "referee score key.conll response.conll second.jsonlines --match=head"
    assert loaded.run().startswith("Not done")  # these files have no heads
    assert "has no heads" in loaded.page.inner_text(".messages .error")
    loaded.page.select_option("[name='--match']", "")
    assert loaded.run().startswith("Done")
    above, header, *rows = loaded.rows()
    assert above == ["", "F1"]  # the CoNLL score is a mean of F1
    for row, response in zip(rows, FILES[1:], strict=True):
        expected = score(FILES[0], response)
        assert dict(zip(header[1:], map(float, row[1:]), strict=True)) == {
            METRICS[metric].title: round(100 * one.value, 2) for metric, one in expected.items()
        }
    assert loaded.page.evaluate("document.activeElement.className") == "results"


@pytest.mark.parametrize(
    ("verb", "shown"),
    [("compare", "second − response: "), ("errors", "span"), ("agree", "alpha (MASI) "), ("validate", "key.conll: no errors")],
)
def test_each_verb_shows_its_report(loaded, verb, shown):
    loaded.choose(verb)
    assert loaded.run().startswith("Done")
    assert shown in loaded.page.inner_text(".results")


@pytest.mark.parametrize("form", ["csv", "json", "html"])
def test_tables_are_saved_as_the_command_writes_them(loaded, form):
    loaded.choose("score")
    loaded.run()
    expected = referee("score", *(file.name for file in FILES), "-r", form, cwd=EXAMPLES)
    assert loaded.saved(f".results button:text-is('{form.upper()}')") == (f"score.{form}", expected.out)


def test_a_converted_file_is_shown_and_saved(loaded):
    loaded.choose("convert")
    loaded.page.select_option("[name='--to']", "jsonlines")
    loaded.page.check("[name='--lossy']")
    assert loaded.run().startswith("Done")
    expected = referee("convert", FILES[0], "-", "--to", "jsonlines", "--lossy").out
    assert loaded.page.text_content(".results pre") == expected
    assert loaded.saved(".results button:has-text('Save')") == ("key.jsonlines", expected)


def test_the_inspector_runs_inside(loaded):
    loaded.remove_all()
    loaded.page.click("text=Try an example")
    loaded.choose("inspect")
    assert loaded.run().startswith("Done")
    inside = loaded.page.frame_locator("iframe")
    inside.locator("[data-name=K1]").click()
    assert "selected" in (inside.locator("[data-name=K1]").get_attribute("class") or "")


def test_one_annotation_is_inspected(loaded):
    loaded.remove_all()
    loaded.add("key", FILES[0])
    loaded.choose("inspect")
    assert loaded.run().startswith("Done")
    assert loaded.page.frame_locator("iframe").locator("text=One annotation").first.inner_text()


def test_a_mistake_in_a_file_is_told_with_its_line(loaded):
    broken = {"name": "broken.conll", "mimeType": "text/plain", "buffer": b"#begin document (x); part 000\nx\t0\t0\ta\t(1\n"}
    loaded.add("responses", broken)
    loaded.choose("score")
    assert loaded.run().startswith("Not done")
    assert "broken.conll:" in loaded.page.inner_text(".messages .error")


def test_files_of_one_name_are_told_apart_and_no_name_is_an_option(loaded):
    text = FILES[1].read_bytes()
    for name in ("key.conll", "--help", "<b>.conll"):
        loaded.add("responses", {"name": name, "mimeType": "text/plain", "buffer": text})
    loaded.choose("score")
    assert loaded.run().startswith("Done")
    assert [row[0] for row in loaded.rows()[4:]] == ["key-2", "_--help", "<b>"]


def test_results_of_other_files_or_options_are_called_so(loaded):
    loaded.choose("score")
    assert loaded.run().startswith("Done")
    outdated = loaded.page.locator(".results > .error")
    assert not outdated.is_visible()
    loaded.page.click("[aria-label='Remove response.conll']")
    assert outdated.is_visible()
    assert loaded.run().startswith("Done")
    assert not outdated.is_visible()
    loaded.choose("convert")
    assert outdated.is_visible()
    loaded.page.click(".run button")
    assert loaded.says("Choose") == "Choose a format to convert to first."


def test_a_file_that_is_there_twice_is_told(loaded):
    loaded.choose("score")
    loaded.add("key", FILES[1])  # a new key replaces the old one
    assert loaded.says("response.conll").startswith("response.conll is probably here twice: found two files with one name")
    assert loaded.page.inner_text(".run code").split()[2:] == ["response.conll", "response-2.conll", "second.jsonlines"]


def large():
    """A table of 200,000 items."""
    numbers = random.Random(0)
    lines = "\n".join(f"r{n},{numbers.randrange(60_000)}" for n in range(200_000))
    return {"name": "large.csv", "mimeType": "text/csv", "buffer": f"item,entity\n{lines}\n".encode()}


def test_the_page_answers_while_python_works(loaded):
    table = large()
    loaded.remove_all()
    loaded.add("key", table)
    loaded.add("responses", table)
    loaded.choose("score")
    loaded.page.click(".run button")
    longest = loaded.page.evaluate(
        """() => new Promise((done) => {
          let last = performance.now(), longest = 0;
          const tick = () => {
            longest = Math.max(longest, performance.now() - last);
            last = performance.now();
            if (document.querySelector("[role=status]").textContent.startsWith("Done")) done(longest);
            else setTimeout(tick, 10);
          };
          tick();
        })"""
    )
    assert longest < 1000, "milliseconds"  # of a machine that does much else
    assert loaded.rows()[1][1] == "100.00"


def test_a_run_can_be_stopped(workbench):
    workbench.remove_all()
    workbench.add("key", large())
    workbench.add("responses", large())
    workbench.choose("score")
    workbench.page.fill("[name='--metrics']", "all")
    workbench.page.click(".run button")
    workbench.page.wait_for_selector("button:text-is('Stop')")  # a click would wait until nothing moves, and the run may end
    workbench.page.dispatch_event("button:text-is('Stop')", "click")
    workbench.says("Ready")
    workbench.remove_all()
    workbench.page.fill("[name='--metrics']", "")
    workbench.page.click("text=Try an example")
    assert workbench.run().startswith("Done")


def test_nothing_can_be_sent(workbench):
    places = ["https://example.org/", "http://127.0.0.1:9/"]
    refused = workbench.page.evaluate("(places) => Promise.all(places.map((to) => fetch(to).then(() => 0, () => 1)))", places)
    assert refused == [1, 1]
    for _ in range(600):
        if any("connect-src" in error for error in workbench.errors):  # told by the browser, of what it forbade
            break
        workbench.page.wait_for_timeout(50)
    assert any("connect-src" in error for error in workbench.errors)
    workbench.errors[:] = [error for error in workbench.errors if not any(place in error for place in places)]
