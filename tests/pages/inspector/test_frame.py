"""The page in a notebook: a frame that has no address and may keep nothing."""

from referee import inspect
from referee.pages.inspector import inspection


def test_the_page_works_in_a_frame(browser, tmp_path):
    made = inspect([{"Ann", "she", "her"}, {"the boat", "it"}], [{"Ann", "she"}, {"the boat", "it", "her"}])
    (tmp_path / "notebook.html").write_text(f"<!doctype html><body>{made._repr_html_()}", encoding="utf-8")
    page = browser.context().new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    page.goto((tmp_path / "notebook.html").as_uri())
    frame = page.frames[1]
    frame.click(".entity[data-name=K1]")
    assert set(frame.eval_on_selector_all(".entity.highlighted", "rows => rows.map(row => row.dataset.name)")) == {"R1", "R2"}
    assert faults == []
    page.close()


def test_a_page_too_large_for_a_notebook_shows_the_scores(monkeypatch):
    monkeypatch.setattr(inspection, "LARGEST_FRAME", 10)
    shown = inspect([{"a", "b"}], [{"a", "b"}])._repr_html_()
    assert "<table" in shown
    assert "save(path)" in shown
