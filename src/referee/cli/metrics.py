"""List the metrics, or explain one: what it counts, what 0/0 means, and its sources.

examples:
  referee metrics
  referee metrics lea
  referee metrics ceafe
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS, metric_named


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="id or alias of a metric")


def run(args: Namespace) -> int:
    """Print the list, or the explanation."""
    if args.name:
        print(explained(metric_named(args.name)))
        return 0
    width = max(map(len, METRICS))
    for name, metric in METRICS.items():
        print(f"{name:{width}}  {metric.summary}")
    return 0


def explained(metric: Metric) -> str:
    """Return what there is to know of a metric, for people."""
    target = "larger is better" if metric.target is None else f"best at {metric.target:g}"
    facts = {
        "aliases": ", ".join(metric.aliases),
        "counts": metric.counts,
        "value": f"in {metric.unit}, {target}" if metric.unit else target,
        "key and response exchanged": "the same F or value" if metric.symmetric else "other numbers",
        "computed": {"default": "by default", "all": "with --metrics all", "named": "when named"}[metric.panel]
        + (f", if the key has {metric.needs}" if metric.needs else ""),
    }
    lines = [f"{metric.id}: {metric.title}", "", metric.doc, "", *(f"{name}: {fact}" for name, fact in facts.items() if fact)]
    return "\n".join(lines)
