"""What a Python value means: the one place that decides, by its structure and not by the names of types."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence, Set as AbstractSet, ValuesView
from itertools import chain
from typing import Any

import numpy as np

from referee.basics.exceptions import OptionError, shortened, warn
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.corpus.editing import concatenate
from referee.corpus.views import Document
from referee.formats.json_documents import corpus_of_json, is_document
from referee.formats.shared.shapes import Foreign
from referee.formats.shared.source import Source
from referee.formats.shared.tags import TAG
from referee.inputs.frames import input_of_series, input_of_source, is_series
from referee.inputs.graphs import is_index, links_of, pairs_of_index, warn_of_weights
from referee.inputs.kinds import Input
from referee.inputs.labels import LabelTable
from referee.inputs.libraries import corpus_of_objects
from referee.inputs.paths import Stored, parquet_paths
from referee.inputs.plain import FORMS, corpus_of_links, corpus_of_plain, empty_corpus
from referee.inputs.rows import columns_of_table
from referee.inputs.sources import may_be_columns, source_of
from referee.tabular.numbers import number_id
from referee.tabular.pairs import PairTable
from referee.tabular.reading import Records, records_of
from referee.tabular.values import value_table


def load_value(value: object, options: ReadOptions, role: str = "key", *, probable: bool = False) -> Input:
    """Return what a Python value is.

    The first that fits: a table of columns, a column with an index, an index of pairs, a graph, documents as dicts, rows,
    documents of other libraries, plain values.

    Raises
    ------
    OptionError
        If it describes no annotation, or could mean two.
    FormatError
        If a document or a table is not what it should be.
    """
    if isinstance(value, (LabelTable, PairTable, Stored)):
        return value
    name = f"<{role}>"
    if isinstance(value, Mapping) and value and all(may_be_columns(part) and not is_series(part) for part in value.values()):
        raise OptionError(f"{name}: found the splits {', '.join(map(str, value))}; expected one of them: give value[split]")
    if is_series(value):
        return input_of_series(value, name, options, role)
    paths = parquet_paths(value)
    if paths is not None or may_be_columns(value):
        source = source_of(paths or value, name, options.engine)
        if source is not None:
            return input_of_source(source, options, role, probable=probable)
    if isinstance(value, Iterator | ValuesView) and not hasattr(value, "read"):
        value = _listed(value, name)
    if (views := _views(value)) is not None:
        return views
    if is_index(value):
        return pairs_of_index(value, name, options)
    if (links := links_of(value)) is not None:
        _refuse_columns(options, name)
        warn_of_weights(value, name)
        return corpus_of_links(*links, name)
    if isinstance(value, list | tuple | Mapping) and value:
        _refuse_several(value.values() if isinstance(value, Mapping) else value, name)
    if isinstance(value, list | tuple) and value:
        _refuse_tags(value, name)
    if hasattr(value, "read"):
        raise OptionError(f"{name}: found an open file; expected its path, or referee.read(path, format=...)")
    if isinstance(value, Mapping) and isinstance(value, AbstractSet):
        raise OptionError(f"{name}: found the edges or the nodes of a graph; expected the graph itself")
    if isinstance(value, Iterator) or _is_stream(value):
        value = _listed(value, name)
    return _records(value, name, options, role, probable=probable)


def _views(value: object) -> Corpus | None:
    """The corpus of documents of other corpora, one, in a list or by name; None of another value."""
    documents = list(value.values()) if isinstance(value, Mapping) else [value] if isinstance(value, Document) else value
    if not (isinstance(documents, list | tuple) and documents and all(isinstance(part, Document) for part in documents)):
        return None
    names = list(map(str, value)) if isinstance(value, Mapping) else [document.name for document in documents]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise OptionError(f"found two documents called {shortened(twice)!r}; expected {{name: document}} with different names")
    corpora = [document.corpus.select_documents(np.array([document.index])) for document in documents]
    named = [corpus.on_documents((name,), np.zeros(1, dtype=np.int64)) for name, corpus in zip(names, corpora, strict=True)]
    return concatenate(named)


def _refuse_several(values: Collection[object], name: str) -> None:
    """Raise OptionError for a list of files, tables or corpora, also by name."""
    if all(isinstance(path, (str, os.PathLike)) and os.path.isfile(path) for path in values):
        things, expected = "files", "one path, or one table of all of them"
    elif all(isinstance(value, Corpus) or (may_be_columns(value) and not is_series(value)) for value in values):
        things, expected = "tables or corpora", "one"
    else:
        return
    several = "; compare(key, a, b) and inspect(key, a, b) take several responses" if name == "<response>" else ""
    raise OptionError(f"{name}: found a list of {things}; expected {expected}{several}")


def _refuse_tags(values: Sequence[object], name: str) -> None:
    """Raise OptionError for the tags of words: scores of them as entities mean nothing."""
    rows = (row if isinstance(row, list | tuple) else [row] for row in values)
    tags: dict[str, None] = {}
    for tag in chain.from_iterable(rows):
        if not (isinstance(tag, str) and TAG.fullmatch(tag)):
            return
        tags[tag] = None
    first = next((tag for tag in tags if "-" in tag), None)
    if "O" in tags and first is not None:
        verbs = "referee.phrases.score(key, response) scores tags; phrases.errors, compare and PhraseScorer take them, too"
        raise OptionError(f"{name}: found tags of words, O and {first}; expected entities: {verbs}")


def _records(value: object, name: str, options: ReadOptions, role: str, *, probable: bool) -> Records:
    if is_document(value):
        return corpus_of_json([value], name, role)
    documents = list(value.values()) if isinstance(value, Mapping) else value
    if isinstance(documents, list | tuple) and documents and is_document(documents[0]):
        return corpus_of_json(documents, name, role, value if isinstance(value, Mapping) else ())
    columns = columns_of_table(value, options)
    if columns is not None and not any(map(len, columns.values())):
        return empty_corpus(name)
    if columns is not None:
        source = Source(name, b"", role=role, options=options)
        table = value_table(name, columns, options, role, source.raise_error, probable=probable)
        return records_of(table, source, source.raise_error)
    _refuse_columns(options, name)
    objects = corpus_of_objects(value, name)
    if objects is None and options.ids != "text":
        value = _with_numbers(value, name)
    return objects if objects is not None else _plain(value, name, options.nulls)


def _with_numbers(value: object, name: str) -> dict[str, Any]:
    """A dict of labels with its ids as numbers; OptionError for another value, and if two ids are one number."""
    labels = {number_id(str(item)): label for item, label in value.items()} if isinstance(value, Mapping) else {}
    if not isinstance(value, Mapping) or len(labels) < len(value):
        problem = "two ids of one number" if isinstance(value, Mapping) else "other values"
        raise OptionError(f"--ids number is for tables, and for {{record: entity}}; found {name} with {problem}")
    return labels


def _refuse_columns(options: ReadOptions, name: str) -> None:
    if options.columns:
        one = "--key-columns and --response-columns are for one side"
        raise OptionError(f"--columns is for tables of records; found {name}, which has no columns: {one}")


def _listed(stream: Foreign, name: str) -> list[Any]:
    """What an iterator gives."""
    if getattr(stream, "gi_frame", stream) is None:
        raise OptionError(f"{name}: found a generator that was used up before; expected a list, or a new generator")
    parts = list(stream)
    if not parts:
        warn(f"{name} is an iterator that gives nothing: it is empty, or was used up before")
    return parts


def _is_stream(value: object) -> bool:
    """Whether it can be walked through and nothing else, as a data set that is streamed."""
    return hasattr(value, "__iter__") and not hasattr(value, "__len__") and not isinstance(value, str)


def _plain(value: object, source: str, nulls: str) -> Corpus:
    try:
        return corpus_of_plain(value, source=source, nulls=nulls)
    except OptionError as error:
        raise OptionError(f"{source}: {error}") from None
    except RecursionError:
        raise OptionError(f"{source}: found a value that contains itself; expected {FORMS}") from None
