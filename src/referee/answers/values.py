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

LABEL_KEY = re.compile(r"\w*(?:chain|cluster|coref|entity|group|referent)(?:id|idx|index|number|num|no|name|label)?")
"""A key of the entity of a mention, besides those that are listed."""

HEAD = re.compile("head|main|first|antecedent|representative|primary|anchor")
"""What is in the key of a mention that stands beside the others."""

OTHER_TEXT = re.compile(r"\s*(?:```|[\[{]+\s*\"|\[[^\[\]]*\]\(#)")
"""How a string begins that is an answer itself, and no mention."""
DIVIDED = re.compile(r"[,;|/、，；]|->|→")
"""A sign of a string with several mentions."""

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


class ValueRows(NamedTuple):
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
        Its entity; empty if it says that it has none, None if it says nothing.
    antecedent : object
        The earlier mention that it names; `()` if it names none by its keys.
    own : str
        Its own id.
    document : str
        Its document, if it says that.
    """

    quote: Quote
    label: str | None = None
    antecedent: object = ()
    own: str = ""
    document: str = ""


class AnswerEntity(NamedTuple):
    """A list of mentions. It is an entity, or a flat list of mentions that name their entities.

    Parameters
    ----------
    mentions : list of AnswerMention
        In the order of the list.
    label : str or None
        Its name; None for a list alone.
    document : str
        Its document, if it says that.
    """

    mentions: list[AnswerMention]
    label: str | None = None
    document: str = ""

    @property
    def is_labelled(self) -> bool:
        """Whether it is no entity itself: its mentions name theirs."""
        return not self.label and all(mention.label is not None for mention in self.mentions)


Node: TypeAlias = "AnswerMention | AnswerEntity | list[Quotes] | None"


def is_shallow(value: object, left: int = DEEPEST) -> bool:
    """Whether brackets are nested no deeper than those of an answer."""
    return not isinstance(value, list | dict) or (left > 0 and all(is_shallow(inner, left - 1) for inner in _inside(value)))


def is_hollow(value: object) -> bool:
    """Whether it has nothing inside but empty lists."""
    return value is None or (isinstance(value, list | dict) and all(map(is_hollow, _inside(value))))


def _inside(value: list[object] | dict[str, object]) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value


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
        certain = any(m.label is not None or m.antecedent != () or (m.own and node.label is None) for m in node.mentions)
        documents = _of_flat_list(node)
        return ValuesRead(documents or [], unread, 1 + (documents is not None and certain))
    return ValuesRead(node, unread, 2 + (len(node) > 1 or any(document.name for document in node)))


def is_answer(value: object) -> bool:
    """Whether a value is a document with entities, or several."""
    reading = read_value(value)
    return reading.depth > 1 and bool(reading.documents)


def is_entity(value: object) -> bool:
    """Whether a value is a list of mentions, or several of one each."""
    single = isinstance(value, list) and all(isinstance(item, list) and len(item) == 1 for item in value)
    return single or read_value(value).depth < 2


def are_mentions(values: Sequence[object]) -> bool:
    """Whether values are objects that are mentions, and say their entities."""
    mentions = all(isinstance(value, dict) and read_value(value).depth == 0 for value in values)
    return mentions and is_answer(list(values))


def _node(value: object, unread: list[str], place: int | None = None) -> Node:
    """What a value is; `place` is the sentence of its mentions."""
    if isinstance(value, Quote):
        return AnswerMention(value)
    if isinstance(value, str) and OTHER_TEXT.match(value):
        unread.append(value)
    elif isinstance(value, str):
        return AnswerMention(Quote(value, place)) if value.strip() else None
    if isinstance(value, list):
        return _of_list(value, unread, place)
    return _of_object(value, unread, place) if isinstance(value, dict) else None


def _of_list(value: Sequence[object], unread: list[str], place: int | None) -> Node:
    strings = [part for part in value if isinstance(part, str) and part.strip()]
    places = [part for part in value if _is_place(part)]
    if 2 <= len(value) <= 3 and len(strings) == 1 and len(places) == len(value) - 1:
        number = _number(places[0])
        return (
            AnswerMention(Quote(strings[0], number)) if place is None else AnswerMention(Quote(strings[0], place), str(number))
        )
    pairs = [item for item in value if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str)]
    if pairs and len(pairs) == len(value):
        if labelled := _with_labels(pairs, place):
            return AnswerEntity(labelled)
        if all(isinstance(item, list) and not _is_place(item) for _, item in pairs):
            value = [{"name": name, "mentions": mentions} for name, mentions in pairs]
    single = [next(iter(item.items())) for item in value if isinstance(item, dict) and len(item) == 1]
    lists = [item for name, item in single if isinstance(item, list) and not _is_content_key(name)]
    if (
        lists
        and len(lists) == len(value)
        and all(isinstance(part, str) or _is_mention(part) for item in lists for part in item)
    ):
        value = [{"name": name, "mentions": mentions} for name, mentions in single]
    shapes = {frozenset(item) for item in value if isinstance(item, dict)}
    alike = all(isinstance(item, dict) for item in value) and len(shapes) < max(len(value), 2)
    nodes: list[AnswerMention | AnswerEntity | list[Quotes]] = []
    for item in value:
        node = _of_object(item, unread, place, alike=alike) if isinstance(item, dict) else _node(item, unread, place)
        nodes += [] if node is None else [node]
        if node is None and isinstance(item, dict):
            unread += [part for part in item.values() if isinstance(part, str)][:1]
    return _together(nodes) if nodes or is_hollow(value) else None


def _together(nodes: Sequence[AnswerMention | AnswerEntity | list[Quotes]]) -> Node:
    """What several nodes are that stand in one list."""
    mentions = [node for node in nodes if isinstance(node, AnswerMention)]
    if len(mentions) == len(nodes):
        return AnswerEntity(mentions)
    entities = [AnswerEntity([n]) if isinstance(n, AnswerMention) else n for n in nodes if not isinstance(n, list)]
    if len(entities) == len(nodes):
        labelled = not mentions and all(entity.is_labelled for entity in entities)  # a list a sentence
        return AnswerEntity([m for entity in entities for m in entity.mentions]) if labelled else _documents_of(entities)
    documents = [document for node in nodes if isinstance(node, list) for document in node]
    documents = [document._replace(whole=document.name != "") for document in documents]
    return documents + (_documents_of(entities, whole=False) if entities else [])  # beside documents, or a bracket too many


def _documents_of(entities: Iterable[AnswerEntity], name: str = "", *, whole: bool = True) -> list[Quotes]:
    """Entities as documents, by what they say."""
    documents: dict[str, list[tuple[str, list[Quote]]]] = {}
    for entity in entities:
        document = documents.setdefault(entity.document or name, [])
        if entity.mentions:
            document.append((entity.label or "", [mention.quote for mention in entity.mentions]))
    return [Quotes(name, entities, whole) for name, entities in documents.items()] or [Quotes(name, [], whole)]


def _is_mention(value: object) -> bool:
    """Whether it is a string with a number beside it."""
    return isinstance(value, list) and isinstance(_of_list(value, [], None), AnswerMention)


def _with_labels(pairs: Sequence[Sequence[object]], place: int | None) -> list[AnswerMention]:
    """The mentions of pairs of a string and an id, or the number of a sentence, which are strings, too; none of others."""
    strings = [(str(text), label) for text, label in pairs if isinstance(label, str)]
    if len(strings) < len(pairs):
        return []
    numbers = [number for _, label in strings if (number := SENTENCE.fullmatch(label))]
    if place is None and len(numbers) == len(pairs):
        return [AnswerMention(Quote(text, int(number[1]))) for (text, _), number in zip(strings, numbers, strict=True)]
    ids = len(pairs) > 1 and all(LABEL.fullmatch(label) and not LABEL.fullmatch(text) for text, label in strings)
    return [AnswerMention(Quote(text, place), label) for text, label in strings] if ids else []


def _is_content_key(key: object) -> bool:
    return folded_key(key) in (*keys.ENTITIES, *keys.MENTIONS, *keys.WRAPPERS)


def _is_place(value: object) -> bool:
    return type(value) is int or (isinstance(value, list) and 0 < len(value) <= 2 and all(type(part) is int for part in value))


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else int(value[0]) if isinstance(value, list) else None


def _of_object(value: Mapping[str, object], unread: list[str], place: int | None, *, alike: bool = False) -> Node:
    """What an object is: by its keys, or else by its shape; `alike` says that others beside it have the same keys."""
    folded = {folded_key(key): item for key, item in value.items()}
    nested = {key: item for key, item in folded.items() if isinstance(item, list | dict) and not _is_place(item)}
    sentence = re.fullmatch(r"\D{0,12}(\d{1,5})\W*", _first(folded, keys.SENTENCES))
    place = int(sentence[1]) if sentence else place
    text = next((key for key in keys.WORDS if isinstance(folded.get(key), str)), None)
    if not any(map(_is_content_key, nested)) and text is not None:
        return _mention(folded, text, place)
    key, item = next(iter(value.items()), ("", None))
    if len(value) == 1 and isinstance(item, str) and (number := SENTENCE_KEY.fullmatch(str(key))):
        return AnswerMention(Quote(item, int(number[1])))
    if any(key in keys.ENTITIES for key, item in folded.items() if key in nested or item is None):
        return _of_content(folded, (*keys.ENTITIES, *keys.MENTIONS), unread, alike=alike)
    mentions = next((key for key in nested if key in keys.MENTIONS), None)
    if mentions is None and any(key in keys.WRAPPERS for key in nested) and len(nested) < 3:
        return _of_content(folded, keys.WRAPPERS, unread)
    named = alike or any(key in (*keys.NAMES, *keys.LABELS) for key in folded.keys() - nested.keys())
    if mentions is None and named and len(nested) == 1 < len(folded) and nested.keys().isdisjoint(keys.GOLD):
        [mentions] = nested
    return _of_mapping(value, folded, unread) if mentions is None else _entity(folded, mentions, unread, place)


def _of_content(folded: Mapping[str, object], under: Sequence[str], unread: list[str], *, alike: bool = False) -> Node:
    """The document under one of several keys: the one that has most."""
    name = _first(folded, (*keys.DOCUMENTS, *keys.NAMES))
    nodes: dict[str, tuple[Node, list[str]]] = {}
    for key, item in folded.items():
        if key in under and (item is None or isinstance(item, list | dict)) and not _is_place(item):
            lost: list[str] = []
            nodes[key] = (AnswerEntity([]) if is_hollow(item) else _node(item, lost)), lost
    best = max(nodes, key=lambda key: _size(nodes[key][0]), default="")
    node, lost = nodes.get(best, (None, []))
    others = [
        item for key, item in folded.items() if key not in (best, *keys.SINGLETONS, *keys.ECHOES, *keys.REMARKS, *keys.WRAPPERS)
    ]
    unread += [*lost, *(text for item in others if isinstance(item, list) for text in _strings(item))]
    if alike and isinstance(node, AnswerEntity) and len(nodes) == 1:  # one of several objects: an entity, and no document
        return _entity(folded, best, unread, None)
    documents = _of_flat_list(node) if isinstance(node, AnswerEntity) else node
    if not documents or isinstance(documents, AnswerMention):
        return None
    if best in (*keys.ENTITIES, *keys.MENTIONS) and not any(document.name for document in documents):
        documents = [Quotes("", [entity for document in documents for entity in document.entities])]
    alone = [("", [Quote(text)]) for key in keys.SINGLETONS for text in _strings(folded.get(key))]
    return [Quotes(d.name or name, d.entities + alone * (n == 0), whole=True) for n, d in enumerate(documents)]


def _size(node: Node) -> int:
    """How many mentions there are; more if they are in lists, or name their entities."""
    if isinstance(node, list):
        return 2 * sum(len(mentions) for document in node for _, mentions in document.entities)
    return len(node.mentions) * (1 + node.is_labelled) if isinstance(node, AnswerEntity) else 0


def _entity(folded: Mapping[str, object], mentions: str, unread: list[str], place: int | None) -> Node:
    """An object with a list of mentions, or with something else in its place."""
    node = _node(folded[mentions], unread, place)
    name, document = _first(folded, (*keys.NAMES, *keys.LABELS)), _first(folded, keys.DOCUMENTS)
    others = [item for key, item in folded.items() if key not in (mentions, *keys.ECHOES) and isinstance(item, list | dict)]
    listed = _strings(folded[mentions])
    unread += [text for item in others for text in _strings(item)]
    unread += [item for key, item in folded.items() if isinstance(item, str) and HEAD.search(key) and item not in listed]
    if isinstance(node, list):
        node = [quotes._replace(name=quotes.name or document) for quotes in node]
        if len(node) > 1 or node[0].name or mentions not in keys.MENTIONS:
            return node
        return AnswerEntity([AnswerMention(quote) for _, quotes in node[0].entities for quote in quotes], name, document)
    inside = node.mentions if isinstance(node, AnswerEntity) else [] if node is None else [node]
    if place is not None and all(m.own and m.label is None for m in inside):  # ids of entities, as mentions are by sentence
        inside = [m._replace(label=m.own) for m in inside]
    labels = {m.label for m in inside}
    is_sentence = place is not None or any(isinstance(folded.get(key), str) for key in ("text", "sentence"))
    if inside and None not in labels and (is_sentence or len(labels) > 1 or not name):
        return AnswerEntity([m._replace(document=m.document or document) for m in inside])
    return AnswerEntity(inside, name, document)


def _of_mapping(value: Mapping[str, object], folded: Mapping[str, object], unread: list[str]) -> Node:
    """A mapping from names to entities or documents, from sentences to mentions, or from mentions to their entities."""
    items = {str(key): item for key, item in value.items() if not _is_remark(key, item)}
    labels = list(items.values())
    sentences = [number for key in items if (number := SENTENCE_KEY.fullmatch(key))]
    if items and len(sentences) == len(items) and all(isinstance(item, list | dict) for item in items.values()):
        nodes = [_sentence(item, unread, int(n[1])) for item, n in zip(items.values(), sentences, strict=True)]
        mentions = [mention for node in nodes for mention in node]
        if any(mention.label for mention in mentions):
            unread += [mention.quote.text for mention in mentions if not mention.label]
            mentions = [mention for mention in mentions if mention.label]
        return AnswerEntity(mentions) if mentions else None
    if pairs := _labels(items):
        return AnswerEntity(pairs)
    scalar = not any(isinstance(item, list | dict) for item in folded.values())
    if scalar and any(key in folded for key in (*keys.LABELS, *keys.ANTECEDENTS)):
        return None
    entities: list[AnswerEntity] = []
    documents: list[Quotes] = []
    is_described = not folded.keys().isdisjoint(keys.ATTRIBUTES)
    for key, item in items.items():
        node = _node(item, unread) if not isinstance(item, int | float) else None
        if folded_key(key) in keys.SINGLETONS:
            entities += [AnswerEntity([AnswerMention(Quote(text))], "") for text in _strings(item)]
        elif isinstance(node, list) and folded_key(key) in keys.GOLD:
            unread += _strings(item)  # a key, or a prompt
        elif isinstance(node, list):
            documents += [document._replace(name=document.name or key, whole=True) for document in node]
        elif isinstance(node, AnswerEntity):
            entities.append(
                node if node.mentions and node.is_labelled else node._replace(label=key)
            )  # a list a sentence, or a document
        elif node is not None and not is_described:
            entities.append(AnswerEntity([node], key))
        elif node is None and is_hollow(item) and item is not None:
            entities.append(AnswerEntity([], key))
    if documents:
        return [*documents, *(_documents_of(entities, whole=False) if any(e.mentions for e in entities) else [])]
    if entities and all(entity.is_labelled for entity in entities):
        return AnswerEntity([mention for entity in entities for mention in entity.mentions])
    texts = [item for item in labels if isinstance(item, str)]
    if texts and len(texts) == len(entities) and not any(map(DIVIDED.search, texts)):
        unread += texts  # names of entities, or descriptions
        return None
    return _documents_of(entities) if entities or not items else None


def _sentence(item: object, unread: list[str], place: int) -> Sequence[AnswerMention]:
    """The mentions of a sentence: a list, or a mapping from mentions to their entities."""
    if isinstance(item, dict) and all(isinstance(label, str | int) for label in item.values()):
        return [AnswerMention(Quote(str(text), place), str(label)) for text, label in item.items()]
    node = _node(item, unread, place)
    return node.mentions if isinstance(node, AnswerEntity) else [node] if isinstance(node, AnswerMention) else []


def _labels(items: Mapping[str, object]) -> list[AnswerMention]:
    """The mentions of a mapping from mentions to the ids or names of their entities; none of another."""
    labels = [str(label) for label in items.values() if type(label) is int or isinstance(label, str)]
    ids = all(map(LABEL.fullmatch, labels)) or all(isinstance(label, str) for label in items.values())
    if len(labels) < len(items) or not ids or len(set(labels)) == len(labels) or any(map(LABEL.fullmatch, items)):
        return []
    return [AnswerMention(Quote(text), label) for text, label in zip(items, labels, strict=True)]


def _is_remark(key: object, value: object) -> bool:
    """Whether a pair of a key and a value is no entity: a sentence beside the entities, or a number."""
    return (isinstance(value, str) and folded_key(key) in keys.REMARKS) or value is None or isinstance(value, bool | float)


def _mention(folded: Mapping[str, object], text: str, place: int | None) -> AnswerMention:
    """A mention that is an object."""
    numbers = [_number(folded[key]) for key in keys.SENTENCES + keys.STARTS if _is_place(folded.get(key))]
    others = (key for key in folded if LABEL_KEY.fullmatch(key))
    label = next((folded[key] for key in (*keys.LABELS, *others) if key in folded), ())
    antecedent = next((folded[key] for key in keys.ANTECEDENTS if key in folded), ())
    return AnswerMention(
        Quote(str(folded[text]), numbers[0] if numbers else place),
        None if label == () else "" if label in (None, []) else str(label),
        antecedent,
        _first(folded, ("mentionid", "id", "index", "idx")),
        _first(folded, keys.DOCUMENTS),
    )


def _first(folded: Mapping[str, object], names: Iterable[str]) -> str:
    """The first string or number under one of the keys; empty if there is none."""
    return next((str(folded[key]) for key in names if isinstance(folded.get(key), str | int)), "")


def _strings(value: object) -> list[str]:
    """The strings in lists and objects, but for names and remarks."""
    if isinstance(value, dict):
        items = [item for key, item in value.items() if folded_key(key) not in keys.UNCOUNTED - {"text"}]
        return [text for item in items for text in _strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return [value] if isinstance(value, str) and value.strip() else []


def _of_flat_list(node: AnswerEntity) -> list[Quotes] | None:
    """The document of a list of mentions that is no list in a list; None if nobody can tell what it means."""
    mentions = node.mentions
    ids, numbers = [mention.own for mention in mentions], [mention.quote.number for mention in mentions]
    if any(mention.antecedent != () for mention in mentions):
        mentions = _with_antecedents(mentions)
    elif any(mention.label is not None for mention in mentions):
        pass
    elif all(ids) and len(set(ids)) < len(ids):
        mentions = [mention._replace(label=mention.own) for mention in mentions]
    elif node.label is not None or not mentions:
        return _documents_of([node], node.document)
    else:
        places = [number for number in numbers if number is not None]
        if len(places) < max(len(mentions), 2) or places == sorted(places):
            return None
        mentions = [AnswerMention(Quote(m.quote.text), str(m.quote.number)) for m in mentions]
    entities: dict[tuple[str, str], AnswerEntity] = {}  # a mention that names none is one alone
    for number, mention in enumerate(mentions):
        label = mention.label or f"#{number}"
        entities.setdefault((mention.document, label), AnswerEntity([], label, mention.document)).mentions.append(mention)
    return _documents_of(entities.values())


def _with_antecedents(mentions: Sequence[AnswerMention]) -> list[AnswerMention]:
    """Mentions that say an earlier mention, by its id or its text; or all of them the name of their entity."""
    names = [mention.antecedent if mention.antecedent != () else None for mention in mentions]
    texts = [mention.quote.text for mention in mentions]
    first_mentions = {name for text, name in zip(texts, names, strict=True) if text == name}
    named = bool(first_mentions) and first_mentions.issuperset(name for name in names if name in texts)
    by_id = not named and all(name is None or type(name) is int for name in names)
    if by_id and not any(mention.own for mention in mentions):  # numbers of entities
        by_id, named = False, True
    entities: list[AnswerMention] = []
    entity_of: dict[str, str] = {}  # what an earlier mention is called -> its entity
    for number, (mention, name) in enumerate(zip(mentions, names, strict=True)):
        is_own = name == mention.quote.text and name not in entity_of and not named
        earlier = "" if name in (None, -1) or is_own else str(name)
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
