"""What a value is that a text is wanted of: a text, a file, a folder, or several of them.

A string is a text if it has a line break, or a space and neither is the name of a file nor ends like one; else it is a path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError, MissingFileError, OptionError, counted, shortened, warn
from referee.formats.shared.source import Source
from referee.parsing.plain import annotation

TEXTS, TREES = (".txt", ".text", ".md"), (".conllu",)
"""How the names of files in folders end."""

NAME = re.compile(r".*\.(?:txt|text|md|conllu?|jsonl?|jsonlines|csv|tsv|xml|html?|pdf|docx?|rtf|gz)", re.IGNORECASE)
"""A name of a file, and no end of a sentence."""

UNNAMED = "<text>"
"""What messages call a text that is in no file."""


class TextInput(NamedTuple):
    """A text or a file with trees, and what its document is called if it has no name of its own."""

    name: str
    source: Source

    @property
    def is_tree(self) -> bool:
        """Whether it is CoNLL-U, or is meant to be."""
        return annotation(self.source.head) == "CoNLL-U"


def is_path(value: object) -> bool:
    r"""Whether a value is the path of a file or folder, and no text.

    Examples
    --------
    >>> [is_path(value) for value in ("story.txt", "my story.txt", "Ann met Bob.", "Ann\n")]
    [True, True, False, False]
    """
    if not isinstance(value, str):
        return isinstance(value, os.PathLike)
    if "\n" in value or "\r" in value:
        return False
    return " " not in value or NAME.fullmatch(value) is not None or os.path.exists(value)


def are_texts(value: object) -> bool:
    """Whether a value is a text or a path, several in a list, or a mapping from names to some."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(one, str | os.PathLike) for one in value)
    return isinstance(value, str | os.PathLike)


def list_texts(value: object) -> list[TextInput]:
    """List the texts and files that a value names, each with a name of its own.

    Parameters
    ----------
    value : str, path, list or mapping
        A text, a file, a folder, `-` for standard input; several in a list, or with their names in a mapping. In a folder,
        the files that end in .txt, .text or .md count, or else those that end in .conllu.

    Raises
    ------
    FormatError
        If a file cannot be read, or a folder has none.
    OptionError
        If a value is of another kind, or two documents would have the same name.

    Warns
    -----
    RefereeWarning
        Of files in folders that are left out.
    """
    if isinstance(value, Mapping):
        documents = [one._replace(name=str(name)) for name, part in value.items() for one in _several(part, str(name))]
    elif isinstance(value, list | tuple):
        documents = [one for n, part in enumerate(value, start=1) for one in _several(part, str(n))]
    else:
        documents = list(_several(value, "text"))
    where: dict[str, str] = {}
    for name, source in documents:
        if name in where:
            problem = f"found the name {shortened(name)!r} for {where[name]} and {source.name}; expected one for each document"
            raise OptionError(f"{problem}: rename a file")
        where[name] = source.name
    return documents


def _several(value: object, name: str) -> Iterator[TextInput]:
    """The files of a folder; else the one file or text."""
    if not isinstance(value, str | os.PathLike):
        raise OptionError(f"found a value of the type {type(value).__name__}; expected a text, or the path of one")
    if value == "":
        raise OptionError("found an empty string; expected a text, or the path of one")
    if not is_path(value):
        yield TextInput(name, Source(UNNAMED if name == "text" else f"<text {name}>", str(value).encode(errors="replace")))
        return
    path = os.fspath(value)
    if os.path.isdir(path):
        yield from _of_folder(path)
        return
    try:
        yield TextInput("stdin" if path == "-" else _stem(os.path.basename(path)), Source(path))
    except MissingFileError as error:
        remedy = "; a text has a space or a line break in it" if isinstance(value, str) and " " not in path else ""
        raise MissingFileError(path, None, f"{error.problem}{remedy}") from None


def _of_folder(folder: str) -> Iterator[TextInput]:
    paths = [os.path.join(place, name) for place, _, names in _walk(folder) for name in names]
    texts, trees = (_ending_in(paths, endings) for endings in (TEXTS, TREES))
    if texts and trees:
        both = f"{counted(len(texts), 'text')} and {counted(len(trees), 'file')} with trees"
        raise FormatError(folder, None, f"has {both}; expected one kind: name the files that you mean")
    files = texts or trees
    if not files:
        raise FormatError(folder, None, f"has no file that ends in {', '.join(TEXTS)} or {', '.join(TREES)}; expected some")
    if len(files) < len(paths):
        kinds = " and ".join(TEXTS if texts else TREES)
        warn(f"{folder}: left out {counted(len(paths) - len(files), 'file')}, as those that end in {kinds} are read")
    for path in files:
        yield TextInput(_stem(os.path.relpath(path, folder).replace(os.sep, "/")), Source(path))


def _walk(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """As `os.walk`, in order, without what is hidden."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield place, folders, sorted(name for name in names if not name.startswith("."))


def _ending_in(paths: Sequence[str], endings: tuple[str, ...]) -> list[str]:
    return [path for path in paths if path.lower().removesuffix(".gz").endswith(endings)]


def _stem(path: str) -> str:
    """The name of a file without its ending; bytes that are not UTF-8 are escaped."""
    name = os.fsencode(path).decode(errors="backslashreplace")
    return os.path.splitext(name.removesuffix(".gz"))[0] or name
