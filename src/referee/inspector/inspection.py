"""`inspect`: from a key and responses to an `Inspection`, a page in one file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from referee.exceptions import OptionError, counted
from referee.files import output
from referee.formats.load.anything import read_corpus
from referee.inspector.page import page
from referee.inspector.reasons import Reasons, read_reasons
from referee.metrics.registry import ALL, Chosen
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.option_types import ScoreOptions

LARGEST_FRAME = 8 << 20
"""Characters of the largest page that is put into a notebook."""


@dataclass(frozen=True)
class Inspection:
    """One response, or several, beside a key.

    Parameters
    ----------
    evaluations : tuple of Evaluation
        One for each response, all against the same key.
    reasons : mapping or None
        Why the mentions of the first response are where they are.

    Examples
    --------
    >>> from referee import inspect
    >>> inspect([{"a", "b"}, {"c"}], [{"a"}, {"b", "c"}]).html().startswith("<!doctype html>")
    True
    """

    evaluations: tuple[Evaluation, ...]
    reasons: Reasons | None = None

    def html(self) -> str:
        """Make the page: one file that needs no other file and no network."""
        return page(self.evaluations, self.reasons)

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
        path : path
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
    key: object,
    response: object,
    *others: object,
    metrics: Chosen = ALL,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    names: Sequence[str] | None = None,
    explain: str | os.PathLike[str] | None = None,
    **options: Unpack[ScoreOptions],
) -> Inspection:
    """Show a key and a response side by side.

    Other arguments, errors and warnings are those of `referee.score`.

    Parameters
    ----------
    *others : path, Corpus or plain value
        Further responses to the same key. The page shows what each one fixes of the first and what it breaks.
    metrics : str, iterable, mapping or None
        As in `referee.score`; but all metrics that the key calls for unless you name some.
    names : sequence of str or None
        What the page calls the responses; None for the names of their files.
    explain : path or None
        What ``referee resolve --explain`` wrote with the first response: the page shows the reason of each mention.

    Raises
    ------
    OptionError
        If there are not as many names as responses.

    Examples
    --------
    >>> page = inspect([["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]])
    >>> page.evaluations[0]["muc"].recall
    0.5
    """
    corpus = read_corpus(key, key_format)
    responses = [response, *others]
    if names is not None and len(names) != len(responses):
        found = f"{counted(len(names), 'name')} for {counted(len(responses), 'response')}"
        raise OptionError(f"found {found}; expected one for each")
    called: Sequence[str | None] = names or [None] * len(responses)
    return Inspection(
        tuple(
            score(corpus, one, metrics=metrics, profile=profile, response_format=response_format, name=name, **options)
            for one, name in zip(responses, called, strict=True)
        ),
        None if explain is None else read_reasons(explain),
    )
