"""Tags in columns: a word a line, an empty line after each sentence, as in the shared tasks of CoNLL-2000 and 2003.

::

    Confidence NN B-NP
    in         IN B-PP
    the        DT B-NP
    pound      NN I-NP

The first column is the word and the second, if there are three or more, its part of speech. The tags are in the last column
unless another is named. Columns are separated by tabs, if a line has any, or else by blanks. A document mark, `-DOCSTART-`, is
left out.

What tags mean is a rule that has a name: see `referee.phrases.chunks.iob`.
"""

from __future__ import annotations

from re import compile as compiled
from typing import NamedTuple

from referee.exceptions import FormatError, OptionError
from referee.files import output
from referee.formats import arrau
from referee.formats.shared.source import Fault, Source
from referee.messages import shortened
from referee.phrases.candidates import Candidates, Chunks, Sentences
from referee.phrases.chunks.iob import PREFIXES, SAME_AS, decode, encode
from referee.phrases.formats.reading import Reading

TAG = compiled(rf"O|[{PREFIXES[1:]}{''.join(SAME_AS)}](-[^\s\0]+)?")
DOCUMENT = "-DOCSTART-"
TEXT = compiled(rf"(?!\ufeff|{DOCUMENT}$)[^\0\t\r\n]*[^\s\0][^\0\t\r\n]*")
FITTING = {
    "word": (TEXT, "one that is not empty, without tabs, line breaks and NUL, and no document mark"),
    "part of speech": (TEXT, "one that is not empty, without tabs, line breaks and NUL"),
    "tag": (TAG, "a category without blanks"),
}
"""What columns can hold, so that it is read again as it was."""


class Table(NamedTuple):
    """The columns of a file.

    sentences : of each sentence, the columns of each word
    lines     : of all words, from 1
    width     : how many columns there are
    """

    sentences: list[list[list[str]]]
    lines: list[int]
    width: int

    def column(self, number: int) -> list[list[str]]:
        """One of them, sentence by sentence."""
        return [[row[number] for row in sentence] for sentence in self.sentences]


def sniff(head: str) -> bool:
    """At least half of the lines have two or more columns whose last is a tag: a reader can tell which line has a wrong one.
    The markables of ARRAU, which are written much the same, are mentions."""
    lines = [line.split() for line in head.split("\n")[:-1][:100] or [head] if line.strip()]
    lines = [columns for columns in lines if columns[0] != DOCUMENT]
    tagged = sum(len(columns) > 1 and TAG.fullmatch(columns[-1]) is not None for columns in lines)
    return 0 < len(lines) <= 2 * tagged and not arrau.sniff(head)


def table(source: Source, fault: Fault) -> Table:
    """The columns of a file, whatever they mean."""
    sentences: list[list[list[str]]] = [[]]
    lines: list[int] = []
    width = 0
    for number, line in source.lines(fault):
        columns = line.split("\t") if "\t" in line.strip() else line.split()
        if not columns or columns[0] == DOCUMENT:
            if sentences[-1]:
                sentences.append([])
            continue
        width = width or len(columns)
        if len(columns) != width:
            fault(number, f"found {len(columns)} columns; expected {width}, as on the lines before")
            continue
        sentences[-1].append(columns)
        lines.append(number)
    if not sentences[-1]:
        sentences.pop()
    return Table(sentences, lines, width)


def read(source: Source, fault: Fault, reading: Reading) -> Chunks:
    found = table(source, fault)
    lines, width = found.lines, found.width
    column = reading.column - 1 if reading.column > 0 else width + reading.column
    if not 0 <= column < max(width, 1) or reading.column == 0:
        raise FormatError(
            source.name, lines[0] if lines else None, f"has {width} columns; expected one numbered {reading.column}"
        )
    return decode(
        found.column(column),
        reading.decode,
        null=reading.null,
        sentences=Sentences.numbered(
            [len(s) for s in found.sentences], found.column(0), found.column(1) if width > 2 else None
        ),
        fault=lambda word, problem: fault(lines[word], problem),
        source=source.name,
    )


def write(phrases: Chunks | Candidates, path: str, *, scheme: str = "IOB2", null: str = "") -> None:
    """Words, tags if there are any, and the chunks; separated by tabs if there are blanks in them.

    OptionError if chunks overlap or are uncertain, and for what would be read as something else: empty words and tags, tabs and
    line breaks in them, blanks in categories, categories without names.
    """
    if isinstance(phrases, Candidates):
        raise OptionError(f"{phrases.source} has probabilities; expected chunks to write as tags")
    if "" in phrases.used():
        raise OptionError(
            f"{phrases.source}: found a category without a name; expected names in tags: write JSON lines instead"
        )
    s = phrases.sentences
    columns = {
        "word": s.words if s.words is not None else [["_"] * n for n in s.length.tolist()],
        **({"part of speech": s.tags} if s.tags is not None else {}),
        "tag": encode(phrases, scheme, null=null),
    }
    for name, sentences in columns.items():
        fits, expected = FITTING[name]
        for id_, texts in zip(s.ids, sentences, strict=True):
            for text in texts:
                if not fits.fullmatch(text):
                    where = f"{phrases.source}: sentence {id_!r}"
                    found = f"{where}: found the {name} {shortened(text)!r}"
                    raise OptionError(f"{found}; expected in columns {expected}: write JSON lines instead")
    rows = [list(zip(*texts, strict=True)) for texts in zip(*columns.values(), strict=True)]
    separator = " " if all(text.split() == [text] for sentence in rows for row in sentence for text in row) else "\t"
    with output(path) as out:
        for sentence in rows:
            out.writelines(separator.join(row) + "\n" for row in sentence)
            out.write("\n")
