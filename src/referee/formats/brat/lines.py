"""The lines of a brat annotation, each with those in which the words of its mention go on. The format is that of `brat`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import basename, exists, splitext
from typing import NamedTuple

from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError, Source

AFTER_A1 = (".a2", ".rel")
"""Endings of files of BioNLP that go on from the .a1 beside."""
SPAN = re.compile(r"(\S+) ([0-9]{1,9} [0-9]{1,9}(?:;[0-9]{1,9} [0-9]{1,9})*)")
ANNOTATION = re.compile(r"[TREAMN#][0-9]{1,9}\t|\*\t")
"""The beginning of a line that does not go on with the words of a mention."""


class BratLine(NamedTuple):
    """A line, or several that one mention goes over.

    Parameters
    ----------
    text : str
        The line.
    number : int
        Where it begins.
    file : str
        The name of its file, if that is not the one that is read.
    """

    text: str
    number: int
    file: str

    @property
    def place(self) -> str:
        """Where it is."""
        return f"{self.file}:{self.number}" if self.file else str(self.number)

    def refuse(self, on_error: OnError, problem: str) -> None:
        """Report an error in it."""
        on_error(None if self.file else self.number, f"{self.place}: {problem}" if self.file else problem)


def lines_of(source: Source, on_error: OnError) -> list[BratLine]:
    """The lines of a file, behind those of the .a1 file beside a file of BioNLP: the first mentions of its document."""
    stem, ending = splitext(source.path.removesuffix(".gz"))
    lines: list[BratLine] = []
    if ending in AFTER_A1 and (exists(stem + ".a1") or exists(stem + ".a1.gz")):
        before = source.beside(".a1")
        file = basename(before.name)
        lines += _whole_lines(before.text(lambda line, problem: on_error(None, f"{file}:{line}: {problem}")), file)
    elif ending == ".a1" and any(exists(stem + other) for other in AFTER_A1):
        warn_file(source.name, "read {} without the .a2 or .rel beside it, which has its relations: give that", "file", 1)
    return [*lines, *_whole_lines(source.text(on_error))]


def _whole_lines(text: str, file: str = "") -> Iterator[BratLine]:
    """The lines, each with those in which the words of its mention go on: its span tells how many characters these are."""
    whole, first, missing = "", 1, 0
    for number, line in enumerate(text.split("\n"), start=1):
        if missing > 0 and not ANNOTATION.match(line):
            whole += "\n" + line
            missing -= 1 + len(line)
            continue
        if number > 1:
            yield BratLine(whole, first, file)
        whole, first = line, number
        span, has_words, words = line.partition("\t")[2].partition("\t")
        mention = SPAN.fullmatch(span) if line.startswith("T") and has_words else None
        missing = sum(end - start for start, end in parts_of(mention[2])) - len(words) if mention else 0
    yield BratLine(whole, first, file)


def parts_of(span: str) -> list[tuple[int, int]]:
    """The offsets of a span, as `SPAN` has them in its second group."""
    return [(int(start), int(end)) for start, end in (pair.split(" ") for pair in span.split(";"))]
