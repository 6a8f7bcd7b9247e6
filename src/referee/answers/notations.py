"""The notation of a text, and the style of its marks: that of most of them, if they are marks of mentions at all."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate

from referee.answers import elements, labelled
from referee.answers.labelled import CODE
from referee.answers.marked import ZERO, Style
from referee.answers.marks import mentions_of
from referee.answers.markup import BRACKETS, SIGNS, marked
from referee.formats.shared.program_text import is_code

TRIED = 6
"""As many styles, those with the most marks, are tried."""
RARE = 50
"""As many words, at most, have a mention among them."""
LONG = 10
"""As many words, at most, have mentions on average."""
WORD_AND_NUMBER = re.compile(r"[^\W\d_]+\d+")
"""A label that may be a word of the text, as in Pinyin."""
UNCERTAIN = ("", "(", "[", "/", ",", "_", ";", "^")
"""What stands before numbers in prose, too."""


def notation_of(text: str) -> str | None:
    """The notation with the most marks in a text; None without any.

    >>> notation_of("[Tom](#1) saw [his](#1) dog"), notation_of("no marks [sic] at all")
    ('links', None)
    """
    style = style_of(text)
    return style.notation if style else None


def style_of(text: str, notation: str = "") -> Style | None:
    """The style that most marks of a text have; None without any.

    Parameters
    ----------
    text : str
        An answer.
    notation : str
        Its notation, if this is known: then what looks like a mark is one.
    """
    if notation in SIGNS:
        return BRACKETS.get(notation, Style(notation))
    styles = [*labelled.styles(text, notation), *elements.styles(text)]
    if notation:
        return max((s for s in styles if s[0].notation == notation), key=lambda s: s[1], default=(None, 0))[0]
    counts = {name: sum(1 for _ in sign.finditer(text)) for name, sign in SIGNS.items()}
    most = max(counts, key=counts.__getitem__)
    ranked = [(number, _rank(style), style) for style, number in styles if number >= max(2, counts[most])]
    ranked = sorted(ranked, key=lambda s: s[:2], reverse=True)
    for number, rank, style in ranked[:TRIED]:
        if (number > counts[most] or rank[0]) and is_plausible(text, style):
            return style
    return BRACKETS.get(most, Style(most)) if counts[most] else None


SACR = re.compile(r'^\s{0,9}#text_?id\s{0,9}:|\{[-\w]{1,99}:\w{1,99}="', re.MULTILINE)
"""What a file of SACR has, whose braces are marks, too: the line of its name, or a property."""


def is_marked(text: str, *, types: bool = False) -> bool:
    """Whether a text that may be anything has mentions marked in it: also its words, its labels and its lines are like that.

    With `types`, labels may be types of phrases, which are no ids of entities.

    >>> is_marked("[Tom](#1) saw [his](#1) dog"), is_marked("[Usage](#usage) and [help](#help)")
    (True, False)
    >>> is_marked("[Tom](PER) saw [Ann](PER)"), is_marked("[Tom](PER) saw [Ann](PER)", types=True)
    (False, True)
    """
    if SACR.search(text) or is_code(text):
        return False
    style = style_of(text)
    if style is None:
        return False
    marked_text = marked(text, style)
    mentions = sorted(mentions_of(marked_text, style, Counter()))
    if style.notation not in SIGNS:
        named = [(" ".join(marked_text.units[m.start : m.end]), m.entity) for m in mentions]
        others = sum(mark.opens for mark in marked_text.marks) - len(named)  # many are roles: [ARG0 Ann] [V ran]
        return 3 * others <= len(named) and _are_ids(named, marked_text.units, types)
    pairs = [(" ".join(marked_text.units[m.start : m.end]), marked_text.marks[m.marks[1]].entity) for m in mentions]
    labels = Counter(label for _, label in pairs if label is not None)
    by_words = style.notation == "tanl" and labels.total() < len(pairs)  # what labels are, if not all mentions have one
    signs: set[str] = set()
    fitting = 0
    for words, label in pairs:
        if label is not None:
            is_heading = style.notation == "links" and _letters(words) == _letters(label)
            is_id = not by_words and (labels[label] > 1 or re.fullmatch(rf"#?{CODE}|MASK|", label))
            is_name = is_id or _letters(label) in signs
            fitting += bool(is_name and not is_heading and (words == ZERO or any(map(str.isalpha, words))))
        signs.add(_letters(words))
    return 0 < labels.total() <= 2 * fitting


def _are_ids(pairs: Sequence[tuple[str, str]], units: Sequence[str], types: bool) -> bool:
    """Whether the labels of mentions, in pairs of words and label, are ids of entities.

    An id is of different words, and itself is no word, as both are in `[mao1 zi5]` of a dictionary, and no type, as in
    `[Rome](city)`: a name, without a number, is what a mention is called. With `types`, a type will do.

    >>> _are_ids([("Tom", "1"), ("his", "1")], [], False), _are_ids([("the docs", "1"), ("the docs", "1")], [], False)
    (True, False)
    """
    words_of: defaultdict[str, set[str]] = defaultdict(set)
    for words, label in pairs:
        words_of[label].add(_letters(words))
    names = [label for label in words_of if not any(map(str.isdecimal, label))]
    called = [
        label for label in names if any(_letters(label) in words or words in _letters(label) for words in words_of[label])
    ]
    codes = sum(1 for unit in units if WORD_AND_NUMBER.fullmatch(unit))
    labelled_by_codes = sum(1 for _, label in pairs if WORD_AND_NUMBER.fullmatch(label))
    return (
        max(map(len, words_of.values())) > 1
        and (types or 2 * len(called) >= len(names))
        and (not codes or 2 * codes < labelled_by_codes)
    )


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _rank(style: Style) -> tuple[bool, ...]:
    """Which of two styles with as many marks goes before the other; the first says whether before `SIGNS`, too."""
    double = len(style.opening) == 2 and style.opening != "**"
    return (
        style.notation in ("first", "elements") or double,
        style.label != "name",
        style.notation == "behind",
        style.before != "",
    )


def is_plausible(text: str, style: Style) -> bool:
    """Whether a text is one with mentions: most marks have labels, some label is there twice, and words are around them.

    Mentions are neither rare nor long, and no names of functions stand before their brackets. Numbers that are not certainly
    labels begin with 0 or 1.
    """
    marked_text = marked(text, style)
    mentions = mentions_of(marked_text, style, Counter())
    labels = Counter(mention.entity for mention in mentions)
    if len(mentions) < 2 or max(labels.values()) < 2 or 2 * len(mentions) < sum(mark.opens for mark in marked_text.marks):
        return False
    words = [0, *accumulate(any(map(str.isalpha, unit)) for unit in marked_text.units)]
    covered, end = 0, 0  # words in mentions, each once
    for mention in sorted(mentions):
        covered += max(0, words[mention.end] - words[max(mention.start, end)])
        end = max(end, mention.end)
    lengths = [words[mention.end] - words[mention.start] for mention in mentions]
    plausible = (
        3 * (words[-1] - covered) >= len(mentions)
        and words[-1] <= RARE * len(mentions)
        and sum(lengths) <= LONG * len(mentions)
        and 4 * sum(map(bool, lengths)) >= 3 * len(mentions)
    )
    return plausible and not _is_code(text, style) and (not _is_weak(style) or _are_counted(labels))


def _is_code(text: str, style: Style) -> bool:
    """Whether most brackets stand behind a word, as in calls of functions."""
    if not style.brackets:
        return False
    joined = sum(1 for _ in re.finditer(rf"(?<=[A-Za-z0-9_$]){re.escape(style.opening)}", text))
    return 2 * joined > text.count(style.opening)


def _is_weak(style: Style) -> bool:
    """Whether texts that are no answers have such marks, too: numbers in prose, in notes or in code."""
    if style.notation == "elements" or style.label == "name":
        return False
    if style.notation == "first":
        return style.after == " " or style.opening == "("
    return style.opening[0] in "(*_`" or style.before.strip() in UNCERTAIN


def _are_counted(labels: Counter[str]) -> bool:
    """Whether labels are numbers from 0 or 1, with few gaps."""
    numbers = sorted({int("".join(filter(str.isdecimal, label))[-9:] or "0") for label in labels})
    return len(numbers) > 1 and numbers[0] <= 1 and numbers[-1] <= 2 * len(numbers) + 1
