"""Scores of the resolver on held-out texts, each beside the least that it must have.

    python benchmarks/resolver_scores.py FOLDER [PART ...]

FOLDER has gum.train, gum.dev, gum.test, gum-by.train and narc-nb.train, -dev and -test as `.conllu.gz`. Parts are `shipped`,
`gum`, `all`, `bokmål` and `tuned`; all if none is named. The exit status is 1 if a score is too low.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from checks import Check, run

from referee import resolve, score
from referee.resolver import Model, fit, tune
from referee.resolver.tables import TABLES

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()


def text(name: str) -> str:
    return str(FOLDER / f"{name}.conllu.gz")


def conll(name: str, test: str, model: str | Model, least: tuple[float, float], *, match: str = "") -> Iterator[Check]:
    """The CoNLL average with and without singletons: of gold mentions, or of mentions from trees by a match."""
    key = resolve(text(test), strategy="key")
    response = resolve(text(test), model, mentions="tree" if match else "key")
    for words, singletons, floor in zip(("with", "without"), ("keep", "drop"), least, strict=True):
        found = score(key, response, metrics=["conll"], singletons=singletons, match=match or "exact")
        yield Check(f"{name}, {words} singletons", 100 * found["conll"].f1, floor)


def values(name: str, test: str, model: str | Model, least: dict[str, float]) -> Iterator[Check]:
    found = score(resolve(text(test), strategy="key"), resolve(text(test), model, mentions="key"), metrics=list(least))
    for metric, floor in least.items():
        yield Check(f"{name}, {metric}", 100 * found[metric].value, floor)


def detector(name: str, test: str, model: str | Model, exact: float, head: float) -> Iterator[Check]:
    key, response = resolve(text(test), strategy="key"), resolve(text(test), model, mentions="tree")
    for match, floor in (("exact", exact), ("head", head)):
        found = score(key, response, metrics=["mentions"], match=match)
        yield Check(f"{name}, mentions found, {match}", 100 * found["mentions"].f1, floor)


def shipped() -> Iterator[Check]:
    yield from conll("rules, gold", "gum.test", "rules", (77.3, 62.0))
    yield from conll("shipped, gold", "gum.test", "tables", (79.3, 65.5))
    yield from conll("shipped, trees, head", "gum.test", "tables", (73.0, 59.7), match="head")
    yield from detector("shipped", "gum.test", "tables", 0, 0)


def gum() -> Iterator[Check]:
    model = fit(text("gum.train"))
    yield from conll("GUM, gold", "gum.test", model, (80.7, 67.8))
    yield from values("GUM, gold", "gum.test", model, {"lea": 70.3, "core_mr": 69.9, "blanc": 84.0})
    yield from conll("GUM, trees, head", "gum.test", model, (74.2, 61.9), match="head")
    yield from conll("GUM, trees, exact", "gum.test", model, (69.8, 59.4), match="exact")
    yield from detector("GUM", "gum.test", model, 86.0, 91.6)


def every_table() -> Iterator[Check]:
    model = fit(text("gum.train"), tables=tuple(TABLES))
    yield from conll("all tables, gold", "gum.test", model, (81.2, 68.5))
    yield from conll("all tables, trees, head", "gum.test", model, (74.6, 62.5), match="head")


def bokmaal() -> Iterator[Check]:
    model = fit(text("narc-nb.train"))
    yield from conll("Bokmål, gold", "narc-nb.test", model, (83.6, 63.5))
    yield from conll("Bokmål, trees, head", "narc-nb.test", model, (81.8, 62.7), match="head")
    yield from detector("Bokmål", "narc-nb.test", model, 92.5, 97.5)


def own_rules(quantifier: str, documents: int) -> Model:
    """Rules that are tuned by our own command."""
    with tempfile.TemporaryDirectory() as folder:
        return tune(
            text("gum.train"), objective="conll", quantifier=quantifier, documents=documents, seed=11, folds=0, sweeps=3,
            jobs=2, journal=str(Path(folder) / "journal"),
        ).model  # fmt: skip


def tuned() -> Iterator[Check]:
    model = own_rules("any", 16)
    yield from conll("tuned rules, gold", "gum.test", model, (78.3, 63.2))
    yield from conll("tuned rules, trees, head", "gum.test", model, (72.4, 58.4), match="head")
    yield from gain("any", model)
    yield from gain("mean", own_rules("mean", 40))


def gain(quantifier: str, model: Model) -> Iterator[Check]:
    """What tuning adds to the first guesses with the same quantifier, on documents that were not tuned on."""
    key = resolve(text("gum.dev"), strategy="key")
    before, after = (
        resolve(text("gum.dev"), rules, mentions="key", quantifier=quantifier) for rules in ("rules-untuned", model)
    )
    for words, singletons, least in (("with", "keep", 1.5), ("without", "drop", 2.5)):
        untuned, better = (100 * score(key, r, metrics=["conll"], singletons=singletons)["conll"].f1 for r in (before, after))
        yield Check(f"gain of tuned rules, {quantifier}, dev, {words} singletons", better - untuned, least)


PARTS: dict[str, Callable[[], Iterator[Check]]] = {
    "shipped": shipped, "gum": gum, "all": every_table, "bokmål": bokmaal, "tuned": tuned,
}  # fmt: skip


if __name__ == "__main__":
    run(PARTS)
