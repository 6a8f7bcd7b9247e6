"""Files for an annotation tool: `planned_for_tool` says how a corpus with undecided mentions is written."""

from __future__ import annotations

import os
from collections.abc import Callable

from referee.basics.exceptions import OptionError, counted
from referee.corpus import Corpus
from referee.corpus.undecided import count_undecided
from referee.inputs.registry import load_format
from referee.inputs.writing import format_of, planned, written

TYPES = "entity types"
"""What of `FEATURES` a format must hold, so that undecided mentions are told from others."""


def planned_for_tool(
    corpus: Corpus, path: str | os.PathLike[str], *, format: str | None = None, lossy: bool = False
) -> Callable[[], None]:
    """Return what writes a corpus for an annotation tool, when it is called; as `planned`.

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
    return planned(corpus, target, format=format, lossy=lossy)


def _remedy(corpus: Corpus, stem: str) -> str:
    """Which formats hold undecided mentions, with an example; no format of records does."""
    others = [other for other in written() if {TYPES, *corpus.features} <= {*load_format(other).writable}]
    if not others:
        return "referee agree --by undecided lists them"
    example = "brat" if "brat" in others else others[0]
    folder = "/" * bool(load_format(example).document_ending)
    return f"expected {', '.join(others)}, such as {stem}{folder} --to {example}"
