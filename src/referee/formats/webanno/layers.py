"""The layers of the header of WebAnno TSV, and the relations of those of coreference. The format is that of `webanno`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from referee.basics.exceptions import counted, one_line, shortened

SYNTAX = "Dependency"
OF_WORDS = re.compile(r"\.api\.(lexmorph|segmentation|syntax|transform)\.")
ORIGIN = re.compile(r"([0-9]{1,9}-[0-9]{1,9}(?:\.[0-9]{1,9})?)(?:\[([0-9]{1,9})_([0-9]{1,9})\])?")

Key: TypeAlias = tuple[str, str]
"""An annotation: its layer, and its number or the place of its only token."""


@dataclass(frozen=True)
class WebannoLayer:
    """A layer of the header: its kind (SP, CH or RL), its name, its features, and the column of the first of them."""

    kind: str
    name: str
    features: Sequence[str]
    column: int
    is_coreference: bool

    @property
    def short(self) -> str:
        """Its name without what stands before the last point."""
        return self.name.rpartition(".")[2]

    @property
    def is_of_words(self) -> bool:
        """Whether it has words or syntax, which nobody misses."""
        return self.short == SYNTAX or OF_WORDS.search(self.name) is not None

    def column_of(self, feature: str, default: int) -> int:
        """The column of the first feature of this name; the default without one."""
        return self.column + self.features.index(feature) if feature in self.features else default

    @property
    def base(self) -> str:
        """The layer that a relation is between."""
        return self.features[-1].removeprefix("BT_")


@dataclass(frozen=True)
class WebannoRelation:
    """A relation of two annotations, and its line."""

    line: int
    value: str
    source: Key
    target: Key

    @property
    def bridges(self) -> bool:
        """Whether it is bridging, or one of several split antecedents."""
        return self.value == "bridge" or self.value.startswith("bridge:")


def relations_of(layer: WebannoLayer, line: int, unit: str, features: Sequence[list[str]]) -> Iterator[WebannoRelation]:
    """The relations that end in a row. ValueError if they are none."""
    values, origins = features[0], features[-1]
    if len(values) != len(origins):
        relations = f"{counted(len(values), 'relation')} of {one_line(shortened(layer.short))}"
        raise ValueError(f"found {relations} from {counted(len(origins), 'place')}; expected as many")
    for value, origin in zip(values, origins, strict=True):
        found = ORIGIN.fullmatch(origin)
        if found is None:
            raise ValueError(f"found {shortened(origin)!r}; expected where a relation comes from, such as 2-5 or 2-5[3_1]")
        place, source, target = found.groups()
        start = source if source and int(source) else place
        end = target if target and int(target) else unit
        yield WebannoRelation(line, value if len(features) > 1 else "", (layer.base, start), (layer.base, end))
