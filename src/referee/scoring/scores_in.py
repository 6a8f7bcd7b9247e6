"""What stands for scores: a counts file, or a `Scorer`."""

from __future__ import annotations

import os

from referee.inputs.paths import is_counts_file
from referee.scoring.stored import scores_of_scorer


def scores_in(value: object) -> object:
    """Return the scores of a counts file, or of a `Scorer`, in its place; any other value as it is."""
    if isinstance(value, (str, os.PathLike)) and is_counts_file(value):
        from referee.scoring.counts_file import read_counts  # few values are counts files

        return read_counts(os.fspath(value))
    return scores_of_scorer(value)
