"""Sentences as JSON objects, one per line: the collector that checks them and their candidates while a file is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeGuard

import numpy as np

from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.source import OnError, Source
from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences, SpanColumns
from referee.phrases.annotation.sentences import MAX_WORDS

JsonObject: TypeAlias = dict[str, object]

Report: TypeAlias = Callable[[str], None]
"""Reports a problem of the current sentence."""

CANDIDATE = "[category, start, end, probability]"


def objects(source: Source, on_error: OnError, expected: str) -> Iterator[tuple[int, JsonObject]]:
    """The objects of a file, one per line, with their line numbers."""
    for number, line in source.lines(on_error):
        if line.strip():
            value = parse(line, on_error, line=number)
            if isinstance(value, dict):
                yield number, value
            elif value is not None:
                on_error(number, f"found {shown(value)}; expected {expected}")


class SentenceCollector:
    """Collects sentences and their candidates while a file is read.

    Parameters
    ----------
    source
        The file.
    on_error
        Reports an error with its line.
    categories
        Those that a header declares; a sentence may use no others. None to accept all, in alphabetical order.
    """

    def __init__(self, source: Source, on_error: OnError, categories: Sequence[str] | None = None) -> None:
        self.source = source
        self.on_error = on_error
        self.are_declared = categories is not None
        self.category_numbers = {name: x for x, name in enumerate(categories or ())}
        self.lines: dict[str, int | None] = {}
        """The line of each sentence, by its name."""
        self.lengths: list[int] = []
        self.words: list[list[str] | None] = []
        self.tags: list[list[str] | None] = []
        self.rows: list[tuple[int, int, int, int]] = []
        self.probabilities: list[float] = []

    def begin(self, line: int | None, value: JsonObject) -> Report | None:
        """Begin a sentence.

        Returns
        -------
        callable or None
            Reports a problem of this sentence; None if the sentence itself has an error and is left out.
        """
        identifier = value.get("id", len(self.lengths) + 1)
        name = str(identifier)

        def report(problem: str) -> None:
            self.on_error(line, f"sentence {name!r}: {problem}")

        if type(identifier) not in (str, int):
            report(f"found the id {shown(identifier)}; expected a string or a number")
            return None
        if name in self.lines:
            before = self.lines[name]
            report(f"found it {f'on line {before}, too' if before else 'twice'}; expected each sentence once")
            return None
        words, tags = value.get("words", value.get("tokens")), value.get("tags")
        n = value.get("n", len(words) if isinstance(words, list) else None)
        if type(n) is not int or not 0 <= n < MAX_WORDS:
            report(f"found n = {shown(n)}; expected the number of words, or the list `words`")
            return None
        texts: dict[str, list[str] | None] = {}
        for key, strings in (("words", words), ("tags", tags)):
            if strings is None or _are_strings(strings, n):
                texts[key] = strings
            else:
                report(f"found `{key}` {shown(strings)}; expected a list of {n} strings")
                return None
        self.words.append(texts["words"])
        self.tags.append(texts["tags"])
        self.lines[name] = line
        self.lengths.append(n)
        return report

    def add_candidates(
        self, rows: Sequence[object], report: Report, *, written: Sequence[object] | None = None, expected: str = CANDIDATE
    ) -> None:
        """Add candidates to the current sentence.

        Parameters
        ----------
        rows
            Lists [category, start, end, probability].
        report
            Reports a problem of the sentence.
        written, expected
            What the file has for each candidate, and what it should have; by default, these lists.
        """
        seen: set[tuple[str, int, int]] = set()
        for position, (row, original) in enumerate(zip(rows, written or rows, strict=True)):
            problem = self._add_candidate(row, seen)
            if problem is not None:
                report(f"candidate {position}: {problem or f'found {shown(original)}; expected {expected}'}")

    def _add_candidate(self, row: object, seen: set[tuple[str, int, int]]) -> str | None:
        """Add a candidate; or the problem with it, empty if it is no candidate at all."""
        if not (isinstance(row, list | tuple) and len(row) == 4):
            return ""
        name, start, end, p = row
        if not (type(name) is str and type(start) is type(end) is int and type(p) in (float, int)):
            return ""
        n = self.lengths[-1]
        if not 0 <= start < end <= n:
            return f"found {shown(name)} from {start} to {end}; expected 0 <= start < end <= {n}"
        if not 0 <= p <= 1:
            return f"found the probability {p!r:.40}; expected a number from 0 to 1"
        if self.are_declared and name not in self.category_numbers:
            return f"found the category {shown(name)}; expected one that the header declares"
        if (name, start, end) in seen:
            return f"found {shown(name)} from {start} to {end} twice; expected it once"
        seen.add((name, start, end))
        category = self.category_numbers.setdefault(name, len(self.category_numbers))
        self.rows.append((len(self.lengths) - 1, start, end, category))
        self.probabilities.append(p)
        return None

    @property
    def sentences(self) -> Sentences:
        """The sentences. It is an error if some have words or tags, and others do not."""
        words, tags = self._all_or_none("words", self.words), self._all_or_none("tags", self.tags)
        return Sentences(tuple(self.lines), np.array(self.lengths, dtype=np.int32), words, tags)

    def _all_or_none(self, key: str, lists: Sequence[list[str] | None]) -> list[list[str]] | None:
        present = [texts for texts in lists if texts is not None]
        if len(present) == len(lists):
            return present
        if present:
            name, line = list(self.lines.items())[lists.index(None)]
            self.on_error(line, f"sentence {name!r}: found no `{key}`, but other sentences have it; expected it in all or none")
        return None

    def candidates(self, default: DefaultProbabilities | None) -> PhraseCandidates:
        """The candidates of all sentences."""
        names = list(self.category_numbers)
        columns = SpanColumns.of_rows(self.rows)
        candidates = PhraseCandidates.build(
            self.sentences, names, **columns._asdict(), probability=self.probabilities, default=default, source=self.source.name
        )
        return candidates if self.are_declared else candidates.with_categories(sorted(names))

    def chunks(self) -> Chunks:
        """The candidates as chunks, whatever their probabilities."""
        candidates = self.candidates(None)
        return Chunks(candidates.sentences, candidates.categories, candidates.columns, source=candidates.source)


def _are_strings(texts: object, number: int) -> TypeGuard[list[str]]:
    return isinstance(texts, list) and len(texts) == number and set(map(type, texts)) <= {str}
