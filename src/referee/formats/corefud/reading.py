"""CorefUD files read: rows, then mentions sentence by sentence, then the links between their entities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from urllib.parse import unquote

import numpy as np

from referee.algorithms.arrays import Ints, argsort, starts_of_runs
from referee.basics.exceptions import shortened
from referee.corpus import MENTION_TYPES, Corpus
from referee.corpus.editing import fragment_columns, listed_by
from referee.corpus.layers import Bridging, SplitAntecedents
from referee.formats.corefud.entity import Header, Link, ParsedMention, Problems, entity_links, entity_types, read_mentions
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
        oddity = f"no words in the document {shortened(rows.names[n])!r}"
        problems.add(rows.begins[n], oddity, "words in every document; there is nothing to score in it")
    attributes = rows.attributes("Entity", "Bridge", "SplitAnte", "Split", "ClusterId")
    values: dict[int, str] = {}
    for token, value in attributes["Entity"]:
        if token in values:
            on_error(int(rows.tokens.line[token]), "found Entity= twice in one row; expected one with all brackets")
        values.setdefault(token, value)
    headers = headers_of(rows, problems)
    bridges, splits = attributes["Bridge"], attributes["SplitAnte"] + attributes["Split"]
    has_heads = any(header.head >= 0 for _, header in headers)
    mentions: list[ParsedMention] = []
    if values:
        warn_file(source, "left out {} of CorefUD 0.x, as there is Entity", "ClusterId", len(attributes["ClusterId"]))
        begin = headers[0][0] if headers else len(rows.lines) + 1
        if (line := int(rows.tokens.line[next(iter(values))])) < begin:
            expected = f"one, such as # global.Entity = {DEFAULT}"
            on_error(line, f"found Entity= before any line # global.Entity; expected {expected}")
            values = {token: value for token, value in values.items() if rows.tokens.line[token] > begin}
        mentions = read_mentions(values, headers, rows, problems) if values else []
    else:
        from referee.formats.corefud.older import check_others, old_annotation  # few files have none

        if old := old_annotation(rows, on_error):
            mentions, bridges, splits = old
            has_heads = True
        else:
            check_others(rows, on_error)
    start = np.array([mention.start for mention in mentions], dtype=np.int64)
    end = np.array([mention.end for mention in mentions], dtype=np.int64)
    head = np.array([mention.head for mention in mentions], dtype=np.int64)
    minimum = np.array([mention.minimum for mention in mentions], dtype=np.int64).reshape(-1, 2)
    documents = rows.tokens.document[start]
    number: dict[tuple[int, str], int] = {}
    numbers = [number.setdefault((d, m.id), len(number)) for d, m in zip(documents.tolist(), mentions, strict=True)]
    entity, entity_ids = np.array(numbers, dtype=np.int64), [entity_id for _, entity_id in number]
    types = entity_types(mentions, numbers, problems, has_heads)
    bridging = _bridging(entity_links("Bridge", bridges, rows, number, problems), entity, start, entity_ids, problems.add)
    split = {link[3:1:-1]: None for link in entity_links("SplitAnte", splits, rows, number, problems)}
    problems.finish()
    sizes = Counter(entity for entity, _ in split)
    alone = sum(number == 1 for number in sizes.values())
    warn_file(source, "has {} with one antecedent, of which there should be several (SplitAnte)", "entity", alone)

    first = rows.first[documents]
    spans = {
        n: tuple((a - int(first[n]), b - int(first[n])) for a, b in mention.spans)
        for n, mention in enumerate(mentions)
        if mention.spans
    }
    fragments, fragment_lists = fragment_columns(spans, len(mentions))
    names = [unquote(types.get(n, "")) for n in range(len(number))]
    corpus = replace(
        words_of_rows(rows, source),
        document=documents,
        start=start - first,
        end=end - first,
        entity=entity,
        entity_ids=entity_ids,
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
    links: Iterable[Link], entity: Ints, start: Ints, ids: Sequence[str], on_odd: Callable[[int, str, str], None]
) -> Bridging | None:
    """Links from the mention of an entity that began last to the first mention of another entity."""
    order = argsort(entity)
    edges = np.searchsorted(entity[order], np.arange(len(ids) + 1)).tolist()
    pairs: dict[tuple[int, int], str] = {}
    for token, line, left, right, relation in links:
        anaphors = order[edges[right] : edges[right + 1]]
        begun = int(np.searchsorted(start[anaphors], token, side="right"))
        if begun:
            pairs[int(anaphors[begun - 1]), int(order[edges[left]])] = relation
        else:
            on_odd(line, f"Bridge to {shortened(ids[right])}", "it where a mention of that entity begins, or later; left out")
    anaphor, antecedent = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    return Bridging(anaphor, antecedent, list(pairs.values())) if pairs else None


def words_of_rows(rows: ConlluRows, source: str) -> Corpus:
    """The words and empty nodes in the rows of a file, without mentions."""
    none = rows.tokens.line[:0]
    return Corpus(
        tuple(rows.names), document=none, start=none, end=none, entity=none, entity_ids=[], source=source,
        text=rows.text() if rows.names else None, empty_nodes=rows.empty_nodes(), metadata=rows.metadata(),
    )  # fmt: skip


def _mention_types(rows: ConlluRows, head: Ints) -> Ints | None:
    """The mention types that follow from the heads; None if none does."""
    words = np.flatnonzero((head >= 0) & ~rows.tokens.is_node[head])
    types = np.zeros(len(head), dtype=np.int8)
    types[words] = [MENTION_TYPES.index(MENTION_TYPE.get(tag, "other")) for tag in rows.cells(UPOS, head[words])]
    return types if types.any() else None


def headers_of(rows: ConlluRows, problems: Problems) -> list[tuple[int, Header]]:
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
            oddity = f"{shortened(text)} after another"
            problems.add(line, oddity, "one for the whole file; each counts from where it stands")
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
