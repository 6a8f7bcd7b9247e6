"""Edit: what is done to the key on the page is what `referee correct` puts into its file."""

from referee import correct, read
from tests.support.browsers import once_is_enough
from tests.support.edited_pages import edited_in_browser, entities_of


def test_random_edits_become_the_key_that_the_page_showed(open_page, tmp_path, browser):
    once_is_enough(browser, again=False)
    key, path, shown = edited_in_browser(open_page, tmp_path, "jsonlines", documents=50, steps=6, seed=1, ending=".jsonlines")
    result = correct(key, path)
    assert entities_of(result.corpus) == shown
    result.write(tmp_path / "new.jsonlines")
    assert entities_of(read(tmp_path / "new.jsonlines")) == shown
    assert len(result.listing().rows) > 100
