"""Which files are compared on which corpora: from the command line, or a TOML file.

::

    baseline = "mild"                # the first, if it is left out

    [corpora.litbank]
    key = "litbank.key.conll"        # beside the TOML file
    responses = {mild = "litbank.mild.conll", severe = "litbank.severe.conll"}
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError, OptionError, counted, shortened
from referee.basics.options.options import names_given
from referee.basics.system_names import name_of
from referee.basics.toml import read_toml


class SystemFiles(NamedTuple):
    """The file of a key, and that of each system's response."""

    key: str
    responses: Mapping[str, str]


def corpora_of(texts: Sequence[str], names: str | None = None) -> dict[str, SystemFiles]:
    """Read corpora that are given as NAME=KEY,RESPONSE,...

    Parameters
    ----------
    texts
        One a corpus.
    names
        The names of the systems, with commas between them; None for those of their files if they are the same in all corpora,
        else "system 1", "system 2", ...

    Raises
    ------
    OptionError
        If a text has another form, or another number of responses than the first.
    """
    rows_by_corpus: dict[str, list[str]] = {}
    for text in texts:
        name, equals, files = text.partition("=")
        key, *responses = files.split(",")
        if not (name and equals and key and responses and all(responses)):
            raise OptionError(f"--corpus takes NAME=KEY,RESPONSE,...; found {shortened(text, 100)!r}")
        if name in rows_by_corpus:
            raise OptionError(f"found corpus {shortened(name)!r} twice; expected different names")
        rows_by_corpus[name] = [key, *responses]
        first = next(iter(rows_by_corpus.values()))[1:]
        if len(responses) != len(first):
            expected = counted(len(first), "response")
            raise OptionError(f"corpus {shortened(name)!r} has {len(responses)}; expected {expected}, one a system")
    if names is None:
        alike = {tuple(map(name_of, responses)) for _, *responses in rows_by_corpus.values()}
        called = list(alike.pop()) if len(alike) == 1 else []
        systems = called if len(set(called)) == len(called) > 0 else [f"system {n}" for n in range(1, len(first) + 1)]
    else:
        systems = names_given(names, len(first))
    return {name: SystemFiles(key, dict(zip(systems, files, strict=True))) for name, (key, *files) in rows_by_corpus.items()}


def read_corpora(path: str) -> tuple[dict[str, SystemFiles], str | None]:
    """Read the corpora of a TOML file, and its baseline if it names one. Its paths are relative to its folder.

    Raises
    ------
    FormatError
        With the place.
    """
    table = read_toml(path)
    unknown = set(table) - {"baseline", "corpora"}
    if unknown:
        raise FormatError(path, None, f"found {min(unknown)!r}; expected baseline and corpora")
    tables = _table(path, "corpora", table.get("corpora"))
    corpora = {name: _corpus(path, f"corpora.{name}", fields) for name, fields in tables.items()}
    systems = next(iter(corpora.values())).responses
    for name, files in corpora.items():
        if set(files.responses) != set(systems):
            systems_here, expected = ", ".join(files.responses), ", ".join(systems)
            raise FormatError(path, None, f"corpora.{name}.responses: found {systems_here}; expected {expected}, as before")
    baseline = table.get("baseline")
    if baseline is not None and not isinstance(baseline, str):
        raise FormatError(path, None, f"baseline: found {shortened(repr(baseline))}; expected the name of a system")
    return corpora, baseline


def _corpus(path: str, place: str, value: object) -> SystemFiles:
    """The files of a corpus."""
    corpus = _table(path, place, value)
    if set(corpus) != {"key", "responses"}:
        raise FormatError(path, None, f"{place}: found {', '.join(corpus) or 'nothing'}; expected key and responses")
    responses = _table(path, f"{place}.responses", corpus["responses"])
    key = _file(path, f"{place}.key", corpus["key"])
    return SystemFiles(key, {system: _file(path, f"{place}.responses.{system}", file) for system, file in responses.items()})


def _file(path: str, place: str, file: object) -> str:
    """The path of a file that the TOML file names, relative to its folder; - is standard input."""
    if not isinstance(file, str) or not file:
        raise FormatError(path, None, f"{place}: found {shortened(repr(file))}; expected the name of a file")
    return file if file == "-" else os.path.join(os.path.dirname(path), file)


def _table(path: str, place: str, value: object) -> dict[str, object]:
    if not isinstance(value, dict) or not value:
        text = "nothing" if not value else shortened(repr(value))
        raise FormatError(path, None, f"{place}: found {text}; expected a table with at least one entry")
    return value
