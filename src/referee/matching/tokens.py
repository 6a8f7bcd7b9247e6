"""Do key and response annotate the same words? A span means nothing otherwise."""

from __future__ import annotations

from referee.exceptions import MismatchError
from referee.matching.documents import Aligned
from referee.messages import shortened


def compare_tokens(aligned: Aligned) -> bool:
    """True if the words of all shared documents were compared, False if a side has none.

    Equal digests of the reader settle it; where they differ, words are read and compared.

    MismatchError names the first difference.
    """
    key, response = aligned.key.text, aligned.response.text
    if key is None or response is None:
        return False
    alone = {*aligned.only_key, *aligned.only_response}
    digests = key.kind == response.kind and key.fingerprints and response.fingerprints
    for d, name in enumerate(aligned.key.doc_ids):
        if name in alone or (digests and key.fingerprints[d] == response.fingerprints[d]):  # type: ignore[index]
            continue
        if key.words[d].tokens is not response.words[d].tokens and aligned.key.words(d) != aligned.response.words(d):
            raise MismatchError(_first_difference(aligned, d))
    return True


def _first_difference(aligned: Aligned, document: int) -> str:
    from unicodedata import normalize  # a large table, of use only here

    key, response = aligned.key, aligned.response
    expected, found = key.words(document), response.words(document)
    place = f"document {key.doc_ids[document]!r}"
    remedy = "score the same tokens, or align the texts by characters with --tokens align"
    lengths = "" if len(expected) == len(found) else f" ({len(expected)} and {len(found)} tokens)"
    for n, (x, y) in enumerate(zip(expected, found, strict=False)):
        if x != y:
            alike = " (the same but for Unicode normalisation)" if normalize("NFC", x) == normalize("NFC", y) else ""
            return (
                f"{place}, token {n}: found {shortened(y)!r} in {response.source}; expected {shortened(x)!r} as in {key.source}"
                f"{alike}{lengths}; {remedy}"
            )
    return f"{place}: found {len(found)} tokens in {response.source}; expected {len(expected)} as in {key.source}; {remedy}"
