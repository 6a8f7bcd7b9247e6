"""coval's `scorer.py`, which scores files of CoNLL.

References
----------
`scorer.py` of ns-moosavi/coval; Moosavi and Strube (2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from referee.basics.exceptions import OptionError
from referee.compat import coval
from referee.compat.programs.printed import Printed, rates_line
from referee.corpus import Corpus
from referee.inputs.load import read_both
from referee.stats.counts import Score

MIN_SPAN = ("min_span", "min_spans", "min")


def run(arguments: Sequence[str]) -> Printed:
    """Print what ``scorer.py KEY RESPONSE [METRIC ...] [remove_singletons]`` prints."""
    if len(arguments) < 2:
        raise OptionError(f"coval: found {len(arguments)} arguments; expected KEY RESPONSE [METRIC ...] [remove_singletons]")
    keep = "remove_singletons" not in arguments and "removIe_singleton" not in arguments
    min_span = any(word in arguments for word in MIN_SPAN)
    coval.refuse(NP_only="NP_only" in arguments, remove_nested="remove_nested" in arguments, min_span=min_span)
    sides = read_both(arguments[0], arguments[1])
    evaluation = coval.evaluate_pair(sides, keep)
    warnings = [_warnings(side) for side in sides]
    text = "".join(side.get(name, "") for name in sides[0].doc_ids for side in warnings)
    if not keep:
        removed = [int(np.count_nonzero(side.entity_size == 1)) for side in sides]
        text += f"{removed[0]} and {removed[1]} singletons are removed from the key and system files, respectively\n"
    names = [name for name in coval.PRINTED if name in arguments and "all" not in arguments] or list(coval.PRINTED)
    values = {}
    for name in names:
        recall, precision, f1 = coval.evaluate_documents(evaluation, coval.PRINTED[name])
        values[name] = f1
        text += f"{name:<10} {rates_line(Score(f1, recall, precision))}"
    if set(coval.AVERAGED) <= set(names):
        text += f"CoNLL score: {sum(values[name] for name in coval.AVERAGED) / 3 * 100:.2f}\n"
    return Printed(text, signatures=[evaluation.signature])


def _warnings(side: Corpus) -> dict[str, str]:
    """Document -> what coval prints while it reads: a word that is a mention of several entities."""
    order = np.lexsort((side.file_order[side.entity], side.start, side.document))
    single = order[(side.end - side.start)[order] == 1]
    places = zip(side.document[single].tolist(), side.start[single].tolist(), side.entity[single].tolist(), strict=True)
    texts: dict[str, str] = {}
    for (document, _), mentions in groupby(places, key=lambda place: place[:2]):
        ids = [side.entity_ids[entity] for _, _, entity in mentions]
        if len(ids) > 1:
            warning = f"Warning: A single mention is assigned to more than one cluster: [{', '.join(ids)}]\n"
            texts[side.doc_ids[document]] = texts.get(side.doc_ids[document], "") + warning
    return texts
