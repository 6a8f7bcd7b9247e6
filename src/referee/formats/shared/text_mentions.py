"""Mentions in a text, as columns: what the readers of annotation tools without entities share.

What relations connect is an entity, called by its first mention. All other mentions are singletons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, arange, lengths, starts_of_runs
from referee.algorithms.components import joined
from referee.corpus import CorpusBuilder
from referee.corpus.editing import join
from referee.formats.shared.characters import Characters, Places, are_ink, cut, tokenised
from referee.formats.shared.documents import Pairs
from referee.formats.shared.relations import ChosenRelations

UNTYPED = "Mention"
"""The label of a mention whose entity has no type, in tools that want a label."""


class TextMention(NamedTuple):
    """A mention as a tool has it.

    Parameters
    ----------
    id : str
        What relations call it.
    label : str
        The type of its entity; `UNTYPED` is none.
    spans : sequence of pairs
        Half-open spans of characters.
    entity : str
        What its entity is called, where the tool says so: mentions of one name are of one entity.
    """

    id: str
    label: str
    spans: Sequence[tuple[int, int]]
    entity: str = ""


class TextMentions(NamedTuple):
    """The mentions of a text as columns.

    Parameters
    ----------
    ids, labels, entities : sequence of str
        As `TextMention` has them; no entities if no mention names one.
    of, start, end : int64, shape (spans,)
        The mention of each span that has words, in order, and its characters.
    """

    ids: Sequence[str]
    labels: Sequence[str]
    of: Ints
    start: Ints
    end: Ints
    entities: Sequence[str] = ()

    @property
    def entity_types(self) -> list[str]:
        """The type of the entity of each, empty if it has none."""
        types = {label: "" if label == UNTYPED else label for label in set(self.labels)}
        return [*map(types.__getitem__, self.labels)]

    def without_blanks(self, text: str) -> TextMentions:
        """The same without the spans of a text that have nothing but white space."""
        ink = np.concatenate(([0], np.cumsum(are_ink(text))))
        here = ink[self.start] < ink[self.end]
        return self if here.all() else self._replace(of=self.of[here], start=self.start[here], end=self.end[here])


def columns_of(text: str, mentions: Sequence[TextMention]) -> TextMentions:
    """The columns of mentions.

    Examples
    --------
    >>> columns = columns_of("a dog", [TextMention("m", "Mention", [(1, 2)]), TextMention("n", "P", [(0, 1), (2, 5)])])
    >>> columns.of.tolist(), columns.start.tolist(), columns.entity_types
    ([1, 1], [0, 2], ['', 'P'])
    """
    spans = [(number, *span) for number, mention in enumerate(mentions) for span in mention.spans]
    of, start, end = np.array(spans, dtype=np.int64).reshape(-1, 3).T
    entities = [mention.entity for mention in mentions]
    ids, labels = [mention.id for mention in mentions], [mention.label for mention in mentions]
    return TextMentions(ids, labels, of, start, end, entities if any(entities) else ()).without_blanks(text)


def on_tokens(
    text: str,
    mentions: TextMentions,
    tokens: Places | Sequence[tuple[int, int]] | None = None,
    sentences: Sequence[int] | Ints = (),
) -> Characters:
    """The tokens of a text, given or made, cut where a mention begins or ends."""
    edges = np.concatenate((mentions.start, mentions.end))
    if tokens is None:
        return tokenised(text, edges)
    characters = cut(text, tokens, sentences, edges)
    if any(map(str.isspace, characters.tokens)):  # perhaps parts of tokens, which count
        is_white = [text[start:end].isspace() for start, end in np.asarray(tokens).tolist()]
        return cut(text, np.asarray(tokens)[~np.array(is_white)], sentences, edges)
    return characters


def add_mentions(
    builder: CorpusBuilder, characters: Characters, mentions: TextMentions, links: Pairs | Ints, chosen: ChosenRelations
) -> None:
    """Add the mentions of a document, which has begun, and the entities that their links and names make.

    Mentions without words are left out, and counted among what `chosen` warns of. What they link stays one entity.
    """
    of, start, end = mentions.of, *characters.spans(mentions.start, mentions.end)
    if not (has_tokens := start < end).all():  # a byte order mark, a part of a mention, is none
        of, start, end = of[has_tokens], start[has_tokens], end[has_tokens]
    begins = np.flatnonzero(starts_of_runs(of))
    kept, sizes = of[begins], lengths(begins, len(of))
    chosen.blank += len(mentions.ids) - len(kept)
    fragments = {}
    for row in np.flatnonzero(sizes > 1).tolist():
        spans = slice(begins[row], begins[row] + sizes[row])
        fragments[row] = join(zip(start[spans].tolist(), end[spans].tolist(), strict=True))
    pairs = np.array(links, dtype=np.int64).reshape(-1, 2)
    first = _first_of_entities(mentions, kept, pairs).tolist()
    labels, types = _labels(mentions, kept), mentions.entity_types
    number = np.full(len(mentions.ids), -1, dtype=np.int64)
    number[kept] = arange(len(kept)) + builder.add_spans(
        np.minimum.reduceat(start, begins),
        np.maximum.reduceat(end, begins),
        [*map(labels.__getitem__, first)],
        [1] * len(kept),
        entity_types=[*map(types.__getitem__, first)],
        fragments=fragments,
    )
    pairs = number[pairs]
    builder.add_links(pairs[(pairs >= 0).all(axis=1)])


def _labels(mentions: TextMentions, numbers: Ints) -> Sequence[str]:
    """What the entity of each mention is called if it is the first of it: an id is none of the names of those that are kept."""
    if not mentions.entities:
        return mentions.ids
    names = {mentions.entities[n] for n in numbers.tolist()} - {""}
    return [name or id_ + "#" * (id_ in names) for id_, name in zip(mentions.ids, mentions.entities, strict=True)]


def _first_of_entities(mentions: TextMentions, numbers: Ints, links: Ints) -> Ints:
    """The first mention of the entity of each mention that is kept."""
    named: dict[str, int] = {}
    same = [
        (named.setdefault(name, n), n)
        for n in (numbers.tolist() if mentions.entities else ())
        if (name := mentions.entities[n])
    ]
    pairs = np.concatenate((links, np.array(same, dtype=np.int64).reshape(-1, 2)))
    root = joined(arange(len(mentions.ids)), *pairs.T)[numbers]
    _, first, entity = np.unique(root, return_index=True, return_inverse=True)
    return numbers[first[entity]]


def covering(text: str, tokens: Sequence[str]) -> Places | None:
    """The characters of each token, in order; None if they are not all that the text has, white space left out.

    Examples
    --------
    >>> covering("Ann's dog", ["Ann", "'s", "dog"]).tolist()
    [[0, 3], [3, 5], [6, 9]]
    """
    sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
    if not sizes.all():
        return None
    words = "".join(tokens)
    if not are_ink(words).all():
        return _searched(text, tokens)
    ink = np.flatnonzero(are_ink(text))
    ends = np.cumsum(sizes)
    if len(ink) != len(words):
        return None
    start = ink[ends - sizes]
    after = ink[ends - 1] + 1
    pieces = [*map(text.__getitem__, map(slice, start.tolist(), after.tolist()))]
    return np.stack((start, after), axis=1) if pieces == list(tokens) else None


def _searched(text: str, tokens: Sequence[str]) -> Places | None:
    """The same for tokens of which some have white space in them: each is where it is found next."""
    starts, end = [], 0
    for token in tokens:
        start = text.find(token, end)
        if start < 0 or text[end:start].strip():
            return None
        starts.append(start)
        end = start + len(token)
    if text[end:].strip():
        return None
    first = np.array(starts, dtype=np.int64)
    return np.stack((first, first + np.array([*map(len, tokens)], dtype=np.int64)), axis=1)


def valid_span(text: str, start: object, end: object) -> tuple[int, int] | None:
    """A half-open span of characters of a text, if these are offsets of one. It may be empty, or white space alone."""
    if type(start) is int and type(end) is int and 0 <= start <= end <= len(text):
        return start, end
    return None
