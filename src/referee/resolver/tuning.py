"""`tune`: the numbers of the rules, one by one, each put to the value of its grid with the best score.

This is how the paper tunes its resolver ("parameters are modified one by one ... in order to improve the scores"). The order
of the numbers is shuffled by the seed; sweeps go on until one changes nothing. A value is scored on a third of the documents
first, and given up if it is worse there by more than `RACE`. With folds, the numbers are tuned without each fold in turn, and
scored on it: the gain on these held-out documents is the one to believe.

References
----------
Popescu-Belis and Robba (1998), "Three New Methods for Evaluating Reference Resolution", section "Use of Evaluation".
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import parent_process
from threading import Thread
from typing import NamedTuple

import numpy as np

from referee import progress
from referee.algorithms.arrays import tally
from referee.algorithms.digest import blake2b
from referee.comparison.comparing import compare
from referee.comparison.result import Comparison
from referee.corpus.editing import concatenate
from referee.exceptions import FormatError, OptionError, check_name
from referee.resolver.bench import Bench, Objective, Singletons
from referee.resolver.files import Model, check_numbers, load, of_rules, save
from referee.resolver.learning import Training, read_training
from referee.resolver.memory import QUANTIFIERS
from referee.resolver.rules import GRID, Rules
from referee.stats.settings import Resampling

RACE = 0.002
"""How much worse a value may be on a third of the documents to be scored on all."""

WHOLE = -1
"""The task of tuning on all documents; others are numbers of folds."""


class Settings(NamedTuple):
    """What is tuned, and how.

    Parameters
    ----------
    paths : tuple of str
    objective, singletons, quantifier : str
    start : dict
        The numbers before.
    folds, documents, sweeps, seed : int
        `documents` is how many are taken; 0 for all.
    """

    paths: tuple[str, ...]
    objective: str
    singletons: Singletons
    quantifier: str
    start: dict[str, float]
    folds: int
    documents: int
    sweeps: int
    seed: int


@dataclass(frozen=True)
class Tuning:
    """Tuned rules.

    Parameters
    ----------
    model : Model
    untuned, tuned : float
        The objective on all documents, before and after.
    heldout : Comparison or None
        The untuned rules against the tuned ones, each document resolved by numbers that were tuned without it.
    """

    model: Model
    untuned: float
    tuned: float
    heldout: Comparison | None


def tune(
    train: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    model: str | os.PathLike[str] | Model = "rules-untuned",
    objective: str = "lea",
    singletons: Singletons = "keep",
    quantifier: str | None = None,
    folds: int = 5,
    documents: int = 0,
    sweeps: int = 10,
    seed: int = 0,
    jobs: int = 1,
    journal: str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    resampling: Resampling | None = None,
) -> Tuning:
    """Tune the numbers of the rules.

    Parameters
    ----------
    train : path or sequence of paths
        CoNLL-U with trees and Entity.
    model : str, path or Model
        Rules to begin with.
    objective : str
        A metric, or a metric and a side, such as "muc.recall".
    singletons : str
        "keep" or "drop".
    quantifier : str or None
        None for that of the model.
    folds : int
        How many parts of the documents are held out in turn; 0 for none.
    documents : int
        How many documents are taken, chosen by the seed; 0 for all.
    sweeps : int
        At most so many rounds through the numbers.
    seed : int
    jobs : int
        How many processes tune, a fold each. The result is the same for any number.
    journal : path or None
        A file to which every score is added. If it has some of the same task, they are not computed again.
    output : path or None
        Where to write the rules, too.
    resampling : Resampling or None
        How the gain is tested.

    Raises
    ------
    OptionError
        If there are fewer documents than folds, or the model is not rules.
    FormatError
        If the journal is of other data or options.
    """
    began = load(model)
    if not isinstance(began.decoder, Rules):
        raise OptionError(f"{began.name} is no rules; expected rules to tune, and `fit` for tables")
    given = quantifier or began.decoder.quantifier
    check_name("quantifier", given, QUANTIFIERS)
    if min(folds, documents, seed) < 0 or sweeps < 1 or jobs < 1 or folds == 1:
        raise OptionError("expected 0, 2 or more folds, at least one sweep and one job, and no negative numbers")
    paths = tuple(os.fspath(p) for p in ([train] if isinstance(train, (str, os.PathLike)) else train))
    numbers = check_numbers(began.decoder.numbers)
    settings = Settings(paths, objective, singletons, given, numbers, folds, documents, sweeps, seed)
    aim = Objective(objective, singletons)
    progress.step("reading")
    task = _Task(settings)
    log = _open(journal, task) if journal is not None else None
    wanted = [WHOLE, *range(folds)]
    if jobs > 1 and folds:
        with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(settings, log)) as pool:
            found = dict(zip(wanted, pool.map(_run, wanted), strict=True))
    else:
        found = {n: task.climb(n, log) for n in wanted}
    tuned = Rules(found[WHOLE], given)
    whole = Bench(task.training, task.chosen)
    options = {"tuned for": objective, "singletons": singletons, "documents": len(task.chosen), "seed": seed}
    options["files"] = ", ".join(str(f["file"]) for f in task.training.fitted_on)
    made = of_rules(tuned, "<tuned>", options)
    if output is not None:
        save(made, os.fspath(output))
    before, after = (whole.score(n, given, aim) for n in (numbers, tuned.numbers))
    return Tuning(made, before, after, _heldout(task, found, aim, resampling) if folds else None)


def _heldout(task: _Task, found: Mapping[int, dict[str, float]], aim: Objective, resampling: Resampling | None) -> Comparison:
    """The gain on documents that were held out."""
    settings = task.settings
    key, before, after = [], [], []
    for fold in range(settings.folds):
        bench = Bench(task.training, task.held(fold))
        key.append(bench.key)
        before.append(bench.resolve(Rules(settings.start, settings.quantifier)))
        after.append(bench.resolve(Rules(found[fold], settings.quantifier)))
    joined = [concatenate(corpora, "held-out documents") for corpora in (key, before, after)]
    metrics = list(dict.fromkeys([aim.metric, "conll", "lea", "d_error"]))
    return compare(
        joined[0],
        {"untuned": joined[1], "tuned": joined[2]},
        metrics=metrics,
        singletons=settings.singletons,
        resampling=resampling,
    )


class _Task:
    """The documents, and their parts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.objective = Objective(settings.objective, settings.singletons)
        self.training: Training = read_training(settings.paths)
        number = len(self.training.syntax.doc_ids)
        if settings.documents > number:
            raise OptionError(f"found {number} documents; expected at least {settings.documents}")
        random = np.random.Generator(np.random.PCG64(np.random.SeedSequence([settings.seed, 0])))
        shuffled = random.permutation(number)[: settings.documents or number]
        if settings.folds > len(shuffled):
            raise OptionError(f"found {len(shuffled)} documents; expected at least as many as folds ({settings.folds})")
        self.shuffled = shuffled
        self.chosen = np.sort(shuffled)

    def held(self, fold: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The documents of a fold."""
        return np.sort(self.shuffled[fold :: self.settings.folds])

    def digest(self) -> str:
        """What tells this task from others."""
        settings = self.settings._asdict()
        settings["paths"] = [origin["digest"] for origin in self.training.fitted_on]
        text = json.dumps([settings, list(GRID.items())], sort_keys=True)
        return str(blake2b(text.encode(), digest_size=16).digest().hex())

    def climb(self, fold: int, log: str | None) -> dict[str, float]:
        """Tune without a fold."""
        settings = self.settings
        documents = self.chosen if fold == WHOLE else np.setdiff1d(self.chosen, self.held(fold))
        sizes = tally(self.training.chosen.mentions.document, minlength=int(documents.max()) + 1)[documents]
        third = np.sort(documents[np.argsort(-sizes, kind="stable")[::3]])
        climber = _Climber(Bench(self.training, third), Bench(self.training, documents), self, fold, log)
        numbers = dict(settings.start)
        order = list(GRID)
        random = np.random.Generator(np.random.PCG64(np.random.SeedSequence([settings.seed, 1])))
        best = climber.score(numbers, -1.0)
        assert best is not None
        for sweep in range(settings.sweeps):
            before = numbers
            for n, at in enumerate(random.permutation(len(order)).tolist()):
                name, current = order[at], numbers
                task = "all documents" if fold == WHOLE else f"fold {fold + 1} of {settings.folds}"
                progress.step(f"{task}, sweep {sweep + 1}, {name}, best {100 * best[1]:.2f}", n, len(order))
                for value in GRID[name]:
                    found = climber.score({**current, name: value}, best[0] - RACE)
                    if found and found[1] > best[1] + 1e-9:
                        best, numbers = found, {**current, name: value}
            if numbers == before:
                break
        return numbers


class _Climber:
    """Scores numbers: on a third of the documents, and on all if that is worth it. Scores are logged."""

    def __init__(self, third: Bench, whole: Bench, task: _Task, fold: int, log: str | None) -> None:
        self.third, self.whole, self.task, self.fold, self.log = third, whole, task, fold, log
        self.known = _read(log, fold) if log else {}

    def score(self, numbers: Mapping[str, float], least: float) -> tuple[float, float] | None:
        """The scores on a third and on all; None if that on a third is below `least`."""
        values = json.dumps(list(numbers.values()))
        settings, objective = self.task.settings, self.task.objective
        part, whole = self.known.get(values, (None, None))
        before = part, whole
        if part is None:
            part = self.third.score(numbers, settings.quantifier, objective)
        if part >= least and whole is None:
            whole = self.whole.score(numbers, settings.quantifier, objective)
        if (part, whole) != before:
            self.known[values] = part, whole
            if self.log:
                _append(self.log, {"fold": self.fold, "numbers": json.loads(values), "third": part, "all": whole})
        return None if part < least or whole is None else (part, whole)


_tasks: list[tuple[_Task, str | None]] = []
"""What a process of several works on."""


def _begin(settings: Settings, log: str | None) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    _tasks.append((_Task(settings), log))


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, however that was."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(fold: int) -> dict[str, float]:
    task, log = _tasks[0]
    return task.climb(fold, log)


def _open(journal: str | os.PathLike[str], task: _Task) -> str:
    """Begin a journal, or check one that is there; half a line at its end is cut off."""
    path = os.fspath(journal)
    header = {"resolver tune": task.digest()}
    if not os.path.exists(path) or not os.path.getsize(path):
        _append(path, header)
        return path
    with open(path, "rb+") as file:
        raw = file.read()
        file.truncate(raw.rfind(b"\n") + 1)
    first = raw.partition(b"\n")[0]
    if first != json.dumps(header).encode():
        raise FormatError(path, 1, "is the journal of other documents or options; expected its own: name another, or remove it")
    return path


def _append(path: str, value: object) -> None:
    """Add a line in one call, so that processes do not mix theirs."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(file, (json.dumps(value) + "\n").encode())
    finally:
        os.close(file)


def _read(path: str, fold: int) -> dict[str, tuple[float | None, float | None]]:
    """The scores of a fold that a journal has."""
    known = {}
    with open(path, encoding="utf-8") as file:
        for line in list(file)[1:]:
            entry = json.loads(line)
            if entry["fold"] == fold:
                known[json.dumps(entry["numbers"])] = entry["third"], entry["all"]
    return known


def best_so_far(journal: str | os.PathLike[str], start: Mapping[str, float]) -> dict[str, float]:
    """The best numbers on all documents that a journal has: what is kept when tuning is interrupted."""
    known = _read(os.fspath(journal), WHOLE)
    scored = [(whole, values) for values, (_, whole) in known.items() if whole is not None]
    return dict(zip(GRID, json.loads(max(scored)[1]), strict=True)) if scored else dict(start)
