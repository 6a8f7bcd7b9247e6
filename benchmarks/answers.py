"""Answers of language models: a book of 200,000 tokens timed, and thousands of damaged answers scored.

``python benchmarks/answers.py [--damages 10000]`` needs the conformance data in ../shared. Every damaged answer must be scored
or refused in one line, and what changes its mentions must be counted as a repair.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from referee import read, score
from tests.support.answers import DAMAGES, TAGGED, nesting, quoted, texts, without_loss, written
from tests.support.paths import SHARED

DATA = SHARED / "conformance"


def timed() -> None:
    """Score a book in each notation, and as lists of strings."""
    key, response = (read(DATA / "long" / f"long.{side}.conll.gz") for side in ("key", "medium"))
    [text] = map(nesting, texts(response))
    rng = random.Random(1)
    for notation in (*TAGGED, "quotes"):
        answer = quoted(text) if notation == "quotes" else written(text, notation)
        for name, damaged in (("as it is", answer), ("damaged", DAMAGES["invented"](rng, DAMAGES["case"](rng, answer)))):
            with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
                file.write(damaged)
                file.flush()
                start = time.process_time()
                form = f"tagged:{notation}" if notation in TAGGED else notation
                found = score(key, file.name, response_format=form, metrics=["conll"])
                print(f"{notation:10} {name:9} {time.process_time() - start:5.2f} s  CoNLL {100 * found['conll'].value:.2f}")


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
        notation, name = rng.choice([*TAGGED, "quotes"]), rng.choice(list(DAMAGES))
        answer = quoted(text) if notation == "quotes" else written(text, notation)
        problem = without_loss(key, text, answer, notation, name, rng)
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
    sys.exit(damaged(parser.parse_args().damages) > 0)
