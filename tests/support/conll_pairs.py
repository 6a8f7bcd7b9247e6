"""Random pairs of CoNLL files that every scorer reads the same: tabs, numbers for ids, no mention that crosses a sentence."""

import random
from pathlib import Path


def write_pair(seed, folder, documents=1, *, repeated=False):
    """Write a key and a response, some of whose mentions are the same, and return their paths."""
    chance = random.Random(seed)
    paths = str(folder / f"{seed}.key"), str(folder / f"{seed}.response")
    texts = ["", ""]
    for document in range(documents):
        words = chance.randint(4, 30)
        sides = _sides(chance, words, repeated)
        for side, entities in enumerate(sides):
            texts[side] += _text(f"doc{document}", words, entities)
    for path, text in zip(paths, texts, strict=True):
        Path(path).write_text(text, encoding="utf-8")
    return paths


def _sides(chance, words, repeated):
    spans = set()
    for _ in range(chance.randint(2, 14)):
        start = chance.randrange(words)
        spans.add((start, min(start + chance.choice((0, 0, 1, 2, 4)), words - 1)))
    sides = []
    for _ in range(2):
        kept = sorted(span for span in spans if chance.random() < 0.8) or sorted(spans)
        kept += chance.sample(kept, min(2, len(kept))) if repeated and chance.random() < 0.5 else []
        entities = {}
        for span in kept:
            entity = chance.randrange(1 + len(kept) // 2)
            if not any(_cross(span, other) for other in entities.get(entity, [])):
                entities.setdefault(entity, []).append(span)
        sides.append(entities)
    return sides


def _cross(one, other):
    """Whether two mentions of an entity could not be told apart in brackets."""
    (a, b), (c, d) = sorted((one, other))
    return a < c <= b < d or a == c or b in (c, d)


def _text(name, words, entities):
    lines = []
    mentions = [(start, end, entity) for entity, spans in entities.items() for start, end in spans]
    for word in range(words):
        ends = [f"{e})" for start, end, e in sorted(mentions, reverse=True) if start < end == word]
        ones = [f"({e})" for start, end, e in mentions if start == end == word]
        starts = [f"({e}" for start, end, e in sorted(mentions, key=lambda m: (m[0], -m[1])) if word == start < end]
        lines.append(f"{name}\t0\t{word}\tw{word}\t-\t*\t-\t-\t-\t-\t*\t{'|'.join(ends + ones + starts) or '-'}\n")
    return f"#begin document ({name}); part 000\n{''.join(lines)}\n#end document\n"
