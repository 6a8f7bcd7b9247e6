"""Answers of language models: a book of 200,000 tokens timed, all keys compared, thousands of damaged answers scored.

``python benchmarks/answers.py [--damages 10000]`` needs the conformance data in ../shared. The keys of GUM and LitBank must
have the scores that they have in CoNLL, in each notation; as lists of strings, for those mentions that such lists can tell
apart. Every damaged answer must be scored or refused in one line, and what changes its mentions must be counted as a repair.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from referee import read, score
from referee.corpus import Corpus
from tests.support.answers import (
    DAMAGES,
    TAGGED,
    Text,
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
        notation, name = rng.choice(NOTATIONS), rng.choice(list(DAMAGES))
        form = notation if notation in TAGGED else "quotes"
        problem = without_loss(key, text, _answer(key, text, notation), form, name, rng)
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
    sys.exit(compared() + damaged(number) > 0)
