"""What both versions of the Universal Anaphora scorer do: the layers that they score, and the blocks that they print.

References
----------
`evaluator.py` and `reader.py` of ufal/corefud-scorer 1.2 and of juntaoy/universal-anaphora-scorer; Yu et al. (2022, 2023).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, first_of_each
from referee.basics.exceptions import OptionError
from referee.compat.programs.printed import rates_line
from referee.corpus.corpus import Corpus
from referee.corpus.layers import BEFORE
from referee.inputs.reading import read
from referee.matching.exact import identities
from referee.matching.pair import Pair, pair_of
from referee.matching.positions import on_common_positions
from referee.metrics.blanc import blanc
from referee.metrics.metric import Metric
from referee.metrics.registry import select_metrics
from referee.metrics.split_antecedents import alone, blanc_split
from referee.metrics.table import Table
from referee.scoring.evaluation import Evaluation, evaluate
from referee.scoring.other_scorers.profiles import PROFILES
from referee.scoring.other_scorers.program_pair import ProgramPair
from referee.scoring.other_scorers.ua_layers import AS_PROGRAM, LAYERS
from referee.stats.counts import Columns, Counts, ScoreColumns, divide, finish_rates, rates

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.basics.options.types import ScoreOptions

METRICS = {
    "muc": "muc",
    "bcub": "b_cubed",
    "ceafe": "ceaf_e",
    "ceafm": "ceaf_m",
    "blanc": "blanc",
    "lea": "lea",
    "mention": "mentions",
    "mor": "mention_overlap",
    "zero": "zero_anaphora",
}
"""Name in the programs -> ours, in the order in which version 2.0 prints all."""

KNOW_SPLIT = tuple(METRICS)[:6]
AVERAGED = ("muc", "bcub", "ceafe")

TITLES = {
    "non_referring": "Non-referring markable identification scores:",
    "bridging_anaphora": "Bridging anaphora recognition scores:",
    "bridging_mentions": "Full bridging scores (Markable Level):",
    "bridging_entities": "Full bridging scores (Entity Level):",
}

MATCH = {
    "ua": {"exact": "exact", "partial-corefud": "min", "partial-craft": "craft"},
    "corefud": {"exact": "exact", "partial-corefud": "partial", "head": "head"},
    "conll": {"exact": "exact"},
}
"""Format -> kind of matching, in the programs and here."""


class UaSettings(NamedTuple):
    """What is evaluated, and how.

    Parameters
    ----------
    metrics : sequence of str
        Of `METRICS` and `LAYERS`.
    format, match : str
        Keys of `MATCH`.
    singletons, split_antecedents : bool
        Whether they are kept.
    zeros : str
        How zeros are matched; empty to drop them.
    deixis : bool
        Evaluate discourse deixis instead of identity.
    only_split : bool
        Evaluate the alignment of split antecedents alone.
    """

    metrics: Sequence[str] = AVERAGED
    format: str = "ua"
    match: str = "exact"
    singletons: bool = False
    split_antecedents: bool = False
    zeros: str = ""
    deixis: bool = False
    only_split: bool = False

    def ids(self, name: str) -> Sequence[str]:
        """The ids of our metrics that a metric of the programs stands for."""
        if name in LAYERS:
            return LAYERS[name]
        if name in KNOW_SPLIT and self.only_split:
            return [f"split_antecedents_{METRICS[name]}"]
        return [METRICS[name] + "_split" * (name in KNOW_SPLIT and self.split_antecedents)]


def annotation(file: str, role: str, s: UaSettings) -> Corpus:
    """Read what is scored of a file: identity or discourse deixis.

    Raises
    ------
    OptionError
        If it has split antecedents, which are kept, but their singletons are not; the programs stop.
    """
    corpus = read(file, format=s.format, role=role)
    if s.format == "corefud":
        corpus = _as_udapi_reads(corpus, heads=s.match == "head")
    if s.deixis:
        nothing = np.zeros(len(corpus.document), dtype=bool)
        corpus = replace(corpus.deixis or corpus.select(nothing), text=corpus.text, empty_nodes=corpus.empty_nodes)
    if corpus.split_antecedents is not None and s.split_antecedents and not s.singletons:
        raise OptionError(f"{file}: found split antecedents; expected to keep singletons, too, or not to keep these")
    return corpus


def _as_udapi_reads(corpus: Corpus, *, heads: bool) -> Corpus:
    """The corpus with each mention once an entity, and with the first word as head where none is given.

    Node 5.10 is 5.1, because ids are read as decimal numbers.
    """
    corpus = replace(corpus, head=np.where(corpus.heads < 0, corpus.start, corpus.heads))
    if corpus.empty_nodes is not None:
        minor = corpus.empty_nodes.minor.copy()
        while (tens := (minor % BEFORE % 10 == 0) & (minor % BEFORE > 0)).any():
            minor[tens] -= minor[tens] % BEFORE // 10 * 9
        corpus = replace(corpus, empty_nodes=corpus.empty_nodes._replace(minor=minor))
    place, _ = identities(*on_common_positions(corpus, corpus), heads=heads)
    number = np.unique(place, return_inverse=True)[1].astype(np.int64)
    return corpus.select(first_of_each(number * len(corpus.entity_ids) + corpus.entity))


def evaluated(
    key: Corpus, response: Corpus, s: UaSettings, variants: Mapping[str, Metric], **options: Unpack[ScoreOptions]
) -> Evaluation:
    """Score a response; `variants` has metrics that take the place of those of the same id."""
    profile = PROFILES["corefud-1.2" if s.format == "corefud" else "ua-2.0"]
    settings: dict[str, Any] = {
        "match": MATCH[s.format][s.match],
        "zeros": s.zeros or "drop",
        "singletons": "keep" if s.singletons else "drop-annotated",
        "repeated_mentions": "corefud" if s.split_antecedents else "ua",
    }
    ids = [id_ for name in s.metrics for id_ in s.ids(name)]
    records = select_metrics([variants.get(id_, id_) for id_ in ids], (), profile.metrics)
    pair = pair_of(key, response, replace(profile.options, **{**settings, **options}))
    return evaluate(ProgramPair.from_pair(pair), records, name=response.source)


def printed(evaluation: Evaluation, s: UaSettings) -> str:
    """Return the lines of each metric, and the CoNLL score if exactly three are MUC, B³ or CEAFe."""
    text, averaged = "", []
    for name in s.metrics:
        if name in LAYERS:
            lines = (f"{TITLES[id_]}\n{rates_line(evaluation[id_])}" for id_ in s.ids(name))
            text += "=" * 44 + "\n" + "".join(lines)
        else:
            result = evaluation[s.ids(name)[0]]
            text += f"{name}\n{rates_line(result)}"
            averaged += [result.value] if name in AVERAGED else []
    return text + (f"CoNLL score: {sum(averaged) / 3 * 100:.2f}\n" if len(averaged) == len(AVERAGED) else "")


# BLANC of split antecedents alone


def _blanc_alone(pair: Pair) -> Counts:
    whole = blanc_split.of_pair(pair).columns
    columns: dict[str, Ints] = {}
    for kind in ("coreference", "other"):
        counts = alone(pair, partial(_links, kind))
        columns |= {f"{kind}_{name}": column for name, column in counts.columns.items()}
        columns[f"{kind}_links"] = whole[f"{kind}_key"] + whole[f"{kind}_response"]
    return Counts(columns, _mean_of_kinds)


def _links(kind: str, table: Table) -> Counts:
    c = blanc.count(table).columns
    return rates((c[f"{kind}_found"], c[f"{kind}_key"]), (c[f"{kind}_found"], c[f"{kind}_response"]))


def _mean_of_kinds(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    """The mean over the kinds of links that the corpora have, split antecedents or not."""
    kinds = {kind: c[f"{kind}_links"] > 0 for kind in ("coreference", "other")}
    sums = np.zeros((3, len(c["other_links"])))
    for kind, has in kinds.items():
        s = finish_rates({name.removeprefix(f"{kind}_"): column for name, column in c.items()}, 0.0, beta)
        sums += has * np.array([s.value, s.recall, s.precision])
    value, recall, precision = divide(sums, sum(kinds.values()), 0.0)
    return ScoreColumns(value, recall, precision, beta)


BLANC_ALONE = Metric("split_antecedents_blanc", "Split antecedents, BLANC", _blanc_alone, scope="annotation")


OWN = {BLANC_ALONE.id: BLANC_ALONE, **AS_PROGRAM}
"""Metrics that the programs count in their own way."""
