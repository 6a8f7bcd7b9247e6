"""A corpus as CorefUD: heads and types in brackets, mention types as UPOS."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from typing import TextIO
from urllib.parse import quote

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import FormatError, counted, shortened, warn
from referee.corpus import MENTION_TYPES, Corpus, Spans, Words
from referee.corpus.layers import BEFORE, Bridging
from referee.formats.corefud.reading import to_entities
from referee.formats.shared.brackets import crossing, overlapping
from referee.formats.shared.documents import LOSSY, Nodes, check_names, distinct, nodes_of, words_of
from referee.formats.shared.losses import Losses

UNSAFE = re.compile(r"[\s\0-\x1f\-=|()\[\]<>,:%]")
NO_FORM = re.compile(r"[\t\n\r\0]")
NO_RELATION = re.compile(r"[|,<\s\0]")
ZERO = MENTION_TYPES.index("zero")
UPOS = {"pronoun": "PRON", "name": "PROPN", "nominal": "NOUN", "other": "X", "zero": "_", "": "_"}


def write(corpus: Corpus, out: TextIO) -> None:
    """Write a header for each document, a row for each token.

    Raises
    ------
    FormatError
        If the corpus has no words, or a document none; if a row cannot hold a name, a word or an id; if mentions cross the end
        of a sentence, or mentions of one entity cross; if a head, a minimum span or a mention type cannot be written.

    Warns
    -----
    RefereeWarning
        If the antecedent of a bridge is another mention of its entity than the one that `read` takes.
    """
    words = words_of(corpus, format="corefud")
    check_names(corpus, format="corefud")
    names, nodes, alike = _ids(corpus), nodes_of(corpus), overlapping(corpus)
    begun = _last_to_begin(corpus) if corpus.bridging is not None else {}
    optional = [name for name, feature in (("minspan", "minimum spans"), ("head", "heads")) if feature in corpus.features]
    fields = ["eid" if len(set(names)) == len(names) else "GRP", "etype", *optional, "other"]
    for d, name in enumerate(corpus.doc_ids):
        heading = "# newdoc" if name == f"#{d + 1}" else f"# newdoc id = {name}"
        if not words[d].tokens:
            raise _unwritable(corpus, d, "it has no words")
        out.write(f"{heading}\n# global.Entity = {'-'.join(fields)}\n")
        _DocumentWriter(corpus, d, words[d], names, nodes.get(d, {}), begun, alike).write(fields, out)
    if corpus.bridging is not None:
        read = set(_pairs(to_entities(corpus, corpus.bridging)))
        elsewhere = sum(pair not in read for pair in _pairs(corpus.bridging))
        if elsewhere:
            bridges = counted(elsewhere, "bridge")
            warn(f"{corpus.source}: {bridges} to one mention of an entity, of which corefud names but the entity")


def _pairs(bridging: Bridging) -> Iterable[tuple[int, int]]:
    return zip(bridging.anaphor.tolist(), bridging.antecedent.tolist(), strict=True)


def _unwritable(corpus: Corpus, document: int, problem: str) -> FormatError:
    unwritable = f"document {shortened(corpus.doc_ids[document])!r} cannot be written: {problem}"
    return FormatError(corpus.source, None, f"{unwritable}; expected another format, or {LOSSY}")


def _ids(corpus: Corpus) -> list[str]:
    """The ids of the entities: their labels, changed where one could not stand in a bracket, or the document has it twice."""
    edges = np.searchsorted(corpus.entity_document, np.arange(len(corpus.doc_ids) + 1)).tolist()
    safe = [UNSAFE.sub("_", corpus.entity_ids[e]) for e in range(len(corpus.entity_ids))]
    return list(chain.from_iterable(distinct(safe[a:b]) for a, b in pairwise(edges)))


def drop_unsupported(losses: Losses) -> None:
    """Leave out what rows and brackets cannot say, and change words, names of documents and relations."""
    nothing = [not words.tokens for words in words_of(losses.corpus, format="corefud")]
    losses.leave_out_documents(np.array(nothing, dtype=bool), " without words")
    losses.leave_out_over_sentences()
    losses.leave_out(_clashing_mentions(losses.corpus), "crossing mention", " of one entity")
    losses.change_words(NO_FORM)
    losses.rename()
    _leave_out_heads(losses)
    _leave_out_minima(losses)
    _change_mention_types(losses)
    _leave_out_bridges(losses)
    if (split := losses.corpus.split_antecedents) is not None:
        losses.leave_out_rows("split_antecedents", split.entity == split.element, " of itself")


def _clashing_mentions(corpus: Corpus) -> Bools:
    """The mentions that brackets cannot tell from others of their entities."""
    lost = np.zeros(len(corpus.document), dtype=bool)
    alike = overlapping(corpus)
    for parts in _by_entity(corpus, {m: corpus.spans(m) for m in np.flatnonzero(alike[corpus.entity]).tolist()}):
        while pair := clashing(parts):
            lost[max(pair)] = True
            del parts[max(pair)]
    return lost


def _leave_out_heads(losses: Losses) -> None:
    """Leave out the heads that are not in their mentions."""
    corpus = losses.corpus
    if corpus.head is None:
        return
    head = corpus.head.copy()
    for m, token in enumerate(head.tolist()):
        if token >= 0 and not any(start <= token < end for start, end in corpus.spans(m)):
            head[m] = -1
            losses.left_out["head", " outside of a mention"] += 1
    losses.corpus = replace(corpus, head=head)


def _leave_out_minima(losses: Losses) -> None:
    """Leave out the minimum spans that are not words of one part of their mentions."""
    corpus, nodes = losses.corpus, nodes_of(losses.corpus)

    def fits(mention: int, first: int, after: int) -> bool:
        return _part_of(corpus.spans(mention), first, after, nodes.get(int(corpus.document[mention]), {})) is not None

    losses.leave_out_minima(fits, "")


def _part_of(parts: Spans, first: int, after: int, nodes: Nodes) -> int | None:
    """Which part of a mention has a minimum span of words; None if none has, or if it begins or ends with an empty node."""
    if first in nodes or after - 1 in nodes:
        return None
    return next((n for n, (start, end) in enumerate(parts) if start <= first < after <= end), None)


def _change_mention_types(losses: Losses) -> None:
    """Give mentions the type that their heads say, where these are the heads of mentions of another type."""
    corpus = losses.corpus
    if corpus.mention_types is None:
        return
    types, nodes = corpus.mention_types.copy(), nodes_of(corpus)
    upos: dict[tuple[int, int], int] = {}
    for m, kind in enumerate(types.tolist()):
        document, head = int(corpus.document[m]), int(corpus.heads[m])
        if head in nodes.get(document, {}):
            types[m] = kind if kind == ZERO else 0
        elif head < 0:
            types[m] = 0
        else:
            types[m] = upos.setdefault((document, head), 0 if kind == ZERO else kind)
    losses.changed["mention type", ""] += int(np.count_nonzero(types != corpus.mention_types))
    losses.corpus = replace(corpus, mention_types=types)


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
        unclear = [last[_beginning(corpus, m)] != m for m in corpus.bridging.anaphor.tolist()]
        losses.leave_out_rows(
            "bridging", np.array(unclear, dtype=bool), " of an anaphor that begins with another of its entity"
        )
    losses.change_relations(NO_RELATION)


def _beginning(corpus: Corpus, mention: int) -> tuple[int, int, int]:
    return int(corpus.document[mention]), int(corpus.start[mention]), int(corpus.entity[mention])


def _last_to_begin(corpus: Corpus) -> dict[tuple[int, int, int], int]:
    """By document, token and entity, the mention whose bracket is the last to open there."""
    keys = {}
    for m in range(len(corpus.document)):
        start, end = corpus.spans(m)[0]
        keys[m] = (end == start + 1, -end, m)
    return {_beginning(corpus, m): m for m in sorted(keys, key=keys.__getitem__)}


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


def _by_entity(corpus: Corpus, parts: Mapping[int, Spans]) -> Iterable[dict[int, Spans]]:
    """The mentions of each entity, with their spans."""
    by_entity: dict[int, dict[int, Spans]] = {}
    for m, spans in parts.items():
        by_entity.setdefault(int(corpus.entity[m]), {})[m] = spans
    return by_entity.values()


class _DocumentWriter:
    """One document: what stands in MISC and UPOS of its tokens."""

    def __init__(
        self,
        corpus: Corpus,
        document: int,
        words: Words,
        names: Sequence[str],
        nodes: Nodes,
        begun: Mapping[tuple[int, int, int], int],
        alike: Bools,
    ) -> None:
        self.corpus, self.document, self.words, self.names, self.nodes = corpus, document, words, names, nodes
        self.begun = begun
        is_word = (token not in nodes for token in range(len(words.tokens)))
        self.rank = list(accumulate(is_word, initial=0))  # how many words come before each token
        self.upos: dict[int, str] = {}
        self.misc: dict[str, dict[int, list[str]]] = {"Bridge": {}, "Entity": {}, "SplitAnte": {}}
        first, after = np.searchsorted(corpus.document, [document, document + 1]).tolist()
        self.mentions = range(first, after)
        self.parts = {m: corpus.spans(m) for m in self.mentions}
        for m in self.mentions:
            self._check(m)
        self._check_entities(alike)
        if corpus.mention_types is not None:
            for m in self.mentions:
                self._classify(m, corpus.mention_types)

    def write(self, fields: Sequence[str], out: TextIO) -> None:
        self._brackets(fields)
        self._links()
        tokens, sentences = self.words.tokens, self.words.sentences
        name = re.sub(r"[\s/]", "_", self.corpus.doc_ids[self.document])  # CoNLL-U allows neither in a sent_id
        misc = self._misc()
        lines: list[str] = []
        for n, (first, after) in enumerate(pairwise([*sentences, len(tokens)]), start=1):
            lines.append(f"# sent_id = {name}-{n}")
            word = minor = 0
            for token in range(first, after):
                form = tokens[token]
                if not form or NO_FORM.search(form):
                    raise self.error(f"the token {form!r} is empty or has tabs or ends of lines in it")
                if token in self.nodes:
                    number, deps = self.nodes[token]
                    minor = max(minor + 1, number % BEFORE)
                    start, parent = f"{word}.{minor}", f"_\t_\t{deps or '_'}"
                else:
                    word, minor = word + 1, 0
                    start, parent = str(word), "0\troot\t_" if word == 1 else "1\tdep\t_"
                upos = self.upos.get(token, "_")
                lines.append(f"{start}\t{form}\t_\t{upos}\t_\t_\t{parent}\t{misc.get(token, '_')}")
            lines.append("")
        out.write("\n".join([*lines, ""]) if lines else "")

    def error(self, problem: str) -> FormatError:
        return _unwritable(self.corpus, self.document, problem)

    def shown(self, mention: int) -> str:
        spans = ", ".join(f"{start}-{end}" for start, end in self.parts[mention])
        return f"the mention {spans} of entity {shortened(self.names[self.corpus.entity[mention]])}"

    def _misc(self) -> dict[int, str]:
        """What stands in MISC, by tokens."""
        misc: dict[int, str] = {}
        for name, texts in self.misc.items():
            joint = "" if name == "Entity" else ","
            for token, parts in texts.items():
                before = f"{misc[token]}|" if token in misc else ""
                misc[token] = f"{before}{name}={joint.join(parts)}"
        return misc

    def _check(self, mention: int) -> None:
        """That a mention is some tokens of one sentence, its head and its minimum among them."""
        parts = self.parts[mention]
        start, end = parts[0][0], parts[-1][1]
        sentence = bisect_right(self.words.sentences, start)
        if not (start < end <= len(self.words.tokens) and bisect_left(self.words.sentences, end) <= sentence):
            raise self.error(f"{self.shown(mention)} is not within one sentence, as CorefUD has it")
        head = int(self.corpus.heads[mention])
        if head >= 0 and not any(a <= head < b for a, b in parts):
            raise self.error(f"the head {head} is not in {self.shown(mention)}")

    def _check_entities(self, alike: Bools) -> None:
        """That brackets can tell the mentions of each entity apart."""
        entity = self.corpus.entity
        for parts in _by_entity(self.corpus, {m: spans for m, spans in self.parts.items() if alike[entity[m]]}):
            if pair := clashing(parts):
                one, another = map(self.shown, pair)
                if crossing((start, end, m) for m in pair for start, end in parts[m]):
                    raise self.error(f"{another} crosses {one}, which brackets cannot say")
                raise self.error(f"{another} begins before {one} is complete, which brackets cannot say")

    def _classify(self, mention: int, types: Ints) -> None:
        kind, head = MENTION_TYPES[types[mention]], int(self.corpus.heads[mention])
        at_node = head in self.nodes
        if (at_node and kind in ("", "zero")) or (head < 0 and not kind):
            return
        if head < 0 or at_node or kind == "zero" or self.upos.setdefault(head, UPOS[kind]) != UPOS[kind]:
            is_what = f"is a {kind}" if kind else "has no type"
            raise self.error(f"{self.shown(mention)} {is_what}, which only its head could say")

    def _brackets(self, fields: Sequence[str]) -> None:
        closing: dict[int, list[tuple[int, int, str]]] = {}
        opening: dict[int, list[tuple[bool, int, int, str]]] = {}
        first = self.mentions.start
        entity = self.corpus.entity[first : self.mentions.stop].tolist()
        types = {e: self._type(e) for e in dict.fromkeys(entity)}
        for m, parts in self.parts.items():
            name, entity_type = self.names[entity[m - first]], types[entity[m - first]]
            other_fields = "-".join([entity_type, *(self._field(field, m) for field in fields[2:])])
            for n, (start, end) in enumerate(parts, start=1):
                part = f"{name}[{n}/{len(parts)}]" if len(parts) > 1 else name
                bracket = f"({part}-{other_fields}".rstrip("-")
                alone = end == start + 1
                opening.setdefault(start, []).append((alone, -end, m, bracket + ")" * alone))
                if not alone:
                    closing.setdefault(end - 1, []).append((-start, -m, part + ")"))
        for brackets in opening.values():
            if len(brackets) > 1:
                brackets.sort(key=itemgetter(0, 1, 2))
        for token in {*opening, *closing}:
            ends = [bracket for *_, bracket in sorted(closing.get(token, []))]
            begins = opening.get(token, [])
            texts = [bracket for *_, bracket in begins]
            # As udapi has it: brackets of one word come last, but before those that close if none opens.
            self.misc["Entity"][token] = texts + ends if all(alone for alone, *_ in begins) else ends + texts

    def _type(self, entity: int) -> str:
        if self.corpus.entity_types is None:
            return ""
        return UNSAFE.sub(lambda match: quote(match[0], safe="").replace("-", "%2D"), self.corpus.entity_types[entity])

    def _field(self, field: str, mention: int) -> str:
        corpus = self.corpus
        if field == "head" and corpus.heads[mention] >= 0:
            head, parts = int(corpus.heads[mention]), self.parts[mention]
            return str(sum(min(end, head + 1) - start for start, end in parts if start <= head))
        if field == "minspan" and corpus.minimum_span is not None and corpus.minimum_span[mention, 0] >= 0:
            return self._minspan(mention, *corpus.minimum_span[mention].tolist())
        return ""

    def _minspan(self, mention: int, first: int, after: int) -> str:
        parts, rank = self.parts[mention], self.rank
        part = _part_of(parts, first, after, self.nodes)
        if part is None:
            raise self.error(f"the minimum {first}-{after} of {self.shown(mention)} is not words of it")
        before = sum(rank[end] - rank[start] for start, end in parts[:part]) - rank[parts[part][0]]
        return ",".join(str(before + word + 1) for word in range(rank[first], rank[after]))

    def _links(self) -> None:
        corpus, names = self.corpus, self.names
        if corpus.bridging is not None:
            for n in range(*np.searchsorted(corpus.bridging.anaphor, [self.mentions.start, self.mentions.stop]).tolist()):
                anaphor, antecedent, relation = (column[n] for column in corpus.bridging)
                self._bridge(int(anaphor), int(antecedent), relation)
        if corpus.split_antecedents is not None:
            begins: dict[int, int] = {}
            for m in self.mentions:
                begins.setdefault(int(corpus.entity[m]), int(corpus.start[m]))
            entities = np.searchsorted(corpus.entity_document, [self.document, self.document + 1])
            for n in range(*np.searchsorted(corpus.split_antecedents.entity, entities).tolist()):
                entity, element = (int(column[n]) for column in corpus.split_antecedents)
                if entity == element:
                    raise self.error(f"entity {shortened(names[entity])} is an element of itself")
                self.misc["SplitAnte"].setdefault(begins[entity], []).append(f"{names[element]}<{names[entity]}")

    def _bridge(self, anaphor: int, antecedent: int, relation: str) -> None:
        entity, other, token = (int(e) for e in (*self.corpus.entity[[anaphor, antecedent]], self.corpus.start[anaphor]))
        if self.begun[self.document, token, entity] != anaphor:
            problem = "is an anaphor, but not the last of its entity to begin there"
            raise self.error(f"{self.shown(anaphor)} {problem}")
        if entity == other or NO_RELATION.search(relation):
            raise self.error(f"{self.shown(anaphor)} has itself as antecedent, or the relation {relation!r}")
        link = f"{self.names[other]}<{self.names[entity]}" + (f":{relation}" if relation else "")
        links = self.misc["Bridge"].setdefault(token, [])
        links += [link] if link not in links else []
