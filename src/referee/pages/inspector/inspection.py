"""`inspect`: from a key and responses to an `Inspection`, a page in one file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from referee.basics.exceptions import OptionError, brief_names, collected_warnings, counted, shortened
from referee.basics.files import check_ending, output
from referee.basics.names import AttributeHints, check_call
from referee.basics.options.reading import READ_OPTIONS, ReadOptions
from referee.basics.options.types import PairOptions
from referee.comparison.comparing import named
from referee.corpus import Corpus
from referee.formats.shared.skipping import check_folders
from referee.inputs.load import allows_skipping, check_once, corpus_of, load_all, load_both, read_corpus
from referee.matching.selecting import selected_alone
from referee.metrics.registry import ALL, RECORDS, MetricsArg, panel
from referee.pages.inspector.annotators import Annotators
from referee.pages.inspector.correctable import correctable
from referee.pages.inspector.packing import Record
from referee.pages.inspector.page import page_alone, page_of
from referee.pages.inspector.reasons import Reasons, read_reasons
from referee.pages.inspector.record_table import Records, records_of
from referee.pages.inspector.response import ScoredResponse
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score

if TYPE_CHECKING:
    from typing_extensions import Unpack

LARGEST_FRAME = 8 << 20
"""Characters of the largest page that is put into a notebook."""


@dataclass(frozen=True)
class Inspection(AttributeHints):
    """One response, or several, beside a key; or one annotation.

    Parameters
    ----------
    evaluations : tuple of Evaluation
        One for each response, all against the same key; none for one annotation.
    reasons : mapping or None
        Why the mentions of the first response, or of the one annotation, are where they are.
    annotation : Corpus or None
        The one annotation, where there is no response.
    records : Records or None
        What is known of records.
    annotators : Annotators or None
        Who made the key and each response, if all are annotators and none of them is the key.

    Examples
    --------
    >>> from referee import inspect
    >>> inspect([{"a", "b"}, {"c"}], [{"a"}, {"b", "c"}]).html().startswith("<!doctype html>")
    True
    """

    evaluations: tuple[Evaluation, ...]
    reasons: Reasons | None = None
    annotation: Corpus | None = None
    records: Records | None = None
    annotators: Annotators | None = None
    corrects: Record | None = None
    """What the overview says of a key that can be corrected; see `correctable`."""

    def __repr__(self) -> str:
        if self.annotation is not None:
            return f"<Inspection of {self.annotation!r}>"
        first = self.evaluations[0]
        return (
            f"<Inspection of {brief_names([e.name for e in self.evaluations])}: {first.in_brief}; .save(path) writes the page>"
        )

    def html(self) -> str:
        """Make the page: one file that needs no other file and no network."""
        if self.annotation is not None:
            return page_alone(self.annotation, self.records, self.reasons, self.corrects)
        responses = [ScoredResponse(e, None if n else self.reasons) for n, e in enumerate(self.evaluations)]
        return page_of(responses, self.records, self.annotators, self.corrects)

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
        check_page(os.fspath(path))
        html = self.html()
        with output(os.fspath(path)) as out:
            out.write(html)


def check_page(path: str) -> None:
    """OptionError if the name of a page ends as that of another kind of file."""
    check_ending(path, "a page", "the ending .html", (".html", ".htm"))


@check_call(PairOptions)
def inspect(
    key: object,
    response: object = None,
    *others: object,
    metrics: MetricsArg = ALL,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    names: Sequence[str] | None = None,
    explain: str | os.PathLike[str] | None = None,
    records: str | os.PathLike[str] | None = None,
    threshold: float | None = None,
    **options: Unpack[PairOptions],
) -> Inspection:
    """Show a key and a response side by side, or one annotation.

    Other arguments, errors and warnings are those of `referee.score`.

    Parameters
    ----------
    response : path, Corpus, plain value or None
        None: the page shows the key alone, as an annotation to read.
    *others : path, Corpus or plain value
        Further responses to the same key. The page shows what each one fixes of the first and what it breaks.
    metrics : str, iterable, mapping or None
        As in `referee.score`; but all metrics that the key calls for unless you name some. Of records they are those of
        `referee.score` first; those that only papers on coreference report are left out.
    names : sequence of str or None
        What the page calls the responses; None for the names of their files, without endings.
    explain : path or None
        What ``referee resolve --explain`` wrote with the first response, or with the one annotation: the page shows the reason
        of each mention.
    records : path or None
        A table with a header, whose rows have the id of a record and its attributes: the page shows them beside the ids.
    threshold : float or None
        As in `referee.score`: the probability from which on pairs of the responses are links.

    Raises
    ------
    OptionError
        If there are not as many names as responses, or something is asked of a response and there is none; if there are
        records, and mentions are spans.
    FormatError, MismatchError
        If the table of records is no table, or has none of the records.

    Warns
    -----
    RefereeWarning
        If the table of records lacks some.

    Examples
    --------
    >>> page = inspect([["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]])
    >>> page.evaluations[0]["muc"].recall
    0.5
    """
    reading = {name: options.pop(name) for name in READ_OPTIONS if name in options}  # type: ignore[misc]
    if response is None:
        of_response: dict[str, object] = {"names": names, "response_format": response_format, "threshold": threshold, **options}
        of_response |= {"metrics": None if metrics == ALL else metrics, "profile": None if profile == "default" else profile}
        misplaced = next((name for name, value in of_response.items() if value is not None), "responses" if others else None)
        if misplaced:
            raise OptionError(f"found {misplaced} without a response; expected a response, or only the key")
        read_options, _ = ReadOptions.of_sides(key_format, **reading)
        if read_options.skip_bad_files:
            check_folders(key)
        annotation = selected_alone(read_corpus(key, read_options), read_options.documents)
        reasons = None if explain is None else read_reasons(explain)
        corrects = correctable(annotation)
        return Inspection((), reasons, annotation=annotation, records=records_of(records, [annotation]), corrects=corrects)
    responses: list[object] = [response, *others]
    for path in responses:
        if isinstance(path, str) and path.endswith((".html", ".htm")) and not os.path.exists(path):
            counts = f"found {shortened(path)} as a response, which is not there"
            raise OptionError(
                f"{counts}; expected an annotation: inspect(...).save({path!r}) writes the page, or --output {path}"
            )
    if names is not None and len(names) != len(responses):
        counts = f"{counted(len(names), 'name')} for {counted(len(responses), 'response')}"
        raise OptionError(f"found {counts}; expected one for each")
    called: Sequence[str | None] = names or (list(named(responses)) if others else [None])
    sides = ReadOptions.of_sides(key_format, response_format, **reading)
    probable = threshold is not None
    check_once(key, *responses)
    with collected_warnings() as warnings:
        if others and allows_skipping(sides[0], key, *responses):
            loaded, responses[:] = load_all(key, responses, sides, probable=probable)
        else:
            loaded, responses[0] = load_both(key, response, sides, probable=probable)
        corpus = corpus_of(loaded)
    metrics = _without_panel_of_papers(corpus) if metrics == ALL and corpus.kind != "texts" else metrics
    how = {"metrics": metrics, "profile": profile, "response_format": response_format, "threshold": threshold}
    evaluations = tuple(
        score(corpus, one, name=name, **how, **reading, **options)  # type: ignore[arg-type]  # those of score
        for one, name in zip(responses, called, strict=True)
    )
    first = replace(evaluations[0], warnings=(*dict.fromkeys((*warnings, *evaluations[0].warnings)),))
    return Inspection(
        (first, *evaluations[1:]),
        None if explain is None else read_reasons(explain),
        records=records_of(records, [side for e in evaluations for side in (e.key, e.response)]),
        corrects=correctable(corpus, first.key),
    )


def _without_panel_of_papers(key: Corpus) -> list[str]:
    """All metrics of records, the usual ones first, but for those that papers on coreference report."""
    every = panel({*key.own_features, key.format}, everything=True)
    return [*RECORDS, *(name for name, metric in every.items() if metric.panel != "default" and name not in RECORDS)]
