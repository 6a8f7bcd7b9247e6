"""`inspect`: from a key and one or two responses to an `Inspection`, a page in one file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from typing import Any

from referee.files import output
from referee.formats.load.anything import read_corpus
from referee.inspector.page import page
from referee.metrics.registry import ALL, Chosen
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score

LARGEST_FRAME = 8 << 20
"""Characters of the largest page that is put into a notebook."""


@dataclass(frozen=True)
class Inspection:
    """One response, or two, beside a key.

    Parameters
    ----------
    evaluations
        One for each response, all against the same key.

    Examples
    --------
    >>> from referee import inspect
    >>> inspect([{"a", "b"}, {"c"}], [{"a"}, {"b", "c"}]).html().startswith("<!doctype html>")
    True
    """

    evaluations: tuple[Evaluation, ...]

    def html(self) -> str:
        """Make the page: one file that needs no other file and no network."""
        return page(self.evaluations)

    def _repr_html_(self) -> str:
        """The page in a frame, as a notebook shows it; the scores alone where it would make the notebook too large."""
        html = self.html()
        if len(html) <= LARGEST_FRAME:
            style = "width: 100%; height: 44rem; border: 0"
            return f'<iframe srcdoc="{escape(html)}" sandbox="allow-scripts" style="{style}"></iframe>'
        scores = "".join(evaluation._repr_html_() for evaluation in self.evaluations)
        remedy = "<code>save(path)</code> it and open it in a browser"
        return f"{scores}<p>The page is too large for a notebook ({len(html) >> 20} MB): {remedy}.</p>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page.

        Parameters
        ----------
        path
            `-` is standard output. A file appears under its name only when it is complete.

        Raises
        ------
        OptionError
            If the file cannot be written.
        """
        html = self.html()
        with output(os.fspath(path)) as out:
            out.write(html)


def inspect(
    key: Any,
    response: Any,
    second: Any = None,
    *,
    metrics: Chosen = ALL,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    **options: Any,
) -> Inspection:
    """Show a key and a response side by side.

    Arguments and errors are those of `referee.score`, but for `second`.

    Parameters
    ----------
    second
        Another response to the same key. The page shows what it fixes and what it breaks.

    Examples
    --------
    >>> page = inspect([["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]])
    >>> page.evaluations[0]["muc"].recall
    0.5
    """
    corpus = read_corpus(key, key_format)
    how: dict[str, Any] = {"metrics": metrics, "profile": profile, "response_format": response_format, **options}
    responses = [response] if second is None else [response, second]
    return Inspection(tuple(score(corpus, one, **how) for one in responses))
