"""The text: mentions by keys and for screen readers, errors one after the other, sentences without errors folded."""

from referee import inspect
from referee.corpus.builder import CorpusBuilder
from tests.support.browsers import once_is_enough


def long_text(errors, sentences=60):
    """Sentences "he saw her", with one error in some of them."""
    sides = []
    for wrong in (False, True):
        builder = CorpusBuilder()
        builder.document(
            "d", [f"{word}{n}" for n in range(sentences) for word in ("he", "saw", "her")], list(range(0, 3 * sentences, 3))
        )
        for n in range(sentences):
            builder.mention(3 * n, 3 * n + 1, "he")
            builder.mention(3 * n + 2, 3 * n + 3, "he" if wrong and n in errors else "she")
        sides.append(builder.corpus())
    return inspect(*sides)


def test_mentions_have_names_that_a_screen_reader_speaks_and_are_reached_by_keys(open_page, one):
    p = open_page(one, "#doc=lighthouse")
    names = p.page.eval_on_selector_all(".piece[role=button]", "all => all.map(e => e.getAttribute('aria-label'))")
    assert "the keeper, K1, split; the keeper, R6, split" in names
    assert "thirty years, K4, missed entity" in names
    assert p.page.get_by_role("button", name="thirty years, K4").count() == 1
    focused = "document.activeElement.textContent"
    p.page.keyboard.press("t")
    p.page.keyboard.press("ArrowRight")
    assert p.page.evaluate(focused) == "Anna"
    assert p.page.inner_text(".tooltip").startswith("“Anna”")
    p.page.keyboard.press("ArrowRight")
    assert p.page.evaluate(focused) == "the lighthouse"
    p.page.keyboard.press("ArrowLeft")
    p.page.keyboard.press("Enter")
    p.page.wait_for_selector("[data-name=K1].selected")
    assert p.page.evaluate(focused) == "Anna"
    p.page.keyboard.press("Enter")  # the mention of the response that begins there
    p.page.wait_for_selector("[data-name=R1].selected")


def test_errors_are_visited_in_the_order_of_the_text(open_page):
    p = open_page(long_text([5, 30, 31]), "#doc=d")

    def step(key, expected):
        p.page.keyboard.press(key)
        p.until(f"document.querySelector('.members [aria-current=true]')?.textContent === '{expected}'")

    step("j", "her5")
    step("j", "her30")
    step("j", "her31")
    step("j", "her5")
    step("J", "her31")
    assert p.page.locator('.text .piece >> text="her31"').is_visible()


def test_sentences_without_errors_are_folded(open_page):
    p = open_page(long_text([5, 30, 31]), "#doc=d")
    sentences = "[...document.querySelectorAll('.text p[data-sentence]')].map(e => Number(e.dataset.sentence) - 1)"
    p.page.keyboard.press("f")
    p.page.wait_for_selector(".folded")
    assert p.page.evaluate(sentences) == [4, 5, 6, 29, 30, 31, 32]
    assert p.texts(".folded") == ["4 sentences without errors", "22 sentences without errors", "27 sentences without errors"]
    assert p.hash == "#doc=d&only=errors"
    p.page.click(".folded button >> nth=1")
    p.until(f"{sentences}.length === 29")
    p.page.fill("[type=search]", "saw55")  # in what is folded
    p.page.keyboard.press("Enter")
    p.page.wait_for_selector(".this-hit")
    p.page.click(".layers .chip")
    p.page.wait_for_selector(".folded", state="detached")
    assert p.hash == "#doc=d&q=saw55"


def test_marks_beside_the_scrollbar_are_where_the_errors_are(open_page):
    p = open_page(long_text([100, 900], 1000), "#doc=d")
    p.page.wait_for_selector(".marks i >> nth=1")
    tops = p.page.eval_on_selector_all(".marks i", "all => all.map(e => parseFloat(e.style.top))")
    assert [round(top / 10) for top in tops] == [1, 9]


def test_heads_and_types_are_in_the_tooltip(open_page):
    def side():
        builder = CorpusBuilder()
        builder.document("d", ["the", "old", "keeper", "slept"], [0])
        builder.mention(0, 3, "e", "person", head=2, mention_type="nominal")
        return builder.corpus()

    p = open_page(inspect(side(), side()), "#doc=d")
    p.page.hover(".piece")
    p.page.wait_for_selector(".tooltip")
    assert p.texts(".tooltip div") == ["“the old keeper”", "K1 → R1 · correct", "nominal · head “keeper” · person"]


def test_who_begins_to_speak_stands_before_the_words(open_page, browser):
    once_is_enough(browser, again=False)
    builder = CorpusBuilder()
    builder.document("d", ["I", "see", "You", "do", "Yes"], [0, 2, 4], speakers=["Ann", "Tom", "Tom"])
    builder.mention(0, 1, "a")
    p = open_page(inspect(builder.corpus(), builder.corpus()), "#doc=d")
    p.page.wait_for_selector(".text .piece")
    assert [text.strip() for text in p.texts(".text .speaker")] == ["Ann:", "Tom:"]
