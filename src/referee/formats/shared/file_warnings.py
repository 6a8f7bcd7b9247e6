"""What readers leave out or change: one warning for each kind of it, with a count, for a file and for a whole folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from referee.basics.exceptions import counted, one_line, shortened, warn

NAMED = 5
"""Names that a warning lists, at most: those that are most often."""

Kind: TypeAlias = tuple[str, str]
"""The text of a warning and its noun."""

Place: TypeAlias = tuple[str, Counter[str]]
"""A place, and how often something was found there, by its name."""


def warn_file(source: str, text: str, noun: str, counts: int | Mapping[str, int], line: int | None = None) -> None:
    """Warn of what was left out of a file, or changed; nothing if there is nothing.

    Parameters
    ----------
    source : str
        The file.
    text : str
        What was done, with `{}` for the number and its noun, and `{names}` for the names if there are any. Files of a
        folder get one warning if they have the same text, so nothing of a single file belongs into it.
    noun : str
        What was found, in the singular.
    counts : int or mapping
        How often, or names with how often each.
    line : int or None
        Where the first is.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_file("a.xml", "left out {} other than coreference ({names})", "relation", {"TLINK": 2, "CLINK": 1})
    ...     with gather_warnings("folder"):
    ...         warn_file("folder/a.txt", "left out {}", "word", 1, 7)
    ...         warn_file("folder/b.txt", "left out {}", "word", 4, 2)
    >>> for warning in caught:
    ...     print(warning.message)
    a.xml: left out 3 relations other than coreference (TLINK, CLINK)
    folder: left out 5 words (in 2 files, the first folder/a.txt:7)
    """
    names = Counter(counts) if isinstance(counts, Mapping) else Counter({"": counts})
    if not names.total():
        return
    place = f"{source}:{line}" if line else source
    gathered = _gathered.get()
    if gathered is None:
        warn(f"{place}: {_text_of((text, noun), names)}")
    else:
        gathered.setdefault((text, noun), []).append((place, names))


@contextmanager
def gather_warnings(folder: str) -> Iterator[None]:
    """Say what is left out of the files that are read in this context as one warning for each kind, at its end."""
    if _gathered.get() is not None:  # of a folder in a folder
        yield
        return
    gathered: dict[Kind, list[Place]] = {}
    before = _gathered.set(gathered)
    try:
        yield
    finally:
        _gathered.reset(before)
        for kind, places in gathered.items():
            names: Counter[str] = Counter()
            for _, of_file in places:
                names.update(of_file)
            first = places[0][0]
            if len(places) == 1:
                warn(f"{first}: {_text_of(kind, names)}")
            else:
                warn(f"{folder}: {_text_of(kind, names)} (in {len(places):,} files, the first {first})")


@contextmanager
def ignore_warnings() -> Iterator[None]:
    """Say nothing of what is left out in this context."""
    before = _gathered.set({})
    try:
        yield
    finally:
        _gathered.reset(before)


def _text_of(kind: Kind, names: Counter[str]) -> str:
    text, noun = kind
    most = [one_line(shortened(name, 100)) for name, _ in names.most_common(NAMED)]
    more = ", …" * (len(names) > NAMED)
    return text.format(counted(names.total(), noun), names=", ".join(most) + more)


_gathered: ContextVar[dict[Kind, list[Place]] | None] = ContextVar("gathered", default=None)
