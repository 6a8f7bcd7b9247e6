"""Files and folders as corpora: `read`, `detect`, `validate`."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referee.basics import progress
from referee.basics.exceptions import FormatError, OptionError, RefereeError, listed, shortened
from referee.corpus import Corpus, Text, Words
from referee.corpus.editing import concatenate
from referee.corpus.skipped import UnreadFile
from referee.formats.registry import FORMATS, check_relations, module
from referee.formats.shared.asked import Asked, parsed
from referee.formats.shared.documents import names_in_folder
from referee.formats.shared.remarks import remark, together, unsaid
from referee.formats.shared.skipping import OPTION, check_folders, none_left, with_remedy, without_files
from referee.formats.shared.source import BINARY, Fault, Source
from referee.formats.shared.tags import are_tags

if TYPE_CHECKING:
    from referee.formats.tabular.reading import Records


def detect(path: str | os.PathLike[str] | Source) -> str:
    """Return the name of the format that the content of a file, or the files of a folder, looks like.

    Raises
    ------
    FormatError
        If it looks like none.
    """
    if not isinstance(path, Source) and os.path.isdir(path):
        return _files(os.fspath(path), None)[0]
    source = path if isinstance(path, Source) else Source(path)
    if source.binary:
        return source.binary
    head = source.head.decode(errors="replace")
    if not head.strip():
        if source.data is None and is_empty_annotation(source.path):
            return "brat"
        raise FormatError(source.name, None, "is empty; expected annotation")
    for name in FORMATS:
        if module(name).sniff(head):
            if name in ("csv", "tsv") and not source.asked.columns and are_tags(head):
                break
            return name
    if are_tags(head) and not source.asked.columns:
        raise FormatError(source.name, None, "is a file of tags; score phrases with: referee phrases score KEY RESPONSE")
    if source.asked.columns:
        return "conll" if source.asked.of_conll else "csv"
    problem = f"looks like none of the {len(FORMATS)} formats that `referee formats` lists: name one with --format if it is"
    raise FormatError(source.name, None, problem)


def is_empty_annotation(path: str) -> bool:
    """Whether an empty file of this name is brat's, of a text without mentions."""
    stem, ending = os.path.splitext(path)
    return os.path.exists(stem + ".txt") and (ending == ".ann" or (ending in (".a2", ".rel") and os.path.exists(stem + ".a1")))


def read(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    role: str = "key",
    columns: str | int | Mapping[str, object] | None = None,
    asked: Asked | None = None,
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
    asked : Asked or None
        What is known of a table, instead of its columns.
    skip_bad_files : bool
        Whether files of a folder that cannot be read are left out, with a warning.

    Raises
    ------
    FormatError
        Names the file, the line, what was found and what was expected.
    """
    if skip_bad_files:
        check_folders(path)
    asked = Asked(parsed(columns)) if asked is None and columns is not None else asked
    found = read_records(path, format=format, role=role, asked=asked, skip_bad_files=skip_bad_files)
    corpus = found if isinstance(found, Corpus) else found.corpus()
    if asked and corpus.kind == "texts" and not (asked.only_columns and hasattr(module(corpus.format), "COLUMNS")):
        raise OptionError(f"{asked.given} is for tables of records; found {corpus.source}, which is {corpus.format}")
    if asked is not None and asked.relations:
        check_relations([corpus.format])
    return corpus


def read_records(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    role: str = "key",
    asked: Asked | None = None,
    probable: bool = False,
    skip_bad_files: bool = False,
) -> Records:
    """Read annotation; pairs are not decided, and with `probable` they must have probabilities."""
    if not isinstance(path, Source) and os.path.isdir(path):
        return read_folder(os.fspath(path), format, role, asked, skip_bad_files=skip_bad_files)
    source = path if isinstance(path, Source) else Source(path, role=role, asked=asked)
    return _read(source, format, source.fault, probable=probable)


def _read(source: Source, format: str | None, fault: Fault, *, probable: bool = False) -> Records:
    """Read a file in a format, or in a variant of it, as `docbin:chains`."""
    given = format or detect(source)
    name, _, variant = given.partition(":") if isinstance(given, str) else (given, "", "")
    reader = module(name)
    if variant and not hasattr(reader, "VARIANT"):
        raise OptionError(f"found the format {shortened(repr(format))}; expected {name}, which has no variants")
    _check_asked(source.asked, source.name, name)
    try:
        if hasattr(reader, "records"):
            found: Records = reader.records(source, fault, probable=probable)
        else:
            found = reader.read(source, fault, *[variant] * bool(variant))
    except FormatError:
        source.check_unchanged()
        raise
    source.check_unchanged()
    return replace(found, format=name) if isinstance(found, Corpus) else found._replace(format=name)


def _check_asked(asked: Asked | None, source: str, format: str) -> None:
    """Raise OptionError if columns are named that a format does not have."""
    if not (asked and asked.columns):
        return
    roles = getattr(module(format), "COLUMNS", ())
    if roles and (others := [role for role in asked.columns if role not in roles]):
        raise OptionError(f"{asked.option} has the roles {listed(roles)} for {format}; found {listed(others)} for {source}")
    if not roles and not hasattr(module(format), "records"):
        raise OptionError(f"--columns is for tables of records; found {source}, which is {format}")


def read_folder(
    folder: str, format: str | None = None, role: str = "key", asked: Asked | None = None, *, skip_bad_files: bool = False
) -> Corpus:
    """Read the documents of all files of a folder and of the folders in it.

    The files are those with the ending of the first that looks like a format, or like the one that is named; if none looks like
    that, those with the ending of the first of all. A document without a name is called like its file, with its number if the
    file has several: `x`, or `x#1` and `x#2`.
    Files of Arrow are parts of one table, and those of answers parts of one answer.

    Raises
    ------
    FormatError
        If no file looks like a format, a file cannot be read, or a document is in two files.
    """
    with together(folder):
        name, paths = _files(folder, format)
        _check_asked(asked, folder, name)
        paths = {path: os.fsencode(stem).decode(errors="backslashreplace") for path, stem in paths.items()}
        return (_read_skipping if skip_bad_files else _read_all)(folder, name, paths, role, asked)


def _read_all(folder: str, format: str, paths: Mapping[str, str], role: str, asked: Asked | None) -> Corpus:
    """Read files, all of which can be read."""
    try:
        joined = _joined(folder, format, paths, role, asked)
    except FormatError as error:
        raise with_remedy(error, len(paths) if error.source in paths else 1) from None
    if joined is not None:
        return joined
    gathered = _FolderDocuments(folder)
    for path, stem in progress.tracked(paths.items(), f"reading {folder}"):
        try:
            corpus = read(path, format=format, role=role, asked=asked)
        except FormatError as error:
            raise with_remedy(error, len(paths)) from None
        gathered.add(corpus, stem)
    return gathered.corpus()


def _read_skipping(folder: str, format: str, paths: Mapping[str, str], role: str, asked: Asked | None) -> Corpus:
    """Read the files that can be read, with all their words."""
    if format == "arrow":
        raise OptionError(f"{OPTION} is for files with documents of their own; found {folder}, whose files are one table")
    unread: dict[str, FormatError] = {}
    joined, gathered = None, _FolderDocuments(folder)
    if not getattr(module(format), "ONLY_FASTER", False):
        joined = _joined_skipping(folder, format, paths, unread, role, asked)
    if joined is None and not unread:
        for path, stem in progress.tracked(paths.items(), f"reading {folder}"):
            try:
                corpus = read(path, format=format, role=role, asked=asked)
                if corpus.format not in BINARY.values():  # a reader may not have decoded what it had no need of
                    source = Source(path)
                    deque(source.lines(source.fault), maxlen=0)
            except FormatError as error:
                unread[path] = error
            else:
                gathered.add(corpus, stem)
    if len(unread) == len(paths):
        raise none_left(folder, len(paths), next(iter(unread.values())))
    name_of = getattr(module(format), "document_name", str)
    files = [
        (UnreadFile(name_of(stem), _names_in(path, format, role, stem, asked)), unread[path])
        for path, stem in paths.items()
        if path in unread
    ]
    return without_files(joined or gathered.corpus(), files, gathered.file_of, len(paths))


def _joined(folder: str, format: str, paths: Mapping[str, str], role: str, asked: Asked | None) -> Corpus | None:
    """Read files as one; None if they are read one by one."""
    reader = module(format)
    read_together = getattr(reader, "read_together", None)
    more = [asked] if asked or hasattr(reader, "RELATIONS") else []
    joined: Corpus | None = read_together and read_together(paths, folder, role, *more)
    if joined is not None:
        return replace(joined, format=format)
    if hasattr(reader, "records") and any(os.path.basename(path).startswith("part-") for path in paths):
        raise FormatError(
            folder, None, "has parts of a table; expected one file, or Parquet: join them, as with cat part-*.csv"
        )
    return None


def _joined_skipping(
    folder: str, format: str, paths: Mapping[str, str], unread: dict[str, FormatError], role: str, asked: Asked | None
) -> Corpus | None:
    """Read files as one, without those that cannot be read, which are added to `unread`; None if they are read one by one."""
    while len(unread) < len(paths):
        try:
            return _joined(folder, format, {p: stem for p, stem in paths.items() if p not in unread}, role, asked)
        except FormatError as error:
            if error.source in paths and error.source not in unread:
                unread[error.source] = error
                continue
            before = len(unread)
            for path, stem in paths.items():  # a file may need another one, which the error names
                try:
                    _joined(folder, format, {path: stem}, role, asked)
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
        with together(folder):
            return text.words

    return Text(load, text.fingerprints, text.kind)


def _names_in(path: str, format: str, role: str, stem: str, asked: Asked | None) -> frozenset[str]:
    """The names of the documents of a file with errors, as far as it can be read."""
    try:
        with unsaid():
            found = _read(Source(path, role=role, asked=asked), format, lambda _line, _problem: None)
    except RefereeError:
        return frozenset()
    return frozenset(names_in_folder(stem, found.doc_ids)) if isinstance(found, Corpus) else frozenset()


def _files(folder: str, format: str | None) -> tuple[str, dict[str, str]]:
    """The format of a folder's files, and their paths, each with what a document in it without a name is called."""
    if format in (None, "arrow") and not {"state.json", "dataset_dict.json"}.isdisjoint(os.listdir(folder)):
        saved: list[str] | None = module("arrow").saved_files(folder)
        if saved is not None:
            return "arrow", dict.fromkeys(saved, "")
    from referee.formats.shared.lakes import check_folder  # a start reads no folder

    check_folder(folder)
    paths = list(_walk(folder))
    if format:
        of_endings = {_ending(path): path for path in reversed(paths)}
        named = format.partition(":")[0]
        first = next((path for path in reversed(of_endings.values()) if _detected(path) == named), next(iter(paths), None))
    else:
        first = next((path for path in paths if _detected(path)), None)
    if first is None:
        raise FormatError(folder, None, f"has no file that looks like any of the formats {', '.join(FORMATS)}")
    name = format or _detected(first) or ""
    instead = getattr(module(name), "INSTEAD", {}).get(_ending(first), ())
    endings = set(map(_ending, paths)) if instead else set()
    ending = next((other for other in instead if other in endings), _ending(first))
    return name, {
        path: os.path.relpath(path, folder).replace(os.sep, "/").removesuffix(".gz").removesuffix(ending)
        for path in paths
        if _ending(path) == ending
    }


def _walk(folder: str) -> Iterator[str]:
    """The files of a folder, in order, then those of the folders in it; what is neither is left out with a warning."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        problem = (error.strerror or str(error)).lower()
        raise FormatError(folder, None, f"cannot be read: {problem}; expected folders that can be") from None
    folders = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry.path)
        elif entry.name.startswith("."):
            pass
        elif entry.is_file(follow_symlinks=False) or os.path.isfile(entry.path) or not os.path.exists(entry.path):
            yield entry.path  # a link to nowhere, or to itself, is an error when it is read
        else:
            link = os.path.isdir(entry.path)
            why = "links to folders are not followed" if link else "pipes and devices are not read"
            remark(entry.path, f"left out {{}}: {why}", "link" if link else "entry", 1)
    for inner in folders:
        yield from _walk(inner)


def named_files(folder: str, format: str) -> dict[str, str]:
    """Return the files of a folder that are read in a format, and what a document in each without a name is called."""
    return _files(folder, format)[1]


def files_of(path: str, format: str | None = None) -> list[str]:
    """Return the path of a file, or those of the files of a folder that `read` reads."""
    return list(_files(path, format)[1]) if os.path.isdir(path) else [path]


def _detected(path: str) -> str | None:
    try:
        return detect(Source(path))
    except FormatError:
        return None


def _ending(path: str) -> str:
    return os.path.splitext(path.removesuffix(".gz"))[1]


def validate(
    path: str | os.PathLike[str] | Source, *, format: str | None = None, asked: Asked | None = None
) -> list[FormatError]:
    """List every error of a file, in the order of its lines, or of the files of a folder.

    Returns
    -------
    list of FormatError
        Empty if the file can be read.
    """
    return errors_of(path, format, asked=asked).first


class FoundErrors(NamedTuple):
    """The errors of a file, or of the files of a folder.

    Parameters
    ----------
    first : list of FormatError
        The first ones of each file, in the order of its lines.
    number : int
        How many there are.
    files : int
        How many files of a folder have some.
    """

    first: list[FormatError]
    number: int
    files: int = 0


def errors_of(
    path: str | os.PathLike[str] | Source, format: str | None = None, limit: int | None = None, asked: Asked | None = None
) -> FoundErrors:
    """Count the errors of a file, or of the files of a folder, and keep the first `limit` of each file; None keeps all."""
    if not isinstance(path, Source) and os.path.isdir(path):
        return _errors_of_folder(os.fspath(path), format, limit, asked)
    found: list[tuple[int, int, int | None, str]] = []  # what sorts, then line and problem
    count, after = 0, math.inf  # lines from there on are not kept

    def record(line: int | None, problem: str) -> None:
        nonlocal count, after
        count += 1
        if (line or 0) >= after:
            return
        found.append((line or 0, count, line, problem))
        if limit is not None and len(found) > 2 * limit:
            found.sort()
            after = found[limit - 1][0]
            del found[limit:]

    last = []
    try:
        source = path if isinstance(path, Source) else Source(path, asked=asked)
        records = _read(source, format, record)
        corpus = records if isinstance(records, Corpus) else records.corpus()
        if asked is not None and asked.relations:
            check_relations([corpus.format])
        if not count and corpus.format not in BINARY.values():  # a reader may not have decoded what it had no need of
            deque(source.lines(record), maxlen=0)
            _ = corpus.text and not count and corpus.text.words
    except FormatError as error:
        last = [error]
    errors = [FormatError(source.name, line, problem) for _, _, line, problem in sorted(found)] + last
    return FoundErrors(sorted(errors, key=lambda error: error.line or 0)[:limit], count + len(last))


def _errors_of_folder(folder: str, format: str | None, limit: int | None, asked: Asked | None) -> FoundErrors:
    try:
        name, paths = _files(folder, format)
    except FormatError as error:
        return FoundErrors([error], 1)
    try:  # all files at once, which is fast
        corpus = read_folder(folder, format, asked=asked)
        if asked is not None and asked.relations:
            check_relations([corpus.format])
        for source in map(Source, paths if name not in BINARY.values() else ()):
            deque(source.lines(source.fault), maxlen=0)
        _ = corpus.text and corpus.text.words
    except FormatError as error:
        of_files = [errors_of(path, name, limit, asked) for path in progress.tracked(paths, f"checking {folder}")]
        number = sum(errors.number for errors in of_files)
        # Without errors in the files, documents in two of them have one name.
        first = [error for errors in of_files for error in errors.first] or [error]
        return FoundErrors(first, number or 1, sum(errors.number > 0 for errors in of_files))
    return FoundErrors([], 0)
