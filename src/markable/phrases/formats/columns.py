"""Tags in columns: a word a line, an empty line after each sentence, as in the shared tasks of CoNLL-2000 and 2003.

::

    Confidence NN B-NP
    in         IN B-PP
    the        DT B-NP
    pound      NN I-NP

The first column is the word and the second, if there are three or more, its part of speech. The tags are in the last column
unless another is named. Columns are separated by tabs, if a line has any, or else by blanks. A document mark, `-DOCSTART-`, is
left out.

What tags mean is a rule that has a name: see `markable.phrases.iob`.
"""

from __future__ import annotations

from re import compile as compiled

from markable.errors import FormatError, OptionError
from markable.formats import output
from markable.formats.source import Fault, Source
from markable.phrases.candidates import Candidates, Chunks, Sentences
from markable.phrases.formats import Reading
from markable.phrases.iob import PREFIXES, SAME_AS, decode, encode

TAG = compiled(rf"O|[{PREFIXES[1:]}{''.join(SAME_AS)}](-\S*)?")
DOCUMENT = "-DOCSTART-"


def sniff(head: str) -> bool:
    """Lines of two or more columns whose last is a tag."""
    lines = [line.split() for line in head.split("\n")[:-1][:100] or [head] if line.strip()]
    lines = [columns for columns in lines if columns[0] != DOCUMENT]
    return bool(lines) and all(len(columns) > 1 and TAG.fullmatch(columns[-1]) for columns in lines)


def read(source: Source, fault: Fault, reading: Reading) -> Chunks:
    sentences: list[list[list[str]]] = [[]]
    lines: list[int] = []
    width = 0
    for number, line in source.lines(fault):
        columns = line.split("\t") if "\t" in line else line.split()
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
    column = reading.column - 1 if reading.column > 0 else width + reading.column
    if not 0 <= column < max(width, 1) or reading.column == 0:
        raise FormatError(
            source.name, lines[0] if lines else None, f"has {width} columns; expected one numbered {reading.column}"
        )
    words = [[row[0] for row in sentence] for sentence in sentences]
    parts = [[row[1] for row in sentence] for sentence in sentences] if width > 2 else None
    return decode(
        [[row[column] for row in sentence] for sentence in sentences],
        reading.decode,
        null=reading.null,
        sentences=Sentences.numbered([len(s) for s in words], words, parts),
        fault=lambda word, problem: fault(lines[word], problem),
        source=source.name,
    )


def write(phrases: Chunks | Candidates, path: str, *, scheme: str = "IOB2", null: str = "") -> None:
    """Words, tags if there are any, and the chunks. OptionError if they overlap or are uncertain."""
    if isinstance(phrases, Candidates):
        raise OptionError(f"{phrases.source} has probabilities; expected chunks to write as tags")
    s = phrases.sentences
    with output(path) as out:
        for number, chunks in enumerate(encode(phrases, scheme, null=null)):
            words = s.words[number] if s.words is not None else ["_"] * len(chunks)
            columns = [words, *([s.tags[number]] if s.tags is not None else []), chunks]
            out.writelines(" ".join(row) + "\n" for row in zip(*columns, strict=True))
            out.write("\n")
