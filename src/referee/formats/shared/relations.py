"""Mentions in a text, and relations between them: what the readers of annotation tools without entities share.

Relations whose name begins with "coref" or "ident" (in either case) mean coreference, and so do those without a name; or, if
the user names relations, these alone. Others are left out with a warning. What they connect is an entity, called by its first
mention. All other mentions are singletons.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, numbers
from referee.algorithms.components import components, joined
from referee.basics.exceptions import one_line, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.editing import join
from referee.formats.shared.characters import BLANK, Characters, Places, cut, tokenised
from referee.formats.shared.documents import Pairs, unwritable
from referee.formats.shared.json_values import Report
from referee.formats.shared.remainder import Remainder
from referee.formats.shared.remarks import remark

COREFERENCE = re.compile(r"coref|ident", re.IGNORECASE)

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

    @property
    def entity_type(self) -> str:
        """The type of its entity, empty if it has none."""
        return "" if self.label == UNTYPED else self.label


class Relation(NamedTuple):
    """A relation of two mentions: its names, if it has any, and the ids of the mentions."""

    names: Sequence[str]
    first: str
    second: str


class ChosenRelations:
    """Which relations of an input mean coreference, by their names; counts the others, and mentions without words.

    Parameters
    ----------
    asked : sequence of str
        The names that the user gave, in any case; none for those that the format says.
    usual : callable
        Whether a name means coreference in the format, if the user gave none.
    said : str
        What a warning says of these names.

    Examples
    --------
    >>> chosen = ChosenRelations(["ante"])
    >>> chosen.means("Ante"), chosen.means("Coreference"), chosen.ignored
    (True, False, Counter({'Coreference': 1}))
    """

    def __init__(
        self,
        asked: Sequence[str] = (),
        usual: Callable[[str], object] = COREFERENCE.match,
        said: str = "those whose names begin with coref or ident are",
    ) -> None:
        self.missing = {name.lower(): name for name in asked}
        self.names = frozenset(self.missing)
        self.usual, self.said = usual, said
        self.ignored = Counter[str]()
        self.blank = 0

    def means(self, *names: str) -> bool:
        """Whether a relation with these names means coreference. Without a name it does, unless the user gave names."""
        found = self.matches(*names)
        if not found:
            self.ignored[" ".join(names) or "without a name"] += 1
        return found

    def matches(self, *names: str) -> bool:
        """The same for what is no relation, but a layer of relations: it is not counted."""
        if not self.names:
            return not names or any(map(self.usual, names))
        given = {name.lower() for name in names}
        for name in given:
            self.missing.pop(name, None)
        return not self.names.isdisjoint(given)

    def warn(self, source: str) -> None:
        """Warn of relations that are no coreference, of names that no relation has, and of mentions without words."""
        said = "those that --relations names are" if self.names else f"{self.said}, or those that --relations names"
        remark(source, f"ignored {{}} other than coreference ({{names}}); {said}", "relation", self.ignored)
        remark(source, "found no relation with {} of --relations ({names})", "name", Counter(self.missing.values()))
        remark(source, BLANK, "mention", self.blank)


def coreferent(
    relations: Iterable[Relation], mentions: Sequence[TextMention], chosen: ChosenRelations, report: Report
) -> Iterator[tuple[int, int]]:
    """The pairs of mentions, by number, that corefer; counts relations that mean something else.

    Parameters
    ----------
    relations, mentions
        Those of a document.
    chosen : ChosenRelations
        Which mean coreference; takes the names of those that do not.
    report : callable
        Takes an error.
    """
    number = {mention.id: n for n, mention in enumerate(mentions)}
    for names, first, second in relations:
        if not chosen.means(*names):
            continue
        if first in number and second in number and first != second:
            yield number[first], number[second]
            continue
        relation = f"a relation {one_line(shortened(' '.join(names)))!r}"
        if (unknown := next((id_ for id_ in (first, second) if id_ not in number), None)) is not None:
            report(f"{relation} is with {one_line(shortened(unknown))!r}; expected a mention's id")
        else:
            report(f"{relation} is of {one_line(shortened(first))!r} with itself; expected two")


def on_tokens(
    text: str,
    mentions: Sequence[TextMention],
    tokens: Places | Sequence[tuple[int, int]] | None = None,
    sentences: Sequence[int] | Ints = (),
) -> Characters:
    """The tokens of a text, given or made, cut where a mention begins or ends."""
    edges = _with_ink(text, mentions)[1:].ravel()
    if tokens is None:
        return tokenised(text, edges)
    characters = cut(text, tokens, sentences, edges)
    if any(map(str.isspace, characters.tokens)):  # perhaps parts of tokens, which count
        is_white = [text[start:end].isspace() for start, end in np.asarray(tokens).tolist()]
        return cut(text, np.asarray(tokens)[~np.array(is_white)], sentences, edges)
    return characters


def add_mentions(
    builder: CorpusBuilder,
    text: str,
    characters: Characters,
    mentions: Sequence[TextMention],
    links: Pairs,
    chosen: ChosenRelations,
) -> None:
    """Add the mentions of a document, which has begun, and the entities that their links and names make.

    Mentions without words are left out, and counted among what `chosen` warns of. What they link stays one entity.
    """
    of, *places = _with_ink(text, mentions)
    start, end = characters.spans(*places)
    has_tokens = start < end  # a byte order mark, a part of a mention, is none
    of, start, end = of[has_tokens], start[has_tokens], end[has_tokens]
    kept, begins, sizes = np.unique(of, return_index=True, return_counts=True)
    chosen.blank += len(mentions) - len(kept)
    fragments = {}
    for row in np.flatnonzero(sizes > 1).tolist():
        spans = slice(begins[row], begins[row] + sizes[row])
        fragments[row] = join(zip(start[spans].tolist(), end[spans].tolist(), strict=True))
    given = [mentions[n] for n in kept.tolist()]
    names = {mention.entity for mention in given} - {""}
    labels = [mention.entity or mention.id + "#" * (mention.id in names) for mention in given]
    root = _roots(mentions, kept, links)
    first = builder.add_spans(
        np.minimum.reduceat(start, begins),
        np.maximum.reduceat(end, begins),
        [labels[n] for n in root.tolist()],
        [1] * len(kept),
        entity_types=[given[n].entity_type for n in root.tolist()],
        fragments=fragments,
    )
    number = np.full(len(mentions), -1, dtype=np.int64)
    number[kept] = first + numbers(len(kept))
    pairs = number[np.array(links, dtype=np.int64).reshape(-1, 2)]
    for a, b in pairs[(pairs >= 0).all(axis=1)].tolist():
        builder.link(a, b)


def _roots(mentions: Sequence[TextMention], kept: Ints, links: Pairs) -> Ints:
    """The first mention of the entity of each mention that is kept, both as numbers among these."""
    first: dict[str, int] = {}
    named = ((n, mentions[n].entity) for n in kept.tolist() if mentions[n].entity)
    same = [(first.setdefault(name, n), n) for n, name in named]
    pairs = np.array([*links, *same], dtype=np.int64).reshape(-1, 2)
    root = joined(numbers(len(mentions)), *pairs.T)[kept]
    _, first_of, component = np.unique(root, return_index=True, return_inverse=True)
    return first_of[component]


def _with_ink(text: str, mentions: Sequence[TextMention]) -> Ints:
    """The spans with words, as three columns: the number of the mention, and the characters. Shape (3, spans)."""
    spans = [
        (number, start, end)
        for number, mention in enumerate(mentions)
        for start, end in mention.spans
        if text[start:end].strip()
    ]
    return np.array(spans, dtype=np.int64).reshape(-1, 3).T


def covering(text: str, tokens: Sequence[str]) -> Places | None:
    """The characters of each token, in order; None if they are not all that the text has, white space left out.

    Examples
    --------
    >>> covering("Ann's dog", ["Ann", "'s", "dog"]).tolist()
    [[0, 3], [3, 5], [6, 9]]
    """
    starts, end = [], 0
    for token in tokens:
        start = text.find(token, end)
        if not token or start < 0 or text[end:start].strip():
            return None
        starts.append(start)
        end = start + len(token)
    if text[end:].strip():
        return None
    first = np.array(starts, dtype=np.int64)
    return np.stack((first, first + np.array([*map(len, tokens)], dtype=np.int64)), axis=1)


def label_of(corpus: Corpus, name: str, entity: int, *, format: str) -> str:
    """The label of the mentions of an entity in a document: its type, or `UNTYPED`.

    Raises
    ------
    FormatError
        If the type is `UNTYPED`, or has blanks or a semicolon in it, which brat cannot hold.
    """
    entity_type = corpus.entity_types[entity] if corpus.entity_types is not None else ""
    if entity_type == UNTYPED or (format == "brat" and re.search(r"[\s;]", entity_type)):
        raise unwritable(corpus, name, f"the entity type {shortened(entity_type)!r}", format=format)
    return entity_type or UNTYPED


def links_of_document(
    corpus: Corpus, name: str, mentions: Mapping[int, Sequence[int]], *, format: str
) -> list[tuple[int, int]]:
    """The links of a document, by the numbers of mentions: as listed; else from each mention to the one before it.

    Parameters
    ----------
    corpus : Corpus
        What is written.
    name, mentions
        A document, and the numbers of the mentions of its entities.
    format : str
        For the message of the error.

    Raises
    ------
    FormatError
        If there are links, and they do not connect the mentions of each entity.
    """
    chains = [(later, earlier) for of in mentions.values() for earlier, later in pairwise(of)]
    if corpus.links is None:
        return chains
    inside = sorted(mention for of in mentions.values() for mention in of)
    here = np.isin(corpus.links.first, inside)
    links = list(zip(corpus.links.first[here].tolist(), corpus.links.second[here].tolist(), strict=True))
    number = {mention: n for n, mention in enumerate(inside)}
    given, needed = ([(number[a], number[b]) for a, b in pairs] for pairs in (links, chains))
    if components(len(number), given) != components(len(number), needed):
        raise unwritable(corpus, name, "its links do not connect the mentions of each entity", format=format)
    return links


def leave_out_loose_links(rest: Remainder) -> None:
    """Leave out the listed links if they do not connect the mentions of each entity; there is one to each mention then."""
    corpus = rest.corpus
    if corpus.links is None:
        return
    pairs = zip(corpus.links.first.tolist(), corpus.links.second.tolist(), strict=True)
    if components(len(corpus.document), list(pairs)) != components(len(corpus.document), _chains(corpus)):
        rest.left_out["link", " as listed"] += len(corpus.links.first)
        rest.corpus = replace(corpus, links=None)


def _chains(corpus: Corpus) -> list[tuple[int, int]]:
    """A link from each mention to the one before it in its entity."""
    of = (corpus.mentions_of(entity) for entity in range(len(corpus.entity_ids)))
    return [(later, earlier) for mentions in of for earlier, later in pairwise(mentions)]


def valid_span(text: str, start: object, end: object) -> tuple[int, int] | None:
    """A half-open span of characters of a text, if these are offsets of one. It may be empty, or white space alone."""
    if type(start) is int and type(end) is int and 0 <= start <= end <= len(text):
        return start, end
    return None
