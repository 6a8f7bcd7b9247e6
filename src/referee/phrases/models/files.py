r"""Models in files: JSON, to be read by people as well.

::

    {"format": "phrase-model", "version": 1, "model": "C", "categories": ["NP", ...], "tags": ["CC", ...],
     "tagger": null, "uncovered": {"table": [[0.01, 0.002], ...], "beyond": 0.003},
     "rules": [["NP", ["DT", "NN"], 0.83, {"VBD": 0.97, "NN": 0.02, "</s>": 0.9}], ...]}

``p``
    of models 0 and 1: the probability
``table``, ``beyond``
    of XK, and in ``uncovered``: probabilities by category and length 1, 2, ..., and of all that is longer
``rules``
    of G and C: category, tags, P(T | category, tags), and P(T | category, tags, next tag) where the next tag was seen
``tagger``
    null: tags are those of the corpus. "own": a tagger of yours, which is given again when the model is loaded. Or the counts
    of the HMM: ``tags``, ``transitions`` (the last row is the beginning of a sentence, the last column its end), and ``words``
``phrases``
    of S and Z: the model whose probabilities they start from
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from referee.exceptions import FormatError, OptionError, UnknownNameError
from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.source import Source
from referee.phrases.candidates import Default, Sentences
from referee.phrases.models.by_length import ByLength
from referee.phrases.models.constant import Constant
from referee.phrases.models.lattice import Lattice, Tagger, starts
from referee.phrases.models.registry import Model
from referee.phrases.models.rules import Rules, grammar_of
from referee.phrases.models.sentence import SentenceModel
from referee.phrases.models.sequence import WEIGHTS
from referee.phrases.models.tagger import HMM
from referee.phrases.models.trie import paths_of

FORMAT, VERSION = "phrase-model", 1


def save(model: Model, out: TextIO) -> None:
    """Write a model. A tagger other than ours is not saved."""

    def written(tagger: object) -> object:
        return tagger.values() if isinstance(tagger, HMM) else "own"

    header = {"format": FORMAT, "version": VERSION, "model": model.name, "categories": model.categories}
    out.write(json.dumps({**header, **model.values()}, ensure_ascii=False, default=written) + "\n")


def load(source: Source, tagger: Tagger | None = None) -> Model:
    """The model of a file.

    tagger : the one the model was fitted with, if it is not ours
    """
    value = parse(source.text(source.fault), source.fault)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise FormatError(source.name, None, f'found no model; expected an object with "format": "{FORMAT}"')
    if value.get("version") != VERSION:
        raise FormatError(source.name, None, f"found version {shown(value.get('version'))}; expected {VERSION}")
    try:
        return _Reader(value, tagger).model()
    except (OptionError, UnknownNameError) as error:
        raise FormatError(source.name, None, str(error)) from None


class _Reader:
    """Reads what the keys of an object hold; OptionError for what they cannot."""

    def __init__(self, value: dict[str, Any], tagger: Tagger | None) -> None:
        self.value = value
        self.tagger = tagger

    def model(self) -> Model:
        name, categories = self._string("model"), self._strings("categories")
        kind, _, rest = name.partition("(")
        if kind in WEIGHTS and rest:
            inner = {"categories": list(categories), **self._object("phrases")}
            phrases = _Reader(inner, self.tagger)
            if phrases._string("model") in READERS:
                return SentenceModel(kind, phrases.model())
            raise OptionError(f"found {name} of {shown(inner.get('model'))}; expected one of {', '.join(READERS)}")
        if name not in READERS:
            raise UnknownNameError("model", name, READERS)
        return READERS[name](self, name, categories)

    def constant(self, name: str, categories: tuple[str, ...]) -> Model:
        return Constant(name, categories, _number(self.value.get("p"), "p"))

    def by_length(self, name: str, categories: tuple[str, ...]) -> Model:
        return ByLength(name, categories, _default(self.value, categories))

    def rules(self, name: str, categories: tuple[str, ...]) -> Model:
        tags = self._strings("tags")
        rules = [_rule(row) for row in self._list("rules")]
        number, tag_number = {x: i for i, x in enumerate(categories)}, {t: i for i, t in enumerate((*tags, "</s>"))}
        for name_, sequence, _, follow in rules:
            if name_ not in number:
                raise OptionError(f"found a rule of the category {name_!r}; expected one of {', '.join(categories)}")
            if unknown := {*sequence, *follow} - set(tag_number) | ({"</s>"} & set(sequence)):
                raise OptionError(f"found the tag {min(unknown)!r} in a rule of {name_}; expected a tag of the model")
        sentences = Sentences.numbered([len(r[1]) for r in rules], tags=[r[1] for r in rules])
        trie, paths = paths_of(Lattice.certain(sentences, tags), starts(sentences), sentences.length)
        node = np.empty(len(rules), dtype=np.int64)
        node[paths.origin] = paths.node
        category = np.array([number[r[0]] for r in rules], dtype=np.int64)
        grammar = grammar_of(trie, node, category, len(categories))
        if len(grammar.node) < len(rules):
            raise OptionError("found a rule twice; expected each once")
        order = np.lexsort((category, node))
        width = len(tags) + 2
        contexts = sorted(
            (rule * width + tag_number[tag], p) for rule, row in enumerate(order.tolist()) for tag, p in rules[row][3].items()
        )
        return Rules(
            name, categories, tags, grammar,
            np.array([rules[row][2] for row in order.tolist()], dtype=np.float64),
            np.array([context for context, _ in contexts], dtype=np.int64),
            np.array([p for _, p in contexts], dtype=np.float64),
            _default(self._object("uncovered"), categories), self._tagger(tags),
        )  # fmt: skip

    def _tagger(self, tags: tuple[str, ...]) -> Tagger | None:
        given = self.value.get("tagger")
        if given is None:
            return None
        tagger = self.tagger if given == "own" else _Reader(self._object("tagger"), None).hmm()
        if tagger is None:
            raise OptionError("was made with a tagger that is not in the file; expected it to be given again")
        if tagger.tags != tags:
            raise OptionError("found a tagger with other tags than the model's; expected the same")
        return tagger

    def hmm(self) -> HMM:
        tags = self._strings("tags")
        number = {tag: t for t, tag in enumerate(tags)}
        transitions = _array(self.value.get("transitions"), "transitions")
        if transitions.shape != (len(tags) + 1,) * 2 or (transitions < 0).any() or (transitions % 1).any():
            raise OptionError(
                "found transitions that are no counts of pairs of tags; expected a row and a column more than tags"
            )
        words: dict[str, dict[int, int]] = {}
        for word, counts in self._object("words").items():
            if not isinstance(counts, dict) or not counts.keys() <= number.keys():
                raise OptionError(f"found {shown(counts)} for a word; expected counts of the model's tags")
            if any(type(n) is not int or not 0 < n < 1 << 53 for n in counts.values()):
                raise OptionError(f"found {shown(counts)} for a word; expected counts above 0")
            words[word] = {number[tag]: n for tag, n in counts.items()}
        if not transitions[:, :-1].sum(axis=0).all():
            raise OptionError("found a tag that was never seen; expected each in the transitions")
        return HMM(tags, transitions.astype(np.int64), words)

    def _string(self, key: str) -> str:
        value = self.value.get(key)
        if not isinstance(value, str):
            raise OptionError(f"found {shown(value)} as `{key}`; expected a string")
        return value

    def _list(self, key: str) -> list[Any]:
        value = self.value.get(key)
        if not isinstance(value, list):
            raise OptionError(f"found {shown(value)} as `{key}`; expected a list")
        return value

    def _object(self, key: str) -> dict[str, Any]:
        value = self.value.get(key)
        if not isinstance(value, dict):
            raise OptionError(f"found {shown(value)} as `{key}`; expected an object")
        return value

    def _strings(self, key: str) -> tuple[str, ...]:
        values = self._list(key)
        if not all(isinstance(value, str) for value in values) or len(set(values)) < len(values):
            raise OptionError(f"found {shown(values)} as `{key}`; expected different strings")
        return tuple(values)


READERS: dict[str, Callable[[_Reader, str, tuple[str, ...]], Model]] = {
    "0": _Reader.constant,
    "1": _Reader.constant,
    "XK": _Reader.by_length,
    "G": _Reader.rules,
    "C": _Reader.rules,
}


def _rule(row: object) -> tuple[str, list[str], float, dict[str, float]]:
    if not (
        isinstance(row, list) and len(row) == 4 and isinstance(row[0], str) and isinstance(row[1], list) and row[1]
        and all(isinstance(tag, str) for tag in row[1]) and isinstance(row[3], dict)
    ):  # fmt: skip
        raise OptionError(
            f"found the rule {shown(row)}; expected [category, [tag, ...], probability, {{next tag: probability}}]"
        )
    return row[0], row[1], _number(row[2], "probability"), {tag: _number(p, "probability") for tag, p in row[3].items()}


def _number(value: object, name: str) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:  # type: ignore[operator]  # a number by then
        raise OptionError(f"found {shown(value)} as {name}; expected a number from 0 to 1")
    return float(value)  # type: ignore[arg-type]


def _array(value: object, name: str) -> NDArray[np.float64]:
    """Lists of numbers, all of one length."""
    rows: list[Any] = value if isinstance(value, list) else [None]
    if not all(isinstance(row, list) and all(type(x) in (int, float) and abs(x) < 1 << 53 for x in row) for row in rows):
        raise OptionError(f"found {shown(value)} as `{name}`; expected lists of numbers")
    if not rows:
        raise OptionError(f"found nothing in `{name}`; expected lists of numbers")
    if len({len(row) for row in rows}) > 1:
        raise OptionError(f"found lists of different lengths in `{name}`; expected one length")
    return np.array(rows, dtype=np.float64).reshape(len(rows), -1)


def _default(value: dict[str, Any], categories: tuple[str, ...]) -> Default:
    table = _array(value.get("table"), "table")
    if len(table) != len(categories):
        raise OptionError(f"found a table of {len(table)} categories; expected {len(categories)}")
    return Default.by_length(table, _number(value.get("beyond"), "beyond"))
