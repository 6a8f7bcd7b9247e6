"""Documents and their entities: what the readers and writers of several formats share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate, chain, pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.components import components
from referee.basics.exceptions import FormatError
from referee.corpus import Corpus, CorpusBuilder, RawText, Words
from referee.formats.shared.source import OnError


class JoinedSentences(NamedTuple):
    """Sentences as one text.

    Parameters
    ----------
    tokens : list of str
        The tokens of all sentences.
    limits : list of int
        The token offset at which each sentence starts, and the number of all tokens.
    """

    tokens: list[str]
    limits: list[int]

    @classmethod
    def join(cls, sentences: Sequence[Sequence[str]]) -> JoinedSentences:
        """Join the sentences of a document."""
        return cls(list(chain.from_iterable(sentences)), list(accumulate(map(len, sentences), initial=0)))

    @property
    def starts(self) -> list[int]:
        """The token offsets at which sentences start that have tokens."""
        return [start for start, end in pairwise(self.limits) if start < end]

    def span(self, sentence: int, start: int, end: int) -> tuple[int, int] | None:
        """The span in the document of a half-open span in a sentence, all counted from 0; None if there is no such span."""
        if 0 <= sentence < len(self.limits) - 1:
            first, after = self.limits[sentence : sentence + 2]
            if 0 <= start < end <= after - first:
                return first + start, first + end
        return None


def begin(
    builder: CorpusBuilder,
    on_error: OnError,
    name: str,
    tokens: Sequence[str] | None = None,
    sentences: Iterable[int] | None = None,
    *,
    raw: RawText | None = None,
    line: int | None = None,
) -> bool:
    """Begin a document, and report an error if its name was used before.

    Parameters
    ----------
    builder : CorpusBuilder
        Takes the document.
    error : Error
        Takes the error.
    name, tokens, sentences, raw, line
        As in `CorpusBuilder.document`.

    Returns
    -------
    bool
        Whether the document has begun.
    """
    try:
        builder.document(name, tokens, None if sentences is None else list(sentences), raw=raw, line=line)
    except FormatError as error:
        on_error(line, error.problem)
        return False
    return True


Nodes: TypeAlias = dict[int, tuple[int, str]]
"""The minor number and the dependencies of each empty node, by token."""

Pairs: TypeAlias = Sequence[tuple[int, int]]

LONGEST = (1 << 31) - 1
"""No document has more tokens; what is larger is a mistake, and would not fit the columns of a `Corpus`."""


def entities(corpus: Corpus) -> Iterator[tuple[str, dict[int, list[int]]]]:
    """The name of each document, and its entities: their numbers with the numbers of their mentions."""
    limits = np.searchsorted(corpus.document, np.arange(len(corpus.doc_ids) + 1)).tolist()
    entity = corpus.entity.tolist()
    for name, first, last in zip(corpus.doc_ids, limits, limits[1:], strict=False):
        mentions: dict[int, list[int]] = {}
        for mention in range(first, last):
            mentions.setdefault(entity[mention], []).append(mention)
        yield name, dict(sorted(mentions.items()))


def labelled(corpus: Corpus) -> Iterator[tuple[str, dict[str, list[int]]]]:
    """The name of each document, and its entities: labels that are all different with the numbers of their mentions."""
    for name, mentions in entities(corpus):
        labels = distinct(corpus.entity_ids[e] for e in mentions)
        yield name, dict(zip(labels, mentions.values(), strict=True))


def add_linked(
    builder: CorpusBuilder, labels: Sequence[str], links: Pairs, add: Callable[[int, str], int], *, ties: Pairs = ()
) -> None:
    """Add mentions to the current document, with the links between them. What links connect is an entity.

    Parameters
    ----------
    builder : CorpusBuilder
        Takes the mentions and links.
    labels : sequence of str
        A label of each mention; an entity has that of its first mention.
    links : sequence of pairs
        Numbers of the mentions.
    add : callable
        Adds the mention of a number to the entity of a label.
    ties : sequence of pairs
        Other pairs of one entity, which are not kept as links.
    """
    roots = components(len(labels), [*links, *ties])
    mentions = [add(number, labels[root]) for number, root in enumerate(roots)]
    for first, second in links:
        builder.link(mentions[first], mentions[second])


def distinct(labels: Iterable[str], joint: str = "#") -> list[str]:
    """The labels, changed where one is empty or was there before: a file tells entities apart by them.

    Parameters
    ----------
    labels : iterable of str
        The labels of the entities.
    joint : str
        What stands before the number that is added.

    Examples
    --------
    >>> distinct(["Ann", "", "Ann"])
    ['Ann', '1', 'Ann#2']
    """
    names: dict[str, None] = {}
    for number, label in enumerate(labels):
        unique = label or str(number)
        while unique in names:
            unique = f"{unique}{joint}{number}"
        names[unique] = None
    return list(names)


def item_names(corpus: Corpus) -> Sequence[str]:
    """The name of each mention; `start-end` where mentions are spans."""
    if corpus.items is not None:
        return corpus.items
    return [f"{start}-{end}" for start, end in zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)]


def nodes_of(corpus: Corpus) -> dict[int, Nodes]:
    """The empty nodes of each document."""
    nodes: dict[int, Nodes] = {}
    for document, node, minor, _, deps in zip(*map(list, corpus.empty_nodes or ()), strict=True):
        nodes.setdefault(int(document), {})[int(node)] = int(minor), deps
    return nodes


def words_of(corpus: Corpus, *, format: str) -> Sequence[Words]:
    """The words of each document, for a format that needs words and spans.

    Raises
    ------
    FormatError
        If the corpus has no words or no spans.
    """
    if corpus.items is not None:
        problem = f"its mentions are items, not spans, which {format} cannot hold: write csv, clusters or links"
        raise FormatError(corpus.source, None, problem)
    if corpus.text is None and corpus.doc_ids:
        problem = f"has no words, which {format} needs: write clusters, or read it from a format with text"
        raise FormatError(corpus.source, None, problem)
    return corpus.text.words if corpus.text else ()


def is_line(name: str) -> bool:
    """Whether a line gives a name back as it was: it has no control characters, and no blanks around it."""
    return name == name.strip() and not CONTROL.search(name)


CONTROL = re.compile(r"[\0-\x1f]")


LOSSY = "--lossy (lossy=True) to leave that out"
"""The remedy for what a format cannot hold."""


def names_in_folder(stem: str, names: Sequence[str]) -> list[str]:
    """The names of a file's documents among those of other files: one without a name is called like the file.

    >>> names_in_folder("x", ["#1", "#2"]), names_in_folder("x", ["#1"]), names_in_folder("x", ["d"])
    (['x#1', 'x#2'], ['x'], ['d'])
    """
    several = len(names) > 1
    return [stem + name * several if name == f"#{number}" else name for number, name in enumerate(names, start=1)]


def unnamed(number: int) -> tuple[str, ...]:
    """What so many documents are called that have no names.

    >>> unnamed(2)
    ('#1', '#2')
    """
    return tuple(f"#{n}" for n in range(1, number + 1))


def is_unnamed(corpus: Corpus) -> bool:
    """Whether it is one document that bears only the number it got for want of a name."""
    return corpus.doc_ids == ("#1",)


def cycle(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Entities of which each is an element of the next, the last one being the first again; empty if there are none.

    Parameters
    ----------
    pairs : iterable of pairs
        An entity, and one of its elements.

    Examples
    --------
    >>> cycle([("a", "b"), ("b", "c"), ("c", "b")])
    ['b', 'c', 'b']
    """
    graph: TopologicalSorter[str] = TopologicalSorter()
    for whole, element in pairs:
        graph.add(whole, element)
    try:
        graph.prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []
