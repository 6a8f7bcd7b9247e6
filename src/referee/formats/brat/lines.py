"""The lines of a brat annotation, each with those in which the words of its mention go on. The format is that of `brat`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from os.path import basename, exists, splitext
from typing import NamedTuple

from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError, Source

AFTER_A1 = (".a2", ".rel")
"""Endings of files of BioNLP that go on from the .a1 beside."""
SPAN = re.compile(r"(\S+) ([0-9]{1,9} [0-9]{1,9}(?:;[0-9]{1,9} [0-9]{1,9})*)")
GOES_ON = re.compile(r"^(?![TREAMN#][0-9]{1,9}\t|\*\t)", re.MULTILINE)
"""A line that begins no annotation, but goes on with the words of a mention."""


class BratLines(NamedTuple):
    """Lines, of which some are several that one mention goes over.

    Parameters
    ----------
    texts : sequence of str
        The lines.
    numbers : sequence of int
        The line of the file at which each begins.
    on_error : OnError
        Takes errors.
    file : str
        The name of another file that the first lines are of.
    others : int
        How many these are.
    """

    texts: Sequence[str]
    numbers: Sequence[int]
    on_error: OnError
    file: str = ""
    others: int = 0

    def name(self, line: int) -> str:
        """Where a line is."""
        return f"{self.file}:{self.numbers[line]}" if line < self.others else str(self.numbers[line])

    def number(self, line: int) -> int | None:
        """The number of a line in the file itself; None of another one."""
        return None if line < self.others else self.numbers[line]

    def refuse(self, line: int, problem: str) -> None:
        """Report an error in a line."""
        self.on_error(self.number(line), f"{self.name(line)}: {problem}" if line < self.others else problem)


def lines_of(source: Source, on_error: OnError) -> BratLines:
    """The lines of a file, behind those of the .a1 file beside a file of BioNLP: the first mentions of its document."""
    path = source.path.removesuffix(".gz")
    stem, ending = splitext(path)
    file = ""
    numbers: Sequence[int] = ()
    texts: Sequence[str] = ()
    if ending in AFTER_A1 and (exists(stem + ".a1") or exists(stem + ".a1.gz")):
        before = source.beside(".a1")
        file = basename(before.name)

        def report(line: int | None, problem: str) -> None:
            on_error(None, f"{file}:{line}: {problem}")

        numbers, texts = _whole_lines(before.text(report))
    elif ending == ".a1" and any(exists(stem + other) for other in AFTER_A1):
        warn_file(source.name, "read {} without the .a2 or .rel beside it, which has its relations: give that", "file", 1)
    own_numbers, own_texts = _whole_lines(source.text(on_error))
    return BratLines([*texts, *own_texts], [*numbers, *own_numbers], on_error, file, len(texts))


def parts_of(span: str) -> list[tuple[int, int]]:
    """The offsets of a span, as `SPAN` has them in its second group."""
    return [(int(start), int(end)) for start, end in (pair.split(" ") for pair in span.split(";"))]


def _whole_lines(text: str) -> tuple[Sequence[int], Sequence[str]]:
    """The numbers of the lines of an annotation, and the lines, each with those in which the words of its mention go on."""
    lines = text.split("\n")
    if not GOES_ON.search(text):
        return range(1, len(lines) + 1), lines
    joined = [*_joined_lines(enumerate(lines, start=1))]
    return [number for number, _ in joined], [line for _, line in joined]


def _joined_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, each with those in which the words of its mention go on: its span tells how many characters these are."""
    whole, first = "", 0
    missing: int | None = None  # told only where a line may go on
    for number, line in lines:
        if first and GOES_ON.match(line):
            missing = _missing(whole) if missing is None else missing
            if missing > 0:
                whole += "\n" + line
                missing -= 1 + len(line)
                continue
        if first:
            yield first, whole
        whole, first, missing = line, number, None
    if first:
        yield first, whole


def _missing(line: str) -> int:
    """How many characters of its mention a line lacks."""
    _, _, rest = line.partition("\t")
    span, has_words, words = rest.partition("\t")
    found = SPAN.fullmatch(span) if line.startswith("T") and has_words else None
    return sum(end - start for start, end in parts_of(found[2])) - len(words) if found else 0
