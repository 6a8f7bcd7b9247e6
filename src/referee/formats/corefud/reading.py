"""CorefUD files read: rows, then mentions sentence by sentence, then the links between their entities."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import unquote

import numpy as np

from referee.algorithms.arrays import Ints, argsort, starts_of_runs
from referee.basics.exceptions import shortened
from referee.corpus import MENTION_TYPES, Corpus
from referee.corpus.editing import fragment_columns, listed_by
from referee.corpus.layers import Bridging, SplitAntecedents
from referee.formats.corefud.entity import Header, Link, MentionReader, ParsedMention, entity_links, entity_types
from referee.formats.corefud.problems import LATER, NOT_YET, WORDLESS, Problems
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError, Source

UPOS = 3
DEFAULT = "eid-etype-head-other"
HEADER = re.compile(r"#\s*global\.Entity\s*=(.*)")
ROW = re.compile(r"[0-9]+(?:[-.][0-9]+)?(?:\t[^\t]*){5}\t(?:[0-9]+|_)\t[^\t]*\t[^\t]*\t(?:_|[^\t]*=[^\t]*)")

STANZA = re.compile(r"[\t|]ner=(?:unit|start)-(?:repr-)?id\d")

MENTION_TYPE = {
    **dict.fromkeys(("PRON", "DET"), "pronoun"),
    **dict.fromkeys(("NOUN", "ADJ", "NUM", "SYM"), "nominal"),
    "PROPN": "name",
    "_": "",
}
"""The mention type by the UPOS of the head; all others are `other`."""


def sniff(head: str) -> bool:
    """A header of ours, or rows of CoNLL-U: but not Stanza's, with an attribute of its own, nor those of other columns."""
    if "coref_chains=" in head or STANZA.search(head) or re.search(r"^#\s*global\.columns\b.*\bIDENTITY\b", head, re.MULTILINE):
        return False
    whole, _, rest = head.rpartition("\n")  # the head may end amid a line
    lines = (whole or rest).split("\n")
    rows = [line.rstrip("\r") for line in lines if line.strip() and not line.startswith("#")]
    return any(HEADER.match(line) for line in lines) or (bool(rows) and all(map(ROW.fullmatch, rows)))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a file."""
    return corpus_of_rows(rows_of(source, on_error), source.name, on_error)


def rows_of(source: Source, on_error: OnError) -> ConlluRows:
    """The rows of a file; bytes that are not UTF-8, or NUL, are an error."""
    raw = source.raw()
    try:
        is_text = "\0" not in raw.decode()
    except UnicodeDecodeError:
        is_text = False
    if not is_text:
        raw = source.text(on_error).encode(errors="replace")
    return ConlluRows(raw if raw.endswith(b"\n") or not raw else raw + b"\n", on_error)


def corpus_of_rows(rows: ConlluRows, source: str, on_error: OnError) -> Corpus:
    """The annotation in the rows of a file, which messages call `source`."""
    problems = Problems(source, on_error)
    for n in np.flatnonzero(np.diff(rows.first) == 0).tolist():
        problems.add(WORDLESS, rows.begins[n], f"no words in the document {shortened(rows.names[n])!r}")
    values: dict[int, str] = {}
    for token, value in rows.attribute("Entity"):
        if token in values:
            on_error(int(rows.tokens.line[token]), "found Entity= twice in one row; expected one with all brackets")
        values.setdefault(token, value)
    headers = _headers(rows, problems)
    bridges, splits = list(rows.attribute("Bridge")), [*rows.attribute("SplitAnte"), *rows.attribute("Split")]
    has_heads = any(header.head >= 0 for _, header in headers)
    if values:
        old_ids = sum(1 for _ in rows.attribute("ClusterId"))
        warn_file(source, "left out {} of CorefUD 0.x, as there is Entity", "ClusterId", old_ids)
        begin = headers[0][0] if headers else len(rows.lines) + 1
        if (line := int(rows.tokens.line[next(iter(values))])) < begin:
            expected = f"one, such as # global.Entity = {DEFAULT}"
            on_error(line, f"found Entity= before any line # global.Entity; expected {expected}")
            values = {token: value for token, value in values.items() if rows.tokens.line[token] > begin}
        mentions = MentionReader(rows, headers, problems).read(values) if values else []
    else:
        from referee.formats.corefud.older import check_others, old_annotation  # few files have none

        old = old_annotation(rows, problems)
        mentions = old.mentions
        if mentions:
            bridges, splits, has_heads = old.bridges, old.splits, True
        else:
            check_others(rows, on_error)
    number: dict[tuple[int, str], int] = {}
    entity = [number.setdefault((mention.document, mention.id), len(number)) for mention in mentions]
    types = entity_types(mentions, entity, problems, has_heads)
    links = entity_links("Bridge", bridges, rows, number, problems)
    bridging = _bridging(links, mentions, entity, problems) if bridges else None
    split = {(link.right, link.left): None for link in entity_links("SplitAnte", splits, rows, number, problems)}
    problems.finish()

    document = np.array([mention.document for mention in mentions], dtype=np.int64)
    first = rows.first[document]
    base = first.tolist()
    start, end, head = np.array([(m.start, m.end, m.head) for m in mentions], dtype=np.int64).reshape(-1, 3).T
    minimum = np.array([mention.minimum for mention in mentions], dtype=np.int64).reshape(-1, 2)
    discontinuous = {n: mention.spans for n, mention in enumerate(mentions) if mention.spans}
    spans = {n: tuple((a - base[n], b - base[n]) for a, b in parts) for n, parts in discontinuous.items()}
    fragments, fragment_lists = fragment_columns(spans, len(mentions))
    names = [unquote(types.get(n, "")) for n in range(len(number))]
    corpus = replace(
        words_of_rows(rows, source),
        document=document,
        start=start - first,
        end=end - first,
        entity=np.array(entity, dtype=np.int64),
        entity_ids=[entity_id for _, entity_id in number],
        entity_types=names if any(names) else None,
        head=np.where(head < 0, -1, head - first) if (head >= 0).any() else None,
        minimum_span=np.where(minimum < 0, -1, minimum - first[:, None]) if (minimum >= 0).any() else None,
        mention_types=_mention_types(rows, head if has_heads else np.where(end - start == 1, start, -1)),
        fragments=fragments,
        fragment_lists=fragment_lists,
        bridging=bridging,
        split_antecedents=SplitAntecedents(*np.array(list(split), dtype=np.int64).T) if split else None,
    ).in_reading_order()
    return _in_order_of_udapi(replace(corpus, bridging=corpus.bridging and to_entities(corpus, corpus.bridging)))


def _bridging(
    links: Iterable[Link], mentions: Sequence[ParsedMention], entity: Sequence[int], problems: Problems
) -> Bridging | None:
    """Links from the mention of an entity that began last to the first mention of another entity."""
    of_entity: dict[int, list[int]] = {}
    for m, number in enumerate(entity):
        of_entity.setdefault(number, []).append(m)
    pairs: dict[tuple[int, int], str] = {}
    for link in links:
        of_anaphor = of_entity[link.right]
        begun = bisect_right(of_anaphor, link.token, key=lambda m: mentions[m].start)
        if begun:
            pairs[of_anaphor[begun - 1], of_entity[link.left][0]] = link.relation
        else:
            problems.add(NOT_YET, link.line, f"Bridge to {shortened(mentions[of_anaphor[0]].id)}")
    anaphor, antecedent = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    return Bridging(anaphor, antecedent, list(pairs.values())) if pairs else None


def words_of_rows(rows: ConlluRows, source: str) -> Corpus:
    """The words and empty nodes in the rows of a file, without mentions."""
    none = rows.tokens.line[:0]
    return Corpus(
        tuple(rows.names), document=none, start=none, end=none, entity=none, entity_ids=[], source=source,
        text=rows.text() if rows.names else None, empty_nodes=rows.empty_nodes(),
    )  # fmt: skip


def _mention_types(rows: ConlluRows, head: Ints) -> Ints | None:
    """The mention types that follow from the heads; None if none does."""
    words = np.flatnonzero((head >= 0) & ~rows.tokens.is_node[head])
    types = np.zeros(len(head), dtype=np.int8)
    types[words] = [MENTION_TYPES.index(MENTION_TYPE.get(tag, "other")) for tag in rows.cells(UPOS, head[words])]
    return types if types.any() else None


def _headers(rows: ConlluRows, problems: Problems) -> list[tuple[int, Header]]:
    """The lines `# global.Entity`: their numbers, and what they say."""
    headers: list[tuple[int, Header]] = []
    for line, text in rows.comments("global.Entity"):
        if not (match := HEADER.fullmatch(text)):
            continue
        header = Header.parse(match[1])
        if header.id < 0:
            expected = f"a field eid or GRP, such as # global.Entity = {DEFAULT}"
            problems.on_error(line, f"found {shortened(text)!r}; expected {expected}")
            continue
        if headers and header != headers[-1][1]:
            problems.add(LATER, line, shortened(text) + " after another")
        headers.append((line, header))
    return headers


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


def _in_order_of_udapi(corpus: Corpus) -> Corpus:
    """The corpus with its entities by their first mentions, longer ones first, then by their ids, if a mention is repeated.

    Of its entities, corefud-scorer finds the last in this order.
    """
    if starts_of_runs(corpus.document, corpus.start, corpus.end).all():
        return corpus
    ids = np.unique(corpus.entity_ids, return_inverse=True)[1]
    columns = ids[corpus.entity], corpus.end, corpus.start - corpus.end, corpus.start, corpus.document
    return listed_by(corpus, np.lexsort(columns))
