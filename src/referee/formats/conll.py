"""CoNLL-2012 and its family: one token per line, coreference as brackets in the last column.

::

    #begin document (bc/cctv/00/cctv_0005); part 000
    bc/cctv/00/cctv_0005 0 0 Thank VBP (TOP(S(VP* thank 01 1 Xu_li * (V*) * -
    bc/cctv/00/cctv_0005 0 1 you   PRP (NP*)      -     -  - Xu_li * (ARG1*) * (116)
    bc/cctv/00/cctv_0005 0 2 .     .   *))        -     -  - Xu_li * * * (12|(3)

    #end document

``(7`` opens a mention of entity 7, ``7)`` closes the one of entity 7 that was opened last, ``(7)`` is a mention of one
token; ``-`` (also ``_`` and ``*``) is no mention. A blank line ends a sentence. Spans may cross sentences.

Sources: the CoNLL-2011 and 2012 shared tasks (Pradhan et al. 2011, 2012) and the files met in the wild. What is accepted,
and where programs disagree:

* Columns are separated by tabs or runs of blanks (the Perl scorer splits at tabs only). The column is counted from the right,
  since the number of predicate columns varies; a trailing tab is ignored (LitBank). Files of two or three columns have no
  document and part columns.
* Brackets may stand together without ``|``, as in ``(1(2`` (GUM). coval forgets the first of the two.
* Ids are any text without blanks, brackets and bars (``person-1``); a type may precede the last hyphen. The Perl scorer takes
  digits only.
* ``part 000`` and ``part 0`` are the same part; the name of the document is ``NAME_0``, as jsonlines write it. Without a part
  it is ``NAME``, without a name the number of the document. ``# begin document`` with a blank is accepted (OntoGUM).
* ``#end document`` may be missing; a token outside of any document is left out with a warning, unless there is no
  ``#begin`` at all: then the file is one document. Other lines that begin with ``#`` are tokens if their last column is
  empty or brackets, comments if not.
* CRLF, a byte order mark and gzip are understood. Text is UTF-8: other bytes are a fault as soon as tokens are needed, which
  they are not to score files that are the same but for the last column.

Reading the mentions is the work of `referee.formats.conll_scan`, which never looks at a token. What needs tokens, and every
message about a fault, reads the file line by line, here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TextIO

from referee.corpus.builder import CorpusBuilder
from referee.corpus.corpus import Corpus
from referee.corpus.text import Text, Words
from referee.corpus.views import Document
from referee.exceptions import FormatError, warn
from referee.formats.conll_scan import Scan
from referee.formats.shared.brackets import UnreadableError
from referee.formats.shared.source import UNREADABLE, Fault, Source
from referee.messages import counted, shortened

# Possessive, for one way to read a cell is enough: with others to try, a faulty cell of thirty brackets takes a minute.
HOLDS = ("spans", "words")
CELL = r"\|*+(?:(?:\([^\0- ()|]++\)?+|[^\0- ()|]++\))\|*+)++"
BRACKET = r"(\()?([^\0- ()|]+)(\))?"
COLUMN = re.compile(r"[^\0- ]+")  # not str.split: a no-break space belongs to its token
OTHERS = re.compile(r"#\s*(global\.\w+ *=|newpar\b|sent_id *=|FORMAT=WebAnno)")
"""Comments that only other formats with columns have."""
EMPTY = ("-", "_", "*")


def sniff(head: str) -> bool:
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
    try:
        with source.open() as stream:
            found = Scan(header).read(stream)
    except UnreadableError:
        return _read_by_line(source, fault)
    except UNREADABLE as error:
        raise FormatError(source.name, None, f"cannot be read: {str(error).lower()}") from None
    names = [name or f"#{number}" for number, name in enumerate(found.names, start=1)]
    if len(set(names)) < len(names):
        return _read_by_line(source, fault)
    if found.outside:
        _warn_of_tokens_outside(source, found.outside)
    # Tokens are read late: the fast reader does not decode them, so this is when bytes that are not UTF-8 come to light.
    text = Text(lambda: _words(source, _ignore if _replacing.get() else source.fault), found.digests, kind="conll")
    corpus = Corpus(
        tuple(names),
        document=found.document,
        start=found.start,
        end=found.end,
        entity=found.entity,
        entity_ids=found.labels,
        text=text,
        source=source.name,
    ).in_reading_order()
    return replace(corpus, entity_types=_types(corpus.entity_ids))


def write(corpus: Corpus, out: TextIO) -> None:
    """Twelve columns with tabs between them; what is not known is `-` or `*`.

    FormatError if the corpus has no tokens, or two mentions of one entity cross, which brackets cannot say.
    """
    if corpus.text is None:
        raise FormatError(corpus.source, None, "has no tokens, which CoNLL needs; convert to clusters, links or csv instead")
    for document in corpus.documents.values():
        name, _, part = re.fullmatch(r"(.+?)(_(0|[1-9][0-9]*))?", document.name, re.DOTALL).groups()  # type: ignore[union-attr]
        heading = f"#begin document ({name})" + (f"; part {part.zfill(3)}" if part else "")
        if header(heading) != document.name or re.search(r"[\0-\x1f]", heading):
            raise FormatError(
                corpus.source, None, f"the document name {shortened(document.name)!r} has blanks around it or control "
                "characters, which CoNLL cannot hold; convert to jsonlines instead"
            )  # fmt: skip
        out.write(heading + "\n")
        first_column = name.replace(" ", "_").lstrip("#") or "-"
        cells = _cells(document)
        breaks = [*document.sentences, len(document.tokens)]
        for first, after in pairwise(breaks):
            for number, token in enumerate(document.tokens[first:after]):
                if not COLUMN.fullmatch(token):
                    raise FormatError(
                        corpus.source, None, f"document {document.name!r}: the token {token!r} is empty or has blanks in it, "
                        "which CoNLL cannot hold; convert to jsonlines instead"
                    )  # fmt: skip
                row = (first_column, part or "0", str(number), token, "-", "*", "-", "-", "-", "-", "*")
                out.write("\t".join(row) + "\t" + cells[first + number] + "\n")
            out.write("\n")
        out.write("#end document\n")


def header(line: str) -> str | bool | None:
    """What a line that begins with # says: the name of the document that it begins, None where it ends one, True for a token,
    False for a comment."""
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
    return text in EMPTY or re.fullmatch(CELL, text) is not None


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


def _cells(document: Document) -> list[str]:
    """The last column: ends, the innermost first, one-token mentions, then starts, the outermost first."""
    labels = [e.id for e in document.entities]
    if len(set(labels)) < len(labels) or not all(re.fullmatch(r"[^\0- ()|]+", label) for label in labels):
        labels = [str(n) for n in range(len(labels))]
    first = document.entities[0].index if labels else 0
    closing: dict[int, list[str]] = {}
    alone: dict[int, list[str]] = {}
    opening: dict[int, list[str]] = {}
    unfinished: dict[int, list[tuple[int, int]]] = {}
    corpus = document.corpus
    for mention in sorted(document.mentions, key=lambda m: (m.start, -m.end)):
        start, end = mention.start, mention.end
        entity = int(corpus.entity[mention.index]) - first
        if end == start + 1:
            alone.setdefault(start, []).append(f"({labels[entity]})")
            continue
        stack = unfinished.setdefault(entity, [])
        while stack and stack[-1][1] <= start + 1:  # it may end where this one begins, as in 7)|(7
            stack.pop()
        if stack and stack[-1][1] < end:
            raise FormatError(
                corpus.source, None, f"document {shortened(document.name)!r}: mentions {stack[-1]} and {(start, end)} of "
                f"entity {shortened(labels[entity])} cross, which CoNLL cannot say; convert to jsonlines instead"
            )  # fmt: skip
        stack.append((start, end))
        opening.setdefault(start, []).append(f"({labels[entity]}")
        closing.setdefault(end - 1, []).insert(0, f"{labels[entity]})")
    return ["|".join(closing.get(t, []) + alone.get(t, []) + opening.get(t, [])) or "-" for t in range(len(document.tokens))]


# Line by line.


class _Line(NamedTuple):
    number: int
    begins: str | None = None  # the name of the document that begins here
    word: str = ""  # of a token
    cell: str = ""
    ends: bool = False  # the document
    breaks: bool = False  # the sentence


def _lines(source: Source, fault: Fault) -> Iterator[_Line]:
    for number, line in source.lines(fault):
        cells = COLUMN.findall(line)
        if not cells:
            yield _Line(number, breaks=True)
            continue
        says = header(line) if line.startswith("#") else True
        if isinstance(says, str):
            yield _Line(number, begins=says)
        elif says is None:
            yield _Line(number, ends=True)
        elif says:
            yield _Line(number, word=cells[_word_column(cells)], cell=cells[-1])


def _word_column(cells: list[str]) -> int:
    """CoNLL-2012: the fourth. SemEval-2010, which begins with the word number: the second. Two to four columns: the one before
    the brackets."""
    if len(cells) < 5:
        return max(0, len(cells) - 2)
    return 1 if cells[0].isdigit() and not (cells[1].isdigit() and cells[2].isdigit()) else 3


def _words(source: Source, fault: Fault) -> list[Words]:
    documents: list[Words] = []
    tokens: list[str] = []
    sentences: list[int] = []
    inside = new = False
    begun = any(line.begins is not None for line in _lines(source, _ignore))
    if not begun:
        documents.append(Words(tokens, sentences))
        inside = True
    new = True
    for line in _lines(source, fault):
        if line.begins is not None:
            tokens, sentences, inside, new = [], [], True, True
            documents.append(Words(tokens, sentences))
        elif line.ends:
            inside = not begun
        elif line.breaks:
            new = True
        elif inside:
            if new:
                sentences.append(len(tokens))
                new = False
            tokens.append(line.word)
    return documents


_replacing = ContextVar("replacing", default=False)


@contextmanager
def replacing() -> Iterator[None]:
    """Within it, tokens that are read late have U+FFFD for bytes that are not UTF-8: what was scored without its words can then
    be shown."""
    before = _replacing.set(True)
    try:
        yield
    finally:
        _replacing.reset(before)


def _ignore(line: int | None, problem: str) -> None:
    """Faults were reported when the mentions were read."""


def _read_by_line(source: Source, fault: Fault) -> Corpus:
    """The same corpus, slowly, with every fault and its line."""
    builder = CorpusBuilder(source.name)
    begun = any(line.begins is not None for line in _lines(source, _ignore))
    unfinished: dict[str, list[tuple[int, int]]] = {}  # label -> (token, line) of the brackets open now
    token = outside = 0
    inside = repeated = False

    def close() -> None:
        for label, opened in sorted(unfinished.items(), key=lambda item: item[1][:1]):
            for _, line in opened:
                shown = shortened(label)
                fault(line, f"entity {shown} is opened but never closed; expected {shown}) before the end of its document")
        unfinished.clear()

    def begin(name: str, line: int) -> bool:
        try:
            builder.document(name, line=line)
        except FormatError as error:
            fault(error.line, error.problem)
            return False
        return True

    if not begun:
        inside = begin("", 1)
    for line in _lines(source, fault):
        if line.begins is not None:
            close()
            token, inside = 0, begin(line.begins, line.number)
            repeated = not inside
        elif line.ends:
            if begun:
                close()
                inside = repeated = False
        elif line.cell and not inside:
            outside += not repeated
        elif line.cell:
            _brackets(line, token, unfinished, builder, fault)
            token += 1
    close()
    if outside:
        _warn_of_tokens_outside(source, outside)
    corpus = builder.corpus()
    words = _words(source, _ignore)
    text = Text.of(words) if len(words) == len(corpus.doc_ids) else None  # a document may have been left out for a fault
    return replace(corpus, entity_types=_types(corpus.entity_ids), text=text)


def _brackets(
    line: _Line, token: int, unfinished: dict[str, list[tuple[int, int]]], builder: CorpusBuilder, fault: Fault
) -> None:
    if not _is_cell(line.cell):
        fault(line.number, f"found {line.cell[:80]!r} in the last column; expected - or brackets such as (12|(3)")
        return
    if line.cell in EMPTY:
        return
    for opens, label, closes in re.findall(BRACKET, line.cell):
        if opens and closes:
            builder.mention(token, token + 1, label)
        elif opens:
            unfinished.setdefault(label, []).append((token, line.number))
        elif unfinished.get(label):
            builder.mention(unfinished[label].pop()[0], token + 1, label)
        else:
            shown = shortened(label)
            fault(line.number, f"entity {shown} is closed but was never opened; expected ({shown} before it")


def _warn_of_tokens_outside(source: Source, count: int) -> None:
    warn(f"{source.name}: left out {counted(count, 'token')} outside of any document; expected #begin document before")
