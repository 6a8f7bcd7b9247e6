"""A corpus as CorefUD: heads and types in brackets, mention types as UPOS."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import TextIO
from urllib.parse import quote

import numpy as np

from referee.basics.exceptions import FormatError, counted, shortened, warn
from referee.corpus import MENTION_TYPES, Corpus, Spans, Words
from referee.corpus.layers import BEFORE, Bridging
from referee.formats.corefud.reading import to_entities
from referee.formats.shared.brackets import crossing
from referee.formats.shared.documents import Nodes, check_names, distinct, nodes_of, words_of

UNSAFE = re.compile(r"[\s\0-\x1f\-=|()\[\]<>,:%]")
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
    names, nodes = _ids(corpus), nodes_of(corpus)
    optional = [name for name, feature in (("minspan", "minimum spans"), ("head", "heads")) if feature in corpus.features]
    fields = ["eid" if len(set(names)) == len(names) else "GRP", "etype", *optional, "other"]
    for d, name in enumerate(corpus.doc_ids):
        heading = "# newdoc" if name == f"#{d + 1}" else f"# newdoc id = {name}"
        if not words[d].tokens:
            raise _unwritable(corpus, d, "it has no words: leave it out")
        out.write(f"{heading}\n# global.Entity = {'-'.join(fields)}\n")
        _DocumentWriter(corpus, d, words[d], names, nodes.get(d, {})).write(fields, out)
    if corpus.bridging is not None:
        read = set(_pairs(to_entities(corpus, corpus.bridging)))
        elsewhere = sum(pair not in read for pair in _pairs(corpus.bridging))
        if elsewhere:
            bridges = counted(elsewhere, "bridge")
            warn(f"{corpus.source}: {bridges} to one mention of an entity, of which corefud names but the entity")


def _pairs(bridging: Bridging) -> Iterable[tuple[int, int]]:
    return zip(bridging.anaphor.tolist(), bridging.antecedent.tolist(), strict=True)


def _unwritable(corpus: Corpus, document: int, problem: str) -> FormatError:
    return FormatError(corpus.source, None, f"document {shortened(corpus.doc_ids[document])!r} cannot be written: {problem}")


def _ids(corpus: Corpus) -> list[str]:
    """The ids of the entities: their labels, changed where one could not stand in a bracket, or the document has it twice."""
    edges = np.searchsorted(corpus.entity_document, np.arange(len(corpus.doc_ids) + 1)).tolist()
    safe = [UNSAFE.sub("_", corpus.entity_ids[e]) for e in range(len(corpus.entity_ids))]
    return list(chain.from_iterable(distinct(safe[a:b]) for a, b in pairwise(edges)))


def held(corpus: Corpus) -> tuple[Corpus, list[str]]:
    """The corpus without the mentions that brackets cannot tell from others of their entities, and how many these were."""
    kept = np.ones(len(corpus.document), dtype=bool)
    for parts in _by_entity(corpus, {m: corpus.spans(m) for m in range(len(kept))}):
        while found := clashing(parts):
            kept[max(found)] = False
            del parts[max(found)]
    left_out = counted(int(np.count_nonzero(~kept)), "crossing mention") + " of one entity"
    return (corpus, []) if kept.all() else (corpus.select(kept), [left_out])


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
    of: dict[int, dict[int, Spans]] = {}
    for m, spans in parts.items():
        of.setdefault(int(corpus.entity[m]), {})[m] = spans
    return of.values()


class _DocumentWriter:
    """One document: what stands in MISC and UPOS of its tokens."""

    def __init__(self, corpus: Corpus, document: int, words: Words, names: Sequence[str], nodes: Nodes) -> None:
        self.corpus, self.document, self.words, self.names, self.nodes = corpus, document, words, names, nodes
        self.rank = [0]  # how many words come before each token
        for token in range(len(words.tokens)):
            self.rank.append(self.rank[-1] + (token not in self.nodes))
        self.upos: dict[int, str] = {}
        self.misc: dict[str, dict[int, list[str]]] = {"Bridge": {}, "Entity": {}, "SplitAnte": {}}
        first, after = np.searchsorted(corpus.document, [document, document + 1]).tolist()
        self.mentions = range(first, after)
        self.parts = {m: corpus.spans(m) for m in self.mentions}
        for m in self.mentions:
            self._check(m)
        self._check_entities()
        for m in self.mentions:
            self._classify(m)

    def write(self, fields: Sequence[str], out: TextIO) -> None:
        self._brackets(fields)
        self._links()
        tokens, sentences = self.words.tokens, self.words.sentences
        name = re.sub(r"[\s/]", "_", self.corpus.doc_ids[self.document])  # CoNLL-U allows neither in a sent_id
        for n, (first, after) in enumerate(pairwise([*sentences, len(tokens)]), start=1):
            out.write(f"# sent_id = {name}-{n}\n")
            word = minor = 0
            for token in range(first, after):
                form = tokens[token]
                if not form or re.search(r"[\t\n\r\0]", form):
                    raise self.error(f"the token {form!r} is empty or has tabs or ends of lines in it: change it")
                if token in self.nodes:
                    number, deps = self.nodes[token]
                    minor = max(minor + 1, number % BEFORE)
                    start, parent = f"{word}.{minor}", ("_", "_", deps or "_")
                else:
                    word, minor = word + 1, 0
                    start, parent = str(word), ("0", "root", "_") if word == 1 else ("1", "dep", "_")
                row = (start, form, "_", self.upos.get(token, "_"), "_", "_", *parent, self._misc(token))
                out.write("\t".join(row) + "\n")
            out.write("\n")

    def error(self, problem: str) -> FormatError:
        return _unwritable(self.corpus, self.document, problem)

    def shown(self, mention: int) -> str:
        spans = ", ".join(f"{start}-{end}" for start, end in self.parts[mention])
        return f"the mention {spans} of entity {shortened(self.names[self.corpus.entity[mention]])}"

    def _misc(self, token: int) -> str:
        joint = {"Entity": ""}
        found = (f"{name}={joint.get(name, ',').join(at[token])}" for name, at in self.misc.items() if token in at)
        return "|".join(found) or "_"

    def _check(self, mention: int) -> None:
        """That a mention is some tokens of one sentence, its head and its minimum among them."""
        parts = self.parts[mention]
        start, end = parts[0][0], parts[-1][1]
        sentence = bisect_right(self.words.sentences, start)
        if not (start < end <= len(self.words.tokens) and bisect_left(self.words.sentences, end) <= sentence):
            raise self.error(f"{self.shown(mention)} is not within one sentence, as CorefUD has it: shorten it")
        head = int(self.corpus.heads[mention])
        if head >= 0 and not any(a <= head < b for a, b in parts):
            raise self.error(f"the head {head} is not in {self.shown(mention)}: correct it")

    def _check_entities(self) -> None:
        """That brackets can tell the mentions of each entity apart."""
        for parts in _by_entity(self.corpus, self.parts):
            if found := clashing(parts):
                one, another = map(self.shown, found)
                if crossing((start, end, m) for m in found for start, end in parts[m]):
                    raise self.error(f"{another} crosses {one}, which brackets cannot say: write jsonlines, or use --lossy")
                raise self.error(f"{another} begins before {one} is complete: leave one out, or use --lossy")

    def _classify(self, mention: int) -> None:
        if self.corpus.mention_types is None:
            return
        kind, head = MENTION_TYPES[self.corpus.mention_types[mention]], int(self.corpus.heads[mention])
        at_node = head in self.nodes
        if (at_node and kind in ("", "zero")) or (head < 0 and not kind):
            return
        if head < 0 or at_node or kind == "zero" or self.upos.setdefault(head, UPOS[kind]) != UPOS[kind]:
            is_what = f"is a {kind}" if kind else "has no type"
            raise self.error(f"{self.shown(mention)} {is_what}, which only its head could say: leave out the mention types")

    def _brackets(self, fields: Sequence[str]) -> None:
        closing: dict[int, list[tuple[int, int, str]]] = {}
        opening: dict[int, list[tuple[bool, int, int, str]]] = {}
        for m, parts in self.parts.items():
            name = self.names[self.corpus.entity[m]]
            for n, (start, end) in enumerate(parts, start=1):
                part = f"{name}[{n}/{len(parts)}]" if len(parts) > 1 else name
                bracket = "(" + "-".join([part, *(self._field(field, m) for field in fields[1:])]).rstrip("-")
                alone = end == start + 1
                opening.setdefault(start, []).append((alone, -end, m, bracket + ")" * alone))
                if not alone:
                    closing.setdefault(end - 1, []).append((-start, -m, part + ")"))
        self.begun: dict[tuple[int, int], int] = {}  # the mention of an entity whose bracket is the last to open on a token
        for token, brackets in opening.items():
            brackets.sort(key=lambda bracket: bracket[:3])
            for _, _, m, _ in brackets:
                if self.parts[m][0][0] == token:
                    self.begun[token, int(self.corpus.entity[m])] = m
        for token in {*opening, *closing}:
            ends = [bracket for *_, bracket in sorted(closing.get(token, []))]
            begins = opening.get(token, [])
            texts = [bracket for *_, bracket in begins]
            # As udapi has it: brackets of one word come last, but before those that close if none opens.
            self.misc["Entity"][token] = texts + ends if all(alone for alone, *_ in begins) else ends + texts

    def _field(self, field: str, mention: int) -> str:
        corpus = self.corpus
        if field == "etype" and corpus.entity_types is not None:
            entity_type = corpus.entity_types[corpus.entity[mention]]
            return UNSAFE.sub(lambda match: quote(match[0], safe="").replace("-", "%2D"), entity_type)
        if field == "head" and corpus.heads[mention] >= 0:
            head, parts = int(corpus.heads[mention]), self.parts[mention]
            return str(sum(min(end, head + 1) - start for start, end in parts if start <= head))
        if field == "minspan" and corpus.minimum_span is not None and corpus.minimum_span[mention, 0] >= 0:
            return self._minspan(mention, *corpus.minimum_span[mention].tolist())
        return ""

    def _minspan(self, mention: int, first: int, after: int) -> str:
        parts, rank = self.parts[mention], self.rank
        part = next((n for n, (start, end) in enumerate(parts) if start <= first < after <= end), None)
        if part is None or first in self.nodes or after - 1 in self.nodes:
            raise self.error(f"the minimum {first}-{after} of {self.shown(mention)} is not words of it: leave out the minima")
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
                    raise self.error(f"entity {shortened(names[entity])} is an element of itself: leave that out")
                self.misc["SplitAnte"].setdefault(begins[entity], []).append(f"{names[element]}<{names[entity]}")

    def _bridge(self, anaphor: int, antecedent: int, relation: str) -> None:
        entity, other, token = (int(e) for e in (*self.corpus.entity[[anaphor, antecedent]], self.corpus.start[anaphor]))
        if self.begun[token, entity] != anaphor:
            problem = "is an anaphor, but not the last of its entity to begin there: leave that out"
            raise self.error(f"{self.shown(anaphor)} {problem}")
        if entity == other or re.search(r"[|,<\s\0]", relation):
            raise self.error(f"{self.shown(anaphor)} has itself as antecedent, or the relation {relation!r}: leave that out")
        link = f"{self.names[other]}<{self.names[entity]}" + (f":{relation}" if relation else "")
        links = self.misc["Bridge"].setdefault(token, [])
        links += [link] if link not in links else []
