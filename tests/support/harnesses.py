"""What harnesses that evaluate language models are given in tests: a key, answers about it, and what these say."""

import json

import referee

TEXTS = {
    "anna": [["Anna", "met", "her", "brother", "."], ["He", "greeted", "her", "."]],
    "cat": [["The", "cat", "saw", "a", "bird", "."], ["It", "hid", "from", "it", "."]],
    "rain": [["It", "rained", "on", "Tom", "."], ["He", "ran", "home", "."]],
    "ship": [["The", "ship", "sank", "."], ["Nobody", "saw", "it", "."]],
    "dog": [["Bob", "fed", "his", "dog", "."], ["The", "dog", "thanked", "him", "."]],
}
KEY = {
    "anna": [[[0, 0], [2, 2], [7, 7]], [[2, 3], [5, 5]]],
    "cat": [[[0, 1], [6, 6]], [[3, 4], [9, 9]]],
    "rain": [[[3, 3], [5, 5]]],
    "ship": [[[0, 1], [6, 6]]],
    "dog": [[[0, 0], [2, 2], [8, 8]], [[2, 3], [5, 6]]],
}

ANSWERS = {
    "anna": "[Anna](#1) met [[her](#1) brother](#2). [He](#2) greeted [her](#1).",
    "cat": "<think>What hid? I see.</think>\n[The cat](#1) saw [a bird](#2). [It](#2) hid from [it](#1).",
    "rain": "I am sorry, but I cannot help with this request.",
    "ship": "[Call](#1) me Ishmael, [he](#1) told whoever had been asking.",  # another text
    "dog": '[[["Bob", 1], ["his", 1]], [["his dog", 1], ["The dog", 2], ["him", 2]]]',
}
SAID = {
    "anna": KEY["anna"],
    "cat": [[[0, 1], [9, 9]], [[3, 4], [6, 6]]],
    "rain": [],
    "ship": [],
    "dog": [[[0, 0], [2, 2]], [[2, 3], [5, 6], [8, 8]]],
}
"""The entities of the answers, by hand."""


def lines(entities):
    """The documents with these entities, as JSON lines."""
    return "".join(
        json.dumps({"doc_key": name, "sentences": TEXTS[name], "clusters": clusters}) + "\n"
        for name, clusters in entities.items()
    )


def write_key(folder):
    """The key in a file."""
    path = folder / "key.jsonlines"
    path.write_text(lines(KEY), encoding="utf-8")
    return str(path)


def expected(folder, **how):
    """The scores of what the answers say, as `referee.score` gives them for all documents at once."""
    path = folder / "said.jsonlines"
    path.write_text(lines(SAID), encoding="utf-8")
    return referee.score(write_key(folder), str(path), **how).flat()


def answer_to(prompt):
    """The answer about the text that a prompt asks about."""
    (name,) = [name for name, sentences in TEXTS.items() if "".join(sentences[1]) in "".join(prompt.split())]
    return ANSWERS[name]
