"""Corpora as files: `write`."""

from __future__ import annotations

import os

import numpy as np

from referee.corpus import FEATURES, Corpus
from referee.corpus.lossy import without
from referee.exceptions import FormatError, OptionError, counted, listed, warn
from referee.files import output
from referee.formats.reading import read
from referee.formats.registry import FORMATS, module
from referee.formats.shared.documents import is_unnamed

ENDINGS = {".conllu": "corefud", ".conllua": "ua", ".jsonl": "jsonlines", ".json": "clusters", ".txt": "links"}
ENDINGS |= dict.fromkeys((".sgml", ".sgm"), "muc")
"""File endings that are no format's name; used for writing only, reading looks at the content."""


def write(corpus: Corpus, path: str | os.PathLike[str], *, format: str | None = None, lossy: bool = False) -> None:
    """Write annotation. The file appears only when it is complete.

    Parameters
    ----------
    corpus : Corpus
        The annotation.
    path : path
        A file (gzip if it ends in .gz), or `-` for standard output.
    format : str or None
        One of `FORMATS`; None to take it from the ending.
    lossy : bool
        Leave out what the format cannot hold (see `referee.corpus.lossy`), with a warning, instead of refusing.

    Raises
    ------
    FormatError
        If the format cannot hold the corpus.
    """
    target = os.fspath(path)
    name = format or _format_of(target)
    writer = module(name)
    if not hasattr(writer, "write"):
        raise OptionError(f"{name} is only read; expected a format that is written, too: {', '.join(written())}")
    excess = [feature for feature in FEATURES if feature in corpus.features - set(writer.HOLDS)]
    corpus = without(corpus, excess) if lossy else corpus
    empty = len(corpus.doc_ids) - len(np.unique(corpus.document))
    if empty and not getattr(writer, "HOLDS_EMPTY", True) and not is_unnamed(corpus):
        excess.append(counted(empty, "document") + " without mentions")
    if excess and not lossy:
        remedy = "expected another format, or --lossy (lossy=True) to leave that out"
        raise FormatError(corpus.source, None, f"has {listed(excess)}, which {name} cannot hold; {remedy}")
    if excess:
        warn(f"{corpus.source}: left out what {name} cannot hold: {listed(excess)}")
    with output(target) as out:
        writer.write(corpus, out)


def written() -> list[str]:
    """The formats that can be written."""
    return [name for name in FORMATS if hasattr(module(name), "write")]


def _format_of(path: str) -> str:
    ending = os.path.splitext(path.removesuffix(".gz"))[1]
    name = ENDINGS.get(ending, ending.removeprefix("."))
    if name not in FORMATS:
        raise OptionError(f"cannot tell a format from the name {path!r}; say which with --to: {', '.join(written())}")
    return name


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    format: str | None = None,
    to: str | None = None,
    role: str = "key",
    lossy: bool = False,
    text: str | os.PathLike[str] | None = None,
    quotes: str = "ordered",
) -> None:
    """Write an annotation in another format.

    Parameters
    ----------
    source, target : path
        `-` is standard input and output.
    format, to : str or None
        One of `FORMATS`: of the source, None to detect it; of the target, None to take it from its ending.
    role : str
        "key" or "response": what to read of a file that holds both.
    lossy : bool
        Leave out what the target cannot hold, with a warning, instead of refusing.
    text : path or None
        An annotation on whose words the answer of a language model is put.
    quotes : str
        For lists of strings, as in `Options`.

    Raises
    ------
    FormatError
        If the source cannot be read, or the target cannot hold what it has.
    OptionError
        If a text is given, and the source is no answer.
    """
    corpus = read(source, format=format, role=role)
    write(corpus if text is None else _on_text(corpus, read(text), quotes), target, format=to, lossy=lossy)


def _on_text(corpus: Corpus, text: Corpus, quotes: str) -> Corpus:
    """An answer on the words of a text, with a warning of what was repaired."""
    from referee.formats.answers.answer import ground  # of answers only

    grounded = ground(corpus, text, quotes)
    if grounded is None:
        raise OptionError(f"{corpus.source} is {corpus.format}; expected tagged or quotes, which alone need a text")
    if note := grounded.note(corpus.source):
        warn(note)
    return grounded.corpus
