"""The files the benchmarks read: a key and a response for each set, all in CoNLL-2012 format, in one work folder.

| set | what | where from |
|---|---|---|
| tiny | 2 documents, 33 words: what a start costs | written below |
| litbank, gum | 100 and 263 documents | key and medium response of the conformance kit (`--data`) |
| long | litbank as one document | the kit |
| gum10 | ten copies of gum | made from gum |
| one-SIZE-RESPONSE | one document with SIZE mentions | made up, see `write_synthetic` and `RESPONSES` |

Files that are there already are left alone.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

KIT_SETS = ("litbank", "gum", "long")
COPIES = 10
MENTIONS_PER_ENTITY = 5
SLOT = 3  # words from the start of a mention to the start of the next
SLOTS = 10  # mentions in a sentence, an even number
SEED = 1995


class Response(NamedTuple):
    """What a response makes of the mentions of a key.

    moved : the share that is in an entity drawn at random
    kept : the share that is there
    resized : the share that ends one word earlier or later, of the short ones: missed and spurious
    skew : the larger, the more of what is moved is in the same few entities; in one if it is infinite
    """

    moved: float = 1.0
    kept: float = 1.0
    resized: float = 0.0
    skew: float = 1.0

    def __call__(self, entity: Ints, entities: int, random: np.random.Generator) -> tuple[Ints, NDArray[np.bool_]]:
        """The entity of each mention, and which are there."""
        size = len(entity)
        drawn = (entities * random.random(size) ** self.skew).astype(np.int64)
        return np.where(random.random(size) < self.moved, drawn, entity), random.random(size) < self.kept


RESPONSES = {
    "mild": Response(0.02, resized=0.05),
    "medium": Response(0.15, resized=0.05),
    "unlike": Response(),
    "random": Response(kept=0.5, resized=0.5, skew=3),
    "empty": Response(kept=0),
    "giant": Response(skew=np.inf),
}


@dataclass(frozen=True, slots=True)
class Pair:
    name: str
    key: Path
    response: Path


def pair_of(work: Path, name: str) -> Pair:
    """Where the files of a set are, made or not."""
    stem, level = name.rsplit("-", 1) if name.startswith("one-") else (name, "medium")
    return Pair(name, work / f"{stem}.key.conll", work / f"{stem}.{level}.conll")


def make(work: Path, name: str, *, data: Sequence[Path]) -> Pair:
    """The files of a set, written if they are not there yet."""
    pair = pair_of(work, name)
    if pair.key.exists() and pair.response.exists():
        return pair
    print(f"making {name}", file=sys.stderr)
    work.mkdir(parents=True, exist_ok=True)
    if name == "tiny":
        write(pair.key, tiny("key"))
        write(pair.response, tiny("response"))
    elif name in KIT_SETS:
        unpack(pair, data=data)
    elif name == "gum10":
        gum = make(work, "gum", data=data)
        for one, ten in ((gum.key, pair.key), (gum.response, pair.response)):
            write(ten, copies(one.read_text("utf-8"), COPIES))
    else:
        write_synthetic(pair)
    return pair


def write(path: Path, pieces: Iterable[str]) -> None:
    """Writes under another name first: a file that is there is whole, even if the program was stopped."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(pieces)
    part.rename(path)


# Documents; in them a word, its key brackets and its response brackets a line, and an empty line after each sentence.
TINY = {
    "tiny_1": """
        Ada    (0)   (0)
        met    -     -
        the    (1    (1
        old    -     -
        miller 1)    1)
        and    -     -
        his    (2|(1) (2
        son    2)    2)
        .      -     -

        She    (0)   (0)
        sold   -     -
        them   (3)   (3)
        her    (4|(0) (4|(0)
        mare   4)    4)
        .      -     -

        The    (2    (1
        boy    2)    1)
        led    -     -
        it     (4)   (4)
        home   (5)   -
        .      -     -
    """,
    "tiny_2": """
        A      (0    -
        storm  0)    (0)
        hit    -     -
        Crete  (1)   (1)
        .      -     -

        It     (0)   (0)
        left   -     -
        the    (1    (2
        island 1)    2)
        without -    -
        power  -     (3)
        .      -     -
    """,
}


def tiny(side: str) -> Iterator[str]:
    """The lines of TINY as a CoNLL file, with the brackets of the key or of the response."""
    column = {"key": 1, "response": 2}[side]
    for name, text in TINY.items():
        yield f"#begin document ({name}); part 000\n"
        for sentence in text.strip().split("\n\n"):
            for index, line in enumerate(sentence.splitlines()):
                cells = line.split()
                yield f"{name}\t0\t{index}\t{cells[0]}\t{cells[column]}\n"
            yield "\n"
        yield "#end document\n"


def unpack(pair: Pair, *, data: Sequence[Path]) -> None:
    """The files of the kit, without gzip, which not every scorer can read."""
    for path in (pair.key, pair.response):
        with gzip.open(find(f"{pair.name}/{path.name}.gz", data), "rt", encoding="utf-8", newline="\n") as lines:
            write(path, lines)


def find(name: str, data: Sequence[Path]) -> Path:
    """A file of the folders of data."""
    for folder in data:
        if (folder / name).exists():
            return folder / name
    raise SystemExit(f"no file {name} in {', '.join(map(str, data)) or 'the folders of data: say --data FOLDER'}")


def copies(text: str, number: int) -> Iterator[str]:
    """All documents of a CoNLL file again and again, named NAME_copy0, NAME_copy1, ... in the begin line and in column 1."""
    begin = "#begin document ("
    documents = [(document.partition(")")[0], document) for document in text.split(begin)[1:]]
    for copy in range(number):
        for name, document in documents:
            renamed = document.removeprefix(name).replace(f"\n{name}\t", f"\n{name}_copy{copy}\t")
            yield f"{begin}{name}_copy{copy}{renamed}"


def write_synthetic(pair: Pair) -> None:
    """One document, with entities of 5 mentions on average in the key.

    A mention starts at every third word. Most have one or two words; some have six, with the next mention inside. Unlike in
    most texts, any two mentions may be coreferent, however far apart: with enough moves, most entities are joined to one
    component, which is hard on the assignment of CEAF.
    """
    _, size, level = pair.name.split("-")
    response, mentions = RESPONSES[level], int(size)
    random = np.random.default_rng(SEED)  # the draws for the key come first: it is the same for all responses
    length = random.integers(1, 3, mentions)
    around_next = (np.arange(mentions) % 2 == 0) & (random.random(mentions) < 1 / 3)
    entities = mentions // MENTIONS_PER_ENTITY
    entity = random.integers(0, entities, mentions)
    if not pair.key.exists():
        write(pair.key, one_document(entity, np.where(around_next, 2 * SLOT, length)))
    resized = random.random(mentions) < response.resized
    length = np.where(around_next, 2 * SLOT, np.where(resized, 3 - length, length))
    entity, kept = response(entity, entities, random)
    write(pair.response, one_document(np.where(kept, entity, -1), length))


def one_document(entity: Ints, length: Ints) -> Iterator[str]:
    """A document whose mention i is of entity[i], if it is not -1, and covers length[i] words from word SLOT * i on."""
    heads = [f"one\t0\t{index}\tword{index}\t" for index in range(SLOT * SLOTS)]
    yield "#begin document (one); part 000\n"
    for first in range(0, len(entity), SLOTS):
        here = slice(first, first + SLOTS)
        cells = ["-"] * len(heads)
        for slot, (number, words) in enumerate(zip(entity[here].tolist(), length[here].tolist(), strict=True)):
            start = SLOT * slot
            if number < 0:
                continue
            if words == 1:
                cells[start] = f"({number})"
            else:
                cells[start] = f"({number}"
                cells[start + words - 1] = f"{number})"
        yield "\n".join(map(str.__add__, heads, cells)) + "\n\n"
    yield "#end document\n"
