"""Lemmas and features of words with tags: looked up by the longest ending that is known.

A whole word is the longest ending of all: `^` stands before its first letter. So exceptions and rules are one table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

Endings: TypeAlias = Mapping[str, Mapping[str, str]]
"""For each tag, the value of each ending; the ending `` is that of any word."""

LONGEST = 8
"""Letters of an ending that is no whole word."""

KINDS = 2
"""How many different words an ending must be seen in."""


class Lexicon(NamedTuple):
    """What is known about the words of a language.

    Parameters
    ----------
    feats : mapping
        For each tag, features by ending.
    lemma : mapping
        For each tag, rules by ending: see `lemma_by`.
    """

    feats: Endings
    lemma: Endings


def look_up(endings: Mapping[str, str], word: str) -> str | None:
    """The value of the longest ending of a word that is known.

    >>> look_up({"": "Sing", "s": "Plur", "^bus": "Sing"}, "cars"), look_up({"": "Sing", "s": "Plur", "^bus": "Sing"}, "bus")
    ('Plur', 'Sing')
    """
    text = f"^{word}"
    if text in endings:
        return endings[text]
    for start in range(max(1, len(text) - LONGEST), len(text)):
        value = endings.get(text[start:])
        if value is not None:
            return value
    return endings.get("")


def learnt(seen: Iterable[tuple[str, str, str]]) -> dict[str, dict[str, str]]:
    """The shortest endings that give each word the value it has most often.

    Parameters
    ----------
    seen : iterable of (tag, word, value)

    Examples
    --------
    >>> cars = [("N", word, "Plur") for word in ("cars", "dogs", "cats")]
    >>> learnt([*cars, ("N", "bus", "Sing"), ("N", "car", "Sing"), ("N", "dog", "Sing")])
    {'N': {'': 'Plur', '^bus': 'Sing', '^car': 'Sing', '^dog': 'Sing'}}
    """
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for tag, word, value in seen:
        counts[tag][word][value] += 1
    return {tag: _of_tag(counts[tag]) for tag in sorted(counts)}


def _of_tag(words: Mapping[str, Counter[str]]) -> dict[str, str]:
    # An ending counts each word once, as words that were not seen are rare ones.
    by_ending: dict[str, Counter[str]] = defaultdict(Counter)
    most = {word: _most(count) for word, count in words.items()}
    for word, value in most.items():
        text = f"^{word}"
        for start in range(max(1, len(text) - LONGEST), len(text) + 1):
            by_ending[text[start:]][value] += 1
    forms: dict[str, str] = {}
    for ending in sorted(by_ending, key=lambda text: (len(text), text)):
        count = by_ending[ending]
        value = _most(count)
        inherited = look_up_shorter(forms, ending)
        if inherited is None or (sum(count.values()) >= KINDS and count[value] > count[inherited] + 1):
            forms[ending] = value
    whole = {f"^{word}": value for word, value in sorted(most.items()) if look_up(forms, word) != value}
    return forms | whole


def look_up_shorter(endings: Mapping[str, str], ending: str) -> str | None:
    """The value of the longest known ending of an ending, itself left out."""
    for start in range(1, len(ending) + 1):
        if ending[start:] in endings:
            return endings[ending[start:]]
    return None


def _most(count: Counter[str]) -> str:
    return min(count, key=lambda value: (-count[value], value))


def lemma_rule(word: str, lemma: str) -> str:
    """How to make a lemma of a word: how many letters to cut off, then what to add; `^` begins one that keeps its capitals.

    >>> lemma_rule("Cars", "car"), lemma_rule("went", "go"), lemma_rule("Smith", "Smith"), lemma_rule("cars", "_")
    ('1', '4go', '^0', '_')
    """
    if lemma == "_":
        return "_"
    low = word.lower()
    keeps = low != word and lemma != lemma.lower()
    base = word if keeps else low
    same = 0
    while same < min(len(base), len(lemma)) and base[same] == lemma[same]:
        same += 1
    return f"{'^' if keeps else ''}{len(base) - same}{_quoted(lemma[same:])}"


def _quoted(added: str) -> str:
    """What is added; a digit at its beginning is kept from the number before it."""
    return f"+{added}" if added[:1].isdigit() or added[:1] == "+" else added


def lemma_by(rule: str, word: str) -> str:
    """The lemma of a word by a rule; the word itself where the rule cuts off more than there is.

    >>> lemma_by("1", "Cars"), lemma_by("^0", "Smith"), lemma_by("4go", "went"), lemma_by("_", "x"), lemma_by("9", "Cars")
    ('car', 'Smith', 'go', '_', 'cars')
    """
    if rule == "_":
        return rule
    base = word if rule[0] == "^" else word.lower()
    rule = rule.removeprefix("^")
    digits = 0
    while digits < len(rule) and rule[digits].isdigit():
        digits += 1
    cut, added = int(rule[:digits]), rule[digits:].removeprefix("+")
    if cut > len(base) or (cut == len(base) and not added):
        return base
    return base[: len(base) - cut] + added
