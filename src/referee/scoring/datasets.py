"""Datasets, as shared tasks have them: a dataset is a file of the key, or a folder in it, with the documents that it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee.basics.exceptions import MismatchError, OptionError, counted, one_line, shortened
from referee.matching.documents import IGNORING
from referee.matching.pair import Pair
from referee.metrics.scores import Scores
from referee.scoring.table_pair import compared_of


def datasets_of(scores: Scores, kind: str) -> dict[str, str]:
    """Return the dataset of each document that was scored.

    Parameters
    ----------
    scores
    kind
        "file" or "folder": the first folder in that of the key.

    Raises
    ------
    OptionError
        If the key was no folder of files, or has no folders in it.
    MismatchError
        If the response has documents in no file of the key.
    """
    pair = compared_of(scores)
    if scores.options.cross_document:
        raise OptionError(
            f"found --by {kind} with --cross-document, which joins documents of several files; expected one of them"
        )
    if not isinstance(pair, Pair) or pair.key.in_files is None:
        problem = f"--by {kind} is for a key that is a folder of files; found {one_line(getattr(scores, 'key_name', 'counts'))}"
        raise OptionError(f"{problem}: expected --by prefix, or --by FIELD with --metadata")
    sides = [side.in_files or {} for side in (pair.response, pair.key)]
    places = {name: place.file for in_files in sides for name, place in in_files.items()}
    datasets = {pair.key.in_files[name].file for name in pair.key.doc_ids if name in pair.key.in_files}
    if other := [name for name in scores.documents if places.get(name) not in datasets]:
        lacking = f"{counted(len(other), 'document')} of {pair.response.source}, first {shortened(other[0])!r}"
        raise MismatchError(f"found {lacking}, in no file of {pair.key.source}; expected {IGNORING}, which leaves such out")
    if kind == "folder":
        if not any("/" in file for file in datasets):
            raise OptionError(
                f"--by folder is for a key with folders in it; found none in {pair.key.source}: expected --by file"
            )
        places = {name: dataset.partition("/")[0] for name, dataset in places.items()}
    return {name: places[name] for name in scores.documents}


def datasets(scores: Iterable[Scores], kind: str) -> dict[str, str]:
    """Return the dataset of each document of several responses to one key."""
    return {name: dataset for s in scores for name, dataset in datasets_of(s, kind).items()}


def about_missing(systems: Mapping[str, Scores], kind: str) -> Iterator[str]:
    """Say which datasets each response lacks: they count as they are, as ones without mentions."""
    for system, scores in systems.items():
        pair, of_document = compared_of(scores), datasets_of(scores, kind)
        absent = set(pair.absent) if isinstance(pair, Pair) else set()
        present = {dataset for name, dataset in of_document.items() if name not in absent}
        if missing := [dataset for dataset in dict.fromkeys(of_document.values()) if dataset not in present]:
            names = ", ".join(map(shortened, missing[:3])) + ", …" * (len(missing) > 3)
            total = counted(len(set(of_document.values())), kind)
            yield f"{one_line(system)} lacks {len(missing)} of {total} of the key ({names}): all their mentions count as missed"
