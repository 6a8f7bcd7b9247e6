"""Matching mentions: which key mention is which response mention, one to one.

Equal mentions are matched first. They are the same positions of one document, or the same item; in head matching their heads
must be equal, too. What is left may be matched inexactly: a matcher gives candidate pairs with weights, and the one-to-one
choice with the greatest total weight is taken. To add a matcher, write one file, and name it in `MATCHERS`, here and in
`choices`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import MismatchError, UnknownNameError, brief, counted
from referee.basics.options.options import RECORDS
from referee.basics.registry import Registry
from referee.corpus import Corpus
from referee.matching.exact import equal_mentions
from referee.matching.positions import CharacterAlignments, on_common_positions
from referee.matching.spans import Candidates, mention_rows, refuse_many_overlaps
from referee.matching.zeros import dependent_zeros

Pairs: TypeAlias = tuple[Ints, Ints]  # mentions of the key and of the response; those of a pair stand in the same row

Matcher: TypeAlias = Callable[..., Candidates]
Choice: TypeAlias = Callable[[Candidates, Corpus, Corpus], Pairs]
"""(candidates, key, response) -> the numbers of the mentions that are matched, one to one"""

MATCHERS: Registry[Matcher] = Registry(
    "matcher",
    {
        "exact": "",
        "head": "referee.matching.head:head",
        "partial": "referee.matching.partial:partial",
        "min": "referee.matching.partial:minimum_span",
        "overlap": "referee.matching.overlap:overlap",
        "craft": "referee.matching.craft:craft",
    },
)
"""Name -> module and function, which is imported when it is used; exact matching has no candidates beside equal mentions. `min`
stands for the minimum span (MIN) of MUC, which a response mention must contain."""

HEADS: Mapping[str, tuple[str, ...]] = {"head": ("key", "response"), "partial": ("key",)}
"""The matchers that compare heads, and the sides on which every mention must have one."""

ZEROS = RECORDS["zeros"].choices
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
        names = brief(self.key.source, 30), brief(self.response.source, 30)
        return f"<Matching of {names[0]} and {names[1]}: {counted(len(self.key_mention), 'mention')} matched>"

    @property
    def T(self) -> Matching:
        """Key and response exchanged."""
        key, response = self.on_common_positions
        return Matching(self.response, self.key, self.response_mention, self.key_mention, (response, key))

    def some(self, pairs: Bools) -> Matching:
        """Some of the matched pairs."""
        return self._replace(key_mention=self.key_mention[pairs], response_mention=self.response_mention[pairs])


def match(
    key: Corpus,
    response: Corpus,
    *,
    matcher: str | Callable[[Corpus, Corpus], object] = "exact",
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
    matcher : str or callable
        One of `MATCHERS`, or a function of key and response that gives `Candidates`.
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
        If one side has spans and the other items, if heads are missing that the matcher needs, or too many mentions overlap.
    """
    if isinstance(matcher, str) and matcher not in MATCHERS:
        raise UnknownNameError("matcher", matcher, MATCHERS)
    for name in HEADS.get(matcher, ()) if isinstance(matcher, str) else ():
        side = key if name == "key" else response
        if side.items is None and side.head is None and (side.heads < 0).any():
            raise MismatchError(
                f"{side.source} has no heads, which {matcher} matching needs; expected a format with heads, such as corefud: "
                "use --match exact or overlap"
            )
    sides, choice = on_common_positions(key, response, characters), choose or _one_to_one
    matched: Pairs = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    if zeros == "dependent" and key.empty_nodes and response.empty_nodes:
        all_zeros = np.flatnonzero(key.zero), np.flatnonzero(response.zero)
        matched = _extended(matched, (key, response), lambda k, r: choice(dependent_zeros(k, r), k, r), all_zeros)
    matched = _extended(matched, sides, partial(equal_mentions, heads=matcher == "head"))
    if matcher != "exact" and key.items is None and response.items is None:
        candidates = _candidates(matcher, min_overlap)

        def alike(k: Corpus, r: Corpus) -> Pairs:
            refuse_many_overlaps(k, r)
            return choice(candidates(k, r), k, r)

        matched = _extended(matched, sides, alike)
    return Matching(key, response, *matched, sides)


def _candidates(matcher: str | Callable[[Corpus, Corpus], object], min_overlap: float) -> Matcher:
    """The function of a matcher."""
    if isinstance(matcher, str):
        return partial(MATCHERS.load(matcher), **({"min_overlap": min_overlap} if matcher == "overlap" else {}))
    from referee.matching.own_matcher import candidates_by  # few matchers are of the caller

    return partial(candidates_by, matcher)


def _extended(
    matched: Pairs, sides: tuple[Corpus, Corpus], find: Callable[[Corpus, Corpus], Pairs], mentions: Pairs | None = None
) -> Pairs:
    """The matched mentions, and pairs that are found among some mentions: by default those that are not matched yet."""
    k, r = mentions or (np.delete(np.arange(len(s.document)), numbers) for s, numbers in zip(sides, matched, strict=True))
    pairs = find(mention_rows(sides[0], k), mention_rows(sides[1], r))
    return np.concatenate([matched[0], k[pairs[0]]]), np.concatenate([matched[1], r[pairs[1]]])


def _one_to_one(candidates: Candidates, key: Corpus, response: Corpus) -> Pairs:
    from referee.matching.one_to_one import one_to_one  # exact matching, which starts often, does not need it

    return one_to_one(candidates, key, response)
