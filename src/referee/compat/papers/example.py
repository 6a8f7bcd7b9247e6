"""An example of a paper: key, response and the scores that the paper prints for them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from referee.basics.exceptions import RefereeWarning
from referee.compat.papers.value import PrintedValue
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.inputs.reading import read
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score


@dataclass(frozen=True)
class Example:
    """A key and a response in the notation of papers: `A-B B-C` for links, `{A B C} {D}` for entities.

    Numbers stand for themselves, and `6-12` in braces for the numbers from 6 to 12.
    """

    key: str
    response: str

    @cached_property
    def evaluation(self) -> Evaluation:
        """The scores."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RefereeWarning)  # some have no mention in common
            return score(_corpus(self.key), _corpus(self.response))

    def values(self, place: str, *rows: Sequence[str], **why: str) -> Iterator[PrintedValue]:
        """Values of one place; a row is a name, "metric side", the printed value, and the exact one if it is another."""
        for name, wanted, printed, *exact in rows:
            fraction = exact[0] if exact else printed if printed.isdigit() else ""
            yield PrintedValue(place, name, printed, self.score(wanted), fraction, **why)

    def score(self, wanted: str) -> float:
        """A score: "muc recall", or "blanc value"."""
        metric, side = wanted.split()
        return float(getattr(self.evaluation[metric], side))

    def count(self, metric: str, column: str) -> int:
        """A count of a metric."""
        return int(self.evaluation.counts_of(metric).columns[column].sum())

    def exchanged(self) -> Example:
        """The same with key and response exchanged."""
        return replace(self, key=self.response, response=self.key)


def _corpus(text: str) -> Corpus:
    """Read the notation; numbers get leading zeros, so that their order is that of the text."""
    if "{" in text and any(map(str.isdigit, text)):
        text = " ".join(
            "{" + " ".join(f"{number:03}" for part in entity.split() for number in _numbers(part)) + "}"
            for entity in text.strip("{}").split("} {")
        )
    return read(Source("paper", text.encode()), format="links")


def _numbers(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)


def written(entities: Sequence[range | Sequence[int]]) -> str:
    """Entities of numbers in the notation."""
    return " ".join("{" + " ".join(map(str, entity)) + "}" for entity in entities)


Partition = tuple[frozenset[int], ...]


def partitions(items: Sequence[int]) -> Iterator[Partition]:
    """All partitions of some items."""
    if not items:
        yield ()
        return
    first, rest = items[0], items[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            block = frozenset((first, *others))
            yield from ((block, *more) for more in partitions([item for item in rest if item not in block]))


def all_pairs(key: Sequence[Partition], response: Sequence[Partition]) -> tuple[list[tuple[Partition, Partition]], Evaluation]:
    """Each pair of a key and a response, and one evaluation with a document for each pair."""
    pairs = [(k, r) for k in key for r in response]
    sides = [
        {f"{number:05}": [set(map(str, entity)) for entity in pair[side]] for number, pair in enumerate(pairs)}
        for side in (0, 1)
    ]
    return pairs, score(*sides)
