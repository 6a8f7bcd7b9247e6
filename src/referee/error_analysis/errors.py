"""`Errors`: the errors of a response, what they cost, and where they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints
from referee.basics.exceptions import OptionError, UnknownNameError, brief, check_name, counted, shortened
from referee.corpus import Mention
from referee.corpus.naming import unit_of
from referee.error_analysis.answers import ANSWER, answers_listing
from referee.error_analysis.breakdown import Breakdown, breakdown, cost_column, costliest
from referee.error_analysis.costs import attributed, costs, usual
from referee.error_analysis.crossed import crossed, properties
from referee.error_analysis.describing import ENTITIES, Describing, place
from referee.error_analysis.differences import KINDS, Differences, by_key_entity, differences
from referee.error_analysis.error_filter import ErrorFilter, Names, notes_of, selection_of
from referee.error_analysis.error_lines import WIDTH, error_lines
from referee.error_analysis.facets import FACETS, PROPERTIES, properties_of_errors
from referee.error_analysis.plots import draw
from referee.error_analysis.regrouped import REGROUPED, listing_of, summary
from referee.error_analysis.wrong_pairs import PAIR, pairs_are_listed, pairs_listing
from referee.matching.pair import Pair
from referee.metrics.registry import main_metric
from referee.metrics.scores import Scores
from referee.metrics.titles import title_of
from referee.reports.figures import Drawing
from referee.reports.listing import Column, Listing, Plain, against
from referee.reports.numbers import cost, minus
from referee.reports.result import Result
from referee.reports.text import Screen


@dataclass(frozen=True, eq=False)
class Errors(Result):
    """The errors of a response: a sequence of the rows of ``to_rows()``, the costliest error first.

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

    def __iter__(self) -> Iterator[dict[str, Plain]]:
        return iter(self._rows)

    def __getitem__(self, place: int) -> dict[str, Plain]:
        return self._rows[place]

    @cached_property
    def _rows(self) -> list[dict[str, Plain]]:
        return self.to_rows()

    def __repr__(self) -> str:
        names = [str(row[0]) for row in self.listing().rows[:-1]]  # the costliest first
        kinds = [f"{self.counts[name]:,} {name}" for name in names if self.counts[name]]
        most = ", ".join([*kinds[:2], *["…"][: len(kinds) > 2]])
        return f"<Errors of {brief(self.scores.name)}: {counted(len(self), 'error')}{most and f' ({most})'}>"

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each kind."""
        return self.differences.counts

    def by(
        self,
        by: str = "kind",
        metrics: str | Iterable[str] | None = None,
        *,
        kind: Names = None,
        mention_type: Names = None,
        entity_type: Names = None,
    ) -> Breakdown:
        """Break errors and their costs down by kind, or by one of `FACETS`, such as "distance" or "mention-type".

        The last three leave other errors out, as in `listing`. UnknownNameError for another name; of "entity", "error",
        "merge", "split", "pair" and "answer", which are lists, and of several names, with the call that works.
        """
        if (by in BY and by != "kind" and by not in FACETS) or properties(by):
            raise UnknownNameError("breakdown", by, BY, remedy=f"it is a list: errors.report(by={by!r}), to_rows(by={by!r})")
        wanted = ErrorFilter.from_names(kind, mention_type, entity_type)
        return breakdown(self.differences, self.scores, by, self._metrics(metrics), wanted)

    def costs(self, metric: str = "conll") -> Floats:
        """Return what each error costs the corpus in a metric, shape (errors,): score gained if it is corrected."""
        (name,) = attributed(metric, self.scores.metrics)
        return costs(self.differences, self.scores, [name]).corpus[name]

    def listing(
        self,
        by: str = "kind",
        *,
        metrics: str | Iterable[str] | None = None,
        top: int | None = None,
        context: int = 0,
        kind: Names = None,
        mention_type: Names = None,
        entity_type: Names = None,
    ) -> Listing:
        """Return the table of `referee errors`.

        Parameters
        ----------
        by : str
            One of `BY`: "kind", a facet, "entity" or "error" for a list, the costliest first, or "merge" or "split": entities
            of one side that are in several of the other, those with the most wrong pairs first; or "pair": false and missed
            pairs, where a side lists pairs; or "answer": what a language model said of each document. Of kind and facets
            several with commas, for a table of costs with its margins.
        metrics : str, iterable or None
            The metrics in which costs are shown; in a list for people only the first one.
        top : int or None
            How many rows of a list at most; None for all.
        context : int or bool
            For "error": how many tokens before and after each mention are shown; True for 10. Then the rows are shared equally
            among the kinds: the costliest kind first, and of each kind its costliest errors.
        kind, mention_type, entity_type : str, iterable or None
            Only errors of these kinds, and whose first mention has one of these types; separated by commas or one by one.

        Raises
        ------
        OptionError
            For a context where neither side has words; for types that are not known; for a filter of merges, splits or pairs.
        UnknownNameError
            For an unknown kind or type.
        """
        return self._table(by, metrics, top, context, ErrorFilter.from_names(kind, mention_type, entity_type))

    def listings(self, by: str = "kind", **how: Any) -> list[Listing]:
        """Return the table; of records before that of kinds those of merges and splits, which the page shows first."""
        listing, pair = self.listing(by, **how), self.differences.pair
        if by != "kind" or unit_of(pair.key, pair.response) != "record":
            return [listing]
        lists = [pairs_listing(pair, top=SHOWN)] if pairs_are_listed(pair) else []
        lists += [listing_of(pair, kind, top=SHOWN) for kind in REGROUPED]
        first, *rest = [*(each for each in lists if each.rows), listing]
        return [first._replace(caption="; ".join(filter(None, (summary(pair), first.caption)))), *rest]

    def _table(
        self,
        by: str,
        metrics: str | Iterable[str] | None = None,
        top: int | None = None,
        context: int = 0,
        some: ErrorFilter = ErrorFilter(),  # noqa: B008  # a value
        *,
        for_programs: bool = False,
        parts: bool = False,
    ) -> Listing:
        """The table of errors by one of `BY`; entities and errors are listed by their cost in the first metric."""
        if by in (*REGROUPED, PAIR) and metrics is not None:
            raise OptionError(
                f"wrong pairs are no costs in a metric; found metrics with by {by!r}: expected neither, or another"
            )
        if by in (*REGROUPED, PAIR) and not some.is_empty:
            raise OptionError(f"kinds and types are of errors; found by {by!r}: expected by 'error', or a table")
        d, scores, names = self.differences, self.scores, self._metrics(metrics)
        if several := properties(by):
            return crossed(d, scores, several, names, some, for_programs=for_programs)
        pair, source = d.pair, d.pair.key.source
        facts: dict[str, object] = {"signature": scores.signature, "key": source, "response": scores.name, "by": by}
        title = f"Errors of {against([scores.name], source)}"
        if by in (*REGROUPED, PAIR):
            table = pairs_listing(pair, top=top) if by == PAIR else listing_of(pair, by, top=top, for_programs=for_programs)
            return table._replace(notes=[*table.notes, scores.signature], facts=facts, title=title)
        if by == ANSWER:
            if not some.is_empty:
                raise OptionError(f"kinds and types are of errors; found by {by!r}: expected by 'error', or a table")
            metric = main_metric(scores) if metrics is None else names[0]
            table = answers_listing(pair, scores, metric, top=top, for_programs=for_programs)
            return table._replace(notes=[*table.notes, scores.signature], facts=facts, title=title)
        if by not in ONE_BY_ONE:
            result = breakdown(d, scores, by, names, some)
            return result.records() if for_programs else result.listing()
        selected = selection_of(d, some)
        wanted = Wanted(selected.errors, top, TOKENS if context is True else context, for_programs, parts)
        columns, rows, left_out = ONE_BY_ONE[by](d, scores, names if for_programs else names[:1], wanted)
        remedy = _remedy(by, columns, rows, is_one_kind=len(some.kind or ()) == 1)
        notes = [f"{counted(left_out, 'row')} left out: {remedy}"] if left_out else []
        notes += notes_of(d, some, selected, ["mention-type"] if by == "error" and for_programs else [])
        if not some.is_empty:
            gains = costs(d, scores, names, np.where(selected.errors, 0, -1), 1).corpus
            together = {name: float(gain[0]) for name, gain in gains.items()}
            facts |= {"filter": some.named(), "cost_of_all": together}
            gain = minus(cost(together[names[0]], scores.counts_of(names[0]).unit))
            notes.append(f"{title_of(names[0])} {gain} if all of them are repaired")
        if not for_programs and unit_of(pair.key, pair.response) == "record":
            columns, rows = _of_records(columns, rows, several=len(pair.key.doc_ids) > 1)
        return Listing(columns, rows, [*notes, scores.signature], facts, title=title)

    def records(
        self,
        by: str = "kind",
        *,
        metrics: str | Iterable[str] | None = None,
        top: int | None = None,
        context: int = 0,
        kind: Names = None,
        mention_type: Names = None,
        entity_type: Names = None,
    ) -> Listing:
        """Return the table for programs: all kinds and metrics, and of each error its entities, their types and its distance.

        Errors are in the order of their cost, whatever their kind.
        """
        some = ErrorFilter.from_names(kind, mention_type, entity_type)
        return self._table(by, metrics, top, context, some, for_programs=True)

    def to_rows(self, by: str = "error", **how: Any) -> list[dict[str, Plain]]:
        """Flat dictionaries, as ``pandas.DataFrame`` and ``polars.DataFrame`` take them: one for each error.

        ``to_rows("kind")`` has a row for each kind, as ``referee errors --report csv`` has; see `listing` for the arguments.
        """
        return super().to_rows(by, **how)

    def report(
        self, form: str = "text", *, screen: Screen | None = None, by: str = "kind", context: int = 0, **how: Any
    ) -> str:
        """Write the report of `referee errors`; in a text errors and entities are lines, not rows of a table.

        Parameters
        ----------
        form, screen
            As of every result.
        by, context, **how
            As in `listing`.
        """
        if form != "text" or properties(by) or by not in ONE_BY_ONE:
            return super().report(form, screen=screen, by=by, context=context, **how)
        screen = screen or Screen()
        tokens = max(context, screen.width or WIDTH) if context else 0  # as many as a line may hold
        some = ErrorFilter.from_names(*(how.pop(name, None) for name in ErrorFilter._fields))
        return error_lines(self._table(by, context=tokens, some=some, parts=True, **how), screen)

    def plot(self, path: str | None = None, kind: str = "costs", metrics: str | Iterable[str] | None = None) -> Drawing:
        """Draw one of `PLOTS` into a file; see `referee.error_analysis.plots`. Costs are in one metric if none is named.

        It returns the figure of matplotlib, also without a file.
        """
        names = self._metrics(metrics)
        return draw(self.differences, self.scores, path, kind, names if metrics else [main_metric(names)])

    def _metrics(self, metrics: str | Iterable[str] | None) -> Sequence[str]:
        if metrics is None:
            return usual(self.scores, self.differences)
        return attributed(metrics, self.scores.metrics)


class Wanted(NamedTuple):
    """Which rows and columns of a list of errors or entities are wanted.

    errors       : which errors are wanted, shape (errors,)
    top          : how many rows at most; None for all
    context      : tokens before and after each mention
    for_programs : whether there are columns for all metrics, and for ids and names of entities
    parts        : whether there are columns for a mention of what was split off, or is together, and its context
    """

    errors: Bools
    top: int | None = None
    context: int = 0
    for_programs: bool = False
    parts: bool = False


def check_names(by: str, kind: Names) -> None:
    """UnknownNameError for a `by` or a kind of errors that does not exist."""
    if not properties(by):
        check_name("breakdown", by, BY)
    ErrorFilter.from_names(kind)


Table: TypeAlias = tuple[list[Column], list[list[object]], int]
"""Columns, rows, and how many rows are left out."""


def _errors(d: Differences, scores: Scores, metrics: Sequence[str], wanted: Wanted) -> Table:
    """Every error, perhaps with the tokens before and after its mention."""
    if wanted.context and d.pair.key.text is None and d.pair.response.text is None:
        raise OptionError(f"a context needs words; {d.pair.key.source} and {scores.name} have none: expected --by error alone")
    cost, saying = costs(d, scores, metrics).corpus, Describing(d)
    order = _costliest(scores, cost, metrics, np.arange(len(d)))
    order = [n for n in order if wanted.errors[n]]
    in_turn, with_parts = wanted.context and not wanted.for_programs, wanted.context and wanted.parts
    shown = _shared(d, scores, metrics, order, wanted.top) if in_turn else order[: wanted.top]
    properties_of = properties_of_errors(d) if wanted.for_programs else []
    rows: list[list[object]] = []
    for n in shown:
        mention = saying.mention(n)
        before, after = _around(saying, mention, wanted.context)
        text = [mention.document.name, place(mention), *before, shortened(mention.text), *after]
        entities = (
            [*saying.ids_and_names(n), *properties_of[n]]
            if wanted.for_programs
            else _parts(saying, n, wanted)
            if with_parts
            else []
        )
        rows.append([*text, KINDS[d.kind[n]], saying.what(n), *entities, d.mentions[n], *(cost[m][n] for m in metrics)])
    side = (["before"], ["after"]) if wanted.context else ([], [])
    more = (*ENTITIES, *PROPERTIES) if wanted.for_programs else PARTS if with_parts else ()
    names = ["document", "place", *side[0], "text", *side[1], "kind", "what", *more]
    return [*map(Column, names), *_columns(d, scores, metrics)], rows, len(order) - len(rows)


def _shared(d: Differences, scores: Scores, metrics: Sequence[str], order: list[int], top: int | None) -> list[int]:
    """So many errors, shared equally among the kinds: the costliest kind first, and of each kind its costliest errors."""
    of_kind = costs(d, scores, metrics[:1], d.kind.astype(np.int64), len(KINDS)).corpus
    errors: dict[int, list[int]] = {kind: [] for kind in _costliest(scores, of_kind, metrics, np.arange(len(KINDS)))}
    for error in order:
        errors[int(d.kind[error])].append(error)
    in_turn = (error for turn in zip_longest(*errors.values()) for error in turn if error is not None)
    first = set(islice(in_turn, top))
    return [error for some in errors.values() for error in some if error in first]


def _remedy(by: str, columns: Sequence[Column], rows: Sequence[Sequence[object]], *, is_one_kind: bool) -> str:
    """What shows the rows that are left out."""
    if by != "error" or not rows or is_one_kind:
        return "--top 0 shows all"
    kind = rows[0][[str(column.title) for column in columns].index("kind")]
    return f"--top 0 shows all, --kind {kind} one kind"


def _of_records(columns: list[Column], rows: list[list[object]], *, several: bool) -> tuple[list[Column], list[list[object]]]:
    """Without what records do not have: a place, and a document unless there are `several`. Their text is an id."""
    numbers = [n for n, column in enumerate(columns) if column.title != "place" and (several or column.title != "document")]
    named = [c._replace(title="record", field="text") if c.title == "text" else c for c in columns]
    return [named[n] for n in numbers], [[row[n] for n in numbers] for row in rows]


def _around(saying: Describing, mention: Mention, tokens: int) -> tuple[list[str], list[str]]:
    """The tokens before and after a mention, each as a cell; no cells if none are wanted. What is not in the text has none."""
    if not tokens:
        return [], []
    words = mention.document.tokens[: saying.length(mention)]
    if mention.start >= len(words):
        return [""], [""]
    before, after = words[max(0, mention.start - tokens) : mention.start], words[mention.end : mention.end + tokens]
    return [" ".join(before)], [" ".join(after)]


PARTS = ("part", "other_part", "other_before", "other_text", "other_after")
"""Columns of an error for a text: what the two parts are called, and a mention of the other one in its context."""


def _parts(saying: Describing, error: int, wanted: Wanted) -> list[str]:
    """What `PARTS` says of an error; empty where there is no other part."""
    other = saying.other_part(error)
    if other is None:
        return [""] * len(PARTS)
    before, after = _around(saying, other, wanted.context)
    return [*saying.parts(error), *before, shortened(other.text), *after]


def _entities(d: Differences, scores: Scores, metrics: Sequence[str], wanted: Wanted) -> Table:
    """Every entity with errors: of the key, with spurious mentions in what it owns; and spurious ones."""
    pair, keys, saying = d.pair, len(d.best_response), Describing(d)
    own = by_key_entity(d)
    entity = np.where(wanted.errors, np.where(own >= 0, own, keys + d.response_entity), -1)
    cost = costs(d, scores, metrics, entity, keys + len(d.best_key)).corpus
    errors: dict[int, list[int]] = defaultdict(list)
    for error, number in enumerate(entity.tolist()):
        errors[number].append(error)
    order = _costliest(scores, cost, metrics, np.unique(entity[wanted.errors]))
    rows: list[list[object]] = []
    for number in order[: wanted.top]:
        in_key = number < keys
        row, side = (number, pair.key) if in_key else (number - keys, pair.response)
        mention = saying.best_known(row, in_key=in_key)
        name = side.entity_ids[row] if wanted.for_programs else saying.short_name(row, in_key=in_key)
        text = [mention.document.name, place(mention), shortened(mention.text), name]
        costs_of_row = (cost[m][number] for m in metrics)
        rows.append([*text, saying.of_entity(errors[number]), side.entity_size[row], *costs_of_row])
    names = ("document", "place", "text", "entity", "what")
    return [*map(Column, names), *_columns(d, scores, metrics)], rows, len(order) - len(rows)


ONE_BY_ONE: Mapping[str, Callable[[Differences, Scores, Sequence[str], Wanted], Table]] = {
    "entity": _entities,
    "error": _errors,
}
"""What is listed in the order of costs."""

BY = ("kind", *FACETS, *ONE_BY_ONE, *REGROUPED, PAIR, ANSWER)

TOKENS = 10
"""Of the context on each side, if no number is given; a line of text has as many as fit."""

SHOWN = 10
"""Merges, and splits, that are shown with the kinds of errors of records."""


def _columns(d: Differences, scores: Scores, metrics: Sequence[str]) -> list[Column]:
    """The columns of numbers: how many mentions, and the costs."""
    size = Column(f"{unit_of(d.pair.key, d.pair.response)}s", "count", field="mentions")
    return [size, *(cost_column(m, scores.counts_of(m).unit) for m in metrics)]


def _costliest(scores: Scores, cost: Mapping[str, Floats], metrics: Sequence[str], rows: Ints) -> list[int]:
    """The rows by their cost in the first metric; those of equal cost in the order of the text."""
    order = costliest(cost[metrics[0]][rows], falls=scores.record(metrics[0]).target is not None)
    ordered: list[int] = rows[order].tolist()
    return ordered
