"""Files and folders as corpora: `read`, `detect`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from referee.basics import progress
from referee.basics.exceptions import FormatError, OptionError, RefereeError, listed, shortened
from referee.basics.names import check_call
from referee.basics.options.reading import ReadOptions, parse_columns
from referee.corpus import Corpus, Text, Words
from referee.corpus.editing import concatenate
from referee.corpus.origin import InFile
from referee.corpus.skipped import UnreadFile
from referee.corpus.undecided import UNDECIDED, count_undecided
from referee.formats.shared.documents import names_in_folder, unnamed
from referee.formats.shared.file_warnings import gather_warnings, ignore_warnings, warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.skipping import OPTION, check_folders, none_left, with_remedy, without_files
from referee.formats.shared.source import OnError, Source
from referee.inputs.detecting import IS_EMPTY, format_of, hint_of, is_empty
from referee.inputs.folders import FolderFiles, list_files
from referee.inputs.registry import check_relations, load_format

if TYPE_CHECKING:
    from referee.tabular.reading import Records


OF_UNDECIDED = (
    f"has {{}} of the type {UNDECIDED}, still to be adjudicated: join each to its entity, delete it or give another type"
)


def check_path(path: object) -> None:
    """Raise OptionError for a value that is no path."""
    if not isinstance(path, (str, os.PathLike, Source)):
        problem = f"found a value of the type {type(path).__name__}; expected the path of a file or a folder"
        raise OptionError(f"{problem}: referee.score(key, response) takes values as they are")


@check_call()
def detect(path: str | os.PathLike[str] | Source) -> str:
    """Return the name of the format that the content of a file, or the files of a folder, looks like.

    Raises
    ------
    FormatError
        If it looks like none.
    """
    check_path(path)
    if not isinstance(path, Source) and os.path.isdir(path):
        return list_files(os.fspath(path), None).format
    return format_of(path if isinstance(path, Source) else Source(path))


@check_call()
def read(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    role: str = "key",
    columns: str | int | Mapping[str, object] | None = None,
    options: ReadOptions | None = None,
    skip_bad_files: bool = False,
    encoding: str | None = None,
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
    encoding : str or None
        Of texts that are not UTF-8 and have no byte order mark, as "cp1252".

    Raises
    ------
    FormatError
        Names the file, the line, what was found and what was expected.
    """
    check_path(path)
    if skip_bad_files:
        check_folders(path)
    if options is None:
        options = ReadOptions(parse_columns(columns), encoding=encoding)
    records = read_records(path, format=format, role=role, options=options, skip_bad_files=skip_bad_files)
    corpus = records if isinstance(records, Corpus) else records.corpus()
    has_columns = options.has_only_columns and bool(load_format(corpus.format).columns)
    if options.is_about_tables and corpus.kind == "texts" and not has_columns:
        problem = f"{options.option_as_typed} is for tables of records; found {corpus.source}, which is {corpus.format}"
        raise OptionError(problem)
    if options.relations:
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
    named = format or detect(source)
    name, _, variant = named.partition(":") if isinstance(named, str) else (named, "", "")
    record = load_format(name)
    if variant and not record.variant:
        raise OptionError(f"found the format {shortened(repr(format))}; expected {name}, which has no variants")
    _check_columns(source.options, source.name, record)
    try:
        if record.records:
            records: Records = record.records(source, on_error, *[variant] * bool(variant), probable=probable)
        else:
            records = record.read(source, on_error, *[variant] * bool(variant))
    except FormatError as error:
        source.check_unchanged()
        is_own = format is None and type(error) is FormatError and error.source == source.name
        if is_own and not has_mentions(source, named) and (hint := hint_of(source)):
            raise FormatError(error.source, error.line, error.problem + hint) from None
        raise
    source.check_unchanged()
    if not isinstance(records, Corpus):
        return records._replace(format=name)
    _warn_of_undecided(records)
    return replace(records, format=name)


def has_mentions(source: Source, format: str) -> bool:
    """Whether a file is of a format, whatever errors it has: it has mentions, or pairs, that can be read."""
    try:
        with ignore_warnings():
            records = read_source(source, format, lambda _line, _problem: None)
    except RefereeError:
        return False
    return bool(len(records.document if isinstance(records, Corpus) else records.first))


def _warn_of_undecided(corpus: Corpus) -> None:
    """Warn if an annotation is not final: mentions are of the type that those to be adjudicated have."""
    warn_file(corpus.source, OF_UNDECIDED, "mention", count_undecided(corpus))


def _check_columns(options: ReadOptions | None, source: str, record: Format) -> None:
    """Raise OptionError if columns are named that a format does not have."""
    if options is None or not options.columns or record.records:
        return
    if not record.columns:
        one = "; --key-columns and --response-columns are for one side" * (options.option == "--columns")
        raise OptionError(f"{options.option} is for tables of records; found {source}, which is {record.name}{one}")
    if others := [role for role in options.columns if role not in record.columns]:
        roles = listed(record.columns)
        raise OptionError(f"{options.option} has the roles {roles} for {record.name}; found {listed(others)} for {source}")


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
        return read_files(folder, list_files(folder, format, options), role, options, skip_bad_files=skip_bad_files)


def read_files(
    folder: str, files: FolderFiles, role: str, options: ReadOptions | None, *, skip_bad_files: bool = False
) -> Corpus:
    """Read the documents of files of a folder, and say which files are not read."""
    with gather_warnings(folder):
        files.warn_of_others(folder)
        record = load_format(files.format.partition(":")[0])
        _check_columns(options, folder, record)
        if skip_bad_files and record.name == "arrow":
            raise OptionError(f"{OPTION} is for files with documents of their own; found {folder}, whose files are one table")
        stems = {path: os.fsencode(stem).decode(errors="backslashreplace") for path, stem in files.paths.items()}
        unread: dict[str, FormatError] | None = {} if skip_bad_files else None
        # of a format with several files, the words may stand in another one
        with_content = stems if record.has_several_files else _with_content(folder, stems, unread)
        corpus = _joined(folder, record, with_content, role, options, unread)
        if corpus is None:
            corpus = _gathered(folder, _each(folder, files.format, with_content, role, options, unread))
        if unread is None:
            return corpus
        lost = [
            (UnreadFile(record.document_name(stem), _names_in(path, files.format, role, stem, options)), unread[path])
            for path, stem in stems.items()
            if path in unread
        ]
        return without_files(corpus, lost, len(stems))


def _with_content(folder: str, stems: Mapping[str, str], unread: Unread) -> dict[str, str]:
    """The files without those that are empty, which cannot be read; FormatError if these are errors, or all are."""
    errors = {path: FormatError(path, None, IS_EMPTY) for path in stems if is_empty(path)}
    if errors and unread is None:
        raise with_remedy(next(iter(errors.values())), len(stems))
    if unread is not None:
        unread.update(errors)
    if errors and len(errors) == len(stems):
        raise none_left(folder, len(stems), next(iter(errors.values())))
    return {path: stem for path, stem in stems.items() if path not in errors}


Unread: TypeAlias = "dict[str, FormatError] | None"
"""The files that cannot be read, which are left out; None if such a file is an error."""


def _joined(
    folder: str, record: Format, stems: Mapping[str, str], role: str, options: ReadOptions | None, unread: Unread
) -> Corpus | None:
    """Read files as one, without those that cannot be read; None if they are read one by one."""
    if record.read_together is None or (unread is not None and record.only_faster):
        if record.records and any(os.path.basename(path).startswith("part-") for path in stems):
            remedy = "expected one file, or Parquet: join them, as with cat part-*.csv"
            raise FormatError(folder, None, f"has parts of a table; {remedy}")
        return None

    def join(paths: Mapping[str, str]) -> Corpus | None:
        corpus: Corpus | None = record.read_together(paths, folder, role, options)  # type: ignore[misc]  # it is one
        if corpus is not None:
            _warn_of_undecided(corpus)
        return corpus and replace(corpus, format=record.name)

    if unread is None:
        try:
            return join(stems)
        except FormatError as error:
            raise with_remedy(error, len(stems) if error.source in stems else 1) from None
    while rest := {path: stem for path, stem in stems.items() if path not in unread}:
        try:
            return join(rest)
        except FormatError as error:
            before = len(unread)
            if error.source in rest:
                unread[error.source] = error
                continue
            for path, stem in rest.items():  # a file may need another one, which the error names
                try:
                    join({path: stem})
                except FormatError as of_file:
                    if of_file.source != folder:
                        unread[path] = of_file
            if len(unread) == before:
                raise
    raise none_left(folder, len(stems), next(iter(unread.values())))


def _each(
    folder: str, format: str, stems: Mapping[str, str], role: str, options: ReadOptions | None, unread: Unread
) -> Iterator[tuple[str, Corpus]]:
    """What the documents of each file without a name are called, and its corpus; of files that can be skipped all words."""
    for path, stem in progress.tracked(stems.items(), f"reading {folder}"):
        if unread and path in unread:
            continue
        try:
            corpus = read(path, format=format, role=role, options=options)
            if unread is not None:
                Source(path, options=options).check_encoding()
        except FormatError as error:
            if unread is None:
                raise with_remedy(error, len(stems)) from None
            unread[path] = error
        else:
            yield stem, corpus
    if unread and all(path in unread for path in stems):
        raise none_left(folder, len(stems), next(iter(unread.values())))


def _gathered(folder: str, corpora: Iterable[tuple[str, Corpus]]) -> Corpus:
    """The documents of files, each with its name in the folder.

    Documents of several files that have one name, as that of a template, are called like their files.

    Raises
    ------
    FormatError
        If two of them have one name even so.
    """
    of_files = list(corpora)
    names = [names_in_folder(stem, corpus.doc_ids) for stem, corpus in of_files]
    repeated = {name: number for name, number in Counter(chain.from_iterable(names)).items() if number > 1}
    if repeated:
        names = [
            [
                by_file if name in repeated else name
                for name, by_file in zip(own, names_in_folder(stem, unnamed(len(own))), strict=True)
            ]
            for own, (stem, _) in zip(names, of_files, strict=True)
        ]
        if twice := next((name for name, uses in Counter(chain.from_iterable(names)).items() if uses > 1), None):
            first, second, *_ = [corpus.source for own, (_, corpus) in zip(names, of_files, strict=True) if twice in own]
            raise FormatError(second, None, f"document {twice!r} is in {first}, too; expected it once")
        warn_file(folder, "has {} in several files ({names}): these documents are called like their files", "name", repeated)
    named = [corpus.on_documents(tuple(own), np.arange(len(own))) for own, (_, corpus) in zip(names, of_files, strict=True)]
    in_files = {
        name: InFile(stem, in_file)
        for own, (stem, corpus) in zip(names, of_files, strict=True)
        for name, in_file in zip(own, corpus.doc_ids, strict=True)
    }
    whole = concatenate(named)
    text = whole.text and _with_warnings_gathered(whole.text, folder)
    return replace(whole, source=folder, text=text, in_files=in_files)


def _with_warnings_gathered(text: Text, folder: str) -> Text:
    """The same text, of which warnings are one line a kind when it is read."""

    def load() -> Sequence[Words]:
        with gather_warnings(folder):
            return text.words

    return Text(load, text.fingerprints, text.kind)


def _names_in(path: str, format: str, role: str, stem: str, options: ReadOptions | None) -> frozenset[str]:
    """The names of the documents of a file with errors, as far as it can be read."""
    try:
        with ignore_warnings():
            records = read_source(Source(path, role=role, options=options), format, lambda _line, _problem: None)
    except RefereeError:
        return frozenset()
    return frozenset(names_in_folder(stem, records.doc_ids)) if isinstance(records, Corpus) else frozenset()


def named_files(folder: str, format: str) -> dict[str, str]:
    """Return the files of a folder that are read in a format, and what a document in each without a name is called."""
    return list_files(folder, format).paths


def files_of(path: str, format: str | None = None) -> list[str]:
    """Return the path of a file, or those of the files of a folder that `read` reads."""
    return list(list_files(path, format).paths) if os.path.isdir(path) else [path]
