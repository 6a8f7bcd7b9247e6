"""Dashes as quotation marks, as in a dialogue of a novel.

A paragraph that begins with a dash is said, up to a comma, ? or ! before a clause with a verb of speech: *— Yes, said Ann.*
What follows this clause is said, too, if it has *I* or *you*. Dashes count only in a text without quotation marks of which at
least two paragraphs begin so, one of them with such a clause: else they are items of a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

DASHES = frozenset(("-", "--", "–", "—", "―"))
BEFORE_CLAUSE = frozenset((",", "?", "!", "..."))
AFTER_CLAUSE = frozenset((".", ",", ";", ":", "?", "!", *DASHES))
NEAR = 4
"""How many words may be between a mark and the verb of speech behind it."""


class Dialogue(NamedTuple):
    """The words of a document.

    Parameters
    ----------
    words : sequence of str
    paragraph : sequence of int
        The paragraph of each word.
    speech : frozenset of int
        The words that are verbs of speech with a subject, none in its plain form.
    spoken : frozenset of int
        The words *I* and *you*.
    """

    words: Sequence[str]
    paragraph: Sequence[int]
    speech: frozenset[int]
    spoken: frozenset[int]

    def stretches(self) -> list[tuple[int, int]]:
        """What is said: the first word of each stretch, and that behind its last."""
        stretches: list[tuple[int, int]] = []
        has_clause = False
        paragraphs = self._paragraphs()
        for first, after in paragraphs:
            start = first + 1
            while start < after:
                stop, start_again = self._clause(start, after)
                stretches.append((start, stop))
                has_clause = has_clause or stop < after
                start = after if self.spoken.isdisjoint(range(start_again, after)) else start_again
        return stretches if has_clause and len(paragraphs) > 1 else []

    def _paragraphs(self) -> list[tuple[int, int]]:
        """The paragraphs that begin with a dash."""
        begins = [n for n, p in enumerate(self.paragraph) if n == 0 or p != self.paragraph[n - 1]]
        ends = [*begins[1:], len(self.words)]
        return [(a, b) for a, b in zip(begins, ends, strict=True) if self.words[a] in DASHES and b - a > 1]

    def _clause(self, start: int, after: int) -> tuple[int, int]:
        """Where the first clause with a verb of speech begins, and where what follows it does; twice the end without one."""
        for t in range(start + 1, after):
            if self.words[t] not in BEFORE_CLAUSE:
                continue
            near = takewhile(lambda v: self.words[v] not in AFTER_CLAUSE, range(t + 1, min(t + 1 + NEAR, after)))
            verb = next((v for v in near if v in self.speech), -1)
            if verb >= 0:
                end = next((e for e in range(verb, after) if self.words[e] in AFTER_CLAUSE), after - 1)
                return t + (self.words[t] != ","), end + 1
        return after, after
