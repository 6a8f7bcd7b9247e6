"""`Errors`: the errors of a response, what they cost, and where they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.basics.exceptions import OptionError, counted, shortened
from referee.corpus import Mention
from referee.error_analysis.breakdown import FACETS, Breakdown, breakdown, cost_column
from referee.error_analysis.concordance import WIDTH, concordance
from referee.error_analysis.costs import attributed, costs, usual
from referee.error_analysis.differences import KINDS, Differences, by_key_entity, differences
from referee.error_analysis.plots import draw
from referee.matching.pair import Pair
from referee.metrics.scores import Scores
from referee.metrics.titles import main_metric
from referee.reports.listing import Column, Listing, against
from referee.reports.result import Result
from referee.reports.text import Screen


@dataclass(frozen=True, eq=False)
class Errors(Result):
    """The errors of a response.

    Parameters
    ----------
    differences : Differences
        Each error: its kind, document, entities and mentions, as columns in the order of the text.
    scores : Scores
        The scores of the response.

    Examples
    --------
    >>> from referee import score
    >>> errors = score([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}]).errors()
    >>> errors.counts["misplaced"], errors.costs("muc").round(3).tolist()
    (1, [0.333])
    """

    differences: Differences
    scores: Scores

    @classmethod
    def of(cls, pair: Pair, scores: Scores) -> Errors:
        """Find the errors of a pair that was scored."""
        return cls(differences(pair), scores)

    def __len__(self) -> int:
        return len(self.differences)

    def __repr__(self) -> str:
        found = ", ".join(f"{number} {kind}" for kind, number in self.counts.items() if number)
        return f"<Errors of {self.scores.name}: {found or 'none'}>"

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each kind."""
        return self.differences.counts

    def by(self, by: str = "kind", metrics: str | Iterable[str] | None = None) -> Breakdown:
        """Break errors and their costs down by kind, or by one of `FACETS`, such as "distance" or "mention-type"."""
        return breakdown(self.differences, self.scores, by, self._metrics(metrics))

    def costs(self, metric: str = "conll") -> Floats:
        """Return what each error costs the corpus in a metric, shape (errors,): score gained if it is corrected."""
        (name,) = attributed(metric)
        return costs(self.differences, self.scores, [name]).corpus[name]

    def listing(
        self, by: str = "kind", *, metrics: str | Iterable[str] | None = None, top: int | None = None, context: int = 0
    ) -> Listing:
        """Return the table of `referee errors`.

        Parameters
        ----------
        by : str
            One of `BY`: "kind", a facet, or "entity" or "error" for a list, the costliest first.
        metrics : str, iterable or None
            The metrics in which costs are shown.
        top : int or None
            How many rows of a list at most; None for all.
        context : int
            For "error": how many tokens before and after each mention are shown.

        Raises
        ------
        OptionError
            For a context where neither side has words.
        """
        return errors_by(self.differences, self.scores, by, self._metrics(metrics), top, context)

    def report(self, form: str = "text", *, screen: Screen | None = None, **how: Any) -> str:
        """Write the report; errors with contexts as a concordance, where it is a text."""
        if form == "text" and how.get("context"):
            tokens = max(how["context"], (screen or Screen()).width or WIDTH)  # as many as a line may hold
            return concordance(self.listing(**{**how, "context": tokens}), screen or Screen())
        return super().report(form, screen=screen, **how)

    def plot(
        self, path: str, kind: str = "costs", metrics: str | Iterable[str] | None = None, *, document: str | None = None
    ) -> None:
        """Draw one of `PLOTS` into a file; see `referee.error_analysis.plots`. Costs are in one metric if none is named."""
        shown = self._metrics(metrics)
        draw(self.differences, self.scores, path, kind, shown if metrics else [main_metric(shown)], document)

    def _metrics(self, metrics: str | Iterable[str] | None) -> Sequence[str]:
        return usual(self.scores) if metrics is None else attributed(metrics)


def errors_by(
    d: Differences, scores: Scores, by: str, metrics: Sequence[str], top: int | None = None, context: int = 0
) -> Listing:
    """Return the table of errors by "kind", "entity", "error", or one of `FACETS`.

    Entities and errors are listed by their cost in the first metric, the largest first, at most `top` of them. Errors have
    `context` tokens before and after their mentions.
    """
    if by not in ONE_BY_ONE:
        return breakdown(d, scores, by, metrics).listing()
    listing = _in_context(d, scores, metrics, context) if context else ONE_BY_ONE[by](d, scores, metrics)
    left_out = 0 if top is None else max(0, len(listing.rows) - top)
    rows = listing.rows[: len(listing.rows) - left_out]
    notes = [f"{counted(left_out, 'row')} left out: --top 0 shows all"] if left_out else []
    facts = {"signature": scores.signature, "key": d.pair.key.source, "response": scores.name, "by": by}
    title = f"Errors of {against([scores.name], d.pair.key.source)}"
    return Listing(listing.columns, rows, [*notes, scores.signature], facts, title=title)


def _errors(d: Differences, scores: Scores, metrics: Sequence[str]) -> Listing:
    """Every error."""
    cost = costs(d, scores, metrics).corpus
    rows = [
        [*_place(_mention(d, n)), KINDS[d.kind[n]], described(d, n), d.mentions[n], *(cost[m][n] for m in metrics)]
        for n in _costliest(scores, cost, metrics, np.arange(len(d)))
    ]
    labels = [Column(name, "label") for name in ("document", "place", "text", "kind", "what")]
    return Listing([*labels, Column("mentions", "count"), *_columns(scores, metrics)], rows)


def _in_context(d: Differences, scores: Scores, metrics: Sequence[str], tokens: int) -> Listing:
    """Every error, with the tokens before and after its mention."""
    if d.pair.key.text is None and d.pair.response.text is None:
        raise OptionError(f"a context needs words; {d.pair.key.source} and {scores.name} have none: expected --by error alone")
    listing = _errors(d, scores, metrics)
    mentions = (_mention(d, n) for n in _costliest(scores, costs(d, scores, metrics).corpus, metrics, np.arange(len(d))))
    rows = []
    for row, mention in zip(listing.rows, mentions, strict=True):
        words = mention.document.tokens
        before, after = words[max(0, mention.start - tokens) : mention.start], words[mention.end : mention.end + tokens]
        rows.append([*row[:2], " ".join(before), row[2], " ".join(after), *row[3:]])
    document, place, text, *others = listing.columns
    return Listing([document, place, Column("before"), text, Column("after"), *others], rows)


def _entities(d: Differences, scores: Scores, metrics: Sequence[str]) -> Listing:
    """Every entity with errors: of the key, with spurious mentions in what it owns; and spurious ones."""
    pair = d.pair
    own = by_key_entity(d)
    entity = np.where(own >= 0, own, len(d.best_response) + d.response_entity)
    sides = (pair.key, 0), (pair.response, len(d.best_response))
    first = [np.unique(side.entity, return_index=True)[1].tolist() for side, _ in sides]
    cost = costs(d, scores, metrics, entity, len(d.best_response) + len(d.best_key)).corpus
    kinds: dict[int, Counter[int]] = defaultdict(Counter)
    for number, kind, mentions in zip(entity.tolist(), d.kind.tolist(), d.mentions.tolist(), strict=True):
        kinds[number][kind] += mentions
    rows = []
    for number in _costliest(scores, cost, metrics, np.unique(entity)):
        in_response = number >= len(d.best_response)
        side, before = sides[in_response]
        mention = Mention(side, first[in_response][number - before])
        what = ", ".join(f"{n} {KINDS[kind].removesuffix('_entity')}" for kind, n in sorted(kinds[number].items()))
        numbers = [side.entity_size[number - before], *(cost[m][number] for m in metrics)]
        rows.append([*_place(mention), mention.entity.id, what, *numbers])
    labels = [Column(name, "label") for name in ("document", "place", "text", "entity", "what")]
    return Listing([*labels, Column("mentions", "count"), *_columns(scores, metrics)], rows)


ONE_BY_ONE: Mapping[str, Callable[[Differences, Scores, Sequence[str]], Listing]] = {"entity": _entities, "error": _errors}
"""What is listed in the order of costs."""

BY = ("kind", *FACETS, *ONE_BY_ONE)


def described(d: Differences, error: int) -> str:
    """An error in a few words."""
    pair = d.pair
    kind, k, r = KINDS[d.kind[error]], int(d.key_entity[error]), int(d.response_entity[error])
    own = f"entity {pair.key.entity_ids[k]}" if k >= 0 else ""
    found = f"response {pair.response.entity_ids[r]}" if r >= 0 else ""
    owner = f"entity {pair.key.entity_ids[d.best_key[r]]}" if r >= 0 and d.best_key[r] >= 0 else ""
    if kind == "span":
        other = Mention(pair.response, int(d.response_mention[error]))
        return f"found as {shortened(other.text) or _span(other)}"
    return {
        "missed": f"of {own}",
        "missed_entity": f"all of {own}",
        "spurious": f"in {found}",
        "spurious_entity": f"all of {found}",
        "split": f"of {own}, apart in {found}",
        "merged": f"{own}, merged with {owner} in {found}",
        "misplaced": f"of {own}, with {owner} in {found}",
    }[kind]


def _mention(d: Differences, error: int) -> Mention:
    """The first mention that an error concerns, of the key if it has one there."""
    in_key = d.key_mention[error] >= 0
    side = d.pair.key if in_key else d.pair.response
    return Mention(side, int((d.key_mention if in_key else d.response_mention)[error]))


def _place(m: Mention) -> list[str]:
    """Document, span and text of a mention."""
    return [m.document.name, _span(m), shortened(m.text)]


def _span(m: Mention) -> str:
    return "" if m.corpus.items is not None else "+".join(f"{start}:{end}" for start, end in m.spans)


def _columns(scores: Scores, metrics: Sequence[str]) -> list[Column]:
    return [cost_column(m, scores.counts_of(m).unit) for m in metrics]


def _costliest(scores: Scores, cost: Mapping[str, Floats], metrics: Sequence[str], rows: Ints) -> list[int]:
    """The rows by their cost in the first metric; those of equal cost in the order of the text."""
    values = np.nan_to_num(cost[metrics[0]][rows], nan=0.0)
    order = np.argsort(-values if scores.record(metrics[0]).target is None else values, kind="stable")
    ordered: list[int] = rows[order].tolist()
    return ordered
