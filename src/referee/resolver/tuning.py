"""`tune`: the numbers of the rules, one by one, each put to the value of its grid with the best score.

This is how the paper tunes its resolver ("parameters are modified one by one ... in order to improve the scores"). The order
of the numbers is shuffled by the seed; sweeps go on until one changes nothing. A value is scored on a third of the documents
first, and given up if it is worse there than the value before, by more than `RACE`. With folds, the numbers are tuned without
each fold in turn, and scored on it: the gain on these held-out documents is the one to believe.

References
----------
Popescu-Belis and Robba (1998), "Three New Methods for Evaluating Reference Resolution", section "Use of Evaluation".
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from multiprocessing import parent_process
from threading import Thread
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import tally
from referee.algorithms.digest import blake2b
from referee.basics import progress
from referee.basics.exceptions import FormatError, OptionError, check_name, counted
from referee.basics.files import reported
from referee.comparison.comparing import compare
from referee.comparison.result import Comparison
from referee.corpus.editing import concatenate
from referee.formats.shared.source import Source
from referee.resolver.bench import Bench, Objective, Singletons
from referee.resolver.files import Model, check_numbers, load, of_rules, save
from referee.resolver.learning import Training, read_training
from referee.resolver.memory import QUANTIFIERS
from referee.resolver.rules import GRID, Rules
from referee.stats.settings import Resampling

RACE = 0.002
"""How much worse a value may be on a third of the documents than the one before, to be scored on all."""

WHOLE = -1
"""The task of tuning on all documents; others are numbers of folds."""


class TuningSettings(NamedTuple):
    """What is tuned, and how.

    Parameters
    ----------
    paths : tuple of str
    objective, singletons, quantifier : str
    one_gender : bool
    start : dict
        The numbers before.
    folds, documents, sweeps, seed : int
        `documents` is how many are taken; 0 for all.
    """

    paths: tuple[str, ...]
    objective: str
    singletons: Singletons
    quantifier: str
    one_gender: bool
    start: dict[str, float]
    folds: int
    documents: int
    sweeps: int
    seed: int

    def rules(self, numbers: Mapping[str, float]) -> Rules:
        """Rules with these numbers."""
        return Rules(numbers, self.quantifier, one_gender=self.one_gender)


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
        How many processes score: folds side by side, and the values of a number. The result is the same for any number.
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
    setting = quantifier or began.decoder.quantifier
    check_name("quantifier", setting, QUANTIFIERS)
    if min(folds, documents, seed) < 0 or sweeps < 1 or jobs < 1 or folds == 1:
        raise OptionError("expected 0, 2 or more folds, at least one sweep and one job, and no negative numbers")
    paths = tuple(os.fspath(p) for p in ([train] if isinstance(train, (str, os.PathLike)) else train))
    numbers = check_numbers(began.decoder.numbers)
    one_gender = began.decoder.one_gender
    settings = TuningSettings(paths, objective, singletons, setting, one_gender, numbers, folds, documents, sweeps, seed)
    aim = Objective(objective, singletons)
    progress.step("reading")
    task = _TuningTask(settings)
    log = _open(journal, task) if journal is not None else None
    best = _climbs(task, log, jobs)
    tuned = settings.rules(best[WHOLE])
    whole = Bench(task.training, task.selection)
    options = {"tuned for": objective, "singletons": singletons, "documents": len(task.selection), "seed": seed}
    options["files"] = ", ".join(str(f["file"]) for f in task.training.fitted_on)
    made = of_rules(tuned, "<tuned>", options)
    if output is not None:
        save(made, os.fspath(output))
    before, after = (whole.score(rules, aim) for rules in (settings.rules(numbers), tuned))
    return Tuning(made, before, after, _heldout(task, best, aim, resampling) if folds else None)


def _heldout(
    task: _TuningTask, tuned: Mapping[int, dict[str, float]], aim: Objective, resampling: Resampling | None
) -> Comparison:
    """The gain on documents that were held out."""
    settings = task.settings
    key, before, after = [], [], []
    for fold in range(settings.folds):
        bench = Bench(task.training, task.held(fold))
        key.append(bench.key)
        before.append(bench.resolve(settings.rules(settings.start)))
        after.append(bench.resolve(settings.rules(tuned[fold])))
    joined = [replace(concatenate(corpora), source="held-out documents") for corpora in (key, before, after)]
    metrics = list(dict.fromkeys([aim.metric, "conll", "lea", "d_error"]))
    return compare(
        joined[0],
        {"untuned": joined[1], "tuned": joined[2]},
        metrics=metrics,
        singletons=settings.singletons,
        resampling=resampling,
    )


class _TuningTask:
    """The documents, and their parts."""

    def __init__(self, settings: TuningSettings) -> None:
        self.settings = settings
        self.objective = Objective(settings.objective, settings.singletons)
        self.training: Training = read_training(settings.paths)
        number = len(self.training.syntax.doc_ids)
        if settings.documents > number:
            raise OptionError(f"found {counted(number, 'document')}; expected at least {settings.documents}")
        random = np.random.Generator(np.random.PCG64(np.random.SeedSequence([settings.seed, 0])))
        shuffled = random.permutation(number)[: settings.documents or number]
        if settings.folds > len(shuffled):
            documents = counted(len(shuffled), "document")
            raise OptionError(f"found {documents}; expected at least {settings.folds}, one a fold: add some, or lower --folds")
        self.shuffled = shuffled
        self.selection = np.sort(shuffled)

    def held(self, fold: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The documents of a fold."""
        return np.sort(self.shuffled[fold :: self.settings.folds])

    def digest(self) -> str:
        """What tells this task from others."""
        settings = self.settings._asdict()
        settings["paths"] = [origin["digest"] for origin in self.training.fitted_on]
        text = json.dumps([settings, list(GRID.items())], sort_keys=True)
        return str(blake2b(text.encode(), digest_size=16).digest().hex())

    def benches(self, fold: int) -> tuple[Bench, Bench]:
        """A third of the documents without a fold, and all of them."""
        documents = self.selection if fold == WHOLE else np.setdiff1d(self.selection, self.held(fold))
        sizes = tally(self.training.selection.mentions.document, minlength=int(documents.max()) + 1)[documents]
        third = np.sort(documents[np.argsort(-sizes, kind="stable")[::3]])
        return Bench(self.training, third), Bench(self.training, documents)

    def climb(self, fold: int) -> _Climb:
        """Tune without a fold: ask for scores, and return the numbers."""
        settings = self.settings
        numbers = dict(settings.start)
        order = [name for name, values in GRID.items() if len(values) > 1]
        random = np.random.Generator(np.random.PCG64(np.random.SeedSequence([settings.seed, 1])))
        (best,) = yield [_Trial(numbers, -1.0)]
        assert best is not None
        for sweep in range(settings.sweeps):
            before = numbers
            for n, at in enumerate(random.permutation(len(order)).tolist()):
                name, current = order[at], numbers
                task = "all documents" if fold == WHOLE else f"fold {fold + 1} of {settings.folds}"
                progress.step(f"{task}, sweep {sweep + 1}, {name}, best {100 * best[1]:.2f}", n, len(order))
                trials = [_Trial({**current, name: value}, best[0] - RACE) for value in GRID[name]]
                for trial, outcome in zip(trials, (yield trials), strict=True):
                    if outcome and outcome[1] > best[1] + 1e-9:
                        best, numbers = outcome, trial.numbers
            if numbers == before:
                break
        return numbers


class _Trial(NamedTuple):
    """Numbers to be scored on a third of the documents, and if that is at least so much, on all; what is known of the two."""

    numbers: dict[str, float]
    least: float
    part: float | None = None
    whole: float | None = None


_Scores: TypeAlias = "tuple[float, float | None]"
_Climb: TypeAlias = "Generator[list[_Trial], list[tuple[float, float] | None], dict[str, float]]"


class _RuleScorer:
    """Scores numbers on the documents without a fold. Scores are logged, and not computed again.

    Parameters
    ----------
    task : _TuningTask
    fold : int
    log : str or None
    processes : int
        0 to score in this one.
    """

    def __init__(self, task: _TuningTask, fold: int, log: str | None, processes: int) -> None:
        self.fold, self.log = fold, log
        self.known = _read(log, fold) if log else {}
        self.benches = None if processes else task.benches(fold)
        self.settings, self.objective = task.settings, task.objective
        self.pool = ProcessPoolExecutor(processes, initializer=_begin, initargs=(task.settings, fold)) if processes else None
        self.trials: list[_Trial] = []
        self.results: list[Future[_Scores]] = []

    def ask(self, trials: list[_Trial]) -> None:
        """Begin to score numbers."""
        self.trials, self.results = [], []
        for trial in trials:
            part, whole = self.known.get(json.dumps(list(trial.numbers.values())), (None, None))
            self.trials.append(trial._replace(part=part, whole=whole))
        for trial in self.trials:
            if self.pool is not None:
                self.results.append(self.pool.submit(_measure, trial))
            elif self.benches is not None:
                self.results.append(Future())
                self.results[-1].set_result(_scores(trial, self.benches, self.settings, self.objective))

    def answer(self) -> list[tuple[float, float] | None]:
        """The scores on a third and on all; None if that on a third is too low."""
        answers: list[tuple[float, float] | None] = []
        for trial, result in zip(self.trials, self.results, strict=True):
            part, whole = result.result()
            values = json.dumps(list(trial.numbers.values()))
            if (part, whole) != (trial.part, trial.whole):
                self.known[values] = part, whole
                if self.log:
                    _append(self.log, {"fold": self.fold, "numbers": json.loads(values), "third": part, "all": whole})
            answers.append(None if part < trial.least or whole is None else (part, whole))
        return answers

    def close(self) -> None:
        """End the processes."""
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)


def _scores(trial: _Trial, benches: tuple[Bench, Bench], settings: TuningSettings, objective: Objective) -> _Scores:
    """The scores on a third of the documents, and on all where that is worth it."""
    third, every = benches
    part, whole = trial.part, trial.whole
    if part is None:
        part = third.score(settings.rules(trial.numbers), objective)
    if part >= trial.least and whole is None:
        whole = every.score(settings.rules(trial.numbers), objective)
    return part, whole


def _climbs(task: _TuningTask, log: str | None, jobs: int) -> dict[int, dict[str, float]]:
    """Tune on all documents, and without each fold, as many at a time as there are jobs; more jobs share the values."""
    waiting = [WHOLE, *range(task.settings.folds)]
    share, rest = divmod(jobs, len(waiting))
    settings: dict[int, dict[str, float]] = {}
    running: dict[int, tuple[_Climb, _RuleScorer]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                fold = waiting.pop(0)
                climb = task.climb(fold)
                scorer = _RuleScorer(task, fold, log, 0 if jobs == 1 else max(share + (fold + 1 < rest), 1))
                running[fold] = climb, scorer
                scorer.ask(next(climb))
            ready = [fold for fold, (_, scorer) in running.items() if all(result.done() for result in scorer.results)]
            if not ready:
                pending = [result for _, scorer in running.values() for result in scorer.results if not result.done()]
                wait(pending, return_when=FIRST_COMPLETED)
            for fold in ready:
                climb, scorer = running[fold]
                try:
                    scorer.ask(climb.send(scorer.answer()))
                except StopIteration as end:
                    settings[fold] = end.value
                    scorer.close()
                    del running[fold]
    finally:
        for _, scorer in running.values():
            scorer.close()
    return settings


_working: list[tuple[tuple[Bench, Bench], TuningSettings, Objective]] = []
"""What a process of several scores."""


def _begin(settings: TuningSettings, fold: int) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    task = _TuningTask(settings)
    _working.append((task.benches(fold), settings, task.objective))


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, however that was."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _measure(trial: _Trial) -> _Scores:
    return _scores(trial, *_working[0])


def _open(journal: str | os.PathLike[str], task: _TuningTask) -> str:
    """Begin a journal, or check one that is there; half a line at its end is cut off."""
    path = os.fspath(journal)
    header = {"resolve tune": task.digest()}
    with reported(path):
        if not os.path.exists(path) or not os.path.getsize(path):
            _append(path, header)
            return path
        with open(path, "rb+") as file:
            raw = file.read()
            if raw.partition(b"\n")[0] != json.dumps(header).encode():
                problem = "is the journal of other documents or options; expected its own: name another, or remove it"
                raise FormatError(path, 1, problem)
            file.truncate(raw.rfind(b"\n") + 1)
    return path


def _append(path: str, value: object) -> None:
    """Add a line in one call, so that processes do not mix theirs."""
    with reported(path):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(file, (json.dumps(value) + "\n").encode())
        finally:
            os.close(file)


def _read(path: str, fold: int) -> dict[str, tuple[float | None, float | None]]:
    """The scores of a fold that a journal has."""
    known = {}
    for number, line in enumerate(Source(path).raw().splitlines()[1:], start=2):
        try:
            entry = json.loads(line)
            if entry["fold"] == fold:
                known[json.dumps(entry["numbers"])] = entry["third"], entry["all"]
        except (ValueError, TypeError, KeyError):
            raise FormatError(path, number, "is damaged; expected a line of a journal: remove the line, or the file") from None
    return known


def best_so_far(journal: str | os.PathLike[str], start: Mapping[str, float]) -> dict[str, float]:
    """The best numbers on all documents that a journal has: what is kept when tuning is interrupted."""
    known = _read(os.fspath(journal), WHOLE)
    scored = [(whole, values) for values, (_, whole) in known.items() if whole is not None]
    return dict(zip(GRID, json.loads(max(scored)[1]), strict=True)) if scored else dict(start)
