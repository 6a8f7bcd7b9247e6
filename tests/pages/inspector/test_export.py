"""What is taken along: links, CSV, pictures, a document as a page of its own."""

import base64
import csv
import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from referee import inspect
from referee.corpus.builder import CorpusBuilder
from tests.pages.inspector.test_hostile import HOSTILE, hostile
from tests.support.annotators import of_annotators
from tests.support.browsers import CAUGHT, once_is_enough


def exported(p, what):
    """The name and the content of a file that a button of the dialog makes."""
    p.page.evaluate(CAUGHT)
    p.page.keyboard.press("s")
    p.page.click(f"dialog[open] [data-export={what}]")
    p.until("window.saved.length === 1")
    name, content = p.page.evaluate("window.saved[0]")
    p.page.keyboard.press("Escape")
    return name, content.encode("latin-1")


def table(p):
    _, content = exported(p, "csv")
    text = content.decode("utf-8-sig")
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text)))


def test_the_link_is_that_of_the_view(open_page, one):
    p = open_page(one, "#doc=lighthouse&entity=K1")
    p.page.select_option("[data-filter=order]", "text")
    p.page.focus(".text")
    p.page.keyboard.press("s")
    assert p.page.input_value("dialog[open] input") == p.page.evaluate("location.href")
    assert p.hash == "#doc=lighthouse&entity=K1&order=text"


def test_documents_are_exported_with_all_digits(open_page, one):
    rows = table(open_page(one))
    (e,) = one.evaluations
    assert sorted(row["document"] for row in rows) == sorted(e.documents)
    for row in rows:
        assert float(row["lea"]) == e.document(row["document"])["lea"].value


def test_lists_of_a_document_are_exported(open_page, two):
    p = open_page(two, "#doc=lighthouse&view=errors")
    p.page.wait_for_selector(".error .kind")
    errors = table(p)
    assert len(errors) == int(p.page.inner_text("#tab-errors .n"))
    assert {row["kind"] for row in errors} == set(p.texts(".error .kind"))
    p.page.click("#tab-changes")
    assert len(table(p)) == sum(int(re.search(r"\d+", chip)[0]) for chip in p.texts(".chips .chip"))
    p.page.click("#tab-scores")
    scores = [row for row in table(p) if row["metric"] == "muc"]
    assert [float(row["recall"]) for row in scores] == [e.document("lighthouse")["muc"].recall for e in two.evaluations]
    p.page.click("#tab-entities")
    entities = table(p)
    assert entities[0]["entity_id"] == "1"
    assert entities[0]["mentions"] == "Anna | She | her | the keeper | Her | she | Anna"


def test_errors_of_all_documents_are_exported_in_their_order(open_page, one):
    p = open_page(one, "#view=errors")
    p.page.wait_for_selector(".concordance .kwic b >> nth=3")
    rows = table(p)
    assert [row["mention"] for row in rows] == p.texts(".concordance .kwic b")
    costs = [float(row["cost_conll"]) for row in rows]
    assert costs == sorted(costs, reverse=True)
    names = ("mention_type", "entity_type", "size", "distance")
    expected = [["" if row[name] is None else str(row[name]) for name in names] for row in one.evaluations[0].errors()]
    assert [[row[name] for name in names] for row in rows] == expected


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u200b=1", "＝1", '",=1,"', "\n=1", ";=1", "'=1"]


@pytest.mark.parametrize("name", ["formulas", "bidi", "controls", "attribute", "closing tag", "surrogate"])
def test_no_cell_is_a_formula(open_page, name):
    texts = FORMULAS if name == "formulas" else [HOSTILE[name]]
    builder = CorpusBuilder()
    for text in [*texts, "harmless"]:
        builder.document(f"{text}d", [text, "x"], [0])
        builder.mention(0, 1, text, text)
    corpus = builder.corpus()
    p = open_page(inspect(corpus, corpus))
    _, content = exported(p, "csv")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    p.page.click("[data-document='0']")
    p.page.wait_for_selector(".text .piece")
    _, content = exported(p, "csv")
    rows += list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    no_formula(rows)
    assert len({len(row) for row in rows}) == 2  # no cell broke out of its row


def no_formula(rows):
    for cell in (cell for row in rows for cell in row):
        assert not re.match(r"[\s\u200b]*[=+\-@＝＋－＠]", cell) or re.fullmatch(r"-?\d+(\.\d+)?(e-\d+)?", cell), cell


RECORDS = "=1+1", "@SUM(A1)", "\t=1", "-1", HOSTILE["closing tag"], HOSTILE["attribute"], HOSTILE["bidi"], HOSTILE["entity"]


@pytest.mark.parametrize("text", RECORDS)
def test_records_and_annotators_are_text_in_every_export(open_page, browser, tmp_path, text):
    once_is_enough(browser, text == HOSTILE["closing tag"])
    with (tmp_path / "records.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(
            [["id", text.strip(), "city"], *([name, text, f"{text}2"] for name in "abc"), [f"{text}3", text, text]]
        )
    key, response = [["a", "b", f"{text}3"], ["c"]], [["a", f"{text}3"], ["b", "c"]]
    records = inspect(key, response, records=tmp_path / "records.csv").records
    page = of_annotators(key, response, response, names=(text, f"{text}4", f"{text}5"))
    p = open_page(replace(page, records=records), "#entity=A1&view=entities")
    for view in ("entities", "errors", "merges", "annotators", "scores"):
        p.page.click(f"[data-view={view}]")
        name, content = exported(p, "csv")
        assert re.fullmatch(r"[^/\\\0]+\.csv", name)
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
        assert len(rows) > 1
        assert len({len(row) for row in rows}) == 1  # no cell broke out of its row
        no_formula(rows)
    p.page.click("[data-view=entities]")
    only_drawn(exported(p, "columns-svg")[1])
    assert exported(p, "columns-png")[1].startswith(b"\x89PNG")
    p.page.click("[data-view=text]")
    only_drawn(exported(p, "text-svg")[1])
    _, content = exported(p, "page")
    (tmp_path / "own.html").write_bytes(content)
    p.page.goto((tmp_path / "own.html").as_uri())
    p.ready()
    p.requests.clear()
    assert p.page.evaluate("document.querySelectorAll('style, img, a, iframe').length") == 1
    assert p.page.evaluate("window.ran") is None


def only_drawn(content):
    """A picture has nothing but lines and text."""
    elements = list(ET.fromstring(content).iter())
    assert {element.tag.partition("}")[2] for element in elements} <= {"svg", "g", "rect", "line", "path", "text"}
    assert not [name for element in elements for name in element.attrib if name.startswith("on") or "href" in name]


def test_pictures_are_svg_with_the_words_and_the_lines(open_page, one):
    p = open_page(one, "#doc=lighthouse&entity=K1")
    p.page.wait_for_selector(".entity.selected")
    name, content = exported(p, "text-svg")
    assert name == "lighthouse.text.svg"
    text = ET.fromstring(content)
    space = "{http://www.w3.org/2000/svg}"
    words = " ".join(word.text or "" for word in text.iter(f"{space}text"))
    assert "Anna kept the lighthouse on the rock for thirty years" in words
    dashes = {line.get("stroke-dasharray") for line in text.iter(f"{space}line")}
    assert dashes == {None, "5 2", "2 3"}
    assert not re.search(rb"oklch|light-dark|var\(", content)
    _, columns = exported(p, "columns-svg")
    drawn = ET.fromstring(columns)
    assert len(list(drawn.iter(f"{space}path"))) >= 7  # ribbons
    assert {"K1", "R1", "R6"} <= {word.text for word in drawn.iter(f"{space}text")}
    _, pixels = exported(p, "columns-png")
    assert pixels.startswith(b"\x89PNG")
    assert len(pixels) > 10_000


def test_a_line_of_a_picture_ends_with_a_whole_word(open_page):
    words = [f"grand{n}" for n in range(40)]
    side = [{"doc_key": "d", "sentences": [words], "clusters": [[[n, n] for n in range(40)]]}]
    p = open_page(inspect(side, side), "#doc=d")
    p.page.wait_for_selector(".entities.R .entity")
    _, content = exported(p, "columns-svg")
    texts = [word.text for word in ET.fromstring(content).iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("…") == 2  # a line of the key, a line of the response
    assert texts[texts.index("…") - 1] in words
    assert {word for word in texts if word and word.startswith("g")} <= set(words)


@pytest.mark.parametrize("name", ["script", "closing tag", "attribute", "bidi", "controls", "surrogate"])
def test_hostile_text_is_text_in_pictures(open_page, name):
    p = open_page(hostile(HOSTILE[name]), "#doc=harmless")
    p.page.wait_for_selector(".text .piece")
    for what in ("text-svg", "columns-svg"):
        _, content = exported(p, what)
        only_drawn(content)
    p.page.hover(".piece")
    p.page.wait_for_selector(".tooltip")
    assert p.page.evaluate("window.ran") is None


@pytest.mark.parametrize("text", ["lighthouse", HOSTILE["closing tag"]])
def test_a_document_is_a_page_of_its_own(open_page, one, tmp_path, text):
    p = open_page(one if text == "lighthouse" else hostile(text))
    p.page.click("[data-document='0']")
    p.page.wait_for_selector(".text .piece")
    words, strip = p.page.inner_text(".text .column"), p.texts(".document .strip .value")
    name, content = exported(p, "page")
    assert name.endswith(".html")
    (tmp_path / "own.html").write_bytes(content)
    p.page.goto((tmp_path / "own.html").as_uri())
    p.ready()
    p.requests.clear()
    p.page.wait_for_selector(".text .piece")
    assert (p.page.inner_text(".text .column"), p.texts(".document .strip .value")) == (words, strip)
    p.page.click(".brand")
    p.page.wait_for_selector(".overview h1")
    assert p.texts(".overview .strip .value") == strip
    assert re.search(r"documents:1\b", p.page.inner_text(".overview .signature"))
    assert p.page.evaluate("window.ran") is None


def test_any_of_many_documents_is_opened_and_exported(open_page, tmp_path, monkeypatch):
    monkeypatch.setattr("referee.pages.inspector.page.TOGETHER", 3000)  # lists of some documents
    documents = {f"d{n}": [[f"m{n}", f"n{n}", "x" * (n % 5) * 100]] for n in range(20)}
    p = open_page(inspect(documents, documents), "#doc=d19")
    for n in (19, 0, 7, 8, 13, 19):
        p.page.evaluate(f"location.hash = '#doc=d{n}'")
        p.page.wait_for_selector(f".text >> text=m{n}")
        assert f"n{n}" in p.page.inner_text(".text .column")
    (tmp_path / "own.html").write_bytes(exported(p, "page")[1])
    p.page.goto((tmp_path / "own.html").as_uri())
    p.ready()
    p.requests.clear()
    p.page.wait_for_selector(".text >> text=m19")


def test_base64_is_what_the_page_writes(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    p.page.wait_for_selector(".text .piece")
    _, content = exported(p, "page")
    blocks = re.findall(rb'<script type="text/plain" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>', content)
    assert [name for name, _ in blocks] == [b"overview", b"documents-0"]
    assert all(base64.b64decode(data).startswith(b"\x1f\x8b") for _, data in blocks)
