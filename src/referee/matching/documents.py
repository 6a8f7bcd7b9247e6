"""Aligning documents: which document of the key is which document of the response.

Documents go by name. Four rules apply to names that only one side has:

* `NAME` and `NAME_0` are the same document, because a CoNLL header without a part means part 0.
* If both sides are folders, documents that have one name in files of one name are the same.
* If each side has a single document, and one of the two has no name, they are the same document. So are several documents
  without names and as many with names, in their order, if they have the same words.
* If no name is on both sides, documents with the same text are the same, white space aside.

A document that only one side has is kept, with a warning; its mentions are missed or spurious.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import tally
from referee.basics.exceptions import MismatchError, OptionError, counted, listed, shortened, warn
from referee.basics.options.documents import DocumentFilter
from referee.corpus import Corpus
from referee.corpus.selecting import usual_name
from referee.corpus.text import same_text
from referee.formats.shared.documents import unnamed

IGNORING = "--extra-documents ignore"
"""What leaves out the documents that only the response has."""

BY_DOCUMENT = f"referee score KEY RESPONSE {IGNORING} --intervals"
"""What scores a key that is a sample of documents."""


class AlignedDocuments(NamedTuple):
    """Key and response over the same documents: first those of the key in its order, then those of the response alone.

    Parameters
    ----------
    key, response : Corpus
        Documents have the same names and the same numbers on both sides.
    only_key, only_response : tuple of str
        The documents that the other side lacks.
    selection : mapping
        What a signature says of which documents are compared, if not all are.
    """

    key: Corpus
    response: Corpus
    only_key: tuple[str, ...]
    only_response: tuple[str, ...]
    selection: Mapping[str, str] = {}


def align_documents(
    key: Corpus, response: Corpus, *, extra: bool = True, of_annotators: bool = False, wanted: DocumentFilter | None = None
) -> AlignedDocuments:
    """Put both sides on one list of documents.

    Parameters
    ----------
    key, response : Corpus
    extra : bool
        Whether to keep documents that only the response has.
    of_annotators : bool
        Whether no side is the key: documents without a name in common are paired by their texts even if others have one, and
        nothing is said of documents that one side lacks.
    wanted : DocumentFilter or None
        Which documents are compared; None for all. Of others nothing is said.

    Returns
    -------
    AlignedDocuments

    Raises
    ------
    MismatchError
        If the two have no document in common, though both have some.

    Warns
    -----
    RefereeWarning
        If one side has documents that the other lacks.
    """
    alias = _aliases(key, response, of_annotators)
    names = [alias.get(name, name) for name in response.doc_ids]  # of the response, as the key calls them
    _check_lengths(key, response, names)
    selection: Mapping[str, str] = {}
    if wanted is not None:
        key, response, names, selection = _selected(key, response, names, extra, wanted)
    number = {name: n for n, name in enumerate(key.doc_ids)}
    only_response = tuple(name for name in names if name not in number)
    common = number.keys() & names
    only_key = tuple(name for name in key.doc_ids if name not in common)
    if key.doc_ids and response.doc_ids and not common:
        if ("texts" in (key.kind, response.kind)) and key.kind != response.kind:
            kinds = (
                f"{side.source} has {'mentions in texts' if side.kind == 'texts' else 'records'}" for side in (key, response)
            )
            raise MismatchError(f"{', and '.join(kinds)}; expected both of one kind")
        names_of_both = f"found {_listed(response.doc_ids)}; expected {_listed(key.doc_ids)}"
        problem = f"{response.source} has no document of {key.source}: {names_of_both}"
        if "#1" in (key.doc_ids[0], response.doc_ids[0]):
            named = key if response.doc_ids[0] == "#1" else response
            first = _listed(named.doc_ids[:1], 98)
            problem += f": give documents without names these names, in Python as {{{first!r}: document, ...}}"
        raise MismatchError(problem)
    if not of_annotators:
        _warn_of_documents(key, response, only_key, "missed")
        _warn_of_documents(response, key, only_response if extra else (), "spurious")
    if not extra and only_response:
        left_out = f"{counted(len(only_response), 'document')} of {response.source} that {key.source} lacks"
        warn(f"left out {left_out}: {_listed(only_response)}")
        response = response.select_documents(np.array([n for n, name in enumerate(names) if name in number], dtype=np.int64))
        names = [name for name in names if name in number]
        only_response = ()
    number.update({name: n for n, name in enumerate(only_response, start=len(key.doc_ids))})
    documents = (*key.doc_ids, *only_response)
    return AlignedDocuments(
        key.on_documents(documents, np.arange(len(key.doc_ids), dtype=np.int32)),
        response.on_documents(documents, np.array([number[name] for name in names], dtype=np.int32)),
        only_key,
        only_response,
        selection,
    )


def _selected(
    key: Corpus, response: Corpus, names: Sequence[str], extra: bool, wanted: DocumentFilter
) -> tuple[Corpus, Corpus, list[str], Mapping[str, str]]:
    """The documents of both sides that are wanted, the names of those of the response, and what a signature says of it."""
    from referee.matching.selecting import NamedDocument, documents_of, selected, signed  # most calls compare all

    in_key = {*key.doc_ids}
    others = [NamedDocument(name, response, n, False) for n, name in enumerate(names) if extra and name not in in_key]
    documents = [*documents_of(key), *others]
    numbers = selected(documents, wanted)
    left = {documents[number].name for number in numbers}
    of_key = [n for n, name in enumerate(key.doc_ids) if name in left]
    of_response = [n for n, name in enumerate(names) if name in left]
    sides = (
        key.select_documents(np.array(of_key, dtype=np.int64)),
        response.select_documents(np.array(of_response, dtype=np.int64)),
    )
    return *sides, [names[n] for n in of_response], signed(documents, numbers, wanted)


def _check_lengths(key: Corpus, response: Corpus, names: Sequence[str]) -> None:
    """Raise OptionError if sequences of labels have different lengths, or lists of documents without names from Python have."""
    if key.by_position and response.by_position:
        lengths = {name: int(n) for name, n in zip(key.doc_ids, tally(key.document, minlength=len(key.doc_ids)), strict=True)}
        for name, length in zip(names, tally(response.document, minlength=len(names)), strict=True):
            check_labels(lengths.get(name, length), length, key.source, response.source)
    unnamed = all(side.doc_ids[:1] == ("#1",) and len(side.document) and not side.format for side in (key, response))
    if unnamed and len(key.doc_ids) != len(names):
        problem = (
            f"found {counted(len(key.doc_ids), 'document')} without names in {key.source} and {len(names)} in {response.source}"
        )
        raise OptionError(f"{problem}; expected as many in both: give {{name: document, ...}}")


def check_labels(of_key: int, of_response: int, key: str, response: str) -> None:
    """Raise OptionError if one of two sequences of labels, called so, has more labels."""
    if of_key != of_response:
        labels = f"found {counted(of_key, 'label')} in {key} and {of_response} in {response}"
        raise OptionError(f"{labels}; expected one for each item: to score items by their names give {{item: label}}")


def _aliases(key: Corpus, response: Corpus, of_annotators: bool) -> Mapping[str, str]:
    """Names of the response that mean a document of the key with another name."""
    in_key, in_response = set(key.doc_ids), set(response.doc_ids)
    only_key = [name for name in key.doc_ids if name not in in_response]
    only_response = [name for name in response.doc_ids if name not in in_key]
    number = len(key.doc_ids)
    if number == len(response.doc_ids) and only_key and unnamed(number) in (tuple(key.doc_ids), tuple(response.doc_ids)):
        if number == 1:
            return {response.doc_ids[0]: key.doc_ids[0]}
        if key.text and response.text and same_text(key.text, response.text):
            side, other = (response, key) if response.doc_ids[0] == "#1" else (key, response)
            warn(
                f"{side.source} has {number} documents without names: in the order of {other.source}, which has the same words"
            )
            return dict(zip(response.doc_ids, key.doc_ids, strict=True))
    by_place = {place: name for name in only_key if (place := (key.in_files or {}).get(name))}
    places = {name: place for name in only_response if (place := (response.in_files or {}).get(name)) in by_place}
    alias = {name: by_place[place] for name, place in places.items()}
    only_key = [name for name in only_key if name not in alias.values()]
    only_response = [name for name in only_response if name not in alias]
    stems = Counter(map(usual_name, (*only_key, *only_response)))
    of_stem = {stem: name for name in only_key if stems[stem := usual_name(name)] == 2}
    alias |= {name: of_stem[stem] for name in only_response if (stem := usual_name(name)) in of_stem}
    if not of_annotators and (alias or in_key & in_response):
        return alias
    return alias | _by_text(key, response, {*only_key, *only_response} - {*alias, *alias.values()})


def _by_text(key: Corpus, response: Corpus, documents: Collection[str]) -> dict[str, str]:
    """Names of the response -> the name of the document of the key that alone has the same text, white space aside."""
    if not documents:
        return {}
    of_key, of_response = _documents_by_text(key, documents), _documents_by_text(response, documents)
    names = {of_response[text]: name for text, name in of_key.items() if text in of_response}
    if names:
        pairs = listed([f"{shortened(name)} with {shortened(other)}" for other, name in list(names.items())[:2]])
        more = ", …" * (len(names) > 2)
        several = counted(len(names), "document")
        warn(f"paired {several} of {response.source} and {key.source} by their texts, as the names differ ({pairs}{more})")
    return names


def _documents_by_text(side: Corpus, documents: Collection[str]) -> dict[str, str]:
    """The text of each of the documents that no other of them has -> its name."""
    names: dict[str, list[str]] = {}
    for name, words in zip(side.doc_ids, side.text.words if side.text else (), strict=False):
        if name in documents:
            names.setdefault("".join("".join(words.tokens).split()), []).append(name)
    return {text: several[0] for text, several in names.items() if text and len(several) == 1}


def _warn_of_documents(side: Corpus, other: Corpus, lacking: tuple[str, ...], error: str) -> None:
    """Warn if the other side lacks documents of this side."""
    if lacking:
        remedy = {"missed": "; referee score --by document shows each", "spurious": f": {IGNORING} leaves them out"}[error]
        warn(
            f"{len(lacking)} of {len(side.doc_ids)} documents of {side.source} are not in {other.source}: {_listed(lacking)}; "
            f"their mentions count as {error}{remedy}"
        )


def _listed(names: tuple[str, ...], most: int = 60) -> str:
    shown = ", ".join(shortened(name, most) for name in names[:3])
    return shown + (", …" if len(names) > 3 else "")
