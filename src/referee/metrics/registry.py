"""`METRICS`: every metric by its id, in the order of reports.

To add a metric, write the function that counts, with `@metric`, and name it here and in `referee.metrics`. Choices, help,
documentation and property tests follow. A metric of your own needs no line here: see `select_metrics`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from referee import metrics as m
from referee.basics.exceptions import OptionError, UnknownNameError, shortened
from referee.metrics.metric import Metric
from referee.metrics.table import Table
from referee.stats.counts import Counts

METRICS: dict[str, Metric] = {
    record.id: record
    for record in (
        *(m.mentions, m.muc, m.b_cubed, m.ceaf_m, m.ceaf_e, m.blanc, m.lea, m.conll),
        *(m.core_mr, m.exclusive_core_mr, m.overlap, m.d_error),
        *(m.links, m.syntactic_links, m.rand, m.ari, m.fowlkes_mallows, m.b_cubed_entity, m.ceaf_phi2, m.exact, m.purity),
        *(m.pairs, m.pairs_accuracy, m.pairs_mcc),
        *(m.homogeneity, m.completeness, m.v_measure, m.vi, m.merge_distance),
        *(m.mention_overlap, m.zero_anaphora, m.pronoun_anaphora, m.name_anaphora, m.nominal_anaphora, m.non_referring),
        *(m.bridging_anaphora, m.bridging_mentions, m.bridging_entities),
        *(m.deixis_muc, m.deixis_b_cubed, m.deixis_ceaf_e, m.deixis_lea, m.deixis_conll),
        *(m.muc_split, m.b_cubed_split, m.ceaf_m_split, m.ceaf_e_split, m.blanc_split, m.lea_split, m.conll_split),
        *(m.split_antecedents_muc, m.split_antecedents_b_cubed, m.split_antecedents_ceaf_m, m.split_antecedents_ceaf_e),
        *(m.split_antecedents_lea, m.split_antecedents_conll),
        *(m.gap, m.gap_masculine, m.gap_feminine, m.gap_bias),
    )
}
"""Id -> the record of each metric."""

NAMES: dict[str, str] = {name: record.id for record in METRICS.values() for name in (record.id, *record.aliases)}
"""Every id and alias, with the id it stands for."""


def plain_name(name: str) -> str:
    """Return a name without what spellings differ in: case, spaces, signs, and how digits and Greek letters are written.

    >>> plain_name("B^3"), plain_name("B³"), plain_name("CEAF-φ₄"), plain_name("zero_anaphora")
    ('b3', 'b3', 'ceafphi4', 'zeroanaphora')
    """
    if not name.isascii():
        from unicodedata import normalize  # rarely needed, and a large module

        name = normalize("NFKD", name).replace("φ", "phi")
    return re.sub("[^a-z0-9]", "", name.lower())


PLAIN_NAMES = {plain_name(name): metric for name, metric in {**{r.title: r.id for r in METRICS.values()}, **NAMES}.items()}
"""Every id, alias and title without what spellings differ in, with the id it stands for."""

HINTS: dict[str, str] = {
    **dict.fromkeys(
        ("f", "f1", "fscore", "f1score", "fmeasure", "recall", "r", "precision", "p"),
        "each metric has recall, precision and F1: name metrics, such as muc, b_cubed or conll",
    ),
    **dict.fromkeys(
        ("pairwise", "pairwisef1"), "pairs as decided (pairs), or links of entities (links)? In texts they are links"
    ),
    "accuracy": "pairs_accuracy is that of pairs as decided, rand that of all links of entities",
    "mcc": "pairs_mcc is that of pairs as decided",
    "nmi": "the F1 of v_measure is NMI (normalized by the arithmetic mean) where both sides have the same mentions",
    "ami": "referee.compat.sklearn has adjusted_mutual_info_score; ari is in common beyond chance, too",
    "ceaf": "ceaf_m is CEAF by mentions, and ceaf_e by entities",
    "alpha": "the agreement between annotators is that of referee agree",
    "kappa": "referee agree has alpha; with --distance nominal it corresponds to kappa",
}
"""What to say of names that people look for, and that are none; as `plain_name` has them."""

RECORDS = ("links", "b_cubed", "exact", "mentions")
"""The metrics of records: links, items, and entities that are right; and how many items both sides have."""

PAIRS = ("pairs", "pairs_accuracy", "pairs_mcc")
"""The metrics of pairs of records as they were decided."""

SHARED_TASK = ("muc", "b_cubed", "ceaf_e", "blanc", "lea", "conll", "mention_overlap", "zero_anaphora")
"""The metrics of the shared tasks on CorefUD."""

PANELS = {"records": RECORDS, "pairs": PAIRS, "corefud": SHARED_TASK}
"""The panels of tables of records, of their entities and of their pairs, and that of CorefUD; other keys call for what papers
report and for the metrics of their annotation."""

PANELS_SINCE = {"corefud": "0.3.0", "pairs": "0.3.0"}
"""Panel -> the version that brought it: before, such keys called for other metrics."""

ALL, LEADING = "all", "leading"
"""In place of names: all metrics for which the key has the annotation; the one of the panel that stands for the others."""

MetricLike: TypeAlias = "str | Metric | Callable[[Table], Counts]"
MetricsArg: TypeAlias = "MetricLike | Iterable[MetricLike] | Mapping[str, MetricLike] | None"


def metric_named(name: object) -> Metric:
    """Return the metric of this id, alias or title, as `plain_name` reads it: `ceafphi4`, `B^3` and `Zero anaphora` are names.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    written = plain_name(name) if isinstance(name, str) else ""
    if written not in PLAIN_NAMES:
        raise UnknownNameError("metric", name, NAMES, METRICS, HINTS.get(written, ""))
    return METRICS[PLAIN_NAMES[written]]


def id_of(name: str) -> str:
    """Return the id of the metric of this name, as `metric_named` reads it; the name itself if there is none."""
    return PLAIN_NAMES.get(plain_name(name), name)


def metrics_named(names: str | Iterable[str]) -> dict[str, Metric]:
    """Return metrics by their ids, each once; a text may have several names, with commas between them."""
    listed = names.split(",") if isinstance(names, str) else names
    return {record.id: record for record in map(metric_named, listed)}


def panel(has: Collection[str], *, everything: bool = False, panels: Sequence[str] = ()) -> dict[str, Metric]:
    """Return the metrics for a key: those that papers report, and those of further annotation in the key.

    Parameters
    ----------
    has : collection of str
        What the key has, of `FEATURES` and formats: it decides which metrics have something to count.
    everything : bool
        Whether to return the rest, too.
    panels : sequence of str
        Names of `PANELS`; none for what papers report.
    """
    usual = dict.fromkeys(name for each in panels for name in PANELS[each])
    if usual and not everything:
        names = list(usual)
    else:
        panel_names = ("default", "all") if everything else ("default",)
        names = [name for name, record in METRICS.items() if record.panel in panel_names or name in usual]
    return {name: METRICS[name] for name in names if not METRICS[name].needs or METRICS[name].needs in has}


def others(has: Collection[str], panels: Sequence[str]) -> dict[str, Metric]:
    """Return the metrics that a key would call for, by its annotation, and that its panels leave out."""
    return {name: record for name, record in panel(has).items() if name not in panel(has, panels=panels)}


def select_metrics(
    metrics: MetricsArg, has: Collection[str], variants: Mapping[str, Metric], *, panels: Sequence[str] = ()
) -> dict[str, Metric]:
    """Return the metrics to compute, by the names that reports give them.

    Parameters
    ----------
    metrics : str, Metric, callable, iterable of these, mapping or None
        "all", names with commas between them, a `Metric`, a function from a `Table` to `Counts`, or a list of these; a mapping
        that gives them other names; None for the panel that the key calls for; "leading" for the one of it that stands for all.
    has : collection of str
        What the key has, as for `panel`.
    variants : mapping
        The metrics that a profile counts in its own way. They take the place of metrics that are named, not of a `Metric`.
    panels : sequence of str
        As for `panel`.

    Raises
    ------
    UnknownNameError
        If a name is not that of a metric.
    OptionError
        If anything else is given, or two metrics have one name.
    """
    if metrics == LEADING:
        metrics = main_metric(panel(has, panels=panels))
    if named := panel_named(metrics, has):
        of_panel = panel(has, everything=named == ALL, panels=panels)
        return {name: variants.get(name, record) for name, record in of_panel.items()}
    if isinstance(metrics, Mapping):
        if wrong := [name for name in metrics if not isinstance(name, str)]:
            raise OptionError(f"found {shortened(repr(wrong[0]))} as the name of a metric; expected text")
        return {name: _record(metric, variants, name) for name, metric in metrics.items()}
    if isinstance(metrics, str):
        metrics = metrics.split(",")
    listed = metrics if isinstance(metrics, Iterable) else [metrics]
    records_by_id: dict[str, Metric] = {}
    for record in (_record(metric, variants) for metric in listed):
        if records_by_id.setdefault(record.id, record) is not record:
            raise OptionError(f"found two metrics named {record.id!r}; expected a mapping with a name for each")
    if not records_by_id:
        raise OptionError("found no metric; expected at least one, or None for those that are usual")
    return records_by_id


def panel_named(metrics: MetricsArg, has: Collection[str], *, panels: Sequence[str] = ()) -> str:
    """Return what a signature calls the metrics; nothing for metrics that are named, as it lists them.

    >>> panel_named("all", ()), panel_named("muc", ()), panel_named(None, (), panels=["records"])
    ('all', '', 'records')

    Without names it is "default", and the annotation of the key that has metrics of its own.

    >>> panel_named(None, {"words", "bridging", "empty nodes"})
    'default+empty-nodes+bridging'
    """
    if metrics is not None:
        return ALL if metrics in (ALL, [ALL], (ALL,)) else ""
    needs = dict.fromkeys(r.needs for r in METRICS.values() if r.panel == "default" and r.needs and r.needs in has)
    return "+".join(panels or ("default", *(need.replace(" ", "-") for need in needs)))


def main_metric(metrics: Iterable[str]) -> str:
    """The metric of which one number is shown: conll, or the first.

    >>> main_metric(["muc", "conll"]), main_metric(["muc", "lea"])
    ('conll', 'muc')
    """
    names = list(metrics)
    return "conll" if "conll" in names else names[0]


def _record(metric: object, variants: Mapping[str, Metric], name: str = "") -> Metric:
    """The metric that is given. The name of a function is the name of its metric, unless the caller gives a name."""
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        record = metric_named(metric)
        return variants.get(record.id, record)
    if not callable(metric):
        raise OptionError(f"found {shortened(repr(metric))} as a metric; expected a name, a Metric, or a function of a Table")
    name = name or getattr(metric, "__name__", type(metric).__name__)
    from referee.metrics.own import metric_of  # few metrics are of the caller

    return metric_of(name, metric)
