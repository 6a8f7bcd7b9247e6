"""Matching mentions: which key mention is which response mention, one to one.

Equal mentions are matched first. They are the same positions of one document, or the same item; in head matching their heads
must be equal, too. What is left may be matched inexactly: a matcher gives candidate pairs with weights, and the one-to-one
choice with the greatest total weight is taken. To add a matcher, write one file, and name it in `MATCHERS`, here and in
`choices`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import MismatchError, UnknownNameError
from referee.corpus import Corpus
from referee.matching.exact import equal_mentions
from referee.matching.positions import CharacterAlignments, on_common_positions
from referee.matching.spans import Candidates, mention_rows
from referee.matching.zeros import dependent_zeros
from referee.options import choices

Matcher: TypeAlias = Callable[..., Candidates]
Choice: TypeAlias = Callable[[Candidates, Corpus, Corpus], tuple[Ints, Ints]]
"""(candidates, key, response) -> the numbers of the mentions that are matched, one to one"""

MATCHERS: Mapping[str, str] = {
    "exact": "",
    "head": "head:head",
    "partial": "partial:partial",
    "min": "partial:minimum_span",
    "overlap": "overlap:overlap",
    "craft": "craft:craft",
}
"""Name -> module and function, which is imported when it is used; exact matching has no candidates beside equal mentions. `min`
stands for the minimum span (MIN) of MUC, which a response mention must contain."""

HEADS: Mapping[str, tuple[str, ...]] = {"head": ("key", "response"), "partial": ("key",)}
"""The matchers that compare heads, and the sides on which every mention must have one."""

ZEROS = choices.CHOICES["zeros"]
"""What happens to zeros. "dependent": match them by their dependencies, then like other mentions. "linear": match them like
other mentions only, by their positions. "drop": leave them out, before matching."""


class Matching(NamedTuple):
    """Key and response over the same documents, and which of their mentions are matched.

    Parameters
    ----------
    key, response : Corpus
    key_mention, response_mention : int64, shape (matched,)
        The numbers of the matched mentions in the two corpora; those of a pair stand in the same row.
    on_common_positions : tuple of two Corpus
        Key and response with spans, heads and minimum spans on common positions, as they were compared. Mentions have the
        same numbers as in `key` and `response`.
    """

    key: Corpus
    response: Corpus
    key_mention: Ints
    response_mention: Ints
    on_common_positions: tuple[Corpus, Corpus]

    def __repr__(self) -> str:
        return f"<Matching of {len(self.key_mention)} mentions of {self.key!r} and {self.response!r}>"

    @property
    def T(self) -> Matching:
        """Key and response exchanged."""
        key, response = self.on_common_positions
        return Matching(self.response, self.key, self.response_mention, self.key_mention, (response, key))


def match(
    key: Corpus,
    response: Corpus,
    *,
    matcher: str = "exact",
    zeros: str = "dependent",
    min_overlap: float = 0.5,
    characters: CharacterAlignments = (),
    choose: Choice | None = None,
) -> Matching:
    """Match the mentions that key and response have in common.

    Parameters
    ----------
    key, response : Corpus
        Over the same documents (`referee.matching.documents.align_documents`).
    matcher : str
        One of `MATCHERS`.
    zeros : str
        One of `ZEROS`. With "drop", the corpora must be without zeros already.
    min_overlap : float
        For the matcher `overlap`: below 1 the least Jaccard index, from 1 on the least number of positions in common.
    characters : CharacterAlignments
        Of documents whose words differ (`referee.matching.positions.character_alignments`).
    choose : callable or None
        Chooses among candidates; None for `referee.matching.one_to_one.one_to_one`.

    Returns
    -------
    Matching

    Raises
    ------
    UnknownNameError
        If there is no such matcher.
    MismatchError
        If one side has spans and the other items, or if a side lacks heads that the matcher needs.
    """
    if matcher not in MATCHERS:
        raise UnknownNameError("matcher", matcher, MATCHERS)
    for side in HEADS.get(matcher, ()):
        _require_heads(key if side == "key" else response, matcher)
    sides = on_common_positions(key, response, characters)
    unmatched = [np.arange(len(side.document)) for side in sides]
    matched: list[tuple[Ints, Ints]] = []

    def take(pairs: tuple[Ints, Ints]) -> None:
        """Note pairs of unmatched mentions, which are matched from now on."""
        matched.append((unmatched[0][pairs[0]], unmatched[1][pairs[1]]))
        unmatched[:] = (np.delete(mentions, taken) for mentions, taken in zip(unmatched, pairs, strict=True))

    def chosen(candidates: Candidates, key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
        from referee.matching.one_to_one import one_to_one  # exact matching, which starts often, has no use for it

        return (choose or one_to_one)(candidates, key, response)

    if zeros == "dependent" and key.empty_nodes and response.empty_nodes:
        zero = [np.flatnonzero(side.zero) for side in (key, response)]
        rows = [mention_rows(side, mentions) for side, mentions in zip((key, response), zero, strict=True)]
        pairs = chosen(dependent_zeros(*rows), *rows)
        take((zero[0][pairs[0]], zero[1][pairs[1]]))
    take(equal_mentions(*map(mention_rows, sides, unmatched), heads=matcher == "head"))
    if matcher != "exact" and key.items is None and response.items is None:
        rest = [mention_rows(side, mentions) for side, mentions in zip(sides, unmatched, strict=True)]
        more = {"min_overlap": min_overlap} if matcher == "overlap" else {}
        take(chosen(_matcher(matcher)(*rest, **more), *rest))
    key_mention, response_mention = (np.concatenate(mentions) for mentions in zip(*matched, strict=True))
    return Matching(key, response, key_mention, response_mention, sides)


def _matcher(name: str) -> Matcher:
    module, function = MATCHERS[name].split(":")
    matcher: Matcher = getattr(import_module(f"referee.matching.{module}"), function)
    return matcher


def _require_heads(side: Corpus, matcher: str) -> None:
    """MismatchError if a mention has no head, and no other head column makes up for it."""
    if side.items is None and side.head is None and (side.heads < 0).any():
        raise MismatchError(
            f"{side.source} has no heads, which {matcher} matching needs; expected a format with heads, such as corefud: use "
            "--match exact or overlap"
        )
