"""Which key mention is which response mention, one to one: `MATCHERS` and `match`.

First mentions that are the same set of positions (and, in head matching, have the same head) are matched. What is left may be
matched inexactly: a matcher gives candidate pairs with weights, and the one-to-one choice with the greatest total weight is
taken. Adding a matcher is one file and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import Corpus
from referee.exceptions import MismatchError, UnknownNameError
from referee.matching.craft import craft
from referee.matching.exact import exact, no_candidates
from referee.matching.head import head
from referee.matching.one_to_one import one_to_one
from referee.matching.overlap import overlap
from referee.matching.partial import minimum, partial
from referee.matching.positions import Characters, on_common_positions
from referee.matching.spans import Candidates, some
from referee.matching.zeros import dependent_zeros

Matcher: TypeAlias = Callable[[Corpus, Corpus], Candidates]

MATCHERS: dict[str, Matcher] = {
    "exact": no_candidates,
    "head": head,
    "partial": partial,
    "min": minimum,
    "overlap": overlap,
    "craft": craft,
}

HEADS = {"head": ("key", "response"), "partial": ("key",)}
"""Which side needs heads for a matcher."""

ZEROS = ("dependent", "linear", "drop")
"""How zeros are matched: by their dependencies, then like other mentions; only like other mentions; or not at all."""


class Matching(NamedTuple):
    """Key and response side by side, over the same documents.

    key_mention, response_mention : int64, shape (matched,): the matched mentions' numbers in the two corpora
    placed : the two corpora with their spans on common positions
    """

    key: Corpus
    response: Corpus
    key_mention: Ints
    response_mention: Ints
    placed: tuple[Corpus, Corpus]

    @property
    def T(self) -> Matching:
        """Key and response exchanged."""
        return Matching(self.response, self.key, self.response_mention, self.key_mention, self.placed[::-1])


def match(
    key: Corpus,
    response: Corpus,
    *,
    matcher: str = "exact",
    zeros: str = "dependent",
    threshold: float = 0.5,
    characters: Characters = (),
) -> Matching:
    """The mentions that key and response have in common; both must be over the same documents (`documents.align`).

    matcher    : one of `MATCHERS`
    zeros      : one of `ZEROS`; "drop" is the caller's to do
    threshold  : of the matcher `overlap`
    characters : of documents whose words differ, from `positions.common_characters_of`

    MismatchError where mentions cannot be compared, or heads are needed that a side lacks; UnknownNameError for an unknown
    matcher.
    """
    if matcher not in MATCHERS:
        raise UnknownNameError("matcher", matcher, MATCHERS)
    for needed in HEADS.get(matcher, ()):
        _require_heads(key if needed == "key" else response, matcher)
    sides = on_common_positions(key, response, characters)
    free = [np.arange(len(side.document)) for side in sides]
    found: list[tuple[Ints, Ints]] = []

    def take(pairs: tuple[Ints, Ints]) -> None:
        found.append((free[0][pairs[0]], free[1][pairs[1]]))
        free[:] = (np.delete(mentions, taken) for mentions, taken in zip(free, pairs, strict=True))

    if zeros == "dependent" and key.empty_nodes and response.empty_nodes:
        take(dependent_zeros(key, response))
    take(exact(*(map(some, sides, free)), heads=matcher == "head"))
    if matcher != "exact" and key.items is None and response.items is None:
        left = [some(side, mentions) for side, mentions in zip(sides, free, strict=True)]
        candidates = MATCHERS[matcher](*left, **({"threshold": threshold} if matcher == "overlap" else {}))
        take(one_to_one(candidates, *left))
    key_mention, response_mention = (np.concatenate(side) for side in zip(*found, strict=True))
    return Matching(key, response, key_mention, response_mention, sides)


def _require_heads(side: Corpus, matcher: str) -> None:
    if side.items is None and side.head is None and (side.heads < 0).any():
        raise MismatchError(
            f"{side.source} has no heads, which {matcher} matching needs; expected a format with heads, such as corefud: use "
            "--match exact or overlap"
        )
