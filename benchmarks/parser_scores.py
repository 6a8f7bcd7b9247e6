"""Scores and speed of the parser on held-out texts, each beside the least that it must have.

    OPENBLAS_NUM_THREADS=1 python benchmarks/parser_scores.py FOLDER [PART ...]

FOLDER has `gum-raw.dev.conllu.gz` and `gum-raw.test.conllu.gz`. Parts are `split`, `trees`, `raw`, `chunks`, `speed` and
`novels`; all if none is named. For novels it has `litbank.dev.texts.json.gz`, {document: text}, and `litbank.key.conll.gz`.
The exit status is 1 if a score is too low. The raw text of a document is that of its sentences (`# text`), with a space between
them, and a blank line between paragraphs (`# newpar`).
"""

from __future__ import annotations

import gzip
import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from checks import Check, run

import referee
from referee.parsing.parse import CHUNKS
from referee.parsing.tagging import tag_and_parse
from referee.parsing.words import ParsedText, PlacedWords

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()


class Treebank(NamedTuple):
    """Documents of a treebank: their raw texts, and their sentences as rows of ten columns."""

    texts: dict[str, str]
    sentences: list[list[list[str]]]
    document: list[str]


def read(part: str) -> Treebank:
    lines = gzip.open(FOLDER / f"gum-raw.{part}.conllu.gz", "rt", encoding="utf-8").read().split("\n")
    paragraphs: dict[str, list[list[str]]] = {}
    sentences: list[list[list[str]]] = [[]]
    document, new = [], False
    for line in lines:
        if found := re.fullmatch(r"# newdoc id = (.*)", line):
            paragraphs[found[1]], new = [], True
        elif re.fullmatch(r"# newpar(?: .*)?", line):
            new = True
        elif line.startswith("# text = "):
            last = list(paragraphs)[-1]
            paragraphs[last] += [[]] * new
            paragraphs[last][-1] = [*paragraphs[last][-1], line.removeprefix("# text = ").strip()]
            new = False
            document.append(last)
        elif line[:1].isdigit() and line.partition("\t")[0].isdigit():
            sentences[-1].append(line.split("\t"))
        elif not line.strip() and sentences[-1]:
            sentences.append([])
    texts = {name: "\n\n".join(map(" ".join, of)) + "\n" for name, of in paragraphs.items()}
    return Treebank(texts, sentences[:-1] if not sentences[-1] else sentences, document)


def f1(key: set[tuple[str, int, int]], response: set[tuple[str, int, int]]) -> float:
    return 200 * len(key & response) / (len(key) + len(response))


def spans(
    forms: Sequence[Sequence[str]], documents: Sequence[str]
) -> tuple[set[tuple[str, int, int]], set[tuple[str, int, int]]]:
    """The characters of words and of sentences, white space apart."""
    words, whole = set(), set()
    place: dict[str, int] = {}
    for sentence, name in zip(forms, documents, strict=True):
        begin = at = place.get(name, 0)
        for form in sentence:
            words.add((name, at, at + len(form)))
            at += len(form)
        whole.add((name, begin, at))
        place[name] = at
    return words, whole


def split() -> Iterator[Check]:
    for part in ("dev", "test"):
        bank = read(part)
        words = referee.parse(bank.texts).words
        names = [words.doc_ids[d] for d in words.document.tolist()]
        edges = words.first.tolist()
        found = spans([words.form[a:b] for a, b in pairwise(edges)], names)
        key = spans([[row[1] for row in sentence] for sentence in bank.sentences], bank.document)
        for name, a, b, least in zip(("words", "sentences"), key, found, (99.4, 93.0), strict=True):
            yield Check(f"gum.{part}, {name}, F1", f1(a, b), least)


def gold_words(bank: Treebank) -> PlacedWords:
    forms = [row[1] for sentence in bank.sentences for row in sentence]
    first = np.cumsum([0, *map(len, bank.sentences)])
    number = {name: n for n, name in enumerate(bank.texts)}
    document = np.array([number[name] for name in bank.document])
    nowhere, none = np.zeros(len(forms), dtype=np.int64), np.zeros(len(document), dtype=bool)
    return PlacedWords(
        list(bank.texts), list(bank.texts.values()), forms, nowhere, nowhere, first, document, none, [""] * len(document)
    )


def trees() -> Iterator[Check]:
    for part, least in (("dev", 78.5), ("test", 0.0)):
        bank = read(part)
        parsed = tag_and_parse(gold_words(bank), referee.parsing.load())
        gold = np.array([row for sentence in bank.sentences for row in sentence], dtype=object)
        heads = parsed.head == gold[:, 6].astype(int)
        columns = {"UPOS": (parsed.upos, 3), "XPOS": (parsed.xpos, 4), "FEATS": (parsed.feats, 5), "LEMMA": (parsed.lemma, 2)}
        for name, (found, column) in columns.items():
            yield Check(
                f"gum.{part}, gold words, {name}", 100 * float(np.mean(np.array(found, dtype=object) == gold[:, column])), 0
            )
        yield Check(f"gum.{part}, gold words, UAS", 100 * float(heads.mean()), 0)
        labelled = heads & (np.array(parsed.deprel, dtype=object) == gold[:, 7])
        yield Check(f"gum.{part}, gold words, LAS", 100 * float(labelled.mean()), least)


def entities(name: str, parser: str, least: dict[str, tuple[float, float]]) -> Iterator[Check]:
    for part, floors in least.items():
        key = referee.resolve(FOLDER / f"gum-raw.{part}.conllu.gz", strategy="key")
        response = referee.resolve(read(part).texts, parser=parser)
        for words, singletons, floor in zip(("with", "without"), ("keep", "drop"), floors, strict=True):
            found = referee.score(
                key, response, metrics=["mentions", "conll"], match="head", tokens="align", singletons=singletons
            )
            yield Check(f"gum.{part}, {name}, mentions, {words} singletons", 100 * found["mentions"].f1, 0)
            yield Check(f"gum.{part}, {name}, CoNLL, {words} singletons", 100 * found["conll"].f1, floor)


def raw() -> Iterator[Check]:
    yield from entities("raw text", "english", {"dev": (0, 0), "test": (68.1, 55.1)})


def chunks() -> Iterator[Check]:
    yield from entities("raw text, chunks", CHUNKS, {"dev": (0, 0), "test": (63.5, 50.6)})


def speed() -> Iterator[Check]:
    """Tokens a second of one core (CPU time), the median of five runs; the first one is not counted."""
    texts = read("test").texts
    referee.resolve(texts)

    def median(run: Callable[[], object], tokens: int) -> float:
        seconds = []
        for _ in range(5):
            begin = time.process_time()
            run()
            seconds.append(time.process_time() - begin)
        return tokens / statistics.median(seconds)

    parsed: ParsedText = referee.parse(texts)
    tokens = len(parsed.words.form)
    yield Check("tokens a second, split, tag and parse", median(lambda: referee.parse(texts), tokens), 25_000)
    yield Check("tokens a second, chunks", median(lambda: referee.parse(texts, CHUNKS), tokens), 0)
    yield Check("tokens a second, with resolve", median(lambda: referee.resolve(texts), tokens), 15_000)


def novels() -> Iterator[Check]:
    texts = json.loads(gzip.decompress((FOLDER / "litbank.dev.texts.json.gz").read_bytes()))
    response = referee.resolve(texts)
    for words, singletons in (("with", "keep"), ("without", "drop")):
        found = referee.score(
            str(FOLDER / "litbank.key.conll.gz"), response, metrics=["mentions", "conll"], tokens="align",
            singletons=singletons, documents=list(texts),
        )  # fmt: skip
        for metric in ("mentions", "conll"):
            yield Check(f"LitBank, raw text, {metric}, {words} singletons", 100 * found[metric].f1, 0)


PARTS: dict[str, Callable[[], Iterator[Check]]] = {
    "split": split, "trees": trees, "raw": raw, "chunks": chunks, "speed": speed, "novels": novels,
}  # fmt: skip


if __name__ == "__main__":
    run(PARTS)
