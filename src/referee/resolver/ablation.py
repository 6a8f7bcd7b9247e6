"""`ablate`: what each rule, each table and each quantifier is worth, told by the scores."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Numbers
from referee.basics import progress
from referee.basics.exceptions import OptionError
from referee.comparison.comparing import compare
from referee.comparison.result import Comparison
from referee.metrics.registry import MetricsArg
from referee.resolver.bench import Bench, Singletons
from referee.resolver.files import Model, load
from referee.resolver.fitting import fit_tables
from referee.resolver.learning import read_training
from referee.resolver.memory import QUANTIFIERS
from referee.resolver.relations import Relations
from referee.resolver.rules import Rules
from referee.resolver.tables import Tables
from referee.stats.settings import Resampling

FULL = "full"
"""What the table calls the model as it is."""

WEAKER = {
    "exact": "head_mods",
    "head_mods": "head",
    "head": "other_nominal",
    "name_part": "other_nominal",
    "acronym": "other_nominal",
    "apposition": "other_nominal",
    "copula": "other_nominal",
    "pronoun_same": "pronoun_pronoun",
    "relative": "other_nominal",
    "theta_indef": "theta_def",
}
"""Rules that are left out by giving them the number of a weaker one."""

_EQUAL = dict.fromkeys(("w_pronoun", "w_name", "w_def", "w_indef"), 1.0)
_ROLES = {"subject": 0.0, "object": 0.0}
AWAY: dict[str, dict[str, float]] = {
    **{f"{name}_clash": {f"{name}_clash": 1.0} for name in ("number", "gender", "person", "speaker")},
    **{name: {name: 1.0} for name in ("binding", "within", "decay")},
    **{name: {name: 0.0} for name in ("pronoun_nominal", "pronoun_name", "pronoun_pronoun", "dem_any")},
    "roles": _ROLES,
    "classes": _EQUAL,
    "activation": {"decay": 1.0, **_ROLES, **_EQUAL},
}
"""Rules that are left out by other numbers."""

MEMORIES = (5, 10, 20, 40)


def ablate(
    key: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    model: str | os.PathLike[str] | Model = "rules",
    *,
    refit: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
    metrics: MetricsArg = ("conll", "lea", "core_mr"),
    singletons: Singletons = "keep",
    resampling: Resampling | None = None,
) -> Comparison:
    """Leave out each rule or table in turn.

    Parameters
    ----------
    key : path or sequence of paths
        CoNLL-U with trees and Entity. Its mentions are resolved.
    model : str, path or Model
    refit : path, sequence of paths or None
        What the tables were fitted to: they are fitted again without each table. None to leave the others as they are.
    metrics, singletons, resampling
        As `compare` has them.

    Returns
    -------
    Comparison
        With the model as it is as baseline; the others are sorted by the first metric, the most needed first.
    """
    loaded = load(model)
    decoder = loaded.decoder
    if refit is not None and isinstance(decoder, Rules):
        raise OptionError("rules are not fitted; expected no --refit")
    if refit is not None and isinstance(decoder, Tables) and "synonym" in decoder.weights:
        raise OptionError("the model was fitted with synonyms, which are not at hand; expected no --refit")
    training = read_training([key] if isinstance(key, (str, os.PathLike)) else key)
    bench = Bench(training, np.arange(len(training.syntax.doc_ids)))
    variants = {FULL: decoder, **(_of_rules(decoder) if isinstance(decoder, Rules) else _of_tables(loaded, refit))}
    responses = {}
    for number, (name, variant) in enumerate(variants.items()):
        progress.step(name, number, len(variants))
        responses[name] = bench.resolve(variant)
    compared = compare(bench.key, responses, metrics=metrics, singletons=singletons, baseline=FULL, resampling=resampling)
    first = compared.metrics[0]
    rest = sorted(variants.keys() - {FULL}, key=lambda name: (compared[name, first].score.value, name))
    ordered = {name: responses[name] for name in (FULL, *rest)}
    return compare(bench.key, ordered, metrics=metrics, singletons=singletons, baseline=FULL, resampling=resampling)


def _of_rules(rules: Rules) -> dict[str, Rules | Tables]:
    numbers = rules.numbers

    def but(**others: float) -> Rules:
        return replace(rules, numbers={**numbers, **others})

    variants: dict[str, Rules | Tables] = {f"no {name}": but(**others) for name, others in AWAY.items()}
    variants |= {f"no {name}": but(**{name: numbers[weaker]}) for name, weaker in WEAKER.items()}
    variants |= {f"memory {size}": but(memory=size) for size in MEMORIES if size < numbers["memory"]}
    return variants | _settings(rules)


def _of_tables(
    model: Model, refit: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
) -> dict[str, Rules | Tables]:
    tables = model.decoder
    assert isinstance(tables, Tables)
    variants: dict[str, Rules | Tables] = {}
    training = None if refit is None else read_training([refit] if isinstance(refit, (str, os.PathLike)) else refit)
    for name in tables.weights:
        rest: Mapping[str, Numbers] = {n: w for n, w in tables.weights.items() if n != name}
        if not rest:
            continue
        if training is None:
            variants[f"no {name}"] = replace(tables, weights=rest)
        else:
            progress.step(f"fitting without {name}")
            variants[f"no {name}"] = fit_tables(
                Relations(training.selection.mentions), training.entity, tables=list(rest), quantifier=tables.quantifier,
                epochs=int(model.options.get("epochs", 4)), seed=int(model.options.get("seed", 0)),
            )  # fmt: skip
    variants |= {f"memory {size}": replace(tables, memory=size) for size in MEMORIES}
    return variants | _settings(tables)


def _settings(decoder: Rules | Tables) -> dict[str, Rules | Tables]:
    """The model with other settings: he and she in one MR, and the other quantifiers."""
    variants = {"no one_gender": replace(decoder, one_gender=False)} if decoder.one_gender else {}
    return variants | {f"quantifier {q}": replace(decoder, quantifier=q) for q in QUANTIFIERS if q != decoder.quantifier}
