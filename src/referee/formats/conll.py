"""CoNLL-2012 and its family: one token per line, coreference as brackets in the last column.

::

    #begin document (bc/cctv/00/cctv_0005); part 000
    bc/cctv/00/cctv_0005 0 0 Thank VBP (TOP(S(VP* thank 01 1 Xu_li * (V*) * -
    bc/cctv/00/cctv_0005 0 1 you   PRP (NP*)      -     -  - Xu_li * (ARG1*) * (116)
    bc/cctv/00/cctv_0005 0 2 .     .   *))        -     -  - Xu_li * * * (12|(3)

    #end document

``(7`` opens a mention of entity 7, ``7)`` closes the one of entity 7 that was opened last, ``(7)`` is a mention of one
token; ``-`` (also ``_`` and ``*``) is no mention. A blank line ends a sentence. Spans may cross sentences.

References
----------
The CoNLL-2011 and 2012 shared tasks (Pradhan et al. 2011, 2012) and the files met in the wild.

Notes
-----
What is accepted, and where programs disagree:

* Columns are separated by tabs or runs of blanks (the Perl scorer splits at tabs only); a control character in place of a
  blank before the last column is an error. The column is counted from the right,
  since the number of predicate columns varies; a trailing tab is ignored (LitBank). Files of two or three columns have no
  document and part columns.
* Brackets may stand together without ``|``, as in ``(1(2`` (GUM). coval forgets the first of the two.
* Ids are any text without blanks, brackets and bars (``person-1``); a type may precede the last hyphen. The Perl scorer takes
  digits only.
* ``part 000`` and ``part 0`` are the same part; the name of the document is ``NAME_0``, as jsonlines write it. Without a part
  it is ``NAME``, without a name the number of the document. ``# begin document`` with a blank is accepted (OntoGUM).
* ``#end document`` may be missing; a token outside of any document is left out with a warning, unless there is no
  ``#begin`` at all: then the file is one document. Other lines that begin with ``#`` are tokens if their last column is
  empty or brackets, comments if not. With blanks between columns, a line of three columns and more whose first is ``#`` is a
  comment, with a warning if it has brackets and as many columns as the line before or after it.
* CRLF, a byte order mark and gzip are understood. Text is UTF-8: other bytes are an error as soon as tokens are needed, which
  they are not to score files that are the same but for the last column.

Reading the mentions is the work of `referee.formats.conll_scan`, which never looks at a token. What needs tokens, and every
message about an error, is made apart from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import BinaryIO, TextIO

import numpy as np

from referee.corpus import Corpus, Text, Words
from referee.corpus.views import Document
from referee.exceptions import FormatError, counted, shortened, warn
from referee.formats.conll_scan import Found, Scan, UnreadableError
from referee.formats.shared.brackets import crossing
from referee.formats.shared.documents import unwritable, words_of
from referee.formats.shared.possessive import compiled
from referee.formats.shared.source import UNREADABLE, Fault, Source

HOLDS = ("spans", "words")
WRITTEN_AS = ("names",)
# Possessive, for one way to read a cell is enough: with others to try, a wrong cell of thirty brackets takes a minute.
CELL = r"\|*+(?:(?:\([^\0- ()|]++(?![^\0- ()|])(?:\)|(?!\)))|[^\0- ()|]++\))\|*+)++"
COLUMN = re.compile(r"[^\0- ]+")  # not str.split: a no-break space belongs to its token
OTHERS = re.compile(r"#\s*(global\.\w+ *=|newpar\b|sent_id *=|FORMAT=WebAnno)")
"""Comments that only other formats with columns have."""
EMPTY = ("-", "_", "*")


def sniff(head: str) -> bool:
    """Whether it has a header, or brackets or empty cells in nearly all last columns."""
    whole, _, rest = head.rpartition("\n")  # the head may end amid a line
    lines = [line for line in (whole or rest).split("\n") if line.strip()]
    if any(OTHERS.match(line) for line in lines):
        return False
    if any(line.startswith("#") and isinstance(header(line), str) for line in lines):
        return True
    cells = [c for c in map(COLUMN.findall, lines) if c and c[0][0] != "#"]
    fitting = sum(len(c) > 1 and _is_cell(c[-1]) for c in cells)
    return bool(cells) and fitting >= 0.9 * len(cells) and any(c[-1] not in EMPTY for c in cells)


def read(source: Source, fault: Fault) -> Corpus:
    """The mentions of all documents; tokens when they are asked for."""
    undecoded: list[tuple[int | None, str]] = []
    try:
        with source.open() as stream:
            found = Scan(header).read(stream)
        mended = found.digests is None and found.wrong is not None
    except UnreadableError:
        mended = True
    except UNREADABLE as error:
        raise FormatError(source.name, None, f"cannot be read: {str(error).lower()}") from None
    if mended:
        found = Scan(header).read(_mended(source, lambda *error: undecoded.append(error)))
    names = document_names(found.names)
    if undecoded or found.wrong or len(set(names)) < len(names):
        from referee.formats.conll_errors import report  # few files have errors

        report(found, undecoded, source, fault)
    _warn_of_tokens_outside(source, found.outside)
    _warn_of_comments(source, found.unsure)
    # Without digests, as those of a file that is not UTF-8, tokens are read to be compared, and the byte is an error then.
    return corpus_of(found, tuple(names), Text(lambda: words(source), found.digests, kind="conll"), source.name)


def read_together(paths: Mapping[str, str], folder: str, role: str) -> Corpus | None:
    """Read the files of a folder as one; None if they must be read one by one."""
    from referee.formats.conll_folder import read_folder  # of use for folders only

    return read_folder(paths, folder)


def document_names(names: Sequence[str]) -> list[str]:
    """The names of the documents of a file; a document without one has its number."""
    return [name or f"#{number}" for number, name in enumerate(names, start=1)]


def corpus_of(found: Found, names: tuple[str, ...], text: Text, source: str) -> Corpus:
    """The corpus of what the fast reader has found."""
    corpus = Corpus(
        names,
        document=found.document,
        start=found.start,
        end=found.end,
        entity=found.entity,
        entity_ids=found.labels,
        text=text,
        source=source,
    ).in_reading_order()
    return replace(corpus, entity_types=_types(corpus.entity_ids))


def write(corpus: Corpus, out: TextIO, variant: str = "") -> None:
    """Write twelve columns with tabs between them; unknown values are `-` or `*`.

    Entity ids are numbers, as other programs need them: a document that has others is numbered. The variant `names` keeps them.

    Raises
    ------
    FormatError
        If the corpus has no words, a name or a word does not fit into a line, or two mentions of one entity cross.
    """
    words_of(corpus, format="conll")
    for document in corpus.documents.values():
        name, _, part = re.fullmatch(r"(.+?)(_(0|[1-9][0-9]*))?", document.name, re.DOTALL).groups()  # type: ignore[union-attr]
        heading = f"#begin document ({name})" + (f"; part {part.zfill(3)}" if part else "")
        if header(heading) != document.name or re.search(r"[\0-\x1f]", heading):
            raise unwritable(corpus, document.name, "its name has blanks around it or control characters", format="conll")
        out.write(heading + "\n")
        first_column = name.replace(" ", "_").lstrip("#") or "-"
        cells = _cells(corpus, document, _names(document) if variant else _numbers(document))
        for first, after in pairwise([*document.sentences, len(document.tokens)]):
            for number, token in enumerate(document.tokens[first:after]):
                if not COLUMN.fullmatch(token):
                    raise unwritable(corpus, document.name, f"the token {token!r} is empty or has blanks in it", format="conll")
                row = (first_column, part or "0", str(number), token, "-", "*", "-", "-", "-", "-", "*")
                out.write("\t".join(row) + "\t" + cells[first + number] + "\n")
            out.write("\n")
        out.write("#end document\n")


def header(line: str) -> str | bool | None:
    """Tell what a line that begins with # is.

    Returns
    -------
    str, bool or None
        The name of the document that begins here; None where one ends; True for a token; False for a comment.
    """
    if line == "#end document":  # as most files have it
        return None
    cells = COLUMN.findall(line)
    keywords = "".join(cells[:3]).lstrip("#")
    if keywords.startswith("begindocument"):
        return _document_name(line.partition("document")[2].strip())
    if keywords.startswith("enddocument"):
        return None
    # A token # in a file with blanks between its columns looks like a comment of several words; those are more frequent.
    comment = cells[0] == "#" and len(cells) > 2 and "\t" not in line
    return len(cells) > 1 and not comment and _is_cell(cells[-1])


def _document_name(text: str) -> str:
    """`NAME_0` for `(NAME); part 000`."""
    name, _, part = text.rstrip("; ").rpartition(";")
    word, _, number = part.strip().partition(" ")
    if word != "part" or not re.fullmatch("[0-9]+", number.strip()):
        name, number = text.rstrip("; "), ""
    name = name.strip()
    name = name[1:-1].strip() if name.startswith("(") and name.endswith(")") else name
    return f"{name}_{number.strip().lstrip('0') or '0'}" if name and number else name


def _is_cell(text: str) -> bool:
    return text in EMPTY or compiled(CELL).fullmatch(text) is not None


def _types(labels: Sequence[str]) -> Sequence[str] | None:
    """The types that the labels begin with, as in `person-1`; None if the first label has none."""
    return _Types(labels) if len(labels) and "-" in labels[0] else None


class _Types(Sequence[str]):
    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = labels

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # slices are not needed
        return self.labels[index].rpartition("-")[0]


def _numbers(document: Document) -> list[str]:
    """The ids of the entities if they are numbers, else new numbers."""
    labels = [e.id for e in document.entities]
    numbers = len(set(labels)) == len(labels) and all(re.fullmatch("0|[1-9][0-9]*", label) for label in labels)
    return labels if numbers else [str(n) for n in range(len(labels))]


def _names(document: Document) -> list[str]:
    """The ids of the entities, with _ for what cannot be in one (a hyphen ends a type); the same again has a number."""
    names: dict[str, None] = {}
    for n, entity in enumerate(document.entities):
        name = re.sub(r"[\s\0-\x1f()|-]+", "_", entity.id) or str(n)
        while name in names:
            name += f"#{n}"
        names[name] = None
    return list(names)


def _cells(corpus: Corpus, document: Document, labels: Sequence[str]) -> list[str]:
    """The last column: ends, the innermost first, one-token mentions, then starts, the outermost first."""
    first = document.entities[0].index if labels else 0
    closing: dict[int, list[str]] = {}
    alone: dict[int, list[str]] = {}
    opening: dict[int, list[str]] = {}
    for label, entity in zip(labels, document.entities, strict=True):
        if pair := crossing(((m.start, m.end, m.index) for m in entity.mentions), shared=1):  # one ends first, as in 7)|(7
            a, b = ((int(corpus.start[m]), int(corpus.end[m])) for m in pair)
            found = f"mentions {a} and {b} of entity {shortened(label)} cross"
            raise unwritable(corpus, document.name, found, format="conll")
    for mention in sorted(document.mentions, key=lambda m: (m.start, -m.end)):
        start, end = mention.start, mention.end
        label = labels[int(corpus.entity[mention.index]) - first]
        if end == start + 1:
            alone.setdefault(start, []).append(f"({label})")
        else:
            opening.setdefault(start, []).append(f"({label}")
            closing.setdefault(end - 1, []).insert(0, f"{label})")
    return ["|".join(closing.get(t, []) + alone.get(t, []) + opening.get(t, [])) or "-" for t in range(len(document.tokens))]


# What only some callers ask for: lines and words.


def token_lines(source: Source) -> dict[str, list[int]]:
    """Return the numbers of the lines of the tokens of each document, for `referee validate`."""
    with source.open() as stream:
        found = Scan(header).read(stream)
    ranges = zip(found.first_token.tolist(), found.tokens.tolist(), strict=True)
    lines = (found.lines(first + np.arange(count)).tolist() for first, count in ranges)
    return dict(zip(document_names(found.names), lines, strict=True))


def words(source: Source) -> list[Words]:
    """The words of each document."""
    from referee.formats.conll_words import read_words  # scoring rarely needs words

    try:
        with source.open() as stream:
            found = read_words(stream, header)
    except (UnreadableError, *UNREADABLE):
        source.check_unchanged()
        fault = _ignore if _replacing.get() else source.fault
        found = read_words(_mended(source, fault), header)
    source.check_unchanged()
    return found


def _mended(source: Source, fault: Fault) -> BinaryIO:
    """The bytes of a file with U+FFFD for those that are not UTF-8, and a blank for NUL bytes; both are errors."""
    return BytesIO(source.text(fault).replace("\0", " ").encode())


_replacing = ContextVar("replacing", default=False)


@contextmanager
def replacing() -> Iterator[None]:
    """Replace bytes that are not UTF-8 by U+FFFD in tokens that are read late.

    What was scored without its words can then be shown.
    """
    before = _replacing.set(True)
    try:
        yield
    finally:
        _replacing.reset(before)


def _ignore(line: int | None, problem: str) -> None:
    """Errors were reported when the mentions were read."""


def _warn_of_tokens_outside(source: Source, count: int) -> None:
    if count:
        warn(f"{source.name}: left out {counted(count, 'token')} outside of any document; expected #begin document before")


def _warn_of_comments(source: Source, lines: Sequence[int]) -> None:
    if lines:
        found = f"left out {counted(len(lines), 'comment')} with brackets and as many columns as the token beside"
        warn(f"{source.name}:{lines[0]}: {found}; expected tabs between the columns if # is a token")
