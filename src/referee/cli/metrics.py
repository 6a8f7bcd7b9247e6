"""List the metrics, or explain one: what it counts, what 0/0 means, and its sources.

Those of phrases are listed by referee phrases score --help.

Examples
--------
referee metrics
referee metrics lea
referee metrics ceafe
referee metrics exact_match
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from referee.basics.options.choices import PHRASE_ALIASES, PHRASE_METRICS

if TYPE_CHECKING:
    from referee.metrics.metric import Metric


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="id or alias of a metric")


def run(args: Namespace) -> int:
    """Print the list, or the explanation."""
    from referee.metrics.registry import METRICS, metric_named

    if args.name in {*PHRASE_METRICS, *PHRASE_ALIASES}:
        print(_explained_of_phrases(PHRASE_ALIASES.get(args.name, args.name)))
        return 0
    if args.name:
        print(explained(metric_named(args.name)))
        return 0
    width = max(map(len, METRICS))
    for name, metric in METRICS.items():
        print(f"{name:{width}}  {metric.summary}")
    return 0


def _explained_of_phrases(name: str) -> str:
    """What a metric of phrases is."""
    from referee.phrases.metrics import METRICS

    aliases = ", ".join(f"`{alias}`" for alias, metric in PHRASE_ALIASES.items() if metric == name)
    facts = [f"aliases: {aliases}"] * bool(aliases) + [f"unit: {METRICS[name].unit or 'percent'}"]
    return "\n".join([f"{name}: {METRICS[name].summary}", "", *facts, "computed: by referee phrases score"])


SCOPES = {
    "entity": "entities, each by itself",
    "alignment": "entities, each with the one that it is aligned to",
    "component": "entities, each group of overlapping ones by itself",
    "document": "entities, each document as a whole",
    "links": "links as annotated in the file",
    "annotation": "annotation besides entities",
}


def facts(metric: Metric) -> dict[str, str]:
    """Return what the record of a metric says, for people; docs/metrics shows the same."""
    from referee.corpus import FEATURES
    from referee.metrics.registry import PAIRS, RECORDS

    target = "larger is better" if metric.target is None else f"{metric.target:g} is best"
    panel = {"default": "by default", "all": "with `--metrics all`", "named": "when named"}[metric.panel]
    if metric.id in RECORDS and metric.panel != "default":
        panel = f"by default for tables of records, else {panel}"
    if metric.id in PAIRS:
        panel = "by default where a table lists pairs of records"
    needed = f", if the key has {metric.needs}" if metric.needs in FEATURES else ""
    if metric.needs and not needed:
        needed = f", if the format of the key is {metric.needs}"
    scope = "pairs of records, each as it was decided" if metric.id in PAIRS else SCOPES[metric.scope]
    all_facts = {
        "aliases": ", ".join(f"`{alias}`" for alias in metric.aliases),
        "looks at": scope,
        "counts": metric.counts,
        "value": f"in {metric.unit}; {target}" if metric.unit else target,
        "symmetric": "yes" if metric.symmetric else "no",
        "computed": panel + needed,
        "source": metric.source,
    }
    return {name: fact for name, fact in all_facts.items() if fact}


def explained(metric: Metric) -> str:
    """Return the documentation of a metric and the facts of its record, for people."""
    lines = (f"{name}: {fact}" for name, fact in facts(metric).items() if name != "source")
    return "\n".join([f"{metric.id}: {metric.title}", "", metric.doc, "", *lines])
