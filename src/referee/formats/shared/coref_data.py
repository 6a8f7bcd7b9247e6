"""A document of coref-data: sentences, and chains of `[sentence, start, end]`, see `referee.tabular.formats.parquet`."""

from __future__ import annotations

from functools import partial
from typing import Any

from referee.basics.exceptions import shortened
from referee.corpus import CorpusBuilder
from referee.corpus.layers import BEFORE
from referee.formats.shared.documents import JoinedSentences, begin
from referee.formats.shared.json_values import integers, placed
from referee.formats.shared.source import OnError


def add(row: dict[str, Any], builder: CorpusBuilder, on_error: OnError) -> None:
    """Add the document of a row to the builder."""
    name = str(row["id"]) if type(row.get("id")) in (str, int) else ""
    report = partial(placed, on_error, None, f"document {name!r}: " if name else "")
    sentences = _sentences(row.get("sentences"))
    if sentences is None:
        report("`sentences` is not what it should be; expected a list of sentences with `tokens`, each with its `text`")
        sentences = []
    text = JoinedSentences.join([[token["text"] for token in sentence] for sentence in sentences])
    if not begin(builder, on_error, name, text.tokens, text.starts):
        return
    _mark_empty_nodes(sentences, builder)
    chains = row["coref_chains"]
    if not (isinstance(chains, list) and all(isinstance(chain, list) for chain in chains)):
        report(f"`coref_chains` is {shortened(repr(chains))}; expected a list of lists of mentions")
        return
    for label, chain in enumerate(chains):
        for mention in chain:
            sentence, first, last = integers(mention, 3) or (-1, -1, -1)
            if (span := text.span(sentence, first, last + 1)) is not None:
                builder.mention(*span, str(label))
            else:
                expected = "[sentence, start, end], numbers of a sentence and of two of its tokens, from 0"
                report(f"chain {label}: found {shortened(repr(mention))}; expected {expected}")


def _sentences(value: object) -> list[list[dict[str, Any]]] | None:
    """The tokens of each sentence."""
    if not (isinstance(value, list) and all(isinstance(s, dict) and isinstance(s.get("tokens"), list) for s in value)):
        return None
    sentences = [sentence["tokens"] for sentence in value]
    good = all(isinstance(t, dict) and isinstance(t.get("text"), str) for tokens in sentences for t in tokens)
    return sentences if good else None


def _mark_empty_nodes(sentences: list[list[dict[str, Any]]], builder: CorpusBuilder) -> None:
    node = 0
    for number, sentence in enumerate(filter(None, sentences)):
        minor = BEFORE
        for token in sentence:
            id_ = token.get("id")
            empty = isinstance(id_, float) and 0 < id_ % 1 < 1
            minor = minor + 1 if empty else 0
            if empty:
                builder.empty_node(node, minor, number)
            node += 1
