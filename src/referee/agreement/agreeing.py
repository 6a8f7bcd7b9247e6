"""From annotations of the same documents to an `Agreement`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from referee.agreement.alpha import DISTANCES, MENTIONS, Values, counts, identified, values_of
from referee.agreement.result import ALL, Agreement, Disputed
from referee.comparison.comparing import named
from referee.corpus.corpus import Corpus
from referee.corpus.views import Mention
from referee.counts import Counts, divide
from referee.exceptions import MismatchError, OptionError, check_name, warn
from referee.formats.load.anything import read_corpus
from referee.matching.documents import align_documents
from referee.messages import counted
from referee.metrics.registry import METRICS, metrics_named
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score
from referee.stats.intervals import Interval, bca, percentile
from referee.stats.resampling import draws, stack
from referee.stats.settings import Resampling
from referee.stats.significance import ROUNDING

SYMMETRIC = tuple(name for name, record in METRICS.items() if record.symmetric and record.scope in ("component", "document"))
"""Metrics whose F, or value, stays when key and response change places: no annotator is the key."""

USUAL = tuple(name for name in SYMMETRIC if METRICS[name].panel == "default")
"""The metrics computed unless others are named."""


def agree(
    annotations: Mapping[str, Any] | Sequence[Any],
    *,
    metrics: Iterable[str] = USUAL,
    mentions: str = "all",
    distance: str = "masi",
    resampling: Resampling | None = None,
    format: str | None = None,
    **options: Any,
) -> Agreement:
    """Agreement of two annotators or more on the documents that all of them have.

    annotations : name -> whatever `score` accepts; a list takes the names of files, or "1", "2", ...
    metrics     : some of `SYMMETRIC`
    mentions    : what alpha does with a mention that only some have, one of `alpha.MENTIONS`; measures count it as missed
    distance    : one of `alpha.DISTANCES`, by which entities are listed
    options     : what `score` accepts; mentions are matched exactly, and F is even-handed

    OptionError, MismatchError, UnknownNameError, and the errors of `score`.

    >>> found = agree([[{1, 2}, {3}], [{1, 2, 3}]], metrics=["b_cubed"])
    >>> round(found.together["b_cubed"], 4), round(found.together["alpha nominal"], 4)
    (0.7143, 0.0)
    """
    chosen, r = list(metrics_named(metrics)), resampling or Resampling()
    for name in chosen:
        if name not in SYMMETRIC:
            raise OptionError(f"{name} takes one annotator for the key; expected a symmetric metric: {', '.join(SYMMETRIC)}")
    check_name("rule for mentions", mentions, MENTIONS)
    check_name("distance", distance, DISTANCES)
    corpora = _common({name: read_corpus(a, format, "annotation") for name, a in named(annotations).items()})
    names = list(corpora)
    if len(names) < 2:
        raise OptionError(f"found {counted(len(names), 'annotation')}; expected at least two")
    if ALL in names:
        raise OptionError(f"found an annotator called {ALL!r}, as all are together; expected another name")
    scored = {(a, b): score(corpora[a], corpora[b], name=b, metrics=chosen, **options) for a, b in combinations(corpora, 2)}
    o = next(iter(scored.values())).options
    if o.match != "exact" or o.beta != 1 or o.cross_document:
        raise OptionError("agreement is of mentions matched exactly, in documents, with beta 1; expected these defaults")
    if o.repeated_mentions == "conll":
        raise OptionError(
            "the policy conll for repeated mentions takes one annotator for the key; expected another of --repeated-mentions"
        )
    prepared = {names[0]: scored[names[0], names[1]].key, **{name: scored[names[0], name].response for name in names[1:]}}
    every = _values(prepared, scored, mentions)
    all_together = {f"alpha {d}": counts(every, d) for d in DISTANCES}
    pairs = {
        (a, b): {m: e[m].value for m in chosen} | _alphas(_values({a: e.key, b: e.response}, scored, mentions))
        for (a, b), e in scored.items()
    }
    some = scored[names[0], names[1]]
    return Agreement(
        annotators=tuple(names),
        documents=some.documents,
        pairs=pairs,
        together={m: _mean([e[m].value for e in scored.values()]) for m in chosen} | _alphas(every),
        intervals=_intervals(all_together, r),
        by_document={
            name: {m: _mean([float(e.by_document[m].value[d]) for e in scored.values()]) for m in chosen}
            | {alpha: float(c.rows(d).score().value[0]) for alpha, c in all_together.items()}
            for d, name in enumerate(some.documents)
        },
        disputed=_disputed(every, prepared, distance),
        mentions=mentions,
        distance=distance,
        units={m: some.counts[m].unit for m in chosen} | {alpha: c.unit for alpha, c in all_together.items()},
        resampling=r,
        signature=f"{some.signature} | annotators:{len(names)} | mentions:{mentions}",
    )


def _common(corpora: Mapping[str, Corpus]) -> dict[str, Corpus]:
    """The annotations over the documents that all of them have; says which are left out."""
    first, *others = corpora
    universe, aligned = corpora[first], {first: corpora[first]}
    for name in others:
        with warnings.catch_warnings():  # of documents that one of the two lacks: said below, of all
            warnings.simplefilter("ignore")
            found = align_documents(universe, corpora[name])
        kept = [n for n in range(len(found.key.doc_ids)) if found.key.doc_ids[n] not in {*found.only_key, *found.only_response}]
        universe = found.key.select_documents(np.array(kept, dtype=np.int64))
        aligned[name] = found.response
    if not universe.doc_ids:
        raise MismatchError("the annotations have no document that all of them have; expected at least one")
    for corpus in corpora.values():
        if len(corpus.doc_ids) > len(universe.doc_ids):
            more = len(corpus.doc_ids) - len(universe.doc_ids)
            warn(f"left out {counted(more, 'document')} of {corpus.source} that not all annotators have")
    common = {}
    for name, corpus in aligned.items():
        place = {document: n for n, document in enumerate(corpus.doc_ids)}
        common[name] = corpus.select_documents(np.array([place[document] for document in universe.doc_ids], dtype=np.int64))
    return common


def _values(corpora: Mapping[str, Corpus], scored: Mapping[tuple[str, str], Evaluation], mentions: str) -> Values:
    """The values of some of the annotators, whose mentions are the same where they were matched."""
    matched = {}
    for (a, first), (b, other) in combinations(enumerate(corpora), 2):
        matching = scored[first, other].matching
        matched[a, b] = matching.key_mention, matching.response_mention
    sides = list(corpora.values())
    units = identified([len(side.document) for side in sides], matched)
    return values_of([s.document for s in sides], [s.entity for s in sides], units, len(sides[0].doc_ids), mentions)


def _alphas(values: Values) -> dict[str, float]:
    return {f"alpha {d}": float(counts(values, d).total().score().value[0]) for d in DISTANCES}


def _mean(values: Sequence[float]) -> float:
    """Of those defined; nan of none."""
    defined = [v for v in values if not math.isnan(v)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def _intervals(alphas: Mapping[str, Counts], r: Resampling) -> dict[str, Interval]:
    s = stack({"": alphas})
    if s.units < 2:
        return {}
    sums = s.sums(draws(s.units, r.resamples, r.seed))
    found = {}
    for name in alphas:
        values = np.asarray(s.score("", name, sums).value)
        estimate, without = (np.asarray(s.score("", name, x).value) for x in (s.total, s.left_out))
        found[name] = bca(values, float(estimate[0]), without, r.level) if r.method == "bca" else percentile(values, r.level)
    return found


def _disputed(values: Values, corpora: Mapping[str, Corpus], distance: str) -> tuple[Disputed, ...]:
    """Entities with some disagreement; by disagreement, then size, then document, annotator and place."""
    found = []
    for a, (name, corpus) in enumerate(corpora.items()):
        label, entities = values.label[a], len(corpus.entity_ids)
        others = [b for b in range(len(corpora)) if b != a]
        apart = np.mean([values.compare(a, b, distance)[0] for b in others], axis=0)
        marked = label >= 0
        mean = divide(np.bincount(label[marked], apart[marked], entities), np.bincount(label[marked], minlength=entities), 0.0)
        first = dict(zip(*(column.tolist() for column in np.unique(corpus.entity, return_index=True)), strict=True))
        for entity in np.flatnonzero(mean > ROUNDING).tolist():
            mention = Mention(corpus, first[entity])
            title = mention.text or f"{mention.start}-{mention.end}"
            document = corpus.doc_ids[corpus.entity_document[entity]]
            found.append(Disputed(document, name, title, int(corpus.entity_size[entity]), float(mean[entity])))
    return tuple(sorted(found, key=lambda d: (-round(d.disagreement, 12), -d.mentions, d.document, d.annotator)))
