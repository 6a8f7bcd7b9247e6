"""Reading and writing in memory: what tests of formats share."""

import io
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from referee import inputs
from referee.basics.exceptions import RefereeWarning
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.source import Source
from referee.inputs import registry
from referee.inputs.holding import check_holdable
from referee.inputs.load import corpus_of
from referee.inputs.values import load_value
from referee.tabular.missing import MISSING


def source_of(text, name="x", *, role="key", **asked):
    """A text as a file; `asked` are fields of `ReadOptions`, of a table."""
    return Source(name, data=text.encode(), role=role, options=ReadOptions(**asked) if asked else None)


def read_text(text, format=None, *, role="key", **asked):
    """The corpus of a text, which messages call x."""
    return inputs.read(source_of(text, role=role, **asked), format=format)


def faults_of(text, format, **asked):
    """Every fault of a text, as it is printed."""
    return [str(fault) for fault in inputs.validate(source_of(text, **asked), format=format)]


def corpus_of_value(value, role="key", **asked):
    """The corpus of a Python value; the entities of pairs are what their links connect."""
    return corpus_of(load_value(value, ReadOptions(**asked), role))


def written(corpus, format):
    """What a file has, as `referee.write` writes it."""
    out, record = io.StringIO(), registry.load_format(format)
    check_holdable(corpus, record)
    assert record.write
    record.write(corpus, out)
    return out.getvalue()


def read_again(corpus, format):
    """What is read of the corpus as it was written; of formats with one document a file, from a folder, in the same order.

    A table with a name such as NA, which stands for none, must be read with `--nulls keep`, and the writer says so.
    """
    if format in ("csv", "tsv") and not MISSING.isdisjoint([*corpus.doc_ids, *(corpus.items or ()), *corpus.entity_ids]):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".* stands for none in a table: read it with --nulls keep", RefereeWarning)
            text = written(corpus, format)
        return read_text(text, format, nulls="keep")
    if not registry.load_format(format).document_ending:
        return read_text(written(corpus, format), format)
    with TemporaryDirectory() as folder:
        path = Path(folder, "x" if corpus.doc_ids == ("#1",) else "folder/")
        inputs.write(corpus, f"{path}{'' if path.name == 'x' else '/'}", format=format)
        again = inputs.read(path, format=format)
    number = {name: n for n, name in enumerate(again.doc_ids)}
    return again.select_documents(np.array([number[name] for name in corpus.doc_ids], dtype=np.int64))


def entities_of(corpus):
    """Spans or items by entity label by document name: a corpus as people see it."""
    return {
        name: {
            entity.id: [(m.start, m.end) if corpus.items is None else m.text for m in entity.mentions]
            for entity in document.entities
        }
        for name, document in corpus.documents.items()
    }


def links_of(corpus):
    """The listed links as the mentions' names or words; empty if none are listed."""
    if corpus.links is None:
        return []
    texts = [m.text for document in corpus.documents.values() for m in document.mentions]
    return [(texts[a], texts[b]) for a, b in zip(corpus.links.first, corpus.links.second, strict=True)]


def tokens_of(corpus):
    """The tokens of all documents."""
    return [token for document in corpus.documents.values() for token in document.tokens]


def sentences_of(corpus):
    """Where the sentences of the only document begin."""
    (document,) = corpus.documents.values()
    return list(document.sentences)


def types_of(corpus):
    """The types of the entities."""
    return list(corpus.entity_types or ())


def minima_of(corpus):
    """The minimum spans of the mentions, None if no mention has one."""
    return None if corpus.minimum_span is None else corpus.minimum_span.tolist()
