"""`Format`: one record with all that is known of a format, made at the end of its module.

These use the record: detection, `referee.read` and `referee.write`, folders, `referee formats`, the choices of the command, the
lists in messages, and the tests of every format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any


def never(_head: str) -> bool:
    """Of binary formats: their first bytes tell them, see `referee.formats.shared.source.BINARY`."""
    return False


@dataclass(frozen=True, eq=False, repr=False)
class Format:
    """A format of files.

    Parameters
    ----------
    name : str
        Its name everywhere, which is that of its module.
    doc : str
        The documentation of its module: defines the format, names its sources, and says where programs disagree about it.
    holds : tuple of str
        What of `referee.corpus.corpus.FEATURES` it can hold; what else a corpus has is not written, unless the user accepts the
        loss.
    sniff : callable
        ``sniff(head: str) -> bool``: whether the beginning of a file (64 KB, or more: see `referee.formats.shared.beginning`)
        looks like it.
    read : callable
        ``read(source: Source, on_error: OnError) -> Corpus``: the annotation. ``on_error(line, problem)`` raises a FormatError,
        or (for `validate`) records it and returns. A format with a `variant` takes it as third argument.
    write : callable or None
        ``write(corpus: Corpus, out: TextIO) -> None``: the annotation as text; FormatError where the format cannot hold it.
        None for a format that is only read.
    drop_unsupported : callable or None
        ``drop_unsupported(losses: Losses) -> None``: for `--lossy`, leaves out and changes, with counts, what `write` refuses
        although it is of the features that the format holds.
    rewriting : str
        The module that writes a file again, empty for none: ``rewrite(source: Source, changes: Changes) -> str`` gives its text
        with other entities and all else as it was. With a `variant` it takes that as third argument.
    writes : tuple of str
        What of `holds` it writes, if that is less.
    holds_empty : bool
        Whether it can hold documents without mentions.
    endings : tuple of str
        Endings of files that name it when a file is written; its own name is one, too.
    document_ending : str
        Of a format that has a file for each document: the ending of these files.
    beside : str
        The ending of a file that goes with each file, written by ``write_beside(corpus, out)``.
    variant : str
        What may stand behind a colon after its name.
    written_variants : tuple of str
        What may stand there when it is written.
    writes_places : bool
        Whether it is written with a text, and places of mentions in it.
    has_relations : bool
        Whether it has relations with names, of which `--relations` chooses.
    columns : tuple of str
        The roles that `--columns` may give to columns, if the format is no table of records.
    records : callable or None
        Of a table of records: ``records(source, on_error, probable=...) -> Records``, of which pairs are not decided.
    read_together : callable or None
        ``read_together(paths, folder, role, options) -> Corpus | None`` reads files of a folder as one; None if they must be
        read one by one.
    read_folder : callable or None
        Of phrases: ``read_folder(folder, options)`` reads a folder.
    only_faster : bool
        Whether `read_together` gives what the files give one by one.
    document_name : callable
        What a document without a name in a file is called, of the name of the file.
    token_lines : callable or None
        ``token_lines(source) -> dict``: the lines of the tokens of each document.
    instead : mapping
        Endings -> those of files that are read in a folder instead, where there are any: they go on from the others.
    has_several_files : bool
        Whether a document has several files of one name.
    is_project : bool
        Whether its folders hold other files that belong to it.
    is_like_prose : bool
        Whether a text or a program may look like it by chance.
    """

    name: str
    doc: str | None
    holds: tuple[str, ...]
    sniff: Callable[[str], bool]
    read: Callable[..., Any]
    write: Callable[..., None] | None = None
    drop_unsupported: Callable[..., None] | None = None
    rewriting: str = ""
    writes: tuple[str, ...] = ()
    holds_empty: bool = True
    endings: tuple[str, ...] = ()
    document_ending: str = ""
    beside: str = ""
    write_beside: Callable[..., None] | None = None
    variant: str = ""
    written_variants: tuple[str, ...] = ()
    writes_places: bool = False
    has_relations: bool = False
    columns: tuple[str, ...] = ()
    records: Callable[..., Any] | None = None
    read_together: Callable[..., Any] | None = None
    read_folder: Callable[..., Any] | None = None
    only_faster: bool = False
    document_name: Callable[[str], str] = str
    token_lines: Callable[..., dict[str, list[int]]] | None = None
    instead: Mapping[str, tuple[str, ...]] | None = None
    has_several_files: bool = False
    is_project: bool = False
    is_like_prose: bool = False

    def __repr__(self) -> str:
        return f"Format({self.name!r})"

    @property
    def documentation(self) -> str:
        """The documentation, without indentation."""
        return cleandoc(self.doc or "")

    @property
    def writable(self) -> tuple[str, ...]:
        """What of `FEATURES` it can write."""
        return self.writes or self.holds
