"""What can go wrong, as one tree. A message names the place, what was found, what was expected and the remedy.

::

    MarkableError
    ├── FormatError        a file is not what its format says (file:line: found, expected)
    ├── MismatchError      key and response cannot be compared as they are
    ├── UnknownNameError   a name that is in none of our registries (metric, format, profile, ...)
    ├── OptionError        a value that an option cannot take
    └── MissingExtraError  an optional dependency is not installed

    MarkableWarning        the score stands, but something about the input should be known
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence

LONGEST = 300
"""Characters of a message, beyond which its middle is left out: a file may bring along names of any length."""


class MarkableError(Exception):
    """Any trouble with the user's input; the command prints it in one line and exits with status 2."""


class FormatError(MarkableError):
    """A file is not what its format says.

    >>> print(FormatError("dev.conll", 412, "entity 7 is closed but was never opened"))
    dev.conll:412: entity 7 is closed but was never opened
    """

    def __init__(self, source: str, line: int | None, problem: str) -> None:
        problem = one_line(problem)
        if len(problem) > LONGEST:  # what was found goes first, what was expected last
            problem = f"{problem[: LONGEST // 2]} … {problem[-LONGEST // 2 :]}"
        super().__init__(f"{source}:{line}: {problem}" if line else f"{source}: {problem}")
        self.source = source
        self.line = line
        self.problem = problem


class MismatchError(MarkableError):
    """Key and response cannot be compared as they are: other tokens, other kinds of mention, nothing in common."""


class OptionError(MarkableError, ValueError):
    """A value that an option cannot take."""


class UnknownNameError(MarkableError, ValueError):
    """A name that is not in the registry it was looked up in.

    >>> print(UnknownNameError("metric", "mucc", ["muc", "lea", "b_cubed"]))
    no metric named 'mucc'; did you mean muc? known: b_cubed, lea, muc
    """

    def __init__(self, kind: str, name: object, known: Iterable[object]) -> None:
        from difflib import get_close_matches  # a slow import, of use only here

        known = sorted(map(str, known))
        close = get_close_matches(name, known, n=1) if isinstance(name, str) else []
        hint = f" did you mean {close[0]}?" if close else ""
        super().__init__(f"no {kind} named {shortened(repr(name), 100)};{hint} known: {', '.join(known)}")
        self.kind = kind
        self.name = name


class MissingExtraError(MarkableError, ImportError):
    """An optional dependency is not installed.

    >>> print(MissingExtraError("shell completion", "completion"))
    shell completion needs an extra: pip install 'markable[completion]'
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'markable[{extra}]'")


def check_name(kind: str, name: object, known: Collection[str]) -> None:
    """UnknownNameError if it is none of the known names, whatever it is."""
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError(kind, name, known)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "document"), counted(2, "document")
    ('1 document', '2 documents')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class MarkableWarning(UserWarning):
    """The score stands, but something about the input should be known. One a trouble and file, with a count."""


def listed(things: Sequence[str]) -> str:
    """Things in a sentence.

    >>> listed(["heads"]), listed(["heads", "types", "words"])
    ('heads', 'heads, types and words')
    """
    *most, last = things
    return f"{', '.join(most)} and {last}" if most else last


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
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def warn(message: str) -> None:
    """Give a `MarkableWarning`."""
    warnings.warn(MarkableWarning(message), stacklevel=3)
