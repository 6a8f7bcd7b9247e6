"""Values of an answer as documents with entities: what a list, a mapping or an object means, whatever its keys are called.

A string is a mention, a list of strings is an entity, a list or a mapping of entities is a document, and one of documents is an
answer. An object may say what it is by its keys: a document has `clusters`, an entity has `mentions`, a mention has `text` and
perhaps the name of its entity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple


def folded_keys(text: str) -> tuple[str, ...]:
    """The words of a text, which are keys of objects without case and signs."""
    return tuple(text.split())


def key_set(text: str) -> frozenset[str]:
    """The same as a set."""
    return frozenset(text.split())


ENTITIES = key_set("""
    clusters entities chains coreference coreferences coref corefs coreferencechains coreferenceclusters
    corefclusters corefchains clusterstextmentions predictedclusters entityclusters mentionclusters groups
    coreferencegroups referents entitylist characters
    """)
MENTIONS = key_set("""
    mentions strings spans mentionlist mentionslist members references refs expressions phrases occurrences
    texts
    """)
WORDS = folded_keys("""
    text mention mentiontext string span quote word words phrase expression surface surfaceform surfacetext
    """)
LABELS = folded_keys("""
    cluster clusterid clusteridx clusternumber entity entityid entityname entitynumber chain chainid corefid
    corefclusterid coref coreferenceid coreferenceclusterid group groupid referent referentid canonical canonicalname
    set setid label
    """)
ANTECEDENTS = folded_keys("""
    antecedentid antecedent antecedenttext refersto resolvesto coreferentwith coreferswith antecedentmention
    """)
SENTENCES = folded_keys("""
    sentence sent sentenceid sentid sentenceindex sentenceidx sentencenumber sentenceno s line
    """)
STARTS = folded_keys("""
    start starttoken tokenstart tokenindex tokenid wordindex wordid begin from offset position pos index idx
    startchar charstart startoffset startindex startidx tokenoffset charoffset span spans offsets range tokens tokenspan
    indices
    """)
WRAPPERS = key_set("""
    finalanswer answer final output result response arguments parameters prediction results predictions documents answers
    outputs annotations data
    """)
DOCUMENTS = ("dockey", "docid", "documentid", "document", "doc", "docname", "customid", "textid", "sampleid")
NAMES = (*DOCUMENTS, "id", "name", "key", "file", "filename")
REMARKS = key_set("""
    reasoning explanation thought thoughts note notes comment comments rationale analysis text summary
    description confidence justification language title status model warning input instruction prompt
    """)
"""Keys of sentences that are not of the answer."""

LABEL = re.compile(r"(?:[^\W\d_]{1,12}[ _#-]?)?\d{1,5}")
"""What looks like the id of an entity."""

JOINED = re.compile(r"[,;|=→]|->")
"""What stands between the mentions of an entity in one string."""

ATTRIBUTES = key_set("id name type entitytype category gender number canonicalname description role ner kind")
"""Keys of what an entity is."""

DEEPEST = 12
"""Brackets of an answer in each other, at most."""


class Quote(NamedTuple):
    """A string, and the number beside it, as that of its sentence; None if there is none."""

    text: str
    number: int | None = None


class Quotes(NamedTuple):
    """The entities of a document.

    Parameters
    ----------
    name : str
        The document; empty if the answer does not say.
    entities : list of (str, list of Quote)
        The name of each entity, and its mentions.
    whole : bool
        Whether the answer says that it is a document; else its entities may be parts of one.
    """

    name: str
    entities: list[tuple[str, list[Quote]]]
    whole: bool = True


def folded_key(key: object) -> str:
    """A key without case and signs: `cluster_id` is `clusterId`."""
    return re.sub(r"[\W_]+", "", str(key)).casefold()


def documents_in(value: object, name: str = "") -> list[Quotes]:
    """The documents of a value.

    >>> documents_in({"Tom": ["Tom", ["he", 2]]})[0].entities
    [('Tom', [Quote(text='Tom', number=None), Quote(text='he', number=2)])]
    """
    return list(_documents(value, name, whole=False)) if is_shallow(value) else []


def is_shallow(value: object, left: int = DEEPEST) -> bool:
    """Whether brackets are nested no deeper than those of an answer."""
    if not isinstance(value, (list, dict)):
        return True
    return left > 0 and all(is_shallow(inner, left - 1) for inner in (value.values() if isinstance(value, dict) else value))


def depth_of(value: object) -> int:
    """0 for a string, 1 for an entity, 2 for a document, and more for several."""
    return _depth(value) if is_shallow(value) else DEEPEST


def _depth(value: object) -> int:
    if is_quote(value) or not isinstance(value, (list, dict)):
        return 0
    if isinstance(value, dict):
        if _content(value) is not None:
            return 2
        if _mentions_of(value) is not None:
            return 1
    if _records(value) is not None or _is_of_pairs(value) or (isinstance(value, list) and _labelled(value)):
        return 2
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(
        (_depth(item) for item in inner if not isinstance(item, (bool, float))), default=0 if isinstance(value, list) else 1
    )


def _documents(value: object, name: str, *, whole: bool) -> Iterator[Quotes]:
    if isinstance(value, dict) and (content := _content(value)) is not None:
        own = _value(value, NAMES, (str, int))
        alone = [("", [quote]) for key, item in value.items() if _is_of_singletons(key) for quote in _quotes(item)]
        documents = list(_documents(content, name if own is None else str(own), whole=True))
        yield from [*documents[:-1], documents[-1]._replace(entities=documents[-1].entities + alone)] if documents else []
    elif is_hollow(value):
        yield Quotes(name, [], whole=whole)
    elif isinstance(value, list) and all(isinstance(item, str) for item in value) and (whole or len(value) > 1):
        # Without signs in them, nobody can tell whether these are mentions of one entity or of many.
        if any(map(JOINED.search, value)):
            yield Quotes(name, [("", [Quote(str(item))]) for item in value], whole=whole)
    elif _depth(value) > 2 and isinstance(value, dict):
        for document, item in value.items():
            yield from _documents(item, document, whole=True)
    elif _depth(value) > 2 and isinstance(value, list):
        for item in value:
            if _depth(item) < 2:  # an entity beside documents, or a bracket too many
                yield Quotes(name, [("", quotes)] if (quotes := list(_quotes(item))) else [], whole=False)
                continue
            for document in _documents(item, name, whole=True):
                yield document._replace(whole=document.name != "")
    else:
        mentions: dict[str, list[tuple[str, list[Quote]]]] = {}
        for document, label, quotes in _entities(value):
            item = mentions.setdefault(document or name, [])
            if quotes:
                item.append((label, quotes))
        for document, entities in mentions.items():
            if entities:  # else there are only numbers
                yield Quotes(document, entities, whole=whole or _depth(value) > 1)


def _entities(value: object) -> Iterator[tuple[str, str, list[Quote]]]:
    """The entities of a document: the name of the document, if it is said there; their own names; their mentions."""
    if (records := _records(value)) is not None:
        yield from _grouped(records)
    elif isinstance(value, list) and _labelled(value):
        yield from (("", str(label), list(_quotes(item))) for label, item in value)
    elif isinstance(value, dict) and _mentions_of(value) is None:
        for label, item in value.items():
            if _is_of_singletons(label):
                yield from (("", "", [quote]) for quote in _quotes(item))
            elif not (_is_remark_of(label, item) or (folded_key(label) in ATTRIBUTES and not isinstance(item, list | dict))):
                yield "", str(label), list(_quotes(item))
    elif isinstance(value, list) and _depth(value) > 1:
        for item in value:
            if isinstance(item, dict) and _mentions_of(item) is None and not is_quote(item):
                yield from _entities(item)
            elif isinstance(item, dict):
                name = next((item[key] for key in item if folded_key(key) in NAMES[len(DOCUMENTS) :] + LABELS), "")
                yield str(_value(item, DOCUMENTS, (str, int)) or ""), str(name), list(_quotes(item))
            else:
                yield "", "", list(_quotes(item))
    else:
        yield "", "", list(_quotes(value))


class _Record(NamedTuple):
    """A mention that says its entity: by its name, or by an earlier mention.

    Parameters
    ----------
    document : str
        The document; empty if it does not say.
    quote : Quote
        The mention.
    label : str or None
        The entity.
    antecedent : str or None
        What it calls the earlier mention; empty if there is none.
    called : str
        What later mentions call this one: its id, or its text.
    """

    document: str
    quote: Quote
    label: str | None
    antecedent: str | None = None
    called: str = ""


def _records(value: object) -> list[_Record] | None:
    """Mentions that name their entities; None if it is none."""
    if isinstance(value, dict):
        inner = list(value.values())
        return _records(inner) if inner and all(isinstance(item, dict) for item in inner) else _mapped(value)
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(item, list) and len(item) == 2 for item in value) and not _labelled(value):
        return _pairs(value)
    if not all(isinstance(item, dict) and _text(item) is not None and _mentions_of(item) is None for item in value):
        return None
    if not any(_key(item, LABELS) or _key(item, ANTECEDENTS) for item in value):
        ids = Counter(str(item[key]) for item in value if (key := _key(item, ("id",))))
        if not ids or ids.total() == len(ids):
            return None
        return [_Record(_document(item), _quote(item), str(item.get(_key(item, ("id",)) or ""))) for item in value]
    if any(_key(item, ANTECEDENTS) for item in value):
        return _with_antecedents(value)
    labels = [item.get(_key(item, LABELS)) for item in value]
    return [
        _Record(_document(item), _quote(item), None if label in (None, "", []) else str(label))
        for item, label in zip(value, labels, strict=True)
    ]


def _with_antecedents(value: Sequence[Mapping[str, object]]) -> list[_Record]:
    """Mentions that say an earlier mention, by its id or its text; or all of them the name of their entity."""
    antecedents = [item.get(_key(item, ANTECEDENTS) or "") for item in value]
    named = any(_text(item) == antecedent for item, antecedent in zip(value, antecedents, strict=True))
    by_id = not named and all(antecedent is None or type(antecedent) is int for antecedent in antecedents)
    entities = []
    for item, antecedent in zip(value, antecedents, strict=True):
        quote, label = _quote(item), _key(item, LABELS)
        earlier = "" if antecedent is None or antecedent == -1 else str(antecedent)
        if label is not None and item[label] not in (None, "", []):
            entities.append(_Record(_document(item), quote, str(item[label])))
        elif named:
            entities.append(_Record(_document(item), quote, earlier or None))
        else:
            called = str(_value(item, ("mentionid", "id", "index", "idx"), (int, str))) if by_id else quote.text
            entities.append(_Record(_document(item), quote._replace(number=None) if by_id else quote, None, earlier, called))
    return entities


def _mapped(value: Mapping[str, object]) -> list[_Record] | None:
    """The pairs of a mapping from mentions to the ids or names of their entities."""
    labels = [item for key, item in value.items() if not _is_remark_of(key, item)]
    if len(labels) < 2 or any(LABEL.fullmatch(str(key)) for key in value):
        return None
    ids = all(type(item) is int or (isinstance(item, str) and LABEL.fullmatch(item)) for item in labels)
    if not (ids or all(isinstance(item, str) for item in labels)) or len(set(map(str, labels))) == len(labels):
        return None
    return [_Record("", Quote(str(key)), str(item)) for key, item in value.items() if not _is_remark_of(key, item)]


def _pairs(value: Sequence[Sequence[object]]) -> list[_Record] | None:
    """Pairs of a mention and the id of its entity. Numbers that ascend are those of sentences, and the list is an entity."""
    if all(type(label) is int and isinstance(mention, str) for label, mention in value):
        value = [[mention, label] for label, mention in value]
    if not all(isinstance(mention, str) for mention, _ in value) or len(value) < 2:
        return None
    labels = [label for _, label in value]
    if all(type(label) is int for label in labels):
        ids = labels != sorted(map(int, map(str, labels)))
    else:
        ids = all(isinstance(item, str) and LABEL.fullmatch(item) for item in labels)
    return [_Record("", Quote(str(mention)), str(label)) for mention, label in value] if ids else None


def _grouped(records: Iterable[_Record]) -> Iterator[tuple[str, str, list[Quote]]]:
    """The entities that records name; a mention that names no entity is one alone."""
    entities: dict[tuple[str, str], list[Quote]] = {}
    known: dict[tuple[str, str], tuple[str, str]] = {}  # what an antecedent is called -> its entity
    for number, (document, quote, label, antecedent, called) in enumerate(records):
        entity = (document, f"#{number}" if label is None else label)
        if antecedent is not None:
            entity = known.get((document, antecedent), entity) if antecedent else entity
            if antecedent and (document, antecedent) not in known and called == quote.text:
                entities.setdefault(entity, []).append(Quote(antecedent))
                known[document, antecedent] = entity
            known[document, called] = entity
        entities.setdefault(entity, []).append(quote)
    yield from ((document, label, quotes) for (document, label), quotes in entities.items())


def is_quote(value: object) -> bool:
    """Whether it is a string, or one with numbers, or an object that has one."""
    if isinstance(value, list):
        strings = sum(isinstance(part, str) for part in value)
        return strings == 1 and 2 <= len(value) <= 3 and all(isinstance(part, str) or _is_place(part) for part in value)
    return isinstance(value, str) or (isinstance(value, dict) and _text(value) is not None and _mentions_of(value) is None)


def _is_place(value: object) -> bool:
    return type(value) is int or (isinstance(value, list) and 0 < len(value) <= 2 and all(type(part) is int for part in value))


def _quotes(value: object) -> Iterator[Quote]:
    """The strings of an entity."""
    if is_quote(value):
        quote = _quote(value)
        if quote.text.strip():
            yield quote
    elif isinstance(value, dict):
        mentions = _mentions_of(value)
        others = [item for key, item in value.items() if not (_is_remark_of(key, item) or folded_key(key) in ATTRIBUTES)]
        yield from _quotes(others if mentions is None else mentions)
    elif isinstance(value, list):
        for inner in value:
            yield from _quotes(inner)


def _quote(value: object) -> Quote:
    if isinstance(value, dict):
        place = next((_number(value[key]) for keys in (SENTENCES, STARTS) if (key := _key(value, keys, place=True))), None)
        return Quote(str(_text(value)), place)
    if isinstance(value, list):
        text = next(part for part in value if isinstance(part, str))
        return Quote(str(text), next((_number(part) for part in value if _is_place(part)), None))
    return Quote(str(value))


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else int(value[0]) if isinstance(value, list) else None


def _mentions_of(value: Mapping[str, object]) -> object:
    """The mentions of an object that is an entity; None if it is none."""
    if (entities := _first(value, MENTIONS)) is not None and not _is_place(entities):
        return entities
    lists = [item for item in value.values() if isinstance(item, (list, dict)) and not _is_place(item)]
    others = [item for item in value.values() if not isinstance(item, (list, dict))]
    named = any(folded_key(key) in NAMES or folded_key(key) in LABELS for key in value)
    return lists[0] if len(lists) == 1 and others and named and _depth(lists[0]) == 1 and _text(value) is None else None


def _text(value: Mapping[str, object]) -> str | None:
    key = _key(value, WORDS)
    return value[key] if key is not None and isinstance(value[key], str) else None  # type: ignore[return-value]


def _document(value: Mapping[str, object]) -> str:
    return str(name) if (name := _value(value, DOCUMENTS, (str, int))) is not None else ""


def _is_of_pairs(value: object) -> bool:
    """Whether it is a list of mappings with one pair of a name and an entity each."""
    pairs = isinstance(value, list) and value and all(isinstance(item, dict) and len(item) == 1 for item in value)
    return bool(pairs) and all(isinstance(item, list) and _depth(item) == 1 for pair in value for item in pair.values())  # type: ignore[attr-defined]


def _labelled(value: Sequence[object]) -> bool:
    """Whether it is a list of pairs of a name and an entity."""
    pairs = [item for item in value if isinstance(item, list) and len(item) == 2]
    named = [isinstance(name, str) and isinstance(entity, list) and not _is_place(entity) for name, entity in pairs]
    return 0 < len(value) == sum(named)


def _is_of_singletons(key: object) -> bool:
    return folded_key(key) in ("singletons", "singleton", "singletonmentions", "singletonclusters")


def is_hollow(value: object) -> bool:
    """Whether it has nothing inside but empty lists."""
    return value is None or (
        isinstance(value, (list, dict)) and all(map(is_hollow, value.values() if isinstance(value, dict) else value))
    )


def _content(value: Mapping[str, object]) -> object:
    """The entities of an object that is a document; None if it is none.

    Mentions that name their entities go before a list of these, and what has more inside before names alone.
    """
    mentions = _first(value, MENTIONS)
    if mentions is not None and _records(mentions) is not None:
        return mentions
    entities = [
        item for key, item in value.items() if folded_key(key) in ENTITIES and (item is None or isinstance(item, (list, dict)))
    ]
    entities = [[] if item is None else item for item in entities if not _is_place(item)]
    if entities:
        return max(entities, key=_depth) if len(entities) > 1 else entities[0]
    wrapped = [
        (_depth(item), item) for key, item in value.items() if folded_key(key) in WRAPPERS and isinstance(item, (list, dict))
    ]
    depth, content = max(wrapped, key=lambda item: item[0], default=(0, None))
    return content if depth > 1 else None


def _first(value: Mapping[str, object], keys: frozenset[str]) -> object:
    """The first value of an object under these keys that has others inside; None if there is none."""
    return next((item for key, item in value.items() if isinstance(item, (list, dict)) and folded_key(key) in keys), None)


def _key(value: Mapping[str, object], keys: Iterable[str], *, place: bool = False) -> str | None:
    """The key of an object that comes first in a list of keys; of places, one whose value is a place."""
    folded = {folded_key(key): key for key in value}
    return next((folded[key] for key in keys if key in folded and (not place or _is_place(value[folded[key]]))), None)


def _value(value: Mapping[str, object], keys: Iterable[str], kinds: tuple[type, ...]) -> object:
    folded = {folded_key(key): item for key, item in value.items()}
    return next((folded[key] for key in keys if isinstance(folded.get(key), kinds)), None)


def _is_remark_of(key: object, value: object) -> bool:
    """Whether a pair of a key and a value is no entity: a sentence beside the entities, or a number."""
    return (isinstance(value, str) and folded_key(key) in REMARKS) or value is None or isinstance(value, (bool, float))


def entities_in_lines(lines: Iterable[tuple[str, list[object]]]) -> list[tuple[str, list[Quote]]]:
    """The entities of lines: each is an entity, or has a value with several."""
    entities: list[tuple[str, list[Quote]]] = []
    for label, items in lines:
        if any(isinstance(item, dict) or _depth(item) > 1 for item in items):
            entities += [entity for item in items for document in documents_in(item) for entity in document.entities]
        elif quotes := list(_quotes(items)):
            entities.append((label, quotes))
    return entities


def are_mentions(value: object) -> bool:
    """Whether it is a list of mentions that name their entities."""
    return isinstance(value, list) and _records(value) is not None
