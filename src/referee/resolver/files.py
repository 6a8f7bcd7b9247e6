"""Models in files that people can read: rules as TOML, tables as JSON. Nothing in them is run.

Rules have one line a number::

    quantifier = "any"
    one_gender = true
    number_clash = 0.2  # singular against plural

Tables and the detector of mentions are one JSON object::

    {"format": "resolver", "version": 1, "quantifier": "any", "window": 300, "memory": 0,
     "vocabularies": {"pronoun": ["it", "they", ...], ...},
     "tables": {"string": {"shape": [13, 7, 7], "values": {"312": 0.41, ...}}, ...},
     "one_gender": true,
     "detector": {"heads": {"upos deprel": {"NOUN nsubj": 2.1, ...}, ...}, "inside": {"order": {"amod yes 1": 3.9, ...}, ...},
                  "joint": {...}, "quotes": 0.1},
     "fitted_on": [{"file": "train.conllu", "documents": 54, "digest": "..."}], "options": {...}, "digest": "..."}

``values`` has the cells of the flattened table that are not 0. ``digest`` is BLAKE2b of all else. Where ``one_gender`` is
missing, as in older files, it is false.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from referee.algorithms.arrays import Numbers
from referee.algorithms.digest import blake2b
from referee.basics.exceptions import FormatError, OptionError, UnknownNameError, brief, counted, listed, shortened, warn
from referee.basics.files import output
from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.source import OnError, Source
from referee.resolver.detect import Detector
from referee.resolver.logistic import Weights
from referee.resolver.memory import QUANTIFIERS
from referee.resolver.rules import FIRST_GUESS, GRID, WORDS, Rules
from referee.resolver.tables import TABLES, UNIT, Tables, shape_of

FORMAT, VERSION = "resolver", 1
PARTS = ("heads", "inside", "joint")
"""The regressions of a detector."""

SHIPPED = os.path.join(os.path.dirname(__file__), "models")
NAMES = ("tables", "rules", "rules-mean", "rules-untuned")
"""The models that come with the package."""

LINE = re.compile(r"\s*(?:([A-Za-z_]+)\s*=\s*(\"[^\"]*\"|[^#\s]+)\s*)?(?:#.*)?")


class Model(NamedTuple):
    """A model with what is known about it.

    Parameters
    ----------
    decoder : Rules or Tables
    detector : Detector or None
        For mentions from trees.
    name : str
        Its name, or the file.
    digest : str
        Of its content.
    fitted_on : list of dict
        The files it was fitted on: file, documents, digest.
    options : dict
        With which it was fitted.
    """

    decoder: Rules | Tables
    detector: Detector | None
    name: str
    digest: str
    fitted_on: list[dict[str, Any]]
    options: dict[str, Any]

    def __repr__(self) -> str:
        fitted = f", fitted on {counted(len(self.fitted_on), 'file')}" if self.fitted_on else ""
        return f"<Model {brief(self.name)}: {self.kind}{fitted}>"

    @property
    def kind(self) -> str:
        """Which of the two it is: rules or tables."""
        return "rules" if isinstance(self.decoder, Rules) else "tables"


def load(name: str | os.PathLike[str] | Model = "tables") -> Model:
    """Load a model.

    Parameters
    ----------
    name : str or path
        "tables", "rules", "rules-mean" or "rules-untuned" for those that come with the package; else a file: TOML for rules,
        JSON (or .json.gz) for tables.

    Raises
    ------
    FormatError
        If the file has no model, or wrong values.
    """
    if isinstance(name, Model):
        return name
    path = os.fspath(name)
    if path in NAMES:
        ending = ".json" if path == "tables" else ".toml"
        return load(os.path.join(SHIPPED, path + ending))._replace(name=path)
    source = Source(path)
    return _read(source.text(source.raise_error), source)


def _read(text: str, source: Source) -> Model:
    """A model from the text of its file."""
    if text.lstrip().startswith("{"):
        return _tables(parse(text, source.raise_error), source)
    return _rules(text, source)


def _rules(text: str, source: Source) -> Model:
    numbers: dict[str, float] = {}
    quantifier, one_gender = "", "false"
    for n, line in enumerate(text.splitlines(), start=1):
        match = LINE.fullmatch(line)
        if not match:
            source.raise_error(n, f"found {shown(line)}; expected a line such as head = 0.6, or one object of JSON")
        elif match[1] == "quantifier":
            quantifier = match[2].strip('"')
            if quantifier not in QUANTIFIERS:
                source.raise_error(n, f"found the quantifier {shown(quantifier)}; expected one of {', '.join(QUANTIFIERS)}")
        elif match[1] == "one_gender":
            one_gender = match[2]
            if one_gender not in ("true", "false"):
                source.raise_error(n, f"found one_gender = {shown(one_gender)}; expected true or false")
        elif match[1]:
            if match[1] not in GRID:
                source.raise_error(n, str(UnknownNameError("number", match[1], GRID)))
            if match[1] in numbers:
                source.raise_error(n, f"found {match[1]} twice; expected it once")
            numbers[match[1]] = _number(match[1], match[2], n, source.raise_error)
    if not numbers:
        source.raise_error(None, 'has no model; expected lines such as head = 0.6, or an object with "format": "resolver"')
    numbers.setdefault("synonym", FIRST_GUESS["synonym"])  # newer than many files, and it does nothing without a dictionary
    missing = [name for name in GRID if name not in numbers]
    if missing:
        warn(f"{source.name}: takes the first guess for {counted(len(missing), 'number')} it does not have: {listed(missing)}")
    complete = {name: numbers.get(name, FIRST_GUESS[name]) for name in GRID}
    return of_rules(Rules(complete, quantifier or "any", one_gender=one_gender == "true"), source.name)


def _number(name: str, text: str, line: int | None, on_error: OnError) -> float:
    """A number in its range."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    largest = 1.01 if name.startswith("theta_") else 1e9 if name == "memory" else 1.0 if name == "decay" else 10.0
    if not 0 <= value <= largest:
        on_error(line, f"found {name} = {text}; expected a number from 0 to {largest:g}")
    if name == "kappa" and value not in GRID["kappa"]:
        on_error(line, f"found kappa = {text}; expected 0.5, 1, 2 or 4")
    if name == "memory" and value != int(value):
        on_error(line, f"found memory = {text}; expected a whole number")
    return value


def check_numbers(numbers: Mapping[str, object]) -> dict[str, float]:
    """Numbers of rules given as values, complete and in their ranges.

    Raises
    ------
    UnknownNameError, OptionError
        If a name or a value cannot be.
    """

    def refuse(line: int | None, problem: str) -> None:
        raise OptionError(problem)

    for name in numbers:
        if name not in GRID:
            raise UnknownNameError("number", name, GRID)
    return {**FIRST_GUESS, **{name: _number(name, str(value), None, refuse) for name, value in numbers.items()}}


def check_switch(name: str, value: object) -> None:
    """OptionError if a value is neither True nor False."""
    if not isinstance(value, bool):
        raise OptionError(f"found {name}={value!r}; expected True, False or None")


def _digest(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).digest().hex()


def digest_of(raw: bytes) -> str:
    """The digest of a file, for `fitted_on`."""
    return str(blake2b(raw, digest_size=16).digest().hex())


def save(model: Model, path: str) -> None:
    """Write a model; equal models give equal files."""
    with output(path) as out:
        out.write(text_of(model))


def text_of(model: Model) -> str:
    """A model as the text of its file."""
    if isinstance(model.decoder, Rules):
        lines = [f'quantifier = "{model.decoder.quantifier}"', f"one_gender = {str(model.decoder.one_gender).lower()}"]
        lines += [f"{name} = {value:g}  # {WORDS[name]}" for name, value in model.decoder.numbers.items()]
        objective = [f"# {key}: {value}" for key, value in model.options.items()]
        return "\n".join([*objective, *lines]) + "\n"
    content = _content(model)
    return json.dumps({**content, "digest": _digest(content)}, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"


def _content(model: Model) -> dict[str, Any]:
    tables, detector = model.decoder, model.detector
    assert isinstance(tables, Tables)
    return {
        "format": FORMAT,
        "version": VERSION,
        "quantifier": tables.quantifier,
        "window": tables.window,
        "memory": tables.memory,
        **({"one_gender": True} if tables.one_gender else {}),  # not written else, so that digests of older files hold
        "vocabularies": {name: list(words) for name, words in tables.vocabularies.items()},
        "tables": {
            name: {"shape": list(weights.shape), "values": _sparse(weights.reshape(-1))}
            for name, weights in tables.weights.items()
        },
        "detector": detector
        and {
            **{part: _fractions(getattr(detector, part)) for part in PARTS},
            "quotes": detector.quotes,
        },
        "fitted_on": model.fitted_on,
        "options": model.options,
    }


def _fractions(weights: Weights) -> dict[str, dict[str, float]]:
    return {name: {text: value / UNIT for text, value in values.items()} for name, values in weights.items()}


def _sparse(values: Numbers) -> dict[str, float]:
    cells = np.flatnonzero(values)
    return {str(cell): value / UNIT for cell, value in zip(cells.tolist(), values[cells].tolist(), strict=True)}


def of_tables(
    tables: Tables, detector: Detector | None, name: str, fitted_on: list[dict[str, Any]], options: dict[str, Any]
) -> Model:
    """A fitted model with its digest."""
    model = Model(tables, detector, name, "", fitted_on, options)
    return model._replace(digest=_digest(_content(model)))


def of_rules(rules: Rules, name: str = "<rules>", options: dict[str, Any] | None = None) -> Model:
    """Rules with their digest."""
    return Model(rules, None, name, _digest([rules.numbers, rules.quantifier, rules.one_gender]), [], options or {})


def _tables(value: object, source: Source) -> Model:
    """The tables of a file: one with the right digest is what `save` wrote, unless another version did."""

    def refuse(problem: str) -> FormatError:
        return FormatError(source.name, None, problem)

    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise refuse(f'has no model; expected an object with "format": "{FORMAT}"')
    if value.get("version") != VERSION:
        raise refuse(f"found version {shown(value.get('version'))}; expected {VERSION}")
    digest = _digest({name: part for name, part in value.items() if name != "digest"})
    if value.get("digest") != digest:
        raise refuse(f"found the digest {shown(value.get('digest'))}; expected {digest}: the file was changed or cut off")
    for name in value.get("tables", ()):  # users add tables of their own
        if name not in TABLES:
            raise refuse(str(UnknownNameError("table", name, TABLES)))
    try:
        words, detector = value["vocabularies"], value["detector"]
        tables = Tables(
            {name: _weights(table, shape_of(TABLES[name], words)) for name, table in value["tables"].items()},
            words,
            value["quantifier"],
            value["window"],
            value["memory"],
            value.get("one_gender", False),
        )
        parts = detector and Detector(**{part: _whole(detector[part]) for part in PARTS}, quotes=detector["quotes"])
        return Model(tables, parts, source.name, digest, value["fitted_on"], value["options"])
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise refuse(f"is no right model ({shortened(str(error) or type(error).__name__, 120)}); fit it anew") from None


def _weights(table: Mapping[str, Any], shape: tuple[int, ...]) -> Numbers:
    weights = np.zeros(math.prod(shape), dtype=np.int32)
    for cell, weight in table["values"].items():
        weights[int(cell)] = round(weight * UNIT)
    return weights.reshape(shape)


def _whole(weights: Mapping[str, Mapping[str, float]]) -> Weights:
    """The weights of features as whole numbers, in hundredths."""
    return {name: {text: round(weight * UNIT) for text, weight in values.items()} for name, values in weights.items()}
