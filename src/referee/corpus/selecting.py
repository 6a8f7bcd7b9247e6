"""Which documents of a corpus are meant: by their names, by patterns of names, or by a function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from referee.basics.exceptions import OptionError, UnknownDocumentError, shortened
from referee.corpus.views import Document


def usual_name(name: str) -> str:
    """The name without the part 0, which a CoNLL header without a part means.

    >>> usual_name("bc/cnn_0"), usual_name("bc/cnn_1")
    ('bc/cnn', 'bc/cnn_1')
    """
    return name.removesuffix("_0")


def fitting(pattern: str, names: Sequence[str]) -> list[int]:
    """The numbers of the documents that are called so, or whose names fit a pattern of the shell.

    A name goes before a pattern, so brackets in names need no care. `NAME` and `NAME_0` are one document, unless
    there are both.

    Raises
    ------
    UnknownDocumentError
        If there is none.

    Examples
    --------
    >>> fitting("news_*", ["news_1", "bio_1", "news_2"]), fitting("x", ["x_0", "x_1"])
    ([0, 2], [0])
    """
    usual = usual_name(pattern)
    numbers = (
        [n for n, name in enumerate(names) if name == pattern]
        or [n for n, name in enumerate(names) if usual_name(name) == usual]
        or [n for n, name in enumerate(names) if fnmatchcase(name, pattern) or fnmatchcase(usual_name(name), pattern)]
    )
    if not numbers:
        raise UnknownDocumentError("document", pattern, names, remedy=_remedy(pattern, names))
    return numbers


def _remedy(pattern: str, names: Sequence[str]) -> str:
    """What else may be meant: names that are near, else the first ones."""
    from difflib import get_close_matches  # a slow import

    parts = pattern.split(",")
    if len(parts) > 1 and all(part in names for part in parts):
        return f"give each by itself: {' '.join(f'--documents {shortened(part)}' for part in parts[:2])} ..."
    if near := get_close_matches(pattern.replace("*", ""), names, n=3, cutoff=0.5):
        return f"near names: {', '.join(map(shortened, near))}"
    return f"the first of {len(names)}: {', '.join(map(shortened, names[:3]))}"


def documents_meant(wanted: object, documents: Iterable[Document]) -> list[int]:
    """The numbers of some documents, in order: those of names, patterns or documents, or those of which a function says so.

    Raises
    ------
    UnknownDocumentError
        If a name or a pattern fits none.
    OptionError
        If it is anything else, or a document of another corpus.
    """
    each = list(documents)
    if callable(wanted):
        return [document.index for document in each if wanted(document)]
    several = [wanted] if isinstance(wanted, (str, Document)) else list(wanted) if isinstance(wanted, Iterable) else [wanted]
    names, numbers = [document.name for document in each], set()
    for one in several:
        if isinstance(one, str):
            numbers.update(fitting(one, names))
        elif isinstance(one, Document) and one in each:
            numbers.add(one.index)
        else:
            what = f"{one!r} of another corpus" if isinstance(one, Document) else shortened(repr(one))
            raise OptionError(f"found {what}; expected names or patterns, documents of this corpus, or a function")
    return sorted(numbers)


def in_signature(text: str) -> str:
    """A name or a value without the signs that part a signature: written as in addresses of the web.

    >>> in_signature("a b|c")
    'a%20b%7Cc'
    """
    return "".join(f"%{ord(sign):02X}" if sign in "|+,%=" or sign.isspace() else sign for sign in text)
