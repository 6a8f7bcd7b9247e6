"""What is known of each mention before any decision: columns of codes, read off the tree.

Only codes of Universal Dependencies are looked at. What a lexicon says of the words is added by `referee.resolver.kinds`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, ranges, starts_of_runs, tally
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
    pronoun_gender : int64
        Of singular pronouns of the third person that are masculine or feminine (he, himself; she, hers), their gender; else 0.
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
    antecedent : int64
        Of a relative pronoun, the token that its clause modifies; -1 for others.
    kind, name : int64
        By a lexicon: what it names, a number of `referee.resolver.kinds.KINDS`, and which of `names` it has; 0 for none.
    modifiers, name_words, content : Sets
        Lemmas of the modifiers of the head; words of a name; lemmas of all content words but the head.
    roles, words : list of str
        What the numbers of `role` and of words stand for.
    names : list of tuple
        The different names, as words in lower case.
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
    pronoun_gender: Ints
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
    antecedent: Ints
    kind: Ints
    name: Ints
    modifiers: Sets
    name_words: Sets
    content: Sets
    roles: list[str]
    words: list[str]
    names: list[tuple[str, ...]]

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
        stems = {
            n: next((known[word[k:]] for k in range(len(word) - STEM, 0, -1) if word[k:] in known), n)
            for word, n in known.items()
        }
        stem[rows] = [stems[n] for n in lemma[rows].tolist()]
    return stem


def _beginnings(words: list[str], lemma: Ints) -> Ints:
    """A number for the first letters of each lemma; its own negative number if it is shorter."""
    number: dict[str, int] = {}
    codes = [number.setdefault(w[:BEGINNING], len(number)) if len(w) >= BEGINNING else -1 - n for n, w in enumerate(words)]
    return np.array([*codes, 0], dtype=np.int64)[lemma]


def _sets(mention: Ints, word: Ints, mentions: int) -> Sets:
    """Sets from pairs of a mention and a word."""
    order = argsort(mention, word)
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
    mention, token = ranges(start, end)
    within = _Within(syntax, head, mention, token, syntax.parent[token] == head[mention])
    possessor = _possessors(syntax)
    determiner = _first_child(syntax, syntax.relation.among("det") & ~possessor)[head]
    person, number = _coded_feature(syntax, PERSONS, "Person[psor]", "Person")[head], _numbers(within)
    gender = _coded_feature(syntax, GENDERS, "Gender[psor]", "Gender")[head]
    types = _types(syntax, head, end - start == 1, person, number, _determined(syntax, head, determiner))
    lemma, parent, sentence = syntax.lemma[head].astype(np.int64), syntax.parent[head], syntax.sentence[head]
    reach, reach_end = (np.where(parent >= 0, bound[parent], 0) for bound in subtrees(syntax))
    role, roles = _roles(syntax, head)
    modifiers = within.lemmas(within.child & syntax.relation.among(*MODIFIERS)[token])
    is_head = token == head[mention]
    return Mentions(
        document=document,
        start=start,
        end=end,
        head=head,
        sentence=sentence,
        type=types,
        group=CLASS_OF_TYPE[types],
        number=number,
        gender=gender,
        person=person,
        pronoun_gender=np.where(_he_or_she(syntax, head, types, number, person, gender), gender, 0),
        lemma=lemma,
        core=_cores(syntax, start, end, head),
        full=_runs(syntax.form, start, end),
        determiner=np.where(determiner >= 0, syntax.lemma[determiner], -1),
        role=role,
        parent=parent,
        reach=reach,
        reach_end=reach_end,
        stem=_stems_of_nouns(syntax, document, lemma, types),
        beginning=_beginnings(syntax.words, lemma),
        speaker=syntax.speaker[sentence],
        addressee=syntax.addressee[sentence],
        modifier_count=np.diff(modifiers.first),
        possessive=possessor[head],
        postmodified=within.has_child(syntax.relation.among("nmod", "acl")),
        partner=_partners(syntax, head),
        antecedent=_antecedents(syntax, head, types),
        kind=np.zeros(len(head), dtype=np.int64),
        name=np.zeros(len(head), dtype=np.int64),
        modifiers=modifiers,
        name_words=within.lemmas((syntax.upos.among("PROPN")[token] | is_head) & (types[mention] == TYPE["name"])),
        content=within.lemmas(syntax.upos.among(*CONTENT)[token] & ~is_head),
        roles=roles,
        words=syntax.words,
        names=[()],
    )


class _Within(NamedTuple):
    """The tokens of mentions, one after the other: the mention of each, and whether it is a child of the head."""

    syntax: Syntax
    head: Ints
    mention: Ints
    token: Ints
    child: Bools

    def has_child(self, wanted: Bools) -> Bools:
        """Which mentions have one of these tokens of the file as a child of their head."""
        return tally(self.mention[self.child & wanted[self.token]], minlength=len(self.head)) > 0

    def lemmas(self, which: Bools) -> Sets:
        """The lemmas of some of the tokens, for each mention."""
        return _sets(self.mention[which], self.syntax.lemma[self.token][which], len(self.head))


def _he_or_she(syntax: Syntax, head: Ints, types: Ints, number: Ints, person: Ints, gender: Ints) -> Bools:
    """Which mentions are pronouns of one person who is called he, or she."""
    personal = ((types == TYPE["pron3"]) | (types == TYPE["refl"])) & (person == PERSONS.index("3"))
    gendered = (gender == GENDERS.index("Masc")) | (gender == GENDERS.index("Fem"))
    # Determiners may have the gender of what is possessed: French sa is feminine in sa mère.
    called: Bools = personal & gendered & (number != NUMBERS.index("Plur")) & syntax.upos.among("PRON")[head]
    return called


def _possessors(syntax: Syntax) -> Bools:
    """Which tokens say whose their parent is."""
    poss = _is(syntax, "Poss", "Yes") & syntax.relation.among("det", "nmod")
    return syntax.deprel.among("nmod:poss", "det:poss") | poss


def _numbers(within: _Within) -> Ints:
    """The number of each mention; what is conjoined is plural."""
    number = _coded_feature(within.syntax, NUMBERS, "Number[psor]", "Number")[within.head]
    return np.where(within.has_child(within.syntax.relation.among("conj")), NUMBERS.index("Plur"), number)


def _determined(syntax: Syntax, head: Ints, determiner: Ints) -> dict[str, Bools]:
    """Which mentions have any determiner but a possessor, are definite, have a possessor, or a demonstrative."""
    definite = _is(syntax, "Definite", "Def", "Spec")
    has_determiner = determiner >= 0
    by_head = ~has_determiner | ~_is(syntax, "Definite", "Def", "Ind", "Spec")[determiner]
    demonstrative = syntax.relation.among("det") & _is(syntax, "PronType", "Dem")
    return {
        "any": has_determiner,
        "def": np.where(has_determiner, definite[determiner], False) | by_head & definite[head],
        "poss": _first_child(syntax, _possessors(syntax))[head] >= 0,
        "dem": _first_child(syntax, demonstrative)[head] >= 0,
    }


def _cores(syntax: Syntax, start: Ints, end: Ints, head: Ints) -> Ints:
    """A number for the core of each mention: it begins behind what leads up to it, and ends before what follows."""
    lead = syntax.relation.among("det", "case", "punct") | _possessors(syntax)
    trail = syntax.relation.among("case", "punct")
    tokens = np.arange(len(lead))
    following = np.minimum.accumulate(np.where(lead, len(lead), tokens)[::-1])[::-1]
    preceding = np.maximum.accumulate(np.where(trail, -1, tokens))
    core_start = np.minimum(following[start], head) if len(start) else start
    core_end = np.maximum(preceding[end - 1], head) + 1 if len(start) else end
    return _runs(np.where(syntax.upos.among("NOUN", "ADJ", "VERB"), syntax.lemma, syntax.form), core_start, core_end)


def _stems_of_nouns(syntax: Syntax, document: Ints, lemma: Ints, types: Ints) -> Ints:
    """The stem of the head of each mention that is a noun, name or such; a negative number of its own for others."""
    stem = -1 - np.arange(len(lemma))
    nominal = np.flatnonzero(types > TYPE["indef"])
    stem[nominal] = _stems(syntax.words, document[nominal], lemma[nominal])
    return stem


def _partners(syntax: Syntax, head: Ints) -> Ints:
    """The token that an apposition or a copula equates each head with; -1 for none."""
    subjects = _first_child(syntax, syntax.relation.among("nsubj"))[head]
    is_predicate = _first_child(syntax, syntax.relation.among("cop"))[head] >= 0
    partner = np.where(is_predicate, subjects, -1)
    return np.where(syntax.relation.among("appos")[head], syntax.parent[head], partner)


def _antecedents(syntax: Syntax, head: Ints, types: Ints) -> Ints:
    """The token that the clause of each relative pronoun modifies; -1 for other mentions."""
    antecedent = np.full(len(head), -1, dtype=np.int64)
    relative = np.flatnonzero((types == TYPE["rel"]) & _is(syntax, "PronType", "Rel", "Int,Rel")[head])
    if not len(relative):
        return antecedent
    tokens = np.arange(len(syntax.parent))
    first = _climbed(syntax.parent, tokens, syntax.relation.among("conj"))  # of a word that is conjoined, the first conjunct
    modifies = syntax.relation.among("acl")[first]
    clause = _climbed(syntax.parent, head[relative], ~modifies)
    # Relative pronouns are at the front of their clauses. What comes later, as in `those who said what they saw`, is another.
    clauses = modifies[clause] & (head[relative] <= clause)
    antecedent[relative[clauses]] = syntax.parent[first[clause[clauses]]]
    return antecedent


def _climbed(parent: Ints, tokens: Ints, onwards: Bools) -> Ints:
    """Where one comes to from some tokens, going to the parent as long as a token has one and is one of those `onwards`."""
    place = tokens.copy()
    while len(rest := np.flatnonzero(onwards[place] & (parent[place] >= 0))):
        place[rest] = parent[place[rest]]
    return place


def _roles(syntax: Syntax, head: Ints) -> tuple[Ints, list[str]]:
    """The role of each head as a number, and what the numbers stand for."""
    of_texts = [t if t in ("nsubj:pass", "nmod:poss") else t.partition(":")[0] for t in syntax.deprel.texts]
    roles = list(dict.fromkeys(of_texts))
    return np.array([roles.index(t) for t in of_texts], dtype=np.int64)[syntax.deprel.code][head], roles
