"""Mentions in a text: what the readers of annotation tools without entities share.

What relations connect is an entity, called by its first mention. All other mentions are singletons.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.components import components
from referee.corpus import CorpusBuilder, Spans
from referee.corpus.editing import join
from referee.corpus.undecided import UNDECIDED
from referee.formats.shared.characters import Characters, Places, cut, tokenised
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


def without_blanks(text: str, mentions: Iterable[TextMention]) -> list[TextMention]:
    """The mentions without the spans that have nothing but white space.

    Examples
    --------
    >>> [mention.spans for mention in without_blanks("a dog", [TextMention("m", "", [(1, 2)]), TextMention("n", "", [(0, 1)])])]
    [[], [(0, 1)]]
    """
    return [m._replace(spans=[(start, end) for start, end in m.spans if text[start:end].strip()]) for m in mentions]


def on_tokens(
    text: str,
    mentions: Sequence[TextMention],
    tokens: Places | Sequence[tuple[int, int]] | None = None,
    sentences: Sequence[int] | Ints = (),
) -> Characters:
    """The tokens of a text, given or made, cut where a mention begins or ends."""
    edges = [edge for mention in mentions for span in mention.spans for edge in span]
    if tokens is None:
        return tokenised(text, edges)
    characters = cut(text, tokens, sentences, edges)
    if any(map(str.isspace, characters.tokens)):  # perhaps parts of tokens, which count
        is_white = [text[start:end].isspace() for start, end in np.asarray(tokens).tolist()]
        return cut(text, np.asarray(tokens)[~np.array(is_white)], sentences, edges)
    return characters


def add_mentions(
    builder: CorpusBuilder, characters: Characters, mentions: Sequence[TextMention], links: Pairs, meaning: ChosenRelations
) -> None:
    """Add the mentions of a document, which has begun, and the entities that their links and names make.

    Mentions without words are left out, and counted among what `meaning` warns of. What they link stays one entity.
    """
    placed = on_words(characters.starts, characters.ends, mentions, links)
    meaning.blank += len(mentions) - len(placed)
    number = {n: builder.mention(0, 0, m.entity, m.type, spans=m.spans) for n, m in placed.items()}
    for one, other in links:
        if one in number and other in number:
            builder.link(number[one], number[other])


class PlacedMention(NamedTuple):
    """A mention of words: what its entity is called, the type of that, and its spans of tokens.

    The type is that of the first mention that has one.
    """

    entity: str
    type: str
    spans: Spans


def on_words(starts: Ints, ends: Ints, mentions: Sequence[TextMention], links: Pairs) -> dict[int, PlacedMention]:
    """The mentions that have words, by their numbers, on tokens with these characters."""
    first_character, after_character = starts.tolist(), ends.tolist()
    spans: dict[int, Spans] = {}
    for n, mention in enumerate(mentions):
        on_tokens = [(bisect_right(after_character, start), bisect_left(first_character, end)) for start, end in mention.spans]
        if has_words := [(first, after) for first, after in on_tokens if first < after]:  # a byte order mark is none
            spans[n] = join(has_words)
    by_name: dict[str, int] = {}
    same = [(by_name.setdefault(mentions[n].entity, n), n) for n in spans if mentions[n].entity]
    roots = components(len(mentions), [*links, *same])
    first_of: dict[int, int] = {}
    types: dict[int, str] = {}
    for n in spans:
        first_of.setdefault(roots[n], n)
        if mentions[n].label not in (UNTYPED, UNDECIDED):
            types.setdefault(roots[n], mentions[n].label)
    sizes = Counter(roots[n] for n in spans)
    placed = {}
    for n, parts in spans.items():
        first = mentions[first_of[roots[n]]]
        label = first.entity or first.id + "#" * (first.id in by_name)
        is_undecided = mentions[n].label == UNDECIDED and sizes[roots[n]] == 1
        placed[n] = PlacedMention(label, UNDECIDED if is_undecided else types.get(roots[n], ""), parts)
    return placed


def covering(text: str, tokens: Sequence[str]) -> list[tuple[int, int]] | None:
    """The characters of each token, in order; None if they are not all that the text has, white space left out.

    Examples
    --------
    >>> covering("Ann's dog", ["Ann", "'s", "dog"])
    [(0, 3), (3, 5), (6, 9)]
    """
    places, end = [], 0
    for token in tokens:
        start = text.find(token, end)
        if not token or start < 0 or text[end:start].strip():
            return None
        end = start + len(token)
        places.append((start, end))
    return None if text[end:].strip() else places


def valid_span(text: str, start: object, end: object) -> tuple[int, int] | None:
    """A half-open span of characters of a text, if these are offsets of one. It may be empty, or white space alone."""
    if type(start) is int and type(end) is int and 0 <= start <= end <= len(text):
        return start, end
    return None
