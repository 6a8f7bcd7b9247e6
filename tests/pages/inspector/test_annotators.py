"""`agree --page`: who put what where."""

import json
import re

import pytest

from referee import agree, score
from referee.agreement import DISTANCES
from referee.basics.exceptions import RefereeWarning
from referee.cli.agree import page_of
from tests.pages.inspector.test_export import exported
from tests.support.annotators import of_annotators
from tests.support.command import referee


@pytest.fixture(scope="module")
def three():
    """Ann and Eve agree but for d; Bob has not marked c, and has b elsewhere."""
    ann, bob, eve = [["a", "b", "c"], ["d"]], [["a"], ["b", "d"]], [["a", "b", "c", "d"]]
    return of_annotators(ann, bob, eve, names=("ann", "bob", "<b>eve"))


def test_every_mention_has_its_entity_of_each_annotator(open_page, three):
    p = open_page(three, "#view=annotators")
    p.page.wait_for_selector(".placements .error")
    assert p.texts(".placement.names > *") == ["Mention, disagreement", "A ann", "B bob", "C <b>eve"]
    p.page.click("[data-order=text]")
    cells = p.page.eval_on_selector_all(
        ".placements .error",
        """rows => rows.map((row) =>
            [...row.children].map((cell, n) => (n ? cell.lastChild : cell.firstChild).textContent))""",
    )
    assert cells == [
        ["a", "A1 ×3", "B1 ×1", "C1 ×4"],
        ["b", "A1 ×3", "B2 ×2", "C1 ×4"],
        ["c", "A1 ×3", "–", "C1 ×4"],
        ["d", "A2 ×1", "B2 ×2", "C1 ×4"],
    ]
    assert "4 mentions, 4 of them disputed" in p.page.inner_text(".placements .list-head")  # no two entities are equal
    p.page.click(".placements .error >> nth=1")
    p.page.wait_for_selector(".members")
    assert p.page.inner_text(".card .about").startswith("ann: entity with 3 mentions")
    assert p.hash == "#doc=%231&entity=A1&mention=2&view=annotators"  # of Bob and Eve, Bob differs more


def test_a_mention_opens_with_the_annotator_who_differs_most(open_page):
    ann = {"a": [["a", "b", "c"], ["d"], ["e"]]}
    eve = {"a": [["a", "b"], ["d", "c"]]}
    p = open_page(of_annotators(ann, ann, eve, names=("ann", "bob", "eve")), "#doc=a&view=annotators")
    p.page.wait_for_selector(".placements .error")

    def click(mention):
        p.page.locator(".placements .error").filter(has=p.page.get_by_text(mention, exact=True)).click()

    click("c")
    p.page.wait_for_selector(".card .about")
    assert p.hash == "#doc=a&response=2&entity=A1&mention=3&view=annotators"
    assert p.page.locator(".responses [aria-pressed=true]").text_content() == "Ceve"
    click("e")  # which Eve has not marked: she differs still
    p.page.wait_for_selector(".card >> text=A3")
    assert p.page.locator(".responses [aria-pressed=true]").text_content() == "Ceve"


def test_a_row_has_its_disagreement_and_place_and_shows_who_groups_otherwise(open_page, tmp_path):
    words = ["Ann", "saw", "her", "dog", "and", "it", "barked", "at", "her"]
    said = {
        "ann": [[[0, 0], [2, 2], [8, 8]], [[2, 3], [5, 5]]],
        "bob": [[[0, 0], [2, 2], [8, 8]], [[2, 3]], [[5, 5]]],
        "eve": [[[0, 0], [2, 2]], [[2, 3], [5, 5]]],
    }
    for name, clusters in said.items():
        (tmp_path / f"{name}.jsonlines").write_text(json.dumps({"doc_key": "d", "sentences": [words], "clusters": clusters}))
    files = {name: str(tmp_path / f"{name}.jsonlines") for name in said}
    agreement = agree(files)
    p = open_page(page_of(agreement, files, {}), "#doc=d&view=annotators")
    p.page.wait_for_selector(".placements .error")
    rows = agreement.to_rows(by="mention")
    assert p.texts(".placements .error .degree") == [f"{100 * row['disagreement']:.2f} · {row['place']}" for row in rows]
    differing = p.page.eval_on_selector_all(
        ".placements .error", "rows => rows.map((row) => [...row.querySelectorAll('.cell')].map((e) => e.matches('.differs')))"
    )
    by_place = dict(zip([row["place"] for row in rows], differing, strict=True))
    assert by_place["0-1"] == [False, False, True]  # one colour, but Eve lacks a mention
    assert by_place["5-6"] == [False, True, False]
    assert by_place["8-9"] == [False, False]


def test_mentions_are_filtered_by_degree_and_by_pair(open_page):
    ann = [["a", "b", "c"], ["d"], ["e", "f"]]
    bob = [["a", "b", "c"], ["d"], ["e"], ["f"]]
    eve = [["a", "b"], ["c", "d"], ["e", "f"]]
    agreement = agree({"ann": ann, "bob": bob, "eve": eve})
    p = open_page(of_annotators(ann, bob, eve, names=("ann", "bob", "eve")), "#view=annotators")
    p.page.wait_for_selector(".placements .error")
    disagreement = [row["disagreement"] for row in agreement.to_rows(by="mention")]
    show = p.page.get_by_label("Show", exact=False)
    assert show.locator("option").all_inner_texts() == [
        "all (6)", f"disputed ({len(disagreement)})",
        *(f"disagreement of {least} or more ({sum(d > least / 100 - 1e-9 for d in disagreement)})" for least in (50, 75)),
        "A and B differ (2)", "A and C differ (4)", "B and C differ (6)",
    ]  # fmt: skip
    show.select_option(label="A and B differ (2)")
    p.until("document.querySelectorAll('.placements .error').length === 2")
    assert sorted(text.split()[0] for text in p.texts(".placements .error .what")) == ["e", "f"]
    assert p.page.evaluate("document.activeElement.dataset.filter") == "placements"
    show.select_option("0 2")
    p.until("document.querySelectorAll('.placements .error').length === 4")
    p.page.click(".placements .error >> nth=0")
    p.page.wait_for_selector(".card .about")
    assert "response=2" in p.hash  # the two whose differences are shown


def test_a_filter_that_nothing_passes_can_be_taken_away(open_page):
    same = [["a", "b"], ["c"]]
    p = open_page(of_annotators(same, same, names=("ann", "bob")), "#view=annotators")
    p.page.wait_for_selector(".placements .error")
    show = p.page.get_by_label("Show", exact=False)
    assert show.locator("option").all_inner_texts()[:2] == ["all (3)", "disputed (0)"]
    show.select_option("disputed")
    p.page.click(".placements .none-passes button")
    p.until("document.querySelectorAll('.placements .error').length === 3")


def test_scores_of_two_annotators_are_those_of_the_pair_beside_those_of_all(open_page, tmp_path):
    people = {"ann": ANN, "bob": BOB, "eve": EVE | {"d3": [["m", "n"], ["o"]]}}
    agreement = agree(people, items="union")
    p = open_page(of_annotators(*people.values(), names=tuple(people)), "#first=2")

    def shown(what):
        p.page.wait_for_selector(f"{what} .score.first")
        return p.page.locator(f"{what} .score.first").inner_text().split("\n")

    def number(value):
        return f"{value:.3f}".replace("-", "−")

    assert p.page.inner_text(".lede h1") == "bob and eve"  # in the order of the header
    of_pair = agreement.pairs["bob", "eve"]
    title = "Krippendorff’s alpha (MASI), B and C"
    assert shown(".overview") == [title, number(of_pair["alpha masi"]), f"all 3: {number(agreement.alpha)}"]
    boxes = [box.split("\n") for box in p.texts(".overview .score")]
    assert ["B³", f"{100 * of_pair['b_cubed']:.2f}", f"all 3: {100 * agreement.together['b_cubed']:.2f}"] in boxes
    p.page.evaluate("location.hash = '#doc=d2&first=2'")
    of_document = agreement.pairs_by_document["bob", "eve"]["d2"]
    assert of_document == agree({"b": {"d2": BOB["d2"]}, "e": {"d2": EVE["d2"]}}, items="union").alpha
    everyone = f"all 3: {number(agreement.by_document['d2']['alpha masi'])}"
    assert shown(".strip-place") == [title, number(of_document), everyone]
    assert not p.page.query_selector(".strip abbr, .strip .difference")  # nobody is the key
    (tmp_path / "d2.html").write_bytes(exported(p, "page")[1])
    p.page.goto((tmp_path / "d2.html").as_uri() + "#doc=d2&first=2")
    p.page.evaluate("window.reloads = 1")
    assert shown(".strip-place") == [title, number(of_document), everyone]
    p.page.keyboard.press("4")
    p.page.wait_for_selector(".scores-pane .scores")
    assert "Recall" not in p.page.inner_text(".scores thead")


def test_the_signature_says_how_the_interval_was_made(open_page, disputed):
    p = open_page(disputed)
    signature = p.page.inner_text(".signature")
    assert signature.endswith(" | intervals:percentile | level:0.95 | resamples:10000 | seed:0 | unit:document")


def test_long_names_are_divided_behind_underscores_and_slashes(open_page):
    people = [{f"GENTLE_dictionary_next_{n}": [["a", "b"]] for n in range(2)}] * 3
    p = open_page(of_annotators(*people, names=("ann", "bob", "eve")), viewport={"width": 400, "height": 800})
    name = p.page.locator(".documents tbody bdi").first
    assert name.text_content() == "GENTLE_dictionary_next_0"
    lines = name.evaluate(
        """(element) => {
            const tops = new Map();
            for (const node of element.childNodes) if (node.nodeType === 3) {
                const range = document.createRange();
                range.selectNode(node);
                for (const { top } of range.getClientRects()) tops.set(top, (tops.get(top) ?? 0) + 1);
            }
            return [...tops.values()].reduce((sum, n) => sum + n, 0) - element.childNodes.length;
        }"""
    )
    assert lines < 0  # no part of the name is on two lines


@pytest.mark.parametrize("distance", DISTANCES)
def test_disputed_mentions_are_those_of_the_command_in_its_order(open_page, distance):
    ann = [["a", "b", "c"], ["d", "e"], ["f"], ["g", "h"], ["i", "j"]]
    bob = [["a", "b"], ["c"], ["d", "e", "f"], ["g", "h"], ["i", "j"]]
    eve = [["a", "b"], ["c", "k"], ["d"], ["e", "f"], ["g", "h"], ["i", "j"]]
    named = {"ann": ann, "bob": bob, "eve": eve}
    agreement = agree(named, items="union", distance=distance)
    rows = agreement.to_rows(by="mention")
    p = open_page(page_of(agreement, named, {"items": "union"}), "#view=annotators")
    p.page.wait_for_selector(".placements .error")
    assert f"11 mentions, {len(rows)} of them disputed" in p.page.inner_text(".placements .list-head")
    found = p.page.eval_on_selector_all(
        ".placements .error[data-disputed] .what", "all => all.map((e) => e.firstChild.textContent)"
    )
    assert found == [row["mention"] for row in rows]


def test_disputed_entities_of_all_documents_are_in_one_list(open_page):
    named = {
        "ann": {"x": [{"a", "b", "c"}], "y": [{"p", "q"}, {"r"}]},
        "bob": {"x": [{"a", "b"}, {"c"}], "y": [{"p"}, {"q"}, {"r"}]},
    }
    agreement = agree(named)
    p = open_page(page_of(agreement, named, {}))
    rows = [(d.name, d.document, str(d.mentions), f"{100 * d.disagreement:.2f}") for d in agreement.disputed]
    cells = p.page.eval_on_selector_all(
        ".disputes tbody tr", "all => all.map((tr) => [...tr.cells].map((cell) => cell.innerText))"
    )
    assert [(name, doc, mentions, price) for name, _, doc, mentions, price in cells] == rows
    p.page.click(".disputes tbody tr:last-child button")
    p.page.wait_for_selector(".placements .error")


def test_no_annotator_is_called_key(open_page, three):
    p = open_page(three, "#entity=B2")
    p.page.wait_for_selector(".heads .n")
    assert p.texts(".heads h2") == ["ann 2 entities", "bob 2 entities"]
    assert p.page.inner_text(".card .about").startswith("bob: entity with 2 mentions")
    assert "mentions of ann, lines below the words are mentions of bob." in p.page.inner_text(".legend")
    tabs = [tab.rstrip("0123456789 ") for tab in p.texts("[role=tab]:visible")]
    assert tabs == ["Entities", "Annotators", "Differences", "Merges and splits", "Scores"]
    p.page.keyboard.press("x")
    p.page.wait_for_selector(".heads >> text=<b>eve")


def test_what_differs_is_nobodys_error(open_page):
    ann, bob = [["a", "b", "c"], ["d"], ["e", "f"], ["i", "j"]], [["a"], ["b", "d"], ["e", "f", "g"], ["h"]]
    page = of_annotators(ann, bob, bob, names=("ann", "bob", "eve"))
    p = open_page(page, "#view=errors&response=2")
    p.page.wait_for_selector(".errors .error")
    assert set(p.texts(".error .kind")) == {
        "elsewhere in C", "mention of A only", "entity of A only", "mention of C only", "entity of C only",
    }  # fmt: skip
    assert "h: C4 is not in A" in p.texts(".error .what")
    seen = [p.page.inner_text("body")]
    for view in ("entities", "errors", "merges", "scores"):
        for entity in ("A1", "C3"):
            p.page.evaluate(f"location.hash = '#entity={entity}&response=2&view={view}'")
            p.page.wait_for_selector(f".card >> text={entity}")
            seen.append(p.page.inner_text("body"))
    p.page.hover(".text .piece >> nth=0")
    seen.append(p.page.inner_text(".tooltip"))
    p.page.keyboard.press("1")
    seen += p.page.eval_on_selector_all("[aria-label], .main [title]", "all => all.map((e) => `${e.ariaLabel} ${e.title}`)")
    for key in ("?", "o"):
        p.page.keyboard.press(key)
        seen.append(p.page.inner_text("body"))
        p.page.keyboard.press("Escape")
    words = re.compile(r"\b((?<!place of the )key|responses?|missed|spurious|(?<!d-)errors?|corrected|wrong)\b", re.IGNORECASE)
    assert [text[max(0, m.start() - 30) : m.end()] for text in seen for m in words.finditer(text)] == []


def test_any_two_annotators_are_side_by_side(open_page, tmp_path):
    ann = {"a": [["a", "b", "c"], ["d"]], "b": [["x", "y"]]}
    bob = {"a": [["a"], ["b", "d"]], "b": [["x", "y"]]}
    eve = {"a": [["a", "b", "c", "d"]], "b": [["x"], ["y"]]}
    names = ("ann", "bob", "<b>eve")
    p = open_page(of_annotators(ann, bob, eve, names=names), "#doc=a&entity=A1")
    first = p.page.get_by_label("First annotator")
    assert first.locator("option").all_inner_texts() == ["A ann", "B bob"]
    first.select_option("B bob")
    p.page.wait_for_selector(".heads >> text=bob")
    assert p.texts(".heads h2") == ["bob 2 entities", "<b>eve 1 entity"]
    assert p.hash == "#doc=a&first=2"
    p.page.click(".entity[data-name=B1]")
    p.page.wait_for_selector(".card >> text=B1")
    assert p.hash == "#doc=a&first=2&entity=B1"
    pairwise = score(bob["a"], eve["a"], items="union")["links"].value
    assert f"{100 * pairwise:.2f}" in p.page.inner_text(".strip .score >> nth=1").split()
    p.page.keyboard.press("6")  # who put what where, all of them
    p.page.wait_for_selector(".placements .error")
    assert p.texts(".placement.names > *") == ["Mention, disagreement", "A ann", "B bob", "C <b>eve"]
    p.page.go_back()
    p.page.wait_for_selector(".card >> text=B1")
    (tmp_path / "a.html").write_bytes(exported(p, "page")[1])
    p.page.goto((tmp_path / "a.html").as_uri() + p.hash)
    p.page.evaluate("window.reloads = 1")
    p.page.wait_for_selector(".card >> text=B1")
    assert p.texts(".heads h2") == ["bob 2 entities", "<b>eve 1 entity"]
    p.page.get_by_label("First annotator").select_option("A ann")
    p.page.wait_for_selector(".heads >> text=ann")
    p.page.keyboard.press("o")
    p.page.wait_for_selector(".lede")
    assert p.page.inner_text(".lede h1") == "ann and bob"


def documents(*groupings):
    return {f"d{n}": grouping for n, grouping in enumerate(groupings, 1)}


ANN = documents([["a", "b", "c"], ["d"]], [["x", "y"], ["z"]], [["m"], ["n", "o"]])
BOB = documents([["a"], ["b", "d"], ["c"]], [["x", "y"], ["z"]], [["m"], ["n", "o"]])
EVE = documents([["a", "b", "c", "d"]], [["x"], ["y", "z"]])  # without d3


@pytest.fixture(scope="module")
def disputed():
    with pytest.warns(RefereeWarning):
        return of_annotators(ANN, BOB, EVE, names=("ann", "bob", "<b>eve"))


def test_the_page_opens_on_all_annotators_with_the_numbers_of_the_command(open_page, tmp_path):
    for name, annotation in (("ann", ANN), ("bob", BOB), ("eve", EVE)):
        rows = [f"{doc},{item},{n}" for doc, of in annotation.items() for n, entity in enumerate(of) for item in entity]
        (tmp_path / f"{name}.csv").write_text("\n".join(["doc,item,entity", *rows]))
    names = ("ann", "bob", "eve")
    files = [tmp_path / f"{name}.csv" for name in names]
    told = json.loads(referee("agree", *files, "--report", "json").out)
    pairs = told["rows"]
    with pytest.warns(RefereeWarning):
        p = open_page(of_annotators(*files, names=names))
    assert p.page.inner_text(".lede h1") == "3 annotators"
    assert "2 documents that all of them have. 1 document of the page is left out." in p.page.inner_text(".lede")
    low, high = (f"{end:.3f}".replace("-", "−") for end in told["intervals"]["alpha masi"])
    assert p.texts(".score.first dt, .score.first dd > span") == [
        "Krippendorff’s alpha (MASI)",
        f"{pairs[-1]['alpha masi']:.3f}".replace("-", "−"),
        f"95 % interval {low} to {high}",
    ]
    assert p.texts(".score dt")[1:] == ["Mentions", "Pairwise links", "B³", "Exact entities"]
    assert p.texts(".score:nth-child(2) .value") == [f"{100 * pairs[-1]['mentions']:.2f}"]
    shown = {tuple(cell["at"]): cell["text"] for cell in cells(p)}
    for n, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        assert shown[a, b] == shown[b, a] == f"{pairs[n]['alpha masi']:.3f}".replace("-", "−")
    p.page.get_by_label("Measure of agreement").select_option(label="Pairwise links")
    assert cells(p)[0]["text"] == f"{100 * pairs[0]['links']:.2f}"
    assert p.page.evaluate("document.activeElement.dataset.filter") == "measure"
    p.page.evaluate("document.activeElement.blur()")
    lines = exported(p, "csv")[1].decode("utf-8-sig").splitlines()
    assert lines[0].startswith("document,alpha masi,links,b_cubed,exact,mentions,alpha ")
    assert [line.partition(",")[0] for line in lines[1:]] == ["d1", "d2", "d3"]
    p.page.keyboard.press("Escape")
    assert [row.split("\t")[:2] for row in p.texts(".documents tbody tr")][2] == ["d3", "–"]  # all that lack a number come last


def cells(p):
    return p.page.eval_on_selector_all(
        ".matrix [data-pair]",
        """all => all.map((e) =>
            ({at: [e.closest('tr').rowIndex - 1, e.parentNode.cellIndex - 1], text: e.firstChild.textContent}))""",
    )


def test_a_cell_opens_two_annotators_and_a_row_a_document(open_page, disputed):
    p = open_page(disputed)

    def back():
        p.page.evaluate("history.back()")

    p.page.click("[data-pair='0 2']:visible >> nth=0")
    p.page.wait_for_selector(".lede h1 >> text=ann and <b>eve")
    assert p.hash == "#response=2"
    back()
    p.page.wait_for_selector(".matrix")
    p.page.focus("[data-pair='0 1']")
    p.page.keyboard.press("Enter")
    p.page.wait_for_selector(".lede h1 >> text=ann and bob")
    assert p.hash == "#response=1"
    p.page.keyboard.press("6")
    p.page.wait_for_selector(".matrix")
    assert p.hash == ""
    p.page.click("[data-pair='1 2']:visible >> nth=0")
    p.page.wait_for_selector(".lede h1 >> text=bob and <b>eve")
    assert p.hash == "#first=2"
    p.page.click("text=All 3 annotators")
    p.page.wait_for_selector(".matrix")
    p.page.click(".documents tbody button >> nth=0")
    p.page.wait_for_selector(".placements .error")
    assert p.hash == "#doc=d1&view=annotators"
    p.page.keyboard.press("o")
    p.page.wait_for_selector(".matrix")
    back()
    p.page.wait_for_selector(".placements .error")
    p.page.keyboard.press("Escape")
    p.page.evaluate("location.hash = '#doc=d2&first=2'")
    p.until("document.querySelector('.side-by-side .first')?.value === '1'")
    p.page.keyboard.press("o")
    p.page.wait_for_selector(".matrix")
    assert not p.page.is_visible(".side-by-side")


def test_two_annotators_have_no_matrix(open_page):
    p = open_page(of_annotators(ANN, BOB, names=("ann", "bob")))
    assert p.page.inner_text(".lede h1") == "ann and bob"
    assert not p.page.query_selector(".matrix")
    p.page.click("text=Both side by side")
    p.page.wait_for_selector(".eyebrow >> text=Annotators side by side")
    assert p.hash == "#response=1"
    p.page.evaluate("history.back()")
    p.page.wait_for_selector(".lede >> text=Both side by side")


def test_one_document_of_annotators_opens_on_all_of_them_too(open_page, three):
    p = open_page(three)
    assert p.page.inner_text(".lede h1") == "3 annotators"
    p.page.click("[data-pair='0 1']")
    p.page.wait_for_selector(".lede h1 >> text=ann and bob")
    assert p.hash == "#overview=&response=1"
    p.page.reload()
    p.page.evaluate("window.reloads = 1")
    p.page.wait_for_selector(".lede h1 >> text=ann and bob")
