"""What trees teach of the ends of sentences: an averaged perceptron of whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.parsing.splitting.ends import StretchWords, cased, sentences
from referee.parsing.splitting.tokens import is_mark
from referee.parsing.splitting.trees import TreeDocument, TreeToken

EPOCHS = 5
"""Passes of the perceptron."""

MARGIN = 20
"""How sure it has to be of an example not to learn from it."""

SCALE = 16
"""Averages of the perceptron are rounded to this part of one."""


class MarkExample(NamedTuple):
    """A mark of the trees: its features, by their numbers, and whether a sentence ends there."""

    features: tuple[int, ...]
    ends: bool


def fit_ends(documents: Sequence[TreeDocument], frequent: frozenset[str]) -> dict[str, int]:
    """The weights of the features of marks, of which each was seen at least twice.

    Parameters
    ----------
    documents : sequence of TreeDocument
    frequent : frozenset of str
        The frequent words of the language.

    Source: Freund and Schapire (1999), averaged; it learns from an example until it is sure of it by a margin.
    """
    numbers: dict[str, int] = {}
    examples: list[MarkExample] = []
    for document in documents:
        _collect(document, frequent, numbers, examples)
    times = [0] * len(numbers)
    for example in examples:
        for feature in example.features:
            times[feature] += 1
    examples = [MarkExample(tuple(feature for feature in seen if times[feature] > 1), ends) for seen, ends in examples]
    averages = _averages(examples, len(numbers))
    return {name: averages[numbers[name]] for name in sorted(numbers) if averages[numbers[name]]}


def _averages(examples: Sequence[MarkExample], size: int) -> list[int]:
    weights, totals = [0] * size, [0] * size
    step = 1
    for _ in range(EPOCHS):
        for seen, ends in examples:
            change = 1 if ends else -1
            if change * sum([weights[feature] for feature in seen]) <= MARGIN:
                for feature in seen:
                    weights[feature] += change
                    totals[feature] += change * step
            step += 1
    # A change counts from its step on.
    return [(SCALE * (step * weight - total) + step // 2) // step for weight, total in zip(weights, totals, strict=True)]


def _collect(document: TreeDocument, frequent: frozenset[str], numbers: dict[str, int], examples: list[MarkExample]) -> None:
    """Add the marks of a document."""
    casing = cased("\n\n".join(" ".join(map(_text, paragraph)) for paragraph in document))
    for paragraph in document:
        form: list[str] = []
        start: list[int] = []
        end: list[int] = []
        marks: list[int] = []
        lasts: set[int] = set()
        at = 0
        for sentence in paragraph:
            for number, token in enumerate(sentence, start=1):
                space = token.space or number == len(sentence)
                for word in token.parts:
                    form.append(word)
                    start.append(at)
                    at += len(word)
                    end.append(at)
                if is_mark(form[-1], last=space):
                    marks.append(len(form) - 1)
                at += space
            lasts.add(len(form) - 1)

        def decide(mark: int, seen: list[str], lasts: set[int] = lasts) -> bool:
            features = tuple([numbers.setdefault(name, len(numbers)) for name in seen])
            examples.append(MarkExample(features, mark in lasts))
            return mark in lasts

        sentences(StretchWords(form, start, end, 0, len(form)), marks, casing, frequent, decide)


def _text(sentence: Sequence[TreeToken]) -> str:
    return "".join(token.form + " " * token.space for token in sentence).strip()
