"""Do key and response annotate the same words? A span means nothing otherwise."""

from __future__ import annotations

import numpy as np

from markable.corpus import Corpus
from markable.errors import MismatchError
from markable.matching.documents import Pairing


def compare_tokens(key: Corpus, response: Corpus, pairing: Pairing) -> bool:
    """True if the words of all paired documents were compared, False if a side has none.

    Equal digests of the reader settle it; where they differ, words are read and compared.

    MismatchError names the first difference.
    """
    if key.text is None or response.text is None:
        return False
    in_response = np.full(len(pairing.names), -1, dtype=np.int64)
    in_response[pairing.response] = np.arange(len(pairing.response))
    comparable = key.text.kind == response.text.kind and key.text.fingerprints and response.text.fingerprints
    for d, r in enumerate(in_response[pairing.key].tolist()):
        if r < 0 or (comparable and key.text.fingerprints[d] == response.text.fingerprints[r]):  # type: ignore[index]
            continue
        a, b = key.text.words[d].tokens, response.text.words[r].tokens
        if a is not b and list(a) != list(b):
            raise MismatchError(_first_difference(key, response, d, r))
    return True


def _first_difference(key: Corpus, response: Corpus, d: int, r: int) -> str:
    a, b = (list(side.text.words[n].tokens) if side.text else [] for side, n in ((key, d), (response, r)))
    place = f"document {key.names[d]!r}"
    remedy = "score the same tokens, or compare no tokens with --tokens ignore"
    for n, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            lengths = "" if len(a) == len(b) else f" ({len(a)} and {len(b)} tokens)"
            return (
                f"{place}, token {n}: found {_shown(y)} in {response.source}; expected {_shown(x)} as in {key.source}"
                f"{lengths}; {remedy}"
            )
    return f"{place}: found {len(b)} tokens in {response.source}; expected {len(a)} as in {key.source}; {remedy}"


def _shown(token: str) -> str:
    return repr(token if len(token) <= 40 else token[:40] + "…")
