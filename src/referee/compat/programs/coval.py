"""coval's `scorer.py`, which scores files of CoNLL.

References
----------
`scorer.py` of ns-moosavi/coval; Moosavi and Strube (2016).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.basics.exceptions import OptionError
from referee.compat import coval
from referee.compat.coval_files import AsRead
from referee.compat.coval_phrases import noun_phrases
from referee.compat.programs.printed import Printed, rates_line
from referee.stats.counts import Score

MIN_SPAN = ("min_span", "min_spans", "min")


def run(arguments: Sequence[str]) -> Printed:
    """Print what ``scorer.py KEY RESPONSE [METRIC ...] [remove_singletons] [NP_only]`` prints."""
    if len(arguments) < 2:
        raise OptionError(f"coval: found {len(arguments)} arguments; expected KEY RESPONSE [METRIC ...] [remove_singletons]")
    key, response, *words = arguments
    keep = "remove_singletons" not in words and "removIe_singleton" not in words
    coval.refuse("remove_nested" in words, any(word in words for word in MIN_SPAN))
    read = coval.as_read(key, response)
    sides = noun_phrases(read, key) if "NP_only" in words else read
    infos = coval.evaluated(sides, keep)
    text = _printed(*sides)
    if not keep:
        removed = [int(np.count_nonzero(side.corpus.entity_size == 1)) for side in read]
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


def _printed(key: AsRead, response: AsRead) -> str:
    """What coval prints while it reads: of each document, first of the key, then of the response."""
    of_response = dict(zip(response.corpus.doc_ids, response.printed, strict=True))
    of_key = zip(key.corpus.doc_ids, key.printed, strict=True)
    return "".join(text + of_response.get(name, "") for name, text in of_key)
