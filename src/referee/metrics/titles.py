"""The names of metrics in tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.basics.exceptions import counted, listed
from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS, PANELS
from referee.reports.listing import Column, Title
from referee.stats.counts import Score

SYSTEM, METRIC = (Title(name, name.capitalize()) for name in ("system", "metric"))
"""The headers of labels."""

PARTS = {name: Title(name, name.capitalize()) for name in ("document", "file", "folder", "group", "corpus")}
"""The headers of what scores are broken down into."""

ABOUT = {
    "pairs": "pairs: as they were decided, one by one; accuracy and MCC of these decisions",
    "records": "links: pairwise, pairs of records in one entity; exact: whole entities",
}
"""What is said of each panel of records, whose names have others in that field."""

HEADS = {"pairs": "pairs as decided", "records": "entities: the links closed"}
"""What stands above each panel of records where there are both."""


def title_of(metric: str) -> Title:
    """A metric as the title of a column or a row: its id, and how papers write it.

    >>> title_of("b_cubed")
    Title(text='b_cubed', paper='B³', latex='B$^3$')
    """
    record = METRICS.get(metric)
    return Title(metric) if record is None else Title(metric, record.title, record.latex)


def title_of_f(beta: float) -> Title:
    """The header of F.

    >>> title_of_f(1)
    Title(text='F1', paper='', latex='F$_{1}$')
    """
    return Title(f"F{beta:g}", latex=f"F$_{{{beta:g}}}$")


def score_column(metric: str, score: Score, unit: str) -> Column:
    """The column of a metric in a table of several systems, under F if it is one of the F-measure, or of an average of it.

    >>> score_column("muc", Score(0.5, 0.5, 0.5, beta=1), "").group.text, score_column("vi", Score(0.5), "bits").group
    ('F1', '')
    """
    above = "" if score.beta is None else title_of_f(score.beta)
    return Column(title_of(metric), "score", unit, above, field=metric)


def named(metric: str, beta: float | None) -> str:
    """A metric whose F, if it has one, is shown: for plots, which name metrics as papers do.

    >>> named("b_cubed", 1.0), named("conll", 1.0), named("rand", None)
    ('B³ F1', 'CoNLL F1', 'Rand')
    """
    title = title_of(metric)
    return (title.paper or title.text) + ("" if beta is None else f" {title_of_f(beta)}")


def explained(panel: str) -> list[str]:
    """A line on each panel of records; none for other panels."""
    return [line for name, line in ABOUT.items() if name in panel.split("+")]


def about_others(others: Iterable[Metric]) -> list[str]:
    """Return a line on the metrics of a key that its panel leaves out, by what they are about; none without any.

    >>> about_others([METRICS["mentions"], METRICS["bridging_anaphora"], METRICS["bridging_entities"]])
    ['3 more metrics are for this key, of entities (1) and bridging (2): --metrics all has them']
    """
    needs = Counter(record.needs or "entities" for record in others)
    about = listed([f"{need} ({number})" for need, number in needs.items()])
    return [f"{counted(needs.total(), 'more metric')} are for this key, of {about}: --metrics all has them"] if needs else []


def heads_of(panel: str) -> dict[str, str]:
    """The metrics that begin a panel of records, with what stands above it; none where there is only one.

    >>> heads_of("pairs+records")
    {'pairs': 'pairs as decided', 'links': 'entities: the links closed'}
    """
    names = [name for name in panel.split("+") if name in HEADS]
    return {PANELS[name][0]: HEADS[name] for name in names} if len(names) > 1 else {}
