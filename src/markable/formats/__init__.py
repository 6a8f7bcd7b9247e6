"""The formats we read and write: `FORMATS`, `read`, `write`, `detect`.

A format is one module and one line in `FORMATS`. Its docstring defines the format, names its sources and says where programs
disagree about it; its functions are

``HOLDS``
    which of `markable.corpus.FEATURES` it can hold; what else a corpus has is not written, and lost only when asked to
``HOLDS_EMPTY``
    False if it cannot hold documents without mentions; may be left out
``sniff(head: str) -> bool``
    does the beginning of a file (64 KB) look like it?
``read(source: Source, fault: Fault) -> Corpus``
    the annotation. `fault(line, problem)` raises a FormatError, or (for `validate`) records it and returns.
``write(corpus: Corpus, out: TextIO) -> None``
    the annotation as text; FormatError where the format cannot hold it. Formats that are only read have none.

A folder is read file by file: all files with the ending of the first that looks like a format.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from io import TextIOWrapper
from typing import Any, BinaryIO, TextIO

import numpy as np

from markable.corpus import FEATURES, Corpus, concatenate
from markable.errors import FormatError, OptionError, check_name, counted, listed, warn
from markable.formats.grouping import is_unnamed
from markable.formats.source import BINARY, Source
from markable.reduce import without
from markable.whole_files import written_whole

# In the order in which they are tried when a file's format must be told from its content; imported when needed.
FORMATS = {
    "conll": "markable.formats.conll",
    "corefud": "markable.formats.corefud",
    "webanno": "markable.formats.webanno",
    "ua": "markable.formats.ua",
    "arrau": "markable.formats.arrau",
    "mmax2": "markable.formats.mmax2",
    "ecb": "markable.formats.ecb",
    "uima": "markable.formats.uima",
    "litbank": "markable.formats.litbank",
    "brat": "markable.formats.brat",
    "muc": "markable.formats.muc",
    "docbin": "markable.formats.docbin",
    "booknlp": "markable.formats.booknlp",
    "stanza": "markable.formats.stanza",
    "corenlp": "markable.formats.corenlp",
    "preco": "markable.formats.preco",
    "maverick": "markable.formats.maverick",
    "allennlp": "markable.formats.allennlp",
    "fastcoref": "markable.formats.fastcoref",
    "jsonlines": "markable.formats.jsonlines",
    "s2and": "markable.formats.s2and",
    "clusters": "markable.formats.clusters",
    "gap": "markable.formats.gap",
    "pairs": "markable.formats.pairs",
    "sacr": "markable.formats.sacr",
    "csv": "markable.formats.csv",
    "tsv": "markable.formats.tsv",
    "links": "markable.formats.links",
    "parquet": "markable.formats.parquet",
}

ENDINGS = {
    ".conllu": "corefud",
    ".conllua": "ua",
    ".jsonl": "jsonlines",
    ".json": "clusters",
    ".sgml": "muc",
    ".sgm": "muc",
    ".txt": "links",
}
"""File endings that are no format's name; used for writing only, reading looks at the content."""


def module(name: str) -> Any:
    """The module of a format. UnknownNameError if there is none of that name."""
    check_name("format", name, FORMATS)
    return import_module(FORMATS[name])


def detect(source: Source) -> str:
    """The name of the format that the content looks like. FormatError if it looks like none."""
    if source.binary:
        return source.binary
    head = source.head.decode(errors="replace")
    if not head.strip():
        raise FormatError(source.name, None, "is empty; expected annotation")
    for name in FORMATS:
        if module(name).sniff(head):
            return name
    raise FormatError(
        source.name, None, f"looks like none of the formats {', '.join(FORMATS)}: name one with --format if it is"
    )


def read(path: str | os.PathLike[str] | Source, *, format: str | None = None, role: str = "key") -> Corpus:
    """The annotation of a file: a path (gzip or not), a folder, `-` for standard input, or a `Source`.

    format : one of `FORMATS`; None to tell it from the content
    role   : "key" or "response", for a file that holds both

    FormatError names the file, the line, what was found and what was expected.
    """
    if not isinstance(path, Source) and os.path.isdir(path):
        return read_folder(os.fspath(path), format, role)
    source = path if isinstance(path, Source) else Source(path, role=role)
    name = format or detect(source)
    corpus: Corpus = module(name).read(source, source.fault)
    return replace(corpus, format=name)


def read_folder(folder: str, format: str | None = None, role: str = "key") -> Corpus:
    """The documents of all files of a folder, and of the folders in it, that end like the first that looks like a format (or
    the first of all, if the format is named). A document without a name of its own is called like its file, with its
    number if the file has several: `x`, or `x#1` and `x#2`.

    FormatError if no file looks like a format, or a document is in two files.
    """
    name, paths = _files(folder, format)
    corpora = []
    where: dict[str, str] = {}
    for path, stem in paths.items():
        corpus = read(path, format=name, role=role)
        several = len(corpus.names) > 1
        names = [
            stem + document * several if document == f"#{number}" else document
            for number, document in enumerate(corpus.names, start=1)
        ]
        corpus = corpus.placed(tuple(names), np.arange(len(names)))
        for document in corpus.names:
            if document in where:
                raise FormatError(corpus.source, None, f"document {document!r} is in {where[document]}, too; expected it once")
            where[document] = corpus.source
        corpora.append(corpus)
    return concatenate(corpora, folder)


def detect_in(folder: str) -> str:
    """The format of a folder's files. FormatError if none looks like any."""
    return _files(folder, None)[0]


def _files(folder: str, format: str | None) -> tuple[str, dict[str, str]]:
    """The format of a folder's files, and their paths, each with what a document in it without a name is called."""
    paths = [
        os.path.join(where, name)
        for where, folders, names in os.walk(folder)
        if folders.sort() is None
        for name in sorted(names)
        if not name.startswith(".")
    ]
    first = next((path for path in paths if format or _detected(path)), None)
    if first is None:
        raise FormatError(folder, None, f"has no file that looks like any of the formats {', '.join(FORMATS)}")
    name = format or _detected(first) or ""
    ending = _ending(first)
    return name, {
        path: os.path.relpath(path, folder).replace(os.sep, "/").removesuffix(".gz").removesuffix(ending)
        for path in paths
        if _ending(path) == ending
    }


def _detected(path: str) -> str | None:
    try:
        return detect(Source(path))
    except FormatError:
        return None


def _ending(path: str) -> str:
    return os.path.splitext(path.removesuffix(".gz"))[1]


def validate(path: str | os.PathLike[str] | Source, *, format: str | None = None) -> list[FormatError]:
    """Every fault of a file, in the order of its lines, or of the files of a folder; none if it can be read."""
    if not isinstance(path, Source) and os.path.isdir(path):
        return _validate_folder(os.fspath(path), format)
    faults: list[FormatError] = []

    def record(line: int | None, problem: str) -> None:
        faults.append(FormatError(source.name, line, problem))

    try:
        source = path if isinstance(path, Source) else Source(path)
        name = format or detect(source)
        module(name).read(source, record)
        if not faults and name not in BINARY.values():  # a reader may not have decoded what it had no need of
            deque(source.lines(record), maxlen=0)
    except FormatError as error:
        faults.append(error)
    return sorted(faults, key=lambda f: f.line or 0)


def _validate_folder(folder: str, format: str | None) -> list[FormatError]:
    try:
        name, paths = _files(folder, format)
        faults = [fault for path in paths for fault in validate(path, format=name)]
        if not faults:
            read_folder(folder, format)  # whose documents may still have one name
    except FormatError as error:
        return [error]
    return faults


def write(corpus: Corpus, path: str | os.PathLike[str], *, format: str | None = None, lossy: bool = False) -> None:
    """Write the annotation to a path (gzip if it ends in .gz), or `-` for standard output.

    format : one of `FORMATS`; None to take it from the ending
    lossy  : leave out what the format cannot hold (see `markable.reduce`), with a warning, instead of refusing

    The file appears only when it is complete. FormatError if the format cannot hold the corpus.
    """
    target = os.fspath(path)
    name = format or _format_of(target)
    writer = module(name)
    if not hasattr(writer, "write"):
        raise OptionError(f"{name} is only read; expected a format that is written, too: {', '.join(written())}")
    excess = [feature for feature in FEATURES if feature in corpus.features - set(writer.HOLDS)]
    corpus = without(corpus, excess) if lossy else corpus
    empty = len(corpus.names) - len(np.unique(corpus.document))
    if empty and not getattr(writer, "HOLDS_EMPTY", True) and not is_unnamed(corpus):
        excess.append(counted(empty, "document") + " without mentions")
    if excess and not lossy:
        raise FormatError(
            corpus.source, None, f"has {listed(excess)}, which {name} cannot hold; expected another format, or --lossy "
            "(lossy=True) to leave that out"
        )  # fmt: skip
    if excess:
        warn(f"{corpus.source}: left out what {name} cannot hold: {listed(excess)}")
    with output(target) as out:
        writer.write(corpus, out)


def written() -> list[str]:
    """The formats that can be written."""
    return [name for name in FORMATS if hasattr(module(name), "write")]


@contextmanager
def output(path: str) -> Iterator[TextIO]:
    """A text file that is `written_whole`, compressed if its name ends in .gz; `-` is standard output. Equal texts are equal
    files: gzip is told no name and no time."""
    if path == "-":
        yield sys.stdout
        return
    with written_whole(path) as partial, open(partial, "wb") as file:
        binary: BinaryIO = file
        if path.endswith(".gz"):
            import gzip

            binary = gzip.GzipFile("", "wb", 6, file, mtime=0)  # type: ignore[assignment]  # like one
        with binary, TextIOWrapper(binary, encoding="utf-8", newline="\n") as stream:
            yield stream


def _format_of(path: str) -> str:
    ending = os.path.splitext(path.removesuffix(".gz"))[1]
    name = ENDINGS.get(ending, ending.removeprefix("."))
    if name not in FORMATS:
        raise OptionError(f"cannot tell a format from the name {path!r}; say which with --to: {', '.join(written())}")
    return name
