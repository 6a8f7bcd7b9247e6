"""`fit`: from annotated files to a model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics import progress
from referee.basics.exceptions import FormatError, OptionError, check_name, counted, warn
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.source import Source
from referee.resolver.detect import fit_detector
from referee.resolver.files import Model, check_switch, digest_of, of_tables, save
from referee.resolver.fitting import EPOCHS, fit_tables
from referee.resolver.kinds import with_kinds
from referee.resolver.lexicon import KindLexicon, lexicon_for
from referee.resolver.memory import QUANTIFIERS
from referee.resolver.relations import Relations
from referee.resolver.synonyms import Synonyms, WordSets, synonyms_of
from referee.resolver.syntax import Syntax
from referee.resolver.tables import DEFAULT, TABLES
from referee.resolver.text import MentionSelection, annotated_mentions, read_input

FEW = 100
"""With fewer links between mentions, what is learnt from them is of little use."""

SELDOM = 50
"""In English one in 100 entities with he or she has both in the key, in French one in 14, where a sentry is elle."""


class Training(NamedTuple):
    """Annotated text to learn from.

    Parameters
    ----------
    syntax : Syntax
    selection : MentionSelection
    entity : int64, shape (mentions,)
        The first mention of the entity of each.
    fitted_on : list of dict
    """

    syntax: Syntax
    selection: MentionSelection
    entity: Ints
    fitted_on: list[dict[str, object]]


def read_training(paths: Sequence[str | os.PathLike[str]]) -> Training:
    """Read annotated files as one.

    Raises
    ------
    FormatError
        If there are no entities in them, or only some with one mention.
    """
    sources = [Source(path) for path in paths]
    raw = b"".join(_own_documents(source) for source in sources)
    name = sources[0].name if len(sources) == 1 else f"{sources[0].name} and {len(sources) - 1} more"
    text = read_input(Source(name, raw) if len(sources) > 1 else sources[0])
    if not len(text.corpus.document):
        raise FormatError(name, None, "has no entities (no attribute Entity); expected some to learn from")
    mentions = annotated_mentions(text.syntax, text.corpus)
    entity = mentions.entity
    assert entity is not None
    if (entity == np.arange(len(entity))).all():
        raise FormatError(name, None, "has only entities with one mention; expected some with several to learn from")
    fitted_on: list[dict[str, object]] = [
        {"file": _escaped(os.path.basename(source.name)), "documents": _documents(source), "digest": digest_of(source.raw())}
        for source in sources
    ]
    return Training(text.syntax, mentions, entity, fitted_on)


def _escaped(name: str) -> str:
    """A file name as models have it: of bytes that are not UTF-8, escapes."""
    return name.encode(errors="backslashreplace").decode()


def _own_documents(source: Source) -> bytes:
    """The text of a file, to be put before that of another."""
    raw = source.raw()
    return raw if raw.endswith(b"\n\n") else raw + b"\n\n"


def _documents(source: Source) -> int:
    return len(ConlluRows(_own_documents(source), source.raise_error).names)


def _one_gender(training: Training) -> bool:
    """Whether at most one in `SELDOM` entities with pronouns of one gender has those of another, too."""
    gender = training.selection.mentions.pronoun_gender
    pairs = np.unique(np.stack([training.entity, gender])[:, gender > 0], axis=1)
    entities = np.unique(pairs[0])
    return bool((pairs.shape[1] - len(entities)) * SELDOM <= len(entities))


def fit(
    train: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    quantifier: str = "any",
    epochs: int = EPOCHS,
    seed: int = 0,
    tables: Sequence[str] | None = None,
    one_gender: bool | None = None,
    synonyms: WordSets | Synonyms | None = None,
    lexicon: str | os.PathLike[str] | KindLexicon | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Model:
    """Fit tables, and a detector of mentions, to annotated text.

    Parameters
    ----------
    train : path or sequence of paths
        CoNLL-U with trees and Entity.
    quantifier : str
        One of any, mean, all, last, first.
    epochs : int
        How often each document is seen.
    seed : int
        Of the order of the documents.
    tables : sequence of str or None
        Names from `referee.resolver.tables.TABLES`; None for `DEFAULT`, which use no words but
        pronouns and determiners. Without synonyms, there is nothing to learn for `synonym`: it is left out.
    one_gender : bool or None
        Whether no entity that is found has pronouns of two genders, such as he and she. None to go by the text: if at most one
        in 50 of its entities with such pronouns has both.
    synonyms : path, sets of words, or None
        Heads that are compared as if they were equal. With them, the table `synonym` is fitted, too: what synonyms have
        besides.
    lexicon : str, path, KindLexicon or None
        What words say of what they name, for the table `kind`; as of `referee.resolve`.
    output : path or None
        Where to write the model, too.

    Returns
    -------
    Model
        To be given to `referee.resolve`.

    Raises
    ------
    FormatError
        If a file has no trees, or no entities with several mentions.

    Warns
    -----
    RefereeWarning
        If there are few links between mentions.
    """
    dictionary = synonyms_of(synonyms)
    names = tuple(dict.fromkeys(DEFAULT if tables is None else tables))
    names = tuple(name for name in names if name != "synonym") + (("synonym",) if dictionary else ())
    for name in names:
        check_name("table", name, TABLES)
    check_name("quantifier", quantifier, QUANTIFIERS)
    if one_gender is not None:
        check_switch("one_gender", one_gender)
    if epochs < 1 or not names:
        raise OptionError(f"found {epochs} epochs and {len(names)} tables; expected at least one of each")
    if seed < 0:
        raise OptionError(f"found the seed {seed}; expected 0 or more")
    progress.step("reading")
    training = read_training([train] if isinstance(train, (str, os.PathLike)) else train)
    links = int(np.count_nonzero(training.entity != np.arange(len(training.entity))))
    if links < FEW:
        warn(f"{training.syntax.source}: found {counted(links, 'link')} between mentions; expected {FEW} or more to learn from")
    progress.step("finding out what a mention is")
    detector = fit_detector(training.syntax, training.selection.mentions)
    words = lexicon_for(training.syntax, lexicon)
    names = names if words else tuple(name for name in names if name != "kind")
    relations = Relations(with_kinds(training.syntax, training.selection.mentions, words), synonyms=dictionary)
    fitted = fit_tables(relations, training.entity, tables=names, quantifier=quantifier, epochs=epochs, seed=seed)
    one_gender = _one_gender(training) if one_gender is None else one_gender
    fitted = replace(fitted, one_gender=one_gender)
    options: dict[str, object] = {"epochs": epochs, "seed": seed, **({"synonyms": dictionary.digest} if dictionary else {})}
    if "kind" in names and words:
        options["lexicon"] = words.digest
    model = of_tables(fitted, detector, "<fitted>", training.fitted_on, options)
    if output is not None:
        save(model, os.fspath(output))
    return model
