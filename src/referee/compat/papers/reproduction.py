"""All values of the papers: `reproduce`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import getdoc
from types import ModuleType

from referee.basics.exceptions import brief_names, check_name
from referee.basics.registry import Registry
from referee.compat.papers.value import Data, PrintedValue
from referee.reports.listing import Column, Listing, Plain, headed, plain
from referee.reports.result import Result

PAPERS: Registry[ModuleType] = Registry(
    "paper",
    {
        "000": "referee.compat.papers.vilain_1995",
        "001": "referee.compat.papers.survey",
        "002": "referee.compat.papers.popescu_belis_robba_1998",
        "003": "referee.compat.papers.abney_1993",
        "004": "referee.compat.papers.luo_2014",
    },
)
"""Papers by number, with their modules, which are imported when they are used."""

DIGITS = ".6g"
"""How our values are shown to people."""

COLUMNS = [Column(name) for name in ("place", "value", "printed", "ours", "exact", "verdict")]


@dataclass(frozen=True, eq=False, repr=False)
class Reproduction(Result):
    """The values of papers beside ours.

    Parameters
    ----------
    values
        The values by paper.
    """

    values: Mapping[str, Sequence[PrintedValue]]

    def __repr__(self) -> str:
        return f"<Reproduction of {brief_names([*self.values])}: {len(self.differing)} values differ>"

    @property
    def differing(self) -> list[PrintedValue]:
        """The values that are not what they should be."""
        return [value for values in self.values.values() for value in values if value.differs]

    def listing(self) -> Listing:
        """All values, for programs: at full precision, with the number of the paper."""
        columns = [Column("paper"), *COLUMNS]
        rows = [
            [paper, v.place, v.name, v.printed, plain(v.ours), v.fraction or None, v.verdict]
            for paper, values in self.values.items()
            for v in values
        ]
        return Listing(columns, rows)

    def listings(self) -> Sequence[Listing]:
        """A table for each paper, and how many values have which verdict."""
        return [_table(paper, values) for paper, values in self.values.items()]

    def to_dict(self) -> dict[str, object]:
        """The content of the JSON report."""
        return headed(differing=len(self.differing), rows=self.listing().to_rows())


def _table(paper: str, values: Sequence[PrintedValue]) -> Listing:
    rows = [[v.place, v.name, v.printed, _shown(v.ours), v.fraction, v.verdict] for v in values]
    verdicts = [v.verdict.partition(":")[0] for v in values]
    counts = {verdict: verdicts.count(verdict) for verdict in ("equal", "misprint", "not reproducible", "differs")}
    note = ", ".join(f"{verdict}: {count}" for verdict, count in counts.items() if count)
    title = (getdoc(PAPERS.load(paper)) or "").partition("\n")[0]
    return Listing(COLUMNS, rows, notes=[note], caption=f"{paper}: {title}")


def _shown(value: float | str | None) -> Plain:
    return "-" if value is None else value if isinstance(value, str) else format(value, DIGITS)


def reproduce(*papers: str, data: Data | None = None) -> Reproduction:
    """Compute the values that papers print.

    Parameters
    ----------
    *papers
        Numbers from `PAPERS`; all if none is given.
    data
        Corpora that may not be distributed.

    Raises
    ------
    UnknownNameError
        If there is no such paper.
    OptionError
        If a folder of `data` does not have what is expected.
    """
    for paper in papers:
        check_name("paper", paper, PAPERS)
    return Reproduction({paper: tuple(PAPERS.load(paper).values(data or Data())) for paper in papers or PAPERS})
