"""Annotation written as language models answer, and damaged as their answers are: independent of the readers."""

import json
import random
import re
from bisect import bisect_right
from collections.abc import Callable

from referee import RefereeError, read, score
from referee.corpus import CorpusBuilder
from referee.formats.shared.source import Source
from tests.support.warned import recorded

Mention = tuple[int, int, str]
"""Start and end, half-open, and the entity."""


class Text:
    """A document: its tokens and its mentions."""

    def __init__(self, name, tokens, mentions):
        self.name, self.tokens, self.mentions = name, list(tokens), list(mentions)


def texts(corpus):
    """The documents of a corpus."""
    found = []
    for number, name in enumerate(corpus.doc_ids):
        rows = range(*_rows(corpus, number))
        mentions = [(int(corpus.start[m]), int(corpus.end[m]), str(corpus.entity[m])) for m in rows]
        found.append(Text(name, corpus.text.words[number].tokens, mentions))
    return found


def _rows(corpus, number):
    first, after = corpus.document.searchsorted([number, number + 1]).tolist()
    return first, after


def nesting(text):
    """The text without repeated mentions, and without those that cross an earlier, longer one."""
    kept = {}
    opened = []
    for start, end, entity in sorted(set(text.mentions), key=lambda m: (m[0], -m[1])):
        while opened and opened[-1] <= start:
            opened.pop()
        if (start, end) not in kept and not (opened and opened[-1] < end):
            kept[start, end] = start, end, entity
            opened.append(end)
    return Text(text.name, text.tokens, list(kept.values()))


def written(text, notation):
    """A text, which nests, in a notation."""
    if notation == "columns":
        return _columns(text)
    openings = {}
    closings = {}
    for mention in text.mentions:  # longer ones first
        openings.setdefault(mention[0], []).append(mention)
        closings.setdefault(mention[1], []).insert(0, mention)
    labels = _tanl_labels(text) if notation == "tanl" else {}
    begin, end = {
        "links": (lambda m: "[", lambda m: f"](#{m[2]})"),
        "numbered": (lambda m: "<m> ", lambda m: f" </m>#{m[2]}"),
        "actions": (lambda m: "<m> ", lambda m: f" | {m[2]} </m>"),
        "behind": (lambda m: "[", lambda m: f"]_{m[2]}"),
        "last": (lambda m: "{", lambda m: f"|{m[2]}}}"),
        "first": (lambda m: f"[{m[2]}: ", lambda m: "]"),
        "elements": (lambda m: f'<m id="{m[2]}">', lambda m: "</m>"),
        "tanl": (lambda m: "[ ", lambda m: f" | {labels[m]} ]" if labels[m] else " ]"),
    }[notation]
    pieces = []
    for number, token in enumerate(text.tokens):
        before = "".join(map(begin, openings.get(number, ())))
        after = "".join(map(end, sorted(closings.get(number + 1, ()), key=lambda m: -m[0])))
        pieces.append(before + token + after)
    return " ".join(pieces)


def _columns(text):
    tags = {}
    for start, end, entity in text.mentions:
        if end - start == 1:
            tags.setdefault(start, []).append(f"[{entity}]")
        else:
            tags.setdefault(start, []).append(f"[{entity}")
            tags.setdefault(end - 1, []).append(f"{entity}]")
    return " ".join(f"{token}|{','.join(tags[n])}" if n in tags else token for n, token in enumerate(text.tokens))


def _tanl_labels(text):
    """The entity of each mention: ids for all, for many texts of mentions belong to several entities."""
    return {mention: f"x{mention[2]}" for mention in text.mentions}


Damage = Callable[[random.Random, str], str]


def _words(change):
    def damage(rng, text):
        words = text.split(" ")
        change(rng, words)
        return " ".join(words)

    return damage


def _invented(rng, words):
    for _ in range(1 + len(words) // 50):
        words.insert(rng.randrange(len(words) + 1), rng.choice(["indeed", "Sure!", "[note]", "zwölf", "</m>", "| 7"]))


DAMAGES = {
    "dropped": lambda rng, t: re.sub(r"\S+ ?", lambda m: "" if rng.random() < 0.03 else m[0], t),
    "invented": _words(_invented),
    "case": lambda rng, t: re.sub(r"\w+", lambda m: m[0].swapcase() if rng.random() < 0.1 else m[0], t),
    "quotes": lambda rng, t: t.replace('"', rng.choice("“”„«")).replace("'", rng.choice("’‘`")),
    "cut off": lambda rng, t: t[: rng.randrange(len(t) + 1)],
    "marks lost": lambda rng, t: re.sub(r"\[|\]|</?m>|\(#|\)|\|", lambda m: "" if rng.random() < 0.1 else m[0], t),
    "marks doubled": lambda rng, t: re.sub(r"\[|\]|</?m>|\(#|\|", lambda m: m[0] * 2 if rng.random() < 0.1 else m[0], t),
    "fenced": lambda rng, t: f"Here you are:\n```{rng.choice(['', 'text', 'xml'])}\n{t}\n```\nHope it helps!",
    "escaped": lambda rng, t: t.replace("&", "&amp;").replace('"', "&quot;"),
    "joined": lambda rng, t: re.sub(r" ", lambda m: "" if rng.random() < 0.02 else "\n" if rng.random() < 0.05 else " ", t),
    "noise": lambda rng, t: "".join(c if rng.random() > 0.01 else chr(rng.randrange(32, 0x2FFF)) for c in t),
    "repeated": lambda rng, t: t + t[rng.randrange(len(t) + 1) :],
}
"""What happens to answers."""


def _drafted(rng, text):
    """A draft without some of the strings before the answer."""
    draft = re.sub(r'"[^"]*", ', lambda m: "" if rng.random() < 0.3 else m[0], text)
    return f"First draft:\n{draft}\n\nI missed some. Final answer:\n{text}"


BESIDE = {
    "prose": lambda rng, t: f'I found that "She" is "the woman".\n\n{t}\n\nNote that [it] may be {{something}} else.',
    "draft": _drafted,
    "thoughts": lambda rng, t: f"<think>\nMaybe {t[: rng.randrange(len(t) + 1)]} ... no.\n</think>\n{t}",
    "fences": lambda rng, t: f"Here you are:\n```json\n{t}\n```\nHope it helps!",
    "said twice": lambda rng, t: f"{t}\n\nAgain:\n\n{t}",
    "a cut off repetition": lambda rng, t: f"{t}\n\n{t[: rng.randrange(len(t) // 2, len(t))]}",
}
"""What models write beside an answer in JSON, which stays whole: it must be scored as without it, and counted."""

COUNTED = ("dropped", "invented", "case", "quotes", "cut off", "fenced")
"""The damages of which a repair must be counted if they change an answer; others may make another annotation."""

TAGGED = ("links", "numbered", "columns", "actions", "tanl", "behind", "last", "first", "elements")


def quoted(text, *, sentences=(), shuffled=None):
    """A text as lists of strings by entity, with the numbers of sentences from 0 if these begin at `sentences`.

    Each list is in the order of the text; the entities are in that of their first mentions, or shuffled.
    """
    entities = {}
    for start, end, entity in text.mentions:
        string = " ".join(text.tokens[start:end])
        number = bisect_right(sentences, start) - 1
        entities.setdefault(entity, []).append([string, number] if sentences else string)
    lists = list(entities.values())
    if shuffled:
        shuffled.shuffle(lists)
    return json.dumps(lists, ensure_ascii=False)


def recoverable(text, sentences=()):
    """The text with the mentions that nothing else can be: one entity lists their string, as often as it stands there."""
    places = {}
    for place, token in enumerate(text.tokens):
        places.setdefault(token, []).append(place)
    edges = [*sentences, len(text.tokens)]
    entities = {}
    mentions = list(dict.fromkeys(text.mentions))
    for start, end, entity in mentions:
        entities.setdefault((*text.tokens[start:end], bisect_right(sentences, start) - 1), []).append(entity)
    kept = []
    for start, end, entity in mentions:
        tokens, number = text.tokens[start:end], bisect_right(sentences, start) - 1
        first, after = (edges[number], edges[number + 1]) if sentences else (0, len(text.tokens))
        there = [p for p in places[tokens[0]] if first <= p < after and text.tokens[p : p + len(tokens)] == tokens]
        of = entities[(*tokens, number)]
        if len(set(of)) == 1 and len(of) == len(there):
            kept.append((start, end, entity))
    return Text(text.name, text.tokens, kept)


def differs_from_conll(key, text, answer, notation):
    """What is wrong with the scores of an answer that has the mentions of a text; None if they are those of CoNLL."""
    builder = CorpusBuilder("response")
    builder.document(text.name, text.tokens)
    for mention in text.mentions:
        builder.mention(*mention)
    source = Source("answer.txt", answer.encode())
    with recorded() as caught:
        found = score(key, read(source, format=notation if notation == "quotes" else f"tagged:{notation}"))
    expected = score(key, builder.corpus())
    if wrong := [metric for metric in expected if found[metric] != expected[metric]]:
        return f"{text.name} in {notation} has other scores: {', '.join(wrong)}"
    if found.pair.repairs or "repaired" in found.signature or caught:
        return f"{text.name} in {notation} was repaired: {dict(found.pair.repairs)}"
    return None


def changed_beside(key, answer, name, rng):
    """Write something beside lists of strings; what is wrong with the result, None if it is scored as before and counted."""
    found = []
    for text in (answer, BESIDE[name](rng, answer)):
        with recorded() as caught:
            try:
                found.append(score(key, read(Source("answer.txt", text.encode()), format="quotes"), metrics=["lea"]))
            except RefereeError as error:
                return "an error of several lines" if "\n" in str(error) else None
    before, after = found
    if before["lea"] != after["lea"]:
        return "another score" + ("" if after.pair.repairs and caught else " without a word")
    return None if after.pair.repairs and caught else "nothing counted"


def without_loss(key, text, answer, notation, name, rng):
    """Damage an answer and score it; what is wrong with the result, None if nothing is."""
    damaged = DAMAGES[name](rng, answer)
    source = Source("answer.txt", damaged.encode("utf-8", "replace"))
    with recorded() as caught:
        try:
            evaluation = score(key, read(source, format=f"tagged:{notation}" if notation in TAGGED else notation))
        except RefereeError as error:
            return "an error of several lines" if "\n" in str(error) else None
    response = evaluation.pair.unfiltered.response
    found = list(zip(response.start.tolist(), response.end.tolist(), strict=True))
    silent = not (evaluation.pair.repairs and "repaired:" in evaluation.signature and caught)
    if silent and text.mentions and not evaluation["mentions"].value:
        return f"a silent 0: {damaged[:200]!r}"
    same = sorted(found) == sorted((start, end) for start, end, _ in text.mentions)
    if silent and not same and notation != "quotes" and name in COUNTED:
        return f"other mentions without a word: {damaged[:200]!r}"
    return None
