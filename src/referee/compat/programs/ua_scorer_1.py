"""ua-scorer 1, the first version of the Universal Anaphora scorer.

References
----------
`ua-scorer.py` of juntaoy/universal-anaphora-scorer; Yu et al. (2022), "The Universal Anaphora Scorer".

Notes
-----
The numbers are those of the profile ``ua-2.0``, of files as this version reads them: empty nodes are words, a discontinuous
mention is its last part. Minimum spans concern CEAF, non-referring expressions and bridging antecedents only; a mention may
match several.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from referee.basics.exceptions import OptionError
from referee.compat.programs import universal_anaphora as ua
from referee.compat.programs.printed import Printed
from referee.compat.programs.universal_anaphora import UaSettings
from referee.corpus.corpus import Corpus
from referee.formats.shared.source import Source
from referee.matching.matchers import Matching
from referee.matching.pair import Pair
from referee.matching.partial import minimum_span
from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS
from referee.scoring.other_scorers.ua_layers import equal, layer_metrics
from referee.stats.counts import Counts

NAMES = ("lea", "muc", "bcub", "ceafe", "ceafm", "blanc")
"""The metrics, in the order in which they are printed."""


def run(arguments: Sequence[str]) -> Printed:
    """Print what ``ua-scorer.py KEY RESPONSE [METRIC ...] [min] [remove_singletons] [keep_bridging] ...`` prints."""
    if len(arguments) < 2:
        raise OptionError(f"ua-scorer-1: found {len(arguments)} arguments; expected KEY RESPONSE [METRIC ...] [OPTION ...]")
    minimum = any(word in arguments for word in ("min", "MIN", "min_spans"))
    settings, layers = _settings(arguments)
    key, response = (
        _as_read(ua.annotation(file, role, settings)) for file, role in zip(arguments, ("key", "response"), strict=False)
    )
    common = np.flatnonzero([name in response.doc_ids for name in key.doc_ids])
    evaluation = ua.evaluated(
        key.select_documents(common),
        response,
        settings._replace(metrics=[*settings.metrics, *layers]),
        IN_MINIMUM if minimum else ua.OWN,
        tokens="ignore",
        extra_documents="ignore",
    )
    text = _announced(settings, layers, minimum)
    skipped = [_skipped(file) if "bridging" in layers else {} for file in arguments[:2]]
    for name in key.doc_ids:
        if name in response.doc_ids:
            text += "".join(lines.get(name, "") for lines in skipped)
        else:
            text += f"The document  {name}  does not exist in the system output.\n"
    text += ua.printed(evaluation, settings) + ua.printed(evaluation, settings._replace(metrics=layers))
    return Printed(text, signatures=[evaluation.signature])


def _settings(arguments: Sequence[str]) -> tuple[UaSettings, Sequence[str]]:
    """What is evaluated, and the layers that follow."""

    def has(word: str) -> bool:
        """Whether an option is given, in the singular or in the plural."""
        return word in arguments or f"{word}s" in arguments

    deixis = "evaluate_discourse_deixis" in arguments
    only_split = has("only_split_antecedent") and not deixis
    required = deixis or only_split
    names = [name for name in NAMES if name in arguments and "all" not in arguments] or NAMES
    wanted = {"non-referring": has("keep_non_referring"), "bridging": has("keep_bridging")}
    settings = UaSettings(
        names,
        singletons=required or not has("remove_singleton"),
        split_antecedents=required or not has("remove_split_antecedent"),
        deixis=deixis,
        only_split=only_split,
    )
    return settings, [layer for layer, is_wanted in wanted.items() if is_wanted and not required]


def _as_read(corpus: Corpus) -> Corpus:
    """The annotation as this version reads it."""
    corpus = replace(corpus, empty_nodes=None)
    if corpus.fragments is None:
        return corpus
    start, end = corpus.start.copy(), corpus.end.copy()
    for mention in np.flatnonzero(corpus.fragments).tolist():
        start[mention], end[mention] = corpus.spans(mention)[-1]
    return replace(corpus, start=start, end=end, fragments=None, fragment_lists=((),)).in_reading_order()


def _announced(s: UaSettings, layers: Sequence[str], minimum: bool) -> str:
    """The first line."""
    if s.deixis or s.only_split:
        scored = "only discourse deixis" if s.deixis else "only split-antecedents"
    else:
        words = {"non-referring": "non-referring mentions", "bridging": "bridging relations"}
        extras = {"singletons": s.singletons, "split-antecedents": s.split_antecedents}
        listed = [name for name, is_set in extras.items() if is_set] + [words[layer] for layer in layers]
        scored = ", ".join(["corferent markables", *listed])
    return f"The scorer is evaluating  {scored} {' using the minimum span evaluation setting ' * minimum}\n"


def _skipped(file: str) -> dict[str, str]:
    """The lines about bridging pairs of which IDENTITY lacks a markable, by documents."""
    lines: dict[str, str] = {}
    with Source(file).open() as stream:
        documents = re.split("^# newdoc id = ", stream.read().decode(errors="replace"), flags=re.MULTILINE)[1:]
    for name, *rows in (document.splitlines() for document in documents):
        cells = [row.split() for row in rows if row.strip() and not row.startswith("#")]
        markables = {markable for row in cells for markable in re.findall(r"MarkableID=([^|()]*)", row[10])}
        pairs = {}
        for brackets in (bracket for row in cells for bracket in row[11].split("(")[1:]):
            fields = dict(field.split("=", 1) for field in brackets.rstrip(")").split("|"))
            pairs[fields["MarkableID"]] = fields["MentionAnchor"]
        lines[name.strip()] = "".join(
            f"Skip bridging pair ({anchor}, {anaphor}) as markable_id does not exist in identity column!\n"
            for anaphor, anchor in pairs.items()
            if not {anaphor, anchor} <= markables
        )
    return lines


# Minimum spans


class _PairInMinimum(Pair):
    """A pair whose mentions match if the response mention lies between the minimum span and the whole of the key mention."""

    @classmethod
    def from_pair(cls, pair: Pair) -> _PairInMinimum:
        """See a pair so."""
        return cls(pair.scored, pair.unfiltered, pair.with_repeats, pair.characters, pair.words, pair.options, pair.repairs)

    @cached_property
    def matching(self) -> Matching:
        """Each key mention with one response mention of each entity that has any."""
        k, r = np.array(sorted(_in_minimum(*self.scored)), dtype=np.int64).reshape(-1, 2).T
        _, first = np.unique(np.stack([k, self.response.entity[r]]), axis=1, return_index=True)
        return Matching(*self.scored, k[first], r[first], (self.key, self.response))


def _in_minimum(key: Corpus, response: Corpus) -> set[tuple[int, int]]:
    """All pairs of mentions that match."""
    if key.minimum_span is None:
        return equal(key, response)
    candidates = minimum_span(key, response)
    return equal(key, response) | {*zip(candidates.key.tolist(), candidates.response.tolist(), strict=True)}


def _counted(record: Metric, pair: Pair) -> Counts:
    return record.of_pair(_PairInMinimum.from_pair(pair))


CEAF = [f"{prefix}ceaf_{by}{split}" for by in "em" for prefix, split in (("", ""), ("", "_split"), ("split_antecedents_", ""))]
IN_MINIMUM = {
    **ua.OWN,
    **{id_: replace(METRICS[id_], count=partial(_counted, METRICS[id_]), scope="annotation") for id_ in CEAF},
    **layer_metrics(_in_minimum),
}
"""What takes minimum spans into account; the program looks up all other mentions by their spans."""
