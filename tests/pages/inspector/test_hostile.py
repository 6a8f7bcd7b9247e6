"""Annotation from anywhere is shown, and never run."""

import csv
from importlib.resources import files
from urllib.parse import parse_qs, urlsplit

import pytest

from referee import inspect
from referee.corpus.builder import CorpusBuilder
from referee.pages.inspector.bundle import modules
from referee.pages.inspector.page import MAIN
from referee.pages.inspector.reasons import NEEDED
from tests.support.annotators import of_annotators
from tests.support.browsers import once_is_enough

HOSTILE = {
    "script": "<script>window.ran = true</script>",
    "closing tag": "</script><script>window.ran = true</script>",
    "comment": "<!--<script>",
    "image": '<img src=x onerror="window.ran = true">',
    "attribute": '" onmouseover="window.ran = true" x=\'',
    "link": "javascript:window.ran=true",
    "template": "${window.ran = true}{{window.ran = true}}",
    "entity": "&lt;b&gt;&amp;",
    "style": "</style><style>*{display:none}",
    "prototype": "__proto__",
    "constructor": "constructor",
    "to string": "toString",
    "address": "a&entity=K1#doc=b%20c+d",
    "controls": "a\u0000b\u001b[31mc\u007f",
    "bidi": "\u202eevil\u2066\u2069",
    "combining": "e" + "\u0301" * 500,
    "surrogate": "lone \ud800",
    "emoji": "👩‍👩‍👧‍👦 नमस्ते مرحبا",
    "long": "x" * 100_000,
}


SHOWN = HOSTILE | {
    "controls": "a\u2400b\u241b[31mc⟨007F⟩",
    "bidi": "⟨202E⟩evil⟨2066⟩⟨2069⟩",
    "combining": "e" + "\u0301" * 299 + "… (501 characters)",
    "surrogate": "lone ⟨D800⟩",
    "long": "x" * 300 + "… (100,000 characters)",
}
"""What is seen of it: what has no form of its own gets one, and what is too long is cut."""


def hostile(text):
    """A page with the text for document, token, label and type."""

    def corpus(other):
        builder = CorpusBuilder(text)
        for name in (text, "harmless"):
            builder.document(name, ["a", text, "b", text], [0])
            builder.mention(1, 2, f"{name}{text}", text)
            builder.mention(0, 3, f"{name}{text}")
            builder.mention(3, 4, f"{name}{other}")
        return builder.corpus()

    return inspect(corpus("k"), corpus(text))


def all_of_it(page):
    """Every view, and every entity."""
    page.wait_for_selector(".text .piece")
    for row in page.locator(".entity").all():
        row.click()
    for tab in page.locator("[role=tab]:visible").all():
        tab.click()
    page.keyboard.press("/")
    page.keyboard.type("a")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hit")


PARSED = {"script", "closing tag", "image", "attribute", "address", "controls", "surrogate"}
"""What each browser parses in its own way."""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_shown_and_not_run(open_page, browser, name):
    once_is_enough(browser, name in PARSED)
    p = open_page(hostile(HOSTILE[name]))
    scripts = p.page.evaluate("document.scripts.length")
    assert SHOWN[name][:80] in p.page.text_content(".documents tbody")
    p.page.click("[data-document='0']")
    all_of_it(p.page)
    assert SHOWN[name] in p.page.text_content(".text")
    assert parse_qs(urlsplit("?" + p.hash[1:]).query)["doc"] == [HOSTILE[name].replace("\ud800", "\ufffd")]
    p.page.reload()
    p.page.evaluate("window.reloads = 1")
    p.ready()
    assert p.page.evaluate("window.ran") is None
    lists = 2 if name == "long" else 1  # of the two documents
    assert p.page.evaluate("document.scripts.length") == scripts == lists + 3  # overview, errors, script
    assert p.page.evaluate("document.querySelectorAll('style, img, a, iframe').length") == 1


@pytest.mark.parametrize("names", [[*HOSTILE][at : at + 5] for at in range(0, len(HOSTILE), 5)])
def test_hostile_names_of_mentions_are_shown_and_not_run(open_page, names):
    texts = [HOSTILE[name] for name in names]
    p = open_page(inspect([[*texts, "a"], ["b"]], [[*texts[1:], "b"], [texts[0], "a"]]))
    all_of_it(p.page)
    shown = p.page.text_content(".text")
    assert [name for name in names if SHOWN[name] not in shown] == []
    assert p.page.evaluate("window.ran") is None


def test_a_hostile_name_of_a_file_is_only_a_title(open_page):
    page = inspect([["a"]], [["a"]], names=["</title><script>window.ran = true</script>"])
    p = open_page(page)
    assert p.page.evaluate("window.ran") is None


def test_the_page_may_run_nothing_but_its_own_script(open_page):
    p = open_page(inspect([["a"]], [["a"]]))
    tried = p.page.evaluate(
        """() => new Promise((done) => {
            document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
            const script = document.createElement("script");
            try { script.textContent = "window.ran = true"; } catch { done("trusted types"); return; }
            document.body.append(script);
        })"""
    )
    assert tried in ("trusted types", "script-src-elem")
    assert p.page.evaluate("window.ran") is None
    with pytest.raises(Exception, match=r"TrustedHTML|blocked by CSP"):
        p.page.evaluate("document.body.innerHTML = '<b>x</b>'")
    p.errors.clear()  # the browser says what it refused


def test_the_page_may_load_nothing(open_page):
    p = open_page(inspect([["a"]], [["a"]]))
    refused = p.page.evaluate(
        """async () => {
            const refused = [];
            document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
            await fetch("https://example.org/").catch(() => 0);
            const image = new Image();
            await new Promise((done) => { image.onerror = done; image.src = "https://example.org/"; });
            return refused;
        }"""
    )
    assert refused == ["connect-src", "img-src"]
    p.errors.clear()
    p.requests[:] = p.requests[:1]  # the browser lists what was tried, too


WAYS = (
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "srcdoc", "fetch(",
)  # fmt: skip


def test_nothing_in_the_script_makes_markup_of_text():
    assets = files("referee.pages.inspector") / "assets"
    script = "".join(module.body for module in modules(assets, MAIN).values())
    assert [way for way in WAYS if way in script] == []


@pytest.mark.parametrize("name", ["script", "attribute", "bidi", "prototype", "address"])
def test_hostile_types_and_relations_are_shown_and_not_run(open_page, name):
    text = HOSTILE[name]
    builder = CorpusBuilder(text)
    builder.document("d", ["a", text, "b", "_"], [0])
    builder.empty_node(3, 1, 0)
    first = builder.mention(0, 2, text, text, head=1)
    builder.bridge(builder.mention(2, 3, f"{text}2", f"{text}2"), first, text)
    builder.mention(3, 4, f"{text}3")
    builder.split_antecedent(2, 0)
    p = open_page(inspect(builder.corpus()), "#doc=d&show=heads+relations")
    p.page.wait_for_selector(".relation")
    shown = SHOWN[name]
    p.page.click("[data-name=E2]")
    p.page.wait_for_selector(".card .relations")
    assert shown in p.page.text_content(".card .relations")
    assert shown in p.page.text_content(".card .about")
    assert shown[:20] in p.page.text_content(".entity .type")
    p.page.hover(".entities.K [data-name=E2]")
    p.page.wait_for_selector(".tooltip:not([hidden])")
    p.page.hover(".text .piece[aria-label^=b]")
    p.until("document.querySelector('.tooltip').textContent.includes('bridging')")
    assert shown[:40] in p.page.text_content(".tooltip")
    p.page.select_option("[data-filter=entityType]", text)
    p.page.wait_for_selector("[data-name=E3]", state="detached")
    assert parse_qs(p.hash[1:])["class"] == [text]
    p.page.click(".relation >> nth=0")
    p.page.evaluate("location.hash = '#overview='")
    p.page.wait_for_selector(".lede")
    assert shown[:30] in p.page.text_content(".kinds")
    assert p.page.evaluate("window.ran") is None
    assert p.page.evaluate("document.querySelectorAll('style, img, a, iframe').length") == 1


@pytest.mark.parametrize("name", ["script", "attribute", "bidi", "long"])
def test_hostile_annotators_are_shown_and_not_run(open_page, name):
    text, shown = HOSTILE[name], SHOWN[name][:20]
    page = of_annotators([[text, "a"], ["b"]], [[text], ["b", "a"]], [["a", "b"]], names=("x" + text, text, "y"))
    p = open_page(page)
    for place in (".matrix thead", ".matrix tbody"):
        assert shown in p.page.text_content(place)
    p.page.evaluate("location.hash = '#view=annotators'")
    p.page.wait_for_selector(".placements .error")
    for place in (".placement.names", ".placements .list-head", ".legend"):
        assert shown in p.page.text_content(place)
    assert shown in p.page.locator(".placements .error", has_text=shown).first.text_content()
    p.page.click(".placements .error")
    p.page.wait_for_selector(".card .about")
    assert shown in p.page.text_content(".card .about")
    p.page.keyboard.press("1")
    p.page.wait_for_selector(".heads")
    assert shown in p.page.text_content(".heads")
    p.page.keyboard.press("o")
    p.page.click(".matrix [data-pair='0 1']")
    p.page.wait_for_selector(".lede .against")
    assert shown in p.page.text_content(".lede")
    assert p.page.evaluate("window.ran") is None


@pytest.mark.parametrize("name", ["script", "closing tag", "attribute", "bidi", "prototype", "formula"])
def test_hostile_reasons_are_shown_and_not_run(open_page, tmp_path, name):
    text = {**HOSTILE, "formula": '=1+"1"\u2028@x'}[name]
    builder = CorpusBuilder("response")
    builder.document(text, [text, "a"], [0])
    builder.mention(0, 1, "1")
    builder.mention(1, 2, "1")
    with (tmp_path / "why.tsv").open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, delimiter="\t", lineterminator="\n")
        rows.writerow(NEEDED)
        rows.writerow([text, 0, 1, "new", "", "", "0.5", "", text.replace(" ", "")])
        rows.writerow([text, 1, 2, "attached", text, "0.9", "0.1", "", text.replace(" ", "")])
    response = builder.corpus()
    p = open_page(inspect(response, response, explain=tmp_path / "why.tsv"), "#entity=R1&mention=2")
    p.page.wait_for_selector(".card .reason")
    shown = {**SHOWN, "formula": '=1+"1"⟨2028⟩@x'}[name]
    assert p.page.inner_text(".card .reason") == f"a: attached by “{shown}”"
    p.page.evaluate("location.hash = '#entity=R1&mention=1'")
    p.until("document.querySelector('.card .reason').textContent.includes(': new entity')")
    assert p.page.evaluate("window.ran") is None
    assert p.page.evaluate("document.querySelectorAll('style, img, a, iframe').length") == 1
