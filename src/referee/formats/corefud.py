"""CorefUD: coreference in the last column of CoNLL-U, with heads, zeros (empty nodes) and discontinuous mentions.

::

    # newdoc id = d1
    # global.Entity = eid-etype-head-other
    # sent_id = d1-1
    1    Ann   _  PROPN  _  _  2  nsubj  _        Entity=(e1-person-1-)
    2    sold  _  VERB   _  _  0  root   _        _
    3    her   _  PRON   _  _  4  nmod   _        Entity=(e2-object-2-(e1-person-1-)
    4    car   _  NOUN   _  _  2  obj    _        Entity=e2)
    4.1  _     _  _      _  _  _  _      2:nsubj  Bridge=e2<e3:part|Entity=(e3-person-1-)|SplitAnte=e1<e3,e4<e3

Columns have tabs between them. In ``Entity``, ``(`` opens a mention, ``)`` closes one; a mention of one word has both. Nothing
stands between brackets. What the fields of an opening bracket mean is said by the line ``# global.Entity``:

``eid`` or ``GRP``
    the entity. Entities are of one document, whichever it is: the same id in another document is another entity.
    ``e1[2/3]`` is the second of three parts of a mention of ``e1``
``etype`` or ``entity``
    the type of the entity
``head``
    the head, as the number of a word of the mention (of all its parts, from 1, empty nodes included). If several parts have
    it, the last counts; in a mention of one word it says nothing
``minspan``
    the minimum span that a response may give, as numbers of words of the mention without empty nodes, such as ``2,3`` (GUM);
    read where these follow one another

All others are not read (``infstat``, ``link``, ``identity``, ...). The last fields may be left out: a head is then unknown.
Mentions of one entity may be nested, not cross, and the parts of one mention come before those of the next; mentions of
different entities may cross. Every mention is within one sentence.

``Bridge=e2<e3:part``
    the mention of e3 that began last is a bridging anaphor, by the relation ``part``, to the entity e2: to its mention before
    the anaphor, or else its first one. Which mention of e2 a corpus had as antecedent is thus not kept
``SplitAnte=e1<e3,e4<e3``
    e3 is e1 and e4. ``Split``, an older name, is understood

Rows ``5.1`` are empty nodes, which are tokens like others; of their columns, the form, UPOS, the dependencies and MISC are
read. Rows ``5-6`` are no words. Documents begin with ``# newdoc id = NAME``; one without a name, and words before the first,
make a document without a name.

The mention type follows from the UPOS of its head (or only word): PRON and DET is a pronoun, PROPN a name; NOUN, ADJ, NUM
and SYM is nominal, all else is other. It is unknown if there is no head or no UPOS, and for zeros, whose heads tell them.

References
----------
The CorefUD format (Nedoluzhko et al. 2022; udapi, which reads and writes it; the scorer of the CRAC shared tasks,
corefud-scorer 1.2) and the GUM corpus, whose own CoNLL-U files (``GRP-etype-infstat-...-minspan-link-identity``) are read,
too.

Notes
-----
Where these programs guess or crash:

* Two brackets that open and close an entity on one word: udapi makes it end with the sentence. An error, like all brackets
  that lack their other half, missing parts (``[1/2]`` alone), and heads that are no word of the mention.
* A head that is left out or 0 is taken for the first word by udapi, which crashes if it is left out of the last of several
  parts. Left out it is unknown here, and 0 is an error.
* Fewer or more than ten columns are read by udapi; an error here, as are words out of order and a second ``Entity`` in a row.
* ``Bridge`` and ``SplitAnte`` that name no entity of the document, or the same twice, stop corefud-scorer, though it has no use
  for them. A warning here, as are entities of several types (the first counts) and more fields than the header names.
* The last ``# global.Entity`` of a file counts for all of it in udapi; here each from where it stands, with a warning.
* Where two mentions of one entity are open, the one that was opened last is closed first. Nothing tells crossing ones.

Heads, entity types, minimum spans, mention types (as UPOS) and, as far as possible, the rest are written. Columns that are not
known are ``_``. But every word must have a parent in CoNLL-U: the first of the sentence, by the relation ``dep``. Ids are
``GRP`` where documents share some, and are made safe where they cannot stand in a bracket; in types ``%2D`` is a hyphen.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import TextIO
from urllib.parse import quote

import numpy as np

from referee.algorithms.arrays import Ints, order_by, starts_of_runs
from referee.corpus import MENTION_TYPES, Corpus, Spans, Words
from referee.corpus.editing import fragment_columns, listed_by
from referee.corpus.layers import BEFORE, Bridging, SplitAntecedents
from referee.exceptions import FormatError, counted, shortened, warn
from referee.formats.corefud_entity import Header, Links, Mentions, Troubles, mentions
from referee.formats.corefud_rows import NEWDOC, Attribute, Rows
from referee.formats.shared.brackets import crossing
from referee.formats.shared.documents import Nodes, distinct, nodes_of, words_of
from referee.formats.shared.source import Fault, Source

HOLDS = (
    "spans", "words", "entity types", "heads", "minimum spans", "mention types", "discontinuous mentions", "empty nodes",
    "bridging", "split antecedents",
)  # fmt: skip
DEFAULT = "eid-etype-head-other"
HEADER = re.compile(r"#\s*global\.Entity\s*=(.*)")
ROW = re.compile(r"[0-9]+(?:[-.][0-9]+)?(?:\t[^\t]*){5}\t(?:[0-9]+|_)\t[^\t]*\t[^\t]*\t(?:_|[^\t]*=[^\t]*)")
UNSAFE = re.compile(r"[\s\0-\x1f\-=|()\[\]<>,:%]")

NOUNS = dict.fromkeys((b"NOUN", b"ADJ", b"NUM", b"SYM"), MENTION_TYPES.index("nominal"))
PRONOUNS = dict.fromkeys((b"PRON", b"DET"), MENTION_TYPES.index("pronoun"))
BY_UPOS = {**NOUNS, **PRONOUNS, b"PROPN": MENTION_TYPES.index("name"), b"_": 0}
OTHER = MENTION_TYPES.index("other")
UPOS = {"pronoun": "PRON", "name": "PROPN", "nominal": "NOUN", "other": "X", "zero": "_", "": "_"}

LATER = "expected one for the whole file; each counts from where it stands"
LOWERCASE = "expected the attribute Entity, with a capital letter; not read"
BARE = "expected words in every document; there is nothing to score in it"


def sniff(head: str) -> bool:
    """A header of ours, or rows of CoNLL-U: but not Stanza's, with an attribute of its own, nor those of other columns."""
    if "coref_chains=" in head or re.search(r"^#\s*global\.columns\b.*\bIDENTITY\b", head, re.MULTILINE):
        return False
    whole, _, rest = head.rpartition("\n")  # the head may end amid a line
    lines = (whole or rest).split("\n")
    rows = [line.rstrip("\r") for line in lines if line.strip() and not line.startswith("#")]
    return any(HEADER.match(line) for line in lines) or (bool(rows) and all(map(ROW.fullmatch, rows)))


def read(source: Source, fault: Fault) -> Corpus:
    """Read a file as a whole, with a few NumPy calls."""
    return corpus_of_rows(rows_of(source, fault), source.name, fault)


def rows_of(source: Source, fault: Fault) -> Rows:
    """The rows of a file."""
    return Rows(_bytes(source, fault), fault)


def corpus_of_rows(rows: Rows, source: str, fault: Fault) -> Corpus:
    """The annotation in the rows of a file, which messages call `source`."""
    troubles = Troubles(source, fault)
    for n in np.flatnonzero(np.diff(rows.first) == 0).tolist():
        troubles.add(BARE, rows.begins[n], f"no words in the document {shortened(rows.names[n])!r}")
    entity, headers, header = _headers(rows, _once(rows, rows.attribute(b"Entity"), fault), troubles)
    if not len(header):
        for token in rows.attribute(b"entity").token.tolist():
            troubles.add(LOWERCASE, int(rows.tokens.line[token]), "entity=")
    found = mentions(entity, headers, header, rows.tokens, troubles)
    links = Links(found, rows.tokens, troubles)
    pairs = links.bridging(rows.attribute(b"Bridge"))
    wholes = list(dict.fromkeys(pair for name in (b"SplitAnte", b"Split") for pair in links.split(rows.attribute(name))))
    troubles.warn()
    document = rows.tokens.document[found.start]
    first = rows.first[document]
    base = first.tolist()
    anaphor, antecedent = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    spans = {m: tuple((a - base[m], b - base[m]) for a, b in parts) for m, parts in found.parts.items()}
    fragments, fragment_lists = fragment_columns(spans, len(base))
    corpus = Corpus(
        tuple(rows.names),
        document=document,
        start=found.start - first,
        end=found.end - first,
        entity=found.entity,
        entity_ids=b"\n".join(found.ids).decode(errors="replace").split("\n")[: len(found.ids)],
        entity_types=found.types if any(found.types) else None,
        text=rows.text() if rows.names else None,
        source=source,
        head=_in_document(found.head, first),
        minimum_span=_in_document(found.minimum, first[:, None]),
        mention_types=_classes(rows, found),
        fragments=fragments,
        fragment_lists=fragment_lists,
        bridging=Bridging(anaphor, antecedent, list(pairs.values())) if pairs else None,
        split_antecedents=SplitAntecedents(*np.array(wholes, dtype=np.int64).T) if wholes else None,
        empty_nodes=rows.empty(),
    ).in_reading_order()
    return _in_order_of_udapi(replace(corpus, bridging=corpus.bridging and _to_entities(corpus, corpus.bridging)))


def _in_order_of_udapi(corpus: Corpus) -> Corpus:
    """The corpus with its entities by their first mentions, longer ones first, then by their ids, if a mention is repeated.

    Of its entities, corefud-scorer finds the last in this order.
    """
    if starts_of_runs(corpus.document, corpus.start, corpus.end).all():
        return corpus
    ids = np.unique(corpus.entity_ids, return_inverse=True)[1]
    columns = ids[corpus.entity], corpus.end, corpus.start - corpus.end, corpus.start, corpus.document
    return listed_by(corpus, np.lexsort(columns))


def words_of_rows(rows: Rows, source: str) -> Corpus:
    """The words and empty nodes in the rows of a file, without mentions."""
    none = rows.tokens.line[:0]
    text = rows.text() if rows.names else None
    return Corpus(
        tuple(rows.names), document=none, start=none, end=none, entity=none, entity_ids=[], text=text, source=source,
        empty_nodes=rows.empty(),
    )  # fmt: skip


def _in_document(tokens: Ints | None, first: Ints) -> Ints | None:
    """Tokens counted from the first of the document; None if none is known."""
    return None if tokens is None or (tokens < 0).all() else np.where(tokens < 0, -1, tokens - first)


def _to_entities(corpus: Corpus, bridging: Bridging) -> Bridging:
    """With that mention of its entity for antecedent that comes before the anaphor, or else the first."""
    mentions = order_by(corpus.entity)
    first = np.searchsorted(corpus.entity[mentions], np.arange(len(corpus.entity_ids)))
    place = corpus.entity.astype(np.int64) * len(mentions)
    entity = corpus.entity[bridging.antecedent]
    before = np.searchsorted((place + np.arange(len(mentions)))[mentions], place[bridging.antecedent] + bridging.anaphor) - 1
    antecedent = mentions[np.maximum(before, first[entity])]
    order = order_by(bridging.anaphor, antecedent)
    return Bridging(bridging.anaphor[order], antecedent[order], [bridging.relation[n] for n in order.tolist()])


def _bytes(source: Source, fault: Fault) -> bytes:
    """The file, in UTF-8, the last line with an end."""
    raw = source.raw()
    try:
        raw.decode()
    except UnicodeDecodeError:
        return (source.text(fault) + "\n").encode(errors="replace")
    if b"\0" in raw:
        return (source.text(fault) + "\n").encode()
    return raw if raw.endswith(b"\n") or not raw else raw + b"\n"


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
    names, nodes = _ids(corpus), nodes_of(corpus)
    optional = [name for name, feature in (("minspan", "minimum spans"), ("head", "heads")) if feature in corpus.features]
    fields = ["eid" if len(set(names)) == len(names) else "GRP", "etype", *optional, "other"]
    for d, name in enumerate(corpus.doc_ids):
        heading = "# newdoc" if name == f"#{d + 1}" else f"# newdoc id = {name}"
        match = NEWDOC.fullmatch(heading)
        if not match or match[1] not in (None, name) or re.search(r"[\0-\x1f]", name):
            raise _unwritable(corpus, d, "its name has blanks around it or control characters: rename it")
        if not words[d].tokens:
            raise _unwritable(corpus, d, "it has no words: leave it out")
        out.write(f"{heading}\n# global.Entity = {'-'.join(fields)}\n")
        _Writer(corpus, d, words[d], names, nodes.get(d, {})).write(fields, out)
    if corpus.bridging is not None:
        read = set(_pairs(_to_entities(corpus, corpus.bridging)))
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


class _Writer:
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
        tokens, sentences = self.words
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


def _headers(rows: Rows, entity: Attribute, troubles: Troubles) -> tuple[Attribute, list[Header], Ints]:
    """The values of `Entity` with a header before them, the different headers of the file, and the number of that of each."""
    headers: dict[Header, int] = {}
    lines, numbers = [0], [-1]
    for n, text in rows.comments(b"global.Entity"):
        if not (match := HEADER.fullmatch(text)):
            continue
        header = Header.of(match[1])
        if header.id < 0:
            expected = f"a field eid or GRP, such as # global.Entity = {DEFAULT}"
            troubles.fault(n + 1, f"found {shortened(text)!r}; expected {expected}")
            continue
        lines.append(n + 1)
        numbers.append(headers.setdefault(header, len(headers)))
        if numbers[-1] != numbers[-2] >= 0:
            troubles.add(LATER, n + 1, shortened(text) + " after another")
    line = rows.tokens.line[entity.token]
    number = np.array(numbers)[np.searchsorted(lines, line) - 1]
    early = int(np.count_nonzero(number < 0))
    if early:
        expected = f"one, such as # global.Entity = {DEFAULT}"
        troubles.fault(int(line[0]), f"found Entity= before any line # global.Entity; expected {expected}")
    return Attribute(entity.token[early:], entity.values[early:]), list(headers), number[early:]


def _once(rows: Rows, entity: Attribute, fault: Fault) -> Attribute:
    """The attribute where no row has it twice."""
    again = ~starts_of_runs(entity.token)
    if not again.any():
        return entity
    for n in np.flatnonzero(again).tolist():
        fault(int(rows.tokens.line[entity.token[n]]), "found Entity= twice in one row; expected one with all brackets")
    return Attribute(entity.token[~again], [entity.values[n] for n in np.flatnonzero(~again).tolist()])


def _classes(rows: Rows, found: Mentions) -> Ints | None:
    """The mention types that follow from the heads."""
    head = np.where(found.end - found.start == 1, found.start, -1) if found.head is None else found.head
    known = np.flatnonzero((head >= 0) & ~rows.tokens.is_node[head])
    classes = np.zeros(len(head), dtype=np.int8)
    classes[known] = [BY_UPOS.get(upos, OTHER) for upos in rows.cells(3, head[known])]
    return classes if classes.any() else None
