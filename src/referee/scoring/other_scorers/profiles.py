"""`PROFILES`: named settings; some reproduce another scorer to the digit.

A profile is a choice of options, and variants of metrics where a program has its own boundary cases. Where a document repeats a
mention, three policies for repeated mentions also count as a program does: `EMULATIONS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import NamedTuple

from referee.basics.exceptions import check_name
from referee.basics.options.choices import profile_meant
from referee.basics.options.options import Options
from referee.basics.registry import Registry
from referee.matching.pair import Pair
from referee.metrics.blanc import blanc, blanc_by_key, blanc_of_links
from referee.metrics.bridging import bridging_anaphora, bridging_entities, bridging_mentions
from referee.metrics.metric import Metric
from referee.metrics.non_referring import non_referring
from referee.metrics.split_antecedents import blanc_split, blanc_split_of_links
from referee.stats.counts import Counts


class Profile(NamedTuple):
    """Options, and metrics that take the place of those of the same id."""

    options: Options = Options()
    metrics: Mapping[str, Metric] = MappingProxyType({})


def _count_of_layer(metric: str, pair: Pair) -> Counts:
    """The counts of a metric as the Universal Anaphora scorer has them; how, is imported when it is counted."""
    layers = import_module("referee.scoring.other_scorers.ua_layers").AS_PROGRAM
    counts: Counts = layers[metric].count(pair)
    return counts


PROFILES = {
    "default": Profile(),
    "conll-8.01": Profile(
        Options(
            profile="conll-8.01",
            repeated_mentions="conll",
            zero_division=0.0,
            tokens="warn",
            extra_documents="ignore",
            decimals="truncate",
        ),
        {"blanc": replace(blanc, count=blanc_by_key)},
    ),
    "ua-2.0": Profile(
        Options(profile="ua-2.0", repeated_mentions="ua", zeros="drop", singletons="drop-annotated", zero_division=0.0),
        {
            "blanc": replace(blanc, count=blanc_of_links),
            "blanc_split": replace(blanc_split, count=blanc_split_of_links),
            **{
                record.id: replace(record, count=partial(_count_of_layer, record.id), scope="annotation")
                for record in (non_referring, bridging_anaphora, bridging_mentions, bridging_entities)
            },
        },
    ),
    "corefud-1.2": Profile(
        Options(
            profile="corefud-1.2", repeated_mentions="corefud", match="head", singletons="drop-annotated", zero_division=0.0
        ),
        {"blanc": replace(blanc, count=blanc_of_links)},
    ),
}
"""`default` follows the papers; the others are the CoNLL reference scorer (Perl), the Universal Anaphora scorer and the CorefUD
scorer of these versions."""

EMULATIONS: Registry[ModuleType] = Registry(
    "policy for repeated mentions",
    {
        "conll": "referee.scoring.other_scorers.conll",
        "corefud": "referee.scoring.other_scorers.corefud_ua",
        "ua": "referee.scoring.other_scorers.corefud_ua",
    },
)
"""Policy for repeated mentions -> the module whose `apply_emulation` counts documents that repeat a mention."""


def profile_named(name: str) -> Profile:
    """Return a profile; of a family, as "corefud", the newest. UnknownNameError if there is none of that name."""
    meant = profile_meant(name)
    check_name("profile", meant, PROFILES)
    return PROFILES[meant]


def split_emulated(pair: Pair) -> tuple[Pair, frozenset[str]]:
    """Remove the documents that the emulation counts; also return the metrics it replaces entirely."""
    if pair.options.repeated_mentions != "conll":
        return pair, frozenset()
    split: tuple[Pair, frozenset[str]] = EMULATIONS.load("conll").split_emulated(pair)
    return split


def apply_emulation(pair: Pair, counts: dict[str, Counts]) -> dict[str, Counts]:
    """Replace the counts of documents that repeat a mention by those of the program that the policy imitates."""
    if pair.options.repeated_mentions not in EMULATIONS:
        return counts
    replaced: dict[str, Counts] = EMULATIONS.load(pair.options.repeated_mentions).apply_emulation(pair, counts)
    return replaced
