"""The metrics of entities as sets of mentions, which a bare table is enough for."""

from referee.metrics.registry import METRICS

ENTITY_METRICS = {name: record for name, record in METRICS.items() if record.scope != "annotation"}
