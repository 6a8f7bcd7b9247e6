"""Files of a folder that cannot be read, left out with their documents: `--skip-bad-files`.

A file is left out if `referee validate` finds an error in it. Its documents are left out on the other side, too: otherwise
their mentions would be missed, or spurious. On the other side they are

* the documents of the file with the same name in the folder;
* the documents that are called like the file: ``x``, ``x#2``, ``x_0``;
* the documents whose names can still be read in the file.

A document that the side with the bad file has in another file is none of these. If nothing tells which documents were in a
file, and the other side has some that are nowhere else, nothing is scored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from referee.basics.exceptions import FormatError, MismatchError, OptionError, counted, one_line, shortened, warn
from referee.basics.options.choices import ANSWERS
from referee.corpus import Corpus
from referee.corpus.selecting import usual_name
from referee.corpus.skipped import SkippedFiles, UnreadFile

OPTION = "--skip-bad-files (skip_bad_files=True)"

NAMED = 3
"""Documents that a message names, at most."""


def with_remedy(error: FormatError, files: int) -> FormatError:
    """The error of one of so many files of a folder, with the option that leaves the file out."""
    if files < 2:
        return error
    return type(error)(error.source, error.line, f"{error.problem}: mend the file, or leave out such files with {OPTION}")


def check_folders(*values: object) -> None:
    """Raise OptionError if there is no folder whose files could be left out."""
    paths = [str(value) for value in values if isinstance(value, (str, os.PathLike))]
    if not any(getattr(value, "skipped", None) for value in values) and not any(map(os.path.isdir, paths)):
        shown = ", ".join(one_line(shortened(path, 100)) for path in paths)
        raise OptionError(f"{OPTION} is for folders; found {shown or 'values of Python'}: expected a folder, or no such option")


def without_files(corpus: Corpus, unread: Sequence[tuple[UnreadFile, FormatError]], files: int) -> Corpus:
    """Note what was left out of a folder, and warn of it.

    Parameters
    ----------
    corpus : Corpus
        The documents of the other files.
    unread : sequence of pairs
        The files that were left out, and why.
    files : int
        How many files the folder has.
    """
    if unread:
        what = f"left out {len(unread)} of {files} files that cannot be read"
        warn(f"{corpus.source}: {what}, the first {unread[0][1]}")
    return replace(corpus, skipped=SkippedFiles(tuple(file for file, _ in unread)))


def none_left(folder: str, files: int, error: FormatError) -> FormatError:
    """The error if no file of a folder can be read."""
    return FormatError(folder, None, f"has no file that can be read, of {files}; the first: {error}")


def settled(key: Corpus, responses: Sequence[Corpus]) -> tuple[Corpus, list[Corpus]]:
    """Leave out the documents of files that cannot be read on every side, so that all are scored on the same ones.

    Parameters
    ----------
    key : Corpus
    responses : sequence of Corpus
        All that are compared.

    Raises
    ------
    MismatchError
        If it cannot be told which documents were in a file, or none is left.
    OptionError
        If documents must be left out of the answer of a language model.

    Warns
    -----
    RefereeWarning
        Of the documents that are left out.
    """
    sides = [key, *responses]
    if not any(side.skipped and (side.skipped.files or side.skipped.left_out) for side in sides):
        return key, list(responses)
    gone: dict[str, tuple[str, str]] = {}  # documents that are left out: the name of their file, and its folder
    for side in sides:
        for other in sides:
            if other is not side:
                gone |= {name: (file, side.source) for name, file in _lacking(side, other).items()}
    for response in responses:
        for side, other in ((key, response), (response, key)):
            _check_known(side, other, gone)
    first, *others = [_without(side, gone) for side in sides]
    if not first.doc_ids:
        raise MismatchError(
            f"{key.source} has no document left: all are in files that cannot be read, of one side or the other"
        )
    return first, others


def skipped_said(sides: Iterable[Corpus]) -> dict[str, str]:
    """What a signature says of it: how many files were left out, and how many documents with them on the other side."""
    skipped = [side.skipped for side in sides if side.skipped]
    counts = {
        "skipped-files": sum(len(side.files) for side in skipped),
        "skipped-documents": len({name for side in skipped for name in side.left_out}),
    }
    return {name: str(number) for name, number in counts.items() if number}


def _lacking(side: Corpus, other: Corpus) -> dict[str, str]:
    """The documents of another side that this one has in a file that cannot be read, and this file; as `usual_name` names."""
    if not side.skipped or not side.skipped.files:
        return {}
    names_here = set(map(usual_name, side.doc_ids))
    names = [name for name in other.doc_ids if usual_name(name) not in names_here]
    return {usual_name(name): file.name for file in side.skipped.files for name in names if _is_of(name, file, other, names)}


def _is_of(name: str, file: UnreadFile, other: Corpus, names: Sequence[str]) -> bool:
    """Whether a document of another side is one of those of a file."""
    if usual_name(name) in map(usual_name, file.documents):
        return True
    if (place := (other.in_files or {}).get(name)) is not None:
        return place.file == file.name
    number = re.fullmatch(r"(#|_)\d{1,9}", name.removeprefix(file.name)) if name.startswith(file.name) else None
    # `x_1` may be another text than `x`, unless there is the part `x_0`, too.
    return name == file.name or (number is not None and (number[1] == "#" or f"{file.name}_0" in names))


def _check_known(side: Corpus, other: Corpus, gone: dict[str, tuple[str, str]]) -> None:
    """Raise MismatchError if the other side has more documents, and a file that cannot be read may have had some of them."""
    more = [name for name in other.doc_ids if usual_name(name) not in {*map(usual_name, side.doc_ids), *gone}]
    files_known = {file for file, folder in gone.values() if folder == side.source}
    files_known |= set(other.skipped.left_out.values() if other.skipped else ())
    unknown = [file.name for file in (side.skipped.files if side.skipped else ()) if file.name not in files_known]
    if more and unknown:
        problem = f"cannot tell which documents of {other.source} are in {side.source}, file {shortened(unknown[0], 100)}"
        remedy = "call one like the file, or mend it, or take its documents out of both sides"
        raise MismatchError(f"{problem}, which cannot be read: found {_listed(more)}, which are nowhere else; {remedy}")


def _without(side: Corpus, gone: dict[str, tuple[str, str]]) -> Corpus:
    """A side without these documents."""
    numbers = [n for n, name in enumerate(side.doc_ids) if usual_name(name) not in gone]
    skipped = side.skipped or SkippedFiles()
    left_out = {**skipped.left_out, **{name: file for name, (file, _) in gone.items()}}
    if len(numbers) == len(side.doc_ids):
        return replace(side, skipped=replace(skipped, left_out=left_out))
    names = [name for name in side.doc_ids if usual_name(name) in gone]
    folders = ", ".join(dict.fromkeys(gone[usual_name(name)][1] for name in names))
    what = f"{counted(len(names), 'document')} of {side.source} in files of {folders} that cannot be read: {_listed(names)}"
    if side.format in ANSWERS:
        raise OptionError(f"found {what}; expected no answer of a language model, of which no document can be left out")
    warn(f"left out {what}")
    rest = side.select_documents(np.array(numbers, dtype=np.int64))
    return replace(rest, skipped=replace(skipped, left_out=left_out))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(shortened(name, 60) for name in names[:NAMED]) + ", …" * (len(names) > NAMED)
