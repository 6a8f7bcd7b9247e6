"""The words of a chunk, put below its head: the first step from chunks to a shallow tree.

The head of a nominal chunk is its last noun, name or pronoun; else its last number, adjective or determiner. That of verbs is
the last main verb, else the last auxiliary. All other words depend on it directly, but for adverbs, which go with the next
adjective or number, and for modifiers joined by *and*.
"""

from __future__ import annotations

from referee.parsing.chunks_names import head_of_name
from referee.parsing.chunks_sentence import Sentence

HEADS = (("NOUN", "PROPN", "PRON", "SYM"), ("NUM",), ("ADJ", "X", "VERB"), ("DET", "ADV"))
"""Parts of speech of which the last one in a nominal chunk is its head: the first row that has any."""

RELATIONS = {
    "DET": "det", "ADJ": "amod", "VERB": "amod", "NUM": "nummod", "NOUN": "compound", "PROPN": "compound", "SYM": "compound",
    "X": "compound", "ADV": "advmod", "AUX": "aux", "PART": "advmod", "ADP": "case", "SCONJ": "mark", "CCONJ": "cc",
    "INTJ": "discourse", "PUNCT": "punct", "PRON": "det",
}  # fmt: skip
"""What a word is to the head of its chunk."""

PREDETERMINERS = frozenset(("PDT",))


def head_of(s: Sentence, category: str, start: int, end: int) -> int:
    """Find the head of a chunk, and put its other words below it."""
    if end == start + 1:
        return start
    if category == "NP":
        head = _nominal_head(s, start, end)
        _nominal(s, start, end, head)
    elif category == "VP":
        head = _last(s, ("VERB",), start, end) if _last(s, ("VERB",), start, end) >= 0 else _last(s, ("AUX",), start, end)
        head = head if head >= 0 else end - 1
        _verbal(s, start, end, head)
    else:
        head = start if category in ("PP", "SBAR") else end - 1
        relation = {"PP": "fixed", "SBAR": "fixed", "ADJP": "advmod", "ADVP": "advmod"}.get(category)
        for w in range(start, end):
            if w != head:
                s.attach(w, head, RELATIONS[s.upos[w]] if s.upos[w] in ("PUNCT", "CCONJ") or not relation else relation)
    return head


def _last(s: Sentence, classes: tuple[str, ...], start: int, end: int) -> int:
    return max((w for w in range(start, end) if s.upos[w] in classes), default=-1)


def _nominal_head(s: Sentence, start: int, end: int) -> int:
    """The head of a nominal chunk. In a name of a person, which has a given name first, it is the first word."""
    last = next((w for classes in HEADS if (w := _last(s, classes, start, end)) >= 0), end - 1)
    first = last
    while s.upos[last] == "PROPN" and first > start and s.upos[first - 1] == "PROPN":
        first -= 1
    return first + head_of_name(s.form[first : last + 1]) if first < last else last


def _nominal(s: Sentence, start: int, end: int, head: int) -> None:
    modifier = -1  # the last modifier before the head
    joined = False
    for w in range(start, end):
        upos = s.upos[w]
        if w == head:
            continue
        relation = RELATIONS.get(upos, "dep")
        if w > head:
            relation = {"PROPN": "flat", "NUM": "nummod", "ADJ": "amod", "PART": "case"}.get(upos, relation)
            s.attach(w, head, relation)
        elif s.is_possessive(w):
            s.attach(w, head, "case")  # to be put below the possessor
        elif upos == "PRON" and s.xpos[w] in ("PRP$", "WP$"):
            s.attach(w, head, "nmod:poss")
        elif upos == "ADV" and s.upos[w + 1] in ("ADJ", "NUM", "ADV", "DET") and w + 1 < head:
            s.attach(w, w + 1, "advmod")
        elif upos == "CCONJ" and modifier >= 0:
            s.attach(w, head, "cc")
            joined = True
        elif joined and upos in ("ADJ", "NOUN", "PROPN", "NUM", "VERB"):
            s.attach(w, modifier, "conj")
            s.attach(w - 1, w, s.deprel[w - 1]) if s.upos[w - 1] == "CCONJ" else None
            joined = False
        else:
            s.attach(w, head, "det:predet" if s.xpos[w] in PREDETERMINERS else relation)
            modifier = w if upos in ("ADJ", "NOUN", "PROPN", "NUM", "VERB") else modifier


def _verbal(s: Sentence, start: int, end: int, head: int) -> None:
    passive = s.is_passive(start, head)
    for w in range(start, end):
        upos = s.upos[w]
        if w == head:
            continue
        relation = RELATIONS.get(upos, "dep")
        if upos == "PART" and s.xpos[w] == "TO":
            relation = "mark"
        elif upos == "AUX" and passive and s.lemma[w] in ("be", "get"):
            relation = "aux:pass"
        elif upos == "VERB":
            relation = "xcomp"
        elif upos == "ADP":
            relation = "compound:prt"
        elif upos == "ADJ":
            relation = "advmod"
        s.attach(w, head, relation)
