"""Relations of annotation tools: which mean coreference, and which mentions they are between.

Relations whose name begins with "coref" or "ident" (in either case) mean coreference, and so do those without a name; or, if
the user names relations, these alone. Others are left out with a warning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from referee.basics.exceptions import one_line, shortened
from referee.formats.shared.characters import BLANK
from referee.formats.shared.documents import Pairs
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.json_values import Report

COREFERENCE = re.compile(r"coref|ident", re.IGNORECASE)


class Relation(NamedTuple):
    """A relation of two mentions: its names, if it has any, and the ids of the mentions."""

    names: Sequence[str]
    first: str
    second: str


class ChosenRelations:
    """Which relations of an input mean coreference, by their names; counts the others, and mentions without words.

    Parameters
    ----------
    names : sequence of str
        The names that the user gave, in any case; none for those that the format says.
    usual : callable
        Whether a name means coreference in the format, if the user gave none.
    explanation : str
        What a warning says of these names.

    Examples
    --------
    >>> meaning = ChosenRelations(["ante"])
    >>> meaning.means("Ante"), meaning.means("Coreference"), meaning.ignored
    (True, False, Counter({'Coreference': 1}))
    """

    def __init__(
        self,
        names: Sequence[str] = (),
        usual: Callable[[str], object] = COREFERENCE.match,
        explanation: str = "those whose names begin with coref or ident are",
    ) -> None:
        self.missing = {name.lower(): name for name in names}
        self.names = frozenset(self.missing)
        self.usual, self.explanation = usual, explanation
        self.ignored = Counter[str]()
        self.blank = 0

    def means(self, *names: str, relations: int = 1) -> bool:
        """Whether so many relations with these names mean coreference. Without a name they do, unless the user gave names."""
        is_meant = self.matches(*names)
        if not is_meant:
            self.ignored[" ".join(names) or "without a name"] += relations
        return is_meant

    def matches(self, *names: str) -> bool:
        """The same for what is no relation, but a layer of relations: it is not counted."""
        if not self.names:
            return not names or any(map(self.usual, names))
        lowered = {name.lower() for name in (*names, " ".join(names))}  # as a warning prints them, too
        for name in lowered:
            self.missing.pop(name, None)
        return not self.names.isdisjoint(lowered)

    def warn(self, source: str) -> None:
        """Warn of relations that are no coreference, of names that no relation has, and of mentions without words."""
        which = "those that --relations names are" if self.names else f"{self.explanation}, or those that --relations names"
        warn_file(source, f"ignored {{}} other than coreference ({{names}}); {which}", "relation", self.ignored)
        warn_file(source, "found no relation with {} of --relations ({names})", "name", Counter(self.missing.values()))
        warn_file(source, BLANK, "mention", self.blank)


def coreferent(relations: Iterable[Relation], ids: Sequence[str], meaning: ChosenRelations, report: Report) -> Pairs:
    """The pairs of mentions, by number, that corefer; counts relations that mean something else.

    Parameters
    ----------
    relations
        Those of a document.
    ids : sequence of str
        What its mentions are called.
    meaning : ChosenRelations
        Which mean coreference; takes the names of those that do not.
    report : callable
        Takes an error.
    """
    named = [(tuple(names), first, second) for names, first, second in relations]
    same = {names: meaning.means(*names, relations=n) for names, n in Counter(names for names, _, _ in named).items()}
    number = dict(zip(ids, range(len(ids)), strict=True))
    pairs = []
    for names, first, second in named:
        if not same[names]:
            continue
        if first in number and second in number and first != second:
            pairs.append((number[first], number[second]))
            continue
        relation = f"a relation {one_line(shortened(' '.join(names)))!r}"
        if (unknown := next((id_ for id_ in (first, second) if id_ not in number), None)) is not None:
            report(f"{relation} is with {one_line(shortened(unknown))!r}; expected a mention's id")
        else:
            report(f"{relation} is of {one_line(shortened(first))!r} with itself; expected two")
    return pairs
