"""Files and folders as corpora: `read`, `detect`."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from referee.basics import progress
from referee.basics.calls import checked
from referee.basics.exceptions import FormatError, OptionError, RefereeError, listed, shortened
from referee.basics.options.reading import ReadOptions, parse_columns
from referee.corpus import Corpus, CorpusBuilder, Text, Words
from referee.corpus.editing import concatenate
from referee.corpus.skipped import UnreadFile
from referee.corpus.undecided import UNDECIDED, count_undecided, undecided_in_documents
from referee.formats.shared.documents import names_in_folder
from referee.formats.shared.file_warnings import gather_warnings, ignore_warnings, warn_file
from referee.formats.shared.skipping import OPTION, check_folders, none_left, with_remedy, without_files
from referee.formats.shared.source import BINARY, OnError, Source
from referee.inputs.detecting import format_of, hint_of
from referee.inputs.folders import FolderFiles, chosen
from referee.inputs.registry import check_relations, load_format

if TYPE_CHECKING:
    from referee.tabular.reading import Records


OF_UNDECIDED = (
    f"has {{}} of the type {UNDECIDED}, still to be adjudicated: join each to its entity, delete it or give another type"
)


def check_path(path: object) -> None:
    """Raise OptionError for a value that is no path."""
    if not isinstance(path, (str, os.PathLike, Source)):
        found = f"found a value of the type {type(path).__name__}; expected the path of a file or a folder"
        raise OptionError(f"{found}: referee.score(key, response) takes values as they are")


@checked()
def detect(path: str | os.PathLike[str] | Source) -> str:
    """Return the name of the format that the content of a file, or the files of a folder, looks like.

    Raises
    ------
    FormatError
        If it looks like none.
    """
    check_path(path)
    if not isinstance(path, Source) and os.path.isdir(path):
        return chosen(os.fspath(path), None).format
    return format_of(path if isinstance(path, Source) else Source(path))


@checked()
def read(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    role: str = "key",
    columns: str | int | Mapping[str, object] | None = None,
    options: ReadOptions | None = None,
    skip_bad_files: bool = False,
) -> Corpus:
    """Read annotation.

    Parameters
    ----------
    path : path or Source
        A file (gzip or not), a folder, or `-` for standard input.
    format : str or None
        One of `FORMATS`; None to detect it from the content. "docbin:chains" reads span groups chains_1, chains_2, ...
    role : str
        "key" or "response", for a file that holds both.
    columns : str, int, mapping or None
        The columns of a table of records, or of CoNLL files: role -> name or number, as for `score`.
    options : ReadOptions or None
        What is known of a table, instead of its columns.
    skip_bad_files : bool
        Whether files of a folder that cannot be read are left out, with a warning.

    Raises
    ------
    FormatError
        Names the file, the line, what was found and what was expected.
    """
    check_path(path)
    if skip_bad_files:
        check_folders(path)
    options = ReadOptions(parse_columns(columns)) if options is None and columns is not None else options
    found = read_records(path, format=format, role=role, options=options, skip_bad_files=skip_bad_files)
    corpus = found if isinstance(found, Corpus) else found.corpus()
    if (
        options is not None
        and options.is_about_tables
        and corpus.kind == "texts"
        and not (options.has_only_columns and load_format(corpus.format).columns)
    ):
        raise OptionError(
            f"{options.option_as_typed} is for tables of records; found {corpus.source}, which is {corpus.format}"
        )
    if options is not None and options.relations:
        check_relations([corpus.format])
    return corpus


def read_records(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    role: str = "key",
    options: ReadOptions | None = None,
    probable: bool = False,
    skip_bad_files: bool = False,
) -> Records:
    """Read annotation; pairs are not decided, and with `probable` they must have probabilities."""
    if not isinstance(path, Source) and os.path.isdir(path):
        return read_folder(os.fspath(path), format, role, options, skip_bad_files=skip_bad_files)
    source = path if isinstance(path, Source) else Source(path, role=role, options=options)
    return read_source(source, format, source.raise_error, probable=probable)


def read_source(source: Source, format: str | None, on_error: OnError, *, probable: bool = False) -> Records:
    """Read a file in a format, or in a variant of it, as `docbin:chains`."""
    given = format or detect(source)
    name, _, variant = given.partition(":") if isinstance(given, str) else (given, "", "")
    record = load_format(name)
    if variant and not record.variant:
        raise OptionError(f"found the format {shortened(repr(format))}; expected {name}, which has no variants")
    _check_asked(source.options, source.name, name)
    try:
        if record.records:
            found: Records = record.records(source, on_error, probable=probable)
        else:
            found = record.read(source, on_error, *[variant] * bool(variant))
    except FormatError as error:
        source.check_unchanged()
        if format is None and type(error) is FormatError and error.source == source.name and (hint := hint_of(source)):
            raise FormatError(error.source, error.line, error.problem + hint) from None
        raise
    source.check_unchanged()
    if not isinstance(found, Corpus):
        return found._replace(format=name)
    _warn_of_undecided(found)
    return replace(found, format=name)


def _warn_of_undecided(corpus: Corpus) -> None:
    """Warn if an annotation is not final: mentions are of the type that those to be adjudicated have."""
    warn_file(corpus.source, OF_UNDECIDED, "mention", count_undecided(corpus))


def _check_asked(options: ReadOptions | None, source: str, format: str) -> None:
    """Raise OptionError if columns are named that a format does not have."""
    if options is None or not options.columns:
        return
    record = load_format(format)
    roles = record.columns
    if roles and (others := [role for role in options.columns if role not in roles]):
        raise OptionError(f"{options.option} has the roles {listed(roles)} for {format}; found {listed(others)} for {source}")
    if not roles and not record.records:
        raise OptionError(f"--columns is for tables of records; found {source}, which is {format}")


def read_folder(
    folder: str,
    format: str | None = None,
    role: str = "key",
    options: ReadOptions | None = None,
    *,
    skip_bad_files: bool = False,
) -> Corpus:
    """Read the documents of all files of a folder and of the folders in it.

    The files are those with the ending that most files of one format have, or most that look like the format that is named.
    A document without a name is called like its file, with its number if the file has several: `x`, or `x#1` and `x#2`.
    Files of Arrow are parts of one table, and those of answers parts of one answer.

    Raises
    ------
    FormatError
        If no file looks like a format, a file cannot be read, or a document is in two files.
    """
    with gather_warnings(folder):
        return read_chosen(folder, chosen(folder, format), role, options, skip_bad_files=skip_bad_files)


def read_chosen(
    folder: str, files: FolderFiles, role: str, options: ReadOptions | None, *, skip_bad_files: bool = False
) -> Corpus:
    """Read the documents of files of a folder, and say which files are not read."""
    with gather_warnings(folder):
        files.say_what_is_left_out(folder)
        _check_asked(options, folder, files.format)
        paths = {path: os.fsencode(stem).decode(errors="backslashreplace") for path, stem in files.paths.items()}
        return (_read_skipping if skip_bad_files else _read_all)(folder, files.format, paths, role, options)


def _read_all(folder: str, format: str, paths: Mapping[str, str], role: str, options: ReadOptions | None) -> Corpus:
    """Read files, all of which can be read."""
    try:
        joined = _joined(folder, format, paths, role, options)
    except FormatError as error:
        raise with_remedy(error, len(paths) if error.source in paths else 1) from None
    if joined is not None:
        return joined
    if load_format(format).add_document and len({*paths.values()}) == len(paths):
        return _read_documents(folder, format, paths, role, options)
    gathered = _FolderDocuments(folder)
    for path, stem in progress.tracked(paths.items(), f"reading {folder}"):
        try:
            corpus = read(path, format=format, role=role, options=options)
        except FormatError as error:
            raise with_remedy(error, len(paths)) from None
        gathered.add(corpus, stem)
    return gathered.corpus()


def _read_documents(folder: str, format: str, paths: Mapping[str, str], role: str, options: ReadOptions | None) -> Corpus:
    """Read files of a document each, which have different names, into one corpus."""
    builder, add = CorpusBuilder(folder), load_format(format).add_document
    assert add
    for path, stem in progress.tracked(paths.items(), f"reading {folder}"):
        try:
            source = Source(path, role=role, options=options)
            with _unchanged(source):
                add(builder, stem, source, source.raise_error)
        except FormatError as error:
            raise with_remedy(error, len(paths)) from None
    corpus = builder.corpus()
    for path, number in zip(paths, undecided_in_documents(corpus), strict=True):
        warn_file(path, OF_UNDECIDED, "mention", number)
    return replace(corpus, format=format)


@contextmanager
def _unchanged(source: Source) -> Iterator[None]:
    """Raise a FormatError if a file was changed while it is read here, which may be the reason of another error."""
    try:
        yield
    except FormatError:
        source.check_unchanged()
        raise
    source.check_unchanged()


def _read_skipping(folder: str, format: str, paths: Mapping[str, str], role: str, options: ReadOptions | None) -> Corpus:
    """Read the files that can be read, with all their words."""
    if format == "arrow":
        raise OptionError(f"{OPTION} is for files with documents of their own; found {folder}, whose files are one table")
    unread: dict[str, FormatError] = {}
    joined, gathered = None, _FolderDocuments(folder)
    if not load_format(format).only_faster:
        joined = _joined_skipping(folder, format, paths, unread, role, options)
    if joined is None and not unread:
        for path, stem in progress.tracked(paths.items(), f"reading {folder}"):
            try:
                corpus = read(path, format=format, role=role, options=options)
                if corpus.format not in BINARY.values():  # a reader may not have decoded what it had no need of
                    source = Source(path)
                    deque(source.lines(source.raise_error), maxlen=0)
            except FormatError as error:
                unread[path] = error
            else:
                gathered.add(corpus, stem)
    if len(unread) == len(paths):
        raise none_left(folder, len(paths), next(iter(unread.values())))
    name_of = load_format(format).document_name
    files = [
        (UnreadFile(name_of(stem), _names_in(path, format, role, stem, options)), unread[path])
        for path, stem in paths.items()
        if path in unread
    ]
    return without_files(joined or gathered.corpus(), files, gathered.file_of, len(paths))


def _joined(folder: str, format: str, paths: Mapping[str, str], role: str, options: ReadOptions | None) -> Corpus | None:
    """Read files as one; None if they are read one by one."""
    record = load_format(format)
    joined: Corpus | None = record.read_together(paths, folder, role, options) if record.read_together else None
    if joined is not None:
        _warn_of_undecided(joined)
        return replace(joined, format=format)
    if record.records and any(os.path.basename(path).startswith("part-") for path in paths):
        raise FormatError(
            folder, None, "has parts of a table; expected one file, or Parquet: join them, as with cat part-*.csv"
        )
    return None


def _joined_skipping(
    folder: str, format: str, paths: Mapping[str, str], unread: dict[str, FormatError], role: str, options: ReadOptions | None
) -> Corpus | None:
    """Read files as one, without those that cannot be read, which are added to `unread`; None if they are read one by one."""
    while len(unread) < len(paths):
        try:
            return _joined(folder, format, {p: stem for p, stem in paths.items() if p not in unread}, role, options)
        except FormatError as error:
            if error.source in paths and error.source not in unread:
                unread[error.source] = error
                continue
            before = len(unread)
            for path, stem in paths.items():  # a file may need another one, which the error names
                try:
                    _joined(folder, format, {path: stem}, role, options)
                except FormatError as of_file:
                    if of_file.source != folder:
                        unread.setdefault(path, of_file)
            if len(unread) == before:
                raise
    return None


class _FolderDocuments:
    """The documents of files, each with its name in the folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.file_of: dict[str, str] = {}
        self._corpora: list[Corpus] = []
        self._where: dict[str, str] = {}

    def add(self, corpus: Corpus, stem: str) -> None:
        """Add the documents of a file; FormatError if one is in another file, too."""
        corpus = corpus.on_documents(tuple(names_in_folder(stem, corpus.doc_ids)), np.arange(len(corpus.doc_ids)))
        for document in corpus.doc_ids:
            if document in self._where:
                problem = f"document {document!r} is in {self._where[document]}, too; expected it once"
                raise FormatError(corpus.source, None, problem)
            self._where[document], self.file_of[document] = corpus.source, stem
        self._corpora.append(corpus)

    def corpus(self) -> Corpus:
        """All documents."""
        corpus = concatenate(self._corpora)
        return replace(corpus, source=self.folder, text=corpus.text and _words_together(corpus.text, self.folder))


def _words_together(text: Text, folder: str) -> Text:
    """The same text, of which warnings are one line a kind when it is read."""

    def load() -> Sequence[Words]:
        with gather_warnings(folder):
            return text.words

    return Text(load, text.fingerprints, text.kind)


def _names_in(path: str, format: str, role: str, stem: str, options: ReadOptions | None) -> frozenset[str]:
    """The names of the documents of a file with errors, as far as it can be read."""
    try:
        with ignore_warnings():
            found = read_source(Source(path, role=role, options=options), format, lambda _line, _problem: None)
    except RefereeError:
        return frozenset()
    return frozenset(names_in_folder(stem, found.doc_ids)) if isinstance(found, Corpus) else frozenset()


def named_files(folder: str, format: str) -> dict[str, str]:
    """Return the files of a folder that are read in a format, and what a document in each without a name is called."""
    return chosen(folder, format).paths


def files_of(path: str, format: str | None = None) -> list[str]:
    """Return the path of a file, or those of the files of a folder that `read` reads."""
    return list(chosen(path, format).paths) if os.path.isdir(path) else [path]
