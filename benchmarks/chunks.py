"""Phrases in each format of `referee phrases`: `chunks.key.nbest` has the chunks of CoNLL-2000, 211,727 words.

A response lacks one chunk in twelve. `chunks-trees` and `chunks-dependencies` are what trees of GUM become, of which a response
has other names for one phrase or word in twelve, `chunks-mentions` are its mentions; the same are in `.columns` or `.spans`.
"""

from __future__ import annotations

import gzip
import json
import random
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import corpora
import formats

MISSED = 1 / 12
ARCHIVE, MEMBER = "conll2000.zip", "conll2000/train.txt"


class Sentence(NamedTuple):
    """Words, parts of speech, tags, and chunks: category, start and exclusive end."""

    words: tuple[str, ...]
    pos: tuple[str, ...]
    tags: list[str]
    chunks: list[tuple[str, int, int]]


def sentences(data: Sequence[Path], missed: float) -> Iterator[Sentence]:
    drawn = random.Random(1)
    text = zipfile.ZipFile(corpora.find(ARCHIVE, data)).read(MEMBER).decode()
    for block in text.strip().split("\n\n"):
        words, pos, key = zip(*(line.split() for line in block.splitlines()), strict=True)
        starts = [n for n, tag in enumerate(key) if not tag.startswith("I-")]
        chunks = [(key[a][2:], a, b) for a, b in pairwise([*starts, len(key)]) if key[a] != "O" and drawn.random() >= missed]
        tags = ["O"] * len(key)
        for _, a, b in chunks:
            tags[a:b] = key[a:b]
        yield Sentence(words, pos, tags, chunks)


def columns(of: Iterable[Sentence]) -> Iterator[str]:
    for s in of:
        yield "".join(map("{} {} {}\n".format, s.words, s.pos, s.tags)) + "\n"


def spans(of: Iterable[Sentence]) -> Iterator[str]:
    for s in of:
        yield _line({"tokens": s.words, "spans": [{"label": name, "start": a, "end": b} for name, a, b in s.chunks]})


def characters(of: Iterable[Sentence]) -> Iterator[str]:
    for s in of:
        at = [0]
        for word in s.words:
            at.append(at[-1] + len(word) + 1)
        found = [{"start": at[a], "end": at[b] - 1, "label": name} for name, a, b in s.chunks]
        yield _line({"text": " ".join(s.words), "ents": found})


def candidates(of: Iterable[Sentence]) -> Iterator[str]:
    """Each with a rival of another category."""
    every = list(of)
    names = sorted({name for s in every for name, *_ in s.chunks})
    yield _line({"format": "phrase-candidates", "version": 1, "categories": names, "default": {"type": "const", "p": 0}})
    for number, s in enumerate(every):
        listed = [c for name, *span in s.chunks for c in ([name, *span, 0.95], [names[name == names[0]], *span, 0.05])]
        yield _line({"id": str(number), "n": len(s.words), "c": listed})


def posteriors(of: Iterable[Sentence]) -> Iterator[str]:
    every = list(of)
    names = {name for s in every for name, *_ in s.chunks}
    tags = ["O", *(f"{side}-{name}" for name in sorted(names) for side in "BI")]
    yield _line({"format": "tag-posteriors", "version": 1, "tags": tags})
    rest = 0.001 / (len(tags) - 1)
    rows = {tag: [0.999 if tag == other else rest for other in tags] for tag in tags}
    for number, s in enumerate(every):
        yield _line({"id": str(number), "p": [rows[tag] for tag in s.tags]})


def nbest(of: Iterable[Sentence]) -> Iterator[str]:
    """Two analyses, of which the second has no chunk."""
    for s in of:
        for number, (p, tags) in enumerate(((0.8, s.tags), (0.15, ["O"] * len(s.tags)))):
            yield f"# {number} {p}\n" + "".join(map("{}\t{}\t{}\n".format, s.words, s.pos, tags)) + "\n"


FORMATS = {make.__name__: make for make in (columns, spans, characters, candidates, posteriors, nbest)}
KEYS = dict.fromkeys(("candidates", "parquet", "posteriors", "nbest"), "columns")
"""Formats of probabilities, which a key does not have, and that of their key."""


def trees(source: Path, missed: float) -> Iterator[str]:
    drawn = random.Random(1)
    for d in formats.documents(source):
        for a, b in pairwise(d.limits):
            bits = (d.parse[at].replace("*", f" ({d.pos[at]} {_bracketed(d.words[at])})") for at in range(a, b))
            tree = "".join(bits)
            yield tree.replace("(NP", "(QP" if drawn.random() < missed else "(NP") + "\n"


def _bracketed(word: str) -> str:
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def dependencies(lines: Iterable[str], missed: float) -> Iterator[str]:
    drawn = random.Random(1)
    for line in lines:
        cells = line.split("\t")
        if len(cells) == 10 and drawn.random() < missed:
            cells[3] = "X"
        yield "\t".join(cells)


def make(work: Path, name: str, data: Sequence[Path]) -> None:
    from referee.phrases.formats.reading import read
    from referee.phrases.formats.writing import write

    stem, side, ending = name.split(".")
    kind, missed = stem.removeprefix("chunks").removeprefix("-"), MISSED if side == "medium" else 0
    if ending == "parquet":
        of = work / f"chunks.{side}.candidates"
        corpora.write(of, candidates(sentences(data, missed)))
        write(read(of), work / name, format=ending)
    elif not kind:
        corpora.write(work / name, FORMATS[ending](sentences(data, missed)))
    elif ending == "trees":
        corpora.write(work / name, trees(corpora.make(work, "gum", data=data).key, missed))
    elif ending == "dependencies":
        with gzip.open(corpora.find("gum/gum.key.conllu.gz", data), "rt", encoding="utf-8") as lines:
            corpora.write(work / name, dependencies(lines, missed))
    elif kind == "mentions":
        pair = corpora.make(work, "gum", data=data)
        source = pair.key if side == "key" else pair.response
        if ending == "mentions":
            (work / name).symlink_to(source)
        else:
            write(read(source, format=kind), work / name, format=ending)
    else:
        source = work / f"{stem}.{side}.{kind}"
        if not source.exists():
            make(work, source.name, data)
        write(read(source, format=kind), work / name, format=ending)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
