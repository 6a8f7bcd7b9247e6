"""The names of metrics in tables."""

from __future__ import annotations

from referee.metrics.registry import METRICS
from referee.reports.listing import Title


def title_of(metric: str) -> Title:
    """A metric as the title of a column or a row: its id, and how papers write it.

    >>> title_of("b_cubed")
    Title(text='b_cubed', paper='B³', latex='B$^3$')
    """
    record = METRICS.get(metric)
    return Title(metric) if record is None else Title(metric, record.title, record.latex)
