"""Answers of language models: a book of 200,000 tokens timed, all keys compared, thousands of damaged answers scored.

``python benchmarks/answers.py [--damages 10000]`` needs the conformance data in ../shared. The keys of GUM and LitBank must
have the scores that they have in CoNLL, in each notation; as lists of strings, for those mentions that such lists can tell
apart. Whole keys as lists of strings must meet a floor, the same for entities in any order. Every damaged answer must be scored
or refused in one line, and what changes its mentions must be counted as a repair; what is written beside an answer changes
nothing, and is counted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from referee import read, score
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from tests.support.answers import (
    BESIDE,
    DAMAGES,
    TAGGED,
    Text,
    changed_beside,
    differs_from_conll,
    nesting,
    quoted,
    recoverable,
    texts,
    without_loss,
    written,
)
from tests.support.paths import SHARED

DATA = SHARED / "conformance"
NOTATIONS = (*TAGGED, "quotes", "sentences")
"""`sentences` are lists of strings with the numbers of their sentences."""


def timed() -> None:
    """Score a book in each notation, and as lists of strings."""
    key, response = (read(DATA / "long" / f"long.{side}.conll.gz") for side in ("key", "medium"))
    [text] = map(nesting, texts(response))
    rng = random.Random(1)
    for notation in NOTATIONS:
        answer = _answer(key, text, notation)
        for name, damaged in (("as it is", answer), ("damaged", DAMAGES["invented"](rng, DAMAGES["case"](rng, answer)))):
            with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
                file.write(damaged)
                file.flush()
                start = time.process_time()
                form = f"tagged:{notation}" if notation in TAGGED else "quotes"
                found = score(key, file.name, response_format=form, metrics=["conll"])
                print(f"{notation:10} {name:9} {time.process_time() - start:5.2f} s  CoNLL {100 * found['conll'].value:.2f}")


def _answer(key: Corpus, text: Text, notation: str) -> str:
    return written(text, notation) if notation in TAGGED else quoted(text, sentences=_sentences(key, notation))


def _sentences(key: Corpus, notation: str) -> Sequence[int]:
    """Where sentences of a key with one document start, if the notation has their numbers."""
    return key.text.words[0].sentences if notation == "sentences" and key.text else ()


def compared() -> int:
    """Score each key in each notation; how many have other scores than in CoNLL."""
    problems = []
    for name in ("gum", "litbank"):
        corpus = read(DATA / name / f"{name}.key.conll.gz")
        for document in range(len(corpus.doc_ids)):
            key = corpus.select_documents([document])
            [text] = texts(key)
            for notation in NOTATIONS:
                part = nesting(text) if notation in TAGGED else recoverable(text, _sentences(key, notation))
                form = notation if notation in TAGGED else "quotes"
                problems.append(differs_from_conll(key, part, _answer(key, part, notation), form))
    wrong = [problem for problem in problems if problem]
    print(f"{len(problems)} answers compared, {len(wrong)} wrong", *wrong[:10], sep="\n")
    return len(wrong)


FLOORS = {"litbank": (0.957, 0.942), "gum": (0.924, 0.896)}
"""CoNLL and LEA of whole keys as lists of strings by entity."""


def perfect() -> int:
    """Score whole keys as lists of strings by entity, each list in the order of the text; how many are below their floors."""
    wrong = 0
    for name, floor in FLOORS.items():
        key = read(DATA / name / f"{name}.key.conll.gz")
        figures = []
        for order in ("in order", "shuffled"):
            rng = random.Random(1) if order == "shuffled" else None
            lines = [
                json.dumps({"doc_id": text.name, "clusters": json.loads(quoted(text, shuffled=rng))}) for text in texts(key)
            ]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = score(key, Source("answers.jsonl", "\n".join(lines).encode()), response_format="quotes")
            figures.append((found["conll"].value, found["lea"].value))
            print(f"{name:8} entities {order:9} CoNLL {100 * figures[-1][0]:.2f}  LEA {100 * figures[-1][1]:.2f}")
        wrong += figures[0] != figures[1] or figures[0][0] < floor[0] or figures[0][1] < floor[1]
    return wrong


def damaged(number: int) -> int:
    """Damage answers; how many went wrong."""
    corpora = {name: read(DATA / name / f"{name}.key.conll.gz") for name in ("gum", "litbank")}
    rng, wrong, documents = random.Random(1), Counter[str](), {}
    for _ in range(number):
        corpus = corpora[rng.choice(list(corpora))]
        document = rng.randrange(len(corpus.doc_ids))
        if (id(corpus), document) not in documents:
            key = corpus.select_documents([document])
            documents[id(corpus), document] = key, nesting(texts(key)[0])
        key, text = documents[id(corpus), document]
        notation = rng.choice(NOTATIONS)
        name = rng.choice([*DAMAGES] if notation in TAGGED else [*DAMAGES, *BESIDE])
        answer = _answer(key, text, notation)
        if name in BESIDE:
            problem = changed_beside(key, answer, name, rng)
        else:
            problem = without_loss(key, text, answer, notation if notation in TAGGED else "quotes", name, rng)
        if problem:
            wrong[f"{notation}, {name}: {problem}"] += 1
    print(f"{number} damaged answers, {wrong.total()} wrong")
    for problem, times in wrong.most_common(10):
        print(times, problem)
    return wrong.total()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damages", type=int, default=10_000)
    timed()
    number = parser.parse_args().damages
    sys.exit(perfect() + compared() + damaged(number) > 0)
