"""What formats of one JSON object a sentence have in common: the sentences are collected, and their candidates checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.source import Fault, Source
from referee.phrases.candidates import LONGEST, Candidates, Chunks, Default, Sentences

Report = Callable[[str], None]
Row = tuple[str, int, int, float]

CANDIDATE = "[category, start, end, probability]"


def objects(source: Source, fault: Fault, expected: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file, one a line, with their lines."""
    for number, line in source.lines(fault):
        if line.strip():
            value = parse(line, fault, line=number)
            if isinstance(value, dict):
                yield number, value
            elif value is not None:
                fault(number, f"found {shown(value)}; expected {expected}")


class Collected:
    """Sentences and their candidates while a file is read.

    categories : those that a header declares, which no sentence may then leave; None to take what comes, in alphabetical order
    """

    def __init__(self, source: Source, fault: Fault, categories: Sequence[str] | None = None) -> None:
        self.source = source
        self.fault = fault
        self.declared = categories is not None
        self.number = {name: x for x, name in enumerate(categories or ())}
        self.ids: dict[str, int | None] = {}
        self.lengths: list[int] = []
        self.words: list[list[str] | None] = []
        self.tags: list[list[str] | None] = []
        self.rows: list[tuple[int, int, int, int, float]] = []

    def sentence(self, line: int | None, value: dict[str, Any]) -> Report | None:
        """Begin a sentence; what its faults are told to. None after a fault."""
        id_ = value.get("id", len(self.lengths) + 1)
        name = str(id_)

        def report(problem: str) -> None:
            self.fault(line, f"sentence {name!r}: {problem}")

        if type(id_) not in (str, int):
            report(f"found the id {shown(id_)}; expected a string or a number")
        elif name in self.ids:
            before = self.ids[name]
            report(f"is {f'on line {before}, too' if before else 'there twice'}; expected each sentence once")
        else:
            words = value.get("words", value.get("tokens"))
            n = value.get("n", len(words) if isinstance(words, list) else None)
            if type(n) is not int or not 0 <= n < LONGEST:
                report(f"found n = {shown(n)}; expected the number of its words, or the list `words`")
                return None
            tags = value.get("tags")
            for key, known in (("words", words), ("tags", tags)):
                good = known is None or (isinstance(known, list) and len(known) == n and set(map(type, known)) <= {str})
                if not good:
                    report(f"found `{key}` {shown(known)}; expected a list of {n} strings")
                    return None
            self.words.append(words)
            self.tags.append(tags)
            self.ids[name] = line
            self.lengths.append(n)
            return report
        return None

    def candidates(
        self, rows: Sequence[Any], report: Report, found: Sequence[Any] | None = None, expected: str = CANDIDATE
    ) -> None:
        """Add candidates [category, start, end, p] of the sentence begun last.

        found, expected : what stands in the file for each of them, and what should, where that is something else
        """
        n, s = self.lengths[-1], len(self.lengths) - 1
        seen = set()
        for place, (row, written) in enumerate(zip(rows, found or rows, strict=True)):
            good = (
                isinstance(row, list | tuple)
                and len(row) == 4
                and type(row[0]) is str
                and type(row[1]) is type(row[2]) is int
                and type(row[3]) in (float, int)
            )
            if not good:
                report(f"candidate {place}: found {shown(written)}; expected {expected}")
                continue
            name, start, end, p = row
            if not 0 <= start < end <= n:
                report(f"candidate {place}: found {shown(name)} from {start} to {end}; expected 0 <= start < end <= {n}")
            elif not 0 <= p <= 1:
                report(f"candidate {place}: found the probability {p!r:.40}; expected a number from 0 to 1")
            elif self.declared and name not in self.number:
                report(f"candidate {place}: found the category {shown(name)}; expected one that the header declares")
            elif (name, start, end) in seen:
                report(f"candidate {place}: found {shown(name)} from {start} to {end} twice; expected it once")
            else:
                seen.add((name, start, end))
                x = self.number.setdefault(name, len(self.number))
                self.rows.append((s, start, end, x, p))

    @property
    def sentences(self) -> Sentences:
        """All sentences. A fault if some have words or tags, and some have not."""
        words, tags = self._of_all("words", self.words), self._of_all("tags", self.tags)
        return Sentences(tuple(self.ids), np.array(self.lengths, dtype=np.int32), words, tags)

    def _of_all(self, key: str, lists: Sequence[list[str] | None]) -> list[list[str]] | None:
        known = [text for text in lists if text is not None]
        if len(known) == len(lists):
            return known
        if known:
            name, line = list(self.ids.items())[lists.index(None)]
            self.fault(line, f"sentence {name!r}: found no `{key}`, which other sentences have; expected it in all or none")
        return None

    def build(self, default: Default | None) -> Candidates:
        s, start, end, x, p = zip(*self.rows, strict=True) if self.rows else ((),) * 5
        names = list(self.number)
        found = Candidates.build(self.sentences, names, s, start, end, x, p, default, source=self.source.name)
        return found if self.declared else found.renamed(sorted(names))

    def chunks(self) -> Chunks:
        """The candidates as chunks that are certain."""
        found = self.build(None)
        columns = (found.sentence, found.start, found.end, found.category)
        return Chunks(found.sentences, found.categories, *columns, found.source)
