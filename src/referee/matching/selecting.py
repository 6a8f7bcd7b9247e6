"""Which documents of a key and a response are compared, as a `DocumentFilter` says; and what a signature says of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from referee.basics.exceptions import MismatchError, OptionError, check_name, counted, shortened
from referee.basics.options.documents import PREFIX, DocumentFilter
from referee.corpus import Corpus
from referee.corpus.selecting import fitting, in_signature
from referee.corpus.views import Document

Rows = Mapping[str, Mapping[str, str]]
"""Document -> field -> value."""


class NamedDocument(NamedTuple):
    """A document of a pair.

    Parameters
    ----------
    name : str
        As the key calls it, or, if only the response has it, the response.
    side : Corpus
        The key, or, if only the response has it, the response.
    number : int
        Its number there.
    in_key : bool
        Whether the key has it.
    """

    name: str
    side: Corpus
    number: int
    in_key: bool

    @property
    def size(self) -> int:
        """How many words it has."""
        if self.side.text is None:
            raise MismatchError(f"{self.side.source} has no words; expected a text, or neither min_tokens nor max_tokens")
        return len(self.side.words(self.number))


def documents_of(side: Corpus) -> list[NamedDocument]:
    """The documents of one corpus."""
    return [NamedDocument(name, side, number, True) for number, name in enumerate(side.doc_ids)]


def selected(documents: Sequence[NamedDocument], wanted: DocumentFilter) -> list[int]:
    """The numbers of the documents that fit.

    Raises
    ------
    UnknownDocumentError, UnknownNameError
        If a pattern fits no document; if there is no such field.
    MismatchError
        If a table lacks a document of the key, or a text has no words; if no document is left.
    """
    numbers = list(range(len(documents)))
    if wanted.names:
        names = [document.name for document in documents]
        fits = {number for pattern in wanted.names for number in fitting(pattern, names)}
        numbers = [number for number in numbers if number in fits]
    for field, values in wanted.where.items():
        value_of = _prefix_of(values) if field == PREFIX else _value_of(field, documents, wanted.metadata)
        of_each = [value_of(document) for document in documents]
        for value in values:
            check_name(field, value, [value for value in of_each if value is not None] or values)
        numbers = [number for number in numbers if of_each[number] in values]
    if wanted.min_tokens is not None or wanted.max_tokens is not None:
        least, most = wanted.min_tokens or 0, wanted.max_tokens
        numbers = [n for n in numbers if least <= documents[n].size and (most is None or documents[n].size <= most)]
    if wanted.predicate is not None:
        numbers = [n for n in numbers if wanted.predicate(Document(documents[n].side, documents[n].number))]
    if not numbers:
        raise MismatchError(f"no document of {len(documents)} fits {_described(wanted)}; expected at least one")
    return numbers


def selected_alone(corpus: Corpus, wanted: DocumentFilter | None) -> Corpus:
    """The documents of one annotation that fit."""
    if wanted is None:
        return corpus
    check_texts(corpus)
    return corpus.select_documents(np.array(selected(documents_of(corpus), wanted), dtype=np.int64))


def check_texts(*sides: object) -> None:
    """Raise OptionError for tables of records, which have no documents to select."""
    if all(getattr(side, "kind", "texts") != "texts" for side in sides):
        raise OptionError("documents are selected of texts; found tables of records: expected no such option")


def signed(documents: Sequence[NamedDocument], numbers: Sequence[int], wanted: DocumentFilter) -> dict[str, str]:
    """What a signature says of it: how many of how many, and by what.

    Patterns are written as they are; a function, or more than three patterns, as a digest of the names of the documents.
    """
    names = [documents[number].name for number in numbers]
    fields = {"documents": f"{len(names)}-of-{len(documents)}"}
    if len(wanted.names) > 3 or wanted.predicate:
        fields["selected"] = f"crc32-{crc32(chr(10).join(sorted(names)).encode()):08x}"
    elif wanted.names:
        fields["selected"] = "+".join(map(in_signature, wanted.names))
    if wanted.where:
        fields["where"] = ",".join(
            f"{in_signature(name)}={'+'.join(map(in_signature, values))}" for name, values in wanted.where.items()
        )
    sizes = {"min-tokens": wanted.min_tokens, "max-tokens": wanted.max_tokens}
    return fields | {name: str(size) for name, size in sizes.items() if size is not None}


def _prefix_of(values: Sequence[str]) -> Callable[[NamedDocument], str | None]:
    """The one of some beginnings that a name has: all of it, or what is before a sign that is no letter and no digit."""

    def begins(name: str, value: str) -> bool:
        return name.startswith(value) and not name[len(value) : len(value) + 1].isalnum()

    return lambda document: next((value for value in values if begins(document.name, value)), None)


def _value_of(
    field: str, documents: Sequence[NamedDocument], metadata: str | Rows | None
) -> Callable[[NamedDocument], str | None]:
    """The value of a field of each document, if it has one. A table has a line for each document of the key."""
    from referee.formats.shared.metadata import read_metadata, row_of  # most selections need no table

    table = read_metadata(metadata) if isinstance(metadata, str) else metadata
    source = metadata if isinstance(metadata, str) else "metadata"

    def row(document: NamedDocument) -> Mapping[str, str]:
        rows = (document.side.metadata or {}) if table is None else table
        return row_of(document.name, rows) or row_of(document.side.doc_ids[document.number], rows) or {}

    of_key = [document for document in documents if document.in_key]
    known = dict.fromkeys(name for document in of_key for name in row(document))
    if not known and table is None:
        where = of_key[0].side.source if of_key else "the key"
        raise MismatchError(
            f"{where} says nothing of its documents; expected --metadata FILE with the field {field}, or "
            "--documents PATTERN, which their names fit"
        )
    check_name("field", field, [*known, PREFIX])
    if table is not None and (lacking := [document.name for document in of_key if not row(document)]):
        first = f"{counted(len(lacking), 'document')}, first {shortened(lacking[0])!r}"
        raise MismatchError(f"{source} lacks {first}; expected a line for each")
    return lambda document: row(document).get(field)


def _described(wanted: DocumentFilter) -> str:
    """What documents should be, for a message."""
    parts = [*wanted.names[:3], *(["the function"] if wanted.predicate else [])]
    parts += [f"{name}={' or '.join(values)}" for name, values in wanted.where.items()]
    sizes = {"min_tokens": wanted.min_tokens, "max_tokens": wanted.max_tokens}
    parts += [f"{name}={size}" for name, size in sizes.items() if size is not None]
    return shortened(", ".join(parts), 200)
