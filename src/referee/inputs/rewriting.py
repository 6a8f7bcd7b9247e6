"""Files written again with other entities and nothing else changed: `rewritten`, for `write` and `convert`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import NamedTuple

import numpy as np

from referee.basics.exceptions import FormatError, counted, listed, shortened, warn
from referee.corpus import Corpus
from referee.corpus.undecided import MAY_HAVE_NOTES
from referee.formats.shared.changes import Changes
from referee.formats.shared.documents import names_in_folder
from referee.formats.shared.file_warnings import ignore_warnings
from referee.formats.shared.source import Source
from referee.inputs.folders import list_files
from referee.inputs.holding import check_holdable
from referee.inputs.reading import read
from referee.inputs.registry import load_format


class Rewritten(NamedTuple):
    """A file that was written again.

    Parameters
    ----------
    name : str
        Its name in its folder.
    text : str
        What it has.
    beside : mapping
        The files that go with it: their endings, and what they have.
    """

    name: str
    text: str
    beside: dict[str, str]


def as_it_is(source: Source, name: str, format: str, text: str | None = None) -> Rewritten:
    """A file that is called so in its folder, with the files that go with it, as it is or with another text."""
    record = load_format(format.partition(":")[0])
    endings = [ending for ending in (record.beside, *(record.instead or ())) if ending and not source.path.endswith(ending)]
    beside = {
        ending: _text(source.beside(ending)) for ending in endings if ending == record.beside or source.has_beside(ending)
    }
    return Rewritten(name, _text(source) if text is None else text, beside)


def can_join(format: str) -> bool:
    """Whether files of a format become one with all that they have."""
    return hasattr(import_module(load_format(format).rewriting), "named")


def joined(files: Mapping[str, str], format: str) -> Rewritten:
    """Files as one, by their paths and what their documents without a name are called."""
    named = import_module(load_format(format).rewriting).named
    text = "\n".join(named(Source(path), stem) for path, stem in files.items())
    return Rewritten("", text if text.endswith("\n") else f"{text}\n", {})


def _text(source: Source) -> str:
    """All of a file."""
    source.check_encoding()
    return "\ufeff" * source.has_mark + source.raw().decode()


def rewritten(corpus: Corpus, like: str, format: str) -> Iterator[Rewritten]:
    """The files of `like`, a file or a folder, with the entities of a corpus.

    Parameters
    ----------
    corpus : Corpus
        Of the same documents with the same words.
    like : str
        The path.
    format : str
        Its format, with a variant if it is read with one.

    Raises
    ------
    FormatError
        If the words are others, or the format cannot hold the entities.
    """
    is_folder = os.path.isdir(like)
    number = {name: n for n, name in enumerate(corpus.doc_ids)}
    there: set[str] = set()
    for path, stem in (list_files(like, format).paths if is_folder else {like: ""}).items():
        source = Source(path)
        with ignore_warnings():  # of what is left out, and stays in the file
            before = read(source, format=format)
        if is_folder:
            names = tuple(names_in_folder(stem, before.doc_ids))
            before = before.on_documents(names, np.arange(len(names)))
        there.update(before.doc_ids)
        documents = [number[name] for name in before.doc_ids if name in number]
        after = corpus.select_documents(np.array(documents, dtype=np.int64)) if is_folder else corpus
        text = rewritten_file(source, before, after, format, by_id=corpus.source == like)
        yield as_it_is(source, os.path.relpath(path, like if is_folder else os.path.dirname(path) or "."), format, text)
    if others := [name for name in corpus.doc_ids if name not in there]:
        problem = f"has {counted(len(others), 'document')} that {like} does not have, such as {shortened(others[0])!r}"
        raise FormatError(corpus.source, None, f"{problem}; expected the same documents")


def rewritten_file(source: Source, before: Corpus, after: Corpus, format: str, *, by_id: bool = False) -> str:
    """The text of a file with other entities; that of the file itself, if they are the same and there are no notes.

    Parameters
    ----------
    source : Source
        The file.
    before : Corpus
        Its annotation.
    after : Corpus
        The one that comes into it.
    format : str
        Its format.
    by_id : bool
        As in `Changes`.
    """
    changes = Changes(before, after, by_id=by_id)
    if changes.is_same and not changes.differences() and not MAY_HAVE_NOTES.search(source.raw()):
        return _text(source)
    name, _, variant = format.partition(":")
    record = load_format(name)
    rewrite = import_module(record.rewriting).rewrite
    with ignore_warnings():  # there was one when it was read
        text: str = rewrite(source, changes, *[variant] * bool(variant))
    again = source.with_content(text.encode(errors="surrogatepass"))
    with ignore_warnings():
        try:
            result = record.read(again, again.raise_error, *[variant] * bool(variant))
        except FormatError as error:
            check_holdable(after, record)
            raise _unholdable(after, name, error.problem) from None
    check = Changes(result.on_documents(after.doc_ids, np.arange(len(result.doc_ids))), after)
    if not check.is_same:
        check_holdable(after, record)
        others = sum(not check.stays(m) for m in range(len(check.mention))) or len(after.document) - len(check.mention)
        raise _unholdable(after, name, f"{counted(abs(others), 'mention')} would be of other entities")
    if differences := check.differences():
        lost = listed([f"{what} ({number})" for what, number in differences.items()])
        warn(f"{after.source}: written into {source.name} without what {name} cannot say there: {lost}")
    return "\ufeff" * source.has_mark + text


def _unholdable(corpus: Corpus, name: str, problem: str) -> FormatError:
    return FormatError(corpus.source, None, f"cannot be written into the file as {name}: {problem}; expected another format")
