"""What both versions of the Universal Anaphora scorer do: the layers that they score, and the blocks that they print.

References
----------
`evaluator.py` and `reader.py` of ufal/corefud-scorer 1.2 and of juntaoy/universal-anaphora-scorer; Yu et al. (2022, 2023).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, first_of_each, tally
from referee.corpus.corpus import Corpus
from referee.corpus.editing import listed_by
from referee.corpus.layers import BEFORE
from referee.counts import Columns, Counts, ScoreColumns, divide, finish_rates, rates
from referee.exceptions import OptionError
from referee.formats.reading import read
from referee.matching.exact import identities
from referee.matching.positions import on_common_positions
from referee.metrics.blanc import blanc
from referee.metrics.metric import Metric
from referee.metrics.registry import chosen
from referee.metrics.split_antecedents import alone, blanc_split
from referee.metrics.table import Table
from referee.pair import Pair, pair_of
from referee.programs.printed import rates_line
from referee.scoring.evaluation import Evaluation, evaluate
from referee.scoring.other_scorers.program_pair import ProgramPair
from referee.scoring.profiles import PROFILES

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.option_types import ScoreOptions

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

LAYERS = {"non-referring": ("non_referring",), "bridging": ("bridging_anaphora", "bridging_mentions", "bridging_entities")}
"""Name in the programs -> our metrics."""

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

Same: TypeAlias = Callable[[Corpus, Corpus], set[tuple[int, int]]]
"""(key, response on common positions) -> the pairs of mentions that are the same, many to many."""


class Settings(NamedTuple):
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
        """The ids of what a metric of the programs stands for."""
        if name in LAYERS:
            return LAYERS[name]
        if name in KNOW_SPLIT and self.only_split:
            return [f"split_antecedents_{METRICS[name]}"]
        return [METRICS[name] + "_split" * (name in KNOW_SPLIT and self.split_antecedents)]


def annotation(file: str, role: str, s: Settings) -> Corpus:
    """Read what is scored of a file: identity or discourse deixis.

    Raises
    ------
    OptionError
        If it has split antecedents, which are kept, but their singletons are not; the programs stop.
    """
    corpus = read(file, format=s.format, role=role)
    if s.format == "corefud":
        corpus = _in_order_of_udapi(_as_udapi_reads(corpus, heads=s.match == "head"))
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


def _in_order_of_udapi(corpus: Corpus) -> Corpus:
    """The corpus with its entities by their first mentions, longer ones first, then by their ids."""
    ids = np.unique([str(id_) for id_ in corpus.entity_ids], return_inverse=True)[1]
    columns = ids[corpus.entity], corpus.end, corpus.start - corpus.end, corpus.start, corpus.document
    return listed_by(corpus, np.lexsort(columns))


def evaluated(
    key: Corpus, response: Corpus, s: Settings, own: Mapping[str, Metric], **options: Unpack[ScoreOptions]
) -> Evaluation:
    """Score a response; `own` has metrics that take the place of those of the same id."""
    profile = PROFILES["corefud-1.2" if s.format == "corefud" else "ua-2.0"]
    settings: dict[str, Any] = {
        "match": MATCH[s.format][s.match],
        "zeros": s.zeros or "drop",
        "singletons": "keep" if s.singletons else "drop-annotated",
        "repeated_mentions": "corefud" if s.split_antecedents else "ua",
    }
    ids = [id_ for name in s.metrics for id_ in s.ids(name)]
    records = chosen([own.get(id_, id_) for id_ in ids], key, profile.metrics)
    pair = pair_of(key, response, replace(profile.options, **{**settings, **options}))
    return evaluate(ProgramPair.of(pair), records, name=response.source)


def printed(evaluation: Evaluation, s: Settings) -> str:
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


# Non-referring expressions and bridging


def equal(key: Corpus, response: Corpus) -> set[tuple[int, int]]:
    """All pairs of mentions with the same positions."""
    places = [place.tolist() for place in identities(key, response)]
    in_response: dict[int, list[int]] = {}
    for mention, place in enumerate(places[1]):
        in_response.setdefault(place, []).append(mention)
    return {(k, r) for k, place in enumerate(places[0]) for r in in_response.get(place, ())}


def layer_metrics(same: Same) -> dict[str, Metric]:
    """The metrics of `LAYERS` as the programs count them.

    Parameters
    ----------
    same : callable
        Gives the pairs of mentions that are the same, many to many. Anaphors are compared by their positions all the same.
    """
    counts: dict[str, Callable[..., Counts]] = {
        "non_referring": _non_referring,
        **{id_: partial(_bridging, id_) for id_ in LAYERS["bridging"]},
    }
    return {id_: Metric(id_, id_, partial(count, same), scope="annotation") for id_, count in counts.items()}


def _non_referring(same: Same, pair: Pair) -> Counts:
    """Of each entity the first mention counts."""
    key, response = on_common_positions(*pair.annotated, pair.characters)
    firsts = _first_mentions(key), _first_mentions(response)
    found = [(k, r) for k, r in same(key, response) if k in firsts[0] and r in firsts[1]]
    common, spurious = number(key, {k for k, _ in found}), number(response, firsts[1] - {r for _, r in found})
    return rates((common, number(key, firsts[0])), (common, common + spurious))


def _first_mentions(side: Corpus) -> set[int]:
    """The first mention of each non-referring entity."""
    if side.referring is None:
        return set()
    mentions = np.flatnonzero(~side.referring[side.entity])
    return set(mentions[np.unique(side.entity[mentions], return_index=True)[1]].tolist())


def _bridging(level: str, same: Same, pair: Pair) -> Counts:
    """Each anaphor has one antecedent, the last; entities are those of the key."""
    key, response = on_common_positions(*pair.annotated, pair.characters)
    places = [place.tolist() for place in identities(key, response)]
    of_key, of_response = (
        {} if side.bridging is None else {place[a]: (a, b) for a, b in zip(*map(list, side.bridging[:2]), strict=True)}
        for side, place in zip((key, response), places, strict=True)
    )
    entity = {places[0][m]: int(key.entity[m]) for m in _in_file_order(pair)}
    pairs = same(key, response)

    def right(k: int, r: int) -> bool:
        together = level == "bridging_entities" and entity.get(places[0][k], -1) == entity.get(places[1][r], -2)
        return level == "bridging_anaphora" or (k, r) in pairs or together

    found = [a for place, (a, b) in of_key.items() if place in of_response and right(b, of_response[place][1])]
    common = number(key, found)
    of_sides = number(key, [a for a, _ in of_key.values()]), number(response, [a for a, _ in of_response.values()])
    return rates((common, of_sides[0]), (common, of_sides[1]))


def _in_file_order(pair: Pair) -> list[int]:
    """The key mentions that are in an entity when bridging is counted: of a repeated mention, the last in the file counts."""
    key, o = pair.annotated.key, pair.options
    scored = np.ones(len(key.entity), bool) if key.referring is None else key.referring[key.entity]
    if o.singletons != "keep":
        scored &= key.entity_size[key.entity] > 1
    if o.zeros == "drop":
        scored &= ~key.zero
    mentions = np.flatnonzero(scored)
    in_order: list[int] = mentions[np.argsort(key.file_order[key.entity[mentions]], kind="stable")].tolist()
    return in_order


def number(side: Corpus, mentions: Iterable[int]) -> Ints:
    """How many of some mentions are in each document."""
    return tally(side.document[np.array([*mentions], dtype=np.int64)], minlength=len(side.doc_ids))


OWN = {BLANC_ALONE.id: BLANC_ALONE, **layer_metrics(equal)}
"""Metrics that the programs count in their own way."""
