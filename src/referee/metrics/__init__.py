"""The metrics: a family a file, `METRICS` names them."""

from referee.metrics.registry import METRICS

__all__ = ["METRICS"]
