"""What a Python value means: the one place that decides, by its structure and not by the names of types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.corpus import Corpus
from referee.exceptions import OptionError
from referee.formats.load.graphs import corpus_of_links, is_graph
from referee.formats.load.json_documents import corpus_of_json, is_document
from referee.formats.load.libraries import corpus_of_objects
from referee.formats.load.python import FORMS, corpus_of
from referee.formats.load.tables import (
    corpus_of_series,
    corpus_of_table,
    is_data_set,
    is_index,
    is_series,
    is_table,
    links_of_index,
)


def corpus_of_value(value: object, source: str = "<memory>", role: str = "key") -> Corpus:
    """Make a corpus of a Python value.

    The first that fits: a table, a column with an index, an index of pairs, a graph, documents as dicts, documents of other
    libraries, plain values.

    Raises
    ------
    OptionError
        If it describes no annotation, or could mean two.
    FormatError
        If a document is not what its format says.
    """
    if is_table(value) or is_data_set(value):
        return corpus_of_table(value, source, role)
    if is_series(value):
        return corpus_of_series(value, source)
    if is_index(value) or is_graph(value):
        nodes, links = (value.nodes, value.edges) if is_graph(value) else ((), links_of_index(value, source))
        return corpus_of_links(nodes, links, source)
    if hasattr(value, "read"):
        raise OptionError(f"{source}: found an open file; expected its path, or referee.read(path, format=...)")
    if isinstance(value, Iterator) or _is_stream(value):
        value = list(value)  # type: ignore[call-overload]
    if is_document(value):
        return corpus_of_json([value], source, role)
    documents = list(value.values()) if isinstance(value, Mapping) else value
    if isinstance(documents, list | tuple) and documents and is_document(documents[0]):
        return corpus_of_json(documents, source, role, value if isinstance(value, Mapping) else ())
    objects = corpus_of_objects(value, source)
    return objects if objects is not None else _plain(value, source)


def _is_stream(value: object) -> bool:
    """Whether it can be walked through and nothing else, as a data set that is streamed."""
    return hasattr(value, "__iter__") and not hasattr(value, "__len__") and not isinstance(value, str)


def _plain(value: object, source: str) -> Corpus:
    try:
        return corpus_of(value, source=source)
    except OptionError as error:
        raise OptionError(f"{source}: {error}") from None
    except RecursionError:
        raise OptionError(f"{source}: found a value that contains itself; expected {FORMS}") from None
