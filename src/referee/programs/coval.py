"""coval's `scorer.py`, which scores files of CoNLL.

References
----------
`scorer.py` of ns-moosavi/coval; Moosavi and Strube (2016).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from referee.compat import coval
from referee.corpus import Corpus
from referee.counts import Score
from referee.exceptions import OptionError
from referee.programs.printed import Printed, rates_line

MIN_SPAN = ("min_span", "min_spans", "min")


def run(arguments: Sequence[str]) -> Printed:
    """Print what ``scorer.py KEY RESPONSE [METRIC ...] [remove_singletons]`` prints."""
    if len(arguments) < 2:
        raise OptionError(f"coval: found {len(arguments)} arguments; expected KEY RESPONSE [METRIC ...] [remove_singletons]")
    key, response, *words = arguments
    keep = "remove_singletons" not in words and "removIe_singleton" not in words
    min_span = any(word in words for word in MIN_SPAN)
    infos = coval.get_coref_infos(key, response, "NP_only" in words, "remove_nested" in words, keep, min_span)
    text = "".join(line for pair in zip(*map(_warnings, infos.pair.annotated), strict=True) for line in pair)
    if not keep:
        removed = [int(np.count_nonzero(side.entity_size == 1)) for side in infos.pair.annotated]
        text += f"{removed[0]} and {removed[1]} singletons are removed from the key and system files, respectively\n"
    chosen = [name for name in coval.PRINTED if name in words and "all" not in words] or list(coval.PRINTED)
    total = 0.0
    for name in chosen:
        recall, precision, f1 = coval.evaluate_documents(infos, coval.PRINTED[name])
        total += f1 if name in coval.AVERAGED else 0.0
        text += f"{name:<10} {rates_line(Score(f1, recall, precision))}"
    if set(coval.AVERAGED) <= set(chosen):
        text += f"CoNLL score: {total / 3 * 100:.2f}\n"
    return Printed(text, signatures=[infos.signature])


def _warnings(side: Corpus) -> Iterator[str]:
    """For each document, the warnings about repeated mentions of one word."""
    for document in range(len(side.doc_ids)):
        entities: dict[int, list[int]] = {}
        mentions = side.mentions_in(document, document + 1)
        for start, end, entity in zip(*(c[mentions].tolist() for c in (side.start, side.end, side.entity)), strict=True):
            if end == start + 1:
                entities.setdefault(start, []).append(entity)
        yield "".join(
            f"Warning: A single mention is assigned to more than one cluster: [{', '.join(_ids(side, several))}]\n"
            for several in entities.values()
            if len(several) > 1
        )


def _ids(side: Corpus, entities: Sequence[int]) -> list[str]:
    """The ids of entities, in the order of the file."""
    return [side.entity_ids[entity] for entity in sorted(entities, key=lambda entity: int(side.file_order[entity]))]
