"""The files of a leaderboard: the table, its numbers for programs, and pages of systems and pairs if they are asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from referee.basics import progress
from referee.basics.exceptions import OptionError, check_name, one_line, warn
from referee.basics.files import folder_written_whole, output
from referee.basics.names import check_call
from referee.basics.system_names import name_of
from referee.comparison import Resampling
from referee.comparison.comparing import CompareOptions
from referee.metrics.registry import NAMES
from referee.pages.board.front_page import index
from referee.pages.board.ranking import Ranking, ranking
from referee.pages.board.submissions import Submissions, submissions, systems_of, without_words
from referee.pages.inspector.packing import Shared
from referee.pages.inspector.page import page_of
from referee.pages.inspector.response import ScoredResponse
from referee.reports import json
from referee.reports.listing import headed, plain
from referee.scoring.by import DATASETS, By
from referee.scoring.datasets import about_missing
from referee.scoring.evaluation import Evaluation

MOST_PAGES = 10
"""Systems that have pages with texts."""


@check_call(CompareOptions)
def write_board(
    key: object,
    responses: Mapping[str, object] | Sequence[str],
    site: str | os.PathLike[str],
    *,
    rank_by: str | None = None,
    resampling: Resampling | None = None,
    by: By = None,
    with_texts: bool = False,
    pairs: Sequence[tuple[str, str]] = (),
    title: str = "",
    **options: object,
) -> Ranking:
    """Write the site of a leaderboard.

    Parameters
    ----------
    key, responses
        As `compare` accepts them, the responses by the names of the systems; or the paths of the responses, whose names without
        endings are those of the systems.
    site : path
        A folder, which is made if it is not there. A new site appears when it is complete.
    rank_by : str or None
        The metric of the ranking; None for conll, or the first.
    resampling : Resampling or None
        How intervals and tests are made.
    by : str, callable or None
        Groups of documents, as for `compare`: systems are ranked by the mean over them.
    with_texts : bool
        Whether to write pages with the words of the key: of the best ten systems, and of `pairs`. Without them nothing of the
        site has words of the key.
    pairs : sequence of pairs of str
        The names of two systems each.
    title : str
        The headline; empty for the name of the key.
    **options
        What `score` accepts.

    Returns
    -------
    Ranking
        The systems, the best first.

    Raises
    ------
    OptionError, UnknownNameError
        If the folder cannot be written, the ranking needs another metric, or a pair another system; and as `compare` does.

    Warns
    -----
    RefereeWarning
        Of each response that cannot be scored. The site lists it with the reason.
    """
    named = responses if isinstance(responses, Mapping) else systems_of(responses)
    how: dict[str, Any] = {"with_texts": with_texts, "pairs": pairs, "title": title}
    return write_site(submissions(key, named, by, **options), site, by=by, rank_by=rank_by, resampling=resampling, **how)


def write_site(
    entered: Submissions,
    site: str | os.PathLike[str],
    *,
    by: By = None,
    rank_by: str | None = None,
    resampling: Resampling | None = None,
    with_texts: bool = False,
    pairs: Sequence[tuple[str, str]] = (),
    title: str = "",
) -> Ranking:
    """Write the site of submissions that were scored; arguments as for `write_board`."""
    evaluations, rejected = entered
    wanted = None if rank_by is None else NAMES.get(rank_by, rank_by)
    if wanted is not None and any(wanted not in e.counts for e in evaluations.values()):
        raise OptionError(f"found no scores by {rank_by}; expected it among --metrics")
    for name in (name for pair in pairs for name in pair):
        check_name("system", name, evaluations)
    if pairs and not with_texts:
        raise OptionError("found pairs without their texts; expected --with-texts, which writes pages")
    for name, reason in rejected.items():
        warn(f"{one_line(name)} is not on the board: {reason}")
    ranked = ranking(evaluations, wanted, (resampling or Resampling()), by)
    paths: dict[tuple[str, ...], str] = {}
    if with_texts and all(isinstance(e, Evaluation) for e in evaluations.values()):
        paths = _paths(ranked.systems, pairs)
    warnings = {name: list(map(one_line, getattr(evaluations[name], "warnings", ()))) for name in ranked.systems}
    if by in DATASETS:
        for name, of_system in warnings.items():
            of_system.extend(about_missing({name: evaluations[name]}, str(by)))
    if not with_texts:
        names = {name for e in evaluations.values() for name in e.documents}
        warnings = {name: [without_words(text, names) for text in of_system] for name, of_system in warnings.items()}
        rejected = {name: without_words(reason, names) for name, reason in rejected.items()}
    headline = title or one_line(name_of(ranked.comparison.key))
    with _whole(os.fspath(site)) as folder:
        _make(folder, bool(paths))
        scored = {name: ScoredResponse(e) for name, e in evaluations.items() if isinstance(e, Evaluation)}
        shared = Shared()
        for systems, path in progress.tracked(list(paths.items()), "writing pages"):
            with output(os.path.join(folder, path)) as out:
                out.write(page_of([scored[name] for name in systems], shared=shared, board=headline))
        files = {
            "index.html": index(ranked, paths, headline, warnings, rejected),
            "board.json": json.written(_as_dict(ranked, paths) | {"warnings": warnings, "rejected": rejected}),
            "board.csv": ranked.comparison.report("csv"),
        }
        for name, text in files.items():
            with output(os.path.join(folder, name)) as out:
                out.write(text)
    return ranked


def _whole(folder: str) -> AbstractContextManager[str]:
    """The folder to write to: a new site appears when it is complete, and in one that is there, each file does."""
    is_new = not os.path.exists(folder) or (os.path.isdir(folder) and not os.listdir(folder))
    return folder_written_whole(folder) if is_new else nullcontext(folder)


def _make(folder: str, pages: bool) -> None:
    try:
        os.makedirs(os.path.join(folder, "pages") if pages else folder, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot make the folder {folder}: {(error.strerror or str(error)).lower()}") from None


def _paths(systems: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, ...], str]:
    """Where the pages of the best systems, and of pairs, are: by ranks, as names may be anything."""
    rank = {system: n for n, system in enumerate(systems, start=1)}
    groups: list[tuple[str, ...]] = [(system,) for system in systems[:MOST_PAGES]]
    groups += [tuple(sorted(pair, key=rank.__getitem__, reverse=True)) for pair in pairs]
    return {one: f"pages/{'-'.join(str(rank[system]) for system in one)}.html" for one in groups}


def _as_dict(ranked: Ranking, paths: Mapping[tuple[str, ...], str]) -> dict[str, object]:
    """Everything, for programs."""
    pairs = [
        {
            "system": worse,
            "baseline": better,
            "difference": plain(d.value),
            "p": plain(d.p),
            "significant": d.significant,
            "page": paths.get((worse, better)),
        }
        for (worse, better), d in ranked.differences.items()
    ]
    ranks = [
        {"rank": place, "system": system, "groups": ranked.groups[system].split(), "page": paths.get((system,))}
        for system, place in ranked.places.items()
    ]
    return headed(rank_by=ranked.metric, ranking=ranks, pairs=pairs, comparison=ranked.comparison.to_dict())
