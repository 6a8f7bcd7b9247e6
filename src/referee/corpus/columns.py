"""What a corpus of annotated documents holds: integer arrays over all mentions of all documents.

Conventions, which every reader converts to and nothing past the readers leaves:

* Spans are token offsets of the document, 0-based and half-open: ``[start, end)``. Empty nodes are tokens, too.
* Mentions are sorted by document, then by start, as `referee.corpus.reading_order` has it.
* Entities are numbered through the corpus, document by document, in the order of their first mentions. So the numbers
  depend on the annotation alone, not on the ids or the order that a file happens to use.
* A discontinuous mention has the start of its first span and the end of its last; `fragments` says which spans it has.
* A corpus whose mentions are not spans of tokens, but records or phrases, has `items`: their ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, locations, tally
from referee.corpus.layers import Bridging, DecidedPairs, EmptyNodes, Links, PairFrame, SplitAntecedents
from referee.corpus.origin import InFile, Origin
from referee.corpus.schema import Layer, Numbers, Strings, declared, optional
from referee.corpus.skipped import SkippedFiles
from referee.corpus.text import Text

Spans: TypeAlias = tuple[tuple[int, int], ...]
"""The spans of a discontinuous mention, half-open and in order; empty for a mention of one span."""

MENTION_TYPES = ("", "zero", "pronoun", "name", "nominal", "other")
"""Types of mentions, by their numbers in `Columns.mention_types`; the first is unknown."""

WITHOUT_WORDS = frozenset({"-", "_", "*", "[WORD]"})
"""What stands in the place of each word in files that leave the words out."""


def _to_be_numbered() -> Ints:
    return np.empty(0, dtype=np.int32)


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Columns:
    """The columns of a corpus, and what can be read off them; `referee.corpus.corpus.Corpus` adds what can be done with them.

    Parameters
    ----------
    doc_ids : tuple of str, shape (documents,)
        Document names.
    document : int32, shape (mentions,)
        The document of each mention.
    start, end : int32, shape (mentions,)
        Token offsets in the document, half-open; for items, their positions in sorted order.
    entity : int32, shape (mentions,)
        The entity of each mention.
    entity_ids : sequence of str, shape (entities,)
        What the file calls each entity.
    entity_document : int32, shape (entities,)
        The document of each entity. `Corpus.in_reading_order` makes it.
    file_order : int32, shape (entities,)
        The order in which the file names the entities, by default that of `entity_ids`; of CorefUD files, the order of
        udapi. Only the profiles that reproduce another program depend on it.
    text : Text, optional
        The words of the documents.
    source, format : str
        Where the annotation comes from: a file, and one of `referee.inputs.registry.FORMATS`.
    kind : str
        What it was made of: "texts" with mentions, a table of "labels", or of "pairs". The latter two are about records.
    items : sequence of str, shape (mentions,), optional
        Ids of the mentions, where these are not spans.
    by_position : bool
        Whether mentions are items 0, 1, 2, ... of a sequence of labels, which is as long in key and response.
    skipped : SkippedFiles, optional
        What is left out as files cannot be read, if that was asked for.
    origin : Origin, optional
        Which column or field of its file it was read from, where files may have several.
    metadata : mapping, optional
        What the file says of its documents: document -> field -> value, as its genre.
    pair_frame : PairFrame, optional
        Of a table of pairs: which pairs it is about.
    in_files : mapping, optional
        Document -> its file in the folder that was read. It may have more documents than the corpus.

    Other Parameters
    ----------------
    entity_types : sequence of str, shape (entities,)
        Type of each entity (person, place, ...), may be empty.
    links, decided_pairs, bridging, split_antecedents, empty_nodes
        See `referee.corpus.layers`.
    head : int32, shape (mentions,)
        Token offset of the head in the document, -1 where unknown.
    mention_types : int8, shape (mentions,)
        Numbers of `MENTION_TYPES`.
    minimum_span : int32, shape (mentions, 2)
        The minimum span (MIN) that a response must give, half-open; -1 where there is none.
    fragments : int32, shape (mentions,)
        Index of `fragment_lists`: which spans a mention has; 0 for a single one.
    fragment_lists : tuple of Spans
        Each list of spans once, in sorted order; the first is empty.
    notes : sequence of str, shape (mentions,)
        What a person is to be told of a mention; see `referee.corpus.undecided`. Written for tools, and not read.
    referring : bool, shape (entities,)
        False for non-referring expressions ("it rains"), which take no part in coreference.

    Notes
    -----
    The other parameters are None where the annotation has none of it. They are declared by `optional`, which says how a
    column follows when the corpus is sorted, selected, joined with others or compared.
    """

    doc_ids: tuple[str, ...]
    document: Ints = field(metadata=declared(Numbers("mention", refers="document")))
    start: Ints = field(metadata=declared(Numbers("mention", refers="token")))
    end: Ints = field(metadata=declared(Numbers("mention", refers="token")))
    entity: Ints = field(metadata=declared(Numbers("mention", refers="entity")))
    entity_ids: Sequence[str] = field(metadata=declared(Strings("entity", compared=False)))
    entity_document: Ints = field(
        default_factory=_to_be_numbered, metadata=declared(Numbers("entity", refers="document", compared=False))
    )
    file_order: Ints = field(default_factory=_to_be_numbered, metadata=declared(Numbers("entity", compared=False)))
    text: Text | None = None
    source: str = "<memory>"
    format: str = ""
    kind: str = "texts"
    by_position: bool = False
    skipped: SkippedFiles | None = None
    origin: Origin | None = None
    metadata: Mapping[str, Mapping[str, str]] | None = None
    pair_frame: PairFrame | None = None
    in_files: Mapping[str, InFile] | None = None
    items: Sequence[str] | None = optional(Strings("mention", feature="items"))
    entity_types: Sequence[str] | None = optional(Strings("entity", fill="", feature="entity types", compared=False))
    links: Links | None = optional(Layer("links", compared=False, even_if_empty=True))
    decided_pairs: DecidedPairs | None = optional(Layer("", compared=False, even_if_empty=True))
    head: Ints | None = optional(Numbers("mention", refers="token", fill=-1, feature="heads"))
    mention_types: Ints | None = optional(Numbers("mention", fill=0, dtype=np.int8, feature="mention types"))
    minimum_span: Ints | None = optional(Numbers("mention", refers="token", fill=-1, feature="minimum spans"))
    notes: Sequence[str] | None = optional(Strings("mention", fill="", compared=False))
    fragments: Ints | None = optional(Numbers("mention", fill=0, feature="discontinuous mentions", compared=False))
    fragment_lists: tuple[Spans, ...] = ((),)
    empty_nodes: EmptyNodes | None = optional(Layer("empty nodes"))
    referring: Bools | None = optional(
        Numbers("entity", fill=True, dtype=np.bool_, feature="non-referring", merge=np.logical_or)
    )
    bridging: Bridging | None = optional(Layer("bridging"))
    split_antecedents: SplitAntecedents | None = optional(Layer("split antecedents"))

    @property
    def unit(self) -> str:
        """What is in its entities: a "mention", or of tables a "record"."""
        return "mention" if self.kind == "texts" else "record"

    @cached_property
    def entity_size(self) -> Ints:
        """How many mentions each entity has, shape (entities,)."""
        return tally(self.entity, minlength=len(self.entity_document))

    @cached_property
    def heads(self) -> Ints:
        """The head of each mention; of one token, that token, even if no head is given. -1 where unknown. Shape (mentions,)."""
        only_token = np.where(self.end - self.start == 1, self.start, -1)
        return only_token if self.head is None else np.where(self.head < 0, only_token, self.head)

    @cached_property
    def zero(self) -> Bools:
        """Which mentions are zeros: those whose head (or only token) is an empty node. Shape (mentions,)."""
        if self.empty_nodes is None or not len(self.empty_nodes.node):
            return np.zeros(len(self.document), dtype=bool)
        nodes = locations(self.empty_nodes.document, self.empty_nodes.node)
        return np.isin(locations(self.document, self.heads), nodes) & (self.heads >= 0)

    @cached_property
    def mention_types_with_zeros(self) -> Ints:
        """The type of each mention, int8, shape (mentions,): its head says whether it is a zero, `mention_types` the rest."""
        types = np.zeros(len(self.document), dtype=np.int8) if self.mention_types is None else self.mention_types
        return np.where(self.zero, np.int8(MENTION_TYPES.index("zero")), types)

    @property
    def has_words(self) -> bool:
        """Whether there is a text in which strings can be looked up; an empty one is a text, too."""
        if self.text is None:
            return False
        tokens = chain.from_iterable(words.tokens for words in self.text.words)
        first = next(tokens, None)
        return first not in WITHOUT_WORDS or any(token not in WITHOUT_WORDS for token in tokens)

    def words(self, document: int) -> list[str]:
        """The words of a document: its tokens without empty nodes; none if the corpus has no text."""
        if self.text is None:
            return []
        tokens = list(self.text.words[document].tokens)
        if self.empty_nodes is not None:
            here = _rows_between(self.empty_nodes.document, document, document + 1)
            for node in self.empty_nodes.node[here][::-1].tolist():
                del tokens[node]
        return tokens

    def spans(self, mention: int) -> Spans:
        """The spans of a mention, half-open and in order, at least one."""
        fragments = () if self.fragments is None else self.fragment_lists[self.fragments[mention]]
        return fragments or ((int(self.start[mention]), int(self.end[mention])),)

    def mentions_in(self, first: int, after: int) -> slice:
        """The rows of the mentions of the documents from `first` up to `after`."""
        return _rows_between(self.document, first, after)

    def entities_in(self, first: int, after: int) -> slice:
        """The rows of the entities of the documents from `first` up to `after`."""
        return _rows_between(self.entity_document, first, after)

    def mentions_of(self, entity: int) -> list[int]:
        """The numbers of the mentions of an entity, in reading order."""
        order, first = self._mentions_by_entity
        mentions: list[int] = order[first[entity] : first[entity + 1]].tolist()
        return mentions

    @cached_property
    def _mentions_by_entity(self) -> tuple[Ints, Ints]:
        """The mentions entity by entity, and where those of each entity begin."""
        return argsort(self.entity), np.concatenate([[0], np.cumsum(self.entity_size)])


def _rows_between(column: Ints, first: int, after: int) -> slice:
    # Bounds of another type would make NumPy convert the whole column before it searches.
    return slice(*column.searchsorted(np.array([first, after], dtype=column.dtype)).tolist())
