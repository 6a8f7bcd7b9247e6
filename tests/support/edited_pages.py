"""Documents in which each word is there once, so that the text of a mention tells its place; and edits of them in a browser."""

from pathlib import Path
from random import Random

from referee import CorpusBuilder, inspect, write
from tests.support.browsers import CAUGHT

DRIVER = (Path(__file__).parent / "editing.js").read_text()


def random_corpus(seed, documents, words=24, *, mentions=9):
    """Mentions that do not cross, in entities of a few; a mention has words of one sentence."""
    random = Random(seed)
    builder = CorpusBuilder()
    for number in range(documents):
        builder.document(f"d{number:03}", [f"w{n}" for n in range(words)], [0, words // 2])
        spans = set()
        for _ in range(mentions):
            start = random.randrange(words)
            end = min(start + random.choice([1, 1, 2, 4]), words if start >= words // 2 else words // 2)
            if all(end <= a or b <= start or (a <= start and end <= b) or (start <= a and b <= end) for a, b in spans):
                spans.add((start, end))
        for start, end in sorted(spans):
            builder.mention(start, end, str(random.randrange(1, 5) + 4 * number))
    return builder.corpus()


def edited_in_browser(open_page, folder, name, *, documents, steps, seed, ending):
    """The entities that the page shows of each document after random edits, and those of the key as it is corrected.

    Both are lists of the texts of mentions, in order.
    """
    key, response = folder / f"{name}{ending}", folder / f"{name}.response.conll"
    corpus = random_corpus(seed, documents)
    write(corpus, key if key.suffix else f"{key}/", format=name, lossy=True)
    write(random_corpus(seed + 1, documents), response)
    page = open_page(inspect(key, response), viewport={"width": 1280, "height": 1800})
    page.page.keyboard.press("e")
    page.page.wait_for_selector(".edit-bar:not([hidden])")
    shown = []
    for number in range(documents):
        if number:
            page.page.keyboard.press("]")
            page.until(f"document.title.startsWith('d{number:03} ')")
        shown.append(page.page.evaluate(DRIVER, [seed * 1000 + number, steps]))
    return key, saved(page, folder)[1], [sorted(sorted(entity, key=first_word) for entity in entities) for entities in shown]


def saved(page, folder):
    """The name and the path of a file that the page saves."""
    page.page.evaluate(CAUGHT)
    page.page.keyboard.press("S")
    page.until("window.saved.length === 1")
    name, content = page.page.evaluate("window.saved[0]")
    path = folder / name
    path.write_bytes(content.encode("latin-1"))
    return name, path


def first_word(text):
    return [int(word[1:]) for word in text.split()]


def entities_of(corpus, *, key=first_word):
    """The texts of the mentions of each entity of each document."""
    return [
        sorted(sorted((mention.text for mention in entity), key=key) for entity in document.entities) for document in corpus
    ]
