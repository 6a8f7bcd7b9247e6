"""Random pairs of CorefUD files with zeros, repeated mentions, several heads a span, and sides without annotation."""

import random
from collections import defaultdict

Span = tuple[int, int]
HEADER = "# global.Entity = eid-etype-head-other\n"


def corefud_pair(seed, documents, *, zeros, repeated, copies=False):
    """A key and a response over the same words; each has empty nodes of its own if there are zeros.

    With `repeated`, a mention may be in two entities; with `copies`, also twice in one, with the same head or another.
    """
    chance = random.Random(seed)
    texts = {f"{seed}.key.conllu": HEADER, f"{seed}.response.conllu": HEADER}
    first_entity = dict.fromkeys(texts, 0)
    for document in range(documents):
        words = chance.randint(4, 20)
        parents = {w: (chance.randint(1, words), chance.choice(("nsubj", "obj"))) for w in _places(chance, words, zeros)}
        spans = _spans(chance, words, repeated)
        lacks = chance.choice((0, 0, 0, 0, 1, 2, 3))
        for side, name in enumerate(texts):
            kept = [span for span in spans if chance.random() < 0.8 and not lacks >> side & 1]
            entities = [f"e{first_entity[name] + n}" for n in range(1 + len(kept) // 2)]
            first_entity[name] += len(entities)
            nodes = {w: _dependency(chance, dep, words, moved=bool(side)) for w, dep in parents.items()}
            mentions = {w: chance.choice(entities) for w in nodes if kept and chance.random() < 0.8}
            texts[name] += f"# newdoc id = d{document}\n# sent_id = d{document}-1\n"
            texts[name] += _rows(words, _brackets(chance, kept, entities, copies), nodes, mentions) + "\n"
    return texts


def _places(chance, words, zeros):
    return {chance.randrange(1, words) for _ in range(chance.randint(1, 3))} if zeros else set()


def _spans(chance, words, repeated):
    """Spans that do not cross, outer ones first."""
    spans = []
    for _ in range(chance.randint(0, 9)):
        first = chance.randrange(words)
        last = min(first + chance.choice((0, 0, 1, 2, 4)), words - 1)
        crosses = any(a < first <= b < last or first < a <= last < b for a, b in spans)
        if not crosses and (repeated or (first, last) not in spans):
            spans.append((first, last))
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def _dependency(chance, dependency, words, *, moved):
    parent, relation = (chance.randint(1, words), "nsubj") if moved and chance.random() < 0.3 else dependency
    return f"{parent}:{relation}"


def _brackets(chance, spans, entities, copies):
    """The cell of each word. An entity does not nest in itself; a mention has any of its words as head."""
    closing, opening, single = defaultdict(str), defaultdict(str), defaultdict(str)
    of_entity = defaultdict(list)
    for first, last in spans:
        entity = chance.choice(entities)
        if any(first <= b and a <= last for a, b in of_entity[entity]):
            continue
        of_entity[entity].append((first, last))
        for _ in range(1 + (copies and chance.random() < 0.3)):
            head = chance.randint(1, last - first + 1)
            if first == last:
                single[first] += f"({entity}-x-1-)"
            else:
                opening[first] += f"({entity}-x-{head}-"
                closing[last] = f"{entity})" + closing[last]
    return {w: closing[w] + opening[w] + single[w] for w in {*closing, *opening, *single}}


def _rows(words, cells, nodes, mentions):
    text = ""
    for w in range(words):
        parent = "0\troot" if w == 0 else "1\tdep"
        text += f"{w + 1}\tw{w}\t_\t_\t_\t_\t{parent}\t_\t{_misc(cells.get(w, ''))}\n"
        if w in nodes:
            zero = f"({mentions[w]}-x-1-)" if w in mentions else ""
            text += f"{w + 1}.1\t_\t_\t_\t_\t_\t_\t_\t{nodes[w]}\t{_misc(zero)}\n"
    return text


def _misc(cell):
    return f"Entity={cell}" if cell else "_"
