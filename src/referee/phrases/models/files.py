r"""Models as files: JSON that people can read, too.

::

    {"format": "phrase-model", "version": 1, "model": "C", "categories": ["NP", ...], "tags": ["CC", ...],
     "tagger": null, "uncovered": {"table": [[0.01, 0.002], ...], "beyond": 0.003},
     "rules": [["NP", ["DT", "NN"], 0.83, {"VBD": 0.97, "NN": 0.02, "</s>": 0.9}], ...]}

``p``
    of models 0 and 1: the probability
``table``, ``beyond``
    of XK, and in ``uncovered``: probabilities by category and length 1, 2, ..., and of all longer candidates
``rules``
    of G and C: category, tags, P(T | category, tags), and P(T | category, tags, next tag) where the next tag was seen
``tagger``
    null: tags are those of the corpus. "own": a tagger that is not in the file and must be given again when the model is
    loaded. Or the counts of the HMM: ``tags``, ``transitions`` (the last row is the beginning of a sentence, the last
    column its end) and ``words``
``phrases``
    of S and Z: the model whose probabilities they start from
"""

from __future__ import annotations

import json
from typing import NamedTuple, TextIO, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, Ints
from referee.basics.exceptions import FormatError, OptionError, UnknownNameError, check_name
from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.source import Source
from referee.phrases.annotation import DefaultProbabilities, Sentences
from referee.phrases.models.baselines import Baseline
from referee.phrases.models.lattice import Lattice, Tagger, first_positions
from referee.phrases.models.parses import WEIGHTS, PhraseModel, SentenceModel
from referee.phrases.models.rules import Grammar, RuleModel
from referee.phrases.models.tagger import HMM
from referee.phrases.models.trie import span_paths

FORMAT, VERSION = "phrase-model", 1

PHRASE_MODELS = ("0", "1", "XK", "G", "C")

END = "</s>"
"""The tag of the end of a sentence."""


def save(model: PhraseModel, out: TextIO) -> None:
    """Write a model. Of taggers, only the HMM is saved."""

    def tagger_values(tagger: object) -> object:
        return tagger.values() if isinstance(tagger, HMM) else "own"

    header = {"format": FORMAT, "version": VERSION, "model": model.name, "categories": model.categories}
    out.write(json.dumps({**header, **model.values()}, ensure_ascii=False, default=tagger_values) + "\n")


def load(source: Source, tagger: Tagger | None = None) -> PhraseModel:
    """Read a model.

    Parameters
    ----------
    source
        The file.
    tagger
        The tagger with which the model was fitted, if it is not in the file.

    Raises
    ------
    FormatError
        If the file has no model, or one with wrong values.
    """
    value = parse(source.text(source.raise_error), source.raise_error)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise FormatError(source.name, None, f'found no model; expected an object with "format": "{FORMAT}"')
    if value.get("version") != VERSION:
        raise FormatError(source.name, None, f"found version {shown(value.get('version'))}; expected {VERSION}")
    try:
        return _model(_Object(value), tagger)
    except (OptionError, UnknownNameError) as error:
        raise FormatError(source.name, None, str(error)) from None


Kind = TypeVar("Kind", str, list[object], dict[str, object])


class _Object:
    """A JSON object whose values are checked when they are asked for; OptionError for wrong ones."""

    def __init__(self, values: dict[str, object]) -> None:
        self.values = values

    def string(self, key: str) -> str:
        return self._typed(key, str, "a string")

    def items(self, key: str) -> list[object]:
        return self._typed(key, list, "a list")

    def child(self, key: str) -> _Object:
        return _Object(self._typed(key, dict, "an object"))

    def _typed(self, key: str, kind: type[Kind], expected: str) -> Kind:
        value = self.values.get(key)
        if not isinstance(value, kind):
            raise OptionError(f"found {shown(value)} as `{key}`; expected {expected}")
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        values = self.items(key)
        strings = tuple(value for value in values if isinstance(value, str))
        if len(set(strings)) < len(values):
            raise OptionError(f"found {shown(values)} as `{key}`; expected different strings")
        return strings

    def probability(self, key: str) -> float:
        return _probability(self.values.get(key), key)

    def numbers(self, key: str) -> NDArray[np.float64]:
        """Lists of numbers, all of one length."""
        value = self.values.get(key)
        if not _are_numbers(value):
            raise OptionError(f"found {shown(value)} as `{key}`; expected lists of numbers")
        if not value:
            raise OptionError(f"found nothing in `{key}`; expected lists of numbers")
        if len({len(row) for row in value}) > 1:
            raise OptionError(f"found lists of different lengths in `{key}`; expected one length")
        return np.array(value, dtype=np.float64).reshape(len(value), -1)


class _Rule(NamedTuple):
    """A rule: category, tags, P(T | category, tags), and the probabilities given the next tag."""

    category: str
    tags: list[str]
    probability: float
    next_tags: dict[str, float]


def _model(value: _Object, tagger: Tagger | None) -> PhraseModel:
    name, categories = value.string("model"), value.strings("categories")
    kind, _, rest = name.partition("(")
    if kind in WEIGHTS and rest:
        phrases = _Object({"categories": list(categories), **value.child("phrases").values})
        if phrases.string("model") in PHRASE_MODELS:
            return SentenceModel(kind, _model(phrases, tagger))
        raise OptionError(f"found {name} of {shown(phrases.string('model'))}; expected one of {', '.join(PHRASE_MODELS)}")
    check_name("model", name, PHRASE_MODELS)
    if name in ("G", "C"):
        return _rule_model(value, name, categories, tagger)
    constant = DefaultProbabilities.constant
    return Baseline(name, categories, _default(value, categories) if name == "XK" else constant(value.probability("p")))


def _rule_model(value: _Object, name: str, categories: tuple[str, ...], tagger: Tagger | None) -> RuleModel:
    tags = value.strings("tags")
    rules = [_rule(row) for row in value.items("rules")]
    _check_names(rules, categories, tags)
    grammar, order = _grammar(rules, categories, tags)
    rules = [rules[row] for row in order.tolist()]
    contexts, context_p = _contexts(rules, tags)
    uncovered, tagger = _default(value.child("uncovered"), categories), _tagger(value, tags, tagger)
    p = np.array([rule.probability for rule in rules], dtype=np.float64)
    return RuleModel(name, categories, tags, grammar, p, contexts, context_p, uncovered, tagger)


def _rule(row: object) -> _Rule:
    match row:
        case [str(category), [str(), *_] as values, p, dict(next_tags)]:
            tags = [tag for tag in values if isinstance(tag, str)]
            if len(tags) == len(values):
                probabilities = {tag: _probability(q, "probability") for tag, q in next_tags.items()}
                return _Rule(category, tags, _probability(p, "probability"), probabilities)
    raise OptionError(f"found the rule {shown(row)}; expected [category, [tag, ...], probability, {{next tag: probability}}]")


def _check_names(rules: list[_Rule], categories: tuple[str, ...], tags: tuple[str, ...]) -> None:
    known = set(tags)
    for rule in rules:
        if rule.category not in categories:
            raise OptionError(f"found a rule of the category {rule.category!r}; expected one of {', '.join(categories)}")
        if unknown := ({*rule.tags} - known) | ({*rule.next_tags} - known - {END}):
            raise OptionError(f"found the tag {min(unknown)!r} in a rule of {rule.category}; expected a tag of the model")


def _grammar(rules: list[_Rule], categories: tuple[str, ...], tags: tuple[str, ...]) -> tuple[Grammar, Ints]:
    """The grammar, and the order of its rules."""
    sentences = Sentences.numbered([len(rule.tags) for rule in rules], tags=[rule.tags for rule in rules])
    trie, paths = span_paths(Lattice.certain(sentences, tags), first_positions(sentences), sentences.length)
    node = np.empty(len(rules), dtype=np.int64)
    node[paths.origin] = paths.node
    category = np.array([categories.index(rule.category) for rule in rules], dtype=np.int64)
    grammar = Grammar.build(trie, node, category, len(categories))
    if len(grammar.node) < len(rules):
        raise OptionError("found a rule twice; expected each once")
    return grammar, np.lexsort((category, node))


def _contexts(rules: list[_Rule], tags: tuple[str, ...]) -> tuple[Ints, Floats]:
    """The contexts of the rules, sorted, and their probabilities."""
    number = {tag: t for t, tag in enumerate((*tags, END))}
    width = len(tags) + 2
    contexts = sorted((row * width + number[tag], p) for row, rule in enumerate(rules) for tag, p in rule.next_tags.items())
    keys = np.array([context for context, _ in contexts], dtype=np.int64)
    return keys, np.array([p for _, p in contexts], dtype=np.float64)


def _tagger(value: _Object, tags: tuple[str, ...], given: Tagger | None) -> Tagger | None:
    saved = value.values.get("tagger")
    if saved is None:
        return None
    tagger = given if saved == "own" else _hmm(value.child("tagger"))
    if tagger is None:
        raise OptionError("was made with a tagger that is not in the file; expected it to be given again")
    if tagger.tags != tags:
        raise OptionError("found a tagger with other tags than the model's; expected the same")
    return tagger


def _hmm(value: _Object) -> HMM:
    tags = value.strings("tags")
    transitions = value.numbers("transitions")
    if transitions.shape != (len(tags) + 1,) * 2 or (transitions < 0).any() or (transitions % 1).any():
        raise OptionError(
            "found transitions that are not counts of pairs of tags; expected one row and one column more than tags"
        )
    number = {tag: t for t, tag in enumerate(tags)}
    words = {word: _tag_counts(counts, number) for word, counts in value.child("words").values.items()}
    if not transitions[:, :-1].sum(axis=0).all():
        raise OptionError("found a tag that was never seen; expected each in the transitions")
    return HMM(tags, transitions.astype(np.int64), words)


def _tag_counts(counts: object, number: dict[str, int]) -> dict[int, int]:
    """The counts of a word's tags, by number."""
    if not isinstance(counts, dict) or not counts.keys() <= number.keys():
        raise OptionError(f"found {shown(counts)} for a word; expected counts of the model's tags")
    if any(type(n) is not int or not 0 < n < 1 << 53 for n in counts.values()):
        raise OptionError(f"found {shown(counts)} for a word; expected counts above 0")
    return {number[tag]: n for tag, n in counts.items()}


def _are_numbers(value: object) -> TypeGuard[list[list[float]]]:
    return isinstance(value, list) and all(
        isinstance(row, list) and all(type(x) in (int, float) and abs(x) < 1 << 53 for x in row) for row in value
    )


def _probability(value: object, name: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise OptionError(f"found {shown(value)} as {name}; expected a number from 0 to 1")


def _default(value: _Object, categories: tuple[str, ...]) -> DefaultProbabilities:
    table = value.numbers("table")
    if len(table) != len(categories):
        raise OptionError(f"found a table of {len(table)} categories; expected {len(categories)}")
    return DefaultProbabilities.by_length(table, value.probability("beyond"))
