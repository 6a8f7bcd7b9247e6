"""`Metric`: one record with all that is known of a metric; `@metric` makes it from the function that counts.

The id is the name of the function. Summary, notes and sources are in its docstring. The rest is given to `@metric`. These use
the record: the choices of the command, `referee metrics`, the table and the headers of docs/metrics (scripts/metric_pages.py),
the titles in reports, and the choice of property tests.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import getdoc
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias

from referee.basics.exceptions import OptionError
from referee.basics.names import check_call
from referee.basics.options.options import Options
from referee.basics.options.types import ScoreOptions
from referee.inputs.load import read_both
from referee.matching.pair import Pair, pair_of
from referee.metrics.table import table_of
from referee.stats.counts import Counts, Score

if TYPE_CHECKING:
    from typing_extensions import Unpack

Scope: TypeAlias = Literal["entity", "alignment", "component", "document", "links", "annotation"]
Panel: TypeAlias = Literal["default", "all", "named"]


@dataclass(frozen=True, repr=False)
class Metric:
    """A metric. Two are equal if all of this is, so a metric of one's own is the same after pickle.

    Parameters
    ----------
    id : str
        Its name everywhere.
    title : str
        How papers write the name.
    count : callable
        Gives the `Counts` of a `Table`, one row a document; of a `Pair` where the scope is "annotation".
    counts : str
        What is counted: "links", "mentions", "entities", "bits".
    aliases : tuple of str
        What other scorers call it; accepted wherever a metric is named.
    scope : str
        What it looks at: one "entity" after another, with the sizes of those that it overlaps; the best "alignment" of
        entities, by a similarity of two of them; one connected "component" of overlapping entities after another; a "document"
        as a whole; the "links" that a file lists; or "annotation" besides entities.
    panel : str
        When it is computed: by "default", with "all", or only when "named".
    needs : str
        One of `FEATURES`, or a format: a key without it has nothing to count, and does not call for the metric.
    unit : str
        What the value is measured in; empty for a fraction of 1.
    symmetric : bool
        Whether F, or the value, stays when key and response change places.
    target : float or None
        The best value of a metric that is not better when larger.
    latex : str
        The title in LaTeX, where it differs.
    """

    id: str
    title: str
    count: Callable[[Any], Counts]
    counts: str = ""
    aliases: tuple[str, ...] = ()
    scope: Scope = "component"
    panel: Panel = "all"
    needs: str = ""
    unit: str = ""
    symmetric: bool = False
    target: float | None = None
    latex: str = ""

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Metric({self.id!r}, {self.title!r})"

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle a metric of the package by its name."""
        module = self.count.__module__
        if getattr(sys.modules.get(module), self.id, None) is self:
            return _of_module, (module, self.id)
        return super().__reduce_ex__(protocol)

    @property
    def of_entities(self) -> bool:
        """Whether it sees entities as sets of mentions, and nothing else."""
        return self.scope not in ("links", "annotation")

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.doc.partition("\n")[0]

    @property
    def doc(self) -> str:
        """The documentation of the function that counts."""
        return getdoc(getattr(self.count, "function", self.count)) or ""  # of one's own, its function

    @property
    def source(self) -> str:
        """Where the metric was defined: the references of the documentation."""
        references = re.search(r"\nReferences\n-+\n(.*?)(?:\n\n|\Z)", self.doc, re.DOTALL)
        return " ".join(references[1].split()) if references else ""

    def of_pair(self, pair: Pair) -> Counts:
        """Count a pair."""
        return self.count(pair) if self.scope == "annotation" else table_of(pair).memo_call(self.count)

    @check_call(ScoreOptions)
    def __call__(self, key: object, response: object, **options: Unpack[ScoreOptions]) -> Score:
        """Score a response against a key by this metric alone.

        Parameters
        ----------
        key, response
            Whatever `referee.score` takes.
        **options
            Fields of `Options`.

        Returns
        -------
        Score
            Of all documents together, micro-averaged.

        Examples
        --------
        >>> from referee.metrics import muc
        >>> muc([{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}]).recall
        0.5
        """
        o = Options(**options)
        if o.average == "macro":
            raise OptionError("a metric called on data adds counts over documents; expected average micro, or referee.score")
        return self.of_pair(pair_of(*read_both(key, response), o)).total().score(o.zero_division, o.beta)[0]


def metric(
    title: str,
    *,
    counts: str = "",
    aliases: tuple[str, ...] = (),
    scope: Scope = "component",
    panel: Panel | None = None,
    needs: str = "",
    unit: str = "",
    symmetric: bool = False,
    target: float | None = None,
    latex: str = "",
) -> Callable[[Callable[[Any], Counts]], Metric]:
    """Make the `Metric` of the function that counts; the parameters are those of `Metric`.

    Without `panel`, a metric that `needs` some annotation is computed by default, and any other one with "all".
    """
    shown: Panel = panel or ("default" if needs else "all")

    def record(count: Callable[[Any], Counts]) -> Metric:
        return Metric(count.__name__, title, count, counts, aliases, scope, shown, needs, unit, symmetric, target, latex)

    return record


def _of_module(module: str, name: str) -> Metric:
    record: Metric = getattr(import_module(module), name)
    return record
