"""CorefUD files read, as a whole, with a few NumPy calls."""

from __future__ import annotations

import re
from codecs import utf_8_decode
from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Ints, argsort, starts_of_runs
from referee.basics.exceptions import shortened
from referee.corpus import MENTION_TYPES, Corpus
from referee.corpus.editing import fragment_columns, listed_by
from referee.corpus.layers import Bridging, SplitAntecedents
from referee.formats.corefud.entity import EntityLinks, EntityMentions, Header, Troubles, mentions
from referee.formats.corefud.rows import Attribute, ConlluRows
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError, Source

DEFAULT = "eid-etype-head-other"
HEADER = re.compile(r"#\s*global\.Entity\s*=(.*)")
ROW = re.compile(r"[0-9]+(?:[-.][0-9]+)?(?:\t[^\t]*){5}\t(?:[0-9]+|_)\t[^\t]*\t[^\t]*\t(?:_|[^\t]*=[^\t]*)")

STANZA = re.compile(r"[\t|]ner=(?:unit|start)-(?:repr-)?id\d")

NOUNS = dict.fromkeys((b"NOUN", b"ADJ", b"NUM", b"SYM"), MENTION_TYPES.index("nominal"))
PRONOUNS = dict.fromkeys((b"PRON", b"DET"), MENTION_TYPES.index("pronoun"))
BY_UPOS = {**NOUNS, **PRONOUNS, b"PROPN": MENTION_TYPES.index("name"), b"_": 0}
OTHER = MENTION_TYPES.index("other")

BLOCK = 1 << 16
"""Bytes that are checked at a time to be UTF-8."""

LATER = "expected one for the whole file; each counts from where it stands"
BARE = "expected words in every document; there is nothing to score in it"


def sniff(head: str) -> bool:
    """A header of ours, or rows of CoNLL-U: but not Stanza's, with an attribute of its own, nor those of other columns."""
    if "coref_chains=" in head or STANZA.search(head) or re.search(r"^#\s*global\.columns\b.*\bIDENTITY\b", head, re.MULTILINE):
        return False
    whole, _, rest = head.rpartition("\n")  # the head may end amid a line
    lines = (whole or rest).split("\n")
    rows = [line.rstrip("\r") for line in lines if line.strip() and not line.startswith("#")]
    return any(HEADER.match(line) for line in lines) or (bool(rows) and all(map(ROW.fullmatch, rows)))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a file as a whole, with a few NumPy calls."""
    return corpus_of_rows(rows_of(source, on_error), source.name, on_error)


def rows_of(source: Source, on_error: OnError) -> ConlluRows:
    """The rows of a file."""
    return ConlluRows(_bytes(source, on_error), on_error)


def corpus_of_rows(rows: ConlluRows, source: str, on_error: OnError) -> Corpus:
    """The annotation in the rows of a file, which messages call `source`."""
    troubles = Troubles(source, on_error)
    for n in np.flatnonzero(np.diff(rows.first) == 0).tolist():
        troubles.add(BARE, rows.begins[n], f"no words in the document {shortened(rows.names[n])!r}")
    given = rows.attribute(b"Entity")
    entity, headers, header = _headers(rows, _once(rows, given, on_error), troubles)
    old = None
    if not given.values:
        from referee.formats.corefud.older import OldMentions, check_others  # few files have none

        old = OldMentions(rows, troubles) if b"ClusterId" in rows.raw else None
        if not old or not old.found:
            check_others(rows, on_error)
    elif b"|ClusterId=" in rows.raw or b"\tClusterId=" in rows.raw:
        text = "left out {} of CorefUD 0.x, as there is Entity"
        warn_file(source, text, "ClusterId", len(rows.attribute(b"ClusterId").values))
    found = old.mentions() if old and old.found else mentions(entity, headers, header, rows.tokens, troubles)
    links = EntityLinks(found, rows.tokens, troubles)
    bridges, splits = (old.bridge, [old.split]) if old and old.found else (rows.attribute(b"Bridge"), _splits(rows))
    pairs = links.bridging(bridges)
    wholes = list(dict.fromkeys(pair for attribute in splits for pair in links.split(attribute)))
    troubles.finish()
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
    return _in_order_of_udapi(replace(corpus, bridging=corpus.bridging and to_entities(corpus, corpus.bridging)))


def _splits(rows: ConlluRows) -> list[Attribute]:
    return [rows.attribute(name) for name in (b"SplitAnte", b"Split")]


def _in_order_of_udapi(corpus: Corpus) -> Corpus:
    """The corpus with its entities by their first mentions, longer ones first, then by their ids, if a mention is repeated.

    Of its entities, corefud-scorer finds the last in this order.
    """
    if starts_of_runs(corpus.document, corpus.start, corpus.end).all():
        return corpus
    ids = np.unique(corpus.entity_ids, return_inverse=True)[1]
    columns = ids[corpus.entity], corpus.end, corpus.start - corpus.end, corpus.start, corpus.document
    return listed_by(corpus, np.lexsort(columns))


def words_of_rows(rows: ConlluRows, source: str) -> Corpus:
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


def to_entities(corpus: Corpus, bridging: Bridging) -> Bridging:
    """With that mention of its entity for antecedent that comes before the anaphor, or else the first."""
    mentions = argsort(corpus.entity)
    first = np.searchsorted(corpus.entity[mentions], np.arange(len(corpus.entity_ids)))
    place = corpus.entity.astype(np.int64) * len(mentions)
    entity = corpus.entity[bridging.antecedent]
    before = np.searchsorted((place + np.arange(len(mentions)))[mentions], place[bridging.antecedent] + bridging.anaphor) - 1
    antecedent = mentions[np.maximum(before, first[entity])]
    order = argsort(bridging.anaphor, antecedent)
    return Bridging(bridging.anaphor[order], antecedent[order], [bridging.relation[n] for n in order.tolist()])


def _bytes(source: Source, on_error: OnError) -> bytes:
    """The file, in UTF-8, the last line with an end."""
    raw = source.raw()
    try:
        with memoryview(raw) as view:
            place = 0
            while place < len(raw):  # in blocks, as the text of a whole file would take much memory
                part = view[place : place + BLOCK]
                place += utf_8_decode(part, "strict", place + len(part) == len(raw))[1]
    except UnicodeDecodeError:
        return (source.text(on_error) + "\n").encode(errors="replace")
    if b"\0" in raw:
        return (source.text(on_error) + "\n").encode()
    return raw if raw.endswith(b"\n") or not raw else raw + b"\n"


def _headers(rows: ConlluRows, entity: Attribute, troubles: Troubles) -> tuple[Attribute, list[Header], Ints]:
    """The values of `Entity` with a header before them, the different headers of the file, and the number of that of each."""
    headers: dict[Header, int] = {}
    lines, numbers = [0], [-1]
    for n, text in rows.comments(b"global.Entity"):
        if not (match := HEADER.fullmatch(text)):
            continue
        header = Header.of(match[1])
        if header.id < 0:
            expected = f"a field eid or GRP, such as # global.Entity = {DEFAULT}"
            troubles.on_error(n + 1, f"found {shortened(text)!r}; expected {expected}")
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
        troubles.on_error(int(line[0]), f"found Entity= before any line # global.Entity; expected {expected}")
    return Attribute(entity.token[early:], entity.values[early:]), list(headers), number[early:]


def _once(rows: ConlluRows, entity: Attribute, on_error: OnError) -> Attribute:
    """The attribute where no row has it twice."""
    again = ~starts_of_runs(entity.token)
    if not again.any():
        return entity
    for n in np.flatnonzero(again).tolist():
        on_error(int(rows.tokens.line[entity.token[n]]), "found Entity= twice in one row; expected one with all brackets")
    return Attribute(entity.token[~again], [entity.values[n] for n in np.flatnonzero(~again).tolist()])


def _classes(rows: ConlluRows, found: EntityMentions) -> Ints | None:
    """The mention types that follow from the heads."""
    head = np.where(found.end - found.start == 1, found.start, -1) if found.head is None else found.head
    known = np.flatnonzero((head >= 0) & ~rows.tokens.is_node[head])
    if not len(known):
        return None
    classes = np.zeros(len(head), dtype=np.int8)
    upos = rows.short_cells(3, head[known])
    of_known = np.full(len(known), OTHER, dtype=np.int8)
    for text, number in BY_UPOS.items():
        of_known[upos == int.from_bytes(text, "little")] = number
    classes[known] = of_known
    return classes if classes.any() else None
