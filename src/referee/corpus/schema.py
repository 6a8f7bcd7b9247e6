"""How the columns of a corpus are declared, and what follows from a declaration.

A field of `referee.corpus.columns.Columns` declares what it is: `Numbers`, `Strings` or a `Layer`. Everything that is done
with corpora (sorting, selecting, renumbering, concatenating, comparing, leaving out what a format cannot hold) is a loop over
these declarations. So a new column is one line there::

    confidence: Ints | None = optional(Numbers("mention", fill=-1, feature="confidence"))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from referee.algorithms.arrays import Ints
from referee.corpus.layers import AnyLayer, NewPlaces

Array: TypeAlias = NDArray[Any]


class Selection(NamedTuple):
    """Which mentions and entities are wanted, by their numbers, in this order."""

    mention: Ints | slice
    entity: Ints | slice = slice(None)


class Numbers(NamedTuple):
    """An array with a row for each mention or for each entity.

    Parameters
    ----------
    rows : {"mention", "entity"}
        What the rows are of.
    refers : {"", "document", "entity", "token"}
        What the values are: numbers of documents or of entities; or token offsets in the document (of one token, or in two
        columns the start and the end of a span), -1 for none. Empty: none of these.
    fill : int, optional
        The value that says nothing. It stands in the rows of a corpus without the column when that is concatenated with
        others, and a column of nothing else is equal to a missing one. None: every corpus has the column.
    dtype : dtype
        How the values are kept.
    feature : str
        The name in `referee.corpus.corpus.FEATURES`; empty if it has none.
    compared : bool
        Whether equal corpora have equal values.
    merge : numpy.ufunc, optional
        What becomes of the values of entities that are joined into one, cross-document. None: the value of the first.
    """

    rows: Literal["mention", "entity"]
    refers: Literal["", "document", "entity", "token"] = ""
    fill: int | None = None
    dtype: DTypeLike = np.int32
    feature: str = ""
    compared: bool = True
    merge: np.ufunc | None = None

    def moved(self, values: Array, rows: Selection, places: NewPlaces) -> Array:
        """The values of these rows; numbers of documents and entities are replaced by those that `places` gives."""
        kept: Array = values[rows.mention if self.rows == "mention" else rows.entity]
        if self.refers == "document":
            return places.document(kept)
        if self.refers == "entity":
            return places.entity(kept)
        return kept

    def typed(self, values: Array) -> Array:
        """The values as they are kept."""
        return values.astype(self.dtype, copy=False)

    def says_nothing(self, values: Array | None) -> bool:
        """Whether the column is missing, or has no other value than `fill`."""
        return values is None or (self.fill is not None and bool((values == self.fill).all()))

    def equal(self, a: Array | None, b: Array | None) -> bool:
        """Whether two columns have the same values, or both say nothing."""
        if a is None or b is None:
            return self.says_nothing(a) and self.says_nothing(b)
        return bool(np.array_equal(a, b))

    def concatenated(self, columns: Sequence[Array | None], lengths: Sequence[int]) -> Array:
        """One column after another, at least one of them not None."""
        width = next(values.shape[1:] for values in columns if values is not None)
        filled = (
            np.full((length, *width), self.fill) if values is None else values
            for values, length in zip(columns, lengths, strict=True)
        )
        return np.concatenate([self.typed(values) for values in filled])


class Strings(NamedTuple):
    """A string for each mention or for each entity; the parameters are those of `Numbers`."""

    rows: Literal["mention", "entity"]
    fill: str | None = None
    feature: str = ""
    compared: bool = True

    def moved(self, values: Sequence[str], rows: Selection, places: NewPlaces) -> Sequence[str]:  # noqa: ARG002 -- as for Numbers
        """The values of these rows; those of entities are looked up when they are read."""
        kept = rows.mention if self.rows == "mention" else rows.entity
        if self.rows == "entity":
            return Picked(values, np.arange(*kept.indices(len(values))) if isinstance(kept, slice) else kept)
        if (take := getattr(values, "take", None)) is not None:  # of `referee.corpus.strings.Names`, whose import few need
            names: Sequence[str] = take(kept)
            return names
        return values[kept] if isinstance(kept, slice) else tuple(map(values.__getitem__, kept.tolist()))

    def typed(self, values: Sequence[str]) -> Sequence[str]:
        """The values as they are kept: those of mentions in a tuple; those of entities as they are, to be read late."""
        return values if self.rows == "entity" or hasattr(values, "take") else tuple(values)

    def says_nothing(self, values: Sequence[str] | None) -> bool:
        """Whether the column is missing, or has no other value than `fill`."""
        return values is None or (self.fill is not None and all(value == self.fill for value in values))

    def equal(self, a: Sequence[str] | None, b: Sequence[str] | None) -> bool:
        """Whether two columns have the same values, or both say nothing."""
        if a is None or b is None:
            return self.says_nothing(a) and self.says_nothing(b)
        return tuple(a) == tuple(b)

    def concatenated(self, columns: Sequence[Sequence[str] | None], lengths: Sequence[int]) -> tuple[str, ...]:
        """One column after another, at least one of them not None."""
        pairs = zip(columns, lengths, strict=True)
        return tuple(chain.from_iterable([""] * length if values is None else values for values, length in pairs))


class Layer(NamedTuple):
    """One of the classes of `referee.corpus.layers`: rows that refer to mentions, entities or documents by number.

    Parameters
    ----------
    feature, compared
        As those of `Numbers`.
    even_if_empty : bool
        Whether a layer without rows says something: that there are none.
    """

    feature: str
    compared: bool = True
    even_if_empty: bool = False

    def moved(self, layer: AnyLayer, rows: Selection, places: NewPlaces) -> AnyLayer:  # noqa: ARG002 -- as for Numbers
        """The rows of the layer that still refer to something, with the numbers that `places` gives."""
        return layer.moved(places)

    def typed(self, layer: AnyLayer) -> AnyLayer:
        """The layer as it is kept."""
        return layer

    def says_nothing(self, layer: AnyLayer | None) -> bool:
        """Whether the layer is missing, or without rows if that says nothing."""
        return layer is None or (not self.even_if_empty and len(next(iter(layer))) == 0)

    def equal(self, a: AnyLayer | None, b: AnyLayer | None) -> bool:
        """Whether two layers have the same rows; a missing one has none."""
        rows = ([] if layer is None else list(zip(*map(list, layer), strict=True)) for layer in (a, b))
        return next(rows) == next(rows)

    def concatenated(self, layers: Sequence[AnyLayer | None], lengths: Sequence[int]) -> AnyLayer:  # noqa: ARG002
        """The rows of one layer after another, at least one of them not None."""
        present = [layer for layer in layers if layer is not None]
        columns = zip(*present, strict=True)
        return present[0]._make(np.concatenate(c) if isinstance(c[0], np.ndarray) else list(chain(*c)) for c in columns)


Part: TypeAlias = Numbers | Strings | Layer
Value = TypeVar("Value")


def declared(part: Part) -> Mapping[str, Part]:
    """The metadata of a field that every corpus has."""
    return {"part": part}


def optional(part: Part, default: Value | None = None) -> Value | None:
    """A field that only some corpora have; None in the others."""
    return field(default=default, metadata=declared(part))


_SCHEMAS: dict[type, Mapping[str, Part]] = {}


def schema_of(kind: type) -> Mapping[str, Part]:
    """The columns and layers that a class of corpora declares, by name."""
    if kind not in _SCHEMAS:
        _SCHEMAS[kind] = {f.name: f.metadata["part"] for f in fields(kind) if "part" in f.metadata}
    return _SCHEMAS[kind]


def parts_of(corpus: object) -> Iterator[tuple[str, Part, Any]]:
    """Name, declaration and value of each column and layer that a corpus has."""
    named = ((name, part, getattr(corpus, name)) for name, part in schema_of(type(corpus)).items())
    return (layer for layer in named if layer[2] is not None)


def numbers_of(corpus: object) -> Iterator[tuple[str, Numbers, Array]]:
    """Name, declaration and value of each column of numbers that a corpus has."""
    return ((name, part, values) for name, part, values in parts_of(corpus) if isinstance(part, Numbers))


class Picked(Sequence[str]):
    """Values in another order, looked up one at a time, so that ids nobody reads are never decoded."""

    def __init__(self, values: Sequence[str], numbers: Ints) -> None:
        # Not one behind the other: lookups would get slower with each, and at last too deep.
        self.values: Sequence[str] = values.values if isinstance(values, Picked) else values
        self.numbers: Ints = values.numbers[numbers] if isinstance(values, Picked) else numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, value: object) -> bool:
        return value in self.values and any(value == own for own in self)

    def __iter__(self) -> Iterator[str]:
        values = list(self.values) if 2 * len(self) > len(self.values) else self.values  # all together, which is faster
        return map(values.__getitem__, self.numbers.tolist())

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # slices are not needed
        return self.values[int(self.numbers[index])]
