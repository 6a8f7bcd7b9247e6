"""How long the update of a scorer takes. From the root:

    python benchmarks/training.py [KEY RESPONSE]

Without files, documents of 300 mentions are made by a fixed generator. Prints milliseconds of processor time a document: of
the updates alone, with counting, and when the scores are read after each update.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import referee

Clusters = list[list[tuple[int, int]]]
Document = tuple[Clusters, Clusters]
MENTIONS = 300


def made(rng: random.Random) -> Document:
    """A key, and a response that lost a tenth of its spans and split some entities."""
    starts = rng.sample(range(3000), MENTIONS)
    entities: dict[int, list[tuple[int, int]]] = {}
    for start in starts:
        label = int(rng.paretovariate(0.7)) % 60 if rng.random() < 0.7 else -start - 1
        entities.setdefault(label, []).append((start, start + rng.randrange(1, 5)))
    key = list(entities.values())
    response = [[(a, b) if rng.random() < 0.9 else (a, b + 7) for a, b in entity] for entity in key]
    halves = [part for entity in response for part in (entity[: len(entity) // 2], entity[len(entity) // 2 :]) if part]
    return key, halves


def read(key: str, response: str) -> list[Document]:
    sides = [referee.read(path).documents for path in (key, response)]
    clusters = [[[[(m.start, m.end) for m in e.mentions] for e in d.entities] for d in side.values()] for side in sides]
    return list(zip(*clusters, strict=True))


def milliseconds(documents: list[Document], after: Callable[[referee.Scorer], object], *, last: bool) -> float:
    scorer = referee.Scorer()
    start = time.process_time()
    for key, response in documents:
        scorer.update(response, key)
        if not last:
            after(scorer)
    after(scorer)
    return (time.process_time() - start) / len(documents) * 1000


def main() -> None:
    rng = random.Random(1)
    documents = read(*sys.argv[1:3]) if len(sys.argv) > 2 else [made(rng) for _ in range(200)]
    referee.Scorer().add(*documents[0])  # imports what counting needs
    print(f"{len(documents)} documents, {sum(len(e) for key, _ in documents for e in key) / len(documents):.0f} mentions each")
    print(f"updates            {milliseconds(documents, lambda scorer: scorer.documents, last=True):.2f} ms a document")
    print(f"with counting      {milliseconds(documents, lambda scorer: scorer.compute(), last=True):.2f} ms a document")
    print(f"scores after each  {milliseconds(documents, lambda scorer: scorer.compute(), last=False):.2f} ms a document")


if __name__ == "__main__":
    main()
