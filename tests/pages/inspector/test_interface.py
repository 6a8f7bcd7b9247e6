"""The page in a browser: what is highlighted, what is found, where links lead."""

import json

import pytest

from referee import inspect
from referee.corpus.builder import CorpusBuilder
from referee.metrics.registry import METRICS
from referee.pages.inspector import response
from tests.pages.inspector.conftest import KEY, RESPONSE

WORDS = ["Ann", "'s", "dog", ",", "Rex", "the", "dog", "did", "n't", "bark", "at", '"', "Tom", '"', "."]


def corpus_of(documents):
    """Documents of these words: the spans of each entity."""
    builder = CorpusBuilder()
    for name, entities in documents.items():
        builder.document(name, WORDS, [0])
        for label, spans in entities.items():
            for start, end in spans:
                builder.mention(start, end, label)
    return builder.corpus()


@pytest.fixture(scope="module")
def rex():
    """In "a", "Rex the dog" was found as "the dog"; "b" is right."""
    key = {"Ann": [(0, 1)], "Rex": [(4, 7)]}
    return inspect(corpus_of({"a": key, "b": key}), corpus_of({"a": {"Ann": [(0, 1)], "Rex": [(5, 7)]}, "b": key}))


def test_a_click_on_an_entity_of_the_paper_highlights_its_projections(open_page, table_1):
    # "A double-click on K3 highlights K3 itself, as well as its projections, R1 and R2."
    p = open_page(table_1)
    p.page.click("[data-name=K3]")
    p.page.wait_for_selector("[data-name=K3].selected")
    assert p.named("highlighted") == {"R1", "R2"}
    assert p.page.inner_text("[data-name=R1] .best") == "best match"
    assert p.texts(".piece.highlighted") == ["6", "7", "8", "9", "10", "11", "12"]
    p.page.click("[data-name=R1]")
    p.page.wait_for_selector("[data-name=R1].selected")
    assert p.named("highlighted") == {"K1", "K3"}
    assert p.page.locator(".flow path.bright").count() == 2


def test_the_share_of_an_entity_is_exact(open_page, table_1):
    # K3 has 5 mentions in R1 and 2 in R2: 5 of 6 links, (25 + 4)/49, (10 + 1)/21 pairs, by hand.
    p = open_page(table_1, "#entity=K3")
    p.page.wait_for_selector(".card h2")
    assert p.texts(".card .figures dd") == [
        "100.00\n7 of 7", "83.33\n5 of 6 links", "59.18\n29 ⁄ 7²", "52.38\n11 of 21 pairs",
    ]  # fmt: skip


def test_all_of_it_works_with_the_keyboard_alone(open_page, table_1):
    p = open_page(table_1)
    press = p.page.keyboard.press
    press("k")
    press("ArrowDown")  # the largest entity comes first: K3
    p.page.wait_for_selector("[data-name=K3].selected")
    press("ArrowRight")  # its best match
    p.page.wait_for_selector("[data-name=R1].selected")
    press("ArrowDown")
    p.page.wait_for_selector("[data-name=R2].selected")
    press("n")
    p.page.wait_for_selector(".members [aria-current=true]")
    assert p.texts(".members [aria-current=true]") == ["3"]
    press("2")
    p.page.wait_for_selector(".errors .error")
    press("Escape")
    p.page.wait_for_selector(".card", state="hidden")
    press("?")
    p.page.wait_for_selector("dialog[open]")
    press("Escape")
    p.page.wait_for_selector("dialog[open]", state="hidden")
    p.page.focus("#tab-errors")
    press("ArrowRight")  # merges and splits
    press("ArrowRight")
    p.page.wait_for_selector(".scores-pane")


def test_the_selected_entity_is_announced(open_page, table_1):
    p = open_page(table_1, "#entity=R1")
    assert p.page.inner_text("[aria-live=polite][role=status]") == "R1, 7 mentions. Shares mentions with K3 (5), K1 (2)."


def test_the_text_is_searched_and_a_search_ends_with_its_document(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    p.page.keyboard.press("/")
    p.page.keyboard.type("the light")
    hits = "Array.from(document.querySelectorAll('.hit'), (hit) => hit.textContent.trim())"
    p.until(f"new Set({hits}).size == 1 && {hits}[0] == 'the lighthouse'")  # each letter is a search
    p.until("document.querySelectorAll('.entities.K .entity').length == 1")
    assert set(p.texts(".entities.K .name")) == {"K2"}  # the lighthouse
    p.page.keyboard.press("Enter")
    p.page.wait_for_selector(".this-hit")
    assert p.page.inner_text(".found") == "1 of 1"
    p.page.keyboard.press("Escape")
    p.page.wait_for_selector(".hit", state="detached")
    p.page.fill("[type=search]", "the")
    p.page.wait_for_selector(".hit")
    p.page.click(".brand")
    p.page.click("[data-document='1']")
    p.page.wait_for_selector(".text .piece")
    assert p.page.locator(".hit").count() == 0


@pytest.mark.parametrize("colours", ["light", "dark", "forced"])
def test_hits_are_seen_inside_the_selected_entity(open_page, one, colours):
    context = {"forced_colors": "active"} if colours == "forced" else {"color_scheme": colours}
    p = open_page(one, "#doc=lighthouse&entity=K2", **context)
    p.page.wait_for_selector(".piece.highlighted")
    p.page.fill("[type=search]", "lighthouse")
    p.page.wait_for_selector(".piece.highlighted.hit")
    found = "all => all.map((e) => [e.style.backgroundImage.includes('--mark'), getComputedStyle(e).backgroundImage])"
    hits = p.page.eval_on_selector_all(".piece.highlighted.hit", found)
    others = p.page.eval_on_selector_all(".piece.highlighted:not(.hit)", found)
    assert all(marked for marked, _ in hits)
    assert others
    assert not any(marked for marked, _ in others)
    tints = [{image.rpartition("linear-gradient")[2] for _, image in images} for images in (hits, others)]
    assert not tints[0] & tints[1]


def test_what_is_shown_is_found(open_page, rex):
    p = open_page(rex, "#doc=a")
    for query in ("Ann's", "didn't", "dog, Rex", 'at "Tom".', "rex  THE dog"):
        p.page.fill("[type=search]", query)
        hits = "[...document.querySelectorAll('.hit')].map((e) => e.textContent).join('')"
        p.until(f"{hits}.toLowerCase() === {json.dumps(' '.join(query.lower().split()))}")
        assert p.page.inner_text(".found") == "1"
    p.page.fill("[type=search]", "Ann 's")  # words that are not together
    p.until("document.querySelector('.found').textContent == 'not found'")


def test_a_mention_with_a_span_error_is_where_it_was_found(open_page, rex):
    # Key and response overlap in two tokens of three: one mention with two spans. No metric counts it as found.
    p = open_page(rex, "#doc=a&entity=K2")
    p.page.wait_for_selector("[data-name=K2].selected")
    assert p.named("highlighted") == {"R2"}
    assert p.page.inner_text("[data-name=R2] .best") == "best match"
    assert p.page.locator(".flow path.bright[stroke-dasharray]").count() == 1
    assert p.texts(".card .part .n") == ["1 span error best match"]
    assert p.texts(".card .figures dd")[0].split() == ["0.00", "0", "of", "1,", "1", "with", "a", "span", "error"]
    assert p.texts(".card .members .there") == ["R2 as the dog"]
    assert p.page.inner_text("[aria-live=polite][role=status]") == "K2, 1 mention. Shares mentions with R2 (1)."


def test_a_new_document_begins_without_filters(open_page, rex):
    p = open_page(rex, "#doc=a")
    p.page.select_option("[data-filter=kind]", label="span error (1)")
    assert p.texts(".entities.K .name") == ["K2"]
    p.page.select_option("[data-filter=order]", "text")
    p.page.click("[aria-label='Next document']")
    p.until("document.title.startsWith('b')")
    assert p.texts(".entities.K .name") == ["K1", "K2"]
    assert p.hash == "#doc=b&order=text"
    p.page.fill("[type=search]", "dog")
    p.page.wait_for_selector(".hit")
    p.page.click("[aria-label='Previous document']")
    p.until("document.title.startsWith('a')")
    assert p.hash == "#doc=a&order=text&q=dog"
    assert p.texts(".heads h2 .n") == ["1 of 2 entities", "1 of 2 entities"]


def test_the_selected_entity_is_shown_whatever_the_filter(open_page, rex):
    p = open_page(rex, "#doc=a")
    p.page.select_option("[data-filter=kind]", label="span error (1)")
    p.page.evaluate("location.hash = '#doc=a&entity=K1'")
    p.page.wait_for_selector("[data-name=K1].selected")
    p.page.click("[data-name=K2]")
    p.page.wait_for_selector("[data-name=K2].selected")


@pytest.mark.parametrize("view", ["entities", "errors"])
def test_a_list_that_is_empty_for_its_filter_says_so(open_page, rex, view):
    p = open_page(rex, f"#doc=a&view={view}")
    rows = {"entities": ".entity", "errors": ".error"}[view]
    assert not p.page.is_visible(".none-passes")
    before = p.page.locator(rows).count()
    p.page.select_option("[data-filter=size]", "10")
    assert p.page.locator(rows).count() == 0
    assert p.page.inner_text(".none-passes") == "Nothing matches the filter. show all"
    p.page.click(".none-passes button")
    p.page.wait_for_selector(".none-passes", state="hidden")
    assert p.page.locator(rows).count() == before > 0


def test_a_filter_can_be_removed_where_nothing_passes_it(open_page):
    key, second = {"d": [["a", "b"], ["c"]]}, {"d": [["a"], ["b"], ["c"]]}
    p = open_page(inspect(key, second, key), "#doc=d")
    p.page.select_option("[data-filter=kind]", label="split (1)")
    p.page.click("[data-response='1']")
    p.page.wait_for_selector("[data-response='1'][aria-pressed=true]")
    p.page.select_option("[data-filter=kind]", label="all")
    assert p.texts(".entities.K .name") == ["K1", "K2"]


def test_the_last_place_asked_for_is_shown(open_page, rex):
    p = open_page(rex)
    p.page.evaluate("""() => {
        const read = Response.prototype.text;
        let first = true;
        Response.prototype.text = async function () {
            const wait = first ? 300 : 0;
            first = false;
            await new Promise((done) => setTimeout(done, wait));
            return read.call(this);
        };
        location.hash = "#doc=a&entity=K2"; // takes long
        setTimeout(() => { location.hash = "#doc=b"; }, 20);
    }""")
    p.until("document.title.startsWith('b')")
    p.page.wait_for_timeout(500)
    assert p.page.title().startswith("b")
    assert not p.page.is_visible(".card")
    p.page.keyboard.press("k")
    p.page.keyboard.press("ArrowDown")
    p.page.wait_for_selector("[data-name=K1].selected")
    assert p.hash == "#doc=b&entity=K1"


def test_an_error_leads_to_its_place(open_page, one):
    p = open_page(one, "#doc=lighthouse&view=errors")
    p.page.click(".error[data-kind=split]")
    p.page.wait_for_selector(".piece.flash")
    assert p.page.inner_text(".piece.flash") in ("the keeper", "Her")
    assert "entity=K1" in p.hash


def test_a_click_in_the_text_takes_the_mention_there(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    p.page.click('.piece >> text="Her"')
    p.page.wait_for_selector(".card h2")
    assert p.page.inner_text(".members [aria-current=true]") == "Her"
    p.page.click('.piece >> text="Her"')  # once more: what is around it
    p.until("document.querySelector('.members [aria-current=true]').textContent == 'Her brother Tom'")


def test_places_have_addresses_and_the_way_back_works(open_page, one):
    p = open_page(one, "#doc=lighthouse&entity=R2&view=errors")
    p.page.wait_for_selector(".card h2")
    assert p.page.inner_text(".card h2").startswith("R2")
    p.page.click("#tab-entities")
    p.page.click("[data-name=K1]")
    p.page.wait_for_selector("[data-name=K1].selected")
    assert p.hash == "#doc=lighthouse&entity=K1"
    p.page.go_back()
    p.page.wait_for_selector("[data-name=R2].selected")
    p.page.go_back()
    p.page.wait_for_selector(".errors")
    p.page.click(".brand")
    p.page.wait_for_selector(".overview h1")
    assert p.hash == ""


@pytest.mark.parametrize(
    "place", ["#doc=nowhere", "#doc=lighthouse&entity=K99&mention=7", "#entity=K1&response=9", "#%E0%A4%A", "#view=__proto__"]
)
def test_an_address_that_leads_nowhere_does_no_harm(open_page, one, place):
    assert open_page(one, place).page.locator("main").is_visible()


def test_the_overview_sorts_documents_by_any_metric(open_page, one):
    p = open_page(one)
    by_conll = sorted(one.evaluations[0].documents, key=lambda name: one.evaluations[0].document(name)["conll"].value)
    assert p.texts(".documents tbody th") == by_conll
    p.page.click(".documents thead >> text=CoNLL")
    assert p.texts(".documents tbody th") == by_conll[::-1]
    p.page.click(f"[data-document] >> text={by_conll[0]}")
    p.page.wait_for_selector(".text .piece")
    assert by_conll[0] in p.hash


def test_the_scores_are_those_of_the_report(open_page, one):
    p = open_page(one, "#doc=lighthouse&view=scores")
    rows = {row.split("\t")[0]: row.split("\t")[1:] for row in p.texts(".scores tbody tr")}
    expected = one.evaluations[0].document("lighthouse")
    for name, shown in (("muc", "MUC"), ("b_cubed", "B³"), ("lea", "LEA")):
        score = expected[name]
        assert rows[shown] == [f"{100 * x:.2f}" for x in (score.recall, score.precision, score.value)]


def test_decimals_are_truncated_where_the_report_does(open_page):
    # 2 of 3 mentions: 66.666… %, which the CoNLL scorer prints as 66.66.
    key, response = {"d": [[(0, 1), (2, 3), (4, 5)]]}, {"d": [[(0, 1), (2, 3)]]}
    shown = []
    for decimals in ("round", "truncate"):
        p = open_page(inspect(key, response, metrics=["mentions"], decimals=decimals), "#doc=d")
        shown += p.texts(".strip .sides")
    assert shown == ["R 66.67 P 100.00", "R 66.66 P 100.00"]


def test_a_metric_has_its_title(open_page):
    p = open_page(inspect(KEY, RESPONSE, metrics={"mine": METRICS["muc"].count, "b_cubed": "b_cubed"}), "#view=scores")
    assert [row.split("\t")[0] for row in p.texts(".scores tbody tr")] == ["mine", "B³"]


def test_two_responses_show_what_the_second_mends_and_breaks(open_page, two):
    p = open_page(two, "#doc=lighthouse&view=changes")

    def found(what):
        return {text.rpartition(" of ")[0] for text in p.texts(f".change[data-change={what}] .what")}

    assert "thirty years" in found("fixed")  # the first response lacks it, the second does not
    assert not found("broken")
    p.page.click("[data-change=broken-mentions].chip")
    assert p.page.locator(".change[data-change=broken]").count() > 0
    p.page.click("[data-response='1']")
    p.page.wait_for_selector("[data-response='1'][aria-pressed=true]")
    assert "response=2" in p.hash
    p.page.keyboard.press("x")
    p.page.wait_for_selector("[data-response='0'][aria-pressed=true]")


def test_help_lists_the_keys_that_have_an_effect(open_page, one, two, table_1):
    listed = []
    for inspection in (table_1, one, two):
        p = open_page(inspection)
        p.page.keyboard.press("?")
        listed.append(set("".join(p.texts("dialog kbd"))))
    single, several, compared = listed
    of_edit = set("e0123456789+bgDeleteBackspacewacuUzSvynp")  # of files alone
    assert several - single == ({"[", "]"} | of_edit) - single
    assert compared - several == {"x"}


def test_a_response_without_the_document_is_shown_as_nothing(open_page):
    a, b = {"d": [["a", "b"]], "e": [["c", "d"]]}, {"d": [["a", "b"]]}
    with pytest.warns(UserWarning, match="not in <key>"):
        inspection = inspect({"d": [["a", "b"]]}, b, a)
    p = open_page(inspection, "#doc=e")
    p.page.wait_for_selector(".text .piece")
    assert p.page.get_attribute("[data-response='1']", "aria-pressed") == "true"
    p.page.keyboard.press("x")
    p.page.wait_for_selector("[data-response='0'][aria-pressed=true]")
    for tab in p.page.locator("[role=tab]:visible").all():
        tab.click()


def test_a_document_is_opened_with_a_response_that_has_it(open_page):
    a, b = {"d": [["a", "b"]]}, {"d": [["a", "b"]], "e": [["c", "d"]]}
    with pytest.warns(UserWarning, match="not in <key>"):
        inspection = inspect(a, a, b)
    p = open_page(inspection)
    p.page.click("[data-document='1']")
    p.page.wait_for_selector(".text .piece")
    assert p.page.get_attribute("[data-response='1']", "aria-pressed") == "true"
    assert p.hash == "#doc=e&response=2"


def test_costs_that_would_take_long_are_left_out(open_page, monkeypatch):
    monkeypatch.setattr(response, "AFFORDABLE", 0)
    p = open_page(inspect(KEY, RESPONSE), "#entity=K3&view=errors")
    says = "the costs of single errors are not computed for a text this large"
    assert says in p.page.inner_text(".errors .list-head")
    assert p.page.locator(".errors .error").count() > 0
    p.page.click("#tab-entities")
    assert p.texts(".card .note") == [f"T{says[1:]}."]
    assert "cost" not in p.page.eval_on_selector_all("[data-filter=order] option", "all => all.map(o => o.value)")
    p.page.click(".brand")
    assert any(value.startswith("+") for value in p.texts(".kinds .value"))


def test_mentions_without_words_are_a_list(open_page):
    key, response = [[(0, 2), (5, 6)], [(7, 9)]], [[(0, 2)], [(5, 6), (7, 9)]]
    p = open_page(inspect(key, response))
    assert p.texts(".text .piece") == ["0–1", "5", "7–8"]
    p.page.click("[data-name=K1]")
    p.page.wait_for_selector("[data-name=K1].selected")
    assert p.named("highlighted") == {"R1", "R2"}


def test_nothing_at_all_is_shown_as_that(open_page):
    with pytest.warns(UserWarning):
        page = inspect([], [])
    assert open_page(page).page.locator("main").is_visible()


def test_nested_and_crossing_mentions_have_lines_of_their_own(open_page, tmp_path):
    rows = ["(1", "(2", "(3)|1)", "2)"]
    text = "#begin document (d)\n" + "".join(f"d\t0\t{n}\tw{n}\t-\t{tag}\n" for n, tag in enumerate(rows)) + "\n#end document\n"
    path = tmp_path / "crossing.conll"
    path.write_text(text)
    p = open_page(inspect(path, path))
    levels = p.page.eval_on_selector(
        ".text p", "p => [p.style.getPropertyValue('--above'), p.style.getPropertyValue('--below')]"
    )
    assert levels == ["3", "3"]  # w2 is in three mentions, of which two cross


def test_of_a_long_text_only_what_is_near_is_drawn(open_page):
    builder = CorpusBuilder()
    builder.document("d", [f"w{n}" for n in range(40_000)], list(range(0, 40_000, 20)))
    for n in range(0, 40_000, 4):
        builder.mention(n, n + 2, str(n // 40))
    corpus = builder.corpus()
    p = open_page(inspect(corpus, corpus), "#entity=K1000&mention=10")
    p.page.wait_for_selector(".members [aria-current=true]")
    assert p.page.inner_text(".members [aria-current=true]") == "w39996 w39997"
    assert p.page.locator('.text .piece >> text="w39996 w39997"').is_visible()
    p.page.click("[data-name=K1000]")
    p.page.evaluate("document.querySelector('.text').scrollTop = 0")
    p.page.wait_for_selector('.text .piece >> text="w0 w1"')
    assert p.page.locator(".piece").count() < 4000
    assert p.page.locator(".entity").count() < 200


def test_what_was_printed_of_a_long_text_is_forgotten(open_page):
    builder = CorpusBuilder()
    builder.document("d", [f"w{n}" for n in range(20_000)], list(range(0, 20_000, 20)))
    for n in range(0, 20_000, 4):
        builder.mention(n, n + 2, str(n // 40))
    corpus = builder.corpus()
    p = open_page(inspect(corpus, corpus), "#doc=d")
    p.page.wait_for_selector(".text .piece")
    p.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert p.page.locator(".piece").count() >= 5000
    p.page.evaluate("dispatchEvent(new Event('afterprint'))")
    p.until("document.querySelectorAll('.piece').length < 2000")
    assert p.page.locator('.text .piece >> text="w0 w1"').is_visible()


def test_mentions_are_filtered_by_type(open_page):
    builder = CorpusBuilder()
    builder.document("d", ["Ann", "saw", "her"], [0])
    builder.mention(0, 1, "a", mention_type="name")
    builder.mention(2, 3, "b", mention_type="pronoun")
    corpus = builder.corpus()
    p = open_page(inspect(corpus, corpus))
    assert p.texts(".entities.K .name") == ["K1", "K2"]
    p.page.select_option("[data-filter=mentionType]", label="pronoun")
    assert p.texts(".entities.K .name") == ["K2"]


def test_documents_are_sorted_by_a_metric_that_is_not_shown(open_page, one):
    p = open_page(one)
    p.page.select_option(".another select", "v_measure")
    (e,) = one.evaluations
    assert p.texts(".documents tbody th") == sorted(e.documents, key=lambda name: e.document(name)["v_measure"].value)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_follow_the_system_and_the_switch(open_page, table_1, scheme):
    p = open_page(table_1, color_scheme=scheme)
    paper = "getComputedStyle(document.body).backgroundColor"
    before = p.page.evaluate(paper)
    p.page.keyboard.press("d")
    assert p.page.evaluate(paper) != before
    assert p.page.evaluate("document.documentElement.dataset.theme") == {"light": "dark", "dark": "light"}[scheme]


def test_lines_and_the_selected_entity_are_seen_in_the_colours_of_the_user(open_page, one):
    p = open_page(one, "#doc=lighthouse&entity=K1", forced_colors="active")
    p.page.wait_for_selector(".entity.selected")
    for selector in (".piece", ".sample"):
        images = p.page.eval_on_selector_all(selector, "all => all.map(e => getComputedStyle(e).backgroundImage)")
        assert images
        assert all("gradient" in image for image in images)
    colours = p.page.eval_on_selector_all(".entity", "all => all.map(e => getComputedStyle(e).backgroundColor)")
    assert len(set(colours)) > 1


def test_a_narrow_page_shows_one_thing_at_a_time_and_the_card_leaves_room(open_page, one):
    p = open_page(one, "#doc=lighthouse", viewport={"width": 390, "height": 844})
    p.page.wait_for_selector(".text .piece")
    assert not p.page.is_visible(".entities")
    p.page.click("#tab-entities")
    p.page.click("[data-name=K1]")
    p.page.wait_for_selector("[data-name=K1].selected")
    assert not p.page.is_visible(".text")
    assert p.page.evaluate("document.documentElement.scrollWidth") <= 390
    p.page.wait_for_selector(".card h2")
    assert p.page.locator(".card").bounding_box()["height"] < 0.16 * 844
    assert not p.page.is_visible(".members")
    p.page.click(".card >> text=more")
    p.page.wait_for_selector(".members")
    p.page.click(".card >> text=less")
    p.page.wait_for_selector(".members", state="hidden")


@pytest.mark.parametrize("place", ["#doc=lighthouse&view=scores", "#overview="])
def test_on_a_narrow_page_scores_scroll_with_the_page(open_page, two, place):
    p = open_page(two, place, viewport={"width": 400, "height": 500})
    p.page.wait_for_selector(".table-wrap .scores")
    heights = "[...document.querySelectorAll('.table-wrap:has(.scores)')].map((e) => [e.scrollHeight, e.clientHeight])"
    assert all(content == room for content, room in p.page.evaluate(heights))
    gap = "getComputedStyle(document.querySelector('.scores td:last-child')).paddingInlineEnd"
    assert int(p.page.evaluate(gap).removesuffix("px")) >= 12  # beside a scrollbar that lies on the table


def test_keys_of_views_focus_what_the_arrows_act_on(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    p.page.keyboard.press("2")
    p.page.wait_for_selector(".errors .error")
    p.page.keyboard.press("ArrowDown")
    p.page.wait_for_selector(".errors .error[aria-selected=true]")
    p.page.keyboard.press("1")
    p.until("document.activeElement.classList.contains('entities')")
    p.page.keyboard.press("ArrowDown")
    p.page.wait_for_selector(".entity.selected")
    p.page.keyboard.press("4")
    p.until("document.activeElement.classList.contains('scores-pane')")


def test_entities_and_errors_are_filtered_and_counted(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    everything = p.texts(".heads .n")
    p.page.select_option("[data-filter=size]", "5")
    assert p.texts(".heads .n") == [f"1 of {text}" for text in everything]
    p.page.select_option('.filters label:has-text("Size") select', "5")
    assert p.texts(".entities.K .name") == ["K1"]
    p.page.select_option('.filters label:has-text("Size") select', "1")
    p.page.click("#tab-errors")
    everything = p.page.locator(".errors .error").count()
    p.page.select_option('.filters label:has-text("Errors") select', label="split (1)")
    kinds = p.texts(".errors .kind")
    assert kinds == ["split"]
    assert everything > 1


def test_the_bar_of_the_card_is_true_to_proportion(open_page):
    # K1 has 122 mentions: 51 in one response entity, 20 in another, one in each of 51 more.
    key = [f"m{n}" for n in range(122)]
    p = open_page(inspect([key], [key[:51], key[51:71], *([m] for m in key[71:])]), "#entity=K1")
    p.page.wait_for_selector(".parts .stripe")
    bar = p.page.locator(".parts").bounding_box()
    widths = p.page.eval_on_selector_all(".stripe", "all => all.map(e => e.getBoundingClientRect().width)")
    assert [round(122 * w / bar["width"], 1) for w in widths] == [51, 20, *[1] * 10, 41]
    card = p.page.locator(".card").bounding_box()
    edges = p.page.eval_on_selector_all(".part", "all => all.map(e => e.getBoundingClientRect().right)")
    assert max(edges) <= card["x"] + card["width"]


def test_small_costs_have_the_digits_that_rank_them(open_page):
    builders = CorpusBuilder(), CorpusBuilder()
    for builder, swapped in zip(builders, (False, True), strict=True):
        builder.document("d", ["w"] * 9000, [0])
        for n in range(9000):
            entity = (n + 1) // 3 if swapped and n in (5, 8, 3002) else n // 3
            builder.mention(n, n + 1, str(entity))
    p = open_page(inspect(*(builder.corpus() for builder in builders), metrics=["b_cubed"]), "#view=errors")
    p.page.wait_for_selector(".error .cost")
    costs = p.texts(".error .cost")
    assert costs
    assert all(float(cost) > 0 and len(cost) >= len("+0.001") for cost in costs)
    assert costs == sorted(costs, key=float, reverse=True)


def test_of_three_responses_the_shown_one_is_compared_with_the_first(open_page):
    key = corpus_of({"a": {"Ann": [(0, 1), (12, 13)], "Rex": [(4, 5), (6, 7)]}})
    worse = corpus_of({"a": {"Ann": [(0, 1), (4, 5)], "Rex": [(12, 13), (6, 7)]}})
    p = open_page(inspect(key, worse, worse, key, names=["one", "two", "three"]), "#view=changes")
    assert [text.split() for text in p.texts(".responses button")] == [["A", "one"], ["B", "two"], ["C", "three"]]
    assert "From one to two" in p.page.inner_text(".changes .list-head")
    p.page.keyboard.press("x")
    p.page.keyboard.press("x")
    assert "From one to three" in p.page.inner_text(".changes .list-head")
    assert "fixed: 2 entities" in p.page.inner_text(".changes .list-head")
    p.page.keyboard.press("x")
    assert p.page.get_attribute("[data-response='0']", "aria-pressed") == "true"


def test_five_responses_are_a_list(open_page):
    p = open_page(inspect(KEY, *[RESPONSE] * 4, KEY, names=["a", "b", "c", "d", "e"]))
    p.page.select_option("[aria-label=Response]", label="E e")
    assert p.page.inner_text(".score .value") == "100.00"


def test_pairwise_scores_come_first_where_items_are_resolved(open_page):
    p = open_page(inspect([{"a", "b"}, {"c"}], [{"a"}, {"b", "c"}]))
    assert p.page.inner_text(".score.first dt") == METRICS["links"].title
