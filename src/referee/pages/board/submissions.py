"""The submissions to a board: each is scored on its own, and one that cannot be scored is listed with the reason."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.basics import progress
from referee.basics.exceptions import OptionError, RefereeError, one_line
from referee.basics.system_names import names_of
from referee.comparison.comparing import Compared, score_all
from referee.corpus import Corpus
from referee.inputs.load import keep_prepared, load
from referee.scoring.by import DATASETS, By
from referee.scoring.datasets import datasets
from referee.scoring.score import parse_options, score_each
from referee.scoring.stored import StoredScores


class Submissions(NamedTuple):
    """Submissions to one task.

    Parameters
    ----------
    scored : mapping
        System -> its scores.
    rejected : mapping
        System -> why it has none.
    """

    scored: Mapping[str, Compared]
    rejected: Mapping[str, str]


def systems_of(paths: Sequence[str]) -> dict[str, str]:
    """Return responses, each a file or a folder, by names without endings; of one folder alone, what is in it.

    Raises
    ------
    OptionError
        If there is none.
    """
    if len(paths) == 1 and os.path.isdir(paths[0]):
        paths = _entries(paths[0])
    return dict(zip(names_of(paths), paths, strict=True))


def _entries(folder: str) -> list[str]:
    """The files and folders in a folder."""
    try:
        entries = sorted(entry for entry in os.listdir(folder) if not entry.startswith("."))
    except OSError as error:
        raise OptionError(f"{folder} cannot be listed: {(error.strerror or str(error)).lower()}") from None
    if not entries:
        raise OptionError(f"{folder} has no files; expected the response of each system")
    return [os.path.join(folder, entry) for entry in entries]


def submissions(key: object, responses: Mapping[str, Any], by: By = None, **options: Any) -> Submissions:  # noqa: ANN401
    """Score each response on its own.

    Parameters
    ----------
    key, responses
        The key, and the responses by the names of the systems.
    by
        A response whose documents have no dataset is rejected, too.
    **options
        What `score` accepts.

    Raises
    ------
    RefereeError
        If the key cannot be read, or no response can be scored.
    """
    if any(isinstance(response, StoredScores) for response in responses.values()):
        return Submissions(score_all(key, responses, **options), {})
    reading = {name: value for name, value in options.items() if name not in ("metrics", "threshold")}
    _, (of_key, _) = parse_options(**reading)
    loaded = load(key, of_key)
    keep_prepared(loaded)
    scored: dict[str, Compared] = {}
    rejected: dict[str, RefereeError] = {}
    for name, response in progress.tracked(list(responses.items()), "scoring"):
        try:
            (evaluation,) = score_each(loaded if isinstance(loaded, Corpus) else key, [(name, response)], **options)
            if by in DATASETS:
                datasets([evaluation], str(by))
        except RefereeError as error:
            rejected[name] = error
        else:
            scored[name] = evaluation
    if not scored:
        first = next(iter(rejected.values()))
        raise (
            first if len(rejected) == 1 else OptionError(f"no submission of {len(rejected)} can be scored, the first: {first}")
        )
    return Submissions(scored, {name: one_line(str(error)) for name, error in rejected.items()})


def without_words(message: str, names: Iterable[str]) -> str:
    """A message with … for what stands in quotes, but for some names: it may be words of the key.

    >>> without_words("document 'd1': found 'cat' as token 3; expected 'dog'", ["d1"])
    "document 'd1': found … as token 3; expected …"
    """
    quoted_names = {repr(name) for name in names}
    return re.sub(r"'[^']*'|\"[^\"]*\"", lambda quoted: quoted[0] if quoted[0] in quoted_names else "…", message)
