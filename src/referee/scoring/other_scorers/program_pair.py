"""`ProgramPair`: a pair as the CorefUD scorer 1.2 and the Universal Anaphora scorer 2.0 see it, to print what they print.

References
----------
`reader.py` and `mention.py` of either program, read and written anew.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from referee.algorithms.arrays import Bools, Ints, first_of_each, inverse, tally
from referee.algorithms.scipy_assignment import scipy_assignment
from referee.corpus import Corpus
from referee.matching.exact import identities
from referee.matching.matchers import Matching, match
from referee.matching.pair import Pair, Sides
from referee.matching.positions import on_common_positions
from referee.matching.repeated_mentions import repeated
from referee.matching.spans import Candidates, sizes


class ProgramPair(Pair):
    """A pair as the programs see it.

    Three things differ from the profiles. In head matching, a mention is its span and its head. Among several best matchings,
    the solver of the programs chooses. And matched mentions are found in an index by their positions, so a zero that has the
    position of another one is taken for it.
    """

    @classmethod
    def from_pair(cls, pair: Pair) -> ProgramPair:
        """See a pair as the programs do."""
        seen = cls(pair.with_repeats, pair.unfiltered, pair.with_repeats, pair.characters, pair.words, pair.options)
        kept = zip(pair.with_repeats, kept_masks(seen), strict=True)
        return replace(seen, scored=Sides(*(side.select(once) for side, once in kept)))

    @cached_property
    def matching(self) -> Matching:
        """Which key mention is which response mention."""
        o = self.options
        return match(*self.scored, matcher=o.match, zeros=o.zeros, characters=self.characters, choose=solve_candidates)

    def mistaken(self) -> Ints:
        """The documents where a matched mention has the position of another mention of the other side."""
        key_place, response_place = identities(*self.matching.on_common_positions, heads=_heads_count(self))
        k, r = self.matching.key_mention, self.matching.response_mention
        mistaken = np.isin(key_place[k], response_place) | np.isin(response_place[r], key_place)
        in_documents: Ints = self.key.document[k[(key_place[k] != response_place[r]) & mistaken]]
        return in_documents


def _heads_count(pair: Pair) -> bool:
    """Whether mentions of one span with different heads are different mentions."""
    return isinstance(pair, ProgramPair) and pair.options.match == "head"


def places(pair: Pair) -> tuple[Ints, Ints]:
    """Numbers of all mentions, repeated ones, too; equal for equal mentions."""
    return identities(*on_common_positions(*pair.with_repeats, pair.characters), heads=_heads_count(pair))


def kept_masks(pair: Pair) -> list[Bools]:
    """Which mentions are those of `Pair.scored`, where each is once."""
    if isinstance(pair, ProgramPair):
        return [first_of_each(place) for place in pair.memo_call(places)]
    return [~repeated(side) for side in pair.with_repeats]


def solve_candidates(candidates: Candidates, key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Choose among candidates as the programs do, which give all mentions of a document to the solver of SciPy."""
    k, r, shared, size = candidates
    contested = (tally(k)[k] > 1) | (tally(r)[r] > 1)
    document = key.document[k]
    solved = np.isin(document, document[contested])
    pairs = [np.stack([k[~solved], r[~solved]])]
    orders = [np.lexsort((sizes(side), side.end, side.start, side.document)) for side in (key, response)]
    ranks = [inverse(order) for order in orders]
    for d in np.unique(document[solved]).tolist():
        (first, after), (other_first, other_after) = (np.searchsorted(side.document, [d, d + 1]) for side in (key, response))
        in_document = document == d
        weight = np.zeros((after - first, other_after - other_first))
        weight[ranks[0][k[in_document]] - first, ranks[1][r[in_document]] - other_first] = (
            shared[in_document] / size[in_document]
        )
        row, column = scipy_assignment(weight)
        matched = weight[row, column] > 0
        pairs.append(np.stack([orders[0][first + row[matched]], orders[1][other_first + column[matched]]]))
    key_mention, response_mention = np.concatenate(pairs, axis=1)
    return key_mention, response_mention
