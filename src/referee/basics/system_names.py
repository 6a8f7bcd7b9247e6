"""What systems are called if nobody names them: by the names of their files, the same in every report.

The name of a file is given without the endings of its format and compression: ``gum.mild.conll.gz`` is ``gum.mild``. Where two
are equal, as much of their paths is added as tells them apart: ``p1/out`` and ``p2/out``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from referee.basics.exceptions import OptionError, shortened

ENDING = re.compile(r"(?<=.)\.[A-Za-z]\w*$")
"""Of a format. What begins with a digit belongs to the name: ``gpt-4.1``."""


def name_of(path: str) -> str:
    """Return what the system with this file, or folder, is called.

    >>> name_of("runs/gum.mild.conll.gz"), name_of("gpt-4.1"), name_of("-")
    ('gum.mild', 'gpt-4.1', 'stdin')
    """
    return _parts(path)[-1]


def names_of(paths: Sequence[str]) -> list[str]:
    """Return what the systems with these files are called.

    Raises
    ------
    OptionError
        If two files are the same.

    Examples
    --------
    >>> names_of(["p1/out.conll", "p2/out.conll.gz", "last.conll"])
    ['p1/out', 'p2/out', 'last']
    >>> names_of(["out.conll", "out.csv"])
    ['out.conll', 'out.csv']
    """
    parts = list(map(_parts, paths))
    alike: dict[str, list[int]] = {}
    for place, path_parts in enumerate(parts):
        alike.setdefault(path_parts[-1], []).append(place)
    names = [""] * len(paths)
    for places in alike.values():
        ends = _told_apart([parts[place] for place in places]) or _told_apart([_folders(paths[place]) for place in places])
        if ends is None:
            raise OptionError(f"found {shortened(paths[places[0]], 100)!r} twice; expected different files, or --names")
        for place, name in zip(places, ends, strict=True):
            names[place] = name
    return names


def system_meant(text: str, systems: Mapping[str, str]) -> str:
    """Return the name of the system that a text means: a name, or the file of a system, with or without its folders.

    Parameters
    ----------
    given
        The text, which is returned if it means no system, or several.
    systems
        Name -> path.

    Examples
    --------
    >>> system_meant("b.conll", {"a": "runs/a.conll", "b": "runs/b.conll"})
    'b'
    """
    if text in systems:
        return text
    wanted = os.path.normpath(text)
    for spelling in (os.path.normpath, os.path.basename, name_of):
        fitting = [name for name, path in systems.items() if spelling(path) == wanted]
        if len(fitting) == 1:
            return fitting[0]
    return text


def _told_apart(paths: Sequence[Sequence[str]]) -> list[str] | None:
    """The ends of paths, as long as it takes to tell them apart; None if they are equal."""
    for length in range(1, max(map(len, paths)) + 1):
        names = ["/".join(path[-length:]) for path in paths]
        if len(set(names)) == len(names):
            return names
    return None


def _folders(path: str) -> list[str]:
    """The folders of a path, and its last name."""
    return [part or "/" for part in os.path.normpath(path).split(os.sep)]


def _parts(path: str) -> list[str]:
    """The same without the endings of a file."""
    if path == "-":
        return ["stdin"]
    *folders, last = _folders(path)
    return [*folders, last if os.path.isdir(path) else ENDING.sub("", last.removesuffix(".gz"))]
