"""The files that the cases of `cases.py` read: a name says what is in a file, and it is made when a case needs it.

`one-1000.key.conll` is of `corpora.py`, `one-1000.key.naf` of `formats.py`, `labels-1000.key.parquet` of `tables.py`; the
others are made here. Files that are there already are left alone.
"""

from __future__ import annotations

import base64
import gzip
import json
import marshal
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple, TypeAlias

import chunks
import corpora
import formats
import numpy as np
import tables
from measure import measure, sources, step

Maker: TypeAlias = Callable[[Path, str, Sequence[Path]], None]
"""Writes the file of a name in a folder, perhaps from the folders of data."""


def make(work: Path, name: str, data: Sequence[Path]) -> Path:
    """Return the file of a name, made if it is not there."""
    path = work / name
    if not path.exists():
        print(f"making {name}", file=sys.stderr)
        maker = next(make for start, make in MAKERS.items() if name.startswith(start))
        maker(work, name, data)
    return path


def of_corpora(work: Path, name: str, data: Sequence[Path]) -> None:
    """A file of `corpora.py`, or that in another format."""
    stem, side, ending = name.split(".")
    level = side if side in corpora.RESPONSES else "medium"
    pair = corpora.make(work, f"{stem}-{level}" if stem.startswith("one-") else stem, data=data)
    source = pair.key if side == "key" else pair.response
    if ending in formats.FORMATS:
        part = work / f"{name}.part"
        formats.write(part, formats.documents(source), ending)
        part.rename(work / name)
    elif ending != "conll":
        convert(work, source, name, ending)


def convert(work: Path, source: Path, name: str, format: str) -> None:
    """Write the file of a name in another format."""
    if format == "sacr":  # in which no line begins with this sign: key and response would have other words
        corpora.write(work / "convert.conll", [source.read_text("utf-8").replace("\t#", "\t_")])
        source = work / "convert.conll"
    command = step(sources(work), "convert", str(source), str(work / name), "--to", format, "--lossy")
    measure([command], log=work / "convert.txt", timeout=3600)


def rewritten(change: Callable[[list[str]], list[list[str]]]) -> Maker:
    """The response of GUM with other lines for the cells of each token."""

    def write(work: Path, name: str, data: Sequence[Path]) -> None:
        lines = corpora.make(work, "gum", data=data).response.read_text("utf-8").splitlines()
        changed = (change(line.split("\t")) if "\t" in line else [[line]] for line in lines)
        corpora.write(work / name, ("\t".join(cells) + "\n" for cells in chain.from_iterable(changed)))

    return write


def _other_lemma(cells: list[str]) -> list[list[str]]:
    return [[*cells[:4], "x", *cells[5:]]]


def _split_at_apostrophes(cells: list[str]) -> list[list[str]]:
    """Two tokens of one that has an apostrophe and no bracket."""
    first, apostrophe, rest = cells[3].partition("'")
    if first and rest and not set(cells[-1]) & set("()"):
        return [[*cells[:3], first, *cells[4:]], [*cells[:3], apostrophe + rest, *cells[4:]]]
    return [cells]


def annotators(work: Path, name: str, data: Sequence[Path]) -> None:
    """The documents of GUM, each from one of the four files of the kit in turn."""
    corpora.make(work, "gum", data=data)
    sides = []
    for level in ("key", "mild", "medium", "severe"):
        path = work / f"gum.{level}.conll"
        if not path.exists():
            corpora.unpack(corpora.Pair("gum", path, path), data=data)
        sides.append(path.read_text("utf-8").split("#begin document ")[1:])
    number = int(name.removeprefix("annotator").partition(".")[0])
    turn = [(1 + number + (d if number >= 3 else 0) * (1 + number // 3)) % 4 for d in range(len(sides[0]))]
    corpora.write(work / name, (f"#begin document {sides[side][d]}" for d, side in enumerate(turn)))


def conll(documents: Sequence[Sequence[str]]) -> Iterator[str]:
    """CoNLL files of documents that are lists of cells."""
    for number, cells in enumerate(documents):
        yield f"#begin document (d{number}); part 000\n"
        yield from (f"d{number}\t0\t{n}\tw{n}\t{cell}\n" for n, cell in enumerate(cells))
        yield "\n#end document\n"


def size_of(name: str) -> int:
    """The number in the name of a file."""
    return int(name.partition(".")[0].partition("-")[2].partition("x")[0])


class OneWordMentions(NamedTuple):
    """Documents of mentions of one word, of random entities; a response has moved a share of those of the key.

    The number in the name of the file is that of the mentions, or of the documents if they have a number of mentions here.
    """

    mentions_per_entity: int
    mentions_per_document: int = 0
    repeats: int = 1
    moved: float = 1.0

    def __call__(self, work: Path, name: str, data: Sequence[Path]) -> None:  # noqa: ARG002 -- as of all makers
        size = size_of(name)
        documents, mentions = (size, self.mentions_per_document) if self.mentions_per_document else (1, size)
        shape, entities = (documents, mentions // self.repeats, self.repeats), mentions // self.mentions_per_entity
        entity = np.random.default_rng(1).integers(0, entities, shape)
        if ".key." not in name:
            random = np.random.default_rng(list(name.encode()))
            entity = np.where(random.random(shape) < self.moved, random.integers(0, entities, shape), entity)
        cells = [["|".join(f"({e})" for e in word) for word in document] for document in entity.tolist()]
        corpora.write(work / name, conll(cells))


def folder(work: Path, name: str, data: Sequence[Path]) -> None:
    """GUM in pieces: two thousand documents, in a file each or in one."""
    _, side, *ending = name.split(".")
    text = getattr(corpora.make(work, "gum", data=data), side).read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("#begin") or "\t" in line]
    alone = [line for line in lines if "\t" in line]
    size = -(-len(alone) // 2000)
    pieces = [_balanced([line.split("\t") for line in alone[at : at + size]]) for at in range(0, len(alone), size)]
    documents = [f"#begin document (d{n}); part 000\n{piece}\n#end document\n" for n, piece in enumerate(pieces)]
    if ending:
        corpora.write(work / name, documents)
        return
    (work / name).mkdir()
    for number, document in enumerate(documents):
        (work / name / f"d{number}.conll").write_text(document, "utf-8")


def _balanced(rows: list[list[str]]) -> str:
    """Rows with their one-word mentions only."""
    for row in rows:
        cells = row[-1].replace(")", ")|").split("|")
        row[-1] = "|".join(cell for cell in cells if cell[:1] == "(" and cell[-1:] == ")") or "-"
    return "".join("\t".join(row) + "\n" for row in rows)


def nested(work: Path, name: str, data: Sequence[Path]) -> None:
    """Mentions one inside another on one head, N or N x documents; every other one of the response ends a word earlier."""
    from referee.corpus import CorpusBuilder
    from referee.inputs.writing import write

    stem, side, ending = name.split(".")
    n, documents = size_of(name), stem.partition("x")[2]
    builder = CorpusBuilder(name)
    random = np.random.default_rng(len(side))
    for document in range(int(documents or 1)):
        builder.document(f"d{document}", [f"w{t}" for t in range(2 * n)], [0])
        for i, entity in enumerate(random.integers(0, n // 4, n).tolist()):
            shorter = side == "response" and i % 2 and i < n - 1
            builder.mention(i, 2 * n - i - bool(shorter), f"e{entity}", head=n - 1 if ending == "corefud" else None)
    write(builder.corpus(), work / name, format=ending)


def errors(cell: str) -> Maker:
    """A document of so many tokens with this cell, and a mention."""

    def write(work: Path, name: str, data: Sequence[Path]) -> None:
        corpora.write(work / name, conll([["(1)", *repeat(cell, size_of(name))]]))

    return write


def records(work: Path, name: str, data: Sequence[Path]) -> None:
    """Records in entities of four, or so many pairs of them, perhaps with probabilities; and responses of `corpora.py`."""
    stem, side, ending = name.split(".")
    if ending != "csv":
        convert(work, make(work, f"{stem}.{side}.csv", data), name, ending)
        return
    random, number = np.random.default_rng(len(name)), np.arange(size_of(name))
    entity = number // 4
    if side != "key":
        entity, kept = corpora.RESPONSES[side](entity, len(number) // 4, random)
        number, entity = number[kept], entity[kept]
    of = {
        "records": ("item,entity", "r{},{}\n", (number, entity)),
        "pairs": ("id_l,id_r", "r{},r{}\n", (number, 4 * entity)),
        "weighed": ("id_l,id_r,match_probability", "r{},r{},{}\n", (number, 4 * entity, random.random(len(number)))),
    }
    head, row, columns = of[stem.partition("-")[0]]
    rows = (row.format(*cells) for cells in zip(*(column.tolist() for column in columns), strict=True))
    corpora.write(work / name, chain([head + "\n"], rows))


def gap(work: Path, name: str, data: Sequence[Path]) -> None:
    """Pronouns with two names: a key with its texts, or decisions, of which a tenth differ; or the same as a table."""
    stem, side, ending = name.split(".")
    if ending == "csv":
        convert(work, make(work, f"{stem}.{side}.tsv", data), name, ending)
        return
    random, size = np.random.default_rng(1), size_of(name)
    first, moved = random.random(size) < 0.45, random.random(size) < 0.1
    right = [str(x).upper() for x in (first ^ moved if side != "key" else first).tolist()]
    wrong = [str(x).upper() for x in (first & moved if side != "key" else ~first).tolist()]
    head, row = "", "test-{}\t{}\t{}\n"
    if side == "key":
        head = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
        text = f"{'Zoe Telford played the policewoman girlfriend of Simon, Maggie. ' * 6}Pauline asked about her."
        of_names = "her\t410\tCheryl Cassidy\t191\t{1}\tPauline\t384\t{2}"
        row = f"test-{{0}}\t{text}\t{of_names}\thttp://en.wikipedia.org/wiki/{{0}}\n"
    corpora.write(work / name, chain([head], map(row.format, range(size), right, wrong)))


def winobias(work: Path, name: str, data: Sequence[Path]) -> None:
    """Sentences with an occupation and a pronoun; a tenth of the response has another occupation; or the same as CoNLL."""
    stem, side, ending = name.split(".")
    if ending == "conll":
        convert(work, make(work, f"{stem}.{side}.txt", data), name, ending)
        return
    moved = np.random.default_rng(1).random(size_of(name)) < (0.1 if side != "key" else 0)
    rows = ("The developer{} argued with [the designer{}]", "[The developer{}] argued with the designer{}")
    sentences = (f"{number} {rows[not other]} because [she] did not like the design." for number, other in enumerate(moved, 1))
    corpora.write(work / name, (f"{sentence}\n".format(n % 40, n % 39) for n, sentence in enumerate(sentences)))


def systems(work: Path, name: str, data: Sequence[Path]) -> None:
    """A folder with two responses."""
    (work / name).mkdir()
    for response in ("response", "response2"):
        (work / name / f"{response}.conll").symlink_to(make(work, f"many-{size_of(name)}.{response}.conll", data).resolve())


def trees(work: Path, name: str, data: Sequence[Path]) -> None:
    """A document of so many mentions in trees: names of a hundred, pronouns and nouns in turn."""
    random, size = np.random.default_rng(1), size_of(name)
    sentences = (TREE.format(*row) for row in random.integers(0, (100, 1000), (size // 4, 2)).tolist())
    corpora.write(work / name, chain(["# newdoc id = d\n"], sentences))


TREE = "\n".join(
    "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t_".format(number, word, word.lower(), *cells)
    for number, (word, *cells) in enumerate(
        (
            ("Name{0}", "PROPN", "Number=Sing", 2, "nsubj"),
            ("saw", "VERB", "Tense=Past", 0, "root"),
            ("the", "DET", "PronType=Art", 4, "det"),
            ("noun{1}", "NOUN", "Number=Sing", 2, "obj"),
            ("and", "CCONJ", "_", 6, "cc"),
            ("said", "VERB", "Tense=Past", 2, "conj"),
            ("it", "PRON", "Number=Sing|Person=3|PronType=Prs", 6, "obj"),
            ("to", "ADP", "_", 9, "case"),
            ("him", "PRON", "Gender=Masc|Number=Sing|Person=3|PronType=Prs", 6, "obl"),
        ),
        start=1,
    )
) + "\n\n"  # fmt: skip
"""A sentence with a place for a name and one for a noun."""


def line(work: Path, name: str, data: Sequence[Path]) -> None:
    """A document of so many sentences of 20 words and three mentions as one line."""
    random = np.random.default_rng(len(name))
    size = size_of(name)
    sentences = [[f"word{20 * s + w}" for w in range(20)] for s in range(size)]
    limits, shape = (9, size // 2), (3 * size, 2)
    rows = np.stack([np.sort(random.integers(0, 20 * size - 10, 3 * size)), *random.integers(0, limits, shape).T], axis=1)
    clusters: list[list[list[int]]] = [[] for _ in range(size // 2)]
    for start, more, entity in rows.tolist():
        clusters[entity].append([start, start + more])
    document = {"doc_key": "d", "sentences": sentences, "clusters": [c for c in clusters if c]}
    corpora.write(work / name, [json.dumps(document) + "\n"])


def page(work: Path, name: str, data: Sequence[Path]) -> None:
    """The data of the page of a key and a response, `page-STEM.marshal`, as Python values."""
    stem = name.removeprefix("page-").partition(".")[0]
    sides = ("key", "medium" if stem == "gum" else "response")
    pair = [str(make(work, f"{stem}.{side}.conll", data)) for side in sides]
    measure([step(sources(work), "inspect", *pair, "-o", "-")], log=work / "page.html", timeout=600)
    found = re.findall(r'<script type="text/plain" id="[^"]+">([\w+/=]+)<', (work / "page.html").read_text("utf-8"))
    records = [json.loads(gzip.decompress(base64.b64decode(of_record))) for of_record in found]
    (work / name).write_bytes(marshal.dumps(records))


CRAC = {"gum": "gum/gum.{}.conllu.gz", "long": "gum-by/gumby.{}.conllu.gz", "ua": "gum-by-ua/gumby.{}.conllua.gz"}
"""Files of the CorefUD kit."""


def corefud(work: Path, name: str, data: Sequence[Path]) -> None:
    """A file of `CRAC`, of which `long` has the first documents as one; or the same as CoNLL."""
    stem, side, ending = name.removeprefix("crac-").split(".")
    if ending == "conll":
        convert(work, make(work, name + ("ua" if stem == "ua" else "u"), data), name, ending)
        return
    with gzip.open(corpora.find(CRAC[stem].format("key" if side == "key" else "sys1"), data), "rt", encoding="utf-8") as lines:
        corpora.write(work / name, first_documents(lines) if stem == "long" else lines)


def first_documents(lines: Iterator[str], number: int = 20) -> Iterator[str]:
    """The first documents as one: without the headers of all but the first."""
    documents = 0
    for row in lines:
        documents += row.startswith("# newdoc")
        if documents > number:
            return
        if documents <= 1 or not re.match("# (newdoc|global)", row):
            yield row


def of_the_resolver(work: Path, name: str, data: Sequence[Path]) -> None:
    """Texts with trees, as they are in the folders of data."""
    (work / name).write_bytes(corpora.find(name, data).read_bytes())


def book(work: Path, name: str, data: Sequence[Path]) -> None:
    """The training text as one document, as long as a book, without entities: mentions are found in the trees."""
    text = gzip.decompress(make(work, "gum.train.conllu.gz", data).read_bytes()).decode()
    rows = [row for row in text.split("\n") if not row.startswith(("# newdoc", "# global.Entity"))]
    corpora.write(work / name, ["# newdoc id = book\n", re.sub(r"\tEntity=\S*", "\t_", "\n".join(rows))])


def words_of(path: Path) -> int:
    """How many words a CoNLL-U file has."""
    raw = path.read_bytes()
    return len(re.findall(rb"^[0-9]+(?:\.[0-9]+)?\t", gzip.decompress(raw) if path.suffix == ".gz" else raw, re.MULTILINE))


MAKERS: dict[str, Maker] = {
    "gum.lemma": rewritten(_other_lemma),
    "gum.split": rewritten(_split_at_apostrophes),
    "gum.train": of_the_resolver,
    "gum.test": of_the_resolver,
    "book": book,
    **dict.fromkeys(("gum", "tiny", "litbank", "long", "one-"), of_corpora),
    "crac-": corefud,
    "annotator": annotators,
    "folder": folder,
    "repeated": OneWordMentions(10, repeats=2, moved=0.1),
    "many": OneWordMentions(5, mentions_per_document=20, moved=0.2),
    "nested": nested,
    "clean": errors("-"),
    "cells": errors("x("),
    "open": errors("(1"),
    "closed": errors("2)"),
    **dict.fromkeys(("pairs", "records", "weighed"), records),
    **dict.fromkeys(("labels", "grouped"), tables.make),
    "systems": systems,
    "trees": trees,
    "line": line,
    "page-": page,
    "gap-": gap,
    "chunks": chunks.make,
    "winobias-": winobias,
}
"""How a name begins -> what writes the file."""

IS_FILE = re.compile(f"({'|'.join(MAKERS)}).*[.]")


def paths_of(words: Sequence[str], work: Path, data: Sequence[Path]) -> list[str]:
    """The words of a command, with the paths of its files, which are made."""
    return [str(make(work, word, data).resolve()) if IS_FILE.match(word) else word for word in words]
