"""The experiment of Popescu-Belis and Robba (1998) on texts of the user: a resolver run on them, for its metrics to score.

Texts are CoNLL-U with trees. Their coreference is in the attribute Entity, or in a file of the same name beside it, in any
format: `balzac.conllu` and `balzac.jsonlines`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from referee.basics import progress
from referee.basics.exceptions import OptionError, check_name, counted
from referee.compat.papers import ResolvedTexts
from referee.corpus import Corpus
from referee.formats.corefud.reading import DEFAULT
from referee.formats.shared.source import Source
from referee.inputs.load import read_corpus
from referee.resolver.files import Model
from referee.resolver.learning import fit
from referee.resolver.resolving import resolution
from referee.resolver.text import read_input

OTHERS = "others"
"""The model that is fitted to those texts that are not scored."""

TREES = re.compile(r"(.+)\.conllu(?:\.gz)?")
HEADER = re.compile(r"^# global\.Entity\b.*\n", re.MULTILINE)


class Narrative(NamedTuple):
    """A text.

    Parameters
    ----------
    file : str
        Where it is.
    lines : str
        In CoNLL-U.
    key : Corpus
        The coreference of all texts of the file.
    """

    file: str
    lines: str
    key: Corpus


def resolved_texts(
    path: str | os.PathLike[str], *, documents: Sequence[str] = (), model: str | os.PathLike[str] | Model = "rules"
) -> ResolvedTexts:
    """Resolve texts whose coreference is known; of it, only the spans of the mentions are looked at.

    Parameters
    ----------
    path : path
        A folder with files in CoNLL-U, or one such file.
    documents : sequence of str
        Names of those that are scored; all if there are none.
    model : str, path or Model
        As of `referee.resolve`; or "others", which fits tables to the texts that are not scored.

    Raises
    ------
    OptionError
        If there are no texts, no coreference, no document of that name, or no others to fit to.
    FormatError
        If a file has no trees.
    MismatchError
        If the coreference is of other words.
    """
    texts = _texts(os.fspath(path))
    for name in documents:
        check_name("document", name, texts)
    judged = {name: text for name, text in texts.items() if name in documents or not documents}
    others = {name: text for name, text in texts.items() if name not in judged}
    if isinstance(model, str) and model == OTHERS:
        if not others:
            problem = "no text is left to fit tables to; expected the names of those that are scored (--documents)"
            raise OptionError(f"{os.fspath(path)}: {problem}")
        with TemporaryDirectory() as folder:
            train = os.path.join(folder, "others.conllu")
            with open(train, "w", encoding="utf-8", newline="") as file:
                file.write(_annotated(others))
            model, words = fit(train), f"tables fitted to {counted(len(others), 'other text')}"
    else:
        words = model.name if isinstance(model, Model) else os.path.basename(os.fspath(model))
    progress.step("resolving")
    source = Source(os.fspath(path), _annotated(judged).encode())
    key, response = (resolution(source, m, mentions="key", strategy=s).corpus for m, s in (("rules", "key"), (model, None)))
    return ResolvedTexts(key, response, words)


def _texts(path: str) -> dict[str, Narrative]:
    """All texts by their names."""
    texts: dict[str, Narrative] = {}
    for file in _files(path):
        progress.step(f"reading {os.path.basename(file)}")
        narrative = read_input(file)
        key = _key(file, narrative.corpus)
        lines = narrative.rows.raw.decode(errors="replace").splitlines(keepends=True)
        begins = [*narrative.rows.begins, len(lines) + 1]
        for name, (first, after) in zip(narrative.rows.names, pairwise(begins), strict=True):
            text, own = "".join(lines[max(first - 1, 0) : after - 1]), name
            if len(narrative.rows.names) == 1 and name == "#1":
                own = os.path.basename(TREES.sub(r"\1", file))
                text = f"# newdoc id = {own}\n" + re.sub(r"^# newdoc\b.*\n", "", text, flags=re.MULTILINE)
            if own in texts:
                raise OptionError(f"{file}: document {own!r} is in {texts[own].file}, too; expected each once")
            texts[own] = Narrative(file, text, key)
    return texts


def _files(path: str) -> list[str]:
    """The files in CoNLL-U."""
    if not os.path.isdir(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if TREES.fullmatch(name))
    if not names:
        raise OptionError(f"{path}: found no file that ends in .conllu or .conllu.gz; expected texts with trees")
    return [os.path.join(path, name) for name in names]


def _key(file: str, corpus: Corpus) -> Corpus:
    """The coreference of a file in CoNLL-U: its own, or that of the file beside it."""
    folder, name = os.path.split(file)
    match = TREES.fullmatch(name)
    stem = match[1] if match else name
    beside = [
        other for other in sorted(os.listdir(folder or ".")) if other.startswith(f"{stem}.") and not TREES.fullmatch(other)
    ]
    beside = [other for other in beside if not other.endswith(".txt")]  # of brat, it is the text alone
    annotation = ["the attribute Entity"] * (len(corpus.document) > 0) + beside
    if len(annotation) != 1:
        problem = f"found {' and '.join(annotation) or 'no coreference'}"
        raise OptionError(f"{file}: {problem}; expected Entity, or one file beside it, such as {stem}.jsonlines")
    return read_corpus(os.path.join(folder, beside[0])) if beside else corpus


def _annotated(texts: dict[str, Narrative]) -> str:
    """Texts as one, with their coreference in Entity."""
    parts = []
    for file in dict.fromkeys(text.file for text in texts.values()):
        own = {name: text for name, text in texts.items() if text.file == file}
        lines = "".join(text.lines for text in own.values())
        parts.append(_joined(Source(file, lines.encode()), _of_documents(own)))
    return f"# global.Entity = {DEFAULT}\n" + HEADER.sub("", "".join(parts))


def _of_documents(texts: dict[str, Narrative]) -> Corpus:
    """The coreference of some texts of a file; all of it if their names are not there, for messages about them."""
    key = next(iter(texts.values())).key
    rows = [n for n, name in enumerate(key.doc_ids) if name in texts]
    return key.select_documents(np.array(rows)) if rows else key


def _joined(source: Source, key: Corpus) -> str:
    """Lines in CoNLL-U with this coreference."""
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "joined.conllu")
        resolution(source, "rules", mentions=key, strategy="key").write(path, format="corefud")
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
