"""Scores as HTML: a report, and what notebooks show."""

from html.parser import HTMLParser

from referee import agree, compare, errors, score


class Cells(HTMLParser):
    """The rows of a table, every tag, and all of it."""

    def __init__(self, text):
        super().__init__()
        self.rows = []
        self.tags = []
        self.text = text
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.tags[-1:] in (["td"], ["th"]):
            self.rows[-1][-1] += data.strip("\n")


def test_a_notebook_shows_the_scores():
    """Half of the links of the key are found, none is wrong."""
    shown = Cells(score([{"a", "b", "c"}], [{"a", "b"}, {"c"}], metrics=["muc", "conll"])._repr_html_())
    assert shown.rows[0] == ["metric", "recall", "precision", "F1", "value"]
    assert shown.rows[1] == ["muc", "50.00", "100.00", "66.67", ""]


def test_names_are_shown_and_never_run():
    hostile = "<script>alert('x')</script>&amp;"
    documents = {hostile: [["a", "b"]]}
    text = score(documents, documents, name=hostile, metrics=["muc"]).report("html", by="document")
    page = Cells(text)
    assert "script" not in page.tags
    assert page.rows[2][0] == hostile
    assert "<title>&lt;script&gt;" in text


def test_a_page_names_metrics_as_papers_do_and_has_a_minus_sign():
    """The response has what the key has not, and lacks the rest."""
    key, worse = {"d": [["a", "b"]], "e": [["c", "d"]]}, {"d": [["a", "b"]], "e": [["c", "x"]]}
    report = compare(key, {"good": key, "bad": worse}, metrics=["b_cubed", "muc"])
    page = Cells(report.report("html"))
    assert page.rows[:2] == [["", "F1"], ["System", "B³", "MUC"]]
    assert "<h1>good, bad against" in page.text
    rows = Cells(errors(key, worse).report("html")).rows
    assert "Cost in points of" in rows[0]
    assert rows[1][:3] == ["Kind", "Errors", "Mentions"] and "CoNLL" in rows[1]
    merging = score([["a", "b"], ["c", "d"], ["e", "f"]], [["a", "c", "e"], ["b", "d", "f"]], metrics="ari")
    assert merging["ari"].value < 0
    assert "−" in merging.report("html") and "−" in merging._repr_html_()


def test_names_of_annotators_stay_as_they_are():
    page = Cells(agree({"ann": [["a", "b"]], "bob": [["a", "b"]]}).report("html", by="matrix"))
    assert page.rows[0][1:] == ["ann", "bob"]


def test_marks_stand_behind_digits_and_take_no_room():
    documents = {f"d{n}": [["a", "b", "c"], ["d", "e"]] for n in range(8)}
    worse = {name: [["a", "b"], ["c", "d", "e"]] for name in documents}
    found = compare(documents, {"good": documents, "bad": worse}, metrics="muc")
    assert ">75.00</td>" not in found.report("html") and '<span class="mark">†</span></td>' in found.report("html")
    assert '<span style="display: inline-block; width: 0">†</span></td>' in found._repr_html_()
    assert ".mark { display: inline-block; width: 0; }" in found.report("html")
