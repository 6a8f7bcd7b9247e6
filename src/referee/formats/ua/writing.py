"""Writing CoNLL-UA."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import TextIO

from referee.basics.exceptions import counted, warn
from referee.corpus import Corpus, Words
from referee.corpus.layers import BEFORE
from referee.formats.shared.brackets import crossing
from referee.formats.shared.documents import (
    LONGEST,
    Nodes,
    distinct,
    entities,
    nodes_of,
    words_of,
)
from referee.formats.shared.losses import Losses
from referee.formats.ua.reading import COLUMNS, PSEUDO, moved

NO_COLUMN = re.compile(r"[\0- ]")
NO_RELATION = re.compile(r"[\0-\x1f()|]")


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one row a token, with numbers counted through the document.

    Raises
    ------
    FormatError
        If the corpus has no words.
    """
    layers = [_WrittenLayer(corpus, "markable_")]
    if corpus.deixis is not None:
        layers.append(_WrittenLayer(corpus.deixis, "dd_markable_"))
        if corpus.deixis.bridging is not None and len(corpus.deixis.bridging.anaphor):
            bridges = counted(len(corpus.deixis.bridging.anaphor), "bridge")
            warn(f"{corpus.source}: left out {bridges} within discourse deixis, which ua has no column for")
    by_id = any(_crosses(layer.corpus) for layer in layers)
    nodes = nodes_of(corpus)
    for number, (name, words) in enumerate(zip(corpus.doc_ids, words_of(corpus, format="ua"), strict=True)):
        rows = _RowIds(words, nodes.get(number, {}))
        identity, *deixis = (_Brackets(layer, name, rows, by_id=by_id) for layer in layers)
        out.write(f"# global.columns = {' '.join(COLUMNS)}\n# newdoc id = {name}\n")
        for sentence, (first, after) in enumerate(pairwise([*words.sentences, len(words.tokens)]), start=1):
            out.write(f"# sent_id = {name}-{sentence}\n")
            for token in range(first, after):
                row = [rows.ids[token], words.tokens[token], *"______", rows.deps.get(token, "_"), "_"]
                row += [identity.cell(token), identity.bridging.get(token, "_"), *(d.cell(token) for d in deixis)]
                out.write("\t".join(row + ["_"] * (len(COLUMNS) - len(row))) + "\n")
            out.write("\n")


def drop_unsupported(losses: Losses) -> None:
    """Leave out minimum spans that begin or end with an empty node; change words, relations and names of documents."""
    losses.change_words(NO_COLUMN)
    losses.rename()
    _leave_out_minima(losses)
    losses.change_relations(NO_RELATION)
    if losses.corpus.deixis is not None:
        deixis = Losses(replace(losses.corpus.deixis, empty_nodes=losses.corpus.empty_nodes))
        _leave_out_minima(deixis)
        losses.left_out += deixis.left_out
        losses.example = losses.example or deixis.example
        losses.corpus = replace(losses.corpus, deixis=replace(deixis.corpus, empty_nodes=losses.corpus.deixis.empty_nodes))


def _leave_out_minima(losses: Losses) -> None:
    corpus, nodes = losses.corpus, nodes_of(losses.corpus)

    def fits(mention: int, first: int, after: int) -> bool:
        return nodes.get(int(corpus.document[mention]), {}).keys().isdisjoint((first, after - 1))

    losses.leave_out_minima(fits, " that begins or ends with an empty node")


class _RowIds:
    """The ids of the rows of a document, its words counted from 1 (0 is an empty node), and dependencies of empty nodes."""

    def __init__(self, words: Words, nodes: Nodes) -> None:
        self.ids: list[str] = []
        self.word: list[int] = []
        self.deps: dict[int, str] = {}
        count = before = 0
        sentences = set(words.sentences)
        for token in range(len(words.tokens)):
            before = count if token in sentences else before
            minor, deps = nodes.get(token, (0, ""))
            count += not minor
            self.ids.append(f"{0 if minor > BEFORE else count}.{minor % BEFORE}" if minor else str(count))
            self.word.append(0 if minor else count)
            if deps:
                self.deps[token] = moved(deps, before)


class _WrittenLayer:
    """What the writer looks up in a layer.

    Attributes
    ----------
    mentions : dict
        The mentions of each entity, by document name.
    wholes : dict
        The entities of which each entity is an element.
    bridging : dict
        Antecedents and relations of each anaphor.
    """

    def __init__(self, corpus: Corpus, prefix: str) -> None:
        self.corpus = corpus
        self.prefix = prefix
        self.mentions = dict(entities(corpus))
        self.wholes: dict[int, list[int]] = {}
        self.bridging: dict[int, list[tuple[int, str]]] = {}
        if corpus.split_antecedents is not None:
            for whole, element in zip(*(column.tolist() for column in corpus.split_antecedents), strict=True):
                self.wholes.setdefault(element, []).append(whole)
        if corpus.bridging is not None:
            for anaphor, antecedent, relation in zip(*map(list, corpus.bridging), strict=True):
                self.bridging.setdefault(int(anaphor), []).append((int(antecedent), relation))


class _Brackets:
    """The cells of a layer of a document, by tokens; `by_id` says that closing brackets name their markables."""

    def __init__(self, layer: _WrittenLayer, name: str, rows: _RowIds, *, by_id: bool) -> None:
        corpus, mentions = layer.corpus, layer.mentions[name]
        labels = dict(zip(mentions, _labels(corpus, mentions), strict=True))
        entity = {m: e for e, members in mentions.items() for m in members}
        ids = {m: f"{layer.prefix}{n}" for n, m in enumerate(sorted(entity), start=1)}
        self.opening: dict[int, list[str]] = {}
        self.closing: dict[int, list[str]] = {}
        self.bridging: dict[int, str] = {}
        parts = []
        for m, id_ in ids.items():
            text = f"(EntityID={labels[entity[m]]}|MarkableID={id_}{self._minimum(corpus, m, rows)}"
            if m == mentions[entity[m]][0] and entity[m] in layer.wholes:
                text += "|ElementOf=" + ",".join(labels[whole] for whole in layer.wholes[entity[m]])
            parts += [(start, -end, m, text) for start, end in corpus.spans(m)]
            for antecedent, relation in layer.bridging.get(m, ()):
                rel = f"|Rel={relation}" if relation else ""
                anchors = f"MentionAnchor={ids[antecedent]}|EntityAnchor={labels[entity[antecedent]]}"
                pair = f"(MarkableID={id_}{rel}|{anchors})"
                self.bridging[int(corpus.start[m])] = self.bridging.get(int(corpus.start[m]), "") + pair
        for start, end, m, text in sorted(parts):
            alone = start + 1 == -end
            self.opening.setdefault(start, []).append(text + ")" * alone)
            if not alone:
                self.closing.setdefault(-end - 1, []).append(f"{ids[m]})" if by_id else ")")

    @staticmethod
    def _minimum(corpus: Corpus, mention: int, rows: _RowIds) -> str:
        if corpus.minimum_span is None or corpus.minimum_span[mention, 0] < 0:
            return ""
        start, end = corpus.minimum_span[mention].tolist()
        first, last = rows.word[start], rows.word[end - 1]
        return f"|Min={first}" if first == last else f"|Min={first},{last}"

    def cell(self, token: int) -> str:
        return "".join(self.closing.get(token, [])) + "".join(self.opening.get(token, [])) or "_"


def _labels(corpus: Corpus, numbers: Iterable[int]) -> list[str]:
    """What entities are called in the file: different names, with `-Pseudo` at the end of those that are non-referring."""
    stems = distinct(re.sub(f"({PSEUDO})+$", "", _safe(corpus.entity_ids[e])) for e in numbers)
    referring = corpus.referring
    return [stem if referring is None or referring[e] else stem + PSEUDO for stem, e in zip(stems, numbers, strict=True)]


def _safe(text: str) -> str:
    """The text without what has a meaning in a cell."""
    return re.sub(r"[\0- ()|@,=]", "_", text)


def _crosses(corpus: Corpus) -> bool:
    """Whether markables, or parts of them, cross, so that closing brackets must name what they close."""
    documents = enumerate(corpus.document.tolist())
    spans = ((LONGEST * d + start, LONGEST * d + end, m) for m, d in documents for start, end in corpus.spans(m))
    return crossing(spans, shared=1) is not None  # what ends with a token is closed before what begins with it
