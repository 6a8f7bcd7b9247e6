"""What is known of each mention before any decision: columns of codes, read off the tree.

Only codes of Universal Dependencies are looked at. No word list of any language is used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, order_by, ranges, starts_of_runs, tally
from referee.resolver.heads import heads
from referee.resolver.syntax import Syntax, subtrees

TYPES = (
    "zero", "pron1", "pron2", "pron3", "refl", "dem", "rel", "indef", "name", "demnp", "possnp", "def", "indefnp", "bare_sg",
    "bare_pl", "num", "clause", "other",
)  # fmt: skip
"""Types of mentions, finer than those of a corpus."""

CLASSES = ("pron1/2", "pron3", "dem", "name", "def", "indef", "other")
"""Classes of types: each has a threshold of its own among the rules."""

CLASS_OF_TYPE = np.array([1, 0, 0, 1, 1, 2, 6, 6, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6], dtype=np.int64)
NUMBERS = ("", "Sing", "Plur", "other")
GENDERS = ("", "Masc", "Fem", "Neut", "Com", "other")
PERSONS = ("", "1", "2", "3")

CONTENT = ("NOUN", "PROPN", "ADJ", "VERB", "NUM")
STEM, BEGINNING = 4, 5
"""The least length of an end of a lemma that may be another lemma, and of equal beginnings."""

MODIFIERS = ("amod", "compound", "nummod", "flat", "nmod", "appos", "acl")
NOMINAL = ("NOUN", "ADJ", "NUM", "SYM", "X", "DET", "ADV")

TYPE = {name: number for number, name in enumerate(TYPES)}


class Sets(NamedTuple):
    """A set of words for each mention, as sorted rows: those of mention m are `word[first[m] : first[m + 1]]`."""

    first: Ints
    word: Ints

    def of(self, mention: int) -> frozenset[int]:
        """The set of a mention."""
        return frozenset(self.word[self.first[mention] : self.first[mention + 1]].tolist())

    def rows(self, kept: Ints) -> Sets:
        """The sets of some of the mentions."""
        row, place = ranges(self.first[kept], self.first[kept + 1])
        return Sets(np.searchsorted(row, np.arange(len(kept) + 1)), self.word[place])


class Mentions(NamedTuple):
    """Columns of codes over the mentions of all documents, sorted by document, start, and longer before shorter.

    All have shape (mentions,). Tokens are counted through the file.

    Parameters
    ----------
    document, start, end, head, sentence : int64
        Place: `end` is behind the last token, `head` a token.
    type, group : int64
        Numbers of `TYPES` and `CLASSES`.
    number, gender, person : int64
        Numbers of `NUMBERS`, `GENDERS`, `PERSONS`; 0 is unknown.
    lemma, core, full, determiner : int64
        The lemma of the head; the span without what leads up to it, with lemmas of content words; the span in lower case; the
        lemma of the first determiner. Equal numbers mean equal strings; -1 where there is none.
    role, parent : int64
        Relation of the head to its parent (a number of `roles`), and its parent (-1 for a root).
    reach, reach_end : int64
        The tokens of the subtree of the parent; none for a root.
    stem, beginning : int64
        Of the lemma of the head, if it is a noun, name or such: its shortest end that is the lemma of another head of the
        document, of `STEM` letters or more (minister of Finance Minister written as one word), or itself; its first
        `BEGINNING` letters. Equal numbers mean equal strings; a negative number is equal to no other.
    speaker, addressee : int64
        Of the sentence; 0 is unknown.
    modifier_count : int64
    possessive, postmodified : bool
        Whether the head is a possessor; whether it has an nmod or acl.
    partner : int64
        The token that an apposition or a copula equates it with; -1 for none.
    modifiers, name_words, content : Sets
        Lemmas of the modifiers of the head; words of a name; lemmas of all content words but the head.
    roles, words : list of str
        What the numbers of `role` and of words stand for.
    """

    document: Ints
    start: Ints
    end: Ints
    head: Ints
    sentence: Ints
    type: Ints
    group: Ints
    number: Ints
    gender: Ints
    person: Ints
    lemma: Ints
    core: Ints
    full: Ints
    determiner: Ints
    role: Ints
    parent: Ints
    reach: Ints
    reach_end: Ints
    stem: Ints
    beginning: Ints
    speaker: Ints
    addressee: Ints
    modifier_count: Ints
    possessive: Bools
    postmodified: Bools
    partner: Ints
    modifiers: Sets
    name_words: Sets
    content: Sets
    roles: list[str]
    words: list[str]

    @property
    def pronoun(self) -> Bools:
        """Which mentions are personal or reflexive pronouns, zeros or demonstratives."""
        return self.type <= TYPE["dem"]

    def rows(self, kept: Ints) -> Mentions:
        """Some of the mentions, in this order."""
        columns: dict[str, Any] = {
            name: value.rows(kept) if isinstance(value, Sets) else value if isinstance(value, list) else value[kept]
            for name, value in self._asdict().items()
        }
        return Mentions(**columns)


def feature_values(syntax: Syntax, *names: str) -> list[str]:
    """For each different FEATS, the value of the first of these features that it has; empty if it has none."""
    values = []
    for text in syntax.feats.texts:
        pairs = dict(pair.split("=", 1) for pair in text.split("|") if "=" in pair)
        values.append(next((pairs[name] for name in names if name in pairs), ""))
    return values


def _coded_feature(syntax: Syntax, known: tuple[str, ...], *names: str) -> Ints:
    """For each token, the number of a feature's value among those known; the last one for others, if it is called "other"."""
    rest = len(known) - 1 if known[-1] == "other" else 0
    numbers = [known.index(v) if v in known else rest for v in feature_values(syntax, *names)]
    return np.array(numbers, dtype=np.int64)[syntax.feats.code]


def _is(syntax: Syntax, name: str, *wanted: str) -> Bools:
    """Which tokens have one of these values of a feature."""
    return np.array([value in wanted for value in feature_values(syntax, name)], dtype=bool)[syntax.feats.code]


def _first_child(syntax: Syntax, wanted: Bools) -> Ints:
    """For each token, its first child of those wanted; -1 if it has none."""
    child = np.full(len(wanted), -1, dtype=np.int64)
    tokens = np.flatnonzero(wanted & (syntax.parent >= 0))[::-1]
    child[syntax.parent[tokens]] = tokens
    return child


def _runs(codes: Ints, start: Ints, end: Ints) -> Ints:
    """A number for each stretch of codes; equal for equal stretches."""
    data = codes.astype(np.int32).tobytes()
    number: dict[bytes, int] = {}
    bounds = zip((4 * start).tolist(), (4 * end).tolist(), strict=True)
    stretches = (number.setdefault(data[a:b], len(number)) for a, b in bounds)
    return np.fromiter(stretches, dtype=np.int64, count=len(start))


def _stems(words: list[str], document: Ints, lemma: Ints) -> Ints:
    """For the lemma of each head, its shortest end that is such a lemma in the document, as a number of `words`, or itself."""
    stem = lemma.copy()
    for rows in np.split(np.arange(len(lemma)), np.flatnonzero(np.diff(document)) + 1):
        known = {words[n]: n for n in lemma[rows].tolist()}
        of = {
            n: next((known[word[k:]] for k in range(len(word) - STEM, 0, -1) if word[k:] in known), n)
            for word, n in known.items()
        }
        stem[rows] = [of[n] for n in lemma[rows].tolist()]
    return stem


def _beginnings(words: list[str], lemma: Ints) -> Ints:
    """A number for the first letters of each lemma; its own negative number if it is shorter."""
    number: dict[str, int] = {}
    codes = [number.setdefault(w[:BEGINNING], len(number)) if len(w) >= BEGINNING else -1 - n for n, w in enumerate(words)]
    return np.array([*codes, 0], dtype=np.int64)[lemma]


def _sets(mention: Ints, word: Ints, mentions: int) -> Sets:
    """Sets from pairs of a mention and a word."""
    order = order_by(mention, word)
    mention, word = mention[order], word[order]
    new = starts_of_runs(mention, word)
    mention, word = mention[new], word[new]
    return Sets(np.searchsorted(mention, np.arange(mentions + 1)), word)


def _types(syntax: Syntax, head: Ints, alone: Bools, person: Ints, number: Ints, determined: dict[str, Bools]) -> Ints:
    """The type of each mention; what is decided first goes last."""
    upos = syntax.upos
    types = np.full(len(head), TYPE["other"], dtype=np.int64)

    def put(name: str, which: Bools) -> None:
        types[which] = TYPE[name]

    put("clause", upos.among("VERB", "AUX")[head])
    nominal = upos.among(*NOMINAL)[head]
    put("bare_sg", nominal)
    put("bare_pl", nominal & (number == NUMBERS.index("Plur")))
    put("num", upos.among("NUM")[head])
    put("indefnp", nominal & determined["any"])
    put("def", nominal & determined["def"])
    put("possnp", nominal & determined["poss"])
    put("demnp", nominal & determined["dem"])
    put("name", upos.among("PROPN")[head])
    pronoun = upos.among("PRON")[head] | (upos.among("DET")[head] & alone)
    for value, name in ((3, "pron3"), (2, "pron2"), (1, "pron1")):
        put(name, pronoun & (person == value))
    put("pron3", pronoun & (person == 0))
    personal = _is(syntax, "PronType", "Prs")[head]
    put("indef", pronoun & ~personal & _is(syntax, "PronType", "Ind", "Tot", "Neg")[head])
    put("rel", pronoun & ~personal & _is(syntax, "PronType", "Rel", "Int", "Int,Rel")[head])
    put("dem", pronoun & ~personal & _is(syntax, "PronType", "Dem")[head])
    put("refl", pronoun & _is(syntax, "Reflex", "Yes")[head])
    put("zero", syntax.is_node[head])
    return types


def attributes(syntax: Syntax, document: Ints, start: Ints, end: Ints, fragments: dict[int, Ints]) -> Mentions:
    """Read off the tree what there is to know about mentions.

    Parameters
    ----------
    syntax : Syntax
    document, start, end : integers, shape (mentions,)
        Sorted; tokens counted through the file.
    fragments : dict
        The tokens of the discontinuous mentions.
    """
    head = heads(syntax, start, end, fragments)
    relation = syntax.relation
    mention, token = ranges(start, end)
    child = syntax.parent[token] == head[mention]

    def some(tokens: Bools) -> Bools:
        """Which mentions have such a child of the head among their tokens."""
        return tally(mention[child & tokens[token]], minlength=len(head)) > 0

    is_determiner = relation.among("det")
    possessor = syntax.deprel.among("nmod:poss", "det:poss") | (_is(syntax, "Poss", "Yes") & relation.among("det", "nmod"))
    determiner = _first_child(syntax, is_determiner & ~possessor)[head]
    definite = _is(syntax, "Definite", "Def", "Spec")
    demonstrative = _first_child(syntax, is_determiner & _is(syntax, "PronType", "Dem"))[head] >= 0
    determined = {
        "any": determiner >= 0,
        "def": np.where(determiner >= 0, definite[determiner], False)
        | ((determiner < 0) | ~_is(syntax, "Definite", "Def", "Ind", "Spec")[determiner]) & definite[head],
        "poss": _first_child(syntax, possessor)[head] >= 0,
        "dem": demonstrative,
    }
    person = _coded_feature(syntax, PERSONS, "Person[psor]", "Person")[head]
    number = _coded_feature(syntax, NUMBERS, "Number[psor]", "Number")[head]
    number = np.where(some(relation.among("conj")), NUMBERS.index("Plur"), number)
    types = _types(syntax, head, end - start == 1, person, number, determined)

    # The core begins behind what leads up to it, and ends before what follows.
    lead = relation.among("det", "case", "punct") | possessor
    tokens = np.arange(len(lead))
    following = np.minimum.accumulate(np.where(lead, len(lead), tokens)[::-1])[::-1]
    trail = relation.among("case", "punct")
    preceding = np.maximum.accumulate(np.where(trail, -1, tokens))
    core_start = np.minimum(following[start], head) if len(start) else start
    core_end = np.maximum(preceding[end - 1], head) + 1 if len(start) else end
    core_words = np.where(syntax.upos.among("NOUN", "ADJ", "VERB"), syntax.lemma, syntax.form)

    modifying = child & relation.among(*MODIFIERS)[token]
    modifiers = _sets(mention[modifying], syntax.lemma[token][modifying], len(head))
    naming = (syntax.upos.among("PROPN")[token] | (token == head[mention])) & (types[mention] == TYPE["name"])
    content = syntax.upos.among(*CONTENT)[token] & (token != head[mention])
    lemma = syntax.lemma[head].astype(np.int64)
    stem = -1 - np.arange(len(head))
    nominal = np.flatnonzero(types > TYPE["indef"])
    stem[nominal] = _stems(syntax.words, document[nominal], lemma[nominal])
    parent = syntax.parent[head]
    first, after = subtrees(syntax)
    sentence = syntax.sentence[head]
    subjects = _first_child(syntax, relation.among("nsubj"))[head]
    is_predicate = _first_child(syntax, relation.among("cop"))[head] >= 0
    partner = np.where(is_predicate, subjects, -1)
    partner = np.where(relation.among("appos")[head], syntax.parent[head], partner)
    full_role = [t if t in ("nsubj:pass", "nmod:poss") else t.partition(":")[0] for t in syntax.deprel.texts]
    roles = list(dict.fromkeys(full_role))
    role = np.array([roles.index(t) for t in full_role], dtype=np.int64)[syntax.deprel.code][head]
    return Mentions(
        document,
        start,
        end,
        head,
        sentence,
        types,
        CLASS_OF_TYPE[types],
        number,
        _coded_feature(syntax, GENDERS, "Gender[psor]", "Gender")[head],
        person,
        lemma,
        _runs(core_words, core_start, core_end),
        _runs(syntax.form, start, end),
        np.where(determiner >= 0, syntax.lemma[determiner], -1),
        role,
        parent,
        np.where(parent >= 0, first[parent], 0),
        np.where(parent >= 0, after[parent], 0),
        stem,
        _beginnings(syntax.words, lemma),
        syntax.speaker[sentence],
        syntax.addressee[sentence],
        np.diff(modifiers.first),
        possessor[head],
        some(relation.among("nmod", "acl")),
        partner,
        modifiers,
        _sets(mention[naming], syntax.lemma[token][naming], len(head)),
        _sets(mention[content], syntax.lemma[token][content], len(head)),
        roles,
        syntax.words,
    )
