"""Tags in columns: one word per line, an empty line after each sentence, as in the shared tasks of CoNLL-2000 and 2003.

::

    Confidence NN B-NP
    in         IN B-PP
    the        DT B-NP
    pound      NN I-NP

The first column is the word, or the second if the first numbers the words of each sentence; then, if there are three or more,
comes its part of speech. The tags are in the last column unless another is named. Of the four columns of GermEval (number,
word, outer and inner tags, separated by tabs) the outer tags are read, and a warning counts the inner ones. So it is with four
and more columns of tags after the word (LitBank), and three of the same categories: the first is read. The signature says
which column was read. If a line has a tab, tabs separate its columns, otherwise blanks do; empty cells at its end are no
columns.

Lines that begin with `#` and a blank before a sentence are comments (WNUT, MultiCoNER), unless they end as the words do: with
as many columns, and a tag. A document mark, `-DOCSTART-`, is left out. Blank lines may hold a byte order mark.

Tags may stand without words: one a line, or, if lines differ in length, a sentence a line. In JSON they are lists of strings, a
sentence each, beside those of words: ``{"tokens": ["Ann", "sang"], "ner_tags": ["B-PER", "O"]}``. Lists are columns, too. Where
these, or a header (``token gold predicted``), have a column of a key, or of a response, each side reads its own.

A named rule says what tags mean: see `referee.phrases.chunking.iob`. Tags without prefixes (`PERSON`, `O`) are read as IO;
those in other notations (`PER-B`, `B_PER`, `BPER`, `PERB`) as B-PER if all have a prefix, and a category has two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from referee.basics.exceptions import FormatError, OptionError, shortened, warn
from referee.basics.files import output
from referee.basics.sides import side_of
from referee.formats import arrau
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import first_keys
from referee.formats.shared.source import Source
from referee.formats.shared.tags import DOCUMENT_MARK, TAG, first_rows
from referee.phrases.annotation import Chunks, PhraseCandidates, Sentences
from referee.phrases.chunking.iob import encode
from referee.phrases.chunking.schemes import are_plain, chunks_of
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.tag_table import (
    ColumnTable,
    are_all_tags,
    levels,
    read_lists,
    read_table,
    share_categories,
    tag_column,
)

CATEGORY = re.compile(r"[A-Za-z][\w./&:|-]{0,60}")
"""The name of a category, where tags have no prefixes."""

LISTS = re.compile(r'[\s\[]*(\{\s*"[^"]*"\s*:|\[\s*"[^"\s]*"\s*[,\]])')
"""How JSON begins that has lists of tags."""

LIST_OF_TAGS = re.compile(
    r"""(?:"(?!tokens"|words")[^"]+"\s*:\s*|^[\s\[]*)\[\s*(?:\[\s*)?(?:"(?:O|[BIESLUMW]-[^"\s]+)"\s*,?\s*)+\]"""
    r"""|"\w*(?:tags?|labels?)"\s*:\s*\[\s*(?:\[\s*)?(?:-?\d+\s*[,\]]|")"""
)
OTHER_LISTS = {"clusters", "corefs", "mentions", "sentences", "spans"}

INNER = "left out {{}} of the inner {of}; --key-column {n} and --response-column {n} read these in place of column {outer}"
TEXT = re.compile(rf"(?!\ufeff|{DOCUMENT_MARK}$)(?=\s*[^\s\0])[^\0\t\r\n]*")
WRITABLE = {
    "word": (TEXT, "one that is not empty or a document mark, without tabs, line breaks and NUL"),
    "part of speech": (TEXT, "one that is not empty, without tabs, line breaks and NUL"),
    "tag": (TAG, "a category without blanks"),
}
"""What each column can hold so that reading restores it."""


def sniff(head: str) -> bool:
    """Whether at least half of the lines have two or more columns and end with a tag; or all lines with a category or O.

    So a file with some wrong tags is still recognized, and its errors can be reported. ARRAU's files of mentions look similar.
    """
    if LISTS.match(head):
        return bool(LIST_OF_TAGS.search(head)) and not first_keys(head) & OTHER_LISTS
    rows = first_rows(head)
    if are_all_tags(chain(*rows)):
        return True
    tagged = sum(len(columns) > 1 and TAG.fullmatch(columns[-1]) is not None for columns in rows)
    return 0 < len(rows) <= (3 if _have_categories(rows) else 2) * tagged and not arrau.sniff(head)


def _have_categories(rows: Sequence[Sequence[str]]) -> bool:
    """Whether lines of one width end with O or the name of a category."""
    last = [columns[-1] for columns in rows]
    return len(set(map(len, rows))) == 1 and are_plain(last) and all(map(CATEGORY.fullmatch, last))


def read(source: Source, options: PhraseOptions) -> Chunks:
    """Read the chunks of the tags in a column.

    Raises
    ------
    FormatError
        If there is no such column.

    Warns
    -----
    RefereeWarning
        If the rule makes no chunk of some tags, or a file has tags of inner levels.
    """
    are_lists = LISTS.match(source.head.decode(errors="replace")) is not None
    table = read_lists(source) if are_lists else read_table(source, comments=True)
    if not (has_words := table.has_words) and table.width > 1 and options.column is None:
        problem = (
            "has tags in the first column, too; expected words there, or one tag a line and an empty line after each sentence: "
            "--key-column 1 --response-column 2 reads columns without words"
        )
        raise FormatError(source.name, table.lines[0], problem)
    column = tag_column(table, source, options.column, holds_key=options.holds_key)
    others = [n for n in range(1, table.width) if n != column and table.holds_tags(n)]
    tags = table.column(column)
    nested = levels(table)
    is_last = column == table.width - 1 and not (table.names and side_of(table.names[column]))
    if options.column is None and nested and column == nested[0]:
        _warn_of_inner_levels(table, nested, source)
    elif is_last and options.column is None and source.role == "key" and share_categories(table):
        warn(
            f"{source.name}: took the tags of {table.name(column)}, and {table.name(column - 1)} has tags of the same "
            f"categories: --key-column {column} reads these"
        )
    words = int(table.is_numbered)
    lengths = [len(sentence) for sentence in table.sentences]
    chunks = chunks_of(
        tags,
        options.decode,
        outside=options.outside,
        sentences=replace(
            Sentences.numbered(
                lengths,
                table.column(words) if has_words else None,
                table.column(words + 1) if table.width > words + 2 and not nested else None,
            ),
            first_line=None if are_lists else np.array([*table.lines, 0])[np.cumsum([0, *lengths[:-1]])[: len(lengths)]],
        ),
        on_error=lambda word, problem: source.raise_error(table.lines[word], problem),
        source=source.name,
        lines=table.lines,
        column=table.name(column),
    )
    return replace(chunks, unread=tuple(map(table.name, others)) if options.column is None else None)


def _warn_of_inner_levels(table: ColumnTable, nested: range, source: Source) -> None:
    """Count the tags of all levels but the outermost."""
    outer, second, last = nested[0] + 1, nested[1] + 1, nested[-1] + 1
    inner_levels = f"level in column {second}" if second == last else f"levels in columns {second} to {last}"
    inner = [line for n in nested[1:] for line, tag in zip(table.lines, table.values(n), strict=True) if tag != "O"]
    warn_file(source.name, INNER.format(of=inner_levels, n=second, outer=outer), "tag", len(inner), min(inner, default=None))


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
    words = sentences.words if sentences.words is not None else [["_"] * n for n in sentences.length.tolist()]
    if are_all_tags(chain.from_iterable(words)):
        raise OptionError(f"{phrases.source}: found words that all look like tags; expected others: write JSON lines instead")
    columns: dict[str, Sequence[Sequence[str]]] = {"word": words}
    if sentences.tags is not None:
        columns["part of speech"] = sentences.tags
    columns["tag"] = encode(phrases, scheme, outside=outside)
    separator = " "
    for name, texts in columns.items():
        pattern, expected = WRITABLE[name]
        for sentence, text in ((sentence, text) for sentence, row in zip(sentences.ids, texts, strict=True) for text in row):
            if not pattern.fullmatch(text):
                raise OptionError(
                    f"{phrases.source}: sentence {sentence!r}: found the {name} {shortened(text)!r}; expected in columns "
                    f"{expected}: write JSON lines instead"
                )
            separator = separator if text.split() == [text] else "\t"
    with output(path) as out:
        for rows in zip(*columns.values(), strict=True):
            out.writelines(separator.join(row) + "\n" for row in zip(*rows, strict=True))
            out.write("\n")


FORMAT = Format("columns", __doc__, (), sniff, read, write, endings=(".iob", ".conll", ".txt"))
