"""Values of an answer as documents with entities: what a list, a mapping or an object means, whatever its keys are called.

A string is a mention, a list of strings is an entity, a list or a mapping of entities is a document, and one of documents is an
answer. An object may say what it is by its keys: a document has `clusters`, an entity has `mentions`, a mention has `text` and
perhaps the name of its entity. Numbers beside strings mean one thing in a whole answer: in lists by entity they are places, and
in one flat list they are entities. What has strings and is none of these is counted as not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from referee.answers import keys
from referee.answers.keys import folded_key

LABEL = re.compile(r"(?:[^\W\d_]{1,12}[ _#-]?)?\d{1,5}")
"""What looks like the id of an entity."""
SENTENCE = re.compile(r"(?:(?:s|sent|sentence|satz)[ ._#-]?)?(\d{1,5})", re.IGNORECASE)
SENTENCE_KEY = re.compile(r"(?:s|sent|sentence|satz)[ ._#-]?(\d{1,5})", re.IGNORECASE)
"""A number of a sentence as a string."""

HEAD = re.compile("head|main|first|antecedent|representative|primary|anchor")
"""What is in the key of a mention that stands beside the others."""

DEEPEST = 12
"""Brackets of an answer in each other, at most."""


class Quote(NamedTuple):
    """A string, and what is known of it.

    Parameters
    ----------
    text : str
        The string.
    number : int or None
        The number beside it, as that of its sentence; None if there is none.
    form : {"", "list", "sentence"}
        Whether it is part of a line that looks like a list without quotes, or like a sentence: the text decides what it is.
    """

    text: str
    number: int | None = None
    form: str = ""


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


class ValuesRead(NamedTuple):
    """What a value says.

    Parameters
    ----------
    documents : list of Quotes
        Its documents; none if it is no answer.
    unread : list of str
        Strings that are neither mentions nor names nor remarks.
    depth : int
        0 for a mention, 1 for an entity, 2 for a document, and more for several.
    """

    documents: list[Quotes]
    unread: list[str]
    depth: int


class Rows(NamedTuple):
    """Values that lines or the rows of a table are, the lines that are not read, and how many are."""

    values: list[object]
    unread: Sequence[str] = ()
    read: int = 0


class AnswerMention(NamedTuple):
    """A mention, and what it says of itself.

    Parameters
    ----------
    quote : Quote
        Its string, and its place.
    label : str or None
        Its entity; of a string with a number beside it, which is a place in other lists, too, the number.
    certain : bool
        Whether `label` is certainly that of an entity.
    antecedent : object
        The earlier mention that it names; `NONE` if it names none by its keys.
    own : str
        Its own id.
    document : str
        Its document, if it says that.
    """

    quote: Quote
    label: str | None = None
    certain: bool = False
    antecedent: object = ()
    own: str = ""
    document: str = ""


class AnswerEntity(NamedTuple):
    """A list of mentions. It is an entity, or a flat list of mentions that name their entities."""

    mentions: list[AnswerMention]
    label: str = ""
    document: str = ""
    is_object: bool = False


Node: TypeAlias = "AnswerMention | AnswerEntity | list[Quotes] | None"


def is_shallow(value: object, left: int = DEEPEST) -> bool:
    """Whether brackets are nested no deeper than those of an answer."""
    if not isinstance(value, (list, dict)):
        return True
    return left > 0 and all(is_shallow(inner, left - 1) for inner in (value.values() if isinstance(value, dict) else value))


def is_hollow(value: object) -> bool:
    """Whether it has nothing inside but empty lists."""
    return value is None or (
        isinstance(value, (list, dict)) and all(map(is_hollow, value.values() if isinstance(value, dict) else value))
    )


def read_value(value: object) -> ValuesRead:
    """The documents of a value.

    >>> read_value({"Tom": ["Tom", ["he", 2]]}).documents[0].entities
    [('Tom', [Quote(text='Tom', number=None, form=''), Quote(text='he', number=2, form='')])]
    """
    if not is_shallow(value):
        return ValuesRead([], [], DEEPEST)
    unread: list[str] = []
    node = _node(value, unread)
    if isinstance(node, AnswerMention) or node is None:
        return ValuesRead([], unread, 0)
    if isinstance(node, AnswerEntity):
        documents = _of_flat_list(node)
        certain = any(mention.certain or mention.antecedent != () for mention in node.mentions)
        by_id = documents is not None and not node.is_object and any(mention.own for mention in node.mentions)
        return ValuesRead(documents or [], unread, 1 + (certain or by_id))
    return ValuesRead(node, unread, 2 + (len(node) > 1 or any(document.name for document in node)))


def is_answer(value: object) -> bool:
    """Whether a value is a document with entities, or several."""
    reading = read_value(value)
    return reading.depth > 1 and bool(reading.documents)


def is_entity(value: object) -> bool:
    """Whether a value is a list of mentions, or several of one each."""
    reading = read_value(value)
    single = isinstance(value, list) and all(isinstance(item, list) and len(item) == 1 for item in value)
    return reading.depth < 2 or single


def are_mentions(values: Sequence[object]) -> bool:
    """Whether values are objects that are mentions, and say their entities."""
    mentions = all(isinstance(value, dict) and read_value(value).depth == 0 for value in values)
    return mentions and is_answer(list(values))


def _node(value: object, unread: list[str]) -> Node:
    if isinstance(value, dict):
        return _of_object(value, unread)
    if isinstance(value, list):
        return _of_list(value, unread)
    if isinstance(value, Quote):
        return AnswerMention(value)
    return AnswerMention(Quote(value)) if isinstance(value, str) and value.strip() else None


def _of_list(value: Sequence[object], unread: list[str]) -> Node:
    if mention := _with_numbers(value):
        return mention
    if labelled := _with_labels(value):
        return AnswerEntity(labelled)
    if pairs := _named_lists(value):
        value = [{"name": name, "mentions": mentions} for name, mentions in pairs]
    objects = [frozenset(item) for item in value if isinstance(item, dict)]
    alike = len(objects) == len(value) and len(set(objects)) < max(len(objects), 2)
    nodes: list[AnswerMention | AnswerEntity | list[Quotes]] = []
    for item in value:
        node = _of_object(item, unread, alike=alike) if isinstance(item, dict) else _node(item, unread)
        if node is not None:
            nodes.append(node)
        elif isinstance(item, dict):
            unread += [part for part in item.values() if isinstance(part, str)][:1]
    if not nodes and not is_hollow(value):
        return None
    if all(isinstance(node, AnswerMention) for node in nodes):
        return AnswerEntity([node for node in nodes if isinstance(node, AnswerMention)])
    entities = [node for node in nodes if isinstance(node, AnswerEntity)]
    if len(entities) == len(nodes) and all(not e.label and all(m.certain for m in e.mentions) for e in entities):
        return AnswerEntity([mention for entity in entities for mention in entity.mentions])  # a list a sentence
    single = [AnswerEntity([node]) if isinstance(node, AnswerMention) else node for node in nodes if not isinstance(node, list)]
    if len(single) == len(nodes):
        return _documents_of(single)
    documents: list[Quotes] = []
    for node in nodes:
        if isinstance(node, list):
            documents += [document._replace(whole=document.name != "") for document in node]
        else:  # an entity beside documents, or a bracket too many
            documents += _documents_of([AnswerEntity([node]) if isinstance(node, AnswerMention) else node], whole=False)
    return documents


def _documents_of(entities: Iterable[AnswerEntity], name: str = "", *, whole: bool = True) -> list[Quotes]:
    """Entities as documents, by what they say."""
    documents: dict[str, list[tuple[str, list[Quote]]]] = {}
    for entity in entities:
        document = documents.setdefault(entity.document or name, [])
        if entity.mentions:
            document.append((entity.label, [mention.quote for mention in entity.mentions]))
    return [Quotes(name, entities, whole) for name, entities in documents.items()] or [Quotes(name, [], whole)]


def _with_numbers(value: Sequence[object]) -> AnswerMention | None:
    """A string with a number or two beside it, or with the id of an entity."""
    strings = [part for part in value if isinstance(part, str)]
    numbers = [part for part in value if _is_place(part)]
    if not 2 <= len(value) <= 3 or len(strings) != 1 or len(numbers) < len(value) - 1 or not strings[0].strip():
        return None
    label = str(numbers[0]) if len(value) == 2 and isinstance(numbers[0], int) else None
    return AnswerMention(Quote(strings[0], _number(numbers[0])), label)


def _with_labels(value: Sequence[object]) -> list[AnswerMention]:
    """The mentions of a list of pairs of a string and an id, or the number of a sentence, which are strings, too."""
    pairs = [(str(item[0]), str(item[1])) for item in value if isinstance(item, list) and list(map(type, item)) == [str, str]]
    numbers = [SENTENCE.fullmatch(label) for _, label in pairs]
    ids = len(pairs) > 1 and all(LABEL.fullmatch(label) and not LABEL.fullmatch(text) for text, label in pairs)
    if len(pairs) < len(value) or not (ids or (pairs and all(numbers))):
        return []
    return [
        AnswerMention(Quote(text, int(n[1]) if n else None), label) for (text, label), n in zip(pairs, numbers, strict=True)
    ]


def _named_lists(value: Sequence[object]) -> list[tuple[str, object]]:
    """The pairs of a list of pairs of a name and an entity, as lists or as mappings; none of others."""
    pairs: list[tuple[str, object]] = []
    for item in value:
        if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], list):
            pairs.append((item[0], item[1]))
        elif isinstance(item, dict) and len(item) == 1 and isinstance(next(iter(item.values())), list):
            pairs.append(next(iter(item.items())))
        else:
            return []
        name, mentions = pairs[-1]
        objects = isinstance(mentions, list) and any(isinstance(mention, dict) for mention in mentions)
        if _is_place(mentions) or (isinstance(item, dict) and (objects or _is_content_key(name))):
            return []
    return pairs


def _is_content_key(key: object) -> bool:
    return folded_key(key) in (*keys.ENTITIES, *keys.MENTIONS, *keys.WRAPPERS)


def _is_place(value: object) -> bool:
    return type(value) is int or (isinstance(value, list) and 0 < len(value) <= 2 and all(type(part) is int for part in value))


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else int(value[0]) if isinstance(value, list) else None


def _of_object(value: Mapping[str, object], unread: list[str], *, alike: bool = False) -> Node:
    """What an object is: by its keys, or else by its shape; `alike` says that others beside it have the same keys."""
    folded = {folded_key(key): item for key, item in value.items()}
    nested = {key: item for key, item in folded.items() if isinstance(item, (list, dict)) and not _is_place(item)}
    text = next((key for key in keys.WORDS if isinstance(folded.get(key), str)), None)
    if not any(_is_content_key(key) for key in nested) and text is not None:
        return _mention(folded, text)
    key, item = next(iter(value.items()), ("", None))
    if len(value) == 1 and isinstance(item, str) and (sentence := SENTENCE_KEY.fullmatch(str(key))):
        return AnswerMention(Quote(item, int(sentence[1])))
    document = _first(folded, keys.DOCUMENTS)
    if any(key in keys.ENTITIES for key, item in folded.items() if key in nested or item is None):
        return _of_content(folded, (*keys.ENTITIES, *keys.MENTIONS), unread, alike=alike)
    if mentions := next((key for key in nested if key in keys.MENTIONS), None):
        return _entity(folded, mentions, document, unread)
    if any(key in keys.WRAPPERS for key in nested) and len(nested) < 3:
        return _of_content(folded, keys.WRAPPERS, unread)
    named = alike or any(key in (*keys.NAMES, *keys.LABELS) for key in folded.keys() - nested.keys())
    if named and len(nested) == 1 < len(folded) and nested.keys().isdisjoint(keys.GOLD):
        return _entity(folded, next(iter(nested)), document, unread)
    return _of_mapping(value, unread)


def _of_content(folded: Mapping[str, object], under: Sequence[str], unread: list[str], *, alike: bool = False) -> Node:
    """The document under one of several keys: the one that has most."""
    name = _first(folded, (*keys.DOCUMENTS, *keys.NAMES))
    nodes: dict[str, Node] = {}
    lost: dict[str, list[str]] = {}
    for key, item in folded.items():
        if key in under and (item is None or isinstance(item, (list, dict))) and not _is_place(item):
            nodes[key] = AnswerEntity([]) if is_hollow(item) else _node(item, lost.setdefault(key, []))
    best = max(nodes, key=lambda key: _size(nodes[key]), default="")
    unread += lost.get(best, [])
    for key, item in folded.items():
        if key not in (best, *keys.SINGLETONS) and key not in (*keys.ECHOES, *keys.REMARKS):
            unread += _strings(item) if isinstance(item, list) and key not in keys.WRAPPERS else []
    node = nodes.get(best)
    if alike and isinstance(node, AnswerEntity) and len(nodes) == 1:  # one of several objects: an entity, and no document
        return _entity(folded, best, _first(folded, keys.DOCUMENTS), unread)
    documents = _of_flat_list(node) if isinstance(node, AnswerEntity) else node
    if not documents or isinstance(documents, AnswerMention):
        return None
    alone = [("", [Quote(text)]) for key in keys.SINGLETONS for text in _strings(folded.get(key))]
    return [
        Quotes(document.name or name, document.entities + alone * (n == 0), whole=True) for n, document in enumerate(documents)
    ]


def _size(node: Node) -> int:
    """How many mentions there are; more if they are in lists, or name their entities."""
    if isinstance(node, list):
        return 2 * sum(len(mentions) for document in node for _, mentions in document.entities)
    if isinstance(node, AnswerEntity):
        return len(node.mentions) * (2 if node.mentions and node.mentions[0].certain else 1)
    return 0


def _entity(folded: Mapping[str, object], mentions: str, document: str, unread: list[str]) -> Node:
    """An object with a list of mentions, or with something else in its place."""
    node = _node(folded[mentions], unread)
    others = [
        item for key, item in folded.items() if key != mentions and isinstance(item, (list, dict)) and key not in keys.ECHOES
    ]
    unread += [text for item in others for text in _strings(item)]
    listed = _strings(folded[mentions])
    unread += [item for key, item in folded.items() if isinstance(item, str) and HEAD.search(key) and item not in listed]
    if isinstance(node, list):
        node = [quotes._replace(name=quotes.name or document) for quotes in node]
        if len(node) == 1 and not node[0].name and mentions in keys.MENTIONS:  # lists of one entity, as by sentence
            return AnswerEntity(
                [AnswerMention(quote) for _, quotes in node[0].entities for quote in quotes], _name(folded), document, True
            )
        return node
    if node is None:
        return AnswerEntity([], _name(folded), document, is_object=True)
    number = _first(folded, keys.SENTENCES)
    inside = node.mentions if isinstance(node, AnswerEntity) else [node]
    if number.isdecimal():
        inside = [m._replace(quote=m.quote._replace(number=int(number))) if m.quote.number is None else m for m in inside]
    several = len({m.label for m in inside}) > 1
    if number and inside and all(m.own and m.label is None for m in inside):  # ids of entities, as mentions are by sentence
        inside = [m._replace(label=m.own, certain=True) for m in inside]
    if inside and all(m.certain for m in inside) and (number or several or not _name(folded)):
        return AnswerEntity([m._replace(document=m.document or document) for m in inside])
    return AnswerEntity(inside, _name(folded), document, is_object=True)


def _name(folded: Mapping[str, object]) -> str:
    """The name of an entity: its own, or its id."""
    return _first(folded, (*keys.NAMES, *keys.LABELS))


def _of_mapping(value: Mapping[str, object], unread: list[str]) -> Node:
    """A mapping from names to entities or documents, or from mentions to the ids or names of their entities."""
    items = {key: item for key, item in value.items() if not _is_remark(key, item)}
    labels = list(items.values())
    if labels and all(isinstance(item, (list, dict)) for item in labels) and all(map(SENTENCE_KEY.fullmatch, map(str, items))):
        return _by_sentence(items, unread)
    if len(labels) > 1 and not any(LABEL.fullmatch(str(key)) for key in items):
        ids = all(type(item) is int or (isinstance(item, str) and LABEL.fullmatch(item)) for item in labels)
        if (ids or all(isinstance(item, str) for item in labels)) and len(set(map(str, labels))) < len(labels):
            return AnswerEntity([AnswerMention(Quote(str(key)), str(item), certain=True) for key, item in items.items()])
    folded = {folded_key(key): item for key, item in value.items()}
    if any(key in folded for key in (*keys.LABELS, *keys.ANTECEDENTS)) and not any(
        isinstance(item, (list, dict)) for item in folded.values()
    ):
        return None
    entities: list[AnswerEntity] = []
    documents: list[Quotes] = []
    is_described = any(folded_key(key) in keys.ATTRIBUTES for key in value)
    for key, item in items.items():
        node = _node(item, unread) if not isinstance(item, (int, float)) else None
        if folded_key(key) in keys.SINGLETONS:
            entities += [AnswerEntity([AnswerMention(Quote(text))]) for text in _strings(item)]
        elif isinstance(node, list) and folded_key(key) in keys.GOLD:
            unread += _strings(item)  # a key, or a prompt
        elif isinstance(node, list):
            documents += [document._replace(name=document.name or str(key), whole=True) for document in node]
        elif isinstance(node, AnswerEntity) and not node.label and node.mentions and all(m.certain for m in node.mentions):
            entities.append(node)  # a list a sentence, or a document
        elif node is not None and not (isinstance(node, AnswerMention) and is_described):
            entities.append(AnswerEntity(node.mentions if isinstance(node, AnswerEntity) else [node], str(key)))
        elif is_hollow(item) and isinstance(item, (list, dict)):
            entities.append(AnswerEntity([], str(key)))
    if documents:
        return [*documents, *(_documents_of(entities, whole=False) if any(e.mentions for e in entities) else [])]
    if entities and all(not entity.label and entity.mentions and entity.mentions[0].certain for entity in entities):
        return AnswerEntity([mention for entity in entities for mention in entity.mentions])
    if not entities and items:
        return None
    return _documents_of(entities)


def _by_sentence(items: Mapping[str, object], unread: list[str]) -> Node:
    """The mentions of a mapping from sentences to mentions, which name their entities, or are those of one."""
    mentions: list[AnswerMention] = []
    for key, item in items.items():
        number = int(re.sub(r"\D", "", str(key)))
        node = _node([list(pair) for pair in item.items()] if isinstance(item, dict) else item, unread)
        inside = [node] if isinstance(node, AnswerMention) else node.mentions if isinstance(node, AnswerEntity) else []
        mentions += [mention._replace(quote=Quote(mention.quote.text, number)) for mention in inside]
    if any(mention.label for mention in mentions):
        unread += [mention.quote.text for mention in mentions if not mention.label]
        mentions = [mention._replace(certain=True) for mention in mentions if mention.label]
    return AnswerEntity(mentions) if mentions else None


def _is_remark(key: object, value: object) -> bool:
    """Whether a pair of a key and a value is no entity: a sentence beside the entities, or a number."""
    return (isinstance(value, str) and folded_key(key) in keys.REMARKS) or value is None or isinstance(value, (bool, float))


def _mention(folded: Mapping[str, object], text: str) -> AnswerMention:
    """A mention that is an object."""
    place = next((_number(folded[key]) for key in keys.SENTENCES + keys.STARTS if _is_place(folded.get(key))), None)
    if place is None and (sentence := re.search(r"\d{1,5}", _first(folded, keys.SENTENCES))):
        place = int(sentence[0])
    label = next((folded[key] for key in keys.LABELS if key in folded), None)
    key = next((key for key in keys.ANTECEDENTS if key in folded), None)
    own = _first(folded, ("mentionid", "id", "index", "idx"))
    return AnswerMention(
        Quote(str(folded[text]), place),
        None if label in (None, "", []) else str(label),
        any(key in folded for key in keys.LABELS),
        () if key is None else folded[key],
        own,
        _first(folded, keys.DOCUMENTS),
    )


def _first(folded: Mapping[str, object], names: Iterable[str]) -> str:
    """The first string or number under one of the keys; empty if there is none."""
    return next((str(folded[key]) for key in names if isinstance(folded.get(key), (str, int))), "")


def _strings(value: object) -> list[str]:
    """The strings in lists and objects, but for names and remarks."""
    if isinstance(value, dict):
        items = [item for key, item in value.items() if folded_key(key) not in keys.UNCOUNTED]
        return [text for item in items for text in _strings(item)] + [
            str(item) for key, item in value.items() if folded_key(key) == "text" and isinstance(item, str)
        ]
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return [value] if isinstance(value, str) and value.strip() else []


def _of_flat_list(node: AnswerEntity) -> list[Quotes] | None:
    """The document of a list of mentions that is no list in a list; None if nobody can tell what it means."""
    mentions = node.mentions
    if not mentions:
        return [Quotes("", [])]
    if any(mention.antecedent != () for mention in mentions):
        return _grouped(_with_antecedents(mentions))
    if any(mention.certain for mention in mentions):
        return _grouped(mentions)
    ids = [mention.own for mention in mentions]
    if all(ids) and len(set(ids)) < len(ids):
        return _grouped([mention._replace(label=mention.own) for mention in mentions])
    if node.is_object:
        return _documents_of([node], node.document, whole=True)
    labels = [mention.label for mention in mentions]
    if None in labels or len(mentions) < 2:
        return None
    numbers = [int(label) for label in labels if label and label.isdecimal()]
    if numbers and numbers == sorted(numbers):
        return None
    return _grouped(mentions)


def _with_antecedents(mentions: Sequence[AnswerMention]) -> list[AnswerMention]:
    """Mentions that say an earlier mention, by its id or its text; or all of them the name of their entity."""
    names = [mention.antecedent if mention.antecedent != () else None for mention in mentions]
    named = any(mention.quote.text == name for mention, name in zip(mentions, names, strict=True))
    by_id = not named and all(name is None or type(name) is int for name in names)
    if by_id and not any(mention.own for mention in mentions):  # numbers of entities
        by_id, named = False, True
    entities: list[AnswerMention] = []
    entity_of: dict[str, str] = {}  # what an earlier mention is called -> its entity
    for number, (mention, name) in enumerate(zip(mentions, names, strict=True)):
        earlier = "" if name is None or name == -1 else str(name)
        label = mention.label
        if label is None and named:
            label = earlier or None
        elif label is None:
            if earlier and earlier not in entity_of and not by_id:  # a name that is no mention yet
                entity_of[earlier] = f"#{number}"
                entities.append(AnswerMention(Quote(earlier), f"#{number}"))
            label = entity_of.get(earlier, f"#{number}")
            entity_of[mention.own if by_id else mention.quote.text] = label
        entities.append(mention._replace(label=label, quote=mention.quote._replace(number=None) if by_id else mention.quote))
    return entities


def _grouped(mentions: Sequence[AnswerMention]) -> list[Quotes]:
    """The entities that mentions name; a mention that names none is one alone."""
    entities: dict[tuple[str, str], AnswerEntity] = {}
    for number, mention in enumerate(mentions):
        label = f"#{number}" if mention.label is None else mention.label
        entity = entities.setdefault((mention.document, label), AnswerEntity([], label, mention.document))
        place = None if mention.quote.number is not None and not mention.certain and mention.label else mention.quote.number
        entity.mentions.append(mention._replace(quote=mention.quote._replace(number=place)))
    return _documents_of(entities.values())
