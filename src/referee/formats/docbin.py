"""spaCy's DocBin (`.spacy`): documents whose coreference is in span groups, or in `doc._.coref_clusters`.

Read where the extra `spacy` is installed: ``pip install 'referee[spacy]'``. A document holds one of

``doc.spans["coref_clusters_1"]``, ``"coref_clusters_2"``, ...
    an entity each, called by its number
``doc.spans["coref_head_clusters_1"]``, ...
    the heads, one token each. Beside `coref_clusters_1`, whose mentions are in the same order, they become the mentions' heads;
    alone, mentions of one token: score them against a key with heads, with `--match head`.
``doc._.coref_clusters``
    fastcoref's lists of `(start, end)`, offsets of characters with exclusive ends. A token that a mention covers in part
    belongs to it, and null is no mention. Looked at where there are no such span groups; a DocBin has it if it was made with
    `store_user_data=True`.

Span groups with another prefix, such as `chains_1`, are read as the format `docbin:chains`. For documents in Python there is
`referee.formats.docbin.corpus(docs, prefix="chains")`.

Sentences are read where the document has them. spaCy's documents have no names: each gets its number. Documents that have span
groups, but none of these, are an error.

References
----------
DocBin of spaCy 3, the components `coref` and `span_resolver` of spacy-experimental 0.6, `spacy_component.py` of
fastcoref 2. Coreference of spaCy 2 (neuralcoref) was never in a DocBin and is not read.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from functools import partial
from re import escape, fullmatch
from typing import NamedTuple, TypeVar

import numpy as np

from referee.basics.exceptions import FormatError, one_line, shortened
from referee.basics.extras import need, spacy_tokens, spacy_vocab, srsly_msgpack
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import BLANK, Characters, is_blank
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format, never
from referee.formats.shared.json_values import Report, placed
from referee.formats.shared.source import OnError, Source

T = TypeVar("T")

PREFIX, HEADS = "coref_clusters", "coref_head_clusters"
CHARACTERS = ("._.", "coref_clusters", None, None)
"""Where `doc.user_data` keeps the value of `doc._.coref_clusters`."""


class Plain(NamedTuple):
    """What we read of a Doc, free of spaCy.

    Parameters
    ----------
    text : str
        The text.
    tokens, offsets : list
        The words, and the character offset of each.
    sentences : list of int
        Token offsets at which sentences start.
    clusters, heads : dict
        The spans of the groups by their numbers.
    characters : object
        The value of `doc._.coref_clusters`.
    groups : list of str
        The names of all span groups.
    """

    text: str
    tokens: list[str]
    offsets: list[int]
    sentences: list[int]
    clusters: dict[str, list[tuple[int, int]]]
    heads: dict[str, list[tuple[int, int]]]
    characters: object
    groups: list[str]


def read(source: Source, on_error: OnError, prefix: str = PREFIX) -> Corpus:
    """Read the documents of a DocBin with spaCy, whose span groups have this prefix."""
    builder = CorpusBuilder(source.name)
    for number, document in enumerate(documents(source, partial(_plain, prefix=prefix)), start=1):
        _add(document, builder, partial(placed, on_error, None, f"document {number}: "), prefix)
    return builder.corpus()


def corpus(docs: Iterable[spacy_tokens.Doc], *, prefix: str = PREFIX, source: str = "<spacy>", strict: bool = True) -> Corpus:
    """Make a corpus of spaCy documents whose span groups have any prefix.

    Parameters
    ----------
    docs : iterable of Doc
        The documents; each gets its number as its name.
    prefix : str
        The names of the span groups, without the underscore and the number at the end.
    source : str
        Where the documents come from, for messages.
    strict : bool
        Whether to refuse a document that has span groups, but none with the prefix; otherwise it has no entities.

    Raises
    ------
    FormatError
        If a document is refused.

    Examples
    --------
    >>> corpus([], prefix="chains")
    Corpus(<spacy>: 0 documents, 0 mentions, 0 entities)
    """

    def refuse(line: int | None, problem: str) -> None:
        raise FormatError(source, line, problem)

    builder = CorpusBuilder(source)
    for number, doc in enumerate(docs, start=1):
        document = _plain(doc, prefix)
        document = document if strict else document._replace(groups=[])
        _add(document, builder, partial(placed, refuse, None, f"document {number}: "), prefix)
    return builder.corpus()


def add(doc: spacy_tokens.Doc, builder: CorpusBuilder, report: Report) -> None:
    """Add a spaCy Doc to the builder."""
    _add(_plain(doc), builder, report)


def documents(source: Source, convert: Callable[[spacy_tokens.Doc], T]) -> list[T]:
    """What a function makes of each document of a DocBin.

    Raises
    ------
    FormatError
        If spaCy cannot read it.
    """
    need("reading a DocBin of spaCy", "spacy.tokens", "spacy.vocab", "srsly.msgpack")
    decoders = srsly_msgpack.msgpack_decoders
    if not decoders.get_entry_points():
        decoders.entry_points = False  # they are those at the start, and would be looked for again for each span group
    collects = gc.isenabled()
    try:
        with source.open() as stream:
            return [*map(convert, spacy_tokens.DocBin().from_bytes(stream.read()).get_docs(spacy_vocab.Vocab()))]
    except Exception as error:  # noqa: BLE001  # whatever spaCy, msgpack and NumPy say of bytes that are something else
        if collects:
            gc.enable()  # srsly turns it off while it reads, and leaves it off when it fails
        problem = one_line(shortened(str(error) or type(error).__name__, 80))
        raise FormatError(source.name, None, f"is no DocBin that spaCy can read: {problem}") from None


def _plain(doc: spacy_tokens.Doc, prefix: str = PREFIX) -> Plain:
    tokens = [(token.text, token.idx, token.is_sent_start) for token in doc]
    return Plain(
        doc.text,
        [text for text, _, _ in tokens],
        [offset for _, offset, _ in tokens],
        sorted({0, *(n for n, (_, _, starts) in enumerate(tokens) if starts)}) if tokens else [],
        _groups(doc, prefix),
        _groups(doc, HEADS),
        doc.user_data.get(CHARACTERS),
        sorted(map(str, doc.spans)),
    )


def _groups(doc: spacy_tokens.Doc, prefix: str) -> dict[str, list[tuple[int, int]]]:
    """The spans of the groups of a prefix, by what follows it."""
    matches = ((fullmatch(rf"{escape(prefix)}(?:_(.*))?", key), group) for key, group in doc.spans.items())
    return {match[1] or "": [(span.start, span.end) for span in group] for match, group in matches if match}


def _add(document: Plain, builder: CorpusBuilder, report: Report, prefix: str = PREFIX) -> None:
    starts = np.array(document.offsets, dtype=np.int64)
    ends = starts + np.array([*map(len, document.tokens)], dtype=np.int64)
    characters = Characters(document.tokens, starts, ends, document.sentences, document.text)
    builder.document("", document.tokens, document.sentences, raw=characters.raw)
    groups = document.clusters or document.heads
    for label, spans in groups.items():
        heads = document.heads.get(label, [])
        for n, (start, end) in enumerate(spans):
            head = heads[n][0] if len(heads) == len(spans) else -1
            if start < end:
                builder.mention(start, end, label, head=head if start <= head < end else None)
            else:
                report(f"cluster {label}: found a span without tokens before token {start}; expected at least one")
    if not groups and document.characters is not None:
        _add_characters(document.characters, characters, builder, report)
    elif not groups and document.groups:
        names = one_line(shortened(", ".join(document.groups)))
        report(f"found the span groups {names}; expected {prefix}_1, {prefix}_2, ...: --format docbin:PREFIX reads others")


def _add_characters(clusters: object, characters: Characters, builder: CorpusBuilder, report: Report) -> None:
    if not (isinstance(clusters, list | tuple) and all(isinstance(cluster, list | tuple) for cluster in clusters)):
        report("`doc._.coref_clusters` is not what it should be; expected lists of pairs (start, end)")
        return
    blank = 0
    for label, cluster in enumerate(clusters):
        for value in cluster:
            if value is None:
                continue
            pair = value if isinstance(value, list | tuple) and len(value) == 2 and {*map(type, value)} == {int} else (-1, -1)
            if is_blank(characters.text, *pair):
                blank += 1
                continue
            try:
                span = characters.span(*pair)
            except ValueError as problem:
                report(f"cluster {label}: found the span {one_line(shortened(repr(value)))}; {problem}")
            else:
                builder.mention(*span, str(label))
    warn_file(builder.source, BLANK, "mention", blank)


FORMAT = Format("docbin", __doc__, ("spans", "words", "heads"), never, read, variant="the prefix of the span groups")
