"""The errors of a CoNLL file that the fast reader found, as messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from operator import itemgetter

import numpy as np

from referee.basics.exceptions import shortened
from referee.corpus import CorpusBuilder
from referee.formats.conll.scan import CELL, CLOSED, Found
from referee.formats.shared.documents import begin
from referee.formats.shared.source import OnError, Source


def report(found: Found, undecoded: Sequence[tuple[int | None, str]], source: Source, on_error: OnError) -> None:
    """Report the errors of each document: its bytes, its name, then its cells and brackets if it has a name of its own.

    Parameters
    ----------
    found : Found
        What the fast reader found.
    undecoded : sequence of pairs
        Line and message of each byte that is an error.
    source : Source
        The file.
    on_error : OnError
        Takes the errors.
    """
    builder = CorpusBuilder(source.name)
    of_names: list[tuple[int, int | None, str]] = []
    for document, (name, line) in enumerate(zip(found.names, found.header.tolist(), strict=True)):
        begin(builder, lambda *error: of_names.append((document, *error)), name, line=line)  # noqa: B023 -- called at once
    documents = np.searchsorted(found.next_header, [line or 0 for line, _ in undecoded]).tolist()
    of_bytes = [(document, *error) for document, error in zip(documents, undecoded, strict=True)]
    of_cells = _of_cells(found, [document for document, _, _ in of_names])
    for _, line, problem in merge(of_bytes, of_names, of_cells, key=itemgetter(0)):
        on_error(line, problem)


def _of_cells(found: Found, left_out: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """Document, line and message of each wrong cell or bracket, but those of some documents."""
    if found.wrong is None:
        return
    document, token, kind, text, texts = found.wrong
    codes, number = np.unique(kind * len(texts) + text, return_inverse=True)
    problems = [_problem(code // len(texts), texts[code % len(texts)]) for code in codes.tolist()]
    kept = ~np.isin(document, left_out)
    columns = (column[kept].tolist() for column in (document, found.lines(token), number))
    for d, line, n in zip(*columns, strict=True):
        yield d, line, problems[n]


def _problem(kind: int, text: str) -> str:
    if kind == CELL:
        return f"found {text[:80]!r} in the last column; expected - or brackets such as (12|(3)"
    shown = shortened(text)
    if kind == CLOSED:
        return f"entity {shown} is closed but was never opened; expected ({shown} before it"
    return f"entity {shown} is opened but never closed; expected {shown}) before the end of its document"
