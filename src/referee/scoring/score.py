"""`score`: from a key and a response to an `Evaluation`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from referee.corpus.corpus import Corpus
from referee.corpus.cross_document import join_documents
from referee.counts import Counts, concatenate
from referee.exceptions import FormatError, MismatchError, OptionError, UnknownNameError, check_name, warn
from referee.formats.load.anything import read_both
from referee.matching.documents import AlignedDocuments, align_documents
from referee.matching.matchers import match
from referee.matching.positions import character_alignments
from referee.matching.repeated_mentions import COUNTED_REPEATEDLY, resolve_repeated_mentions, without_repeated_mentions
from referee.matching.tokens import compare_tokens
from referee.messages import one_line
from referee.metrics.registry import METRICS, called_for
from referee.metrics.table import Layers, Table, table_of
from referee.scoring.evaluation import Evaluation
from referee.scoring.options import Options, profile_named
from referee.scoring.other_scorers.conll import counted_as_the_program

Metric = Callable[[Table], Counts]
BLOCK = 1 << 17
"""Mentions, of key and response together, that are counted at a time; a larger document is counted whole."""


def score(
    key: Any,
    response: Any,
    *,
    metrics: Iterable[str] | Mapping[str, Metric] | None = None,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    name: str | None = None,
    **options: Any,
) -> Evaluation:
    """Score a response against a key.

    key, response : paths (`-` is standard input), `Corpus` objects, or plain Python values (see `referee.formats.load.python`)
    metrics       : names from `METRICS`, or a mapping from names to functions of your own; None for all that the key calls for
    profile       : one of `PROFILES`
    key_format, response_format : one of `FORMATS`; None to tell it from the content
    name          : what reports call the response
    options       : any field of `Options`; it goes before the profile's

    FormatError, MismatchError, UnknownNameError, OptionError; a `RefereeWarning` where the input leaves something to say.

    >>> score([0, 0, 1, 1], [0, 0, 1, 2])["links"].recall
    0.5
    """
    settings = profile_named(profile)
    unknown = set(options) - {f.name for f in fields(Options)}
    if unknown:
        raise UnknownNameError("option", min(unknown), [f.name for f in fields(Options)])
    o = replace(settings.options, **options)
    k, r = read_both(key, response, key_format, response_format)
    aligned = align_documents(k, r, extra=o.extra_documents == "score")
    chosen = _chosen(metrics, settings.metrics, k)
    words = _compared_words(aligned, o)
    if o.across != "document" and k.format == "gap":
        raise OptionError("the rows of GAP have nothing in common; expected --across document")
    layers = Layers(*join_documents(aligned.key, aligned.response, o.across))
    if words == "aligned":
        characters, share = character_alignments(layers.key, layers.response)
        layers = layers._replace(characters=characters)
        words = f"aligned-but-{share:.2%}"
    listed = _prepared(layers.key, layers.response, o)
    k, r = map(without_repeated_mentions, listed) if o.duplicates in COUNTED_REPEATEDLY else listed
    how: dict[str, Any] = {"matcher": o.match, "zeros": o.zeros, "min_overlap": o.overlap}
    counted: dict[str, list[Counts]] = {name: [] for name in chosen}
    matched = 0
    for first, after in _blocks(k, r):
        some = Layers(layers.key.block(first, after), layers.response.block(first, after), layers.characters[first:after])
        matching = match(k.block(first, after), r.block(first, after), **how, characters=some.characters)
        matched += len(matching.key_mention)
        table = table_of(matching, o.lea_importance, some)
        for metric, count in chosen.items():
            counted[metric].append(_checked(metric, count(table), after - first))
    counts = {metric: concatenate(blocks) for metric, blocks in counted.items()}
    own = frozenset(name for name, metric in chosen.items() if metric not in (METRICS.get(name), settings.metrics.get(name)))
    ours = {name: c for name, c in counts.items() if name not in own}
    if o.duplicates == "conll":
        counts |= counted_as_the_program(k, r, ours, layers.characters)
    elif o.duplicates in COUNTED_REPEATEDLY:
        from referee.scoring.other_scorers.corefud_ua import counted_with_copies  # for two profiles

        counts |= counted_with_copies(*listed, ours, layers.characters, **how)
    _warn_of_nothing(k, r, matched)
    _warn_of_bounds(counts)
    return Evaluation(k, r, one_line(name or r.source), counts, o, words, own, metrics is None, layers)


def _blocks(key: Corpus, response: Corpus) -> Iterator[tuple[int, int]]:
    """Documents are counted in blocks of some BLOCK mentions, so that what is in memory does not grow with the corpus."""
    documents = len(key.doc_ids)
    edges = np.arange(documents + 1)
    mentions = np.searchsorted(key.document, edges) + np.searchsorted(response.document, edges)
    first = 0
    while first < documents or first == 0:
        after = int(np.searchsorted(mentions, mentions[first] + BLOCK, side="right")) - 1
        after = min(max(after, first + 1), documents)
        yield first, after
        first = max(after, 1)


def _prepared(key: Corpus, response: Corpus, o: Options) -> tuple[Corpus, Corpus]:
    """Both sides without what is no referent; repeated mentions resolved, zeros and singletons dropped if that is wanted."""
    key, response = (s if s.referring is None else s.select(s.referring[s.entity]) for s in (key, response))
    if o.zeros == "drop" and o.singletons != "drop-listed":
        key, response = _without_zeros(key), _without_zeros(response)
    key, response = resolve_repeated_mentions(key, response, o.duplicates)
    if o.singletons != "keep":
        key, response = (side.select(side.entity_size[side.entity] > 1) for side in (key, response))
    if o.zeros == "drop" and o.singletons == "drop-listed":
        key, response = _without_zeros(key), _without_zeros(response)
    return key, response


def _without_zeros(side: Corpus) -> Corpus:
    return side.select(~side.zero) if side.zero.any() else side


def _checked(metric: str, counts: Counts, documents: int) -> Counts:
    """OptionError if a measure that someone brought along does not count documents."""
    if not isinstance(counts, Counts) or any(len(column) != documents for column in counts.columns.values()):
        raise OptionError(f"metric {metric!r} gave {type(counts).__name__}; expected Counts with a row for each document")
    return counts


def _compared_words(aligned: AlignedDocuments, o: Options) -> str:
    """What is known of the words: the same, different, to be aligned, or not compared."""
    if o.tokens == "ignore":
        return "not-compared"
    try:
        return "same" if compare_tokens(aligned) else "not-compared"
    except (FormatError, MismatchError) as difference:  # a file may be fine but for the encoding of its words
        if o.tokens == "compare":
            raise
        warn(f"{difference}: aligned by characters" if o.tokens == "align" else str(difference))
        return "aligned" if o.tokens == "align" else "different"


def _chosen(metrics: Iterable[str] | Mapping[str, Metric] | None, own: Mapping[str, Metric], key: Corpus) -> dict[str, Metric]:
    if isinstance(metrics, Mapping):
        return dict(metrics)
    if not (metrics is None or isinstance(metrics, Iterable)):
        raise OptionError(f"metrics is a list of names, or a mapping to functions; found {metrics!r}")
    names = list(called_for(key) if metrics is None else [metrics] if isinstance(metrics, str) else metrics)
    for name in names:
        check_name("metric", name, METRICS)
    return {name: own.get(name, METRICS[name]) for name in names}


def _warn_of_nothing(key: Corpus, response: Corpus, matched: int) -> None:
    """No mention in common is seldom meant."""
    if not len(key.document):
        warn(f"{key.source} has no mentions" + ("" if len(response.document) else f", and neither has {response.source}"))
    elif not len(response.document):
        warn(f"{response.source} has no mentions")
    elif not matched:
        if key.items is None and ((key.start >= key.end).any() or (response.start >= response.end).any()):
            raise MismatchError(
                f"{key.source} and {response.source} have no mention in common, and some spans end where they start; "
                "expected half-open spans [start, end): add 1 to inclusive ends"
            )
        warn(f"{key.source} and {response.source} have no mention in common; are spans counted alike in both?")


def _warn_of_bounds(counts: Mapping[str, Counts]) -> None:
    loose = [name for name, c in counts.items() if any(column.endswith("slack") for column in c.columns)]
    if loose:
        warn(f"the alignment ran out of its budget: {', '.join(loose)} are lower bounds, certified with their upper bounds")
