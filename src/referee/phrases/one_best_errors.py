"""The errors of a 1-best prediction: `errors`, which gives `PhraseErrors`.

Phrases of key and response that are not exactly right are paired, each with one at most that shares a word with it. A pair with
the same span has the wrong type, one with the same type the wrong span, any other both. What is left is missed or spurious.
So each error has one kind, and is counted once.

Pairs are made in this order: the same span first, then the same type, then all others; of these, those with more words in
common first, and then in the order of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from referee.basics.exceptions import brief, check_name, counted, one_line, shortened
from referee.basics.options.choices import PHRASE_ERRORS
from referee.basics.system_names import name_of
from referee.basics.version import VERSION
from referee.phrases.annotation import Chunks, Sentences, common_spans
from referee.phrases.formats.sides import PhraseKey, PhraseResponse, read_values
from referee.phrases.one_best import overlapping_pairs
from referee.phrases.predictions import predictions
from referee.reports.listing import Column, Listing, Plain, against, headed
from referee.reports.result import Result

LIMIT = 20
"""Errors that are listed for people."""

CONTEXT = 4
"""Words on each side of an error."""

TITLES = {"missed": "missed", "spurious": "spurious", "type": "wrong type", "span": "wrong span", "both": "both wrong"}
"""The kinds as tables name them."""

RULE = (
    "phrases that share a word are pairs, each in one at most; of the same span: wrong type; of the same type: wrong span; "
    "others: both"
)

RECORD = (
    *("kind", "sentence", "line", "key_type", "key_start", "key_end", "key_words"),
    *("response_type", "response_start", "response_end", "response_words", "before", "after"),
)
"""The columns for programs. Positions count words from 0; the end is the word after the phrase."""


class Phrase(NamedTuple):
    """A category, the first word, and the word after the last."""

    category: str
    start: int
    end: int


class PhraseError(NamedTuple):
    """An error.

    Parameters
    ----------
    kind
        One of `PHRASE_ERRORS`.
    sentence
        The number of the sentence in the key, from 0.
    key, response
        The phrases; None for that of the key if it is spurious, for that of the response if it is missed.
    """

    kind: str
    sentence: int
    key: Phrase | None
    response: Phrase | None

    @property
    def phrases(self) -> list[Phrase]:
        """That of the key, if there is one, and that of the response."""
        return [phrase for phrase in (self.key, self.response) if phrase]

    @property
    def category(self) -> str:
        """The category of the key's phrase, or else of the response's."""
        return self.phrases[0].category

    @property
    def start(self) -> int:
        """The first word of both phrases."""
        return min(phrase.start for phrase in self.phrases)

    @property
    def end(self) -> int:
        """The word after both."""
        return max(phrase.end for phrase in self.phrases)


def errors(
    key: PhraseKey, response: PhraseResponse | None = None, *, threshold: float = 0.5, decode: str = "conlleval"
) -> PhraseErrors:
    """Find the errors of a response.

    Parameters
    ----------
    key, response
        As `referee.phrases.score` takes them.
    threshold
        Of candidates with probabilities, those that are listed with at least this one are the prediction.
    decode
        How tags become chunks.

    Raises
    ------
    MismatchError
        If the sentences of key and response differ.

    Examples
    --------
    >>> wrong = errors([["B-PER", "O", "B-LOC", "I-LOC"]], [["B-LOC", "O", "B-LOC", "O"]])
    >>> wrong.counts
    {'missed': 0, 'spurious': 0, 'type': 1, 'span': 1, 'both': 0}
    >>> wrong[0]["key_type"], wrong[0]["response_type"]
    ('PER', 'LOC')
    """
    read = read_values(key, [response], decode=decode)
    (prediction,) = predictions(read.key, read.responses, threshold=threshold)
    name = name_of(prediction.response.source)
    settings = {**prediction.settings, **read.settings}
    return PhraseErrors(name, read.key.source, prediction.key.sentences, _errors(*prediction[:2]), settings)


def _errors(key: Chunks, response: Chunks) -> list[PhraseError]:
    """The errors in the order of the text; key and response have the same sentences and categories."""
    in_response, in_key = common_spans(key, response)
    of_key, of_response = key.where(~in_response), response.where(~in_key)
    partner = _pairs(of_key, of_response)
    paired = set(partner.values())
    phrases = [
        [(s, Phrase(side.categories[x], start, end)) for s, start, end, x in side.columns.rows()]
        for side in (of_key, of_response)
    ]
    errors = [PhraseError("spurious", s, None, phrase) for r, (s, phrase) in enumerate(phrases[1]) if r not in paired]
    for k, (s, phrase) in enumerate(phrases[0]):
        other = phrases[1][partner[k]][1] if k in partner else None
        errors.append(PhraseError(_kind(phrase, other), s, phrase, other))
    return sorted(errors, key=lambda error: (error.sentence, error.start, error.end, error.category, error.kind))


def _kind(key: Phrase, response: Phrase | None) -> str:
    if response is None:
        return "missed"
    if key[1:] == response[1:]:
        return "type"
    return "span" if key.category == response.category else "both"


def _pairs(key: Chunks, response: Chunks) -> dict[int, int]:
    """The rows of the response that are paired with rows of the key."""
    k, r = overlapping_pairs(key, response)
    common = np.minimum(key.end[k], response.end[r]) - np.maximum(key.start[k], response.start[r])
    same_span = (key.start[k] == response.start[r]) & (key.end[k] == response.end[r])
    rank = np.where(same_span, 0, np.where(key.category[k] == response.category[r], 1, 2))
    order = np.lexsort((r, k, -common, rank))
    partner: dict[int, int] = {}
    paired: set[int] = set()
    for a, b in zip(k[order].tolist(), r[order].tolist(), strict=True):
        if a not in partner and b not in paired:
            partner[a] = b
            paired.add(b)
    return partner


@dataclass(frozen=True, eq=False, repr=False)
class PhraseErrors(Result):
    """The errors of a response: a sequence of the rows of ``to_rows()``, in the order of the text.

    Parameters
    ----------
    name, key
        The names of the response and of the key.
    sentences
        Those of the key.
    found
        The errors.
    settings
        What stands in the signature.
    """

    name: str
    key: str
    sentences: Sentences
    found: Sequence[PhraseError]
    settings: Mapping[str, object]

    def __repr__(self) -> str:
        some = ", ".join(f"{number} {kind}" for kind, number in self.counts.items() if number)
        return f"<PhraseErrors of {brief(self.name)}: {counted(len(self), 'error')}{some and f' ({some})'}>"

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[dict[str, Plain]]:
        return iter(self._rows)

    def __getitem__(self, place: int) -> dict[str, Plain]:
        return self._rows[place]

    @cached_property
    def _rows(self) -> list[dict[str, Plain]]:
        return self.to_rows()

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each kind."""
        counts = Counter(error.kind for error in self.found)
        return {kind: counts[kind] for kind in PHRASE_ERRORS}

    @property
    def signature(self) -> str:
        """How errors were found."""
        return " | ".join([f"referee {VERSION} phrases", *(f"{name}:{value}" for name, value in self.settings.items())])

    def listing(self) -> Listing:
        """The table of kinds by type."""
        table = Counter((error.category, error.kind) for error in self.found)
        types = sorted({category for category, _ in table})
        rows = [[x, *(numbers := [table[x, kind] for kind in PHRASE_ERRORS]), sum(numbers)] for x in types]
        rows.append(["all", *self.counts.values(), len(self)])
        columns = [Column("type"), *(Column(TITLES[kind], "count") for kind in PHRASE_ERRORS), Column("errors", "count")]
        return Listing(
            columns, rows, legend=[RULE], notes=[self.signature], title=f"errors of {against([self.name], self.key)}"
        )

    def listings(self, *, limit: int | None = LIMIT, kind: str | None = None) -> Sequence[Listing]:
        """The table of kinds by type, and the list of errors.

        Parameters
        ----------
        limit
            How many errors are listed at most; None or 0 for all.
        kind
            List only errors of these kinds, separated by commas.

        Raises
        ------
        UnknownNameError
            If there is no such kind.
        """
        errors = self._of_kinds(kind)
        listed = errors[: limit or len(errors)]
        columns = [Column("sentence"), Column("line"), Column("kind"), Column("key → response"), Column("in context")]
        rows = [self._texts(error) for error in listed]
        used = [n for n in range(len(columns)) if any(row[n] for row in rows)]
        more = len(errors) - len(listed)
        some = Listing(
            [columns[n] for n in used],
            [[row[n] for n in used] for row in rows],
            legend=[f"… {more} more: --limit 0 lists all"] if more else [],
            caption="errors in the order of the text",
        )
        return [self.listing(), some] if listed else [self.listing()]

    def records(self, *, limit: int | None = None, kind: str | None = None) -> Listing:
        """The errors for programs; `limit` and `kind` as in `listings`."""
        errors = self._of_kinds(kind)
        return Listing([Column(name, "number") for name in RECORD], [self._record(e) for e in errors[: limit or len(errors)]])

    def to_dict(self, *, limit: int | None = None, kind: str | None = None) -> dict[str, object]:
        """The content of the JSON report."""
        rows = self.records(limit=limit, kind=kind).to_rows()
        return headed(key=self.key, system=self.name, signature=self.signature, counts=self.counts, errors=rows)

    def _of_kinds(self, kind: str | None) -> list[PhraseError]:
        """The errors of these kinds."""
        kinds = [name.strip() for name in kind.split(",")] if kind else PHRASE_ERRORS
        for name in kinds:
            check_name("kind of error", name, PHRASE_ERRORS)
        return [error for error in self.found if error.kind in kinds]

    def _line(self, error: PhraseError) -> int | None:
        """The line of the first word in the file of the key."""
        first = self.sentences.first_line
        return None if first is None else int(first[error.sentence]) + error.start

    def _words(self, sentence: int, start: int, end: int) -> str | None:
        words = self.sentences.words
        return None if words is None else " ".join(words[sentence][max(start, 0) : end])

    def _record(self, error: PhraseError) -> list[object]:
        sides: list[object] = []
        for phrase in (error.key, error.response):
            sides += [None] * 4 if phrase is None else [*phrase, self._words(error.sentence, phrase.start, phrase.end)]
        before, after = self._context(error)
        return [error.kind, self.sentences.ids[error.sentence], self._line(error), *sides, before, after]

    def _context(self, error: PhraseError) -> tuple[str | None, str | None]:
        """Words before and after."""
        before = self._words(error.sentence, error.start - CONTEXT, error.start)
        return before, self._words(error.sentence, error.end, error.end + CONTEXT)

    def _texts(self, error: PhraseError) -> list[str]:
        """What the list for people says."""
        sides = [self._phrase(error.sentence, phrase) for phrase in (error.key, error.response)]
        before, after = self._context(error)
        words = self._words(error.sentence, error.start, error.end)
        context = "" if words is None else " ".join(filter(None, (before, f"[{shortened(words)}]", after)))
        line = self._line(error)
        name = one_line(self.sentences.ids[error.sentence])
        return [name, "" if line is None else str(line), TITLES[error.kind], " → ".join(sides), one_line(context)]

    def _phrase(self, sentence: int, phrase: Phrase | None) -> str:
        if phrase is None:
            return "–"
        words = self._words(sentence, phrase.start, phrase.end)
        return f"[{phrase.category} {shortened(one_line(words)) if words else f'{phrase.start}-{phrase.end}'}]"
