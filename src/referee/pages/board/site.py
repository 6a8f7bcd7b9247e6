"""The files of a leaderboard: the table, its numbers for programs, and a page of each system and of each pair."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import combinations

from referee.basics import progress
from referee.basics.exceptions import OptionError, one_line
from referee.basics.files import folder_written_whole, output
from referee.basics.names import check_call
from referee.basics.system_names import name_of, names_of
from referee.comparison import Resampling
from referee.comparison.comparing import CompareOptions, score_all
from referee.metrics.registry import NAMES
from referee.pages.board.front_page import index
from referee.pages.board.ranking import Ranking, ranking
from referee.pages.inspector.packing import Shared
from referee.pages.inspector.page import page_of
from referee.pages.inspector.response import ScoredResponse
from referee.reports import json
from referee.reports.listing import headed, plain
from referee.scoring.evaluation import Evaluation


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


@check_call(CompareOptions)
def write_board(
    key: object,
    responses: Mapping[str, object] | Sequence[str],
    site: str | os.PathLike[str],
    *,
    rank_by: str | None = None,
    resampling: Resampling | None = None,
    pages: bool = True,
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
    pages : bool
        Whether to write the page of each system, and of each pair.
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
    OptionError
        If the folder cannot be written, or the ranking needs another metric; and as `compare` does.
    """
    named = responses if isinstance(responses, Mapping) else systems_of(responses)
    evaluations = score_all(key, named, **options)  # type: ignore[arg-type]  # those of score
    wanted = None if rank_by is None else NAMES.get(rank_by, rank_by)
    if wanted is not None and any(wanted not in e.counts for e in evaluations.values()):
        raise OptionError(f"found no scores by {rank_by}; expected it among --metrics")
    ranked = ranking(evaluations, wanted, (resampling or Resampling()))
    paths = _paths(ranked.systems) if pages and all(isinstance(e, Evaluation) for e in evaluations.values()) else {}
    warnings = {name: list(map(one_line, getattr(evaluations[name], "warnings", ()))) for name in ranked.systems}
    first = ranked.comparisons[ranked.systems[0]]
    headline = title or one_line(name_of(first.key))
    with _whole(os.fspath(site)) as folder:
        _make(folder, bool(paths))
        scored = {name: ScoredResponse(e) for name, e in evaluations.items() if isinstance(e, Evaluation)}
        shared = Shared()
        for systems, path in progress.tracked(list(paths.items()), "writing pages"):
            with output(os.path.join(folder, path)) as out:
                out.write(page_of([scored[name] for name in systems], shared=shared, board=headline))
        files = {
            "index.html": index(ranked, paths, headline, warnings),
            "board.json": json.written(_as_dict(ranked, paths) | {"warnings": warnings}),
            "board.csv": first.report("csv"),
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


def _paths(systems: Sequence[str]) -> dict[tuple[str, ...], str]:
    """Where the page of each system, and of each pair, is: by ranks, as names may be anything."""
    rank = {system: n for n, system in enumerate(systems, start=1)}
    return {one: f"pages/{'-'.join(str(rank[system]) for system in one)}.html" for one in _pages(systems)}


def _pages(systems: Sequence[str]) -> Iterator[tuple[str, ...]]:
    yield from ((system,) for system in systems)
    yield from ((worse, better) for better, worse in combinations(systems, 2))


def _as_dict(ranked: Ranking, paths: Mapping[tuple[str, ...], str]) -> dict[str, object]:
    """Everything, for programs."""
    first = ranked.comparisons[ranked.systems[0]]
    pairs = [
        {
            "system": worse,
            "baseline": better,
            "difference": plain(d.value),
            "p": plain(d.p),
            "significant": d.significant,
            "page": paths.get((worse, better)),
        }
        for better, worse in combinations(ranked.systems, 2)
        for d in [ranked.difference(worse, better)]
    ]
    ranks = [
        {"rank": n, "system": system, "groups": ranked.groups[system].split(), "page": paths.get((system,))}
        for n, system in enumerate(ranked.systems, start=1)
    ]
    return headed(rank_by=ranked.metric, ranking=ranks, pairs=pairs, comparison=first.to_dict())
