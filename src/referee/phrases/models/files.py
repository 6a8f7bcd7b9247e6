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
from typing import Any, TextIO

import numpy as np

from referee.basics.exceptions import FormatError, OptionError, UnknownNameError, check_name
from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.source import Source
from referee.phrases.annotation import DefaultProbabilities
from referee.phrases.annotation.candidates import check_probabilities
from referee.phrases.models.baselines import Baseline
from referee.phrases.models.lattice import Tagger
from referee.phrases.models.parses import WEIGHTS, PhraseModel, SentenceModel
from referee.phrases.models.rules import END, Rule, RuleModel
from referee.phrases.models.tagger import HMM

FORMAT, VERSION = "phrase-model", 1

PHRASE_MODELS = ("0", "1", "XK", "G", "C")

MAX_COUNT = 1 << 53

WRONG_VALUES = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
"""What the values of a file that is no model raise."""


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
        return _model(value, tagger)
    except (OptionError, UnknownNameError) as error:
        raise FormatError(source.name, None, str(error)) from None
    except WRONG_VALUES as error:
        problem = f"is no right model ({type(error).__name__}); expected what `referee phrases fit` writes: fit it anew"
        raise FormatError(source.name, None, problem) from None


def _model(value: dict[str, Any], tagger: Tagger | None) -> PhraseModel:
    name, categories = value["model"], _names(value["categories"])
    kind, _, rest = name.partition("(")
    if kind in WEIGHTS and rest:
        phrases = value["phrases"]
        check_name("model", phrases["model"], PHRASE_MODELS)
        return SentenceModel(kind, _model({"categories": categories, **phrases}, tagger))
    check_name("model", name, PHRASE_MODELS)
    if name in ("G", "C"):
        return _rule_model(value, name, categories, tagger)
    constant = DefaultProbabilities.constant
    return Baseline(name, categories, _default(value, categories) if name == "XK" else constant(value["p"]))


def _names(values: Any) -> tuple[str, ...]:  # noqa: ANN401  # of a file
    names = tuple(values)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise OptionError(f"found {shown(values)}; expected different names")
    return names


def _default(value: dict[str, Any], categories: tuple[str, ...]) -> DefaultProbabilities:
    table = np.array(value["table"], dtype=np.float64)
    if len(table) != len(categories):
        raise OptionError(f"found a table of {len(table)} categories; expected {len(categories)}")
    return DefaultProbabilities.by_length(table, value["beyond"])


def _rule_model(value: dict[str, Any], name: str, categories: tuple[str, ...], tagger: Tagger | None) -> RuleModel:
    tags, rules = _names(value["tags"]), value["rules"]
    for category, sequence, _, next_tags in rules:
        if category not in categories:
            raise OptionError(f"found a rule of the category {category!r}; expected one of {', '.join(categories)}")
        if not sequence or not {*sequence} <= {*tags} or not next_tags.keys() <= {*tags, END}:
            raise OptionError(f"found the tags {shown(sequence)} in a rule of {category}; expected tags of the model")
    if len({(category, *sequence) for category, sequence, _, _ in rules}) < len(rules):
        raise OptionError("found a rule twice; expected each once")
    p = [p for _, _, p, next_tags in rules for p in (p, *next_tags.values())]
    check_probabilities(np.array(p, dtype=np.float64), "rules")
    uncovered = _default(value["uncovered"], categories)
    return RuleModel(name, categories, tags, [Rule(*row) for row in rules], uncovered, _tagger(value, tags, tagger))


def _tagger(value: dict[str, Any], tags: tuple[str, ...], tagger_of_user: Tagger | None) -> Tagger | None:
    saved = value["tagger"]
    if saved is None:
        return None
    tagger = tagger_of_user if saved == "own" else _hmm(saved)
    if tagger is None:
        raise OptionError("was made with a tagger that is not in the file; expected it to be given again")
    if tagger.tags != tags:
        raise OptionError("found a tagger with other tags than the model's; expected the same")
    return tagger


def _hmm(value: dict[str, Any]) -> HMM:
    tags, transitions = _names(value["tags"]), np.array(value["transitions"], dtype=np.int64)
    is_count = (transitions >= 0) & (transitions < MAX_COUNT)
    if transitions.shape != (len(tags) + 1,) * 2 or not is_count.all() or not transitions[:, :-1].sum(axis=0).all():
        raise OptionError(
            "found transitions that are not counts of pairs of tags; expected one row and one column more than tags"
        )
    number = {tag: t for t, tag in enumerate(tags)}
    words = {word: {number[tag]: n for tag, n in counts.items()} for word, counts in value["words"].items()}
    if any(type(n) is not int or not 0 < n < MAX_COUNT for counts in words.values() for n in counts.values()):
        raise OptionError("found a word whose tags are not counted; expected counts above 0")
    return HMM(tags, transitions, words)
