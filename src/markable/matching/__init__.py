"""Which key mention is which response mention, one to one: `MATCHERS` and `match`.

A matcher gets two corpora over the same documents and gives the numbers of matched mentions. Adding one is one file and one
line here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from markable.corpus import Corpus
from markable.errors import UnknownNameError
from markable.matching.exact import exact
from markable.rows import Ints

Matcher: TypeAlias = Callable[[Corpus, Corpus], tuple[Ints, Ints]]

MATCHERS: dict[str, Matcher] = {
    "exact": exact,
}


class Matching(NamedTuple):
    """Key and response side by side, over the same documents.

    key_mention, response_mention : int64, shape (matched,): the matched mentions' numbers in the two corpora
    """

    key: Corpus
    response: Corpus
    key_mention: Ints
    response_mention: Ints

    @property
    def T(self) -> Matching:
        """Key and response exchanged."""
        return Matching(self.response, self.key, self.response_mention, self.key_mention)


def match(key: Corpus, response: Corpus, *, matcher: str = "exact") -> Matching:
    """The mentions that key and response have in common; both must be over the same documents (`documents.align`).

    MismatchError where mentions cannot be compared, UnknownNameError for an unknown matcher.
    """
    if matcher not in MATCHERS:
        raise UnknownNameError("matcher", matcher, MATCHERS)
    return Matching(key, response, *MATCHERS[matcher](key, response))
