"""Scores as HTML: a report, and what notebooks show."""

from __future__ import annotations

from html.parser import HTMLParser

from referee import score


class Cells(HTMLParser):
    """The rows of a table, and every tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] in (["td"], ["th"]):
            self.rows[-1][-1] += data.strip("\n")


def test_a_notebook_shows_the_scores() -> None:
    """Half of the links of the key are found, none is wrong."""
    shown = Cells(score([{"a", "b", "c"}], [{"a", "b"}, {"c"}], metrics=["muc", "conll"])._repr_html_())
    assert shown.rows[0] == ["metric", "recall", "precision", "F1", "value"]
    assert shown.rows[1] == ["muc", "50.00", "100.00", "66.67", ""]


def test_names_are_shown_and_never_run() -> None:
    hostile = "<script>alert('x')</script>&amp;"
    documents = {hostile: [["a", "b"]]}
    text = score(documents, documents, name=hostile, metrics=["muc"]).report("html", by="document")
    page = Cells(text)
    assert "script" not in page.tags
    assert page.rows[2][0] == hostile
    assert "<title>&lt;script&gt;" in text
