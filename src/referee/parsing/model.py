"""A model of a parser in one file: what was learnt to split texts, to tag words and to make trees. Nothing in it is run.

A file is the line `MAGIC`, the digest (BLAKE2b, 16 bytes) of what follows, the size of a JSON object (8 bytes, the least
first), this object in UTF-8, and the arrays of `network.shapes` in their order, int8, biases int16, the least byte first. It
is not packed: programs that pack do not all give the same bytes, and a wheel is packed anyway. The object::

    {"format": "parser", "version": 1, "name": "english", "language": "en", "licence": "CC BY-SA 4.0",
     "sources": [{"file": "train.conllu", "sentences": 2387, "words": 48772, "digest": "..."}],
     "splitting": {...}, "size": {"word": 48, ...}, "seen": {"word": ["the", ...], ...},
     "tags": [["NOUN", "NN"], ...], "labels": ["punct", ...], "root": "root",
     "feats": {"NOUN NN": {"": "Number=Sing", ...}, ...}, "lemma": {"NOUN NNS": {"s": "1", ...}, ...}}
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats
from referee.algorithms.digest import blake2b
from referee.basics.exceptions import FormatError, MissingFileError, brief, counted, shortened
from referee.basics.files import written_whole
from referee.parsing.lexicon import Lexicon
from referee.parsing.network import EXACT, Weights, Widths, largest_sums, shapes
from referee.parsing.spelling import PIECES
from referee.parsing.splitting.learnt import Splitting

MAGIC = b"referee parser 1\n"
VERSION = 1
DIGEST = 16
LARGEST_FILE = 1 << 28
"""The most bytes of a model."""

SHIPPED = os.path.join(os.path.dirname(__file__), "models")
NAMES = ("english",)
"""The models that come with the package."""


class ParserModel(NamedTuple):
    """A model of a parser.

    Parameters
    ----------
    name, language, licence : str
    sources : sequence of dict
        The files it was fitted to: file, sentences, words, digest.
    splitting : Splitting
        How texts of the language are split.
    size : Widths
        Of the network.
    seen : mapping of str to sequence of str
        The lists of `spelling`.
    tags : sequence of (str, str)
        UPOS and XPOS.
    labels : sequence of str
        The relations, but for that of the root.
    root : str
        The relation of the root.
    lexicon : Lexicon
    weights : mapping of str to float32 array
        Whole numbers.
    """

    name: str
    language: str
    licence: str
    sources: Sequence[Mapping[str, Any]]
    splitting: Splitting
    size: Widths
    seen: Mapping[str, Sequence[str]]
    tags: Sequence[tuple[str, str]]
    labels: Sequence[str]
    root: str
    lexicon: Lexicon
    weights: Weights

    def __repr__(self) -> str:
        return f"<ParserModel {brief(self.name)}: {self.language}, fitted on {counted(len(self.sources), 'file')}>"

    @property
    def digest(self) -> str:
        """Of all that is in the file."""
        return _digest(_payload(self)).hex()


def _shapes(model: ParserModel) -> dict[str, tuple[int, ...]]:
    return shapes(model.size, {name: len(texts) for name, texts in model.seen.items()}, len(model.tags), len(model.labels))


def _digest(payload: bytes) -> bytes:
    return bytes(blake2b(payload, digest_size=DIGEST).digest())


def _kind(name: str) -> np.dtype[Any]:
    return np.dtype("<i2" if name.endswith("bias") else "i1")


def _payload(model: ParserModel) -> bytes:
    header = {
        "format": "parser",
        "version": VERSION,
        "name": model.name,
        "language": model.language,
        "licence": model.licence,
        "sources": [dict(source) for source in model.sources],
        "splitting": model.splitting.values(),
        "size": model.size._asdict(),
        "seen": {name: list(texts) for name, texts in model.seen.items()},
        "tags": [list(tag) for tag in model.tags],
        "labels": list(model.labels),
        "root": model.root,
        "feats": model.lexicon.feats,
        "lemma": model.lexicon.lemma,
    }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    arrays = [model.weights[name].astype(_kind(name)).tobytes() for name in _shapes(model)]
    return b"".join([len(text).to_bytes(8, "little"), text, *arrays])


def save(model: ParserModel, path: str) -> None:
    """Write a model; equal models give equal files.

    Raises
    ------
    OptionError
        If the file cannot be written.
    """
    payload = _payload(model)
    with written_whole(path) as partial, open(partial, "wb") as file:
        file.write(MAGIC + _digest(payload) + payload)


def load(name: str | os.PathLike[str] | ParserModel = "english") -> ParserModel:
    """Load a model.

    Parameters
    ----------
    name : str or path
        "english" for the one that comes with the package; else a file that ``referee parse fit`` wrote.

    Raises
    ------
    FormatError
        If the file has no model, or wrong values.
    """
    if isinstance(name, ParserModel):
        return name
    path = os.fspath(name)
    return _load(os.path.join(SHIPPED, path + ".model")) if path in NAMES else _read(path)


@lru_cache(maxsize=1)  # those that are shipped do not change
def _load(path: str) -> ParserModel:
    return _read(path)


def _read(path: str) -> ParserModel:
    def refuse(problem: str) -> FormatError:
        return FormatError(path, None, problem)

    try:
        with open(path, "rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise MissingFileError(path, None, f"cannot be opened: no such file; a model is {', '.join(NAMES)}, or a file of "
                               "`referee parse fit`") from None  # fmt: skip
    except OSError as error:
        raise refuse(f"cannot be opened: {(error.strerror or str(error)).lower()}") from None
    start = len(MAGIC) + DIGEST
    if not raw.startswith(MAGIC):
        beginning = shortened(repr(raw[: len(MAGIC)].decode(errors="replace")))
        raise refuse(f"found {beginning}; expected a model that `referee parse fit` of this version wrote")
    payload = raw[start:]
    if _digest(payload) != raw[len(MAGIC) : start]:
        raise refuse("has another digest than its content; expected the same: the file was changed or cut off")
    try:  # a file with the right digest is what `save` wrote, unless another version did
        return _model(payload)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise refuse(f"is no right model ({shortened(str(error) or type(error).__name__, 120)}); fit it anew") from None


def _model(payload: bytes) -> ParserModel:
    """The model of a file; ValueError, KeyError or TypeError if it is one of another version."""
    behind = 8 + int.from_bytes(payload[:8], "little")
    header = json.loads(payload[8:behind])
    if header["format"] != "parser" or header["version"] != VERSION:
        raise ValueError(f"version {header['version']} instead of {VERSION}")
    model = ParserModel(
        header["name"],
        header["language"],
        header["licence"],
        header["sources"],
        Splitting.from_values(header["splitting"]),
        Widths(**header["size"]),
        {name: header["seen"][name] for name in PIECES},
        [(upos, xpos) for upos, xpos in header["tags"]],
        header["labels"],
        header["root"],
        Lexicon(header["feats"], header["lemma"]),
        {},
    )
    return model._replace(weights=_weights(payload, behind, _shapes(model)))


def check_exact(weights: Weights) -> None:
    """Raise a ValueError if the sums of a network may be too large to be exact."""
    for layer, largest in largest_sums(weights).items():
        if largest >= EXACT:
            raise ValueError(f"sums of the layer {layer} reach {largest:.0f}, expected less than {EXACT}")


def _weights(payload: bytes, start: int, expected: Mapping[str, tuple[int, ...]]) -> dict[str, Floats]:
    weights: dict[str, Floats] = {}
    for name, shape in expected.items():
        kind, cells = _kind(name), int(np.prod(shape))
        weights[name] = np.frombuffer(payload, kind, cells, start).reshape(shape).astype(np.float32)
        start += cells * kind.itemsize
    if start != len(payload):
        raise ValueError("there is more than the arrays")
    return weights
