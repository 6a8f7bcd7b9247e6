"""A corpus of annotated documents: the columns of `referee.corpus.columns`, and how they are sorted, selected and compared.

Every method here is a loop over the declarations of the columns (see `referee.corpus.schema`) and names only the columns that
are different from all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, inverse
from referee.basics.exceptions import OptionError, brief, counted
from referee.basics.names import AttributeHints
from referee.corpus.columns import Columns, Spans
from referee.corpus.layers import NewPlaces, place_in, place_within
from referee.corpus.reading_order import places_of_items, reading_order
from referee.corpus.schema import Layer, Part, Selection, parts_of, schema_of
from referee.corpus.selecting import documents_meant
from referee.corpus.text import same_text
from referee.corpus.views import Document, Documents


@dataclass(frozen=True, eq=False, repr=False)
class Corpus(AttributeHints, Columns):
    """Mentions grouped into entities, for any number of documents; see `referee.corpus.columns.Columns` for what it holds.

    Parameters
    ----------
    deixis : Corpus, optional
        Discourse deixis, an annotation of its own over the same documents.

    Examples
    --------
    Rows may be given in any order, if `in_reading_order` sorts them:

    >>> corpus = Corpus(
    ...     ("d",),
    ...     document=np.array([0, 0]),
    ...     start=np.array([4, 0]),
    ...     end=np.array([5, 2]),
    ...     entity=np.array([0, 1]),
    ...     entity_ids=["she", "the house"],
    ... ).in_reading_order()
    >>> corpus.start.tolist(), list(corpus.entity_ids)
    ([0, 4], ['the house', 'she'])

    A corpus is a collection of documents, each of which has a name:

    >>> [document.name for document in corpus], len(corpus), corpus["d"].entities
    (['d'], 1, [Entity('the house': 1 mention), Entity('she': 1 mention)])
    """

    deixis: Corpus | None = None

    def in_reading_order(self) -> Corpus:
        """Sort and number mentions and entities as every corpus has them; entities without mentions are left out.

        Returns
        -------
        Corpus
            With arrays of the declared types. Items have their places in sorted order for spans, whatever these were.

        Raises
        ------
        OptionError
            If a document has 2³¹ tokens or more.
        """
        start, end = (self.start, self.end) if self.items is None else places_of_items(self.items, self.document)
        if len(end) and int(end.max()) > np.iinfo(np.int32).max:
            raise OptionError(f"{self.source}: found the token offset {end.max()}; expected less than 2³¹ tokens in a document")
        entity_document = np.zeros(len(self.entity_ids), dtype=np.int32)
        entity_document[self.entity] = self.document
        complete = replace(
            self,
            doc_ids=tuple(self.doc_ids),
            start=start,
            end=end,
            entity_document=entity_document,
            file_order=self.file_order if len(self.file_order) else np.arange(len(self.entity_ids)),
        )
        typed: dict[str, Any] = {name: part.typed(values) for name, part, values in parts_of(complete)}
        complete = replace(complete, **typed)
        mentions, entities = reading_order(complete)
        place = cache(lambda: inverse(mentions))  # of use only for corpora with layers
        places = NewPlaces(
            mention=lambda numbers: place()[numbers],
            entity=place_in(_places(entities, len(self.entity_ids))),
        )
        return complete.rearranged(Selection(mentions, entities), places)

    def rearranged(self, rows: Selection, places: NewPlaces, **others: object) -> Corpus:
        """Take some rows of all columns, in another order.

        Parameters
        ----------
        rows : Rows
            The old numbers of the mentions and entities that are kept, in the new order.
        places : Places
            The new numbers of mentions, entities and documents.
        **others
            Fields that become something else: those that are about documents or the whole corpus.
        """
        moved: dict[str, Any] = {name: part.moved(values, rows, places) for name, part, values in parts_of(self)}
        return replace(self, **{**moved, **others})

    def select(self, wanted: Bools | str | Document | Iterable[str | Document] | Callable[[Document], object]) -> Corpus:
        """The corpus with only some of its documents, in its order; or with only some of its mentions.

        Parameters
        ----------
        wanted : str, Document, several of these, or callable
            Names, or patterns of the shell, as of the option `documents` of `referee.score`; documents of this corpus; or a
            function that says of a document whether it is wanted. An array of truth values selects mentions; entities that
            lose all of theirs are gone, documents stay.

        Raises
        ------
        UnknownDocumentError
            If a name or pattern fits no document.

        Examples
        --------
        >>> from referee import read
        >>> key = read("examples/key.conll")
        >>> key.select("orch*").doc_ids, key.select([d for d in key if len(d.entities) > 8]).doc_ids
        (('orchard',), ('lighthouse',))
        """
        if not isinstance(wanted, np.ndarray) or wanted.dtype.kind != "b":
            return self.select_documents(np.array(documents_meant(wanted, self.documents.values()), dtype=np.int64))
        mentions = wanted
        place = np.where(mentions, np.cumsum(mentions) - 1, -1)
        kept = self.rearranged(Selection(np.flatnonzero(mentions)), NewPlaces(mention=place_in(place)), by_position=False)
        return kept.in_reading_order()

    def select_documents(self, documents: Ints) -> Corpus:
        """The corpus of some of its documents, in this order."""
        _refuse_names(documents)
        text = self.text and self.text.select(documents)
        if len(documents) and (np.diff(documents) == 1).all():  # in time that grows with these documents alone
            return replace(self.block(int(documents[0]), int(documents[-1]) + 1), text=text)
        place = np.full(len(self.doc_ids), -1, dtype=np.int32)
        place[documents] = np.arange(len(documents))
        return self._renumbered(
            place,
            doc_ids=tuple(self.doc_ids[d] for d in documents),
            text=text,
            deixis=None if self.deixis is None else self.deixis.select_documents(documents),
        )

    def on_documents(self, doc_ids: tuple[str, ...], place: Ints) -> Corpus:
        """Put the same annotation into a longer or a differently ordered list of documents.

        Parameters
        ----------
        doc_ids : tuple of str
            The new list.
        place : integers, shape (documents,)
            The index in `doc_ids` of each document of this corpus.
        """
        deixis = None if self.deixis is None else self.deixis.on_documents(doc_ids, place)
        new_names = dict(zip(self.doc_ids, (doc_ids[p] for p in place.tolist()), strict=True)) if self.metadata else {}
        metadata = self.metadata and {new_names[name]: row for name, row in self.metadata.items() if name in new_names}
        if len(doc_ids) == len(self.doc_ids) and (np.diff(place) > 0).all():
            return self if doc_ids == self.doc_ids else replace(self, doc_ids=doc_ids, deixis=deixis, metadata=metadata)
        text = self.text and self.text.on_documents(len(doc_ids), place)
        return self._renumbered(place, doc_ids=doc_ids, text=text, deixis=deixis, metadata=metadata)

    def _renumbered(self, place: Ints, **others: object) -> Corpus:
        """The corpus with the number that `place` gives for each document; documents with -1 are left out."""
        mentions, entities = _by_place(place[self.document]), _by_place(place[self.entity_document])
        places = NewPlaces(
            place_in(_places(mentions, len(self.document))),
            place_in(_places(entities, len(self.entity_document))),
            place_in(place),
        )
        return self.rearranged(Selection(mentions, entities), places, **others)

    def block(self, first: int, after: int) -> Corpus:
        """The documents from `first` up to `after`, without their text; arrays are views where nothing is renumbered."""
        # Scoring goes through a corpus block by block. So nothing here may take time in proportion to the whole corpus:
        # since documents are in order, a block is a slice of each column, and new numbers are differences.
        if after - first == len(self.doc_ids):
            return replace(self, text=None)
        mentions, entities = self.mentions_in(first, after), self.entities_in(first, after)
        documents = slice(first, after)
        return self.rearranged(
            Selection(mentions, entities),
            NewPlaces(place_within(mentions), place_within(entities), place_within(documents)),
            doc_ids=self.doc_ids[documents],
            text=None,
            deixis=None if self.deixis is None else self.deixis.block(first, after),
        )

    def mention_columns(self, mentions: Ints) -> dict[str, Any]:
        """Those columns of mentions that the corpus has, each with these rows."""
        rows = Selection(mentions)
        return {
            name: part.moved(values, rows, NewPlaces())
            for name, part, values in parts_of(self)
            if not isinstance(part, Layer) and part.rows == "mention"
        }

    @cached_property
    def documents(self) -> Documents:
        """The documents by name, in order, to walk through their mentions and entities."""
        return Documents(self)

    def __iter__(self) -> Iterator[Document]:
        """Go through the documents, in order."""
        return iter(self.documents.values())

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.doc_ids)

    def __getitem__(self, name: str) -> Document:
        """The document of this name.

        Raises
        ------
        UnknownDocumentError
            If there is none; it is a KeyError.
        """
        return self.documents[name]

    def __contains__(self, document: object) -> bool:
        """Whether it is a document of this corpus, or the name of one."""
        return document in (self.documents.values() if isinstance(document, Document) else self.documents)

    def _ipython_key_completions_(self) -> list[object]:
        return self.documents._ipython_key_completions_()

    @cached_property
    def features(self) -> frozenset[str]:
        """Which of `FEATURES` the annotation makes use of, those of its discourse deixis included."""
        return self.own_features | (self.deixis.features if self.deixis and DEIXIS in self.own_features else frozenset())

    @cached_property
    def own_features(self) -> frozenset[str]:
        """Which of `FEATURES` the annotation makes use of; discourse deixis, but not what only its discourse deixis has."""
        return frozenset(name for name, used in _features(type(self)).items() if used(self))

    def __eq__(self, other: object) -> bool:
        """Compare documents, words, mentions and entities.

        Entity ids and types, listed links and the file order may differ. A column that says nothing is equal to none.
        """
        if not isinstance(other, type(self)):
            return NotImplemented
        compared = [(name, part) for name, part in schema_of(type(self)).items() if part.compared]
        return (
            self.doc_ids == other.doc_ids
            and len(self.document) == len(other.document)
            and len(self.entity_ids) == len(other.entity_ids)
            and all(part.equal(getattr(self, name), getattr(other, name)) for name, part in compared)
            and self._fragments == other._fragments
            and _annotation(self.deixis) == _annotation(other.deixis)
            and same_text(self.text, other.text)
        )

    @property
    def _fragments(self) -> dict[int, Spans]:
        """The spans of the discontinuous mentions."""
        several = () if self.fragments is None else np.flatnonzero(self.fragments).tolist()
        return {mention: self.spans(mention) for mention in several}

    __hash__ = None  # type: ignore[assignment]  # equal corpora may differ in entity ids and source

    def __repr__(self) -> str:
        sizes = (len(self.doc_ids), "document"), (len(self.document), "mention"), (len(self.entity_ids), "entity")
        return f"{type(self).__name__}({brief(self.source)}: {', '.join(counted(*size) for size in sizes)})"


DEIXIS = "discourse deixis"


def _features(kind: type[Corpus]) -> Mapping[str, Callable[[Corpus], bool]]:
    """What annotation of this class may make use of, and whether one does."""

    def used(name: str, part: Part) -> Callable[[Corpus], bool]:
        return lambda corpus: not part.says_nothing(getattr(corpus, name))

    return {
        "spans": lambda corpus: corpus.items is None,
        "words": lambda corpus: corpus.text is not None,
        **{part.feature: used(name, part) for name, part in schema_of(kind).items() if part.feature},
        DEIXIS: lambda corpus: _annotation(corpus.deixis) is not None,
    }


def feature_counts(corpus: Corpus) -> dict[str, int]:
    """How many mentions, entities or rows of a layer have each of the `FEATURES` that are columns or layers."""
    numbers: dict[str, int] = {}
    for name, part in schema_of(type(corpus)).items():
        values = getattr(corpus, name)
        if part.feature and values is not None:
            if isinstance(part, Layer):
                numbers[part.feature] = len(next(iter(values)))
            elif isinstance(values, np.ndarray):
                numbers[part.feature] = int(np.count_nonzero((values != part.fill).reshape(len(values), -1).any(axis=1)))
            else:
                numbers[part.feature] = sum(value != part.fill for value in values)
    return numbers


FEATURES = _features(Corpus)
"""What an annotation may make use of, and a format may be able to hold."""


def _annotation(deixis: Corpus | None) -> Corpus | None:
    """Discourse deixis, unless it is without mentions."""
    return deixis if deixis is not None and len(deixis.document) else None


def _refuse_names(places: object) -> None:
    """Raise OptionError for the names of documents."""
    if np.asarray(places).dtype.kind == "U":
        raise OptionError("found names; expected numbers: corpus.select(names) takes names")


def _by_place(place: Ints) -> Ints:
    """The rows that have a place, in the order of the places."""
    rows = np.flatnonzero(place >= 0)
    return rows[argsort(place[rows])]


def _places(rows: Ints, number: int) -> Ints:
    """Where each of so many rows is among `rows`; -1 where it is not."""
    place = np.full(number, -1, dtype=np.int32)
    place[rows] = np.arange(len(rows))
    return place
