"""`coval.arrau.reader`: `get_coref_infos` for the CoNLL files of the ARRAU corpus.

Notes
-----
With `use_MIN`, each mention of the key matches at most one of the response. In coval it may match several, and all of them
count in recall or precision.
"""

from __future__ import annotations

import numpy as np

from referee.compat.coval import PRINTED
from referee.inputs.reading import read
from referee.metrics.ceaf import ceaf_m
from referee.scoring.evaluation import Evaluation
from referee.scoring.other_scorers.ua_layers import equal, layer_metrics
from referee.scoring.score import score

__all__ = ["get_coref_infos"]


def get_coref_infos(
    key_directory: str,
    sys_directory: str,
    keep_singletons: bool,
    keep_non_referring: bool,
    use_MIN: bool,  # noqa: N803  # as coval calls it
    print_debug: bool = False,
) -> tuple[Evaluation, Evaluation]:
    """Read and score a key and a response: coreference, and non-referring expressions.

    Parameters
    ----------
    key_directory, sys_directory : path
        A folder of files, or a file. Documents that one of them lacks are left out.
    keep_singletons : bool
        Whether to score entities of one mention.
    keep_non_referring : bool
        Whether non-referring expressions are scored, by `evaluate_non_referrings`; they are never coreferent.
    use_MIN : bool
        Whether minimum spans of the key match.
    print_debug : bool
        Nothing is printed.
    """
    key, response = (
        read(path, format="arrau", role=role) for path, role in ((key_directory, "key"), (sys_directory, "response"))
    )
    common = np.flatnonzero([name in response.doc_ids for name in key.doc_ids])
    layers = [layer_metrics(equal)["non_referring"]] if keep_non_referring else []
    evaluation = score(
        key.select_documents(common),
        response,
        metrics=(*PRINTED.values(), ceaf_m, *layers),
        match="min" if use_MIN else "exact",
        singletons="keep" if keep_singletons else "drop-annotated",
        repeated_mentions="ua",
        zero_division=0.0,
        tokens="ignore",
        extra_documents="ignore",
    )
    return evaluation, evaluation
