"""Entity resolution: attributes of records, pairwise links as headline, merges and splits."""

import csv
import re

import pytest

from referee import inspect
from referee.basics.exceptions import RefereeError, RefereeWarning
from referee.error_analysis.describing import Describing
from referee.error_analysis.regrouped import REGROUPED
from referee.pages.inspector.record_table import read_records
from tests.pages.inspector.test_export import table
from tests.pages.inspector.test_hostile import HOSTILE, SHOWN
from tests.support.paths import EXAMPLES

KEY = [["r1", "r2", "r3"], ["r4", "r5"], ["r6"]]
RESPONSE = [["r1", "r2"], ["r3", "r4", "r5"], ["r6"]]
OWN_TEXT = "(e) => e.matches('option') ? '' : [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join('')"
"""Of an element; options are names of metrics, such as Mentions."""

TABLE = "name,record_id,city\nAnna Meyer,r1,Bern\nAnna Meyer,r2,Bern\nA. Meyer,r3,Bern\nBob,r4,\nمحمد علي 2,r5,12\n=1+1,r6,@x\n"


@pytest.fixture
def resolved(tmp_path):
    (tmp_path / "records.csv").write_text(TABLE, encoding="utf-8")
    return inspect(KEY, RESPONSE, records=tmp_path / "records.csv")


def test_attributes_stand_beside_the_ids(open_page, resolved):
    p = open_page(resolved, "#entity=K1&view=text")
    p.page.wait_for_selector(".records-card")
    assert p.texts(".records-card tr")[0].split("\t") == ["Record", "Where", "name", "city"]
    assert [row.split("\t") for row in p.texts(".records-card tbody tr")] == [
        ["r1", "R1", "Anna Meyer", "Bern"],
        ["r2", "R1", "Anna Meyer", "Bern"],
        ["r3", "R2 misplaced", "A. Meyer", "Bern"],
    ]
    assert p.texts(".records-card .rare") == ["A. Meyer"]
    assert p.texts(".records-card .more") == ["Bold: more than half of the records have another value."]
    assert "r1 (\u2068Anna Meyer\u2069, \u2068Bern\u2069)" in p.page.text_content(".text")
    for width, columns in ((1280, 3), (400, 1)):
        p.page.set_viewport_size({"width": width, "height": 860})
        boxes = [piece.bounding_box() for piece in p.page.locator(".text .piece").all()]
        assert len({(box["x"], box["y"]) for box in boxes}) == 6  # a line each
        assert len({box["x"] for box in boxes}) == columns
    p.page.keyboard.press("1")
    p.page.keyboard.press("/")
    p.page.keyboard.type("a. mey")
    p.page.wait_for_selector("[data-name=K2]", state="detached")
    assert set(p.texts(".entity .name")) == {"K1", "R2"}


def test_pairwise_links_are_the_headline(open_page, resolved):
    p = open_page(resolved)
    p.page.wait_for_selector(".strip")
    assert p.texts(".strip-place dt") == ["Pairwise links", "B³", "Exact entities", "Records", "More"]
    p.page.click(".merges .error")
    assert p.page.input_value(".card [data-filter=metric]") == "links"


def test_merges_and_splits_are_a_list(open_page, resolved):
    p = open_page(resolved)
    p.page.wait_for_selector(".merges .error")
    assert p.texts("[role=tab]")[0] == "Merges and splits"
    assert p.texts(".list-head .score") == [
        "Exactly right\n1\nof 3 entities of the key",
        "Split\n1\nof 3 entities of the key",
        "Merged from several\n1\nof 3 entities of the response",
    ]
    assert not p.page.is_visible(".text")
    assert not [word for word in ("mention", "span", "words") if word in p.page.inner_text(".main")]
    rows = [row.replace("\u2068", "").replace("\u2069", "").split() for row in p.texts(".merges .error")]
    assert [row[:8] for row in rows] == [
        ["merge", "R2", "=", "K2", "2", "records", "r4", "(Bob),"],
        ["split", "K1", "=", "R1", "2", "records", "r1", "(Anna"],
    ]
    assert p.texts(".merges .from") == ["2 pairs", "2 pairs"]
    listed = [(kind, row) for kind in REGROUPED for row in resolved.evaluations[0].errors().to_rows(by=kind)]
    assert [row[0] for row in rows] == [kind for kind, _ in listed]  # as `referee errors` lists them
    assert [f"{row['pairs']} pairs" for _, row in listed] == p.texts(".merges .from")
    p.page.click("[data-merges=split]")
    assert p.page.locator(".merges .error").count() == 1
    p.page.click(".merges .error")
    p.page.wait_for_selector(".records-card")
    assert p.hash == "#doc=%231&entity=K1"
    p.page.keyboard.press("1")
    p.page.keyboard.press("5")
    p.page.wait_for_selector(".merges .error")
    p.page.click("[data-merges=all]")
    p.page.keyboard.press("/")
    p.page.keyboard.type("bob")  # who is in R2 alone of these two
    p.until("document.querySelectorAll('.merges .error').length === 1")
    assert p.texts(".list-head .value") == ["1", "1", "1"]


def test_false_and_missed_pairs_are_a_list_with_their_probabilities(open_page, tmp_path):
    labels = "id1,id2,label\nr1,r2,1\nr2,r3,1\nr3,r4,0\nr4,r5,1\nr5,r6,0\n"
    pairs = "id1,id2,probability\nr1,r2,0.9\nr3,r4,0.8123456789\nr4,r5,0.3\nr5,r6,0.95\n"
    for name, text in (("labels", labels), ("pairs", pairs), ("records", TABLE)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    files = [tmp_path / f"{name}.csv" for name in ("labels", "pairs")]
    p = open_page(inspect(*files, tables="one", threshold=0.5, records=tmp_path / "records.csv"))
    p.page.wait_for_selector(".merges .error")
    assert p.texts(".merges .chip") == ["both", "2 merges", "2 splits", "4 wrong pairs"]
    p.page.click("[data-merges=pair]")
    assert p.texts(".merges .kind") == ["false", "false", "missed", "missed"]
    assert p.texts(".merges .from") == ["0.95", "0.812346", "0.3", "not listed"]
    rows = [re.findall(r"r\d", row) for row in p.texts(".merges .what")]
    assert rows == [["r5", "r6"], ["r3", "r4"], ["r4", "r5"], ["r2", "r3"]]
    assert [*table(p)[1].values()] == ["false", "r3", "r4", "0.8123456789"]  # exported as they are
    assert "2 false, the most probable first, then 2 missed" in p.texts(".list-head p")[0]
    p.page.fill(".search input", "bob")  # r4
    p.until("document.querySelectorAll('.merges .error').length === 2")
    p.page.fill(".search input", "")
    p.until("document.querySelectorAll('.merges .error').length === 4")
    p.page.click(".merges .error")
    p.page.wait_for_selector(".records-card")
    assert {row.split("\t")[0] for row in p.texts(".records-card tbody tr")} == {"r5", "r6"}
    p.page.click("[data-merges=all]")
    assert p.page.locator(".merges .error").count() == 4


def test_a_page_whose_entities_have_too_many_pairs_does_without_them(open_page, monkeypatch):
    key = [{"id": record, "cluster": cluster} for record, cluster in ("ax", "bx", "cx", "dy")]
    pairs = [{"id1": "a", "id2": "b"}, {"id1": "c", "id2": "d"}]
    p = open_page(inspect(key, pairs))
    p.page.wait_for_selector(".merges .error")
    assert p.texts(".merges .chip")[-1] == "3 wrong pairs"
    monkeypatch.setattr("referee.error_analysis.wrong_pairs.MOST", 2)
    p = open_page(inspect(key, pairs))
    p.page.wait_for_selector(".merges .error")
    assert p.texts(".merges .chip") == ["both", "1 merge", "1 split"]


def test_a_page_of_one_table_is_called_by_its_files_and_a_phone_has_no_ribbons(open_page, tmp_path):
    for name, entities in (("truth.csv", KEY), ("found.csv", RESPONSE)):
        rows = "".join(f"{record},{n}\n" for n, entity in enumerate(entities) for record in entity)
        (tmp_path / name).write_text(f"id,entity\n{rows}")
    p = open_page(inspect(tmp_path / "truth.csv", tmp_path / "found.csv"), "#view=entities")
    p.page.wait_for_selector(".flow path", state="attached")
    assert p.page.title() == "found · truth · Referee"
    assert p.texts(".where .picker") == ["found · truth"]
    assert p.page.is_visible(".flow")
    p.page.set_viewport_size({"width": 400, "height": 860})
    assert not p.page.is_visible(".flow")


def test_parts_quote_the_records_that_are_shared(open_page):
    key = [["a1", "a2", "a3", "a4", "a5"], ["b1", "b2", "b3"]]
    response = [["a1", "a2", "a3", "a4", "b3"], ["a5", "b1"], ["b2"]]
    p = open_page(inspect(key, response), "#view=merges")
    p.page.wait_for_selector(".merges .error")
    rows = p.page.eval_on_selector_all(
        ".merges .error", "rows => rows.map(row => [...row.querySelectorAll('b, .quoted')].map(part => part.textContent))"
    )
    assert sorted(rows) == [
        ["K1", "a1", "K2", "b3"],  # R1: of five records that K1 has there, the first one
        ["K1", "a5", "K2", "b1"],  # R2, neither with the first record of K1
        ["R1", "a1", "R2", "a5"],  # K1
        ["R1", "b3", "R2", "b1", "R3", "b2"],  # K2
    ]
    assert "K1 4 mentions a1 …" in p.texts(".merges .error")[0]


def test_an_error_says_most_only_of_more_than_half(open_page):
    key = [["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2"]]
    response = [["a1"], ["a2", "b1", "b2"], ["a3", "c1"], ["b3", "c2"]]
    p = open_page(inspect(key, response), "#view=errors")
    p.page.wait_for_selector(".errors .error")
    found = p.texts(".errors .what")
    assert "a2 of K1: in R2, which is mostly K2; K1’s best match is R1" in found  # K1 is in three, R2 has two of K2
    assert "b3 of K2: in R4, whose best match is K3, while most of K2 is in R2" in found


def test_the_page_of_records_speaks_of_records(open_page, tmp_path):
    (tmp_path / "records.csv").write_text(TABLE, encoding="utf-8")
    p = open_page(inspect(KEY, RESPONSE, KEY, records=tmp_path / "records.csv"), "#view=changes&entity=K1")
    p.page.wait_for_selector(".changes .chip")
    assert p.texts(".changes .chip")[0] == "fixed: 1 record"  # r3
    for place in ("#view=entities&entity=K1", "#view=errors&entity=R2", "#view=text", "#view=merges", "#view=changes"):
        p.page.evaluate(f"location.hash = '{place}'")
        p.page.wait_for_timeout(200)
        said = p.page.eval_on_selector_all(".main *, .help *", "all => all.map(TEXT).join(' ')".replace("TEXT", OWN_TEXT))
        assert re.findall(r".{30}mention.{30}", said, re.IGNORECASE) == [], place


def test_an_entity_is_found_by_its_id_in_the_file(open_page, tmp_path):
    (tmp_path / "key.csv").write_text("id,entity\na,Red\nb,7\nc,7\nd,9\n", encoding="utf-8")
    (tmp_path / "response.csv").write_text("id,entity\na,12\nb,2\nc,7\nd,9\n", encoding="utf-8")
    p = open_page(inspect(tmp_path / "key.csv", tmp_path / "response.csv"), "#view=entities")
    # Whole numbers have the letter of their side, other ids are called as they are.
    called = {"entity 7": "K7", "response 7": "R7", "Entity  red": "Red", "red": "Red", "9": "K9", "r12": "R12"}
    called |= {"2": "R2", "entity 2": "not found"}
    for query, found in called.items():
        p.page.fill(".search input", query)
        p.until(f"document.querySelector('.found').textContent === '{found}'")
        p.page.keyboard.press("Enter")
        if found != "not found":
            address = "entity red" if found == "Red" else found
            p.until(f"new URLSearchParams(location.hash.slice(1)).get('entity') === '{address}'")
    for place, found in (("7", "K7"), ("entity+9", "K9"), ("entity+red", "Red"), ("response+2", "R2"), ("R12", "R12")):
        p.page.evaluate(f"location.hash = '#entity={place}&view=entities'")
        p.until(f"document.querySelector('.card h2')?.textContent.startsWith('{found}')")
    assert {*p.texts(".entities.K .name")} == {"K7", "Red", "K9"} and p.texts(".entities .id") == []


@pytest.mark.parametrize("labels", ["5 5 18 0", "e5 e5 e18 e0", "5 5 18 e0", "123456789 123456789 18 0"])
def test_the_page_and_the_report_call_an_entity_by_one_name(open_page, tmp_path, labels):
    key = dict(zip(("r2", "r10", "r3", "r1"), labels.split(), strict=True))
    for name in ("key", "response"):
        (tmp_path / f"{name}.csv").write_text("".join(f"{m},{e}\n" for m, e in [("id", "entity"), *key.items()]))
    page = inspect(tmp_path / "key.csv", tmp_path / "response.csv")
    (evaluation,) = page.evaluations
    saying = Describing(evaluation.errors().differences)
    p = open_page(page, "#view=entities")
    for side in "KR":
        corpus = evaluation.key if side == "K" else evaluation.response
        names = {saying.short_name(n, in_key=side == "K").split()[0] for n in range(len(corpus.entity_ids))}
        assert set(p.texts(f".entities.{side} .name")) == names
        for entity in corpus.documents["#1"].entities:
            called = saying.short_name(entity.index, in_key=side == "K")
            row = f".entities.{side} [data-name='{called}']"
            assert p.page.inner_text(f"{row} .mentions").startswith(
                min((m.text for m in entity.mentions), key=lambda m: int(m[1:]))
            )


def test_merges_and_splits_have_peoples_own_ids_and_both_entities_apart(open_page, tmp_path):
    (tmp_path / "key.csv").write_text("id,entity\nr1,alpha\nr2,beta\nr3,alpha\nr4,beta\nr5,gamma\n", encoding="utf-8")
    (tmp_path / "response.csv").write_text("id,entity\nr1,c1\nr2,c1\nr3,c1\nr4,c1\nr5,alpha\n", encoding="utf-8")
    p = open_page(inspect(tmp_path / "key.csv", tmp_path / "response.csv"))
    p.page.wait_for_selector(".merges .error")
    assert p.texts(".merges .what") == ["c1 = alpha 2 records r1, r3 + beta 2 records r2, r4"]
    assert p.texts(".strip-place .sides")[0] == "F1 · R 100.00 P 33.33"
    for query, rows in (("beta", 1), ("c1", 1), ("r4", 1), ("gamma", 0)):
        p.page.fill(".search input", query)
        p.until(f"document.querySelectorAll('.merges .error').length === {rows}")
    p.page.fill(".search input", "")
    p.page.click(".merges .error")
    assert p.texts(".members li .words") == ["r1", "r3", "r2", "r4"]
    assert p.texts(".members li.begins .words") == ["r2"]
    assert p.texts(".card dt") == ["records found", "B³ precision", "links precision"]
    said = " ".join(p.texts("body"))
    assert "LEA" not in said and "MUC" not in said and "this document" not in said
    p.page.keyboard.press("?")
    said = p.page.inner_text(".help")
    assert re.findall("(?i)mention|document|sentence|words|the text", said) in ([], ["document"])  # of the export


def test_tables_of_records_have_the_metrics_of_reports_and_no_conll(open_page, tmp_path):
    for name, grouping in (("key", KEY), ("response", RESPONSE)):
        rows = [f"{record},{n}\n" for n, entity in enumerate(grouping) for record in entity]
        (tmp_path / f"{name}.csv").write_text("".join(["id,cluster\n", *rows]))
    files = tmp_path / "key.csv", tmp_path / "response.csv"
    p = open_page(inspect(*files), "#view=scores")
    metrics = p.texts(".scores tbody th")
    assert metrics[:4] == ["Pairwise links", "B³", "Exact entities", "Records"]
    assert {"ARI", "V-measure"} < set(metrics)
    assert not {"CoNLL", "MUC", "CEAFe"} & set(metrics)
    assert [*inspect(*files, metrics="conll").evaluations[0].counts] == ["conll"]
    p = open_page(inspect(files[0]))
    p.page.wait_for_selector("[data-name=E1]")  # one table alone: its entities, and the ids behind a tab
    assert not p.page.is_visible(".text")


def test_tables_have_ids_alone_and_no_formulas(open_page, resolved):
    p = open_page(resolved)
    found = {}
    for view, name in (("entities", "1"), ("merges", "5")):
        p.page.keyboard.press(name)
        found[view] = table(p)
    assert [row["mentions"] for row in found["entities"]] == [
        "r1 | r2 | r3", "r4 | r5", "r6", "r1 | r2", "r3 | r4 | r5", "r6",
    ]  # fmt: skip
    assert [(row["kind"], row["entity"], row["pairs"], row["consists_of"]) for row in found["merges"]] == [
        ("merge", "R2", "2", "K2: 2 | K1: 1"),
        ("split", "K1", "2", "R1: 2 | R2: 1"),
    ]


@pytest.mark.parametrize("name", ["script", "bidi", "controls", "prototype", "long"])
def test_hostile_attributes_are_shown_and_not_run(open_page, tmp_path, name):
    text = HOSTILE[name].replace("\u0000", "\u0001")
    with (tmp_path / "records.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([["id", text], ["a", text], ["b", "\ufdd1" + text + "\ufdd0"]])
    p = open_page(inspect([["a", "b"]], [["a"], ["b"]], records=tmp_path / "records.csv"), "#entity=K1")
    p.page.wait_for_selector(".records-card")
    shown = SHOWN[name].replace("\u2400", "\u2401")
    assert shown[:40] in p.page.text_content(".records-card td bdi")
    assert shown[:40] in p.page.text_content(".records-card thead")
    assert "⟨FDD1⟩" in p.page.text_content(".records-card")
    assert shown[:40] in p.page.text_content(".text")
    p.page.click("[data-view=merges]")
    p.page.hover(".merges .error")
    assert p.page.evaluate("window.ran") is None
    assert p.page.evaluate("document.querySelectorAll('style, img, a, iframe').length") == 1


def test_records_are_of_items_and_those_that_lack_are_told(tmp_path):
    (tmp_path / "records.tsv").write_text("what\tid\tname\nx\ta\tAnn\n")
    found = read_records(tmp_path / "records.tsv")
    assert (found.columns, found.rows) == (["what", "name"], {"a": ["x", "Ann"]})
    with pytest.warns(RefereeWarning, match=r"lacks 1 record of 2, such as 'b'"):
        inspect([["a", "b"]], records=tmp_path / "records.tsv")
    with pytest.raises(RefereeError, match="found mentions that are spans"):
        inspect(EXAMPLES / "key.conll", records=tmp_path / "records.tsv")
    with pytest.raises(RefereeError, match="nowhere"):
        inspect([["a"]], records="nowhere.csv")
    with pytest.raises(
        RefereeError, match=r"^records is the path of a table; found a value of the type dict: expected its file"
    ):
        inspect([["a"]], records={"id": ["a"]})  # as a frame is given
