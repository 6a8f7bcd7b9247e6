"""Tags in columns: one word per line, an empty line after each sentence, as in the shared tasks of CoNLL-2000 and 2003.

::

    Confidence NN B-NP
    in         IN B-PP
    the        DT B-NP
    pound      NN I-NP

The first column is the word; the second, if there are three or more, its part of speech. The tags are in the last column
unless another is named. If a line has a tab, tabs separate its columns, otherwise blanks do. A document mark,
`-DOCSTART-`, is left out.

A named rule says what tags mean: see `referee.phrases.chunking.iob`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError, OptionError, counted, shortened
from referee.basics.files import output
from referee.formats import arrau
from referee.formats.shared.source import Fault, Source
from referee.phrases.annotation import Chunks, PhraseCandidates, Sentences
from referee.phrases.chunking.iob import ALIASES, PREFIXES, decode, encode
from referee.phrases.formats.registry import ReadOptions

TAG = re.compile(rf"O|[{PREFIXES[1:]}{''.join(ALIASES)}](-[^\s\0]+)?")
DOCUMENT_MARK = "-DOCSTART-"
TEXT = re.compile(rf"(?!\ufeff|{DOCUMENT_MARK}$)(?=\s*[^\s\0])[^\0\t\r\n]*")
WRITABLE = {
    "word": (TEXT, "one that is not empty or a document mark, without tabs, line breaks and NUL"),
    "part of speech": (TEXT, "one that is not empty, without tabs, line breaks and NUL"),
    "tag": (TAG, "a category without blanks"),
}
"""What each column can hold so that reading restores it."""


class ColumnTable(NamedTuple):
    """The columns of a file, whatever they mean.

    Parameters
    ----------
    sentences
        The columns of each word of each sentence.
    lines
        The line numbers of all words.
    width
        The number of columns.
    """

    sentences: list[list[list[str]]]
    lines: list[int]
    width: int

    def column(self, number: int) -> list[list[str]]:
        """One column, sentence by sentence."""
        return [[row[number] for row in sentence] for sentence in self.sentences]


def sniff(head: str) -> bool:
    """Whether at least half of the lines have two or more columns and end with a tag.

    So a file with some wrong tags is still recognized, and its errors can be reported. ARRAU's files of mentions look similar.
    """
    lines = [line.split() for line in head.split("\n")[:-1][:100] or [head] if line.strip()]
    lines = [columns for columns in lines if columns[0] != DOCUMENT_MARK]
    tagged = sum(len(columns) > 1 and TAG.fullmatch(columns[-1]) is not None for columns in lines)
    return 0 < len(lines) <= 2 * tagged and not arrau.sniff(head)


def read_table(source: Source, fault: Fault) -> ColumnTable:
    """Read the columns of a file, whatever they mean."""
    sentences: list[list[list[str]]] = [[]]
    lines: list[int] = []
    width = 0
    for number, line in source.lines(fault):
        columns = line.split("\t") if "\t" in line.strip() else line.split()
        if not columns or columns[0] == DOCUMENT_MARK:
            if sentences[-1]:
                sentences.append([])
            continue
        width = width or len(columns)
        if len(columns) != width:
            fault(number, f"found {counted(len(columns), 'column')}; expected {width}, as on the lines before")
            continue
        sentences[-1].append(columns)
        lines.append(number)
    if not sentences[-1]:
        sentences.pop()
    return ColumnTable(sentences, lines, width)


def read(source: Source, fault: Fault, options: ReadOptions) -> Chunks:
    """Read the chunks of the tags in a column.

    Raises
    ------
    FormatError
        If there is no such column.
    """
    table = read_table(source, fault)
    lines, width = table.lines, table.width
    column = options.column - 1 if options.column > 0 else width + options.column
    if not 0 <= column < max(width, 1) or options.column == 0:
        line = lines[0] if lines else None
        raise FormatError(source.name, line, f"has {counted(width, 'column')}; expected one numbered {options.column}")
    lengths = [len(sentence) for sentence in table.sentences]
    return decode(
        table.column(column),
        options.decode,
        outside=options.outside,
        sentences=Sentences.numbered(lengths, table.column(0), table.column(1) if width > 2 else None),
        on_error=lambda word, problem: fault(lines[word], problem),
        source=source.name,
    )


def write(phrases: Chunks | PhraseCandidates, path: str, *, scheme: str = "IOB2", outside: str = "") -> None:
    """Write words, parts of speech if there are any, and tags; separated by tabs if a text has blanks.

    Parameters
    ----------
    phrases
        Chunks that do not overlap.
    path
        A path (gzip if it ends in .gz), or `-` for standard output.
    scheme, outside
        As in `referee.phrases.chunking.iob.encode`.

    Raises
    ------
    OptionError
        If chunks overlap or have probabilities, or if reading would not restore a text: an empty word or tag, tabs and line
        breaks in it, blanks in a category, a category without a name.
    """
    if isinstance(phrases, PhraseCandidates):
        raise OptionError(f"{phrases.source}: found probabilities; expected chunks without probabilities to write as tags")
    if "" in phrases.used_categories():
        raise OptionError(
            f"{phrases.source}: found a category without a name; expected names in tags: write JSON lines instead"
        )
    sentences = phrases.sentences
    columns: dict[str, Sequence[Sequence[str]]] = {}
    columns["word"] = sentences.words if sentences.words is not None else [["_"] * n for n in sentences.length.tolist()]
    if sentences.tags is not None:
        columns["part of speech"] = sentences.tags
    columns["tag"] = encode(phrases, scheme, outside=outside)
    for name, texts in columns.items():
        _check_texts(phrases, name, texts)
    rows = [list(zip(*texts, strict=True)) for texts in zip(*columns.values(), strict=True)]
    has_blanks = any(text.split() != [text] for texts in columns.values() for text in _flat(texts))
    separator = "\t" if has_blanks else " "
    with output(path) as out:
        for sentence in rows:
            out.writelines(separator.join(row) + "\n" for row in sentence)
            out.write("\n")


def _check_texts(phrases: Chunks, name: str, texts: Sequence[Sequence[str]]) -> None:
    """OptionError for a text of a column that reading would not restore."""
    pattern, expected = WRITABLE[name]
    for sentence, row in zip(phrases.sentences.ids, texts, strict=True):
        for text in row:
            if not pattern.fullmatch(text):
                raise OptionError(
                    f"{phrases.source}: sentence {sentence!r}: found the {name} {shortened(text)!r}; expected in columns "
                    f"{expected}: write JSON lines instead"
                )


def _flat(texts: Iterable[Iterable[str]]) -> Iterator[str]:
    return (text for row in texts for text in row)
