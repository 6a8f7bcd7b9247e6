"""Sentences as JSON objects, one per line: the collector that checks them and their candidates while a file is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NoReturn, TypeAlias

import numpy as np

from referee.basics.sides import side_of
from referee.formats.shared.json_values import are_words, parse, shown
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences, SpanColumns
from referee.phrases.annotation.sentences import MAX_WORDS

JsonObject: TypeAlias = dict[str, object]

Refuse: TypeAlias = Callable[[str], NoReturn]
"""Raises a FormatError for a problem of the current sentence."""

CANDIDATE = "[category, start, end, probability]"


def objects(source: Source, expected: str) -> Iterator[tuple[int, JsonObject]]:
    """The objects of a file, one per line, with their line numbers."""
    for number, line in source.lines(source.raise_error):
        if line.strip():
            value = parse(line, source.raise_error, line=number)
            if not isinstance(value, dict):
                source.raise_error(number, f"found {shown(value)}; expected {expected}")
            yield number, value


def fields_of_sides(value: object, read: str = "") -> list[str]:
    """The names of the lists of an object that are annotations of a key or of a response, and not the one that is read."""
    lists = [name for name, cells in value.items() if isinstance(cells, list) and cells] if isinstance(value, Mapping) else []
    return [name for name in lists if name != read and side_of(name)]


class SentenceCollector:
    """Collects sentences and their candidates while a file is read.

    Parameters
    ----------
    source
        The file.
    categories
        Those that a header declares; a sentence may use no others. None to accept all, in alphabetical order.
    """

    def __init__(self, source: Source, categories: Sequence[str] | None = None) -> None:
        self.source = source
        self.are_declared = categories is not None
        self.category_numbers = {name: x for x, name in enumerate(categories or ())}
        self.lines: dict[str, int | None] = {}
        """The line of each sentence, by its name."""
        self.lengths: list[int] = []
        self.texts: dict[str, list[list[str] | None]] = {"words": [], "tags": []}
        self.rows: list[tuple[int, int, int, int]] = []
        self.probabilities: list[float] = []
        self.covered: list[bool] = []

    def begin(self, line: int | None, value: JsonObject) -> Refuse:
        """Begin a sentence; returns what refuses it."""
        identifier = value.get("id", len(self.lengths) + 1)
        name = str(identifier)
        refuse: Refuse = partial(self._refuse, line, name)
        if type(identifier) not in (str, int):
            refuse(f"found the id {shown(identifier)}; expected a string or a number")
        if name in self.lines:
            before = self.lines[name]
            refuse(f"found it {f'on line {before}, too' if before else 'twice'}; expected each sentence once")
        words = value.get("words", value.get("tokens"))
        n = value.get("n", len(words) if isinstance(words, list) else None)
        if type(n) is not int or not 0 <= n < MAX_WORDS:
            refuse(f"found n = {shown(n)}; expected the number of words, or the list `words`")
        for key, texts in (("words", words), ("tags", value.get("tags"))):
            if texts is not None and not (are_words(texts) and len(texts) == n):
                refuse(f"found `{key}` {shown(texts)}; expected a list of {n} strings")
            self.texts[key].append(texts)
        self.lines[name] = line
        self.lengths.append(n)
        return refuse

    def _refuse(self, line: int | None, name: str, problem: str) -> NoReturn:
        self.source.raise_error(line, f"sentence {name!r}: {problem}")

    def add_candidates(
        self, rows: Sequence[object], refuse: Refuse, *, written: Sequence[object] | None = None, expected: str = CANDIDATE
    ) -> None:
        """Add candidates to the current sentence.

        Parameters
        ----------
        rows
            Lists [category, start, end, probability].
        refuse
            Refuses the sentence.
        written, expected
            What the file has for each candidate, and what it should have; by default, these lists.
        """
        seen: set[tuple[str, int, int]] = set()
        n = self.lengths[-1]
        for position, (row, original) in enumerate(zip(rows, written or rows, strict=True)):
            types = [*map(type, row)] if isinstance(row, list) else []
            if not isinstance(row, list) or types not in ([str, int, int, float], [str, int, int, int]):
                refuse(f"candidate {position}: found {shown(original)}; expected {expected}")
            name, start, end, p = row
            problem = ""
            if not 0 <= start < end <= n:
                problem = f"found {shown(name)} from {start} to {end}; expected 0 <= start < end <= {n}"
            elif not 0 <= p <= 1:
                problem = f"found the probability {p!r:.40}; expected a number from 0 to 1"
            elif self.are_declared and name not in self.category_numbers:
                problem = f"found the category {shown(name)}; expected one that the header declares"
            elif (name, start, end) in seen:
                problem = f"found {shown(name)} from {start} to {end} twice; expected it once"
            if problem:
                refuse(f"candidate {position}: {problem}")
            seen.add((name, start, end))
            category = self.category_numbers.setdefault(name, len(self.category_numbers))
            self.rows.append((len(self.lengths) - 1, start, end, category))
            self.probabilities.append(p)
            self.covered.append(True)

    @property
    def sentences(self) -> Sentences:
        """The sentences. It is an error if some have words or tags, and others do not."""
        words, tags = self._all_or_none("words"), self._all_or_none("tags")
        return Sentences(tuple(self.lines), np.array(self.lengths, dtype=np.int32), words, tags)

    def _all_or_none(self, key: str) -> list[list[str]] | None:
        lists = self.texts[key]
        present = [texts for texts in lists if texts is not None]
        if len(present) == len(lists):
            return present
        if present:
            name, line = list(self.lines.items())[lists.index(None)]
            self._refuse(line, name, f"found no `{key}`, but other sentences have it; expected it in all or none")
        return None

    def candidates(self, default: DefaultProbabilities | None) -> PhraseCandidates:
        """The candidates of all sentences."""
        names = list(self.category_numbers)
        candidates = PhraseCandidates.build(
            self.sentences,
            names,
            **SpanColumns.of_rows(self.rows)._asdict(),
            probability=self.probabilities,
            default=default,
            covered=None if all(self.covered) else self.covered,
            source=self.source.name,
        )
        return candidates if self.are_declared else candidates.with_categories(sorted(names))

    def chunks(self) -> Chunks:
        """The candidates as chunks, whatever their probabilities."""
        return self.candidates(None).chunks(0.0)
