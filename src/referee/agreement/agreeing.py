"""`agree`: the agreement between annotators, none of whom is the key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from referee.agreement.alpha import MENTIONS, alphas_of, identified
from referee.agreement.distances import DISTANCES
from referee.agreement.first_words import on_first_words
from referee.agreement.placing import Placements
from referee.agreement.projects import annotators_of
from referee.agreement.result import ALL as TOGETHER, Agreement
from referee.agreement.two_by_two import TwoAnnotators, two_by_two
from referee.basics import progress
from referee.basics.exceptions import MismatchError, OptionError, check_name, collected_warnings, counted, shortened, warn
from referee.basics.names import check_call
from referee.basics.options.options import Options
from referee.basics.options.reading import READ_OPTIONS, ReadOptions
from referee.basics.options.types import InputOptions
from referee.comparison.comparing import call_values, named
from referee.corpus import Corpus
from referee.corpus.common_tokens import on_common_tokens
from referee.formats.shared.skipping import check_folders, skipped_said
from referee.inputs.load import check_once, corpus_of, load, load_both
from referee.matching.documents import align_documents
from referee.matching.pair import Pair, pair_of
from referee.metrics.registry import ALL, METRICS, RECORDS, metric_named
from referee.scoring.score import score
from referee.stats.counts import Counts, mean
from referee.stats.resampling import intervals
from referee.stats.settings import Resampling, as_resampling

if TYPE_CHECKING:
    from typing_extensions import Unpack

SYMMETRIC = tuple(name for name, record in METRICS.items() if record.symmetric and record.of_entities)
"""Metrics whose F, or value, is the same when key and response are exchanged: no annotator is the key."""

USUAL = tuple(name for name in SYMMETRIC if METRICS[name].panel == "default")
"""The metrics computed unless others are named."""

SHOWN = ("mentions", "conll")
"""Those of them that people see beside alpha."""

SHOWN_OF_RECORDS = ("links", "b_cubed")
"""The same where the annotations are of records."""

ALPHA = "alpha"
"""Among the names of metrics: the alpha of the distance that was chosen."""


@check_call(InputOptions)
def agree(
    *annotations: object,
    metrics: str | Iterable[str] | None = None,
    mentions: str = MENTIONS[0],
    distance: str = "masi",
    resampling: Resampling | None = None,
    format: str | None = None,
    profile: str = "default",
    **options: Unpack[InputOptions],
) -> Agreement:
    """Compute the agreement of two annotators or more on the documents that all of them have.

    Parameters
    ----------
    *annotations
        One annotation after another, as `score` accepts them; or one mapping from the names of the annotators to their
        annotations, or one list of annotations. Annotators that are not named are called by their files, or by their number.
    metrics : str, iterable of str or None
        Of `SYMMETRIC`, and "alpha": what people see. "mentions" and alpha are computed anyway. "all" for all of them, and
        alpha by all distances. None for `USUAL`, or for those of records, of which people see few.
    mentions : str
        One of `alpha.MENTIONS`: what alpha does with a mention that only some annotators have. Metrics count it as missed.
    distance : str
        One of `distances.DISTANCES`: of the alpha to report, which sorts what annotators disagree on.
    resampling : Resampling or None
        How the intervals of alpha are made; None for the defaults.
    format : str or None
        Of all files; None to detect it.
    profile : str
        As for `score`.
    **options
        As for `score`; but mentions are matched exactly, within documents, and beta is 1. How tables are read, too.

    Returns
    -------
    Agreement

    Raises
    ------
    OptionError, MismatchError, UnknownNameError
        If a metric or an option needs a key, or no document has all annotations; and as `score` does.

    Warns
    -----
    RefereeWarning
        If documents are left out that not all annotators have.

    Examples
    --------
    >>> agreement = agree([[{1, 2}, {3}], [{1, 2, 3}]], metrics=["b_cubed"])
    >>> round(agreement.alpha, 4), round(agreement.together["b_cubed"], 4)
    (0.125, 0.7143)
    """
    reading = {name: options.pop(name) for name in READ_OPTIONS if name in options}  # type: ignore[misc]
    read_options = replace(ReadOptions.of_sides(format, format, **reading)[0], option="--columns")
    with collected_warnings() as warnings:
        agreement = _agreement(annotations, metrics, mentions, distance, resampling, profile, read_options, options)
    return replace(agreement, warnings=(*dict.fromkeys((*warnings, *agreement.warnings)),))


def _agreement(
    annotations: Sequence[object],
    metrics: str | Iterable[str] | None,
    mentions: str,
    distance: str,
    resampling: Resampling | None,
    profile: str,
    read_options: ReadOptions,
    options: InputOptions,
) -> Agreement:
    """`agree`, with the warnings of the first pair alone."""
    r = as_resampling(resampling).for_units(0)
    all_of = annotators_of(named(call_values(annotations)), read_options)
    if read_options.skip_bad_files:
        check_folders(*all_of.values())
    check_once(*all_of.values())
    loaded = {name: load(a, read_options, "annotation") for name, a in all_of.items()}
    check_name("rule for mentions", mentions, MENTIONS)
    check_name("distance", distance, DISTANCES)
    metric_ids, shown = _select_metrics(
        metrics, f"alpha {distance}", records="texts" not in {source.kind for source in loaded.values()}
    )
    complete = {name: corpus_of(source) for name, source in loaded.items()}
    skipped = "".join(f" | {name}:{value}" for name, value in skipped_said(complete.values()).items())
    corpora = _common({name: replace(corpus, skipped=None) for name, corpus in complete.items()})
    if len(corpora) < 2:
        raise OptionError(f"found {counted(len(corpora), 'annotation')}; expected at least two")
    if TOGETHER in corpora:
        raise OptionError(f"found an annotator called {TOGETHER!r}, as all are together; expected another name")
    two = [*combinations(corpora, 2)]
    first = score(*(corpora[a] for a in two[0]), name=two[0][1], metrics=metric_ids, profile=profile, **options)
    _check_options(first.options, len(corpora))
    prepared = {two[0][0]: first.key, two[0][1]: first.response}

    def others() -> Iterator[Pair]:
        for a, b in progress.tracked(two[1:], "scoring pairs"):
            key, response = map(corpus_of, load_both(corpora[a], corpora[b]))
            pair = pair_of(key, response, first.options)
            prepared.setdefault(b, pair.response)
            yield pair

    pairs = dict(zip(two, two_by_two(first, others(), mentions), strict=True))
    matched = {(a, b): pairs[one, other].matched for (a, one), (b, other) in combinations(enumerate(prepared), 2)}
    on_words = on_first_words(prepared) if first.options.tokens == "align" else prepared
    placements = Placements(on_words, identified([len(corpus.document) for corpus in prepared.values()], matched))
    alphas = pairs[two[0]].alphas if len(two) == 1 else alphas_of(placements.values(mentions))
    of_all = {alpha: float(counts.total().score().value[0]) for alpha, counts in alphas.items()}
    formats = "/".join(dict.fromkeys(corpus.format for corpus in corpora.values() if corpus.format))
    signature = re.sub(r"\bformats:\S+", f"formats:{formats}", first.signature)  # that of the first two has theirs
    rules = f"annotators:{len(corpora)} | distance:{distance} | mentions:{mentions}"
    return Agreement(
        annotators=tuple(corpora),
        documents=tuple(first.documents),
        pairs={names: pair.totals for names, pair in pairs.items()},
        pairs_by_document={
            names: dict(zip(first.documents, pair.alphas[f"alpha {distance}"].score().value.tolist(), strict=True))
            for names, pair in pairs.items()
        },
        together={m: mean(pair.totals[m] for pair in pairs.values()) for m in metric_ids} | of_all,
        intervals={name: sides["value"] for name, sides in intervals(alphas, r).items() if sides},
        by_document=_by_document(first.documents, [*pairs.values()], alphas),
        placements=placements,
        warnings=first.warnings,
        mentions=mentions,
        distance=distance,
        shown=shown,
        units={m: first.counts[m].unit for m in metric_ids} | dict.fromkeys(alphas, ""),
        of_f=frozenset(m for m in metric_ids if m == "conll" or first[m].recall is not None),
        resampling=r,
        signature=f"{signature} | {rules}{skipped}",
    )


def _select_metrics(metrics: str | Iterable[str] | None, alpha: str, *, records: bool) -> tuple[list[str], tuple[str, ...]]:
    """The metrics to compute, and the names of what people see."""
    usual, few = (RECORDS, SHOWN_OF_RECORDS) if records else (USUAL, SHOWN)
    if not metrics:
        return list(usual), (alpha, *few)
    names = [name.strip().lower() for name in (metrics.split(",") if isinstance(metrics, str) else metrics)]
    if names == [ALL]:
        return list(SYMMETRIC), (alpha, *SYMMETRIC, *(other for other in map("alpha {}".format, DISTANCES) if other != alpha))
    named = {name: name if name == ALPHA else metric_named(name).id for name in names}
    ids = list(dict.fromkeys(id_ for id_ in named.values() if id_ != ALPHA))
    if wrong := next((metric for metric in ids if metric not in SYMMETRIC), None):
        raise OptionError(f"{wrong} takes one annotator for the key; expected a symmetric metric: {', '.join(SYMMETRIC)}")
    return ["mentions", *(id_ for id_ in ids or usual if id_ != "mentions")], tuple(
        dict.fromkeys(alpha if id_ == ALPHA else id_ for id_ in named.values())
    )


def _by_document(
    documents: Sequence[str], compared: Sequence[TwoAnnotators], alphas: Mapping[str, Counts]
) -> dict[str, dict[str, float]]:
    """The mean scores over all pairs, and alpha, of each document."""
    means = {
        m: map(mean, np.stack([pair.by_document[m] for pair in compared], axis=1).tolist()) for m in compared[0].by_document
    }
    columns: dict[str, Iterable[float]] = {**means, **{alpha: c.score().value.tolist() for alpha, c in alphas.items()}}
    rows = zip(*columns.values(), strict=True)
    return {name: dict(zip(columns, row, strict=True)) for name, row in zip(documents, rows, strict=True)}


def _check_options(o: Options, annotators: int) -> None:
    """Raise OptionError for options with which the annotators do not all count alike."""
    if o.match != "exact" or o.beta != 1 or o.cross_document:
        raise OptionError("agreement is of mentions matched exactly, in documents, with beta 1; expected these defaults")
    if o.items == "key" or (o.items == "both" and annotators > 2):
        whose = "takes one annotator for the key" if o.items == "key" else "is of two annotators"
        raise OptionError(f"--items {o.items} {whose}; expected no --items: --mentions common counts what all annotators have")
    if o.repeated_mentions == "conll":
        raise OptionError(
            "the policy conll for repeated mentions takes one annotator for the key; expected another of --repeated-mentions"
        )


def _common(corpora: Mapping[str, Corpus]) -> dict[str, Corpus]:
    """The annotations over the documents that all of them have, on common tokens; warns of documents that are left out."""
    first, *others = corpora
    universe, aligned = corpora[first], {first: corpora[first]}
    for name in others:
        pair = align_documents(universe, corpora[name], of_annotators=True)
        lacking = {*pair.only_key, *pair.only_response}
        kept = [n for n, document in enumerate(pair.key.doc_ids) if document not in lacking]
        universe, aligned[name] = pair.key.select_documents(np.array(kept, dtype=np.int64)), pair.response
    if not universe.doc_ids:
        raise MismatchError("the annotations have no document that all of them have; expected at least one")
    for name, corpus in corpora.items():
        if len(corpus.doc_ids) > len(universe.doc_ids):
            more = counted(len(corpus.doc_ids) - len(universe.doc_ids), "document")
            others = [shortened(d) for d in corpus.doc_ids if d not in universe.doc_ids]
            listing = f"{', '.join(others[:3])}{', …' * (len(others) > 3)}"
            warn(f"left out {more} of {shortened(name)} ({corpus.source}) that not all annotators have: {listing}")
    common = {}
    for name, corpus in aligned.items():
        place = {document: n for n, document in enumerate(corpus.doc_ids)}
        common[name] = corpus.select_documents(np.array([place[document] for document in universe.doc_ids], dtype=np.int64))
    return dict(zip(common, on_common_tokens([*common.values()], of_words=True), strict=True))
