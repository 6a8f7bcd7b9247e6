"""Errors, as one tree, and the words of messages. A message names the place, what was found, what was expected and the remedy.

::

    RefereeError
    ├── FormatError        a file is not what its format says (file:line: found, expected)
    │   ├── MissingFileError   a file does not exist; also a FileNotFoundError
    │   └── NoFormatError      the content of a file looks like none of the formats
    ├── MismatchError      key and response cannot be compared as they are
    ├── UnknownNameError   a name that is in no registry (metric, format, profile, ...)
    │   └── UnknownDocumentError   a name that no document of a corpus has; also a KeyError
    ├── OptionError        a value that an option cannot take
    ├── DownloadError      a test set is not on this machine, cannot be downloaded, or is not what it should be
    ├── MissingExtraError  an optional dependency is not installed
    └── EngineError        the engine for large tables failed, for no mistake of the user

    RefereeWarning        the score stands, but the user should know something about the input
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import NamedTuple, TextIO

USUAL, LONGEST = 300, 500
"""Characters of a message, beyond which long names in it are shortened, and beyond which its middle is left out."""

LONG_NAME = re.compile(r"'[^']{100,}'|\S{100,}")
"""What a file brings along in a message; all else is ours, and says what to do."""


class RefereeError(Exception):
    """Any mistake in the user's input; its message is one line, which the command prints before it exits with status 2."""

    __module__ = "referee"  # as it is imported

    def __str__(self) -> str:
        return one_line(super().__str__())


class FormatError(RefereeError):
    """A file is not what its format says.

    Examples
    --------
    >>> print(FormatError("dev.conll", 412, "entity 7 is closed but was never opened"))
    dev.conll:412: entity 7 is closed but was never opened
    """

    __module__ = "referee"  # as it is imported

    def __init__(self, source: str, line: int | None, problem: str) -> None:
        problem = one_line(problem)
        if len(problem) > USUAL:
            problem = LONG_NAME.sub(lambda found: f"{found[0][:40]} … {found[0][-40:]}", problem)
        if len(problem) > LONGEST:  # what was found goes first, what was expected last
            problem = f"{problem[: LONGEST // 2]} … {problem[-LONGEST // 2 :]}"
        super().__init__(f"{source}:{line}: {problem}" if line else f"{source}: {problem}")
        self.source = source
        self.line = line
        self.problem = problem

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str]]:
        return type(self), (self.source, self.line, self.problem)


class MissingFileError(FormatError, FileNotFoundError):
    """A file does not exist."""

    __module__ = "referee"  # as it is imported


class NoFormatError(FormatError):
    """The content of a file looks like none of the formats."""


class MismatchError(RefereeError):
    """Key and response cannot be compared as they are: other tokens, other kinds of mention, nothing in common."""

    __module__ = "referee"  # as it is imported


class OptionError(RefereeError, ValueError):
    """A value that an option cannot take."""

    __module__ = "referee"  # as it is imported


class UnknownNameError(RefereeError, ValueError):
    """A name that is not in the registry in which it was looked up.

    Examples
    --------
    >>> print(UnknownNameError("metric", "mucc", ["muc", "lea", "b_cubed"]))
    no metric named 'mucc'; did you mean muc?
    """

    __module__ = "referee"  # as it is imported

    def __init__(
        self, kind: str, name: object, known: Iterable[object], shown: Iterable[object] | None = None, remedy: str = ""
    ) -> None:
        """Look up `name` among `known`, aliases included; `shown` are those that the message lists, unless it has a remedy."""
        self.kind = kind
        self.name = name
        self.known = sorted(map(str, known))
        self.shown = self.known if shown is None else sorted(map(str, shown))
        self.remedy = remedy
        super().__init__(kind, name, self.known, self.shown, remedy)

    def __str__(self) -> str:
        named = f"no {self.kind} named {shortened(repr(self.name), 100)}"
        if self.remedy:
            return f"{named}; {self.remedy}"
        from difflib import get_close_matches  # a slow import, and a slow search where many names are known

        close = get_close_matches(self.name, self.known, n=1) if isinstance(self.name, str) else []
        listed = ", ".join(self.shown)
        hint = f"known: {shortened(listed, 300)}"
        if close:
            hint = f"did you mean {close[0]}?"
        elif len(listed) > 300 and self.kind in ("format", "metric"):
            hint = f"`referee {self.kind}s` lists the {len(self.shown)} that are known"
        return f"{named}; {hint}"


class UnknownDocumentError(UnknownNameError, KeyError):
    """A name that no document of a corpus has.

    Examples
    --------
    >>> print(UnknownDocumentError("document", "wsj_1", ["wsj_11", "cnn_2"]))
    no document named 'wsj_1'; did you mean wsj_11?
    """

    __str__ = UnknownNameError.__str__  # that of KeyError shows its argument in quotes


class MissingExtraError(RefereeError, ImportError):
    """An optional dependency is not installed.

    >>> print(MissingExtraError("shell completion", "completion"))
    shell completion needs an extra: pip install 'referee[completion]'
    """

    __module__ = "referee"  # as it is imported

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'referee[{extra}]'")
        self.what = what
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        return type(self), (self.what, self.extra)


class DownloadError(RefereeError):
    """A test set is not on this machine, cannot be downloaded, or is not what it should be."""


class EngineError(RefereeError):
    """The engine for large tables failed, or its numbers do not add up; the command exits with status 3."""


def check_name(kind: str, name: object, known: Collection[str]) -> None:
    """Raise UnknownNameError unless the name is one of the known ones."""
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError(kind, name, known)


class RefereeWarning(UserWarning):
    """The score stands, but the user should know something about the input. Errors of one kind in a file are one warning."""

    __module__ = "referee"  # as it is imported


class CallingLine(NamedTuple):
    """The line outside of this package that called it.

    Parameters
    ----------
    file, line, module : str, int, str
        Where it is.
    registry : dict
        The warnings that were given for this module, as Python keeps them.
    """

    file: str
    line: int
    module: str
    registry: dict[str | tuple[str, type[Warning], int], int]


CALLING = ContextVar[CallingLine | None]("calling", default=None)
"""The line that called, for threads, whose own stack does not have it."""


def calling_line() -> CallingLine:
    """The line that called this package, below which all is ours: what a warning shows."""
    if (known := CALLING.get()) is not None:
        return known
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 -- `inspect` is slow to import
    caller = frame
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        if name.partition(".")[0] == "referee":  # between our frames may be others, as of the standard library
            caller = frame.f_back or frame
        frame = frame.f_back
    assert caller is not None  # for the type: a call has a frame
    registry = caller.f_globals.setdefault("__warningregistry__", {})
    return CallingLine(caller.f_code.co_filename, caller.f_lineno, str(caller.f_globals.get("__name__")), registry)


COLLECTED = ContextVar[list[str] | None]("collected", default=None)
"""Where warnings are kept, too, for the result that they are about."""


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Keep the warnings of a block, also those of threads that it starts in its context."""
    messages: list[str] = []
    token = COLLECTED.set(messages)
    try:
        yield messages
    finally:
        COLLECTED.reset(token)


def warn(message: str) -> None:
    """Give a `RefereeWarning`, which shows the line that called this package."""
    if (messages := COLLECTED.get()) is not None:
        messages.append(message)
    file, line, module, registry = calling_line()
    warnings.warn_explicit(RefereeWarning(message), None, file, line, module, registry)


def terminal_width(out: TextIO) -> int:
    """The width of a terminal in characters, at least 20; 80 where it states none, and where there is no terminal."""
    try:
        width = int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(out.fileno()).columns
    except (OSError, ValueError, AttributeError):  # a browser has no terminals at all
        width = 0
    return max(width, 20) if width > 0 else 80


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "document"), counted(2, "document"), counted(0, "entity")
    ('1 document', '2 documents', '0 entities')
    """
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun}"


def listed(things: Sequence[str]) -> str:
    """Things in a sentence.

    >>> listed(["heads"]), listed(["heads", "types", "words"])
    ('heads', 'heads, types and words')
    """
    *most, last = things
    return f"{', '.join(most)} and {last}" if most else last


SOME = 3
"""Names of many that a message shows."""


def some(names: Sequence[object]) -> str:
    """The first of many names.

    >>> some(["r1", "r2"]), some(range(100))
    ('r1, r2', '0, 1, 2, …')
    """
    return ", ".join(shortened(one_line(name)) for name in names[:SOME]) + ", …" * (len(names) > SOME)


def shortened(text: str, length: int = 40) -> str:
    """The beginning of a text, for messages.

    >>> shortened("abcdef", 3)
    'abc…'
    """
    return text if len(text) <= length else text[:length] + "…"


def one_line(text: object) -> str:
    r"""The text without the line breaks and control characters that a file name, a document name or a token may bring along.

    >>> print(one_line("two\nlines"))
    two\nlines
    """
    line = str(text)
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


LINE = 40
"""Characters of a name, or of several, in the line that a session shows."""


def brief(name: str, length: int = LINE) -> str:
    """A name in a line; of a long one the end, which tells paths apart.

    >>> brief("runs/2026-05/response.conll", 20), brief("response.conll")
    ('…/response.conll', 'response.conll')
    """
    line = one_line(name)
    if len(line) <= length:
        return line
    end = line[1 - length :]
    return "…" + end[max(0, end.find("/")) :]


def brief_names(names: Sequence[str]) -> str:
    """Several names in a line: the first ones, and how many more there are.

    >>> brief_names(["ann", "bob", "eve"]), brief_names([f"annotator {n}" for n in range(9)])
    ('ann, bob, eve', 'annotator 0, annotator 1, annotator 2 and 6 more')
    """
    first = [brief(name, LINE if len(names) == 1 else LINE // 2 - 1) for name in names[:9]]
    while len(first) > 1 and len(", ".join(first)) > LINE - 1:
        first.pop()
    more = len(names) - len(first)
    return ", ".join(first) + (f" and {more} more" if more else "")
