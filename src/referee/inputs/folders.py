"""Which files of a folder are read: those with the ending that most files of one format have.

A folder may be the checkout of a corpus, with code, licences and descriptions beside the annotation. These never decide, and
what is not read is said in a warning, with its number.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.inputs.detecting import ABOUT, OF_CODE, looks_like
from referee.inputs.registry import FORMATS, load_format

LOOKED_INTO = 8
"""Files of each ending that are looked into, at most, spread over all of them."""
OF_PROSE = frozenset((".md", ".rst"))
"""Endings of descriptions, which decide only where no other file looks like a format: answers may have them."""
CONFIGURED = frozenset((".yml", ".yaml"))
"""Endings of answers, but in folders mostly of settings."""


class FolderFiles(NamedTuple):
    """The files of a folder that are read.

    Parameters
    ----------
    format : str
        Their format, as it was named or as it was found.
    paths : mapping
        Path -> what a document in it without a name is called.
    others : mapping
        The name of a file that looks like annotation, and is not read -> what it looks like.
    unlike : tuple of str
        The names of files that look like no annotation.
    """

    format: str
    paths: dict[str, str]
    others: Mapping[str, str] = {}
    unlike: tuple[str, ...] = ()

    def warn_of_others(self, folder: str) -> None:
        """Warn of files that are not read, and do not belong to those that are."""
        warn_file(folder, "left out {} as no annotation ({names})", "file", Counter(self.unlike))
        kinds = ", ".join(sorted({*self.others.values()}))
        text = f"left out {{}} of another ending or format, {kinds} ({{names}}); read {self.format}: name another with --format"
        warn_file(folder, text, "file", Counter(self.others.keys()))


def list_files(folder: str, format: str | None, options: ReadOptions | None = None) -> FolderFiles:
    """Choose the files of a folder that are read, in a format that is named or is that of most files.

    Raises
    ------
    FormatError
        If no file looks like a format, and none is named.
    """
    if format in (None, "arrow") and not {"state.json", "dataset_dict.json"}.isdisjoint(os.listdir(folder)):
        from referee.tabular.formats.arrow import saved_files  # few folders need it

        saved: list[str] | None = saved_files(folder)
        if saved is not None:
            return FolderFiles("arrow", dict.fromkeys(saved, ""))
    from referee.formats.shared.lakes import check_folder  # a start reads no folder

    check_folder(folder)
    paths = list(_walk(folder))
    by_ending: dict[str, list[str]] = {}
    for path in paths:
        if not ABOUT.fullmatch(os.path.basename(path)):
            by_ending.setdefault(_ending(path), []).append(path)
    named = format.partition(":")[0] if format else None
    looks = {ending: _looks(of_ending, named, options) for ending, of_ending in by_ending.items()}
    votes = {
        (ending, name): count * len(by_ending[ending]) * (0.5 if load_format(name).is_like_prose else 1)
        for ending, names in looks.items()
        for name, count in names.items()
        if ending.lower() not in OF_CODE | CONFIGURED
    }
    likely = {vote: number for vote, number in votes.items() if vote[0].lower() not in OF_PROSE} or votes
    if likely:
        ending, name = max(likely, key=likely.__getitem__)
    elif named and paths:  # none looks like it, and the reader says why
        ending, name = _ending(next((path for of_ending in by_ending.values() for path in of_ending), paths[0])), named
    else:
        raise FormatError(folder, None, f"has no file that looks like any of the formats {', '.join(FORMATS)}")
    record = load_format(name)
    instead = record.instead or {}
    ending = next((other for other in instead.get(ending, ()) if other in by_ending), ending)
    read = by_ending.get(ending, paths)
    called = {path: os.path.relpath(path, folder).replace(os.sep, "/").removesuffix(".gz") for path in paths}
    others, unlike = ({}, ()) if record.is_project else _left_out(paths, read, called, looks, record)
    for endings in instead.values():  # each of these goes on from the same files
        unread = [other for other in endings if other != ending and ending in endings]
        others |= {called[path]: name for other in unread for path in by_ending.get(other, ())}
    return FolderFiles(format or name, {path: called[path].removesuffix(ending) for path in read}, others, unlike)


def _looks(paths: Sequence[str], named: str | None, options: ReadOptions | None) -> dict[str, float]:
    """The formats that files of one ending look like -> the part of them that does."""
    step = max(1, len(paths) // LOOKED_INTO)
    some = paths[::step][:LOOKED_INTO]
    counts = Counter(name for path in some if (name := looks_like(path, named, options)))
    return {name: count / len(some) for name, count in counts.items()}


def _left_out(
    paths: Sequence[str],
    read: Sequence[str],
    called: Mapping[str, str],
    looks: Mapping[str, Mapping[str, float]],
    record: Format,
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The files that look like annotation, with their formats, and the others; without those that belong to what is read."""
    paths_read, stems = {*read}, {_stem(path) for path in read}
    others: dict[str, str] = {}
    unlike = []
    for path in paths:
        is_other = ABOUT.fullmatch(os.path.basename(path)) or _ending(path).lower() in OF_PROSE | OF_CODE | CONFIGURED
        formats = {} if is_other else looks.get(_ending(path), {})
        likeliest = max(formats, key=formats.__getitem__, default=None)
        belongs = record.has_several_files or likeliest is None or load_format(likeliest).is_like_prose
        if path in paths_read or (belongs and _stem(path) in stems):
            continue
        if likeliest:
            others[called[path]] = likeliest
        else:
            unlike.append(called[path])
    return others, tuple(unlike)


def _stem(path: str) -> str:
    """The name of a file up to its first point: texts, tokens and pictures of a document have that of its annotation."""
    return os.path.basename(path).partition(".")[0]


def _walk(folder: str) -> Iterator[str]:
    """The files of a folder, in order, then those of the folders in it; what is neither is left out with a warning."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        problem = (error.strerror or str(error)).lower()
        raise FormatError(folder, None, f"cannot be read: {problem}; expected folders that can be") from None
    folders = []
    for entry in entries:
        if entry.name.startswith("."):
            pass
        elif entry.is_dir(follow_symlinks=False):
            folders.append(entry.path)
        elif entry.is_file(follow_symlinks=False) or os.path.isfile(entry.path) or not os.path.exists(entry.path):
            yield entry.path  # a link to nowhere, or to itself, is an error when it is read
        else:
            link = os.path.isdir(entry.path)
            why = "links to folders are not followed" if link else "pipes and devices are not read"
            warn_file(entry.path, f"left out {{}}: {why}", "link" if link else "entry", 1)
    for inner in folders:
        yield from _walk(inner)


def _ending(path: str) -> str:
    return os.path.splitext(path.removesuffix(".gz"))[1]
