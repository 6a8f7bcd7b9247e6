"""Do key and response annotate the same words? Otherwise their spans cannot be compared."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import normalize

import numpy as np

from referee.basics.exceptions import MismatchError, counted, shortened, warn
from referee.formats.shared.documents import is_unnamed
from referee.matching.documents import AlignedDocuments

REMEDY = "; score the same tokens, or align the texts by characters with --tokens align"
"""What ends a message about words that differ."""


def compare_tokens(aligned: AlignedDocuments) -> bool:
    """Compare the words of all documents that both sides have.

    Parameters
    ----------
    aligned : AlignedDocuments

    Returns
    -------
    bool
        False if a side has no words to compare.

    Raises
    ------
    MismatchError
        At the first word that differs.
    """
    for problem in differences(aligned):
        raise MismatchError(problem)
    return aligned.key.text is not None and aligned.response.text is not None


def differences(aligned: AlignedDocuments) -> Iterator[str]:
    """The first difference of each document that both sides have with other words.

    Where the readers' digests of a document are equal, its words are; where they differ, the words are read and compared.
    """
    key, response = aligned.key.text, aligned.response.text
    if key is None or response is None:
        return
    one_sided = {*aligned.only_key, *aligned.only_response}
    digests = key.kind == response.kind and key.fingerprints and response.fingerprints
    all_words = aligned.key.empty_nodes is None and aligned.response.empty_nodes is None
    for d, name in enumerate(aligned.key.doc_ids):
        if name in one_sided or (digests and key.fingerprints[d] == response.fingerprints[d]):  # type: ignore[index]
            continue
        tokens, others = key.words[d].tokens, response.words[d].tokens
        same = tokens is others or (all_words and tokens == others)  # equal lists need no copy
        if not same and aligned.key.words(d) != aligned.response.words(d):
            yield _first_difference(aligned, d)


def warn_of_range(aligned: AlignedDocuments) -> None:
    """Warn of mentions of a side without words that end behind the words of the other side."""
    for side, other in ((aligned.key, aligned.response), (aligned.response, aligned.key)):
        if side.text is not None or other.text is None or side.items is not None or other.items is not None:
            continue
        lengths = other.text.token_counts
        behind = np.flatnonzero((side.end > lengths[side.document]) & (lengths[side.document] > 0))
        if len(behind):
            m = int(behind[0])
            d = int(side.document[m])
            place = "" if is_unnamed(side) else f" in document {shortened(side.doc_ids[d])!r}"
            first = f"the first{place}: tokens {side.start[m]} to {side.end[m] - 1} of {lengths[d]}"
            mentions = f"{counted(len(behind), 'mention')} behind the words of {other.source}"
            warn(f"{side.source}: {mentions}, {first}; expected offsets of its tokens")


def _first_difference(aligned: AlignedDocuments, document: int) -> str:
    """The message about the first word that differs in a document."""
    key, response = aligned.key, aligned.response
    key_words, response_words = key.words(document), response.words(document)
    place = f"document {key.doc_ids[document]!r}"
    lengths = ""
    if len(key_words) != len(response_words):
        lengths = f" ({len(key_words)} and {len(response_words)} tokens)"
    for n, (expected, word) in enumerate(zip(key_words, response_words, strict=False)):
        if word != expected:
            normalised = normalize("NFC", word) == normalize("NFC", expected)
            return (
                f"{place}, token {n}: found {shortened(word)!r} in {response.source}; expected {shortened(expected)!r} as in "
                f"{key.source}{' (the same but for Unicode normalisation)' if normalised else ''}{lengths}{REMEDY}"
            )
    counts = f"found {counted(len(response_words), 'token')} in {response.source}; expected {len(key_words)} as in {key.source}"
    return f"{place}: {counts}{REMEDY}"
