"""Files of merged annotation: `planned_merged`; and for a tool, with undecided mentions: `planned_for_tool`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from referee.basics.exceptions import FormatError, OptionError, counted, warn
from referee.corpus import Corpus
from referee.corpus.undecided import count_undecided
from referee.inputs.registry import load_format
from referee.inputs.writing import format_of, planned, written

TYPES = "entity types"
"""What of `FEATURES` a format must hold, so that undecided mentions are told from others."""


def planned_merged(
    corpus: Corpus, path: str, *, format: str | None = None, lossy: bool = True, sources: Iterable[Corpus] = ()
) -> Callable[[], None]:
    """Return what writes a merged corpus, when it is called: into the file of the first annotator, if it is of the format.

    So it keeps all that the file has besides entities. Where it cannot, there is a warning.
    """
    name = format or format_of(path, corpus)
    first = next((source for source in sources if source.text), None)
    if first is None or first.format != name or not load_format(name).rewriting or not os.path.isfile(first.source):
        return planned(corpus, path, format=format, lossy=lossy)
    try:
        return planned(corpus, path, format=format, lossy=lossy, like=first.source)
    except FormatError as error:
        words = counted(sum(len(of_document.tokens) for of_document in corpus.text.words) if corpus.text else 0, "word")
        warn(f"{path}: what {first.source} has besides entities and {words} is left out: {error}")
        return planned(corpus, path, format=format, lossy=lossy)


def planned_for_tool(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    lossy: bool = False,
    sources: Iterable[Corpus] = (),
) -> Callable[[], None]:
    """Return what writes a corpus for an annotation tool, when it is called; as `planned_merged`.

    Raises
    ------
    OptionError
        If there are undecided mentions, and the format cannot tell them from others.
    FormatError
        If the format cannot hold the corpus otherwise.
    """
    target = os.fspath(path)
    name = format or format_of(target, corpus)
    number = count_undecided(corpus)
    if number and TYPES not in load_format(name.partition(":")[0]).writable:
        problem = f"{target}: found {name}, which has no {TYPES} that tell {counted(number, 'undecided mention')} from others"
        raise OptionError(f"{problem}; {_remedy(corpus, os.path.splitext(target)[0])}")
    return planned_merged(corpus, target, format=format, lossy=lossy, sources=sources)


def _remedy(corpus: Corpus, stem: str) -> str:
    """Which formats hold undecided mentions, with an example; no format of records does."""
    others = [other for other in written() if {TYPES, *corpus.features} <= {*load_format(other).writable}]
    if not others:
        return "referee agree --by undecided lists them"
    example = "brat" if "brat" in others else others[0]
    folder = "/" * bool(load_format(example).document_ending)
    return f"expected {', '.join(others)}, such as {stem}{folder} --to {example}"
