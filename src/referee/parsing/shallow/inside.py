"""The words of a chunk, put below its head: the first step from chunks to a shallow tree.

The head of a nominal chunk is its last noun, name or pronoun; else its last number, adjective or determiner. Names of persons
are an exception (`names`). The head of verbs is the last main verb, else the last auxiliary. All other words depend on it,
but for adverbs, which go with the next adjective or number, and for modifiers joined by *and*.
"""

from __future__ import annotations

from referee.parsing.shallow.names import TITLES, head_of_name
from referee.parsing.shallow.sentence import Sentence

HEADS = (("NOUN", "PROPN", "PRON", "SYM"), ("NUM",), ("ADJ", "X", "VERB"), ("DET", "ADV"))
"""Parts of speech of which the last one in a nominal chunk is its head: the first row that has any."""

HEADS_OF_VERBS = (("VERB",), ("AUX",))

RELATIONS = {
    "DET": "det", "ADJ": "amod", "VERB": "amod", "NUM": "nummod", "NOUN": "compound", "PROPN": "compound", "SYM": "compound",
    "X": "compound", "ADV": "advmod", "AUX": "aux", "PART": "advmod", "ADP": "case", "SCONJ": "mark", "CCONJ": "cc",
    "INTJ": "discourse", "PUNCT": "punct", "PRON": "det",
}  # fmt: skip
"""What a word is to the head of its chunk."""

BEHIND = {"PROPN": "flat", "NUM": "nummod", "PART": "case"}
"""The same, where a word behind the head is something else."""

AMONG_VERBS = {"VERB": "xcomp", "ADP": "compound:prt", "ADJ": "advmod"}
"""The same, where a word in a chunk of verbs is something else."""

MODIFIERS = frozenset(("ADJ", "NOUN", "PROPN", "NUM", "VERB"))

MONTHS = frozenset((
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
))  # fmt: skip


def head_of(s: Sentence, category: str, start: int, end: int) -> int:
    """Find the head of a chunk, and put its other words below it."""
    if end == start + 1:
        return start
    if category == "NP":
        head = _nominal_head(s, start, end)
        _nominal(s, start, end, head)
    elif category == "VP":
        head = _last(s, HEADS_OF_VERBS, start, end)
        _verbal(s, start, end, head)
    elif category in ("PP", "SBAR"):
        head = start
        s.attach_all(range(start + 1, end), head, "fixed")
    else:
        head = end - 1
        for w in range(start, head):
            s.attach(w, head, RELATIONS[s.upos[w]] if s.upos[w] in ("PUNCT", "CCONJ") else "advmod")
    return head


def _last(s: Sentence, heads: tuple[tuple[str, ...], ...], start: int, end: int) -> int:
    """The last word with a part of speech of the first row that occurs; the last word if none does."""
    for classes in heads:
        for w in range(end - 1, start - 1, -1):
            if s.upos[w] in classes:
                return w
    return end - 1


def _nominal_head(s: Sentence, start: int, end: int) -> int:
    last = _last(s, HEADS, start, end)
    if last + 1 < end and s.upos[last + 1] == "NUM" and s.form[last] in MONTHS and not s.is_year(last + 1):
        return last + 1  # January 8
    first = last
    while first > start and s.upos[first] == s.upos[first - 1] == "PROPN":
        first -= 1
    return first + head_of_name(s.form[first : last + 1]) if first < last else last


def _nominal(s: Sentence, start: int, end: int, head: int) -> None:
    modifier = conjunction = -1  # the last modifier; the conjunction behind it
    for w in range(start, head):
        upos = s.upos[w]
        if s.xpos[w] in ("PRP$", "WP$"):
            s.attach(w, head, "nmod:poss")
        elif upos == "ADV" and w + 1 < head and s.upos[w + 1] in ("ADJ", "NUM", "ADV", "DET"):
            s.attach(w, w + 1, "advmod")
        elif upos == s.upos[head] == "PROPN" and s.form[w].strip(".") in TITLES:
            s.attach(w, head, "nmod:desc")
        elif s.xpos[w] == "POS":
            s.attach(w, head, "case")  # until the possessor is known
        elif conjunction >= 0 and upos in MODIFIERS:
            s.attach(conjunction, w, "cc")
            s.attach(w, modifier, "conj")
            conjunction = -1
        else:
            s.attach(w, head, "det:predet" if s.xpos[w] == "PDT" else RELATIONS.get(upos, "dep"))
            modifier = w if upos in MODIFIERS else modifier
            conjunction = w if upos == "CCONJ" and modifier >= 0 else conjunction
    for w in range(head + 1, end):
        relation = BEHIND.get(s.upos[w], RELATIONS.get(s.upos[w], "dep"))
        s.attach(w, head, "nmod:unmarked" if s.is_year(w) else relation)


def _verbal(s: Sentence, start: int, end: int, head: int) -> None:
    passive = s.is_passive(start, head)
    for w in range(start, end):
        upos = s.upos[w]
        relation = AMONG_VERBS.get(upos, RELATIONS.get(upos, "dep"))
        if s.xpos[w] == "TO":
            relation = "mark"
        elif upos == "AUX" and passive and s.lemma[w] in ("be", "get"):
            relation = "aux:pass"
        s.attach(w, head, relation)
