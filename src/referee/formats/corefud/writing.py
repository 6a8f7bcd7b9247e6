"""A corpus as CorefUD: heads and types in brackets, mention types as UPOS."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from typing import TextIO, TypeAlias
from urllib.parse import quote

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import counted, warn
from referee.corpus import MENTION_TYPES, Corpus, Spans
from referee.corpus.layers import BEFORE, Bridging
from referee.corpus.undecided import NOTE, note_of
from referee.formats.corefud.reading import to_entities
from referee.formats.shared.brackets import crossing, overlapping
from referee.formats.shared.documents import Nodes, distinct, nodes_of, words_of
from referee.formats.shared.losses import Losses

UNSAFE = re.compile(r"[\s\0-\x1f\-=|()\[\]<>,:%]")
NO_FORM = re.compile(r"[\t\n\r\0]")
NO_RELATION = re.compile(r"[|,<\s\0]")
ZERO = MENTION_TYPES.index("zero")
Bracket: TypeAlias = tuple[int, int, str, str]
"""The brackets of a mention, or of a part of one: its first token, the one after it, what is behind ( and what before )."""

BETWEEN_NOTES = " // "

UPOS = {"pronoun": "PRON", "name": "PROPN", "nominal": "NOUN", "other": "X", "": "_"}


def write(corpus: Corpus, out: TextIO) -> None:
    """Write a header for each document, a row for each token.

    Raises
    ------
    FormatError
        If the corpus has no words.

    Warns
    -----
    RefereeWarning
        If the antecedent of a bridge is another mention of its entity than the one that `read` takes.
    """
    words = words_of(corpus, format="corefud")
    writer = CorefudWriter(corpus)
    for d, name in enumerate(corpus.doc_ids):
        heading = "# newdoc" if name == f"#{d + 1}" else f"# newdoc id = {name}"
        out.write(f"{heading}\n# global.Entity = {'-'.join(writer.fields)}\n")
        out.write("".join(f"{line}\n" for line in writer.lines(d, words[d].tokens, words[d].sentences)))
    if corpus.bridging is not None:
        read = set(_pairs(to_entities(corpus, corpus.bridging)))
        changed = sum(pair not in read for pair in _pairs(corpus.bridging))
        if changed:
            bridges = counted(changed, "bridge")
            warn(f"{corpus.source}: {bridges} to one mention of an entity, of which corefud names but the entity")


def _pairs(bridging: Bridging) -> Iterable[tuple[int, int]]:
    return zip(bridging.anaphor.tolist(), bridging.antecedent.tolist(), strict=True)


# What rows and brackets cannot say: refused by `write`, left out by `drop_unsupported`.


def drop_unsupported(losses: Losses) -> None:
    """Leave out what rows and brackets cannot say, and change words, names of documents and relations."""
    nothing = [not words.tokens for words in words_of(losses.corpus, format="corefud")]
    losses.leave_out_documents(np.array(nothing, dtype=bool), " without words")
    losses.leave_out_over_sentences()
    losses.leave_out(_clashing_mentions(losses.corpus), "crossing mention", " of one entity")
    losses.change_words(NO_FORM)
    losses.rename()
    corpus, nodes = losses.corpus, nodes_of(losses.corpus)
    if corpus.head is not None:
        outside = [m for m, head in enumerate(corpus.head.tolist()) if not _is_in(head, corpus.spans(m))]
        if outside:
            losses.describe_mention(outside[0])
        losses.left_out["head", " outside of a mention"] += len(outside)
        head = corpus.head.copy()
        head[outside] = -1
        losses.corpus = replace(corpus, head=head)

    def fits(mention: int, first: int, after: int) -> bool:
        return _part_with(first, after, corpus.spans(mention), nodes.get(int(corpus.document[mention]), {})) is not None

    losses.leave_out_minima(fits, "")
    corpus = losses.corpus
    if corpus.mention_types is not None:
        types = _types_by_heads(corpus, nodes)
        if (others := np.flatnonzero(types != corpus.mention_types)).size:
            losses.describe_mention(int(others[0]))
        losses.changed["mention type", ""] += len(others)
        losses.corpus = replace(corpus, mention_types=types)
    _leave_out_bridges(losses)
    if (split := losses.corpus.split_antecedents) is not None:
        losses.leave_out_rows("split_antecedents", split.entity == split.element, " of itself")


def _clashing_mentions(corpus: Corpus) -> Bools:
    """The mentions that brackets cannot tell from others of their entities."""
    lost = np.zeros(len(corpus.document), dtype=bool)
    for parts in _overlapping_entities(corpus, range(len(lost)), overlapping(corpus)):
        while pair := clashing(parts):
            lost[max(pair)] = True
            del parts[max(pair)]
    return lost


def _overlapping_entities(corpus: Corpus, mentions: Iterable[int], overlap: Bools) -> Iterable[dict[int, Spans]]:
    """Of the entities that have mentions that overlap: the mentions, with their spans."""
    entities: dict[int, dict[int, Spans]] = {}
    for m in mentions:
        if overlap[corpus.entity[m]]:
            entities.setdefault(int(corpus.entity[m]), {})[m] = corpus.spans(m)
    return entities.values()


def clashing(parts: Mapping[int, Spans]) -> tuple[int, int] | None:
    """Find two mentions of an entity that brackets cannot tell apart.

    Two mentions may not cross; and of mentions of several parts, one must be complete before the next begins.

    Parameters
    ----------
    parts : mapping
        Mention -> its spans; the mentions in reading order.

    Returns
    -------
    pair of int, or None
        The mention that begins first, and the other one.
    """
    for one, another in pairwise(m for m, spans in parts.items() if len(spans) > 1):
        if parts[another][0][0] <= parts[one][-1][0]:
            return one, another
    return crossing((start, end, m) for m, spans in parts.items() for start, end in spans)


def _is_in(head: int, spans: Spans) -> bool:
    """Whether there is no head, or a token of the mention is it."""
    return head < 0 or any(start <= head < end for start, end in spans)


def _part_with(first: int, after: int, parts: Spans, nodes: Nodes) -> int | None:
    """Which part of a mention has a minimum span of words; None if none has, or if it begins or ends with an empty node."""
    if first in nodes or after - 1 in nodes:
        return None
    return next((n for n, (start, end) in enumerate(parts) if start <= first < after <= end), None)


def _types_by_heads(corpus: Corpus, nodes: Mapping[int, Nodes]) -> Ints:
    """The mention types as their heads can say them, where a word can be the head of mentions of one type alone."""
    types: Ints = np.zeros(len(corpus.document), dtype=np.int8) if corpus.mention_types is None else corpus.mention_types.copy()
    types_of_words: dict[tuple[int, int], int] = {}
    columns = zip(types.tolist(), corpus.document.tolist(), corpus.heads.tolist(), strict=True)
    for m, (kind, document, head) in enumerate(columns):
        if head in nodes.get(document, {}):
            types[m] = kind if kind == ZERO else 0
        elif head < 0:
            types[m] = 0
        else:
            types[m] = types_of_words.setdefault((document, head), 0 if kind == ZERO else kind)
    return types


def _leave_out_bridges(losses: Losses) -> None:
    """Leave out bridges that name no other entity, or whose anaphor cannot be told; change relations."""
    corpus = losses.corpus
    if corpus.bridging is None:
        return
    entity, last = corpus.entity, _last_to_begin(corpus)
    anaphor = corpus.bridging.anaphor
    losses.leave_out_rows("bridging", entity[anaphor] == entity[corpus.bridging.antecedent], " of an entity to itself")
    corpus = losses.corpus
    if corpus.bridging is not None:
        unclear = np.array([last[_beginning(corpus, m)] != m for m in corpus.bridging.anaphor.tolist()], dtype=bool)
        losses.leave_out_rows("bridging", unclear, " of an anaphor that begins with another of its entity")
    losses.change_relations(NO_RELATION)


def _beginning(corpus: Corpus, mention: int) -> tuple[int, int, int]:
    return int(corpus.document[mention]), int(corpus.start[mention]), int(corpus.entity[mention])


def _last_to_begin(corpus: Corpus) -> dict[tuple[int, int, int], int]:
    """By document, token and entity, the mention whose bracket is the last to open there."""
    firsts = {m: corpus.spans(m)[0] for m in range(len(corpus.document))}
    order = sorted(firsts, key=lambda m: (firsts[m][1] == firsts[m][0] + 1, -firsts[m][1], m))
    return {_beginning(corpus, m): m for m in order}


class CorefudWriter:
    """What all documents of a corpus need to be written."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.names = _ids(corpus)
        self.nodes = nodes_of(corpus)
        self.heads = corpus.heads.tolist()
        self.types = _types_by_heads(corpus, self.nodes).tolist()
        self.bridges: dict[int, list[tuple[int, str]]] = {}
        for anaphor, antecedent, relation in zip(*map(list, corpus.bridging or ()), strict=True):
            self.bridges.setdefault(anaphor, []).append((antecedent, relation))
        self.elements: dict[int, list[int]] = {}
        for entity, element in zip(*map(list, corpus.split_antecedents or ()), strict=True):
            self.elements.setdefault(entity, []).append(element)
        optional = [name for name, feature in (("minspan", "minimum spans"), ("head", "heads")) if feature in corpus.features]
        self.fields = ["eid" if len(set(self.names)) == len(self.names) else "GRP", "etype", *optional, "other"]

    def lines(self, document: int, tokens: Sequence[str], sentences: Sequence[int]) -> Iterator[str]:
        """The lines of a document, each sentence with a blank one behind it."""
        here = self.corpus.mentions_in(document, document + 1)
        mentions = range(here.start, here.stop)
        nodes = self.nodes.get(document, {})
        entities = self._brackets(mentions, nodes, len(tokens))
        misc = {"Bridge": self._bridges(mentions), "Entity": entities, "SplitAnte": self._splits(mentions)}
        misc["Undecided"] = self._notes(mentions)
        upos = {self.heads[m]: UPOS[MENTION_TYPES[self.types[m]]] for m in mentions if self.heads[m] not in nodes}
        sentence = re.sub(r"[\s/]", "_", self.corpus.doc_ids[document])  # CoNLL-U allows neither in a sent_id
        for n, (first, after) in enumerate(pairwise([*sentences, len(tokens)]), start=1):
            yield f"# sent_id = {sentence}-{n}"
            word = minor = 0
            for token in range(first, after):
                if token in nodes:
                    number, deps = nodes[token]
                    minor = max(minor + 1, number % BEFORE)
                    row, parent = f"{word}.{minor}", f"_\t_\t{deps or '_'}"
                else:
                    word, minor = word + 1, 0
                    row, parent = str(word), "0\troot\t_" if word == 1 else "1\tdep\t_"
                attributes = "|".join(f"{name}={texts[token]}" for name, texts in misc.items() if token in texts) or "_"
                yield f"{row}\t{tokens[token]}\t_\t{upos.get(token, '_')}\t_\t_\t{parent}\t{attributes}"
            yield ""

    def _brackets(self, mentions: Iterable[int], nodes: Nodes, tokens: int) -> dict[int, str]:
        """The brackets by token."""
        rank = ranks(nodes, tokens)
        brackets: list[Bracket] = []
        for m in mentions:
            values = self.values(m, nodes, rank)
            fields = "".join(f"-{values.get(field, '')}" for field in self.fields[1:]).rstrip("-")
            brackets += brackets_of(self.corpus.spans(m), self.names[self.corpus.entity[m]], fields)
        return {token: "".join(texts) for token, texts in in_cells(brackets).items()}

    def values(self, mention: int, nodes: Nodes, rank: Sequence[int]) -> dict[str, str]:
        """What the fields of the bracket of a mention say, but for the id of its entity."""
        types, parts = self.corpus.entity_types, self.corpus.spans(mention)
        values = {"etype": UNSAFE.sub(_quoted, types[self.corpus.entity[mention]]) if types else ""}
        if (head := self.heads[mention]) >= 0:
            values["head"] = str(sum(min(end, head + 1) - start for start, end in parts if start <= head))
        if self.corpus.minimum_span is not None and self.corpus.minimum_span[mention, 0] >= 0:
            values["minspan"] = self._minspan(mention, nodes, rank)
        return values

    def _minspan(self, mention: int, nodes: Nodes, rank: Sequence[int]) -> str:
        first, after = self.corpus.minimum_span[mention].tolist()  # type: ignore[index]  # there is one
        parts = self.corpus.spans(mention)
        part = _part_with(first, after, parts, nodes) or 0
        before = sum(rank[end] - rank[start] for start, end in parts[:part]) - rank[parts[part][0]]
        return ",".join(str(before + word + 1) for word in range(rank[first], rank[after]))

    def _bridges(self, mentions: Iterable[int]) -> dict[int, str]:
        """The bridges by token."""
        corpus, names = self.corpus, self.names
        links: dict[int, dict[str, None]] = {}
        for m in mentions:
            _, token, entity = _beginning(corpus, m)
            for antecedent, relation in self.bridges.get(m, ()):
                other = int(corpus.entity[antecedent])
                links.setdefault(token, {})[f"{names[other]}<{names[entity]}" + (f":{relation}" if relation else "")] = None
        return {token: ",".join(texts) for token, texts in links.items()}

    def _splits(self, mentions: Iterable[int]) -> dict[int, str]:
        """The split antecedents by token: at the first mention of the entity that they are elements of."""
        names = self.names
        links: dict[int, list[str]] = {}
        for m in mentions:
            _, token, entity = _beginning(self.corpus, m)
            for element in self.elements.pop(entity, ()):
                links.setdefault(token, []).append(f"{names[element]}<{names[entity]}")
        return {token: ",".join(texts) for token, texts in links.items()}

    def _notes(self, mentions: Iterable[int]) -> dict[int, str]:
        """The notes of undecided mentions by the tokens at which these begin."""
        notes: dict[int, list[str]] = {}
        for m in mentions:
            if note := note_in_misc(self.corpus, m, self.names):
                notes.setdefault(int(self.corpus.start[m]), []).append(note)
        return {token: BETWEEN_NOTES.join(texts) for token, texts in notes.items()}


def note_in_misc(corpus: Corpus, mention: int, names: Sequence[str]) -> str:
    """The note of an undecided mention, behind the name of its entity; empty if it has none."""
    note = note_of(corpus, mention).removeprefix(NOTE).replace("|", "/").replace(BETWEEN_NOTES, " / ")
    return f"{names[corpus.entity[mention]]}: {note}" if note else ""


def ranks(nodes: Nodes, tokens: int) -> list[int]:
    """How many words are before each of so many tokens, and before their end."""
    return list(accumulate((token not in nodes for token in range(tokens)), initial=0))


def brackets_of(spans: Spans, name: str, fields: str) -> list[Bracket]:
    """The brackets of a mention of an entity, with the fields behind its id."""
    parts = [f"{name}[{n}/{len(spans)}]" for n in range(1, len(spans) + 1)] if len(spans) > 1 else [name]
    return [(start, end, part + fields, part) for (start, end), part in zip(spans, parts, strict=True)]


def in_cells(brackets: Iterable[Bracket]) -> dict[int, list[str]]:
    """What stands in `Entity` by token, of the brackets of mentions in reading order."""
    closing: dict[int, list[tuple[int, int, str]]] = {}
    opening: dict[int, list[tuple[bool, int, int, str]]] = {}
    for n, (start, end, content, name) in enumerate(brackets):
        alone = end == start + 1
        opening.setdefault(start, []).append((alone, -end, n, f"({content}" + ")" * alone))
        if not alone:
            closing.setdefault(end - 1, []).append((-start, -n, f"{name})"))
    cells = {}
    for token in {*opening, *closing}:
        begins = sorted(opening.get(token, ()))
        texts = [text for *_, text in begins]
        ends = [text for *_, text in sorted(closing.get(token, ()))]
        # As udapi has it: brackets of one word come last, but before those that close if none opens.
        cells[token] = texts + ends if all(alone for alone, *_ in begins) else ends + texts
    return cells


def _ids(corpus: Corpus) -> list[str]:
    """The ids of the entities: their labels, changed where one could not stand in a bracket, or the document has it twice."""
    edges = np.searchsorted(corpus.entity_document, np.arange(len(corpus.doc_ids) + 1)).tolist()
    safe = [UNSAFE.sub("_", corpus.entity_ids[e]) for e in range(len(corpus.entity_ids))]
    return list(chain.from_iterable(distinct(safe[a:b]) for a, b in pairwise(edges)))


def _quoted(match: re.Match[str]) -> str:
    return quote(match[0], safe="").replace("-", "%2D")
