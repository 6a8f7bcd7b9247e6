"""Random pairs of files of Universal Anaphora, with all layers, as both versions of the scorer read them."""

import random
from dataclasses import dataclass, field

NOTHING = "_" * 8
"""The columns that the scorers do not read."""


@dataclass
class Layer:
    """The cells of a column, by rows: closing brackets, and what is opened; entities and first rows of markables."""

    closing: dict[int, int] = field(default_factory=dict)
    opening: dict[int, list[str]] = field(default_factory=dict)
    entities: dict[str, str] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    def cell(self, row):
        return ")" * self.closing.get(row, 0) + "".join(self.opening.get(row, [])) or "_"


@dataclass(frozen=True)
class Kind:
    """What files have besides entities."""

    zeros: bool = False
    split: bool = False
    minimum: bool = False
    discontinuous: bool = False
    repeated: bool = True


def ua_pair(seed, documents, kind, *, missing=False):
    """A key and a response; with `missing`, the response may lack a document."""
    chance = random.Random(seed)
    texts = {f"{seed}.key": "", f"{seed}.response": ""}
    for document in range(documents):
        words = chance.randint(4, 25)
        empty = {chance.randrange(1, words) for _ in range(chance.randint(1, 4))} if kind.zeros else set()
        spans = [_spans(chance, words, kind) for _ in range(2)]
        lacks = chance.choice([0, 0, 0, 0, 0, 1, 2, 3])  # a side without annotation
        for side, name in enumerate(texts):
            if not (missing and side and document and chance.random() < 0.3):
                kept = [[s for s in layer if chance.random() < 0.8 and not lacks >> side & 1] for layer in spans]
                texts[name] += _document(chance, f"d{document}", words, empty, kept, kind, key=not side)
    return texts


def _spans(chance, words, kind):
    """Spans that do not cross; some may stand in the list twice."""
    spans = []
    for _ in range(chance.randint(0, 12)):
        first = chance.randrange(words)
        last = min(first + chance.choice((0, 0, 1, 2, 5)), words - 1)
        crosses = any(a < first <= b < last or first < a <= last < b for a, b in spans)
        if not crosses and (kind.repeated or (first, last) not in spans):
            spans.append((first, last))
    return spans


def _document(chance, name, words, empty, spans, kind, *, key):
    identity = _layer(chance, spans[0], kind, "m", key=key)
    deixis = _layer(chance, spans[1], kind, "dd", key=key)
    zeros = {
        word: chance.choice([*identity.entities.values()]) for word in empty if identity.entities and chance.random() < 0.8
    }
    bridging = {}
    for markable, row in identity.rows.items():
        if chance.random() < 0.3:
            anchor = chance.choice([*identity.rows, *["m99"] * (chance.random() < 0.1)])
            bridging[row] = f"(MarkableID={markable}|Rel=x|MentionAnchor={anchor})"
    lines = [f"# newdoc id = {name}"]
    for word in range(words):
        layers = identity.cell(word), bridging.get(word, "_"), deixis.cell(word)
        lines.append("\t".join([str(word + 1), f"w{word}", *NOTHING, *layers, "_", "_"]))
        if word in empty:
            zero = f"(EntityID={zeros[word]}|MarkableID=z{word})" if word in zeros else "_"
            lines.append("\t".join([f"{word + 1}.1", "_", *NOTHING, zero, "_", "_", "_", "_"]))
    return "\n".join([*lines, "", ""])


def _layer(chance, spans, kind, prefix, *, key):
    layer = Layer()
    number = 1 + len(spans) // 2
    entities = [str(n) + "-Pseudo" * (chance.random() < 0.15) for n in range(1, number + 1)]
    wholes = {
        e: chance.choice(entities[i:]) for i, e in enumerate(entities[:-1], start=1) if kind.split and chance.random() < 0.4
    }
    last_of = {}
    for n, (first, last) in enumerate(sorted(spans, key=lambda span: (span[0], -span[1]))):
        before = [markable for markable, end in last_of.items() if end < first - 1]
        markable = chance.choice(before) if kind.discontinuous and before and chance.random() < 0.15 else f"{prefix}{n}"
        entity = layer.entities.setdefault(markable, chance.choice(entities))
        text = f"(EntityID={entity}|MarkableID={markable}"
        layer.rows.setdefault(markable, first)
        last_of[markable] = last
        if kind.minimum and key and chance.random() < 0.7:
            low = chance.randint(first, last)
            high = chance.randint(low, last)
            text += f"|Min={low + 1}" + f",{high + 1}" * (high > low)
        if entity in wholes and not wholes[entity].endswith("Pseudo") and not entity.endswith("Pseudo"):
            text += f"|ElementOf={wholes[entity]}"
        layer.opening.setdefault(first, []).append(text + ")" * (first == last))
        if last > first:
            layer.closing[last] = layer.closing.get(last, 0) + 1
    return layer
